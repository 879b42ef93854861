//! What `map` and `moves` look at: the game of the folder one is in, a position, a scenario, or a map by itself.

use std::path::Path;

use super::{Errors, whatif};
use crate::board::Map;
use crate::books::honor::land::{Agreed, Land, LandPosition, Tiles, start as land_start};
use crate::books::honor::naval::{Naval, Position, Rulings, start as naval_start};
use crate::catalog::{self, AnyGame, AnyScenario};
use crate::doc::{map as map_file, yaml};
use crate::error::Error;
use crate::play::Checkpoint;
use crate::store::{self, Folder};

/// Largest position, in bytes.
const LARGEST: usize = 1 << 20;

/// Something to look at.
pub(super) enum Seen {
    /// A land battle.
    Land(Checkpoint<Land>),
    /// A naval battle.
    Naval(Checkpoint<Naval>),
    /// A map without pieces.
    Map(Box<Map<Tiles>>),
}

/// What is looked at, and its title.
pub(super) struct Look {
    /// What stands above it.
    pub title: String,
    /// What it is.
    pub seen: Seen,
}

/// Finds what is meant: a scenario by id, a file or game folder, else the game of `here`.
pub(super) fn look(here: &Path, named: Option<&Path>, scenario: Option<&str>) -> Result<Look, Errors> {
    if let Some(id) = scenario {
        let text = super::setup::scenario_text(id, None)?;
        return from_scenario(&text, id);
    }
    match named {
        Some(path) if path.is_dir() => from_folder(path),
        Some(path) => from_file(path),
        None => from_folder(here),
    }
}

fn from_folder(path: &Path) -> Result<Look, Errors> {
    if !path.join("orders").is_dir() {
        return Err(Error::misuse(format!("`{}` is no game folder", path.display()))
            .next("name a game folder, a position such as turn.yaml, a scenario file, or a scenario with --scenario ID")
            .into());
    }
    let folder = Folder::open(path)?;
    let table = super::play::game(&folder)?;
    let game = &table.history.game;
    let turn = game.turn().map_or(String::new(), |turn| format!(", turn {turn}"));
    let title = format!("{}{turn}", game.title().unwrap_or("The game"));
    // Where the game stands now, which may be past the last checkpoint.
    let seen = match game {
        AnyGame::Land(g) => {
            let from = g.played.checkpoint();
            let state = std::rc::Rc::new(g.played.state().clone());
            Seen::Land(Checkpoint { state, ..from.clone() })
        }
        AnyGame::Naval(g) => {
            let from = g.played.checkpoint();
            let state = std::rc::Rc::new(g.played.state().clone());
            Seen::Naval(Checkpoint { state, ..from.clone() })
        }
        AnyGame::Other(_) => return Err(Error::new("this program has no map of that book").into()),
    };
    Ok(Look { title, seen })
}

fn from_scenario(text: &str, name: &str) -> Result<Look, Errors> {
    let faults = |faults: Vec<String>| faults.into_iter().map(|f| Error::new(f).in_file(name)).collect::<Vec<_>>();
    Ok(match catalog::read_any(text, name)? {
        AnyScenario::Land(scenario) => {
            let start = land_start(&scenario, &Agreed::default()).map_err(faults)?;
            Look { title: scenario.title, seen: Seen::Land(start) }
        }
        AnyScenario::Naval(scenario) => {
            let start = naval_start(&scenario, Rulings::default()).map_err(faults)?;
            Look { title: scenario.title, seen: Seen::Naval(start) }
        }
    })
}

fn from_file(path: &Path) -> Result<Look, Errors> {
    let text = store::read_text(path)?.replace("\r\n", "\n");
    let name = path.display().to_string();
    let kind = text.lines().find_map(|line| line.strip_prefix("kind:")).map(|k| k.trim().trim_matches('"'));
    match kind {
        Some("scenario") => return from_scenario(&text, &name),
        Some("map") => {
            let (file, map) = map_file::read::<Tiles>(text.as_bytes(), &name)?;
            return Ok(Look { title: file.title, seen: Seen::Map(Box::new(map)) });
        }
        _ => {}
    }
    let faults = |faults: Vec<String>| faults.into_iter().map(|f| Error::new(f).in_file(&name)).collect::<Vec<_>>();
    if whatif::of_land(&text) {
        let position: LandPosition = yaml::read(&text, &name, LARGEST)?;
        let start = position.into_checkpoint().map_err(faults)?;
        return Ok(Look { title: format!("{name}, turn {}", start.state.turn), seen: Seen::Land(start) });
    }
    let position: Position = yaml::read(&text, &name, LARGEST)?;
    let start = position.into_checkpoint().map_err(faults)?;
    Ok(Look { title: format!("{name}, turn {}", start.state.turn), seen: Seen::Naval(start) })
}
