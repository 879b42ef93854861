//! The land half of the soak: what its battles are agreed under, whole campaigns, and what is checked and counted.

use countersign::books::honor::land::{Event, LandScenario, Linked, random};
use countersign::catalog::{self, LAND, LandGame};
use countersign::doc::Mode;
use countersign::log::{History, Verified};
use countersign::play::Record;
use countersign::side::{Side, Sides};

use super::common::table::{Party, terms_of};
use super::common::{Numbers, land};
use super::{Settings, Sort, Tally, play, play_on, second_implementation};

/// What random play does not reach, and why.
pub const UNREACHABLE: &[(&str, &str)] = &[
    (
        "game-over Target false",
        "both sides have to pass their targets by as much in one and the same turn; it is a rule case in 10-12-victory.yaml",
    ),
    (
        "follow",
        "two units and a leader have to part in one retreat by their owner's choice; rule cases in 8-close-combat.yaml",
    ),
];

/// Those of a list that are demanded.
pub fn demanded(all: &[&'static str]) -> Vec<&'static str> {
    let unreachable = |word: &&str| UNREACHABLE.iter().any(|(name, _)| name == word);
    all.iter().copied().filter(|word| !unreachable(word)).collect()
}

/// Rulings, optional rules and command points (11.14), each at random in every other case.
pub fn wild(mut set: Settings, numbers: &mut Numbers) -> Settings {
    for switch in catalog::switches(LAND) {
        if numbers.below(2) == 0 {
            let at = numbers.below(u32::try_from(switch.settings.len()).unwrap_or(1)) as usize;
            set.insert(switch.number.to_owned(), switch.settings[at].to_owned());
        }
    }
    for (number, _) in catalog::options(LAND) {
        if numbers.below(2) == 0 {
            set.insert((*number).to_owned(), "on".to_owned());
        }
    }
    for side in Side::ALL {
        if numbers.below(4) == 0 {
            set.insert(format!("11.14.{side}"), format!("{:+}", i64::from(numbers.below(7)) - 3));
        }
    }
    set
}

/// The terms of 12 in a battle.
fn terms(id: &str, carried: Sides<u32>) -> impl Iterator<Item = (String, String)> {
    let points = carried.iter().map(|(side, n)| (format!("12.{side}"), n.to_string())).collect::<Vec<_>>();
    std::iter::once(("12".to_owned(), id.to_owned())).chain(points)
}

/// One campaign from its first battle to its last, each begun with what the one before counted.
pub fn campaign(linked: &Linked, seed: u64, tally: &mut Tally) {
    let (sort, mut carried) = (Sort::of(seed, true), Sides::default());
    for (at, id) in linked.battles.iter().enumerate() {
        // Another seed than the battle has by itself: no game is played twice.
        let seed = seed + 1_000_000 * (1 + at as u64);
        let mut settings = sort.settings(id, seed);
        settings.extend(terms(linked.id, carried));
        let game = play(id, seed, sort, &settings);
        let verified = tally.count(&format!("campaign {} {seed}", linked.id), sort, &game, &catalog::embedded);
        let (points, totals) = credited(&verified, at + 1 == linked.battles.len());
        assert_eq!(totals, Sides::from_fn(|side| carried.get(side) + points.get(side)), "{} {seed}", linked.id);
        carried = totals;
        if seed % 1_000_000 < 2 {
            tally.agreed += second_implementation(&game.0, &verified);
        }
    }
}

/// A small battle made up at random, by mail between two.
pub fn skirmish(seed: u64, tally: &mut Tally) {
    let mut numbers = Numbers(3_000_000 + seed);
    let (scenario, _) = random::scenario(&mut |n| numbers.below(n));
    let text = written(&scenario);
    let set = catalog::settings(LAND, false, &[]).expect("a preset");
    let table = 1 + u8::try_from(seed % 250).unwrap_or(0);
    let (terms, text, players) = terms_of(&scenario.id, text, &wild(set, &mut numbers), Mode::TwoSeats, table);
    let history = History::begin(terms, &text).expect("sound");
    let parties = players.into_iter().map(|player| Party::new(player, history.clone())).collect();
    let game = play_on(parties, &scenario.id, seed, None);
    let verified = tally.count(&format!("at random {seed}"), Sort::Wild, &game, &|_| Some(text.clone()));
    if seed < 10 {
        tally.agreed += second_implementation(&game.0, &verified);
    }
}

/// A scenario as a file has it, a key a line.
fn written(scenario: &LandScenario) -> String {
    let Ok(serde_json::Value::Object(keys)) = serde_json::to_value(scenario) else { panic!("a scenario is a map") };
    keys.iter()
        .map(|(key, value)| if key == "book" { "book: honor-land\n".to_owned() } else { format!("{key}: {value}\n") })
        .collect()
}

/// What the last event of a battle counts: this battle, and all so far.
fn credited(verified: &Verified, last_battle: bool) -> (Sides<u32>, Sides<u32>) {
    let game = verified.history.game.land().expect("a land battle");
    let records = game.played.chapters().iter().flat_map(|chapter| &chapter.records);
    match records.last() {
        Some(Record::Event(Event::Credited { points, totals, winner, last, .. })) => {
            assert_eq!(*last, last_battle);
            let ahead = match totals.british.cmp(&totals.american) {
                std::cmp::Ordering::Greater => Some(Side::British),
                std::cmp::Ordering::Less => Some(Side::American),
                std::cmp::Ordering::Equal => None,
            };
            assert_eq!(*winner, ahead.filter(|_| last_battle));
            (*points, *totals)
        }
        other => panic!("a battle of a campaign ends with {other:?}"),
    }
}

/// Checks a battle event by event and counts what it told and asked.
pub fn count(game: &LandGame, tally: &mut Tally) {
    let chapters = game.played.chapters();
    let Some(first) = chapters.first() else { panic!("a battle without a beginning") };
    let records = || chapters.iter().flat_map(|chapter| &chapter.records);
    let end = land::retell(&first.before, records(), &mut tally.events);
    land::at_rest(&end);
    assert_eq!(end, *game.played.state(), "the events alone make the state");
    assert!(end.turn <= end.turns, "turn {} of {}", end.turn, end.turns);
    records().for_each(|record| tally.question(record, &land::KINDS));
}
