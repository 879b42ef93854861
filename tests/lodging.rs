//! What players lodge with the host of a hosted game: it tells nobody else anything, not even by its length, opens for the
//! host alone, and in its place alone.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::Numbers;
use common::table::{Party, key, terms};
use countersign::catalog;
use countersign::doc::{Lodging, Mode, SignedFile};
use countersign::log::{
    History, Intent, Outgoing, Player, Secrets, Terms, read_acceptance, read_lodging, read_proposal, suits,
};
use countersign::seal::{Digest, LodgedFor, LodgingKey, Namespace, Opening, hpke};
use countersign::side::Seat;
use serde_json::{Value, json};

const SENT: &str = "2026-01-02T00:00:00Z";

fn parties(scenario: &str, table: u8) -> Vec<Party> {
    let (agreed, text, players) = terms(scenario, &BTreeMap::new(), Mode::Hosted, table);
    let history = History::begin(agreed, &text).unwrap();
    players.into_iter().map(|p| Party::new(p, history.clone())).collect()
}

/// A player's signed orders with these answers, and what he lodges beside them.
fn orders(me: &Party, answers: BTreeMap<String, String>) -> (Outgoing, SignedFile, Lodging) {
    let intent = Intent { answers, ..Intent::default() };
    let out = me.player.hosted(&me.history, &[], &intent, SENT).unwrap().unwrap();
    let signed = me.player.sign(Namespace::Orders, &out.file).unwrap();
    let lodging = me.player.lodging(&me.history, &out, &signed).unwrap().unwrap();
    (out, signed, lodging)
}

fn random(me: &Party, seed: u64) -> (Outgoing, SignedFile, Lodging) {
    orders(me, me.random_answers(&mut Numbers(seed)))
}

/// A plot with nothing but its markers, and the same with every word there is: for each ship its own orders against every
/// enemy, a designation for whatever the enemy does, everybody in the line of succession.
fn plots(me: &Party) -> [BTreeMap<String, String>; 2] {
    let state = me.history.game.naval().unwrap().played.state();
    let side = me.player.seat.side().unwrap();
    let names = |own: bool| -> Vec<String> {
        state.ships.iter().filter(|s| (s.side == side) == own).map(|s| s.id.0.clone()).collect()
    };
    let (ours, theirs) = (names(true), names(false));
    let guns = json!({ "starboard": "crossing-or-close", "port": "crossing-or-close", "targets": theirs });
    let boarding = json!({ "wish": { "if": { "lead": -11, "marines": 8 } }, "retreat_at": 8 });
    let each = |what: &Value| ours.iter().map(|id| (id.clone(), what.clone())).collect::<serde_json::Map<_, _>>();
    let with = json!({ "command": { "followers": ours } });
    let mut enemy = vec![json!({ "command": {} })];
    enemy.extend(theirs.iter().map(|id| json!({ "ship": { "id": id } })));
    let reactions: Vec<Value> = enemy.iter().map(|what| json!({ "if": what, "then": with })).collect();
    let mut full = json!({
        "order": { "moves_first": "enemy", "fires_first": "enemy" },
        "fire": { "all": guns, "ships": each(&guns) },
        "board": { "all": boarding, "ships": each(&boarding) },
    });
    if ours.len() > 1 {
        full["lead"] = json!({ "move_with": with, "reactions": reactions, "succession": ours });
    }
    let write = |conduct: &Value, marker: &str| {
        let sampled = me.random_answers(&mut Numbers(1));
        let change = |(slot, plot): (String, String)| {
            let mut plot: Value = serde_json::from_str(&plot).unwrap();
            for (n, step) in plot["steps"].as_array_mut().unwrap().iter_mut().enumerate() {
                step["conduct"] = conduct.clone();
                if step["marker"].is_string() && n == 0 {
                    step["marker"] = json!(marker);
                }
            }
            plot["react"] = json!([]);
            (slot, plot.to_string())
        };
        sampled.into_iter().map(change).collect()
    };
    [write(&json!({}), "stop"), write(&full, "straight")]
}

/// Whatever is chosen, a lodging is as long as any other of its seat and step: for a lone frigate and for squadrons.
#[test]
fn the_length_tells_nothing_of_the_plot() {
    let mut differ = 0;
    // Land games seal nothing, so nothing is lodged.
    let naval: Vec<_> = catalog::SCENARIOS.iter().filter(|(_, t)| catalog::ruleset_of(t) == catalog::NAVAL).collect();
    for (id, _) in &naval {
        let all = parties(id, 6);
        for me in &all[..2] {
            let answers = plots(me).into_iter().chain((0..8).map(|n| me.random_answers(&mut Numbers(n))));
            let (mut lengths, mut clear) = (BTreeSet::new(), BTreeSet::new());
            for answers in answers {
                let (out, _, lodging) = orders(me, answers);
                clear.insert(serde_json::to_string(&out.openings).unwrap().len());
                let signed = me.player.sign(Namespace::Orders, &lodging).unwrap().bytes().len();
                lengths.insert((out.openings.len(), lodging.ciphertext.len(), signed));
                assert_eq!(all[2].player.open_lodging(&me.history, &lodging).unwrap(), out.openings);
            }
            assert_eq!(lengths.len(), 1, "{id} {}: {lengths:?}, in clear {clear:?}", me.player.seat);
            differ += usize::from(clear.last().unwrap() - clear.first().unwrap() > 1000);
        }
    }
    assert_eq!(differ, 2 * naval.len(), "the plots themselves differ in length by far");
}

#[test]
fn nobody_but_the_host_of_the_game_opens_it() {
    let all = parties("wasp-frolic", 6);
    let (out, _, lodging) = random(&all[0], 1);
    let history = &all[2].history;
    assert_eq!(all[2].player.open_lodging(history, &lodging).unwrap(), out.openings);
    for other in [&all[0].player, &all[1].player, &Player::new(Seat::Host, key(9), &Digest([6; 32]))] {
        let why = other.open_lodging(history, &lodging).unwrap_err().to_string();
        assert!(why.contains("the sealed orders of the american player cannot be opened"), "{why}");
        assert!(why.contains("ask him to send his packet again"), "{why}");
    }
    // The same host at another table has another key.
    let other = parties("wasp-frolic", 7);
    assert_ne!(other[2].history.terms.lodging_key(), history.terms.lodging_key());
    assert!(other[2].player.open_lodging(&other[2].history, &lodging).is_err());
}

/// Who signs another's ciphertext as his own, or his own for another place, has the host open nothing.
#[test]
fn a_ciphertext_opens_in_its_place_alone() {
    let all = parties("wasp-frolic", 6);
    let (out, _, lodging) = random(&all[0], 1);
    let (_, theirs, _) = random(&all[1], 2);
    let host = &all[2];
    let stolen = Lodging { seat: Seat::British, file: theirs.hash(), ..lodging.clone() };
    let signed = all[1].player.sign(Namespace::Orders, &stolen).unwrap();
    assert_eq!(host.history.read_lodging(&signed).unwrap(), stolen, "well signed, and yet");
    let mut moved = vec![
        stolen,
        Lodging { seat: Seat::British, ..lodging.clone() },
        Lodging { file: theirs.hash(), ..lodging.clone() },
        Lodging { step: 2, ..lodging.clone() },
        Lodging { game: Digest([3; 32]), ..lodging.clone() },
        Lodging { enc: Digest([0; 32]), ..lodging.clone() },
    ];
    let bytes = STANDARD.decode(&lodging.ciphertext).unwrap();
    let mut put = |bytes: &[u8]| moved.push(Lodging { ciphertext: STANDARD.encode(bytes), ..lodging.clone() });
    put(&bytes[..bytes.len() - 1]);
    put(&bytes[..bytes.len() - 1024]);
    put(&[&bytes[..], &[0; 1024]].concat());
    put(&bytes[..16]);
    put(&[]);
    put(&vec![0; 1024 * 179 + 16]);
    let mut flipped = bytes;
    flipped[700] ^= 1;
    put(&flipped);
    moved.push(Lodging { ciphertext: "*".into(), ..lodging.clone() });
    moved.push(Lodging { ciphertext: lodging.ciphertext.trim_end_matches('=').to_owned() + "\n", ..lodging.clone() });
    for lodging in moved {
        assert!(host.player.open_lodging(&host.history, &lodging).is_err(), "{lodging:?}");
    }
    // What is inside has one spelling too.
    let to = host.history.terms.lodging_key().unwrap();
    let bound = LodgedFor { game: lodging.game, seat: lodging.seat, step: lodging.step, file: lodging.file };
    let json = serde_json::to_string(&out.openings).unwrap();
    let length = 1024 * out.openings.len();
    let opened = |plain: String| {
        let (enc, text) = hpke::encrypt(&key(1).root(), &to, &bound, plain.as_bytes()).unwrap();
        let made = Lodging { enc: Digest(enc), ciphertext: STANDARD.encode(text), ..lodging.clone() };
        host.player.open_lodging(&host.history, &made)
    };
    assert_eq!(opened(format!("{json:length$}")).unwrap(), out.openings);
    let longer = length + 1024;
    let none: BTreeMap<String, Opening> = BTreeMap::new();
    for plain in [
        json.clone(),
        format!("{json:longer$}"),
        format!("{json:>length$}"),
        format!("{:length$}", json.replacen(':', ": ", 1)),
        format!("{:1024}", serde_json::to_string(&none).unwrap()),
        " ".repeat(1024),
    ] {
        assert!(opened(plain).is_err());
    }
}

#[test]
fn a_lodging_counts_from_its_seats_key_alone() {
    let all = parties("wasp-frolic", 6);
    let (_, _, lodging) = random(&all[0], 1);
    let history = &all[2].history;
    let by = |n: usize, namespace, lodging: &Lodging| {
        history.read_lodging(&all[n].player.sign(namespace, lodging).unwrap()).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(by(0, Namespace::Orders, &lodging), Ok(()));
    for other in [1, 2] {
        let why = by(other, Namespace::Orders, &lodging).unwrap_err();
        assert!(why.contains("sealed orders of the american player does not count"), "{why}");
    }
    assert!(by(0, Namespace::Terms, &lodging).is_err());
    assert!(by(2, Namespace::Orders, &Lodging { seat: Seat::Host, ..lodging.clone() }).is_err());
    let why = by(0, Namespace::Orders, &Lodging { game: Digest([3; 32]), ..lodging.clone() }).unwrap_err();
    assert!(why.contains("another game"), "{why}");
    let signed = all[0].player.sign(Namespace::Orders, &Lodging { kind: "orders".into(), ..lodging }).unwrap();
    assert!(read_lodging(&signed).is_err());
}

/// A game in which nothing is lodged names no key for it, and the host of one in which it is names one.
#[test]
fn the_hosts_key_stands_in_the_terms_of_hosted_games_and_of_no_others() {
    let some = LodgingKey::try_from(Digest([9; 32])).unwrap();
    for mode in [Mode::Hosted, Mode::Strict, Mode::TwoSeats] {
        let (agreed, _, players) = terms("wasp-frolic", &BTreeMap::new(), mode, 6);
        assert_eq!(agreed.lodging_key().is_some(), mode == Mode::Hosted);
        let (proposal, acceptances) = agreed.files.split_first().unwrap();
        let typed = read_proposal(&proposal.1).unwrap();
        // A player who names one: as proposer, as the other.
        let mut mine = typed.clone();
        mine.who.lodging_key = Some(some);
        let why = read_proposal(&players[0].sign(Namespace::Terms, &mine).unwrap()).unwrap_err().to_string();
        assert!(why.contains("host of a hosted game alone"), "{why}");
        for (n, (seat, signed, _)) in acceptances.iter().enumerate() {
            let mut changed = read_acceptance(signed).unwrap();
            assert!(suits(&typed, &changed).is_ok());
            let host = mode == Mode::Hosted && *seat == Seat::Host;
            changed.who.lodging_key = if host { None } else { Some(some) };
            let why = suits(&typed, &changed).unwrap_err().to_string();
            let word = if host { "names no key" } else { "host of a hosted game alone" };
            assert!(why.contains(word), "{why}");
            let mut files: Vec<SignedFile> = acceptances.iter().map(|(_, signed, _)| signed.clone()).collect();
            files[n] = players[n + 1].sign(Namespace::Terms, &changed).unwrap();
            assert!(Terms::join(&proposal.1, &files).is_err());
        }
    }
}

/// Whoever puts his own key in the place of the host's breaks the host's signature, or makes another game.
#[test]
fn the_hosts_key_cannot_be_exchanged() {
    let (agreed, _, players) = terms("wasp-frolic", &BTreeMap::new(), Mode::Hosted, 6);
    let files: Vec<SignedFile> = agreed.files.iter().map(|(_, signed, _)| signed.clone()).collect();
    let mut host = read_acceptance(&files[2]).unwrap();
    host.who.lodging_key = Some(players[0].lodging_key(&Digest([6; 32])));
    let mut swapped = files[2].clone();
    let line = |key: LodgingKey| format!("\"lodging_key\": \"{}\"", Digest::from(key));
    let (from, to) = (line(agreed.lodging_key().unwrap()), line(host.who.lodging_key.unwrap()));
    assert!(swapped.document.contains(&from));
    swapped.document = swapped.document.replace(&from, &to);
    assert!(read_acceptance(&swapped).is_err(), "not what the host has signed");
    let signed = players[2].sign(Namespace::Terms, &host).unwrap();
    let other = Terms::join(&files[0], &[files[1].clone(), signed]).unwrap();
    assert_ne!(other.game, agreed.game);
    // Keys that let anybody read, or are written a second way, are not read.
    for bad in ["00".repeat(32), "ff".repeat(32), "01".to_owned() + &"00".repeat(31)] {
        let mut bad_file = files[2].clone();
        bad_file.document = bad_file.document.replace(&from, &format!("\"lodging_key\": \"{bad}\""));
        let why = read_acceptance(&bad_file).unwrap_err().to_string();
        assert!(why.contains("key of the host"), "{why}");
    }
}

/// The same orders make the same lodging, and what opens them is all in it: a folder that lost its copy makes it again.
#[test]
fn a_lodging_can_be_made_again() {
    let all = parties("wasp-frolic", 6);
    let (out, signed, lodging) = random(&all[0], 1);
    assert_eq!(all[0].player.lodging(&all[0].history, &out, &signed).unwrap(), Some(lodging.clone()));
    let mut lodged = Secrets::default();
    lodged.extend(&all[2].player.open_lodging(&all[2].history, &lodging).unwrap());
    assert!(all[2].history.opens_all(&out.file, &lodged));
    lodged.0.pop_first();
    assert!(!all[2].history.opens_all(&out.file, &lodged));
}
