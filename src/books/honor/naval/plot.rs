//! 4.1 phases 2 and 3, chapter 5: the hidden plot, sealed part by part.

use std::collections::BTreeMap;

use super::event::Event;
use super::orders::{Conduct, Marker, MarkerOrders, Order, Plot, ShipId};
use super::rulings::Allotment;
use super::state::State;
use super::turn::{Naval, Stage};
use crate::cite::Cite;
use crate::play::{Judged, Play, Question, Refusal, Sealed, Table, from_content, to_content};
use crate::side::{Side, Sides};

/// Both players plot at the same time.
pub(super) fn plot(table: &mut Table<'_, Naval>) -> Play<Stage, Naval> {
    let (turn, steps) = (table.state().turn, table.state().steps());
    if steps == 0 {
        table.tell(Event::Plotted { react: Sides { british: Vec::new(), american: Vec::new() } });
        return Ok(Stage::TurnEnd {});
    }
    table.seal(&Side::ALL.map(|side| PlotQuestion { side, turn }))?;
    let parts = Side::ALL.map(|side| (side, part(turn, side, "react")));
    let opened = table.open::<Vec<u8>>(&parts, Cite("NAV-4.1.b"))?;
    let mut react = Sides { british: Vec::new(), american: Vec::new() };
    for (side, steps) in Side::ALL.into_iter().zip(opened) {
        *react.get_mut(side) = steps.unwrap_or_default();
    }
    table.tell(Event::Plotted { react });
    Ok(Stage::Marker { step: 1 })
}

/// The slot of one part of a side's plot.
pub(super) fn part(turn: u32, side: Side, name: &str) -> String {
    format!("t{turn}/{side}/plot/{name}")
}

/// The plot of one side for one turn.
#[derive(Debug, Clone)]
pub struct PlotQuestion {
    /// Whose.
    pub side: Side,
    /// The turn.
    pub turn: u32,
}

impl Question<Naval> for PlotQuestion {
    type Value = Plot;
    const KIND: &'static str = "plot";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("t{}/{}/plot", self.turn, self.side)
    }
    fn cite(&self) -> Cite {
        Cite("NAV-4.1.c")
    }

    fn check(&self, state: &State, plot: &Plot) -> Judged<()> {
        let mut faults = Vec::new();
        let steps = usize::from(state.steps());
        if plot.steps.len() != steps {
            let what = format!("the turn has {steps} steps and this plot has {}", plot.steps.len());
            faults.push(
                Refusal::new("steps", Cite("NAV-5.8.1"), what)
                    .instead("Give one entry a step; where your markers are used up, an entry without a marker."),
            );
        }
        let markers: Vec<Option<Marker>> = plot.steps.iter().map(|s| s.marker).collect();
        if let Err((at, refusal)) = judge_markers(state, self.side, &markers) {
            faults.push(Refusal { path: format!("steps[{at}].marker"), ..refusal });
        }
        for (n, step) in (1u8..).zip(&plot.steps) {
            let at = format!("steps[{n}]");
            faults.extend(judge_conduct(state, self.side, &step.conduct, &at));
        }
        faults.extend(judge_react(state, &plot.react));
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn options(&self, state: &State) -> Vec<Plot> {
        let cycle = [Marker::Straight, Marker::Right, Marker::Stop, Marker::Left];
        let own = state.fleets.get(self.side).markers;
        let step =
            |k: u8| MarkerOrders { marker: (k < own).then(|| cycle[usize::from(k) % 4]), conduct: Conduct::default() };
        vec![Plot { steps: (0..state.steps()).map(step).collect(), react: Vec::new() }]
    }

    /// All STOP, hold fire, no boarding (N42); as there are three STOP markers (NAV-1.2.1), from the fourth marker on the bow
    /// swings to and fro between them, no two turns in a row (NAV-5.10).
    fn absent(&self, state: &State) -> Option<Plot> {
        use Marker::{Left, Right, Stop, Straight};
        let swing = [Stop, Right, Stop, Left, Stop, Right, Straight, Left, Straight, Right, Straight];
        let own = usize::from(state.fleets.get(self.side).markers);
        let row = if own <= 3 { &[Stop; 3][..own] } else { swing.get(..own)? };
        let step = |k: u8| MarkerOrders { marker: row.get(usize::from(k)).copied(), conduct: Conduct::default() };
        Some(Plot { steps: (0..state.steps()).map(step).collect(), react: Vec::new() })
    }

    fn sample(&self, state: &State, pick: &mut dyn FnMut(u32) -> u32) -> Plot {
        super::random::plot(state, self.side, pick)
    }
}

impl Sealed<Naval> for PlotQuestion {
    fn parts(&self, state: &State) -> Vec<String> {
        let fleet = state.fleets.get(self.side);
        let mut names = vec!["react".to_owned()];
        for step in 1..=state.steps() {
            if step <= fleet.markers {
                names.push(format!("marker/{step}"));
            }
            if state.chooser == self.side {
                names.push(format!("order/{step}"));
            }
            if fleet.squadron {
                names.push(format!("lead/{step}"));
            }
            names.push(format!("fire/{step}"));
            names.push(format!("board/{step}"));
        }
        names
    }

    fn public_parts(&self, _state: &State) -> Vec<String> {
        vec!["react".to_owned()]
    }

    fn split(&self, state: &State, plot: &Plot) -> Vec<String> {
        let content = |name: &String| {
            let (kind, step) = name.split_once('/').unwrap_or((name, "0"));
            let step = step.parse::<usize>().ok().and_then(|n| plot.steps.get(n.checked_sub(1)?));
            let step = step.cloned().unwrap_or_default();
            match kind {
                "marker" => to_content(&step.marker),
                "order" => to_content(&step.conduct.order),
                "lead" => to_content(&step.conduct.lead),
                "fire" => to_content(&step.conduct.fire),
                "board" => to_content(&step.conduct.board),
                _ => to_content(&plot.react),
            }
        };
        self.parts(state).iter().map(content).collect()
    }

    fn check_clear(&self, state: &State, clear: &BTreeMap<String, String>) -> Judged<()> {
        let cite = self.cite();
        let mut faults = Vec::new();
        let mut markers = Vec::new();
        let mut whole = true;
        for (name, content) in clear {
            let (kind, step) = name.split_once('/').unwrap_or((name, ""));
            let at = |r: Vec<Refusal>| r.into_iter().map(|r| Refusal { path: name.clone(), ..r }).collect::<Vec<_>>();
            let verdict = match kind {
                "marker" => from_content::<Option<Marker>>(cite, content)
                    .map(|m| markers.push((step.parse::<u8>().unwrap_or(0), m))),
                "order" => from_content::<Order>(cite, content).map(drop),
                "lead" => from_content(cite, content)
                    .and_then(|lead| judge_part(state, self.side, Conduct { lead, ..Conduct::default() })),
                "fire" => from_content(cite, content)
                    .and_then(|fire| judge_part(state, self.side, Conduct { fire, ..Conduct::default() })),
                "board" => from_content(cite, content)
                    .and_then(|board| judge_part(state, self.side, Conduct { board, ..Conduct::default() })),
                _ => from_content::<Vec<u8>>(cite, content)
                    .and_then(|react| judge_react(state, &react).map_or(Ok(()), |r| Err(vec![r]))),
            };
            faults.extend(verdict.map_err(at).err().unwrap_or_default());
        }
        markers.sort_unstable();
        for (n, (step, _)) in (1u8..).zip(&markers) {
            whole &= n == *step;
        }
        // Markers shown from the first on are judged together; those behind a gap when they open.
        if whole {
            let shown: Vec<Option<Marker>> = markers.into_iter().map(|(_, m)| m).collect();
            if let Err((at, refusal)) = judge_prefix(state, self.side, &shown) {
                faults.push(Refusal { path: format!("marker/{at}"), ..refusal });
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// The whole row of markers: exactly the allotment (N19b), and every marker legal.
fn judge_markers(state: &State, side: Side, markers: &[Option<Marker>]) -> Result<(), (usize, Refusal)> {
    judge_prefix(state, side, markers)?;
    let own = usize::from(state.fleets.get(side).markers);
    for (n, marker) in (1usize..).zip(markers) {
        if n > own && marker.is_some() {
            return Err((
                n,
                Refusal::new("", Cite("NAV-5.6"), format!("is a marker too many: {own} are allotted this turn")),
            ));
        }
    }
    Ok(())
}

/// Markers 1 to n of a plot, as far as they are known: 1.2.1 (three of a type), 5.10 (no two turns in a row), and no
/// gap within the allotment.
///
/// # Errors
/// The marker, counted from 1, and the rule against it.
pub fn judge_prefix(state: &State, side: Side, markers: &[Option<Marker>]) -> Result<(), (usize, Refusal)> {
    let own = usize::from(state.fleets.get(side).markers);
    let up_to = state.rulings.allotment == Allotment::UpTo;
    let mut used: BTreeMap<Marker, u8> = BTreeMap::new();
    let mut before: Option<Marker> = None;
    let mut ended = false;
    for (n, marker) in (1usize..).zip(markers) {
        let Some(marker) = marker else {
            if n <= own && !up_to {
                let why = format!("is missing: all {own} allotted markers are plotted");
                return Err((n, Refusal::new("", Cite("N19b"), why).instead("`stop` is the marker for staying.")));
            }
            ended = true;
            continue;
        };
        if ended && n <= own {
            return Err((
                n,
                Refusal::new("", Cite("NAV-5.7"), "stands behind a gap: markers are played from left to right"),
            ));
        }
        let count = used.entry(*marker).or_insert(0);
        *count += 1;
        if *count > 3 {
            return Err((
                n,
                Refusal::new(
                    "",
                    Cite("NAV-1.2.1"),
                    format!("is the fourth {marker:?} marker: there are three of each").to_lowercase(),
                ),
            ));
        }
        if marker.turns() && before.is_some_and(Marker::turns) {
            let why = "is a turn right after a turn: two turn markers may not follow each other";
            return Err((
                n,
                Refusal::new("", Cite("NAV-5.10"), why).instead("Put a `straight` or `stop` between them."),
            ));
        }
        before = Some(*marker);
    }
    Ok(())
}

/// REACT steps are steps of this turn, ascending.
fn judge_react(state: &State, react: &[u8]) -> Option<Refusal> {
    let ascending = react.windows(2).all(|w| w[0] < w[1]);
    let inside = react.iter().all(|k| (1..=state.steps()).contains(k));
    (!ascending || !inside).then(|| {
        Refusal::new(
            "react",
            Cite("NAV-9.6"),
            format!("`react` names markers of this turn, 1 to {}, in ascending order", state.steps()),
        )
    })
}

fn judge_part(state: &State, side: Side, conduct: Conduct) -> Judged<()> {
    let faults = judge_conduct(state, side, &conduct, "");
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Ships named in a conduct exist, on the right side.
pub(super) fn judge_conduct(state: &State, side: Side, conduct: &Conduct, at: &str) -> Vec<Refusal> {
    let dot = if at.is_empty() { "" } else { "." };
    let mut faults = Vec::new();
    let mut name = |path: &str, id: &ShipId, of: Side| {
        let known = state.ship(id).is_some_and(|s| s.side == of);
        if !known {
            let ships: Vec<&str> = state.ships.iter().filter(|s| s.side == of).map(|s| s.id.0.as_str()).collect();
            let why = format!("`{id}` is no {of} ship of this battle");
            let instead = format!("The {of} ships are {}.", ships.join(", "));
            faults.push(Refusal::new(format!("{at}{dot}{path}"), Cite("NAV-2.2"), why).instead(instead));
        }
    };
    for (id, guns) in &conduct.fire.ships {
        name("fire.ships", id, side);
        guns.targets.iter().for_each(|t| name("fire.ships.targets", t, side.other()));
    }
    conduct.fire.all.targets.iter().for_each(|t| name("fire.all.targets", t, side.other()));
    conduct.board.ships.keys().for_each(|id| name("board.ships", id, side));
    conduct.lead.succession.iter().for_each(|id| name("lead.succession", id, side));
    let mut ships = |with: &super::orders::Designation, path: &str| match with {
        super::orders::Designation::Command { followers } => followers.iter().for_each(|id| name(path, id, side)),
        super::orders::Designation::Ship { id } => name(path, id, side),
        super::orders::Designation::Squadron {} => {}
    };
    ships(&conduct.lead.move_with, "lead.move_with");
    for reaction in &conduct.lead.reactions {
        ships(&reaction.then, "lead.reactions.then");
    }
    for reaction in &conduct.lead.reactions {
        if let super::orders::EnemyMove::Ship { id } = &reaction.enemy {
            name("lead.reactions.if", id, side.other());
        }
    }
    faults
}

/// What becomes of a part that cannot be read or names no ship (N41): nothing, and the default in its place.
pub(super) fn sound<T: Default>(
    state: &State,
    side: Side,
    judged: Judged<T>,
    into: impl FnOnce(&T) -> Conduct,
) -> Result<T, String> {
    let value = judged.map_err(|r| first_reason(&r))?;
    match judge_part(state, side, into(&value)) {
        Ok(()) => Ok(value),
        Err(refusals) => Err(first_reason(&refusals)),
    }
}

pub(super) fn first_reason(refusals: &[Refusal]) -> String {
    refusals.first().map(|r| r.why.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::honor::naval::{Rulings, start};
    use crate::catalog;

    /// Whatever is allotted, the orders in the place of a player who is late are legal (N42), and up to three are STOPs.
    #[test]
    fn orders_for_who_is_late_are_legal() {
        let text = catalog::embedded("wasp-frolic").unwrap();
        let start = start(&catalog::read_scenario(&text, "wasp-frolic").unwrap(), Rulings::book()).unwrap();
        let mut state = State::clone(&start.state);
        for own in 0..=11 {
            for enemy in [0, own, 11] {
                state.fleets.american.markers = own;
                state.fleets.british.markers = enemy;
                let question = PlotQuestion { side: Side::American, turn: 1 };
                let plot = question.absent(&state).unwrap();
                assert_eq!(question.check(&state, &plot), Ok(()), "{own} of {enemy}");
                let row: Vec<Marker> = plot.steps.iter().filter_map(|s| s.marker).collect();
                assert_eq!(row.len(), usize::from(own));
                assert!(own > 3 || row.iter().all(|m| *m == Marker::Stop));
                assert!(plot.react.is_empty() && plot.steps.iter().all(|s| s.conduct == Conduct::default()));
            }
        }
    }
}
