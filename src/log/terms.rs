//! Terms of a game: a proposal, its acceptances, and what follows from them.

use crate::doc::{Acceptance, Identity, Late, Mode, Proposal, SignedFile, VERSION, parsed_digest, read_emitted};
use crate::error::{Error, Result};
use crate::seal::{CHAIN_LENGTH, ChainStart, Digest, Hasher, LodgingKey, Namespace, PublicKey};
use crate::side::Seat;

/// Largest terms document, in bytes.
const LARGEST: usize = 64 << 10;

/// A seat as the terms name it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatTerms {
    /// Which.
    pub seat: Seat,
    /// What the player calls himself.
    pub player: String,
    /// His key.
    pub key: PublicKey,
    /// The public end of his chain.
    pub chain: ChainStart,
    /// Of the host of a hosted game: the key to which the players encrypt what they lodge with him.
    pub lodging_key: Option<LodgingKey>,
}

/// Everything agreed before play.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// The proposal.
    pub proposal: Proposal,
    /// The game id.
    pub game: Digest,
    /// The players, in terms order, the host last.
    pub seats: Vec<SeatTerms>,
    /// The signed files: proposal first, then acceptances in terms order, with the digests of what was parsed.
    pub files: Vec<(Seat, SignedFile, Digest)>,
}

/// Reads a proposal and checks that it is signed by the key it names.
///
/// # Errors
/// What is wrong with it.
pub fn read_proposal(file: &SignedFile) -> Result<Proposal> {
    let proposal: Proposal = document(file)?;
    version(proposal.countersign, &proposal.kind, "proposal")?;
    signed_by(file, &proposal.who, Namespace::Terms)?;
    let mut seats = proposal.seats.clone();
    seats.sort_unstable();
    seats.dedup();
    let hosted = proposal.mode != Mode::TwoSeats;
    let fit = match (hosted, proposal.seats.as_slice()) {
        (false, [a, b]) => *a != Seat::Host && *b != Seat::Host,
        (true, [a, b, Seat::Host]) => *a != Seat::Host && *b != Seat::Host,
        _ => false,
    };
    if !fit || seats.len() != proposal.seats.len() || !proposal.seats.contains(&proposal.seat) {
        return Err(Error::new(
            "the proposal names its seats wrongly: british and american, and the host last in hosted games",
        ));
    }
    says_of_himself(proposal.mode, proposal.seat, &proposal.who)?;
    proposal.clock.as_ref().map_or(Ok(()), |clock| clock.check(hosted))?;
    Ok(proposal)
}

/// Reads an acceptance and checks that it is signed by the key it names.
///
/// # Errors
/// What is wrong with it.
pub fn read_acceptance(file: &SignedFile) -> Result<Acceptance> {
    let acceptance: Acceptance = document(file)?;
    version(acceptance.countersign, &acceptance.kind, "acceptance")?;
    signed_by(file, &acceptance.who, Namespace::Terms)?;
    Ok(acceptance)
}

fn document<T: serde::de::DeserializeOwned + serde::Serialize>(file: &SignedFile) -> Result<T> {
    read_emitted(&file.document, "the signed document", LARGEST)
        .map_err(|mut e| if e.is_empty() { Error::new("unreadable") } else { e.swap_remove(0) })
}

/// Both versions are named when they differ.
pub(super) fn version(found: u32, kind: &str, expected: &str) -> Result<()> {
    if found != VERSION {
        return Err(Error::new(format!("this file is of version {found}; this program reads version {VERSION}"))
            .next("get the newer program"));
    }
    if kind != expected {
        return Err(Error::new(format!("this is a file of kind `{kind}`, not `{expected}`")));
    }
    Ok(())
}

/// Whether a file is signed by the key it names, and that key and the chain beside it may take a seat.
pub(super) fn signed_by(file: &SignedFile, who: &Identity, namespace: Namespace) -> Result<()> {
    let key = PublicKey::parse(&who.key)?;
    key.admit()?;
    file.signature.verify(&key, namespace, file.document.as_bytes()).map_err(|fault| Error::new(fault.to_string()))?;
    if who.chain.length != CHAIN_LENGTH {
        return Err(Error::new(format!("a seed chain has {CHAIN_LENGTH} links, not {}", who.chain.length)));
    }
    player_name(&who.player)
}

/// Whether a player may be called so.
///
/// # Errors
/// If the name is too long or would act on a screen.
pub fn player_name(name: &str) -> Result<()> {
    if name.chars().count() > 60 || name.chars().any(char::is_control) {
        return Err(Error::new("a player's name has at most 60 characters, none of them control characters"));
    }
    Ok(())
}

/// Whether who takes a seat names a key to lodge with exactly if he is the host of a hosted game: nothing is lodged with
/// others, and without it nothing could be lodged with him.
fn says_of_himself(mode: Mode, seat: Seat, who: &Identity) -> Result<()> {
    let host = mode == Mode::Hosted && seat == Seat::Host;
    match (host, who.lodging_key.is_some()) {
        (true, false) => Err(Error::new("the host names no key for which the players could lock their sealed orders")
            .next("ask him to take his seat with this version of the program")),
        (false, true) => {
            Err(Error::new("a key to lodge sealed orders with is named by the host of a hosted game alone"))
        }
        _ => Ok(()),
    }
}

/// Whether an acceptance says of its player what the proposal's way of playing asks.
///
/// # Errors
/// What is wrong with it.
pub fn suits(proposal: &Proposal, acceptance: &Acceptance) -> Result<()> {
    says_of_himself(proposal.mode, acceptance.seat, &acceptance.who)
}

impl Terms {
    /// Joins a proposal and its acceptances, in any order.
    ///
    /// # Errors
    /// If one is missing, names another proposal, or repeats a key or chain.
    pub fn join(proposal_file: &SignedFile, acceptance_files: &[SignedFile]) -> Result<Terms> {
        let proposal = read_proposal(proposal_file)?;
        let named = proposal_file.hash();
        let mut files = vec![(proposal.seat, proposal_file.clone(), parsed_digest(&proposal))];
        let mut seats = vec![(proposal.seat, proposal.who.clone())];
        let mut id = Hasher::new("game").digest(&named);
        for seat in proposal.seats.iter().filter(|s| **s != proposal.seat) {
            let mut found = None;
            for file in acceptance_files {
                let acceptance = read_acceptance(file)?;
                if acceptance.seat == *seat && acceptance.proposal == named {
                    suits(&proposal, &acceptance)?;
                    found = Some((file, acceptance));
                    break;
                }
            }
            let Some((file, acceptance)) = found else {
                return Err(Error::new(format!("the {seat} seat has not accepted this proposal"))
                    .next("wait for the acceptance"));
            };
            id = id.digest(&file.hash());
            files.push((*seat, file.clone(), parsed_digest(&acceptance)));
            seats.push((*seat, acceptance.who));
        }
        let mut all = Vec::new();
        for seat in &proposal.seats {
            let Some((_, who)) = seats.iter().find(|(s, _)| s == seat) else { continue };
            let start = ChainStart { table: proposal.table, seat: *seat, number: 0, tip: who.chain.tip, base: 0 };
            all.push(SeatTerms {
                seat: *seat,
                player: who.player.clone(),
                key: PublicKey::parse(&who.key)?,
                chain: start,
                lodging_key: who.lodging_key,
            });
        }
        for (n, seat) in all.iter().enumerate() {
            if all[..n].iter().any(|s| s.key == seat.key || s.chain.tip == seat.chain.tip) {
                return Err(Error::new("two seats have the same key or the same seed chain")
                    .next("each player makes a key of his own: `countersign key new`"));
            }
        }
        Ok(Terms { game: id.done(), proposal, seats: all, files })
    }

    /// The recovery key a seat named, if it did: an OpenSSH public-key line.
    #[must_use]
    pub fn recovery(&self, seat: Seat) -> Option<String> {
        if self.proposal.seat == seat {
            return self.proposal.who.recovery.clone();
        }
        let files = self.files.iter().find(|(of, _, _)| *of == seat)?;
        read_acceptance(&files.1).ok()?.who.recovery
    }

    /// A seat's terms.
    #[must_use]
    pub fn seat(&self, seat: Seat) -> Option<&SeatTerms> {
        self.seats.iter().find(|s| s.seat == seat)
    }

    /// The key to which players encrypt what they lodge with the host; only a hosted game has one.
    #[must_use]
    pub fn lodging_key(&self) -> Option<LodgingKey> {
        self.seat(Seat::Host)?.lodging_key
    }

    /// The two players' seats, in terms order.
    #[must_use]
    pub fn players(&self) -> [Seat; 2] {
        match self.proposal.seats.as_slice() {
            [a, b, ..] => [*a, *b],
            _ => [Seat::British, Seat::American],
        }
    }

    /// What follows when a seat is late, if anything does.
    #[must_use]
    pub fn late(&self) -> Option<Late> {
        self.proposal.clock.as_ref().and_then(|clock| clock.late)
    }

    /// Whether the players bind and reveal as between two, and a host relays.
    #[must_use]
    pub fn strict(&self) -> bool {
        self.proposal.mode == Mode::Strict
    }

    /// Whether a host takes the players' files and closes the steps (a strict game is none of these).
    #[must_use]
    pub fn hosted(&self) -> bool {
        self.proposal.mode == Mode::Hosted
    }

    /// The lines of `allowed_signers`, for `ssh-keygen -Y verify`.
    #[must_use]
    pub fn allowed_signers(&self) -> String {
        let mut out = String::new();
        for seat in &self.seats {
            let own = if seat.seat == Seat::Host { Namespace::Host } else { Namespace::Orders };
            let namespaces = [Namespace::Terms, own, Namespace::Key].map(Namespace::text).join(",");
            out.push_str(&format!("{} namespaces=\"{namespaces}\" {}\n", seat.seat, seat.key.line()));
        }
        out
    }
}
