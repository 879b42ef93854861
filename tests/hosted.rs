//! A hosted game: players send to the host alone, the host closes each step, everybody writes the same log.

mod common;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::Numbers;
use common::table::{Party, terms};
use countersign::catalog;
use countersign::doc::{HostFile, Mode, Refuse, SignedFile, StepFile, Tree, parsed_digest};
use countersign::log::{
    Entry, FileEntry, History, HostPost, Intent, Kind, Post, Secrets, check_protocol, own_post, verify,
};
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
    let mut lodged = Secrets::default();
    for _ in 0..200 {
        if parties[host].history.complete() {
            break;
        }
        let mut posts: Vec<Post> = Vec::new();
        for seat in parties[host].history.asked() {
            let me = &parties[party(&parties, seat)];
            let answers = me.random_answers(numbers);
            let intent = Intent { answers, ..Intent::default() };
            let out = me.player.hosted(&me.history, &[], &intent, "2026-01-02T00:00:00Z").unwrap().unwrap();
            assert!(out.file.names.is_empty() && out.file.opens.is_empty());
            let sealed: Vec<&String> = out.file.seals.keys().collect();
            assert_eq!(sealed, out.openings.keys().collect::<Vec<_>>());
            posts.push(own_post(me.player.sign(Namespace::Orders, &out.file).unwrap()).unwrap());
            lodged.extend(&out.openings);
        }
        if posts.len() == 2 {
            let lone = &posts[..1];
            let early = parties[host].player.close_hosted(
                &parties[host].history,
                lone,
                &lodged,
                &common::host_words("2026-01-02T00:00:00Z"),
            );
            assert!(early.is_err(), "a host may not close without an asked player's orders");
        }
        let file = parties[host]
            .player
            .close_hosted(&parties[host].history, &posts, &lodged, &common::host_words("2026-01-02T00:00:00Z"))
            .unwrap();
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
        let seals = verified.history.game.naval().is_some();
        assert!(verified.history.end().is_some() && verified.history.complete() && (verified.openings > 0) == seals);
        check_protocol(&log).unwrap_or_else(|f| panic!("{id}: {f}"));
        if n < 2 {
            let second = common::second_implementation(&log);
            assert!(second.as_ref().is_none_or(|(good, _)| *good), "{second:?}");
        }
    }
}

/// The three parties of a hosted duel, and legal orders of both players.
fn duel() -> (Vec<Party>, Vec<Post>, Secrets) {
    let (agreed, text, players) = terms("wasp-frolic", &BTreeMap::new(), Mode::Hosted, 6);
    let history = History::begin(agreed, &text).unwrap();
    let parties: Vec<Party> = players.into_iter().map(|p| Party::new(p, history.clone())).collect();
    let mut numbers = Numbers(1);
    let mut lodged = Secrets::default();
    let posts = parties[..2].iter().map(|me| orders(me, &mut numbers, &[], &mut lodged, |_| ())).collect();
    (parties, posts, lodged)
}

/// A player's signed orders, changed before he signs them.
fn orders(
    me: &Party,
    numbers: &mut Numbers,
    before: &[Post],
    lodged: &mut Secrets,
    change: impl Fn(&mut StepFile),
) -> Post {
    let intent = Intent { answers: me.random_answers(numbers), ..Intent::default() };
    let out = me.player.hosted(&me.history, before, &intent, "2026-01-02T00:00:00Z").unwrap().unwrap();
    let mut file = out.file;
    lodged.extend(&out.openings);
    change(&mut file);
    own_post(me.player.sign(Namespace::Orders, &file).unwrap()).unwrap()
}

fn name_the_other(file: &mut StepFile) {
    file.names.insert(Seat::British, Digest([5; 32]));
}

fn turn_all_markers(file: &mut StepFile) {
    let markers: Vec<String> = file.seals.keys().filter(|slot| slot.contains("/marker/")).cloned().collect();
    for slot in markers {
        file.seals.remove(&slot);
        file.answers.insert(slot, Tree::Text("left".into()));
    }
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
    let (parties, mut posts, mut lodged) = duel();
    let legal = posts[0].clone();
    let host = &parties[2];
    type Bad = fn(&mut StepFile);
    for (bad, word) in [(name_the_other as Bad, "names something"), (turn_all_markers as Bad, "NAV-5.10")] {
        // Alone, it is as if nothing had come; behind a legal file, that one is taken and the refusal is in the log.
        posts[0] = orders(&parties[0], &mut Numbers(2), &[], &mut lodged, bad);
        let said = host
            .player
            .close_hosted(&host.history, &posts, &lodged, &common::host_words("2026-01-02T00:00:00Z"))
            .unwrap_err();
        assert!(said.what.contains("missing from: american"), "{}", said.what);
        posts[0] = orders(&parties[0], &mut Numbers(2), std::slice::from_ref(&legal), &mut lodged, bad);
        let mut both = posts.clone();
        both.push(legal.clone());
        let file = host
            .player
            .close_hosted(&host.history, &both, &lodged, &common::host_words("2026-01-02T00:00:00Z"))
            .unwrap();
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
    let (parties, posts, mut lodged) = duel();
    let host = &parties[2].player;
    let honest =
        host.close_hosted(&parties[2].history, &posts, &lodged, &common::host_words("2026-01-02T00:00:00Z")).unwrap();
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
    let second = orders(&parties[0], &mut Numbers(9), &posts[..1], &mut lodged, |_| ());
    let mut refusing = honest.clone();
    refusing.refuse.push(Refuse { file: second.filed.hash, rule: "it is against NAV-5.10".into() });
    let with = [posts[0].clone(), second, posts[1].clone()];
    assert!(close(&parties, &with, &refusing).unwrap_err().what.contains("refused a file"));
    let fault = forged(&with, &refusing);
    assert_eq!((fault.kind, fault.entry), (Kind::LegalRefused, 5), "{fault}");
    // An illegal file taken.
    let illegal = orders(&parties[0], &mut Numbers(2), &[], &mut lodged, turn_all_markers);
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
    let spare = orders(&parties[0], &mut Numbers(9), &posts[..1], &mut lodged, |_| ());
    assert_eq!(forged(&[posts[0].clone(), spare, posts[1].clone()], &honest).kind, Kind::Block);
}

/// At a REACT only what was played is open, for the other player as for everybody: the rest of the plot stays sealed in
/// the log, and the host opens it when it is played.
#[test]
fn a_react_in_a_hosted_game_opens_only_the_markers_played() {
    let (parties, _, mut lodged) = duel();
    let mut posts = Vec::new();
    for me in &parties[..2] {
        let mut answers = me.random_answers(&mut Numbers(3));
        for content in answers.values_mut() {
            let Tree::Map(mut plot) = Tree::from_json(content).unwrap() else { panic!("a plot") };
            plot.retain(|(key, _)| key != "react");
            plot.push(("react".into(), Tree::List(vec![Tree::Int(2)])));
            *content = Tree::Map(plot).to_json();
        }
        let intent = Intent { answers, ..Intent::default() };
        let out = me.player.hosted(&me.history, &[], &intent, "2026-01-02T00:00:00Z").unwrap().unwrap();
        lodged.extend(&out.openings);
        posts.push(own_post(me.player.sign(Namespace::Orders, &out.file).unwrap()).unwrap());
    }
    let host = &parties[2].player;
    let mut history = parties[0].history.clone();
    let file = host.close_hosted(&history, &posts, &lodged, &common::host_words("2026-01-02T00:00:00Z")).unwrap();
    let marker = |n: u32, file: &HostFile| file.opens.keys().any(|slot| slot.ends_with(&format!("/marker/{n}")));
    assert!(marker(1, &file) && marker(2, &file) && !marker(3, &file), "{:?}", file.opens.keys());
    // To open more than is due, less, or something else is against the protocol.
    let mut more = file.clone();
    more.opens.insert("t1/british/plot/marker/3".into(), lodged.0["t1/british/plot/marker/3"][0].clone());
    assert!(close(&parties, &posts, &more).unwrap_err().what.contains("not due"));
    let mut less = file.clone();
    less.opens.retain(|slot, _| !slot.ends_with("/marker/1"));
    assert!(close(&parties, &posts, &less).unwrap_err().what.contains("does not open"));
    let mut other = file.clone();
    other.opens.values_mut().for_each(|o| o.content = o.content.replace("straight", "stop"));
    assert!(close(&parties, &posts, &other).unwrap_err().what.contains("does not open"));
    let post = history.read_host(&host.sign(Namespace::Host, &file).unwrap()).unwrap();
    history.close_hosted(&posts, &post).unwrap().unwrap();
    assert!(history.unopened().keys().any(|slot| slot.ends_with("/marker/3")));
    assert!(history.wants().iter().any(|w| w.line().contains(" react ")));
    // Without what opens a file the host cannot take it.
    let choice = parties[0].history.choose_hosted(&posts, &Secrets::default());
    assert!(!choice.closes() && choice.unlodged.len() == 2 && choice.refuse.is_empty());
}
