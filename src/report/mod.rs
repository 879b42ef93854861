//! What happened, told: a rendering of events, never a second computation.

mod fold;
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

use std::rc::Rc;

use crate::books::honor::land::{Event, Land};
use crate::catalog::AnyGame;
use crate::doc::emit;
use crate::error::Result;
use crate::log::{Closed, End, History};
use crate::play::{Chapter, Record, System};
use crate::seal::face;

pub use fold::{WIDTH, fold, hang};
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

/// How much is said of the dice below a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Nothing.
    None,
    /// In a line, whether they are proved.
    OneLine,
    /// Every roll by its name.
    EveryRoll,
}

/// The last stretches of a game, `n` of them; nothing of a game without a chapter here.
#[must_use]
pub fn told(history: &History, n: usize) -> String {
    fn last<T>(all: &[T], n: usize) -> &[T] {
        &all[all.len().saturating_sub(n)..]
    }
    match &history.game {
        AnyGame::Naval(game) => stretches(history, last(game.played.chapters(), n), story, Detail::OneLine),
        AnyGame::Land(game) => {
            folded(&stretches(history, last(game.played.chapters(), n), land::story, Detail::OneLine))
        }
        AnyGame::Other(_) => String::new(),
    }
}

/// The last stretch that told something.
#[must_use]
pub fn last_told(history: &History, detail: Detail) -> String {
    fn last<Y: System>(all: &[Rc<Chapter<Y>>]) -> &[Rc<Chapter<Y>>] {
        let at = all.iter().rposition(|c| !c.records.is_empty());
        at.map_or(&[], |at| std::slice::from_ref(&all[at]))
    }
    match &history.game {
        AnyGame::Naval(game) => stretches(history, last(game.played.chapters()), story, detail),
        AnyGame::Land(game) => folded(&stretches(history, half_turn(game.played.chapters()), land::story, detail)),
        AnyGame::Other(_) => String::new(),
    }
}

fn folded(text: &str) -> String {
    text.lines().map(|line| fold(line) + "\n").collect()
}

/// The stretches of the last half-turn that told something: after a PAUSE or a question they are several.
fn half_turn(all: &[Rc<Chapter<Land>>]) -> &[Rc<Chapter<Land>>] {
    let Some(end) = all.iter().rposition(|c| !c.records.is_empty()) else { return &[] };
    let over = |c: &Rc<Chapter<Land>>| {
        c.records.iter().any(|r| matches!(r, Record::Event(Event::ActionPoints { .. } | Event::GameOver { .. })))
    };
    let start = all[..end].iter().rposition(over).map_or(0, |before| before + 1);
    &all[start..=end]
}

fn stretches<Y: System>(
    history: &History,
    chapters: &[Rc<Chapter<Y>>],
    story: impl Fn(&Y::State, &[Record<Y>]) -> String,
    detail: Detail,
) -> String {
    let tell = |c: &Rc<Chapter<Y>>| {
        let dice = match detail {
            Detail::None => String::new(),
            Detail::OneLine => proof_line(history, &c.records),
            Detail::EveryRoll => proof(history, &c.records),
        };
        story(&c.before, &c.records) + &dice
    };
    chapters.iter().map(tell).collect()
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
    out.push_str(&last_told(history, Detail::EveryRoll));
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
    let figures = format!("Figures: {figures}.");
    let figures = if history.game.land().is_some() { fold(&figures) } else { figures };
    out.push_str(&format!("\n{figures}\nHead: {head}\n"));
    out
}

/// Who won, if a record says so; `None` inside for a draw.
type Victor<Y> = fn(&Record<Y>) -> Option<Option<crate::side::Side>>;

/// Who won by the rules, `None` inside for a draw; nothing if the game is not over by the rules.
#[must_use]
pub fn victor(history: &History) -> Option<Option<crate::side::Side>> {
    fn last<Y: System>(chapters: &[Rc<Chapter<Y>>], victor: Victor<Y>) -> Option<Option<crate::side::Side>> {
        chapters.iter().rev().flat_map(|c| c.records.iter().rev()).find_map(victor)
    }
    match &history.game {
        AnyGame::Naval(game) => last(game.played.chapters(), naval::victor),
        AnyGame::Land(game) => last(game.played.chapters(), land::victor),
        AnyGame::Other(_) => None,
    }
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
