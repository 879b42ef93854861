//! Random legal play, straight through: answers by sample, dice by the same source of numbers.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::inputs::Inputs;
use super::question::Asked;
use super::system::{System, Ticket};
use super::table::Source;

/// Answers everything at random and remembers it, so that the same game can be replayed from [`RandomSource::inputs`].
pub struct RandomSource<'p> {
    pick: &'p mut dyn FnMut(u32) -> u32,
    /// What was answered, sealed and opened.
    pub inputs: Inputs,
    /// Every face, by ticket.
    pub faces: BTreeMap<String, u32>,
    /// How often each kind of question was asked.
    pub asked: BTreeMap<&'static str, u32>,
}

impl<'p> RandomSource<'p> {
    /// A source on random numbers: `pick(n)` gives one below `n`.
    pub fn new(pick: &'p mut dyn FnMut(u32) -> u32) -> RandomSource<'p> {
        RandomSource { pick, inputs: Inputs::default(), faces: BTreeMap::new(), asked: BTreeMap::new() }
    }
}

impl<Y: System> Source<Y> for RandomSource<'_> {
    fn answer(&mut self, ask: &Rc<dyn Asked<Y>>, state: &Y::State) -> Option<(u64, String)> {
        *self.asked.entry(ask.kind()).or_insert(0) += 1;
        let content = ask.sample(state, self.pick);
        self.inputs.answers.insert(ask.slot(), (0, content.clone()));
        Some((0, content))
    }

    fn sealed(&mut self, ask: &Rc<dyn Asked<Y>>, state: &Y::State) -> Option<u64> {
        *self.asked.entry(ask.kind()).or_insert(0) += 1;
        let content = ask.sample(state, self.pick);
        let contents = ask.split(state, &content).ok()?;
        for (part, content) in ask.parts(state).into_iter().zip(contents) {
            let slot = format!("{}/{part}", ask.slot());
            self.inputs.seals.insert(slot.clone(), 0);
            self.inputs.opens.insert(slot, content);
        }
        Some(0)
    }

    fn opened(&mut self, slot: &str) -> Option<String> {
        self.inputs.opens.get(slot).cloned()
    }

    fn die(&mut self, _step: u64, ticket: &Ticket) -> Option<u32> {
        let face = (self.pick)(ticket.faces) + 1;
        self.faces.insert(ticket.name.clone(), face);
        Some(face)
    }
}
