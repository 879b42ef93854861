//! What parser and serde say, said for people who have never heard of either.

use std::ops::Range;

use serde_yaml::Error as Fault;
use serde_yaml::granit_parser::{ErrorKind, ScanError};

use super::excerpt::Source;
use super::profile::shown;
use super::scan;
use super::suggest;
use crate::error::Error;

/// What is wrong and what to do.
type Said = (String, String);

const UNCLOSED: &str = "a quotation mark that opens here is never closed";

/// A fault of the grammar.
pub(super) fn grammar(fault: &ScanError, source: Source<'_>) -> Error {
    use ErrorKind as K;
    let mark = fault.marker();
    let (what, next) = match fault.kind() {
        K::UnexpectedEofFlowSequence | K::ExpectedFlowSequenceSeparator => {
            ("a list that began with `[` is not closed before this", "close it with `]`, with commas between its items")
        }
        K::UnexpectedEofFlowMapping | K::UnexpectedEofImplicitFlowMapping | K::ExpectedFlowMappingSeparator => (
            "a group that began with `{` is not closed before this",
            "close it with `}`, with commas between its entries",
        ),
        K::UnclosedFlowCollection { .. } => {
            ("a bracket that opens here is never closed", "close it, or put the text in quotes")
        }
        K::MisplacedFlowCollectionEnd | K::MismatchedFlowCollectionEnd { .. } => {
            ("this bracket closes nothing, or another kind of bracket", "pair `[` with `]` and `{` with `}`")
        }
        K::UnclosedQuotedScalar | K::DocumentIndicatorInQuotedScalar | K::InvalidQuotedScalarIndent => {
            (UNCLOSED, "put the closing quotation mark behind the text")
        }
        K::InvalidTrailingDoubleQuotedScalar | K::InvalidTrailingSingleQuotedScalar => {
            ("something stands behind the closing quotation mark", "delete it, or put it inside the quotation marks")
        }
        K::UnknownQuotedScalarEscape | K::InvalidQuotedScalarHexEscape | K::InvalidUnicodeEscape => (
            "a backslash in double quotes means something else here",
            "write two backslashes, or use single quotes '...'",
        ),
        K::MappingValueNotAllowed | K::InvalidColonPlacement => (
            "a second colon on one line, or a line that stands too far right",
            "put text with a colon in quotes, or line the names up under each other",
        ),
        K::ExpectedBlockMappingKey | K::SimpleKeyExpected | K::InvalidSimpleKey
            if beside_empty_list(source.text, source.offset(mark.line(), mark.col() + 1)) =>
        {
            ("`[]` stands for an empty list, and there is something in the list", "delete the line with `[]`")
        }
        K::ExpectedBlockMappingKey | K::SimpleKeyExpected | K::InvalidSimpleKey => (
            "a line of the form `name: value` is expected here",
            "put a colon and a blank behind the name, and line the names up under each other",
        ),
        K::InvalidMappingValueWhitespace => ("a blank is missing behind the colon", "write `name: value`"),
        K::ExpectedBlockSequenceEntry | K::BlockSequenceEntryNotAllowed | K::InvalidBlockEntryWhitespace => (
            "a list item does not stand where it could",
            "begin each item with `- `, all in one column, on lines of their own",
        ),
        K::BlockEntryInFlowCollection => {
            ("`- ` does not belong in brackets", "separate the items in brackets with commas")
        }
        K::InvalidIndentation | K::InvalidFlowScalarIndent | K::InvalidBlockScalarIndent => (
            "this line begins too far left or right",
            "put blanks before it: what belongs to a line above stands further right than that line, brackets that close too; or close a bracket left open above",
        ),
        K::UnexpectedCharacter { .. } => ("no value can begin with this character", "put the value in quotes"),
        K::MissingAnchorOrAliasName | K::MissingTagUri => {
            ("no value can begin with `*`, `&` or `!`", "put it in quotes")
        }
        K::DirectiveDisallowed => ("a line that begins with `%` is not taken here", "delete it"),
        K::RecursionLimitExceeded => {
            ("this is nested deeper than 32 levels", "no document here is; is it the right file?")
        }
        _ => {
            return source
                .error_at(mark.line(), mark.col() + 1, format!("this cannot be read: {}", fault.info()))
                .next("compare the line with the template");
        }
    };
    let at = source.offset(mark.line(), mark.col() + 1);
    // The parser sees a missing quotation mark only where the text has run on too far.
    if let (true, Some(open)) = (what == UNCLOSED, scan::open_quote(source.text, at)) {
        return source.error(open..open + 1, what).next(next);
    }
    source.error_at(mark.line(), mark.col() + 1, what).next(next)
}

/// A fault of a value against its type.
pub(super) fn typed(fault: &Fault, source: Source<'_>) -> Error {
    let place = fault.location().filter(|l| l.line() > 0);
    let (line, column) = place.map_or((0, 0), |l| (number(l.line()), number(l.column())));
    let start = source.offset(line, column);
    let word = if place.is_some() { source.word(start) } else { "" };
    if let Some(bare) = bare_choice(fault, source.text, start) {
        let name = source.text.get(bare.clone()).unwrap_or("").to_owned();
        if not_set_in(source.text, &bare) {
            let next = "put more blanks before the lines below it: they stand further right than its first letter";
            return source.error(bare, format!("what belongs to `{name}` stands in one column with it")).next(next);
        }
        let next = format!("write `{name}: {{}}`: this choice can have more behind its colon");
        return source.error(bare, format!("`{name}` does not stand alone")).next(next);
    }
    if let Fault::SerdeMissingField { field, .. } = fault
        && let Some(meant) = misspelt(field, source.text, start)
    {
        let (what, next) = unknown(source.text.get(meant.clone()).unwrap_or(""), &[field]);
        return source.error(meant, what).next(next);
    }
    let (what, next) = match fault {
        Fault::WithSnippet { error, .. } | Fault::AliasError { error, .. } => return typed(error, source),
        Fault::SerdeUnknownField { field, expected, .. } => unknown(field, expected),
        // Nothing at all is read as `~`.
        Fault::SerdeUnknownVariant { variant, expected, .. } if variant == "~" && !word.starts_with('~') => {
            ("a word is missing here".to_owned(), suggest::advice("", expected))
        }
        Fault::SerdeUnknownVariant { variant, expected, .. } => unknown(variant, expected),
        Fault::SerdeMissingField { field, .. } => missing(field),
        Fault::SerdeInvalidType { unexpected, expected, .. }
        | Fault::SerdeInvalidValue { unexpected, expected, .. } => mismatch(unexpected, expected),
        Fault::SerdeInvalidLength { len, expected, .. } => {
            (format!("{len} items stand here; {expected} belongs here"), String::new())
        }
        Fault::DuplicateMappingKey { key, .. } => twice(key.as_deref().unwrap_or("")),
        Fault::InvalidScalar { ty, .. } => mismatch(&format!("string \"{}\"", shown(word)), ty),
        Fault::Unexpected { expected, .. } => (format!("{} belongs here", plain(expected)), form(expected)),
        Fault::InvalidBooleanStrict { .. } => {
            ("true or false belongs here".to_owned(), "write true or false".to_owned())
        }
        Fault::NullIntoString { .. } | Fault::InvalidCharNull { .. } => {
            ("text is missing here".to_owned(), "write it behind the colon; no text at all is written \"\"".to_owned())
        }
        Fault::ExternallyTaggedEnumExpectedScalarOrMapping { .. }
        | Fault::ExpectedStringKeyForExternallyTaggedEnum { .. }
        | Fault::ExpectedMappingEndAfterEnumVariantValue { .. } => {
            ("one word, or one `name: value`, belongs here".to_owned(), "write one choice only".to_owned())
        }
        Fault::UnexpectedValueForUnitEnumVariant { .. } => (
            format!("`{}` is a word that stands alone", shown(word)),
            "delete the colon and what is behind it".to_owned(),
        ),
        Fault::Message { msg, .. } | Fault::SerdeVariantId { msg, .. } => serde(msg),
        other => (
            format!("this cannot be read: {}", first_line(&other.to_string())),
            "compare it with the template".to_owned(),
        ),
    };
    match place {
        None => source.whole(what).next(next),
        Some(_) => source.error(start..start + word.len(), what).next(next),
    }
}

/// A parser's message inside a longer sentence, said for people: what stands behind `not an entry:` or `cannot be
/// read:` is reworded, the place in a line of the log left out. Text without such a message is returned as it is.
#[must_use]
pub fn in_plain_words(sentence: &str) -> String {
    let heads = ["not an entry: ", "cannot be read: "];
    let Some((at, head)) = heads.iter().find_map(|h| sentence.find(h).map(|at| (at, h))) else {
        return sentence.to_owned();
    };
    let (before, message) = (sentence.get(..at).unwrap_or(""), sentence.get(at + head.len()..).unwrap_or(""));
    let (message, rule) = match message.rsplit_once(" [") {
        Some((message, rule)) if rule.ends_with(']') => (message, format!(" [{rule}")),
        _ => (message, String::new()),
    };
    let column = message.rsplit_once(" column ").and_then(|(_, n)| n.parse::<usize>().ok());
    let message = message.rsplit_once(" at line ").map_or(message, |(m, _)| m);
    let said = match message {
        m if m.starts_with("EOF ") => "it breaks off in the middle".to_owned(),
        m if m.starts_with("expected ") || m.starts_with("key must") || m.starts_with("trailing ") => {
            column.map_or("it is damaged".to_owned(), |n| format!("it is damaged at character {n}"))
        }
        m => match serde(m) {
            (what, next) if next.starts_with("did you mean") => format!("{what} ({next})"),
            (what, _) => what,
        },
    };
    let head = if head.starts_with("not") { "no entry this program writes" } else { "cannot be read" };
    format!("{before}{head}: {said}{rule}")
}

/// A message as serde composes it, for the places where nothing better is known.
pub(super) fn serde(message: &str) -> Said {
    let ticks = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let names = ticks(message);
    if let (true, Some((name, rest))) = (message.starts_with("unknown "), names.split_first()) {
        return unknown(name, &rest.iter().map(String::as_str).collect::<Vec<_>>());
    }
    match (message.split_once(' '), names.first()) {
        (Some(("missing", _)), Some(name)) => missing(name),
        (Some(("duplicate", _)), Some(name)) => twice(name),
        (Some(("invalid", rest)), _) => match rest.split_once(": ").and_then(|(_, t)| t.rsplit_once(", expected ")) {
            Some((found, expected)) => mismatch(found, expected),
            None => (message.to_owned(), String::new()),
        },
        _ => (message.to_owned(), String::new()),
    }
}

fn unknown(name: &str, known: &[&str]) -> Said {
    (format!("`{}` is not known here", shown(name)), suggest::advice(name, known))
}

fn missing(name: &str) -> Said {
    (format!("`{name}` is missing here"), format!("add `{name}: ...`, in one column with its neighbours"))
}

fn twice(name: &str) -> Said {
    (format!("`{}` stands here twice", shown(name)), "keep one of the two".to_owned())
}

fn mismatch(found: &str, expected: &str) -> Said {
    (format!("{} belongs here, not {}", plain(expected), thing(found)), form(expected))
}

/// What was found, from serde's words for it.
fn thing(found: &str) -> String {
    let tail = |head: &str| found.strip_prefix(head);
    if let Some(text) = tail("string ") {
        return shown(text);
    }
    if let Some(n) = tail("integer ") {
        return format!("the number {}", n.trim_matches('`'));
    }
    if let Some(n) = tail("floating point ") {
        return format!("the fraction {}", n.trim_matches('`'));
    }
    if let Some(b) = tail("boolean ") {
        return b.trim_matches('`').to_owned();
    }
    match found {
        "sequence" => "a list",
        "map" => "a group of `name: value`",
        "null" | "unit value" | "Option value" => "nothing",
        other => other,
    }
    .to_owned()
}

/// What was expected, from serde's or a type's words for it.
fn plain(expected: &str) -> String {
    let whole = |most: u64| format!("a whole number from 0 to {most}");
    match expected {
        "u8" => whole(u64::from(u8::MAX)),
        "u16" => whole(u64::from(u16::MAX)),
        "u32" | "u64" | "usize" => "a whole number, 0 or more,".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "integer" => "a whole number".to_owned(),
        "bool" | "boolean" | "a boolean" => "true or false".to_owned(),
        "a string" | "string" | "string scalar" => "text".to_owned(),
        "a sequence" | "sequence start" => "a list".to_owned(),
        "a map" | "mapping start" => "a group of `name: value`".to_owned(),
        e if e.starts_with("struct ") => "a group of `name: value`".to_owned(),
        e if e.starts_with("enum ") || e.contains("variant") => "one of the words of the template".to_owned(),
        e => e.to_owned(),
    }
}

/// How the expected is written.
fn form(expected: &str) -> String {
    match expected {
        "a string" | "string" | "string scalar" => "put it in quotes",
        "a sequence" | "sequence start" => "write [a, b], or one `- ` a line",
        e if e.starts_with("struct ") || matches!(e, "a map" | "mapping start") => {
            "write `name: value`, one a line, set in from the line above"
        }
        _ => "",
    }
    .to_owned()
}

/// The bare word `done` where `done: {}` belongs: the parser stumbles only over what comes behind it, as if that were
/// inside (a fault of `}`, or an unknown name in the next item).
fn bare_choice(fault: &Fault, text: &str, start: usize) -> Option<Range<usize>> {
    let (leads, same_list): (&[char], bool) = match fault {
        Fault::Unexpected { expected: "mapping start", .. } => (&['-', '[', ',', ':'], false),
        Fault::SerdeUnknownField { .. } | Fault::SerdeMissingField { .. } => (&['-', '[', ','], true),
        _ => return None,
    };
    let upto = text.get(..start)?;
    let mut before = upto.trim_end_matches([' ', '\n', '\r', ',', '-', '{']);
    // The template has notes between the orders and what follows them.
    while let Some((above, _)) = before.rsplit_once('\n').filter(|(_, line)| line.trim_start().starts_with('#')) {
        before = above.trim_end_matches([' ', '\n', '\r', ',', '-', '{']);
    }
    if same_list && !upto.get(before.len()..)?.contains([',', '-']) {
        return None;
    }
    let word = before.rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).map_or(0, |at| at + 1);
    let alone = before.get(..word)?.trim_end().ends_with(leads);
    (alone && word < before.len()).then_some(word..before.len())
}

/// Whether the line of a fault, or the last line above it that says anything, is `[]`: what the template has for a list
/// nothing is written in yet.
fn beside_empty_list(text: &str, at: usize) -> bool {
    let upto = text.get(..at).unwrap_or("");
    let begin = upto.rfind('\n').map_or(0, |n| n + 1);
    let here = text.get(begin..).and_then(|rest| rest.lines().next()).unwrap_or("");
    let says = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let above = text.get(..begin).and_then(|before| before.lines().rev().find(says)).unwrap_or("");
    [here, above].iter().any(|line| line.trim() == "[]")
}

/// Whether the names below a choice and its colon stand in the same column as the choice.
fn not_set_in(text: &str, choice: &Range<usize>) -> bool {
    let begin = text.get(..choice.start).and_then(|before| before.rfind('\n')).map_or(0, |n| n + 1);
    let column = text.get(begin..choice.start).map_or(0, |before| before.chars().count());
    let Some(rest) = text.get(choice.end..).and_then(|rest| rest.strip_prefix(':')) else { return false };
    let (same, below) = rest.split_once('\n').unwrap_or((rest, ""));
    let next = below.lines().next().unwrap_or("");
    let blanks = next.chars().take_while(|c| *c == ' ').count();
    same.trim().is_empty() && blanks == column && next.contains(':') && !next.trim_start().starts_with('-')
}

/// Names of orders that are near one another. None of them is a slip for another: it stands where it may, and the other is
/// missing beside it.
const NAMES: &[&str] = &["when", "then", "path", "at", "hex", "form", "formation", "leader", "unit", "move", "mp"];

/// A name on the line of a fault, or the line above, that is near the name missing there.
fn misspelt(field: &str, text: &str, at: usize) -> Option<Range<usize>> {
    let upto = text.get(..at)?;
    let first = upto.rmatch_indices('\n').nth(1).map_or(0, |(n, _)| n + 1);
    let last = text.get(at..)?.find('\n').map_or(text.len(), |n| at + n);
    let mut found = None;
    let mut begin = first;
    for piece in text.get(first..last)?.split_inclusive(':') {
        let end = begin + piece.len();
        if let Some(name) = piece.strip_suffix(':') {
            let word = name.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).map_or(0, |n| n + 1);
            let word = name
                .get(word..)
                .filter(|w| *w != field && !NAMES.contains(w) && suggest::nearest(w, &[field]).is_some());
            if let Some(word) = word {
                let span = end - 1 - word.len()..end - 1;
                if found.replace(span).is_some() {
                    return None;
                }
            }
        }
        begin = end;
    }
    found
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

fn number(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_parser_says_inside_a_sentence_is_reworded() {
        for (raw, said) in [
            (
                "not an entry: unknown field `hows`, expected one of `i`, `how` at line 1 column 95",
                "no entry this program writes: `hows` is not known here (did you mean `how`?)",
            ),
            (
                "not an entry: EOF while parsing a string at line 1 column 20",
                "no entry this program writes: it breaks off in the middle",
            ),
            (
                "not an entry: expected `,` or `}` at line 1 column 7",
                "no entry this program writes: it is damaged at character 7",
            ),
            (
                "its orders are against the rules: t1: cannot be read: unknown variant `up`, expected `stop` at line 1 column 4 [NAV-5.1]",
                "its orders are against the rules: t1: cannot be read: `up` is not known here [NAV-5.1]",
            ),
            ("nothing of the kind", "nothing of the kind"),
        ] {
            assert_eq!(in_plain_words(raw), said);
        }
    }

    #[test]
    fn serde_messages_are_reworded() {
        for (message, what, next) in [
            (
                "unknown field `plots`, expected one of `plot`, `fire`",
                "`plots` is not known here",
                "did you mean `plot`?",
            ),
            ("unknown field `zzzzzz`, there are no fields", "`zzzzzz` is not known here", "nothing may stand here"),
            ("unknown variant `Any`, expected `any` or `hold`", "`Any` is not known here", "did you mean `any`?"),
            ("missing field `step`", "`step` is missing here", "add `step: ...`, in one column with its neighbours"),
            ("duplicate field `a`", "`a` stands here twice", "keep one of the two"),
            ("invalid type: integer `5`, expected a string", "text belongs here, not the number 5", "put it in quotes"),
            (
                "invalid value: integer `300`, expected u8",
                "a whole number from 0 to 255 belongs here, not the number 300",
                "",
            ),
            (
                "invalid type: string \"a, expected b\", expected a sequence",
                "a list belongs here, not \"a, expected b\"",
                "write [a, b], or one `- ` a line",
            ),
            ("hex 41A lies outside the board", "hex 41A lies outside the board", ""),
        ] {
            assert_eq!(serde(message), (what.to_owned(), next.to_owned()));
        }
    }
}
