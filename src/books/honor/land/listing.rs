//! What a piece may do as things stand: the hexes it reaches and why others are barred, what it can attack with which
//! odds. The search uses the rules' own judgements, and nothing is listed that they would refuse.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::actions::{after, assume, cleared, judge};
use super::boats::{Bar, barred, barred_leader};
use super::close_combat::morale_changes;
use super::event::{Attack, Event};
use super::modifier::{Modifier, total};
use super::movement::{allowance, bars, bars_leader, stops};
use super::orders::{Advance, Order};
use super::pieces::{CLOSE_COMBAT, Formation, Id, LEADER_MOVES, UnitType};
use super::state::{Fate, Leader, State, Unit};
use super::volley::{changes, dice};
use crate::cite::Cite;
use crate::hex::Hex;
use crate::kit::{End, Reach, Step, march, throws};
use crate::side::Side;

/// Why something is not possible, and the rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// In words, without a final full stop.
    pub why: String,
    /// The rule.
    pub rule: Cite,
}

/// A hex a piece can move to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Way {
    /// The hex.
    pub hex: String,
    /// The shortest way: hexes entered.
    pub path: Vec<String>,
    /// The leader who goes along.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<Id>,
    /// Action points.
    pub ap: u8,
}

/// A defender's check before close combat (8.3.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The unit.
    pub unit: Id,
    /// Faces of six with which it stands.
    pub stands: u8,
}

/// Something a piece can attack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Target {
    /// The hex.
    pub hex: String,
    /// Fire or close combat.
    pub by: Attack,
    /// Dice.
    pub dice: u8,
    /// Lowest changed face that hits.
    pub hits_on: u8,
    /// What changes each face.
    pub changes: Vec<Modifier>,
    /// How many throws of all the dice bring 0, 1, 2 ... hits.
    pub throws: Vec<u64>,
    /// Checks of the defenders, in close combat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// Action points.
    pub ap: u8,
}

/// Something else that is legal as one order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// The order.
    pub order: Order,
    /// Action points.
    pub ap: u8,
}

/// What one piece may do now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listing {
    /// The unit or leader.
    pub piece: Id,
    /// Its name for people.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Where it stands; none if it is still to come.
    pub hex: Option<String>,
    /// Hexes it can move to, in the order of labels; with a leader listed apart.
    pub moves: Vec<Way>,
    /// Hexes within its reach, or beside it, where it cannot go.
    pub barred: BTreeMap<String, Reason>,
    /// What it can fire at.
    pub fire: Vec<Target>,
    /// What it can attack in close combat.
    pub close_combat: Vec<Target>,
    /// Enemy hexes it cannot attack.
    pub no_target: BTreeMap<String, Reason>,
    /// Moving and firing in one activation, rallying, forming.
    pub other: Vec<Action>,
}

impl Listing {
    /// How many orders it lists; two paths to one hex count as one, and choices beside the order (advance, a leader's die) as none.
    #[must_use]
    pub fn count(&self) -> usize {
        self.moves.len() + self.fire.len() + self.close_combat.len() + self.other.len()
    }
}

/// A position as it will be when a side's next half-turn begins with the most action points it can have (6.1), all else as
/// now: for looking at what the enemy could do.
#[must_use]
pub fn coming(state: &State, side: Side) -> State {
    let army = state.armies.get(side);
    let command = army.command.saturating_sub(army.leaders_lost);
    let random = super::turn::random_points(6);
    let mut next = state.clone();
    if next.turn == 0 || side == next.first && next.active != side {
        next.turn += 1;
    }
    let event = Event::ActionPoints { side, roll: 6, random, command, total: command + random };
    after(&next, &[event])
}

/// What a unit or leader may do in the half-turn of its side that is going on; none if no piece on the board or still to
/// come has that name.
#[must_use]
pub fn listing(state: &State, id: &Id) -> Option<Listing> {
    if let Some(unit) = state.unit(id).filter(|u| u.fate == Fate::Fit) {
        return Some(of_unit(state, unit));
    }
    let leader = state.leader(id).filter(|l| l.fate == Fate::Fit)?;
    Some(of_leader(state, leader))
}

fn empty(state: &State, piece: &Id, name: &str, side: Side, hex: Option<Hex>) -> Listing {
    Listing {
        piece: piece.clone(),
        name: name.to_owned(),
        side,
        hex: hex.map(|hex| state.label(hex)),
        moves: Vec::new(),
        barred: BTreeMap::new(),
        fire: Vec::new(),
        close_combat: Vec::new(),
        no_target: BTreeMap::new(),
        other: Vec::new(),
    }
}

/// The points an order costs as things stand.
fn judged(state: &State, side: Side, order: &Order) -> Result<u8, Reason> {
    let plan = judge(state, side, order).map_err(|fault| {
        let (why, rule) = fault.parts();
        Reason { why, rule }
    })?;
    let spent = state.ap.saturating_sub(after(state, &assume(state, &plan)).ap);
    // The second half of fire-and-move is paid when it is carried out.
    Ok(spent + u8::from(matches!(order, Order::FireAndMove { .. })))
}

/// Searches the moves from a hex, or from the hexes where a piece comes onto the board: paths, and what is barred.
fn search(
    state: &State,
    from: Option<Hex>,
    entry: &[Hex],
    most: u8,
    bar: &dyn Fn(Option<Hex>, Hex) -> Option<Bar>,
    enter: &dyn Fn(Hex, bool) -> Option<(Cite, String)>,
    halts: &dyn Fn(Hex) -> bool,
) -> (BTreeMap<Hex, Vec<Hex>>, BTreeMap<Hex, Reason>) {
    let (mut ways, mut barred): (BTreeMap<Hex, Vec<Hex>>, BTreeMap<Hex, Reason>) = Default::default();
    let blocked = |before: Option<Hex>, hex: Hex, last: bool| -> Option<Reason> {
        if !state.ground.contains(hex) {
            return Some(Reason { why: "is off the board".into(), rule: Cite("FHG-7.1") });
        }
        if let Some((rule, what)) = bar(before, hex) {
            return Some(Reason { why: format!("{} is {what}", state.label(hex)), rule });
        }
        enter(hex, last).map(|(rule, why)| Reason { why, rule })
    };
    let step = |before: Hex, to: Hex| match blocked(Some(before), to, false) {
        // What is told is why it may not end there, if that is so.
        Some(why) => Step::Barred(blocked(Some(before), to, true).unwrap_or(why)),
        None if halts(to) => Step::Halt(1),
        None => Step::Go(1),
    };
    // What ground bars, the step into it was asked.
    let end = |hex: Hex| blocked(Some(hex), hex, true).map_or(End::May, End::MayNot);
    let starts: Vec<(Hex, Vec<Hex>)> = match from {
        Some(hex) => vec![(hex, Vec::new())],
        None => entry.iter().map(|hex| (*hex, vec![*hex])).collect(),
    };
    for (start, path) in starts {
        let mut left = u32::from(most).saturating_sub(u32::try_from(path.len()).unwrap_or(0));
        if !path.is_empty() {
            if let Some(why) = blocked(None, start, false) {
                barred.entry(start).or_insert(why);
                continue;
            }
            match end(start) {
                End::MayNot(why) => {
                    barred.entry(start).or_insert(why);
                }
                End::May => {
                    ways.insert(start, path.clone());
                }
            }
            if halts(start) {
                left = 0;
            }
        }
        let found = march(start, left, step, end);
        for (hex, reach) in found.hexes() {
            match reach {
                Reach::MayStop { .. } | Reach::MustStop { .. } => {
                    let way: Vec<Hex> = path.iter().chain(found.way(*hex).unwrap_or(&[])).copied().collect();
                    if ways.get(hex).is_none_or(|known| way.len() < known.len()) {
                        ways.insert(*hex, way);
                    }
                }
                Reach::PassOnly { why, .. } | Reach::Barred(why) => {
                    barred.entry(*hex).or_insert_with(|| why.clone());
                }
                Reach::TooFar { .. } => {}
            }
        }
    }
    barred.retain(|hex, _| !ways.contains_key(hex) && state.ground.contains(*hex) && Some(*hex) != from);
    (ways, barred)
}

fn labels(state: &State, path: &[Hex]) -> Vec<String> {
    path.iter().map(|hex| state.label(*hex)).collect()
}

/// Puts the moves a search found into a listing, each judged as an order.
fn put_moves(
    state: &State,
    list: &mut Listing,
    found: (BTreeMap<Hex, Vec<Hex>>, BTreeMap<Hex, Reason>),
    with: Option<&Id>,
    order: &dyn Fn(Vec<String>) -> Order,
) {
    for (hex, path) in found.0 {
        let path = labels(state, &path);
        match judged(state, list.side, &order(path.clone())) {
            Ok(ap) => list.moves.push(Way { hex: state.label(hex), path, with: with.cloned(), ap }),
            Err(why) if with.is_none() => {
                list.barred.insert(state.label(hex), why);
            }
            Err(_) => {}
        }
    }
    if with.is_none() {
        list.barred.extend(found.1.into_iter().map(|(hex, why)| (state.label(hex), why)));
    }
}

fn of_unit(state: &State, unit: &Unit) -> Listing {
    let side = unit.side;
    let mut list = empty(state, &unit.id, &unit.name, side, unit.hex);
    let mut leaders: Vec<Option<&Leader>> = vec![None];
    leaders.extend(state.leaders.iter().filter(|l| goes_along(l, unit)).map(Some));
    let mut paths: Vec<(Option<Id>, Vec<Vec<String>>)> = Vec::new();
    for leader in leaders {
        let led = leader.is_some();
        // Guns, columns and boats have no extra hex from a leader (9.1.2, 9.1.3, NAV-2.3.d); the judgement of each end says so.
        let bonus = led && !unit.kind.gun() && unit.formation == Formation::Line && unit.boat == 0;
        let most = allowance(unit) + u8::from(bonus);
        let enter_on = |on: &State, hex: Hex, last: bool| {
            let second = leader.filter(|_| last).and_then(|l| {
                let other = state.leader_in(hex, side).filter(|o| o.id != l.id)?;
                Some((Cite("FHG-4.3.p1"), format!("{} is there; two leaders may not share a hex", other.name)))
            });
            bars(on, side, unit, hex, last).or(second)
        };
        let enter = |hex: Hex, last: bool| enter_on(state, hex, last);
        let halts = |hex: Hex| stops(state, hex, Some(unit), led).is_some();
        let bar = |_: Option<Hex>, hex: Hex| barred(&state.ground, hex, unit.boat > 0);
        let entry = entry_hexes(unit.entry.as_ref());
        let found = search(state, unit.hex, &entry, most, &bar, &enter, &halts);
        let with = leader.map(|l| l.id.clone());
        paths.push((with.clone(), found.0.values().map(|path| labels(state, path)).collect()));
        if mixes(unit.kind) {
            // Who rides a lone leader down on his way has him no longer to fire at (7.3): a way around him is tried too.
            let around = |hex: Hex, last: bool| {
                let lone = state.leader_in(hex, side.other()).map(|l| (Cite("FHG-7.3"), l.name.clone()));
                enter(hex, last).or(lone)
            };
            let ways = search(state, unit.hex, &entry, most, &bar, &around, &halts).0;
            paths.push((with.clone(), ways.values().map(|path| labels(state, path)).collect()));
            // Who fires first may go into or through the hex his fire has cleared (6.2.4).
            for at in unit.hex.iter().flat_map(|hex| hex.neighbours()).filter(|at| state.held(*at, side.other())) {
                let after = cleared(state, side, at);
                let ways =
                    search(state, unit.hex, &entry, most, &bar, &|hex, last| enter_on(&after, hex, last), &halts).0;
                paths.push((with.clone(), ways.values().map(|path| labels(state, path)).collect()));
            }
        }
        let order = |path: Vec<String>| Order::Move { unit: unit.id.clone(), path, with: with.clone() };
        put_moves(state, &mut list, found, with.as_ref(), &order);
    }
    attacks(state, unit, &mut list);
    other(state, unit, &paths, &mut list);
    list.moves.sort_by(|a, b| (&a.with, &a.hex).cmp(&(&b.with, &b.hex)));
    list
}

fn goes_along(leader: &Leader, unit: &Unit) -> bool {
    leader.side == unit.side
        && leader.fate == Fate::Fit
        && leader.hex == unit.hex
        && (unit.hex.is_some() || leader.entry == unit.entry)
}

fn entry_hexes(entry: Option<&super::state::Entry>) -> Vec<Hex> {
    entry.map_or_else(Vec::new, |entry| entry.hexes.clone())
}

fn of_leader(state: &State, leader: &Leader) -> Listing {
    let mut list = empty(state, &leader.id, &leader.name, leader.side, leader.hex);
    let enter = |hex: Hex, last: bool| bars_leader(state, leader.side, leader, hex, last);
    let halts = |hex: Hex| stops(state, hex, None, false).is_some();
    let bar = |before: Option<Hex>, hex: Hex| barred_leader(&state.ground, before, hex);
    let entry = entry_hexes(leader.entry.as_ref());
    let found = search(state, leader.hex, &entry, LEADER_MOVES, &bar, &enter, &halts);
    let order = |path: Vec<String>| Order::Leader { leader: leader.id.clone(), path };
    put_moves(state, &mut list, found, None, &order);
    list
}

/// Hexes with an enemy combat unit or leader, in the order of labels.
fn enemy_hexes(state: &State, side: Side) -> Vec<(String, Hex)> {
    let units = state.units.iter().filter(|u| u.side != side && u.on_board()).filter_map(|u| u.hex);
    let leaders = state.leaders.iter().filter(|l| l.side != side && l.on_board()).filter_map(|l| l.hex);
    let all: BTreeMap<String, Hex> = units.chain(leaders).map(|hex| (state.label(hex), hex)).collect();
    all.into_iter().collect()
}

fn attacks(state: &State, unit: &Unit, list: &mut Listing) {
    for (label, hex) in enemy_hexes(state, unit.side) {
        let fire = Order::Fire { unit: unit.id.clone(), at: label.clone(), support: None, advance: Advance::Stay };
        let combat = Order::CloseCombat {
            unit: unit.id.clone(),
            at: label.clone(),
            advance: Advance::Stay,
            support: None,
            repulsed: None,
        };
        let shot = judged(state, unit.side, &fire);
        let charge = judged(state, unit.side, &combat);
        if let (Err(why), Err(_)) = (&shot, &charge) {
            list.no_target.insert(label.clone(), why.clone());
        }
        list.fire.extend(shot.ok().and_then(|ap| target(state, unit, hex, Attack::Fire, ap)));
        list.close_combat.extend(charge.ok().and_then(|ap| target(state, unit, hex, Attack::CloseCombat, ap)));
    }
}

/// The numbers of an attack (8.1.3, 8.3.2, 8.3.3).
fn target(state: &State, unit: &Unit, at: Hex, by: Attack, ap: u8) -> Option<Target> {
    let range = unit.hex?.distance(at);
    let hits_on = if by == Attack::Fire { unit.kind.hits_on(range) } else { CLOSE_COMBAT };
    let changes = changes(state, unit, by, at, false);
    let dice = u8::try_from(total(&dice(state, unit, at, false)).max(1)).unwrap_or(1);
    let sum = i16::from(total(&changes));
    let good = (1..=6i16).filter(|face| face + sum >= i16::from(hits_on)).count();
    let defenders = state.units_in(at, unit.side.other()).into_iter().filter(|_| by == Attack::CloseCombat);
    let checks = defenders.map(|defender| {
        let value = i16::from(defender.mp) + i16::from(total(&morale_changes(state, defender, at, false)));
        Check { unit: defender.id.clone(), stands: u8::try_from(value.clamp(0, 5)).unwrap_or(0) }
    });
    let checks = checks.collect();
    let throws = throws(dice, u8::try_from(good).unwrap_or(0));
    Some(Target { hex: state.label(at), by, dice, hits_on, changes, throws, checks, ap })
}

fn other(state: &State, unit: &Unit, paths: &[(Option<Id>, Vec<Vec<String>>)], list: &mut Listing) {
    let id = || unit.id.clone();
    let mut orders = vec![Order::Rally { unit: id() }];
    for formation in [Formation::Column, Formation::Line] {
        orders.push(Order::Form { unit: id(), formation });
    }
    if mixes(unit.kind) {
        let enemies = enemy_hexes(state, unit.side);
        for (with, ends) in paths {
            for (path, (at, _)) in ends.iter().flat_map(|path| enemies.iter().map(move |enemy| (path, enemy))) {
                let (path, at, with, advance) = (path.clone(), at.clone(), with.clone(), Advance::Stay);
                orders.push(Order::FireAndMove {
                    unit: id(),
                    at: at.clone(),
                    path: path.clone(),
                    with: with.clone(),
                    support: None,
                });
                orders.push(Order::MoveAndFire { unit: id(), path, at, with, support: None, advance });
            }
        }
    }
    let mut known = BTreeSet::new();
    for order in orders {
        if let Ok(ap) = judged(state, unit.side, &order)
            && known.insert(same(&order))
        {
            list.other.push(Action { order, ap });
        }
    }
}

/// 6.2.3, 6.2.4: who may move and fire in one activation.
fn mixes(kind: UnitType) -> bool {
    matches!(kind, UnitType::Dragoon | UnitType::Indian)
}

/// What two orders have in common that differ in the way alone.
fn same(order: &Order) -> (bool, Option<String>, Option<String>, Option<Id>, Option<bool>) {
    match order {
        Order::MoveAndFire { path, at, with, .. } => (true, path.last().cloned(), Some(at.clone()), with.clone(), None),
        Order::FireAndMove { path, at, with, .. } => {
            (false, path.last().cloned(), Some(at.clone()), with.clone(), None)
        }
        Order::Form { formation, .. } => (true, None, None, None, Some(*formation == Formation::Column)),
        _ => (true, None, None, None, None),
    }
}
