//! Hidden things that are more than a hidden choice: private dice and hidden hands (`schemas/protocol.md`, 5).
//!
//! A hidden choice is a [`Sealed`] question of the book. What stands here is the same in every book: numbers and orders
//! nobody decides, made and sealed by the owner's program, so that only the owner knows what came of a public die.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::question::{Question, Sealed, to_content};
use super::refusal::{Judged, Refusal};
use super::system::{Play, System, Ticket};
use super::table::Table;
use crate::cite::Cite;
use crate::side::Side;

/// The part of a private die: its slot ends with this word, by which a verifier tells its openings from others.
pub const PRIVATE: &str = "private";

/// A die whose result only its owner knows until it is opened. He seals a number r before the links are out, a public
/// die of as many faces shows d, and the value is (r + d) mod faces: neither he nor the other can choose it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateDie {
    /// Who alone knows it.
    pub side: Side,
    /// Its name in this game, unique: `t9/british/entry`.
    pub slot: String,
    /// Number of faces, at least 2.
    pub faces: u32,
    /// The rule that has it rolled.
    pub cite: Cite,
}

/// What the owner of a private die seals: r, from 0 to faces - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Own(pub u32);

impl PrivateDie {
    /// The slot of what is sealed.
    #[must_use]
    pub fn part(&self) -> String {
        format!("{}/{PRIVATE}", self.slot)
    }

    /// The value, from 1 to `faces`, of the sealed number and the face, from 1, that the public die showed.
    #[must_use]
    pub fn value(&self, own: Own, public: u32) -> u32 {
        let n = u64::from(self.faces.max(1));
        let sum = u64::from(own.0) + u64::from(public.max(1)) - 1;
        u32::try_from(sum % n).unwrap_or(0) + 1
    }
}

impl<Y: System> Question<Y> for PrivateDie {
    type Value = Own;
    const KIND: &'static str = "private-die";
    const AUTOMATIC: bool = true;
    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        self.slot.clone()
    }
    fn cite(&self) -> Cite {
        self.cite
    }
    fn check(&self, _state: &Y::State, own: &Own) -> Judged<()> {
        if own.0 < self.faces {
            return Ok(());
        }
        let why = format!("is {}; a die of {} faces adds 0 to {}", own.0, self.faces, self.faces.saturating_sub(1));
        Err(vec![Refusal::new("", self.cite, why)])
    }
    fn options(&self, _state: &Y::State) -> Vec<Own> {
        (0..self.faces).map(Own).collect()
    }
    fn sample(&self, _state: &Y::State, pick: &mut dyn FnMut(u32) -> u32) -> Own {
        Own(pick(self.faces))
    }
}

impl<Y: System> Sealed<Y> for PrivateDie {
    fn parts(&self, _state: &Y::State) -> Vec<String> {
        vec![PRIVATE.to_owned()]
    }
    fn split(&self, _state: &Y::State, own: &Own) -> Vec<String> {
        vec![to_content(own)]
    }
    fn check_clear(&self, _state: &Y::State, clear: &BTreeMap<String, String>) -> Judged<()> {
        never_clear(self.cite, clear)
    }
}

/// A hand of cards only its owner knows: he seals what lies at each position, in an order of his own; a draw is a public
/// die over the positions not drawn yet; playing a card opens its position, which proves it at once. When cards join or
/// go back the owner seals the undrawn ones anew, as another deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deck {
    /// Whose hand is drawn from it.
    pub side: Side,
    /// Its name in this game, unique: `t1/british/opportunity`.
    pub slot: String,
    /// The cards in it, by id, equal ones as often as they are there.
    pub cards: Vec<String>,
    /// The rule that makes it.
    pub cite: Cite,
}

impl Deck {
    /// The slot of a position, counted from 1.
    #[must_use]
    pub fn position(&self, n: u32) -> String {
        format!("{}/position/{n}", self.slot)
    }

    /// Judges the cards shown so far, by position: each is of this deck, none oftener than it is there, and all of them
    /// together are exactly the deck.
    ///
    /// # Errors
    /// The positions that cannot be.
    pub fn judge(&self, shown: &BTreeMap<u32, String>) -> Judged<()> {
        let mut left: Vec<&String> = self.cards.iter().collect();
        let mut faults = Vec::new();
        for (n, card) in shown {
            match left.iter().position(|c| *c == card) {
                Some(at) => drop(left.swap_remove(at)),
                None => {
                    let why =
                        format!("shows `{card}`, which is not in the deck or has been shown as often as it is there");
                    faults.push(Refusal::new(self.position(*n), self.cite, why));
                }
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

impl<Y: System> Question<Y> for Deck {
    type Value = Vec<String>;
    const KIND: &'static str = "deck";
    const AUTOMATIC: bool = true;
    fn side(&self) -> Side {
        self.side
    }
    fn slot(&self) -> String {
        self.slot.clone()
    }
    fn cite(&self) -> Cite {
        self.cite
    }
    fn check(&self, _state: &Y::State, order: &Vec<String>) -> Judged<()> {
        let (mut given, mut cards) = (order.clone(), self.cards.clone());
        given.sort_unstable();
        cards.sort_unstable();
        if given == cards { Ok(()) } else { Err(vec![Refusal::new("", self.cite, "is not the cards of the deck")]) }
    }
    fn options(&self, _state: &Y::State) -> Vec<Vec<String>> {
        vec![self.cards.clone()]
    }
    fn sample(&self, _state: &Y::State, pick: &mut dyn FnMut(u32) -> u32) -> Vec<String> {
        let mut left = self.cards.clone();
        let mut order = Vec::new();
        while !left.is_empty() {
            let at = pick(u32::try_from(left.len()).unwrap_or(1)) as usize;
            order.push(left.swap_remove(at.min(left.len() - 1)));
        }
        order
    }
}

impl<Y: System> Sealed<Y> for Deck {
    fn parts(&self, _state: &Y::State) -> Vec<String> {
        (1..=self.cards.len()).map(|n| format!("position/{n}")).collect()
    }
    fn split(&self, _state: &Y::State, order: &Vec<String>) -> Vec<String> {
        order.iter().map(to_content).collect()
    }
    fn check_clear(&self, _state: &Y::State, clear: &BTreeMap<String, String>) -> Judged<()> {
        never_clear(self.cite, clear)
    }
}

fn never_clear(cite: Cite, clear: &BTreeMap<String, String>) -> Judged<()> {
    let fault =
        |part: &String| Refusal::new(part.clone(), cite, "is given in clear; it is sealed by its owner's program");
    if clear.is_empty() { Ok(()) } else { Err(clear.keys().map(fault).collect()) }
}

impl<Y: System> Table<'_, Y> {
    /// Rolls the public half of a private die that has been sealed ([`Table::seal`]); its face counts from 1. The book
    /// keeps it until the die is opened.
    ///
    /// # Errors
    /// The need, if the step has no seed yet.
    pub fn roll_private(&mut self, die: &PrivateDie) -> Play<u32, Y> {
        let ticket = Ticket { name: format!("{}/public", die.slot), faces: die.faces };
        Ok(self.roll(vec![ticket])?.first().copied().unwrap_or(1))
    }

    /// Opens a private die: its value, from 1. A number that cannot be sealed is a verdict for the rules, like every
    /// sealed content.
    ///
    /// # Errors
    /// The need, if it is not open yet.
    pub fn open_private(&mut self, die: &PrivateDie, public: u32) -> Play<Judged<u32>, Y> {
        let opened = self.open::<Own>(&[(die.side, die.part())], die.cite)?.pop();
        let own = opened.unwrap_or_else(|| Err(vec![Refusal::new(die.part(), die.cite, "is missing")]));
        let state = self.now();
        Ok(own.and_then(|own| {
            Question::<Y>::check(die, &state, &own)?;
            Ok(die.value(own, public))
        }))
    }

    /// Draws a position of a deck that has been sealed: a public die over those not drawn, in order. The last one
    /// needs no die; of none there is nothing to draw.
    ///
    /// # Errors
    /// The need, if the step has no seed yet.
    pub fn draw(&mut self, deck: &Deck, draw: &str, drawn: &BTreeSet<u32>) -> Play<Option<u32>, Y> {
        let all = 1..=u32::try_from(deck.cards.len()).unwrap_or(u32::MAX);
        let left: Vec<u32> = all.filter(|n| !drawn.contains(n)).collect();
        let faces = u32::try_from(left.len()).unwrap_or(u32::MAX);
        if faces < 2 {
            return Ok(left.first().copied());
        }
        let ticket = Ticket { name: format!("{}/draw/{draw}", deck.slot), faces };
        let face = self.roll(vec![ticket])?.first().copied().unwrap_or(1);
        Ok(left.get(face as usize - 1).copied())
    }

    /// Opens a position of a deck, which proves its card.
    ///
    /// # Errors
    /// The need, if it is not open yet.
    pub fn play_card(&mut self, deck: &Deck, position: u32) -> Play<Judged<String>, Y> {
        let slot = deck.position(position);
        let opened = self.open::<String>(&[(deck.side, slot.clone())], deck.cite)?.pop();
        Ok(opened.unwrap_or_else(|| Err(vec![Refusal::new(slot, deck.cite, "is missing")])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CITE: Cite = Cite("test");

    fn die(faces: u32) -> PrivateDie {
        PrivateDie { side: Side::British, slot: "t1/british/die".into(), faces, cite: CITE }
    }

    /// Whatever one half is, the other half alone makes every value equally often.
    #[test]
    fn either_half_alone_makes_every_value_once() {
        for faces in [2, 6, 10] {
            for fixed in 0..faces {
                let by_public: BTreeSet<u32> = (1..=faces).map(|d| die(faces).value(Own(fixed), d)).collect();
                let by_own: BTreeSet<u32> = (0..faces).map(|r| die(faces).value(Own(r), fixed + 1)).collect();
                assert_eq!(by_public, (1..=faces).collect());
                assert_eq!(by_own, (1..=faces).collect());
            }
        }
        assert_eq!(die(6).value(Own(5), 6), 5, "(5 + 5) mod 6, counted from 1");
    }

    #[test]
    fn a_deck_shows_each_card_as_often_as_it_is_there() {
        let cards = ["ford", "fog", "fog"].map(str::to_owned).to_vec();
        let deck = Deck { side: Side::American, slot: "t1/american/cards".into(), cards, cite: CITE };
        let shown = |cards: &[&str]| (1..).zip(cards.iter().map(|c| (*c).to_owned())).collect();
        assert!(deck.judge(&shown(&["fog", "ford", "fog"])).is_ok());
        assert!(deck.judge(&shown(&["fog"])).is_ok());
        assert_eq!(deck.judge(&shown(&["ford", "fog", "ford"])).unwrap_err()[0].path, "t1/american/cards/position/3");
        assert!(deck.judge(&shown(&["fox"])).is_err());
    }
}
