//! Reminders: to who owes something when its time comes near, and when it has gone by and nothing worse follows.

use chrono::{DateTime, TimeDelta, Utc};

use super::super::{Memory, letters};
use crate::cli::duties;
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
    /// From when on a player may be declared late.
    late: DateTime<Utc>,
}

fn times(history: &History) -> Option<Times> {
    let due = history.due().and_then(duties::instant).filter(|_| history.end().is_none())?;
    let clock = history.terms.proposal.clock?;
    let _ = clock;
    Some(Times { before: due.checked_sub_signed(TimeDelta::hours(24)), due, late: due })
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
    let nothing_follows = history.terms.proposal.clock.is_some_and(|c| c.late.is_none());
    let name = if now >= times.due {
        Some(after).filter(|_| nothing_follows)
    } else {
        times.before.filter(|at| now >= *at).map(|_| before)
    };
    let Some(name) = name.filter(|name| !memory.reminded.contains(name)) else { return Ok(Vec::new()) };
    memory.reminded.insert(name);
    let owing = duties::duties(table).into_iter().filter(|d| d.seat != Seat::Host);
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
    let due = letters::when_due(history.due().unwrap_or_default());
    let then = match history.terms.proposal.clock.and_then(|c| c.late) {
        None => "By the terms of this game nothing follows but this reminder.".to_owned(),
        Some(Late::DefaultOrders) => format!(
            "If nothing has come by {} UTC, the book's cautious orders stand in the place of yours.",
            times.late.format("%A, %-d %B, %H:%M")
        ),
        Some(Late::Forfeit) => {
            format!(
                "If nothing has come by {} UTC, the game is lost by the terms.",
                times.late.format("%A, %-d %B, %H:%M")
            )
        }
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
