use super::*;
use proptest::prelude::*;

fn errors(text: &str) -> Vec<Error> {
    lint(text, "orders.yaml", 64 << 10).err().unwrap_or_default()
}

/// Line and column of each problem.
fn places(text: &str) -> Vec<(usize, usize)> {
    errors(text).iter().map(|e| e.at.as_ref().map_or((0, 0), |p| (p.line, p.column))).collect()
}

#[test]
fn ordinary_text_passes_with_either_line_end_and_a_mark_at_its_start() {
    for text in [
        "",
        "a: 1\n",
        "a: 1\r\nb: \"x\"\r\n",
        "a: 1\r\nb: 2\n",
        "# plain note\n---\na: [1, 2] # it's so\n",
        "say: it\u{2019}s the ships\u{2019} guns\n",
        "say: \"\u{201c}Fire!\u{201d} \u{2013} he said\u{2026} \u{1f600}\"\n",
        "say: Привет, иду на 5C; 3х\n",
        "say: \"Καλημέρα Α\"\n",
        "# \u{201c}А\u{201d} 5С\n",
        "say: |\n  \u{201c}Fire!\u{201d}\n  > # quoted\n",
        "say: a \u{2013} b\n",
        "name: Zoë Müller\n",
        "a: \"\\u0421b\"\n",
    ] {
        assert_eq!(lint(text, "f", 1000), Ok(text), "{text}");
        let marked = format!("\u{feff}{text}");
        assert_eq!(lint(&marked, "f", 1000), Ok(text), "{text}");
    }
}

/// Eressea 2670, js-yaml 273, validatorjs 940 and their kind: at the indentation, behind the colon, behind the dash,
/// inside a name, in quotes, in a note.
#[test]
fn what_cannot_be_seen_is_named_with_its_place() {
    let hidden = [
        '\u{a0}', '\t', '\u{2028}', '\u{2029}', '\u{85}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}',
        '\u{ad}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{200e}', '\u{61c}', '\u{3000}', '\u{2009}',
        '\u{202f}', '\0', '\u{7}', '\u{1b}', '\u{7f}', '\u{9f}',
    ];
    for c in hidden {
        for (text, at) in [
            (format!("a:\n{c} b: 1\n"), (2, 1)),
            (format!("a:{c}1\n"), (1, 3)),
            (format!("-{c}1\n"), (1, 2)),
            (format!("unit: 5{c}C\n"), (1, 8)),
            (format!("unit: \"5{c}C\"\n"), (1, 9)),
            (format!("a: 1 # x{c}\n"), (1, 9)),
        ] {
            assert_eq!(places(&text), [at], "{text:?}");
            let error = &errors(&text)[0];
            assert!(error.what.contains(&format!("U+{:04X}", u32::from(c))), "{}", error.what);
            assert!(!error.next.is_empty());
            assert!(!error.to_string().contains(c), "{error:?}");
        }
    }
}

#[test]
fn a_lone_carriage_return_is_refused_and_a_run_is_one_problem() {
    assert_eq!(places("a: 1\rb: 2\n"), [(1, 5)]);
    assert_eq!(places("a: 1\r\r\n"), [(1, 5)]);
    assert_eq!(places("a:\n\u{a0}\u{a0}\u{a0}b: 1\n\u{a0}c: 1\n"), [(2, 1), (3, 1)]);
    assert_eq!(places("a: 1\u{feff}\n"), [(1, 5)]);
}

#[test]
fn typographic_marks_are_refused_where_they_would_be_read() {
    for (text, at, plain) in [
        ("a: \u{201c}5C\u{201d}\n", vec![(1, 4), (1, 7)], "type \" "),
        ("a: \u{2018}5C\u{2019}\n", vec![(1, 4), (1, 7)], "type ' "),
        ("a: \u{201e}5C\u{201c}\n", vec![(1, 4), (1, 7)], "type \" "),
        ("a:\n  \u{2013} x\n", vec![(2, 3)], "type - "),
        ("a:\n  \u{2022} x\n", vec![(2, 3)], "type - "),
        ("a: \u{2212}5\n", vec![(1, 4)], "type - "),
        ("a\u{ff1a} 5\n", vec![(1, 2)], "type : "),
        ("a: \u{ff15}\n", vec![(1, 4)], "type 5 "),
    ] {
        assert_eq!(places(text), at, "{text}");
        assert!(errors(text)[0].next.contains(plain), "{}", errors(text)[0].next);
    }
}

#[test]
fn letters_that_only_look_latin_are_named() {
    for (text, at, meant) in [
        ("unit: 5\u{421}\n", (1, 8), "looks like C"),
        ("unit: \"5\u{421}\"\n", (1, 9), "looks like C"),
        ("unit: '\u{410}'\n", (1, 8), "looks like A"),
        ("\u{440}lot: 1\n", (1, 1), "looks like p"),
        ("say: \"привет \u{440}lot я\"\n", (1, 14), "looks like p"),
        ("unit: \u{39f}K\n", (1, 7), "looks like O"),
        ("unit: \"\u{ff15}C\"\n", (1, 8), "looks like 5"),
    ] {
        assert_eq!(places(text), [at], "{text}");
        assert!(errors(text)[0].what.contains(meant), "{}", errors(text)[0].what);
    }
    let tables = ["АВСЕНІЈКМОРЅТХУ", "ABCEHIJKMOPSTXY"];
    for (other, latin) in tables[0].chars().zip(tables[1].chars()) {
        assert_eq!(alike(other), Some(latin));
    }
}

#[test]
fn all_problems_come_at_once_in_their_order_and_at_most_twenty() {
    let text = "a:\u{a0}\u{201c}x\u{201d}\t\nb: 5\u{421}\n";
    assert_eq!(places(text), [(1, 3), (1, 4), (1, 6), (1, 7), (2, 5)]);
    assert_eq!(errors(&"a:\u{a0}1\n".repeat(100)).len(), 20);
}

/// FlowCrypt 1736, email_reply_parser 23: a footer behind the orders, orders in a quoted reply.
#[test]
fn what_a_mail_program_adds_is_named() {
    for text in ["a: 1\n-- \nBob\u{a0}\n", "a: 1\r\n--\r\nBob\r\n"] {
        assert_eq!(places(text), [(2, 1)], "{text:?}");
        assert!(errors(text)[0].what.contains("footer"));
    }
    assert_eq!(places("> a: 1\n> b: 2\n"), [(1, 1)]);
    assert!(errors("---\na: 1\n").is_empty());
}

/// Eressea 2787: YAML drops what is behind ` #`.
#[test]
fn a_value_cut_short_by_a_number_sign_is_named() {
    assert_eq!(places("unit: 42nd #2 Coy\n"), [(1, 12)]);
    assert_eq!(places("- 42nd #2 Coy\n"), [(1, 8)]);
    for fine in [
        "unit: \"42nd #2 Coy\"\n",
        "unit: 42nd # the second\n",
        "unit: 42nd#2\n",
        "#2\n",
        "a: #2\n",
        "a: [b] #2\n",
        "a: \"b\" #2\n",
    ] {
        assert_eq!(places(fine), [], "{fine}");
    }
}

#[test]
fn size_and_encoding_have_their_own_words() {
    assert!(lint("a: 1\n", "f", 5).is_ok());
    assert!(lint("a: 12\n", "f", 5).unwrap_err()[0].what.contains("6 bytes"));
    assert!(decode(b"\xff\xfea\0", "f").unwrap_err().what.contains("UTF-16"));
    let error = decode(b"a: 1\nb: \x93x\x94\n", "f").unwrap_err();
    assert!(error.what.contains("93"), "{}", error.what);
    assert_eq!(error.at.map(|p| (p.line, p.column)), Some((2, 4)));
    assert!(decode(&[0; 100], "f").unwrap_err().what.contains("no text"));
    assert_eq!(decode("é".as_bytes(), "f"), Ok("é"));
}

/// A hostile text of one kind of fault costs no more than a good one.
#[test]
fn many_faults_take_no_time() {
    let start = std::time::Instant::now();
    for piece in ["\u{a0}", "\u{201c}", "5С ", "\t\n", "\"", "\\", "'", "{", "А"] {
        let text = piece.repeat((1 << 20) / piece.len());
        let _ = lint(&text, "f", 1 << 20);
    }
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_and_clean_is_stable(text in "(?s).{0,60}") {
        if let Ok(clean) = lint(&text, "f", 1 << 10) {
            prop_assert_eq!(lint(clean, "f", 1 << 10), Ok(clean));
        }
    }

    /// What the program writes it reads: every string survives as an escaped JSON string.
    #[test]
    fn escaped_strings_pass_and_mean_the_same(text in "(?s).{0,40}", wild in "[АСа5aяx\u{a0}\u{201c}'\"\\\\ ]{0,12}") {
        for s in [text, wild] {
            let json = serde_json::to_string(&s).unwrap();
            let line = format!("say: {}\n", escape(&json));
            prop_assert_eq!(lint(&line, "f", 1 << 12).map(str::len), Ok(line.len()), "{}", line);
            prop_assert_eq!(serde_json::from_str::<String>(&escape(&json)).unwrap(), s);
        }
    }
}

proptest! {
    /// Lines that are not looked at letter by letter have no fault, wherever they stand and whatever stands around them.
    #[test]
    fn plain_lines_left_out_change_nothing(lines in prop::collection::vec(prop_oneof![
        "( {0,2})(\"?[a-z0-9][a-z0-9/_-]{0,8}\"?): \"[A-Za-z0-9+/=]{0,12}\"",
        "( {0,2})[a-zA-Z\"':# >|{}\\[\\]\\\\=+/-]{0,16}",
        "a: [|>]",
        "a: \"x",
        "y\"",
        "-- ",
        "On Monday, Bob wrote:",
        "> a: \"b\"",
        "say: \u{201c}x\u{201d}\u{a0}",
    ], 0..12)) {
        let text = lines.join("\n");
        prop_assert_eq!(faults(&text, 50), faults_unless(&text, 50, |_| false));
    }
}
