//! What is in a mail: its signed files, and in words whatever stands in the way of others.
//!
//! A file comes out only if the checksum of its packet or its own signature fits, so that a mail program can hide a
//! file but never change one. Whose signature it must be, and whether the file is wanted, the game decides.

use std::collections::BTreeSet;

use super::clear::Budget;
pub use super::head::Head;
use super::parts::{Part, Walk};
use super::text::{self, Fault, Finds, Known};
use super::{decode, head};
use crate::doc::{Packet, SignedFile};
use crate::seal::{Digest, sha256};

/// Largest mail that is read, in bytes.
pub const LARGEST: usize = 25 << 20;

/// Most notes about one mail.
const NOTES: usize = 20;

/// What a mail holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The signed files, each once: those of attachments first, then those of armoured blocks, then those in clear.
    pub files: Vec<SignedFile>,
    /// What could not be read and what to do about it, whole sentences without a final full stop. Never empty if
    /// there are no files.
    pub notes: Vec<String>,
    /// What the mail says about itself.
    pub head: Head,
}

/// Reads one mail: every layer of MIME, encodings, charsets, quotes and re-wrapped lines. It takes any bytes, and a
/// time that grows with their number, at most 25 MB.
#[must_use]
pub fn read(raw: &[u8]) -> Found {
    if raw.len() > LARGEST {
        let start = decode::lf(raw.get(..64 << 10).unwrap_or_default());
        let note = "this mail is larger than 25 MB and was not read: ask for the packet in a mail of its own";
        return Found { notes: vec![note.to_owned()], head: Head::read(&start), ..Found::default() };
    }
    let raw = decode::lf(raw);
    let head = Head::read(&raw);
    if let Some(machine) = head.machine.filter(|m| m.quotes_only()) {
        let note = format!("this mail is {}; nothing it quotes was read", machine.words());
        return Found { notes: vec![note], head, ..Found::default() };
    }
    let mut search = Search::default();
    let left_out = Walk::over(&raw, &mut |part| search.part(part));
    // Mails whose MIME is broken, and an order file given for a mail: all of it as one text. What was left out above
    // must not come in here.
    if search.is_empty() && left_out.is_empty() {
        let mut whole = Search::default();
        let finds = text::search(&raw, None, false, &mut whole.budget);
        whole.take(finds, false);
        if !whole.is_empty() || search.faults.is_empty() {
            search.files = whole.files;
            search.faults.append(&mut whole.faults);
        }
    }
    search.notes.splice(0..0, left_out);
    search.done(head, &head::split(&raw))
}

/// What has been found so far, by rank: attached, armoured, in clear.
#[derive(Default)]
struct Search {
    files: [Vec<SignedFile>; 3],
    sums: Vec<String>,
    faults: Vec<Fault>,
    notes: Vec<String>,
    budget: Budget,
}

const ATTACHED: usize = 0;
const ARMOURED: usize = 1;
const CLEAR: usize = 2;

impl Search {
    fn is_empty(&self) -> bool {
        self.files.iter().all(Vec::is_empty)
    }

    fn put(&mut self, rank: usize, file: SignedFile) {
        if let Some(files) = self.files.get_mut(rank) {
            files.push(file);
        }
    }

    fn part(&mut self, part: &Part<'_>) {
        if let Some(note) = packed(&part.body, part.name.as_deref()) {
            self.notes.push(note);
            return;
        }
        // The usual case, and the only one in which nothing has to be undone.
        if let Ok(packet) = Packet::parse(&part.body) {
            return self.packet(&packet, if part.attached { ATTACHED } else { ARMOURED });
        }
        if let Ok(file) = SignedFile::parse(&part.body)
            && file.signature.fits(file.document.as_bytes())
        {
            return self.put(if part.attached { ATTACHED } else { CLEAR }, file);
        }
        let before = (self.count(), self.faults.len());
        let charset = part.charset.as_deref();
        let mut finds = text::search(&part.body, charset, part.html, &mut self.budget);
        if let Some(raw) = part.undecoded.filter(|_| !finds.is_whole()) {
            finds.merge(text::search(raw, charset, part.html, &mut self.budget));
        }
        self.take(finds, part.attached);
        if before == (self.count(), self.faults.len()) {
            self.unsigned(part);
        }
    }

    fn count(&self) -> usize {
        self.files.iter().map(Vec::len).sum()
    }

    fn take(&mut self, finds: Finds, attached: bool) {
        let Finds { packets, files, faults } = finds;
        for packet in packets {
            self.packet(&packet, if attached { ATTACHED } else { ARMOURED });
        }
        for (file, changes) in files {
            let words: Vec<&str> = changes.iter().filter_map(|c| c.words()).collect();
            if !words.is_empty() {
                self.notes.push(format!(
                    "a file in this mail was changed on the way ({}) and could be put right: its signature fits. \
                     Another time send the packet as an attachment, or paste the lines from BEGIN COUNTERSIGN PACKET on",
                    words.join("; ")
                ));
            }
            self.put(if attached { ATTACHED } else { CLEAR }, file);
        }
        self.faults.extend(faults);
    }

    fn packet(&mut self, packet: &Packet, rank: usize) {
        self.sums.push(text::sum(packet));
        for (n, bytes) in packet.files.iter().enumerate() {
            match SignedFile::parse(bytes) {
                Ok(file) => self.put(rank, file),
                Err(e) => self.notes.push(format!("file {} of a packet in this mail is unusable: {}", n + 1, e.what)),
            }
        }
        if packet.files.is_empty() {
            self.notes.push("a packet in this mail is empty".to_owned());
        }
    }

    /// What looks like a packet or an order file by its name or first words, and is none.
    fn unsigned(&mut self, part: &Part<'_>) {
        let name = part.name.as_deref().unwrap_or("");
        let ends = |end: &str| name.to_ascii_lowercase().ends_with(end);
        // A template begins with a page of notes.
        let start = part.body.get(..part.body.len().min(64 << 10)).unwrap_or_default();
        let orders = String::from_utf8_lossy(start).lines().any(|l| l.starts_with("countersign: "));
        let what = if ends(".packet") {
            Packet::parse(&part.body).err().map(|e| text::said(&e))
        } else if orders {
            Some(
                "the order file in this mail is not signed: sign it with `countersign orders sign` and send the packet"
                    .to_owned(),
            )
        } else if ends("winmail.dat") {
            Some(
                "Outlook hid the attachment of this mail in a file `winmail.dat`: ask for a mail in plain text (in \
                 Outlook: Format Text, Plain Text), or for the lines from BEGIN COUNTERSIGN PACKET on"
                    .to_owned(),
            )
        } else {
            None
        };
        self.faults.extend(what.map(|what| Fault { what, known: Known::Nothing }));
    }

    /// Each file once, and of the faults those that no file explains.
    fn done(mut self, head: Head, (fields, body): &(&[u8], &[u8])) -> Found {
        let (mut seen, mut files) = (BTreeSet::<Digest>::new(), Vec::new());
        for file in self.files.into_iter().flatten() {
            if seen.insert(file.hash()) {
                files.push(file);
            }
        }
        let signatures: BTreeSet<String> = files.iter().map(|f| f.signature.armor()).collect();
        let hashes: BTreeSet<String> = files.iter().map(|f| sha256(&f.bytes()).to_string()).collect();
        for fault in self.faults {
            let there = match &fault.known {
                Known::Signature(s) => signatures.contains(s),
                Known::Sums(sums) => sums.iter().all(|s| self.sums.contains(s)),
                Known::Files(names) => names.iter().all(|n| hashes.contains(n)),
                Known::Nothing => false,
            };
            if !there {
                self.notes.push(fault.what);
            }
        }
        if self.budget.is_spent() {
            self.notes.push("there is so much in this mail that not all of it was tried".to_owned());
        }
        if files.is_empty() && self.notes.is_empty() {
            let empty = fields.is_empty() && body.trim_ascii().is_empty();
            let what = if empty { "this mail is empty" } else { "there is no packet and no signed file in this mail" };
            self.notes.push(what.to_owned());
        }
        let mut told = BTreeSet::new();
        self.notes.retain(|n| told.insert(n.clone()));
        if self.notes.len() > NOTES {
            self.notes.truncate(NOTES);
            self.notes.push("and more of this kind".to_owned());
        }
        Found { files, notes: self.notes, head }
    }
}

/// Archives are told by their first bytes and never unpacked: a small one can hold a whole disk.
fn packed(bytes: &[u8], name: Option<&str>) -> Option<String> {
    let marks: [(&[u8], &str); 6] = [
        (b"PK\x03\x04", "a zip archive"),
        (b"PK\x05\x06", "a zip archive"),
        (b"\x1f\x8b", "packed with gzip"),
        (b"Rar!", "a rar archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"\xfd7zXZ", "packed with xz"),
    ];
    let (_, kind) = marks.iter().find(|(mark, _)| bytes.starts_with(mark))?;
    // Office documents are zip archives too, and nobody means them as a packet.
    let name = name.unwrap_or("").to_ascii_lowercase();
    if [".docx", ".xlsx", ".odt", ".ods", ".pptx", ".epub"].iter().any(|e| name.ends_with(e)) {
        return None;
    }
    Some(format!("an attachment of this mail is {kind} and was not opened: attach the packet itself, it is small"))
}
