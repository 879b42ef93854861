//! The position of a land battle.

use std::collections::BTreeSet;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::campaign::Campaign;
use super::ground::{Ground, HomeEdge};
use super::options::Options;
use super::orders::{Order, Outcome};
use super::pieces::{Formation, Id, Place, UnitType};
use super::rulings::{Rulings, SightBlockers};
use super::scenario::{Taking, Victory};
use crate::hex::Hex;
use crate::side::{Side, Sides};

/// Everything about a battle; there is nothing hidden. Changed by events alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    /// The board.
    #[serde(serialize_with = "through")]
    pub ground: Rc<Ground>,
    /// Settings of the rulings.
    pub rulings: Rulings,
    /// Optional rules in use.
    pub options: Options,
    /// Player A (5).
    pub first: Side,
    /// Last turn.
    pub turns: u32,
    /// Who wins when.
    pub victory: Victory,
    /// The campaign this battle is part of (12).
    pub campaign: Option<Campaign>,
    /// The turn, from 1; 0 before the first.
    pub turn: u32,
    /// Whose half-turn it is.
    pub active: Side,
    /// Action points left in it (6.2.8).
    pub ap: u8,
    /// Activations carried out in it.
    pub acts: u32,
    /// What came of the activation before, for guards.
    pub last: BTreeSet<Outcome>,
    /// The hex attacked by that activation.
    pub target: Option<Hex>,
    /// Orders left when their owner paused.
    pub rest: Vec<Order>,
    /// Both sides.
    pub armies: Sides<Army>,
    /// All combat units of the scenario, British first, in scenario order; lost ones stay in the list.
    pub units: Vec<Unit>,
    /// All leaders, in the same order.
    pub leaders: Vec<Leader>,
    /// All victory point units, in the same order.
    pub objectives: Vec<Objective>,
}

fn through<S: serde::Serializer>(ground: &Rc<Ground>, to: S) -> Result<S::Ok, S::Error> {
    ground.as_ref().serialize(to)
}

/// What belongs to a side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Army {
    /// Command action points, after 11.13 and 11.14 (6.1).
    pub command: u8,
    /// Leaders lost (9.3.2).
    pub leaders_lost: u8,
    /// Its edge of the board.
    pub home: HomeEdge,
    /// Victory points.
    pub points: u32,
}

/// What became of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// On the board, or still to come.
    Fit,
    /// Eliminated.
    Eliminated,
}

/// What a unit did in its half-turn (6.1.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// Nothing yet.
    Nothing,
    /// Moved (7.1).
    Moved,
    /// Moved one hex farther with a leader (6.2.5).
    MovedFarther,
    /// Ended its move on a waterway (2.3.3).
    Waded,
    /// Fired (8.1).
    Fired,
    /// Moved and fired, or fired and moved.
    MovedAndFired,
    /// Close combat (8.3).
    CloseCombat,
    /// Was rallied (9.4).
    Rallied,
    /// Changed formation (7.5).
    Formed,
}

/// A combat unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unit {
    /// Its name in orders.
    pub id: Id,
    /// Its name for people.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Its type.
    pub kind: UnitType,
    /// Where; none before it enters or after it is lost.
    pub hex: Option<Hex>,
    /// MP now (3.3); 0 once eliminated by hits.
    pub mp: u8,
    /// MP at the start of the scenario (9.4).
    pub start: u8,
    /// Line or column (7.5).
    pub formation: Formation,
    /// Hexes the landing boat it is in goes for a point; 0 once ashore, and for all who never were in one (NAV-2.3.d).
    pub boat: u8,
    /// What became of it.
    pub fate: Fate,
    /// Victory points for the enemy (10.A).
    pub worth: u32,
    /// When and where it comes, if it does not start on the board.
    pub entry: Option<Entry>,
    /// Where it stood when its side's half-turn began.
    pub began: Option<Hex>,
    /// What it did in that half-turn.
    pub deed: Deed,
    /// Whether it was fired on in the span of 11.2 (L22b).
    pub fired_on: bool,
}

/// When and where a piece may come onto the board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// From this turn on.
    pub turn: u32,
    /// The first hex of its first move.
    pub hexes: Vec<Hex>,
}

/// A leader.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Leader {
    /// His name in orders.
    pub id: Id,
    /// His name for people.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Where; none before he enters or after he is lost.
    pub hex: Option<Hex>,
    /// What became of him.
    pub fate: Fate,
    /// Victory points for the enemy (10.A).
    pub worth: u32,
    /// When and where he comes.
    pub entry: Option<Entry>,
    /// Where he stood when his side's half-turn began.
    pub began: Option<Hex>,
    /// Whether he moved in it, alone or with a unit (7.1.1).
    pub moved: bool,
    /// The unit he moved with in it, with which he stays (6.2.6, 9.1.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escorts: Option<Id>,
    /// Whether he rallied a unit in it (9.4).
    pub rallied: bool,
    /// Whether he added a die to an attack in it (11.8).
    pub supported: bool,
}

/// A victory point unit (3.4.11).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Objective {
    /// Its name.
    pub id: Id,
    /// Its name for people.
    pub name: String,
    /// Who starts with it.
    pub side: Side,
    /// Where; none once it is taken.
    pub hex: Option<Hex>,
    /// Points for the other side.
    pub worth: u32,
    /// How it is taken where ruling L21 leaves it to the scenario.
    pub taking: Taking,
    /// Who took it.
    pub taken: Option<Side>,
}

impl Unit {
    /// Whether it stands on the board.
    #[must_use]
    pub fn on_board(&self) -> bool {
        self.fate == Fate::Fit && self.hex.is_some()
    }
}

impl Leader {
    /// Whether he is on the board.
    #[must_use]
    pub fn on_board(&self) -> bool {
        self.fate == Fate::Fit && self.hex.is_some()
    }
}

impl State {
    /// A combat unit by name, whatever became of it.
    #[must_use]
    pub fn unit(&self, id: &Id) -> Option<&Unit> {
        self.units.iter().find(|u| u.id == *id)
    }

    /// A leader by name, whatever became of him.
    #[must_use]
    pub fn leader(&self, id: &Id) -> Option<&Leader> {
        self.leaders.iter().find(|l| l.id == *id)
    }

    pub(super) fn unit_mut(&mut self, id: &Id) -> Option<&mut Unit> {
        self.units.iter_mut().find(|u| u.id == *id)
    }

    pub(super) fn leader_mut(&mut self, id: &Id) -> Option<&mut Leader> {
        self.leaders.iter_mut().find(|l| l.id == *id)
    }

    /// The combat units of a side in a hex: troops, then gun.
    #[must_use]
    pub fn units_in(&self, hex: Hex, side: Side) -> Vec<&Unit> {
        let here = |u: &&Unit| u.side == side && u.on_board() && u.hex == Some(hex);
        let mut found: Vec<&Unit> = self.units.iter().filter(here).collect();
        found.sort_by_key(|u| u.kind.gun());
        found
    }

    /// Whether a side has a combat unit in a hex.
    #[must_use]
    pub fn held(&self, hex: Hex, side: Side) -> bool {
        self.units.iter().any(|u| u.side == side && u.on_board() && u.hex == Some(hex))
    }

    /// The unit that takes a place in a hex, of either side (4.3).
    #[must_use]
    pub fn placed(&self, hex: Hex, place: Place) -> Option<&Unit> {
        self.units.iter().find(|u| u.on_board() && u.hex == Some(hex) && u.kind.place() == place)
    }

    /// The leader of a side in a hex.
    #[must_use]
    pub fn leader_in(&self, hex: Hex, side: Side) -> Option<&Leader> {
        self.leaders.iter().find(|l| l.side == side && l.on_board() && l.hex == Some(hex))
    }

    /// Any leader in a hex.
    #[must_use]
    pub fn any_leader_in(&self, hex: Hex) -> Option<&Leader> {
        self.leaders.iter().find(|l| l.on_board() && l.hex == Some(hex))
    }

    /// The victory point unit in a hex.
    #[must_use]
    pub fn objective_in(&self, hex: Hex) -> Option<&Objective> {
        self.objectives.iter().find(|o| o.taken.is_none() && o.hex == Some(hex))
    }

    /// Whether a unit in a hex blocks sight through it (8.2, L03).
    #[must_use]
    pub fn unit_blocks(&self, hex: Hex) -> bool {
        let combat = self.units.iter().any(|u| u.on_board() && u.hex == Some(hex));
        let all = self.rulings.blockers == SightBlockers::AllUnits;
        combat || all && (self.any_leader_in(hex).is_some() || self.objective_in(hex).is_some())
    }

    /// The label of a hex.
    #[must_use]
    pub fn label(&self, hex: Hex) -> String {
        self.ground.label(hex)
    }

    /// Whether a side still has a combat unit or leader, on the board or to come.
    #[must_use]
    pub fn lives(&self, side: Side) -> bool {
        self.units.iter().any(|u| u.side == side && u.fate == Fate::Fit)
            || self.leaders.iter().any(|l| l.side == side && l.fate == Fate::Fit)
    }
}
