//! `orders ask` of a land game through a pipe: everything the file can hold, typed in short words.
#![cfg(feature = "cli")]

#[path = "common/dialogue.rs"]
mod dialogue;

use std::fs;
use std::path::PathBuf;

use dialogue::{Dialogue, Ended};

/// The optional rules that add words to orders.
const ALL: [&str; 5] = ["11.1=on", "11.8=on", "11.9=on", "11.10=on", "11.12=on"];

struct Tables(tempfile::TempDir);

impl Tables {
    /// Queenston Heights, changed by `change`, with optional rules; both have sent what the first roll needs.
    fn new(rules: &[&str], change: impl Fn(&str) -> String) -> Tables {
        let t = Tables(tempfile::tempdir().unwrap());
        let text = fs::read_to_string("scenarios/honor/land/queenston-heights.yaml").unwrap();
        fs::write(t.path("own.yaml"), change(&text)).unwrap();
        for name in ["anna", "bob"] {
            t.fine(".", &["key", "new", "--no-passphrase", "--file", &format!("{name}.key")]);
        }
        let new = ["new", "--scenario", "queenston-heights", "--seat", "american", "--player", "Anna"];
        let rules: Vec<&str> = rules.iter().flat_map(|rule| ["--ruling", rule]).collect();
        let how = ["--folder", "anna", "--key", "anna.key", "--file", "own.yaml"];
        t.fine(".", &[&new[..], &how[..], &rules[..]].concat());
        let accept = ["accept", "anna/out/proposal.packet", "--player", "Bob", "--folder", "bob", "--key", "bob.key"];
        t.fine(".", &[&accept[..], &["--file", "own.yaml"]].concat());
        t.fine("anna", &["adjudicate", "../bob/out/acceptance.packet"]);
        t.send("anna", "bob");
        t.send("bob", "anna");
        t
    }

    fn path(&self, of: &str) -> PathBuf {
        self.0.path().join(of)
    }

    fn run(&self, folder: &str, args: &[&str]) -> Ended {
        Dialogue::start(&self.path(folder), args).end()
    }

    fn fine(&self, folder: &str, args: &[&str]) -> String {
        let said = self.run(folder, args);
        assert!(matches!(said.code, 0 | 3), "{args:?}: {}", said.text);
        said.text
    }

    fn send(&self, from: &str, to: &str) {
        let mut all: Vec<PathBuf> =
            fs::read_dir(self.path(from).join("out")).unwrap().map(|e| e.unwrap().path()).collect();
        all.retain(|p| p.extension().is_some_and(|e| e == "packet"));
        all.sort_by_key(|p| fs::metadata(p).unwrap().modified().unwrap());
        self.fine(to, &["adjudicate", &all.last().unwrap().display().to_string()]);
    }

    /// What is said to each line, and how it ended.
    fn ask(&self, who: &str, lines: &[&str]) -> (Vec<String>, Ended) {
        let mut ask = Dialogue::start(&self.path(who), &["orders", "ask"]);
        let (mut said, mut left) = (Vec::new(), lines.iter());
        ask.play(|asked| {
            said.push(asked.to_owned());
            (*left.next().unwrap_or(&"q")).to_owned()
        });
        (said, ask.end())
    }

    /// Types lines and signs.
    fn signed(&self, who: &str, lines: &[&str]) -> String {
        let (said, ended) = self.ask(who, &[lines, &["sign"]].concat());
        assert!(ended.code == 0 && ended.text.contains("Send this file"), "{}", ended.text);
        said.concat()
    }

    /// The orders in the file, without the notes and the heading.
    fn orders(&self, who: &str) -> String {
        let text = fs::read_to_string(self.path(who).join("orders.yaml")).unwrap();
        text.lines().filter(|l| !l.starts_with('#')).skip(5).map(|l| format!("{l}\n")).collect()
    }
}

/// Each line, and what it becomes in the file. Behind the first dice the rules judge only what no dice can mend.
const ORDERS: &[(&str, &str)] = &[
    ("fire redan 1005 support brock", r#"{fire: {unit: redan, at: "1005", support: brock}}"#),
    ("Fire Grenadiers-49 1005 ask", r#"{fire: {unit: grenadiers-49, at: "1005", advance: ask}}"#),
    (
        "combat light-49 1006 with-leader support brock repulsed 1005",
        r#"{close-combat: {unit: light-49, at: "1006", advance: with-leader, support: brock, repulsed: "1005"}}"#,
    ),
    ("combat light-49 1006", r#"{close-combat: {unit: light-49, at: "1006"}}"#),
    ("move york-1 0904 with brock", r#"{move: {unit: york-1, path: ["0904"], with: brock}}"#),
    (
        "move-fire mohawks-1 0702 - 0703 at 0704 with sheaffe support sheaffe advance",
        r#"{move-and-fire: {unit: mohawks-1, path: ["0702", "0703"], at: "0704", with: sheaffe, support: sheaffe, advance: go}}"#,
    ),
    (
        "fire-move mohawks-2 0704 then 0703, 0702 with sheaffe support sheaffe",
        r#"{fire-and-move: {unit: mohawks-2, at: "0704", path: ["0703", "0702"], with: sheaffe, support: sheaffe}}"#,
    ),
    (
        "flank fire light-49 1005 and combat york-1 1005 advance",
        r#"{flank: {attacks: [{fire: {unit: light-49, at: "1005"}}, {close-combat: {unit: york-1, at: "1005", advance: go}}]}}"#,
    ),
    ("rally york-1", "{rally: {unit: york-1}}"),
    ("column york-1", "{form: {unit: york-1, formation: column}}"),
    ("line york-2", "{form: {unit: york-2, formation: line}}"),
    ("leader brock 0905 0805", r#"{leader: {leader: brock, path: ["0905", "0805"]}}"#),
    ("pause", "{pause: {}}"),
    (
        "ask-me-if last held or (mp wool 2 and not lost scott)",
        "{ask-me-if: {when: {any: [{last: held}, {all: [{mp: {unit: wool, least: 2}}, {not: {lost: scott}}]}]}}}",
    ),
    (
        "if empty 0905 or enemy 0906: rally york-2; pause else: rally york-1",
        r#"{if: {when: {any: [{empty: "0905"}, {enemy: "0906"}]}, then: [{rally: {unit: york-2}}, {pause: {}}], else: [{rally: {unit: york-1}}]}}"#,
    ),
    ("if own 0806 and alive wool and at wool 1005 and points 2", ""),
    ("if last skipped", ""),
    ("fire light-49 1006", ""),
    ("end", ""),
    ("else", ""),
    ("pause", ""),
    (
        "end",
        r#"{if: {when: {all: [{own: "0806"}, {alive: wool}, {at: {unit: wool, hex: "1005"}}, {points: 2}]}, then: [{if: {when: {last: skipped}, then: [{fire: {unit: light-49, at: "1006"}}]}}], else: [{pause: {}}]}}"#,
    ),
];

const STANDING: &[&str] = &[
    "ties troops",
    "retreat s south-west 3",
    "displaced ask",
    "follow gun",
    "escape 0806 0707",
    "withdraw always",
    "retreat redan ask",
    "displaced york-1 n ne",
    "withdraw york-1 never",
    "escape brock stay",
    "escape sheaffe 0701",
    "say Strike, \"sir\": # now",
];

const STANDS: &str = r#"standing: {ties: troops, retreat: {toward: [4, 5, 3]}, displaced: ask, follow: gun, escape: {to: ["0806", "0707"]}, withdraw: always, units: {redan: {retreat: ask}, york-1: {displaced: {toward: [1, 2]}, withdraw: never}}, leaders: {brock: stay, sheaffe: {to: ["0701"]}}}
say: "Strike, \"sir\": # now"
"#;

#[test]
fn every_order_condition_and_standing_order_can_be_typed_and_is_shown_again() {
    let t = Tables::new(&ALL, str::to_owned);
    t.signed("anna", &["done", ""]);
    t.send("anna", "bob");
    t.send("bob", "anna");
    t.send("anna", "bob");
    let lines: Vec<&str> = ORDERS.iter().map(|(line, _)| *line).chain(STANDING.iter().copied()).collect();
    let (said, ended) = t.ask("bob", &[&lines[..], &["show", "done", "", "write"]].concat());
    assert!(ended.code == 0 && !ended.text.contains("Not allowed"), "{}", ended.text);
    let right: String = ORDERS.iter().filter(|(_, y)| !y.is_empty()).map(|(_, y)| format!("  - {y}\n")).collect();
    assert_eq!(t.orders("bob"), format!("orders:\n{right}{STANDS}"));
    t.fine("bob", &["orders", "check"]);

    // The file read again shows the same, and Enter to everything keeps it.
    let before = t.orders("bob");
    let (again, _) = t.ask("bob", &["show", "done", "", "write"]);
    let shown = &said[lines.len() + 1];
    assert_eq!(&again[1], shown);
    for line in [
        "  6. move-fire mohawks-1 0702 0703 at 0704 with sheaffe advance support sheaffe\n",
        " 16. if own 0806 and alive wool and at wool 1005 and points 2\n       if last skipped\n",
        "       end\n     else\n       pause\n     end\n",
        "  escape brock stay\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert_eq!(t.orders("bob"), before);

    let (_, ended) = t.ask("bob", &["drop", "show", "done", "", "b", "defaults", "usual york-1", "done", "", "write"]);
    assert!(ended.text.contains("`york-1` has no standing orders of its own"), "{}", ended.text);
    assert!(t.orders("bob").contains(
        "standing: {ties: gun, retreat: away, displaced: away, follow: troops, escape: nearest, withdraw: weak}\n"
    ));
    assert!(!t.orders("bob").contains("own:"), "the last IF was dropped");
}

#[test]
fn a_refusal_names_the_rule_and_what_to_type_and_changes_nothing() {
    let t = Tables::new(&ALL, str::to_owned);
    let told = [
        ("move wool 0903", "[FHG-7.1]", "`moves wool`"),
        ("combat fort-gray 0906", "[FHG-3.4.8]", "`moves fort-gray`"),
        ("fire redan 1005", "[FHG-5.b]", "`moves`"),
        ("fire nobody 0906", "[FHG-4.1]", "Your units: wool"),
        ("if enemy 9999", "[FHG-7.1]", ""),
        ("if alive nobody: pause", "[FHG-4.1]", ""),
        ("retreat nobody s", "[FHG-4.1]", "Your units and leaders: wool"),
        ("escape 9999", "[FHG-7.1]", ""),
        ("charge wool 0906", "`charge` is no order", "? shows the words"),
        ("fire wool", "a hex is missing", "Type it so: fire UNIT HEX"),
        ("retreat up", "is not understood", "Type it so: retreat [UNIT] away"),
        ("else", "there is no IF here", "if CONDITION"),
        ("end", "no IF to end", "`done`"),
        ("drop", "there is no order yet", ""),
        ("drop 3", "the number of no order", "`show`"),
        ("", "Enter alone does nothing", "`done`"),
    ];
    let lines: Vec<&str> = told.iter().map(|(line, ..)| *line).collect();
    let (said, _) = t.ask("anna", &lines);
    for ((line, rule, instead), said) in told.iter().zip(&said[1..]) {
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(rule), "{line}: {said}");
        assert!(flat.contains(instead), "{line}: {said}");
        assert!(said.ends_with("order 1 > "), "{line}: {said}");
    }
    // An IF that is open cannot be forgotten, and going back undoes line by line.
    let lines = ["if enemy 0906", "done", "fire wool 0906", "else", "b", "b", "b", "done", "", "back", "q"];
    let (said, ended) = t.ask("anna", &lines);
    assert!(said[2].contains("An IF is open") && said[2].ends_with("order 1, then 1 > "), "{}", said[2]);
    assert!(said[4].ends_with("order 1, else 1 > ") && said[5].ends_with("order 1, then 2 > "), "{}", said[5]);
    assert!(said[6].contains("Taken away: fire wool 0906") && said[7].ends_with("order 1 > "), "{}", said[7]);
    assert!(said[8].contains("standing orders") && said[9].contains("none") && said[10].contains("order 1 > "));
    assert!(ended.text.contains("Nothing is written") && !t.path("anna/orders.yaml").exists());
}

#[test]
fn the_help_has_the_words_and_moves_counts_the_orders_so_far() {
    let t = Tables::new(&ALL, str::to_owned);
    let lines = [
        "?",
        "? if",
        "? standing",
        "moves wool",
        "move wool 0905 with van-rensselaer",
        "moves wool",
        "moves",
        "moves redan",
        "moves 1006",
    ];
    let (said, ended) = t.ask("anna", &lines);
    for (n, words) in [
        (1, &["combat UNIT HEX [advance]", "ask-me-if", "moves wool", "insert 2", "flank"][..]),
        (2, &["if empty 0507: move wool 0507 else: fire wool 0507", "leader-lost", "brackets"]),
        (3, &["escape scott stay", "FHG-8.4.5", "FHG-11.12", "usual wool"]),
        (4, &["As things stand", "close combat at 0906", "1 point: column wool", "stands in 4 of 6"]),
        (5, &["points left"]),
        (6, &["After order 1", "wool - 13th Infantry, Wool, 0905"]),
        (7, &["riflemen (1006): moves to", "van-rensselaer (0905)"]),
        (8, &["that is the enemy's", "your pieces: wool"]),
        (9, &["riflemen - New York riflemen, 1006"]),
    ] {
        let flat = said[n].split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(flat.contains(word), "{word}: {}", said[n]);
        }
    }
    assert!(!said[6].contains("moves, 1 point"), "it has moved: {}", said[6]);
    assert_eq!(ended.text.lines().find(|l| l.chars().count() > 78), None);
}

/// The riflemen as dragoons with British light infantry beside them.
fn horsemen(text: &str) -> String {
    let (foot, horse) =
        ("type: light\n        mp: 3\n        at: \"1006\"", "type: dragoon\n        mp: 2\n        at: \"1006\"");
    let (far, near) =
        ("type: light\n        mp: 3\n        at: \"0806\"", "type: light\n        mp: 3\n        at: \"0907\"");
    assert!(text.contains(foot) && text.contains(far));
    text.replace(foot, horse).replace(far, near)
}

#[test]
fn what_was_put_off_with_ask_is_asked_with_its_answers_in_a_list() {
    let t = Tables::new(&["11.12=on"], horsemen);
    t.signed("anna", &["pause", "withdraw ask", "done", "retreat riflemen ask", ""]);
    t.send("anna", "bob");
    t.send("bob", "anna");
    // After a PAUSE the standing orders are still there, and so may be the rest of the orders.
    t.fine("anna", &["orders", "new", "--force"]);
    assert!(t.orders("anna").contains("withdraw: ask, units: {riflemen: {retreat: ask}}"), "{}", t.orders("anna"));
    t.signed("anna", &["done", ""]);
    t.send("anna", "bob");
    t.send("bob", "anna");
    t.send("anna", "bob");
    t.signed("bob", &["combat light-49 1006 advance", "done", ""]);
    t.send("bob", "anna");
    t.send("anna", "bob");
    t.send("bob", "anna");

    let (said, ended) = t.ask("anna", &["7", "?", "b", "say Mount!", "withdraw", "write"]);
    assert!(said[0].contains("Does New York riflemen wait for the attack from 1006? [FHG-11.12]"), "{}", said[0]);
    assert!(
        said[0].contains("1  stand") && said[0].contains("2  withdraw  it retreats before the attack"),
        "{}",
        said[0]
    );
    assert!(said[1].contains("answer with a number from 1 to 2"), "{}", said[1]);
    assert!(said[2].contains("[FHG-11.12]") && said[3].contains("This is the first question"), "{}", said[2]);
    assert_eq!(ended.code, 0, "{}", ended.text);
    assert_eq!(t.orders("anna"), "answer: withdraw\nsay: \"Mount!\"\n");
    t.fine("anna", &["orders", "check"]);
    // Read again: Enter takes what the file says.
    t.signed("anna", &[""]);
    t.send("anna", "bob");
    t.send("bob", "anna");

    let (said, _) = t.ask("anna", &["", "write"]);
    assert!(said[0].contains("Where does New York riflemen go from 1006? [FHG-8.4.1]"), "{}", said[0]);
    let listed: Vec<&str> = said[0].lines().filter(|l| l.starts_with("   ") && l.contains(", ")).collect();
    assert!(!listed.is_empty() && said[0].contains("1 ") && said[0].contains("south"), "{}", said[0]);
    let text = t.orders("anna");
    let hex = text.split('"').nth(1).unwrap().to_owned();
    assert!(said[0].contains(&format!("  {hex}  ")), "{hex}: {}", said[0]);
    t.signed("anna", &["1"]);
    t.send("anna", "bob");
    t.send("bob", "anna");
    let report = fs::read_to_string(t.path("bob/report.txt")).unwrap();
    assert!(report.contains("will not wait and retreats 1006"), "{report}");
    assert!(t.fine("bob", &["verify"]).starts_with("GOOD"));
}
