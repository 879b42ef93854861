//! A hosted game: players send to the host alone, the host closes each step, everybody writes the same log.

mod common;

use common::Numbers;
use common::table::{Party, terms};
use countersign::catalog;
use countersign::doc::Mode;
use countersign::log::{History, HostPost, Intent, Post, own_post, verify};
use countersign::seal::Namespace;
use countersign::side::Seat;
use std::collections::BTreeMap;

fn party(parties: &[Party], seat: Seat) -> usize {
    parties.iter().position(|p| p.player.seat == seat).unwrap()
}

/// Plays a hosted game and returns its log.
fn play(scenario: &str, numbers: &mut Numbers) -> Vec<u8> {
    let (agreed, text, players) = terms(scenario, &BTreeMap::new(), Mode::Hosted, 6);
    let history = History::begin(agreed, &text).unwrap();
    let mut parties: Vec<Party> = players.into_iter().map(|p| Party::new(p, history.clone())).collect();
    let host = party(&parties, Seat::Host);
    for _ in 0..200 {
        if parties[host].history.end().is_some() {
            break;
        }
        let mut posts: Vec<Post> = Vec::new();
        for seat in parties[host].history.asked() {
            let me = &parties[party(&parties, seat)];
            let answers = me.random_answers(numbers);
            let intent = Intent { answers, ..Intent::default() };
            let out = me.player.hosted(&me.history, &[], &intent, "2026-01-02T00:00:00Z").unwrap().unwrap();
            assert!(out.openings.is_empty() && out.file.names.is_empty());
            posts.push(own_post(me.player.sign(Namespace::Orders, &out.file).unwrap()).unwrap());
        }
        if posts.len() == 2 {
            let lone = &posts[..1];
            let early = parties[host].player.close_hosted(&parties[host].history, lone, "2026-01-02T00:00:00Z");
            assert!(early.is_err(), "a host may not close without an asked player's orders");
        }
        let file = parties[host].player.close_hosted(&parties[host].history, &posts, "2026-01-02T00:00:00Z").unwrap();
        let signed = parties[host].player.sign(Namespace::Host, &file).unwrap();
        for p in &mut parties {
            let post: HostPost = p.history.read_host(&signed).unwrap();
            p.history.close_hosted(&posts, &post).unwrap().unwrap();
        }
    }
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert!(logs.iter().all(|l| *l == logs[0]));
    logs[0].clone()
}

#[test]
fn hosted_games_of_every_scenario_run_to_their_end_and_verify() {
    for (n, (id, _)) in catalog::SCENARIOS.iter().enumerate() {
        let log = play(id, &mut Numbers(n as u64));
        let verified = verify(&log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{id}: {f}"));
        assert!(verified.history.end().is_some() && verified.history.complete());
    }
}

#[test]
fn a_strict_game_is_refused_while_it_cannot_be_played() {
    let refused = std::panic::catch_unwind(|| terms("wasp-frolic", &BTreeMap::new(), Mode::Strict, 6));
    assert!(refused.is_err());
}

#[test]
fn a_player_cannot_stall_a_hosted_game_by_sealing_a_part() {
    let (agreed, text, players) = terms("wasp-frolic", &BTreeMap::new(), Mode::Hosted, 6);
    let mut history = History::begin(agreed, &text).unwrap();
    let parties: Vec<Party> = players.into_iter().map(|p| Party::new(p, history.clone())).collect();
    let mut numbers = Numbers(1);
    let mut posts = Vec::new();
    for me in &parties[..2] {
        let intent = Intent { answers: me.random_answers(&mut numbers), ..Intent::default() };
        let mut file = me.player.hosted(&history, &[], &intent, "2026-01-02T00:00:00Z").unwrap().unwrap().file;
        if posts.is_empty() {
            let slot = file.answers.keys().find(|k| k.contains("/marker/")).unwrap().clone();
            file.answers.remove(&slot);
            file.seals.insert(slot, countersign::seal::Digest([5; 32]));
        }
        posts.push(own_post(me.player.sign(Namespace::Orders, &file).unwrap()).unwrap());
    }
    let host = &parties[2].player;
    let file = host.close_hosted(&history, &posts, "2026-01-02T00:00:00Z").unwrap();
    let post = history.read_host(&host.sign(Namespace::Host, &file).unwrap()).unwrap();
    let (step, head) = (history.step(), history.head());
    assert!(history.close_hosted(&posts, &post).unwrap_err().what.contains("seals"));
    assert_eq!((history.step(), history.head()), (step, head), "a refused file leaves no trace");
}
