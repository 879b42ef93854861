//! Documents exactly as programs write them (`schemas/protocol.md`, 3, "Documents"), read without a YAML parser.
//!
//! The strict reader of [`super::yaml`] looks at a text four times and costs many times what checking a signature does.
//! Nearly every document of a log, though, is the very text [`super::emit`] makes. Such a text is its own canonical
//! JSON with the lines joined, and that is how it is read here. What is taken is decided by writing, not by a second
//! grammar: the joined text must be, byte for byte, the canonical JSON of the value read from it. Fields in another
//! order, keys that stand twice, other spellings of numbers or text, nulls: all of it fails that comparison, is left to
//! the strict reader, and gets its verdict and words from there.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{lint, yaml};
use crate::error::Error;

/// Largest document read this way, in bytes; one so short cannot have too many values for the strict reader
/// ([`super::profile`]: 20,000).
const LARGEST: usize = 16 << 10;

/// Deepest nesting inside one line, well within the strict reader's 32.
const DEPTH: usize = 8;

/// Longest key, in bytes. YAML gives up on a key of more than 1,024 characters.
const KEY: usize = 256;

/// Most digits of a number: all such numbers fit in 64 bits.
const DIGITS: usize = 18;

/// Reads a typed document as [`yaml::read`] does, with the same values, faults and words, but faster if the text is as
/// [`super::emit`] writes it.
///
/// # Errors
/// As [`yaml::read`].
pub fn read_emitted<T: DeserializeOwned + Serialize>(text: &str, file: &str, limit: usize) -> Result<T, Vec<Error>> {
    if text.len() <= limit
        && let Some(value) = read_exact(text)
    {
        return Ok(value);
    }
    yaml::read(text, file, limit)
}

/// The value of a text that [`super::emit`] would write for it without escapes; `None` for any other text.
fn read_exact<T: DeserializeOwned + Serialize>(text: &str) -> Option<T> {
    if text.len() > LARGEST || !clean(text) {
        return None;
    }
    let json = join(text)?;
    let value: T = serde_json::from_str(&json).ok()?;
    (serde_json::to_string(&value).ok()? == json).then_some(value)
}

/// Whether the lint has nothing against the text. It has nothing to say about plain characters of ASCII, but may about
/// a `#` or a backtick.
fn clean(text: &str) -> bool {
    let plain = |b: u8| matches!(b, b'\n' | b' '..=b'~') && b != b'#' && b != b'`';
    text.bytes().all(plain) || lint::lint(text, "", LARGEST).is_ok()
}

/// The lines of a document as one JSON object. Each line is one field or one entry of a field and nothing else: were a
/// comma taken for one between fields, YAML would read the line otherwise.
fn join(text: &str) -> Option<String> {
    let mut json = String::with_capacity(text.len() + 64);
    let mut keys = BTreeSet::new();
    let mut close = None;
    json.push('{');
    for line in text.strip_suffix('\n')?.split('\n') {
        if let Some(inner) = line.strip_prefix("  ") {
            let (open, end, value) = entry(inner)?;
            match close {
                Some(None) => json.push(open),
                Some(Some(before)) if before == end => json.push(','),
                _ => return None,
            }
            close = Some(Some(end));
            let key = inner.get(..inner.len() - value.len())?.strip_suffix(' ')?;
            if end == '}' {
                json.push_str(key);
            }
            json.push_str(value);
        } else {
            match close.take() {
                Some(None) => return None,
                Some(Some(end)) => json.push(end),
                None => {}
            }
            if json.len() > 1 {
                json.push(',');
            }
            let (key, value) = line.split_once(':')?;
            if !field(key) || !keys.insert(key) {
                return None;
            }
            json.push('"');
            json.push_str(key);
            json.push_str("\":");
            match value.strip_prefix(' ') {
                Some("{}") => json.push_str("{}"),
                Some("[]") => json.push_str("[]"),
                Some(value) if !value.starts_with(['{', '[']) && whole(value) => json.push_str(value),
                None if value.is_empty() => close = Some(None),
                _ => return None,
            }
        }
    }
    match close {
        Some(None) => return None,
        Some(Some(end)) => json.push(end),
        None => {}
    }
    json.push('}');
    Some(json)
}

/// The name of a field, none that YAML takes for a truth value or for nothing.
fn field(key: &str) -> bool {
    let letters = key.bytes().all(|b| matches!(b, b'a'..=b'z' | b'_'));
    letters && !key.is_empty() && key.len() <= KEY && !matches!(key, "null" | "true" | "false")
}

/// An entry below a field: `"key": value` of a map or `- value` of a list, as brackets and value.
fn entry(inner: &str) -> Option<(char, char, &str)> {
    let found = if let Some(value) = inner.strip_prefix("- ") {
        ('[', ']', value)
    } else {
        let key = text(inner).filter(|n| *n <= KEY)?;
        ('{', '}', inner.get(key..)?.strip_prefix(": ")?)
    };
    whole(found.2).then_some(found)
}

/// The length of the quoted text with which a line begins, quotation marks included.
fn text(line: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in line.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return line.starts_with('"').then_some(at + 1),
            _ => {}
        }
    }
    None
}

/// Whether a text, if it is part of sound JSON, is one value and no more, of the kind every YAML reader takes: not too
/// deep, no long keys, no number but a whole one that fits.
fn whole(value: &str) -> bool {
    let (mut rest, mut depth, mut digits, mut last) = (value, 0usize, 0usize, 0usize);
    while let Some(first) = rest.bytes().next() {
        let mut length = 1;
        digits = if first.is_ascii_digit() { digits + 1 } else { 0 };
        match first {
            b'"' => match text(rest) {
                Some(n) => (length, last) = (n, n),
                None => return false,
            },
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 0 => depth -= 1,
            b',' if depth > 0 => {}
            b':' if depth > 0 && last <= KEY => {}
            b'0'..=b'9' | b'-' | b'a'..=b'z' => {}
            _ => return false,
        }
        if depth > DEPTH || digits > DIGITS {
            return false;
        }
        let Some(more) = rest.get(length..) else { return false };
        // A number with an exponent: `1e5`.
        if digits > 0 && more.starts_with('e') {
            return false;
        }
        rest = more;
    }
    depth == 0 && !value.is_empty()
}

#[cfg(test)]
#[path = "emitted_tests.rs"]
mod tests;
