//! Everything this program sends as text, found in one part of a mail.

use super::clear::{self, Budget, NEXT, Outcome};
use super::undo::{self, Change, Way};
use super::{decode, html};
use crate::doc::{Packet, SignedFile};
use crate::seal::{find_blocks, sha256};

const MAGIC: &str = "countersign packet ";
const ARMOR: &str = "BEGIN COUNTERSIGN PACKET";

/// Most ways in which one part is read.
const READINGS: usize = 16;

/// Most bytes of all of them together.
const VOLUME: usize = 48 << 20;

/// Most faults told of one part.
const FAULTS: usize = 50;

/// Longest packet in clear in which changes are undone, in bytes; a longer one has to come as it was.
const CLEAR: usize = 400 << 10;

/// Something that is there and could not be read.
pub(super) struct Fault {
    /// What and why, and what to do.
    pub(super) what: String,
    /// By what it would be known if it were found whole elsewhere in the mail.
    pub(super) known: Known,
}

/// A mark that a damaged thing shares with the whole one.
pub(super) enum Known {
    /// The signature of a file, in its block's form.
    Signature(String),
    /// Checksums of armoured blocks: it is one of these.
    Sums(Vec<String>),
    /// Hashes of the files of a packet.
    Files(Vec<String>),
    /// Nothing is left to know it by.
    Nothing,
}

/// What one part holds.
#[derive(Default)]
pub(super) struct Finds {
    /// Packets that came whole or armoured.
    pub(super) packets: Vec<Packet>,
    /// Files in clear, each with what had been done to it.
    pub(super) files: Vec<(SignedFile, Vec<Change>)>,
    /// What could not be read.
    pub(super) faults: Vec<Fault>,
}

impl Finds {
    fn loose(&self) -> usize {
        self.faults.iter().filter(|f| matches!(f.known, Known::Nothing)).count()
    }

    /// Adds what another reading sees. One in which an encoding is left sees damage where the right one sees none:
    /// what cannot be told apart otherwise is believed from the reading that has least of it, and the order is that
    /// of the one that has most files.
    pub(super) fn merge(&mut self, mut other: Finds) {
        if other.is_empty() {
            return;
        }
        let count = |f: &Finds| f.files.len() + f.packets.len();
        if count(self) == 0 && self.faults.is_empty() {
            *self = other;
            return;
        }
        if count(&other) > count(self) {
            std::mem::swap(self, &mut other);
        }
        let loose = |f: &Fault| matches!(f.known, Known::Nothing);
        if other.loose() < self.loose() {
            self.faults.retain(|f| !loose(f));
            self.faults.extend(other.faults);
        } else {
            self.faults.extend(other.faults.into_iter().filter(|f| !loose(f)));
        }
        self.packets.extend(other.packets);
        for (file, changes) in other.files {
            match self.files.iter_mut().find(|(f, _)| *f == file) {
                // Seen by one reading as it was sent, it was not changed.
                Some((_, least)) if changes.len() < least.len() => *least = changes,
                Some(_) => {}
                None => self.files.push((file, changes)),
            }
        }
    }

    /// Whether there is something and nothing is wrong with it.
    pub(super) fn is_whole(&self) -> bool {
        self.faults.is_empty() && !self.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.packets.is_empty() && self.files.is_empty() && self.faults.is_empty()
    }
}

/// Finds everything in the content of a part.
pub(super) fn search(bytes: &[u8], charset: Option<&str>, is_html: bool, budget: &mut Budget) -> Finds {
    let mut all = Finds { packets: exact(bytes, budget), ..Finds::default() };
    for text in readings(bytes, charset, is_html) {
        all.merge(read(&text, budget));
    }
    all
}

/// Packets that stand byte by byte in something else: a body, or a file of a program that packs attachments its own
/// way.
fn exact(bytes: &[u8], budget: &mut Budget) -> Vec<Packet> {
    let (mut found, mut at) = (Vec::new(), 0);
    for _ in 0..64 {
        let Some(here) = position(bytes.get(at..).unwrap_or_default(), MAGIC.as_bytes()) else { break };
        let start = at + here;
        at = start + MAGIC.len();
        let mut end = at;
        // A file in it may have such a line too: the end is where the checksum fits.
        for _ in 0..64 {
            let Some(next) = position(bytes.get(end..).unwrap_or_default(), b"\nend ") else {
                // No end behind this start: none behind the later ones either.
                if end == at {
                    return found;
                }
                break;
            };
            end += next + 5;
            let line = bytes.get(end..).unwrap_or_default();
            let length = line.iter().take(200).position(|b| *b == b'\n');
            let Some(whole) = length.and_then(|l| bytes.get(start..end + l + 1)) else { continue };
            if !budget.take(whole.len()) {
                return found;
            }
            if let Ok(packet) = Packet::parse(whole) {
                at = start + whole.len();
                found.push(packet);
                break;
            }
        }
    }
    found
}

fn position(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|w| w == word)
}

/// The texts a part may be, plainest first: charsets, then layers of encoding or markup that are still in it.
fn readings(bytes: &[u8], charset: Option<&str>, is_html: bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut volume = 0;
    let mut add = |found: &mut Vec<String>, text: String| {
        volume += text.len();
        if found.len() < READINGS && volume <= VOLUME && !found.contains(&text) {
            found.push(text);
        }
    };
    let lf = |bytes: &[u8]| String::from_utf8_lossy(&decode::lf(bytes)).into_owned();
    for text in decode::texts(bytes, charset) {
        add(&mut found, lf(text.as_bytes()));
    }
    let mut n = 0;
    while let Some(text) = found.get(n).cloned() {
        n += 1;
        if text.contains(['Ã', 'Â', 'â']) {
            let whole = decode::misread(&text);
            whole.into_iter().for_each(|t| add(&mut found, t));
        }
        if decode::is_base64(&text) {
            add(&mut found, lf(&decode::base64(text.as_bytes())));
        }
        if decode::is_quoted_printable(&text) {
            add(&mut found, lf(&decode::quoted_printable(text.as_bytes())));
        }
        if is_html || html::is_html(&text) {
            add(&mut found, html::text(&text, false));
            add(&mut found, html::text(&text, true));
        }
    }
    found
}

/// Finds everything in one reading.
fn read(text: &str, budget: &mut Budget) -> Finds {
    let mut finds = Finds::default();
    let visible = undo::blanks(text);
    if visible.contains(ARMOR) {
        armoured(&visible, &mut finds);
    }
    if visible.contains(MAGIC) {
        bare(text, &mut finds, budget);
    }
    if visible.contains("SSH SIGNATURE") {
        for outcome in clear::find(text, budget) {
            match outcome {
                Outcome::Good(file, changes) => finds.files.push((file, changes)),
                Outcome::Bad(..) if finds.faults.len() >= FAULTS => {}
                Outcome::Bad(what, signature) => {
                    let known = signature.map_or(Known::Nothing, |s| Known::Signature(s.armor()));
                    finds.faults.push(Fault { what, known });
                }
            }
        }
    }
    finds
}

fn armoured(text: &str, finds: &mut Finds) {
    let sums: Vec<String> = {
        let bare = |l: &str| l.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '=').to_owned();
        let sum = |l: String| l.strip_prefix('=').filter(|s| s.len() == 8).map(str::to_owned);
        text.lines().filter_map(|l| sum(bare(l))).take(100).collect()
    };
    for block in find_blocks(text) {
        match block.and_then(|content| Packet::parse(&content)) {
            Ok(packet) => finds.packets.push(packet),
            Err(e) => {
                if finds.faults.len() == FAULTS {
                    continue;
                }
                let nothing = sums.is_empty() || e.what.contains("cut off");
                let known = if nothing { Known::Nothing } else { Known::Sums(sums.clone()) };
                finds.faults.push(Fault { what: said(&e), known });
            }
        }
    }
}

/// A packet as it is saved, in the body of a mail: up to its end line, and with its line ends and quotes put right.
fn bare(text: &str, finds: &mut Finds, budget: &mut Budget) {
    let lines: Vec<&str> = text.lines().collect();
    for (n, line) in lines.iter().enumerate().filter(|(_, l)| l.contains(MAGIC)).take(64) {
        let Some((prefix, _)) = line.split_once(MAGIC) else { continue };
        if prefix.chars().any(char::is_alphanumeric) {
            continue;
        }
        let strip = |l: &str| {
            let short = prefix.trim_end();
            l.strip_prefix(prefix).or_else(|| l.strip_prefix(short)).unwrap_or(l).to_owned()
        };
        let rest = lines.get(n..).unwrap_or_default();
        let length = rest.iter().position(|l| strip(l).trim_start().starts_with("end "));
        let whole = rest.get(..length.map_or(rest.len(), |l| l + 1)).unwrap_or_default();
        let cost: usize = whole.iter().map(|l| l.len() + 1).sum();
        if !budget.take(cost * 4) {
            break;
        }
        let packet = whole.iter().map(|l| strip(l) + "\n").collect::<String>();
        let mut fault = None;
        let ways = if packet.len() <= CLEAR { undo::ways(&packet) } else { vec![Way::as_it_is(&packet)] };
        for way in ways {
            if !budget.take(way.text.len()) {
                break;
            }
            match Packet::parse(way.text.as_bytes()) {
                Ok(packet) => {
                    finds.packets.push(packet);
                    fault = None;
                    break;
                }
                Err(e) if fault.is_none() => fault = Some(e),
                Err(_) => {}
            }
        }
        let Some(fault) = fault else { continue };
        let hashes: Vec<String> = packet
            .lines()
            .filter_map(|l| l.trim_start().strip_prefix("file ")?.split_once(' '))
            .map(|(_, hash)| hash.trim().to_owned())
            .collect();
        let known = if hashes.is_empty() { Known::Nothing } else { Known::Files(hashes) };
        finds.faults.push(Fault { what: said(&fault), known });
    }
}

/// A fault as one sentence for a note.
pub(super) fn said(error: &crate::Error) -> String {
    let next = if error.next.is_empty() { NEXT } else { &error.next };
    format!("{}: {next}", error.what)
}

/// The checksum an armoured block of a packet ends with.
pub(super) fn sum(packet: &Packet) -> String {
    sha256(&packet.bytes()).short()
}
