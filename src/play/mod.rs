//! The machine: runs a rulebook's phases until somebody has to decide. It knows no rulebook.
//!
//! A phase is a straight-line function in the order of the book. Where it needs a decision, a sealed choice, an
//! opening or a die it asks the [`Table`]; if the answer is not among the inputs, `?` ends the run with the need.
//! When the answer comes the phase is run again from its checkpoint with the longer list of inputs. Nothing
//! half-finished is ever stored. The machine is pure: no clock, file, socket, thread, float or random source.
//!
//! Reading order: [`System`] (what a rulebook supplies), [`Question`], [`Table`], [`fn@advance`], [`Inputs`].

mod advance;
mod game;
mod hidden;
mod inputs;
mod question;
mod random;
mod refusal;
mod system;
mod table;

pub use advance::{Checkpoint, Run, advance};
pub use game::{Cast, Chapter, Game, Played, Story, Want};
pub use hidden::{Deck, Own, PRIVATE, PrivateDie};
pub use inputs::{Dice, Inputs, LogSource, NoDice, Script};
pub use question::{Asked, Question, Sealed, from_content, to_content};
pub use random::RandomSource;
pub use refusal::{Judged, Refusal};
pub use system::{Halt, Need, Play, System, Ticket};
pub use table::{By, Record, Source, Table};
