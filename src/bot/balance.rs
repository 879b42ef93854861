//! Many games of one scenario, counted: who wins it when both sides are played alike.

use super::duel::{Outcome, duel};
use super::{Pick, Style};
use crate::books::honor::land::{self, Land};
use crate::books::honor::naval::{self, Naval};
use crate::catalog::AnyGame;
use crate::play::{Record, Run};
use crate::side::{Side, Sides};

/// The results of games of one scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    /// Games played.
    pub games: u32,
    /// Games won.
    pub wins: Sides<u32>,
    /// Victory points of all games together.
    pub points: Sides<u64>,
    /// Turns of all games together.
    pub turns: u64,
}

impl Balance {
    /// Games nobody won.
    #[must_use]
    pub fn draws(&self) -> u32 {
        self.games - self.wins.british - self.wins.american
    }

    /// Counts one game more.
    pub fn add(&mut self, outcome: &Outcome) {
        self.games += 1;
        self.turns += u64::from(outcome.turns);
        for side in Side::ALL {
            *self.wins.get_mut(side) += u32::from(outcome.winner == Some(side));
            *self.points.get_mut(side) += u64::from(*outcome.points.get(side));
        }
    }

    /// Plays one game more from where a game stands that has just been opened.
    ///
    /// # Errors
    /// What went wrong, if the game does not end by the rules (a defect), or the bot does not know its book.
    pub fn play(&mut self, game: &AnyGame, styles: Sides<Style>, pick: Pick<'_>) -> Result<(), String> {
        let outcome = match game {
            AnyGame::Naval(game) => at_sea(&duel(game.played.checkpoint(), styles, pick)?),
            AnyGame::Land(game) => on_land(&duel(game.played.checkpoint(), styles, pick)?),
            AnyGame::Other(_) => return Err("the program does not play games of this book".into()),
        };
        self.add(&outcome);
        Ok(())
    }
}

fn at_sea(run: &Run<Naval>) -> Outcome {
    let winner = run.records.iter().rev().find_map(|record| match record {
        Record::Event(naval::Event::GameOver { winner, .. }) => Some(*winner),
        _ => None,
    });
    let points = Sides::from_fn(|side| run.state.fleets.get(side).points);
    Outcome { winner: winner.flatten(), points, turns: run.state.turn }
}

fn on_land(run: &Run<Land>) -> Outcome {
    let winner = run.records.iter().rev().find_map(|record| match record {
        Record::Event(land::Event::GameOver { winner, .. }) => Some(*winner),
        _ => None,
    });
    let points = Sides::from_fn(|side| run.state.armies.get(side).points);
    Outcome { winner: winner.flatten(), points, turns: run.state.turn }
}

/// The average of a sum over so many games, in hundredths, rounded down.
#[must_use]
pub fn hundredths(sum: u64, games: u32) -> u64 {
    (sum * 100).checked_div(u64::from(games)).unwrap_or(0)
}
