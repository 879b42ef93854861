//! A naval scenario as data (format in `scenarios/README.md`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::orders::ShipId;
use crate::hex::Dir;
use crate::side::{Side, Sides};

/// The scenario file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Format version, 1.
    pub countersign: u32,
    /// `scenario`.
    pub kind: String,
    /// `honor-naval`.
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
    /// How the figures were made.
    pub how: String,
    /// Situation and tasks, for players.
    pub brief: String,
    /// Last turn, from 1.
    pub turns: u32,
    /// Wind at the start.
    pub wind: Dir,
    /// Commander's advantage (NAV-7.1).
    pub advantage: Side,
    /// Size of the sea.
    #[serde(default)]
    pub sea: Sea,
    /// Whether the edge is fixed; absent = the sea is unbounded (NAV-1.1, N21).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
    /// The two sides.
    pub sides: Sides<ScenarioSide>,
    /// Who wins when.
    pub victory: Victory,
}

/// Size of the sea in hexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sea {
    /// Columns, 1 to 60.
    pub columns: u8,
    /// Rows, 1 to 26.
    pub rows: u8,
}

impl Default for Sea {
    /// Ruling N43.
    fn default() -> Sea {
        Sea { columns: 40, rows: 26 }
    }
}

/// A fixed board edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// Whether the pieces may not be shifted.
    pub fixed: bool,
    /// What sailing over it means; absent = as ruling N21 is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaving: Option<Leaving>,
}

/// What sailing over a fixed edge means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Leaving {
    /// The marker becomes a STOP.
    Stop,
    /// The ship is lost to its side.
    Lost,
    /// The ship is out of the battle and safe.
    Escape,
}

/// One side of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioSide {
    /// Base plotted moves a turn, 1 to 6.
    pub plots: u8,
    /// Squadron commander (NAV-9.2); only for sides with more than one ship.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<ShipId>,
    /// The ships, in the order lists and defaults use.
    pub ships: Vec<ScenarioShip>,
}

/// One counter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioShip {
    /// Its name in orders.
    pub id: ShipId,
    /// Its name for people.
    pub name: String,
    /// Counter type (NAV-2.3).
    #[serde(rename = "type")]
    pub kind: ShipType,
    /// Hex label.
    pub at: String,
    /// Heading.
    pub heading: Dir,
    /// Starting damage rating, 1 to 12.
    pub damage: u8,
    /// Dice a broadside, 1 to 8.
    pub guns: u8,
    /// Marine MP, 0 to 8.
    pub marines: u8,
    /// Hexes a straight marker moves, 1 to 3 (NAV-3.2).
    #[serde(default = "one")]
    pub speed: u8,
    /// Gun range in hexes, 1 or 2 (NAV-6.3).
    #[serde(default = "two")]
    pub range: u8,
    /// Victory points.
    pub worth: Worth,
    /// Where the ratings come from.
    pub history: String,
}

fn one() -> u8 {
    1
}

fn two() -> u8 {
    2
}

/// Counter types (NAV-2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShipType {
    /// NAV-2.3.a
    Frigate,
    /// NAV-2.3.b
    Brig,
    /// NAV-2.3.c
    Sloop,
    /// NAV-2.3.d
    Gunboat,
}

/// Points a ship gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Worth {
    /// To the enemy, if sunk or lost.
    pub sunk: u32,
    /// To the enemy, if captured.
    pub captured: u32,
    /// To its owner, if it escapes over a fixed edge.
    #[serde(default)]
    pub escaped: u32,
}

/// Who wins when (NAV-4.1.f, NAV-4.1.g).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    /// Points that win at the end of a turn; if both have theirs, the larger surplus wins, equal is a draw.
    pub target: Sides<u32>,
    /// Points added when the last turn ends without a winner; then more points win, equal is a draw.
    pub at_end: Sides<u32>,
}
