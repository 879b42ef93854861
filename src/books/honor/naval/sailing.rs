//! 3.2, 3.4 and 5.2 to 5.5: carrying a marker out.

use std::collections::BTreeMap;

use super::event::{Event, HoldReason, LeaveReason};
use super::orders::{Marker, ShipId};
use super::rulings::{SilentEdge, ThirdShip};
use super::scenario::Leaving;
use super::state::{Ship, State};
use super::turn::Naval;
use crate::hex::{Dir, Hex, Turn};
use crate::play::Table;

/// What a marker would do to one ship, before the third-ship test.
enum Course {
    Sail(Hex),
    Swing(Marker),
    Stay(HoldReason),
    Leave(LeaveReason),
}

/// Moves every designated ship, in the decided order of execution. Movement is simultaneous (5.8): the third-ship test
/// looks at where all would end (N07).
pub(super) fn sail(table: &mut Table<'_, Naval>, movers: &[(ShipId, Marker)]) {
    let start = table.now();
    let mut courses: Vec<(ShipId, Course)> = Vec::new();
    for (id, marker) in movers {
        if let Some(ship) = start.ship(id).filter(|s| s.afloat()) {
            courses.push((id.clone(), course(&start, ship, *marker)));
        }
    }
    if start.rulings.third == ThirdShip::EndPositions {
        cancel_third_ships(&start, &mut courses);
    }
    for (id, course) in courses {
        let course = match course {
            Course::Sail(to)
                if start.rulings.third == ThirdShip::Sequential && table.state().in_hex(to).count() >= 2 =>
            {
                Course::Stay(HoldReason::ThirdShip)
            }
            other => other,
        };
        carry_out(table, &id, course);
    }
}

fn course(state: &State, ship: &Ship, marker: Marker) -> Course {
    match marker {
        Marker::Stop => Course::Stay(HoldReason::StopMarker),
        Marker::Right | Marker::Left => Course::Swing(marker),
        Marker::Straight => match straight(state, ship.hex, ship.heading, ship.speed) {
            Ok(hex) => Course::Sail(hex),
            Err(Leaving::Stop) => Course::Stay(HoldReason::Edge),
            Err(Leaving::Lost) => Course::Leave(LeaveReason::Lost),
            Err(Leaving::Escape) => Course::Leave(LeaveReason::Escaped),
        },
    }
}

/// Where a straight marker takes a ship that nobody is in the way of (5.2). Hex by hex (N31).
///
/// # Errors
/// What it means, if a fixed edge is in its way: as the scenario says, and if that is silent, ruling N21.
pub fn straight(state: &State, from: Hex, heading: Dir, speed: u8) -> Result<Hex, Leaving> {
    let mut hex = from;
    for _ in 0..speed.max(1) {
        hex = hex.step(heading);
        if let Some(edge) = state.edge.filter(|e| e.fixed && !state.board.contains(hex)) {
            let silent = match state.rulings.edge {
                SilentEdge::Stop => Leaving::Stop,
                SilentEdge::Lost => Leaving::Lost,
            };
            return Err(edge.leaving.unwrap_or(silent));
        }
    }
    Ok(hex)
}

/// 3.4, 8.2: as long as some hex would end with more than two ships, the last mover into such a hex stays (N07).
fn cancel_third_ships(state: &State, courses: &mut [(ShipId, Course)]) {
    loop {
        let mut ends: BTreeMap<Hex, u8> = BTreeMap::new();
        for ship in state.ships.iter().filter(|s| s.afloat()) {
            let end = courses.iter().find(|(id, _)| *id == ship.id).map_or(Some(ship.hex), |(_, c)| match c {
                Course::Sail(to) => Some(*to),
                Course::Leave(_) => None,
                Course::Swing(_) | Course::Stay(_) => Some(ship.hex),
            });
            if let Some(hex) = end {
                *ends.entry(hex).or_insert(0) += 1;
            }
        }
        let crowded = |c: &Course| matches!(c, Course::Sail(to) if ends.get(to).is_some_and(|n| *n > 2));
        match courses.iter_mut().rev().find(|(_, c)| crowded(c)) {
            Some((_, course)) => *course = Course::Stay(HoldReason::ThirdShip),
            None => return,
        }
    }
}

fn carry_out(table: &mut Table<'_, Naval>, id: &ShipId, course: Course) {
    let Some(ship) = table.state().ship(id) else { return };
    let (from, heading, side, worth) = (table.state().label(ship.hex), ship.heading, ship.side, ship.worth);
    match course {
        Course::Sail(to) => {
            let to = table.state().label(to);
            table.tell(Event::Sailed { ship: id.clone(), from, to });
        }
        Course::Swing(marker) => {
            let turn = if marker == Marker::Right { Turn::Right } else { Turn::Left };
            table.tell(Event::Turned { ship: id.clone(), marker, heading: heading.turned(turn) });
        }
        Course::Stay(why) => table.tell(Event::Held { ship: id.clone(), why }),
        Course::Leave(how) => {
            table.tell(Event::Left { ship: id.clone(), from, how });
            match how {
                LeaveReason::Escaped => super::victory::score(table, side, worth.escaped),
                LeaveReason::Lost => super::victory::score(table, side.other(), worth.sunk),
            }
        }
    }
}

/// What a marker would do to a ship.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Would {
    /// She sails there.
    Sail {
        /// The hex.
        to: String,
    },
    /// She turns.
    Turn {
        /// Her new heading.
        heading: crate::hex::Dir,
    },
    /// She stays.
    Stay {
        /// Why.
        why: HoldReason,
    },
    /// She leaves the board.
    Leave {
        /// Safe or lost.
        how: LeaveReason,
    },
}

/// What a marker would do to a ship if nobody else moved (3.2, 3.4, 5.2 to 5.5), and where that leaves her.
#[must_use]
pub fn would(state: &State, ship: &Ship, marker: Marker) -> (Would, State) {
    let mut courses = vec![(ship.id.clone(), course(state, ship, marker))];
    cancel_third_ships(state, &mut courses);
    let mut next = state.clone();
    let Some((_, course)) = courses.pop() else { return (Would::Stay { why: HoldReason::StopMarker }, next) };
    let would = match course {
        Course::Sail(to) => {
            if let Some(ship) = next.ship_mut(&ship.id) {
                ship.hex = to;
            }
            Would::Sail { to: state.label(to) }
        }
        Course::Swing(marker) => {
            let turn = if marker == Marker::Right { Turn::Right } else { Turn::Left };
            let heading = ship.heading.turned(turn);
            if let Some(ship) = next.ship_mut(&ship.id) {
                ship.heading = heading;
            }
            Would::Turn { heading }
        }
        Course::Stay(why) => Would::Stay { why },
        Course::Leave(how) => Would::Leave { how },
    };
    if let Some(ship) = next.ship_mut(&ship.id) {
        ship.moved = true;
    }
    (would, next)
}
