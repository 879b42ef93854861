//! The life of one step between two seats: what stands, who may send what, and how the step closes
//! (`schemas/protocol.md`, "Life of a step").
//!
//! Everything here is a pure function of the *set* of files: in whatever order they arrived, the same files give the
//! same standing. The exhaustive model of it is `tests/step_model.rs`.

use std::collections::{BTreeMap, BTreeSet};

pub use super::relay::{HostView, Relayed};
pub use super::talk::Talk;
use crate::doc::{HostFile, Late, Offer, StepFile};
use crate::seal::{Digest, Opening};
use crate::side::Seat;

/// A file whose signature, game, seat, step and head have been checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Filed {
    /// Hash of document and signature.
    pub hash: Digest,
    /// What it says.
    pub file: StepFile,
}

/// What the step layer has to be told about contents it cannot judge itself.
pub trait Oracle {
    /// Whether answers and seals of a file are legal answers to all that is asked of its seat.
    ///
    /// # Errors
    /// The reasons, for people.
    fn answers(&self, file: &StepFile) -> Result<(), String>;
    /// Whether a link is the seat's link of this step.
    fn link(&self, seat: Seat, link: &Digest) -> bool;
    /// Whether an opening fits a seal of its slot: one of an earlier step, or one of `placed` in this step.
    fn opening(&self, seat: Seat, slot: &str, opening: &Opening, placed: &[Digest]) -> bool;
    /// Whether an offer can be carried out if it is accepted.
    ///
    /// # Errors
    /// The reason it cannot, for people.
    fn offer(&self, offer: &Offer) -> Result<(), String>;
    /// Whether a file is a sound request of a new key for a seat, at hand in this step. `silent`: the seat's present key
    /// has sent nothing in it.
    fn key(&self, _seat: Seat, _file: &Digest, _silent: bool) -> bool {
        false
    }
    /// Whether terms and clock let this file of the host declare a seat late, with this consequence.
    fn late(&self, _seat: Seat, _then: Late, _file: &HostFile) -> bool {
        false
    }
}

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

/// Settles a step between two from all its files, in any order, repeats and superseded ones mixed in.
#[must_use]
pub fn settle(order: [Seat; 2], asked: &BTreeSet<Seat>, files: &[Filed], oracle: &dyn Oracle) -> Standing {
    read_all(order, asked, files, None, oracle)
}

/// The same in a strict game, where the host relays the players' files and they name his.
#[must_use]
pub fn settle_strict(
    order: [Seat; 2],
    asked: &BTreeSet<Seat>,
    files: &[Filed],
    hosts: &[Relayed],
    oracle: &dyn Oracle,
) -> Standing {
    read_all(order, asked, files, Some(HostView::new(hosts, files)), oracle)
}

fn read_all(
    order: [Seat; 2],
    asked: &BTreeSet<Seat>,
    files: &[Filed],
    host: Option<HostView>,
    oracle: &dyn Oracle,
) -> Standing {
    // A file counts when what it names is here: else nobody could tell what it builds on, and the step could not close.
    let here: BTreeSet<Digest> = match &host {
        Some(view) => view.chain.iter().map(|h| h.hash).collect(),
        None => files.iter().map(|f| f.hash).collect(),
    };
    let mut seats: BTreeMap<Seat, SeatView> = BTreeMap::new();
    for seat in order {
        // A host's names stand in his order: what he named first stands, whatever he names after it.
        let named: Vec<Digest> = match &host {
            Some(view) => view.chain.iter().filter_map(|h| h.file.names.get(&seat).copied()).collect(),
            None => files.iter().filter_map(|f| f.file.names.get(&seat).copied()).collect(),
        };
        seats.insert(seat, chain(seat, files, &here, &named, host.is_some()));
    }
    let mut standing = Standing { seats, asked: asked.clone(), order, host };
    if let Some(mut host) = standing.host.take() {
        host.pin(&standing.seats);
        standing.host = Some(host);
    }
    // What one seat's files mean depends only on earlier files of the others, so the chains are read in the order in
    // which they name each other.
    for (seat, at) in reading_order(&standing) {
        if seat == Seat::Host { read_host(&mut standing, at, oracle) } else { read(&mut standing, seat, at, oracle) }
    }
    standing
}

/// The files of a seat that count: linked by `prev`, and where two have one number the one another seat names.
/// `first`: the first so named stands, and a later name of another file of that number counts for nothing.
fn chain(seat: Seat, files: &[Filed], here: &BTreeSet<Digest>, named: &[Digest], first: bool) -> SeatView {
    let all: BTreeMap<Digest, &Filed> = files.iter().filter(|f| f.file.seat == seat).map(|f| (f.hash, f)).collect();
    let mine: BTreeMap<Digest, &Filed> =
        all.iter().filter(|(_, f)| f.file.names.values().all(|h| here.contains(h))).map(|(h, f)| (*h, *f)).collect();
    // A named file pins everything before it.
    let mut pinned = BTreeSet::new();
    let mut numbers: BTreeSet<u32> = BTreeSet::new();
    for hash in named {
        let mut path = Vec::new();
        let mut at = Some(*hash);
        while let Some(filed) = at.and_then(|h| mine.get(&h)).filter(|filed| !pinned.contains(&filed.hash)) {
            path.push((filed.file.n, filed.hash));
            at = filed.file.prev;
        }
        if !first || path.iter().all(|(n, _)| !numbers.contains(n)) {
            numbers.extend(path.iter().map(|(n, _)| *n));
            pinned.extend(path.into_iter().map(|(_, hash)| hash));
        }
    }
    let mut view = SeatView::default();
    loop {
        let prev = view.chain.last().map(|f| f.hash);
        let n = u32::try_from(view.chain.len()).unwrap_or(u32::MAX).saturating_add(1);
        let mut next: Vec<&Filed> = mine.values().copied().filter(|f| f.file.n == n && f.file.prev == prev).collect();
        next.sort_by_key(|f| (!pinned.contains(&f.hash), f.hash));
        match next.first() {
            Some(first) => view.chain.push((*first).clone()),
            None => break,
        }
    }
    let counted: BTreeSet<Digest> = view.chain.iter().map(|f| f.hash).collect();
    for filed in all.values().filter(|f| !counted.contains(&f.hash)) {
        let taken = usize::try_from(filed.file.n).is_ok_and(|n| n >= 1 && n <= view.chain.len());
        if taken { view.evidence.push((*filed).clone()) } else { view.waiting.push((*filed).clone()) }
    }
    view
}

/// Every counted file, each after the files it names and after its own predecessor; the host's among them.
fn reading_order(standing: &Standing) -> Vec<(Seat, usize)> {
    let chains: Vec<Seat> = standing.order.into_iter().chain(standing.host.as_ref().map(|_| Seat::Host)).collect();
    let length = |seat: Seat| match (&standing.host, seat) {
        (Some(host), Seat::Host) => host.chain.len(),
        _ => standing.seats[&seat].chain.len(),
    };
    let names = |seat: Seat, at: usize| match (&standing.host, seat) {
        (Some(host), Seat::Host) => &host.chain[at].file.names,
        _ => &standing.seats[&seat].chain[at].file.names,
    };
    let position = |seat: Seat, hash: &Digest| match (&standing.host, seat) {
        (Some(host), Seat::Host) => host.position(hash),
        _ => standing.seats.get(&seat).and_then(|view| view.position(hash)),
    };
    let mut done: BTreeMap<Seat, usize> = chains.iter().map(|seat| (*seat, 0)).collect();
    let mut order = Vec::new();
    let total: usize = chains.iter().map(|seat| length(*seat)).sum();
    while order.len() < total {
        let before = order.len();
        for seat in &chains {
            let at = done[seat];
            if at >= length(*seat) {
                continue;
            }
            let read =
                |of: &Seat, hash: &Digest| position(*of, hash).is_none_or(|p| done.get(of).is_none_or(|n| p < *n));
            if names(*seat, at).iter().all(|(of, hash)| read(of, hash)) {
                order.push((*seat, at));
                done.insert(*seat, at + 1);
            }
        }
        if order.len() == before {
            break; // names in a circle cannot be made without breaking SHA-256
        }
    }
    order
}

/// How far a file of a chain reaches.
fn reach(standing: &Standing, seat: Seat, at: usize) -> Reach {
    let partner = other(standing.order, seat);
    let (mine, theirs) = (&standing.seats[&seat], &standing.seats[&partner]);
    if let Some(host) = &standing.host {
        let named = (0..=at).filter_map(|i| mine.chain[i].file.names.get(&Seat::Host)).filter_map(|h| host.position(h));
        return named.max().map_or(Reach::default(), |i| host.reach(i, seat, partner));
    }
    let named = (0..=at).filter_map(|i| mine.chain[i].file.names.get(&partner)).filter_map(|h| theirs.position(h));
    let pinned = named.map(|p| p + 1).max().unwrap_or(0);
    Reach { theirs: pinned, own: named_by(theirs, mine, seat, pinned), host: 0 }
}

/// How far into a seat's chain the first `upto` files of the other name it.
fn named_by(theirs: &SeatView, mine: &SeatView, seat: Seat, upto: usize) -> usize {
    let named = theirs.chain[..upto].iter().filter_map(|f| f.file.names.get(&seat)).filter_map(|h| mine.position(h));
    named.map(|p| p + 1).max().unwrap_or(0)
}

fn read(standing: &mut Standing, seat: Seat, at: usize, oracle: &dyn Oracle) {
    let partner = other(standing.order, seat);
    let file = standing.seats[&seat].chain[at].file.clone();
    let pinned = reach(standing, seat, at);
    if standing.host.is_none() {
        fix(standing, partner, pinned.theirs);
    }
    if let Err(talk) = admit(standing, seat, at, &file, pinned, oracle) {
        let view = standing.seats.entry(seat).or_default();
        // The link of a seat that is late is not waited for, so there is nothing to spend.
        let waited = view.linked.is_none() && view.spent_link.is_none() && view.defaulted.is_none();
        if file.link.is_some() && waited {
            view.spent_link = Some(at);
        }
        view.talk.insert(at, talk);
        return;
    }
    let view = standing.seats.entry(seat).or_default();
    if has_answer(&file) {
        view.versions.push(at);
    }
    if file.link.is_some() {
        view.linked = Some(at);
    }
    if file.offer == Some(Offer::Concede) {
        view.conceded = Some(at);
    }
}

/// Naming fixes a seat's answer: the last version up to the file named; the first so named stands (rule b).
fn fix(standing: &mut Standing, seat: Seat, pinned: usize) {
    if let Some(view) = standing.seats.get_mut(&seat).filter(|view| view.fixed.is_none()) {
        view.fixed = view.versions.iter().copied().filter(|v| *v < pinned).max();
    }
}

/// A host's file of a strict game: what it names is fixed; what else it brings has to be so.
fn read_host(standing: &mut Standing, at: usize, oracle: &dyn Oracle) {
    let Some(host) = standing.host.clone() else { return };
    for seat in standing.order {
        let pinned = host.pins(at, seat);
        if standing.seats[&seat].defaulted.is_none() {
            fix(standing, seat, pinned);
        }
    }
    let verdict = super::relay::admit(standing, &host, at, oracle);
    let Some(view) = &mut standing.host else { return };
    match verdict {
        Err(talk) => drop(view.talk.insert(at, talk)),
        Ok(defaulted) => {
            if host.chain[at].file.link.is_some() {
                view.linked = Some(at);
            }
            for seat in defaulted {
                standing.seats.entry(seat).or_default().defaulted = Some(at);
            }
        }
    }
}

/// Whether a file brings a free choice.
#[must_use]
pub fn has_answer(file: &StepFile) -> bool {
    !file.answers.is_empty() || !file.seals.is_empty()
}

fn admit(
    standing: &Standing,
    seat: Seat,
    at: usize,
    file: &StepFile,
    pinned: Reach,
    oracle: &dyn Oracle,
) -> Result<(), Talk> {
    let (mine, theirs) = (&standing.seats[&seat], &standing.seats[&other(standing.order, seat)]);
    if (0..at).any(|i| ends(&mine.chain[i].file) && !mine.talk.contains_key(&i)) {
        return Err(Talk::AfterEnd);
    }
    let link_out = mine.linked.is_some() || mine.spent_link.is_some();
    if mine.defaulted.is_some() && (has_answer(file) || file.link.is_some()) {
        return Err(Talk::TooLate);
    }
    if has_answer(file) {
        if !standing.asked.contains(&seat) {
            return Err(Talk::NotAsked);
        }
        if link_out {
            return Err(Talk::AfterLink);
        }
        oracle.answers(file).map_err(Talk::Illegal)?;
    }
    for (slot, opening) in &file.opens {
        let earlier = mine.versions.iter().map(|v| &mine.chain[*v].file);
        let placed: Vec<Digest> = earlier.chain([file]).filter_map(|f| f.seals.get(slot).copied()).collect();
        if !oracle.opening(seat, slot, opening, &placed) {
            return Err(Talk::BadOpening(slot.clone()));
        }
    }
    if let Some(link) = &file.link {
        if link_out {
            return Err(Talk::AfterLink);
        }
        if !oracle.link(seat, link) {
            return Err(Talk::WrongLink);
        }
        if !may_link(standing, seat, has_answer(file), pinned) {
            return Err(Talk::LinkTooEarly);
        }
    }
    if let Some(offer) = &file.offer {
        oracle.offer(offer).map_err(Talk::BadOffer)?;
    }
    if let Some(hash) = &file.accept {
        let offer = theirs.position(hash).filter(|p| *p < pinned.theirs).and_then(|p| theirs.offer(p));
        let barred = mine.conceded.is_some() || file.offer.is_some();
        // After its own link or its own offer a seat accepts nothing but a concession.
        let bound = link_out || file.link.is_some() || has_answer(file) || mine.offers().any(|(i, _)| i < at);
        match offer {
            Some(Offer::Concede) if !barred => {}
            Some(_) if !barred && !bound => {}
            // The present key can speak against it by any file of the step.
            None if !barred && !bound && oracle.key(other(standing.order, seat), hash, theirs.chain.is_empty()) => {}
            _ => return Err(Talk::NothingToAccept),
        }
    }
    if let Some(refuse) = &file.refuse {
        let bad = theirs.position(&refuse.file).is_some_and(|p| p < pinned.theirs && theirs.spent_link == Some(p));
        // In a strict game the host refuses.
        if !bad || link_out || file.link.is_some() || standing.host.is_some() {
            return Err(Talk::NothingToRefuse);
        }
    }
    Ok(())
}

/// Rule (a): every other asked seat's answer is named, and the own one is single or already named inside what this
/// file pins. `answering`: the file brings the seat's answer itself.
fn may_link(standing: &Standing, seat: Seat, answering: bool, pinned: Reach) -> bool {
    let partner = other(standing.order, seat);
    let (mine, theirs) = (&standing.seats[&seat], &standing.seats[&partner]);
    if standing.asked.contains(&partner)
        && theirs.defaulted.is_none_or(|at| at >= pinned.host)
        && !theirs.versions.iter().any(|v| *v < pinned.theirs)
    {
        return false;
    }
    if mine.defaulted.is_some() {
        return false;
    }
    if !standing.asked.contains(&seat) {
        return true;
    }
    match (mine.versions.len(), answering) {
        (0, true) | (1, false) => true,
        // An answer beside the link must be the seat's first, unless an earlier one is already settled, and then
        // it would be no answer any more.
        (_, true) | (0, false) => false,
        (_, false) => mine.versions.iter().any(|v| *v < pinned.own),
    }
}

/// Whether a file ends its seat's files in the step.
fn ends(file: &StepFile) -> bool {
    file.accept.is_some() || file.refuse.is_some() || file.offer == Some(Offer::Concede)
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
