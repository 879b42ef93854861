//! Four-digit labels of printed maps: column, then row, zeros kept ("0407").

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Hex;

/// Which columns of a map sit half a hex lower than the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lower {
    /// Columns 02, 04 and so on (Monmouth; ruling N43 for the sea).
    Even,
    /// Columns 01, 03 and so on.
    Odd,
}

/// A map's rectangle of labels. Fields are private so that every grid has room for its labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Grid {
    west: i32,
    north: i32,
    columns: i32,
    rows: i32,
    lower: Lower,
}

/// Why a text names no hex of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GridFault {
    /// Not four digits.
    Shape(String),
    /// A hex outside; with the first and last label.
    Outside(String, String, String),
}

impl fmt::Display for GridFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GridFault::Shape(text) => {
                write!(f, "`{text}` is no hex; a hex is four digits, column then row, such as \"0407\"")
            }
            GridFault::Outside(text, first, last) => {
                write!(f, "hex {text} lies outside the map, which goes from {first} to {last}")
            }
        }
    }
}

impl Grid {
    /// A grid whose north-west hex has the given column and row and which has that many of each.
    ///
    /// # Errors
    /// If there is no column or row, or a label would need more than two digits or a sign.
    pub fn new(west: i32, north: i32, columns: i32, rows: i32, lower: Lower) -> Result<Grid, &'static str> {
        let fits = |first: i32, count: i32| (0..=99).contains(&first) && (1..=100 - first).contains(&count);
        if !fits(west, columns) {
            return Err("a map has 1 to 99 columns, and no column beyond 99");
        }
        if !fits(north, rows) {
            return Err("a map has 1 to 99 rows, and no row beyond 99");
        }
        Ok(Grid { west, north, columns, rows, lower })
    }

    /// The hex of a label.
    ///
    /// # Errors
    /// [`GridFault`] if the text is not four digits or names a hex outside.
    pub fn hex(&self, label: &str) -> Result<Hex, GridFault> {
        let shape = || GridFault::Shape(label.to_owned());
        if label.len() != 4 || !label.bytes().all(|b| b.is_ascii_digit()) {
            return Err(shape());
        }
        let column = label[..2].parse().map_err(|_| shape())?;
        let row = label[2..].parse().map_err(|_| shape())?;
        let hex = self.at(column, row);
        if self.contains(hex) {
            return Ok(hex);
        }
        let (west, north) = self.first();
        let last = four(west + self.columns - 1, north + self.rows - 1);
        Err(GridFault::Outside(label.to_owned(), four(west, north), last))
    }

    /// The label of a hex; of one outside, column and row as signed numbers, which [`Grid::hex`] does not take:
    /// "(-2, 30)".
    #[must_use]
    pub fn label(&self, hex: Hex) -> String {
        let (column, row) = self.place(hex);
        if self.contains(hex) { four(column, row) } else { format!("({column}, {row})") }
    }

    /// Whether the hex is in the rectangle.
    #[must_use]
    pub fn contains(&self, hex: Hex) -> bool {
        let (column, row) = self.place(hex);
        (self.west..self.west + self.columns).contains(&column) && (self.north..self.north + self.rows).contains(&row)
    }

    /// Every hex, row by row from the north, each row from the west.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        let grid = *self;
        (0..grid.rows)
            .flat_map(move |row| (0..grid.columns).map(move |column| grid.at(grid.west + column, grid.north + row)))
    }

    /// The printed column and row of a hex; any hex of the plane has them.
    #[must_use]
    pub fn place(&self, hex: Hex) -> (i32, i32) {
        (hex.q, hex.r + self.shift(hex.q))
    }

    /// The hex in a printed column and row; any integers.
    #[must_use]
    pub fn at(&self, column: i32, row: i32) -> Hex {
        Hex { q: column, r: row - self.shift(column) }
    }

    /// Column and row of the north-west hex.
    #[must_use]
    pub fn first(&self) -> (i32, i32) {
        (self.west, self.north)
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> (i32, i32) {
        (self.columns, self.rows)
    }

    /// Which columns sit lower.
    #[must_use]
    pub fn lower(&self) -> Lower {
        self.lower
    }

    /// Whether a column sits half a hex lower.
    #[must_use]
    pub fn is_lower(&self, column: i32) -> bool {
        (column.rem_euclid(2) == 0) == (self.lower == Lower::Even)
    }

    fn shift(&self, column: i32) -> i32 {
        match self.lower {
            Lower::Even => (column + 1).div_euclid(2),
            Lower::Odd => column.div_euclid(2),
        }
    }
}

fn four(column: i32, row: i32) -> String {
    format!("{column:02}{row:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::Dir;

    fn grid(lower: Lower) -> Grid {
        Grid::new(1, 1, 60, 40, lower).unwrap()
    }

    #[test]
    fn labels_round_trip_on_whole_maps_of_either_parity_and_any_first_label() {
        for lower in [Lower::Even, Lower::Odd] {
            for (west, north, columns, rows) in [(1, 1, 60, 40), (0, 0, 100, 100), (36, 8, 1, 7), (98, 99, 2, 1)] {
                let grid = Grid::new(west, north, columns, rows, lower).unwrap();
                let all: Vec<Hex> = grid.hexes().collect();
                assert_eq!(all.len(), usize::try_from(columns * rows).unwrap());
                for hex in &all {
                    let label = grid.label(*hex);
                    assert_eq!(label.len(), 4);
                    assert_eq!(grid.hex(&label), Ok(*hex));
                    let (column, row) = grid.place(*hex);
                    assert_eq!(label, format!("{column:02}{row:02}"));
                    assert_eq!(grid.at(column, row), *hex);
                }
                // Everything around the rectangle is outside, and says so.
                for hex in all.iter().flat_map(|hex| hex.neighbours()).filter(|hex| !all.contains(hex)) {
                    assert!(!grid.contains(hex) && grid.hex(&grid.label(hex)).is_err(), "{}", grid.label(hex));
                }
            }
        }
    }

    /// Each map has its columns half a hex apart the way its parity says, corners included.
    #[test]
    fn neighbours_by_parity() {
        let around = |lower: Lower, label: &str| {
            let grid = grid(lower);
            let hex = grid.hex(label).unwrap();
            Dir::ALL.map(|dir| grid.label(hex.step(dir)))
        };
        // Gazetteer of Monmouth: even columns half a hex south.
        assert_eq!(around(Lower::Even, "0407"), ["0406", "0507", "0508", "0408", "0308", "0307"]);
        assert_eq!(around(Lower::Even, "0507"), ["0506", "0606", "0607", "0508", "0407", "0406"]);
        assert_eq!(around(Lower::Odd, "0407"), ["0406", "0506", "0507", "0408", "0307", "0306"]);
        assert_eq!(around(Lower::Odd, "0507"), ["0506", "0607", "0608", "0508", "0408", "0407"]);
        assert_eq!(around(Lower::Even, "0101"), ["(1, 0)", "(2, 0)", "0201", "0102", "(0, 1)", "(0, 0)"]);
        assert_eq!(around(Lower::Odd, "6040"), ["6039", "(61, 39)", "(61, 40)", "(60, 41)", "5940", "5939"]);
    }

    /// March columns of the Monmouth rules (20.3, 21.4) are unbroken.
    #[test]
    fn printed_march_columns_are_unbroken() {
        let grid = grid(Lower::Even);
        for column in [
            "2720 2820 2921 3021 3121 3220",
            "0117 0216 0317 0416 0516 0616 0716 0816",
            "1016 1117 1217 1318 1418 1519",
            "3420 3521 3620",
            "3920 4019 4119",
            "5723 5823 5924",
        ] {
            let hexes: Vec<Hex> = column.split(' ').map(|label| grid.hex(label).unwrap()).collect();
            assert!(hexes.windows(2).all(|pair| pair[0].distance(pair[1]) == 1), "{column}");
        }
    }

    #[test]
    fn other_texts_are_no_hex() {
        let grid = grid(Lower::Even);
        for bad in ["", "407", "00407", "4C", "+407", "04 7", " 0407", "0407 ", "04é", "０４０７", "-101"] {
            assert!(matches!(grid.hex(bad), Err(GridFault::Shape(_))), "{bad:?}");
        }
        for bad in ["0000", "0100", "6101", "0141", "9999"] {
            assert!(matches!(grid.hex(bad), Err(GridFault::Outside(..))), "{bad:?}");
        }
        for (west, north, columns, rows) in [(1, 1, 0, 5), (1, 1, 5, -1), (1, 1, 100, 5), (-1, 0, 5, 5), (1, 99, 5, 2)]
        {
            assert!(Grid::new(west, north, columns, rows, Lower::Odd).is_err());
        }
    }
}
