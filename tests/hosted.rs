//! A hosted game: players send to the host alone, the host closes each step, everybody writes the same log.

mod common;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::Numbers;
use common::table::{Party, terms};
use countersign::catalog;
use countersign::doc::{HostFile, Mode, Refuse, SignedFile, StepFile, Tree, parsed_digest};
use countersign::log::{Entry, FileEntry, History, HostPost, Intent, Kind, Post, check_protocol, own_post, verify};
use countersign::seal::{Digest, Namespace, sha256};
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

/// The three parties of a hosted duel, and legal orders of both players.
fn duel() -> (Vec<Party>, Vec<Post>) {
    let (agreed, text, players) = terms("wasp-frolic", &BTreeMap::new(), Mode::Hosted, 6);
    let history = History::begin(agreed, &text).unwrap();
    let parties: Vec<Party> = players.into_iter().map(|p| Party::new(p, history.clone())).collect();
    let mut numbers = Numbers(1);
    let posts = parties[..2].iter().map(|me| orders(me, &mut numbers, &[], |_| ())).collect();
    (parties, posts)
}

/// A player's signed orders, changed before he signs them.
fn orders(me: &Party, numbers: &mut Numbers, before: &[Post], change: impl Fn(&mut StepFile)) -> Post {
    let intent = Intent { answers: me.random_answers(numbers), ..Intent::default() };
    let mut file = me.player.hosted(&me.history, before, &intent, "2026-01-02T00:00:00Z").unwrap().unwrap().file;
    change(&mut file);
    own_post(me.player.sign(Namespace::Orders, &file).unwrap()).unwrap()
}

fn seal_a_marker(file: &mut StepFile) {
    let slot = file.answers.keys().find(|k| k.contains("/marker/")).unwrap().clone();
    file.answers.remove(&slot);
    file.seals.insert(slot, Digest([5; 32]));
}

fn turn_all_markers(file: &mut StepFile) {
    let markers = file.answers.iter_mut().filter(|(slot, _)| slot.contains("/marker/"));
    markers.for_each(|(_, content)| *content = Tree::Text("left".into()));
}

/// The log after the host has signed this file.
fn close(parties: &[Party], posts: &[Post], file: &HostFile) -> countersign::Result<Vec<u8>> {
    let mut history = parties[0].history.clone();
    let post = history.read_host(&parties[2].player.sign(Namespace::Host, file).unwrap()).unwrap();
    history.close_hosted(posts, &post)?;
    Ok(history.log().bytes())
}

#[test]
fn a_player_cannot_stall_a_hosted_game_with_a_file_the_rules_forbid() {
    let (parties, mut posts) = duel();
    let legal = posts[0].clone();
    let host = &parties[2];
    type Bad = fn(&mut StepFile);
    for (bad, word) in [(seal_a_marker as Bad, "seals"), (turn_all_markers as Bad, "NAV-5.10")] {
        // Alone, it is as if nothing had come; behind a legal file, that one is taken and the refusal is in the log.
        posts[0] = orders(&parties[0], &mut Numbers(2), &[], bad);
        let said = host.player.close_hosted(&host.history, &posts, "2026-01-02T00:00:00Z").unwrap_err();
        assert!(said.what.contains("missing from: american"), "{}", said.what);
        posts[0] = orders(&parties[0], &mut Numbers(2), std::slice::from_ref(&legal), bad);
        let mut both = posts.clone();
        both.push(legal.clone());
        let file = host.player.close_hosted(&host.history, &both, "2026-01-02T00:00:00Z").unwrap();
        assert_eq!(file.takes[&Seat::American], legal.filed.hash);
        assert!(file.refuse.len() == 1 && file.refuse[0].rule.contains(word), "{:?}", file.refuse);
        let log = close(&parties, &both, &file).unwrap();
        let good = verify(&log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{f}"));
        let last = good.history.closed().last().unwrap();
        assert!(matches!(&last.refused[..], [(Seat::American, why)] if why.contains(word)));
        check_protocol(&log).unwrap_or_else(|f| panic!("{f}"));
        let second = common::second_implementation(&log);
        assert!(second.as_ref().is_none_or(|(good, _)| *good), "{second:?}");
    }
}

#[test]
fn a_host_who_takes_an_illegal_file_or_refuses_a_legal_one_is_found_out() {
    let (parties, posts) = duel();
    let host = &parties[2].player;
    let honest = host.close_hosted(&parties[2].history, &posts, "2026-01-02T00:00:00Z").unwrap();
    // His own program will not close such a step; a program of his own would write this log.
    let forged = |posts: &[Post], file: &HostFile| {
        let mut lines: Vec<String> =
            String::from_utf8(parties[0].history.log().bytes()).unwrap().lines().map(str::to_owned).collect();
        let mut files: Vec<(Seat, &SignedFile, Digest)> =
            posts.iter().map(|p| (p.filed.file.seat, &p.signed, parsed_digest(&p.filed.file))).collect();
        let signed = host.sign(Namespace::Host, file).unwrap();
        files.push((Seat::Host, &signed, parsed_digest(file)));
        let result = close(&parties, &duel().1, &honest).unwrap();
        let result = String::from_utf8(result).unwrap().lines().last().unwrap().to_owned();
        for (seat, signed, parsed) in files {
            let (file, sig) = (STANDARD.encode(&signed.document), STANDARD.encode(signed.signature.blob()));
            let prev = sha256(lines.last().unwrap().as_bytes());
            let kind = "file".to_owned();
            lines.push(Entry::File(FileEntry { i: lines.len(), prev, kind, seat, file, sig, parsed }).line());
        }
        let Entry::Result(mut end) = Entry::parse(&result).unwrap() else { panic!("a result") };
        (end.i, end.prev) = (lines.len(), sha256(lines.last().unwrap().as_bytes()));
        lines.push(Entry::Result(end).line());
        let log: Vec<u8> = lines.iter().flat_map(|l| format!("{l}\n").into_bytes()).collect();
        *verify(&log, &catalog::embedded, None).unwrap_err()
    };
    // A legal file refused, an older legal one taken.
    let second = orders(&parties[0], &mut Numbers(9), &posts[..1], |_| ());
    let mut refusing = honest.clone();
    refusing.refuse.push(Refuse { file: second.filed.hash, rule: "it is against NAV-5.10".into() });
    let with = [posts[0].clone(), second, posts[1].clone()];
    assert!(close(&parties, &with, &refusing).unwrap_err().what.contains("refused a file"));
    let fault = forged(&with, &refusing);
    assert_eq!((fault.kind, fault.entry), (Kind::LegalRefused, 5), "{fault}");
    // An illegal file taken.
    let illegal = orders(&parties[0], &mut Numbers(2), &[], turn_all_markers);
    let mut taking = honest.clone();
    taking.takes.insert(Seat::American, illegal.filed.hash);
    let with = [illegal, posts[1].clone()];
    assert!(close(&parties, &with, &taking).unwrap_err().what.contains("NAV-5.10"));
    assert_eq!(forged(&with, &taking).kind, Kind::IllegalOrder);
    // The other's file counted for a seat.
    let mut swapped = honest.clone();
    swapped.takes.insert(Seat::American, posts[1].filed.hash);
    assert!(close(&parties, &posts, &swapped).is_err());
    // A file that nobody took or refused stands in the block.
    let spare = orders(&parties[0], &mut Numbers(9), &posts[..1], |_| ());
    assert_eq!(forged(&[posts[0].clone(), spare, posts[1].clone()], &honest).kind, Kind::Block);
}
