//! The history of a game: terms, closed steps, the open step. Given the same files, in any order of arrival, every
//! party's history writes the same log.

use std::collections::{BTreeMap, BTreeSet};

use super::agree::Agreement;
use super::entry::Lines;
use super::fault::{Fault, Kind};
use super::keys::KeyPost;
use super::relay::Relayed;
use super::step::{Filed, Oracle, Standing, settle};
use super::terms::{SeatTerms, Terms, version};
use super::time::Times;
use crate::catalog::{self, AnyGame};
use crate::doc::{HostFile, Late, Offer, Pause, SignedFile, StepFile, instant, read_emitted};
use crate::error::{Error, Result};
use crate::play::{Dice, Inputs, Story, Ticket, Want};
use crate::seal::{CHAIN_LENGTH, Digest, Namespace, Opening, face, seal, step_seed};
use crate::side::Seat;

/// Largest step document, in bytes.
pub(super) const LARGEST: usize = 256 << 10;

/// A step file with its signature, both checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Post {
    /// The exact bytes.
    pub signed: SignedFile,
    /// What it says.
    pub filed: Filed,
}

/// A host's file with its signature, both checked.
#[derive(Debug, Clone, PartialEq)]
pub struct HostPost {
    /// The exact bytes.
    pub signed: SignedFile,
    /// What it says.
    pub file: HostFile,
}

impl HostPost {
    /// As the step reads it.
    #[must_use]
    pub fn relayed(&self) -> Relayed {
        Relayed { hash: self.signed.hash(), file: self.file.clone() }
    }
}

/// A player's file as a block holds it: seat, bytes, digest of what was parsed, what it says.
pub(super) type Blocked = (Seat, SignedFile, Digest, StepFile);

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By the rules; the position tells who won.
    Rules,
    /// This seat conceded.
    Conceded(Seat),
    /// Both conceded, or agreed on it, or both were late: a draw.
    Draw,
    /// This seat let the time go by and has lost by the terms (games with a host).
    Forfeited(Seat),
}

/// What a closed step did, for reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// Its number.
    pub step: u64,
    /// The word of the result entry.
    pub how: &'static str,
    /// What happened.
    pub story: Option<Story>,
    /// The new head.
    pub head: Digest,
    /// Words between players in the step's files, in log order.
    pub said: Vec<(Seat, String)>,
    /// The offer whose acceptance closed it, and whose it was.
    pub agreed: Option<(Seat, String)>,
    /// Files a host did not take, with the reason he gave (hosted games).
    pub refused: Vec<(Seat, String)>,
}

/// A seal that has not been opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSeal {
    /// Whose.
    pub seat: Seat,
    /// The step it was placed in.
    pub step: u64,
    /// The seal.
    pub seal: Digest,
}

/// A game from its terms on.
#[derive(Debug, Clone)]
pub struct History {
    /// The terms.
    pub terms: Terms,
    /// The game.
    pub game: AnyGame,
    pub(super) log: Lines,
    pub(super) step: u64,
    pub(super) head: Digest,
    pub(super) heads: Vec<Digest>,
    pub(super) links: BTreeMap<Seat, (u64, Digest)>,
    pub(super) seeds: BTreeMap<u64, Digest>,
    pub(super) seals: BTreeMap<String, OpenSeal>,
    pub(super) end: Option<End>,
    pub(super) closed: Vec<Closed>,
    /// Game and seals as every step opened, from step 1: a take-back goes there.
    pub(super) openings: Vec<(AnyGame, BTreeMap<String, OpenSeal>)>,
    /// Requests of new keys that were accepted.
    pub(super) accepted_keys: Vec<KeyPost>,
    /// Requests of new keys at hand for the open step.
    pub(super) keys: Vec<KeyPost>,
    /// Who plays the seats now, by which keys and chains.
    pub(super) seats: Vec<SeatTerms>,
    /// Steps that were taken back.
    pub(super) dead: BTreeSet<u64>,
    /// Steps whose run begins with dice.
    pub(super) rolls_first: BTreeSet<u64>,
    /// The host's files at hand for the open step.
    pub(super) hosts: Vec<HostPost>,
    /// What stood of time when the open step opened.
    pub(super) times: Times,
    pub(super) agreements: Vec<Agreement>,
    pub(super) resend_days: u32,
}

pub(super) struct Seeds<'a>(pub &'a BTreeMap<u64, Digest>);

impl Dice for Seeds<'_> {
    fn face(&self, step: u64, ticket: &Ticket) -> Option<u32> {
        self.0.get(&step).map(|seed| face(seed, &ticket.name, ticket.faces).face + 1)
    }
}

impl History {
    /// Begins a game: checks the terms, sets the scenario up and writes the first entries. `scenario` is the text the
    /// terms name.
    ///
    /// # Errors
    /// What does not fit, as a fault of entry 0.
    pub fn begin(terms: Terms, scenario: &str) -> std::result::Result<History, Fault> {
        let fault =
            |kind, found: String| Fault::new(kind, 0, "protocol: terms", "terms this program can play by", found);
        let proposal = &terms.proposal;
        if catalog::knows(&proposal.ruleset) && catalog::digest(scenario) != proposal.scenario_digest {
            return Err(Fault::new(
                Kind::Scenario,
                0,
                "protocol: terms",
                proposal.scenario_digest.to_string(),
                catalog::digest(scenario).to_string(),
            ));
        }
        let game = catalog::open(&proposal.ruleset, scenario, &proposal.rulings).map_err(|errors| {
            let kind = if catalog::knows(&proposal.ruleset) { Kind::Scenario } else { Kind::Version };
            fault(kind, errors.first().map(ToString::to_string).unwrap_or_default())
        })?;
        Ok(History::open(terms, game))
    }

    /// Begins a game that has been set up already, of whatever book: [`History::begin`] without the catalogue.
    #[must_use]
    pub fn open(terms: Terms, game: AnyGame) -> History {
        let mut log = Lines::default();
        for (seat, signed, parsed) in &terms.files {
            log.file(*seat, signed, *parsed);
        }
        let links = terms.seats.iter().map(|s| (s.seat, (0, s.chain.tip))).collect();
        let mut history = History {
            openings: vec![(game.clone(), BTreeMap::new())],
            resend_days: terms.proposal.resend_days,
            seats: terms.seats.clone(),
            terms,
            game,
            log,
            step: 0,
            head: Digest([0; 32]),
            heads: Vec::new(),
            links,
            seeds: BTreeMap::new(),
            seals: BTreeMap::new(),
            end: None,
            closed: Vec::new(),
            accepted_keys: Vec::new(),
            keys: Vec::new(),
            dead: BTreeSet::new(),
            rolls_first: BTreeSet::new(),
            hosts: Vec::new(),
            times: Times::default(),
            agreements: Vec::new(),
        };
        history.finish("start", None, None).with(None, &[], &mut history);
        history.note_rolls_first();
        history
    }

    /// The log so far.
    #[must_use]
    pub fn log(&self) -> &Lines {
        &self.log
    }

    /// The open step, from 1.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Hash of the last result entry.
    #[must_use]
    pub fn head(&self) -> Digest {
        self.head
    }

    /// Heads of all results, from the opening on.
    #[must_use]
    pub fn heads(&self) -> &[Digest] {
        &self.heads
    }

    /// How the game ended, if it did. Seals may still wait to be opened ([`History::unopened`]).
    #[must_use]
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Seeds of closed steps.
    #[must_use]
    pub fn seeds(&self) -> &BTreeMap<u64, Digest> {
        &self.seeds
    }

    /// Seals not opened yet, by slot.
    #[must_use]
    pub fn unopened(&self) -> &BTreeMap<String, OpenSeal> {
        &self.seals
    }

    /// What each closed step did.
    #[must_use]
    pub fn closed(&self) -> &[Closed] {
        &self.closed
    }

    /// The last links known, with their steps.
    #[must_use]
    pub fn links(&self) -> &BTreeMap<Seat, (u64, Digest)> {
        &self.links
    }

    /// The host's files at hand for the open step.
    #[must_use]
    pub fn hosts(&self) -> &[HostPost] {
        &self.hosts
    }

    /// Whether nothing more can be added: the game is over and every seal is open.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.end.is_some() && self.seals.is_empty()
    }

    /// What the game waits for in the open step.
    #[must_use]
    pub fn wants(&self) -> &[Want] {
        if self.end.is_some() { &[] } else { self.game.game().wants() }
    }

    /// The seats that have a free choice in the open step.
    #[must_use]
    pub fn asked(&self) -> BTreeSet<Seat> {
        self.wants().iter().filter_map(Want::asks).map(Seat::from).collect()
    }

    /// Checks a player's file for the open step.
    ///
    /// # Errors
    /// In words: it does not parse, its signature does not fit, or it is bound to another game, step or head.
    pub fn read(&self, signed: &SignedFile) -> Result<Post> {
        let file = read_step(signed)?;
        if file.game != self.terms.game {
            return Err(Error::new(format!(
                "this file is for game {}, not {}",
                file.game.short(),
                self.terms.game.short()
            ))
            .next("look for the folder of that game"));
        }
        let Some(seat) = self.seat(file.seat).filter(|s| s.seat != Seat::Host) else {
            return Err(Error::new(format!("there is no {} player in this game", file.seat)));
        };
        signed
            .signature
            .verify(&seat.key, Namespace::Orders, signed.document.as_bytes())
            .map_err(|fault| Error::new(format!("the file of the {} player does not count: {fault}", file.seat)))?;
        if file.step != self.step {
            let done = if file.step < self.step { "is closed" } else { "has not begun" };
            return Err(Error::new(format!(
                "this file is for step {}, which {done}; the open step is {}",
                file.step, self.step
            )));
        }
        if file.head != self.head {
            return Err(Error::new(format!(
                "this file answers another history: it builds on {}, the log here ends with {}",
                file.head.short(),
                self.head.short()
            ))
            .next("compare `countersign head` with your opponent over the telephone"));
        }
        Ok(Post { filed: Filed { hash: signed.hash(), file }, signed: signed.clone() })
    }

    /// Checks a host's file for the open step.
    ///
    /// # Errors
    /// As [`History::read`].
    pub fn read_host(&self, signed: &SignedFile) -> Result<HostPost> {
        let file = read_host_file(signed)?;
        let Some(host) = self.seat(Seat::Host) else {
            return Err(Error::new("this game has no host"));
        };
        signed
            .signature
            .verify(&host.key, Namespace::Host, signed.document.as_bytes())
            .map_err(|fault| Error::new(format!("the host's file does not count: {fault}")))?;
        if file.game != self.terms.game || file.step != self.step || file.head != self.head {
            return Err(Error::new("the host's file is for another game, step or history"));
        }
        Ok(HostPost { signed: signed.clone(), file })
    }

    /// What stands in the open step, from all its files in any order.
    #[must_use]
    pub fn settle(&self, posts: &[Post]) -> Standing {
        let files: Vec<Filed> = posts.iter().map(|p| p.filed.clone()).collect();
        if self.terms.strict() {
            return self.settle_strict(&files, &self.hosts);
        }
        settle(self.terms.players(), &self.asked(), &files, self)
    }

    /// The inputs of the open step, from the answers that stand and from openings in the first `upto` files of each seat.
    #[must_use]
    pub fn inputs(&self, standing: &Standing, upto: &BTreeMap<Seat, usize>) -> Inputs {
        let mut inputs = Inputs::default();
        for (seat, view) in &standing.seats {
            if let Some(filed) = standing.answer_file(*seat).filter(|_| standing.asked.contains(seat)) {
                take_answers(&mut inputs, &filed.file);
            }
            if view.defaulted.is_some() {
                inputs.answers.extend(self.absent_answers(*seat).unwrap_or_default());
            }
            let counted = upto.get(seat).copied().unwrap_or(0);
            for (at, filed) in view.chain.iter().enumerate().take(counted) {
                if !view.talk.contains_key(&at) {
                    let opens = filed.file.opens.iter().filter(|(slot, o)| self.fits(standing, *seat, slot, o));
                    inputs.opens.extend(opens.map(|(slot, o)| (slot.clone(), o.content.clone())));
                }
            }
        }
        inputs
    }

    /// Whether an opening fits the seal that stands: an earlier one, or the one of the standing answer.
    pub(super) fn fits(&self, standing: &Standing, seat: Seat, slot: &str, opening: &Opening) -> bool {
        let (step, placed) = match self.seals.get(slot) {
            Some(open) if open.seat == seat => (open.step, Some(open.seal)),
            _ => (self.step, standing.answer_file(seat).and_then(|f| f.file.seals.get(slot).copied())),
        };
        placed == Some(seal(&self.terms.game, seat, step, slot, opening))
    }

    /// The seeds known when both links of the open step are in.
    #[must_use]
    pub fn seeds_with(&self, standing: &Standing) -> (BTreeMap<u64, Digest>, Option<Digest>) {
        let mut seeds = self.seeds.clone();
        let link = |seat: &Seat| {
            let view = &standing.seats[seat];
            let linked = view.linked.filter(|_| view.defaulted.is_none());
            linked.and_then(|at| view.chain.get(at)).and_then(|f| f.file.link)
        };
        let mut links: Vec<Option<Digest>> = standing.order.iter().map(link).collect();
        if let Some(host) = &standing.host {
            links.push(host.linked.and_then(|at| host.chain.get(at)).and_then(|h| h.file.link));
        }
        let seed = standing.linked().then(|| step_seed(&self.terms.game, self.step, &links));
        seeds.extend(seed.map(|s| (self.step, s)));
        (seeds, seed)
    }

    /// What the open step would tell with these files.
    #[must_use]
    pub fn preview(&self, standing: &Standing, upto: &BTreeMap<Seat, usize>) -> Story {
        let inputs = self.inputs(standing, upto);
        self.preview_with(standing, &inputs, None)
    }

    /// The same with inputs and a seed of the caller's, for one who knows his own secrets.
    #[must_use]
    pub fn preview_with(&self, standing: &Standing, inputs: &Inputs, seed: Option<Digest>) -> Story {
        let (mut seeds, _) = self.seeds_with(standing);
        seeds.extend(seed.map(|s| (self.step, s)));
        self.game.game().preview(inputs, &Seeds(&seeds))
    }
}

pub(super) fn take_answers(inputs: &mut Inputs, file: &StepFile) {
    for (slot, tree) in &file.answers {
        inputs.answers.insert(slot.clone(), (file.step, tree.to_json()));
    }
    for slot in file.seals.keys() {
        inputs.seals.insert(slot.clone(), file.step);
    }
}

impl Oracle for History {
    fn answers(&self, file: &StepFile) -> std::result::Result<(), String> {
        let Some(side) = file.seat.side() else { return Err("the host decides nothing".into()) };
        let clear = file.answers.iter().map(|(slot, tree)| (slot.clone(), tree.to_json())).collect();
        let sealed = file.seals.keys().cloned().collect();
        self.game
            .game()
            .judge(side, &clear, &sealed)
            .map_err(|refusals| refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }

    fn link(&self, seat: Seat, link: &Digest) -> bool {
        let known = self.links.get(&seat);
        match (self.seat(seat), known) {
            (Some(terms), Some((i, x))) if self.end.is_none() => terms.chain.check((*i, x), (self.step, link)),
            _ => false,
        }
    }

    fn offer(&self, offer: &Offer) -> std::result::Result<(), String> {
        self.judge_offer(offer)
    }

    fn key(&self, seat: Seat, file: &Digest, silent: bool) -> bool {
        self.keys.iter().any(|k| k.file.seat == seat && k.hash == *file && (silent || self.is_recovery(k)))
    }

    fn late(&self, seat: Seat, then: Late, file: &HostFile) -> bool {
        self.may_be_late(seat, then, file)
    }

    fn opening(&self, seat: Seat, slot: &str, opening: &Opening, placed: &[Digest]) -> bool {
        match self.seals.get(slot) {
            Some(open) if open.seat == seat => seal(&self.terms.game, seat, open.step, slot, opening) == open.seal,
            _ => placed.contains(&seal(&self.terms.game, seat, self.step, slot, opening)),
        }
    }
}

/// Reads a step file without knowing its game.
///
/// # Errors
/// If it does not parse or is of another version or kind.
pub fn read_step(signed: &SignedFile) -> Result<StepFile> {
    let file: StepFile = first(read_emitted(&signed.document, "the signed document", LARGEST))?;
    version(file.countersign, &file.kind, "orders")?;
    if file.seat == Seat::Host || file.names.len() > 1 || file.names.contains_key(&file.seat) {
        return Err(Error::new("a player's file names one file: the other player's, or in a strict game the host's"));
    }
    if file.chain.as_ref().is_some_and(|c| c.length != CHAIN_LENGTH) {
        return Err(Error::new(format!("a seed chain has {CHAIN_LENGTH} links")));
    }
    Ok(file)
}

/// Reads a host's file without knowing its game.
///
/// # Errors
/// As [`read_step`].
pub fn read_host_file(signed: &SignedFile) -> Result<HostFile> {
    let file: HostFile = first(read_emitted(&signed.document, "the signed document", LARGEST))?;
    version(file.countersign, &file.kind, "close")?;
    if file.n == 0 || (file.n == 1) != file.prev.is_none() || file.late.contains_key(&Seat::Host) {
        return Err(Error::new("a host's files are numbered from 1, each naming the one before"));
    }
    if file.takes.contains_key(&Seat::Host) || file.names.contains_key(&Seat::Host) {
        return Err(Error::new("a host takes and names players' files alone"));
    }
    // A time that is over when it is set would let a host call a player late at once.
    let sent = instant(&file.sent);
    let ahead = |due: &str| instant(due).zip(sent).is_some_and(|(due, sent)| due > sent);
    if file.due.as_deref().is_some_and(|due| !ahead(due)) {
        return Err(Error::new("`due` is an instant in UTC after `sent`, like 2026-01-05T12:00:00Z"));
    }
    let more = file.closes() || !file.names.is_empty() || !file.refuse.is_empty() || !file.late.is_empty();
    let rightly = |pause: Pause| sent.is_some() && !more && (pause == Pause::End) == file.due.is_some();
    if file.pause.is_some_and(|pause| !rightly(pause)) {
        return Err(Error::new(
            "a file that stops the clock says nothing else; one that starts it says when the step is due",
        ));
    }
    Ok(file)
}

pub(super) fn first<T>(read: std::result::Result<T, Vec<Error>>) -> Result<T> {
    read.map_err(|mut errors| if errors.is_empty() { Error::new("unreadable") } else { errors.swap_remove(0) })
}
