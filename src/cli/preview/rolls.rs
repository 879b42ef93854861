//! The next roll and everything it can show, found by asking the engine: faces go in, the event that follows comes out.

use std::collections::BTreeMap;

use super::source::Ahead;
use crate::books::honor::naval::{Event, Naval};
use crate::error::{Error, Result};
use crate::play::{Halt, Need, Record, Run, Ticket};

/// Dice one roll can have: as many as a whole line of play.
const MOST: usize = super::odds::DICE as usize;

/// What follows a roll, whatever the faces behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    /// In words: `2 hits`.
    pub outcome: String,
    /// Faces that bring it, one example.
    pub faces: Vec<u32>,
    /// How many of all the throws of these dice bring it.
    pub ways: u128,
}

/// One roll.
pub(super) struct Roll {
    /// The event behind it, of one of the branches.
    pub event: Event,
    /// Dice thrown.
    pub dice: u32,
    /// What it can bring, the fewest hits first.
    pub branches: Vec<Branch>,
}

/// The dice a run stopped for; none if it stopped for something else or the turn is over.
pub(super) fn waits_for(run: &Run<Naval>) -> Result<Option<Vec<Ticket>>> {
    let over = run.records.iter().any(|r| matches!(r, Record::Event(Event::TurnEnded { .. } | Event::GameOver { .. })));
    match &run.halt {
        _ if over => Ok(None),
        Halt::Needs(needs) => Ok(needs.iter().find_map(|need| match need {
            Need::Roll { tickets } => Some(tickets.clone()),
            _ => None,
        })),
        Halt::Over => Ok(None),
        Halt::Refused { slot, .. } => Err(Error::new(format!("the rules refuse `{slot}`"))),
        Halt::Bug(bug) => Err(Error::new(format!("this is a defect of the program: {bug}"))),
    }
}

/// Everything the next roll can bring. `runs` counts runs of the engine.
pub(super) fn roll(ahead: &Ahead<'_>, faces: &[u32], told: usize, tickets: &[Ticket], runs: &mut u32) -> Result<Roll> {
    let mut after = |own: &[u32]| -> Result<Event> {
        *runs += 1;
        let run = ahead.run(&[faces, own].concat());
        let events = run.records.iter().skip(told);
        let first = events.filter_map(|r| if let Record::Event(e) = r { Some(e.clone()) } else { None }).next();
        first.ok_or_else(|| Error::new("a roll without an event: a defect of the program"))
    };
    let dice = tickets.len();
    if dice > MOST {
        return Err(Error::new(format!("a roll of {dice} dice is too large to look ahead at: the most is {MOST}")));
    }
    let stem = |t: &Ticket| t.name.rsplit_once('/').map_or("", |(stem, _)| stem).to_owned();
    let stems: Vec<String> = tickets.iter().map(stem).collect();
    let mut event = after(&vec![1; dice])?;
    let one_stem = stems.windows(2).all(|w| w[0] == w[1]);
    let counted = if one_stem { count(dice, &mut after)? } else { None };
    let branches = match counted {
        Some(branches) => branches,
        None if dice <= 6 => every(&stems, &mut after)?,
        None => return Err(Error::new("a roll of a kind that cannot be looked ahead at: a defect of the program")),
    };
    if let Some(last) = branches.last() {
        event = after(&last.faces)?;
    }
    Ok(Roll { event, dice: u32::try_from(dice).unwrap_or(u32::MAX), branches })
}

/// Dice of one kind that each hit or miss by themselves: which faces hit is what the engine says of dice that all show
/// the same, and each number of hits is tried.
fn count(dice: usize, after: &mut dyn FnMut(&[u32]) -> Result<Event>) -> Result<Option<Vec<Branch>>> {
    let (mut hit, mut miss) = (Vec::new(), Vec::new());
    for face in 1..=6 {
        match hits(&after(&vec![face; dice])?).map(usize::from) {
            Some(0) => miss.push(face),
            Some(n) if n == dice => hit.push(face),
            _ => return Ok(None),
        }
    }
    let mut branches = Vec::new();
    for n in 0..=dice {
        let (Some(good), Some(bad)) = (hit.last().or(miss.last()), miss.first().or(hit.first())) else {
            return Ok(None);
        };
        let faces = [vec![*good; n], vec![*bad; dice - n]].concat();
        let event = after(&faces)?;
        if hits(&event).map(usize::from) != Some(n) {
            continue;
        }
        let ways = choose(dice, n) * (hit.len() as u128).pow(n as u32) * (miss.len() as u128).pow((dice - n) as u32);
        branches.push(Branch { outcome: outcome(&event), faces, ways });
    }
    Ok(Some(branches))
}

/// Every throw, dice of one stem in rising order: they stand for each other.
fn every(stems: &[String], after: &mut dyn FnMut(&[u32]) -> Result<Event>) -> Result<Vec<Branch>> {
    let mut found: BTreeMap<String, Branch> = BTreeMap::new();
    let mut faces = vec![1u32; stems.len()];
    loop {
        let rising = (1..faces.len()).all(|i| stems[i] != stems[i - 1] || faces[i] >= faces[i - 1]);
        if rising {
            let word = outcome(&after(&faces)?);
            let branch = Branch { outcome: word.clone(), faces: faces.clone(), ways: 0 };
            found.entry(word).or_insert(branch).ways += orders(stems, &faces);
        }
        let Some(at) = faces.iter().rposition(|f| *f < 6) else { break };
        faces[at] += 1;
        faces.iter_mut().skip(at + 1).for_each(|f| *f = 1);
    }
    Ok(found.into_values().collect())
}

/// In how many orders faces can fall, each stem by itself.
fn orders(stems: &[String], faces: &[u32]) -> u128 {
    let mut all = 1;
    for stem in stems.iter().collect::<std::collections::BTreeSet<_>>() {
        let of = |face: u32| stems.iter().zip(faces).filter(|(s, f)| *s == stem && **f == face).count();
        let mut left: usize = (1..=6).map(of).sum();
        for face in 1..=6 {
            all *= choose(left, of(face));
            left -= of(face);
        }
    }
    all
}

/// Binomial coefficient.
fn choose(n: usize, k: usize) -> u128 {
    (0..k).fold(1, |c, i| c * (n - i) as u128 / (i + 1) as u128)
}

fn hits(event: &Event) -> Option<u8> {
    match event {
        Event::Fired { hits, .. } | Event::Melee { hits, .. } => Some(*hits),
        _ => None,
    }
}

/// What an event comes to, without the faces behind it.
fn outcome(event: &Event) -> String {
    let plural = |n: u8| if n == 1 { "1 hit".to_owned() } else { format!("{n} hits") };
    match event {
        Event::Fired { hits, .. } => plural(*hits),
        Event::Melee { hits, enemy_left, .. } => format!("{} ({enemy_left} left)", plural(*hits)),
        Event::Contest { boarder, .. } => format!("the {boarder} side may try"),
        Event::Attempt { boarded, .. } => if *boarded { "boarded" } else { "not boarded" }.to_owned(),
        other => format!("{other:?}"),
    }
}
