//! Who owes what, and since which file (`schemas/protocol.md`, "Life of a step").

use chrono::{DateTime, Utc};

use super::play::owner;
use crate::doc::Offer;
use crate::log::step::{Filed, Standing, State, has_answer, other};
use crate::log::{History, all_files, read_acceptance, read_host_file, read_proposal, read_step};
use crate::play::Want;
use crate::side::Seat;
use crate::store::Table;

/// What a seat can owe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owed {
    /// Orders: a decision.
    Orders,
    /// An answer to a REACT: a decision.
    React,
    /// His secret number for the dice, and what is to be opened with it; his program writes it.
    Link,
    /// What unlocks sealed orders that are due; his program writes it.
    Openings,
    /// A file that says which of two versions of the other's orders counts; his program writes it.
    Naming,
    /// The answer to a concession or to a file against the rules; his program writes it.
    Acknowledgement,
    /// After the battle: what unlocks everything still sealed; his program writes it.
    LastOpenings,
    /// The host closes the step.
    Close,
    /// The host passes a player's file on.
    Relay,
}

/// A file that something is owed since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Since {
    /// Whose file.
    pub(super) seat: Seat,
    /// Its step; 0 for proposal and acceptance.
    pub(super) step: u64,
    /// Its number among its sender's in the step.
    pub(super) n: u32,
    /// When, as its sender claims.
    pub(super) sent: String,
}

/// One thing owed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Duty {
    /// Who owes it.
    pub(super) seat: Seat,
    /// What.
    pub(super) owed: Owed,
    /// Since which file.
    pub(super) since: Option<Since>,
}

impl Owed {
    /// The word in `--format json`.
    pub(super) fn word(self) -> &'static str {
        match self {
            Owed::Orders => "orders",
            Owed::React => "react",
            Owed::Link => "link",
            Owed::Openings => "openings",
            Owed::Naming => "naming",
            Owed::Acknowledgement => "acknowledgement",
            Owed::LastOpenings => "last-openings",
            Owed::Close => "close",
            Owed::Relay => "relay",
        }
    }

    /// In plain words.
    pub(super) fn words(self, history: &History) -> String {
        let turn = history.game.turn().unwrap_or(0);
        let step = history.game.naval().map_or(0, |n| n.played.state().step);
        match self {
            Owed::Orders => format!("the orders for turn {turn}"),
            Owed::React if history.game.land().is_some() => format!("the answer turn {turn} waits for"),
            Owed::React => format!("the answer to the REACT at marker {step} of turn {turn}"),
            Owed::Link => "the packet with the secret number for the dice (no decision; `countersign adjudicate` writes it)".into(),
            Owed::Openings => "the packet that unlocks sealed orders (no decision; `countersign adjudicate` writes it)".into(),
            Owed::Naming => "a packet that says which orders count (no decision; `countersign adjudicate` writes it)".into(),
            Owed::Acknowledgement => "the packet that ends the step after a concession or orders against the rules (no decision; `countersign adjudicate` writes it)".into(),
            Owed::LastOpenings => "the last packet, which unlocks all that is still sealed (no decision; `countersign adjudicate` writes it)".into(),
            Owed::Close => "the result of the step (`countersign adjudicate` writes it)".into(),
            Owed::Relay => "the packet that passes files on to both players (`countersign adjudicate` writes it)".into(),
        }
    }
}

impl Since {
    fn of(filed: &Filed) -> Since {
        let file = &filed.file;
        Since { seat: file.seat, step: file.step, n: file.n, sent: file.sent.clone() }
    }

    /// In plain words, with the date its sender claims.
    pub(super) fn words(&self) -> String {
        let file = match self.step {
            0 => format!("the terms signed by the {} player", self.seat),
            step if self.seat == Seat::Host => format!("file {} of the host in step {step}", self.n),
            step => format!("file {} of the {} player in step {step}", self.n, self.seat),
        };
        format!("{file} (sent {})", date(&self.sent))
    }
}

/// A claimed date for people; the sender may have written anything there.
pub(super) fn date(sent: &str) -> String {
    match instant(sent) {
        Some(at) => at.format("%-d %B %Y, %H:%M UTC, by its sender's clock").to_string(),
        None => "on a date that cannot be read".to_owned(),
    }
}

/// A claimed date as an instant.
pub(super) fn instant(sent: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(sent).ok().map(|at| at.with_timezone(&Utc))
}

/// Everything owed in the open step, in terms order. In a hosted game a player's folder does not hold the other's
/// orders, so it tells of the own seat and the host alone.
pub(super) fn duties(table: &Table) -> Vec<Duty> {
    let history = &table.history;
    if history.complete() {
        return Vec::new();
    }
    let opened = opened_by(table);
    if history.end().is_some() {
        let sent = |seat: Seat| table.posts.iter().any(|p| p.filed.file.seat == seat && !p.filed.file.opens.is_empty());
        let owes = |seat: &Seat| history.unopened().values().any(|o| o.seat == *seat) && !sent(*seat);
        let seats: Vec<Seat> = history.terms.players().into_iter().filter(owes).collect();
        if seats.is_empty() && history.terms.seat(Seat::Host).is_some() {
            return vec![Duty { seat: Seat::Host, owed: Owed::Close, since: opened }];
        }
        return seats.into_iter().map(|seat| Duty { seat, owed: Owed::LastOpenings, since: opened.clone() }).collect();
    }
    if history.terms.hosted() {
        return hosted(table, opened.as_ref());
    }
    let standing = history.settle(&table.posts);
    if let Some(since) = unnamed(&standing) {
        return vec![Duty { seat: Seat::Host, owed: Owed::Relay, since: Some(since) }];
    }
    standing.order.into_iter().filter_map(|seat| between_two(history, &standing, seat, opened.as_ref())).collect()
}

/// The newest file that the host of a strict game has not passed on, as far as this folder knows.
pub(super) fn unnamed(standing: &Standing) -> Option<Since> {
    let host = standing.host.as_ref()?;
    let last = host.chain.len().checked_sub(1);
    let waiting =
        standing.seats.iter().filter(|(seat, view)| view.chain.len() > last.map_or(0, |at| host.pins(at, **seat)));
    waiting.filter_map(|(_, view)| view.newest()).map(Since::of).max_by(|a, b| a.sent.cmp(&b.sent))
}

/// What one of two seats owes.
fn between_two(history: &History, standing: &Standing, seat: Seat, opened: Option<&Since>) -> Option<Duty> {
    let partner = other(standing.order, seat);
    let (mine, theirs) = (&standing.seats[&seat], &standing.seats[&partner]);
    let duty = |owed, since: Option<&Filed>| {
        let since = since.map(Since::of).or_else(|| opened.cloned());
        Some(Duty { seat, owed, since })
    };
    if let Some(concession) = theirs.conceded.and_then(|at| theirs.chain.get(at)) {
        return if mine.conceded.is_none() { duty(Owed::Acknowledgement, Some(concession)) } else { None };
    }
    if let Some((bad, _)) = standing.refusable(partner)
        && standing.state(seat) != State::Released
    {
        return duty(Owed::Acknowledgement, Some(bad));
    }
    let answer = standing.answer_file(partner).or_else(|| theirs.chain.iter().rev().find(|f| has_answer(&f.file)));
    match standing.state(seat) {
        State::Asked => duty(asked(history, seat), answer),
        State::Bound => duty(Owed::Link, answer.or(mine.newest())),
        State::Doubled => duty(Owed::Naming, answer),
        State::Released => {
            let story = history.preview(standing, &all_files(standing));
            let due = |w: &Want| matches!(w, Want::Open { side, .. } if Seat::from(*side) == seat);
            let link = theirs.linked.and_then(|at| theirs.chain.get(at));
            if story.wants.iter().any(due) { duty(Owed::Openings, link.or(answer)) } else { None }
        }
        State::Waits | State::Conceded => None,
    }
}

fn hosted(table: &Table, opened: Option<&Since>) -> Vec<Duty> {
    let history = &table.history;
    let own = owner(table).ok();
    let newest = |seat: Seat| {
        // Offers stand beside the orders, not in their place.
        let orders = |f: &&Filed| f.file.seat == seat && (has_answer(&f.file) || f.file.offer == Some(Offer::Concede));
        let files = table.posts.iter().map(|p| &p.filed).filter(orders);
        files.max_by_key(|f| f.file.n).map(Since::of)
    };
    let seen = |seat: &Seat| own == Some(Seat::Host) || own == Some(*seat);
    let missing: Vec<Duty> = history
        .asked()
        .into_iter()
        .filter(|seat| seen(seat) && newest(*seat).is_none())
        .map(|seat| Duty { seat, owed: asked(history, seat), since: opened.cloned() })
        .collect();
    if !missing.is_empty() {
        return missing;
    }
    let last = history.asked().into_iter().filter_map(newest).max_by(|a, b| a.sent.cmp(&b.sent));
    vec![Duty { seat: Seat::Host, owed: Owed::Close, since: last.or_else(|| opened.cloned()) }]
}

fn asked(history: &History, seat: Seat) -> Owed {
    // A single question in the midst of a turn: every open decision but a land player's list of orders.
    let react =
        |w: &&Want| matches!(w, Want::Decide { side, kind, .. } if Seat::from(*side) == seat && *kind != "orders");
    if history.wants().iter().any(|w| react(&w)) { Owed::React } else { Owed::Orders }
}

/// The file that opened this step: of those of the step before, the one with the latest claimed date.
pub(super) fn opened_by(table: &Table) -> Option<Since> {
    let before = table.history.step().checked_sub(1)?;
    let read = |signed: &crate::doc::SignedFile| -> Option<Since> {
        if let Ok(file) = read_step(signed) {
            return Some(Since { seat: file.seat, step: file.step, n: file.n, sent: file.sent });
        }
        if let Ok(file) = read_host_file(signed) {
            return Some(Since { seat: Seat::Host, step: file.step, n: file.n, sent: file.sent });
        }
        let terms = read_acceptance(signed).map(|a| (a.seat, a.sent));
        let (seat, sent) = terms.or_else(|_| read_proposal(signed).map(|p| (p.seat, p.sent))).ok()?;
        Some(Since { seat, step: 0, n: 0, sent })
    };
    table.files.values().filter_map(read).filter(|s| s.step == before).max_by_key(|s| (instant(&s.sent), s.n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claimed_date_is_shown_as_a_date_or_not_at_all() {
        assert_eq!(date("2026-05-02T14:03:59Z"), "2 May 2026, 14:03 UTC, by its sender's clock");
        assert_eq!(date("2026-05-02T14:03:59+02:00"), "2 May 2026, 12:03 UTC, by its sender's clock");
        for odd in ["", "yesterday", "\u{1b}[2J"] {
            assert_eq!(date(odd), "on a date that cannot be read");
        }
    }
}
