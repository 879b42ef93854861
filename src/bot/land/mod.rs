//! The land game: the best order for each action point, then the next best as things then stand, until the points are
//! spent.
//!
//! `field` says what a place is worth, `worth` what attacks bring, `moves` where pieces can go, `ideas` lists orders.
//! Behind dice nothing is certain: an attack on a hex attacked before is carried out only if the enemy is still there,
//! and spare orders stand at the end of the list, for points that are left because others could not be carried out.

mod field;
mod ideas;
mod moves;
mod worth;

use std::collections::BTreeMap;

use crate::books::honor::land::{Course, Guard, HalfTurn, Land, Order, Standing, State, Ties, UnitStanding, foresee};
use crate::bot::odds::POINT;
use crate::bot::{Pick, Seen};
use crate::hex::{Dir, Hex};
use crate::play::to_content;
use crate::side::Side;
use field::Field;
use ideas::Idea;

/// Orders that bring less than this are not given: points left over cost nothing, restlessness does.
const LEAST: i64 = POINT / 200;

/// Orders of a half-turn at most: more than there are points in any.
const MOST: usize = 14;

/// Spare orders behind those that use the points up.
const SPARE: usize = 4;

/// So near, in hexes, an enemy has to be for a unit to be told where to fall back to.
const NEAR: u32 = 3;

/// Values that differ by less than one in so many are alike, and which is taken the enemy shall not foresee.
const ALIKE: i64 = 25;

/// The answer to a question. Standing orders answer whatever else the book asks.
pub(super) fn answer(seen: &Seen<'_, Land>, pick: Pick<'_>) -> Option<String> {
    let (state, side) = (seen.position, seen.side);
    (seen.question.kind() == "orders").then(|| to_content(&half_turn(state, side, pick)))
}

fn half_turn(state: &State, side: Side, pick: Pick<'_>) -> HalfTurn {
    let field = Field::new(state, side);
    let mut list = List { side, now: state.clone(), orders: Vec::new(), dice: false, gone: BTreeMap::new() };
    while list.orders.len() < MOST && list.now.ap > 0 && list.extend(&field, pick) {}
    // Only where dice may leave points over.
    for _ in 0..if list.dice { SPARE } else { 0 } {
        list.now.ap = 2;
        if !list.extend(&field, pick) {
            break;
        }
    }
    HalfTurn { orders: list.orders, standing: standing(state, side, &field) }
}

/// Orders so far, and where things stand behind them as far as that is certain.
struct List {
    side: Side,
    now: State,
    orders: Vec<Order>,
    /// Whether dice have been rolled.
    dice: bool,
    /// Hexes attacked, and how likely the enemy is gone from them, in parts of [`POINT`].
    gone: BTreeMap<Hex, i64>,
}

impl List {
    /// Adds the best order there is; false if there is none.
    fn extend(&mut self, field: &Field, pick: Pick<'_>) -> bool {
        let mut ideas = ideas::all(&self.now, self.side, field);
        for idea in &mut ideas {
            if let Some((at, _)) = idea.attacks {
                let there = POINT - self.gone.get(&at).copied().unwrap_or(0);
                idea.value = idea.value * there / POINT;
            }
        }
        let rate = |idea: &Idea| idea.value / i64::from(idea.ap.max(1));
        ideas.retain(|idea| rate(idea) >= LEAST);
        ideas.sort_by_key(|idea| std::cmp::Reverse(rate(idea)));
        let mut legal = ideas.iter().filter_map(|idea| Some((idea, foresee(&self.now, self.side, &idea.order)?)));
        let Some(mut best) = legal.next() else { return false };
        if let Some(second) = legal.next().filter(|(idea, _)| rate(idea) > rate(best.0) * (ALIKE - 1) / ALIKE)
            && pick(2) == 0
        {
            best = second;
        }
        let (idea, (next, rolls)) = best;
        let order = self.guarded(idea, &ideas);
        if let Some((at, likely)) = idea.attacks {
            let before = self.gone.get(&at).copied().unwrap_or(0);
            self.gone.insert(at, before + (POINT - before) * likely / POINT);
        }
        self.dice |= rolls;
        self.now = next;
        self.orders.push(order);
        true
    }

    /// An attack on a hex attacked before: only if the enemy is still there, else the best else that the unit can do.
    fn guarded(&self, idea: &Idea, ideas: &[Idea]) -> Order {
        let Some((at, _)) = idea.attacks.filter(|(at, _)| self.gone.contains_key(at)) else {
            return idea.order.clone();
        };
        let elsewhere = |other: &&Idea| other.who == idea.who && other.attacks.is_none_or(|(hex, _)| hex != at);
        let legal = |other: &&Idea| foresee(&self.now, self.side, &other.order).is_some();
        let otherwise = ideas.iter().filter(elsewhere).find(legal).map(|other| other.order.clone());
        Order::If {
            when: Guard::Enemy(self.now.label(at)),
            then: vec![idea.order.clone()],
            otherwise: otherwise.into_iter().collect(),
        }
    }
}

/// Standing orders for the enemy's half-turn: a unit falls back to where it is worth most. Hits go to troops, which can be
/// rallied; a gun cannot (9.4). The rest is as the adjudicator has it.
fn standing(state: &State, side: Side, field: &Field) -> Standing {
    let mut standing = Standing { ties: Ties::Troops, ..Standing::default() };
    for unit in state.units.iter().filter(|u| u.side == side) {
        let Some(here) = unit.hex.filter(|_| unit.on_board()) else { continue };
        if field::enemies(state, side).all(|(_, at)| at.distance(here) > NEAR) {
            continue;
        }
        let mut dirs: Vec<Dir> = Dir::ALL.into_iter().filter(|dir| state.ground.contains(here.step(*dir))).collect();
        dirs.sort_by_key(|dir| std::cmp::Reverse(field.value(state, unit, here.step(*dir))));
        let retreat = Some(Course::Toward(dirs));
        standing.units.insert(unit.id.clone(), UnitStanding { retreat, ..UnitStanding::default() });
    }
    standing
}
