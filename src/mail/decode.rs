//! Line ends, transfer encodings and charsets, undone leniently: a wrong guess costs nothing, because only a checksum
//! or a signature can make a file of the result.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use mail_parser::decoders::charsets::map::charset_decoder;

/// Takes base64 whether or not its last characters are as they should be.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The characters of windows-1252 from 0x80 to 0x9f; the five holes stand for themselves, as in browsers.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Every kind of line end as LF: CRLF, CR alone, and the CR CR LF of gateways that convert twice.
pub(super) fn lf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut returns = 0;
    for &b in bytes {
        match b {
            b'\r' => returns += 1,
            b'\n' => {
                out.push(b'\n');
                returns = 0;
            }
            _ => {
                out.extend(std::iter::repeat_n(b'\n', returns));
                returns = 0;
                out.push(b);
            }
        }
    }
    out.extend(std::iter::repeat_n(b'\n', returns));
    out
}

/// Base64 of any width, with anything foreign in it passed over. It ends with the padding: list servers put their
/// footer behind it.
pub(super) fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for &b in bytes {
        match b {
            b'=' if kept.len() % 4 >= 2 => break,
            b if b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/') => kept.push(b),
            _ => {}
        }
    }
    // One character alone is no byte.
    if kept.len() % 4 == 1 {
        kept.pop();
    }
    LENIENT.decode(kept).unwrap_or_default()
}

/// Whether a text is nothing but base64: its encoding was lost, or done twice.
pub(super) fn is_base64(text: &str) -> bool {
    let blank = |b: u8| b.is_ascii_whitespace();
    let good = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
    let text = text.trim();
    text.len() >= 40 && text.bytes().all(|b| good(b) || blank(b)) && !text.lines().any(|l| l.trim().contains(' '))
}

/// Quoted-printable; an `=` that begins no code stays an `=`.
pub(super) fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let ended = line.ends_with(b"\n");
        let line = line.trim_ascii_end();
        let (line, soft) = line.strip_suffix(b"=").map_or((line, false), |l| (l, true));
        let mut rest = line;
        while let Some((&first, more)) = rest.split_first() {
            match (first, more) {
                (b'=', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                    out.push(digit(*high) << 4 | digit(*low));
                    rest = after;
                }
                _ => {
                    out.push(first);
                    rest = more;
                }
            }
        }
        if ended && !soft {
            out.push(b'\n');
        }
    }
    out
}

fn digit(b: u8) -> u8 {
    char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok()).unwrap_or(0)
}

/// Whether a text looks as if quoted-printable were still in it.
pub(super) fn is_quoted_printable(text: &str) -> bool {
    text.contains("=3D") || text.contains("=3d") || text.contains("=20\n") || text.contains("=\n")
}

/// The bytes as text in every way they may be meant: as UTF-8, in the charset declared, and in the usual wrong ones.
pub(super) fn texts(bytes: &[u8], declared: Option<&str>) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(charset) = utf_16(bytes) {
        found.extend(charset_decoder(charset).map(|decode| decode(bytes)));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let utf_8 = std::str::from_utf8(bytes);
    match utf_8 {
        Ok(text) => found.push(text.to_owned()),
        Err(_) => found.push(String::from_utf8_lossy(bytes).into_owned()),
    }
    let declared = declared.map(str::trim).unwrap_or("");
    let plain = ["", "utf-8", "utf8", "us-ascii", "ascii"].iter().any(|c| declared.eq_ignore_ascii_case(c));
    if !plain && declared.len() <= 40 {
        found.extend(charset_decoder(declared.as_bytes()).map(|decode| decode(bytes)));
    }
    if bytes.windows(2).any(|w| w == b"\x1b$") {
        found.extend(charset_decoder(b"iso-2022-jp").map(|decode| decode(bytes)));
    }
    if utf_8.is_err() {
        found.extend(charset_decoder(b"windows-1252").map(|decode| decode(bytes)));
    }
    found
}

/// UTF-16 by its mark, or by the empty half of every Latin letter.
fn utf_16(bytes: &[u8]) -> Option<&'static [u8]> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(b"utf-16"),
        [0xfe, 0xff, ..] => return Some(b"utf-16"),
        _ => {}
    }
    let start = bytes.get(..bytes.len().min(400))?;
    let empty = |odd: usize| start.iter().skip(odd).step_by(2).filter(|b| **b == 0).count();
    match (empty(0) * 3 > start.len(), empty(1) * 3 > start.len()) {
        (true, false) => Some(b"utf-16be"),
        (false, true) => Some(b"utf-16le"),
        _ => None,
    }
}

/// UTF-8 that somebody read as windows-1252 and wrote as UTF-8 again (`Ã¤` for `ä`), put right. What makes no sense
/// that way stays; if all of it does, there is nothing to put right.
pub(super) fn misread(text: &str) -> Option<String> {
    let byte = |c: char| {
        u8::try_from(u32::from(c)).ok().or_else(|| {
            let at = WINDOWS.chars().position(|w| w == c)?;
            u8::try_from(0x80 + at).ok()
        })
    };
    let mut out = String::with_capacity(text.len());
    // ASCII and the rest in turns.
    let mut rest = text;
    while !rest.is_empty() {
        let plain = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        let odd = after.find(|c: char| c.is_ascii()).unwrap_or(after.len());
        let (run, after) = after.split_at(odd);
        out.push_str(before);
        let bytes: Option<Vec<u8>> = run.chars().map(byte).collect();
        match bytes.and_then(|b| String::from_utf8(b).ok()) {
            Some(right) => out.push_str(&right),
            None => out.push_str(run),
        }
        rest = after;
    }
    (out != text).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_every_kind() {
        assert_eq!(lf(b"a\r\nb\rc\nd\r\r\ne\r\r"), b"a\nb\nc\nd\ne\n\n");
    }

    #[test]
    fn base64_of_any_width_up_to_its_padding() {
        assert_eq!(base64(b"aGVs\n bG8g\tdGhl\ncmU=\n-- \nA list\n"), b"hello there");
        assert_eq!(base64(b"aGVsbG8"), b"hello");
        assert_eq!(base64(b"="), b"");
        assert_eq!(base64(b"a"), b"");
    }

    #[test]
    fn quoted_printable_with_flaws() {
        assert_eq!(quoted_printable(b"a=3D0812 \nb =\nc=20\nd=zz=\n"), b"a=0812\nb c \nd=zz");
    }

    #[test]
    fn charsets_declared_and_not() {
        assert!(texts(b"\xe4", Some("utf-8")).contains(&"ä".to_owned()));
        assert!(texts(b"\x1b$B8^\x1b(B", None).contains(&"五".to_owned()));
        assert!(texts(b"a\0:\0 \x001\0", None).contains(&"a: 1".to_owned()));
        assert!(texts(b"\xff\xfea\0", None).iter().any(|t| t.trim_start_matches('\u{feff}') == "a"));
        assert_eq!(misread("Ã¤ â‚¬").as_deref(), Some("ä €"));
        assert_eq!(misread("ä"), None);
        assert_eq!(misread("— Ã¤ ä").as_deref(), Some("— ä ä"));
    }
}
