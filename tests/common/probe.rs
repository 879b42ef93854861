//! A book that exists for tests alone: the shapes of question that the naval game does not have. A seat decides alone, a
//! need comes after dice, standing orders answer, a private die and a hand of cards are sealed, drawn and opened.

use std::collections::{BTreeMap, BTreeSet};

use countersign::cite::Cite;
use countersign::play::{
    By, Checkpoint, Deck, Halt, Judged, Play, Played, PrivateDie, Question, Refusal, System, Table, Ticket,
};
use countersign::side::Side;
use serde::{Deserialize, Serialize};

const CITE: Cite = Cite("PROBE");

/// The book.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Seal,
    Round(u32),
    End,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct State {
    pub public: u32,
    pub drawn: BTreeSet<u32>,
    pub shown: BTreeMap<u32, String>,
    pub points: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    Public(u32),
    Scored { round: u32, face: u32, stake: i64, by: String },
    Drawn(u32),
    Shown { position: u32, card: String },
    Unreadable(u32),
    Private { value: u32 },
    FalseDie,
    FalseDeck { positions: Vec<String> },
}

/// Standing orders: what the British answer to any die.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Policy {
    pub stake: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    Roll,
    Pass,
}

#[derive(Clone)]
pub struct AskCall(pub u32);

impl Question<Probe> for AskCall {
    type Value = Call;
    const KIND: &'static str = "call";
    fn side(&self) -> Side {
        Side::American
    }
    fn slot(&self) -> String {
        format!("r{}/american/call", self.0)
    }
    fn cite(&self) -> Cite {
        CITE
    }
    fn check(&self, _: &State, _: &Call) -> Judged<()> {
        Ok(())
    }
    fn options(&self, _: &State) -> Vec<Call> {
        vec![Call::Roll, Call::Pass]
    }
}

/// The British answer to the die: a stake from 0 to 3, and standing orders for what comes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stake {
    pub stake: i64,
    pub stand: Policy,
}

#[derive(Clone)]
pub struct AskStake(pub u32);

impl Question<Probe> for AskStake {
    type Value = Stake;
    const KIND: &'static str = "stake";
    fn side(&self) -> Side {
        Side::British
    }
    fn slot(&self) -> String {
        format!("r{}/british/stake", self.0)
    }
    fn cite(&self) -> Cite {
        CITE
    }
    fn check(&self, _: &State, value: &Stake) -> Judged<()> {
        if (0..=3).contains(&value.stake) { Ok(()) } else { Err(vec![Refusal::new("stake", CITE, "is 0 to 3")]) }
    }
    fn standing(&self, _: &State, policy: &Policy) -> Option<Stake> {
        policy.stake.map(|stake| Stake { stake, stand: policy.clone() })
    }
    fn options(&self, _: &State) -> Vec<Stake> {
        let stands = [None, None, Some(1)].map(|stake| Policy { stake });
        (0..=3).flat_map(|stake| stands.iter().map(move |stand| Stake { stake, stand: stand.clone() })).collect()
    }
}

pub fn die() -> PrivateDie {
    PrivateDie { side: Side::American, slot: "start/american/omen".into(), faces: 6, cite: CITE }
}

pub fn deck() -> Deck {
    let cards = ["ford", "fog", "fog", "drum"].map(str::to_owned).to_vec();
    Deck { side: Side::British, slot: "start/british/cards".into(), cards, cite: CITE }
}

impl System for Probe {
    type Stage = Stage;
    type State = State;
    type Event = Event;
    type Policy = Policy;

    fn apply(state: &mut State, event: &Event) {
        match event {
            Event::Public(face) => state.public = *face,
            Event::Scored { stake, face, .. } => state.points += stake * i64::from(*face),
            Event::Drawn(n) => drop(state.drawn.insert(*n)),
            Event::Shown { position, card } => drop(state.shown.insert(*position, card.clone())),
            Event::Unreadable(n) => drop(state.shown.insert(*n, String::new())),
            Event::Private { value } => state.points += i64::from(*value),
            Event::FalseDie | Event::FalseDeck { .. } => state.points = -1000,
        }
    }

    fn phase(table: &mut Table<'_, Probe>, at: &Stage) -> Play<Stage, Probe> {
        match at {
            Stage::Seal => {
                table.seal(&[die()])?;
                table.seal(&[deck()])?;
                let face = table.roll_private(&die())?;
                table.tell(Event::Public(face));
                Ok(Stage::Round(1))
            }
            Stage::Round(n) => round(table, *n),
            Stage::End => end(table),
        }
    }
}

fn round(table: &mut Table<'_, Probe>, n: u32) -> Play<Stage, Probe> {
    let call = table.decide(AskCall(n))?;
    if call == Call::Roll {
        let face = table.roll(vec![Ticket::d6(format!("r{n}/die"))])?[0];
        let before = table.records().len();
        let stake = table.decide(AskStake(n))?;
        let by = match table.records().get(before) {
            Some(countersign::play::Record::Took { by: By::Standing, .. }) => "standing",
            _ => "order",
        };
        table.stand(Side::British, stake.stand.clone());
        table.tell(Event::Scored { round: n, face, stake: stake.stake, by: by.into() });
        if let Some(position) = table.draw(&deck(), &format!("r{n}"), &table.state().drawn.clone())? {
            table.tell(Event::Drawn(position));
            if stake.stake == 3 {
                show(table, position)?;
            }
        }
    }
    Ok(if n < 4 { Stage::Round(n + 1) } else { Stage::End })
}

fn show(table: &mut Table<'_, Probe>, position: u32) -> Play<(), Probe> {
    match table.play_card(&deck(), position)? {
        Ok(card) => table.tell(Event::Shown { position, card }),
        Err(_) => table.tell(Event::Unreadable(position)),
    }
    Ok(())
}

/// Both open everything: the die shows its value, and the deck that it was one.
fn end(table: &mut Table<'_, Probe>) -> Play<Stage, Probe> {
    let public = table.state().public;
    match table.open_private(&die(), public)? {
        Ok(value) => table.tell(Event::Private { value }),
        Err(_) => table.tell(Event::FalseDie),
    }
    let left: Vec<u32> = (1..=4).filter(|n| !table.state().shown.contains_key(n)).collect();
    table.due(&left.iter().map(|n| (Side::British, deck().position(*n))).collect::<Vec<_>>())?;
    for position in left {
        show(table, position)?;
    }
    if let Err(faults) = deck().judge(&table.state().shown) {
        table.tell(Event::FalseDeck { positions: faults.into_iter().map(|f| f.path).collect() });
    }
    Err(Halt::Over)
}

pub fn start() -> Played<Probe> {
    Played::start(Checkpoint::start(Stage::Seal, State::default())).unwrap()
}
