//! Chapter 9: squadrons. Which ships carry a marker out, and what happens when the command ship is lost.

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::orders::{Designation, EnemyMove, ShipId};
use super::policy::Policy;
use super::state::State;
use super::turn::Naval;
use crate::cite::Cite;
use crate::play::{Judged, Play, Question, Refusal, Table};
use crate::side::Side;

/// 9.3: which ships of a side carry the marker out. Told only for squadrons; a single ship always does.
pub(super) fn designate(table: &mut Table<'_, Naval>, side: Side, second: bool) -> Play<Vec<ShipId>, Naval> {
    if !table.state().fleets.get(side).squadron {
        return Ok(table.state().afloat(side).map(|s| s.id.clone()).collect());
    }
    let (turn, step) = (table.state().turn, table.state().step);
    let with = table.decide(DesignateQuestion { side, turn, step, second })?;
    let ships = resolve(table.state(), side, &with);
    table.tell(Event::Designated { side, with, ships: ships.clone() });
    Ok(ships)
}

/// The ships of a designation, command ship first, followers in the order given (N07).
fn resolve(state: &State, side: Side, with: &Designation) -> Vec<ShipId> {
    let command = state.fleets.get(side).command.iter().cloned();
    match with {
        Designation::Ship { id } => vec![id.clone()],
        Designation::Command { followers } => command.chain(followers.iter().cloned()).collect(),
        Designation::Squadron {} => {
            let flag = state.fleets.get(side).command.clone();
            let rest = state.afloat(side).map(|s| s.id.clone()).filter(|id| Some(id) != flag.as_ref());
            command.chain(rest).collect()
        }
    }
}

/// Which ships carry a marker out.
#[derive(Debug, Clone)]
pub struct DesignateQuestion {
    /// Whose.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// The step.
    pub step: u8,
    /// Whether the side moves second and has seen the enemy's designation (9.6).
    pub second: bool,
}

impl DesignateQuestion {
    /// A designation cut down to ships that are still there (N41, N42): a dead follower drops out; without a command
    /// ship one ship moves alone.
    fn cut_down(&self, state: &State, with: &Designation) -> Option<Designation> {
        let afloat = |id: &ShipId| state.afloat(self.side).any(|s| s.id == *id);
        let alone = || state.afloat(self.side).next().map(|s| Designation::Ship { id: s.id.clone() });
        let fleet = state.fleets.get(self.side);
        match with {
            Designation::Ship { id } if afloat(id) => Some(with.clone()),
            _ if fleet.command_lost || fleet.command.is_none() => alone(),
            Designation::Ship { .. } => Some(Designation::Command { followers: Vec::new() }),
            Designation::Squadron {} => Some(Designation::Squadron {}),
            Designation::Command { followers } => {
                let mut kept: Vec<ShipId> = Vec::new();
                for id in followers.iter().filter(|id| afloat(id) && fleet.command.as_ref() != Some(*id)) {
                    if !kept.contains(id) {
                        kept.push(id.clone());
                    }
                }
                Some(Designation::Command { followers: kept })
            }
        }
    }
}

impl Question<Naval> for DesignateQuestion {
    type Value = Designation;
    const KIND: &'static str = "designate";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("t{}/{}/designate/{}", self.turn, self.side, self.step)
    }
    fn cite(&self) -> Cite {
        Cite("NAV-9.3")
    }

    fn check(&self, state: &State, with: &Designation) -> Judged<()> {
        let fleet = state.fleets.get(self.side);
        let afloat = |id: &ShipId| state.afloat(self.side).any(|s| s.id == *id);
        let refuse = |cite, why: String| Err(vec![Refusal::new("", Cite(cite), why)]);
        match with {
            Designation::Ship { id } if afloat(id) => Ok(()),
            Designation::Ship { id } => refuse("NAV-9.3", format!("`{id}` is no {} ship on the board", self.side)),
            _ if fleet.command_lost => {
                refuse("NAV-9.5", "the command ship was lost this turn: one ship moves alone for the rest of it".into())
            }
            _ if fleet.command.is_none() => refuse("NAV-9.3.p1", "there is no command ship to lead".into()),
            Designation::Squadron {} => Ok(()),
            Designation::Command { followers } => {
                for (at, id) in followers.iter().enumerate() {
                    if !afloat(id) {
                        return refuse("NAV-9.2", format!("`{id}` is no {} ship on the board", self.side));
                    }
                    if fleet.command.as_ref() == Some(id) || followers[..at].contains(id) {
                        return refuse("NAV-9.2", format!("`{id}` moves already: a ship follows once"));
                    }
                }
                Ok(())
            }
        }
    }

    /// 9.6: the second mover's reactions first, then the designation of the plot.
    fn standing(&self, state: &State, policy: &Policy) -> Option<Designation> {
        let lead = policy.lead.as_ref()?;
        let enemy = state.fleets.get(self.side.other());
        let fits = |seen: &EnemyMove| match (seen, &enemy.designated) {
            (EnemyMove::Command {}, Some((led, _))) => *led,
            (EnemyMove::Ship { id }, Some((led, ships))) => !led && ships.first() == Some(id),
            (EnemyMove::Ship { id }, None) => !enemy.squadron && state.afloat(self.side.other()).any(|s| s.id == *id),
            (EnemyMove::Command {}, None) => false,
        };
        let reaction = lead.reactions.iter().find(|r| self.second && fits(&r.enemy));
        self.cut_down(state, reaction.map_or(&lead.move_with, |r| &r.then))
    }

    fn options(&self, state: &State) -> Vec<Designation> {
        let fleet = state.fleets.get(self.side);
        let mut all: Vec<Designation> = Vec::new();
        if fleet.command.is_some() && !fleet.command_lost {
            all.push(Designation::Squadron {});
            all.push(Designation::Command { followers: Vec::new() });
        }
        all.extend(state.afloat(self.side).map(|s| Designation::Ship { id: s.id.clone() }));
        all
    }
}

/// 9.5: a lost command ship, and who takes over.
pub(super) fn command_loss(table: &mut Table<'_, Naval>) -> Play<(), Naval> {
    for side in Side::ALL {
        let state = table.state();
        let fleet = state.fleets.get(side);
        let Some(ship) = fleet.command.clone() else { continue };
        if !fleet.squadron || state.ship(&ship).is_some_and(super::state::Ship::afloat) {
            continue;
        }
        let (turn, left) = (state.turn, state.afloat(side).count());
        table.tell(Event::CommandLost { side, ship: ship.clone() });
        if left > 0 {
            super::turn::open_lead(table, side)?;
            let next = table.decide(CommandQuestion { side, turn, lost: ship })?;
            table.tell(Event::CommandPassed { side, ship: next });
        }
    }
    Ok(())
}

/// Who takes over a squadron.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CommandQuestion {
    /// Whose.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// The ship lost.
    pub lost: ShipId,
}

impl Question<Naval> for CommandQuestion {
    type Value = ShipId;
    const KIND: &'static str = "command";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("t{}/{}/command/{}", self.turn, self.side, self.lost)
    }
    fn cite(&self) -> Cite {
        Cite("NAV-9.5")
    }
    fn check(&self, state: &State, id: &ShipId) -> Judged<()> {
        if state.afloat(self.side).any(|s| s.id == *id) {
            return Ok(());
        }
        Err(vec![Refusal::new("", self.cite(), format!("`{id}` is no {} ship on the board", self.side))])
    }
    fn standing(&self, state: &State, policy: &Policy) -> Option<ShipId> {
        let afloat = |id: &&ShipId| state.afloat(self.side).any(|s| s.id == **id);
        let named = policy.lead.as_ref()?.succession.iter().find(afloat).cloned();
        named.or_else(|| state.afloat(self.side).next().map(|s| s.id.clone()))
    }
    fn options(&self, state: &State) -> Vec<ShipId> {
        state.afloat(self.side).map(|s| s.id.clone()).collect()
    }
}
