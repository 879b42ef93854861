//! Hosted games: the clock, notices, agreements and new keys, as both implementations judge them.

mod common;

use std::collections::BTreeMap;

use common::Numbers;
use common::table::{Party, key, terms_with};
use countersign::catalog;
use countersign::doc::{ChainTip, Clock, HostFile, Identity, Late, Mode, Offer, Pause, SignedFile, parsed_digest};
use countersign::log::{
    End, Entry, History, HostWords, Intent, Kind, Lines, Player, Post, ResultEntry, Secrets, check_protocol, own_post,
    read_host_file, read_step, verify,
};
use countersign::seal::{CHAIN_LENGTH, Digest, Namespace};
use countersign::side::Seat;

const SENT: &str = "2026-01-02T00:00:00Z";
const DUE: &str = "2026-01-09T00:00:00Z";
const AFTER: &str = "2026-01-10T00:00:00Z";

/// All that one hosted game has, with one history for all three: they see the same.
struct Game {
    history: History,
    players: Vec<Player>,
    numbers: Numbers,
    lodged: Secrets,
    posts: Vec<Post>,
    hosts: Vec<SignedFile>,
}

fn game(late: Option<Late>) -> Game {
    game_with(Clock::of(7, late))
}

fn game_with(clock: Clock) -> Game {
    let (terms, text, players) = terms_with("wasp-frolic", Some(clock), Mode::Hosted, 6);
    let history = History::begin(terms, &text).unwrap();
    let (lodged, posts, hosts) = (Secrets::default(), Vec::new(), Vec::new());
    Game { history, players, numbers: Numbers(2), lodged, posts, hosts }
}

impl Game {
    fn player(&mut self, of: usize, mut intent: Intent, answers: bool) -> Digest {
        if answers {
            let again = Player::new(self.players[of].seat, key(u8::try_from(of).unwrap() + 1), &Digest([6; 32]));
            intent.answers = Party::new(again, self.history.clone()).random_answers(&mut self.numbers);
        }
        let out = self.players[of].hosted(&self.history, &self.posts, &intent, SENT).unwrap().unwrap();
        self.lodged.extend(&out.openings);
        self.posts.push(own_post(self.players[of].sign(Namespace::Orders, &out.file).unwrap()).unwrap());
        self.posts.last().unwrap().filed.hash
    }

    fn host(&mut self, file: &HostFile) -> countersign::Result<()> {
        let signed = self.players[2].sign(Namespace::Host, file).unwrap();
        let mut trial = self.history.clone();
        let mut all = self.hosts.clone();
        all.push(signed.clone());
        let posts = all.iter().map(|f| trial.read_host(f).unwrap()).collect();
        trial.hosts_at_hand(posts);
        if file.closes() {
            let post = trial.read_host(&signed).unwrap();
            trial.close_hosted(&self.posts, &post)?;
            self.posts.clear();
            all.clear();
        }
        (self.history, self.hosts) = (trial, all);
        Ok(())
    }

    fn notice(&mut self, change: impl Fn(&mut HostFile)) {
        let words = HostWords { due: Some(DUE.into()), ..common::host_words(SENT) };
        let mut file = self.players[2].notice(&self.history, &words);
        change(&mut file);
        self.host(&file).unwrap();
    }

    /// A file of the host's that closes nothing.
    fn say(&mut self, words: &HostWords) {
        let file = self.players[2].notice(&self.history, words);
        self.history.judge_notice(&file).unwrap();
        self.host(&file).unwrap();
    }

    /// The files of the block that this file of the host's would close.
    fn block(&self, last: &HostFile) -> Vec<(Seat, SignedFile)> {
        let taken = |post: &&Post| last.takes.values().any(|hash| *hash == post.filed.hash);
        let mut files: Vec<(Seat, SignedFile)> =
            self.posts.iter().filter(taken).map(|p| (p.filed.file.seat, p.signed.clone())).collect();
        files.sort_by_key(|(seat, _)| *seat != Seat::American);
        files.extend(self.hosts.iter().map(|f| (Seat::Host, f.clone())));
        files.push((Seat::Host, self.players[2].sign(Namespace::Host, last).unwrap()));
        files
    }

    fn close(&mut self, late: bool) {
        self.close_at(late, if late { AFTER } else { SENT }, "2026-01-20T00:00:00Z");
    }

    fn close_at(&mut self, late: bool, sent: &str, due: &str) {
        let words = HostWords { late, due: Some(due.into()), ..common::host_words(sent) };
        let file = self.players[2].close_hosted(&self.history, &self.posts, &self.lodged, &words).unwrap();
        self.host(&file).unwrap();
    }

    /// Plays to the audit, and lets both implementations judge the log.
    fn sound(&mut self, name: &str) {
        if self.history.end().is_some() && !self.history.complete() {
            let words = common::host_words(SENT);
            let file = self.players[2].close_hosted(&self.history, &[], &self.lodged, &words).unwrap();
            let signed = self.players[2].sign(Namespace::Host, &file).unwrap();
            let post = self.history.read_host(&signed).unwrap();
            self.history.hosts_at_hand(vec![post.clone()]);
            self.history.close_hosted(&[], &post).unwrap();
        }
        let log = self.history.log().bytes();
        verify(&log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{name}: {f}"));
        check_protocol(&log).unwrap_or_else(|f| panic!("{name}: {f}"));
        let second = common::second_implementation(&log);
        assert!(second.as_ref().is_none_or(|(good, _)| *good), "{name}: {second:?}");
    }
}

#[test]
fn the_book_answers_for_a_late_player() {
    let mut game = game(Some(Late::DefaultOrders));
    game.notice(|_| ());
    game.player(1, Intent::default(), true);
    game.close(true);
    assert_eq!(
        (game.history.closed()[1].how, game.history.due().as_deref()),
        ("resolved", Some("2026-01-20T00:00:00Z"))
    );
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    game.close(false);
    game.sound("default orders");
}

#[test]
fn a_late_player_forfeits_where_the_terms_say_so() {
    let mut game = game(Some(Late::Forfeit));
    game.notice(|_| ());
    game.notice(|file| file.say = Some("hurry".into()));
    game.player(1, Intent::default(), true);
    game.close(true);
    assert_eq!(game.history.end(), Some(&End::Forfeited(Seat::American)));
    game.sound("forfeit");
}

#[test]
fn a_notice_says_when_and_a_word_and_nothing_more() {
    let mut game = game(Some(Late::Forfeit));
    game.notice(|_| ());
    game.notice(|file| {
        file.late = BTreeMap::from([(Seat::American, Late::Forfeit)]);
        file.sent = AFTER.into();
        file.due = None;
    });
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    let words = common::host_words(SENT);
    let file = game.players[2].close_hosted(&game.history, &game.posts, &game.lodged, &words).unwrap();
    assert!(game.host(&file).unwrap_err().what.contains("nothing more"));
}

#[test]
fn agreements_and_new_keys_stand_in_a_hosted_log() {
    let mut game = game(None);
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    game.close(false);
    // A take-back, with orders of his beside it.
    let forgets = game.history.forgets(1).unwrap();
    let step = game.history.step();
    game.player(0, Intent { offer: Some(Offer::Restart { step: 1, forgets }), ..Intent::default() }, false);
    game.player(1, Intent { agree: true, ..Intent::default() }, false);
    game.close(false);
    assert_eq!((game.history.step(), game.history.closed().last().unwrap().how), (step + 1, "agreed"));
    // A new key, and orders signed by it.
    let seat = Seat::American;
    let history = &game.history;
    let new = Player::on_chain(seat, key(77), &history.terms.proposal.table, 1, history.step());
    let chain = ChainTip { tip: new.tip(), length: CHAIN_LENGTH };
    let who =
        Identity { player: "Another".into(), key: key(77).public().line(), chain, recovery: None, lodging_key: None };
    let signed = new.sign(Namespace::Key, &new.request(history, who, SENT)).unwrap();
    let post = history.read_key(&signed).unwrap();
    game.history.keys_at_hand(vec![post]);
    game.player(1, Intent { agree: true, key: Some(signed.hash()), ..Intent::default() }, false);
    game.close(false);
    game.players[0] = Player::at(&game.history, seat, key(77));
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    game.close(false);
    game.player(0, Intent { offer: Some(Offer::Draw), ..Intent::default() }, false);
    game.player(1, Intent { agree: true, ..Intent::default() }, false);
    game.close(false);
    assert_eq!(game.history.end(), Some(&End::Draw));
    game.sound("agreements");
}

#[test]
fn a_pause_stops_the_clock_and_its_end_gives_back_what_was_left() {
    let mut game = game(Some(Late::DefaultOrders));
    game.notice(|_| ());
    game.player(1, Intent::default(), true);
    // Stopped with a day left, a month long.
    let words = HostWords { pause: Some(Pause::Begin), ..common::host_words("2026-01-08T00:00:00Z") };
    game.say(&words);
    assert_eq!(game.history.paused().as_deref(), Some("2026-01-08T00:00:00Z"));
    let late = |game: &Game, sent: &str| {
        let words = HostWords { late: true, ..common::host_words(sent) };
        game.players[2].close_hosted(&game.history, &game.posts, &game.lodged, &words).is_ok()
    };
    assert!(!late(&game, "2026-02-01T00:00:00Z"), "nobody is late during a pause");
    let resume = |due: &str| HostWords {
        pause: Some(Pause::End),
        due: Some(due.into()),
        ..common::host_words("2026-02-08T00:00:00Z")
    };
    let judged = |game: &Game, due: &str| {
        game.history.judge_notice(&game.players[2].notice(&game.history, &resume(due))).is_ok()
    };
    assert!(!judged(&game, "2026-02-08T23:59:59Z") && judged(&game, "2026-02-09T00:00:00Z"));
    game.say(&resume("2026-02-09T00:00:00Z"));
    assert_eq!((game.history.paused(), game.history.due().as_deref()), (None, Some("2026-02-09T00:00:00Z")));
    assert!(!late(&game, "2026-02-09T00:00:00Z") && late(&game, "2026-02-09T00:00:01Z"));
    game.close_at(true, "2026-02-09T00:00:01Z", "2026-02-16T00:00:01Z");
    assert_eq!(game.history.closed()[1].how, "resolved");
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    game.close(false);
    game.sound("pause");
}

#[test]
fn a_pause_outlasts_the_step() {
    let mut game = game(Some(Late::Forfeit));
    game.notice(|_| ());
    game.say(&HostWords { pause: Some(Pause::Begin), ..common::host_words(SENT) });
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    let words = HostWords { due: Some("2026-05-01T00:00:00Z".into()), ..common::host_words(SENT) };
    let file = game.players[2].close_hosted(&game.history, &game.posts, &game.lodged, &words).unwrap();
    assert!(game.host(&file).unwrap_err().what.contains("while the clock stands still"));
    let words = common::host_words(SENT);
    let file = game.players[2].close_hosted(&game.history, &game.posts, &game.lodged, &words).unwrap();
    game.host(&file).unwrap();
    assert_eq!((game.history.paused().as_deref(), game.history.due()), (Some(SENT), None));
    // The new step has all its days when the clock runs again.
    let resume = |due: &str| HostWords { pause: Some(Pause::End), due: Some(due.into()), ..common::host_words(DUE) };
    let judged = |due: &str| game.history.judge_notice(&game.players[2].notice(&game.history, &resume(due))).is_ok();
    assert!(!judged("2026-01-15T23:59:59Z") && judged("2026-01-16T00:00:00Z"));
    game.say(&resume("2026-01-16T00:00:00Z"));
    game.player(0, Intent::default(), true);
    game.close_at(true, "2026-01-16T00:00:01Z", "2026-01-24T00:00:00Z");
    assert_eq!(game.history.end(), Some(&End::Forfeited(Seat::British)));
    game.sound("a pause over two steps");
}

#[test]
fn an_agreed_pause_puts_the_time_off() {
    let mut game = game(Some(Late::Forfeit));
    game.notice(|_| ());
    let pause = |until: &str| Offer::Pause { until: until.into(), reason: "holidays".into() };
    assert!(game.history.judge_offer(&pause("after Easter")).unwrap_err().contains("2026-01-05T12:00:00Z"));
    game.player(0, Intent { offer: Some(pause("2026-04-01T00:00:00Z")), ..Intent::default() }, false);
    game.player(1, Intent { agree: true, ..Intent::default() }, false);
    let close = |game: &Game, due: &str| {
        let words = HostWords { due: Some(due.into()), ..common::host_words(SENT) };
        game.players[2].close_hosted(&game.history, &game.posts, &game.lodged, &words).unwrap()
    };
    let before = game.history.clone();
    let near = close(&game, "2026-04-07T23:59:59Z");
    assert!(game.host(&near).unwrap_err().what.contains("at the earliest"));
    let files: Vec<(Seat, SignedFile)> = game.block(&near);
    found(&forged(&before, &files, "agreed"), Some(Kind::Clock), "nearer");
    let far = close(&game, "2026-04-08T00:00:00Z");
    game.host(&far).unwrap();
    assert_eq!(game.history.rest().as_deref(), Some("2026-04-01T00:00:00Z"));
    // Nobody is late in the rest, or before the days behind it are over.
    for sent in ["2026-03-01T00:00:00Z", "2026-04-08T00:00:00Z"] {
        let words = HostWords { late: true, ..common::host_words(sent) };
        assert!(game.players[2].close_hosted(&game.history, &game.posts, &game.lodged, &words).is_err());
    }
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    // The rest counts for the next step too, if they play on in it.
    let early = close(&game, "2026-04-07T00:00:00Z");
    assert!(game.host(&early).is_err());
    game.close_at(false, SENT, "2026-04-08T00:00:00Z");
    game.player(1, Intent::default(), true);
    game.close_at(true, "2026-04-08T00:00:01Z", "2026-04-16T00:00:00Z");
    assert_eq!(game.history.end(), Some(&End::Forfeited(Seat::American)));
    game.sound("an agreed pause");
}

#[test]
fn grace_is_exact_to_the_second() {
    let mut game = game_with(Clock { grace_hours: Some(12), ..Clock::of(7, Some(Late::DefaultOrders)) });
    game.notice(|_| ());
    game.player(1, Intent::default(), true);
    let close = |game: &Game, sent: &str| {
        let words = HostWords { late: true, ..common::host_words(sent) };
        game.players[2].close_hosted(&game.history, &game.posts, &game.lodged, &words)
    };
    assert!(close(&game, "2026-01-09T12:00:00Z").is_err());
    let mut file = close(&game, "2026-01-09T12:00:01Z").unwrap();
    let (before, sound) = (game.history.clone(), file.clone());
    file.sent = "2026-01-09T12:00:00Z".into();
    found(&forged(&before, &game.block(&file), "resolved"), Some(Kind::FalseLate), "was not late");
    game.host(&sound).unwrap();
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    game.close(false);
    game.sound("grace");
}

/// A log with one more block: these files, and a result as if all were well.
fn forged(history: &History, files: &[(Seat, SignedFile)], how: &str) -> Vec<u8> {
    let (mut lines, mut last) = (Lines::default(), None);
    for line in history.log().lines() {
        match Entry::parse(line).unwrap() {
            Entry::File(entry) => drop(lines.file(entry.seat, &entry.signed().unwrap(), entry.parsed)),
            Entry::Result(entry) => {
                last = Some(entry.clone());
                lines.result(entry);
            }
        }
    }
    let mut due = None;
    for (seat, signed) in files {
        let host = read_host_file(signed);
        due = host.as_ref().ok().and_then(|file| file.due.clone());
        let parsed = host.map_or_else(|_| parsed_digest(&read_step(signed).unwrap()), |file| parsed_digest(&file));
        lines.file(*seat, signed, parsed);
    }
    let last = last.unwrap();
    lines.result(ResultEntry { step: last.step + 1, how: how.into(), due, ..last });
    lines.bytes()
}

/// What both implementations say of a log that is not sound: a fault of this kind, or of none that has to do with time.
fn found(log: &[u8], kind: Option<Kind>, word: &str) -> usize {
    let fault = verify(log, &catalog::embedded, None).map(drop).unwrap_err();
    let second = common::second_implementation(log);
    let of_time = ["nearer", "out of turn", "stands still", "was not late"];
    match kind {
        Some(kind) => {
            assert_eq!(fault.kind, kind, "{word}: {fault}");
            assert!(second.as_ref().is_none_or(|(good, text)| !*good && text.contains(word)), "{word}: {second:?}");
        }
        None => {
            assert!(!matches!(fault.kind, Kind::Clock | Kind::FalseLate), "{word}: {fault}");
            let silent = |text: &str| of_time.iter().all(|word| !text.contains(word));
            assert!(second.as_ref().is_none_or(|(good, text)| !*good && silent(text)), "{word}: {second:?}");
        }
    }
    fault.entry
}

/// One file of the host's: when sent, what due, what of the clock, whom late.
type Told = (&'static str, Option<&'static str>, Option<Pause>, Option<Late>);

/// Days, hours of grace, the host's files, and the place, kind and word of the fault, if there is one.
type Case = (u32, Option<u32>, Vec<Told>, Option<(usize, Kind, &'static str)>);

/// A chain of the host's files, the last of them the one that closes.
fn chain(mode: Mode, clock: Clock, files: &[Told]) -> Vec<u8> {
    let (terms, text, players) = terms_with("wasp-frolic", Some(clock), mode, 6);
    let history = History::begin(terms, &text).unwrap();
    let mut made: Vec<(Seat, SignedFile)> = Vec::new();
    for ((sent, due, pause, late), n) in files.iter().zip(1..) {
        let mut file = players[2].notice(&history, &common::host_words(sent));
        (file.n, file.prev) = (n, made.last().map(|(_, signed)| signed.hash()));
        (file.due, file.pause) = (due.map(Into::into), *pause);
        file.late = late.iter().map(|then| (Seat::American, *then)).collect();
        made.push((Seat::Host, players[2].sign(Namespace::Host, &file).unwrap()));
    }
    forged(&history, &made, "resolved")
}

#[test]
fn times_are_put_off_and_never_brought_nearer() {
    const D1: &str = "2026-01-01T12:00:00Z";
    const D4: &str = "2026-01-04T12:00:00Z";
    const D6: &str = "2026-01-06T12:00:00Z";
    let due = |sent, due| (sent, Some(due), None, None);
    let word = |sent| (sent, None, None, None);
    let begin = |sent| (sent, None, Some(Pause::Begin), None);
    let end = |sent, due| (sent, Some(due), Some(Pause::End), None);
    let late = |sent| (sent, None, None, Some(Late::DefaultOrders));
    let clock = |days, grace| Clock { grace_hours: grace, ..Clock::of(days, Some(Late::DefaultOrders)) };
    let fault = |at: usize, kind, word| Some((at, kind, word));
    let near = |at| fault(at, Kind::Clock, "nearer");
    let turn = |at| fault(at, Kind::Clock, "out of turn");
    let early = |at| fault(at, Kind::FalseLate, "was not late");
    // Days, grace, what the host sends, and the file at fault; the last file closes, so that its time is the next step's.
    let cases: Vec<Case> = vec![
        (3, None, vec![due(D1, D4), word(D1)], None),
        // The days of the terms, exactly.
        (3, None, vec![due(D1, "2026-01-04T11:59:59Z"), word(D1)], near(0)),
        (3, None, vec![word(D1), due(D1, D4)], None),
        (3, None, vec![word(D1), due(D1, "2026-01-04T11:59:59Z")], near(1)),
        // A time told: the same, later, a second earlier.
        (3, None, vec![due(D1, D4), due(D1, D4), word(D1)], None),
        (3, None, vec![due(D1, D4), due(D1, D6), word(D1)], None),
        (3, None, vec![due(D1, D6), due(D1, "2026-01-06T11:59:59Z"), word(D1)], near(1)),
        (3, None, vec![due(D1, D6), due(D4, "2026-01-05T12:00:00Z"), late(D6)], near(1)),
        // The next step's time has nothing to do with this one's.
        (3, None, vec![due(D1, "2026-03-01T12:00:00Z"), due(D1, D4)], None),
        // Late: after the time, and after the grace.
        (3, None, vec![due(D1, D4), late(D4)], early(1)),
        (3, None, vec![due(D1, D4), late("2026-01-04T12:00:01Z")], None),
        (3, Some(24), vec![due(D1, D4), late("2026-01-05T12:00:00Z")], early(1)),
        (3, Some(24), vec![due(D1, D4), late("2026-01-05T12:00:01Z")], None),
        (3, None, vec![due(D1, D4), due(D4, D6), late("2026-01-05T12:00:00Z")], early(2)),
        (3, None, vec![late(D6)], early(0)),
        // A leap day, a year without one, the end of a year.
        (1, None, vec![due("2028-02-28T23:59:59Z", "2028-02-29T23:59:59Z"), word(D1)], None),
        (1, None, vec![due("2028-02-28T23:59:59Z", "2028-02-29T23:59:58Z"), word(D1)], near(0)),
        (1, None, vec![due("2027-02-28T23:59:59Z", "2027-03-01T23:59:58Z"), word(D1)], near(0)),
        (2, None, vec![due("2028-02-28T12:00:00Z", "2028-03-01T12:00:00Z"), late("2028-03-01T12:00:00Z")], early(1)),
        (2, None, vec![due("2028-02-28T12:00:00Z", "2028-03-01T12:00:00Z"), late("2028-03-01T12:00:01Z")], None),
        (1, Some(1), vec![due("2026-12-30T23:30:00Z", "2026-12-31T23:30:00Z"), late("2027-01-01T00:30:00Z")], early(1)),
        (1, Some(1), vec![due("2026-12-30T23:30:00Z", "2026-12-31T23:30:00Z"), late("2027-01-01T00:30:01Z")], None),
        // Pauses: what was left is left, to the second; nothing is told and nobody late while the clock stands.
        (3, None, vec![due(D1, D4), begin(D1), end(D4, "2026-01-07T12:00:00Z"), word(D4)], None),
        (3, None, vec![due(D1, D4), begin(D1), end(D4, "2026-01-07T11:59:59Z"), word(D4)], near(2)),
        (3, None, vec![due(D1, D4), begin(D1), late(D6)], early(2)),
        (
            3,
            None,
            vec![due(D1, D4), begin(D1), due(D1, "2026-02-04T12:00:00Z"), word(D1)],
            fault(2, Kind::Clock, "stands still"),
        ),
        (3, None, vec![due(D1, D4), begin(D1), due(D1, "2026-02-04T12:00:00Z")], fault(2, Kind::Clock, "stands still")),
        (3, None, vec![begin(D1), begin(D1), word(D1)], turn(1)),
        (3, None, vec![end(D1, D4), word(D1)], turn(0)),
        (3, None, vec![due(D1, D4), begin(D1)], turn(1)),
        (3, None, vec![due(D1, D4), begin(D1), end(D4, D6)], turn(2)),
        // Nothing was due when it stopped: all the days.
        (3, None, vec![begin(D1), end(D4, "2026-01-07T12:00:00Z"), word(D1)], None),
        (3, None, vec![begin(D1), end(D4, "2026-01-07T11:59:59Z"), word(D1)], near(1)),
        // A host whose clock went back takes nothing from what was left.
        (3, None, vec![due(D1, D6), begin(D4), end(D1, D6), word(D1)], None),
        (3, None, vec![due(D1, D6), begin(D4), end(D1, "2026-01-06T11:59:59Z"), word(D1)], near(2)),
    ];
    for mode in [Mode::Hosted, Mode::Strict] {
        for (n, (days, grace, files, fault)) in cases.iter().enumerate() {
            let log = chain(mode, clock(*days, *grace), files);
            let name = format!("{mode:?} {n}");
            match fault {
                // Entries 0 to 3 are the terms and the opening.
                Some((at, kind, word)) => assert_eq!(found(&log, Some(*kind), word), at + 4, "{name}"),
                None => drop(found(&log, None, &name)),
            }
        }
    }
}

#[test]
fn a_file_that_stops_the_clock_says_nothing_else() {
    let game = game(None);
    let read = |pause, due: Option<&str>, change: &dyn Fn(&mut HostFile)| {
        let words = HostWords { pause: Some(pause), due: due.map(Into::into), ..common::host_words(SENT) };
        let mut file = game.players[2].notice(&game.history, &words);
        change(&mut file);
        game.history.read_host(&game.players[2].sign(Namespace::Host, &file).unwrap()).is_ok()
    };
    assert!(read(Pause::Begin, None, &|file| file.say = Some("Until Easter".into())));
    assert!(read(Pause::End, Some(DUE), &|_| ()));
    assert!(!read(Pause::Begin, Some(DUE), &|_| ()));
    assert!(!read(Pause::End, None, &|_| ()));
    assert!(!read(Pause::Begin, None, &|file| file.link = Some(Digest([1; 32]))));
    assert!(!read(Pause::Begin, None, &|file| file.takes = BTreeMap::from([(Seat::British, Digest([1; 32]))])));
    assert!(!read(Pause::Begin, None, &|file| file.late = BTreeMap::from([(Seat::British, Late::Forfeit)])));
    assert!(!read(Pause::Begin, None, &|file| file.sent = "yesterday".into()));
}

#[test]
fn a_time_brought_nearer_is_told_at_once_and_closes_no_step() {
    let mut game = game(Some(Late::Forfeit));
    game.notice(|_| ());
    assert_eq!(game.history.false_notice(), None);
    game.notice(|file| file.due = Some("2026-01-08T00:00:00Z".into()));
    let (n, why) = game.history.false_notice().unwrap();
    assert!(
        n == 2 && why.contains("due at 2026-01-08T00:00:00Z") && why.contains("2026-01-09T00:00:00Z at the earliest")
    );
    assert_eq!(game.history.due().as_deref(), Some(DUE));
    game.player(0, Intent::default(), true);
    game.player(1, Intent::default(), true);
    let words = common::host_words(SENT);
    let file = game.players[2].close_hosted(&game.history, &game.posts, &game.lodged, &words).unwrap();
    assert!(game.host(&file).unwrap_err().what.contains("a file of the host does not count"));
}
