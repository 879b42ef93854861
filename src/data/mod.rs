//! The owner's own data: what a player types in from his printed copy - a head, tables, a map - and the one file it is
//! packed into. That file is a scenario like any other, so the terms of a game name it by its digest as they do all
//! scenarios (`schemas/protocol.md`), and everything that takes a scenario file takes it.

pub mod charts;
pub mod csv;
mod land;
mod naval;
mod painter;

use std::collections::BTreeMap;

pub use land::{LandHead, LandHeadSide};
pub use naval::{NavalHead, NavalHeadSide};
pub use painter::page;

use crate::catalog::{self, AnyScenario};
use crate::doc::emit;
use crate::error::{Error, Place};

/// The file with everything that stands in no table.
pub const HEAD: &str = "battle.yaml";
/// The typed or painted map.
pub const MAP: &str = "map.yaml";
/// The page to paint a map on.
pub const PAINTER: &str = "paint-map.html";

/// The texts of a folder's files by name.
pub type Source<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What comes out of a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The packed file.
    pub text: String,
}

/// Which book a head is for, by its line `book:`.
fn of_land(head: &str) -> bool {
    catalog::ruleset_of(head) == catalog::LAND
}

/// Reads a folder of an owner's files and packs them.
///
/// # Errors
/// Every problem of every file, with line and column where it has them.
pub fn pack(files: Source<'_>) -> Result<Packed, Vec<Error>> {
    let Some(head) = files(HEAD) else {
        return Err(vec![
            Error::new(format!("there is no {HEAD} in this folder")).next("begin with `countersign data new`"),
        ]);
    };
    let charts = files(charts::FILE).map_or_else(Vec::new, |text| charts::compare(&text));
    let made = if of_land(&head) {
        land::pack(files).and_then(|s| Ok((s.id.clone(), s.title.clone(), emit(&s).map_err(|e| vec![e])?)))
    } else {
        naval::pack(files).and_then(|s| Ok((s.id.clone(), s.title.clone(), emit(&s).map_err(|e| vec![e])?)))
    };
    let (id, title, body) = match made {
        Ok(made) if charts.is_empty() => made,
        Ok(_) => return Err(charts),
        Err(faults) => return Err([faults, charts].concat()),
    };
    let text = format!(
        "# Packed by countersign from an owner's own files. It is for players who own the printed game;\n\
         # please do not publish it. The terms of a game name this file by its digest: change nothing in it.\n{body}"
    );
    // What was packed must read as what was meant.
    catalog::read_any(&text, "the packed file")?;
    Ok(Packed { id, title, text })
}

/// The files a folder begins with, by name, from a scenario that is near.
///
/// # Errors
/// If one cannot be written (a defect).
pub fn begin(scenario: &AnyScenario) -> Result<Vec<(&'static str, String)>, Error> {
    match scenario {
        AnyScenario::Naval(of) => naval::files(of),
        AnyScenario::Land(of) => {
            let mut files = land::files(of)?;
            let map = files.iter().find(|(name, _)| *name == MAP).map_or(String::new(), |(_, text)| text.clone());
            files.push((PAINTER, page(&map)));
            files.push((charts::FILE, charts::table()));
            Ok(files)
        }
    }
}

/// Gives a fault of the whole its place: it begins with the id of a piece, or with `map`.
fn placed(fault: String, lines: &BTreeMap<String, Place>) -> Error {
    let name = fault.split(':').next().unwrap_or("").trim();
    let place = match lines.get(name) {
        Some(place) => place.clone(),
        None if name == "map" => Place { file: MAP.into(), ..Place::default() },
        None => Place { file: HEAD.into(), ..Place::default() },
    };
    Error::new(fault).at(place)
}
