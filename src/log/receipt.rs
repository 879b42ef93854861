//! Receipts and refusals a host has signed: they bind him, and anyone who has the log can judge them
//! (`schemas/protocol.md`, "Receipts").

use super::history::{History, read_host_file};
use super::terms::version;
use crate::doc::{Receipt, SignedFile, read_emitted};
use crate::error::{Error, Result};
use crate::seal::{Digest, Namespace};
use crate::side::Seat;

/// Largest receipt, in bytes.
const LARGEST: usize = 64 << 10;

/// A player's file that a host has refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The file.
    pub file: Digest,
    /// The game the host names.
    pub game: Digest,
    /// The step.
    pub step: u64,
    /// Hash of the result entry that opened it.
    pub head: Digest,
    /// The rule the host names.
    pub rule: String,
}

/// Reads a receipt without knowing its game.
///
/// # Errors
/// If it does not parse or is of another version or kind.
pub fn read_receipt(signed: &SignedFile) -> Result<Receipt> {
    let receipt: Receipt = read_emitted(&signed.document, "the signed document", LARGEST)
        .map_err(|mut e| if e.is_empty() { Error::new("unreadable") } else { e.swap_remove(0) })?;
    version(receipt.countersign, &receipt.kind, "receipt")?;
    Ok(receipt)
}

/// What a file of a host refuses: a receipt one file, a file of a step perhaps several.
#[must_use]
pub fn refusals(signed: &SignedFile) -> Vec<Refused> {
    if let Ok(receipt) = read_receipt(signed) {
        let Receipt { file, game, step, head, refused, .. } = receipt;
        return refused.map(|rule| Refused { file, game, step, head, rule }).into_iter().collect();
    }
    let Ok(host) = read_host_file(signed) else { return Vec::new() };
    let (game, step, head) = (host.game, host.step, host.head);
    host.refuse.into_iter().map(|r| Refused { file: r.file, game, step, head, rule: r.rule }).collect()
}

impl History {
    /// Checks a receipt of this game's host, of whatever step.
    ///
    /// # Errors
    /// If it does not parse, is for another game, or is not signed by the host.
    pub fn read_receipt(&self, signed: &SignedFile) -> Result<Receipt> {
        let receipt = read_receipt(signed)?;
        if receipt.game != self.terms.game {
            return Err(Error::new("this receipt is for another game"));
        }
        self.by_host(signed)?;
        Ok(receipt)
    }

    /// Checks that a refusal is signed by this game's host and is for the open step.
    ///
    /// # Errors
    /// What does not fit, in words.
    pub fn signed_by_host(&self, signed: &SignedFile, refused: &Refused) -> Result<()> {
        if (refused.game, refused.step, refused.head) != (self.terms.game, self.step(), self.head()) {
            return Err(Error::new("the refusal is for another game, step or history than this log")
                .next("give the log of that game, whole"));
        }
        self.by_host(signed)
    }

    fn by_host(&self, signed: &SignedFile) -> Result<()> {
        let host = self.seat(Seat::Host).ok_or_else(|| Error::new("this game has no host"))?;
        let verdict = signed.signature.verify(&host.key, Namespace::Host, signed.document.as_bytes());
        verdict.map_err(|fault| Error::new(format!("the host has not signed this: {fault}")))
    }
}
