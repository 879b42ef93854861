//! The template of land orders: points, what each unit can do, the forms of orders, standing orders.

use std::fmt::Write as _;

use super::written::flow;
use crate::books::honor::land::{Deed, Fate, Formation, Land, Order, Standing, State};
use crate::doc::Tree;
use crate::log::History;
use crate::play::{Played, to_content};
use crate::side::Side;

/// The forms of orders, one a line, with what each costs.
const FORMS: &str = r#"  # One order a line, below these notes, carried out from the top; what cannot be done when it is reached is skipped
  # and costs nothing. A list without an order is written [].
  #   - move: {unit: UNIT, path: ["0504"]}                     1 point; add  with: LEADER  for the leader in its hex:
  #                                                            he moves free, and one hex farther costs 1 point more
  #   - fire: {unit: UNIT, at: "0504"}                         1 point
  #   - close-combat: {unit: UNIT, at: "0504", advance: go}    2 points; advance: stay, go, with-leader or ask
  #   - move-and-fire: {unit: UNIT, path: ["0504"], at: "0505"}   2 points, dragoons and Indians
  #   - fire-and-move: {unit: UNIT, at: "0505", path: ["0504"]}   2 points, Indians
  #   - rally: {unit: UNIT}                                    1 point, with the leader in its hex
  #   - form: {unit: UNIT, formation: column}                  1 point; column or line
  #   - leader: {leader: LEADER, path: ["0504", "0604"]}       1 point
  #   - if: {when: {empty: "0504"}, then: [ORDERS], else: [ORDERS]}
  #       when: empty, enemy or own: "0504"; alive or lost: UNIT; at: {unit: UNIT, hex: "0504"};
  #       mp: {unit: UNIT, least: 2}; points: 2 (or more left); last (what came of the order before): hit,
  #       missed, eliminated, retreated, held, advanced, repulsed, leader-lost or skipped; all: [...], any: [...], not: {...}
  #   - pause: {}                                              stop here and ask me again (costs a mail each way)
  #   - ask-me-if: {when: {last: held}}                        the same, if it holds
"#;

/// The forms of the optional rules in use.
fn optional_forms(state: &State) -> String {
    let mut out = String::new();
    if state.options.flank.on() {
        out.push_str(
            "  #   - flank: {attacks: [ORDER, ORDER]}                       2 to 4 attacks from two opposite hexes (11.9)\n",
        );
    }
    if state.options.leader_dice.on() {
        out.push_str("  #   support: LEADER in an attack: he adds a die (11.8)\n");
    }
    if state.options.charge.on() {
        out.push_str("  #   repulsed: \"0504\" in a close combat: where it fires if it fails its check (11.1)\n");
    }
    if state.options.fire_advance.on() {
        out.push_str("  #   advance: go in a fire order: if it eliminates an adjacent defender (11.10)\n");
    }
    out
}

/// The template of one question.
pub(super) fn template(history: &History, played: &Played<Land>, side: Side, kind: &str, slot: &str) -> String {
    if kind == "orders" {
        orders(played.state(), side, played.standing().get(side))
    } else {
        answer(history, played.state(), kind, slot)
    }
}

/// What was ordered for the enemy's half-turn stands in it again, after a pause as in the next turn, so that nobody loses it
/// by leaving the line as it is.
fn orders(state: &State, side: Side, standing: &Standing) -> String {
    let mut out = format!("# You have {} action points. Your units:\n", state.ap);
    for unit in state.units.iter().filter(|u| u.side == side && u.fate == Fate::Fit) {
        let column = if unit.formation == Formation::Column { ", in column" } else { "" };
        let at = match (unit.hex, &unit.entry) {
            (Some(hex), _) => state.label(hex),
            (None, Some(entry)) => {
                let by: Vec<String> = entry.hexes.iter().map(|hex| state.label(*hex)).collect();
                let when = if entry.turn > state.turn {
                    format!("comes from turn {}", entry.turn)
                } else {
                    "may come".to_owned()
                };
                format!("{when} by {} (the first hex of its path)", by.join(" or "))
            }
            (None, None) => String::new(),
        };
        let led =
            unit.hex.and_then(|hex| state.leader_in(hex, side)).map_or(String::new(), |l| format!(", with {}", l.id));
        let done = if unit.deed == Deed::Nothing { "" } else { ", has acted" };
        let _ = writeln!(out, "#   {}: {at}, {}, MP {}{column}{led}{done}", unit.id, unit.kind.word(), unit.mp);
    }
    if state.rest.is_empty() {
        out.push_str("orders:\n");
        out.push_str(FORMS);
        out.push_str(&optional_forms(state));
        out.push_str("  []\n");
    } else {
        out.push_str("# You paused. The orders that were not reached stand below; change them as you like.\norders:\n");
        out.push_str(FORMS);
        out.push_str(&optional_forms(state));
        for order in &state.rest {
            let _ = writeln!(out, "  - {}", line(order));
        }
    }
    out.push_str(
        "# Standing orders for your opponent's half-turn; each may also be `ask` (a mail each way).\n\
         #   ties: gun or troops takes a hit when both have the same MP.\n\
         #   retreat, displaced: away (straight from the attacker), or {toward: [4, 3, 5]}: 1 is north, then clockwise.\n\
         #   follow: troops or gun, when the units with a leader part.\n\
         #   escape: nearest, stay, or {to: [\"0504\"]}: leaders whose units are lost.\n\
         #   withdraw: weak (at 1 MP), always or never: dragoons, with optional rule 11.12.\n\
         #   units: {UNIT: {retreat: {toward: [4]}}} and leaders: {LEADER: stay} for those that differ.\n",
    );
    if *standing != Standing::default() {
        out.push_str("# These are the ones you gave last; without this line they would be the ordinary ones.\n");
    }
    let standing = Tree::from_json(&to_content(standing)).map_or_else(|_| "{}".to_owned(), |tree| flow(&tree));
    let _ = writeln!(out, "standing: {standing}");
    out
}

/// An order in one line.
#[must_use]
pub fn line(order: &Order) -> String {
    Tree::from_json(&to_content(order)).map_or_else(|_| String::new(), |tree| flow(&tree))
}

fn answer(history: &History, state: &State, kind: &str, slot: &str) -> String {
    let id = slot.rsplit('/').next().unwrap_or("");
    let unit = state.units.iter().find(|u| u.id.0 == id).map(|u| u.name.as_str());
    let leader = state.leaders.iter().find(|l| l.id.0 == id).map(|l| l.name.as_str());
    let whom = unit.or(leader).unwrap_or(id);
    let about = match kind {
        "tie" => "Gun and troops have the same MP: who takes the hit?".to_owned(),
        "retreat" => format!("Where does {whom} go?"),
        "escape" => format!("Where does {whom} flee to?"),
        "follow" => format!("Whom does {whom} follow?"),
        "withdraw" => format!("Does {whom} wait for the attack?"),
        _ => {
            let into = state.target.map_or_else(String::new, |hex| format!(" into {}", state.label(hex)));
            format!("{whom}: advance{into} (go), stay, or advance with the leader in its hex (with-leader)?")
        }
    };
    let word = |content: &String| Tree::from_json(content).ok().map(|tree| flow(&tree));
    let all: Vec<String> = history.game.game().options(slot).iter().filter_map(word).collect();
    // The answer of who says nothing, else the first.
    let silent = history.game.game().absent(slot).as_ref().and_then(word);
    let first = silent.or_else(|| all.first().cloned()).unwrap_or_default();
    format!("# {about}\n# One of: {}\nanswer: {first}\n", all.join(" | "))
}
