//! Every command's help gives an example, and every example works as it stands there.
#![cfg(feature = "cli")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use countersign::doc::Packet;

/// A desk with Anna's and Bob's keys and a duel in its second turn; every example has a copy of it to itself.
struct Desk {
    dir: tempfile::TempDir,
}

const NOW: &str = "2026-01-01T12:00:00Z";

impl Desk {
    fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join(of)
    }

    fn run(&self, folder: &str, key: &str, now: &str, args: &[String], typed: &str) -> (i32, String) {
        let file = self.path("typed");
        fs::write(&file, typed).unwrap();
        let out = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(args)
            .current_dir(self.path(folder))
            .env("COUNTERSIGN_PASSPHRASE_FILE", self.path("phrase"))
            .env("COUNTERSIGN_KEY", self.path(key))
            .env("COUNTERSIGN_NOW", now)
            .env("COUNTERSIGN_MAIL", self.path("account.yaml"))
            .stdin(Stdio::from(fs::File::open(file).unwrap()))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{text}");
        (out.status.code().unwrap_or(-1), text)
    }

    fn fine(&self, folder: &str, line: &str) -> String {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (code, text) = self.run(folder, "anna.key", NOW, &args, "");
        assert!(matches!(code, 0 | 3), "{folder}: {line}: {text}");
        text
    }

    /// A packet in `out/`, by its beginning.
    fn out(&self, folder: &str) -> String {
        let all = fs::read_dir(self.path(folder).join("out")).unwrap().map(|e| e.unwrap().path());
        let mut packets: Vec<PathBuf> = all.filter(|p| p.extension().is_some_and(|e| e == "packet")).collect();
        packets.retain(|p| !p.ends_with("proposal.packet") && !p.ends_with("acceptance.packet"));
        packets[0].display().to_string()
    }

    fn new() -> Desk {
        let desk = Desk { dir: tempfile::tempdir().unwrap() };
        fs::write(desk.path("phrase"), "correct horse\n").unwrap();
        for name in ["anna", "bob", "hal", "new"] {
            desk.fine(".", &format!("key new --file {name}.key --no-passphrase"));
        }
        desk.fine(".", "new --scenario wasp-frolic --seat american --player Anna --folder wasp --key anna.key");
        fs::copy(desk.path("wasp/out/proposal.packet"), desk.path("proposal.packet")).unwrap();
        desk.fine(".", "accept proposal.packet --player Bob --folder bob --key bob.key");
        desk.fine("wasp", "adjudicate ../bob/out/acceptance.packet");
        desk.fine("wasp", "orders new");
        fs::copy(desk.path("wasp/orders.yaml"), desk.path("his.yaml")).unwrap();
        desk.fine("wasp", "orders sign --unchanged");
        desk.fine("bob", &format!("adjudicate {}", desk.out("wasp")));
        desk.fine("bob", "orders new");
        desk.fine("bob", "orders sign --unchanged");
        fs::copy(desk.out("bob"), desk.path("wasp/from-bob.packet")).unwrap();
        desk.fine("wasp", "adjudicate from-bob.packet");
        desk.fine("bob", &format!("adjudicate {}", desk.out("wasp")));
        desk.fine("bob", "packet --all");
        for file in fs::read_dir(desk.path("bob/out")).unwrap().map(|e| e.unwrap().path()) {
            if file.to_string_lossy().contains("everything") {
                fs::copy(&file, desk.path("everything.packet")).unwrap();
            }
        }
        desk
    }

    /// What an example needs beside the desk: the folder it is typed in, the key, the time, and what is typed into it.
    fn prepare(&self, command: &str) -> (&'static str, &'static str, &'static str, &'static str) {
        let game = ("wasp", "anna.key", NOW, "");
        let home = (".", "anna.key", NOW, "");
        match command {
            "key new" => (".", "fresh.key", NOW, ""),
            "key replace" => {
                fs::copy(self.path("new.key"), self.path("wasp/new.key")).unwrap();
                game
            }
            "new" => {
                fs::remove_dir_all(self.path("wasp")).unwrap();
                home
            }
            "accept" => {
                fs::remove_dir_all(self.path("wasp")).unwrap();
                (".", "bob.key", NOW, "")
            }
            "restore" => {
                self.fine(".", "backup wasp.backup --game wasp");
                home
            }
            "scenario balance" => {
                fs::copy("scenarios/honor/naval/argus-pelican.yaml", self.path("my-battle.yaml")).unwrap();
                home
            }
            "backup" | "recover" | "key show" | "scenario list" | "scenario show" | "rules cite" | "rules list"
            | "schema" | "completions" | "man" | "demo" | "map" | "moves" | "data new" => home,
            "data check" | "data pack" => {
                self.fine(".", "data new my-heights");
                home
            }
            "scenario check" => {
                fs::copy("scenarios/honor/naval/wasp-frolic.yaml", self.path("my-battle.yaml")).unwrap();
                home
            }
            "orders new" => {
                fs::remove_file(self.path("wasp/orders.yaml")).unwrap();
                game
            }
            "orders ask" | "solo" => (if command == "solo" { "." } else { "wasp" }, "anna.key", NOW, "q\nq\n"),
            "orders check" | "orders preview" | "orders sign" => {
                self.fine("wasp", "orders new --force");
                fs::copy(self.path("wasp/orders.yaml"), self.path("wasp/his.yaml")).unwrap();
                let text = fs::read_to_string(self.path("wasp/orders.yaml")).unwrap();
                fs::write(self.path("wasp/orders.yaml"), text + "\n# mine\n").unwrap();
                if command == "orders preview" {
                    self.fine("bob", "orders new --force");
                    fs::copy(self.path("bob/orders.yaml"), self.path("wasp/his.yaml")).unwrap();
                }
                game
            }
            "offer take-back" => {
                for _ in 0..2 {
                    self.fine("wasp", "orders new --force");
                    self.fine("wasp", "orders sign --unchanged");
                    self.fine("bob", &format!("adjudicate {}", self.out("wasp")));
                    self.fine("bob", "orders new --force");
                    self.fine("bob", "orders sign --unchanged");
                    self.fine("wasp", &format!("adjudicate {}", self.out("bob")));
                    self.fine("bob", &format!("adjudicate {}", self.out("wasp")));
                }
                game
            }
            "offer departure" => {
                fs::copy(self.path("wasp/turn.yaml"), self.path("wasp/corrected.yaml")).unwrap();
                game
            }
            "agree" | "decline" => {
                self.fine("bob", "offer draw");
                self.fine("wasp", &format!("adjudicate {}", self.out("bob")));
                game
            }
            "whatif" => {
                fs::write(self.path("wasp/try.yaml"), "answers: []\n").unwrap();
                game
            }
            "mail in" => {
                let packet = Packet::parse(&fs::read(self.path("wasp/from-bob.packet")).unwrap()).unwrap();
                let mail = format!("From: bob@example.org\nSubject: my orders\n\nHere you are.\n\n{}", packet.armor());
                fs::write(self.path("wasp/from-bob.eml"), mail).unwrap();
                game
            }
            "mail out" | "mail serve" => {
                for sub in ["box/new", "box/cur", "box/tmp", "outgoing"] {
                    fs::create_dir_all(self.path(sub)).unwrap();
                }
                fs::write(self.path("account.yaml"), "address: anna@example.org\nsend: {folder: outgoing}\n").unwrap();
                fs::write(self.path("wasp/mail.yaml"), "to: {british: bob@example.org}\n").unwrap();
                if command == "mail out" { game } else { home }
            }
            "host late" | "host extend" | "host pause" | "host resume" | "host seat" => {
                let new = "new --scenario wasp-frolic --seat american --player Anna --folder a --key anna.key --mode hosted --days 3 --late forfeit";
                self.fine(".", new);
                self.fine(".", "accept a/out/proposal.packet --player Bob --folder b --key bob.key --seat british");
                self.fine(".", "accept a/out/proposal.packet --player Hal --folder h --key hal.key --seat host");
                for who in ["a", "b", "h"] {
                    self.fine(who, "adjudicate ../b/out/acceptance.packet ../h/out/acceptance.packet");
                }
                if command == "host late" {
                    return ("h", "hal.key", "2026-01-10T00:00:00Z", "");
                }
                if command == "host resume" {
                    let pause = ["host", "pause"].map(str::to_owned);
                    assert!(matches!(self.run("h", "hal.key", NOW, &pause, "").0, 0 | 3));
                }
                ("h", "hal.key", NOW, "")
            }
            _ => game,
        }
    }
}

/// Every command that has no commands below it, with the words of its help.
fn leaves(desk: &Desk) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut todo = vec![String::new()];
    while let Some(command) = todo.pop() {
        let help = desk.fine(".", format!("{command} --help").trim());
        let list = help.split("Commands:\n").nth(1).map(|rest| rest.split("\n\n").next().unwrap());
        // Names stand two blanks in, what they do behind or below them.
        let names = list.into_iter().flat_map(str::lines).filter(|l| l.starts_with("  ") && !l.starts_with("   "));
        let mut below = false;
        for name in names.filter_map(|l| l.split_whitespace().next()).filter(|name| *name != "help") {
            todo.push(format!("{command} {name}").trim().to_owned());
            below = true;
        }
        if !below {
            found.insert(command, help.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// A command line as a shell takes it apart: blanks, and quotation marks around what has some.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn every_command_has_an_example_and_every_example_works() {
    let desk = Desk::new();
    let all = leaves(&desk);
    assert!(all.len() > 35, "{:?}", all.keys());
    let names: BTreeSet<&String> = all.keys().collect();
    for (command, help) in &all {
        // What only reads can share a desk.
        let reads =
            ["audit", "completions", "head", "key show", "man", "rules", "scenario", "status", "verify", "whatif"];
        let shared = reads.iter().any(|word| command.starts_with(word));
        let mut examples = 0;
        for example in help.split("Example: countersign ").skip(1) {
            let own = (!shared).then(Desk::new);
            let desk = own.as_ref().unwrap_or(&desk);
            let (folder, key, now, typed) = desk.prepare(command);
            let marks = [" Usage:", " To go on", " Alone, ", " On land, ", " For programs, "];
            let end = marks.iter().filter_map(|mark| example.find(mark)).min().unwrap_or(example.len());
            let example = example[..end].trim();
            assert!(example.starts_with(command.as_str()), "{command}: {example}");
            let (code, text) = desk.run(folder, key, now, &words(example), typed);
            assert!(matches!(code, 0 | 3), "{command}: countersign {example}: exit {code}\n{text}");
            examples += 1;
        }
        assert!(examples > 0, "{command} has no example");
    }
    println!("{} examples: {names:?}", names.len());
}
