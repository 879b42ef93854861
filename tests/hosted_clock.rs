//! Hosted games: the clock, notices, agreements and new keys, as both implementations judge them.

mod common;

use std::collections::BTreeMap;

use common::Numbers;
use common::table::{Party, key, terms_with};
use countersign::catalog;
use countersign::doc::{ChainTip, Clock, HostFile, Identity, Late, Mode, Offer, SignedFile};
use countersign::log::{End, History, HostWords, Intent, Player, Post, Secrets, check_protocol, own_post, verify};
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
    let (terms, text, players) = terms_with("wasp-frolic", Some(Clock { days: 7, late }), Mode::Hosted, 6);
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

    fn close(&mut self, late: bool) {
        let sent = if late { AFTER } else { SENT };
        let words = HostWords { late, due: Some("2026-01-20T00:00:00Z".into()), ..common::host_words(sent) };
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
    assert_eq!((game.history.closed()[1].how, game.history.due()), ("resolved", Some("2026-01-20T00:00:00Z")));
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
