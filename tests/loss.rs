//! Folders lost, restored from a backup, copied back to an earlier state, or made again from what the opponent has: what
//! was sent once is not sent otherwise a second time, and both sides go on to one log that verifies.
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use countersign::doc::{Packet, SignedFile};
use countersign::error::Error;
use countersign::log::read_step;
use countersign::seal::{Namespace, SecretKey, Signature};

struct Said {
    code: i32,
    text: String,
}

/// Anna proposes, Bob accepts; a phrase for backups lies in a file.
struct Table {
    dir: tempfile::TempDir,
}

impl Table {
    fn new() -> Table {
        let t = Table { dir: tempfile::tempdir().unwrap() };
        fs::write(t.path("phrase"), "correct horse\n").unwrap();
        for name in ["anna", "bob"] {
            t.fine(".", &format!("key new --file {name}.key --no-passphrase"));
        }
        t.fine(".", "new --scenario wasp-frolic --seat american --player Anna --folder anna --key anna.key");
        t.fine(".", "accept anna/out/proposal.packet --player Bob --folder bob --key bob.key");
        t.fine("anna", "adjudicate ../bob/out/acceptance.packet");
        t
    }

    fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join(of)
    }

    fn run(&self, folder: &str, args: &str) -> Said {
        let out = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(args.split(' '))
            .current_dir(self.path(folder))
            .env("COUNTERSIGN_PASSPHRASE_FILE", self.path("phrase"))
            .env("COUNTERSIGN_KEY", self.path("no-such-key"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked") && !text.contains("defect"), "{args}: {text}");
        Said { code: out.status.code().unwrap_or(-1), text }
    }

    fn fine(&self, folder: &str, args: &str) -> String {
        let said = self.run(folder, args);
        assert!(matches!(said.code, 0 | 3), "{args}: {} {}", said.code, said.text);
        said.text
    }

    fn refused(&self, folder: &str, args: &str, words: &str) {
        let before = self.files(folder);
        let said = self.run(folder, args);
        assert!(matches!(said.code, 1 | 2) && said.text.contains(words), "{args}: {} {}", said.code, said.text);
        assert_eq!(self.files(folder).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{args}");
    }

    /// Signs orders whose first marker is changed, so that two calls can differ.
    fn order(&self, who: &str, first: &str) -> Said {
        self.fine(who, "orders new --force");
        let file = self.path(who).join("orders.yaml");
        let text = fs::read_to_string(&file).unwrap();
        let row = text.lines().find(|l| l.trim_start().starts_with("markers: [")).unwrap();
        let given = row.trim().trim_start_matches("markers: [").trim_end_matches(']').to_owned();
        let mut own: Vec<&str> = given.split(", ").collect();
        own[0] = first;
        fs::write(&file, text.replacen(&given, &own.join(", "), 1)).unwrap();
        self.run(who, "orders sign --unchanged")
    }

    fn ordered(&self, who: &str, first: &str) {
        let said = self.order(who, first);
        assert_eq!(said.code, 0, "{}", said.text);
    }

    /// The one packet that lies in `out/`, put away under a name of its own.
    fn mail(&self, who: &str) -> String {
        let mut all: Vec<PathBuf> =
            fs::read_dir(self.path(who).join("out")).unwrap().map(|e| e.unwrap().path()).collect();
        all.retain(|p| p.extension().is_some_and(|e| e == "packet"));
        assert_eq!(all.len(), 1, "{all:?}");
        let to = self.path(&format!("{who}-{}", all[0].file_name().unwrap().to_string_lossy()));
        fs::copy(&all[0], &to).unwrap();
        to.display().to_string()
    }

    /// A packet with everything.
    fn everything(&self, who: &str) -> String {
        let said = self.fine(who, "packet --all");
        let to = self.path(&format!("{who}-all.packet"));
        fs::rename(self.path(who).join(said.trim()), &to).unwrap();
        to.display().to_string()
    }

    fn files(&self, who: &str) -> BTreeMap<String, Vec<u8>> {
        let dir = self.path(who).join("orders");
        if !dir.is_dir() {
            return BTreeMap::new();
        }
        let read = |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
        fs::read_dir(dir).unwrap().map(|e| read(e.unwrap().path())).collect()
    }

    /// Own files that lie in a folder, by step and number: never two of one.
    fn never_two(&self, folder: &str, seat: &str) {
        let counts = |n: &String| !self.path(folder).join(format!("evidence/{n}.txt")).exists();
        let own = |n: &String| n.contains(&format!("-{seat}-0")) && counts(n);
        let names: Vec<String> = self.files(folder).into_keys().filter(own).collect();
        let mut places: Vec<&str> = names.iter().map(|n| &n[..n.rfind('-').unwrap()]).collect();
        let all = places.len();
        places.dedup();
        assert_eq!(all, places.len(), "{names:?}");
    }

    /// The turn is played to its end in both folders, whatever is due, with one log that verifies.
    fn one_log(&self, a: &str, b: &str, seats: [&str; 2]) {
        for _ in 0..3 {
            let mail = self.mail(a);
            self.fine(b, &format!("adjudicate {mail}"));
            let mail = self.mail(b);
            self.fine(a, &format!("adjudicate {mail}"));
        }
        let logs = [a, b].map(|who| fs::read(self.path(who).join("game.log")).unwrap());
        assert!(logs[0] == logs[1] && !logs[0].is_empty());
        for (who, seat) in [a, b].into_iter().zip(seats) {
            let said = self.fine(who, "verify");
            assert!(said.starts_with("GOOD"), "{said}");
            self.never_two(who, seat);
        }
        assert!(self.fine(a, "status").contains("step 2"), "the turn is played");
    }

    fn copy(&self, from: &str, to: &str) {
        copy(&self.path(from), &self.path(to));
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { assert!(fs::copy(&path, &target).is_ok()) }
    }
}

#[test]
fn a_game_goes_on_from_a_backup_once_the_opponent_has_named_what_was_sent() {
    let t = Table::new();
    t.ordered("anna", "left");
    let mail = t.mail("anna");
    t.fine(".", "backup safe.age --game anna");
    fs::remove_dir_all(t.path("anna")).unwrap();
    fs::remove_file(t.path("anna.key")).unwrap();
    let said = t.fine(".", "restore safe.age --folder again");
    assert!(said.contains("wasp-frolic, american, step 1") && said.contains("again/keys/anna.key"), "{said}");
    // Nothing is signed before it is known what was sent.
    t.refused("again/anna", "orders sign --unchanged", "there is no file `orders.yaml`");
    assert!(t.order("again/anna", "right").text.contains("signs nothing yet"));
    t.refused("again/anna", "concede --yes", "signs nothing yet");
    assert!(t.fine("again/anna", "status").contains("RESTORED: this folder comes from a backup made "));
    t.fine("bob", &format!("adjudicate {mail}"));
    t.ordered("bob", "right");
    let said = t.fine("again/anna", &format!("adjudicate {}", t.mail("bob")));
    assert!(said.contains("signs again") && said.contains("TURN 2"), "{said}");
    assert!(!t.fine("again/anna", "status").contains("RESTORED"));
    t.one_log("again/anna", "bob", ["american", "british"]);
}

#[test]
fn a_backup_older_than_what_was_sent_takes_its_own_files_back_before_it_signs() {
    let t = Table::new();
    t.fine(".", "backup old.age --game anna");
    t.ordered("anna", "left");
    let mail = t.mail("anna");
    t.fine("bob", &format!("adjudicate {mail}"));
    let (bobs, all) = (t.mail("bob"), t.everything("bob"));
    t.fine(".", "restore old.age --folder again");
    // Bob's usual packet names nothing; all he has brings the file back, and there is one version of it.
    let said = t.fine("again/anna", &format!("adjudicate {bobs}"));
    assert!(said.contains("does not show which files of yours"), "{said}");
    assert!(t.order("again/anna", "right").text.contains("signs nothing yet"));
    let said = t.fine("again/anna", &format!("adjudicate {all}"));
    assert!(said.contains("signs again"), "{said}");
    t.never_two("again/anna", "american");
    // What was sealed in it is nowhere; as long as Bob has not answered, new orders take its place.
    let said = t.fine("again/anna", "status");
    for words in
        ["CANNOT BE OPENED", "t1/american/plot/marker/1   (sealed in step 1)", "new ones, and they count instead"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    t.ordered("again/anna", "right");
    assert!(!t.fine("again/anna", "status").contains("CANNOT BE OPENED"));
    t.fine("bob", &format!("adjudicate {}", t.mail("again/anna").as_str()));
    t.ordered("bob", "right");
    t.one_log("again/anna", "bob", ["american", "british"]);
}

#[test]
fn seals_that_were_lost_open_to_the_same_orders_written_again() {
    let t = Table::new();
    t.fine(".", "backup old.age --game anna");
    t.ordered("anna", "left");
    let orders = fs::read(t.path("anna/orders.yaml")).unwrap();
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    t.ordered("bob", "right");
    t.fine(".", "restore old.age --folder again");
    let said = t.fine("again/anna", &format!("adjudicate {}", t.mail("bob")));
    assert!(said.contains("names a file of yours that is not here") && !said.contains("TURN 2"), "{said}");
    // A file in her name that she did not sign does not count.
    let all = t.everything("bob");
    let mut packet = Packet::parse(&fs::read(&all).unwrap()).unwrap();
    let key = SecretKey::from_seed([66; 32]);
    for file in &mut packet.files {
        let signed = SignedFile::parse(file).unwrap();
        if read_step(&signed).is_ok_and(|f| f.seat.word() == "american") {
            let signature = Signature::sign(&key, Namespace::Orders, signed.document.as_bytes());
            *file = SignedFile { document: signed.document, signature }.bytes();
        }
    }
    fs::write(t.path("forged.packet"), packet.bytes()).unwrap();
    let said = t.fine("again/anna", "adjudicate ../../forged.packet");
    assert!(said.contains("Not counted") && said.contains("signs nothing yet"), "{said}");
    let said = t.fine("again/anna", &format!("adjudicate {all}"));
    assert!(said.contains("signs again") && said.contains("is held back") && !said.contains("TURN 2"), "{said}");
    let no_second = || !t.files("again/anna").keys().any(|n| n.contains("-american-002-"));
    assert!(no_second(), "the link stays here while agreement is the way out");
    let said = t.fine("again/anna", "status");
    assert!(said.contains("What follows by the terms if it stays shut: the step stays open"), "{said}");
    assert!(
        said.contains("write the same ones again") && said.contains("your opponent offers to take the turn back"),
        "{said}"
    );
    // Orders she did not seal open nothing of what differs; those she sealed open all.
    let text = String::from_utf8(orders.clone()).unwrap();
    fs::write(t.path("again/anna/orders.yaml"), text.replace("markers: [left,", "markers: [right,")).unwrap();
    let said = t.fine("again/anna", "orders sign");
    assert!(said.contains("seals; that much is kept") && !said.contains("TURN 2"), "{said}");
    assert!(no_second() && t.fine("again/anna", "status").contains("t1/american/plot/marker/1   (sealed"));
    fs::write(t.path("again/anna/orders.yaml"), &orders).unwrap();
    let said = t.fine("again/anna", "orders sign");
    assert!(said.contains("TURN 2"), "{said}");
    t.one_log("again/anna", "bob", ["american", "british"]);
}

#[test]
fn the_players_word_lifts_the_mark_with_a_warning() {
    let t = Table::new();
    t.fine(".", "backup safe.age --game anna bob");
    let said = t.fine(".", "restore safe.age --folder again");
    assert!(said.contains("again/anna") && said.contains("again/bob") && said.contains("bob.key"), "{said}");
    let said = t.fine("again/anna", "adjudicate --nothing-newer");
    assert!(said.contains("two versions of one file") && said.contains("your opponent can then choose"), "{said}");
    t.fine("again/bob", "adjudicate --nothing-newer");
    t.ordered("again/anna", "left");
    t.fine("again/bob", &format!("adjudicate {}", fs::canonicalize(newest(&t, "again/anna")).unwrap().display()));
    t.ordered("again/bob", "right");
    let back = fs::canonicalize(newest(&t, "again/bob")).unwrap();
    assert!(t.fine("again/anna", &format!("adjudicate {}", back.display())).contains("TURN 2"));
}

fn newest(t: &Table, who: &str) -> PathBuf {
    let all = fs::read_dir(t.path(who).join("out")).unwrap().map(|e| e.unwrap().path());
    all.into_iter().find(|p| p.extension().is_some_and(|e| e == "packet")).unwrap()
}

#[test]
fn a_backup_is_locked_whole_and_never_unpacked_over_anything() {
    let t = Table::new();
    t.ordered("anna", "left");
    t.fine(".", "backup safe.age --game anna");
    t.refused(".", "backup safe.age --game anna", "is there already");
    let bytes = fs::read(t.path("safe.age")).unwrap();
    for word in [&b"american"[..], b"OPENSSH", b"marker", b"countersign"] {
        assert!(!bytes.windows(word.len()).any(|w| w == word));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(t.path("safe.age")).unwrap().permissions().mode() & 0o777, 0o600);
    }
    t.refused(".", "restore safe.age --folder anna", "exists and is not empty");
    fs::write(t.path("phrase"), "battery staple").unwrap();
    t.refused(".", "restore safe.age --folder again", "the passphrase does not fit");
    fs::write(t.path("phrase"), "").unwrap();
    t.refused(".", "backup other.age --game anna", "an empty passphrase locks nothing");
    fs::write(t.path("phrase"), "correct horse").unwrap();
    let at = |from_end: usize| bytes.len() - from_end;
    for (cut, flip) in [(at(1), None), (at(0), Some(at(9))), (at(0), Some(at(0) / 2)), (50, None)] {
        let mut bad = bytes[..cut].to_vec();
        if let Some(byte) = flip.and_then(|i| bad.get_mut(i)) {
            *byte ^= 1;
        }
        fs::write(t.path("bad.age"), bad).unwrap();
        t.refused(".", "restore bad.age --folder again", "this backup");
    }
    fs::write(t.path("bad.age"), "hello").unwrap();
    t.refused(".", "restore bad.age --folder again", "is no backup of this program");
    t.refused(".", "restore nowhere.age --folder again", "nowhere.age");
    assert!(!t.path("again").exists() && !t.path("other.age").exists());
    t.fine(".", "restore safe.age --folder again");
    // The key had no passphrase; it does not come back in clear.
    let key = fs::read_to_string(t.path("again/keys/anna.key")).unwrap();
    assert_eq!(SecretKey::from_openssh(&key, || Err(Error::new("asked"))).unwrap_err().what, "asked");
    let open = SecretKey::from_openssh(&key, || Ok("correct horse".into())).unwrap();
    let old = fs::read_to_string(t.path("anna.key")).unwrap();
    assert_eq!(open.public(), SecretKey::from_openssh(&old, || Err(Error::new("asked"))).unwrap().public());
    assert_eq!(t.files("again/anna"), t.files("anna"));
    assert_eq!(fs::read(t.path("again/anna/game.log")).unwrap(), fs::read(t.path("anna/game.log")).unwrap());
    // No temporary folder is left.
    assert!(fs::read_dir(t.path(".")).unwrap().all(|e| !e.unwrap().file_name().to_string_lossy().starts_with('.')));
}

#[test]
fn a_link_released_for_one_answer_is_released_for_no_other_from_a_folder_copied_back() {
    let t = Table::new();
    t.ordered("anna", "left");
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    t.copy("anna", "anna-before");
    t.copy("bob", "bob-before");
    t.ordered("bob", "right");
    let honest = t.mail("bob");
    assert!(t.fine("anna", &format!("adjudicate {honest}")).contains("TURN 2"));
    let sent = t.files("anna");
    let record: Vec<PathBuf> = fs::read_dir(t.path("anna/secret")).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(record.iter().any(|p| p.ends_with("released-00001.json")), "{record:?}");

    // The same answer once more: the very file that went out comes back, and no second version of it.
    t.copy("anna-before", "anna-again");
    let said = t.fine("anna-again", &format!("adjudicate {honest}"));
    assert!(said.contains("put back") && said.contains("TURN 2"), "{said}");
    assert_eq!(t.files("anna-again"), sent);

    // Bob has seen the dice and answers otherwise, with a file of the same number, from a folder without its records.
    fs::remove_dir_all(t.path("bob.key.released")).unwrap();
    t.ordered("bob-before", "left");
    let other = t.mail("bob-before");
    t.copy("anna-before", "anna-cheated");
    let said = t.run("anna-cheated", &format!("adjudicate {other}"));
    assert!(
        said.code == 1 && said.text.contains("went out already, for another version of the british player's"),
        "{}",
        said.text
    );
    let own = |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
        files.keys().filter(|n| n.contains("-american-0")).cloned().collect()
    };
    assert_eq!(own(&t.files("anna-cheated")), own(&sent), "nothing that had not gone out before");
    // The honest file settles it, whatever else came.
    assert!(t.fine("anna-cheated", &format!("adjudicate {honest}")).contains("TURN 2"));
    assert_eq!(fs::read(t.path("anna-cheated/game.log")).unwrap(), fs::read(t.path("anna/game.log")).unwrap());
    t.one_log("anna-cheated", "bob", ["american", "british"]);
}

#[test]
fn the_second_players_link_goes_out_with_one_answer_of_his_own() {
    let t = Table::new();
    t.ordered("anna", "left");
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    t.copy("bob", "bob-before");
    t.ordered("bob", "right");
    let sent = t.files("bob");
    let said = t.order("bob-before", "left");
    assert!(said.code == 1 && said.text.contains("nothing new was signed"), "{}", said.text);
    assert_eq!(t.files("bob-before"), sent);
    // Without the files that went out, the record in the folder alone still refuses.
    t.copy("bob", "bob-half");
    for name in sent.keys().filter(|n| n.contains("-british-001-")) {
        fs::remove_file(t.path("bob-half/orders").join(name)).unwrap();
    }
    fs::remove_dir_all(t.path("bob.key.released")).unwrap();
    let record = t.path("bob-half/secret/released-00001.json");
    let text = fs::read_to_string(&record).unwrap();
    let start = text.find("\"files\"").unwrap();
    fs::write(&record, format!("{}\"files\": []}}", &text[..start])).unwrap();
    let said = t.order("bob-half", "left");
    assert!(said.code == 1 && said.text.contains("with other orders of yours"), "{}", said.text);
    assert!(!t.files("bob-half").keys().any(|n| n.contains("-british-001-")));
    t.fine("anna", &format!("adjudicate {}", t.mail("bob")));
    t.one_log("anna", "bob-before", ["american", "british"]);
}

#[test]
fn a_folder_without_backup_is_made_again_from_the_opponents_packet() {
    let t = Table::new();
    t.ordered("anna", "left");
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    t.ordered("bob", "right");
    t.fine("anna", &format!("adjudicate {}", t.mail("bob")));
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    let log = fs::read(t.path("anna/game.log")).unwrap();
    fs::rename(t.path("anna"), t.path("lost")).unwrap();
    let all = t.everything("bob");
    // With the key.
    t.refused(".", &format!("recover {all} --folder wrong --key nowhere.key"), "nowhere.key");
    let said = t.fine(".", &format!("recover {all} --folder anna --key anna.key"));
    assert!(said.contains("you are the american player") && !said.contains("RESTORED"), "{said}");
    for name in ["game.log", "turn.yaml", "report.txt", "terms.yaml"] {
        let [old, new] = ["lost", "anna"].map(|who| fs::read(t.path(who).join(name)).unwrap());
        assert!(old == new, "{name}");
    }
    assert!(t.fine("anna", "verify").starts_with("GOOD"));
    t.refused(".", &format!("recover {all} --folder anna --key anna.key"), "exists and is not empty");
    // Links come from the key: the next turn is played from the folder made again.
    t.ordered("anna", "straight");
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    t.ordered("bob", "straight");
    assert!(t.fine("anna", &format!("adjudicate {}", t.mail("bob"))).contains("TURN 3"));
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    assert_eq!(fs::read(t.path("anna/game.log")).unwrap(), fs::read(t.path("bob/game.log")).unwrap());
    // Without it the folder watches.
    let said = t.fine(".", &format!("recover {all} --folder watch"));
    assert!(said.contains("this folder watches"), "{said}");
    assert_eq!(fs::read(t.path("watch/game.log")).unwrap(), log);
    assert!(t.fine("watch", "verify").starts_with("GOOD"));
    let said = t.fine("watch", "status");
    assert!(said.contains("you watch") && said.contains("If you find your key"), "{said}");
    assert!(t.fine("watch", "status --format json").contains("\"seat\":null"));
    t.refused("watch", "orders new", "belongs to no player");
    assert!(t.fine("watch", &format!("adjudicate {}", t.everything("bob"))).contains("step 3"));
    assert_eq!(fs::read(t.path("watch/game.log")).unwrap(), fs::read(t.path("bob/game.log")).unwrap());
    // A packet that is not everything makes no game, or a game that signs nothing yet.
    t.refused(".", &format!("recover {} --folder part --key anna.key", t.mail("bob")), "no terms in this packet");
}

#[test]
fn a_folder_lost_with_sealed_orders_says_exactly_what_cannot_be_opened() {
    let t = Table::new();
    t.ordered("anna", "left");
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    t.ordered("bob", "right");
    let sealed: Vec<String> = {
        let files = t.files("anna");
        let (_, bytes) = files.iter().find(|(name, _)| name.contains("-american-001-")).unwrap();
        read_step(&SignedFile::parse(bytes).unwrap()).unwrap().seals.into_keys().collect()
    };
    assert!(!sealed.is_empty());
    fs::remove_dir_all(t.path("anna")).unwrap();
    let said = t.fine(".", &format!("recover {} --folder anna --key anna.key", t.everything("bob")));
    for slot in &sealed {
        assert!(said.contains(&format!("  {slot}   (sealed in step 1)")), "{slot}: {said}");
    }
    assert_eq!(said.matches("(sealed in step").count(), sealed.len());
    assert!(
        said.contains("the step stays open and the log shows who owes it") && said.contains("take the turn back"),
        "{said}"
    );
    assert!(t.fine("anna", "verify").starts_with("GOOD"));
    // The way out that is named there: Bob, whose link is out, offers; Anna, whose link is not, accepts.
    assert!(said.contains("countersign offer --help"), "{said}");
    assert!(t.fine("anna", "adjudicate").contains("is held back"));
    t.fine("bob", "offer take-back --step 1");
    t.fine("anna", &format!("adjudicate {}", t.mail("bob")));
    t.fine("anna", "agree");
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    assert!(!t.fine("anna", "status").contains("CANNOT BE OPENED"));
    t.ordered("anna", "right");
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    t.ordered("bob", "left");
    assert!(t.fine("anna", &format!("adjudicate {}", t.mail("bob"))).contains("TURN 2"));
    t.fine("bob", &format!("adjudicate {}", t.mail("anna")));
    let logs = ["anna", "bob"].map(|who| fs::read(t.path(who).join("game.log")).unwrap());
    assert!(logs[0] == logs[1] && t.fine("bob", "verify").starts_with("GOOD"));
}

/// The example in a command's help, run as it stands there.
#[test]
fn the_examples_in_the_help_work() {
    let t = Table::new();
    fs::rename(t.path("anna"), t.path("wasp")).unwrap();
    t.ordered("wasp", "left");
    t.fine("bob", &format!("adjudicate {}", t.mail("wasp")));
    fs::rename(t.everything("bob"), t.path("everything.packet")).unwrap();
    for command in ["backup", "restore", "recover"] {
        let help = t.fine(".", &format!("{command} --help"));
        let text = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let example = text.split("Example: countersign ").nth(1).unwrap().split(" Usage:").next().unwrap();
        assert!(example.starts_with(command), "{example}");
        t.fine(".", example);
    }
    assert!(t.path("wasp.backup").exists() && t.path("restored/wasp").is_dir() && t.path("wasp-again").is_dir());
}

#[test]
fn a_restored_host_closes_nothing_before_he_knows_what_he_closed() {
    let t = Table::new();
    t.fine(".", "key new --file hal.key --no-passphrase");
    t.fine(".", "new --scenario wasp-frolic --seat american --player A --folder a --key anna.key --mode hosted");
    t.fine(".", "accept a/out/proposal.packet --player B --folder b --key bob.key --seat british");
    t.fine(".", "accept b/out/acceptance.packet --player Hal --folder h --key hal.key --seat host");
    for packet in ["../b/out/acceptance.packet", "../h/out/acceptance.packet"] {
        t.run("a", &format!("adjudicate {packet}"));
        t.run("b", &format!("adjudicate {packet}"));
    }
    t.run("h", "adjudicate ../b/out/acceptance.packet");
    t.ordered("a", "left");
    t.ordered("b", "right");
    let (first, second) = (t.mail("a"), t.mail("b"));
    t.fine("h", &format!("adjudicate {first}"));
    t.fine(".", "backup host.age --game h");
    assert!(t.fine("h", &format!("adjudicate {second}")).contains("TURN 2"));
    let result = t.mail("h");
    for who in ["a", "b"] {
        assert!(t.fine(who, &format!("adjudicate {result}")).contains("TURN 2"));
    }
    t.fine(".", "restore host.age --folder again");
    fs::remove_dir_all(t.path("hal.key.released")).unwrap();
    // With both orders in hand he could close the step otherwise; he waits for what he has closed.
    let said = t.fine("again/h", &format!("adjudicate {second}"));
    assert!(!said.contains("TURN 2") && !t.files("again/h").keys().any(|n| n.contains("-host-001-")), "{said}");
    let said = t.fine("again/h", &format!("adjudicate {}", t.everything("a")));
    assert!(said.contains("signs again") && said.contains("TURN 2"), "{said}");
    assert_eq!(fs::read(t.path("again/h/game.log")).unwrap(), fs::read(t.path("b/game.log")).unwrap());
    assert!(t.fine("again/h", "verify").starts_with("GOOD"));
}
