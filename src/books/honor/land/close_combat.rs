//! 8.3: infantry close combat, from the declaration to the advance.

use serde::{Deserialize, Serialize};

use super::boats::{barred, not_afloat};
use super::event::{Attack, Event, Fallback};
use super::fire::{FirePlan, Shot, declared, judge_fire, may_support, unfit_fire, unfit_support};
use super::judge::{Fault, hex_at, may_act, no_points, own_unit, with_path};
use super::leaders;
use super::modifier::{Modifier, total};
use super::movement::{Story, unfit_advance};
use super::orders::{Advance, Standing, Withdraw};
use super::pieces::{Formation, Id, UnitType};
use super::retreat::{Retreating, exits, may_displace};
use super::rulings::{ChargeSix, ColumnBonus, CrossingMorale, FlankMorale, GunMorale, TwoRetreat};
use super::state::{Deed, State, Unit};
use super::terrain::Terrain;
use super::turn::Land;
use super::volley::{Volley, activation, one};
use crate::cite::Cite;
use crate::hex::{Dir, Hex};
use crate::play::{Judged, Play, Question, Refusal, Table, Ticket};
use crate::side::Side;

/// Points a close combat costs (6.2.2, 8.3.1).
const COST: u8 = 2;

/// A close combat that is legal now.
#[derive(Debug, Clone)]
pub(super) struct CombatPlan {
    pub unit: Id,
    pub at: Hex,
    pub advance: Advance,
    pub support: Option<Id>,
    pub repulsed: Option<String>,
    /// Whether it is one of two attacks from opposite sides (11.9).
    pub flank: bool,
}

/// The words of a close combat order.
#[derive(Debug, Clone, Copy)]
pub(super) struct CombatOrder<'a> {
    pub unit: &'a Id,
    pub at: &'a str,
    pub advance: Advance,
    pub support: Option<&'a Id>,
    pub repulsed: Option<&'a str>,
}

/// What is wrong with a close combat whatever the dice do before it.
pub(super) fn unfit_combat(state: &State, side: Side, order: CombatOrder<'_>) -> Result<Hex, Fault> {
    let unit = own_unit(state, side, order.unit)?;
    if !unit.kind.infantry() {
        let cite = match unit.kind {
            UnitType::Dragoon => "FHG-3.4.7.p2",
            UnitType::Artillery => "FHG-3.4.8",
            _ => "FHG-3.4.9",
        };
        let why = format!("{} do not attack in close combat", unit.kind.word());
        return Err(Refusal::new("unit", Cite(cite), why).into());
    }
    not_afloat(unit)?;
    let hex = hex_at(state, "at", order.at)?;
    unfit_support(state, side, order.support)?;
    unfit_advance(state, order.advance)?;
    if let Some(label) = order.repulsed {
        if !state.options.charge.on() {
            let why = "an attack is repulsed only with optional rule 11.1, which is not in use";
            return Err(with_path("repulsed", Refusal::new("", Cite("FHG-11.1"), why)));
        }
        unfit_fire(state, side, order.unit, label, None, Advance::Stay).map_err(|f| f.under("repulsed"))?;
    }
    Ok(hex)
}

/// Judges a close combat as things stand.
pub(super) fn judge_combat(state: &State, side: Side, order: CombatOrder<'_>) -> Result<CombatPlan, Fault> {
    let at = unfit_combat(state, side, order)?;
    let unit = own_unit(state, side, order.unit)?;
    let refuse = |cite: &'static str, why: String| Err(Refusal::new("at", Cite(cite), why).into());
    may_act(unit, Deed::CloseCombat, false)?;
    if unit.hex.is_none_or(|hex| hex.distance(at) != 1) {
        return refuse("FHG-8.3.1", format!("{} is not next to {}", order.at, unit.name));
    }
    if !state.held(at, side.other()) {
        return refuse("FHG-6.2.2", format!("{} holds no enemy combat unit", order.at));
    }
    may_support(state, unit, order.support)?;
    if state.ap < COST {
        let rule = if unit.kind == UnitType::Indian { "FHG-3.4.6.p3" } else { "FHG-6.2.2" };
        return Err(no_points(state, COST, rule));
    }
    Ok(CombatPlan {
        unit: order.unit.clone(),
        at,
        advance: order.advance,
        support: order.support.cloned(),
        repulsed: order.repulsed.map(str::to_owned),
        flank: false,
    })
}

/// The event that declares it.
pub(super) fn combat_declared(state: &State, plan: &CombatPlan) -> Event {
    declared(state, &plan.unit, Attack::CloseCombat, plan.at, plan.support.as_ref(), COST)
}

/// 8.3, in printed order; where the book is silent in that of ruling L07. `order`: where it stands in the list.
pub(super) fn close_combat(table: &mut Table<'_, Land>, plan: &CombatPlan, order: &str) -> Play<(), Land> {
    let Some((side, from)) = table.state().unit(&plan.unit).and_then(|u| Some((u.side, u.hex?))) else { return Ok(()) };
    let event = combat_declared(table.state(), plan);
    table.tell(event);
    let name = activation(table.state());
    if table.state().options.charge.on() && !steady(table, &plan.unit, &name)? {
        return repulsed(table, plan, side, order);
    }
    let ground = Fight { plan, name: &name, side, from, away: from.row_to(plan.at).unwrap_or(Dir::ALL[0]) };
    ground.withdrawal(table)?;
    if table.state().held(plan.at, side.other()) {
        let failed = ground.morale(table)?;
        let volley = Volley::new(table, &plan.unit, Attack::CloseCombat, plan.at, plan.support.is_some(), plan.flank);
        if let Some(volley) = volley {
            volley.resolve(table)?;
        }
        ground.retreats(table, &failed)?;
    }
    advance(table, &plan.unit, plan.at, plan.advance, &name, Cite("FHG-8.3.4"))
}

/// 11.1: the attacker checks after paying. Leader and elite count, terrain does not, and a 6 is a number (L27).
fn steady(table: &mut Table<'_, Land>, id: &Id, name: &str) -> Play<bool, Land> {
    let roll = one(&table.roll(vec![Ticket::d6(format!("{name}/charge"))])?);
    let state = table.state();
    let Some(unit) = state.unit(id) else { return Ok(false) };
    let mut changes = Vec::new();
    if unit.kind == UnitType::Elite {
        changes.push(Modifier::new(1, "FHG-3.4.1.p2"));
    }
    if unit.hex.is_some_and(|hex| state.leader_in(hex, unit.side).is_some()) {
        changes.push(Modifier::new(1, "FHG-11.1"));
    }
    let mp = unit.mp;
    let six = roll == 6 && state.rulings.charge_six == ChargeSix::Fails;
    let passed = !six && i16::from(roll) <= i16::from(mp) + i16::from(total(&changes));
    table.tell(Event::Steadied { unit: id.clone(), roll, mp, changes, passed });
    Ok(passed)
}

/// 11.1: the points are spent and the unit may only fire, where its order says. What was ordered for the attack goes with
/// the shot (L58): the leader's die, the advance of 11.10, and the flank of 11.9 if it fires at the same hex.
fn repulsed(table: &mut Table<'_, Land>, plan: &CombatPlan, side: Side, order: &str) -> Play<(), Land> {
    let Some(label) = &plan.repulsed else { return Ok(()) };
    match judge_fire(table.state(), side, &plan.unit, label, None, Advance::Stay, Shot::Repulsed) {
        Ok(fire) => {
            let flank = plan.flank && fire.at == plan.at;
            let fire = FirePlan { support: plan.support.clone(), advance: plan.advance, flank, ..fire };
            super::fire::fire(table, &fire)
        }
        Err(fault) => {
            let (why, cite) = fault.parts();
            table.tell(Event::Skipped { order: format!("{order}.repulsed"), why, cite });
            Ok(())
        }
    }
}

/// One close combat after its declaration.
struct Fight<'a> {
    plan: &'a CombatPlan,
    name: &'a str,
    /// The attacker's side.
    side: Side,
    /// The attacker's hex.
    from: Hex,
    /// Straight on from the attacker.
    away: Dir,
}

impl Fight<'_> {
    fn retreating<'a>(
        &'a self,
        unit: &'a Id,
        why: Fallback,
        displacing: bool,
        together: Option<Hex>,
    ) -> Retreating<'a> {
        let (attacker, away, name) = (self.from, self.away, self.name);
        Retreating { unit, why, attacker, away, name, displacing, together }
    }

    /// 11.12: dragoons may retreat before the combat (L32).
    fn withdrawal(&self, table: &mut Table<'_, Land>) -> Play<(), Land> {
        if !table.state().options.withdrawal.on() {
            return Ok(());
        }
        let enemy = self.side.other();
        let dragoons =
            table.state().units_in(self.plan.at, enemy).into_iter().find(|u| u.kind == UnitType::Dragoon).cloned();
        let Some(unit) = dragoons.filter(|u| !exits(table.state(), u, self.from, true).is_empty()) else {
            return Ok(());
        };
        let question = WithdrawQuestion { side: enemy, unit: unit.id.clone(), name: self.name.to_owned() };
        if table.decide(question)? == Wait::Stand {
            return Ok(());
        }
        let gone = self.retreating(&unit.id, Fallback::Withdrawal, true, None).fall_back(table)?;
        if let Some((hex, _)) = gone.filter(|_| !table.state().held(self.plan.at, enemy)) {
            leaders::follow(table, enemy, self.plan.at, &[(unit.id, hex)], self.name)?;
        }
        Ok(())
    }

    /// 8.3.2, 8.4.4: every defending unit checks before the dice; infantry that stands makes its gun stand (L08).
    fn morale(&self, table: &mut Table<'_, Land>) -> Play<Vec<Id>, Land> {
        let units: Vec<Unit> = table.state().units_in(self.plan.at, self.side.other()).into_iter().cloned().collect();
        let with_infantry = table.state().rulings.gun_morale == GunMorale::WithInfantry;
        let (mut failed, mut standing) = (Vec::new(), None);
        for unit in units {
            if let Some(infantry) = standing.as_ref().filter(|_| unit.kind.gun() && with_infantry) {
                table.tell(Event::StandsWith { unit: unit.id.clone(), infantry: Id::clone(infantry) });
                continue;
            }
            if self.check(table, &unit)? {
                standing = unit.kind.infantry().then(|| unit.id.clone());
            } else {
                failed.push(unit.id.clone());
            }
        }
        Ok(failed)
    }

    fn check(&self, table: &mut Table<'_, Land>, unit: &Unit) -> Play<bool, Land> {
        let roll = one(&table.roll(vec![Ticket::d6(format!("{}/morale/{}", self.name, unit.id))])?);
        let state = table.state();
        let changes = morale_changes(state, unit, self.plan.at, self.plan.flank);
        let shown = if self.plan.flank && state.rulings.flank_morale == FlankMorale::Die { 1 } else { 0 };
        let value = i16::from(unit.mp) + i16::from(total(&changes));
        // 8.3.5: a 6 always fails; modifiers act on the MP value, so it is the face that counts (L09).
        let stands = roll != 6 && i16::from(roll) - shown <= value;
        table.tell(Event::Checked { unit: unit.id.clone(), roll, mp: unit.mp, changes, stands });
        Ok(stands)
    }

    /// 8.4: the units that failed and survived, one at a time; then their leader.
    fn retreats(&self, table: &mut Table<'_, Land>, failed: &[Id]) -> Play<(), Land> {
        let enemy = self.side.other();
        let led = table.state().leader_in(self.plan.at, enemy).is_some();
        let (mut gone, mut displaced, mut trapped) = (Vec::new(), false, false);
        for id in failed {
            if !table.state().unit(id).is_some_and(Unit::on_board) {
                continue;
            }
            let together = table.state().rulings.two_retreat == TwoRetreat::Together && led;
            let first = gone.first().map(|(_, hex)| *hex).filter(|_| together);
            let displacing = may_displace(table.state(), displaced);
            match self.retreating(id, Fallback::Retreat, displacing, first).fall_back(table)? {
                Some((hex, made_room)) => {
                    displaced |= made_room;
                    gone.push((id.clone(), hex));
                }
                None => trapped |= !table.state().unit(id).is_some_and(Unit::on_board),
            }
        }
        // 8.4.5: a unit with him is eliminated. If another left the hex he goes with that one instead.
        let held = table.state().held(self.plan.at, enemy);
        if trapped && (held || gone.is_empty()) {
            return leaders::escape(table, enemy, self.plan.at, &format!("{}/trapped", self.name));
        }
        if held {
            return Ok(());
        }
        leaders::follow(table, enemy, self.plan.at, &gone, self.name)
    }
}

/// Faces of six on which a defender stands in close combat (8.3.2, 8.3.5, L09).
#[must_use]
pub fn stands_on(state: &State, unit: &Unit, at: Hex) -> u8 {
    let value = i16::from(unit.mp) + i16::from(total(&morale_changes(state, unit, at, false)));
    u8::try_from(value.clamp(0, 5)).unwrap_or(0)
}

/// What changes a defender's value (8.3.5, 9.2, 2.2.1.d, 11.9).
pub(super) fn morale_changes(state: &State, unit: &Unit, at: Hex, flank: bool) -> Vec<Modifier> {
    let mut changes = Vec::new();
    if unit.kind == UnitType::Elite {
        changes.push(Modifier::new(1, "FHG-8.3.5"));
    }
    let denied = unit.formation == Formation::Column && state.rulings.column_bonus == ColumnBonus::Both;
    if state.leader_in(at, unit.side).is_some() && !denied {
        changes.push(Modifier::new(1, "FHG-9.2"));
    }
    let terrain = state.ground.terrain(at);
    changes.extend(terrain.morale());
    if terrain == Terrain::Crossing && state.rulings.crossing == CrossingMorale::Waterway {
        changes.extend(Terrain::Waterway.morale());
    }
    if flank && state.rulings.flank_morale == FlankMorale::Value {
        changes.push(Modifier::new(-1, "FHG-11.9.p1"));
    }
    changes
}

/// 8.3.4: the attacker may go into the hex if no enemy combat unit is left in it (L17).
pub(super) fn advance(
    table: &mut Table<'_, Land>,
    id: &Id,
    to: Hex,
    wish: Advance,
    name: &str,
    cite: Cite,
) -> Play<(), Land> {
    let Some((side, from)) = table.state().unit(id).and_then(|u| Some((u.side, u.hex?))) else { return Ok(()) };
    let barred = barred(&table.state().ground, to, false).is_some();
    if table.state().held(to, side.other()) || wish == Advance::Stay || barred {
        return Ok(());
    }
    let wish = match wish {
        Advance::Ask => table.decide(AdvanceQuestion { side, unit: id.clone(), name: name.to_owned() })?.into(),
        other => other,
    };
    if wish == Advance::Stay {
        return Ok(());
    }
    // 6.2.6: a leader who moved with the unit ends the turn with it, whatever the order says (11.10).
    let escort = table.state().leader_in(from, side).filter(|l| l.escorts.as_ref() == Some(id)).map(|l| l.id.clone());
    let with = escort.or_else(|| may_lead(table.state(), side, from, to).filter(|_| wish == Advance::WithLeader));
    let (from, label) = (table.state().label(from), table.state().label(to));
    let mut story = Story::begin(table.state(), Event::Advanced { unit: id.clone(), from, to: label, with, cite });
    story.enter(id, to, true);
    story.events().into_iter().for_each(|event| table.tell(event));
    Ok(())
}

/// The leader who can go along with an advance: he has not rallied a unit he must stay with (9.4.p1), nor moved with
/// another (6.2.6).
fn may_lead(state: &State, side: Side, from: Hex, to: Hex) -> Option<Id> {
    let leader = state.leader_in(from, side)?;
    (!leader.rallied && leader.escorts.is_none() && state.leader_in(to, side).is_none()).then(|| leader.id.clone())
}

/// What dragoons do before a close combat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wait {
    /// Accept it.
    Stand,
    /// Retreat.
    Withdraw,
}

/// Whether dragoons retreat before a close combat, asked of their owner (11.12).
#[derive(Debug, Clone)]
pub struct WithdrawQuestion {
    /// Whose.
    pub side: Side,
    /// Which.
    pub unit: Id,
    /// Turn, side and activation.
    pub name: String,
}

impl Question<Land> for WithdrawQuestion {
    type Value = Wait;
    const KIND: &'static str = "withdraw";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("{}/withdraw/{}", self.name, self.unit)
    }
    fn cite(&self) -> Cite {
        Cite("FHG-11.12")
    }
    fn check(&self, _state: &State, _wait: &Wait) -> Judged<()> {
        Ok(())
    }
    fn standing(&self, state: &State, policy: &Standing) -> Option<Wait> {
        let own = policy.units.get(&self.unit).and_then(|u| u.withdraw);
        let weak = state.unit(&self.unit).is_some_and(|u| u.mp <= 1);
        let go = match own.unwrap_or(policy.withdraw) {
            Withdraw::Weak => weak,
            Withdraw::Always => true,
            Withdraw::Never => false,
            Withdraw::Ask => return None,
        };
        Some(if go { Wait::Withdraw } else { Wait::Stand })
    }
    fn absent(&self, state: &State) -> Option<Wait> {
        self.standing(state, &Standing::default())
    }
    fn options(&self, _state: &State) -> Vec<Wait> {
        vec![Wait::Stand, Wait::Withdraw]
    }
}

/// Whether an attacker advances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Go {
    /// It stays.
    Stay,
    /// It goes.
    Go,
    /// It goes with its leader.
    WithLeader,
}

impl From<Go> for Advance {
    fn from(go: Go) -> Advance {
        match go {
            Go::Stay => Advance::Stay,
            Go::Go => Advance::Go,
            Go::WithLeader => Advance::WithLeader,
        }
    }
}

/// Whether an attacker advances, asked of its owner if the order says so (8.3.4, 11.10).
#[derive(Debug, Clone)]
pub struct AdvanceQuestion {
    /// Whose.
    pub side: Side,
    /// Which.
    pub unit: Id,
    /// Turn, side and activation.
    pub name: String,
}

impl Question<Land> for AdvanceQuestion {
    type Value = Go;
    const KIND: &'static str = "advance";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("{}/advance/{}", self.name, self.unit)
    }
    fn cite(&self) -> Cite {
        Cite("FHG-8.3.4")
    }
    fn check(&self, state: &State, go: &Go) -> Judged<()> {
        match unfit_advance(state, (*go).into()) {
            Ok(()) => Ok(()),
            Err(fault) => Err(vec![Refusal::new("", fault.parts().1, fault.parts().0)]),
        }
    }
    fn absent(&self, _state: &State) -> Option<Go> {
        Some(Go::Stay)
    }
    fn options(&self, state: &State) -> Vec<Go> {
        [Go::Stay, Go::Go, Go::WithLeader].into_iter().filter(|go| self.check(state, go).is_ok()).collect()
    }
}
