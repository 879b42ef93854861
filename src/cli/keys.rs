//! Keys: where they lie, how they are unlocked.

use std::env;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::{Done, Outcome, play, setup};
use crate::error::{Error, Result};
use crate::log::Player;
use crate::seal::{Namespace, PublicKey, SecretKey};
use crate::side::Seat;
use crate::store::{self, Folder, Owner};

/// Where a key lies if no place is named.
pub(super) fn default_path() -> Result<PathBuf> {
    if let Some(path) = env::var_os("COUNTERSIGN_KEY") {
        return Ok(PathBuf::from(path));
    }
    let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"));
    let home = home.ok_or_else(|| Error::misuse("there is no home folder").next("name the key file with --file"))?;
    Ok(PathBuf::from(home).join(".countersign").join("key"))
}

/// A passphrase for something new, asked for twice.
pub(super) fn choose(ask: &str) -> Result<Zeroizing<String>> {
    let first = Zeroizing::new(passphrase(ask)?);
    let asked = env::var_os("COUNTERSIGN_PASSPHRASE_FILE").is_none();
    if !first.is_empty() && asked && passphrase("The same once more: ")? != *first {
        return Err(Error::misuse("the two passphrases differ").next("try again"));
    }
    Ok(first)
}

/// A passphrase: from the file named in COUNTERSIGN_PASSPHRASE_FILE, else asked for.
pub(super) fn passphrase(ask: &str) -> Result<String> {
    if let Some(file) = env::var_os("COUNTERSIGN_PASSPHRASE_FILE") {
        return Ok(store::read_text(Path::new(&file))?.trim_end_matches(['\r', '\n']).to_owned());
    }
    rpassword::prompt_password(ask).map_err(|e| {
        Error::new(format!("cannot ask for the passphrase: {e}"))
            .next("run this in a terminal, or name a file that holds it in COUNTERSIGN_PASSPHRASE_FILE")
    })
}

/// Reads a key, asking for its passphrase if it has one.
pub(super) fn read(path: &Path) -> Result<SecretKey> {
    if !path.exists() {
        return Err(
            Error::new(format!("there is no key at `{}`", path.display())).next("make one: `countersign key new`")
        );
    }
    let text = store::read_text(path)?;
    SecretKey::from_openssh(&text, || passphrase("Passphrase of your key: "))
}

/// `key new`.
pub(super) fn make(file: Option<PathBuf>, open: bool) -> Outcome {
    let path = file.map_or_else(default_path, Ok)?;
    if path.exists() {
        return Err(Error::misuse(format!("there is a key at `{}` already", path.display()))
            .next("keep it, or name another place with --file")
            .into());
    }
    let phrase = if open {
        None
    } else {
        let first = choose("Choose a passphrase for your key: ")?;
        if first.is_empty() {
            return Err(Error::misuse("an empty passphrase locks nothing")
                .next("use --no-passphrase if you mean it")
                .into());
        }
        Some(first)
    };
    write(&path, phrase.as_ref().map(|p| p.as_str()))?;
    let key = store::read_text(&path.with_extension("pub"))?;
    println!("Your key is made: {}", path.display());
    println!("Public half: {}", key.trim_end());
    eprintln!("Keep a copy of the key file in a safe place. Nobody can give it back to you.");
    Ok(Done::Fine)
}

/// Makes a key pair: the secret half readable for its owner alone, the public half beside it.
pub(super) fn write(path: &Path, phrase: Option<&str>) -> Result<SecretKey> {
    let mut seed = [0u8; 32];
    super::random(&mut seed)?;
    let key = SecretKey::from_seed(seed);
    let mut failed = None;
    let text = key.to_openssh("countersign", phrase, &mut |buffer| failed = super::random(buffer).err())?;
    if let Some(e) = failed {
        return Err(e);
    }
    store::write_whole(path, text.as_bytes())?;
    store::private(path)?;
    store::write_whole(&path.with_extension("pub"), format!("{} countersign\n", key.public().line()).as_bytes())?;
    Ok(key)
}

/// The public half of a key: of the file beside it, else of the key itself.
pub(super) fn public(path: &Path) -> Result<PublicKey> {
    let public = path.with_extension("pub");
    if public.exists() { PublicKey::parse(&store::read_text(&public)?) } else { Ok(read(path)?.public()) }
}

/// `key show`.
pub(super) fn show(file: Option<PathBuf>) -> Outcome {
    let path = file.map_or_else(default_path, Ok)?;
    let key = public(&path)?;
    println!("{}\n{}", key.line(), key.fingerprint());
    Ok(Done::Fine)
}

/// `key replace`: asks for the own seat with a new key. It counts when the opponent accepts it.
pub(super) fn replace(here: &Path, file: &Path, name: Option<&str>) -> Outcome {
    let folder = Folder::open(here)?;
    let table = play::game(&folder)?;
    let Some(owner) = &table.owner else {
        return Err(Error::misuse("this folder belongs to no player").into());
    };
    let history = &table.history;
    if owner.seat == Seat::Host || history.end().is_some() {
        return Err(Error::misuse("a new key is taken for a player's seat, in a game that still runs").into());
    }
    let now = history.seat(owner.seat).ok_or_else(|| Error::misuse("this seat has no player"))?;
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let key = read(&path)?;
    let player =
        Player::on_chain(owner.seat, key.clone(), &history.terms.proposal.table, now.chain.number + 1, history.step());
    let recovery = history.terms.recovery(owner.seat);
    let who = setup::identity(&player, &key, name.unwrap_or(&now.player), recovery)?;
    let signed = player.sign(Namespace::Key, &player.request(history, who, &super::now()))?;
    history.read_key(&signed)?;
    folder.set_owner(&Owner { next: Some(path), ..owner.clone() })?;
    folder.keep(&signed)?;
    let table = play::game(&folder)?;
    println!("Your request is signed by the new key {}.", key.public().fingerprint());
    println!("Your opponent has to accept it: tell him these letters by telephone, so that he knows it is you.");
    play::after(&folder, &table, table.history.step())
}
