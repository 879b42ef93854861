//! The lines of a log: JSON Lines, keys in one order, no blanks (`schemas/protocol.md`, "Log").

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::doc::SignedFile;
use crate::seal::{Digest, Signature, sha256};
use crate::side::Seat;

/// One entry. The kind comes third; both kinds begin with number and the hash before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Number, from 0.
    pub i: usize,
    /// Hash of the entry before; zeros for the first.
    pub prev: Digest,
    /// `file`.
    pub kind: String,
    /// Whose.
    pub seat: Seat,
    /// The document, base64.
    pub file: String,
    /// The signature blob, base64.
    pub sig: String,
    /// Digest of what was parsed from the document.
    pub parsed: Digest,
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultEntry {
    /// Number, from 0.
    pub i: usize,
    /// Hash of the entry before.
    pub prev: Digest,
    /// `result`.
    pub kind: String,
    /// The step closed; 0 for the opening.
    pub step: u64,
    /// How it closed.
    pub how: String,
    /// Its seed, if all links were in.
    pub seed: Option<Digest>,
    /// Digest of what happened.
    pub events: Digest,
    /// Digest of the position.
    pub position: Digest,
    /// What is needed next, in clear.
    pub needs: Vec<String>,
    /// When the next step is due (hosted games), UTC.
    pub due: Option<String>,
}

/// A line, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A signed file.
    File(FileEntry),
    /// The result of a step.
    Result(ResultEntry),
}

impl Entry {
    /// Reads a line; it must be spelt exactly as this protocol writes it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(line: &str) -> Result<Entry, String> {
        if let Some(entry) = FileEntry::exact(line) {
            return Ok(Entry::File(entry));
        }
        let entry = if line.contains("\"kind\":\"file\"") {
            serde_json::from_str(line).map(Entry::File)
        } else {
            serde_json::from_str(line).map(Entry::Result)
        }
        .map_err(|e| format!("not an entry: {e}"))?;
        let kind = match &entry {
            Entry::File(e) => &e.kind,
            Entry::Result(e) => &e.kind,
        };
        if kind != "file" && kind != "result" || entry.line() != line {
            return Err("not spelt as this protocol spells it".into());
        }
        Ok(entry)
    }

    /// The line, without its end.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Entry::File(e) => serde_json::to_string(e),
            Entry::Result(e) => serde_json::to_string(e),
        }
        .unwrap_or_default()
    }

    /// Number and hash of the entry before.
    #[must_use]
    pub fn place(&self) -> (usize, Digest) {
        match self {
            Entry::File(e) => (e.i, e.prev),
            Entry::Result(e) => (e.i, e.prev),
        }
    }
}

impl FileEntry {
    /// Reads a line spelt exactly as one is written: the same entries as from JSON, in a quarter of the time. `None` for
    /// every other line, and for texts with escapes in them; JSON's reader then says what they are.
    fn exact(line: &str) -> Option<FileEntry> {
        let (number, rest) = line.strip_prefix("{\"i\":")?.split_once(',')?;
        let plain = number.bytes().all(|b| b.is_ascii_digit()) && (number.len() == 1 || !number.starts_with('0'));
        let i = number.parse().ok().filter(|_| plain)?;
        let (prev, rest) = rest.strip_prefix("\"prev\":\"")?.split_once('"')?;
        let (seat, rest) = rest.strip_prefix(",\"kind\":\"file\",\"seat\":\"")?.split_once('"')?;
        // From the end, past the long text: what stands between the two is looked at as a whole.
        let (rest, parsed) = rest.strip_prefix(",\"file\":\"")?.strip_suffix("\"}")?.rsplit_once('"')?;
        let (file, sig) = rest.strip_suffix("\",\"parsed\":")?.rsplit_once('"')?;
        let file = file.strip_suffix("\",\"sig\":")?;
        // No short cut: all bytes at once are looked at faster.
        let strange = |text: &str| text.bytes().fold(false, |found, b| found | (b == b'"') | (b == b'\\') | (b < b' '));
        if strange(file) || strange(sig) {
            return None;
        }
        Some(FileEntry {
            i,
            prev: prev.parse().ok()?,
            kind: "file".to_owned(),
            seat: seat.parse().ok()?,
            file: file.to_owned(),
            sig: sig.to_owned(),
            parsed: parsed.parse().ok()?,
        })
    }

    /// The signed file of the entry.
    ///
    /// # Errors
    /// What cannot be decoded.
    pub fn signed(&self) -> Result<SignedFile, String> {
        let document = STANDARD.decode(&self.file).map_err(|_| "the document is no base64".to_owned())?;
        let document = String::from_utf8(document).map_err(|_| "the document is no text".to_owned())?;
        let blob = STANDARD.decode(&self.sig).map_err(|_| "the signature is no base64".to_owned())?;
        let signature = Signature::from_blob(&blob).map_err(|f| f.to_string())?;
        SignedFile::from_parts(document, signature).map_err(|e| e.what)
    }
}

/// A log being written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    lines: Vec<String>,
    last: Option<Digest>,
}

impl Lines {
    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines, without ends.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The log as bytes: every line with LF.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for line in &self.lines {
            out.extend(line.as_bytes());
            out.push(b'\n');
        }
        out
    }

    fn next(&self) -> (usize, Digest) {
        (self.lines.len(), self.last.unwrap_or(Digest([0; 32])))
    }

    fn push(&mut self, entry: &Entry) -> Digest {
        let line = entry.line();
        let hash = sha256(line.as_bytes());
        self.lines.push(line);
        self.last = Some(hash);
        hash
    }

    /// Adds a signed file.
    pub fn file(&mut self, seat: Seat, signed: &SignedFile, parsed: Digest) -> Digest {
        let (i, prev) = self.next();
        let file = STANDARD.encode(&signed.document);
        let sig = STANDARD.encode(signed.signature.blob());
        self.push(&Entry::File(FileEntry { i, prev, kind: "file".into(), seat, file, sig, parsed }))
    }

    /// Adds a result; `i`, `prev` and `kind` are filled in. The returned hash is the new head.
    pub fn result(&mut self, mut entry: ResultEntry) -> Digest {
        (entry.i, entry.prev) = self.next();
        entry.kind = "result".into();
        self.push(&Entry::Result(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The reading by JSON and writing again, which says what a line is.
    fn slow(line: &str) -> Option<Entry> {
        let entry = serde_json::from_str(line).map(Entry::File).ok()?;
        let Entry::File(FileEntry { kind, .. }) = &entry else { return None };
        (kind == "file" && entry.line() == line).then_some(entry)
    }

    fn check(line: &str) -> bool {
        let exact = FileEntry::exact(line).map(Entry::File);
        if exact.is_some() {
            assert_eq!(exact, slow(line), "{line}");
        } else if let Some(entry) = slow(line) {
            // Only escapes are left to JSON's reader.
            assert!(line.contains('\\'), "{line}");
            assert_eq!(Entry::parse(line), Ok(entry));
        }
        exact.is_some()
    }

    fn line(i: usize, seat: Seat, file: &str, sig: &str) -> String {
        let (prev, parsed) = (sha256(file.as_bytes()), sha256(sig.as_bytes()));
        let (file, sig) = (file.to_owned(), sig.to_owned());
        Entry::File(FileEntry { i, prev, kind: "file".into(), seat, file, sig, parsed }).line()
    }

    #[test]
    fn only_the_one_spelling_is_read_at_once() {
        let good = line(10, Seat::British, "Zm8=", "YmFy");
        assert!(check(&good));
        assert!(check(&line(0, Seat::Host, "", "")));
        assert!(check(&line(usize::MAX, Seat::American, "é \u{7f}", "{}")));
        for (from, to) in [
            ("{\"i\":10", "{\"i\":010"),
            ("{\"i\":10", "{\"i\":+10"),
            ("{\"i\":10", "{\"i\":"),
            ("{\"i\":10", "{\"i\": 10"),
            ("{\"i\":10", "{\"i\":99999999999999999999999"),
            ("british", "french"),
            ("british", "British"),
            ("Zm8=", "Zm8\\u003d"),
            ("Zm8=", "Zm8\\/"),
            ("Zm8=", "Zm\t8="),
            ("\"kind\":\"file\"", "\"kind\":\"result\""),
            ("\"}", "\"} "),
            ("\"}", "\"}}"),
            ("\"}", "\",\"seat\":\"host\"}"),
        ] {
            let changed = good.replacen(from, to, 1);
            assert_ne!(changed, good);
            assert!(!check(&changed), "{changed}");
            assert!(Entry::parse(&changed).is_err(), "{changed}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_at_once_is_what_json_reads(
            i in any::<usize>(), seat in 0usize..3, file in "(?s)[A-Za-z0-9+/=]{0,40}|.{0,10}", sig in ".{0,4}",
            at in any::<prop::sample::Index>(), cut in 0usize..4, piece in "[0-9a-f\"\\\\{},:A-Z+=é ]{0,3}",
        ) {
            let good = line(i, Seat::ALL[seat], &file, &sig);
            prop_assert_eq!(check(&good), !good.contains('\\'));
            let mut chars: Vec<char> = good.chars().collect();
            let at = at.index(chars.len());
            let end = (at + cut).min(chars.len());
            chars.splice(at..end, piece.chars());
            check(&chars.into_iter().collect::<String>());
        }
    }
}
