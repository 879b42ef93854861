//! A player's own part of a step: what his program sends, and when (`schemas/protocol.md`, "Life of a step").
//!
//! Bind, then reveal: links and due openings leave only in a file that names the other's answer.

use std::collections::BTreeMap;

use super::history::{History, Post, read_step};
use super::step::{Filed, Standing, State, other};
use crate::doc::{ChainTip, Identity, KeyFile, Offer, Refuse, SignedFile, StepFile, Tree, VERSION, emit};
use crate::error::{Error, Result};
use crate::play::{Inputs, Want};
use crate::seal::{
    Chain, Digest, Namespace, Opening, Root, SecretKey, Signature, face, private_seed, salt, seal, step_seed,
};
use crate::side::Seat;

/// Own sealed contents: by slot, the opening of every version, with the seal it fits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Secrets(pub BTreeMap<String, Vec<Opening>>);

impl Secrets {
    /// Adds the openings of one signed file.
    pub fn extend(&mut self, openings: &BTreeMap<String, Opening>) {
        for (slot, opening) in openings {
            let all = self.0.entry(slot.clone()).or_default();
            if !all.contains(opening) {
                all.push(opening.clone());
            }
        }
    }

    /// The opening of a seal placed in a step, if it is here.
    #[must_use]
    pub fn opening(&self, game: &Digest, seat: Seat, step: u64, slot: &str, sealed: &Digest) -> Option<&Opening> {
        self.0.get(slot)?.iter().find(|o| seal(game, seat, step, slot, o) == *sealed)
    }
}

/// A player at a table: his seat and his secrets.
pub struct Player {
    /// His seat.
    pub seat: Seat,
    key: SecretKey,
    pub(super) root: Root,
    chain: Chain,
    base: u64,
}

/// What a player wants to say in a step, beside what is forced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Intent {
    /// Whole answers by the slot of their question, canonical JSON; sealed questions too.
    pub answers: BTreeMap<String, String>,
    /// Give the game up.
    pub concede: bool,
    /// Offer something.
    pub offer: Option<Offer>,
    /// Accept what the other offers.
    pub agree: bool,
    /// The request of a new key that is accepted, by its file's hash (with `agree`).
    pub key: Option<Digest>,
    /// Go on as if the other's offer had not been made; an own offer, too, is then no reason to wait.
    pub decline: bool,
    /// A new chain from the next step on.
    pub chain: Option<ChainTip>,
    /// A word to the other.
    pub say: Option<String>,
}

/// A file about to be signed, and the openings of the seals in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outgoing {
    /// The file.
    pub file: StepFile,
    /// Openings to keep, by slot.
    pub openings: BTreeMap<String, Opening>,
}

impl Player {
    /// A player from his key and the table's random bytes. Makes his seed chain (some milliseconds).
    #[must_use]
    pub fn new(seat: Seat, key: SecretKey, table: &Digest) -> Player {
        Player::on_chain(seat, key, table, 0, 0)
    }

    /// The player of a seat as it stands now, on its newest chain.
    #[must_use]
    pub fn at(history: &History, seat: Seat, key: SecretKey) -> Player {
        let now = history.seat(seat).map(|s| s.chain);
        let (number, base) = now.map_or((0, 0), |c| (c.number, c.base));
        Player::on_chain(seat, key, &history.terms.proposal.table, number, base)
    }

    /// A player on a chain of his: `number` counts the seat's chains from 0, `base` is the step behind which it begins.
    #[must_use]
    pub fn on_chain(seat: Seat, key: SecretKey, table: &Digest, number: u64, base: u64) -> Player {
        let root = key.root();
        let chain = Chain::new(&root, table, seat, number);
        Player { seat, key, root, chain, base }
    }

    /// The request of a new key for this seat, to be signed by it ([`crate::seal::Namespace::Key`]); the player's chain is the
    /// one that would follow.
    #[must_use]
    pub fn request(&self, history: &History, who: Identity, sent: &str) -> KeyFile {
        KeyFile {
            countersign: VERSION,
            kind: "key".into(),
            game: history.terms.game,
            seat: self.seat,
            step: history.step(),
            head: history.head(),
            who,
            say: None,
            sent: sent.to_owned(),
        }
    }

    /// The link of a step.
    pub(super) fn link(&self, step: u64) -> Option<Digest> {
        self.chain.link(step.checked_sub(self.base)?)
    }

    /// The tip of his chain.
    #[must_use]
    pub fn tip(&self) -> Digest {
        self.chain.tip()
    }

    /// Signs a document.
    ///
    /// # Errors
    /// If it cannot be written (a defect).
    pub fn sign<T: serde::Serialize>(&self, namespace: Namespace, document: &T) -> Result<SignedFile> {
        let document = emit(document)?;
        let signature = Signature::sign(&self.key, namespace, document.as_bytes());
        Ok(SignedFile { document, signature })
    }

    /// The next file of this player in the open step of a two-seat game, or `None` if there is nothing to send.
    ///
    /// # Errors
    /// What the rules of the book or of the step have against the intent.
    pub fn next(
        &self,
        history: &History,
        posts: &[Post],
        secrets: &Secrets,
        intent: &Intent,
        sent: &str,
    ) -> Result<Option<Outgoing>> {
        let standing = history.settle(posts);
        let mut out = self.blank(history, &standing, sent);
        if history.end().is_some() {
            return Ok(self.audit(history, &standing, secrets, out));
        }
        if standing.ended(self.seat) {
            return if intent == &Intent::default() { Ok(None) } else { Err(ended(history)) };
        }
        out.file.say.clone_from(&intent.say);
        out.file.chain = intent.chain;
        if intent.concede {
            out.file.offer = Some(Offer::Concede);
            return Ok(Some(out));
        }
        let partner = &standing.seats[&other(standing.order, self.seat)];
        if standing.host.is_some() && partner.conceded.is_some() {
            return Ok(None); // the host closes the step
        }
        if let Some(filed) = partner.conceded.and_then(|at| partner.chain.get(at)) {
            out.file.accept = Some(filed.hash);
            return Ok(Some(out));
        }
        if let Some((filed, talk)) = standing.refusable(partner_seat(&standing, self.seat))
            && standing.state(self.seat) != State::Released
            && standing.host.is_none()
        {
            out.file.refuse = Some(Refuse { file: filed.hash, rule: talk.to_string() });
            return Ok(Some(out));
        }
        if intent.agree {
            let offer = standing.acceptable(self.seat).map(|(filed, _)| filed.hash);
            let keys = history.keys_for_acceptance(&standing, self.seat);
            let named = intent.key.filter(|hash| keys.iter().any(|post| post.hash == *hash));
            let hash = if intent.key.is_some() { named } else { offer };
            let Some(hash) = hash else {
                return Err(nothing_offered());
            };
            out.file.accept = Some(hash);
            return Ok(Some(out));
        }
        if let Some(offer) = &intent.offer {
            history.judge_offer(offer).map_err(|why| Error::new(format!("this cannot be offered: {why}")))?;
            out.file.offer = Some(offer.clone());
            return Ok(Some(out));
        }
        if !intent.answers.is_empty() || self.answers_itself(history, &standing) {
            self.answer(history, &standing, intent, &mut out)?;
            return Ok(Some(out));
        }
        // After its link a seat accepts nothing, and after a link of ours the other would decide with the dice known: while
        // an offer stands that could be accepted, the link waits for a word of its player.
        let waits = self.offer_stands(&standing) && standing.state(self.seat) == State::Bound;
        if !waits || intent.decline {
            self.forced(history, &standing, secrets, &mut out);
        }
        let forced = out.file.link.is_some() || !out.file.opens.is_empty();
        let names_two = standing.state(partner_seat(&standing, self.seat)) == State::Doubled;
        Ok((forced || names_two || intent.say.is_some() || intent.chain.is_some()).then_some(out))
    }

    /// Whether an offer stands that one of the two could still accept.
    fn offer_stands(&self, standing: &Standing) -> bool {
        standing.order.into_iter().any(|seat| standing.acceptable(seat).is_some())
    }

    fn blank(&self, history: &History, standing: &Standing, sent: &str) -> Outgoing {
        let view = &standing.seats[&self.seat];
        let partner = partner_seat(standing, self.seat);
        let names = match &standing.host {
            Some(host) => host.chain.last().map(|h| (Seat::Host, h.hash)),
            None => standing.seats[&partner].newest().map(|f| (partner, f.hash)),
        };
        let names = names.into_iter().collect();
        let file = StepFile {
            n: u32::try_from(view.chain.len()).unwrap_or(u32::MAX).saturating_add(1),
            prev: view.newest().map(|f| f.hash),
            names,
            sent: sent.to_owned(),
            ..StepFile::blank(history.terms.game, self.seat, history.step(), history.head())
        };
        Outgoing { file, openings: BTreeMap::new() }
    }

    /// An answer: sealed, or as the second of two in clear with the link.
    fn answer(&self, history: &History, standing: &Standing, intent: &Intent, out: &mut Outgoing) -> Result<()> {
        if !standing.may_answer(self.seat) {
            if standing.seats[&self.seat].linked.is_some() {
                // Nobody else was asked, so the number went with them: a second list would be a choice after the dice.
                return Err(Error::new("your orders are fixed: your secret number for the dice was signed with them")
                    .next(format!(
                        "mail what lies in `out`; for a slip, afterwards: `countersign offer take-back --step {}`",
                        history.step()
                    )));
            }
            return Err(Error::new("your orders are fixed: your opponent has already answered them")
                .next("wait for his next packet"));
        }
        // Beside an own offer that can still be accepted the link would let the other choose with the dice known.
        let open_offer = standing.acceptable(partner_seat(standing, self.seat)).is_some();
        let link_too = standing.may_answer_and_link(self.seat) && (intent.decline || !open_offer);
        self.contents(history, intent, out)?;
        if link_too {
            // Everything that would have to be opened at once may as well be given in clear.
            for slot in self.due_at_once(history, standing, &out.file) {
                if let Some(opening) = out.openings.remove(&slot) {
                    out.file.seals.remove(&slot);
                    out.file.answers.insert(slot, Tree::from_json(&opening.content)?);
                }
            }
            out.file.link = self.link(history.step());
        }
        Ok(())
    }

    /// All that is asked of this seat: open decisions and public parts in clear, the rest sealed.
    fn contents(&self, history: &History, intent: &Intent, out: &mut Outgoing) -> Result<()> {
        for want in history.wants().iter().filter(|w| w.asks().map(Seat::from) == Some(self.seat)) {
            match want {
                Want::Decide { slot, .. } => {
                    let content = intent.answers.get(slot).ok_or_else(|| missing(slot))?;
                    out.file.answers.insert(slot.clone(), Tree::from_json(content)?);
                }
                Want::Seal { slot, public, .. } => {
                    let content = self.content(history, want, slot, intent, out.file.n)?;
                    let parts = history.game.game().split(slot, &content).map_err(|r| refused(&r))?;
                    for (part, content) in parts {
                        if public.contains(&part) {
                            out.file.answers.insert(part, Tree::from_json(&content)?);
                        } else {
                            self.seal_part(history, out, part, content);
                        }
                    }
                }
                Want::Open { .. } | Want::Roll { .. } => {}
            }
        }
        Ok(())
    }

    /// Openings made again from the key and the same orders, for the seals of one's own files of the open step: of each
    /// part, if it fits. What was sealed cannot be read out of a seal, only tried.
    ///
    /// # Errors
    /// If the answers cannot be taken apart.
    pub fn reopen(
        &self,
        history: &History,
        standing: &Standing,
        intent: &Intent,
    ) -> Result<Vec<(u32, String, Opening)>> {
        let (game, step) = (history.terms.game, history.step());
        let mut found = Vec::new();
        for want in history.wants().iter().filter(|w| w.asks().map(Seat::from) == Some(self.seat)) {
            let Want::Seal { slot, .. } = want else { continue };
            let files: Vec<&StepFile> = standing.seats[&self.seat].chain.iter().map(|f| &f.file).collect();
            for file in files.into_iter().filter(|f| !f.seals.is_empty()) {
                let content = self.content(history, want, slot, intent, file.n)?;
                for (part, content) in history.game.game().split(slot, &content).map_err(|r| refused(&r))? {
                    let opening = Opening { salt: salt(&self.root, &game, step, file.n, &part), content };
                    if file.seals.get(&part) == Some(&seal(&game, self.seat, step, &part, &opening)) {
                        found.push((file.n, part, opening));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether all that is asked of this seat now is what its program answers by itself.
    fn answers_itself(&self, history: &History, standing: &Standing) -> bool {
        let mut asked = history.wants().iter().filter(|w| w.asks().map(Seat::from) == Some(self.seat)).peekable();
        let fresh = standing.seats[&self.seat].versions.is_empty();
        asked.peek().is_some() && fresh && standing.may_answer(self.seat) && asked.all(Want::automatic)
    }

    /// The content for a sealed question: the player's, or one his program makes from his secrets where nobody decides.
    fn content(&self, history: &History, want: &Want, slot: &str, intent: &Intent, n: u32) -> Result<String> {
        match intent.answers.get(slot) {
            Some(content) => Ok(content.clone()),
            None if want.automatic() => {
                let seed = private_seed(&self.root, &history.terms.game, history.step(), n);
                let mut count = 0u32;
                let mut pick = |faces: u32| {
                    count += 1;
                    face(&seed, &format!("{slot}/{count}"), faces).face
                };
                history.game.game().sample(slot, &mut pick).ok_or_else(|| missing(slot))
            }
            None => Err(missing(slot)),
        }
    }

    fn seal_part(&self, history: &History, out: &mut Outgoing, slot: String, content: String) {
        let game = history.terms.game;
        let opening = Opening { salt: salt(&self.root, &game, out.file.step, out.file.n, &slot), content };
        out.file.seals.insert(slot.clone(), seal(&game, self.seat, out.file.step, &slot, &opening));
        out.openings.insert(slot, opening);
    }

    /// The own parts the run would ask to open first, were this answer in.
    fn due_at_once(&self, history: &History, standing: &Standing, file: &StepFile) -> Vec<String> {
        let mut inputs = history.inputs(standing, &all_files(standing));
        for (slot, tree) in &file.answers {
            inputs.answers.insert(slot.clone(), (file.step, tree.to_json()));
        }
        inputs.seals.extend(file.seals.keys().map(|slot| (slot.clone(), file.step)));
        self.own_openings(&history.preview_with(standing, &inputs, None).wants)
    }

    fn own_openings(&self, wants: &[Want]) -> Vec<String> {
        let own = |want: &Want| match want {
            Want::Open { side, slot } if Seat::from(*side) == self.seat => Some(slot.clone()),
            _ => None,
        };
        wants.iter().filter_map(own).collect()
    }

    /// Link and due openings, as far as they may leave.
    fn forced(&self, history: &History, standing: &Standing, secrets: &Secrets, out: &mut Outgoing) {
        let state = standing.state(self.seat);
        let partner = &standing.seats[&partner_seat(standing, self.seat)];
        if state == State::Bound {
            out.file.link = self.link(history.step());
        } else if state != State::Released {
            return;
        }
        // What the others' links and this one make of the dice, if all are there.
        let theirs = partner.linked.and_then(|at| partner.chain.get(at)).and_then(|f| f.file.link);
        let own = self.link(history.step()).filter(|_| standing.seats[&self.seat].defaulted.is_none());
        let mut links: Vec<Option<Digest>> =
            standing.order.map(|seat| if seat == self.seat { own } else { theirs }).to_vec();
        if let Some(host) = &standing.host {
            links.push(host.linked.and_then(|at| host.chain.get(at)).and_then(|h| h.file.link));
        }
        let late = |seat: Seat| standing.seats[&seat].defaulted.is_some();
        let players = standing.order.into_iter().zip(&links).all(|(seat, link)| link.is_some() || late(seat));
        let all = players && links.get(2).is_none_or(Option::is_some);
        let seed = all.then(|| step_seed(&history.terms.game, history.step(), &links));
        let mut inputs: Inputs = history.inputs(standing, &all_files(standing));
        loop {
            let story = history.preview_with(standing, &inputs, seed);
            let mut found = false;
            for slot in self.own_openings(&story.wants) {
                if let Some(opening) = self.own_opening(history, standing, secrets, &slot) {
                    inputs.opens.insert(slot.clone(), opening.content.clone());
                    out.file.opens.insert(slot, opening);
                    found = true;
                }
            }
            if !found {
                return;
            }
        }
    }

    fn own_opening(&self, history: &History, standing: &Standing, secrets: &Secrets, slot: &str) -> Option<Opening> {
        let game = &history.terms.game;
        let earlier = history.unopened().get(slot).filter(|open| open.seat == self.seat);
        let (step, sealed) = match earlier {
            Some(open) => (open.step, open.seal),
            None => (history.step(), *standing.answer_file(self.seat)?.file.seals.get(slot)?),
        };
        secrets.opening(game, self.seat, step, slot, &sealed).cloned()
    }

    /// After the end: every own seal still closed.
    fn audit(&self, history: &History, standing: &Standing, secrets: &Secrets, mut out: Outgoing) -> Option<Outgoing> {
        let shown = |slot: &str| standing.seats[&self.seat].chain.iter().any(|f| f.file.opens.contains_key(slot));
        for (slot, open) in history.unopened().iter().filter(|(_, open)| open.seat == self.seat) {
            if !shown(slot)
                && let Some(opening) = secrets.opening(&history.terms.game, self.seat, open.step, slot, &open.seal)
            {
                out.file.opens.insert(slot.clone(), opening.clone());
            }
        }
        (!out.file.opens.is_empty()).then_some(out)
    }

    /// A player's file in a hosted game: hidden choices sealed for the other player, everything else in clear, and the
    /// link. The openings go to the host as a lodging ([`Player::lodging`]).
    ///
    /// # Errors
    /// As [`Player::next`].
    pub fn hosted(&self, history: &History, own: &[Post], intent: &Intent, sent: &str) -> Result<Option<Outgoing>> {
        let standing = history.settle(own);
        let mut out = self.blank(history, &standing, sent);
        out.file.names.clear();
        out.file.say.clone_from(&intent.say);
        if history.end().is_some() {
            return Ok(None);
        }
        if intent.concede {
            out.file.offer = Some(Offer::Concede);
            return Ok(Some(out));
        }
        if intent.agree {
            let offer = history.offered_hosted(self.seat, own).map(|(hash, _)| hash);
            out.file.accept = if intent.key.is_some() { intent.key } else { offer };
            if history.accepted_hosted(&out.file, own).is_none() {
                return Err(nothing_offered());
            }
            return Ok(Some(out));
        }
        if let Some(offer) = &intent.offer {
            history.judge_offer(offer).map_err(|why| Error::new(format!("this cannot be offered: {why}")))?;
            out.file.offer = Some(offer.clone());
            return Ok(Some(out));
        }
        if !history.asked().contains(&self.seat)
            || (intent.answers.is_empty() && !self.answers_itself(history, &standing))
        {
            return Ok(None);
        }
        self.contents(history, intent, &mut out)?;
        out.file.link = self.link(history.step());
        Ok(Some(out))
    }
}

fn partner_seat(standing: &Standing, seat: Seat) -> Seat {
    other(standing.order, seat)
}

/// Every file of both seats.
#[must_use]
pub fn all_files(standing: &Standing) -> BTreeMap<Seat, usize> {
    standing.seats.iter().map(|(seat, view)| (*seat, view.chain.len())).collect()
}

fn missing(slot: &str) -> Error {
    Error::new(format!("`{slot}` is asked and not answered")).next("see the template: `countersign orders new`")
}

fn refused(refusals: &[crate::play::Refusal]) -> Error {
    let all: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    Error::new(all.join("\n"))
}

fn nothing_offered() -> Error {
    Error::new("nothing is offered to you that you could still accept").next("`countersign status` says what is due")
}

fn ended(history: &History) -> Error {
    match history.end() {
        Some(_) => Error::new("the game is over"),
        None => Error::new("you have ended your part of this step").next("wait for your opponent's answer"),
    }
}

/// A post of one's own signed file.
///
/// # Errors
/// If it does not parse (a defect).
pub fn own_post(signed: SignedFile) -> Result<Post> {
    let file = read_step(&signed)?;
    Ok(Post { filed: Filed { hash: signed.hash(), file }, signed })
}
