//! Whole games over a real mail server, with nothing but `mail in`, `orders` and `mail out`.
#![cfg(feature = "cli")]

mod common;
mod smtp;

use std::collections::BTreeMap;
use std::fs;
use std::ops::Deref;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use common::Numbers;
use smtp::PostOffice;

/// The players at their computers, each with a mailbox, and the server between them.
struct Town {
    town: common::town::Town,
    office: PostOffice,
    /// How many mails of the server have been carried to the mailboxes.
    carried: usize,
}

impl Deref for Town {
    type Target = common::town::Town;

    fn deref(&self) -> &common::town::Town {
        &self.town
    }
}

const PEOPLE: [(&str, &str); 3] = [("anna", "american"), ("bob", "british"), ("hal", "host")];

impl Town {
    fn open() -> Option<Town> {
        let office = PostOffice::open(&[])?;
        let way = format!("{{smtp: {{host: localhost, port: {}}}}}", office.port);
        let town = common::town::Town::sending(&PEOPLE.map(|(who, _)| who), &way);
        Some(Town { town, office, carried: 0 })
    }

    /// Who has his mail where, as each writes it once for a game.
    fn correspondents(&self, who: &str, game: &str) {
        self.addresses(who, game, &PEOPLE);
    }

    /// The postman: what has come to the server goes into the mailboxes. Returns how much.
    fn carry(&mut self) -> usize {
        let came = self.office.came();
        let fresh = came.len() - self.carried;
        for (n, (to, mail)) in came.iter().enumerate().skip(self.carried) {
            for who in to.split(',').map(|address| address.split('@').next().unwrap()) {
                fs::write(self.path(&format!("{who}/box/new/{n:06}.m")), mail).unwrap();
            }
        }
        self.carried = came.len();
        fresh
    }

    /// A game of Anna and Bob that Hal hosts, each with the others' addresses.
    fn found(&mut self, game: &str, mode: &str) {
        let new = "new --scenario wasp-frolic --seat american --player Anna";
        self.fine("anna", "", &format!("{new} --folder {game} --mode {mode}"));
        self.correspondents("anna", game);
        self.fine("anna", game, "mail out");
        assert_eq!(self.carry(), 2);
        for (who, seat) in [("bob", "british"), ("hal", "host")] {
            let mut mails: Vec<PathBuf> =
                fs::read_dir(self.path(&format!("{who}/box/new"))).unwrap().map(|e| e.unwrap().path()).collect();
            mails.sort();
            let newest = mails.last().unwrap().display().to_string();
            self.fine(who, "", &format!("accept {newest} --player {who} --folder {game} --seat {seat}"));
            self.correspondents(who, game);
            if who == "bob" {
                self.fine(who, game, "mail out");
            }
        }
        self.carry();
    }

    /// Both players read their mail, move where they are to, and send. Returns how many of their games are over.
    fn players_move(&self, games: &[&str]) -> usize {
        let mut over = 0;
        for game in games {
            for who in ["anna", "bob"] {
                self.fine(who, game, "mail in ../box");
                let now = self.status(who, game);
                over += usize::from(now["complete"] == true);
                if now["your_move"] == true {
                    self.fine(who, game, "orders new --force");
                    self.fine(who, game, "orders sign --unchanged");
                }
                self.fine(who, game, "mail out");
            }
        }
        over
    }

    /// Everybody reads his mail, moves if he is to, and sends, until the game is over.
    fn play(&mut self, people: &[&str]) {
        for _ in 0..400 {
            self.carry();
            let mut over = 0;
            for who in people {
                self.fine(who, "game", "mail in ../box");
                let now = self.status(who, "game");
                over += usize::from(now["complete"] == true);
                if now["your_move"] == true {
                    self.fine(who, "game", "orders new --force");
                    self.fine(who, "game", "orders sign --unchanged");
                }
                self.fine(who, "game", "mail out");
            }
            if over == people.len() && self.carry() == 0 {
                return;
            }
        }
        panic!("no end: {}", self.run("anna", "game", "status").1);
    }

    fn alike(&self, people: &[&str]) {
        let places: Vec<(&str, &str)> = people.iter().map(|who| (*who, "game")).collect();
        self.same_log(&places);
    }

    fn same_log(&self, places: &[(&str, &str)]) {
        let log = |(who, game): &(&str, &str)| fs::read(self.path(who).join(game).join("game.log")).unwrap();
        let logs: Vec<Vec<u8>> = places.iter().map(log).collect();
        assert!(logs.iter().all(|log| *log == logs[0]), "the logs differ: {places:?}");
        let text = self.fine(places[0].0, places[0].1, "verify");
        assert!(text.starts_with("GOOD"), "{text}");
    }
}

#[test]
fn two_players_alone_over_a_real_server() {
    let Some(mut town) = Town::open() else { return };
    town.fine("anna", "", "new --scenario wasp-frolic --seat american --player Anna --folder game");
    town.correspondents("anna", "game");
    // Two players write to two addresses: the host's is not needed.
    fs::write(town.path("anna/game/mail.yaml"), "to:\n  british: bob@club.example\n").unwrap();
    let said = town.fine("anna", "game", "mail out");
    assert!(said.contains("Sent to bob@club.example") && said.contains("a game is offered"), "{said}");
    assert_eq!(town.carry(), 1);
    town.fine("bob", "", "accept box/new/000000.m --player Bob --folder game");
    fs::write(town.path("bob/game/mail.yaml"), "to:\n  american: anna@club.example\n").unwrap();
    let said = town.fine("bob", "game", "mail out");
    assert!(said.contains("the game is accepted"), "{said}");
    town.play(&["anna", "bob"]);
    town.alike(&["anna", "bob"]);
    // The mails are one thread, and each says what to do first.
    let mails = town.office.came();
    assert!(mails.len() > 4);
    for (_, mail) in &mails[2..] {
        let text = String::from_utf8_lossy(mail);
        assert!(text.contains("\r\nIn-Reply-To: <") && text.contains("\r\nX-Countersign: 1\r\n"), "{text}");
    }
    // Nothing is sent twice unless it is asked for.
    let said = town.fine("anna", "game", "mail out");
    assert!(said.contains("Nothing new to send"), "{said}");
    town.fine("anna", "game", "mail out --again");
    assert_eq!(town.carry(), 1);
    let said = town.fine("bob", "game", "mail in ../box");
    assert!(said.contains("0 files new"), "{said}");
}

#[test]
fn with_a_host_over_a_real_server() {
    for mode in ["hosted", "strict"] {
        let Some(mut town) = Town::open() else { return };
        let new = "new --scenario wasp-frolic --seat american --player Anna --folder game --mode";
        town.fine("anna", "", &format!("{new} {mode}"));
        town.correspondents("anna", "game");
        town.fine("anna", "game", "mail out");
        assert_eq!(town.carry(), 2);
        for (who, seat, mail) in [("bob", "british", 0), ("hal", "host", 1)] {
            let mail = if town.path(&format!("{who}/box/new/{mail:06}.m")).exists() { mail } else { 1 - mail };
            let accept = format!("accept box/new/{mail:06}.m --player {who} --folder game --seat {seat}");
            town.fine(who, "", &accept);
            town.correspondents(who, "game");
            town.fine(who, "game", "mail out");
        }
        town.play(&["anna", "bob", "hal"]);
        town.alike(&["anna", "bob", "hal"]);
        // A player writes to the host alone.
        let to_host = |(to, mail): &(String, Vec<u8>)| {
            let text = String::from_utf8_lossy(mail);
            !text.contains("\r\nFrom: anna") || to == "hal@club.example" || text.contains("a game is offered")
        };
        assert!(town.office.came().iter().all(to_host), "{mode}");
    }
}

/// The host's program is killed at any moment, between two mails or in the middle of one: every mail is handled, no game is
/// lost or forked, and nobody gets a mail with other content under the same id.
#[test]
fn a_host_killed_at_any_moment_goes_on_where_he_was() {
    let Some(mut town) = Town::open() else { return };
    for (game, mode) in [("first", "hosted"), ("second", "strict")] {
        town.found(game, mode);
    }
    let mut numbers = Numbers(11);
    let mut kills = 0;
    for round in 0..300 {
        town.carry();
        for _ in 0..3 {
            let mut child = town
                .command("hal", "", "mail serve --mail box --every 1")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(u64::from(numbers.below(250))));
            kills += 1;
            child.kill().unwrap();
            child.wait().unwrap();
        }
        town.fine("hal", "", "mail serve --mail box --once");
        town.carry();
        if town.players_move(&["first", "second"]) == 4 {
            break;
        }
        assert!(round < 299, "no end");
    }
    assert!(kills >= 12, "{kills}");
    for game in ["first", "second"] {
        town.same_log(&[("anna", game), ("bob", game), ("hal", game)]);
    }
    let mut by_id: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (to, mail) in town.office.came() {
        let text = String::from_utf8_lossy(&mail).into_owned();
        let id = text.split("\r\nMessage-ID: ").nth(1).unwrap().split("\r\n").next().unwrap().to_owned();
        let first = by_id.entry(format!("{to} {id}")).or_insert_with(|| mail.clone());
        assert!(*first == mail, "another mail under the id {id}");
    }
}

/// A club: one mailbox, one program, games of both kinds at a time; it is stopped and started again between any two mails.
#[test]
fn a_club_hosts_many_games_with_mail_serve() {
    let Some(mut town) = Town::open() else { return };
    let games = ["first", "second", "third"];
    for (n, game) in games.into_iter().enumerate() {
        town.found(game, ["hosted", "strict", "hosted"][n]);
    }
    // The host never types anything but this.
    for round in 0..200 {
        town.carry();
        let said = town.fine("hal", "", "mail serve --mail box --once");
        assert!(said.contains("3 games"), "{said}");
        town.carry();
        let over = town.players_move(&games);
        if over == 6 {
            for game in games {
                town.same_log(&[("anna", game), ("bob", game), ("hal", game)]);
            }
            // Mails of strangers, of other games and repeats change nothing and are answered by nobody.
            let before = town.office.came().len();
            fs::write(town.path("hal/box/new/stranger"), "From: x@example.com\nSubject: hello\n\nPlay with me?\n")
                .unwrap();
            let old = fs::read_dir(town.path("hal/box/cur")).unwrap().next().unwrap().unwrap().path();
            fs::copy(old, town.path("hal/box/new/again")).unwrap();
            town.fine("hal", "", "mail serve --mail box --once");
            assert_eq!(town.office.came().len(), before);
            assert_eq!(fs::read_dir(town.path("hal/box/new")).unwrap().count(), 0);
            return;
        }
        assert!(round < 199, "no end");
    }
}
