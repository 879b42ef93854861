//! What each event does to the position, and the rule behind each event.

use super::event::{Event, LeaveReason, Shift};
use super::state::{BoardingUsed, Fate, State};
use crate::cite::Cite;
use crate::side::{Side, Sides};

/// Applies one event.
pub(super) fn apply(state: &mut State, event: &Event) {
    match event {
        Event::TurnBegan { turn } => begin_turn(state, *turn),
        Event::Wind { wind, .. } => state.wind = *wind,
        Event::Gauge { has, chooser, .. } => {
            state.gauge = *has;
            state.chooser = *chooser;
        }
        Event::Allotted { side, markers, .. } => {
            let fleet = state.fleets.get_mut(*side);
            fleet.markers = *markers;
            fleet.transfer = false;
        }
        Event::Plotted { react } => {
            for (side, steps) in react.iter() {
                state.fleets.get_mut(side).react.clone_from(steps);
            }
        }
        Event::PlotStopped { side, step, .. } => state.fleets.get_mut(*side).stopped_from = Some(*step),
        Event::Revealed { step, markers } => {
            state.step = *step;
            for (side, marker) in markers.iter() {
                let fleet = state.fleets.get_mut(side);
                fleet.played.extend(*marker);
                fleet.designated = None;
            }
        }
        Event::Designated { side, with, ships } => {
            let led = !matches!(with, super::orders::Designation::Ship { .. });
            state.fleets.get_mut(*side).designated = Some((led, ships.clone()));
        }
        Event::Sailed { ship, to, .. } => {
            let hex = state.board.read(to);
            if let (Some(ship), Ok(hex)) = (state.ship_mut(ship), hex) {
                ship.hex = hex;
                ship.moved = true;
            }
        }
        Event::Turned { ship, heading, .. } => {
            if let Some(ship) = state.ship_mut(ship) {
                ship.heading = *heading;
                ship.moved = true;
            }
        }
        Event::Held { ship, .. } => {
            if let Some(ship) = state.ship_mut(ship) {
                ship.moved = true;
            }
        }
        Event::Left { ship, how, .. } => {
            if let Some(ship) = state.ship_mut(ship) {
                ship.moved = true;
                ship.fate = match how {
                    LeaveReason::Escaped => Fate::Escaped,
                    LeaveReason::Lost => Fate::Lost,
                };
            }
        }
        Event::Declared { ship, broadside, .. } => {
            if let Some(ship) = state.ship_mut(ship) {
                ship.fired.push(*broadside);
            }
        }
        Event::Damaged { ship, left, .. } => {
            if let Some(ship) = state.ship_mut(ship) {
                ship.damage = *left;
            }
        }
        Event::HalfDamaged { ship } => {
            if let Some(ship) = state.ship_mut(ship) {
                ship.half = true;
            }
        }
        Event::Sunk { ship } => {
            if let Some(ship) = state.ship_mut(ship) {
                ship.half = true;
                ship.fate = Fate::Sunk;
            }
        }
        Event::Wished { ships, wishes, .. } => {
            let hex = state.ship(&ships.british).map(|s| s.hex);
            if let (Some(hex), true) = (hex, wishes.british || wishes.american) {
                state.boardings.push(BoardingUsed { hex, ships: ships.clone() });
            }
        }
        Event::Melee { side, enemy_left, intrinsic, ships, .. } => {
            // Dice of the boarders wear the defenders down and the other way round.
            let target = ships.get(side.other());
            if let (Some(ship), false) = (state.ship_mut(target), *intrinsic) {
                ship.marines = *enemy_left;
            }
        }
        Event::Captured { ship, .. } => {
            if let Some(ship) = state.ship_mut(ship) {
                ship.marines = 0;
                ship.fate = Fate::Captured;
            }
        }
        Event::CommandLost { side, ship } => {
            let half = state.ship(ship).is_some_and(|s| s.half);
            let fleet = state.fleets.get_mut(*side);
            fleet.command = None;
            fleet.command_lost = true;
            fleet.transfer = true;
            fleet.old_half = fleet.old_half.saturating_add(u8::from(half));
        }
        Event::CommandPassed { side, ship } => state.fleets.get_mut(*side).command = Some(ship.clone()),
        Event::Scored { side, total, .. } => state.fleets.get_mut(*side).points = *total,
        Event::OrdersVoid { .. }
        | Event::MovesFirst { .. }
        | Event::DeclaresFirst { .. }
        | Event::Fired { .. }
        | Event::Contest { .. }
        | Event::Attempt { .. }
        | Event::BoardsAtOnce { .. }
        | Event::BrokeOff { .. }
        | Event::BoardersLost { .. }
        | Event::TurnEnded { .. }
        | Event::GameOver { .. } => {}
    }
}

/// Clears every once-a-turn mark.
fn begin_turn(state: &mut State, turn: u32) {
    state.turn = turn;
    state.step = 0;
    state.boardings.clear();
    for side in Side::ALL {
        let fleet = state.fleets.get_mut(side);
        fleet.command_lost = false;
        fleet.react.clear();
        fleet.stopped_from = None;
        fleet.played.clear();
        fleet.designated = None;
    }
    for ship in &mut state.ships {
        ship.fired.clear();
        ship.moved = false;
    }
}

impl Event {
    /// The rule behind the event.
    #[must_use]
    pub fn cite(&self) -> Cite {
        Cite(match self {
            Event::TurnBegan { .. } => "NAV-4.1.a",
            Event::Wind { shift: Shift::Right, .. } => "NAV-CHART-WIND.a",
            Event::Wind { shift: Shift::None, .. } => "NAV-CHART-WIND.b",
            Event::Wind { shift: Shift::Left, .. } => "NAV-CHART-WIND.c",
            Event::Gauge { .. } => "NAV-3.1.1",
            Event::Allotted { .. } => "NAV-5.6",
            Event::Plotted { .. } => "NAV-4.1.b",
            Event::PlotStopped { cite, .. } | Event::DeclaresFirst { cite, .. } => return *cite,
            Event::OrdersVoid { .. } => "N41",
            Event::Revealed { .. } => "NAV-5.8",
            Event::MovesFirst { .. } => "NAV-9.6",
            Event::Designated { .. } => "NAV-9.3",
            Event::Sailed { .. } => "NAV-5.2",
            Event::Turned { marker: super::orders::Marker::Left, .. } => "NAV-5.4",
            Event::Turned { .. } => "NAV-5.3",
            Event::Held { why, .. } => match why {
                super::event::HoldReason::StopMarker => "NAV-5.5",
                super::event::HoldReason::ThirdShip => "NAV-3.4.p2",
                super::event::HoldReason::Edge => "NAV-1.1",
            },
            Event::Left { .. } => "NAV-1.1",
            Event::Declared { .. } => "NAV-9.7",
            Event::Fired { .. } => "NAV-6.4",
            Event::Damaged { .. } => "NAV-6.5",
            Event::HalfDamaged { .. } => "NAV-6.6",
            Event::Sunk { .. } => "NAV-6.7",
            Event::Wished { .. } => "NAV-8.3",
            Event::Contest { .. } => "NAV-8.5",
            Event::Attempt { .. } => "NAV-8.4",
            Event::BoardsAtOnce { .. } => "N13",
            Event::Melee { .. } => "NAV-8.6",
            Event::BrokeOff { .. } => "NAV-8.6.p2",
            Event::BoardersLost { .. } => "NAV-8.6.3",
            Event::Captured { .. } => "NAV-8.6.2",
            Event::CommandLost { .. } | Event::CommandPassed { .. } => "NAV-9.5",
            Event::Scored { .. } | Event::TurnEnded { .. } => "NAV-4.1.f",
            Event::GameOver { .. } => "NAV-4.1.g",
        })
    }
}

/// Sides from a pair of values in terms of attacker and defender.
pub(super) fn by_side<T>(side: Side, own: T, other: T) -> Sides<T> {
    match side {
        Side::British => Sides { british: own, american: other },
        Side::American => Sides { british: other, american: own },
    }
}
