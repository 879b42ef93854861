//! Chapter 9: what becomes of leaders in combat, and rally.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::event::{Event, LeaderLoss, LeaderShift};
use super::judge::{Fault, may_act, no_points, own_unit};
use super::orders::{Flight, Follow, Standing};
use super::pieces::Id;
use super::rulings::EscapeTerms;
use super::state::{Deed, State};
use super::turn::Land;
use crate::cite::Cite;
use crate::hex::{Hex, flood};
use crate::play::{Judged, Play, Question, Refusal, Table};
use crate::side::Side;

/// A rally that is legal now.
#[derive(Debug, Clone)]
pub(super) struct RallyPlan {
    pub unit: Id,
    pub leader: Id,
}

/// What is wrong with a rally whatever the dice do before it.
pub(super) fn unfit_rally(state: &State, side: Side, id: &Id) -> Result<(), Fault> {
    let unit = own_unit(state, side, id)?;
    if unit.kind.gun() {
        return Err(Refusal::new("unit", Cite("FHG-9.4"), "artillery and rockets are not rallied").into());
    }
    Ok(())
}

/// 9.4: a leader who began the turn with a unit, both unmoved, restores 1 MP of it, never above its start.
pub(super) fn judge_rally(state: &State, side: Side, id: &Id) -> Result<RallyPlan, Fault> {
    unfit_rally(state, side, id)?;
    let unit = own_unit(state, side, id)?;
    let refuse = |cite: &'static str, why: String| Err(Refusal::new("unit", Cite(cite), why).into());
    may_act(unit, Deed::Rallied, false)?;
    let leader = unit.hex.and_then(|hex| state.leader_in(hex, side));
    let Some(leader) = leader else {
        return refuse("FHG-9.4", format!("no leader is with {}", unit.name));
    };
    if leader.moved || leader.began != leader.hex || unit.began != unit.hex {
        return refuse("FHG-9.4.p1", format!("{} and {} did not both begin the turn here", unit.name, leader.name));
    }
    if unit.mp >= unit.start {
        return refuse("FHG-9.4", format!("{} has all the {} MP it began with", unit.name, unit.start));
    }
    if state.options.shaken.on() && unit.fired_on {
        return refuse("FHG-11.2", format!("{} was fired on", unit.name));
    }
    if state.ap < 1 {
        return Err(no_points(state, 1, "FHG-9.4"));
    }
    Ok(RallyPlan { unit: id.clone(), leader: leader.id.clone() })
}

/// The event of a legal rally.
pub(super) fn rallied(state: &State, plan: &RallyPlan) -> Event {
    let mp = state.unit(&plan.unit).map_or(1, |u| u.mp.saturating_add(1));
    Event::Rallied { unit: plan.unit.clone(), leader: plan.leader.clone(), mp, ap: 1 }
}

/// Removes a leader and scores him (9.3.1, 10.A).
pub(super) fn lose(table: &mut Table<'_, Land>, id: &Id, why: LeaderLoss) {
    let Some((side, worth)) = table.state().leader(id).map(|l| (l.side, l.worth)) else { return };
    table.tell(Event::LeaderLost { leader: id.clone(), why });
    super::victory::score(table, side.other(), worth, "FHG-10.A");
}

fn shift(table: &mut Table<'_, Land>, id: &Id, to: Hex, why: LeaderShift) {
    let Some(from) = table.state().leader(id).and_then(|l| l.hex) else { return };
    let (from, to) = (table.state().label(from), table.state().label(to));
    table.tell(Event::LeaderShifted { leader: id.clone(), from, to, why });
}

/// Hexes a leader can end an escape in, with the steps to each, his own hex left out; and whether any of the six exits
/// is open at all (8.4.5, L16).
fn reachable(state: &State, side: Side, from: Hex, limit: u32) -> (BTreeMap<Hex, u32>, bool) {
    let strict = state.rulings.escape == EscapeTerms::MustMove;
    let pass = |a: Hex, b: Hex| {
        let goes_on = a == from || !strict || super::movement::stops(state, a, None, false).is_none();
        let open = super::boats::barred_leader(&state.ground, Some(a), b).is_none();
        goes_on && state.ground.contains(b) && open && !state.held(b, side.other())
    };
    let mut found = flood([from], limit, pass);
    found.remove(&from);
    let exit = !found.is_empty();
    found.retain(|hex, _| state.any_leader_in(*hex).is_none());
    (found, exit)
}

/// 8.4.5: a unit with him was eliminated; the leader may go up to three hexes at once. Alone without any exit he is lost.
pub(super) fn escape(table: &mut Table<'_, Land>, side: Side, at: Hex, name: &str) -> Play<(), Land> {
    let Some(leader) = table.state().leader_in(at, side).map(|l| l.id.clone()) else { return Ok(()) };
    let alone = !table.state().held(at, side);
    let (ends, exit) = reachable(table.state(), side, at, 3);
    let may_stay = table.state().rulings.escape == EscapeTerms::MayStay;
    if !exit || (ends.is_empty() && !may_stay) {
        if alone {
            lose(table, &leader, LeaderLoss::Trapped);
        }
        return Ok(());
    }
    let question = EscapeQuestion { side, leader: leader.clone(), name: name.to_owned(), from: at, ends, may_stay };
    flee(table, question, LeaderShift::Escapes)
}

fn flee(table: &mut Table<'_, Land>, question: EscapeQuestion, why: LeaderShift) -> Play<(), Land> {
    let leader = question.leader.clone();
    if let Flee::To(label) = table.decide(question)?
        && let Ok(hex) = table.state().ground.hex(&label)
    {
        shift(table, &leader, hex, why);
    }
    Ok(())
}

/// 8.3.2: all units have left his hex, so the leader goes with them; whom he follows is his owner's choice (L15).
pub(super) fn follow(
    table: &mut Table<'_, Land>,
    side: Side,
    at: Hex,
    gone: &[(Id, Hex)],
    name: &str,
) -> Play<(), Land> {
    let Some(leader) = table.state().leader_in(at, side).map(|l| l.id.clone()) else { return Ok(()) };
    // L15: he does not follow to a hex where another leader is while the other unit went to one without.
    let free = |hex: &Hex| table.state().any_leader_in(*hex).is_none();
    let to = match gone {
        [] => return Ok(()),
        [(_, troops), .., (_, gun)] if free(gun) && !free(troops) => *gun,
        [(_, troops), .., (_, gun)] if troops != gun && free(gun) == free(troops) => {
            let question = FollowQuestion { side, leader: leader.clone(), name: name.to_owned() };
            if table.decide(question)? == Whom::Gun { *gun } else { *troops }
        }
        [(_, only), ..] => *only,
    };
    if table.state().any_leader_in(to).is_none() {
        shift(table, &leader, to, LeaderShift::Follows);
        return Ok(());
    }
    // L15: two leaders may not end together; he makes way by one hex, or is lost.
    let (ends, _) = reachable(table.state(), side, at, 1);
    if ends.is_empty() {
        lose(table, &leader, LeaderLoss::Trapped);
        return Ok(());
    }
    let question = EscapeQuestion { side, leader, name: format!("{name}/way"), from: at, ends, may_stay: false };
    flee(table, question, LeaderShift::MakesWay)
}

/// Where a leader flees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flee {
    /// Nowhere.
    Stay,
    /// To a hex.
    To(String),
}

/// Where a leader flees to, asked of his owner (8.4.5).
#[derive(Debug, Clone)]
pub struct EscapeQuestion {
    /// Whose.
    pub side: Side,
    /// Who.
    pub leader: Id,
    /// Turn, side and activation.
    pub name: String,
    /// Where he stands.
    pub from: Hex,
    /// Hexes he can end in, with the steps to each.
    pub ends: BTreeMap<Hex, u32>,
    /// Whether he may stay.
    pub may_stay: bool,
}

impl EscapeQuestion {
    /// The end nearest to a unit of his side without a leader: fewest steps from it, then fewest to go, then by label.
    fn nearest(&self, state: &State) -> Option<Flee> {
        let lonely = |hex: Hex| state.any_leader_in(hex).is_none();
        let units: Vec<Hex> =
            state.units.iter().filter(|u| u.side == self.side && u.on_board()).filter_map(|u| u.hex).collect();
        let goals: Vec<Hex> = units.into_iter().filter(|hex| lonely(*hex)).collect();
        let gap = |hex: Hex| goals.iter().map(|goal| goal.distance(hex)).min().unwrap_or(0);
        let best = self.ends.iter().min_by_key(|(hex, steps)| (gap(**hex), **steps, state.label(**hex)))?;
        Some(Flee::To(state.label(*best.0)))
    }

    fn stays_with_friends(&self, state: &State) -> bool {
        self.may_stay && state.held(self.from, self.side)
    }
}

impl Question<Land> for EscapeQuestion {
    type Value = Flee;
    const KIND: &'static str = "escape";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("{}/escape/{}", self.name, self.leader)
    }
    fn cite(&self) -> Cite {
        Cite("FHG-8.4.5")
    }
    fn check(&self, state: &State, flee: &Flee) -> Judged<()> {
        let refuse = |why: String| Err(vec![Refusal::new("", self.cite(), why)]);
        match flee {
            Flee::Stay if self.may_stay => Ok(()),
            Flee::Stay => refuse(format!("{} may not stay", self.leader)),
            Flee::To(label) if state.ground.hex(label).is_ok_and(|hex| self.ends.contains_key(&hex)) => Ok(()),
            Flee::To(label) => refuse(format!("{} cannot get to {label}", self.leader)),
        }
    }
    fn standing(&self, state: &State, policy: &Standing) -> Option<Flee> {
        let flight = policy.leaders.get(&self.leader).unwrap_or(&policy.escape);
        let or_nearest = || {
            if self.stays_with_friends(state) {
                return Some(Flee::Stay);
            }
            self.nearest(state).or(self.may_stay.then_some(Flee::Stay))
        };
        match flight {
            Flight::Ask => None,
            Flight::Stay if self.may_stay => Some(Flee::Stay),
            Flight::Stay | Flight::Nearest => or_nearest(),
            Flight::To(labels) => {
                let to = labels.iter().map(|l| Flee::To(l.clone())).find(|to| self.check(state, to).is_ok());
                to.or_else(or_nearest)
            }
        }
    }
    fn absent(&self, state: &State) -> Option<Flee> {
        self.standing(state, &Standing::default())
    }
    fn options(&self, state: &State) -> Vec<Flee> {
        let stay = self.may_stay.then_some(Flee::Stay);
        stay.into_iter().chain(self.ends.keys().map(|hex| Flee::To(state.label(*hex)))).collect()
    }
}

/// Whom a leader follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whom {
    /// Infantry or dragoons.
    Troops,
    /// The gun.
    Gun,
}

/// Whom a leader follows when his units part, asked of his owner (8.3.2, L15).
#[derive(Debug, Clone)]
pub struct FollowQuestion {
    /// Whose.
    pub side: Side,
    /// Who.
    pub leader: Id,
    /// Turn, side and activation.
    pub name: String,
}

impl Question<Land> for FollowQuestion {
    type Value = Whom;
    const KIND: &'static str = "follow";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("{}/follow/{}", self.name, self.leader)
    }
    fn cite(&self) -> Cite {
        Cite("FHG-8.3.2.p2")
    }
    fn check(&self, _state: &State, _whom: &Whom) -> Judged<()> {
        Ok(())
    }
    fn standing(&self, _state: &State, policy: &Standing) -> Option<Whom> {
        match policy.follow {
            Follow::Troops => Some(Whom::Troops),
            Follow::Gun => Some(Whom::Gun),
            Follow::Ask => None,
        }
    }
    fn absent(&self, _state: &State) -> Option<Whom> {
        Some(Whom::Troops)
    }
    fn options(&self, _state: &State) -> Vec<Whom> {
        vec![Whom::Troops, Whom::Gun]
    }
}
