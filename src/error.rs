//! The one public error: something could not be read, found or done.
//!
//! Three things are told apart in this crate. An [`Error`] is malformed or missing input. A
//! [refusal](crate::play::Refusal) is an order that is understood and against the rules. A fault of
//! [`crate::log`] is a log that does not verify.

use std::fmt;
use std::path::Path;

/// Where in a text something is wrong; lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The file as the player knows it, or empty for text that has no file.
    pub file: String,
    /// Line, from 1; 0 if the fault concerns the whole file.
    pub line: usize,
    /// Column in characters, from 1; 0 if the fault concerns the whole line.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.file.is_empty() { "the text" } else { &self.file };
        match (self.line, self.column) {
            (0, _) => write!(f, "{file}"),
            (l, 0) => write!(f, "{file}, line {l}"),
            (l, c) => write!(f, "{file}, line {l}, column {c}"),
        }
    }
}

/// Input that cannot be used, said for people: what is wrong, where, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What is wrong, one sentence without a final full stop.
    pub what: String,
    /// Where it is wrong, if it has a place.
    pub at: Option<Place>,
    /// The offending lines with a caret below, ready to print, or empty.
    pub excerpt: String,
    /// What to do next, or empty.
    pub next: String,
    /// Exit code: 1 refused or fault found, 2 misuse (`countersign help exit-codes`).
    pub code: u8,
}

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Something a file or packet says is unusable: exit code 1.
    pub fn new(what: impl Into<String>) -> Error {
        Error { what: what.into(), at: None, excerpt: String::new(), next: String::new(), code: 1 }
    }

    /// The command was used wrongly: exit code 2.
    pub fn misuse(what: impl Into<String>) -> Error {
        Error { code: 2, ..Error::new(what) }
    }

    /// A file could not be read or written.
    pub fn io(doing: &str, path: &Path, error: &std::io::Error) -> Error {
        Error::new(format!("cannot {doing} `{}`: {error}", path.display()))
    }

    /// Adds what to do next.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Error {
        self.next = next.into();
        self
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Error {
        self.at = Some(place);
        self
    }

    /// Names the file, if the place does not name one yet.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Error {
        let place = self.at.get_or_insert_with(Place::default);
        if place.file.is_empty() {
            place.file = file.into();
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.at {
            write!(f, "{}: ", plain(&place.to_string()))?;
        }
        write!(f, "{}", plain(&self.what))?;
        if !self.excerpt.is_empty() {
            write!(f, "\n{}", self.excerpt.trim_end())?;
        }
        if !self.next.is_empty() {
            write!(f, "\n  -> {}", plain(&self.next))?;
        }
        Ok(())
    }
}

/// Words of other people made fit for a screen: one mark stands for each character that would act on it or turn the
/// direction of writing. Line ends and tabs stay.
#[must_use]
pub fn plain(text: &str) -> String {
    let acts = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if acts(c) { '\u{fffd}' } else { c }).collect()
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a hostile player writes - an escape sequence, a bell, letters turned round - does nothing to a screen.
    #[test]
    fn no_words_of_others_act_on_a_screen() {
        let bad = "a\u{1b}[2J\u{7}b\u{9b}31m\u{202e}c\u{2066}\r\0";
        for shown in [plain(bad), Error::new(bad).next(bad).in_file(bad).to_string()] {
            let acts = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{2066}');
            assert!(!shown.contains(acts) && shown.contains("[2J"), "{shown:?}");
        }
        assert_eq!(plain("Zoë\tand\nАнна"), "Zoë\tand\nАнна");
    }
}
