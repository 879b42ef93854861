//! A way that a player has written, judged step by step.

use super::march::{End, Step};
use crate::hex::Hex;

/// A way that can be marched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walked {
    /// What it costs.
    pub cost: u32,
    /// Whether it had to end where it ends.
    pub halted: bool,
}

/// Why a way cannot be marched; `at` counts the hexes entered from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halted<R> {
    /// The way enters no hex.
    Empty,
    /// That hex is not beside the one before it.
    Apart {
        /// Which hex.
        at: usize,
    },
    /// The march had ended in the hex before.
    Over {
        /// The first hex too many.
        at: usize,
    },
    /// The allowance does not suffice to enter that hex.
    TooFar {
        /// Which hex.
        at: usize,
        /// What it would have cost up to there.
        cost: u32,
    },
    /// That hex may not be entered.
    Barred {
        /// Which hex.
        at: usize,
        /// Why.
        why: R,
    },
    /// The march may not end in the last hex.
    NoEnd {
        /// Why.
        why: R,
    },
}

/// Judges a way: `way` are the hexes entered one after another, `step` and `end` as for [`super::march()`]. It finds the
/// first fault of the way.
///
/// # Errors
/// [`Halted`].
pub fn walk<R>(
    from: Hex,
    way: &[Hex],
    allowance: u32,
    mut step: impl FnMut(Hex, Hex) -> Step<R>,
    mut end: impl FnMut(Hex) -> End<R>,
) -> Result<Walked, Halted<R>> {
    let Some(last) = way.last() else { return Err(Halted::Empty) };
    let mut walked = Walked { cost: 0, halted: false };
    let mut here = from;
    for (at, to) in way.iter().enumerate() {
        if here.distance(*to) != 1 {
            return Err(Halted::Apart { at });
        }
        if walked.halted {
            return Err(Halted::Over { at });
        }
        let cost = match step(here, *to) {
            Step::Go(cost) => cost,
            Step::Halt(cost) => {
                walked.halted = true;
                cost
            }
            Step::Barred(why) => return Err(Halted::Barred { at, why }),
        };
        walked.cost = walked.cost.saturating_add(cost);
        if walked.cost > allowance {
            return Err(Halted::TooFar { at, cost: walked.cost });
        }
        here = *to;
    }
    match end(*last) {
        End::May => Ok(walked),
        End::MayNot(why) => Err(Halted::NoEnd { why }),
    }
}
