//! Reminders: to who owes something when its time comes near, and when it has gone by and nothing worse follows.

use chrono::{DateTime, TimeDelta, Utc};

use super::super::{Memory, letters};
use crate::cli::duties;
use crate::clock;
use crate::doc::Late;
use crate::error::Result;
use crate::log::History;
use crate::mail::compose::{Kind, Letter};
use crate::mail::settings::{Account, Correspondents};
use crate::side::Seat;
use crate::store::Table;

/// The times at which something is said or done about the open step, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Times {
    /// When a reminder goes out before it is due; `None` if the terms want none.
    before: Option<DateTime<Utc>>,
    due: DateTime<Utc>,
    /// The last moment at which nobody is late.
    late: DateTime<Utc>,
}

/// None while nothing is due, or the clock stands still.
fn times(history: &History) -> Option<Times> {
    let terms = history.terms.proposal.clock.as_ref()?;
    if history.end().is_some() || history.paused().is_some() {
        return None;
    }
    let due = history.due().as_deref().and_then(clock::read)?;
    Some(Times { before: clock::remind_at(terms, due), due, late: clock::late_after(terms, due) })
}

/// The reminders that are due now; noted in the memory, so that each goes once.
pub(super) fn due(
    table: &Table,
    account: &Account,
    to: &Correspondents,
    memory: &mut Memory,
    now: DateTime<Utc>,
) -> Result<Vec<Letter>> {
    let history = &table.history;
    let Some(times) = times(history) else {
        memory.reminded.clear();
        return Ok(Vec::new());
    };
    let (before, after) = names(history, &times);
    memory.reminded.retain(|name| *name == before || *name == after);
    // Where something follows from being late, that is what is said next.
    let only_reminded = times.before.is_some() && history.terms.late().is_none();
    let name = if now >= times.due {
        Some(after).filter(|_| only_reminded)
    } else {
        times.before.filter(|at| now >= *at).map(|_| before)
    };
    let Some(name) = name.filter(|name| !memory.reminded.contains(name)) else { return Ok(Vec::new()) };
    memory.reminded.insert(name);
    let owing = duties::duties(table).into_iter().filter(|d| d.seat != Seat::Host && to.of(d.seat).is_ok());
    owing.map(|duty| letter(table, duty, account, to, &times, now)).collect()
}

fn names(history: &History, times: &Times) -> (String, String) {
    let of = format!("{} {}", history.step(), times.due.timestamp());
    (format!("before {of}"), format!("after {of}"))
}

/// When the next thing is to be said or done about the time, seconds since 1970.
pub(super) fn next(table: &Table, memory: &Memory, now: DateTime<Utc>) -> Option<i64> {
    let times = times(&table.history)?;
    let (before, after) = names(&table.history, &times);
    let open =
        [(times.before, !memory.reminded.contains(&before)), (Some(times.due), !memory.reminded.contains(&after))];
    let reminders = open.into_iter().filter(|(_, open)| *open).filter_map(|(at, _)| at);
    // A second later: late is who has not done it when the time is over.
    let all = reminders.chain([times.late + TimeDelta::seconds(1)]);
    all.filter(|at| *at > now).map(|at| at.timestamp()).min()
}

fn letter(
    table: &Table,
    duty: duties::Duty,
    account: &Account,
    to: &Correspondents,
    times: &Times,
    now: DateTime<Utc>,
) -> Result<Letter> {
    let history = &table.history;
    let what = duty.owed.words(history);
    let due = letters::when_due(table).unwrap_or_default();
    let last = clock::shown(times.late, history.terms.proposal.clock.as_ref());
    let then = match history.terms.late() {
        None => "By the terms of this game nothing follows but this reminder.".to_owned(),
        Some(Late::DefaultOrders) => {
            format!("If nothing has come by {last}, the book's cautious orders stand in the place of yours.")
        }
        Some(Late::Forfeit) => format!("If nothing has come by {last}, the game is lost by the terms."),
    };
    let open = if now >= times.due { "The time is over" } else { "The time is running out" };
    Ok(Letter {
        number: 0,
        kind: Kind::Reminder,
        to: vec![letters::seated(table, duty.seat, to)?],
        next: format!(
            "{open}: {what}. {due}\n{then}\nIf you have sent it already, the mail may be lost: run countersign mail out --again. If you cannot play for a while, ask for a pause: countersign offer pause."
        ),
        automatic: true,
        ..letters::blank(table, Seat::Host, account)
    })
}
