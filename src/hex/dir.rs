//! The six hexsides, numbered 1 to 6 clockwise from north.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A hexside direction, 1 (north) to 6 (north-west), clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u8", into = "u8")]
#[schemars(with = "u8")]
pub struct Dir(u8);

/// Which way something swings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Clockwise: the number goes up, 6 to 1.
    Right,
    /// Anticlockwise: the number goes down, 1 to 6.
    Left,
}

impl Dir {
    /// All six, 1 to 6.
    pub const ALL: [Dir; 6] = [Dir(1), Dir(2), Dir(3), Dir(4), Dir(5), Dir(6)];

    /// The printed number, 1 to 6.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }

    /// The direction one hexside round.
    #[must_use]
    pub fn turned(self, turn: Turn) -> Dir {
        match turn {
            Turn::Right => self.rotated(1),
            Turn::Left => self.rotated(5),
        }
    }

    /// The direction `steps` hexsides clockwise.
    #[must_use]
    pub fn rotated(self, steps: u8) -> Dir {
        Dir((self.0 - 1 + steps % 6) % 6 + 1)
    }

    /// How many hexsides clockwise `other` is from `self`: 0 to 5.
    #[must_use]
    pub fn clockwise_to(self, other: Dir) -> u8 {
        (other.0 + 6 - self.0) % 6
    }

    /// The opposite hexside.
    #[must_use]
    pub fn opposite(self) -> Dir {
        self.rotated(3)
    }

    /// North, north-east and so on.
    #[must_use]
    pub fn compass(self) -> &'static str {
        match self.0 {
            1 => "north",
            2 => "north-east",
            3 => "south-east",
            4 => "south",
            5 => "south-west",
            _ => "north-west",
        }
    }
}

impl TryFrom<u8> for Dir {
    type Error = String;
    fn try_from(n: u8) -> Result<Dir, String> {
        if (1..=6).contains(&n) { Ok(Dir(n)) } else { Err(format!("{n} is no direction; the six are 1 to 6")) }
    }
}

impl From<Dir> for u8 {
    fn from(dir: Dir) -> u8 {
        dir.0
    }
}

impl fmt::Display for Dir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_turns_come_home_and_wrap_at_six_and_one() {
        for dir in Dir::ALL {
            let round = (0..6).fold(dir, |d, _| d.turned(Turn::Right));
            assert_eq!(round, dir);
            assert_eq!(dir.turned(Turn::Right).turned(Turn::Left), dir);
            assert_eq!(dir.opposite().opposite(), dir);
        }
        assert_eq!(Dir(6).turned(Turn::Right), Dir(1));
        assert_eq!(Dir(1).turned(Turn::Left), Dir(6));
        assert_eq!(Dir(2).clockwise_to(Dir(1)), 5);
    }

    #[test]
    fn only_one_to_six_are_directions() {
        assert!(Dir::try_from(0).is_err());
        assert!(Dir::try_from(7).is_err());
    }
}
