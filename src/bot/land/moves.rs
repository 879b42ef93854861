//! Where a piece can go in one order: every hex it can reach, with a shortest way.

use std::collections::BTreeMap;

use crate::books::honor::land::{Entry, Leader, State, Unit, barred, barred_leader, stops};
use crate::hex::Hex;
use crate::side::Side;

/// Every hex a unit can end in, with the hexes it enters; `most`: how many it may enter. Whether the points are there the
/// rules say afterwards.
pub(super) fn of_unit(state: &State, unit: &Unit, most: u8, led: bool) -> BTreeMap<Hex, Vec<Hex>> {
    let free = |hex: Hex| {
        let other = state.placed(hex, unit.kind.place()).is_some_and(|u| u.id != unit.id);
        state.ground.contains(hex)
            && barred(&state.ground, hex, unit.boat > 0).is_none()
            && !other
            && !state.held(hex, unit.side.other())
    };
    ways(unit.hex, entry(state, unit.entry.as_ref()), most, free, |hex| stops(state, hex, Some(unit), led).is_some())
}

/// Every hex a leader can end in by himself (9.1).
pub(super) fn of_leader(state: &State, leader: &Leader, most: u8) -> BTreeMap<Hex, Vec<Hex>> {
    let free = |hex: Hex| {
        let open = barred_leader(&state.ground, leader.hex, hex).is_none();
        state.ground.contains(hex) && open && !state.held(hex, leader.side.other())
    };
    let mut found = ways(leader.hex, entry(state, leader.entry.as_ref()), most, free, |hex| {
        stops(state, hex, None, false).is_some()
    });
    let alone = |hex: Hex, side: Side| state.leader_in(hex, side).is_none_or(|l| l.id == leader.id);
    found.retain(|hex, _| alone(*hex, Side::British) && alone(*hex, Side::American));
    found
}

/// Where a piece that is not on the board may come in this turn.
fn entry<'e>(state: &State, entry: Option<&'e Entry>) -> &'e [Hex] {
    entry.filter(|e| state.turn >= e.turn).map_or(&[], |e| &e.hexes)
}

/// Shortest ways, ring by ring.
fn ways(
    from: Option<Hex>,
    entry: &[Hex],
    most: u8,
    free: impl Fn(Hex) -> bool,
    ends: impl Fn(Hex) -> bool,
) -> BTreeMap<Hex, Vec<Hex>> {
    let first: Vec<Hex> = from.map_or_else(|| entry.to_vec(), |hex| hex.neighbours().to_vec());
    let mut found: BTreeMap<Hex, Vec<Hex>> = BTreeMap::new();
    let mut edge: Vec<Vec<Hex>> = first.into_iter().map(|hex| vec![hex]).collect();
    for step in 1..=most {
        let mut next = Vec::new();
        for way in edge {
            let Some(at) = way.last().copied() else { continue };
            if !free(at) || Some(at) == from || found.contains_key(&at) {
                continue;
            }
            if step < most && !ends(at) {
                next.extend(at.neighbours().map(|hex| [way.as_slice(), &[hex]].concat()));
            }
            found.insert(at, way);
        }
        edge = next;
    }
    found
}
