//! `mail serve` under load: `cargo bench --bench serve [GAMES]`. The soak prints it too.
//!
//! The host is the real program with his real folders, mailbox and outbox; the players are in this process and speak with
//! him by mails alone. First fifty games at once while the program is killed (SIGKILL) at two hundred random points; then
//! ten, a hundred and a thousand games, and what a mail costs among so many.
#![allow(dead_code, reason = "the soak uses all but `main`")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::Numbers;
use common::table::{Party, terms_numbered};
use countersign::doc::{Mode, Packet, SignedFile};
use countersign::log::{History, Intent, Post, own_post, verify};
use countersign::mail::find;
use countersign::seal::Namespace;
use countersign::side::Seat;
use countersign::store::{Folder, Owner};
use countersign::{catalog, seal};

const SCENARIO: &str = "wasp-frolic";

/// The players of one game, as their mails make it: what one of them knows, both may know when a step has closed.
struct Game {
    name: String,
    players: Vec<Party>,
    /// Own files of the open step.
    posts: Vec<Post>,
    numbers: Numbers,
}

/// The host's place and the mailboxes.
struct Office {
    dir: tempfile::TempDir,
    games: BTreeMap<String, Game>,
    /// Mails written so far.
    written: u64,
    /// What has come for the players: every mail by receiver and id, with how often.
    came: BTreeMap<(String, String), (Vec<u8>, u64)>,
    peak: u64,
    /// Processor time of the host's program, in hundredths of a second.
    ticks: u64,
}

impl Office {
    fn open(games: u32, mode: Mode) -> Office {
        let dir = tempfile::tempdir().expect("a folder");
        for sub in ["box/new", "box/cur", "box/tmp", "games", "post"] {
            fs::create_dir_all(dir.path().join(sub)).expect("a folder");
        }
        let account = "address: host@club.example\nname: Host\nsend: {folder: post}\n";
        fs::write(dir.path().join("account.yaml"), account).expect("a file");
        let key = common::table::key(3).to_openssh("host", None, &mut |b| b.fill(7)).expect("a key");
        fs::write(dir.path().join("key"), key.as_bytes()).expect("a file");
        let mut office = Office { dir, games: BTreeMap::new(), written: 0, came: BTreeMap::new(), peak: 0, ticks: 0 };
        for n in 0..games {
            office.found(n, mode);
        }
        office
    }

    fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join(of)
    }

    fn found(&mut self, n: u32, mode: Mode) {
        let (terms, text, players) = terms_numbered(SCENARIO, mode, n);
        let name = format!("game-{n:04}");
        let folder = Folder::create(&self.path("games").join(&name)).expect("a folder");
        folder.write("scenario.yaml", text.as_bytes()).expect("a file");
        folder.set_owner(&Owner { seat: Seat::Host, key: self.path("key"), next: None }).expect("a file");
        for (_, signed, _) in &terms.files {
            folder.keep(signed).expect("a file");
        }
        let to = format!("to:\n  american: american{n}@club.example\n  british: british{n}@club.example\n");
        folder.write("mail.yaml", to.as_bytes()).expect("a file");
        let history = History::begin(terms, &text).expect("sound");
        let players = players.into_iter().take(2).map(|p| Party::new(p, history.clone())).collect();
        let game = Game { name: name.clone(), players, posts: Vec::new(), numbers: Numbers(u64::from(n)) };
        self.games.insert(name, game);
    }

    /// Every player who is asked writes his orders and mails them. Returns how many mails that was.
    fn players_write(&mut self) -> u64 {
        let mut mails = Vec::new();
        for game in self.games.values_mut() {
            mails.extend(game.orders());
        }
        for mail in &mails {
            self.written += 1;
            fs::write(self.path("box/new").join(format!("{:08}.m", self.written)), mail).expect("a file");
        }
        mails.len() as u64
    }

    fn serve(&self, args: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(["mail", "serve", "--mail", "../box"])
            .args(args)
            .current_dir(self.path("games"))
            .env("COUNTERSIGN_MAIL", self.path("account.yaml"))
            .env("COUNTERSIGN_KEY", self.path("key"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program")
    }

    /// Lets the host do all that is due.
    fn once(&mut self) -> Duration {
        let begin = Instant::now();
        let mut child = self.serve(&["--once"]);
        let mut ticks = 0;
        let status = loop {
            self.peak = self.peak.max(memory(child.id()));
            ticks = ticks.max(processor(child.id()));
            if let Some(status) = child.try_wait().expect("a child") {
                break status;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        self.ticks += ticks;
        assert!(status.success(), "mail serve failed");
        begin.elapsed()
    }

    /// Brings the host's mails to the players. Returns how many.
    fn carry(&mut self) -> u64 {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(self.path("post")).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        paths.sort();
        let mut found = 0;
        for path in paths {
            let raw = fs::read(&path).expect("a mail");
            fs::remove_file(&path).expect("a mail");
            let mail = find::read(&raw);
            let text = String::from_utf8_lossy(&raw).into_owned();
            let to = text.split("\nTo: ").nth(1).and_then(|t| t.lines().next()).unwrap_or_default().to_owned();
            let id = mail.head.message_id.clone().expect("an id");
            let entry = self.came.entry((to, id)).or_insert_with(|| (raw.clone(), 0));
            assert!(entry.0 == raw, "two mails under one id");
            entry.1 += 1;
            found += 1;
            for game in self.games.values_mut() {
                game.take(&mail.files);
            }
        }
        found
    }

    /// Carries the mails of one game to that game alone: with many games, who looks through all of them measures himself.
    fn carry_by_name(&mut self) -> u64 {
        let by_id: BTreeMap<String, String> =
            (self.games.values()).map(|g| (g.players[0].history.terms.game.short(), g.name.clone())).collect();
        let paths: Vec<PathBuf> =
            fs::read_dir(self.path("post")).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        let found = paths.len() as u64;
        for path in paths {
            let raw = fs::read(&path).expect("a mail");
            fs::remove_file(&path).expect("a mail");
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let game = name.split('-').next().and_then(|id| by_id.get(id)).and_then(|name| self.games.get_mut(name));
            if let Some(game) = game {
                game.take(&find::read(&raw).files);
            }
        }
        found
    }

    fn over(&self) -> bool {
        self.games.values().all(|g| g.players[0].history.complete())
    }

    /// Every game's log is the players', and verifies.
    fn verify(&self) {
        for game in self.games.values() {
            let log = fs::read(self.path("games").join(&game.name).join("game.log")).expect("a log");
            assert!(log == game.players[0].history.log().bytes(), "{}: the logs differ", game.name);
            verify(&log, &catalog::embedded, Some(game.players[0].history.head()))
                .unwrap_or_else(|f| panic!("{}: {f}", game.name));
        }
    }
}

impl Game {
    /// The mails of the players who are asked and have not written in this step.
    fn orders(&mut self) -> Vec<Vec<u8>> {
        let mut mails = Vec::new();
        for me in &self.players {
            let seat = me.player.seat;
            let written = self.posts.iter().any(|p| p.filed.file.seat == seat);
            if me.history.end().is_some() || written || !me.history.asked().contains(&seat) {
                continue;
            }
            let intent = Intent { answers: me.random_answers(&mut self.numbers), ..Intent::default() };
            let out =
                me.player.hosted(&me.history, &[], &intent, "2026-01-02T00:00:00Z").expect("legal").expect("asked");
            let signed = me.player.sign(Namespace::Orders, &out.file).expect("signed");
            let lodging = me
                .player
                .lodging(&me.history, &out, &signed)
                .expect("short")
                .map(|l| me.player.sign(Namespace::Orders, &l).expect("signed"));
            let files: Vec<SignedFile> = [Some(signed.clone()), lodging].into_iter().flatten().collect();
            let packet = Packet { files: files.iter().map(SignedFile::bytes).collect() };
            let id = seal::sha256(&packet.bytes()).short();
            mails.push(
                format!(
                    "From: {seat} <{seat}@club.example>\nTo: host@club.example\nSubject: orders\nMessage-ID: <{id}@club.example>\n\n{}",
                    packet.armor()
                )
                .into_bytes(),
            );
            self.posts.push(own_post(signed).expect("sound"));
        }
        mails
    }

    /// Takes in what a mail of the host brings, if it is for this game.
    fn take(&mut self, files: &[SignedFile]) {
        for signed in files {
            let Ok(host) = self.players[0].history.read_host(signed) else { continue };
            let posts = self.posts.clone();
            for player in &mut self.players {
                let closed = player.history.close_hosted(&posts, &host).expect("legal");
                assert!(closed.is_some(), "{}: a file is missing", self.name);
            }
            self.posts.clear();
        }
    }
}

/// The most memory a process has used, in kB; 0 where the system does not say.
fn memory(pid: u32) -> u64 {
    let status = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The processor time a process has used, in hundredths of a second (as Linux counts); 0 where the system does not say.
fn processor(pid: u32) -> u64 {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    fields.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum()
}

/// Fifty games, two hundred kills.
pub fn kills(games: u32, kills: u32) -> String {
    let mut office = Office::open(games, Mode::Hosted);
    let mut numbers = Numbers(9);
    let (mut killed, mut hit, mut mails, mut rounds) = (0, 0, 0, 0u32);
    let mut longest = Duration::from_millis(400);
    while !office.over() {
        mails += office.players_write();
        // As many a round as are left for the rounds a battle has at least.
        for _ in 0..kills.div_ceil(5).min(kills - killed) {
            let mut child = office.serve(&["--every", "1"]);
            let most = u32::try_from(longest.as_millis()).unwrap_or(u32::MAX);
            std::thread::sleep(Duration::from_millis(u64::from(numbers.below(most))));
            hit += u32::from(!is_idle(&office));
            child.kill().expect("a child");
            child.wait().expect("a child");
            killed += 1;
        }
        let took = office.once();
        longest = longest.max(took / 4);
        office.carry();
        rounds += 1;
        assert!(rounds < 200, "no end");
    }
    // The mails that say the games are over.
    office.once();
    office.carry();
    office.verify();
    assert!(killed >= kills, "{killed}");
    // One result a step, a receiver and a game, under one id.
    let twice = office.came.values().filter(|(_, times)| *times > 1).count();
    let results: u64 = office.games.values().map(|g| g.players[0].history.step()).sum();
    format!(
        "{games} games, the program killed {killed} times ({hit} of them with mails still unread), in {rounds} rounds: {mails} mails of players, each of them counted once; {} mails to players, {twice} of them handed over twice with the same bytes and id; {results} steps; every log alike and verified.\n",
        office.came.len()
    )
}

fn is_idle(office: &Office) -> bool {
    fs::read_dir(office.path("box/new")).map_or(true, |mut d| d.next().is_none())
}

/// Whole games, so many at once: what a mail costs.
pub fn throughput(counts: &[u32]) -> String {
    let mut out = "| games | mails in | mails out | seconds | ms a mail in | of these at work | mails a second | most memory, MB |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n".to_owned();
    for games in counts {
        let mut office = Office::open(*games, Mode::Hosted);
        office.once();
        office.carry_by_name();
        let (mut mails, mut sent, mut time) = (0, 0, Duration::ZERO);
        for round in 0.. {
            mails += office.players_write();
            time += office.once();
            sent += office.carry_by_name();
            if office.over() {
                break;
            }
            assert!(round < 200, "no end");
        }
        office.verify();
        let ms = time.as_millis();
        let _ = writeln!(
            out,
            "| {games} | {mails} | {sent} | {}.{:01} | {}.{:01} | {}.{:01} | {} | {} |",
            ms / 1000,
            ms % 1000 / 100,
            ms / u128::from(mails),
            ms * 10 / u128::from(mails) % 10,
            office.ticks * 10 / mails,
            office.ticks * 100 / mails % 10,
            u128::from(mails) * 1000 / ms.max(1),
            office.peak / 1024
        );
    }
    out
}

fn main() {
    let most: u32 = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(1000);
    print!("{}", kills(most.min(50), most.min(200)));
    let counts: Vec<u32> = [10, 100, 1000].into_iter().filter(|n| *n <= most).collect();
    print!("{}", throughput(&counts));
}
