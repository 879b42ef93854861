//! The part of YAML that is taken: one document of plain maps, lists and values (`schemas/design.md`, 7).
//!
//! Refused are anchors, aliases, merge keys, tags, directives, keys that stand twice, keys that are no text, nesting
//! deeper than 32 and more than 20,000 nodes; and unquoted values that one YAML parser takes for a number and another
//! for text, or for another number: `0407` is text, 407 or 263 depending on who reads it. A plain whole number has one
//! spelling only (`407`, `-3`), and so have `true`, `false` and `null`.
//!
//! The check runs over the events of the very parser that reads the values afterwards, without recursion, and finds
//! every fault up to the first that breaks the grammar.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_yaml::granit_parser::{self, Event, Parser, ScalarStyle, Span};

use super::excerpt::Source;
use super::lint::MOST;
use super::reword;
use crate::error::Error;

/// Deepest nesting of lists and maps: land orders with as many conditions inside one another as the rules of orders allow
/// come to 23.
pub(super) const DEPTH: usize = 32;

/// Most values, lists and maps in a document.
pub(super) const NODES: usize = 20_000;

/// Finds what the profile does not take. Empty if all is well.
pub(super) fn check(source: Source<'_>) -> Vec<Error> {
    let options = granit_parser::options! {
        strict_indentation: true,
        disallow_directives: true,
        emit_comments: false,
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        // One more than is taken, so that the first too many is told of in our own words.
        flow_nesting_limit: DEPTH + 1,
        block_nesting_limit: DEPTH + 1,
    };
    let mut walk = Walk { source, open: Vec::new(), nodes: 0, documents: 0, blank: true, found: Vec::new() };
    for next in Parser::new_from_str_with_options(source.text, options) {
        let go_on = match next {
            Ok((event, span)) => walk.event(&event, span),
            Err(fault) => {
                walk.found.push(reword::grammar(&fault, source));
                false
            }
        };
        if !go_on || walk.found.len() >= MOST {
            return walk.found;
        }
    }
    if walk.blank && walk.found.is_empty() {
        let next = "is it the right file, and was it saved?";
        return vec![source.whole("this file is empty, or has nothing but notes in it").next(next)];
    }
    walk.found
}

/// A list or map that is not closed yet.
enum Open {
    List,
    Map { keys: BTreeMap<String, usize>, key_next: bool },
}

struct Walk<'a> {
    source: Source<'a>,
    open: Vec<Open>,
    nodes: usize,
    documents: usize,
    blank: bool,
    found: Vec<Error>,
}

impl Walk<'_> {
    /// Takes one event; false if nothing behind it can be judged.
    fn event(&mut self, event: &Event<'_>, span: Span) -> bool {
        let at = bytes(span);
        if event.tag().is_some() {
            let start = span.tag_start().and_then(|m| m.byte_offset()).unwrap_or(at.start);
            let what = "a value that begins with `!` is not taken here";
            self.tell(start..start + 1, what, "delete the word that begins with `!`, or put the value in quotes");
        }
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    let what = "a second document begins here (`---`)";
                    self.tell(at, what, "one file has one document: delete this line, or use two files");
                    return false;
                }
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.tell(at, "a value that begins with `*` is not taken here", "put it in quotes, or write it out");
                return self.node(None);
            }
            Event::Anchor(..) => {
                self.tell(
                    at,
                    "a value that begins with `&` is not taken here",
                    "put it in quotes, or delete that word",
                );
            }
            Event::Scalar(text, style, ..) => {
                // The parser gives `~` for a value that is not there.
                let text = if self.source.text.get(at.clone()) == Some("") { "" } else { text };
                self.blank &= text.is_empty();
                return self.scalar(text, *style == ScalarStyle::Plain, at);
            }
            Event::SequenceStart(..) => return self.begin(Open::List, at),
            Event::MappingStart(..) => return self.begin(Open::Map { keys: BTreeMap::new(), key_next: true }, at),
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
                self.settle();
            }
            _ => {}
        }
        true
    }

    fn begin(&mut self, what: Open, at: Range<usize>) -> bool {
        self.blank = false;
        if matches!(self.open.last(), Some(Open::Map { key_next: true, .. })) {
            self.tell(
                at,
                "a list or map cannot be a name",
                "write `name: value`; text with brackets belongs in quotes",
            );
            return false;
        }
        if self.open.len() >= DEPTH {
            self.tell(at, "this is nested deeper than 32 levels", "no document here is; is it the right file?");
            return false;
        }
        self.open.push(what);
        self.count()
    }

    fn scalar(&mut self, text: &str, plain: bool, at: Range<usize>) -> bool {
        if plain && let Some((what, next)) = misread(text) {
            self.tell(at.clone(), what, next);
        }
        if plain && let Some(Open::Map { key_next: true, .. }) = self.open.last() {
            match text {
                "" | "null" => self.tell(at.clone(), "a name is missing before the colon", "write `name: value`"),
                "<<" => {
                    self.tell(at.clone(), "the key `<<` is not taken here", "write the lines out, or put it in quotes")
                }
                _ => {}
            }
        }
        self.node(Some((text, at)))
    }

    /// A value, or a key that must not stand twice.
    fn node(&mut self, scalar: Option<(&str, Range<usize>)>) -> bool {
        if let (Some(Open::Map { keys, key_next: true }), Some((text, at))) = (self.open.last_mut(), scalar) {
            if let Some(first) = keys.get(text) {
                let line = self.source.text.get(..*first).map_or(0, |t| t.matches('\n').count()) + 1;
                let what = format!("`{}` stands here twice; the first is on line {line}", shown(text));
                self.tell(at, what, "keep one of the two");
            } else {
                keys.insert(text.to_owned(), at.start);
            }
        }
        self.settle();
        self.count()
    }

    /// After a node, the next in a map is of the other sort.
    fn settle(&mut self) {
        if let Some(Open::Map { key_next, .. }) = self.open.last_mut() {
            *key_next = !*key_next;
        }
    }

    fn count(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > NODES {
            self.found.push(self.source.whole("this file has more than 20,000 values").next("is it the right file?"));
        }
        self.nodes <= NODES
    }

    fn tell(&mut self, at: Range<usize>, what: impl Into<String>, next: impl Into<String>) {
        self.found.push(self.source.error(at, what).next(next));
    }
}

fn bytes(span: Span) -> Range<usize> {
    let start = span.start.byte_offset().unwrap_or_default();
    start..span.end.byte_offset().unwrap_or(start).max(start)
}

/// A word of an excerpt, cut to a length that can be read.
pub(super) fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push_str("...");
    }
    short
}

/// What is wrong with an unquoted value that parsers read differently, and what to write; none if all agree.
fn misread(text: &str) -> Option<(String, String)> {
    let quoted = format!("if it is a name, put it in quotes: \"{}\"", shown(text));
    match text {
        "True" | "TRUE" | "False" | "FALSE" => {
            let lower = text.to_lowercase();
            Some((format!("`{text}` is written `{lower}` here"), format!("write {lower}; {quoted}")))
        }
        "~" | "Null" | "NULL" => Some((
            format!("`{text}` stands for nothing in YAML"),
            format!("delete the line if you mean nothing; {quoted}"),
        )),
        _ if canonical(text) || !numeric(text) => None,
        _ => {
            let what =
                format!("`{}` without quotes is a number to some programs, and not the same to all", shown(text));
            Some((what, format!("{quoted}; a whole number is written without leading zeros, points or letters")))
        }
    }
}

/// Whether a text is the one spelling of a whole number of 64 bits.
fn canonical(text: &str) -> bool {
    text.parse::<i64>().is_ok_and(|n| n.to_string() == text)
}

/// Whether some YAML parser in use (1.1 or 1.2) takes the text for a number.
fn numeric(text: &str) -> bool {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(bare.to_ascii_lowercase().as_str(), ".inf" | ".nan") {
        return true;
    }
    if let Some(("" | "0", digits)) = bare.split_once(['x', 'X', 'o', 'O', 'b', 'B'])
        && bare.starts_with('0')
    {
        return digits.bytes().any(|b| b.is_ascii_hexdigit())
            && digits.bytes().all(|b| b.is_ascii_hexdigit() || b == b'_');
    }
    let (mantissa, exponent) = bare.split_once(['e', 'E']).map_or((bare, None), |(m, e)| (m, Some(e)));
    let digits = |t: &str| t.bytes().any(|b| b.is_ascii_digit()) && t.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let point = mantissa.replacen('.', "", 1);
    digits(&point) && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(text: &str) -> Vec<String> {
        check(Source { text, file: "f" })
            .into_iter()
            .map(|e| format!("{} {}", e.at.unwrap_or_default(), e.what))
            .collect()
    }

    #[test]
    fn plain_documents_pass() {
        for text in [
            "a: 1\n",
            "---\na: [x, -2, \"0407\"]\nb: {c: true, d: null, e: false, f: }\n...\n",
            "- 5C\n- yes\n- no\n- on\n- '12'\n- 1.2.3\n- 12:30\n- 2026-11-30T05:00:00Z\n- 0\n- 12,2\n- e3\n- 0xZ\n- x_1\n",
            "\"5C\": 1\n5D: 2\n12: 3\n",
            "say: |\n  a\n  b: c\n",
            "{\"a\":[1,{\"b\":\"c\"}]}\n",
        ] {
            assert_eq!(what(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn every_fault_up_to_a_broken_grammar_is_told() {
        let text = "a: &x 1\nb: *x\nc: !!str 2\nd: *none\n<<: {e: 1}\na: 0407\n? [1]\n: 2\n";
        let all = what(text);
        let expect = [
            "line 1, column 4 a value that begins with `&`",
            "line 2, column 4 a value that begins with `*`",
            "line 3, column 4 a value that begins with `!`",
            "line 4, column 4 a value that begins with `*`",
            "line 5, column 1 the key `<<`",
            "line 6, column 1 `a` stands here twice; the first is on line 1",
            "line 6, column 4 `0407` without quotes",
            "line 7, column 3 a list or map cannot be a name",
        ];
        assert_eq!(all.len(), expect.len(), "{all:#?}");
        for (told, expected) in all.iter().zip(expect) {
            assert!(told.starts_with(&format!("f, {expected}")), "{told}");
        }
    }

    #[test]
    fn keys_twice_are_seen_in_every_spelling_and_only_in_one_map() {
        for text in ["a: 1\n\"a\": 2\n", "{a: 1, a: 2}", "12: 1\n'12': 2\n", "- x: {y: 1, 'y': 2}\n"] {
            assert!(what(text)[0].contains("twice"), "{text}");
        }
        assert!(what("- a: 1\n- a: 2\n").is_empty());
        assert!(what("a: {a: {a: a}}\n").is_empty());
    }

    #[test]
    fn depth_is_32_in_either_style_and_nodes_are_20_000() {
        let flow = |n: usize| "[".repeat(n) + &"]".repeat(n);
        let block = |n: usize| (0..n).map(|k| format!("{}a:\n", " ".repeat(k))).collect::<String>();
        assert_eq!(what(&flow(32)), [""; 0]);
        assert!(what(&flow(33))[0].contains("32 levels"), "{:?}", what(&flow(33)));
        assert_eq!(what(&block(32)), [""; 0]);
        assert!(what(&block(33))[0].contains("32 levels"), "{:?}", what(&block(33)));
        assert!(what(&flow(20_000))[0].contains("32 levels"));
        assert_eq!(what(&"- 1\n".repeat(19_999)), [""; 0]);
        assert!(what(&"- 1\n".repeat(20_000))[0].contains("20,000"));
    }

    #[test]
    fn a_file_without_content_says_so() {
        for text in ["", "\n\n", "# a note\n", "---\n", "---\n# x\n...\n", "\"\"\n"] {
            assert!(what(text)[0].contains("empty"), "{text:?}");
        }
    }

    #[test]
    fn two_documents_and_directives_are_refused() {
        assert!(what("a: 1\n---\nb: 2\n")[0].contains("second document"));
        assert!(!what("%YAML 1.1\n---\na: 1\n").is_empty());
        assert!(!what("%TAG ! x\n---\na: 1\n").is_empty());
    }

    /// The spellings of reports.md and their kin; right values from YAML 1.1's and 1.2's own patterns for numbers.
    #[test]
    fn spellings_parsers_disagree_on() {
        for text in [
            "0407",
            "0807",
            "0812",
            "017",
            "00",
            "-0",
            "+5",
            "-007",
            "0x12",
            "0X1f",
            "0o12",
            "0b11",
            "1e3",
            "5E1",
            "10E-2",
            "1_000",
            ".5",
            "5.",
            "1.0",
            "1.5e3",
            "+.inf",
            ".NaN",
            "-.INF",
            "9223372036854775808",
            "_1",
            "0x_1",
        ] {
            assert!(misread(text).is_some(), "{text}");
        }
        for text in [
            "407",
            "0",
            "-3",
            "9223372036854775807",
            "5C",
            "E5",
            "1A2",
            "yes",
            "no",
            "y",
            "on",
            ".",
            "-",
            "+",
            "e",
            "0x",
            "x12",
            "1-2",
            ".",
        ] {
            assert!(misread(text).is_none(), "{text}");
        }
    }
}
