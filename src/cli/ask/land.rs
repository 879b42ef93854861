//! The dialogue of a land game: orders typed one at a time in short words, each judged as it is given.

use super::form::{self, Answer, Choice, Form};
use super::{End, Heard, Talk};
use crate::books::honor::land::{Advance, Formation, Id, Order, State};
use crate::cli::Errors;
use crate::doc::Tree;
use crate::draft::{self as drafts, Draft};
use crate::log::History;
use crate::play::Want;
use crate::report;
use crate::side::{Seat, Side};

const HELP: &str = "\
  move UNIT HEX [HEX ...] [with LEADER]      1 point; a leader's extra hex and a waterway cost more
  fire UNIT HEX                              1 point
  combat UNIT HEX [advance] [with-leader]    close combat, 2 points
  move-fire UNIT HEX [HEX ...] at HEX        dragoons and Indians, 2 points
  fire-move UNIT HEX then HEX [HEX ...]      Indians, 2 points
  rally UNIT          column UNIT          line UNIT          1 point each
  leader LEADER HEX [HEX ...]                1 point
  pause                                      stop here and be asked again
  drop                                       take the last order away
  show                                       the orders so far
  done                                       no more orders
  Guards (if ... else) and standing orders are written in the file: `countersign orders new`.";

/// Asks for the orders of a half-turn, or for the answer to a single question.
pub(super) fn dialogue(
    talk: &mut Talk<'_>,
    history: &History,
    seat: Seat,
    side: Side,
    state: &State,
    mut draft: Draft,
    ends: &[End],
) -> Result<Option<(Draft, End)>, Errors> {
    println!("{}: turn {}, step {}", history.game.title().unwrap_or(""), state.turn, history.step());
    println!("\n{}", report::standing(&history.game).unwrap_or_default());
    let asked = history.wants().iter().find(|w| w.asks() == Some(side));
    let given = match asked {
        Some(Want::Decide { kind: "orders", .. }) => orders(talk, history, seat, state, &mut draft)?,
        Some(Want::Decide { slot, .. }) => single(talk, history, slot, &mut draft)?,
        _ => true,
    };
    if !given {
        return Ok(None);
    }
    finish(talk, history, seat, draft, ends)
}

/// Whether the player gave his orders rather than left.
fn orders(
    talk: &mut Talk<'_>,
    history: &History,
    seat: Seat,
    state: &State,
    draft: &mut Draft,
) -> Result<bool, Errors> {
    println!(
        "You have {} action points. Type one order a line; ? shows the words, q leaves without writing.",
        state.ap
    );
    loop {
        let count = draft.orders.as_ref().map_or(0, Vec::len);
        let line = match talk.hear(&format!("order {} ", count + 1))? {
            Heard::Quit => return Ok(false),
            Heard::Help => {
                println!("{HELP}");
                continue;
            }
            Heard::Back => "drop".to_owned(),
            Heard::Line(line) => line,
        };
        let mut list = draft.orders.clone().unwrap_or_default();
        match line.as_str() {
            "" => continue,
            "done" => {
                draft.orders.get_or_insert_with(Vec::new);
                return Ok(true);
            }
            "show" => show(draft),
            "drop" => {
                list.pop();
                draft.orders = Some(list);
                println!("  The last order is taken away.");
            }
            _ => match read(&line) {
                Err(why) => println!("  {why}. ? shows the words."),
                Ok(order) => {
                    list.push(order);
                    let tried = Draft { orders: Some(list), ..draft.clone() };
                    match judged(history, seat, &tried) {
                        Ok(()) => *draft = tried,
                        Err(why) => println!("  Not allowed: {why}."),
                    }
                }
            },
        }
    }
}

/// What the reader of orders has against a draft.
fn judged(history: &History, seat: Seat, draft: &Draft) -> Result<(), String> {
    let text = drafts::to_yaml(draft).map_err(|e| e.what)?;
    let read = drafts::read(history, seat, &text, "orders");
    read.map(drop).map_err(|errors| errors.into_iter().map(|e| e.what).collect::<Vec<_>>().join("; "))
}

fn show(draft: &Draft) {
    for (n, order) in draft.orders.iter().flatten().enumerate() {
        println!("  {}. {}", n + 1, drafts::order_line(order));
    }
}

/// An order in short words.
fn read(line: &str) -> Result<Order, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (verb, rest) = words.split_first().ok_or("say an order")?;
    let id = |n: usize| rest.get(n).map(|w| Id((*w).to_owned())).ok_or(format!("`{verb}` needs a name"));
    let hexes = |from: usize, to: usize| -> Result<Vec<String>, String> {
        let path: Vec<String> = rest.get(from..to).unwrap_or_default().iter().map(|w| (*w).to_owned()).collect();
        if path.is_empty() { Err(format!("`{verb}` needs a hex, such as 0504")) } else { Ok(path) }
    };
    let hex = |n: usize| hexes(n, (n + 1).min(rest.len())).map(|mut all| all.swap_remove(0));
    let place = |word: &str| rest.iter().position(|w| *w == word);
    let with = place("with").map(|n| id(n + 1)).transpose()?;
    Ok(match *verb {
        "move" => Order::Move { unit: id(0)?, path: hexes(1, place("with").unwrap_or(rest.len()))?, with },
        "fire" => Order::Fire { unit: id(0)?, at: hex(1)?, support: None, advance: Advance::Stay },
        "combat" => {
            let advance = match (rest.contains(&"with-leader"), rest.contains(&"advance")) {
                (true, _) => Advance::WithLeader,
                (false, true) => Advance::Go,
                (false, false) => Advance::Stay,
            };
            Order::CloseCombat { unit: id(0)?, at: hex(1)?, advance, support: None, repulsed: None }
        }
        "move-fire" => {
            let at = place("at").ok_or("`move-fire` needs `at HEX` at its end")?;
            let path = hexes(1, at)?;
            let (unit, at, advance) = (id(0)?, hex(at + 1)?, Advance::Stay);
            Order::MoveAndFire { unit, path, at, with: None, support: None, advance }
        }
        "fire-move" => {
            let then = place("then").ok_or("`fire-move` needs `then HEX` at its end")?;
            let (unit, at, path) = (id(0)?, hex(1)?, hexes(then + 1, rest.len())?);
            Order::FireAndMove { unit, at, path, with: None, support: None }
        }
        "rally" => Order::Rally { unit: id(0)? },
        "column" => Order::Form { unit: id(0)?, formation: Formation::Column },
        "line" => Order::Form { unit: id(0)?, formation: Formation::Line },
        "leader" => Order::Leader { leader: id(0)?, path: hexes(1, rest.len())? },
        "pause" => Order::Pause {},
        _ => return Err(format!("`{verb}` is no order")),
    })
}

/// One question with a list of answers.
fn single(talk: &mut Talk<'_>, history: &History, slot: &str, draft: &mut Draft) -> Result<bool, Errors> {
    let all: Vec<Tree> = history.game.game().options(slot).iter().filter_map(|c| Tree::from_json(c).ok()).collect();
    let word = |tree: &Tree| tree.to_json().replace(['"', '{', '}'], "").replace(':', " ");
    let form = Form::One(all.iter().map(|tree| Choice::new(word(tree), "")).collect());
    let words: Vec<&str> = slot.split('/').skip(3).collect();
    println!("{}:", words.join(" "));
    form::show(&form);
    loop {
        match talk.hear("")? {
            Heard::Quit | Heard::Back => return Ok(false),
            Heard::Help => println!("  Say the number or the word."),
            Heard::Line(line) => match form::read(&form, &line) {
                Ok(Answer::One(n)) => {
                    draft.answer = all.get(n).cloned();
                    return Ok(true);
                }
                Ok(_) => {}
                Err(why) => println!("  {why}."),
            },
        }
    }
}

/// The orders once more, and what to do with them.
fn finish(
    talk: &mut Talk<'_>,
    history: &History,
    seat: Seat,
    draft: Draft,
    ends: &[End],
) -> Result<Option<(Draft, End)>, Errors> {
    println!("\nYour orders:");
    show(&draft);
    if let Err(why) = judged(history, seat, &draft) {
        println!("The rules do not allow them: {why}.");
        return Ok(None);
    }
    let word = |end: &End| match end {
        End::Sign => Choice::new("sign", "sign them now"),
        End::Write => Choice::new("write", "only write the file; sign later with `countersign orders sign`"),
    };
    let form = Form::One(ends.iter().map(word).collect());
    form::show(&form);
    loop {
        match talk.hear("")? {
            Heard::Quit | Heard::Back => return Ok(None),
            Heard::Help => println!("  Signed orders count as soon as your opponent has answered them."),
            Heard::Line(line) => match form::read(&form, &line) {
                Ok(Answer::One(n)) => return Ok(ends.get(n).map(|end| (draft, *end))),
                Ok(_) => {}
                Err(why) => println!("  {why}."),
            },
        }
    }
}
