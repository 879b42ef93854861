//! The life of one step between two seats: what stands, who may send what, and how the step closes
//! (`schemas/protocol.md`, "Life of a step").
//!
//! Everything here is a pure function of the *set* of files: in whatever order they arrived, the same files give the
//! same standing. The exhaustive model of it is `tests/step_model.rs`.

use std::collections::{BTreeMap, BTreeSet};

pub use super::relay::{HostView, Relayed};
pub use super::standing::{How, Reach, SeatView, Standing, State, other};
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
pub(super) fn named_by(theirs: &SeatView, mine: &SeatView, seat: Seat, upto: usize) -> usize {
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
pub(super) fn may_link(standing: &Standing, seat: Seat, answering: bool, pinned: Reach) -> bool {
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
pub(super) fn ends(file: &StepFile) -> bool {
    file.accept.is_some() || file.refuse.is_some() || file.offer == Some(Offer::Concede)
}
