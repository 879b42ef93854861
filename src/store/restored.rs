//! A folder that comes from a copy signs nothing until it knows what its player sent after the copy was made
//! (`schemas/protocol.md`, "Keys": own files the other names are adopted first).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{Folder, Table};
use crate::doc::SignedFile;
use crate::error::{Error, Result};
use crate::log::{read_host_file, read_step};
use crate::seal::Digest;
use crate::side::Seat;

const MARK: &str = "secret/restored";

/// What to ask the other side for.
const ASK: &str = "ask your opponent to run `countersign packet --all`, save what he sends, and run `countersign adjudicate THE-FILE`";

impl Folder {
    /// Marks the folder as one that may be older than what its player has sent. `from`: where it comes from, for people.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn mark_restored(&self, from: &str) -> Result<()> {
        self.write(MARK, format!("{from}\n").as_bytes())
    }

    /// Where a marked folder comes from; `None` without a mark.
    #[must_use]
    pub fn restored(&self) -> Option<String> {
        let path = self.path().join(MARK);
        path.exists().then(|| fs::read_to_string(path).unwrap_or_default().trim().to_owned())
    }

    /// Takes the mark off.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn unmark(&self) -> Result<()> {
        let path = self.path().join(MARK);
        if path.exists() { fs::remove_file(&path).map_err(|e| Error::io("remove", &path, &e)) } else { Ok(()) }
    }

    /// Whether anything may be signed from this folder.
    ///
    /// # Errors
    /// That it is marked, and what takes the mark off.
    pub fn may_sign(&self) -> Result<()> {
        let Some(from) = self.restored() else { return Ok(()) };
        Err(Error::new(format!("this folder comes {from}: it may not know all you have sent, so it signs nothing yet"))
            .next(format!(
                "{ASK}; if you are certain that you sent nothing after that: `countersign adjudicate --nothing-newer`"
            )))
    }
}

/// Seat and step of a signed file of play.
fn place(signed: &SignedFile) -> Option<(Seat, u64)> {
    let of_host = || read_host_file(signed).map(|f| (Seat::Host, f.step));
    read_step(signed).map(|f| (f.seat, f.step)).or_else(|_| of_host()).ok()
}

/// Whether files that came from the other side are all he has (`packet --all`): the terms, and of every closed step
/// files of this seat or the host's. While the first step is open such a packet looks like any other unless it brings a
/// file of this seat back.
#[must_use]
pub fn is_everything(table: &Table, seat: Seat, came: &[SignedFile]) -> bool {
    let hashes: BTreeSet<Digest> = came.iter().map(SignedFile::hash).collect();
    let steps: BTreeSet<u64> = came
        .iter()
        .filter_map(place)
        .filter(|(of, _)| *of == seat || *of == Seat::Host)
        .map(|(_, step)| step)
        .collect();
    let last = if table.history.step() == 1 { 1 } else { table.history.step() - 1 };
    let terms = table.history.terms.files.iter().all(|(_, signed, _)| hashes.contains(&signed.hash()));
    terms && (1..=last).all(|step| steps.contains(&step))
}

/// Whether what came from another seat shows where the own seat stands, and everything of its own that it names is here.
///
/// # Errors
/// In words, what is still missing.
pub fn shows_where_we_stand(table: &Table, seat: Seat, came: &[SignedFile]) -> Result<()> {
    let step = table.history.step();
    if table.files.values().filter_map(place).any(|(of, at)| of != seat && at > step) {
        return Err(
            Error::new("your opponent is further on than this folder, so files of yours are missing here").next(ASK)
        );
    }
    let here: BTreeSet<Digest> = table.files.values().map(SignedFile::hash).collect();
    let theirs = || table.posts.iter().map(|p| &p.filed).filter(|f| f.file.seat != seat);
    // In a strict game the host names the players' files.
    let hosts: Vec<(Digest, &BTreeMap<Seat, Digest>)> =
        table.history.hosts().iter().map(|h| (h.signed.hash(), &h.file.names)).collect();
    let names = || theirs().map(|f| (f.hash, &f.file.names)).chain(hosts.iter().copied());
    if names().filter_map(|(_, names)| names.get(&seat)).any(|named| !here.contains(named)) {
        return Err(Error::new("your opponent names a file of yours that is not here").next(ASK));
    }
    let came_now: BTreeSet<Digest> = came.iter().map(SignedFile::hash).collect();
    let names_us = names().any(|(hash, names)| came_now.contains(&hash) && names.contains_key(&seat));
    if names_us || is_everything(table, seat, came) {
        return Ok(());
    }
    Err(Error::new("what came does not show which files of yours your opponent has in this step").next(ASK))
}
