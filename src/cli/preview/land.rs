//! The look ahead on land: what a list of orders does for each result of each roll, and what standing orders would answer
//! to each attack the enemy could make after it. The engine plays every line; nothing here knows a rule.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use super::odds::Fact;
use crate::books::honor::land::{
    Advance, Attack, Event, Fate, HalfTurn, Land, LandStage, Order, OrdersQuestion, State, coming, listing,
};
use crate::catalog::LandGame;
use crate::cli::Errors;
use crate::cli::whatif::in_words;
use crate::doc::yaml;
use crate::draft::{self as drafts, Draft};
use crate::error::{Error, Result};
use crate::play::{
    Asked, Checkpoint, Halt, Inputs, Need, Question as _, Record, Run, Source, Ticket, advance, to_content,
};
use crate::report::land::lines;
use crate::side::Side;
use crate::store;

/// Certainty: parts of six to this power, as many dice as a line of play can have here.
const DICE: u32 = 48;
const WHOLE: u128 = 6u128.pow(DICE);
/// Runs of the engine before the whole tree is given up for one roll after the other.
const RUNS: u32 = 12_000;
/// Lines of play rarer than one in this many are not followed.
const RARE: u128 = 20_000;

/// A position with the answers that are given or tried.
struct Ahead {
    from: Checkpoint<Land>,
    inputs: Inputs,
    answers: BTreeMap<String, String>,
}

impl Ahead {
    fn run(&self, faces: &[u32]) -> Run<Land> {
        advance(&self.from, &mut Laid { ahead: self, faces })
    }
}

struct Laid<'a> {
    ahead: &'a Ahead,
    faces: &'a [u32],
}

impl Source<Land> for Laid<'_> {
    fn answer(&mut self, ask: &Rc<dyn Asked<Land>>, _state: &State) -> Option<(u64, String)> {
        let slot = ask.slot();
        let known = self.ahead.inputs.answers.get(&slot).cloned();
        known.or_else(|| self.ahead.answers.get(&slot).map(|content| (0, content.clone())))
    }
    fn sealed(&mut self, _ask: &Rc<dyn Asked<Land>>, _state: &State) -> Option<u64> {
        None
    }
    fn opened(&mut self, _slot: &str) -> Option<String> {
        None
    }
    fn die(&mut self, _step: u64, _ticket: &Ticket) -> Option<u32> {
        let (first, rest) = self.faces.split_first()?;
        self.faces = rest;
        Some(*first)
    }
}

/// The dice a run stopped for; none if it stopped for something else, or the half-turn is over.
fn waits_for(run: &Run<Land>) -> Result<Option<Vec<Ticket>>> {
    let over =
        run.records.iter().any(|r| matches!(r, Record::Event(Event::HalfTurnEnded { .. } | Event::GameOver { .. })));
    match &run.halt {
        _ if over => Ok(None),
        Halt::Needs(needs) => Ok(needs.iter().find_map(|need| match need {
            Need::Roll { tickets } => Some(tickets.clone()),
            _ => None,
        })),
        Halt::Over => Ok(None),
        Halt::Refused { slot, refusals, .. } => {
            let why = refusals.iter().map(|r| crate::doc::in_plain_words(&r.to_string())).collect::<Vec<_>>();
            Err(Error::new(format!("the rules refuse `{slot}`: {}", why.join("; "))))
        }
        Halt::Bug(bug) => Err(Error::new(format!("this is a defect of the program: {bug}"))),
    }
}

/// What a roll brings, whatever the faces behind it.
struct Branch {
    words: String,
    faces: Vec<u32>,
    ways: u128,
}

/// An event without the faces, which tell two throws apart that come to the same.
fn bare(event: &Event) -> Event {
    let mut event = event.clone();
    match &mut event {
        Event::Rolled { faces, .. } => faces.clear(),
        Event::Checked { roll, .. }
        | Event::Steadied { roll, .. }
        | Event::Survival { roll, .. }
        | Event::LeaderRolled { roll, .. }
        | Event::ActionPoints { roll, .. } => *roll = 0,
        _ => {}
    }
    event
}

/// What a roll came to, and all that follows up to the next stop, in one line.
fn told(from: &State, run: &Run<Land>, skip: usize) -> String {
    let mut words = Vec::new();
    for (n, (record, line)) in run.records.iter().zip(lines(from, &run.records)).enumerate() {
        let next = match record {
            _ if n < skip => continue,
            Record::Event(Event::HalfTurnEnded { .. }) => break,
            Record::Event(Event::Rolled { hits, .. }) => match hits {
                0 => "no hit".to_owned(),
                1 => "1 hit".to_owned(),
                n => format!("{n} hits"),
            },
            Record::Event(Event::Checked { stands, .. }) => if *stands { "stands" } else { "fails" }.to_owned(),
            Record::Event(Event::Steadied { passed, .. }) => if *passed { "goes in" } else { "fails" }.to_owned(),
            Record::Event(Event::Survival { ignored, .. }) => if *ignored { "survives" } else { "does not" }.to_owned(),
            Record::Event(Event::LeaderRolled { roll, .. }) => if *roll == 1 { "" } else { "unhurt" }.to_owned(),
            // The next attack is told with its own dice, and what the points come to is told at the end.
            Record::Event(Event::Attacked { .. }) => String::new(),
            Record::Event(Event::Scored { side, points, .. }) => format!("the {side} side scores {points}"),
            _ => without_rule(line.trim()),
        };
        if !next.is_empty() {
            words.push(next);
        }
    }
    words.join("; ")
}

/// Words behind a figure, broken into lines of a terminal below each other.
fn folded(figure: &str, words: &str) -> String {
    let mut out = format!("    {figure:>16}  ");
    let mut width = out.chars().count();
    for (n, part) in words.split("; ").enumerate() {
        if n > 0 && width + part.chars().count() > 100 {
            out.push_str(";\n                        ");
            width = 24;
        } else if n > 0 {
            out.push_str("; ");
            width += 2;
        }
        out.push_str(part);
        width += part.chars().count();
    }
    out
}

fn without_rule(line: &str) -> String {
    line.rsplit_once(" [").map_or(line, |(words, _)| words).trim_end_matches(['.', ' ']).to_owned()
}

/// Everything the next roll can bring: every throw, dice of one name standing for each other.
fn branches(ahead: &Ahead, faces: &[u32], skip: usize, tickets: &[Ticket], runs: &mut u32) -> Vec<Branch> {
    let stem = |t: &Ticket| t.name.rsplit_once('/').map_or(String::new(), |(stem, _)| stem.to_owned());
    let stems: Vec<String> = tickets.iter().map(stem).collect();
    let mut found: BTreeMap<String, Branch> = BTreeMap::new();
    let mut own = vec![1u32; tickets.len()];
    loop {
        if (1..own.len()).all(|i| stems[i] != stems[i - 1] || own[i] >= own[i - 1]) {
            *runs += 1;
            let run = ahead.run(&[faces, &own].concat());
            let events = run.records.iter().skip(skip).filter_map(|record| match record {
                Record::Event(event) => Some(to_content(&bare(event))),
                Record::Took { content, .. } => Some(content.clone()),
                _ => None,
            });
            let halt = if let Halt::Needs(needs) = &run.halt { format!("{needs:?}") } else { String::new() };
            let key = format!("{}{halt}", events.collect::<String>());
            let words = || told(&ahead.from.state, &run, skip);
            let branch = found.entry(key).or_insert_with(|| Branch { words: words(), faces: own.clone(), ways: 0 });
            branch.ways += orders(&stems, &own);
        }
        let Some(at) = own.iter().rposition(|face| *face < 6) else { break };
        own[at] += 1;
        own.iter_mut().skip(at + 1).for_each(|face| *face = 1);
    }
    let mut all: Vec<Branch> = found.into_values().collect();
    all.sort_by(|a, b| a.faces.cmp(&b.faces));
    all
}

/// In how many orders faces can fall, dice of each name by themselves.
fn orders(stems: &[String], faces: &[u32]) -> u128 {
    let factorial = |n: usize| (1..=n as u128).product::<u128>();
    let mut groups: BTreeMap<&String, Vec<u32>> = BTreeMap::new();
    for (stem, face) in stems.iter().zip(faces) {
        groups.entry(stem).or_default().push(*face);
    }
    let one = |group: &Vec<u32>| {
        let same = (1..=6).map(|face| factorial(group.iter().filter(|f| **f == face).count())).product::<u128>();
        factorial(group.len()) / same
    };
    groups.values().map(one).product()
}

/// What was found: rolls by name, and how pieces end.
#[derive(Default)]
struct Found {
    rolls: BTreeMap<String, Fact>,
    ends: BTreeMap<String, BTreeMap<String, u128>>,
    asks: BTreeMap<String, u128>,
    cut: u128,
    runs: u32,
    single: bool,
}

impl Found {
    fn note(&mut self, tickets: &[Ticket], branches: &[Branch], weight: u128) {
        let order = self.rolls.len();
        let fact = self.rolls.entry(title(tickets)).or_insert_with(|| Fact { order, ..Fact::default() });
        fact.made += weight;
        let whole = 6u128.pow(u32::try_from(tickets.len()).unwrap_or(1));
        for branch in branches {
            let part = weight / whole * branch.ways;
            match fact.results.iter_mut().find(|(words, _)| *words == branch.words) {
                Some((_, sum)) => *sum += part,
                None => fact.results.push((branch.words.clone(), part)),
            }
        }
    }

    fn leaf(&mut self, before: &State, run: &Run<Land>, weight: u128) {
        let ended = run.records.iter().any(|r| matches!(r, Record::Event(Event::HalfTurnEnded { .. })));
        if let (false, Halt::Needs(needs)) = (ended, &run.halt) {
            for need in needs {
                *self.asks.entry(in_words(need)).or_default() += weight;
            }
        }
        for (was, is) in before.units.iter().zip(&run.state.units).filter(|(was, is)| differs(was, is)) {
            let word = match (is.fate, is.hex) {
                (Fate::Eliminated, _) => "eliminated".to_owned(),
                (_, Some(hex)) => format!("in {}, MP {}", run.state.label(hex), is.mp),
                (_, None) => "to come".to_owned(),
            };
            *self.ends.entry(was.name.clone()).or_default().entry(word).or_default() += weight;
        }
        for (was, is) in
            before.leaders.iter().zip(&run.state.leaders).filter(|(a, b)| (a.fate, a.hex) != (b.fate, b.hex))
        {
            let word = is.hex.map_or("lost".to_owned(), |hex| format!("in {}", run.state.label(hex)));
            *self.ends.entry(was.name.clone()).or_default().entry(word).or_default() += weight;
        }
    }
}

fn differs(was: &crate::books::honor::land::Unit, is: &crate::books::honor::land::Unit) -> bool {
    (was.fate, was.hex, was.mp, was.formation) != (is.fate, is.hex, is.mp, is.formation)
}

/// What is rolled, by the name of its dice: `t1/american/1/dice/1` is the attack of activation 1.
fn title(tickets: &[Ticket]) -> String {
    let name = tickets.first().map_or("", |t| t.name.as_str());
    let parts: Vec<&str> = name.split('/').collect();
    let count = tickets.len();
    let what = match parts.as_slice() {
        [_, side, "points"] => return format!("action points of the {side} side"),
        [_, _, _, "dice", _] => format!("the attack, {count} {}", if count == 1 { "die" } else { "dice" }),
        [_, _, _, "morale", unit] => format!("{unit} checks"),
        [_, _, _, "charge"] => "the attacker checks".to_owned(),
        [_, _, _, "survival", n] => format!("an elite may ignore hit {n}"),
        [_, _, _, "leader"] => "the leader under fire".to_owned(),
        _ => name.to_owned(),
    };
    let act: u32 = parts.get(2).and_then(|n| n.parse().ok()).unwrap_or(0);
    format!("activation {act}: {what}")
}

fn look(ahead: &Ahead) -> Result<Found> {
    let mut found = Found::default();
    if walk(ahead, &mut Vec::new(), WHOLE, &mut found)? {
        return Ok(found);
    }
    let mut found = Found { single: true, ..Found::default() };
    one_by_one(ahead, &mut found)?;
    Ok(found)
}

/// One node of the tree. Whether the bound still holds.
fn walk(ahead: &Ahead, faces: &mut Vec<u32>, weight: u128, found: &mut Found) -> Result<bool> {
    let run = ahead.run(faces);
    found.runs += 1;
    let Some(tickets) = waits_for(&run)? else {
        found.leaf(&ahead.from.state, &run, weight);
        return Ok(true);
    };
    if weight < WHOLE / RARE || faces.len() + tickets.len() > DICE as usize {
        found.cut += weight;
        return Ok(true);
    }
    let all = branches(ahead, faces, run.records.len(), &tickets, &mut found.runs);
    found.note(&tickets, &all, weight);
    if found.runs > RUNS {
        return Ok(false);
    }
    let whole = 6u128.pow(u32::try_from(tickets.len()).unwrap_or(1));
    for branch in &all {
        let before = faces.len();
        faces.extend(&branch.faces);
        let within = walk(ahead, faces, weight / whole * branch.ways, found)?;
        faces.truncate(before);
        if !within {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The likeliest branch.
fn likeliest(all: &[Branch]) -> Result<&Branch> {
    let best = all.iter().max_by_key(|branch| branch.ways);
    best.ok_or_else(|| Error::new("a roll without a result: a defect of the program"))
}

/// Every roll by itself, all others at their likeliest result.
fn one_by_one(ahead: &Ahead, found: &mut Found) -> Result<()> {
    let mut faces = Vec::new();
    loop {
        let run = ahead.run(&faces);
        let Some(tickets) = waits_for(&run)? else {
            found.leaf(&ahead.from.state, &run, WHOLE);
            return Ok(());
        };
        let all = branches(ahead, &faces, run.records.len(), &tickets, &mut found.runs);
        found.note(&tickets, &all, WHOLE);
        faces.extend(&likeliest(&all)?.faces);
    }
}

/// The run in which every roll has its likeliest result.
fn usual(ahead: &Ahead) -> Result<Run<Land>> {
    let mut faces = Vec::new();
    loop {
        let run = ahead.run(&faces);
        let Some(tickets) = waits_for(&run)? else { return Ok(run) };
        let all = branches(ahead, &faces, run.records.len(), &tickets, &mut 0);
        faces.extend(&likeliest(&all)?.faces);
    }
}

/// Odds as a player reads them: `57.9 in 100`.
fn in_hundred(part: u128, of: u128) -> String {
    // Shares of 6 to the power of 48 leave no room to multiply; what is cut off is far smaller than a tenth.
    let (mut share, mut whole) = (part, of.max(1));
    while whole > u128::MAX / 2_000 {
        (share, whole) = (share / 6, whole / 6);
    }
    let tenths = (share * 1_000 + whole / 2) / whole;
    match tenths {
        0 if part > 0 => "under 0.1 in 100".to_owned(),
        1000 if part < of => "over 99.9 in 100".to_owned(),
        1000 => "always".to_owned(),
        _ => format!("{}.{} in 100", tenths / 10, tenths % 10),
    }
}

fn tell(found: &Found) {
    if found.single {
        println!(
            "There are too many lines of play to follow: every roll is shown by itself, all others at their likeliest result."
        );
    }
    let mut rolls: Vec<(&String, &Fact)> = found.rolls.iter().collect();
    rolls.sort_by_key(|(_, fact)| fact.order);
    if rolls.is_empty() {
        println!("  No dice are rolled.");
    }
    for (title, fact) in rolls {
        println!("  {title}");
        if fact.made < WHOLE {
            println!("    rolled in {} of all cases; then:", in_hundred(fact.made, WHOLE));
        }
        for (words, part) in &fact.results {
            println!("{}", folded(&in_hundred(*part, fact.made), words));
        }
    }
    let untouched = |told: u128| WHOLE.saturating_sub(told).saturating_sub(found.cut);
    for (name, results) in &found.ends {
        println!("  {name} afterwards:");
        for (word, part) in results {
            println!("    {:>16}  {word}", in_hundred(*part, WHOLE));
        }
        let left = untouched(results.values().sum());
        if left > 0 {
            println!("    {:>16}  as it is now", in_hundred(left, WHOLE));
        }
    }
    for (need, part) in &found.asks {
        println!("  {}: {need}", in_hundred(*part, WHOLE));
    }
    if found.cut > 0 {
        println!("  Rare lines of play are not followed: {} in all.", in_hundred(found.cut, WHOLE));
    }
}

/// The preview of a land player's answer.
pub(super) fn preview(
    game: &LandGame,
    side: Side,
    answers: BTreeMap<String, String>,
    enemy: Option<&Path>,
) -> std::result::Result<(), Errors> {
    let ahead = Ahead { from: game.played.checkpoint().clone(), inputs: game.played.inputs().clone(), answers };
    println!("PREVIEW - your orders for each result of each roll. Nothing is signed.");
    tell(&look(&ahead)?);
    let run = usual(&ahead)?;
    if !run.records.iter().any(|r| matches!(r, Record::Event(Event::HalfTurnEnded { .. }))) {
        println!("\nYou or your opponent are asked again before the half-turn is over.");
        return Ok(());
    }
    // What comes after it, with the standing orders just given.
    let foe = side.other();
    let state = coming(&run.state, foe);
    let stage = LandStage::Orders { side: foe, part: 1 };
    let standing = run.checkpoint.standing.clone();
    let turn = state.turn;
    let from: Checkpoint<Land> = Checkpoint { stage, state: Rc::new(state), standing, step: run.checkpoint.step };
    let slot = OrdersQuestion { side: foe, turn, part: 1 }.slot();
    let theirs = from.standing.get(foe).clone();
    let ahead = |orders: Vec<Order>| Ahead {
        from: from.clone(),
        inputs: Inputs::default(),
        answers: BTreeMap::from([(slot.clone(), to_content(&HalfTurn { orders, standing: theirs.clone() }))]),
    };
    if let Some(file) = enemy {
        println!("\nTHEN - the orders in {}, with the most action points the enemy can have:", file.display());
        let name = file.display().to_string();
        let draft: Draft = yaml::read(&store::read_text(file)?, &name, drafts::LARGEST)?;
        let orders = draft.orders.ok_or_else(|| Error::new("there are no `orders` in it").in_file(name))?;
        tell(&look(&ahead(orders))?);
        return Ok(());
    }
    println!(
        "\nTHEN - each attack the enemy could make as things would stand (your rolls at their likeliest), and what your standing orders answer:"
    );
    let mut any = false;
    for unit in from.state.units.iter().filter(|u| u.side == foe && u.on_board()) {
        let Some(list) = listing(&from.state, &unit.id) else { continue };
        for target in list.fire.iter().chain(&list.close_combat) {
            any = true;
            let (unit, at) = (list.piece.clone(), target.hex.clone());
            let (order, what) = match target.by {
                Attack::Fire => (Order::Fire { unit, at, support: None, advance: Advance::Stay }, "fires at"),
                Attack::CloseCombat => (
                    Order::CloseCombat { unit, at, advance: Advance::Go, support: None, repulsed: None },
                    "attacks in close combat",
                ),
            };
            println!("\n{} {what} {}", list.name, target.hex);
            tell(&look(&ahead(vec![order]))?);
        }
    }
    if !any {
        println!("  None.");
    }
    Ok(())
}
