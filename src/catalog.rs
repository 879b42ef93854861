//! The scenarios that come with the program, and a game of any book opened from its terms.

use std::collections::BTreeMap;

use crate::books::honor::naval::{Naval, Rulings, Scenario, start};
use crate::doc::{SecretRow, yaml};
use crate::error::Error;
use crate::play::{Game, Played};
use crate::seal::{Digest, sha256};

/// Largest scenario file, in bytes.
pub const LARGEST: usize = 1 << 20;

/// The ruleset of the naval game: its rulings as of this version.
pub const NAVAL: &str = "honor-naval/1";

macro_rules! naval {
    ($($id:literal),* $(,)?) => {
        &[ $( ($id, include_str!(concat!("../scenarios/honor/naval/", $id, ".yaml"))), )* ]
    };
}

/// Id and text of every scenario that comes with the program.
pub const SCENARIOS: &[(&str, &str)] = naval![
    "constitution-guerriere",
    "wasp-frolic",
    "united-states-macedonian",
    "constitution-java",
    "chesapeake-shannon",
    "argus-pelican",
    "essex-phoebe-cherub",
    "capture-of-the-president",
    "lake-erie",
    "lake-champlain",
];

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
    /// A game of a book that is not in the catalogue: whoever opened it knows its types. The trust layer asks no more
    /// of a game than [`Game`].
    Other(Box<dyn Game>),
}

impl Clone for AnyGame {
    fn clone(&self) -> AnyGame {
        match self {
            AnyGame::Naval(game) => AnyGame::Naval(game.clone()),
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

impl AnyGame {
    /// The game as the trust layer sees it.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        match self {
            AnyGame::Naval(game) => &game.played,
            AnyGame::Other(game) => game.as_ref(),
        }
    }

    /// The naval game, if it is one.
    #[must_use]
    pub fn naval(&self) -> Option<&NavalGame> {
        match self {
            AnyGame::Naval(game) => Some(game),
            AnyGame::Other(_) => None,
        }
    }

    /// The same, to change.
    pub fn game_mut(&mut self) -> &mut dyn Game {
        match self {
            AnyGame::Naval(game) => &mut game.played,
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

/// Opens a game of a ruleset from its scenario and rulings.
///
/// # Errors
/// If the ruleset is unknown (both versions are named), or scenario or rulings are not sound.
pub fn open(ruleset: &str, scenario: &str, rulings: &BTreeMap<String, String>) -> Result<AnyGame, Vec<Error>> {
    if ruleset != NAVAL {
        return Err(vec![
            Error::new(format!("the ruleset {ruleset} is unknown here; this program knows {NAVAL}"))
                .next("get the program that knows it"),
        ]);
    }
    let scenario = read_scenario(scenario, "the scenario")?;
    let mut set = Rulings::default();
    for (number, word) in rulings {
        set.set(number, word).map_err(|e| vec![Error::new(e)])?;
    }
    let checkpoint = start(&scenario, set).map_err(|faults| faults.into_iter().map(Error::new).collect::<Vec<_>>())?;
    let played = Played::start(checkpoint).map_err(|bug| vec![Error::new(format!("defect: {bug}"))])?;
    Ok(AnyGame::Naval(Box::new(NavalGame { scenario, played })))
}

/// The rows of hidden things a ruleset has, as its terms list them.
#[must_use]
pub fn secrets(_ruleset: &str) -> Vec<SecretRow> {
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
