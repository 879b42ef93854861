//! The parts of a draft the dialogue writes to, wherever they stand in it.

use crate::books::honor::naval::{Broadside, Designation, Guns, Lead, Order, ShipId, When};
use crate::draft::{BoardDraft, ConductDraft, Draft, FireDraft, PlotDraft};

/// Where in the orders something is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// For the whole turn.
    Turn,
    /// At one marker.
    At(u8),
    /// In the answer to a REACT.
    React,
}

/// The plot; an empty one is put in if none is there.
pub(super) fn plot(draft: &mut Draft) -> &mut PlotDraft {
    draft.plot.get_or_insert_with(|| PlotDraft {
        markers: Vec::new(),
        fire: None,
        board: None,
        order: None,
        lead: None,
        at: std::collections::BTreeMap::new(),
        react: Vec::new(),
    })
}

fn react(draft: &mut Draft) -> &mut ConductDraft {
    draft.react.get_or_insert_with(ConductDraft::default)
}

fn own(draft: &mut Draft, n: u8) -> &mut ConductDraft {
    plot(draft).at.entry(n).or_default()
}

pub(super) fn fire(draft: &mut Draft, scope: Scope) -> &mut FireDraft {
    let place = match scope {
        Scope::Turn => &mut plot(draft).fire,
        Scope::At(n) => &mut own(draft, n).fire,
        Scope::React => &mut react(draft).fire,
    };
    place.get_or_insert_with(FireDraft::default)
}

pub(super) fn board(draft: &mut Draft, scope: Scope) -> &mut BoardDraft {
    let place = match scope {
        Scope::React => &mut react(draft).board,
        _ => &mut plot(draft).board,
    };
    place.get_or_insert_with(BoardDraft::default)
}

pub(super) fn order(draft: &mut Draft, scope: Scope) -> &mut Order {
    let place = match scope {
        Scope::React => &mut react(draft).order,
        _ => &mut plot(draft).order,
    };
    place.get_or_insert_with(Order::default)
}

pub(super) fn lead(draft: &mut Draft, scope: Scope) -> &mut Lead {
    let place = match scope {
        Scope::Turn => &mut plot(draft).lead,
        Scope::At(n) => &mut own(draft, n).lead,
        Scope::React => &mut react(draft).lead,
    };
    place.get_or_insert_with(Lead::default)
}

/// Markers with fire or ships of their own.
pub(super) fn differing(draft: &Draft, has: impl Fn(&ConductDraft) -> bool) -> Vec<u8> {
    let at = draft.plot.iter().flat_map(|p| &p.at);
    at.filter(|(_, own)| has(own)).map(|(n, _)| *n).collect()
}

/// Makes these markers, and no others, have fire of their own; a new one fires at anything.
pub(super) fn set_fire_at(draft: &mut Draft, markers: &[u8]) {
    let (targets, plot) = (fire(draft, Scope::Turn).targets.clone(), plot(draft));
    for (n, own) in &mut plot.at {
        if !markers.contains(n) {
            own.fire = None;
        }
    }
    for n in markers {
        let any = FireDraft { starboard: When::Any, port: When::Any, targets: targets.clone(), ..FireDraft::default() };
        plot.at.entry(*n).or_default().fire.get_or_insert(any);
    }
    plot.at.retain(|_, own| *own != ConductDraft::default());
}

/// Makes these markers, and no others, have ships of their own.
pub(super) fn set_lead_at(draft: &mut Draft, markers: &[u8]) {
    let (whole, plot) = (lead(draft, Scope::Turn).clone(), plot(draft));
    for (n, own) in &mut plot.at {
        if !markers.contains(n) {
            own.lead = None;
        }
    }
    for n in markers {
        plot.at.entry(*n).or_default().lead.get_or_insert_with(|| whole.clone());
    }
    plot.at.retain(|_, own| *own != ConductDraft::default());
}

pub(super) fn when<'a>(fire: &'a mut FireDraft, ship: Option<&ShipId>, side: Broadside) -> &'a mut When {
    let (starboard, port) = match ship {
        Some(id) => {
            let guns = fire.ships.entry(id.clone()).or_default();
            (&mut guns.starboard, &mut guns.port)
        }
        None => (&mut fire.starboard, &mut fire.port),
    };
    if side == Broadside::Starboard { starboard } else { port }
}

/// Gives ships fire orders of their own, each beginning with those of all; or takes them away.
pub(super) fn set_fire_alike(fire: &mut FireDraft, alike: bool, ships: &[ShipId]) {
    if alike {
        fire.ships.clear();
        return;
    }
    let all = Guns { starboard: fire.starboard, port: fire.port, targets: fire.targets.clone() };
    for id in ships {
        fire.ships.entry(id.clone()).or_insert_with(|| all.clone());
    }
}

/// The same for boarding.
pub(super) fn set_board_alike(board: &mut BoardDraft, alike: bool, ships: &[ShipId]) {
    if alike {
        board.ships.clear();
        return;
    }
    let all = crate::books::honor::naval::Boarding { wish: board.wish, retreat_at: board.retreat_at };
    for id in ships {
        board.ships.entry(id.clone()).or_insert(all);
    }
}

/// Whom to fire at first, wherever fire is spoken of.
pub(super) fn set_targets(draft: &mut Draft, scope: Scope, targets: &[ShipId]) {
    let set = |fire: &mut FireDraft| {
        fire.targets = targets.to_vec();
        fire.ships.values_mut().for_each(|guns| guns.targets = targets.to_vec());
    };
    set(fire(draft, scope));
    if scope == Scope::Turn {
        plot(draft).at.values_mut().filter_map(|own| own.fire.as_mut()).for_each(set);
    }
}

/// Who takes over, wherever ships are spoken of.
pub(super) fn set_succession(draft: &mut Draft, scope: Scope, ships: &[ShipId]) {
    lead(draft, scope).succession = ships.to_vec();
    if scope == Scope::Turn {
        plot(draft).at.values_mut().filter_map(|own| own.lead.as_mut()).for_each(|l| l.succession = ships.to_vec());
    }
}

/// Which form a designation has: whole squadron, command ship and followers, one ship.
pub(super) fn form_of(with: &Designation) -> usize {
    match with {
        Designation::Squadron {} => 0,
        Designation::Command { .. } => 1,
        Designation::Ship { .. } => 2,
    }
}
