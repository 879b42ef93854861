//! Keys and chains that change while a game runs: a lost key, a recovery key, another player, a new chain. Each from both
//! sides, the log verified afterwards by both implementations.

mod common;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::Numbers;
use common::table::{Party, key, two};
use countersign::catalog;
use countersign::doc::{ChainTip, Identity, SignedFile};
use countersign::log::{Entry, FileEntry, Intent, Kind, Matter, Player, Verified, check_protocol, verify};
use countersign::seal::{CHAIN_LENGTH, Digest, Namespace, sha256};
use countersign::side::Seat;

fn deliver(parties: &mut [Party], me: usize) {
    for signed in std::mem::take(&mut parties[me].out) {
        parties[1 - me].receive(&signed);
    }
}

fn step(parties: &mut [Party], seed: u64) {
    let step = parties[0].history.step();
    for _ in 0..8 {
        for me in [0, 1] {
            if parties[me].history.step() == step {
                let fresh = parties[me].to_answer();
                let answers =
                    if fresh { parties[me].random_answers(&mut Numbers(seed + me as u64)) } else { BTreeMap::new() };
                parties[me].send(&Intent { answers, ..Intent::default() });
                deliver(parties, me);
            }
        }
    }
    assert_eq!([parties[0].history.step(), parties[1].history.step()], [step + 1, step + 1]);
}

/// A request of a new key for the British seat.
fn request(party: &Party, n: u8, player: &str) -> (Player, SignedFile) {
    let (history, seat) = (&party.history, party.player.seat);
    let number = history.seat(seat).unwrap().chain.number + 1;
    let new = Player::on_chain(seat, key(n), &history.terms.proposal.table, number, history.step());
    let chain = ChainTip { tip: new.tip(), length: CHAIN_LENGTH };
    let who = Identity { player: player.into(), key: key(n).public().line(), chain, recovery: None, lodging_key: None };
    let signed = new.sign(Namespace::Key, &new.request(history, who, "2026-01-03T00:00:00Z")).unwrap();
    (new, signed)
}

fn good(parties: &[Party]) -> Verified {
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert!(logs[0] == logs[1], "the logs differ");
    check_protocol(&logs[0]).unwrap_or_else(|f| panic!("{f}"));
    let second = common::second_implementation(&logs[0]);
    assert!(second.as_ref().is_none_or(|(good, _)| *good), "{second:?}");
    verify(&logs[0], &catalog::embedded, None).unwrap_or_else(|f| panic!("{f}"))
}

/// Both have the request; the American accepts; the British seat plays on with the new key.
fn take_over(parties: &mut [Party], n: u8, player: &str) -> SignedFile {
    let (new, signed) = request(&parties[1], n, player);
    for party in parties.iter_mut() {
        let post = party.history.read_key(&signed).unwrap();
        party.history.keys_at_hand(vec![post]);
    }
    assert!(!parties[0].send(&Intent { agree: true, ..Intent::default() }), "a key is accepted by name alone");
    assert!(parties[0].send(&Intent { agree: true, key: Some(signed.hash()), ..Intent::default() }));
    deliver(parties, 0);
    parties[1].player = new;
    signed
}

#[test]
fn a_lost_key_is_replaced_when_the_other_accepts_and_the_log_says_so() {
    let mut parties = two("wasp-frolic", 1);
    step(&mut parties, 1);
    take_over(&mut parties, 9, "Bob, at his new computer");
    assert_eq!(parties[0].history.step(), 3);
    step(&mut parties, 2);
    step(&mut parties, 3);
    // The old key is nobody's any more.
    let old = Player::new(Seat::British, key(2), &parties[1].history.terms.proposal.table);
    let (history, posts) = (&parties[1].history, &parties[1].posts);
    let intent = Intent { answers: parties[1].random_answers(&mut Numbers(5)), ..Intent::default() };
    let file = old.next(history, posts, &parties[1].secrets, &intent, "2026-01-04T00:00:00Z").unwrap().unwrap().file;
    let said = parties[0].history.read(&old.sign(Namespace::Orders, &file).unwrap()).unwrap_err();
    assert!(said.what.contains("another key"), "{}", said.what);
    let verified = good(&parties);
    let [agreement] = verified.history.agreements() else { panic!("one agreement") };
    assert!(matches!(&agreement.matter, Matter::Key { player, recovery: false } if player.contains("new computer")));
    assert!(agreement.leaves_the_rules(), "on the other player's word alone");
    assert_eq!(verified.history.allowed_signers().lines().count(), 3);
    // A second one, by another person.
    take_over(&mut parties, 10, "Carl");
    step(&mut parties, 4);
    assert_eq!(good(&parties).history.seat(Seat::British).unwrap().player, "Carl");
}

/// Sealed before, opened after: the new player has the openings of the old.
#[test]
fn seals_outlive_a_change_of_key() {
    let mut parties = two("wasp-frolic", 2);
    for me in [0, 1] {
        let mut answers = parties[me].random_answers(&mut Numbers(3));
        for content in answers.values_mut() {
            let countersign::doc::Tree::Map(mut plot) = countersign::doc::Tree::from_json(content).unwrap() else {
                panic!("a plot")
            };
            plot.retain(|(key, _)| key != "react");
            plot.push(("react".into(), countersign::doc::Tree::List(vec![countersign::doc::Tree::Int(2)])));
            *content = countersign::doc::Tree::Map(plot).to_json();
        }
        assert!(parties[me].send(&Intent { answers, ..Intent::default() }));
        deliver(&mut parties, me);
    }
    for me in [0, 1, 0, 1] {
        parties[me].send(&Intent::default());
        deliver(&mut parties, me);
    }
    assert!(parties[1].history.unopened().values().any(|open| open.seat == Seat::British));
    take_over(&mut parties, 9, "Bob");
    while parties[0].history.unopened().keys().any(|slot| slot.starts_with("t1/british/plot/marker")) {
        step(&mut parties, 5);
    }
    good(&parties);
}

#[test]
fn keys_and_chains_in_use_and_foreign_requests_are_refused() {
    let mut parties = two("wasp-frolic", 3);
    let refused = |party: &Party, signed: &SignedFile| party.history.read_key(signed).unwrap_err().what;
    let (_, own) = request(&parties[1], 2, "Bob");
    assert!(refused(&parties[0], &own).contains("in use"));
    let (_, fresh) = request(&parties[1], 9, "Bob");
    assert!(parties[0].history.read_key(&fresh).is_ok());
    step(&mut parties, 1);
    assert!(refused(&parties[0], &fresh).contains("another game, step"));
    let (stranger, _) = request(&parties[1], 9, "Bob");
    let chain = ChainTip { tip: stranger.tip(), length: CHAIN_LENGTH };
    let who = Identity { player: "Eve".into(), key: key(8).public().line(), chain, recovery: None, lodging_key: None };
    let file = stranger.request(&parties[1].history, who, "2026-01-03T00:00:00Z");
    assert!(refused(&parties[0], &stranger.sign(Namespace::Key, &file).unwrap()).contains("another key"));
    // Nobody accepts it: it stands in no log and changes nothing.
    let (_, fresh) = request(&parties[1], 9, "Bob");
    let post = parties[0].history.read_key(&fresh).unwrap();
    parties[0].history.keys_at_hand(vec![post]);
    step(&mut parties, 2);
    assert!(good(&parties).history.agreements().is_empty());
}

#[test]
fn a_new_chain_counts_from_the_next_step_on() {
    let mut parties = two("wasp-frolic", 4);
    step(&mut parties, 1);
    let (history, seat) = (&parties[0].history, parties[0].player.seat);
    let new = Player::on_chain(seat, key(1), &history.terms.proposal.table, 1, history.step());
    let tip = ChainTip { tip: new.tip(), length: CHAIN_LENGTH };
    let answers = parties[0].random_answers(&mut Numbers(7));
    assert!(parties[0].send(&Intent { answers, chain: Some(tip), ..Intent::default() }));
    deliver(&mut parties, 0);
    step(&mut parties, 8);
    parties[0].player = new;
    step(&mut parties, 9);
    let verified = good(&parties);
    let chain = verified.history.seat(seat).unwrap().chain;
    assert_eq!((chain.number, chain.base, chain.tip), (1, 2, tip.tip));
}

/// A log in which a key takes a seat without an acceptance.
#[test]
fn a_key_nobody_accepted_is_a_fault() {
    let mut parties = two("wasp-frolic", 5);
    step(&mut parties, 1);
    let (_, signed) = request(&parties[1], 9, "Eve");
    take_over(&mut parties, 9, "Bob");
    let log = String::from_utf8(parties[0].history.log().bytes()).unwrap();
    let mut lines: Vec<String> = log.lines().map(str::to_owned).collect();
    let is_request = |line: &String| matches!(Entry::parse(line), Ok(Entry::File(e)) if e.signed().unwrap().signature.is_for(Namespace::Key));
    let at = lines.iter().position(is_request).unwrap();
    let (file, sig) = (STANDARD.encode(&signed.document), STANDARD.encode(signed.signature.blob()));
    let parsed = countersign::doc::parsed_digest(&countersign::log::read_key_file(&signed).unwrap());
    let extra = FileEntry { i: at, prev: Digest([0; 32]), kind: "file".into(), seat: Seat::British, file, sig, parsed };
    lines.insert(at, Entry::File(extra).line());
    let mut prev = Digest([0; 32]);
    let mut bytes = String::new();
    for (i, line) in lines.iter().enumerate() {
        let mut entry = Entry::parse(line).unwrap();
        match &mut entry {
            Entry::File(e) => (e.i, e.prev) = (i, prev),
            Entry::Result(e) => (e.i, e.prev) = (i, prev),
        }
        prev = sha256(entry.line().as_bytes());
        bytes += &format!("{}\n", entry.line());
    }
    let fault = verify(bytes.as_bytes(), &catalog::embedded, None).unwrap_err();
    assert_eq!(fault.kind, Kind::Block, "{fault}");
    assert!(check_protocol(bytes.as_bytes()).is_err());
    let second = common::second_implementation(bytes.as_bytes());
    assert!(second.as_ref().is_none_or(|(good, _)| !*good), "{second:?}");
}

/// The scene of README: Bob has lost his key; Anna knows his voice.
#[cfg(feature = "cli")]
#[test]
fn a_lost_key_by_the_commands() {
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    fn run(dir: &Path, args: &str) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let out = command.args(args.split(' ')).current_dir(dir).stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
    }
    fn carry(from: &Path, to: &Path) -> String {
        let out = std::fs::read_dir(from.join("out")).unwrap().map(|e| e.unwrap().path());
        let mut packets: Vec<PathBuf> = out.filter(|p| p.extension().is_some_and(|e| e == "packet")).collect();
        packets.sort_by_key(|p| std::fs::metadata(p).unwrap().modified().unwrap());
        run(to, &format!("adjudicate {}", packets.pop().unwrap().display()))
    }

    let home = tempfile::tempdir().unwrap();
    let at = home.path();
    for name in ["anna", "bob", "new", "spare"] {
        run(at, &format!("key new --file {name}.key --no-passphrase"));
    }
    run(at, "new --scenario wasp-frolic --seat american --player Anna --folder anna --key anna.key");
    run(at, "accept anna/out/proposal.packet --player Bob --folder bob --key bob.key --recovery spare.pub");
    let (anna, bob) = (at.join("anna"), at.join("bob"));
    run(&anna, "adjudicate ../bob/out/acceptance.packet");
    let turn = || {
        for (me, other) in [(&anna, &bob), (&bob, &anna)] {
            run(me, "orders new --force");
            let said = run(me, "orders sign --unchanged");
            assert!(said.contains("Send this file") || said.contains("Mail this file"), "{said}");
            carry(me, other);
        }
        carry(&anna, &bob);
    };
    turn();
    for (key, words) in [("new", "ANYBODY could have made it"), ("spare", "the recovery key he named")] {
        for lost in ["bob.key", "new.key"] {
            let _ = std::fs::rename(at.join(lost), at.join(format!("{lost}.away")));
            if key == "new" {
                let _ = std::fs::rename(at.join("new.key.away"), at.join("new.key"));
            }
        }
        let said = run(&bob, &format!("key replace --file ../{key}.key"));
        assert!(said.contains("by telephone"), "{said}");
        let said = carry(&bob, &anna);
        assert!(said.contains("A NEW KEY ASKS FOR THE BRITISH SEAT") && said.contains(words), "{said}");
        assert!(run(&anna, "agree").contains("name the key you accept"));
        let letters = said.split("agree --key ").nth(1).unwrap().split_whitespace().next().unwrap();
        let said = run(&anna, &format!("agree --key {letters}"));
        assert!(said.contains("You accept:"), "{said}");
        carry(&anna, &bob);
        turn();
    }
    let logs = [&anna, &bob].map(|dir| std::fs::read(dir.join("game.log")).unwrap());
    assert!(logs[0] == logs[1]);
    let said = run(&anna, "verify");
    assert!(said.starts_with("GOOD") && said.contains("on the other player's word alone"), "{said}");
}
