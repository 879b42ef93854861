//! The log: the life of a step, the history of a game, and its verification.

pub mod step;
