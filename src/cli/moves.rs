//! `moves`: what a piece may do, what it cannot and by which rule, and the odds of its attacks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::seen::{Seen, look};
use super::{Done, Format, Outcome, format};
use crate::books::honor::land::{
    Action, Attack, Fate, Id, Land, LandStage, Listing, Order, Reason, State, Target, Way, coming, listing,
};
use crate::books::honor::naval::{self, Marker, Naval, Ship, Would, would};
use crate::doc::suggest::nearest;
use crate::draft;
use crate::error::Error;
use crate::play::Checkpoint;
use crate::side::Side;

/// Flags of `moves`.
#[derive(Debug, Args)]
pub struct MovesArgs {
    /// A unit, leader or ship by its name in orders, or a hex; all pieces of the side to move, a line each, if left out.
    #[arg(value_name = "UNIT|HEX")]
    what: Option<String>,
    /// Everything about every piece of both sides.
    #[arg(long, conflicts_with = "what")]
    all: bool,
    /// On a position such as turn.yaml, or in a game folder; the game you are in if left out.
    #[arg(long, value_name = "FILE|FOLDER")]
    position: Option<PathBuf>,
    /// At the start of a scenario that comes with the program.
    #[arg(long, value_name = "ID", conflicts_with = "position")]
    scenario: Option<String>,
}

/// `moves`.
pub(super) fn moves(here: &Path, args: &MovesArgs, format: Format) -> Outcome {
    let look = look(here, args.position.as_deref(), args.scenario.as_deref())?;
    match look.seen {
        Seen::Land(at) => land(&at, args, format),
        Seen::Naval(at) => sea(&at, args, format),
        Seen::Map(_) => Err(Error::misuse("a map without pieces has no moves").next("name a position").into()),
    }
}

/// The state in which a side's pieces are listed, and whether it is that of its half-turn going on.
fn half_turn(at: &Checkpoint<Land>, side: Side) -> (State, bool) {
    match &at.stage {
        LandStage::Orders { side: active, .. } if *active == side => (State::clone(&at.state), true),
        _ => (coming(&at.state, side), false),
    }
}

fn to_move(at: &Checkpoint<Land>) -> Side {
    match &at.stage {
        LandStage::ActionPoints { side } | LandStage::Orders { side, .. } => *side,
        LandStage::TurnStart {} | LandStage::TurnEnd {} => at.state.first,
    }
}

/// The pieces meant, in the order of the position; without a word those of a side, or all if no side is named.
fn pieces(state: &State, side: Option<Side>, what: Option<&str>) -> Result<Vec<(Side, Id)>, Error> {
    let units = state.units.iter().filter(|u| u.fate == Fate::Fit).map(|u| (u.side, &u.id, u.hex));
    let leaders = state.leaders.iter().filter(|l| l.fate == Fate::Fit).map(|l| (l.side, &l.id, l.hex));
    let all: Vec<_> = units.chain(leaders).collect();
    let found: Vec<(Side, Id)> = match what {
        None => {
            let meant = all.iter().filter(|(of, _, _)| side.is_none_or(|side| *of == side));
            meant.map(|(of, id, _)| (*of, Id::clone(id))).collect()
        }
        Some(word) => {
            let hex = state.ground.hex(word).ok();
            let meant = all.iter().filter(|(_, id, at)| id.0 == *word || (hex.is_some() && *at == hex));
            meant.map(|(of, id, _)| (*of, Id::clone(id))).collect()
        }
    };
    if found.is_empty() {
        let word = what.unwrap_or_default();
        let ids: Vec<&str> = all.iter().map(|(_, id, _)| id.0.as_str()).collect();
        return Err(Error::misuse(format!("`{word}` is no unit or leader here, and no hex with one in it")).next(
            nearest(word, &ids)
                .map_or_else(|| format!("the pieces: {}", ids.join(", ")), |meant| format!("did you mean `{meant}`?")),
        ));
    }
    Ok(found)
}

/// What pieces of a side may do, while its orders are being written: all of them in a line each, or one, or those of a
/// hex, in full. `order`: how an order is written.
///
/// # Errors
/// If no piece of the side is meant.
pub(super) fn told(
    state: &State,
    side: Side,
    what: Option<&str>,
    order: &dyn Fn(&Order) -> String,
) -> Result<Vec<String>, Error> {
    let found = pieces(state, Some(side), what)?;
    let own = found.iter().filter(|(of, _)| *of == side).filter_map(|(_, id)| listing(state, id));
    let lines = own.flat_map(|list| match what {
        None => vec![format!("  {}", short(&list))],
        Some(_) => words(state, &list, order).lines().map(str::to_owned).collect(),
    });
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        let own = pieces(state, Some(side), None)?;
        let ids: Vec<&str> = own.iter().map(|(_, id)| id.0.as_str()).collect();
        return Err(Error::misuse("that is the enemy's").next(format!("your pieces: {}", ids.join(", "))));
    }
    Ok(lines)
}

fn land(at: &Checkpoint<Land>, args: &MovesArgs, format: Format) -> Outcome {
    let states = crate::side::Sides::from_fn(|side| half_turn(at, side));
    let side = Some(to_move(at)).filter(|_| !args.all);
    let found = pieces(&at.state, side, args.what.as_deref())?;
    let lists: Vec<Listing> = found.iter().filter_map(|(side, id)| listing(&states.get(*side).0, id)).collect();
    if format == Format::Json {
        let sides =
            Side::ALL.map(|side| (side.word(), json!({ "now": states.get(side).1, "ap": states.get(side).0.ap })));
        let sides: BTreeMap<&str, Value> = sides.into_iter().collect();
        let rows = lists.iter().map(|list| json!({ "count": list.count(), "listing": list })).collect::<Vec<_>>();
        format::print(&json!({ "sides": sides, "pieces": rows }));
        return Ok(Done::Fine);
    }
    let mut last = None;
    for list in &lists {
        let (state, now) = states.get(list.side);
        if last != Some(list.side) {
            println!("{}", heading(state, list.side, *now));
            last = Some(list.side);
        }
        if args.what.is_none() && !args.all {
            println!("  {}", short(list));
        } else {
            print!("{}", words(state, list, &draft::order_line));
        }
    }
    Ok(Done::Fine)
}

fn heading(state: &State, side: Side, now: bool) -> String {
    if now {
        format!("The {side} player has {} action points.", state.ap)
    } else {
        format!(
            "The {side} player is not to act now. As in his next half-turn, with {} action points, the most he can have:",
            state.ap
        )
    }
}

fn place(list: &Listing) -> String {
    list.hex.clone().unwrap_or_else(|| "to come".to_owned())
}

fn short(list: &Listing) -> String {
    let mut parts = Vec::new();
    let mut hexes: Vec<&str> = list.moves.iter().map(|way| way.hex.as_str()).collect();
    hexes.sort_unstable();
    hexes.dedup();
    if !hexes.is_empty() {
        parts.push(format!("moves to {} hexes", hexes.len()).replace("1 hexes", "1 hex"));
    }
    for (what, targets) in [("fires at", &list.fire), ("close combat at", &list.close_combat)] {
        if !targets.is_empty() {
            let at: Vec<&str> = targets.iter().map(|t| t.hex.as_str()).collect();
            parts.push(format!("{what} {}", at.join(" ")));
        }
    }
    if !list.other.is_empty() {
        parts.push(format!("{} more", list.other.len()));
    }
    if parts.is_empty() {
        parts.push("nothing".to_owned());
    }
    format!("{} ({}): {}", list.piece, place(list), parts.join("; "))
}

fn words(state: &State, list: &Listing, written: &dyn Fn(&Order) -> String) -> String {
    let mut out = format!("\n{} - {}, {}\n", list.piece, list.name, place(list));
    let mut groups: BTreeMap<(Option<&Id>, u8), Vec<&str>> = BTreeMap::new();
    for Way { hex, with, ap, .. } in &list.moves {
        groups.entry((with.as_ref(), *ap)).or_default().push(hex);
    }
    for ((with, ap), hexes) in groups {
        let with = with.map_or(String::new(), |id| format!(" with {id}"));
        out.push_str(&format!("  moves{with}, {}: {}\n", points(ap), hexes.join(" ")));
    }
    for (hex, reason) in &list.barred {
        out.push_str(&format!("  not to {hex}: {} [{}]\n", reason.why, reason.rule));
    }
    for target in list.fire.iter().chain(&list.close_combat) {
        out.push_str(&attack(state, list.side, target));
    }
    // What is merely too far is one line; the hexes are the enemy's, and the rule is the same.
    let far = |reason: &Reason| reason.rule.0.starts_with("FHG-CHART-RANGE");
    for (hex, reason) in list.no_target.iter().filter(|(_, reason)| !far(reason)) {
        out.push_str(&format!("  no attack at {hex}: {} [{}]\n", reason.why, reason.rule));
    }
    let too_far: Vec<&str> = list.no_target.iter().filter(|(_, r)| far(r)).map(|(hex, _)| hex.as_str()).collect();
    if let Some((_, reason)) = list.no_target.iter().find(|(_, r)| far(r)) {
        out.push_str(&format!("  out of range: {} [{}]\n", too_far.join(" "), reason.rule));
    }
    for Action { order, ap } in &list.other {
        out.push_str(&format!("  {}: {}\n", points(*ap), written(order)));
    }
    out
}

fn points(ap: u8) -> String {
    if ap == 1 { "1 point".to_owned() } else { format!("{ap} points") }
}

fn attack(state: &State, side: Side, target: &Target) -> String {
    let what = match target.by {
        Attack::Fire => "fires at",
        Attack::CloseCombat => "close combat at",
    };
    let hex = state.ground.hex(&target.hex).ok();
    let names: Vec<&str> =
        hex.map_or_else(Vec::new, |hex| state.units_in(hex, side.other()).iter().map(|u| u.name.as_str()).collect());
    let changes: String = target.changes.iter().map(|m| format!(", {:+} to each [{}]", m.by, m.cite)).collect();
    let need = if target.hits_on >= 6 { "6".to_owned() } else { format!("{}-6", target.hits_on) };
    let all: u64 = target.throws.iter().sum();
    let odds = target.throws.iter().enumerate().filter(|(_, ways)| **ways > 0).map(|(n, ways)| {
        let word = match n {
            0 => "no hit".to_owned(),
            1 => "1 hit".to_owned(),
            n => format!("{n} hits"),
        };
        format!("{word} {}", hundredths(*ways, all))
    });
    let odds: Vec<String> = if target.throws.iter().skip(1).all(|ways| *ways == 0) {
        vec!["cannot hit".to_owned()]
    } else {
        odds.collect()
    };
    let mut out = format!(
        "  {what} {} ({}), {}: {} dice, needs {need}{changes}: {}\n",
        target.hex,
        names.join(", "),
        points(target.ap),
        target.dice,
        odds.join(", ")
    );
    out = out.replace(": 1 dice,", ": 1 die,");
    for check in &target.checks {
        let name = state.unit(&check.unit).map_or(check.unit.0.as_str(), |u| u.name.as_str());
        out.push_str(&format!("    {name} stands in {} of 6 cases [FHG-8.3.2]\n", check.stands));
    }
    out
}

/// `29.6 in 100`, rounded to tenths.
fn hundredths(part: u64, of: u64) -> String {
    let tenths = (part * 1000 + of / 2) / of.max(1);
    format!("{}.{} in 100", tenths / 10, tenths % 10)
}

const MARKERS: [(Marker, &str); 4] =
    [(Marker::Straight, "straight"), (Marker::Right, "right"), (Marker::Left, "left"), (Marker::Stop, "stop")];

fn sea(at: &Checkpoint<Naval>, args: &MovesArgs, format: Format) -> Outcome {
    let state = &at.state;
    let meant = |ship: &&Ship| match &args.what {
        None => true,
        Some(word) => ship.id.0 == *word || state.label(ship.hex) == *word,
    };
    let ships: Vec<&Ship> = state.ships.iter().filter(|s| s.afloat()).filter(meant).collect();
    if ships.is_empty() {
        let ids: Vec<&str> = state.ships.iter().filter(|s| s.afloat()).map(|s| s.id.0.as_str()).collect();
        return Err(Error::misuse("no ship of that name or in that hex is on the board")
            .next(format!("the ships: {}", ids.join(", ")))
            .into());
    }
    let mut rows = Vec::new();
    if format == Format::Text {
        println!("What one marker would do to each ship if nobody else moved, and which broadsides bear then:");
    }
    for ship in ships {
        if format == Format::Text {
            println!("\n{} - {}, {} heading {}", ship.id, ship.name, state.label(ship.hex), ship.heading);
        }
        for (marker, word) in MARKERS {
            let (would, next) = would(state, ship, marker);
            let gone = matches!(would, Would::Leave { .. });
            let shots = if gone { Vec::new() } else { naval::shots(&next, ship.side) };
            let own: Vec<_> = shots.into_iter().filter(|(shot, _)| shot.ship == ship.id).collect();
            if format == Format::Text {
                let mut line = format!("  {word:8} {}", course(&would));
                for (shot, aim) in &own {
                    let need = if aim.hits_on >= 6 { "6".to_owned() } else { format!("{}-6", aim.hits_on) };
                    let side = format!("{:?}", shot.broadside).to_lowercase();
                    let (dice, target) = (ship.dice(), &shot.target);
                    line.push_str(&format!("; {side} broadside at {target}, {dice} dice, needs {need}"));
                }
                println!("{line}");
            }
            let shots: Vec<Value> = own
                .iter()
                .map(|(shot, aim)| {
                    json!({ "broadside": format!("{:?}", shot.broadside).to_lowercase(), "target": shot.target,
                            "range": aim.range, "crossing": aim.crossing, "hits_on": aim.hits_on, "dice": ship.dice() })
                })
                .collect();
            rows.push(json!({ "ship": ship.id, "marker": word, "would": would, "shots": shots }));
        }
    }
    if format == Format::Json {
        format::print(&json!({ "markers": rows }));
    }
    Ok(Done::Fine)
}

fn course(would: &Would) -> String {
    match would {
        Would::Sail { to } => format!("sails to {to}"),
        Would::Turn { heading } => format!("heads {heading} ({})", heading.compass()),
        Would::Stay { why: naval::HoldReason::StopMarker } => "lies to".to_owned(),
        Would::Stay { why: naval::HoldReason::Edge } => "stays: the edge of the board [NAV-1.1]".to_owned(),
        Would::Stay { why: naval::HoldReason::ThirdShip } => "stays: two ships are there [NAV-3.4]".to_owned(),
        Would::Leave { how: naval::LeaveReason::Escaped } => "sails off the board and is safe [NAV-1.1]".to_owned(),
        Would::Leave { how: naval::LeaveReason::Lost } => "sails off the board and is LOST [NAV-1.1]".to_owned(),
    }
}
