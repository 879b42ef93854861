//! Chapter 8: boarding.

use serde::{Deserialize, Serialize};

use super::apply::by_side;
use super::event::Event;
use super::gunnery::{count, small};
use super::orders::{Boarding, ShipId, Wish};
use super::policy::Policy;
use super::rulings::{BoardingAgain, ContestWinner, LastMarines};
use super::state::State;
use super::turn::{Naval, open_board};
use crate::cite::Cite;
use crate::hex::Hex;
use crate::play::{Judged, Play, Question, Refusal, Table, Ticket};
use crate::side::{Side, Sides};

/// The lead a boarding attempt needs (8.4).
pub const LEAD: i8 = 7;

/// Two enemy ships that share a hex.
#[derive(Debug, Clone, PartialEq)]
struct Pair {
    hex: Hex,
    ships: Sides<ShipId>,
}

impl Pair {
    fn name(&self, state: &State) -> String {
        let (column, row) = state.board.place(self.hex);
        format!("t{}/s{}/board/{column}.{row}", state.turn, state.step)
    }
}

/// 3.4.1: all boarding of one step, hex by hex, western columns first, then north to south.
pub(super) fn boardings(table: &mut Table<'_, Naval>) -> Play<(), Naval> {
    let pairs = pairs(table.state());
    for pair in pairs {
        board(table, &pair)?;
    }
    Ok(())
}

fn pairs(state: &State) -> Vec<Pair> {
    let mut hexes: Vec<Hex> = state.ships.iter().filter(|s| s.afloat()).map(|s| s.hex).collect();
    hexes.sort_by_key(|h| state.board.place(*h));
    hexes.dedup();
    let mut found = Vec::new();
    for hex in hexes {
        let of = |side: Side| state.in_hex(hex).find(|s| s.side == side).map(|s| s.id.clone());
        if let (Some(british), Some(american)) = (of(Side::British), of(Side::American)) {
            found.push(Pair { hex, ships: Sides { british, american } });
        }
    }
    found
}

/// 8.7: one boarding action in a hex each turn, a failed attempt included (N12).
fn used_up(state: &State, pair: &Pair) -> bool {
    state.boardings.iter().any(|used| match state.rulings.again {
        BoardingAgain::HexTurn => used.hex == pair.hex,
        BoardingAgain::PairTurn => used.ships == pair.ships,
    })
}

fn marines(state: &State, id: &ShipId) -> u8 {
    state.ship(id).map_or(0, |s| s.marines)
}

fn board(table: &mut Table<'_, Naval>, pair: &Pair) -> Play<(), Naval> {
    if used_up(table.state(), pair) {
        return Ok(());
    }
    // 8.1: only a ship with marines may wish to board.
    let able: Vec<Side> = Side::ALL.into_iter().filter(|s| marines(table.state(), pair.ships.get(*s)) > 0).collect();
    if able.is_empty() {
        return Ok(());
    }
    for side in &able {
        open_board(table, *side)?;
    }
    // 8.3: both say at the same time.
    let label = table.state().label(pair.hex);
    let name = pair.name(table.state());
    let ask = |side: &Side| WishQuestion { side: *side, name: name.clone(), ships: pair.ships.clone() };
    let said = table.decide_all(able.iter().map(ask).collect())?;
    let mut wishes = Sides { british: false, american: false };
    for (side, wish) in able.iter().zip(said) {
        *wishes.get_mut(*side) = wish == Say::Yes;
    }
    table.tell(Event::Wished { hex: label, ships: pair.ships.clone(), wishes });
    let boarder = match (wishes.british, wishes.american) {
        (false, false) => return Ok(()),
        (true, false) => Side::British,
        (false, true) => Side::American,
        (true, true) => contest(table, pair, &name)?,
    };
    let both = wishes.british && wishes.american;
    let boarded = if both && table.state().rulings.contest == ContestWinner::AtOnce {
        table.tell(Event::BoardsAtOnce { boarder });
        true
    } else {
        attempt(table, pair, boarder, &name)?
    };
    if boarded { battle(table, pair, boarder, &name) } else { Ok(()) }
}

/// Two dice a side, and the difference of damage ratings for the healthier ship.
struct Rolled {
    rolls: Sides<u8>,
    bonus: u8,
    healthier: Option<Side>,
    totals: Sides<u8>,
}

fn two_dice_each(table: &mut Table<'_, Naval>, pair: &Pair, name: &str, what: &str) -> Play<Rolled, Naval> {
    let rating = |side: Side| table.state().ship(pair.ships.get(side)).map_or(0, |s| s.damage);
    let (british, american) = (rating(Side::British), rating(Side::American));
    let bonus = british.abs_diff(american);
    let healthier = match british.cmp(&american) {
        std::cmp::Ordering::Greater => Some(Side::British),
        std::cmp::Ordering::Less => Some(Side::American),
        std::cmp::Ordering::Equal => None,
    };
    // 8.4: the healthier ship rolls first; of equals the British.
    let first = healthier.unwrap_or(Side::British);
    let order = [first, first.other()];
    let ticket = |side: Side, i: u8| Ticket::d6(format!("{name}/{what}/{side}/{i}"));
    let tickets = order.iter().flat_map(|s| [ticket(*s, 1), ticket(*s, 2)]).collect();
    let faces = small(&table.roll(tickets)?);
    let sum = |at: usize| faces.iter().skip(at * 2).take(2).fold(0u8, |a, f| a.saturating_add(*f));
    let rolls = by_side(first, sum(0), sum(1));
    let added = |side: Side| rolls.get(side).saturating_add(if healthier == Some(side) { bonus } else { 0 });
    let totals = Sides::from_fn(added);
    Ok(Rolled { rolls, bonus, healthier, totals })
}

/// 8.5: both wish; the higher total may try, a tie goes to the side with commander's advantage.
fn contest(table: &mut Table<'_, Naval>, pair: &Pair, name: &str) -> Play<Side, Naval> {
    let Rolled { rolls, bonus, healthier, totals } = two_dice_each(table, pair, name, "contest")?;
    let (boarder, tie) = match totals.british.cmp(&totals.american) {
        std::cmp::Ordering::Greater => (Side::British, false),
        std::cmp::Ordering::Less => (Side::American, false),
        std::cmp::Ordering::Equal => (table.state().advantage, true),
    };
    table.tell(Event::Contest { rolls, bonus, healthier, totals, boarder, tie });
    Ok(boarder)
}

/// 8.4: the boarder needs a lead of 7; the healthier ship adds the difference, whoever boards (N14).
fn attempt(table: &mut Table<'_, Naval>, pair: &Pair, boarder: Side, name: &str) -> Play<bool, Naval> {
    let Rolled { rolls, bonus, healthier, totals } = two_dice_each(table, pair, name, "attempt")?;
    let of = |side: Side| i8::try_from(*totals.get(side)).unwrap_or(i8::MAX);
    let lead = of(boarder).saturating_sub(of(boarder.other()));
    let boarded = lead >= LEAD;
    table.tell(Event::Attempt { boarder, rolls, bonus, healthier, lead, boarded });
    Ok(boarded)
}

/// 8.6: the boarding battle. The defender rolls first in every exchange (N15).
fn battle(table: &mut Table<'_, Naval>, pair: &Pair, boarder: Side, name: &str) -> Play<(), Naval> {
    let (own, prey) = (pair.ships.get(boarder).clone(), pair.ships.get(boarder.other()).clone());
    // 8.6.1: a ship that begins without marines defends with an intrinsic 1 (N16).
    let mut intrinsic = marines(table.state(), &prey) == 0;
    let last_stand = table.state().rulings.last_stand == LastMarines::LastStand;
    for exchange in 1..=u8::MAX {
        let strength = if intrinsic { 1 } else { marines(table.state(), &prey) };
        let need = if exchange == 1 && !intrinsic { 5 } else { 6 };
        let melee = Melee { pair, name, exchange, intrinsic: false };
        if melee.roll(table, boarder.other(), strength, need)? == 0 {
            table.tell(Event::BoardersLost { ship: own });
            return Ok(());
        }
        let strength = marines(table.state(), &own);
        let melee = Melee { pair, name, exchange, intrinsic };
        let left = melee.roll(table, boarder, strength, 6)?;
        if left == 0 && last_stand && !intrinsic {
            intrinsic = true;
        } else if left == 0 {
            return capture(table, boarder, own, prey);
        }
        let question = RetreatQuestion { side: boarder, name: name.to_owned(), exchange, ship: own.clone() };
        if table.decide(question)? == Stand::Retreat {
            table.tell(Event::BrokeOff { ship: own });
            return Ok(());
        }
    }
    table.tell(Event::BrokeOff { ship: own });
    Ok(())
}

struct Melee<'a> {
    pair: &'a Pair,
    name: &'a str,
    exchange: u8,
    intrinsic: bool,
}

impl Melee<'_> {
    /// One side's dice, one for each marine MP; hits apply at once. Returns what the enemy has left.
    fn roll(&self, table: &mut Table<'_, Naval>, side: Side, strength: u8, need: u8) -> Play<u8, Naval> {
        let ticket = |i: u8| Ticket::d6(format!("{}/melee/{}/{side}/{i}", self.name, self.exchange));
        let faces = small(&table.roll((1..=strength).map(ticket).collect())?);
        let hits = count(&faces, need);
        let enemy = if self.intrinsic { 1 } else { marines(table.state(), self.pair.ships.get(side.other())) };
        let enemy_left = enemy.saturating_sub(hits);
        let ships = self.pair.ships.clone();
        let (exchange, intrinsic) = (self.exchange, self.intrinsic);
        table.tell(Event::Melee { exchange, side, ships, faces, hits_on: need, hits, enemy_left, intrinsic });
        Ok(enemy_left)
    }
}

/// 8.6.2: the ship is removed; what is left of the boarders goes back to their own.
fn capture(table: &mut Table<'_, Naval>, boarder: Side, by: ShipId, ship: ShipId) -> Play<(), Naval> {
    let worth = table.state().ship(&ship).map_or(0, |s| s.worth.captured);
    table.tell(Event::Captured { ship, by });
    super::victory::score(table, boarder, worth);
    super::squadron::command_loss(table)
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Say {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// Stay or go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stand {
    /// Fight on.
    Stay,
    /// Go back to the own ship.
    Retreat,
}

fn boarding_policy(policy: &Policy, ship: &ShipId) -> Option<Boarding> {
    policy.board.as_ref().map(|b| b.ships.get(ship).copied().unwrap_or(b.all))
}

/// Whether a ship wishes to board (8.3).
#[derive(Debug, Clone)]
pub struct WishQuestion {
    /// Whose.
    pub side: Side,
    /// Turn, step and hex.
    pub name: String,
    /// The two ships.
    pub ships: Sides<ShipId>,
}

impl Question<Naval> for WishQuestion {
    type Value = Say;
    const KIND: &'static str = "wish";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("{}/wish/{}", self.name, self.side)
    }
    fn cite(&self) -> Cite {
        Cite("NAV-8.3")
    }
    fn check(&self, state: &State, say: &Say) -> Judged<()> {
        if *say == Say::Yes && marines(state, self.ships.get(self.side)) == 0 {
            return Err(vec![Refusal::new("", Cite("NAV-8.1"), "a ship needs marines aboard to board another")]);
        }
        Ok(())
    }
    fn standing(&self, state: &State, policy: &Policy) -> Option<Say> {
        let ship = self.ships.get(self.side);
        let rating = |id: &ShipId| state.ship(id).map_or(0, |s| i16::from(s.damage));
        let lead = rating(ship) - rating(self.ships.get(self.side.other()));
        let wants = match boarding_policy(policy, ship)?.wish {
            Wish::Never => false,
            Wish::Always => true,
            Wish::If { lead: least, marines: most } => lead >= i16::from(least) && marines(state, ship) >= most,
        };
        Some(if wants { Say::Yes } else { Say::No })
    }
    fn options(&self, _state: &State) -> Vec<Say> {
        vec![Say::No, Say::Yes]
    }
}

/// Whether the boarders go back after an exchange (8.6.p2). Only the boarder may.
#[derive(Debug, Clone)]
pub struct RetreatQuestion {
    /// Whose.
    pub side: Side,
    /// Turn, step and hex.
    pub name: String,
    /// The exchange just fought.
    pub exchange: u8,
    /// The boarders' ship.
    pub ship: ShipId,
}

impl Question<Naval> for RetreatQuestion {
    type Value = Stand;
    const KIND: &'static str = "retreat";

    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        format!("{}/retreat/{}/{}", self.name, self.side, self.exchange)
    }
    fn cite(&self) -> Cite {
        Cite("NAV-8.6.p2")
    }
    fn check(&self, _state: &State, _stand: &Stand) -> Judged<()> {
        Ok(())
    }
    fn standing(&self, state: &State, policy: &Policy) -> Option<Stand> {
        let at = boarding_policy(policy, &self.ship)?.retreat_at;
        let back = at > 0 && marines(state, &self.ship) <= at;
        Some(if back { Stand::Retreat } else { Stand::Stay })
    }
    fn options(&self, _state: &State) -> Vec<Stand> {
        vec![Stand::Stay, Stand::Retreat]
    }
}
