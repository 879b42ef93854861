//! The lines against a second construction, made differently: of every hex near by, the part of the line that lies in
//! it, as two fractions of the whole line.
//!
//! In cube coordinates x, y, z a point belongs to a hex if x-y, y-z and z-x each differ from those of its centre by at
//! most 1; so a hex is three pairs of parallel bounds, and the part of the line between each pair is a fraction.

use std::cmp::Ordering;

use super::*;
use crate::hex::{Grid, Lower, within};

/// A fraction; the denominator is above 0.
#[derive(Debug, Clone, Copy)]
struct Part(i64, i64);

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Part) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Part {
    fn cmp(&self, other: &Part) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

/// x-y, y-z and z-x of the way from one hex to another.
fn bounds(from: Hex, to: Hex) -> [i64; 3] {
    let (x, z) = (i64::from(to.q - from.q), i64::from(to.r - from.r));
    let y = -x - z;
    [x - y, y - z, z - x]
}

/// Where the line enters and leaves a closed hex, and whether it is inside between; `None` if it does not touch it.
fn stay(from: Hex, to: Hex, hex: Hex) -> Option<(Part, Part, bool)> {
    let (mut enter, mut leave, mut inside) = (Part(0, 1), Part(1, 1), true);
    for (d, c) in bounds(from, to).into_iter().zip(bounds(from, hex)) {
        match d.cmp(&0) {
            Ordering::Equal if c.abs() > 1 => return None,
            Ordering::Equal => inside &= c.abs() < 1,
            Ordering::Greater => {
                enter = enter.max(Part(c - 1, d));
                leave = leave.min(Part(c + 1, d));
            }
            Ordering::Less => {
                enter = enter.max(Part(-c - 1, -d));
                leave = leave.min(Part(1 - c, -d));
            }
        }
    }
    (enter <= leave).then_some((enter, leave, inside && enter < leave))
}

/// The pieces of a line by this construction.
fn constructed(from: Hex, to: Hex) -> Vec<Piece> {
    if from == to {
        return vec![Piece::Through(from)];
    }
    let near: Vec<(Hex, Part, Part, bool)> = within(from, from.distance(to) + 1)
        .into_iter()
        .filter_map(|hex| stay(from, to, hex).map(|(enter, leave, inside)| (hex, enter, leave, inside)))
        .collect();
    // Stretches with a length: hexes, and hexsides as pairs of hexes that are touched over the same part.
    let mut stretches: Vec<(Part, Part, Piece)> = Vec::new();
    for (hex, enter, leave, inside) in &near {
        if *inside {
            stretches.push((*enter, *leave, Piece::Through(*hex)));
        } else if enter < leave {
            for (other, from, to, _) in &near {
                if other > hex && (from, to) == (enter, leave) && from < to {
                    stretches.push((*enter, *leave, Piece::Along(Edge::between(*hex, *other).unwrap())));
                }
            }
        }
    }
    stretches.sort_by_key(|stretch| stretch.0);
    let mut pieces = Vec::new();
    for (n, (enter, _, piece)) in stretches.iter().enumerate() {
        if n > 0 {
            let met: Vec<Hex> =
                near.iter().filter(|(_, a, b, _)| a <= enter && enter <= b).map(|(hex, ..)| *hex).collect();
            pieces.push(match met[..] {
                [a, b] => Piece::Across(Edge::between(a, b).unwrap()),
                [a, b, c] => Piece::Corner(
                    Corner::all(a).into_iter().find(|k| k.hexes().contains(&b) && k.hexes().contains(&c)).unwrap(),
                ),
                _ => panic!("{} hexes meet at a point", met.len()),
            });
        }
        pieces.push(*piece);
    }
    pieces
}

#[test]
fn every_line_within_six_hexes_is_the_constructed_one_on_maps_of_either_parity() {
    let mut seen = (0, 0, 0);
    for lower in [Lower::Even, Lower::Odd] {
        let grid = Grid::new(1, 1, 30, 30, lower).unwrap();
        for start in ["1515", "1616"] {
            let from = grid.hex(start).unwrap();
            for to in within(from, 6) {
                let line = line(from, to);
                assert_eq!(line.pieces(), constructed(from, to), "{start} to {}", grid.label(to));
                for piece in line.pieces() {
                    match piece {
                        Piece::Across(_) => seen.0 += 1,
                        Piece::Along(_) => seen.1 += 1,
                        Piece::Corner(_) => seen.2 += 1,
                        Piece::Through(_) => {}
                    }
                }
            }
        }
    }
    assert!(seen.0 > 1000 && seen.1 > 40 && seen.2 > 100, "{seen:?}");
}

#[test]
fn long_lines_are_the_constructed_ones_too() {
    let from = Hex { q: -4, r: 9 };
    for (dq, dr) in [(40, -7), (-13, 29), (17, 17), (-20, -20), (34, -17), (-36, 12), (4, 1), (25, -50), (0, 30)] {
        let to = Hex { q: from.q + dq, r: from.r + dr };
        assert_eq!(line(from, to).pieces(), constructed(from, to), "{dq}, {dr}");
    }
}

#[test]
fn a_line_is_the_same_backwards_and_steps_from_hex_to_hex() {
    let from = Hex { q: 3, r: 3 };
    for to in within(from, 9) {
        let there = line(from, to);
        let mut back = line(to, from).pieces().to_vec();
        back.reverse();
        assert_eq!(there.pieces(), back, "{to:?}");
        assert_eq!(there.hexes().next(), Some(from));
        assert_eq!(there.hexes().last(), Some(to));
        let touched = there.touched();
        assert!(touched.windows(2).all(|pair| pair[0].distance(pair[1]) <= 2));
        assert!(there.hexes().all(|hex| touched.contains(&hex)));
        // No hex is on the line that is farther from either end than the ends are from each other.
        let far = from.distance(to);
        assert!(touched.iter().all(|hex| hex.distance(from) <= far.max(1) && hex.distance(to) <= far.max(1)));
    }
}

/// FHG-8.2.p2 and rulings L45, L46: where lines run along hexsides and where they only touch a corner.
#[test]
fn the_lines_the_land_rules_speak_of() {
    let from = Hex { q: 0, r: 0 };
    let kinds = |q: i32, r: i32| -> String {
        let line = line(from, Hex { q, r });
        line.pieces()
            .iter()
            .map(|piece| match piece {
                Piece::Through(_) => 'T',
                Piece::Across(_) => 'x',
                Piece::Along(_) => 'L',
                Piece::Corner(_) => 'c',
            })
            .collect()
    };
    assert_eq!(kinds(0, 0), "T");
    assert_eq!(kinds(0, -1), "TxT");
    assert_eq!(kinds(0, -3), "TxTxTxT");
    // The bent position at distance 2, and twice that: two hexsides with a whole hex between.
    assert_eq!(kinds(1, 1), "TcLcT");
    assert_eq!(kinds(2, 2), "TcLcTcLcT");
    assert_eq!(line(from, Hex { q: 1, r: 1 }).inner().len(), 3);
    assert_eq!(line(from, Hex { q: 0, r: -1 }).inner().len(), 1);
    assert!(line(from, from).inner().is_empty());
    // Distance 5, offset 4 and 1: two corners are touched, and no line at distance 3 touches one.
    assert_eq!(kinds(4, 1), "TxTcTxTcTxT");
    for to in crate::hex::ring(from, 3) {
        assert!(line(from, to).pieces().iter().all(|p| matches!(p, Piece::Through(_) | Piece::Across(_))), "{to:?}");
    }
}

/// Ranges and crossed hexes that the Monmouth rules (10.1.N) name.
#[test]
fn printed_lines_of_monmouth() {
    let grid = Grid::new(1, 1, 60, 30, Lower::Even).unwrap();
    let at = |label: &str| grid.hex(label).unwrap();
    let passed = |a: &str, b: &str| line(at(a), at(b)).hexes().map(|hex| grid.label(hex)).collect::<Vec<_>>();
    assert_eq!(at("2124").distance(at("1720")), 6);
    assert!(passed("2124", "1720").contains(&"1922".to_owned()));
    assert!(passed("2124", "1720").contains(&"1821".to_owned()));
    assert_eq!(passed("4418", "4720"), ["4418", "4519", "4619", "4720"]);
}
