use super::Draft;
use crate::doc::{Tree, yaml};

/// Orders of the land rules as they are mistyped: every message names what is wrong, and a name that may stand where it
/// stands is not called unknown.
#[test]
fn land_orders_written_wrongly_say_what_to_do() {
    let head = "countersign: 1\nkind: draft\ngame: x\nseat: american\nstep: 2\norders:\n";
    let first = |orders: &str| {
        let found = yaml::read::<Draft>(&format!("{head}{orders}"), "f", 1 << 16).unwrap_err();
        (found[0].what.clone(), found[0].next.clone())
    };
    for (order, missing) in [
        ("if: {when: {empty: \"0504\"}}", "then"),
        ("if: {then: []}", "when"),
        ("form: {unit: a}", "formation"),
        ("move-and-fire: {unit: a, path: [\"0504\"]}", "at"),
        ("move-and-fire: {unit: a, at: \"0504\"}", "path"),
        ("ask-me-if: {when: {at: {unit: a}}}", "hex"),
        ("ask-me-if: {when: {mp: {least: 2}}}", "unit"),
        ("leader: {path: [\"0504\"]}", "leader"),
        ("move: {unit: a}", "path"),
        ("flank: {}", "attacks"),
    ] {
        assert_eq!(first(&format!("  - {order}\n")).0, format!("`{missing}` is missing here"), "{order}");
    }
    for (orders, what, next) in [
        ("  - pause: {}\n  []\n", "`[]` stands for an empty list", "delete the line with `[]`"),
        ("  # - a note\n  []\n  # more\n  - pause: {}\n", "`[]` stands for an empty list", "delete the line"),
        (
            "  - move:\n    unit: a\n    path: [\"0504\"]\n",
            "what belongs to `move` stands in one column",
            "more blanks",
        ),
        ("  - pause:\n", "`pause` does not stand alone", "pause: {}"),
        ("  -\n", "a word is missing here", "`move`"),
        ("  - ask-me-if: {when: {last: }}\n", "a word is missing here", "`hit`"),
    ] {
        let (told, remedy) = first(orders);
        assert!(told.contains(what) && remedy.contains(next), "{orders}: {told} -> {remedy}");
    }
}

/// As many conditions inside one another as the rules of orders allow can be written, and be sent.
#[test]
fn the_deepest_land_orders_are_read_and_sent() {
    let mut guard = "{at: {unit: a, hex: \"0504\"}}".to_owned();
    for _ in 0..4 {
        guard = format!("{{all: [{guard}]}}");
    }
    let mut orders = "[{flank: {attacks: [{move-and-fire: {unit: a, path: [\"0504\"], at: \"0505\"}}]}}]".to_owned();
    for _ in 0..4 {
        orders = format!("[{{if: {{when: {guard}, then: {orders}, else: {orders}}}}}]");
    }
    let text = format!("countersign: 1\nkind: draft\ngame: x\nseat: american\nstep: 2\norders: {orders}\n");
    let draft = yaml::read::<Draft>(&text, "f", 1 << 20).unwrap();
    let sent = serde_json::to_string(&draft.orders).unwrap();
    assert_eq!(Tree::from_json(&sent).unwrap().to_json(), sent);
}
