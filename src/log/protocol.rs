//! The protocol check: signatures, chain, links, seeds, seals, without the rules. Fast, and good for any ruleset: a log
//! whose rules are unknown here can still be checked this far.
//!
//! Documents are read by a small reader of the form programs write (`schemas/protocol.md`, "Documents"); the full
//! verifier reads them as YAML and holds both readings to the digest in the log.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::entry::{Entry, FileEntry, ResultEntry};
use super::fault::{Fault, Kind};
use super::keys::read_key_file;
use super::terms::Terms;
use super::verify::read_lines;
use crate::doc::{KeyFile, SignedFile};
use crate::seal::{ChainStart, Digest, Namespace, Opening, PublicKey, seal, step_seed};
use crate::side::Seat;

/// What a log holds whose protocol is sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protocol {
    /// The ruleset its terms name.
    pub ruleset: String,
    /// Entries.
    pub entries: usize,
    /// Signatures checked.
    pub signatures: usize,
    /// Openings that fit their seals.
    pub openings: usize,
    /// Hash of the last result.
    pub head: Digest,
}

/// The parts of a step document that the protocol knows.
#[derive(Default)]
struct Sketch<'a> {
    game: &'a str,
    step: &'a str,
    head: &'a str,
    link: Option<&'a str>,
    accept: Option<&'a str>,
    /// Tip of a new chain.
    tip: Option<&'a str>,
    /// Files a host takes.
    takes: Vec<&'a str>,
    /// Seats in whose place a host puts the book's orders.
    late: Vec<&'a str>,
    seals: Vec<(&'a str, &'a str)>,
    opens: Vec<(&'a str, Opening)>,
}

fn fault(kind: Kind, entry: usize, expected: impl Into<String>, found: impl Into<String>) -> Box<Fault> {
    Box::new(Fault::new(kind, entry, "protocol", expected, found))
}

/// Reads `key: value` lines; `None` if the document is not in the form programs write.
fn sketch(document: &str) -> Option<Sketch<'_>> {
    let mut out = Sketch::default();
    let mut section = "";
    for line in document.lines() {
        if let Some(inner) = line.strip_prefix("  ") {
            if inner.starts_with("- ") {
                continue; // a list: a host's refusals
            }
            let (slot, value) = inner.split_once("\": ")?;
            let slot = slot.strip_prefix('"')?;
            match section {
                // A forfeit leaves no seed; of one that was not so nothing follows.
                "late" if value == "\"default-orders\"" => out.late.push(slot),
                "takes" => out.takes.push(value.trim_matches('"')),
                "chain" if slot == "tip" => out.tip = Some(value.trim_matches('"')),
                "seals" => out.seals.push((slot, value.trim_matches('"'))),
                "opens" => {
                    out.opens.push((slot, Opening::deserialize(&mut serde_json::Deserializer::from_str(value)).ok()?))
                }
                _ => {}
            }
            continue;
        }
        let (key, value) = line.split_once(':')?;
        section = key;
        let value = value.trim().trim_matches('"');
        match key {
            "game" => out.game = value,
            "step" => out.step = value,
            "head" => out.head = value,
            "link" => out.link = Some(value),
            "accept" => out.accept = Some(value),
            _ => {}
        }
    }
    Some(out)
}

struct Checker {
    terms: Terms,
    game: String,
    head: String,
    step: u64,
    known: BTreeMap<Seat, (u64, Digest)>,
    links: BTreeMap<Seat, Digest>,
    /// Links of the players' files in a hosted step, by file, until the host's file says which he takes.
    offered: BTreeMap<String, (usize, Seat, Digest)>,
    /// The same of what they accept.
    accepting: BTreeMap<String, (Seat, String)>,
    seals: BTreeMap<Seat, BTreeMap<String, Vec<(u64, Digest)>>>,
    /// Entries of links that are not the committed ones: only a step that was not resolved may hold them, or one in which
    /// their seat was late.
    wrong_links: Vec<(usize, Seat)>,
    /// Openings of the step that fit no seal, and slots of those that do: a wrong one may stand beside a true one.
    wrong_openings: Vec<(usize, Seat, String)>,
    opened: BTreeSet<(Seat, String)>,
    openings: usize,
    /// Whether the host's file of the step has been read.
    host_spoke: bool,
    /// Seats the host has declared late in the step: their links are not waited for.
    late: BTreeSet<Seat>,
    /// Requests of new keys in the step, by file hash, and the files accepted.
    requests: BTreeMap<String, (usize, KeyFile)>,
    accepts: BTreeSet<(Seat, String)>,
    /// New chains named in the step.
    chains: BTreeMap<Seat, Digest>,
}

/// Checks everything about a log but the rules of its game.
///
/// # Errors
/// The first fault.
pub fn check_protocol(log: &[u8]) -> Result<Protocol, Box<Fault>> {
    let entries = read_lines(log)?;
    let first = entries.iter().position(|e| matches!(e, Entry::Result(_))).unwrap_or(entries.len());
    let mut files = Vec::new();
    for (i, entry) in entries[..first].iter().enumerate() {
        if let Entry::File(entry) = entry {
            files.push(entry.signed().map_err(|e| fault(Kind::Document, i, "a signed file", e))?);
        }
    }
    let (proposal, acceptances) = files.split_first().ok_or_else(|| fault(Kind::Terms, 0, "a proposal", "none"))?;
    let terms =
        Terms::join(proposal, acceptances).map_err(|e| fault(Kind::Terms, 0, "terms all seats accepted", e.what))?;
    let known = terms.seats.iter().map(|s| (s.seat, (0, s.chain.tip))).collect();
    let (game, ruleset) = (terms.game.to_string(), terms.proposal.ruleset.clone());
    let (links, seals) = (BTreeMap::new(), BTreeMap::new());
    let mut checker = Checker {
        terms,
        game,
        head: String::new(),
        step: 0,
        known,
        links,
        offered: BTreeMap::new(),
        accepting: BTreeMap::new(),
        seals,
        wrong_links: Vec::new(),
        wrong_openings: Vec::new(),
        opened: BTreeSet::new(),
        openings: 0,
        host_spoke: false,
        late: BTreeSet::new(),
        requests: BTreeMap::new(),
        accepts: BTreeSet::new(),
        chains: BTreeMap::new(),
    };
    let mut signatures = first;
    let mut head = Digest([0; 32]);
    for (i, entry) in entries.iter().enumerate().skip(first) {
        match entry {
            Entry::File(file) => {
                checker.file(i, file)?;
                signatures += 1;
            }
            Entry::Result(result) => {
                checker.result(i, result)?;
                // The hash of this line is the `prev` of the next; of the last line it is made here.
                head = entries
                    .get(i + 1)
                    .map_or_else(|| crate::seal::sha256(entry.line().as_bytes()), |next| next.place().1);
                checker.head = head.to_string();
            }
        }
    }
    Ok(Protocol { ruleset, entries: entries.len(), signatures, openings: checker.openings, head })
}

impl Checker {
    fn file(&mut self, i: usize, entry: &FileEntry) -> Result<(), Box<Fault>> {
        let signed: SignedFile = entry.signed().map_err(|e| fault(Kind::Document, i, "a signed file", e))?;
        if signed.signature.is_for(Namespace::Key) {
            return self.request(i, entry, &signed);
        }
        let seat = self
            .terms
            .seat(entry.seat)
            .ok_or_else(|| fault(Kind::WrongSeat, i, "a seat of this game", entry.seat.to_string()))?;
        let namespace = if entry.seat == Seat::Host { Namespace::Host } else { Namespace::Orders };
        let verdict = signed.signature.verify(&seat.key, namespace, signed.document.as_bytes());
        verdict.map_err(|f| fault(Kind::Signature, i, "a signature of the seat", f.to_string()))?;
        let read = sketch(&signed.document)
            .ok_or_else(|| fault(Kind::Document, i, "a document as programs write it", "another form"))?;
        if read.game != self.game || read.head != self.head || read.step != self.step.to_string() {
            return Err(fault(Kind::Binding, i, format!("step {}", self.step), format!("step {}", read.step)));
        }
        if entry.seat == Seat::Host {
            self.host_spoke = true;
            self.late.extend(read.late.iter().filter_map(|seat| seat.parse::<Seat>().ok()));
        }
        let accept = read.accept.map(|hash| (entry.seat, hash.to_owned()));
        if self.terms.hosted() {
            self.accepting.extend(accept.map(|accept| (signed.hash().to_string(), accept)));
        } else {
            self.accepts.extend(accept);
        }
        if let Some(tip) = read.tip.filter(|_| !self.terms.hosted()) {
            let tip = tip.parse().map_err(|e: String| fault(Kind::Document, i, "the tip of a chain", e))?;
            self.chains.insert(entry.seat, tip);
        }
        for taken in read.takes {
            if let Some((at, seat, link)) = self.offered.remove(taken) {
                self.link(at, seat, link);
            }
            self.accepts.extend(self.accepting.remove(taken));
        }
        if let Some(text) = read.link {
            let link: Digest = text.parse().map_err(|e: String| fault(Kind::Link, i, "a link", e))?;
            if self.terms.hosted() && entry.seat != Seat::Host {
                self.offered.insert(signed.hash().to_string(), (i, entry.seat, link));
            } else {
                self.link(i, entry.seat, link);
            }
        }
        let mut own = Vec::new();
        for (slot, sealed) in read.seals {
            let sealed = sealed.parse().map_err(|e: String| fault(Kind::Document, i, "a seal", e))?;
            own.push((slot.to_owned(), (self.step, sealed)));
        }
        let seals = self.seals.entry(entry.seat).or_default();
        for (slot, place) in own {
            seals.entry(slot).or_default().push(place);
        }
        for (slot, opening) in read.opens {
            // A host opens what the players lodged with him: a slot is one player's alone.
            let of = |seat: &Seat| self.seals.get(seat).is_some_and(|s| s.contains_key(slot));
            let owner = match entry.seat {
                Seat::Host => self.terms.players().into_iter().find(of).unwrap_or(Seat::Host),
                seat => seat,
            };
            // The newest first: of several versions the last one sent is mostly the one that stands.
            let fits = |(step, sealed): &(u64, Digest)| seal(&self.terms.game, owner, *step, slot, &opening) == *sealed;
            if !self.seals.get(&owner).and_then(|s| s.get(slot)).is_some_and(|all| all.iter().rev().any(fits)) {
                self.wrong_openings.push((i, entry.seat, slot.to_owned()));
                continue;
            }
            self.opened.insert((entry.seat, slot.to_owned()));
            self.openings += 1;
        }
        Ok(())
    }

    /// The request of a new key, which has to be accepted in the same step.
    fn request(&mut self, i: usize, entry: &FileEntry, signed: &SignedFile) -> Result<(), Box<Fault>> {
        let file = read_key_file(signed).map_err(|e| fault(Kind::Signature, i, "a request of a new key", e.what))?;
        let bound = (file.game.to_string(), file.head.to_string(), file.step);
        if bound != (self.game.clone(), self.head.clone(), self.step) || file.seat != entry.seat {
            return Err(fault(Kind::Binding, i, format!("step {}", self.step), format!("step {}", file.step)));
        }
        self.requests.insert(signed.hash().to_string(), (i, file));
        Ok(())
    }

    /// New keys and chains count from the next step on.
    fn change_seats(&mut self, result: &ResultEntry) -> Result<(), Box<Fault>> {
        let accepts = std::mem::take(&mut self.accepts);
        let mut accepted = None;
        for (hash, (at, file)) in std::mem::take(&mut self.requests) {
            let by_another = accepts.iter().any(|(seat, named)| *named == hash && *seat != file.seat);
            if result.how != "agreed" || !by_another {
                return Err(fault(Kind::Block, at, "a request of a new key that was accepted", "one that was not"));
            }
            accepted = Some(file);
        }
        for (seat, tip) in std::mem::take(&mut self.chains) {
            self.new_chain(seat, tip);
        }
        if let Some(file) = accepted {
            let key = PublicKey::parse(&file.who.key).map_err(|e| fault(Kind::Signature, 0, "a key", e.what))?;
            self.new_chain(file.seat, file.who.chain.tip);
            if let Some(terms) = self.terms.seats.iter_mut().find(|s| s.seat == file.seat) {
                terms.key = key;
            }
        }
        Ok(())
    }

    fn new_chain(&mut self, seat: Seat, tip: Digest) {
        if let Some(terms) = self.terms.seats.iter_mut().find(|s| s.seat == seat) {
            let number = if terms.chain.base == self.step { terms.chain.number } else { terms.chain.number + 1 };
            terms.chain = ChainStart { number, tip, base: self.step, ..terms.chain };
            self.known.insert(seat, (self.step, tip));
        }
    }

    /// Takes the link of entry `i`, if it is the one its seat committed to.
    fn link(&mut self, i: usize, seat: Seat, link: Digest) {
        // A seat's first true link counts; what comes after it is talk.
        if self.links.contains_key(&seat) {
            return;
        }
        let Some(chain) = self.terms.seat(seat).map(|s| s.chain) else { return };
        let (known_i, known) = self.known.get(&seat).copied().unwrap_or((chain.base, chain.tip));
        if chain.check((known_i, &known), (self.step, &link)) {
            self.known.insert(seat, (self.step, link));
            self.links.insert(seat, link);
        } else {
            self.wrong_links.push((i, seat));
        }
    }

    fn result(&mut self, i: usize, result: &ResultEntry) -> Result<(), Box<Fault>> {
        if result.step != self.step {
            return Err(fault(
                Kind::Order,
                i,
                format!("the result of step {}", self.step),
                format!("of step {}", result.step),
            ));
        }
        if self.terms.seat(Seat::Host).is_some() && result.step > 0 && !self.host_spoke {
            return Err(fault(Kind::Block, i, "the host's file", "none"));
        }
        self.host_spoke = false;
        let late = std::mem::take(&mut self.late);
        let wrong = std::mem::take(&mut self.wrong_links).into_iter().find(|(_, seat)| !late.contains(seat));
        if let Some((at, _)) = wrong.filter(|_| result.how == "resolved") {
            return Err(fault(Kind::Link, at, "the committed link", "another"));
        }
        let link = |seat: Seat| self.links.get(&seat).copied().filter(|_| !late.contains(&seat));
        let links: Vec<Option<Digest>> = self.terms.seats.iter().map(|s| link(s.seat)).collect();
        // All link every step but who is late; in hosted games the host alone has to.
        let spared = |seat: Seat| late.contains(&seat) || (self.terms.hosted() && seat != Seat::Host);
        let all = self.terms.seats.iter().zip(&links).all(|(s, link)| link.is_some() || spared(s.seat));
        let ours = (result.how == "resolved" && all).then(|| step_seed(&self.terms.game, result.step, &links));
        if (result.how == "resolved" && !all) || ours != result.seed {
            let text = |d: Option<Digest>| d.map_or("none".to_owned(), |d| d.to_string());
            return Err(fault(Kind::Seed, i, text(ours), text(result.seed)));
        }
        if matches!(result.how.as_str(), "resolved" | "audit") {
            let alone = |(_, seat, slot): &&(usize, Seat, String)| !self.opened.contains(&(*seat, slot.clone()));
            if let Some((at, _, slot)) = self.wrong_openings.iter().find(alone) {
                return Err(fault(Kind::Opening, *at, "an opening that fits its seal", slot));
            }
        }
        self.change_seats(result)?;
        self.wrong_openings.clear();
        self.opened.clear();
        self.links.clear();
        self.offered.clear();
        self.accepting.clear();
        self.step += 1;
        Ok(())
    }
}
