//! What each question is called, what is said about it on `?`, and the rules behind it.

use super::draft::Scope;
use super::item::{Item, Scene};
use crate::books::honor::naval::{Broadside, ShipId};

/// What is said about a question.
pub(super) struct Text {
    /// The question itself.
    pub title: String,
    /// What it means, in a sentence or two.
    pub about: &'static str,
    /// The rules behind it, as `countersign rules cite` takes them.
    pub rules: &'static [&'static str],
}

fn at(scope: Scope) -> String {
    match scope {
        Scope::Turn => String::new(),
        Scope::At(n) => format!(" at marker {n}"),
        Scope::React => " at this marker".to_owned(),
    }
}

impl Scene<'_> {
    fn of(&self, ship: Option<&ShipId>) -> String {
        ship.map_or_else(String::new, |id| {
            format!(" of {}", self.state.ship(id).map_or_else(|| id.0.clone(), |s| s.name.clone()))
        })
    }

    /// Title, explanation and rules of a question.
    pub(super) fn text(&self, item: &Item) -> Text {
        let text = |title: String, about: &'static str, rules: &'static [&'static str]| Text { title, about, rules };
        match item {
            Item::Marker(n) => text(
                format!("Marker {n} of {}", self.state.fleets.get(self.side).markers),
                "Markers are played one after another, yours and the enemy's at the same time. He sees each only when it is turned up.",
                &["NAV-5.1", "NAV-1.2.1", "NAV-5.10", "NAV-5.6", "N19b", "NAV-5.9"],
            ),
            Item::FireAlike(_) => text(
                "Do all your ships fire by the same orders?".into(),
                "With `no` every ship is asked about by itself.",
                &["NAV-6.1"],
            ),
            Item::Fire(scope, ship, side) => {
                let side = if *side == Broadside::Starboard { "starboard (right)" } else { "port (left)" };
                text(
                    format!("When does the {side} broadside{} fire{}?", self.of(ship.as_ref()), at(*scope)),
                    "Each broadside fires once a turn, at the first marker after which a target fits your words here.",
                    &["NAV-6.1", "NAV-6.3", "NAV-6.4", "NAV-6.4.p1", "NAV-6.4.p2", "NAV-5.11"],
                )
            }
            Item::FireAt => text(
                "At which markers do they fire by other orders?".into(),
                "At the last marker it is the last chance of the turn: a broadside held back then is not saved up.",
                &["NAV-6.1", "NAV-5.12"],
            ),
            Item::Targets(scope) => text(
                format!("Whom to fire at first{}, if several can be hit?", at(*scope)),
                "With nobody named the guns choose one they cross the T of, then the nearest, then the weakest.",
                &["NAV-9.7", "N22"],
            ),
            Item::BoardAlike(_) => text(
                "Do all your ships board by the same orders?".into(),
                "With `no` every ship is asked about by itself.",
                &["NAV-8.3"],
            ),
            Item::Wish(scope, ship) => text(
                format!(
                    "Boarding{}{}: when she shares a hex with an enemy, does she board?",
                    self.of(ship.as_ref()),
                    at(*scope)
                ),
                "If one side wishes it, it has to lead by 7 with two dice each, the healthier ship adding the difference in damage.",
                &["NAV-8.1", "NAV-8.3", "NAV-8.4", "NAV-8.5", "NAV-8.7"],
            ),
            Item::WishLead(_, ship) => text(
                format!("Boarding{}: how many damage points ahead must she be?", self.of(ship.as_ref())),
                "Your damage rating less the enemy's; a number below 0 lets a weaker ship board.",
                &["NAV-8.4"],
            ),
            Item::WishMarines(_, ship) => text(
                format!("Boarding{}: how many marines must she have?", self.of(ship.as_ref())),
                "A ship without marines cannot board at all.",
                &["NAV-8.1"],
            ),
            Item::Retreat(_, ship) => text(
                format!("Boarders{}: at how many marines left do they go back? 0 = never", self.of(ship.as_ref())),
                "Judged after each exchange of the battle aboard. Only the side that boarded can go back.",
                &["NAV-8.6", "NAV-8.6.p1", "NAV-8.6.p2"],
            ),
            Item::MovesFirst(_) => text(
                "The choice is yours this turn: who moves first?".into(),
                "In a fleet action the second mover sees which ships the first one moves.",
                &["NAV-9.6", "NAV-3.1.1.p1", "NAV-7.1"],
            ),
            Item::FiresFirst(_) => text(
                "The choice is yours this turn: who declares fire first?".into(),
                "All shots of a marker are declared before any die is rolled, so the second knows more.",
                &["NAV-3.1.1.p1", "NAV-9.7", "N03"],
            ),
            Item::Lead(scope) => text(
                format!("Which ships carry the markers out{}?", at(*scope)),
                "A marker moves one ship of your choice, or the command ship and any of the others; each on her own heading. (Choices that depend on the enemy's, `reactions`, are written in the file itself.)",
                &["NAV-9.2", "NAV-9.3", "NAV-9.3.p1", "NAV-9.3.p2"],
            ),
            Item::Followers(scope) => text(
                format!("Who follows the command ship{}?", at(*scope)),
                "They move after her in the order you name them.",
                &["NAV-9.2", "NAV-9.3", "N07"],
            ),
            Item::Alone(scope) => {
                text(format!("Which ship moves alone{}?", at(*scope)), "She may be the command ship too.", &["NAV-9.3"])
            }
            Item::LeadAt => text(
                "At which markers do other ships carry the marker out?".into(),
                "Each of these is asked about by itself.",
                &["NAV-9.3"],
            ),
            Item::Succession(_) => text(
                "Who takes over if the command ship is lost, best first?".into(),
                "After those you name it goes by the order of the scenario.",
                &["NAV-9.5", "NAV-9.5.p1"],
            ),
            Item::React => text(
                "At which markers do you want to be asked again before your guns are declared?".into(),
                "REACT: your answer then stands in the place of what you seal now for that marker. It costs a mail each way, and your opponent sees that you asked.",
                &["NAV-9.6"],
            ),
            Item::Say => text("A word to your opponent?".into(), "He reads it with your orders, as you wrote it.", &[]),
        }
    }
}
