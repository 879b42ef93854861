//! Pure hex geometry in integers: coordinates, directions, hexsides and corners, labels, exact lines, areas.
//!
//! Hexes are flat-topped. Direction 1 is north and the numbers run clockwise to 6 (ruling N43).

mod area;
mod coord;
mod dir;
mod edge;
mod grid;
mod label;
mod line;

pub use area::{flood, regions, ring, within};
pub use coord::Hex;
pub use dir::{Dir, Turn};
pub use edge::{Corner, Edge};
pub use grid::{Grid, GridFault, Lower};
pub use label::{Board, LabelFault};
pub use line::{Line, Piece, line};
