//! The command line as two players use it, and what it says to bad input: a clear error, exit code 1 or 2, nothing half
//! applied, nothing lost.
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

struct Tables {
    dir: tempfile::TempDir,
}

struct Said {
    code: i32,
    text: String,
}

fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_countersign"))
}

impl Tables {
    /// Anna has proposed and Bob accepted.
    fn new() -> Tables {
        let tables = Tables { dir: tempfile::tempdir().unwrap() };
        for name in ["anna", "bob"] {
            tables.run(".", &["key", "new", "--file", &format!("{name}.key"), "--no-passphrase"]);
        }
        let new = [
            "new",
            "--scenario",
            "wasp-frolic",
            "--seat",
            "american",
            "--player",
            "Anna",
            "--folder",
            "anna",
            "--key",
            "anna.key",
        ];
        assert_eq!(tables.run(".", &new).code, 0);
        let accept = ["accept", "anna/out/proposal.packet", "--player", "Bob", "--folder", "bob", "--key", "bob.key"];
        assert_eq!(tables.run(".", &accept).code, 0);
        assert_eq!(tables.run("anna", &["adjudicate", "../bob/out/acceptance.packet"]).code, 0);
        tables
    }

    fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join(of)
    }

    fn run(&self, folder: &str, args: &[&str]) -> Said {
        let out = binary().args(args).current_dir(self.path(folder)).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{text}");
        Said { code: out.status.code().unwrap_or(-1), text }
    }

    fn orders(&self, who: &str) -> String {
        assert_eq!(self.run(who, &["orders", "new", "--force"]).code, 0);
        fs::read_to_string(self.path(who).join("orders.yaml")).unwrap()
    }

    /// The one packet that lies in `out/`.
    fn newest(&self, who: &str) -> String {
        let out = self.path(who).join("out");
        let mut all: Vec<PathBuf> = fs::read_dir(out).unwrap().map(|e| e.unwrap().path()).collect();
        all.retain(|p| p.extension().is_some_and(|e| e == "packet"));
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].display().to_string()
    }

    /// stdout alone, as the object `--format json` prints.
    fn json(&self, folder: &str, args: &[&str]) -> (i32, serde_json::Value) {
        let out = binary().args(args).args(["--format", "json"]).current_dir(self.path(folder)).output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"));
        (out.status.code().unwrap(), value)
    }

    /// Orders with one change, checked: what is said, and the orders.
    fn check(&self, who: &str, template: &str, from: &str, to: &str) -> Said {
        let changed = template.replacen(from, to, 1);
        assert_ne!(changed, template, "{from}");
        fs::write(self.path(who).join("orders.yaml"), changed).unwrap();
        self.run(who, &["orders", "check"])
    }

    /// Every file of a folder that is state, to see that nothing changed.
    fn state(&self, who: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut all = BTreeMap::new();
        for sub in ["orders", "secret", "."] {
            for entry in fs::read_dir(self.path(who).join(sub)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() && path.file_name().unwrap() != "orders.yaml" && path.file_name().unwrap() != ".lock"
                {
                    all.insert(path.clone(), fs::read(path).unwrap());
                }
            }
        }
        all
    }
}

#[test]
fn two_players_play_a_turn_from_the_template_alone() {
    let t = Tables::new();
    t.orders("anna");
    assert_eq!(t.run("anna", &["orders", "check"]).code, 0);
    assert_eq!(t.run("anna", &["orders", "sign", "--unchanged"]).code, 0);
    assert_eq!(t.run("bob", &["adjudicate", &t.newest("anna")]).code, 0);
    t.orders("bob");
    assert_eq!(t.run("bob", &["orders", "sign", "--unchanged"]).code, 0);
    let said = t.run("anna", &["adjudicate", &t.newest("bob")]);
    assert!(said.text.contains("TURN 2") && said.text.contains("YOUR MOVE"), "{}", said.text);
    assert_eq!(t.run("bob", &["adjudicate", &t.newest("anna")]).code, 0);
    let logs: Vec<Vec<u8>> = ["anna", "bob"].iter().map(|w| fs::read(t.path(w).join("game.log")).unwrap()).collect();
    assert_eq!(logs[0], logs[1]);
    let heads: Vec<String> = ["anna", "bob"].iter().map(|w| t.run(w, &["head"]).text).collect();
    assert_eq!(heads[0], heads[1]);
    assert!(t.run("anna", &["verify"]).text.starts_with("GOOD"));
    // The armoured block in a quoted mail does as well as the file, and a repeat has no effect.
    let mail = t.run("bob", &["packet", "--text"]).text;
    let quoted: String = format!("Hi,\n{mail}\nBob").lines().map(|l| format!("> {l}\r\n")).collect();
    fs::write(t.path("mail.txt"), quoted).unwrap();
    let before = t.state("anna");
    assert!(t.run("anna", &["adjudicate", "../mail.txt"]).text.contains("here already"));
    assert_eq!(t.state("anna"), before);
}

#[test]
fn orders_against_the_rules_name_line_and_rule_and_all_of_them_at_once() {
    let t = Tables::new();
    let text = t.orders("anna");
    let before = t.state("anna");
    let bad = text
        .replace("markers: [straight, stop, straight, stop]", "markers: [straight, right, left, stop]")
        .replace("react: []", "react: [9]");
    assert_ne!(bad, text);
    fs::write(t.path("anna/orders.yaml"), &bad).unwrap();
    for command in ["check", "sign"] {
        let said = t.run("anna", &["orders", command]);
        assert_eq!(said.code, 1, "{}", said.text);
        let line = 1 + bad.lines().position(|l| l.contains("markers: [")).unwrap();
        assert!(said.text.contains(&format!("line {line}, column 30: marker 3")), "{}", said.text);
        assert!(said.text.contains("NAV-5.10") && said.text.contains("NAV-9.6"), "{}", said.text);
    }
    assert_eq!(t.state("anna"), before);
}

#[test]
fn drafts_for_another_game_seat_or_step_and_unreadable_ones_are_refused_by_name() {
    let t = Tables::new();
    let text = t.orders("anna");
    let before = t.state("anna");
    let game = text.lines().find(|l| l.starts_with("game:")).unwrap().to_owned();
    let changes = [
        (text.replace(&game, "game: \"00000000\""), "game 00000000"),
        (text.replace("seat: american", "seat: british"), "british player's"),
        (text.replace("step: 1", "step: 4"), "step 4"),
        (text.replace("plot:", "plots:"), "plot"),
        (text.replace("kind: draft", "kind: draft\nkind: draft"), "kind"),
        (text.replace("[straight, stop,", "[forward, stop,"), "forward"),
        (text.replace("plot:\n", "plat: &a [*a]\nplot:\n"), ""),
        (String::new(), ""),
        ("[".repeat(20_000), ""),
        (format!("a: {}", "[".repeat(200_000)), ""),
        ("\u{0}\u{1}\u{2}".into(), ""),
    ];
    for (bad, word) in changes {
        fs::write(t.path("anna/orders.yaml"), &bad).unwrap();
        let start = Instant::now();
        let said = t.run("anna", &["orders", "sign"]);
        assert!(start.elapsed() < Duration::from_secs(2), "slow");
        assert!(matches!(said.code, 1 | 2), "{}: {}", said.code, said.text);
        assert!(said.text.contains(word) && !said.text.trim().is_empty(), "`{word}` in {}", said.text);
        assert_eq!(t.state("anna"), before);
    }
    fs::write(t.path("anna/orders.yaml"), [0xff, 0xfe, 0x00]).unwrap();
    assert_eq!(t.run("anna", &["orders", "sign", "--unchanged"]).code, 1);
    assert_eq!(t.run("anna", &["orders", "sign", "missing.yaml"]).code, 2);
}

#[test]
fn damaged_missing_and_foreign_packets_change_nothing() {
    let t = Tables::new();
    let other = Tables::new();
    t.orders("bob");
    t.run("bob", &["orders", "sign", "--unchanged"]);
    other.orders("bob");
    other.run("bob", &["orders", "sign", "--unchanged"]);
    let good = fs::read(t.newest("bob")).unwrap();
    let before = t.state("anna");
    let text = String::from_utf8(good.clone()).unwrap();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (fs::read(other.newest("bob")).unwrap(), "belongs to game"),
        (text.replace("american", "amerikan").into_bytes(), "changed on its way"),
        (text.replace('\n', "\r\n").into_bytes(), "line ends"),
        (good[..good.len() / 2].to_vec(), "cut off"),
        (text.replace("packet 1", "packet 2").into_bytes(), "version 2"),
        (Vec::new(), "empty"),
        (b"hello".to_vec(), "no packet"),
        (vec![0u8; 1000], "no packet"),
    ];
    for (bytes, word) in cases {
        fs::write(t.path("bad.packet"), &bytes).unwrap();
        let said = t.run("anna", &["adjudicate", "../bad.packet"]);
        assert!(matches!(said.code, 1 | 2) && said.text.contains(word), "`{word}`: {} {}", said.code, said.text);
        assert_eq!(t.state("anna"), before);
    }
    let huge = fs::File::create(t.path("huge.packet")).unwrap();
    huge.set_len(100 << 20).unwrap();
    assert!(t.run("anna", &["adjudicate", "../huge.packet"]).text.contains("larger"));
    assert!(matches!(t.run("anna", &["adjudicate", "../nowhere.packet"]).code, 1 | 2));
    assert_eq!(t.state("anna"), before);
    assert_eq!(t.run(".", &["status"]).code, 2, "no game folder");
}

/// Who accepts twice cannot choose between two games, nor destroy the one that runs.
#[test]
fn a_second_acceptance_changes_nothing() {
    let t = Tables::new();
    t.orders("anna");
    assert_eq!(t.run("anna", &["orders", "sign", "--unchanged"]).code, 0);
    let before = t.state("anna");
    for n in 0..4 {
        std::thread::sleep(Duration::from_millis(1100)); // another second, another acceptance
        let folder = format!("bob{n}");
        // An honest program would answer with the same bytes: he takes its record away.
        let record = t.path("bob.key.released");
        for entry in fs::read_dir(&record).unwrap().map(|e| e.unwrap().path()) {
            if entry.file_name().unwrap().to_string_lossy().starts_with("table-") {
                fs::remove_file(entry).unwrap();
            }
        }
        let sent = "anna/out/sent/proposal.packet";
        let accept = ["accept", sent, "--player", "Bob", "--folder", &folder, "--key", "bob.key"];
        assert_eq!(t.run(".", &accept).code, 0);
        let said = t.run("anna", &["adjudicate", &format!("../{folder}/out/acceptance.packet")]);
        assert!(
            said.code == 1 && said.text.contains("british seat of this game is settled"),
            "{} {}",
            said.code,
            said.text
        );
        assert_eq!(t.state("anna"), before);
    }
    assert_eq!(t.run("anna", &["adjudicate", "../bob/out/acceptance.packet"]).code, 3);
    assert_eq!(t.state("anna"), before);
}

#[test]
fn two_programs_in_one_folder_take_turns() {
    let t = Tables::new();
    t.orders("anna");
    let start = |args: &[&str]| {
        binary().args(args).current_dir(t.path("anna")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut children: Vec<_> = (0..6)
        .map(|n| if n % 2 == 0 { start(&["orders", "sign", "--unchanged"]) } else { start(&["status"]) })
        .collect();
    for child in &mut children {
        assert!(matches!(child.wait().unwrap().code(), Some(0..=3)));
    }
    assert_eq!(t.run("anna", &["status"]).code, 3);
}

/// Killed at any point, a folder is the state before or after: it loads, and going on gives the same game.
#[cfg(unix)]
#[test]
fn a_killed_program_leaves_the_state_before_or_after() {
    let t = Tables::new();
    t.orders("anna");
    assert_eq!(t.run("anna", &["orders", "sign", "--unchanged"]).code, 0);
    t.run("bob", &["adjudicate", &t.newest("anna")]);
    t.orders("bob");
    assert_eq!(t.run("bob", &["orders", "sign", "--unchanged"]).code, 0);
    let packet = t.newest("bob");
    for delay in 0..24u64 {
        let mut child = binary()
            .args(["adjudicate", &packet])
            .current_dir(t.path("anna"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay * 4));
        let _ = child.kill();
        let _ = child.wait();
        let said = t.run("anna", &["status"]);
        assert!(matches!(said.code, 0 | 3), "{}", said.text);
        assert!(t.run("anna", &["verify"]).text.starts_with("GOOD"));
    }
    assert_eq!(t.run("anna", &["adjudicate", &packet]).code, 0);
    t.run("bob", &["adjudicate", &t.newest("anna")]);
    assert_eq!(fs::read(t.path("anna/game.log")).unwrap(), fs::read(t.path("bob/game.log")).unwrap());
}

#[test]
fn a_superseded_order_and_a_concession() {
    let t = Tables::new();
    let text = t.orders("anna");
    assert_eq!(t.run("anna", &["orders", "sign", "--unchanged"]).code, 0);
    fs::write(t.path("anna/orders.yaml"), text.replace("[straight, stop,", "[left, stop,")).unwrap();
    assert_eq!(t.run("anna", &["orders", "sign"]).code, 0, "changed while nothing is fixed");
    assert_eq!(t.run("bob", &["adjudicate", &t.newest("anna")]).code, 0);
    assert_eq!(t.run("bob", &["concede"]).code, 2);
    assert_eq!(t.run("bob", &["concede", "--yes", "--say", "Well sailed"]).code, 0);
    let said = t.run("anna", &["adjudicate", &t.newest("bob")]);
    assert!(said.text.contains("conceded"), "{}", said.text);
    t.run("bob", &["adjudicate", &t.newest("anna")]);
    assert_eq!(fs::read(t.path("anna/game.log")).unwrap(), fs::read(t.path("bob/game.log")).unwrap());
    assert!(t.run("bob", &["verify"]).text.contains("game over"));
}

#[test]
fn every_reading_command_answers() {
    let t = Tables::new();
    let demo = t.run(".", &["demo", "--out", "demo"]);
    assert!(demo.code == 0 && demo.text.contains("GOOD") && demo.text.contains("BAD: entry"), "{}", demo.text);
    let folder = "demo/anna/wasp";
    for (args, word) in [
        (&["audit", "summary"][..], "average"),
        (&["audit", "die", "t1/s4/fire/frolic/port/1"], "openssl enc -chacha20"),
        (&["audit", "die"], "t2/wind"),
        (&["audit", "plot", "t1/american/plot/marker/1"], "it fits"),
        (&["verify"], "GOOD"),
        (&["status"], "The game is over"),
        (&["rules", "cite", "NAV-6.4"], "hit numbers"),
        (&["rules", "list"], "N07"),
        (&["scenario", "list"], "lake-champlain"),
        (&["scenario", "show", "lake-erie"], "Perry"),
        (&["scenario", "check", "scenario.yaml"], "is sound"),
        (&["completions", "bash"], "countersign"),
        (&["man"], "countersign"),
    ] {
        let said = t.run(folder, args);
        assert!(said.code == 0 && said.text.contains(word), "{args:?}: {} {}", said.code, said.text);
    }
    let log = fs::read_to_string(t.path(folder).join("game.log")).unwrap();
    fs::write(t.path("changed.log"), log.replacen("\"how\":\"resolved\"", "\"how\":\"agreed\"", 1)).unwrap();
    let said = t.run(".", &["verify", "changed.log"]);
    assert!(said.code == 1 && said.text.starts_with("BAD: entry"), "{}", said.text);
    let words = t.run("demo/bob/wasp", &["head"]).text.lines().next().unwrap().split(": ").nth(1).unwrap().to_owned();
    assert_eq!(t.run(folder, &["verify", "--head", &words]).code, 0);
    assert_eq!(t.run(folder, &["verify", "--head", "abandon abandon"]).code, 1);
}

/// Nothing in the rules forbids to sail off the board; nobody should do it unawares (NAV-1.1).
#[test]
fn a_plot_that_leaves_the_board_is_warned_of() {
    let t = Tables::new();
    let mut warned = false;
    for turn in 0..8 {
        for who in ["anna", "bob"] {
            let text = t.orders(who);
            let line = text.lines().find(|l| l.trim_start().starts_with("markers:")).unwrap().to_owned();
            let most = line.matches(',').count() + 1;
            let ahead: Vec<&str> = (0..most)
                .map(|n| {
                    if n < 3 {
                        "straight"
                    } else if n < 6 {
                        "stop"
                    } else {
                        "left"
                    }
                })
                .collect();
            let text = text.replace(&line, &format!("  markers: [{}]", ahead.join(", ")));
            // Nobody fires: whatever the dice, both reach the edge.
            let text = text.replace("starboard: any, port: any", "starboard: hold, port: hold");
            let text = text.replace("starboard: crossing, port: crossing", "starboard: hold, port: hold");
            fs::write(t.path(who).join("orders.yaml"), text).unwrap();
            let said = t.run(who, &["orders", "check"]);
            assert_eq!(said.code, 0, "turn {turn}: {}", said.text);
            if said.text.contains("sails off the board") {
                warned = true;
            }
            let said = t.run(who, &["orders", "sign", "--unchanged"]);
            assert_eq!(said.code, 0, "{}", said.text);
            let other = if who == "anna" { "bob" } else { "anna" };
            t.run(other, &["adjudicate", &t.newest(who)]);
        }
        let said = t.run("bob", &["adjudicate", &t.newest("anna")]);
        let log = fs::read_to_string(t.path("bob").join("report.txt")).unwrap();
        let gone = log.contains("off the board");
        assert!(!gone || warned, "turn {turn}: no warning before {log}");
        if gone {
            return;
        }
        assert!(!said.text.contains("game is over"), "nobody left the board: {}", said.text);
    }
    panic!("the edge was never reached");
}

#[test]
fn whatif_settles_an_argument() {
    let t = Tables::new();
    fs::write(
        t.path("position.yaml"),
        "stage: {plot: {}}\nturn: 1\nbritish: {markers: 1, ships: [{id: b, at: \"10M\", heading: 1, guns: 2}]}\namerican: {markers: 1, ships: [{id: a, at: \"11M\", heading: 1, damage: 3, fired: [port]}]}\n",
    )
    .unwrap();
    fs::write(
        t.path("try.yaml"),
        "answers:\n  - {side: british, kind: plot, answer: {steps: [{marker: stop, conduct: {fire: {all: {starboard: any}}}}]}}\n  - {side: american, kind: plot, answer: {steps: [{marker: stop}]}}\n",
    )
    .unwrap();
    let said = t.run(".", &["whatif", "position.yaml", "--orders", "try.yaml", "--dice", "5,2"]);
    assert!(
        said.code == 0 && said.text.contains("5 2 - 1 hit") && said.text.contains("nothing proves them"),
        "{}",
        said.text
    );
    assert_eq!(t.run(".", &["whatif", "position.yaml", "--dice", "7"]).code, 2);
    let turn = Path::new("anna/turn.yaml");
    assert!(t.run(".", &["status", "--game", "anna"]).code == 0 && t.path("anna/turn.yaml").exists());
    assert!(
        t.run(".", &["whatif", turn.to_str().unwrap()])
            .text
            .contains("Stops here: the british player is asked for a plot (")
    );
}

#[test]
fn a_template_nobody_has_changed_is_not_signed_by_mistake() {
    let t = Tables::new();
    let text = t.orders("anna");
    let before = t.state("anna");
    for same in [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
        fs::write(t.path("anna/orders.yaml"), same).unwrap();
        let said = t.run("anna", &["orders", "sign"]);
        assert!(said.code == 2 && said.text.contains("change them or say --unchanged"), "{} {}", said.code, said.text);
        assert_eq!(t.state("anna"), before);
    }
    assert_eq!(t.run("anna", &["orders", "sign", "--unchanged"]).code, 0);
}

#[test]
fn out_holds_what_is_to_be_mailed_now_and_nothing_sent_is_lost() {
    let t = Tables::new();
    t.orders("anna");
    assert_eq!(t.run("anna", &["orders", "sign", "--unchanged"]).code, 0);
    let first = t.newest("anna");
    assert!(t.path("anna/out/sent/proposal.packet").exists() && t.path("anna/out/sent/proposal.txt").exists());
    assert!(Path::new(&first).with_extension("txt").exists());
    t.run("bob", &["adjudicate", &first]);
    t.orders("bob");
    assert_eq!(t.run("bob", &["orders", "sign", "--unchanged"]).code, 0);
    t.run("anna", &["adjudicate", &t.newest("bob")]);
    assert_ne!(t.newest("anna"), first);
    assert!(t.path("anna/out/sent").join(Path::new(&first).file_name().unwrap()).exists());
    // A mail sent late from the folder of sent ones does as well.
    let sent = t.path("anna/out/sent").join(Path::new(&first).file_name().unwrap());
    assert!(t.run("bob", &["adjudicate", &sent.display().to_string()]).text.contains("here already"));
}

#[test]
fn status_says_who_owes_what_since_which_file() {
    let t = Tables::new();
    let said = t.run("anna", &["status"]).text;
    for words in [
        "you owe the orders for turn 1",
        "the british player (Bob) owes the orders for turn 1",
        "since the terms signed by the british player (sent ",
        "UTC, by its sender's clock",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    t.orders("anna");
    let said = t.run("anna", &["orders", "sign", "--unchanged"]);
    assert_eq!(said.code, 0, "{}", said.text);
    t.run("bob", &["adjudicate", &t.newest("anna")]);
    let said = t.run("bob", &["status"]).text;
    assert!(
        said.contains("you owe the orders for turn 1\n      since file 1 of the american player in step 1"),
        "{said}"
    );
    assert!(!said.contains("(Anna) owes"), "{said}");
    t.orders("bob");
    t.run("bob", &["orders", "sign", "--unchanged"]);
    let said = t.run("bob", &["status"]).text;
    assert!(said.contains("the american player (Anna) owes the packet with the secret number"), "{said}");
    assert!(said.contains("since file 1 of the british player in step 1"), "{said}");
}

#[test]
fn with_format_json_a_command_prints_one_object() {
    let t = Tables::new();
    let text = t.orders("anna");
    let (code, status) = t.json("anna", &["status"]);
    assert_eq!((code, &status["your_move"], &status["step"]), (0, &true.into(), &1.into()));
    assert_eq!((&status["owes"][1]["seat"], &status["owes"][1]["what"]), (&"british".into(), &"orders".into()));
    assert_eq!(status["owes"][0]["since"]["step"], 0);
    let (code, check) = t.json("anna", &["orders", "check"]);
    assert_eq!((code, check), (0, serde_json::json!({ "legal": true, "refusals": [] })));
    let bad = text
        .replace("[straight, stop, straight, stop]", "[straight, right, left, stop]")
        .replace("react: []", "react: [9]");
    fs::write(t.path("anna/orders.yaml"), &bad).unwrap();
    let (code, check) = t.json("anna", &["orders", "check"]);
    let line = 1 + bad.lines().position(|l| l.contains("markers: [")).unwrap();
    let first = &check["refusals"][0];
    assert_eq!((code, &check["legal"], check["refusals"].as_array().unwrap().len()), (1, &false.into(), 2));
    assert_eq!((&first["line"], &first["column"], &first["rule"]), (&line.into(), &30.into(), &"NAV-5.10".into()));
    assert_eq!(
        (&first["file"], first["next"].as_str().is_some_and(|n| n.contains("stop"))),
        (&"orders.yaml".into(), true)
    );
    for (args, code) in [
        (&["orders", "check", "nowhere.yaml"][..], 2),
        (&["rules", "cite", "NAV-77"], 2),
        (&["verify", "no.log"], 2),
        (&["man"], 2),
        (&["orders", "fry"], 2),
    ] {
        let (said, error) = t.json("anna", args);
        assert!(said == code && error["error"]["what"].is_string(), "{args:?}: {said} {error}");
    }
    assert_eq!(t.run(".", &["demo", "--out", "demo"]).code, 0);
    let folder = "demo/anna/wasp";
    let (_, head) = t.json(folder, &["head"]);
    let (code, good) = t.json(folder, &["verify"]);
    assert_eq!(
        (code, &good["verdict"], &good["head"], &good["complete"]),
        (0, &"good".into(), &head["head"], &true.into())
    );
    assert!(head["head"].as_str().unwrap().len() == 64 && head["words"].as_str().unwrap().split(' ').count() == 12);
    let (_, die) = t.json(folder, &["audit", "die", "t1/s4/fire/frolic/port/1"]);
    let (word, faces) = (die["word"].as_u64().unwrap(), die["faces"].as_u64().unwrap());
    assert_eq!(die["face"], word % faces + 1);
    assert_eq!(die["links"].as_object().unwrap().len(), 2);
    let (_, dice) = t.json(folder, &["audit", "die"]);
    assert_eq!(dice["dice"].as_array().unwrap().len() as u64, good["dice"].as_u64().unwrap());
    let (_, plots) = t.json(folder, &["audit", "plot", "t1/american/plot/marker/1"]);
    assert_eq!((&plots["choices"][0]["seat"], &plots["choices"][0]["in_clear"]), (&"american".into(), &false.into()));
    let (_, summary) = t.json(folder, &["audit", "summary"]);
    // Anna's orders open every turn and ride with her last link; one packet of openings ends the game.
    assert_eq!((&summary["turns"], &summary["mails"]["american"]["mails"]), (&7.into(), &8.into()));
    assert_eq!((&summary["players"]["mails"], &summary["table"]["mails"]), (&15.into(), &15.into()));
    assert_eq!((&summary["players"]["decided"], &summary["table"]["decided"]), (&14.into(), &14.into()));
    let log = fs::read_to_string(t.path(folder).join("game.log")).unwrap();
    fs::write(t.path("changed.log"), log.replacen("\"how\":\"resolved\"", "\"how\":\"agreed\"", 1)).unwrap();
    let (code, bad) = t.json(".", &["verify", "changed.log"]);
    assert_eq!((code, &bad["verdict"], bad["entry"].is_u64()), (1, &"bad".into(), true));
    let (_, list) = t.json(".", &["scenario", "list"]);
    assert!(list["scenarios"].as_array().unwrap().iter().any(|s| s["id"] == "lake-champlain"));
    let (_, rules) = t.json(".", &["rules", "list"]);
    assert!(rules["rulings"].as_array().unwrap().iter().any(|r| r["number"] == "N07" && r["club"].is_string()));
    assert_eq!(t.json(".", &["rules", "cite", "NAV-6.4"]).1["id"], "NAV-6.4");
}

#[test]
fn the_summary_tells_dice_and_mails_and_pipes_get_no_progress() {
    let t = Tables::new();
    assert_eq!(t.run(".", &["demo", "--out", "demo"]).code, 0);
    let said = t.run("demo/anna/wasp", &["audit", "summary"]).text;
    assert!(said.contains("Mails in 7 turns") && said.contains("on average 1.14 a turn"), "{said}");
    assert!(said.contains("8, on average 1.14 a turn; 7 with a decision, 1 that the program writes"), "{said}");
    assert!(said.contains("has 2 a turn, 1 at the end: 15 from both players; this game took as many."), "{said}");
    assert!(said.contains("fair dice: ") && said.contains("of each; too few to say anything"), "{said}");
    let out = binary().args(["verify"]).current_dir(t.path("demo/anna/wasp")).output().unwrap();
    assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
}

/// Whoever doubts a roll finds it in the report by its name, with its proof status and the command that shows the proof.
#[test]
fn the_report_states_the_proof_status_of_every_roll() {
    let t = Tables::new();
    assert_eq!(t.run(".", &["demo", "--out", "demo"]).code, 0);
    let folder = "demo/anna/wasp";
    let report = fs::read_to_string(t.path(folder).join("report.txt")).unwrap();
    let rows: Vec<Vec<&str>> = report
        .lines()
        .map(|l| l.split_whitespace().collect())
        .filter(|w: &Vec<&str>| w.get(1) == Some(&"proved"))
        .collect();
    assert!(!rows.is_empty() && report.contains(&format!("Dice: {} rolls, all proved", rows.len())), "{report}");
    // The faces that the story tells are the faces of the list, and of the log.
    let told: Vec<&str> = report
        .lines()
        .filter_map(|l| {
            l.split_once(", needs ").and_then(|(_, l)| l.split_once(": ")).and_then(|(_, l)| l.split_once(" - "))
        })
        .flat_map(|(faces, _)| faces.split(' '))
        .collect();
    let fired: Vec<&str> = rows.iter().filter(|r| r[2].contains("/fire/")).map(|r| r[0]).collect();
    assert_eq!((told, true), (fired.clone(), !fired.is_empty()), "{report}");
    for row in &rows {
        let (code, die) = t.json(folder, &["audit", "die", row[2]]);
        assert_eq!((code, die["face"].to_string().as_str()), (0, row[0]), "{row:?}");
    }
    let command = report.lines().find_map(|l| l.split_once("To redo one by hand: countersign ")).unwrap().1;
    let said = t.run(folder, &command.split(' ').collect::<Vec<_>>()).text;
    assert!(said.contains("openssl enc -chacha20"), "{said}");
}

#[test]
fn a_damaged_log_is_told_of_without_a_parsers_words() {
    let t = Tables::new();
    let log = fs::read_to_string(t.path("anna/game.log")).unwrap();
    let cases = [
        (log.replacen("\"how\":", "\"hows\":", 1), "`hows` is not known here (did you mean `how`?)"),
        (log.replacen("\"kind\":\"file\",", "\"kind\":\"file\",\"more\":1,", 1), "`more` is not known here"),
        (log.replacen("{\"i\":0,", "{\"i\":0", 1), "it is damaged at character"),
        (log.replacen("\"i\":0", "\"i\":\"0\"", 1), "a whole number"),
        (log[..log.len() - 30].to_owned(), "it breaks off in the middle"),
    ];
    for (bad, words) in cases {
        fs::write(t.path("bad.log"), bad).unwrap();
        let said = t.run(".", &["verify", "bad.log"]);
        assert!(said.code == 1 && said.text.contains(words), "{words}: {}", said.text);
        for parser in ["expected one of", "at line 1", "column", "EOF", "invalid type", "usize"] {
            assert!(!said.text.contains(parser), "{parser}: {}", said.text);
        }
    }
}

/// Refusals and misspellings point at the word that is meant, wherever the draft has it.
#[test]
fn every_objection_points_at_the_word_it_means() {
    let t = Tables::new();
    let new = [
        "new",
        "--scenario",
        "lake-erie",
        "--seat",
        "american",
        "--player",
        "A",
        "--folder",
        "ea",
        "--key",
        "anna.key",
    ];
    assert_eq!(t.run(".", &new).code, 0);
    let accept = ["accept", "ea/out/proposal.packet", "--player", "B", "--folder", "eb", "--key", "bob.key"];
    assert_eq!(t.run(".", &accept).code, 0);
    assert_eq!(t.run("ea", &["adjudicate", "../eb/out/acceptance.packet"]).code, 0);
    let text = t.orders("ea");
    let own = "      fire: {starboard: any, port: any}";
    let whole = "fire: {starboard: crossing, port: crossing}";
    let board = "board: {wish: never, retreat_at: 0}";
    let cases = [
        // What is put in, the word pointed at, and what is said of it.
        (own, "      lead: {move_with: {ship: {id: bounty}}}", "bounty", "at marker 4: `bounty` is no american ship"),
        (
            own,
            "      lead: {succession: [niagara], move_with: {command: {followers: [niagara, bounty]}}}",
            "bounty",
            "NAV-2.2",
        ),
        (own, "      fire: {ships: {niagara: {port: any, targets: [bounty]}}}", "bounty", "no british ship"),
        (whole, "fire: {targets: [bounty]}", "bounty", "no british ship"),
        (board, "board: {ships: {bounty: {wish: always}}}", "bounty", "no american ship"),
        (
            "{squadron: {}}, succession",
            "{squadron: {}}, reactions: [{if: {ship: {id: bounty}}, then: {squadron: {}}}], succession",
            "bounty",
            "no british ship",
        ),
        (whole, "fire: {starbord: any}", "starbord", "did you mean `starboard`?"),
        (whole, "fire: {port: allways}", "allways", "`crossing-or-close` or `any`"),
        (whole, "fire: {port: crosing}", "crosing", "did you mean `crossing`?"),
        (own, "      fire: {starboard: any, prt: any}", "prt", "did you mean `port`?"),
        (board, "board: {wish: alwas}", "alwas", "did you mean `always`?"),
        (board, "board: {wish: {if: {leed: 2, marines: 2}}}", "leed", "did you mean `lead`?"),
        (board, "board: {wish: {if: {lead: 2, marines: 2, marinse: 3}}}", "marinse", "did you mean `marines`?"),
        (
            "{squadron: {}}, succession",
            "{command: {folowers: [niagara]}}, succession",
            "folowers",
            "did you mean `followers`?",
        ),
        ("react: []", "react: [3, 2]", "react", "NAV-9.6"),
        (board, "board: {retreat_at: 9}", "retreat_at", "the most is 8 [NAV-8.6.p2]"),
        (
            own,
            "      board: {wish: {if: {lead: 12, marines: 2}}}",
            "lead: 12",
            "at marker 4: no ship can be 12 damage points ahead",
        ),
        (board, "board: {ships: {niagara: {wish: {if: {lead: -11, marines: 9}}}}}", "marines: 9", "[NAV-8.1]"),
    ];
    for (from, to, word, words) in cases {
        let said = t.check("ea", &text, from, to);
        let changed = text.replacen(from, to, 1);
        let (line, content) = (1..)
            .zip(changed.lines())
            .find(|(_, l)| l.contains(word) && !l.starts_with('#') && !l.trim().starts_with('#'))
            .unwrap();
        let place = format!("orders.yaml, line {line}, column {}: ", 1 + content.find(word).unwrap());
        assert!(said.code == 1 && said.text.contains(words), "{to}: {words}: {}", said.text);
        assert!(said.text.contains(&place), "{to}: {place}: {}", said.text);
        assert_eq!(said.text.matches("orders.yaml, line").count(), 1, "told once: {}", said.text);
    }
    for fine in [
        "board: {retreat_at: 8}",
        "board: {wish: {if: {lead: 11, marines: 8}}}",
        "board: {wish: {if: {lead: -11, marines: 0}}}",
    ] {
        let said = t.check("ea", &text, board, fine);
        assert_eq!(said.code, 0, "{}", said.text);
    }
}

#[test]
fn files_as_notepad_saves_them_are_read_or_refused_with_the_remedy() {
    let t = Tables::new();
    let text = t.orders("anna").replace("[straight, stop,", "[left, stop,");
    let dos = text.replace('\n', "\r\n");
    fs::write(t.path("anna/orders.yaml"), format!("\u{feff}{dos}")).unwrap();
    assert_eq!(t.run("anna", &["orders", "check"]).code, 0);
    let wide = |big: bool| -> Vec<u8> {
        format!("\u{feff}{dos}")
            .encode_utf16()
            .flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
            .collect()
    };
    let ansi: Vec<u8> = format!("{dos}say: \"Caf").into_bytes().into_iter().chain([0xe9, b'"', b'\n']).collect();
    for bytes in [wide(false), wide(true), ansi] {
        fs::write(t.path("anna/orders.yaml"), bytes).unwrap();
        let said = t.run("anna", &["orders", "check"]);
        assert!(said.code == 1 && said.text.contains("choose Save As, and there the encoding UTF-8"), "{}", said.text);
    }
}
