//! Random legal play of the naval rules: no defect, no refusal, no dead end, invariants hold, every event is reached,
//! and the same answers give the same story however they arrive.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::Numbers;
use countersign::Side;
use countersign::books::honor::naval::{Event, Fate, Naval, State, random};
use countersign::play::{Dice, Halt, Inputs, LogSource, RandomSource, Record, Ticket, advance};

/// The first word of each event as it is serialised, with its reason where it has one.
fn name(event: &Event) -> String {
    let json = serde_json::to_string(event).unwrap();
    let word = json.split('"').nth(1).unwrap_or("").to_owned();
    match event {
        Event::Held { why, .. } => format!("{word} {why:?}"),
        Event::Left { how, .. } => format!("{word} {how:?}"),
        Event::GameOver { why, winner, .. } => format!("{word} {why:?} {}", winner.is_some()),
        Event::Gauge { why, .. } => format!("{word} {why:?}"),
        Event::Wind { shift, .. } => format!("{word} {shift:?}"),
        _ => word,
    }
}

fn check(state: &State) {
    for ship in state.ships.iter().filter(|s| s.afloat()) {
        assert!(state.in_hex(ship.hex).count() <= 2, "three ships in {}", state.label(ship.hex));
        assert!(ship.damage > 0 && ship.damage <= ship.start);
        assert_eq!(ship.half, ship.at_half(ship.damage, &state.rulings), "{}", ship.id);
    }
    for ship in &state.ships {
        assert_eq!(ship.fate == Fate::Sunk, ship.damage == 0, "{}", ship.id);
        assert!(ship.fired.len() <= 2);
    }
    for side in Side::ALL {
        let fleet = state.fleets.get(side);
        if fleet.squadron && state.afloat(side).next().is_some() {
            assert!(
                fleet.command.as_ref().is_some_and(|id| state.afloat(side).any(|s| s.id == *id)),
                "{side} leaderless"
            );
        }
    }
}

#[test]
fn random_battles_end_and_reach_every_event() {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut asked: BTreeSet<&'static str> = BTreeSet::new();
    for game in 0..1500 {
        let mut numbers = Numbers(game);
        let mut pick = |n: u32| numbers.below(n);
        let start = random::random_start(&mut pick).unwrap();
        let ids = start.state.ships.len();
        let mut source = RandomSource::new(&mut pick);
        let run = advance::<Naval>(&start, &mut source);
        assert!(matches!(run.halt, Halt::Over), "game {game}: {:?}", run.halt);
        assert_eq!(run.state.ships.len(), ids);
        asked.extend(source.asked.keys());
        let mut state = (*start.state).clone();
        for record in &run.records {
            if let Record::Event(event) = record {
                <Naval as countersign::play::System>::apply(&mut state, event);
                *seen.entry(name(event)).or_insert(0) += 1;
                if matches!(event, Event::TurnEnded { .. } | Event::Revealed { .. }) {
                    check(&state);
                }
            }
        }
        assert_eq!(state, *run.state, "the events alone make the state");
    }
    let expected = [
        "turn-began",
        "wind Right",
        "wind Left",
        "wind None",
        "gauge Gauge",
        "gauge BothAdvantage",
        "gauge NeitherAdvantage",
        "gauge NeitherDie",
        "allotted",
        "plotted",
        "revealed",
        "moves-first",
        "designated",
        "sailed",
        "turned",
        "held StopMarker",
        "held ThirdShip",
        "held Edge",
        "left Escaped",
        "left Lost",
        "declares-first",
        "declared",
        "fired",
        "damaged",
        "half-damaged",
        "sunk",
        "wished",
        "contest",
        "attempt",
        "boards-at-once",
        "melee",
        "broke-off",
        "boarders-lost",
        "captured",
        "command-lost",
        "command-passed",
        "scored",
        "turn-ended",
        "game-over Target true",
        "game-over Target false",
        "game-over LastTurn true",
        "game-over LastTurn false",
        "game-over NoShips true",
    ];
    for event in expected {
        assert!(seen.contains_key(event), "`{event}` was never reached; seen: {seen:?}");
    }
    assert_eq!(asked, BTreeSet::from(["plot", "react"]), "everything else is answered by the sealed conduct");
}

struct Faces<'a>(&'a BTreeMap<String, u32>);

impl Dice for Faces<'_> {
    fn face(&self, _step: u64, ticket: &Ticket) -> Option<u32> {
        self.0.get(&ticket.name).copied()
    }
}

#[test]
fn a_longer_list_of_inputs_only_extends_the_story() {
    for game in 0..40 {
        let mut numbers = Numbers(1_000_000 + game);
        let mut pick = |n: u32| numbers.below(n);
        let start = random::random_start(&mut pick).unwrap();
        let mut source = RandomSource::new(&mut pick);
        let whole = advance::<Naval>(&start, &mut source);
        let (all, faces) = (source.inputs, source.faces);
        // Inputs one at a time, in an order of their own; each run must tell a prefix of the whole.
        let mut given = Inputs::default();
        let mut order: Vec<(u8, String)> = all.answers.keys().map(|s| (0, s.clone())).collect();
        order.extend(all.seals.keys().map(|s| (1, s.clone())));
        order.extend(all.opens.keys().map(|s| (2, s.clone())));
        for at in (1..order.len()).rev() {
            order.swap(at, numbers.below(u32::try_from(at + 1).unwrap()) as usize);
        }
        let mut told = 0;
        for (n, (kind, slot)) in order.iter().enumerate() {
            match kind {
                0 => drop(given.answers.insert(slot.clone(), all.answers[slot].clone())),
                1 => drop(given.seals.insert(slot.clone(), 0)),
                _ => drop(given.opens.insert(slot.clone(), all.opens[slot].clone())),
            }
            if n % 16 == 0 || n + 1 == order.len() {
                let run = advance::<Naval>(&start, &mut LogSource { inputs: &given, dice: &Faces(&faces) });
                assert!(run.records.len() >= told && whole.records.starts_with(&run.records), "game {game} input {n}");
                told = run.records.len();
            }
        }
        assert_eq!(told, whole.records.len());
    }
}
