//! What a rulebook supplies, and how its phases stop.

use std::fmt::Debug;
use std::rc::Rc;

use serde::Serialize;

use super::advance::Checkpoint;
use super::question::Asked;
use super::refusal::Refusal;
use super::table::Table;
use crate::side::Side;

/// A rulebook on the machine.
pub trait System: Sized + Clone + Debug + PartialEq + 'static {
    /// Where the game stands between two phases; a loop with a checkpoint inside is a stage with a counter.
    type Stage: Clone + Debug + PartialEq + Serialize;
    /// The whole position, private to the table and changed by events alone.
    type State: Clone + Debug + PartialEq + Serialize;
    /// What happened. Carries its citation where a rule stands behind it.
    type Event: Clone + Debug + PartialEq + Serialize;
    /// Standing orders of one side: answers given in advance.
    type Policy: Clone + Debug + Default + PartialEq + Serialize;

    /// Applies one event. The only way a state changes.
    fn apply(state: &mut Self::State, event: &Self::Event);

    /// Runs one phase from its start and returns the stage that follows.
    ///
    /// # Errors
    /// The [`Halt`] that ended the run.
    fn phase(table: &mut Table<'_, Self>, at: &Self::Stage) -> Play<Self::Stage, Self>;

    /// Where a game starts from a position as a document holds it, canonical JSON.
    ///
    /// # Errors
    /// What is wrong with it; a book without positions of that kind has none.
    fn place(_position: &str) -> Result<Checkpoint<Self>, String> {
        Err("this book has no positions to go on from".into())
    }
}

/// The result of a piece of rules procedure.
pub type Play<T, Y> = Result<T, Halt<Y>>;

/// One named die. The name is hashed (`schemas/protocol.md`), so it is built from the book's own words and numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ticket {
    /// `t3/marker-2/fire/constitution/starboard/1`; unique in a game.
    pub name: String,
    /// Number of faces; a six-sided die shows 1 to 6.
    pub faces: u32,
}

impl Ticket {
    /// A six-sided die.
    #[must_use]
    pub fn d6(name: String) -> Ticket {
        Ticket { name, faces: 6 }
    }
}

/// What a run waits for.
pub enum Need<Y: System> {
    /// A decision.
    Decide(Rc<dyn Asked<Y>>),
    /// A hidden choice, to be sealed now (or given in clear by the last who chooses).
    Seal(Rc<dyn Asked<Y>>),
    /// The opening of one part of an earlier seal.
    Open {
        /// Whose seal.
        side: Side,
        /// Slot of the part.
        slot: String,
    },
    /// Dice whose step has no seed yet.
    Roll {
        /// The dice, in the order they are asked.
        tickets: Vec<Ticket>,
    },
}

impl<Y: System> Clone for Need<Y> {
    fn clone(&self) -> Self {
        match self {
            Need::Decide(q) => Need::Decide(Rc::clone(q)),
            Need::Seal(q) => Need::Seal(Rc::clone(q)),
            Need::Open { side, slot } => Need::Open { side: *side, slot: slot.clone() },
            Need::Roll { tickets } => Need::Roll { tickets: tickets.clone() },
        }
    }
}

impl<Y: System> Need<Y> {
    /// The need in one line, as `result` entries of the log carry it: `decide british t1/british/lead`.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Need::Decide(q) => format!("decide {} {} {}", q.side(), q.kind(), q.slot()),
            Need::Seal(q) => format!("seal {} {} {}", q.side(), q.kind(), q.slot()),
            Need::Open { side, slot } => format!("open {side} {slot}"),
            Need::Roll { tickets } => {
                format!("roll {}", tickets.iter().map(|t| t.name.as_str()).collect::<Vec<_>>().join(" "))
            }
        }
    }
}

impl<Y: System> Debug for Need<Y> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.line())
    }
}

/// Why a run ended.
#[derive(Debug, Clone)]
pub enum Halt<Y: System> {
    /// Somebody has to do something first.
    Needs(Vec<Need<Y>>),
    /// An answer is against the rules; nothing of it took effect.
    Refused {
        /// Whose answer.
        side: Side,
        /// Which answer.
        slot: String,
        /// Every reason.
        refusals: Vec<Refusal>,
    },
    /// The game has ended; the event that says how has been told.
    Over,
    /// A defect of this program (a slot asked twice, a ticket used twice, a phase that goes nowhere).
    Bug(String),
}
