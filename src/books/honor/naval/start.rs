//! From a scenario to the position before turn 1, with every problem of the scenario at once.

use std::collections::BTreeSet;

use super::rulings::Rulings;
use super::scenario::{Scenario, ScenarioShip, ShipType};
use super::state::{Fate, Fleet, Ship, State};
use super::turn::{Naval, Stage};
use crate::hex::{Board, Hex};
use crate::play::Checkpoint;
use crate::side::{Side, Sides};

/// Checks a scenario and sets it up (NAV-1.2, NAV-3.1.p2).
///
/// # Errors
/// Every problem of the scenario, each naming the ship or key.
pub fn start(scenario: &Scenario, rulings: Rulings) -> Result<Checkpoint<Naval>, Vec<String>> {
    let board = Board { columns: i32::from(scenario.sea.columns), rows: i32::from(scenario.sea.rows) };
    let mut faults = heading_faults(scenario);
    let mut ships = Vec::new();
    let mut ids = BTreeSet::new();
    for (side, fleet) in scenario.sides.iter() {
        if fleet.ships.is_empty() {
            faults.push(format!("{side}: a side needs a ship"));
        }
        if !(1..=6).contains(&fleet.plots) {
            faults.push(format!("{side}: plots are 1 to 6, not {}", fleet.plots));
        }
        match (&fleet.command, fleet.ships.len()) {
            (Some(_), 0 | 1) => faults.push(format!("{side}: a single ship has no squadron commander (NAV-9.2)")),
            (None, n) if n > 1 => faults.push(format!("{side}: a squadron needs `command` (NAV-9.2)")),
            (Some(id), _) if !fleet.ships.iter().any(|s| s.id == *id) => {
                faults.push(format!("{side}: command `{id}` is none of its ships"));
            }
            _ => {}
        }
        if fleet.ships.iter().filter(|s| s.kind == ShipType::Gunboat).count() > 3 {
            faults.push(format!("{side}: there are three gunboat counters a flag (NAV-2.4)"));
        }
        for ship in &fleet.ships {
            ship_faults(ship, &mut faults);
            if !ids.insert(ship.id.clone()) {
                faults.push(format!("{}: two ships have this id (NAV-2.2)", ship.id));
            }
            match board.hex(&ship.at) {
                Ok(hex) => ships.push(set_up(ship, side, hex)),
                Err(fault) => faults.push(format!("{}: {fault}", ship.id)),
            }
        }
    }
    for ship in &ships {
        if ships.iter().filter(|s| s.hex == ship.hex).count() > 2 {
            faults.push(format!("{}: more than two ships in {} (NAV-3.4.p3)", ship.id, board.label(ship.hex)));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let fleets = Sides::from_fn(|side| fleet(scenario, side));
    let state = State {
        board,
        edge: scenario.edge,
        turns: scenario.turns,
        victory: scenario.victory,
        advantage: scenario.advantage,
        rulings,
        multiple: fleets.british.squadron || fleets.american.squadron,
        turn: 0,
        wind: scenario.wind,
        gauge: Sides::default(),
        chooser: scenario.advantage,
        step: 0,
        fleets,
        ships,
        boardings: Vec::new(),
    };
    Ok(Checkpoint::start(Stage::Weather {}, state))
}

fn heading_faults(scenario: &Scenario) -> Vec<String> {
    let mut faults = Vec::new();
    if scenario.countersign != 1 {
        faults.push(format!("countersign: this program reads version 1, not {}", scenario.countersign));
    }
    if scenario.kind != "scenario" || scenario.book != "honor-naval" {
        faults.push("kind and book: this is no scenario of honor-naval".into());
    }
    // The id is the name of a file.
    let plain = scenario.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !plain || !(1..=60).contains(&scenario.id.len()) {
        faults.push("id: the name of a scenario is 1 to 60 small letters, digits and hyphens".into());
    }
    if !matches!(scenario.provenance.as_str(), "rulebook" | "public" | "reconstruction" | "owner") {
        faults.push("provenance: rulebook, public, reconstruction or owner".into());
    }
    if !(1..=99).contains(&scenario.turns) {
        faults.push("turns: 1 to 99".into());
    }
    if !(1..=60).contains(&scenario.sea.columns) || !(1..=26).contains(&scenario.sea.rows) {
        faults.push("sea: 1 to 60 columns, 1 to 26 rows".into());
    }
    faults
}

fn ship_faults(ship: &ScenarioShip, faults: &mut Vec<String>) {
    let id = &ship.id;
    let well_formed = id.0.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if id.0.is_empty() || id.0.len() > 24 || !well_formed {
        faults.push(format!("{id}: an id is 1 to 24 lower-case letters, digits and hyphens"));
    }
    let mut range = |what: &str, value: u8, least: u8, most: u8| {
        if !(least..=most).contains(&value) {
            faults.push(format!("{id}: {what} is {least} to {most}, not {value}"));
        }
    };
    range("damage", ship.damage, 1, 12);
    range("guns", ship.guns, 1, 8);
    range("marines", ship.marines, 0, 8);
    range("speed", ship.speed, 1, 3);
    range("range", ship.range, 1, 2);
}

fn set_up(ship: &ScenarioShip, side: Side, hex: Hex) -> Ship {
    Ship {
        id: ship.id.clone(),
        name: ship.name.clone(),
        side,
        kind: ship.kind,
        hex,
        heading: ship.heading,
        start: ship.damage,
        damage: ship.damage,
        half: false,
        guns: ship.guns,
        marines: ship.marines,
        speed: ship.speed,
        range: ship.range,
        fired: Vec::new(),
        moved: false,
        worth: ship.worth,
        fate: Fate::Afloat,
    }
}

fn fleet(scenario: &Scenario, side: Side) -> Fleet {
    let of = scenario.sides.get(side);
    Fleet {
        plots: of.plots,
        squadron: of.ships.len() > 1,
        command: of.command.clone(),
        command_lost: false,
        transfer: false,
        old_half: 0,
        markers: 0,
        react: Vec::new(),
        stopped_from: None,
        played: Vec::new(),
        designated: None,
        points: 0,
    }
}
