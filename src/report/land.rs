//! A land battle in plain text: every activation, die and modifier, losses, points, and the map.

use crate::books::honor::land::{
    Attack, Ending, Entry, Event, Fallback, Fate, Formation, Id, Land, Leader, LeaderLoss, LeaderShift, Loss, Modifier,
    State, Unit, UnitType, total,
};
use crate::play::{By, Record, System};
use crate::report::fold;
use crate::report::map::{Arrow, Counter, Layer};
use crate::report::map_text::map_text;
use crate::side::Side;

/// Who won, if this record says so; `None` inside for a draw.
pub(super) fn victor(record: &Record<Land>) -> Option<Option<Side>> {
    match record {
        Record::Event(Event::GameOver { winner, .. }) => Some(*winner),
        _ => None,
    }
}

/// The story of a stretch of play, from the position before it.
#[must_use]
pub fn story(before: &State, records: &[Record<Land>]) -> String {
    let told = lines(before, records).into_iter().filter(|line| !line.is_empty());
    let whole: String = heading(before, records).into_iter().chain(told).map(|line| line + "\n").collect();
    whole.lines().map(|line| fold(line) + "\n").collect()
}

/// Who acts in a stretch of play, with how many points, where no roll for them has just said so.
fn heading(before: &State, records: &[Record<Land>]) -> Option<String> {
    let first = records.iter().find_map(|r| if let Record::Event(event) = r { Some(event) } else { None })?;
    if matches!(first, Event::TurnBegan { .. } | Event::ActionPoints { .. }) {
        return None;
    }
    let (who, ap) = (side(before.active), before.ap);
    let points = if ap == 1 { "1 action point".to_owned() } else { format!("{ap} action points") };
    Some(if before.acts == 0 {
        format!("\nThe {who} act: turn {}, {points}.", before.turn)
    } else {
        format!("\nThe {who} go on: turn {}, {points} left.", before.turn)
    })
}

/// What each record says, one after the other; empty for those that are not told.
#[must_use]
pub fn lines(before: &State, records: &[Record<Land>]) -> Vec<String> {
    let mut state = before.clone();
    let mut all = Vec::new();
    for record in records {
        all.push(match record {
            Record::Event(event) => {
                let line = tell(&state, event);
                Land::apply(&mut state, event);
                line
            }
            other => answered(other),
        });
    }
    all
}

/// What a record says of an answer given in advance; nothing of others.
pub(super) fn answered(record: &Record<Land>) -> String {
    match record {
        Record::Took { side, slot, by: By::Standing, content } => standing_answer(*side, slot, content),
        _ => String::new(),
    }
}

/// What was answered in advance, or by the adjudicator's default where nothing was said.
fn standing_answer(of: Side, slot: &str, content: &str) -> String {
    let mut words = slot.rsplit('/');
    let (whom, kind) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let answer = content.replace(['"', '{', '}'], "").replace("to:", "");
    let does = match (kind, answer.as_str()) {
        ("tie", who) => format!("the {} the hit", if who == "gun" { "gun takes" } else { "troops take" }),
        ("follow", "gun") => format!("{whom} follows the gun"),
        ("follow", _) => format!("{whom} follows the troops"),
        ("withdraw", "stand") => format!("{whom} waits for the attack"),
        ("withdraw", _) => format!("{whom} does not wait for the attack"),
        (_, "stay") => format!("{whom} stays"),
        (_, hex) => format!("{whom} goes to {hex}"),
    };
    format!("    By standing orders of the {} (or the default): {does}.", side(of))
}

fn side(side: Side) -> &'static str {
    match side {
        Side::British => "British",
        Side::American => "Americans",
    }
}

fn unit(state: &State, id: &Id) -> String {
    state.unit(id).map_or_else(|| id.0.clone(), |u| u.name.clone())
}

fn leader(state: &State, id: &Id) -> String {
    state.leader(id).map_or_else(|| id.0.clone(), |l| l.name.clone())
}

fn list(of: &[u8]) -> String {
    of.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn points(n: u32) -> String {
    if n == 1 { "1 point".to_owned() } else { format!("{n} points") }
}

fn paid(ap: u8) -> String {
    if ap == 0 { String::new() } else { format!(" ({ap} AP)") }
}

/// `+1 [FHG-9.2]`, one after the other.
fn changes(of: &[Modifier]) -> String {
    of.iter().map(|m| format!(" {:+} [{}]", m.by, m.cite)).collect()
}

#[expect(clippy::too_many_lines, reason = "one arm an event, in the order of the events")]
pub(super) fn tell(state: &State, event: &Event) -> String {
    let cite = event.cite();
    let name = |id: &Id| unit(state, id);
    let chief = |id: &Id| leader(state, id);
    match event {
        Event::TurnBegan { turn } => format!("\nTURN {turn}\n------"),
        Event::ActionPoints { side: of, roll, random, command, total } => {
            let army = state.armies.get(*of);
            let less = if army.leaders_lost > 0 {
                format!(" ({} less {} for leaders lost [FHG-9.3.2])", army.command, army.leaders_lost)
            } else {
                String::new()
            };
            format!(
                "\nThe {} roll {roll} for action points: {command} command{less} + {random} = {total}. [{cite}]",
                side(*of)
            )
        }
        Event::Moved { unit: id, from, path, with, ap } => {
            let from = from.as_ref().map_or("onto the board".to_owned(), Clone::clone);
            let with = with.as_ref().map_or(String::new(), |id| format!(" with {}", chief(id)));
            format!("  {}{with} moves {from} - {}{}. [{cite}]", name(id), path.join(" - "), paid(*ap))
        }
        Event::Landed { unit: id, at } => format!("    {} lands at {at}. [{cite}]", name(id)),
        Event::LeaderMoved { leader: id, from, path, ap } => {
            let from = from.as_ref().map_or("onto the board".to_owned(), Clone::clone);
            format!("  {} rides {from} - {}{}. [{cite}]", chief(id), path.join(" - "), paid(*ap))
        }
        Event::Formed { unit: id, formation, ap } => {
            let into = if *formation == Formation::Column { "column" } else { "line" };
            format!("  {} forms {into}{}. [{cite}]", name(id), paid(*ap))
        }
        Event::Rallied { unit: id, leader, mp, ap } => {
            format!("  {} rallies {}: MP {mp}{}. [{cite}]", chief(leader), name(id), paid(*ap))
        }
        Event::Attacked { unit: id, by, at, support, ap } => {
            let how = match by {
                Attack::Fire => "fires at",
                Attack::CloseCombat => "attacks in close combat",
            };
            let support = support.as_ref().map_or(String::new(), |id| format!(", led by {}", chief(id)));
            format!("  {} {how} {at}{}{support}{}. [{cite}]", name(id), whom(state, at), paid(*ap))
        }
        Event::Steadied { unit: id, roll, mp, changes: by, passed } => {
            let end = if *passed { "it goes in" } else { "it does not go in and may only fire" };
            format!("    {} checks: {roll} against MP {mp}{}: {end}. [{cite}]", name(id), changes(by))
        }
        Event::Checked { unit: id, roll, mp, changes: by, stands } => {
            let end = if *stands { "stands" } else { "will retreat" };
            let six = if *roll == 6 { " (a 6 always fails)" } else { "" };
            format!("    {} checks: {roll}{six} against MP {mp}{}: {end}. [{cite}]", name(id), changes(by))
        }
        Event::StandsWith { unit: id, infantry } => {
            format!("    {} stands with {}. [{cite}]", name(id), name(infantry))
        }
        Event::Rolled { unit: _, dice, faces, changes: by, hits_on, hits } => {
            let more =
                if dice.len() > 1 { format!(" ({} dice:{})", total(dice), changes(dice)) } else { String::new() };
            let modified = if by.is_empty() {
                String::new()
            } else {
                let sum = i16::from(total(by));
                let shown: Vec<String> = faces.iter().map(|f| (i16::from(*f) + sum).to_string()).collect();
                format!(",{} makes {}", changes(by), shown.join(" "))
            };
            let need = if *hits_on >= 6 { "6".to_owned() } else { format!("{hits_on}-6") };
            let hits = match hits {
                0 => "no hit".to_owned(),
                1 => "1 hit".to_owned(),
                n => format!("{n} hits"),
            };
            format!("    Dice{more}: {}{modified}; needs {need}: {hits}. [{cite}]", list(faces))
        }
        Event::Hit { unit: id, mp } => {
            let start = state.unit(id).map_or(0, |u| u.start);
            format!("    {} is hit: MP {mp} of {start}. [{cite}]", name(id))
        }
        Event::Survival { unit: id, roll, ignored } => {
            let end = if *ignored { "the hit is ignored" } else { "it is lost" };
            format!("    {} rolls to survive: {roll}, {end}. [{cite}]", name(id))
        }
        Event::Eliminated { unit: id, why } => {
            let why = match why {
                Loss::Hits => "",
                Loss::NoRetreat => ": it has nowhere to retreat",
                Loss::NoRoom => ": it has no room to make",
            };
            format!("    {} is ELIMINATED{why}. [{cite}]", name(id))
        }
        Event::Surplus { hits } => format!("    Hits with nobody left to take them: {hits}. [{cite}]"),
        Event::LeaderRolled { leader: id, roll } => {
            let end = if *roll == 1 { "" } else { ", unhurt" };
            format!("    {} is in danger and rolls {roll}{end}. [{cite}]", chief(id))
        }
        Event::LeaderLost { leader: id, why } => {
            let why = match why {
                LeaderLoss::Struck => "is struck down",
                LeaderLoss::Overrun => "is caught alone",
                LeaderLoss::Trapped => "has no way out",
            };
            format!("    {} {why} and is LOST. [{cite}]", chief(id))
        }
        Event::LeaderShifted { leader: id, from, to, why } => {
            let how = match why {
                LeaderShift::Follows => "goes with his troops",
                LeaderShift::Escapes => "escapes",
                LeaderShift::MakesWay => "makes way for the leader there",
            };
            format!("    {} {how}, {from} - {to}. [{cite}]", chief(id))
        }
        Event::FellBack { unit: id, from, to, why } => {
            let how = match why {
                Fallback::Retreat => "retreats",
                Fallback::Displaced => "is displaced",
                Fallback::Withdrawal => "will not wait and retreats",
            };
            format!("    {} {how} {from} - {to}. [{cite}]", name(id))
        }
        Event::Advanced { unit: id, from, to, with, .. } => {
            let with = with.as_ref().map_or(String::new(), |id| format!(" with {}", chief(id)));
            format!("    {}{with} advances {from} - {to}. [{cite}]", name(id))
        }
        Event::Captured { objective, by } => {
            let what = state.objectives.iter().find(|o| o.id == *objective).map_or(&objective.0, |o| &o.name);
            format!("    {} takes {what}. [{cite}]", name(by))
        }
        Event::Scored { side: of, points: n, total, .. } => {
            format!("    The {} score {}: {total} now. [{cite}]", side(*of), points(*n))
        }
        Event::Skipped { order, why, .. } => format!("  Skipped: {}: {why}. [{cite}]", place(order)),
        Event::Paused { order, rest } => {
            let left = if rest.is_empty() { String::new() } else { format!("; orders not reached: {}", rest.len()) };
            format!("  The {} pause at {}{left}.", side(state.active), place(order))
        }
        Event::HalfTurnEnded { side: of, left } => {
            let left = if *left > 0 { format!("; {left} AP not used are lost") } else { String::new() };
            format!("The half-turn of the {} is over{left}. [{cite}]", side(*of))
        }
        Event::TurnEnded { turn } => format!("\nTurn {turn} ends."),
        Event::GameOver { winner, why, points } => {
            let why = match why {
                Ending::Target => "the target is reached",
                Ending::LastTurn => "the last turn is over",
            };
            let who = winner.map_or("A DRAW".to_owned(), |w| format!("VICTORY for the {}", side(w)));
            format!("\n{who}: {why}; points British {}, Americans {}. [{cite}]", points.british, points.american)
        }
        Event::Credited { campaign, battle, points, totals, winner, last } => {
            let end = match (last, winner) {
                (false, _) => "the campaign goes on".to_owned(),
                (true, Some(winner)) => format!("the {} win the campaign", side(*winner)),
                (true, None) => "the campaign is drawn".to_owned(),
            };
            format!(
                "Campaign {campaign}, battle {battle}: British {}, Americans {} count; in all British {}, Americans {}: {end}. [{cite}]",
                points.british, points.american, totals.british, totals.american
            )
        }
    }
}

/// Who is in an attacked hex, in brackets.
fn whom(state: &State, at: &str) -> String {
    let Ok(hex) = state.ground.hex(at) else { return String::new() };
    let names: Vec<&str> = state.units_in(hex, state.active.other()).iter().map(|u| u.name.as_str()).collect();
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

/// One line a piece: where, type, MP, formation.
#[must_use]
pub fn table(state: &State) -> String {
    let mut out = String::new();
    let width = state.units.iter().map(|u| u.id.0.len()).chain(state.leaders.iter().map(|l| l.id.0.len())).max();
    let width = width.unwrap_or(8);
    let names =
        state.units.iter().map(|u| u.name.chars().count()).chain(state.leaders.iter().map(|l| l.name.chars().count()));
    let names = names.max().unwrap_or(8);
    for of in Side::ALL {
        let army = state.armies.get(of);
        let target = state.victory.target.get(of);
        out.push_str(&format!("{} - {} of {target}\n", side(of), points(army.points)));
        for unit in state.units.iter().filter(|u| u.side == of) {
            out.push_str(&format!("  {:width$} {:names$} {}\n", unit.id.0, unit.name, condition(state, unit)));
        }
        for leader in state.leaders.iter().filter(|l| l.side == of) {
            out.push_str(&format!(
                "  {:width$} {:names$} {}\n",
                leader.id.0,
                leader.name,
                chief_condition(state, leader)
            ));
        }
        for o in state.objectives.iter().filter(|o| o.side == of) {
            let at = o.hex.map_or("taken".to_owned(), |hex| state.label(hex));
            out.push_str(&format!("  {:width$} {:names$} {at}, {}\n", o.id.0, o.name, points(o.worth)));
        }
    }
    out
}

fn condition(state: &State, unit: &Unit) -> String {
    if unit.fate == Fate::Eliminated {
        return "eliminated".into();
    }
    let kind = unit.kind.word();
    let Some(hex) = unit.hex else { return format!("{}, {kind}, MP {}", to_come(unit.entry.as_ref()), unit.mp) };
    let column = if unit.formation == Formation::Column { ", in column" } else { "" };
    let boat = if unit.boat > 0 { ", in a boat" } else { "" };
    format!("{} {kind}, MP {}/{}{column}{boat}", state.label(hex), unit.mp, unit.start)
}

fn chief_condition(state: &State, leader: &Leader) -> String {
    match (leader.fate, leader.hex) {
        (Fate::Eliminated, _) => "lost".into(),
        (_, Some(hex)) => format!("{} leader", state.label(hex)),
        (_, None) => format!("{}, leader", to_come(leader.entry.as_ref())),
    }
}

fn to_come(entry: Option<&Entry>) -> String {
    entry.map_or("to come".to_owned(), |entry| format!("from turn {}", entry.turn))
}

/// `order 3, then 1` for `orders[2].then[0]`: players count from 1.
fn place(order: &str) -> String {
    let words = order.split('.').map(|word| match word.split_once('[') {
        Some((name, n)) => {
            let n = n.trim_end_matches(']').parse::<usize>().map_or(0, |n| n + 1);
            format!("{} {n}", name.strip_suffix('s').unwrap_or(name))
        }
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A sign for a piece: capitals British, small letters American; what it is, and its number in its army.
fn sign(state: &State, unit: &Unit) -> String {
    let letter = match unit.kind {
        UnitType::Elite => "E",
        UnitType::Marine => "N",
        UnitType::Regular => "R",
        UnitType::Light => "L",
        UnitType::Militia => "M",
        UnitType::Indian => "I",
        UnitType::Dragoon => "D",
        UnitType::Artillery => "A",
        UnitType::Rocket => "K",
    };
    let same = state.units.iter().filter(|u| u.side == unit.side && u.kind == unit.kind);
    let at = same.take_while(|u| u.id != unit.id).count() + 1;
    let mark = format!("{letter}{at}");
    if unit.side == Side::British { mark } else { mark.to_lowercase() }
}

/// The counters on the map.
#[must_use]
pub fn layer(state: &State) -> Layer {
    let mut counters = Vec::new();
    for unit in state.units.iter().filter(|u| u.on_board()) {
        let Some(hex) = unit.hex else { continue };
        let (mark, note) = (sign(state, unit), unit.mp.to_string());
        let name = if unit.boat > 0 { format!("{} (in a boat)", unit.name) } else { unit.name.clone() };
        counters.push(Counter { hex, side: Some(unit.side), mark, note, name });
    }
    for leader in state.leaders.iter().filter(|l| l.on_board()) {
        let Some(hex) = leader.hex else { continue };
        let mark = if leader.side == Side::British { "*B" } else { "*a" };
        let (mark, note) = (mark.to_owned(), String::new());
        counters.push(Counter { hex, side: Some(leader.side), mark, note, name: leader.name.clone() });
    }
    for o in state.objectives.iter().filter(|o| o.taken.is_none()) {
        let Some(hex) = o.hex else { continue };
        counters.push(Counter {
            hex,
            side: Some(o.side),
            mark: "VP".into(),
            note: o.worth.to_string(),
            name: o.name.clone(),
        });
    }
    Layer { counters, arrows: Vec::new() }
}

/// The counters as they stand, and the moves, shots and retreats of a stretch of play as arrows.
#[must_use]
pub fn layer_after(before: &State, records: &[Record<Land>]) -> Layer {
    let (mut state, mut arrows) = (before.clone(), Vec::new());
    for record in records {
        let Record::Event(event) = record else { continue };
        let hex = |label: &String| state.ground.hex(label).ok();
        let arrow = match event {
            Event::Moved { from, path, .. } | Event::LeaderMoved { from, path, .. } => {
                Some((Arrow::Move, from.iter().chain(path).filter_map(hex).collect::<Vec<_>>()))
            }
            Event::Advanced { from, to, .. } => Some((Arrow::Move, [from, to].into_iter().filter_map(hex).collect())),
            Event::FellBack { from, to, .. } | Event::LeaderShifted { from, to, .. } => {
                Some((Arrow::Retreat, [from, to].into_iter().filter_map(hex).collect()))
            }
            Event::Attacked { unit, at, .. } => {
                let from = state.unit(unit).and_then(|u| u.hex);
                Some((Arrow::Fire, from.into_iter().chain(hex(at)).collect()))
            }
            _ => None,
        };
        arrows.extend(arrow.filter(|(_, hexes)| hexes.len() > 1));
        Land::apply(&mut state, event);
    }
    Layer { arrows, ..layer(&state) }
}

/// The map in letters, with its counters.
#[must_use]
pub fn chart(state: &State) -> String {
    map_text(state.ground.tiles(), &layer(state))
}
