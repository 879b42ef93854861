//! What a place on the field is worth to a unit: what draws it, what it can hit from there, what can hit it.

use std::collections::BTreeMap;

use super::worth::{self, Target};
use crate::books::honor::land::{Objective, State, Terrain, TimeLimit, Unit, UnitType, barred, blocked, reach};
use crate::bot::odds::POINT;
use crate::hex::{Hex, flood};
use crate::side::Side;

/// What can be hit from a place counts for this much, in hundredths, of what it would bring: the enemy moves first.
const NEXT_TURN: i64 = 50;

/// What the enemy can hit a place with counts for this much, in hundredths, of what it would cost: he has not the points
/// to fire at everybody.
const DANGER: i64 = 45;

/// So many attacks on one place are counted, the worst: nobody spends a whole half-turn on one unit.
const ATTACKS: usize = 3;

/// A goal draws a unit like its worth times this over this plus the distance in hexes: halved at so many hexes.
const HALVED: i64 = 4;

/// Enemy units draw for this much, in hundredths, of their worth: they come by themselves, objectives do not.
const PREY: i64 = 40;

/// A side that wins if nothing more happens goes for the enemy's things this much less, in hundredths.
const CONTENT: i64 = 30;

/// To stand on an objective of one's own keeps it (10.B), in hundredths of its worth.
const HOLD: i64 = 60;

/// So near to an own objective, in hexes, an enemy makes it worth holding.
const NEAR: u32 = 5;

/// Something that draws units: what it is worth, and the steps to it.
struct Goal {
    pull: i64,
    steps: BTreeMap<Hex, u32>,
    /// The same for who comes in a boat (NAV-2.3.d); empty for a side that has none.
    rowed: BTreeMap<Hex, u32>,
}

/// The field as a side sees it when it writes its orders.
pub(super) struct Field {
    side: Side,
    goals: Vec<Goal>,
    /// Own objectives that an enemy is near to.
    kept: BTreeMap<Hex, i64>,
}

impl Field {
    pub(super) fn new(state: &State, side: Side) -> Field {
        let content = content(state, side);
        let ours = |objective: &&Objective| objective.side == side;
        let standing = || state.objectives.iter().filter(|o| o.taken.is_none());
        let mut goals: BTreeMap<Hex, i64> = BTreeMap::new();
        let eager = if content { CONTENT } else { 100 };
        for objective in standing().filter(|o| !ours(o)) {
            let Some(hex) = objective.hex else { continue };
            *goals.entry(hex).or_default() += i64::from(objective.worth) * POINT * eager / 100;
        }
        let mut kept = BTreeMap::new();
        for objective in standing().filter(ours) {
            let Some(hex) = objective.hex else { continue };
            let worth = i64::from(objective.worth) * POINT;
            let threatened = enemies(state, side).any(|(_, at)| at.distance(hex) <= NEAR);
            if threatened {
                kept.insert(hex, worth * HOLD / 100);
                *goals.entry(hex).or_default() += worth / 2;
            }
        }
        for (enemy, at) in enemies(state, side) {
            *goals.entry(at).or_default() += worth::unit(enemy) * PREY / 100 * eager / 100;
        }
        let afloat = state.units.iter().any(|u| u.side == side && u.boat > 0);
        let open = |hex: Hex, boat: bool| state.ground.contains(hex) && barred(&state.ground, hex, boat).is_none();
        let goal = |(hex, pull): (Hex, i64)| {
            let steps = flood([hex], u32::MAX, |_, to| open(to, false));
            let rowed = if afloat { flood([hex], u32::MAX, |_, to| open(to, true)) } else { BTreeMap::new() };
            Goal { pull, steps, rowed }
        };
        Field { side, goals: goals.into_iter().map(goal).collect(), kept }
    }

    /// What a place is worth to a unit, with everybody else where `state` has him.
    pub(super) fn value(&self, state: &State, unit: &Unit, at: Hex) -> i64 {
        self.pull(at, unit.boat > 0) + self.hold(state, unit, at) + self.offence(state, unit, at) * NEXT_TURN / 100
            - self.danger(state, unit, at) * DANGER / 100
    }

    /// The strongest of what draws to a place.
    fn pull(&self, at: Hex, boat: bool) -> i64 {
        let steps = |goal: &Goal| if boat { goal.rowed.get(&at) } else { goal.steps.get(&at) }.copied();
        let draws = |goal: &Goal| steps(goal).map(|n| goal.pull * HALVED / (HALVED + i64::from(n)));
        self.goals.iter().filter_map(draws).max().unwrap_or(0)
    }

    /// An own objective in danger is held by the first who stands on it.
    fn hold(&self, state: &State, unit: &Unit, at: Hex) -> i64 {
        let others = state.units_in(at, self.side).iter().any(|u| u.id != unit.id);
        self.kept.get(&at).copied().filter(|_| !others).unwrap_or(0)
    }

    /// The best that a unit could attack from a place.
    fn offence(&self, state: &State, unit: &Unit, at: Hex) -> i64 {
        if unit.boat > 0 && state.ground.terrain(at).water() {
            return 0; // nobody fights from a boat (NAV-2.3.d)
        }
        let mut best = 0;
        for hex in targets(state, self.side) {
            if sees(state, unit, at, hex)
                && let Some(target) = Target::at(state, hex, self.side.other())
            {
                best = target.fire(state, unit, at).max(best);
                if unit.kind.infantry() && at.distance(hex) == 1 {
                    // Two points are worth two shots.
                    best = (target.close_combat(state, unit, at).0 / 2).max(best);
                }
            }
        }
        best
    }

    /// What the enemy could do to a unit in a place.
    pub(super) fn danger(&self, state: &State, unit: &Unit, at: Hex) -> i64 {
        // Nobody fights from a boat (NAV-2.3.d).
        let sees_it = |(enemy, from): &(&Unit, Hex)| enemy.boat == 0 && sees(state, enemy, *from, at);
        let harm = |(enemy, from): (&Unit, Hex)| worth::threat(state, enemy, from, unit, at);
        let mut all: Vec<i64> = enemies(state, self.side).filter(sees_it).map(harm).collect();
        all.sort_unstable_by_key(|harm| std::cmp::Reverse(*harm));
        all.iter().take(ATTACKS).sum()
    }

    /// What a place is worth to a leader: with troops he is safe enough, alone near the enemy he is lost (7.3).
    pub(super) fn leader(&self, state: &State, worth: u32, at: Hex, company: bool) -> i64 {
        let value = worth::leader(worth);
        let nearest = enemies(state, self.side).map(|(_, from)| from.distance(at)).min().unwrap_or(u32::MAX);
        let risk = match (company, nearest) {
            (true, 0..=1) => value / 12,
            (true, 2) => value / 24,
            (true, _) => 0,
            (false, 0..=3) => value / 2,
            (false, 4..=5) => value / 8,
            (false, _) => value / 24,
        };
        self.pull(at, state.ground.terrain(at) == Terrain::Deep) / 4 - risk
    }
}

/// Whether a side wins if nothing more happens (10.C).
fn content(state: &State, side: Side) -> bool {
    let points = |s: Side| state.armies.get(s).points;
    match state.victory.time {
        TimeLimit::British => side == Side::British,
        TimeLimit::American => side == Side::American,
        TimeLimit::Draw => false,
        TimeLimit::Points => points(side) > points(side.other()),
    }
}

/// The enemy's units on the board, and where.
pub(super) fn enemies(state: &State, side: Side) -> impl Iterator<Item = (&Unit, Hex)> {
    let on_board = state.units.iter().filter(move |u| u.side != side && u.on_board());
    on_board.filter_map(|u| u.hex.map(|hex| (u, hex)))
}

/// Hexes with something of the enemy's to attack.
pub(super) fn targets(state: &State, side: Side) -> Vec<Hex> {
    let leaders = state.leaders.iter().filter(|l| l.side != side && l.on_board()).filter_map(|l| l.hex);
    let mut hexes: Vec<Hex> = enemies(state, side).map(|(_, hex)| hex).chain(leaders).collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes
}

/// Whether a unit in one hex could fire at another (8.1.1, 8.2).
pub(super) fn sees(state: &State, unit: &Unit, from: Hex, at: Hex) -> bool {
    let range = from.distance(at);
    range > 0
        && range <= reach(state, unit, from)
        && (range == 1 || unit.kind == UnitType::Rocket || blocked(state, from, at).is_none())
}
