//! Chapter 3 and the charts of types: how far each type moves, how far it fires, what it needs to hit.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cite::Cite;

/// Name of a unit, leader or victory point unit in its scenario: lower-case letters, digits and hyphens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Id(pub String);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Id {
    fn from(s: &str) -> Id {
        Id(s.to_owned())
    }
}

/// The types of combat units (3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UnitType {
    /// Elite infantry (3.4.1).
    Elite,
    /// Marine infantry (3.4.2).
    Marine,
    /// Regular infantry (3.4.3).
    Regular,
    /// Light infantry (3.4.4).
    Light,
    /// Militia infantry (3.4.5).
    Militia,
    /// Indians (3.4.6).
    Indian,
    /// Dragoons (3.4.7).
    Dragoon,
    /// Artillery (3.4.8).
    Artillery,
    /// Rockets (3.4.9).
    Rocket,
}

/// Line or column (7.5). Public: a column's counter stands on edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Formation {
    /// The normal formation.
    #[default]
    Line,
    /// One hex more, one die.
    Column,
}

/// The two places a hex has for combat units (4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One infantry type unit or dragoon unit.
    Troops,
    /// One artillery or rocket unit.
    Gun,
}

impl UnitType {
    /// All types, in the order of the charts.
    pub const ALL: [UnitType; 9] = [
        UnitType::Elite,
        UnitType::Marine,
        UnitType::Regular,
        UnitType::Light,
        UnitType::Militia,
        UnitType::Indian,
        UnitType::Dragoon,
        UnitType::Artillery,
        UnitType::Rocket,
    ];

    /// The type in one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            UnitType::Elite => "elite infantry",
            UnitType::Marine => "marines",
            UnitType::Regular => "regular infantry",
            UnitType::Light => "light infantry",
            UnitType::Militia => "militia",
            UnitType::Indian => "Indians",
            UnitType::Dragoon => "dragoons",
            UnitType::Artillery => "artillery",
            UnitType::Rocket => "rockets",
        }
    }

    /// Artillery or rockets.
    #[must_use]
    pub fn gun(self) -> bool {
        matches!(self, UnitType::Artillery | UnitType::Rocket)
    }

    /// Infantry types, Indians among them (6.2.2): those that may conduct close combat.
    #[must_use]
    pub fn infantry(self) -> bool {
        !self.gun() && self != UnitType::Dragoon
    }

    /// Types that march in column (7.5).
    #[must_use]
    pub fn forms_column(self) -> bool {
        self.infantry() && self != UnitType::Indian
    }

    /// The place it takes in a hex (4.3).
    #[must_use]
    pub fn place(self) -> Place {
        if self.gun() { Place::Gun } else { Place::Troops }
    }

    /// Hexes a turn (movement chart).
    #[must_use]
    pub fn moves(self) -> u8 {
        match self {
            UnitType::Light | UnitType::Indian => 2,
            UnitType::Dragoon => 3,
            _ => 1,
        }
    }

    /// The row of the movement chart.
    #[must_use]
    pub fn move_row(self) -> Cite {
        Cite(match self {
            UnitType::Light => "FHG-CHART-MOVE.b",
            UnitType::Indian => "FHG-CHART-MOVE.c",
            UnitType::Dragoon => "FHG-CHART-MOVE.d",
            UnitType::Artillery | UnitType::Rocket => "FHG-CHART-MOVE.e",
            _ => "FHG-CHART-MOVE.a",
        })
    }

    /// Farthest hex it fires at (range and firepower chart).
    #[must_use]
    pub fn range(self) -> u32 {
        match self {
            UnitType::Dragoon => 1,
            UnitType::Artillery => 4,
            UnitType::Rocket => 3,
            _ => 2,
        }
    }

    /// The row of the range and firepower chart.
    #[must_use]
    pub fn range_row(self) -> Cite {
        Cite(match self {
            UnitType::Dragoon => "FHG-CHART-RANGE.b",
            UnitType::Artillery => "FHG-CHART-RANGE.c",
            UnitType::Rocket => "FHG-CHART-RANGE.d",
            _ => "FHG-CHART-RANGE.a",
        })
    }

    /// Lowest face that hits at a range within reach (combat chart). One hex beyond the chart, for a gun on a hill (11.5), 6.
    #[must_use]
    pub fn hits_on(self, range: u32) -> u8 {
        match (self, range) {
            (UnitType::Artillery, 1) => 4,
            (UnitType::Artillery, 2) => 5,
            (UnitType::Artillery | UnitType::Rocket, _) => 6,
            (_, 1) => 5,
            _ => 6,
        }
    }

    /// The row of the combat chart.
    #[must_use]
    pub fn hit_row(self) -> Cite {
        Cite(match self {
            UnitType::Dragoon => "FHG-CHART-HIT.b",
            UnitType::Artillery => "FHG-CHART-HIT.c",
            UnitType::Rocket => "FHG-CHART-HIT.d",
            _ => "FHG-CHART-HIT.a",
        })
    }

    /// Fewest and most MP a unit of the type starts with, and the rule (3.4.1 to 3.4.9).
    #[must_use]
    pub fn size(self) -> (u8, u8, Cite) {
        match self {
            UnitType::Elite => (4, 4, Cite("FHG-3.4.1")),
            UnitType::Marine => (1, 4, Cite("FHG-3.4.2")),
            UnitType::Regular => (3, 4, Cite("FHG-3.4.3")),
            UnitType::Light => (3, 3, Cite("FHG-3.4.4")),
            UnitType::Militia => (2, 2, Cite("FHG-3.4.5")),
            UnitType::Indian => (2, 2, Cite("FHG-3.4.6")),
            UnitType::Dragoon => (2, 2, Cite("FHG-3.4.7")),
            UnitType::Artillery => (2, 2, Cite("FHG-3.4.8")),
            UnitType::Rocket => (2, 2, Cite("FHG-3.4.9")),
        }
    }
}

/// Dice of an attack before anything changes them (range and firepower chart, 8.1.3).
pub const DICE: u8 = 3;

/// Lowest face that hits in close combat (8.3.3).
pub const CLOSE_COMBAT: u8 = 4;

/// Hexes a leader moves (movement chart).
pub const LEADER_MOVES: u8 = 3;
