//! Attacks that once worked, each with what it would have won: whoever tries one again wins nothing.

mod common;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use common::Numbers;
use common::table::{Party, key, terms, two, two_with};
use countersign::catalog;
use countersign::doc::{ChainTip, Identity, Mode, Offer, Packet, SignedFile, Tree};
use countersign::log::{History, Intent, Player, Post, Secrets, check_protocol, own_post, verify};
use countersign::seal::{CHAIN_LENGTH, Digest, Namespace};
use countersign::side::Seat;

const SENT: &str = "2026-01-02T00:00:00Z";

fn deliver(parties: &mut [Party], me: usize) {
    for signed in std::mem::take(&mut parties[me].out) {
        parties[1 - me].receive(&signed);
    }
}

fn post(parties: &mut [Party], me: usize, intent: &Intent) {
    assert!(parties[me].send(intent), "nothing to send: {intent:?}");
    deliver(parties, me);
}

fn offer(offer: Offer) -> Intent {
    Intent { offer: Some(offer), ..Intent::default() }
}

fn agree() -> Intent {
    Intent { agree: true, ..Intent::default() }
}

fn pause() -> Offer {
    Offer::Pause { until: "Easter".into(), reason: "away".into() }
}

fn no_react(content: &str) -> String {
    let Tree::Map(mut fields) = Tree::from_json(content).unwrap() else { panic!("a plot") };
    fields.retain(|(name, _)| name != "react");
    Tree::Map(fields).to_json()
}

fn orders(party: &Party, seed: u64) -> Intent {
    let answers = party.random_answers(&mut Numbers(seed));
    Intent { answers: answers.into_iter().map(|(slot, c)| (slot, no_react(&c))).collect(), ..Intent::default() }
}

fn turn(parties: &mut [Party], seed: u64) {
    let i = orders(&parties[0], seed);
    post(parties, 0, &i);
    let i = orders(&parties[1], seed + 1000);
    post(parties, 1, &i);
    post(parties, 0, &Intent::default());
}

fn key_request(history: &History, seat: Seat, n: u8, player: &str) -> (Player, SignedFile) {
    let number = history.seat(seat).unwrap().chain.number + 1;
    let new = Player::on_chain(seat, key(n), &history.terms.proposal.table, number, history.step());
    let chain = ChainTip { tip: new.tip(), length: CHAIN_LENGTH };
    let who = Identity { player: player.into(), key: key(n).public().line(), chain, recovery: None, lodging_key: None };
    let signed = new.sign(Namespace::Key, &new.request(history, who, SENT)).unwrap();
    (new, signed)
}

/// Whether every verifier takes a log.
fn good(log: &[u8]) -> bool {
    let verdicts = [verify(log, &catalog::embedded, None).is_ok(), check_protocol(log).is_ok()];
    let second = common::second_implementation(log).is_none_or(|(good, _)| good);
    assert!(verdicts.iter().all(|v| *v == verdicts[0]) && second == verdicts[0], "{verdicts:?} {second}");
    second
}

/// A pause in a step that begins with dice would have locked the game: the dice took a seed that never came.
#[test]
fn a_pause_on_a_step_that_begins_with_dice() {
    let rulings = BTreeMap::from([("N06".to_owned(), "roll".to_owned())]);
    let mut parties = two_with("wasp-frolic", &rulings, 3);
    post(&mut parties, 0, &offer(pause()));
    post(&mut parties, 1, &agree());
    for me in [0, 1, 0, 1] {
        parties[me].send(&Intent::default());
        deliver(&mut parties, me);
    }
    assert_eq!(parties[0].history.step(), 3);
    assert!(good(&parties[0].history.log().bytes()));
}

/// Take-backs of the open step doubled the work of every verifier, one after the other.
#[test]
fn many_take_backs_cost_little() {
    let mut parties = two("wasp-frolic", 2);
    let begin = Instant::now();
    for _ in 0..30 {
        let step = parties[0].history.step();
        let forgets = parties[0].history.forgets(step).unwrap();
        post(&mut parties, 0, &offer(Offer::Restart { step, forgets }));
        post(&mut parties, 1, &agree());
    }
    assert!(good(&parties[0].history.log().bytes()));
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

/// With the dice known, a key of one's own for the other's seat, and a step that is asked again.
#[test]
fn take_the_opponents_seat_after_seeing_dice() {
    let mut parties = two("wasp-frolic", 2);
    turn(&mut parties, 1);
    let i = orders(&parties[0], 5);
    post(&mut parties, 0, &i);
    let i = orders(&parties[1], 6);
    post(&mut parties, 1, &i); // British answer + link: the American knows the dice of step 2
    let linked = parties[0].history.settle(&parties[0].posts).seats[&Seat::British].linked;
    assert!(linked.is_some());
    let (_, forged) = key_request(&parties[0].history, Seat::British, 66, "Bob, honest");
    for p in parties.iter_mut() {
        let k = p.history.read_key(&forged).unwrap();
        p.history.keys_at_hand(vec![k]);
    }
    let took = parties[0].send(&Intent { key: Some(forged.hash()), ..agree() });
    assert!(!took && parties[0].history.step() == 2);
    post(&mut parties, 0, &Intent::default());
    assert_eq!(parties[1].history.step(), 3);
}

/// The players of a hosted game close a step among themselves.
#[test]
fn a_hosted_log_without_its_host_is_no_log() {
    let (agreed, text, mut players) = terms("wasp-frolic", &BTreeMap::new(), Mode::Hosted, 6);
    players.truncate(2);
    let history = History::begin(agreed, &text).unwrap();
    let mut parties: Vec<Party> = players.into_iter().map(|p| Party::new(p, history.clone())).collect();
    post(&mut parties, 0, &offer(Offer::Draw));
    post(&mut parties, 1, &agree());
    assert!(!good(&parties[0].history.log().bytes()));
}

/// A second link, true or false, behind the first: one verifier called the honest log bad.
#[test]
fn a_link_sent_twice_is_talk() {
    for (name, other) in [("same", None), ("other", Some(Digest([9; 32])))] {
        let mut parties = two("wasp-frolic", 2);
        let i = orders(&parties[0], 5);
        post(&mut parties, 0, &i);
        let i = orders(&parties[1], 6);
        post(&mut parties, 1, &i);
        let first = parties[1].posts.last().unwrap().filed.clone();
        assert_eq!(first.file.n, 1);
        let mut second = first.file.clone();
        second.n = 2;
        second.prev = Some(first.hash);
        second.answers.clear();
        second.seals.clear();
        second.opens.clear();
        second.say = Some("again".into());
        second.link = other.or(second.link);
        let signed = parties[1].player.sign(Namespace::Orders, &second).unwrap();
        parties[1].posts.push(own_post(signed.clone()).unwrap());
        parties[0].receive(&signed);
        post(&mut parties, 0, &Intent::default());
        assert!(parties.iter().all(|p| p.history.step() == 2), "{name}");
        assert!(good(&parties[0].history.log().bytes()), "{name}");
    }
}

/// Orders signed beside a standing offer carried the link: the other could accept with the dice known.
#[test]
fn answer_links_under_own_offer() {
    let mut parties = two("wasp-frolic", 2);
    let i = orders(&parties[0], 5);
    post(&mut parties, 0, &i);
    post(&mut parties, 1, &offer(pause()));
    let i = orders(&parties[1], 6);
    post(&mut parties, 1, &i);
    let linked = parties[0].history.settle(&parties[0].posts).seats[&Seat::British].linked;
    assert!(linked.is_none());
}

/// A name that points nowhere: the honest link left, and nothing could close the step.
#[test]
fn a_file_that_names_what_nobody_has_counts_for_nothing() {
    let mut parties = two("wasp-frolic", 2);
    let i = orders(&parties[0], 5);
    let out = parties[0].player.next(&parties[0].history, &[], &parties[0].secrets, &i, SENT).unwrap().unwrap();
    let mut file = out.file;
    file.names.insert(Seat::British, Digest([5; 32]));
    let signed = parties[0].player.sign(Namespace::Orders, &file).unwrap();
    parties[1].receive(&signed);
    let i = orders(&parties[1], 6);
    assert!(parties[1].send(&i));
    let standing = parties[1].history.settle(&parties[1].posts);
    assert!(standing.seats[&Seat::British].linked.is_none() && standing.seats[&Seat::American].chain.is_empty());
    // The honest file of the same number closes the step.
    parties[1].out.clear();
    let mut honest = two("wasp-frolic", 2);
    let i = orders(&honest[0], 5);
    assert!(honest[0].send(&i));
    deliver(&mut honest, 0);
    assert_eq!(honest[1].history.settle(&honest[1].posts).seats[&Seat::American].chain.len(), 1);
}

#[cfg(feature = "cli")]
mod folders {
    use super::*;
    use countersign::store::{Content, Folder, Owner, Table};

    fn make(dir: &std::path::Path, seat: Seat, history: &History, text: &str) -> Folder {
        let folder = Folder::create(&dir.join(seat.word())).unwrap();
        for (_, signed, _) in &history.terms.files {
            folder.keep(signed).unwrap();
        }
        folder.write("scenario.yaml", text.as_bytes()).unwrap();
        folder.set_owner(&Owner { seat, key: "nowhere".into(), next: None }).unwrap();
        folder
    }

    fn table(folder: &Folder) -> Table {
        match folder.load().unwrap() {
            Content::Game(t) => *t,
            Content::Proposed { .. } => panic!(),
        }
    }

    fn packet(files: &[&SignedFile]) -> Packet {
        Packet { files: files.iter().map(|f| f.bytes()).collect() }
    }

    /// A host's file that came before what it takes locked the folder; a second one of his rewrote a closed step.
    #[test]
    fn a4_host_file_before_the_files_it_takes() {
        let home = tempfile::tempdir().unwrap();
        let (agreed, text, players) = terms("wasp-frolic", &BTreeMap::new(), Mode::Hosted, 6);
        let history = History::begin(agreed, &text).unwrap();
        let folder = make(home.path(), Seat::American, &history, &text);
        let mut lodged = Secrets::default();
        let mut versions: Vec<Vec<Post>> = Vec::new();
        for seed in [1, 2] {
            let mut posts = Vec::new();
            for me in &players[..2] {
                let party = Party::new(
                    Player::new(me.seat, key(if me.seat == Seat::American { 1 } else { 2 }), &Digest([6; 32])),
                    history.clone(),
                );
                let answers = party.random_answers(&mut Numbers(seed));
                let out = me.hosted(&history, &[], &Intent { answers, ..Intent::default() }, SENT).unwrap().unwrap();
                lodged.extend(&out.openings);
                posts.push(own_post(me.sign(Namespace::Orders, &out.file).unwrap()).unwrap());
            }
            versions.push(posts);
        }
        let close = |posts: &[Post], sent: &str| {
            let file = players[2].close_hosted(&history, posts, &lodged, &common::host_words(sent)).unwrap();
            players[2].sign(Namespace::Host, &file).unwrap()
        };
        let host = close(&versions[0], SENT);
        let (a, b) = (&versions[0][0].signed, &versions[0][1].signed);
        folder.take(&[packet(&[a])]).unwrap();
        folder.take(&[packet(&[&host])]).unwrap();
        let all = folder.take(&[packet(&[a, b, &host])]).map_err(|e| e.to_string());
        // 4b: a second host's file rewrites the step.
        let home2 = tempfile::tempdir().unwrap();
        let folder2 = make(home2.path(), Seat::American, &history, &text);
        folder2.take(&[packet(&[a, b, &host])]).unwrap();
        let before = table(&folder2).history.log().bytes();
        let b2 = &versions[1][1];
        let mut n = 0;
        let second = loop {
            n += 1;
            let s = close(&[versions[0][0].clone(), b2.clone()], &format!("2026-01-02T00:00:{:02}Z", n % 60));
            if s.hash() < host.hash() {
                break s;
            }
            assert!(n < 50);
        };
        folder2.take(&[packet(&[&b2.signed, &second])]).unwrap();
        let after = table(&folder2).history.log().bytes();
        assert!(after.starts_with(&before), "a second file of the host rewrites a closed step");
        assert!(all.is_ok(), "{all:?}");
        assert_eq!(table(&folder).history.step(), 2);
    }

    /// A second version of the file that closed a step, made later with the dice known.
    #[test]
    fn a_closed_step_stays_closed() {
        let home = tempfile::tempdir().unwrap();
        let mut parties = two("wasp-frolic", 2);
        let text = catalog::embedded("wasp-frolic").unwrap();
        let folder = make(home.path(), Seat::American, &parties[0].history, &text);
        let mut files: Vec<SignedFile> = Vec::new();
        let start = parties[1].history.clone();
        let mut before_last = Vec::new();
        for me in [0, 1, 0] {
            let i = if parties[me].to_answer() { orders(&parties[me], 5) } else { Intent::default() };
            before_last = parties[1].posts.clone();
            assert!(parties[me].send(&i));
            files.extend(parties[me].out.clone());
            deliver(&mut parties, me);
        }
        folder.take(&[packet(&files.iter().collect::<Vec<_>>())]).unwrap();
        let closed = table(&folder).history.log().bytes();
        assert_eq!(table(&folder).history.step(), 2);
        // The American's own closing file once more with other words, until its hash is the lower one.
        let last = read_last(&files);
        let american = Player::new(Seat::American, key(1), &start.terms.proposal.table);
        let other = (0..200)
            .map(|n| {
                let mut file = last.clone();
                file.say = Some(format!("version {n}"));
                american.sign(Namespace::Orders, &file).unwrap()
            })
            .find(|signed| signed.hash() < files.last().unwrap().hash())
            .unwrap();
        folder.take(&[packet(&[&other])]).unwrap();
        assert!(table(&folder).history.log().bytes() == closed, "{before_last:?}");
        assert!(std::fs::read_dir(home.path().join("american/evidence")).unwrap().count() > 0);
    }

    fn read_last(files: &[SignedFile]) -> countersign::doc::StepFile {
        countersign::log::read_step(files.last().unwrap()).unwrap()
    }
}
