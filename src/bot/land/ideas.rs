//! Every order worth a thought as things stand, with what it is worth.

use super::field::{Field, sees, targets};
use super::moves;
use super::worth::{self, Target};
use crate::books::honor::land::{
    Advance, Deed, Fate, Formation, Id, LEADER_MOVES, Leader, Order, State, Unit, UnitType, allowance, waterway_cost,
};
use crate::bot::odds::POINT;
use crate::hex::Hex;
use crate::side::Side;

/// To come onto the board is worth this before anything else is.
const ENTER: i64 = POINT / 5;

/// A column near the enemy has one die and gives him one more (7.5.1): to go into line is worth this.
const LINE: i64 = POINT / 6;

/// So near, in hexes, the enemy has to be for that.
const NEAR: u32 = 3;

/// An order with its worth.
#[derive(Debug, Clone)]
pub(super) struct Idea {
    pub order: Order,
    /// Who carries it out.
    pub who: Id,
    /// Points it should cost.
    pub ap: u8,
    pub value: i64,
    /// The hex it attacks, and how likely the enemy is gone from there afterwards, in parts of [`POINT`].
    pub attacks: Option<(Hex, i64)>,
}

/// All ideas of a side, the best for each action point first.
pub(super) fn all(state: &State, side: Side, field: &Field) -> Vec<Idea> {
    let mut ideas = Vec::new();
    for unit in state.units.iter().filter(|u| u.side == side && u.fate == Fate::Fit && u.deed == Deed::Nothing) {
        of_unit(state, field, unit, &mut ideas);
    }
    for leader in state.leaders.iter().filter(|l| l.side == side && l.fate == Fate::Fit && !l.moved && !l.rallied) {
        of_leader(state, field, leader, &mut ideas);
    }
    ideas.retain(|idea| idea.value > 0);
    ideas.sort_by_key(|idea| std::cmp::Reverse(idea.value / i64::from(idea.ap.max(1))));
    ideas
}

fn of_unit(state: &State, field: &Field, unit: &Unit, ideas: &mut Vec<Idea>) {
    let idea = |order: Order, ap: u8, value: i64, attacks| Idea { order, who: unit.id.clone(), ap, value, attacks };
    if let Some(here) = unit.hex {
        for hex in targets(state, unit.side) {
            attacks(state, field, unit, here, hex, ideas);
        }
        if unit.mp < unit.start && state.leader_in(here, unit.side).is_some() {
            ideas.push(idea(Order::Rally { unit: unit.id.clone() }, 1, worth::step(unit), None));
        }
        let near = targets(state, unit.side).into_iter().any(|hex| hex.distance(here) <= NEAR);
        if unit.formation == Formation::Column && near {
            let order = Order::Form { unit: unit.id.clone(), formation: Formation::Line };
            ideas.push(idea(order, 1, LINE, None));
        }
    }
    marches(state, field, unit, ideas);
}

/// Fire and close combat from where a unit stands.
fn attacks(state: &State, field: &Field, unit: &Unit, here: Hex, at: Hex, ideas: &mut Vec<Idea>) {
    if !sees(state, unit, here, at) {
        return;
    }
    let Some(target) = Target::at(state, at, unit.side.other()) else { return };
    let support = helper(state, unit, here);
    let (who, label) = (unit.id.clone(), state.label(at));
    let ground = field.value(state, unit, at) - field.value(state, unit, here) + prize(state, unit.side, at);
    let go = if ground > 0 { Advance::Go } else { Advance::Stay };
    let cleared = target.cleared_by_fire(state, unit, here);
    let adjacent = here.distance(at) == 1;
    let advance = if adjacent && state.options.fire_advance.on() { go } else { Advance::Stay };
    let order = Order::Fire { unit: who.clone(), at: label.clone(), support: support.clone(), advance };
    let value = target.fire(state, unit, here);
    ideas.push(Idea { order, who: who.clone(), ap: 1, value, attacks: Some((at, cleared)) });
    if adjacent && unit.kind.infantry() && !target.units.is_empty() {
        let (value, vacated) = target.close_combat(state, unit, here);
        let value = value + part(vacated, ground.max(0));
        let repulsed = state.options.charge.on().then(|| label.clone());
        let order = Order::CloseCombat { unit: who.clone(), at: label, advance: go, support, repulsed };
        ideas.push(Idea { order, who, ap: 2, value, attacks: Some((at, vacated)) });
    }
}

/// The leader who adds a die, where that rule is in use (11.8).
fn helper(state: &State, unit: &Unit, here: Hex) -> Option<Id> {
    let leader = state.leader_in(here, unit.side).filter(|l| !l.supported && state.options.leader_dice.on());
    leader.map(|l| l.id.clone())
}

/// Points for entering a hex: a victory point unit of the enemy's, a leader of his alone (7.3, 10.B).
fn prize(state: &State, side: Side, hex: Hex) -> i64 {
    let objective = state.objective_in(hex).filter(|o| o.side != side).map_or(0, |o| i64::from(o.worth) * POINT);
    let alone = state.leader_in(hex, side.other()).filter(|_| !state.held(hex, side.other()));
    objective + alone.map_or(0, |l| worth::leader(l.worth))
}

/// Moves, with and without the leader in the hex, and moves with fire for those who can (6.2.3, 6.2.4).
fn marches(state: &State, field: &Field, unit: &Unit, ideas: &mut Vec<Idea>) {
    let before = unit.hex.map_or(-ENTER, |hex| field.value(state, unit, hex));
    let leader = companion(state, unit);
    let base = allowance(unit);
    let most = base + u8::from(leader.is_some() && !unit.kind.gun() && unit.formation == Formation::Line);
    let before_him = leader.map_or(0, |l| l.hex.map_or(-ENTER, |hex| field.leader(state, l.worth, hex, true)));
    for (end, way) in moves::of_unit(state, unit, most, leader.is_some()) {
        let path: Vec<String> = way.iter().map(|hex| state.label(*hex)).collect();
        let farther = path.len() > usize::from(base);
        let taken: i64 = way.iter().map(|hex| prize(state, unit.side, *hex)).sum();
        let gain = field.value(state, unit, end) - before + taken;
        let ap = 1 + u8::from(farther) + waterway_cost(state, Some(unit), end);
        let mut push = |with: Option<Id>, value: i64| {
            let order = Order::Move { unit: unit.id.clone(), path: path.clone(), with };
            ideas.push(Idea { order, who: unit.id.clone(), ap, value, attacks: None });
        };
        if let Some(leader) = leader {
            push(Some(leader.id.clone()), gain + field.leader(state, leader.worth, end, true) - before_him);
        }
        if farther {
            continue;
        }
        // A leader left behind alone is worth the less.
        let behind = leader.and_then(|l| l.hex.map(|hex| (l, hex))).map_or(0, |(leader, hex)| {
            let company = state.units_in(hex, unit.side).iter().any(|u| u.id != unit.id);
            field.leader(state, leader.worth, hex, company) - before_him
        });
        push(None, gain + behind);
        if matches!(unit.kind, UnitType::Dragoon | UnitType::Indian) {
            with_fire(state, unit, end, &path, gain + behind, ideas);
        }
    }
}

fn with_fire(state: &State, unit: &Unit, end: Hex, path: &[String], gain: i64, ideas: &mut Vec<Idea>) {
    let enemy = unit.side.other();
    let near = |hex: Hex| targets(state, unit.side).into_iter().filter(move |at| at.distance(hex) == 1);
    for at in near(end) {
        let Some(target) = Target::at(state, at, enemy) else { continue };
        let (unit_, at_, path) = (unit.id.clone(), state.label(at), path.to_vec());
        let order =
            Order::MoveAndFire { unit: unit_, path, at: at_, with: None, support: None, advance: Advance::Stay };
        let attacks = Some((at, target.cleared_by_fire(state, unit, end)));
        let value = gain + target.fire(state, unit, end);
        ideas.push(Idea { order, who: unit.id.clone(), ap: 2, value, attacks });
    }
    let Some(here) = unit.hex.filter(|_| unit.kind == UnitType::Indian) else { return };
    for at in near(here) {
        let Some(target) = Target::at(state, at, enemy) else { continue };
        let order = Order::FireAndMove {
            unit: unit.id.clone(),
            at: state.label(at),
            path: path.to_vec(),
            with: None,
            support: None,
        };
        let attacks = Some((at, target.cleared_by_fire(state, unit, here)));
        let value = gain + target.fire(state, unit, here);
        ideas.push(Idea { order, who: unit.id.clone(), ap: 2, value, attacks });
    }
}

/// The leader who can go with a unit: in its hex, or about to come with it (6.2.6).
fn companion<'s>(state: &'s State, unit: &Unit) -> Option<&'s Leader> {
    let fit = |l: &&Leader| l.side == unit.side && l.fate == Fate::Fit && !l.moved && !l.rallied;
    let with = |l: &&Leader| match unit.hex {
        Some(hex) => l.hex == Some(hex) && l.began == Some(hex) && unit.began == Some(hex),
        None => l.hex.is_none() && l.entry == unit.entry,
    };
    state.leaders.iter().filter(fit).find(with)
}

/// A leader by himself: to troops, to a unit he can rally next turn, away from the enemy.
fn of_leader(state: &State, field: &Field, leader: &Leader, ideas: &mut Vec<Idea>) {
    let worth_at = |hex: Hex| {
        let here = state.units_in(hex, leader.side);
        let rally = here.iter().filter(|u| u.mp < u.start && !u.kind.gun()).map(|u| worth::step(u)).max().unwrap_or(0);
        field.leader(state, leader.worth, hex, !here.is_empty()) + rally / 2
    };
    let before = leader.hex.map_or(-ENTER, worth_at);
    for (end, way) in moves::of_leader(state, leader, LEADER_MOVES) {
        let path = way.iter().map(|hex| state.label(*hex)).collect();
        let order = Order::Leader { leader: leader.id.clone(), path };
        let ap = 1 + waterway_cost(state, None, end);
        ideas.push(Idea { order, who: leader.id.clone(), ap, value: worth_at(end) - before, attacks: None });
    }
}

fn part(part: i64, value: i64) -> i64 {
    i64::try_from(i128::from(part) * i128::from(value) / i128::from(POINT)).unwrap_or(0)
}
