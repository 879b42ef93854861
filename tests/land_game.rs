//! A land battle at the command line: proposed, ordered, checked, signed, adjudicated, tried out, and played to its end at
//! one keyboard.
#![cfg(feature = "cli")]

#[path = "common/dialogue.rs"]
mod dialogue;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use dialogue::Dialogue;

struct Tables {
    dir: tempfile::TempDir,
}

impl Tables {
    /// Anna, American, has proposed Queenston Heights with an optional rule, and Bob accepted.
    fn new() -> Tables {
        let t = Tables { dir: tempfile::tempdir().unwrap() };
        for name in ["anna", "bob"] {
            t.good(".", &["key", "new", "--file", &format!("{name}.key"), "--no-passphrase"]);
        }
        let new = ["new", "--scenario", "queenston-heights", "--seat", "american", "--player", "Anna"];
        let how = ["--folder", "anna", "--key", "anna.key", "--preset", "club", "--ruling", "11.3=on"];
        t.good(".", &[&new[..], &how[..]].concat());
        let accept = ["accept", "anna/out/proposal.packet", "--player", "Bob", "--folder", "bob", "--key", "bob.key"];
        let said = t.good(".", &accept);
        assert!(said.contains("11.3=on") && said.contains("L03=combat-units"), "{said}");
        t.good("anna", &["adjudicate", "../bob/out/acceptance.packet"]);
        // The first act of a land battle is a die: both send their links before anybody orders.
        t.good("bob", &["adjudicate", &t.newest("anna")]);
        t.good("anna", &["adjudicate", &t.newest("bob")]);
        t
    }

    fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join(of)
    }

    fn run(&self, folder: &str, args: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let out = command.args(args).current_dir(self.path(folder)).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{text}");
        (out.status.code().unwrap_or(-1), text)
    }

    fn good(&self, folder: &str, args: &[&str]) -> String {
        let (code, text) = self.run(folder, args);
        assert!(matches!(code, 0 | 3), "{args:?}: {code}: {text}");
        text
    }

    fn template(&self, who: &str) -> String {
        self.good(who, &["orders", "new", "--force"]);
        fs::read_to_string(self.path(who).join("orders.yaml")).unwrap()
    }

    fn newest(&self, who: &str) -> String {
        let mut all: Vec<PathBuf> =
            fs::read_dir(self.path(who).join("out")).unwrap().map(|e| e.unwrap().path()).collect();
        all.retain(|p| p.extension().is_some_and(|e| e == "packet"));
        all.sort_by_key(|p| fs::metadata(p).unwrap().modified().unwrap());
        all.last().unwrap().display().to_string()
    }
}

const MARCH: &str = "  - move: {unit: wool, path: [\"0905\"], with: van-rensselaer}\n";

#[test]
fn two_players_play_a_turn_by_mail() {
    let t = Tables::new();
    let text = t.template("anna");
    assert!(
        text.contains("You have") && text.contains("wool: 1005, regular infantry, MP 4, with van-rensselaer"),
        "{text}"
    );
    t.good("anna", &["orders", "check"]);

    // A hex that is not adjacent: line, order and rule are named, and nothing is signed.
    let orders = text.replace("  []\n", MARCH);
    assert_ne!(orders, text);
    let bad = orders.replace("\"0905\"", "\"0903\"");
    fs::write(t.path("anna/orders.yaml"), &bad).unwrap();
    let line = 1 + bad.lines().position(|l| l.contains("unit: wool, path: [\"0903\"]")).unwrap();
    for command in ["check", "sign"] {
        let (code, said) = t.run("anna", &["orders", command]);
        assert!(code == 1 && said.contains("FHG-7.1") && said.contains("order 1"), "{said}");
        assert!(said.contains(&format!("line {line}, ")), "{said}");
    }

    fs::write(t.path("anna/orders.yaml"), &orders).unwrap();
    t.good("anna", &["orders", "check"]);
    t.good("anna", &["orders", "sign"]);
    t.good("bob", &["adjudicate", &t.newest("anna")]);
    t.good("anna", &["adjudicate", &t.newest("bob")]);
    let report = fs::read_to_string(t.path("anna/report.txt")).unwrap();
    assert!(
        report.contains("The Americans act: turn 1, ")
            && report.contains(
                "\n  13th Infantry, Wool with Colonel Van Rensselaer moves 1005 - 0905 (1 AP).\n      [FHG-7.1]\n"
            ),
        "{report}"
    );
    assert!(report.contains("The British roll") && report.contains("for action points: 4 command +"), "{report}");

    // Bob has the points in his template; he stands and the turn is over.
    t.good("bob", &["adjudicate", &t.newest("anna")]);
    assert!(t.template("bob").contains("You have"));
    t.good("bob", &["orders", "sign", "--unchanged"]);
    t.good("anna", &["adjudicate", &t.newest("bob")]);
    t.good("bob", &["adjudicate", &t.newest("anna")]);
    let report = fs::read_to_string(t.path("bob/report.txt")).unwrap();
    assert!(report.contains("Turn 1 ends.") && report.contains("TURN 2"), "{report}");
    let long = |line: &&str| line.chars().count() > 78 && !line.starts_with("Head: ");
    assert_eq!(report.lines().find(long), None);
    let logs: Vec<Vec<u8>> = ["anna", "bob"].iter().map(|w| fs::read(t.path(w).join("game.log")).unwrap()).collect();
    assert_eq!(logs[0], logs[1]);
    assert!(t.good("anna", &["verify"]).starts_with("GOOD"));
}

/// As many conditions inside one another as the rules of orders allow go out and come back; what was ordered for the
/// enemy's half-turn still stands in the template after a pause; and a word to the opponent does nothing to his screen.
#[test]
fn deep_orders_a_pause_and_a_word_go_out_by_mail() {
    let t = Tables::new();
    let mut guard = "{at: {unit: wool, hex: \"1005\"}}".to_owned();
    for _ in 0..4 {
        guard = format!("{{all: [{guard}]}}");
    }
    let mut orders = "[{pause: {}}, {fire: {unit: wool, at: \"0906\"}}]".to_owned();
    for _ in 0..4 {
        orders = format!("[{{if: {{when: {guard}, then: {orders}}}}}]");
    }
    let text = t.template("anna").replace("  []\n", "").replace("orders:\n", &format!("orders: {orders}\n"));
    let standing = "standing: {ties: troops, retreat: {toward: [3]}, units: {wool: {retreat: ask}}}\n";
    let head = text.split("standing: {").next().unwrap();
    let word = "say: \"Hello\\e[2J\\u202e Bob\"\n";
    fs::write(t.path("anna/orders.yaml"), format!("{head}{standing}{word}")).unwrap();
    t.good("anna", &["orders", "check"]);
    t.good("anna", &["orders", "sign"]);
    let said = t.good("bob", &["adjudicate", &t.newest("anna")]);
    assert!(said.contains("Hello\u{fffd}[2J\u{fffd} Bob") && said.contains("pause at order 1"), "{said}");
    t.good("anna", &["adjudicate", &t.newest("bob")]);
    let again = t.template("anna");
    assert!(again.contains("  - {fire: {unit: wool, at: \"0906\"}}\n"), "{again}");
    assert!(
        again.contains("standing: {ties: troops, retreat: {toward: [3]}") && again.contains("wool: {retreat: ask}"),
        "{again}"
    );
    t.good("anna", &["orders", "check"]);
    for who in ["anna", "bob"] {
        assert!(t.good(who, &["verify"]).starts_with("GOOD"));
    }

    // One condition more is refused by its rule, and hundreds of faults are not a hundred pages.
    let deeper = format!("[{{if: {{when: {guard}, then: {orders}}}}}]");
    let many = "{move: {unit: wool, path: [\"0101\"]}}, ".repeat(300);
    for (orders, what) in
        [(deeper, "more than 4 conditions stand inside one another"), (format!("[{many}]"), "280 more")]
    {
        let head = again.split("orders:\n").next().unwrap();
        fs::write(t.path("anna/orders.yaml"), format!("{head}orders: {orders}\n")).unwrap();
        let (code, said) = t.run("anna", &["orders", "check"]);
        assert!(code == 1 && said.contains(what) && said.lines().count() < 30, "{said}");
    }
}

/// A name no packet can carry is refused where it is typed, and leaves nothing behind.
#[test]
fn a_name_too_long_is_refused_before_it_goes_out() {
    let t = Tables::new();
    t.good(".", &["key", "new", "--file", "carl.key", "--no-passphrase"]);
    for name in ["A".repeat(61), "Anna\u{1b}[2J".to_owned()] {
        let new = ["new", "--scenario", "queenston-heights", "--seat", "american", "--player", &name, "--folder", "x"];
        let accept = ["accept", "anna/out/sent/proposal.packet", "--player", &name, "--folder", "x"];
        // Who has accepted before gets his acceptance again, so a third accepts here.
        for (args, key) in [(&new[..], "anna.key"), (&accept[..], "carl.key")] {
            let (code, said) = t.run(".", &[args, &["--key", key]].concat());
            assert!(code != 0 && said.contains("at most 60 characters") && !t.path("x").exists(), "{code}: {said}");
        }
    }
}

/// What would happen for each result, before anything is signed; and afterwards the page that shows what did.
#[test]
fn a_half_turn_is_looked_at_before_and_after() {
    let t = Tables::new();
    let text = t.template("anna");
    let orders =
        "  - close-combat: {unit: wool, at: \"0906\", advance: go}\n  - fire: {unit: riflemen, at: \"0806\"}\n";
    fs::write(t.path("anna/orders.yaml"), text.replace("  []\n", orders)).unwrap();
    let said = t.good("anna", &["orders", "preview"]);
    // The redan's guns check at MP 2, +1 entrenchment, +1 Brock: 4 of 6.
    for part in [
        "Nothing is signed",
        "activation 1: redan checks",
        "66.7 in 100  stands",
        "33.3 in 100  fails",
        "activation 1: the attack, 3 dice",
        "no hit",
        "By standing orders of the British",
        "THEN - each attack the enemy could make",
        "Grenadiers of the 49th fires at",
        "Redan battery fires at 1005",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Nothing was signed, and a guess at the enemy's orders takes the place of all his attacks.
    assert!(
        fs::read_dir(t.path("anna/orders")).unwrap().all(|f| !f
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with("00002"))
    );
    fs::write(t.path("anna/his.yaml"), text.replace("  []\n", "  - fire: {unit: redan, at: \"1005\"}\n")).unwrap();
    let said = t.good("anna", &["orders", "preview", "--enemy", "his.yaml"]);
    assert!(said.contains("the orders in his.yaml") && !said.contains("each attack"), "{said}");

    t.good("anna", &["orders", "sign"]);
    t.good("bob", &["adjudicate", &t.newest("anna")]);
    t.good("anna", &["adjudicate", &t.newest("bob")]);
    t.good("anna", &["report", "--html", "page.html"]);
    let page = fs::read_to_string(t.path("anna/page.html")).unwrap();
    for part in [
        "t1/american/1/morale/redan</code></td><td>2</td><td>proved",
        "attack</text>",
        "FHG-2.3.9.d",
        "Losses",
        "13th Infantry, Wool attacks",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script") && !page.contains("not proved") && page.matches("<figure>").count() == 2);
    let listed = t.good("bob", &["moves", "--all"]);
    assert!(
        listed.contains("The british player has") && listed.contains("The american player is not to act now"),
        "{listed}"
    );
}

#[test]
fn a_rules_argument_is_settled_with_whatif() {
    let t = Tables::new();
    fs::write(
        t.path("position.yaml"),
        "stage: {orders: {side: british, part: 1}}\nap: 2\nmap: {terrain: {hill: [\"0504\"]}}\n\
         british: {units: [{id: b, at: \"0503\"}]}\namerican: {units: [{id: x, type: militia, at: \"0504\"}]}\n",
    )
    .unwrap();
    fs::write(
        t.path("orders.yaml"),
        "answers:\n  - {side: british, kind: orders, answer: {orders: [{close-combat: {unit: b, at: \"0504\", advance: go}}]}}\n",
    )
    .unwrap();
    let said =
        t.good(".", &["whatif", "position.yaml", "--orders", "orders.yaml", "--dice", "4,1,1,1", "--position-out"]);
    assert!(said.contains("x checks: 4 against MP 2 +1 [FHG-2.3.6.d]: will retreat. [FHG-8.3.2]"), "{said}");
    assert!(said.contains("x retreats 0504 - 0505") && said.contains("b advances 0503 - 0504"), "{said}");
    assert!(
        said.contains("no part of any game")
            && said.contains("1 die is rolled now, and --dice gives no more faces (t1/american/points)"),
        "{said}"
    );
}

#[test]
fn a_whole_battle_at_one_keyboard_ends_with_a_log_that_verifies() {
    let dir = tempfile::tempdir().unwrap();
    let mut solo = Dialogue::start(dir.path(), &["solo", "--scenario", "queenston-heights", "--folder", "heights"]);
    let mut fresh = true;
    solo.play(|asked| {
        if asked.contains("sign them now") {
            fresh = true;
            return "1".into();
        }
        if !asked.trim_end().ends_with('>') || !asked.contains("order ") {
            return String::new();
        }
        // Wool fires when he may; what is refused is said, and not taken.
        if std::mem::take(&mut fresh) { "fire wool 0906".into() } else { "done".into() }
    });
    let ended = solo.end();
    assert_eq!(ended.code, 0, "{}", ended.text);
    assert!(ended.text.contains("TURN 2") && ended.text.contains("The game is over."));
    assert!(ended.text.lines().last().unwrap().starts_with("GOOD"), "{}", ended.text);
    assert!(ended.text.contains("Not allowed: order 1: `wool` is the enemy's [FHG-5.d]"), "the British try it too");
}
