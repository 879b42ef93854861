//! What happened, told: a rendering of events, never a second computation.

mod naval;

use crate::doc::emit;
use crate::error::Result;
use crate::log::{Closed, End, History};
use crate::play::{Record, System};
use crate::seal::face;

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
        out.push_str(&proof(history, &chapter.records));
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
    out.push_str(&format!("\nFigures: {}.\nHead: {head}\n", game.scenario.provenance));
    out
}

/// Who won by the rules, `None` inside for a draw; nothing if the game is not over by the rules.
#[must_use]
pub fn victor(history: &History) -> Option<Option<crate::side::Side>> {
    let game = history.game.naval()?;
    game.played.chapters().iter().rev().flat_map(|c| c.records.iter().rev()).find_map(naval::victor)
}

/// The proof status of every roll told of: what it showed, its name, and whether the seed of its step gives that face.
///
/// A report is written from closed steps alone, and a step closes with a seed only when every link in it has been hashed
/// back to the value its owner signed with the terms. What is left to see is that each face is the one the seed makes.
fn proof<Y: System>(history: &History, records: &[Record<Y>]) -> String {
    let rolls = rolls(history, records);
    let Some(first) = rolls.first() else { return String::new() };
    let row =
        |r: &Roll<'_>| format!("  {:>2}  {}  {}\n", r.face, if r.proved { "proved" } else { "NOT PROVED" }, r.ticket);
    format!(
        "\nDice: {}.\n{}  To redo one by hand: countersign audit die {}\n",
        verdict(&rolls),
        rolls.iter().map(row).collect::<String>(),
        first.ticket
    )
}

/// The same in one line, without the rolls; nothing if none was rolled.
#[must_use]
pub fn proof_line<Y: System>(history: &History, records: &[Record<Y>]) -> String {
    let rolls = rolls(history, records);
    if rolls.is_empty() { String::new() } else { format!("\nDice: {}.\n", verdict(&rolls)) }
}

/// One roll of a report.
struct Roll<'a> {
    ticket: &'a str,
    face: u32,
    /// Whether the seed of its step makes this face.
    proved: bool,
}

fn rolls<'a, Y: System>(history: &History, records: &'a [Record<Y>]) -> Vec<Roll<'a>> {
    let roll = |record: &'a Record<Y>| {
        let Record::Rolled { ticket, step, faces, face: shown } = record else { return None };
        let seed = history.seeds().get(step);
        let proved = seed.is_some_and(|seed| face(seed, ticket, *faces).face + 1 == *shown);
        Some(Roll { ticket, face: *shown, proved })
    };
    records.iter().filter_map(roll).collect()
}

fn verdict(rolls: &[Roll<'_>]) -> String {
    let count = if rolls.len() == 1 { "1 roll".to_owned() } else { format!("{} rolls", rolls.len()) };
    if rolls.iter().all(|r| r.proved) {
        format!("{count}, all proved: computed again from secret numbers that were fixed before the game")
    } else {
        format!("{count}, NOT ALL PROVED: run `countersign verify`, which says what is wrong")
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::honor::naval::Naval;
    use crate::catalog;
    use crate::log::verify;

    /// Every roll of the battle is told of as proved; one that shows another face than its seed makes is not.
    #[test]
    fn every_roll_has_its_proof_status() {
        let log = include_bytes!("../../examples/wasp-frolic/game.log");
        let history = verify(log, &catalog::embedded, None).unwrap().history;
        let chapters = history.game.naval().unwrap().played.chapters();
        let mut told = 0;
        for chapter in chapters {
            let rolled = |r: &&Record<Naval>| matches!(r, Record::Rolled { .. });
            let count = chapter.records.iter().filter(rolled).count();
            let text = proof(&history, &chapter.records);
            assert_eq!(text.matches("  proved  ").count(), count);
            assert_eq!(text.contains("all proved"), count > 0);
            assert_eq!(text.is_empty() && proof_line(&history, &chapter.records).is_empty(), count == 0);
            told += count;
            for at in 0..chapter.records.len() {
                let mut forged = chapter.records.clone();
                let Some(Record::Rolled { face, .. }) = forged.get_mut(at) else { continue };
                *face = *face % 6 + 1;
                let text = proof(&history, &forged);
                assert_eq!(
                    (text.matches("  NOT PROVED  ").count(), text.matches("  proved  ").count()),
                    (1, count - 1)
                );
                assert!(text.contains("NOT ALL PROVED") && proof_line(&history, &forged).contains("NOT ALL PROVED"));
            }
        }
        assert!(told > 5, "{told}");
        let last = last_report(&history);
        assert!(last.contains("To redo one by hand: countersign audit die t7/"), "{last}");
    }
}
