//! What is legal: every order of a list judged, with the rule that forbids it.
//!
//! Two looks are taken at an order. The first finds what is wrong with it whatever happens before it is reached (the
//! unit is not one's own, artillery in close combat, swamp, deep water). The second judges it as things stand. Before a list is
//! signed both are taken up to the first dice, and only the first beyond them.

use super::pieces::Id;
use super::state::{Deed, Fate, Leader, State, Unit};
use crate::cite::Cite;
use crate::hex::Hex;
use crate::play::Refusal;
use crate::side::Side;

/// One reason against an order. Boxed, since it travels in results.
#[derive(Debug, Clone)]
pub(super) struct Fault(Box<Refusal>);

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        Fault(Box::new(refusal))
    }
}

impl Fault {
    /// The refusal, with the path of the order before its own.
    pub(super) fn at(self, order: &str) -> Refusal {
        let path = if self.0.path.is_empty() { order.to_owned() } else { format!("{order}.{}", self.0.path) };
        Refusal { path, ..*self.0 }
    }

    /// The same, said of another place of the order.
    pub(super) fn under(self, key: &str) -> Fault {
        Refusal { path: key.to_owned(), ..*self.0 }.into()
    }

    /// What is wrong, and the rule.
    pub(super) fn parts(&self) -> (String, Cite) {
        (self.0.why.clone(), self.0.cite)
    }
}

/// A refusal said of a key.
pub(super) fn with_path(key: &str, refusal: Refusal) -> Fault {
    Refusal { path: key.to_owned(), ..refusal }.into()
}

/// The hex of a label an order names.
pub(super) fn hex_at(state: &State, path: &str, label: &str) -> Result<Hex, Fault> {
    state.ground.hex(label).map_err(|why| Refusal::new(path, Cite("FHG-7.1"), why).into())
}

/// The rule that gives the half-turn to its player (5).
fn whose(state: &State) -> Cite {
    Cite(if state.active == state.first { "FHG-5.b" } else { "FHG-5.d" })
}

/// A unit of one's own that is not eliminated.
pub(super) fn own_unit<'s>(state: &'s State, side: Side, id: &Id) -> Result<&'s Unit, Fault> {
    let refuse = |cite: Cite, why: String| Err(Refusal::new("unit", cite, why).into());
    match state.unit(id) {
        None => {
            let own: Vec<&str> = state.units.iter().filter(|u| u.side == side).map(|u| u.id.0.as_str()).collect();
            let refusal = Refusal::new("unit", Cite("FHG-4.1"), format!("`{id}` is no unit of this battle"));
            Err(refusal.instead(format!("Your units: {}.", own.join(", "))).into())
        }
        Some(unit) if unit.side != side => refuse(whose(state), format!("`{id}` is the enemy's")),
        Some(unit) if unit.fate == Fate::Eliminated => refuse(Cite("FHG-8.1.2"), format!("`{id}` is eliminated")),
        Some(unit) => Ok(unit),
    }
}

/// A leader of one's own who is not eliminated.
pub(super) fn own_leader<'s>(state: &'s State, side: Side, id: &Id) -> Result<&'s Leader, Fault> {
    let refuse = |cite: Cite, why: String| Err(Refusal::new("leader", cite, why).into());
    match state.leader(id) {
        None => {
            let own: Vec<&str> = state.leaders.iter().filter(|l| l.side == side).map(|l| l.id.0.as_str()).collect();
            let refusal = Refusal::new("leader", Cite("FHG-4.1"), format!("`{id}` is no leader of this battle"));
            Err(refusal.instead(format!("Your leaders: {}.", own.join(", "))).into())
        }
        Some(leader) if leader.side != side => refuse(whose(state), format!("`{id}` is the enemy's")),
        Some(leader) if leader.fate == Fate::Eliminated => refuse(Cite("FHG-9.3.1"), format!("`{id}` is eliminated")),
        Some(leader) => Ok(leader),
    }
}

/// 6.1.4: a unit acts once in its half-turn. `combined`: as the second half of a move and fire, or fire and move.
pub(super) fn may_act(unit: &Unit, wants: Deed, combined: bool) -> Result<(), Fault> {
    if combined {
        return Ok(());
    }
    let attack = matches!(wants, Deed::Fired | Deed::CloseCombat);
    let mixes = matches!(unit.kind, super::pieces::UnitType::Dragoon | super::pieces::UnitType::Indian);
    let (cite, why) = match (unit.deed, wants) {
        (Deed::Nothing, _) => return Ok(()),
        (Deed::Waded, _) => ("FHG-2.3.3.b", "stands in a waterway it has just entered and does nothing more"),
        (Deed::MovedFarther, _) if attack => {
            ("FHG-6.2.5.p1", "has moved a hex farther with its leader and does not attack")
        }
        (Deed::Formed, _) => ("FHG-7.5.p1", "has changed formation and does nothing else this turn"),
        (Deed::Rallied, _) => ("FHG-9.4.p2", "was rallied and does nothing else this turn"),
        (_, Deed::Rallied) => ("FHG-9.4.p2", "has acted and is not rallied this turn"),
        (Deed::Moved, Deed::CloseCombat) if unit.kind == super::pieces::UnitType::Indian => {
            ("FHG-3.4.6.p3", "has moved and does not attack in close combat this turn")
        }
        (Deed::Moved, _) if attack && mixes => {
            ("FHG-6.1.3", "has finished its action; moving and firing are one order, `move-and-fire`")
        }
        (Deed::Moved | Deed::MovedFarther, Deed::Moved) => ("FHG-7.1.1", "has moved already this turn"),
        (Deed::Moved, _) if attack => ("FHG-6.2.1", "has moved and does not attack this turn"),
        (Deed::Fired, Deed::Moved) if unit.kind == super::pieces::UnitType::Dragoon => {
            ("FHG-6.2.3", "has fired; dragoons never fire and then move")
        }
        (Deed::Fired, Deed::Moved) if !mixes => ("FHG-6.2.1", "has fired and does not move this turn"),
        _ => ("FHG-6.1.4", "has acted already this turn"),
    };
    Err(Refusal::new("unit", Cite(cite), format!("`{}` {why}", unit.id)).into())
}

/// 6.1.2: the points are not there.
pub(super) fn no_points(state: &State, ap: u8, rule: &'static str) -> Fault {
    let points = |n: u8| if n == 1 { "1 action point".to_owned() } else { format!("{n} action points") };
    let left = |n: u8| if n == 1 { "1 is".to_owned() } else { format!("{n} are") };
    Refusal::new("", Cite(rule), format!("this costs {}, and {} left", points(ap), left(state.ap))).into()
}
