//! Citations: which rule or ruling stands behind an event, a refusal, a modifier or a die.

use std::fmt;

use serde::Serialize;

/// The identity of a rule (`NAV-6.4`) or of a numbered ruling (`N04`), as the book's table of contents lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Cite(pub &'static str);

impl fmt::Display for Cite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
