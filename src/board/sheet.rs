//! The format of a map file (described for those who type one in `scenarios/MAPS.md`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hex::Lower;

/// Where figures come from (design, 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// Printed in the rules.
    Rulebook,
    /// Known from elsewhere, by name in `how`.
    Public,
    /// Made here, to play with until somebody has the printed figures.
    Reconstruction,
    /// Typed in by an owner of the printed game.
    Owner,
}

impl Provenance {
    /// The word in files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Provenance::Rulebook => "rulebook",
            Provenance::Public => "public",
            Provenance::Reconstruction => "reconstruction",
            Provenance::Owner => "owner",
        }
    }
}

/// A file that holds one map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    /// Format version, 1.
    pub countersign: u32,
    /// `map`.
    pub kind: String,
    /// File name without `.yaml`.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// The map.
    pub map: Sheet,
}

/// A map as it is typed, in a file of its own or inside a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Where the map comes from, as far as `sources` does not say otherwise.
    pub provenance: Provenance,
    /// How it was made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub how: String,
    /// Label of the hex at the top left, "0101".
    pub first: String,
    /// Label of the hex at the bottom right, "2418".
    pub last: String,
    /// Which columns sit half a hex lower.
    pub lower: Lower,
    /// Terrain of every hex that `tiles` does not name; instead of `hexes`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ground: String,
    /// What each character of `hexes` stands for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub legend: BTreeMap<String, Legend>,
    /// One line a row from the north, one character a column from the west; blanks do not count, `-` is no hex, and a
    /// line may begin with its row and a colon, "07:".
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hexes: String,
    /// Terrain laid on single hexes, over `ground` or `hexes`; each hex once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiles: Vec<TileRow>,
    /// What stands in hexes besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<FeatureRow>,
    /// What lies on hexsides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hexsides: Vec<SideRow>,
    /// Roads and paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roads: Vec<WayRow>,
    /// Named places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<NamedHexes>,
    /// Where units may enter or leave the map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<NamedHexes>,
    /// Hexes known from elsewhere than the rest of the map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceRow>,
}

/// What a character stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Legend {
    /// Terrain of the hex.
    pub terrain: String,
    /// What stands in it besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// Elevation level, -9 to 99; 0 if left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub level: i8,
}

fn is_zero(level: &i8) -> bool {
    *level == 0
}

/// One terrain laid on single hexes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TileRow {
    /// Which terrain.
    pub terrain: String,
    /// Labels with blanks between: "0407 0408".
    pub hexes: String,
    /// Elevation level; as before if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<i8>,
}

/// One kind of thing that stands in hexes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeatureRow {
    /// What.
    pub kind: String,
    /// Labels with blanks between: "0407 0408".
    pub hexes: String,
}

/// One kind of thing that lies on hexsides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SideRow {
    /// What.
    pub kind: String,
    /// Hexsides with blanks between, each by the two hexes beside it: "0407-0408 0408-0507"; "0407>0408" if its sign
    /// stands in the first hex and faces the second.
    pub sides: String,
}

/// One road or path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WayRow {
    /// What.
    pub kind: String,
    /// Its hexes in order, joined by hyphens: "0101-0201-0302"; several stretches with blanks between.
    pub along: String,
}

/// Hexes with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedHexes {
    /// The name.
    pub name: String,
    /// Labels with blanks between.
    pub hexes: String,
}

/// Hexes known from somewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceRow {
    /// Labels with blanks between.
    pub hexes: String,
    /// What kind of source.
    pub provenance: Provenance,
    /// Which rule or page.
    pub how: String,
}
