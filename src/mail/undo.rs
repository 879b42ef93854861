//! What mail programs do to a text, undone on trial.
//!
//! Nothing is guessed: each change is undone and the signature asked. Where it fits, the very bytes that were signed
//! are back; where none fits, that is said.

use super::decode;

/// One thing that happens to a text on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Long lines were cut in two.
    Wrapped,
    /// Blanks at the ends of lines were added or removed.
    Trailing,
    /// Ordinary blanks became no-break ones, or invisible characters were put in.
    Blanks,
    /// Plain quotation marks and dashes became typographic ones.
    Typography,
    /// It was read in the wrong charset.
    Charset,
    /// A blank was put before lines, `- ` before dashes, or `>` before `From`: mail programs do it by rule.
    Stuffed,
}

impl Change {
    /// In words, fit to follow "on the way"; nothing where it is not worth a word.
    pub(super) fn words(self) -> Option<&'static str> {
        Some(match self {
            Change::Wrapped => "its lines were re-wrapped",
            Change::Trailing => "blanks at the ends of its lines were added or removed",
            Change::Blanks => "its blanks were replaced by no-break blanks or invisible characters",
            Change::Typography => "its quotation marks or dashes were replaced by typographic ones",
            Change::Charset => "it was converted from a wrong character set",
            Change::Stuffed => return None,
        })
    }
}

/// A text as it may have been, and what had been done to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) text: String,
    pub(super) changes: Vec<Change>,
}

impl Way {
    /// The text with nothing undone.
    pub(super) fn as_it_is(text: &str) -> Way {
        Way { text: text.to_owned(), changes: Vec::new() }
    }
}

/// Most ways of one text, and most bytes of all of them.
const MOST: usize = 300;
const VOLUME: usize = 16 << 20;

/// Every way a text may have been before, likeliest first, each text once. The text ends with LF.
pub(super) fn ways(text: &str) -> Vec<Way> {
    let mut found = vec![Way::as_it_is(text)];
    grow(&mut found, Change::Charset, |t| Vec::from_iter(decode::misread(t)));
    grow(&mut found, Change::Stuffed, |t| vec![undashed(t), unstuffed(t), from_lines(t)]);
    grow(&mut found, Change::Blanks, |t| vec![blanks(t)]);
    grow(&mut found, Change::Typography, |t| vec![plain(t)]);
    let lines = found.len();
    grow(&mut found, Change::Trailing, |t| vec![trimmed(t), colons(t)]);
    // Blanks at the ends of lines are how flowed text says where it was cut: joined before they are trimmed.
    let (untrimmed, _) = found.split_at(lines.min(found.len()));
    let mut joined = untrimmed.to_vec();
    grow(&mut joined, Change::Wrapped, joins);
    for way in joined.into_iter().skip(lines) {
        add(&mut found, way);
    }
    found
}

/// Adds to each text so far what `undo` makes of it.
fn grow(found: &mut Vec<Way>, change: Change, undo: impl Fn(&str) -> Vec<String>) {
    for way in found.clone() {
        for text in undo(&way.text) {
            add(found, Way { text, changes: [way.changes.as_slice(), &[change]].concat() });
        }
    }
}

fn add(found: &mut Vec<Way>, way: Way) {
    let volume: usize = found.iter().map(|w| w.text.len()).sum();
    if found.len() < MOST && volume + way.text.len() <= VOLUME && !found.iter().any(|w| w.text == way.text) {
        found.push(way);
    }
}

fn each(text: &str, line: impl Fn(&str) -> String) -> String {
    text.split_inclusive('\n').map(|l| l.strip_suffix('\n').map_or_else(|| line(l), |l| line(l) + "\n")).collect()
}

/// Signed mail puts `- ` before every line that begins with a dash.
fn undashed(text: &str) -> String {
    each(text, |l| l.strip_prefix("- ").filter(|r| r.starts_with('-')).unwrap_or(l).to_owned())
}

/// Flowed text puts a blank before lines that begin with a blank, and before `>` and `From`.
fn unstuffed(text: &str) -> String {
    each(text, |l| l.strip_prefix(' ').unwrap_or(l).to_owned())
}

/// Mailbox files put `>` before `From`.
fn from_lines(text: &str) -> String {
    each(text, |l| {
        l.strip_prefix('>').filter(|r| r.trim_start_matches('>').starts_with("From ")).unwrap_or(l).to_owned()
    })
}

/// No-break and other odd blanks as plain ones, invisible characters away.
pub(super) fn blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => out.push(' '),
            '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{202a}'..='\u{202e}' => {}
            c => out.push(c),
        }
    }
    out
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '“' | '”' | '„' | '‟' | '«' | '»' => out.push('"'),
            '‘' | '’' | '‚' | '‛' => out.push('\''),
            '–' | '‐' | '‑' | '−' => out.push('-'),
            '—' => out.push_str("--"),
            '…' => out.push_str("..."),
            c => out.push(c),
        }
    }
    out
}

fn trimmed(text: &str) -> String {
    each(text, |l| l.trim_end().to_owned())
}

/// A blank behind a colon at the end of a line, the one trailing blank people write without seeing it.
fn colons(text: &str) -> String {
    each(text, |l| if l.ends_with(':') { format!("{l} ") } else { l.to_owned() })
}

/// The text with its cut lines joined: as flowed text says, and for every width at which programs cut.
fn joins(text: &str) -> Vec<String> {
    let mut found = vec![flowed(text, false), flowed(text, true)];
    let longest = text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
    for width in (50..=100).chain(990..=1000) {
        // Cut at this width, no line is longer, and at least one comes near it.
        if longest <= width && longest + 40 >= width {
            found.extend([Cut::Blank, Cut::Shy, Cut::Hard].map(|cut| unwrapped(text, width, cut)));
        }
    }
    found.dedup();
    found
}

/// Joins lines that end with a blank with the next; `del` takes that blank away.
fn flowed(text: &str, del: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix(" \n") {
            Some(line) => {
                out.push_str(line);
                if !del {
                    out.push(' ');
                }
            }
            None => out.push_str(line),
        }
    }
    out
}

/// How long lines were cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// At the last blank that fits: where the next line's first word had no room.
    Blank,
    /// The same, but a line that begins like a field, an item or a note was a line of its own.
    Shy,
    /// At the width, within a word.
    Hard,
}

/// Joins the lines that were cut at a width.
fn unwrapped(text: &str, width: usize, cut: Cut) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    for (n, line) in lines.iter().enumerate() {
        out.push_str(line);
        let Some(next) = lines.get(n + 1) else { break };
        let length = line.chars().count();
        let first = next.split(' ').next().unwrap_or("");
        let word = first.chars().count();
        let own = cut == Cut::Shy && (first.ends_with(':') || first.starts_with(['-', '#']));
        let soft = word > 0 && !own && !line.trim().is_empty() && length <= width && length + 1 + word > width;
        match (cut, soft) {
            (Cut::Hard, _) if length == width => {}
            (Cut::Hard, _) | (_, false) => out.push('\n'),
            _ if line.ends_with(' ') => {}
            _ => out.push(' '),
        }
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(was: &str, became: &str) -> Vec<Change> {
        let way = ways(became).into_iter().find(|w| w.text == was);
        way.unwrap_or_else(|| panic!("{became:?} does not lead to {was:?}")).changes
    }

    #[test]
    fn every_change_can_be_undone() {
        assert_eq!(back("a: 1\n", "a: 1\n"), []);
        assert_eq!(back("a: 1\n", "a:\u{a0}1\n"), [Change::Blanks]);
        assert_eq!(back("a: 1\n", "a: \u{200b}1\n"), [Change::Blanks]);
        assert_eq!(back("a: \"x\"\n", "a: “x”\n"), [Change::Typography]);
        assert_eq!(back("a: ä\n", "a: Ã¤\n"), [Change::Charset]);
        assert_eq!(back("a:\n  - 1\n", "a: \n   - 1\n").len(), 2);
        assert_eq!(back("---\n- 1\n", "- ---\n- 1\n"), [Change::Stuffed]);
        assert_eq!(back("From here\n", ">From here\n"), [Change::Stuffed]);
        assert_eq!(back("a: \nb: 1\n", "a:\nb: 1\n"), [Change::Trailing]);
        assert_eq!(back("a: 1\nb: 2\n", "a: 1  \nb: 2 \n"), [Change::Trailing]);
    }

    #[test]
    fn wrapped_lines_are_joined_at_every_usual_width() {
        let long = format!("# {}\na: 1\n", "word of a note that is long ".repeat(8).trim_end());
        for width in [66, 72, 76, 78, 80] {
            let mut became = String::new();
            for line in long.lines() {
                let mut length = 0;
                for word in line.split(' ') {
                    if length > 0 && length + 1 + word.len() > width {
                        became.push('\n');
                        length = 0;
                    } else if length > 0 {
                        became.push(' ');
                        length += 1;
                    }
                    became.push_str(word);
                    length += word.len();
                }
                became.push('\n');
            }
            assert_eq!(back(&long, &became), [Change::Wrapped], "{width}");
            assert_eq!(back(&long, &became.replace("long\nword", "long \nword")).last(), Some(&Change::Wrapped));
        }
    }
}
