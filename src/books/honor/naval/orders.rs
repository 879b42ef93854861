//! What a captain or commodore may say: the plot, and how his ships fire, board and follow while it is carried out.
//!
//! These types go on the wire. Every part of a plot is sealed on its own, so that only what has been played is ever
//! opened (`marker/1`, `order/1`, `lead/1`, `fire/1`, `board/1`, ...).

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cite::Cite;
use crate::play::Refusal;

/// Name of a ship in its scenario: lower-case letters, digits and hyphens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ShipId(pub String);

impl fmt::Display for ShipId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for ShipId {
    fn from(s: &str) -> ShipId {
        ShipId(s.to_owned())
    }
}

/// A plotted move marker (NAV-5.1): three of each a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Marker {
    /// One hex ahead (NAV-5.2).
    Straight,
    /// Bow one hexside to starboard (NAV-5.3).
    Right,
    /// Bow one hexside to port (NAV-5.4).
    Left,
    /// Stay (NAV-5.5).
    Stop,
}

impl Marker {
    /// All four types.
    pub const ALL: [Marker; 4] = [Marker::Straight, Marker::Right, Marker::Left, Marker::Stop];

    /// Whether this is one of the two turn markers (NAV-5.10).
    #[must_use]
    pub fn turns(self) -> bool {
        matches!(self, Marker::Right | Marker::Left)
    }
}

/// A side of a ship (NAV-6.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Broadside {
    /// Right-hand side.
    Starboard,
    /// Left-hand side.
    Port,
}

/// When a broadside is to fire, among the targets it can legally fire at (NAV-5.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Not after this marker.
    #[default]
    Hold,
    /// Only when crossing the T.
    Crossing,
    /// Only at one hex.
    Close,
    /// When crossing the T, or at one hex.
    CrossingOrClose,
    /// At any target in range.
    Any,
}

/// Fire policy of one ship after one marker.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Guns {
    /// Right-hand broadside.
    pub starboard: When,
    /// Left-hand broadside.
    pub port: When,
    /// Whom to fire at first, if several can be hit; after these crossing, then the nearest, then the weakest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<ShipId>,
}

/// Fire policy of a side after one marker.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Fire {
    /// Every ship not named below.
    pub all: Guns,
    /// Ships with orders of their own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ships: BTreeMap<ShipId, Guns>,
}

/// Whether a ship wishes to board (NAV-8.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    /// No.
    #[default]
    Never,
    /// Yes, whenever the rules allow it.
    Always,
    /// Yes if the own damage rating less the enemy's is at least `lead` (may be negative) and the own marines
    /// are at least `marines`.
    #[serde(rename = "if")]
    If {
        /// Damage points the own ship must be ahead.
        lead: i8,
        /// Marine MP the own ship must have.
        marines: u8,
    },
}

/// Boarding policy of one ship after one marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Boarding {
    /// Whether to board.
    pub wish: Wish,
    /// Boarders go back to their ship when their marine MP are at or below this after an exchange; 0 = never (NAV-8.6.p2).
    pub retreat_at: u8,
}

impl Boarding {
    /// Largest marine MP of a ship (ratings of the scenarios, N32).
    pub const MARINES: u8 = 8;
    /// Largest lead in damage points: 12 against the last one (ratings of the scenarios, NAV-8.4).
    pub const LEAD: i8 = 11;

    /// What in these orders no ship of any scenario can ever reach, so that it is a slip of the pen. For a player's own
    /// orders before they are sealed: a sealed content that holds such a figure is obeyed as it stands.
    #[must_use]
    pub fn beyond(&self) -> Vec<Refusal> {
        let mut found = Vec::new();
        let marines = |path: &str, cite: &'static str, n: u8| {
            let why = format!("no ship has {n} marines: the most is {}", Boarding::MARINES);
            (n > Boarding::MARINES).then(|| Refusal::new(path, Cite(cite), why).instead("Write a number from 0 to 8."))
        };
        found.extend(marines("retreat_at", "NAV-8.6.p2", self.retreat_at));
        if let Wish::If { lead, marines: least } = self.wish {
            found.extend(marines("wish.if.marines", "NAV-8.1", least));
            if !(-Boarding::LEAD..=Boarding::LEAD).contains(&lead) {
                let why = format!("no ship can be {lead} damage points ahead: ratings are 1 to 12");
                let refusal = Refusal::new("wish.if.lead", Cite("NAV-8.4"), why);
                found.push(refusal.instead("Write a number from -11 to 11."));
            }
        }
        found
    }
}

/// Boarding policy of a side after one marker.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Board {
    /// Every ship not named below.
    pub all: Boarding,
    /// Ships with orders of their own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ships: BTreeMap<ShipId, Boarding>,
}

/// Who goes first, said by the player who has the choice (NAV-3.1.1, NAV-9.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preference {
    /// The player himself.
    Us,
    /// His opponent.
    #[default]
    Enemy,
}

/// Which ships carry a marker out (NAV-9.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Designation {
    /// The command ship and these followers, who move in this order after it (ruling N07).
    Command {
        /// Ships that follow; may be empty.
        #[serde(default)]
        followers: Vec<ShipId>,
    },
    /// The command ship and every ship of the squadron, in scenario order.
    Squadron {},
    /// One ship alone.
    Ship {
        /// Which.
        id: ShipId,
    },
}

/// What the enemy did, as a player who moves second sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EnemyMove {
    /// The enemy command ship moved (alone or with followers).
    Command {},
    /// One enemy ship moved alone.
    Ship {
        /// Which.
        id: ShipId,
    },
}

/// A designation that depends on the enemy's (NAV-9.6), used only when moving second; the first that fits counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reaction {
    /// If the enemy did this,
    #[serde(rename = "if")]
    pub enemy: EnemyMove,
    /// then these ships move.
    pub then: Designation,
}

/// Who goes first at one marker, said by the player who has the choice this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Order {
    /// Who executes the marker first (NAV-9.6).
    pub moves_first: Preference,
    /// Who declares fire first (NAV-3.1.1).
    pub fires_first: Preference,
}

/// Choice of ships at one marker (NAV-9.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Lead {
    /// Which ships carry the marker out.
    pub move_with: Designation,
    /// Other designations when moving second.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reactions: Vec<Reaction>,
    /// Who takes over if the command ship is lost, best first; after these, scenario order (NAV-9.5).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub succession: Vec<ShipId>,
}

impl Default for Lead {
    fn default() -> Lead {
        Lead { move_with: Designation::Squadron {}, reactions: Vec::new(), succession: Vec::new() }
    }
}

/// Everything but the marker, for one marker: also the answer to a REACT.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Conduct {
    /// Who goes first; counts only for the player who has the choice.
    #[serde(skip_serializing_if = "is_default")]
    pub order: Order,
    /// Ships; counts only for a side with several.
    #[serde(skip_serializing_if = "is_default")]
    pub lead: Lead,
    /// Fire.
    #[serde(skip_serializing_if = "is_default")]
    pub fire: Fire,
    /// Boarding and the battle aboard.
    #[serde(skip_serializing_if = "is_default")]
    pub board: Board,
}

/// One step of a turn: the marker (none once the own markers are used up) and the conduct after it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MarkerOrders {
    /// The marker; none in steps that only the enemy moves in (NAV-5.8.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marker: Option<Marker>,
    /// Conduct in this step.
    #[serde(skip_serializing_if = "is_default")]
    pub conduct: Conduct,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A whole turn's plot: one entry for each step of the turn (as many as the longer allotment).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// The steps, in order of play (NAV-5.7).
    pub steps: Vec<MarkerOrders>,
    /// Steps at which the player wants to be asked again (REACT), from 1, ascending. Public.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub react: Vec<u8>,
}

/// One declared broadside (NAV-9.7).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// Who fires.
    pub ship: ShipId,
    /// With which side.
    pub broadside: Broadside,
    /// At whom.
    pub target: ShipId,
}
