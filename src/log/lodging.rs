//! What a player lodges with the host of a hosted game: the openings of what he sealed, encrypted to the host's key
//! (`schemas/protocol.md`, "A hosted step").
//!
//! It is bound twice to its file, seat, step and game: the player signs them, and the encryption opens for no others, so
//! that nobody can sign another's ciphertext and have the host open it.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::history::{History, LARGEST, first};
use super::player::{Outgoing, Player, Secrets};
use super::terms::version;
use crate::doc::{Lodging, SignedFile, StepFile, VERSION, read_emitted};
use crate::error::{Error, Result};
use crate::seal::{Digest, LodgedFor, LodgingKey, LodgingSecret, Namespace, Opening, hpke};
use crate::side::Seat;

/// Bytes set aside for each opening: on the average more than a naval plot takes that has words of its own for every ship
/// of a squadron and against every enemy. So the length of a lodging tells how many parts were sealed, which the orders
/// file shows anyway, and nothing of what was chosen.
pub const ROOM: usize = 1024;

/// Largest ciphertext, in bytes: in base64, and signed, it has to fit into a signed file.
const LARGEST_CIPHERTEXT: usize = 180 << 10;

/// Openings as they are encrypted: canonical JSON and blanks, to [`ROOM`] bytes an opening; if that is too little, to
/// twice as much, and so on.
fn padded(opens: &BTreeMap<String, Opening>) -> Zeroizing<Vec<u8>> {
    let json = Zeroizing::new(serde_json::to_vec(opens).unwrap_or_default());
    let mut length = ROOM * opens.len().max(1);
    while length < json.len() {
        length *= 2;
    }
    let mut plain = Zeroizing::new(vec![b' '; length]);
    plain[..json.len()].copy_from_slice(&json);
    plain
}

/// The openings in what was decrypted, if it is written as [`padded`] writes them.
fn unpadded(plain: &[u8]) -> Option<BTreeMap<String, Opening>> {
    let opens: BTreeMap<String, Opening> = serde_json::from_slice(plain).ok()?;
    (!opens.is_empty() && **padded(&opens) == *plain).then_some(opens)
}

/// Reads a lodging without knowing its game.
///
/// # Errors
/// If it does not parse, or is of another version or kind.
pub fn read_lodging(signed: &SignedFile) -> Result<Lodging> {
    let file: Lodging = first(read_emitted(&signed.document, "the signed document", LARGEST))?;
    version(file.countersign, &file.kind, "lodging")?;
    if file.seat == Seat::Host {
        return Err(Error::new("a host lodges nothing"));
    }
    Ok(file)
}

/// The bytes of a ciphertext, if they are as many as a lodging may have.
fn ciphertext(lodging: &Lodging) -> Option<Vec<u8>> {
    let bytes = STANDARD.decode(&lodging.ciphertext).ok()?;
    let plain = bytes.len().checked_sub(hpke::TAG)?;
    (plain > 0 && plain % ROOM == 0 && bytes.len() <= LARGEST_CIPHERTEXT).then_some(bytes)
}

/// Where a lodging belongs.
fn bound(lodging: &Lodging) -> LodgedFor {
    LodgedFor { game: lodging.game, seat: lodging.seat, step: lodging.step, file: lodging.file }
}

impl History {
    /// Checks a lodging: of this game, and signed by the key its seat had in its step.
    ///
    /// # Errors
    /// In words, why it does not count.
    pub fn read_lodging(&self, signed: &SignedFile) -> Result<Lodging> {
        let lodging = read_lodging(signed)?;
        if lodging.game != self.terms.game || !self.terms.hosted() {
            return Err(Error::new("what is to open sealed orders is for another game"));
        }
        let Some(key) = self.key_in(lodging.seat, lodging.step) else {
            return Err(Error::new(format!("there is no {} player in this game", lodging.seat)));
        };
        signed.signature.verify(&key, Namespace::Orders, signed.document.as_bytes()).map_err(|fault| {
            Error::new(format!(
                "what is to open the sealed orders of the {} player does not count: {fault}",
                lodging.seat
            ))
        })?;
        Ok(lodging)
    }

    /// Whether these openings open every seal of a file of the open step.
    #[must_use]
    pub fn opens_all(&self, file: &StepFile, lodged: &Secrets) -> bool {
        let found = |(slot, sealed): (&String, &Digest)| {
            lodged.opening(&self.terms.game, file.seat, file.step, slot, sealed).is_some()
        };
        file.seals.iter().all(found)
    }
}

impl Player {
    fn lodging_secret(&self, table: &Digest) -> LodgingSecret {
        LodgingSecret::new(&self.root, table)
    }

    /// The key a host names in the terms of a hosted game, so that the players can lodge with him; `table` is the
    /// proposal's.
    #[must_use]
    pub fn lodging_key(&self, table: &Digest) -> LodgingKey {
        self.lodging_secret(table).public()
    }

    /// What is lodged with the host beside a file that seals something, for him alone to read.
    ///
    /// # Errors
    /// If it would be longer than a signed file may be.
    pub fn lodging(&self, history: &History, out: &Outgoing, signed: &SignedFile) -> Result<Option<Lodging>> {
        let Some(key) = history.terms.lodging_key().filter(|_| !out.openings.is_empty()) else { return Ok(None) };
        let mut lodging = Lodging {
            countersign: VERSION,
            kind: "lodging".into(),
            game: out.file.game,
            seat: out.file.seat,
            step: out.file.step,
            file: signed.hash(),
            enc: Digest([0; 32]),
            ciphertext: String::new(),
        };
        let sealed = hpke::encrypt(&self.root, &key, &bound(&lodging), &padded(&out.openings));
        let (enc, ciphertext) = sealed.ok_or_else(|| Error::new("nothing can be locked for the host's key"))?;
        if ciphertext.len() > LARGEST_CIPHERTEXT {
            return Err(Error::new("these orders are too long to be lodged with a host"));
        }
        (lodging.enc, lodging.ciphertext) = (Digest(enc), STANDARD.encode(ciphertext));
        Ok(Some(lodging))
    }

    /// A host opens what was lodged with him.
    ///
    /// # Errors
    /// In words for the host, what to do.
    pub fn open_lodging(&self, history: &History, lodging: &Lodging) -> Result<BTreeMap<String, Opening>> {
        let secret = self.lodging_secret(&history.terms.proposal.table);
        let plain = ciphertext(lodging).and_then(|t| hpke::decrypt(&secret, &bound(lodging), &lodging.enc.0, &t));
        plain.and_then(|plain| unpadded(&plain)).ok_or_else(|| cannot_be_opened(lodging.seat))
    }
}

/// What a host is told of a lodging that does not open.
#[must_use]
pub fn cannot_be_opened(seat: Seat) -> Error {
    Error::new(format!("the sealed orders of the {seat} player cannot be opened"))
        .next("ask him to send his packet again; if that does not help, to sign his orders once more")
}
