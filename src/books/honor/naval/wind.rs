//! 3.1, 3.1.1 and 4.1, first phase: the wind, who has the gauge, who chooses the order, how many markers each side has.

use super::event::{Event, OrderReason, Shift};
use super::rulings::{FewestPlots, FirstWind, NobodyHasGauge, SecondHalf, WindMeans};
use super::state::State;
use super::turn::{Naval, Stage};
use crate::hex::{Dir, Turn};
use crate::play::{Play, Table, Ticket};
use crate::side::{Side, Sides};

/// The start of a turn.
pub(super) fn weather(table: &mut Table<'_, Naval>) -> Play<Stage, Naval> {
    let turn = table.state().turn + 1;
    table.tell(Event::TurnBegan { turn });
    // 3.1: "on the next turn": none on the first (N06).
    if turn > 1 || table.state().rulings.first_wind == FirstWind::Roll {
        roll_wind(table, turn)?;
    }
    let has = Sides::from_fn(|side| has_gauge(table.state(), side));
    let (chooser, why) = chooser(table, has, turn)?;
    table.tell(Event::Gauge { has, chooser, why });
    for side in Side::ALL {
        let event = allotment(table.state(), side);
        table.tell(event);
    }
    Ok(Stage::Plot {})
}

/// 3.1: 1 one hexside right, 6 one left, 2 to 5 no change.
fn roll_wind(table: &mut Table<'_, Naval>, turn: u32) -> Play<(), Naval> {
    let roll = one(&table.roll(vec![Ticket::d6(format!("t{turn}/wind"))])?);
    let wind = table.state().wind;
    let (shift, wind) = match roll {
        1 => (Shift::Right, wind.turned(Turn::Right)),
        6 => (Shift::Left, wind.turned(Turn::Left)),
        _ => (Shift::None, wind),
    };
    table.tell(Event::Wind { roll, shift, wind });
    Ok(())
}

/// The only face of a one-die roll.
pub(super) fn one(faces: &[u32]) -> u8 {
    faces.first().and_then(|f| u8::try_from(*f).ok()).unwrap_or(1)
}

/// 3.1.1: the wind comes through one of the three rear hexsides. In squadrons only the command ship counts (9.4).
#[must_use]
pub(super) fn has_gauge(state: &State, side: Side) -> bool {
    state.flagship(side).is_some_and(|ship| with_the_wind(ship.heading, state.wind, state.rulings.wind))
}

/// Whether a ship on this heading has the wind behind it (3.1.1).
#[must_use]
pub fn with_the_wind(heading: Dir, wind: Dir, means: WindMeans) -> bool {
    let towards = match means {
        WindMeans::Toward => wind,
        WindMeans::From => wind.opposite(),
    };
    matches!(heading.clockwise_to(towards), 0 | 1 | 5)
}

/// 3.1.1, 4.1, 7.1: one has the gauge, he; both, commander's advantage; neither, ruling N02.
fn chooser(table: &mut Table<'_, Naval>, has: Sides<bool>, turn: u32) -> Play<(Side, OrderReason), Naval> {
    let advantage = table.state().advantage;
    Ok(match (has.british, has.american) {
        (true, false) => (Side::British, OrderReason::Gauge),
        (false, true) => (Side::American, OrderReason::Gauge),
        (true, true) => (advantage, OrderReason::BothAdvantage),
        (false, false) if table.state().rulings.nobody == NobodyHasGauge::Advantage => {
            (advantage, OrderReason::NeitherAdvantage)
        }
        (false, false) => {
            let roll = one(&table.roll(vec![Ticket::d6(format!("t{turn}/gauge"))])?);
            (if roll <= 3 { Side::British } else { Side::American }, OrderReason::NeitherDie)
        }
    })
}

/// 5.6: base, one more with the gauge (3.1.1), one fewer for each command ship at half damage (6.6, 9.5) and one fewer
/// on the turn after losing a command ship (9.5).
fn allotment(state: &State, side: Side) -> Event {
    let fleet = state.fleets.get(side);
    let (base, gauge) = (fleet.plots, u8::from(*state.gauge.get(side)));
    let own = u8::from(state.flagship(side).is_some_and(|ship| ship.half));
    let half = match state.rulings.second_half {
        SecondHalf::AddUp => own + fleet.old_half,
        SecondHalf::Replace => own.max(fleet.old_half.min(1)),
    };
    let transfer = u8::from(fleet.transfer);
    let floor = match state.rulings.floor {
        FewestPlots::Zero => 0,
        FewestPlots::One => 1,
    };
    let markers = (base + gauge).saturating_sub(half + transfer).max(floor);
    Event::Allotted { side, base, gauge, half, transfer, markers }
}
