//! The printed charts of the land game as the program plays them, for an owner to hold against his copy cell by cell. They
//! are part of the rules: a figure that differs is told, and cannot be played with.

use super::csv::{self, Column, needed};
use super::land::word;
use crate::board::Kind;
use crate::books::honor::land::{CLOSE_COMBAT, DICE, LEADER_MOVES, Terrain, UnitType, random_points};
use crate::error::Error;

/// The table's file.
pub const FILE: &str = "charts.csv";

const COLUMNS: &[Column] = &[needed("chart"), needed("row"), needed("column"), needed("figure")];

/// Every cell: chart, row, column, figure.
fn cells() -> Vec<[String; 4]> {
    let mut all = Vec::new();
    let mut cell = |chart: &str, row: &str, column: &str, figure: String| {
        all.push([chart.to_owned(), row.to_owned(), column.to_owned(), figure]);
    };
    for kind in UnitType::ALL {
        let row = word(&kind);
        cell("movement", &row, "hexes", kind.moves().to_string());
        cell("range", &row, "hexes", kind.range().to_string());
        for range in 1..=kind.range() {
            cell("to-hit", &row, &range.to_string(), kind.hits_on(range).to_string());
        }
    }
    cell("movement", "leader", "hexes", LEADER_MOVES.to_string());
    cell("dice", "attack", "all", DICE.to_string());
    cell("to-hit", "close-combat", "all", CLOSE_COMBAT.to_string());
    for roll in 1..=6 {
        cell("random-action-points", &roll.to_string(), "points", random_points(roll).to_string());
    }
    for terrain in Terrain::ALL {
        let row = Kind::word(terrain);
        cell("terrain", row, "attack-dice", terrain.combat().map_or(0, |m| m.by).to_string());
        cell("terrain", row, "morale", terrain.morale().map_or(0, |m| m.by).to_string());
    }
    all
}

/// The table as the program plays it.
#[must_use]
pub fn table() -> String {
    let rows: Vec<Vec<String>> = cells().into_iter().map(|cell| cell.to_vec()).collect();
    "# The charts as the program plays them. Change a figure that is printed otherwise in your copy:\n\
     # `countersign data check` then names it. Remove the file if you do not want to compare.\n"
        .to_owned()
        + &csv::write(COLUMNS, &rows)
}

/// Every figure of a table that is not the program's.
#[must_use]
pub fn compare(text: &str) -> Vec<Error> {
    let mut faults = Vec::new();
    let known = cells();
    let rows = csv::read(text, FILE, COLUMNS, &mut faults);
    for row in rows {
        let (chart, head, column) = (row.text("chart"), row.text("row"), row.text("column"));
        let figure = row.text("figure");
        match known.iter().find(|cell| cell[0] == chart && cell[1] == head && cell[2] == column) {
            None => faults.push(row.fault("chart", format!("the program knows no figure {chart}, {head}, {column}"))),
            Some(cell) if cell[3] != figure => {
                let what = format!("{chart}, {head}, {column}: your copy has {figure}, the program plays {}", cell[3]);
                let next = "if your copy is right, this is a fault of the program: please report it; to play all the same, put the program's figure here";
                faults.push(row.fault("figure", what).next(next));
            }
            Some(_) => {}
        }
    }
    faults
}
