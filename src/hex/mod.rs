//! Pure hex geometry in integers: coordinates, directions, labels.
//!
//! Hexes are flat-topped. Direction 1 is north and the numbers run clockwise to 6 (ruling N43).

mod coord;
mod dir;
mod label;

pub use coord::Hex;
pub use dir::{Dir, Turn};
pub use label::{Board, LabelFault};
