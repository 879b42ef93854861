//! 4.1, end of a turn: victory.

use super::event::{Ending, Event};
use super::turn::{Naval, Stage};
use crate::play::{Halt, Play, Table};
use crate::side::{Side, Sides};

/// Adds victory points; none are not told.
pub(super) fn score(table: &mut Table<'_, Naval>, side: Side, points: u32) {
    if points > 0 {
        let total = table.state().fleets.get(side).points + points;
        table.tell(Event::Scored { side, points, total });
    }
}

/// The end of a turn: the scenario's targets, a side without ships, the last turn.
pub(super) fn turn_end(table: &mut Table<'_, Naval>) -> Play<Stage, Naval> {
    let turn = table.state().turn;
    table.tell(Event::TurnEnded { turn });
    let target = table.state().victory.target;
    let surplus = |points: &Sides<u32>| Sides::from_fn(|s| i64::from(*points.get(s)) - i64::from(*target.get(s)));
    let ahead = surplus(&points(table));
    if ahead.british >= 0 || ahead.american >= 0 {
        return over(table, Ending::Target, better(ahead));
    }
    if Side::ALL.iter().any(|side| table.state().afloat(*side).next().is_none()) {
        let points = points(table);
        return over(table, Ending::NoShips, better(Sides::from_fn(|s| i64::from(*points.get(s)))));
    }
    if turn >= table.state().turns {
        let at_end = table.state().victory.at_end;
        for side in Side::ALL {
            score(table, side, *at_end.get(side));
        }
        let points = points(table);
        return over(table, Ending::LastTurn, better(Sides::from_fn(|s| i64::from(*points.get(s)))));
    }
    Ok(Stage::Weather {})
}

fn points(table: &Table<'_, Naval>) -> Sides<u32> {
    Sides::from_fn(|side| table.state().fleets.get(side).points)
}

/// The side with more, or nobody.
fn better(of: Sides<i64>) -> Option<Side> {
    match of.british.cmp(&of.american) {
        std::cmp::Ordering::Greater => Some(Side::British),
        std::cmp::Ordering::Less => Some(Side::American),
        std::cmp::Ordering::Equal => None,
    }
}

fn over(table: &mut Table<'_, Naval>, why: Ending, winner: Option<Side>) -> Play<Stage, Naval> {
    let points = points(table);
    table.tell(Event::GameOver { winner, why, points });
    Err(Halt::Over)
}
