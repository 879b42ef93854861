//! Verification: a log is read, every line is rebuilt from the files in it, and the first difference is the fault.

use super::entry::{Entry, FileEntry, ResultEntry};
use super::fault::{Fault, Kind};
use super::history::{Closed, History, HostPost, Post, read_host_file, read_step};
use super::keys::KeyPost;
use super::step::{Filed, Talk};
use super::terms::{Terms, read_acceptance, read_proposal};
use crate::doc::{SignedFile, VERSION, parsed_digest};
use crate::play::PRIVATE;
use crate::seal::{Digest, Namespace, sha256};
use crate::side::Seat;

/// What a sound log holds.
#[derive(Debug, Clone)]
pub struct Verified {
    /// The game at its end.
    pub history: History,
    /// Entries.
    pub entries: usize,
    /// Signatures checked.
    pub signatures: usize,
    /// Dice recomputed.
    pub dice: usize,
    /// Seals opened and checked.
    pub openings: usize,
}

/// Checks a whole log. `scenario` gives the text of a scenario by id; `known` is a head the reader trusts, and must
/// be one of the log's.
///
/// # Errors
/// The first fault.
pub fn verify(
    log: &[u8],
    scenario: &dyn Fn(&str) -> Option<String>,
    known: Option<Digest>,
) -> Result<Verified, Box<Fault>> {
    verify_with(log, &|terms| open(terms, scenario), known)
}

/// The game as a step of a log opens, everything before it checked.
///
/// # Errors
/// The first fault before it, or that the log does not reach so far.
pub fn history_at(log: &[u8], scenario: &dyn Fn(&str) -> Option<String>, opened: u64) -> Result<History, Box<Fault>> {
    let entries = read_lines(log)?;
    let (history, mut at) = begin(&entries, &|terms| open(terms, scenario))?;
    let mut verified = Verified { history, entries: entries.len(), signatures: 0, dice: 0, openings: 0 };
    while verified.history.step() != opened {
        let end = (at..entries.len()).find(|i| matches!(entries[*i], Entry::Result(_)));
        let Some(end) = end else {
            let expected = format!("the opening of step {opened}");
            return Err(fault(Kind::Truncated, at, "protocol: log", expected, "the end of the log"));
        };
        step(&mut verified, &entries, at, end)?;
        at = end + 1;
    }
    Ok(verified.history)
}

fn open(terms: Terms, scenario: &dyn Fn(&str) -> Option<String>) -> Result<History, Box<Fault>> {
    let id = terms.proposal.scenario.clone();
    let Some(text) = scenario(&id) else {
        let expected = format!("the scenario `{id}`");
        return Err(fault(Kind::Scenario, 0, "protocol: terms", expected, "none of that name here"));
    };
    History::begin(terms, &text).map_err(Box::new)
}

/// Checks a whole log of whatever book: `open` sets the game of the terms up, as [`History::begin`] does for the books
/// of the catalogue.
///
/// # Errors
/// The first fault.
pub fn verify_with(
    log: &[u8],
    open: &dyn Fn(Terms) -> Result<History, Box<Fault>>,
    known: Option<Digest>,
) -> Result<Verified, Box<Fault>> {
    let entries = read_lines(log)?;
    let (history, at) = begin(&entries, open)?;
    let mut verified = Verified { history, entries: entries.len(), signatures: at - 1, dice: 0, openings: 0 };
    let mut at = at;
    while at < entries.len() {
        let end = (at..entries.len()).find(|i| matches!(entries[*i], Entry::Result(_)));
        let Some(end) = end else {
            return Err(fault(Kind::Truncated, at, "protocol: log", "the result of the step", "the end of the log"));
        };
        let closed = step(&mut verified, &entries, at, end)?;
        verified.signatures += end - at;
        verified.dice += closed.story.as_ref().map_or(0, |s| s.dice.len());
        at = end + 1;
    }
    if let Some(head) = known {
        check_head(&verified.history, head, entries.len())?;
    }
    Ok(verified)
}

fn fault(kind: Kind, entry: usize, rule: &str, expected: impl Into<String>, found: impl Into<String>) -> Box<Fault> {
    Box::new(Fault::new(kind, entry, rule, expected, found))
}

/// Lines to entries: each in form, numbered from 0, each with the hash of the one before.
pub(super) fn read_lines(log: &[u8]) -> Result<Vec<Entry>, Box<Fault>> {
    let text = std::str::from_utf8(log).map_err(|e| {
        let line = log[..e.valid_up_to()].iter().filter(|b| **b == b'\n').count();
        fault(Kind::Form, line, "protocol: log", "UTF-8 text", "other bytes")
    })?;
    let mut entries = Vec::new();
    let mut prev = Digest([0; 32]);
    for (i, line) in text.split('\n').enumerate() {
        if line.is_empty() && i > 0 && text.len() == entries_length(text, i) {
            break;
        }
        let entry = Entry::parse(line).map_err(|why| fault(Kind::Form, i, "protocol: log", "an entry", why))?;
        let (number, before) = entry.place();
        if number != i || before != prev {
            let expected = format!("entry {i} after {}", prev.short());
            return Err(fault(
                Kind::Order,
                i,
                "protocol: log",
                expected,
                format!("entry {number} after {}", before.short()),
            ));
        }
        prev = sha256(line.as_bytes());
        entries.push(entry);
    }
    if !text.ends_with('\n') {
        return Err(fault(Kind::Truncated, entries.len(), "protocol: log", "a line end after the last entry", "none"));
    }
    Ok(entries)
}

/// The length of a text whose last line end closes its `lines`-th line.
fn entries_length(text: &str, lines: usize) -> usize {
    text.split_inclusive('\n').take(lines).map(str::len).sum()
}

/// Terms and the first result.
fn begin(
    entries: &[Entry],
    open: &dyn Fn(Terms) -> Result<History, Box<Fault>>,
) -> Result<(History, usize), Box<Fault>> {
    let end = entries.iter().position(|e| matches!(e, Entry::Result(_)));
    let Some(end) = end else {
        return Err(fault(
            Kind::Truncated,
            entries.len(),
            "protocol: log",
            "terms and the opening result",
            "the end of the log",
        ));
    };
    let mut files = Vec::new();
    for (i, entry) in entries[..end].iter().enumerate() {
        if let Entry::File(entry) = entry {
            files.push(signed(i, entry)?);
        }
    }
    let Some((proposal, acceptances)) = files.split_first() else {
        return Err(fault(Kind::Terms, 0, "protocol: terms", "a proposal", "a result"));
    };
    // Each terms file by itself first, so that the fault names its entry.
    let check = |i: usize, file: &SignedFile| {
        let read = if i == 0 { read_proposal(file).map(drop) } else { read_acceptance(file).map(drop) };
        read.map_err(|e| {
            let kind = if e.what.contains("of version") {
                Kind::Version
            } else if e.what.contains("signature") {
                Kind::Signature
            } else {
                Kind::Terms
            };
            let expected = format!("terms of version {VERSION}, signed by the key they name");
            fault(kind, i, "protocol: terms", expected, e.what)
        })
    };
    for (i, file) in files.iter().enumerate() {
        check(i, file)?;
    }
    let terms = Terms::join(proposal, acceptances)
        .map_err(|e| fault(Kind::Terms, 0, "protocol: terms", "terms that all seats accepted", e.what))?;
    let history = open(terms)?;
    compare(&history, entries, 0, end)?;
    Ok((history, end + 1))
}

fn signed(i: usize, entry: &FileEntry) -> Result<SignedFile, Box<Fault>> {
    entry.signed().map_err(|why| fault(Kind::Document, i, "protocol: files", "a signed file", why))
}

/// One block: its files, then the result they make.
fn step(verified: &mut Verified, entries: &[Entry], at: usize, end: usize) -> Result<Closed, Box<Fault>> {
    let history = &mut verified.history;
    let mut posts: Vec<Post> = Vec::new();
    let mut hosts: Vec<HostPost> = Vec::new();
    let mut keys = Vec::new();
    for (i, entry) in entries.iter().enumerate().take(end).skip(at) {
        let Entry::File(entry) = entry else { continue };
        let file = signed(i, entry)?;
        if file.signature.is_for(Namespace::Key) {
            keys.push(read_key(history, i, entry, &file)?);
        } else if entry.seat == Seat::Host {
            hosts.push(read_host(history, i, entry, &file)?);
        } else {
            posts.push(read_player(history, i, entry, &file)?);
        }
    }
    if history.terms.seat(Seat::Host).is_some() && hosts.is_empty() {
        return Err(fault(Kind::Block, end, "protocol: games with a host", "the host's file", "none"));
    }
    history.keys_at_hand(keys);
    history.hosts_at_hand(hosts.clone());
    // Whichever of the host's files is the first at fault is named.
    let timed = timed_rightly(history, entries, &posts, &hosts, at, end);
    let relayed = relayed_rightly(history, entries, &posts, at, end);
    match (timed, relayed) {
        (Err(time), Err(other)) => return Err(if other.entry < time.entry { other } else { time }),
        (timed, relayed) => timed.and(relayed)?,
    }
    let closed = match hosts.last().filter(|_| history.terms.hosted()) {
        Some(host) => {
            hosted_choice(history, entries, &posts, host, at, end)?;
            if let Some(slot) = history.false_opening(&posts, host) {
                let kind = kind_of(&Talk::BadOpening(slot.clone()));
                let found = format!("an opening of `{slot}` that does not fit");
                return Err(fault(kind, end - 1, "protocol: seals", "openings that fit their seals", found));
            }
            if let Err(why) = history.judge_late_hosted(&posts, host) {
                return Err(fault(Kind::FalseLate, end - 1, "protocol: the clock", "a player who is late", why.what));
            }
            history.close_hosted(&posts, host)
        }
        None => history.close(&posts),
    };
    let closed =
        closed.map_err(|e| fault(Kind::Block, end, "protocol: life of a step", "files that close the step", e.what))?;
    let Some(closed) = closed else { return Err(unclosed(history, entries, &posts, at, end)) };
    verified.openings += posts.iter().map(|p| p.filed.file.opens.len()).sum::<usize>();
    verified.openings += hosts.iter().map(|h| h.file.opens.len()).sum::<usize>();
    compare(history, entries, at, end)?;
    Ok(closed)
}

fn read_player(history: &History, i: usize, entry: &FileEntry, file: &SignedFile) -> Result<Post, Box<Fault>> {
    let rule = "protocol: files";
    let seat = history.seat(entry.seat).filter(|s| s.seat != Seat::Host);
    let Some(seat) = seat else {
        return Err(fault(Kind::WrongSeat, i, rule, "a player of this game", entry.seat.to_string()));
    };
    let document = file.document.as_bytes();
    file.signature.verify(&seat.key, Namespace::Orders, document).map_err(|f| {
        let kind =
            if matches!(f, crate::seal::SignatureFault::WrongKey(_)) { Kind::WrongSeat } else { Kind::Signature };
        fault(kind, i, rule, format!("a signature of the {} player", entry.seat), f.to_string())
    })?;
    let read = read_step(file).map_err(|e| {
        let kind = if e.what.contains("of version") { Kind::Version } else { Kind::Document };
        fault(kind, i, rule, format!("a step file of version {VERSION}"), e.what)
    })?;
    if read.seat != entry.seat {
        return Err(fault(Kind::WrongSeat, i, rule, entry.seat.to_string(), read.seat.to_string()));
    }
    if parsed_digest(&read) != entry.parsed {
        let (expected, found) = (parsed_digest(&read).to_string(), entry.parsed.to_string());
        return Err(fault(Kind::Document, i, rule, expected, found));
    }
    let bound = (read.game, read.step, read.head);
    let here = (history.terms.game, history.step(), history.head());
    if bound != here {
        let show = |(game, step, head): (Digest, u64, Digest)| {
            format!("game {}, step {step}, head {}", game.short(), head.short())
        };
        return Err(fault(Kind::Binding, i, rule, show(here), show(bound)));
    }
    Ok(Post { filed: Filed { hash: file.hash(), file: read }, signed: file.clone() })
}

fn read_key(history: &History, i: usize, entry: &FileEntry, file: &SignedFile) -> Result<KeyPost, Box<Fault>> {
    let rule = "protocol: new keys and chains";
    let post = history.read_key(file).map_err(|e| fault(Kind::Signature, i, rule, "a request of a new key", e.what))?;
    if post.file.seat != entry.seat {
        return Err(fault(Kind::WrongSeat, i, rule, entry.seat.to_string(), post.file.seat.to_string()));
    }
    if parsed_digest(&post.file) != entry.parsed {
        let (expected, found) = (parsed_digest(&post.file).to_string(), entry.parsed.to_string());
        return Err(fault(Kind::Document, i, rule, expected, found));
    }
    Ok(post)
}

fn read_host(history: &History, i: usize, entry: &FileEntry, file: &SignedFile) -> Result<HostPost, Box<Fault>> {
    let rule = "protocol: hosted games";
    let Some(host) = history.seat(Seat::Host) else {
        return Err(fault(Kind::WrongSeat, i, rule, "a game with a host", "a host's file in a game without"));
    };
    file.signature
        .verify(&host.key, Namespace::Host, file.document.as_bytes())
        .map_err(|f| fault(Kind::Signature, i, rule, "a signature of the host", f.to_string()))?;
    let read = read_host_file(file).map_err(|e| fault(Kind::Document, i, rule, "a host's file", e.what))?;
    if parsed_digest(&read) != entry.parsed {
        return Err(fault(Kind::Document, i, rule, parsed_digest(&read).to_string(), entry.parsed.to_string()));
    }
    if (read.game, read.step, read.head) != (history.terms.game, history.step(), history.head()) {
        return Err(fault(Kind::Binding, i, rule, format!("step {}", history.step()), format!("step {}", read.step)));
    }
    Ok(HostPost { signed: file.clone(), file: read })
}

/// The entry of a file in a block.
fn entry_of(entries: &[Entry], at: usize, end: usize, hash: &Digest) -> usize {
    let of = |i: &usize| matches!(&entries[*i], Entry::File(e) if e.signed().is_ok_and(|s| s.hash() == *hash));
    (at..end).find(of).unwrap_or(at)
}

/// In a strict game every file of the host is as the rules of the step want it.
fn relayed_rightly(
    history: &History,
    entries: &[Entry],
    posts: &[Post],
    at: usize,
    end: usize,
) -> Result<(), Box<Fault>> {
    if !history.terms.strict() {
        return Ok(());
    }
    let standing = history.settle(posts);
    let Some(host) = &standing.host else { return Ok(()) };
    let Some((n, talk)) = host.talk.iter().next() else { return Ok(()) };
    let kind = if *talk == Talk::NothingToRefuse { Kind::LegalRefused } else { kind_of(talk) };
    let entry = host.chain.get(*n).map_or(at, |h| entry_of(entries, at, end, &h.hash));
    Err(fault(kind, entry, "protocol: a strict step", "a host's file in order", talk.to_string()))
}

/// The host has put times off, never brought them nearer, and stopped the clock in turn.
fn timed_rightly(
    history: &History,
    entries: &[Entry],
    posts: &[Post],
    hosts: &[HostPost],
    at: usize,
    end: usize,
) -> Result<(), Box<Fault>> {
    let Some((hash, why)) = history.false_time(posts, hosts) else { return Ok(()) };
    let entry = entry_of(entries, at, end, &hash);
    Err(fault(Kind::Clock, entry, "protocol: the clock", "a time that was not told nearer before", why))
}

/// A host takes only what the rules allow, and refuses nothing that they do.
fn hosted_choice(
    history: &History,
    entries: &[Entry],
    posts: &[Post],
    host: &HostPost,
    at: usize,
    end: usize,
) -> Result<(), Box<Fault>> {
    let entry = |hash: &Digest| entry_of(entries, at, end, hash);
    let rule = "protocol: hosted games";
    for post in posts {
        let hash = &post.filed.hash;
        let verdict = history.judge_hosted(&post.filed.file, posts);
        let refused = host.file.refuse.iter().find(|r| r.file == *hash);
        match (verdict, refused) {
            (Ok(()), Some(refusal)) => {
                let found = format!("refused by the host: {}", refusal.rule);
                return Err(fault(Kind::LegalRefused, entry(hash), rule, "a file the rules allow, taken", found));
            }
            (Err(why), None) if host.file.takes.values().any(|t| t == hash) => {
                return Err(fault(kind_of(&why), entry(hash), rule, "a file the rules allow", why.to_string()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The kind of fault of a file that does not count.
fn kind_of(talk: &Talk) -> Kind {
    match talk {
        Talk::Illegal(_) | Talk::NotAsked | Talk::HostOnly | Talk::TooLate => Kind::IllegalOrder,
        Talk::NotLate => Kind::FalseLate,
        Talk::WrongLink => Kind::Link,
        Talk::LinkTooEarly | Talk::AfterLink => Kind::LinkTooEarly,
        Talk::BadOpening(slot) if slot.rsplit('/').next() == Some(PRIVATE) => Kind::PrivateDie,
        Talk::BadOpening(_) => Kind::Opening,
        Talk::AfterEnd | Talk::BadOffer(_) | Talk::NothingToAccept | Talk::NothingToRefuse | Talk::NamesAstray => {
            Kind::Block
        }
    }
}

/// Why the files of a block do not close their step: the first file that does not count, or what is missing.
fn unclosed(history: &History, entries: &[Entry], posts: &[Post], at: usize, end: usize) -> Box<Fault> {
    let standing = history.settle(posts);
    for view in standing.seats.values() {
        if let Some((n, talk)) = view.talk.iter().next()
            && let Some(filed) = view.chain.get(*n)
        {
            return fault(
                kind_of(talk),
                entry_of(entries, at, end, &filed.hash),
                "protocol: life of a step",
                "a file that counts",
                talk.to_string(),
            );
        }
    }
    let missing = if standing.answered() && standing.linked() {
        let story = history.preview(&standing, &super::player::all_files(&standing));
        story.wants.iter().map(crate::play::Want::line).collect::<Vec<_>>().join(", ")
    } else {
        "an answer or a link is missing".to_owned()
    };
    fault(Kind::Block, end, "protocol: life of a step", "files that close the step", missing)
}

/// The block as this program writes it against the block as it stands.
fn compare(history: &History, entries: &[Entry], at: usize, end: usize) -> Result<(), Box<Fault>> {
    for (i, entry) in entries.iter().enumerate().take(end + 1).skip(at) {
        let Some(line) = history.log().lines().get(i) else {
            return Err(fault(Kind::Block, i, "protocol: log", "the end of the step's block", "one more entry"));
        };
        if *line == entry.line() {
            continue;
        }
        return Err(match (Entry::parse(line), entry) {
            (Ok(Entry::Result(ours)), Entry::Result(theirs)) => result_fault(i, &ours, theirs),
            (Ok(Entry::File(ours)), Entry::File(theirs)) if ours.file == theirs.file && ours.sig == theirs.sig => {
                let same = ours.parsed == theirs.parsed;
                let kind = if same { Kind::WrongSeat } else { Kind::Document };
                fault(kind, i, "protocol: log", line.clone(), entry.line())
            }
            _ => fault(Kind::Block, i, "protocol: log", line.clone(), entry.line()),
        });
    }
    if history.log().len() != end + 1 {
        return Err(fault(Kind::Block, end, "protocol: log", "every counted file of the step", "fewer entries"));
    }
    Ok(())
}

fn result_fault(i: usize, ours: &ResultEntry, theirs: &ResultEntry) -> Box<Fault> {
    let text = |d: &Option<Digest>| d.map_or("none".to_owned(), |d| d.to_string());
    let rule = "protocol: log";
    if ours.seed != theirs.seed {
        return fault(Kind::Seed, i, "protocol: dice", text(&ours.seed), text(&theirs.seed));
    }
    if ours.events != theirs.events {
        return fault(Kind::Events, i, rule, ours.events.to_string(), theirs.events.to_string());
    }
    if ours.position != theirs.position {
        return fault(Kind::Position, i, rule, ours.position.to_string(), theirs.position.to_string());
    }
    if ours.needs != theirs.needs {
        return fault(Kind::Needs, i, rule, ours.needs.join(", "), theirs.needs.join(", "));
    }
    let show = |e: &ResultEntry| format!("step {} {} due {:?}", e.step, e.how, e.due);
    fault(Kind::Block, i, rule, show(ours), show(theirs))
}

/// A head the reader trusts is one of the log's results.
fn check_head(history: &History, head: Digest, entries: usize) -> Result<(), Box<Fault>> {
    if history.heads().contains(&head) {
        return Ok(());
    }
    let steps = history.heads().len();
    let found = format!("{steps} results, the last {}", history.head().short());
    Err(fault(Kind::Forked, entries.saturating_sub(1), "protocol: heads", format!("a result {}", head.short()), found))
}
