//! Where a unit can retreat: a number of hexes away, the preferred ways first, or why none is left.

use std::collections::BTreeMap;

use crate::hex::Hex;

/// A way of retreat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The hexes entered, the last one included.
    pub hexes: Vec<Hex>,
    /// How far it is from what the rules prefer: what the book gave its end, then what it gave its steps, added up.
    /// Less is better.
    pub rank: (u32, u32),
}

/// All ways of retreat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retreats<R> {
    /// Every way, the best ranks first; equal ranks in the order of their directions, clockwise from north.
    pub ways: Vec<Way>,
    /// Why a hex on the way out is barred: the first reason found of each hex that no way enters.
    pub barred: BTreeMap<Hex, R>,
}

/// Searches every way that ends exactly `hexes` away by the shortest count, so that each step leads one hex farther from
/// the start.
///
/// `step(from, to)` gives a step's rank (0 = as the rules prefer) or forbids it; `end(hex)` the same for the last hex.
/// A forbidden hex off the map, too, must be forbidden by `step`. The number of ways doubles with each hex: meant for the
/// handful of hexes that rulebooks know. With 0 hexes there is no way.
pub fn retreats<R>(
    from: Hex,
    hexes: u32,
    mut step: impl FnMut(Hex, Hex) -> Result<u32, R>,
    mut end: impl FnMut(Hex) -> Result<u32, R>,
) -> Retreats<R> {
    let mut barred = BTreeMap::new();
    let mut ways: Vec<Way> = vec![Way { hexes: Vec::new(), rank: (0, 0) }];
    for far in 1..=hexes {
        let mut longer = Vec::new();
        for way in ways {
            let at = way.hexes.last().copied().unwrap_or(from);
            for to in at.neighbours().into_iter().filter(|to| to.distance(from) == far) {
                let judged =
                    step(at, to).and_then(|rank| if far == hexes { Ok((end(to)?, rank)) } else { Ok((0, rank)) });
                match judged {
                    Ok((last, rank)) => {
                        let entered = way.hexes.iter().copied().chain([to]).collect();
                        longer.push(Way { hexes: entered, rank: (last, way.rank.1.saturating_add(rank)) });
                    }
                    Err(why) => {
                        barred.entry(to).or_insert(why);
                    }
                }
            }
        }
        ways = longer;
    }
    ways.retain(|way| !way.hexes.is_empty());
    // Stable, so that equal ranks keep the order of directions in which they were found.
    ways.sort_by_key(|way| way.rank);
    barred.retain(|hex, _| !ways.iter().any(|way| way.hexes.contains(hex)));
    Retreats { ways, barred }
}

impl<R> Retreats<R> {
    /// The ways that rank best: those among which the owner chooses. None if the retreat is cut off.
    #[must_use]
    pub fn best(&self) -> &[Way] {
        let Some(first) = self.ways.first() else { return &[] };
        let count = self.ways.iter().take_while(|way| way.rank == first.rank).count();
        &self.ways[..count]
    }

    /// The last hexes of the best ways, each once, in their order.
    #[must_use]
    pub fn best_ends(&self) -> Vec<Hex> {
        let mut ends: Vec<Hex> = Vec::new();
        for hex in self.best().iter().filter_map(|way| way.hexes.last()) {
            if !ends.contains(hex) {
                ends.push(*hex);
            }
        }
        ends
    }
}
