//! A sum of modifiers in which every line says its reason.

use std::fmt;

use serde::Serialize;

use crate::cite::Cite;

/// One line of a tally.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Modifier {
    /// What it is for, in a few words.
    pub what: String,
    /// What it adds.
    pub value: i32,
    /// The rule it comes from.
    pub cite: Cite,
}

/// Modifiers in the order in which the rules apply them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    lines: Vec<Modifier>,
}

impl Tally {
    /// No modifier yet.
    #[must_use]
    pub fn new() -> Tally {
        Tally::default()
    }

    /// Adds a line; one of 0 is kept out, since it modifies nothing.
    pub fn add(&mut self, what: impl Into<String>, value: i32, cite: Cite) {
        if value != 0 {
            self.lines.push(Modifier { what: what.into(), value, cite });
        }
    }

    /// Adds a line if something holds.
    pub fn add_if(&mut self, holds: bool, what: &str, value: i32, cite: Cite) {
        if holds {
            self.add(what, value, cite);
        }
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[Modifier] {
        &self.lines
    }

    /// Their sum.
    #[must_use]
    pub fn total(&self) -> i32 {
        self.lines.iter().fold(0, |sum, line| sum.saturating_add(line.value))
    }
}

impl fmt::Display for Tally {
    /// "+1 leader (FHG-9.2), -1 waterway (FHG-2.3.3.d)"; "no modifier" if there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lines.is_empty() {
            return f.write_str("no modifier");
        }
        for (n, line) in self.lines.iter().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            write!(f, "{comma}{:+} {} ({})", line.value, line.what, line.cite)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_adds_up_and_gives_every_reason() {
        let mut tally = Tally::new();
        assert_eq!((tally.total(), tally.to_string()), (0, "no modifier".to_owned()));
        tally.add("leader", 1, Cite("FHG-9.2"));
        tally.add("clear ground", 0, Cite("FHG-2.3.1.d"));
        tally.add_if(false, "hill", 1, Cite("FHG-2.3.6.d"));
        tally.add_if(true, "waterway", -3, Cite("FHG-2.3.3.d"));
        assert_eq!(tally.total(), -2);
        assert_eq!(tally.to_string(), "+1 leader (FHG-9.2), -3 waterway (FHG-2.3.3.d)");
        tally.add("absurd", i32::MIN, Cite("X"));
        assert_eq!(tally.total(), i32::MIN);
    }
}
