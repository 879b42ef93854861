//! Chapters 3.3 and 6: sight, arc, broadsides, damage.

use super::event::Event;
use super::orders::{Broadside, Guns, Shot, When};
use super::policy::Policy;
use super::rulings::{BentLine, FireArc, IdleFire, StillFire};
use super::state::{Ship, State};
use super::turn::Naval;
use crate::cite::Cite;
use crate::hex::{Dir, Hex, Turn};
use crate::play::{Judged, Play, Question, Refusal, Table, Ticket};
use crate::side::Side;

/// Hexes between firer and target, and what the shot needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    /// Range in hexes, 1 or 2.
    pub range: u8,
    /// Whether it crosses the T.
    pub crossing: bool,
    /// Lowest face that hits.
    pub hits_on: u8,
}

/// 6.4, fire table: 5 at one hex and 6 at two; one less when crossing the T.
#[must_use]
pub fn hits_on(range: u8, crossing: bool) -> u8 {
    (if range <= 1 { 5 } else { 6 }) - u8::from(crossing)
}

/// 6.4: the broadside that bears on a hex, if one does. Nothing bears straight ahead or astern; ruling N09 says how
/// much else is in arc at two hexes.
#[must_use]
pub fn bears(heading: Dir, from: Hex, to: Hex, arc: FireArc) -> Option<Broadside> {
    let side_of = |relative: u8| match relative {
        1 | 2 => Some(Broadside::Starboard),
        4 | 5 => Some(Broadside::Port),
        _ => None,
    };
    if let Some(row) = from.row_to(to) {
        return side_of(heading.clockwise_to(row));
    }
    // Bent at two hexes: the target lies between two neighbouring rows.
    let first = Dir::ALL.into_iter().find(|d| from.step(*d).step(d.turned(Turn::Right)) == to)?;
    match (heading.clockwise_to(first), arc) {
        (1, _) => Some(Broadside::Starboard),
        (4, _) => Some(Broadside::Port),
        (0 | 2, FireArc::Rows) => Some(Broadside::Starboard),
        (3 | 5, FireArc::Rows) => Some(Broadside::Port),
        _ => None,
    }
}

/// 6.4: the firer lies exactly ahead or astern of the target.
#[must_use]
pub fn crosses_the_t(target_heading: Dir, target: Hex, firer: Hex) -> bool {
    target.row_to(firer).is_some_and(|row| row == target_heading || row == target_heading.opposite())
}

/// 3.3: ships between block the sight line; along a hexside as ruling N08 is set.
fn in_sight(state: &State, from: Hex, to: Hex) -> bool {
    let between = from.between(to);
    let blocked = |hex: &Hex| state.in_hex(*hex).next().is_some();
    match (from.distance(to), between.len(), state.rulings.bent_line) {
        (0 | 1, _, _) => true,
        (_, 2, BentLine::Both) => !between.iter().all(blocked),
        _ => !between.iter().any(blocked),
    }
}

/// Whether a broadside may be fired at a target now, with the first rule against it.
///
/// # Errors
/// The rule and the reason.
pub fn aim(state: &State, ship: &Ship, broadside: Broadside, target: &Ship) -> Result<Aim, (Cite, String)> {
    let no = |cite, why: &str| Err((Cite(cite), format!("{} {why}", ship.id)));
    if !ship.afloat() || !target.afloat() {
        return no("NAV-6.7", "or its target is no longer on the board");
    }
    if ship.side == target.side {
        return no("NAV-6.3", "may not fire at its own side");
    }
    if ship.fired.contains(&broadside) {
        return no("NAV-6.1", "has fired that broadside this turn");
    }
    let still = state.multiple && state.rulings.still_fire == StillFire::Yes && state.step >= 1;
    if !ship.moved && !still {
        return no("NAV-4.1.e", "has not carried out a marker this turn");
    }
    // By markers played, not allotted: under N19b `up-to` a side may have plotted fewer.
    let played = state.fleets.get(ship.side).played.len();
    if state.rulings.idle_fire == IdleFire::No && usize::from(state.step) > played {
        return no("N10", "belongs to a side whose markers are used up");
    }
    if state.in_hex(ship.hex).count() > 1 {
        return no("NAV-3.4", "shares its hex with another ship");
    }
    if state.in_hex(target.hex).count() > 1 {
        return no("NAV-3.4", "may not fire at ships that share a hex");
    }
    let range = u8::try_from(ship.hex.distance(target.hex)).unwrap_or(u8::MAX);
    if range > ship.range {
        return no("NAV-6.3", &format!("is {range} hexes from its target; its range is {}", ship.range));
    }
    if bears(ship.heading, ship.hex, target.hex, state.rulings.arc) != Some(broadside) {
        return no("NAV-6.4.p1", "does not bear on its target with that broadside");
    }
    if !in_sight(state, ship.hex, target.hex) {
        return no("NAV-3.3", "has a ship in its line of sight");
    }
    let crossing = crosses_the_t(target.heading, target.hex, ship.hex);
    Ok(Aim { range, crossing, hits_on: hits_on(range, crossing) })
}

/// Every shot a side could declare now.
#[must_use]
pub fn shots(state: &State, side: Side) -> Vec<(Shot, Aim)> {
    let mut all = Vec::new();
    for ship in state.afloat(side) {
        for broadside in [Broadside::Starboard, Broadside::Port] {
            for target in state.afloat(side.other()) {
                if let Ok(aim) = aim(state, ship, broadside, target) {
                    all.push((Shot { ship: ship.id.clone(), broadside, target: target.id.clone() }, aim));
                }
            }
        }
    }
    all
}

/// 9.7: one side's declaration. A side that can fire at nothing is not asked.
pub(super) fn declare(table: &mut Table<'_, Naval>, side: Side) -> Play<Vec<Shot>, Naval> {
    if shots(table.state(), side).is_empty() {
        return Ok(Vec::new());
    }
    let (turn, step) = (table.state().turn, table.state().step);
    let declared = table.decide(DeclareQuestion { side, turn, step })?;
    let state = table.now();
    for shot in &declared {
        let (Some(ship), Some(target)) = (state.ship(&shot.ship), state.ship(&shot.target)) else { continue };
        let Ok(Aim { range, crossing, hits_on }) = aim(&state, ship, shot.broadside, target) else { continue };
        let Shot { ship: id, broadside, target } = shot.clone();
        table.tell(Event::Declared { ship: id, broadside, target, range, crossing, hits_on, dice: ship.dice() });
    }
    Ok(declared)
}

/// The broadsides of a side in one step.
#[derive(Debug, Clone)]
pub struct DeclareQuestion {
    /// Whose.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// The step.
    pub step: u8,
}

impl Question<Naval> for DeclareQuestion {
    type Value = Vec<Shot>;
    const KIND: &'static str = "declare";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("t{}/{}/declare/{}", self.turn, self.side, self.step)
    }
    fn cite(&self) -> Cite {
        Cite("NAV-9.7")
    }

    fn check(&self, state: &State, declared: &Vec<Shot>) -> Judged<()> {
        let mut faults = Vec::new();
        for (n, shot) in declared.iter().enumerate() {
            let path = format!("[{}]", n + 1);
            let (Some(ship), Some(target)) = (state.ship(&shot.ship), state.ship(&shot.target)) else {
                faults.push(Refusal::new(path, Cite("NAV-2.2"), "names a ship that is not in this battle"));
                continue;
            };
            if ship.side != self.side {
                faults.push(Refusal::new(path.clone(), Cite("NAV-6.1"), format!("{} is not yours", shot.ship)));
            }
            if let Err((cite, why)) = aim(state, ship, shot.broadside, target) {
                faults.push(Refusal::new(path.clone(), cite, why));
            }
            if declared[..n].iter().any(|s| s.ship == shot.ship && s.broadside == shot.broadside) {
                faults.push(Refusal::new(path, Cite("N22"), "that broadside has a target already"));
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// Each broadside fires if its policy says so, at the preferred target, else crossing, nearest, weakest.
    fn standing(&self, state: &State, policy: &Policy) -> Option<Vec<Shot>> {
        let fire = policy.fire.as_ref()?;
        let all = shots(state, self.side);
        let mut declared = Vec::new();
        for ship in state.afloat(self.side) {
            let guns = fire.ships.get(&ship.id).unwrap_or(&fire.all);
            for broadside in [Broadside::Starboard, Broadside::Port] {
                let fitting = all
                    .iter()
                    .filter(|(s, aim)| s.ship == ship.id && s.broadside == broadside && wanted(guns, broadside, aim));
                let best = fitting.min_by_key(|(s, aim)| {
                    let preferred = guns.targets.iter().position(|t| *t == s.target).unwrap_or(usize::MAX);
                    let weakness = state.ship(&s.target).map_or(u8::MAX, |t| t.damage);
                    (preferred, !aim.crossing, aim.range, weakness)
                });
                declared.extend(best.map(|(shot, _)| shot.clone()));
            }
        }
        Some(declared)
    }

    fn options(&self, state: &State) -> Vec<Vec<Shot>> {
        let mut all = vec![Vec::new()];
        all.extend(shots(state, self.side).into_iter().map(|(shot, _)| vec![shot]));
        all
    }
}

fn wanted(guns: &Guns, broadside: Broadside, aim: &Aim) -> bool {
    let when = match broadside {
        Broadside::Starboard => guns.starboard,
        Broadside::Port => guns.port,
    };
    match when {
        When::Hold => false,
        When::Crossing => aim.crossing,
        When::Close => aim.range == 1,
        When::CrossingOrClose => aim.crossing || aim.range == 1,
        When::Any => true,
    }
}

/// 5.11.1, 6.4 to 6.7: all declared dice roll, then all damage applies together.
pub(super) fn resolve(table: &mut Table<'_, Naval>, before: &State, declared: &[Shot]) -> Play<(), Naval> {
    let (turn, step) = (before.turn, before.step);
    let mut taken: Vec<(super::orders::ShipId, u8)> = Vec::new();
    for shot in declared {
        let (Some(ship), Some(target)) = (before.ship(&shot.ship), before.ship(&shot.target)) else { continue };
        let crossing = crosses_the_t(target.heading, target.hex, ship.hex);
        let range = u8::try_from(ship.hex.distance(target.hex)).unwrap_or(u8::MAX);
        let need = hits_on(range, crossing);
        let side = if shot.broadside == Broadside::Starboard { "starboard" } else { "port" };
        let name = |i: u8| Ticket::d6(format!("t{turn}/s{step}/fire/{}/{side}/{i}", shot.ship));
        let faces = small(&table.roll((1..=ship.dice()).map(name).collect())?);
        let hits = count(&faces, need);
        let Shot { ship, broadside, target } = shot.clone();
        taken.push((target.clone(), hits));
        table.tell(Event::Fired { ship, broadside, target, faces, hits_on: need, hits });
    }
    let ids: Vec<super::orders::ShipId> = before.ships.iter().map(|s| s.id.clone()).collect();
    for id in ids {
        let hits: u8 = taken.iter().filter(|(t, _)| *t == id).map(|(_, h)| *h).fold(0, u8::saturating_add);
        if hits > 0 {
            damage(table, &id, hits);
        }
    }
    Ok(())
}

fn damage(table: &mut Table<'_, Naval>, id: &super::orders::ShipId, hits: u8) {
    let Some(ship) = table.state().ship(id).cloned() else { return };
    let left = ship.damage.saturating_sub(hits);
    let half = ship.at_half(left, &table.state().rulings);
    table.tell(Event::Damaged { ship: id.clone(), hits, left });
    if left == 0 {
        table.tell(Event::Sunk { ship: id.clone() });
        super::victory::score(table, ship.side.other(), ship.worth.sunk);
    } else if half && !ship.half {
        table.tell(Event::HalfDamaged { ship: id.clone() });
    }
}

/// Faces of six-sided dice in the small type events use.
pub(super) fn small(faces: &[u32]) -> Vec<u8> {
    faces.iter().map(|f| u8::try_from(*f).unwrap_or(u8::MAX)).collect()
}

/// How many faces are at or above the lowest that hits.
pub(super) fn count(faces: &[u8], need: u8) -> u8 {
    u8::try_from(faces.iter().filter(|f| **f >= need).count()).unwrap_or(u8::MAX)
}
