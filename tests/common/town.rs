//! People at their computers, each with a mailbox, and a postman who carries what lies in their outgoing folders.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Town {
    pub dir: tempfile::TempDir,
    /// What the clocks of all show.
    pub now: String,
    carried: usize,
}

impl std::fmt::Debug for Sent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}: {}", self.from, self.to, self.subject())
    }
}

/// A mail on its way.
#[derive(Clone)]
pub struct Sent {
    pub from: String,
    pub to: String,
    pub bytes: Vec<u8>,
}

impl Sent {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).replace("\r\n", "\n")
    }

    /// The text a person sees: quoted-printable undone.
    pub fn body(&self) -> String {
        self.text().replace("=\n", "").replace("=E2=80=93", "-").replace("=3D", "=")
    }

    /// What is attached under a name that contains this.
    pub fn attached(&self, name: &str) -> Option<Vec<u8>> {
        use base64::Engine as _;
        let text = self.text();
        let at = text.match_indices("Content-Disposition: attachment").find(|(at, _)| {
            text[*at..].split("\n\n").next().unwrap().split("\nContent").next().unwrap().contains(name)
        })?;
        let body = &text[at.0..];
        let start = body.find("\n\n").unwrap() + 2;
        let end = body[start..].find("\n--").unwrap() + start;
        Some(base64::engine::general_purpose::STANDARD.decode(body[start..end].replace('\n', "")).unwrap())
    }

    pub fn subject(&self) -> String {
        let text = self.text();
        let at = text.find("\nSubject: ").unwrap() + 10;
        text[at..].split("\nFrom").next().unwrap().split("\nTo").next().unwrap().replace("\n ", " ")
    }
}

impl Town {
    pub fn open(people: &[&str]) -> Town {
        Town::sending(people, "{folder: post}")
    }

    /// The same with another way for their mails to leave.
    pub fn sending(people: &[&str], way: &str) -> Town {
        let town = Town { dir: tempfile::tempdir().unwrap(), now: "2026-03-01T12:00:00Z".to_owned(), carried: 0 };
        for who in people {
            for sub in ["box/cur", "box/new", "box/tmp", "post"] {
                fs::create_dir_all(town.path(&format!("{who}/{sub}"))).unwrap();
            }
            let account = format!("address: {who}@club.example\nname: {who}\nsend: {way}\n");
            fs::write(town.path(&format!("{who}/account.yaml")), account).unwrap();
            town.fine(who, "", "key new --no-passphrase");
        }
        town
    }

    pub fn path(&self, of: &str) -> PathBuf {
        self.dir.path().join(of)
    }

    pub fn command(&self, who: &str, folder: &str, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command
            .args(line.split(' '))
            .current_dir(self.path(who).join(folder))
            .env("COUNTERSIGN_KEY", self.path(who).join("key"))
            .env("COUNTERSIGN_MAIL", self.path(who).join("account.yaml"))
            .env("COUNTERSIGN_NOW", &self.now)
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, who: &str, folder: &str, line: &str) -> (i32, String) {
        let out = self.command(who, folder, line).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(!text.contains("panicked"), "{text}");
        (out.status.code().unwrap_or(-1), text)
    }

    pub fn fine(&self, who: &str, folder: &str, line: &str) -> String {
        let (code, text) = self.run(who, folder, line);
        assert!(matches!(code, 0 | 3), "{who}: {line}: {code}\n{text}");
        text
    }

    pub fn serve(&self) -> String {
        self.fine("hal", "", "mail serve --mail box --once")
    }

    /// What lies in the outgoing folders now, oldest first, taken away.
    pub fn collect(&mut self) -> Vec<Sent> {
        let mut all = Vec::new();
        for who in fs::read_dir(self.dir.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()) {
            let Ok(files) = fs::read_dir(self.path(&who).join("post")) else { continue };
            for path in files.map(|e| e.unwrap().path()) {
                let bytes = fs::read(&path).unwrap();
                fs::remove_file(&path).unwrap();
                let to = header(&bytes, "To: ");
                all.push((path, Sent { from: who.clone(), to, bytes }));
            }
        }
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        all.into_iter().map(|(_, sent)| sent).collect()
    }

    /// Puts a mail into the mailbox of its receiver.
    pub fn deliver(&mut self, sent: &Sent) {
        let who = sent.to.split('@').next().unwrap();
        let new = self.path(&format!("{who}/box/new"));
        if new.is_dir() {
            self.carried += 1;
            fs::write(new.join(format!("{:06}.m", self.carried)), &sent.bytes).unwrap();
        }
    }

    /// Carries everything at once, and tells what it was.
    pub fn carry(&mut self) -> Vec<Sent> {
        let all = self.collect();
        all.iter().for_each(|sent| self.deliver(sent));
        all
    }

    /// Puts a mail of any text into a mailbox.
    pub fn drop_into(&mut self, who: &str, mail: &[u8]) {
        let to = format!("{who}@club.example");
        self.deliver(&Sent { from: String::new(), to, bytes: mail.to_vec() });
    }

    pub fn addresses(&self, who: &str, game: &str, people: &[(&str, &str)]) {
        let all: String = people.iter().map(|(name, seat)| format!("  {seat}: {name}@club.example\n")).collect();
        fs::write(self.path(who).join(game).join("mail.yaml"), format!("to:\n{all}")).unwrap();
    }

    /// A game of Anna (American) and Bob (British) that Hal hosts.
    pub fn found(&mut self, game: &str, options: &str) {
        let seats = [("anna", "american"), ("bob", "british"), ("hal", "host")];
        let new = "new --scenario wasp-frolic --seat american --player Anna";
        self.fine("anna", "", &format!("{new} --folder {game} {options}"));
        let proposal = self.path("anna").join(game).join("out/proposal.packet").display().to_string();
        let mut answers = Vec::new();
        for (who, seat) in &seats[1..] {
            self.fine(who, "", &format!("accept {proposal} --player {who} --folder {game} --seat {seat}"));
            let answer = self.path(&format!("{game}-{who}.packet"));
            fs::copy(self.path(who).join(game).join("out/acceptance.packet"), &answer).unwrap();
            answers.push(answer.display().to_string());
        }
        for (who, _) in &seats {
            for answer in &answers {
                self.fine(who, game, &format!("adjudicate {answer}"));
            }
            self.addresses(who, game, &seats);
        }
    }

    pub fn sign(&self, who: &str, game: &str) {
        self.fine(who, game, "orders new --force");
        self.fine(who, game, "orders sign --unchanged");
    }

    pub fn status(&self, who: &str, game: &str) -> serde_json::Value {
        let (_, text) = self.run(who, game, "status --format json");
        let start = text.find('{').unwrap();
        serde_json::Deserializer::from_str(&text[start..]).into_iter().next().unwrap().unwrap()
    }

    pub fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap()
    }

    pub fn same_logs(&self, game: &str) {
        let logs = ["anna", "bob", "hal"].map(|who| self.read(&format!("{who}/{game}/game.log")));
        assert!(logs.iter().all(|log| *log == logs[0]), "the logs of {game} differ");
        assert!(self.fine("anna", game, "verify").starts_with("GOOD"));
    }
}

/// A field of a mail's head, the address alone.
fn header(bytes: &[u8], name: &str) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().find(|l| l.starts_with(name)).unwrap_or("");
    line.rsplit(['<', ' ']).next().unwrap_or("").trim_end_matches('>').to_owned()
}

/// The new files of a folder since they were listed before.
pub fn names(dir: &Path) -> Vec<String> {
    let Ok(all) = fs::read_dir(dir) else { return Vec::new() };
    let mut names: Vec<String> = all.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|e| e.unwrap()) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
