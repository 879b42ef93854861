//! Random legal orders and random starting positions, for tests, soak and benches. Randomness is passed in.

use std::collections::BTreeMap;

use super::actions::{after, assume, judge};
use super::ground::{HomeEdge, MapDoc};
use super::options::Options;
use super::orders::{
    Advance, Course, Flight, Follow, Guard, HalfTurn, Order, Outcome, Standing, Ties, UnitStanding, Withdraw,
};
use super::pieces::{Formation, Id, UnitType};
use super::rulings::Rulings;
use super::scenario::{
    Enters, LandLeader, LandObjective, LandScenario, LandSide, LandUnit, Taking, TimeLimit, Victory,
};
use super::start::{Agreed, start};
use super::state::{Fate, State, Unit};
use super::terrain::Terrain;
use super::turn::Land;
use crate::hex::{Dir, Hex};
use crate::play::Checkpoint;
use crate::side::{Side, Sides};

/// A source of random numbers: `pick(n)` gives one below `n`.
pub type Pick<'a> = &'a mut dyn FnMut(u32) -> u32;

fn one_of<T: Clone>(of: &[T], pick: Pick<'_>) -> Option<T> {
    let n = u32::try_from(of.len()).ok().filter(|n| *n > 0)?;
    of.get(pick(n) as usize).cloned()
}

fn chance(of: u32, pick: Pick<'_>) -> bool {
    pick(of) == 0
}

/// Orders tried at each place of a list before the list is closed.
const TRIES: u32 = 24;

/// A random legal half-turn: orders judged one after the other, with guards, pauses and orders behind dice among them.
pub(super) fn half_turn(state: &State, side: Side, pick: Pick<'_>) -> HalfTurn {
    let (mut now, mut certain, mut orders) = (state.clone(), true, Vec::new());
    for _ in 0..TRIES {
        if orders.len() > 10 || (certain && now.ap == 0) {
            break;
        }
        let Some(order) = order(&now, side, pick) else { break };
        let Ok(plan) = judge(&now, side, &order) else { continue };
        // Behind dice nothing is certain; what is tried there may be skipped when it is reached.
        certain &= !plan.rolls();
        now = after(&now, &assume(&now, &plan));
        orders.push(order);
        if chance(12, pick) {
            orders.push(if chance(2, pick) { Order::Pause {} } else { Order::AskMeIf { when: guard(&now, pick) } });
        }
    }
    if chance(6, pick)
        && let Some(last) = orders.pop()
    {
        orders.push(Order::If { when: Guard::Points(1), then: vec![last], otherwise: Vec::new() });
    }
    HalfTurn { orders, standing: standing(state, side, pick) }
}

fn guard(state: &State, pick: Pick<'_>) -> Guard {
    let outcomes = [
        Outcome::Hit,
        Outcome::Missed,
        Outcome::Eliminated,
        Outcome::Retreated,
        Outcome::Held,
        Outcome::Advanced,
        Outcome::Repulsed,
        Outcome::Skipped,
    ];
    match (pick(4), one_of(&state.units, pick)) {
        (0, Some(unit)) => Guard::Mp { unit: unit.id, least: 2 },
        (1, Some(unit)) => Guard::Not(Box::new(Guard::Alive(unit.id))),
        _ => one_of(&outcomes, pick).map_or(Guard::Points(1), Guard::Last),
    }
}

/// An order that may be legal; attacks are tried first where an enemy is near.
fn order(state: &State, side: Side, pick: Pick<'_>) -> Option<Order> {
    let units: Vec<Unit> = state.units.iter().filter(|u| u.side == side && u.fate == Fate::Fit).cloned().collect();
    let leaders: Vec<_> = state.leaders.iter().filter(|l| l.side == side && l.fate == Fate::Fit).cloned().collect();
    if units.is_empty() || chance(10, pick) {
        let leader = one_of(&leaders, pick)?;
        let path = way(state, leader.hex, leader.entry.as_ref().map(|e| e.hexes.clone()), 3, None, pick);
        return Some(Order::Leader { leader: leader.id, path });
    }
    let unit = one_of(&units, pick)?;
    let enemy = targets(state, side, unit.hex, pick);
    let with = unit.hex.and_then(|hex| state.leader_in(hex, side)).map(|l| l.id.clone()).filter(|_| chance(2, pick));
    let led =
        with.clone().or_else(|| leaders.iter().find(|l| l.hex.is_none() && unit.hex.is_none()).map(|l| l.id.clone()));
    let support = with.clone().filter(|_| state.options.leader_dice.on());
    let entry = unit.entry.as_ref().map(|e| e.hexes.clone());
    let steps = if unit.boat > 0 { unit.boat } else { unit.kind.moves() + u8::from(chance(2, pick)) };
    let path = way(state, unit.hex, entry, steps, enemy, pick);
    let at = enemy.map(|hex| state.label(hex)).unwrap_or_default();
    let fire_advance = if state.options.fire_advance.on() { advance(pick) } else { Advance::Stay };
    let near = unit.hex.zip(enemy).is_some_and(|(a, b)| a.distance(b) == 1);
    Some(match pick(12) {
        0 => Order::Rally { unit: unit.id },
        1 => Order::Form { unit: unit.id, formation: other(unit.formation) },
        2..=4 if near => combat(state, unit.id, at, support, pick),
        5 if near && state.options.flank.on() => flank(state, side, &unit, enemy?, pick)?,
        2..=6 if enemy.is_some() => Order::Fire { unit: unit.id, at, support, advance: fire_advance },
        7 if enemy.is_some() => Order::MoveAndFire { unit: unit.id, path, at, with, support, advance: fire_advance },
        8 if enemy.is_some() => Order::FireAndMove { unit: unit.id, at, path, with, support },
        _ => Order::Move { unit: unit.id, path, with: led },
    })
}

fn other(formation: Formation) -> Formation {
    match formation {
        Formation::Line => Formation::Column,
        Formation::Column => Formation::Line,
    }
}

fn advance(pick: Pick<'_>) -> Advance {
    one_of(&[Advance::Stay, Advance::Go, Advance::WithLeader, Advance::Ask], pick).unwrap_or_default()
}

fn combat(state: &State, unit: Id, at: String, support: Option<Id>, pick: Pick<'_>) -> Order {
    let repulsed = state.options.charge.on().then(|| at.clone());
    let advance = match advance(pick) {
        Advance::WithLeader if super::movement::unfit_advance(state, Advance::WithLeader).is_err() => Advance::Go,
        other => other,
    };
    Order::CloseCombat { unit, at, advance, support, repulsed }
}

fn flank(state: &State, side: Side, unit: &Unit, enemy: Hex, pick: Pick<'_>) -> Option<Order> {
    let dir = enemy.row_to(unit.hex?)?;
    let opposite = enemy.step(dir.opposite());
    let mut units = vec![unit.id.clone(), state.units_in(opposite, side).first()?.id.clone()];
    let others = state.units_in(opposite, side).into_iter().skip(1).chain(state.units_in(unit.hex?, side));
    units.extend(others.map(|u| u.id.clone()).filter(|id| *id != unit.id && chance(2, pick)));
    let at = state.label(enemy);
    let mut attack = |id: Id| {
        if chance(2, pick) {
            combat(state, id, at.clone(), None, pick)
        } else {
            Order::Fire { unit: id, at: at.clone(), support: None, advance: Advance::Stay }
        }
    };
    Some(Order::Flank { attacks: units.into_iter().map(&mut attack).collect() })
}

/// An enemy hex near a unit: one of the nearest three.
fn targets(state: &State, side: Side, from: Option<Hex>, pick: Pick<'_>) -> Option<Hex> {
    let from = from?;
    let units = state.units.iter().filter(|u| u.side != side && u.on_board()).filter_map(|u| u.hex);
    let leaders = state.leaders.iter().filter(|l| l.side != side && l.on_board()).filter_map(|l| l.hex);
    let mut hexes: Vec<Hex> = units.chain(leaders).collect();
    hexes.sort_by_key(|hex| (hex.distance(from), *hex));
    hexes.dedup();
    hexes.truncate(3);
    one_of(&hexes, pick)
}

/// A path of some steps, mostly toward the enemy.
fn way(
    state: &State,
    from: Option<Hex>,
    entry: Option<Vec<Hex>>,
    most: u8,
    toward: Option<Hex>,
    pick: Pick<'_>,
) -> Vec<String> {
    let steps = 1 + pick(u32::from(most.max(1)));
    let (mut at, mut path) = (from, Vec::new());
    for _ in 0..steps {
        let next = match at {
            None => one_of(&entry.clone().unwrap_or_default(), pick),
            Some(hex) => {
                let open = |h: &Hex| state.ground.contains(*h) && state.ground.terrain(*h) != Terrain::Swamp;
                let around: Vec<Hex> = hex.neighbours().into_iter().filter(open).collect();
                let nearest = toward.and_then(|goal| around.iter().copied().min_by_key(|h| (h.distance(goal), *h)));
                if chance(3, pick) { nearest.or_else(|| one_of(&around, pick)) } else { one_of(&around, pick) }
            }
        };
        let Some(next) = next else { break };
        path.push(state.label(next));
        at = Some(next);
    }
    path
}

fn standing(state: &State, side: Side, pick: Pick<'_>) -> Standing {
    let course = |pick: Pick<'_>| match pick(4) {
        0 => Course::Ask,
        1 => Course::Toward(Dir::ALL.into_iter().filter(|_| chance(3, pick)).collect()),
        _ => Course::Away,
    };
    // Every random board has a hex 0202.
    let flight = |pick: Pick<'_>| match pick(5) {
        0 => Flight::Ask,
        1 => Flight::Stay,
        2 => Flight::To(vec!["0202".into()]),
        _ => Flight::Nearest,
    };
    let mut standing = Standing {
        ties: one_of(&[Ties::Gun, Ties::Troops, Ties::Ask], pick).unwrap_or_default(),
        retreat: course(pick),
        displaced: course(pick),
        follow: one_of(&[Follow::Troops, Follow::Gun, Follow::Ask], pick).unwrap_or_default(),
        escape: flight(pick),
        withdraw: one_of(&[Withdraw::Weak, Withdraw::Always, Withdraw::Never, Withdraw::Ask], pick).unwrap_or_default(),
        units: BTreeMap::new(),
        leaders: BTreeMap::new(),
    };
    let own: Vec<Id> = state.units.iter().filter(|u| u.side == side).map(|u| u.id.clone()).collect();
    if chance(3, pick)
        && let Some(id) = one_of(&own, pick)
    {
        let unit = UnitStanding { retreat: Some(course(pick)), displaced: Some(course(pick)), withdraw: None };
        standing.units.insert(id, unit);
    }
    let own: Vec<Id> = state.leaders.iter().filter(|l| l.side == side).map(|l| l.id.clone()).collect();
    if chance(3, pick)
        && let Some(id) = one_of(&own, pick)
    {
        standing.leaders.insert(id, flight(pick));
    }
    standing
}

/// A random small battle: a few units a side close together, any terrain, options and rulings. Wilder than any
/// scenario, so that every event and question is reached.
#[must_use]
pub fn scenario(pick: Pick<'_>) -> (LandScenario, Agreed) {
    let mut agreed = Agreed::default();
    for switch in Rulings::SWITCHES {
        if chance(2, pick)
            && let Some(word) = one_of(switch.settings, pick)
        {
            // Every listed setting is taken (tested in rulings.rs).
            let _ = agreed.set(switch.number, word);
        }
    }
    for (number, _) in Options::ALL {
        if chance(2, pick) {
            // Every listed option can be on (tested in options.rs).
            let _ = agreed.set(number, "on");
        }
    }
    // Some battles are so tight that retreats end in displacement or not at all.
    let tight = chance(2, pick);
    let (columns, rows) = if tight { (5, 4) } else { (7, 6) };
    let label = |pick: Pick<'_>| format!("{:02}{:02}", 1 + pick(columns), 1 + pick(rows));
    let mut tiles: BTreeMap<String, Terrain> = BTreeMap::new();
    for _ in 0..pick(if tight { 10 } else { 24 }) {
        if let Some(terrain) = one_of(&Terrain::ALL, pick).filter(|t| *t != Terrain::Swamp) {
            tiles.insert(label(pick), terrain);
        }
    }
    for _ in 0..pick(5) {
        tiles.insert(label(pick), Terrain::Swamp);
    }
    let mut terrain: BTreeMap<Terrain, Vec<String>> = BTreeMap::new();
    for (label, kind) in &tiles {
        terrain.entry(*kind).or_default().push(label.clone());
    }
    let of = |kind: Terrain| tiles.iter().filter(move |(_, t)| **t == kind).map(|(label, _)| label.clone());
    let mut deep: Vec<String> = of(Terrain::Deep).collect();
    let mut taken: Vec<String> = of(Terrain::Swamp).chain(of(Terrain::Deep)).collect();
    let mut free = |pick: Pick<'_>| loop {
        let at = label(pick);
        if !taken.contains(&at) {
            taken.push(at.clone());
            return at;
        }
    };
    let most = if tight { 5 } else { 8 };
    let mut british = side(Side::British, most, &mut free, pick);
    let mut american = side(Side::American, most, &mut free, pick);
    embark(&mut british, &mut deep, pick);
    embark(&mut american, &mut deep, pick);
    let target = Sides { british: 2 + pick(8), american: 2 + pick(8) };
    let limits = [TimeLimit::British, TimeLimit::American, TimeLimit::Draw, TimeLimit::Points];
    let scenario = LandScenario {
        countersign: 1,
        kind: "scenario".into(),
        book: "honor-land".into(),
        id: "random".into(),
        title: "Random".into(),
        date: String::new(),
        place: String::new(),
        provenance: "reconstruction".into(),
        how: String::new(),
        brief: String::new(),
        turns: 1 + pick(10),
        first: if chance(2, pick) { Side::British } else { Side::American },
        map: MapDoc {
            columns: if tight { 5 } else { 7 },
            rows: if tight { 4 } else { 6 },
            terrain,
            ..MapDoc::default()
        }
        .sheet(),
        sides: Sides { british, american },
        victory: Victory { target, time: one_of(&limits, pick).unwrap_or(TimeLimit::Draw) },
    };
    (scenario, agreed)
}

/// A random side of 2 to `most` units, with up to two leaders and an objective: never more than a tight board has room for.
fn side(side: Side, most: u32, free: &mut dyn FnMut(Pick<'_>) -> String, pick: Pick<'_>) -> LandSide {
    let letter = &side.word()[..1];
    let (mut units, mut leaders, mut objectives) = (Vec::new(), Vec::new(), Vec::new());
    let mut gunless = Vec::new();
    for n in 0..2 + pick(most - 1) {
        let kind = one_of(&UnitType::ALL, pick).unwrap_or(UnitType::Regular);
        let (least, most, _) = kind.size();
        let mp = least + u8::try_from(pick(u32::from(most - least) + 1)).unwrap_or(0);
        let late = n > 1 && chance(8, pick);
        // Guns now and then stand with troops, so that hits and retreats of two units occur.
        let at = match gunless.pop().filter(|_| kind.gun() && chance(2, pick)) {
            Some(at) => at,
            None => free(pick),
        };
        if !kind.gun() && !late {
            gunless.push(at.clone());
        }
        units.push(LandUnit {
            id: Id(format!("{letter}{n}")),
            name: format!("{side} {n}"),
            kind,
            mp,
            enters: late.then(|| Enters { turn: 1 + pick(2), by: vec![at.clone()] }),
            at: (!late).then_some(at),
            boat: 0,
            formation: if kind.forms_column() && chance(5, pick) { Formation::Column } else { Formation::Line },
            worth: 1,
            history: String::new(),
        });
    }
    for n in 0..pick(3) {
        let stacked = units.iter().filter_map(|u| u.at.clone()).nth(n as usize).filter(|_| !chance(4, pick));
        let led: Vec<String> = leaders.iter().filter_map(|l: &LandLeader| l.at.clone()).collect();
        let at = stacked.filter(|at| !led.contains(at)).unwrap_or_else(|| free(pick));
        let id = Id(format!("{letter}-leader-{n}"));
        leaders.push(LandLeader { id, name: format!("{side} leader {n}"), at: Some(at), enters: None, worth: 1 });
    }
    for n in 0..pick(2) {
        let id = Id(format!("{letter}-vp-{n}"));
        let taking = if chance(2, pick) { Taking::Enter } else { Taking::Stop };
        objectives.push(LandObjective {
            id,
            name: format!("{side} prize {n}"),
            at: free(pick),
            worth: 1 + pick(2),
            taking,
        });
    }
    let homes = [HomeEdge::North, HomeEdge::South, HomeEdge::East, HomeEdge::West];
    let home = one_of(&homes, pick).unwrap_or(HomeEdge::North);
    LandSide { command: u8::try_from(2 + pick(4)).unwrap_or(3), home, units, leaders, objectives }
}

/// Puts some of a side's units, each with the leader who is with it, into boats on deep water.
fn embark(side: &mut LandSide, deep: &mut Vec<String>, pick: Pick<'_>) {
    for unit in &mut side.units {
        if deep.is_empty() || !chance(3, pick) {
            continue;
        }
        let Some(at) = deep.pop() else { continue };
        unit.boat = 1 + u8::try_from(pick(3)).unwrap_or(0);
        unit.formation = Formation::Line;
        if let Some(enters) = &mut unit.enters {
            enters.by = vec![at];
            continue;
        }
        let from = unit.at.replace(at.clone());
        if let Some(leader) = side.leaders.iter_mut().find(|l| l.at == from) {
            leader.at = Some(at);
        }
    }
}

/// The start of a random battle.
///
/// # Errors
/// If the scenario made is not sound (a defect).
pub fn random_start(pick: Pick<'_>) -> Result<Checkpoint<Land>, Vec<String>> {
    let (scenario, agreed) = scenario(pick);
    start(&scenario, &agreed)
}
