//! What can happen in a naval battle. The report and the tests see events and nothing else.

use serde::Serialize;

use super::orders::{Broadside, Designation, Marker, ShipId};
use crate::cite::Cite;
use crate::hex::Dir;
use crate::side::{Side, Sides};

/// How a wind roll turns the wind (NAV-CHART-WIND).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shift {
    /// One hexside right.
    Right,
    /// One hexside left.
    Left,
    /// None.
    None,
}

/// Why a side has the choice of order this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderReason {
    /// It alone has the gauge (NAV-3.1.1).
    Gauge,
    /// Both have the gauge; commander's advantage (NAV-7.1).
    BothAdvantage,
    /// Neither has the gauge; commander's advantage (N02).
    NeitherAdvantage,
    /// Neither has the gauge; a die (N02, alternative).
    NeitherDie,
}

/// Why a ship did not carry a marker out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoldReason {
    /// The marker is a STOP (NAV-5.5).
    StopMarker,
    /// It would have been the third ship in a hex (NAV-3.4.p2).
    ThirdShip,
    /// A fixed edge of the board (NAV-1.1, N21).
    Edge,
}

/// How a ship left the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeaveReason {
    /// Safe, by the scenario.
    Escaped,
    /// Lost to its side.
    Lost,
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A side has its target (NAV-4.1.f).
    Target,
    /// The last turn is over (NAV-4.1.g).
    LastTurn,
    /// A side has no ship left.
    NoShips,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A turn begins (NAV-4.1.a). All once-a-turn marks are cleared.
    TurnBegan {
        /// Its number, from 1.
        turn: u32,
    },
    /// The wind was rolled (NAV-3.1.p1).
    Wind {
        /// The die, 1 to 6.
        roll: u8,
        /// What it did.
        shift: Shift,
        /// The wind now.
        wind: Dir,
    },
    /// Who has the gauge this turn, and who has the choice of order (NAV-3.1.1, NAV-4.1.a).
    Gauge {
        /// Who has it.
        has: Sides<bool>,
        /// Who chooses.
        chooser: Side,
        /// Why he.
        why: OrderReason,
    },
    /// How many markers a side plots (NAV-5.6): base + gauge - half - transfer, not below the floor (N05).
    Allotted {
        /// Whose.
        side: Side,
        /// Scenario base.
        base: u8,
        /// 1 with the gauge.
        gauge: u8,
        /// Command ships at half damage, this one and earlier ones (NAV-6.6, NAV-9.5.p2).
        half: u8,
        /// 1 on the turn after losing a command ship (NAV-9.5.p1).
        transfer: u8,
        /// Markers to plot.
        markers: u8,
    },
    /// Both plots are sealed (NAV-4.1.b). Steps at which somebody asked to be asked again are public.
    Plotted {
        /// REACT steps.
        react: Sides<Vec<u8>>,
    },
    /// From here on a plot counts as STOP because it was found illegal when opened (N41).
    PlotStopped {
        /// Whose.
        side: Side,
        /// First step that is illegal, from 1.
        step: u8,
        /// What was wrong.
        why: String,
        /// The rule it breaks.
        cite: Cite,
    },
    /// Other sealed orders for a step were illegal when opened; the default stands in their place (N41).
    OrdersVoid {
        /// Whose.
        side: Side,
        /// The step.
        step: u8,
        /// `lead`, `fire` or `board`.
        part: &'static str,
        /// What was wrong.
        why: String,
    },
    /// Markers of one step are face up (NAV-5.8). `None` for a side whose markers are used up (NAV-5.8.1).
    Revealed {
        /// The step, from 1.
        step: u8,
        /// The markers.
        markers: Sides<Option<Marker>>,
    },
    /// Who executes first (NAV-5.8, NAV-9.6); told only where it can matter: both sides move and a side has several ships.
    MovesFirst {
        /// The chooser.
        by: Side,
        /// The first.
        first: Side,
    },
    /// The ships that carry the marker out (NAV-9.3), in their order; told only for sides with several ships.
    Designated {
        /// Whose.
        side: Side,
        /// As ordered.
        with: Designation,
        /// The ships, command ship first.
        ships: Vec<ShipId>,
    },
    /// A ship sailed along its heading (NAV-5.2).
    Sailed {
        /// Which.
        ship: ShipId,
        /// Label of the hex left.
        from: String,
        /// Label of the hex reached.
        to: String,
    },
    /// A ship swung its bow (NAV-5.3, NAV-5.4).
    Turned {
        /// Which.
        ship: ShipId,
        /// Right or left, as the marker.
        marker: Marker,
        /// New heading.
        heading: Dir,
    },
    /// A ship stayed where it is; the marker is spent.
    Held {
        /// Which.
        ship: ShipId,
        /// Why.
        why: HoldReason,
    },
    /// A ship sailed over a fixed edge (NAV-1.1).
    Left {
        /// Which.
        ship: ShipId,
        /// Last hex.
        from: String,
        /// What that means.
        how: LeaveReason,
    },
    /// Who declares fire first in this step (N03); told only if both sides can fire.
    DeclaresFirst {
        /// The first.
        first: Side,
        /// The rule.
        cite: Cite,
    },
    /// A broadside is declared (NAV-9.7). Its dice are fixed here (N23).
    Declared {
        /// Who fires.
        ship: ShipId,
        /// Which side of it.
        broadside: Broadside,
        /// At whom.
        target: ShipId,
        /// Hexes.
        range: u8,
        /// Whether it crosses the T.
        crossing: bool,
        /// Lowest face that hits.
        hits_on: u8,
        /// Dice.
        dice: u8,
    },
    /// A broadside was fired (NAV-6.4).
    Fired {
        /// Who fired.
        ship: ShipId,
        /// Which side of it.
        broadside: Broadside,
        /// At whom.
        target: ShipId,
        /// Faces, in order.
        faces: Vec<u8>,
        /// Lowest face that hits.
        hits_on: u8,
        /// How many hit.
        hits: u8,
    },
    /// Hits of one step lower a damage rating (NAV-6.5), not below 0.
    Damaged {
        /// Which ship.
        ship: ShipId,
        /// All hits of the step.
        hits: u8,
        /// Rating left.
        left: u8,
    },
    /// A ship reached half damage (NAV-6.6): its counter shows the red X.
    HalfDamaged {
        /// Which.
        ship: ShipId,
    },
    /// A ship sank (NAV-6.7).
    Sunk {
        /// Which.
        ship: ShipId,
    },
    /// Whether two ships that share a hex wish to board (NAV-8.3).
    Wished {
        /// Label of the hex.
        hex: String,
        /// The two ships.
        ships: Sides<ShipId>,
        /// The wishes.
        wishes: Sides<bool>,
    },
    /// Both wished: rolls for who may try (NAV-8.5).
    Contest {
        /// Sum of each side's two dice.
        rolls: Sides<u8>,
        /// Damage points added to the healthier ship.
        bonus: u8,
        /// The healthier side, none if equal.
        healthier: Option<Side>,
        /// Totals.
        totals: Sides<u8>,
        /// Who may try.
        boarder: Side,
        /// Whether a tie was settled by commander's advantage (NAV-8.5.p1).
        tie: bool,
    },
    /// A boarding attempt (NAV-8.4).
    Attempt {
        /// Who tries.
        boarder: Side,
        /// Sum of each side's two dice.
        rolls: Sides<u8>,
        /// Damage points added to the healthier ship.
        bonus: u8,
        /// The healthier side, none if equal.
        healthier: Option<Side>,
        /// Boarder's total less the other's; 7 succeeds.
        lead: i8,
        /// Whether it succeeded.
        boarded: bool,
    },
    /// The winner of the contest boards without another roll (N13, alternative).
    BoardsAtOnce {
        /// Who.
        boarder: Side,
    },
    /// One side's dice in a boarding battle (NAV-8.6).
    Melee {
        /// Exchange, from 1.
        exchange: u8,
        /// Whose dice.
        side: Side,
        /// The two ships.
        ships: Sides<ShipId>,
        /// Faces.
        faces: Vec<u8>,
        /// Lowest face that hits.
        hits_on: u8,
        /// How many hit.
        hits: u8,
        /// The enemy's marine MP now; of an intrinsic crew, 1 while it holds and 0 when it has fallen.
        enemy_left: u8,
        /// Whether these dice were rolled against an intrinsic crew (NAV-8.6.1).
        intrinsic: bool,
    },
    /// The boarders go back to their ship (NAV-8.6.p2).
    BrokeOff {
        /// Their ship.
        ship: ShipId,
    },
    /// All boarders fell (NAV-8.6.3).
    BoardersLost {
        /// Their ship.
        ship: ShipId,
    },
    /// A ship was captured and leaves the board (NAV-8.6.2).
    Captured {
        /// Which.
        ship: ShipId,
        /// By whom.
        by: ShipId,
    },
    /// A squadron lost its command ship (NAV-9.5).
    CommandLost {
        /// Whose.
        side: Side,
        /// The ship.
        ship: ShipId,
    },
    /// A new command ship was named (NAV-9.5); its wind and damage count from next turn (N30).
    CommandPassed {
        /// Whose.
        side: Side,
        /// The ship.
        ship: ShipId,
    },
    /// Victory points (scenario).
    Scored {
        /// Who scores.
        side: Side,
        /// How many.
        points: u32,
        /// His total now.
        total: u32,
    },
    /// A turn is over (NAV-4.1.f).
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
}
