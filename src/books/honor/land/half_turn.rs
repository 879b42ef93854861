//! A half-turn's list of orders: judged before it is signed, carried out from the top, paused where it says so.

use std::collections::VecDeque;

use super::actions::{after, assume, judge, perform, skip, unfit};
use super::event::Event;
use super::judge::hex_at;
use super::orders::{Flight, Guard, HalfTurn, Order, Outcome, Standing};
use super::pieces::Id;
use super::state::{Fate, State};
use super::turn::Land;
use crate::cite::Cite;
use crate::play::{Judged, Play, Question, Refusal, Table};
use crate::side::Side;

/// How a list ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// All orders are done, or no points are left.
    Done,
    /// The player asked to be asked again.
    Paused,
}

/// Carries a list out (5.1, 6.2.8).
pub(super) fn carry_out(table: &mut Table<'_, Land>, side: Side, orders: &[Order]) -> Play<Flow, Land> {
    let numbered = orders.iter().enumerate().map(|(n, order)| (format!("orders[{n}]"), order.clone()));
    let mut ahead: VecDeque<(String, Order)> = numbered.collect();
    while let Some((path, order)) = ahead.pop_front() {
        if table.state().ap == 0 {
            not_reached(table, &path, &order);
            continue;
        }
        match order {
            Order::If { when, then, otherwise } => {
                let (branch, word) =
                    if holds(table.state(), side, &when) { (then, "then") } else { (otherwise, "else") };
                for (n, order) in branch.into_iter().enumerate().rev() {
                    ahead.push_front((format!("{path}.{word}[{n}]"), order));
                }
            }
            Order::Pause {} => return Ok(pause(table, path, ahead)),
            Order::AskMeIf { when } => {
                if holds(table.state(), side, &when) {
                    return Ok(pause(table, path, ahead));
                }
            }
            order => match judge(table.state(), side, &order) {
                Ok(plan) => perform(table, side, &plan, &path)?,
                Err(fault) => skip(table, &path, &fault),
            },
        }
    }
    Ok(Flow::Done)
}

/// 6.1.2: without points nothing more is done. A conditional order is not told of: its condition was never looked at.
fn not_reached(table: &mut Table<'_, Land>, path: &str, order: &Order) {
    if !matches!(order, Order::If { .. } | Order::Pause {} | Order::AskMeIf { .. }) {
        let why = Refusal::new("", Cite("FHG-6.1.2"), "is not reached: no action points are left");
        skip(table, path, &why.into());
    }
}

fn pause(table: &mut Table<'_, Land>, order: String, ahead: VecDeque<(String, Order)>) -> Flow {
    let rest = ahead.into_iter().map(|(_, order)| order).collect();
    table.tell(Event::Paused { order, rest });
    Flow::Paused
}

/// Whether a guard holds.
fn holds(state: &State, side: Side, guard: &Guard) -> bool {
    let hex = |label: &str| state.ground.hex(label).ok();
    let held = |label: &str, side: Side| hex(label).is_some_and(|hex| state.held(hex, side));
    let place = |id: &Id| state.unit(id).map(|u| (u.fate, u.hex)).or_else(|| state.leader(id).map(|l| (l.fate, l.hex)));
    match guard {
        Guard::Empty(label) => !held(label, side) && !held(label, side.other()),
        Guard::Enemy(label) => held(label, side.other()),
        Guard::Own(label) => held(label, side),
        Guard::Alive(id) => place(id).is_some_and(|(fate, hex)| fate == Fate::Fit && hex.is_some()),
        Guard::Lost(id) => place(id).is_some_and(|(fate, _)| fate == Fate::Eliminated),
        Guard::At { unit, hex: label } => place(unit).is_some_and(|(_, at)| at.is_some() && at == hex(label)),
        Guard::Mp { unit, least } => state.unit(unit).is_some_and(|u| u.on_board() && u.mp >= *least),
        Guard::Points(least) => state.ap >= *least,
        Guard::Last(Outcome::Held) => state.target.is_some_and(|hex| state.held(hex, side.other())),
        Guard::Last(outcome) => state.last.contains(outcome),
        Guard::All(all) => all.iter().all(|g| holds(state, side, g)),
        Guard::Any(any) => any.iter().any(|g| holds(state, side, g)),
        Guard::Not(guard) => !holds(state, side, guard),
    }
}

/// Guards inside one another.
const DEPTH: usize = 4;

/// What a guard names that is not there.
fn guard_faults(state: &State, guard: &Guard, path: &str, depth: usize, faults: &mut Vec<Refusal>) {
    let mut label = |label: &str| {
        if let Err(fault) = hex_at(state, "", label) {
            faults.push(fault.at(path));
        }
    };
    match guard {
        Guard::Empty(hex) | Guard::Enemy(hex) | Guard::Own(hex) => label(hex),
        Guard::At { unit, hex } => {
            label(hex);
            known(state, unit, path, faults);
        }
        Guard::Alive(id) | Guard::Lost(id) => known(state, id, path, faults),
        Guard::Mp { unit, .. } => {
            if state.unit(unit).is_none() && state.leader(unit).is_some() {
                faults.push(Refusal::new(path, Cite("FHG-3.3"), format!("`{unit}` is a leader; leaders have no MP")));
            } else {
                known(state, unit, path, faults);
            }
        }
        Guard::Points(_) | Guard::Last(_) => {}
        Guard::All(all) | Guard::Any(all) if all.is_empty() => {
            let why = "`all` and `any` need a condition or more between their brackets";
            faults.push(Refusal::new(path, Cite("FHG-5.1"), why));
        }
        Guard::All(all) | Guard::Any(all) if depth < DEPTH => {
            all.iter().for_each(|g| guard_faults(state, g, path, depth + 1, faults));
        }
        Guard::Not(guard) if depth < DEPTH => guard_faults(state, guard, path, depth + 1, faults),
        Guard::All(_) | Guard::Any(_) | Guard::Not(_) => {
            faults.push(Refusal::new(
                path,
                Cite("FHG-5.1"),
                format!("more than {DEPTH} conditions stand inside one another"),
            ));
        }
    }
}

fn known(state: &State, id: &Id, path: &str, faults: &mut Vec<Refusal>) {
    if state.unit(id).is_none() && state.leader(id).is_none() {
        faults.push(Refusal::new(path, Cite("FHG-4.1"), format!("`{id}` is no unit or leader of this battle")));
    }
}

/// The list judged before it is signed: as things stand up to the first dice, beyond them only what no dice can mend.
struct Look {
    side: Side,
    faults: Vec<Refusal>,
}

impl Look {
    fn list(&mut self, state: &mut State, certain: &mut bool, orders: &[Order], path: &str, depth: usize) {
        for (n, order) in orders.iter().enumerate() {
            self.one(state, certain, order, &format!("{path}[{n}]"), depth);
        }
    }

    fn one(&mut self, state: &mut State, certain: &mut bool, order: &Order, path: &str, depth: usize) {
        match order {
            Order::Pause {} => {}
            Order::AskMeIf { when } => guard_faults(state, when, &format!("{path}.when"), 0, &mut self.faults),
            Order::If { .. } if depth >= DEPTH => {
                let why = format!("more than {DEPTH} conditions stand inside one another");
                self.faults.push(Refusal::new(path, Cite("FHG-5.1"), why));
            }
            Order::If { when, then, otherwise } => {
                guard_faults(state, when, &format!("{path}.when"), 0, &mut self.faults);
                let first = holds(state, self.side, when);
                for (branch, word, taken) in [(then, "then", first), (otherwise, "else", !first)] {
                    let path = format!("{path}.{word}");
                    if *certain && taken {
                        let (mut next, mut sure) = (state.clone(), true);
                        self.list(&mut next, &mut sure, branch, &path, depth + 1);
                        (*state, *certain) = (next, sure);
                    } else {
                        self.list(&mut state.clone(), &mut false, branch, &path, depth + 1);
                    }
                }
            }
            order if *certain => match judge(state, self.side, order) {
                Ok(plan) => {
                    *certain = !plan.rolls();
                    *state = after(state, &assume(state, &plan));
                }
                Err(fault) => self.faults.push(fault.at(path)),
            },
            order => {
                if let Err(fault) = unfit(state, self.side, order) {
                    self.faults.push(fault.at(path));
                }
            }
        }
    }
}

/// Judges a whole answer.
pub(super) fn judge_half_turn(state: &State, side: Side, half: &HalfTurn) -> Judged<()> {
    let mut look = Look { side, faults: Vec::new() };
    look.list(&mut state.clone(), &mut true, &half.orders, "orders", 0);
    standing_faults(state, side, &half.standing, &mut look.faults);
    if look.faults.is_empty() { Ok(()) } else { Err(look.faults) }
}

/// What standing orders name that is not there.
fn standing_faults(state: &State, side: Side, standing: &Standing, faults: &mut Vec<Refusal>) {
    for id in standing.units.keys().filter(|id| state.unit(id).is_none_or(|u| u.side != side)) {
        let why = format!("`{id}` is no unit of yours");
        faults.push(Refusal::new("standing.units", Cite("FHG-4.1"), why));
    }
    for id in standing.leaders.keys().filter(|id| state.leader(id).is_none_or(|l| l.side != side)) {
        let why = format!("`{id}` is no leader of yours");
        faults.push(Refusal::new("standing.leaders", Cite("FHG-4.1"), why));
    }
    let flights =
        standing.leaders.values().map(|f| (f, "standing.leaders")).chain([(&standing.escape, "standing.escape")]);
    for (flight, path) in flights {
        let Flight::To(labels) = flight else { continue };
        for label in labels {
            if let Err(fault) = hex_at(state, "", label) {
                faults.push(fault.at(path));
            }
        }
    }
}

/// Orders of the phasing player: all of a half-turn, or what is left of it after a pause.
#[derive(Debug, Clone)]
pub struct OrdersQuestion {
    /// Who.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// 1, and one more after each pause.
    pub part: u32,
}

impl Question<Land> for OrdersQuestion {
    type Value = HalfTurn;
    const KIND: &'static str = "orders";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("t{}/{}/orders/{}", self.turn, self.side, self.part)
    }
    fn cite(&self) -> Cite {
        Cite("FHG-5.1")
    }
    fn check(&self, state: &State, half: &HalfTurn) -> Judged<()> {
        judge_half_turn(state, self.side, half)
    }
    /// Nobody acts, and every standing order is the adjudicator's.
    fn absent(&self, _state: &State) -> Option<HalfTurn> {
        Some(HalfTurn::default())
    }
    fn options(&self, _state: &State) -> Vec<HalfTurn> {
        vec![HalfTurn::default()]
    }
    fn sample(&self, state: &State, pick: &mut dyn FnMut(u32) -> u32) -> HalfTurn {
        super::random::half_turn(state, self.side, pick)
    }
}
