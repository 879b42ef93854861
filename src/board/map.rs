//! A map as the rules see it.

use std::collections::{BTreeMap, BTreeSet};

use super::sheet::Provenance;
use super::terrain::{Ground, Kind};
use crate::hex::{Edge, Grid, Hex};

/// What lies in a hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell<G: Ground> {
    /// Its terrain.
    pub terrain: G::Terrain,
    /// What stands in it besides.
    pub features: BTreeSet<G::Feature>,
    /// Its elevation level; 0 where a book has none.
    pub level: i8,
}

/// What lies on a hexside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark<S> {
    /// What it is.
    pub kind: S,
    /// The hex in which its sign stands, for kinds with two different faces (slopes, fieldworks); else `None`.
    pub sign: Option<Hex>,
}

/// Where the ground of a hex is known from, if it is not the map's own provenance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The kind of source.
    pub provenance: Provenance,
    /// Which rule or page.
    pub how: String,
}

/// One of the map's four borders.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Border {
    /// The northernmost hex of every column.
    North,
    /// The easternmost hex of every row.
    East,
    /// The southernmost hex of every column.
    South,
    /// The westernmost hex of every row.
    West,
}

/// A map of one book's kind of ground. A hex that is not on it belongs to no map: nothing stands, moves or is seen there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map<G: Ground> {
    grid: Grid,
    cells: BTreeMap<Hex, Cell<G>>,
    sides: BTreeMap<Edge, BTreeSet<Mark<G::Side>>>,
    ways: BTreeMap<Edge, BTreeSet<G::Way>>,
    places: BTreeMap<String, BTreeSet<Hex>>,
    entries: BTreeMap<String, BTreeSet<Hex>>,
    sources: BTreeMap<Hex, Source>,
    provenance: Provenance,
}

impl<G: Ground> Map<G> {
    /// A whole rectangle of one terrain.
    #[must_use]
    pub fn uniform(grid: Grid, terrain: G::Terrain, provenance: Provenance) -> Map<G> {
        let mut map = Map::empty(grid, provenance);
        for hex in grid.hexes() {
            map.cells.insert(hex, Cell { terrain, features: BTreeSet::new(), level: 0 });
        }
        map
    }

    /// A rectangle of labels without a hex.
    #[must_use]
    pub fn empty(grid: Grid, provenance: Provenance) -> Map<G> {
        Map {
            grid,
            provenance,
            cells: BTreeMap::new(),
            sides: BTreeMap::new(),
            ways: BTreeMap::new(),
            places: BTreeMap::new(),
            entries: BTreeMap::new(),
            sources: BTreeMap::new(),
        }
    }

    /// Its labels.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The label of a hex.
    #[must_use]
    pub fn label(&self, hex: Hex) -> String {
        self.grid.label(hex)
    }

    /// The hex of a label, if it is on the map.
    ///
    /// # Errors
    /// What is wrong with the label, for people.
    pub fn hex(&self, label: &str) -> Result<Hex, String> {
        let hex = self.grid.hex(label).map_err(|fault| fault.to_string())?;
        if self.contains(hex) { Ok(hex) } else { Err(format!("the map has no hex {label}")) }
    }

    /// Whether a hex is on the map.
    #[must_use]
    pub fn contains(&self, hex: Hex) -> bool {
        self.cells.contains_key(&hex)
    }

    /// Every hex with what lies in it, column by column.
    pub fn cells(&self) -> impl Iterator<Item = (Hex, &Cell<G>)> {
        self.cells.iter().map(|(hex, cell)| (*hex, cell))
    }

    /// What lies in a hex.
    #[must_use]
    pub fn cell(&self, hex: Hex) -> Option<&Cell<G>> {
        self.cells.get(&hex)
    }

    /// The terrain of a hex; `None` off the map.
    #[must_use]
    pub fn terrain(&self, hex: Hex) -> Option<G::Terrain> {
        self.cells.get(&hex).map(|cell| cell.terrain)
    }

    /// Whether something stands in a hex.
    #[must_use]
    pub fn has(&self, hex: Hex, feature: G::Feature) -> bool {
        self.cells.get(&hex).is_some_and(|cell| cell.features.contains(&feature))
    }

    /// Every hexside on which something lies.
    pub fn sides(&self) -> impl Iterator<Item = (Edge, &BTreeSet<Mark<G::Side>>)> {
        self.sides.iter().map(|(edge, marks)| (*edge, marks))
    }

    /// What lies on a hexside.
    pub fn on_side(&self, edge: Edge) -> impl Iterator<Item = Mark<G::Side>> {
        self.sides.get(&edge).into_iter().flatten().copied()
    }

    /// Whether something lies on a hexside, whichever way it faces.
    #[must_use]
    pub fn has_side(&self, edge: Edge, kind: G::Side) -> bool {
        self.on_side(edge).any(|mark| mark.kind == kind)
    }

    /// Every link from hex to hex, named by the side it crosses.
    pub fn ways(&self) -> impl Iterator<Item = (Edge, &BTreeSet<G::Way>)> {
        self.ways.iter().map(|(edge, ways)| (*edge, ways))
    }

    /// Whether a way leads from a hex to its neighbour.
    #[must_use]
    pub fn has_way(&self, from: Hex, to: Hex, way: G::Way) -> bool {
        Edge::between(from, to).and_then(|edge| self.ways.get(&edge)).is_some_and(|ways| ways.contains(&way))
    }

    /// The named places with their hexes, by name.
    #[must_use]
    pub fn places(&self) -> &BTreeMap<String, BTreeSet<Hex>> {
        &self.places
    }

    /// The entry areas with their hexes, by name.
    #[must_use]
    pub fn entries(&self) -> &BTreeMap<String, BTreeSet<Hex>> {
        &self.entries
    }

    /// The names of the places a hex belongs to.
    pub fn names(&self, hex: Hex) -> impl Iterator<Item = &str> {
        self.places.iter().filter(move |(_, hexes)| hexes.contains(&hex)).map(|(name, _)| name.as_str())
    }

    /// Where the map is known from, as far as no hex has its own source.
    #[must_use]
    pub fn provenance(&self) -> Provenance {
        self.provenance
    }

    /// The hexes whose ground is known from somewhere else than the rest.
    #[must_use]
    pub fn sources(&self) -> &BTreeMap<Hex, Source> {
        &self.sources
    }

    /// The hexes along a border, from the west or north: of every column (row) its outermost hex on the map.
    #[must_use]
    pub fn border(&self, border: Border) -> Vec<Hex> {
        let mut outermost: BTreeMap<i32, (i32, Hex)> = BTreeMap::new();
        for hex in self.cells.keys() {
            let (column, row) = self.grid.place(*hex);
            let (line, out) = match border {
                Border::North => (column, -row),
                Border::South => (column, row),
                Border::West => (row, -column),
                Border::East => (row, column),
            };
            let best = outermost.entry(line).or_insert((out, *hex));
            *best = (*best).max((out, *hex));
        }
        outermost.into_values().map(|(_, hex)| hex).collect()
    }

    /// Hexes from a hex to the nearest along a border; `None` if the map has no hex.
    #[must_use]
    pub fn to_border(&self, hex: Hex, border: Border) -> Option<u32> {
        self.border(border).into_iter().map(|edge| edge.distance(hex)).min()
    }

    /// Gives a hex of the grid its ground; outside the grid nothing happens.
    pub fn lay(&mut self, hex: Hex, cell: Cell<G>) {
        if self.grid.contains(hex) {
            self.cells.insert(hex, cell);
        }
    }

    /// Puts something into a hex of the map.
    pub fn add(&mut self, hex: Hex, feature: G::Feature) {
        if let Some(cell) = self.cells.get_mut(&hex) {
            cell.features.insert(feature);
        }
    }

    /// Lays something on a hexside.
    pub fn add_side(&mut self, edge: Edge, mark: Mark<G::Side>) {
        self.sides.entry(edge).or_default().insert(mark);
    }

    /// Links two adjacent hexes by a way; of hexes that are not adjacent nothing happens.
    pub fn add_way(&mut self, a: Hex, b: Hex, way: G::Way) {
        if let Some(edge) = Edge::between(a, b) {
            self.ways.entry(edge).or_default().insert(way);
        }
    }

    /// Names hexes.
    pub fn name(&mut self, name: &str, hexes: impl IntoIterator<Item = Hex>) {
        self.places.entry(name.to_owned()).or_default().extend(hexes);
    }

    /// Makes hexes an entry area.
    pub fn add_entry(&mut self, name: &str, hexes: impl IntoIterator<Item = Hex>) {
        self.entries.entry(name.to_owned()).or_default().extend(hexes);
    }

    /// Says where a hex is known from.
    pub fn source(&mut self, hex: Hex, source: Source) {
        self.sources.insert(hex, source);
    }

    /// The words of everything in a hex: terrain first, then features.
    #[must_use]
    pub fn words(&self, hex: Hex) -> Vec<&'static str> {
        let Some(cell) = self.cell(hex) else { return Vec::new() };
        std::iter::once(cell.terrain.word()).chain(cell.features.iter().map(|f| f.word())).collect()
    }
}
