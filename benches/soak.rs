//! The large figures, in one command: `cargo bench --bench soak [GAMES]` (1,000 games of every scenario if left out).
//! `cargo bench --bench soak -- [GAMES] land` plays one book alone (`naval` the other), without the host and the speeds.
//!
//! Every game is played through the real protocol with random legal answers, ends with byte-identical logs and is
//! verified. Every fifth is played under the `club` rulings, every tenth with a host, every twentieth strictly, its mails
//! in any order. Most land battles have rulings and optional rules at random, and the campaigns are played through, each
//! battle with the points the one before counted (12); between any two events of a land battle the invariants of
//! `tests/common/land.rs` hold. Then come naval games, one for twenty of those, in which one side seals against the rules.
//! Events and questions are counted; one that no game reached is a
//! failure (on land a run of fewer than 500 games only names it). Then a host's program is killed at two hundred random points while
//! fifty games run over it, and a thousand are played whole over it. Then speeds, each as a ratio to a floor measured in the
//! same run.
#![allow(clippy::duplicate_mod, reason = "the speeds are a bench of their own, too")]

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "soak/land.rs"]
mod land_soak;
#[path = "serve.rs"]
mod serve;
#[path = "speed.rs"]
mod speed;

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use common::Numbers;
use common::table::{Party, terms, two_with};
use countersign::books::honor::land::{CAMPAIGNS, Linked};
use countersign::books::honor::naval::{
    CommandQuestion, DeclareQuestion, DesignateQuestion, Event, FirstQuestion, PlotQuestion, ReactQuestion,
    RetreatQuestion, WishQuestion,
};
use countersign::catalog::{self, AnyGame, SCENARIOS};
use countersign::doc::Mode;
use countersign::log::{History, Intent, Post, Secrets, Verified, check_protocol, own_post, verify};
use countersign::play::{By, Question, Record, System};
use countersign::seal::{Namespace, seal};

/// How a game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Book,
    Club,
    Hosted,
    HostedClub,
    Strict,
    Wild,
    HostedWild,
    StrictWild,
    Cheat,
}

/// What a game is agreed under.
type Settings = BTreeMap<String, String>;

impl Sort {
    /// Every fifth game under the club rulings, every tenth with a host, every twentieth strictly. On land most of the
    /// others have rulings and optional rules at random.
    fn of(seed: u64, land: bool) -> Sort {
        let plain = if seed % 20 == 7 {
            Sort::Strict
        } else {
            match (seed.is_multiple_of(5), seed % 10 == 3 || seed % 50 == 5) {
                (false, false) => Sort::Book,
                (true, false) => Sort::Club,
                (false, true) => Sort::Hosted,
                (true, true) => Sort::HostedClub,
            }
        };
        match plain {
            Sort::Strict if land => Sort::StrictWild,
            Sort::Hosted if land => Sort::HostedWild,
            Sort::Book if land && seed % 10 != 1 => Sort::Wild,
            sort => sort,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Sort::Book => "two seats, `book` rulings",
            Sort::Club => "two seats, `club` rulings",
            Sort::Hosted => "hosted, `book` rulings",
            Sort::HostedClub => "hosted, `club` rulings",
            Sort::Strict => "strict, `book` rulings",
            Sort::Wild => "two seats, rulings and optional rules at random",
            Sort::HostedWild => "hosted, rulings and optional rules at random",
            Sort::StrictWild => "strict, rulings and optional rules at random",
            Sort::Cheat => "two seats, one side seals against the rules",
        }
    }

    fn settings(self, scenario: &str, seed: u64) -> Settings {
        let club = matches!(self, Sort::Club | Sort::HostedClub);
        let text = catalog::embedded(scenario).expect("a scenario");
        let set = catalog::settings(catalog::ruleset_of(&text), club, &[]).expect("a preset");
        match self {
            Sort::Wild | Sort::HostedWild | Sort::StrictWild => land_soak::wild(set, &mut Numbers(!seed)),
            _ => set,
        }
    }
}

/// Plays one game; the first to write alternates, and now and then both write before any mail arrives.
fn play(scenario: &str, seed: u64, sort: Sort, settings: &Settings) -> (Vec<u8>, Vec<Party>) {
    let table = 1 + u8::try_from(seed % 250).unwrap_or(0);
    match sort {
        Sort::Hosted | Sort::HostedClub | Sort::HostedWild => hosted(scenario, seed, table, settings),
        Sort::Strict | Sort::StrictWild => {
            let mut places = common::strict::three_with(scenario, settings, table);
            let log = common::strict::play(&mut places, &mut Numbers(seed));
            (log, places.into_iter().map(|place| place.party).collect())
        }
        Sort::Book | Sort::Club | Sort::Wild => play_on(two_with(scenario, settings, table), scenario, seed, None),
        Sort::Cheat => play_on(two_with(scenario, settings, table), scenario, seed, Some(usize::from(seed % 2 == 1))),
    }
}

/// A hosted game: the players write to the host, who closes each step.
fn hosted(scenario: &str, seed: u64, table: u8, rulings: &Settings) -> (Vec<u8>, Vec<Party>) {
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

/// The word of every naval event, and a match that does not compile while one is missing.
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

/// Every kind of question of the naval book.
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

/// No question of a book's source is missing in its list.
fn every_kind_is_listed(book: &str, kinds: &[&str]) {
    let dir = format!("{}/src/books/honor/{book}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(dir).expect("the sources").map(|e| e.expect("a file").path());
    let text: String = files.map(|path| std::fs::read_to_string(path).expect("text")).collect();
    assert_eq!(text.matches("const KIND: ").count(), kinds.len(), "a question of the {book} book is not listed");
}

/// The kind of the question a slot names.
fn kind(slot: &str, kinds: &[&'static str]) -> &'static str {
    let fits =
        |kind: &&str| slot.split('/').any(|w| w == *kind || w.strip_suffix("-first").is_some() && *kind == "first");
    kinds.iter().copied().find(fits).unwrap_or_else(|| panic!("`{slot}` is a question of no known kind"))
}

/// `BoardsAtOnce` as logs spell it: `boards-at-once`. What is spelt so already stays.
fn spelt(event: &str) -> String {
    if event.starts_with(|c: char| c.is_ascii_lowercase()) {
        return event.to_owned();
    }
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
    events: BTreeMap<String, u64>,
    /// By kind, and whether the answer was sent in reply (or had been sealed as standing orders).
    questions: BTreeMap<(&'static str, &'static str), u64>,
    agreed: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.agreed += other.agreed;
        other.sorts.iter().for_each(|(sort, n)| *self.sorts.entry(*sort).or_insert(0) += n);
        other.events.iter().for_each(|(name, n)| *self.events.entry(name.clone()).or_insert(0) += n);
        other.questions.iter().for_each(|(kind, n)| *self.questions.entry(*kind).or_insert(0) += n);
    }

    /// Verifies a game that was played, and counts what it told.
    fn count(
        &mut self,
        what: &str,
        sort: Sort,
        (log, parties): &(Vec<u8>, Vec<Party>),
        texts: &dyn Fn(&str) -> Option<String>,
    ) -> Verified {
        let verified = verify(log, texts, Some(parties[0].history.head())).unwrap_or_else(|f| panic!("{what}: {f}"));
        check_protocol(log).unwrap_or_else(|f| panic!("{what}: {f}"));
        self.games += 1;
        *self.sorts.entry(sort).or_insert(0) += 1;
        self.entries += verified.entries as u64;
        self.signatures += verified.signatures as u64;
        self.dice += verified.dice as u64;
        match &verified.history.game {
            AnyGame::Land(game) => land_soak::count(game, self),
            AnyGame::Naval(game) => {
                for record in game.played.chapters().iter().flat_map(|c| &c.records) {
                    if let Record::Event(event) = record {
                        *self.events.entry(name(event).to_owned()).or_insert(0) += 1;
                    }
                    self.question(record, &KINDS);
                }
            }
            AnyGame::Other(_) => panic!("{what}: a game of no book"),
        }
        verified
    }

    /// Counts how a question was answered, if that is what a record says.
    fn question<Y: System>(&mut self, record: &Record<Y>, kinds: &[&'static str]) {
        let question = match record {
            Record::Took { slot, by: By::Order, .. } => (kind(slot, kinds), "in reply"),
            Record::Took { slot, by: By::Standing, .. } => (kind(slot, kinds), "by sealed orders"),
            Record::Sealed { slot, .. } => (kind(slot, kinds), "sealed"),
            Record::Event(_) | Record::Opened { .. } | Record::Rolled { .. } => return,
        };
        *self.questions.entry(question).or_insert(0) += 1;
    }

    /// What no game reached of these events and questions.
    fn missing(&self, events: &[&str], kinds: &[&str]) -> Vec<String> {
        let events = events.iter().filter(|event| !self.events.contains_key(**event)).map(|event| spelt(event));
        let reached = |kind: &str| self.questions.keys().any(|(k, _)| *k == kind);
        events.chain(kinds.iter().filter(|kind| !reached(kind)).map(|kind| (*kind).to_owned())).collect()
    }
}

/// What is played so many times.
#[derive(Clone, Copy)]
enum Job {
    Battle(&'static str),
    Campaign(&'static Linked),
    /// Small land battles made up at random, wilder than any scenario: four for each game of the others.
    Skirmishes,
}

impl Job {
    fn land(self) -> bool {
        match self {
            Job::Battle(id) => catalog::embedded(id).is_some_and(|text| catalog::ruleset_of(&text) == catalog::LAND),
            Job::Campaign(_) | Job::Skirmishes => true,
        }
    }

    fn words(self) -> String {
        match self {
            Job::Battle(id) => id.to_owned(),
            Job::Campaign(linked) => format!("campaign {}", linked.id),
            Job::Skirmishes => "made up at random".to_owned(),
        }
    }

    fn soak(self, games: u64) -> Tally {
        let mut tally = Tally::default();
        match self {
            Job::Battle(id) => self.battles(id, games, &mut tally),
            Job::Campaign(linked) => (0..games).for_each(|seed| land_soak::campaign(linked, seed, &mut tally)),
            Job::Skirmishes => (0..4 * games).for_each(|seed| land_soak::skirmish(seed, &mut tally)),
        }
        tally
    }

    fn battles(self, id: &str, games: u64, tally: &mut Tally) {
        let legal = (0..games).map(|seed| (seed, Sort::of(seed, self.land())));
        // Who seals nothing cannot seal against the rules.
        let cheats = if self.land() { 0 } else { games.div_ceil(20) };
        let cheats = (0..cheats).map(|seed| (games + seed, Sort::Cheat));
        for (seed, sort) in legal.chain(cheats) {
            let game = play(id, seed, sort, &sort.settings(id, seed));
            let verified = tally.count(&format!("{id} {seed}"), sort, &game, &catalog::embedded);
            if seed < 10 || (sort == Sort::Cheat && seed < games + 3) {
                tally.agreed += second_implementation(&game.0, &verified);
            }
        }
    }
}

/// Whether `examples/audit.py` makes the same seeds and the first dice.
fn second_implementation(log: &[u8], verified: &Verified) -> u64 {
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

/// Plays every job, two at a time, and tells them in their order.
fn play_all(jobs: &[Job], games: u64) -> Vec<Tally> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    let Some(job) = jobs.get(at) else { break };
                    let tally = job.soak(games);
                    eprintln!("{}: {} games, all well", job.words(), tally.games);
                    done.lock().expect("no panic").insert(at, tally);
                }
            });
        }
    });
    done.into_inner().expect("no panic").into_values().collect()
}

/// What happened and what was asked in the battles of one book.
fn tell(book: &str, total: &Tally, events: &[&str], games: u64, missing: &[String]) {
    println!("\n## {book}\n\n| event | times |\n| --- | --- |");
    for event in events {
        println!("| {} | {} |", spelt(event), total.events.get(*event).unwrap_or(&0));
    }
    println!("\n| question | answered | times |\n| --- | --- | --- |");
    for ((kind, by), n) in &total.questions {
        println!("| {kind} | {by} | {n} |");
    }
    if !missing.is_empty() {
        println!("\nNot reached in {games} games of each: {}.", missing.join(", "));
    }
}

fn main() {
    every_kind_is_listed("naval", &KINDS);
    every_kind_is_listed("land", &common::land::KINDS);
    let words: Vec<String> = std::env::args().collect();
    let games: u64 = words.iter().find_map(|a| a.parse().ok()).unwrap_or(1000);
    let (land, naval) = (words.iter().any(|w| w == "land"), words.iter().any(|w| w == "naval"));
    let whole = land == naval;
    let battles = SCENARIOS.iter().map(|(id, _)| Job::Battle(id));
    let campaigns = CAMPAIGNS.iter().map(Job::Campaign).chain([Job::Skirmishes]);
    let jobs = battles.chain(campaigns).filter(|job| whole || job.land() == land);
    let jobs: Vec<Job> = jobs.collect();
    let begin = Instant::now();
    println!(
        "# Soak: {games} legal games of every scenario and campaign, four times as many small land battles at random, and one for twenty of the naval ones with a cheat\n\n| scenario | games | entries | signatures | dice |\n| --- | --- | --- | --- | --- |"
    );
    let tallies = play_all(&jobs, games);
    assert_eq!(tallies.len(), jobs.len());
    let (mut all, mut at_sea, mut on_land) = (Tally::default(), Tally::default(), Tally::default());
    for (job, tally) in jobs.iter().zip(&tallies) {
        println!("| {} | {} | {} | {} | {} |", job.words(), tally.games, tally.entries, tally.signatures, tally.dice);
        all.add(tally);
        if job.land() { on_land.add(tally) } else { at_sea.add(tally) }
    }
    println!(
        "\n{} games: no panic, no dead end, all logs alike, all verified. The second implementation agreed on {} of {} asked.",
        all.games, all.agreed, all.agreed
    );
    println!("Took {} s.\n\n| games | how many |\n| --- | --- |", begin.elapsed().as_secs());
    for (sort, n) in &all.sorts {
        println!("| {} | {n} |", sort.words());
    }
    let mut missing = Vec::new();
    if at_sea.games > 0 {
        missing.extend(at_sea.missing(EVENTS, &KINDS));
        tell("At sea", &at_sea, EVENTS, games, &missing);
    }
    if on_land.games > 0 {
        let not =
            on_land.missing(&land_soak::demanded(common::land::EVENTS), &land_soak::demanded(&common::land::KINDS));
        tell("On land", &on_land, common::land::EVENTS, games, &not);
        for (event, why) in land_soak::UNREACHABLE {
            println!("\n`{event}` is not demanded: {why}.");
        }
        missing.extend(not.into_iter().filter(|_| games >= 500));
    }
    assert!(missing.is_empty(), "never reached: {}", missing.join(", "));
    if whole {
        println!("\n# A host by mail\n\n{}", serve::kills(50, 200));
        println!("{}", serve::throughput(&[10, 100, 1000]));
        println!("\n# Speed\n\n{}", speed::speeds());
    }
}
