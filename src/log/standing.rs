//! Where the seats of a step stand, and what each may send next (`schemas/protocol.md`, "Life of a step").

use std::collections::{BTreeMap, BTreeSet};

use super::relay::HostView;
use super::step::{Filed, ends, may_link, named_by};
use super::talk::Talk;
use crate::doc::Offer;
use crate::seal::Digest;
use crate::side::Seat;

/// One seat's part of a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SeatView {
    /// Its files n = 1, 2, ... as they count.
    pub chain: Vec<Filed>,
    /// Files of the same number that do not count: evidence of two versions.
    pub evidence: Vec<Filed>,
    /// Files whose predecessor has not come yet.
    pub waiting: Vec<Filed>,
    /// Why files count as talk, by position in the chain.
    pub talk: BTreeMap<usize, Talk>,
    /// Positions of legal answers, before the link.
    pub versions: Vec<usize>,
    /// The answer that is named by another seat.
    pub fixed: Option<usize>,
    /// Position of the valid link.
    pub linked: Option<usize>,
    /// Position of a file that carries a link although it counts as talk.
    pub spent_link: Option<usize>,
    /// Position of the concession.
    pub conceded: Option<usize>,
    /// Position of the host's file that put the book's orders in the place of this seat's (strict games).
    pub defaulted: Option<usize>,
}

impl SeatView {
    /// The answer that stands: the named one, or the only one; none if the book's stands in its place.
    #[must_use]
    pub fn answer(&self) -> Option<usize> {
        if self.defaulted.is_some() {
            return None;
        }
        self.fixed.or(match self.versions.as_slice() {
            [only] => Some(*only),
            _ => None,
        })
    }

    /// The newest file.
    #[must_use]
    pub fn newest(&self) -> Option<&Filed> {
        self.chain.last()
    }

    /// The offer of a file that counts.
    #[must_use]
    pub fn offer(&self, at: usize) -> Option<&Offer> {
        self.chain.get(at).filter(|_| !self.talk.contains_key(&at)).and_then(|f| f.file.offer.as_ref())
    }

    /// Offers that stand, with the positions of their files; a concession is none of them.
    pub fn offers(&self) -> impl Iterator<Item = (usize, &Offer)> {
        (0..self.chain.len()).filter_map(|at| Some((at, self.offer(at)?))).filter(|(_, o)| **o != Offer::Concede)
    }

    /// The place of a file in the chain.
    #[must_use]
    pub fn position(&self, hash: &Digest) -> Option<usize> {
        self.chain.iter().position(|f| f.hash == *hash)
    }
}

/// Where a seat stands in the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Not asked, or others' answers are missing after its own.
    Waits,
    /// It has a need and no answer.
    Asked,
    /// Two versions of its answer are unnamed and all other answers are in: the other has to name one.
    Doubled,
    /// All answers are named or can be named in the file to send: link and due openings may go.
    Bound,
    /// Its link is out.
    Released,
    /// It conceded and the other has not acknowledged it.
    Conceded,
}

/// How a step closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// All links and due openings are in.
    Resolved,
    /// An offer was accepted.
    Agreed,
    /// An illegal file that carried a link was refused.
    Refused,
    /// Both conceded.
    ConcededTwice,
    /// The host declared a seat late, and it has lost by that (games with a host).
    Late,
}

impl How {
    /// The word of the result entry.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            How::Resolved => "resolved",
            How::Agreed => "agreed",
            How::Refused => "refused",
            How::ConcededTwice => "conceded-twice",
            How::Late => "late",
        }
    }
}

/// The step as a set of files shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Both seats, in terms order.
    pub seats: BTreeMap<Seat, SeatView>,
    /// Who is asked.
    pub asked: BTreeSet<Seat>,
    /// Terms order.
    pub order: [Seat; 2],
    /// In a strict game, the host's part.
    pub host: Option<HostView>,
}

/// How far into the two chains a file reaches by what it names: positions below are pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reach {
    /// Into the other's.
    pub theirs: usize,
    /// Into the own, as the other's files (in a strict game the host's) name it.
    pub own: usize,
    /// Into the host's (strict games).
    pub host: usize,
}

/// The other of two seats.
#[must_use]
pub fn other(order: [Seat; 2], seat: Seat) -> Seat {
    if order[0] == seat { order[1] } else { order[0] }
}

impl Standing {
    /// Where a seat stands.
    #[must_use]
    pub fn state(&self, seat: Seat) -> State {
        let partner = other(self.order, seat);
        let (mine, theirs) = (&self.seats[&seat], &self.seats[&partner]);
        if mine.conceded.is_some() {
            return State::Conceded;
        }
        if mine.linked.is_some() || mine.spent_link.is_some() {
            return State::Released;
        }
        if self.asked.contains(&seat) && mine.versions.is_empty() && mine.defaulted.is_none() {
            return State::Asked;
        }
        if mine.defaulted.is_some() {
            return State::Released;
        }
        let now = self.reach_now(seat);
        let seen = theirs.versions.iter().any(|v| *v < now.theirs) || theirs.defaulted.is_some();
        if self.asked.contains(&partner) && !seen {
            return State::Waits;
        }
        if may_link(self, seat, false, now) { State::Bound } else { State::Doubled }
    }

    /// Whether a first answer of this seat may carry its link at once.
    #[must_use]
    pub fn may_answer_and_link(&self, seat: Seat) -> bool {
        may_link(self, seat, true, self.reach_now(seat))
    }

    /// How far a file of this seat would reach that is sent now and names the newest.
    #[must_use]
    pub fn reach_now(&self, seat: Seat) -> Reach {
        let partner = other(self.order, seat);
        let (mine, theirs) = (&self.seats[&seat], &self.seats[&partner]);
        match &self.host {
            Some(host) => host.chain.len().checked_sub(1).map_or(Reach::default(), |at| host.reach(at, seat, partner)),
            None => {
                Reach { theirs: theirs.chain.len(), own: named_by(theirs, mine, seat, theirs.chain.len()), host: 0 }
            }
        }
    }

    /// Whether an answer sent now would count.
    #[must_use]
    pub fn may_answer(&self, seat: Seat) -> bool {
        let mine = &self.seats[&seat];
        self.asked.contains(&seat)
            && mine.linked.is_none()
            && mine.spent_link.is_none()
            && mine.fixed.is_none()
            && mine.defaulted.is_none()
            && !self.ended(seat)
    }

    /// Whether a seat may still accept something other than a concession.
    #[must_use]
    pub fn may_accept(&self, seat: Seat) -> bool {
        let (mine, theirs) = (&self.seats[&seat], &self.seats[&other(self.order, seat)]);
        let linked = mine.linked.is_some() || mine.spent_link.is_some() || mine.defaulted.is_some();
        let free = !linked && mine.conceded.is_none();
        free && !self.ended(seat) && mine.offers().next().is_none() && theirs.conceded.is_none()
    }

    /// The newest offer of the other that this seat may still accept, with its file.
    #[must_use]
    pub fn acceptable(&self, seat: Seat) -> Option<(&Filed, &Offer)> {
        let theirs = self.may_accept(seat).then(|| &self.seats[&other(self.order, seat)])?;
        let seen = self.reach_now(seat).theirs;
        let newest = theirs.offers().filter(|(at, _)| *at < seen).last();
        newest.and_then(|(at, offer)| Some((theirs.chain.get(at)?, offer)))
    }

    /// Whether a seat has ended its files in this step.
    #[must_use]
    pub fn ended(&self, seat: Seat) -> bool {
        let mine = &self.seats[&seat];
        mine.chain.iter().enumerate().any(|(i, f)| ends(&f.file) && !mine.talk.contains_key(&i))
    }

    /// Whether every asked seat's answer stands.
    #[must_use]
    pub fn answered(&self) -> bool {
        self.asked.iter().all(|seat| self.seats[seat].answer().is_some() || self.seats[seat].defaulted.is_some())
    }

    /// Whether all links are out, validly; the link of a seat that is late is not waited for.
    #[must_use]
    pub fn linked(&self) -> bool {
        let host = self.host.as_ref().is_none_or(|host| host.linked.is_some());
        host && self.order.iter().all(|seat| self.seats[seat].linked.is_some() || self.seats[seat].defaulted.is_some())
    }

    /// The file of a seat whose answer stands.
    #[must_use]
    pub fn answer_file(&self, seat: Seat) -> Option<&Filed> {
        let view = &self.seats[&seat];
        view.answer().and_then(|at| view.chain.get(at))
    }

    /// A seat's illegal file that carried its link, which the other may refuse.
    #[must_use]
    pub fn refusable(&self, seat: Seat) -> Option<(&Filed, &Talk)> {
        let view = &self.seats[&seat];
        let at = view.spent_link?;
        Some((view.chain.get(at)?, view.talk.get(&at)?))
    }

    /// Whether a host's refusal of a seat's file with a spent link closes the step of a strict game: while the seat's answer
    /// is missing, for until then no other link can leave. Later its player could know the dice, from the host perhaps, and
    /// would be given others.
    #[must_use]
    pub fn refusal_closes(&self, seat: Seat) -> bool {
        let open = self.asked.contains(&seat) && self.seats[&seat].versions.is_empty();
        open && self.refusable(seat).is_some()
    }

    /// How the step closes, if it does, with the number of counted files of each seat. `opened` gives the position of
    /// the file that brought each seat's last due opening, if all due openings are in (`None`: some are missing).
    #[must_use]
    pub fn closing(&self, opened: Option<&BTreeMap<Seat, usize>>) -> Option<(How, BTreeMap<Seat, usize>)> {
        let up_to = |ends: [Option<usize>; 2]| -> Option<BTreeMap<Seat, usize>> {
            self.with_named(
                self.order.iter().copied().zip(ends).map(|(seat, at)| (seat, at.map_or(0, |p| p + 1))).collect(),
            )
        };
        if let (true, Some(opened)) = (self.answered() && self.linked(), opened) {
            let last = |seat: Seat| self.seats[&seat].linked.max(opened.get(&seat).copied());
            return up_to(self.order.map(last)).map(|counted| (How::Resolved, counted));
        }
        let [a, b] = self.order;
        if let (Some(x), Some(y)) = (self.seats[&a].conceded, self.seats[&b].conceded) {
            return up_to([Some(x), Some(y)]).map(|counted| (How::ConcededTwice, counted));
        }
        for seat in self.order {
            let partner = other(self.order, seat);
            let (mine, theirs) = (&self.seats[&seat], &self.seats[&partner]);
            for (at, filed) in mine.chain.iter().enumerate().filter(|(at, _)| !mine.talk.contains_key(at)) {
                let target = filed.file.accept.map(|h| (How::Agreed, h));
                let target = target.or(filed.file.refuse.as_ref().map(|r| (How::Refused, r.file)));
                if let Some((how, hash)) = target {
                    let theirs_at = theirs.position(&hash);
                    let ends = if seat == a { [Some(at), theirs_at] } else { [theirs_at, Some(at)] };
                    return up_to(ends).map(|counted| (how, counted));
                }
            }
        }
        None
    }

    /// Counted files with every file they name: a name that points outside the block would leave its file without
    /// what it builds on. `None` while a file so named has not come.
    fn with_named(&self, mut counted: BTreeMap<Seat, usize>) -> Option<BTreeMap<Seat, usize>> {
        loop {
            let before = counted.clone();
            for seat in self.order {
                let partner = other(self.order, seat);
                for filed in self.seats[&seat].chain.iter().take(before[&seat]) {
                    if let Some(hash) = filed.file.names.get(&partner) {
                        let at = self.seats[&partner].position(hash)?;
                        let most = counted.entry(partner).or_insert(0);
                        *most = (*most).max(at + 1);
                    }
                }
            }
            if counted == before {
                return Some(counted);
            }
        }
    }
}
