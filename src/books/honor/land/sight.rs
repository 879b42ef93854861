//! 8.2: line of sight.

use super::rulings::{BentLine, FortSight};
use super::state::State;
use super::terrain::Terrain;
use crate::cite::Cite;
use crate::hex::{Edge, Hex, Piece, line};

/// What blocks sight between two hexes: the rule, and the hex or hexes in words.
#[must_use]
pub fn blocked(state: &State, from: Hex, to: Hex) -> Option<(Cite, String)> {
    let line = line(from, to);
    let (mut left, mut right) = (None, None);
    for piece in line.inner() {
        match piece {
            Piece::Through(hex) => {
                if let Some(cite) = blocks(state, *hex) {
                    return Some((cite, state.label(*hex)));
                }
            }
            Piece::Along(edge) => {
                let [a, b] = beside(*edge, from, to);
                let (here_left, here_right) = (blocks(state, a), blocks(state, b));
                if here_left.is_some() && here_right.is_some() {
                    return Some((Cite("FHG-8.2.p2"), format!("{} and {}", state.label(a), state.label(b))));
                }
                left = left.or(here_left.map(|_| a));
                right = right.or(here_right.map(|_| b));
            }
            // A hexside crossed belongs to the hexes it lies between; a corner touched never blocks (L46).
            Piece::Across(_) | Piece::Corner(_) => {}
        }
    }
    match (left, right, state.rulings.bent_line) {
        (Some(a), Some(b), BentLine::Together) => {
            Some((Cite("FHG-8.2.p2"), format!("{} and {}", state.label(a), state.label(b))))
        }
        _ => None,
    }
}

/// The rule by which a hex blocks sight through it: its terrain (a fort as ruling L02 is set), or a unit in it (L03).
fn blocks(state: &State, hex: Hex) -> Option<Cite> {
    let terrain = state.ground.terrain(hex);
    let open = terrain == Terrain::Fort && state.rulings.fort == FortSight::Open;
    terrain.blocks().filter(|_| !open).or_else(|| state.unit_blocks(hex).then_some(Cite("FHG-8.2")))
}

/// The two hexes beside a hexside, the one to the left of the line first.
fn beside(edge: Edge, from: Hex, to: Hex) -> [Hex; 2] {
    let [a, b] = edge.hexes();
    // The sign of the turn from the line to the hex; axial coordinates keep it.
    let turn = (to.q - from.q) * (a.r - from.r) - (to.r - from.r) * (a.q - from.q);
    if turn < 0 { [a, b] } else { [b, a] }
}
