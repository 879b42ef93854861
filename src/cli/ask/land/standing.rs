//! Standing orders for the enemy's half-turn in short words.

use super::words::{self, DIRECTIONS};
use crate::books::honor::land::{Course, Flight, Follow, Id, Standing, Ties, UnitStanding, Withdraw};
use crate::hex::Dir;

/// The form of each, what it is about, and its rule.
pub(super) const FORMS: [(&str, &str, &str, &str); 6] = [
    ("ties", "ties gun | troops | ask", "who takes a hit if gun and troops have the same MP", "FHG-8.1.2.p1"),
    ("retreat", "retreat [UNIT] away | s sw ... | ask", "where units retreat to", "FHG-8.4.1"),
    ("displaced", "displaced [UNIT] away | s sw ... | ask", "where units go that make room for others", "FHG-8.4.3"),
    ("follow", "follow troops | gun | ask", "whom a leader follows if his units part", "FHG-8.3.2.p2"),
    (
        "escape",
        "escape [LEADER] nearest | stay | HEX HEX ... | ask",
        "where leaders flee whose unit is lost",
        "FHG-8.4.5",
    ),
    (
        "withdraw",
        "withdraw [UNIT] weak | always | never | ask",
        "whether dragoons retreat before close combat",
        "FHG-11.12",
    ),
];

/// Whether a line is about standing orders.
pub(super) fn is_one(line: &str) -> bool {
    let verb = line.split_whitespace().next().unwrap_or("");
    matches!(verb, "usual" | "defaults") || FORMS.iter().any(|(known, ..)| *known == verb)
}

/// Takes a line into standing orders. `leader`: whether a word is the name of a leader.
///
/// # Errors
/// What is not understood, and the form of that line.
pub(super) fn take(now: &mut Standing, line: &str, leader: &dyn Fn(&str) -> bool) -> Result<(), String> {
    let all: Vec<&str> = line.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    let Some((verb, rest)) = all.split_first() else { return Ok(()) };
    let form = FORMS.iter().find(|(known, ..)| known == verb).map_or("", |(_, form, ..)| *form);
    let wrong = || format!("`{line}` is not understood. Type it so: {form}");
    match (*verb, rest) {
        ("defaults", []) => *now = Standing::default(),
        ("usual", [name]) => {
            let id = Id(name.to_lowercase());
            if now.units.remove(&id).is_none() && now.leaders.remove(&id).is_none() {
                return Err(format!("`{name}` has no standing orders of its own"));
            }
        }
        ("usual", _) => return Err("say whose orders shall be as for all: usual wool".to_owned()),
        ("ties", ["gun"]) => now.ties = Ties::Gun,
        ("ties", ["troops"]) => now.ties = Ties::Troops,
        ("ties", ["ask"]) => now.ties = Ties::Ask,
        ("follow", ["troops"]) => now.follow = Follow::Troops,
        ("follow", ["gun"]) => now.follow = Follow::Gun,
        ("follow", ["ask"]) => now.follow = Follow::Ask,
        ("retreat", words) => match whose(words, |all| course(all).is_some()) {
            (Some(id), words) => own(now, id).retreat = Some(course(words).ok_or_else(wrong)?),
            (None, words) => now.retreat = course(words).ok_or_else(wrong)?,
        },
        ("displaced", words) => match whose(words, |all| course(all).is_some()) {
            (Some(id), words) => own(now, id).displaced = Some(course(words).ok_or_else(wrong)?),
            (None, words) => now.displaced = course(words).ok_or_else(wrong)?,
        },
        ("withdraw", words) => match whose(words, |all| withdraw(all).is_some()) {
            (Some(id), words) => own(now, id).withdraw = Some(withdraw(words).ok_or_else(wrong)?),
            (None, words) => now.withdraw = withdraw(words).ok_or_else(wrong)?,
        },
        ("escape", [name, words @ ..]) if leader(&name.to_lowercase()) => {
            now.leaders.insert(Id(name.to_lowercase()), flight(words).ok_or_else(wrong)?);
        }
        ("escape", words) => now.escape = flight(words).ok_or_else(wrong)?,
        _ => return Err(wrong()),
    }
    Ok(())
}

/// The unit a line names first, if it does not begin with an answer at once.
fn whose<'a>(words: &'a [&'a str], answer: impl Fn(&[&str]) -> bool) -> (Option<Id>, &'a [&'a str]) {
    match words.split_first() {
        Some((name, rest)) if !answer(&[*name]) => (Some(Id(name.to_lowercase())), rest),
        _ => (None, words),
    }
}

fn own(now: &mut Standing, id: Id) -> &mut UnitStanding {
    now.units.entry(id).or_default()
}

fn course(words: &[&str]) -> Option<Course> {
    match words {
        [] => None,
        ["away"] => Some(Course::Away),
        ["ask"] => Some(Course::Ask),
        _ => words.iter().map(|word| direction(word)).collect::<Option<Vec<Dir>>>().map(Course::Toward),
    }
}

/// `s`, `south` or `4`.
fn direction(word: &str) -> Option<Dir> {
    let at = DIRECTIONS.iter().position(|known| *known == word);
    let at = at.or_else(|| Dir::ALL.iter().position(|dir| dir.compass() == word || dir.to_string() == word));
    at.and_then(|at| Dir::ALL.get(at).copied())
}

fn flight(words: &[&str]) -> Option<Flight> {
    match words {
        [] => None,
        ["nearest"] => Some(Flight::Nearest),
        ["stay"] => Some(Flight::Stay),
        ["ask"] => Some(Flight::Ask),
        _ => Some(Flight::To(words.iter().map(|w| (*w).to_owned()).collect())),
    }
}

fn withdraw(words: &[&str]) -> Option<Withdraw> {
    match words {
        ["weak"] => Some(Withdraw::Weak),
        ["always"] => Some(Withdraw::Always),
        ["never"] => Some(Withdraw::Never),
        ["ask"] => Some(Withdraw::Ask),
        _ => None,
    }
}

/// Standing orders with what each is about.
pub(super) fn shown(of: &Standing) -> Vec<String> {
    let about = |line: &str| {
        let verb = line.split_whitespace().next().unwrap_or("");
        FORMS.iter().find(|(known, ..)| *known == verb).map_or("", |(_, _, about, _)| *about)
    };
    let lines = words::standing(of);
    let told = |(n, line): (usize, &String)| {
        // What differs for one piece needs no second explanation.
        if n < FORMS.len() { format!("  {line:20} {}", about(line)) } else { format!("  {line}") }
    };
    lines.iter().enumerate().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_can_be_typed_again() {
        let text = r#"{"ties":"ask","retreat":{"toward":[4,5,3]},"displaced":"ask","follow":"gun",
            "escape":{"to":["0504","0505"]},"withdraw":"always",
            "units":{"wool":{"retreat":{"toward":[1]},"displaced":"away","withdraw":"never"},"rifles":{"retreat":"ask"}},
            "leaders":{"scott":"stay","brown":{"to":["0101"]},"izard":"ask","porter":"nearest"}}"#;
        let standing: Standing = serde_json::from_str(text).unwrap();
        let mut typed = Standing::default();
        let leader = |word: &str| ["scott", "brown", "izard", "porter"].contains(&word);
        for line in words::standing(&standing) {
            assert!(is_one(&line));
            take(&mut typed, &line, &leader).unwrap();
        }
        assert_eq!(typed, standing);
        for line in ["usual wool", "usual rifles", "usual scott", "usual brown", "usual izard", "usual porter"] {
            take(&mut typed, line, &leader).unwrap();
        }
        assert!(typed.units.is_empty() && typed.leaders.is_empty());
        take(&mut typed, "defaults", &leader).unwrap();
        assert_eq!(typed, Standing::default());
    }

    #[test]
    fn what_is_not_understood_changes_nothing_and_gets_its_form() {
        let leader = |word: &str| word == "scott";
        for line in [
            "ties",
            "ties both",
            "retreat",
            "retreat wool",
            "retreat s up",
            "follow me",
            "withdraw wool",
            "escape scott",
            "escape",
        ] {
            let mut now = Standing::default();
            let why = take(&mut now, line, &leader).unwrap_err();
            let verb = line.split(' ').next().unwrap();
            assert!(why.contains(&format!("Type it so: {verb} ")), "{line}: {why}");
            assert!(now.retreat == Course::Away && now.leaders.is_empty(), "{line}");
        }
        for line in ["usual", "usual wool"] {
            assert!(take(&mut Standing::default(), line, &leader).is_err());
        }
    }
}
