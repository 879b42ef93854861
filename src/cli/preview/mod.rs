//! `orders preview`: what orders would do for each result of each roll before the player is asked again. The engine
//! plays every line; nothing here knows a rule.

mod land;
mod odds;
mod rolls;
mod source;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::play::{self, game, owner};
use super::{Done, Errors, Outcome};
use crate::books::honor::naval::{Event, Naval, ShipId, State};
use crate::catalog::NavalGame;
use crate::doc::{in_plain_words, yaml};
use crate::draft::{self as drafts, Draft};
use crate::error::Error;
use crate::log::Intent;
use crate::play::{Halt, Need, Run, Want};
use crate::seal::seal;
use crate::side::{Seat, Side};
use crate::store::{self, Folder, Table};
use odds::{Fact, Found, WHOLE};
use rolls::Roll;
use source::{Ahead, assumed};

/// Flags of `orders preview`.
#[derive(Debug, Args)]
pub struct PreviewArgs {
    /// Your orders.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Orders to assume of your opponent, written like your own (seat and step in it do not matter); without them he
    /// is taken to stop at every marker, to hold his fire and not to board. On land his orders are tried after yours; without
    /// them each attack he could make is tried by itself.
    #[arg(long, value_name = "FILE")]
    enemy: Option<PathBuf>,
}

/// `orders preview`.
pub(super) fn preview(here: &Path, args: &PreviewArgs) -> Outcome {
    let file = super::args::orders_file(here, args.file.clone());
    let folder = Folder::open(here)?;
    let table = game(&folder)?;
    let seat = owner(&table)?;
    if let Some(done) = play::nothing_to_order(&table, seat) {
        return Ok(done);
    }
    let intent = play::read_orders(&table, &file, &play::orders_text(&file)?)?;
    if let (Some(side), Some(game)) = (seat.side(), table.history.game.land()) {
        land::preview(game, side, intent.answers.into_iter().collect(), args.enemy.as_deref())?;
        return Ok(Done::Fine);
    }
    let (Some(side), Some(naval)) = (seat.side(), table.history.game.naval()) else {
        return Err(Error::misuse("this program has no preview of that book").into());
    };
    let mut ahead = ahead_of(&folder, &table, naval, seat, side)?;
    for (slot, content) in intent.answers {
        put(&table, &mut ahead, &slot, &content)?;
    }
    let against = match &args.enemy {
        Some(file) => {
            for (slot, content) in enemy(&table, side.other(), file)? {
                put(&table, &mut ahead, &slot, &content)?;
            }
            format!("against the orders in {}", file.display())
        }
        None => "against an enemy who stops at every marker, holds his fire and does not board".to_owned(),
    };
    let state = naval.played.state();
    println!("PREVIEW - your orders {against}. Nothing is signed.");
    for warning in leaves(&ahead, side) {
        println!("WARNING: {warning}");
    }
    let found = odds::look(&ahead, &|run, roll| title(state, run, roll))?;
    tell(state, &ahead, &found);
    Ok(Done::Fine)
}

/// What is known and assumed before the player's new orders.
fn ahead_of<'a>(
    folder: &Folder,
    table: &'a Table,
    naval: &'a NavalGame,
    seat: Seat,
    side: Side,
) -> Result<Ahead<'a>, Errors> {
    let mut ahead = Ahead {
        from: naval.played.checkpoint(),
        inputs: naval.played.inputs(),
        parts: assumptions(table, side.other()),
        answers: BTreeMap::new(),
    };
    ahead.parts.extend(own_seals(folder, table, seat)?);
    Ok(ahead)
}

/// What a player should know before he signs: that his own plot takes a ship off the board (NAV-1.1). The enemy is taken to
/// stop, and no shot to hit.
pub(super) fn warnings(folder: &Folder, table: &Table, seat: Seat, intent: &Intent) -> Result<Vec<String>, Errors> {
    let (Some(side), Some(naval)) = (seat.side(), table.history.game.naval()) else { return Ok(Vec::new()) };
    let mut ahead = ahead_of(folder, table, naval, seat, side)?;
    for (slot, content) in &intent.answers {
        put(table, &mut ahead, slot, content)?;
    }
    Ok(leaves(&ahead, side))
}

fn leaves(ahead: &Ahead<'_>, side: Side) -> Vec<String> {
    let run = ahead.run(&[1; 400]);
    let own = |id: &ShipId| run.state.ships.iter().any(|s| s.id == *id && s.side == side);
    let left = odds::events(&run).filter_map(|event| match event {
        Event::Left { ship, from, .. } if own(ship) => {
            Some(format!("{} sails off the board from {from}, if nothing stops it.", name(&run.state, ship)))
        }
        _ => None,
    });
    left.collect()
}

/// Puts an answer where the engine looks for it: sealed ones part by part.
fn put(table: &Table, ahead: &mut Ahead<'_>, slot: &str, content: &str) -> Result<(), Errors> {
    let sealed = table.history.wants().iter().any(|w| matches!(w, Want::Seal { slot: s, .. } if s == slot));
    if !sealed {
        ahead.answers.insert(slot.to_owned(), content.to_owned());
        return Ok(());
    }
    let split = table.history.game.game().split(slot, content);
    let parts = split.map_err(|r| r.iter().map(|r| Error::new(in_plain_words(&r.to_string()))).collect::<Vec<_>>())?;
    ahead.parts.extend(parts);
    Ok(())
}

/// What is assumed of a side: of the plot it is asked for, or of what it has sealed and not opened.
fn assumptions(table: &Table, side: Side) -> BTreeMap<String, String> {
    let asked = table.history.wants().iter().flat_map(|want| match want {
        Want::Seal { side: of, parts, .. } if *of == side => parts.clone(),
        _ => Vec::new(),
    });
    let sealed = table.history.unopened().iter().filter(|(_, open)| open.seat == Seat::from(side));
    asked.chain(sealed.map(|(slot, _)| slot.clone())).map(|slot| (slot.clone(), assumed(&slot))).collect()
}

/// The player's own sealed orders, which only his folder knows.
fn own_seals(folder: &Folder, table: &Table, seat: Seat) -> Result<BTreeMap<String, String>, Errors> {
    let secrets = folder.secrets()?;
    let mut parts = BTreeMap::new();
    for (slot, open) in table.history.unopened().iter().filter(|(_, open)| open.seat == seat) {
        let fits = |o: &&crate::seal::Opening| seal(&table.history.terms.game, seat, open.step, slot, o) == open.seal;
        if let Some(opening) = secrets.0.get(slot).into_iter().flatten().find(fits) {
            parts.insert(slot.clone(), opening.content.clone());
        }
    }
    Ok(parts)
}

/// The enemy's answers out of a file like the player's own.
fn enemy(table: &Table, side: Side, file: &Path) -> Result<Vec<(String, String)>, Errors> {
    let name = file.display().to_string();
    let draft: Draft = yaml::read(&store::read_text(file)?, &name, drafts::LARGEST)?;
    let answers = drafts::answers(&table.history, side, &draft);
    let mut faults = Vec::new();
    let mut given = Vec::new();
    for answer in answers {
        let refused = answer.refusals.iter().map(|r| Error::new(in_plain_words(&r.to_string())).in_file(&name));
        faults.extend(refused);
        given.extend(answer.content.map(|content| (answer.slot, content)));
    }
    if faults.is_empty() && given.is_empty() {
        faults.push(
            Error::misuse("your opponent is asked nothing that this file answers")
                .next("leave --enemy out: what he has sealed already is taken as stop and hold"),
        );
    }
    if faults.is_empty() { Ok(given) } else { Err(faults.into()) }
}

fn name(state: &State, id: &ShipId) -> String {
    state.ship(id).map_or_else(|| id.0.clone(), |s| s.name.clone())
}

fn need(hits_on: u8) -> String {
    if hits_on >= 6 { "6".to_owned() } else { format!("{hits_on}-6") }
}

fn dice(n: usize) -> String {
    if n == 1 { "1 die".to_owned() } else { format!("{n} dice") }
}

/// What is rolled, in words, from the event behind it.
fn title(state: &State, run: &Run<Naval>, roll: &Roll) -> String {
    match &roll.event {
        Event::Fired { ship, broadside, target, faces, hits_on, .. } => {
            let aim = odds::events(run).filter_map(|e| match e {
                Event::Declared { ship: s, broadside: b, range, crossing, .. } if s == ship && b == broadside => {
                    Some((*range, *crossing))
                }
                _ => None,
            });
            let (range, crossing) = aim.last().unwrap_or_default();
            format!(
                "{}, {} broadside, at {}: {}{}, {}, needs {}",
                name(state, ship),
                format!("{broadside:?}").to_lowercase(),
                name(state, target),
                if range == 1 { "1 hex".to_owned() } else { format!("{range} hexes") },
                if crossing { ", crossing the T" } else { "" },
                dice(faces.len()),
                need(*hits_on)
            )
        }
        Event::Contest { bonus, healthier, .. } => {
            format!("Both wish to board: who may try (2 dice each{})", plus(*healthier, *bonus))
        }
        Event::Attempt { boarder, bonus, healthier, .. } => {
            format!(
                "The {boarder} side tries to board (2 dice each{}, a lead of 7 is needed)",
                plus(*healthier, *bonus)
            )
        }
        Event::Melee { exchange, side, faces, hits_on, .. } => {
            format!(
                "Battle aboard, exchange {exchange}: the {side} side, {}, needs {}",
                dice(faces.len()),
                need(*hits_on)
            )
        }
        other => format!("{other:?}"),
    }
}

fn plus(healthier: Option<Side>, bonus: u8) -> String {
    healthier.map_or_else(String::new, |side| format!(", the {side} side adds {bonus}"))
}

/// Odds as a fraction in lowest terms.
fn fraction(part: u128, of: u128) -> String {
    let (mut a, mut b) = (part, of);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let a = a.max(1);
    let (a, b) = (part / a, of / a);
    // Tenths of a per cent, rounded: a large fraction says nothing to the eye. Shares of 6 to the power of 48 leave no room
    // to multiply; what is cut off below is far smaller than a tenth.
    let (mut share, mut whole) = (a, b.max(1));
    while whole > u128::MAX / 2_000 {
        (share, whole) = (share / 6, whole / 6);
    }
    let tenths = (share * 1_000 + whole / 2) / whole;
    let about = format!("about {}.{} in 100", tenths / 10, tenths % 10);
    match b {
        0..=1296 => format!("{a}/{b}"),
        1297..=1_000_000_000 => format!("{a}/{b} ({about})"),
        _ => about,
    }
}

/// Prints what was found, marker by marker.
fn tell(state: &State, ahead: &Ahead<'_>, found: &Found) {
    if found.single {
        println!(
            "There are more lines of play than {} runs can follow: every roll is shown by itself, all others at their middle result.",
            odds::RUNS
        );
    }
    let first = state.step.max(1);
    let reached = found.rolls.keys().map(|(step, _)| *step).chain(found.ships.keys().map(|(step, _)| *step)).max();
    let last = state.steps().max(reached.unwrap_or(0));
    for step in first..=last {
        println!("\nMarker {step}");
        let mut rolls: Vec<(&String, &Fact)> =
            found.rolls.iter().filter(|((s, _), _)| *s == step).map(|((_, title), fact)| (title, fact)).collect();
        rolls.sort_by_key(|(_, fact)| fact.order);
        let made = !rolls.is_empty();
        if !made {
            println!("  no shot and no boarding");
        }
        for (title, fact) in rolls {
            println!("  {title}");
            if fact.made < WHOLE {
                println!("    rolled in {} of all cases; then:", fraction(fact.made, WHOLE));
            }
            for (word, part) in &fact.results {
                println!("    {word:<18} {}", fraction(*part, fact.made));
            }
        }
        for ((_, id), results) in found.ships.iter().filter(|((s, _), _)| *s == step && made) {
            let told: u128 = results.values().sum();
            let untouched = WHOLE.saturating_sub(told).saturating_sub(found.cut);
            println!("  {} after this marker:", name(state, id));
            for (word, part) in results {
                println!("    {word:<18} {}", fraction(*part, WHOLE));
            }
            if untouched > 0 {
                println!("    {:<18} {}", "as she is now", fraction(untouched, WHOLE));
            }
        }
    }
    if found.cut > 0 {
        println!(
            "\nLines of play rarer than 1 in {}, or with more than {} dice, are not followed: {} in all.",
            odds::RARE,
            odds::DICE,
            fraction(found.cut, WHOLE)
        );
    }
    if let Halt::Needs(needs) = &ahead.run(&[]).halt
        && needs.iter().any(|n| matches!(n, Need::Decide(_)))
    {
        println!("\nAfter that somebody is asked again (REACT), before anything further is played.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_large_whole_are_told_in_hundredths() {
        let share = |part: u128, of: u128| fraction(WHOLE / of * part, WHOLE);
        assert_eq!(share(1, 6), "1/6");
        assert_eq!(share(881, 3888), "881/3888 (about 22.7 in 100)");
        assert_eq!(share(7099, 7776), "7099/7776 (about 91.3 in 100)");
        assert_eq!(fraction(WHOLE - 1, WHOLE), "about 100.0 in 100");
        assert_eq!(fraction(1, WHOLE), "about 0.0 in 100");
        assert_eq!(fraction(WHOLE / 2 + 1, WHOLE), "about 50.0 in 100");
    }
}
