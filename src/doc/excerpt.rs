//! The place of a fault in a text: line, column, and the line itself with a caret below (`schemas/design.md`, 7).

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::error::{Error, Place};

/// Columns an excerpt may take; a mail program breaks longer lines.
const WIDTH: usize = 78;

/// Longest line shown whole, in bytes; of longer ones only the neighbourhood of the fault is shown.
const LONG: usize = 400;

/// A text with the name its reader knows it by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    /// The text, without a byte-order mark.
    pub(super) text: &'a str,
    /// The file's name, or empty.
    pub(super) file: &'a str,
}

impl Source<'_> {
    /// An error at a range of bytes; offsets outside the text or inside a character are moved to the next place.
    pub(super) fn error(&self, span: Range<usize>, what: impl Into<String>) -> Error {
        let start = boundary(self.text, span.start);
        let mut error = Error::new(what).at(self.place(start));
        error.excerpt = self.excerpt(start, boundary(self.text, span.end.max(start)));
        error
    }

    /// An error at a line and column, both from 1; column in characters.
    pub(super) fn error_at(&self, line: usize, column: usize, what: impl Into<String>) -> Error {
        let start = self.offset(line, column);
        let length = self.word(start).len();
        self.error(start..start + length, what)
    }

    /// The word that begins at a byte, up to a blank, comma, colon or closing bracket.
    pub(super) fn word(&self, at: usize) -> &str {
        let text = self.text.get(at..).unwrap_or("");
        let end = text.find(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | ']' | '}'));
        text.get(..end.unwrap_or(text.len())).unwrap_or("")
    }

    /// An error of the whole file.
    pub(super) fn whole(&self, what: impl Into<String>) -> Error {
        Error::new(what).at(Place { file: self.file.to_owned(), line: 0, column: 0 })
    }

    /// The byte where a line and column begin, both from 1, or the nearest one before.
    pub(super) fn offset(&self, line: usize, column: usize) -> usize {
        let mut start = 0;
        for _ in 1..line {
            match self.text.get(start..).and_then(|t| t.find('\n')) {
                Some(end) => start += end + 1,
                None => return self.text.len(),
            }
        }
        let rest = self.text.get(start..).unwrap_or("");
        let rest = rest.split('\n').next().unwrap_or("");
        let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
        start + within
    }

    fn place(&self, at: usize) -> Place {
        let before = self.text.get(..at).unwrap_or("");
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Place { file: self.file.to_owned(), line, column }
    }

    fn excerpt(&self, start: usize, end: usize) -> String {
        let first = self.text.get(..start).and_then(|t| t.rfind('\n')).map_or(0, |at| at + 1);
        let last = self.text.get(start..).and_then(|t| t.find('\n')).map_or(self.text.len(), |at| start + at);
        // Only a window of a very long line is rendered: hostile files have one line of megabytes.
        let from =
            if last - first > LONG { boundary(self.text, start.saturating_sub(LONG / 4).max(first)) } else { first };
        let to = if last - from > LONG { boundary(self.text, (from + LONG).min(last)) } else { last };
        let line = self.text.get(from..to).unwrap_or("").trim_end_matches('\r');
        let begin = start.saturating_sub(from).min(line.len());
        let stop = end.saturating_sub(from).clamp(begin, line.len());
        // Carriage returns and other controls in the middle of a line would garble a terminal.
        let shown: String = line.chars().map(visible).collect();
        let width = |n: usize| line.get(..n).unwrap_or("").chars().map(|c| visible(c).len_utf8()).sum::<usize>();
        let snippet = Snippet::source(shown.as_str())
            .line_start(self.place(start).line)
            .annotation(AnnotationKind::Primary.span(width(begin)..width(stop)));
        let report = [Group::with_level(Level::ERROR).element(snippet)];
        let text = Renderer::plain().term_width(WIDTH).render(&report);
        text.lines().map(|l| format!("{}\n", l.trim_end())).collect()
    }
}

/// What cannot be seen, or would act on a terminal, is shown as one mark of one column.
fn visible(c: char) -> char {
    match c {
        '\u{a0}' | '\t' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => '\u{2423}',
        c if c.is_control() => '\u{fffd}',
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => '\u{fffd}',
        c => c,
    }
}

fn boundary(text: &str, at: usize) -> usize {
    (at.min(text.len())..=text.len()).find(|n| text.is_char_boundary(*n)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_caret_stands_under_the_fault() {
        let source = Source { text: "a: 1\nплан: xyz\n", file: "orders.yaml" };
        let at = source.text.find("xyz").unwrap();
        let error = source.error(at..at + 3, "wrong");
        assert_eq!(error.at, Some(Place { file: "orders.yaml".to_owned(), line: 2, column: 7 }));
        let lines: Vec<&str> = error.excerpt.lines().collect();
        let shown = lines.iter().find(|l| l.contains("xyz")).unwrap();
        let caret = lines.iter().find(|l| l.contains("^^^")).unwrap();
        let column = |line: &str, what: &str| line.split(what).next().unwrap().chars().count();
        assert_eq!(column(shown, "xyz"), column(caret, "^^^"));
        assert!(shown.starts_with('2'), "{shown}");
        assert!(!error.excerpt.contains('\u{1b}'));
    }

    #[test]
    fn lines_and_columns_give_the_byte() {
        let source = Source { text: "a\nбв г\n", file: "" };
        assert_eq!(source.offset(1, 1), 0);
        assert_eq!(source.offset(2, 3), 6);
        assert_eq!(source.offset(2, 99), 9);
        assert_eq!(source.offset(99, 1), source.text.len());
        assert_eq!(source.offset(0, 0), 0);
    }

    #[test]
    fn a_line_of_a_megabyte_is_cut_to_a_window() {
        let text = "x".repeat(1 << 20);
        let error = Source { text: &text, file: "" }.error(500_000..500_001, "here");
        assert!(error.excerpt.len() < 1_000, "{}", error.excerpt.len());
        assert!(error.excerpt.contains('^'));
    }

    proptest! {
        #[test]
        fn any_text_and_range_give_an_excerpt(text in "(?s).{0,80}", from in 0usize..120, length in 0usize..120) {
            let _ = Source { text: &text, file: "f" }.error(from..from + length, "x").to_string();
        }
    }
}
