use std::collections::BTreeMap;

use super::super::Tree;
use super::*;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Orders {
    step: u8,
    #[serde(default)]
    plot: Option<Plot>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    say: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plot {
    markers: Vec<Marker>,
    #[serde(default)]
    at: BTreeMap<u8, Act>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Marker {
    Straight,
    Stop,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Act {
    Move { to: String },
    Done {},
}

fn orders(text: &str) -> Result<Orders, Vec<Error>> {
    read(text, "orders.yaml", 1 << 10)
}

/// The only error of a text as place, message and remedy.
fn fault(text: &str) -> (usize, usize, String, String) {
    let mut errors = orders(text).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let error = errors.remove(0);
    let at = error.at.unwrap_or_default();
    if at.line > 0 {
        assert!(error.excerpt.contains('^'), "{}", error.excerpt);
        assert!(error.excerpt.lines().all(|l| l.chars().count() <= 100), "{}", error.excerpt);
    }
    (at.line, at.column, error.what, error.next)
}

#[test]
fn a_good_document_is_read_with_either_line_end() {
    let text = "# note\nstep: 3\nplot:\n  markers: [straight, stop]\n  at:\n    2:\n      move: {to: 5C}\n    3:\n      done: {}\nsay: yes\n";
    let at = BTreeMap::from([(2, Act::Move { to: "5C".to_owned() }), (3, Act::Done {})]);
    let plot = Some(Plot { markers: vec![Marker::Straight, Marker::Stop], at });
    let expected = Orders { step: 3, plot, done: false, say: Some("yes".to_owned()) };
    assert_eq!(orders(text).as_ref(), Ok(&expected));
    assert_eq!(orders(&text.replace('\n', "\r\n")).as_ref(), Ok(&expected));
    assert_eq!(orders(&format!("\u{feff}{text}")).as_ref(), Ok(&expected));
    assert_eq!(read_bytes(text.as_bytes(), "f", 1 << 10).as_ref(), Ok(&expected));
    assert!(read_bytes::<Orders>(text.as_bytes(), "f", 10).unwrap_err()[0].what.contains("the most here is 10"));
}

#[test]
fn usual_mistakes_have_place_words_and_remedy() {
    for (text, place, what, next) in [
        ("step: 3\nplots:\n  markers: []\n", (2, 1), "`plots` is not known here", "did you mean `plot`?"),
        ("plot:\n  markers: []\n", (1, 1), "`step` is missing here", "add `step: ...`"),
        ("step: 3\nplot: {}\n", (2, 7), "`markers` is missing here", "add `markers: ...`"),
        ("step: three\n", (1, 7), "a whole number from 0 to 255 belongs here, not \"three\"", ""),
        ("step: 300\n", (1, 7), "a whole number from 0 to 255 belongs here, not", ""),
        ("step: 3\nplot:\n  markers: straight\n", (3, 12), "a list belongs here", "write [a, b]"),
        ("step: 3\nplot: [1]\n", (2, 7), "a group of `name: value` belongs here", "write `name: value`"),
        (
            "step: 3\nplot:\n  markers: [straigth]\n",
            (3, 13),
            "`straigth` is not known here",
            "did you mean `straight`?",
        ),
        (
            "step: 3\nplot:\n  markers: [st]\n",
            (3, 13),
            "`st` is not known here",
            "`st` may stand for `straight` or `stop`",
        ),
        ("step: 3\nstep: 4\n", (2, 1), "`step` stands here twice; the first is on line 1", "keep one"),
        ("step: 3\ndone: yes\n", (2, 7), "true or false belongs here", "write true or false"),
        ("step: 3\nsay: [a]\n", (2, 6), "text belongs here", "put it in quotes"),
        (
            "step: 3\nsay: 0407\n",
            (2, 6),
            "`0407` without quotes is a number",
            "if it is a name, put it in quotes: \"0407\"",
        ),
        ("step: 3\nsay: a: b\n", (2, 7), "a second colon", "quotes"),
        ("step: 3\nsay: \"a\n", (2, 6), "a quotation mark that opens here is never closed", "closing"),
        ("step: 3\nplot: {markers: [straight\n", (2, 17), "", ""),
        ("step: 3\nsay: @all\n", (2, 6), "no value can begin with this character", "quotes"),
        ("step: 3\nsay: *a\n", (2, 6), "a value that begins with `*`", "put it in quotes"),
        ("step: 3\nplot\n", (2, 1), "a line of the form `name: value`", "colon"),
        ("step:3\n", (1, 1), "", ""),
        ("", (0, 0), "this file is empty", "saved"),
    ] {
        let (line, column, told, remedy) = fault(text);
        assert!(told.starts_with(what) || told.contains(what), "{text:?}: {told}");
        assert!(remedy.contains(next), "{text:?}: {remedy}");
        assert_eq!((line, column), place, "{text:?}: {told} -> {remedy}");
    }
}

/// W3: a bare word where `word: {}` belongs.
#[test]
fn a_bare_word_for_a_group_says_how_to_write_it() {
    let head = "step: 3\nplot:\n  markers: []\n";
    for (text, place) in [
        ("  at: {3: done}\n", (4, 11)),
        ("  at: {3: done, 4: {done: {}}}\n", (4, 11)),
        ("  at:\n    3: done\n", (5, 8)),
    ] {
        let (line, column, what, next) = fault(&format!("{head}{text}"));
        assert_eq!((line, column), place, "{text}");
        assert_eq!((what.as_str(), next.contains("`done: {}`")), ("`done` does not stand alone", true), "{text}");
    }
    for text in [
        "- done\n- move: {to: x}\n",
        "[done, {move: {to: x}}]\n",
        "- done\n- done\n",
        "- done\n  # a note\n- move: {to: x}\n",
    ] {
        let errors = read::<Vec<Act>>(text, "f", 100).unwrap_err();
        assert_eq!(errors[0].what, "`done` does not stand alone", "{text}");
    }
    // A bare word at the end of a list is not to blame for an unknown name behind the list.
    let (line, _, what, _) = fault("step: 3\nplot:\n  markers:\n  - stop\nplots: 1\n");
    assert_eq!((line, what.as_str()), (5, "`plots` is not known here"));
    let (line, _, what, _) = fault("step: 3\nplot:\n  markers: []\n  at: {3: {don: {}}}\n");
    assert_eq!(line, 4);
    assert!(what.contains("`don`"), "{what}");
}

#[test]
fn problems_of_characters_come_all_at_once_and_first() {
    let errors = orders("step:\u{a0}3\nsay: \u{201c}x\u{201d}\nplots: 1\n").unwrap_err();
    assert_eq!(errors.len(), 3, "{errors:#?}");
    assert!(errors.iter().all(|e| e.at.as_ref().is_some_and(|p| p.file == "orders.yaml")));
}

#[test]
fn the_error_reads_well_as_a_whole() {
    let error = orders("step: 3\nplots: 1\n").unwrap_err().remove(0).to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines[0], "orders.yaml, line 2, column 1: `plots` is not known here");
    assert_eq!(lines.last(), Some(&"  -> did you mean `plot`?"));
    assert!(error.contains("2 | plots: 1") && error.contains("^^^^^"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_text_makes_it_panic(text in "(?s).{0,80}", wild in "[\\[\\]{}:,\\-#&*!|>'\"%@` \nab01.?~<\\\\]{0,60}") {
        for t in [text, wild] {
            let _ = read::<Tree>(&t, "f", 1 << 10);
            let _ = read::<Orders>(&t, "f", 1 << 10);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_bytes::<Tree>(&bytes, "f", 1 << 10);
    }

    /// A number that is read is the number that was written, digit for digit.
    #[test]
    fn a_number_has_one_spelling(text in "[-+]?[0-9a-fxobXOBeE_.]{1,8}") {
        if let Ok(Tree::List(items)) = read::<Tree>(&format!("- {text}\n"), "f", 100) {
            match items.as_slice() {
                [Tree::Int(n)] => prop_assert_eq!(n.to_string(), text),
                [Tree::Text(t)] => prop_assert_eq!(t, &text),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
