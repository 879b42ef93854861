//! What can happen in a land battle. The report and the tests see events and nothing else.

use serde::Serialize;

use super::modifier::Modifier;
use super::orders::Order;
use super::pieces::{Formation, Id};
use crate::cite::Cite;
use crate::side::{Side, Sides};

/// Why a combat unit is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Its MP fell below 1 (8.1.2).
    Hits,
    /// It had to retreat and could not (8.4.2).
    NoRetreat,
    /// It was displaced and could not go (L13, alternative).
    NoRoom,
}

/// Why a leader is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeaderLoss {
    /// A second 1 (9.3.1).
    Struck,
    /// An enemy entered his hex (7.3, 9.3.3).
    Overrun,
    /// No way out (8.4.5).
    Trapped,
}

/// What kind of attack dice are rolled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attack {
    /// Fire combat (8.1).
    Fire,
    /// Close combat (8.3).
    CloseCombat,
}

/// Why a unit moved in the enemy's half-turn, or after a combat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// It failed its check (8.4.1).
    Retreat,
    /// It made room (8.4.3).
    Displaced,
    /// Dragoons that would not wait (11.12).
    Withdrawal,
}

/// Why a leader changed his hex other than by an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeaderShift {
    /// With the retreating units (8.3.2).
    Follows,
    /// From a hex where a unit was eliminated (8.4.5).
    Escapes,
    /// The hex of the units he follows has a leader already (L15).
    MakesWay,
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A side has its target (10).
    Target,
    /// The last turn is over (10.C).
    LastTurn,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A turn begins (5.f).
    TurnBegan {
        /// Its number, from 1.
        turn: u32,
    },
    /// A side's action points for its half-turn (6.1.1).
    ActionPoints {
        /// Whose.
        side: Side,
        /// The die.
        roll: u8,
        /// Points by the chart.
        random: u8,
        /// Command action points, leaders lost taken off (9.3.2).
        command: u8,
        /// Points to spend.
        total: u8,
    },
    /// A unit moved (7.1).
    Moved {
        /// Which.
        unit: Id,
        /// Hex left; none if it entered the board.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// Hexes entered.
        path: Vec<String>,
        /// The leader who went with it.
        #[serde(skip_serializing_if = "Option::is_none")]
        with: Option<Id>,
        /// Points spent.
        ap: u8,
    },
    /// A unit went ashore; its boat is no more part of the battle (NAV-2.3.d).
    Landed {
        /// Which.
        unit: Id,
        /// Where.
        at: String,
    },
    /// A leader moved alone (9.1).
    LeaderMoved {
        /// Who.
        leader: Id,
        /// Hex left; none if he entered the board.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// Hexes entered.
        path: Vec<String>,
        /// Points spent.
        ap: u8,
    },
    /// A unit changed formation (7.5).
    Formed {
        /// Which.
        unit: Id,
        /// Into what.
        formation: Formation,
        /// Points spent.
        ap: u8,
    },
    /// A leader rallied a unit (9.4).
    Rallied {
        /// Which.
        unit: Id,
        /// Who.
        leader: Id,
        /// MP now.
        mp: u8,
        /// Points spent.
        ap: u8,
    },
    /// An attack was declared (8). Its dice and numbers are fixed here.
    Attacked {
        /// Who attacks.
        unit: Id,
        /// Fire or close combat.
        by: Attack,
        /// The target hex.
        at: String,
        /// The leader who adds a die (11.8).
        #[serde(skip_serializing_if = "Option::is_none")]
        support: Option<Id>,
        /// Points spent.
        ap: u8,
    },
    /// The attacker's check before close combat (11.1).
    Steadied {
        /// Which unit.
        unit: Id,
        /// The die.
        roll: u8,
        /// MP.
        mp: u8,
        /// What changes the value.
        changes: Vec<Modifier>,
        /// Whether it passed.
        passed: bool,
    },
    /// A defender's check before close combat (8.3.2).
    Checked {
        /// Which unit.
        unit: Id,
        /// The die.
        roll: u8,
        /// MP.
        mp: u8,
        /// What changes the value.
        changes: Vec<Modifier>,
        /// Whether it stands.
        stands: bool,
    },
    /// A gun stands since the infantry with it does (8.4.4).
    StandsWith {
        /// The gun.
        unit: Id,
        /// The infantry.
        infantry: Id,
    },
    /// The dice of an attack (8.1.1, 8.3.3).
    Rolled {
        /// Who attacks.
        unit: Id,
        /// What makes up the number of dice.
        dice: Vec<Modifier>,
        /// Faces, in order.
        faces: Vec<u8>,
        /// What changes each of them.
        changes: Vec<Modifier>,
        /// Lowest changed face that hits.
        hits_on: u8,
        /// How many hit.
        hits: u8,
    },
    /// A hit on a unit (8.1.2).
    Hit {
        /// Which.
        unit: Id,
        /// MP now.
        mp: u8,
    },
    /// An elite at 1 MP rolled for a hit (3.4.1).
    Survival {
        /// Which.
        unit: Id,
        /// The die.
        roll: u8,
        /// Whether the hit is ignored.
        ignored: bool,
    },
    /// A combat unit is eliminated.
    Eliminated {
        /// Which.
        unit: Id,
        /// Why.
        why: Loss,
    },
    /// Hits nobody was left to take.
    Surplus {
        /// How many.
        hits: u8,
    },
    /// A leader in an attacked hex rolled (9.3.1).
    LeaderRolled {
        /// Who.
        leader: Id,
        /// The die.
        roll: u8,
    },
    /// A leader is eliminated.
    LeaderLost {
        /// Who.
        leader: Id,
        /// Why.
        why: LeaderLoss,
    },
    /// A leader left a hex by the rules of combat.
    LeaderShifted {
        /// Who.
        leader: Id,
        /// From where.
        from: String,
        /// Where to.
        to: String,
        /// Why.
        why: LeaderShift,
    },
    /// A unit fell back one hex.
    FellBack {
        /// Which.
        unit: Id,
        /// From where.
        from: String,
        /// Where to.
        to: String,
        /// Why.
        why: Fallback,
    },
    /// An attacker advanced into the hex it cleared (8.3.4, 11.10).
    Advanced {
        /// Which.
        unit: Id,
        /// From where.
        from: String,
        /// Where to.
        to: String,
        /// The leader who went along.
        #[serde(skip_serializing_if = "Option::is_none")]
        with: Option<Id>,
        /// The rule.
        cite: Cite,
    },
    /// A victory point unit was taken (3.4.11).
    Captured {
        /// Which.
        objective: Id,
        /// By whom.
        by: Id,
    },
    /// Victory points (10).
    Scored {
        /// Who scores.
        side: Side,
        /// How many.
        points: u32,
        /// His total now.
        total: u32,
        /// The rule.
        cite: Cite,
    },
    /// An order could not be carried out when it was reached; it costs nothing.
    Skipped {
        /// Where it stands: `orders[2]`.
        order: String,
        /// Why.
        why: String,
        /// The rule.
        cite: Cite,
    },
    /// The player asked to be asked again.
    Paused {
        /// Where.
        order: String,
        /// The orders not reached.
        rest: Vec<Order>,
    },
    /// A half-turn is over (6.2.8).
    HalfTurnEnded {
        /// Whose.
        side: Side,
        /// Points not spent; they are lost (L34).
        left: u8,
    },
    /// A turn is over (5.e).
    TurnEnded {
        /// Its number.
        turn: u32,
    },
    /// The game is over.
    GameOver {
        /// The winner, none for a draw.
        winner: Option<Side>,
        /// Why.
        why: Ending,
        /// Final points.
        points: Sides<u32>,
    },
    /// What the battle counts in its campaign, and the campaign's sums (12).
    Credited {
        /// The campaign.
        campaign: String,
        /// The battle, from 1.
        battle: u8,
        /// This battle.
        points: Sides<u32>,
        /// All battles so far.
        totals: Sides<u32>,
        /// The winner of the campaign after its last battle, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        winner: Option<Side>,
        /// Whether this was the last battle.
        last: bool,
    },
}
