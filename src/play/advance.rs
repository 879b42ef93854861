//! Running from a checkpoint until somebody has to do something.

use std::rc::Rc;

use serde::Serialize;

use super::system::{Halt, System};
use super::table::{Record, Source, Table};
use crate::side::Sides;

/// Where a run can start: between two phases.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound(serialize = ""))]
pub struct Checkpoint<Y: System> {
    /// The phase that comes next.
    pub stage: Y::Stage,
    /// The position.
    #[serde(serialize_with = "through")]
    pub state: Rc<Y::State>,
    /// Standing orders in force.
    pub standing: Sides<Y::Policy>,
    /// The latest step used so far: dice without a newer answer take its seed.
    pub step: u64,
}

fn through<T: Serialize, S: serde::Serializer>(state: &Rc<T>, to: S) -> Result<S::Ok, S::Error> {
    state.as_ref().serialize(to)
}

impl<Y: System> Checkpoint<Y> {
    /// A game about to begin.
    #[must_use]
    pub fn start(stage: Y::Stage, state: Y::State) -> Checkpoint<Y> {
        let standing = Sides { british: Y::Policy::default(), american: Y::Policy::default() };
        // Dice before any answer take the seed of step 1, which asks nobody then.
        Checkpoint { stage, state: Rc::new(state), standing, step: 1 }
    }
}

/// What a run did.
#[derive(Debug, Clone)]
pub struct Run<Y: System> {
    /// The last checkpoint passed (the given one if none was).
    pub checkpoint: Checkpoint<Y>,
    /// How many of the records belong to phases before that checkpoint.
    pub settled: usize,
    /// Everything told since the given checkpoint.
    pub records: Vec<Record<Y>>,
    /// The position where the run stopped.
    pub state: Rc<Y::State>,
    /// The latest step used.
    pub step: u64,
    /// Why it stopped.
    pub halt: Halt<Y>,
}

/// More phases than any game has; a run that passes them goes in a circle.
const PHASES: usize = 100_000;

/// Runs phases from a checkpoint until one halts. Pure: the same checkpoint and answers give the same run, and a
/// longer list of answers only extends it.
pub fn advance<Y: System>(from: &Checkpoint<Y>, source: &mut dyn Source<Y>) -> Run<Y> {
    let mut table = Table::new(Rc::clone(&from.state), from.standing.clone(), from.step, source);
    let (mut checkpoint, mut settled) = (from.clone(), 0);
    let mut halt = Halt::Bug("a phase goes in a circle".into());
    for _ in 0..PHASES {
        match Y::phase(&mut table, &checkpoint.stage) {
            Ok(stage) => {
                let (state, standing, step) = table.parts();
                checkpoint = Checkpoint { stage, state, standing, step };
                settled = table.records().len();
            }
            Err(stop) => {
                halt = stop;
                break;
            }
        }
    }
    let (state, _, step) = table.parts();
    Run { checkpoint, settled, records: table.into_records(), state, step, halt }
}
