//! `mail in`, `mail out`: the game by the player's own mail program, or by none.
//!
//! What comes is taken by its signatures alone, never by who seems to have sent it or when. What goes is the packet that
//! the commands write, once for every time it changes.

mod letters;
mod serve;

pub(super) use serve::games;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

use super::play;
use super::status::count;
use super::{Done, Outcome};
use crate::doc::{Packet, SignedFile};
use crate::error::{Error, Result};
use crate::index::hash_of;
use crate::log::{read_acceptance, read_proposal};
use crate::mail::address::Address;
use crate::mail::compose::{Letter, Party, compose};
use crate::mail::find::{self, Found};
use crate::mail::outbox::{Outbox, Run};
use crate::mail::send::{Carrier, carrier};
use crate::mail::settings::{Account, Correspondents};
use crate::mail::sources::{Mails, seen};
use crate::seal::Hasher;
use crate::side::Seat;
use crate::store::{self, Content, Folder, game_of};

/// `mail ...`.
#[derive(Debug, Subcommand)]
pub enum MailCommand {
    /// Take in what came by mail and do what is due: saved mails, a mailbox file, a Maildir, a folder of mails, or `-` for
    /// standard input. Without any: the packets and mails in the folder's `in/`.
    ///
    /// Mails that hold nothing of this game are left alone.
    /// Example: countersign mail in from-bob.eml
    In {
        /// Mails: .eml, mbox, a Maildir, a folder, or - for standard input.
        #[arg(value_name = "MAIL")]
        sources: Vec<PathBuf>,
    },
    /// Mail what the other side lacks, once for every change; needs mail.yaml at home and in the game folder (see README).
    ///
    /// Example: countersign mail out
    Out(Out),
    /// For a host: take mails from a Maildir for all the games in the folders below this one, close what can be closed, and
    /// mail everybody. Goes on until it is stopped.
    ///
    /// Example: countersign mail serve --mail box --once
    Serve(serve::ServeArgs),
}

/// Flags of `mail out`.
#[derive(Debug, Clone, Default, Args)]
pub struct Out {
    /// Send the last packet once more.
    #[arg(long)]
    again: bool,
    /// Send the last packet once more, with the whole log for whoever wants to keep or check it.
    #[arg(long)]
    log: bool,
}

/// What a folder remembers of its mails: `mail.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Memory {
    /// Message-IDs of the mails to and from each correspondent, by a hash of his address, oldest first. Nobody's mail names
    /// another's: that a player has written, and from which computer, is not for the other.
    #[serde(default)]
    threads: BTreeMap<String, Vec<String>>,
    /// The packet mailed last and to whom, by a hash.
    last: Option<String>,
    /// How often it was sent again on purpose.
    again: u32,
    /// Of a host: the players' files of the open step that have their receipt, by name.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    receipted: BTreeSet<String>,
    /// Of a host: reminders that have gone, by what they were for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    reminded: BTreeSet<String>,
    /// Of a host: players who have sent again what was here long ago, and seem to lack the answer.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    waiting: BTreeSet<Seat>,
    /// Of a host: the step the spectators know as open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shown: Option<u64>,
}

/// Most Message-IDs kept.
const THREAD: usize = 40;

impl Memory {
    fn read(folder: &Folder) -> Memory {
        let text = fs::read_to_string(folder.path().join("mail.json")).unwrap_or_default();
        // Without it a mail may be sent twice, or outside its thread: no harm in that.
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn keep(&self, folder: &Folder) -> Result<()> {
        folder.write_again("mail.json", serde_json::to_string_pretty(self).unwrap_or_default().as_bytes())
    }

    /// Whether letters say something new since the last that were put into the outbox.
    fn news(&self, letters: &[(Seat, Letter)], again: bool) -> News {
        match sum(letters) {
            None => News::Nothing,
            sum if self.last == sum && !again => News::Same,
            _ => News::Written,
        }
    }

    /// Puts the letters with a packet into the outbox. To be kept afterwards: a program cut off before writes them once
    /// more, with the same ids.
    fn put(&mut self, outbox: &Outbox, letters: Vec<(Seat, Letter)>) -> Result<()> {
        let sum = sum(&letters);
        self.again = if self.last == sum { self.again + 1 } else { 0 };
        self.last = sum;
        for (_, letter) in letters {
            let letter = Letter { again: self.again, ..letter };
            self.put_one(outbox, letter)?;
        }
        Ok(())
    }

    /// Puts the last letters to some seats into the outbox once more.
    fn put_again(&mut self, outbox: &Outbox, letters: Vec<(Seat, Letter)>, seats: &BTreeSet<Seat>) -> Result<()> {
        self.again += 1;
        for (_, letter) in letters.into_iter().filter(|(seat, _)| seats.contains(seat)) {
            let letter = Letter { again: self.again, ..letter };
            self.put_one(outbox, letter)?;
        }
        Ok(())
    }

    /// Puts one letter into the outbox, as an answer in the game's thread.
    fn put_one(&mut self, outbox: &Outbox, letter: Letter) -> Result<()> {
        let to = letter.to.first().cloned();
        let composed = compose(&Letter { thread: self.thread(to.as_ref()), ..letter })?;
        outbox.put(&composed, super::clock())?;
        if let Some(to) = to {
            self.heard(&to.address, Some(composed.id));
        }
        Ok(())
    }

    /// A mail of this correspondent came, or went to him.
    fn heard(&mut self, with: &Address, id: Option<String>) {
        let thread = self.threads.entry(hash_of(with.as_str())).or_default();
        if let Some(id) = id.filter(|id| !thread.contains(id)) {
            thread.push(id);
            let over = thread.len().saturating_sub(THREAD);
            thread.drain(..over);
        }
    }

    fn thread(&self, with: Option<&Party>) -> Vec<String> {
        with.and_then(|p| self.threads.get(&hash_of(p.address.as_str()))).cloned().unwrap_or_default()
    }

    /// Whether a mail of this id has come or gone.
    fn knows(&self, id: &str) -> bool {
        self.threads.values().flatten().any(|known| known == id)
    }
}

/// By which letters are told from those before them: the packet they carry, and to whom.
fn sum(letters: &[(Seat, Letter)]) -> Option<String> {
    let packet = letters.first().and_then(|(_, l)| l.packet.as_ref())?;
    let receivers = letters.iter().flat_map(|(_, letter)| &letter.to);
    let sum = receivers.fold(Hasher::new("countersign letters").bytes(packet), |h, p| h.text(p.address.as_str()));
    Some(sum.done().to_string())
}

/// The packets in a file, whatever a mail program has made of it: a packet, a saved mail, a text with an armoured block.
pub(super) fn packets(path: &Path) -> Result<Vec<Packet>> {
    let bytes = store::read_bytes(path)?;
    let plain = Packet::find(&bytes);
    let Err(e) = plain else { return plain };
    // A packet that was damaged is not picked over for what is whole in it.
    if bytes.starts_with(b"countersign packet ") {
        return Err(e.in_file(path.display().to_string()));
    }
    let found = find::read(&bytes);
    if found.files.is_empty() {
        return Err(e.in_file(path.display().to_string()));
    }
    Ok(vec![Packet { files: found.files.iter().map(SignedFile::bytes).collect() }])
}

/// Runs `mail`.
pub(super) fn mail(here: &Path, command: &MailCommand) -> Outcome {
    match command {
        MailCommand::In { sources } if sources.is_empty() => play::adjudicate(here, &[], false),
        MailCommand::In { sources } => take(here, sources),
        MailCommand::Out(options) => out(here, options),
        MailCommand::Serve(args) => serve::serve(here, args),
    }
}

/// `mail in`.
fn take(here: &Path, sources: &[PathBuf]) -> Outcome {
    let folder = Folder::open(here)?;
    let before = play::open_step(&folder)?;
    let mut memory = Memory::read(&folder);
    let with = correspondents_of(&folder);
    let (mut read, mut new, mut came) = (0, 0, Vec::new());
    for source in sources {
        let mails = if source == Path::new("-") { Mails::stream(io::stdin()) } else { Mails::open(source)? };
        for mail in mails {
            let mail = match mail {
                Ok(mail) => mail,
                Err(e) => {
                    eprintln!("{e}");
                    continue;
                }
            };
            read += 1;
            let found = find::read(&mail.raw);
            let ours = of_this_game(&folder, &found)?;
            if ours.is_empty() {
                tell(&found);
                continue;
            }
            let packet = Packet { files: ours.iter().map(SignedFile::bytes).collect() };
            // One mail that cannot be taken does not hold up the others.
            match folder.take(std::slice::from_ref(&packet)) {
                Ok(taken) => new += taken.new,
                Err(e) => {
                    eprintln!("{e}");
                    continue;
                }
            }
            came.push(packet);
            // A player writes with one other, or with the host alone: the answer belongs to that thread.
            for with in &with {
                memory.heard(with, found.head.message_id.as_ref().map(|id| format!("<{id}>")));
            }
            if let Some((from, to)) = mail.path.as_deref().and_then(|p| Some((p.to_owned(), seen(p)?))) {
                fs::rename(&from, &to).map_err(|e| Error::io("move", &from, &e))?;
            }
        }
    }
    memory.keep(&folder)?;
    eprintln!(
        "{} read, {} with files of this game, {} new.",
        count(read, "mail", "mails"),
        came.len(),
        count(new, "file", "files")
    );
    play::go_on(&folder, before, &came, false)
}

/// Whom the owner of a folder writes to in the running game, as far as he has written down where they are.
fn correspondents_of(folder: &Folder) -> Vec<Address> {
    let Ok(to) = Correspondents::read(&folder.path().join("mail.yaml")) else { return Vec::new() };
    let seat = folder.owner().ok().flatten().map(|o| o.seat);
    let host = to.of(Seat::Host).ok().filter(|_| seat != Some(Seat::Host));
    let players = [Seat::British, Seat::American].into_iter().filter(|s| Some(*s) != seat && host.is_none());
    let all = host.into_iter().chain(players.filter_map(|s| to.of(s).ok()));
    // A host has two threads, and by hand nobody tells him whose a mail is.
    all.filter(|_| seat != Some(Seat::Host)).cloned().collect()
}

/// The files of a mail that this game can use: its own, and acceptances of its proposal. Strangers' games are no error: many
/// games may come into one mailbox.
fn of_this_game(folder: &Folder, found: &Found) -> Result<Vec<SignedFile>> {
    let (game, proposal) = match folder.load()? {
        Content::Game(table) => {
            let proposal = table.history.terms.files.first().map(|(_, signed, _)| signed.hash());
            (Some(table.history.terms.game), proposal)
        }
        Content::Proposed { proposal, .. } => (None, Some(proposal.hash())),
    };
    let fits = |signed: &&SignedFile| {
        if let Ok(acceptance) = read_acceptance(signed) {
            return Some(acceptance.proposal) == proposal;
        }
        if read_proposal(signed).is_ok() {
            return Some(signed.hash()) == proposal;
        }
        game.is_some() && game_of(signed) == game
    };
    Ok(found.files.iter().filter(fits).cloned().collect())
}

/// A mail's subject, fit to be shown.
fn subject_of(found: &Found) -> String {
    let subject = found.head.subject.as_deref().unwrap_or("without a subject");
    subject.chars().filter(|c| !c.is_control()).take(70).collect()
}

/// What stood in the way of a mail's files, if it looks as if it was meant to have some.
fn tell(found: &Found) {
    let subject = subject_of(found);
    if found.files.is_empty() && subject.contains("[countersign") {
        for note in &found.notes {
            eprintln!("The mail \"{subject}\": {note}.");
        }
    }
}

/// `mail out`.
fn out(here: &Path, options: &Out) -> Outcome {
    let folder = Folder::open(here)?;
    let account = Account::read(&Account::place()?)?;
    let (mut carrier, warnings) = carrier(&account)?;
    for warning in warnings {
        eprintln!("WARNING: {warning}");
    }
    let (news, run) = post(&folder, &account, carrier.as_mut(), options)?;
    match news {
        News::Written => {}
        News::Same => {
            eprintln!("Nothing new to send since the last mail. To send it once more: countersign mail out --again")
        }
        News::Nothing => eprintln!("There is nothing to send yet."),
    }
    Ok(said(&run))
}

/// Whether there was anything to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    Written,
    Same,
    Nothing,
}

/// Writes what the others of a game lack into its outbox, if it has changed, and sends all that lies there.
fn post(
    folder: &Folder,
    account: &Account,
    carrier: &mut dyn Carrier,
    options: &Out,
) -> std::result::Result<(News, Run), super::Errors> {
    let correspondents = Correspondents::read(&folder.path().join("mail.yaml"))?;
    let mut memory = Memory::read(folder);
    let outbox = Outbox::open(&folder.path().join("outbox"))?;
    let letters = match folder.load()? {
        Content::Game(table) => {
            folder.refresh(&table)?;
            letters::of_game(folder, &table, account, &correspondents, options.log)?
        }
        Content::Proposed { owner, proposal, .. } => {
            let seat = owner.map(|o| o.seat).ok_or_else(|| Error::misuse("this folder belongs to no player"))?;
            letters::before_game(folder, seat, &proposal, account, &correspondents)?
        }
    };
    let news = memory.news(&letters, options.again || options.log);
    if news == News::Written {
        memory.put(&outbox, letters)?;
        memory.keep(folder)?;
    }
    Ok((news, outbox.send(carrier, super::clock())?))
}

/// What became of the letters, in words.
fn said(run: &Run) -> Done {
    for note in &run.sent {
        println!("Sent to {}: {}", note.to.as_str(), note.subject);
    }
    for note in &run.later {
        println!("Not sent yet, tried again later, to {}: {}", note.to.as_str(), note.error.as_deref().unwrap_or(""));
    }
    for note in &run.failed {
        println!("CANNOT BE SENT to {}: {}", note.to.as_str(), note.error.as_deref().unwrap_or(""));
    }
    if let Some(e) = &run.setup {
        println!("No mail can be sent: {e}");
    }
    if run.setup.is_some() || !run.failed.is_empty() {
        Done::Fault
    } else if run.later.is_empty() {
        Done::Fine
    } else {
        Done::Waiting
    }
}
