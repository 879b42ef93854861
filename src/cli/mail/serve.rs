//! `mail serve`: a host's games by mail, any number of them, from one mailbox.
//!
//! The game folders are the truth. A mail is taken into its game's folder before it counts as read, and what goes out is
//! written from the folder: a program that is stopped at any point begins again where the folders stand, and the same mail
//! twice has one effect. Which folder a mail belongs to, and which games want looking at because a time has come, the
//! index tells ([`crate::index`]), so that no mail costs more among many games than among few.

mod entry;
mod intake;
mod members;
mod receipts;
mod reminders;
mod spectators;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::super::{Done, Errors, Outcome, clock, host};
use super::{Memory, News, letters, said};
use crate::error::{Error, Result};
use crate::index::{Game, Index, Marks, stamp};
use crate::mail::members::Members;
use crate::mail::outbox::Outbox;
use crate::mail::send::{Carrier, carrier};
use crate::mail::settings::{Account, Correspondents};
use crate::side::Seat;
use crate::store::{Content, Folder, Table};

/// Flags of `mail serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The Maildir the mails come into. It must be this program's own: only what lies in its folder `new` is taken, and a mail
    /// that another program has opened does not lie there any more.
    #[arg(long, value_name = "MAILDIR")]
    mail: PathBuf,
    /// Do what is due now, and end.
    #[arg(long)]
    once: bool,
    /// Seconds between two looks into the Maildir.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    every: u64,
    /// A list of the club's members (see README): games they propose are hosted without being asked.
    #[arg(long, value_name = "members.yaml")]
    members: Option<PathBuf>,
}

/// A host at work.
struct Club<'a> {
    /// The folder that holds the game folders.
    here: &'a Path,
    account: Account,
    carrier: Box<dyn Carrier>,
    index: Index,
    members: Option<Members>,
    /// Whether mails lie in the mailbox that have not been taken: nobody is declared late who may have written one.
    unread: bool,
    /// Held so that one program alone serves a club.
    _lock: fs::File,
}

/// Runs the host's program.
pub(super) fn serve(here: &Path, args: &ServeArgs) -> Outcome {
    let lock = begin(here, &args.mail)?;
    let account = Account::read(&Account::place()?)?;
    let members = args.members.as_deref().map(Members::read).transpose()?;
    let (carrier, warnings) = carrier(&account)?;
    for warning in warnings {
        eprintln!("WARNING: {warning}");
    }
    let mut club = Club { here, account, carrier, index: Index::open(here)?, members, unread: true, _lock: lock };
    club.look_round()?;
    eprintln!("{} in the folders here.", super::count(club.index.folders()?.len(), "game", "games"));
    loop {
        let more = club.take_mails(&args.mail)?;
        for name in club.index.awake(clock().timestamp())? {
            club.go_on(&name);
        }
        if let Err(e) = club.send_notices() {
            eprintln!("{e}");
        }
        if more {
            continue;
        }
        if args.once {
            return Ok(Done::Fine);
        }
        std::thread::sleep(Duration::from_secs(args.every));
        club.look_round()?;
    }
}

/// What has to be so before a club can be served: its folder and mailbox are what they seem, and no other program serves it.
fn begin(here: &Path, maildir: &Path) -> Result<fs::File> {
    if !here.is_dir() {
        return Err(Error::misuse(format!("there is no folder `{}`", here.display()))
            .next("name the folder that holds the game folders, or go into it"));
    }
    if here.join("orders").is_dir() {
        return Err(Error::misuse("this is the folder of one game; a club is served from the folder above it")
            .next("cd .. and the same command"));
    }
    if !maildir.join("new").is_dir() {
        return Err(Error::misuse(format!("`{}` is no Maildir: there is no folder `new` in it", maildir.display()))
            .next("name the folder your mail program delivers to, with the folders `new`, `cur` and `tmp` in it"));
    }
    let cur = maildir.join("cur");
    fs::create_dir_all(&cur).map_err(|e| Error::io("make", &cur, &e))?;
    let path = here.join(".serve.lock");
    let lock = fs::File::create(&path).map_err(|e| Error::io("lock", &path, &e))?;
    if lock.try_lock().is_err() {
        return Err(Error::new("another `mail serve` is at work in this folder")
            .next("let it run, or end it first: two would answer the same mails"));
    }
    Ok(lock)
}

impl Club<'_> {
    /// Brings the index into line with the folders: those that are new are entered, those that are gone forgotten, and
    /// those in which something was done beside this program (a copy put back, a command given by hand) looked at.
    fn look_round(&mut self) -> Result<()> {
        let mut known = self.index.folders()?;
        for (name, path) in game_folders(self.here)? {
            match known.remove(&name) {
                None => self.enter(&name),
                Some(seen) if seen != stamp(&path) => self.index.wake(&name)?,
                Some(_) => {}
            }
        }
        for name in known.keys() {
            self.index.forget(name)?;
        }
        Ok(())
    }

    /// Enters a folder that the index does not know.
    fn enter(&mut self, name: &str) {
        let entered = self.folder(name).and_then(|folder| {
            let content = folder.load()?;
            entry::note(&mut self.index, name, &folder, &content, Some(0))
        });
        if let Err(e) = entered {
            self.damaged(name, &e);
        }
    }

    /// A folder that cannot be read does not stop the others; `host list` shows it.
    fn damaged(&mut self, name: &str, e: &Error) {
        eprintln!("{name}: {e}");
        let _ = self.index.note(&entry::damaged(name, e), &Marks::default());
    }

    fn folder(&self, name: &str) -> Result<Folder> {
        Folder::open(&self.here.join(name))
    }

    /// Everything that is due in one game: steps closed, files passed on, players declared late by the terms, mails.
    fn go_on(&mut self, name: &str) {
        let folder = match self.folder(name) {
            Ok(folder) => folder,
            Err(e) => return self.damaged(name, &e),
        };
        let done = self.work(name, &folder);
        if let Err(Errors(errors)) = done {
            for e in &errors {
                eprintln!("{name}: {e}");
            }
            // It is tried again in an hour, or with the next mail, or when somebody works in the folder.
            let again = Some(clock().timestamp() + 3600);
            let noted = folder.load().and_then(|content| entry::note(&mut self.index, name, &folder, &content, again));
            if let (Err(_), Some(e)) = (noted, errors.first()) {
                self.damaged(name, e);
            }
        }
    }

    fn work(&mut self, name: &str, folder: &Folder) -> std::result::Result<(), Errors> {
        let mut content = folder.load()?;
        // A copy of a game beside it must never sign: it does not know what its double has sent.
        entry::claim(&self.index, name, folder, &content)?;
        if let Content::Game(table) = &mut content {
            if table.owner.as_ref().is_none_or(|o| o.seat != Seat::Host) {
                return Ok(entry::note(&mut self.index, name, folder, &content, None)?);
            }
            let before = table.history.step();
            host::do_duties(folder, table, false)?;
            if host::is_late(table) && self.may_declare_late(name, folder, table) {
                host::do_duties(folder, table, true)?;
            }
            folder.refresh(table)?;
            host::give_receipts(folder, table)?;
            if table.history.step() > before {
                println!("{name}: step {} is open.", table.history.step());
            }
        }
        let wake = self.write(folder, &content)?;
        Ok(entry::note(&mut self.index, name, folder, &content, wake)?)
    }

    /// Whether it is fair to declare somebody late: every mail that has come is read, and his letters reach every player.
    fn may_declare_late(&self, name: &str, folder: &Folder, table: &Table) -> bool {
        let to = Correspondents::read(&folder.path().join("mail.yaml"));
        let unknown =
            table.history.terms.players().into_iter().find(|s| !to.as_ref().is_ok_and(|to| to.of(*s).is_ok()));
        if let Some(seat) = unknown {
            eprintln!(
                "{name}: a player is late, but the {seat} player has had no letters, for mail.yaml does not say where he is. Nobody is declared late until it does."
            );
        }
        unknown.is_none() && !self.unread
    }

    /// Writes the letters of a game and sends them. Returns when the game wants looking at again without a mail.
    fn write(&mut self, folder: &Folder, content: &Content) -> std::result::Result<Option<i64>, Errors> {
        let to = Correspondents::read(&folder.path().join("mail.yaml"))?;
        let outbox = Outbox::open(&folder.path().join("outbox"))?;
        let mut memory = Memory::read(folder);
        let mut wake = None;
        match content {
            Content::Game(table) => {
                let mut letters = letters::of_game(folder, table, &self.account, &to, false)?;
                let news = memory.news(&letters, false) == News::Written;
                receipts::beside(table, &mut letters);
                for letter in receipts::alone(folder, table, &self.account, &to, &mut memory, news)? {
                    memory.put_one(&outbox, letter)?;
                }
                let waiting = std::mem::take(&mut memory.waiting);
                if news {
                    memory.put(&outbox, letters)?;
                } else if !waiting.is_empty() {
                    memory.put_again(&outbox, letters, &waiting)?;
                }
                wake = self.remind(table, &to, &outbox, &mut memory)?;
                spectators::show(table, &self.account, &to, &outbox, &mut memory)?;
            }
            Content::Proposed { owner, proposal, .. } => {
                // A proposal of somebody who plays himself lies here: he mails it.
                if owner.as_ref().is_some_and(|o| o.seat == Seat::Host) {
                    let letters = letters::before_game(folder, Seat::Host, proposal, &self.account, &to)?;
                    if memory.news(&letters, false) == News::Written {
                        memory.put(&outbox, letters)?;
                    }
                }
            }
        }
        memory.keep(folder)?;
        let run = outbox.send(self.carrier.as_mut(), clock())?;
        said(&run);
        let again = outbox.waiting()?.iter().map(|(_, note)| note.at.timestamp()).min();
        // Held back only because mails were unread: looked at again when they are not.
        let unread = matches!(content, Content::Game(table) if self.unread && host::is_late(table));
        let wake = if unread { Some(clock().timestamp()) } else { wake };
        Ok([wake, again].into_iter().flatten().min())
    }

    fn remind(&self, table: &Table, to: &Correspondents, outbox: &Outbox, memory: &mut Memory) -> Result<Option<i64>> {
        let now = clock();
        for letter in reminders::due(table, &self.account, to, memory, now)? {
            memory.put_one(outbox, letter)?;
        }
        Ok(reminders::next(table, memory, now))
    }

    /// Sends what lies in the outbox of the club itself: answers to mails that belong to no game.
    fn send_notices(&mut self) -> Result<()> {
        if self.here.join("outbox").is_dir() {
            let outbox = Outbox::open(&self.here.join("outbox"))?;
            said(&outbox.send(self.carrier.as_mut(), clock())?);
        }
        Ok(())
    }
}

/// The game folders below a folder, by name.
fn game_folders(here: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut all = BTreeMap::new();
    for dir in fs::read_dir(here).map_err(|e| Error::io("read", here, &e))? {
        let dir = dir.map_err(|e| Error::io("read", here, &e))?;
        let name = dir.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && dir.path().join("orders").is_dir() {
            all.insert(name, dir.path());
        }
    }
    Ok(all)
}

/// The games below a folder as the index has them, the index made or mended first.
pub(in crate::cli) fn games(here: &Path) -> Result<Vec<Game>> {
    let mut index = Index::open(here)?;
    let mut known = index.folders()?;
    for (name, path) in game_folders(here)? {
        // What `mail serve` has seen since is read here; it still looks at it itself.
        if known.remove(&name).is_some_and(|seen| seen == stamp(&path)) {
            continue;
        }
        let read = Folder::open(&path).and_then(|folder| {
            let content = folder.load()?;
            entry::note(&mut index, &name, &folder, &content, Some(0))
        });
        if let Err(e) = read {
            index.note(&entry::damaged(&name, &e), &Marks::default())?;
        }
    }
    for name in known.keys() {
        index.forget(name)?;
    }
    index.games()
}
