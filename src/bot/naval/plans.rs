//! Plots worth a look: rows of markers the rules allow, and who carries them out.

use crate::books::honor::naval::{Marker, State, judge_prefix};
use crate::bot::Pick;
use crate::side::Side;

/// Markers up to which every row is looked at; of longer ones some are drawn.
const ALL_UP_TO: usize = 5;

/// Rows drawn where there are more than can be looked at.
const DRAWN: usize = 300;

/// Which ships carry a marker out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// All of them, led by the command ship; a single ship too.
    All,
    /// One alone, by its place among the side's ships afloat.
    One(usize),
}

/// One step of a plot: the marker, if there is one left, and who carries it out.
pub(super) type Step = (Option<Marker>, Who);

/// A plot without its conduct: one entry a step of the turn.
pub(super) type Plan = Vec<Step>;

/// Rows of markers a side may plot.
pub(super) fn rows(state: &State, side: Side, pick: Pick<'_>) -> Vec<Vec<Option<Marker>>> {
    let own = usize::from(state.fleets.get(side).markers);
    let mut rows = vec![Vec::new()];
    if own <= ALL_UP_TO {
        for _ in 0..own {
            rows = rows.iter().flat_map(|row| next(state, side, row)).collect();
        }
        return rows;
    }
    let mut draw = || {
        let mut row = Vec::new();
        while row.len() < own {
            let mut longer = next(state, side, &row);
            let n = u32::try_from(longer.len()).unwrap_or(1).max(1);
            let at = pick(n) as usize;
            if at >= longer.len() {
                break;
            }
            row = longer.swap_remove(at);
        }
        row
    };
    (0..DRAWN).map(|_| draw()).filter(|row| row.len() == own).collect()
}

/// The row with every marker behind it that the rules allow there (1.2.1, 5.10).
fn next(state: &State, side: Side, row: &[Option<Marker>]) -> Vec<Vec<Option<Marker>>> {
    let with = |marker: Marker| [row, &[Some(marker)]].concat();
    Marker::ALL.into_iter().map(with).filter(|row| judge_prefix(state, side, row).is_ok()).collect()
}

/// Who can carry out a marker of a side: all, if somebody leads them (9.3), or one alone.
pub(super) fn leads(state: &State, side: Side) -> Vec<Who> {
    let fleet = state.fleets.get(side);
    if !fleet.squadron {
        return vec![Who::All];
    }
    let all = fleet.command.is_some().then_some(Who::All);
    all.into_iter().chain((0..state.afloat(side).count()).map(Who::One)).collect()
}

/// A row as a plan: one entry a step of the turn, all of it with the same ships.
pub(super) fn plan(state: &State, row: &[Option<Marker>], who: Who) -> Plan {
    (0..usize::from(state.steps())).map(|k| (row.get(k).copied().flatten(), who)).collect()
}

/// Some of many, drawn at random; all if they are few.
pub(super) fn some<T>(mut of: Vec<T>, most: usize, pick: Pick<'_>) -> Vec<T> {
    while of.len() > most {
        let at = pick(u32::try_from(of.len()).unwrap_or(1)) as usize;
        of.swap_remove(at.min(of.len() - 1));
    }
    of
}

/// Plans that differ from one in one step: another marker there, or other ships.
pub(super) fn around(state: &State, side: Side, plan: &Plan) -> Vec<Plan> {
    let leads = leads(state, side);
    let mut found = Vec::new();
    for (k, (marker, who)) in plan.iter().enumerate() {
        let Some(marker) = marker else { continue };
        let others = Marker::ALL.into_iter().filter(|m| m != marker).map(|m| (Some(m), *who));
        let elsewhere = leads.iter().filter(|w| *w != who).map(|w| (Some(*marker), *w));
        for step in others.chain(elsewhere) {
            let mut changed = plan.clone();
            changed[k] = step;
            let row: Vec<Option<Marker>> = changed.iter().map(|(m, _)| *m).collect();
            if judge_prefix(state, side, &row).is_ok() {
                found.push(changed);
            }
        }
    }
    found
}
