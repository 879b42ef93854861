//! The whole tree of dice up to the end of the turn, or one roll after another where it is too large.

use std::collections::BTreeMap;

use super::rolls::{self, Branch, Roll};
use super::source::Ahead;
use crate::books::honor::naval::{Event, Naval, ShipId};
use crate::error::{Error, Result};
use crate::play::{Record, Run};

/// Dice a line of play can have; all odds are parts of 6 to this power.
pub(super) const DICE: u32 = 48;
/// Certainty, in those parts.
pub(super) const WHOLE: u128 = 6u128.pow(DICE);
/// Lines of play rarer than one in this many are not followed.
pub(super) const RARE: u128 = 20_000;
/// Runs of the engine before the look ahead gives up the whole tree.
pub(super) const RUNS: u32 = 20_000;
/// Dice of the one line followed when every roll is shown by itself; a battle aboard could go on for ever.
const LONGEST: usize = 400;

/// How likely something is, in parts of [`WHOLE`], and what it can bring.
#[derive(Debug, Default)]
pub(super) struct Fact {
    /// When it was first met.
    pub order: usize,
    /// How likely the roll is made at all.
    pub made: u128,
    /// How likely each result is, in the order met.
    pub results: Vec<(String, u128)>,
}

/// Everything found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Rolls, by marker and by what is rolled.
    pub rolls: BTreeMap<(u8, String), Fact>,
    /// Ships whose state can change, by marker.
    pub ships: BTreeMap<(u8, ShipId), BTreeMap<String, u128>>,
    /// What was not followed.
    pub cut: u128,
    /// Runs of the engine.
    pub runs: u32,
    /// Whether it is one roll after another.
    pub single: bool,
}

impl Found {
    fn note(&mut self, key: (u8, String), roll: &Roll, weight: u128) {
        let (order, whole) = (self.rolls.len(), 6u128.pow(roll.dice));
        let fact = self.rolls.entry(key).or_insert_with(|| Fact { order, ..Fact::default() });
        fact.made += weight;
        for branch in &roll.branches {
            let part = weight / whole * branch.ways;
            match fact.results.iter_mut().find(|(word, _)| *word == branch.outcome) {
                Some((_, sum)) => *sum += part,
                None => fact.results.push((branch.outcome.clone(), part)),
            }
        }
    }

    /// The state of every ship that was touched, marker by marker.
    fn leaf(&mut self, run: &Run<Naval>, start: u8, weight: u128) {
        for (step, id, word) in states(run, start) {
            *self.ships.entry((step, id)).or_default().entry(word).or_insert(0) += weight;
        }
    }
}

/// The state of every ship that was touched up to then, at the end of each marker.
fn states(run: &Run<Naval>, start: u8) -> Vec<(u8, ShipId, String)> {
    let mut now: BTreeMap<ShipId, String> = BTreeMap::new();
    let mut all = Vec::new();
    let mut step = start;
    for event in events(run) {
        match event {
            Event::Revealed { step: next, .. } => {
                if *next != step {
                    all.extend(now.iter().map(|(id, word)| (step, id.clone(), word.clone())));
                }
                step = *next;
            }
            Event::Damaged { ship, left, .. } => {
                let half = now.get(ship).is_some_and(|w| w.contains("half"));
                let word = format!("{left} left{}", if half { ", half damage" } else { "" });
                now.insert(ship.clone(), word);
            }
            Event::HalfDamaged { ship } => now.entry(ship.clone()).or_default().push_str(", half damage"),
            Event::Sunk { ship } => {
                now.insert(ship.clone(), "sunk".to_owned());
            }
            Event::Captured { ship, .. } => {
                now.insert(ship.clone(), "captured".to_owned());
            }
            _ => {}
        }
    }
    all.extend(now.iter().map(|(id, word)| (step, id.clone(), word.clone())));
    all
}

/// What happened in a run.
pub(super) fn events(run: &Run<Naval>) -> impl Iterator<Item = &Event> {
    run.records.iter().filter_map(|r| if let Record::Event(e) = r { Some(e) } else { None })
}

fn step_of(run: &Run<Naval>, start: u8) -> u8 {
    let last = events(run).filter_map(|e| if let Event::Revealed { step, .. } = e { Some(*step) } else { None }).last();
    last.unwrap_or(start)
}

/// Looks ahead: the whole tree if it is small enough.
pub(super) fn look(ahead: &Ahead<'_>, title: &dyn Fn(&Run<Naval>, &Roll) -> String) -> Result<Found> {
    let mut found = Found::default();
    if walk(ahead, title, &mut Vec::new(), WHOLE, &mut found)? {
        return Ok(found);
    }
    let mut found = Found { single: true, ..Found::default() };
    one_by_one(ahead, title, &mut found)?;
    Ok(found)
}

/// One node of the tree. Whether the bound still holds.
fn walk(
    ahead: &Ahead<'_>,
    title: &dyn Fn(&Run<Naval>, &Roll) -> String,
    faces: &mut Vec<u32>,
    weight: u128,
    found: &mut Found,
) -> Result<bool> {
    let start = ahead.from.state.step;
    let run = ahead.run(faces);
    found.runs += 1;
    let Some(tickets) = rolls::waits_for(&run)? else {
        found.leaf(&run, start, weight);
        return Ok(true);
    };
    let room = u32::try_from(faces.len() + tickets.len()).unwrap_or(u32::MAX) <= DICE;
    if weight < WHOLE / RARE || !room {
        found.cut += weight;
        return Ok(true);
    }
    let roll = rolls::roll(ahead, faces, run.records.len(), &tickets, &mut found.runs)?;
    found.note((step_of(&run, start), title(&run, &roll)), &roll, weight);
    if found.runs > RUNS {
        return Ok(false);
    }
    let whole = 6u128.pow(roll.dice);
    for branch in &roll.branches {
        let before = faces.len();
        faces.extend(&branch.faces);
        let within = walk(ahead, title, faces, weight / whole * branch.ways, found)?;
        faces.truncate(before);
        if !within {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The middle result of a roll: half of all throws bring no more than this.
fn middle(roll: &Roll) -> Result<&Branch> {
    let (half, mut sum) = (6u128.pow(roll.dice) / 2, 0);
    let found = roll.branches.iter().find(|b| {
        sum += b.ways;
        sum > half
    });
    found.ok_or_else(|| Error::new("a roll without a result: a defect of the program"))
}

/// Every roll by itself, all others at their middle result.
fn one_by_one(ahead: &Ahead<'_>, title: &dyn Fn(&Run<Naval>, &Roll) -> String, found: &mut Found) -> Result<()> {
    let start = ahead.from.state.step;
    let mut faces = Vec::new();
    while faces.len() < LONGEST {
        let run = ahead.run(&faces);
        let Some(tickets) = rolls::waits_for(&run)? else { return Ok(()) };
        let mut roll = rolls::roll(ahead, &faces, run.records.len(), &tickets, &mut found.runs)?;
        let next = middle(&roll)?.faces.clone();
        let step = step_of(&run, start);
        for branch in &mut roll.branches {
            let follows = follows(ahead, [faces.as_slice(), &branch.faces].concat(), step, found)?;
            branch.outcome = format!("{:<18}{follows}", branch.outcome);
        }
        found.note((step, title(&run, &roll)), &roll, WHOLE);
        faces.extend(&next);
    }
    Ok(())
}

/// What a marker ends with after these faces, all further rolls at their middle result.
fn follows(ahead: &Ahead<'_>, mut faces: Vec<u32>, step: u8, found: &mut Found) -> Result<String> {
    let start = ahead.from.state.step;
    while faces.len() < LONGEST {
        let run = ahead.run(&faces);
        let tickets = rolls::waits_for(&run)?.filter(|_| step_of(&run, start) == step);
        let Some(tickets) = tickets else {
            let all = states(&run, start);
            let here = all.iter().filter(|(n, _, _)| *n == step);
            return Ok(here.map(|(_, id, word)| format!("{id}: {word}")).collect::<Vec<_>>().join("; "));
        };
        let roll = rolls::roll(ahead, &faces, run.records.len(), &tickets, &mut found.runs)?;
        faces.extend(&middle(&roll)?.faces);
    }
    Ok(String::new())
}
