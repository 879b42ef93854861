//! A game in play, whatever the book: what the trust layer sees of the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::Serialize;

use super::advance::{Checkpoint, Run, advance};
use super::inputs::{Dice, Inputs, LogSource, NoDice};
use super::question::{Asked, to_content};
use super::refusal::{Judged, Refusal};
use super::system::{Halt, Need, System};
use super::table::Record;
use crate::cite::Cite;
use crate::side::{Side, Sides};

/// What a game waits for, with the types erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// A decision in the open.
    Decide {
        /// Who.
        side: Side,
        /// Kind of question.
        kind: &'static str,
        /// Name of the question.
        slot: String,
        /// The rule that gives it.
        cite: Cite,
    },
    /// A hidden choice.
    Seal {
        /// Who.
        side: Side,
        /// Kind of question.
        kind: &'static str,
        /// Name of the question.
        slot: String,
        /// Full slots of its parts, in order.
        parts: Vec<String>,
        /// Those of them that are public from the start.
        public: BTreeSet<String>,
        /// Whether nobody decides it: the owner's program seals it by itself.
        automatic: bool,
        /// The rule that gives it.
        cite: Cite,
    },
    /// An opening of an earlier seal.
    Open {
        /// Who.
        side: Side,
        /// Slot of the part.
        slot: String,
    },
    /// Dice whose step has no seed yet.
    Roll {
        /// Their names.
        tickets: Vec<String>,
    },
}

impl Want {
    /// The side that has to act; none for dice.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        match self {
            Want::Decide { side, .. } | Want::Seal { side, .. } | Want::Open { side, .. } => Some(*side),
            Want::Roll { .. } => None,
        }
    }

    /// The side that has a free choice to make, if this is one.
    #[must_use]
    pub fn asks(&self) -> Option<Side> {
        match self {
            Want::Decide { side, .. } | Want::Seal { side, .. } => Some(*side),
            Want::Open { .. } | Want::Roll { .. } => None,
        }
    }

    /// Whether the owner's program answers it by itself: nobody is asked for a decision.
    #[must_use]
    pub fn automatic(&self) -> bool {
        matches!(self, Want::Seal { automatic: true, .. })
    }

    /// One line, as `result` entries of the log carry it.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Want::Decide { side, kind, slot, .. } => format!("decide {side} {kind} {slot}"),
            Want::Seal { side, kind, slot, .. } => format!("seal {side} {kind} {slot}"),
            Want::Open { side, slot } => format!("open {side} {slot}"),
            Want::Roll { tickets } => format!("roll {}", tickets.join(" ")),
        }
    }
}

/// One die of a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cast {
    /// Its name.
    pub ticket: String,
    /// The step whose seed it used.
    pub step: u64,
    /// Faces.
    pub faces: u32,
    /// What it showed, from 1.
    pub face: u32,
}

/// What more inputs did to a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// Every record since the last stop, canonical JSON.
    pub records: Vec<String>,
    /// The dice among them.
    pub dice: Vec<Cast>,
    /// Slots of the sealed parts opened among them.
    pub opened: Vec<String>,
    /// Everything the game waits for; empty if it is over.
    pub wants: Vec<Want>,
    /// Whether the game is over by the rules.
    pub over: bool,
    /// Reasons against an answer, with whose it was and its slot.
    pub refused: Option<(Side, String, Vec<Refusal>)>,
    /// A defect of this program.
    pub bug: Option<String>,
    /// The position where the game stands, canonical JSON.
    pub position: String,
    /// The latest step whose answers were used.
    pub step: u64,
}

/// A game in play. All of it is pure.
pub trait Game: std::fmt::Debug {
    /// The same game, to go on with by itself.
    fn fork(&self) -> Box<dyn Game>;
    /// What the game waits for; empty if it is over.
    fn wants(&self) -> &[Want];
    /// Judges what a side gives for all that is asked of it: contents in clear and slots it seals.
    ///
    /// # Errors
    /// Every reason against it; the path of each begins with the slot.
    fn judge(&self, side: Side, clear: &BTreeMap<String, String>, sealed: &BTreeSet<String>) -> Judged<()>;
    /// The parts of a whole answer to a sealed question, slot and content, in order.
    ///
    /// # Errors
    /// Every reason against the answer.
    fn split(&self, slot: &str, content: &str) -> Judged<Vec<(String, String)>>;
    /// What the game would do with more inputs; nothing changes.
    fn preview(&self, more: &Inputs, dice: &dyn Dice) -> Story;
    /// Takes more inputs in.
    ///
    /// # Errors
    /// The story that shows a refusal or a defect; the game is unchanged then.
    fn commit(&mut self, more: &Inputs, dice: &dyn Dice) -> Result<Story, Box<Story>>;
    /// The position where the game stands, canonical JSON.
    fn position(&self) -> String;
    /// Goes on from a position both players agree on, canonical JSON of a turn file. Dice before any answer take the
    /// seed of `step`. What was told before stays told.
    ///
    /// # Errors
    /// What is wrong with the position, for people; the game is unchanged then.
    fn place(&mut self, position: &str, step: u64) -> Result<(), String>;
    /// Has dice before any answer take the seed of another step: the one they were to take closed without a seed.
    fn reseed(&mut self, step: u64);
    /// The cautious answer to one of the wants that stands in the place of a player who is late, if the book has one.
    fn absent(&self, slot: &str) -> Option<String>;
    /// Legal answers to one of the wants: all where they can be listed, else a few.
    fn options(&self, slot: &str) -> Vec<String>;
    /// A legal answer to one of the wants, drawn at random.
    fn sample(&self, slot: &str, pick: &mut dyn FnMut(u32) -> u32) -> Option<String>;
}

/// A game of one book.
#[derive(Debug, Clone)]
pub struct Played<Y: System> {
    checkpoint: Checkpoint<Y>,
    inputs: Inputs,
    told: usize,
    needs: Vec<Need<Y>>,
    wants: Vec<Want>,
    over: bool,
    state: Rc<Y::State>,
    /// Shared, since a take-back keeps the game as every step opened.
    chapters: Vec<Rc<Chapter<Y>>>,
}

/// What one stretch of play told, from one stop to the next.
#[derive(Debug, Clone)]
pub struct Chapter<Y: System> {
    /// The position before.
    pub before: Rc<Y::State>,
    /// What happened.
    pub records: Vec<Record<Y>>,
}

impl<Y: System> Played<Y> {
    /// Starts a game and runs it to its first stop; dice that would be needed before any answer make that stop.
    ///
    /// # Errors
    /// A defect of the program, in words.
    pub fn start(start: Checkpoint<Y>) -> Result<Played<Y>, String> {
        let mut game = Played {
            state: Rc::clone(&start.state),
            checkpoint: start,
            inputs: Inputs::default(),
            told: 0,
            needs: Vec::new(),
            wants: Vec::new(),
            over: false,
            chapters: Vec::new(),
        };
        match game.commit(&Inputs::default(), &NoDice) {
            Ok(_) => Ok(game),
            Err(story) => Err(story.bug.unwrap_or_else(|| "the opening position refuses to start".into())),
        }
    }

    /// The standing orders in force.
    #[must_use]
    pub fn standing(&self) -> &Sides<Y::Policy> {
        &self.checkpoint.standing
    }

    /// Where the game stands.
    #[must_use]
    pub fn state(&self) -> &Y::State {
        &self.state
    }

    /// What the game asks of one side: decisions and hidden choices, those left out that nobody decides.
    pub fn asked(&self, side: Side) -> impl Iterator<Item = &dyn Asked<Y>> {
        let free = self.needs.iter().filter_map(|need| match need {
            Need::Decide(q) | Need::Seal(q) => Some(q.as_ref()),
            Need::Open { .. } | Need::Roll { .. } => None,
        });
        free.filter(move |q| q.side() == side && !q.automatic())
    }

    /// The last checkpoint passed.
    #[must_use]
    pub fn checkpoint(&self) -> &Checkpoint<Y> {
        &self.checkpoint
    }

    /// The inputs since that checkpoint.
    #[must_use]
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Everything told, stop by stop.
    #[must_use]
    pub fn chapters(&self) -> &[Rc<Chapter<Y>>] {
        &self.chapters
    }

    fn run(&self, more: &Inputs, dice: &dyn Dice) -> (Inputs, Run<Y>) {
        let mut inputs = self.inputs.clone();
        inputs.extend(more);
        let run = advance(&self.checkpoint, &mut LogSource { inputs: &inputs, dice });
        (inputs, run)
    }

    /// The records since the last stop. A longer list of inputs may only extend the story; anything else is a defect.
    fn tell(&self, run: &Run<Y>) -> Story {
        let mut story = Story {
            records: Vec::new(),
            dice: Vec::new(),
            opened: Vec::new(),
            wants: Vec::new(),
            over: false,
            refused: None,
            bug: None,
            position: position(&run.checkpoint, &run.state),
            step: run.step,
        };
        match &run.halt {
            Halt::Needs(needs) => story.wants = needs.iter().map(|need| want(need, &run.state)).collect(),
            Halt::Refused { side, slot, refusals } => story.refused = Some((*side, slot.clone(), refusals.clone())),
            Halt::Over => story.over = true,
            Halt::Bug(bug) => story.bug = Some(bug.clone()),
        }
        if run.records.len() < self.told {
            story.bug.get_or_insert_with(|| "a longer list of inputs shortened the story".into());
            return story;
        }
        for record in &run.records[self.told..] {
            story.records.push(to_content(record));
            match record {
                Record::Rolled { ticket, step, faces, face } => {
                    story.dice.push(Cast { ticket: ticket.clone(), step: *step, faces: *faces, face: *face });
                }
                Record::Opened { slot, .. } => story.opened.push(slot.clone()),
                _ => {}
            }
        }
        story
    }

    fn question(&self, slot: &str) -> Option<&Rc<dyn Asked<Y>>> {
        self.needs.iter().find_map(|need| match need {
            Need::Decide(q) | Need::Seal(q) if q.slot() == slot => Some(q),
            _ => None,
        })
    }

    fn judge_one(&self, need: &Need<Y>, clear: &BTreeMap<String, String>, sealed: &BTreeSet<String>) -> Judged<()> {
        let within = |slot: &str, refusals: Vec<Refusal>| -> Vec<Refusal> {
            let path = |p: &str| if p.is_empty() { slot.to_owned() } else { format!("{slot}: {p}") };
            refusals.into_iter().map(|r| Refusal { path: path(&r.path), ..r }).collect()
        };
        match need {
            Need::Decide(q) => match clear.get(&q.slot()) {
                Some(content) => q.judge(&self.state, content).map(drop).map_err(|r| within(&q.slot(), r)),
                None => Err(vec![Refusal::new(q.slot(), q.cite(), "is asked and not answered")]),
            },
            Need::Seal(q) => {
                let slot = q.slot();
                let public = q.public_parts(&self.state);
                let mut faults = Vec::new();
                let mut shown = BTreeMap::new();
                for part in q.parts(&self.state) {
                    let name = format!("{slot}/{part}");
                    match (clear.get(&name), sealed.contains(&name)) {
                        (Some(_), true) => faults.push(Refusal::new(name, q.cite(), "is both sealed and in clear")),
                        (Some(content), false) => {
                            shown.insert(part, content.clone());
                        }
                        (None, true) if public.contains(&part) => {
                            faults.push(Refusal::new(name, q.cite(), "is public and may not be sealed"));
                        }
                        (None, true) => {}
                        (None, false) => faults.push(Refusal::new(name, q.cite(), "is neither sealed nor given")),
                    }
                }
                if let Err(refusals) = q.check_clear(&self.state, &shown) {
                    faults.extend(within(&slot, refusals));
                }
                if faults.is_empty() { Ok(()) } else { Err(faults) }
            }
            Need::Open { .. } | Need::Roll { .. } => Ok(()),
        }
    }
}

/// A position in full: where a run would start again, and where it stands now.
fn position<Y: System>(checkpoint: &Checkpoint<Y>, now: &Y::State) -> String {
    format!("{{\"from\":{},\"now\":{}}}", to_content(checkpoint), to_content(now))
}

fn want<Y: System>(need: &Need<Y>, state: &Y::State) -> Want {
    match need {
        Need::Decide(q) => Want::Decide { side: q.side(), kind: q.kind(), slot: q.slot(), cite: q.cite() },
        Need::Seal(q) => {
            let full = |part: String| format!("{}/{part}", q.slot());
            Want::Seal {
                side: q.side(),
                kind: q.kind(),
                slot: q.slot(),
                parts: q.parts(state).into_iter().map(full).collect(),
                public: q.public_parts(state).into_iter().map(full).collect(),
                automatic: q.automatic(),
                cite: q.cite(),
            }
        }
        Need::Open { side, slot } => Want::Open { side: *side, slot: slot.clone() },
        Need::Roll { tickets } => Want::Roll { tickets: tickets.iter().map(|t| t.name.clone()).collect() },
    }
}

impl<Y: System> Game for Played<Y> {
    fn fork(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn wants(&self) -> &[Want] {
        &self.wants
    }

    fn judge(&self, side: Side, clear: &BTreeMap<String, String>, sealed: &BTreeSet<String>) -> Judged<()> {
        let (mut faults, mut known) = (Vec::new(), BTreeSet::new());
        for (need, want) in self.needs.iter().zip(&self.wants).filter(|(_, want)| want.asks() == Some(side)) {
            match want {
                Want::Seal { parts, .. } => known.extend(parts.iter().cloned()),
                Want::Decide { slot, .. } => {
                    known.insert(slot.clone());
                }
                Want::Open { .. } | Want::Roll { .. } => {}
            }
            if let Err(refusals) = self.judge_one(need, clear, sealed) {
                faults.extend(refusals);
            }
        }
        for slot in clear.keys().chain(sealed).filter(|slot| !known.contains(*slot)) {
            faults.push(Refusal::new(slot.clone(), Cite("protocol 5"), "is not asked of this seat in this step"));
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn split(&self, slot: &str, content: &str) -> Judged<Vec<(String, String)>> {
        let Some(q) = self.question(slot) else {
            return Err(vec![Refusal::new(slot, Cite("protocol 5"), "is not asked in this step")]);
        };
        let contents = q.split(&self.state, content)?;
        Ok(q.parts(&self.state).into_iter().map(|part| format!("{slot}/{part}")).zip(contents).collect())
    }

    fn preview(&self, more: &Inputs, dice: &dyn Dice) -> Story {
        self.tell(&self.run(more, dice).1)
    }

    fn commit(&mut self, more: &Inputs, dice: &dyn Dice) -> Result<Story, Box<Story>> {
        let (inputs, run) = self.run(more, dice);
        let story = self.tell(&run);
        if story.bug.is_some() || story.refused.is_some() {
            return Err(Box::new(story));
        }
        let fresh = run.records[self.told..].to_vec();
        self.chapters.push(Rc::new(Chapter { before: Rc::clone(&self.state), records: fresh }));
        self.told = run.records.len() - run.settled;
        self.inputs = inputs;
        self.checkpoint = run.checkpoint;
        self.state = run.state;
        self.over = story.over;
        self.wants.clone_from(&story.wants);
        self.needs = if let Halt::Needs(needs) = run.halt { needs } else { Vec::new() };
        Ok(story)
    }

    fn reseed(&mut self, step: u64) {
        self.checkpoint.step = step;
    }

    fn place(&mut self, position: &str, step: u64) -> Result<(), String> {
        let start = Y::place(position)?;
        let mut fresh = Played::start(Checkpoint { step, ..start })?;
        let mut chapters = std::mem::take(&mut self.chapters);
        chapters.append(&mut fresh.chapters);
        *self = Played { chapters, ..fresh };
        Ok(())
    }

    fn position(&self) -> String {
        position(&self.checkpoint, &self.state)
    }

    fn absent(&self, slot: &str) -> Option<String> {
        self.question(slot).and_then(|q| q.absent(&self.state))
    }

    fn options(&self, slot: &str) -> Vec<String> {
        self.question(slot).map_or_else(Vec::new, |q| q.options(&self.state))
    }

    fn sample(&self, slot: &str, pick: &mut dyn FnMut(u32) -> u32) -> Option<String> {
        self.question(slot).map(|q| q.sample(&self.state, pick))
    }
}
