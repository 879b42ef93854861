//! The naval game: a plot is weighed against plots the enemy would like, and the conduct is made to fit it.
//!
//! `plans` lists plots, `look` says where they lead and what that is worth, `worth` what hits and boardings are worth,
//! `conduct` writes the orders.

mod conduct;
mod look;
mod plans;
mod worth;

use crate::books::honor::naval::{Naval, Plot, State};
use crate::bot::odds::POINT;
use crate::bot::{Pick, Seen};
use crate::play::to_content;
use crate::side::Side;
use look::{Sea, Track, Weighed};
use plans::{Plan, around, leads, plan, rows, some};

/// Plots of the enemy that ours is weighed against.
const FOES: usize = 10;

/// Plots of one's own a single ship weighs.
const ROWS: usize = 240;

/// Rows of markers a squadron weighs, each with every choice of ships.
const SQUADRON_ROWS: usize = 24;

/// Rounds in which a squadron's best plot is made better step by step.
const ROUNDS: usize = 3;

/// Plots that are worse by no more than this are as good: which of them it is the enemy shall not foresee.
const ALIKE: i64 = POINT / 50;

/// The answer to a question. Whatever else the book can ask the sealed conduct has answered already.
pub(super) fn answer(seen: &Seen<'_, Naval>, pick: Pick<'_>) -> Option<String> {
    match seen.question.kind() {
        "plot" => Some(to_content(&best_plot(seen.position, seen.side, pick))),
        "react" => Some(to_content(&conduct::at_once(&Sea::new(seen.position), seen.side))),
        _ => None,
    }
}

fn best_plot(state: &State, side: Side, pick: Pick<'_>) -> Plot {
    let sea = Sea::new(state);
    let enemy = side.other();
    // The enemy is taken to plot what is good against plots of ours drawn at random.
    let any: Vec<Track> = tracks(&sea, side, &some(plans(state, side, pick), FOES, pick));
    let foes = best(&sea, enemy, some(plans(state, enemy, pick), ROWS, pick), &any);
    let foes: Vec<Plan> = foes.into_iter().take(FOES).map(|(plan, _)| plan).collect();
    let foes = tracks(&sea, enemy, &foes);
    let mut found = best(&sea, side, some(plans(state, side, pick), ROWS, pick), &foes);
    for _ in 0..if state.fleets.get(side).squadron { ROUNDS } else { 0 } {
        let Some((top, value)) = found.first().map(|(plan, weighed)| (plan.clone(), weighed.value)) else { break };
        let mut better = best(&sea, side, around(state, side, &top), &foes);
        better.retain(|(_, weighed)| weighed.value > value);
        if better.is_empty() {
            break;
        }
        found.splice(0..0, better);
    }
    let most = found.first().map_or(0, |(_, weighed)| weighed.value);
    found.retain(|(_, weighed)| weighed.value >= most - ALIKE);
    let at = pick(u32::try_from(found.len()).unwrap_or(1).max(1)) as usize;
    match found.get(at) {
        Some((plan, weighed)) => conduct::plot(&sea, side, plan, weighed),
        None => Plot::default(),
    }
}

/// Plots of a side: every row for a single ship, rows with every choice of ships for a squadron.
fn plans(state: &State, side: Side, pick: Pick<'_>) -> Vec<Plan> {
    let leads = leads(state, side);
    let mut all = rows(state, side, pick);
    if leads.len() > 1 {
        all = some(all, SQUADRON_ROWS, pick);
    }
    all.iter().flat_map(|row| leads.iter().map(|who| plan(state, row, *who))).collect()
}

fn tracks(sea: &Sea<'_>, side: Side, plans: &[Plan]) -> Vec<Track> {
    plans.iter().map(|plan| sea.track(side, plan)).collect()
}

/// Plans weighed against some of the enemy's, the best first; of equals the earlier.
fn best(sea: &Sea<'_>, side: Side, plans: Vec<Plan>, enemy: &[Track]) -> Vec<(Plan, Weighed)> {
    let weigh = |plan: Plan| {
        let weighed = sea.weigh(side, &sea.track(side, &plan), enemy);
        (plan, weighed)
    };
    let mut found: Vec<(Plan, Weighed)> = plans.into_iter().map(weigh).collect();
    found.sort_by_key(|(_, weighed)| std::cmp::Reverse(weighed.value));
    found
}
