//! What several test files share.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod land;
#[cfg(feature = "mail")]
pub mod mail;
#[cfg(feature = "mail")]
pub mod mangle;
pub mod probe;
pub mod strict;
#[cfg(feature = "cli")]
pub mod town;

/// A small deterministic source of random numbers (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        u32::try_from(z % u64::from(n.max(1))).unwrap_or(0)
    }
}

/// What a host says at a time, if he says nothing more.
pub fn host_words(sent: &str) -> countersign::log::HostWords {
    countersign::log::HostWords { sent: sent.to_owned(), ..Default::default() }
}

/// What `examples/audit.py`, the second implementation, says of a log; nothing where there is no python.
pub fn second_implementation(log: &[u8]) -> Option<(bool, String)> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.log");
    std::fs::write(&path, log).unwrap();
    let Ok(out) = std::process::Command::new("python3").arg("examples/audit.py").arg(&path).output() else {
        assert!(std::env::var("CI").is_err(), "python3 is missing");
        println!("skipped: needs python3");
        return None;
    };
    Some((
        out.status.success(),
        String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr),
    ))
}

/// Two players in two places, without folders: keys, histories and files in memory.
pub mod table {
    use std::collections::BTreeMap;

    use super::Numbers;
    use countersign::catalog::{self, AnyGame};
    use countersign::doc::{Acceptance, ChainTip, Clock, Identity, Mode, Proposal, SignedFile};
    use countersign::log::{History, Intent, Player, Post, Secrets, Terms, own_post, read_proposal};
    use countersign::play::Want;
    use countersign::seal::{CHAIN_LENGTH, Digest, Namespace, SecretKey};
    use countersign::side::Seat;

    /// One side of the table.
    pub struct Party {
        pub player: Player,
        pub history: History,
        pub posts: Vec<Post>,
        pub secrets: Secrets,
        /// Own files not delivered yet.
        pub out: Vec<SignedFile>,
        /// Files for steps that have not opened here yet.
        pub early: Vec<SignedFile>,
        pub mails: u32,
    }

    pub fn key(n: u8) -> SecretKey {
        SecretKey::from_seed([n; 32])
    }

    fn identity(player: &Player, n: u8, mode: Mode, table: &Digest) -> Identity {
        let host = mode == Mode::Hosted && player.seat == Seat::Host;
        Identity {
            lodging_key: host.then(|| player.lodging_key(table)),
            player: format!("Player {n}"),
            key: key(n).public().line(),
            chain: ChainTip { tip: player.tip(), length: CHAIN_LENGTH },
            recovery: None,
        }
    }

    pub fn terms(
        scenario: &str,
        rulings: &BTreeMap<String, String>,
        mode: Mode,
        table: u8,
    ) -> (Terms, String, Vec<Player>) {
        terms_of(scenario, catalog::embedded(scenario).unwrap(), rulings, mode, table)
    }

    pub fn terms_of(
        scenario: &str,
        text: String,
        rulings: &BTreeMap<String, String>,
        mode: Mode,
        table: u8,
    ) -> (Terms, String, Vec<Player>) {
        terms_for(catalog::ruleset_of(&text), scenario, text, rulings, mode, None, Digest([table; 32]))
    }

    /// The terms of one of many games of the same three.
    pub fn terms_numbered(scenario: &str, mode: Mode, n: u32) -> (Terms, String, Vec<Player>) {
        let mut table = [0; 32];
        table[..4].copy_from_slice(&n.to_be_bytes());
        let text = catalog::embedded(scenario).unwrap();
        terms_for(catalog::ruleset_of(&text), scenario, text, &BTreeMap::new(), mode, None, Digest(table))
    }

    /// Terms with a clock for the host.
    pub fn terms_with(scenario: &str, clock: Option<Clock>, mode: Mode, table: u8) -> (Terms, String, Vec<Player>) {
        let text = catalog::embedded(scenario).unwrap();
        terms_for(catalog::ruleset_of(&text), scenario, text, &BTreeMap::new(), mode, clock, Digest([table; 32]))
    }

    /// A table of two for a game of the book that exists for tests alone.
    pub fn probe(table: u8) -> Vec<Party> {
        let (terms, _, players) =
            terms_for("probe/1", "probe", "none".into(), &BTreeMap::new(), Mode::TwoSeats, None, Digest([table; 32]));
        let game = AnyGame::Other(Box::new(super::probe::start()));
        let history = History::open(terms, game);
        players.into_iter().map(|player| Party::new(player, history.clone())).collect()
    }

    fn terms_for(
        ruleset: &str,
        scenario: &str,
        text: String,
        rulings: &BTreeMap<String, String>,
        mode: Mode,
        clock: Option<Clock>,
        nonce: Digest,
    ) -> (Terms, String, Vec<Player>) {
        let mut seats = vec![Seat::American, Seat::British];
        if mode != Mode::TwoSeats {
            seats.push(Seat::Host);
        }
        let players: Vec<Player> = seats.iter().zip(1..).map(|(seat, n)| Player::new(*seat, key(n), &nonce)).collect();
        let proposal = Proposal {
            countersign: 1,
            kind: "proposal".into(),
            ruleset: ruleset.into(),
            scenario: scenario.into(),
            scenario_digest: catalog::digest(&text),
            rulings: rulings.clone(),
            mode,
            seats: seats.clone(),
            seat: seats[0],
            who: identity(&players[0], 1, mode, &nonce),
            table: nonce,
            secrets: catalog::secrets(if ruleset == catalog::LAND { ruleset } else { catalog::NAVAL }),
            resend_days: 7,
            clock,
            say: None,
            sent: "2026-01-01T00:00:00Z".into(),
        };
        let first = players[0].sign(Namespace::Terms, &proposal).unwrap();
        read_proposal(&first).unwrap();
        let accept = |(n, player): (usize, &Player)| {
            let acceptance = Acceptance {
                countersign: 1,
                kind: "acceptance".into(),
                proposal: first.hash(),
                seat: player.seat,
                who: identity(player, u8::try_from(n).unwrap() + 1, mode, &nonce),
                say: None,
                sent: "2026-01-01T00:00:00Z".into(),
            };
            player.sign(Namespace::Terms, &acceptance).unwrap()
        };
        let acceptances: Vec<SignedFile> = players.iter().enumerate().skip(1).map(accept).collect();
        (Terms::join(&first, &acceptances).unwrap(), text, players)
    }

    /// A table of two about to begin.
    pub fn two(scenario: &str, table: u8) -> Vec<Party> {
        two_with(scenario, &BTreeMap::new(), table)
    }

    pub fn two_with(scenario: &str, rulings: &BTreeMap<String, String>, table: u8) -> Vec<Party> {
        let (terms, text, players) = terms(scenario, rulings, Mode::TwoSeats, table);
        let history = History::begin(terms, &text).unwrap();
        players.into_iter().map(|player| Party::new(player, history.clone())).collect()
    }

    impl Party {
        pub fn new(player: Player, history: History) -> Party {
            let (posts, out, early) = (Vec::new(), Vec::new(), Vec::new());
            Party { player, history, posts, secrets: Secrets::default(), out, early, mails: 0 }
        }

        /// Random answers to all this party is asked.
        pub fn random_answers(&self, numbers: &mut Numbers) -> BTreeMap<String, String> {
            let mut answers = BTreeMap::new();
            for want in self.history.wants() {
                if want.asks().map(Seat::from) == Some(self.player.seat)
                    && !want.automatic()
                    && let Want::Decide { slot, .. } | Want::Seal { slot, .. } = want
                {
                    let content = self.history.game.game().sample(slot, &mut |n| numbers.below(n)).unwrap();
                    answers.insert(slot.clone(), content);
                }
            }
            answers
        }

        /// Signs and keeps the next file, if there is one. Returns whether there was.
        pub fn send(&mut self, intent: &Intent) -> bool {
            let sent = "2026-01-02T00:00:00Z";
            let next = self.player.next(&self.history, &self.posts, &self.secrets, intent, sent);
            let Ok(Some(outgoing)) = next else { return false };
            self.secrets.extend(&outgoing.openings);
            let signed = self.player.sign(Namespace::Orders, &outgoing.file).unwrap();
            self.posts.push(own_post(signed.clone()).unwrap());
            self.out.push(signed);
            self.advance();
            true
        }

        /// Takes a file in, whenever it comes.
        pub fn receive(&mut self, signed: &SignedFile) {
            match self.history.read(signed) {
                Ok(post) => {
                    if !self.posts.iter().any(|p| p.filed.hash == post.filed.hash) {
                        self.posts.push(post);
                    }
                }
                Err(_) => self.early.push(signed.clone()),
            }
            self.advance();
        }

        /// Closes steps as long as they close.
        pub fn advance(&mut self) {
            while self.history.close(&self.posts).unwrap().is_some() {
                self.posts.clear();
                let early = std::mem::take(&mut self.early);
                for signed in early {
                    match self.history.read(&signed) {
                        Ok(post) => self.posts.push(post),
                        Err(_) => self.early.push(signed),
                    }
                }
            }
        }

        /// Whether this party has an answer to give.
        pub fn to_answer(&self) -> bool {
            let standing = self.history.settle(&self.posts);
            self.history.end().is_none()
                && standing.may_answer(self.player.seat)
                && standing.seats[&self.player.seat].versions.is_empty()
        }
    }
}
