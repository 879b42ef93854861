//! Two players, any order of arrival, repeats and superseded files mixed in: both write the same log, it verifies, and
//! nobody is ever stuck.

mod common;

use common::Numbers;
use common::table::{Party, two, two_with};
use countersign::catalog;
use countersign::log::{Intent, verify};
use std::collections::BTreeMap;

/// Plays a game to its end with random answers, random delays, repeats and changes of mind.
fn play(mut parties: Vec<Party>, numbers: &mut Numbers) -> (Vec<u8>, Vec<Party>) {
    let mut post: Vec<(usize, countersign::doc::SignedFile)> = Vec::new();
    for _ in 0..200_000 {
        if parties.iter().all(|p| p.history.complete()) {
            break;
        }
        let me = numbers.below(2) as usize;
        let party = &mut parties[me];
        match numbers.below(4) {
            // Write orders, or change them while that still counts.
            0 => {
                let fresh = party.to_answer();
                if fresh || numbers.below(6) == 0 {
                    let answers = party.random_answers(numbers);
                    if !answers.is_empty() {
                        party.send(&Intent { answers, ..Intent::default() });
                    }
                }
            }
            // What is forced.
            1 => drop(party.send(&Intent::default())),
            // The mail goes out: everything unsent, and sometimes something again.
            2 => {
                for signed in std::mem::take(&mut party.out) {
                    post.push((1 - me, signed.clone()));
                    if numbers.below(4) == 0 {
                        post.push((1 - me, signed));
                    }
                }
            }
            // Some mail arrives, not in order.
            _ => {
                if !post.is_empty() {
                    let at = numbers.below(u32::try_from(post.len()).unwrap()) as usize;
                    let (to, signed) = post.swap_remove(at);
                    parties[to].receive(&signed);
                }
            }
        }
    }
    assert!(parties.iter().all(|p| p.history.complete()), "stuck: {:?}", parties[0].history.wants());
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert_eq!(String::from_utf8_lossy(&logs[0]), String::from_utf8_lossy(&logs[1]));
    (logs[0].clone(), parties)
}

#[test]
fn every_order_of_arrival_makes_the_same_log_and_it_verifies() {
    let games = if std::env::var("SOAK").is_ok() { 60 } else { 4 };
    for (n, (id, _)) in catalog::SCENARIOS.iter().enumerate() {
        for game in 0..games {
            let mut numbers = Numbers(n as u64 * 1000 + game);
            let (log, parties) = play(two(id, u8::try_from(game).unwrap() + 1), &mut numbers);
            let verified = verify(&log, &catalog::embedded, Some(parties[0].history.head()));
            let verified = verified.unwrap_or_else(|fault| panic!("{id} {game}: {fault}"));
            assert!(verified.dice > 0);
        }
    }
}

#[test]
fn a_game_whose_first_act_is_a_die_begins_with_links_alone() {
    let rulings = BTreeMap::from([("N06".to_owned(), "roll".to_owned())]);
    let (log, _) = play(two_with("wasp-frolic", &rulings, 9), &mut Numbers(5));
    verify(&log, &catalog::embedded, None).unwrap();
}

#[test]
fn conceding_needs_one_signature_and_the_others_makes_it_part_of_the_log() {
    let mut parties = two("wasp-frolic", 3);
    let intent = Intent { concede: true, say: Some("Well sailed.".into()), ..Intent::default() };
    assert!(parties[0].send(&intent));
    assert!(parties[0].history.end().is_none());
    let files = std::mem::take(&mut parties[0].out);
    parties[1].receive(&files[0]);
    assert!(parties[1].send(&Intent::default()));
    let files = std::mem::take(&mut parties[1].out);
    parties[0].receive(&files[0]);
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert_eq!(logs[0], logs[1]);
    let verified = verify(&logs[0], &catalog::embedded, None).unwrap();
    assert_eq!(verified.history.end(), Some(&countersign::log::End::Conceded(countersign::Seat::American)));
}

/// A comment behind the link is named by the other's link: the block holds it too.
#[test]
fn a_word_after_the_link_stays_in_the_log() {
    let mut parties = two("wasp-frolic", 3);
    let mut numbers = Numbers(1);
    for (me, say) in [(0, None), (1, None), (1, Some("Good luck.".to_owned())), (0, None)] {
        let answers = if parties[me].to_answer() { parties[me].random_answers(&mut numbers) } else { BTreeMap::new() };
        assert!(parties[me].send(&Intent { answers, say, ..Intent::default() }));
        if me == 0 || parties[me].out.len() == 2 {
            for signed in std::mem::take(&mut parties[me].out) {
                parties[1 - me].receive(&signed);
            }
        }
    }
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert_eq!(logs[0], logs[1]);
    assert_eq!(parties[0].history.step(), 2);
    let verified = verify(&logs[0], &catalog::embedded, None).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(verified.history.closed()[1].said, vec![(countersign::Seat::British, "Good luck.".to_owned())]);
}
