//! One order in short words: the verb, names and hexes, then what is said with a key word (`with`, `support`, `advance`).

use super::guard;
use crate::books::honor::land::{Advance, Formation, Id, Order};

/// The form of each order and what it costs, as the help prints them and a refusal repeats them.
pub(super) const FORMS: [(&str, &str, &str); 13] = [
    ("move", "move UNIT HEX [HEX ...] [with LEADER]", "1 point"),
    ("fire", "fire UNIT HEX [advance] [support LEADER]", "1 point"),
    ("combat", "combat UNIT HEX [advance] [support LEADER] [repulsed HEX]", "2 points"),
    ("move-fire", "move-fire UNIT HEX [HEX ...] at HEX [with LEADER]", "2 points"),
    ("fire-move", "fire-move UNIT HEX then HEX [HEX ...] [with LEADER]", "2 points"),
    ("flank", "flank ATTACK and ATTACK", "both costs"),
    ("rally", "rally UNIT", "1 point"),
    ("column", "column UNIT", "1 point"),
    ("line", "line UNIT", "1 point"),
    ("leader", "leader LEADER HEX [HEX ...]", "1 point"),
    ("if", "if CONDITION", ""),
    ("pause", "pause", ""),
    ("ask-me-if", "ask-me-if CONDITION", ""),
];

/// Words that begin what is said in addition.
const KEYS: [&str; 9] = ["with", "support", "repulsed", "at", "then", "advance", "with-leader", "ask", "stay"];

/// Reads an order. `if` is read by the list, which others lie in.
///
/// # Errors
/// What is not understood, and the form of that order.
pub(super) fn order(line: &str) -> Result<Order, String> {
    let verb = line.split_whitespace().next().unwrap_or("").to_lowercase();
    let Some((_, form, _)) = FORMS.iter().find(|(known, ..)| *known == verb) else {
        return Err(format!("`{}` is no order", line.split_whitespace().next().unwrap_or("")));
    };
    let rest = line.trim_start().get(verb.len()..).unwrap_or("");
    one(&verb, rest).map_err(|why| format!("{why}. Type it so: {form}"))
}

fn one(verb: &str, rest: &str) -> Result<Order, String> {
    match verb {
        "flank" => {
            let attacks: Vec<Order> = rest.split(" and ").map(order).collect::<Result<_, _>>()?;
            return Ok(Order::Flank { attacks });
        }
        "ask-me-if" => return Ok(Order::AskMeIf { when: guard::read(rest)? }),
        "if" => return Err("an IF inside is typed on lines of its own".to_owned()),
        _ => {}
    }
    let rest = rest.replace(',', " ");
    let mut words = Words::new(&rest);
    let order = match verb {
        "move" => Order::Move { unit: words.name()?, path: words.path()?, with: words.after("with")? },
        "fire" => Order::Fire {
            unit: words.name()?,
            at: words.hex()?,
            support: words.after("support")?,
            advance: words.advance(),
        },
        "combat" => Order::CloseCombat {
            unit: words.name()?,
            at: words.hex()?,
            advance: words.advance(),
            support: words.after("support")?,
            repulsed: words.one("repulsed")?,
        },
        "move-fire" => Order::MoveAndFire {
            unit: words.name()?,
            path: words.path()?,
            at: words.one("at")?.ok_or("what it fires at is missing: `at HEX`")?,
            with: words.after("with")?,
            support: words.after("support")?,
            advance: words.advance(),
        },
        "fire-move" => Order::FireAndMove {
            unit: words.name()?,
            at: words.hex()?,
            path: words.all("then").filter(|path| !path.is_empty()).ok_or("where it goes is missing: `then HEX`")?,
            with: words.after("with")?,
            support: words.after("support")?,
        },
        "rally" => Order::Rally { unit: words.name()? },
        "column" => Order::Form { unit: words.name()?, formation: Formation::Column },
        "line" => Order::Form { unit: words.name()?, formation: Formation::Line },
        "leader" => Order::Leader { leader: words.name()?, path: words.path()? },
        _ => Order::Pause {},
    };
    words.used(verb)?;
    Ok(order)
}

/// What is not read yet of a line.
struct Words<'a> {
    plain: Vec<&'a str>,
    keyed: Vec<(&'a str, Vec<&'a str>)>,
}

impl<'a> Words<'a> {
    fn new(rest: &'a str) -> Words<'a> {
        let mut words = Words { plain: Vec::new(), keyed: Vec::new() };
        // Reports write a path with dashes, and a player copies it from there.
        for word in rest.split_whitespace().filter(|w| *w != "-") {
            match words.keyed.last_mut() {
                _ if KEYS.contains(&word) => words.keyed.push((word, Vec::new())),
                Some((_, args)) => args.push(word),
                None => words.plain.push(word),
            }
        }
        words
    }

    fn next(&mut self) -> Option<&'a str> {
        (!self.plain.is_empty()).then(|| self.plain.remove(0))
    }

    fn name(&mut self) -> Result<Id, String> {
        self.next().map(|word| Id(word.to_lowercase())).ok_or_else(|| "a name is missing".to_owned())
    }

    fn hex(&mut self) -> Result<String, String> {
        self.next().map(str::to_owned).ok_or_else(|| "a hex is missing, such as 0507".to_owned())
    }

    fn path(&mut self) -> Result<Vec<String>, String> {
        let path: Vec<String> = std::mem::take(&mut self.plain).into_iter().map(str::to_owned).collect();
        if path.is_empty() { Err("a hex is missing, such as 0507".to_owned()) } else { Ok(path) }
    }

    /// Everything behind a key word, if it was said.
    fn all(&mut self, key: &str) -> Option<Vec<String>> {
        let at = self.keyed.iter().position(|(known, _)| *known == key)?;
        Some(self.keyed.remove(at).1.into_iter().map(str::to_owned).collect())
    }

    fn one(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.all(key).as_deref() {
            None => Ok(None),
            Some([word]) => Ok(Some(word.clone())),
            Some(_) => Err(format!("after `{key}` comes one word")),
        }
    }

    fn after(&mut self, key: &str) -> Result<Option<Id>, String> {
        Ok(self.one(key)?.map(|word| Id(word.to_lowercase())))
    }

    /// Whether it advances: the last word that says so counts.
    fn advance(&mut self) -> Advance {
        let wishes = [
            ("stay", Advance::Stay),
            ("advance", Advance::Go),
            ("with-leader", Advance::WithLeader),
            ("ask", Advance::Ask),
        ];
        let mut wish = Advance::Stay;
        self.keyed.retain(|(key, args)| match wishes.iter().find(|(word, _)| word == key) {
            Some((_, said)) if args.is_empty() => {
                wish = *said;
                false
            }
            _ => true,
        });
        wish
    }

    fn used(&self, verb: &str) -> Result<(), String> {
        if let Some(word) = self.plain.first() {
            return Err(format!("`{word}` is one word too many"));
        }
        match self.keyed.first() {
            Some((key, args)) => {
                Err(format!("`{verb}` cannot be said with `{}`", [&[*key], args.as_slice()].concat().join(" ")))
            }
            None => Ok(()),
        }
    }
}
