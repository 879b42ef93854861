//! Who sits at the table.
//!
//! All five rulebooks set British against American, so one [`Side`] serves them all. A [`Seat`] is a place in the
//! trust protocol: one for each side, and in hosted games one for the host, who never decides.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of the two belligerents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The Crown forces.
    British,
    /// The American forces.
    American,
}

impl Side {
    /// Both sides, in the order every list of the engine uses.
    pub const ALL: [Side; 2] = [Side::British, Side::American];

    /// The enemy.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::British => Side::American,
            Side::American => Side::British,
        }
    }

    /// The lower-case word used in files, slots and tickets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Side::British => "british",
            Side::American => "american",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sides<T> {
    /// The British value.
    pub british: T,
    /// The American value.
    pub american: T,
}

impl<T> Sides<T> {
    /// Builds both values from a function of the side.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> Self {
        Sides { british: f(Side::British), american: f(Side::American) }
    }

    /// The value of one side.
    pub fn get(&self, side: Side) -> &T {
        match side {
            Side::British => &self.british,
            Side::American => &self.american,
        }
    }

    /// The value of one side, to change.
    pub fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::British => &mut self.british,
            Side::American => &mut self.american,
        }
    }

    /// Both values with their sides, British first.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::British, &self.british), (Side::American, &self.american)].into_iter()
    }
}

/// A place in the protocol: a side, or the host of a hosted game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The British player.
    British,
    /// The American player.
    American,
    /// The host: relays, links, closes steps, decides nothing.
    Host,
}

impl Seat {
    /// Every seat there can be; the host is always last (`schemas/protocol.md`, seeds).
    pub const ALL: [Seat; 3] = [Seat::British, Seat::American, Seat::Host];

    /// The side this seat plays, or `None` for the host.
    #[must_use]
    pub fn side(self) -> Option<Side> {
        match self {
            Seat::British => Some(Side::British),
            Seat::American => Some(Side::American),
            Seat::Host => None,
        }
    }

    /// The lower-case word used in files and hashes.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Seat::British => "british",
            Seat::American => "american",
            Seat::Host => "host",
        }
    }
}

impl From<Side> for Seat {
    fn from(side: Side) -> Seat {
        match side {
            Side::British => Seat::British,
            Side::American => Seat::American,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Seat {
    type Err = String;
    fn from_str(s: &str) -> Result<Seat, String> {
        Seat::ALL
            .into_iter()
            .find(|seat| seat.word() == s)
            .ok_or_else(|| format!("`{s}` is no seat; the seats are british, american and host"))
    }
}
