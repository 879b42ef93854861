//! The land board (2.1, 2.2): hexes, clear but for the tiles a scenario lays.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::terrain::Terrain;
pub use crate::board::Border as HomeEdge;
use crate::board::{Cell, Fault, Kind, Map, NoKind, Provenance, Sheet, TileRow};
use crate::hex::{Grid, Hex, Lower};

/// The ground of a position in few words: `{columns: 13, rows: 9, terrain: {forest: ["0304", "0305"]}}`. Scenarios have a
/// sheet instead ([`Sheet`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapDoc {
    /// Columns, 1 to 40; column 01 is the westernmost.
    #[serde(default = "thirteen")]
    pub columns: u8,
    /// Rows, 1 to 40; row 01 is the northernmost.
    #[serde(default = "nine")]
    pub rows: u8,
    /// Which columns sit half a hex lower.
    #[serde(default = "even")]
    pub lower: Lower,
    /// The tiles: a list of hexes for each terrain. Every hex not listed is clear (2.1).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub terrain: BTreeMap<Terrain, Vec<String>>,
    /// Places of the rectangle that are no hexes of the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub none: Vec<String>,
}

fn thirteen() -> u8 {
    13
}
fn nine() -> u8 {
    9
}
fn even() -> Lower {
    Lower::Even
}

impl Default for MapDoc {
    fn default() -> MapDoc {
        MapDoc { columns: thirteen(), rows: nine(), lower: even(), terrain: BTreeMap::new(), none: Vec::new() }
    }
}

impl MapDoc {
    /// The same as a scenario would type it; of a rectangle without gaps.
    #[must_use]
    pub fn sheet(&self) -> Sheet {
        let row = |(terrain, labels): (&Terrain, &Vec<String>)| TileRow {
            terrain: Kind::word(*terrain).to_owned(),
            hexes: labels.join(" "),
            level: None,
        };
        Sheet {
            provenance: Provenance::Reconstruction,
            how: String::new(),
            first: "0101".into(),
            last: format!("{:02}{:02}", self.columns, self.rows),
            lower: self.lower,
            ground: Kind::word(Terrain::Clear).to_owned(),
            legend: BTreeMap::new(),
            hexes: String::new(),
            tiles: self.terrain.iter().map(row).collect(),
            features: Vec::new(),
            hexsides: Vec::new(),
            roads: Vec::new(),
            places: Vec::new(),
            entries: Vec::new(),
            sources: Vec::new(),
        }
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

/// The board of a battle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    map: Map<Tiles>,
}

impl Serialize for Ground {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.doc().serialize(to)
    }
}

impl Ground {
    /// Reads a scenario's sheet (2.2).
    ///
    /// # Errors
    /// Every fault of the sheet, each with its place in it.
    pub fn draw(sheet: &Sheet) -> Result<Ground, Vec<Fault>> {
        let fault = |name: &str, what: &str, next: &str| {
            let (what, next) = (what.to_owned(), next.to_owned());
            vec![Fault { path: vec![name.to_owned()], line: 0, column: 0, what, next }]
        };
        let map: Map<Tiles> = sheet.build()?;
        if map.grid().first() != (1, 1) {
            return Err(fault("first", "a land board begins with hex 0101", "number columns and rows from 01"));
        }
        let (columns, rows) = map.grid().size();
        if columns > 40 || rows > 40 {
            return Err(fault("last", "a land board has at most 40 columns and 40 rows", ""));
        }
        Ok(Ground { map })
    }

    /// Lays the tiles of a position.
    ///
    /// # Errors
    /// Every problem: a size out of bounds, a label that is no hex, a hex with two tiles.
    pub fn lay(doc: &MapDoc) -> Result<Ground, Vec<String>> {
        let (columns, rows) = (i32::from(doc.columns), i32::from(doc.rows));
        if !(1..=40).contains(&columns) || !(1..=40).contains(&rows) {
            return Err(vec!["map: 1 to 40 columns, 1 to 40 rows".into()]);
        }
        let grid = Grid::new(1, 1, columns, rows, doc.lower).map_err(|why| vec![format!("map: {why}")])?;
        let (mut cells, mut faults) = (BTreeMap::new(), Vec::new());
        let tiles = doc.terrain.iter().map(|(kind, labels)| (Some(*kind), labels));
        for (kind, labels) in tiles.chain([(None, &doc.none)]) {
            for label in labels {
                match grid.hex(label) {
                    Ok(hex) if cells.contains_key(&hex) => {
                        faults.push(format!("map: {label} has two tiles (FHG-2.2)"));
                    }
                    Ok(hex) => drop(cells.insert(hex, kind)),
                    Err(fault) => faults.push(format!("map: {fault}")),
                }
            }
        }
        let mut map = Map::empty(grid, Provenance::Reconstruction);
        for hex in grid.hexes() {
            if let Some(terrain) = cells.get(&hex).copied().unwrap_or(Some(Terrain::Clear)) {
                map.lay(hex, Cell { terrain, features: BTreeSet::new(), level: 0 });
            }
        }
        if faults.is_empty() { Ok(Ground { map }) } else { Err(faults) }
    }

    /// The ground as a position writes it; clear hexes are not listed.
    #[must_use]
    pub fn doc(&self) -> MapDoc {
        let grid = self.map.grid();
        let mut doc = MapDoc { lower: grid.lower(), ..MapDoc::default() };
        for hex in grid.hexes() {
            match self.map.terrain(hex) {
                Some(Terrain::Clear) => {}
                Some(kind) => doc.terrain.entry(kind).or_default().push(grid.label(hex)),
                None => doc.none.push(grid.label(hex)),
            }
        }
        let (columns, rows) = grid.size();
        let size = |n: i32| u8::try_from(n).unwrap_or(u8::MAX);
        MapDoc { columns: size(columns), rows: size(rows), ..doc }
    }

    /// The board as a map to draw.
    #[must_use]
    pub fn tiles(&self) -> &Map<Tiles> {
        &self.map
    }

    /// The terrain of a hex (2.1).
    #[must_use]
    pub fn terrain(&self, hex: Hex) -> Terrain {
        self.map.terrain(hex).unwrap_or(Terrain::Clear)
    }

    /// Whether the hex is on the board.
    #[must_use]
    pub fn contains(&self, hex: Hex) -> bool {
        self.map.contains(hex)
    }

    /// The hex of a label.
    ///
    /// # Errors
    /// In words for people, if it is none.
    pub fn hex(&self, label: &str) -> Result<Hex, String> {
        self.map.hex(label)
    }

    /// The label of a hex.
    #[must_use]
    pub fn label(&self, hex: Hex) -> String {
        self.map.label(hex)
    }

    /// Steps to the nearest hex of an edge.
    #[must_use]
    pub fn to_edge(&self, hex: Hex, edge: HomeEdge) -> u32 {
        self.map.to_border(hex, edge).unwrap_or(0)
    }
}
