//! The rulebooks, a closed list.

pub mod honor;
