//! Chapter 2: what each terrain does to attack dice, movement, sight and morale.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::modifier::Modifier;
use crate::cite::Cite;

/// The terrain tiles (2.3). A hex without a tile is clear (2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Terrain {
    /// No effect (2.3.1).
    Clear,
    /// Nobody enters (2.3.2).
    Swamp,
    /// Dear to enter, the end of every action, and a poor place to stand (2.3.3).
    Waterway,
    /// Water nobody wades: for landing boats alone, else as a waterway (NAV-2.3.d).
    Deep,
    /// A bridge or ford: takes the place of the waterway (2.3.4, L02b).
    Crossing,
    /// 2.3.5
    Forest,
    /// 2.3.6
    Hill,
    /// Town or buildings (2.3.7).
    Town,
    /// 2.3.8
    Fence,
    /// 2.3.9
    Entrenchment,
    /// 2.3.10
    Fort,
}

impl Terrain {
    /// All of them, in the order of the book.
    pub const ALL: [Terrain; 11] = [
        Terrain::Clear,
        Terrain::Swamp,
        Terrain::Waterway,
        Terrain::Deep,
        Terrain::Crossing,
        Terrain::Forest,
        Terrain::Hill,
        Terrain::Town,
        Terrain::Fence,
        Terrain::Entrenchment,
        Terrain::Fort,
    ];

    /// The terrain in one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Terrain::Clear => "clear ground",
            Terrain::Swamp => "swamp",
            Terrain::Waterway => "waterway",
            Terrain::Deep => "deep water",
            Terrain::Crossing => "a crossing",
            Terrain::Forest => "forest",
            Terrain::Hill => "hill",
            Terrain::Town => "town",
            Terrain::Fence => "fence",
            Terrain::Entrenchment => "entrenchment",
            Terrain::Fort => "fort",
        }
    }

    /// Waterway of either kind; a crossing is none (L02b).
    #[must_use]
    pub fn water(self) -> bool {
        matches!(self, Terrain::Waterway | Terrain::Deep)
    }

    /// The change of each attack die against a defender here (2.2.1.a); none where the book says no effect.
    #[must_use]
    pub fn combat(self) -> Option<Modifier> {
        let (by, cite) = match self {
            Terrain::Forest => (-1, "FHG-2.3.5.a"),
            Terrain::Hill => (-1, "FHG-2.3.6.a"),
            Terrain::Town => (-1, "FHG-2.3.7.a"),
            Terrain::Fence => (-1, "FHG-2.3.8.a"),
            Terrain::Entrenchment => (-1, "FHG-2.3.9.a"),
            Terrain::Fort => (-2, "FHG-2.3.10.a"),
            Terrain::Clear | Terrain::Swamp | Terrain::Waterway | Terrain::Deep | Terrain::Crossing => return None,
        };
        Some(Modifier::new(by, cite))
    }

    /// The change of a defender's value in a retreat check here (2.2.1.d).
    #[must_use]
    pub fn morale(self) -> Option<Modifier> {
        let (by, cite) = match self {
            Terrain::Waterway | Terrain::Deep => (-1, "FHG-2.3.3.d"),
            Terrain::Forest => (1, "FHG-2.3.5.d"),
            Terrain::Hill => (1, "FHG-2.3.6.d"),
            Terrain::Town => (1, "FHG-2.3.7.d"),
            Terrain::Fence => (1, "FHG-2.3.8.d"),
            Terrain::Entrenchment => (1, "FHG-2.3.9.d"),
            Terrain::Fort => (2, "FHG-2.3.10.d"),
            Terrain::Clear | Terrain::Swamp | Terrain::Crossing => return None,
        };
        Some(Modifier::new(by, cite))
    }

    /// The rule by which a move ends on entering, if it does.
    #[must_use]
    pub fn stops(self) -> Option<Cite> {
        match self {
            Terrain::Waterway | Terrain::Deep => Some(Cite("FHG-2.3.3.b")),
            Terrain::Forest => Some(Cite("FHG-2.3.5.b")),
            Terrain::Hill => Some(Cite("FHG-2.3.6.b")),
            Terrain::Entrenchment => Some(Cite("FHG-2.3.9.b")),
            Terrain::Fort => Some(Cite("FHG-2.3.10.b")),
            _ => None,
        }
    }

    /// The rule by which it blocks sight, if it does. A fort as ruling L02 is set.
    #[must_use]
    pub fn blocks(self) -> Option<Cite> {
        match self {
            Terrain::Forest => Some(Cite("FHG-2.3.5.c")),
            Terrain::Hill => Some(Cite("FHG-2.3.6.c")),
            Terrain::Town => Some(Cite("FHG-2.3.7.c")),
            Terrain::Entrenchment => Some(Cite("FHG-2.3.9.c")),
            Terrain::Fort => Some(Cite("FHG-2.3.10.c")),
            _ => None,
        }
    }
}
