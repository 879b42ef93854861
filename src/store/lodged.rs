//! What is lodged in a folder: with the host the players' locked openings, with a player the copies he sends again. Of
//! what the host opens nothing is written down.

use std::path::Path;

use super::{Folder, Table, list, name_of, private, read_bytes};
use crate::doc::{Lodging, SignedFile};
use crate::error::{Error, Result};
use crate::log::{Player, Post, Secrets, cannot_be_opened, read_lodging};
use crate::side::Seat;

/// A lodging of a folder, its signature checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Lodged {
    /// What it says.
    pub lodging: Lodging,
    /// The exact bytes.
    pub signed: SignedFile,
}

impl Folder {
    /// Keeps what is lodged with a host, on either side.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn lodge(&self, signed: &SignedFile) -> Result<()> {
        let name = format!("secret/{}", name_of(signed));
        self.write(&name, &signed.bytes())?;
        private(&self.path().join(name))
    }

    /// Finds everything lodged here. What is damaged, of another game or not signed by its seat does not count; as long as
    /// its step is open it stands among the files that do not, with the reason.
    pub(super) fn find_lodgings(&self, table: &mut Table) -> Result<()> {
        let open = format!("{:05}-", table.history.step());
        for path in list(&self.path().join("secret"))? {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            if !name.ends_with(".signed") || !name.contains("-lodging-") {
                continue;
            }
            match self.lodging_at(&path, table) {
                Ok(lodged) => table.lodgings.push(lodged),
                Err(why) if name.starts_with(&open) => table.evidence.push((name, why.to_string())),
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn lodging_at(&self, path: &Path, table: &Table) -> Result<Lodged> {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        // Its name has the hash of what was kept, so that any change since shows.
        let whole = |signed: &SignedFile| read_lodging(signed).is_ok() && name_of(signed) == name;
        match read_bytes(path).and_then(|bytes| SignedFile::parse(&bytes)) {
            Ok(signed) if whole(&signed) => Ok(Lodged { lodging: table.history.read_lodging(&signed)?, signed }),
            _ => Err(damaged(&name, table)),
        }
    }

    /// Puts a lodging that does not open beside the other evidence: it counts as not lodged.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn set_aside(&self, lodged: &Lodged, why: &Error) -> Result<()> {
        let name = name_of(&lodged.signed);
        self.write(&format!("evidence/{name}"), &lodged.signed.bytes())?;
        self.write(&format!("evidence/{name}.txt"), format!("{why}\n").as_bytes())?;
        let path = self.path().join("secret").join(name);
        std::fs::remove_file(&path).map_err(|e| Error::io("move", &path, &e))
    }
}

impl Table {
    /// Whether what is to open a file of the open step has come, as far as can be seen without the host's key.
    #[must_use]
    pub fn is_lodged(&self, post: &Post) -> bool {
        let file = &post.filed;
        let of = |l: &Lodged| l.lodging.file == file.hash && l.lodging.seat == file.file.seat;
        file.file.seals.is_empty() || self.lodgings.iter().any(of)
    }

    /// Opens, as the host, what was lodged for the open step and for seals that are still shut; with it, what does not
    /// open, or not all of its file, and why.
    #[must_use]
    pub fn open_lodgings(&self, host: &Player) -> (Secrets, Vec<(Lodged, Error)>) {
        let (mut secrets, mut shut) = (Secrets::default(), Vec::new());
        let step = self.history.step();
        let sealed = |of: u64| of == step || self.history.unopened().values().any(|seal| seal.step == of);
        for lodged in self.lodgings.iter().filter(|l| sealed(l.lodging.step)) {
            let post = self.posts.iter().find(|p| p.filed.hash == lodged.lodging.file);
            match host.open_lodging(&self.history, &lodged.lodging) {
                Ok(opens) => {
                    let mut own = Secrets::default();
                    own.extend(&opens);
                    if post.is_some_and(|post| !self.history.opens_all(&post.filed.file, &own)) {
                        shut.push((lodged.clone(), cannot_be_opened(lodged.lodging.seat)));
                    }
                    secrets.extend(&opens);
                }
                Err(why) => shut.push((lodged.clone(), why)),
            }
        }
        (secrets, shut)
    }
}

/// What the owner of a folder is told of a lodging in it that is damaged.
fn damaged(name: &str, table: &Table) -> Error {
    let own = table.owner.as_ref().is_some_and(|owner| owner.seat != Seat::Host);
    match [Seat::British, Seat::American].into_iter().find(|seat| name.contains(&format!("-{seat}-"))) {
        Some(seat) if !own => cannot_be_opened(seat),
        _ => Error::new("your copy of what opens your sealed orders for the host is damaged")
            .next("if the host does not have it, sign your orders once more: `countersign orders sign`"),
    }
}
