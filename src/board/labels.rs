//! Lists of labels as they are typed: "0407 0408", "0407-0408 0408>0507", "0101-0201-0302".

use super::load::Fault;
use crate::hex::{Edge, Hex};

/// A word of a list and the character at which it begins, from 0.
pub(super) fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    let mut open = false;
    for (column, (byte, c)) in text.char_indices().enumerate() {
        let blank = c.is_whitespace() || c == ',';
        match (blank, open) {
            (false, false) => found.push((column, byte, byte + c.len_utf8())),
            (false, true) => {
                if let Some(last) = found.last_mut() {
                    last.2 = byte + c.len_utf8();
                }
            }
            _ => {}
        }
        open = !blank;
    }
    found.into_iter().map(|(column, from, to)| (column, &text[from..to])).collect()
}

/// What is wrong at a character.
type Wrong = (usize, String, String);

/// Reads labels with blanks between them.
pub(super) fn hexes(text: &str, hex: &dyn Fn(&str) -> Result<Hex, String>) -> (Vec<Hex>, Vec<Wrong>) {
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for (column, word) in words(text) {
        match hex(word) {
            Ok(found) if all.contains(&found) => {
                wrong.push((column, format!("hex {word} stands here twice"), "delete one of the two".to_owned()));
            }
            Ok(found) => all.push(found),
            Err(what) => wrong.push((column, what, "write hexes with blanks between them: \"0407 0408\"".to_owned())),
        }
    }
    if all.is_empty() && wrong.is_empty() {
        wrong.push((0, "no hex stands here".to_owned(), "name one, or delete the row".to_owned()));
    }
    (all, wrong)
}

/// Reads hexsides; with each the hex of its sign, if one was written.
pub(super) fn sides(text: &str, hex: &dyn Fn(&str) -> Result<Hex, String>) -> (Vec<(Edge, Option<Hex>)>, Vec<Wrong>) {
    let (mut all, mut wrong): (Vec<(Edge, Option<Hex>)>, Vec<Wrong>) = (Vec::new(), Vec::new());
    for (column, word) in words(text) {
        let form = || "write a hexside by the two hexes beside it: \"0407-0408\"".to_owned();
        let (parts, signed) = match (word.split_once('>'), word.split_once('-')) {
            (Some(parts), _) => (parts, true),
            (None, Some(parts)) => (parts, false),
            (None, None) => {
                wrong.push((column, format!("`{word}` is no hexside"), form()));
                continue;
            }
        };
        let (a, b) = match (hex(parts.0), hex(parts.1)) {
            (Ok(a), Ok(b)) => (a, b),
            (a, b) => {
                let second = column + parts.0.chars().count() + 1;
                wrong.extend(a.err().map(|what| (column, what, form())));
                wrong.extend(b.err().map(|what| (second, what, form())));
                continue;
            }
        };
        match Edge::between(a, b) {
            Some(edge) if all.iter().any(|(known, _)| *known == edge) => {
                wrong.push((
                    column,
                    format!("the hexside {word} stands here twice"),
                    "delete one of the two".to_owned(),
                ));
            }
            Some(edge) => all.push((edge, signed.then_some(a))),
            None => wrong.push((column, format!("the hexes of {word} are not side by side"), form())),
        }
    }
    if all.is_empty() && wrong.is_empty() {
        wrong.push((0, "no hexside stands here".to_owned(), "name one, or delete the row".to_owned()));
    }
    (all, wrong)
}

/// Reads stretches of a road: the pairs of hexes it links.
pub(super) fn links(text: &str, hex: &dyn Fn(&str) -> Result<Hex, String>) -> (Vec<(Hex, Hex)>, Vec<Wrong>) {
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    let form = || "write a road by its hexes in order: \"0101-0201-0302\"".to_owned();
    for (start, word) in words(text) {
        let mut column = start;
        let mut before: Option<(&str, Hex)> = None;
        if !word.contains('-') {
            wrong.push((start, format!("`{word}` is no stretch of road: it links no two hexes"), form()));
            continue;
        }
        for label in word.split('-') {
            match hex(label) {
                Ok(found) => {
                    match before {
                        Some((_, last)) if last.distance(found) == 1 => all.push((last, found)),
                        Some((name, _)) => {
                            let what = format!("{label} is not beside {name}, from which the road comes");
                            wrong.push((column, what, form()));
                        }
                        None => {}
                    }
                    before = Some((label, found));
                }
                Err(what) => {
                    wrong.push((column, what, form()));
                    before = None;
                }
            }
            column += label.chars().count() + 1;
        }
    }
    if all.is_empty() && wrong.is_empty() {
        wrong.push((0, "no road stands here".to_owned(), "name its hexes, or delete the row".to_owned()));
    }
    (all, wrong)
}

/// Faults of one text of a sheet.
pub(super) fn faults(path: &[&str], wrong: Vec<Wrong>) -> impl Iterator<Item = Fault> {
    let path: Vec<String> = path.iter().map(|part| (*part).to_owned()).collect();
    wrong.into_iter().map(move |(column, what, next)| Fault { path: path.clone(), line: 0, column, what, next })
}
