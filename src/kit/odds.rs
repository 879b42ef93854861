//! Odds and percentages, rounded the way a book says, without fractions.

use std::fmt;

use serde::Serialize;

/// A printed odds column, such as 3-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Odds {
    /// The attacker's part.
    pub attacker: u32,
    /// The defender's part.
    pub defender: u32,
}

/// In whose favour odds between two columns are rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Favour {
    /// Down, to the lower column.
    Defender,
    /// Up, to the higher column.
    Attacker,
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.attacker, self.defender)
    }
}

impl Odds {
    /// A column.
    #[must_use]
    pub const fn new(attacker: u32, defender: u32) -> Odds {
        Odds { attacker, defender }
    }

    /// Whether these odds are at least as good for the attacker as others. Against nothing they are beyond every
    /// column; nothing against nothing is not.
    #[must_use]
    pub fn at_least(self, other: Odds) -> bool {
        let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
        product(self.attacker, other.defender) >= product(other.attacker, self.defender)
            && (self.attacker > 0 || other.attacker == 0)
    }

    /// The column for strengths of these odds, from 0; `columns` stand from the worst to the best for the attacker.
    /// Odds beyond the last column count as the last, odds below the first as the first. `None` if there is no column.
    #[must_use]
    pub fn column(self, columns: &[Odds], favour: Favour) -> Option<usize> {
        let last = columns.len().checked_sub(1)?;
        let found = match favour {
            Favour::Defender => columns.iter().rposition(|column| self.at_least(*column)).unwrap_or(0),
            Favour::Attacker => columns.iter().position(|column| column.at_least(self)).unwrap_or(last),
        };
        Some(found)
    }
}

/// How many hundredths of the second number the first is, rounded down; `None` of nothing.
#[must_use]
pub fn percent(part: u32, whole: u32) -> Option<u64> {
    (u64::from(part) * 100).checked_div(u64::from(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Odds; 5] = [Odds::new(1, 2), Odds::new(1, 1), Odds::new(3, 2), Odds::new(2, 1), Odds::new(3, 1)];

    #[test]
    fn odds_between_two_columns_go_to_the_one_favoured() {
        let both = |a: u32, d: u32| {
            let odds = Odds::new(a, d);
            (odds.column(&COLUMNS, Favour::Defender), odds.column(&COLUMNS, Favour::Attacker))
        };
        // Exactly a column, whichever way: 6 to 4 is 3-2.
        assert_eq!(both(6, 4), (Some(2), Some(2)));
        assert_eq!(both(7, 4), (Some(2), Some(3)));
        assert_eq!(both(299, 100), (Some(3), Some(4)));
        assert_eq!(both(1, 9), (Some(0), Some(0)));
        assert_eq!(both(99, 1), (Some(4), Some(4)));
        assert_eq!(both(5, 0), (Some(4), Some(4)));
        assert_eq!(both(0, 0), (Some(0), Some(0)));
        assert_eq!(both(0, 5), (Some(0), Some(0)));
        assert_eq!(both(u32::MAX, u32::MAX), (Some(1), Some(1)));
        assert_eq!(Odds::new(1, 1).column(&[], Favour::Defender), None);
    }

    #[test]
    fn percentages_are_rounded_down() {
        assert_eq!(percent(2, 3), Some(66));
        assert_eq!(percent(3, 3), Some(100));
        assert_eq!(percent(u32::MAX, 1), Some(429_496_729_500));
        assert_eq!(percent(1, 0), None);
    }
}
