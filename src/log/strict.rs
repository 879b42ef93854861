//! A step of a strict game: the players bind and reveal as between two, the host relays, keeps the clock and adds his link
//! (`schemas/protocol.md`, "A strict step").
//!
//! The step closes with the first file of the host up to which everything he has named closes it. So what closed it does
//! not depend on what else was on its way.

use std::collections::BTreeMap;

use super::history::{History, HostPost, Post};
use super::relay::Relayed;
use super::step::{Filed, How, Standing, State, settle_strict};
use super::time::Times;
use crate::doc::{HostFile, Late, Refuse};
use crate::play::Want;
use crate::seal::Digest;
use crate::side::Seat;

/// What the host's files bring about.
pub(super) enum Ending {
    /// The step closes.
    Step(How),
    /// After the end of the game: every seal is open.
    Audit,
}

/// Stands in the place of the hash of a host's file that is not signed yet.
const TRIAL: Digest = Digest([0xff; 32]);

/// Answers by slot, with the step they count from.
type Answers = BTreeMap<String, (u64, String)>;

impl History {
    /// The host's files at hand for the open step; they go when it closes.
    pub fn hosts_at_hand(&mut self, hosts: Vec<HostPost>) {
        self.hosts = hosts;
    }

    /// What stands in the open step of a strict game.
    pub(super) fn settle_strict(&self, files: &[Filed], hosts: &[HostPost]) -> Standing {
        let hosts: Vec<Relayed> = hosts.iter().map(HostPost::relayed).collect();
        settle_strict(self.terms.players(), &self.asked(), files, &hosts, self)
    }

    /// The files a seat goes by in a strict game: its own, and of the other those the host has named.
    #[must_use]
    pub fn relayed_to(&self, seat: Seat, posts: &[Post]) -> Vec<Post> {
        let standing = self.settle(posts);
        let Some(host) = &standing.host else { return posts.to_vec() };
        let last = host.chain.len().checked_sub(1);
        let named = |post: &&Post| {
            let of = post.filed.file.seat;
            let at = standing.seats.get(&of).and_then(|view| view.position(&post.filed.hash));
            of == seat || at.zip(last).is_some_and(|(at, last)| at < host.pins(last, of))
        };
        posts.iter().filter(named).cloned().collect()
    }

    /// What would stand if the host sent this file too.
    pub(super) fn settle_trial(&self, posts: &[Post], file: &HostFile) -> Standing {
        let files: Vec<Filed> = posts.iter().map(|p| p.filed.clone()).collect();
        let mut hosts: Vec<Relayed> = self.hosts.iter().map(HostPost::relayed).collect();
        hosts.push(Relayed { hash: TRIAL, file: file.clone() });
        settle_strict(self.terms.players(), &self.asked(), &files, &hosts, self)
    }

    /// For which answers a host's file lets his link go, if he has let it go by then: the hashes of the files that stand.
    #[must_use]
    pub fn released_for(&self, posts: &[Post], file: &HostFile) -> BTreeMap<Seat, Digest> {
        if !self.terms.strict() {
            return file.takes.clone();
        }
        let standing = self.settle_trial(posts, file);
        if standing.host.as_ref().is_none_or(|host| host.linked.is_none()) {
            return BTreeMap::new();
        }
        standing.asked.iter().filter_map(|seat| Some((*seat, standing.answer_file(*seat)?.hash))).collect()
    }

    /// Whether the step would close if the host sent this file too.
    pub(super) fn closes_with(&self, posts: &[Post], file: &HostFile) -> bool {
        let standing = self.settle_trial(posts, file);
        if self.end.is_some() { self.audited(&standing).is_some() } else { self.how_strict(&standing).is_some() }
    }

    /// Whether a seat that this file of the host declares late is so, with the consequence it names.
    pub(super) fn declares(&self, posts: &[Post], file: &HostFile, seat: Seat) -> bool {
        let standing = self.settle_trial(posts, file);
        let sound = standing.host.as_ref().is_some_and(|host| {
            host.chain.last().is_some_and(|h| h.hash == TRIAL) && !host.talk.contains_key(&(host.chain.len() - 1))
        });
        sound && (standing.seats[&seat].defaulted.is_some() || self.forfeited(&standing).contains(&seat))
    }

    /// Why a player's file does not count in the open step of a game with a host, if it does not.
    #[must_use]
    pub fn refusal(&self, file: &Filed, posts: &[Post]) -> Option<String> {
        if self.terms.hosted() {
            return self.judge_hosted(&file.file, posts).err().map(|talk| talk.to_string());
        }
        let standing = self.settle(posts);
        let view = standing.seats.get(&file.file.seat)?;
        let at = view.position(&file.hash)?;
        view.talk.get(&at).map(ToString::to_string)
    }

    /// How the step closes, if it does, with all that counts.
    pub(super) fn closing_strict(&self, posts: &[Post]) -> Option<(Standing, Ending)> {
        let whole = self.settle(posts);
        let host = whole.host.as_ref()?;
        for at in 0..host.chain.len() {
            let mut files: Vec<Filed> = Vec::new();
            for (seat, view) in &whole.seats {
                files.extend(view.chain.iter().take(host.pins(at, *seat)).cloned());
            }
            let hosts: Vec<HostPost> = host.chain[..=at]
                .iter()
                .filter_map(|h| self.hosts.iter().find(|p| p.signed.hash() == h.hash).cloned())
                .collect();
            let standing = self.settle_strict(&files, &hosts);
            // A step does not close with a file of the host that is against its rules: no verifier would take the log.
            if standing.host.as_ref().is_none_or(|view| !view.talk.is_empty()) {
                return None;
            }
            let ending = if self.end.is_some() {
                self.audited(&standing).map(|_| Ending::Audit)
            } else {
                self.how_strict(&standing).map(Ending::Step)
            };
            if let Some(ending) = ending {
                // And not with one that changes a time as he may not.
                let in_time = match ending {
                    Ending::Step(how) => self.times_strict(&standing, how).is_ok(),
                    Ending::Audit => true,
                };
                return in_time.then_some((standing, ending));
            }
        }
        None
    }

    /// What stands of time when a strict step closes like this.
    pub(super) fn times_strict(&self, standing: &Standing, how: How) -> std::result::Result<Times, (usize, String)> {
        let accepted = self.agreed_strict(standing, Some(how));
        let hosts = standing.host.iter().flat_map(|host| &host.chain).map(|h| &h.file);
        self.judge_times(hosts, true, accepted.as_ref())
    }

    /// How the step closes with everything the host has named: resolved goes before all others.
    pub(super) fn how_strict(&self, standing: &Standing) -> Option<How> {
        if standing.answered() && standing.linked() && self.last_openings(standing).is_some() {
            return Some(How::Resolved);
        }
        match standing.seats.values().filter(|view| view.conceded.is_some()).count() {
            0 => {}
            1 => return Some(How::Agreed),
            _ => return Some(How::ConcededTwice),
        }
        if self.accepted(standing).is_some() {
            return Some(How::Agreed);
        }
        let host = standing.host.as_ref()?;
        let last = host.chain.len().checked_sub(1)?;
        let file = &host.chain[last].file;
        let spent = |seat: &Seat, refuse: &Refuse| {
            standing.refusal_closes(*seat)
                && standing.refusable(*seat).is_some_and(|(filed, _)| filed.hash == refuse.file)
        };
        let sound = !host.talk.contains_key(&last);
        if sound && file.refuse.iter().any(|r| standing.order.iter().any(|seat| spent(seat, r))) {
            return Some(How::Refused);
        }
        (sound && !self.forfeited(standing).is_empty()).then_some(How::Late)
    }

    /// Seats that the host's last file declares to have forfeited, rightly.
    pub(super) fn forfeited(&self, standing: &Standing) -> Vec<Seat> {
        let last = standing.host.as_ref().and_then(|host| host.chain.last());
        let Some(last) = last else { return Vec::new() };
        let declared = last.file.late.iter().filter(|(_, then)| **then == Late::Forfeit);
        declared.map(|(seat, _)| *seat).filter(|seat| self.owes(standing, *seat)).collect()
    }

    /// Whether a seat owes something that everything named so far lets it send.
    fn owes(&self, standing: &Standing, seat: Seat) -> bool {
        match standing.state(seat) {
            State::Asked => {
                // The book's orders come first, where the terms have them.
                let row = self.terms.late();
                row != Some(Late::DefaultOrders) || self.absent_answers(seat).is_none()
            }
            State::Bound => true,
            // A link in a file that counts as talk, when it cannot be refused: no other will come.
            State::Released if standing.refusable(seat).is_some() && standing.seats[&seat].linked.is_none() => {
                !standing.refusal_closes(seat)
            }
            State::Released => {
                let story = self.preview(standing, &super::player::all_files(standing));
                story.wants.iter().any(|w| matches!(w, Want::Open { side, .. } if Seat::from(*side) == seat))
            }
            State::Waits | State::Doubled | State::Conceded => false,
        }
    }

    /// Whether terms and clock let a host's file declare a seat late, with this consequence.
    pub(super) fn may_be_late(&self, seat: Seat, then: Late, file: &HostFile) -> bool {
        let row = self.terms.late();
        self.is_over(file)
            && match (row, then) {
                (Some(Late::DefaultOrders), Late::DefaultOrders) => self.absent_answers(seat).is_some(),
                // A link or an opening withheld is a forfeit wherever something follows; orders only if the book has none in
                // their place.
                (Some(_), Late::Forfeit) => true,
                (Some(Late::Forfeit) | None, Late::DefaultOrders) | (None, Late::Forfeit) => false,
            }
    }

    /// The book's cautious answers to all that is asked of a seat, in clear; `None` if one has none.
    pub(super) fn absent_answers(&self, seat: Seat) -> Option<Answers> {
        let game = self.game.game();
        let mut answers = Answers::new();
        for want in self.wants().iter().filter(|w| w.asks().map(Seat::from) == Some(seat)) {
            match want {
                Want::Decide { slot, .. } => drop(answers.insert(slot.clone(), (self.step, game.absent(slot)?))),
                Want::Seal { slot, .. } => {
                    let parts = game.split(slot, &game.absent(slot)?).ok()?;
                    answers.extend(parts.into_iter().map(|(part, content)| (part, (self.step, content))));
                }
                Want::Open { .. } | Want::Roll { .. } => {}
            }
        }
        Some(answers)
    }
}
