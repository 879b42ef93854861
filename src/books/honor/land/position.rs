//! A position as a document: what turn files show, what `whatif` and the rule cases start from.

use std::collections::BTreeSet;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::boats::afloat_faults;
use super::campaign::Campaign;
use super::ground::{Ground, HomeEdge, MapDoc};
use super::options::Options;
use super::orders::{Order, Outcome, Standing};
use super::pieces::{Formation, Id, UnitType};
use super::rulings::Rulings;
use super::scenario::{Enters, Taking, TimeLimit, Victory};
use super::start::stack_faults;
use super::state::{Army, Deed, Entry, Fate, Leader, Objective, State, Unit};
use super::terrain::Terrain;
use super::turn::{Land, LandStage};
use crate::hex::Hex;
use crate::play::Checkpoint;
use crate::side::{Side, Sides};

/// A position of a land battle. Nearly everything has a default, so that one written by hand stays short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LandPosition {
    /// The phase that comes next.
    pub stage: LandStage,
    /// The turn; before `turn-start` the turn that is over (0 at the start).
    #[serde(default = "first_turn")]
    pub turn: u32,
    /// Last turn.
    #[serde(default = "many")]
    pub turns: u32,
    /// Player A.
    #[serde(default = "british")]
    pub first: Side,
    /// Action points left (from `orders` on).
    #[serde(default)]
    pub ap: u8,
    /// Activations carried out in this half-turn.
    #[serde(default)]
    pub acts: u32,
    /// What came of the activation before.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub last: BTreeSet<Outcome>,
    /// The hex it attacked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Orders left after a pause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<Order>,
    /// Rulings that differ from the book preset.
    #[serde(default)]
    pub rulings: Rulings,
    /// Optional rules in use.
    #[serde(default)]
    pub options: Options,
    /// The ground.
    #[serde(default)]
    pub map: MapDoc,
    /// Who wins when.
    #[serde(default = "never")]
    pub victory: Victory,
    /// The campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<Campaign>,
    /// The British.
    pub british: PositionArmy,
    /// The Americans.
    pub american: PositionArmy,
}

/// One side of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionArmy {
    /// Command action points, 11.13 and 11.14 reckoned in.
    #[serde(default = "three")]
    pub command: u8,
    /// Leaders lost.
    #[serde(default)]
    pub leaders_lost: u8,
    /// Its edge of the board; north for the British and south for the Americans if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<HomeEdge>,
    /// Victory points.
    #[serde(default)]
    pub points: u32,
    /// Standing orders in force.
    #[serde(default)]
    pub standing: Standing,
    /// Combat units.
    #[serde(default)]
    pub units: Vec<PositionUnit>,
    /// Leaders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaders: Vec<PositionLeader>,
    /// Victory point units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objectives: Vec<PositionObjective>,
}

/// One combat unit of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionUnit {
    /// Its name in orders.
    pub id: Id,
    /// Its name for people; the id if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its type.
    #[serde(rename = "type", default = "regular")]
    pub kind: UnitType,
    /// Hex; absent if it is still to come or eliminated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// MP now; the most its type has if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mp: Option<u8>,
    /// MP at the start; as now if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u8>,
    /// Line or column.
    #[serde(default)]
    pub formation: Formation,
    /// Hexes the landing boat it is in goes for a point; 0 if it is in none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub boat: u8,
    /// When and where it comes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enters: Option<Enters>,
    /// Hex where it began its side's half-turn; as `at` if absent, `off` if it was not on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<String>,
    /// What it did in it.
    #[serde(default = "nothing")]
    pub deed: Deed,
    /// Whether it was fired on (11.2).
    #[serde(default)]
    pub fired_on: bool,
    /// Victory points for the enemy.
    #[serde(default = "one")]
    pub worth: u32,
    /// Fit or eliminated.
    #[serde(default = "fit")]
    pub fate: Fate,
}

/// One leader of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionLeader {
    /// His name in orders.
    pub id: Id,
    /// His name for people; the id if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// When and where he comes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enters: Option<Enters>,
    /// Hex where he began his side's half-turn; as `at` if absent, `off` if he was not on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<String>,
    /// Whether he moved in it.
    #[serde(default)]
    pub moved: bool,
    /// The unit he moved with in it, with which he stays (6.2.6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escorts: Option<Id>,
    /// Whether he rallied a unit in it.
    #[serde(default)]
    pub rallied: bool,
    /// Whether he added a die in it (11.8).
    #[serde(default)]
    pub supported: bool,
    /// Victory points for the enemy.
    #[serde(default = "one")]
    pub worth: u32,
    /// Fit or eliminated.
    #[serde(default = "fit")]
    pub fate: Fate,
}

/// One victory point unit of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionObjective {
    /// Its name.
    pub id: Id,
    /// Its name for people; the id if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Hex; absent once taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Victory points.
    #[serde(default = "one")]
    pub worth: u32,
    /// How it is taken (L21).
    #[serde(default)]
    pub taking: Taking,
    /// Who took it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Side>,
}

fn first_turn() -> u32 {
    1
}
fn many() -> u32 {
    99
}
fn british() -> Side {
    Side::British
}
fn never() -> Victory {
    Victory { target: Sides { british: 99, american: 99 }, time: TimeLimit::Draw }
}
fn one() -> u32 {
    1
}
fn three() -> u8 {
    3
}
fn regular() -> UnitType {
    UnitType::Regular
}
fn nothing() -> Deed {
    Deed::Nothing
}
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(n: &u8) -> bool {
    *n == 0
}
fn fit() -> Fate {
    Fate::Fit
}

/// The word for a piece that began the half-turn off the board.
const OFF: &str = "off";

impl LandPosition {
    /// The document of a stage, a position and the standing orders in force.
    #[must_use]
    pub fn of(stage: &LandStage, state: &State, standing: &Sides<Standing>) -> LandPosition {
        let army = |side: Side| army_of(state, side, standing.get(side));
        LandPosition {
            stage: stage.clone(),
            turn: state.turn,
            turns: state.turns,
            first: state.first,
            ap: state.ap,
            acts: state.acts,
            last: state.last.clone(),
            target: state.target.map(|hex| state.label(hex)),
            rest: state.rest.clone(),
            rulings: state.rulings,
            options: state.options,
            map: state.ground.doc(),
            victory: state.victory,
            campaign: state.campaign.clone(),
            british: army(Side::British),
            american: army(Side::American),
        }
    }

    /// The checkpoint the document describes.
    ///
    /// # Errors
    /// Everything absurd about it, each naming piece or key.
    pub fn into_checkpoint(self) -> Result<Checkpoint<Land>, Vec<String>> {
        let ground = Ground::lay(&self.map)?;
        let mut read = Reading { ground: &ground, faults: Vec::new(), ids: BTreeSet::new() };
        let (mut units, mut leaders, mut objectives) = (Vec::new(), Vec::new(), Vec::new());
        for (side, army) in [(Side::British, &self.british), (Side::American, &self.american)] {
            units.extend(army.units.iter().map(|u| read.unit(side, u)));
            leaders.extend(army.leaders.iter().map(|l| read.leader(side, l)));
            objectives.extend(army.objectives.iter().map(|o| read.objective(side, o)));
            if army.command > 20 {
                read.faults.push(format!("{side}: command action points are 20 at most"));
            }
        }
        let target = self.target.as_ref().and_then(|label| read.hex("target", label));
        read.faults.extend(stack_faults(&ground, &units, &leaders, &objectives));
        read.faults.extend(afloat_faults(&ground, &units));
        for leader in &leaders {
            let own = |id: &Id| units.iter().any(|u| u.side == leader.side && u.id == *id);
            if leader.escorts.as_ref().is_some_and(|id| !own(id)) {
                read.faults.push(format!("{}: `escorts` names no unit of his side (FHG-6.2.6)", leader.id));
            }
        }
        if self.ap > 40 || self.turn > 999 {
            read.faults.push("ap is 40 at most, turn 999".into());
        }
        let faults = read.faults;
        if !faults.is_empty() {
            return Err(faults);
        }
        let active = match self.stage {
            LandStage::ActionPoints { side } | LandStage::Orders { side, .. } => side,
            LandStage::TurnStart {} => self.first,
            LandStage::TurnEnd {} => self.first.other(),
        };
        let standing = Sides { british: self.british.standing.clone(), american: self.american.standing.clone() };
        let state = State {
            ground: Rc::new(ground),
            rulings: self.rulings,
            options: self.options,
            first: self.first,
            turns: self.turns,
            victory: self.victory,
            campaign: self.campaign,
            turn: self.turn,
            active,
            ap: self.ap,
            acts: self.acts,
            last: self.last,
            target,
            rest: self.rest,
            armies: Sides {
                british: army(&self.british, HomeEdge::North),
                american: army(&self.american, HomeEdge::South),
            },
            units,
            leaders,
            objectives,
        };
        Ok(Checkpoint { standing, ..Checkpoint::start(self.stage, state) })
    }
}

fn army(of: &PositionArmy, home: HomeEdge) -> Army {
    Army { command: of.command, leaders_lost: of.leaders_lost, home: of.home.unwrap_or(home), points: of.points }
}

/// The reading of a position, collecting every fault.
struct Reading<'a> {
    ground: &'a Ground,
    faults: Vec<String>,
    ids: BTreeSet<Id>,
}

impl Reading<'_> {
    fn hex(&mut self, who: &str, label: &str) -> Option<Hex> {
        match self.ground.hex(label) {
            Ok(hex) if self.ground.terrain(hex) == Terrain::Swamp => {
                self.faults.push(format!("{who}: {label} is swamp, which nobody enters (FHG-2.3.2.a)"));
                None
            }
            Ok(hex) => Some(hex),
            Err(fault) => {
                self.faults.push(format!("{who}: {fault}"));
                None
            }
        }
    }

    fn id(&mut self, id: &Id) {
        if !self.ids.insert(id.clone()) {
            self.faults.push(format!("{id}: two pieces have this id"));
        }
    }

    fn at(&mut self, id: &Id, at: Option<&String>) -> Option<Hex> {
        at.and_then(|label| self.hex(&id.0, label))
    }

    fn began(&mut self, id: &Id, began: Option<&String>, hex: Option<Hex>) -> Option<Hex> {
        match began {
            None => hex,
            Some(word) if word == OFF => None,
            Some(label) => self.hex(&id.0, label),
        }
    }

    fn entry(&mut self, id: &Id, enters: Option<&Enters>) -> Option<Entry> {
        let enters = enters?;
        let hexes = enters.by.iter().filter_map(|label| self.hex(&id.0, label)).collect();
        Some(Entry { turn: enters.turn, hexes })
    }

    fn unit(&mut self, side: Side, unit: &PositionUnit) -> Unit {
        self.id(&unit.id);
        let hex = self.at(&unit.id, unit.at.as_ref());
        let most = unit.kind.size().1;
        let lost = unit.fate == Fate::Eliminated;
        let mp = unit.mp.unwrap_or(if lost { 0 } else { most });
        let start = unit.of.unwrap_or(if lost { most } else { mp });
        if start > most || mp > start || (mp == 0) != lost {
            let why =
                format!("{} have at most {most} MP, `mp` at most `of`, and 0 only when eliminated", unit.kind.word());
            self.faults.push(format!("{}: {why} (FHG-3.3)", unit.id));
        }
        if unit.formation == Formation::Column && !unit.kind.forms_column() {
            self.faults.push(format!("{}: {} do not form column (FHG-7.5)", unit.id, unit.kind.word()));
        }
        if lost && unit.at.is_some() || !lost && unit.at.is_none() && unit.enters.is_none() {
            self.faults.push(format!("{}: either `at`, or `enters`, or `fate: eliminated`", unit.id));
        }
        Unit {
            id: unit.id.clone(),
            name: unit.name.clone().unwrap_or_else(|| unit.id.0.clone()),
            side,
            kind: unit.kind,
            hex,
            mp,
            start,
            formation: unit.formation,
            boat: unit.boat,
            fate: unit.fate,
            worth: unit.worth,
            entry: self.entry(&unit.id, unit.enters.as_ref()),
            began: self.began(&unit.id, unit.began.as_ref(), hex),
            deed: unit.deed,
            fired_on: unit.fired_on,
        }
    }

    fn leader(&mut self, side: Side, leader: &PositionLeader) -> Leader {
        self.id(&leader.id);
        let hex = self.at(&leader.id, leader.at.as_ref());
        let lost = leader.fate == Fate::Eliminated;
        if lost && leader.at.is_some() || !lost && leader.at.is_none() && leader.enters.is_none() {
            self.faults.push(format!("{}: either `at`, or `enters`, or `fate: eliminated`", leader.id));
        }
        Leader {
            id: leader.id.clone(),
            name: leader.name.clone().unwrap_or_else(|| leader.id.0.clone()),
            side,
            hex,
            fate: leader.fate,
            worth: leader.worth,
            entry: self.entry(&leader.id, leader.enters.as_ref()),
            began: self.began(&leader.id, leader.began.as_ref(), hex),
            moved: leader.moved,
            escorts: leader.escorts.clone(),
            rallied: leader.rallied,
            supported: leader.supported,
        }
    }

    fn objective(&mut self, side: Side, o: &PositionObjective) -> Objective {
        self.id(&o.id);
        Objective {
            id: o.id.clone(),
            name: o.name.clone().unwrap_or_else(|| o.id.0.clone()),
            side,
            hex: self.at(&o.id, o.at.as_ref()),
            worth: o.worth,
            taking: o.taking,
            taken: o.taken,
        }
    }
}

fn army_of(state: &State, side: Side, standing: &Standing) -> PositionArmy {
    let army = state.armies.get(side);
    let label = |hex: Option<Hex>| hex.map(|hex| state.label(hex));
    let began = |began: Option<Hex>, hex: Option<Hex>| {
        if began == hex { None } else { Some(label(began).unwrap_or_else(|| OFF.into())) }
    };
    let enters = |entry: &Option<Entry>, hex: Option<Hex>, fate: Fate| {
        let entry = entry.as_ref().filter(|_| hex.is_none() && fate == Fate::Fit)?;
        Some(Enters { turn: entry.turn, by: entry.hexes.iter().map(|hex| state.label(*hex)).collect() })
    };
    let unit = |u: &Unit| PositionUnit {
        id: u.id.clone(),
        name: Some(u.name.clone()),
        kind: u.kind,
        at: label(u.hex),
        mp: Some(u.mp),
        of: Some(u.start),
        formation: u.formation,
        boat: u.boat,
        enters: enters(&u.entry, u.hex, u.fate),
        began: began(u.began, u.hex),
        deed: u.deed,
        fired_on: u.fired_on,
        worth: u.worth,
        fate: u.fate,
    };
    let leader = |l: &Leader| PositionLeader {
        id: l.id.clone(),
        name: Some(l.name.clone()),
        at: label(l.hex),
        enters: enters(&l.entry, l.hex, l.fate),
        began: began(l.began, l.hex),
        moved: l.moved,
        escorts: l.escorts.clone(),
        rallied: l.rallied,
        supported: l.supported,
        worth: l.worth,
        fate: l.fate,
    };
    let objective = |o: &Objective| PositionObjective {
        id: o.id.clone(),
        name: Some(o.name.clone()),
        at: label(o.hex),
        worth: o.worth,
        taking: o.taking,
        taken: o.taken,
    };
    PositionArmy {
        command: army.command,
        leaders_lost: army.leaders_lost,
        home: Some(army.home),
        points: army.points,
        standing: standing.clone(),
        units: state.units.iter().filter(|u| u.side == side).map(unit).collect(),
        leaders: state.leaders.iter().filter(|l| l.side == side).map(leader).collect(),
        objectives: state.objectives.iter().filter(|o| o.side == side).map(objective).collect(),
    }
}
