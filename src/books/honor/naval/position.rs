//! A position as a document: what turn files show, what `whatif` and the rule cases start from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::orders::{Broadside, Marker, ShipId};
use super::rulings::Rulings;
use super::scenario::{Edge, Sea, ShipType, Victory, Worth};
use super::state::{BoardingUsed, Fate, Fleet, Ship, State};
use super::turn::{Naval, Stage};
use crate::hex::{Board, Dir};
use crate::play::Checkpoint;
use crate::side::{Side, Sides};

/// A position of a naval battle. Nearly everything has a default, so that one written by hand stays short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The phase that comes next.
    pub stage: Stage,
    /// The turn; before `weather` the turn that is over (0 at the start).
    #[serde(default)]
    pub turn: u32,
    /// Last turn.
    #[serde(default = "many")]
    pub turns: u32,
    /// The wind.
    #[serde(default = "north")]
    pub wind: Dir,
    /// Commander's advantage.
    #[serde(default = "british")]
    pub advantage: Side,
    /// Rulings that differ from the book preset.
    #[serde(default)]
    pub rulings: Rulings,
    /// Size of the sea.
    #[serde(default)]
    pub sea: Sea,
    /// A fixed edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
    /// Who wins when.
    #[serde(default = "never")]
    pub victory: Victory,
    /// Who has the gauge (from `plot` on).
    #[serde(default)]
    pub gauge: Sides<bool>,
    /// Who has the choice of order (from `plot` on); commander's advantage if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chooser: Option<Side>,
    /// The step just played.
    #[serde(default)]
    pub step: u8,
    /// Boarding actions of this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boardings: Vec<PositionBoarding>,
    /// The British.
    pub british: PositionFleet,
    /// The Americans.
    pub american: PositionFleet,
}

/// A boarding action that was used up this turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionBoarding {
    /// Where.
    pub hex: String,
    /// Who.
    pub ships: Sides<ShipId>,
}

/// One side of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionFleet {
    /// Base plotted moves.
    #[serde(default = "three")]
    pub plots: u8,
    /// Whether the side began with several ships; if absent, whether it has several now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squadron: Option<bool>,
    /// The command ship; the first ship of a squadron if absent and none was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<ShipId>,
    /// Whether the command ship was lost this turn.
    #[serde(default)]
    pub command_lost: bool,
    /// Whether one marker is lost next turn.
    #[serde(default)]
    pub transfer: bool,
    /// Earlier command ships lost at half damage.
    #[serde(default)]
    pub old_half: u8,
    /// Markers to plot this turn (from `plot` on).
    #[serde(default)]
    pub markers: u8,
    /// REACT steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub react: Vec<u8>,
    /// The step from which the plot counts as STOP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_from: Option<u8>,
    /// Markers played this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<Marker>,
    /// Victory points.
    #[serde(default)]
    pub points: u32,
    /// The ships.
    pub ships: Vec<PositionShip>,
}

/// One ship of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionShip {
    /// Its name in orders.
    pub id: ShipId,
    /// Its name for people; the id if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Counter type.
    #[serde(rename = "type", default = "frigate")]
    pub kind: ShipType,
    /// Hex label.
    pub at: String,
    /// Heading.
    pub heading: Dir,
    /// Damage rating now.
    #[serde(default = "six")]
    pub damage: u8,
    /// Starting damage rating; as now if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u8>,
    /// Dice a broadside.
    #[serde(default = "three")]
    pub guns: u8,
    /// Marine MP.
    #[serde(default)]
    pub marines: u8,
    /// Hexes a straight marker.
    #[serde(default = "one")]
    pub speed: u8,
    /// Gun range.
    #[serde(default = "two")]
    pub range: u8,
    /// Broadsides fired this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fired: Vec<Broadside>,
    /// Whether it carried out a marker this turn.
    #[serde(default)]
    pub moved: bool,
    /// Victory points.
    #[serde(default = "worth")]
    pub worth: Worth,
    /// What became of it.
    #[serde(default = "afloat")]
    pub fate: String,
}

fn many() -> u32 {
    99
}
fn north() -> Dir {
    Dir::ALL[0]
}
fn british() -> Side {
    Side::British
}
fn never() -> Victory {
    Victory { target: Sides { british: 99, american: 99 }, at_end: Sides { british: 0, american: 0 } }
}
fn one() -> u8 {
    1
}
fn two() -> u8 {
    2
}
fn three() -> u8 {
    3
}
fn six() -> u8 {
    6
}
fn frigate() -> ShipType {
    ShipType::Frigate
}
fn worth() -> Worth {
    Worth { sunk: 0, captured: 0, escaped: 0 }
}
fn afloat() -> String {
    "afloat".into()
}

const FATES: [(Fate, &str); 5] = [
    (Fate::Afloat, "afloat"),
    (Fate::Sunk, "sunk"),
    (Fate::Captured, "captured"),
    (Fate::Escaped, "escaped"),
    (Fate::Lost, "lost"),
];

impl Position {
    /// The document of a stage and a position.
    #[must_use]
    pub fn of(stage: &Stage, state: &State) -> Position {
        let size = |n: i32| u8::try_from(n).unwrap_or(u8::MAX);
        let boarding = |b: &BoardingUsed| PositionBoarding { hex: state.label(b.hex), ships: b.ships.clone() };
        Position {
            stage: stage.clone(),
            turn: state.turn,
            turns: state.turns,
            wind: state.wind,
            advantage: state.advantage,
            rulings: state.rulings,
            sea: Sea { columns: size(state.board.columns), rows: size(state.board.rows) },
            edge: state.edge,
            victory: state.victory,
            gauge: state.gauge,
            chooser: Some(state.chooser),
            step: state.step,
            boardings: state.boardings.iter().map(boarding).collect(),
            british: fleet_of(state, Side::British),
            american: fleet_of(state, Side::American),
        }
    }

    /// The checkpoint the document describes.
    ///
    /// # Errors
    /// Everything absurd about it, each naming ship or key.
    pub fn into_checkpoint(self) -> Result<Checkpoint<Naval>, Vec<String>> {
        let board = Board { columns: i32::from(self.sea.columns), rows: i32::from(self.sea.rows) };
        let mut faults = Vec::new();
        for (side, fleet) in [(Side::British, &self.british), (Side::American, &self.american)] {
            if fleet.plots > 20 || fleet.markers > 20 {
                faults.push(format!("{side}: plots and markers are 20 at most"));
            }
        }
        let mut ships = Vec::new();
        for (side, fleet) in [(Side::British, &self.british), (Side::American, &self.american)] {
            if fleet.ships.is_empty() {
                faults.push(format!("{side}: a side needs a ship"));
            }
            for ship in &fleet.ships {
                match read_ship(ship, side, board, &self.rulings) {
                    Ok(ship) => ships.push(ship),
                    Err(fault) => faults.push(format!("{}: {fault}", ship.id)),
                }
            }
            if let Some(id) = fleet.command.as_ref().filter(|id| !fleet.ships.iter().any(|s| s.id == **id)) {
                faults.push(format!("{side}: command `{id}` is none of its ships"));
            }
        }
        for (n, ship) in ships.iter().enumerate() {
            if ships[..n].iter().any(|s: &Ship| s.id == ship.id) {
                faults.push(format!("{}: two ships have this id (NAV-2.2)", ship.id));
            }
            if ships.iter().filter(|s| s.afloat() && s.hex == ship.hex).count() > 2 {
                faults.push(format!("{}: more than two ships in {} (NAV-3.4.p3)", ship.id, board.label(ship.hex)));
            }
        }
        let mut boardings = Vec::new();
        for used in &self.boardings {
            match board.read(&used.hex) {
                Ok(hex) => boardings.push(BoardingUsed { hex, ships: used.ships.clone() }),
                Err(fault) => faults.push(format!("boardings: {fault}")),
            }
        }
        if !(1..=60).contains(&self.sea.columns) || !(1..=26).contains(&self.sea.rows) {
            faults.push("sea: 1 to 60 columns, 1 to 26 rows".into());
        }
        if let Stage::Marker { step } = self.stage
            && (step == 0 || step > self.british.markers.max(self.american.markers))
        {
            faults.push(format!("stage: there is no step {step} this turn (see `markers`)"));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let fleets = Sides { british: read_fleet(&self.british), american: read_fleet(&self.american) };
        let state = State {
            board,
            edge: self.edge,
            turns: self.turns,
            victory: self.victory,
            advantage: self.advantage,
            rulings: self.rulings,
            multiple: fleets.british.squadron || fleets.american.squadron,
            turn: self.turn,
            wind: self.wind,
            gauge: self.gauge,
            chooser: self.chooser.unwrap_or(self.advantage),
            step: self.step,
            fleets,
            ships,
            boardings,
        };
        Ok(Checkpoint::start(self.stage, state))
    }
}

fn read_ship(ship: &PositionShip, side: Side, board: Board, rulings: &Rulings) -> Result<Ship, String> {
    let hex = board.read(&ship.at).map_err(|f| f.to_string())?;
    let fate = FATES.iter().find(|(_, word)| *word == ship.fate).map(|(fate, _)| *fate);
    let fate = fate.ok_or_else(|| format!("`{}` is no fate: afloat, sunk, captured, escaped or lost", ship.fate))?;
    let start = ship.of.unwrap_or(ship.damage);
    if ship.damage > start || start > 12 || ship.guns > 8 || ship.marines > 8 || ship.guns == 0 {
        return Err("damage is at most `of`, `of` at most 12, guns 1 to 8, marines at most 8".into());
    }
    if (ship.damage == 0) != (fate == Fate::Sunk) {
        return Err("a ship is sunk exactly when its damage rating is 0 (NAV-6.7)".into());
    }
    let mut read = Ship {
        id: ship.id.clone(),
        name: ship.name.clone().unwrap_or_else(|| ship.id.0.clone()),
        side,
        kind: ship.kind,
        hex,
        heading: ship.heading,
        start,
        damage: ship.damage,
        half: false,
        guns: ship.guns,
        marines: ship.marines,
        speed: ship.speed.clamp(1, 3),
        range: ship.range.clamp(1, 2),
        fired: ship.fired.clone(),
        moved: ship.moved,
        worth: ship.worth,
        fate,
    };
    read.half = read.at_half(read.damage, rulings);
    Ok(read)
}

fn read_fleet(of: &PositionFleet) -> Fleet {
    let squadron = of.squadron.unwrap_or(of.ships.len() > 1);
    let first = of.ships.iter().find(|s| s.fate == "afloat").map(|s| s.id.clone());
    Fleet {
        plots: of.plots,
        squadron,
        command: of.command.clone().or(first.filter(|_| squadron && !of.command_lost)),
        command_lost: of.command_lost,
        transfer: of.transfer,
        old_half: of.old_half,
        markers: of.markers,
        react: of.react.clone(),
        stopped_from: of.stopped_from,
        played: of.played.clone(),
        designated: None,
        points: of.points,
    }
}

fn fleet_of(state: &State, side: Side) -> PositionFleet {
    let fleet = state.fleets.get(side);
    let ship = |s: &Ship| PositionShip {
        id: s.id.clone(),
        name: Some(s.name.clone()),
        kind: s.kind,
        at: state.label(s.hex),
        heading: s.heading,
        damage: s.damage,
        of: Some(s.start),
        guns: s.guns,
        marines: s.marines,
        speed: s.speed,
        range: s.range,
        fired: s.fired.clone(),
        moved: s.moved,
        worth: s.worth,
        fate: FATES.iter().find(|(fate, _)| *fate == s.fate).map_or("afloat", |(_, word)| word).into(),
    };
    PositionFleet {
        plots: fleet.plots,
        squadron: Some(fleet.squadron),
        command: fleet.command.clone(),
        command_lost: fleet.command_lost,
        transfer: fleet.transfer,
        old_half: fleet.old_half,
        markers: fleet.markers,
        react: fleet.react.clone(),
        stopped_from: fleet.stopped_from,
        played: fleet.played.clone(),
        points: fleet.points,
        ships: state.ships.iter().filter(|s| s.side == side).map(ship).collect(),
    }
}
