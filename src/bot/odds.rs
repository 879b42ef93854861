//! Odds of six-sided dice, counted and not estimated: in how many of all throws something happens.

use crate::kit::throws;

/// A victory point in the unit of every value the bot weighs; also certainty, where an average is taken.
pub const POINT: i64 = 1_000_000;

/// What a throw is worth on the average, if so many hits are worth `value`. Rounded toward zero.
pub fn average(dice: u8, faces: u8, value: impl Fn(u8) -> i64) -> i64 {
    let throws = throws(dice, faces);
    let all: i128 = throws.iter().map(|n| i128::from(*n)).sum();
    let sum: i128 = (0u8..).zip(&throws).map(|(hits, n)| i128::from(*n) * i128::from(value(hits))).sum();
    i64::try_from(sum / all.max(1)).unwrap_or(0)
}

/// Faces of six at or above the lowest that hits.
#[must_use]
pub fn faces(lowest: u8) -> u8 {
    7u8.saturating_sub(lowest.max(1)).min(6)
}

/// How likely two dice plus `lead` beat two dice by `least` or more, in parts of [`POINT`].
#[must_use]
pub fn two_dice_lead(lead: i64, least: i64) -> i64 {
    let sums = |n: i64| (1..=6).filter(|a| (1..=6).contains(&(n - a))).count();
    let mut good = 0;
    for own in 2..=12i64 {
        for other in 2..=12i64 {
            if own - other + lead >= least {
                good += sums(own) * sums(other);
            }
        }
    }
    i64::try_from(good).unwrap_or(0) * POINT / 1296
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_and_leads() {
        assert_eq!(average(3, 2, |hits| i64::from(hits) * POINT), POINT);
        assert_eq!((faces(5), faces(6), faces(7), faces(0)), (2, 1, 0, 6));
        // Seven ahead with four dice: 1 + 4 + 10 + 20 of 1296 throws.
        assert_eq!(two_dice_lead(0, 7), 35 * POINT / 1296);
        assert_eq!(two_dice_lead(20, 7), POINT);
        // Either they are level or ahead, or the others are; each rounded down.
        assert_eq!(two_dice_lead(0, 0) + two_dice_lead(0, 1), POINT - 1);
    }
}
