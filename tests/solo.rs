//! `solo`: two seats at one keyboard, through a pipe.
#![cfg(feature = "cli")]

#[path = "common/dialogue.rs"]
mod dialogue;

use std::fs;

use dialogue::Dialogue;

/// Enter to everything, and signed.
fn reply(asked: &str) -> String {
    if asked.contains("sign them now") { "1".into() } else { String::new() }
}

#[test]
fn a_whole_battle_at_one_keyboard_ends_with_a_log_that_verifies() {
    let dir = tempfile::tempdir().unwrap();
    let mut solo = Dialogue::start(dir.path(), &["solo", "--scenario", "wasp-frolic", "--folder", "duel"]);
    solo.play(reply);
    let ended = solo.end();
    assert_eq!(ended.code, 0, "{}", ended.text);
    assert!(ended.text.contains("not locked"), "{}", &ended.text[..400]);
    assert!(ended.text.contains("TURN 2") && ended.text.contains("The game is over."));
    assert!(ended.text.lines().last().unwrap().starts_with("GOOD"), "{}", ended.text);
    let logs = ["american", "british"].map(|s| fs::read(dir.path().join("duel").join(s).join("game.log")).unwrap());
    assert!(!logs[0].is_empty() && logs[0] == logs[1]);
    let over = Dialogue::start(dir.path(), &["solo", "--folder", "duel"]).end();
    assert!(over.code == 0 && over.text.contains("The game is over."), "{}", over.text);
    let again = Dialogue::start(&dir.path().join("duel/british"), &["verify"]).end();
    assert!(again.code == 0 && again.text.starts_with("GOOD"), "{}", again.text);
}

#[test]
fn leaving_keeps_the_state_and_the_game_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut solo = Dialogue::start(dir.path(), &["solo", "--scenario", "wasp-frolic", "--preset", "club"]);
    // The Americans sign; the British leave in the middle of their first question.
    solo.play(|asked| if asked.contains("orders of the british") { "q".into() } else { reply(asked) });
    let ended = solo.end();
    assert_eq!(ended.code, 0);
    assert!(ended.text.contains("go on with: countersign solo --folder solo"), "{}", ended.text);
    let mut solo = Dialogue::start(dir.path(), &["solo"]);
    let first = solo.next().unwrap();
    assert!(first.contains("Pass the keyboard to the british player") && !first.contains("american"), "{first}");
    solo.answer("");
    let mut turns = 0;
    solo.play(|asked| {
        turns += usize::from(asked.contains("TURN "));
        if turns == 2 { "q".into() } else { reply(asked) }
    });
    let ended = solo.end();
    assert!(ended.text.contains("TURN 3"), "{}", ended.text);
    let verify = Dialogue::start(&dir.path().join("solo/american"), &["verify"]).end();
    assert!(verify.text.starts_with("GOOD"), "{}", verify.text);
}

#[test]
fn what_one_side_was_asked_is_off_the_screen_before_the_other_looks() {
    let dir = tempfile::tempdir().unwrap();
    let mut solo = Dialogue::start(dir.path(), &["solo", "--scenario", "wasp-frolic"]);
    let mut handed = 0;
    solo.play(|asked| {
        let Some((hidden, _)) = asked.split_once("Pass the keyboard to the british player") else {
            return reply(asked);
        };
        handed += 1;
        assert!(hidden.ends_with(&"\n".repeat(60)), "{hidden:?}");
        // In a pipe no codes of a terminal.
        assert!(!hidden.contains('\x1b'));
        "q".into()
    });
    assert_eq!(handed, 1);
    solo.end();
}

#[test]
fn a_folder_without_a_game_and_one_with_a_game_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let none = Dialogue::start(dir.path(), &["solo"]).end();
    assert!(none.code == 2 && none.text.contains("holds no game"), "{}", none.text);
    let wrong = Dialogue::start(dir.path(), &["solo", "--scenario", "no-such"]).end();
    assert!(wrong.code == 2 && !dir.path().join("solo").exists(), "{}", wrong.text);
    assert_eq!(Dialogue::start(dir.path(), &["solo", "--scenario", "wasp-frolic"]).end().code, 0);
    let twice = Dialogue::start(dir.path(), &["solo", "--scenario", "wasp-frolic"]).end();
    assert!(twice.code == 2 && twice.text.contains("holds a game already"), "{}", twice.text);
}
