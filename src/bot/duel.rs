//! A whole game of two seats the program plays, straight through the machine.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Known, Pick, Seen, Style, choose};
use crate::play::{Asked, Checkpoint, Halt, Run, Source, Ticket, advance};
use crate::side::{Side, Sides};

/// Answers for both sides, each from what it sees alone, and dice from the same numbers.
struct Table<'p> {
    styles: Sides<Style>,
    pick: Pick<'p>,
    /// Openings of what was sealed, by slot.
    opens: BTreeMap<String, String>,
}

impl Table<'_> {
    fn choose<Y: Known>(&mut self, asked: &Rc<dyn Asked<Y>>, position: &Y::State) -> String {
        let seen = Seen { side: asked.side(), position, question: asked.as_ref() };
        choose(*self.styles.get(asked.side()), &seen, self.pick)
    }
}

impl<Y: Known> Source<Y> for Table<'_> {
    fn answer(&mut self, asked: &Rc<dyn Asked<Y>>, position: &Y::State) -> Option<(u64, String)> {
        Some((0, self.choose(asked, position)))
    }

    fn sealed(&mut self, asked: &Rc<dyn Asked<Y>>, position: &Y::State) -> Option<u64> {
        let content = self.choose(asked, position);
        let contents = asked.split(position, &content).ok()?;
        let slots = asked.parts(position).into_iter().map(|part| format!("{}/{part}", asked.slot()));
        self.opens.extend(slots.zip(contents));
        Some(0)
    }

    fn opened(&mut self, slot: &str) -> Option<String> {
        self.opens.get(slot).cloned()
    }

    fn die(&mut self, _step: u64, ticket: &Ticket) -> Option<u32> {
        Some((self.pick)(ticket.faces) + 1)
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Victory points.
    pub points: Sides<u32>,
    /// Turns played.
    pub turns: u32,
}

/// Plays a game to its end.
///
/// # Errors
/// What went wrong, if it does not end by the rules: a defect of the program.
pub fn duel<Y: Known>(from: &Checkpoint<Y>, styles: Sides<Style>, pick: Pick<'_>) -> Result<Run<Y>, String> {
    let run = advance::<Y>(from, &mut Table { styles, pick, opens: BTreeMap::new() });
    match &run.halt {
        Halt::Over => Ok(run),
        Halt::Refused { slot, refusals, .. } => Err(format!(
            "`{slot}` is refused: {}",
            refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        )),
        Halt::Needs(needs) => Err(format!("stands still: {needs:?}")),
        Halt::Bug(bug) => Err(bug.clone()),
    }
}
