//! What the page of a naval battle shows.

use super::html::Paged;
use super::naval;
use super::naval_svg::{arrows, chart_svg};
use crate::books::honor::naval::{Event, Fate, Naval, Ship, State};
use crate::play::Record;
use crate::side::Side;

impl Paged for Naval {
    fn picture(before: &State, records: &[Record<Naval>], after: &State, title: &str, id: &str) -> String {
        chart_svg(after, &arrows(before, records), title, id)
    }

    fn words(state: &State, event: &Event) -> String {
        naval::tell(state, event)
    }

    fn standing(_record: &Record<Naval>) -> String {
        String::new()
    }

    fn hits(event: &Event) -> Option<(i16, u8)> {
        match event {
            Event::Fired { hits_on, .. } | Event::Melee { hits_on, .. } => Some((0, *hits_on)),
            _ => None,
        }
    }

    fn rules(_event: &Event) -> Vec<&'static str> {
        Vec::new()
    }

    fn losses(before: &State, after: &State) -> Vec<[String; 3]> {
        let differ =
            |was: &Ship, is: &Ship| was.damage != is.damage || was.marines != is.marines || was.fate != is.fate;
        let both = before.ships.iter().zip(&after.ships).filter(|(was, is)| differ(was, is));
        both.map(|(was, is)| [format!("{}: {}", side(is.side), is.name), condition(was), condition(is)]).collect()
    }

    fn tracks(state: &State) -> Vec<(String, u32, u32)> {
        let mut rows = vec![("Turn".to_owned(), state.turn, state.turns)];
        for of in Side::ALL {
            let points = state.fleets.get(of).points;
            rows.push((format!("{}: points, and those that win", side(of)), points, *state.victory.target.get(of)));
            for ship in state.ships.iter().filter(|s| s.side == of) {
                let left = if ship.afloat() { ship.damage } else { 0 };
                rows.push((format!("{}: damage rating left", ship.name), u32::from(left), u32::from(ship.start)));
            }
        }
        rows
    }

    fn turn(state: &State) -> u32 {
        state.turn
    }
}

fn condition(ship: &Ship) -> String {
    let half = if ship.half { ", half damage" } else { "" };
    match ship.fate {
        Fate::Afloat => format!("damage {} of {}{half}, marines {}", ship.damage, ship.start, ship.marines),
        Fate::Sunk => "SUNK".into(),
        Fate::Captured => "CAPTURED".into(),
        Fate::Escaped => "escaped".into(),
        Fate::Lost => "LOST".into(),
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::British => "British",
        Side::American => "Americans",
    }
}
