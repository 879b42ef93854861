//! Games with a host in real folders, played with the real binary: hosted and strict, agreements, new keys, the clock,
//! refusals. All three folders end with the same log.
#![cfg(feature = "cli")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use common::Numbers;
use countersign::doc::{Lodging, Packet, Receipt, SignedFile, StepFile, Tree};
use countersign::log::{History, Intent, Player, Secrets, own_post, read_lodging};
use countersign::play::Want;
use countersign::seal::{Digest, Namespace, SecretKey};
use countersign::side::Seat;
use countersign::store::{Content, Folder};

const ALL: [&str; 3] = ["anna", "bob", "club"];

struct Club {
    dir: tempfile::TempDir,
    now: String,
    strict: bool,
}

struct Said {
    code: i32,
    text: String,
}

impl Club {
    /// Anna has proposed, Bob and the club have accepted.
    fn new(mode: &str, more: &[&str]) -> Club {
        Club::at("2026-01-01T12:00:00Z", mode, more)
    }

    fn at(now: &str, mode: &str, more: &[&str]) -> Club {
        let now = now.to_owned();
        let club = Club { dir: tempfile::tempdir().unwrap(), now, strict: mode == "strict" };
        for name in ALL {
            club.fine(".", &["key", "new", "--file", &format!("{name}.key"), "--no-passphrase"]);
        }
        let new = "new --scenario wasp-frolic --seat american --player Anna --folder anna --key anna.key --mode";
        let new: Vec<&str> = new.split(' ').chain([mode]).chain(more.iter().copied()).collect();
        club.fine(".", &new);
        for (name, seat) in [("bob", "british"), ("club", "host")] {
            let key = format!("{name}.key");
            let accept = [
                "accept",
                "anna/out/proposal.packet",
                "--player",
                name,
                "--folder",
                name,
                "--seat",
                seat,
                "--key",
                &key,
            ];
            club.fine(".", &accept);
        }
        for who in ALL {
            for other in ["bob", "club"] {
                let packet = club.path(other).join("out/acceptance.packet");
                club.run(who, &["adjudicate", &packet.display().to_string()]);
            }
        }
        club
    }

    fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join(of)
    }

    fn run(&self, folder: &str, args: &[&str]) -> Said {
        let mut binary = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let binary = binary.args(args).current_dir(self.path(folder)).stdin(Stdio::null());
        let binary = binary.env("COUNTERSIGN_PASSPHRASE_FILE", self.path("phrase"));
        let out = binary.env("COUNTERSIGN_NOW", &self.now).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{text}");
        Said { code: out.status.code().unwrap_or(-1), text }
    }

    fn fine(&self, folder: &str, args: &[&str]) -> String {
        let said = self.run(folder, args);
        assert!(said.code == 0 || said.code == 3, "{folder} {args:?}: {}", said.text);
        said.text
    }

    /// The packet that lies in `out/` goes to where it has to go; what the receivers say.
    fn mail(&self, from: &str) -> String {
        let out = self.path(from).join("out");
        let mut all: Vec<PathBuf> = fs::read_dir(out).unwrap().map(|e| e.unwrap().path()).collect();
        all.retain(|p| p.extension().is_some_and(|e| e == "packet"));
        all.retain(|p| !p.ends_with("proposal.packet") && !p.ends_with("acceptance.packet"));
        assert_eq!(all.len(), 1, "{all:?}");
        let to: &[&str] = if from == "club" { &["anna", "bob"] } else { &["club"] };
        let mut said = String::new();
        for who in to {
            let out = self.run(who, &["adjudicate", &all[0].display().to_string()]);
            assert!(out.code == 0 || out.code == 3, "{who}: {}", out.text);
            said.push_str(&out.text);
        }
        said
    }

    /// Mail until nobody has anything to do that needs no decision.
    fn settle(&self) {
        for _ in 0..4 {
            for who in ["anna", "bob", "club"] {
                if self.path(who).join("out").read_dir().unwrap().any(|e| {
                    let path = e.unwrap().path();
                    let name = path.file_name().unwrap().to_string_lossy().into_owned();
                    name.ends_with(".packet") && !name.starts_with("proposal") && !name.starts_with("acceptance")
                }) {
                    self.mail(who);
                }
            }
        }
    }

    fn sign(&self, who: &str) {
        self.fine(who, &["orders", "new", "--force"]);
        // Nobody fires and nobody moves, so that whatever the dice no game is over early.
        let path = self.path(who).join("orders.yaml");
        let text = fs::read_to_string(&path).unwrap();
        let text = text.replace("starboard: any, port: any", "starboard: hold, port: hold");
        let line = text.lines().find(|l| l.trim_start().starts_with("markers:")).unwrap().to_owned();
        let stay: Vec<&str> =
            ["stop", "stop", "stop", "left"].into_iter().take(line.matches(',').count() + 1).collect();
        let text = text.replace(&line, &format!("  markers: [{}]", stay.join(", ")));
        fs::write(path, text.replace("starboard: crossing, port: crossing", "starboard: hold, port: hold")).unwrap();
        self.fine(who, &["orders", "sign", "--unchanged"]);
        self.mail(who);
    }

    /// A turn from the templates.
    fn turn(&self) {
        for who in ["anna", "bob"] {
            self.sign(who);
            if self.strict {
                self.mail("club");
            }
        }
        self.settle();
    }

    fn step(&self, who: &str) -> u64 {
        self.json(who)["step"].as_u64().unwrap()
    }

    fn json(&self, who: &str) -> serde_json::Value {
        let mut binary = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let binary = binary.args(["status", "--format", "json"]).current_dir(self.path(who));
        let out = binary.env("COUNTERSIGN_NOW", &self.now).output().unwrap();
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&out.stderr)))
    }

    /// The one log all three have, and what `verify` says of it.
    fn verified(&self) -> String {
        let logs: Vec<Vec<u8>> = ALL.iter().map(|w| fs::read(self.path(w).join("game.log")).unwrap()).collect();
        assert!(logs.iter().all(|log| *log == logs[0]), "the logs differ");
        let text = self.fine("anna", &["verify"]);
        assert!(text.starts_with("GOOD"), "{text}");
        let audit = Command::new("python3").arg("examples/audit.py").arg(self.path("anna").join("game.log")).output();
        match audit {
            Ok(out) => assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout)),
            Err(_) => println!("skipped: needs python3"),
        }
        text
    }
}

fn both(check: impl Fn(&str)) {
    for mode in ["hosted", "strict"] {
        check(mode);
    }
}

#[test]
fn turns_are_played_and_a_draw_is_agreed() {
    both(|mode| {
        let club = Club::new(mode, &[]);
        club.turn();
        club.turn();
        let step = club.step("anna");
        assert!(step >= 3, "{mode}: step {step}");
        club.fine("bob", &["offer", "draw", "--say", "Peace?"]);
        club.mail("bob");
        club.fine("club", &["adjudicate"]);
        let said = club.mail("club");
        assert!(said.contains("YOUR OPPONENT OFFERS a draw"), "{mode}: {said}");
        let said = club.fine("anna", &["agree"]);
        assert!(said.contains("You accept:"), "{said}");
        club.mail("anna");
        club.mail("club");
        club.settle();
        let text = club.verified();
        assert!(text.contains("draw"), "{mode}: {text}");
        let said = club.fine("bob", &["status"]);
        assert!(said.contains("ended as a draw"), "{mode}: {said}");
    });
}

#[test]
fn a_turn_is_taken_back() {
    both(|mode| {
        let club = Club::new(mode, &[]);
        club.turn();
        let position = |who: &str| {
            let text = fs::read_to_string(club.path(who).join("turn.yaml")).unwrap();
            text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
        };
        let before = (club.step("anna"), position("anna"));
        club.turn();
        club.fine("anna", &["offer", "take-back", "--step", &before.0.to_string(), "--say", "I meant stop"]);
        club.mail("anna");
        club.mail("club");
        club.fine("bob", &["agree"]);
        club.mail("bob");
        club.mail("club");
        assert!(club.step("anna") > before.0 + 1, "{mode}");
        assert_eq!(position("anna"), before.1, "{mode}");
        assert_eq!(position("bob"), before.1, "{mode}");
        club.turn();
        let text = club.verified();
        assert!(text.contains("except what both agreed"), "{mode}: {text}");
    });
}

#[test]
fn an_offer_lapses_when_the_step_is_played_on() {
    both(|mode| {
        let club = Club::new(mode, &[]);
        club.fine("bob", &["offer", "draw"]);
        club.mail("bob");
        club.mail("club");
        club.fine("anna", &["decline", "--say", "No"]);
        club.turn();
        assert!(club.step("anna") > 1, "{mode}");
        let said = club.run("anna", &["agree"]);
        assert!(said.text.contains("Nothing is offered"), "{mode}: {}", said.text);
        club.verified();
    });
}

#[test]
fn a_seat_is_taken_over_by_a_new_key() {
    both(|mode| {
        let club = Club::new(mode, &[]);
        club.turn();
        club.fine(".", &["key", "new", "--file", "new.key", "--no-passphrase"]);
        let said = club.fine("bob", &["key", "replace", "--file", "../new.key", "--player", "Bill"]);
        assert!(said.contains("letters"), "{said}");
        club.mail("bob");
        club.fine("club", &["packet"]);
        let said = club.mail("club");
        assert!(said.contains("A NEW KEY ASKS FOR THE BRITISH SEAT"), "{mode}: {said}");
        let letters = said.split("agree --key ").nth(1).unwrap().split_whitespace().next().unwrap();
        club.fine("anna", &["agree", "--key", letters]);
        club.mail("anna");
        club.mail("club");
        club.turn();
        let text = club.verified();
        assert!(text.contains("a new key for the seat, played by Bill"), "{mode}: {text}");
    });
}

#[test]
fn a_concession_ends_the_game() {
    both(|mode| {
        let club = Club::new(mode, &[]);
        club.turn();
        club.fine("bob", &["concede", "--yes"]);
        club.mail("bob");
        club.mail("club");
        club.settle();
        club.verified();
        assert_eq!(club.json("anna")["end"], "conceded-british", "{mode}");
        assert_eq!(club.json("anna")["complete"], true, "{mode}");
    });
}

#[test]
fn who_is_late_gets_the_books_orders_or_has_lost() {
    both(|mode| {
        let mut club = Club::new(mode, &["--days", "3", "--late", "default-orders"]);
        club.turn();
        let due = club.json("anna")["due"].as_str().unwrap().to_owned();
        assert_eq!(due, "2026-01-04T12:00:00Z", "{mode}");
        let said = club.run("bob", &["status"]);
        assert!(said.text.contains("due by 4 January 2026, 12:00 UTC by the host's clock"), "{mode}: {}", said.text);
        club.sign("anna");
        if club.strict {
            club.mail("club");
        }
        let early = club.run("club", &["host", "late"]);
        assert!(early.code != 0 && early.text.contains("is due at 2026-01-04"), "{mode}: {}", early.text);
        club.fine("club", &["host", "extend", "--until", "2026-01-06T12:00:00Z", "--say", "One more day"]);
        club.mail("club");
        assert_eq!(club.json("bob")["due"], "2026-01-06T12:00:00Z", "{mode}");
        club.now = "2026-01-05T00:00:00Z".into();
        assert!(club.run("club", &["host", "late"]).code == 2, "{mode}: put off");
        club.now = "2026-01-07T00:00:00Z".into();
        let step = club.step("anna");
        let said = club.fine("club", &["host", "late"]);
        assert!(said.contains("Declared late: the british player"), "{mode}: {said}");
        club.mail("club");
        club.settle();
        assert_eq!(club.step("anna"), step + 1, "{mode}");
        club.verified();
        // He is back for the next turn.
        club.turn();
        assert_eq!(club.step("anna"), step + 2, "{mode}");
        club.verified();
    });
    both(|mode| {
        let mut club = Club::new(mode, &["--days", "3", "--late", "forfeit"]);
        club.turn();
        club.sign("bob");
        if club.strict {
            club.mail("club");
        }
        club.now = "2026-02-01T00:00:00Z".into();
        let said = club.fine("club", &["host", "late"]);
        assert!(said.contains("american player (he has lost)"), "{mode}: {said}");
        club.mail("club");
        club.settle();
        let text = club.verified();
        assert!(text.contains("the american player was late"), "{mode}: {text}");
    });
}

#[test]
fn without_a_row_nothing_follows_from_being_late() {
    let mut club = Club::new("hosted", &["--days", "3"]);
    club.turn();
    club.now = "2026-02-01T00:00:00Z".into();
    let said = club.run("club", &["host", "late"]);
    assert!(said.code != 0 && said.text.contains("nothing follows"), "{}", said.text);
}

/// Bob's orders for his first turn, with every marker a `left` in clear: against NAV-5.10.
fn illegal(club: &Club) -> SignedFile {
    let (history, player) = seat(club, "bob");
    let (legal, _) = orders(&history, &player);
    let mut file = legal.clone();
    for (slot, _) in legal.seals.iter().filter(|(slot, _)| slot.contains("/marker/")) {
        file.seals.remove(slot);
        file.answers.insert(slot.clone(), Tree::Text("left".into()));
    }
    player.sign(Namespace::Orders, &file).unwrap()
}

/// A seat's player, from folder and key.
fn seat(club: &Club, who: &str) -> (History, Player) {
    let Content::Game(table) = Folder::open(&club.path(who)).unwrap().load().unwrap() else { panic!("a game") };
    let text = fs::read_to_string(club.path(&format!("{who}.key"))).unwrap();
    let key = SecretKey::from_openssh(&text, || panic!("no passphrase")).unwrap();
    let player = Player::at(&table.history, table.owner.unwrap().seat, key);
    (table.history, player)
}

/// Legal orders, signed.
fn orders(history: &History, player: &Player) -> (StepFile, SignedFile) {
    let mut numbers = Numbers(5);
    let mut answers = BTreeMap::new();
    for want in history.wants().iter().filter(|w| w.asks().map(Seat::from) == Some(player.seat)) {
        if let Want::Decide { slot, .. } | Want::Seal { slot, .. } = want {
            answers.insert(slot.clone(), history.game.game().sample(slot, &mut |n| numbers.below(n)).unwrap());
        }
    }
    let intent = Intent { answers, ..Intent::default() };
    let out = if history.terms.hosted() {
        player.hosted(history, &[], &intent, "2026-01-01T12:00:00Z")
    } else {
        player.next(history, &[], &Secrets::default(), &intent, "2026-01-01T12:00:00Z")
    };
    let out = out.unwrap().unwrap();
    (out.file.clone(), player.sign(Namespace::Orders, &out.file).unwrap())
}

fn write_packet(club: &Club, name: &str, files: &[&SignedFile]) -> String {
    let packet = Packet { files: files.iter().map(|f| f.bytes()).collect() };
    fs::write(club.path(name), packet.bytes()).unwrap();
    club.path(name).display().to_string()
}

#[test]
fn a_refusal_is_signed_and_anyone_can_judge_it() {
    both(|mode| {
        let club = Club::new(mode, &[]);
        let bad = illegal(&club);
        let packet = write_packet(&club, "bad.packet", &[&bad]);
        let said = club.fine("club", &["adjudicate", &packet]);
        assert!(said.contains("cannot be taken") && said.contains("NAV-5.10"), "{mode}: {said}");
        let receipt = fs::read_dir(club.path("club").join("receipts")).unwrap().next().unwrap().unwrap().path();
        let receipt = receipt.display().to_string();
        let again = club.fine("club", &["adjudicate"]);
        assert!(!again.contains("Send him this"), "{mode}: one receipt a file: {again}");
        let said = club.fine("bob", &["adjudicate", &receipt]);
        assert!(said.contains("The host did not take a file of step 1") && said.contains("verify --refusal"), "{said}");
        // Bob, Anna, or anyone with the log.
        for who in ["bob", "anna"] {
            let said = club.fine(who, &["verify", "--refusal", &receipt]);
            assert!(said.contains("RIGHT") && said.contains("NAV-5.10"), "{mode} {who}: {said}");
        }
        // The same receipt later, when the game has gone on.
        club.turn();
        let said = club.fine("anna", &["verify", "--refusal", &receipt]);
        assert!(said.contains("RIGHT"), "{mode}: {said}");
        club.verified();
    });
}

#[test]
fn a_false_refusal_is_shown_up() {
    both(|mode| {
        let club = Club::new(mode, &[]);
        let (history, player) = seat(&club, "bob");
        let (_, legal) = orders(&history, &player);
        let (_, host) = seat(&club, "club");
        let post = own_post(legal.clone()).unwrap();
        let honest = host.receipt(&history, &post.filed, std::slice::from_ref(&post), "2026-01-01T12:00:00Z");
        assert_eq!(honest.refused, None, "{mode}");
        let receipt = Receipt { refused: Some("NAV-5.10: too many turns".into()), ..honest.clone() };
        let signed = host.sign(Namespace::Host, &receipt).unwrap();
        let packet = write_packet(&club, "false.packet", &[&signed, &legal]);
        let said = club.run("anna", &["verify", "--refusal", &packet]);
        assert!(said.code == 1 && said.text.contains("WRONG"), "{mode}: {}", said.text);
        // Without the file, of another step, by another key: no verdict.
        let alone = write_packet(&club, "alone.packet", &[&signed]);
        assert!(club.run("anna", &["verify", "--refusal", &alone]).text.contains("is not here"));
        let later = host.sign(Namespace::Host, &Receipt { step: 9, ..receipt.clone() }).unwrap();
        let later = write_packet(&club, "later.packet", &[&later, &legal]);
        let said = club.run("anna", &["verify", "--refusal", &later]);
        assert!(said.code == 1 && said.text.contains("does not lead to step 9"), "{}", said.text);
        let forged = player.sign(Namespace::Host, &receipt).unwrap();
        let forged = write_packet(&club, "forged.packet", &[&forged, &legal]);
        let said = club.run("anna", &["verify", "--refusal", &forged]);
        assert!(said.code == 1 && said.text.contains("has not signed"), "{}", said.text);
        let none = write_packet(&club, "none.packet", &[&legal]);
        assert!(club.run("anna", &["verify", "--refusal", &none]).text.contains("no refusal"));
    });
}

#[test]
fn a_lost_folder_comes_back_from_what_the_host_has() {
    both(|mode| {
        let club = Club::new(mode, &[]);
        fs::write(club.path("phrase"), "correct horse\n").unwrap();
        club.turn();
        // An older copy first: it signs nothing before it has seen what the host has of its player.
        club.fine(".", &["backup", "bob.backup", "--game", "bob"]);
        club.turn();
        fs::remove_dir_all(club.path("bob")).unwrap();
        club.fine(".", &["restore", "bob.backup", "--folder", "restored"]);
        fs::rename(club.path("restored/bob"), club.path("bob")).unwrap();
        club.fine("bob", &["orders", "new", "--force"]);
        let said = club.run("bob", &["orders", "sign", "--unchanged"]);
        assert!(said.code == 1 && said.text.contains("signs nothing yet"), "{mode}: {}", said.text);
        let everything = everything(&club);
        let said = club.fine("bob", &["adjudicate", &everything]);
        assert!(said.contains("it signs again"), "{mode}: {said}");
        club.turn();
        // And without any copy.
        fs::remove_dir_all(club.path("bob")).unwrap();
        let everything = self::everything(&club);
        club.fine(".", &["recover", &everything, "--folder", "bob", "--key", "bob.key"]);
        club.turn();
        assert_eq!(club.json("bob")["turn"], 5, "{mode}");
        club.verified();
    });
}

fn everything(club: &Club) -> String {
    let said = club.fine("club", &["packet", "--all"]);
    let from = said.lines().last().unwrap().trim().to_owned();
    let to = club.path("everything.packet");
    fs::rename(club.path("club").join(from), &to).unwrap();
    to.display().to_string()
}

#[test]
fn a_file_that_crosses_with_the_closing_is_said_to_count_no_more() {
    let club = Club::new("hosted", &[]);
    club.sign("anna");
    club.sign("bob");
    club.fine("club", &["adjudicate"]);
    // The step is closed, but Anna does not know it yet.
    club.fine("anna", &["offer", "draw"]);
    let said = club.mail("club");
    assert!(said.contains("Your file 2 of step 1 crossed with what closed the step"), "{said}");
    assert_eq!(said.matches("crossed").count(), 1, "Bob sent nothing more: {said}");
    club.turn();
    club.verified();
}

/// The signed lodgings that lie in a folder's `secret/`, by path.
fn lodgings(club: &Club, who: &str) -> Vec<(PathBuf, Lodging)> {
    let all = fs::read_dir(club.path(who).join("secret")).unwrap().map(|e| e.unwrap().path());
    let read = |path: PathBuf| {
        let signed = SignedFile::parse(&fs::read(&path).unwrap()).ok()?;
        Some((path, read_lodging(&signed).ok()?))
    };
    all.filter(|path| path.extension().is_some_and(|e| e == "signed")).filter_map(read).collect()
}

/// Bob's own packet of the open step, and the same with his lodging changed and signed by him once more.
fn with_lodging(club: &Club, change: impl Fn(&mut Lodging)) -> (String, String) {
    let (_, player) = seat(club, "bob");
    let out = fs::read_dir(club.path("bob").join("out")).unwrap().map(|e| e.unwrap().path());
    let mine = |p: &PathBuf| p.extension().is_some_and(|e| e == "packet") && !p.ends_with("acceptance.packet");
    let own = out.into_iter().find(mine).unwrap();
    let packet = Packet::find(&fs::read(&own).unwrap()).unwrap().remove(0);
    let mut found = 0;
    let changed = |bytes: &Vec<u8>| {
        let signed = SignedFile::parse(bytes).unwrap();
        let Ok(mut lodging) = read_lodging(&signed) else { return bytes.clone() };
        found += 1;
        change(&mut lodging);
        player.sign(Namespace::Orders, &lodging).unwrap().bytes()
    };
    let files = packet.files.iter().map(changed).collect();
    assert_eq!(found, 1);
    fs::write(club.path("changed.packet"), Packet { files }.bytes()).unwrap();
    (own.display().to_string(), club.path("changed.packet").display().to_string())
}

const SHUT: &str = "the sealed orders of the british player cannot be opened";
const AGAIN: &str = "ask him to send his packet again";

/// Sent damaged, cut, or for another host: the host's program says so, and goes on as if it had not come.
#[test]
fn a_lodging_that_does_not_open_counts_as_not_lodged() {
    let club = Club::new("hosted", &[]);
    club.sign("anna");
    club.fine("bob", &["orders", "new", "--force"]);
    club.fine("bob", &["orders", "sign", "--unchanged"]);
    let changes: [&dyn Fn(&mut Lodging); 5] = [
        &|l| l.enc = Digest([9; 32]),
        &|l| l.ciphertext.replace_range(100..101, if &l.ciphertext[100..101] == "A" { "B" } else { "A" }),
        &|l| l.ciphertext.truncate(1000),
        &|l| l.ciphertext = "no base64".into(),
        &|l| l.ciphertext.clear(),
    ];
    for change in changes {
        let (_, changed) = with_lodging(&club, change);
        let said = club.fine("club", &["adjudicate", &changed]);
        assert!(said.contains(SHUT) && said.contains(AGAIN), "{said}");
        assert_eq!(club.step("club"), 1);
        let said = club.fine("club", &["status"]);
        assert!(said.contains("The british player's orders came without what opens them"), "{said}");
        assert!(lodgings(&club, "club").iter().all(|(_, l)| l.seat == Seat::American), "it was set aside");
        assert!(!club.fine("club", &["adjudicate"]).contains(SHUT), "said once");
    }
    let aside = fs::read_dir(club.path("club").join("evidence")).unwrap();
    let aside = aside.filter(|e| e.as_ref().unwrap().path().extension().is_some_and(|e| e == "signed")).count();
    assert_eq!(aside, changes.len(), "nothing that came is lost");
    // Signed by somebody else it is nobody's.
    let (own, _) = with_lodging(&club, |_| ());
    let (_, anna) = seat(&club, "anna");
    let (_, mut forged) = lodgings(&club, "bob").remove(0);
    forged.ciphertext.replace_range(0..1, "A");
    let forged = anna.sign(Namespace::Orders, &forged).unwrap();
    let forged = write_packet(&club, "forged.packet", &[&forged]);
    let said = club.fine("club", &["adjudicate", &forged]);
    assert!(said.contains("does not count") && !said.contains(SHUT), "{said}");
    assert_eq!(club.step("club"), 1);
    club.fine("club", &["adjudicate", &own]);
    assert_eq!(club.step("club"), 2);
    club.settle();
    club.turn();
    club.verified();
}

/// Damaged on the host's disk, at the beginning, in the middle, to nothing: the folder loads, and the packet sent again
/// puts it right.
#[test]
fn a_lodging_damaged_on_the_hosts_disk_does_not_stop_his_folder() {
    let club = Club::new("hosted", &[]);
    for damage in [0, 1, 2] {
        club.sign("bob");
        let step = club.step("club");
        let of_step = |who| lodgings(&club, who).into_iter().find(|(_, l)| l.step == step).unwrap().0;
        let path = of_step("club");
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        match damage {
            0 => bytes.clear(),
            1 => bytes.truncate(700),
            _ => bytes[900] = if bytes[900] == b'A' { b'B' } else { b'A' },
        }
        fs::write(&path, bytes).unwrap();
        let said = club.fine("club", &["status"]);
        assert!(said.contains(SHUT) && said.contains(AGAIN), "{damage}: {said}");
        let said = club.fine("club", &["adjudicate"]);
        assert!(said.contains(SHUT), "{damage}: {said}");
        club.sign("anna");
        assert_eq!(club.step("club"), step, "{damage}: not closed without it");
        club.mail("bob");
        assert_eq!(club.step("club"), step + 1, "{damage}");
        assert_eq!(fs::read(&path).unwrap(), whole);
        // On the player's side his copy is no more than that.
        fs::write(of_step("bob"), b"x").unwrap();
        let said = club.fine("bob", &["status"]);
        assert!(said.contains("your copy of what opens your sealed orders for the host is damaged"), "{said}");
        club.settle();
    }
    club.turn();
    club.verified();
}

/// Local times that do not exist or exist twice, through the whole program: who is late by a second is, who is not is not.
#[test]
fn a_time_of_day_falls_due_by_the_wall_clock_of_the_game() {
    for (zone, at, now, due, grace, last) in [
        // 02:30 does not exist on 29 March 2026: 03:30 summer time.
        (
            "europe/berlin",
            "02:30",
            "2026-03-25T20:00:00Z",
            "2026-03-29T01:30:00Z",
            "2026-03-29T02:30:00Z",
            "29 March 2026, 03:30 Europe/Berlin",
        ),
        // 02:30 comes twice on 25 October: the second, winter time.
        (
            "Europe/Berlin",
            "02:30",
            "2026-10-21T20:00:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T02:30:00Z",
            "25 October 2026, 02:30 Europe/Berlin",
        ),
        (
            "America/New_York",
            "01:30",
            "2026-10-29T00:00:00Z",
            "2026-11-01T06:30:00Z",
            "2026-11-01T07:30:00Z",
            "1 November 2026, 01:30 America/New_York",
        ),
        (
            "Australia/Lord_Howe",
            "01:45",
            "2026-04-01T10:00:00Z",
            "2026-04-04T15:15:00Z",
            "2026-04-04T16:15:00Z",
            "5 April 2026, 01:45 Australia/Lord_Howe",
        ),
        (
            "UTC",
            "23:30",
            "2026-12-28T23:30:00Z",
            "2026-12-31T23:30:00Z",
            "2027-01-01T00:30:00Z",
            "31 December 2026, 23:30 UTC",
        ),
        (
            "UTC",
            "12:00",
            "2028-02-26T12:00:00Z",
            "2028-02-29T12:00:00Z",
            "2028-02-29T13:00:00Z",
            "29 February 2028, 12:00 UTC",
        ),
    ] {
        let flags = ["--days", "3", "--zone", zone, "--at", at, "--grace", "1", "--late", "forfeit"];
        let mut club = Club::at(now, "hosted", &flags);
        club.fine("club", &["adjudicate"]);
        club.mail("club");
        let told = club.json("anna");
        assert_eq!(told["due"], due, "{zone}");
        let late_after = told["clock"]["late_after"].as_str().unwrap().to_owned();
        assert_eq!(late_after, grace, "{zone}");
        let said = club.run("bob", &["status"]).text;
        assert!(
            said.contains(last) && said.contains("by the host's clock (in ") && said.contains("1 hours of grace"),
            "{zone}: {said}"
        );
        club.sign("anna");
        club.now = late_after;
        let early = club.run("club", &["host", "late"]);
        assert!(early.code == 2 && early.text.contains("nobody is late before"), "{zone}: {}", early.text);
        club.now = club.now.replace(":00Z", ":01Z");
        club.fine("club", &["host", "late"]);
        club.mail("club");
        club.settle();
        assert_eq!(club.json("anna")["end"], "forfeited-british", "{zone}");
        club.verified();
    }
}

#[test]
fn a_host_stops_the_clock_and_lets_it_run_again() {
    both(|mode| {
        let flags = ["--days", "3", "--zone", "Europe/Berlin", "--at", "20:00", "--late", "default-orders"];
        let mut club = Club::new(mode, &flags);
        club.turn();
        assert_eq!(club.json("anna")["due"], "2026-01-04T19:00:00Z", "{mode}");
        let near = club.run("club", &["host", "extend", "--until", "2026-01-04 19:59"]);
        assert!(near.code == 2 && near.text.contains("never brought nearer"), "{mode}: {}", near.text);
        assert!(club.run("club", &["host", "resume"]).text.contains("the clock runs"), "{mode}");
        club.now = "2026-01-03T12:00:00Z".into();
        club.fine("club", &["host", "pause", "--say", "Until Candlemas"]);
        club.mail("club");
        let said = club.run("bob", &["status"]).text;
        assert!(
            said.contains("THE CLOCK STANDS STILL") && said.contains("4 January 2026, 20:00 Europe/Berlin"),
            "{mode}: {said}"
        );
        assert_eq!(club.json("bob")["clock"]["paused_since"], "2026-01-03T12:00:00Z", "{mode}");
        club.now = "2026-02-02T12:00:00Z".into();
        for args in [&["host", "late"][..], &["host", "pause"], &["host", "extend", "--until", "2026-03-01 20:00"]] {
            let said = club.run("club", args);
            assert!(said.code == 2 && said.text.contains("stands still"), "{mode}: {}", said.text);
        }
        // `mail serve` goes by the same.
        club.fine("club", &["adjudicate"]);
        let step = club.step("anna");
        // 31 hours were left: at 20:00 on the day after they are over.
        let near = club.run("club", &["host", "resume", "--until", "2026-02-03 19:00"]);
        assert!(near.code != 0 && near.text.contains("3 February 2026, 20:00 Europe/Berlin"), "{mode}: {}", near.text);
        club.fine("club", &["host", "resume"]);
        club.mail("club");
        let told = club.json("bob");
        assert_eq!(
            (&told["due"], &told["clock"]["paused_since"]),
            (&"2026-02-03T19:00:00Z".into(), &serde_json::Value::Null),
            "{mode}"
        );
        club.sign("anna");
        if club.strict {
            club.mail("club");
        }
        club.now = "2026-02-03T19:00:01Z".into();
        club.fine("club", &["host", "late"]);
        club.mail("club");
        club.settle();
        assert_eq!(club.step("anna"), step + 1, "{mode}");
        assert_eq!(club.json("anna")["due"], "2026-02-07T19:00:00Z", "{mode}");
        club.verified();
        // A pause over the end of a step: then the next has all its days.
        club.fine("club", &["host", "pause"]);
        club.mail("club");
        club.turn();
        assert_eq!(club.json("anna")["due"], serde_json::Value::Null, "{mode}");
        assert_eq!(club.json("anna")["clock"]["paused_since"], "2026-02-03T19:00:01Z", "{mode}");
        club.now = "2026-02-10T00:00:00Z".into();
        club.fine("club", &["host", "resume"]);
        club.mail("club");
        assert_eq!(club.json("anna")["due"], "2026-02-13T19:00:00Z", "{mode}");
        club.turn();
        club.verified();
    });
}

#[test]
fn an_agreed_pause_is_a_holiday_from_the_clock() {
    both(|mode| {
        let mut club =
            Club::new(mode, &["--days", "3", "--zone", "Europe/Berlin", "--at", "20:00", "--late", "forfeit"]);
        club.turn();
        let words = club.run("bob", &["offer", "pause", "--until", "after Easter", "--reason", "Away"]);
        assert!(words.code == 2 && words.text.contains("Europe/Berlin"), "{mode}: {}", words.text);
        let over = club.run("bob", &["offer", "pause", "--until", "2025-12-31 20:00", "--reason", "Away"]);
        assert!(over.code == 2 && over.text.contains("over already"), "{mode}: {}", over.text);
        club.fine("bob", &["offer", "pause", "--until", "2026-04-10 12:00", "--reason", "Away"]);
        club.mail("bob");
        club.fine("club", &["adjudicate"]);
        let said = club.mail("club");
        assert!(said.contains("10 April 2026, 12:00 Europe/Berlin"), "{mode}: {said}");
        club.fine("anna", &["agree"]);
        club.mail("anna");
        club.mail("club");
        club.settle();
        // Three days behind noon of 10 April, and 20:00.
        let told = club.json("anna");
        assert_eq!(
            (told["due"].as_str(), told["clock"]["rest_until"].as_str()),
            (Some("2026-04-13T18:00:00Z"), Some("2026-04-10T10:00:00Z")),
            "{mode}"
        );
        let said = club.run("anna", &["status"]).text;
        assert!(said.contains("You have agreed on a pause until 10 April 2026, 12:00 Europe/Berlin"), "{mode}: {said}");
        club.now = "2026-04-01T00:00:00Z".into();
        assert!(club.run("club", &["host", "late"]).code == 2, "{mode}");
        club.turn();
        assert_eq!(club.json("bob")["due"], "2026-04-13T18:00:00Z", "{mode}: the pause goes on in the next step");
        club.sign("anna");
        if club.strict {
            club.mail("club");
        }
        club.now = "2026-04-13T18:00:01Z".into();
        club.fine("club", &["host", "late"]);
        club.mail("club");
        club.settle();
        assert_eq!(club.json("anna")["end"], "forfeited-british", "{mode}");
        club.verified();
    });
}

/// Between two a clock is a word: it is shown beside both sides' dates, and nothing follows.
#[test]
fn without_a_host_claims_of_time_are_shown_and_decide_nothing() {
    let now = "2026-01-01T12:00:00Z".to_owned();
    let mut club = Club { dir: tempfile::tempdir().unwrap(), now, strict: false };
    for name in ["anna", "bob"] {
        club.fine(".", &["key", "new", "--file", &format!("{name}.key"), "--no-passphrase"]);
    }
    let new = "new --scenario wasp-frolic --seat american --player Anna --folder anna --key anna.key --days 5";
    let new: Vec<&str> = new.split(' ').collect();
    for flags in
        [&["--late", "forfeit"][..], &["--late", "reminder"], &["--at", "20:00"], &["--grace", "3"], &["--remind", "3"]]
    {
        let all: Vec<&str> = new.iter().chain(flags).copied().collect();
        let said = club.run(".", &all);
        assert!(said.code != 0 && said.text.contains("only a host decides them"), "{flags:?}: {}", said.text);
    }
    club.fine(".", &new);
    let said = club
        .fine(".", &["accept", "anna/out/proposal.packet", "--player", "Bob", "--folder", "bob", "--key", "bob.key"]);
    assert!(said.contains("A step should take 5 days at most. That is a word"), "{said}");
    let packet = club.path("bob").join("out/acceptance.packet").display().to_string();
    club.now = "2026-01-02T12:00:00Z".into();
    club.fine("anna", &["adjudicate", &packet]);
    club.fine("anna", &["orders", "new", "--force"]);
    club.fine("anna", &["orders", "sign", "--unchanged"]);
    club.now = "2026-01-08T15:00:00Z".into();
    let said = club.run("anna", &["status"]).text;
    for word in [
        "only a host decides):",
        "your last file:       2 January 2026, 12:00 UTC, by its sender's clock",
        "your opponent's last: none yet",
        "this step is open since the terms signed by the",
        "with the 5 days of the terms it would be due by 6 January 2026, 12:00 UTC (2 days 3 hours ago)",
        "What you can do:",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert_eq!(club.json("anna")["due"], serde_json::Value::Null);
    // An agreed pause moves the claim, and nothing else.
    club.fine("anna", &["offer", "pause", "--until", "2026-02-01 12:00", "--reason", "Away"]);
    let out = |who: &str| {
        let mut all = fs::read_dir(club.path(who).join("out")).unwrap().map(|e| e.unwrap().path());
        all.find(|p| {
            p.extension().is_some_and(|e| e == "packet")
                && !p.ends_with("proposal.packet")
                && !p.ends_with("acceptance.packet")
        })
        .unwrap()
        .display()
        .to_string()
    };
    club.fine("bob", &["adjudicate", &out("anna")]);
    club.fine("bob", &["agree"]);
    club.fine("anna", &["adjudicate", &out("bob")]);
    let said = club.run("bob", &["status"]).text;
    assert!(
        said.contains("agreed on a pause until 1 February 2026, 12:00 UTC")
            && said.contains("due by 6 February 2026, 12:00 UTC (in "),
        "{said}"
    );
}

#[test]
fn a_clock_without_sense_is_refused_with_what_to_write() {
    let club = Club { dir: tempfile::tempdir().unwrap(), now: "2026-01-01T12:00:00Z".into(), strict: false };
    club.fine(".", &["key", "new", "--file", "anna.key", "--no-passphrase"]);
    let new =
        "new --scenario wasp-frolic --seat american --player Anna --folder anna --key anna.key --mode strict --days 3";
    for (flags, word) in [
        (&["--zone", "Berlin"][..], "did you mean Europe/Berlin?"),
        (&["--zone", "Middle-earth/Shire"], "Europe/Berlin or America/New_York"),
        (&["--at", "8 pm"], "like 20:00"),
        (&["--grace", "721"], "1 to 720"),
        (&["--remind", "73"], "1 to 72 hours"),
        (&["--late", "none", "--remind", "12"], "reminds nobody"),
    ] {
        let all: Vec<&str> = new.split(' ').chain(flags.iter().copied()).collect();
        let said = club.run(".", &all);
        assert!(said.code != 0 && said.text.contains(word), "{flags:?}: {}", said.text);
        assert!(!club.path("anna").exists(), "{flags:?}");
    }
    assert!(club.run(".", &["new", "--zone", "UTC"]).code == 2);
}
