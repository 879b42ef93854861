//! Hexsides and corners, each with one name whichever hex names it.

use serde::Serialize;

use super::{Dir, Hex};

/// A hexside. Two hexes share it; it is kept by the one from which it lies north, north-east or south-east, so that
/// two ways of naming it compare equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Edge {
    hex: Hex,
    dir: Dir,
}

impl Edge {
    /// The side of a hex in a direction.
    #[must_use]
    pub fn of(hex: Hex, dir: Dir) -> Edge {
        if dir.number() <= 3 { Edge { hex, dir } } else { Edge { hex: hex.step(dir), dir: dir.opposite() } }
    }

    /// The side two adjacent hexes share; `None` if they are not adjacent.
    #[must_use]
    pub fn between(a: Hex, b: Hex) -> Option<Edge> {
        (a.distance(b) == 1).then(|| a.row_to(b).map(|dir| Edge::of(a, dir))).flatten()
    }

    /// The two hexes beside it, the western (or, one above the other, the southern) first.
    #[must_use]
    pub fn hexes(self) -> [Hex; 2] {
        [self.hex, self.hex.step(self.dir)]
    }

    /// The hex on the other side; `None` if the given one is not beside it.
    #[must_use]
    pub fn other(self, hex: Hex) -> Option<Hex> {
        match self.hexes() {
            [a, b] if a == hex => Some(b),
            [a, b] if b == hex => Some(a),
            _ => None,
        }
    }

    /// The direction in which it lies from a hex beside it; `None` from any other.
    #[must_use]
    pub fn dir_from(self, hex: Hex) -> Option<Dir> {
        match self.hexes() {
            [a, _] if a == hex => Some(self.dir),
            [_, b] if b == hex => Some(self.dir.opposite()),
            _ => None,
        }
    }

    /// Its two ends: the anticlockwise one first, as seen from the first of [`Edge::hexes`].
    #[must_use]
    pub fn corners(self) -> [Corner; 2] {
        [Corner::of(self.hex, self.dir.rotated(5)), Corner::of(self.hex, self.dir)]
    }
}

/// A corner where three hexes meet, named by them in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Corner([Hex; 3]);

impl Corner {
    /// The corner of a hex at the clockwise end of its side in a direction: 1 is the corner between north and
    /// north-east, 2 the eastern one, and so on to 6 between north-west and north.
    #[must_use]
    pub fn of(hex: Hex, dir: Dir) -> Corner {
        let mut hexes = [hex, hex.step(dir), hex.step(dir.rotated(1))];
        hexes.sort_unstable();
        Corner(hexes)
    }

    /// The six corners of a hex, clockwise from the one between north and north-east.
    #[must_use]
    pub fn all(hex: Hex) -> [Corner; 6] {
        Dir::ALL.map(|dir| Corner::of(hex, dir))
    }

    /// The three hexes that meet here, in their order.
    #[must_use]
    pub fn hexes(self) -> [Hex; 3] {
        self.0
    }

    /// The three hexsides that meet here.
    #[must_use]
    pub fn edges(self) -> [Edge; 3] {
        let [a, b, c] = self.0;
        [side(a, b), side(b, c), side(a, c)]
    }

    /// Its place in thirds of a hex: `q` and `r` of the three hexes added up. A hex lies at three times its own.
    #[must_use]
    pub fn thirds(self) -> (i64, i64) {
        self.0.iter().fold((0, 0), |(q, r), hex| (q + i64::from(hex.q), r + i64::from(hex.r)))
    }
}

/// The side of two hexes that meet at a corner, which are adjacent.
fn side(a: Hex, b: Hex) -> Edge {
    Edge::between(a, b).unwrap_or(Edge { hex: a, dir: Dir::ALL[0] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const AT: Hex = Hex { q: 4, r: -7 };

    #[test]
    fn a_hexside_is_the_same_from_both_hexes() {
        for dir in Dir::ALL {
            let (edge, there) = (Edge::of(AT, dir), AT.step(dir));
            assert_eq!(edge, Edge::of(there, dir.opposite()));
            assert_eq!(Edge::between(there, AT), Some(edge));
            assert_eq!(edge.other(AT), Some(there));
            assert_eq!(edge.other(there), Some(AT));
            assert_eq!((edge.dir_from(AT), edge.dir_from(there)), (Some(dir), Some(dir.opposite())));
            assert_eq!(edge.other(AT.steps(dir, 2)), None);
        }
        assert_eq!(Edge::between(AT, AT), None);
        assert_eq!(Edge::between(AT, AT.steps(Dir::ALL[1], 2)), None);
    }

    #[test]
    fn six_sides_and_six_corners_close_the_ring() {
        let sides: BTreeSet<Edge> = Dir::ALL.map(|d| Edge::of(AT, d)).into();
        let corners: BTreeSet<Corner> = Corner::all(AT).into();
        assert_eq!((sides.len(), corners.len()), (6, 6));
        for edge in &sides {
            let [a, b] = edge.corners();
            assert!(a != b && corners.contains(&a) && corners.contains(&b));
            let beside = edge.hexes();
            for corner in [a, b] {
                assert!(corner.edges().contains(edge));
                assert!(beside.iter().all(|hex| corner.hexes().contains(hex)));
            }
        }
        for corner in corners {
            let [a, b, c] = corner.hexes();
            assert!(a.distance(b) == 1 && b.distance(c) == 1 && a.distance(c) == 1);
            // The same corner from each of its three hexes.
            for hex in [a, b, c] {
                assert_eq!(Corner::all(hex).iter().filter(|other| **other == corner).count(), 1);
            }
        }
    }
}
