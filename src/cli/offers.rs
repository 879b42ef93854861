//! `offer`, `agree`, `decline`: what two friends do besides playing.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::play::{after, do_duties, game, owner, player, send};
use super::{Done, Outcome};
use crate::books::honor::land::LandPosition;
use crate::books::honor::naval::Position;
use crate::clock;
use crate::doc::{Clock, Offer, Tree, yaml};
use crate::error::{Error, Result};
use crate::log::step::other;
use crate::log::{History, Intent, KeyPost, Terms};
use crate::seal::PublicKey;
use crate::side::Seat;
use crate::store::{self, Folder, Table};

/// What can be offered.
#[derive(Debug, Subcommand)]
pub enum OfferCommand {
    /// A draw.
    ///
    /// Example: countersign offer draw --say "Neither of us gets near"
    Draw {
        /// A word to your opponent.
        #[arg(long)]
        say: Option<String>,
    },
    /// To play an earlier step again, with fresh dice. Lists what has been seen since and would be forgotten.
    ///
    /// Example: countersign offer take-back --step 3 --say "I meant marker 2"
    TakeBack {
        /// The step to go back to (the open one, to ask for new orders of both).
        #[arg(long)]
        step: u64,
        /// A word to your opponent.
        #[arg(long)]
        say: Option<String>,
    },
    /// To go on from another position, whatever the rules made of it: a turn file you have edited.
    ///
    /// Example: countersign offer departure corrected.yaml --reason "We both forgot the wind"
    Departure {
        /// The position: a copy of turn.yaml, edited.
        position: PathBuf,
        /// Why.
        #[arg(long)]
        reason: String,
        /// A word to your opponent.
        #[arg(long)]
        say: Option<String>,
    },
    /// A pause. Where the game has a clock, nobody is late before it is over, and the days of the step count from there.
    ///
    /// Example: countersign offer pause --until "after Easter" --reason "Away from home"
    ///
    /// Example: countersign offer pause --until "2026-02-01 20:00" --reason "Skiing"
    Pause {
        /// Until when, in your words; where the game has a clock: "2026-01-05 20:00" in its time zone, or
        /// 2026-01-05T12:00:00Z in UTC.
        #[arg(long)]
        until: String,
        /// Why.
        #[arg(long)]
        reason: String,
    },
    /// Another number of days after which a packet is offered to be sent again.
    ///
    /// Example: countersign offer time --days 14 --reason "Slow mail"
    Time {
        /// The days, 1 to 365.
        #[arg(long)]
        days: u32,
        /// Why.
        #[arg(long)]
        reason: String,
    },
}

impl OfferCommand {
    /// The offer, and the word that goes with it.
    fn build(&self, history: &History) -> std::result::Result<(Offer, Option<String>), super::Errors> {
        Ok(match self {
            OfferCommand::Draw { say } => (Offer::Draw, say.clone()),
            OfferCommand::TakeBack { step, say } => {
                let forgets =
                    history.forgets(*step).map_err(|why| Error::new(format!("this cannot be taken back: {why}")))?;
                (Offer::Restart { step: *step, forgets }, say.clone())
            }
            OfferCommand::Departure { position, reason, say } => {
                let (text, name) = (store::read_text(position)?, position.display().to_string());
                // Read as a position first, so that every fault has its line.
                if super::whatif::of_land(&text) {
                    yaml::read::<LandPosition>(&text, &name, 1 << 20)?;
                } else {
                    yaml::read::<Position>(&text, &name, 1 << 20)?;
                }
                let position: Tree = yaml::read(&text, &name, 1 << 20)?;
                (Offer::Depart { reason: reason.clone(), position }, say.clone())
            }
            OfferCommand::Pause { until, reason } => {
                let until = match &history.terms.proposal.clock {
                    Some(terms) => resting(until, terms)?,
                    None => until.clone(),
                };
                (Offer::Pause { until, reason: reason.clone() }, None)
            }
            OfferCommand::Time { days, reason } => (Offer::Time { resend_days: *days, reason: reason.clone() }, None),
        })
    }
}

/// The end of a pause in a game with a clock: a time to come, as documents write it.
fn resting(until: &str, terms: &Clock) -> Result<String> {
    let at = clock::typed(until, Some(terms))?;
    if at <= super::clock() {
        return Err(
            Error::misuse(format!("{} is over already", clock::shown(at, Some(terms)))).next("name a time to come")
        );
    }
    Ok(clock::write(at))
}

/// What an acceptance of an offer does, and what has been seen by then, in plain words.
pub(super) fn consequence(offer: &Offer, terms: &Terms) -> String {
    match offer {
        Offer::Concede => "The game ends; the other has won.".into(),
        Offer::Draw => "The game ends at once as a draw.".into(),
        Offer::Restart { step, forgets } => {
            let mut words = format!(
                "Step {step} is played again from its beginning, with fresh dice. What has happened since counts for nothing.\n"
            );
            if forgets.is_empty() {
                words.push_str("Nothing has been rolled or opened since.");
            } else {
                words.push_str("You have both seen this since, and will know it when you choose again:");
                forgets.iter().for_each(|line| words.push_str(&format!("\n  {line}")));
            }
            words
        }
        Offer::Depart { .. } => {
            "The game goes on from the position in the offer instead of the one the rules made; the log says so for ever.".into()
        }
        Offer::Pause { until, .. } => match (&terms.proposal.clock, terms.seat(Seat::Host)) {
            (Some(kept), Some(_)) => {
                let end = clock::read(until).map_or(String::new(), |at| format!(" ({})", clock::shown(at, Some(kept))));
                format!("The step closes, and the next asks the same again. Its days count from the end of the pause{end}: nobody is late before.")
            }
            _ => "The step closes, and the next asks the same again. Nothing enforces the pause.".into(),
        },
        Offer::Time { resend_days, .. } => {
            format!("`status` suggests sending again only after {resend_days} days. The step closes, and the next asks the same again.")
        }
    }
}

/// A request of a new key, in plain words.
fn key_words(history: &History, post: &KeyPost) -> String {
    let (seat, who) = (post.file.seat, &post.file.who);
    let fingerprint = PublicKey::parse(&who.key).map(|k| k.fingerprint()).unwrap_or_default();
    let known = if history.is_recovery(post) {
        "It is the recovery key he named before the game.".to_owned()
    } else {
        "ANYBODY could have made it. Ask your opponent by telephone whether these letters are his.".to_owned()
    };
    format!(
        "A NEW KEY ASKS FOR THE {} SEAT: {}, played by {}.\n{known}\nIf you accept, it signs for that seat from the next step on, the old one no more.\n  countersign agree --key {}      to accept",
        seat.word().to_uppercase(),
        fingerprint,
        who.player,
        fingerprint
    )
}

/// What the other offers that a seat may still accept, and requests of new keys for the other seat.
fn offered(table: &Table, seat: Seat) -> (Option<Offer>, Vec<&KeyPost>) {
    let history = &table.history;
    if history.terms.hosted() {
        let silent = !table.posts.iter().any(|p| p.filed.file.seat != seat);
        let keys = history.keys_asking(other(history.terms.players(), seat), silent).collect();
        return (history.offered_hosted(seat, &table.posts).map(|(_, offer)| offer), keys);
    }
    let standing = history.settle(&table.posts);
    let offer = standing.acceptable(seat).map(|(_, offer)| offer.clone());
    (offer, history.keys_for_acceptance(&standing, seat))
}

/// The offer that stands, for `status`.
pub(super) fn standing_words(table: &Table) -> Option<String> {
    let history = &table.history;
    let seat = owner(table).ok().filter(|seat| *seat != Seat::Host)?;
    if history.end().is_some() {
        return None;
    }
    let (offer, requests) = offered(table, seat);
    if let Some(offer) = offer.as_ref().filter(|_| table.declined) {
        return Some(format!(
            "You go on without what your opponent offers ({}). Until the step closes `countersign agree` may still accept it.",
            offer.words()
        ));
    }
    if let Some(offer) = offer {
        return Some(format!(
            "YOUR OPPONENT OFFERS {}.\n{}\n  countersign agree      to accept\n  countersign decline    to go on without it",
            offer.words(),
            consequence(&offer, &history.terms)
        ));
    }
    if !requests.is_empty() {
        let all: Vec<String> = requests.iter().map(|post| key_words(history, post)).collect();
        return Some(all.join("\n"));
    }
    let (offer, requests) = offered(table, other(history.terms.players(), seat));
    if let Some(post) = requests.first() {
        let name = &post.file.who.player;
        return Some(format!("A new key asks for your seat ({name}); your opponent has to accept it."));
    }
    Some(format!("You have offered {}; your opponent can still accept it.", offer?.words()))
}

/// `offer`.
pub(super) fn offer(here: &Path, command: &OfferCommand) -> Outcome {
    let folder = Folder::open(here)?;
    let mut table = game(&folder)?;
    still_runs(&table)?;
    let (offer, say) = command.build(&table.history)?;
    let player = player(&table)?;
    let (before, seat) = (table.history.step(), owner(&table)?);
    println!("You offer {}. If it is accepted:\n{}", offer.words(), consequence(&offer, &table.history.terms));
    if !table.history.terms.hosted() && table.history.settle(&table.posts).seats[&seat].linked.is_some() {
        println!(
            "NOTE: your secret number for this step is out. Your opponent can see how the dice would fall before he answers."
        );
    }
    send(&folder, &mut table, &player, &Intent { offer: Some(offer), say, ..Intent::default() })?;
    after(&folder, &table, before)
}

fn still_runs(table: &Table) -> Result<()> {
    if table.history.end().is_some() {
        return Err(Error::misuse("the game is over"));
    }
    Ok(())
}

/// `agree` and `decline`.
pub(super) fn answer(here: &Path, agree: bool, key: Option<&str>, say: Option<String>) -> Outcome {
    let folder = Folder::open(here)?;
    let mut table = game(&folder)?;
    still_runs(&table)?;
    let (before, seat) = (table.history.step(), owner(&table)?);
    let (offer, requests) = offered(&table, seat);
    let print = |post: &&&KeyPost| PublicKey::parse(&post.file.who.key).map(|k| k.fingerprint()).unwrap_or_default();
    let wanted = key.map(|letters| {
        let fits = |post: &&&KeyPost| letters.len() >= 8 && print(post).contains(letters.trim());
        requests.iter().filter(fits).collect::<Vec<_>>()
    });
    let mut accepted = None;
    let what = match (offer, wanted) {
        (_, Some(found)) => {
            let [post] = found.as_slice() else {
                return Err(Error::misuse("no request of a new key, or more than one, has these letters")
                    .next("`countersign status` shows them; give at least eight in a row")
                    .into());
            };
            if table.owner.as_ref().is_some_and(|o| o.next.is_some())
                && !offered(&table, other(table.history.terms.players(), seat)).1.is_empty()
            {
                return Err(Error::misuse("a new key of your own asks for your seat: one at a time")
                    .next("wait until your opponent has accepted it")
                    .into());
            }
            accepted = Some(post.hash);
            format!("a new key for {}", post.file.who.player)
        }
        (Some(offer), None) => offer.words(),
        (None, None) if agree && !requests.is_empty() => {
            return Err(Error::misuse("name the key you accept, so that nobody else's slips in")
                .next("countersign agree --key LETTERS   (the letters your opponent reads to you; see `countersign status`)")
                .into());
        }
        _ => {
            println!("Nothing is offered to you that you could still accept.");
            return Ok(Done::Waiting);
        }
    };
    println!("{}\n{what}", if agree { "You accept:" } else { "You go on without:" });
    let player = player(&table)?;
    if !agree {
        folder.decline(table.history.step())?;
        table.declined = true;
    }
    let did = send(
        &folder,
        &mut table,
        &player,
        &Intent { agree, key: accepted, decline: !agree, say, ..Intent::default() },
    )?;
    if !agree && !did {
        println!("Nothing has to be sent for that: write your orders as usual, they are the answer.");
        return Ok(super::status::say_whose_move(&table, seat));
    }
    do_duties(&folder, &mut table)?;
    after(&folder, &table, before)
}
