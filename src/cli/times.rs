//! What `status` says of time: the clock a host keeps, or between two the dates each side claims.

use serde_json::{Value, json};

use super::duties::{Since, date, instant, opened_by};
use crate::clock;
use crate::doc::{Clock, Late};
use crate::log::step::other;
use crate::log::{History, read_step};
use crate::side::Seat;
use crate::store::Table;

/// The lines about time, none where nothing is due.
pub(super) fn words(table: &Table, seat: Seat) -> String {
    let history = &table.history;
    if history.end().is_some() {
        return String::new();
    }
    match (&history.terms.proposal.clock, history.terms.seat(Seat::Host)) {
        (Some(terms), None) => claims(table, terms, seat),
        _ => kept(history),
    }
}

/// When the open step is due by the host's clock.
fn kept(history: &History) -> String {
    let terms = history.terms.proposal.clock.as_ref();
    let now = super::clock();
    let shown = |text: &str| clock::read(text).map(|at| (at, clock::shown(at, terms)));
    let mut out = rested(history);
    if let Some((n, why)) = history.false_notice() {
        out.push_str(&format!(
            "  FILE {n} OF THE HOST IS AGAINST THE TERMS: {why}. No step closes with it; ask him.\n"
        ));
    }
    let due = history.due().as_deref().and_then(shown);
    if let Some((since, words)) = history.paused().as_deref().and_then(shown) {
        let was = due.map_or(String::new(), |(_, due)| {
            format!(" The step was due by {due}; the time that was left then is left when it runs again.")
        });
        out.push_str(&format!(
            "  THE CLOCK STANDS STILL by the host's word since {words} ({}): nobody is late.{was}\n",
            clock::away(since, now)
        ));
        return out;
    }
    let Some((due, words)) = due else { return out };
    let then = match history.terms.late() {
        None => "nothing but a reminder",
        Some(Late::DefaultOrders) => "cautious orders by the book in the place of orders that have not come",
        Some(Late::Forfeit) => "the game is lost",
    };
    let then = if terms.is_some_and(|c| c.late.is_none() && c.remind_hours.is_none()) { "nothing" } else { then };
    out.push_str(&format!(
        "  This step is due by {words} by the host's clock ({}); after that: {then}.\n",
        clock::away(due, now)
    ));
    if let Some(terms) = terms.filter(|c| c.grace_hours.is_some() && c.late.is_some()) {
        let last = clock::late_after(terms, due);
        let hours = terms.grace_hours.unwrap_or(0);
        out.push_str(&format!(
            "  With {hours} hours of grace nobody is late before {} ({}).\n",
            clock::shown(last, Some(terms)),
            clock::away(last, now)
        ));
    }
    out
}

/// What the players have agreed to rest, while it lasts.
fn rested(history: &History) -> String {
    let now = super::clock();
    match history.rest().as_deref().and_then(clock::read).filter(|until| *until > now) {
        Some(until) => {
            let words = clock::shown(until, history.terms.proposal.clock.as_ref());
            format!("  You have agreed on a pause until {words} ({}).\n", clock::away(until, now))
        }
        None => String::new(),
    }
}

/// Between two: since when the step is open, by whose dates, and what would follow if somebody kept the clock.
fn claims(table: &Table, terms: &Clock, seat: Seat) -> String {
    let history = &table.history;
    let partner = other(history.terms.players(), seat);
    let newest = |of: Seat| {
        let files = table.files.values().filter_map(|signed| read_step(signed).ok()).filter(|f| f.seat == of);
        files.max_by_key(|f| (f.step, f.n)).map(|f| Since { seat: of, step: f.step, n: f.n, sent: f.sent })
    };
    let last = |of: Seat| {
        newest(of).map_or("none yet".to_owned(), |since| {
            format!("{} (file {}, step {})", date(&since.sent), since.n, since.step)
        })
    };
    let mut out = String::from(
        "Time, as each of you claims it (nobody can check a date, and nothing follows from it but a word: only a host decides):\n",
    );
    out.push_str(&format!("  your last file:       {}\n  your opponent's last: {}\n", last(seat), last(partner)));
    out.push_str(&rested(history));
    let Some(since) = opened_by(table) else { return out };
    out.push_str(&format!("  this step is open since {}\n", since.words()));
    let rest = history.rest().as_deref().and_then(clock::read);
    let opened = instant(&since.sent).map(|at| rest.map_or(at, |rest| rest.max(at)));
    if let Some(Ok(due)) = opened.map(|at| clock::due_after(terms, at)) {
        let days = super::status::count(usize::try_from(terms.days).unwrap_or(usize::MAX), "day", "days");
        out.push_str(&format!(
            "  with the {days} of the terms it would be due by {} ({})\n",
            clock::shown(due, Some(terms)),
            clock::away(due, super::clock())
        ));
    }
    out.push_str("  What you can do: write to him; offer a pause or a draw (`countersign offer --help`); concede; play your next game with a host.\n");
    out
}

/// The same as an object; `null` where the terms have no clock.
pub(super) fn object(table: &Table) -> Value {
    let history = &table.history;
    let Some(terms) = &history.terms.proposal.clock else { return Value::Null };
    let due = history.due().as_deref().and_then(clock::read);
    let at = |at: Option<chrono::DateTime<chrono::Utc>>| at.map(clock::write);
    json!({
        "days": terms.days, "zone": terms.zone, "at": terms.at, "grace_hours": terms.grace_hours,
        "due": history.due(), "remind_at": at(due.and_then(|due| clock::remind_at(terms, due))),
        "late_after": at(due.map(|due| clock::late_after(terms, due))),
        "paused_since": history.paused(), "rest_until": history.rest(),
    })
}
