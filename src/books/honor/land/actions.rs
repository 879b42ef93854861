//! Chapters 5 and 6: one order judged, and carried out as one activation.

use super::boats::not_afloat;
use super::close_combat::{CombatOrder, CombatPlan, close_combat, combat_declared, judge_combat, unfit_combat};
use super::event::{Attack, Event, Loss};
use super::fire::{FirePlan, Shot, declared, fire, judge_fire, unfit_fire};
use super::judge::{Fault, may_act, no_points, own_unit};
use super::leaders::{RallyPlan, judge_rally, rallied, unfit_rally};
use super::movement::{
    LeaderPlan, MovePlan, Part, judge_leader, judge_move, march, ride, unfit_leader, unfit_move, unit_rule,
};
use super::orders::{Order, Outcome};
use super::pieces::{Formation, Id, UnitType};
use super::rulings::FlankBonus;
use super::state::{Deed, State, Unit};
use super::turn::Land;
use crate::cite::Cite;
use crate::hex::Hex;
use crate::play::{Play, Refusal, Table};
use crate::side::Side;

/// An order that is legal as things stand.
#[derive(Debug, Clone)]
pub(super) enum Plan {
    Move(MovePlan),
    Leader(LeaderPlan),
    Form(Id, Formation),
    Rally(RallyPlan),
    Fire(FirePlan),
    MoveAndFire(MovePlan, FirePlan),
    /// Fire, then a move that is judged again when the dice have fallen.
    FireAndMove(FirePlan, Order),
    CloseCombat(CombatPlan),
    /// Attacks from opposite sides (11.9).
    Flank(FlankPlan),
}

/// Attacks from two opposite hexes, one after the other; each is judged again when it is reached (L31).
#[derive(Debug, Clone)]
pub(super) struct FlankPlan {
    first: Box<Plan>,
    attacks: Vec<Order>,
    /// Where each is made from.
    from: Vec<Hex>,
}

impl Plan {
    /// Whether dice are rolled for it, so that what follows cannot be judged beforehand.
    pub(super) fn rolls(&self) -> bool {
        !matches!(self, Plan::Move(_) | Plan::Leader(_) | Plan::Form(..) | Plan::Rally(_))
    }

    fn flanking(self, bonus: bool) -> Plan {
        match self {
            Plan::Fire(plan) => Plan::Fire(FirePlan { flank: bonus, ..plan }),
            Plan::MoveAndFire(way, plan) => Plan::MoveAndFire(way, FirePlan { flank: bonus, ..plan }),
            Plan::FireAndMove(plan, words) => Plan::FireAndMove(FirePlan { flank: bonus, ..plan }, words),
            Plan::CloseCombat(plan) => Plan::CloseCombat(CombatPlan { flank: bonus, ..plan }),
            other => other,
        }
    }
}

/// What is wrong with an order whatever the dice do before it is reached.
pub(super) fn unfit(state: &State, side: Side, order: &Order) -> Result<(), Fault> {
    match order {
        Order::Move { unit, path, with } => unfit_move(state, side, unit, path, with.as_ref(), Part::Whole).map(drop),
        Order::Fire { unit, at, support, advance } => {
            unfit_fire(state, side, unit, at, support.as_ref(), *advance).map(drop)
        }
        Order::MoveAndFire { unit, path, at, with, support, advance } => {
            combines(state, side, unit, false)?;
            unfit_move(state, side, unit, path, with.as_ref(), Part::BeforeFire)?;
            unfit_fire(state, side, unit, at, support.as_ref(), *advance).map(drop)
        }
        Order::FireAndMove { unit, at, path, with, support } => {
            combines(state, side, unit, true)?;
            unfit_fire(state, side, unit, at, support.as_ref(), super::orders::Advance::Stay)?;
            unfit_move(state, side, unit, path, with.as_ref(), Part::AfterFire).map(drop)
        }
        Order::CloseCombat { .. } => combat(order).map_or(Ok(()), |words| unfit_combat(state, side, words).map(drop)),
        Order::Flank { attacks } => unfit_flank(state, side, attacks),
        Order::Rally { unit } => unfit_rally(state, side, unit),
        Order::Form { unit, .. } => unfit_form(state, side, unit),
        Order::Leader { leader, path } => unfit_leader(state, side, leader, path).map(drop),
        Order::If { .. } | Order::Pause {} | Order::AskMeIf { .. } => Ok(()),
    }
}

fn combat(order: &Order) -> Option<CombatOrder<'_>> {
    match order {
        Order::CloseCombat { unit, at, advance, support, repulsed } => {
            Some(CombatOrder { unit, at, advance: *advance, support: support.as_ref(), repulsed: repulsed.as_deref() })
        }
        _ => None,
    }
}

/// 6.2.1, 6.2.3, 6.2.4: who moves and fires in one turn, and in which order.
fn combines(state: &State, side: Side, id: &Id, fires_first: bool) -> Result<(), Fault> {
    let unit = own_unit(state, side, id)?;
    let refuse = |cite: &'static str, why: &str| Err(Refusal::new("unit", Cite(cite), why).into());
    match unit.kind {
        UnitType::Indian => Ok(()),
        UnitType::Dragoon if !fires_first => Ok(()),
        UnitType::Dragoon => refuse("FHG-3.4.7.p1", "dragoons never fire and then move"),
        _ => refuse("FHG-6.2.1", "only dragoons and Indians move and fire in one turn"),
    }
}

/// 7.5: infantry types but Indians march in column.
fn unfit_form(state: &State, side: Side, id: &Id) -> Result<(), Fault> {
    let unit = own_unit(state, side, id)?;
    not_afloat(unit)?;
    if unit.kind.forms_column() {
        return Ok(());
    }
    let why = format!("{} do not form column", unit.kind.word());
    Err(Refusal::new("unit", Cite("FHG-7.5"), why).into())
}

/// Most attackers of one flank attack: two hexes, each with a gun and one more unit (4.3).
const FLANKERS: usize = 4;

fn unfit_flank(state: &State, side: Side, attacks: &[Order]) -> Result<(), Fault> {
    let refuse = |why: &str| Err(Refusal::new("attacks", Cite("FHG-11.9"), why).into());
    if !state.options.flank.on() {
        return refuse("attacks from opposite sides need optional rule 11.9, which is not in use");
    }
    let attack = |order: &Order| {
        matches!(
            order,
            Order::Fire { .. } | Order::MoveAndFire { .. } | Order::FireAndMove { .. } | Order::CloseCombat { .. }
        )
    };
    if !(2..=FLANKERS).contains(&attacks.len()) || !attacks.iter().all(attack) {
        return refuse(
            "a flank attack is 2 to 4 orders, each `fire`, `move-and-fire`, `fire-and-move` or `close-combat`",
        );
    }
    for (n, order) in attacks.iter().enumerate() {
        unfit(state, side, order).map_err(|f| f.under(&format!("attacks[{n}]")))?;
    }
    Ok(())
}

/// Judges an order as things stand.
pub(super) fn judge(state: &State, side: Side, order: &Order) -> Result<Plan, Fault> {
    unfit(state, side, order)?;
    match order {
        Order::Move { unit, path, with } => {
            judge_move(state, side, unit, path, with.as_ref(), Part::Whole).map(Plan::Move)
        }
        Order::Fire { unit, at, support, advance } => {
            judge_fire(state, side, unit, at, support.as_ref(), *advance, Shot::Alone).map(Plan::Fire)
        }
        Order::MoveAndFire { unit, path, at, with, support, advance } => {
            let way = judge_move(state, side, unit, path, with.as_ref(), Part::BeforeFire)?;
            let after = after(state, &march(state, &way));
            let shot = judge_fire(&after, side, unit, at, support.as_ref(), *advance, Shot::Combined)?;
            Ok(Plan::MoveAndFire(way, shot))
        }
        Order::FireAndMove { unit, at, support, .. } => {
            may_act(own_unit(state, side, unit)?, Deed::Fired, false)?;
            let stay = super::orders::Advance::Stay;
            let shot = judge_fire(state, side, unit, at, support.as_ref(), stay, Shot::Combined)?;
            if state.ap < 2 {
                return Err(no_points(state, 2, unit_rule(own_unit(state, side, unit)?)));
            }
            let event = declared(state, unit, Attack::Fire, shot.at, support.as_ref(), 1);
            let fired = after(state, &[event]);
            // Its fire may clear the hex it then goes to.
            second_half(&fired, side, order)
                .or_else(|fault| second_half(&cleared(&fired, side, shot.at), side, order).map_err(|_| fault))?;
            Ok(Plan::FireAndMove(shot, order.clone()))
        }
        Order::CloseCombat { .. } => match combat(order) {
            Some(words) => judge_combat(state, side, words).map(Plan::CloseCombat),
            None => Err(not_now()),
        },
        Order::Flank { attacks } => judge_flank(state, side, attacks),
        Order::Rally { unit } => judge_rally(state, side, unit).map(Plan::Rally),
        Order::Form { unit, formation } => judge_form(state, side, unit, *formation),
        Order::Leader { leader, path } => judge_leader(state, side, leader, path).map(Plan::Leader),
        Order::If { .. } | Order::Pause {} | Order::AskMeIf { .. } => Err(not_now()),
    }
}

fn not_now() -> Fault {
    Refusal::new("", Cite("FHG-5.1"), "this is no order to a unit or leader").into()
}

/// The move of a `fire-and-move`, judged once it has fired.
fn second_half(state: &State, side: Side, order: &Order) -> Result<MovePlan, Fault> {
    match order {
        Order::FireAndMove { unit, path, with, .. } => {
            judge_move(state, side, unit, path, with.as_ref(), Part::AfterFire)
        }
        _ => Err(not_now()),
    }
}

/// The position if fire eliminates whatever enemy units are in a hex.
pub(super) fn cleared(state: &State, side: Side, at: Hex) -> State {
    let lost = |u: &Unit| Event::Eliminated { unit: u.id.clone(), why: Loss::Hits };
    let events: Vec<Event> = state.units_in(at, side.other()).into_iter().map(lost).collect();
    after(state, &events)
}

/// 7.5.p1: going into or out of column is all a unit does.
fn judge_form(state: &State, side: Side, id: &Id, formation: Formation) -> Result<Plan, Fault> {
    let unit = own_unit(state, side, id)?;
    may_act(unit, Deed::Formed, false)?;
    if unit.hex.is_none() {
        return Err(Refusal::new("unit", Cite("FHG-4.1"), format!("`{id}` is not on the board")).into());
    }
    if unit.formation == formation {
        let why = format!("{} has that formation already", unit.name);
        return Err(Refusal::new("formation", Cite("FHG-7.5"), why).into());
    }
    if state.ap < 1 {
        return Err(no_points(state, 1, "FHG-7.5.p1"));
    }
    Ok(Plan::Form(id.clone(), formation))
}

/// 11.9, L31: adjacent units directly opposite each other, announced together, with the points for all.
fn judge_flank(state: &State, side: Side, attacks: &[Order]) -> Result<Plan, Fault> {
    let refuse = |why: &str| Err(Refusal::new("attacks", Cite("FHG-11.9"), why).into());
    let (mut begun, mut plans, mut places) = (state.clone(), Vec::new(), Vec::new());
    for (n, order) in attacks.iter().enumerate() {
        let plan = judge(&begun, side, order).map_err(|f| f.under(&format!("attacks[{n}]")))?;
        places.extend(from_to(&begun, &plan));
        begun = after(&begun, &assume(&begun, &plan));
        plans.push(plan);
    }
    let from: Vec<Hex> = places.iter().map(|(from, _)| *from).collect();
    let (Some(first), Some((a, at))) = (plans.into_iter().next(), places.first().copied()) else {
        return refuse("a flank attack is made by units on the board");
    };
    if places.iter().any(|(_, to)| *to != at) {
        return refuse("the attacks are not all on one hex; all must be on the unit between them");
    }
    let across = at.row_to(a).filter(|dir| at.step(*dir) == a).map(|dir| at.step(dir.opposite()));
    if !from.iter().any(|hex| Some(*hex) == across) || from.iter().any(|hex| *hex != a && Some(*hex) != across) {
        return refuse("the attacks do not come from two opposite sides of the hex, next to it");
    }
    Ok(Plan::Flank(FlankPlan { first: Box::new(first), attacks: attacks.to_vec(), from }))
}

/// Where an attack is made from, and on which hex.
fn from_to(state: &State, plan: &Plan) -> Option<(Hex, Hex)> {
    let (unit, at) = match plan {
        Plan::MoveAndFire(way, plan) => return Some((*way.path.last()?, plan.at)),
        Plan::Fire(plan) | Plan::FireAndMove(plan, _) => (&plan.unit, plan.at),
        Plan::CloseCombat(plan) => (&plan.unit, plan.at),
        _ => return None,
    };
    Some((state.unit(unit)?.hex?, at))
}

/// The position after some events.
pub(super) fn after(state: &State, events: &[Event]) -> State {
    let mut next = state.clone();
    events.iter().for_each(|event| super::apply::apply(&mut next, event));
    next
}

/// What is certain of an order as things stand: the position once it is declared and paid for, with everything it does
/// that needs no dice, and whether dice are rolled for it. `None` if the rules forbid it now.
#[must_use]
pub fn foresee(state: &State, side: Side, order: &Order) -> Option<(State, bool)> {
    let plan = judge(state, side, order).ok()?;
    Some((after(state, &assume(state, &plan)), plan.rolls()))
}

/// What a plan does for certain: everything, if no dice are rolled, else what is declared and spent.
pub(super) fn assume(state: &State, plan: &Plan) -> Vec<Event> {
    let shot = |plan: &FirePlan| declared(state, &plan.unit, Attack::Fire, plan.at, plan.support.as_ref(), plan.ap);
    match plan {
        Plan::Move(plan) => march(state, plan),
        Plan::Leader(plan) => ride(state, plan),
        Plan::Form(unit, formation) => vec![Event::Formed { unit: unit.clone(), formation: *formation, ap: 1 }],
        Plan::Rally(plan) => vec![rallied(state, plan)],
        Plan::Fire(plan) => vec![shot(plan)],
        Plan::MoveAndFire(way, plan) => march(state, way).into_iter().chain([shot(plan)]).collect(),
        Plan::FireAndMove(plan, _) => vec![shot(plan)],
        Plan::CloseCombat(plan) => vec![combat_declared(state, plan)],
        Plan::Flank(plan) => assume(state, &plan.first),
    }
}

/// Carries a plan out. `order`: where it stands in the list.
pub(super) fn perform(table: &mut Table<'_, Land>, side: Side, plan: &Plan, order: &str) -> Play<(), Land> {
    match plan {
        Plan::Move(_) | Plan::Leader(_) | Plan::Form(..) | Plan::Rally(_) => {
            let events = assume(table.state(), plan);
            events.into_iter().for_each(|event| table.tell(event));
            Ok(())
        }
        Plan::Fire(plan) => fire(table, plan),
        Plan::MoveAndFire(way, shot) => {
            let events = march(table.state(), way);
            events.into_iter().for_each(|event| table.tell(event));
            fire(table, shot)
        }
        Plan::FireAndMove(shot, words) => {
            fire(table, shot)?;
            match second_half(table.state(), side, words) {
                Ok(way) => {
                    let events = march(table.state(), &way);
                    events.into_iter().for_each(|event| table.tell(event));
                }
                Err(fault) => skip(table, order, &fault),
            }
            Ok(())
        }
        Plan::CloseCombat(plan) => close_combat(table, plan, order),
        Plan::Flank(plan) => flank(table, side, plan, order),
    }
}

/// 11.9, L31: one attack after the other. Each has the bonus while somebody across the hex has attacked or still will; an
/// attacker that was repulsed (11.1) and did not fire there has not.
fn flank(table: &mut Table<'_, Land>, side: Side, plan: &FlankPlan, order: &str) -> Play<(), Land> {
    let mut made: Vec<Hex> = Vec::new();
    for (n, (attack, from)) in plan.attacks.iter().zip(&plan.from).enumerate() {
        let path = format!("{order}.attacks[{n}]");
        let planned = match judge(table.state(), side, attack) {
            Ok(planned) => planned,
            Err(fault) => {
                skip(table, &path, &fault);
                continue;
            }
        };
        let to_come = plan.from.iter().skip(n + 1).filter(|_| table.state().rulings.flank_bonus == FlankBonus::Both);
        let bonus = made.iter().chain(to_come).any(|hex| hex != from);
        let (at, sure) = (from_to(table.state(), &planned).map(|(_, at)| at), !matches!(planned, Plan::CloseCombat(_)));
        perform(table, side, &planned.flanking(bonus), &path)?;
        let state = table.state();
        if sure || (state.target == at && !state.last.contains(&Outcome::Repulsed)) {
            made.push(*from);
        }
    }
    Ok(())
}

/// What cannot be carried out is skipped and told.
pub(super) fn skip(table: &mut Table<'_, Land>, order: &str, fault: &Fault) {
    let (why, cite) = fault.parts();
    table.tell(Event::Skipped { order: order.to_owned(), why, cite });
}
