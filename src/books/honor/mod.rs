//! For Honor and Glory: War of 1812 land and naval battles.

pub mod land;
pub mod naval;
mod ruling;

pub use ruling::{InUse, Switch};
