//! The conduct that goes with a plan: when to fire, whom to board, which ships move.

use super::look::{Sea, Weighed};
use super::plans::{Plan, Who};
use crate::books::honor::naval::{
    Board, Boarding, Conduct, Designation, Fire, Guns, Lead, MarkerOrders, Plot, Ship, ShipId, When, Wish,
};
use crate::side::Side;

/// A shot is taken if it brings this much, in hundredths, of what waiting promises: the ship may be hit first, and who
/// waits for a better place is not always given it.
const PATIENCE: i64 = 90;

/// The whole plot.
pub(super) fn plot(sea: &Sea<'_>, side: Side, plan: &Plan, weighed: &Weighed) -> Plot {
    let board = board(sea, side);
    let step = |k: usize, (marker, who): &(Option<_>, Who)| {
        let later = weighed.later.get(k).map_or(&[][..], Vec::as_slice);
        let conduct = Conduct {
            lead: lead(sea, side, *who),
            fire: fire(sea, side, later),
            board: board.clone(),
            ..Conduct::default()
        };
        MarkerOrders { marker: *marker, conduct }
    };
    Plot { steps: plan.iter().enumerate().map(|(k, s)| step(k, s)).collect(), react: Vec::new() }
}

/// What is said when one is asked again: fire at anything, board where it pays.
pub(super) fn at_once(sea: &Sea<'_>, side: Side) -> Conduct {
    let lead = lead(sea, side, if sea.state.fleets.get(side).command.is_some() { Who::All } else { Who::One(0) });
    Conduct { lead, fire: fire(sea, side, &[]), board: board(sea, side), ..Conduct::default() }
}

/// Fire at one marker; `later`: what waiting is worth to each broadside, nothing if it is missing.
fn fire(sea: &Sea<'_>, side: Side, later: &[i64]) -> Fire {
    let mut fire = Fire::default();
    for (n, ship) in sea.fleets.get(side).iter().enumerate() {
        let when = |gun: usize| when(&sea.blows.get(side)[n], later.get(n * 2 + gun).copied().unwrap_or(0));
        fire.ships.insert(ship.id.clone(), Guns { starboard: when(0), port: when(1), targets: Vec::new() });
    }
    fire
}

/// The most that may be fired at without giving up something better.
fn when(blows: &[[i64; 3]], wait: i64) -> When {
    let many = i64::try_from(blows.len()).unwrap_or(1).max(1);
    // On the average of the enemy's ships: which of them will bear is not known.
    let good = |at: usize| blows.iter().map(|b| b[at]).sum::<i64>() / many >= wait * PATIENCE / 100;
    match (good(2), good(1), good(0)) {
        (true, _, _) => When::Any,
        (_, true, _) => When::CrossingOrClose,
        (_, _, true) => When::Crossing,
        _ => When::Hold,
    }
}

/// Each ship boards whom it pays to board.
fn board(sea: &Sea<'_>, side: Side) -> Board {
    let mut board = Board::default();
    for (n, ship) in sea.fleets.get(side).iter().enumerate() {
        board.ships.insert(ship.id.clone(), Boarding { wish: wish(sea, side, n, ship), retreat_at: 0 });
    }
    board
}

/// Always or never, if all enemies are alike in it; else from the smallest lead on that pays.
fn wish(sea: &Sea<'_>, side: Side, n: usize, ship: &Ship) -> Wish {
    let worth = &sea.boards.get(side)[n];
    let enemies = sea.fleets.get(side.other());
    let pays = enemies.iter().zip(worth).filter(|(_, value)| **value > 0).map(|(enemy, _)| *enemy);
    let lead = |enemy: &Ship| i64::from(ship.damage) - i64::from(enemy.damage);
    let most = i64::from(Boarding::LEAD);
    match pays.clone().map(lead).min() {
        None => Wish::Never,
        Some(_) if pays.count() == enemies.len() => Wish::Always,
        Some(lead) => Wish::If { lead: i8::try_from(lead.clamp(-most, most)).unwrap_or(0), marines: 1 },
    }
}

/// Which ships move, and who takes over a squadron: the dearest that are least damaged.
fn lead(sea: &Sea<'_>, side: Side, who: Who) -> Lead {
    let fleet = sea.fleets.get(side);
    if !sea.state.fleets.get(side).squadron {
        return Lead::default();
    }
    let move_with = match who {
        Who::One(n) => fleet.get(n).map_or(Designation::Squadron {}, |s| Designation::Ship { id: s.id.clone() }),
        Who::All => Designation::Squadron {},
    };
    let mut next: Vec<&&Ship> = fleet.iter().collect();
    next.sort_by_key(|s| std::cmp::Reverse((s.worth.sunk, s.damage)));
    let succession: Vec<ShipId> = next.into_iter().map(|s| s.id.clone()).collect();
    Lead { move_with, reactions: Vec::new(), succession }
}
