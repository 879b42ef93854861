//! `orders ask` and `orders preview` through a pipe, as a player uses them who edits no file.
#![cfg(feature = "cli")]

#[path = "common/dialogue.rs"]
mod dialogue;

use std::fs;
use std::path::PathBuf;

use dialogue::{Dialogue, Ended};

struct Tables(tempfile::TempDir);

impl Tables {
    /// A game of a scenario that comes with the program; `change` makes another scenario of its text.
    fn new(scenario: &str, change: impl Fn(&str) -> String) -> Tables {
        let t = Tables(tempfile::tempdir().unwrap());
        let text = fs::read_to_string(format!("scenarios/honor/naval/{scenario}.yaml")).unwrap();
        fs::write(t.path("own.yaml"), change(&text)).unwrap();
        for name in ["anna", "bob"] {
            t.run(".", &["key", "new", "--no-passphrase", "--file", &format!("{name}.key")]);
        }
        let common = ["--file", "own.yaml"];
        let new = ["new", "--scenario", scenario, "--seat", "american", "--player", "Anna", "--folder", "anna"];
        assert_eq!(t.run(".", &[&new[..], &["--key", "anna.key"], &common].concat()).code, 0);
        let accept = ["accept", "anna/out/proposal.packet", "--player", "Bob", "--folder", "bob", "--key", "bob.key"];
        let said = t.run(".", &[&accept[..], &common].concat());
        assert_eq!(said.code, 0, "{}", said.text);
        assert_eq!(t.run("anna", &["adjudicate", "../bob/out/acceptance.packet"]).code, 0);
        t
    }

    fn duel() -> Tables {
        Tables::new("wasp-frolic", str::to_owned)
    }

    fn path(&self, of: &str) -> PathBuf {
        self.0.path().join(of)
    }

    fn run(&self, folder: &str, args: &[&str]) -> Ended {
        Dialogue::start(&self.path(folder), args).end()
    }

    fn begin(&self, who: &str) -> Dialogue {
        Dialogue::start(&self.path(who), &["orders", "ask"])
    }

    /// The orders as their types read them.
    fn draft(&self, who: &str) -> countersign::draft::Draft {
        let text = fs::read_to_string(self.path(who).join("orders.yaml")).unwrap();
        countersign::doc::yaml::read(&text, "orders.yaml", 1 << 16).unwrap()
    }

    /// Answers as `reply` says where it says something, else Enter; writes at the end.
    fn ask(&self, who: &str, reply: impl Fn(&str) -> Option<&'static str>) -> Ended {
        let mut ask = self.begin(who);
        ask.play(|asked| {
            let own = if asked.contains("sign them now") { Some("write") } else { reply(asked) };
            own.unwrap_or("").to_owned()
        });
        ask.end()
    }

    fn packet(&self, who: &str) -> String {
        let all = fs::read_dir(self.path(who).join("out")).unwrap().map(|e| e.unwrap().path());
        all.filter(|p| p.extension().is_some_and(|e| e == "packet")).last().unwrap().display().to_string()
    }
}

/// The line that asks: `3 of 14. Marker 3 of 4`.
fn question(asked: &str) -> &str {
    let number =
        |l: &&str| l.split_once(" of ").is_some_and(|(n, rest)| n.parse::<u8>().is_ok() && rest.contains(". "));
    asked.lines().rfind(number).unwrap_or("")
}

#[test]
fn enter_to_everything_gives_the_orders_of_the_template() {
    for scenario in ["wasp-frolic", "lake-erie"] {
        let t = Tables::new(scenario, str::to_owned);
        for who in ["anna", "bob"] {
            assert_eq!(t.run(who, &["orders", "new"]).code, 0);
            let template = t.draft(who);
            fs::remove_file(t.path(who).join("orders.yaml")).unwrap();
            let said = t.ask(who, |_| None);
            assert_eq!(said.code, 0, "{}", said.text);
            // The chart and the ships stand before the first question.
            let (before, _) = said.text.split_once("1 of ").unwrap();
            assert!(before.contains("Wind blows toward") && before.contains("a broadside"), "{before}");
            assert_eq!(t.draft(who), template, "{scenario} {who}");
            assert_eq!(t.run(who, &["orders", "check"]).code, 0);
        }
    }
}

#[test]
fn only_legal_markers_are_offered_and_the_others_say_why_not() {
    let t = Tables::duel();
    let mut ask = t.begin("anna");
    ask.next();
    ask.answer("right");
    let second = ask.next().unwrap();
    // NAV-5.10: no two turns in a row.
    assert!(second.contains("-  left") && second.contains("[NAV-5.10]"), "{second}");
    ask.answer("left");
    let refused = ask.next().unwrap();
    assert!(refused.contains("`left` cannot be chosen now") && refused.contains("NAV-5.10"), "{refused}");
    ask.answer("?");
    let help = ask.next().unwrap();
    let (_, line) = countersign::cite::find("NAV-5.10").unwrap();
    assert!(help.contains(line), "{help}");
    for wrong in ["7", "0", "port", "-1", "1 2"] {
        ask.answer(wrong);
        let again = ask.next().unwrap();
        assert!(again.contains("is not in the list") && !again.contains("Marker 3"), "{wrong}: {again}");
    }
    // Back, another answer, and the second question has the turns again.
    ask.answer("b");
    assert!(ask.next().unwrap().contains("Marker 1 of 4"));
    ask.answer("1");
    assert!(!ask.next().unwrap().contains("not now"));
    for _ in 0..2 {
        ask.answer("straight");
        ask.next();
    }
    ask.answer("straight");
    // NAV-1.2.1: three of each; the fourth is refused.
    let fourth = ask.next().unwrap();
    assert!(fourth.contains("`straight` cannot be chosen") && fourth.contains("NAV-1.2.1"), "{fourth}");
    ask.answer("q");
    let ended = ask.end();
    assert!(ended.code == 0 && ended.text.contains("Nothing is written"), "{}", ended.text);
    assert!(!t.path("anna/orders.yaml").exists());
}

#[test]
fn the_end_of_the_input_and_back_at_the_first_question_write_nothing() {
    let t = Tables::duel();
    let mut ask = t.begin("anna");
    ask.next();
    ask.answer("b");
    assert!(ask.next().unwrap().contains("This is the first question"));
    ask.answer("1");
    let ended = ask.end();
    assert!(ended.code == 0 && ended.text.contains("Nothing is written"), "{}", ended.text);
    assert!(!t.path("anna/orders.yaml").exists());
}

#[test]
fn every_answer_stands_in_the_orders_and_is_what_the_next_time_begins_with() {
    let t = Tables::duel();
    let reply = |asked: &str| {
        let last = question(asked);
        Some(match last {
            l if l.contains("Marker 1") => "3",
            l if l.contains("starboard") && !l.contains("at marker") => "close",
            l if l.contains("other orders") => "2 4",
            l if l.contains("port") && l.contains("at marker 2") => "hold",
            l if l.contains("does she board") => "if",
            l if l.contains("points ahead") && !asked.contains("no ship can") => "12",
            l if l.contains("must she have") => "1",
            l if l.contains("do they go back") => "1",
            l if l.contains("declares fire first") => "us",
            l if l.contains("REACT") || l.contains("asked again") => "3 2",
            l if l.contains("A word") => "Strike, \"sir\": # now",
            _ if asked.contains("no ship can be 12") => "-3",
            _ => return None,
        })
    };
    let said = t.ask("anna", reply);
    assert!(said.text.contains("no ship can be 12 damage points ahead"), "{}", said.text);
    let text = fs::read_to_string(t.path("anna/orders.yaml")).unwrap();
    let orders: String = text.lines().filter(|l| !l.starts_with('#')).skip(5).map(|l| format!("{l}\n")).collect();
    let right = r#"plot:
  markers: [left, stop, straight, stop]
  fire: {starboard: close, port: crossing}
  board: {wish: {if: {lead: -3, marines: 1}}, retreat_at: 1}
  order: {moves_first: enemy, fires_first: us}
  at:
    2:
      fire: {starboard: any, port: hold}
    4:
      fire: {starboard: any, port: any}
  react: [2, 3]
say: "Strike, \"sir\": # now"
"#;
    assert_eq!(orders, right);
    let first = t.draft("anna");
    t.ask("anna", |_| None);
    assert_eq!(t.draft("anna"), first);
    // Somebody else's file is not written over.
    fs::write(t.path("anna/orders.yaml"), "shopping: list\n").unwrap();
    let said = t.run("anna", &["orders", "ask"]);
    assert!(said.code == 2 && said.text.contains("--force"), "{}", said.text);
}

#[test]
fn a_squadron_names_followers_lone_ships_and_who_takes_over() {
    let t = Tables::new("lake-erie", str::to_owned);
    let reply = |asked: &str| {
        let last = question(asked);
        Some(match last {
            l if l.contains("carry the markers out?") => "command",
            l if l.contains("Who follows") => "2 1",
            l if l.contains("other ships carry") => "2",
            l if l.contains("carry the markers out at marker 2") => "ship",
            l if l.contains("moves alone at marker 2") => "3",
            l if l.contains("takes over") => "3",
            l if l.contains("Whom to fire") => "2",
            _ => return None,
        })
    };
    let said = t.ask("anna", reply);
    assert_eq!(said.code, 0, "{}", said.text);
    use countersign::books::honor::naval::{Designation, Scenario, ShipId};
    let text = fs::read_to_string("scenarios/honor/naval/lake-erie.yaml").unwrap();
    let scenario: Scenario = countersign::doc::yaml::read(&text, "", 1 << 20).unwrap();
    let ids = |side: countersign::Side| -> Vec<ShipId> {
        scenario.sides.get(side).ships.iter().map(|s| s.id.clone()).collect()
    };
    let (own, his) = (ids(countersign::Side::American), ids(countersign::Side::British));
    let command = scenario.sides.american.command.clone().unwrap();
    let others: Vec<ShipId> = own.iter().filter(|id| **id != command).cloned().collect();
    let plot = t.draft("anna").plot.unwrap();
    let lead = plot.lead.unwrap();
    assert_eq!(lead.move_with, Designation::Command { followers: vec![others[1].clone(), others[0].clone()] });
    assert_eq!(lead.succession, [others[2].clone()]);
    let second = plot.at[&2].lead.clone().unwrap();
    assert_eq!(second.move_with, Designation::Ship { id: own[2].clone() });
    assert_eq!(second.succession, [others[2].clone()]);
    assert_eq!(plot.fire.unwrap().targets, [his[1].clone()]);
    assert_eq!(t.run("anna", &["orders", "check"]).code, 0);
}

#[test]
fn signing_at_the_end_sends_and_a_react_is_asked_the_same_way() {
    let t = Tables::duel();
    let mut ask = t.begin("anna");
    ask.play(|asked| match asked {
        a if a.contains("sign them now") => "1".into(),
        a if a.contains("asked again before") => "2".into(),
        _ => String::new(),
    });
    let ended = ask.end();
    assert!(ended.code == 0 && ended.text.contains("Send this file"), "{}", ended.text);
    assert_eq!(t.run("bob", &["adjudicate", &t.packet("anna")]).code, 0);
    let mut ask = t.begin("bob");
    ask.play(|asked| if asked.contains("sign them now") { "1".into() } else { String::new() });
    assert_eq!(ask.end().code, 0);
    assert_eq!(t.run("anna", &["adjudicate", &t.packet("bob")]).code, 0);
    // The old orders are of an earlier step and in nobody's way.
    let said = t.ask("anna", |asked| asked.contains("starboard").then_some("hold"));
    assert!(said.text.contains("asked again at marker 2") && !said.text.contains("Marker 1 of"), "{}", said.text);
    assert!(t.draft("anna").react.is_some());
    let preview = t.run("anna", &["orders", "preview"]);
    assert!(
        preview.code == 0 && preview.text.contains("Marker 2") && !preview.text.contains("Marker 1"),
        "{}",
        preview.text
    );
    let signed = t.run("anna", &["orders", "sign"]);
    assert_eq!(signed.code, 0, "{}", signed.text);
}

/// Wasp one hex north of Frolic and bound for her: a straight marker puts both into 8F.
fn alongside(text: &str) -> String {
    let moved = text.replacen("at: \"4C\"", "at: \"8E\"", 1);
    assert_ne!(moved, text);
    moved
}

fn board(t: &Tables) -> Ended {
    t.ask("anna", |asked| match asked {
        a if a.contains("Marker 1") => Some("straight"),
        a if a.contains("does she board") => Some("always"),
        _ => None,
    });
    t.run("anna", &["orders", "preview"])
}

#[test]
fn preview_tells_the_odds_of_boarding_as_fractions() {
    let t = Tables::new("wasp-frolic", alongside);
    let said = board(&t);
    assert_eq!(said.code, 0, "{}", said.text);
    // Equal ships: a lead of 7 with two dice each falls in 10 + 12 + 9 + 4 = 35 of 1296 throws (NAV-8.4).
    let lines: Vec<&str> = said.text.lines().map(str::trim).collect();
    assert!(lines.contains(&"boarded            35/1296"), "{}", said.text);
    assert!(lines.contains(&"not boarded        1261/1296"), "{}", said.text);
    // One marine hits on 5-6 in the first exchange (NAV-8.6): the boarders are lost in a third of all boardings.
    let at = lines.iter().position(|l| l.contains("exchange 1: the british side, 1 die, needs 5-6")).unwrap();
    assert_eq!(lines[at + 1], "rolled in 35/1296 of all cases; then:");
    assert_eq!(&lines[at + 2..at + 4], ["0 hits (1 left)    2/3", "1 hit (0 left)     1/3"]);
    assert!(said.text.contains("are not followed"), "{}", said.text);
}

fn stand_and_fire(asked: &str) -> Option<&'static str> {
    match question(asked) {
        q if q.contains("broadside") => Some("any"),
        q if q.contains("Marker 1 ") => Some("stop"),
        _ => None,
    }
}

#[test]
fn preview_of_broadsides_counts_hits_half_damage_and_sinking() {
    // Wasp abeam at one hex, heading north beside Frolic in 8F, with four guns: 5-6 hits (NAV-6.4).
    let t = Tables::new("wasp-frolic", |text| {
        let moved = text.replacen("at: \"4C\"\n        heading: 4", "at: \"7F\"\n        heading: 1", 1);
        let armed = moved.replacen("guns: 2", "guns: 4", 1);
        assert!(moved != text && armed != moved);
        armed
    });
    t.ask("anna", stand_and_fire);
    let said = t.run("anna", &["orders", "preview"]);
    let (_, first) = said.text.split_once("Marker 1\n").unwrap();
    let (first, _) = first.split_once("\n\nMarker 2").unwrap();
    // (2/3 + 1/3)^4: 16, 32, 24, 8 and 1 of 81. Four points of damage: half at two, sunk at none (NAV-6.6, NAV-6.7).
    let right = "  USS Wasp, starboard broadside, at HMS Frolic: 1 hex, 4 dice, needs 5-6
    0 hits             16/81
    1 hit              32/81
    2 hits             8/27
    3 hits             8/81
    4 hits             1/81
  HMS Frolic after this marker:
    1 left, half damage 8/81
    2 left, half damage 8/27
    3 left             32/81
    sunk               1/81
    as she is now      16/81";
    assert_eq!(first, right);
}

#[test]
fn a_tree_too_large_is_shown_one_roll_at_a_time_and_says_so() {
    // Lake Erie with all ships in two lines, broadside to broadside.
    let t = Tables::new("lake-erie", |text| {
        let (mut american, mut british) = (b'B', b'B');
        let mut column = 10;
        let mut lines = Vec::new();
        for line in text.lines() {
            let word = line.trim();
            column = if word == "british:" {
                11
            } else if word == "american:" {
                10
            } else {
                column
            };
            let indent = " ".repeat(line.len() - line.trim_start().len());
            if word.starts_with("at: ") {
                let row = if column == 10 { &mut american } else { &mut british };
                lines.push(format!("{indent}at: \"{column}{}\"", char::from(*row)));
                *row += 1;
            } else if word.starts_with("heading: ") {
                lines.push(format!("{indent}heading: 1"));
            } else {
                lines.push(line.to_owned());
            }
        }
        lines.join("\n") + "\n"
    });
    t.ask("anna", stand_and_fire);
    t.ask("bob", stand_and_fire);
    let said = t.run("anna", &["orders", "preview", "--enemy", "../bob/orders.yaml"]);
    assert!(said.code == 0 && said.text.contains("every roll is shown by itself"), "{}", said.text);
    assert!(said.text.contains("20000 runs"), "{}", said.text);
    // What follows stands behind each result.
    assert!(said.text.lines().any(|l| l.contains("1 hit ") && l.contains(" left")), "{}", said.text);
}

#[test]
fn preview_against_stated_orders_and_against_orders_the_rules_forbid() {
    let t = Tables::duel();
    t.ask("anna", |_| None);
    let mine = fs::read_to_string(t.path("anna/orders.yaml")).unwrap();
    let his = |markers: &str| {
        let body: String = mine.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
        let body = body.split("  at:").next().unwrap().to_owned();
        let from = body.find("markers: [").unwrap();
        let to = from + body[from..].find(']').unwrap() + 1;
        fs::write(t.path("anna/his.yaml"), format!("{}markers: [{markers}]{}", &body[..from], &body[to..])).unwrap();
        // The example of the help.
        t.run("anna", &["orders", "preview", "orders.yaml", "--enemy", "his.yaml"])
    };
    let said = his("right, straight, straight");
    assert!(said.code == 0 && said.text.contains("against the orders in his.yaml"), "{}", said.text);
    let said = his("right, left, straight");
    assert!(said.code == 1 && said.text.contains("NAV-5.10"), "{}", said.text);
}
