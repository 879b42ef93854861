//! A naval battle in plain text: who sailed where, every broadside with its dice, damage, boarding, and a chart.

use std::fmt::Write as _;

use crate::books::honor::naval::{
    Broadside, Designation, Ending, Event, Fate, HoldReason, LeaveReason, Marker, Naval, OrderReason, Shift, Ship,
    ShipId, State,
};
use crate::play::{Record, System};
use crate::side::{Side, Sides};

/// The story of a stretch of play, from the position before it.
#[must_use]
pub fn story(before: &State, records: &[Record<Naval>]) -> String {
    let mut state = before.clone();
    let mut out = String::new();
    for record in records {
        if let Record::Event(event) = record {
            let line = tell(&state, event);
            Naval::apply(&mut state, event);
            if !line.is_empty() {
                out.push_str(&line);
                out.push('\n');
            }
        }
    }
    out
}

/// Who won, if this record says so; `None` inside for a draw.
pub(super) fn victor(record: &Record<Naval>) -> Option<Option<Side>> {
    match record {
        Record::Event(Event::GameOver { winner, .. }) => Some(*winner),
        _ => None,
    }
}

/// The rule an event stands on, as `rules cite` takes it.
#[must_use]
pub fn rule_of(event: &Event) -> String {
    event.cite().to_string()
}

fn name(state: &State, id: &ShipId) -> String {
    state.ship(id).map_or_else(|| id.0.clone(), |s| s.name.clone())
}

fn side(side: Side) -> &'static str {
    match side {
        Side::British => "British",
        Side::American => "Americans",
    }
}

fn list(of: &[u8]) -> String {
    of.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn plural(n: impl Into<u64>, one: &str) -> String {
    let n = n.into();
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

fn broadside(b: Broadside) -> &'static str {
    match b {
        Broadside::Starboard => "starboard",
        Broadside::Port => "port",
    }
}

fn both(of: &Sides<u8>) -> String {
    format!("British {}, Americans {}", of.british, of.american)
}

#[expect(clippy::too_many_lines, reason = "one arm an event, in the order of the events")]
pub(super) fn tell(state: &State, event: &Event) -> String {
    let cite = rule_of(event);
    let ship = |id: &ShipId| name(state, id);
    match event {
        Event::TurnBegan { turn } => format!("\nTURN {turn}\n------"),
        Event::Wind { roll, shift, wind } => {
            let what = match shift {
                Shift::Right => "shifts one hexside right",
                Shift::Left => "shifts one hexside left",
                Shift::None => "holds",
            };
            format!(
                "Wind: the die shows {roll}; the wind {what} and blows toward {wind} ({}). [{cite}]",
                wind.compass()
            )
        }
        Event::Gauge { has, chooser, why } => {
            let who = match (has.british, has.american) {
                (true, true) => "Both sides have the wind gauge",
                (true, false) => "The British have the wind gauge",
                (false, true) => "The Americans have the wind gauge",
                (false, false) => "Neither side has the wind gauge",
            };
            let why = match why {
                OrderReason::Gauge => "",
                OrderReason::BothAdvantage | OrderReason::NeitherAdvantage => " by commander's advantage",
                OrderReason::NeitherDie => " by the die",
            };
            format!("{who}; the {} choose the order{why}. [{cite}]", side(*chooser))
        }
        Event::Allotted { side: of, base, gauge, half, transfer, markers } => {
            let mut sum = format!("{base}");
            for (n, sign, what) in
                [(gauge, '+', "gauge"), (half, '-', "half damage"), (transfer, '-', "new command ship")]
            {
                if *n > 0 {
                    let _ = write!(sum, " {sign} {n} {what}");
                }
            }
            format!("The {} plot {} ({sum}). [{cite}]", side(*of), plural(*markers, "marker"))
        }
        Event::Plotted { react } => {
            let asks = |of: Side| {
                let steps = react.get(of);
                if steps.is_empty() {
                    String::new()
                } else {
                    format!(" The {} will be asked again at step {}.", side(of), list(steps))
                }
            };
            format!("Both plots are sealed.{}{}", asks(Side::British), asks(Side::American))
        }
        Event::PlotStopped { side: of, step, why, cite } => {
            format!(
                "The plot of the {} is illegal from marker {step} on: it {why}. It counts as STOP. [{cite}, N41]",
                side(*of)
            )
        }
        Event::OrdersVoid { side: of, step, part, why } => {
            format!(
                "The {part} orders of the {} for step {step} do not count ({}); the default stands. [{cite}]",
                side(*of),
                crate::doc::in_plain_words(why)
            )
        }
        Event::Revealed { step, markers } => {
            let show = |of: Side| match markers.get(of) {
                Some(marker) => format!("{} {}", side(of), word(*marker)),
                None => format!("{} no marker left", side(of)),
            };
            format!("\n  Marker {step}: {}, {}.", show(Side::British), show(Side::American))
        }
        Event::MovesFirst { by, first } => format!("  The {} let the {} move first. [{cite}]", side(*by), side(*first)),
        Event::Designated { side: of, with, ships } => {
            let names = ships.iter().map(ship).collect::<Vec<_>>().join(", ");
            let how = match with {
                Designation::Ship { .. } => "one ship alone",
                Designation::Command { .. } | Designation::Squadron {} => "the command ship leads",
            };
            format!("  {}: {how}: {names}. [{cite}]", side(*of))
        }
        Event::Sailed { ship: id, from, to } => format!("  {} sails {from} to {to}.", ship(id)),
        Event::Turned { ship: id, marker, heading } => {
            let way = if *marker == Marker::Right { "starboard" } else { "port" };
            format!("  {} turns to {way} and heads {heading} ({}).", ship(id), heading.compass())
        }
        Event::Held { ship: id, why } => match why {
            HoldReason::StopMarker => format!("  {} lies to.", ship(id)),
            HoldReason::ThirdShip => format!("  {} would be the third ship in a hex and stays. [{cite}]", ship(id)),
            HoldReason::Edge => format!("  {} reaches the edge of the board and stays. [{cite}]", ship(id)),
        },
        Event::Left { ship: id, from, how } => match how {
            LeaveReason::Escaped => format!("  {} sails off the board from {from} and is safe. [{cite}]", ship(id)),
            LeaveReason::Lost => format!("  {} sails off the board from {from} and is lost. [{cite}]", ship(id)),
        },
        Event::DeclaresFirst { first, cite } => format!("  The {} declare fire first. [{cite}]", side(*first)),
        Event::Declared { .. } => String::new(),
        Event::Fired { ship: id, broadside: b, target, faces, hits_on, hits } => {
            let range = match (state.ship(id), state.ship(target)) {
                (Some(a), Some(b)) => a.hex.distance(b.hex),
                _ => 0,
            };
            let normal = if range <= 1 { 5 } else { 6 };
            let t = if *hits_on < normal { ", crossing the T" } else { "" };
            let need = if *hits_on >= 6 { "6".to_owned() } else { format!("{hits_on}-6") };
            format!(
                "  {} fires her {} broadside at {}, {}{t}, needs {need}: {} - {}. [{cite}]",
                ship(id),
                broadside(*b),
                ship(target),
                plural(range, "hex").replace("hexs", "hexes"),
                list(faces),
                if *hits == 0 { "no hit".to_owned() } else { plural(*hits, "hit") }
            )
        }
        Event::Damaged { ship: id, hits, left } => {
            let start = state.ship(id).map_or(0, |s| s.start);
            format!("  {} takes {}: damage {left} of {start} {}", ship(id), plural(*hits, "hit"), track(*left, start))
        }
        Event::HalfDamaged { ship: id } => {
            format!(
                "  {} is at half damage: one die fewer now, one marker fewer from next turn if she leads. [{cite}]",
                ship(id)
            )
        }
        Event::Sunk { ship: id } => format!("  {} SINKS. [{cite}]", ship(id)),
        Event::Wished { hex, ships, wishes } => {
            let say = |of: Side| {
                format!("{} {}", ship(ships.get(of)), if *wishes.get(of) { "wishes to board" } else { "does not" })
            };
            format!("  In {hex} {}, {}. [{cite}]", say(Side::British), say(Side::American))
        }
        Event::Contest { rolls, bonus, healthier, totals, boarder, tie } => {
            let plus = healthier.map_or(String::new(), |h| format!(", {} +{bonus}", side(h)));
            let how = if *tie { ", a tie that commander's advantage settles" } else { "" };
            format!(
                "  Who may try: rolls {}{plus}; totals {}{how}: the {}. [{cite}]",
                both(rolls),
                both(totals),
                side(*boarder)
            )
        }
        Event::Attempt { boarder, rolls, bonus, healthier, lead, boarded } => {
            let plus = healthier.map_or(String::new(), |h| format!(", {} +{bonus}", side(h)));
            let end = if *boarded { "BOARDED" } else { "no boarding, and none in this hex again this turn" };
            format!(
                "  The {} try to board: rolls {}{plus}; lead {lead}, 7 is needed: {end}. [{cite}]",
                side(*boarder),
                both(rolls)
            )
        }
        Event::BoardsAtOnce { boarder } => format!("  The {} board at once. [{cite}]", side(*boarder)),
        Event::Melee { exchange, side: of, faces, hits_on, hits, enemy_left, intrinsic, .. } => {
            let need = if *hits_on >= 6 { "6".to_owned() } else { format!("{hits_on}-6") };
            let left = if *intrinsic { "the crew without marines" } else { "enemy marines" };
            format!(
                "  Melee, exchange {exchange}: the {} need {need}: {} - {}; {left} left: {enemy_left}. [{cite}]",
                side(*of),
                list(faces),
                plural(*hits, "hit")
            )
        }
        Event::BrokeOff { ship: id } => format!("  The boarders go back to {}. [{cite}]", ship(id)),
        Event::BoardersLost { ship: id } => format!("  All boarders from {} have fallen. [{cite}]", ship(id)),
        Event::Captured { ship: id, by } => format!("  {} STRIKES to {}. [{cite}]", ship(id), ship(by)),
        Event::CommandLost { side: of, ship: id } => {
            format!(
                "  The {} lose their command ship {}: single ships move for the rest of the turn. [{cite}]",
                side(*of),
                ship(id)
            )
        }
        Event::CommandPassed { side: of, ship: id } => {
            format!("  The {} shift their command to {}. [{cite}]", side(*of), ship(id))
        }
        Event::Scored { side: of, points, total } => {
            format!("  The {} score {}: {total} now.", side(*of), plural(*points, "point"))
        }
        Event::TurnEnded { turn } => format!("\nTurn {turn} ends."),
        Event::GameOver { winner, why, points } => {
            let why = match why {
                Ending::Target => "the target is reached",
                Ending::LastTurn => "the last turn is over",
                Ending::NoShips => "a side has no ship left",
            };
            let who = winner.map_or("A DRAW".to_owned(), |w| format!("VICTORY for the {}", side(w)));
            format!("\n{who}: {why}; points British {}, Americans {}. [{cite}]", points.british, points.american)
        }
    }
}

fn word(marker: Marker) -> &'static str {
    match marker {
        Marker::Straight => "straight",
        Marker::Right => "right",
        Marker::Left => "left",
        Marker::Stop => "stop",
    }
}

/// `[#####...]`: rating left of the rating at the start.
fn track(left: u8, start: u8) -> String {
    format!("[{}{}]", "#".repeat(usize::from(left)), ".".repeat(usize::from(start.saturating_sub(left))))
}

/// One line a ship: where, heading, damage, guns, marines, which broadsides are fired.
#[must_use]
pub fn fleet_table(state: &State) -> String {
    let mut out = String::new();
    let width = state.ships.iter().map(|s| s.name.chars().count()).max().unwrap_or(8);
    for of in Side::ALL {
        let fleet = state.fleets.get(of);
        let _ = writeln!(out, "{} - {}", side(of), plural(fleet.points, "point"));
        for ship in state.ships.iter().filter(|s| s.side == of) {
            let _ = writeln!(out, "  {}  {:width$}  {}", mark(state, ship), ship.name, condition(state, ship));
        }
    }
    out
}

fn condition(state: &State, ship: &Ship) -> String {
    match ship.fate {
        Fate::Sunk => "sunk".into(),
        Fate::Captured => "captured".into(),
        Fate::Escaped => "escaped".into(),
        Fate::Lost => "lost".into(),
        Fate::Afloat => {
            let x = if ship.half { " (half damage)" } else { "" };
            let flag =
                if state.fleets.get(ship.side).command.as_ref() == Some(&ship.id) { ", command ship" } else { "" };
            format!(
                "{:>4} heading {} ({}), damage {}/{} {}{x}, {} a broadside, {}{flag}",
                state.label(ship.hex),
                ship.heading,
                ship.heading.compass(),
                ship.damage,
                ship.start,
                track(ship.damage, ship.start),
                plural(ship.dice(), "die").replace("dies", "dice"),
                plural(ship.marines, "marine")
            )
        }
    }
}

/// A letter a ship: capitals British, small letters American, in the order of the fleet table.
pub(super) fn mark(state: &State, ship: &Ship) -> char {
    let at = state.ships.iter().filter(|s| s.side == ship.side).position(|s| s.id == ship.id).unwrap_or(0);
    let letter = b'A' + u8::try_from(at % 26).unwrap_or(0);
    char::from(if ship.side == Side::British { letter } else { letter.to_ascii_lowercase() })
}

/// A chart of the sea around the ships: columns west to east, each hex one letter and its heading; even columns sit
/// half a row lower.
#[must_use]
pub fn chart(state: &State) -> String {
    let places: Vec<(i32, i32)> = state.ships.iter().filter(|s| s.afloat()).map(|s| state.board.place(s.hex)).collect();
    let Some(first) = places.first() else { return String::new() };
    let bounds = places.iter().fold((first.0, first.0, first.1, first.1), |(a, b, c, d), (x, y)| {
        (a.min(*x), b.max(*x), c.min(*y), d.max(*y))
    });
    let (west, east, north, south) = (bounds.0 - 2, bounds.1 + 2, bounds.2 - 2, bounds.3 + 2);
    let (east, south) = (east.min(west + 40), south.min(north + 30));
    let mut out = String::from("      ");
    for column in west..=east {
        let _ = write!(out, "{column:>3} ");
    }
    out.push('\n');
    for row in north..=south {
        for lower in [false, true] {
            let letter = u8::try_from(row - 1).ok().filter(|r| *r < 26).map_or('~', |r| char::from(b'A' + r));
            let head = if lower { "      ".to_owned() } else { format!("  {letter}   ") };
            let mut line = head;
            for column in west..=east {
                let even = column.rem_euclid(2) == 0;
                line.push_str(&if even == lower { cell(state, column, row) } else { "    ".into() });
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    let _ = writeln!(
        out,
        "Wind blows toward {} ({}). Capitals British, small letters American; the figure is the heading.",
        state.wind,
        state.wind.compass()
    );
    out
}

fn cell(state: &State, column: i32, row: i32) -> String {
    let hex = state.board.at(column, row);
    let ships: Vec<&Ship> = state.in_hex(hex).collect();
    match ships.as_slice() {
        [] if state.board.contains(hex) => "  . ".into(),
        [] => "    ".into(),
        [one] => format!(" {}{} ", mark(state, one), one.heading),
        [one, two, ..] => format!("{}{}{}{}", mark(state, one), one.heading, mark(state, two), two.heading),
    }
}
