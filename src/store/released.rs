//! What a seat has let go of, and for which files: a link or an opening leaves once, and for nothing else
//! (`schemas/protocol.md`, "Time and loss").
//!
//! The record is on the disk before the file that carries the link is. It lies in the folder's `secret/`, and once more
//! beside the key, where a folder that is copied back to an earlier state does not take it along.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Folder, Owner, private, read_text, write_whole};
use crate::doc::SignedFile;
use crate::error::{Error, Result};
use crate::seal::Digest;
use crate::side::Seat;

/// A link or openings of one step that have left, or are about to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Released {
    /// The game.
    pub game: Digest,
    /// The own seat.
    pub seat: Seat,
    /// The step, from 1.
    pub step: u64,
    /// The result that opened the step.
    pub head: Digest,
    /// What they were released for, by seat: of another seat the hash of the file whose answer stands, of the own seat
    /// the digest of the answer. Empty where nothing is bound by name (after the end; a player's file to a host; a
    /// host's before his link).
    pub answers: BTreeMap<Seat, Digest>,
    /// The own files of the step up to the one that carries them, as they were signed.
    pub files: Vec<String>,
}

impl Released {
    fn same_place(&self, other: &Released) -> bool {
        (self.game, self.seat, self.step) == (other.game, other.seat, other.step)
    }
}

/// Where the record of a step lies beside the key: `KEY.released/GAME-SEAT-STEP.json`.
fn beside(owner: &Owner, game: &Digest, step: u64) -> PathBuf {
    let mut dir = owner.key.clone().into_os_string();
    dir.push(".released");
    PathBuf::from(dir).join(format!("{}-{}-{step:05}.json", game.short(), owner.seat))
}

fn read(path: &Path) -> Result<Option<Released>> {
    if !path.exists() {
        return Ok(None);
    }
    let record = serde_json::from_str(&read_text(path)?);
    record.map(Some).map_err(|e| {
        Error::new(format!("`{}` is damaged: {e}", path.display()))
            .next("it tells what you have sent in this step: put it back from a copy, or ask your opponent for everything (`countersign packet --all`) and remove it")
    })
}

impl Folder {
    /// The records of a step: the folder's and the one beside the key.
    fn released(&self, owner: &Owner, game: &Digest, step: u64) -> Result<Vec<Released>> {
        let own = self.path().join(format!("secret/released-{step:05}.json"));
        let found = [read(&own)?, read(&beside(owner, game, step))?];
        Ok(found.into_iter().flatten().filter(|r| r.game == *game && r.seat == owner.seat).collect())
    }

    /// Whether a link or openings may leave: they have not left yet, or for the same files on the same history.
    ///
    /// # Errors
    /// If they have left for others.
    pub fn may_release(&self, owner: &Owner, wanted: &Released) -> Result<()> {
        for before in self.released(owner, &wanted.game, wanted.step)? {
            // A host's files before the one with his link are released for nothing in particular.
            let bound = !before.answers.is_empty() && !wanted.answers.is_empty();
            let others = before.head != wanted.head || (bound && before.answers != wanted.answers);
            if before.same_place(wanted) && others {
                return Err(refused(owner.seat, &before, wanted));
            }
        }
        Ok(())
    }

    /// Records that a link or openings leave. To be called before their file is kept. The copy beside the key is left
    /// out where nothing can be written there.
    ///
    /// # Errors
    /// As [`Folder::may_release`]; or the disk refuses.
    pub fn release(&self, owner: &Owner, wanted: &Released) -> Result<()> {
        self.may_release(owner, wanted)?;
        let mut record = wanted.clone();
        for before in self.released(owner, &wanted.game, wanted.step)? {
            let missing = before.files.into_iter().filter(|f| !wanted.files.contains(f));
            record.files.extend(missing);
            if record.answers.is_empty() {
                record.answers = before.answers;
            }
        }
        record.files.sort();
        record.files.dedup();
        let bytes = serde_json::to_vec_pretty(&record).unwrap_or_default();
        let name = self.path().join(format!("secret/released-{:05}.json", wanted.step));
        write_whole(&name, &bytes)?;
        private(&name)?;
        let copy = beside(owner, &wanted.game, wanted.step);
        if write_whole(&copy, &bytes).is_ok() {
            private(&copy)?;
        }
        Ok(())
    }

    /// Own files of a step that have left and are not in `orders/` any more: a folder copied back to an earlier state.
    /// They are kept again. `head` is the result that opened the step; files on another history stay out.
    ///
    /// # Errors
    /// If a record is damaged or the disk refuses.
    pub fn put_back(&self, owner: &Owner, game: &Digest, step: u64, head: &Digest) -> Result<usize> {
        let mut count = 0;
        for record in self.released(owner, game, step)?.iter().filter(|r| r.head == *head) {
            for text in &record.files {
                let signed = SignedFile::parse(text.as_bytes())?;
                if !self.path().join("orders").join(super::name_of(&signed)).exists() {
                    self.keep(&signed)?;
                    count += 1;
                }
            }
        }
        Ok(count)
    }
}

fn refused(own: Seat, before: &Released, wanted: &Released) -> Error {
    let step = wanted.step;
    let differs = |seat: &Seat| before.answers.get(seat) != wanted.answers.get(seat);
    let other = wanted.answers.keys().chain(before.answers.keys()).find(|seat| **seat != own && differs(seat));
    let what = if before.head != wanted.head {
        format!("your secret number of step {step} went out already, on another history of this game")
    } else if let Some(other) = other {
        format!(
            "your secret number of step {step} went out already, for another version of the {other} player's orders"
        )
    } else {
        format!("your secret number of step {step} went out already, with other orders of yours")
    };
    Error::new(format!("{what}; it is released for no others"))
        .next("this folder is older than what you have sent: ask your opponent for everything (`countersign packet --all`) and take it in; if he has sent two versions of his orders, his two packets prove it: settle it with him before anything else")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(step: u64, answer: u8) -> Released {
        let answers = BTreeMap::from([(Seat::British, Digest([answer; 32]))]);
        let files = Vec::new();
        Released { game: Digest([1; 32]), seat: Seat::American, step, head: Digest([2; 32]), answers, files }
    }

    #[test]
    fn what_left_for_one_file_leaves_for_no_other_even_from_a_folder_copied_back() {
        let home = tempfile::tempdir().unwrap();
        let owner = Owner { seat: Seat::American, key: home.path().join("key"), next: None };
        let folder = Folder::create(&home.path().join("game")).unwrap();
        folder.release(&owner, &record(3, 7)).unwrap();
        folder.release(&owner, &record(3, 7)).unwrap();
        folder.release(&owner, &record(4, 8)).unwrap();
        let other_history = Released { head: Digest([9; 32]), ..record(3, 7) };
        for _ in 0..2 {
            for bad in [record(3, 8), record(4, 7), other_history.clone()] {
                assert!(folder.release(&owner, &bad).unwrap_err().what.contains("went out already"));
            }
            // The folder is as it was at the beginning; the copy beside the key is not.
            for step in [3, 4] {
                let _ = std::fs::remove_file(folder.path().join(format!("secret/released-{step:05}.json")));
            }
        }
        // Another seat, another game: another record.
        let bob = Owner { seat: Seat::British, key: owner.key.clone(), next: None };
        folder.release(&bob, &Released { seat: Seat::British, ..record(3, 8) }).unwrap();
        folder.release(&owner, &Released { game: Digest([5; 32]), ..record(3, 8) }).unwrap();
    }
}
