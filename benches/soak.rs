//! The large figures, in one command: `cargo bench --bench soak [GAMES]` (1,000 games of every scenario if left out).
//!
//! Every game is played through the real protocol with random legal answers, ends with byte-identical logs and is
//! verified. Every fifth is played under the `club` rulings, every tenth with a host, every twentieth strictly, its mails
//! in any order. Then come games, one for twenty of
//! those, in which one side seals against the rules. Events and questions are counted; one that no game reached is a
//! failure. Then a host's program is killed at two hundred random points while fifty games run over it, and a thousand are
//! played whole over it. Then speeds, each as a ratio to a floor measured in the same run.
#![allow(clippy::duplicate_mod, reason = "the speeds are a bench of their own, too")]

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "serve.rs"]
mod serve;
#[path = "speed.rs"]
mod speed;

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

use common::Numbers;
use common::table::{Party, terms, two_with};
use countersign::books::honor::naval::{
    CommandQuestion, DeclareQuestion, DesignateQuestion, Event, FirstQuestion, PlotQuestion, ReactQuestion,
    RetreatQuestion, WishQuestion,
};
use countersign::catalog::{self, SCENARIOS};
use countersign::doc::Mode;
use countersign::log::{History, Intent, Post, Secrets, check_protocol, own_post, verify};
use countersign::play::{By, Question, Record};
use countersign::seal::{Namespace, seal};

/// How a game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Book,
    Club,
    Hosted,
    HostedClub,
    Strict,
    Cheat,
}

impl Sort {
    /// Every fifth game under the club rulings, every tenth with a host, every twentieth strictly.
    fn of(seed: u64) -> Sort {
        if seed % 20 == 7 {
            return Sort::Strict;
        }
        match (seed.is_multiple_of(5), seed % 10 == 3 || seed % 50 == 5) {
            (false, false) => Sort::Book,
            (true, false) => Sort::Club,
            (false, true) => Sort::Hosted,
            (true, true) => Sort::HostedClub,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Sort::Book => "two seats, `book` rulings",
            Sort::Club => "two seats, `club` rulings",
            Sort::Hosted => "hosted, `book` rulings",
            Sort::HostedClub => "hosted, `club` rulings",
            Sort::Strict => "strict, `book` rulings",
            Sort::Cheat => "two seats, one side seals against the rules",
        }
    }

    fn rulings(self, scenario: &str) -> BTreeMap<String, String> {
        let club = matches!(self, Sort::Club | Sort::HostedClub);
        let text = catalog::embedded(scenario).expect("a scenario");
        catalog::settings(catalog::ruleset_of(&text), club, &[]).expect("a preset")
    }
}

/// Plays one game; the first to write alternates, and now and then both write before any mail arrives.
fn play(scenario: &str, seed: u64, sort: Sort) -> (Vec<u8>, Vec<Party>) {
    let table = 1 + u8::try_from(seed % 250).unwrap_or(0);
    match sort {
        Sort::Hosted | Sort::HostedClub => hosted(scenario, seed, table, &sort.rulings(scenario)),
        Sort::Strict => {
            let (mut places, _) = common::strict::three(scenario, None, table);
            let log = common::strict::play(&mut places, &mut Numbers(seed));
            (log, places.into_iter().map(|place| place.party).collect())
        }
        Sort::Book | Sort::Club => play_on(two_with(scenario, &sort.rulings(scenario), table), scenario, seed, None),
        Sort::Cheat => play_on(
            two_with(scenario, &sort.rulings(scenario), table),
            scenario,
            seed,
            Some(usize::from(seed % 2 == 1)),
        ),
    }
}

/// A hosted game: the players write to the host, who closes each step.
fn hosted(scenario: &str, seed: u64, table: u8, rulings: &BTreeMap<String, String>) -> (Vec<u8>, Vec<Party>) {
    const SENT: &str = "2026-01-02T00:00:00Z";
    let mut numbers = Numbers(seed);
    let (agreed, text, players) = terms(scenario, rulings, Mode::Hosted, table);
    let history = History::begin(agreed, &text).expect("sound");
    let mut parties: Vec<Party> = players.into_iter().map(|p| Party::new(p, history.clone())).collect();
    let mut lodged = Secrets::default();
    while !parties[2].history.complete() {
        let mut posts: Vec<Post> = Vec::new();
        for seat in parties[2].history.asked() {
            let me = parties.iter().find(|p| p.player.seat == seat).expect("a seat");
            let intent = Intent { answers: me.random_answers(&mut numbers), ..Intent::default() };
            let out = me.player.hosted(&me.history, &[], &intent, SENT).expect("legal").expect("asked");
            posts.push(own_post(me.player.sign(Namespace::Orders, &out.file).expect("signed")).expect("sound"));
            lodged.extend(&out.openings);
        }
        let host = &parties[2];
        let file = host
            .player
            .close_hosted(&host.history, &posts, &lodged, &common::host_words(SENT))
            .expect("all orders are in");
        let signed = host.player.sign(Namespace::Host, &file).expect("signed");
        for party in &mut parties {
            let post = party.history.read_host(&signed).expect("sound");
            assert!(party.history.close_hosted(&posts, &post).expect("legal").is_some());
        }
    }
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert!(logs.iter().all(|log| *log == logs[0]), "{scenario} {seed}: the logs differ");
    (logs[0].clone(), parties)
}

/// Sends orders as a cheat would: part of what he seals is against the rules, which shows when it opens.
fn cheat(party: &mut Party, numbers: &mut Numbers) {
    let intent = Intent { answers: party.random_answers(numbers), ..Intent::default() };
    let next = party.player.next(&party.history, &party.posts, &party.secrets, &intent, "2026-01-02T00:00:00Z");
    let mut out = next.expect("legal so far").expect("asked");
    for (slot, opening) in &mut out.openings {
        if numbers.below(3) > 0 {
            continue;
        }
        let kind = slot.rsplit('/').nth(1).unwrap_or("");
        let bad: &[&str] = match kind {
            // A turn where there may have been one before, a fourth `stop`, no marker at all, no marker of the game.
            "marker" => &["\"left\"", "\"right\"", "\"stop\"", "null", "\"sideways\""],
            "order" => &["{\"moves_first\":\"nobody\"}", "7"],
            "lead" => &["{\"move_with\":{\"ship\":{\"id\":\"flying-dutchman\"}}}", "[]"],
            "fire" => &["{\"all\":{\"targets\":[\"flying-dutchman\"]}}", "\"at will\""],
            _ => &["{\"ships\":{\"flying-dutchman\":{\"wish\":\"never\"}}}", "[[],[]]"],
        };
        opening.content = bad[numbers.below(u32::try_from(bad.len()).unwrap_or(1)) as usize].to_owned();
        let sealed = seal(&out.file.game, out.file.seat, out.file.step, slot, opening);
        out.file.seals.insert(slot.clone(), sealed);
    }
    party.secrets.extend(&out.openings);
    let signed = party.player.sign(Namespace::Orders, &out.file).expect("signed");
    party.posts.push(own_post(signed.clone()).expect("sound"));
    party.out.push(signed);
    party.advance();
}

fn play_on(mut parties: Vec<Party>, scenario: &str, seed: u64, cheat_at: Option<usize>) -> (Vec<u8>, Vec<Party>) {
    let mut numbers = Numbers(seed);
    for round in 0..4000u32 {
        if parties.iter().all(|p| p.history.complete()) {
            break;
        }
        for me in [round as usize % 2, 1 - round as usize % 2] {
            if cheat_at == Some(me) && parties[me].to_answer() {
                cheat(&mut parties[me], &mut numbers);
            } else if parties[me].to_answer() {
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

/// The word of every event, and a match that does not compile while one is missing.
macro_rules! events {
    ($($event:ident),* $(,)?) => {
        const EVENTS: &[&str] = &[$(stringify!($event)),*];

        fn name(event: &Event) -> &'static str {
            match event {
                $(Event::$event { .. } => stringify!($event),)*
            }
        }
    };
}

events![
    TurnBegan,
    Wind,
    Gauge,
    Allotted,
    Plotted,
    PlotStopped,
    OrdersVoid,
    Revealed,
    MovesFirst,
    Designated,
    Sailed,
    Turned,
    Held,
    Left,
    DeclaresFirst,
    Declared,
    Fired,
    Damaged,
    HalfDamaged,
    Sunk,
    Wished,
    Contest,
    Attempt,
    BoardsAtOnce,
    Melee,
    BrokeOff,
    BoardersLost,
    Captured,
    CommandLost,
    CommandPassed,
    Scored,
    TurnEnded,
    GameOver,
];

/// Every kind of question of the book.
const KINDS: [&str; 8] = [
    PlotQuestion::KIND,
    ReactQuestion::KIND,
    FirstQuestion::KIND,
    DesignateQuestion::KIND,
    CommandQuestion::KIND,
    DeclareQuestion::KIND,
    WishQuestion::KIND,
    RetreatQuestion::KIND,
];

/// No question of the source is missing in [`KINDS`].
fn every_kind_is_listed() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/src/books/honor/naval");
    let files = std::fs::read_dir(dir).expect("the sources").map(|e| e.expect("a file").path());
    let text: String = files.map(|path| std::fs::read_to_string(path).expect("text")).collect();
    assert_eq!(text.matches("const KIND: ").count(), KINDS.len(), "a question is missing in KINDS");
}

/// The kind of the question a slot names.
fn kind(slot: &str) -> &'static str {
    let fits =
        |kind: &&str| slot.split('/').any(|w| w == *kind || w.strip_suffix("-first").is_some() && *kind == "first");
    KINDS.into_iter().find(fits).unwrap_or_else(|| panic!("`{slot}` is a question of no known kind"))
}

/// `BoardsAtOnce` as logs spell it: `boards-at-once`.
fn spelt(event: &str) -> String {
    let mut out = String::new();
    for c in event.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[derive(Default)]
struct Tally {
    games: u64,
    entries: u64,
    signatures: u64,
    dice: u64,
    sorts: BTreeMap<Sort, u64>,
    events: BTreeMap<&'static str, u64>,
    /// By kind, and whether the answer was sent in reply (or had been sealed as standing orders).
    questions: BTreeMap<(&'static str, &'static str), u64>,
    agreed: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.agreed += other.agreed;
        other.sorts.into_iter().for_each(|(sort, n)| *self.sorts.entry(sort).or_insert(0) += n);
        other.events.into_iter().for_each(|(name, n)| *self.events.entry(name).or_insert(0) += n);
        other.questions.into_iter().for_each(|(kind, n)| *self.questions.entry(kind).or_insert(0) += n);
    }

    /// What no game reached.
    fn missing(&self) -> Vec<String> {
        let events = EVENTS.iter().filter(|event| !self.events.contains_key(*event)).map(|event| spelt(event));
        let reached = |kind: &str| self.questions.keys().any(|(k, _)| *k == kind);
        events.chain(KINDS.into_iter().filter(|kind| !reached(kind)).map(str::to_owned)).collect()
    }
}

fn soak(scenario: &str, games: u64) -> Tally {
    let mut tally = Tally::default();
    let legal = (0..games).map(|seed| (seed, Sort::of(seed)));
    // Who seals nothing cannot seal against the rules.
    let sealing = catalog::embedded(scenario).is_some_and(|text| catalog::ruleset_of(&text) == catalog::NAVAL);
    let cheats = if sealing { games.div_ceil(20) } else { 0 };
    let cheats = (0..cheats).map(|seed| (games + seed, Sort::Cheat));
    for (seed, sort) in legal.chain(cheats) {
        let (log, parties) = play(scenario, seed, sort);
        let verified = verify(&log, &catalog::embedded, Some(parties[0].history.head()))
            .unwrap_or_else(|f| panic!("{scenario} {seed}: {f}"));
        check_protocol(&log).unwrap_or_else(|f| panic!("{scenario} {seed}: {f}"));
        tally.games += 1;
        *tally.sorts.entry(sort).or_insert(0) += 1;
        tally.entries += verified.entries as u64;
        tally.signatures += verified.signatures as u64;
        tally.dice += verified.dice as u64;
        // What is told and asked is counted for the naval rules; the land rules have their own (tests/random_land.rs).
        let chapters = verified.history.game.naval().map_or(&[][..], |game| game.played.chapters());
        for record in chapters.iter().flat_map(|c| &c.records) {
            let question = match record {
                Record::Event(event) => {
                    *tally.events.entry(name(event)).or_insert(0) += 1;
                    continue;
                }
                Record::Took { slot, by: By::Order, .. } => (kind(slot), "in reply"),
                Record::Took { slot, by: By::Standing, .. } => (kind(slot), "by sealed orders"),
                Record::Sealed { slot, .. } => (kind(slot), "sealed"),
                Record::Opened { .. } | Record::Rolled { .. } => continue,
            };
            *tally.questions.entry(question).or_insert(0) += 1;
        }
        if seed < 10 || (sort == Sort::Cheat && seed < games + 3) {
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
    every_kind_is_listed();
    let games: u64 = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(1000);
    let begin = Instant::now();
    let mut total = Tally::default();
    println!(
        "# Soak: {games} legal games of every scenario, and one for twenty of them with a cheat\n\n| scenario | games | entries | signatures | dice |\n| --- | --- | --- | --- | --- |"
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
        total.add(tally);
    }
    println!(
        "\n{} games: no panic, no dead end, both logs alike, all verified. The second implementation agreed on {} of {} asked.",
        total.games, total.agreed, total.agreed
    );
    println!("Took {} s.\n\n| games | how many |\n| --- | --- |", begin.elapsed().as_secs());
    for (sort, n) in &total.sorts {
        println!("| {} | {n} |", sort.words());
    }
    println!("\n| event | times |\n| --- | --- |");
    for event in EVENTS {
        println!("| {} | {} |", spelt(event), total.events.get(event).unwrap_or(&0));
    }
    println!("\n| question | answered | times |\n| --- | --- | --- |");
    for ((kind, by), n) in &total.questions {
        println!("| {kind} | {by} | {n} |");
    }
    let missing = total.missing();
    assert!(missing.is_empty(), "never reached: {}", missing.join(", "));
    println!("\n# A host by mail\n\n{}", serve::kills(50, 200));
    println!("{}", serve::throughput(&[10, 100, 1000]));
    println!("\n# Speed\n\n{}", speed::speeds());
}
