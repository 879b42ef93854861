//! Speeds, each as a ratio to a floor measured in the same run: `cargo bench --bench speed`. The soak prints them too.
#![allow(dead_code, reason = "the soak uses all but `main`")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use common::Numbers;
use common::table::{Party, terms_of};
use countersign::books::honor::naval::{Naval, Rulings, random, start};
use countersign::catalog;
use countersign::doc::Mode;
use countersign::log::{Entry, History, Intent, check_protocol, verify};
use countersign::play::{Halt, RandomSource, advance};
use countersign::seal::{Namespace, PublicKey};

/// A battle in which nothing can be hit for 99 turns: one long log, and the text of its scenario. The players write a
/// few words with every answer; who answers first thinks better of it, and his earlier versions stay in the log; who
/// answers second says first that the mail is here; letters cross.
fn long_log() -> (Vec<u8>, String) {
    let text = catalog::embedded("wasp-frolic").expect("a scenario");
    let text = text
        .replace("turns: 14", "turns: 99")
        .replace("sea: {columns: 12, rows: 10}\nedge: {fixed: true, leaving: lost}\n", "");
    let text = text.replace("at: \"4C\"", "at: \"2C\"").replace("at: \"8F\"", "at: \"39X\"");
    let (terms, text, players) = terms_of("wasp-frolic", text, &BTreeMap::new(), Mode::TwoSeats, 7);
    let history = History::begin(terms, &text).expect("sound");
    let mut parties: Vec<Party> = players.into_iter().map(|player| Party::new(player, history.clone())).collect();
    let mut numbers = Numbers(7);
    for round in 0..4000usize {
        if parties.iter().all(|p| p.history.complete()) {
            break;
        }
        for me in [round % 2, 1 - round % 2] {
            let (ours, theirs) = pair(&mut parties, me);
            if ours.to_answer() {
                if !ours.posts.is_empty() {
                    let say = Some("Your mail is here.".to_owned());
                    assert!(ours.send(&Intent { say, ..Intent::default() }));
                }
                for words in ["Your move.", "No: rather so.", "My last word."] {
                    let answers = ours.random_answers(&mut numbers);
                    assert!(ours.send(&Intent { answers, say: Some(words.to_owned()), ..Intent::default() }));
                    if !ours.history.settle(&ours.posts).may_answer(ours.player.seat) {
                        break;
                    }
                }
            } else {
                ours.send(&Intent::default());
            }
            if numbers.below(2) == 0 {
                continue; // letters cross
            }
            for signed in std::mem::take(&mut ours.out) {
                theirs.receive(&signed);
            }
        }
    }
    assert!(parties.iter().all(|p| p.history.complete()), "a dead end");
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert!(logs[0] == logs[1], "the logs differ");
    (logs[0].clone(), text)
}

/// One party and the other.
fn pair(parties: &mut [Party], me: usize) -> (&mut Party, &mut Party) {
    let (a, b) = parties.split_at_mut(1);
    if me == 0 { (&mut a[0], &mut b[0]) } else { (&mut b[0], &mut a[0]) }
}

/// The shortest of several runs.
fn timed(mut work: impl FnMut()) -> Duration {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

/// The tables of `RESULTS.md`.
pub fn speeds() -> String {
    let mut out = String::new();
    let (log, text) = long_log();
    let scenario = |_: &str| Some(text.clone());
    let seats = verify(&log, &scenario, None).expect("sound").history.terms.seats;
    let keys: BTreeMap<_, PublicKey> = seats.iter().map(|s| (s.seat, s.key)).collect();
    let mut signed = Vec::new();
    for (i, line) in String::from_utf8_lossy(&log).lines().enumerate() {
        if let Ok(Entry::File(entry)) = Entry::parse(line) {
            let namespace = if i < 2 { Namespace::Terms } else { Namespace::Orders };
            signed.push((keys[&entry.seat], namespace, entry.signed().expect("signed")));
        }
    }
    let entries = log.iter().filter(|b| **b == b'\n').count();
    // In turns, so that a busy machine is busy for both.
    let (mut bare, mut protocol) = (Duration::MAX, Duration::MAX);
    for _ in 0..10 {
        bare = bare.min(timed(|| {
            signed.iter().for_each(|(k, n, f)| f.signature.verify(k, *n, f.document.as_bytes()).expect("good"));
        }));
        protocol = protocol.min(timed(|| drop(check_protocol(&log).expect("good"))));
    }
    let full = timed(|| drop(verify(&log, &scenario, None).expect("good")));
    let ratio = |d: Duration| d.as_micros() * 100 / bare.as_micros().max(1);
    let _ = writeln!(
        out,
        "| one log of {entries} entries ({} kB, {} signatures) | time | ratio to bare signature checks |",
        log.len() / 1000,
        signed.len()
    );
    let _ = writeln!(out, "| --- | --- | --- |");
    for (what, time) in
        [("bare signature checks", bare), ("protocol check", protocol), ("full check with parsing and rules", full)]
    {
        let _ = writeln!(out, "| {what} | {} us | {}.{:02} |", time.as_micros(), ratio(time) / 100, ratio(time) % 100);
    }
    let turns = 2000u32;
    let start_at = Instant::now();
    let mut decisions = 0u64;
    for game in 0..turns {
        let mut numbers = Numbers(u64::from(game));
        let mut pick = |n: u32| numbers.below(n);
        let begin = random::random_start(&mut pick).expect("a sound scenario");
        let mut source = RandomSource::new(&mut pick);
        let run = advance::<Naval>(&begin, &mut source);
        assert!(matches!(run.halt, Halt::Over));
        decisions += source.asked.values().map(|n| u64::from(*n)).sum::<u64>();
    }
    let took = start_at.elapsed().as_micros().max(1);
    let _ = writeln!(
        out,
        "\nRandom battles straight through the machine: {} a second, {} decisions a second.",
        u128::from(turns) * 1_000_000 / took,
        u128::from(decisions) * 1_000_000 / took
    );
    let text = catalog::embedded("lake-champlain").expect("a scenario");
    let begin = start(&catalog::read_scenario(&text, "x").expect("sound"), Rulings::book()).expect("sound");
    let whole = timed(|| {
        let mut numbers = Numbers(3);
        let mut pick = |n: u32| numbers.below(n);
        drop(advance::<Naval>(&begin, &mut RandomSource::new(&mut pick)));
    });
    let _ = writeln!(
        out,
        "A whole game of Lake Champlain (12 counters, 14 turns at most) is adjudicated in {} microseconds.",
        whole.as_micros()
    );
    out
}

fn main() {
    println!("{}", speeds());
}
