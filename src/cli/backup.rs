//! `backup` and `restore`: one encrypted file with everything a player needs to go on.

use std::path::{Path, PathBuf};

use clap::Args;
use zeroize::Zeroizing;

use super::{Done, Outcome, keys, recover};
use crate::error::{Error, Result};
use crate::seal::SecretKey;
use crate::store::{Backup, Content, Folder};

/// Flags of `backup`.
#[derive(Debug, Args)]
pub struct BackupArgs {
    /// The file to write.
    file: PathBuf,
    /// The game folders; the folder you are in if left out.
    #[arg(long = "game", id = "game", value_name = "FOLDER", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
}

/// Flags of `restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The backup.
    file: PathBuf,
    /// The new folder to unpack it into.
    #[arg(long)]
    folder: PathBuf,
}

/// `backup`.
pub(super) fn backup(here: &Path, args: &BackupArgs) -> Outcome {
    if args.file.exists() && !args.force {
        return Err(Error::misuse(format!("`{}` is there already", args.file.display()))
            .next("name another file, or say --force to write over it")
            .into());
    }
    let mut backup = Backup::new(super::now());
    let folders = if args.games.is_empty() { vec![here.to_owned()] } else { args.games.clone() };
    for path in &folders {
        let folder = Folder::open(path)?;
        if let Content::Game(table) = folder.load()? {
            folder.refresh(&table)?;
        }
        backup.add(&folder)?;
    }
    let phrase = keys::choose("Choose a passphrase for the backup: ")?;
    if phrase.is_empty() {
        return Err(Error::misuse("an empty passphrase locks nothing").next("choose one").into());
    }
    backup.write(&args.file, &phrase)?;
    let names: Vec<String> = backup.games().into_iter().collect();
    println!("Written: {}, with {} and the key.", args.file.display(), names.join(", "));
    println!("Keep it on another computer or a memory stick, and remember its passphrase: nobody can open it without.");
    println!("It knows nothing of what you sign from now on: make a new one after each mail you send.");
    Ok(Done::Fine)
}

/// `restore`.
pub(super) fn restore(args: &RestoreArgs) -> Outcome {
    let ask = || keys::passphrase("Passphrase of the backup: ").map(Zeroizing::new);
    let (mut backup, phrase) = Backup::read(&args.file, ask)?;
    let locked = lock_keys(&mut backup, &phrase)?;
    backup.unpack(&args.folder)?;
    println!("Restored from a backup made {}:", backup.made);
    for name in backup.games() {
        let path = args.folder.join(&name);
        let folder = Folder::open(&path)?;
        match folder.load()? {
            Content::Game(table) => {
                folder.refresh(&table)?;
                let seat = table.owner.as_ref().map_or("nobody", |o| o.seat.word());
                let scenario = &table.history.terms.proposal.scenario;
                let end = if table.history.complete() { ", ended" } else { "" };
                println!("  {}: {scenario}, {seat}, step {}{end}", super::typed(&path), table.history.step());
                if table.history.complete() {
                    folder.unmark()?;
                }
                for lost in recover::lost_here(&folder, &table)? {
                    println!("    cannot be opened: {}, sealed in step {}", lost.slot, lost.step);
                }
            }
            Content::Proposed { .. } => {
                folder.unmark()?;
                println!("  {}: proposed, not accepted by all yet", super::typed(&path));
            }
        }
    }
    for (name, _) in backup.keys() {
        println!("  key: {}", super::typed(&args.folder.join(name)));
    }
    if locked > 0 {
        println!("The key had no passphrase; it has that of the backup now.");
    }
    println!("A restored game signs nothing until it knows what you sent after the backup was made. In each of them:");
    println!("  {ASK}");
    println!("For new games with this key: countersign new ... --key THE-KEY, or copy it to where your key lay.");
    Ok(Done::Fine)
}

const ASK: &str =
    "ask your opponent to run `countersign packet --all`, save what he sends, run `countersign adjudicate THE-FILE`";

/// No secret key is written in clear: one without passphrase gets the backup's. Returns how many.
fn lock_keys(backup: &mut Backup, phrase: &str) -> Result<usize> {
    let mut count = 0;
    for (_, bytes) in backup.keys() {
        let text = Zeroizing::new(String::from_utf8_lossy(bytes).into_owned());
        // A locked key asks, and stays as it is.
        let Ok(key) = SecretKey::from_openssh(&text, || Err(Error::new("locked"))) else { continue };
        let mut failed = None;
        let locked =
            key.to_openssh("countersign", Some(phrase), &mut |b| failed = super::random(b).err().or(failed.take()))?;
        if let Some(e) = failed {
            return Err(e);
        }
        *bytes = Zeroizing::new(locked.into_bytes());
        count += 1;
    }
    Ok(count)
}
