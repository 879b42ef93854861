//! A step of a hosted game: which files the host takes, which he refuses, and how his file closes the step
//! (`schemas/protocol.md`, "A hosted step").
//!
//! A host decides nothing. Of each player he takes the newest file that the rules allow; a newer one that they do not
//! allow he names with the rule it breaks, and it stands in the log, so that a false refusal can be seen by anyone.

use std::collections::{BTreeMap, BTreeSet};

use super::history::{Closed, End, History, HostPost, Post, take_answers};
use super::step::{Oracle as _, Talk};
use crate::doc::{Offer, Refuse, SignedFile, StepFile, parsed_digest};
use crate::error::{Error, Result};
use crate::play::Inputs;
use crate::seal::{Digest, step_seed};
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
    /// Whether a concession is among the files taken: it closes the step whoever is missing.
    pub conceded: bool,
}

impl Choice {
    /// Whether the step can be closed.
    #[must_use]
    pub fn closes(&self) -> bool {
        self.missing.is_empty() || self.conceded
    }
}

/// A file as a block holds it.
type Blocked = (Seat, SignedFile, Digest, StepFile);

impl History {
    /// Whether the rules allow a player's file in the open step of a hosted game. Choices go to the host in clear: a
    /// sealed part would wait for an opening that nobody takes.
    ///
    /// # Errors
    /// The reason they do not.
    pub fn judge_hosted(&self, file: &StepFile) -> std::result::Result<(), Talk> {
        let foreign = !file.names.is_empty() || file.accept.is_some() || file.refuse.is_some();
        if foreign || !file.seals.is_empty() || !file.opens.is_empty() {
            return Err(Talk::HostOnly);
        }
        if file.offer != Some(Offer::Concede) {
            if !self.asked().contains(&file.seat) {
                return Err(Talk::NotAsked);
            }
            self.answers(file).map_err(Talk::Illegal)?;
        }
        match file.link {
            Some(link) if !self.link(file.seat, &link) => Err(Talk::WrongLink),
            _ => Ok(()),
        }
    }

    /// What an honest host does with these files of the open step.
    #[must_use]
    pub fn choose_hosted(&self, posts: &[Post]) -> Choice {
        let mut choice = Choice::default();
        let asked = self.asked();
        for seat in self.terms.players() {
            let mut own: Vec<&Post> = posts.iter().filter(|p| p.filed.file.seat == seat).collect();
            own.sort_by_key(|p| std::cmp::Reverse((p.filed.file.n, p.filed.hash)));
            for post in own {
                match self.judge_hosted(&post.filed.file) {
                    Ok(()) => {
                        choice.conceded |= post.filed.file.offer == Some(Offer::Concede);
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
        choice
    }

    /// Closes the open step of a hosted game with the host's file, the files it takes and those it refuses.
    ///
    /// # Errors
    /// What does not fit: a file is missing, one taken is against the rules or one refused is not, a link is wrong.
    pub fn close_hosted(&mut self, posts: &[Post], host: &HostPost) -> Result<Option<Closed>> {
        if self.end.is_some() {
            return Ok(None);
        }
        let (mut block, taken) = self.hosted_block(posts, host)?;
        if !self.link(Seat::Host, &host.file.link) {
            return Err(Error::new("the host's link is not the one he committed to"));
        }
        let mut inputs = Inputs::default();
        let mut links: Vec<Option<Digest>> = Vec::new();
        let mut conceded = Vec::new();
        for seat in self.terms.players() {
            let Some(file) = taken.get(&seat) else {
                links.push(None);
                continue;
            };
            if file.offer == Some(Offer::Concede) {
                conceded.push(seat);
            } else {
                take_answers(&mut inputs, file);
            }
            links.push(file.link);
        }
        links.push(Some(host.file.link));
        let (how, story, seed) = if conceded.is_empty() {
            if let Some(seat) = self.asked().iter().find(|s| !taken.contains_key(*s)) {
                return Err(Error::new(format!("the host closed the step without the {seat} player's orders")));
            }
            let seed = step_seed(&self.terms.game, self.step, &links);
            self.seeds.insert(self.step, seed);
            let story = self.commit(&inputs)?;
            if story.over {
                self.end = Some(End::Rules);
            }
            ("resolved", Some(story), Some(seed))
        } else {
            self.end = Some(if conceded.len() == 2 { End::Draw } else { End::Conceded(conceded[0]) });
            (if conceded.len() == 2 { "conceded-twice" } else { "agreed" }, None, None)
        };
        block.sort_by_key(|(seat, _, _, file)| {
            (self.terms.players().iter().position(|s| s == seat), file.n, taken.get(seat) == Some(file))
        });
        let heard: Vec<Blocked> = block.iter().filter(|b| taken.get(&b.0) == Some(&b.3)).cloned().collect();
        self.keep_links(&heard);
        self.links.insert(Seat::Host, (self.step, host.file.link));
        self.write(&block);
        self.log.file(Seat::Host, &host.signed, parsed_digest(&host.file));
        let refused = host.file.refuse.iter().filter_map(|r| {
            let post = posts.iter().find(|p| p.filed.hash == r.file)?;
            Some((post.filed.file.seat, r.rule.clone()))
        });
        let refused: Vec<(Seat, String)> = refused.collect();
        let mut closed = self.finish(how, seed).with(story, &heard, self);
        closed.refused.clone_from(&refused);
        if let Some(last) = self.closed.last_mut() {
            last.refused = refused;
        }
        Ok(Some(closed))
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
            self.judge_hosted(&post.filed.file).map_err(|why| {
                Error::new(format!("the host took a file of the {seat} player that counts not: {why}"))
            })?;
            taken.insert(*seat, post.filed.file.clone());
            block.push((*seat, post.signed.clone(), parsed_digest(&post.filed.file), post.filed.file.clone()));
        }
        for refusal in &host.file.refuse {
            let post = find(&refusal.file)?;
            let seat = post.filed.file.seat;
            if self.judge_hosted(&post.filed.file).is_ok() {
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
