//! Seed chains: each seat commits to all its links at the start by one value.
//!
//! `x_{i-1} = H("chain", table, seat, chain number, i, x_i)`; the tip x_0 is public, the link of step k is x_k (less
//! the chain's base). Only one value fits, so a refusal to send it is attributable, and nobody can choose it late.

use super::digest::{Digest, Hasher};
use super::keys::Root;
use crate::side::Seat;

/// Links of a chain; the longest game needs some 3,500.
pub const LENGTH: u32 = 65_536;

/// How many values lie between two that are kept.
const STRIDE: u32 = 256;

/// A seat's own chain. Costs some milliseconds to make; a link then costs at most 256 hashes.
pub struct Chain {
    table: Digest,
    seat: Seat,
    number: u64,
    kept: Vec<Digest>,
}

fn back(table: &Digest, seat: Seat, number: u64, i: u32, x: &Digest) -> Digest {
    Hasher::new("chain").digest(table).text(seat.word()).int(number).int(u64::from(i)).digest(x).done()
}

impl Chain {
    /// The chain of a seat at a table. `number` counts the seat's chains from 0.
    #[must_use]
    pub fn new(root: &Root, table: &Digest, seat: Seat, number: u64) -> Chain {
        let last = Hasher::new("chain-seed").bytes(&root.0).digest(table).text(seat.word()).int(number).done();
        let mut kept = vec![last];
        let mut x = last;
        for i in (1..=LENGTH).rev() {
            x = back(table, seat, number, i, &x);
            if (i - 1) % STRIDE == 0 {
                kept.push(x);
            }
        }
        kept.reverse();
        Chain { table: *table, seat, number, kept }
    }

    /// x_0.
    #[must_use]
    pub fn tip(&self) -> Digest {
        self.kept[0]
    }

    /// x_i for `i` up to [`LENGTH`], or `None` beyond: the chain is used up.
    #[must_use]
    pub fn link(&self, i: u64) -> Option<Digest> {
        let i = u32::try_from(i).ok().filter(|i| *i <= LENGTH)?;
        let above = i.div_ceil(STRIDE) * STRIDE;
        let mut x = *self.kept.get((above / STRIDE) as usize)?;
        for at in ((i + 1)..=above).rev() {
            x = back(&self.table, self.seat, self.number, at, &x);
        }
        Some(x)
    }
}

/// The public facts of a seat's chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainStart {
    /// The table's random bytes.
    pub table: Digest,
    /// Whose.
    pub seat: Seat,
    /// Which of his chains, from 0.
    pub number: u64,
    /// x_0.
    pub tip: Digest,
    /// The step behind which it begins: the link of step k is x_{k - base}.
    pub base: u64,
}

impl ChainStart {
    /// Whether a value is the link of a step, seen from one known of an earlier step (the tip, of step `base`, at the
    /// latest).
    #[must_use]
    pub fn check(&self, known: (u64, &Digest), at: (u64, &Digest)) -> bool {
        let place = |step: u64| step.checked_sub(self.base);
        match (place(known.0), place(at.0)) {
            (Some(i), Some(j)) => check_link(&self.table, self.seat, self.number, (i, known.1), (j, at.1)),
            _ => false,
        }
    }
}

/// Whether `x` is the seat's value at `i`, seen from a value already known at a lower place (the tip at 0 at the latest).
#[must_use]
pub fn check_link(table: &Digest, seat: Seat, number: u64, known: (u64, &Digest), at: (u64, &Digest)) -> bool {
    let ((known_i, known_x), (i, x)) = (known, at);
    if i <= known_i || i > u64::from(LENGTH) {
        return false;
    }
    let mut value = *x;
    for step in ((known_i + 1)..=i).rev() {
        let Ok(step) = u32::try_from(step) else { return false };
        value = back(table, seat, number, step, &value);
    }
    value == *known_x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::SecretKey;

    #[test]
    fn every_link_leads_back_to_the_tip_and_no_other_value_does() {
        let root = SecretKey::from_seed([5; 32]).root();
        let table = Digest([8; 32]);
        let chain = Chain::new(&root, &table, Seat::British, 0);
        let tip = chain.tip();
        for i in [1u64, 2, 3, 255, 256, 257, 1000] {
            let x = chain.link(i).unwrap();
            assert!(check_link(&table, Seat::British, 0, (0, &tip), (i, &x)), "{i}");
            assert!(!check_link(&table, Seat::American, 0, (0, &tip), (i, &x)));
            assert!(!check_link(&table, Seat::British, 0, (0, &tip), (i + 1, &x)));
            let mut wrong = x;
            wrong.0[0] ^= 1;
            assert!(!check_link(&table, Seat::British, 0, (0, &tip), (i, &wrong)));
        }
        let (five, nine) = (chain.link(5).unwrap(), chain.link(9).unwrap());
        assert!(check_link(&table, Seat::British, 0, (5, &five), (9, &nine)));
        assert!(chain.link(u64::from(LENGTH)).is_some());
        assert!(chain.link(u64::from(LENGTH) + 1).is_none());
    }
}
