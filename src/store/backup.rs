//! A backup: keys, secrets, signed files and logs of game folders in one encrypted file.
//!
//! The file is an age file locked with a passphrase (age-encryption.org/v1, scrypt; `age -d` opens it too). Inside it:
//! the line `countersign backup 1`, `made` with the time, `files` with their number, and for each file a line
//! `file LENGTH NAME`, its bytes and a line end. Names are `keys/NAME`, `games/GAME/scenario.yaml`, `games/GAME/game.log`,
//! and those below `games/GAME/orders/` and `games/GAME/secret/`. `games/GAME/secret/seat.json` names the key in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use age::secrecy::SecretString;
use zeroize::Zeroizing;

use super::{Folder, Owner, list, private, read_bytes, write_whole};
use crate::error::{Error, Result};

const MAGIC: &str = "countersign backup ";
const VERSION: &str = "1";

/// First line of every age file.
const AGE: &[u8] = b"age-encryption.org/v1\n";

/// scrypt with N = 2^18, as the age tool has it: about a second and 256 MB.
const WORK: u8 = 18;

/// The most work a file may ask for: 1 GB of memory.
const MOST_WORK: u8 = 20;

/// Largest backup, in bytes.
const LARGEST: u64 = 256 << 20;

/// What a backup holds: bytes by name.
#[derive(Debug, Default)]
pub struct Backup {
    /// When it was made, UTC.
    pub made: String,
    files: BTreeMap<String, Zeroizing<Vec<u8>>>,
}

/// A name as any system takes it for a file.
fn plain(name: &str) -> String {
    let fine = |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '-' };
    let name: String = name.chars().map(fine).collect();
    let name = name.trim_matches(['.', ' ']).to_owned();
    if name.is_empty() { "game".into() } else { name }
}

/// Whether a name stands inside a backup: plain parts in the places where this program puts them.
fn fits(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    let shape = matches!(
        parts.as_slice(),
        ["keys", _] | ["games", _, "scenario.yaml" | "game.log"] | ["games", _, "orders" | "secret", _]
    );
    shape && parts.iter().all(|part| plain(part) == *part)
}

impl Backup {
    /// An empty backup.
    #[must_use]
    pub fn new(made: String) -> Backup {
        Backup { made, files: BTreeMap::new() }
    }

    fn free(&self, within: &str, name: &str) -> String {
        let taken = |name: &str| {
            let at = format!("{within}/{name}");
            self.files.keys().any(|k| k == &at || k.starts_with(&format!("{at}/")))
        };
        let mut free = plain(name);
        let mut n = 1;
        while taken(&free) {
            n += 1;
            free = format!("{}-{n}", plain(name));
        }
        free
    }

    /// Puts a game folder in, with the key it is played with. Returns its name in the backup.
    ///
    /// # Errors
    /// If the folder belongs to a player and his key is not where it should be; or a file cannot be read.
    pub fn add(&mut self, folder: &Folder) -> Result<String> {
        let whole = fs::canonicalize(folder.path()).unwrap_or_else(|_| folder.path().to_owned());
        let name = self.free("games", &whole.file_name().unwrap_or_default().to_string_lossy());
        let at = format!("games/{name}");
        if let Some(owner) = folder.owner()? {
            // Of a lost key and the new one that asks for the seat, the new one alone is here.
            let next = owner.next.as_ref().filter(|path| path.exists()).map(|path| self.add_key(path)).transpose()?;
            let key = match &next {
                Some(next) if !owner.key.exists() => next.clone(),
                _ => self.add_key(&owner.key)?,
            };
            let owner = Owner { seat: owner.seat, key: PathBuf::from(&key), next: next.map(PathBuf::from) };
            let text = serde_json::to_vec_pretty(&owner).unwrap_or_default();
            self.files.insert(format!("{at}/secret/seat.json"), Zeroizing::new(text));
        }
        let mut paths = vec![(format!("{at}/scenario.yaml"), folder.path().join("scenario.yaml"))];
        paths.push((format!("{at}/game.log"), folder.path().join("game.log")));
        for sub in ["orders", "secret"] {
            for path in list(&folder.path().join(sub))? {
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if file != "seat.json" && plain(&file) == file {
                    paths.push((format!("{at}/{sub}/{file}"), path));
                }
            }
        }
        for (name, path) in paths {
            if path.is_file() {
                self.files.insert(name, Zeroizing::new(read_bytes(&path)?));
            }
        }
        Ok(name)
    }

    /// Puts a key in, once, as its file holds it, and its public half.
    fn add_key(&mut self, path: &Path) -> Result<String> {
        if !path.exists() {
            return Err(Error::new(format!("the key of this game is not at `{}`", path.display()))
                .next("put it there: a backup without the key could not be played on"));
        }
        let bytes = Zeroizing::new(read_bytes(path)?);
        if let Some((name, _)) = self.files.iter().find(|(name, held)| name.starts_with("keys/") && **held == bytes) {
            return Ok(name.clone());
        }
        let name = self.free("keys", &path.file_name().unwrap_or_default().to_string_lossy());
        let public = path.with_extension("pub");
        if public.is_file() {
            let stem = Path::new(&name).with_extension("pub");
            self.files.insert(format!("keys/{}", stem.display()), Zeroizing::new(read_bytes(&public)?));
        }
        self.files.insert(format!("keys/{name}"), bytes);
        Ok(format!("keys/{name}"))
    }

    /// Names of the games in it.
    #[must_use]
    pub fn games(&self) -> BTreeSet<String> {
        self.files.keys().filter_map(|k| k.strip_prefix("games/")?.split('/').next()).map(str::to_owned).collect()
    }

    /// The secret keys in it: name and file.
    pub fn keys(&mut self) -> impl Iterator<Item = (&str, &mut Zeroizing<Vec<u8>>)> {
        let secret = |name: &str| name.starts_with("keys/") && !name.ends_with(".pub");
        self.files.iter_mut().filter(move |(name, _)| secret(name)).map(|(name, bytes)| (name.as_str(), bytes))
    }

    fn plain_bytes(&self) -> Zeroizing<Vec<u8>> {
        let head = format!("{MAGIC}{VERSION}\nmade {}\nfiles {}\n", self.made, self.files.len());
        // One piece from the beginning: a vector that grows leaves copies of secrets behind.
        let length = head.len() + self.files.iter().map(|(name, bytes)| name.len() + bytes.len() + 40).sum::<usize>();
        let mut out = Zeroizing::new(Vec::with_capacity(length));
        out.extend(head.bytes());
        for (name, bytes) in &self.files {
            out.extend(format!("file {} {name}\n", bytes.len()).bytes());
            out.extend(bytes.iter());
            out.push(b'\n');
        }
        out
    }

    fn from_plain(bytes: &[u8]) -> Result<Backup> {
        let damaged = || Error::new("what this file holds is no backup of this program, or is damaged");
        let mut rest = bytes;
        let head = line(&mut rest).ok_or_else(damaged)?;
        let version = head.strip_prefix(MAGIC).ok_or_else(damaged)?;
        if version != VERSION {
            let what = format!("this backup is of version {version}; this program reads version {VERSION}");
            return Err(Error::new(what).next("get the newer program"));
        }
        let made = line(&mut rest).and_then(|l| l.strip_prefix("made ")).ok_or_else(damaged)?;
        let count =
            line(&mut rest).and_then(|l| l.strip_prefix("files ")?.parse::<usize>().ok()).ok_or_else(damaged)?;
        let mut backup = Backup::new(made.to_owned());
        while !rest.is_empty() {
            let (length, name) =
                line(&mut rest).and_then(|l| l.strip_prefix("file ")?.split_once(' ')).ok_or_else(damaged)?;
            let length: usize = length.parse().map_err(|_| damaged())?;
            let (bytes, more) = rest.split_at_checked(length).ok_or_else(damaged)?;
            rest = more.strip_prefix(b"\n").ok_or_else(damaged)?;
            if !fits(name) || backup.files.insert(name.to_owned(), Zeroizing::new(bytes.to_vec())).is_some() {
                return Err(damaged());
            }
        }
        if backup.files.len() == count { Ok(backup) } else { Err(damaged()) }
    }

    /// Writes it, locked, whole or not at all and for its owner alone.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn write(&self, path: &Path, phrase: &str) -> Result<()> {
        let mut recipient = age::scrypt::Recipient::new(SecretString::from(phrase.to_owned()));
        recipient.set_work_factor(WORK);
        let locked = age::encrypt(&recipient, &self.plain_bytes())
            .map_err(|e| Error::new(format!("cannot lock the backup: {e}")))?;
        write_whole(path, &locked)?;
        private(path)
    }

    /// Reads and unlocks one. `phrase` is asked only if the file is a backup at all.
    ///
    /// # Errors
    /// If it is no backup, the passphrase does not fit, or it was changed or cut off.
    pub fn read(
        path: &Path,
        phrase: impl FnOnce() -> Result<Zeroizing<String>>,
    ) -> Result<(Backup, Zeroizing<String>)> {
        let meta = fs::metadata(path).map_err(|e| Error::io("read", path, &e))?;
        if meta.is_dir() || meta.len() > LARGEST {
            return Err(Error::misuse(format!("`{}` is no backup", path.display())));
        }
        let locked = fs::read(path).map_err(|e| Error::io("read", path, &e))?;
        if !locked.starts_with(AGE) {
            return Err(Error::new(format!("`{}` is no backup of this program", path.display()))
                .next("give the file that `countersign backup` wrote"));
        }
        let phrase = phrase()?;
        let mut identity = age::scrypt::Identity::new(SecretString::from(phrase.to_string()));
        identity.set_max_work_factor(MOST_WORK);
        let opened = age::decrypt(&identity, &locked).map_err(|e| match e {
            age::DecryptError::DecryptionFailed | age::DecryptError::KeyDecryptionFailed => {
                Error::new("the passphrase does not fit this backup")
            }
            other => Error::new(format!("this backup cannot be opened: it was changed or cut off ({other})"))
                .next("take another copy of it"),
        })?;
        Ok((Backup::from_plain(&Zeroizing::new(opened))?, phrase))
    }

    /// Unpacks it into a new folder: `keys/` and one folder a game, each marked as restored. Whole or not at all.
    ///
    /// # Errors
    /// If the folder exists and is not empty, or the disk refuses.
    pub fn unpack(&self, target: &Path) -> Result<()> {
        if target.exists()
            && (!target.is_dir() || fs::read_dir(target).map_err(|e| Error::io("read", target, &e))?.next().is_some())
        {
            return Err(Error::misuse(format!("`{}` exists and is not empty", target.display()))
                .next("name a new folder with --folder: a backup is never unpacked over anything"));
        }
        let target = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
        let parent = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|e| Error::io("make", parent, &e))?;
        let aside = tempfile::Builder::new().prefix(".restoring-").tempdir_in(parent);
        let aside = aside.map_err(|e| Error::io("make a folder in", parent, &e))?;
        let made = aside.path().join("new");
        for name in self.games() {
            drop(Folder::create(&made.join(name))?);
        }
        for (name, bytes) in &self.files {
            // `games/NAME/...` becomes `NAME/...`: a restored folder is a game folder like any other.
            let path = made.join(name.strip_prefix("games/").unwrap_or(name));
            write_whole(&path, bytes)?;
            if !name.contains("/orders/") && !name.ends_with(".pub") {
                private(&path)?;
            }
        }
        for name in self.games() {
            let folder = Folder::open(&made.join(name))?;
            if let Some(owner) = folder.owner()? {
                let next = owner.next.map(|path| target.join(path));
                folder.set_owner(&Owner { seat: owner.seat, key: target.join(owner.key), next })?;
                folder.mark_restored(&format!("from a backup made {}", self.made))?;
            }
        }
        if target.exists() {
            fs::remove_dir(&target).map_err(|e| Error::io("replace", &target, &e))?;
        }
        fs::rename(&made, &target).map_err(|e| Error::io("make", &target, &e))
    }
}

fn line<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let end = rest.iter().position(|b| *b == b'\n')?;
    let (line, more) = rest.split_at(end);
    *rest = more.get(1..)?;
    std::str::from_utf8(line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held() -> Backup {
        let mut backup = Backup::new("2026-01-02T03:04:05Z".into());
        for (name, text) in
            [("keys/key", "file 3 x\n"), ("games/a b/orders/1.signed", ""), ("games/a b/game.log", "\n")]
        {
            backup.files.insert(name.into(), Zeroizing::new(text.as_bytes().to_vec()));
        }
        backup
    }

    #[test]
    fn what_is_packed_is_unpacked_and_a_cut_is_seen() {
        let bytes = held().plain_bytes();
        let again = Backup::from_plain(&bytes).unwrap();
        assert_eq!((again.made, again.files), (held().made, held().files));
        for end in 0..bytes.len() {
            assert!(Backup::from_plain(&bytes[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for good in ["keys/key", "games/a b/orders/00001-x.signed", "games/a/secret/seat.json", "games/a/game.log"] {
            assert!(fits(good), "{good}");
        }
        for bad in [
            "keys/../x",
            "/etc/passwd",
            "games/../orders/x",
            "games/a/orders/..",
            "games/a/b/c/d",
            "games//game.log",
            "keys/",
            "games/a/other",
            "games/a/secret/c:x",
            "keys/a\\b",
            "x",
        ] {
            assert!(!fits(bad), "{bad}");
        }
        assert_eq!(plain("../a:b"), "-a-b");
    }

    #[test]
    fn two_games_of_one_name_get_two_names() {
        let backup = held();
        assert_eq!(backup.free("games", "a b"), "a b-2");
        assert_eq!(backup.free("keys", "key"), "key-2");
        assert_eq!(backup.free("keys", "ke"), "ke");
    }
}
