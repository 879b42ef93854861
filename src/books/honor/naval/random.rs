//! Random legal orders and random starting positions, for tests, soak and benches. Randomness is passed in.

use super::orders::{
    Board, Boarding, Conduct, Designation, EnemyMove, Fire, Guns, Lead, Marker, MarkerOrders, Order, Plot, Preference,
    Reaction, ShipId, When, Wish,
};
use super::plot::judge_prefix;
use super::rulings::Rulings;
use super::scenario::{Edge, Leaving, Scenario, ScenarioShip, ScenarioSide, Sea, ShipType, Victory, Worth};
use super::state::State;
use super::turn::Naval;
use crate::hex::Dir;
use crate::play::Checkpoint;
use crate::side::{Side, Sides};

/// A source of random numbers: `pick(n)` gives one below `n`.
pub type Pick<'a> = &'a mut dyn FnMut(u32) -> u32;

fn one_of<T: Clone>(of: &[T], pick: Pick<'_>) -> Option<T> {
    let n = u32::try_from(of.len()).ok().filter(|n| *n > 0)?;
    of.get(pick(n) as usize).cloned()
}

fn chance(of: u32, pick: Pick<'_>) -> bool {
    pick(of) == 0
}

/// A random legal plot.
pub(super) fn plot(state: &State, side: Side, pick: Pick<'_>) -> Plot {
    let own = usize::from(state.fleets.get(side).markers);
    let mut row: Vec<Option<Marker>> = Vec::new();
    let mut steps = Vec::new();
    for k in 0..usize::from(state.steps()) {
        let mut marker = None;
        if k < own {
            let legal: Vec<Marker> = [Marker::Straight, Marker::Straight]
                .into_iter()
                .chain(Marker::ALL)
                .filter(|m| {
                    let mut with = row.clone();
                    with.push(Some(*m));
                    judge_prefix(state, side, &with).is_ok()
                })
                .collect();
            marker = one_of(&legal, pick);
            row.push(marker);
        }
        steps.push(MarkerOrders { marker, conduct: conduct(state, side, pick) });
    }
    let react = (1..=state.steps()).filter(|_| chance(12, pick)).collect();
    Plot { steps, react }
}

/// A random conduct.
pub(super) fn conduct(state: &State, side: Side, pick: Pick<'_>) -> Conduct {
    let own: Vec<ShipId> = state.ships.iter().filter(|s| s.side == side).map(|s| s.id.clone()).collect();
    let enemy: Vec<ShipId> = state.ships.iter().filter(|s| s.side != side).map(|s| s.id.clone()).collect();
    let mut fire = Fire { all: guns(&enemy, pick), ..Fire::default() };
    let mut board = Board { all: boarding(pick), ..Board::default() };
    if chance(4, pick)
        && let Some(id) = one_of(&own, pick)
    {
        fire.ships.insert(id.clone(), guns(&enemy, pick));
        board.ships.insert(id, boarding(pick));
    }
    let mut lead = Lead { move_with: designation(&own, pick), ..Lead::default() };
    if chance(3, pick) {
        let seen = one_of(&enemy, pick).filter(|_| chance(2, pick));
        let enemy = seen.map_or(EnemyMove::Command {}, |id| EnemyMove::Ship { id });
        lead.reactions.push(Reaction { enemy, then: designation(&own, pick) });
        lead.succession.extend(one_of(&own, pick));
    }
    let mut prefer = || if chance(2, pick) { Preference::Us } else { Preference::Enemy };
    let order = Order { moves_first: prefer(), fires_first: prefer() };
    Conduct { order, lead, fire, board }
}

fn guns(enemy: &[ShipId], pick: Pick<'_>) -> Guns {
    let all = [When::Any, When::Any, When::Hold, When::Crossing, When::Close, When::CrossingOrClose];
    let starboard = one_of(&all, pick).unwrap_or_default();
    let port = one_of(&all, pick).unwrap_or_default();
    let targets = if chance(3, pick) { one_of(enemy, pick).into_iter().collect() } else { Vec::new() };
    Guns { starboard, port, targets }
}

fn boarding(pick: Pick<'_>) -> Boarding {
    let wish = match pick(4) {
        0 => Wish::Never,
        1 => Wish::If { lead: i8::try_from(pick(5)).unwrap_or(0) - 2, marines: u8::try_from(pick(4)).unwrap_or(0) },
        _ => Wish::Always,
    };
    Boarding { wish, retreat_at: u8::try_from(pick(4)).unwrap_or(0) }
}

fn designation(own: &[ShipId], pick: Pick<'_>) -> Designation {
    match pick(3) {
        0 => Designation::Squadron {},
        1 => Designation::Command { followers: own.iter().filter(|_| chance(2, pick)).cloned().collect() },
        _ => one_of(own, pick).map_or(Designation::Squadron {}, |id| Designation::Ship { id }),
    }
}

/// A random small battle: one to four ships a side close together, any ratings, wind, edge and rulings. Wilder than
/// any scenario, so that every event and question is reached.
#[must_use]
pub fn scenario(pick: Pick<'_>) -> (Scenario, Rulings) {
    let mut rulings = Rulings::default();
    for switch in Rulings::SWITCHES {
        if chance(2, pick)
            && let Some(word) = one_of(switch.settings, pick)
        {
            // Every listed setting is taken (tested in rulings.rs).
            let _ = rulings.set(switch.number, word);
        }
    }
    let dir = |pick: Pick<'_>| Dir::ALL[pick(6) as usize % 6];
    let mut taken: Vec<String> = Vec::new();
    let mut side = |side: Side, pick: Pick<'_>| -> ScenarioSide {
        let count = 1 + pick(4);
        let mut ships = Vec::new();
        for n in 0..count {
            let at = loop {
                let at = format!("{}{}", 4 + pick(4), char::from(b'D' + u8::try_from(pick(4)).unwrap_or(0)));
                if taken.iter().filter(|t| **t == at).count() < 2 {
                    break at;
                }
            };
            taken.push(at.clone());
            let kinds = [ShipType::Frigate, ShipType::Brig, ShipType::Sloop, ShipType::Gunboat];
            ships.push(ScenarioShip {
                id: ShipId(format!("{}{n}", &side.word()[..1])),
                name: format!("{side} {n}"),
                kind: if n < 3 { one_of(&kinds, pick).unwrap_or(ShipType::Brig) } else { ShipType::Brig },
                at,
                heading: dir(pick),
                damage: 1 + small(9, pick),
                guns: 1 + small(5, pick),
                marines: small(6, pick),
                speed: if chance(6, pick) { 2 } else { 1 },
                range: if chance(8, pick) { 1 } else { 2 },
                worth: Worth { sunk: 1 + pick(3), captured: 1 + pick(4), escaped: pick(2) },
                history: String::new(),
            });
        }
        let command = (count > 1).then(|| ships[0].id.clone());
        ScenarioSide { plots: 1 + small(4, pick), command, ships }
    };
    let sides = Sides { british: side(Side::British, pick), american: side(Side::American, pick) };
    let leaving = [None, Some(Leaving::Stop), Some(Leaving::Lost), Some(Leaving::Escape)];
    let edge = (!chance(3, pick)).then(|| Edge { fixed: true, leaving: one_of(&leaving, pick).flatten() });
    let target = Sides { british: 2 + pick(8), american: 2 + pick(8) };
    let scenario = Scenario {
        countersign: 1,
        kind: "scenario".into(),
        book: "honor-naval".into(),
        id: "random".into(),
        title: "Random".into(),
        date: String::new(),
        place: String::new(),
        provenance: "reconstruction".into(),
        how: String::new(),
        brief: String::new(),
        turns: 1 + pick(8),
        wind: dir(pick),
        advantage: if chance(2, pick) { Side::British } else { Side::American },
        sea: Sea { columns: 10, rows: 10 },
        edge,
        sides,
        victory: Victory { target, at_end: Sides { british: pick(2), american: pick(2) } },
    };
    (scenario, rulings)
}

fn small(n: u32, pick: Pick<'_>) -> u8 {
    u8::try_from(pick(n)).unwrap_or(0)
}

/// The start of a random battle.
///
/// # Errors
/// If the scenario made is not sound (a defect).
pub fn random_start(pick: Pick<'_>) -> Result<Checkpoint<Naval>, Vec<String>> {
    let (scenario, rulings) = scenario(pick);
    super::start::start(&scenario, rulings)
}
