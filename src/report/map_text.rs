//! A map in letters, for the body of a mail: at most 78 columns of a fixed-width font.
//!
//! A row of hexes takes two lines, since every second column sits half a hex lower; a hex is the letter of its terrain, and
//! behind a colon the sign of the counter in it.

use std::collections::BTreeMap;

use super::map::{Layer, Look, looks, pair, plain};
use crate::board::{Ground, Kind, Map};
use crate::hex::{Edge, Hex};

/// Columns of a line.
const WIDTH: usize = 78;

/// Letters from one column of hexes to the next: half of what a hex has, since its neighbours stand on the other line.
const PITCH: usize = 4;

/// Columns of hexes side by side: four letters for the row, four for every column, two more for the last one's sign.
const STRIP: i32 = 18;

/// The map with its counters, the legend, and the list of counters by hex. A map of more than 18 columns is cut into
/// strips, one below the other.
#[must_use]
pub fn map_text<G: Ground>(map: &Map<G>, layer: &Layer) -> String {
    let looks = looks(map);
    let stacks = layer.stacks();
    let (west, _) = map.grid().first();
    let (columns, _) = map.grid().size();
    let mut out = String::new();
    for from in (west..west + columns).step_by(usize::try_from(STRIP).unwrap_or(1)) {
        let to = (from + STRIP).min(west + columns) - 1;
        if columns > STRIP {
            out.push_str(&format!("Columns {from:02} to {to:02}\n"));
        }
        strip(map, &looks, &stacks, from..=to, &mut out);
        out.push('\n');
    }
    let signs = looks.iter().map(|(word, look)| format!("{} {word}", look.sign)).collect::<Vec<_>>();
    out.push_str(&wrapped("Ground: ", &signs, ", "));
    for (hex, stack) in &stacks {
        let names: Vec<String> = stack.iter().filter(|c| !c.name.is_empty()).map(|c| described(c)).collect();
        if !names.is_empty() {
            out.push_str(&wrapped(&format!("{}  ", map.label(*hex)), &names, "; "));
        }
    }
    out
}

fn described(counter: &super::map::Counter) -> String {
    let note = if counter.note.is_empty() { String::new() } else { format!(" {}", plain(&counter.note)) };
    format!("{}{note} {}", plain(&counter.mark), plain(&counter.name))
}

fn strip<G: Ground>(
    map: &Map<G>,
    looks: &BTreeMap<&'static str, Look>,
    stacks: &BTreeMap<Hex, Vec<&super::map::Counter>>,
    columns: std::ops::RangeInclusive<i32>,
    out: &mut String,
) {
    let grid = map.grid();
    let (_, north) = grid.first();
    let lines = |lower: bool, row: &str, cell: &dyn Fn(i32) -> String| {
        let mut line = format!("{row:<4}");
        for (n, column) in columns.clone().enumerate().filter(|(_, column)| grid.is_lower(*column) == lower) {
            let at = 4 + PITCH * n;
            line.extend(std::iter::repeat_n(' ', at.saturating_sub(line.chars().count())));
            line.push_str(&cell(column));
        }
        line.trim_end().to_owned()
    };
    for lower in [false, true] {
        out.push_str(&(lines(lower, "", &|column| format!("{column:02}")) + "\n"));
    }
    for row in north..north + grid.size().1 {
        for lower in [false, true] {
            let name = if lower { String::new() } else { format!("{row:02}") };
            let cell = |column: i32| {
                let hex = grid.at(column, row);
                let words = map.words(hex);
                // What stands in a hex is seen before what covers it.
                let sign = words.last().and_then(|word| looks.get(word)).map_or(' ', |look| look.sign);
                format!("{sign}{}", stacks.get(&hex).map_or(String::new(), |stack| format!(":{}", mark(stack))))
            };
            out.push_str(&(lines(lower, &name, &cell) + "\n"));
        }
    }
}

/// The sign of the top counter, with a `+` if there are more.
fn mark(stack: &[&super::map::Counter]) -> String {
    let top = stack.first().map_or(String::new(), |counter| plain(&counter.mark));
    match stack.len() {
        0 | 1 => top.chars().take(4).collect(),
        _ => top.chars().take(3).chain(['+']).collect(),
    }
}

/// Hexsides, roads, places and entries of a map as lists, for those who have no picture.
#[must_use]
pub fn map_lists<G: Ground>(map: &Map<G>) -> String {
    let mut out = String::new();
    for kind in G::Side::ALL {
        let marks = map.sides().flat_map(|(edge, marks)| marks.iter().map(move |mark| (edge, mark)));
        let all: Vec<String> = marks
            .filter(|(_, mark)| mark.kind == *kind)
            .map(|(edge, mark)| match mark.sign.and_then(|sign| Some([sign, edge.other(sign)?])) {
                Some(faces) => pair(map, faces, '>'),
                None => pair(map, edge.hexes(), '-'),
            })
            .collect();
        list(kind.word(), &all, &mut out);
    }
    for kind in G::Way::ALL {
        let of: Vec<Edge> = map.ways().filter(|(_, ways)| ways.contains(kind)).map(|(edge, _)| edge).collect();
        list(kind.word(), &of.iter().map(|edge| pair(map, edge.hexes(), '-')).collect::<Vec<_>>(), &mut out);
    }
    for (name, hexes) in map.places() {
        list(&plain(name), &hexes.iter().map(|hex| map.label(*hex)).collect::<Vec<_>>(), &mut out);
    }
    for (name, hexes) in map.entries() {
        let all: Vec<String> = hexes.iter().map(|hex| map.label(*hex)).collect();
        list(&format!("Entry {}", plain(name)), &all, &mut out);
    }
    out
}

fn list(name: &str, all: &[String], out: &mut String) {
    if !all.is_empty() {
        out.push_str(&wrapped(&format!("{name}: "), all, " "));
    }
}

/// Items behind a head, broken into lines that begin two columns in.
fn wrapped(head: &str, items: &[String], joint: &str) -> String {
    let mut out = head.to_owned();
    let mut width = head.chars().count();
    for (n, item) in items.iter().enumerate() {
        let end = if n + 1 < items.len() { joint } else { "" };
        let long = item.chars().count() + end.trim_end().chars().count();
        if n > 0 && width + long > WIDTH {
            out.truncate(out.trim_end().len());
            out.push_str("\n  ");
            width = 2;
        }
        out.push_str(item);
        out.push_str(end);
        width += item.chars().count() + end.chars().count();
    }
    out + "\n"
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
