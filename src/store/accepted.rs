//! Which random numbers of proposals a key has answered (`schemas/protocol.md`, "Who can do what").
//!
//! A seat's chain is made of its key and the proposal's random number. Accepted in two games, the same number would give the
//! same secret numbers twice: whoever has the log of the first would know every die of the second. So an acceptance is
//! written down beside the key before it leaves; the same proposal accepted again is answered with the same bytes, which
//! make the same game, and another proposal with that number is refused.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{read_text, write_whole};
use crate::doc::SignedFile;
use crate::error::{Error, Result};
use crate::seal::Digest;
use crate::side::Seat;

/// What was answered with a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    /// The proposal.
    proposal: Digest,
    /// The acceptance, as it was signed.
    file: String,
}

fn place(key: &Path, table: &Digest, seat: Seat) -> PathBuf {
    let mut dir = key.to_owned().into_os_string();
    dir.push(".released");
    PathBuf::from(dir).join(format!("table-{table}-{seat}.json"))
}

/// The acceptance that this key has signed for a seat in an earlier answer to the same proposal, if it has.
///
/// # Errors
/// If the number was answered in another proposal, or the record is damaged.
pub fn accepted_before(key: &Path, table: &Digest, seat: Seat, proposal: &Digest) -> Result<Option<SignedFile>> {
    let path = place(key, table, seat);
    if !path.exists() {
        return Ok(None);
    }
    let damaged = |why: String| Error::new(format!("`{}` is damaged: {why}", path.display()));
    let record: Accepted = serde_json::from_str(&read_text(&path)?).map_err(|e| damaged(e.to_string()))?;
    if record.proposal != *proposal {
        return Err(Error::new(
            "this proposal bears the random number of a game you have accepted before: your secret numbers would be the \
             same in both, and whoever has seen them could tell the dice",
        )
        .next("ask for a fresh proposal (`countersign new` makes one)"));
    }
    SignedFile::parse(record.file.as_bytes()).map(Some).map_err(|e| damaged(e.what))
}

/// Writes an acceptance down, before it leaves.
///
/// # Errors
/// If the disk refuses.
pub fn note_accepted(key: &Path, table: &Digest, seat: Seat, proposal: &Digest, acceptance: &SignedFile) -> Result<()> {
    let file = String::from_utf8_lossy(&acceptance.bytes()).into_owned();
    let record = Accepted { proposal: *proposal, file };
    write_whole(&place(key, table, seat), serde_json::to_string(&record).unwrap_or_default().as_bytes())
}
