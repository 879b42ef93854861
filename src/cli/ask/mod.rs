//! `orders ask`: the orders of the open step, question by question. It writes a draft and nothing else, so that the
//! same reader and the same engine judge it as judge a file typed by hand.

mod boarding;
mod command;
mod draft;
mod form;
mod item;
mod land;
mod summary;
mod talk;
mod titles;

use super::Errors;
use crate::books::honor::naval::State;
use crate::draft::{self as drafts, Draft};
use crate::error::Error;
use crate::log::History;
use crate::play::{Refusal, Want};
use crate::report;
use crate::side::{Seat, Side};
pub(super) use command::{AskArgs, ask};
use form::{Answer, Choice, Form};
use item::{Item, Scene};
pub(super) use talk::{Heard, Talk};

/// How a dialogue can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The orders are to be signed.
    Sign,
    /// The orders are to be written, not signed.
    Write,
}

/// One dialogue about one step.
struct Dialogue<'a> {
    history: &'a History,
    seat: Seat,
    side: Side,
    state: &'a State,
    react: bool,
    draft: Draft,
    /// Markers are plotted up to this one; fewer than the allotment only under N19b `up-to`.
    last: u8,
}

/// Asks for everything the open step asks of a seat, beginning with the answers of `draft`. `ends`: what the player may
/// do with his orders at the end. None if he leaves.
///
/// # Errors
/// If the input cannot be read, or the game is of a book for which no orders are written.
pub(super) fn dialogue(
    talk: &mut Talk<'_>,
    history: &History,
    seat: Seat,
    draft: Draft,
    ends: &[End],
) -> Result<Option<(Draft, End)>, Errors> {
    if let (Some(side), Some(game)) = (seat.side(), history.game.land()) {
        return land::dialogue(talk, history, seat, side, game.played.state(), draft, ends);
    }
    let (Some(side), Some(game)) = (seat.side(), history.game.naval()) else {
        return Err(Error::misuse("no orders are written for this game or this seat").into());
    };
    let state = game.played.state();
    let react =
        history.wants().iter().any(|w| w.asks() == Some(side) && matches!(w, Want::Decide { kind: "react", .. }));
    let last = state.fleets.get(side).markers;
    let mut this = Dialogue { history, seat, side, state, react, draft, last };
    this.opening(&game.scenario.title);
    let mut at = 0;
    loop {
        let items = this.scene().items(&this.draft, this.last);
        let step = match items.get(at) {
            Some(item) => this.question(talk, item, at, items.len())?,
            None => match this.finish(talk, ends)? {
                Some(Step::Done(end)) => return Ok(Some((this.draft, end))),
                Some(step) => step,
                None => return Ok(None),
            },
        };
        match step {
            Step::On => at += 1,
            Step::Back if at == 0 => println!("  This is the first question."),
            Step::Back => at -= 1,
            Step::Leave => return Ok(None),
            Step::Done(_) => {}
        }
    }
}

/// What comes after a question.
enum Step {
    On,
    Back,
    Leave,
    Done(End),
}

impl Dialogue<'_> {
    fn scene(&self) -> Scene<'_> {
        Scene { state: self.state, side: self.side, react: self.react }
    }

    /// Where the turn stands, before the first question.
    fn opening(&self, title: &str) {
        let state = self.state;
        println!("{title}: orders of the {} player, turn {}, step {}", self.seat, state.turn, self.history.step());
        println!();
        println!("{}", report::chart(state));
        println!("{}", report::fleet_table(state));
        if self.react {
            println!("You asked to be asked again at marker {}. What you can fire at now:", state.step);
            drafts::shots_now(state, self.side).iter().for_each(|line| println!("  {line}"));
            println!("Your answer stands in the place of what you sealed for this marker, boarding too.");
        } else {
            let (own, his) = (state.fleets.get(self.side).markers, state.fleets.get(self.side.other()).markers);
            println!("You plot {own}, your opponent {his}.");
        }
        println!("Enter takes the answer in brackets; b goes back, ? explains the rule, q leaves without writing.");
    }

    /// Asks one question until it is answered.
    fn question(&mut self, talk: &mut Talk<'_>, item: &Item, at: usize, of: usize) -> Result<Step, Errors> {
        let form = self.judged_form(item);
        let text = self.scene().text(item);
        let default = self.default(item, &form);
        println!("\n{} of {of}. {}", at + 1, text.title);
        form::show(&form);
        let how = form::how(&form);
        if !how.is_empty() {
            println!("      {how}");
        }
        let bracket = default.as_ref().map_or_else(String::new, |d| format!("[{}] ", form::typed(&form, d)));
        loop {
            let line = match talk.hear(&bracket)? {
                Heard::Back => return Ok(Step::Back),
                Heard::Quit => return Ok(Step::Leave),
                Heard::Help => {
                    talk::explain(text.about, text.rules);
                    continue;
                }
                Heard::Line(line) => line,
            };
            let answer = match (line.is_empty(), &default) {
                (true, Some(default)) => Ok(default.clone()),
                (true, None) => Err("there is no answer to take with Enter here".to_owned()),
                (false, _) => form::read(&form, &line),
            };
            match answer.and_then(|answer| self.take(item, &answer)) {
                Ok(()) => return Ok(Step::On),
                Err(why) => println!("  {why}.\n  Answer again, or ? for the rule."),
            }
        }
    }

    /// The answers of a question, each with what the engine has against it now.
    fn judged_form(&self, item: &Item) -> Form {
        let mut form = self.scene().form(item);
        let Form::One(all) = &mut form else { return form };
        for (n, choice) in all.iter_mut().enumerate() {
            choice.barred = self.tried(item, &Answer::One(n)).err();
        }
        if matches!(item, Item::Marker(_)) {
            // Only a ruling allows fewer markers than allotted; without it the choice would be noise.
            all.retain(|c: &Choice| c.word != "no-more" || c.barred.is_none());
        }
        form
    }

    /// The answer Enter takes: what the draft holds if it is legal, else the first that is.
    fn default(&self, item: &Item, form: &Form) -> Option<Answer> {
        let held = self.scene().held(item, &self.draft).filter(|answer| self.tried(item, answer).is_ok());
        let first = || match form {
            // Staying is the safest of markers.
            Form::One(all) => all
                .iter()
                .position(|c| c.word == "stop" && c.barred.is_none())
                .or_else(|| all.iter().position(|c| c.barred.is_none()))
                .map(Answer::One),
            _ => None,
        };
        held.or_else(first)
    }

    /// The draft with an answer in it, if the rules allow it.
    fn tried(&self, item: &Item, answer: &Answer) -> Result<Draft, String> {
        let mut draft = self.draft.clone();
        // What stands in the draft already is left as it stands there.
        if self.scene().held(item, &self.draft).as_ref() != Some(answer) {
            self.scene().put(item, answer, &mut draft);
        }
        match item {
            Item::Marker(n) => self.judge_markers(&draft, *n)?,
            _ => self.judge_all(&draft)?,
        }
        Ok(draft)
    }

    fn take(&mut self, item: &Item, answer: &Answer) -> Result<(), String> {
        self.draft = self.tried(item, answer)?;
        if let Item::Marker(n) = item {
            let markers = self.draft.plot.as_ref().map_or(0, |p| p.markers.len());
            let plotted = usize::from(*n) <= markers;
            self.last = if plotted { self.state.fleets.get(self.side).markers } else { n.saturating_sub(1).max(1) };
        }
        Ok(())
    }

    /// What the engine has against the markers up to the nth. Those behind it are still to be asked for.
    fn judge_markers(&self, draft: &Draft, n: u8) -> Result<(), String> {
        let mut so_far = draft.clone();
        draft::plot(&mut so_far).markers.truncate(usize::from(n));
        let concerns = |r: &Refusal| {
            let place = r.path.rsplit("steps[").next().and_then(|p| p.split_once("].marker"));
            place.and_then(|(k, _)| k.parse::<u8>().ok()).is_some_and(|k| k <= n)
        };
        let answers = drafts::answers(self.history, self.side, &so_far);
        match answers.iter().flat_map(|a| &a.refusals).find(|r| concerns(r)) {
            Some(refusal) => Err(format!("it {} [{}]", refusal.why, refusal.cite)),
            None => Ok(()),
        }
    }

    /// What the reader of orders has against the draft.
    fn judge_all(&self, draft: &Draft) -> Result<(), String> {
        let text = drafts::to_yaml(draft).map_err(|e| e.what)?;
        let read = drafts::read(self.history, self.seat, &text, "orders");
        read.map(drop).map_err(|errors| errors.into_iter().map(|e| e.what).collect::<Vec<_>>().join("; "))
    }

    /// The orders in words, and what to do with them. None to leave.
    fn finish(&mut self, talk: &mut Talk<'_>, ends: &[End]) -> Result<Option<Step>, Errors> {
        println!("\nYour orders:");
        summary::lines(&self.scene(), &self.draft).iter().for_each(|line| println!("  {line}"));
        if let Err(why) = self.judge_all(&self.draft) {
            println!("The rules do not allow them: {why}.");
            return Ok(Some(Step::Back));
        }
        let word = |end: &End| match end {
            End::Sign => Choice::new("sign", "sign them now"),
            End::Write => Choice::new("write", "only write the file; sign later with `countersign orders sign`"),
        };
        let mut all: Vec<Choice> = ends.iter().map(word).collect();
        all.push(Choice::new("back", "back to the last question"));
        let form = Form::One(all);
        println!();
        form::show(&form);
        loop {
            match talk.hear("")? {
                Heard::Back => return Ok(Some(Step::Back)),
                Heard::Quit => return Ok(None),
                Heard::Help => println!(
                    "  Signed orders count as soon as your opponent has answered them; until then you may write others."
                ),
                Heard::Line(line) if line.is_empty() => println!("  Enter alone does nothing here: say which."),
                Heard::Line(line) => match form::read(&form, &line) {
                    Ok(Answer::One(n)) => return Ok(Some(ends.get(n).map_or(Step::Back, |end| Step::Done(*end)))),
                    Ok(_) => {}
                    Err(why) => println!("  {why}."),
                },
            }
        }
    }
}
