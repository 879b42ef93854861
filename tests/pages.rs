//! Pictures and pages: every scenario and position can be looked at, a page stands by itself, and what it says of dice is so.
#![cfg(feature = "cli")]

use std::fs;
use std::process::Command;

use countersign::books::honor::naval::{Edge, Leaving, Rulings, start};
use countersign::catalog::{self, AnyScenario, SCENARIOS};
use countersign::log::verify;
use countersign::report;

/// Whether every element of a page is closed in its turn; elements that have no end tag are left out.
fn balanced(page: &str) -> Result<usize, String> {
    let (mut open, mut count) = (Vec::new(), 0);
    for part in page.split('<').skip(1) {
        let (tag, _) = part.split_once('>').ok_or(format!("`<{part}` never ends"))?;
        let name: String = tag.trim_start_matches('/').chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
        count += 1;
        match name.as_str() {
            "" | "meta" | "br" => {}
            _ if tag.starts_with('/') => {
                let last = open.pop().unwrap_or_default();
                if last != name {
                    return Err(format!("</{name}> closes <{last}>"));
                }
            }
            _ if tag.ends_with('/') => {}
            _ => open.push(name),
        }
    }
    if open.is_empty() { Ok(count) } else { Err(format!("left open: {open:?}")) }
}

/// Nothing is fetched and nothing runs.
fn stands_by_itself(page: &str) {
    let names = page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count();
    assert_eq!(page.matches("http").count(), names, "an address beside the name space of pictures");
    for word in ["<script", "src=", "@import", "<link", "onload", "url(h"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn the_page_of_a_whole_battle_proves_every_die() {
    let log = fs::read("examples/wasp-frolic/game.log").unwrap();
    let good = verify(&log, &catalog::embedded, None).unwrap();
    let page = report::html_all(&good.history).unwrap();
    balanced(&page).unwrap();
    stands_by_itself(&page);
    let dice: Vec<_> = good.history.closed().iter().filter_map(|c| c.story.as_ref()).flat_map(|s| &s.dice).collect();
    assert!(dice.len() > 20);
    for die in &dice {
        let cell = format!("<code>{}</code></td><td>{}</td><td>proved</td>", die.ticket, die.step);
        assert!(page.contains(&cell), "{cell}");
    }
    assert_eq!(page.matches("<td>proved</td>").count(), dice.len());
    assert!(!page.contains("DOES NOT FIT") && !page.contains("not proved"));
    for part in ["What happened", "Losses", "Tracks", "How to check this", "countersign audit die", "SINKS"] {
        assert!(page.contains(part), "{part}");
    }
    // Two maps a stretch, and their names do not meet.
    let sections = page.matches("<section ").count();
    assert_eq!(page.matches("<figure>").count(), 2 * sections);
    let ids: Vec<&str> = page.split(" id=\"").skip(1).map(|p| p.split('"').next().unwrap()).collect();
    assert_eq!(ids.len(), ids.iter().collect::<std::collections::BTreeSet<_>>().len(), "an id stands twice");
    // The last step alone is a part of it.
    let last = report::html(&good.history).unwrap();
    assert_eq!(last.matches("<section ").count(), 1);
    assert!(last.len() < page.len());
}

#[test]
fn a_page_check_finds_what_is_left_open() {
    assert!(balanced("<a><b></a></b>").is_err() && balanced("<a>").is_err());
    assert_eq!(balanced("<a><br><b x=\"1\"/></a>"), Ok(4));
}

#[test]
fn the_sea_has_its_edge_its_wind_and_its_headings() {
    for (id, _) in SCENARIOS {
        let AnyScenario::Naval(scenario) = catalog::read_any(&catalog::embedded(id).unwrap(), id).unwrap() else {
            continue;
        };
        let begun = start(&scenario, Rulings::book()).unwrap();
        let svg = report::chart_svg(&begun.state, &[], &scenario.title, "c");
        balanced(&svg).unwrap();
        stands_by_itself(&svg);
        assert!(svg.contains(&format!("Wind toward {} ({})", scenario.wind, scenario.wind.compass())), "{id}");
        for ship in &begun.state.ships {
            let hover =
                format!("<title>{}, heading {}, damage {} of {}", ship.name, ship.heading, ship.damage, ship.start);
            assert!(svg.contains(&hover), "{hover}");
        }
        let turns = svg.matches("rotate(").count();
        assert_eq!(turns, begun.state.ships.len() + 1, "{id}: one for every ship, one for the wind");
    }
    // A fixed edge is a heavy line; beyond a sea without end there are more hexes.
    let text = catalog::embedded("wasp-frolic").unwrap();
    let mut scenario = catalog::read_scenario(&text, "wasp").unwrap();
    scenario.edge = Some(Edge { fixed: true, leaving: Some(Leaving::Stop) });
    scenario.sides.british.ships[0].at = "1A".into();
    let fixed = report::chart_svg(&start(&scenario, Rulings::book()).unwrap().state, &[], "t", "c");
    scenario.edge = None;
    let open = report::chart_svg(&start(&scenario, Rulings::book()).unwrap().state, &[], "t", "c");
    assert!(fixed.contains("edge of the board") && !open.contains("edge of the board"));
    assert!(open.matches("<polygon").count() > fixed.matches("<polygon").count());
}

#[test]
fn every_scenario_and_position_can_be_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_countersign")).args(args).current_dir(dir.path()).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{text}");
        (out.status.code().unwrap(), text)
    };
    for (id, _) in SCENARIOS {
        let (code, text) = run(&["map", "--scenario", id, "--svg", "m.svg", "--text"]);
        assert!(code == 0 && text.lines().all(|line| line.chars().count() <= 200), "{text}");
        balanced(&fs::read_to_string(dir.path().join("m.svg")).unwrap()).unwrap();
        let (code, text) = run(&["moves", "--scenario", id, "--all"]);
        assert!(code == 0 && text.len() > 200, "{text}");
        let (code, text) = run(&["moves", "--scenario", id, "--format", "json"]);
        assert!(code == 0 && serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
    }
    let position = "stage: {orders: {side: british, part: 1}}\nap: 2\nbritish: {units: [{id: b, at: \"0503\"}]}\n\
                    american: {units: [{id: x, type: militia, at: \"0504\"}]}\n";
    fs::write(dir.path().join("p.yaml"), position).unwrap();
    assert!(run(&["map", "p.yaml"]).1.contains("0503  R1 4 b"));
    assert!(run(&["moves", "0503", "--position", "p.yaml"]).1.contains("close combat at 0504 (x), 2 points: 3 dice"));
    assert_eq!(run(&["moves", "0101", "--position", "p.yaml"]).0, 2);
    assert_eq!(run(&["map", "nothing.yaml"]).0, 2);
    assert_eq!(run(&["map"]).0, 2);
    fs::write(dir.path().join("bad.yaml"), "british: {units: [").unwrap();
    assert_eq!(run(&["map", "bad.yaml"]).0, 1);
}
