//! A naval battle as an owner types it: a head and a table of ships.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::csv::{self, Column, Row, needed, optional};
use super::land::word;
use super::{HEAD, Source, placed};
use crate::books::honor::naval::{
    Edge, Rulings, Scenario, ScenarioShip, ScenarioSide, Sea, ShipId, Victory, Worth, start,
};
use crate::doc::{emit, yaml};
use crate::error::{Error, Place};
use crate::hex::Dir;
use crate::side::{Side, Sides};

/// What stands in `battle.yaml`: a naval scenario without its ships.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NavalHead {
    /// Format version, 1.
    pub countersign: u32,
    /// `data`.
    pub kind: String,
    /// `honor-naval`.
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
    /// Where the wind blows to: 1 is north, then clockwise.
    pub wind: Dir,
    /// Commander's advantage.
    pub advantage: Side,
    /// Size of the sea.
    #[serde(default)]
    pub sea: Sea,
    /// Whether the edge is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
    /// The two sides.
    pub sides: Sides<NavalHeadSide>,
    /// Who wins when.
    pub victory: Victory,
}

/// One side of the head.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NavalHeadSide {
    /// Base plotted moves a turn, 1 to 6.
    pub plots: u8,
    /// The squadron commander, only for a side with several ships.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<ShipId>,
}

const SHIPS: &[Column] = &[
    needed("side"),
    needed("id"),
    needed("name"),
    needed("type"),
    needed("at"),
    needed("heading"),
    needed("damage"),
    needed("guns"),
    needed("marines"),
    optional("speed"),
    optional("range"),
    needed("sunk"),
    needed("captured"),
    optional("escaped"),
    optional("history"),
];

/// Puts the files of a folder together.
pub(super) fn pack(files: Source<'_>) -> Result<Scenario, Vec<Error>> {
    let mut faults = Vec::new();
    let missing = |name: &str| {
        Error::new(format!("the file {name} is missing")).next("`countersign data new` writes one to begin with")
    };
    let head = match files(HEAD) {
        Some(text) => yaml::read::<NavalHead>(&text, HEAD, 1 << 20).map_err(|found| faults.extend(found)).ok(),
        None => {
            faults.push(missing(HEAD));
            None
        }
    };
    let ships = files("ships.csv").unwrap_or_else(|| {
        faults.push(missing("ships.csv"));
        String::new()
    });
    if let Some(head) = head.as_ref().filter(|h| h.countersign != 1 || h.kind != "data") {
        let what = format!("this is version {}, kind {}, not version 1 of kind data", head.countersign, head.kind);
        faults.push(Error::new(what).in_file(HEAD));
    }
    let mut lines = BTreeMap::new();
    let mut sides: Sides<Vec<ScenarioShip>> = Sides::default();
    for row in csv::read(&ships, "ships.csv", SHIPS, &mut faults) {
        if let Some((side, ship)) = ship(&row, &mut faults) {
            lines.insert(ship.id.0.clone(), Place { file: "ships.csv".into(), line: row.line, column: 0 });
            sides.get_mut(side).push(ship);
        }
    }
    let Some(head) = head else { return Err(faults) };
    let scenario = Scenario {
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
        wind: head.wind,
        advantage: head.advantage,
        sea: head.sea,
        edge: head.edge,
        sides: Sides::from_fn(|side| {
            let of = head.sides.get(side);
            ScenarioSide { plots: of.plots, command: of.command.clone(), ships: std::mem::take(sides.get_mut(side)) }
        }),
        victory: head.victory,
    };
    let whole = start(&scenario, Rulings::default()).err().unwrap_or_default();
    faults.extend(whole.into_iter().map(|fault| placed(fault, &lines)));
    if faults.is_empty() { Ok(scenario) } else { Err(faults) }
}

fn ship(row: &Row<'_>, faults: &mut Vec<Error>) -> Option<(Side, ScenarioShip)> {
    let (side, kind) = (row.word("side", None, faults), row.word("type", None, faults));
    let mut number = |name: &str, empty: Option<u32>| row.number(name, empty, faults);
    let (heading, damage, guns) = (number("heading", None), number("damage", None), number("guns", None));
    let (marines, speed, range) = (number("marines", None), number("speed", Some(1)), number("range", Some(2)));
    let (sunk, captured, escaped) = (number("sunk", None), number("captured", None), number("escaped", Some(0)));
    let dir = heading.and_then(|n| u8::try_from(n).ok()).and_then(|n| Dir::try_from(n).ok());
    if heading.is_some() && dir.is_none() {
        faults.push(row.fault("heading", "a heading is 1 to 6: 1 is north, then clockwise"));
    }
    let (id, name, at) = (ShipId(row.must("id", faults)), row.must("name", faults), row.must("at", faults));
    let small = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
    let ship = ScenarioShip {
        id,
        name,
        kind: kind?,
        at,
        heading: dir?,
        damage: small(damage?),
        guns: small(guns?),
        marines: small(marines?),
        speed: small(speed?),
        range: small(range?),
        worth: Worth { sunk: sunk?, captured: captured?, escaped: escaped? },
        history: row.text("history"),
    };
    Some((side?, ship))
}

/// The files a folder begins with, from a scenario.
pub(super) fn files(of: &Scenario) -> Result<Vec<(&'static str, String)>, Error> {
    let head = NavalHead {
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
        wind: of.wind,
        advantage: of.advantage,
        sea: of.sea,
        edge: of.edge,
        sides: Sides::from_fn(|side| {
            let of = of.sides.get(side);
            NavalHeadSide { plots: of.plots, command: of.command.clone() }
        }),
        victory: of.victory,
    };
    let mut rows = Vec::new();
    for (side, of) in of.sides.iter() {
        for s in &of.ships {
            let figures =
                [u32::from(s.heading.number()), s.damage.into(), s.guns.into(), s.marines.into(), s.speed.into()];
            let more = [s.range.into(), s.worth.sunk, s.worth.captured, s.worth.escaped];
            let figures = figures.iter().chain(&more).map(ToString::to_string);
            let words = [side.word().to_owned(), s.id.0.clone(), s.name.clone(), word(&s.kind), s.at.clone()];
            rows.push(words.into_iter().chain(figures).chain([s.history.clone()]).collect());
        }
    }
    Ok(vec![(HEAD, emit(&head)?), ("ships.csv", csv::write(SHIPS, &rows))])
}
