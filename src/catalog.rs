//! The scenarios that come with the program, and a game of any book opened from its terms.

use std::collections::BTreeMap;

use crate::books::honor::land::{self, Agreed, Land, LandScenario};
use crate::books::honor::naval::{Naval, Rulings, Scenario, start};
use crate::books::honor::{Switch, land::Options};
use crate::doc::map::placed;
use crate::doc::{SecretRow, yaml};
use crate::error::Error;
use crate::play::{Game, Played};
use crate::seal::{Digest, sha256};
use crate::side::Sides;

/// Largest scenario file, in bytes.
pub const LARGEST: usize = 1 << 20;

/// The ruleset of the naval game: its rulings as of this version.
pub const NAVAL: &str = "honor-naval/1";

/// The ruleset of the land game: its rulings as of this version.
pub const LAND: &str = "honor-land/1";

macro_rules! scenarios {
    ($($folder:literal: $($id:literal),* ;)*) => {
        &[ $( $( ($id, include_str!(concat!("../scenarios/honor/", $folder, "/", $id, ".yaml"))), )* )* ]
    };
}

/// Id and text of every scenario that comes with the program.
pub const SCENARIOS: &[(&str, &str)] = scenarios![
    "naval":
        "constitution-guerriere",
        "wasp-frolic",
        "united-states-macedonian",
        "constitution-java",
        "chesapeake-shannon",
        "argus-pelican",
        "essex-phoebe-cherub",
        "capture-of-the-president",
        "lake-erie",
        "lake-champlain";
    "land":
        "queenston-heights",
        "craney-island",
        "thames",
        "cryslers-farm",
        "chippawa",
        "lundys-lane",
        "bladensburg",
        "north-point",
        "night-attack",
        "new-orleans";
];

/// The ruleset a scenario's text is for, by its line `book:`; naval where it has none, whose reader then says so.
#[must_use]
pub fn ruleset_of(text: &str) -> &'static str {
    let book = text.lines().find_map(|line| line.strip_prefix("book:")).map(|b| b.trim().trim_matches('"'));
    if book == Some("honor-land") { LAND } else { NAVAL }
}

/// Whether this program knows a ruleset.
#[must_use]
pub fn knows(ruleset: &str) -> bool {
    [NAVAL, LAND].contains(&ruleset)
}

/// The rulings of a ruleset that have a choice.
#[must_use]
pub fn switches(ruleset: &str) -> &'static [Switch] {
    if ruleset == LAND { land::Rulings::SWITCHES } else { Rulings::SWITCHES }
}

/// The optional rules of a ruleset, number and contents.
#[must_use]
pub fn options(ruleset: &str) -> &'static [(&'static str, &'static str)] {
    if ruleset == LAND { Options::ALL } else { &[] }
}

/// What terms say of a ruleset's rulings and optional rules: a preset, and what differs from it, each `NUMBER=SETTING`.
/// Every ruling is named, so that terms read the same under later versions of the program.
///
/// # Errors
/// Which numbers or words there are, if these are none.
pub fn settings(ruleset: &str, club: bool, single: &[String]) -> Result<BTreeMap<String, String>, String> {
    let preset = |s: &Switch| if club { s.club } else { s.settings[0] };
    let mut set: BTreeMap<String, String> =
        switches(ruleset).iter().map(|s| (s.number.to_owned(), preset(s).to_owned())).collect();
    for text in single {
        let (number, word) = text.split_once('=').unwrap_or((text, ""));
        judge_setting(ruleset, number, word)?;
        set.insert(number.to_owned(), word.to_owned());
    }
    Ok(set)
}

fn judge_setting(ruleset: &str, number: &str, word: &str) -> Result<(), String> {
    if ruleset == LAND { Agreed::default().set(number, word) } else { Rulings::default().set(number, word) }
}

/// The text of a scenario with LF line ends, whose SHA-256 the terms name.
#[must_use]
pub fn embedded(id: &str) -> Option<String> {
    SCENARIOS.iter().find(|(name, _)| *name == id).map(|(_, text)| text.replace("\r\n", "\n"))
}

/// The digest of a scenario's text.
#[must_use]
pub fn digest(text: &str) -> Digest {
    sha256(text.as_bytes())
}

/// A game of any book.
#[derive(Debug)]
pub enum AnyGame {
    /// For Honor and Glory, naval.
    Naval(Box<NavalGame>),
    /// For Honor and Glory, land.
    Land(Box<LandGame>),
    /// A game of a book that is not in the catalogue: whoever opened it knows its types. The trust layer asks no more
    /// of a game than [`Game`].
    Other(Box<dyn Game>),
}

impl Clone for AnyGame {
    fn clone(&self) -> AnyGame {
        match self {
            AnyGame::Naval(game) => AnyGame::Naval(game.clone()),
            AnyGame::Land(game) => AnyGame::Land(game.clone()),
            AnyGame::Other(game) => AnyGame::Other(game.fork()),
        }
    }
}

/// A naval game and its scenario.
#[derive(Debug, Clone)]
pub struct NavalGame {
    /// The scenario.
    pub scenario: Scenario,
    /// The game.
    pub played: Played<Naval>,
}

/// A land game and its scenario.
#[derive(Debug, Clone)]
pub struct LandGame {
    /// The scenario.
    pub scenario: LandScenario,
    /// The game.
    pub played: Played<Land>,
}

impl AnyGame {
    /// The game as the trust layer sees it.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        match self {
            AnyGame::Naval(game) => &game.played,
            AnyGame::Land(game) => &game.played,
            AnyGame::Other(game) => game.as_ref(),
        }
    }

    /// The naval game, if it is one.
    #[must_use]
    pub fn naval(&self) -> Option<&NavalGame> {
        match self {
            AnyGame::Naval(game) => Some(game),
            AnyGame::Land(_) | AnyGame::Other(_) => None,
        }
    }

    /// The land game, if it is one.
    #[must_use]
    pub fn land(&self) -> Option<&LandGame> {
        match self {
            AnyGame::Land(game) => Some(game),
            AnyGame::Naval(_) | AnyGame::Other(_) => None,
        }
    }

    /// The scenario's title.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        match self {
            AnyGame::Naval(game) => Some(&game.scenario.title),
            AnyGame::Land(game) => Some(&game.scenario.title),
            AnyGame::Other(_) => None,
        }
    }

    /// The turn being played.
    #[must_use]
    pub fn turn(&self) -> Option<u32> {
        match self {
            AnyGame::Naval(game) => Some(game.played.state().turn),
            AnyGame::Land(game) => Some(game.played.state().turn),
            AnyGame::Other(_) => None,
        }
    }

    /// Victory points.
    #[must_use]
    pub fn points(&self) -> Option<Sides<u32>> {
        match self {
            AnyGame::Naval(game) => Some(Sides::from_fn(|side| game.played.state().fleets.get(side).points)),
            AnyGame::Land(game) => Some(Sides::from_fn(|side| game.played.state().armies.get(side).points)),
            AnyGame::Other(_) => None,
        }
    }

    /// The same, to change.
    pub fn game_mut(&mut self) -> &mut dyn Game {
        match self {
            AnyGame::Naval(game) => &mut game.played,
            AnyGame::Land(game) => &mut game.played,
            AnyGame::Other(game) => game.as_mut(),
        }
    }
}

/// Reads a naval scenario.
///
/// # Errors
/// Every problem of the file.
pub fn read_scenario(text: &str, file: &str) -> Result<Scenario, Vec<Error>> {
    let scenario: Scenario = yaml::read(text, file, LARGEST)?;
    let faults = start(&scenario, Rulings::default()).err().unwrap_or_default();
    if faults.is_empty() {
        Ok(scenario)
    } else {
        Err(faults.into_iter().map(|f| Error::new(f).in_file(file)).collect())
    }
}

/// Reads a land scenario.
///
/// # Errors
/// Every problem of the file.
pub fn read_land_scenario(text: &str, file: &str) -> Result<LandScenario, Vec<Error>> {
    let scenario: LandScenario = yaml::read(text, file, LARGEST)?;
    if let Err(faults) = land::Ground::draw(&scenario.map) {
        let faults = faults.into_iter().map(|fault| fault.under("map")).collect();
        return Err(placed(text, file, faults));
    }
    let faults = land::start(&scenario, &Agreed::default()).err().unwrap_or_default();
    if faults.is_empty() {
        Ok(scenario)
    } else {
        Err(faults.into_iter().map(|f| Error::new(f).in_file(file)).collect())
    }
}

/// A scenario of any book.
#[derive(Debug, Clone)]
pub enum AnyScenario {
    /// For Honor and Glory, naval.
    Naval(Box<Scenario>),
    /// For Honor and Glory, land.
    Land(Box<LandScenario>),
}

impl AnyScenario {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            AnyScenario::Naval(s) => &s.id,
            AnyScenario::Land(s) => &s.id,
        }
    }
}

/// Reads a scenario of whichever book its line `book:` names.
///
/// # Errors
/// Every problem of the file.
pub fn read_any(text: &str, file: &str) -> Result<AnyScenario, Vec<Error>> {
    if ruleset_of(text) == LAND {
        read_land_scenario(text, file).map(|s| AnyScenario::Land(Box::new(s)))
    } else {
        read_scenario(text, file).map(|s| AnyScenario::Naval(Box::new(s)))
    }
}

/// Opens a game of a ruleset from its scenario and rulings.
///
/// # Errors
/// If the ruleset is unknown (both versions are named), or scenario or rulings are not sound.
pub fn open(ruleset: &str, scenario: &str, rulings: &BTreeMap<String, String>) -> Result<AnyGame, Vec<Error>> {
    match ruleset {
        NAVAL => open_naval(scenario, rulings),
        LAND => open_land(scenario, rulings),
        _ => Err(vec![
            Error::new(format!("the ruleset {ruleset} is unknown here; this program knows {NAVAL} and {LAND}"))
                .next("get the program that knows it"),
        ]),
    }
}

fn open_naval(scenario: &str, rulings: &BTreeMap<String, String>) -> Result<AnyGame, Vec<Error>> {
    let scenario = read_scenario(scenario, "the scenario")?;
    let mut set = Rulings::default();
    for (number, word) in rulings {
        set.set(number, word).map_err(|e| vec![Error::new(e)])?;
    }
    let checkpoint = start(&scenario, set).map_err(errors)?;
    let played = Played::start(checkpoint).map_err(|bug| vec![Error::new(format!("defect: {bug}"))])?;
    Ok(AnyGame::Naval(Box::new(NavalGame { scenario, played })))
}

fn open_land(scenario: &str, rulings: &BTreeMap<String, String>) -> Result<AnyGame, Vec<Error>> {
    let scenario = read_land_scenario(scenario, "the scenario")?;
    let mut agreed = Agreed::default();
    for (number, word) in rulings {
        agreed.set(number, word).map_err(|e| vec![Error::new(e)])?;
    }
    let checkpoint = land::start(&scenario, &agreed).map_err(errors)?;
    let played = Played::start(checkpoint).map_err(|bug| vec![Error::new(format!("defect: {bug}"))])?;
    Ok(AnyGame::Land(Box::new(LandGame { scenario, played })))
}

fn errors(faults: Vec<String>) -> Vec<Error> {
    faults.into_iter().map(Error::new).collect()
}

/// The rows of hidden things a ruleset has, as its terms list them.
#[must_use]
pub fn secrets(ruleset: &str) -> Vec<SecretRow> {
    if ruleset != NAVAL {
        // The land game has nothing hidden.
        return Vec::new();
    }
    let row = |slots: &str, illegal: &str| SecretRow {
        slots: slots.into(),
        form: "seal, or second in clear".into(),
        due: "all up to the next REACT, with the link".into(),
        if_illegal: illegal.into(),
        if_withheld: "the step stays open and the log shows who owes it".into(),
    };
    vec![
        row("t*/*/plot/marker/*", "STOP from the first illegal marker on (N41)"),
        row("t*/*/plot/order/*", "the enemy goes first (N41)"),
        row("t*/*/plot/lead/*", "the whole squadron moves (N41)"),
        row("t*/*/plot/fire/*", "hold fire (N41)"),
        row("t*/*/plot/board/*", "no boarding (N41)"),
    ]
}
