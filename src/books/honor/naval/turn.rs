//! Chapter 4: the sequence of play, and one plotted move from reveal to boarding.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::orders::{Board, Conduct, Fire, Lead, Marker, Order, Preference, ShipId};
use super::plot::{first_reason, judge_conduct, judge_prefix, part, sound};
use super::policy::Policy;
use super::position::Position;
use super::rulings::DeclaresFirst;
use super::state::State;
use crate::cite::Cite;
use crate::play::{Checkpoint, Judged, Play, Question, System, Table};
use crate::side::{Side, Sides};

/// The naval rules of For Honor and Glory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Naval;

/// Between two phases. Each is a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Stage {
    /// A turn is about to begin: wind, gauge, allotments.
    Weather {},
    /// Both sides are about to plot.
    Plot {},
    /// Markers of this step are about to be revealed.
    Marker {
        /// From 1.
        step: u8,
    },
    /// All markers are played: victory is checked.
    TurnEnd {},
}

impl System for Naval {
    type Stage = Stage;
    type State = State;
    type Event = Event;
    type Policy = Policy;

    fn apply(state: &mut State, event: &Event) {
        super::apply::apply(state, event);
    }

    fn phase(table: &mut Table<'_, Naval>, at: &Stage) -> Play<Stage, Naval> {
        match at {
            Stage::Weather {} => super::wind::weather(table),
            Stage::Plot {} => super::plot::plot(table),
            Stage::Marker { step } => marker(table, *step),
            Stage::TurnEnd {} => super::victory::turn_end(table),
        }
    }

    /// A turn file, from any phase at which no sealed plot is in play.
    fn place(position: &str) -> Result<Checkpoint<Naval>, String> {
        let position: Position = serde_json::from_str(position).map_err(|e| format!("it is no naval position: {e}"))?;
        if matches!(position.stage, Stage::Marker { .. }) {
            return Err(
                "a position to go on from begins with weather, plot or turn-end: a marker has sealed plots".into()
            );
        }
        position.into_checkpoint().map_err(|faults| faults.join("; "))
    }
}

/// One step: 5.8 reveal, movement, 6 fire, 8 boarding (fire first, N17).
fn marker(table: &mut Table<'_, Naval>, step: u8) -> Play<Stage, Naval> {
    for side in Side::ALL {
        table.stand(side, Policy::default());
    }
    let markers = reveal(table, step)?;
    movement(table, step, markers)?;
    fire(table, step)?;
    super::boarding::boardings(table)?;
    // 5.12, 4.1: who is left plays his remaining markers; with nobody left there is nothing to play.
    let gone = Side::ALL.iter().all(|side| !has_ships(table, *side));
    if gone || step >= table.state().steps() { Ok(Stage::TurnEnd {}) } else { Ok(Stage::Marker { step: step + 1 }) }
}

/// 5.8: both markers of the step are turned up together. What is illegal counts as STOP from there on (N41).
fn reveal(table: &mut Table<'_, Naval>, step: u8) -> Play<Sides<Option<Marker>>, Naval> {
    let turn = table.state().turn;
    table.due(&horizon(table, step, &[]))?;
    let movers: Vec<Side> = Side::ALL.into_iter().filter(|s| step <= table.state().fleets.get(*s).markers).collect();
    let slots: Vec<(Side, String)> = movers.iter().map(|s| (*s, part(turn, *s, &format!("marker/{step}")))).collect();
    let opened = table.open::<Option<Marker>>(&slots, Cite("N41"))?;
    let mut markers = Sides { british: None, american: None };
    for (side, found) in movers.into_iter().zip(opened) {
        *markers.get_mut(side) = judged_marker(table, side, step, found);
    }
    table.tell(Event::Revealed { step, markers });
    Ok(markers)
}

fn judged_marker(table: &mut Table<'_, Naval>, side: Side, step: u8, found: Judged<Option<Marker>>) -> Option<Marker> {
    let fleet = table.state().fleets.get(side);
    if fleet.stopped_from.is_some() {
        return Some(Marker::Stop);
    }
    let verdict = found.map_err(|r| (Cite("N41"), first_reason(&r))).and_then(|marker| {
        let mut row: Vec<Option<Marker>> = fleet.played.iter().copied().map(Some).collect();
        while row.len() + 1 < usize::from(step) {
            row.push(None);
        }
        row.push(marker);
        judge_prefix(table.state(), side, &row).map_err(|(_, r)| (r.cite, r.why))?;
        Ok(marker)
    });
    verdict.unwrap_or_else(|(cite, why)| {
        table.tell(Event::PlotStopped { side, step, why, cite });
        Some(Marker::Stop)
    })
}

/// 5.8, 9.6: who executes first, which ships, and the moves.
fn movement(table: &mut Table<'_, Naval>, step: u8, markers: Sides<Option<Marker>>) -> Play<(), Naval> {
    let moves = |s: &Side| markers.get(*s).is_some() && has_ships(table, *s);
    let movers: Vec<Side> = Side::ALL.into_iter().filter(moves).collect();
    let mut order = movers.clone();
    let multiple = table.state().multiple;
    let chooser = table.state().chooser;
    if movers.len() == 2 {
        let first = if multiple { moves_first(table, step)? } else { chooser };
        order = vec![first, first.other()];
    }
    let mut courses: Vec<(ShipId, Marker)> = Vec::new();
    for (at, side) in order.into_iter().enumerate() {
        if table.state().fleets.get(side).squadron {
            react(table, side, step)?;
            open_lead(table, side)?;
        }
        let marker = markers.get(side).unwrap_or(Marker::Stop);
        let ships = super::squadron::designate(table, side, at > 0)?;
        courses.extend(ships.into_iter().map(|id| (id, marker)));
    }
    super::sailing::sail(table, &courses);
    super::squadron::command_loss(table)
}

fn moves_first(table: &mut Table<'_, Naval>, step: u8) -> Play<Side, Naval> {
    let by = table.state().chooser;
    react(table, by, step)?;
    open_order(table, by)?;
    let (turn, kind) = (table.state().turn, OrderKind::Moves);
    let first = table.decide(FirstQuestion { side: by, turn, step, kind })?.of(by);
    table.tell(Event::MovesFirst { by, first });
    Ok(first)
}

/// 9.7, 3.1.1: all shots of the step are declared before any dice; then they are all rolled.
fn fire(table: &mut Table<'_, Naval>, step: u8) -> Play<(), Naval> {
    let can = |table: &Table<'_, Naval>, side: Side| !super::gunnery::shots(table.state(), side).is_empty();
    let both = can(table, Side::British) && can(table, Side::American);
    let first = if both { declares_first(table, step)? } else { table.state().chooser };
    let before = table.now();
    let mut declared = Vec::new();
    for side in [first, first.other()] {
        react(table, side, step)?;
        if can(table, side) {
            open_fire(table, side)?;
            declared.extend(super::gunnery::declare(table, side)?);
        }
    }
    super::gunnery::resolve(table, &before, &declared)?;
    super::squadron::command_loss(table)
}

/// N03: fleets by 9.7 (the side without the gauge; if both or neither has it, the side without commander's advantage);
/// single ships, or both under the alternative, as the holder chooses (3.1.1).
fn declares_first(table: &mut Table<'_, Naval>, step: u8) -> Play<Side, Naval> {
    let state = table.state();
    let (first, cite) = if state.multiple && state.rulings.declares == DeclaresFirst::ByAction {
        let first = match (state.gauge.british, state.gauge.american) {
            (true, false) => Side::American,
            (false, true) => Side::British,
            _ => state.advantage.other(),
        };
        (first, Cite("NAV-9.7"))
    } else {
        let (by, turn, kind) = (state.chooser, state.turn, OrderKind::Fires);
        react(table, by, step)?;
        open_order(table, by)?;
        let first = table.decide(FirstQuestion { side: by, turn, step, kind })?.of(by);
        (first, Cite("NAV-3.1.1.p1"))
    };
    table.tell(Event::DeclaresFirst { first, cite });
    Ok(first)
}

/// What the choice of order is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderKind {
    /// Who executes first (9.6).
    Moves,
    /// Who declares fire first (3.1.1).
    Fires,
}

/// Who goes first, asked of the player who has the choice.
#[derive(Debug, Clone)]
pub struct FirstQuestion {
    /// Who chooses.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// The step.
    pub step: u8,
    /// What about.
    pub kind: OrderKind,
}

impl Preference {
    /// The side meant, seen from the chooser.
    #[must_use]
    pub fn of(self, chooser: Side) -> Side {
        match self {
            Preference::Us => chooser,
            Preference::Enemy => chooser.other(),
        }
    }
}

impl Question<Naval> for FirstQuestion {
    type Value = Preference;
    const KIND: &'static str = "first";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        let what = if self.kind == OrderKind::Moves { "moves-first" } else { "fires-first" };
        format!("t{}/{}/{what}/{}", self.turn, self.side, self.step)
    }
    fn cite(&self) -> Cite {
        Cite("NAV-3.1.1.p1")
    }
    fn check(&self, _state: &State, _value: &Preference) -> Judged<()> {
        Ok(())
    }
    fn standing(&self, _state: &State, policy: &Policy) -> Option<Preference> {
        let order = policy.order.as_ref()?;
        Some(if self.kind == OrderKind::Moves { order.moves_first } else { order.fires_first })
    }
    fn options(&self, _state: &State) -> Vec<Preference> {
        vec![Preference::Enemy, Preference::Us]
    }
}

/// REACT: a player who asked for it is asked once at this step, before his first choice in it.
#[derive(Debug, Clone)]
pub struct ReactQuestion {
    /// Who.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// The step.
    pub step: u8,
}

impl Question<Naval> for ReactQuestion {
    type Value = Conduct;
    const KIND: &'static str = "react";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("t{}/{}/react/{}", self.turn, self.side, self.step)
    }
    fn cite(&self) -> Cite {
        Cite("NAV-9.6")
    }
    fn check(&self, state: &State, conduct: &Conduct) -> Judged<()> {
        let faults = judge_conduct(state, self.side, conduct, "");
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
    /// Hold fire, no boarding (N42).
    fn absent(&self, _state: &State) -> Option<Conduct> {
        Some(Conduct::default())
    }
    fn options(&self, _state: &State) -> Vec<Conduct> {
        vec![Conduct::default()]
    }
    fn sample(&self, state: &State, pick: &mut dyn FnMut(u32) -> u32) -> Conduct {
        super::random::conduct(state, self.side, pick)
    }
}

/// Whether a player is to be asked again at a step. Without ships there is nothing to ask.
fn reacts(table: &Table<'_, Naval>, side: Side, step: u8) -> bool {
    table.state().fleets.get(side).react.contains(&step) && has_ships(table, side)
}

fn has_ships(table: &Table<'_, Naval>, side: Side) -> bool {
    table.state().afloat(side).next().is_some()
}

fn react(table: &mut Table<'_, Naval>, side: Side, step: u8) -> Play<(), Naval> {
    if !reacts(table, side, step) || table.standing().get(side).reacted {
        return Ok(());
    }
    let turn = table.state().turn;
    let conduct = table.decide(ReactQuestion { side, turn, step })?;
    table.stand(side, Policy::from(conduct));
    let done: Vec<Side> = Side::ALL.into_iter().filter(|s| table.standing().get(*s).reacted).collect();
    let ahead = horizon(table, step, &done);
    table.due(&ahead)
}

/// The parts that must be open before play goes on from a step: all up to the next REACT, so that one mail carries
/// every opening of the stretch. `done`: who has reacted at this step already. Public facts alone decide.
fn horizon(table: &Table<'_, Naval>, from: u8, done: &[Side]) -> Vec<(Side, String)> {
    let state = table.state();
    let mut slots = Vec::new();
    for step in from..=state.steps() {
        let reactors: Vec<Side> = Side::ALL.into_iter().filter(|s| reacts(table, *s, step)).collect();
        let pending = reactors.iter().any(|s| step > from || !done.contains(s));
        for side in Side::ALL {
            let fleet = state.fleets.get(side);
            let mut add = |name: &str| slots.push((side, part(state.turn, side, &format!("{name}/{step}"))));
            if step <= fleet.markers {
                add("marker");
            }
            if reactors.contains(&side) {
                continue; // his answer stands in the place of the rest
            }
            if state.chooser == side {
                add("order");
            }
            if pending {
                continue;
            }
            if fleet.squadron {
                add("lead");
            }
            add("fire");
            add("board");
        }
        if pending {
            break;
        }
    }
    slots
}

/// Opens one part of a side's conduct when it is first used, unless a REACT stands in its place.
fn open_part<T: Default + Serialize + serde::de::DeserializeOwned>(
    table: &mut Table<'_, Naval>,
    side: Side,
    name: &'static str,
    into: impl FnOnce(&T) -> Conduct,
) -> Play<T, Naval> {
    let (turn, step) = (table.state().turn, table.state().step);
    let slot = part(turn, side, &format!("{name}/{step}"));
    let found = table.open::<T>(&[(side, slot)], Cite("N41"))?.pop().unwrap_or_else(|| Ok(T::default()));
    Ok(match sound(table.state(), side, found, into) {
        Ok(value) => value,
        Err(why) => {
            table.tell(Event::OrdersVoid { side, step, part: name, why });
            T::default()
        }
    })
}

fn open_order(table: &mut Table<'_, Naval>, side: Side) -> Play<(), Naval> {
    let policy = table.standing().get(side).clone();
    if policy.order.is_some() {
        return Ok(());
    }
    let order = open_part::<Order>(table, side, "order", |order| Conduct { order: *order, ..Conduct::default() })?;
    table.stand(side, Policy { order: Some(order), ..policy });
    Ok(())
}

/// Designations and succession.
pub(super) fn open_lead(table: &mut Table<'_, Naval>, side: Side) -> Play<(), Naval> {
    let policy = table.standing().get(side).clone();
    if policy.lead.is_some() {
        return Ok(());
    }
    let lead = open_part::<Lead>(table, side, "lead", |lead| Conduct { lead: lead.clone(), ..Conduct::default() })?;
    table.stand(side, Policy { lead: Some(lead), ..policy });
    Ok(())
}

fn open_fire(table: &mut Table<'_, Naval>, side: Side) -> Play<(), Naval> {
    let policy = table.standing().get(side).clone();
    if policy.fire.is_some() {
        return Ok(());
    }
    let fire = open_part::<Fire>(table, side, "fire", |fire| Conduct { fire: fire.clone(), ..Conduct::default() })?;
    table.stand(side, Policy { fire: Some(fire), ..policy });
    Ok(())
}

/// Boarding policy is opened only when two ships share a hex.
pub(super) fn open_board(table: &mut Table<'_, Naval>, side: Side) -> Play<(), Naval> {
    let policy = table.standing().get(side).clone();
    if policy.board.is_some() {
        return Ok(());
    }
    let board =
        open_part::<Board>(table, side, "board", |board| Conduct { board: board.clone(), ..Conduct::default() })?;
    table.stand(side, Policy { board: Some(board), ..policy });
    Ok(())
}
