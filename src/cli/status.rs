//! `status`: what came, whose move it is, who owes what since when, and the position.

use std::path::Path;

use serde_json::{Value, json};

use super::duties::{Duty, Owed, duties, instant, unnamed};
use super::play::owner;
use super::{Done, Format, Outcome, format, recover};
use crate::error::Result;
use crate::log::End;
use crate::log::step::{Standing, State, has_answer, other};
use crate::report;
use crate::seal::twelve_words;
use crate::side::Seat;
use crate::store::{Content, Folder, Table};

/// No command: what came, whose move it is, what to do next.
pub(super) fn overview(here: &Path) -> Outcome {
    if !here.join("orders").is_dir() {
        println!("This folder holds no game.");
        println!("  First time here?      countersign key new");
        println!("  Propose a game:       countersign scenario list, then countersign new --help");
        println!("  A proposal came:      countersign accept THE-FILE --player YOUR-NAME --folder NEW-FOLDER");
        println!("  See a whole battle:   countersign demo");
        return Ok(Done::Fine);
    }
    let folder = Folder::open(here)?;
    let waiting = folder.waiting()?;
    if !waiting.is_empty() {
        println!(
            "{} in the folder `in`: run `countersign adjudicate`.",
            count(waiting.len(), "packet waits", "packets wait")
        );
    }
    drop(folder);
    status(here, Format::Text)
}

pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// `status`.
pub(super) fn status(here: &Path, format: Format) -> Outcome {
    let folder = Folder::open(here)?;
    let table = match folder.load()? {
        Content::Game(table) => *table,
        Content::Proposed { .. } => {
            match format {
                Format::Text => println!(
                    "The game is proposed and not accepted by all yet. When the answer comes, save it and run:\n  countersign adjudicate THE-FILE"
                ),
                Format::Json => format::print(&json!({ "begun": false, "packets_waiting": folder.waiting()?.len() })),
            }
            return Ok(Done::Waiting);
        }
    };
    folder.refresh(&table)?;
    let Ok(seat) = owner(&table) else {
        return Ok(recover::spectator(&table, folder.waiting()?.len(), format));
    };
    if format == Format::Json {
        format::print(&object(&folder, &table, seat, folder.waiting()?.len())?);
        return Ok(standing(&table, seat).0);
    }
    let you = if seat == Seat::Host { "the host".to_owned() } else { format!("the {seat} player") };
    println!(
        "{}: you are {you}. Game {}, step {}.",
        table.history.game.title().unwrap_or(&table.history.terms.proposal.scenario),
        table.history.terms.game.short(),
        table.history.step()
    );
    for (name, why) in &table.evidence {
        println!("Not counted: the file `{name}`: {why}");
    }
    print!("{}", recover::standing_words(&folder, &table, seat)?);
    // What is to be done stands last, where the eye is when the lines have run past.
    if let Some(standing) = report::standing(&table.history.game) {
        println!("\n{standing}");
    }
    let done = say_whose_move(&table, seat);
    print!("{}", owed_words(&table, seat));
    Ok(done)
}

/// Whose move it is, in words.
pub(super) fn say_whose_move(table: &Table, seat: Seat) -> Done {
    let (done, words) = standing(table, seat);
    if let Some(offer) = super::offers::standing_words(table) {
        println!("{offer}");
    }
    println!("{words}");
    done
}

const YOURS: &str = "YOUR MOVE. Answer questions:    countersign orders ask\n           or write a file:     countersign orders new   (then edit orders.yaml)\n           and send it:         countersign orders sign";

/// Whether the player has to wait, and the state of the game in words.
fn standing(table: &Table, seat: Seat) -> (Done, String) {
    let history = &table.history;
    if let Some(end) = history.end() {
        let mut words = match end {
            End::Rules => "The game is over; report.txt tells how.".to_owned(),
            End::Conceded(who) => format!("The {who} player has conceded. The game is over."),
            End::Draw => "The game has ended as a draw.".to_owned(),
            End::Forfeited(who) => format!("The {who} player let the time go by and has lost by the terms."),
        };
        if !history.complete() {
            let mine = duties(table).iter().any(|d| d.seat == seat);
            words.push_str(if mine {
                "\nLeft to do: run `countersign adjudicate` and send the packet it writes, so that everything sealed can be checked."
            } else {
                "\nLeft to do: your opponent's last packet is to come, so that everything sealed can be checked."
            });
        }
        return (Done::Fine, words);
    }
    if history.terms.hosted() {
        return hosted(table, seat);
    }
    let standing = history.settle(&table.posts);
    if history.terms.strict() {
        return strict(table, &standing, seat);
    }
    let partner = other(standing.order, seat);
    if standing.seats[&partner].conceded.is_some() {
        return (
            Done::Fine,
            "Your opponent has conceded. Run `countersign adjudicate` to acknowledge it, and send what it writes."
                .into(),
        );
    }
    let (done, words) = match (standing.state(seat), standing.state(partner)) {
        (State::Asked, _) => (Done::Fine, YOURS),
        (State::Bound | State::Doubled, _) => (
            Done::Fine,
            "A packet of yours is due that needs no decision: run `countersign adjudicate` and send what it writes.",
        ),
        (State::Conceded, _) => (
            Done::Waiting,
            "You have conceded; your opponent has not acknowledged it yet. Send your last packet again if it takes long.",
        ),
        (State::Waits | State::Released, State::Asked) => {
            (Done::Waiting, "Waiting for your opponent's orders. Your last packet is in the folder `out`.")
        }
        (State::Waits | State::Released, _) => (
            Done::Waiting,
            "Waiting for your opponent's packet (his program writes it; he decides nothing). Yours is in the folder `out`.",
        ),
    };
    (done, words.to_owned())
}

/// The same in a strict game, where everything goes through the host.
fn strict(table: &Table, standing: &Standing, seat: Seat) -> (Done, String) {
    let waits = unnamed(standing).is_some();
    if seat == Seat::Host {
        let owing: Vec<&str> =
            duties(table).iter().map(|d| d.seat).filter(|s| *s != Seat::Host).map(Seat::word).collect();
        return match (waits, owing.join(" and ")) {
            (true, _) => (Done::Fine, "Files wait to be passed on: run `countersign adjudicate`.".into()),
            (false, owing) => (Done::Waiting, format!("Waiting for the {owing} player.")),
        };
    }
    let (done, words) = match standing.state(seat) {
        State::Asked => (Done::Fine, YOURS),
        State::Bound if !waits => (
            Done::Fine,
            "A packet of yours is due that needs no decision: run `countersign adjudicate` and send what it writes to the host.",
        ),
        _ if waits => (Done::Waiting, "Waiting for the host, who passes your packet on. It is in the folder `out`."),
        _ => (Done::Waiting, "Waiting for your opponent, through the host. Your last packet is in the folder `out`."),
    };
    (done, words.to_owned())
}

fn hosted(table: &Table, seat: Seat) -> (Done, String) {
    let history = &table.history;
    let has_sent = |seat: &Seat| table.posts.iter().any(|p| p.filed.file.seat == *seat && has_answer(&p.filed.file));
    if seat == Seat::Host {
        // Without the host's key: what came is taken to open, until `adjudicate` has tried it and set it aside.
        let choice = history.choose_if(&table.posts, &|post| table.is_lodged(post));
        let missing: Vec<&str> = choice.missing.iter().map(|s| s.word()).collect();
        let from = if missing.is_empty() { "nobody".into() } else { missing.join(", ") };
        let mut words = format!("Orders missing from: {from}.");
        for refusal in &choice.refuse {
            let why = refusal.rule.trim_end_matches('.');
            words.push_str(&format!("\nA file cannot be taken: {why}. Its player has to send another."));
        }
        for seat in &choice.unlodged {
            words.push_str(&format!(
                "\nThe {seat} player's orders came without what opens them: ask him to send his packet again."
            ));
        }
        return (if choice.closes() { Done::Fine } else { Done::Waiting }, words);
    }
    if history.asked().contains(&seat) && !has_sent(&seat) {
        return (Done::Fine, YOURS.to_owned());
    }
    (Done::Waiting, "Waiting for the host.".to_owned())
}

/// Who somebody is to the owner of the folder.
fn who(table: &Table, of: Seat, seat: Seat) -> String {
    let name = table.history.terms.seat(of).map_or("", |s| s.player.as_str());
    let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
    match of {
        of if of == seat => "you".to_owned(),
        Seat::Host => format!("the host ({name})"),
        of => format!("the {of} player ({name})"),
    }
}

/// Who owes what since which file, a line each, and when to send again.
fn owed_words(table: &Table, seat: Seat) -> String {
    let all = duties(table);
    let mut out = String::new();
    for Duty { seat: of, owed, since } in &all {
        let who = who(table, *of, seat);
        let owes = if *of == seat { "owe" } else { "owes" };
        out.push_str(&format!("  {who} {owes} {}", owed.words(&table.history)));
        if let Some(since) = since {
            out.push_str(&format!("\n      since {}", since.words()));
        }
        out.push('\n');
    }
    if !all.is_empty() {
        out.insert_str(0, "Who owes what:\n");
    }
    out.push_str(&super::times::words(table, seat));
    if !all.iter().any(|d| d.seat == seat)
        && !all.is_empty()
        && let Some(days) = silent_days(table, seat)
        && days >= i64::from(table.history.resend_days())
    {
        out.push_str(&format!("  Your last file is {days} days old: send the packet in the folder `out` once more; a repeat does no harm.\n"));
    }
    out
}

/// Whole days since the own newest file of the open step.
fn silent_days(table: &Table, seat: Seat) -> Option<i64> {
    let own = table.posts.iter().map(|p| &p.filed.file).filter(|f| f.seat == seat);
    let newest = own.filter_map(|f| instant(&f.sent)).max()?;
    Some((super::clock() - newest).num_days())
}

/// What `status` tells, as an object.
fn object(folder: &Folder, table: &Table, seat: Seat, waiting: usize) -> Result<Value> {
    let history = &table.history;
    let owes = duties(table);
    let row = |d: &Duty| {
        let since = d.since.as_ref();
        json!({
            "seat": d.seat.word(), "what": d.owed.word(),
            "since": since.map(|s| json!({ "seat": s.seat.word(), "step": s.step, "file": s.n, "sent": s.sent })),
        })
    };
    let end = history.end().map(|end| match end {
        End::Rules => "rules".to_owned(),
        End::Conceded(who) => format!("conceded-{}", who.word()),
        End::Draw => "draw".to_owned(),
        End::Forfeited(who) => format!("forfeited-{}", who.word()),
    });
    let not_counted: Vec<Value> =
        table.evidence.iter().map(|(file, why)| json!({ "file": file, "why": why })).collect();
    let lost: Vec<Value> =
        recover::lost(folder, table, seat)?.iter().map(|l| json!({ "slot": l.slot, "step": l.step })).collect();
    Ok(json!({
        "restored": folder.restored(), "cannot_open": lost,
        "begun": true, "scenario": history.terms.proposal.scenario, "title": history.game.title(),
        "game": history.terms.game.to_string(), "seat": seat.word(), "step": history.step(),
        "turn": history.game.turn(), "due": history.due(), "clock": super::times::object(table),
        "your_move": owes.iter().any(|d| d.seat == seat && matches!(d.owed, Owed::Orders | Owed::React)),
        "owes": owes.iter().map(row).collect::<Vec<_>>(),
        "end": end, "complete": history.complete(), "packets_waiting": waiting, "not_counted": not_counted,
        "head": history.head().to_string(), "words": twelve_words(&history.head()),
    }))
}
