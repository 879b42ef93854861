//! The template of a step's orders: where the turn stands, what is asked, what is legal, as comments.

use std::fmt::Write as _;

use super::{Draft, refused, unknown_book};
use crate::books::honor::naval::{Aim, Shot, State, shots};
use crate::catalog::AnyGame;
use crate::error::Error;
use crate::log::History;
use crate::play::Want;
use crate::report;
use crate::side::{Seat, Side};

/// The orders of the template.
///
/// # Errors
/// If the game is of a book for which no orders are written.
pub fn blank(history: &History, seat: Seat) -> Result<Draft, Vec<Error>> {
    refused::parse(&template(history, seat), "the template")
}

/// Where the turn stands, as comments: the chart, the ships, what happened last.
#[must_use]
pub fn notes(history: &History, seat: Seat) -> String {
    let (Some(title), Some(standing)) = (history.game.title(), report::standing(&history.game)) else {
        return format!("# {}\n", unknown_book().what);
    };
    let mut out = String::new();
    let mut note = |text: &str| {
        for line in text.split('\n') {
            let _ = writeln!(out, "# {}", line.trim_end());
        }
    };
    note(&format!(
        "{} - your orders as the {seat} player, turn {}, step {}",
        title,
        history.game.turn().unwrap_or(0),
        history.step()
    ));
    note("Lines that begin with # are notes for you; they are not sent.");
    note("");
    note(&standing);
    let told = report::last_told(history, report::Detail::None);
    if !told.is_empty() {
        note("What happened last:");
        note(told.trim_matches('\n'));
    }
    note("");
    out.replace("# \n", "#\n")
}

/// The template for the open step: where the turn stands, what is asked, what is legal, as comments.
#[must_use]
pub fn template(history: &History, seat: Seat) -> String {
    let mut out = notes(history, seat);
    let asked = history.wants().iter().find(|w| w.asks().map(Seat::from) == Some(seat));
    let _ = write!(
        out,
        "countersign: 1\nkind: draft\ngame: \"{}\"\nseat: {seat}\nstep: {}\n",
        history.terms.game.short(),
        history.step()
    );
    let words = match (asked, seat.side(), &history.game) {
        (Some(Want::Seal { .. }), Some(side), AnyGame::Naval(game)) => plot_template(game.played.state(), side),
        (Some(Want::Decide { .. }), Some(side), AnyGame::Naval(game)) => react_template(game.played.state(), side),
        (Some(Want::Decide { kind, slot, .. }), Some(side), AnyGame::Land(game)) => {
            super::land::template(history, &game.played, side, kind, slot)
        }
        _ => String::new(),
    };
    match asked {
        Some(_) => out.push_str(&words),
        None => out.push_str("# Nothing is asked of you in this step.\n"),
    }
    out.push_str("# say: \"A word to your opponent; take away the # before `say` to send it.\"\n");
    out
}

fn plot_template(state: &State, side: Side) -> String {
    let fleet = state.fleets.get(side);
    let (own, steps) = (fleet.markers, state.steps());
    let cycle = ["straight", "stop", "straight", "stop", "straight", "stop", "left", "stop"];
    let markers = cycle.iter().cycle().take(usize::from(own)).copied().collect::<Vec<_>>().join(", ");
    let mut out = format!(
        "plot:\n  # {own} markers, exactly: straight, right, left or stop; at most three of a kind; no two turns in a row.\n  \
         # right turns the bow clockwise (heading +1), left the other way; a turn keeps the hex.\n  markers: [{markers}]\n"
    );
    if own < steps {
        let _ = writeln!(out, "  # Your opponent has {steps} markers; at the last ones you only fire and board.");
    }
    out.push_str(
        "  # When each broadside fires, at every marker: hold, crossing (the T), close (1 hex), crossing-or-close, any.\n  \
         # Each broadside fires once a turn.\n  fire: {starboard: crossing, port: crossing}\n  \
         # Boarding, when an enemy is in your hex: never, always, or {if: {lead: 2, marines: 2}}: your damage rating is\n  \
         # at least 2 above the enemy's and you have at least 2 marines. retreat_at: 1 = your boarders go back at 1 marine left.\n  \
         board: {wish: never, retreat_at: 0}\n",
    );
    let _ = write!(
        out,
        "  # What differs at a single marker; here: fire at anything after the last.\n  at:\n    {steps}:\n      fire: {{starboard: any, port: any}}\n"
    );
    if state.chooser == side {
        out.push_str("  # The choice of order is yours this turn: us or enemy.\n  order: {moves_first: enemy, fires_first: enemy}\n");
    }
    if fleet.squadron {
        let own: Vec<&str> = state.afloat(side).map(|s| s.id.0.as_str()).collect();
        let _ = write!(
            out,
            "  # Which ships carry the markers out: {{squadron: {{}}}} = all, {{command: {{followers: [...]}}}}, {{ship: {{id: ...}}}}.\n  \
             # reactions count when you move second: {{if: {{command: {{}}}}, then: ...}} or {{if: {{ship: {{id: ...}}}}, then: ...}}.\n  \
             # Your ships: {}.\n  lead: {{move_with: {{squadron: {{}}}}, succession: [{}]}}\n",
            own.join(", "),
            own.iter().skip(1).copied().collect::<Vec<_>>().join(", ")
        );
    }
    out.push_str(
        "  # react: [2] = ask me again at marker 2, before I fire there (costs a mail each way).\n  react: []\n",
    );
    out
}

fn react_template(state: &State, side: Side) -> String {
    let mut out = format!("# You asked to be asked again at marker {}. What you can fire at now:\n", state.step);
    for line in shots_now(state, side) {
        let _ = writeln!(out, "#   {line}");
    }
    out.push_str("# This stands in the place of what you sealed for this marker, boarding too.\nreact:\n  fire: {starboard: any, port: any}\n  board: {wish: never, retreat_at: 0}\n");
    if state.chooser == side {
        out.push_str("  order: {moves_first: enemy, fires_first: enemy}\n");
    }
    if state.fleets.get(side).squadron {
        out.push_str("  lead: {move_with: {squadron: {}}}\n");
    }
    out
}

/// What a side can fire at now, a line a shot.
#[must_use]
pub fn shots_now(state: &State, side: Side) -> Vec<String> {
    let all = shots(state, side);
    if all.is_empty() {
        return vec!["nothing: no enemy bears within range and sight, or the broadside is spent".to_owned()];
    }
    let line = |(shot, aim): &(Shot, Aim)| {
        let t = if aim.crossing { ", crossing the T" } else { "" };
        format!(
            "{} {:?} at {}: range {}{t}, hits on {}+",
            shot.ship, shot.broadside, shot.target, aim.range, aim.hits_on
        )
    };
    all.iter().map(line).collect()
}
