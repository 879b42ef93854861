//! A map as a picture: one self-contained SVG, in whole numbers. A hex side is 1,000 units.
//!
//! Nothing is told by colour alone: terrain has a pattern and a letter, hexsides and roads have strokes of their own, the
//! two sides' counters have corners of their own, and red and blue of different lightness.

use std::fmt::Write;

use super::map::{Counter, Layer, looks, plain};
use super::map_art as art;
use crate::board::{Ground, Kind, Map};
use crate::hex::{Dir, Edge, Hex};
use crate::side::Side;

/// Half the height of a hex whose side is 1,000.
pub(super) const HALF: i32 = 866;

/// Blank around everything.
pub(super) const MARGIN: i32 = 400;

/// Room for the title.
pub(super) const HEAD: i32 = 1_000;

/// Height of a line of the legend, and what stands beside each other in it.
const LINE: i32 = 1_200;

/// The printable part of an A4 page in millimetres, long and short side.
const PAGE: (i64, i64) = (277, 190);

/// Least millimetres from one column of hexes to the next, so that labels can be read; a larger map is larger than a page.
const PITCH: i64 = 10;

/// The map with its counters and arrows as one SVG element. `id` begins the names inside it, so that two maps can stand
/// in one page; letters, digits and hyphens of it are used.
#[must_use]
pub fn map_svg<G: Ground>(map: &Map<G>, layer: &Layer, title: &str, id: &str) -> String {
    let id: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    let page = Page { columns: map.grid().size().0, rows: map.grid().size().1 };
    let legend = art::legend(map, layer, &id, page.width() - 2 * MARGIN);
    let height = page.legend_top() + LINE * legend.lines + MARGIN;
    let (wide, high) = millimetres(i64::from(page.width()), i64::from(height));
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" width=\"{wide}mm\" height=\"{high}mm\" \
         role=\"img\" font-family=\"sans-serif\" text-anchor=\"middle\">\n<title>{}</title>",
        page.width(),
        art::text(title)
    );
    art::definitions(&looks(map), &id, &mut out);
    let _ = writeln!(out, "<rect width=\"{}\" height=\"{height}\" fill=\"#ffffff\"/>", page.width());
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"700\" text-anchor=\"start\" font-weight=\"bold\">{}</text>",
        MARGIN + 600,
        art::text(title)
    );
    let draw = Draw { map, id: &id };
    draw.ground(&mut out);
    draw.ways(&mut out);
    draw.outlines(&mut out);
    draw.sides(&mut out);
    draw.arrows(layer, &mut out);
    draw.letters(&mut out);
    draw.counters(layer, &mut out);
    let _ = writeln!(out, "<g transform=\"translate({MARGIN} {})\">\n{}</g>", page.legend_top(), legend.svg);
    out + "</svg>\n"
}

/// The size of the drawing.
struct Page {
    columns: i32,
    rows: i32,
}

impl Page {
    fn width(&self) -> i32 {
        // Even a map of one column has room for its legend.
        (1_500 * (self.columns - 1) + 2_000 + 2 * MARGIN).max(12_000)
    }

    fn legend_top(&self) -> i32 {
        MARGIN + HEAD + 2 * HALF * self.rows + HALF + MARGIN
    }
}

/// The largest size that fits on a page, but not so small that nobody can read it.
pub(super) fn millimetres(width: i64, height: i64) -> (i64, i64) {
    let (long, short) = if width >= height { PAGE } else { (PAGE.1, PAGE.0) };
    let wide = long.min(short * width / height.max(1)).max(PITCH * width / 1_500);
    (wide, wide * height / width.max(1))
}

/// The centre of a hex.
pub(super) fn centre<G: Ground>(map: &Map<G>, hex: Hex) -> (i32, i32) {
    let grid = map.grid();
    let ((column, row), (west, north)) = (grid.place(hex), grid.first());
    let lower = if grid.is_lower(column) { HALF } else { 0 };
    (MARGIN + 1_000 + 1_500 * (column - west), MARGIN + HEAD + HALF + 2 * HALF * (row - north) + lower)
}

/// Where the corner at the clockwise end of a hex's side lies, seen from its centre.
pub(super) fn corner(dir: Dir) -> (i32, i32) {
    match dir.number() {
        1 => (500, -HALF),
        2 => (1_000, 0),
        3 => (500, HALF),
        4 => (-500, HALF),
        5 => (-1_000, 0),
        _ => (-500, -HALF),
    }
}

struct Draw<'a, G: Ground> {
    map: &'a Map<G>,
    id: &'a str,
}

impl<G: Ground> Draw<'_, G> {
    fn polygon(&self, hex: Hex) -> String {
        let (x, y) = centre(self.map, hex);
        Dir::ALL.map(corner).map(|(dx, dy)| format!("{},{}", x + dx, y + dy)).join(" ")
    }

    fn ground(&self, out: &mut String) {
        for (hex, cell) in self.map.cells() {
            let word = cell.terrain.word();
            let _ = writeln!(out, "<polygon points=\"{}\" fill=\"url(#{}-{word})\"/>", self.polygon(hex), self.id);
        }
    }

    fn outlines(&self, out: &mut String) {
        out.push_str("<g fill=\"none\" stroke=\"#8a8a8a\" stroke-width=\"30\">\n");
        for (hex, _) in self.map.cells() {
            let _ = writeln!(out, "<polygon points=\"{}\"/>", self.polygon(hex));
        }
        out.push_str("</g>\n");
    }

    fn ways(&self, out: &mut String) {
        for (edge, ways) in self.map.ways() {
            let [(x1, y1), (x2, y2)] = edge.hexes().map(|hex| centre(self.map, hex));
            for way in ways {
                art::way(way.word(), (x1, y1, x2, y2), out);
            }
        }
    }

    /// The ends of a hexside.
    fn ends(&self, edge: Edge) -> (i32, i32, i32, i32) {
        let hex = edge.hexes()[0];
        let (x, y) = centre(self.map, hex);
        let dir = edge.dir_from(hex).unwrap_or(Dir::ALL[0]);
        let ((ax, ay), (bx, by)) = (corner(dir.rotated(5)), corner(dir));
        (x + ax, y + ay, x + bx, y + by)
    }

    fn sides(&self, out: &mut String) {
        for (edge, marks) in self.map.sides() {
            let ends = self.ends(edge);
            for mark in marks {
                art::side(mark.kind.word(), ends, mark.sign.map(|hex| centre(self.map, hex)), out);
            }
        }
    }

    /// Labels, letters of terrain and features, levels, names.
    fn letters(&self, out: &mut String) {
        let looks = looks(self.map);
        // Drawn twice, the first time as a white rim: not every program that shows pictures knows `paint-order`.
        let _ = writeln!(out, "<defs><g id=\"{}-letters\">", self.id);
        let mut put = |x: i32, y: i32, size: i32, text: &str| {
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{}</text>", art::text(text));
        };
        for (hex, cell) in self.map.cells() {
            let (x, y) = centre(self.map, hex);
            let level = if cell.level == 0 { String::new() } else { format!(" ^{}", cell.level) };
            put(x, y - 530, 320, &format!("{}{level}", self.map.label(hex)));
            if let Some(look) = looks.get(cell.terrain.word()).filter(|look| look.sign != '.') {
                put(x - 170 * i32::try_from(cell.features.len()).unwrap_or(0), y + 810, 320, &look.sign.to_string());
            }
        }
        for (name, hexes) in self.map.places() {
            if let Some(hex) = hexes.first() {
                let (x, y) = centre(self.map, *hex);
                put(x, y + 480, 300, name);
            }
        }
        for (name, hexes) in self.map.entries() {
            for hex in hexes {
                let (x, y) = centre(self.map, *hex);
                put(x, y + 250, 300, &format!("entry {name}"));
            }
        }
        let _ = writeln!(
            out,
            "</g></defs><use href=\"#{0}-letters\" fill=\"#ffffff\" stroke=\"#ffffff\" stroke-width=\"70\"/>\n\
             <use href=\"#{0}-letters\" fill=\"#222222\"/>",
            self.id
        );
        for (hex, cell) in self.map.cells().filter(|(_, cell)| !cell.features.is_empty()) {
            // Beside the terrain's letter, which has moved to the left by half of their width.
            let (x, y) = centre(self.map, hex);
            let words = std::iter::once(cell.terrain.word()).chain(cell.features.iter().map(|f| f.word()));
            let shown = words.filter_map(|word| looks.get(word)).enumerate().skip(1);
            let left = x - 170 * i32::try_from(cell.features.len()).unwrap_or(0);
            for (n, look) in shown {
                art::badge(look.sign, left + 340 * i32::try_from(n).unwrap_or(0), y + 700, out);
            }
        }
    }

    fn counters(&self, layer: &Layer, out: &mut String) {
        for (hex, stack) in layer.stacks() {
            let (x, y) = centre(self.map, hex);
            // The bottom one first, each a little up and to the left of the one on it.
            let shown = stack.len().min(4);
            for (n, counter) in stack.iter().take(shown).enumerate().rev() {
                let shift = 110 * i32::try_from(n).unwrap_or(0);
                art::counter(counter, x - shift, y - shift + 60, out);
            }
            if stack.len() > shown {
                let more = stack.len() - shown;
                let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" font-size=\"300\">+{more}</text>", x + 660, y + 160);
            }
        }
    }

    fn arrows(&self, layer: &Layer, out: &mut String) {
        for (kind, way) in &layer.arrows {
            let points: Vec<(i32, i32)> = way.iter().map(|hex| centre(self.map, *hex)).collect();
            art::arrow(*kind, &points, self.id, out);
        }
    }
}

/// The colour of a counter, and how round its corners are.
pub(super) fn colours(side: Option<Side>) -> (&'static str, i32) {
    match side {
        Some(Side::British) => ("#a8201a", 0),
        Some(Side::American) => ("#2f6fb5", 260),
        None => ("#555555", 90),
    }
}

/// Who a counter belongs to, in a word.
pub(super) fn owner(counter: &Counter) -> &'static str {
    match counter.side {
        Some(Side::British) => "British",
        Some(Side::American) => "American",
        None => "marker",
    }
}

/// What a browser shows when the mouse rests on a counter.
pub(super) fn hover(counter: &Counter) -> String {
    format!("{}: {} {} {}", owner(counter), plain(&counter.mark), plain(&counter.note), plain(&counter.name))
}
