//! Keys and chains that change while a game runs (`schemas/protocol.md`, "New keys and chains").
//!
//! A new key signs a request for its seat. It counts from the next step on when the other player accepts it: he knows by
//! telephone who is asking, no program can. Every such change stands in the log.

use super::agree::Matter;
use super::history::{Blocked, History};
use super::step::{Filed, Standing, other};
use super::terms::{SeatTerms, signed_by, version};
use crate::doc::{KeyFile, Offer, SignedFile, read_emitted};
use crate::error::{Error, Result};
use crate::seal::{ChainStart, Digest, Namespace, PublicKey};
use crate::side::Seat;

/// A request of a new key, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyPost {
    /// The exact bytes.
    pub signed: SignedFile,
    /// Their hash.
    pub hash: Digest,
    /// What it says.
    pub file: KeyFile,
}

/// What an acceptance named.
pub(super) enum Accepted {
    /// An offer in a step file.
    Offer(Offer),
    /// The request of a new key.
    Key(Box<KeyPost>),
}

/// Reads the request of a new key without knowing its game.
///
/// # Errors
/// If it does not parse, is of another version or kind, or is not signed by the key it names.
pub fn read_key_file(signed: &SignedFile) -> Result<KeyFile> {
    let file: KeyFile = read_emitted(&signed.document, "the signed document", 64 << 10)
        .map_err(|mut e| if e.is_empty() { Error::new("unreadable") } else { e.swap_remove(0) })?;
    version(file.countersign, &file.kind, "key")?;
    signed_by(signed, &file.who, Namespace::Key)?;
    if file.who.lodging_key.is_some() {
        return Err(Error::new("a new key is taken for a player's seat; only a host names a key to lodge with"));
    }
    Ok(file)
}

impl History {
    /// Who plays a seat now.
    #[must_use]
    pub fn seat(&self, seat: Seat) -> Option<&SeatTerms> {
        self.seats.iter().find(|s| s.seat == seat)
    }

    /// The key a seat had in a step: the terms', or the last that was accepted before it.
    #[must_use]
    pub fn key_in(&self, seat: Seat, step: u64) -> Option<PublicKey> {
        let since = self.accepted_keys.iter().rev().find(|k| k.file.seat == seat && k.file.step < step);
        match since {
            Some(post) => PublicKey::parse(&post.file.who.key).ok(),
            None => self.terms.seat(seat).map(|s| s.key),
        }
    }

    /// Checks the request of a new key for the open step.
    ///
    /// # Errors
    /// In words: it is for another game, step or history, for no player's seat, or its key or chain is in use.
    pub fn read_key(&self, signed: &SignedFile) -> Result<KeyPost> {
        let file = read_key_file(signed)?;
        if file.game != self.terms.game || file.step != self.step() || file.head != self.head() {
            return Err(Error::new("this request of a new key is for another game, step or history"));
        }
        if !self.terms.players().contains(&file.seat) || self.end().is_some() {
            return Err(Error::new("a new key is taken for a player's seat, in a game that still runs"));
        }
        let key = PublicKey::parse(&file.who.key)?;
        if self.seats.iter().any(|s| s.key == key || s.chain.tip == file.who.chain.tip) {
            return Err(Error::new("the key or chain that asks for the seat is in use in this game")
                .next("make a new one: `countersign key new --file NEW.key`"));
        }
        Ok(KeyPost { signed: signed.clone(), hash: signed.hash(), file })
    }

    /// The requests of new keys at hand for the open step; they go when it closes.
    pub fn keys_at_hand(&mut self, keys: Vec<KeyPost>) {
        self.keys = keys;
    }

    /// Requests the seat could accept: of the recovery key, or of any key while the present one has sent nothing in the
    /// step.
    #[must_use]
    pub fn keys_for_acceptance(&self, standing: &Standing, seat: Seat) -> Vec<&KeyPost> {
        let partner = other(standing.order, seat);
        let silent = standing.seats[&partner].chain.is_empty();
        if standing.may_accept(seat) { self.keys_asking(partner, silent).collect() } else { Vec::new() }
    }

    /// Requests for a seat that may be accepted. `silent`: its present key has sent nothing in the step.
    pub fn keys_asking(&self, seat: Seat, silent: bool) -> impl Iterator<Item = &KeyPost> {
        self.keys.iter().filter(move |k| k.file.seat == seat && (silent || self.is_recovery(k)))
    }

    /// Whether a new key asks for a seat in the open step.
    #[must_use]
    pub fn asks_for(&self, seat: Seat) -> bool {
        self.keys.iter().any(|k| k.file.seat == seat)
    }

    /// Whether the terms name a key as the one that may recover a seat.
    #[must_use]
    pub fn is_recovery(&self, post: &KeyPost) -> bool {
        self.terms.recovery(post.file.seat).is_some_and(
            |line| matches!((PublicKey::parse(&line), PublicKey::parse(&post.file.who.key)), (Ok(a), Ok(b)) if a == b),
        )
    }

    /// What was accepted in a step, and by whom it was offered.
    pub(super) fn accepted(&self, standing: &Standing) -> Option<(Seat, Accepted)> {
        standing.order.into_iter().find_map(|seat| {
            let view = &standing.seats[&seat];
            // Who is late accepts nothing any more: he may know the dice. What the host had named before stands.
            let timely = |at: usize| {
                let host = standing.host.as_ref().zip(view.defaulted);
                host.is_none_or(|(host, late)| at < host.pins(late, seat))
            };
            let counted =
                |(at, f): (usize, &Filed)| f.file.accept.filter(|_| !view.talk.contains_key(&at) && timely(at));
            let hash = view.chain.iter().enumerate().find_map(counted)?;
            let partner = other(standing.order, seat);
            let theirs = &standing.seats[&partner];
            let offer = theirs.position(&hash).and_then(|at| theirs.offer(at)).cloned().map(Accepted::Offer);
            let key = || self.keys.iter().find(|k| k.hash == hash).cloned().map(Box::new).map(Accepted::Key);
            Some((partner, offer.or_else(key)?))
        })
    }

    /// What was accepted, as the log's agreements name it.
    pub(super) fn matter(&self, accepted: &Accepted) -> Matter {
        match accepted {
            Accepted::Offer(offer) => Matter::Offered(offer.clone()),
            Accepted::Key(post) => {
                Matter::Key { player: post.file.who.player.clone(), recovery: self.is_recovery(post) }
            }
        }
    }

    /// A seat goes over to a new key and chain, from the next step on.
    pub(super) fn seat_over(&mut self, seat: Seat, post: &KeyPost) {
        let base = self.step();
        let Ok(key) = PublicKey::parse(&post.file.who.key) else { return };
        if let Some(terms) = self.seats.iter_mut().find(|s| s.seat == seat) {
            let number = next_number(&terms.chain, base);
            let tip = post.file.who.chain.tip;
            terms.player.clone_from(&post.file.who.player);
            terms.key = key;
            terms.chain = ChainStart { number, tip, base, ..terms.chain };
            self.links.insert(seat, (base, tip));
        }
    }

    /// New chains named in the files of a block, from the next step on.
    pub(super) fn keep_chains(&mut self, block: &[Blocked]) {
        let base = self.step();
        for (seat, tip) in block.iter().filter_map(|(seat, _, _, f)| Some((*seat, f.chain?.tip))) {
            if let Some(terms) = self.seats.iter_mut().find(|s| s.seat == seat) {
                let number = next_number(&terms.chain, base);
                terms.chain = ChainStart { number, tip, base, ..terms.chain };
                self.links.insert(seat, (base, tip));
            }
        }
    }

    /// The lines of `allowed_signers`: the terms' keys and every one that came since.
    #[must_use]
    pub fn allowed_signers(&self) -> String {
        let mut out = self.terms.allowed_signers();
        for key in &self.accepted_keys {
            if let Ok(parsed) = PublicKey::parse(&key.file.who.key) {
                let namespaces = [Namespace::Orders, Namespace::Key].map(Namespace::text).join(",");
                out.push_str(&format!("{} namespaces=\"{namespaces}\" {}\n", key.file.seat, parsed.line()));
            }
        }
        out
    }
}

/// The number of the chain that follows in a step; of several named in one step the last stands, under one number.
fn next_number(chain: &ChainStart, step: u64) -> u64 {
    if chain.base == step { chain.number } else { chain.number + 1 }
}
