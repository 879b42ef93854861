//! Signed files in clear text: a document and its signature block in the body of a mail, with whatever a mail program
//! made of them.

use std::collections::BTreeSet;

use base64::Engine as _;

use super::undo::{self, Change, Way};
use crate::doc::SignedFile;
use crate::seal::{Digest, Signature, sha256};

const BEGIN: &str = "BEGIN SSH SIGNATURE";
const END: &str = "END SSH SIGNATURE";

/// Most places in front of a block at which its document may begin that are tried.
const STARTS: usize = 40;

/// Largest text tried as a document: the largest file, and room for what was put between its lines.
const LARGEST: usize = 400 << 10;

/// Most blocks of one text that are looked at.
const BLOCKS: usize = 2000;

/// What to do when clear text did not come through.
pub(super) const NEXT: &str =
    "ask for it again as an attached file, or as the lines from BEGIN COUNTERSIGN PACKET on (both survive this)";

/// How much may still be tried in one mail.
pub(super) struct Budget {
    trials: usize,
    bytes: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { trials: 20_000, bytes: 256 << 20 }
    }
}

impl Budget {
    /// Takes the cost of one trial; whether there was enough left for it.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let enough = self.trials > 0 && self.bytes >= bytes;
        self.trials = self.trials.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes);
        enough
    }

    /// Whether something was not tried for want of it.
    pub(super) fn is_spent(&self) -> bool {
        self.trials == 0 || self.bytes == 0
    }
}

/// What came of one signature block.
pub(super) enum Outcome {
    /// A file whose signature fits, and what had been done to it.
    Good(SignedFile, Vec<Change>),
    /// None: why, and the block if it can be read.
    Bad(String, Option<Signature>),
}

/// Every signed file in a text (LF line ends).
pub(super) fn find(text: &str, budget: &mut Budget) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let (mut from, mut open) = (0, None);
    for (n, line) in lines.iter().enumerate() {
        if outcomes.len() >= BLOCKS {
            break;
        }
        if has(line, BEGIN) {
            if open.is_some() {
                outcomes.push(Outcome::Bad(cut(), None));
            }
            open = Some(n);
        } else if has(line, END) {
            let Some(begin) = open.take() else { continue };
            let inside = lines.get(begin + 1..n).unwrap_or_default();
            let before = lines.get(from..begin).unwrap_or_default();
            let mark = lines.get(begin).copied().unwrap_or("");
            outcomes.push(match signature(inside) {
                Some(signature) => settle(before, mark, signature, budget),
                None => Outcome::Bad(
                    format!("the signature under a file in this mail was damaged on the way: {NEXT}"),
                    None,
                ),
            });
            from = n + 1;
        }
    }
    let rest = lines.get(from..).unwrap_or_default();
    if open.is_some() {
        outcomes.push(Outcome::Bad(cut(), None));
    } else if rest.iter().any(|l| l.trim_start_matches(['>', ' ']).starts_with("countersign: ")) {
        let what = format!("a file in this mail is cut off before its signature, or was never signed: {NEXT}");
        outcomes.push(Outcome::Bad(what, None));
    }
    outcomes
}

/// Whether a line has these words, with whatever kind of blanks between them.
fn has(line: &str, words: &str) -> bool {
    line.contains(words) || !line.is_ascii() && undo::blanks(line).contains(words)
}

fn cut() -> String {
    format!("a signed file in this mail is cut off: the end of its signature is missing: {NEXT}")
}

/// The signature in the lines of a block, however they are quoted or wrapped.
fn signature(lines: &[&str]) -> Option<Signature> {
    let kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    if lines.len() > 100 {
        return None;
    }
    let body: String = lines.iter().flat_map(|l| l.chars().filter(kept)).take(2000).collect();
    let blob = base64::engine::general_purpose::STANDARD.decode(body).ok()?;
    Signature::from_blob(&blob).ok()
}

/// Looks for the document in the lines before a block.
fn settle(before: &[&str], mark: &str, signature: Signature, budget: &mut Budget) -> Outcome {
    let spent = || format!("a signed file in this mail was not found among too much else: {NEXT}");
    let take = |text: String, changes: Vec<Change>| match SignedFile::from_parts(text, signature.clone()) {
        Ok(file) => Outcome::Good(file, changes),
        Err(e) => Outcome::Bad(format!("{}: {NEXT}", e.what), Some(signature.clone())),
    };
    if budget.is_spent() {
        return Outcome::Bad(spent(), Some(signature));
    }
    let documents = documents(before, mark);
    // As it stands first, wherever it begins: that is cheap, and nearly always all that is needed.
    for (document, _) in &documents {
        if !budget.take(document.len()) {
            return Outcome::Bad(spent(), Some(signature));
        }
        if signature.fits(document.as_bytes()) {
            return take(document.clone(), Vec::new());
        }
    }
    let plain = || documents.iter().filter(|(d, _)| !d.starts_with('\u{feff}'));
    for (document, _) in plain() {
        // Thinking the ways up costs more than trying them.
        if !budget.take(document.len() * 16) {
            return Outcome::Bad(spent(), Some(signature));
        }
        for Way { text, changes } in undo::ways(document) {
            if !budget.take(text.len()) {
                return Outcome::Bad(spent(), Some(signature));
            }
            if signature.fits(text.as_bytes()) {
                return take(text, changes);
            }
        }
    }
    let otherwise = plain().find_map(|(d, blank)| signed_otherwise(d, *blank, &signature, budget));
    let what = otherwise.unwrap_or_else(|| {
        format!(
            "a signed file in this mail does not fit its signature, and none of the changes that mail programs make \
             explains it (line ends, re-wrapped lines, quotation marks `>`, blanks, character set): it was changed \
             after it was signed, or its beginning is missing: {NEXT}"
        )
    });
    Outcome::Bad(what, Some(signature))
}

/// The texts that may be the document before a block, each ending with one LF, with the number of line ends that stood
/// there.
fn documents(before: &[&str], mark: &str) -> Vec<(String, usize)> {
    let (mut seen, mut found) = (BTreeSet::<Digest>::new(), Vec::new());
    for lines in unquoted(before, mark) {
        for start in starts(&lines) {
            let lines = lines.get(start..).unwrap_or_default();
            if lines.iter().map(|l| l.len() + 1).sum::<usize>() > LARGEST {
                continue;
            }
            let document = lines.join("\n") + "\n";
            let whole = document.trim_end_matches('\n');
            let blank = document.len() - whole.len();
            let document = format!("{whole}\n");
            // A mark before the text is taken off by whoever shows it.
            let marked = format!("\u{feff}{document}");
            if seen.insert(sha256(document.as_bytes())) {
                found.push((document, blank));
                found.push((marked, blank));
            }
        }
    }
    found
}

/// Texts that were signed in a form this program never takes, so that the sender has to sign again.
fn signed_otherwise(document: &str, blank: usize, signature: &Signature, budget: &mut Budget) -> Option<String> {
    let again = "sign the order file with this program (`countersign orders sign`) and send that";
    let whole = document.trim_end_matches('\n');
    let crlf = document.replace('\n', "\r\n");
    let forms = [
        (crlf.clone(), "with the line ends of Windows (CRLF)"),
        (crlf.trim_end().to_owned(), "with the line ends of Windows (CRLF)"),
        (whole.to_owned(), "without a line end at its end"),
        (format!("{document}\n"), "with blank lines at its end"),
        (format!("{whole}{}", "\n".repeat(blank.min(100))), "with blank lines at its end"),
        (format!("{whole}{}", "\n".repeat(blank.min(100) + 1)), "with blank lines at its end"),
    ];
    forms.into_iter().find_map(|(text, how)| {
        let fits = budget.take(text.len()) && signature.fits(text.as_bytes());
        fits.then(|| format!("a file in this mail was signed {how}, a form no game takes: {again}"))
    })
}

/// The lines without the marks of quotation that the line of the block has too.
fn unquoted(lines: &[&str], mark: &str) -> Vec<Vec<String>> {
    let prefix: String = mark.chars().take_while(|c| *c != '-' && !c.is_alphanumeric()).collect();
    let levels = prefix.chars().filter(|c| *c == '>').count();
    let with = |strip: &dyn Fn(&str) -> String| lines.iter().map(|l| strip(l)).collect::<Vec<String>>();
    let mut found = vec![with(&|l: &str| l.to_owned())];
    if levels > 0 {
        found.insert(0, with(&|l| bare(l, levels, true)));
        found.insert(1, with(&|l| bare(l, levels, false)));
    } else if !prefix.is_empty() {
        // `| `, or the blanks with which a program sets quoted text in.
        let short = prefix.trim_end();
        found.insert(
            0,
            with(&|l| l.strip_prefix(prefix.as_str()).or_else(|| l.strip_prefix(short)).unwrap_or(l).to_owned()),
        );
    }
    found
}

/// A line without some levels of `>`; with each goes a blank behind it, if programs of this kind put one.
fn bare(line: &str, levels: usize, blank: bool) -> String {
    let mut rest = line;
    for _ in 0..levels {
        let Some(inner) = rest.trim_start_matches(' ').strip_prefix('>') else { break };
        rest = if blank { inner.strip_prefix([' ', '\u{a0}']).unwrap_or(inner) } else { inner };
    }
    rest.to_owned()
}

/// Where a document may begin, likeliest first: at the field every document begins with, at its dashes or notes,
/// behind an empty line or a packet's line about the file, or at the first line.
fn starts(lines: &[String]) -> Vec<usize> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let mut before: Option<&String> = None;
    for (n, line) in lines.iter().enumerate() {
        let text = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'));
        if text.starts_with("countersign:") {
            first.push(n);
        } else if text.starts_with("---")
            || text.starts_with("- ---")
            || text.starts_with(['#', '%'])
            || before.is_none_or(|b| b.trim().is_empty() || b.contains("file "))
        {
            second.push(n);
        }
        before = Some(line);
    }
    first.into_iter().rev().chain(second.into_iter().rev()).take(STARTS).collect()
}
