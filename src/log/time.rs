//! The clock as the host's files tell it (`schemas/protocol.md`, "The clock"): what is due when, pauses, who may be late.
//!
//! Every time here is an instant that somebody has signed. No clock on a wall and no time zone is asked, so all who have the
//! files come to the same.

use super::history::{History, HostPost, Post};
use super::keys::Accepted;
use super::step::How;
use crate::doc::{Clock, HostFile, Offer, Pause, instant, instant_text};
use crate::error::{Error, Result};
use crate::seal::Digest;

/// What the host's files up to one of them say of time, in seconds (`doc::instant`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Times {
    /// When the open step is due.
    pub due: Option<i64>,
    /// Since when the clock stands still.
    pub stopped: Option<i64>,
    /// Until when the players have agreed to rest.
    pub rest: Option<i64>,
}

/// How a time is written in a fault.
fn shown(seconds: i64) -> String {
    instant_text(seconds).unwrap_or_else(|| "the end of the calendar".to_owned())
}

impl Times {
    /// The earliest time a host may set where none stands: the days of the terms from his file on, or from the end of the
    /// rest the players have agreed on.
    fn first(&self, clock: Option<&Clock>, sent: i64) -> i64 {
        sent.max(self.rest.unwrap_or(sent)) + clock.map_or(0, Clock::span)
    }

    /// A host's file that closes nothing. On an error nothing is changed.
    fn notice(&mut self, clock: Option<&Clock>, file: &HostFile) -> std::result::Result<(), String> {
        let (sent, due) = (instant(&file.sent), file.due.as_deref().and_then(instant));
        let unread = || "its `sent` is no instant".to_owned();
        if file.pause.is_some() && clock.is_none() {
            return Err("it stops or starts a clock that the terms do not have".into());
        }
        let floor = match (file.pause, self.stopped) {
            (Some(Pause::Begin), None) => {
                self.stopped = Some(sent.ok_or_else(unread)?);
                return Ok(());
            }
            (Some(Pause::Begin), Some(_)) => return Err("it stops a clock that stands still already".into()),
            (Some(Pause::End), None) => return Err("it starts a clock that runs".into()),
            (None, Some(_)) if due.is_some() => {
                return Err("it sets a time while the clock stands still".into());
            }
            // The time that was left when the clock stopped is left when it runs again.
            (Some(Pause::End), Some(since)) => {
                let sent = sent.ok_or_else(unread)?;
                self.due.map_or_else(|| self.first(clock, sent), |stood| stood + (sent - since).max(0))
            }
            (None, _) => match (due, self.due) {
                (None, _) => return Ok(()),
                (Some(_), Some(stood)) => stood,
                (Some(_), None) => self.first(clock, sent.ok_or_else(unread)?),
            },
        };
        match due {
            Some(due) if due >= floor => {
                (self.due, self.stopped) = (Some(due), None);
                Ok(())
            }
            Some(due) => Err(nearer(due, floor)),
            None => Err("it starts the clock and does not say when the step is due".into()),
        }
    }

    /// The file with which a step closes: its `due` is the next step's.
    fn closing(&mut self, clock: Option<&Clock>, file: &HostFile) -> std::result::Result<(), String> {
        if file.pause.is_some() {
            return Err("it stops or starts the clock in the file that closes the step".into());
        }
        self.due = None;
        self.notice(clock, file)
    }

    /// Whether somebody may be late by a file of the host's sent then.
    fn over(&self, clock: Option<&Clock>, sent: &str) -> bool {
        let over = |sent: i64, due: i64| sent > due + clock.map_or(0, Clock::grace);
        self.stopped.is_none() && instant(sent).zip(self.due).is_some_and(|(sent, due)| over(sent, due))
    }
}

fn nearer(due: i64, floor: i64) -> String {
    format!(
        "it makes a step due at {}, and by the terms and what was told before that is {} at the earliest",
        shown(due),
        shown(floor)
    )
}

impl History {
    fn clock(&self) -> Option<&Clock> {
        self.terms.proposal.clock.as_ref()
    }

    /// Judges the host's files of the open step in their order; `closes`: the last one closes it, by this agreement
    /// perhaps. What stands then.
    ///
    /// # Errors
    /// The place of the first file that changes a time as its host may not, and why.
    pub(super) fn judge_times<'a>(
        &self,
        hosts: impl IntoIterator<Item = &'a HostFile>,
        closes: bool,
        accepted: Option<&Accepted>,
    ) -> std::result::Result<Times, (usize, String)> {
        let (clock, mut times) = (self.clock(), self.times);
        let mut files = hosts.into_iter().enumerate().peekable();
        while let Some((at, file)) = files.next() {
            let last = closes && files.peek().is_none();
            if last {
                times.rest = accepted.and_then(|accepted| self.rests(accepted)).or(times.rest);
            }
            let verdict = if last { times.closing(clock, file) } else { times.notice(clock, file) };
            verdict.map_err(|why| (at, why))?;
        }
        Ok(times)
    }

    /// Until when an agreement lets the clock rest.
    fn rests(&self, accepted: &Accepted) -> Option<i64> {
        match accepted {
            Accepted::Offer(offer) => self.rest_of(offer),
            Accepted::Key(_) => None,
        }
    }

    /// The same of an offer: only where the terms have a clock is `until` more than words.
    pub(super) fn rest_of(&self, offer: &Offer) -> Option<i64> {
        match offer {
            Offer::Pause { until, .. } => self.clock().and_then(|_| instant(until)),
            _ => None,
        }
    }

    /// The first of a host's files of a whole step that changes a time as he may not, and why.
    #[must_use]
    pub fn false_time(&self, posts: &[Post], hosts: &[HostPost]) -> Option<(Digest, String)> {
        let silent = hosts.iter().all(|h| h.file.due.is_none() && h.file.pause.is_none());
        if self.end.is_some() || silent {
            return None;
        }
        let accepted = if self.terms.hosted() {
            hosts.last().and_then(|last| self.agreed_hosted(posts, &last.file))
        } else {
            let standing = self.settle(posts);
            let how = self.accepted(&standing).and_then(|_| self.how_strict(&standing));
            self.agreed_strict(&standing, how)
        };
        let files = hosts.iter().map(|h| &h.file);
        let (at, why) = self.judge_times(files, true, accepted.as_ref()).err()?;
        hosts.get(at).map(|h| (h.signed.hash(), why))
    }

    /// What a strict step that closes like this carries out.
    pub(super) fn agreed_strict(&self, standing: &super::step::Standing, how: Option<How>) -> Option<Accepted> {
        let given_up = standing.seats.values().any(|view| view.conceded.is_some());
        let agreed = how == Some(How::Agreed) && !given_up;
        self.accepted(standing).filter(|_| agreed).map(|(_, accepted)| accepted)
    }

    /// What a hosted step carries out that closes with this file.
    fn agreed_hosted(&self, posts: &[Post], last: &HostFile) -> Option<Accepted> {
        let taken = || posts.iter().filter(|p| last.takes.values().any(|hash| *hash == p.filed.hash));
        let given_up = taken().any(|p| p.filed.file.offer == Some(Offer::Concede));
        let accepted = taken().find_map(|p| self.accepted_hosted(&p.filed.file, posts));
        accepted.filter(|_| !given_up).map(|(_, accepted)| accepted)
    }

    /// The host's files of the open step before one of his, in their order.
    fn before(&self, file: &HostFile) -> Vec<&HostFile> {
        let (mut chain, mut prev, mut n) = (Vec::new(), file.prev, file.n);
        let at = |hash: Digest, n: u32| {
            self.hosts.iter().find(|h| h.signed.hash() == hash && h.file.n.checked_add(1) == Some(n)).map(|h| &h.file)
        };
        while let Some(found) = prev.and_then(|hash| at(hash, n)) {
            chain.push(found);
            (prev, n) = (found.prev, found.n);
        }
        chain.reverse();
        chain
    }

    /// What stands after some of the host's files; one that changes a time as he may not changes nothing.
    fn times_after(&self, files: &[&HostFile]) -> Times {
        let mut times = self.times;
        for file in files {
            let _ = times.notice(self.clock(), file);
        }
        times
    }

    /// Whether time and grace of the open step are over when the host sends this file, and his clock runs.
    pub(super) fn is_over(&self, file: &HostFile) -> bool {
        self.times_after(&self.before(file)).over(self.clock(), &file.sent)
    }

    /// The host's files of the open step at hand that close nothing; of two with one number the first.
    fn notices_now(&self) -> Vec<&HostFile> {
        let (mut chain, mut prev) = (Vec::new(), None);
        // In a hosted game the file that closes speaks of the next step.
        let closes = |post: &HostPost| self.terms.hosted() && post.file.closes();
        while let Some(next) = self.hosts.iter().find(|h| h.file.prev == prev && !closes(h)) {
            chain.push(&next.file);
            prev = Some(next.signed.hash());
        }
        chain
    }

    /// What stands by the host's files at hand.
    fn times_now(&self) -> Times {
        self.times_after(&self.notices_now())
    }

    /// The number of the first notice at hand that changes a time as the host may not, and why: no step closes with it.
    #[must_use]
    pub fn false_notice(&self) -> Option<(u32, String)> {
        let mut times = self.times;
        // One that names files may close the step here in a moment, and then it speaks of the next.
        let alone = |file: &HostFile| file.names.is_empty() && file.link.is_none() && file.late.is_empty();
        self.notices_now().into_iter().find_map(|file| {
            let verdict = times.notice(self.clock(), file);
            verdict.err().filter(|_| alone(file)).map(|why| (file.n, why))
        })
    }

    /// When the open step is due, UTC, if a host keeps the clock: as the step's opening says, or as the host's files at hand
    /// have put it off since. During a pause this is when it would have been due.
    #[must_use]
    pub fn due(&self) -> Option<String> {
        self.times_now().due.and_then(instant_text)
    }

    /// Since when the host has stopped the clock, UTC, if he has.
    #[must_use]
    pub fn paused(&self) -> Option<String> {
        self.times_now().stopped.and_then(instant_text)
    }

    /// Until when the players have agreed to rest, UTC, if they have since the last agreement of this kind; it may be over.
    #[must_use]
    pub fn rest(&self) -> Option<String> {
        self.times.rest.and_then(instant_text)
    }

    /// Whether the host may send this file in the open step as far as it closes nothing and speaks of time.
    ///
    /// # Errors
    /// What the terms, or what he has told before, forbid.
    pub fn judge_notice(&self, file: &HostFile) -> Result<()> {
        let mut times = self.times_after(&self.before(file));
        times.notice(self.clock(), file).map_err(|why| Error::new(format!("the host's file does not count: {why}")))
    }
}
