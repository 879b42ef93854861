//! The mails that `audit summary` counts from a log, held against packets: games of every mode played with as few as can
//! be, the packets counted as they go.
#![cfg(feature = "cli")]

mod common;

use std::collections::BTreeMap;
use std::process::Command;

use common::Numbers;
use common::strict::three;
use common::table::{Party, terms, two};
use countersign::doc::{Mode, SignedFile};
use countersign::log::{Entry, History, HostPost, Intent, Post, Secrets, own_post};
use countersign::seal::{Digest, Namespace};
use countersign::side::Seat;

const SENT: &str = "2026-01-02T00:00:00Z";

/// A duel, a squadron action, a fleet on each side, and a battle on land.
const SCENARIOS: [&str; 4] = ["constitution-guerriere", "essex-phoebe-cherub", "lake-champlain", "queenston-heights"];

/// Packets by their sender: the files each had.
#[derive(Default)]
struct Packets(Vec<(Seat, Vec<Digest>)>);

impl Packets {
    fn send(&mut self, seat: Seat, files: &[SignedFile]) {
        if !files.is_empty() {
            self.0.push((seat, files.iter().map(SignedFile::hash).collect()));
        }
    }

    /// Those with a file of the log in them.
    fn of(&self, log: &[u8]) -> BTreeMap<Seat, u64> {
        let text = String::from_utf8(log.to_vec()).unwrap();
        let hashes: Vec<Digest> = text
            .lines()
            .filter_map(|line| match Entry::parse(line).unwrap() {
                Entry::File(file) => Some(file.signed().unwrap().hash()),
                Entry::Result(_) => None,
            })
            .collect();
        let mut sent = BTreeMap::new();
        for (seat, _) in self.0.iter().filter(|(_, files)| files.iter().any(|hash| hashes.contains(hash))) {
            *sent.entry(*seat).or_default() += 1;
        }
        sent
    }
}

/// Two players in turn: each reads his mail, does everything he can, and sends it in one packet.
fn between_two(scenario: &str, seed: u64) -> (Vec<u8>, Packets) {
    let (mut parties, mut numbers, mut packets) = (two(scenario, 1), Numbers(seed), Packets::default());
    for turn in 0..4000 {
        let me = turn % 2;
        let party = &mut parties[me];
        loop {
            let answers = if party.to_answer() { party.random_answers(&mut numbers) } else { BTreeMap::new() };
            if !party.send(&Intent { answers, ..Intent::default() }) {
                break;
            }
        }
        let files = std::mem::take(&mut party.out);
        packets.send(party.player.seat, &files);
        for file in &files {
            parties[1 - me].receive(file);
        }
        if parties.iter().all(|p| p.history.complete()) {
            return (parties[0].history.log().bytes(), packets);
        }
    }
    panic!("no end");
}

/// The same through a host: a player, the host, the other player, the host.
fn strict(scenario: &str, seed: u64) -> (Vec<u8>, Packets) {
    let (mut places, _) = three(scenario, None, 1);
    let (mut numbers, mut packets) = (Numbers(seed), Packets::default());
    let words = common::host_words(SENT);
    for turn in 0..8000 {
        let me = [0, 2, 1, 2][turn % 4];
        let before = places[me].files.len();
        if me == 2 {
            while places[2].relay(&words).is_some() {}
            let files = places[2].files[before..].to_vec();
            packets.send(Seat::Host, &files);
            let shown = places[2].shown();
            if !files.is_empty() {
                for at in [0, 1] {
                    places[at].take(&shown);
                }
            }
        } else {
            loop {
                let party = &places[me].party;
                let answers = if party.to_answer() { party.random_answers(&mut numbers) } else { BTreeMap::new() };
                if places[me].send(&Intent { answers, ..Intent::default() }).is_none() {
                    break;
                }
            }
            let files = places[me].files[before..].to_vec();
            packets.send(places[me].seat(), &files);
            places[2].take(&files);
        }
        if places.iter().all(|p| p.party.history.complete()) {
            return (places[0].party.history.log().bytes(), packets);
        }
    }
    panic!("no end");
}

/// Orders of whoever is asked to the host, and his result to both.
fn hosted(scenario: &str, seed: u64) -> (Vec<u8>, Packets) {
    let (agreed, text, players) = terms(scenario, &BTreeMap::new(), Mode::Hosted, 1);
    let history = History::begin(agreed, &text).unwrap();
    let mut parties: Vec<Party> = players.into_iter().map(|p| Party::new(p, history.clone())).collect();
    let (mut numbers, mut packets, mut lodged) = (Numbers(seed), Packets::default(), Secrets::default());
    while !parties[2].history.complete() {
        let mut posts: Vec<Post> = Vec::new();
        for me in &parties[..2] {
            if parties[2].history.asked().contains(&me.player.seat) {
                let intent = Intent { answers: me.random_answers(&mut numbers), ..Intent::default() };
                let out = me.player.hosted(&me.history, &[], &intent, SENT).unwrap().unwrap();
                let signed = me.player.sign(Namespace::Orders, &out.file).unwrap();
                packets.send(me.player.seat, std::slice::from_ref(&signed));
                posts.push(own_post(signed).unwrap());
                lodged.extend(&out.openings);
            }
        }
        // What closes the game and what opens the rest after it go in one packet.
        let mut files = Vec::new();
        loop {
            let host = &parties[2];
            let file = host.player.close_hosted(&host.history, &posts, &lodged, &common::host_words(SENT)).unwrap();
            let signed = host.player.sign(Namespace::Host, &file).unwrap();
            for p in &mut parties {
                let post: HostPost = p.history.read_host(&signed).unwrap();
                p.history.close_hosted(&posts, &post).unwrap().unwrap();
            }
            files.push(signed);
            posts.clear();
            if parties[2].history.complete() || parties[2].history.end().is_none() {
                break;
            }
        }
        packets.send(Seat::Host, &files);
    }
    (parties[2].history.log().bytes(), packets)
}

fn summary(log: &[u8], format: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.log");
    std::fs::write(&path, log).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["audit", "summary", "--format", format, "--log"])
        .arg(&path)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

fn second_implementation(log: &[u8]) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.log");
    std::fs::write(&path, log).unwrap();
    let Ok(out) = Command::new("python3").arg("examples/audit.py").arg(&path).arg("--mails").output() else {
        assert!(std::env::var("CI").is_err(), "python3 is missing");
        return None;
    };
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Some(String::from_utf8(out.stdout).unwrap())
}

type Driver = fn(&str, u64) -> (Vec<u8>, Packets);

#[test]
fn the_mails_counted_are_those_that_travelled() {
    let drivers: [(&str, Driver); 3] = [("two-seats", between_two), ("strict", strict), ("hosted", hosted)];
    let mut reacts = 0;
    for (mode, play) in drivers {
        for scenario in SCENARIOS {
            for seed in 0..2 {
                let (log, packets) = play(scenario, seed);
                let said: serde_json::Value = serde_json::from_str(&summary(&log, "json")).unwrap();
                let counted: BTreeMap<Seat, u64> = said["mails"]
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(seat, row)| {
                        (serde_json::from_str(&format!("\"{seat}\"")).unwrap(), row["mails"].as_u64().unwrap())
                    })
                    .collect();
                let at = format!("{mode} {scenario} {seed}");
                assert_eq!(counted, packets.of(&log), "{at}");
                // Every turn has a decision of each player; more are REACTs at sea, pauses and questions on land.
                let turns = said["turns"].as_u64().unwrap();
                let asked = match said["reacts"].as_u64().unwrap() {
                    0 => said["table"]["decided"].as_u64().unwrap() - 2 * turns,
                    reacts => reacts,
                };
                let (all, decided) =
                    (said["players"]["mails"].as_u64().unwrap(), said["players"]["decided"].as_u64().unwrap());
                reacts += asked;
                assert!(
                    turns > 0 && decided >= 2 * turns && decided <= 2 * turns + asked && all >= decided,
                    "{at}: {said}"
                );
                // The table is the bar: no game played with care takes more.
                assert!(all <= said["table"]["mails"].as_u64().unwrap(), "{at}: {said}");
                if let Some(second) = second_implementation(&log) {
                    let ours: String = ["american", "british", "host"]
                        .iter()
                        .filter(|seat| !said["mails"][seat].is_null())
                        .map(|seat| {
                            format!("{seat} {} {}\n", said["mails"][seat]["mails"], said["mails"][seat]["decided"])
                        })
                        .collect();
                    assert_eq!(second, ours, "{at}");
                }
                let words = summary(&log, "text");
                assert!(words.contains("The table in schemas/protocol.md, 8a, has"), "{words}");
                println!(
                    "{at}: {} turns, {asked} flagged: {}",
                    turns,
                    words.lines().rev().take(5).collect::<Vec<_>>().join(" | ")
                );
            }
        }
    }
    assert!(reacts > 10, "{reacts}");
}
