//! The exact line between the centres of two hexes, in integers.
//!
//! A corner or a hexside that the line merely grazes is told apart from a hex it goes through, since rules do so: a
//! line along a hexside is often blocked only if both hexes beside it block (FHG-8.2.p2), one through a corner never
//! (ruling L46).

use super::{Corner, Dir, Edge, Hex};

/// What a line meets, one thing after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// It passes through the inside of a hex.
    Through(Hex),
    /// It crosses a hexside, between the two hexes it passes through before and after.
    Across(Edge),
    /// It runs along a hexside from end to end; the two hexes beside it are not entered.
    Along(Edge),
    /// It passes through a corner.
    Corner(Corner),
}

/// The line between two hex centres: starts `Through` the first hex and ends `Through` the second; hexes and hexsides
/// followed alternate with hexsides crossed and corners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(Vec<Piece>);

/// The line from one hex's centre to another's. `line(b, a)` is the same backwards. Meant for hexes of a map:
/// time and length grow with the distance.
#[must_use]
pub fn line(from: Hex, to: Hex) -> Line {
    let aim = Aim { from, dq: i64::from(to.q) - i64::from(from.q), dr: i64::from(to.r) - i64::from(from.r) };
    let mut pieces = vec![Piece::Through(from)];
    let mut at = from;
    while at != to {
        let Some(next) = aim.leave(at, &mut pieces).filter(|next| next.distance(to) <= at.distance(to)) else { break };
        at = next;
    }
    Line(pieces)
}

impl Line {
    /// Everything it meets, both end hexes included.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Everything it meets between the two end hexes.
    #[must_use]
    pub fn inner(&self) -> &[Piece] {
        match self.0.len() {
            0..=2 => &[],
            n => &self.0[1..n - 1],
        }
    }

    /// The hexes it passes through, in its order, both ends included.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Through(hex) => Some(*hex),
            _ => None,
        })
    }

    /// The hexsides it crosses, in its order.
    pub fn crossed(&self) -> impl Iterator<Item = Edge> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Across(edge) => Some(*edge),
            _ => None,
        })
    }

    /// Every hex it passes through or touches with a side or a corner, each once, in the order in which it meets them.
    #[must_use]
    pub fn touched(&self) -> Vec<Hex> {
        let mut all: Vec<Hex> = Vec::new();
        for piece in &self.0 {
            let met: &[Hex] = match piece {
                Piece::Through(hex) => &[*hex],
                Piece::Across(edge) | Piece::Along(edge) => &edge.hexes(),
                Piece::Corner(corner) => &corner.hexes(),
            };
            all.extend(met.iter().filter(|hex| !all.contains(hex)).copied().collect::<Vec<_>>());
        }
        all
    }
}

/// A line and on which side of it things lie.
struct Aim {
    from: Hex,
    dq: i64,
    dr: i64,
}

impl Aim {
    /// The sign tells the side of the line on which a corner lies; 0 is on it.
    fn side(&self, corner: Corner) -> i64 {
        let (q, r) = corner.thirds();
        let (q, r) = (q - 3 * i64::from(self.from.q), r - 3 * i64::from(self.from.r));
        (self.dq * r - self.dr * q).signum()
    }

    /// Whether a corner or side of the first hex lies ahead of its centre. In axial coordinates the scalar product of two
    /// directions is q q' + r r' + (q r' + r q') / 2; here it is taken twice.
    fn ahead(&self, hex: Hex, piece: Piece) -> bool {
        let (q, r) = match piece {
            Piece::Corner(corner) => corner.thirds(),
            // The middle of a side is half of the way to the hex beyond.
            Piece::Across(edge) | Piece::Along(edge) => {
                edge.other(hex).map_or((0, 0), |h| (3 * i64::from(h.q), 3 * i64::from(h.r)))
            }
            Piece::Through(_) => return false,
        };
        let (q, r) = (q - 3 * i64::from(hex.q), r - 3 * i64::from(hex.r));
        2 * (self.dq * q + self.dr * r) + self.dq * r + self.dr * q > 0
    }

    /// Leaves a hex the line goes through; adds what is met up to and including the next such hex, and returns it.
    fn leave(&self, hex: Hex, pieces: &mut Vec<Piece>) -> Option<Hex> {
        // The line meets the border of a hex twice: where it came in, and where it leaves.
        let came_in = pieces.len().checked_sub(2).and_then(|n| pieces.get(n)).copied();
        let out = self.meets(hex).find(|met| match came_in {
            Some(_) => Some(*met) != came_in,
            None => self.ahead(hex, *met),
        })?;
        pieces.push(out);
        match out {
            Piece::Corner(corner) => self.beyond(hex, corner, pieces),
            Piece::Across(edge) => {
                let next = edge.other(hex)?;
                pieces.push(Piece::Through(next));
                Some(next)
            }
            Piece::Through(_) | Piece::Along(_) => None,
        }
    }

    /// Where the line meets the border of a hex that it goes through.
    fn meets(&self, hex: Hex) -> impl Iterator<Item = Piece> {
        let corners = Corner::all(hex).into_iter().filter(|corner| self.side(*corner) == 0).map(Piece::Corner);
        let edges = Dir::ALL.into_iter().map(move |dir| Edge::of(hex, dir)).filter(|edge| {
            let [a, b] = edge.corners();
            self.side(a) * self.side(b) < 0
        });
        corners.chain(edges.map(Piece::Across))
    }

    /// Goes on from a corner, reached out of a hex: into one of the other two, or along the side between them.
    fn beyond(&self, hex: Hex, corner: Corner, pieces: &mut Vec<Piece>) -> Option<Hex> {
        let others = corner.hexes().into_iter().filter(|h| *h != hex).collect::<Vec<_>>();
        let &[a, b] = others.as_slice() else { return None };
        let between = Edge::between(a, b)?;
        let far = between.corners().into_iter().find(|c| *c != corner)?;
        if self.side(far) == 0 {
            pieces.extend([Piece::Along(between), Piece::Corner(far)]);
            let next = far.hexes().into_iter().find(|h| *h != a && *h != b)?;
            pieces.push(Piece::Through(next));
            return Some(next);
        }
        let next = [a, b].into_iter().find(|h| {
            let sides = Corner::all(*h).map(|c| self.side(c));
            sides.contains(&1) && sides.contains(&-1)
        })?;
        pieces.push(Piece::Through(next));
        Some(next)
    }
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
