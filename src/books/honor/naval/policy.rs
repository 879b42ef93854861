//! What is in force for a side at the step being played: the opened parts of its plot, or its answer to a REACT.

use serde::Serialize;

use super::orders::{Board, Conduct, Fire, Lead, Order};

/// Standing orders of one side for one step. `None`: that part is not open (yet); the question would be asked live.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Policy {
    /// Who goes first.
    pub order: Option<Order>,
    /// Which ships.
    pub lead: Option<Lead>,
    /// Fire.
    pub fire: Option<Fire>,
    /// Boarding.
    pub board: Option<Board>,
    /// Whether all of it came from a REACT: nothing of the sealed conduct is opened then.
    pub reacted: bool,
}

impl From<Conduct> for Policy {
    fn from(c: Conduct) -> Policy {
        Policy { order: Some(c.order), lead: Some(c.lead), fire: Some(c.fire), board: Some(c.board), reacted: true }
    }
}
