//! From the sheet that was typed to the map, or everything that is wrong with the sheet.

use std::collections::{BTreeMap, BTreeSet};

use super::labels;
use super::map::{Cell, Map, Mark, Source};
use super::sheet::{Legend, Sheet};
use super::terrain::{Ground, Kind};
use crate::hex::{Edge, Grid, Hex};

/// What is wrong with a sheet, and where: names and numbers that lead to a text, and the place within it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Names from the top of the sheet; items of a list by number from 0.
    pub path: Vec<String>,
    /// Line of the text there, from 0.
    pub line: usize,
    /// Character of that line, from 0.
    pub column: usize,
    /// What is wrong, without a final full stop.
    pub what: String,
    /// What to do, or empty.
    pub next: String,
}

impl Fault {
    fn at(path: &[&str], what: String, next: impl Into<String>) -> Fault {
        Fault { path: path.iter().map(|p| (*p).to_owned()).collect(), line: 0, column: 0, what, next: next.into() }
    }

    /// The same fault of a sheet that stands inside a larger document, under a name.
    #[must_use]
    pub fn under(mut self, name: &str) -> Fault {
        self.path.insert(0, name.to_owned());
        self
    }
}

/// Levels of elevation.
const LEVELS: std::ops::RangeInclusive<i8> = -9..=99;

/// The sign of a place without a hex.
const NO_HEX: char = '-';

impl Sheet {
    /// Builds the map, checked against the book's words.
    ///
    /// # Errors
    /// Every fault of the sheet, in its order.
    pub fn build<G: Ground>(&self) -> Result<Map<G>, Vec<Fault>> {
        let grid = self.grid().map_err(|fault| vec![fault])?;
        let mut work = Work::<G> { map: Map::empty(grid, self.provenance), faults: Vec::new() };
        let legend = work.legend(&self.legend);
        work.ground(self);
        if !self.hexes.trim().is_empty() {
            work.rows(&self.hexes, &legend);
        }
        work.tiles(self);
        work.lists(self);
        if work.faults.is_empty() { Ok(work.map) } else { Err(work.faults) }
    }

    fn grid(&self) -> Result<Grid, Fault> {
        let corner = |name: &str, label: &str| {
            let whole =
                Grid::new(0, 0, 100, 100, self.lower).map_err(|what| Fault::at(&[name], what.to_owned(), ""))?;
            let hex = whole.hex(label).map_err(|fault| Fault::at(&[name], fault.to_string(), "put it in quotes"))?;
            Ok(whole.place(hex))
        };
        let (west, north) = corner("first", &self.first)?;
        let (east, south) = corner("last", &self.last)?;
        Grid::new(west, north, east - west + 1, south - north + 1, self.lower).map_err(|_| {
            let what = format!("{} lies north or west of the first hex, {}", self.last, self.first);
            Fault::at(&["last"], what, "the first hex is the one at the top left, the last the one at the bottom right")
        })
    }
}

/// A map being made, and what was wrong so far.
struct Work<G: Ground> {
    map: Map<G>,
    faults: Vec<Fault>,
}

/// The kind of a word, or the words there are.
fn kind<K: Kind>(path: &[&str], what: &str, word: &str) -> Result<K, Fault> {
    K::of(word).ok_or_else(|| {
        Fault::at(path, format!("`{word}` is no {what} of this book"), format!("the words here: {}", K::words()))
    })
}

impl<G: Ground> Work<G> {
    fn keep<T>(&mut self, found: Result<T, Fault>) -> Option<T> {
        found.map_err(|fault| self.faults.push(fault)).ok()
    }

    /// What each character stands for; `None` for one whose row has a fault.
    fn legend(&mut self, rows: &BTreeMap<String, Legend>) -> BTreeMap<char, Option<Cell<G>>> {
        let mut legend = BTreeMap::new();
        for (sign, row) in rows {
            let mut chars = sign.chars();
            let (Some(c), None) = (chars.next(), chars.next()) else {
                let what = format!("`{sign}` is not one character");
                self.faults.push(Fault::at(&["legend", sign], what, "one character stands for one hex"));
                continue;
            };
            if c.is_whitespace() || c == NO_HEX || c == ':' {
                let what = format!("`{c}` has a meaning of its own in the rows");
                self.faults.push(Fault::at(&["legend", sign], what, "take another character"));
                continue;
            }
            let terrain = self.keep(kind(&["legend", sign, "terrain"], "terrain", &row.terrain));
            let before = self.faults.len();
            let mut features = BTreeSet::new();
            for (n, word) in row.features.iter().enumerate() {
                let path = ["legend", sign, "features", &n.to_string()];
                features.extend(self.keep(kind::<G::Feature>(&path, "feature", word)));
            }
            let level = row.level;
            self.level(&["legend", sign, "level"], level);
            let cell = terrain.filter(|_| before == self.faults.len());
            legend.insert(c, cell.map(|terrain| Cell { terrain, features, level }));
        }
        legend
    }

    fn level(&mut self, path: &[&str], level: i8) {
        if !LEVELS.contains(&level) {
            let what = format!("{level} is no level of elevation");
            self.faults.push(Fault::at(path, what, "levels are -9 to 99"));
        }
    }

    /// The terrain below all others.
    fn ground(&mut self, sheet: &Sheet) {
        if sheet.ground.is_empty() {
            if sheet.hexes.trim().is_empty() {
                let what = "the map has neither `hexes` nor `ground`".to_owned();
                let next = "draw the hexes, or name the terrain of all hexes that `tiles` does not name";
                self.faults.push(Fault::at(&["hexes"], what, next));
            }
            return;
        }
        let Some(terrain) = self.keep(kind(&["ground"], "terrain", &sheet.ground)) else { return };
        // Where rows are drawn, `-` alone says where there is no hex; `ground` is then of no use.
        if !sheet.hexes.trim().is_empty() {
            let what = "`hexes` says the terrain of every hex already".to_owned();
            self.faults.push(Fault::at(&["ground"], what, "delete this line, or `hexes`"));
            return;
        }
        let grid = *self.map.grid();
        self.map = Map::uniform(grid, terrain, self.map.provenance());
    }

    fn tiles(&mut self, sheet: &Sheet) {
        let sound = self.faults.is_empty();
        let mut laid = BTreeSet::new();
        for (n, row) in sheet.tiles.iter().enumerate() {
            let n = n.to_string();
            let terrain = self.keep(kind::<G::Terrain>(&["tiles", &n, "terrain"], "terrain", &row.terrain));
            self.level(&["tiles", &n, "level"], row.level.unwrap_or(0));
            let map = &self.map;
            let hex = |label: &str| -> Result<Hex, String> {
                let hex = map.grid().hex(label).map_err(|fault| fault.to_string())?;
                match map.contains(hex) || !sound {
                    _ if laid.contains(&hex) => Err(format!("hex {label} has another tile in a row above")),
                    true => Ok(hex),
                    false => Err(format!("the map has no hex {label}")),
                }
            };
            let (hexes, wrong) = labels::hexes(&row.hexes, &hex);
            self.faults.extend(labels::faults(&["tiles", &n, "hexes"], wrong));
            laid.extend(hexes.iter().copied());
            for (hex, terrain) in hexes.into_iter().filter_map(|hex| Some((hex, terrain?))) {
                if let Some(mut cell) = self.map.cell(hex).cloned() {
                    cell.terrain = terrain;
                    cell.level = row.level.unwrap_or(cell.level);
                    self.map.lay(hex, cell);
                }
            }
        }
    }

    fn rows(&mut self, text: &str, legend: &BTreeMap<char, Option<Cell<G>>>) {
        let grid = *self.map.grid();
        let (west, north) = grid.first();
        let (columns, rows) = grid.size();
        let lines: Vec<(usize, &str)> = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).collect();
        let mut unknown: BTreeMap<char, (usize, usize, usize)> = BTreeMap::new();
        let mut row = north;
        for (n, line) in &lines {
            let (name, signs) = line.split_once(':').map_or(("", *line), |(name, signs)| (name.trim(), signs));
            if !name.is_empty() && name.parse() != Ok(row) {
                let what = format!("this line is row {row:02}, not {name}");
                self.fault(*n, 0, what, "write one line for every row, from the north");
            }
            let skipped = line.chars().count() - signs.chars().count();
            let mut column = west;
            for (at, c) in signs.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
                let hex = grid.at(column, row);
                match legend.get(&c) {
                    _ if c == NO_HEX => {}
                    Some(Some(cell)) => self.map.lay(hex, cell.clone()),
                    Some(None) => {}
                    None => unknown.entry(c).or_insert((*n, skipped + at, 0)).2 += 1,
                }
                column += 1;
            }
            if column - west != columns {
                let what = format!("row {row:02} has {} hexes; the map has {columns} columns", column - west);
                self.fault(*n, 0, what, "one character for every column; `-` where there is no hex");
            }
            row = row.saturating_add(1);
        }
        for (c, (line, column, times)) in unknown {
            let often = if times > 1 { format!(" ({times} times in the rows)") } else { String::new() };
            let what = format!("`{c}` does not stand in the legend{often}");
            self.fault(line, column, what, "add it there, or correct it here");
        }
        if row - north != rows {
            let what = format!("{} rows stand here; the map has {rows}", row - north);
            self.fault(0, 0, what, "write one line for every row, or correct the last hex");
        }
    }

    fn fault(&mut self, line: usize, column: usize, what: String, next: &str) {
        self.faults.push(Fault { line, column, ..Fault::at(&["hexes"], what, next) });
    }

    /// The lists behind the rows. Labels are looked up in the whole rectangle if the rows are not sound, so that a typing
    /// slip there does not raise a complaint about every road.
    fn lists(&mut self, sheet: &Sheet) {
        let sound = self.faults.is_empty();
        let ground = self.map.clone();
        let hex = |label: &str| -> Result<Hex, String> {
            if sound { ground.hex(label) } else { ground.grid().hex(label).map_err(|fault| fault.to_string()) }
        };
        for (n, row) in sheet.features.iter().enumerate() {
            let n = n.to_string();
            let feature = self.keep(kind(&["features", &n, "kind"], "feature", &row.kind));
            let (hexes, wrong) = labels::hexes(&row.hexes, &hex);
            self.faults.extend(labels::faults(&["features", &n, "hexes"], wrong));
            for (hex, feature) in hexes.iter().zip(std::iter::repeat(feature)) {
                feature.into_iter().for_each(|feature| self.map.add(*hex, feature));
            }
        }
        for (n, row) in sheet.hexsides.iter().enumerate() {
            let n = n.to_string();
            let side = self.keep(kind(&["hexsides", &n, "kind"], "hexside", &row.kind));
            let (sides, wrong) = labels::sides(&row.sides, &hex);
            self.faults.extend(labels::faults(&["hexsides", &n, "sides"], wrong));
            let Some(kind) = side else { continue };
            sides.into_iter().for_each(|(edge, sign)| self.side(edge, Mark { kind, sign }, &n));
        }
        for (n, row) in sheet.roads.iter().enumerate() {
            let n = n.to_string();
            let way = self.keep(kind(&["roads", &n, "kind"], "road", &row.kind));
            let (links, wrong) = labels::links(&row.along, &hex);
            self.faults.extend(labels::faults(&["roads", &n, "along"], wrong));
            let Some(way) = way else { continue };
            links.into_iter().for_each(|(a, b)| self.map.add_way(a, b, way));
        }
        for (list, rows) in [("places", &sheet.places), ("entries", &sheet.entries)] {
            let mut names = BTreeSet::new();
            for (n, row) in rows.iter().enumerate() {
                let n = n.to_string();
                if row.name.trim().is_empty() || !names.insert(&row.name) {
                    let what = format!("the name `{}` is empty or stands here twice", row.name);
                    self.faults.push(Fault::at(&[list, &n, "name"], what, "give every row a name of its own"));
                }
                let (hexes, wrong) = labels::hexes(&row.hexes, &hex);
                self.faults.extend(labels::faults(&[list, &n, "hexes"], wrong));
                match list {
                    "places" => self.map.name(&row.name, hexes),
                    _ => self.map.add_entry(&row.name, hexes),
                }
            }
        }
        for (n, row) in sheet.sources.iter().enumerate() {
            let (hexes, wrong) = labels::hexes(&row.hexes, &hex);
            self.faults.extend(labels::faults(&["sources", &n.to_string(), "hexes"], wrong));
            let source = Source { provenance: row.provenance, how: row.how.clone() };
            hexes.into_iter().for_each(|hex| self.map.source(hex, source.clone()));
        }
    }

    /// One kind lies on a hexside once, facing one way.
    fn side(&mut self, edge: Edge, mark: Mark<G::Side>, n: &str) {
        if self.map.on_side(edge).any(|known| known.kind == mark.kind && known.sign != mark.sign) {
            let [a, b] = edge.hexes().map(|hex| self.map.label(hex));
            let what = format!("{} on hexside {a}-{b} faces another way in a row above", mark.kind.word());
            self.faults.push(Fault::at(&["hexsides", n, "sides"], what, "write it once"));
        }
        self.map.add_side(edge, mark);
    }
}
