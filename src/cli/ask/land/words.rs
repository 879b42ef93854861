//! Orders in the short words of the dialogue, as a player would type them: what `show` prints can be typed again.

use crate::books::honor::land::{
    Advance, Course, Flight, Follow, Formation, Guard, Order, Outcome, Standing, Ties, Withdraw,
};
use crate::hex::Dir;

/// The words for what came of an activation.
pub(super) const OUTCOMES: [(&str, Outcome); 9] = [
    ("hit", Outcome::Hit),
    ("missed", Outcome::Missed),
    ("eliminated", Outcome::Eliminated),
    ("retreated", Outcome::Retreated),
    ("held", Outcome::Held),
    ("advanced", Outcome::Advanced),
    ("repulsed", Outcome::Repulsed),
    ("leader-lost", Outcome::LeaderLost),
    ("skipped", Outcome::Skipped),
];

/// The words for the six directions, 1 to 6.
pub(super) const DIRECTIONS: [&str; 6] = ["n", "ne", "se", "s", "sw", "nw"];

/// A word and what follows it, if anything does.
fn also(key: &str, what: Option<&impl ToString>) -> String {
    what.map_or_else(String::new, |what| format!(" {key} {}", what.to_string()))
}

fn advance(wish: Advance) -> &'static str {
    match wish {
        Advance::Stay => "",
        Advance::Go => " advance",
        Advance::WithLeader => " with-leader",
        Advance::Ask => " ask",
    }
}

/// An order, a line or, if others lie in it, several.
pub(super) fn order(order: &Order) -> Vec<String> {
    vec![match order {
        Order::Move { unit, path, with } => format!("move {unit} {}{}", path.join(" "), also("with", with.as_ref())),
        Order::Fire { unit, at, support, advance: wish } => {
            format!("fire {unit} {at}{}{}", advance(*wish), also("support", support.as_ref()))
        }
        Order::MoveAndFire { unit, path, at, with, support, advance: wish } => format!(
            "move-fire {unit} {} at {at}{}{}{}",
            path.join(" "),
            also("with", with.as_ref()),
            advance(*wish),
            also("support", support.as_ref())
        ),
        Order::FireAndMove { unit, at, path, with, support } => format!(
            "fire-move {unit} {at} then {}{}{}",
            path.join(" "),
            also("with", with.as_ref()),
            also("support", support.as_ref())
        ),
        Order::CloseCombat { unit, at, advance: wish, support, repulsed } => format!(
            "combat {unit} {at}{}{}{}",
            advance(*wish),
            also("support", support.as_ref()),
            also("repulsed", repulsed.as_ref())
        ),
        Order::Flank { attacks } => {
            let both: Vec<String> = attacks.iter().flat_map(self::order).collect();
            format!("flank {}", both.join(" and "))
        }
        Order::Rally { unit } => format!("rally {unit}"),
        Order::Form { unit, formation: Formation::Column } => format!("column {unit}"),
        Order::Form { unit, formation: Formation::Line } => format!("line {unit}"),
        Order::Leader { leader, path } => format!("leader {leader} {}", path.join(" ")),
        Order::If { when, then, otherwise } => return branches(when, then, otherwise),
        Order::Pause {} => "pause".to_owned(),
        Order::AskMeIf { when } => format!("ask-me-if {}", guard(when)),
    }]
}

fn branches(when: &Guard, then: &[Order], otherwise: &[Order]) -> Vec<String> {
    let inside = |list: &[Order]| list.iter().flat_map(order).map(|line| format!("  {line}")).collect::<Vec<_>>();
    let mut lines = vec![format!("if {}", guard(when))];
    lines.extend(inside(then));
    if !otherwise.is_empty() {
        lines.push("else".to_owned());
        lines.extend(inside(otherwise));
    }
    lines.push("end".to_owned());
    lines
}

/// A condition.
pub(super) fn guard(of: &Guard) -> String {
    match of {
        Guard::Empty(hex) => format!("empty {hex}"),
        Guard::Enemy(hex) => format!("enemy {hex}"),
        Guard::Own(hex) => format!("own {hex}"),
        Guard::Alive(id) => format!("alive {id}"),
        Guard::Lost(id) => format!("lost {id}"),
        Guard::At { unit, hex } => format!("at {unit} {hex}"),
        Guard::Mp { unit, least } => format!("mp {unit} {least}"),
        Guard::Points(least) => format!("points {least}"),
        Guard::Last(outcome) => {
            let word = OUTCOMES.iter().find(|(_, o)| o == outcome).map_or("", |(word, _)| word);
            format!("last {word}")
        }
        Guard::All(all) => several(all, "all", " and "),
        Guard::Any(any) => several(any, "any", " or "),
        Guard::Not(inner) => format!("not {}", within(inner)),
    }
}

/// `a and b`; a list of one or none, which has nothing to stand between, as `all (a)`.
fn several(of: &[Guard], word: &str, joint: &str) -> String {
    if let [one] = of {
        return format!("{word} ({})", guard(one));
    }
    if of.is_empty() { format!("{word} ()") } else { of.iter().map(within).collect::<Vec<_>>().join(joint) }
}

fn within(of: &Guard) -> String {
    match of {
        Guard::All(list) | Guard::Any(list) if list.len() > 1 => format!("({})", guard(of)),
        _ => guard(of),
    }
}

/// A direction.
pub(super) fn direction(dir: Dir) -> &'static str {
    DIRECTIONS.get(usize::from(dir.number()) - 1).copied().unwrap_or("")
}

fn course(of: &Course) -> String {
    match of {
        Course::Ask => "ask".to_owned(),
        Course::Toward(dirs) if !dirs.is_empty() => {
            dirs.iter().map(|dir| direction(*dir)).collect::<Vec<_>>().join(" ")
        }
        Course::Away | Course::Toward(_) => "away".to_owned(),
    }
}

fn flight(of: &Flight) -> String {
    match of {
        Flight::Ask => "ask".to_owned(),
        Flight::Stay => "stay".to_owned(),
        Flight::To(hexes) if !hexes.is_empty() => hexes.join(" "),
        Flight::Nearest | Flight::To(_) => "nearest".to_owned(),
    }
}

fn withdraw(of: Withdraw) -> &'static str {
    match of {
        Withdraw::Weak => "weak",
        Withdraw::Always => "always",
        Withdraw::Never => "never",
        Withdraw::Ask => "ask",
    }
}

/// Standing orders, a line each; what is said of a single unit or leader stands below what holds for all.
pub(super) fn standing(of: &Standing) -> Vec<String> {
    let ties = match of.ties {
        Ties::Gun => "gun",
        Ties::Troops => "troops",
        Ties::Ask => "ask",
    };
    let follow = match of.follow {
        Follow::Troops => "troops",
        Follow::Gun => "gun",
        Follow::Ask => "ask",
    };
    let mut lines = vec![
        format!("ties {ties}"),
        format!("retreat {}", course(&of.retreat)),
        format!("displaced {}", course(&of.displaced)),
        format!("follow {follow}"),
        format!("escape {}", flight(&of.escape)),
        format!("withdraw {}", withdraw(of.withdraw)),
    ];
    for (id, own) in &of.units {
        lines.extend(own.retreat.as_ref().map(|c| format!("retreat {id} {}", course(c))));
        lines.extend(own.displaced.as_ref().map(|c| format!("displaced {id} {}", course(c))));
        lines.extend(own.withdraw.map(|w| format!("withdraw {id} {}", withdraw(w))));
    }
    lines.extend(of.leaders.iter().map(|(id, f)| format!("escape {id} {}", flight(f))));
    lines
}
