//! Words and orders, there and back.

use super::*;
use crate::books::honor::land::{Guard, HalfTurn, Id, Outcome};
use crate::doc::yaml;

fn typed(orders: &[Order]) -> Vec<Order> {
    let mut list = List::default();
    for line in orders.iter().flat_map(words::order) {
        list.take(&line).unwrap_or_else(|why| panic!("{line}: {why}"));
    }
    assert!(!list.is_open());
    list.orders
}

/// Every order and condition the file can hold.
const FILE: &str = r#"
orders:
  - move: {unit: wool, path: ["0905", "0906"], with: scott}
  - move: {unit: wool, path: ["0905"]}
  - fire: {unit: wool, at: "0806", support: scott, advance: ask}
  - fire: {unit: wool, at: "0806"}
  - move-and-fire: {unit: horse, path: ["0905"], at: "0906", with: scott, support: scott, advance: go}
  - fire-and-move: {unit: norton, at: "0906", path: ["0905", "0805"], with: brant, support: brant}
  - close-combat: {unit: wool, at: "0906", advance: with-leader, support: scott, repulsed: "0907"}
  - close-combat: {unit: wool, at: "0906"}
  - flank: {attacks: [{fire: {unit: wool, at: "0906"}}, {close-combat: {unit: rifles, at: "0906", advance: go}}]}
  - rally: {unit: wool}
  - form: {unit: wool, formation: column}
  - form: {unit: wool, formation: line}
  - leader: {leader: scott, path: ["0905", "0806"]}
  - pause: {}
  - ask-me-if: {when: {any: [{last: held}, {all: [{lost: wool}, {not: {empty: "0507"}}]}]}}
  - if:
      when: {all: [{any: [{enemy: "0507"}, {own: "0508"}]}, {not: {all: [{alive: wool}, {points: 2}]}}]}
      then:
        - if: {when: {at: {unit: wool, hex: "0507"}}, then: [{rally: {unit: wool}}], else: [{pause: {}}]}
      else: [{if: {when: {mp: {unit: wool, least: 2}}, then: [], else: [{pause: {}}]}}]
  - if: {when: {all: [{last: leader-lost}]}, then: [{pause: {}}]}
  - if: {when: {any: []}, then: [{pause: {}}]}
  - if: {when: {not: {not: {any: [{last: hit}, {last: missed}, {last: skipped}]}}}, then: [{pause: {}}]}
"#;

#[test]
fn what_is_shown_can_be_typed_again() {
    let half: HalfTurn = yaml::read(FILE, "file", 1 << 16).unwrap();
    assert_eq!(typed(&half.orders), half.orders);
}

#[test]
fn a_condition_groups_as_its_words_say() {
    let one = |hex: &str| Guard::Enemy(hex.to_owned());
    let (a, b, c) = (one("0101"), one("0102"), one("0103"));
    let read = |text: &str| guard::read(text).unwrap();
    assert_eq!(
        read("enemy 0101 or enemy 0102 and enemy 0103"),
        Guard::Any(vec![a.clone(), Guard::All(vec![b.clone(), c.clone()])])
    );
    assert_eq!(
        read("(enemy 0101 or enemy 0102) and enemy 0103"),
        Guard::All(vec![Guard::Any(vec![a.clone(), b.clone()]), c])
    );
    assert_eq!(read("not enemy 0101 and enemy 0102"), Guard::All(vec![Guard::Not(Box::new(a)), b]));
    assert_eq!(read("last leader-lost"), Guard::Last(Outcome::LeaderLost));
    for (wrong, says) in [
        ("", "missing"),
        ("enemy", "such as enemy 0507"),
        ("enemy 0101 enemy 0102", "one word too many"),
        ("(enemy 0101", "not closed"),
        ("last seen", "one of hit, missed"),
        ("mp wool two", "no number"),
        ("any enemy 0101", "come brackets"),
        ("wool", "no condition"),
        ("enemy 0101 and", "missing at the end"),
    ] {
        let why = guard::read(wrong).unwrap_err();
        assert!(why.contains(says), "{wrong}: {why}");
    }
    assert!(guard::read(&"not ".repeat(5000)).is_err() && guard::read(&"(".repeat(5000)).is_err());
}

#[test]
fn an_if_is_typed_line_by_line_or_on_one() {
    let mut list = List::default();
    let steps = [
        ("if enemy 0507", "order 1, then 1"),
        ("fire wool 0507", "order 1, then 2"),
        ("else", "order 1, else 1"),
        ("if lost wool", "order 1, else 1, then 1"),
        ("pause", "order 1, else 1, then 2"),
        ("end", "order 1, else 2"),
        ("end", "order 2"),
    ];
    for (line, place) in steps {
        list.take(line).unwrap();
        assert_eq!(list.place(), place, "{line}");
    }
    let mut short = List::default();
    short.take("if enemy 0507: fire wool 0507; rally rifles else: pause").unwrap();
    let [Order::If { then, otherwise, .. }] = short.orders.as_slice() else { panic!("{short:?}") };
    assert_eq!((then.len(), otherwise.as_slice()), (2, &[Order::Pause {}][..]));
    short.insert("1 rally rifles").unwrap();
    assert_eq!(short.orders[0], Order::Rally { unit: Id("rifles".to_owned()) });
    assert_eq!(short.drop_at("2").unwrap(), "if enemy 0507");
    for wrong in ["3 rally wool", "0 rally wool", "rally", "1 if enemy 0507"] {
        assert!(short.insert(wrong).is_err(), "{wrong}");
    }
    assert_eq!(short.orders.len(), 1);
    // Going back line by line.
    let mut back = List::default();
    ["if enemy 0507", "pause", "else"].iter().for_each(|line| back.take(line).unwrap());
    let dropped: Vec<String> = (0..3).map(|_| back.drop_last().unwrap()).collect();
    assert_eq!(
        (dropped, back.drop_last().is_err()),
        (["else", "pause", "if enemy 0507"].map(str::to_owned).to_vec(), true)
    );
    assert_eq!(back, List::default());
    for wrong in ["else", "end", "end it", "if enemy 0507:", "if enemy 0507: if lost wool: pause"] {
        assert!(back.take(wrong).is_err(), "{wrong}");
    }
    back.take("if enemy 0507").unwrap();
    assert!(back.take("end").is_err() && back.is_open() && back.drop_at("1").is_err());
}

#[test]
fn a_line_that_is_not_understood_gets_the_form_of_its_order() {
    for (line, says) in [
        ("charge wool 0507", "`charge` is no order"),
        ("fire wool", "a hex is missing, such as 0507. Type it so: fire UNIT HEX"),
        ("fire wool 0507 0508", "`0508` is one word too many"),
        ("rally wool with scott", "`rally` cannot be said with `with scott`"),
        ("move wool 0507 with", "after `with` comes one word"),
        ("move-fire wool 0507", "`at HEX`"),
        ("fire-move wool 0507", "`then HEX`"),
        ("fire wool 0507 advance 0508", "cannot be said with `advance 0508`"),
        ("flank fire wool 0507 and charge rifles 0507", "`charge` is no order"),
    ] {
        let why = read::order(line).unwrap_err();
        assert!(why.contains(says), "{line}: {why}");
    }
    let order = read::order("  MOVE Wool 0905 - 0906, 0907 with Scott").unwrap();
    assert_eq!(words::order(&order), ["move wool 0905 0906 0907 with scott"]);
}
