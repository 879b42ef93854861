//! countersign: play hex-and-counter wargames by e-mail against someone you do not have to trust.
//!
//! Players send signed YAML orders; the adjudicator checks them against the rulebook, resolves them with dice that
//! neither side can choose or foresee, and writes the next position and a report. Anyone can verify the whole log
//! offline and audit any die or hidden plot.
//!
//! # Layers, in reading order
//! Each uses only those before it (`tests/architecture.rs` holds this):
//! [`side`], [`hex`] - geometry in integers; [`board`] - maps; [`cite`] - rules and rulings by name; [`kit`] - searches and
//! tables that several books need; [`play`] - the machine that runs a rulebook until somebody has to decide; [`books`] - the
//! rulebooks. These seven are pure: no clock, file, socket, float, hash-map order or random source, so the same inputs
//! always make the same game. Above them stands [`bot`], as pure: an opponent that sees what its side may see.
//!
//! [`seal`] is the cryptography, [`doc`] what travels as text, [`catalog`] the scenarios, [`data`] what owners of a printed
//! game type in, [`log`] the trust protocol (the
//! life of a step, the history of a game, its verification), [`report`] and [`draft`] what people read and write, and
//! with the feature `cli` the game folder (`store`) and the commands (`cli`), with the feature `mail` real mail (`mail`), with
//! the feature `host` the index over a host's games (`index`).
//!
//! The protocol is specified byte by byte in `schemas/protocol.md`.

pub mod board;
pub mod books;
pub mod bot;
pub mod catalog;
pub mod cite;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod clock;
pub mod data;
#[cfg(feature = "mail")]
mod disk;
pub mod doc;
pub mod draft;
pub mod error;
pub mod hex;
#[cfg(feature = "host")]
pub mod index;
pub mod kit;
pub mod log;
#[cfg(feature = "mail")]
pub mod mail;
pub mod play;
pub mod report;
pub mod seal;
pub mod side;
#[cfg(feature = "cli")]
pub mod store;

pub use error::{Error, Place, Result};
pub use side::{Seat, Side, Sides};
