//! A simple opponent: it weighs the legal orders it can think of by a few plain figures and takes the best.
//!
//! What it sees is a [`Seen`]: the position, which everybody sees, and one question to its own side. What the enemy has
//! sealed, answered or been asked is in none of its inputs. It knows no clock and no random source of its own; chance
//! comes in as `pick(n)`, a number below `n`.
//!
//! `odds` counts dice, `naval` and `land` play the two books, `duel` plays a whole game of two of them, `balance` many.

mod balance;
mod duel;
mod land;
mod naval;
pub mod odds;

use std::collections::BTreeMap;
use std::str::FromStr;

pub use balance::{Balance, hundredths};
pub use duel::{Outcome, duel};

use crate::books::honor::land::Land;
use crate::books::honor::naval::Naval;
use crate::catalog::AnyGame;
use crate::play::{Asked, Played, System};
use crate::side::Side;

/// A source of random numbers: `pick(n)` gives one below `n`.
pub type Pick<'a> = &'a mut dyn FnMut(u32) -> u32;

/// All that a player sees when he is asked something.
pub struct Seen<'a, Y: System> {
    /// Whom is asked.
    pub side: Side,
    /// The position; both players have the same.
    pub position: &'a Y::State,
    /// The question to his own side.
    pub question: &'a dyn Asked<Y>,
}

/// How a seat is played by the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// The orders that look best.
    Greedy,
    /// Any legal orders: the measure of the other.
    Random,
}

impl Style {
    /// The word of the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Style::Greedy => "greedy",
            Style::Random => "random",
        }
    }
}

impl FromStr for Style {
    type Err = String;
    fn from_str(word: &str) -> Result<Style, String> {
        let all = [Style::Greedy, Style::Random];
        all.into_iter()
            .find(|s| s.word() == word)
            .ok_or_else(|| format!("`{word}` is no way to play: greedy or random"))
    }
}

/// A book the bot knows.
pub trait Known: System {
    /// The answer that looks best, canonical; `None` to a question the bot has no view of.
    fn greedy(seen: &Seen<'_, Self>, pick: Pick<'_>) -> Option<String>;
}

impl Known for Naval {
    fn greedy(seen: &Seen<'_, Naval>, pick: Pick<'_>) -> Option<String> {
        naval::answer(seen, pick)
    }
}

impl Known for Land {
    fn greedy(seen: &Seen<'_, Land>, pick: Pick<'_>) -> Option<String> {
        land::answer(seen, pick)
    }
}

/// The answer of a seat the program plays: canonical and legal. Where the greedy bot has no view, the cautious answer
/// that stands in the place of an absent player, else the first that is legal.
pub fn choose<Y: Known>(style: Style, seen: &Seen<'_, Y>, pick: Pick<'_>) -> String {
    let Seen { position, question, .. } = seen;
    if style == Style::Random {
        return question.sample(position, pick);
    }
    let best = Y::greedy(seen, pick).and_then(|content| question.judge(position, &content).ok());
    let plain = || question.absent(position).or_else(|| question.options(position).into_iter().next());
    best.or_else(plain).unwrap_or_else(|| question.sample(position, pick))
}

/// Answers to everything a game asks of a side now, by slot; none for a book the bot does not know.
pub fn answers(game: &AnyGame, side: Side, style: Style, pick: Pick<'_>) -> BTreeMap<String, String> {
    match game {
        AnyGame::Naval(game) => of_side(&game.played, side, style, pick),
        AnyGame::Land(game) => of_side(&game.played, side, style, pick),
        AnyGame::Other(_) => BTreeMap::new(),
    }
}

fn of_side<Y: Known>(game: &Played<Y>, side: Side, style: Style, pick: Pick<'_>) -> BTreeMap<String, String> {
    let answer = |question: &dyn Asked<Y>| {
        let seen = Seen { side, position: game.state(), question };
        (question.slot(), choose(style, &seen, &mut *pick))
    };
    game.asked(side).map(answer).collect()
}
