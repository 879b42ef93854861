use super::*;
use crate::board::{Border, Kind, Mark, NoKind, Provenance};
use crate::hex::{Dir, Edge, Hex};

/// Ground of a book that has everything.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Full;

macro_rules! kinds {
    ($name:ident, $($kind:ident = $word:literal),*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        enum $name { $($kind),* }
        impl Kind for $name {
            const ALL: &'static [$name] = &[$($name::$kind),*];
            fn word(self) -> &'static str { match self { $($name::$kind => $word),* } }
        }
    };
}

kinds!(Terrain, Clear = "clear", Woods = "woods");
kinds!(Feature, Town = "town", Works = "works");
kinds!(Lie, Creek = "creek", Slope = "slope");
kinds!(Way, Road = "road");

impl Ground for Full {
    type Terrain = Terrain;
    type Feature = Feature;
    type Side = Lie;
    type Way = Way;
}

const GOOD: &str = "countersign: 1
kind: map
id: t
title: A test
map:
  provenance: reconstruction
  how: made up
  first: \"0203\"
  last: \"0505\"
  lower: even
  legend:
    \".\": {terrain: clear}
    w: {terrain: woods, level: 2}
    T: {terrain: clear, features: [town], level: 1}
  hexes: |
    03: . w . -
    04: . . T w
    05: . . . .
  features:
    - {kind: works, hexes: 0404 0504}
  hexsides:
    - kind: creek
      sides: 0203-0303 0303-0304
    - kind: slope
      sides: \"0404>0304, 0404>0405\"
  roads:
    - {kind: road, along: 0203-0304-0404 0404-0504}
  places:
    - {name: Hamlet, hexes: \"0404\"}
  entries:
    - {name: A, hexes: 0203 0204}
  sources:
    - {hexes: \"0404\", provenance: rulebook, how: BRW-7.1}
";

fn good() -> Map<Full> {
    read(GOOD.as_bytes(), "t.yaml").map_err(|e| format!("{e:#?}")).unwrap().1
}

#[test]
fn a_map_is_read_as_it_was_typed() {
    let map = good();
    let at = |label: &str| map.hex(label).unwrap();
    assert_eq!(map.cells().count(), 11);
    assert!(map.hex("0503").is_err() && map.hex("0603").is_err());
    assert_eq!(map.terrain(at("0303")), Some(Terrain::Woods));
    assert_eq!(map.cell(at("0303")).map(|c| c.level), Some(2));
    assert_eq!(map.words(at("0404")), ["clear", "town", "works"]);
    assert!(map.has(at("0504"), Feature::Works) && !map.has(at("0504"), Feature::Town));
    let side = |a: &str, b: &str| Edge::between(at(a), at(b)).unwrap();
    assert!(map.has_side(side("0303", "0203"), Lie::Creek));
    let slope = map.on_side(side("0404", "0304")).collect::<Vec<_>>();
    assert_eq!(slope, [Mark { kind: Lie::Slope, sign: Some(at("0404")) }]);
    assert_eq!(map.sides().count(), 4);
    assert!(map.has_way(at("0404"), at("0304"), Way::Road) && !map.has_way(at("0404"), at("0405"), Way::Road));
    assert_eq!(map.ways().count(), 3);
    assert_eq!(map.names(at("0404")).collect::<Vec<_>>(), ["Hamlet"]);
    assert_eq!(map.entries()["A"].len(), 2);
    assert_eq!(map.sources()[&at("0404")].provenance, Provenance::Rulebook);
    let labels = |border: Border| map.border(border).into_iter().map(|h| map.label(h)).collect::<Vec<_>>();
    assert_eq!(labels(Border::North), ["0203", "0303", "0403", "0504"]);
    assert_eq!(labels(Border::South), ["0205", "0305", "0405", "0505"]);
    assert_eq!(labels(Border::East), ["0403", "0504", "0505"]);
    assert_eq!(map.to_border(at("0203"), Border::East), Some(2));
    assert_eq!(at("0203").step(Dir::ALL[2]), at("0304"));
}

#[test]
fn line_ends_and_blanks_do_not_matter() {
    let crlf = GOOD.replace('\n', "\r\n");
    assert_eq!(read::<Full>(crlf.as_bytes(), "t").unwrap().1, good());
    let tight = GOOD.replace("03: . w . -", ".w.-").replace("04: . . T w", "  04 :. .Tw");
    assert_eq!(read::<Full>(tight.as_bytes(), "t").unwrap().1, good());
}

/// Every problem at once, each where it stands: `@@` is put before it.
#[test]
fn every_fault_of_a_file_is_told_with_line_and_column() {
    let cases: &[(&str, &str, &str)] = &[
        ("w: {terrain: woods, level: 2}", "w: {terrain: @@wood, level: 2}", "`wood` is no terrain"),
        ("features: [town]", "features: [@@towne]", "`towne` is no feature"),
        ("03: . w . -", "@@04: . w . -", "row 03, not 04"),
        ("03: . w . -", "@@03: . w .", "row 03 has 3 hexes"),
        ("04: . . T w", "04: . . @@X w", "`X` does not stand in the legend"),
        ("kind: works, hexes: 0404 0504", "kind: works, hexes: 0404 @@0604", "outside the map"),
        ("kind: works, hexes: 0404 0504", "kind: works, hexes: 0404 @@0503", "the map has no hex 0503"),
        ("kind: works, hexes: 0404 0504", "kind: works, hexes: 0404 @@0404", "twice"),
        ("kind: creek", "kind: @@brook", "`brook` is no hexside"),
        ("sides: 0203-0303 0303-0304", "sides: 0203-0303 @@0303-0305", "not side by side"),
        ("sides: 0203-0303 0303-0304", "sides: 0203-0303 0303-@@3O4", "`3O4` is no hex"),
        ("0404>0304, 0404>0405", "0404>0304, 0405>@@9999", "outside the map"),
        ("0404>0304, 0404>0405", "0404>0304, @@0304>0404", "twice"),
        ("along: 0203-0304-0404", "along: 0203-@@0403-0404", "0403 is not beside 0203"),
        ("name: Hamlet", "name: @@\" \"", "empty"),
        ("last: \"0505\"", "last: @@\"0102\"", "north or west"),
        ("kind: map", "kind: @@mop", "no map"),
        ("hexes: 0203 0204", "hexes: 0203 @@204", "`204` is no hex"),
        ("hexes: \"0404\", provenance", "hexes: \"0404 @@0909\", provenance", "outside the map"),
    ];
    for (from, to, what) in cases {
        let marked = GOOD.replacen(from, to, 1);
        let (line, column) = marked
            .lines()
            .enumerate()
            .find_map(|(n, line)| line.find("@@").map(|at| (n + 1, line[..at].chars().count() + 1)))
            .unwrap();
        let text = marked.replacen("@@", "", 1);
        let errors = read::<Full>(text.as_bytes(), "t.yaml").unwrap_err();
        let place = errors[0].at.clone().unwrap();
        let quoted = usize::from(to.contains("@@\"") && *what != "empty");
        assert_eq!((place.line, place.column), (line, column + quoted), "{to}: {}", errors[0]);
        assert!(errors[0].to_string().contains(what), "{to}: {}", errors[0]);
        assert!(!errors[0].next.is_empty(), "{}", errors[0]);
        assert_eq!(errors.len(), 1, "{to}: {errors:#?}");
    }
}

#[test]
fn all_faults_come_at_once_in_the_order_of_the_file() {
    let text = GOOD
        .replace("terrain: woods", "terrain: wood")
        .replace("04: . . T w", "04: . X T X")
        .replace("kind: creek", "kind: brook")
        .replace("0203-0304-0404", "0203-0404")
        .replace("hexes: 0203 0204", "hexes: 0203 0999");
    let errors = read::<Full>(text.as_bytes(), "t.yaml").unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|e| e.at.as_ref().unwrap().line).collect();
    assert_eq!(lines, [13, 17, 22, 27, 31], "{errors:#?}");
    assert!(errors[1].what.contains("2 times"), "{}", errors[1]);
}

#[test]
fn a_row_too_many_or_few_is_told() {
    for (from, to) in [("    05: . . . .\n", ""), ("    05: . . . .\n", "    05: ....\n    06: ....\n")] {
        let errors = read::<Full>(GOOD.replace(from, to).as_bytes(), "t").unwrap_err();
        assert!(errors.iter().any(|e| e.what.contains("rows stand here; the map has 3")), "{errors:#?}");
    }
}

/// Maps of few tiles on plain ground need no drawing (FHG-2.2).
#[test]
fn tiles_on_plain_ground_make_a_map_too() {
    let text = "countersign: 1
kind: map
id: t
title: T
map:
  provenance: owner
  first: \"0101\"
  last: \"0403\"
  lower: odd
  ground: clear
  tiles:
    - {terrain: woods, hexes: 0102 0203, level: 3}
    - {terrain: clear, hexes: \"0202\"}
";
    let map = read::<Full>(text.as_bytes(), "t").unwrap().1;
    assert_eq!(map.cells().count(), 12);
    let woods: Vec<String> =
        map.cells().filter(|(_, c)| c.terrain == Terrain::Woods && c.level == 3).map(|(h, _)| map.label(h)).collect();
    assert_eq!(woods, ["0102", "0203"]);
    let refused = |from: &str, to: &str| {
        let errors = read::<Full>(text.replacen(from, to, 1).as_bytes(), "t").unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:#?}");
        let at = errors[0].at.clone().unwrap();
        (at.line, at.column, errors[0].what.clone())
    };
    assert_eq!(refused("\"0202\"", "\"0102\""), (13, 32, "hex 0102 has another tile in a row above".to_owned()));
    assert_eq!(refused("ground: clear", "ground: clay"), (10, 11, "`clay` is no terrain of this book".to_owned()));
    assert!(refused("  ground: clear\n", "").2.contains("neither"));
    assert!(refused("terrain: woods", "terrain: wood").2.contains("no terrain"));
    let both = GOOD.replace("  lower: even", "  lower: even\n  ground: clear");
    assert!(read::<Full>(both.as_bytes(), "t").unwrap_err()[0].what.contains("already"));
    let over = GOOD.replace("  features:\n", "  tiles:\n    - {terrain: woods, hexes: 0404 0403}\n  features:\n");
    let map = read::<Full>(over.as_bytes(), "t").unwrap().1;
    assert_eq!(map.words(map.hex("0404").unwrap()), ["woods", "town", "works"]);
}

/// The example that people copy is a sound map.
#[test]
fn the_example_of_the_manual_is_read() {
    let manual = include_str!("../../scenarios/MAPS.md");
    let example = manual.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let example =
        example.replace("forest", "woods").replace("hill", "woods").replace("terrain: town", "terrain: clear");
    let example = example.replace("church", "town").replace("redoubt", "works");
    let map = read::<Full>(example.as_bytes(), "example").map_err(|e| format!("{e:#?}")).unwrap().1;
    assert_eq!(map.cells().count(), 22);
    assert_eq!((map.sides().count(), map.ways().count()), (5, 4));
}

/// A book without hexsides says so, and no text whatever makes the reader panic.
#[test]
fn words_a_book_does_not_have_are_refused_and_odd_bytes_never_panic() {
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Bare;
    impl Ground for Bare {
        type Terrain = Terrain;
        type Feature = NoKind;
        type Side = NoKind;
        type Way = NoKind;
    }
    let errors = read::<Bare>(GOOD.as_bytes(), "t").unwrap_err();
    assert!(errors.iter().any(|e| e.next.contains("this book has none")), "{errors:#?}");
    assert!(read::<Bare>(&[0xff, 0xfe, 0], "t").is_err());
    for n in 0..GOOD.len() {
        for odd in ["", "-", "\u{e9}", "99", ":", "\"", ">", "0"] {
            if GOOD.is_char_boundary(n) && n % 3 == 0 {
                let _ = read::<Full>(format!("{}{odd}{}", &GOOD[..n], &GOOD[n + 1..]).as_bytes(), "t");
            }
        }
    }
    let huge = GOOD.replace("0203\"", "0000\"").replace("0505\"", "9999\"");
    assert!(read::<Full>(huge.as_bytes(), "t").is_err());
}

/// A map inside a larger document is pointed at as well.
#[test]
fn faults_of_a_map_inside_a_scenario_have_their_place() {
    let text = "battle:\n  map:\n    hexes: |\n      . x\n      . .\n";
    let fault = Fault { path: vec!["hexes".to_owned()], line: 0, column: 2, what: "w".into(), next: String::new() };
    let errors = placed(text, "s.yaml", vec![fault.under("map").under("battle")]);
    let place = errors[0].at.clone().unwrap();
    assert_eq!((place.line, place.column), (4, 9));
    let lost = Fault { path: vec!["nowhere".to_owned()], line: 3, column: 9, what: "w".into(), next: String::new() };
    assert_eq!(placed(text, "s.yaml", vec![lost]).len(), 1);
    let folded = "a: 0101\n   0202\n   0303\n";
    let fault = Fault { path: vec!["a".to_owned()], line: 0, column: 10, what: "w".into(), next: String::new() };
    let place = placed(folded, "", vec![fault])[0].at.clone().unwrap();
    assert_eq!((place.line, place.column), (3, 4));
}

#[test]
fn off_the_map_nothing_lies() {
    let map = good();
    let off = Hex { q: 99, r: 99 };
    assert!(!map.contains(off) && map.words(off).is_empty() && map.terrain(off).is_none());
}
