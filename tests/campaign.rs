//! Chapter 12 at the command line: what a finished battle counts is carried into the next from its log, on both sides.
#![cfg(feature = "cli")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use common::Numbers;
use common::table::two_with;
use countersign::books::honor::land::Event;
use countersign::catalog;
use countersign::doc::{Packet, SignedFile};
use countersign::log::{Intent, read_proposal, verify};
use countersign::play::Record;
use countersign::side::Sides;

const BEGIN: &str = "2026-01-01T12:00:00Z";
const LATER: &str = "2026-02-01T12:00:00Z";

/// A table with the keys of Anna, Bob and a host.
struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let desk = Desk { dir: tempfile::tempdir().unwrap() };
        for name in ["anna", "bob", "hal"] {
            desk.fine(".", &format!("key new --file {name}.key --no-passphrase"));
        }
        desk
    }

    fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join(of)
    }

    fn at(&self, now: &str, folder: &str, line: &str) -> (i32, String) {
        let out = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(line.split(' '))
            .current_dir(self.path(folder))
            .env("COUNTERSIGN_NOW", now)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{line}: {text}");
        (out.status.code().unwrap_or(-1), text)
    }

    fn run(&self, folder: &str, line: &str) -> (i32, String) {
        self.at(BEGIN, folder, line)
    }

    fn fine(&self, folder: &str, line: &str) -> String {
        let (code, text) = self.run(folder, line);
        assert!(matches!(code, 0 | 3), "{folder}: {line}: {code}: {text}");
        text
    }

    /// What is refused, in one line: the lines of a terminal do not matter here.
    fn refused(&self, line: &str) -> String {
        let (code, text) = self.run(".", line);
        assert!(matches!(code, 1 | 2), "{line}: {code}: {text}");
        assert!(!self.path("refused").exists(), "{line}: a folder was made");
        text
    }

    /// Everything that lies in one's `out/` reaches the others.
    fn carry(&self, from: &str, to: &[&str]) {
        for file in fs::read_dir(self.path(from).join("out")).unwrap().map(|e| e.unwrap().path()) {
            if file.extension().is_some_and(|e| e == "packet") {
                for place in to {
                    self.run(place, &format!("adjudicate {}", file.display()));
                }
            }
        }
    }

    /// Anna proposes and Bob accepts; both sides of the battle lie in `anna-NAME` and `bob-NAME`.
    fn begin(&self, name: &str, new: &str, accept: &str) -> (String, String) {
        let how = format!("--seat american --player Anna --folder anna-{name} --key anna.key");
        let new = self.fine(".", &format!("new {new} {how}"));
        let how = format!("--player Bob --folder bob-{name} --key bob.key");
        let accepted = self.fine(".", format!("accept anna-{name}/out/proposal.packet {how} {accept}").trim_end());
        let (anna, bob) = (format!("anna-{name}"), format!("bob-{name}"));
        self.carry(&bob, &[&anna]);
        self.carry(&anna, &[&bob]);
        self.carry(&bob, &[&anna]);
        (new, accepted)
    }

    /// Both stand where they are until the last turn is over.
    fn stand_to_the_end(&self, name: &str) {
        let both = [format!("anna-{name}"), format!("bob-{name}")];
        for _ in 0..20 {
            for (me, other) in [(&both[0], &both[1]), (&both[1], &both[0])] {
                if self.run(me, "orders new --force").0 == 0 {
                    self.run(me, "orders sign --unchanged");
                }
                self.carry(me, &[other]);
            }
            if both.iter().all(|place| self.fine(place, "verify").contains("game over")) {
                let logs: Vec<Vec<u8>> =
                    both.iter().map(|p| fs::read(self.path(p).join("game.log")).unwrap()).collect();
                assert_eq!(logs[0], logs[1]);
                return;
            }
        }
        panic!("{name} does not end");
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// A battle of the catalogue, cut to a turn; who wins when it is over.
    fn short(&self, id: &str, winner: &str) -> String {
        let text = catalog::embedded(id).unwrap();
        let line = |key: &str| text.lines().find(|line| line.trim_start().starts_with(key)).unwrap().to_owned();
        let cut = text.replace(&line("turns: "), "turns: 1").replace(&line("time: "), &format!("  time: {winner}"));
        self.write(&format!("{id}.yaml"), cut.as_bytes());
        format!("--data {id}.yaml")
    }

    /// What a proposal says of chapter 12.
    fn terms(&self, packet: &str) -> BTreeMap<String, String> {
        let packet = Packet::parse(&fs::read(self.path(packet)).unwrap()).unwrap();
        let proposal = read_proposal(&SignedFile::parse(&packet.files[0]).unwrap()).unwrap();
        let twelve = |number: &String| number == "12" || number.starts_with("12.");
        proposal.rulings.into_iter().filter(|(number, _)| twelve(number)).collect()
    }
}

fn settings(of: &[(&str, &str)]) -> BTreeMap<String, String> {
    of.iter().map(|(number, word)| ((*number).to_owned(), (*word).to_owned())).collect()
}

/// A battle played at random by mail, and its log.
fn random_log(scenario: &str, rulings: &BTreeMap<String, String>, seed: u64) -> Vec<u8> {
    let mut parties = two_with(scenario, rulings, 9);
    let mut numbers = Numbers(seed);
    for _ in 0..4000 {
        for me in [0, 1] {
            let answers =
                if parties[me].to_answer() { parties[me].random_answers(&mut numbers) } else { BTreeMap::new() };
            parties[me].send(&Intent { answers, ..Intent::default() });
            for signed in std::mem::take(&mut parties[me].out) {
                parties[1 - me].receive(&signed);
            }
        }
        if parties.iter().all(|p| p.history.complete()) {
            return parties[0].history.log().bytes();
        }
    }
    panic!("{scenario} {seed} does not end");
}

/// What a log counts by its last event: this battle, all so far.
fn credited(log: &[u8]) -> (Sides<u32>, Sides<u32>) {
    let verified = verify(log, &catalog::embedded, None).unwrap();
    let chapters = verified.history.game.land().unwrap().played.chapters();
    match chapters.iter().flat_map(|c| &c.records).last() {
        Some(Record::Event(Event::Credited { points, totals, .. })) => (*points, *totals),
        other => panic!("no end of a campaign's battle: {other:?}"),
    }
}

/// Two battles of a turn each, from the first command to the winner of the campaign.
#[test]
fn a_campaign_is_played_from_battle_to_battle() {
    let desk = Desk::new();
    let first = desk.short("chippawa", "british");
    let (_, accepted) = desk.begin("first", &format!("{first} --ruling 12=niagara"), &first);
    assert!(accepted.contains("Battle 1 of the campaign Niagara. [FHG-12]"), "{accepted}");
    let how = "--seat american --player Anna --folder refused --key anna.key";
    let open = desk.refused(&format!("new --after anna-first {how}"));
    assert!(open.contains("chippawa is not over: step") && open.contains("play it to its end first"), "{open}");
    desk.stand_to_the_end("first");
    let (_, totals) = credited_in(&desk, "anna-first");
    // 12.p2, L51: the British win by time and are credited with their target.
    assert_eq!(totals, Sides { british: 7, american: 0 });

    // The folder on Anna's side, the log alone on Bob's.
    let second = desk.short("lundys-lane", "american");
    let carried = format!("British {}, American {} carried", points(totals.british), points(totals.american));
    let (said, accepted) =
        desk.begin("second", &format!("{second} --after anna-first"), &format!("{second} --after bob-first"));
    assert!(said.contains("Battle 2 of the campaign Niagara, after"), "{said}");
    assert!(said.contains(&carried) && said.contains("american Anna, british Bob; played by the rules"), "{said}");
    assert!(accepted.contains(&carried) && accepted.contains("Your log counts the same."), "{accepted}");
    assert!(!accepted.contains("12.british"), "{accepted}");
    let terms = desk.terms("anna-second/out/sent/proposal.packet");
    let figures = [totals.british.to_string(), totals.american.to_string()];
    assert_eq!(terms, settings(&[("12", "niagara"), ("12.british", &figures[0]), ("12.american", &figures[1])]));
    desk.stand_to_the_end("second");
    let (own, all) = credited_in(&desk, "anna-second");
    // The Americans by time, with their target of Lundy's Lane.
    assert_eq!((own, all), (Sides { british: 0, american: 5 }, Sides { british: 7, american: 5 }));
    let report = fs::read_to_string(desk.path("bob-second/report.txt")).unwrap();
    let report = report.split_whitespace().collect::<Vec<_>>().join(" "); // its lines are folded
    assert!(report.contains("in all British 7, Americans 5: the British win the campaign"), "{report}");

    let last = desk.refused(&format!("new --after bob-second {how}"));
    assert!(last.contains("lundys-lane is the last battle of the campaign Niagara"), "{last}");
}

fn points(n: u32) -> String {
    if n == 1 { "1 point".to_owned() } else { format!("{n} points") }
}

/// The same of a folder's log, whose scenario lies beside it.
fn credited_in(desk: &Desk, folder: &str) -> (Sides<u32>, Sides<u32>) {
    let scenario = |_: &str| fs::read_to_string(desk.path(folder).join("scenario.yaml")).ok();
    let log = fs::read(desk.path(folder).join("game.log")).unwrap();
    let verified = verify(&log, &scenario, None).unwrap();
    let chapters = verified.history.game.land().unwrap().played.chapters();
    match chapters.iter().flat_map(|c| &c.records).last() {
        Some(Record::Event(Event::Credited { points, totals, .. })) => (*points, *totals),
        other => panic!("no end of a campaign's battle: {other:?}"),
    }
}

/// 12.p1, 12.p2: battles fought at random, won by points and by time; the default scenario is the next battle.
#[test]
fn the_points_of_every_campaign_come_from_its_log() {
    let desk = Desk::new();
    let campaigns = [
        ("niagara", "chippawa", "lundys-lane"),
        ("chesapeake", "bladensburg", "north-point"),
        ("new-orleans", "night-attack", "new-orleans"),
    ];
    for (n, (campaign, first, second)) in campaigns.into_iter().enumerate() {
        let log = random_log(first, &settings(&[("12", campaign)]), 40 + n as u64);
        let (points, totals) = credited(&log);
        assert_eq!(points, totals, "{first} is the first battle");
        assert!(common::second_implementation(&log).is_none_or(|(good, _)| good), "{first}");
        desk.write("before.log", &log);
        let how = format!("--seat british --player Bob --folder bob-{campaign} --key bob.key");
        desk.fine(".", &format!("new --after before.log {how}"));
        let figures = [totals.british.to_string(), totals.american.to_string()];
        let expected = settings(&[("12", campaign), ("12.british", &figures[0]), ("12.american", &figures[1])]);
        let packet = format!("bob-{campaign}/out/proposal.packet");
        assert_eq!(desk.terms(&packet), expected, "{campaign}");
        let scenario = fs::read_to_string(desk.path(&format!("bob-{campaign}/scenario.yaml"))).unwrap();
        assert!(scenario.contains(&format!("id: {second}\n")), "{campaign}");
        let how = format!("--player Anna --folder anna-{campaign} --key anna.key --after before.log");
        let said = desk.fine(".", &format!("accept {packet} {how}"));
        assert!(said.contains("Your log counts the same."), "{said}");

        // Named rightly it is the same; another battle does not follow.
        let how = "--seat british --player Bob --folder refused --key bob.key";
        let other = desk.refused(&format!("new --scenario {first} --after before.log {how}"));
        assert!(other.contains(&format!("goes on with {second}, not {first}")), "{other}");
        let both = desk.refused(&format!("new --after before.log --ruling 12.british=3 {how}"));
        assert!(both.contains("--ruling 12.british=3 and --after both say"), "{both}");

        let log = random_log(second, &expected, 50 + n as u64);
        let (own, all) = credited(&log);
        assert_eq!(all, Sides::from_fn(|side| totals.get(side) + own.get(side)), "{campaign}");
    }
}

/// Who accepts compares with his own log; who does not is told that nothing did.
#[test]
fn terms_that_carry_other_points_are_refused_with_both_figures() {
    let desk = Desk::new();
    let log = random_log("chippawa", &settings(&[("12", "niagara")]), 41);
    let (_, totals) = credited(&log);
    desk.write("mine.log", &log);
    let propose = |name: &str, rest: &str| {
        desk.fine(".", &format!("new {rest} --seat american --player Anna --folder {name} --key anna.key"));
        format!("{name}/out/proposal.packet")
    };
    let how = "--player Bob --folder refused --key bob.key --after mine.log";

    let more = totals.american + 2;
    let typed = format!("--ruling 12=niagara --ruling 12.british={} --ruling 12.american={more}", totals.british);
    let packet = propose("more", &format!("--scenario lundys-lane {typed}"));
    let said = desk.refused(&format!("accept {packet} {how}"));
    assert!(said.contains(&format!("carry British {}, American {}", points(totals.british), points(more))), "{said}");
    let counts = format!("counts British {}, American {}", points(totals.british), points(totals.american));
    assert!(said.contains(&counts) && said.contains("FHG-12"), "{said}");

    // Without a log of his own he is told so, and may still accept what they agreed.
    let said = desk.fine(".", &format!("accept {packet} --player Bob --folder bob-more --key bob.key"));
    assert!(said.contains("Battle 2 of the campaign Niagara:") && said.contains("nothing has compared them"), "{said}");

    let packet = propose("alone", "--scenario lundys-lane");
    let said = desk.refused(&format!("accept {packet} {how}"));
    assert!(said.contains("the terms proposed make lundys-lane a battle by itself"), "{said}");

    for (name, terms) in [
        ("again", "--scenario chippawa --ruling 12=niagara"),
        ("elsewhere", "--scenario north-point --ruling 12=chesapeake"),
    ] {
        let packet = propose(name, terms);
        let said = desk.refused(&format!("accept {packet} {how}"));
        assert!(said.contains("after the battle of your log comes lundys-lane"), "{said}");
    }
}

/// What carries nothing says why, and what to do.
#[test]
fn a_battle_that_counts_nothing_is_refused_in_plain_words() {
    let desk = Desk::new();
    let how = "--seat american --player Anna --folder refused --key anna.key";
    let refused = |log: &[u8]| {
        desk.write("before.log", log);
        desk.refused(&format!("new --after before.log {how}"))
    };

    let said = refused(&random_log("wasp-frolic", &BTreeMap::new(), 3));
    assert!(said.contains("fought at sea") && said.contains("Niagara (chippawa, lundys-lane)"), "{said}");
    let said = refused(&random_log("queenston-heights", &BTreeMap::new(), 3));
    assert!(said.contains("queenston-heights is no battle of a campaign"), "{said}");

    // The very battle that counts in a campaign, and by itself: the figures are offered to be typed.
    let counted = random_log("chippawa", &settings(&[("12", "niagara")]), 41);
    let alone = random_log("chippawa", &BTreeMap::new(), 41);
    let said = refused(&alone);
    assert!(said.contains("was not played as a battle of a campaign"), "{said}");
    assert!(said.contains("--ruling 12=niagara --ruling 12.british="), "{said}");
    let verified = verify(&alone, &catalog::embedded, None).unwrap();
    let game = verified.history.game.land().unwrap();
    let over = game.played.chapters().iter().flat_map(|c| &c.records).find_map(|record| match record {
        Record::Event(Event::GameOver { winner, why, points }) => Some((*winner, *why, *points)),
        _ => None,
    });
    let (winner, why, held) = over.unwrap();
    let would = countersign::books::honor::land::credit(why, winner, held, game.scenario.victory.target);
    assert!(said.contains(&format!("12.british={} --ruling 12.american={}", would.british, would.american)), "{said}");

    // Another end written into the last line: the log does not verify.
    let text = String::from_utf8(counted).unwrap();
    let changed = text.replace("\"needs\":[\"over\"]", "\"needs\":[\"orders\"]");
    assert!(text != changed, "the end of a log reads otherwise");
    let said = refused(changed.as_bytes());
    assert!(said.contains("does not verify") && said.contains("countersign verify before.log"), "{said}");

    let none = desk.refused(&format!("new --after nowhere {how}"));
    assert!(none.contains("nowhere"), "{none}");
}

/// 12.p1 and 12.p2 are silent of a battle that is given up; so is the program.
#[test]
fn a_battle_given_up_is_left_to_the_players() {
    let desk = Desk::new();
    let how = "--seat american --player Anna --folder refused --key anna.key";
    let by_hand = "--ruling 12=niagara --ruling 12.british=N --ruling 12.american=N";
    let new = "--scenario chippawa --ruling 12=niagara";

    desk.begin("conceded", new, "");
    desk.fine("bob-conceded", "concede --yes");
    for _ in 0..2 {
        desk.carry("bob-conceded", &["anna-conceded"]);
        desk.carry("anna-conceded", &["bob-conceded"]);
    }
    let said = desk.refused(&format!("new --after anna-conceded {how}"));
    assert!(said.contains("the british player conceded chippawa") && said.contains(by_hand), "{said}");

    desk.begin("drawn", new, "");
    desk.fine("anna-drawn", "offer draw");
    desk.carry("anna-drawn", &["bob-drawn"]);
    desk.fine("bob-drawn", "agree");
    for _ in 0..2 {
        desk.carry("bob-drawn", &["anna-drawn"]);
        desk.carry("anna-drawn", &["bob-drawn"]);
    }
    let said = desk.refused(&format!("new --after anna-drawn {how}"));
    assert!(said.contains("chippawa was broken off as a draw") && said.contains(by_hand), "{said}");

    let clock = "--mode hosted --days 3 --late forfeit --seat american --player Anna --folder anna-late --key anna.key";
    desk.fine(".", &format!("new {new} {clock}"));
    for (who, seat) in [("bob", "british"), ("hal", "host")] {
        let how = format!("--seat {seat} --player {who} --folder {who}-late --key {who}.key");
        desk.fine(".", &format!("accept anna-late/out/proposal.packet {how}"));
    }
    let all = ["anna-late", "bob-late", "hal-late"];
    for _ in 0..2 {
        for from in all {
            let others: Vec<&str> = all.into_iter().filter(|place| *place != from).collect();
            desk.carry(from, &others);
        }
    }
    desk.fine("hal-late", "adjudicate");
    let (code, said) = desk.at(LATER, "hal-late", "host late");
    assert_eq!(code, 0, "{said}");
    desk.carry("hal-late", &["anna-late", "bob-late"]);
    let said = desk.refused(&format!("new --after hal-late {how}"));
    assert!(said.contains("player lost chippawa by the clock") && said.contains(by_hand), "{said}");
}
