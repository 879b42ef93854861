//! The land battles that come with the program: each loads, keeps what the rules print of it, stands by the limits of
//! chapters 3 and 4, can be won by either side, and is drawn as it is.

use std::collections::{BTreeMap, BTreeSet};

use countersign::board::Kind;
use countersign::books::honor::land::{
    Agreed, CAMPAIGNS, Id, LandScenario, Objective, State, Terrain, Unit, UnitType, linked, start,
};
use countersign::catalog;
use countersign::hex::{Hex, flood};
use countersign::{Side, report};

/// The ten battles of the book, in the order of the war.
const BATTLES: [(&str, i32); 10] = [
    ("queenston-heights", 1812),
    ("craney-island", 1813),
    ("thames", 1813),
    ("cryslers-farm", 1813),
    ("chippawa", 1814),
    ("lundys-lane", 1814),
    ("bladensburg", 1814),
    ("north-point", 1814),
    ("night-attack", 1814),
    ("new-orleans", 1815),
];

fn scenario(id: &str) -> LandScenario {
    let text = catalog::embedded(id).unwrap_or_else(|| panic!("{id} is not in the catalogue"));
    catalog::read_land_scenario(&text, id).unwrap_or_else(|faults| panic!("{id}: {faults:?}"))
}

fn opening(id: &str) -> State {
    (*start(&scenario(id), &Agreed::default()).unwrap().state).clone()
}

fn all() -> impl Iterator<Item = (&'static str, LandScenario, State)> {
    BATTLES.iter().map(|(id, _)| (*id, scenario(id), opening(id)))
}

#[test]
fn the_ten_battles_are_there_and_say_where_they_come_from() {
    let land = catalog::SCENARIOS.iter().filter(|(_, text)| catalog::ruleset_of(text) == catalog::LAND);
    assert_eq!(land.map(|(id, _)| *id).collect::<Vec<_>>(), BATTLES.map(|(id, _)| id));
    for (id, year) in BATTLES {
        let scenario = scenario(id);
        assert_eq!(scenario.id, id);
        assert!(scenario.date.ends_with(&year.to_string()), "{id}: {}", scenario.date);
        assert_eq!(scenario.provenance, "reconstruction", "{id}");
        assert!(scenario.how.contains("printed scenario book is not at hand"), "{id}");
        assert!(scenario.how.contains("In doubt:"), "{id}: says what is doubtful");
        for (_, side) in scenario.sides.iter() {
            assert!(!side.leaders.is_empty(), "{id}: every battle had a commander");
            for unit in &side.units {
                assert!(unit.history.len() > 20, "{id}: {} has no history", unit.id);
            }
        }
    }
}

/// What the rulebook prints of single battles: 6.1.1, 12.a to 12.c, and 11.13 on Winder.
#[test]
fn what_the_rules_print_of_a_battle_stands() {
    assert_eq!(scenario("queenston-heights").sides.american.command, 3);
    let battles: Vec<&str> = CAMPAIGNS.iter().flat_map(|campaign| campaign.battles).copied().collect();
    for (n, id) in battles.iter().enumerate() {
        let (campaign, battle) = linked(id).unwrap();
        assert_eq!((campaign.id, usize::from(battle)), (CAMPAIGNS[n / 2].id, n % 2 + 1));
        let mut agreed = Agreed::default();
        agreed.set("12", campaign.id).unwrap();
        assert!(start(&scenario(id), &agreed).is_ok(), "{id}");
    }
    let bladensburg = scenario("bladensburg");
    assert!(bladensburg.sides.american.command < bladensburg.sides.british.command);
    let mut equal = Agreed::default();
    equal.set("11.13", "on").unwrap();
    let state = start(&bladensburg, &equal).unwrap().state;
    assert_eq!(state.armies.american.command, bladensburg.sides.british.command);
}

/// NAV-2.4: six landing boats are in the box.
#[test]
fn boats_are_where_there_was_a_landing_and_no_more_than_the_box_has() {
    for (id, _, state) in all() {
        let boats: Vec<&Unit> = state.units.iter().filter(|u| u.boat > 0).collect();
        assert_eq!(boats.len(), if id == "craney-island" { 6 } else { 0 }, "{id}");
        assert!(
            boats.iter().all(|u| u.side == Side::British && u.hex.is_some_and(|h| state.ground.terrain(h).water()))
        );
    }
}

/// 3.4, 4.3, 4.3.1, 2.3.2, reckoned again from the file; pieces that are to come are judged by where they come.
#[test]
fn set_up_keeps_the_limits() {
    for (id, scenario, state) in all() {
        let mut seen: BTreeMap<(String, &str), &Id> = BTreeMap::new();
        let mut sides: BTreeMap<String, Side> = BTreeMap::new();
        for (side, of) in scenario.sides.iter() {
            for unit in &of.units {
                let most = match unit.kind {
                    UnitType::Elite => 4..=4,
                    UnitType::Marine => 1..=4,
                    UnitType::Regular => 3..=4,
                    UnitType::Light => 3..=3,
                    _ => 2..=2,
                };
                assert!(most.contains(&unit.mp), "{id}: {}", unit.id);
                let gun = matches!(unit.kind, UnitType::Artillery | UnitType::Rocket);
                let Some(at) = &unit.at else { continue };
                let place = if gun { "gun" } else { "troops" };
                assert_eq!(seen.insert((at.clone(), place), &unit.id), None, "{id}: {} in {at}", unit.id);
                assert_eq!(*sides.entry(at.clone()).or_insert(side), side, "{id}: friend and foe in {at}");
            }
            for leader in &of.leaders {
                let Some(at) = &leader.at else { continue };
                assert_eq!(seen.insert((at.clone(), "leader"), &leader.id), None, "{id}: {}", leader.id);
                assert_eq!(sides.get(at), Some(&side), "{id}: {} starts with troops of his own", leader.id);
            }
            for objective in &of.objectives {
                assert_eq!(seen.insert((objective.at.clone(), "vp"), &objective.id), None, "{id}");
                assert_ne!(sides.get(&objective.at), Some(&side.other()), "{id}: {} is taken already", objective.id);
            }
        }
        let comes = scenario.sides.iter().flat_map(|(_, of)| of.units.iter().filter_map(|u| u.enters.as_ref()));
        for enters in comes {
            assert!((2..scenario.turns).contains(&enters.turn), "{id}: comes in time to fight");
            for label in &enters.by {
                let hex = state.ground.hex(label).unwrap();
                assert!(hex.neighbours().iter().any(|n| !state.ground.contains(*n)), "{id}: {label} is on the edge");
            }
        }
    }
}

/// Hexes some unit of a side can come to, were nobody in its way.
fn within_reach(state: &State, side: Side) -> BTreeSet<Hex> {
    let mut found = BTreeSet::new();
    for unit in state.units.iter().filter(|u| u.side == side) {
        let open = |hex: Hex, boat: bool| {
            let terrain = state.ground.terrain(hex);
            state.ground.contains(hex) && terrain != Terrain::Swamp && (boat || terrain != Terrain::Deep)
        };
        let entries = unit.entry.iter().flat_map(|e| e.hexes.iter().copied());
        let from: Vec<Hex> = unit.hex.into_iter().chain(entries).collect();
        let afloat = |hex: Hex| unit.boat > 0 && state.ground.terrain(hex).water();
        found.extend(flood(from, u32::MAX, |a, b| open(b, afloat(a))).into_keys());
    }
    found
}

/// 10: either side can come by its target, and to everything it is asked to take.
#[test]
fn either_side_can_win() {
    for (id, scenario, state) in all() {
        for side in Side::ALL {
            let foe = side.other();
            let units: u32 = state.units.iter().filter(|u| u.side == foe).map(|u| u.worth).sum();
            let leaders: u32 = state.leaders.iter().filter(|l| l.side == foe).map(|l| l.worth).sum();
            let prizes: Vec<&Objective> = state.objectives.iter().filter(|o| o.side == foe).collect();
            let worth: u32 = prizes.iter().map(|o| o.worth).sum();
            let target = *scenario.victory.target.get(side);
            // Nobody has to eliminate three of four to win, and no single prize is the battle.
            let all = (units + leaders) * 3 / 4 + worth;
            assert!(target <= all, "{id}: {side} needs {target} of {units}, {leaders}, {worth}");
            assert!(prizes.iter().all(|o| o.worth < target), "{id}: {side} wins with one prize");
            let reach = within_reach(&state, side);
            for prize in prizes {
                assert!(prize.hex.is_some_and(|hex| reach.contains(&hex)), "{id}: {} is out of reach", prize.id);
            }
        }
    }
}

/// The only piece that cannot stir is the schooner in the river (Jackson's Night Attack).
#[test]
fn nobody_else_is_shut_in() {
    let mut fast = Vec::new();
    for (id, _, state) in all() {
        for unit in &state.units {
            let Some(at) = unit.hex else { continue };
            let shut = |hex: &Hex| {
                let terrain = state.ground.terrain(*hex);
                !state.ground.contains(*hex)
                    || terrain == Terrain::Swamp
                    || (terrain == Terrain::Deep && unit.boat == 0)
            };
            if at.neighbours().iter().all(shut) {
                fast.push(format!("{id}: {}", unit.id));
            }
        }
    }
    assert_eq!(fast, ["night-attack: carolina"]);
}

/// The map in letters has every tile of the scenario, and fits a mail.
#[test]
fn every_map_is_drawn_as_it_is() {
    for (id, scenario, state) in all() {
        let text = report::land::chart(&state);
        assert!(text.lines().all(|line| line.chars().count() <= 78), "{id}\n{text}");
        let drawn: String = text.lines().take_while(|line| !line.starts_with("Ground:")).collect::<Vec<_>>().join("\n");
        // Lines of hexes only, without the numbers of columns and rows and the signs of counters behind a colon.
        let mut letters: BTreeMap<char, usize> = BTreeMap::new();
        for line in drawn.lines() {
            let cells = line.get(4..).unwrap_or("").split_whitespace();
            for cell in cells.filter(|cell| !cell.chars().all(|c| c.is_ascii_digit())) {
                *letters.entry(cell.chars().next().unwrap()).or_default() += 1;
            }
        }
        let signs = [
            (Terrain::Clear, '.'),
            (Terrain::Swamp, 's'),
            (Terrain::Waterway, 'w'),
            (Terrain::Deep, 'd'),
            (Terrain::Crossing, 'c'),
            (Terrain::Forest, 'f'),
            (Terrain::Hill, 'h'),
            (Terrain::Town, 't'),
            (Terrain::Fence, 'n'),
            (Terrain::Entrenchment, 'e'),
            (Terrain::Fort, 'F'),
        ];
        let sheet = &scenario.map;
        let mut typed: BTreeMap<Terrain, usize> = BTreeMap::new();
        for letter in sheet.hexes.lines().flat_map(|row| row[3..].chars().filter(|c| !c.is_whitespace())) {
            let terrain =
                Terrain::ALL.into_iter().find(|t| Kind::word(*t) == sheet.legend[&letter.to_string()].terrain);
            *typed.entry(terrain.unwrap()).or_default() += 1;
        }
        for (terrain, sign) in signs {
            let tiles = typed.get(&terrain).copied().unwrap_or(0);
            assert_eq!(letters.get(&sign).copied().unwrap_or(0), tiles, "{id}: {terrain:?}\n{text}");
        }
        println!("{id}\n{text}");
    }
}
