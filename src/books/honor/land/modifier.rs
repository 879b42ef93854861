//! One change to a die or to a value, with the rule behind it.

use serde::Serialize;

use crate::cite::Cite;

/// A change by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Modifier {
    /// By how much.
    pub by: i8,
    /// The rule.
    pub cite: Cite,
}

impl Modifier {
    /// A change by a rule.
    #[must_use]
    pub fn new(by: i8, cite: &'static str) -> Modifier {
        Modifier { by, cite: Cite(cite) }
    }
}

/// The sum of changes.
#[must_use]
pub fn total(modifiers: &[Modifier]) -> i8 {
    modifiers.iter().fold(0, |sum, m| sum.saturating_add(m.by))
}
