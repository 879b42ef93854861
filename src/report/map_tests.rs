use super::super::map::{Arrow, Counter};
use super::super::map_svg::map_svg;
use super::*;
use crate::board::{Cell, Mark, Provenance};
use crate::hex::{Grid, Lower};
use crate::side::Side;
use std::collections::BTreeSet;

/// Ground with a word of every kind, known and unknown to the drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Drawn;

macro_rules! kinds {
    ($name:ident, $($kind:ident = $word:literal),*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum $name { $($kind),* }
        impl Kind for $name {
            const ALL: &'static [$name] = &[$($name::$kind),*];
            fn word(self) -> &'static str { match self { $($name::$kind => $word),* } }
        }
    };
}

kinds!(
    Terrain,
    Clear = "clear",
    Swamp = "swamp",
    Water = "waterway",
    Crossing = "crossing",
    Forest = "forest",
    Hill = "hill",
    Town = "town",
    Fence = "fence",
    Trench = "entrenchment",
    Fort = "fort",
    Light = "light-woods",
    Orchard = "orchard",
    Oats = "oats"
);
kinds!(Feature, Church = "church", Redoubt = "redoubt");
kinds!(
    Lie,
    Creek = "creek",
    River = "river",
    Slope = "slope",
    Works = "works",
    Wall = "wall",
    Ford = "ford",
    Gully = "gully"
);
kinds!(Way, Road = "road", Path = "path");

impl Ground for Drawn {
    type Terrain = Terrain;
    type Feature = Feature;
    type Side = Lie;
    type Way = Way;
}

fn sample(columns: i32, rows: i32, lower: Lower) -> Map<Drawn> {
    let mut map = Map::uniform(Grid::new(1, 1, columns, rows, lower).unwrap(), Terrain::Clear, Provenance::Owner);
    let at = |label: &str| Grid::new(1, 1, columns, rows, lower).unwrap().hex(label).unwrap();
    for (n, terrain) in Terrain::ALL.iter().enumerate().filter(|(n, _)| *n < usize::try_from(columns - 1).unwrap()) {
        for row in 2..=3.min(rows) {
            let hex = map.grid().at(2 + i32::try_from(n).unwrap(), row);
            map.lay(hex, Cell { terrain: *terrain, features: BTreeSet::new(), level: i8::try_from(n).unwrap() });
        }
    }
    map.add(at("0301"), Feature::Church);
    map.add(at("0301"), Feature::Redoubt);
    for (n, kind) in Lie::ALL.iter().enumerate() {
        let hex = map.grid().at(1 + i32::try_from(n).unwrap() % columns, 4);
        for dir in [1u8, 2] {
            let edge = Edge::of(hex, crate::hex::Dir::try_from(dir).unwrap());
            let sign = (*kind == Lie::Slope || *kind == Lie::Works).then_some(hex);
            map.add_side(edge, Mark { kind: *kind, sign });
        }
    }
    map.add_way(at("0105"), at("0205"), Way::Road);
    map.add_way(at("0205"), at("0305"), Way::Road);
    map.add_way(at("0105"), at("0106"), Way::Path);
    map.name("Fort <George> & \"Town\"", [at("0105")]);
    map.add_entry("A", [at("0101")]);
    map
}

fn counter(map: &Map<Drawn>, label: &str, side: Option<Side>, mark: &str, note: &str) -> Counter {
    let hex = map.hex(label).unwrap();
    Counter { hex, side, mark: mark.into(), note: note.into(), name: format!("the {mark} company") }
}

fn layer(map: &Map<Drawn>) -> Layer {
    let at = |label: &str| map.hex(label).unwrap();
    Layer {
        counters: vec![
            counter(map, "0505", Some(Side::British), "41F", "3-2"),
            counter(map, "0505", Some(Side::British), "RA", ""),
            counter(map, "0604", Some(Side::American), "NY13", "2"),
            counter(map, "0105", None, "<&>", "\u{1b}[31m"),
        ],
        arrows: vec![
            (Arrow::Move, vec![at("0506"), at("0505")]),
            (Arrow::Fire, vec![at("0505"), at("0604")]),
            (Arrow::Retreat, vec![at("0604"), at("0703"), at("0702")]),
        ],
    }
}

#[test]
fn a_map_in_letters_is_as_it_would_be_written_by_hand() {
    let map = sample(7, 6, Lower::Even);
    let text = map_text(&map, &layer(&map));
    let expected = "    01      03      05      07
        02      04      06
01  .       e       .       .
        .       .       .
02  .       s       c       h
        .       w       f
03  .       s       c       h
        .       w       f
04  .       .       .       .
        .       .       .:NY13
05  .:<&>   .       .:41F+  .
        .       .       .
06  .       .       .       .
        .       .       .

";
    let drawn: String = text.split_inclusive('\n').take(15).collect();
    // The redoubt stands in 0301 after the church and is what is shown there.
    assert_eq!(drawn, expected, "{text}");
    assert!(text.contains("e redoubt"), "{text}");
    assert!(text.contains("0505  41F 3-2 the 41F company; RA the RA company\n"), "{text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn no_line_is_wider_than_a_mail_and_every_hex_of_a_wide_map_is_drawn_once() {
    for (columns, lower) in [(18, Lower::Even), (19, Lower::Odd), (60, Lower::Even), (8, Lower::Odd)] {
        let map = sample(columns, 9, lower);
        let text = map_text(&map, &layer(&map)) + &map_lists(&map);
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{} columns: {line}", line.chars().count());
            assert_eq!(line, line.trim_end());
        }
        // The letter of clear ground stands nowhere else above the legend.
        let drawn = text.split("Ground:").next().unwrap();
        let clear = map.cells().filter(|(_, cell)| cell.terrain == Terrain::Clear && cell.features.is_empty());
        assert_eq!(drawn.matches('.').count(), clear.count(), "{text}");
    }
}

#[test]
fn lists_name_every_hexside_and_road_as_a_map_file_does() {
    let map = sample(8, 6, Lower::Even);
    let lists = map_lists(&map);
    assert!(lists.contains("creek: 0104-0103"), "{lists}");
    assert!(lists.contains("slope: 0304>"), "{lists}");
    assert!(lists.contains("road: 0105-0205 0205-0305\n"), "{lists}");
    assert!(lists.contains("Entry A: 0101\n"), "{lists}");
}

/// Checks that a text is one well-formed XML element: tags paired, attributes quoted and unlike, no bare `&` or `<`.
pub(super) fn well_formed(xml: &str) -> Result<usize, String> {
    let (mut open, mut count, mut rest): (Vec<&str>, usize, &str) = (Vec::new(), 0, xml.trim());
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        if (open.is_empty() && !text.trim().is_empty()) || text.contains('>') {
            return Err(format!("text `{text}`"));
        }
        entities(text)?;
        let end = tag.find('>').ok_or("a tag that never ends")?;
        let (inner, after) = (&tag[1..end], &tag[end + 1..]);
        rest = after;
        if let Some(name) = inner.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes another tag"));
            }
        } else {
            if open.is_empty() && count > 0 {
                return Err("a second element".to_owned());
            }
            count += 1;
            let body = inner.strip_suffix('/').unwrap_or(inner);
            let name = body.split(' ').next().unwrap_or("");
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
                return Err(format!("a tag named `{name}`"));
            }
            attributes(&body[name.len()..])?;
            if !inner.ends_with('/') {
                open.push(name);
            }
        }
    }
    if open.is_empty() && rest.trim().is_empty() && count > 0 {
        Ok(count)
    } else {
        Err(format!("left open: {open:?} {rest}"))
    }
}

fn attributes(text: &str) -> Result<(), String> {
    let (mut rest, mut names) = (text.trim(), BTreeSet::new());
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").ok_or(format!("attributes `{rest}`"))?;
        let (value, after) = value.split_once('"').ok_or(format!("attribute {name} never ends"))?;
        let fine = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !fine || !names.insert(name) || value.contains('<') {
            return Err(format!("attribute `{name}`"));
        }
        entities(value)?;
        rest = after.trim_start();
    }
    Ok(())
}

fn entities(text: &str) -> Result<(), String> {
    let bad = text.split('&').skip(1).find(|s| !["amp;", "lt;", "gt;", "quot;"].iter().any(|e| s.starts_with(e)));
    bad.map_or(Ok(()), |s| Err(format!("a bare & before `{s}`")))
}

#[test]
fn the_picture_is_well_formed_has_every_hex_and_nothing_from_outside() {
    for (columns, rows, lower) in [(16, 9, Lower::Even), (8, 6, Lower::Odd), (60, 40, Lower::Even)] {
        let map = sample(columns, rows, lower);
        let svg = map_svg(&map, &layer(&map), "Before <the> \"fight\" & after\u{7}", "be\"fore 1");
        let elements = well_formed(&svg).unwrap();
        assert!(elements > 4 * map.cells().count() / 2, "{elements}");
        for (hex, _) in map.cells() {
            assert!(svg.contains(&format!(">{}", map.label(hex))), "{}", map.label(hex));
        }
        assert!(!svg.contains("http") || svg.matches("http").count() == 1, "only the name space");
        assert!(!svg.contains('\u{7}') && !svg.contains('\u{1b}') && !svg.contains("NaN"));
        // Every pattern that is used is there.
        for part in svg.split("url(#").skip(1) {
            let name = part.split(')').next().unwrap();
            assert!(svg.contains(&format!("id=\"{name}\"")), "{name}");
        }
        assert!(svg.contains("Fort &lt;George&gt; &amp; &quot;Town&quot;") && svg.contains("&lt;&amp;&gt;"));
        // Three arrows, and each kind once more in the legend.
        assert_eq!(svg.matches("marker-end").count(), 6);
    }
}

#[test]
fn the_check_for_well_formed_pictures_finds_faults() {
    for bad in
        ["<a><b></a></b>", "<a>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>", "<a/><b/>", "<a>x > y</a>", "text"]
    {
        assert!(well_formed(bad).is_err(), "{bad}");
    }
    assert_eq!(well_formed("<a x=\"1\"><b/>t &amp; u</a>"), Ok(2));
}

/// Neighbouring looks differ in letter and pattern, whatever the words.
#[test]
fn no_two_kinds_of_ground_share_a_letter() {
    let map = sample(16, 9, Lower::Even);
    let looks = looks(&map);
    assert_eq!(looks.len(), Terrain::ALL.len() + 2);
    let signs: BTreeSet<char> = looks.values().map(|look| look.sign).collect();
    assert_eq!(signs.len(), looks.len(), "{looks:?}");
}
