//! Strict games: the players bind and reveal as between two, the host relays, keeps the clock, adds his link.

mod common;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::strict::{Place, SENT, play, three};
use common::table::key;
use common::{Numbers, host_words};
use countersign::catalog;
use countersign::doc::{
    ChainTip, Clock, HostFile, Identity, Late, Offer, Pause, Refuse, SignedFile, StepFile, Tree, parsed_digest,
};
use countersign::log::{
    End, Entry, HostWords, Intent, Kind, Lines, Player, ResultEntry, check_protocol, read_host_file, read_step, verify,
};
use countersign::seal::{CHAIN_LENGTH, Digest, Namespace, Opening, sha256};
use countersign::side::Seat;

/// A log that both implementations take.
fn sound(log: &[u8], name: &str) {
    verify(log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{name}: {f}"));
    check_protocol(log).unwrap_or_else(|f| panic!("{name}: {f}"));
    let second = common::second_implementation(log);
    assert!(second.as_ref().is_none_or(|(good, _)| *good), "{name}: {second:?}");
}

#[test]
fn strict_games_of_every_scenario_run_to_their_end_in_any_order_of_mail() {
    for (n, (id, _)) in catalog::SCENARIOS.iter().enumerate() {
        let (mut places, _) = three(id, None, 7);
        let log = play(&mut places, &mut Numbers(n as u64));
        let good = verify(&log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{id}: {f}"));
        let seals = good.history.game.naval().is_some();
        assert!(good.history.end().is_some() && good.history.complete() && (good.openings > 0) == seals);
        check_protocol(&log).unwrap_or_else(|f| panic!("{id}: {f}"));
        if n < 3 {
            sound(&log, id);
        }
    }
}

const AMERICAN: usize = 0;
const BRITISH: usize = 1;
const HOST: usize = 2;

/// Everything the host shows goes to both.
fn show(places: &mut [Place]) {
    let shown = places[HOST].shown();
    places[AMERICAN].take(&shown);
    places[BRITISH].take(&shown);
}

/// The host passes on what he has, with these words.
fn relay(places: &mut [Place], words: &HostWords) -> Option<HostFile> {
    let file = places[HOST].relay(words);
    show(places);
    file
}

fn said() -> HostWords {
    host_words(SENT)
}

/// A player's file as his program makes it, changed and signed; it goes to the host.
fn forge(places: &mut [Place], of: usize, intent: &Intent, change: impl Fn(&mut StepFile)) -> Digest {
    let (history, party) = (places[of].party.history.clone(), &places[of].party);
    let next = party.player.next(&history, &party.posts, &party.secrets, intent, SENT).unwrap();
    let mut file = next.unwrap().file;
    change(&mut file);
    let signed = party.player.sign(Namespace::Orders, &file).unwrap();
    places[of].take(std::slice::from_ref(&signed));
    places[HOST].take(std::slice::from_ref(&signed));
    signed.hash()
}

/// A host's file of his own making, which goes to both.
fn forge_host(places: &mut [Place], change: impl Fn(&mut HostFile)) {
    let mut file = places[HOST].party.player.notice(&places[HOST].party.history, &said());
    change(&mut file);
    let signed = places[HOST].party.player.sign(Namespace::Host, &file).unwrap();
    places[HOST].take(&[signed]);
    show(places);
}

/// A player's next file to the host.
fn send(places: &mut [Place], of: usize, intent: &Intent) {
    let signed = places[of].send(intent).unwrap();
    places[HOST].take(&[signed]);
}

fn answer(places: &mut [Place], of: usize, numbers: &mut Numbers) {
    let answers = places[of].party.random_answers(numbers);
    send(places, of, &Intent { answers, ..Intent::default() });
}

/// Both have sealed, the host has named both and linked.
fn sealed(late: Option<Late>) -> Vec<Place> {
    let clock = Clock::of(7, late);
    let (mut places, _) = three("wasp-frolic", Some(clock), 9);
    let mut numbers = Numbers(3);
    forge_host(&mut places, |file| file.due = Some("2026-01-09T00:00:00Z".into()));
    answer(&mut places, AMERICAN, &mut numbers);
    answer(&mut places, BRITISH, &mut numbers);
    assert!(relay(&mut places, &said()).unwrap().link.is_some());
    places
}

fn after() -> HostWords {
    HostWords { late: true, due: Some("2026-01-20T00:00:00Z".into()), ..host_words("2026-01-10T00:00:00Z") }
}

fn steps(places: &[Place]) -> Vec<u64> {
    places.iter().map(|p| p.party.history.step()).collect()
}

/// Everybody sends what he owes until nothing more is owed; answers are made up.
fn finish_step(places: &mut [Place], numbers: &mut Numbers) {
    let step = places[HOST].party.history.step();
    for _ in 0..9 {
        for of in [AMERICAN, BRITISH] {
            if places[of].party.to_answer() {
                answer(places, of, numbers);
            } else if let Some(signed) = places[of].send(&Intent::default()) {
                places[HOST].take(&[signed]);
            }
        }
        relay(places, &HostWords { due: Some("2026-01-20T00:00:00Z".into()), ..said() });
        if places[HOST].party.history.step() > step {
            return;
        }
    }
    panic!("step {step} does not close");
}

/// An opening that fits nothing.
fn false_opening(file: &mut StepFile) {
    assert!(file.link.is_some());
    file.opens.insert("t1/american/plot/marker/1".into(), Opening { salt: Digest([0; 32]), content: "1".into() });
}

#[test]
fn who_may_know_the_dice_gets_no_others_by_a_file_that_breaks_the_rules() {
    for kept_back in [false, true] {
        let mut places = sealed(Some(Late::DefaultOrders));
        // The British link and the host's are out, and the host passes both on, or tells the American alone.
        let british = places[BRITISH].send(&Intent::default()).unwrap();
        if !kept_back {
            places[HOST].take(&[british]);
            relay(&mut places, &said());
        }
        let bad = forge(&mut places, AMERICAN, &Intent::default(), false_opening);
        assert!(relay(&mut places, &said()).unwrap().refuse.is_empty());
        forge_host(&mut places, |file| file.refuse = vec![Refuse { file: bad, rule: "an opening".into() }]);
        assert_eq!(steps(&places), [1, 1, 1], "the step is not asked again");
        // He owes his link, and has lost when the time is over.
        let words = after();
        forge_host(&mut places, |file| {
            file.late = BTreeMap::from([(Seat::American, Late::Forfeit)]);
            file.sent.clone_from(&words.sent);
        });
        assert!(places.iter().all(|p| p.party.history.end() == Some(&End::Forfeited(Seat::American))));
        while !places[HOST].party.history.complete() {
            finish_step(&mut places, &mut Numbers(1));
        }
        sound(&places[HOST].party.history.log().bytes(), "a link in talk");
    }
}

#[test]
fn a_link_beside_orders_that_break_the_rules_is_refused() {
    let (mut places, _) = three("wasp-frolic", None, 9);
    let mut numbers = Numbers(3);
    answer(&mut places, BRITISH, &mut numbers);
    assert!(relay(&mut places, &said()).unwrap().link.is_none());
    let answers = places[AMERICAN].party.random_answers(&mut numbers);
    forge(&mut places, AMERICAN, &Intent { answers, ..Intent::default() }, |file| {
        assert!(file.link.is_some());
        file.answers.insert("t1/american/plot/marker/99".into(), Tree::Text("left".into()));
    });
    let file = relay(&mut places, &said()).unwrap();
    assert_eq!((file.refuse.len(), file.link), (1, None));
    assert_eq!(steps(&places), [2, 2, 2]);
    assert_eq!(places[HOST].party.history.closed().last().unwrap().how, "refused");
    let log = play(&mut places, &mut numbers);
    sound(&log, "refused");
}

#[test]
fn a_host_cannot_name_one_file_and_then_another_in_its_place() {
    // The American has signed two first files; which of the two hashes is the lower must not matter.
    for numbers in 0..4 {
        let (mut places, _) = three("wasp-frolic", None, 9);
        let mut numbers = Numbers(numbers);
        answer(&mut places, BRITISH, &mut numbers);
        let answers = places[AMERICAN].party.random_answers(&mut numbers);
        let intent = Intent { answers, ..Intent::default() };
        let one = forge(&mut places, AMERICAN, &intent, |_| ());
        assert!(relay(&mut places, &said()).unwrap().link.is_some());
        send(&mut places, BRITISH, &Intent::default());
        relay(&mut places, &said());
        // Both links and the host's are known to the two of them.
        let mut file = read_step(&places[AMERICAN].files[0]).unwrap();
        file.say = Some("another".into());
        let signed = places[AMERICAN].party.player.sign(Namespace::Orders, &file).unwrap();
        places[HOST].take(std::slice::from_ref(&signed));
        places[BRITISH].take(std::slice::from_ref(&signed));
        let mut file = places[HOST].party.player.notice(&places[HOST].party.history, &said());
        file.names = BTreeMap::from([(Seat::American, signed.hash())]);
        let host = places[HOST].party.player.sign(Namespace::Host, &file).unwrap();
        places[BRITISH].take(&[host]);
        let history = &places[BRITISH].party.history;
        let standing = history.settle(&places[BRITISH].posts());
        assert_eq!(standing.answer_file(Seat::American).unwrap().hash, one, "what was named first stands");
        assert!(standing.seats[&Seat::British].linked.is_some());
        assert_eq!(standing.host.unwrap().talk.len(), 1);
        // With such a file the step does not close: no verifier would take the log.
        send(&mut places, AMERICAN, &Intent::default());
        let shown = places[AMERICAN].files.clone();
        places[BRITISH].take(&shown);
        assert_eq!(places[BRITISH].party.history.step(), 1);
    }
}

#[test]
fn the_book_answers_for_a_late_player_and_a_link_withheld_loses() {
    let (mut places, _) = three("wasp-frolic", Some(Clock::of(7, Some(Late::DefaultOrders))), 9);
    let mut numbers = Numbers(3);
    forge_host(&mut places, |file| file.due = Some("2026-01-09T00:00:00Z".into()));
    answer(&mut places, BRITISH, &mut numbers);
    assert!(relay(&mut places, &said()).unwrap().link.is_none());
    // Who has not answered may not be made to lose where the book has orders for him.
    let (history, posts) = (places[HOST].party.history.clone(), places[HOST].posts());
    let trial = |then| {
        let mut file = places[HOST].party.player.notice(&history, &after());
        file.late = BTreeMap::from([(Seat::American, then)]);
        let mut history = history.clone();
        let signed = places[HOST].party.player.sign(Namespace::Host, &file).unwrap();
        let mut hosts = history.hosts().to_vec();
        hosts.push(history.read_host(&signed).unwrap());
        history.hosts_at_hand(hosts);
        history.close(&posts).unwrap().is_some()
    };
    assert!(!trial(Late::Forfeit));
    let file = relay(&mut places, &after()).unwrap();
    assert_eq!(file.late, BTreeMap::from([(Seat::American, Late::DefaultOrders)]));
    assert!(file.link.is_some());
    // What the late player sends now counts for nothing, not even as a link to be refused.
    let late = forge(&mut places, AMERICAN, &Intent { say: Some("sorry".into()), ..Intent::default() }, |file| {
        file.link = Some(Digest([9; 32]));
    });
    assert!(relay(&mut places, &said()).unwrap().refuse.is_empty());
    forge_host(&mut places, |file| file.refuse = vec![Refuse { file: late, rule: "too late".into() }]);
    assert_eq!(steps(&places), [1, 1, 1]);
    finish_step(&mut places, &mut numbers);
    assert_eq!(steps(&places), [2, 2, 2]);
    assert_eq!(places[AMERICAN].party.history.closed()[1].how, "resolved");
    // The American answers the next step, and keeps back his link.
    let history = &places[HOST].party.history;
    assert_eq!(history.due().as_deref(), Some("2026-01-20T00:00:00Z"));
    for of in [AMERICAN, BRITISH] {
        if places[of].party.to_answer() {
            answer(&mut places, of, &mut numbers);
        }
    }
    relay(&mut places, &said());
    let words = HostWords { sent: "2026-01-21T00:00:00Z".into(), ..after() };
    if let Some(signed) = places[BRITISH].send(&Intent::default()) {
        places[HOST].take(&[signed]);
        relay(&mut places, &said());
    }
    let file = relay(&mut places, &HostWords { due: None, ..words }).unwrap();
    assert_eq!(file.late, BTreeMap::from([(Seat::American, Late::Forfeit)]));
    while !places[HOST].party.history.complete() {
        finish_step(&mut places, &mut numbers);
    }
    let log = places[HOST].party.history.log().bytes();
    assert!(places.iter().all(|p| p.party.history.log().bytes() == log));
    assert!(String::from_utf8(log.clone()).unwrap().contains("\"over forfeit american\""));
    sound(&log, "late");
    // A false word of time.
    let early = |file: &mut HostFile| {
        if !file.late.is_empty() {
            file.sent = "2026-01-08T00:00:00Z".into();
        }
    };
    refused(&forged(&places, &log, &early), "was not late");
    let none: Change<'_> = &|file| file.late.clear();
    refused(&forged(&places, &log, none), "out before its time");
    let forfeit: Change<'_> = &|file| file.late.values_mut().for_each(|then| *then = Late::Forfeit);
    refused(&forged(&places, &log, forfeit), "out before its time");
}

#[test]
fn a_concession_goes_before_what_was_accepted_beside_it() {
    let mut places = sealed(None);
    send(&mut places, BRITISH, &Intent { offer: Some(Offer::Draw), ..Intent::default() });
    relay(&mut places, &said());
    send(&mut places, AMERICAN, &Intent { agree: true, ..Intent::default() });
    send(&mut places, BRITISH, &Intent { concede: true, ..Intent::default() });
    relay(&mut places, &said());
    assert!(places.iter().all(|p| p.party.history.end() == Some(&End::Conceded(Seat::British))));
    while !places[HOST].party.history.complete() {
        finish_step(&mut places, &mut Numbers(1));
    }
    sound(&places[HOST].party.history.log().bytes(), "conceded");
}

#[test]
fn a_new_key_takes_a_silent_seat_of_a_strict_game() {
    let (mut places, terms) = three("wasp-frolic", None, 9);
    let history = &places[AMERICAN].party.history;
    let new = Player::on_chain(Seat::American, key(77), &terms.proposal.table, 1, history.step());
    let chain = ChainTip { tip: new.tip(), length: CHAIN_LENGTH };
    let who =
        Identity { player: "Another".into(), key: key(77).public().line(), chain, recovery: None, lodging_key: None };
    let signed = new.sign(Namespace::Key, &new.request(history, who, SENT)).unwrap();
    places.iter_mut().for_each(|place| place.take(std::slice::from_ref(&signed)));
    send(&mut places, BRITISH, &Intent { agree: true, key: Some(signed.hash()), ..Intent::default() });
    relay(&mut places, &said());
    assert_eq!(steps(&places), [2, 2, 2]);
    places[AMERICAN].party.player = Player::at(&places[AMERICAN].party.history, Seat::American, key(77));
    let log = play(&mut places, &mut Numbers(4));
    sound(&log, "a new key");
}

/// What a host does to his files before he signs them.
type Change<'a> = &'a dyn Fn(&mut HostFile);

/// A log up to the first step in which this change of the host's files makes a difference. All three sign anew, and the lines
/// are chained anew, so that nothing but the change can be found.
fn forged(places: &[Place], log: &[u8], change: Change<'_>) -> Vec<u8> {
    let entries: Vec<Entry> = std::str::from_utf8(log).unwrap().lines().map(|l| Entry::parse(l).unwrap()).collect();
    let mut made: Vec<Entry> = Vec::new();
    for block in entries.split_inclusive(|entry| matches!(entry, Entry::Result(_))) {
        made.extend(signed_anew(places, block, change));
        if made[..] != entries[..made.len()] {
            break;
        }
    }
    let mut before = Digest([0; 32]);
    let mut out = String::new();
    for mut entry in made {
        match &mut entry {
            Entry::File(entry) => entry.prev = before,
            Entry::Result(entry) => entry.prev = before,
        }
        let line = entry.line();
        before = sha256(line.as_bytes());
        out += &(line + "\n");
    }
    out.into_bytes()
}

/// The files of a block changed and signed anew, each after those it names.
fn signed_anew(places: &[Place], block: &[Entry], change: Change<'_>) -> Vec<Entry> {
    let mut made = block.to_vec();
    let mut todo: BTreeMap<Digest, usize> = BTreeMap::new();
    for (at, entry) in block.iter().enumerate() {
        if let Entry::File(entry) = entry {
            todo.insert(entry.signed().unwrap().hash(), at);
        }
    }
    let mut now: BTreeMap<Digest, Digest> = BTreeMap::new();
    while let Some((old, at)) = todo.iter().map(|(h, at)| (*h, *at)).find(|(_, at)| {
        let Entry::File(entry) = &block[*at] else { return false };
        refers(&entry.signed().unwrap()).iter().all(|hash| !todo.contains_key(hash))
    }) {
        todo.remove(&old);
        let Entry::File(entry) = &mut made[at] else { unreachable!() };
        let signed = entry.signed().unwrap();
        let player = &places.iter().find(|p| p.seat() == entry.seat).unwrap().party.player;
        let put = |hash: &mut Digest| *hash = now.get(hash).copied().unwrap_or(*hash);
        let (again, parsed) = if let Ok(mut file) = read_host_file(&signed) {
            file.prev.iter_mut().chain(file.names.values_mut()).for_each(put);
            change(&mut file);
            (player.sign(Namespace::Host, &file).unwrap(), parsed_digest(&file))
        } else if let Ok(mut file) = read_step(&signed) {
            file.prev.iter_mut().chain(file.names.values_mut()).for_each(put);
            (player.sign(Namespace::Orders, &file).unwrap(), parsed_digest(&file))
        } else {
            (signed, entry.parsed)
        };
        now.insert(old, again.hash());
        (entry.file, entry.sig) = (STANDARD.encode(&again.document), STANDARD.encode(again.signature.blob()));
        entry.parsed = parsed;
    }
    made
}

fn refers(signed: &SignedFile) -> Vec<Digest> {
    let host = read_host_file(signed).map(|f| (f.prev, f.names));
    let (prev, names) = host.or_else(|_| read_step(signed).map(|f| (f.prev, f.names))).unwrap_or_default();
    prev.into_iter().chain(names.into_values()).collect()
}

/// A log that neither implementation takes; what the second one says of it.
fn refused(log: &[u8], word: &str) {
    assert!(verify(log, &catalog::embedded, None).is_err(), "{word}");
    let second = common::second_implementation(log);
    assert!(second.as_ref().is_none_or(|(good, text)| !*good && text.contains(word)), "{word}: {second:?}");
}

#[test]
fn what_a_host_changes_in_a_log_is_found_by_both_implementations() {
    let (mut places, _) = three("wasp-frolic", None, 7);
    let log = play(&mut places, &mut Numbers(5));
    assert_eq!(forged(&places, &log, &|_| ()), log);
    // Another word of time changes nothing, if all sign it.
    let other = forged(&places, &log, &|f| f.sent = "2026-01-02T00:00:01Z".into());
    assert!(other.len() < log.len());
    sound(&other, "signed by all");
    let changes: [(&str, Change<'_>); 7] = [
        ("link is not the one", &|f| f.link = f.link.map(|_| Digest([3; 32]))),
        ("out before its time", &|f| f.link = Some(Digest([3; 32]))),
        ("link of the host seat is missing", &|f| f.link = None),
        ("the host", &|f| f.names.clear()),
        ("names a file that does not stand here", &|f| f.names.values_mut().for_each(|h| *h = Digest([3; 32]))),
        ("takes and opens nothing", &|f| f.takes = f.names.clone()),
        ("is due when", &|f| f.due = Some("2026-01-09T00:00:00Z".into())),
    ];
    for (word, change) in changes {
        refused(&forged(&places, &log, change), word);
    }
    // One byte, with nothing signed or chained anew.
    let text = String::from_utf8(log.clone()).unwrap();
    let at = text.rfind("\"seat\":\"host\",\"file\":\"").unwrap() + 80;
    let mut changed = log.clone();
    changed[at] ^= 1;
    assert!(verify(&changed, &catalog::embedded, None).is_err());
    assert!(common::second_implementation(&changed).is_none_or(|(good, _)| !good));
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
    let clock = Clock::of(3, Some(Late::DefaultOrders));
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
    let (mut places, plots) = opened(Some(Clock::of(3, Some(Late::Forfeit))));
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

#[test]
fn a_pause_stops_the_clock_of_a_strict_game() {
    let (mut places, _) =
        three("wasp-frolic", Some(Clock { grace_hours: Some(6), ..Clock::of(7, Some(Late::DefaultOrders)) }), 9);
    let mut numbers = Numbers(3);
    let pause = |pause, sent: &str, due: Option<&str>| {
        let (sent, due) = (sent.to_owned(), due.map(str::to_owned));
        move |file: &mut HostFile| (file.pause, file.sent, file.due) = (Some(pause), sent.clone(), due.clone())
    };
    forge_host(&mut places, |file| file.due = Some("2026-01-09T00:00:00Z".into()));
    answer(&mut places, BRITISH, &mut numbers);
    relay(&mut places, &said()).unwrap();
    forge_host(&mut places, pause(Pause::Begin, "2026-01-08T00:00:00Z", None));
    assert!(places.iter().all(|p| p.party.history.paused().as_deref() == Some("2026-01-08T00:00:00Z")));
    let late = |sent: &str| HostWords { late: true, due: Some("2027-01-01T00:00:00Z".into()), ..host_words(sent) };
    let none = |places: &[Place], sent: &str| {
        let party = &places[HOST].party;
        party.player.relay(&party.history, &party.posts, &late(sent)).unwrap().is_none_or(|file| file.late.is_empty())
    };
    assert!(none(&places, "2026-02-01T00:00:00Z"), "nobody is late during a pause");
    forge_host(&mut places, pause(Pause::End, "2026-02-08T00:00:00Z", Some("2026-02-09T00:00:00Z")));
    assert!(none(&places, "2026-02-09T06:00:00Z"), "grace");
    let file = relay(&mut places, &late("2026-02-09T06:00:01Z")).unwrap();
    assert_eq!(file.late, BTreeMap::from([(Seat::American, Late::DefaultOrders)]));
    while !places[HOST].party.history.complete() && steps(&places)[HOST] < 3 {
        finish_step(&mut places, &mut numbers);
    }
    send(&mut places, BRITISH, &Intent { offer: Some(Offer::Concede), ..Intent::default() });
    while !places[HOST].party.history.complete() {
        finish_step(&mut places, &mut numbers);
    }
    let log = places[HOST].party.history.log().bytes();
    assert!(places.iter().all(|p| p.party.history.log().bytes() == log));
    sound(&log, "pause");
    // The same with the pause never ended, with a nearer end of it, and with the word of who is late a second earlier.
    let change = |change: Change<'_>, kind: Kind, word: &str| {
        let log = forged(&places, &log, change);
        assert_eq!(verify(&log, &catalog::embedded, None).map(drop).unwrap_err().kind, kind, "{word}");
        refused(&log, word);
    };
    let never: Change<'_> = &|f| {
        if f.pause == Some(Pause::End) {
            (f.pause, f.due) = (None, None);
        }
    };
    change(never, Kind::FalseLate, "was not late");
    let nearer: Change<'_> = &|f| {
        if f.pause == Some(Pause::End) {
            f.due = Some("2026-02-08T23:59:59Z".into());
        }
    };
    change(nearer, Kind::Clock, "nearer");
    let early: Change<'_> = &|f| {
        if !f.late.is_empty() {
            f.sent = "2026-02-09T06:00:00Z".into();
        }
    };
    change(early, Kind::FalseLate, "was not late");
}

#[test]
fn an_agreed_pause_puts_the_time_of_a_strict_game_off() {
    let (mut places, _) = three("wasp-frolic", Some(Clock::of(7, Some(Late::Forfeit))), 9);
    let mut numbers = Numbers(3);
    forge_host(&mut places, |file| file.due = Some("2026-01-09T00:00:00Z".into()));
    let offer = Offer::Pause { until: "2026-04-01T00:00:00Z".into(), reason: "holidays".into() };
    send(&mut places, BRITISH, &Intent { offer: Some(offer), ..Intent::default() });
    relay(&mut places, &said());
    send(&mut places, AMERICAN, &Intent { agree: true, ..Intent::default() });
    relay(&mut places, &HostWords { due: Some("2026-04-08T00:00:00Z".into()), ..said() });
    assert_eq!(steps(&places), [2, 2, 2]);
    assert!(places.iter().all(|p| p.party.history.rest().as_deref() == Some("2026-04-01T00:00:00Z")));
    answer(&mut places, BRITISH, &mut numbers);
    relay(&mut places, &said());
    let late = |sent: &str| HostWords { late: true, ..host_words(sent) };
    let party = &places[HOST].party;
    for sent in ["2026-02-01T00:00:00Z", "2026-04-08T00:00:00Z"] {
        assert!(party.player.relay(&party.history, &party.posts, &late(sent)).unwrap().is_none(), "{sent}");
    }
    relay(&mut places, &late("2026-04-08T00:00:01Z"));
    assert_eq!(places[BRITISH].party.history.end(), Some(&End::Forfeited(Seat::American)));
    while !places[HOST].party.history.complete() {
        finish_step(&mut places, &mut numbers);
    }
    let log = places[HOST].party.history.log().bytes();
    sound(&log, "an agreed pause");
    // A host who goes by his own calendar.
    let nearer: Change<'_> = &|f| {
        if f.due.as_deref() == Some("2026-04-08T00:00:00Z") {
            f.due = Some("2026-04-07T23:59:59Z".into());
        }
    };
    let log = forged(&places, &log, nearer);
    assert_eq!(verify(&log, &catalog::embedded, None).map(drop).unwrap_err().kind, Kind::Clock);
    refused(&log, "nearer");
}
