//! A host's own part: closing a hosted step, relaying a strict one, putting the time off, receipts
//! (`schemas/protocol.md`, "A hosted step", "A strict step").

use std::collections::BTreeMap;

use super::history::{History, Post};
use super::player::{Player, Secrets};
use super::step::{Filed, Oracle as _};
use crate::doc::{HostFile, Late, Pause, Receipt, Refuse, StepFile, VERSION};
use crate::error::{Error, Result};
use crate::seal::{Digest, step_seed};
use crate::side::Seat;

/// What a host says beside what the files in hand make of the step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostWords {
    /// Declare late who owes something after the time.
    pub late: bool,
    /// When the next step is due, if the file closes this one; of a notice: when this one is due then.
    pub due: Option<String>,
    /// Of a notice: stops the clock, or lets it run again.
    pub pause: Option<Pause>,
    /// A word to the players.
    pub say: Option<String>,
    /// Now, by the host's clock, UTC.
    pub sent: String,
}

/// The host's next file of the open step, with nothing in it yet.
fn blank(history: &History, words: &HostWords) -> HostFile {
    let last = history.hosts().iter().max_by_key(|h| h.file.n);
    HostFile {
        countersign: VERSION,
        kind: "close".into(),
        game: history.terms.game,
        step: history.step(),
        head: history.head(),
        n: last.map_or(1, |h| h.file.n.saturating_add(1)),
        prev: last.map(|h| h.signed.hash()),
        names: BTreeMap::new(),
        takes: BTreeMap::new(),
        opens: BTreeMap::new(),
        link: None,
        refuse: Vec::new(),
        late: BTreeMap::new(),
        due: None,
        pause: words.pause,
        say: words.say.clone(),
        sent: words.sent.clone(),
    }
}

impl Player {
    /// The host's file that closes a step: of each player the newest file that the rules allow and whose openings are
    /// `lodged` is taken, and what falls due is opened. After the end of a game it opens all that is still sealed.
    ///
    /// # Errors
    /// If an asked player's orders, or openings, are not in, and he may not be declared late.
    pub fn close_hosted(
        &self,
        history: &History,
        posts: &[Post],
        lodged: &Secrets,
        words: &HostWords,
    ) -> Result<HostFile> {
        let game = history.terms.game;
        let find = |seat: Seat, step: u64, slot: &str, sealed: &Digest| {
            lodged.opening(&game, seat, step, slot, sealed).cloned()
        };
        let mut file = HostFile { due: words.due.clone(), ..blank(history, words) };
        let lacking = |slot: &str| {
            Error::new(format!("the opening of `{slot}` is not here"))
                .next("ask its player to send his packet again (`countersign packet --all`)")
        };
        if history.end().is_some() {
            for (slot, open) in history.unopened() {
                let opening = find(open.seat, open.step, slot, &open.seal).ok_or_else(|| lacking(slot))?;
                file.opens.insert(slot.clone(), opening);
            }
            return Ok(file);
        }
        let mut choice = history.choose_hosted(posts, lodged);
        if words.late && !choice.closes() {
            file.late = history.late_hosted(&choice.missing, &file);
            choice.missing.retain(|seat| !file.late.contains_key(seat));
        }
        if !choice.closes() {
            let missing: Vec<&str> = choice.missing.iter().map(|s| s.word()).collect();
            let what = format!("orders that the rules allow are missing from: {}", missing.join(", "));
            return Err(Error::new(what).next("remind him"));
        }
        let link = self.link(history.step()).ok_or_else(|| Error::new("the host's seed chain is used up"))?;
        let rolls = !choice.conceded && !choice.agreed && !file.late.values().any(|then| *then == Late::Forfeit);
        if rolls {
            let late: Vec<Seat> = file.late.keys().copied().collect();
            let taken: BTreeMap<Seat, StepFile> = posts
                .iter()
                .filter(|p| choice.takes.values().any(|hash| *hash == p.filed.hash))
                .map(|p| (p.filed.file.seat, p.filed.file.clone()))
                .collect();
            let mut links: Vec<Option<Digest>> =
                history.terms.players().iter().map(|s| taken.get(s).and_then(|f| f.link)).collect();
            links.push(Some(link));
            let seed = step_seed(&game, history.step(), &links);
            (_, file.opens) = history.due_openings(&taken, &late, seed, &find).map_err(|slot| lacking(&slot))?;
        }
        (file.takes, file.link, file.refuse) = (choice.takes, Some(link), choice.refuse);
        Ok(file)
    }

    /// A host's file that closes nothing: another time, a pause of the clock or its end, or a word.
    #[must_use]
    pub fn notice(&self, history: &History, words: &HostWords) -> HostFile {
        HostFile { due: words.due.clone(), ..blank(history, words) }
    }

    /// The host's next file in a strict game: every file of the players that has come is named and so fixed, and his link
    /// goes with the first that names all answers. `None` if nothing has come, and nothing is to be said.
    ///
    /// # Errors
    /// If his chain is used up.
    pub fn relay(&self, history: &History, posts: &[Post], words: &HostWords) -> Result<Option<HostFile>> {
        let mut file = blank(history, words);
        let before = history.settle(posts);
        let Some(host) = &before.host else { return Err(Error::new("only a strict game is relayed")) };
        let last = host.chain.len().checked_sub(1);
        for (seat, view) in &before.seats {
            if view.chain.len() > last.map_or(0, |at| host.pins(at, *seat)) {
                file.names.extend(view.newest().map(|f| (*seat, f.hash)));
            }
        }
        let closing = before.order.into_iter().filter(|seat| before.refusal_closes(*seat));
        let refusable = closing.filter_map(|seat| before.refusable(seat));
        file.refuse = refusable.map(|(f, talk)| Refuse { file: f.hash, rule: talk.to_string() }).collect();
        if words.late {
            file.late = self.late_strict(history, posts, &file);
        }
        // What stands once this file has named everything.
        let ready = |file: &HostFile| {
            let standing = history.settle_trial(posts, file);
            standing.answered().then_some(standing)
        };
        if history.end().is_none() && host.linked.is_none() && ready(&file).is_some() {
            let link = self.link(history.step()).ok_or_else(|| Error::new("the host's seed chain is used up"))?;
            file.link = Some(link).filter(|link| history.link(Seat::Host, link));
        }
        if history.closes_with(posts, &file) {
            file.due.clone_from(&words.due);
        }
        let says = file.say.is_some() || !file.late.is_empty() || file.link.is_some();
        Ok((says || !file.names.is_empty()).then_some(file))
    }

    /// Who may be declared late in a strict step, with what follows.
    fn late_strict(&self, history: &History, posts: &[Post], file: &HostFile) -> BTreeMap<Seat, Late> {
        let mut late = BTreeMap::new();
        for seat in history.terms.players() {
            for then in [Late::DefaultOrders, Late::Forfeit] {
                let mut trial = file.clone();
                trial.late = BTreeMap::from([(seat, then)]);
                if history.declares(posts, &trial, seat) {
                    late.insert(seat, then);
                    break;
                }
            }
        }
        late
    }

    /// What a host signs for a player's file: taken, or the rule it breaks. It binds him; it is not part of the log.
    #[must_use]
    pub fn receipt(&self, history: &History, file: &Filed, posts: &[Post], at: &str) -> Receipt {
        Receipt {
            countersign: VERSION,
            kind: "receipt".into(),
            game: history.terms.game,
            step: history.step(),
            head: history.head(),
            file: file.hash,
            refused: history.refusal(file, posts),
            at: at.to_owned(),
        }
    }
}
