//! Non-interference: two games that differ only in one side's secret give the other side identical bytes until the
//! secret is due, a constant for each seal, salt, signature and hash (`schemas/protocol.md`).
//!
//! Whole games are played, and at every plot the game is forked into pairs in which one side has sealed something else.
//! A pair is played on in step; every file that side sends, and everything the other can see, is compared.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use common::Numbers;
use common::table::{key, terms};
use countersign::catalog;
use countersign::doc::{Mode, SignedFile, StepFile};
use countersign::log::step::has_answer;
use countersign::log::{Entry, History, Intent, Player, Post, Secrets, all_files, own_post};
use countersign::play::{Record, Want};
use countersign::seal::{Chain, Digest, Namespace};
use countersign::side::{Seat, Side};
use countersign::{draft, report};

/// A constant for every hash, seal, salt and link, its length kept.
fn mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = String::new();
    for c in text.chars().chain(['\n']) {
        if matches!(c, '0'..='9' | 'a'..='f') {
            run.push(c);
            continue;
        }
        out.push_str(&if run.len() == 64 { "#".repeat(64) } else { run.clone() });
        run.clear();
        out.push(c);
    }
    out
}

/// A signed file with its signature masked too; the size of the whole is part of it.
fn masked(signed: &SignedFile) -> String {
    format!("{}{} bytes", mask(&signed.document), signed.bytes().len())
}

/// One player: what he has and what he has sent.
#[derive(Clone)]
struct Chair {
    player: Rc<Player>,
    history: History,
    posts: Vec<Post>,
    secrets: Secrets,
    sent: Vec<SignedFile>,
    delivered: usize,
}

impl Chair {
    fn seat(&self) -> Seat {
        self.player.seat
    }

    fn advance(&mut self) {
        while self.history.close(&self.posts).unwrap().is_some() {
            self.posts.clear();
        }
    }

    fn send(&mut self, intent: &Intent) -> Option<StepFile> {
        let sent = "2026-01-02T00:00:00Z";
        let out = self.player.next(&self.history, &self.posts, &self.secrets, intent, sent).unwrap()?;
        self.secrets.extend(&out.openings);
        let signed = self.player.sign(Namespace::Orders, &out.file).unwrap();
        self.posts.push(own_post(signed.clone()).unwrap());
        self.sent.push(signed);
        Some(out.file)
    }

    fn to_answer(&self) -> bool {
        let standing = self.history.settle(&self.posts);
        self.history.end().is_none()
            && standing.may_answer(self.seat())
            && standing.seats[&self.seat()].versions.is_empty()
    }

    /// What is asked of this player: slot, and whether it is sealed.
    fn asked(&self) -> Vec<(String, bool)> {
        let mine = self.history.wants().iter().filter(|w| w.asks().map(Seat::from) == Some(self.seat()));
        let slot = |w: &Want| match w {
            Want::Decide { slot, .. } => Some((slot.clone(), false)),
            Want::Seal { slot, .. } => Some((slot.clone(), true)),
            _ => None,
        };
        mine.filter_map(slot).collect()
    }

    fn sample(&self, slot: &str, numbers: &mut Numbers) -> String {
        self.history.game.game().sample(slot, &mut |n| numbers.below(n)).unwrap()
    }

    /// Everything this player's folder and programs can show.
    fn view(&self) -> Vec<String> {
        let history = &self.history;
        let mut out = Vec::new();
        for line in String::from_utf8(history.log().bytes()).unwrap().lines() {
            out.push(match Entry::parse(line).unwrap() {
                Entry::File(file) => format!("{} {}", line.len(), masked(&file.signed().unwrap())),
                Entry::Result(_) => mask(line),
            });
        }
        let head = |text: String| text.lines().filter(|l| !l.starts_with("Head: ")).collect::<Vec<_>>().join("\n");
        out.push(history.game.game().position());
        out.push(history.wants().iter().map(Want::line).collect());
        out.push(
            history.unopened().iter().map(|(slot, open)| format!("{slot} {} {}\n", open.seat, open.step)).collect(),
        );
        out.push(report::whole_report(history));
        out.push(head(report::last_report(history)));
        out.push(report::turn_file(history).unwrap());
        out.push(draft::template(history, self.seat()));
        out.extend(self.posts.iter().map(|p| masked(&p.signed)));
        if history.end().is_none() {
            let standing = history.settle(&self.posts);
            let story = history.preview(&standing, &all_files(&standing));
            out.push(format!("{:?} {:?} {}", story.records, story.wants, story.position));
        }
        out
    }
}

type Room = [Chair; 2];

fn room(scenario: &str, number: u8) -> Room {
    let (terms, text, players) = terms(scenario, &BTreeMap::new(), Mode::TwoSeats, number);
    let history = History::begin(terms, &text).unwrap();
    let chair = |player: Player| Chair {
        player: Rc::new(player),
        history: history.clone(),
        posts: Vec::new(),
        secrets: Secrets::default(),
        sent: Vec::new(),
        delivered: 0,
    };
    let mut players = players.into_iter().map(chair);
    [players.next().unwrap(), players.next().unwrap()]
}

fn deliver(room: &mut Room, from: usize) {
    let files = room[from].sent[room[from].delivered..].to_vec();
    room[from].delivered = room[from].sent.len();
    for signed in files {
        if let Ok(post) = room[1 - from].history.read(&signed) {
            room[1 - from].posts.push(post);
        }
    }
    // The sender closes when his own file is in, the other when it arrives.
    room.iter_mut().for_each(Chair::advance);
}

/// What a player does in his turn of a round.
fn act(room: &mut Room, me: usize, seed: u64, concede: bool) -> Option<StepFile> {
    let chair = &mut room[me];
    if !chair.to_answer() {
        return chair.send(&Intent::default());
    }
    if concede && chair.asked().iter().any(|(_, sealed)| !sealed) {
        return chair.send(&Intent { concede, ..Intent::default() });
    }
    let mut numbers = Numbers(seed ^ (chair.history.step() << 8) ^ me as u64);
    let answers =
        chair.asked().into_iter().map(|(slot, _)| (slot.clone(), chair.sample(&slot, &mut numbers))).collect();
    chair.send(&Intent { answers, ..Intent::default() })
}

fn value(content: &str) -> serde_json::Value {
    serde_json::from_str(content).unwrap()
}

fn set_reacts(plot: &str, steps: &[u8]) -> String {
    let mut plot = value(plot);
    plot["react"] = serde_json::to_value(steps).unwrap();
    plot.to_string()
}

/// Kind and step of a part: `t3/british/plot/marker/2`.
fn kind(slot: &str) -> (&str, u8) {
    let mut words = slot.rsplit('/');
    let step = words.next().and_then(|w| w.parse().ok()).unwrap_or(0);
    (words.next().unwrap_or(""), step)
}

/// The parts of the terms' row of secrets, and when they are due: all up to the next marker at which a side asked to
/// be asked again and has not answered yet, in a file that names the other's answer, with the link or after it.
/// Written from the specification, without the program's own reckoning.
fn due(room: &Room, x: usize, file: &StepFile, slot: &str) -> bool {
    let chair = &room[x];
    let seat = chair.seat();
    let other = room[1 - x].seat();
    if chair.history.end().is_some() {
        return true;
    }
    let of_step = |seat: Seat| chair.posts.iter().map(|p| &p.filed).filter(move |f| f.file.seat == seat);
    if chair.history.asked().contains(&other) {
        let named = file.names.get(&other).and_then(|hash| of_step(other).find(|f| f.hash == *hash)).map(|f| f.file.n);
        if !of_step(other).any(|f| has_answer(&f.file) && named.is_some_and(|n| f.file.n <= n)) {
            return false;
        }
    }
    if file.link.is_none() && !of_step(seat).any(|f| f.file.link.is_some()) {
        return false;
    }
    let game = chair.history.game.naval().unwrap();
    let state = game.played.state();
    let plotting = chair.history.wants().iter().any(|w| matches!(w, Want::Seal { .. }));
    let mut given: BTreeMap<String, String> = BTreeMap::new();
    for file in chair.posts.iter().map(|p| &p.filed.file).chain([file]) {
        given.extend(file.answers.iter().map(|(slot, tree)| (slot.clone(), tree.to_json())));
    }
    let took = game.played.chapters().iter().flat_map(|c| &c.records).filter_map(|r| match r {
        Record::Took { slot, .. } => Some(slot.clone()),
        _ => None,
    });
    let answered: BTreeSet<String> = took.chain(given.keys().cloned()).collect();
    let flags = |side: Side| -> Vec<u8> {
        let open = given.get(&format!("t{}/{side}/plot/react", state.turn));
        if plotting {
            open.map_or(Vec::new(), |c| serde_json::from_str(c).unwrap())
        } else {
            state.fleets.get(side).react.clone()
        }
    };
    let pending = |step: u8| {
        Side::ALL.into_iter().any(|side| {
            let done = answered.contains(&format!("t{}/{side}/react/{step}", state.turn));
            flags(side).contains(&step) && state.afloat(side).next().is_some() && !done
        })
    };
    let from = if plotting { 1 } else { state.step };
    let mine = seat.side().unwrap();
    let (what, step) = kind(slot);
    match (from..=state.steps()).find(|s| pending(*s)) {
        None => true,
        Some(stop) if step < stop => true,
        Some(stop) if step == stop => {
            what == "marker" || (what == "order" && !(flags(mine).contains(&stop) && pending(stop)))
        }
        // Whoever has lost his last ship on the way is not asked any more.
        Some(_) => {
            let standing = chair.history.settle(&chair.posts);
            let story = chair.history.preview(&standing, &all_files(&standing));
            story
                .records
                .iter()
                .any(|r| ["sunk", "captured", "left"].iter().any(|word| r.contains(&format!("{{\"{word}\":"))))
        }
    }
}

/// Two games in step.
struct Pair {
    rooms: [Room; 2],
    /// Whose secret differs.
    x: usize,
    /// In which parts.
    slots: BTreeSet<String>,
    first: usize,
    seed: u64,
    /// Who gives the game up when he is asked something in the open.
    concedes: Option<usize>,
    what: String,
}

#[derive(Debug, PartialEq)]
enum Shown {
    /// While the game went on.
    InPlay,
    /// In the last step, in which everything sealed is opened.
    AtTheEnd,
    Never,
}

impl Pair {
    /// Compares the newest file of the side with the secret. Says whether the secret came out in it, as it should.
    fn compare(&self, files: &[Option<StepFile>; 2]) -> bool {
        let what = &self.what;
        let [Some(a), Some(b)] = files else {
            assert!(files[0].is_none() && files[1].is_none(), "{what}: one sends a file, the other not");
            return false;
        };
        let out = |f: &StepFile| -> Vec<String> { f.opens.keys().chain(f.answers.keys()).cloned().collect() };
        let shown: Vec<String> = out(a).into_iter().filter(|slot| self.slots.contains(slot)).collect();
        if shown.is_empty() {
            let [a, b] = self.rooms.each_ref().map(|room| masked(room[self.x].sent.last().unwrap()));
            assert_eq!(a, b, "{what}: the secret shows in a file");
            return false;
        }
        for slot in &shown {
            assert!(due(&self.rooms[0], self.x, a, slot), "{what}: `{slot}` comes out before its time");
        }
        let content = |f: &StepFile, slot: &String| {
            f.opens.get(slot).map(|o| o.content.clone()).or(f.answers.get(slot).map(|t| t.to_json()))
        };
        assert!(shown.iter().all(|slot| content(a, slot) != content(b, slot)), "{what}: the secrets are the same");
        true
    }

    /// Plays on until the secret is out.
    fn play(mut self) -> Shown {
        for _ in 0..400 {
            if self.rooms.iter().flatten().all(|chair| chair.history.complete()) {
                return Shown::Never;
            }
            for me in [self.first, 1 - self.first] {
                let ended = self.rooms[0][self.x].history.end().is_some();
                let (seed, concede) = (self.seed, self.concedes == Some(me));
                let files = self.rooms.each_mut().map(|room| act(room, me, seed, concede));
                if me == self.x && self.compare(&files) {
                    return if ended { Shown::AtTheEnd } else { Shown::InPlay };
                }
                self.rooms.iter_mut().for_each(|room| deliver(room, me));
                let views = self.rooms.each_ref().map(|room| room[1 - self.x].view());
                for (a, b) in views[0].iter().zip(&views[1]) {
                    assert_eq!(a, b, "{}: what the other can see differs", self.what);
                }
                assert_eq!(views[0].len(), views[1].len());
            }
        }
        panic!("{}: no end", self.what)
    }
}

/// The parts in which two plots differ.
fn differing(chair: &Chair, slot: &str, plots: [&str; 2]) -> Option<BTreeSet<String>> {
    let split = |plot: &str| chair.history.game.game().split(slot, plot).ok();
    let (a, b) = (split(plots[0])?, split(plots[1])?);
    Some(a.into_iter().zip(b).filter(|(a, b)| a.1 != b.1).map(|(a, _)| a.0).collect())
}

/// A fork of a game at its plot: each side's plot, the secret side's in two forms.
struct Fork<'a> {
    base: &'a Room,
    x: usize,
    first: usize,
    plots: [String; 2],
    other: String,
    seed: u64,
}

impl Fork<'_> {
    fn slot(&self, me: usize) -> String {
        self.base[me].asked().remove(0).0
    }

    /// Seals in both games, the first who seals first, and gives the pair. `again`: versions of the secret side's
    /// orders that are superseded, the first of them sent at once.
    fn pair(self, what: &str, again: Option<[String; 2]>, concedes: Option<usize>) -> Pair {
        let slot = self.slot(self.x);
        let slots = differing(&self.base[self.x], &slot, [&self.plots[0], &self.plots[1]]).unwrap();
        let rooms = [self.base.clone(), self.base.clone()];
        let what = format!("{what}, {} {slot}, first {}", self.base[0].history.terms.proposal.scenario, self.first);
        let mut pair = Pair { rooms, x: self.x, slots, first: self.first, seed: self.seed, concedes, what };
        if self.first == self.x {
            let versions = again.map(|v| [v, self.plots.clone()]).map_or(vec![self.plots.clone()], Vec::from);
            for version in versions {
                pair.seal(self.x, &slot, &version);
            }
            let other = self.slot(1 - self.x);
            pair.seal(1 - self.x, &other, &[self.other.clone(), self.other.clone()]);
        } else {
            let other = self.slot(1 - self.x);
            pair.seal(1 - self.x, &other, &[self.other.clone(), self.other.clone()]);
            pair.seal(self.x, &slot, &self.plots.clone());
        }
        pair
    }
}

impl Pair {
    fn seal(&mut self, me: usize, slot: &str, plots: &[String; 2]) {
        let mut files = [None, None];
        for (n, room) in self.rooms.iter_mut().enumerate() {
            let answers = BTreeMap::from([(slot.to_owned(), plots[n].clone())]);
            files[n] = room[me].send(&Intent { answers, ..Intent::default() });
            assert!(files[n].is_some());
        }
        if me == self.x {
            assert!(!self.compare(&files), "{}: the secret is out in the file that seals it", self.what);
        }
        self.rooms.iter_mut().for_each(|room| deliver(room, me));
        let views = self.rooms.each_ref().map(|room| room[1 - self.x].view());
        assert_eq!(views[0], views[1], "{}", self.what);
    }
}

/// A plot that differs from another from a step on, or only in what the conduct of one step says.
fn variant(
    chair: &Chair,
    slot: &str,
    plot: &str,
    numbers: &mut Numbers,
    steps: &dyn Fn(u8) -> bool,
    markers: bool,
) -> Option<String> {
    for _ in 0..60 {
        let other = value(&chair.sample(slot, numbers));
        let mut mixed = value(plot);
        for (n, step) in (1u8..).zip(mixed["steps"].as_array_mut()?) {
            if steps(n) {
                let theirs = &other["steps"][usize::from(n) - 1];
                if markers {
                    *step = theirs.clone();
                } else if let Some(conduct) = theirs.get("conduct") {
                    step["conduct"] = conduct.clone();
                }
            }
        }
        let mixed = mixed.to_string();
        if differing(chair, slot, [plot, &mixed]).is_some_and(|d| !d.is_empty()) {
            return Some(mixed);
        }
    }
    None
}

/// What came of the pairs, by kind.
type Found = BTreeMap<(&'static str, &'static str), u32>;

fn count(found: &mut Found, what: &'static str, shown: &Shown) {
    let word = match shown {
        Shown::InPlay => "in play",
        Shown::AtTheEnd => "at the end",
        Shown::Never => "never",
    };
    *found.entry((what, word)).or_insert(0) += 1;
}

/// Every fork of one plot. `deep`: also those that are played to the end of the game.
fn forks(base: &Room, numbers: &mut Numbers, deep: bool, found: &mut Found) {
    let game = base[0].history.game.naval().unwrap();
    let steps = game.played.state().steps();
    let seed = u64::from(numbers.below(u32::MAX));
    for x in [0, 1] {
        let (mine, theirs) = (base[x].asked().remove(0).0, base[1 - x].asked().remove(0).0);
        let plain = |numbers: &mut Numbers| set_reacts(&base[x].sample(&mine, numbers), &[]);
        let other = set_reacts(&base[1 - x].sample(&theirs, numbers), &[]);
        let alpha = plain(numbers);
        let Some(beta) = variant(&base[x], &mine, &alpha, numbers, &|_| true, true) else { continue };
        let fork = |first: usize, plots: [&String; 2], other: &String| Fork {
            base,
            x,
            first,
            plots: plots.map(String::clone),
            other: other.clone(),
            seed,
        };
        // Sealed first, opened when the other has answered; versions before it mixed in.
        let again = (numbers.below(2) == 0).then(|| [beta.clone(), alpha.clone()]);
        let pair = fork(x, [&alpha, &beta], &other).pair("a plain plot", again, None);
        count(found, "plain", &pair.play());
        // Sealed and given up: nothing is placed, nothing comes out.
        let mut rooms = fork(x, [&alpha, &beta], &other);
        rooms.first = x;
        count(found, "given up", &given_up(rooms, &mine));
        if deep {
            // What was superseded never comes out, to the last byte of the game.
            let same = fork(x, [&alpha, &alpha], &other);
            count(found, "superseded", &same.pair("superseded", Some([alpha.clone(), beta.clone()]), None).play());
        }
        if steps < 2 {
            continue;
        }
        // Asked again at a marker: what lies behind it stays closed until then.
        let stop = 1 + u8::try_from(numbers.below(u32::from(steps) - 1)).unwrap();
        let whose = numbers.below(2) as usize;
        let flagged = |plot: &String, me: usize| if me == whose { set_reacts(plot, &[stop]) } else { plot.clone() };
        let (alpha, other) = (flagged(&alpha, x), flagged(&other, 1 - x));
        let behind = variant(&base[x], &mine, &alpha, numbers, &|n| n > stop, true);
        for first in [0, 1] {
            if let Some(beta) = &behind {
                let pair = fork(first, [&alpha, beta], &other).pair("behind a REACT", None, None);
                count(found, "behind", &pair.play());
                let pair = fork(first, [&alpha, beta], &other).pair("given up at a REACT", None, Some(whose));
                count(found, "conceded", &pair.play());
            }
            // The conduct an answer stands in the place of is opened at the end and not before.
            if whose == x
                && deep
                && let Some(beta) = variant(&base[x], &mine, &alpha, numbers, &|n| n == stop, false)
            {
                let pair = fork(first, [&alpha, &beta], &other).pair("replaced by a REACT", None, None);
                count(found, "replaced", &pair.play());
            }
        }
    }
}

/// The secret side seals and concedes before anything is answered.
fn given_up(fork: Fork<'_>, slot: &str) -> Shown {
    let slots = differing(&fork.base[fork.x], slot, [&fork.plots[0], &fork.plots[1]]).unwrap();
    let rooms = [fork.base.clone(), fork.base.clone()];
    let what = format!("sealed and given up, {slot}");
    let mut pair = Pair { rooms, x: fork.x, slots, first: fork.x, seed: fork.seed, concedes: None, what };
    pair.seal(fork.x, slot, &fork.plots);
    let intent = Intent { concede: true, ..Intent::default() };
    let files = pair.rooms.each_mut().map(|room| room[fork.x].send(&intent));
    assert!(!pair.compare(&files));
    pair.rooms.iter_mut().for_each(|room| deliver(room, fork.x));
    pair.play()
}

/// No salt of what is closed, no long content of it, no link of this or a later step stands in a file before its time.
fn nothing_early(chair: &Chair, chain: &Chain, file: &StepFile, opened: &mut BTreeSet<String>, answered: bool) {
    let text = String::from_utf8(chair.sent.last().unwrap().bytes()).unwrap();
    opened.extend(file.opens.values().map(|o| o.content.clone()));
    opened.extend(file.answers.values().map(|tree| tree.to_json()));
    for (slot, versions) in &chair.secrets.0 {
        for opening in versions.iter().filter(|o| file.opens.get(slot) != Some(*o)) {
            assert!(!text.contains(&opening.salt.to_string()), "the salt of `{slot}` is out");
            let quoted = serde_json::to_string(&opening.content).unwrap();
            let known = opened.iter().any(|o| o.contains(&opening.content));
            let stands = text.contains(&opening.content) || text.contains(&quoted);
            assert!(known || opening.content.len() < 40 || !stands, "`{slot}` is out");
        }
    }
    for step in file.step..file.step + 40 {
        let link = chain.link(step).unwrap();
        let due = step == file.step && file.link == Some(link) && answered;
        assert!(due || !text.contains(&link.to_string()), "the link of step {step} is out in step {}", file.step);
    }
}

/// Plays a game and forks it at its plots.
fn game(scenario: &str, number: u8, turns: u64, found: &mut Found) {
    let mut numbers = Numbers(u64::from(number));
    let mut base = room(scenario, number);
    let table = Digest([number; 32]);
    let chains = [1u8, 2].map(|n| Chain::new(&key(n).root(), &table, base[usize::from(n) - 1].seat(), 0));
    let mut opened = [BTreeSet::new(), BTreeSet::new()];
    let (mut plots, mut seen) = (0, 0);
    for _ in 0..400 {
        if base.iter().all(|chair| chair.history.complete()) {
            break;
        }
        let step = base[0].history.step();
        let fresh = step > seen && base.iter().all(|chair| chair.history.step() == step && chair.posts.is_empty());
        if fresh && base.iter().all(|chair| chair.to_answer() && chair.asked()[0].1) {
            (plots, seen) = (plots + 1, step);
            if plots <= turns {
                forks(&base, &mut numbers, plots == 2, found);
            }
        }
        let first = numbers.below(2) as usize;
        for me in [first, 1 - first] {
            let asked = base[me].history.asked().contains(&base[1 - me].seat());
            let other = base[1 - me].seat();
            let here = base[me].posts.iter().any(|p| p.filed.file.seat == other && has_answer(&p.filed.file));
            if let Some(file) = act(&mut base, me, u64::from(number) << 32, false) {
                let names = file.names.contains_key(&other);
                nothing_early(&base[me], &chains[me], &file, &mut opened[me], !asked || (here && names));
            }
            deliver(&mut base, me);
        }
    }
    assert!(base.iter().all(|chair| chair.history.complete()), "{scenario}: stuck");
}

#[test]
fn a_secret_shows_in_nothing_before_it_is_due() {
    let soak = std::env::var("SOAK").is_ok();
    let mut found = Found::new();
    // The land rules have no secrets.
    let naval = catalog::SCENARIOS.iter().filter(|(_, text)| catalog::ruleset_of(text) == catalog::NAVAL);
    for (n, (id, _)) in naval.enumerate() {
        let turns = if soak { 99 } else { [3, 14][usize::from(*id == "wasp-frolic")] };
        game(id, 1 + u8::try_from(n).unwrap(), turns, &mut found);
    }
    println!("{found:?}");
    let times = |what, word| found.get(&(what, word)).copied().unwrap_or(0);
    // Secrets that never came out would prove nothing; those that come out are due, as checked on the way.
    assert!(times("plain", "in play") > 30 && times("plain", "never") == 0 && times("plain", "at the end") == 0);
    assert!(times("behind", "in play") > 50 && times("behind", "never") == 0);
    assert!(times("conceded", "at the end") > 20);
    assert!(times("replaced", "at the end") > 5 && times("replaced", "never") == 0);
    for what in ["superseded", "given up"] {
        assert!(times(what, "never") > 10 && times(what, "in play") + times(what, "at the end") == 0);
    }
}

#[test]
fn a_sealed_mail_holds_no_word_of_the_plot() {
    let mut base = room("wasp-frolic", 4);
    let slot = base[0].asked().remove(0).0;
    let content = |marker: &str| {
        let step = format!(
            "{{\"marker\":\"{marker}\",\"conduct\":{{\"fire\":{{\"all\":{{\"starboard\":\"any\",\"port\":\"hold\"}}}}}}}}"
        );
        let rest = step.replace(marker, "stop");
        format!("{{\"steps\":[{step},{rest},{rest},{step}]}}")
    };
    let mut sizes = BTreeSet::new();
    for marker in ["straight", "left"] {
        let answers = BTreeMap::from([(slot.clone(), content(marker))]);
        let file = base[0].send(&Intent { answers, ..Intent::default() }).unwrap();
        assert!(file.link.is_none() && file.opens.is_empty() && file.seals.len() > 8);
        let bytes = base[0].sent.pop().unwrap().bytes();
        base[0].posts.clear();
        let text = String::from_utf8(bytes).unwrap();
        for word in ["straight", "\"left", "stop", "hold", "any", "salt", "content"] {
            assert!(!text.contains(word), "`{word}` stands in a sealed mail:\n{text}");
        }
        sizes.insert(text.len());
    }
    assert_eq!(sizes.len(), 1, "the length of a sealed mail tells its content");
}

/// In a hosted game orders go to the host alone; what he sends before a step is closed is what he would send had
/// nobody written yet.
#[cfg(feature = "cli")]
mod folders {
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use countersign::doc::Packet;
    use countersign::log::{read_lodging, read_step};
    use countersign::seal::Opening;

    fn run(dir: &Path, args: &str) -> String {
        let args = args.split(' ').filter(|a| !a.is_empty());
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let out = command.args(args).current_dir(dir).stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
    }

    /// Every file that lies in `out/`, by name.
    fn out(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let all = std::fs::read_dir(dir.join("out")).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file());
        all.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
    }

    fn newest(dir: &Path) -> String {
        let mut all = out(dir).into_keys().filter(|p| p.extension().is_some_and(|e| e == "packet"));
        all.rfind(|p| p.file_stem().unwrap().len() > 12).unwrap().display().to_string()
    }

    fn hosted() -> (tempfile::TempDir, [PathBuf; 3]) {
        let home = tempfile::tempdir().unwrap();
        let dirs = ["anna", "bob", "carl"].map(|name| home.path().join(name));
        let at = home.path();
        for name in ["anna", "bob", "carl"] {
            run(at, &format!("key new --file {name}.key --no-passphrase"));
        }
        run(at, "new --scenario wasp-frolic --mode hosted --seat american --player Anna --folder anna --key anna.key");
        for (name, seat) in [("bob", "british"), ("carl", "host")] {
            run(
                at,
                &format!(
                    "accept anna/out/proposal.packet --seat {seat} --player {name} --folder {name} --key {name}.key"
                ),
            );
        }
        for (me, other) in [("anna", "bob"), ("anna", "carl"), ("bob", "carl"), ("carl", "bob")] {
            run(&at.join(me), &format!("adjudicate ../{other}/out/acceptance.packet"));
        }
        for dir in &dirs {
            assert!(run(dir, "status").contains("step 1"), "{}", run(dir, "status"));
        }
        (home, dirs)
    }

    #[test]
    fn a_host_sends_nothing_of_an_open_step() {
        let (_home, [anna, bob, carl]) = hosted();
        for turn in 0..2 {
            run(&carl, "packet");
            run(&carl, "packet --all");
            let before = out(&carl);
            run(&anna, "orders new --force");
            let said = run(&anna, "orders sign --unchanged");
            assert!(!said.contains("Send this file to your opponent"), "clear orders are for the host alone: {said}");
            run(&carl, &format!("adjudicate {}", newest(&anna)));
            run(&carl, "packet");
            run(&carl, "packet --all");
            assert!(out(&carl) == before, "turn {turn}: what a host sends shows that somebody has written");
            run(&bob, "orders new --force");
            run(&bob, "orders sign --unchanged");
            run(&carl, &format!("adjudicate {}", newest(&bob)));
            for dir in [&anna, &bob] {
                run(dir, &format!("adjudicate {}", newest(&carl)));
            }
            let logs = [&anna, &bob, &carl].map(|dir| std::fs::read(dir.join("game.log")).unwrap());
            assert!(logs[0] == logs[1] && logs[0] == logs[2] && run(&carl, "verify").starts_with("GOOD"));
        }
    }

    #[test]
    fn what_lies_in_secret_is_not_in_out_before_its_time() {
        let home = tempfile::tempdir().unwrap();
        let at = home.path();
        for name in ["anna", "bob"] {
            run(at, &format!("key new --file {name}.key --no-passphrase"));
        }
        run(at, "new --scenario wasp-frolic --seat american --player Anna --folder anna --key anna.key");
        run(at, "accept anna/out/proposal.packet --player Bob --folder bob --key bob.key");
        let (anna, bob) = (at.join("anna"), at.join("bob"));
        run(&anna, "adjudicate ../bob/out/acceptance.packet");
        let packets = |dir: &Path| -> Vec<StepFile> {
            let bytes = out(dir).into_values().flat_map(|bytes| Packet::find(&bytes).unwrap());
            let files = bytes.flat_map(|packet| packet.files).map(|file| SignedFile::parse(&file).unwrap());
            files.filter_map(|signed| read_step(&signed).ok()).collect()
        };
        let openings = |dir: &Path| -> Vec<(String, String, String)> {
            let all =
                std::fs::read_dir(dir.join("secret")).unwrap().map(|e| std::fs::read_to_string(e.unwrap().path()));
            let all = all.filter_map(|text| serde_json::from_str::<serde_json::Value>(&text.unwrap()).ok());
            let mut found = Vec::new();
            for group in all.filter_map(|v| v.as_object().cloned()).flatten() {
                if let (Some(salt), Some(content)) = (group.1.get("salt"), group.1.get("content")) {
                    found.push((group.0, salt.as_str().unwrap().to_owned(), content.as_str().unwrap().to_owned()));
                }
            }
            found
        };
        run(&anna, "orders new --force");
        let draft = anna.join("orders.yaml");
        let text = std::fs::read_to_string(&draft).unwrap().replace("react: []", "react: [2]");
        std::fs::write(&draft, text).unwrap();
        run(&anna, "orders sign --unchanged");
        let secrets = openings(&anna);
        assert!(secrets.len() > 8);
        for file in packets(&anna) {
            let text = serde_json::to_string(&file).unwrap();
            assert!(file.opens.is_empty() && secrets.iter().all(|(_, salt, _)| !text.contains(salt)));
        }
        for bytes in out(&anna).values() {
            let text = String::from_utf8_lossy(bytes);
            assert!(secrets.iter().all(|(_, salt, _)| !text.contains(salt)));
        }
        run(&bob, &format!("adjudicate {}", newest(&anna)));
        run(&bob, "orders new --force");
        run(&bob, "orders sign --unchanged");
        run(&anna, &format!("adjudicate {}", newest(&bob)));
        // Asked again at marker 2: of what lies behind it nothing is out.
        let mut opened = 0;
        for file in packets(&anna) {
            let text = serde_json::to_string(&file).unwrap();
            opened += file.opens.len();
            for (slot, salt, _) in &secrets {
                let (what, step) = kind(slot);
                assert!(
                    step < 2 || (step == 2 && what == "marker") || !text.contains(salt),
                    "the salt of `{slot}` is out"
                );
            }
        }
        assert!(opened > 0);
    }

    /// Every way in which bytes could stand in a file: as they are, in hex, in base64 wherever it begins.
    fn spellings(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut all = vec![bytes.to_vec()];
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        all.push(hex.to_uppercase().into_bytes());
        all.push(hex.into_bytes());
        for shift in 0..3 {
            let text = STANDARD.encode([&vec![0; shift], bytes].concat());
            // Characters at both ends hang on what stands beside as well.
            all.push(text.as_bytes()[(shift * 8_usize).div_ceil(6)..(shift + bytes.len()) * 8 / 6].to_vec());
        }
        all
    }

    fn holds(file: &[u8], part: &[u8]) -> bool {
        file.windows(part.len()).any(|window| window == part)
    }

    /// All files below a folder, but its own `secret/` where that is left out.
    fn files_below(dir: &Path, secret: bool, found: &mut Vec<(PathBuf, Vec<u8>)>) {
        for path in std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                if secret || path.file_name().is_some_and(|n| n != "secret") {
                    files_below(&path, secret, found);
                }
            } else {
                found.push((path.clone(), std::fs::read(path).unwrap()));
            }
        }
    }

    /// A file as it stands, and all that is packed in it: the files of a packet, and what these hold in base64.
    fn unpacked(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut all = vec![bytes.to_vec()];
        for file in Packet::find(bytes).unwrap_or_default().into_iter().flat_map(|p| p.files) {
            if let Ok(lodging) = SignedFile::parse(&file).and_then(|signed| read_lodging(&signed)) {
                all.push(STANDARD.decode(lodging.ciphertext).unwrap());
            }
            all.push(file);
        }
        all
    }

    /// Who reads the mails to the host, whoever that is, reads nothing that was sealed; and the host writes down nothing of
    /// what he has opened before it is due.
    #[test]
    fn a_packet_to_the_host_holds_nothing_of_what_opens_the_seals() {
        let (_home, [anna, bob, carl]) = hosted();
        run(&anna, "orders new --force");
        let draft = anna.join("orders.yaml");
        let text = std::fs::read_to_string(&draft)
            .unwrap()
            .replace("starboard: any, port: any", "starboard: close, port: any");
        std::fs::write(&draft, text).unwrap();
        run(&anna, "orders sign --unchanged");
        let mut own = Vec::new();
        files_below(&anna.join("secret"), true, &mut own);
        let maps = own.iter().filter_map(|(_, b)| serde_json::from_slice::<BTreeMap<String, Opening>>(b).ok());
        let openings: Vec<Opening> = maps.flat_map(BTreeMap::into_values).collect();
        assert!(openings.len() > 8);
        let salts: Vec<Vec<u8>> = openings.iter().flat_map(|o| spellings(&o.salt.0)).collect();
        let in_json = |o: &Opening| serde_json::to_string(&o.content).unwrap();
        // Words as short as a marker's stand in the rulings of the terms too: they are looked for in orders and lodging alone.
        let contents = openings.iter().filter(|o| o.content.len() > 20);
        let contents = contents.flat_map(|o| [o.content.clone(), in_json(o)]).flat_map(|c| spellings(c.as_bytes()));
        let contents: Vec<Vec<u8>> = contents.collect();
        assert!(contents.len() > 50);
        // The search finds what there is to find: in the player's own copies, and packed as a mail would pack it.
        let plain = &own.iter().find(|(_, b)| holds(b, openings[0].salt.to_string().as_bytes())).unwrap().1;
        let packed = Packet { files: vec![plain.clone()] };
        for bytes in [plain.clone(), packed.armor().into_bytes()] {
            let parts = unpacked(&bytes);
            assert!([&salts, &contents].iter().all(|all| all.iter().any(|s| parts.iter().any(|p| holds(p, s)))));
        }
        let shut = |dir: &Path, secret: bool| {
            let mut files = Vec::new();
            files_below(dir, secret, &mut files);
            assert!(files.len() > 1);
            for (path, bytes) in files {
                for part in unpacked(&bytes) {
                    assert!(!salts.iter().any(|s| holds(&part, s)), "a salt stands in {}", path.display());
                    let word = contents.iter().find(|s| holds(&part, s));
                    assert!(
                        word.is_none(),
                        "{:?} stands in {}",
                        word.map(|w| String::from_utf8_lossy(w)),
                        path.display()
                    );
                }
            }
        };
        shut(&anna.join("out"), true);
        let packet = Packet::find(&std::fs::read(newest(&anna)).unwrap()).unwrap().remove(0);
        let signed = packet.files.iter().map(|f| SignedFile::parse(f).unwrap());
        let sent: Vec<SignedFile> = signed.filter(|f| read_step(f).is_ok() || read_lodging(f).is_ok()).collect();
        assert_eq!(sent.len(), 2);
        for opening in openings.iter().filter(|o| o.content.len() > 5) {
            let mut parts = sent.iter().flat_map(|file| unpacked(file.document.as_bytes()));
            assert!(!parts.any(|p| spellings(opening.content.as_bytes()).iter().any(|s| holds(&p, s))));
        }
        run(&carl, &format!("adjudicate {}", newest(&anna)));
        assert!(run(&carl, "status").contains("Orders missing from: british"));
        shut(&carl, true);
        shut(&bob, true);
        // Once both are in, the host's file opens what is due, and what is not stays shut on his disk too.
        run(&bob, "orders new --force");
        run(&bob, "orders sign --unchanged");
        run(&carl, &format!("adjudicate {}", newest(&bob)));
        let mut files = Vec::new();
        files_below(&carl, true, &mut files);
        assert!(files.iter().any(|(_, b)| salts.iter().any(|s| holds(b, s))), "what is due is opened");
        run(&anna, &format!("adjudicate {}", newest(&carl)));
        assert!(run(&anna, "verify").starts_with("GOOD"));
    }
}
