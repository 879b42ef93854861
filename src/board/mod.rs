//! Terrain maps: what lies in hexes, on hexsides and from hex to hex, for the books that are played on land.
//!
//! A map knows no rule. Each book has its own closed lists of terrain ([`Ground`]), so that its code is a `match` the
//! compiler checks, while the map, its file format and the drawing of it are shared. The format ([`Sheet`]) is text that
//! can be typed in Notepad; it is described in `scenarios/MAPS.md`. No file is read here: [`crate::doc`] turns a
//! file's bytes into a sheet, and the [`Fault`]s of a sheet into messages with line and column.

mod labels;
mod load;
mod map;
mod sheet;
mod terrain;

pub use load::Fault;
pub use map::{Border, Cell, Map, Mark, Source};
pub use sheet::{FeatureRow, Legend, MapFile, NamedHexes, Provenance, Sheet, SideRow, SourceRow, TileRow, WayRow};
pub use terrain::{Ground, Kind, NoKind};
