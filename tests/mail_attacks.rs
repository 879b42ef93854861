//! What strangers, opponents and mishaps try on a host's program, each with what has to come of it.
#![cfg(feature = "cli")]

mod common;

use std::fs;

use common::town::{Sent, Town, copy, names};

const ALL: [&str; 3] = ["anna", "bob", "hal"];

fn club(options: &str) -> Town {
    let mut town = Town::open(&ALL);
    town.found("game", options);
    town.serve();
    town.carry();
    for who in ["anna", "bob"] {
        town.fine(who, "game", "mail in ../box");
    }
    town
}

/// Nobody's mail names a mail of another's: who has written, and from where, is not for the opponent or for spectators.
#[test]
fn a_thread_holds_the_mails_of_one_correspondent() {
    let mut town = club("--mode hosted --days 3 --late default-orders");
    let watched = fs::read_to_string(town.path("hal/game/mail.yaml")).unwrap() + "spectators: [carl@club.example]\n";
    fs::write(town.path("hal/game/mail.yaml"), watched).unwrap();
    let mut ids: Vec<(String, String)> = Vec::new();
    let id = |text: &str| text.split("\nMessage-ID: ").nth(1).unwrap().lines().next().unwrap().to_owned();
    for (step, now) in ["2026-03-03T13:00:00Z", "2026-03-06T12:30:00Z", "2026-03-08T14:00:00Z"].into_iter().enumerate()
    {
        for who in ["anna", "bob"] {
            town.sign(who, "game");
            town.fine(who, "game", "mail out");
            for mail in town.collect() {
                ids.push((who.to_owned(), id(&mail.text())));
                town.deliver(&mail);
            }
            if step == 0 && who == "anna" {
                town.serve();
                town.now = now.to_owned();
            }
            town.serve();
            for mail in town.carry() {
                let to = mail.to.split('@').next().unwrap().to_owned();
                let text = mail.text();
                let head = text.split("\n\n").next().unwrap();
                for (whose, other) in &ids {
                    assert!(*whose == to || !head.contains(other), "{to} reads of {whose}'s mail:\n{head}");
                }
                ids.push((to, id(&text)));
            }
        }
        for who in ["anna", "bob"] {
            town.fine(who, "game", "mail in ../box");
        }
    }
    assert!(ids.iter().any(|(who, _)| who == "carl"));
}

/// Orders that have come are not late, however much junk lies before them, and whatever the hour.
#[test]
fn nobody_is_late_whose_orders_lie_in_the_mailbox() {
    let mut town = club("--mode hosted --days 3 --late default-orders");
    for who in ["anna", "bob"] {
        town.sign(who, "game");
        town.fine(who, "game", "mail out");
    }
    let orders = town.collect();
    for n in 0..250 {
        town.drop_into("hal", format!("From: x{n}@example.com\nSubject: {n}\n\njunk\n").as_bytes());
    }
    orders.iter().for_each(|m| town.deliver(m));
    town.now = "2026-03-09T00:00:00Z".to_owned();
    town.serve();
    assert_eq!(town.status("hal", "game")["step"], 2);
    let log = String::from_utf8(town.read("hal/game/game.log")).unwrap();
    assert!(!log.contains(r#""how":"late""#));
    assert!(town.carry().iter().all(|m| !m.subject().contains("not taken")));
    for who in ["anna", "bob"] {
        town.fine(who, "game", "mail in ../box");
    }
    town.same_logs("game");
}

/// A copy of a game's folder beside it says so and does nothing.
#[test]
fn a_copy_of_a_game_never_signs() {
    let mut town = club("--mode hosted --days 3 --late default-orders");
    copy(&town.path("hal/game"), &town.path("hal/a-copy"));
    let (code, said) = town.run("hal", "", "mail serve --mail box --once");
    assert!(code == 0 && said.contains("a-copy: this is the same game as in the folder `game`"), "{said}");
    town.sign("anna", "game");
    town.fine("anna", "game", "mail out");
    town.carry();
    town.serve();
    town.now = "2026-03-09T00:00:00Z".to_owned();
    let before = names(&town.path("hal/a-copy/orders"));
    town.serve();
    assert_eq!(names(&town.path("hal/a-copy/orders")), before);
    // Bob alone was late: her receipted orders count.
    let log = town.read("hal/game/game.log");
    let text = String::from_utf8(log).unwrap();
    let late: Vec<&str> = text.lines().filter(|l| l.contains(r#""kind":"file""#)).collect();
    assert_eq!(late.len(), 4 + 2, "terms, Anna's orders and the host's files");
    assert_eq!(town.status("hal", "game")["step"], 2);
    // Nor when the index is made again and the copy comes first.
    let said = town.fine("hal", "", "host list --rebuild");
    assert!(said.contains("game: Wasp v Frolic (hosted)"), "{said}");
    town.now = "2026-03-20T00:00:00Z".to_owned();
    town.serve();
    assert_eq!(names(&town.path("hal/a-copy/orders")), before);
    assert_eq!(town.status("hal", "game")["step"], 3);
}

/// One key answers a proposal once: the same again is the same game, another with its number is none.
#[test]
fn the_same_chain_never_serves_two_games() {
    let mut town = Town::open(&ALL);
    town.fine("anna", "", "new --scenario wasp-frolic --seat american --player Anna --folder game");
    let proposal = town.path("anna/game/out/proposal.packet").display().to_string();
    town.fine("bob", "", &format!("accept {proposal} --player Bob --folder one"));
    town.now = "2026-03-02T12:00:00Z".to_owned();
    let said = town.fine("bob", "", &format!("accept {proposal} --player Bob --folder two"));
    assert!(said.contains("it is the same game"), "{said}");
    assert_eq!(town.read("bob/one/out/acceptance.packet"), town.read("bob/two/out/acceptance.packet"));
    // The proposer changes his proposal and keeps the number.
    use countersign::doc::{Packet, Proposal, SignedFile};
    use countersign::log::{Player, read_proposal};
    use countersign::seal::{Namespace, SecretKey};
    use countersign::side::Seat;
    let packet = Packet::find(&town.read("anna/game/out/proposal.packet")).unwrap().remove(0);
    let first = read_proposal(&SignedFile::parse(&packet.files[0]).unwrap()).unwrap();
    let key = SecretKey::from_openssh(&String::from_utf8(town.read("anna/key")).unwrap(), || unreachable!()).unwrap();
    let player = Player::new(Seat::American, key, &first.table);
    let other = player.sign(Namespace::Terms, &Proposal { say: Some("again?".into()), ..first }).unwrap();
    fs::write(town.path("other.packet"), Packet { files: vec![other.bytes()] }.bytes()).unwrap();
    let other = town.path("other.packet").display().to_string();
    let (code, said) = town.run("bob", "", &format!("accept {other} --player Bob --folder three"));
    assert!(code == 1 && said.contains("whoever has seen them could tell the dice"), "{said}");
    assert!(!town.path("bob/three").exists());
}

/// An address that is missing silences its own letters and no others, and nobody is late who gets none.
#[test]
fn a_missing_address_does_not_make_anybody_late() {
    let mut town = club("--mode hosted --days 3 --late default-orders");
    town.addresses("hal", "game", &[("anna", "american")]);
    town.now = "2026-03-03T13:00:00Z".to_owned();
    town.serve();
    let mails = town.carry();
    assert!(mails.iter().any(|m| m.to.starts_with("anna") && m.subject().contains("reminder")), "{mails:?}");
    town.now = "2026-03-09T00:00:00Z".to_owned();
    let said = town.serve();
    assert!(said.contains("Nobody is declared late until it does"), "{said}");
    assert_eq!(town.status("hal", "game")["step"], 1);
    town.addresses("hal", "game", &[("anna", "american"), ("bob", "british")]);
    town.serve();
    assert_eq!(town.status("hal", "game")["step"], 2);
}

/// One fault stops one thing: a mail that vanishes, a folder that is missing, a damaged note.
#[test]
fn one_fault_does_not_stop_the_club() {
    let mut town = club("--mode hosted");
    fs::remove_dir_all(town.path("hal/box/cur")).unwrap();
    fs::create_dir_all(town.path("hal/outbox")).unwrap();
    fs::write(town.path("hal/outbox/x.json"), "{").unwrap();
    town.sign("anna", "game");
    town.fine("anna", "game", "mail out");
    town.carry();
    let said = town.serve();
    assert!(said.contains("Sent to anna@club.example"), "{said}");
    assert!(names(&town.path("hal/box/new")).is_empty() && !names(&town.path("hal/box/cur")).is_empty());
    // The folder of one game is no club, and two programs do not serve one.
    let (code, said) = town.run("hal", "game", "mail serve --mail ../box --once");
    assert!(code == 2 && said.contains("a club is served from the folder above it"), "{said}");
    let held = fs::File::create(town.path("hal/.serve.lock")).unwrap();
    held.lock().unwrap();
    let (code, said) = town.run("hal", "", "mail serve --mail box --once");
    assert!(code == 1 && said.contains("another `mail serve` is at work"), "{said}");
}

/// What nobody of the game has signed is not kept.
#[test]
fn forged_files_do_not_fill_a_folder() {
    use countersign::doc::{Packet, SignedFile};
    let mut town = club("--mode hosted");
    town.sign("anna", "game");
    let packet = town.path("anna/game/out");
    let name = names(&packet).into_iter().find(|n| n.ends_with(".packet") && n.contains("american")).unwrap();
    let files = Packet::find(&fs::read(packet.join(name)).unwrap()).unwrap().remove(0).files;
    let orders = files.iter().find(|b| String::from_utf8_lossy(b).contains("kind: \"orders\"")).unwrap();
    let forged: Vec<Vec<u8>> = (0..300)
        .map(|n| String::from_utf8_lossy(orders).replace("\nn: 1\n", &format!("\nn: {}\n", n + 2)).into_bytes())
        .collect();
    assert!(forged.iter().all(|b| SignedFile::parse(b).is_ok()));
    let before = names(&town.path("hal/game/orders"));
    let packet = Packet { files: forged }.armor();
    town.drop_into("hal", format!("From: eve@example.com\nSubject: x\n\n{packet}").as_bytes());
    town.serve();
    assert_eq!(names(&town.path("hal/game/orders")), before);
    assert!(town.collect().is_empty());
    // The real ones count as before.
    town.fine("anna", "game", "mail out");
    town.carry();
    town.serve();
    assert_eq!(town.collect().len(), 1);
}

/// Two programs do not answer each other's notices.
#[test]
fn a_notice_is_not_answered_by_a_notice() {
    let mut town = club("--mode hosted");
    let notice = "From: bob@club.example\nX-Countersign: 1\nAuto-Submitted: auto-generated\nSubject: your mail\n\nNothing was taken.\n";
    town.drop_into("hal", notice.as_bytes());
    town.serve();
    assert!(town.collect().is_empty());
    // What a player's program has written and a server has emptied is answered.
    let emptied = "From: bob@club.example\nX-Countersign: 1\nSubject: [countersign] orders\n\n(attachment removed)\n";
    town.drop_into("hal", emptied.as_bytes());
    town.serve();
    assert_eq!(town.collect().len(), 1);
    // Mails in Bob's name do not use up what is sent again to him when he asks.
    for n in 0..9 {
        town.drop_into("hal", format!("From: bob@club.example\nSubject: {n}\n\nhello\n").as_bytes());
    }
    for who in ["anna", "bob"] {
        town.sign(who, "game");
        town.fine(who, "game", "mail out");
    }
    town.carry();
    town.serve();
    town.collect();
    town.fine("bob", "game", "mail out --again");
    town.carry();
    town.serve();
    let mails: Vec<Sent> = town.collect();
    assert!(mails.len() == 1 && mails[0].to.starts_with("bob"), "{mails:?}");
}
