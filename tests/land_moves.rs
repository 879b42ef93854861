//! The listing of legal moves against a generator that knows nothing of it: every order that can be written at all is
//! tried on the half-turn's own judgement, and what is legal is counted. The counts at fixed positions are pinned.

mod common;

use std::collections::BTreeSet;

use common::Numbers;
use countersign::Side;
use countersign::books::honor::land::{
    Agreed, Fate, HalfTurn, Id, Land, LandPosition, LandStage, Order, OrdersQuestion, State, UnitType, coming, listing,
    random, start,
};
use countersign::catalog;
use countersign::doc::yaml;
use countersign::play::{Checkpoint, Question};

/// The labels around a label, by the parity of its column: even columns sit half a hex lower. Written without the crate's
/// geometry.
fn around(label: &str) -> Vec<String> {
    let (column, row): (i32, i32) = (label[..2].parse().unwrap(), label[2..].parse().unwrap());
    let shift = if column % 2 == 0 { 0 } else { -1 };
    let all = [
        (column, row - 1),
        (column, row + 1),
        (column - 1, row + shift),
        (column - 1, row + shift + 1),
        (column + 1, row + shift),
        (column + 1, row + shift + 1),
    ];
    all.into_iter().filter(|(c, r)| *c > 0 && *r > 0).map(|(c, r)| format!("{c:02}{r:02}")).collect()
}

/// Every path of at most so many hexes, shortest first; no hex twice, since going in a circle brings no new end.
fn paths(from: Option<&str>, entry: &[String], most: usize) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut last: Vec<Vec<String>> = match from {
        Some(label) => around(label).into_iter().map(|to| vec![to]).collect(),
        None => entry.iter().map(|to| vec![to.clone()]).collect(),
    };
    for _ in 0..most {
        all.extend(last.iter().cloned());
        let longer = last.iter().flat_map(|path| {
            let next =
                around(path.last().unwrap()).into_iter().filter(|to| !path.contains(to) && Some(to.as_str()) != from);
            next.map(|to| [path.clone(), vec![to]].concat()).collect::<Vec<_>>()
        });
        last = longer.collect();
    }
    all
}

/// Whether the book takes an order alone as the orders of the half-turn.
fn legal(state: &State, side: Side, order: &Order) -> bool {
    let question = OrdersQuestion { side, turn: state.turn, part: 1 };
    question.check(state, &HalfTurn { orders: vec![order.clone()], ..HalfTurn::default() }).is_ok()
}

/// What tells two orders apart: path and choices beside the order do not.
type Key = (&'static str, String, Option<String>, String, String);

fn key(order: &Order) -> Key {
    let with = |id: &Option<Id>| id.as_ref().map(|id| id.0.clone());
    let end = |path: &Vec<String>| path.last().cloned().unwrap_or_default();
    let none = String::new;
    match order {
        Order::Move { unit, path, with: w } => ("move", unit.0.clone(), with(w), end(path), none()),
        Order::Leader { leader, path } => ("leader", leader.0.clone(), None, end(path), none()),
        Order::Fire { unit, at, .. } => ("fire", unit.0.clone(), None, none(), at.clone()),
        Order::CloseCombat { unit, at, .. } => ("close-combat", unit.0.clone(), None, none(), at.clone()),
        Order::Rally { unit } => ("rally", unit.0.clone(), None, none(), none()),
        Order::Form { unit, formation } => ("form", unit.0.clone(), None, none(), format!("{formation:?}")),
        Order::MoveAndFire { unit, path, at, with: w, .. } => {
            ("move-fire", unit.0.clone(), with(w), end(path), at.clone())
        }
        Order::FireAndMove { unit, path, at, with: w, .. } => {
            ("fire-move", unit.0.clone(), with(w), end(path), at.clone())
        }
        other => panic!("{other:?} is no order of the listing"),
    }
}

/// Every legal order of a side, tried one by one.
fn brute(state: &State, side: Side) -> BTreeSet<Key> {
    let mut found = BTreeSet::new();
    let mut keep = |order: Order| {
        let key = key(&order);
        if !found.contains(&key) && legal(state, side, &order) {
            found.insert(key);
        }
    };
    let (columns, rows) = (state.ground.doc().columns, state.ground.doc().rows);
    let every: Vec<String> = (1..=columns).flat_map(|c| (1..=rows).map(move |r| format!("{c:02}{r:02}"))).collect();
    let leaders: Vec<Option<Id>> = std::iter::once(None)
        .chain(state.leaders.iter().filter(|l| l.side == side).map(|l| Some(l.id.clone())))
        .collect();
    let stay = countersign::books::honor::land::Advance::Stay;
    for unit in state.units.iter().filter(|u| u.side == side && u.fate == Fate::Fit) {
        let from = unit.hex.map(|hex| state.label(hex));
        let entry: Vec<String> = unit.entry.iter().flat_map(|e| e.hexes.iter().map(|hex| state.label(*hex))).collect();
        let id = || unit.id.clone();
        for with in &leaders {
            for path in paths(from.as_deref(), &entry, 4) {
                keep(Order::Move { unit: id(), path: path.clone(), with: with.clone() });
                // Only these types ever do both; the judgement that says so has rule cases of its own (6.2.1).
                if !matches!(unit.kind, UnitType::Dragoon | UnitType::Indian) || path.len() > 3 {
                    continue;
                }
                let near = |of: &str| around(of).into_iter().filter(|l| every.contains(l)).collect::<Vec<_>>();
                for at in near(path.last().unwrap()) {
                    let (path, with) = (path.clone(), with.clone());
                    keep(Order::MoveAndFire { unit: id(), path, at, with, support: None, advance: stay });
                }
                for at in from.iter().flat_map(|from| near(from)) {
                    let (path, with) = (path.clone(), with.clone());
                    keep(Order::FireAndMove { unit: id(), at, path, with, support: None });
                }
            }
        }
        for at in &every {
            keep(Order::Fire { unit: id(), at: at.clone(), support: None, advance: stay });
            let (at, support, repulsed) = (at.clone(), None, None);
            keep(Order::CloseCombat { unit: id(), at, advance: stay, support, repulsed });
        }
        keep(Order::Rally { unit: id() });
        for formation in
            [countersign::books::honor::land::Formation::Line, countersign::books::honor::land::Formation::Column]
        {
            keep(Order::Form { unit: id(), formation });
        }
    }
    for leader in state.leaders.iter().filter(|l| l.side == side && l.fate == Fate::Fit) {
        let from = leader.hex.map(|hex| state.label(hex));
        let entry: Vec<String> =
            leader.entry.iter().flat_map(|e| e.hexes.iter().map(|hex| state.label(*hex))).collect();
        for path in paths(from.as_deref(), &entry, 4) {
            keep(Order::Leader { leader: leader.id.clone(), path });
        }
    }
    found
}

/// The same by the listing. Every path it gives must be legal as it stands.
fn listed(state: &State, side: Side) -> BTreeSet<Key> {
    let stay = countersign::books::honor::land::Advance::Stay;
    let units = state.units.iter().filter(|u| u.side == side && u.fate == Fate::Fit).map(|u| u.id.clone());
    let leaders = state.leaders.iter().filter(|l| l.side == side && l.fate == Fate::Fit).map(|l| l.id.clone());
    let mut found = BTreeSet::new();
    for id in units.chain(leaders) {
        let list = listing(state, &id).unwrap();
        let mut orders: Vec<Order> = list.other.iter().map(|action| action.order.clone()).collect();
        for way in &list.moves {
            let (path, with) = (way.path.clone(), way.with.clone());
            orders.push(match state.leader(&id) {
                Some(_) => Order::Leader { leader: id.clone(), path },
                None => Order::Move { unit: id.clone(), path, with },
            });
        }
        for target in &list.fire {
            assert_eq!(target.throws.iter().sum::<u64>(), 6u64.pow(u32::from(target.dice)));
            orders.push(Order::Fire { unit: id.clone(), at: target.hex.clone(), support: None, advance: stay });
        }
        for target in &list.close_combat {
            let (at, support, repulsed) = (target.hex.clone(), None, None);
            orders.push(Order::CloseCombat { unit: id.clone(), at, advance: stay, support, repulsed });
        }
        assert_eq!(orders.len(), list.count());
        for order in orders {
            assert!(legal(state, side, &order), "{order:?}");
            assert!(found.insert(key(&order)), "{order:?} stands twice");
        }
        // What is barred is not also allowed.
        for hex in list.barred.keys() {
            assert!(!list.moves.iter().any(|way| way.with.is_none() && way.hex == *hex), "{id} {hex}");
        }
    }
    found
}

fn same(state: &State, side: Side, name: &str) -> usize {
    let (brute, listed) = (brute(state, side), listed(state, side));
    let missing: Vec<_> = brute.difference(&listed).collect();
    let wrong: Vec<_> = listed.difference(&brute).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "{name}, {side}: missing {missing:?}; wrong {wrong:?}");
    brute.len()
}

fn queenston() -> Checkpoint<Land> {
    let text = catalog::embedded("queenston-heights").unwrap();
    start(&catalog::read_land_scenario(&text, "q").unwrap(), &Agreed::default()).unwrap()
}

fn position(text: &str) -> Checkpoint<Land> {
    yaml::read::<LandPosition>(text, "position", 1 << 20).unwrap().into_checkpoint().unwrap()
}

#[test]
fn counts_at_fixed_positions() {
    let heights = queenston();
    let horse = position(HORSE);
    let counts = [
        same(&coming(&heights.state, Side::American), Side::American, "Queenston Heights"),
        same(&coming(&heights.state, Side::British), Side::British, "Queenston Heights"),
        same(&horse.state, Side::British, "horse and Indians"),
        same(&coming(&horse.state, Side::American), Side::American, "horse and Indians"),
    ];
    assert_eq!(counts, COUNTS);
    // Nothing is legal without points.
    let mut broke = position(HORSE);
    std::rc::Rc::make_mut(&mut broke.state).ap = 0;
    assert_eq!(same(&broke.state, Side::British, "no points"), 0);
}

const COUNTS: [usize; 4] = [77, 86, 219, 43];

/// Dragoons, Indians, a column, a gun, leaders, every terrain that matters.
const HORSE: &str = "
stage: {orders: {side: british, part: 1}}
ap: 3
map:
  columns: 8
  rows: 7
  terrain: {forest: [\"0403\", \"0304\"], swamp: [\"0502\"], waterway: [\"0204\"], hill: [\"0603\"], fort: [\"0705\"]}
british:
  units:
    - {id: horse, type: dragoon, at: \"0303\"}
    - {id: indians, type: indian, at: \"0404\"}
    - {id: column, type: regular, at: \"0203\", formation: column}
    - {id: gun, type: artillery, at: \"0303\"}
    - {id: weak, type: regular, at: \"0306\", mp: 2, of: 4}
    - {id: late, type: light, enters: {turn: 1, by: [\"0101\", \"0201\"]}}
  leaders: [{id: brock, at: \"0404\"}, {id: sheaffe, at: \"0306\"}]
american:
  units: [{id: foe, type: militia, at: \"0504\"}, {id: far, type: artillery, at: \"0603\"}]
  leaders: [{id: alone, at: \"0505\"}]
";

#[test]
fn the_listing_is_complete_in_random_battles() {
    let mut total = 0;
    for seed in 0..30 {
        let mut numbers = Numbers(seed);
        let Ok(begun) = random::random_start(&mut |n| numbers.below(n)) else { continue };
        for side in Side::ALL {
            total += same(&coming(&begun.state, side), side, &format!("seed {seed}"));
        }
    }
    assert!(total > 300, "{total}");
}

#[test]
fn reasons_carry_their_rules() {
    let horse = position(HORSE);
    assert_eq!(horse.stage, LandStage::Orders { side: Side::British, part: 1 });
    let of = |id: &str| listing(&horse.state, &Id::from(id)).unwrap();
    assert_eq!(of("column").barred["0303"].rule.0, "FHG-4.3");
    assert_eq!(of("indians").barred["0504"].rule.0, "FHG-4.3.p3");
    assert_eq!(of("gun").no_target["0603"].rule.0, "FHG-2.3.5.c");
    assert!(of("gun").close_combat.is_empty());
    assert!(listing(&horse.state, &Id::from("nobody")).is_none());
}
