//! 8.1: fire combat.

use super::event::{Attack, Event};
use super::judge::{Fault, hex_at, may_act, no_points, own_leader, own_unit, with_path};
use super::movement::unfit_advance;
use super::orders::Advance;
use super::pieces::{Id, UnitType};
use super::rulings::{LeaderDice, LoneLeaderTarget};
use super::state::{Deed, State, Unit};
use super::terrain::Terrain;
use super::turn::Land;
use super::volley::Volley;
use crate::cite::Cite;
use crate::hex::Hex;
use crate::play::{Play, Refusal, Table};
use crate::side::Side;

/// Fire that is legal now.
#[derive(Debug, Clone)]
pub(super) struct FirePlan {
    pub unit: Id,
    pub at: Hex,
    pub support: Option<Id>,
    pub advance: Advance,
    /// Whether it is one of two attacks from opposite sides (11.9).
    pub flank: bool,
    pub ap: u8,
}

/// How fire is part of an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shot {
    /// The whole activation.
    Alone,
    /// With a move before or after it: at an adjacent hex only.
    Combined,
    /// In the place of a close combat that was not carried out (11.1); it is paid for.
    Repulsed,
}

/// What is wrong with fire whatever the dice do before it.
pub(super) fn unfit_fire(
    state: &State,
    side: Side,
    id: &Id,
    at: &str,
    support: Option<&Id>,
    advance: Advance,
) -> Result<Hex, Fault> {
    super::boats::not_afloat(own_unit(state, side, id)?)?;
    let hex = hex_at(state, "at", at)?;
    unfit_support(state, side, support)?;
    if !advance.stays() && !state.options.fire_advance.on() {
        let why = "a unit that fires advances only with optional rule 11.10, which is not in use";
        return Err(with_path("advance", Refusal::new("", Cite("FHG-11.10"), why)));
    }
    unfit_advance(state, advance)?;
    Ok(hex)
}

/// 11.8: a leader adds a die only where the rule is in use.
pub(super) fn unfit_support(state: &State, side: Side, support: Option<&Id>) -> Result<(), Fault> {
    let Some(leader) = support else { return Ok(()) };
    own_leader(state, side, leader).map_err(|f| f.under("support"))?;
    if state.options.leader_dice.on() {
        return Ok(());
    }
    let why = "a leader adds a die only with optional rule 11.8, which is not in use";
    Err(with_path("support", Refusal::new("", Cite("FHG-11.8"), why)))
}

/// Judges fire as things stand.
pub(super) fn judge_fire(
    state: &State,
    side: Side,
    id: &Id,
    at: &str,
    support: Option<&Id>,
    advance: Advance,
    shot: Shot,
) -> Result<FirePlan, Fault> {
    let hex = unfit_fire(state, side, id, at, support, advance)?;
    let unit = own_unit(state, side, id)?;
    let refuse = |cite: Cite, why: String| Err(Refusal::new("at", cite, why).into());
    if shot != Shot::Repulsed {
        may_act(unit, Deed::Fired, shot == Shot::Combined && unit.deed != Deed::Waded)?;
    }
    let Some(from) = unit.hex else {
        return Err(Refusal::new("unit", Cite("FHG-4.1"), format!("`{id}` is not on the board")).into());
    };
    let range = from.distance(hex);
    let reach = reach(state, unit, from);
    if shot == Shot::Combined && range != 1 {
        let why = format!("{at} is not next to it; who moves and fires, fires at an adjacent hex");
        return refuse(Cite("FHG-3.4.6.p2"), why);
    }
    if range == 0 || range > reach {
        let why = format!("{at} is {range} hexes away; {} fire at 1 to {reach}", unit.kind.word());
        return refuse(unit.kind.range_row(), why);
    }
    let lone = state.leader_in(hex, side.other()).is_some() && state.rulings.lone_target == LoneLeaderTarget::Target;
    if !state.held(hex, side.other()) && !lone {
        return refuse(Cite("FHG-8.1.1"), format!("{at} holds no enemy unit to fire at"));
    }
    if range > 1
        && unit.kind != UnitType::Rocket
        && let Some((cite, what)) = super::sight::blocked(state, from, hex)
    {
        return refuse(cite, format!("{at} is out of sight behind {what}"));
    }
    may_support(state, unit, support)?;
    let ap = u8::from(shot != Shot::Repulsed);
    if state.ap < ap {
        return Err(no_points(state, ap, "FHG-6.1.2"));
    }
    Ok(FirePlan { unit: id.clone(), at: hex, support: support.cloned(), advance, flank: false, ap })
}

/// Farthest hex a unit fires at from a hex; a gun on a hill one more (11.5).
#[must_use]
pub fn reach(state: &State, unit: &Unit, from: Hex) -> u32 {
    let high = state.options.hill_range.on() && unit.kind.gun() && state.ground.terrain(from) == Terrain::Hill;
    unit.kind.range() + u32::from(high)
}

/// 11.8, L30: the leader is stacked with the attacker and has not added a die this half-turn.
pub(super) fn may_support(state: &State, unit: &Unit, support: Option<&Id>) -> Result<(), Fault> {
    let Some(leader) = support else { return Ok(()) };
    let leader = own_leader(state, unit.side, leader).map_err(|f| f.under("support"))?;
    let refuse = |why: String| Err(with_path("support", Refusal::new("", Cite("FHG-11.8"), why)));
    if leader.hex != unit.hex {
        return refuse(format!("{} is not with {}", leader.name, unit.name));
    }
    if leader.supported && state.rulings.leader_dice == LeaderDice::Once {
        return refuse(format!("{} has added his die to an attack this turn", leader.name));
    }
    Ok(())
}

/// The event that declares an attack: points are spent and dice may follow.
pub(super) fn declared(state: &State, unit: &Id, by: Attack, at: Hex, support: Option<&Id>, ap: u8) -> Event {
    Event::Attacked { unit: unit.clone(), by, at: state.label(at), support: support.cloned(), ap }
}

/// 8.1.1: carries fire out.
pub(super) fn fire(table: &mut Table<'_, Land>, plan: &FirePlan) -> Play<(), Land> {
    let event = declared(table.state(), &plan.unit, Attack::Fire, plan.at, plan.support.as_ref(), plan.ap);
    table.tell(event);
    let volley = Volley::new(table, &plan.unit, Attack::Fire, plan.at, plan.support.is_some(), plan.flank);
    let Some(volley) = volley else { return Ok(()) };
    let held = table.state().held(plan.at, volley.side.other());
    volley.resolve(table)?;
    // 11.10: the adjacent defender is eliminated.
    let range = table.state().unit(&plan.unit).and_then(|u| u.hex).map_or(0, |hex| hex.distance(plan.at));
    if held && range == 1 && table.state().options.fire_advance.on() {
        let name = volley.name.clone();
        super::close_combat::advance(table, &plan.unit, plan.at, plan.advance, &name, Cite("FHG-11.10"))?;
    }
    Ok(())
}
