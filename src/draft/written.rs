//! A draft written out as its owner could have typed it, so that one reader serves both.

use std::fmt::Write as _;

use super::{Draft, notes};
use crate::doc::{Tree, lint};
use crate::error::{Error, Result};
use crate::log::History;
use crate::side::Seat;

/// Names that stand for nothing when they are empty.
const EMPTY: [&str; 4] = ["targets", "ships", "reactions", "succession"];

/// Words that YAML readers take for something else than text.
const TAKEN: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

/// The orders as YAML, below the notes of the template.
///
/// # Errors
/// If the draft cannot be written as a map (a defect).
pub fn written(history: &History, seat: Seat, draft: &Draft) -> Result<String> {
    Ok(notes(history, seat) + &yaml(draft)?)
}

/// The orders as YAML.
///
/// # Errors
/// As [`written`].
pub fn yaml(draft: &Draft) -> Result<String> {
    let json = serde_json::to_string(draft).map_err(|e| Error::new(format!("cannot write the orders: {e}")))?;
    let Tree::Map(fields) = Tree::from_json(&json)? else {
        return Err(Error::new("orders are a map of fields"));
    };
    let mut out = String::new();
    block(&mut out, &fields, 0);
    Ok(lint::escape(&out))
}

/// One entry a line; what lies below `plot`, `react`, `at` and a marker is a block of its own, everything else one line.
fn block(out: &mut String, fields: &[(String, Tree)], depth: usize) {
    for (key, value) in fields.iter().filter(|(key, value)| told(key, value)) {
        let indent = "  ".repeat(depth);
        let marker = key.chars().all(|c| c.is_ascii_digit());
        match value {
            Tree::List(items) if key == "orders" && !items.is_empty() => {
                let _ = writeln!(out, "{indent}{key}:");
                for item in items {
                    let _ = writeln!(out, "{indent}  - {}", flow(item));
                }
            }
            Tree::Map(inner) if marker || ["plot", "react", "at"].contains(&key.as_str()) => {
                let _ = writeln!(out, "{indent}{key}:");
                block(out, inner, depth + 1);
            }
            _ => {
                let _ = writeln!(out, "{indent}{key}: {}", flow(value));
            }
        }
    }
}

fn told(key: &str, value: &Tree) -> bool {
    match value {
        Tree::Null => false,
        Tree::List(items) => !items.is_empty() || !EMPTY.contains(&key),
        Tree::Map(entries) => !entries.is_empty() || !EMPTY.contains(&key),
        _ => true,
    }
}

pub(super) fn flow(value: &Tree) -> String {
    match value {
        Tree::Null => "null".to_owned(),
        Tree::Bool(_) | Tree::Int(_) => value.to_json(),
        Tree::Text(text) => word(text),
        Tree::List(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Tree::Map(entries) => {
            let told = entries.iter().filter(|(key, value)| told(key, value));
            let all: Vec<String> = told.map(|(key, value)| format!("{}: {}", word(key), flow(value))).collect();
            format!("{{{}}}", all.join(", "))
        }
    }
}

/// A name as it is, any other text in quotation marks.
fn word(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'));
    if plain && !TAKEN.contains(&text) { text.to_owned() } else { Tree::Text(text.to_owned()).to_json() }
}
