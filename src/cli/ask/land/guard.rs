//! Conditions in short words: `enemy 0507 and not last missed`. `and` binds before `or`; brackets group.

use super::words::OUTCOMES;
use crate::books::honor::land::{Guard, Id};

/// Brackets inside one another. The rules of the dialogue end here; the engine allows fewer.
const DEEPEST: u8 = 8;

const FORMS: &str = "empty, enemy or own HEX; alive or lost NAME; at NAME HEX; mp UNIT 2; points 2; last hit";

/// Reads a condition.
///
/// # Errors
/// What is not understood, and what to type instead.
pub(super) fn read(text: &str) -> Result<Guard, String> {
    let spaced = ['(', ')', ','].iter().fold(text.to_owned(), |text, c| text.replace(*c, &format!(" {c} ")));
    let mut words = Words { words: spaced.split_whitespace().collect(), at: 0 };
    if words.words.is_empty() {
        return Err(format!("a condition is missing: {FORMS}"));
    }
    let guard = words.either(0)?;
    match words.next() {
        None => Ok(guard),
        Some(word) => Err(format!("`{word}` is one word too many; join conditions with `and` or `or`")),
    }
}

struct Words<'a> {
    words: Vec<&'a str>,
    at: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).copied()
    }

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek();
        self.at += 1;
        word
    }

    fn takes(&mut self, word: &str) -> bool {
        let there = self.peek() == Some(word);
        self.at += usize::from(there);
        there
    }

    fn either(&mut self, depth: u8) -> Result<Guard, String> {
        self.joined(depth, "or", Guard::Any, |words, depth| words.joined(depth, "and", Guard::All, Words::one))
    }

    /// Parts with a word between them; a single part stands for itself.
    fn joined(
        &mut self,
        depth: u8,
        joint: &str,
        make: fn(Vec<Guard>) -> Guard,
        part: fn(&mut Words<'a>, u8) -> Result<Guard, String>,
    ) -> Result<Guard, String> {
        let first = part(self, depth)?;
        let mut all = Vec::new();
        while self.takes(joint) {
            all.push(part(self, depth)?);
        }
        if all.is_empty() {
            return Ok(first);
        }
        all.insert(0, first);
        Ok(make(all))
    }

    fn one(&mut self, depth: u8) -> Result<Guard, String> {
        if depth >= DEEPEST {
            return Err("there are too many conditions inside one another".to_owned());
        }
        let Some(word) = self.next() else { return Err(format!("a condition is missing at the end: {FORMS}")) };
        Ok(match word {
            "not" => Guard::Not(Box::new(self.one(depth + 1)?)),
            "(" => {
                let inner = self.either(depth + 1)?;
                self.closed()?;
                inner
            }
            "all" => Guard::All(self.list(depth)?),
            "any" => Guard::Any(self.list(depth)?),
            "empty" => Guard::Empty(self.word("a hex, such as empty 0507")?),
            "enemy" => Guard::Enemy(self.word("a hex, such as enemy 0507")?),
            "own" => Guard::Own(self.word("a hex, such as own 0507")?),
            "alive" => Guard::Alive(self.name("a name, such as alive wool")?),
            "lost" => Guard::Lost(self.name("a name, such as lost wool")?),
            "at" => {
                let wanted = "a name and a hex, such as at wool 0507";
                Guard::At { unit: self.name(wanted)?, hex: self.word(wanted)? }
            }
            "mp" => {
                let wanted = "a unit and a number, such as mp wool 2";
                Guard::Mp { unit: self.name(wanted)?, least: self.number(wanted)? }
            }
            "points" => Guard::Points(self.number("a number, such as points 2")?),
            "last" => {
                let known = OUTCOMES.map(|(word, _)| word).join(", ");
                let word = self.word(&format!("one of {known}"))?;
                let found = OUTCOMES.iter().find(|(known, _)| *known == word);
                let (_, outcome) = found.ok_or_else(|| format!("after `last` comes one of {known}"))?;
                Guard::Last(*outcome)
            }
            other => return Err(format!("`{other}` is no condition; there are: {FORMS}")),
        })
    }

    /// `( a , b )`.
    fn list(&mut self, depth: u8) -> Result<Vec<Guard>, String> {
        if !self.takes("(") {
            return Err("after `all` and `any` come brackets: any (enemy 0507, enemy 0508)".to_owned());
        }
        let mut all = Vec::new();
        while !self.takes(")") {
            all.push(self.either(depth + 1)?);
            if !self.takes(",") {
                self.closed()?;
                break;
            }
        }
        Ok(all)
    }

    fn closed(&mut self) -> Result<(), String> {
        if self.takes(")") { Ok(()) } else { Err("a bracket is not closed: type a `)` where it ends".to_owned()) }
    }

    fn word(&mut self, wanted: &str) -> Result<String, String> {
        match self.next() {
            Some(word) if !["(", ")", ","].contains(&word) => Ok(word.to_owned()),
            _ => Err(format!("there is something missing: {wanted}")),
        }
    }

    fn name(&mut self, wanted: &str) -> Result<Id, String> {
        self.word(wanted).map(|word| Id(word.to_lowercase()))
    }

    fn number(&mut self, wanted: &str) -> Result<u8, String> {
        let word = self.word(wanted)?;
        word.parse().map_err(|_| format!("`{word}` is no number here: {wanted}"))
    }
}
