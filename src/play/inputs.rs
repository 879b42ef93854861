//! Answers by slot, as the log brings them, and sources for scripts.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::question::Asked;
use super::system::{System, Ticket};
use super::table::Source;

/// All answers a game has had, by slot, each with the step that brought it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inputs {
    /// Decisions and parts of sealed choices given in clear.
    pub answers: BTreeMap<String, (u64, String)>,
    /// Parts that were sealed, and when.
    pub seals: BTreeMap<String, u64>,
    /// Openings, already held against their seals.
    pub opens: BTreeMap<String, String>,
}

impl Inputs {
    /// Adds later inputs. A slot that stands already keeps its value: inputs only ever grow.
    pub fn extend(&mut self, later: &Inputs) {
        for (slot, answer) in &later.answers {
            self.answers.entry(slot.clone()).or_insert_with(|| answer.clone());
        }
        for (slot, step) in &later.seals {
            self.seals.entry(slot.clone()).or_insert(*step);
        }
        for (slot, content) in &later.opens {
            self.opens.entry(slot.clone()).or_insert_with(|| content.clone());
        }
    }
}

/// Faces of dice by step and name.
pub trait Dice {
    /// The face, from 1, or `None` if the step has no seed yet.
    fn face(&self, step: u64, ticket: &Ticket) -> Option<u32>;
}

/// No step has a seed.
pub struct NoDice;

impl Dice for NoDice {
    fn face(&self, _step: u64, _ticket: &Ticket) -> Option<u32> {
        None
    }
}

/// The source of a real game: answers from files, dice from seeds.
pub struct LogSource<'a> {
    /// The answers.
    pub inputs: &'a Inputs,
    /// The dice.
    pub dice: &'a dyn Dice,
}

impl<Y: System> Source<Y> for LogSource<'_> {
    fn answer(&mut self, ask: &Rc<dyn Asked<Y>>, _state: &Y::State) -> Option<(u64, String)> {
        self.inputs.answers.get(&ask.slot()).cloned()
    }
    fn sealed(&mut self, ask: &Rc<dyn Asked<Y>>, state: &Y::State) -> Option<u64> {
        let slot = ask.slot();
        let mut last = 0;
        for part in ask.parts(state) {
            let name = format!("{slot}/{part}");
            let step = self.inputs.seals.get(&name).or_else(|| self.inputs.answers.get(&name).map(|(step, _)| step));
            last = last.max(*step?);
        }
        Some(last)
    }
    fn opened(&mut self, slot: &str) -> Option<String> {
        self.inputs.opens.get(slot).or_else(|| self.inputs.answers.get(slot).map(|(_, content)| content)).cloned()
    }
    fn die(&mut self, step: u64, ticket: &Ticket) -> Option<u32> {
        self.dice.face(step, ticket)
    }
}

/// The source of `whatif` and of rule cases: contents by kind of question and side in the order asked, sealed
/// choices as whole plain answers, dice in the order they are rolled.
#[derive(Debug, Default)]
pub struct Script {
    /// Answers waiting, by `side kind` (`british declare`).
    pub answers: BTreeMap<String, VecDeque<String>>,
    /// Faces waiting.
    pub dice: VecDeque<u32>,
    /// Parts of sealed choices already answered.
    parts: BTreeMap<String, String>,
    /// Reasons against a sealed answer that could not be split.
    pub unsealable: Vec<super::Refusal>,
}

impl Script {
    /// Adds an answer to the queue of its kind and side.
    pub fn push(&mut self, side: crate::side::Side, kind: &str, content: String) {
        self.answers.entry(format!("{side} {kind}")).or_default().push_back(content);
    }

    /// Gives the content of one sealed part outright, as an opening would, however wrong it is.
    pub fn part(&mut self, slot: String, content: String) {
        self.parts.insert(slot, content);
    }

    fn next<Y: System>(&mut self, ask: &Rc<dyn Asked<Y>>) -> Option<String> {
        self.answers.get_mut(&format!("{} {}", ask.side(), ask.kind()))?.pop_front()
    }
}

impl<Y: System> Source<Y> for Script {
    fn answer(&mut self, ask: &Rc<dyn Asked<Y>>, _state: &Y::State) -> Option<(u64, String)> {
        self.next(ask).map(|content| (0, content))
    }
    fn sealed(&mut self, ask: &Rc<dyn Asked<Y>>, state: &Y::State) -> Option<u64> {
        let slot = ask.slot();
        let names: Vec<String> = ask.parts(state).into_iter().map(|part| format!("{slot}/{part}")).collect();
        if names.iter().all(|name| self.parts.contains_key(name)) {
            return Some(0);
        }
        let content = self.next(ask)?;
        match ask.split(state, &content) {
            Ok(contents) => {
                self.parts.extend(names.into_iter().zip(contents));
                Some(0)
            }
            Err(refusals) => {
                self.unsealable.extend(refusals);
                None
            }
        }
    }
    fn opened(&mut self, slot: &str) -> Option<String> {
        self.parts.get(slot).cloned()
    }
    fn die(&mut self, _step: u64, _ticket: &Ticket) -> Option<u32> {
        self.dice.pop_front()
    }
}
