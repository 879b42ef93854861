//! The land board (2.1, 2.2): a rectangle of hexes, clear but for the tiles a scenario lays.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::terrain::Terrain;
use crate::board::{Cell, Kind, Map, NoKind, Provenance};
use crate::hex::{Grid, Hex, Lower};

/// A map as scenarios and positions write it: `{columns: 13, rows: 9, terrain: {forest: ["0304", "0305"]}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapDoc {
    /// Columns, 1 to 40; column 01 is the westernmost.
    #[serde(default = "thirteen")]
    pub columns: u8,
    /// Rows, 1 to 40; row 01 is the northernmost. Even columns sit half a hex lower (ruling N43 holds on land too).
    #[serde(default = "nine")]
    pub rows: u8,
    /// The tiles: a list of hexes for each terrain. Every hex not listed is clear (2.1).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub terrain: BTreeMap<Terrain, Vec<String>>,
}

fn thirteen() -> u8 {
    13
}
fn nine() -> u8 {
    9
}

impl Default for MapDoc {
    fn default() -> MapDoc {
        MapDoc { columns: thirteen(), rows: nine(), terrain: BTreeMap::new() }
    }
}

/// What land maps are made of, for those who draw them: tiles and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiles;

impl crate::board::Ground for Tiles {
    type Terrain = Terrain;
    type Feature = NoKind;
    type Side = NoKind;
    type Way = NoKind;
}

impl Kind for Terrain {
    const ALL: &'static [Terrain] = &Terrain::ALL;
    fn word(self) -> &'static str {
        match self {
            Terrain::Clear => "clear",
            Terrain::Swamp => "swamp",
            Terrain::Waterway => "waterway",
            Terrain::Deep => "deep",
            Terrain::Crossing => "crossing",
            Terrain::Forest => "forest",
            Terrain::Hill => "hill",
            Terrain::Town => "town",
            Terrain::Fence => "fence",
            Terrain::Entrenchment => "entrenchment",
            Terrain::Fort => "fort",
        }
    }
}

/// An edge of the board, a side's own (8.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HomeEdge {
    /// Row 01.
    North,
    /// The last row.
    South,
    /// The last column.
    East,
    /// Column 01.
    West,
}

/// The board of a battle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    grid: Grid,
    terrain: BTreeMap<Hex, Terrain>,
}

impl Serialize for Ground {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.doc().serialize(to)
    }
}

impl Ground {
    /// Lays the tiles of a map.
    ///
    /// # Errors
    /// Every problem: a size out of bounds, a label that is no hex, a hex with two tiles.
    pub fn lay(doc: &MapDoc) -> Result<Ground, Vec<String>> {
        let (columns, rows) = (i32::from(doc.columns), i32::from(doc.rows));
        if !(1..=40).contains(&columns) || !(1..=40).contains(&rows) {
            return Err(vec!["map: 1 to 40 columns, 1 to 40 rows".into()]);
        }
        let grid = Grid::new(1, 1, columns, rows, Lower::Even).map_err(|why| vec![format!("map: {why}")])?;
        let (mut terrain, mut faults) = (BTreeMap::new(), Vec::new());
        for (kind, labels) in &doc.terrain {
            for label in labels {
                match grid.hex(label) {
                    Ok(hex) if terrain.contains_key(&hex) => {
                        faults.push(format!("map: {label} has two tiles (FHG-2.2)"));
                    }
                    Ok(hex) => {
                        terrain.insert(hex, *kind);
                    }
                    Err(fault) => faults.push(format!("map: {fault}")),
                }
            }
        }
        terrain.retain(|_, kind| *kind != Terrain::Clear);
        if faults.is_empty() { Ok(Ground { grid, terrain }) } else { Err(faults) }
    }

    /// The map as a document; clear hexes are not listed.
    #[must_use]
    pub fn doc(&self) -> MapDoc {
        let mut terrain: BTreeMap<Terrain, Vec<String>> = BTreeMap::new();
        for hex in self.grid.hexes() {
            if let Some(kind) = self.terrain.get(&hex) {
                terrain.entry(*kind).or_default().push(self.grid.label(hex));
            }
        }
        let (columns, rows) = self.grid.size();
        let size = |n: i32| u8::try_from(n).unwrap_or(u8::MAX);
        MapDoc { columns: size(columns), rows: size(rows), terrain }
    }

    /// The board as a map to draw.
    #[must_use]
    pub fn tiles(&self) -> Map<Tiles> {
        let mut map = Map::uniform(self.grid, Terrain::Clear, Provenance::Reconstruction);
        for (hex, terrain) in &self.terrain {
            map.lay(*hex, Cell { terrain: *terrain, features: BTreeSet::new(), level: 0 });
        }
        map
    }

    /// The rectangle of labels.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The terrain of a hex (2.1).
    #[must_use]
    pub fn terrain(&self, hex: Hex) -> Terrain {
        self.terrain.get(&hex).copied().unwrap_or(Terrain::Clear)
    }

    /// Whether the hex is on the board.
    #[must_use]
    pub fn contains(&self, hex: Hex) -> bool {
        self.grid.contains(hex)
    }

    /// The hex of a label.
    ///
    /// # Errors
    /// In words for people, if it is none.
    pub fn hex(&self, label: &str) -> Result<Hex, String> {
        self.grid.hex(label).map_err(|fault| fault.to_string())
    }

    /// The label of a hex.
    #[must_use]
    pub fn label(&self, hex: Hex) -> String {
        self.grid.label(hex)
    }

    /// Steps to the nearest hex of an edge.
    #[must_use]
    pub fn to_edge(&self, hex: Hex, edge: HomeEdge) -> u32 {
        let (columns, rows) = self.grid.size();
        let on_edge = |hex: &Hex| {
            let (column, row) = self.grid.place(*hex);
            match edge {
                HomeEdge::North => row == 1,
                HomeEdge::South => row == rows,
                HomeEdge::West => column == 1,
                HomeEdge::East => column == columns,
            }
        };
        self.grid.hexes().filter(on_edge).map(|end| hex.distance(end)).min().unwrap_or(0)
    }
}
