//! A land scenario as data (format in `scenarios/README.md`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ground::HomeEdge;
use super::pieces::{Formation, Id, UnitType};
use crate::board::Sheet;
use crate::side::{Side, Sides};

/// The scenario file of a land battle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LandScenario {
    /// Format version, 1.
    pub countersign: u32,
    /// `scenario`.
    pub kind: String,
    /// `honor-land`.
    pub book: String,
    /// File name without `.yaml`.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// Day of the battle, in words.
    pub date: String,
    /// Where, in words.
    pub place: String,
    /// Where the figures come from: rulebook, public, reconstruction or owner.
    pub provenance: String,
    /// How forces, ground and objectives were made.
    pub how: String,
    /// Situation and tasks, for players.
    pub brief: String,
    /// Last turn, from 1 (10.C).
    pub turns: u32,
    /// Player A, who acts first in each turn (5).
    pub first: Side,
    /// The ground (2.2): a sheet of letters, or clear ground with tiles, beginning with hex 0101. Its terrains are `clear`,
    /// `swamp`, `waterway`, `deep`, `crossing`, `forest`, `hill`, `town`, `fence`, `entrenchment` and `fort`; nothing lies
    /// on hexsides.
    pub map: Sheet,
    /// The two sides.
    pub sides: Sides<LandSide>,
    /// Who wins when (10).
    pub victory: Victory,
}

/// One side of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LandSide {
    /// Command action points, 0 to 9 (6.1).
    pub command: u8,
    /// Its edge of the board, toward which it retreats (8.4.1).
    pub home: HomeEdge,
    /// Combat units, in the order lists and defaults use.
    pub units: Vec<LandUnit>,
    /// Leaders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaders: Vec<LandLeader>,
    /// Victory point units the side starts with; the enemy scores them (3.4.11).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objectives: Vec<LandObjective>,
}

/// One combat unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LandUnit {
    /// Its name in orders: 1 to 24 small letters, digits, hyphens; once in the file, leaders and objectives included.
    pub id: Id,
    /// Its name for people.
    pub name: String,
    /// Its type (3.4).
    #[serde(rename = "type")]
    pub kind: UnitType,
    /// MP at the start (3.4): elite 4, marine 1 to 4, regular 3 or 4, light 3, all others 2.
    pub mp: u8,
    /// Hex at the start; left out if it comes later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// When and where it comes, if it is not on the board at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enters: Option<Enters>,
    /// Line if left out (L26).
    #[serde(default, skip_serializing_if = "is_line")]
    pub formation: Formation,
    /// Hexes its landing boat goes for a point, 1 to 6, if it starts in one or comes in one (NAV-2.3.d).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub boat: u8,
    /// Victory points for the enemy if it is eliminated; 1 if left out (10.A).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub worth: u32,
    /// Where type and MP come from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub history: String,
}

/// One leader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LandLeader {
    /// His name in orders.
    pub id: Id,
    /// His name for people.
    pub name: String,
    /// Hex at the start; left out if he comes later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// When and where he comes, if he is not on the board at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enters: Option<Enters>,
    /// Victory points for the enemy; 1 if left out (10.A).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub worth: u32,
}

/// When and where a piece comes onto the board. It is moved like any other; the first hex of its path is one of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Enters {
    /// From this turn on.
    pub turn: u32,
    /// Hexes it may enter by.
    pub by: Vec<String>,
}

/// One victory point unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LandObjective {
    /// Its name in orders and reports.
    pub id: Id,
    /// What it stands for.
    pub name: String,
    /// Its hex.
    pub at: String,
    /// Victory points; 1 if left out (10.B).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub worth: u32,
    /// How it is taken, where ruling L21 is set to `scenario`; by entering if left out.
    #[serde(default, skip_serializing_if = "is_entered")]
    pub taking: Taking,
}

/// How a victory point unit is taken, where ruling L21 leaves it to the scenario (3.4.11.p2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Taking {
    /// By a combat unit that enters its hex, if only in passing.
    #[default]
    Enter,
    /// By a combat unit that ends its activation in its hex.
    Stop,
}

/// Who wins when (10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    /// Points that win at the end of a turn (5.e); if both have theirs, the larger surplus wins, equal is a draw.
    pub target: Sides<u32>,
    /// Who wins when the last turn ends without a winner (10.C).
    pub time: TimeLimit,
}

/// The result when time runs out (10.C).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TimeLimit {
    /// The British win.
    British,
    /// The Americans win.
    American,
    /// Nobody wins.
    Draw,
    /// More points win; equal is a draw.
    Points,
}

fn one() -> u32 {
    1
}
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(n: &u8) -> bool {
    *n == 0
}
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_one(n: &u32) -> bool {
    *n == 1
}
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_line(f: &Formation) -> bool {
    *f == Formation::Line
}
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_entered(t: &Taking) -> bool {
    *t == Taking::Enter
}
