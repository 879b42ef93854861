//! The host's files of a strict step: he relays each player's file inside one of his own that names it, which fixes it
//! (`schemas/protocol.md`, "A strict step").

use std::collections::{BTreeMap, BTreeSet};

use super::step::{Filed, Oracle, SeatView, Standing};
use super::talk::Talk;
use crate::doc::{HostFile, Late};
use crate::seal::Digest;
use crate::side::Seat;

/// A host's file whose signature, game, step and head have been checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Relayed {
    /// Hash of document and signature.
    pub hash: Digest,
    /// What it says.
    pub file: HostFile,
}

/// The host's part of a strict step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HostView {
    /// His files n = 1, 2, ... as they count.
    pub chain: Vec<Relayed>,
    /// Position of the file with his link.
    pub linked: Option<usize>,
    /// Why files are against the rules of the step, by position: the step cannot close with one.
    pub talk: BTreeMap<usize, Talk>,
    /// How far each of his files reaches into the players' chains, with those before it.
    pins: Vec<BTreeMap<Seat, usize>>,
}

impl HostView {
    /// The host's files that count: linked by `prev`, everything they name here; of two with one number the one a player
    /// names.
    pub(super) fn new(hosts: &[Relayed], files: &[Filed]) -> HostView {
        let here: BTreeSet<Digest> = files.iter().map(|f| f.hash).collect();
        let named: BTreeSet<Digest> = files.iter().filter_map(|f| f.file.names.get(&Seat::Host).copied()).collect();
        let sound: BTreeMap<Digest, &Relayed> = hosts
            .iter()
            .filter(|h| h.file.names.values().all(|hash| here.contains(hash)))
            .map(|h| (h.hash, h))
            .collect();
        let mut pinned = BTreeSet::new();
        for hash in named {
            let mut at = Some(hash);
            while let Some(host) = at.and_then(|h| sound.get(&h)) {
                if !pinned.insert(host.hash) {
                    break;
                }
                at = host.file.prev;
            }
        }
        let mut view = HostView::default();
        loop {
            let prev = view.chain.last().map(|h| h.hash);
            let n = u32::try_from(view.chain.len()).unwrap_or(u32::MAX).saturating_add(1);
            let next = sound.values().filter(|h| h.file.n == n && h.file.prev == prev);
            match next.min_by_key(|h| (!pinned.contains(&h.hash), h.hash)) {
                Some(first) => view.chain.push((*first).clone()),
                None => return view,
            }
        }
    }

    /// Notes how far every file reaches, once the players' chains are known.
    pub(super) fn pin(&mut self, seats: &BTreeMap<Seat, SeatView>) {
        let mut so_far: BTreeMap<Seat, usize> = BTreeMap::new();
        for host in &self.chain {
            for (seat, hash) in &host.file.names {
                if let Some(at) = seats.get(seat).and_then(|view| view.position(hash)) {
                    let most = so_far.entry(*seat).or_insert(0);
                    *most = (*most).max(at + 1);
                }
            }
            self.pins.push(so_far.clone());
        }
    }

    /// The place of a file in the chain.
    #[must_use]
    pub fn position(&self, hash: &Digest) -> Option<usize> {
        self.chain.iter().position(|h| h.hash == *hash)
    }

    /// How many of a seat's files are named up to one of the host's.
    #[must_use]
    pub fn pins(&self, at: usize, seat: Seat) -> usize {
        self.pins.get(at).and_then(|pins| pins.get(&seat)).copied().unwrap_or(0)
    }

    /// How far a player's file reaches that names this one.
    pub(super) fn reach(&self, at: usize, seat: Seat, partner: Seat) -> super::step::Reach {
        super::step::Reach { theirs: self.pins(at, partner), own: self.pins(at, seat), host: at + 1 }
    }
}

/// Whether a host's file is as the rules of the step want it.
pub(super) fn admit(standing: &Standing, host: &HostView, at: usize, oracle: &dyn Oracle) -> Result<Vec<Seat>, Talk> {
    let file = &host.chain[at].file;
    if !file.takes.is_empty() || !file.opens.is_empty() {
        return Err(Talk::HostOnly);
    }
    let counts = |(seat, hash): (&Seat, &Digest)| standing.seats.get(seat).is_some_and(|v| v.position(hash).is_some());
    if !file.names.iter().all(counts) {
        return Err(Talk::NamesAnother);
    }
    // Once all answers are named an honest link may be out, and the dice known: who spoils his own link then has
    // withheld it.
    if !file.refuse.is_empty() && standing.settled() {
        return Err(Talk::NothingToRefuse);
    }
    for refuse in &file.refuse {
        let bad = standing.order.into_iter().any(|seat| {
            let view = &standing.seats[&seat];
            view.position(&refuse.file).is_some_and(|p| p < host.pins(at, seat) && view.talk.contains_key(&p))
        });
        if !bad {
            return Err(Talk::NothingToRefuse);
        }
    }
    let mut defaulted = Vec::new();
    for (seat, then) in &file.late {
        let view = standing.seats.get(seat).ok_or(Talk::NotLate)?;
        if !oracle.late(*seat, *then, file) {
            return Err(Talk::NotLate);
        }
        let answered = view.versions.iter().any(|v| *v < host.pins(at, *seat));
        if *then == Late::DefaultOrders {
            if answered || !standing.asked.contains(seat) || view.linked.is_some_and(|p| p < host.pins(at, *seat)) {
                return Err(Talk::NotLate);
            }
            defaulted.push(*seat);
        }
    }
    if let Some(link) = &file.link {
        let fixed = |seat: &Seat| {
            let view = &standing.seats[seat];
            view.fixed.is_some() || view.defaulted.is_some() || defaulted.contains(seat)
        };
        if host.linked.is_some() {
            return Err(Talk::AfterLink);
        }
        if !oracle.link(Seat::Host, link) {
            return Err(Talk::WrongLink);
        }
        if !standing.asked.iter().all(fixed) {
            return Err(Talk::LinkTooEarly);
        }
    }
    Ok(defaulted)
}
