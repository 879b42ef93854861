//! How a step closes between two, and what a closing writes (`schemas/protocol.md`, "A step between two seats", "The
//! log").

use std::collections::{BTreeMap, BTreeSet};

use super::entry::ResultEntry;
use super::history::{Blocked, Closed, End, History, HostPost, OpenSeal, Post, Seeds};
use super::keys::Accepted;
use super::step::{Filed, How, Oracle as _, Standing, settle};
use super::strict::Ending;
use super::time::Times;
use crate::doc::{StepFile, parsed_digest};
use crate::error::{Error, Result, plain};
use crate::play::{Inputs, Story, Want};
use crate::seal::{Digest, Hasher, seal};
use crate::side::Seat;

impl History {
    /// Closes the open step of a game in which the players bind and reveal (between two, or strict) if its files do, and
    /// writes its block.
    ///
    /// # Errors
    /// A defect of the program, in words.
    pub fn close(&mut self, posts: &[Post]) -> Result<Option<Closed>> {
        if self.complete() {
            return Ok(None);
        }
        if self.terms.strict() {
            return match self.closing_strict(posts) {
                Some((standing, Ending::Audit)) => Ok(Some(self.write_audit(&standing, &pinned(&standing), posts))),
                Some((standing, Ending::Step(how))) => {
                    let counted = pinned(&standing);
                    self.write_step(&standing, how, &counted, posts).map(Some)
                }
                None => Ok(None),
            };
        }
        if self.end.is_some() {
            return Ok(self.close_audit(posts));
        }
        let standing = self.settle(posts);
        let opened = if standing.answered() && standing.linked() { self.last_openings(&standing) } else { None };
        let Some((how, counted)) = standing.closing(opened.as_ref()) else {
            return Ok(None);
        };
        self.write_step(&standing, how, &counted, posts).map(Some)
    }

    /// Carries a closing of files that bind and reveal out and writes its block.
    fn write_step(
        &mut self,
        standing: &Standing,
        how: How,
        counted: &BTreeMap<Seat, usize>,
        posts: &[Post],
    ) -> Result<Closed> {
        let (seeds, seed) = self.seeds_with(standing);
        let block = block(standing, counted, posts);
        let story = if how == How::Resolved {
            let inputs = self.inputs(standing, counted);
            self.seeds = seeds;
            let story = self.commit(&inputs)?;
            self.place_seals(standing, &inputs);
            Some(story)
        } else {
            None
        };
        // In a strict game the host takes note of a concession, before whatever else was agreed.
        let gives_up = standing.order.into_iter().find(|s| standing.seats[s].conceded.is_some());
        let gives_up = gives_up.filter(|_| self.terms.strict() && how == How::Agreed);
        let accepted = self.accepted(standing).filter(|_| how == How::Agreed && gives_up.is_none());
        let end = match how {
            How::ConcededTwice => Some(End::Draw),
            How::Agreed => gives_up.map(End::Conceded),
            How::Late => Some(forfeit(&self.forfeited(standing))),
            How::Resolved if story.as_ref().is_some_and(|s| s.over) => Some(End::Rules),
            How::Resolved | How::Refused => None,
        };
        let times = if self.terms.strict() {
            let judged = self.times_strict(standing, how);
            judged.map_err(|(_, why)| Error::new(format!("a file of the host does not count: {why}")))?
        } else {
            self.times
        };
        let (hosts, due) = self.host_files(standing);
        let heard = block.clone();
        let refused = refused(standing);
        self.conclude(Conclusion { how, seed, story, accepted, end, block, heard, hosts, due, times, refused })
    }

    /// Writes what a closing brought about: the game, the seats, the block, the result.
    pub(super) fn conclude(&mut self, done: Conclusion) -> Result<Closed> {
        let Conclusion { how, seed, story, accepted, end, block, heard, hosts, due, times, refused } = done;
        self.times = times;
        self.keep_links(&heard);
        self.keep_chains(&heard);
        self.end = end.or(self.end.take());
        let mut key = None;
        match &accepted {
            Some((by, Accepted::Offer(offer))) => self.carry_out(*by, offer)?,
            Some((by, Accepted::Key(post))) => {
                self.seat_over(*by, post);
                key = Some(post.as_ref().clone());
            }
            None => {}
        }
        for seat in self.terms.players() {
            if let Some(post) = key.as_ref().filter(|post| post.file.seat == seat) {
                self.log.file(seat, &post.signed, parsed_digest(&post.file));
            }
            self.write(&block.iter().filter(|b| b.0 == seat).cloned().collect::<Vec<_>>());
        }
        for host in &hosts {
            self.log.file(Seat::Host, &host.signed, parsed_digest(&host.file));
        }
        let matter = accepted.map(|(by, accepted)| (by, self.matter(&accepted)));
        self.accepted_keys.extend(key);
        self.keys.clear();
        if how != How::Resolved && self.wants().iter().any(|w| matches!(w, Want::Roll { .. })) {
            // Dice before any answer take the seed of the first step resolved: this one is not.
            let next = self.step + 1;
            self.game.game_mut().reseed(next);
        }
        let seed = seed.filter(|_| how == How::Resolved);
        let mut closed = self.finish(how.word(), seed, due).with(story, &heard, self);
        closed.refused = refused;
        if let Some(last) = self.closed.last_mut() {
            last.refused.clone_from(&closed.refused);
        }
        if let Some((by, matter)) = matter {
            closed.agreed = Some((by, matter.words()));
            self.note_agreement(closed.step, by, matter);
        }
        self.note_rolls_first();
        self.openings.push((self.game.clone(), self.seals.clone()));
        Ok(closed)
    }

    /// The shortest stretch of each seat's files, from its link on, that brings every opening the run asks for.
    pub(super) fn last_openings(&self, standing: &Standing) -> Option<BTreeMap<Seat, usize>> {
        let mut upto: BTreeMap<Seat, usize> =
            standing.seats.iter().map(|(seat, view)| (*seat, view.linked.map_or(0, |at| at + 1))).collect();
        loop {
            let story = self.preview(standing, &upto);
            let missing = story.wants.iter().find_map(|want| match want {
                Want::Open { side, slot } => Some((Seat::from(*side), slot)),
                _ => None,
            });
            let Some((seat, slot)) = missing else {
                let waiting = story.wants.iter().any(|w| matches!(w, Want::Roll { .. }));
                let sound = !waiting && story.refused.is_none() && story.bug.is_none();
                return sound.then(|| upto.into_iter().map(|(seat, n)| (seat, n.saturating_sub(1))).collect());
            };
            let view = &standing.seats[&seat];
            let brings = |at: &usize| {
                let file = &view.chain[*at].file;
                !view.talk.contains_key(at) && file.opens.get(slot).is_some_and(|o| self.fits(standing, seat, slot, o))
            };
            let at = (upto[&seat]..view.chain.len()).find(brings)?;
            upto.insert(seat, at + 1);
        }
    }

    pub(super) fn commit(&mut self, inputs: &Inputs) -> Result<Story> {
        let seeds = self.seeds.clone();
        self.game.game_mut().commit(inputs, &Seeds(&seeds)).map_err(|story| {
            let why = story.bug.or(story.refused.map(|(_, slot, r)| format!("{slot}: {r:?}")));
            Error::new(format!("this is a defect of the program: {}", why.unwrap_or_default()))
                .next("nothing was changed; please report it with the game folder")
        })
    }

    fn place_seals(&mut self, standing: &Standing, inputs: &Inputs) {
        for seat in standing.order {
            if let Some(filed) = standing.answer_file(seat).filter(|_| standing.asked.contains(&seat)) {
                self.place_seals_of(&filed.file);
            }
        }
        self.seals.retain(|slot, _| !inputs.opens.contains_key(slot));
    }

    /// Notes the seals of an answer that stands.
    pub(super) fn place_seals_of(&mut self, file: &StepFile) {
        let (seat, step) = (file.seat, self.step);
        let seals = file.seals.iter().map(|(slot, seal)| (slot.clone(), OpenSeal { seat, step, seal: *seal }));
        self.seals.extend(seals);
    }

    /// The step after the end, in which both open everything.
    fn close_audit(&mut self, posts: &[Post]) -> Option<Closed> {
        let files: Vec<Filed> = posts.iter().map(|p| p.filed.clone()).collect();
        let standing = settle(self.terms.players(), &BTreeSet::new(), &files, self);
        let counted = self.audited(&standing)?;
        Some(self.write_audit(&standing, &counted, posts))
    }

    /// How many files of each seat it takes until every seal is open, if they are all there.
    pub(super) fn audited(&self, standing: &Standing) -> Option<BTreeMap<Seat, usize>> {
        let mut counted: BTreeMap<Seat, usize> = BTreeMap::new();
        for (slot, open) in &self.seals {
            let view = standing.seats.get(&open.seat)?;
            let brings = |at: &usize| {
                let opening = view.chain[*at].file.opens.get(slot);
                !view.talk.contains_key(at)
                    && opening.is_some_and(|o| seal(&self.terms.game, open.seat, open.step, slot, o) == open.seal)
            };
            let at = (0..view.chain.len()).find(brings)?;
            let last = counted.entry(open.seat).or_insert(0);
            *last = (*last).max(at + 1);
        }
        Some(counted)
    }

    fn write_audit(&mut self, standing: &Standing, counted: &BTreeMap<Seat, usize>, posts: &[Post]) -> Closed {
        let block = block(standing, counted, posts);
        self.seals.clear();
        self.write(&block);
        let (hosts, due) = self.host_files(standing);
        for host in &hosts {
            self.log.file(Seat::Host, &host.signed, parsed_digest(&host.file));
        }
        self.finish("audit", None, due).with(None, &block, self)
    }

    /// The host's files of a strict step that count, and when the next step is due. His link is kept.
    fn host_files(&mut self, standing: &Standing) -> (Vec<HostPost>, Option<String>) {
        let Some(host) = &standing.host else { return (Vec::new(), None) };
        if let Some(link) = host.linked.and_then(|at| host.chain.get(at)).and_then(|h| h.file.link) {
            self.links.insert(Seat::Host, (self.step, link));
        }
        let post = |hash: &Digest| self.hosts.iter().find(|p| p.signed.hash() == *hash).cloned();
        let hosts = host.chain.iter().filter_map(|h| post(&h.hash)).collect();
        (hosts, host.chain.last().and_then(|last| last.file.due.clone()))
    }

    pub(super) fn keep_links(&mut self, block: &[Blocked]) {
        for (seat, _, _, file) in block {
            if let Some(link) = file.link.filter(|l| self.link(*seat, l)) {
                self.links.insert(*seat, (self.step, link));
            }
        }
    }

    pub(super) fn write(&mut self, block: &[Blocked]) {
        for (seat, signed, parsed, _) in block {
            self.log.file(*seat, signed, *parsed);
        }
    }

    /// The result entry of the open step, all but what happened.
    pub(super) fn finish(&self, how: &'static str, seed: Option<Digest>, due: Option<String>) -> Closing {
        let needs = self.need_lines();
        let entry = ResultEntry {
            i: 0,
            prev: Digest([0; 32]),
            kind: String::new(),
            step: self.step,
            how: how.to_owned(),
            seed,
            events: Digest([0; 32]),
            position: Hasher::new("position").text(&self.game.game().position()).done(),
            needs,
            due,
        };
        Closing { how, entry }
    }

    /// The needs of the next step, in clear.
    fn need_lines(&self) -> Vec<String> {
        match &self.end {
            None => self.game.game().wants().iter().map(Want::line).collect(),
            Some(end) => {
                let word = match end {
                    End::Rules => "over".to_owned(),
                    End::Conceded(seat) => format!("over conceded {seat}"),
                    End::Draw => "over draw".to_owned(),
                    End::Forfeited(seat) => format!("over forfeit {seat}"),
                };
                let audits = self.seals.iter().map(|(slot, open)| format!("audit {} {slot}", open.seat));
                std::iter::once(word).chain(audits).collect()
            }
        }
    }
}

/// What a closing brought about.
pub(super) struct Conclusion {
    pub how: How,
    /// The seed of the step, if all links are in.
    pub seed: Option<Digest>,
    /// What happened, if the rules were run.
    pub story: Option<Story>,
    pub accepted: Option<(Seat, Accepted)>,
    /// How the game ended by it, if it did and nothing accepted says so.
    pub end: Option<End>,
    /// The players' files of the block, those of a seat in its order.
    pub block: Vec<Blocked>,
    /// Those whose links and words count.
    pub heard: Vec<Blocked>,
    /// The host's files, in their order.
    pub hosts: Vec<HostPost>,
    /// When the next step is due, as his last file says.
    pub due: Option<String>,
    /// The same with what else stands of time.
    pub times: Times,
    /// Files the host refused, with his reasons.
    pub refused: Vec<(Seat, String)>,
}

/// A result entry about to be written.
pub(super) struct Closing {
    how: &'static str,
    entry: ResultEntry,
}

impl Closing {
    pub(super) fn with(self, story: Option<Story>, block: &[Blocked], history: &mut History) -> Closed {
        let records = story.as_ref().map_or(&[][..], |s| &s.records[..]);
        let events = records.iter().fold(Hasher::new("events"), |h, r| h.text(r)).done();
        let step = history.step;
        history.hosts.clear();
        history.head = history.log.result(ResultEntry { events, ..self.entry });
        history.heads.push(history.head);
        history.step += 1;
        // A word that a new version of the orders repeats was said once.
        let mut said: Vec<(Seat, String)> =
            block.iter().filter_map(|(seat, _, _, f)| Some((*seat, plain(f.say.as_ref()?)))).collect();
        said.dedup();
        let closed = Closed { step, how: self.how, story, head: history.head, said, agreed: None, refused: Vec::new() };
        history.closed.push(closed.clone());
        closed
    }
}

/// How many files of each seat the host has named.
fn pinned(standing: &Standing) -> BTreeMap<Seat, usize> {
    standing.seats.iter().map(|(seat, view)| (*seat, view.chain.len())).collect()
}

/// How a game ends that seats have forfeited.
pub(super) fn forfeit(seats: &[Seat]) -> End {
    match seats {
        [one] => End::Forfeited(*one),
        _ => End::Draw,
    }
}

/// What a strict game's host has refused, with his reasons.
fn refused(standing: &Standing) -> Vec<(Seat, String)> {
    let Some(host) = &standing.host else { return Vec::new() };
    let sound = host.chain.iter().enumerate().filter(|(at, _)| !host.talk.contains_key(at));
    let all = sound.flat_map(|(_, h)| &h.file.refuse).filter_map(|r| {
        let seat = standing.order.into_iter().find(|s| standing.seats[s].position(&r.file).is_some())?;
        Some((seat, r.rule.clone()))
    });
    all.collect()
}

/// The files of a block: by seat in terms order, and by the seat's own numbers.
fn block(standing: &Standing, counted: &BTreeMap<Seat, usize>, posts: &[Post]) -> Vec<Blocked> {
    let mut out = Vec::new();
    for seat in standing.order {
        for filed in standing.seats[&seat].chain.iter().take(counted.get(&seat).copied().unwrap_or(0)) {
            if let Some(post) = posts.iter().find(|p| p.filed.hash == filed.hash) {
                out.push((seat, post.signed.clone(), parsed_digest(&filed.file), filed.file.clone()));
            }
        }
    }
    out
}
