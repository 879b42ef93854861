//! Words of other people, made fit for a mail: nothing that acts on a header, a screen or a mail program stays in them.

/// Whether a character is seen or a plain blank. Left out are control characters, and those that turn the direction of
/// writing round, join or hide: a name that reads otherwise than it is spelled is a trick.
fn seen(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        && !matches!(c, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}')
        && !matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

/// One line of at most so many characters: anything that ends a line, and any run of blanks, is one blank.
pub(super) fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    // No text is looked at further than it can matter: a subject of megabytes costs as little as one of a hundred.
    for c in text.chars().take(most.saturating_mul(20)) {
        let c = if c.is_whitespace() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
        if !(seen(c)) || (c == ' ' && (out.is_empty() || out.ends_with(' '))) {
            continue;
        }
        if length + 1 >= most {
            out.truncate(out.trim_end().len());
            out.push('…');
            break;
        }
        // `=?utf-8?b?...?=` would be unpacked by the reader's mail program into what was just taken out.
        if c == '?' && out.ends_with('=') {
            out.push(' ');
            length += 1;
        }
        out.push(c);
        length += 1;
    }
    out.truncate(out.trim_end().len());
    out
}

/// A name as it stands before an address: none of the signs that could make another address of it.
pub(super) fn name(text: &str) -> String {
    let bare: String = text
        .chars()
        .take(2_000)
        .filter(|c| !matches!(c, '<' | '>' | '@' | '"' | '\\' | ',' | ';' | ':' | '(' | ')' | '[' | ']' | '='))
        .collect();
    line(&bare, 60)
}

/// Several lines: line ends are LF, tabs are blanks, and what cannot be seen is left out. At most so many bytes, then a
/// word that it goes on.
pub(super) fn lines(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most));
    let mut before = ' ';
    for c in text.chars() {
        if out.len() >= most {
            out.push_str("\n[cut here: the rest is in the game folder]\n");
            break;
        }
        match c {
            '\n' if before == '\r' => {}
            '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => out.push_str("    "),
            c if seen(c) => out.push(c),
            _ => {}
        }
        before = c;
    }
    out
}

/// A file name: letters and digits of ASCII, `.`, `-` and `_`; it neither begins with a full stop nor is it empty.
pub(super) fn file_name(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = text.chars().map(|c| if plain(c) { c } else { '-' }).take(80).collect();
    let name = name.trim_start_matches(['.', '-']);
    if name.is_empty() { "file".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_line_and_reads_as_it_is_spelled() {
        for (text, clean) in [
            ("Fraser", "Fraser"),
            ("a\r\nBcc: x@y.example", "a Bcc: x@y.example"),
            ("a\0b\x1b[31mc\x7f", "ab[31mc"),
            ("evil\u{202e}gpj.exe", "evilgpj.exe"),
            ("=?utf-8?q?=0D=0ABcc:?=", "= ?utf-8?q?=0D=0ABcc:?="),
            ("  two\t\n words \u{2028}", "two words"),
            ("", ""),
        ] {
            assert_eq!(line(text, 100), clean);
        }
        assert_eq!(line(&"x".repeat(10_000), 100).chars().count(), 100);
        assert_eq!(line(&"\0".repeat(10_000), 100), "");
        assert_eq!(line(&"=?".repeat(10_000), 100).chars().filter(|c| *c == '?').count(), 33);
    }

    #[test]
    fn a_name_makes_no_address() {
        assert_eq!(name("\"Host\" <host@club.example>, x"), "Host hostclub.example x");
        assert_eq!(name("Jürgen O'Neil-Smith Jr."), "Jürgen O'Neil-Smith Jr.");
    }

    #[test]
    fn lines_keep_their_lines() {
        assert_eq!(lines("a\r\nb\rc\n\td\0\u{202e}", 100), "a\nb\nc\n    d");
        assert!(lines(&"word ".repeat(100), 50).ends_with("game folder]\n"));
    }

    #[test]
    fn file_names_stay_in_their_folder() {
        assert_eq!(file_name("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_name("wasp.log"), "wasp.log");
        assert_eq!(file_name(""), "file");
    }
}
