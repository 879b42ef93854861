//! Chapter 5: the sequence of play, and the action points of each half-turn (6.1).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::half_turn::{Flow, OrdersQuestion, carry_out};
use super::orders::Standing;
use super::position::LandPosition;
use super::state::State;
use super::volley::one;
use crate::play::{Checkpoint, Play, System, Table, Ticket};
use crate::side::Side;

/// The land rules of For Honor and Glory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Land;

/// Between two phases. Each is a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum LandStage {
    /// A turn is about to begin.
    TurnStart {},
    /// A side is about to roll for action points (5.a, 5.c).
    ActionPoints {
        /// Who.
        side: Side,
    },
    /// A side is about to act (5.b, 5.d).
    Orders {
        /// Who.
        side: Side,
        /// 1, and one more after each pause.
        part: u32,
    },
    /// Both have acted: victory is checked (5.e).
    TurnEnd {},
}

impl System for Land {
    type Stage = LandStage;
    type State = State;
    type Event = Event;
    type Policy = Standing;

    fn apply(state: &mut State, event: &Event) {
        super::apply::apply(state, event);
    }

    fn phase(table: &mut Table<'_, Land>, at: &LandStage) -> Play<LandStage, Land> {
        match at {
            LandStage::TurnStart {} => {
                let turn = table.state().turn + 1;
                table.tell(Event::TurnBegan { turn });
                Ok(LandStage::ActionPoints { side: table.state().first })
            }
            LandStage::ActionPoints { side } => action_points(table, *side),
            LandStage::Orders { side, part } => act(table, *side, *part),
            LandStage::TurnEnd {} => super::victory::turn_end(table),
        }
    }

    fn place(position: &str) -> Result<Checkpoint<Land>, String> {
        let position: LandPosition =
            serde_json::from_str(position).map_err(|e| format!("it is no land position: {e}"))?;
        position.into_checkpoint().map_err(|faults| faults.join("; "))
    }
}

/// 6.1.1, 9.3.2: command action points less leaders lost, not below 0, and 1, 2 or 3 by the chart.
fn action_points(table: &mut Table<'_, Land>, side: Side) -> Play<LandStage, Land> {
    let turn = table.state().turn;
    let roll = one(&table.roll(vec![Ticket::d6(format!("t{turn}/{side}/points"))])?);
    let random = random_points(roll);
    let army = table.state().armies.get(side);
    let command = army.command.saturating_sub(army.leaders_lost);
    table.tell(Event::ActionPoints { side, roll, random, command, total: command + random });
    Ok(LandStage::Orders { side, part: 1 })
}

/// The random action point chart.
#[must_use]
pub fn random_points(roll: u8) -> u8 {
    match roll {
        0..=2 => 1,
        3 | 4 => 2,
        _ => 3,
    }
}

/// The player acts until his list is done, he has no points, or he pauses.
fn act(table: &mut Table<'_, Land>, side: Side, part: u32) -> Play<LandStage, Land> {
    if table.state().lives(side) {
        let turn = table.state().turn;
        let half = table.decide(OrdersQuestion { side, turn, part })?;
        table.stand(side, half.standing);
        if carry_out(table, side, &half.orders)? == Flow::Paused {
            return Ok(LandStage::Orders { side, part: part + 1 });
        }
    }
    let left = table.state().ap;
    table.tell(Event::HalfTurnEnded { side, left });
    let second = table.state().first.other();
    Ok(if side == second { LandStage::TurnEnd {} } else { LandStage::ActionPoints { side: second } })
}
