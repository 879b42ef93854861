//! Strict games: the players bind and reveal as between two, the host relays, keeps the clock, adds his link.

mod common;

use std::collections::BTreeMap;

use common::strict::{Place, SENT, play, three};
use common::{Numbers, host_words};
use countersign::catalog;
use countersign::doc::{Clock, HostFile, Late, Refuse, SignedFile, parsed_digest};
use countersign::log::{
    End, Entry, HostWords, Intent, Kind, Lines, ResultEntry, check_protocol, read_host_file, read_step, verify,
};
use countersign::seal::{Digest, Namespace};
use countersign::side::Seat;

#[test]
fn strict_games_of_every_scenario_run_to_their_end_in_any_order_of_mail() {
    for (n, (id, _)) in catalog::SCENARIOS.iter().enumerate() {
        let (mut places, _) = three(id, None, 7);
        let log = play(&mut places, &mut Numbers(n as u64));
        let good = verify(&log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{id}: {f}"));
        assert!(good.history.end().is_some() && good.history.complete() && good.openings > 0);
        check_protocol(&log).unwrap_or_else(|f| panic!("{id}: {f}"));
    }
}

/// A step of a duel up to both plots named, and what a host may do with it.
fn opened(clock: Option<Clock>) -> (Vec<Place>, Vec<SignedFile>) {
    let (mut places, _) = three("wasp-frolic", clock, 7);
    let mut plots = Vec::new();
    for at in [0, 1] {
        let answers = places[at].party.random_answers(&mut Numbers(3));
        plots.push(places[at].send(&Intent { answers, ..Intent::default() }).unwrap());
    }
    (places, plots)
}

/// The log of the first entries with one more block: these files, and a result as if all were well.
fn with_block(places: &[Place], files: &[(Seat, SignedFile)]) -> Vec<u8> {
    let mut lines = Lines::default();
    let mut last = None;
    for line in places[2].party.history.log().lines() {
        match Entry::parse(line).unwrap() {
            Entry::File(entry) => drop(lines.file(entry.seat, &entry.signed().unwrap(), entry.parsed)),
            Entry::Result(entry) => {
                last = Some(entry.clone());
                lines.result(entry);
            }
        }
    }
    for (seat, signed) in files {
        let parsed = match read_host_file(signed) {
            Ok(file) => parsed_digest(&file),
            Err(_) => parsed_digest(&read_step(signed).unwrap()),
        };
        lines.file(*seat, signed, parsed);
    }
    let last = last.unwrap();
    lines.result(ResultEntry { step: last.step + 1, how: "resolved".into(), ..last });
    lines.bytes()
}

fn host_file(places: &[Place], change: impl Fn(&mut HostFile)) -> SignedFile {
    let host = &places[2].party;
    let mut file = host.player.notice(&host.history, &host_words(SENT));
    change(&mut file);
    host.player.sign(Namespace::Host, &file).unwrap()
}

fn kind(log: &[u8]) -> (Kind, usize) {
    let fault = verify(log, &catalog::embedded, None).map(drop).unwrap_err();
    (fault.kind, fault.entry)
}

#[test]
fn what_a_host_may_not_do_is_found_and_told_apart() {
    let clock = Clock { days: 3, late: Some(Late::DefaultOrders) };
    let (places, plots) = opened(Some(clock));
    let [a, b] = [&plots[0], &plots[1]];
    let block = |host: SignedFile| {
        with_block(&places, &[(Seat::American, a.clone()), (Seat::British, b.clone()), (Seat::Host, host)])
    };
    let both = || BTreeMap::from([(Seat::American, a.hash()), (Seat::British, b.hash())]);
    // Entries 0 to 3 are the terms and the opening; 4 and 5 the players' files; 6 the host's.
    let refused = host_file(&places, |file| {
        file.names = both();
        file.refuse = vec![Refuse { file: a.hash(), rule: "NAV-5.10: two turns in a row".into() }];
    });
    assert_eq!(kind(&block(refused)), (Kind::LegalRefused, 6));
    let late = host_file(&places, |file| {
        file.names = both();
        file.late = BTreeMap::from([(Seat::British, Late::DefaultOrders)]);
    });
    assert_eq!(kind(&block(late)), (Kind::FalseLate, 6));
    let link = places[2].party.player.relay(&places[2].party.history, &[], &host_words(SENT)).unwrap();
    assert_eq!(link, None, "an honest host has nothing to send yet");
    let wrong = host_file(&places, |file| {
        file.names = both();
        file.link = Some(Digest([7; 32]));
    });
    assert_eq!(kind(&block(wrong)), (Kind::Link, 6));
    let takes = host_file(&places, |file| file.takes = both());
    assert_eq!(kind(&block(takes)).0, Kind::IllegalOrder);
    // His link before both plots are named lets nobody see anything, and is against the rules all the same.
    let mut trial = places[2].party.history.clone();
    trial.hosts_at_hand(Vec::new());
    let posts = [a, b].map(|f| trial.read(f).unwrap());
    let honest = places[2].party.player.relay(&trial, &posts, &host_words(SENT)).unwrap().unwrap();
    assert!(honest.link.is_some() && honest.names == both());
    let early = host_file(&places, |file| {
        file.names = BTreeMap::from([(Seat::American, a.hash())]);
        file.link = honest.link;
    });
    assert_eq!(kind(&block(early)), (Kind::LinkTooEarly, 6));
    // A block without any file of the host, and one whose host's file is not the first.
    let none = with_block(&places, &[(Seat::American, a.clone()), (Seat::British, b.clone())]);
    assert_eq!(kind(&none).0, Kind::Block);
    let second = host_file(&places, |file| (file.n, file.prev, file.names) = (2, Some(Digest([3; 32])), both()));
    assert_eq!(kind(&block(second)).0, Kind::Block);
}

#[test]
fn a_players_link_needs_a_host_file_that_names_all_answers() {
    let (mut places, _) = opened(None);
    // Each has his own plot alone: nothing goes out, whatever else reaches him directly.
    let other = places[1].posts()[0].signed.clone();
    places[0].take(&[other]);
    assert!(places[0].send(&Intent::default()).is_none());
    // The host has one of them and names it: still nothing.
    let mine = places[0].posts()[0].signed.clone();
    places[2].take(&[mine]);
    let file = places[2].relay(&host_words(SENT)).unwrap();
    assert!(file.link.is_none() && file.names.len() == 1);
    let shown = places[2].shown();
    places[0].take(&shown);
    places[1].take(&shown);
    assert!(places[0].send(&Intent::default()).is_none());
    // The British player may still send another version of his plot, the American none.
    let may_answer = |place: &Place| place.party.history.settle(&place.party.posts).may_answer(place.seat());
    assert!(may_answer(&places[1]) && !may_answer(&places[0]));
    let theirs = places[1].posts().into_iter().find(|p| p.filed.file.seat == Seat::British).unwrap().signed;
    places[2].take(&[theirs]);
    let file = places[2].relay(&host_words(SENT)).unwrap();
    assert!(file.link.is_some(), "all answers are named: the host's link goes with them");
    let shown = places[2].shown();
    for at in [0, 1] {
        places[at].take(&shown);
        let signed = places[at].send(&Intent::default()).unwrap();
        assert!(read_step(&signed).unwrap().link.is_some());
    }
}

#[test]
fn a_false_late_after_the_dice_is_all_a_host_and_a_player_can_do_and_it_needs_the_clock() {
    // Both links are out but the British player's, whose file the host holds back: he may call him late only after the
    // time that he himself has signed before.
    let (mut places, plots) = opened(Some(Clock { days: 3, late: Some(Late::Forfeit) }));
    places[2].take(&plots);
    places[2].relay(&host_words(SENT)).unwrap();
    let late = |sent: &str| HostWords { late: true, ..host_words(sent) };
    assert!(places[2].relay(&late("2030-01-01T00:00:00Z")).is_none(), "nothing is due in the first step");
    // A notice sets the time; before it nobody is late, after it the British player has lost.
    let notice = places[2]
        .party
        .player
        .notice(&places[2].party.history, &HostWords { due: Some("2026-01-05T00:00:00Z".into()), ..host_words(SENT) });
    let signed = places[2].party.player.sign(Namespace::Host, &notice).unwrap();
    places[2].take(&[signed]);
    assert!(places[2].relay(&late("2026-01-04T00:00:00Z")).is_none());
    let file = places[2].relay(&late("2026-01-06T00:00:00Z")).unwrap();
    assert_eq!(file.late, BTreeMap::from([(Seat::American, Late::Forfeit), (Seat::British, Late::Forfeit)]));
    assert_eq!(places[2].party.history.end(), Some(&End::Draw), "both owed their links");
}
