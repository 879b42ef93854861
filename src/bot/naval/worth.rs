//! What hits and boardings are worth, in parts of a victory point.

use std::collections::BTreeMap;

use crate::books::honor::naval::{LEAD, Rulings, Ship, State};
use crate::bot::odds::{POINT, average, faces, two_dice_lead};
use crate::kit::throws;
use crate::side::{Side, Sides};

/// A ship that no points are given for still does harm: it counts as a quarter of a point.
const LEAST: i64 = POINT / 4;

/// Hits that do not sink count for this much, in hundredths, of their share of the ship: they are worth nothing in
/// themselves, but the next broadside needs the fewer.
const WOUND: i64 = 70;

/// What the last marines of a ship are worth to its owner, each: without them it cannot board.
const MARINE: i64 = POINT / 20;

/// What a ship is worth to the enemy, sunk.
pub(super) fn sunk(ship: &Ship) -> i64 {
    (i64::from(ship.worth.sunk) * POINT).max(LEAST)
}

/// What hits on a ship are worth (6.6, 6.7).
fn blow(target: &Ship, hits: u8) -> i64 {
    if hits >= target.damage {
        return sunk(target);
    }
    sunk(target) * i64::from(hits) * WOUND / 100 / i64::from(target.damage.max(1))
}

/// What one broadside is worth on the average against one target, by the lowest face that hits: 4, 5, 6.
pub(super) fn broadside(ship: &Ship, target: &Ship) -> [i64; 3] {
    [4, 5, 6].map(|lowest| average(ship.dice(), faces(lowest), |hits| blow(target, hits)))
}

/// What a boarding of one ship by another is worth to the boarder, if only he wishes it: how likely he gets aboard
/// (8.4) times what the battle there brings (8.6).
pub(super) fn boarding(own: &Ship, prey: &Ship, state: &State, memo: &mut Battles) -> i64 {
    if own.marines == 0 {
        return 0;
    }
    let lead = i64::from(own.damage) - i64::from(prey.damage);
    let aboard = two_dice_lead(lead, i64::from(LEAD));
    let taken = memo.capture(own.marines, prey.marines, &state.rulings);
    let prize = (i64::from(prey.worth.captured) * POINT).max(LEAST);
    let price = i64::from(own.marines) * MARINE;
    part(aboard, part(taken, prize) - part(POINT - taken, price))
}

/// A part, in parts of [`POINT`], of a value.
fn part(part: i64, value: i64) -> i64 {
    i64::try_from(i128::from(part) * i128::from(value) / i128::from(POINT)).unwrap_or(0)
}

/// Boarding battles worked out so far: how likely the boarder takes the ship, by marines of both.
#[derive(Debug, Default)]
pub(super) struct Battles(BTreeMap<(u8, u8, bool), i64>);

impl Battles {
    /// How likely boarders who never go back take a ship (8.6, N15, N16), in parts of [`POINT`].
    pub(super) fn capture(&mut self, boarders: u8, defenders: u8, rulings: &Rulings) -> i64 {
        let last_stand = rulings.last_stand == crate::books::honor::naval::LastMarines::LastStand;
        let bare = defenders == 0;
        // The first exchange: only there marines hit with a 5.
        self.exchange(boarders, defenders.max(1), bare, if bare { 6 } else { 5 }, last_stand)
    }

    /// Later exchanges, until one side has none left.
    fn later(&mut self, boarders: u8, defenders: u8, bare: bool, last_stand: bool) -> i64 {
        if let Some(known) = self.0.get(&(boarders, defenders, bare)) {
            return *known;
        }
        // Exchanges without a hit change nothing: what follows is shared out among the others.
        let stays = part(none(defenders), none(boarders));
        self.0.insert((boarders, defenders, bare), 0);
        let moved = self.exchange(boarders, defenders, bare, 6, last_stand);
        let found =
            i64::try_from(i128::from(moved) * i128::from(POINT) / i128::from((POINT - stays).max(1))).unwrap_or(0);
        self.0.insert((boarders, defenders, bare), found);
        found
    }

    /// One exchange: the defender's dice first, then what is left of the boarders.
    fn exchange(&mut self, boarders: u8, defenders: u8, bare: bool, lowest: u8, last_stand: bool) -> i64 {
        let mut taken = 0;
        for (lost, by) in chances(defenders, lowest) {
            let left = boarders.saturating_sub(lost);
            if left == 0 {
                continue;
            }
            for (hits, likely) in chances(left, 6) {
                let then = match defenders.saturating_sub(hits) {
                    0 if last_stand && !bare => self.later(left, 1, true, last_stand),
                    0 => POINT,
                    rest => self.later(left, rest, bare, last_stand),
                };
                taken += part(by, part(likely, then));
            }
        }
        taken
    }
}

/// How likely no die of so many shows a 6.
fn none(dice: u8) -> i64 {
    chances(dice, 6).first().map_or(POINT, |(_, likely)| *likely)
}

/// Hits of so many dice and how likely each number is, in parts of [`POINT`].
fn chances(dice: u8, lowest: u8) -> Vec<(u8, i64)> {
    let throws = throws(dice, faces(lowest));
    let all: u64 = throws.iter().sum();
    let share = |n: u64| i64::try_from(i128::from(n) * i128::from(POINT) / i128::from(all.max(1))).unwrap_or(0);
    (0u8..).zip(throws).map(|(hits, n)| (hits, share(n))).collect()
}

/// For every own ship and every enemy ship, by their places in the two lists, what `of` says.
pub(super) fn pairs<T>(fleets: &Sides<Vec<&Ship>>, side: Side, mut of: impl FnMut(&Ship, &Ship) -> T) -> Vec<Vec<T>> {
    let (own, enemy) = (fleets.get(side), fleets.get(side.other()));
    own.iter().map(|ship| enemy.iter().map(|other| of(ship, other)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One marine against one: the defender hits with 5 and 6 first, then both with a 6 until one falls.
    #[test]
    fn a_boarding_battle_of_one_against_one_is_what_it_is_on_paper() {
        let found = Battles::default().capture(1, 1, &Rulings::book());
        // From the second exchange on: w = 5/6 (1/6 + 5/6 w), so w = 5/11; before it 2/3 (1/6 + 5/6 w).
        let exact = POINT * 2 * (11 + 25) / (3 * 66);
        assert!((found - exact).abs() < 10, "{found} {exact}");
    }

    #[test]
    fn more_boarders_and_fewer_defenders_take_a_ship_oftener() {
        let mut memo = Battles::default();
        let mut at = |own, enemy| memo.capture(own, enemy, &Rulings::book());
        assert!(at(5, 3) > at(4, 3) && at(4, 3) > at(4, 4) && at(8, 1) > POINT * 9 / 10);
        assert!(at(1, 8) < POINT / 50 && at(2, 0) > at(2, 1));
    }
}
