//! Spectators: what everybody may see of a game, after every step. Nothing of the open step goes to them.

use super::super::{Memory, letters};
use crate::error::Result;
use crate::mail::compose::{Kind, Letter};
use crate::mail::outbox::Outbox;
use crate::mail::settings::{Account, Correspondents};
use crate::side::Seat;
use crate::store::Table;

/// Writes to everybody who watches, once for every step that has closed.
pub(super) fn show(
    table: &Table,
    account: &Account,
    to: &Correspondents,
    outbox: &Outbox,
    memory: &mut Memory,
) -> Result<()> {
    let step = table.history.step() + u64::from(table.history.complete());
    if to.spectators.is_empty() || memory.shown == Some(step) || step <= 1 {
        return Ok(());
    }
    let (report, page) = letters::told(table);
    for address in &to.spectators {
        memory.put_one(
            outbox,
            Letter {
                number: 0,
                kind: Kind::News,
                // Each alone: who else watches is nobody's business.
                to: vec![letters::party("", address)],
                next: "You watch this game. The log so far is attached: save it and check it with countersign verify THE-LOG, or look at single dice with countersign audit die --log THE-LOG.".to_owned(),
                report: report.clone(),
                enclosures: page.clone().into_iter().chain([letters::whole_log(table)]).collect(),
                automatic: true,
                ..letters::blank(table, Seat::Host, account)
            },
        )?;
    }
    memory.shown = Some(step);
    Ok(())
}
