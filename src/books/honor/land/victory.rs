//! Chapter 10: points, and the end of the game at step 5 of a turn.

use super::event::{Ending, Event};
use super::scenario::TimeLimit;
use super::turn::{Land, LandStage};
use crate::cite::Cite;
use crate::play::{Halt, Play, Table};
use crate::side::{Side, Sides};

/// Adds victory points; none are not told.
pub(super) fn score(table: &mut Table<'_, Land>, side: Side, points: u32, rule: &'static str) {
    if points > 0 {
        let total = table.state().armies.get(side).points + points;
        table.tell(Event::Scored { side, points, total, cite: Cite(rule) });
    }
}

/// 5.e, L41: targets are looked at here alone; then the turn limit (10.C).
pub(super) fn turn_end(table: &mut Table<'_, Land>) -> Play<LandStage, Land> {
    let turn = table.state().turn;
    table.tell(Event::TurnEnded { turn });
    let victory = table.state().victory;
    let points = Sides::from_fn(|side| i64::from(table.state().armies.get(side).points));
    let ahead = Sides::from_fn(|side| points.get(side) - i64::from(*victory.target.get(side)));
    if ahead.british >= 0 || ahead.american >= 0 {
        return over(table, Ending::Target, better(ahead));
    }
    if turn >= table.state().turns {
        let winner = match victory.time {
            TimeLimit::British => Some(Side::British),
            TimeLimit::American => Some(Side::American),
            TimeLimit::Draw => None,
            TimeLimit::Points => better(points),
        };
        return over(table, Ending::LastTurn, winner);
    }
    Ok(LandStage::TurnStart {})
}

/// The side with more, or nobody.
fn better(of: Sides<i64>) -> Option<Side> {
    match of.british.cmp(&of.american) {
        std::cmp::Ordering::Greater => Some(Side::British),
        std::cmp::Ordering::Less => Some(Side::American),
        std::cmp::Ordering::Equal => None,
    }
}

fn over(table: &mut Table<'_, Land>, why: Ending, winner: Option<Side>) -> Play<LandStage, Land> {
    let points = Sides::from_fn(|side| table.state().armies.get(side).points);
    table.tell(Event::GameOver { winner, why, points });
    let credited = super::campaign::credited(table.state(), why, winner);
    if let Some(event) = credited {
        table.tell(event);
    }
    Err(Halt::Over)
}
