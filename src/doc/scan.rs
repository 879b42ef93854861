//! Which characters of a YAML text are notes, which are quoted, and which are neither: enough of the grammar for
//! [`super::lint`]. What is read is decided by the parser alone; a mistake here costs a hint, never a value.

/// A character outside notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    /// Its byte.
    pub(super) at: usize,
    /// The character.
    pub(super) c: char,
    /// Inside quotation marks, or in a block of text behind `|` or `>`.
    pub(super) quoted: bool,
    /// The first character of a value or key.
    pub(super) start: bool,
}

impl Spot {
    /// Whether the other stands directly behind this one.
    pub(super) fn joins(&self, next: &Spot) -> bool {
        self.at + self.c.len_utf8() == next.at
    }
}

/// What goes on from one line to the next.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    quote: Option<char>,
    /// The byte of the last quotation mark that opened.
    opened: usize,
    /// The byte of the `#` of the note on the line read last.
    pub(super) note: Option<usize>,
    brackets: usize,
    /// Blanks before the line that began a block of text.
    block: Option<usize>,
}

impl Scanner {
    /// Whether the next line begins outside quotation marks and blocks of text.
    pub(super) fn outside(&self) -> bool {
        self.quote.is_none() && self.block.is_none()
    }

    /// The characters of the next line that are no note. `offset` is the byte at which it begins.
    pub(super) fn line(&mut self, line: &str, offset: usize) -> Vec<Spot> {
        self.note = None;
        let indent = line.len() - line.trim_start_matches(' ').len();
        if let Some(parent) = self.block {
            if line.trim().is_empty() || indent > parent {
                return line
                    .char_indices()
                    .map(|(at, c)| Spot { at: offset + at, c, quoted: true, start: false })
                    .collect();
            }
            self.block = None;
        }
        let mut spots = Vec::new();
        let (mut fresh, mut leads, mut before) = (true, false, ' ');
        let mut chars = line.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let at = offset + at;
            match self.quote {
                Some('"') if c == '\\' => {
                    let digits = match chars.next() {
                        Some((_, 'x')) => 2,
                        Some((_, 'u')) => 4,
                        Some((_, 'U')) => 8,
                        _ => 0,
                    };
                    for _ in 0..digits {
                        chars.next_if(|(_, c)| c.is_ascii_hexdigit());
                    }
                }
                Some('\'') if c == '\'' && chars.next_if(|(_, c)| *c == '\'').is_some() => {}
                Some(quote) if c == quote => (self.quote, fresh) = (None, false),
                Some(_) => spots.push(Spot { at, c, quoted: true, start: false }),
                None if c == '#' && before == ' ' => {
                    self.note = Some(at);
                    break;
                }
                None if fresh && matches!(c, '"' | '\'') => (self.quote, self.opened) = (Some(c), at),
                None if fresh && self.brackets == 0 && matches!(c, '|' | '>') => {
                    self.block = Some(indent);
                    break;
                }
                None => {
                    spots.push(Spot { at, c, quoted: false, start: fresh });
                    let led = leads;
                    leads = c == ':' || (fresh && matches!(c, '-' | '?'));
                    fresh = match c {
                        ' ' => fresh || led,
                        '[' | '{' if fresh => {
                            self.brackets += 1;
                            true
                        }
                        ']' | '}' => {
                            self.brackets = self.brackets.saturating_sub(1);
                            false
                        }
                        ',' => self.brackets > 0,
                        ':' => self.brackets > 0 && before == '"',
                        _ => false,
                    };
                }
            }
            before = c;
        }
        spots
    }
}

/// The byte of the quotation mark that is open at a byte of the text.
pub(super) fn open_quote(text: &str, at: usize) -> Option<usize> {
    let (mut scanner, mut start) = (Scanner::default(), 0);
    for line in text.get(..at)?.split_inclusive('\n') {
        scanner.line(line.trim_end_matches(['\n', '\r']), start);
        start += line.len();
    }
    scanner.quote.map(|_| scanner.opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with notes dropped, quoted characters as `q` and first characters as `^`.
    fn picture(text: &str) -> String {
        let mut scanner = Scanner::default();
        let mut out = String::new();
        for line in text.lines() {
            let mark = |s: &Spot| match s {
                Spot { quoted: true, .. } => 'q',
                Spot { start: true, c, .. } if *c != ' ' => '^',
                s => s.c,
            };
            out.extend(scanner.line(line, 0).iter().map(mark));
            out.push('/');
        }
        out
    }

    #[test]
    fn notes_quotes_and_beginnings_are_told_apart() {
        for (text, expected) in [
            ("a: b # c", "^: ^ /"),
            ("a: b#c", "^: ^#c/"),
            ("- \"x # y\"", "^ qqqqq/"),
            ("say: don't \"x\"", "^ay: ^on't \"x\"/"),
            ("a: 'it''s'", "^: qqq/"),
            ("a: \"\\u0421b\\\"c\" # d", "^: qq /"),
            ("f: {a: [b, \"c\"], \"d\":\"e\"}", "^: ^^: ^^, q], q:q}/"),
            ("a: x, \"y\"", "^: ^, \"y\"/"),
            ("say: |\n  # x\n\nb: c", "^ay: /qqqqq//^: ^/"),
            ("a: \"x\n  y\"\nb: c", "^: q/qqq/^: ^/"),
        ] {
            assert_eq!(picture(text), expected, "{text}");
        }
    }
}
