//! Refusals: an order that was understood and is against the rules.

use std::fmt;

use serde::Serialize;

use crate::cite::Cite;

/// What the rules forbid, addressed to the place in the answer it stands in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Path inside the answer: `plot[2]`, `marker[1].fire.starboard`; empty for the whole.
    pub path: String,
    /// What is wrong, in the rulebook's words for things.
    pub why: String,
    /// The rule.
    pub cite: Cite,
    /// What would be legal instead, or empty.
    pub instead: String,
}

/// A verdict: the value, or every reason against it.
pub type Judged<T> = Result<T, Vec<Refusal>>;

impl Refusal {
    /// A refusal of one place.
    pub fn new(path: impl Into<String>, cite: Cite, why: impl Into<String>) -> Refusal {
        Refusal { path: path.into(), why: why.into(), cite, instead: String::new() }
    }

    /// Adds what would be legal.
    #[must_use]
    pub fn instead(mut self, instead: impl Into<String>) -> Refusal {
        self.instead = instead.into();
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{} [{}]", self.why, self.cite)?;
        if !self.instead.is_empty() {
            write!(f, " {}", self.instead)?;
        }
        Ok(())
    }
}
