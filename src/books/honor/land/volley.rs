//! What fire and close combat have in common (8.1.2, 8.1.3, 9.3.1): dice, what changes them, hits, and the leader in the
//! target hex.

use serde::{Deserialize, Serialize};

use super::event::{Attack, Event, LeaderLoss, Loss};
use super::modifier::{Modifier, total};
use super::orders::{Standing, Ties};
use super::pieces::{DICE, Formation, Id, UnitType};
use super::rulings::{ColumnDice, HitsOnTwo, IndianTown, LeaderOnes, LeaderRoll};
use super::state::{State, Unit};
use super::terrain::Terrain;
use super::turn::Land;
use crate::cite::Cite;
use crate::hex::Hex;
use crate::play::{Judged, Play, Question, Table, Ticket};
use crate::side::Side;

/// The dice of one attack on a hex.
#[derive(Debug, Clone)]
pub(super) struct Volley {
    pub unit: Id,
    pub side: Side,
    pub at: Hex,
    pub hits_on: u8,
    pub dice: Vec<Modifier>,
    pub changes: Vec<Modifier>,
    /// The first part of tickets and slots: turn, side, activation.
    pub name: String,
}

impl Volley {
    /// The dice of an attack declared just now.
    pub(super) fn new(
        table: &Table<'_, Land>,
        unit: &Id,
        by: Attack,
        at: Hex,
        supported: bool,
        flank: bool,
    ) -> Option<Volley> {
        let state = table.state();
        let attacker = state.unit(unit)?;
        let range = attacker.hex?.distance(at);
        let hits_on = match by {
            Attack::Fire => attacker.kind.hits_on(range),
            Attack::CloseCombat => super::pieces::CLOSE_COMBAT,
        };
        Some(Volley {
            unit: unit.clone(),
            side: attacker.side,
            at,
            hits_on,
            dice: dice(state, attacker, at, supported),
            changes: changes(state, attacker, by, at, flank),
            name: activation(state),
        })
    }

    /// Rolls, applies hits, and sees to the leader of the target hex. Returns whether a unit was eliminated.
    pub(super) fn resolve(&self, table: &mut Table<'_, Land>) -> Play<bool, Land> {
        let count = total(&self.dice).max(1);
        let ticket = |i: i8| Ticket::d6(format!("{}/dice/{i}", self.name));
        let faces = small(&table.roll((1..=count).map(ticket).collect())?);
        let change = i16::from(total(&self.changes));
        let changed = |face: u8| i16::from(face) + change;
        let hits = faces.iter().filter(|face| changed(**face) >= i16::from(self.hits_on)).count();
        let hits = u8::try_from(hits).unwrap_or(u8::MAX);
        let one = match table.state().rulings.ones {
            LeaderOnes::Natural => faces.contains(&1),
            LeaderOnes::Modified => faces.iter().any(|face| changed(*face) <= 1),
        };
        table.tell(Event::Rolled {
            unit: self.unit.clone(),
            dice: self.dice.clone(),
            faces,
            changes: self.changes.clone(),
            hits_on: self.hits_on,
            hits,
        });
        let before = table.state().rulings.leader_roll == LeaderRoll::BeforeHits;
        if before && one {
            self.leader_under_fire(table)?;
        }
        let eliminated = self.apply_hits(table, hits)?;
        if !before && one {
            self.leader_under_fire(table)?;
        }
        if eliminated {
            super::leaders::escape(table, self.side.other(), self.at, &self.name)?;
        }
        Ok(eliminated)
    }

    /// 8.1.2: each hit in turn on the unit with the higher MP; the owner decides ties.
    fn apply_hits(&self, table: &mut Table<'_, Land>, hits: u8) -> Play<bool, Land> {
        let enemy = self.side.other();
        let (mut eliminated, mut chosen) = (false, None);
        for n in 1..=hits {
            let Some(target) = self.target(table, enemy, n, chosen.take())? else {
                table.tell(Event::Surplus { hits: hits - n + 1 });
                break;
            };
            if table.state().rulings.hits == HitsOnTwo::OneFirst {
                chosen = Some(target.clone());
            }
            eliminated |= self.hit(table, &target, n)?;
        }
        Ok(eliminated)
    }

    fn target(&self, table: &mut Table<'_, Land>, enemy: Side, n: u8, chosen: Option<Id>) -> Play<Option<Id>, Land> {
        let here = table.state().units_in(self.at, enemy);
        if let Some(chosen) = chosen.filter(|id| here.iter().any(|u| u.id == *id)) {
            return Ok(Some(chosen));
        }
        let ids = match here.as_slice() {
            [] => return Ok(None),
            [one] => return Ok(Some(one.id.clone())),
            [a, b, ..] if a.mp > b.mp => return Ok(Some(a.id.clone())),
            [a, b, ..] if a.mp < b.mp => return Ok(Some(b.id.clone())),
            [a, b, ..] => [a.id.clone(), b.id.clone()],
        };
        let [troops, gun] = ids;
        let question = TieQuestion { side: enemy, name: self.name.clone(), hit: n };
        Ok(Some(if table.decide(question)? == Tie::Gun { gun } else { troops }))
    }

    /// One hit on a unit. An elite at 1 MP rolls first (3.4.1).
    fn hit(&self, table: &mut Table<'_, Land>, id: &Id, n: u8) -> Play<bool, Land> {
        let Some((kind, mp)) = table.state().unit(id).map(|u| (u.kind, u.mp)) else { return Ok(false) };
        if kind == UnitType::Elite && mp == 1 {
            let roll = one(&table.roll(vec![Ticket::d6(format!("{}/survival/{n}", self.name))])?);
            let ignored = roll <= 3;
            table.tell(Event::Survival { unit: id.clone(), roll, ignored });
            if ignored {
                return Ok(false);
            }
        } else {
            table.tell(Event::Hit { unit: id.clone(), mp: mp.saturating_sub(1) });
        }
        if mp > 1 {
            return Ok(false);
        }
        eliminate(table, id, Loss::Hits);
        Ok(true)
    }

    /// 9.3.1: with a 1 among the dice the leader rolls once; another 1 and he is gone.
    fn leader_under_fire(&self, table: &mut Table<'_, Land>) -> Play<(), Land> {
        let Some(leader) = table.state().leader_in(self.at, self.side.other()).map(|l| l.id.clone()) else {
            return Ok(());
        };
        let roll = one(&table.roll(vec![Ticket::d6(format!("{}/leader", self.name))])?);
        table.tell(Event::LeaderRolled { leader: leader.clone(), roll });
        if roll == 1 {
            super::leaders::lose(table, &leader, LeaderLoss::Struck);
        }
        Ok(())
    }
}

/// `t3/british/2`: the activation going on, for tickets and slots.
pub(super) fn activation(state: &State) -> String {
    format!("t{}/{}/{}", state.turn, state.active, state.acts)
}

/// Whose die a ticket names. The side in it is the one that acts: points, attack dice and the check of a charge are its own,
/// morale, survival and the leader's fate are the other side's.
#[must_use]
pub fn whose_die(ticket: &str) -> Option<Side> {
    let mut words = ticket.split('/').skip(1);
    let active = words.next().and_then(|word| Side::ALL.into_iter().find(|side| side.word() == word))?;
    let defends = words.any(|word| matches!(word, "morale" | "survival" | "leader"));
    Some(if defends { active.other() } else { active })
}

/// Removes a unit and scores it (10.A).
pub(super) fn eliminate(table: &mut Table<'_, Land>, id: &Id, why: Loss) {
    let Some((side, worth)) = table.state().unit(id).map(|u| (u.side, u.worth)) else { return };
    table.tell(Event::Eliminated { unit: id.clone(), why });
    super::victory::score(table, side.other(), worth, "FHG-10.A");
}

/// What makes up the number of dice (8.1.3, 7.5.1, 11.3, 11.8).
pub(super) fn dice(state: &State, attacker: &Unit, at: Hex, supported: bool) -> Vec<Modifier> {
    let column = attacker.formation == Formation::Column;
    let elite = attacker.kind == UnitType::Elite && attacker.mp >= 3 && state.options.elite_dice.on();
    let mut dice = vec![match (column, elite) {
        (true, _) => Modifier::new(1, "FHG-7.5.1"),
        (false, true) => Modifier::new(4, "FHG-11.3"),
        (false, false) => Modifier { by: i8::try_from(DICE).unwrap_or(3), cite: attacker.kind.range_row() },
    }];
    if column && state.rulings.columns == ColumnDice::CapOne {
        return dice;
    }
    let against = state.units_in(at, attacker.side.other());
    if against.iter().any(|u| u.formation == Formation::Column) {
        dice.push(Modifier::new(1, "FHG-7.5.1.p1"));
    }
    if supported {
        dice.push(Modifier::new(1, "FHG-11.8"));
    }
    dice
}

/// What changes each die (2.2.1.a, 11.4, 11.6, 11.7, 11.9).
pub(super) fn changes(state: &State, attacker: &Unit, by: Attack, at: Hex, flank: bool) -> Vec<Modifier> {
    let terrain = state.ground.terrain(at);
    let mut changes: Vec<Modifier> = terrain.combat().into_iter().collect();
    let built = matches!(terrain, Terrain::Entrenchment | Terrain::Town);
    if state.options.indian_town.on() && attacker.kind == UnitType::Indian && built {
        // L28: in the place of the ordinary -1, or on top of it.
        if state.rulings.indian_town == IndianTown::Replace {
            changes.clear();
        }
        changes.push(Modifier::new(-2, "FHG-11.4"));
    }
    let shells = attacker.kind == UnitType::Artillery && by == Attack::Fire;
    if state.options.forest_guns.on() && shells && terrain == Terrain::Forest {
        changes = vec![Modifier::new(-2, "FHG-11.6")];
    }
    if state.options.waterway.on() && terrain.water() {
        changes.push(Modifier::new(1, "FHG-11.7"));
    }
    if flank {
        changes.push(Modifier::new(1, "FHG-11.9"));
    }
    changes
}

/// Dice a unit rolls at a hex, and the lowest face that hits after every change: 1 means each does, 7 none. As if it
/// stood in `from` and no leader helped.
#[must_use]
pub fn aimed(state: &State, attacker: &Unit, from: Hex, by: Attack, at: Hex) -> (u8, u8) {
    let need = match by {
        Attack::Fire => attacker.kind.hits_on(from.distance(at)),
        Attack::CloseCombat => super::pieces::CLOSE_COMBAT,
    };
    let count = total(&dice(state, attacker, at, false)).max(1);
    let need = i16::from(need) - i16::from(total(&changes(state, attacker, by, at, false)));
    (u8::try_from(count).unwrap_or(1), u8::try_from(need.clamp(1, 7)).unwrap_or(7))
}

/// Faces as small numbers.
pub(super) fn small(faces: &[u32]) -> Vec<u8> {
    faces.iter().map(|f| u8::try_from(*f).unwrap_or(1)).collect()
}

/// The only face of a one-die roll.
pub(super) fn one(faces: &[u32]) -> u8 {
    small(faces).first().copied().unwrap_or(1)
}

/// Which of two units of equal MP takes a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tie {
    /// The gun.
    Gun,
    /// Infantry or dragoons.
    Troops,
}

/// Who takes a hit, asked of the owner (8.1.2).
#[derive(Debug, Clone)]
pub struct TieQuestion {
    /// Whose units.
    pub side: Side,
    /// Turn, side and activation.
    pub name: String,
    /// Which hit of the attack, from 1.
    pub hit: u8,
}

impl Question<Land> for TieQuestion {
    type Value = Tie;
    const KIND: &'static str = "tie";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("{}/tie/{}", self.name, self.hit)
    }
    fn cite(&self) -> Cite {
        Cite("FHG-8.1.2.p1")
    }
    fn check(&self, _state: &State, _value: &Tie) -> Judged<()> {
        Ok(())
    }
    fn standing(&self, _state: &State, policy: &Standing) -> Option<Tie> {
        match policy.ties {
            Ties::Gun => Some(Tie::Gun),
            Ties::Troops => Some(Tie::Troops),
            Ties::Ask => None,
        }
    }
    fn absent(&self, _state: &State) -> Option<Tie> {
        Some(Tie::Gun)
    }
    fn options(&self, _state: &State) -> Vec<Tie> {
        vec![Tie::Gun, Tie::Troops]
    }
}
