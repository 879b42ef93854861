//! The owner's own data: what `data new` writes packs into the scenario it came from, every problem is told at once where it
//! stands, the packed file is what the terms name, and a third party verifies with it.
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use countersign::board::{Ground, Kind, NoKind};
use countersign::books::honor::land::{self, LandScenario};
use countersign::catalog::{self, AnyScenario, SCENARIOS};
use countersign::{data, doc};

fn folder(id: &str) -> BTreeMap<String, String> {
    let scenario = catalog::read_any(&catalog::embedded(id).unwrap(), id).unwrap();
    data::begin(&scenario).unwrap().into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
}

fn pack(files: &BTreeMap<String, String>) -> Result<data::Packed, Vec<String>> {
    data::pack(&|name| files.get(name).cloned()).map_err(|all| all.iter().map(ToString::to_string).collect())
}

#[test]
fn every_scenario_goes_through_the_tables_and_comes_out_the_same() {
    for (id, _) in SCENARIOS {
        let packed = pack(&folder(id)).unwrap_or_else(|faults| panic!("{id}: {faults:#?}"));
        assert_eq!(packed.id, format!("my-{id}"));
        let (was, is) = (catalog::embedded(id).unwrap(), packed.text);
        match (catalog::read_any(&was, id).unwrap(), catalog::read_any(&is, id).unwrap()) {
            (AnyScenario::Land(was), AnyScenario::Land(mut is)) => {
                is.id.clone_from(&was.id);
                is.provenance.clone_from(&was.provenance);
                is.how.clone_from(&was.how);
                let drawn = |scenario: &LandScenario| land::Ground::draw(&scenario.map).unwrap().doc();
                assert_eq!(drawn(&was), drawn(&is), "{id}");
                is.map = was.map.clone();
                assert_eq!(was, is, "{id}");
            }
            (AnyScenario::Naval(was), AnyScenario::Naval(mut is)) => {
                is.id.clone_from(&was.id);
                is.provenance.clone_from(&was.provenance);
                is.how.clone_from(&was.how);
                assert_eq!(was, is, "{id}");
            }
            _ => panic!("{id}: another book"),
        }
    }
}

#[test]
fn every_problem_of_every_file_is_told_at_once_where_it_stands() {
    let mut files = folder("queenston-heights");
    let units = files.get_mut("units.csv").unwrap();
    *units = units.replacen(",elite,4,0904,", ",elit,4,904,", 1).replacen(",light,3,0806,", ",light,2,0806,", 1);
    let map = files.get_mut("map.yaml").unwrap();
    *map = map.replacen("05: .", "05: q", 1);
    let head = files.get_mut("battle.yaml").unwrap();
    *head = head.replacen("turns:", "turn:", 1);
    let charts = files.get_mut("charts.csv").unwrap();
    *charts = charts.replacen("to-hit,artillery,1,4", "to-hit,artillery,1,3", 1);
    let told = pack(&files).unwrap_err();
    for part in [
        "battle.yaml, line ",
        "map.yaml, line ",
        "`q` does not stand in the legend",
        "units.csv, line 2, column 46: `elit` is no type",
        "`904` is no hex: it has lost its first zero",
        "to-hit, artillery, 1: your copy has 3, the program plays 4",
    ] {
        assert!(told.iter().any(|t| t.contains(part)), "{part}: {told:#?}");
    }
    // Where the files can be read, the rules' own look points at the row.
    let mut files = folder("queenston-heights");
    let units = files.get_mut("units.csv").unwrap();
    *units = units.replacen(",light,3,0806,", ",light,2,0806,", 1);
    let told = pack(&files).unwrap_err();
    assert!(told.len() == 1 && told[0].starts_with("units.csv, line 3: light-49:"), "{told:#?}");
    for name in ["battle.yaml", "map.yaml", "units.csv", "leaders.csv", "objectives.csv"] {
        let mut files = folder("queenston-heights");
        files.remove(name);
        assert!(pack(&files).unwrap_err().iter().any(|t| t.contains(name)), "{name}");
        for text in ["\u{0}\"[", "", "\n"] {
            files.insert(name.to_owned(), text.to_owned());
            assert!(pack(&files).unwrap_err().iter().any(|t| t.contains(name)), "{name}: {text:?}");
        }
    }
    // A table that is missing is told of once, and not again as an empty one and a side without units.
    let mut files = folder("queenston-heights");
    files.remove("units.csv");
    assert_eq!(pack(&files).unwrap_err().len(), 1);
}

/// The id of a battle is the name of a file, and names are shown on the screens of both players.
#[test]
fn no_id_leaves_its_folder_and_no_name_acts_on_a_screen() {
    for (scenario, file, from, to, told) in [
        ("queenston-heights", "battle.yaml", "\"my-queenston-heights\"", "\"../../x\"", "id: the name of a scenario"),
        ("lake-erie", "battle.yaml", "\"my-lake-erie\"", "\"..\"", "id: the name of a scenario"),
        ("queenston-heights", "battle.yaml", "title: \"Queen", "title: \"\\e[2JQueen", "title: one line"),
        (
            "queenston-heights",
            "units.csv",
            "Grenadiers of",
            "Grenadiers\u{1b}[2J of",
            "grenadiers-49: a name is one line",
        ),
        ("queenston-heights", "leaders.csv", "General Brock", "General\u{202e}Brock", "brock: a name is one line"),
        ("queenston-heights", "map.yaml", "{terrain: hill}", "{terrain: hill, level: -128}", "-128 is no level"),
    ] {
        let mut files = folder(scenario);
        let text = files.get_mut(file).unwrap();
        assert!(text.contains(from), "{text}");
        *text = text.replacen(from, to, 1);
        let faults = pack(&files).unwrap_err();
        assert!(faults.iter().any(|t| t.contains(told)), "{told}: {faults:#?}");
    }
}

/// Ground with everything the painter can draw.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Painted;

macro_rules! kinds {
    ($name:ident: $($kind:ident = $word:literal),*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        enum $name { $($kind),* }
        impl Kind for $name {
            const ALL: &'static [$name] = &[$($name::$kind),*];
            fn word(self) -> &'static str { match self { $($name::$kind => $word),* } }
        }
    };
}
kinds!(Cover: Clear = "clear", Hill = "hill");
kinds!(Thing: Church = "church");
kinds!(Side: Creek = "creek", Slope = "slope");
kinds!(Way: Road = "road");

impl Ground for Painted {
    type Terrain = Cover;
    type Feature = Thing;
    type Side = Side;
    type Way = Way;
}

#[test]
fn what_the_page_writes_is_read_here() {
    let dir = tempfile::tempdir().unwrap();
    let page = folder("queenston-heights").remove(data::PAINTER).unwrap();
    for word in ["http://", "https://", "src=", "@import", "<link"] {
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(word), "{word}");
    }
    let path = dir.path().join("page.html");
    fs::write(&path, page).unwrap();
    let ran = Command::new("node").arg("tests/painter.js").arg(&path).output();
    let Ok(out) = ran else {
        println!("there is no node here to run the page's script");
        return;
    };
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    let (heights, all) = text.split_once("=====\n").unwrap();
    let mut files = folder("queenston-heights");
    let was = pack(&files).unwrap();
    files.insert("map.yaml".into(), heights.to_owned());
    assert_eq!(pack(&files).unwrap(), was);
    let (_, map) = doc::map::read::<Painted>(all.as_bytes(), "painted").unwrap();
    let hex = |label: &str| map.hex(label).unwrap();
    assert!(map.hex("0601").is_err() && map.terrain(hex("0502")) == Some(Cover::Hill));
    assert!(map.has(hex("0502"), Thing::Church) && map.has_way(hex("0102"), hex("0202"), Way::Road));
    assert_eq!(map.cell(hex("0502")).unwrap().level, 2);
    let signs: Vec<_> = map.sides().flat_map(|(_, marks)| marks.iter().map(|m| (m.kind, m.sign))).collect();
    assert!(
        signs.contains(&(Side::Creek, None)) && signs.contains(&(Side::Slope, Some(hex("0503")))) && signs.len() == 2
    );
    assert_eq!(map.places().keys().collect::<Vec<_>>(), ["Mill \"Town\": # 1"]);
    assert!(<NoKind as Kind>::ALL.is_empty());
}

struct Desk(tempfile::TempDir);

impl Desk {
    fn path(&self, of: &str) -> PathBuf {
        self.0.path().join(of)
    }

    fn run(&self, folder: &str, line: &str) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let out = command.args(line.split(' ')).current_dir(self.path(folder)).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{text}");
        (out.status.code().unwrap_or(-1), text)
    }

    fn good(&self, folder: &str, line: &str) -> String {
        let (code, text) = self.run(folder, line);
        assert!(matches!(code, 0 | 3), "{line}: {code}: {text}");
        text
    }
}

fn newest(out: &Path) -> String {
    let mut all: Vec<PathBuf> = fs::read_dir(out).unwrap().map(|e| e.unwrap().path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "packet"));
    all.sort_by_key(|p| fs::metadata(p).unwrap().modified().unwrap());
    all.last().unwrap().display().to_string()
}

#[test]
fn two_friends_play_with_packed_data_and_a_third_verifies() {
    let desk = Desk(tempfile::tempdir().unwrap());
    desk.good(".", "data new mine --from queenston-heights");
    let units = fs::read_to_string(desk.path("mine/units.csv")).unwrap();
    // A spreadsheet on a German Windows saves semicolons and a byte order mark.
    let german = units.replace("Grenadiers of the 49th", "Grenadiers, mine").replace(',', ";").replace('\n', "\r\n");
    let german = german.replace("Grenadiers; mine", "Grenadiers - mine");
    fs::write(desk.path("mine/units.csv"), format!("\u{feff}{german}")).unwrap();
    desk.good(".", "data check mine");
    let said = desk.good(".", "data pack mine --out mine.yaml");
    assert!(said.contains("new --data mine.yaml"), "{said}");
    for name in ["anna", "bob"] {
        desk.good(".", &format!("key new --file {name}.key --no-passphrase"));
    }
    desk.good(".", "new --data mine.yaml --seat american --player Anna --folder anna --key anna.key");
    // Without the packed file, and with another, nobody accepts.
    let accept = "accept anna/out/proposal.packet --player Bob --folder bob --key bob.key";
    assert_ne!(desk.run(".", accept).0, 0);
    let other = fs::read_to_string(desk.path("mine.yaml")).unwrap().replace("Grenadiers - mine", "Grenadiers - other");
    fs::write(desk.path("other.yaml"), other).unwrap();
    let (code, said) = desk.run(".", &format!("{accept} --data other.yaml"));
    assert!(code == 1 && said.contains("is not the one proposed"), "{said}");
    desk.good(".", &format!("{accept} --data mine.yaml"));
    desk.good("anna", "adjudicate ../bob/out/acceptance.packet");
    desk.good("bob", &format!("adjudicate {}", newest(&desk.path("anna/out"))));
    desk.good("anna", &format!("adjudicate {}", newest(&desk.path("bob/out"))));
    assert!(desk.good("anna", "map").contains("Grenadiers - mine"));
    // Somebody else has the log and the packed file alone.
    fs::create_dir(desk.path("third")).unwrap();
    fs::copy(desk.path("anna/game.log"), desk.path("third/game.log")).unwrap();
    assert!(desk.good("third", "verify game.log --data ../mine.yaml").starts_with("GOOD"));
    assert!(desk.run("third", "verify game.log --data ../other.yaml").1.starts_with("BAD"));
    assert!(desk.run("third", "verify game.log").1.starts_with("BAD"));
}
