//! A single question that was put off with `ask`: its answers in a list, each with what it means.

use super::{Dialogue, say};
use crate::books::honor::land::{Id, State};
use crate::cite::Cite;
use crate::cli::Errors;
use crate::cli::ask::form::{self, Answer, Choice, Form};
use crate::cli::ask::talk::{Heard, Talk};
use crate::doc::Tree;
use crate::hex::Hex;
use crate::report::{self, Detail};

/// Whose question it is, what is asked, and the hex it is about.
struct About {
    title: String,
    from: Option<Hex>,
    help: &'static str,
}

fn about(state: &State, kind: &str, slot: &str) -> About {
    let id = Id(slot.rsplit('/').next().unwrap_or("").to_owned());
    let (name, from) = match (state.unit(&id), state.leader(&id)) {
        (Some(unit), _) => (unit.name.clone(), unit.hex),
        (None, Some(leader)) => (leader.name.clone(), leader.hex),
        (None, None) => (id.0, None),
    };
    let at = from.map_or_else(String::new, |hex| format!(" from {}", state.label(hex)));
    let (title, help) = match kind {
        "tie" => (
            "Gun and troops have the same MP: who takes the hit?".to_owned(),
            "Hits go to the unit with the higher MP; with the same MP it is your choice, hit by hit.",
        ),
        "retreat" => (
            format!("Where does {name} go{at}?"),
            "These are the hexes the rules leave. Away from the attacker is best; after that it is your choice.",
        ),
        "escape" => (
            format!("Where does {name} flee to{at}?"),
            "A leader whose unit is lost may go up to three hexes. Alone he is caught by the first enemy who comes.",
        ),
        "follow" => {
            (format!("Whom does {name} follow?"), "His units retreat to different hexes, and he goes with one of them.")
        }
        "withdraw" => (
            format!("Does {name} wait for the attack{at}?"),
            "Dragoons may retreat a hex before a close combat instead of taking it.",
        ),
        _ => (
            format!("Does {name} advance{at}?"),
            "The hex it attacked is empty now. It may go there, and the leader with it, or stay.",
        ),
    };
    About { title, from, help }
}

/// What an answer is called, and what it means.
fn choice(state: &State, from: Option<Hex>, answer: &Tree) -> Choice {
    let word = match answer {
        Tree::Text(text) => text.clone(),
        Tree::Map(entries) => match entries.first() {
            Some((_, Tree::Text(text))) => text.clone(),
            _ => answer.to_json(),
        },
        _ => answer.to_json(),
    };
    let says = match (word.as_str(), state.ground.hex(&word)) {
        (_, Ok(hex)) => ground(state, from, hex),
        ("gun", _) => "the gun".to_owned(),
        ("troops", _) => "infantry or dragoons".to_owned(),
        ("stand", _) => "it waits for the attack".to_owned(),
        ("withdraw", _) => "it retreats before the attack".to_owned(),
        ("go", _) => "it advances".to_owned(),
        ("with-leader", _) => "it advances and the leader goes with it".to_owned(),
        ("stay", _) => "no step".to_owned(),
        _ => String::new(),
    };
    Choice::new(word, says)
}

/// `south-west, forest; Lincoln Militia stands there`.
fn ground(state: &State, from: Option<Hex>, hex: Hex) -> String {
    let way = from.map_or_else(String::new, |from| match from.row_to(hex) {
        Some(dir) if from.step(dir) == hex => format!("{}, ", dir.compass()),
        _ => format!("{} hexes away, ", from.distance(hex)),
    });
    let there: Vec<&str> =
        state.units.iter().filter(|u| u.hex == Some(hex) && u.on_board()).map(|u| u.name.as_str()).collect();
    let who = if there.is_empty() { String::new() } else { format!("; there: {}", there.join(", ")) };
    format!("{way}{}{who}", state.ground.terrain(hex).word())
}

impl Dialogue<'_> {
    /// Asks it. False if the player leaves.
    pub(super) fn single(&mut self, talk: &mut Talk<'_>, kind: &str, slot: &str, cite: Cite) -> Result<bool, Errors> {
        let game = self.history.game.game();
        let all: Vec<Tree> = game.options(slot).iter().filter_map(|c| Tree::from_json(c).ok()).collect();
        let told = report::last_told(self.history, Detail::None);
        told.lines().for_each(say);
        let About { title, from, help } = about(self.state, kind, slot);
        println!("\n{title} [{cite}]");
        let form = Form::One(all.iter().map(|answer| choice(self.state, from, answer)).collect());
        form::show(&form);
        println!("Enter takes the answer in brackets; ? explains the rule, q leaves without writing.");
        let held = self.draft.answer.as_ref().and_then(|now| all.iter().position(|answer| answer == now));
        let default = held.or_else(|| (!all.is_empty()).then_some(0));
        let bracket = default.map_or_else(String::new, |n| format!("[{}] ", form::typed(&form, &Answer::One(n))));
        loop {
            let answer = match talk.hear(&bracket)? {
                Heard::Quit => return Ok(false),
                Heard::Back => {
                    println!("  This is the first question.");
                    continue;
                }
                Heard::Help => {
                    say(&format!("  {help}"));
                    if let Some((title, line)) = crate::cite::find(cite.0) {
                        say(&format!("  [{cite}] {title}: {line}"));
                    }
                    continue;
                }
                Heard::Line(line) if self.said(&line) => continue,
                Heard::Line(line) if line.is_empty() => default.map(Answer::One).ok_or_else(|| "say which".to_owned()),
                Heard::Line(line) => form::read(&form, &line),
            };
            match answer {
                Ok(Answer::One(n)) => {
                    self.draft.answer = all.get(n).cloned();
                    return Ok(true);
                }
                Ok(_) => {}
                Err(why) => println!("  {why}.\n  Answer again, or ? for the rule."),
            }
        }
    }
}
