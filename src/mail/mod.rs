//! Real mail: letters out.

pub mod address;
mod clean;
pub mod compose;
pub mod outbox;
pub mod send;
pub mod settings;
