//! What hits, losses and attacks are worth on land, in parts of a victory point.

use crate::books::honor::land::{Attack, State, Unit, UnitType, aimed, stands_on, trapped};
use crate::bot::odds::{POINT, average, faces};
use crate::hex::Hex;
use crate::side::Side;

/// A unit that no points are given for still does harm: it counts as a quarter of a point.
const LEAST: i64 = POINT / 4;

/// Hits that do not eliminate count for this much, in hundredths, of their share of the unit: they are worth nothing in
/// themselves, but the next attack needs the fewer.
const WOUND: i64 = 60;

/// A unit that falls back: it loses its ground and nothing else.
const DISLODGED: i64 = POINT / 6;

/// A leader beyond his points: an action point each turn for the rest of the battle (9.3.2), and rally.
const COMMAND: i64 = POINT;

/// A unit's worth to the enemy.
pub(super) fn unit(unit: &Unit) -> i64 {
    (i64::from(unit.worth) * POINT).max(LEAST)
}

/// A leader's worth to the enemy, and to his own side.
pub(super) fn leader(worth: u32) -> i64 {
    i64::from(worth) * POINT + COMMAND
}

/// What hits on one unit are worth (8.1.2); an elite's last step goes every other time only (3.4.1).
pub(super) fn blow(target: &Unit, hits: u8) -> i64 {
    let whole = unit(target);
    if hits >= target.mp {
        let even = if target.kind == UnitType::Elite && hits == target.mp { 2 } else { 1 };
        return whole / even;
    }
    whole * i64::from(hits) * WOUND / 100 / i64::from(target.mp.max(1))
}

/// What a step restored is worth (9.4).
pub(super) fn step(unit_: &Unit) -> i64 {
    unit(unit_) * WOUND / 100 / i64::from(unit_.start.max(1))
}

/// What hits on a hex are worth: each on the unit with the most MP (8.1.2).
fn blows(here: &[&Unit], hits: u8) -> i64 {
    match here {
        [] => 0,
        [one] => blow(one, hits),
        [a, b, ..] => {
            let (mut first, mut second) = (0, 0);
            for _ in 0..hits {
                let (left, right) = (a.mp.saturating_sub(first), b.mp.saturating_sub(second));
                if left >= right { first += 1 } else { second += 1 }
            }
            blow(a, first.min(a.mp)) + blow(b, second.min(b.mp))
        }
    }
}

/// What is in a hex to be hit.
pub(super) struct Target<'s> {
    pub hex: Hex,
    pub units: Vec<&'s Unit>,
    /// What the leader there is worth, if one is.
    leader: i64,
}

impl<'s> Target<'s> {
    /// What a side has in a hex; none if nothing.
    pub(super) fn at(state: &'s State, hex: Hex, side: Side) -> Option<Target<'s>> {
        let units = state.units_in(hex, side);
        let leader = state.leader_in(hex, side).map_or(0, |l| leader(l.worth));
        (!units.is_empty() || leader > 0).then_some(Target { hex, units, leader })
    }

    /// What dice at it bring on the average: hits, and a leader who is struck with a 1 and another 1 (9.3.1).
    fn volley(&self, dice: u8, lowest: u8) -> i64 {
        let hits = average(dice, faces(lowest), |hits| blows(&self.units, hits));
        let struck = average(dice, 1, |ones| if ones > 0 { self.leader / 6 } else { 0 });
        hits + struck
    }

    /// What fire at it brings.
    pub(super) fn fire(&self, state: &State, attacker: &Unit, from: Hex) -> i64 {
        let (dice, lowest) = aimed(state, attacker, from, Attack::Fire, self.hex);
        self.volley(dice, lowest)
    }

    /// How likely nothing is left in the hex after fire, in parts of [`POINT`].
    pub(super) fn cleared_by_fire(&self, state: &State, attacker: &Unit, from: Hex) -> i64 {
        let (dice, lowest) = aimed(state, attacker, from, Attack::Fire, self.hex);
        let all: u8 = self.units.iter().map(|u| u.mp).fold(0, u8::saturating_add);
        average(dice, faces(lowest), |hits| if hits >= all { POINT } else { 0 })
    }

    /// What close combat with it brings, without the ground, and how likely the hex is vacated, in parts of [`POINT`].
    /// Every unit checks first, then the dice fall, then who failed falls back or, without a way out, is lost (8.3).
    pub(super) fn close_combat(&self, state: &State, attacker: &Unit, from: Hex) -> (i64, i64) {
        let (dice, lowest) = aimed(state, attacker, from, Attack::CloseCombat, self.hex);
        let (mut value, mut vacated) = (self.volley(dice, lowest), POINT);
        for unit_ in &self.units {
            let fails = i64::from(6 - stands_on(state, unit_, self.hex)) * POINT / 6;
            let price = if trapped(state, unit_, from) { unit(unit_) } else { DISLODGED };
            value += price * fails / POINT;
            let killed = average(dice, faces(lowest), |hits| if hits >= unit_.mp { POINT } else { 0 });
            vacated = vacated * (fails + (POINT - fails) * killed / POINT) / POINT;
        }
        (value, vacated)
    }
}

/// What one enemy can do to a unit that stands in a hex: by fire, or hand to hand if he is next to it.
pub(super) fn threat(state: &State, enemy: &Unit, from: Hex, target: &Unit, at: Hex) -> i64 {
    let harm = |by: Attack| {
        let (dice, lowest) = aimed(state, enemy, from, by, at);
        average(dice, faces(lowest), |hits| blow(target, hits))
    };
    let fire = harm(Attack::Fire);
    let close = enemy.kind.infantry() && from.distance(at) == 1;
    if close { fire.max(harm(Attack::CloseCombat)) } else { fire }
}
