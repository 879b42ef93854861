//! What each event does to the position, and the rule behind each event.

use super::event::{Attack, Event, Fallback, LeaderLoss, LeaderShift, Loss};
use super::movement::allowance;
use super::orders::Outcome;
use super::pieces::Id;
use super::rulings::FiredOn;
use super::state::{Deed, Fate, State};
use crate::cite::Cite;
use crate::hex::Hex;
use crate::side::Side;

/// Applies one event.
pub(super) fn apply(state: &mut State, event: &Event) {
    match event {
        Event::TurnBegan { turn } => {
            state.turn = *turn;
            if state.rulings.fired_on == FiredOn::GameTurn {
                state.units.iter_mut().for_each(|u| u.fired_on = false);
            }
        }
        Event::ActionPoints { side, total, .. } => begin_half_turn(state, *side, *total),
        Event::Moved { unit, path, with, ap, .. } => {
            activated(state, *ap);
            if let Some(hex) = end_of(state, path) {
                moved(state, unit, hex, path.len());
                if let Some(leader) = with.as_ref().and_then(|id| state.leader_mut(id)) {
                    leader.hex = Some(hex);
                    leader.entry = None;
                    leader.moved = true;
                    leader.escorts = Some(unit.clone());
                }
            }
        }
        Event::Landed { unit, .. } => {
            if let Some(unit) = state.unit_mut(unit) {
                unit.boat = 0;
            }
        }
        Event::LeaderMoved { leader, path, ap, .. } => {
            activated(state, *ap);
            let hex = end_of(state, path);
            if let Some(leader) = state.leader_mut(leader) {
                leader.hex = hex.or(leader.hex);
                leader.entry = None;
                leader.moved = true;
            }
        }
        Event::Formed { unit, formation, ap } => {
            activated(state, *ap);
            if let Some(unit) = state.unit_mut(unit) {
                unit.formation = *formation;
                unit.deed = Deed::Formed;
            }
        }
        Event::Rallied { unit, leader, mp, ap } => {
            activated(state, *ap);
            if let Some(unit) = state.unit_mut(unit) {
                unit.mp = *mp;
                unit.deed = Deed::Rallied;
            }
            if let Some(leader) = state.leader_mut(leader) {
                leader.rallied = true;
            }
        }
        Event::Attacked { unit, by, at, support, ap } => attacked(state, unit, *by, at, support.as_ref(), *ap),
        Event::Steadied { passed, .. } => {
            if !passed {
                state.last.insert(Outcome::Repulsed);
            }
        }
        Event::Rolled { hits, .. } => {
            state.last.insert(if *hits > 0 { Outcome::Hit } else { Outcome::Missed });
        }
        Event::Hit { unit, mp } => {
            if let Some(unit) = state.unit_mut(unit) {
                unit.mp = *mp;
            }
        }
        Event::Eliminated { unit, .. } => {
            let active = state.active;
            if let Some(unit) = state.unit_mut(unit) {
                unit.fate = Fate::Eliminated;
                unit.hex = None;
                unit.mp = 0;
                if unit.side != active {
                    state.last.insert(Outcome::Eliminated);
                }
            }
        }
        Event::LeaderLost { leader, .. } => leader_lost(state, leader),
        Event::LeaderShifted { leader, to, .. } => {
            let hex = state.ground.hex(to).ok();
            if let Some(leader) = state.leader_mut(leader) {
                leader.hex = hex.or(leader.hex);
            }
        }
        Event::FellBack { unit, to, .. } => {
            relocate(state, unit, to);
            state.last.insert(Outcome::Retreated);
        }
        Event::Advanced { unit, to, with, .. } => {
            relocate(state, unit, to);
            let hex = state.ground.hex(to).ok();
            if let Some(leader) = with.as_ref().and_then(|id| state.leader_mut(id)) {
                leader.hex = hex.or(leader.hex);
            }
            state.last.insert(Outcome::Advanced);
        }
        Event::Captured { objective, by } => {
            let side = state.unit(by).map(|u| u.side);
            if let Some(objective) = state.objectives.iter_mut().find(|o| o.id == *objective) {
                objective.taken = side;
                objective.hex = None;
            }
        }
        Event::Scored { side, total, .. } => state.armies.get_mut(*side).points = *total,
        Event::Skipped { .. } => {
            state.last.clear();
            state.target = None;
            state.last.insert(Outcome::Skipped);
        }
        Event::Paused { rest, .. } => state.rest.clone_from(rest),
        Event::HalfTurnEnded { side, .. } => {
            state.ap = 0;
            state.rest.clear();
            state.leaders.iter_mut().filter(|l| l.side == *side).for_each(|l| l.escorts = None);
            if state.rulings.fired_on == FiredOn::SinceOwn {
                state.units.iter_mut().filter(|u| u.side == *side).for_each(|u| u.fired_on = false);
            }
        }
        Event::Checked { .. }
        | Event::StandsWith { .. }
        | Event::Survival { .. }
        | Event::Surplus { .. }
        | Event::LeaderRolled { .. }
        | Event::TurnEnded { .. }
        | Event::GameOver { .. }
        | Event::Credited { .. } => {}
    }
}

/// Clears every once-a-half-turn mark of a side (L22).
fn begin_half_turn(state: &mut State, side: Side, total: u8) {
    state.active = side;
    state.ap = total;
    state.acts = 0;
    state.last.clear();
    state.target = None;
    state.rest.clear();
    for unit in state.units.iter_mut().filter(|u| u.side == side) {
        unit.began = unit.hex;
        unit.deed = Deed::Nothing;
    }
    for leader in state.leaders.iter_mut().filter(|l| l.side == side) {
        leader.began = leader.hex;
        leader.moved = false;
        leader.rallied = false;
        leader.supported = false;
    }
}

fn activated(state: &mut State, ap: u8) {
    state.ap = state.ap.saturating_sub(ap);
    state.acts += 1;
    state.last.clear();
    state.target = None;
}

fn end_of(state: &State, path: &[String]) -> Option<Hex> {
    path.last().and_then(|label| state.ground.hex(label).ok())
}

fn moved(state: &mut State, id: &Id, hex: Hex, steps: usize) {
    let water = state.ground.terrain(hex).water();
    if let Some(unit) = state.unit_mut(id) {
        let waded = water && unit.boat == 0;
        unit.hex = Some(hex);
        unit.entry = None;
        let fired = unit.deed == Deed::Fired;
        let farther = steps > usize::from(allowance(unit));
        unit.deed = match (fired, waded, farther) {
            (true, _, _) => Deed::MovedAndFired,
            (false, true, _) => Deed::Waded,
            (false, false, true) => Deed::MovedFarther,
            (false, false, false) => Deed::Moved,
        };
    }
}

fn attacked(state: &mut State, id: &Id, by: Attack, at: &str, support: Option<&Id>, ap: u8) {
    activated(state, ap);
    let hex = state.ground.hex(at).ok();
    state.target = hex;
    let side = state.active;
    if let Some(unit) = state.unit_mut(id) {
        unit.deed = match (by, unit.deed) {
            (Attack::CloseCombat, _) => Deed::CloseCombat,
            (Attack::Fire, Deed::Moved) => Deed::MovedAndFired,
            (Attack::Fire, _) => Deed::Fired,
        };
    }
    if let Some(leader) = support.and_then(|id| state.leader_mut(id)) {
        leader.supported = true;
    }
    if by == Attack::Fire {
        let target = |u: &&mut super::state::Unit| u.side != side && u.hex.is_some() && u.hex == hex;
        state.units.iter_mut().filter(target).for_each(|u| u.fired_on = true);
    }
}

fn relocate(state: &mut State, id: &Id, to: &str) {
    let hex = state.ground.hex(to).ok();
    if let Some(unit) = state.unit_mut(id) {
        unit.hex = hex.or(unit.hex);
    }
}

fn leader_lost(state: &mut State, id: &Id) {
    let Some(leader) = state.leader_mut(id) else { return };
    leader.fate = Fate::Eliminated;
    leader.hex = None;
    let side = leader.side;
    let army = state.armies.get_mut(side);
    army.leaders_lost = army.leaders_lost.saturating_add(1);
    if side != state.active {
        state.last.insert(Outcome::LeaderLost);
    }
}

impl Event {
    /// The rule behind the event.
    #[must_use]
    pub fn cite(&self) -> Cite {
        Cite(match self {
            Event::TurnBegan { .. } => "FHG-5.f",
            Event::ActionPoints { random: 1, .. } => "FHG-CHART-RAP.a",
            Event::ActionPoints { random: 2, .. } => "FHG-CHART-RAP.b",
            Event::ActionPoints { .. } => "FHG-CHART-RAP.c",
            Event::Moved { .. } => "FHG-7.1",
            Event::Landed { .. } => "NAV-2.3.d",
            Event::LeaderMoved { .. } => "FHG-9.1",
            Event::Formed { .. } => "FHG-7.5",
            Event::Rallied { .. } => "FHG-9.4",
            Event::Attacked { by: Attack::Fire, .. } => "FHG-8.1.1",
            Event::Attacked { by: Attack::CloseCombat, .. } => "FHG-8.3.1",
            Event::Steadied { .. } => "FHG-11.1",
            Event::Checked { .. } => "FHG-8.3.2",
            Event::StandsWith { .. } => "FHG-8.4.4",
            Event::Rolled { .. } => "FHG-8.1.3",
            Event::Hit { .. } | Event::Surplus { .. } => "FHG-8.1.2",
            Event::Survival { .. } => "FHG-3.4.1.p1",
            Event::Eliminated { why, .. } => match why {
                Loss::Hits => "FHG-8.1.2",
                Loss::NoRetreat => "FHG-8.4.2",
                Loss::NoRoom => "L13",
            },
            Event::LeaderRolled { .. } => "FHG-9.3.1",
            Event::LeaderLost { why, .. } => match why {
                LeaderLoss::Struck => "FHG-9.3.1",
                LeaderLoss::Overrun => "FHG-9.3.3",
                LeaderLoss::Trapped => "FHG-8.4.5",
            },
            Event::LeaderShifted { why, .. } => match why {
                LeaderShift::Follows => "FHG-8.3.2.p2",
                LeaderShift::Escapes => "FHG-8.4.5",
                LeaderShift::MakesWay => "L15",
            },
            Event::FellBack { why, .. } => match why {
                Fallback::Retreat => "FHG-8.4.1",
                Fallback::Displaced => "FHG-8.4.3",
                Fallback::Withdrawal => "FHG-11.12",
            },
            Event::Captured { .. } => "FHG-3.4.11",
            Event::Advanced { cite, .. } | Event::Scored { cite, .. } | Event::Skipped { cite, .. } => return *cite,
            Event::Paused { .. } => "FHG-5.1",
            Event::HalfTurnEnded { .. } => "FHG-6.2.8",
            Event::TurnEnded { .. } => "FHG-5.e",
            Event::GameOver { .. } => "FHG-10",
            Event::Credited { .. } => "FHG-12",
        })
    }
}
