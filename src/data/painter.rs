//! The page on which a map is painted, with the words of the book in it.

use serde_json::{Value, json};

use super::land::sign;
use crate::board::Kind;
use crate::books::honor::land::Terrain;

/// The page, without what it knows of the book.
const PAGE: &str = include_str!("painter.html");

fn fill(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::Clear => "#fbf8ee",
        Terrain::Swamp => "#d5dde0",
        Terrain::Waterway => "#8dbbe6",
        Terrain::Deep => "#5f95c9",
        Terrain::Crossing => "#d2e4f6",
        Terrain::Forest => "#b5d3a4",
        Terrain::Hill => "#e8cfa3",
        Terrain::Town => "#d8cfc9",
        Terrain::Fence => "#f6efd6",
        Terrain::Entrenchment => "#dcc9a6",
        Terrain::Fort => "#bdb3a4",
    }
}

/// The page for maps of the land game, with a map to begin with.
#[must_use]
pub fn page(map: &str) -> String {
    let terrain = Terrain::ALL.map(|t| json!({ "word": Kind::word(t), "sign": sign(t).to_string(), "fill": fill(t) }));
    page_of(&json!({ "terrain": terrain, "features": [], "sides": [], "ways": [], "levels": false, "map": map }))
}

/// The page for a book with these words: `terrain`, `features`, `sides`, `ways` (each `{word, sign, fill}`), `levels`, `map`.
#[must_use]
pub fn page_of(book: &Value) -> String {
    // Nothing in a text may end the script element it stands in.
    PAGE.replace("/*BOOK*/", &book.to_string().replace('<', "\\u003c"))
}
