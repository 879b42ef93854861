//! Agreements: what one player offers and the other accepts (`schemas/protocol.md`, "Agreements").
//!
//! An acceptance closes the open step. A take-back makes an earlier step the open one again, with fresh links: the step
//! and all after it are dead, what was rolled and opened in them is forgotten, what was sealed before stays sealed.

use super::history::{End, History};
use crate::doc::Offer;
use crate::error::{Error, Result};
use crate::play::Want;
use crate::side::Seat;

/// Longest text in an offer, in characters.
const LONGEST: usize = 500;

/// An agreement that was accepted, as `verify` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement {
    /// The number of the result entry that carries it out.
    pub entry: usize,
    /// The step it closed.
    pub step: u64,
    /// Who offered it.
    pub by: Seat,
    /// What it was.
    pub matter: Matter,
}

/// What can be agreed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matter {
    /// An offer in a step file.
    Offered(Offer),
    /// A new key, and perhaps a new player, for the seat that asked.
    Key {
        /// What its player calls himself.
        player: String,
        /// Whether it is the recovery key that the terms name.
        recovery: bool,
    },
}

impl Matter {
    /// One line for people.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Matter::Offered(offer) => offer.words(),
            Matter::Key { player, recovery: true } => {
                format!("a new key for {player}: the recovery key named at the beginning")
            }
            Matter::Key { player, recovery: false } => {
                format!("a new key for the seat, played by {player}, on the other player's word alone")
            }
        }
    }
}

impl Agreement {
    /// Whether the game was otherwise than by the rules from here on (a take-back or a departure), or a
    /// seat was taken over on the other player's word.
    #[must_use]
    pub fn leaves_the_rules(&self) -> bool {
        matches!(
            self.matter,
            Matter::Offered(Offer::Restart { .. } | Offer::Depart { .. }) | Matter::Key { recovery: false, .. }
        )
    }
}

impl History {
    /// What a take-back to a live step would forget, as the offer has to list it: dice and openings since, in order.
    ///
    /// # Errors
    /// Why the step cannot be played again.
    pub fn forgets(&self, step: u64) -> std::result::Result<Vec<String>, String> {
        if step == 0 || step > self.step() {
            return Err(format!("step {step} has not been played; the open step is {}", self.step()));
        }
        if self.dead.contains(&step) {
            return Err(format!("step {step} was taken back already"));
        }
        if self.rolls_first.contains(&step) {
            return Err(format!("step {step} begins with dice, and its seed is known: they would fall as they did"));
        }
        let live = self.closed().iter().filter(|c| c.step >= step && !self.dead.contains(&c.step));
        let mut lines = Vec::new();
        for story in live.filter_map(|c| c.story.as_ref()) {
            lines.extend(story.dice.iter().map(|die| format!("die {} {}", die.ticket, die.face)));
            lines.extend(story.opened.iter().map(|slot| format!("opened {slot}")));
        }
        Ok(lines)
    }

    /// Whether an offer can be carried out if it is accepted now.
    ///
    /// # Errors
    /// The reason it cannot, for people.
    pub fn judge_offer(&self, offer: &Offer) -> std::result::Result<(), String> {
        let text = |text: &str| {
            let long = text.chars().count() > LONGEST || text.trim().is_empty();
            if long { Err(format!("a reason is needed, of at most {LONGEST} characters")) } else { Ok(()) }
        };
        if self.end().is_some() {
            return Err("the game is over".into());
        }
        match offer {
            Offer::Concede | Offer::Draw => Ok(()),
            Offer::Restart { step, forgets } => {
                let ours = self.forgets(*step)?;
                let same = ours == *forgets;
                if same {
                    Ok(())
                } else {
                    Err(format!("a take-back to step {step} forgets other things than it lists"))
                }
            }
            Offer::Depart { reason, position } => {
                text(reason)?;
                self.game.clone().game_mut().place(&position.to_json(), self.step() + 1)
            }
            Offer::Pause { until, reason } => {
                text(until).and_then(|()| text(reason))?;
                let words = self.terms.proposal.clock.is_none() || self.rest_of(offer).is_some();
                if words { Ok(()) } else { Err("a pause ends at an instant in UTC, like 2026-01-05T12:00:00Z".into()) }
            }
            Offer::Time { resend_days, reason } => {
                text(reason)?;
                if (1..=365).contains(resend_days) { Ok(()) } else { Err("days are 1 to 365".into()) }
            }
        }
    }

    /// Carries an accepted offer out. The open step is still the one that closes.
    pub(super) fn carry_out(&mut self, by: Seat, offer: &Offer) -> Result<()> {
        let defect = |why: String| Error::new(format!("this is a defect of the program: {why}"));
        match offer {
            Offer::Concede => self.end = Some(End::Conceded(by)),
            Offer::Draw => self.end = Some(End::Draw),
            Offer::Restart { step, .. } => {
                let then = usize::try_from(*step).ok().and_then(|n| self.openings.get(n.checked_sub(1)?)).cloned();
                let Some((game, seals)) = then else { return Err(defect(format!("step {step} never opened"))) };
                (self.game, self.seals) = (game, seals);
                let last = self.step();
                self.dead.extend(*step..=last);
            }
            Offer::Depart { position, .. } => {
                let next = self.step() + 1;
                self.game.game_mut().place(&position.to_json(), next).map_err(defect)?;
                self.seals.clear();
            }
            Offer::Time { resend_days, .. } => self.resend_days = *resend_days,
            Offer::Pause { .. } => self.times.rest = self.rest_of(offer).or(self.times.rest),
        }
        Ok(())
    }

    /// Agreements so far, in log order.
    #[must_use]
    pub fn agreements(&self) -> &[Agreement] {
        &self.agreements
    }

    /// Days after which a packet is offered to be sent again: the terms', or as agreed since.
    #[must_use]
    pub fn resend_days(&self) -> u32 {
        self.resend_days
    }

    /// Whether the run of the open step begins with dice.
    pub(super) fn note_rolls_first(&mut self) {
        if self.wants().iter().any(|w| matches!(w, Want::Roll { .. })) {
            let step = self.step();
            self.rolls_first.insert(step);
        }
    }

    /// Notes an agreement whose result entry was just written.
    pub(super) fn note_agreement(&mut self, step: u64, by: Seat, matter: Matter) {
        let entry = self.log().len().saturating_sub(1);
        if let Some(closed) = self.closed.last_mut() {
            closed.agreed = Some((by, matter.words()));
        }
        self.agreements.push(Agreement { entry, step, by, matter });
    }
}
