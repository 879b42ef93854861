//! A club's host by mail: receipts, what is said to whom, reminders, spectators, members, the index.
#![cfg(feature = "cli")]

mod common;

use std::fs;

use common::town::{Sent, Town, copy, names};

const ALL: [&str; 3] = ["anna", "bob", "hal"];

fn to<'a>(mails: &'a [Sent], who: &str) -> Vec<&'a Sent> {
    mails.iter().filter(|m| m.to.starts_with(&format!("{who}@"))).collect()
}

/// A running game of each kind, everybody's first letters gone.
fn club(mode: &str) -> Town {
    let mut town = Town::open(&ALL);
    town.found("game", &format!("--mode {mode}"));
    town.serve();
    town.carry();
    for who in ["anna", "bob"] {
        town.fine(who, "game", "mail in ../box");
    }
    town
}

#[test]
fn every_file_has_one_receipt_and_the_same_twice_none_more() {
    let mut town = club("hosted");
    town.sign("anna", "game");
    town.fine("anna", "game", "mail out");
    let mail = town.carry().remove(0);
    town.serve();
    let mails = town.collect();
    // To Anna alone; Bob is told nothing, not even that she has moved.
    assert_eq!(mails.len(), 1, "{mails:?}");
    let text = mails[0].body();
    assert!(mails[0].to == "anna@club.example" && text.contains("Receipt: your file 1 of step 1 ("), "{text}");
    assert!(text.contains("16 sealed choices (board, fire, marker, order)") && text.contains("Nothing is missing"));
    assert!(text.contains("\nAuto-Submitted: auto-generated\n") && text.contains("\nIn-Reply-To: <"), "{text}");
    // The receipt is signed: the host has to take this file or a later one.
    town.deliver(&mails[0]);
    let said = town.fine("anna", "game", "mail in ../box");
    assert!(said.contains("The host has your file 1 of step 1"), "{said}");
    // The same mail again, from anybody, any number of times.
    for _ in 0..3 {
        town.deliver(&mail);
        let stranger = mail.text().replace("From: anna <anna@club.example>", "From: x <x@example.com>");
        town.drop_into("hal", stranger.as_bytes());
        town.serve();
    }
    assert!(town.collect().is_empty());
    // A newer file has its own.
    town.sign("anna", "game");
    town.fine("anna", "game", "mail out");
    town.carry();
    town.serve();
    let mails = town.carry();
    assert!(mails.len() == 1 && mails[0].body().contains("your file 2 of step 1"), "{mails:?}");
    // Who completes the step has the receipt beside the result, in one mail.
    town.sign("bob", "game");
    town.fine("bob", "game", "mail out");
    town.carry();
    town.serve();
    let mails = town.carry();
    assert_eq!(mails.len(), 2);
    assert!(to(&mails, "bob")[0].body().contains("Receipt: your file 1 of step 1"), "{}", mails[1].body());
    assert!(to(&mails, "anna")[0].body().contains("Receipt: your file 2 of step 1"));
}

#[test]
fn who_lost_the_answer_and_sends_again_gets_it_again() {
    for mode in ["hosted", "strict"] {
        let mut town = club(mode);
        let mut lost = Vec::new();
        for _ in 0..3 {
            for who in ["anna", "bob"] {
                town.fine(who, "game", "mail in ../box");
                if town.status(who, "game")["your_move"] == true {
                    town.sign(who, "game");
                }
                town.fine(who, "game", "mail out");
            }
            town.carry();
            town.serve();
            // Nothing reaches Bob, and what is for Anna does.
            let (his, hers): (Vec<Sent>, Vec<Sent>) = town.collect().into_iter().partition(|m| m.to.starts_with("bob"));
            hers.iter().for_each(|m| town.deliver(m));
            lost.extend(his);
            if town.status("hal", "game")["step"] == 2 {
                break;
            }
        }
        assert!(!lost.is_empty(), "{mode}");
        let before = town.status("bob", "game")["step"].clone();
        // The same mail twice from the server is not a player who waits.
        let text = town.fine("bob", "game", "mail out --again");
        assert!(text.contains("Sent to hal@"), "{text}");
        let again = town.collect().remove(0);
        town.deliver(&again);
        town.deliver(&again);
        town.serve();
        let mails = town.carry();
        assert_eq!(to(&mails, "bob").len(), 1, "{mode}: {mails:?}");
        assert_eq!(mails.len(), 1, "{mode}: {mails:?}");
        town.fine("bob", "game", "mail in ../box");
        let after = town.status("bob", "game")["step"].clone();
        assert!(mode == "strict" || (before == 1 && after == 2), "{mode}: {before} {after}");
        // He cannot be made a target: five times an hour, no more.
        for n in 0..9 {
            let text = again.text().replace("Message-ID: <", &format!("Message-ID: <{n}"));
            town.drop_into("hal", text.as_bytes());
            town.serve();
        }
        assert!(town.collect().len() <= 4);
    }
}

#[test]
fn a_refused_file_is_answered_once_and_to_its_player_alone() {
    let mut town = club("hosted");
    town.fine("anna", "game", "orders new --force");
    town.fine("anna", "game", "orders sign --unchanged");
    // Orders of the step before, signed and mailed when the step was closed, are never carried over.
    town.fine("anna", "game", "mail out");
    let first = town.collect().remove(0);
    town.deliver(&first);
    town.sign("bob", "game");
    town.fine("bob", "game", "mail out");
    town.carry();
    town.serve();
    town.carry();
    // Anna has not read it yet and signs other orders for step 1.
    town.sign("anna", "game");
    town.fine("anna", "game", "mail out");
    town.carry();
    for _ in 0..2 {
        town.serve();
        let mails = town.collect();
        let Some(mail) = mails.first() else { continue };
        assert!(mails.len() == 1 && mail.to == "anna@club.example", "{mails:?}");
        let text = mail.body();
        assert!(text.contains("came when the step was closed, and has no effect. Step 2 is open now."), "{text}");
        assert!(text.contains("orders for another step are never carried over"), "{text}");
    }
    assert!(
        town.read("hal/game/game.log") == {
            town.fine("bob", "game", "mail in ../box");
            town.read("bob/game/game.log")
        }
    );
}

#[test]
fn an_unsigned_draft_does_not_count_and_its_player_is_told_so() {
    let mut town = Town::open(&ALL);
    town.found("game", "--mode hosted --days 3 --late default-orders");
    town.serve();
    town.carry();
    town.fine("anna", "game", "mail in ../box");
    town.fine("anna", "game", "orders new --force");
    let draft = String::from_utf8(town.read("anna/game/orders.yaml")).unwrap();
    let mail = format!("From: Anna <anna@club.example>\nSubject: my orders\nMessage-ID: <1@club.example>\n\n{draft}\n");
    town.drop_into("hal", mail.as_bytes());
    town.serve();
    let mails = town.collect();
    assert_eq!(mails.len(), 1, "{mails:?}");
    let text = mails[0].body();
    assert!(text.contains("nothing in it was taken") && text.contains("is not signed"), "{text}");
    assert!(text.contains("\nReferences: <1@club.example>\n") || text.contains("\nIn-Reply-To: <1@club.example>"));
    // The time goes by: what follows says the same as the first notice did, that nothing had come.
    town.sign("bob", "game");
    town.fine("bob", "game", "mail out");
    town.carry();
    town.now = "2026-03-05T12:00:01Z".to_owned();
    town.serve();
    let status = town.status("hal", "game");
    assert_eq!(status["step"], 2, "{status}");
    let files = names(&town.path("hal/game/orders"));
    let last = files.iter().rfind(|n| n.starts_with("00001-host-")).unwrap();
    let closing = String::from_utf8(town.read(&format!("hal/game/orders/{last}"))).unwrap();
    assert!(closing.contains("late:\n  \"american\": \"default-orders\"\n"), "{closing}");
    assert!(!files.iter().any(|n| n.starts_with("00001-american-")), "the draft is in no file of the game");
    assert!(to(&town.collect(), "anna").iter().all(|m| !m.body().contains("Receipt:")));
}

#[test]
fn strangers_and_machines_get_nothing() {
    let mut town = club("hosted");
    let before = town.status("hal", "game");
    let id = before["game"].as_str().unwrap().to_owned();
    let packet = String::from_utf8(town.read("anna/game/out/proposal.txt")).unwrap();
    let mails = [
        format!("From: x@example.com\nSubject: [countersign {id}] hello\n\nWhat games are here?\n"),
        format!("From: x@example.com\nSubject: orders\n\n{packet}\n"),
        "From: anna@club.example\nAuto-Submitted: auto-replied\nSubject: out of office\n\nI am away.\n".to_owned(),
        format!("From: anna@club.example\nList-Id: <wargames.example.org>\nSubject: [countersign {id}]\n\nHello all\n"),
        "Return-Path: <>\nFrom: MAILER-DAEMON@club.example\nSubject: failure\n\n".to_owned(),
    ];
    for mail in &mails {
        town.drop_into("hal", mail.as_bytes());
    }
    town.serve();
    assert!(town.collect().is_empty());
    assert!(names(&town.path("hal/box/new")).is_empty());
    // Somebody writes in Anna's name, again and again: she is told a few times an hour, no more.
    for n in 0..40 {
        town.drop_into("hal", format!("From: anna@club.example\nSubject: hello {n}\n\nHow are you?\n").as_bytes());
    }
    town.serve();
    let mails = town.collect();
    assert_eq!(mails.len(), 5);
    // An answer to her says nothing of any game.
    for mail in mails {
        assert!(mail.to == "anna@club.example" && !mail.text().contains(&id) && !mail.text().contains("Wasp"));
    }
    assert_eq!(town.status("hal", "game")["step"], before["step"]);
}

#[test]
fn dates_and_the_order_of_arrival_change_nothing() {
    let mut logs = Vec::new();
    for (n, date) in
        ["", "Date: Fri, 1 Jan 2036 00:00:00 +0000\n", "Date: garbage\n", "Date: Thu, 1 Jan 1970 00:00:00 +0000\n"]
            .into_iter()
            .enumerate()
    {
        let mut town = Town::open(&ALL);
        if n > 0 {
            // The same keys and terms, so that the same orders make the same bytes.
            let first: &Town = &logs[0];
            for who in ALL {
                fs::copy(first.path(who).join("key"), town.path(who).join("key")).unwrap();
                copy(&first.path("start").join(who), &town.path(who).join("game"));
                let note = town.path(who).join("game/secret/seat.json");
                let text = fs::read_to_string(&note).unwrap();
                let here = town.dir.path().display().to_string();
                fs::write(&note, text.replace(&first.dir.path().display().to_string(), &here)).unwrap();
            }
        } else {
            town.found("game", "--mode hosted");
            for who in ALL {
                copy(&town.path(who).join("game"), &town.path("start").join(who));
            }
        }
        for who in ["anna", "bob"] {
            town.sign(who, "game");
            town.fine(who, "game", "mail out");
        }
        let mut mails = town.collect();
        if n % 2 == 1 {
            mails.reverse();
        }
        for mail in &mails {
            let text = mail.text();
            let head: String = text.split_inclusive('\n').filter(|l| !l.starts_with("Date: ")).collect::<String>();
            town.drop_into("hal", format!("{date}{head}").as_bytes());
        }
        town.serve();
        assert_eq!(town.status("hal", "game")["step"], 2);
        logs.push(town);
    }
    let first = logs[0].read("hal/game/game.log");
    for town in &logs[1..] {
        assert!(town.read("hal/game/game.log") == first);
    }
}

#[test]
fn reminders_go_to_who_owes_once_before_and_say_what_follows() {
    let mut town = Town::open(&ALL);
    town.found("game", "--mode hosted --days 3 --late default-orders");
    town.serve();
    town.carry();
    town.fine("anna", "game", "mail in ../box");
    town.sign("anna", "game");
    town.fine("anna", "game", "mail out");
    town.carry();
    town.serve();
    town.carry();
    for (now, count) in [("2026-03-03T11:59:00Z", 0), ("2026-03-03T12:00:00Z", 1), ("2026-03-04T11:00:00Z", 0)] {
        town.now = now.to_owned();
        town.serve();
        let mails = town.collect();
        assert_eq!(mails.len(), count, "{now}: {mails:?}");
        for mail in mails {
            let text = mail.body();
            assert!(mail.to == "bob@club.example" && text.contains("the orders for turn 1"), "{text}");
            assert!(text.contains("Due: 4 March 2026, 12:00 UTC."), "{text}");
            assert!(text.contains("the book's cautious orders stand in the place of yours"), "{text}");
        }
    }
    // In time is in time; a second after the time it is late, and the game goes on.
    town.now = "2026-03-04T12:00:00Z".to_owned();
    town.serve();
    assert_eq!(town.status("hal", "game")["step"], 1);
    town.now = "2026-03-04T12:00:01Z".to_owned();
    town.serve();
    assert_eq!(town.status("hal", "game")["step"], 2);
    assert_eq!(town.collect().len(), 2);
}

#[test]
fn nothing_follows_from_being_late_but_a_reminder_where_the_terms_say_so() {
    let mut town = Town::open(&ALL);
    town.found("game", "--mode hosted --days 3");
    town.serve();
    town.carry();
    for (now, count) in [("2026-03-04T13:00:00Z", 2), ("2026-03-20T13:00:00Z", 0)] {
        town.now = now.to_owned();
        town.serve();
        let mails = town.collect();
        assert_eq!(mails.len(), count, "{now}");
        assert!(mails.iter().all(|m| m.body().contains("nothing follows but this reminder")));
    }
    let late = town.fine("hal", "", "host list --late");
    assert!(late.contains("LATE since 2026-03-04 12:00 UTC") && late.contains("waiting for: "), "{late}");
}

#[test]
fn spectators_see_closed_steps_and_nothing_else() {
    for mode in ["hosted", "strict"] {
        let mut town = club(mode);
        let path = town.path("hal/game/mail.yaml");
        let text = fs::read_to_string(&path).unwrap() + "spectators: [sue@club.example, tom@club.example]\n";
        fs::write(&path, text).unwrap();
        let mut seen = 0;
        for _ in 0..8 {
            for who in ["anna", "bob"] {
                town.fine(who, "game", "mail in ../box");
                if town.status(who, "game")["your_move"] == true {
                    town.sign(who, "game");
                }
                town.fine(who, "game", "mail out");
                town.carry();
                town.serve();
                let step = town.status("hal", "game")["step"].as_u64().unwrap();
                for mail in town.carry().iter().filter(|m| m.to.starts_with("sue") || m.to.starts_with("tom")) {
                    seen += 1;
                    let text = mail.text();
                    assert!(
                        text.contains("You watch this game")
                            && !text.contains("anna@")
                            && !text.contains("tom@club.example, ")
                    );
                    // What is attached is the log of what has closed.
                    let log = mail.attached(".log\"").unwrap();
                    assert_eq!(log, town.read("hal/game/game.log"));
                    let last = String::from_utf8(log).unwrap();
                    assert!(last.lines().last().unwrap().contains(&format!(r#""step":{}"#, step - 1)), "{step}");
                }
            }
        }
        assert!(seen >= 4 && seen % 2 == 0, "{mode}: {seen}");
    }
}

#[test]
fn a_member_invites_and_the_host_accepts_by_himself() {
    let mut town = Town::open(&ALL);
    let key = |who: &str| fs::read_to_string(town.path(who).join("key.pub")).unwrap().trim().to_owned();
    let rows: String = ["anna", "bob"]
        .map(|who| format!("  - {{name: {who}, address: {who}@club.example, key: \"{}\"}}\n", key(who)))
        .concat();
    fs::write(town.path("hal/members.yaml"), format!("members:\n{rows}")).unwrap();
    let serve = "mail serve --mail box --once --members members.yaml";
    town.fine("anna", "", "new --scenario wasp-frolic --seat american --player Anna --folder game --mode hosted");
    town.addresses("anna", "game", &[("bob", "british"), ("hal", "host")]);
    town.fine("anna", "game", "mail out");
    town.carry();
    let said = town.fine("hal", "", serve);
    assert!(said.contains("accepted, proposed by anna") && !said.contains("nobody knows"), "{said}");
    assert!(town.carry().iter().any(|m| m.to == "anna@club.example" && m.subject().contains("accepted")));
    let mails = names(&town.path("bob/box/new"));
    town.fine(
        "bob",
        "",
        &format!("accept box/new/{} --player Bob --folder game", mails[0])
            .replace("--folder", "--seat british --folder"),
    );
    town.addresses("bob", "game", &[("anna", "american"), ("hal", "host")]);
    town.fine("bob", "game", "mail out");
    town.carry();
    town.fine("hal", "", serve);
    for who in ["anna", "bob"] {
        town.carry();
        town.fine(who, "game", "mail in ../box");
        town.sign(who, "game");
        town.fine(who, "game", "mail out");
        town.carry();
    }
    town.fine("hal", "", serve);
    let list = town.fine("hal", "", "host list --format json");
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list["games"][0]["step"], 2, "{list}");
    assert!(town.carry().iter().any(|m| m.to == "bob@club.example"), "Bob's address comes from the list, by his key");
    // Nobody else's invitation is taken, and who sent it learns nothing.
    town.fine("hal", "", "key new --no-passphrase --file stranger");
    let new = "new --scenario wasp-frolic --seat american --player Eve --folder eve --mode hosted --key stranger";
    town.fine("hal", "", new);
    let packet = fs::read_to_string(town.path("hal/eve/out/proposal.txt")).unwrap();
    fs::rename(town.path("hal/eve"), town.path("eve")).unwrap();
    town.drop_into("hal", format!("From: eve@example.com\nSubject: play\n\n{packet}").as_bytes());
    town.fine("hal", "", serve);
    assert!(town.collect().is_empty());
    assert_eq!(names(&town.path("hal")).iter().filter(|n| n.starts_with("game-")).count(), 1);
}

#[test]
fn the_index_is_made_again_from_the_folders() {
    let mut town = club("strict");
    town.found("other", "--mode hosted");
    town.serve();
    let before = town.fine("hal", "", "host list");
    assert!(
        before.contains("game: Wasp v Frolic (strict)") && before.contains("other: Wasp v Frolic (hosted)"),
        "{before}"
    );
    // Deleted, damaged, of another program: it is made anew.
    for bytes in [None, Some(&b"no database"[..]), Some(&[0u8; 5000][..])] {
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(town.path("hal").join(format!("games.sqlite{end}")));
        }
        if let Some(bytes) = bytes {
            fs::write(town.path("hal/games.sqlite"), bytes).unwrap();
        }
        assert_eq!(town.fine("hal", "", "host list"), before);
    }
    assert_eq!(town.fine("hal", "", "host list --rebuild"), before);
    // A damaged folder is shown and stops no other.
    let orders = town.path("hal/other/orders");
    let victim = names(&orders).remove(0);
    fs::remove_file(orders.join(&victim)).unwrap();
    fs::write(orders.join(victim), "nothing").unwrap();
    let now = town.fine("hal", "", "host list");
    assert!(now.contains("other: CANNOT BE READ") && now.contains("game: Wasp v Frolic (strict)"), "{now}");
    town.sign("anna", "game");
    town.fine("anna", "game", "mail out");
    town.carry();
    town.serve();
    assert!(!town.collect().is_empty());
    // A copy of a game's folder beside it is not taken for the game.
    copy(&town.path("hal/game"), &town.path("hal/game-copy"));
    let now = town.fine("hal", "", "host list");
    assert!(now.contains("game-copy: CANNOT BE READ: this is the same game as in the folder `game`"), "{now}");
    assert!(now.contains("game: Wasp v Frolic (strict)"), "{now}");
    // No address stands in it.
    let bytes = town.read("hal/games.sqlite");
    assert!(!bytes.windows(13).any(|w| w == b"@club.example"));
}

#[test]
fn results_are_a_table_and_a_name_is_no_formula() {
    let mut town = Town::open(&ALL);
    let new = "new --scenario wasp-frolic --seat american --player =1+1 --folder game --mode hosted";
    town.fine("anna", "", new);
    let proposal = town.path("anna/game/out/proposal.packet").display().to_string();
    town.fine("bob", "", &format!("accept {proposal} --player Bob --folder game --seat british"));
    town.fine("hal", "", &format!("accept {proposal} --player Hal --folder game --seat host"));
    for who in ALL {
        for other in ["bob", "hal"] {
            let acceptance = town.path(other).join("game/out/acceptance.packet").display().to_string();
            town.fine(who, "game", &format!("adjudicate {acceptance}"));
        }
        town.addresses(who, "game", &[("anna", "american"), ("bob", "british"), ("hal", "host")]);
    }
    town.serve();
    town.carry();
    town.fine("bob", "game", "mail in ../box");
    town.fine("bob", "game", "concede --yes");
    town.fine("bob", "game", "mail out");
    town.carry();
    town.serve();
    // The last letters carry the whole log.
    let last = town.carry();
    let over: Vec<&Sent> = last.iter().filter(|m| m.subject().contains("the game is over")).collect();
    assert_eq!(over.len(), 2, "{:?}", last.iter().map(Sent::subject).collect::<Vec<_>>());
    assert!(over.iter().all(|m| m.text().contains(".log\"")), "{}", over[0].text());
    town.fine("hal", "", "host results --out results.csv");
    let text = String::from_utf8(town.read("hal/results.csv")).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 2);
    assert!(rows[1].contains(",Bob,'=1+1,over,\"the Americans won, the british player conceded\","), "{text}");
    assert!(rows[1].ends_with(",2026-03-01T12:00:00Z,2026-03-01T12:00:00Z"), "{text}");
}

#[test]
fn the_list_says_how_a_draw_came_about() {
    for (options, words) in
        [("--mode hosted --days 3 --late forfeit", "a draw, both were late"), ("--mode hosted", "a draw by agreement")]
    {
        let mut town = Town::open(&ALL);
        town.found("game", options);
        town.serve();
        town.carry();
        if options.contains("late") {
            town.now = "2026-03-09T00:00:00Z".to_owned();
        } else {
            for (who, does) in [("anna", "offer draw"), ("bob", "agree")] {
                town.fine(who, "game", "mail in ../box");
                town.fine(who, "game", does);
                town.fine(who, "game", "mail out");
                town.carry();
                town.serve();
                town.carry();
            }
        }
        town.serve();
        let said = town.fine("hal", "", "host list");
        assert!(said.contains(words), "{said}");
    }
}

/// A game its host plays in himself may lie beside those he hosts: his letters are his own business.
#[test]
fn a_players_own_games_are_left_alone() {
    let mut town = club("hosted");
    let new = "new --scenario wasp-frolic --seat american --player Hal --folder mine";
    town.fine("hal", "", new);
    town.addresses("hal", "mine", &[("anna", "british")]);
    town.serve();
    assert!(town.collect().is_empty());
    town.fine("hal", "mine", "mail out");
    assert_eq!(town.collect().len(), 1);
}

#[test]
fn a_seat_s_new_address_is_where_its_letters_go() {
    let mut town = club("hosted");
    let said = town.fine("hal", "game", "host seat british --address robert@club.example");
    assert!(said.contains("british: bob, key SHA256:") && said.contains("robert@club.example"), "{said}");
    town.fine("hal", "game", "mail out --again");
    let mails = town.collect();
    assert!(mails.iter().any(|m| m.to == "robert@club.example") && !mails.iter().any(|m| m.to == "bob@club.example"));
}

#[test]
fn a_flood_is_taken_in_pieces_and_the_games_go_on() {
    let mut town = club("hosted");
    for n in 0..600 {
        let mail = format!("From: x{n}@example.com\nSubject: offer {n}\n\n{}\n", "buy now ".repeat(200));
        town.drop_into("hal", mail.as_bytes());
    }
    for who in ["anna", "bob"] {
        town.sign(who, "game");
        town.fine(who, "game", "mail out");
    }
    town.carry();
    town.serve();
    assert_eq!(town.status("hal", "game")["step"], 2);
    assert!(names(&town.path("hal/box/new")).is_empty());
    assert_eq!(town.carry().len(), 2);
}

#[test]
fn everything_agreed_goes_by_mail() {
    for (offer, ends) in [("offer draw", true), ("offer pause --until 2026-06-01 --reason holiday", false)] {
        let mut town = club("hosted");
        town.fine("anna", "game", offer);
        town.fine("anna", "game", "mail out");
        town.carry();
        town.serve();
        town.carry();
        let said = town.fine("bob", "game", "mail in ../box");
        assert!(said.contains("YOUR OPPONENT OFFERS"), "{said}");
        town.fine("bob", "game", "agree");
        town.fine("bob", "game", "mail out");
        town.carry();
        town.serve();
        town.carry();
        for who in ["anna", "bob"] {
            town.fine(who, "game", "mail in ../box");
        }
        town.same_logs("game");
        let status = town.status("hal", "game");
        assert_eq!(status["complete"] == true || status["over"] == true, ends, "{offer}: {status}");
    }
}

/// A write that was cut off leaves the state before it or after; done again it makes the same bytes.
#[test]
fn a_write_that_was_cut_off_is_done_again_with_the_same_bytes() {
    let mut town = club("hosted");
    for who in ["anna", "bob"] {
        town.sign(who, "game");
        town.fine(who, "game", "mail out");
    }
    town.carry();
    town.serve();
    town.carry();
    let log = town.read("hal/game/game.log");
    let files = ["game.log", "turn.yaml", "report.txt", "allowed_signers", "terms.yaml"];
    let whole: Vec<Vec<u8>> = files.iter().map(|f| town.read(&format!("hal/game/{f}"))).collect();
    // Cut off before the renaming: a file aside, half written. After it, with the power: empty, or half.
    fs::write(town.path("hal/game/orders/.writing-x"), &log[..100]).unwrap();
    fs::write(town.path("hal/game/.writing-y"), b"").unwrap();
    for cut in [0, 1, 2] {
        for (file, bytes) in files.iter().zip(&whole) {
            let path = town.path(&format!("hal/game/{file}"));
            match cut {
                0 => fs::write(path, b"").unwrap(),
                1 => fs::write(path, &bytes[..bytes.len() / 2]).unwrap(),
                _ => fs::remove_file(path).unwrap(),
            }
        }
        town.fine("hal", "game", "adjudicate");
        for (file, bytes) in files.iter().zip(&whole) {
            assert!(town.read(&format!("hal/game/{file}")) == *bytes, "{file} {cut}");
        }
        // Nothing is mailed for it, and no turn is played twice.
        town.serve();
        assert!(town.collect().is_empty());
        assert_eq!(town.status("hal", "game")["step"], 2);
    }
    // An empty file by mail, and half a packet, are nothing.
    let packet = town.path("anna/game/out");
    let name = names(&packet).into_iter().find(|n| n.ends_with(".txt") && n.contains("american")).unwrap();
    let text = fs::read_to_string(packet.join(name)).unwrap();
    for body in ["", &text[..text.len() / 2]] {
        town.drop_into("hal", format!("From: anna@club.example\nSubject: orders\n\n{body}").as_bytes());
    }
    town.serve();
    let mails = town.collect();
    assert!(mails.len() == 2 && mails.iter().all(|m| m.body().contains("nothing in it was taken")), "{mails:?}");
    assert!(mails[0].body().contains("cut off") || mails[1].body().contains("cut off"));
    assert!(town.read("hal/game/game.log") == log);
}
