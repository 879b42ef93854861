//! What happened, told: a rendering of events, never a second computation.

mod html;
mod html_land;
mod html_naval;
pub mod land;
mod map;
mod map_art;
mod map_svg;
mod map_text;
mod naval;
mod naval_svg;

use crate::catalog::AnyGame;
use crate::doc::emit;
use crate::error::Result;
use crate::log::{Closed, End, History};

pub use html::{html, html_all};
pub use map::{Arrow, Counter, Layer};
pub use map_svg::map_svg;
pub use map_text::{map_lists, map_text};
pub use naval::{chart, fleet_table, rule_of, story};
pub use naval_svg::{arrows as chart_arrows, chart_svg};

/// The position and the needs as a YAML document: what `whatif` starts from.
///
/// # Errors
/// If the position cannot be written (a defect).
pub fn turn_file(history: &History) -> Result<String> {
    let position = match &history.game {
        AnyGame::Naval(game) => {
            let from = game.played.checkpoint();
            emit(&crate::books::honor::naval::Position::of(&from.stage, &from.state))?
        }
        AnyGame::Land(game) => {
            let from = game.played.checkpoint();
            emit(&crate::books::honor::land::LandPosition::of(&from.stage, &from.state, &from.standing))?
        }
        AnyGame::Other(game) => return Ok(game.position() + "\n"),
    };
    let mut out = format!(
        "# Game {}, step {}. This is the position from which the next orders are played;\n# `countersign whatif turn.yaml` starts here.\n",
        history.terms.game.short(),
        history.step()
    );
    for want in history.wants() {
        out.push_str(&format!("# needed: {}\n", want.line()));
    }
    out.push_str(&position);
    Ok(out)
}

/// Where a game stands: its map and its pieces.
#[must_use]
pub fn standing(game: &AnyGame) -> Option<String> {
    match game {
        AnyGame::Naval(game) => Some(format!("{}\n{}", chart(game.played.state()), fleet_table(game.played.state()))),
        AnyGame::Land(game) => {
            Some(format!("{}\n{}", land::chart(game.played.state()), land::table(game.played.state())))
        }
        AnyGame::Other(_) => None,
    }
}

/// The last stretches of a game, `n` of them; nothing of a game without a chapter here.
#[must_use]
pub fn told(game: &AnyGame, n: usize) -> String {
    fn last<T>(all: &[T], n: usize) -> &[T] {
        &all[all.len().saturating_sub(n)..]
    }
    match game {
        AnyGame::Naval(game) => last(game.played.chapters(), n).iter().map(|c| story(&c.before, &c.records)).collect(),
        AnyGame::Land(game) => {
            last(game.played.chapters(), n).iter().map(|c| land::story(&c.before, &c.records)).collect()
        }
        AnyGame::Other(_) => String::new(),
    }
}

/// The last stretch that told something.
#[must_use]
pub fn last_told(game: &AnyGame) -> String {
    match game {
        AnyGame::Naval(game) => {
            let told = game.played.chapters().iter().rev().find(|c| !c.records.is_empty());
            told.map_or(String::new(), |c| story(&c.before, &c.records))
        }
        AnyGame::Land(game) => {
            let told = game.played.chapters().iter().rev().find(|c| !c.records.is_empty());
            told.map_or(String::new(), |c| land::story(&c.before, &c.records))
        }
        AnyGame::Other(_) => String::new(),
    }
}

/// Title, day and place of a game's scenario, and where its figures come from.
fn heading(game: &AnyGame) -> Option<(String, &str)> {
    match game {
        AnyGame::Naval(g) => Some((
            format!("{} - {}, {}\n", g.scenario.title, g.scenario.date, g.scenario.place),
            &g.scenario.provenance,
        )),
        AnyGame::Land(g) => Some((
            format!("{} - {}, {}\n", g.scenario.title, g.scenario.date, g.scenario.place),
            &g.scenario.provenance,
        )),
        AnyGame::Other(_) => None,
    }
}

/// The report of the last step that told something, with the chart of the sea as it stands.
#[must_use]
pub fn last_report(history: &History) -> String {
    let Some((title, figures)) = heading(&history.game) else { return records(history.closed()) };
    let mut out = format!("{title}{}\n\n", "=".repeat(title.trim_end().chars().count()));
    out.push_str(&last_told(&history.game));
    for closed in history.closed().iter().rev().take(1) {
        if let Some((seat, what)) = &closed.agreed {
            out.push_str(&format!("\nBoth agreed to what the {seat} player offered: {what}.\n"));
        }
        for (seat, said) in &closed.said {
            out.push_str(&format!("\nThe {seat} player writes: {said}\n"));
        }
    }
    out.push('\n');
    out.push_str(&standing(&history.game).unwrap_or_default());
    if let Some(end) = history.end() {
        out.push_str(&match end {
            End::Rules => "\nThe game is over.\n".to_owned(),
            End::Conceded(seat) => format!("\nThe {seat} player has conceded; the game is over.\n"),
            End::Draw => "\nThe game has ended as a draw.\n".to_owned(),
            End::Forfeited(seat) => format!("\nThe {seat} player let the time go by and has lost by the terms.\n"),
        });
    }
    let head = crate::seal::twelve_words(&history.head());
    out.push_str(&format!(
        "\nFigures: {figures}. Every die above can be checked: `countersign audit die`.\nHead: {head}\n"
    ));
    out
}

/// What a game of a book without a chapter here has told: its records as they are.
fn records(closed: &[Closed]) -> String {
    let stories = closed.iter().filter_map(|c| c.story.as_ref());
    stories.flat_map(|s| &s.records).map(|record| format!("{record}\n")).collect()
}

/// The whole battle so far, turn by turn.
#[must_use]
pub fn whole_report(history: &History) -> String {
    match &history.game {
        AnyGame::Naval(game) => {
            game.played.chapters().iter().map(|c| story(&c.before, &c.records)).collect::<Vec<_>>().join("\n")
        }
        AnyGame::Land(game) => {
            game.played.chapters().iter().map(|c| land::story(&c.before, &c.records)).collect::<Vec<_>>().join("\n")
        }
        AnyGame::Other(_) => records(history.closed()),
    }
}
