//! Whole games by mail over a postman who loses, doubles, delays, reorders and mangles: they end, with the same log in all
//! folders, and it is the log of the same orders over a postman who does nothing of the kind.
//!
//! More seeds: `SOAK=1`. One again: `BAD_SEED=17`.
#![cfg(feature = "cli")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::Numbers;
use common::mail::{base64, mixed, packet, payload};
use common::mangle::{Arrives, Letter, WAYS};
use countersign::catalog;
use countersign::doc::{ChainTip, Identity, Mode, Packet, Proposal};
use countersign::log::Player;
use countersign::mail::find;
use countersign::seal::{CHAIN_LENGTH, Digest, Namespace, SecretKey};
use countersign::side::Seat;
use countersign::store::{Folder, Owner};
use serde_json::Value;

/// When everything is signed: what a log says of time must not depend on the post.
const NOW: &str = "2026-03-02T09:00:00Z";

const PEOPLE: [(&str, &str); 3] = [("anna", "american"), ("bob", "british"), ("hal", "host")];

/// Days after which somebody who waits sends again.
const PATIENCE: u32 = 3;

/// The turn at whose beginning the American concedes, unless whole battles are asked for (`SOAK=1`).
const LAST_TURN: u64 = 4;

/// The players at their computers, each with a mailbox for what comes and a folder for what goes.
struct Town {
    dir: tempfile::TempDir,
    mode: Mode,
}

fn key(n: u8) -> SecretKey {
    SecretKey::from_seed([n; 32])
}

impl Town {
    /// Keys and a proposal; nothing has been mailed. The keys, and what is random in a proposal, are the same each time.
    fn new(mode: Mode) -> Town {
        let town = Town { dir: tempfile::tempdir().unwrap(), mode };
        for (who, n) in town.people().into_iter().zip(1..) {
            for sub in ["box/cur", "box/new", "box/tmp", "post"] {
                fs::create_dir_all(town.path(&format!("{who}/{sub}"))).unwrap();
            }
            let account = format!("address: {who}@club.example\nname: {who}\nsend: {{folder: post}}\n");
            fs::write(town.path(&format!("{who}/account.yaml")), account).unwrap();
            let text = key(n).to_openssh(who, None, &mut |buffer| buffer.fill(n)).unwrap();
            fs::write(town.path(&format!("{who}/key")), text).unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                fs::set_permissions(town.path(&format!("{who}/key")), fs::Permissions::from_mode(0o600)).unwrap();
            }
        }
        town.propose();
        town.correspondents("anna");
        copy(&town.path(""), &town.dir.path().join("before"));
        town
    }

    /// What `new` does.
    fn propose(&self) {
        let scenario = catalog::embedded("wasp-frolic").unwrap();
        let (table, seats) =
            (Digest([9; 32]), self.people().into_iter().zip([Seat::American, Seat::British, Seat::Host]));
        let player = Player::new(Seat::American, key(1), &table);
        let who = Identity {
            player: "Anna".into(),
            key: key(1).public().line(),
            chain: ChainTip { tip: player.tip(), length: CHAIN_LENGTH },
            recovery: None,
            lodging_key: None,
        };
        let proposal = Proposal {
            countersign: 1,
            kind: "proposal".into(),
            ruleset: catalog::NAVAL.into(),
            scenario: "wasp-frolic".into(),
            scenario_digest: catalog::digest(&scenario),
            rulings: BTreeMap::new(),
            mode: self.mode,
            seats: seats.map(|(_, seat)| seat).collect(),
            seat: Seat::American,
            who,
            table,
            secrets: catalog::secrets(catalog::NAVAL),
            resend_days: 7,
            clock: None,
            say: None,
            sent: NOW.into(),
        };
        let signed = player.sign(Namespace::Terms, &proposal).unwrap();
        let folder = Folder::create(&self.path("anna/game")).unwrap();
        folder.write("scenario.yaml", scenario.as_bytes()).unwrap();
        folder.set_owner(&Owner { seat: Seat::American, key: self.path("anna/key"), next: None }).unwrap();
        folder.keep(&signed).unwrap();
        folder.write("out/proposal.packet", &Packet { files: vec![signed.bytes()] }.bytes()).unwrap();
    }

    /// As it was when nothing had been mailed: keys, seeds and proposal are the same again.
    fn begin_again(&self) {
        fs::remove_dir_all(self.path("")).unwrap();
        copy(&self.dir.path().join("before"), &self.path(""));
    }

    fn people(&self) -> Vec<&'static str> {
        let count = if self.mode == Mode::TwoSeats { 2 } else { 3 };
        PEOPLE[..count].iter().map(|(who, _)| *who).collect()
    }

    fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join("town").join(of)
    }

    fn run(&self, who: &str, folder: &str, line: &str, now: &str) -> (i32, String) {
        let out = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(line.split(' '))
            .current_dir(self.path(who).join(folder))
            .env("COUNTERSIGN_KEY", self.path(who).join("key"))
            .env("COUNTERSIGN_MAIL", self.path(who).join("account.yaml"))
            .env("COUNTERSIGN_NOW", now)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{who}: {line}: {text}");
        (out.status.code().unwrap_or(-1), text)
    }

    fn fine(&self, who: &str, folder: &str, line: &str) -> String {
        let (code, text) = self.run(who, folder, line, NOW);
        assert!(matches!(code, 0 | 3), "{who}: {line}: {code}\n{text}");
        text
    }

    fn correspondents(&self, who: &str) {
        let all = PEOPLE.map(|(name, seat)| format!("  {seat}: {name}@club.example\n")).concat();
        fs::write(self.path(who).join("game/mail.yaml"), format!("to:\n{all}")).unwrap();
    }

    fn log(&self, who: &str) -> Vec<u8> {
        fs::read(self.path(who).join("game/game.log")).unwrap_or_default()
    }

    fn status(&self, who: &str) -> Value {
        let (_, text) = self.run(who, "game", "status --format json", NOW);
        let start = text.find('{').unwrap_or_else(|| panic!("{who}: {text}"));
        serde_json::Deserializer::from_str(&text[start..]).into_iter().next().unwrap().unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let there = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &there);
        } else {
            fs::copy(entry.path(), there).unwrap();
        }
    }
}

/// What carries mails from the folders they are sent to into the mailboxes.
struct Postman {
    numbers: Numbers,
    /// Whether he does nothing but carry.
    perfect: bool,
    /// The day a mail arrives, to whom, the mail.
    under_way: Vec<(u32, &'static str, Vec<u8>)>,
    /// Which way the next mail is mangled: all are used in turn.
    way: usize,
    carried: u32,
    lost: u32,
    doubled: u32,
    mangled: BTreeSet<&'static str>,
}

impl Postman {
    fn new(seed: u64, perfect: bool) -> Postman {
        let way = usize::try_from(seed).unwrap_or(0) * 7 % WAYS.len();
        let (under_way, mangled) = (Vec::new(), BTreeSet::new());
        Postman { numbers: Numbers(seed), perfect, under_way, way, carried: 0, lost: 0, doubled: 0, mangled }
    }

    /// Takes what was sent today.
    fn collect(&mut self, town: &Town, day: u32) {
        for who in town.people() {
            let mut mails: Vec<PathBuf> =
                fs::read_dir(town.path(&format!("{who}/post"))).unwrap().map(|e| e.unwrap().path()).collect();
            mails.sort();
            for path in mails {
                let raw = fs::read(&path).unwrap();
                fs::remove_file(&path).unwrap();
                assert!(who == "hal" || !find::read(&raw).files.is_empty(), "{who} sent a mail without a file");
                let head = String::from_utf8_lossy(&raw).into_owned();
                let to = head.split("\r\nTo: ").nth(1).unwrap().split("\r\n").next().unwrap();
                let to = town.people().into_iter().find(|w| to.contains(&format!("{w}@"))).unwrap();
                self.carried += 1;
                self.take(to, raw, day);
            }
        }
    }

    fn take(&mut self, to: &'static str, raw: Vec<u8>, day: u32) {
        if self.perfect {
            return self.under_way.push((day, to, raw));
        }
        if self.numbers.below(4) == 0 {
            self.lost += 1;
            return;
        }
        let copies = 1 + u32::from(self.numbers.below(4) == 0);
        self.doubled += copies - 1;
        for _ in 0..copies {
            let delay = if self.numbers.below(8) == 0 { 4 + self.numbers.below(8) } else { self.numbers.below(3) };
            let mail = if self.numbers.below(2) == 0 { raw.clone() } else { self.mangle(&raw) };
            self.under_way.push((day + delay, to, mail));
        }
    }

    fn mangle(&mut self, raw: &[u8]) -> Vec<u8> {
        let files = find::read(raw).files;
        // A host's reminder or notice holds none.
        if files.is_empty() {
            return raw.to_vec();
        }
        let way = &WAYS[self.way % WAYS.len()];
        self.way += 1;
        self.mangled.insert(way.name);
        (way.work)(&Letter { raw: raw.to_vec(), files }, &mut self.numbers)
    }

    /// Puts what arrives today into the mailboxes, to be read in any order.
    fn deliver(&mut self, town: &Town, day: u32) {
        let (now, later) = std::mem::take(&mut self.under_way).into_iter().partition(|(at, ..)| *at <= day);
        self.under_way = later;
        let now: Vec<(u32, &str, Vec<u8>)> = now;
        for (n, (_, who, mail)) in now.into_iter().enumerate() {
            let order = if self.perfect { 0 } else { self.numbers.below(1000) };
            fs::write(town.path(&format!("{who}/box/new/{order:03}-{day:05}-{n:03}")), mail).unwrap();
        }
    }
}

/// Somebody and how long he has waited.
struct Person {
    who: &'static str,
    seat: &'static str,
    waited: u32,
    over: bool,
    /// Whether he was told something today that he knew.
    told_again: bool,
}

impl Person {
    /// One day: he reads his mail, does what he can, and sends; or sends again if he has waited long.
    fn day(&mut self, town: &Town, day: u32) {
        let mail = mails(town, self.who);
        let begun = || town.path(self.who).join("game/mail.yaml").exists();
        self.told_again = false;
        let sent = match (begun(), mail.is_empty()) {
            (false, _) => self.join(town, &mail),
            (true, true) => day == 0 && self.send(town, day, "mail out"),
            (true, false) if self.seat == "host" => {
                let said = town.fine(self.who, "", "mail serve --mail box --once");
                self.told_again = true;
                said.contains("Sent to")
            }
            (true, false) => {
                let said = town.fine(self.who, "game", "mail in ../box");
                self.told_again = said.contains(", 0 files new") && !said.contains(", 0 with files");
                self.play(town);
                self.send(town, day, "mail out")
            }
        };
        for path in mail {
            let _ = fs::remove_file(path);
        }
        clear(&town.path(&format!("{}/box/cur", self.who)));
        if begun() && !sent {
            self.over = self.over || town.log(self.who).len() > 1 && town.status(self.who)["complete"] == true;
        }
        self.waited = if sent { 0 } else { self.waited + 1 };
        // He who has all he needs answers a repeat, too: the other seems to lack something.
        let waits =
            self.waited >= if self.told_again { PATIENCE - 1 } else { PATIENCE } && (!self.over || self.told_again);
        if waits && begun() {
            self.waited = 0;
            self.send(town, day, "mail out --again");
        }
    }

    /// Accepts what is offered in one of his mails.
    fn join(&self, town: &Town, mail: &[PathBuf]) -> bool {
        for path in mail {
            let accept = format!("accept {} --player {} --folder game --seat {}", path.display(), self.who, self.seat);
            if matches!(town.run(self.who, "", &accept, NOW).0, 0 | 3) {
                town.correspondents(self.who);
                return self.send(town, 0, "mail out");
            }
        }
        false
    }

    /// Orders, if he is to move. Where both are asked the American writes first and the British player when he has that
    /// file: so what the files name, and with it the log, is the same whatever the post does.
    fn play(&self, town: &Town) {
        let now = town.status(self.who);
        let first = now["owes"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|d| d["seat"] == "american" && (d["what"] == "orders" || d["what"] == "react"));
        // A short game unless there is time.
        let given_up = std::env::var("SOAK").is_err() && now["turn"].as_u64() >= Some(LAST_TURN);
        if now["your_move"] == true && given_up {
            if self.seat == "american" {
                town.fine(self.who, "game", "concede --yes");
            }
            return;
        }
        if now["your_move"] != true || self.seat == "british" && first && town.mode != Mode::Hosted {
            return;
        }
        town.fine(self.who, "game", "orders new --force");
        let path = town.path(self.who).join("game/orders.yaml");
        let text = fs::read_to_string(&path).unwrap();
        let turn = now["turn"].as_u64().unwrap();
        // Some ask to be asked again, with a word that mail programs like to spoil.
        if text.contains("\n  react: []") && turn % 3 == u64::from(self.seat == "british") {
            let say = "say: \"On hex 0812: hold \u{2014} Gr\u{fc}\u{df}e, Bob; >From here -- =3D to=0812\"\n";
            let mut lines: String = text
                .replace("\n  react: []", "\n  react: [2]")
                .lines()
                .filter(|l| !l.starts_with("say:"))
                .map(|l| format!("{l}\n"))
                .collect();
            lines.push_str(say);
            fs::write(&path, lines).unwrap();
            if town.run(self.who, "game", "orders sign", NOW).0 == 0 {
                return;
            }
            town.fine(self.who, "game", "orders new --force");
        }
        town.fine(self.who, "game", "orders sign --unchanged");
    }

    fn send(&self, town: &Town, day: u32, line: &str) -> bool {
        let now = format!("2026-{:02}-{:02}T18:00:00Z", 3 + day / 28 % 9, 1 + day % 28);
        let (code, said) = town.run(self.who, "game", line, &now);
        assert!(matches!(code, 0 | 3), "{}: {line}: {code}\n{said}", self.who);
        said.contains("Sent to")
    }
}

fn folk(town: &Town) -> Vec<Person> {
    let person = |(who, (_, seat))| Person { who, seat, waited: 0, over: false, told_again: false };
    town.people().into_iter().zip(PEOPLE).map(person).collect()
}

fn mails(town: &Town, who: &str) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(town.path(&format!("{who}/box/new"))).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
}

/// Plays until all have all of it. Returns the log, and what the postman did.
fn game(town: &Town, seed: u64, perfect: bool) -> (Vec<u8>, Postman) {
    let mut postman = Postman::new(seed, perfect);
    let mut people = folk(town);
    for day in 0..3000 {
        postman.deliver(town, day);
        for person in &mut people {
            // Nobody looks into his mailbox every day.
            if perfect || postman.numbers.below(4) > 0 {
                person.day(town, day);
            }
        }
        postman.collect(town, day);
        if people.iter().all(|p| p.over) {
            let logs: Vec<Vec<u8>> = people.iter().map(|p| town.log(p.who)).collect();
            assert!(logs.iter().all(|log| *log == logs[0]), "seed {seed}, {:?}: the logs differ", town.mode);
            return (logs[0].clone(), postman);
        }
    }
    let states: Vec<String> = people.iter().map(|p| town.run(p.who, "game", "status", NOW).1).collect();
    panic!("seed {seed}, {:?}: no end\n{}", town.mode, states.join("\n----\n"));
}

/// The lines of a log up to the result that ends the game, without the block in which what is sealed is opened after it.
fn to_the_end(log: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = log.split_inclusive(|b| *b == b'\n').collect();
    let over = lines.iter().position(|l| String::from_utf8_lossy(l).contains("\"needs\":[\"over"));
    lines[..=over.expect("no end in the log")].concat()
}

fn seeds(first: u64) -> Vec<u64> {
    if let Some(one) = std::env::var("BAD_SEED").ok().and_then(|s| s.parse().ok()) {
        return vec![one];
    }
    let count = if std::env::var("SOAK").is_ok() { 40 } else { 1 };
    (first..first + count).collect()
}

fn over_a_bad_postman(mode: Mode, first: u64) {
    let town = Town::new(mode);
    let (right, perfect) = game(&town, 0, true);
    assert!(perfect.mangled.is_empty() && perfect.lost == 0);
    for seed in seeds(first) {
        town.begin_again();
        let (log, postman) = game(&town, seed, false);
        println!(
            "{mode:?} {seed}: {} mails instead of {}, {} lost, {} doubled, {} ways of mangling",
            postman.carried,
            perfect.carried,
            postman.lost,
            postman.doubled,
            postman.mangled.len()
        );
        assert!(
            postman.lost > 3 && postman.doubled > 3 && postman.mangled.len() > 8,
            "seed {seed}: too good a postman"
        );
        // What players open after the end of a strict game the host may name in one file or in two, as it comes.
        let to_compare = if mode == Mode::Strict { to_the_end } else { <[u8]>::to_vec };
        if to_compare(&log) != to_compare(&right) {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
            for (name, log) in [("good", &right), ("bad", &log)] {
                fs::write(folder.join(format!("{mode:?}-{seed}-{name}-postman.log")), log).unwrap();
            }
            panic!("seed {seed}, {mode:?}: another log than over a good postman; both lie in {}", folder.display());
        }
        for who in town.people() {
            let (code, said) = town.run(who, "game", "verify", NOW);
            assert!(code == 0 && said.starts_with("GOOD"), "seed {seed}, {who}: {said}");
        }
        let second = common::second_implementation(&log);
        assert!(second.as_ref().is_none_or(|(good, _)| *good), "seed {seed}: {second:?}");
    }
}

#[test]
fn two_players_alone() {
    over_a_bad_postman(Mode::TwoSeats, 1);
}

#[test]
fn with_a_host_who_is_trusted() {
    over_a_bad_postman(Mode::Hosted, 101);
}

#[test]
fn with_a_host_nobody_has_to_trust() {
    over_a_bad_postman(Mode::Strict, 201);
}

/// Who is asked nothing for some steps, and gets no mail in them, has all of it from the host's newest packet.
#[test]
fn a_silent_player_catches_up_from_the_newest_packet() {
    let town = Town::new(Mode::Hosted);
    let proposal = town.path("anna/game/out/proposal.packet").display().to_string();
    for (who, seat) in [("bob", "british"), ("hal", "host")] {
        town.fine(who, "", &format!("accept {proposal} --player {who} --folder game --seat {seat}"));
    }
    let newest = |who: &str| {
        let mut all: Vec<PathBuf> =
            fs::read_dir(town.path(&format!("{who}/game/out"))).unwrap().map(|e| e.unwrap().path()).collect();
        all.retain(|p| p.extension().is_some_and(|e| e == "packet"));
        all.sort_by_key(|p| fs::metadata(p).unwrap().modified().unwrap());
        all.pop().unwrap().display().to_string()
    };
    let accepted = |who: &str| town.path(&format!("{who}/game/out/acceptance.packet")).display().to_string();
    let (by_bob, by_hal) = (accepted("bob"), accepted("hal"));
    for who in town.people() {
        town.fine(who, "game", &format!("adjudicate {by_bob} {by_hal}"));
    }
    let order = |who: &str, react: &str| {
        town.fine(who, "game", "orders new --force");
        let path = town.path(who).join("game/orders.yaml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\n  react: []", &format!("\n  react: {react}"))).unwrap();
        town.fine(who, "game", "orders sign --unchanged");
        town.fine("hal", "game", &format!("adjudicate {}", newest(who)));
    };
    order("bob", "[]");
    order("anna", "[2, 3]");
    for _ in 0..2 {
        town.fine("anna", "game", &format!("adjudicate {}", newest("hal")));
        assert_eq!(town.status("anna")["owes"][0]["what"], "react");
        order("anna", "[]");
    }
    assert_eq!((town.status("hal")["step"].as_u64(), town.status("bob")["step"].as_u64()), (Some(4), Some(1)));
    town.fine("bob", "game", &format!("adjudicate {}", newest("hal")));
    assert_eq!(town.status("bob")["step"].as_u64(), Some(4));
    assert!(town.log("bob") == town.log("hal"));
}

/// What each way of mangling leaves of a mail is what it says: a test over ways that all destroy, or all spare, would tell
/// little. Never does another file come out than was sent.
#[test]
fn the_ways_do_what_they_say() {
    let files = payload();
    // As the program writes it: the block in the text, the packet attached.
    let packet = packet(&files);
    let attached = "Content-Type: application/octet-stream; name=a.packet\nContent-Transfer-Encoding: base64\n\n";
    let parts = [format!("\n{}", packet.armor()), attached.to_owned() + &base64(packet.bytes(), 76)];
    let raw = mixed(&parts).replace('\n', "\r\n").into_bytes();
    let letter = Letter { raw, files };
    let mut left: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for seed in 0..20 {
        let mut numbers = Numbers(seed);
        for way in WAYS {
            let found = find::read(&(way.work)(&letter, &mut numbers)).files;
            assert!(found.iter().all(|f| letter.files.contains(f)), "{} {seed}", way.name);
            match way.arrives {
                Arrives::Whole => assert_eq!(found, letter.files, "{} {seed}", way.name),
                Arrives::Not => assert!(found.is_empty(), "{} {seed}", way.name),
                Arrives::Perhaps => {}
            }
            left.entry(way.name).or_default().insert(found.len());
        }
    }
    assert_eq!(left.len(), WAYS.len());
    for way in ["cut off", "anything three times"] {
        assert!(left[way].contains(&0) && left[way].contains(&2), "{way}: {:?}", left[way]);
    }
    for way in ["a byte changed", "another mail program"] {
        assert!(left[way].contains(&2), "{way}: {:?}", left[way]);
    }
}
