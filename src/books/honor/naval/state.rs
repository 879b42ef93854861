//! The position of a naval battle.

use serde::Serialize;

use super::orders::{Broadside, Marker, ShipId};
use super::rulings::{HalfDamage, Rulings};
use super::scenario::{Edge, ShipType, Victory, Worth};
use crate::hex::{Board, Dir, Hex};
use crate::side::{Side, Sides};

/// Everything public about a battle. Changed by events alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    /// The sea.
    pub board: Board,
    /// Whether its edge is fixed (NAV-1.1).
    pub edge: Option<Edge>,
    /// Last turn.
    pub turns: u32,
    /// Who wins when.
    pub victory: Victory,
    /// Commander's advantage (NAV-7.1).
    pub advantage: Side,
    /// Settings of the rulings.
    pub rulings: Rulings,
    /// Whether this is a multiple ship action: some side began with several ships (NAV-9).
    pub multiple: bool,
    /// The turn, from 1; 0 before the first.
    pub turn: u32,
    /// The wind (NAV-3.1, N01).
    pub wind: Dir,
    /// Who has the gauge this turn.
    pub gauge: Sides<bool>,
    /// Who has the choice of order this turn.
    pub chooser: Side,
    /// The step being played, from 1; 0 before the first marker.
    pub step: u8,
    /// Both sides.
    pub fleets: Sides<Fleet>,
    /// All ships of the scenario, British first, in scenario order; lost ones stay in the list.
    pub ships: Vec<Ship>,
    /// Boarding actions of this turn (NAV-8.7).
    pub boardings: Vec<BoardingUsed>,
}

/// What belongs to a side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fleet {
    /// Base plotted moves.
    pub plots: u8,
    /// Whether the side began with several ships.
    pub squadron: bool,
    /// The command ship of a squadron (NAV-9.2).
    pub command: Option<ShipId>,
    /// Whether the command ship was lost this turn: single-ship moves only (NAV-9.5).
    pub command_lost: bool,
    /// Whether one marker is lost next turn for that (NAV-9.5.p1).
    pub transfer: bool,
    /// Earlier command ships lost at half damage (NAV-9.5.p2).
    pub old_half: u8,
    /// Markers to plot this turn (NAV-5.6).
    pub markers: u8,
    /// Steps at which the player asked to be asked again.
    pub react: Vec<u8>,
    /// The step from which his plot counts as STOP (N41).
    pub stopped_from: Option<u8>,
    /// Markers played this turn, as they were opened.
    pub played: Vec<Marker>,
    /// Ships designated in this step, and whether the command ship led them.
    pub designated: Option<(bool, Vec<ShipId>)>,
    /// Victory points.
    pub points: u32,
}

/// What became of a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// On the board.
    Afloat,
    /// NAV-6.7
    Sunk,
    /// NAV-8.6.2
    Captured,
    /// Safe over a fixed edge.
    Escaped,
    /// Lost over a fixed edge.
    Lost,
}

/// A ship.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ship {
    /// Its name in orders.
    pub id: ShipId,
    /// Its name for people.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Counter type.
    pub kind: ShipType,
    /// Where.
    pub hex: Hex,
    /// Bow.
    pub heading: Dir,
    /// Starting damage rating.
    pub start: u8,
    /// Damage rating now.
    pub damage: u8,
    /// Half-damage state, kept apart from the counter face: a gunboat has no back with an X (NAV-2.3.d).
    pub half: bool,
    /// Dice a broadside.
    pub guns: u8,
    /// Marine MP.
    pub marines: u8,
    /// Hexes a straight marker.
    pub speed: u8,
    /// Gun range.
    pub range: u8,
    /// Broadsides fired this turn (NAV-6.1).
    pub fired: Vec<Broadside>,
    /// Whether it carried out a marker this turn, STOP included.
    pub moved: bool,
    /// Victory points.
    pub worth: Worth,
    /// What became of it.
    pub fate: Fate,
}

/// A boarding action that was used up this turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardingUsed {
    /// Where.
    pub hex: Hex,
    /// Who.
    pub ships: Sides<ShipId>,
}

impl Ship {
    /// Whether it is on the board.
    #[must_use]
    pub fn afloat(&self) -> bool {
        self.fate == Fate::Afloat
    }

    /// Whether a rating is at half or below as ruling N04 is set (NAV-6.6, NAV-CHART-DAMAGE.b).
    #[must_use]
    pub fn at_half(&self, rating: u8, rulings: &Rulings) -> bool {
        match rulings.half {
            HalfDamage::HalfOrLess => u16::from(rating) * 2 <= u16::from(self.start),
            HalfDamage::BelowHalf => u16::from(rating) * 2 < u16::from(self.start),
        }
    }

    /// Dice a broadside rolls now: one fewer at half damage, at least one (NAV-6.2, NAV-6.6).
    #[must_use]
    pub fn dice(&self) -> u8 {
        self.guns.saturating_sub(u8::from(self.half)).max(1)
    }
}

impl State {
    /// A ship by name, whatever became of it.
    #[must_use]
    pub fn ship(&self, id: &ShipId) -> Option<&Ship> {
        self.ships.iter().find(|s| s.id == *id)
    }

    /// The ships of a side that are on the board, in scenario order.
    pub fn afloat(&self, side: Side) -> impl Iterator<Item = &Ship> {
        self.ships.iter().filter(move |s| s.side == side && s.afloat())
    }

    /// The ships on the board in a hex.
    pub fn in_hex(&self, hex: Hex) -> impl Iterator<Item = &Ship> {
        self.ships.iter().filter(move |s| s.afloat() && s.hex == hex)
    }

    /// The ship whose wind and damage count for a side: the command ship of a squadron, else the only ship (NAV-9.4).
    #[must_use]
    pub fn flagship(&self, side: Side) -> Option<&Ship> {
        let fleet = self.fleets.get(side);
        match &fleet.command {
            Some(id) if fleet.squadron => self.ship(id).filter(|s| s.afloat()),
            _ => self.afloat(side).next(),
        }
    }

    /// Steps of this turn: the longer allotment (NAV-5.8.1).
    #[must_use]
    pub fn steps(&self) -> u8 {
        self.fleets.british.markers.max(self.fleets.american.markers)
    }

    /// The label of a hex.
    #[must_use]
    pub fn label(&self, hex: Hex) -> String {
        self.board.label(hex)
    }

    pub(super) fn ship_mut(&mut self, id: &ShipId) -> Option<&mut Ship> {
        self.ships.iter_mut().find(|s| s.id == *id)
    }
}
