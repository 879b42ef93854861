//! The engine's source for a look ahead: what the log holds, what the player would seal, and dice laid out by hand.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::books::honor::naval::{Board, Fire, Lead, Marker, Naval, Order, State};
use crate::play::{Asked, Checkpoint, Inputs, Run, Source, Ticket, advance, to_content};

/// A position with everything known or assumed about what both sides will do.
pub(super) struct Ahead<'a> {
    /// Where the run starts.
    pub from: &'a Checkpoint<Naval>,
    /// What the log holds.
    pub inputs: &'a Inputs,
    /// Parts of plots, by slot: the player's own, and those assumed of the enemy.
    pub parts: BTreeMap<String, String>,
    /// Answers, by slot.
    pub answers: BTreeMap<String, String>,
}

impl Ahead<'_> {
    /// Plays on with these faces, up to the first die beyond them or the first decision.
    pub(super) fn run(&self, faces: &[u32]) -> Run<Naval> {
        advance(self.from, &mut Laid { ahead: self, faces })
    }
}

struct Laid<'a> {
    ahead: &'a Ahead<'a>,
    faces: &'a [u32],
}

impl Source<Naval> for Laid<'_> {
    fn answer(&mut self, ask: &Rc<dyn Asked<Naval>>, _state: &State) -> Option<(u64, String)> {
        let slot = ask.slot();
        let known = self.ahead.inputs.answers.get(&slot).cloned();
        known.or_else(|| self.ahead.answers.get(&slot).map(|content| (0, content.clone())))
    }
    fn sealed(&mut self, ask: &Rc<dyn Asked<Naval>>, state: &State) -> Option<u64> {
        let slot = ask.slot();
        ask.parts(state).iter().all(|part| self.opened(&format!("{slot}/{part}")).is_some()).then_some(0)
    }
    fn opened(&mut self, slot: &str) -> Option<String> {
        let inputs = self.ahead.inputs;
        let known = inputs.opens.get(slot).or_else(|| inputs.answers.get(slot).map(|(_, content)| content));
        known.or_else(|| self.ahead.parts.get(slot)).cloned()
    }
    fn die(&mut self, _step: u64, _ticket: &Ticket) -> Option<u32> {
        let (first, rest) = self.faces.split_first()?;
        self.faces = rest;
        Some(*first)
    }
}

/// What is assumed of a part nobody knows: STOP, hold fire, no boarding, never go back (N42).
pub(super) fn assumed(slot: &str) -> String {
    match slot.rsplit('/').nth(1).unwrap_or("") {
        "marker" => to_content(&Some(Marker::Stop)),
        "order" => to_content(&Order::default()),
        "lead" => to_content(&Lead::default()),
        "fire" => to_content(&Fire::default()),
        "board" => to_content(&Board::default()),
        _ => to_content(&Vec::<u8>::new()),
    }
}
