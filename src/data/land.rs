//! A land battle as an owner types it: a head, a map, and tables of units, leaders and victory point units.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::csv::{self, Column, Row, needed, optional};
use super::{HEAD, MAP, Source, placed};
use crate::board::{Kind, Map, Sheet};
use crate::books::honor::land::{
    Agreed, Enters, HomeEdge, Id, LandLeader, LandObjective, LandScenario, LandSide, LandUnit, Terrain, Tiles, Victory,
    start,
};
use crate::doc::{emit, map as map_file, yaml};
use crate::error::{Error, Place};
use crate::side::{Side, Sides};

/// Largest file, in bytes.
const LARGEST: usize = 1 << 20;

/// What stands in `battle.yaml`: a land scenario without its map and its pieces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LandHead {
    /// Format version, 1.
    pub countersign: u32,
    /// `data`.
    pub kind: String,
    /// `honor-land`.
    pub book: String,
    /// Name of the packed file without its ending.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// Day of the battle, in words.
    pub date: String,
    /// Where, in words.
    pub place: String,
    /// Where the figures come from: rulebook, public, reconstruction or owner.
    pub provenance: String,
    /// From which copy, and who typed it.
    pub how: String,
    /// Situation and tasks, for players.
    pub brief: String,
    /// Last turn, from 1.
    pub turns: u32,
    /// Player A, who acts first in each turn.
    pub first: Side,
    /// The two sides.
    pub sides: Sides<LandHeadSide>,
    /// Who wins when.
    pub victory: Victory,
}

/// One side of the head.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LandHeadSide {
    /// Command action points, 0 to 9.
    pub command: u8,
    /// Its edge of the board.
    pub home: HomeEdge,
}

const UNITS: &[Column] = &[
    needed("side"),
    needed("id"),
    needed("name"),
    needed("type"),
    needed("mp"),
    needed("at"),
    optional("turn"),
    optional("enters"),
    optional("formation"),
    optional("boat"),
    optional("worth"),
    optional("history"),
];
const LEADERS: &[Column] = &[
    needed("side"),
    needed("id"),
    needed("name"),
    needed("at"),
    optional("turn"),
    optional("enters"),
    optional("worth"),
];
const OBJECTIVES: &[Column] =
    &[needed("side"), needed("id"), needed("name"), needed("at"), optional("worth"), optional("taking")];

/// The signs of the painted map.
pub(super) fn sign(terrain: Terrain) -> char {
    match terrain {
        Terrain::Clear => '.',
        Terrain::Swamp => 's',
        Terrain::Waterway => 'w',
        Terrain::Deep => 'd',
        Terrain::Crossing => 'c',
        Terrain::Forest => 'f',
        Terrain::Hill => 'h',
        Terrain::Town => 't',
        Terrain::Fence => 'n',
        Terrain::Entrenchment => 'e',
        Terrain::Fort => 'F',
    }
}

/// Puts the files of a folder together.
pub(super) fn pack(files: Source<'_>) -> Result<LandScenario, Vec<Error>> {
    let mut faults = Vec::new();
    let mut whole = |name: &str| {
        let text = files(name);
        if text.is_none() {
            let next = "`countersign data new` writes one to begin with";
            faults.push(Error::new(format!("the file {name} is missing")).next(next));
        }
        text
    };
    let (head, map) = (whole(HEAD), whole(MAP));
    let (units, leaders, objectives) = (whole("units.csv"), whole("leaders.csv"), whole("objectives.csv"));
    let mut keep = |found: Vec<Error>| faults.extend(found);
    let head = head.and_then(|head| yaml::read::<LandHead>(&head, HEAD, LARGEST).map_err(&mut keep).ok());
    let ground = map.and_then(|map| ground(&map).map_err(&mut keep).ok());
    let whole = units.is_some() && leaders.is_some() && objectives.is_some();
    if let Some(head) = head.as_ref().filter(|h| h.countersign != 1 || h.kind != "data") {
        let what = format!("this is version {}, kind {}, not version 1 of kind data", head.countersign, head.kind);
        faults.push(Error::new(what).in_file(HEAD));
    }
    let mut lines = BTreeMap::new();
    let mut sides: Sides<Pieces> = Sides::default();
    for row in table(units.as_ref(), "units.csv", UNITS, &mut faults) {
        if let Some((side, unit)) = unit(&row, &mut faults) {
            lines.insert(unit.id.0.clone(), Place { file: "units.csv".into(), line: row.line, column: 0 });
            sides.get_mut(side).units.push(unit);
        }
    }
    for row in table(leaders.as_ref(), "leaders.csv", LEADERS, &mut faults) {
        if let Some((side, leader)) = leader(&row, &mut faults) {
            lines.insert(leader.id.0.clone(), Place { file: "leaders.csv".into(), line: row.line, column: 0 });
            sides.get_mut(side).leaders.push(leader);
        }
    }
    for row in table(objectives.as_ref(), "objectives.csv", OBJECTIVES, &mut faults) {
        if let Some((side, objective)) = objective(&row, &mut faults) {
            lines.insert(objective.id.0.clone(), Place { file: "objectives.csv".into(), line: row.line, column: 0 });
            sides.get_mut(side).objectives.push(objective);
        }
    }
    let (Some(head), Some(map), true) = (head, ground, whole) else { return Err(faults) };
    let scenario = join(head, map, sides);
    // The rules' own look at the whole, so that one run tells everything.
    let whole = start(&scenario, &Agreed::default()).err().unwrap_or_default();
    faults.extend(whole.into_iter().map(|fault| placed(fault, &lines)));
    if faults.is_empty() { Ok(scenario) } else { Err(faults) }
}

/// The rows of a table; none of one that is missing, which is told already.
fn table<'a>(text: Option<&String>, file: &'a str, columns: &[Column], faults: &mut Vec<Error>) -> Vec<Row<'a>> {
    text.map_or_else(Vec::new, |text| csv::read(text, file, columns, faults))
}

#[derive(Default)]
struct Pieces {
    units: Vec<LandUnit>,
    leaders: Vec<LandLeader>,
    objectives: Vec<LandObjective>,
}

fn join(head: LandHead, map: Sheet, mut sides: Sides<Pieces>) -> LandScenario {
    let sides = Sides::from_fn(|side| {
        let (of, pieces) = (head.sides.get(side), std::mem::take(sides.get_mut(side)));
        LandSide {
            command: of.command,
            home: of.home,
            units: pieces.units,
            leaders: pieces.leaders,
            objectives: pieces.objectives,
        }
    });
    LandScenario {
        countersign: 1,
        kind: "scenario".into(),
        book: head.book,
        id: head.id,
        title: head.title,
        date: head.date,
        place: head.place,
        provenance: head.provenance,
        how: head.how,
        brief: head.brief,
        turns: head.turns,
        first: head.first,
        map,
        sides,
        victory: head.victory,
    }
}

/// The sheet of a typed map. This game's board begins with 0101 (2.1).
fn ground(text: &str) -> Result<Sheet, Vec<Error>> {
    let (file, map) = map_file::read::<Tiles>(text.as_bytes(), MAP)?;
    let (columns, rows) = map.grid().size();
    if map.grid().first() != (1, 1) || columns > 40 || rows > 40 {
        let what = "a map of this game begins with hex 0101, and has 40 columns and rows at most";
        return Err(vec![Error::new(what).in_file(MAP).next("see `first` and `last`")]);
    }
    Ok(file.map)
}

fn small(n: u32) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}

/// Where a piece starts, or when it comes and by which hexes.
fn whence(row: &Row<'_>, faults: &mut Vec<Error>) -> (Option<String>, Option<Enters>) {
    let at = row.labels("at", faults);
    if at.len() > 1 {
        faults.push(row.fault("at", "a piece starts in one hex"));
    }
    let by = row.labels("enters", faults);
    if row.text("turn").is_empty() && by.is_empty() {
        return (at.into_iter().next(), None);
    }
    let turn = row.number("turn", None, faults).unwrap_or(1);
    (at.into_iter().next(), Some(Enters { turn, by }))
}

fn unit(row: &Row<'_>, faults: &mut Vec<Error>) -> Option<(Side, LandUnit)> {
    let (at, enters) = whence(row, faults);
    let (side, kind) = (row.word("side", None, faults), row.word("type", None, faults));
    let (mp, worth) = (row.number("mp", None, faults), row.number("worth", Some(1), faults));
    let formation = row.word("formation", Some("line"), faults);
    let boat = small(row.number("boat", Some(0), faults).unwrap_or(0));
    let (id, name) = (Id(row.must("id", faults)), row.must("name", faults));
    let history = row.text("history");
    let (kind, mp, formation, worth) = (kind?, small(mp?), formation?, worth?);
    let unit = LandUnit { id, name, kind, mp, at, enters, formation, boat, worth, history };
    Some((side?, unit))
}

fn leader(row: &Row<'_>, faults: &mut Vec<Error>) -> Option<(Side, LandLeader)> {
    let (at, enters) = whence(row, faults);
    let (side, worth) = (row.word("side", None, faults), row.number("worth", Some(1), faults));
    let (id, name) = (Id(row.must("id", faults)), row.must("name", faults));
    Some((side?, LandLeader { id, name, at, enters, worth: worth? }))
}

fn objective(row: &Row<'_>, faults: &mut Vec<Error>) -> Option<(Side, LandObjective)> {
    let at = row.labels("at", faults).into_iter().next();
    if at.is_none() {
        faults.push(row.fault("at", "a victory point unit needs its hex"));
    }
    let (side, worth) = (row.word("side", None, faults), row.number("worth", Some(1), faults));
    let taking = row.word("taking", Some("enter"), faults);
    let (id, name) = (Id(row.must("id", faults)), row.must("name", faults));
    Some((side?, LandObjective { id, name, at: at?, worth: worth?, taking: taking? }))
}

/// The files a folder begins with, from a scenario.
pub(super) fn files(of: &LandScenario) -> Result<Vec<(&'static str, String)>, Error> {
    let head = LandHead {
        countersign: 1,
        kind: "data".into(),
        book: of.book.clone(),
        id: format!("my-{}", of.id),
        title: of.title.clone(),
        date: of.date.clone(),
        place: of.place.clone(),
        provenance: "owner".into(),
        how: "typed in from the printed scenario".into(),
        brief: of.brief.clone(),
        turns: of.turns,
        first: of.first,
        sides: Sides::from_fn(|side| {
            let of = of.sides.get(side);
            LandHeadSide { command: of.command, home: of.home }
        }),
        victory: of.victory,
    };
    let text = |at: &Option<String>| at.clone().unwrap_or_default();
    let turn = |e: &Option<Enters>| e.as_ref().map_or(String::new(), |e| e.turn.to_string());
    let by = |e: &Option<Enters>| e.as_ref().map_or(String::new(), |e| e.by.join(" "));
    let (mut units, mut leaders, mut objectives) = (Vec::new(), Vec::new(), Vec::new());
    for (side, all) in of.sides.iter() {
        let side = side.word().to_owned();
        for u in &all.units {
            let (kind, form) = (word(&u.kind), word(&u.formation));
            let (id, name, mp) = (u.id.0.clone(), u.name.clone(), u.mp.to_string());
            let when = [text(&u.at), turn(&u.enters), by(&u.enters)];
            let boat = if u.boat > 0 { u.boat.to_string() } else { String::new() };
            let rest = [form, boat, u.worth.to_string(), u.history.clone()];
            units.push([&[side.clone(), id, name, kind, mp][..], &when, &rest].concat());
        }
        for l in &all.leaders {
            let worth = l.worth.to_string();
            let row =
                [side.clone(), l.id.0.clone(), l.name.clone(), text(&l.at), turn(&l.enters), by(&l.enters), worth];
            leaders.push(row.to_vec());
        }
        for o in &all.objectives {
            let (worth, taking) = (o.worth.to_string(), word(&o.taking));
            objectives.push(vec![side.clone(), o.id.0.clone(), o.name.clone(), o.at.clone(), worth, taking]);
        }
    }
    Ok(vec![
        (HEAD, emit(&head)?),
        (MAP, map(of)?),
        ("units.csv", csv::write(UNITS, &units)),
        ("leaders.csv", csv::write(LEADERS, &leaders)),
        ("objectives.csv", csv::write(OBJECTIVES, &objectives)),
    ])
}

/// A word as files have it.
pub(super) fn word<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The map of a scenario as it is typed: letters, however the scenario has it.
fn map(of: &LandScenario) -> Result<String, Error> {
    let map: Map<Tiles> = of.map.build().map_err(|_| Error::new(format!("the map of {} cannot be drawn", of.id)))?;
    let grid = map.grid();
    let (columns, last) = grid.size();
    let (mut rows, mut used) = (String::new(), vec![Terrain::Clear]);
    for row in 1..=last {
        rows.push_str(&format!("    {row:02}:"));
        for column in 1..=columns {
            let terrain = map.terrain(grid.at(column, row));
            if let Some(terrain) = terrain.filter(|t| !used.contains(t)) {
                used.push(terrain);
            }
            rows.push_str(&format!(" {}", terrain.map_or('-', sign)));
        }
        rows.push('\n');
    }
    let legend: String =
        used.iter().map(|t| format!("    \"{}\": {{terrain: {}}}\n", sign(*t), Kind::word(*t))).collect();
    let lower = word(&of.map.lower);
    Ok(format!(
        "countersign: 1\nkind: map\nid: my-{}\ntitle: {}\nmap:\n  provenance: owner\n  first: \"0101\"\n  \
         last: \"{columns:02}{last:02}\"\n  lower: {lower}\n  legend:\n{legend}  hexes: |\n{rows}",
        of.id,
        serde_json::Value::String(of.title.clone()),
    ))
}
