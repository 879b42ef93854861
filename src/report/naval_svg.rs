//! The chart of a naval battle as a picture: the sea around the ships, the playing edge, the wind, every ship with her
//! heading and damage, her way and her shots as arrows. Drawn like maps are (`map_svg`), in whole numbers.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::map::Arrow;
use super::map_art as art;
use super::map_svg::{HALF, MARGIN, colours, corner, millimetres};
use super::naval::mark;
use crate::books::honor::naval::{Event, Naval, Ship, State};
use crate::hex::{Dir, Hex};
use crate::play::{Record, System};
use crate::side::Side;

/// Hexes of sea shown on each side of the ships.
const AROUND: i32 = 3;

/// Fewest columns and rows shown, and most.
const LEAST: (i32, i32) = (9, 7);
const MOST: (i32, i32) = (60, 40);

/// Room for the title and the wind below it.
const HEAD: i32 = 2_100;

/// Height of a line of the legend.
const LINE: i32 = 1_200;

/// Ways and shots of a stretch of play, in the order they happened.
#[must_use]
pub fn arrows(before: &State, records: &[Record<Naval>]) -> Vec<(Arrow, Vec<Hex>)> {
    let (mut state, mut arrows) = (before.clone(), Vec::new());
    for record in records {
        let Record::Event(event) = record else { continue };
        let at = |label: &String| state.board.read(label).ok();
        let hexes: Option<(Arrow, Vec<Hex>)> = match event {
            Event::Sailed { from, to, .. } => Some((Arrow::Move, [from, to].into_iter().filter_map(at).collect())),
            Event::Fired { ship, target, .. } => {
                let hex = |id| state.ship(id).map(|s| s.hex);
                Some((Arrow::Fire, [hex(ship), hex(target)].into_iter().flatten().collect()))
            }
            _ => None,
        };
        arrows.extend(hexes.filter(|(_, way)| way.windows(2).any(|w| w[0] != w[1])));
        Naval::apply(&mut state, event);
    }
    arrows
}

/// The part of the sea that is drawn: first column and row, and how many of each.
struct Window {
    west: i32,
    north: i32,
    columns: i32,
    rows: i32,
}

impl Window {
    fn around(state: &State, arrows: &[(Arrow, Vec<Hex>)]) -> Window {
        let ships = state.ships.iter().filter(|s| s.afloat()).map(|s| s.hex);
        let places: Vec<(i32, i32)> =
            ships.chain(arrows.iter().flat_map(|(_, way)| way.iter().copied())).map(|h| state.board.place(h)).collect();
        let span = |of: &dyn Fn(&(i32, i32)) -> i32, least: i32, most: i32| {
            let (from, to) = (places.iter().map(of).min().unwrap_or(1), places.iter().map(of).max().unwrap_or(1));
            let (from, to) = (from - AROUND, to + AROUND);
            let more = (least - (to - from + 1)).max(0);
            (from - more / 2, (to - from + 1 + more).min(most))
        };
        let (mut west, mut columns) = span(&|p| p.0, LEAST.0, MOST.0);
        let (mut north, mut rows) = span(&|p| p.1, LEAST.1, MOST.1);
        if fixed(state) {
            // Beyond a fixed edge lies nothing; one column and row of margin show the edge.
            (west, columns) = clamp(west, columns, state.board.columns);
            (north, rows) = clamp(north, rows, state.board.rows);
        }
        Window { west, north, columns, rows }
    }

    fn centre(&self, state: &State, hex: Hex) -> (i32, i32) {
        let (column, row) = state.board.place(hex);
        let lower = if column.rem_euclid(2) == 0 { HALF } else { 0 };
        let x = MARGIN + 1_000 + 1_500 * (column - self.west);
        (x, MARGIN + HEAD + HALF + 2 * HALF * (row - self.north) + lower)
    }

    fn hexes<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Hex> + 'a {
        let open = !fixed(state);
        let all = (self.west..self.west + self.columns)
            .flat_map(move |column| (self.north..self.north + self.rows).map(move |row| (column, row)));
        all.map(|(column, row)| state.board.at(column, row)).filter(move |hex| open || state.board.contains(*hex))
    }

    fn width(&self) -> i32 {
        (1_500 * (self.columns - 1) + 2_000 + 2 * MARGIN).max(12_000)
    }

    fn bottom(&self) -> i32 {
        MARGIN + HEAD + 2 * HALF * self.rows + HALF + MARGIN
    }
}

fn clamp(from: i32, count: i32, size: i32) -> (i32, i32) {
    let (first, last) = (from.max(1), (from + count - 1).min(size));
    (first, (last - first + 1).max(1))
}

fn fixed(state: &State) -> bool {
    state.edge.is_some_and(|edge| edge.fixed)
}

/// The chart as one SVG element. `id` begins the names inside it; letters, digits and hyphens of it are used.
#[must_use]
pub fn chart_svg(state: &State, arrows: &[(Arrow, Vec<Hex>)], title: &str, id: &str) -> String {
    let id: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    let window = Window::around(state, arrows);
    let legend = art::lay_out(legend_items(state, arrows, &id), window.width() - 2 * MARGIN);
    let height = window.bottom() + LINE * legend.lines + MARGIN;
    let (wide, high) = millimetres(i64::from(window.width()), i64::from(height));
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" width=\"{wide}mm\" height=\"{high}mm\" \
         role=\"img\" font-family=\"sans-serif\" text-anchor=\"middle\">\n<title>{}</title>\n<defs>",
        window.width(),
        art::text(title)
    );
    art::head(&id, &mut out);
    out.push_str("</defs>\n");
    let _ = writeln!(out, "<rect width=\"{}\" height=\"{height}\" fill=\"#ffffff\"/>", window.width());
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"700\" text-anchor=\"start\" font-weight=\"bold\">{}</text>",
        MARGIN + 600,
        art::text(title)
    );
    sea(state, &window, &mut out);
    edge(state, &window, &mut out);
    for (kind, way) in arrows {
        let points: Vec<(i32, i32)> = way.iter().map(|hex| window.centre(state, *hex)).collect();
        art::arrow(*kind, &points, &id, &mut out);
    }
    ships(state, &window, &mut out);
    wind(state, MARGIN + 450, MARGIN + 1_450, &mut out);
    let _ = writeln!(out, "<g transform=\"translate({MARGIN} {})\">\n{}</g>", window.bottom(), legend.svg);
    out + "</svg>\n"
}

fn sea(state: &State, window: &Window, out: &mut String) {
    out.push_str("<g fill=\"#eaf3fb\" stroke=\"#8fa9bd\" stroke-width=\"30\">\n");
    for hex in window.hexes(state) {
        let (x, y) = window.centre(state, hex);
        let points = Dir::ALL.map(corner).map(|(dx, dy)| format!("{},{}", x + dx, y + dy)).join(" ");
        let _ = writeln!(out, "<polygon points=\"{points}\"/>");
    }
    out.push_str("</g>\n<g fill=\"#46586a\" font-size=\"300\">\n");
    for hex in window.hexes(state).filter(|hex| state.board.contains(*hex)) {
        let (x, y) = window.centre(state, hex);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\">{}</text>", y - 600, state.label(hex));
    }
    out.push_str("</g>\n");
}

/// The edge of the board where it is in sight: a heavy line if nothing lies beyond it, a broken one where the sea goes on
/// (NAV-1.1).
fn edge(state: &State, window: &Window, out: &mut String) {
    let dash = if fixed(state) { "" } else { " stroke-dasharray=\"260 200\"" };
    let width = if fixed(state) { 200 } else { 80 };
    let _ = writeln!(out, "<g stroke=\"#111111\" stroke-width=\"{width}\" stroke-linecap=\"round\"{dash}>");
    for hex in window.hexes(state).filter(|hex| state.board.contains(*hex)) {
        let (x, y) = window.centre(state, hex);
        for dir in Dir::ALL.into_iter().filter(|dir| !state.board.contains(hex.step(*dir))) {
            let ((ax, ay), (bx, by)) = (corner(dir.rotated(5)), corner(dir));
            let _ = writeln!(out, "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", x + ax, y + ay, x + bx, y + by);
        }
    }
    out.push_str("</g>\n");
}

/// Ships, the ones of a hex beside each other.
fn ships(state: &State, window: &Window, out: &mut String) {
    let mut stacks: BTreeMap<Hex, Vec<&Ship>> = BTreeMap::new();
    for ship in state.ships.iter().filter(|s| s.afloat()) {
        stacks.entry(ship.hex).or_default().push(ship);
    }
    for (hex, stack) in stacks {
        let (x, y) = window.centre(state, hex);
        let count = i32::try_from(stack.len()).unwrap_or(1);
        for (n, ship) in stack.into_iter().enumerate() {
            let n = i32::try_from(n).unwrap_or(0);
            let shift = if count > 1 { 840 * n - 420 * (count - 1) } else { 0 };
            hull(state, ship, (x + shift, y + 180), out);
        }
    }
}

/// A ship seen from above, her bow where she heads: the British with a square stern, the Americans with a round one, her
/// letter amidships and her damage rating beside it.
fn hull(state: &State, ship: &Ship, (x, y): (i32, i32), out: &mut String) {
    let (fill, _) = colours(Some(ship.side));
    let stern = match ship.side {
        Side::British => "L370 600L-370 600",
        Side::American => "L370 320Q340 640 0 640Q-340 640 -370 320",
    };
    let name = format!("{}, heading {}, damage {} of {}", ship.name, ship.heading, ship.damage, ship.start);
    let turn = 60 * (i32::from(ship.heading.number()) - 1);
    let _ = writeln!(
        out,
        "<g><title>{}</title><path transform=\"translate({x} {y}) rotate({turn})\" d=\"M0 -700Q370 -360 370 -120{stern}\
         L-370 -120Q-370 -360 0 -700z\" fill=\"{fill}\" stroke=\"#ffffff\" stroke-width=\"50\"/>",
        art::text(&name)
    );
    let half = if ship.half { "x" } else { "" };
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{}\" font-size=\"400\" font-weight=\"bold\" fill=\"#ffffff\">{}</text>\
         <text x=\"{x}\" y=\"{}\" font-size=\"300\" fill=\"#ffffff\">{}{half}</text></g>",
        y + 20,
        mark(state, ship),
        y + 300,
        ship.damage
    );
}

/// Where the wind blows to: an arrow in a ring, with the number and the point of the compass.
fn wind(state: &State, x: i32, y: i32, out: &mut String) {
    let turn = 60 * (i32::from(state.wind.number()) - 1);
    let _ = writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"430\" fill=\"#ffffff\" stroke=\"#111111\" stroke-width=\"50\"/>\
         <path transform=\"translate({x} {y}) rotate({turn})\" d=\"M-70 330V-60H-210L0 -370L210 -60H70V330z\" \
         fill=\"#111111\"/><text x=\"{}\" y=\"{}\" font-size=\"400\" text-anchor=\"start\">Wind toward {} ({})</text>",
        x + 560,
        y + 150,
        state.wind,
        state.wind.compass()
    );
}

fn legend_items(state: &State, arrows: &[(Arrow, Vec<Hex>)], id: &str) -> Vec<(String, String)> {
    let mut items = Vec::new();
    for ship in state.ships.iter().filter(|s| s.afloat()) {
        let (fill, _) = colours(Some(ship.side));
        let round = if ship.side == Side::British { 0 } else { 260 };
        let swatch = format!(
            "<rect x=\"100\" y=\"150\" width=\"800\" height=\"800\" rx=\"{round}\" fill=\"{fill}\"/>\
             <text x=\"500\" y=\"700\" font-size=\"450\" font-weight=\"bold\" fill=\"#ffffff\">{}</text>",
            mark(state, ship)
        );
        let x = if ship.half { ", half damage" } else { "" };
        items.push((swatch, format!("{} {}/{}{x}", ship.name, ship.damage, ship.start)));
    }
    if let (true, swatch) =
        (fixed(state), "<line x1=\"100\" y1=\"550\" x2=\"1000\" y2=\"550\" stroke=\"#111111\" stroke-width=\"200\"/>")
    {
        items.push((swatch.to_owned(), "edge of the board".to_owned()));
    }
    items.extend(art::arrow_legend(arrows, id).into_iter().map(|(swatch, word)| {
        (
            swatch,
            match word.as_str() {
                "attack" => "broadside".to_owned(),
                _ => word,
            },
        )
    }));
    items
}
