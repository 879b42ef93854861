//! A draft in words.

use super::item::Scene;
use crate::books::honor::naval::{Designation, Lead, Marker, Order, Preference, ShipId, When, Wish};
use crate::draft::{BoardDraft, Draft, FireDraft};

fn when(w: When) -> &'static str {
    match w {
        When::Hold => "does not fire",
        When::Crossing => "fires only when crossing the T",
        When::Close => "fires only at one hex",
        When::CrossingOrClose => "fires when crossing the T or at one hex",
        When::Any => "fires at anything in range",
    }
}

fn both(starboard: When, port: When) -> String {
    if starboard == port {
        return format!("each broadside {}", when(starboard));
    }
    format!("starboard {}, port {}", when(starboard), when(port))
}

fn wish(w: Wish, retreat_at: u8) -> String {
    let when = match w {
        Wish::Never => return "never".to_owned(),
        Wish::Always => "whenever the rules allow it".to_owned(),
        Wish::If { lead, marines } => format!("with {lead} damage points more than the enemy and {marines} marines"),
    };
    let back = if retreat_at == 0 { "never".to_owned() } else { format!("at {retreat_at} marines left") };
    format!("{when}; boarders go back: {back}")
}

/// The orders, a line a subject.
pub(super) fn lines(scene: &Scene<'_>, draft: &Draft) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(plot) = draft.plot.as_ref().filter(|_| !scene.react) {
        let markers: Vec<&str> = plot.markers.iter().map(|m| marker(*m)).collect();
        out.push(format!("Markers: {}.", markers.join(", ")));
        scene.conduct(&mut out, "", plot.fire.as_ref(), plot.board.as_ref(), plot.order, plot.lead.as_ref());
        for (n, own) in &plot.at {
            let at = format!(" at marker {n}");
            scene.conduct(&mut out, &at, own.fire.as_ref(), own.board.as_ref(), own.order, own.lead.as_ref());
        }
        let react: Vec<String> = plot.react.iter().map(ToString::to_string).collect();
        if !react.is_empty() {
            out.push(format!("Asked again (REACT) at marker {}.", react.join(", ")));
        }
    }
    if let Some(own) = draft.react.as_ref().filter(|_| scene.react) {
        scene.conduct(&mut out, "", own.fire.as_ref(), own.board.as_ref(), own.order, own.lead.as_ref());
    }
    out.extend(draft.say.as_ref().map(|said| format!("To your opponent: {said}")));
    out
}

fn marker(m: Marker) -> &'static str {
    match m {
        Marker::Straight => "straight",
        Marker::Right => "right",
        Marker::Left => "left",
        Marker::Stop => "stop",
    }
}

impl Scene<'_> {
    fn name(&self, id: &ShipId) -> String {
        self.state.ship(id).map_or_else(|| id.0.clone(), |s| s.name.clone())
    }

    fn names(&self, ids: &[ShipId]) -> String {
        ids.iter().map(|id| self.name(id)).collect::<Vec<_>>().join(", ")
    }

    fn conduct(
        &self,
        out: &mut Vec<String>,
        at: &str,
        fire: Option<&FireDraft>,
        board: Option<&BoardDraft>,
        order: Option<Order>,
        lead: Option<&Lead>,
    ) {
        if let Some(fire) = fire {
            if fire.ships.is_empty() {
                out.push(format!("Fire{at}: {}.", both(fire.starboard, fire.port)));
            }
            for (id, guns) in &fire.ships {
                out.push(format!("Fire{at}, {}: {}.", self.name(id), both(guns.starboard, guns.port)));
            }
            if !fire.targets.is_empty() {
                out.push(format!("Fire{at} goes first to: {}.", self.names(&fire.targets)));
            }
        }
        if let Some(board) = board {
            if board.ships.is_empty() {
                out.push(format!("Boarding{at}: {}.", wish(board.wish, board.retreat_at)));
            }
            for (id, own) in &board.ships {
                out.push(format!("Boarding{at}, {}: {}.", self.name(id), wish(own.wish, own.retreat_at)));
            }
        }
        if let Some(order) = order.filter(|_| self.state.chooser == self.side) {
            let who = |p: Preference| if p == Preference::Us { "we" } else { "the enemy" };
            if self.state.multiple {
                out.push(format!("First to move{at}: {}.", who(order.moves_first)));
            }
            out.push(format!("First to declare fire{at}, where it is ours to say: {}.", who(order.fires_first)));
        }
        if let Some(lead) = lead.filter(|_| self.state.fleets.get(self.side).squadron) {
            let ships = match &lead.move_with {
                Designation::Squadron {} => "the whole squadron".to_owned(),
                Designation::Command { followers } if followers.is_empty() => "the command ship alone".to_owned(),
                Designation::Command { followers } => format!("the command ship, then {}", self.names(followers)),
                Designation::Ship { id } => format!("{} alone", self.name(id)),
            };
            out.push(format!("Ships that move{at}: {ships}."));
            if !lead.reactions.is_empty() {
                out.push(format!("Ships that move second{at}: as `reactions` in the file says."));
            }
            if !lead.succession.is_empty() && at.is_empty() {
                out.push(format!("Command passes to: {}.", self.names(&lead.succession)));
            }
        }
    }
}
