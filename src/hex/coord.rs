//! Axial coordinates of flat-topped hexes.

use serde::Serialize;

use super::Dir;

/// A hex: `q` counts columns eastwards, `r` runs south along a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Hex {
    /// Column.
    pub q: i32,
    /// Axial row.
    pub r: i32,
}

impl Hex {
    /// The next hex in a direction.
    #[must_use]
    pub fn step(self, dir: Dir) -> Hex {
        self.steps(dir, 1)
    }

    /// The hex `n` steps away in a direction; `n` may be negative.
    #[must_use]
    pub fn steps(self, dir: Dir, n: i32) -> Hex {
        let (dq, dr) = match dir.number() {
            1 => (0, -1),
            2 => (1, -1),
            3 => (1, 0),
            4 => (0, 1),
            5 => (-1, 1),
            _ => (-1, 0),
        };
        Hex { q: self.q + n * dq, r: self.r + n * dr }
    }

    /// Distance in hexes.
    #[must_use]
    pub fn distance(self, other: Hex) -> u32 {
        let (dq, dr) = (self.q - other.q, self.r - other.r);
        dq.abs().max(dr.abs()).max((dq + dr).abs()).unsigned_abs()
    }

    /// The direction in which `other` lies exactly along a hex row, or `None` off the six rows or for the same hex.
    #[must_use]
    pub fn row_to(self, other: Hex) -> Option<Dir> {
        let n = i32::try_from(self.distance(other)).ok().filter(|n| *n > 0)?;
        Dir::ALL.into_iter().find(|dir| self.steps(*dir, n) == other)
    }

    /// The hexes at distance one shared by both: for two hexes at a bent distance of 2 the pair their straight line
    /// runs between, for two in a row the one in the middle.
    #[must_use]
    pub fn between(self, other: Hex) -> Vec<Hex> {
        Dir::ALL.into_iter().map(|d| self.step(d)).filter(|h| h.distance(other) == 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, VecDeque};

    #[test]
    fn distance_agrees_with_breadth_first_search() {
        let start = Hex { q: 3, r: -2 };
        let mut seen = BTreeMap::from([(start, 0u32)]);
        let mut queue = VecDeque::from([start]);
        while let Some(hex) = queue.pop_front() {
            let d = seen[&hex];
            for next in Dir::ALL.map(|dir| hex.step(dir)) {
                if d < 7 && !seen.contains_key(&next) {
                    seen.insert(next, d + 1);
                    queue.push_back(next);
                }
            }
        }
        assert_eq!(seen.len(), 1 + 3 * 7 * 8);
        for (hex, d) in seen {
            assert_eq!(start.distance(hex), d, "{hex:?}");
        }
    }

    #[test]
    fn two_hexes_apart_a_line_is_straight_or_bent() {
        let at = Hex { q: 0, r: 0 };
        let straight = at.steps(Dir::ALL[0], 2);
        assert_eq!(at.between(straight), vec![at.step(Dir::ALL[0])]);
        let bent = at.step(Dir::ALL[0]).step(Dir::ALL[1]);
        assert_eq!(at.between(bent).len(), 2);
        assert_eq!(at.row_to(bent), None);
        assert_eq!(at.row_to(straight), Some(Dir::ALL[0]));
    }
}
