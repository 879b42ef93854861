//! Tools that several rulebooks need and none owns: marches, retreats, modifiers, tables, odds, throws, tracks.
//!
//! They do arithmetic and searching, never judgement: what a step costs, which hex is barred and why, what a modifier is
//! worth is told to them by the book, as values or closures (design, 5).

mod fallback;
mod march;
mod odds;
mod table;
mod tally;
mod throws;
mod track;
mod walk;

pub use fallback::{Retreats, Way, retreats};
pub use march::{End, March, Reach, Step, march};
pub use odds::{Favour, Odds, percent};
pub use table::{Chart, Looked, Span};
pub use tally::{Modifier, Tally};
pub use throws::throws;
pub use track::Track;
pub use walk::{Halted, Walked, walk};
