//! `host list`, `host results`, `host seat`: a club's games at a glance.

use std::path::Path;

use serde_json::json;

use super::super::mail::games;
use super::super::play::{game, owner};
use super::super::{Done, Format, Outcome, clock, format};
use crate::error::{Error, Result};
use crate::index::{Game, NAME, State};
use crate::mail::address::Address;
use crate::mail::settings::{BySeat, Correspondents};
use crate::side::Seat;
use crate::store::{self, Folder};

/// `host list`.
pub(super) fn list(here: &Path, only_late: bool, rebuild: bool, format: Format) -> Outcome {
    if rebuild {
        for end in ["", "-wal", "-shm"] {
            let path = here.join(format!("{NAME}{end}"));
            if path.exists() {
                std::fs::remove_file(&path).map_err(|e| Error::io("remove", &path, &e))?;
            }
        }
    }
    let now = clock().timestamp();
    let mut all = games(here)?;
    all.retain(|g| !only_late || is_late(g, now));
    match format {
        Format::Json => {
            format::print(&json!({ "games": all.iter().map(|g| object(g, now)).collect::<Vec<_>>() }));
        }
        Format::Text if all.is_empty() && only_late => println!("Nobody is late."),
        Format::Text if all.is_empty() => {
            println!("There is no game in the folders below this one.");
        }
        Format::Text => all.iter().for_each(|g| println!("{}", line(g, now))),
    }
    Ok(Done::Fine)
}

fn is_late(game: &Game, now: i64) -> bool {
    game.state == State::Running && !game.paused && game.late.is_some_and(|late| now > late) && !owing(game).is_empty()
}

/// The players who owe something; the host's own part is done by his program.
fn owing(game: &Game) -> Vec<Seat> {
    game.owes.iter().copied().filter(|s| *s != Seat::Host).collect()
}

fn instant(at: i64) -> String {
    chrono::DateTime::from_timestamp(at, 0).map_or(String::new(), |at| at.format("%Y-%m-%d %H:%M UTC").to_string())
}

fn line(game: &Game, now: i64) -> String {
    let head = format!("{}: {} ({}), game {}", game.folder, game.scenario, game.mode, game.id);
    let who = format!("British {}, American {}", plain(&game.british), plain(&game.american));
    let rest = match &game.state {
        State::Damaged(why) => return format!("{}: CANNOT BE READ: {why}", game.folder),
        State::Proposed => return format!("{head}\n  not accepted by all yet"),
        State::Over => format!("over: {}", game.result),
        State::Running => {
            let owes: Vec<&str> = owing(game).iter().map(|s| s.word()).collect();
            let owes = if owes.is_empty() { "nobody".to_owned() } else { owes.join(" and ") };
            let due = match game.due {
                _ if game.paused => ", the clock is stopped".to_owned(),
                Some(due) if is_late(game, now) => format!(", LATE since {}", instant(due)),
                Some(due) => format!(", due {}", instant(due)),
                None => String::new(),
            };
            format!("turn {}, step {}, waiting for: {owes}{due}", game.turn, game.step)
        }
    };
    format!("{head}\n  {who}\n  {rest}")
}

/// A name without the marks that turn the direction of writing: it reads as it is spelt.
fn plain(name: &str) -> String {
    let turns =
        |c: char| matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}');
    name.chars().filter(|c| !turns(*c) && !c.is_control()).collect()
}

fn state(game: &Game) -> &'static str {
    match game.state {
        State::Proposed => "proposed",
        State::Running => "running",
        State::Over => "over",
        State::Damaged(_) => "damaged",
    }
}

fn object(game: &Game, now: i64) -> serde_json::Value {
    json!({
        "folder": game.folder, "game": game.id, "scenario": game.scenario, "mode": game.mode,
        "british": game.british, "american": game.american, "state": state(game), "result": game.result,
        "step": game.step, "turn": game.turn, "owes": owing(game).iter().map(|s| s.word()).collect::<Vec<_>>(),
        "due": game.due.map(instant), "paused": game.paused, "late": is_late(game, now),
        "why": if let State::Damaged(why) = &game.state { Some(why) } else { None },
    })
}

/// `host results`.
pub(super) fn results(here: &Path, out: Option<&Path>) -> Outcome {
    let mut table = csv::Writer::from_writer(Vec::new());
    let fault = |e: &dyn std::fmt::Display| Error::new(format!("the table cannot be written: {e}"));
    let head =
        ["folder", "game", "scenario", "mode", "british", "american", "state", "result", "turns", "began", "ended"];
    table.write_record(head).map_err(|e| fault(&e))?;
    for game in games(here)? {
        let turns = game.turn.to_string();
        let row = [
            &game.folder,
            &game.id,
            &game.scenario,
            &game.mode,
            &game.british,
            &game.american,
            state(&game),
            &game.result,
            &turns,
            &game.began,
            &game.ended,
        ];
        // A spreadsheet must not take a player's name for a formula.
        let safe = row.map(|cell| {
            let formula =
                cell.trim_start().starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
            format!("{}{}", if formula { "'" } else { "" }, plain(cell))
        });
        table.write_record(&safe).map_err(|e| fault(&e))?;
    }
    let bytes = table.into_inner().map_err(|e| fault(&e))?;
    match out {
        Some(path) => store::write_whole(path, &bytes)?,
        None => print!("{}", String::from_utf8_lossy(&bytes)),
    }
    Ok(Done::Fine)
}

/// `host seat`.
pub(super) fn seat(here: &Path, moved: Option<(Seat, &str)>, format: Format) -> Outcome {
    let folder = Folder::open(here)?;
    let table = game(&folder)?;
    if owner(&table)? != Seat::Host {
        return Err(Error::misuse("this folder is a player's; `countersign host` is for who hosts the game").into());
    }
    let path = folder.path().join("mail.yaml");
    let mut to = if path.exists() {
        Correspondents::read(&path)?
    } else {
        Correspondents { to: BySeat::default(), spectators: Vec::new() }
    };
    if let Some((seat, address)) = moved {
        if seat == Seat::Host {
            return Err(Error::misuse("your own address stands in mail.yaml at home").into());
        }
        let address: Address = address.parse().map_err(Error::misuse)?;
        to.to.set(seat, address);
        folder.write("mail.yaml", to.text().as_bytes())?;
        println!("Written down: letters to the {seat} player go to the new address.");
    }
    let history = &table.history;
    let who = |seat: Seat| -> Result<(String, String)> {
        let terms = history.seat(seat).ok_or_else(|| Error::new("nobody sits there"))?;
        Ok((terms.player.clone(), terms.key.fingerprint()))
    };
    let players = history.terms.players();
    if format == Format::Json {
        let rows: Vec<_> = players.iter().filter_map(|s| Some((s, who(*s).ok()?))).collect();
        let rows = rows.iter().map(
            |(s, (name, key))| json!({ "seat": s.word(), "player": name, "key": key, "mail": to.of(**s).is_ok() }),
        );
        format::print(&json!({ "seats": rows.collect::<Vec<_>>() }));
        return Ok(Done::Fine);
    }
    for seat in players {
        let (name, key) = who(seat)?;
        let mail = to.of(seat).map_or("no address in mail.yaml".to_owned(), ToString::to_string);
        println!("{seat}: {name}, key {key}, {mail}");
    }
    Ok(Done::Fine)
}
