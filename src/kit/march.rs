//! Where a unit can march: the cheapest way to every hex, what it costs, or why it is barred.

use std::collections::{BTreeMap, BTreeSet};

use crate::hex::{Dir, Hex};

/// What a book says to a step from a hex to its neighbour; `R` is its reason, with the citation in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<R> {
    /// It may be made and the march may go on, at this cost in whatever the book counts.
    Go(u32),
    /// It may be made at this cost, and the march ends there.
    Halt(u32),
    /// It may not be made.
    Barred(R),
}

/// How a march may end in a hex that can be entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End<R> {
    /// It may end there.
    May,
    /// It may only pass through.
    MayNot(R),
}

/// What a listing says of a hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach<R> {
    /// The march may end there, or go on.
    MayStop {
        /// Cost of the cheapest way.
        cost: u32,
    },
    /// The march ends there, whichever way it comes.
    MustStop {
        /// Cost of the cheapest way.
        cost: u32,
    },
    /// It can be passed through, but no march ends there.
    PassOnly {
        /// Cost of the cheapest way.
        cost: u32,
        /// Why it may not end there.
        why: R,
    },
    /// It could be entered, but the allowance does not suffice.
    TooFar {
        /// What the step into it would bring the cost to, from the best hex within the allowance.
        cost: u32,
    },
    /// It cannot be entered from any hex the march comes through.
    Barred(R),
}

/// All marches of one unit. Hexes that no way comes near are not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct March<R> {
    from: Hex,
    hexes: BTreeMap<Hex, Reach<R>>,
    ways: BTreeMap<Hex, Vec<Hex>>,
}

/// A way in the making, ordered by cost, then steps, then its directions clockwise from north from its first step on:
/// this order settles ties, so that everybody finds the same way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Trail {
    cost: u32,
    steps: usize,
    dirs: Vec<Dir>,
    at: Hex,
    halted: bool,
}

/// Searches every march that costs at most `allowance`.
///
/// `step(from, to)` judges a step to a neighbour and must bar what lies off the map, or the search goes as far as the
/// allowance; steps at no cost need that bound. `end(hex)` says whether a march may end there. Both must answer the same
/// whenever asked the same. Of two equal ways the one of fewer steps is taken, then the one that turns first to the
/// lower-numbered direction.
pub fn march<R: Clone>(
    from: Hex,
    allowance: u32,
    mut step: impl FnMut(Hex, Hex) -> Step<R>,
    mut end: impl FnMut(Hex) -> End<R>,
) -> March<R> {
    // The best way to each hex, and apart from it the best that still may go on: where halting is cheaper than
    // passing, both matter.
    let mut best: BTreeMap<(Hex, bool), Trail> = BTreeMap::new();
    let mut queue = BTreeSet::from([Trail { cost: 0, steps: 0, dirs: Vec::new(), at: from, halted: false }]);
    let (mut far, mut barred): (BTreeMap<Hex, u32>, BTreeMap<Hex, R>) = (BTreeMap::new(), BTreeMap::new());
    while let Some(trail) = queue.pop_first() {
        let (at, halted) = (trail.at, trail.halted);
        if best.contains_key(&(at, halted)) {
            continue;
        }
        best.insert((at, halted), trail.clone());
        for dir in Dir::ALL.into_iter().filter(|_| !halted) {
            let to = at.step(dir);
            let (cost, halted) = match step(at, to) {
                Step::Go(cost) => (cost, false),
                Step::Halt(cost) => (cost, true),
                Step::Barred(why) => {
                    barred.entry(to).or_insert(why);
                    continue;
                }
            };
            let cost = trail.cost.saturating_add(cost);
            if cost > allowance {
                let least = far.entry(to).or_insert(cost);
                *least = cost.min(*least);
                continue;
            }
            if !best.contains_key(&(to, halted)) {
                let dirs = trail.dirs.iter().copied().chain([dir]).collect();
                queue.insert(Trail { cost, steps: trail.steps + 1, dirs, at: to, halted });
            }
        }
    }
    let mut found = March { from, hexes: BTreeMap::new(), ways: BTreeMap::new() };
    let reached: BTreeSet<Hex> = best.keys().map(|(hex, _)| *hex).filter(|hex| *hex != from).collect();
    for hex in reached {
        let free = best.get(&(hex, false));
        let Some(trail) = free.into_iter().chain(best.get(&(hex, true))).min() else { continue };
        let (cost, go_on) = (trail.cost, free.is_some());
        let reach = match end(hex) {
            End::MayNot(why) if go_on => Reach::PassOnly { cost: free.map_or(cost, |free| free.cost), why },
            // A hex where every march ends and none may: no way leads there.
            End::MayNot(why) => Reach::Barred(why),
            End::May if go_on => Reach::MayStop { cost },
            End::May => Reach::MustStop { cost },
        };
        if !matches!(reach, Reach::Barred(_)) {
            let trail = if matches!(reach, Reach::PassOnly { .. }) { free.unwrap_or(trail) } else { trail };
            found.ways.insert(hex, hexes(from, &trail.dirs));
        }
        found.hexes.insert(hex, reach);
    }
    for (hex, cost) in far {
        found.hexes.entry(hex).or_insert(Reach::TooFar { cost });
    }
    for (hex, why) in barred {
        found.hexes.entry(hex).or_insert(Reach::Barred(why));
    }
    found.hexes.remove(&from);
    found
}

fn hexes(from: Hex, dirs: &[Dir]) -> Vec<Hex> {
    dirs.iter()
        .scan(from, |at, dir| {
            *at = at.step(*dir);
            Some(*at)
        })
        .collect()
}

impl<R> March<R> {
    /// Where it starts.
    #[must_use]
    pub fn from(&self) -> Hex {
        self.from
    }

    /// What is to be said of every hex it can enter and of those beside them, in the order of hexes.
    #[must_use]
    pub fn hexes(&self) -> &BTreeMap<Hex, Reach<R>> {
        &self.hexes
    }

    /// The hexes where the march may end, with cost and way: the hexes entered, the last one included.
    pub fn ends(&self) -> impl Iterator<Item = (Hex, u32, &[Hex])> {
        self.hexes.iter().filter_map(|(hex, reach)| match reach {
            Reach::MayStop { cost } | Reach::MustStop { cost } => Some((*hex, *cost, self.way(*hex)?)),
            _ => None,
        })
    }

    /// The cheapest way to a hex: the hexes entered, the last one included; `None` if there is none.
    #[must_use]
    pub fn way(&self, to: Hex) -> Option<&[Hex]> {
        self.ways.get(&to).map(Vec::as_slice)
    }
}
