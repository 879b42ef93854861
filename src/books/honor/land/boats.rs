//! Landing boats carry land units over water (NAV-2.3.d). The book leaves how to each scenario; here it is for all of them.
//!
//! A unit whose scenario gives it a boat starts, or enters, on water: waterway or deep water, which nobody else enters. For
//! an ordinary move the boat goes so many hexes of water, without what a waterway costs and without stopping. The first
//! hex that is no water ends the move and the unit is ashore for good. In its boat it does not fire, attack or form
//! column, gets no extra hex from a leader, and falls back over water only; who attacks it finds it on a waterway. Leaders
//! go with it as with any unit; one who is left in deep water alone may row on from there.

use super::ground::Ground;
use super::judge::Fault;
use super::movement::{Part, unfit_path};
use super::pieces::Formation;
use super::state::{State, Unit};
use super::terrain::Terrain;
use crate::cite::Cite;
use crate::hex::Hex;
use crate::play::Refusal;

/// The rule, and what the hex is.
pub type Bar = (Cite, &'static str);

/// The rule of all this.
const RULE: Cite = Cite("NAV-2.3.d");

/// Farthest a boat goes for a point.
const FASTEST: u8 = 6;

/// What bars a unit from a hex, in a boat or afoot.
#[must_use]
pub fn barred(ground: &Ground, hex: Hex, boat: bool) -> Option<Bar> {
    match ground.terrain(hex) {
        Terrain::Swamp => Some((Cite("FHG-2.3.2.b"), "swamp, which nobody enters")),
        Terrain::Deep if !boat => Some((RULE, "deep water, where only boats go")),
        _ => None,
    }
}

/// What bars a leader alone from a hex; in deep water already, he has a boat.
#[must_use]
pub fn barred_leader(ground: &Ground, from: Option<Hex>, hex: Hex) -> Option<Bar> {
    barred(ground, hex, from.is_some_and(|from| ground.terrain(from) == Terrain::Deep))
}

/// Whether a unit may fall back into a hex as far as the ground goes: a boat over water only.
pub(super) fn open(ground: &Ground, unit: &Unit, hex: Hex) -> bool {
    let boat = unit.boat > 0;
    ground.contains(hex) && barred(ground, hex, boat).is_none() && (!boat || ground.terrain(hex).water())
}

/// The rule by which a boat's move ends in a hex: it is no water, and the unit goes ashore.
pub(super) fn lands(terrain: Terrain) -> Option<Cite> {
    (!terrain.water()).then_some(RULE)
}

/// A unit in a boat only moves and is rallied.
pub(super) fn not_afloat(unit: &Unit) -> Result<(), Fault> {
    if unit.boat == 0 {
        return Ok(());
    }
    let why = format!("`{}` is in a landing boat; there it only moves, until it has landed", unit.id);
    Err(Refusal::new("unit", RULE, why).into())
}

/// What is wrong with the way of a unit in a boat whatever the dice do before it.
pub(super) fn unfit_voyage(
    state: &State,
    unit: &Unit,
    path: &[String],
    led: bool,
    part: Part,
) -> Result<Vec<Hex>, Fault> {
    if part != Part::Whole {
        not_afloat(unit)?;
    }
    if led && path.len() > usize::from(unit.boat) {
        let why = "a unit in a landing boat has no extra hex from a leader";
        return Err(Refusal::new("path", RULE, why).into());
    }
    unfit_path(state, path, unit.boat, RULE, &|_, hex| barred(&state.ground, hex, true))
}

/// Every unit that stands or enters where its boat, or its having none, does not let it.
pub(super) fn afloat_faults(ground: &Ground, units: &[Unit]) -> Vec<String> {
    let mut faults = Vec::new();
    for unit in units {
        let entries = unit.entry.iter().flat_map(|entry| &entry.hexes);
        for hex in unit.hex.iter().chain(entries) {
            let (label, terrain) = (ground.label(*hex), ground.terrain(*hex));
            if unit.boat > 0 && !terrain.water() {
                faults.push(format!("{}: has a boat, and {label} is no water ({RULE})", unit.id));
            } else if unit.boat == 0 && terrain == Terrain::Deep {
                faults.push(format!("{}: {label} is deep water, and it has no boat ({RULE})", unit.id));
            }
        }
        if unit.boat > FASTEST {
            faults.push(format!("{}: a boat goes 1 to {FASTEST} hexes ({RULE})", unit.id));
        }
        if unit.boat > 0 && unit.formation == Formation::Column {
            faults.push(format!("{}: nobody is in column in a boat ({RULE})", unit.id));
        }
    }
    faults
}
