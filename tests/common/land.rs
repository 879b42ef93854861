//! What holds in every land battle, and what can happen in one; shared by random play and the soak.

use std::collections::{BTreeMap, BTreeSet};

use countersign::books::honor::land::{
    AdvanceQuestion, EscapeQuestion, Event, Fate, FollowQuestion, Land, OrdersQuestion, RetreatQuestion, State,
    Terrain, TieQuestion, WithdrawQuestion,
};
use countersign::play::{Question, Record, System};
use countersign::{Side, Sides};

/// What holds after every single event: nobody is lost from the lists or comes back, MP lie within their bounds (3.3),
/// nobody is on barred ground (2.3.2, NAV-2.3.d), friend and foe apart (4.3, L18).
pub fn always(state: &State) {
    for unit in &state.units {
        assert!(unit.mp <= unit.start, "{}", unit.id);
        if unit.fate == Fate::Eliminated {
            assert!(unit.hex.is_none() && unit.mp == 0, "{}: eliminated and on the board", unit.id);
        }
        let Some(hex) = unit.hex else { continue };
        let ground = state.ground.terrain(hex);
        assert!(state.ground.contains(hex) && ground != Terrain::Swamp, "{}", unit.id);
        assert!(unit.boat > 0 || ground != Terrain::Deep, "{} in deep water without a boat", unit.id);
        assert!(!state.held(hex, unit.side.other()), "friend and foe in {}", state.label(hex));
    }
    for leader in &state.leaders {
        let Some(hex) = leader.hex else { continue };
        assert_eq!(leader.fate, Fate::Fit, "{}", leader.id);
        assert!(state.ground.contains(hex) && state.ground.terrain(hex) != Terrain::Swamp, "{}", leader.id);
    }
}

/// Boats are on water (NAV-2.3.d): always, but between the move that takes one ashore and its landing.
pub fn afloat(state: &State) {
    for unit in state.units.iter().filter(|unit| unit.boat > 0) {
        let Some(hex) = unit.hex else { continue };
        assert!(state.ground.terrain(hex).water(), "{}: a boat in {}", unit.id, state.label(hex));
    }
}

/// What holds besides while nothing is being resolved (4.3, 9.3.2, 10).
pub fn at_rest(state: &State) {
    always(state);
    afloat(state);
    let mut places = BTreeSet::new();
    for unit in &state.units {
        assert_eq!(unit.fate == Fate::Eliminated, unit.mp == 0, "{}", unit.id);
        if let Some(hex) = unit.hex {
            assert!(places.insert((hex, unit.kind.gun())), "two units in one place of {}", state.label(hex));
        }
    }
    let mut led = BTreeSet::new();
    for leader in &state.leaders {
        let Some(hex) = leader.hex else { continue };
        assert!(led.insert(hex), "two leaders in {}", state.label(hex));
        assert!(!state.held(hex, leader.side.other()), "{} among enemies", leader.id);
    }
    for side in Side::ALL {
        let lost = state.leaders.iter().filter(|l| l.side == side && l.fate == Fate::Eliminated).count();
        assert_eq!(usize::from(state.armies.get(side).leaders_lost), lost);
        let units = state.units.iter().filter(|u| u.side != side && u.fate == Fate::Eliminated).map(|u| u.worth);
        let leaders = state.leaders.iter().filter(|l| l.side != side && l.fate == Fate::Eliminated).map(|l| l.worth);
        let taken = state.objectives.iter().filter(|o| o.taken == Some(side)).map(|o| o.worth);
        assert_eq!(state.armies.get(side).points, units.chain(leaders).chain(taken).sum::<u32>(), "{side}");
    }
}

/// What of a position the next one is held against.
pub struct Mark {
    units: Vec<(Fate, bool)>,
    leaders: Vec<(Fate, bool)>,
    objectives: usize,
    points: Sides<u32>,
}

pub fn mark(state: &State) -> Mark {
    Mark {
        units: state.units.iter().map(|unit| (unit.fate, unit.hex.is_some())).collect(),
        leaders: state.leaders.iter().map(|leader| (leader.fate, leader.hex.is_some())).collect(),
        objectives: state.objectives.len(),
        points: Sides::from_fn(|side| state.armies.get(side).points),
    }
}

/// What may not happen from one position to the next: a piece disappears or is born, a lost one comes back, one on the
/// board is to come again; points shrink (10 takes none).
pub fn follows(before: &Mark, now: &Mark) {
    for (before, now) in [(&before.units, &now.units), (&before.leaders, &now.leaders)] {
        assert_eq!(before.len(), now.len(), "pieces");
        for ((was, stood), (is, stands)) in before.iter().zip(now) {
            assert!(*was == Fate::Fit || *is == Fate::Eliminated, "a lost piece is back");
            assert!(!stood || *stands || *is == Fate::Eliminated, "a piece has gone without being lost");
        }
    }
    assert_eq!(before.objectives, now.objectives, "victory point units");
    for side in Side::ALL {
        assert!(before.points.get(side) <= now.points.get(side), "{side}: points shrank");
    }
}

/// The pieces of a battle are the same from its beginning to its end.
pub fn same_pieces(start: &State, end: &State) {
    let units = |s: &State| s.units.iter().map(|u| (u.id.clone(), u.side, u.start, u.worth)).collect::<Vec<_>>();
    let leaders = |s: &State| s.leaders.iter().map(|l| (l.id.clone(), l.side, l.worth)).collect::<Vec<_>>();
    let objectives = |s: &State| s.objectives.iter().map(|o| (o.id.clone(), o.side, o.worth)).collect::<Vec<_>>();
    assert_eq!((units(start), leaders(start), objectives(start)), (units(end), leaders(end), objectives(end)));
}

/// Tells the events once more from where a game began, checks every position between them, and counts.
pub fn retell<'a>(
    start: &State,
    records: impl Iterator<Item = &'a Record<Land>>,
    seen: &mut BTreeMap<String, u64>,
) -> State {
    let mut state = start.clone();
    let (mut before, mut moving) = (mark(&state), false);
    for record in records {
        let Record::Event(event) = record else { continue };
        Land::apply(&mut state, event);
        *seen.entry(name(event)).or_insert(0) += 1;
        always(&state);
        let now = mark(&state);
        follows(&before, &now);
        before = now;
        // A move is told whole, then hex by hex what comes of it: a leader ridden down on the way stands before the landing.
        moving = match event {
            Event::Moved { .. } => true,
            Event::LeaderLost { .. } | Event::Scored { .. } | Event::Captured { .. } => moving,
            _ => false,
        };
        if !moving {
            afloat(&state);
        }
        if matches!(event, Event::HalfTurnEnded { .. } | Event::Paused { .. }) {
            at_rest(&state);
        }
    }
    same_pieces(start, &state);
    state
}

/// The word of an event with its reason, where it has one. Does not compile while a kind of event is missing.
pub fn name(event: &Event) -> String {
    let word = match event {
        Event::Attacked { by, .. } => return format!("attacked {by:?}"),
        Event::Eliminated { why, .. } => return format!("eliminated {why:?}"),
        Event::LeaderLost { why, .. } => return format!("leader-lost {why:?}"),
        Event::LeaderShifted { why, .. } => return format!("leader-shifted {why:?}"),
        Event::FellBack { why, .. } => return format!("fell-back {why:?}"),
        Event::Steadied { passed, .. } => return format!("steadied {passed}"),
        Event::Checked { stands, .. } => return format!("checked {stands}"),
        Event::Survival { ignored, .. } => return format!("survival {ignored}"),
        Event::Advanced { cite, .. } => return format!("advanced {cite}"),
        Event::GameOver { why, winner, .. } => return format!("game-over {why:?} {}", winner.is_some()),
        Event::Credited { last, .. } => return format!("credited {}", if *last { "last" } else { "first" }),
        Event::TurnBegan { .. } => "turn-began",
        Event::ActionPoints { .. } => "action-points",
        Event::Moved { .. } => "moved",
        Event::Landed { .. } => "landed",
        Event::LeaderMoved { .. } => "leader-moved",
        Event::Formed { .. } => "formed",
        Event::Rallied { .. } => "rallied",
        Event::StandsWith { .. } => "stands-with",
        Event::Rolled { .. } => "rolled",
        Event::Hit { .. } => "hit",
        Event::Surplus { .. } => "surplus",
        Event::LeaderRolled { .. } => "leader-rolled",
        Event::Captured { .. } => "captured",
        Event::Scored { .. } => "scored",
        Event::Skipped { .. } => "skipped",
        Event::Paused { .. } => "paused",
        Event::HalfTurnEnded { .. } => "half-turn-ended",
        Event::TurnEnded { .. } => "turn-ended",
    };
    word.to_owned()
}

/// Every event that random play has to reach, by [`name`].
pub const EVENTS: &[&str] = &[
    "turn-began",
    "action-points",
    "moved",
    "landed",
    "leader-moved",
    "formed",
    "rallied",
    "attacked Fire",
    "attacked CloseCombat",
    "steadied true",
    "steadied false",
    "checked true",
    "checked false",
    "stands-with",
    "rolled",
    "hit",
    "survival true",
    "survival false",
    "eliminated Hits",
    "eliminated NoRetreat",
    "eliminated NoRoom",
    "surplus",
    "leader-rolled",
    "leader-lost Struck",
    "leader-lost Overrun",
    "leader-lost Trapped",
    "leader-shifted Follows",
    "leader-shifted Escapes",
    "leader-shifted MakesWay",
    "fell-back Retreat",
    "fell-back Displaced",
    "fell-back Withdrawal",
    "advanced FHG-8.3.4",
    "advanced FHG-11.10",
    "captured",
    "scored",
    "skipped",
    "paused",
    "half-turn-ended",
    "turn-ended",
    "game-over Target true",
    "game-over Target false",
    "game-over LastTurn true",
    "game-over LastTurn false",
    "credited first",
    "credited last",
];

/// Every kind of question of the book.
pub const KINDS: [&str; 7] = [
    OrdersQuestion::KIND,
    TieQuestion::KIND,
    EscapeQuestion::KIND,
    FollowQuestion::KIND,
    WithdrawQuestion::KIND,
    RetreatQuestion::KIND,
    AdvanceQuestion::KIND,
];
