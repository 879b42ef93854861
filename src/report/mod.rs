//! What happened, told: a rendering of events, never a second computation.

mod naval;

use crate::doc::emit;
use crate::error::Result;
use crate::log::{Closed, End, History};

pub use naval::{chart, fleet_table, rule_of, story};

/// The position and the needs as a YAML document: what `whatif` starts from.
///
/// # Errors
/// If the position cannot be written (a defect).
pub fn turn_file(history: &History) -> Result<String> {
    let Some(game) = history.game.naval() else { return Ok(history.game.game().position() + "\n") };
    let position =
        crate::books::honor::naval::Position::of(&game.played.checkpoint().stage, &game.played.checkpoint().state);
    let mut out = format!(
        "# Game {}, step {}. This is the position from which the next orders are played;\n# `countersign whatif turn.yaml` starts here.\n",
        history.terms.game.short(),
        history.step()
    );
    for want in history.wants() {
        out.push_str(&format!("# needed: {}\n", want.line()));
    }
    out.push_str(&emit(&position)?);
    Ok(out)
}

/// The report of the last step that told something, with the chart of the sea as it stands.
#[must_use]
pub fn last_report(history: &History) -> String {
    let Some(game) = history.game.naval() else { return records(history.closed()) };
    let title = format!("{} - {}, {}\n", game.scenario.title, game.scenario.date, game.scenario.place);
    let mut out = format!("{title}{}\n\n", "=".repeat(title.trim_end().chars().count()));
    if let Some(chapter) = game.played.chapters().iter().rev().find(|c| !c.records.is_empty()) {
        out.push_str(&story(&chapter.before, &chapter.records));
    }
    for closed in history.closed().iter().rev().take(1) {
        if let Some((seat, what)) = &closed.agreed {
            out.push_str(&format!("\nBoth agreed to what the {seat} player offered: {what}.\n"));
        }
        for (seat, said) in &closed.said {
            out.push_str(&format!("\nThe {seat} player writes: {said}\n"));
        }
    }
    out.push('\n');
    out.push_str(&chart(game.played.state()));
    out.push('\n');
    out.push_str(&fleet_table(game.played.state()));
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
        "\nFigures: {}. Every die above can be checked: `countersign audit die`.\nHead: {head}\n",
        game.scenario.provenance
    ));
    out
}

/// Who won by the rules, `None` inside for a draw; nothing if the game is not over by the rules.
#[must_use]
pub fn victor(history: &History) -> Option<Option<crate::side::Side>> {
    let game = history.game.naval()?;
    game.played.chapters().iter().rev().flat_map(|c| c.records.iter().rev()).find_map(naval::victor)
}

/// What a game of a book without a chapter here has told: its records as they are.
fn records(closed: &[Closed]) -> String {
    let stories = closed.iter().filter_map(|c| c.story.as_ref());
    stories.flat_map(|s| &s.records).map(|record| format!("{record}\n")).collect()
}

/// The whole battle so far, turn by turn.
#[must_use]
pub fn whole_report(history: &History) -> String {
    let Some(game) = history.game.naval() else { return records(history.closed()) };
    game.played.chapters().iter().map(|c| story(&c.before, &c.records)).collect::<Vec<_>>().join("\n")
}
