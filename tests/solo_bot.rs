//! `solo --bot`: one side at the keyboard, the other played by the program.
#![cfg(feature = "cli")]

#[path = "common/dialogue.rs"]
mod dialogue;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dialogue::{Dialogue, Ended};

/// Enter to everything, no order on land, and signed.
fn reply(asked: &str) -> String {
    assert!(!asked.contains("Pass the keyboard"), "{asked}");
    if asked.contains("sign them now") {
        "1".into()
    } else if asked.contains("order 1") {
        "done".into()
    } else {
        String::new()
    }
}

fn ended_well(dir: &Path, folder: &str, ended: &Ended) {
    assert_eq!(ended.code, 0, "{}", ended.text);
    assert!(ended.text.contains("TURN 2") && ended.text.contains("The game is over."), "{}", ended.text);
    assert!(ended.text.lines().last().unwrap().starts_with("GOOD"), "{}", ended.text);
    let logs = ["american", "british"].map(|s| fs::read(dir.join(folder).join(s).join("game.log")).unwrap());
    assert!(!logs[0].is_empty() && logs[0] == logs[1]);
}

#[test]
fn a_whole_battle_against_the_program_ends_with_a_log_that_verifies() {
    for (scenario, seat) in [("wasp-frolic", "british"), ("queenston-heights", "american")] {
        let dir = tempfile::tempdir().unwrap();
        let args = ["solo", "--scenario", scenario, "--bot", "greedy", "--bot-seat", seat, "--folder", "alone"];
        let mut solo = Dialogue::start(dir.path(), &args);
        solo.play(reply);
        let ended = solo.end();
        ended_well(dir.path(), "alone", &ended);
        assert!(ended.text.contains(&format!("The program plays the {seat} side.")), "{}", ended.text);
        assert!(ended.text.contains(&format!("The program has given the {seat} orders.")));
        assert!(!ended.text.contains(&format!("orders of the {seat} player")), "the player is asked for both sides");
        let again = Dialogue::start(&dir.path().join("alone").join(seat), &["verify"]).end();
        assert!(again.code == 0 && again.text.starts_with("GOOD"), "{}", again.text);
    }
}

#[test]
fn a_game_left_goes_on_against_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let mut solo = Dialogue::start(dir.path(), &["solo", "--scenario", "wasp-frolic", "--bot", "greedy"]);
    assert!(solo.next().unwrap().contains("orders of the american player"));
    solo.answer("q");
    assert!(solo.end().text.contains("go on with: countersign solo --folder solo"));
    let mut solo = Dialogue::start(dir.path(), &["solo"]);
    solo.play(reply);
    ended_well(dir.path(), "solo", &solo.end());
    // What the folder says of the program is read with care.
    fs::write(dir.path().join("solo/bot.txt"), "french greedy\n").unwrap();
    let spoilt = Dialogue::start(dir.path(), &["solo"]).end();
    assert!(spoilt.code != 0 && spoilt.text.contains("british greedy"), "{}", spoilt.text);
}

/// The program moves first and seals different plots in copies of one game; what the player is shown is the same to the
/// last letter, and so is everything in his folder but the seals.
#[test]
fn the_player_sees_nothing_of_a_sealed_plot() {
    let dir = tempfile::tempdir().unwrap();
    let begun = Dialogue::start(dir.path(), &["solo", "--scenario", "constitution-guerriere", "--folder", "begun"]);
    begun.end();
    let (mut screens, mut plots) = (BTreeSet::new(), BTreeSet::new());
    for n in 0..6 {
        let copy = dir.path().join(n.to_string());
        copy_all(&dir.path().join("begun"), &copy.join("solo"));
        fs::write(copy.join("solo/bot.txt"), "american greedy\n").unwrap();
        // Keys are named by their paths from where the command is typed.
        fs::create_dir_all(&copy).unwrap();
        rename_keys(&copy.join("solo"), &dir.path().join("begun"), &copy.join("solo"));
        let mut solo = Dialogue::start(&copy, &["solo"]);
        let mut asked = 0;
        solo.play(|text| {
            asked += 1;
            if text.contains("sign them now") { "q".into() } else { String::new() }
        });
        assert!(asked > 3);
        let ended = solo.end();
        assert_eq!(ended.code, 0, "{}", ended.text);
        screens.insert(ended.text);
        plots.insert(markers(&copy.join("solo/american/secret")));
        let nothing = fs::read_dir(copy.join("solo/british/secret")).map_or(0, Iterator::count);
        assert_eq!(nothing, 0, "the player has sealed nothing and holds no openings");
    }
    assert!(plots.len() > 1, "all six plots are the same: {plots:?}");
    assert_eq!(screens.len(), 1, "{screens:#?}");
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() { copy_all(&entry.path(), &to) } else { assert!(fs::copy(entry.path(), to).is_ok()) }
    }
}

/// A folder remembers where its key lies.
fn rename_keys(folder: &Path, from: &Path, to: &Path) {
    for seat in ["american", "british"] {
        for entry in fs::read_dir(folder.join(seat)).unwrap().map(Result::unwrap).filter(|e| e.path().is_file()) {
            let Ok(text) = fs::read_to_string(entry.path()) else { continue };
            let moved = text.replace(from.to_str().unwrap(), to.to_str().unwrap());
            if moved != text {
                fs::write(entry.path(), moved).unwrap();
            }
        }
    }
}

/// The markers sealed, as the openings kept in a folder have them.
fn markers(secret: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for file in fs::read_dir(secret).unwrap().map(Result::unwrap) {
        let openings: serde_json::Value = serde_json::from_str(&fs::read_to_string(file.path()).unwrap()).unwrap();
        for (slot, opening) in openings.as_object().unwrap().iter().filter(|(slot, _)| slot.contains("/marker/")) {
            found.push(format!("{slot} {}", opening["content"]));
        }
    }
    assert!(!found.is_empty());
    found.sort();
    found
}

#[test]
fn wrong_words_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    for (args, said) in [
        (&["solo", "--scenario", "wasp-frolic", "--bot", "clever"][..], "greedy or random"),
        (&["solo", "--scenario", "wasp-frolic", "--bot", "greedy", "--bot-seat", "host"], "british or american"),
        (&["solo", "--bot", "greedy"], "--scenario"),
        (&["scenario", "balance", "no-such"], "there is no scenario `no-such`"),
        (&["scenario", "balance", "wasp-frolic", "--games", "0"], "0 is not in"),
    ] {
        let ended = Dialogue::start(dir.path(), args).end();
        assert!(ended.code == 2 && ended.text.contains(said), "{args:?}: {}", ended.text);
    }
    assert!(!dir.path().join("solo").exists());
}

#[test]
fn the_balance_of_a_scenario_is_the_same_twice_and_adds_up() {
    let dir = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let args = [&["scenario", "balance", "wasp-frolic", "argus-pelican", "--games", "6"], more].concat();
        let ended = Dialogue::start(dir.path(), &args).end();
        assert_eq!(ended.code, 0, "{}", ended.text);
        ended.text
    };
    assert_eq!(run(&[]), run(&[]));
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let (one, two) = (json(&run(&["--format", "json"])), json(&run(&["--format", "json", "--seed", "2"])));
    assert_ne!(one["scenarios"], two["scenarios"], "another seed, other games");
    for row in one["scenarios"].as_array().unwrap() {
        let won = |side: &str| row[side]["wins"].as_u64().unwrap();
        assert_eq!(won("british") + won("american") + row["draws"].as_u64().unwrap(), 6);
        assert!(row["turns_per_hundred_games"].as_u64().unwrap() >= 100);
    }
    assert!(run(&[]).contains("wasp-frolic") && run(&["--british", "random"]) != run(&[]));
}
