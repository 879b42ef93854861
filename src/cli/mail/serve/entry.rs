//! What the index knows of a game, read off its folder.

use std::path::Path;

use super::super::super::duties;
use super::super::letters;
use crate::clock;
use crate::error::{Error, Result};
use crate::index::{Game, Index, Marks, State, hash_of, stamp};
use crate::log::{End, read_proposal};
use crate::mail::settings::Correspondents;
use crate::seal::Digest;
use crate::side::Seat;
use crate::store::{Content, Folder, Table};

/// Enters or renews a game's row. `wake`: when it wants looking at without a mail, if what the clock of the game asks for
/// does not come before.
pub(super) fn note(index: &mut Index, name: &str, folder: &Folder, content: &Content, wake: Option<i64>) -> Result<()> {
    let mut marks = Marks { ids: ids(content), ..Marks::default() };
    if let Ok(to) = Correspondents::read(&folder.path().join("mail.yaml")) {
        let players = [Seat::British, Seat::American];
        marks.addresses = players.iter().filter_map(|s| to.of(*s).ok()).map(|a| hash_of(a.as_str())).collect();
    }
    let mut game = match content {
        Content::Game(table) => running(name, table),
        Content::Proposed { proposal, .. } => {
            let terms = read_proposal(proposal)?;
            Game {
                id: proposal.hash().short(),
                scenario: terms.scenario.clone(),
                mode: mode(terms.mode).to_owned(),
                began: terms.sent.clone(),
                ..blank(name, State::Proposed)
            }
        }
    };
    claim(index, name, folder, content)?;
    game.wake = wake;
    game.stamp = stamp(folder.path());
    index.note(&game, &marks)
}

/// What the files of a game name it by.
fn ids(content: &Content) -> Vec<Digest> {
    match content {
        Content::Game(table) => {
            let proposal = table.history.terms.files.first().map(|(_, signed, _)| signed.hash());
            std::iter::once(table.history.terms.game).chain(proposal).collect()
        }
        Content::Proposed { proposal, .. } => vec![proposal.hash()],
    }
}

/// The mails of a game go into one folder, and one folder alone acts for its host, whatever copies lie beside it: the one
/// that is known, unless this one holds more. So an older copy never takes the place of the game, in whatever order the
/// index is made again.
///
/// # Errors
/// If another folder is this game's.
pub(super) fn claim(index: &Index, name: &str, folder: &Folder, content: &Content) -> Result<()> {
    let held = |path: &Path| std::fs::read_dir(path.join("orders")).map_or(0, Iterator::count);
    for id in ids(content) {
        if let Some(other) = index.folder_of(&id)?.filter(|other| other != name)
            && held(&folder.path().with_file_name(&other)) >= held(folder.path())
        {
            return Err(Error::new(format!("this is the same game as in the folder `{other}`"))
                .next("move one of the two elsewhere"));
        }
    }
    Ok(())
}

fn mode(mode: crate::doc::Mode) -> &'static str {
    match mode {
        crate::doc::Mode::TwoSeats => "two seats",
        crate::doc::Mode::Hosted => "hosted",
        crate::doc::Mode::Strict => "strict",
    }
}

fn blank(name: &str, state: State) -> Game {
    Game {
        folder: name.to_owned(),
        id: String::new(),
        scenario: String::new(),
        mode: String::new(),
        british: String::new(),
        american: String::new(),
        state,
        result: String::new(),
        step: 0,
        turn: 0,
        owes: Vec::new(),
        due: None,
        late: None,
        paused: false,
        began: String::new(),
        ended: String::new(),
        wake: None,
        stamp: 0,
    }
}

/// A folder that cannot be read.
pub(super) fn damaged(name: &str, e: &Error) -> Game {
    blank(name, State::Damaged(e.what.clone()))
}

fn running(name: &str, table: &Table) -> Game {
    let history = &table.history;
    let player = |seat| history.seat(seat).map_or(String::new(), |s| s.player.clone());
    let due = history.due().as_deref().and_then(clock::read);
    let terms = history.terms.proposal.clock.as_ref();
    let late = due.map(|due| terms.map_or(due, |terms| clock::late_after(terms, due)));
    let over = history.complete();
    Game {
        id: history.terms.game.short(),
        scenario: history.game.title().unwrap_or(&history.terms.proposal.scenario).to_owned(),
        mode: mode(history.terms.proposal.mode).to_owned(),
        british: player(Seat::British),
        american: player(Seat::American),
        result: history.end().map_or(String::new(), |end| result(table, end)),
        step: history.step(),
        turn: history.game.turn().map_or(0, u64::from),
        owes: duties::duties(table).into_iter().map(|d| d.seat).collect(),
        due: due.map(|at| at.timestamp()),
        late: late.map(|at| at.timestamp()),
        paused: history.paused().is_some(),
        began: history.terms.proposal.sent.clone(),
        ended: if history.end().is_some() { ended(table) } else { String::new() },
        ..blank(name, if over { State::Over } else { State::Running })
    }
}

/// How a game ended, in a few words.
fn result(table: &Table, end: &End) -> String {
    match end {
        End::Rules => letters::outcome(table),
        End::Conceded(seat) => format!("the {} won, the {seat} player conceded", other_nation(*seat)),
        // The step after the end, in which all is opened, says nothing of it.
        End::Draw => match table.history.closed().iter().rev().map(|c| c.how).find(|how| *how != "audit") {
            Some("late") => "a draw, both were late".to_owned(),
            Some("conceded-twice") => "a draw, both conceded".to_owned(),
            _ => "a draw by agreement".to_owned(),
        },
        End::Forfeited(seat) => format!("the {} won, the {seat} player was late", other_nation(*seat)),
    }
}

fn other_nation(seat: Seat) -> &'static str {
    match seat {
        Seat::British => "Americans",
        Seat::American | Seat::Host => "British",
    }
}

/// When the last file of the host was written, by his clock.
fn ended(table: &Table) -> String {
    let hosts = table.files.iter().filter(|(name, _)| name.contains("-host-"));
    let last = hosts.rev().find_map(|(_, signed)| crate::log::read_host_file(signed).ok());
    last.map_or(String::new(), |file| file.sent)
}
