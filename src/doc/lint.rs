//! The look at a text before any parser sees it: what cannot be seen or only looks right is named, with its place
//! and what to type instead (`schemas/design.md`, 7).
//!
//! Two classes are told apart. Characters that act on the layout or cannot be seen are refused wherever they stand, in
//! notes too, because parsers differ about them. Characters that only look like the right ones (typographic quotation
//! marks, Cyrillic А for A) are refused where they would be read as YAML or as a name, and left alone in notes and,
//! where they cannot be mistaken, in quoted text.

use std::ops::Range;

use super::excerpt::Source;
use super::scan::{Scanner, Spot};
use crate::error::Error;

/// Most problems told of at once.
pub(super) const MOST: usize = 20;

/// A character that must not stand where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fault {
    span: Range<usize>,
    what: String,
    next: String,
}

/// Takes bytes as text.
///
/// # Errors
/// If they are not UTF-8: what the file is instead, as far as can be told, and how to save it again.
pub fn decode<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, Error> {
    let again = "open it in Notepad, choose Save As, and there the encoding UTF-8";
    let source = Source { text: "", file };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(source.whole("this file is saved as UTF-16 (\"Unicode\"), not as UTF-8").next(again));
    }
    if bytes.iter().take(4096).filter(|b| **b == 0).count() > 1 {
        return Err(source
            .whole("this is no text file")
            .next("give the file you wrote in the editor, not an archive or document"));
    }
    std::str::from_utf8(bytes).map_err(|e| {
        let good = bytes.get(..e.valid_up_to()).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or("");
        let byte = bytes.get(good.len()).copied().unwrap_or_default();
        let place = Source { text: good, file };
        place
            .error(good.len()..good.len(), format!("this file is not saved as UTF-8 (byte {byte:02X} here)"))
            .next(again)
    })
}

/// Checks a text of at most `limit` bytes and takes a byte-order mark off its start.
///
/// # Errors
/// The first 20 problems, each with line and column and what to type instead.
pub fn lint<'a>(text: &'a str, file: &str, limit: usize) -> Result<&'a str, Vec<Error>> {
    if text.len() > limit {
        let what = format!("this file has {} bytes; the most here is {limit}", text.len());
        return Err(vec![Source { text, file }.whole(what).next("is it the right file?")]);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source { text, file };
    let faults: Vec<Error> =
        faults(text, MOST).into_iter().map(|f| source.error(f.span, f.what).next(f.next)).collect();
    if faults.is_empty() { Ok(text) } else { Err(faults) }
}

/// Writes as `\u` escapes what [`lint`] would refuse in a text whose characters beyond ASCII all stand in
/// double-quoted strings, so that what this program writes it also reads.
pub(crate) fn escape(text: &str) -> String {
    let faults = faults(text, usize::MAX);
    if faults.is_empty() {
        return text.to_owned();
    }
    let mut faults = faults.iter().peekable();
    let mut out = String::with_capacity(text.len() + 64);
    for (at, c) in text.char_indices() {
        while faults.next_if(|f| f.span.end <= at).is_some() {}
        if !c.is_ascii() && faults.peek().is_some_and(|f| f.span.contains(&at)) || c == '\u{7f}' {
            out.push_str(&c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04x}")).collect::<String>());
        } else {
            out.push(c);
        }
    }
    out
}

/// All faults in the order in which they stand, at most `most`.
fn faults(text: &str, most: usize) -> Vec<Fault> {
    faults_unless(text, most, is_plain)
}

/// The same, lines left out that cannot have any.
fn faults_unless(text: &str, most: usize, plain: fn(&str) -> bool) -> Vec<Fault> {
    let (mut found, mut scanner, mut at) = (Vec::new(), Scanner::default(), 0);
    for whole in text.split_inclusive('\n') {
        let line = whole.strip_suffix('\n').map_or(whole, |l| l.strip_suffix('\r').unwrap_or(l));
        let here = found.len();
        let outside = scanner.outside();
        if outside && plain(line) {
            at += whole.len();
            continue;
        }
        hidden(line, at, &mut found);
        let spots = scanner.line(line, at);
        if outside && mail(line, at, &mut found) {
            break;
        }
        marks(&spots, &mut found);
        note(line, at, scanner.note, &spots, &mut found);
        words(&spots, &mut found);
        if let Some(new) = found.get_mut(here..) {
            new.sort_by_key(|f| f.span.start);
        }
        if found.len() >= most {
            break;
        }
        at += whole.len();
    }
    found.truncate(most);
    found
}

/// Whether a line is a name and one quoted run of letters, digits and the marks of base64, as the program writes hashes and
/// what is locked: nothing can hide in it. Most bytes of signed files are such, and they are read often.
fn is_plain(line: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric();
    let Some((name, value)) = line.trim_start_matches(' ').split_once(": \"") else { return false };
    let bare = name.strip_prefix('"').and_then(|n| n.strip_suffix('"')).unwrap_or(name);
    bare.bytes().next().is_some_and(word)
        && bare.bytes().all(|b| word(b) || b"/-_".contains(&b))
        && value.strip_suffix('"').is_some_and(|v| v.bytes().all(|b| word(b) || b"+/=".contains(&b)))
}

/// Characters that cannot be seen, or act on the layout, wherever they stand. A run of one of them is one fault.
fn hidden(line: &str, offset: usize, found: &mut Vec<Fault>) {
    let mut last: Option<(char, usize)> = None;
    for (at, c) in line.char_indices() {
        let end = offset + at + c.len_utf8();
        let Some((name, next)) = unseen(c) else {
            last = None;
            continue;
        };
        match (last, found.last_mut()) {
            (Some((same, up_to)), Some(fault)) if same == c && up_to == offset + at => fault.span.end = end,
            _ => found.push(Fault {
                span: offset + at..end,
                what: format!("there is {name} (U+{:04X}) here", u32::from(c)),
                next: next.to_owned(),
            }),
        }
        last = Some((c, end));
    }
}

fn unseen(c: char) -> Option<(&'static str, &'static str)> {
    let blank = "delete it and type an ordinary blank";
    let delete = "delete it, or type the whole line anew";
    Some(match c {
        '\t' => ("a tab", "delete it and type blanks"),
        '\r' => ("a line end of an old kind (CR without LF)", "save the file again with Notepad"),
        '\u{a0}' => ("a no-break space", blank),
        '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            ("a blank of another width", blank)
        }
        '\u{85}' | '\u{2028}' | '\u{2029}' => ("a line end of a special kind", "delete it and press Enter"),
        '\u{ad}' => ("a hidden hyphen", delete),
        '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{180e}' => ("an invisible character", delete),
        '\u{feff}' => ("a byte-order mark in the middle of the text", delete),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' => {
            ("an invisible mark that turns the direction of writing", delete)
        }
        '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' => ("a character that is no text", delete),
        c if c.is_control() => ("a control character", delete),
        _ => return None,
    })
}

/// What a mail program adds: a footer, or marks of quotation. Everything below a footer is not looked at.
fn mail(line: &str, at: usize, found: &mut Vec<Fault>) -> bool {
    let span = at..at + line.len();
    if line.trim_end() == "--" {
        let what = "the footer of a mail begins here".to_owned();
        found.push(Fault { span, what, next: "delete this line and everything below it".to_owned() });
        return true;
    }
    let bare = line.trim_start_matches(['>', ' ']);
    if line.starts_with("> ") && !bare.is_empty() {
        let what = "this line is quoted by a mail program (`>`)".to_owned();
        found.push(Fault { span, what, next: "delete the `>` here and on all lines below".to_owned() });
        return true;
    }
    false
}

/// A value that a note cuts short: of `42nd #2 Coy` YAML keeps `42nd`.
fn note(line: &str, offset: usize, note: Option<usize>, spots: &[Spot], found: &mut Vec<Fault>) {
    let Some(at) = note else { return };
    let next = line.get(at - offset + 1..).and_then(|t| t.chars().next()).unwrap_or(' ');
    let Some(last) = spots.iter().rev().find(|s| s.c != ' ') else { return };
    if next.is_alphanumeric()
        && !last.quoted
        && last.at + last.c.len_utf8() + 1 == at
        && !matches!(last.c, ':' | ']' | '}' | ',' | '-')
    {
        found.push(Fault {
            span: at..offset + line.len(),
            what: "everything behind a `#` is a note, not part of the value".to_owned(),
            next: "put the value in quotes; if it is a note, put a blank behind the #".to_owned(),
        });
    }
}

/// Typographic marks where plain ones belong, outside quoted text.
fn marks(spots: &[Spot], found: &mut Vec<Fault>) {
    let mut opened = false;
    for (n, spot) in spots.iter().enumerate().filter(|(_, s)| !s.quoted) {
        let neighbour = |k: usize| spots.get(k).filter(|s| !s.quoted).map_or(' ', |s| s.c);
        let (before, after) = (n.checked_sub(1).map_or(' ', neighbour), neighbour(n + 1));
        let plain = match spot.c {
            // An apostrophe in a word is text like any other.
            '\u{2019}' if !opened && before.is_alphanumeric() => continue,
            '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '`' if spot.c != '`' || spot.start => '\'',
            '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2033}' | '\u{301d}'..='\u{301f}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2022}' | '\u{b7}' | '\u{25cf}' | '\u{25aa}'
                if spot.start && (after == ' ' || after.is_ascii_digit()) =>
            {
                '-'
            }
            '\u{ff01}'..='\u{ff5e}' => wide(spot.c),
            _ => continue,
        };
        opened |= plain == '\'';
        let name = match plain {
            '\'' | '"' => "a typographic quotation mark",
            '-' => "a long dash or bullet",
            _ => "a wide character",
        };
        found.push(Fault {
            span: spot.at..spot.at + spot.c.len_utf8(),
            what: format!("`{}` (U+{:04X}) is {name}", spot.c, u32::from(spot.c)),
            next: format!("delete it and type {plain} instead"),
        });
    }
}

/// Letters of another alphabet that look like Latin ones, in words that would be read as names.
fn words(spots: &[Spot], found: &mut Vec<Fault>) {
    // A line in Russian or Greek has letters that look like no others.
    let prose = spots.iter().any(|s| foreign(s.c) && alike(s.c).is_none());
    for word in
        spots.chunk_by(|a, b| a.c.is_alphanumeric() && b.c.is_alphanumeric() && a.quoted == b.quoted && a.joins(b))
    {
        let latin = word.iter().any(|s| s.c.is_ascii_alphabetic());
        let digit = word.iter().any(|s| s.c.is_ascii_digit());
        let all = word.iter().all(|s| s.c.is_ascii_digit() || alike(s.c).is_some());
        let upper = word.iter().all(|s| s.c.is_ascii_digit() || s.c.is_uppercase());
        if !latin && (prose || !all || !(digit || upper)) {
            continue;
        }
        for spot in word {
            let wide = matches!(spot.c, '\u{ff01}'..='\u{ff5e}');
            let Some(meant) = alike(spot.c).filter(|_| spot.quoted || !wide) else { continue };
            let alphabet = match spot.c {
                '\u{370}'..='\u{3ff}' => "a Greek",
                '\u{400}'..='\u{52f}' => "a Cyrillic",
                _ => "a wide",
            };
            found.push(Fault {
                span: spot.at..spot.at + spot.c.len_utf8(),
                what: format!(
                    "this `{}` (U+{:04X}) is {alphabet} letter that only looks like {meant}",
                    spot.c,
                    u32::from(spot.c)
                ),
                next: format!("delete it and type {meant} on a Latin keyboard"),
            });
        }
    }
}

fn foreign(c: char) -> bool {
    c.is_alphabetic() && matches!(c, '\u{370}'..='\u{3ff}' | '\u{400}'..='\u{52f}')
}

/// The Latin letter or digit a character of another alphabet looks like.
fn alike(c: char) -> Option<char> {
    const LATIN: &str = "ABCEHIJKMOPSTXYYacehijopsxydqwABEHIKMNOPTXYZov";
    const OTHER: &str = "АВСЕНІЈКМОРЅТХУҮасеһіјорѕхуԁԛԝΑΒΕΗΙΚΜΝΟΡΤΧΥΖον";
    match c {
        '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => Some(wide(c)),
        _ if c.is_ascii() => None,
        _ => OTHER.chars().zip(LATIN.chars()).find(|(other, _)| *other == c).map(|(_, latin)| latin),
    }
}

/// The ASCII character a full-width one (U+FF01 to U+FF5E) stands for.
fn wide(c: char) -> char {
    u32::from(c).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(c)
}

#[cfg(test)]
#[path = "lint_tests.rs"]
mod tests;
