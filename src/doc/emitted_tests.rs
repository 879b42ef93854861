//! The quick reader takes nothing the strict one does not take, and reads the same in it.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::doc::{Mode, Offer, Refuse, StepFile, Tree, emit};
use crate::seal::{Digest, Opening};
use crate::side::Seat;

/// Whether the quick reader takes a text, which the strict one must then read alike.
fn quick<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(text: &str) -> bool {
    let Some(value) = read_exact::<T>(text) else { return false };
    assert_eq!(yaml::read::<T>(text, "f", 1 << 20), Ok(value), "{text}");
    true
}

fn step() -> StepFile {
    let opening = Opening { salt: Digest([5; 32]), content: "{\"a\":[\"x\",1]}".into() };
    let content = Tree::from_json(r#"{"to":["5C",-3,true,null],"by":{}}"#).unwrap();
    StepFile {
        countersign: 1,
        kind: "orders".into(),
        game: Digest([1; 32]),
        seat: Seat::British,
        step: 7,
        head: Digest([2; 32]),
        n: 2,
        prev: Some(Digest([3; 32])),
        names: BTreeMap::from([(Seat::American, Digest([4; 32]))]),
        answers: BTreeMap::from([("t1/british/plot/react".into(), content), ("t1/x".into(), Tree::Int(4))]),
        seals: BTreeMap::from([("t1/british/plot/marker/1".into(), Digest([6; 32]))]),
        opens: BTreeMap::from([("t1/british/plot/lead/1".into(), opening)]),
        link: Some(Digest([7; 32])),
        refuse: Some(Refuse { file: Digest([8; 32]), rule: "NAV-5.10".into() }),
        offer: Some(Offer::Concede),
        accept: None,
        chain: None,
        say: Some("Well # played: \"Bob\" \\o/ - don't `you` think so?".into()),
        sent: "2026-01-01T00:00:00Z".into(),
    }
}

#[test]
fn what_programs_write_is_read_quickly() {
    let text = emit(&step()).unwrap();
    assert_eq!(read_exact::<StepFile>(&text), Some(step()));
    assert!(quick::<StepFile>(&text) && quick::<Tree>(&text));
    assert!(quick::<StepFile>(&emit(&StepFile { say: Some("é ß 你好 Привет, Боб".into()), ..step() }).unwrap()));
    assert_eq!(read_emitted::<StepFile>(&text, "f", text.len()), Ok(step()));
}

/// The verdict and its words are the strict reader's wherever the text is not exactly what would be written.
#[test]
fn everything_else_goes_the_strict_way() {
    let text = emit(&step()).unwrap();
    let changes: [(&str, &str); 24] = [
        ("kind: \"orders\"", "kind: orders"),
        ("seat: \"british\"", "seat: british"),
        ("seat: \"british\"", "seat:\n  \"british\": null"),
        ("step: 7", "step: 07"),
        ("step: 7", "step: +7"),
        ("step: 7", "step: 7.0"),
        ("step: 7", "step: 7e0"),
        ("step: 7", "step:  7"),
        ("step: 7", "step: 7 "),
        ("step: 7", "step: 7 # seven"),
        ("step: 7", "step: 7,\"n\":2"),
        ("step: 7\n", "step: 7\nstep: 7\n"),
        ("n: 2\n", "n: 2\naccept: null\n"),
        ("n: 2\n", "n: 2\nanswers: {}\n"),
        ("n: 2\n", "n: 2\n\n"),
        ("n: 2\n", "n: 2\nknown: 1\n"),
        ("  \"t1/x\": 4\n", "  \"t1/x\": 4\n  \"t1/x\": 4\n"),
        ("  \"t1/x\": 4\n", "  \"t1/x\": 4,\"t1/y\":5\n"),
        ("  \"t1/x\": 4\n", "  t1/x: 4\n"),
        ("  \"t1/x\": 4\n", "  \"t1\\/x\": 4\n"),
        ("\"by\":{}", "\"by\":{},\"by\":{}"),
        ("\"by\":{}", "\"by\": {}"),
        ("Bob", "\\u0042ob"),
        ("\"2026-01-01T00:00:00Z\"", "2026-01-01T00:00:00Z"),
    ];
    for (from, to) in changes {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        assert!(!quick::<StepFile>(&changed), "{to}");
        assert_eq!(
            read_emitted::<StepFile>(&changed, "f", 1 << 18),
            yaml::read::<StepFile>(&changed, "f", 1 << 18),
            "{to}"
        );
    }
    for changed in [text.trim_end(), &format!("\u{feff}{text}"), &text.replace('\n', "\r\n"), "", "\n", "a:\n", "{}\n"]
    {
        assert!(!quick::<StepFile>(changed) && !quick::<Tree>(changed), "{changed:?}");
    }
    let limited = read_emitted::<StepFile>(&text, "f", text.len() - 1).unwrap_err();
    assert_eq!(limited, yaml::read::<StepFile>(&text, "f", text.len() - 1).unwrap_err());
}

/// Sound JSON that YAML reads otherwise or not at all.
#[test]
fn json_that_is_no_yaml() {
    let key = |n: usize| "k".repeat(n);
    let nest = |n: usize| "[".repeat(n) + &"]".repeat(n);
    let long = "x".repeat(9000);
    for (text, taken) in [
        (format!("a:\n  \"{}\": 1\n", key(200)), true),
        (format!("a:\n  \"{}\": 1\n", key(1100)), false),
        (format!("a:\n  \"b\": {{\"{}\":1}}\n", key(200)), true),
        (format!("a:\n  \"b\": {{\"{}\":1}}\n", key(1100)), false),
        (format!("a: \"{long}\"\nb:\n  - \"{long}\"\n").replace("xxxxx", "x: x"), true),
        (format!("a:\n  - {}\n", nest(8)), true),
        (format!("a:\n  - {}\n", nest(9)), false),
        (format!("a:\n{}", "  - 1\n".repeat(3000)), false),
        ("a: 9223372036854775807\n".into(), false),
        ("a: 999999999999999999\n".into(), true),
        ("a: -0\n".into(), false),
        ("a: -5\n".into(), true),
        ("a: 18446744073709551615\n".into(), false),
        ("null: 1\n".into(), false),
        ("true: 1\n".into(), false),
        ("y: 1\nno: 2\non: 3\n".into(), true),
        ("a: \"\\u0000\\b\\f\\u001f\"\n".into(), true),
        ("a: \"\\ud83d\\ude00\"\n".into(), false),
        ("a: \"\u{1F600}\"\n".into(), true),
        ("a: \"\u{7f}\"\n".into(), false),
        ("a: \"\u{2028}\"\n".into(), false),
        ("a: \"\\/\"\n".into(), false),
        ("a:\n  - \"x\"\n  \"y\": 1\n".into(), false),
        ("a:\n  \"\": \"\"\n".into(), true),
        ("a:\n  \"~\": \"~\"\n  \"<<\": \"null\"\n".into(), true),
        ("a: [1]\n".into(), false),
        ("a: []\nb: {}\n".into(), true),
        ("a: nan\n".into(), false),
        ("a: 1]\n".into(), false),
        ("a: \"x\" \"y\"\n".into(), false),
    ] {
        let shown: String = text.chars().take(60).collect();
        assert_eq!(quick::<Tree>(&text), taken, "{shown}");
    }
}

/// A mode written as a map with one key is sound JSON for it, and no spelling of this protocol.
#[test]
fn a_word_is_no_map() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Held {
        mode: Mode,
    }
    assert!(quick::<Held>("mode: \"two-seats\"\n"));
    assert!(!quick::<Held>("mode:\n  \"two-seats\": null\n"));
}

fn files() -> impl Strategy<Value = StepFile> {
    let wild = "[АСа5aя\u{a0}\u{85}\u{201c}'\"\\\\#:, {}\\[\\]-]{0,10}";
    ("(?s).{0,30}", wild, any::<i64>(), any::<u32>(), any::<u64>(), 0usize..1200).prop_map(
        |(any, wild, int, n, step, long)| StepFile {
            n,
            step,
            answers: BTreeMap::from([
                (wild.clone(), Tree::Int(int)),
                ("x".repeat(long), Tree::Map(vec![(any.clone(), Tree::Text(any.clone())), (wild, Tree::Bool(true))])),
            ]),
            opens: BTreeMap::from([("s".into(), Opening { salt: Digest([9; 32]), content: any.clone() })]),
            say: (n % 3 > 0).then_some(any),
            ..self::step()
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_alike(file in files()) {
        let text = emit(&file).unwrap_or_default();
        quick::<StepFile>(&text);
        quick::<Tree>(&text);
        prop_assert_eq!(read_emitted::<StepFile>(&text, "f", 1 << 18), yaml::read::<StepFile>(&text, "f", 1 << 18));
    }

    #[test]
    fn what_is_changed_is_read_alike(
        file in files(), at in any::<prop::sample::Index>(), cut in 0usize..3,
        piece in prop_oneof![
            "[0-9a-zA\" :,{}\\[\\]\\\\\n#-]{0,4}", Just("\n  - ".to_owned()), Just("\n  \"a\": ".to_owned()), ".{0,2}",
        ],
    ) {
        let text = emit(&file).unwrap_or_default();
        let mut chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len().max(1));
        let end = (at + cut).min(chars.len());
        chars.splice(at.min(end)..end, piece.chars());
        let text: String = chars.into_iter().collect();
        quick::<StepFile>(&text);
        quick::<Tree>(&text);
    }

    /// Lines put together of what such documents are made of.
    #[test]
    fn what_is_thrown_together_is_read_alike(
        lines in proptest::collection::vec(
            "(a|b|say|null|n|y|  \"a\"|  \"b\"|  \"#\"|  -|  - a|- a)(:|: || ){0,2}(1|-3|0|\"x\"|\"\"|\"a\":|,|:|\\{|\\}|\\[|\\]|true|null|\"# `é\"| ){0,6}",
            1..6,
        ),
    ) {
        quick::<Tree>(&(lines.join("\n") + "\n"));
    }
}
