//! From a scenario to the position before turn 1, with every problem of the scenario at once.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::boats::afloat_faults;
use super::campaign::CampaignTerms;
use super::ground::Ground;
use super::options::Options;
use super::pieces::{Formation, Id};
use super::rulings::Rulings;
use super::scenario::{Enters, LandLeader, LandScenario, LandSide, LandUnit};
use super::state::{Army, Deed, Entry, Fate, Leader, Objective, State, Unit};
use super::terrain::Terrain;
use super::turn::{Land, LandStage};
use crate::hex::Hex;
use crate::play::Checkpoint;
use crate::side::{Side, Sides};

/// What two players agree on beside the scenario.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Agreed {
    /// Rulings.
    pub rulings: Rulings,
    /// Optional rules.
    pub options: Options,
    /// The campaign, if any.
    pub campaign: CampaignTerms,
}

impl Agreed {
    /// Sets a ruling (`L04`), an optional rule (`11.3`) or a term of a campaign (`12`).
    ///
    /// # Errors
    /// Which numbers or words there are, if these are none.
    pub fn set(&mut self, number: &str, word: &str) -> Result<(), String> {
        if number.starts_with("11.") {
            self.options.set(number, word)
        } else if number == "12" || number.starts_with("12.") {
            self.campaign.set(number, word)
        } else {
            self.rulings.set(number, word)
        }
    }
}

/// Checks a scenario and sets it up (4.1).
///
/// # Errors
/// Every problem of the scenario or of what is agreed, each naming the piece or key.
pub fn start(scenario: &LandScenario, agreed: &Agreed) -> Result<Checkpoint<Land>, Vec<String>> {
    let mut faults = heading_faults(scenario);
    let ground = match Ground::draw(&scenario.map) {
        Ok(ground) => ground,
        Err(more) => {
            faults.extend(more.into_iter().map(|fault| format!("map: {}", fault.what)));
            return Err(faults);
        }
    };
    let mut set = Setting { ground: &ground, faults, ids: BTreeSet::new() };
    let (mut units, mut leaders, mut objectives) = (Vec::new(), Vec::new(), Vec::new());
    for (side, of) in scenario.sides.iter() {
        set.side(side, of);
        units.extend(of.units.iter().map(|u| set.unit(side, u)));
        leaders.extend(of.leaders.iter().map(|l| set.leader(side, l)));
        for o in &of.objectives {
            let hex = set.place(&o.id, &o.name, Some(&o.at), None);
            let (id, name) = (o.id.clone(), o.name.clone());
            objectives.push(Objective { id, name, side, hex, worth: o.worth, taking: o.taking, taken: None });
        }
    }
    set.stacks(&units, &leaders, &objectives);
    let mut faults = set.faults;
    let campaign = agreed.campaign.of(&scenario.id).unwrap_or_else(|why| {
        faults.push(why);
        None
    });
    if !faults.is_empty() {
        return Err(faults);
    }
    let command = commands(scenario, &agreed.options);
    let army = |side: Side| Army {
        command: *command.get(side),
        leaders_lost: 0,
        home: scenario.sides.get(side).home,
        points: 0,
    };
    let state = State {
        ground: Rc::new(ground),
        rulings: agreed.rulings,
        options: agreed.options,
        first: scenario.first,
        turns: scenario.turns,
        victory: scenario.victory,
        campaign,
        turn: 0,
        active: scenario.first,
        ap: 0,
        acts: 0,
        last: BTreeSet::new(),
        target: None,
        rest: Vec::new(),
        armies: Sides::from_fn(army),
        units,
        leaders,
        objectives,
    };
    Ok(Checkpoint::start(LandStage::TurnStart {}, state))
}

/// 6.1, 11.13, 11.14: command action points in play.
fn commands(scenario: &LandScenario, options: &Options) -> Sides<u8> {
    let printed = Sides::from_fn(|side| scenario.sides.get(side).command);
    let higher = printed.british.max(printed.american);
    Sides::from_fn(|side| {
        let base = if options.equal_command.on() { higher } else { *printed.get(side) };
        base.saturating_add_signed(*options.adjust.get(side))
    })
}

/// Longest id of a scenario. It is the name of a file.
const LONGEST_ID: usize = 60;

/// Longest title, and longest name of a piece, in characters.
const LONGEST_NAME: usize = 200;

/// Small letters, digits and hyphens.
fn plain_id(id: &str, most: usize) -> bool {
    let plain = id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    (1..=most).contains(&id.len()) && plain
}

/// Text for one line of a report: nothing in it acts on a screen.
fn one_line(text: &str) -> bool {
    let acts = |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().count() <= LONGEST_NAME && !text.chars().any(acts)
}

fn heading_faults(scenario: &LandScenario) -> Vec<String> {
    let mut faults = Vec::new();
    if scenario.countersign != 1 {
        faults.push(format!("countersign: this program reads version 1, not {}", scenario.countersign));
    }
    if scenario.kind != "scenario" || scenario.book != "honor-land" {
        faults.push("kind and book: this is no scenario of honor-land".into());
    }
    if !plain_id(&scenario.id, LONGEST_ID) {
        faults.push(format!("id: the name of a scenario is 1 to {LONGEST_ID} small letters, digits and hyphens"));
    }
    for (key, text) in [("title", &scenario.title), ("date", &scenario.date), ("place", &scenario.place)] {
        if !one_line(text) {
            faults.push(format!("{key}: one line of at most {LONGEST_NAME} characters, without control characters"));
        }
    }
    if !matches!(scenario.provenance.as_str(), "rulebook" | "public" | "reconstruction" | "owner") {
        faults.push("provenance: rulebook, public, reconstruction or owner".into());
    }
    if !(1..=99).contains(&scenario.turns) {
        faults.push("turns: 1 to 99".into());
    }
    for (side, target) in scenario.victory.target.iter() {
        if !(1..=999).contains(target) {
            faults.push(format!("victory: the target of the {side} side is 1 to 999"));
        }
    }
    faults
}

/// The checks of a set-up, collecting every fault.
struct Setting<'a> {
    ground: &'a Ground,
    faults: Vec<String>,
    ids: BTreeSet<Id>,
}

impl Setting<'_> {
    fn side(&mut self, side: Side, of: &LandSide) {
        if of.command > 9 {
            self.faults.push(format!("{side}: command action points are 0 to 9"));
        }
        if of.units.is_empty() {
            self.faults.push(format!("{side}: a side needs a combat unit"));
        }
    }

    fn id(&mut self, id: &Id, name: &str) {
        if !plain_id(&id.0, 24) {
            self.faults.push(format!("{id}: an id is 1 to 24 lower-case letters, digits and hyphens"));
        }
        if !self.ids.insert(id.clone()) {
            self.faults.push(format!("{id}: two pieces have this id"));
        }
        if name.trim().is_empty() {
            self.faults.push(format!("{id}: a name is missing"));
        } else if !one_line(name) {
            let why = format!("a name is one line of at most {LONGEST_NAME} characters, without control characters");
            self.faults.push(format!("{id}: {why}"));
        }
    }

    /// The hex a piece starts in; none if it comes later.
    fn place(&mut self, id: &Id, name: &str, at: Option<&String>, enters: Option<&Enters>) -> Option<Hex> {
        self.id(id, name);
        match (at, enters) {
            (Some(label), None) => self.hex(id, label),
            (None, Some(_)) => None,
            _ => {
                self.faults.push(format!("{id}: either `at` or `enters` is needed"));
                None
            }
        }
    }

    fn hex(&mut self, id: &Id, label: &str) -> Option<Hex> {
        match self.ground.hex(label) {
            Ok(hex) if self.ground.terrain(hex) == Terrain::Swamp => {
                self.faults.push(format!("{id}: {label} is swamp, which nobody enters (FHG-2.3.2.a)"));
                None
            }
            Ok(hex) => Some(hex),
            Err(fault) => {
                self.faults.push(format!("{id}: {fault}"));
                None
            }
        }
    }

    fn entry(&mut self, id: &Id, enters: Option<&Enters>) -> Option<Entry> {
        let enters = enters?;
        if !(1..=99).contains(&enters.turn) || enters.by.is_empty() {
            self.faults.push(format!("{id}: enters from turn 1 to 99, by one hex or more"));
        }
        let hexes: Vec<Hex> = enters.by.iter().filter_map(|label| self.hex(id, label)).collect();
        Some(Entry { turn: enters.turn, hexes })
    }

    fn unit(&mut self, side: Side, unit: &LandUnit) -> Unit {
        let hex = self.place(&unit.id, &unit.name, unit.at.as_ref(), unit.enters.as_ref());
        let entry = self.entry(&unit.id, unit.enters.as_ref());
        let (least, most, rule) = unit.kind.size();
        if !(least..=most).contains(&unit.mp) {
            let size = if least == most { format!("{most}") } else { format!("{least} to {most}") };
            self.faults.push(format!("{}: {} have {size} MP, not {} ({rule})", unit.id, unit.kind.word(), unit.mp));
        }
        if unit.formation == Formation::Column && !unit.kind.forms_column() {
            self.faults.push(format!("{}: {} do not form column (FHG-7.5)", unit.id, unit.kind.word()));
        }
        Unit {
            id: unit.id.clone(),
            name: unit.name.clone(),
            side,
            kind: unit.kind,
            hex,
            mp: unit.mp,
            start: unit.mp,
            formation: unit.formation,
            boat: unit.boat,
            fate: Fate::Fit,
            worth: unit.worth,
            entry,
            began: hex,
            deed: Deed::Nothing,
            fired_on: false,
        }
    }

    fn leader(&mut self, side: Side, leader: &LandLeader) -> Leader {
        let hex = self.place(&leader.id, &leader.name, leader.at.as_ref(), leader.enters.as_ref());
        let entry = self.entry(&leader.id, leader.enters.as_ref());
        Leader {
            id: leader.id.clone(),
            name: leader.name.clone(),
            side,
            hex,
            fate: Fate::Fit,
            worth: leader.worth,
            entry,
            began: hex,
            moved: false,
            escorts: None,
            rallied: false,
            supported: false,
        }
    }

    /// 4.3, 4.3.1: what may stand together.
    fn stacks(&mut self, units: &[Unit], leaders: &[Leader], objectives: &[Objective]) {
        self.faults.extend(stack_faults(self.ground, units, leaders, objectives));
        self.faults.extend(afloat_faults(self.ground, units));
    }
}

/// 4.3, 4.3.1, L18: every hex that holds too much, or friend and foe.
pub(super) fn stack_faults(
    ground: &Ground,
    units: &[Unit],
    leaders: &[Leader],
    objectives: &[Objective],
) -> Vec<String> {
    let mut faults = Vec::new();
    let mut places: BTreeMap<(Hex, bool), &Unit> = BTreeMap::new();
    for unit in units.iter().filter(|u| u.on_board()) {
        let Some(hex) = unit.hex else { continue };
        if let Some(other) = places.insert((hex, unit.kind.gun()), unit) {
            let label = ground.label(hex);
            faults.push(format!("{}: may not stand in {label} with {} (FHG-4.3)", unit.id, other.id));
        } else if let Some(foe) = places.get(&(hex, !unit.kind.gun())).filter(|u| u.side != unit.side) {
            faults.push(format!("{}: {} holds {}, an enemy (FHG-4.3.p3)", unit.id, ground.label(hex), foe.id));
        }
    }
    let mut led = BTreeMap::new();
    for leader in leaders.iter().filter(|l| l.on_board()) {
        let Some(hex) = leader.hex else { continue };
        if let Some(other) = led.insert(hex, &leader.id) {
            faults.push(format!("{}: may not stand with {other} in {} (FHG-4.3.p1)", leader.id, ground.label(hex)));
        }
        if units.iter().any(|u| u.on_board() && u.hex == Some(hex) && u.side != leader.side) {
            faults.push(format!("{}: {} holds an enemy (FHG-4.3.p3)", leader.id, ground.label(hex)));
        }
    }
    let mut marked = BTreeMap::new();
    for objective in objectives {
        let Some(hex) = objective.hex else { continue };
        if let Some(other) = marked.insert(hex, &objective.id) {
            faults.push(format!("{}: {} has {other} already (FHG-4.3.1)", objective.id, ground.label(hex)));
        }
    }
    faults
}
