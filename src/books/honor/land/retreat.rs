//! 8.4: where a unit falls back to, displacement, and elimination without a way out.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::boats;
use super::event::{Event, Fallback, Loss};
use super::leaders;
use super::movement::Story;
use super::orders::{Course, Standing};
use super::pieces::{Id, UnitType};
use super::rulings::{DisplaceLimit, DisplacedTrapped, Displacing, RetreatDirection, TrappedElite};
use super::state::{State, Unit};
use super::turn::Land;
use super::volley::{eliminate, one};
use crate::cite::Cite;
use crate::hex::{Dir, Hex, regions};
use crate::play::{Judged, Play, Question, Refusal, Table, Ticket};
use crate::side::Side;

/// A hex a unit may fall back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exit {
    pub hex: Hex,
    /// The friend who has to make room (8.4.3).
    pub displaces: Option<Id>,
}

/// The hexes the rules leave a unit, all of one class (8.4.1, L11, L12); empty if it is eliminated.
pub(super) fn exits(state: &State, unit: &Unit, attacker: Hex, displacing: bool) -> Vec<Exit> {
    let Some(here) = unit.hex else { return Vec::new() };
    let mandatory = state.rulings.direction == RetreatDirection::Mandatory;
    let groups = main_groups(state, unit.side, here);
    let home = state.armies.get(unit.side).home;
    let toward = |hex: Hex| {
        let near = |at: Hex, group: &BTreeSet<Hex>| group.iter().map(|h| h.distance(at)).min();
        state.ground.to_edge(hex, home) < state.ground.to_edge(here, home)
            || groups.iter().any(|group| near(hex, group) < near(here, group))
    };
    let mut all = Vec::new();
    for hex in here.neighbours() {
        if !boats::open(&state.ground, unit, hex) || state.held(hex, unit.side.other()) || (mandatory && !toward(hex)) {
            continue;
        }
        let gap = hex.distance(attacker);
        let near = gap <= 1;
        // Beside the attacker goes only who is there already; one displaced never comes nearer (8.4.1).
        if gap < here.distance(attacker) {
            continue;
        }
        let friend = state.placed(hex, unit.kind.place());
        let rank = match (near, friend.is_some(), state.rulings.displacing) {
            (false, false, _) => 0,
            (false, true, Displacing::BeforeNear) | (true, false, Displacing::Last) => 1,
            (true, false, Displacing::BeforeNear) | (false, true, Displacing::Last) => 2,
            (true, true, _) => 3,
        };
        match friend {
            None => all.push((rank, toward(hex), Exit { hex, displaces: None })),
            Some(friend) if displacing && makes_room(state, friend, attacker) => {
                all.push((rank, toward(hex), Exit { hex, displaces: Some(friend.id.clone()) }));
            }
            Some(_) => {}
        }
    }
    let Some(best) = all.iter().map(|(rank, _, _)| *rank).min() else { return Vec::new() };
    all.retain(|(rank, _, _)| *rank == best);
    if all.iter().any(|(_, toward, _)| *toward) {
        all.retain(|(_, toward, _)| *toward);
    }
    all.into_iter().map(|(_, _, exit)| exit).collect()
}

/// Whether a unit that has to fall back from an attacker has no way out and is eliminated (8.4.2).
#[must_use]
pub fn trapped(state: &State, unit: &Unit, attacker: Hex) -> bool {
    exits(state, unit, attacker, true).is_empty()
}

/// 8.4.3, L13: a friend can make room if it has a way out without displacing another; by the alternative it may also die.
fn makes_room(state: &State, friend: &Unit, attacker: Hex) -> bool {
    state.rulings.displaced == DisplacedTrapped::Eliminated || !exits(state, friend, attacker, false).is_empty()
}

/// The largest groups of a side's units whose hexes touch, without the hex a unit leaves.
fn main_groups(state: &State, side: Side, but: Hex) -> Vec<BTreeSet<Hex>> {
    let units: Vec<Hex> = state.units.iter().filter(|u| u.side == side && u.on_board()).filter_map(|u| u.hex).collect();
    let hexes: BTreeSet<Hex> = units.iter().copied().filter(|hex| *hex != but).collect();
    let count = |group: &BTreeSet<Hex>| units.iter().filter(|hex| group.contains(hex)).count();
    let all = regions(&hexes, |_, _| true);
    let most = all.iter().map(count).max().unwrap_or(0);
    all.into_iter().filter(|group| count(group) == most).collect()
}

/// One unit that has to fall back.
#[derive(Debug, Clone)]
pub(super) struct Retreating<'a> {
    pub unit: &'a Id,
    pub why: Fallback,
    /// The attacker's hex.
    pub attacker: Hex,
    /// Straight away from the attacker.
    pub away: Dir,
    /// Turn, side and activation.
    pub name: &'a str,
    /// Whether a friend may be displaced (L14).
    pub displacing: bool,
    /// The only hex it may go to if that is open to it (L15, alternative).
    pub together: Option<Hex>,
}

impl Retreating<'_> {
    /// Moves the unit one hex, or eliminates it. Returns where it went, and whether it displaced a friend.
    pub(super) fn fall_back(&self, table: &mut Table<'_, Land>) -> Play<Option<(Hex, bool)>, Land> {
        let Some(unit) = table.state().unit(self.unit).cloned() else { return Ok(None) };
        let Some(from) = unit.hex else { return Ok(None) };
        let mut all = exits(table.state(), &unit, self.attacker, self.displacing);
        if let Some(with) = self.together.filter(|with| open_to(table.state(), &unit, from, *with)) {
            all = vec![Exit { hex: with, displaces: None }];
        }
        let exit = match all.as_slice() {
            [] => {
                self.trapped(table, &unit)?;
                return Ok(None);
            }
            [only] => only.clone(),
            _ => {
                let question = RetreatQuestion {
                    side: unit.side,
                    unit: self.unit.clone(),
                    name: self.name.to_owned(),
                    why: self.why,
                    away: self.away,
                    hexes: all.iter().map(|exit| exit.hex).collect(),
                };
                let label = table.decide(question)?.0;
                let hex = table.state().ground.hex(&label).ok();
                all.iter().find(|exit| Some(exit.hex) == hex).unwrap_or(&all[0]).clone()
            }
        };
        let displaced = exit.displaces.is_some();
        if let Some(friend) = &exit.displaces {
            let away = from.row_to(exit.hex).unwrap_or(self.away);
            let making =
                Retreating { unit: friend, why: Fallback::Displaced, away, displacing: false, together: None, ..*self };
            let gone = making.fall_back(table)?;
            left_behind(table, unit.side, exit.hex, friend, gone.map(|(hex, _)| hex), self.name)?;
        }
        let (from, to) = (table.state().label(from), table.state().label(exit.hex));
        let fell = Event::FellBack { unit: self.unit.clone(), from, to, why: self.why };
        let mut story = Story::begin(table.state(), fell);
        story.enter(self.unit, exit.hex, true);
        story.events().into_iter().for_each(|event| table.tell(event));
        Ok(Some((exit.hex, displaced)))
    }

    /// 8.4.2: no way out. An elite rolls for it only by the alternative of ruling L52.
    fn trapped(&self, table: &mut Table<'_, Land>, unit: &Unit) -> Play<(), Land> {
        if self.why == Fallback::Displaced {
            eliminate(table, self.unit, Loss::NoRoom);
            return Ok(());
        }
        if unit.kind == UnitType::Elite && table.state().rulings.trapped_elite == TrappedElite::Rolls {
            let roll = one(&table.roll(vec![Ticket::d6(format!("{}/survival/retreat", self.name))])?);
            let ignored = roll <= 3;
            table.tell(Event::Survival { unit: self.unit.clone(), roll, ignored });
            if ignored {
                return Ok(());
            }
        }
        eliminate(table, self.unit, Loss::NoRetreat);
        Ok(())
    }
}

/// 8.3.2, L57: a displaced unit that was alone with its leader takes him along; if it is eliminated (L13) he flees (8.4.5).
fn left_behind(
    table: &mut Table<'_, Land>,
    side: Side,
    at: Hex,
    friend: &Id,
    gone: Option<Hex>,
    name: &str,
) -> Play<(), Land> {
    match gone {
        Some(_) if table.state().held(at, side) => Ok(()),
        Some(hex) => leaders::follow(table, side, at, &[(friend.clone(), hex)], name),
        None => leaders::escape(table, side, at, &format!("{name}/displaced")),
    }
}

/// Whether a unit can go to a neighbouring hex without displacing anybody.
fn open_to(state: &State, unit: &Unit, from: Hex, hex: Hex) -> bool {
    from.distance(hex) == 1
        && boats::open(&state.ground, unit, hex)
        && !state.held(hex, unit.side.other())
        && state.placed(hex, unit.kind.place()).is_none()
}

/// L14: whether another friend may be displaced in this combat.
pub(super) fn may_displace(state: &State, displaced: bool) -> bool {
    !displaced || state.rulings.displace_limit == DisplaceLimit::OneEach
}

/// A hex label as an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct To(pub String);

/// Where a unit falls back to, asked of its owner (8.4.1, 8.4.3).
#[derive(Debug, Clone)]
pub struct RetreatQuestion {
    /// Whose unit.
    pub side: Side,
    /// Which.
    pub unit: Id,
    /// Turn, side and activation.
    pub name: String,
    /// Why it falls back.
    pub why: Fallback,
    /// Straight away from the attacker.
    pub away: Dir,
    /// The hexes the rules leave.
    pub hexes: Vec<Hex>,
}

impl Question<Land> for RetreatQuestion {
    type Value = To;
    const KIND: &'static str = "retreat";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("{}/retreat/{}", self.name, self.unit)
    }
    fn cite(&self) -> Cite {
        Cite(if self.why == Fallback::Displaced { "FHG-8.4.3" } else { "FHG-8.4.1" })
    }
    fn check(&self, state: &State, to: &To) -> Judged<()> {
        let all = self.options(state);
        if all.contains(to) {
            return Ok(());
        }
        let words: Vec<String> = all.into_iter().map(|to| to.0).collect();
        let refusal = Refusal::new("", self.cite(), format!("{} cannot go to {}", self.unit, to.0));
        Err(vec![refusal.instead(format!("It can go to {}.", words.join(" or ")))])
    }
    fn standing(&self, state: &State, policy: &Standing) -> Option<To> {
        let own = policy.units.get(&self.unit);
        let course = match self.why {
            Fallback::Displaced => own.and_then(|u| u.displaced.as_ref()).unwrap_or(&policy.displaced),
            _ => own.and_then(|u| u.retreat.as_ref()).unwrap_or(&policy.retreat),
        };
        let from = state.unit(&self.unit).and_then(|u| u.hex)?;
        let dirs = match course {
            Course::Ask => return None,
            Course::Away => Vec::new(),
            Course::Toward(dirs) => dirs.clone(),
        };
        let rest = (0..6).map(|n| self.away.rotated(n));
        let hex = dirs.into_iter().chain(rest).map(|dir| from.step(dir)).find(|hex| self.hexes.contains(hex))?;
        Some(To(state.label(hex)))
    }
    fn absent(&self, state: &State) -> Option<To> {
        self.standing(state, &Standing::default())
    }
    fn options(&self, state: &State) -> Vec<To> {
        self.hexes.iter().map(|hex| To(state.label(*hex))).collect()
    }
}
