//! Agreements between two players: a draw, a take-back, a departure, a pause, time. Each from both sides, the log
//! verified afterwards by both implementations.

mod common;

use std::collections::BTreeMap;

use common::Numbers;
use common::table::{Party, two};
use countersign::catalog;
use countersign::doc::{Offer, Tree};
use countersign::log::{Agreement, End, Intent, Verified, check_protocol, verify};
use countersign::side::Seat;

/// What one sends goes to the other.
fn post(parties: &mut [Party], me: usize, intent: &Intent) {
    assert!(parties[me].send(intent), "nothing to send: {intent:?}");
    deliver(parties, me);
}

fn deliver(parties: &mut [Party], me: usize) {
    for signed in std::mem::take(&mut parties[me].out) {
        parties[1 - me].receive(&signed);
    }
}

fn orders(party: &Party, seed: u64) -> Intent {
    let answers = party.random_answers(&mut Numbers(seed));
    Intent { answers: answers.into_iter().map(|(slot, c)| (slot, without_react(&c))).collect(), ..Intent::default() }
}

/// A plot that stops nowhere, so that a turn is one step.
fn without_react(content: &str) -> String {
    let Tree::Map(mut fields) = Tree::from_json(content).unwrap() else { panic!("a plot") };
    fields.retain(|(name, _)| name != "react");
    Tree::Map(fields).to_json()
}

/// A whole turn: seals, clear orders and link, opening and link.
fn turn(parties: &mut [Party], seed: u64) {
    let step = parties[0].history.step();
    let intent = orders(&parties[0], seed);
    post(parties, 0, &intent);
    let intent = orders(&parties[1], seed + 1000);
    post(parties, 1, &intent);
    post(parties, 0, &Intent::default());
    assert_eq!([parties[0].history.step(), parties[1].history.step()], [step + 1, step + 1]);
}

fn offer(offer: Offer) -> Intent {
    Intent { offer: Some(offer), ..Intent::default() }
}

fn agree() -> Intent {
    Intent { agree: true, ..Intent::default() }
}

/// Both logs alike, good by both implementations.
fn good(parties: &[Party]) -> Verified {
    let logs: Vec<Vec<u8>> = parties.iter().map(|p| p.history.log().bytes()).collect();
    assert!(logs[0] == logs[1], "the logs differ");
    check_protocol(&logs[0]).unwrap_or_else(|f| panic!("{f}"));
    let second = common::second_implementation(&logs[0]);
    assert!(second.as_ref().is_none_or(|(good, _)| *good), "{second:?}");
    verify(&logs[0], &catalog::embedded, None).unwrap_or_else(|f| panic!("{f}"))
}

fn agreed(verified: &Verified) -> Vec<&Agreement> {
    verified.history.agreements().iter().collect()
}

#[test]
fn a_draw_ends_the_game() {
    let mut parties = two("wasp-frolic", 1);
    turn(&mut parties, 1);
    post(&mut parties, 1, &offer(Offer::Draw));
    assert!(parties.iter().all(|p| p.history.end().is_none()), "an offer alone does nothing");
    post(&mut parties, 0, &agree());
    let verified = good(&parties);
    assert_eq!(verified.history.end(), Some(&End::Draw));
    assert!(matches!(agreed(&verified)[..], [Agreement { step: 2, by: Seat::British, offer: Offer::Draw, .. }]));
}

#[test]
fn a_take_back_plays_the_step_again_with_other_dice_and_says_so() {
    let mut parties = two("wasp-frolic", 2);
    turn(&mut parties, 1);
    let (before, needs) = (parties[0].history.game.game().position(), parties[0].history.wants().to_vec());
    turn(&mut parties, 2);
    turn(&mut parties, 3);
    let forgets = parties[0].history.forgets(2).unwrap();
    let told = parties[0].history.closed()[2..].iter().filter_map(|c| c.story.as_ref());
    let (dice, opened) = told.fold((0, 0), |(d, o), s| (d + s.dice.len(), o + s.opened.len()));
    assert!(dice > 0 && opened > 0 && forgets.len() == dice + opened, "{forgets:?}");
    // A list of one's own is no offer.
    let less = Offer::Restart { step: 2, forgets: forgets[1..].to_vec() };
    assert!(!parties[0].send(&offer(less)));
    post(&mut parties, 0, &offer(Offer::Restart { step: 2, forgets: forgets.clone() }));
    post(&mut parties, 1, &agree());
    assert_eq!(parties[0].history.step(), 5);
    assert_eq!(parties[0].history.game.game().position(), before);
    assert_eq!(parties[0].history.wants(), needs);
    assert!(parties[0].history.unopened().is_empty());
    // The same orders again: signed anew, opened anew, rolled anew.
    turn(&mut parties, 2);
    let stories =
        |step: u64| parties[0].history.closed().iter().find(|c| c.step == step).unwrap().story.clone().unwrap();
    let faces = |step: u64| stories(step).dice.iter().map(|d| (d.ticket.clone(), d.step, d.face)).collect::<Vec<_>>();
    assert_eq!(faces(2)[0].0, faces(5)[0].0, "the same first die");
    assert!(faces(2) != faces(5) && faces(5).iter().all(|(_, step, _)| *step == 5), "under another seed");
    // What was taken back stays so; the step that replaced it may be taken back.
    for dead in [2, 3, 4] {
        assert!(parties[0].history.forgets(dead).unwrap_err().contains("taken back already"));
    }
    assert!(parties[0].history.forgets(9).is_err() && parties[0].history.forgets(0).is_err());
    let forgets = parties[1].history.forgets(5).unwrap();
    assert!(forgets.iter().all(|line| line.starts_with("die t") || line.starts_with("opened t2/")), "{forgets:?}");
    post(&mut parties, 1, &offer(Offer::Restart { step: 5, forgets }));
    post(&mut parties, 0, &agree());
    let forgets = parties[0].history.forgets(1).unwrap();
    post(&mut parties, 0, &offer(Offer::Restart { step: 1, forgets }));
    post(&mut parties, 1, &agree());
    turn(&mut parties, 9);
    let verified = good(&parties);
    assert_eq!(agreed(&verified).len(), 3);
    assert!(agreed(&verified).iter().all(|a| a.leaves_the_rules()));
}

/// What was sealed before the step stays sealed, and opens again when it is played again.
#[test]
fn a_take_back_to_a_react_keeps_the_sealed_markers() {
    let mut parties = two("wasp-frolic", 12);
    for me in [0, 1] {
        let mut intent = orders(&parties[me], 7);
        for content in intent.answers.values_mut() {
            *content = content.replace("\"steps\":", "\"react\":[2],\"steps\":");
        }
        post(&mut parties, me, &intent);
    }
    // Due openings go to and fro until the markers up to the REACT are open.
    for me in [0, 1, 0, 1] {
        parties[me].send(&Intent::default());
        deliver(&mut parties, me);
    }
    assert_eq!(parties[0].history.step(), 2);
    let sealed: Vec<String> = parties[0].history.unopened().keys().cloned().collect();
    assert!(sealed.iter().any(|slot| slot.ends_with("marker/3")), "{sealed:?}");
    let react = |parties: &mut Vec<Party>, seed: u64| {
        let step = parties[0].history.step();
        for _ in 0..8 {
            for me in [0, 1] {
                if parties[me].history.step() == step {
                    let answers = if parties[me].to_answer() {
                        parties[me].random_answers(&mut Numbers(seed))
                    } else {
                        BTreeMap::new()
                    };
                    parties[me].send(&Intent { answers, ..Intent::default() });
                    deliver(parties, me);
                }
            }
        }
        assert_eq!(parties[0].history.step(), step + 1);
    };
    while parties[0].history.unopened().contains_key("t1/american/plot/marker/3") {
        react(&mut parties, 1);
    }
    let forgets = parties[0].history.forgets(2).unwrap();
    assert!(forgets.iter().any(|line| line.ends_with("american/plot/marker/3")), "{forgets:?}");
    post(&mut parties, 1, &offer(Offer::Restart { step: 2, forgets }));
    post(&mut parties, 0, &agree());
    assert_eq!(parties[1].history.unopened().keys().cloned().collect::<Vec<_>>(), sealed);
    while parties[0].history.unopened().contains_key("t1/american/plot/marker/3") {
        react(&mut parties, 2);
    }
    good(&parties);
}

#[test]
fn a_step_that_begins_with_dice_is_not_taken_back_once_its_seed_is_known() {
    let rulings = BTreeMap::from([("N06".to_owned(), "roll".to_owned())]);
    let mut parties = common::table::two_with("wasp-frolic", &rulings, 3);
    assert!(parties[0].history.asked().is_empty());
    for me in [0, 1] {
        post(&mut parties, me, &Intent::default());
    }
    assert_eq!(parties[0].history.step(), 2);
    assert!(parties[0].history.forgets(1).unwrap_err().contains("begins with dice"));
    assert!(parties[0].history.forgets(2).unwrap().is_empty());
}

#[test]
fn a_departure_goes_on_from_the_position_agreed() {
    let mut parties = two("wasp-frolic", 4);
    turn(&mut parties, 1);
    let now = countersign::report::turn_file(&parties[0].history).unwrap();
    let depart = |text: &str| Offer::Depart {
        reason: "We both forgot the damage".into(),
        position: countersign::doc::yaml::read(text, "turn.yaml", 1 << 20).unwrap(),
    };
    let text = now.replacen("\"guns\":2", "\"guns\":1", 1);
    assert_ne!(text, now, "{now}");
    // What is no position cannot be offered.
    for (bad, word) in
        [("stage: {plot: {}}\n", "position"), (&now.replace("\"plot\": {}", "\"marker\": {\"step\":1}"), "marker")]
    {
        let said = parties[0].history.judge_offer(&depart(bad)).unwrap_err();
        assert!(said.contains(word), "{said}");
    }
    post(&mut parties, 0, &offer(depart(&text)));
    post(&mut parties, 1, &agree());
    assert_eq!(parties[1].history.step(), 3);
    assert!(parties[1].history.game.game().position().contains("\"guns\":1"));
    turn(&mut parties, 5);
    let verified = good(&parties);
    assert!(agreed(&verified)[0].leaves_the_rules());
}

#[test]
fn a_pause_and_time_ask_the_same_again() {
    let mut parties = two("wasp-frolic", 5);
    let wants = parties[0].history.wants().to_vec();
    post(&mut parties, 0, &offer(Offer::Pause { until: "after Easter".into(), reason: "away".into() }));
    post(&mut parties, 1, &agree());
    post(&mut parties, 1, &offer(Offer::Time { resend_days: 14, reason: "slow mail".into() }));
    post(&mut parties, 0, &agree());
    assert_eq!((parties[0].history.step(), parties[0].history.wants()), (3, &wants[..]));
    assert!(parties.iter().all(|p| p.history.resend_days() == 14));
    assert!(parties[0].history.judge_offer(&Offer::Time { resend_days: 0, reason: "x".into() }).is_err());
    assert!(parties[0].history.judge_offer(&Offer::Pause { until: " ".into(), reason: "x".into() }).is_err());
    turn(&mut parties, 5);
    assert!(!agreed(&good(&parties)).iter().any(|a| a.leaves_the_rules()));
}

/// The link waits while an offer can be accepted, and goes when its player declines.
#[test]
fn an_offer_is_answered_before_the_link_leaves() {
    let mut parties = two("wasp-frolic", 6);
    let intent = orders(&parties[0], 1);
    post(&mut parties, 0, &intent);
    let mut intent = orders(&parties[1], 2);
    intent.say = Some("Here I come.".into());
    post(&mut parties, 1, &intent); // answer and link: the American's link would finish the step
    post(&mut parties, 1, &offer(Offer::Draw));
    assert!(!parties[0].send(&Intent::default()), "his link would decide before he has read the offer");
    let decline = Intent { decline: true, ..Intent::default() };
    post(&mut parties, 0, &decline);
    assert_eq!(parties[0].history.step(), 2);
    good(&parties);
    // The own offer, too, holds the own link back: the other would answer it with the dice known.
    let intent = orders(&parties[1], 3);
    post(&mut parties, 1, &intent);
    post(&mut parties, 1, &offer(Offer::Draw));
    let intent = orders(&parties[0], 4);
    post(&mut parties, 0, &intent); // the answer is the American's no
    post(&mut parties, 1, &Intent::default());
    assert_eq!(parties[0].history.step(), 3);
    assert!(agreed(&good(&parties)).is_empty());
}

#[test]
fn who_has_linked_or_offered_accepts_nothing_but_a_concession() {
    let mut parties = two("wasp-frolic", 7);
    let intent = orders(&parties[0], 1);
    post(&mut parties, 0, &intent);
    let intent = orders(&parties[1], 2);
    post(&mut parties, 1, &intent);
    assert!(parties[0].send(&offer(Offer::Draw)));
    deliver(&mut parties, 0);
    assert!(!parties[1].send(&agree()), "he has linked");
    // Two offers at once: neither can be accepted.
    let mut parties = two("wasp-frolic", 8);
    assert!(parties[0].send(&offer(Offer::Draw)) && parties[1].send(&offer(Offer::Draw)));
    deliver(&mut parties, 0);
    deliver(&mut parties, 1);
    assert!(!parties[0].send(&agree()) && !parties[1].send(&agree()));
    turn(&mut parties, 3);
    // A concession is taken note of all the same.
    assert!(parties[0].send(&offer(Offer::Draw)));
    deliver(&mut parties, 0);
    post(&mut parties, 1, &Intent { concede: true, ..Intent::default() });
    post(&mut parties, 0, &Intent::default());
    assert_eq!(good(&parties).history.end(), Some(&End::Conceded(Seat::British)));
}

#[cfg(feature = "cli")]
mod folders {
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    fn run(dir: &Path, args: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let out = command.args(args).current_dir(dir).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        (out.status.code().unwrap_or(-1), text)
    }

    fn good(dir: &Path, args: &[&str]) -> String {
        let (code, text) = run(dir, args);
        assert!(matches!(code, 0 | 3), "{args:?}: {code} {text}");
        text
    }

    /// The newest packet of one goes to the other.
    fn carry(from: &Path, to: &Path) -> String {
        let out = std::fs::read_dir(from.join("out")).unwrap().map(|e| e.unwrap().path());
        let mut packets: Vec<PathBuf> = out.filter(|p| p.extension().is_some_and(|e| e == "packet")).collect();
        packets.sort_by_key(|p| std::fs::metadata(p).unwrap().modified().unwrap());
        good(to, &["adjudicate", packets.pop().unwrap().to_str().unwrap()])
    }

    /// One turn by the commands of README.
    fn turn(anna: &Path, bob: &Path) {
        for (me, other) in [(anna, bob), (bob, anna)] {
            good(me, &["orders", "new", "--force"]);
            good(me, &["orders", "sign", "--unchanged"]);
            carry(me, other);
        }
        carry(anna, bob);
    }

    /// The scenes of README: a slip is taken back, the scoring is put right, a draw is agreed, and the log says so.
    #[test]
    fn two_friends_take_back_depart_and_draw_by_the_commands() {
        let home = tempfile::tempdir().unwrap();
        let (anna, bob) = (home.path().join("anna"), home.path().join("bob"));
        for name in ["anna", "bob"] {
            good(home.path(), &["key", "new", "--file", &format!("{name}.key"), "--no-passphrase"]);
        }
        let new = "new --scenario wasp-frolic --seat american --player Anna --folder anna --key anna.key";
        good(home.path(), &new.split(' ').collect::<Vec<_>>());
        let accept = "accept anna/out/proposal.packet --player Bob --folder bob --key bob.key";
        good(home.path(), &accept.split(' ').collect::<Vec<_>>());
        good(&anna, &["adjudicate", "../bob/out/acceptance.packet"]);
        turn(&anna, &bob);
        let said = good(&bob, &["offer", "take-back", "--step", "1", "--say", "I meant stop"]);
        assert!(said.contains("opened t1/british/plot/marker/1") && said.contains("played again"), "{said}");
        let said = carry(&bob, &anna);
        assert!(said.contains("YOUR OPPONENT OFFERS to take back everything from step 1 on"), "{said}");
        assert!(said.contains("You have both seen this since"), "{said}");
        good(&anna, &["agree"]);
        let said = carry(&anna, &bob);
        assert!(said.contains("Both agreed to what the british player offered"), "{said}");
        turn(&anna, &bob);
        let text = std::fs::read_to_string(anna.join("turn.yaml")).unwrap();
        std::fs::write(anna.join("corrected.yaml"), text.replacen("\"guns\":2", "\"guns\":1", 1)).unwrap();
        let (code, said) = run(&anna, &["offer", "departure", "nowhere.yaml", "--reason", "guns"]);
        assert!(code == 2, "{said}");
        good(&anna, &["offer", "departure", "corrected.yaml", "--reason", "We forgot the lost guns"]);
        carry(&anna, &bob);
        assert!(good(&bob, &["decline"]).contains("write your orders as usual"));
        good(&bob, &["agree"]);
        carry(&bob, &anna);
        for (by, other, args) in [
            (&anna, &bob, &["offer", "pause", "--until", "after Easter", "--reason", "away"][..]),
            (&bob, &anna, &["offer", "time", "--days", "14", "--reason", "slow mail"][..]),
            (&anna, &bob, &["offer", "draw", "--say", "Call it a day?"][..]),
        ] {
            good(by, args);
            carry(by, other);
            good(other, &["agree"]);
            carry(other, by);
        }
        assert_eq!(run(&anna, &["offer", "draw"]).0, 2);
        let logs = [&anna, &bob].map(|dir| std::fs::read(dir.join("game.log")).unwrap());
        assert!(logs[0] == logs[1]);
        let said = good(&bob, &["verify"]);
        assert!(
            said.contains("except what both agreed in entries 9 (to take back") && said.contains("game over"),
            "{said}"
        );
    }
}
