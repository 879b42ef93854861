//! The list of orders as it grows, with the IF that is open just now.

use super::{guard, read, words};
use crate::books::honor::land::Order;

/// Which part of an open IF is being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Branch {
    Then,
    Else,
}

/// Orders, the last of which may be an IF that is still open, and in it another one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct List {
    /// All of them.
    pub orders: Vec<Order>,
    open: Vec<Branch>,
}

/// Does something to the list that is being typed: the whole one, or a branch of the last order.
fn within<T>(list: &mut Vec<Order>, open: &[Branch], act: impl FnOnce(&mut Vec<Order>) -> T) -> T {
    match (open.split_first(), list.last_mut()) {
        (Some((branch, deeper)), Some(Order::If { then, otherwise, .. })) => {
            within(if *branch == Branch::Then { then } else { otherwise }, deeper, act)
        }
        _ => act(list),
    }
}

impl List {
    pub(super) fn new(orders: Vec<Order>) -> List {
        List { orders, open: Vec::new() }
    }

    /// Whether an IF waits for its `end`.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    fn here<T>(&mut self, act: impl FnOnce(&mut Vec<Order>) -> T) -> T {
        within(&mut self.orders, &self.open, act)
    }

    /// Which order comes next: `order 2`, or `order 2, then 1` inside an IF.
    pub(super) fn place(&self) -> String {
        let mut at = String::from("order ");
        let mut list = &self.orders;
        for branch in &self.open {
            let Some(Order::If { then, otherwise, .. }) = list.last() else { break };
            let (inner, word) = if *branch == Branch::Then { (then, "then") } else { (otherwise, "else") };
            at.push_str(&format!("{}, {word} ", list.len()));
            list = inner;
        }
        format!("{at}{}", list.len() + 1)
    }

    /// Takes a line: an order, `if`, `else` or `end`.
    ///
    /// # Errors
    /// What is not understood, and what to type instead.
    pub(super) fn take(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim(); // what is shown inside an IF stands farther in
        let verb = line.split_whitespace().next().unwrap_or("").to_lowercase();
        match verb.as_str() {
            "if" => self.begin(line.get(2..).unwrap_or("").trim()),
            "else" | "end" if line.split_whitespace().count() > 1 => Err(format!("`{verb}` stands on a line alone")),
            "else" => self.turn(),
            "end" => self.end(),
            _ => {
                let order = read::order(line)?;
                self.here(|list| list.push(order));
                Ok(())
            }
        }
    }

    /// `if CONDITION` opens an IF; `if CONDITION: ORDER; ORDER else: ORDER` is a whole one.
    fn begin(&mut self, rest: &str) -> Result<(), String> {
        let (when, orders) = rest.split_once(':').map_or((rest, None), |(when, orders)| (when, Some(orders)));
        let when = guard::read(when)?;
        let Some(orders) = orders else {
            self.here(|list| list.push(Order::If { when, then: Vec::new(), otherwise: Vec::new() }));
            self.open.push(Branch::Then);
            return Ok(());
        };
        let (then, otherwise) =
            orders.split_once(" else").map_or((orders, ""), |(a, b)| (a, b.trim_start_matches(':')));
        let all = |text: &str| -> Result<Vec<Order>, String> {
            text.split(';').map(str::trim).filter(|line| !line.is_empty()).map(read::order).collect()
        };
        let (then, otherwise) = (all(then)?, all(otherwise)?);
        if then.is_empty() && otherwise.is_empty() {
            return Err("after the `:` come orders: if enemy 0507: fire wool 0507".to_owned());
        }
        self.here(|list| list.push(Order::If { when, then, otherwise }));
        Ok(())
    }

    fn turn(&mut self) -> Result<(), String> {
        match self.open.last_mut() {
            Some(branch @ Branch::Then) => {
                *branch = Branch::Else;
                Ok(())
            }
            Some(Branch::Else) => Err("the `else` of this IF is said already: type `end` where it ends".to_owned()),
            None => Err("there is no IF here: an `else` comes after `if CONDITION` and its orders".to_owned()),
        }
    }

    fn end(&mut self) -> Result<(), String> {
        if self.open.is_empty() {
            return Err("there is no IF to end: `done` ends the orders".to_owned());
        }
        self.open.pop();
        let empty = |order: &Order| matches!(order, Order::If { then, otherwise, .. } if then.is_empty() && otherwise.is_empty());
        if self.here(|list| list.last().is_some_and(empty)) {
            self.open.push(Branch::Then);
            return Err("this IF has no orders yet: type one, or `drop` to take the IF away".to_owned());
        }
        Ok(())
    }

    /// Takes the last line away: the last order here, or the `else`, or the IF itself.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn drop_last(&mut self) -> Result<String, String> {
        if let Some(order) = self.here(Vec::pop) {
            return Ok(first(&order));
        }
        match self.open.pop() {
            Some(Branch::Else) => {
                self.open.push(Branch::Then);
                Ok("else".to_owned())
            }
            Some(Branch::Then) => Ok(self.here(Vec::pop).as_ref().map_or_else(String::new, first)),
            None => Err("there is no order yet".to_owned()),
        }
    }

    /// The place of a whole order by its number.
    fn numbered(&self, word: &str, least_free: usize) -> Result<usize, String> {
        if self.is_open() {
            return Err("first `end` the IF".to_owned());
        }
        let at =
            word.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|at| *at < self.orders.len() + least_free);
        at.ok_or_else(|| format!("`{word}` is the number of no order; `show` shows them"))
    }

    /// Takes an order away by its number.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn drop_at(&mut self, word: &str) -> Result<String, String> {
        let at = self.numbered(word, 0)?;
        Ok(first(&self.orders.remove(at)))
    }

    /// Puts a line before an order: `insert 2 fire wool 0507`.
    ///
    /// # Errors
    /// As [`List::take`].
    pub(super) fn insert(&mut self, rest: &str) -> Result<(), String> {
        let (word, line) = rest.split_once(' ').ok_or("say where and what: insert 2 fire wool 0507")?;
        let at = self.numbered(word, 1)?;
        let mut one = List::default();
        one.take(line.trim())?;
        if one.is_open() {
            return Err("an IF is put in on one line: insert 2 if enemy 0507: fire wool 0507".to_owned());
        }
        self.orders.splice(at..at, one.orders);
        Ok(())
    }

    /// The orders with their numbers; an open IF is shown without its `end`.
    pub(super) fn shown(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (n, order) in self.orders.iter().enumerate() {
            for (k, line) in words::order(order).into_iter().enumerate() {
                let number = if k == 0 { format!("{}.", n + 1) } else { String::new() };
                lines.push(format!("{number:>4} {line}"));
            }
        }
        lines.truncate(lines.len().saturating_sub(self.open.len()));
        lines
    }
}

fn first(order: &Order) -> String {
    words::order(order).into_iter().next().unwrap_or_default()
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
