//! A step of a hosted game: which files the host takes, which he refuses, and how his file closes the step
//! (`schemas/protocol.md`, "A hosted step").
//!
//! Players seal their choices for each other and lodge the openings with the host, who opens in his file what fell due, and
//! no more. A host decides nothing. Of each player he takes the newest file that the rules allow; a newer one that they do not
//! allow he names with the rule it breaks, and it stands in the log, so that a false refusal can be seen by anyone.

use std::collections::{BTreeMap, BTreeSet};

use super::close::{Conclusion, forfeit};
use super::history::{Blocked, Closed, End, History, HostPost, OpenSeal, Post, Seeds, take_answers};
use super::keys::Accepted;
use super::player::Secrets;
use super::step::{How, Oracle as _, Talk, has_answer, other};
use crate::doc::{HostFile, Late, Offer, Refuse, StepFile, parsed_digest};
use crate::error::{Error, Result};
use crate::play::{Inputs, Story, Want};
use crate::seal::{Digest, Opening, seal, step_seed};
use crate::side::Seat;

/// What an honest host does with the files in hand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// The newest file of each seat that the rules allow.
    pub takes: BTreeMap<Seat, Digest>,
    /// Newer files that they do not allow, with the reason.
    pub refuse: Vec<Refuse>,
    /// Seats that are asked and have no file that may be taken.
    pub missing: BTreeSet<Seat>,
    /// Seats with a file whose openings have not come: it has to be sent again with them.
    pub unlodged: BTreeSet<Seat>,
    /// Whether a concession is among the files taken: it closes the step whoever is missing.
    pub conceded: bool,
    /// Whether an acceptance is among them, with the file that offers: it closes the step too.
    pub agreed: bool,
}

impl Choice {
    /// Whether the step can be closed.
    #[must_use]
    pub fn closes(&self) -> bool {
        self.missing.is_empty() || self.conceded || self.agreed
    }
}

impl History {
    /// Whether the rules allow a player's file in the open step of a hosted game; `posts` are the files at hand.
    ///
    /// # Errors
    /// The reason they do not.
    pub fn judge_hosted(&self, file: &StepFile, posts: &[Post]) -> std::result::Result<(), Talk> {
        let foreign = !file.names.is_empty() || file.refuse.is_some() || file.chain.is_some();
        if foreign || !file.opens.is_empty() {
            return Err(Talk::HostOnly);
        }
        let alone = !has_answer(file) && file.link.is_none();
        match (&file.offer, &file.accept) {
            (Some(Offer::Concede), None) => {}
            // The host passes an offer on before the step closes: nothing else may be in its file.
            (Some(offer), None) if alone => return self.offer(offer).map_err(Talk::BadOffer),
            (None, Some(_)) if alone && self.accepted_hosted(file, posts).is_some() => return Ok(()),
            (None, Some(_)) => return Err(Talk::NothingToAccept),
            (Some(_), _) => return Err(Talk::BadOffer("an offer goes in a file of its own".into())),
            (None, None) => {
                if !self.asked().contains(&file.seat) {
                    return Err(Talk::NotAsked);
                }
                self.answers(file).map_err(Talk::Illegal)?;
            }
        }
        match file.link {
            Some(link) if !self.link(file.seat, &link) => Err(Talk::WrongLink),
            _ => Ok(()),
        }
    }

    /// What a file accepts in a hosted game: an offer of the other's at hand, or a new key's request for his seat. A key
    /// other than the recovery key is taken only while the seat's present one has sent nothing in the step.
    pub(super) fn accepted_hosted(&self, file: &StepFile, posts: &[Post]) -> Option<(Seat, Accepted)> {
        let hash = file.accept?;
        let partner = other(self.terms.players(), file.seat);
        let of = |post: &&Post| post.filed.file.seat == partner;
        let offered = posts.iter().filter(of).find(|p| p.filed.hash == hash).map(|p| &p.filed.file);
        if let Some(file) = offered {
            let offer = file.offer.clone().filter(|o| *o != Offer::Concede)?;
            return self.judge_hosted(file, posts).is_ok().then_some((partner, Accepted::Offer(offer)));
        }
        let silent = posts.iter().find(of).is_none();
        let request = self.keys_asking(partner, silent).find(|k| k.hash == hash)?;
        Some((partner, Accepted::Key(Box::new(request.clone()))))
    }

    /// The newest offer of the other that a seat of a hosted game may accept, by its file's hash.
    #[must_use]
    pub fn offered_hosted(&self, seat: Seat, posts: &[Post]) -> Option<(Digest, Offer)> {
        let theirs = posts.iter().filter(|p| p.filed.file.seat == other(self.terms.players(), seat));
        let sound = theirs.filter(|p| self.judge_hosted(&p.filed.file, posts).is_ok());
        let mut offers: Vec<(u32, Digest, Offer)> = sound
            .filter_map(|p| Some((p.filed.file.n, p.filed.hash, p.filed.file.offer.clone()?)))
            .filter(|(_, _, offer)| *offer != Offer::Concede)
            .collect();
        offers.sort_by_key(|(n, hash, _)| (*n, *hash));
        offers.pop().map(|(_, hash, offer)| (hash, offer))
    }

    /// What an honest host does with these files of the open step and what was lodged with him.
    #[must_use]
    pub fn choose_hosted(&self, posts: &[Post], lodged: &Secrets) -> Choice {
        self.choose_if(posts, &|post| self.opens_all(&post.filed.file, lodged))
    }

    /// The same where the caller knows of which files the openings have been lodged.
    pub fn choose_if(&self, posts: &[Post], is_lodged: &dyn Fn(&Post) -> bool) -> Choice {
        let mut choice = Choice::default();
        let asked = self.asked();
        let mut acceptance = None;
        for seat in self.terms.players() {
            let mut own: Vec<&Post> = posts.iter().filter(|p| p.filed.file.seat == seat).collect();
            own.sort_by_key(|p| std::cmp::Reverse((p.filed.file.n, p.filed.hash)));
            for post in own {
                let file = &post.filed.file;
                match self.judge_hosted(file, posts) {
                    Ok(()) if file.accept.is_some() => acceptance = acceptance.or(Some(post)),
                    // An offer stands beside the orders, not in their place.
                    Ok(()) if file.offer.as_ref().is_some_and(|o| *o != Offer::Concede) => {}
                    Ok(()) if !is_lodged(post) => drop(choice.unlodged.insert(seat)),
                    Ok(()) => {
                        choice.conceded |= file.offer == Some(Offer::Concede);
                        choice.takes.insert(seat, post.filed.hash);
                        break;
                    }
                    Err(talk) => choice.refuse.push(Refuse { file: post.filed.hash, rule: talk.to_string() }),
                }
            }
            if asked.contains(&seat) && !choice.takes.contains_key(&seat) {
                choice.missing.insert(seat);
            }
        }
        if let Some(post) = acceptance.filter(|_| !choice.conceded) {
            let file = &post.filed.file;
            choice.agreed = true;
            choice.takes = BTreeMap::from([(file.seat, post.filed.hash)]);
            if let Some((partner, Accepted::Offer(_))) = self.accepted_hosted(file, posts) {
                choice.takes.extend(file.accept.map(|offer| (partner, offer)));
            }
        }
        choice
    }

    /// Seats an honest host may declare late when he signs this file, with what follows by the terms.
    #[must_use]
    pub fn late_hosted(&self, missing: &BTreeSet<Seat>, file: &HostFile) -> BTreeMap<Seat, Late> {
        let row = self.terms.late();
        let then = |seat: &Seat| match row {
            Some(Late::DefaultOrders) if self.absent_answers(*seat).is_none() => Some(Late::Forfeit),
            row => row,
        };
        let found = missing.iter().filter_map(|seat| Some((*seat, then(seat)?)));
        found.filter(|(seat, then)| self.may_be_late(*seat, *then, file)).collect()
    }

    /// The openings that fall due when the step is closed with these files: the run of the rules is asked again until it
    /// wants no more.
    ///
    /// # Errors
    /// The slot whose opening `find` does not have.
    pub(super) fn due_openings(
        &self,
        taken: &BTreeMap<Seat, StepFile>,
        late: &[Seat],
        seed: Digest,
        find: &dyn Fn(Seat, u64, &str, &Digest) -> Option<Opening>,
    ) -> std::result::Result<(Inputs, BTreeMap<String, Opening>), String> {
        let mut inputs = Inputs::default();
        taken.values().filter(|f| f.offer.is_none()).for_each(|file| take_answers(&mut inputs, file));
        for seat in late {
            inputs.answers.extend(self.absent_answers(*seat).unwrap_or_default());
        }
        let mut seeds = self.seeds.clone();
        seeds.insert(self.step, seed);
        let mut due = BTreeMap::new();
        loop {
            let story = self.game.game().preview(&inputs, &Seeds(&seeds));
            let wanted: Vec<&String> = story
                .wants
                .iter()
                .filter_map(|w| if let Want::Open { slot, .. } = w { Some(slot) } else { None })
                .collect();
            if wanted.is_empty() {
                return Ok((inputs, due));
            }
            for slot in wanted {
                let (seat, step, sealed) = self.placed(slot, taken).ok_or_else(|| slot.clone())?;
                let opening = find(seat, step, slot, &sealed).ok_or_else(|| slot.clone())?;
                inputs.opens.insert(slot.clone(), opening.content.clone());
                due.insert(slot.clone(), opening);
            }
        }
    }

    /// Whose seal of a slot stands, and since which step: an earlier one, or one in the files taken.
    fn placed(&self, slot: &str, taken: &BTreeMap<Seat, StepFile>) -> Option<(Seat, u64, Digest)> {
        let earlier = self.seals.get(slot).map(|open| (open.seat, open.step, open.seal));
        earlier.or_else(|| taken.values().find_map(|f| Some((f.seat, self.step, *f.seals.get(slot)?))))
    }

    /// An opening of the host's file, if it fits the seal.
    fn fitting(&self, host: &HostFile, seat: Seat, step: u64, slot: &str, sealed: &Digest) -> Option<Opening> {
        let opening = host.opens.get(slot)?;
        (seal(&self.terms.game, seat, step, slot, opening) == *sealed).then(|| opening.clone())
    }

    /// The first opening of a host's file that does not fit the seal of its slot.
    #[must_use]
    pub fn false_opening(&self, posts: &[Post], host: &HostPost) -> Option<String> {
        let of = |hash: &Digest| posts.iter().find(|p| p.filed.hash == *hash).map(|p| p.filed.file.clone());
        let taken = host.file.takes.iter().filter_map(|(seat, hash)| Some((*seat, of(hash)?))).collect();
        let is_false = |slot: &&String| {
            let placed = self.placed(slot, &taken);
            placed.is_some_and(|(seat, step, sealed)| self.fitting(&host.file, seat, step, slot, &sealed).is_none())
        };
        host.file.opens.keys().find(is_false).cloned()
    }

    /// Closes the open step of a hosted game with the host's file, the files it takes and those it refuses.
    ///
    /// # Errors
    /// What does not fit: a file is missing, one taken is against the rules or one refused is not, a link is wrong, an
    /// opening is missing, false or not due.
    pub fn close_hosted(&mut self, posts: &[Post], host: &HostPost) -> Result<Option<Closed>> {
        if self.complete() {
            return Ok(None);
        }
        if self.end.is_some() {
            return self.audit_hosted(host).map(Some);
        }
        let (mut block, taken) = self.hosted_block(posts, host)?;
        let link = host.file.link.filter(|link| self.link(Seat::Host, link));
        let Some(link) = link else {
            return Err(Error::new("the host's link is missing or not the one he committed to"));
        };
        let hosts = self.notices(host)?;
        let players = self.terms.players();
        let mut links: Vec<Option<Digest>> = players.iter().map(|s| taken.get(s).and_then(|f| f.link)).collect();
        links.push(Some(link));
        let late = self.judge_late(&taken, &host.file)?;
        let conceded: Vec<Seat> =
            players.into_iter().filter(|s| taken.get(s).is_some_and(|f| f.offer == Some(Offer::Concede))).collect();
        let accepted = taken.values().find_map(|file| self.accepted_hosted(file, posts));
        let agreed = accepted.as_ref().filter(|_| conceded.is_empty()).map(|(_, accepted)| accepted);
        let judged = self.judge_times(hosts.iter().map(|h| &h.file), true, agreed);
        let times = judged.map_err(|(_, why)| Error::new(format!("a file of the host does not count: {why}")))?;
        let forfeited: Vec<Seat> = late.iter().filter(|(_, then)| **then == Late::Forfeit).map(|(s, _)| *s).collect();
        let (mut how, mut end, mut story, mut seed) = (How::Resolved, None, None, None);
        if !conceded.is_empty() {
            how = if conceded.len() == 2 { How::ConcededTwice } else { How::Agreed };
            end = Some(if conceded.len() == 2 { End::Draw } else { End::Conceded(conceded[0]) });
        } else if accepted.is_some() {
            how = How::Agreed;
        } else if !forfeited.is_empty() {
            (how, end) = (How::Late, Some(forfeit(&forfeited)));
        } else {
            if let Some(seat) = self.asked().iter().find(|s| !taken.contains_key(*s) && !late.contains_key(*s)) {
                return Err(Error::new(format!("the host closed the step without the {seat} player's orders")));
            }
            let ours = step_seed(&self.terms.game, self.step, &links);
            let told = self.run_hosted(&taken, &late, ours, &host.file)?;
            end = told.over.then_some(End::Rules);
            (story, seed) = (Some(told), Some(ours));
        }
        if how != How::Resolved && !host.file.opens.is_empty() {
            return Err(Error::new("the host's file opens something, which is not due in a step without dice"));
        }
        block.sort_by_key(|(seat, _, _, file)| {
            (players.iter().position(|s| s == seat), file.n, taken.get(seat) == Some(file))
        });
        let heard: Vec<Blocked> = block.iter().filter(|b| taken.get(&b.0) == Some(&b.3)).cloned().collect();
        self.links.insert(Seat::Host, (self.step, link));
        let refused: Vec<(Seat, String)> = (host.file.refuse.iter())
            .filter_map(|r| Some((posts.iter().find(|p| p.filed.hash == r.file)?.filed.file.seat, r.rule.clone())))
            .collect();
        let (accepted, due) = (accepted.filter(|_| how == How::Agreed && conceded.is_empty()), host.file.due.clone());
        self.conclude(Conclusion { how, seed, story, accepted, end, block, heard, hosts, due, times, refused })
            .map(Some)
    }

    /// Runs the rules with the files taken and, for seats that are late, the book's orders.
    fn run_hosted(
        &mut self,
        taken: &BTreeMap<Seat, StepFile>,
        late: &BTreeMap<Seat, Late>,
        seed: Digest,
        host: &HostFile,
    ) -> Result<Story> {
        let find = |seat: Seat, step: u64, slot: &str, sealed: &Digest| self.fitting(host, seat, step, slot, sealed);
        let late: Vec<Seat> = late.keys().copied().collect();
        let (inputs, due) = self
            .due_openings(taken, &late, seed, &find)
            .map_err(|slot| Error::new(format!("the host's file does not open `{slot}` as it was sealed")))?;
        if let Some(slot) = host.opens.keys().find(|slot| !due.contains_key(*slot)) {
            return Err(Error::new(format!("the host's file opens `{slot}`, which is not due")));
        }
        self.seeds.insert(self.step, seed);
        let story = self.commit(&inputs)?;
        taken.values().for_each(|file| self.place_seals_of(file));
        self.seals.retain(|slot, _| !inputs.opens.contains_key(slot));
        Ok(story)
    }

    /// Whether the seats a host's file declares late are so.
    ///
    /// # Errors
    /// The first that is not, in words.
    pub fn judge_late_hosted(&self, posts: &[Post], host: &HostPost) -> Result<()> {
        if self.end.is_some() || host.file.late.is_empty() {
            return Ok(());
        }
        self.hosted_block(posts, host).and_then(|(_, taken)| self.judge_late(&taken, &host.file)).map(drop)
    }

    /// The seats a host declares late, rightly: asked, with no file of theirs taken, after the step was due.
    fn judge_late(&self, taken: &BTreeMap<Seat, StepFile>, host: &HostFile) -> Result<BTreeMap<Seat, Late>> {
        let missing = self.asked().into_iter().filter(|seat| !taken.contains_key(seat)).collect();
        let right = self.late_hosted(&missing, host);
        match host.late.iter().find(|(seat, then)| right.get(seat) != Some(then)) {
            Some((seat, _)) => Err(Error::new(format!(
                "the host declares the {seat} player late, who is not, or not with what the terms have follow"
            ))),
            None => Ok(host.late.clone()),
        }
    }

    /// A host's files of the step up to this one: before the file that closes he may only have put off the time.
    fn notices(&self, last: &HostPost) -> Result<Vec<HostPost>> {
        if !last.file.names.is_empty() {
            return Err(Error::new("in a hosted game the host takes files, he names none"));
        }
        let mut all = vec![last.clone()];
        while let Some(prev) = all[0].file.prev {
            let before = self.hosts.iter().find(|h| h.signed.hash() == prev && h.file.n + 1 == all[0].file.n);
            let Some(before) = before else {
                return Err(Error::new("the host's file names one before it that is not here")
                    .next("ask the host to send everything again"));
            };
            if before.file.closes() {
                return Err(Error::new("a host's file that closes a step has none after it"));
            }
            if !before.file.late.is_empty() || !before.file.refuse.is_empty() || !before.file.names.is_empty() {
                return Err(Error::new(
                    "a host's file that closes no step says when it is due, or a word, and nothing more",
                ));
            }
            all.insert(0, before.clone());
        }
        Ok(all)
    }

    /// The step after the end: the host opens everything that is still sealed, no more and no less.
    fn audit_hosted(&mut self, host: &HostPost) -> Result<Closed> {
        let file = &host.file;
        if !file.takes.is_empty() || !file.refuse.is_empty() || file.link.is_some() {
            return Err(Error::new("after the end of a game the host opens what is sealed, and takes nothing"));
        }
        let fits = |(slot, open): (&String, &OpenSeal)| {
            self.fitting(file, open.seat, open.step, slot, &open.seal).is_none().then(|| slot.clone())
        };
        let missing = self.seals.iter().find_map(fits);
        let more = file.opens.keys().find(|slot| !self.seals.contains_key(*slot)).cloned();
        if let Some(slot) = missing.or(more) {
            return Err(Error::new(format!("the host's last file does not open `{slot}` as it was sealed")));
        }
        let hosts = self.notices(host)?;
        self.seals.clear();
        for host in &hosts {
            self.log.file(Seat::Host, &host.signed, parsed_digest(&host.file));
        }
        Ok(self.finish("audit", None, file.due.clone()).with(None, &[], self))
    }

    /// The files of the block a host's file makes, and those among them that are taken, all judged.
    fn hosted_block(&self, posts: &[Post], host: &HostPost) -> Result<(Vec<Blocked>, BTreeMap<Seat, StepFile>)> {
        let find = |hash: &Digest| {
            posts.iter().find(|p| p.filed.hash == *hash).ok_or_else(|| {
                Error::new(format!("the host names a file ({}...) that is not here", hash.short()))
                    .next("ask the host to send the block again")
            })
        };
        let (mut block, mut taken) = (Vec::new(), BTreeMap::new());
        for (seat, hash) in &host.file.takes {
            let post = find(hash)?;
            if post.filed.file.seat != *seat {
                return Err(Error::new(format!("the host took a file for the {seat} player that is not his")));
            }
            self.judge_hosted(&post.filed.file, posts).map_err(|why| {
                Error::new(format!("the host took a file of the {seat} player that counts not: {why}"))
            })?;
            taken.insert(*seat, post.filed.file.clone());
            block.push((*seat, post.signed.clone(), parsed_digest(&post.filed.file), post.filed.file.clone()));
        }
        for refusal in &host.file.refuse {
            let post = find(&refusal.file)?;
            let seat = post.filed.file.seat;
            if self.judge_hosted(&post.filed.file, posts).is_ok() {
                return Err(Error::new(format!("the host refused a file of the {seat} player that the rules allow"))
                    .next("ask the host to take it; the log would show the false refusal to anyone"));
            }
            if block.iter().any(|b: &Blocked| b.1 == post.signed) {
                return Err(Error::new("the host names one file twice"));
            }
            block.push((seat, post.signed.clone(), parsed_digest(&post.filed.file), post.filed.file.clone()));
        }
        Ok((block, taken))
    }
}
