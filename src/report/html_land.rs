//! What the page of a land battle shows.

use super::html::Paged;
use super::land::{self, answered};
use super::map_svg::map_svg;
use crate::books::honor::land::{Event, Fate, Land, Modifier, State, total};
use crate::play::Record;
use crate::side::Side;

impl Paged for Land {
    fn picture(before: &State, records: &[Record<Land>], after: &State, title: &str, id: &str) -> String {
        let mut layer = land::layer_after(before, records);
        layer.counters = land::layer(after).counters;
        map_svg(after.ground.tiles(), &layer, title, id)
    }

    fn words(state: &State, event: &Event) -> String {
        land::tell(state, event)
    }

    fn standing(record: &Record<Land>) -> String {
        answered(record)
    }

    fn hits(event: &Event) -> Option<(i16, u8)> {
        match event {
            Event::Rolled { changes, hits_on, .. } => Some((i16::from(total(changes)), *hits_on)),
            _ => None,
        }
    }

    fn rules(event: &Event) -> Vec<&'static str> {
        let of = |all: &[Modifier]| all.iter().map(|m| m.cite.0).collect::<Vec<_>>();
        match event {
            Event::Rolled { dice, changes, .. } => [of(dice), of(changes)].concat(),
            Event::Checked { changes, .. } | Event::Steadied { changes, .. } => of(changes),
            _ => Vec::new(),
        }
    }

    fn losses(before: &State, after: &State) -> Vec<[String; 3]> {
        let mut rows = Vec::new();
        for (was, is) in
            before.units.iter().zip(&after.units).filter(|(was, is)| was.mp != is.mp || was.fate != is.fate)
        {
            let now = if is.fate == Fate::Eliminated { "ELIMINATED".to_owned() } else { format!("MP {}", is.mp) };
            rows.push([format!("{}: {}", side(is.side), is.name), format!("MP {}", was.mp), now]);
        }
        for (_, is) in before.leaders.iter().zip(&after.leaders).filter(|(was, is)| was.fate != is.fate) {
            rows.push([format!("{}: {}", side(is.side), is.name), "leads".to_owned(), "LOST".to_owned()]);
        }
        for (_, is) in before.objectives.iter().zip(&after.objectives).filter(|(was, is)| was.taken != is.taken) {
            let by = is.taken.map_or("nobody", side);
            rows.push([format!("{}: {}", side(is.side), is.name), "held".to_owned(), format!("taken by the {by}")]);
        }
        rows
    }

    fn tracks(state: &State) -> Vec<(String, u32, u32)> {
        let mut rows = vec![("Turn".to_owned(), state.turn, state.turns)];
        for of in Side::ALL {
            let army = state.armies.get(of);
            rows.push((
                format!("{}: points, and those that win", side(of)),
                army.points,
                *state.victory.target.get(of),
            ));
            let units = state.units.iter().filter(|u| u.side == of);
            let (fit, all) = (units.clone().filter(|u| u.fate == Fate::Fit).count(), units.count());
            rows.push((format!("{}: units left", side(of)), count(fit), count(all)));
            let command = u32::from(army.command);
            rows.push((
                format!("{}: leaders lost, each costs a command point", side(of)),
                u32::from(army.leaders_lost),
                command,
            ));
        }
        rows
    }

    fn turn(state: &State) -> u32 {
        state.turn
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn side(side: Side) -> &'static str {
    match side {
        Side::British => "British",
        Side::American => "Americans",
    }
}
