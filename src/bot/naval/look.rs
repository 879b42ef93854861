//! One turn looked ahead without dice: where the ships of both sides would lie after each marker, what could be fired
//! and boarded there, and what that is worth.
//!
//! It is simpler than the rules: nobody is in the way of a line of sight or of a third ship, and no ship is lost before
//! the turn is over.

use super::plans::{Plan, Who};
use super::worth::{Battles, boarding, broadside, pairs, sunk};
use crate::books::honor::naval::{
    Broadside, Leaving, Marker, Ship, State, StillFire, bears, crosses_the_t, hits_on, straight, with_the_wind,
};
use crate::bot::odds::POINT;
use crate::hex::{Dir, Hex, Turn};
use crate::side::{Side, Sides};

/// The enemy's best shots count for this much, in hundredths, of what they would bring: he does not know our plot any
/// more than we know his, and will not find all of them.
const CAUTION: i64 = 85;

/// What could be fired from where a turn ends counts for this much, in hundredths: the other side moves before it is.
const NEXT_TURN: i64 = 30;

/// A hex farther from the nearest enemy than gunshot, for each ship: enough to close up where nothing else counts, less
/// than any shot.
const FAR: i64 = POINT / 60;

/// The wind behind the command ship when the turn ends: a marker more next turn, and the choice of order (3.1.1).
const GAUGE: i64 = POINT / 15;

/// A hex nearer to an edge over which a ship gets away, in parts of what its escape is worth.
const GETAWAY: i64 = 40;

/// A ship during the turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Craft {
    at: Hex,
    heading: Dir,
    here: bool,
    moved: bool,
}

/// Where a plan takes the ships of its side: after each step, in the order of the side's ships afloat.
pub(super) struct Track {
    steps: Vec<Vec<Craft>>,
    /// What leaving the board brings or costs.
    left: i64,
}

/// A plan weighed, and for each step and broadside what waiting beyond it is worth.
pub(super) struct Weighed {
    pub value: i64,
    /// By step, then by ship and side: starboard, port.
    pub later: Vec<Vec<i64>>,
}

/// Both fleets, and what each ship can do to each of the enemy's.
pub(super) struct Sea<'a> {
    pub state: &'a State,
    pub fleets: Sides<Vec<&'a Ship>>,
    /// Of each side's broadsides: own ship, enemy ship, lowest face that hits less 4.
    pub blows: Sides<Vec<Vec<[i64; 3]>>>,
    /// Of each side's boardings: own ship, enemy ship.
    pub boards: Sides<Vec<Vec<i64>>>,
}

impl<'a> Sea<'a> {
    pub(super) fn new(state: &'a State) -> Sea<'a> {
        let fleets: Sides<Vec<&Ship>> = Sides::from_fn(|side| state.afloat(side).collect());
        let mut memo = Battles::default();
        let blows = Sides::from_fn(|side| pairs(&fleets, side, broadside));
        let boards = Sides::from_fn(|side| pairs(&fleets, side, |own, prey| boarding(own, prey, state, &mut memo)));
        Sea { state, fleets, blows, boards }
    }

    /// Where a plan takes a side's ships.
    pub(super) fn track(&self, side: Side, plan: &Plan) -> Track {
        let fleet = self.fleets.get(side);
        let begin = |s: &&Ship| Craft { at: s.hex, heading: s.heading, here: true, moved: false };
        let mut now: Vec<Craft> = fleet.iter().map(begin).collect();
        let (mut steps, mut left) = (Vec::new(), 0);
        for (marker, who) in plan {
            for (n, (craft, ship)) in now.iter_mut().zip(fleet).enumerate() {
                let moves = *who == Who::All || *who == Who::One(n);
                if let Some(marker) = marker.filter(|_| moves && craft.here) {
                    left += self.carry_out(craft, ship, marker);
                }
            }
            steps.push(now.clone());
        }
        Track { steps, left }
    }

    /// Carries one marker out; what leaving the board by it is worth.
    fn carry_out(&self, craft: &mut Craft, ship: &Ship, marker: Marker) -> i64 {
        craft.moved = true;
        match marker {
            Marker::Stop => {}
            Marker::Right => craft.heading = craft.heading.turned(Turn::Right),
            Marker::Left => craft.heading = craft.heading.turned(Turn::Left),
            Marker::Straight => match straight(self.state, craft.at, craft.heading, ship.speed) {
                Ok(to) => craft.at = to,
                Err(Leaving::Stop) => {}
                Err(leaving) => {
                    craft.here = false;
                    let escaped = leaving == Leaving::Escape;
                    return if escaped { i64::from(ship.worth.escaped) * POINT } else { -sunk(ship) };
                }
            },
        }
        0
    }

    /// The best each broadside of a side could do, by ship and side of the ship; 0 where nothing bears.
    fn shots(&self, side: Side, own: &[Craft], enemy: &[Craft], idle_too: bool) -> Vec<i64> {
        let still = idle_too || self.state.multiple && self.state.rulings.still_fire == StillFire::Yes;
        let all = || own.iter().chain(enemy).filter(|c| c.here);
        let alone = |craft: &Craft| all().filter(|c| c.at == craft.at).count() < 2;
        let mut best = vec![0; own.len() * 2];
        for (n, craft) in own.iter().enumerate() {
            if !craft.here || !(craft.moved || still) || !alone(craft) {
                continue;
            }
            for (m, target) in enemy.iter().enumerate().filter(|(_, t)| t.here) {
                let range = u8::try_from(craft.at.distance(target.at)).unwrap_or(u8::MAX);
                if range == 0 || range > self.fleets.get(side)[n].range || !alone(target) {
                    continue;
                }
                let Some(with) = bears(craft.heading, craft.at, target.at, self.state.rulings.arc) else { continue };
                let lowest = hits_on(range, crosses_the_t(target.heading, target.at, craft.at));
                let value = self.blows.get(side)[n][m][usize::from(lowest.clamp(4, 6) - 4)];
                let slot = &mut best[n * 2 + usize::from(with == Broadside::Port)];
                *slot = value.max(*slot);
            }
        }
        best
    }

    /// What a plan of a side is worth against each of some plans of the enemy, on the average.
    pub(super) fn weigh(&self, side: Side, own: &Track, enemy: &[Track]) -> Weighed {
        let (steps, guns) = (own.steps.len(), self.fleets.get(side).len() * 2);
        let many = i64::try_from(enemy.len()).unwrap_or(1).max(1);
        let mut chances: Vec<Vec<Vec<i64>>> = Vec::new();
        let mut others = 0;
        for theirs in enemy {
            let mut mine = Vec::new();
            let mut worst = vec![0; theirs.steps.first().map_or(0, Vec::len) * 2];
            for (a, b) in own.steps.iter().zip(&theirs.steps) {
                mine.push(self.shots(side, a, b, false));
                let back = self.shots(side.other(), b, a, false);
                worst.iter_mut().zip(back).for_each(|(most, shot)| *most = shot.max(*most));
            }
            others -= worst.iter().sum::<i64>() * CAUTION / 100;
            others += self.boarding(side, own, theirs) + self.end(side, own, theirs) - theirs.left;
            chances.push(mine);
        }
        // Each broadside fires once (6.1): backwards from the last marker, whether to fire or to wait.
        let mut later = vec![vec![0; guns]; steps + 1];
        for k in (0..steps).rev() {
            for gun in 0..guns {
                let wait = later[k + 1][gun];
                later[k][gun] = chances.iter().map(|of| of[k][gun].max(wait)).sum::<i64>() / many;
            }
        }
        let fire: i64 = later[0].iter().sum();
        later.remove(0);
        Weighed { value: fire + own.left + others / many, later }
    }

    /// Boarding where two ships come to lie in one hex, once for each own ship.
    fn boarding(&self, side: Side, own: &Track, enemy: &Track) -> i64 {
        let mut sum = 0;
        let mut met = vec![false; self.fleets.get(side).len()];
        for (mine, theirs) in own.steps.iter().zip(&enemy.steps) {
            for (n, craft) in mine.iter().enumerate().filter(|(_, c)| c.here) {
                let Some(m) = theirs.iter().position(|t| t.here && t.at == craft.at) else { continue };
                if std::mem::replace(&mut met[n], true) {
                    continue;
                }
                let (ours, his) = (self.boards.get(side)[n][m], self.boards.get(side.other())[m][n]);
                // Both wish it: each is as likely to be let try (8.5).
                sum += if ours > 0 && his > 0 { (ours - his) / 2 } else { ours.max(0) - his.max(0) };
            }
        }
        sum
    }

    /// What the position at the end of the turn promises.
    fn end(&self, side: Side, own: &Track, enemy: &Track) -> i64 {
        let (Some(mine), Some(theirs)) = (own.steps.last(), enemy.steps.last()) else { return 0 };
        let ahead: i64 = self.shots(side, mine, theirs, true).iter().sum();
        let behind: i64 = self.shots(side.other(), theirs, mine, true).iter().sum();
        let mut value = (ahead - behind) * NEXT_TURN / 100;
        value += self.gauge(side, mine) - self.gauge(side.other(), theirs);
        for (craft, ship) in mine.iter().zip(self.fleets.get(side)).filter(|(c, _)| c.here) {
            let nearest = theirs.iter().filter(|t| t.here).map(|t| t.at.distance(craft.at)).min().unwrap_or(0);
            if ship.worth.escaped > 0 {
                value -= self.to_safety(craft) * i64::from(ship.worth.escaped) * POINT / GETAWAY;
            } else if !self.content(side) {
                value -= i64::from(nearest.saturating_sub(1)) * FAR;
            }
        }
        value
    }

    fn gauge(&self, side: Side, crafts: &[Craft]) -> i64 {
        let flag = self.state.flagship(side);
        let place = self.fleets.get(side).iter().position(|s| Some(&s.id) == flag.map(|f| &f.id));
        let craft = place.and_then(|n| crafts.get(n)).filter(|c| c.here);
        let has = craft.is_some_and(|c| with_the_wind(c.heading, self.state.wind, self.state.rulings.wind));
        if has { GAUGE } else { 0 }
    }

    /// Markers to the nearest edge straight on; a turn to another side counts as one and the straight one behind it.
    fn to_safety(&self, craft: &Craft) -> i64 {
        let way = |turns: u8| {
            let heading = craft.heading.rotated(turns);
            let mut at = craft.at;
            let mut steps = 0i64;
            while self.state.board.contains(at) && steps < 60 {
                at = at.step(heading);
                steps += 1;
            }
            steps + 2 * i64::from(turns.min(6 - turns))
        };
        (0..6).map(way).min().unwrap_or(0)
    }

    /// Whether a side wins if nothing more happens, so that it need not seek the enemy.
    fn content(&self, side: Side) -> bool {
        let at_end = |s: Side| self.state.fleets.get(s).points + *self.state.victory.at_end.get(s);
        at_end(side) > at_end(side.other())
    }
}
