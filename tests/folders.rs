//! Two players in two game folders on a disk, mail of every kind between them: delayed, reordered, doubled, lost, with
//! one file or with many, orders changed in between. Both folders end with the same log, whatever came when, and a
//! folder is made again from its signed files and secrets alone.
#![cfg(feature = "cli")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::Numbers;
use common::table::terms_of;
use countersign::catalog;
use countersign::doc::{Mode, Packet, SignedFile};
use countersign::log::{End, Intent, Player, verify};
use countersign::play::Want;
use countersign::seal::Namespace;
use countersign::side::Seat;
use countersign::store::{Content, Folder, Owner, Table};

/// What is written from the signed files, and may be lost at any time.
const WRITTEN: [&str; 5] = ["game.log", "turn.yaml", "report.txt", "terms.yaml", "allowed_signers"];

/// One player at his computer.
struct Desk {
    path: PathBuf,
    player: Player,
}

fn game(path: &Path) -> (Folder, Table) {
    let folder = Folder::open(path).unwrap();
    match folder.load().unwrap() {
        Content::Game(table) => (folder, *table),
        Content::Proposed { .. } => panic!("the game has begun"),
    }
}

impl Desk {
    fn new(path: PathBuf, player: Player, files: &[SignedFile], scenario: &str) -> Desk {
        let folder = Folder::create(&path).unwrap();
        for file in files {
            folder.keep(file).unwrap();
        }
        folder.write("scenario.yaml", scenario.as_bytes()).unwrap();
        folder.set_owner(&Owner { seat: player.seat, key: "nowhere".into(), next: None }).unwrap();
        Desk { path, player }
    }

    /// Signs one file and keeps it, its secrets first, as the commands do.
    fn send(&self, folder: &Folder, table: &Table, intent: &Intent) -> bool {
        let secrets = folder.secrets().unwrap();
        let next = self.player.next(&table.history, &table.posts, &secrets, intent, "2026-01-02T00:00:00Z");
        let Ok(Some(out)) = next else { return false };
        folder.keep_secrets(out.file.step, out.file.n, &out.openings).unwrap();
        folder.keep(&self.player.sign(Namespace::Orders, &out.file).unwrap()).unwrap();
        true
    }

    /// Orders, or other orders while they still count; or the game is given up.
    fn decide(&self, numbers: &mut Numbers, concede: bool) {
        let (folder, table) = game(&self.path);
        if concede {
            self.send(&folder, &table, &Intent { concede, ..Intent::default() });
            return;
        }
        let standing = table.history.settle(&table.posts);
        let versions = standing.seats[&self.player.seat].versions.len();
        if table.history.end().is_some() || !standing.may_answer(self.player.seat) {
            return;
        }
        if versions > 0 && (versions > 3 || numbers.below(3) > 0) {
            return;
        }
        let mut answers = BTreeMap::new();
        for want in table.history.wants() {
            if want.asks().map(Seat::from) == Some(self.player.seat)
                && let Want::Decide { slot, .. } | Want::Seal { slot, .. } = want
            {
                let sample = table.history.game.game().sample(slot, &mut |n| numbers.below(n));
                answers.insert(slot.clone(), sample.unwrap());
            }
        }
        if !answers.is_empty() {
            self.send(&folder, &table, &Intent { answers, ..Intent::default() });
        }
    }

    /// What is forced, file by file, the folder read again between them.
    fn duties(&self) -> Table {
        for _ in 0..20 {
            let (folder, table) = game(&self.path);
            if !self.send(&folder, &table, &Intent::default()) {
                folder.refresh(&table).unwrap();
                return table;
            }
        }
        panic!("no end of duties");
    }

    /// A mail: what the other side lacks if he has all that went before the last two steps; sometimes everything, or
    /// only the newest file.
    fn mail(&self, numbers: &mut Numbers) -> Vec<u8> {
        let (_, table) = game(&self.path);
        let step = table.history.step();
        let of = |name: &str| name[..5].parse::<u64>().unwrap();
        let mine = |name: &str| name.contains(&format!("-{}-", self.player.seat)) && of(name) > 0;
        let mut names: Vec<&String> = table.files.keys().filter(|name| mine(name)).collect();
        match numbers.below(8) {
            0 => names = names.split_off(names.len().saturating_sub(1)),
            1 => names = table.files.keys().collect(),
            _ => names.retain(|name| of(name) + 2 + u64::from(table.history.end().is_some()) > step),
        }
        if numbers.below(2) == 0 {
            names.reverse();
        }
        let mut files: Vec<Vec<u8>> = names.iter().map(|name| table.files[*name].bytes()).collect();
        if let (0, Some(first)) = (numbers.below(4), files.first().cloned()) {
            files.push(first); // one file twice in one packet
        }
        let packet = Packet { files };
        if numbers.below(2) == 0 { packet.bytes() } else { packet.armor().into_bytes() }
    }

    /// Takes a mail in through the folder's `in/`, as `adjudicate` does.
    fn take(&self, mail: &[u8]) {
        let folder = Folder::open(&self.path).unwrap();
        folder.write("in/mail", mail).unwrap();
        for path in folder.waiting().unwrap() {
            folder.take(&Packet::find(&fs::read(&path).unwrap()).unwrap()).unwrap();
            folder.done(&path).unwrap();
        }
    }

    /// Something that is written from the files is lost or spoilt, and there again after the next reading.
    fn accident(&self, numbers: &mut Numbers) {
        let (folder, table) = game(&self.path);
        folder.refresh(&table).unwrap();
        let name = WRITTEN[numbers.below(5) as usize];
        let path = self.path.join(name);
        let before = fs::read(&path).unwrap();
        match numbers.below(3) {
            0 => fs::remove_file(&path).unwrap(),
            1 => fs::write(&path, &before[..before.len() / 2]).unwrap(),
            _ => fs::write(&path, b"").unwrap(),
        }
        drop(folder);
        let (folder, table) = game(&self.path);
        folder.refresh(&table).unwrap();
        assert_eq!(fs::read(&path).unwrap(), before, "`{name}` is not made again");
    }
}

/// Plays a game in two folders. `concede`: the step from which on somebody may give up; `None` plays to the end.
fn play(scenario: &str, text: String, concede: Option<u64>, seed: u64) {
    let mut numbers = Numbers(seed);
    let number = u8::try_from(seed % 250).unwrap() + 1;
    let (terms, text, players) = terms_of(scenario, text, &BTreeMap::new(), Mode::TwoSeats, number);
    let files: Vec<SignedFile> = terms.files.iter().map(|(_, signed, _)| signed.clone()).collect();
    let home = tempfile::tempdir().unwrap();
    let place = |player: Player| Desk::new(home.path().join(player.seat.word()), player, &files, &text);
    let desks: Vec<Desk> = players.into_iter().map(place).collect();
    let mut post: Vec<(usize, Vec<u8>)> = Vec::new();
    let (mut done, mut quit) = ([false; 2], false);
    let mut superseded = 0;
    for round in 0.. {
        assert!(round < 20_000, "{scenario} {seed}: stuck");
        if done == [true; 2] {
            break;
        }
        let me = numbers.below(2) as usize;
        match numbers.below(8) {
            0 | 1 => {
                let ripe = concede.is_some_and(|from| !quit && game(&desks[me].path).1.history.step() >= from);
                quit |= ripe;
                desks[me].decide(&mut numbers, ripe);
            }
            2 => {
                let table = desks[me].duties();
                done[me] = table.history.complete();
                let standing = table.history.settle(&table.posts);
                superseded += standing.seats.values().filter(|view| view.versions.len() > 1).count();
            }
            3 | 4 => {
                let mail = desks[me].mail(&mut numbers);
                // Lost one time in four, doubled one time in four.
                for _ in 0..[0, 1, 1, 2][numbers.below(4) as usize] {
                    post.push((1 - me, mail.clone()));
                }
            }
            5 | 6 if !post.is_empty() => {
                let at = numbers.below(u32::try_from(post.len()).unwrap()) as usize;
                let (to, mail) = post.swap_remove(at);
                desks[to].take(&mail);
            }
            7 if numbers.below(4) == 0 => desks[me].accident(&mut numbers),
            _ => {}
        }
    }
    assert!(superseded > 0, "{scenario} {seed}: nobody changed his orders");
    finished(&desks, &text, quit, &format!("{scenario} {seed}"));
}

fn finished(desks: &[Desk], text: &str, quit: bool, what: &str) {
    let mut logs = Vec::new();
    for desk in desks {
        let (folder, table) = game(&desk.path);
        folder.refresh(&table).unwrap();
        assert!(table.evidence.is_empty(), "{what}: {:?}", table.evidence);
        assert_eq!(matches!(table.history.end(), Some(End::Conceded(_) | End::Draw)), quit, "{what}");
        let log = fs::read(desk.path.join("game.log")).unwrap();
        let verified = verify(&log, &|_| Some(text.to_owned()), Some(table.history.head()));
        assert!(verified.unwrap_or_else(|fault| panic!("{what}: {fault}")).history.complete());
        logs.push(log);
    }
    assert!(logs[0] == logs[1], "{what}: the logs differ");
    // From signed files and secrets alone.
    for desk in desks {
        let written = |path: &Path| WRITTEN.map(|name| fs::read(path.join(name)).unwrap());
        let before = written(&desk.path);
        let again = desk.path.with_extension("again");
        for sub in ["orders", "secret"] {
            fs::create_dir_all(again.join(sub)).unwrap();
            for entry in fs::read_dir(desk.path.join(sub)).unwrap() {
                let path = entry.unwrap().path();
                fs::copy(&path, again.join(sub).join(path.file_name().unwrap())).unwrap();
            }
        }
        if !catalog::SCENARIOS.iter().any(|(id, _)| catalog::embedded(id).as_deref() == Some(text)) {
            // A scenario that does not come with the program has to be kept by its players.
            fs::write(again.join("scenario.yaml"), text).unwrap();
        }
        let (folder, table) = game(&again);
        folder.refresh(&table).unwrap();
        assert!(written(&again) == before, "{what}: the folder made again differs");
    }
}

fn soak(few: u64, many: u64) -> u64 {
    if std::env::var("SOAK").is_ok() { many } else { few }
}

#[test]
fn every_way_of_the_mail_makes_the_same_folder_of_a_short_duel() {
    let text = catalog::embedded("wasp-frolic").unwrap().replace("turns: 14", "turns: 2");
    for seed in 0..soak(4, 60) {
        play("wasp-frolic", text.clone(), None, seed);
    }
}

#[test]
fn a_whole_duel_in_two_folders() {
    for seed in 0..soak(1, 10) {
        play("wasp-frolic", catalog::embedded("wasp-frolic").unwrap(), None, 100 + seed);
    }
}

#[test]
fn a_fleet_action_in_two_folders_given_up_in_its_third_step() {
    for seed in 0..soak(2, 20) {
        play("capture-of-the-president", catalog::embedded("capture-of-the-president").unwrap(), Some(3), 200 + seed);
    }
}

/// The binary in a folder; says its exit code and what it printed.
fn run(dir: &Path, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    let out = command.args(args).current_dir(dir).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(!text.contains("panicked") && !text.contains("defect"), "{args:?}: {text}");
    (out.status.code().unwrap_or(-1), text)
}

/// Packets of play a folder has written, oldest first.
fn packets(dir: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(dir.join("out")).unwrap().map(|e| e.unwrap().path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "packet") && p.file_stem().is_some_and(|n| n.len() > 12));
    all.sort();
    all
}

/// Markers of a row the rules always allow, of the length of the row in the template.
fn ordered(template: &str, numbers: &mut Numbers) -> String {
    let rows =
        ["straight, right, straight", "right, straight, left", "stop, left, straight", "straight, straight, right"];
    let row: Vec<&str> = rows[numbers.below(4) as usize].split(", ").collect();
    let line = |line: &str| match line.trim_start().strip_prefix("markers: [") {
        None => line.to_owned(),
        Some(given) => {
            let own = given.split(',').count();
            let all: Vec<&str> = row.iter().chain(&["stop"; 5]).take(own).copied().collect();
            format!("  markers: [{}]", all.join(", "))
        }
    };
    let text = template.lines().map(line).collect::<Vec<_>>().join("\n") + "\n";
    if numbers.below(2) == 0 { text.replace("react: []", "react: [2]") } else { text }
}

fn by_binary(concede: bool, seed: u64) {
    let mut numbers = Numbers(seed);
    let home = tempfile::tempdir().unwrap();
    let short = catalog::embedded("wasp-frolic").unwrap().replace("turns: 14", "turns: 2");
    fs::write(home.path().join("short.yaml"), short).unwrap();
    let fine = |args: &str| {
        let (code, text) = run(home.path(), &args.split(' ').collect::<Vec<_>>());
        assert_eq!(code, 0, "{args}: {text}");
    };
    for name in ["anna", "bob"] {
        fine(&format!("key new --file {name}.key --no-passphrase"));
    }
    fine("new --scenario wasp-frolic --file short.yaml --seat american --player Anna --folder anna --key anna.key");
    fine("accept anna/out/proposal.packet --file short.yaml --player Bob --folder bob --key bob.key");
    let homes = ["anna", "bob"].map(|name| home.path().join(name));
    run(&homes[0], &["adjudicate", "../bob/out/acceptance.packet"]);
    let done = |dir: &Path| game(dir).1.history.complete();
    for round in 0.. {
        assert!(round < 400, "stuck");
        if homes.iter().all(|dir| done(dir)) {
            break;
        }
        let me = numbers.below(2) as usize;
        let dir = &homes[me];
        if numbers.below(6) == 0 {
            let _ = fs::remove_file(dir.join(WRITTEN[numbers.below(5) as usize]));
        }
        if numbers.below(2) == 0 {
            if concede && round > 12 {
                run(dir, &["concede", "--yes"]);
            } else if run(dir, &["orders", "new", "--force"]).1.starts_with("Written") {
                let draft = dir.join("orders.yaml");
                let text = ordered(&fs::read_to_string(&draft).unwrap(), &mut numbers);
                fs::write(&draft, text).unwrap();
                let (code, said) = run(dir, &["orders", "sign", "--unchanged"]);
                assert!(code == 0, "{said}");
            }
        } else {
            // One of the last packets, not always the newest.
            let mut all = packets(&homes[1 - me]);
            let back = numbers.below(2) as usize;
            if let Some(packet) = all.len().checked_sub(1 + back).map(|at| all.swap_remove(at)) {
                let (code, said) = run(dir, &["adjudicate", packet.to_str().unwrap()]);
                assert!(code != 1 && code != 2, "{said}");
            }
        }
    }
    let logs = homes.each_ref().map(|dir| {
        let (code, said) = run(dir, &["status"]);
        assert_eq!(code, 0, "{said}");
        let (_, verdict) = run(dir, &["verify"]);
        assert!(verdict.starts_with("GOOD"), "{verdict}");
        fs::read(dir.join("game.log")).unwrap()
    });
    assert!(logs[0] == logs[1], "the logs differ");
}

#[test]
fn two_players_with_the_real_program_play_to_the_end() {
    for seed in 0..soak(1, 10) {
        by_binary(false, seed);
        by_binary(true, 50 + seed);
    }
}
