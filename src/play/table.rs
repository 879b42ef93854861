//! The table a phase plays at: it holds the state, takes answers, opens seals and rolls dice.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::Serialize;

use super::question::{Asked, Closed, Open, Question, Sealed, from_content, to_content};
use super::refusal::Judged;
use super::system::{Halt, Need, Play, System, Ticket};
use crate::cite::Cite;
use crate::side::{Side, Sides};

/// Where answers, openings and dice come from: the log, a script, or random play.
pub trait Source<Y: System> {
    /// The answer to a decision, with the step that brought it; `None` if it is not there yet.
    fn answer(&mut self, ask: &Rc<dyn Asked<Y>>, state: &Y::State) -> Option<(u64, String)>;
    /// The step in which every part of a sealed choice was sealed (or given in clear); `None` if one is missing.
    fn sealed(&mut self, ask: &Rc<dyn Asked<Y>>, state: &Y::State) -> Option<u64>;
    /// The content of a part; `None` if it is not open yet.
    fn opened(&mut self, slot: &str) -> Option<String>;
    /// The face of a die, 1-based, under the seed of a step; `None` if that seed is not there yet.
    fn die(&mut self, step: u64, ticket: &Ticket) -> Option<u32>;
}

/// How an answer was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// In reply to the need.
    Order,
    /// By standing orders.
    Standing,
}

/// One line of the story: everything a report needs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[serde(bound(serialize = ""))]
pub enum Record<Y: System> {
    /// Something happened by the rules.
    Event(Y::Event),
    /// A decision was taken.
    Took {
        /// Whose.
        side: Side,
        /// Which question.
        slot: String,
        /// How it was given.
        by: By,
        /// The answer, canonical.
        content: String,
    },
    /// A hidden choice was fixed.
    Sealed {
        /// Whose.
        side: Side,
        /// Which question.
        slot: String,
    },
    /// A part of a seal was opened.
    Opened {
        /// Whose.
        side: Side,
        /// Which part.
        slot: String,
        /// What it held.
        content: String,
    },
    /// A die was rolled.
    Rolled {
        /// Its name.
        ticket: String,
        /// The step whose seed it used.
        step: u64,
        /// How many faces.
        faces: u32,
        /// What it showed, from 1.
        face: u32,
    },
}

/// The table of one run.
pub struct Table<'s, Y: System> {
    state: Rc<Y::State>,
    standing: Sides<Y::Policy>,
    step: u64,
    asked: BTreeSet<String>,
    records: Vec<Record<Y>>,
    source: &'s mut dyn Source<Y>,
}

impl<'s, Y: System> Table<'s, Y> {
    pub(super) fn new(
        state: Rc<Y::State>,
        standing: Sides<Y::Policy>,
        step: u64,
        source: &'s mut dyn Source<Y>,
    ) -> Self {
        Table { state, standing, step, asked: BTreeSet::new(), records: Vec::new(), source }
    }

    /// The position now.
    #[must_use]
    pub fn state(&self) -> &Y::State {
        &self.state
    }

    /// The position now, as a snapshot that outlives later events.
    #[must_use]
    pub fn now(&self) -> Rc<Y::State> {
        Rc::clone(&self.state)
    }

    /// The latest step whose free answer the run has used: its seed is the one dice take (`schemas/protocol.md`).
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Standing orders of both sides.
    #[must_use]
    pub fn standing(&self) -> &Sides<Y::Policy> {
        &self.standing
    }

    /// Everything told so far in this run.
    #[must_use]
    pub fn records(&self) -> &[Record<Y>] {
        &self.records
    }

    pub(super) fn into_records(self) -> Vec<Record<Y>> {
        self.records
    }

    /// Makes something happen.
    pub fn tell(&mut self, event: Y::Event) {
        Y::apply(Rc::make_mut(&mut self.state), &event);
        self.records.push(Record::Event(event));
    }

    /// Replaces the standing orders of a side.
    pub fn stand(&mut self, side: Side, policy: Y::Policy) {
        *self.standing.get_mut(side) = policy;
    }

    /// Asks one side.
    ///
    /// # Errors
    /// The need, or the refusal of the answer.
    pub fn decide<Q: Question<Y>>(&mut self, question: Q) -> Play<Q::Value, Y> {
        let mut values = self.decide_all(vec![question])?;
        values.pop().ok_or_else(|| Halt::Bug("a decision without an answer".into()))
    }

    /// Asks several questions at once; they take effect together, in this order, when the last answer is in.
    ///
    /// # Errors
    /// Every need still open, or the refusal of an answer.
    pub fn decide_all<Q: Question<Y>>(&mut self, questions: Vec<Q>) -> Play<Vec<Q::Value>, Y> {
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for q in questions {
            let side = q.side();
            self.once(q.slot())?;
            let covered = q.standing(&self.state, self.standing.get(side)).filter(|v| q.check(&self.state, v).is_ok());
            if let Some(value) = covered {
                found.push((q, self.step, By::Standing, value));
                continue;
            }
            let asked: Rc<dyn Asked<Y>> = Rc::new(Open(q.clone()));
            match self.source.answer(&asked, &self.state) {
                Some((step, content)) => {
                    let refused = |refusals| Halt::Refused { side, slot: q.slot(), refusals };
                    let value: Q::Value = from_content(q.cite(), &content).map_err(refused)?;
                    q.check(&self.state, &value).map_err(refused)?;
                    found.push((q, step, By::Order, value));
                }
                None => open.push(Need::Decide(asked)),
            }
        }
        if !open.is_empty() {
            return Err(Halt::Needs(open));
        }
        let mut values = Vec::new();
        for (q, step, by, value) in found {
            self.step = self.step.max(step);
            self.records.push(Record::Took { side: q.side(), slot: q.slot(), by, content: to_content(&value) });
            values.push(value);
        }
        Ok(values)
    }

    /// Has several hidden choices sealed; all are fixed together when the last is in.
    ///
    /// # Errors
    /// A need for every choice not sealed yet.
    pub fn seal<Q: Sealed<Y>>(&mut self, questions: &[Q]) -> Play<(), Y> {
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for q in questions {
            self.once(q.slot())?;
            let asked: Rc<dyn Asked<Y>> = Rc::new(Closed(q.clone()));
            match self.source.sealed(&asked, &self.state) {
                Some(step) => found.push((q, step)),
                None => open.push(Need::Seal(asked)),
            }
        }
        if !open.is_empty() {
            return Err(Halt::Needs(open));
        }
        for (q, step) in found {
            self.step = self.step.max(step);
            self.records.push(Record::Sealed { side: q.side(), slot: q.slot() });
        }
        Ok(())
    }

    /// Demands that parts be open already, before any of them is used: so one mail carries all openings of a stretch.
    ///
    /// # Errors
    /// A need for every part not open yet.
    pub fn due(&mut self, parts: &[(Side, String)]) -> Play<(), Y> {
        let closed = parts.iter().filter(|(_, slot)| self.source.opened(slot).is_none());
        let needs: Vec<Need<Y>> = closed.map(|(side, slot)| Need::Open { side: *side, slot: slot.clone() }).collect();
        if needs.is_empty() { Ok(()) } else { Err(Halt::Needs(needs)) }
    }

    /// Opens parts of sealed choices, all together. A sealed content cannot be sent back, so what was found is a
    /// verdict for the rules to act on, never a refusal.
    ///
    /// # Errors
    /// A need for every part not open yet.
    pub fn open<V: serde::de::DeserializeOwned + Serialize>(
        &mut self,
        parts: &[(Side, String)],
        cite: Cite,
    ) -> Play<Vec<Judged<V>>, Y> {
        let (mut found, mut closed) = (Vec::new(), Vec::new());
        for (side, slot) in parts {
            self.once(slot.clone())?;
            match self.source.opened(slot) {
                Some(content) => found.push((*side, slot.clone(), content)),
                None => closed.push(Need::Open { side: *side, slot: slot.clone() }),
            }
        }
        if !closed.is_empty() {
            return Err(Halt::Needs(closed));
        }
        let values = found.iter().map(|(_, _, content)| from_content(cite, content)).collect();
        self.records.extend(found.into_iter().map(|(side, slot, content)| Record::Opened { side, slot, content }));
        Ok(values)
    }

    /// Rolls named dice, all under the seed of [`Table::step`]. Faces count from 1.
    ///
    /// # Errors
    /// The need, if the step has no seed yet.
    pub fn roll(&mut self, tickets: Vec<Ticket>) -> Play<Vec<u32>, Y> {
        let mut faces = Vec::new();
        for ticket in &tickets {
            self.once(ticket.name.clone())?;
            match self.source.die(self.step, ticket) {
                Some(face) if (1..=ticket.faces).contains(&face) => faces.push(face),
                Some(face) => {
                    return Err(Halt::Bug(format!("die {} of {} faces shows {face}", ticket.name, ticket.faces)));
                }
                None => return Err(Halt::Needs(vec![Need::Roll { tickets }])),
            }
        }
        for (ticket, face) in tickets.into_iter().zip(&faces) {
            self.records.push(Record::Rolled {
                ticket: ticket.name,
                step: self.step,
                faces: ticket.faces,
                face: *face,
            });
        }
        Ok(faces)
    }

    /// A name asked for twice in a run is a defect: it catches a forgotten loop counter in slots and tickets.
    fn once(&mut self, name: String) -> Play<(), Y> {
        if self.asked.contains(&name) {
            return Err(Halt::Bug(format!("`{name}` was asked twice")));
        }
        self.asked.insert(name);
        Ok(())
    }

    pub(super) fn parts(&self) -> (Rc<Y::State>, Sides<Y::Policy>, u64) {
        (Rc::clone(&self.state), self.standing.clone(), self.step)
    }
}
