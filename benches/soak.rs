//! The large figures, in one command: `cargo bench --bench soak [GAMES]` (1,000 games of every scenario if left out).
//!
//! Every game is played through the real protocol by two parties with random legal answers, ends with byte-identical logs
//! and is verified; events are counted. Then speeds, each as a ratio to a floor measured in the same run.
#![allow(clippy::duplicate_mod, reason = "the speeds are a bench of their own, too")]

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "speed.rs"]
mod speed;

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

use common::Numbers;
use common::table::{Party, two};
use countersign::books::honor::naval::Naval;
use countersign::catalog::{self, AnyGame, SCENARIOS};
use countersign::log::{Intent, check_protocol, verify};
use countersign::play::Record;

/// Plays one game; the first to write alternates, and now and then both write before any mail arrives.
fn play(scenario: &str, seed: u64) -> (Vec<u8>, Vec<Party>) {
    play_on(two(scenario, 1 + u8::try_from(seed % 250).unwrap_or(0)), scenario, seed)
}

fn play_on(mut parties: Vec<Party>, scenario: &str, seed: u64) -> (Vec<u8>, Vec<Party>) {
    let mut numbers = Numbers(seed);
    for round in 0..4000u32 {
        if parties.iter().all(|p| p.history.complete()) {
            break;
        }
        for me in [round as usize % 2, 1 - round as usize % 2] {
            if parties[me].to_answer() {
                let answers = parties[me].random_answers(&mut numbers);
                parties[me].send(&Intent { answers, ..Intent::default() });
            } else {
                parties[me].send(&Intent::default());
            }
            if numbers.below(5) == 0 {
                continue; // the mail is slow
            }
            for signed in std::mem::take(&mut parties[me].out) {
                parties[1 - me].receive(&signed);
            }
        }
    }
    assert!(parties.iter().all(|p| p.history.complete()), "{scenario} {seed}: a dead end");
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert!(logs[0] == logs[1], "{scenario} {seed}: the logs differ");
    (logs[0].clone(), parties)
}

fn name(record: &Record<Naval>) -> Option<String> {
    let Record::Event(event) = record else { return None };
    serde_json::to_string(event).ok()?.split('"').nth(1).map(str::to_owned)
}

#[derive(Default)]
struct Tally {
    games: u64,
    entries: u64,
    signatures: u64,
    dice: u64,
    events: BTreeMap<String, u64>,
    agreed: u64,
}

fn soak(scenario: &str, games: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..games {
        let (log, parties) = play(scenario, seed);
        let verified = verify(&log, &catalog::embedded, Some(parties[0].history.head()))
            .unwrap_or_else(|f| panic!("{scenario} {seed}: {f}"));
        check_protocol(&log).unwrap_or_else(|f| panic!("{scenario} {seed}: {f}"));
        tally.games += 1;
        tally.entries += verified.entries as u64;
        tally.signatures += verified.signatures as u64;
        tally.dice += verified.dice as u64;
        let AnyGame::Naval(game) = &verified.history.game;
        for record in game.played.chapters().iter().flat_map(|c| &c.records) {
            if let Some(name) = name(record) {
                *tally.events.entry(name).or_insert(0) += 1;
            }
        }
        if seed < 10 {
            tally.agreed += second_implementation(&log, &verified);
        }
    }
    tally
}

/// Whether `examples/audit.py` makes the same seeds and the first dice.
fn second_implementation(log: &[u8], verified: &countersign::log::Verified) -> u64 {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("game.log");
    std::fs::write(&path, log).expect("a file");
    let run = |args: &[&str]| {
        let out = Command::new("python3").arg("examples/audit.py").arg(&path).args(args).output().expect("python3");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let ours: String = verified.history.seeds().iter().map(|(step, seed)| format!("{step} {seed}\n")).collect();
    assert_eq!(run(&["--dice"]), ours);
    let dice = verified.history.closed().iter().filter_map(|c| c.story.as_ref()).flat_map(|s| s.dice.clone());
    for die in dice.step_by(7).take(3) {
        assert!(run(&["--die", &die.step.to_string(), &die.ticket]).contains(&format!("face {}\n", die.face)));
    }
    1
}

fn main() {
    let games: u64 = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(1000);
    let begin = Instant::now();
    let mut total = Tally::default();
    println!(
        "# Soak: {games} games of every scenario\n\n| scenario | games | entries | signatures | dice |\n| --- | --- | --- | --- | --- |"
    );
    let tallies: Vec<(&str, Tally)> = std::thread::scope(|scope| {
        let halves: Vec<_> = (0..2usize)
            .map(|half| {
                scope.spawn(move || {
                    let mine = SCENARIOS.iter().skip(half).step_by(2);
                    mine.map(|(id, _)| (*id, soak(id, games))).collect::<Vec<_>>()
                })
            })
            .collect();
        halves.into_iter().flat_map(|h| h.join().expect("no panic")).collect()
    });
    for (id, tally) in tallies {
        println!("| {id} | {} | {} | {} | {} |", tally.games, tally.entries, tally.signatures, tally.dice);
        total.games += tally.games;
        total.agreed += tally.agreed;
        for (name, n) in tally.events {
            *total.events.entry(name).or_insert(0) += n;
        }
    }
    println!(
        "\n{} games: no panic, no dead end, both logs alike, all verified. The second implementation agreed on {} of {} asked.",
        total.games, total.agreed, total.agreed
    );
    println!("Took {} s.\n\n| event | times |\n| --- | --- |", begin.elapsed().as_secs());
    for (name, n) in &total.events {
        println!("| {name} | {n} |");
    }
    println!("\n# Speed\n\n{}", speed::speeds());
}
