//! `mail serve`: a host's games by mail, any number of them, from one mailbox.
//!
//! The game folders are the truth. A mail is taken into its game's folder before it counts as read, and what goes out is
//! written from the folder: a program that is stopped at any point begins again where the folders stand, and the same mail
//! twice has one effect.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::super::{Done, Outcome, host, play};
use super::{Memory, game_of, post, said, tell};
use crate::doc::{Packet, SignedFile};
use crate::error::{Error, Result};
use crate::log::{Post, read_acceptance, read_proposal};
use crate::mail::compose::{Kind, Letter, compose};
use crate::mail::find;
use crate::mail::outbox::Outbox;
use crate::mail::send::carrier;
use crate::mail::settings::{Account, Correspondents};
use crate::mail::sources::{Mails, seen};
use crate::seal::Digest;
use crate::side::Seat;
use crate::store::{self, Content, Folder, Table};

/// Flags of `mail serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The Maildir the mails come into.
    #[arg(long, value_name = "MAILDIR")]
    mail: PathBuf,
    /// Do what is due now, and end.
    #[arg(long)]
    once: bool,
    /// Seconds between two looks into the Maildir.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    every: u64,
}

/// Where the games lie: by game id, and by the hash of a proposal.
#[derive(Debug, Default)]
struct Places {
    of: BTreeMap<Digest, PathBuf>,
}

impl Places {
    /// The games this host has in the folders below one.
    fn below(here: &Path) -> Result<Places> {
        let mut places = Places::default();
        for entry in fs::read_dir(here).map_err(|e| Error::io("read", here, &e))? {
            let path = entry.map_err(|e| Error::io("read", here, &e))?.path();
            if path.join("orders").is_dir()
                && let Err(e) = places.add(&path)
            {
                // One folder that is damaged does not stop the others.
                eprintln!("{}: {e}", path.display());
            }
        }
        Ok(places)
    }

    fn add(&mut self, path: &Path) -> Result<()> {
        let folder = Folder::open(path)?;
        match folder.load()? {
            Content::Game(table) if table.owner.as_ref().is_some_and(|o| o.seat == Seat::Host) => {
                self.of.insert(table.history.terms.game, path.to_owned());
                let proposal = table.history.terms.files.first().map(|(_, signed, _)| signed.hash());
                self.of.extend(proposal.map(|hash| (hash, path.to_owned())));
            }
            Content::Proposed { owner: Some(owner), proposal, .. } if owner.seat == Seat::Host => {
                self.of.insert(proposal.hash(), path.to_owned());
            }
            Content::Game(_) | Content::Proposed { .. } => {}
        }
        Ok(())
    }

    /// The folder a signed file belongs to.
    fn find(&self, signed: &SignedFile) -> Option<&PathBuf> {
        if let Ok(acceptance) = read_acceptance(signed) {
            return self.of.get(&acceptance.proposal);
        }
        if read_proposal(signed).is_ok() {
            return self.of.get(&signed.hash());
        }
        self.of.get(&game_of(signed)?)
    }

    fn all(&self) -> BTreeSet<PathBuf> {
        self.of.values().cloned().collect()
    }
}

/// `mail serve`.
pub(super) fn serve(here: &Path, args: &ServeArgs) -> Outcome {
    let account = Account::read(&Account::place()?)?;
    let mut places = Places::below(here)?;
    eprintln!("{} in the folders here.", super::count(places.all().len(), "game", "games"));
    let mut busy = places.all();
    loop {
        busy.extend(take(&mut places, &args.mail)?);
        for path in std::mem::take(&mut busy) {
            if let Err(errors) = go_on(&path, &account) {
                for e in errors.0 {
                    eprintln!("{}: {e}", path.display());
                }
            }
        }
        if args.once {
            return Ok(Done::Fine);
        }
        std::thread::sleep(Duration::from_secs(args.every));
        // Times run out without a mail, and a letter that could not go is tried again.
        places = Places::below(here)?;
        busy = places.all();
    }
}

/// Takes every new mail into the folder of its game. Returns the folders that have something new.
fn take(places: &mut Places, maildir: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut busy = BTreeSet::new();
    let fresh = maildir.join("new");
    for mail in Mails::open(maildir)? {
        let mail = match mail {
            Ok(mail) => mail,
            Err(e) => {
                eprintln!("{e}");
                continue;
            }
        };
        let Some(path) = mail.path.filter(|p| p.starts_with(&fresh)) else { continue };
        let found = find::read(&mail.raw);
        let mut by_game: BTreeMap<PathBuf, Vec<SignedFile>> = BTreeMap::new();
        for signed in &found.files {
            if let Some(place) = places.find(signed) {
                by_game.entry(place.clone()).or_default().push(signed.clone());
            }
        }
        if by_game.is_empty() {
            tell(&found);
        }
        for (place, files) in by_game {
            let folder = Folder::open(&place)?;
            let packet = Packet { files: files.iter().map(SignedFile::bytes).collect() };
            match folder.take(std::slice::from_ref(&packet)) {
                Ok(_) => {
                    let mut memory = Memory::read(&folder);
                    memory.heard(found.head.message_id.clone());
                    memory.keep(&folder)?;
                    drop(folder);
                    // An acceptance may have begun the game: its files name it by its id from now on.
                    places.add(&place)?;
                    busy.insert(place);
                }
                Err(e) => eprintln!("{}: {e}", place.display()),
            }
        }
        // Read now, whatever was in it: what was taken lies in its folder.
        if let Some(to) = seen(&path) {
            fs::rename(&path, &to).map_err(|e| Error::io("move", &path, &e))?;
        }
    }
    Ok(busy)
}

/// Everything that is due in one game: steps closed, files passed on, players declared late by the terms, mails.
fn go_on(path: &Path, account: &Account) -> std::result::Result<(), super::super::Errors> {
    let folder = Folder::open(path)?;
    let begun = play::open_step(&folder)? > 0;
    if begun {
        let mut table = play::game(&folder)?;
        let before = table.history.step();
        host::do_duties(&folder, &mut table, false)?;
        if host::is_late(&table) {
            host::do_duties(&folder, &mut table, true)?;
        }
        folder.refresh(&table)?;
        host::give_receipts(&folder, &table)?;
        mail_refusals(&folder, &table, account)?;
        if table.history.step() > before {
            println!("{}: step {} is open.", path.display(), table.history.step());
        }
    }
    let (mut carrier, _) = carrier(account)?;
    let (_, run) = post(&folder, account, carrier.as_mut(), false)?;
    said(&run);
    Ok(())
}

/// A letter for every file of the open step that was refused, once: to its player alone.
fn mail_refusals(folder: &Folder, table: &Table, account: &Account) -> std::result::Result<(), super::super::Errors> {
    let history = &table.history;
    let refused = table.posts.iter().filter_map(|p| Some((p, history.refusal(&p.filed, &table.posts)?)));
    let refused: Vec<(&Post, String)> = refused.collect();
    if refused.is_empty() || history.end().is_some() {
        return Ok(());
    }
    let to = Correspondents::read(&folder.path().join("mail.yaml"))?;
    let outbox = Outbox::open(&folder.path().join("outbox"))?;
    for (post, why) in refused {
        let seat = post.filed.file.seat;
        let receipt = folder.path().join("receipts").join(host::receipt_name(history.step(), seat, &post.filed.hash));
        let letter = Letter {
            game: history.terms.game.short(),
            title: history.game.title().unwrap_or(&history.terms.proposal.scenario).to_owned(),
            seat: Seat::Host,
            step: history.step(),
            number: post.filed.file.n,
            kind: Kind::Refused,
            from: super::myself(account),
            to: vec![super::party(history.seat(seat).map_or("", |s| s.player.as_str()), to.of(seat)?)],
            next: format!(
                "Your file of step {} could not be taken: {why}\nWrite other orders, sign them and mail them. If you think this is wrong, save this mail and run: countersign verify --refusal THE-FILE",
                history.step()
            ),
            report: String::new(),
            packet: Some(store::read_bytes(&receipt)?),
            enclosures: Vec::new(),
            thread: Memory::read(folder).thread,
            automatic: true,
            again: 0,
            sent: super::super::clock(),
        };
        outbox.put(&compose(&letter)?, super::super::clock())?;
    }
    Ok(())
}
