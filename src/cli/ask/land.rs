//! The dialogue of a land game: orders typed one at a time in short words, each judged as it is given, then the standing
//! orders for the enemy's half-turn.

mod guard;
mod help;
mod list;
mod read;
mod single;
mod standing;
mod words;

use super::form::{self, Answer, Choice, Form};
use super::{End, Heard, Step, Talk};
use crate::books::honor::land::{Id, Order, State, foresee};
use crate::cite;
use crate::cli::{Errors, moves};
use crate::draft::{self as drafts, Draft};
use crate::error::Error;
use crate::log::History;
use crate::play::Want;
use crate::report::{self, fold, hang};
use crate::side::{Seat, Side};
use list::List;

/// One dialogue about one step.
struct Dialogue<'a> {
    history: &'a History,
    seat: Seat,
    side: Side,
    state: &'a State,
    draft: Draft,
}

/// Prints a line, broken if it is long.
fn say(line: &str) {
    println!("{}", fold(line));
}

/// Asks for the orders of a half-turn, or for the answer to a single question. None if the player leaves.
pub(super) fn dialogue(
    talk: &mut Talk<'_>,
    history: &History,
    seat: Seat,
    side: Side,
    state: &State,
    draft: Draft,
    ends: &[End],
) -> Result<Option<(Draft, End)>, Errors> {
    println!("{}: turn {}, step {}", history.game.title().unwrap_or(""), state.turn, history.step());
    println!("\n{}", report::standing(&history.game).unwrap_or_default());
    let mut this = Dialogue { history, seat, side, state, draft };
    let asked = history.wants().iter().find(|w| w.asks() == Some(side));
    loop {
        let given = match asked {
            Some(Want::Decide { kind: "orders", .. }) => this.half_turn(talk)?,
            Some(Want::Decide { kind, slot, cite, .. }) => this.single(talk, kind, slot, *cite)?,
            _ => true,
        };
        if !given {
            return Ok(None);
        }
        match this.finish(talk, ends)? {
            Some(Step::Done(end)) => return Ok(Some((this.draft, end))),
            Some(_) => {}
            None => return Ok(None),
        }
    }
}

impl Dialogue<'_> {
    /// Orders and standing orders. False if the player leaves.
    fn half_turn(&mut self, talk: &mut Talk<'_>) -> Result<bool, Errors> {
        loop {
            if !self.orders(talk)? {
                return Ok(false);
            }
            match self.in_advance(talk)? {
                Step::Back => {}
                Step::Leave => return Ok(false),
                Step::On | Step::Done(_) => return Ok(true),
            }
        }
    }

    /// The list of orders. False if the player leaves.
    fn orders(&mut self, talk: &mut Talk<'_>) -> Result<bool, Errors> {
        let ap = self.state.ap;
        println!("You have {ap} action point{}. Type one order a line, such as", if ap == 1 { "" } else { "s" });
        println!("  {}", self.example());
        println!("  ? shows all words, `moves` what your pieces may do, `done` ends the orders,");
        println!("  b takes the last one away, q leaves without writing.");
        let mut list = List::new(self.draft.orders.clone().unwrap_or_default());
        self.show_orders(&list);
        loop {
            let line = match talk.hear(&format!("{} ", list.place()))? {
                Heard::Quit => return Ok(false),
                Heard::Help => {
                    help::show("");
                    continue;
                }
                Heard::Back => "drop".to_owned(),
                Heard::Line(line) => line,
            };
            let (verb, rest) = line.split_once(' ').unwrap_or((line.as_str(), ""));
            match (verb.to_lowercase().as_str(), rest.trim()) {
                ("", _) => println!("  Enter alone does nothing here: type an order, or `done`."),
                ("?", topic) => help::show(topic),
                ("done", _) if list.is_open() => println!("  An IF is open: `end` ends it, then `done`."),
                ("done", _) => match self.judged(&list) {
                    Ok(()) => return Ok(true),
                    Err(errors) => self.refused(&errors, &list),
                },
                ("show", _) => {
                    self.show_orders(&list);
                    standing::shown(&self.draft.standing.clone().unwrap_or_default()).iter().for_each(|l| say(l));
                }
                ("moves", what) => self.show_moves(&list, what),
                ("drop", what) => {
                    let dropped = if what.is_empty() { list.drop_last() } else { list.drop_at(what) };
                    match dropped {
                        Ok(order) => {
                            println!("  Taken away: {order}");
                            self.draft.orders = Some(list.orders.clone());
                        }
                        Err(why) => say(&format!("  {why}.")),
                    }
                }
                ("insert", rest) => self.put(&mut list, |list| list.insert(rest)),
                _ if self.said(&line) => {}
                _ if standing::is_one(&line.to_lowercase()) => self.stand(&line.to_lowercase()),
                _ => self.put(&mut list, |list| list.take(&line)),
            }
        }
    }

    /// An order for the first own unit, as an example.
    fn example(&self) -> String {
        let own = self.state.units.iter().find(|u| u.side == self.side && u.on_board());
        own.and_then(|u| Some((u, u.hex?))).map_or_else(
            || "move UNIT 0504".to_owned(),
            |(unit, hex)| {
                let to = crate::hex::Dir::ALL.map(|dir| hex.step(dir));
                let to = to.into_iter().find(|hex| self.state.ground.contains(*hex)).unwrap_or(hex);
                format!("move {} {}", unit.id, self.state.label(to))
            },
        )
    }

    /// Changes the list if the words are understood and the rules allow what comes out.
    fn put(&mut self, list: &mut List, change: impl FnOnce(&mut List) -> Result<(), String>) {
        let mut tried = list.clone();
        if let Err(why) = change(&mut tried) {
            return println!("{}", hang(&format!("  {why}. ? shows the words."), 4));
        }
        match self.judged(&tried) {
            Ok(()) => {
                if tried.orders.len() > list.orders.len() && !tried.is_open() {
                    self.cost(&tried);
                }
                *list = tried;
                self.draft.orders = Some(list.orders.clone());
            }
            Err(errors) => self.refused(&errors, &tried),
        }
    }

    /// What the reader of orders has against the draft with this list.
    fn judged(&self, list: &List) -> Result<(), Vec<Error>> {
        self.judge(&Draft { orders: Some(list.orders.clone()), ..self.draft.clone() })
    }

    fn judge(&self, draft: &Draft) -> Result<(), Vec<Error>> {
        let text = drafts::to_yaml(draft).map_err(|e| vec![e])?;
        drafts::read(self.history, self.seat, &text, "orders").map(drop)
    }

    /// Refusals, each with its rule and what to type instead.
    fn refused(&self, errors: &[Error], list: &List) {
        let piece = list.orders.last().and_then(piece).filter(|id| {
            let own = self.state.unit(id).map(|u| u.side).or_else(|| self.state.leader(id).map(|l| l.side));
            own == Some(self.side)
        });
        for error in errors {
            say(&format!("  Not allowed: {}.", error.what.trim_end_matches('.')));
            let rule = error.what.rsplit_once('[').and_then(|(_, id)| id.split_once(']')).map(|(id, _)| id);
            if let Some((title, line)) = rule.and_then(cite::find) {
                say(&format!("  [{}] {title}: {line}", rule.unwrap_or_default()));
            }
            if !error.next.is_empty() {
                say(&format!("  {}", error.next));
            }
        }
        match piece {
            Some(id) => say(&format!("  `moves {id}` shows what it may do.")),
            None => say("  `moves` shows what your pieces may do."),
        }
    }

    /// The position after the orders so far as far as they are certain, and how many of them are in it.
    fn ahead(&self, list: &List) -> (State, usize, bool) {
        let (mut state, mut certain) = (self.state.clone(), true);
        for (n, order) in list.orders.iter().enumerate() {
            let Some((next, rolls)) = foresee(&state, self.side, order) else { return (state, n, certain) };
            state = next;
            certain &= !rolls;
        }
        (state, list.orders.len(), certain)
    }

    /// The points left, where that is certain.
    fn cost(&self, list: &List) {
        let (state, reached, _) = self.ahead(list);
        if reached == list.orders.len() {
            println!("       {} of {} points left", state.ap, self.state.ap);
        }
    }

    fn show_moves(&self, list: &List, what: &str) {
        let (state, reached, certain) = self.ahead(list);
        match (reached, certain) {
            (0, _) => println!("  As things stand:"),
            (n, true) => println!("  After order{}:", if n == 1 { " 1".to_owned() } else { format!("s 1 to {n}") }),
            (n, false) => println!(
                "  After order{}, as if nobody had been hit:",
                if n == 1 { " 1".to_owned() } else { format!("s 1 to {n}") }
            ),
        }
        let what = Some(what.to_lowercase()).filter(|w| !w.is_empty());
        let order = |order: &Order| words::order(order).join(" ");
        match moves::told(&state, self.side, what.as_deref(), &order) {
            Ok(lines) => lines.iter().filter(|l| !l.is_empty()).for_each(|line| say(line)),
            Err(error) => {
                say(&format!("  {}.", error.what));
                say(&format!("  {}", error.next));
            }
        }
    }

    fn show_orders(&self, list: &List) {
        list.shown().iter().for_each(|line| println!("{line}"));
    }

    /// `say WORDS`: a word to the opponent; `say` alone takes it back.
    fn said(&mut self, line: &str) -> bool {
        let Some(("say", words)) = line.split_once(' ').or((line == "say").then_some(("say", ""))) else {
            return false;
        };
        self.draft.say = Some(words.trim().to_owned()).filter(|w| !w.is_empty());
        match &self.draft.say {
            Some(words) => say(&format!("  Your opponent will read: {words}")),
            None => println!("  Nothing is said to your opponent."),
        }
        true
    }

    /// Takes a line of standing orders, if the rules know what it names.
    fn stand(&mut self, line: &str) {
        let mut standing = self.draft.standing.clone().unwrap_or_default();
        let leader = |word: &str| self.state.leader(&Id(word.to_owned())).is_some();
        if let Err(why) = standing::take(&mut standing, line, &leader) {
            return println!("{}", hang(&format!("  {why}. ? standing shows them all."), 4));
        }
        let tried = Draft { orders: Some(Vec::new()), standing: Some(standing), ..self.draft.clone() };
        match self.judge(&tried) {
            Ok(()) => {
                self.draft.standing = tried.standing;
                println!("       standing order taken");
            }
            Err(errors) => {
                for error in errors {
                    say(&format!("  Not allowed: {}.", error.what));
                }
                let own = self.state.units.iter().filter(|u| u.side == self.side).map(|u| u.id.0.as_str());
                let chiefs = self.state.leaders.iter().filter(|l| l.side == self.side).map(|l| l.id.0.as_str());
                say(&format!("  Your units and leaders: {}", own.chain(chiefs).collect::<Vec<_>>().join(", ")));
            }
        }
    }

    /// Standing orders: Enter keeps them, a line changes one.
    fn in_advance(&mut self, talk: &mut Talk<'_>) -> Result<Step, Errors> {
        println!("\nIn the enemy's half-turn (standing orders):");
        standing::shown(self.draft.standing.get_or_insert_default()).iter().for_each(|line| say(line));
        println!("Enter keeps them; `retreat s sw`, say, changes one. ? explains, b goes back.");
        loop {
            match talk.hear("standing [keep] ")? {
                Heard::Quit => return Ok(Step::Leave),
                Heard::Back => return Ok(Step::Back),
                Heard::Help => help::show("standing"),
                Heard::Line(line) if line.is_empty() || line == "done" || line == "keep" => return Ok(Step::On),
                Heard::Line(line) if line == "show" => {
                    standing::shown(self.draft.standing.get_or_insert_default()).iter().for_each(|line| say(line));
                }
                Heard::Line(line) if self.said(&line) => {}
                Heard::Line(line) if standing::is_one(&line.to_lowercase()) => self.stand(&line.to_lowercase()),
                Heard::Line(line) => {
                    let word = line.split_whitespace().next().unwrap_or("");
                    say(&format!("  `{word}` is no standing order: ? shows them, b goes back to the orders."));
                }
            }
        }
    }

    /// The orders once more, and what to do with them. None to leave.
    fn finish(&mut self, talk: &mut Talk<'_>, ends: &[End]) -> Result<Option<Step>, Errors> {
        println!("\nYour orders:");
        if let Some(orders) = &self.draft.orders {
            if orders.is_empty() {
                println!("     none");
            }
            self.show_orders(&List::new(orders.clone()));
        }
        if let Some(standing) = &self.draft.standing {
            words::standing(standing).iter().for_each(|line| println!("  {line}"));
        }
        if let Some(answer) = &self.draft.answer {
            println!("  {}", answer.to_json().replace(['"', '{', '}'], "").replace(':', " "));
        }
        self.draft.say.iter().for_each(|words| say(&format!("  To your opponent: {words}")));
        if let Err(errors) = self.judge(&self.draft) {
            self.refused(&errors, &List::new(self.draft.orders.clone().unwrap_or_default()));
            return Ok(Some(Step::Back));
        }
        let word = |end: &End| match end {
            End::Sign => Choice::new("sign", "sign them now"),
            End::Write => Choice::new("write", "only write the file; sign later with `countersign orders sign`"),
        };
        let mut all: Vec<Choice> = ends.iter().map(word).collect();
        all.push(Choice::new("back", "back to the orders"));
        let form = Form::One(all);
        println!();
        form::show(&form);
        loop {
            match talk.hear("")? {
                Heard::Quit => return Ok(None),
                Heard::Back => return Ok(Some(Step::Back)),
                Heard::Help => println!(
                    "  Signed orders count as soon as your opponent has answered them; until then you may write others."
                ),
                Heard::Line(line) if line.is_empty() => println!("  Enter alone does nothing here: say which."),
                Heard::Line(line) if self.said(&line) => {}
                Heard::Line(line) => match form::read(&form, &line) {
                    Ok(Answer::One(n)) => return Ok(Some(ends.get(n).map_or(Step::Back, |end| Step::Done(*end)))),
                    Ok(_) => {}
                    Err(why) => println!("  {why}."),
                },
            }
        }
    }
}

/// The unit or leader an order is about.
fn piece(order: &Order) -> Option<&Id> {
    match order {
        Order::Move { unit, .. }
        | Order::Fire { unit, .. }
        | Order::MoveAndFire { unit, .. }
        | Order::FireAndMove { unit, .. }
        | Order::CloseCombat { unit, .. }
        | Order::Rally { unit }
        | Order::Form { unit, .. } => Some(unit),
        Order::Leader { leader, .. } => Some(leader),
        Order::Flank { attacks } => attacks.first().and_then(piece),
        Order::If { then, otherwise, .. } => otherwise.last().or(then.last()).and_then(piece),
        Order::Pause {} | Order::AskMeIf { .. } => None,
    }
}
