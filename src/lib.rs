//! countersign: play hex-and-counter wargames by e-mail against someone you do not have to trust.

pub mod books;
pub mod catalog;
pub mod cite;
#[cfg(feature = "cli")]
pub mod cli;
pub mod doc;
pub mod draft;
pub mod error;
pub mod hex;
pub mod log;
pub mod play;
pub mod report;
pub mod seal;
pub mod side;
#[cfg(feature = "cli")]
pub mod store;

pub use error::{Error, Place, Result};
pub use side::{Seat, Side, Sides};
