//! The strokes and patterns of the picture of a map, and its legend.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::map::{Arrow, Counter, Layer, Look, Pattern, looks, plain};
use super::map_svg::{colours, hover, owner};
use crate::board::{Ground, Kind, Map};

/// Text for XML: no control characters, no markup.
pub(super) fn text(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Patterns of every terrain in use, and the head of an arrow.
pub(super) fn definitions(looks: &BTreeMap<&'static str, Look>, id: &str, out: &mut String) {
    out.push_str("<defs>\n");
    for (word, look) in looks {
        let (size, strokes) = strokes(look.pattern);
        let _ = writeln!(
            out,
            "<pattern id=\"{id}-{word}\" width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\">\
             <rect width=\"{size}\" height=\"{size}\" fill=\"{}\"/>{strokes}</pattern>",
            look.fill
        );
    }
    head(id, out);
    out.push_str("</defs>\n");
}

/// The head of arrows.
pub(super) fn head(id: &str, out: &mut String) {
    let _ = writeln!(
        out,
        "<marker id=\"{id}-head\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"4\" markerHeight=\"4\" \
         orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#111111\"/></marker>"
    );
}

/// The size of a pattern's tile and what is drawn on it.
fn strokes(pattern: Pattern) -> (i32, String) {
    let path = |d: &str, colour: &str, width: i32| {
        format!("<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>")
    };
    let solid = |d: &str, colour: &str| format!("<path d=\"{d}\" fill=\"{colour}\"/>");
    match pattern {
        Pattern::Plain => (500, String::new()),
        Pattern::Trees => (520, solid("M130 40L220 260H40z M390 300L480 520H300z", "#3f6b35")),
        Pattern::Bushes => (
            520,
            solid(
                "M80 130a50 50 0 1 0 100 0a50 50 0 1 0 -100 0z M340 390a50 50 0 1 0 100 0a50 50 0 1 0 -100 0z",
                "#6c8f5e",
            ),
        ),
        Pattern::Hachures => (400, path("M60 340L120 60 M200 340L200 60 M340 340L280 60", "#94652a", 34)),
        Pattern::Reeds => (
            520,
            path("M40 180H240 M140 180V60 M90 180L60 90 M190 180L220 90 M300 440H500 M400 440V320", "#4a6475", 30),
        ),
        Pattern::Waves => (480, path("M0 160Q120 60 240 160T480 160 M0 400Q120 300 240 400T480 400", "#1f5c99", 36)),
        Pattern::Planks => (360, path("M0 90H360 M0 270H360 M90 90V270 M270 270V360 M270 0V90", "#58719a", 30)),
        Pattern::Houses => (560, solid("M60 260V150L140 70L220 150V260z M340 520V410L420 330L500 410V520z", "#4d4038")),
        Pattern::Rails => (480, path("M0 200H480 M0 300H480 M120 130V370 M360 130V370", "#8a6d2f", 34)),
        Pattern::Trench => (480, path("M0 300H90V150H210V300H330V150H450V300H480", "#5d4317", 44)),
        Pattern::Walls => (400, path("M0 20H400 M0 210H400 M100 20V210 M300 210V400", "#50483c", 40)),
        Pattern::Stripes => (360, path("M0 360L360 0 M-90 90L90 -90 M270 450L450 270", "#8c7aa0", 40)),
    }
}

/// A road or path from centre to centre.
pub(super) fn way(word: &str, (x1, y1, x2, y2): (i32, i32, i32, i32), out: &mut String) {
    let line = format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke-linecap=\"round\"");
    let _ = match word {
        "road" | "turnpike" => writeln!(
            out,
            "{line} stroke=\"#4a3214\" stroke-width=\"190\"/>{line} stroke=\"#e9d8b4\" stroke-width=\"90\"/>"
        ),
        "path" | "trail" | "lane" => {
            writeln!(out, "{line} stroke=\"#4a3214\" stroke-width=\"90\" stroke-dasharray=\"200 170\"/>")
        }
        _ => writeln!(out, "{line} stroke=\"#4a3214\" stroke-width=\"100\" stroke-dasharray=\"20 190\"/>"),
    };
}

/// What lies on a hexside; `sign` is the centre of the hex its sign stands in, on which a tooth is drawn.
pub(super) fn side(word: &str, ends: (i32, i32, i32, i32), sign: Option<(i32, i32)>, out: &mut String) {
    let (x1, y1, x2, y2) = ends;
    let (colour, width, dash) = match word {
        "river" | "waterway" => ("#0f4c8a", 260, ""),
        "creek" | "stream" | "run" | "brook" => ("#1668b8", 150, ""),
        "bridge" | "ford" | "crossing" => ("#e0a800", 150, "180 120"),
        "wall" => ("#333333", 150, "230 90"),
        "fence" | "hedge" | "hedgerow" => ("#5d4a1e", 120, "60 100"),
        "slope" | "hill" | "crest" => ("#94652a", 130, "90 60"),
        "works" | "fieldworks" | "entrenchment" | "redoubt" => ("#111111", 210, ""),
        _ => ("#6b3fa0", 170, "300 110 60 110"),
    };
    let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
    let _ = writeln!(
        out,
        "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>"
    );
    if let Some((cx, cy)) = sign {
        // A tooth whose point lies on the way to the centre of that hex.
        let (mx, my) = ((x1 + x2) / 2, (y1 + y2) / 2);
        let (px, py) = (mx + (cx - mx) * 3 / 10, my + (cy - my) * 3 / 10);
        let (ax, ay, bx, by) = (mx + (x1 - mx) / 2, my + (y1 - my) / 2, mx + (x2 - mx) / 2, my + (y2 - my) / 2);
        let _ = writeln!(out, "<polygon points=\"{ax},{ay} {px},{py} {bx},{by}\" fill=\"{colour}\"/>");
    }
}

/// What stands in a hex besides its terrain: its letter in a box.
pub(super) fn badge(sign: char, x: i32, y: i32, out: &mut String) {
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"300\" height=\"320\" fill=\"#ffffff\" stroke=\"#222222\" stroke-width=\"35\"/>\
         <text x=\"{x}\" y=\"{}\" font-size=\"280\" font-weight=\"bold\">{sign}</text>",
        x - 150,
        y - 160,
        y + 100
    );
}

/// One counter, its centre at a point.
pub(super) fn counter(counter: &Counter, x: i32, y: i32, out: &mut String) {
    let (fill, round) = colours(counter.side);
    let _ = writeln!(
        out,
        "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"900\" height=\"760\" rx=\"{round}\" fill=\"{fill}\" \
         stroke=\"#ffffff\" stroke-width=\"50\"/>",
        text(&hover(counter)),
        x - 450,
        y - 380
    );
    let mark: String = plain(&counter.mark).chars().take(4).collect();
    let note: String = plain(&counter.note).chars().take(5).collect();
    let top = if note.is_empty() { y + 130 } else { y };
    let size = if mark.chars().count() > 3 { 300 } else { 360 };
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{top}\" font-size=\"{size}\" font-weight=\"bold\" fill=\"#ffffff\">{}</text>",
        text(&mark)
    );
    if !note.is_empty() {
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{}\" font-size=\"300\" fill=\"#ffffff\">{}</text>",
            y + 320,
            text(&note)
        );
    }
    out.push_str("</g>\n");
}

/// The point that lies a number of units from one point towards another; half of the way at most.
fn nearer(from: (i32, i32), to: (i32, i32), units: i32) -> (i32, i32) {
    let (dx, dy) = (i64::from(to.0 - from.0), i64::from(to.1 - from.1));
    let far = (dx * dx + dy * dy).isqrt().max(1);
    let go = i64::from(units).min(far / 2);
    let part = |d: i64| i32::try_from(d * go / far).unwrap_or(0);
    (from.0 + part(dx), from.1 + part(dy))
}

/// An arrow through points, the start first; none of fewer than two. Both ends keep off the counters there.
pub(super) fn arrow(kind: Arrow, points: &[(i32, i32)], id: &str, out: &mut String) {
    let mut points = points.to_vec();
    if points.len() < 2 {
        return;
    }
    if let [first, next, ..] = points.as_mut_slice() {
        *first = nearer(*first, *next, 480);
    }
    if let [.., before, last] = points.as_mut_slice() {
        *last = nearer(*last, *before, 560);
    }
    stroke(kind, &points, id, out);
}

/// The line of an arrow, as long as it is told.
fn stroke(kind: Arrow, points: &[(i32, i32)], id: &str, out: &mut String) {
    let points = points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
    let dash = match kind {
        Arrow::Move => "",
        Arrow::Fire => " stroke-dasharray=\"20 240\" stroke-linecap=\"round\"",
        Arrow::Retreat => " stroke-dasharray=\"330 200\"",
    };
    let line = format!("<polyline points=\"{points}\" fill=\"none\" stroke-linejoin=\"round\"");
    let _ = writeln!(out, "{line} stroke=\"#ffffff\" stroke-width=\"210\" stroke-opacity=\"0.8\"/>");
    let _ = writeln!(out, "{line} stroke=\"#111111\" stroke-width=\"110\"{dash} marker-end=\"url(#{id}-head)\"/>");
}

/// The kinds of arrows among some, each with its swatch and word for a legend.
pub(super) fn arrow_legend(arrows: &[(Arrow, Vec<crate::hex::Hex>)], id: &str) -> Vec<(String, String)> {
    let words = [(Arrow::Move, "move"), (Arrow::Fire, "attack"), (Arrow::Retreat, "retreat")];
    let used = words.into_iter().filter(|(kind, _)| arrows.iter().any(|(k, way)| k == kind && way.len() > 1));
    used.map(|(kind, word)| {
        let mut swatch = String::new();
        stroke(kind, &[(0, 550), (1_000, 550)], id, &mut swatch);
        (swatch, word.to_owned())
    })
    .collect()
}

/// The legend: its lines and what is drawn, from the corner at the top left.
pub(super) struct LegendBox {
    pub lines: i32,
    pub svg: String,
}

/// Everything on the map with its word.
pub(super) fn legend<G: Ground>(map: &Map<G>, layer: &Layer, id: &str, width: i32) -> LegendBox {
    let mut items: Vec<(String, String)> = Vec::new();
    for (word, look) in looks(map) {
        if G::Terrain::of(word).is_none() {
            let mut swatch = String::new();
            badge(look.sign, 550, 550, &mut swatch);
            items.push((swatch, word.to_owned()));
            continue;
        }
        let swatch = format!(
            "<rect y=\"150\" width=\"1100\" height=\"800\" fill=\"url(#{id}-{word})\" stroke=\"#8a8a8a\" stroke-width=\"30\"/>"
        );
        items.push((swatch, if look.sign == '.' { word.to_owned() } else { format!("{} {word}", look.sign) }));
    }
    for word in G::Side::ALL.iter().filter(|kind| map.sides().any(|(_, m)| m.iter().any(|mark| mark.kind == **kind))) {
        let mut swatch = String::new();
        side(word.word(), (0, 550, 1_100, 550), None, &mut swatch);
        items.push((swatch, word.word().to_owned()));
    }
    for word in G::Way::ALL.iter().filter(|kind| map.ways().any(|(_, ways)| ways.contains(kind))) {
        let mut swatch = String::new();
        way(word.word(), (100, 550, 1_000, 550), &mut swatch);
        items.push((swatch, word.word().to_owned()));
    }
    let mut owners = BTreeSet::new();
    for known in layer.counters.iter().filter(|counter| owners.insert(counter.side)) {
        let shown = Counter { mark: String::new(), note: String::new(), name: String::new(), ..known.clone() };
        let mut swatch = String::new();
        counter(&shown, 550, 550, &mut swatch);
        items.push((swatch, owner(known).to_owned()));
    }
    items.extend(arrow_legend(&layer.arrows, id));
    // What lies below the top counter of a hex cannot be seen in print.
    for (hex, stack) in layer.stacks().into_iter().filter(|(_, stack)| stack.len() > 1) {
        let swatch =
            format!("<text x=\"550\" y=\"700\" font-size=\"450\" font-weight=\"bold\">{}</text>", map.label(hex));
        let marks =
            stack.iter().map(|c| if c.note.is_empty() { c.mark.clone() } else { format!("{} {}", c.mark, c.note) });
        items.push((swatch, plain(&marks.collect::<Vec<_>>().join(", "))));
    }
    lay_out(items, width)
}

/// Swatches with their words side by side, in as many lines as they need.
pub(super) fn lay_out(items: Vec<(String, String)>, width: i32) -> LegendBox {
    let (mut x, mut line, mut svg) = (0, 0, String::new());
    for (swatch, word) in items {
        let long = 1_500 + 260 * i32::try_from(word.chars().count()).unwrap_or(99) + 500;
        if x > 0 && x + long > width {
            (x, line) = (0, line + 1);
        }
        let _ = writeln!(
            svg,
            "<g transform=\"translate({x} {})\">{swatch}<text x=\"1300\" y=\"700\" font-size=\"450\" \
             text-anchor=\"start\">{}</text></g>",
            1_200 * line,
            text(&word)
        );
        x += long;
    }
    LegendBox { lines: line + 1, svg }
}
