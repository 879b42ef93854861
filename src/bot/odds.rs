//! Odds of six-sided dice, counted and not estimated: in how many of all throws something happens.

/// A victory point in the unit of every value the bot weighs; also certainty, where an average is taken.
pub const POINT: i64 = 1_000_000;

/// In how many of the `6^dice` throws exactly 0, 1, 2, ... dice show one of `faces` faces. `dice` is at most 20 (more are
/// taken for 20: no attack of any book rolls as many), `faces` at most 6.
#[must_use]
pub fn ways(dice: u8, faces: u8) -> Vec<i64> {
    let (hit, miss) = (i64::from(faces.min(6)), 6 - i64::from(faces.min(6)));
    let mut ways = vec![1];
    for _ in 0..dice.min(20) {
        // One die more: it misses, or it hits.
        let mut next = vec![0; ways.len() + 1];
        for (hits, n) in ways.iter().enumerate() {
            next[hits] += n * miss;
            next[hits + 1] += n * hit;
        }
        ways = next;
    }
    ways
}

/// What a throw is worth on the average, if so many hits are worth `value`. Rounded toward zero.
pub fn average(dice: u8, faces: u8, value: impl Fn(u8) -> i64) -> i64 {
    let ways = ways(dice, faces);
    let all: i128 = ways.iter().map(|n| i128::from(*n)).sum();
    let sum: i128 = (0u8..).zip(&ways).map(|(hits, n)| i128::from(*n) * i128::from(value(hits))).sum();
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

    /// Held against every throw of up to five dice.
    #[test]
    fn ways_are_those_of_all_throws() {
        for dice in 0..=5u8 {
            for good in 0..=6u8 {
                let mut counted = vec![0i64; usize::from(dice) + 1];
                for throw in 0..6u32.pow(u32::from(dice)) {
                    let hits = (0..u32::from(dice)).filter(|n| throw / 6u32.pow(*n) % 6 < u32::from(good)).count();
                    counted[hits] += 1;
                }
                assert_eq!(ways(dice, good), counted, "{dice} dice, {good} faces");
            }
        }
    }

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
