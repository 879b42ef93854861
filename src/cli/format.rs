//! `--format json`: one object on stdout instead of words, for programs.
//!
//! Keys are snake case and stay as they are; digests are 64 hexadecimal characters; what does not apply is null. Exit
//! codes are those of the words.

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::cite;
use crate::error::Error;

/// How a command answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// Words for people.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// Prints the one object of a command.
pub(super) fn print(value: &Value) {
    println!("{value}");
}

/// An error as an object: what, file, line, column, rule, next.
pub(super) fn object(error: &Error) -> Value {
    let (what, rule) = split_rule(&error.what);
    let at = error.at.as_ref();
    let count = |n: usize| (n > 0).then_some(n);
    json!({
        "what": what,
        "file": at.map(|p| &p.file).filter(|f| !f.is_empty()),
        "line": at.and_then(|p| count(p.line)),
        "column": at.and_then(|p| count(p.column)),
        "rule": rule,
        "next": Some(&error.next).filter(|n| !n.is_empty()),
    })
}

/// `{"error": {...}}`, or of several `{"error": [...]}`.
pub(super) fn errors(all: &[Error]) -> Value {
    match all {
        [one] => json!({ "error": object(one) }),
        all => json!({ "error": objects(all) }),
    }
}

/// A list of errors.
pub(super) fn objects(all: &[Error]) -> Vec<Value> {
    all.iter().map(object).collect()
}

/// The citation at the end of a sentence, apart from it.
fn split_rule(what: &str) -> (&str, Option<&str>) {
    let parts = what.strip_suffix(']').and_then(|w| w.rsplit_once(" ["));
    match parts.filter(|(_, id)| cite::find(id).is_some()) {
        Some((sentence, id)) => (sentence, Some(id)),
        None => (what, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Place;

    #[test]
    fn an_error_keeps_its_place_and_its_rule_stands_apart() {
        let place = Place { file: "orders.yaml".into(), line: 3, column: 0 };
        let error = Error::new("marker 3 is a turn too many [NAV-5.10]").next("put a `stop` between").at(place);
        let expected = json!({
            "what": "marker 3 is a turn too many", "file": "orders.yaml", "line": 3, "column": null,
            "rule": "NAV-5.10", "next": "put a `stop` between",
        });
        assert_eq!(object(&error), expected);
        assert_eq!(object(&Error::new("a list [of what]"))["what"], "a list [of what]");
        assert!(errors(&[error.clone(), error])["error"].as_array().is_some_and(|l| l.len() == 2));
    }
}
