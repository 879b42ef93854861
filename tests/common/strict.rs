//! The three parties of a strict game in memory: every file goes through the host.

use countersign::doc::{Clock, HostFile, SignedFile};
use countersign::log::{History, HostPost, HostWords, Intent, Player, Post, Terms};
use countersign::seal::{Digest, Namespace};
use countersign::side::Seat;

use super::Numbers;
use super::table::Party;

/// When everything is sent, if nothing else is said.
pub const SENT: &str = "2026-01-02T00:00:00Z";

/// One of the three: all files it has, whatever they are good for.
pub struct Place {
    pub party: Party,
    pub files: Vec<SignedFile>,
    /// The steps they are for.
    steps: Vec<u64>,
    /// Whether anything has come since the last look at what is due.
    fresh: bool,
}

impl Place {
    pub fn new(player: Player, history: History) -> Place {
        Place { party: Party::new(player, history), files: Vec::new(), steps: Vec::new(), fresh: true }
    }

    pub fn seat(&self) -> Seat {
        self.party.player.seat
    }

    /// Every file of the open step that is here.
    pub fn posts(&self) -> Vec<Post> {
        self.open().filter_map(|f| self.party.history.read(f).ok()).collect()
    }

    fn open(&self) -> impl Iterator<Item = &SignedFile> {
        self.of(|step| step == self.party.history.step())
    }

    fn of(&self, wanted: impl Fn(u64) -> bool) -> impl Iterator<Item = &SignedFile> {
        self.files.iter().zip(&self.steps).filter(move |(_, step)| wanted(**step)).map(|(file, _)| file)
    }

    /// Closes what closes, and sees what is left.
    pub fn look(&mut self) {
        loop {
            let history = &self.party.history;
            let hosts: Vec<HostPost> = self.open().filter_map(|f| history.read_host(f).ok()).collect();
            let keys = self.open().filter_map(|f| history.read_key(f).ok()).collect();
            let posts = self.posts();
            self.party.history.hosts_at_hand(hosts);
            self.party.history.keys_at_hand(keys);
            if self.party.history.close(&posts).unwrap().is_none() {
                let seat = self.seat();
                self.party.posts = if seat == Seat::Host { posts } else { self.party.history.relayed_to(seat, &posts) };
                return;
            }
        }
    }

    pub fn take(&mut self, files: &[SignedFile]) {
        let before = self.files.len();
        for file in files {
            if !self.files.contains(file) {
                self.files.push(file.clone());
                let host = || countersign::log::read_host_file(file).map(|f| f.step);
                let key = || countersign::log::read_key_file(file).map(|f| f.step);
                let step = countersign::log::read_step(file).map(|f| f.step).or_else(|_| host()).or_else(|_| key());
                self.steps.push(step.unwrap());
            }
        }
        if self.files.len() > before {
            self.look();
            self.fresh = true;
        }
    }

    /// The player's next file, if there is one.
    pub fn send(&mut self, intent: &Intent) -> Option<SignedFile> {
        let history = self.party.history.clone();
        let party = &mut self.party;
        let next = party.player.next(&history, &party.posts, &party.secrets, intent, SENT).unwrap()?;
        party.secrets.extend(&next.openings);
        let signed = party.player.sign(Namespace::Orders, &next.file).unwrap();
        self.take(std::slice::from_ref(&signed));
        Some(signed)
    }

    /// The host's next file, if there is one.
    pub fn relay(&mut self, words: &HostWords) -> Option<HostFile> {
        let party = &self.party;
        let file = party.player.relay(&party.history, &party.posts, words).unwrap()?;
        let signed = party.player.sign(Namespace::Host, &file).unwrap();
        self.take(&[signed]);
        Some(file)
    }

    /// What the host shows both: all he has named, and his own files.
    pub fn shown(&self) -> Vec<SignedFile> {
        let history = &self.party.history;
        // A lost mail heals with the next one: what the step before had goes along.
        let recent: Vec<&SignedFile> = self.of(|step| step + 2 > history.step()).collect();
        let own = |f: &&&SignedFile| countersign::log::read_host_file(f).is_ok();
        let mut shown: Vec<SignedFile> = recent.iter().filter(own).map(|f| (*f).clone()).collect();
        shown.extend(recent.iter().filter(|f| history.read_key(f).is_ok()).map(|f| (*f).clone()));
        let hosts = shown.iter().filter_map(|f| countersign::log::read_host_file(f).ok());
        // A named file pins those before it.
        let mut todo: Vec<Digest> = hosts.flat_map(|h| h.names.into_values()).collect();
        while let Some(hash) = todo.pop() {
            if let Some(file) = recent.iter().find(|f| f.hash() == hash)
                && !shown.contains(file)
            {
                shown.push((*file).clone());
                todo.extend(countersign::log::read_step(file).unwrap().prev);
            }
        }
        shown
    }
}

/// American, British, host.
pub fn three(scenario: &str, clock: Option<Clock>, table: u8) -> (Vec<Place>, Terms) {
    let (terms, text, players) = super::table::terms_with(scenario, clock, countersign::doc::Mode::Strict, table);
    let history = History::begin(terms.clone(), &text).unwrap();
    (players.into_iter().map(|player| Place::new(player, history.clone())).collect(), terms)
}

/// The same under these rulings and optional rules.
pub fn three_with(scenario: &str, rulings: &std::collections::BTreeMap<String, String>, table: u8) -> Vec<Place> {
    let (terms, text, players) = super::table::terms(scenario, rulings, countersign::doc::Mode::Strict, table);
    let history = History::begin(terms, &text).unwrap();
    players.into_iter().map(|player| Place::new(player, history.clone())).collect()
}

/// What is on its way, from whom to whom.
#[derive(Default)]
pub struct Mail {
    under_way: Vec<(usize, SignedFile)>,
    posted: Vec<(usize, Digest)>,
}

impl Mail {
    /// Posts files to every other place, or players' to the host alone; what was posted before only now and then again.
    pub fn post(&mut self, from: usize, files: &[SignedFile], numbers: &mut Numbers) {
        let to: &[usize] = if from == 2 { &[0, 1] } else { &[2] };
        for at in to {
            for file in files {
                let letter = (*at, file.hash());
                if !self.posted.contains(&letter) || numbers.below(10) == 0 {
                    self.under_way.push((*at, file.clone()));
                    self.posted.push(letter);
                }
            }
        }
    }

    /// Delivers one at random.
    pub fn deliver(&mut self, places: &mut [Place], numbers: &mut Numbers) -> bool {
        if self.under_way.is_empty() {
            return false;
        }
        let at = numbers.below(u32::try_from(self.under_way.len()).unwrap()) as usize;
        let (to, file) = self.under_way.swap_remove(at);
        places[to].take(&[file]);
        true
    }
}

/// Plays on at random until the game is over, and returns the log all three have.
pub fn play(places: &mut [Place], numbers: &mut Numbers) -> Vec<u8> {
    let words = super::host_words(SENT);
    let mut mail = Mail::default();
    for _ in 0..200_000 {
        let mut did = false;
        // Somebody does what he can, or a mail arrives.
        match numbers.below(4) {
            0 | 1 => did = mail.deliver(places, numbers),
            2 => {
                if places[2].fresh && places[2].relay(&words).is_some() {
                    did = true;
                } else {
                    places[2].fresh = false;
                }
                let shown = if did { places[2].shown() } else { Vec::new() };
                mail.post(2, &shown, numbers);
            }
            _ => {
                let at = numbers.below(2) as usize;
                let me = &mut places[at];
                if !me.fresh && numbers.below(20) > 0 {
                    continue;
                }
                me.fresh = false;
                let mut intent = Intent::default();
                let fresh = me.party.to_answer();
                let again = numbers.below(20) == 0
                    && me.party.history.settle(&me.party.posts).may_answer(me.seat())
                    && me.party.history.end().is_none();
                if fresh || again {
                    intent.answers = me.party.random_answers(numbers);
                }
                if let Some(signed) = me.send(&intent) {
                    mail.post(at, &[signed], numbers);
                    did = true;
                }
            }
        }
        let over = places.iter().all(|p| p.party.history.complete());
        if over {
            let logs: Vec<Vec<u8>> = places.iter().map(|p| p.party.history.log().bytes()).collect();
            assert!(logs.iter().all(|log| *log == logs[0]), "three logs that differ");
            return logs[0].clone();
        }
        if !did && mail.under_way.is_empty() {
            let mut stuck = true;
            for place in places.iter_mut() {
                let host = place.seat() == Seat::Host;
                let party = &place.party;
                let able = if host {
                    party.player.relay(&party.history, &party.posts, &words).unwrap().is_some()
                } else {
                    party.to_answer()
                        || party
                            .player
                            .next(&party.history, &party.posts, &party.secrets, &Intent::default(), SENT)
                            .unwrap()
                            .is_some()
                };
                stuck &= !able;
            }
            assert!(!stuck, "all three wait in step {}", places[2].party.history.step());
        }
    }
    panic!("no end");
}
