//! Labels of a sea board: column number, then row letter, "1A" at the top left (ruling N43).

use std::fmt;

use serde::Serialize;

use super::Hex;

/// A rectangular board of flat-topped hexes whose even columns sit half a hex lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Board {
    /// Columns, numbered from 1 westernmost.
    pub columns: i32,
    /// Rows, lettered from A northernmost; at most 26.
    pub rows: i32,
}

/// Why a text names no hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LabelFault {
    /// Not a number followed by one letter.
    Shape(String),
    /// A hex outside the board.
    Outside(String),
}

impl fmt::Display for LabelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelFault::Shape(s) => {
                write!(f, "`{s}` is no hex; a hex is a column number and a row letter, such as \"5C\"")
            }
            LabelFault::Outside(s) => write!(f, "hex {s} lies outside the board"),
        }
    }
}

impl Board {
    /// The hex of a label on this board.
    ///
    /// # Errors
    /// [`LabelFault`] if the text has another shape, leading zeros, or names a hex outside.
    pub fn hex(&self, label: &str) -> Result<Hex, LabelFault> {
        let shape = || LabelFault::Shape(label.to_owned());
        let letter = label.chars().last().filter(char::is_ascii_uppercase).ok_or_else(shape)?;
        let digits = &label[..label.len() - 1];
        if digits.is_empty()
            || digits.len() > 2
            || digits.starts_with('0')
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return Err(shape());
        }
        let column: i32 = digits.parse().map_err(|_| shape())?;
        let row = i32::from(letter as u8 - b'A') + 1;
        if column > self.columns || row > self.rows {
            return Err(LabelFault::Outside(label.to_owned()));
        }
        Ok(hex_at(column, row))
    }

    /// Whether the hex is on the board.
    #[must_use]
    pub fn contains(&self, hex: Hex) -> bool {
        let (column, row) = place(hex);
        (1..=self.columns).contains(&column) && (1..=self.rows).contains(&row)
    }

    /// The label of a hex. Hexes off the board (an unbounded sea may be sailed beyond its edge) carry their
    /// column and row as signed numbers: "(-2, 30)".
    #[must_use]
    pub fn label(&self, hex: Hex) -> String {
        let (column, row) = place(hex);
        match u8::try_from(row - 1) {
            Ok(r) if r < 26 && self.contains(hex) => format!("{column}{}", char::from(b'A' + r)),
            _ => format!("({column}, {row})"),
        }
    }

    /// Reads what [`Board::label`] writes, hexes off the board included.
    ///
    /// # Errors
    /// [`LabelFault`] for any other text.
    pub fn read(&self, label: &str) -> Result<Hex, LabelFault> {
        let outside = label.strip_prefix('(').and_then(|l| l.strip_suffix(')')).and_then(|l| l.split_once(", "));
        match outside.map(|(c, r)| (c.parse::<i16>(), r.parse::<i16>())) {
            Some((Ok(column), Ok(row))) => Ok(hex_at(i32::from(column), i32::from(row))),
            _ => self.hex(label),
        }
    }

    /// Column and row of a hex, from 1; outside the board also below 1 or above the size.
    #[must_use]
    pub fn place(&self, hex: Hex) -> (i32, i32) {
        place(hex)
    }

    /// The hex in a column and row, from 1; any integers, so that positions off the board can be read back.
    #[must_use]
    pub fn at(&self, column: i32, row: i32) -> Hex {
        hex_at(column, row)
    }
}

fn hex_at(column: i32, row: i32) -> Hex {
    Hex { q: column, r: row - (column + 1).div_euclid(2) }
}

fn place(hex: Hex) -> (i32, i32) {
    (hex.q, hex.r + (hex.q + 1).div_euclid(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::Dir;

    const SEA: Board = Board { columns: 40, rows: 26 };

    #[test]
    fn labels_round_trip_on_the_whole_board() {
        for column in 1..=40 {
            for row in 1..=26u8 {
                let label = format!("{column}{}", char::from(b'A' + row - 1));
                let hex = SEA.hex(&label).unwrap();
                assert_eq!(SEA.label(hex), label);
                assert!(SEA.contains(hex));
            }
        }
    }

    #[test]
    fn even_columns_sit_half_a_hex_lower() {
        let d = |n: u8| Dir::try_from(n).unwrap();
        let at = |s: &str| SEA.hex(s).unwrap();
        assert_eq!(at("5C").step(d(1)), at("5B"));
        assert_eq!(at("5C").step(d(2)), at("6B"));
        assert_eq!(at("5C").step(d(3)), at("6C"));
        assert_eq!(at("6C").step(d(2)), at("7C"));
        assert_eq!(at("6C").step(d(3)), at("7D"));
        assert_eq!(at("6C").step(d(5)), at("5D"));
    }

    #[test]
    fn other_texts_are_no_hex() {
        for bad in ["", "C", "5", "05C", "5c", "5CC", "0A", "100A", "5Ç", "-1A", " 5C", "5C "] {
            assert!(matches!(SEA.hex(bad), Err(LabelFault::Shape(_))), "{bad:?}");
        }
        assert!(matches!(SEA.hex("41A"), Err(LabelFault::Outside(_))));
        assert!(matches!(Board { columns: 9, rows: 5 }.hex("9F"), Err(LabelFault::Outside(_))));
    }

    #[test]
    fn hexes_off_the_board_are_still_written() {
        assert_eq!(SEA.label(SEA.at(-2, 30)), "(-2, 30)");
        assert_eq!(SEA.read("(-2, 30)"), Ok(SEA.at(-2, 30)));
        assert_eq!(SEA.read("5C"), SEA.hex("5C"));
        assert!(SEA.read("(1, )").is_err());
    }
}
