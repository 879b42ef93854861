//! What a commander writes for his half-turn: a list of activations with guards, and standing orders for the enemy's.
//!
//! These types go on the wire. Hexes are labels in quotes ("0507"); units, leaders and victory point units go by their
//! ids. The list is carried out from the top; an order that cannot be carried out when it is reached is skipped.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pieces::{Formation, Id};
use crate::hex::Dir;

/// The orders of one half-turn, or of what is left of it after a pause.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HalfTurn {
    /// Activations, in order (5.1).
    pub orders: Vec<Order>,
    /// Standing orders until the next half-turn of this side.
    pub standing: Standing,
}

/// One order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// A unit moves (7.1): 1 point, 2 with the leader's extra hex, more into a waterway.
    Move {
        /// The unit.
        unit: Id,
        /// The hexes it enters, in order. A unit that is not on the board yet begins with one of its entry hexes.
        path: Vec<String>,
        /// The leader who goes with it (6.2.6, 9.1.1).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<Id>,
    },
    /// A unit fires (8.1): 1 point.
    Fire {
        /// The unit.
        unit: Id,
        /// The target hex.
        at: String,
        /// The leader who adds a die (11.8).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        support: Option<Id>,
        /// Whether it advances if the defender is eliminated next to it (11.10).
        #[serde(default, skip_serializing_if = "Advance::stays")]
        advance: Advance,
    },
    /// Dragoons or Indians move, then fire at an adjacent hex (6.2.3, 6.2.4): 2 points.
    MoveAndFire {
        /// The unit.
        unit: Id,
        /// The hexes it enters.
        path: Vec<String>,
        /// The target hex.
        at: String,
        /// The leader who goes with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<Id>,
        /// The leader who adds a die (11.8).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        support: Option<Id>,
        /// Whether it advances if the defender is eliminated (11.10).
        #[serde(default, skip_serializing_if = "Advance::stays")]
        advance: Advance,
    },
    /// Indians fire at an adjacent hex, then move (6.2.4): 2 points. They may go to the hex their fire has cleared.
    FireAndMove {
        /// The unit.
        unit: Id,
        /// The target hex.
        at: String,
        /// The hexes it enters afterwards.
        path: Vec<String>,
        /// The leader who goes with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<Id>,
        /// The leader who adds a die (11.8).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        support: Option<Id>,
    },
    /// Infantry or Indians attack an adjacent hex in close combat (8.3): 2 points.
    CloseCombat {
        /// The unit.
        unit: Id,
        /// The target hex.
        at: String,
        /// Whether it advances into the hex if that is vacated (8.3.4).
        #[serde(default, skip_serializing_if = "Advance::stays")]
        advance: Advance,
        /// The leader who adds a die (11.8).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        support: Option<Id>,
        /// Where it fires if it fails its check before the attack (11.1), with `support` and `advance` as here (L58); nowhere
        /// if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repulsed: Option<String>,
    },
    /// Units attack a hex that lies directly between them (11.9), one after the other.
    Flank {
        /// Two to four orders, each `fire`, `move-and-fire`, `fire-and-move` or `close-combat`, from two opposite hexes.
        attacks: Vec<Order>,
    },
    /// The leader in its hex rallies a unit (9.4): 1 point.
    Rally {
        /// The unit.
        unit: Id,
    },
    /// A unit goes from line into column or back (7.5): 1 point.
    Form {
        /// The unit.
        unit: Id,
        /// The new formation.
        formation: Formation,
    },
    /// A leader moves alone (9.1): 1 point.
    Leader {
        /// The leader.
        leader: Id,
        /// The hexes he enters.
        path: Vec<String>,
    },
    /// Orders that depend on how things stand when they are reached.
    If {
        /// What must hold.
        when: Guard,
        /// Orders if it does.
        then: Vec<Order>,
        /// Orders if it does not.
        #[serde(default, skip_serializing_if = "Vec::is_empty", rename = "else")]
        otherwise: Vec<Order>,
    },
    /// PAUSE: stop here; the player is asked again with the points he has left.
    Pause {},
    /// ASK-ME-IF: stop here if something holds.
    AskMeIf {
        /// What must hold.
        when: Guard,
    },
}

/// Something that holds or not when an order is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Guard {
    /// No combat unit of either side is in the hex.
    Empty(String),
    /// An enemy combat unit is in the hex.
    Enemy(String),
    /// A combat unit of one's own is in the hex.
    Own(String),
    /// The unit or leader is on the board.
    Alive(Id),
    /// The unit or leader is eliminated.
    Lost(Id),
    /// The unit or leader is in the hex.
    At {
        /// Who.
        unit: Id,
        /// Where.
        hex: String,
    },
    /// The unit has this many MP or more.
    Mp {
        /// Which.
        unit: Id,
        /// MP.
        least: u8,
    },
    /// This many action points or more are left.
    Points(u8),
    /// What came of the activation before.
    Last(Outcome),
    /// All of these.
    All(Vec<Guard>),
    /// One of these or more.
    Any(Vec<Guard>),
    /// The contrary.
    Not(Box<Guard>),
}

/// What came of an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// At least one hit.
    Hit,
    /// No hit.
    Missed,
    /// A unit of the enemy was eliminated.
    Eliminated,
    /// A unit of the enemy retreated.
    Retreated,
    /// An attacked hex is still held by the enemy.
    Held,
    /// The attacker advanced.
    Advanced,
    /// The attacker failed its check (11.1).
    Repulsed,
    /// An enemy leader was eliminated.
    LeaderLost,
    /// The order could not be carried out.
    Skipped,
}

/// Whether a unit that cleared a hex goes there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Advance {
    /// Stay.
    #[default]
    Stay,
    /// Go there. A leader who moved with the unit this turn goes along (6.2.6).
    Go,
    /// Go there, and the leader in the hex with it (L17).
    WithLeader,
    /// Ask when it comes to that.
    Ask,
}

impl Advance {
    /// Whether it is the default.
    #[must_use]
    pub fn stays(&self) -> bool {
        *self == Advance::Stay
    }
}

/// Standing orders: answers to what the enemy's half-turn can ask. Each default is the adjudicator's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Standing {
    /// Who takes a hit when gun and troops of a hex have the same MP (8.1.2).
    pub ties: Ties,
    /// Where retreating units go (8.4.1).
    pub retreat: Course,
    /// Where displaced units go (8.4.3).
    pub displaced: Course,
    /// Whom a leader follows when the units with him retreat to different hexes (8.3.2).
    pub follow: Follow,
    /// Where leaders flee to (8.4.5).
    pub escape: Flight,
    /// When dragoons retreat before close combat (11.12).
    pub withdraw: Withdraw,
    /// Units with orders of their own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<Id, UnitStanding>,
    /// Leaders with orders of their own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub leaders: BTreeMap<Id, Flight>,
}

/// Standing orders of one unit, where they differ.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UnitStanding {
    /// Where it retreats to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retreat: Option<Course>,
    /// Where it goes when displaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displaced: Option<Course>,
    /// When it retreats before close combat (dragoons).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdraw: Option<Withdraw>,
}

/// Who takes a hit when two units of a hex have the same MP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ties {
    /// The gun.
    #[default]
    Gun,
    /// Infantry or dragoons.
    Troops,
    /// Ask.
    Ask,
}

/// The choice among the hexes the rules leave.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Course {
    /// Straight away from the attacker, else the first clockwise from there.
    #[default]
    Away,
    /// The first of these directions that is open; then as `away`.
    Toward(Vec<Dir>),
    /// Ask.
    Ask,
}

/// Whom a leader follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Follow {
    /// Infantry or dragoons.
    #[default]
    Troops,
    /// The gun.
    Gun,
    /// Ask.
    Ask,
}

/// Where a leader flees to when a unit with him is eliminated.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Flight {
    /// He stays with a unit that is left; alone he flees to the nearest unit of his side without a leader.
    #[default]
    Nearest,
    /// The first of these hexes he can reach; then as `nearest`.
    To(Vec<String>),
    /// He stays.
    Stay,
    /// Ask.
    Ask,
}

/// When dragoons retreat before close combat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Withdraw {
    /// When they have 1 MP.
    #[default]
    Weak,
    /// Always.
    Always,
    /// Never.
    Never,
    /// Ask.
    Ask,
}
