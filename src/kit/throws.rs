//! Throws of several six-sided dice, counted and not estimated.

/// In how many of the `6^dice` throws exactly 0, 1, 2, ... dice show one of `faces` faces. `dice` is at most 20 (more are
/// taken for 20: no attack of any book rolls as many), `faces` at most 6.
#[must_use]
pub fn throws(dice: u8, faces: u8) -> Vec<u64> {
    let (hit, miss) = (u64::from(faces.min(6)), 6 - u64::from(faces.min(6)));
    let mut throws = vec![1];
    for _ in 0..dice.min(20) {
        // One die more: it misses, or it hits.
        let mut next = vec![0; throws.len() + 1];
        for (hits, n) in throws.iter().enumerate() {
            next[hits] += n * miss;
            next[hits + 1] += n * hit;
        }
        throws = next;
    }
    throws
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Held against every throw of up to five dice.
    #[test]
    fn they_are_all_throws_there_are() {
        for dice in 0..=5u8 {
            for good in 0..=6u8 {
                let mut counted = vec![0u64; usize::from(dice) + 1];
                for throw in 0..6u32.pow(u32::from(dice)) {
                    let hits = (0..u32::from(dice)).filter(|n| throw / 6u32.pow(*n) % 6 < u32::from(good)).count();
                    counted[hits] += 1;
                }
                assert_eq!(throws(dice, good), counted, "{dice} dice, {good} faces");
            }
        }
    }
}
