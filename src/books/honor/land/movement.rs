//! Chapter 7: moving, and what a unit meets on its way.

use super::boats::{self, Bar, barred};
use super::event::{Event, LeaderLoss};
use super::judge::{Fault, hex_at, may_act, no_points, own_leader, own_unit, with_path};
use super::orders::Advance;
use super::pieces::{Formation, Id, UnitType};
use super::rulings::{LeaderPass, LeaderWithIndians, Overrun, VpTaking, Waterway};
use super::scenario::Taking;
use super::state::{Deed, Entry, Leader, State, Unit};
use super::terrain::Terrain;
use crate::cite::Cite;
use crate::hex::Hex;
use crate::play::Refusal;
use crate::side::Side;

/// A move that is legal now.
#[derive(Debug, Clone)]
pub(super) struct MovePlan {
    pub unit: Id,
    pub path: Vec<Hex>,
    pub with: Option<Id>,
    pub ap: u8,
}

/// A leader's move of his own.
#[derive(Debug, Clone)]
pub(super) struct LeaderPlan {
    pub leader: Id,
    pub path: Vec<Hex>,
    pub ap: u8,
}

/// What a move is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The whole activation.
    Whole,
    /// Move, then fire: so many points are needed after it.
    BeforeFire,
    /// Fire, then move.
    AfterFire,
}

/// Hexes a unit moves without a leader's help (movement chart, 7.5), or its boat goes (NAV-2.3.d).
#[must_use]
pub fn allowance(unit: &Unit) -> u8 {
    if unit.boat > 0 { unit.boat } else { unit.kind.moves() + u8::from(unit.formation == Formation::Column) }
}

/// What is wrong with a path whatever happens before it is gone: labels, adjacency, length, and what bars each hex by the
/// hex before it.
pub(super) fn unfit_path(
    state: &State,
    path: &[String],
    most: u8,
    row: Cite,
    barred: &dyn Fn(Option<Hex>, Hex) -> Option<Bar>,
) -> Result<Vec<Hex>, Fault> {
    if path.is_empty() {
        return Err(Refusal::new("path", Cite("FHG-7.1"), "the path names no hex")
            .instead("list the hexes it enters")
            .into());
    }
    let mut hexes = Vec::new();
    for (n, label) in path.iter().enumerate() {
        let at = format!("path[{n}]");
        let hex = hex_at(state, &at, label)?;
        if hexes.last().is_some_and(|before: &Hex| before.distance(hex) != 1) {
            let why = format!("{label} is not next to {}", path[n - 1]);
            return Err(Refusal::new(at, Cite("FHG-7.1"), why).into());
        }
        if let Some((cite, why)) = barred(hexes.last().copied(), hex) {
            return Err(Refusal::new(at, cite, format!("{label} is {why}")).into());
        }
        hexes.push(hex);
    }
    if path.len() > usize::from(most) {
        let why = format!("the path is {} hexes long; the most is {most}", path.len());
        return Err(Refusal::new("path", row, why).into());
    }
    Ok(hexes)
}

/// What is wrong with a move whatever the dice do before it.
pub(super) fn unfit_move(
    state: &State,
    side: Side,
    id: &Id,
    path: &[String],
    with: Option<&Id>,
    part: Part,
) -> Result<Vec<Hex>, Fault> {
    let unit = own_unit(state, side, id)?;
    if let Some(leader) = with {
        own_leader(state, side, leader).map_err(|f| f.under("with"))?;
    }
    if unit.boat > 0 {
        return boats::unfit_voyage(state, unit, path, with.is_some(), part);
    }
    // A column may be formed before this order is reached, so the longest path counts it in.
    let column = u8::from(unit.kind.forms_column());
    let bonus = u8::from(with.is_some() && !unit.kind.gun() && part == Part::Whole);
    let base = unit.kind.moves();
    if with.is_some() && path.len() > usize::from(base) && (unit.kind.gun() || part != Part::Whole) {
        let why = if unit.kind.gun() {
            "a leader's extra hex is not for artillery and rockets"
        } else {
            "a leader's extra hex is not for units that move and fire"
        };
        return Err(Refusal::new("path", Cite("FHG-9.1.2"), why).into());
    }
    if unit.formation == Formation::Column && with.is_some() && path.len() > usize::from(base + column) {
        let why = "a unit in column has no extra hex from a leader";
        return Err(Refusal::new("path", Cite("FHG-9.1.3"), why).into());
    }
    let bar = |_: Option<Hex>, hex: Hex| barred(&state.ground, hex, false);
    unfit_path(state, path, base + column.max(bonus), unit.kind.move_row(), &bar)
}

/// Judges a move as things stand.
pub(super) fn judge_move(
    state: &State,
    side: Side,
    id: &Id,
    path: &[String],
    with: Option<&Id>,
    part: Part,
) -> Result<MovePlan, Fault> {
    let hexes = unfit_move(state, side, id, path, with, part)?;
    let unit = own_unit(state, side, id)?;
    may_act(unit, Deed::Moved, part == Part::AfterFire)?;
    first_step(state, &unit.name, (unit.hex, unit.entry.as_ref()), &hexes, path)?;
    if let Some(leader) = with {
        goes_with(state, unit, leader, side)?;
    }
    let base = allowance(unit);
    let farther = hexes.len() > usize::from(base);
    if farther && with.is_none() {
        let why = format!("the path is {} hexes long; {} move {base}", hexes.len(), unit.kind.word());
        return Err(Refusal::new("path", unit.kind.move_row(), why).into());
    }
    on_the_way(state, side, unit, &hexes, path, with.is_some())?;
    if let (Some(leader), Some(end)) = (with, hexes.last()) {
        let other = state.leader_in(*end, side).filter(|l| l.id != *leader);
        if let Some(other) = other {
            let why = format!("the path ends where {} is; two leaders may not share a hex", other.name);
            return Err(Refusal::new("path", Cite("FHG-4.3.p1"), why).into());
        }
    }
    let water = hexes.last().map_or(0, |end| waterway_cost(state, Some(unit), *end));
    let ap = 1 + u8::from(farther) + water;
    let reserve = u8::from(part == Part::BeforeFire);
    if state.ap < ap + reserve {
        let rule = match (water > 0, farther, part) {
            (true, _, _) => "FHG-2.3.3.b",
            (_, true, _) => "FHG-6.2.5",
            (_, _, Part::Whole) => "FHG-6.1.2",
            _ => unit_rule(unit),
        };
        return Err(no_points(state, ap + reserve, rule));
    }
    Ok(MovePlan { unit: id.clone(), path: hexes, with: with.cloned(), ap })
}

/// The rule by which dragoons or Indians combine moving and firing.
pub(super) fn unit_rule(unit: &Unit) -> &'static str {
    if unit.kind == UnitType::Dragoon { "FHG-6.2.3" } else { "FHG-6.2.4" }
}

/// L01: points on top of the move's for ending it in a waterway, which boats do not pay; `unit` is none for a leader alone.
#[must_use]
pub fn waterway_cost(state: &State, unit: Option<&Unit>, end: Hex) -> u8 {
    if !state.ground.terrain(end).water() || unit.is_some_and(|u| u.boat > 0) {
        return 0;
    }
    match state.rulings.waterway {
        Waterway::OneMore => 1,
        Waterway::TwoMore => 2,
        Waterway::Stop => 0,
    }
}

/// The first hex of a path is next to the piece, or one of its entry hexes.
fn first_step(
    state: &State,
    who: &str,
    (from, entry): (Option<Hex>, Option<&Entry>),
    hexes: &[Hex],
    path: &[String],
) -> Result<(), Fault> {
    let (Some(first), Some(label)) = (hexes.first(), path.first()) else { return Ok(()) };
    match (from, entry) {
        (Some(from), _) if from.distance(*first) == 1 => Ok(()),
        (Some(from), _) => {
            let why = format!("{label} is not next to {}, where {who} stands", state.label(from));
            Err(Refusal::new("path[0]", Cite("FHG-7.1"), why).into())
        }
        (None, Some(entry)) if state.turn < entry.turn => {
            Err(Refusal::new("unit", Cite("FHG-4.1"), format!("{who} does not come before turn {}", entry.turn)).into())
        }
        (None, Some(entry)) if entry.hexes.contains(first) => Ok(()),
        (None, Some(entry)) => {
            let by: Vec<String> = entry.hexes.iter().map(|h| state.label(*h)).collect();
            let why = format!("{who} does not enter at {label}");
            Err(Refusal::new("path[0]", Cite("FHG-4.1"), why)
                .instead(format!("It enters at {}.", by.join(", ")))
                .into())
        }
        (None, None) => Err(Refusal::new("unit", Cite("FHG-4.1"), format!("{who} is not on the board")).into()),
    }
}

/// 6.2.6, 9.1.1: the leader began the half-turn with the unit and has not moved; both still stand together.
fn goes_with(state: &State, unit: &Unit, leader: &Id, side: Side) -> Result<(), Fault> {
    let leader = own_leader(state, side, leader).map_err(|f| f.under("with"))?;
    let refuse = |cite: &'static str, why: String| Err(Refusal::new("with", Cite(cite), why).into());
    if leader.moved {
        return refuse("FHG-7.1.1", format!("{} has moved already", leader.name));
    }
    if leader.rallied {
        return refuse("FHG-9.4.p1", format!("{} has rallied a unit and stays with it", leader.name));
    }
    if leader.hex != unit.hex || leader.began != unit.began || leader.began != leader.hex {
        return refuse("FHG-6.2.6", format!("{} did not begin the turn with {}", leader.name, unit.name));
    }
    if unit.hex.is_none() && leader.entry != unit.entry {
        return refuse("FHG-6.2.6", format!("{} does not come when and where {} comes", leader.name, unit.name));
    }
    Ok(())
}

/// 4.3, 6.2.7, L18: why a unit may not enter a hex: an enemy combat unit, or a friend in its place.
pub(super) fn bars(state: &State, side: Side, unit: &Unit, hex: Hex, last: bool) -> Option<(Cite, String)> {
    let label = state.label(hex);
    if state.held(hex, side.other()) {
        return Some((Cite("FHG-4.3.p3"), format!("{label} holds an enemy unit")));
    }
    let other = state.placed(hex, unit.kind.place()).filter(|u| u.id != unit.id)?;
    let cite = if last { "FHG-4.3" } else { "FHG-6.2.7" };
    Some((Cite(cite), format!("{} is in {label}; the two may not stand in one hex", other.name)))
}

/// 7.2, 7.4, L18: stacking in every hex entered, no enemy combat unit, and terrain that ends a move.
fn on_the_way(state: &State, side: Side, unit: &Unit, hexes: &[Hex], path: &[String], led: bool) -> Result<(), Fault> {
    for (n, (hex, label)) in hexes.iter().zip(path).enumerate() {
        let at = format!("path[{n}]");
        let last = n + 1 == hexes.len();
        if let Some((cite, why)) = bars(state, side, unit, *hex, last) {
            return Err(Refusal::new(at, cite, why).into());
        }
        if last {
            break;
        }
        if let Some(cite) = stops(state, *hex, Some(unit), led) {
            let why = if unit.boat > 0 {
                format!("the path goes on from {label}, where the unit lands; landing ends the move")
            } else {
                format!("the path goes on from {label}; a unit stops on entering {}", state.ground.terrain(*hex).word())
            };
            return Err(Refusal::new(format!("path[{}]", n + 1), cite, why).into());
        }
    }
    Ok(())
}

/// The rule by which a move ends in a hex, if it does; `unit` is none for a leader alone.
#[must_use]
pub fn stops(state: &State, hex: Hex, unit: Option<&Unit>, led: bool) -> Option<Cite> {
    let terrain = state.ground.terrain(hex);
    let indians = unit.is_some_and(|u| u.kind == UnitType::Indian);
    let shares = !led || state.rulings.with_indians == LeaderWithIndians::Shares;
    if unit.is_some_and(|u| u.boat > 0) {
        return boats::lands(terrain);
    }
    match terrain {
        Terrain::Forest if indians && shares => None,
        Terrain::Hill if state.options.easy_hills.on() => None,
        _ => terrain.stops(),
    }
}

/// What a legal move does.
pub(super) fn march(state: &State, plan: &MovePlan) -> Vec<Event> {
    let from = state.unit(&plan.unit).and_then(|u| u.hex).map(|hex| state.label(hex));
    let path = plan.path.iter().map(|hex| state.label(*hex)).collect();
    let moved = Event::Moved { unit: plan.unit.clone(), from, path, with: plan.with.clone(), ap: plan.ap };
    let mut story = Story::begin(state, moved);
    for (n, hex) in plan.path.iter().enumerate() {
        story.enter(&plan.unit, *hex, n + 1 == plan.path.len());
    }
    story.events
}

/// Events of something that needs no dice, each built on the position the one before left.
pub(super) struct Story {
    state: State,
    events: Vec<Event>,
}

impl Story {
    pub(super) fn begin(state: &State, first: Event) -> Story {
        let mut story = Story { state: state.clone(), events: Vec::new() };
        story.tell(first);
        story
    }

    fn tell(&mut self, event: Event) {
        super::apply::apply(&mut self.state, &event);
        self.events.push(event);
    }

    pub(super) fn events(self) -> Vec<Event> {
        self.events
    }

    /// A combat unit enters a hex: it leaves its boat if that is land (NAV-2.3.d), eliminates a lone enemy leader (7.3, 9.3.3)
    /// and takes an enemy victory point unit (L21).
    pub(super) fn enter(&mut self, unit: &Id, hex: Hex, last: bool) {
        let Some((side, boat)) = self.state.unit(unit).map(|u| (u.side, u.boat)) else { return };
        if boat > 0 && boats::lands(self.state.ground.terrain(hex)).is_some() {
            self.tell(Event::Landed { unit: unit.clone(), at: self.state.label(hex) });
        }
        self.overrun(side, hex);
        let Some(objective) = self.state.objective_in(hex).filter(|o| o.side != side) else { return };
        let by_stopping = self.state.rulings.taking == VpTaking::Scenario && objective.taking == Taking::Stop;
        if last || !by_stopping {
            let (id, worth) = (objective.id.clone(), objective.worth);
            self.tell(Event::Captured { objective: id, by: unit.clone() });
            self.score(side, worth, "FHG-10.B");
        }
    }

    fn overrun(&mut self, side: Side, hex: Hex) {
        if self.state.held(hex, side.other()) {
            return;
        }
        let Some(leader) = self.state.leader_in(hex, side.other()) else { return };
        let (id, worth) = (leader.id.clone(), leader.worth);
        self.tell(Event::LeaderLost { leader: id, why: LeaderLoss::Overrun });
        self.score(side, worth, "FHG-10.A");
    }

    fn score(&mut self, side: Side, points: u32, rule: &'static str) {
        if points > 0 {
            let total = self.state.armies.get(side).points + points;
            self.tell(Event::Scored { side, points, total, cite: Cite(rule) });
        }
    }
}

/// What is wrong with a leader's own move whatever the dice do before it.
pub(super) fn unfit_leader(state: &State, side: Side, id: &Id, path: &[String]) -> Result<Vec<Hex>, Fault> {
    let leader = own_leader(state, side, id)?;
    let bar = |from: Option<Hex>, hex: Hex| boats::barred_leader(&state.ground, from.or(leader.hex), hex);
    unfit_path(state, path, super::pieces::LEADER_MOVES, Cite("FHG-CHART-MOVE.f"), &bar)
}

/// 9.1: a leader moves alone, with all terrain penalties; friends do not hinder him, enemy combat units do (L19).
pub(super) fn judge_leader(state: &State, side: Side, id: &Id, path: &[String]) -> Result<LeaderPlan, Fault> {
    let hexes = unfit_leader(state, side, id, path)?;
    let leader = own_leader(state, side, id)?;
    let refuse = |at: &str, cite: Cite, why: String| Err(Refusal::new(at, cite, why).into());
    if leader.moved {
        return refuse("leader", Cite("FHG-7.1.1"), format!("{} has moved already", leader.name));
    }
    if leader.rallied {
        return refuse("leader", Cite("FHG-9.4.p1"), format!("{} has rallied a unit and stays with it", leader.name));
    }
    first_step(state, &leader.name, (leader.hex, leader.entry.as_ref()), &hexes, path)?;
    for (n, (hex, label)) in hexes.iter().zip(path).enumerate() {
        let last = n + 1 == hexes.len();
        if let Some((cite, why)) = bars_leader(state, side, leader, *hex, last) {
            return refuse(&format!("path[{n}]"), cite, why);
        }
        if !last && let Some(cite) = stops(state, *hex, None, false) {
            let why = format!(
                "the path goes on from {label}; a leader stops on entering {}",
                state.ground.terrain(*hex).word()
            );
            return refuse(&format!("path[{}]", n + 1), cite, why);
        }
    }
    let ap = 1 + hexes.last().map_or(0, |end| waterway_cost(state, None, *end));
    if state.ap < ap {
        return Err(no_points(state, ap, if ap > 1 { "FHG-2.3.3.b" } else { "FHG-6.2.6" }));
    }
    Ok(LeaderPlan { leader: id.clone(), path: hexes, ap })
}

/// 9.1, 4.3: why a leader alone may not pass through a hex, or end in it.
pub(super) fn bars_leader(state: &State, side: Side, leader: &Leader, hex: Hex, last: bool) -> Option<(Cite, String)> {
    let label = state.label(hex);
    if state.held(hex, side.other()) && (last || state.rulings.leader_pass == LeaderPass::Friends) {
        return Some((Cite("FHG-9.1"), format!("{label} holds an enemy unit")));
    }
    let overrun = state.rulings.overrun == Overrun::AnyUnit;
    let others = state.leaders.iter().filter(|l| l.on_board() && l.hex == Some(hex) && l.id != leader.id);
    let other = others.filter(|l| l.side == side || !overrun).find(|_| last)?;
    Some((Cite("FHG-4.3.p1"), format!("the path ends where {} is; two leaders may not share a hex", other.name)))
}

/// What a leader's legal move does. By ruling L20 he may eliminate a lone enemy leader.
pub(super) fn ride(state: &State, plan: &LeaderPlan) -> Vec<Event> {
    let leader = state.leader(&plan.leader);
    let from = leader.and_then(|l| l.hex).map(|hex| state.label(hex));
    let path = plan.path.iter().map(|hex| state.label(*hex)).collect();
    let mut story = Story::begin(state, Event::LeaderMoved { leader: plan.leader.clone(), from, path, ap: plan.ap });
    if let (Some(leader), Overrun::AnyUnit) = (leader, state.rulings.overrun) {
        plan.path.iter().for_each(|hex| story.overrun(leader.side, *hex));
    }
    story.events
}

/// Whether an order to advance fits the rules in force (8.3.4, L17).
pub(super) fn unfit_advance(state: &State, advance: Advance) -> Result<(), Fault> {
    if advance == Advance::WithLeader && state.rulings.advance_leader == super::rulings::AdvanceLeader::Stays {
        let why = "the leader with an attacker stays behind in this game (L17)";
        return Err(with_path("advance", Refusal::new("", Cite("FHG-8.3.4"), why)));
    }
    Ok(())
}
