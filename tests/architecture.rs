//! Each layer uses only those before it, and the pure layers know no clock, file, socket, float, hash map or random source.

use std::fs;
use std::path::{Path, PathBuf};

const LAYERS: &[(&str, &[&str])] = &[
    ("side.rs", &[]),
    ("hex", &["hex"]),
    ("board", &["side", "hex", "board"]),
    ("cite", &["cite"]),
    ("kit", &["side", "hex", "board", "cite", "kit"]),
    ("play", &["side", "cite", "play"]),
    ("books", &["side", "hex", "board", "cite", "kit", "play", "books"]),
    ("seal", &["side", "error", "seal"]),
    ("doc", &["side", "error", "hex", "board", "seal", "doc"]),
    ("catalog.rs", &["side", "books", "doc", "error", "play", "seal"]),
    ("bot", &["side", "hex", "kit", "play", "books", "catalog", "bot"]),
    ("data", &["side", "hex", "board", "books", "doc", "error", "catalog", "data"]),
    ("log", &["side", "error", "seal", "doc", "play", "catalog", "log"]),
    ("disk.rs", &["error"]),
    ("mail", &["side", "error", "disk", "seal", "doc", "mail"]),
    ("report", &["side", "error", "seal", "doc", "hex", "board", "cite", "play", "books", "catalog", "log", "report"]),
];

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|e| e == "rs") {
        found.push(path.to_owned());
    }
}

/// The code of a file: no comments, nothing from the unit tests on.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or("").to_owned();
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[test]
fn layers_look_down_only() {
    for (layer, allowed) in LAYERS {
        let mut files = Vec::new();
        sources(&Path::new("src").join(layer), &mut files);
        assert!(!files.is_empty(), "{layer}");
        for path in files {
            for used in code(&path).split("crate::").skip(1) {
                let word: String = used.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                let known = allowed.contains(&word.as_str()) || matches!(word.as_str(), "Result" | "Error");
                assert!(known || word == "Side", "{} uses crate::{word}", path.display());
            }
        }
    }
}

#[test]
fn the_pure_layers_are_pure() {
    for layer in ["hex", "board", "kit", "play", "books", "bot", "cite", "side.rs"] {
        let mut files = Vec::new();
        sources(&Path::new("src").join(layer), &mut files);
        for path in files {
            let code = code(&path);
            for word in [
                "std::fs",
                "std::net",
                "std::time",
                "SystemTime",
                "Instant",
                "HashMap",
                "HashSet",
                "f32",
                "f64",
                "rand",
                "std::env",
                "thread",
                "println",
            ] {
                let found = code
                    .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
                    .any(|w| w == word || w.starts_with(&format!("{word}::")));
                assert!(!found, "{} uses {word}", path.display());
            }
        }
    }
}

#[test]
fn no_source_file_is_longer_than_800_lines() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    for path in files {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 800, "{} has {lines} lines", path.display());
    }
}
