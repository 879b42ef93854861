//! The page that goes along with a report: who gets it and when, what is in it, and what never is.
#![cfg(feature = "cli")]

mod common;

use std::fs;

use common::town::{Sent, Town};

/// A mail with a whole map in it, well below what mailboxes take.
const LARGEST: usize = 150 << 10;

fn page(mail: &Sent) -> Option<String> {
    mail.attached("report.html").map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Orders with a word to the opponent that names the step they are for.
fn sign(town: &Town, who: &str) {
    town.fine(who, "game", "orders new --force");
    let step = town.status(who, "game")["step"].as_u64().unwrap();
    let file = town.path(&format!("{who}/game/orders.yaml"));
    let orders = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{orders}say: \"xyzzy of {who} in step {step}\"\n")).unwrap();
    town.fine(who, "game", "orders sign");
}

/// The page of a mail, which names nothing said in a step that is open; whether there was one.
fn shows_closed_steps_alone(mail: &Sent, open: u64) -> bool {
    let Some(page) = page(mail) else {
        assert!(!mail.body().contains("report.html"), "{}", mail.body());
        return false;
    };
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>") && page.len() < LARGEST);
    assert!(mail.text().contains("Content-Type: text/html; charset=utf-8"));
    assert!(mail.body().contains("report.html"), "{}", mail.body());
    for step in page.split("xyzzy of ").skip(1) {
        let step = step.split(" in step ").nth(1).unwrap();
        let step: u64 = step.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
        assert!(step < open, "step {step} of {open}");
    }
    true
}

#[test]
fn players_and_spectators_get_the_page_of_each_closed_step_and_nothing_of_the_open_one() {
    for mode in ["hosted", "strict"] {
        let mut town = Town::open(&["anna", "bob", "hal"]);
        town.found("game", &format!("--mode {mode}"));
        let path = town.path("hal/game/mail.yaml");
        fs::write(&path, fs::read_to_string(&path).unwrap() + "spectators: [sue@club.example]\n").unwrap();
        let (mut seen, mut said) = (std::collections::BTreeMap::new(), 0);
        for _ in 0..6 {
            for who in ["anna", "bob"] {
                town.serve();
                let open = town.status("hal", "game")["step"].as_u64().unwrap();
                let mails = town.carry();
                if mails.iter().any(|mail| page(mail).is_some()) {
                    // What a player could have written himself.
                    town.fine("hal", "game", "report --html ../page.html");
                }
                for mail in mails.iter().filter(|mail| shows_closed_steps_alone(mail, open)) {
                    assert!(open > 1, "{mail:?}");
                    let own = String::from_utf8(town.read("hal/page.html")).unwrap();
                    assert!(page(mail).unwrap() == own, "{mode}: {mail:?}");
                    said += usize::from(own.contains("xyzzy"));
                    *seen.entry(mail.to.split('@').next().unwrap().to_owned()).or_insert(0) += 1;
                }
                town.fine(who, "game", "mail in ../box");
                if town.status(who, "game")["your_move"] == true {
                    sign(&town, who);
                }
                town.fine(who, "game", "mail out");
                let open = town.status(who, "game")["step"].as_u64().unwrap();
                for mail in town.carry() {
                    assert!(!shows_closed_steps_alone(&mail, open) || open > 1);
                }
            }
        }
        assert!(["anna", "bob", "sue"].iter().all(|who| seen.get(*who).is_some_and(|n| *n >= 2)), "{mode}: {seen:?}");
        assert!(said > 0, "{mode}");
    }
}

#[test]
fn on_land_every_half_turn_goes_along_as_a_page() {
    let mut town = Town::open(&["anna", "bob"]);
    town.fine("anna", "", "new --scenario queenston-heights --seat american --player Anna --folder game");
    let proposal = town.path("anna/game/out/proposal.packet").display().to_string();
    town.fine("bob", "", &format!("accept {proposal} --player Bob --folder game"));
    let acceptance = town.path("bob/game/out/acceptance.packet").display().to_string();
    town.fine("anna", "game", &format!("adjudicate {acceptance}"));
    for who in ["anna", "bob"] {
        town.addresses(who, "game", &[("anna", "american"), ("bob", "british")]);
    }
    let (mut with, mut without) = (0, 0);
    for _ in 0..5 {
        for who in ["anna", "bob"] {
            town.fine(who, "game", "mail in ../box");
            if town.status(who, "game")["your_move"] == true {
                sign(&town, who);
            }
            town.fine(who, "game", "mail out");
            let open = town.status(who, "game")["step"].as_u64().unwrap();
            for mail in town.carry() {
                if shows_closed_steps_alone(&mail, open) {
                    let page = page(&mail).unwrap();
                    assert!(page.contains("<svg") && page.contains("Queenston Heights"));
                    with += 1;
                } else {
                    // Before anything has happened there is no page.
                    assert_eq!(open, 1, "{}", mail.body());
                    without += 1;
                }
            }
        }
    }
    assert!(with >= 4 && without >= 1, "{with} {without}");
    assert!(town.fine("anna", "game", "verify").starts_with("GOOD"));
}
