//! The shapes of question that the naval game does not have, through the whole trust layer: one seat decides alone, a
//! need after dice, standing orders, private dice, hands of cards (`tests/common/probe.rs`).

mod common;

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::Numbers;
use common::probe::{deck, die, start};
use common::table::{Party, key, probe};
use countersign::catalog::AnyGame;
use countersign::doc::{SignedFile, StepFile, parsed_digest};
use countersign::log::{Entry, History, Intent, Kind, Terms, check_protocol, own_post, read_step, verify_with};
use countersign::play::{PRIVATE, Want};
use countersign::seal::{Digest, Namespace, Opening, Signature, seal, sha256};
use countersign::side::Seat;

fn open(terms: Terms) -> Result<History, Box<countersign::log::Fault>> {
    Ok(History::open(terms, AnyGame::Other(Box::new(start()))))
}

/// Plays to the end; mails arrive in any order, some twice.
fn play(mut parties: Vec<Party>, numbers: &mut Numbers) -> (Vec<u8>, Vec<Party>) {
    let mut post: Vec<(usize, SignedFile)> = Vec::new();
    for _ in 0..100_000 {
        if parties.iter().all(|p| p.history.complete()) {
            break;
        }
        let me = numbers.below(2) as usize;
        match numbers.below(3) {
            0 => {
                let answers =
                    if parties[me].to_answer() { parties[me].random_answers(numbers) } else { BTreeMap::new() };
                parties[me].send(&Intent { answers, ..Intent::default() });
            }
            1 => {
                for signed in std::mem::take(&mut parties[me].out) {
                    if numbers.below(4) == 0 {
                        post.push((1 - me, signed.clone()));
                    }
                    post.push((1 - me, signed));
                }
            }
            _ if post.is_empty() => {}
            _ => {
                let (to, signed) = post.swap_remove(numbers.below(u32::try_from(post.len()).unwrap()) as usize);
                parties[to].receive(&signed);
            }
        }
    }
    assert!(parties.iter().all(|p| p.history.complete()), "stuck: {:?}", parties[0].history.wants());
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert_eq!(String::from_utf8_lossy(&logs[0]), String::from_utf8_lossy(&logs[1]));
    (logs[0].clone(), parties)
}

fn records(history: &History) -> Vec<String> {
    history.closed().iter().filter_map(|c| c.story.as_ref()).flat_map(|s| s.records.clone()).collect()
}

#[test]
fn games_in_any_order_of_arrival_verify_and_reach_every_shape() {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for seed in 0..24 {
        let (log, parties) = play(probe(1 + u8::try_from(seed).unwrap()), &mut Numbers(seed));
        let good = verify_with(&log, &open, Some(parties[0].history.head())).unwrap_or_else(|f| panic!("{seed}: {f}"));
        // A ruleset that is unknown to a program can be checked as far as the protocol goes.
        assert_eq!(check_protocol(&log).unwrap_or_else(|f| panic!("{seed}: {f}")).ruleset, "probe/1");
        for record in records(&good.history) {
            assert!(!record.contains("false-die") && !record.contains("false-deck"), "{record}");
            for word in ["\"standing\"", "\"order\"", "\"drawn\"", "\"shown\"", "\"private\"", "/draw/r2", "/public"] {
                if record.contains(word) {
                    seen.insert(word.to_owned());
                }
            }
        }
        if seed == 0 {
            let second = common::second_implementation(&log);
            assert!(second.as_ref().is_none_or(|(good, _)| *good), "{second:?}");
        }
    }
    assert_eq!(seen.len(), 7, "{seen:?}");
}

/// Every private die was used as its owner could have known it beforehand, and comes out evenly.
#[test]
fn private_dice_are_even_over_many_games() {
    let mut counts = [0u32; 6];
    for table in 1..=60u8 {
        let (_, parties) = play(probe(table), &mut Numbers(u64::from(table)));
        let told = records(&parties[0].history);
        let value = told.iter().find_map(|r| r.strip_prefix("{\"event\":{\"private\":{\"value\":")).unwrap();
        counts[value[..1].parse::<usize>().unwrap() - 1] += 1;
    }
    // 60 dice: ten of each on average; outside 2 to 21 once in some thousand sets, and the seeds are fixed.
    assert!(counts.iter().all(|c| (2..=21).contains(c)), "{counts:?}");
}

/// A seat decides alone: one file with answer and link, one with the other's link. Nobody need be asked for what is sealed
/// without a decision.
#[test]
fn one_seat_that_decides_alone_takes_one_mail_each_way() {
    let mut parties = probe(3);
    assert!(parties[0].history.wants().iter().all(Want::automatic));
    for (me, asked) in [(0, Seat::American), (1, Seat::British), (0, Seat::American)] {
        let step = parties[0].history.step();
        assert_eq!(parties[me].history.asked(), BTreeSet::from([asked]));
        let answers = parties[me].random_answers(&mut Numbers(1));
        assert!(parties[me].send(&Intent { answers, ..Intent::default() }));
        assert_eq!(parties[me].out.len(), 1);
        let file = read_step(&parties[me].out[0]).unwrap();
        assert!(file.link.is_some() && (!file.answers.is_empty() || !file.seals.is_empty()));
        let out = std::mem::take(&mut parties[me].out);
        out.iter().for_each(|signed| parties[1 - me].receive(signed));
        assert!(parties[1 - me].send(&Intent::default()), "the other's link needs nobody");
        let out = std::mem::take(&mut parties[1 - me].out);
        assert_eq!(out.len(), 1);
        out.iter().for_each(|signed| parties[me].receive(signed));
        assert_eq!(parties.iter().map(|p| p.history.step()).collect::<Vec<_>>(), [step + 1, step + 1]);
    }
}

#[test]
fn what_is_sealed_without_a_decision_is_never_taken_in_clear() {
    let parties = probe(3);
    let game = parties[0].history.game.game();
    let (side, part) = (countersign::side::Side::American, die().part());
    let clear = BTreeMap::from([(part.clone(), "3".to_owned())]);
    assert!(game.judge(side, &clear, &BTreeSet::new()).unwrap_err()[0].why.contains("in clear"));
    assert!(game.judge(side, &BTreeMap::new(), &BTreeSet::from([part])).is_ok());
}

/// Changes a file before it is signed, as a program of the player's own could, and his secrets with it.
fn cheat(party: &mut Party, change: impl Fn(&mut StepFile, &mut BTreeMap<String, Opening>)) {
    let next =
        party.player.next(&party.history, &party.posts, &party.secrets, &Intent::default(), "2026-01-02T00:00:00Z");
    let mut out = next.unwrap().unwrap();
    change(&mut out.file, &mut out.openings);
    for (slot, opening) in &out.openings {
        out.file.seals.insert(slot.clone(), seal(&out.file.game, out.file.seat, out.file.step, slot, opening));
    }
    party.secrets.extend(&out.openings);
    let signed = party.player.sign(Namespace::Orders, &out.file).unwrap();
    party.posts.push(own_post(signed.clone()).unwrap());
    party.out.push(signed);
    party.advance();
}

/// A number no die has and a deck with a card too many are found when they open, the log is sound and tells it.
#[test]
fn a_false_number_and_a_false_deck_are_found_when_they_open() {
    let mut parties = probe(5);
    cheat(&mut parties[0], |_, openings| {
        for opening in openings.values_mut() {
            opening.content = "6".into();
        }
    });
    let out = std::mem::take(&mut parties[0].out);
    out.iter().for_each(|signed| parties[1].receive(signed));
    parties[1].send(&Intent::default());
    cheat(&mut parties[1], |_, openings| {
        for (slot, opening) in openings.iter_mut() {
            if slot.contains("/position/") {
                opening.content = "\"ford\"".into();
            }
        }
    });
    let out = std::mem::take(&mut parties[1].out);
    out.iter().for_each(|signed| parties[0].receive(signed));
    let (log, parties) = play(parties, &mut Numbers(4));
    let told = records(&parties[0].history).join("\n");
    assert!(told.contains("\"false-die\""), "{told}");
    assert!(told.contains("\"false-deck\""), "{told}");
    verify_with(&log, &open, None).unwrap_or_else(|f| panic!("{f}"));
}

/// A log whose lines are signed and chained anew around one changed opening, as its owner could.
fn forged(log: &[u8], signer: u8, slot: &str, content: &str) -> Kind {
    let mut prev = Digest([0; 32]);
    let mut out = String::new();
    let mut done = false;
    for (i, line) in String::from_utf8_lossy(log).lines().enumerate() {
        let mut entry = Entry::parse(line).unwrap();
        match &mut entry {
            Entry::Result(e) => (e.i, e.prev) = (i, prev),
            Entry::File(e) => {
                (e.i, e.prev) = (i, prev);
                let document = String::from_utf8(STANDARD.decode(&e.file).unwrap()).unwrap();
                let at =
                    document.find("\nopens:").and_then(|o| Some(o + document[o..].find(&format!("\"{slot}\": "))?));
                if let Some(at) = at.filter(|_| !done) {
                    let from = at + document[at..].find("\"content\":\"").unwrap() + 11;
                    let to = from + document[from..].find("\"}").unwrap();
                    let document = format!("{}{content}{}", &document[..from], &document[to..]);
                    let signature = Signature::sign(&key(signer), Namespace::Orders, document.as_bytes());
                    e.file = STANDARD.encode(&document);
                    e.sig = STANDARD.encode(signature.blob());
                    e.parsed = parsed_digest(&read_step(&SignedFile { document, signature }).unwrap());
                    done = true;
                }
            }
        }
        let line = entry.line();
        prev = sha256(line.as_bytes());
        out += &format!("{line}\n");
    }
    assert!(done);
    verify_with(out.as_bytes(), &open, None).unwrap_err().kind
}

#[test]
fn a_private_die_and_a_card_other_than_the_sealed_ones_are_told_apart() {
    let (log, _) = play(probe(5), &mut Numbers(4));
    assert!(die().part().ends_with(PRIVATE));
    let other = |n: &str| if n == "1" { "2" } else { "1" };
    let text = String::from_utf8_lossy(&log).into_owned();
    let opened = verify_with(&log, &open, None).unwrap();
    let told = records(&opened.history);
    let own = told.iter().find(|r| r.contains(&die().part())).unwrap_or_else(|| panic!("{text}"));
    let own = own.split("\"content\":\"").nth(1).unwrap()[..1].to_owned();
    assert_eq!(forged(&log, 1, &die().part(), other(&own)), Kind::PrivateDie);
    assert_eq!(forged(&log, 2, &deck().position(1), "\\\"fox\\\""), Kind::Opening);
}
