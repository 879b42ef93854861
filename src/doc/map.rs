//! Map files: bytes to a map, or every problem of the file with line and column (`schemas/design.md`, 6).

use super::excerpt::Source;
use super::place::{self, Spot};
use super::yaml;
use crate::board::{Fault, Ground, Map, MapFile};
use crate::error::Error;

/// Largest map file, in bytes.
pub const LARGEST: usize = 1 << 20;

/// Reads a map file of a book's kind of ground.
///
/// # Errors
/// Every problem of the file, in its order.
pub fn read<G: Ground>(bytes: &[u8], file: &str) -> Result<(MapFile, Map<G>), Vec<Error>> {
    let sheet: MapFile = yaml::read_bytes(bytes, file, LARGEST)?;
    let text = std::str::from_utf8(bytes).unwrap_or("");
    let whole = |path: &str, what: &str, next: &str| Fault {
        path: vec![path.to_owned()],
        line: 0,
        column: 0,
        what: what.to_owned(),
        next: next.to_owned(),
    };
    let mut faults = Vec::new();
    if sheet.countersign != 1 {
        faults.push(whole("countersign", "this program reads version 1 of the format", "write `countersign: 1`"));
    }
    if sheet.kind != "map" {
        faults.push(whole("kind", "this is no map", "write `kind: map`, or give the file to the command it is for"));
    }
    match sheet.map.build() {
        Ok(map) if faults.is_empty() => Ok((sheet, map)),
        built => {
            faults.extend(built.err().unwrap_or_default().into_iter().map(|fault| fault.under("map")));
            Err(placed(text, file, faults))
        }
    }
}

/// Turns the faults of a map, which know names, into messages that point at the text, in the text's order. For a map
/// inside a larger document put its name before the faults' own with [`Fault::under`].
#[must_use]
pub fn placed(text: &str, file: &str, faults: Vec<Fault>) -> Vec<Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source { text, file };
    let spots = place::spots(text);
    let mut errors: Vec<(usize, Error)> = faults
        .into_iter()
        .map(|fault| {
            let at = spot(&spots, &fault.path).map(|spot| within(source, spot, fault.line, fault.column));
            let error = match at {
                Some(at) => source.error(at..at + source.word(at).len(), fault.what),
                None => source.whole(fault.what),
            };
            (at.unwrap_or(0), error.next(fault.next))
        })
        .collect();
    errors.sort_by_key(|(at, _)| *at);
    errors.into_iter().map(|(_, error)| error).collect()
}

/// The value a path leads to, or the name before a group; if there is none, that of the nearest name above.
fn spot<'a>(spots: &'a [Spot], path: &[String]) -> Option<&'a Spot> {
    let mut path = path;
    loop {
        let mut here = spots.iter().filter(|spot| spot.path == path);
        if let Some(found) = here.clone().find(|spot| !spot.name && !spot.text.is_empty()).or_else(|| here.next()) {
            return Some(found);
        }
        path = path.split_last()?.1;
    }
}

/// The byte of a character of a value, given by line and character of what was read. Blanks are read differently from
/// how they are written (indentation, folded lines); the characters between them are not, so those are counted.
fn within(source: Source<'_>, spot: &Spot, line: usize, column: usize) -> usize {
    let start = source.offset(spot.line, spot.column);
    let read: String = spot.text.split('\n').take(line + 1).enumerate().fold(String::new(), |mut before, (n, text)| {
        before.extend(text.chars().take(if n == line { column } else { usize::MAX }));
        before
    });
    let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let Some(last) = solid(&spot.text).checked_sub(1) else { return start };
    let skip = solid(&read).min(last);
    let rest = source.text.get(start..).unwrap_or("");
    let header = match rest.chars().next() {
        Some('"' | '\'') => 1,
        Some('|' | '>') => rest.find('\n').map_or(rest.len(), |end| end + 1),
        _ => 0,
    };
    let body = rest.get(header..).unwrap_or("");
    let found = body.char_indices().filter(|(_, c)| !c.is_whitespace()).nth(skip);
    found.map_or(start, |(at, _)| start + header + at)
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
