//! Sets of hexes: all within a range, rings, what can be reached, what hangs together.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Dir, Hex};

impl Hex {
    /// The six hexes around, clockwise from north.
    #[must_use]
    pub fn neighbours(self) -> [Hex; 6] {
        Dir::ALL.map(|dir| self.step(dir))
    }
}

/// The hexes exactly `n` away: one for 0, else `6 n`, clockwise from the northernmost. Meant for ranges on a map.
#[must_use]
pub fn ring(centre: Hex, n: u32) -> Vec<Hex> {
    let Some(steps) = i32::try_from(n).ok().filter(|n| *n > 0) else { return vec![centre] };
    let mut hexes = Vec::new();
    let mut at = centre.steps(Dir::ALL[0], steps);
    // From the northern corner of the ring: south-east, south, south-west, and so on round.
    for dir in Dir::ALL.map(|dir| dir.rotated(2)) {
        for _ in 0..n {
            hexes.push(at);
            at = at.step(dir);
        }
    }
    hexes
}

/// The hexes at most `n` away, the nearest first, each ring as [`ring`] orders it.
#[must_use]
pub fn within(centre: Hex, n: u32) -> Vec<Hex> {
    (0..=n).flat_map(|k| ring(centre, k)).collect()
}

/// What can be reached from some hexes in at most `limit` steps, with the number of steps. `pass(from, to)` says
/// whether one may step from a hex to its neighbour; it must bound the search, for instance by the map's edge.
pub fn flood(
    starts: impl IntoIterator<Item = Hex>,
    limit: u32,
    mut pass: impl FnMut(Hex, Hex) -> bool,
) -> BTreeMap<Hex, u32> {
    let mut found: BTreeMap<Hex, u32> = starts.into_iter().map(|hex| (hex, 0)).collect();
    let mut queue: VecDeque<(Hex, u32)> = found.iter().map(|(hex, n)| (*hex, *n)).collect();
    while let Some((hex, steps)) = queue.pop_front() {
        if steps == limit {
            continue;
        }
        for next in hex.neighbours() {
            if !found.contains_key(&next) && pass(hex, next) {
                found.insert(next, steps + 1);
                queue.push_back((next, steps + 1));
            }
        }
    }
    found
}

/// The parts of a set of hexes that hang together, each once, ordered by their smallest hexes. `linked(a, b)` says
/// whether two adjacent hexes of the set hang together; it is asked in one order or the other.
pub fn regions(hexes: &BTreeSet<Hex>, mut linked: impl FnMut(Hex, Hex) -> bool) -> Vec<BTreeSet<Hex>> {
    let mut left = hexes.clone();
    let mut all = Vec::new();
    while let Some(first) = left.pop_first() {
        let part: BTreeSet<Hex> =
            flood([first], u32::MAX, |a, b| hexes.contains(&b) && linked(a, b)).into_keys().collect();
        left.retain(|hex| !part.contains(hex));
        all.push(part);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Hex = Hex { q: -3, r: 5 };

    #[test]
    fn rings_and_discs_have_every_hex_of_their_range_once() {
        for n in 0..8 {
            let expected: BTreeSet<Hex> = (-20..20)
                .flat_map(|q| (-20..20).map(move |r| Hex { q, r }))
                .filter(|hex| hex.distance(AT) == n)
                .collect();
            let found = ring(AT, n);
            assert_eq!(found.len(), expected.len());
            assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), expected);
            assert!(found.windows(2).all(|pair| pair[0].distance(pair[1]) == 1));
            let disc = within(AT, n);
            assert_eq!(disc.len(), usize::try_from(1 + 3 * n * (n + 1)).unwrap());
            assert_eq!(disc.into_iter().collect::<BTreeSet<_>>().len(), usize::try_from(1 + 3 * n * (n + 1)).unwrap());
        }
        assert_eq!(ring(AT, 1), AT.neighbours());
    }

    #[test]
    fn a_flood_goes_round_a_wall_and_stops_at_its_limit() {
        // A wall of a whole column but one gap, six hexes south.
        let wall = |hex: Hex| hex.q == AT.q + 1 && hex != AT.steps(Dir::ALL[2], 1).steps(Dir::ALL[3], 6);
        let there = AT.steps(Dir::ALL[2], 2);
        let inside = |hex: Hex| hex.distance(AT) <= 20;
        let found = flood([AT], 30, |_, to| inside(to) && !wall(to));
        assert_eq!(found.get(&there), Some(&13));
        assert!(!flood([AT], 12, |_, to| inside(to) && !wall(to)).contains_key(&there));
        assert_eq!(flood([AT], 0, |_, _| true).len(), 1);
    }

    #[test]
    fn regions_part_a_set_and_may_be_cut_between_two_hexes() {
        let row: BTreeSet<Hex> = (0..5).map(|n| AT.steps(Dir::ALL[1], n)).collect();
        let far = AT.steps(Dir::ALL[4], 9);
        let both: BTreeSet<Hex> = row.iter().copied().chain([far]).collect();
        let parts = regions(&both, |_, _| true);
        assert_eq!(parts.len(), 2);
        assert!(parts.contains(&row) && parts.contains(&BTreeSet::from([far])));
        let (a, b) = (AT.steps(Dir::ALL[1], 1), AT.steps(Dir::ALL[1], 2));
        let cut = regions(&row, |x, y| !((x, y) == (a, b) || (x, y) == (b, a)));
        assert_eq!(cut.iter().map(BTreeSet::len).collect::<Vec<_>>(), [2, 3]);
        assert!(regions(&BTreeSet::new(), |_, _| true).is_empty());
    }
}
