//! `mail in`, `mail out`: the game by the player's own mail program, or by none.
//!
//! What comes is taken by its signatures alone, never by who seems to have sent it or when. What goes is the packet that
//! the commands write, once for every time it changes.

mod serve;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::{Deserialize, Serialize};

use super::play::{self, write_packet};
use super::status::count;
use super::{Done, Outcome, duties};
use crate::doc::{Mode, Packet, SignedFile};
use crate::error::{Error, Result};
use crate::log::{read_acceptance, read_proposal};
use crate::mail::compose::{Kind, Letter, Party, compose};
use crate::mail::find::{self, Found};
use crate::mail::outbox::{Outbox, Run};
use crate::mail::send::{Carrier, carrier};
use crate::mail::settings::{Account, Correspondents};
use crate::mail::sources::{Mails, seen};
use crate::report;
use crate::seal::sha256;
use crate::side::Seat;
use crate::store::{self, Content, Folder, Table, game_of};

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
    Out {
        /// Send the last packet once more.
        #[arg(long)]
        again: bool,
    },
    /// For a host: take mails from a Maildir for all the games in the folders below this one, close what can be closed, and
    /// mail everybody. Goes on until it is stopped.
    ///
    /// Example: countersign mail serve --mail box --once
    Serve(serve::ServeArgs),
}

/// What a folder remembers of its mails: `mail.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Memory {
    /// Message-IDs of the mails of this game, oldest first: the thread.
    thread: Vec<String>,
    /// The packet mailed last, by its hash.
    last: Option<String>,
    /// How often it was sent again on purpose.
    again: u32,
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
        folder.write("mail.json", serde_json::to_string_pretty(self).unwrap_or_default().as_bytes())
    }

    fn heard(&mut self, id: Option<String>) {
        if let Some(id) = id.filter(|id| !self.thread.contains(id)) {
            self.thread.push(id);
            let over = self.thread.len().saturating_sub(THREAD);
            self.thread.drain(..over);
        }
    }
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
        MailCommand::Out { again } => out(here, *again),
        MailCommand::Serve(args) => serve::serve(here, args),
    }
}

/// `mail in`.
fn take(here: &Path, sources: &[PathBuf]) -> Outcome {
    let folder = Folder::open(here)?;
    let before = play::open_step(&folder)?;
    let mut memory = Memory::read(&folder);
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
                Ok(n) => new += n,
                Err(e) => {
                    eprintln!("{e}");
                    continue;
                }
            }
            came.push(packet);
            memory.heard(found.head.message_id.clone());
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

/// What stood in the way of a mail's files, if it looks as if it was meant to have some.
fn tell(found: &Found) {
    let subject = found.head.subject.as_deref().unwrap_or("without a subject");
    if found.files.is_empty() && subject.contains("[countersign") {
        let subject: String = subject.chars().filter(|c| !c.is_control()).take(70).collect();
        for note in &found.notes {
            eprintln!("The mail \"{subject}\": {note}.");
        }
    }
}

/// `mail out`.
fn out(here: &Path, again: bool) -> Outcome {
    let folder = Folder::open(here)?;
    let account = Account::read(&Account::place()?)?;
    let (mut carrier, warnings) = carrier(&account)?;
    for warning in warnings {
        eprintln!("WARNING: {warning}");
    }
    let (news, run) = post(&folder, &account, carrier.as_mut(), again)?;
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
    again: bool,
) -> std::result::Result<(News, Run), super::Errors> {
    let correspondents = Correspondents::read(&folder.path().join("mail.yaml"))?;
    let mut memory = Memory::read(folder);
    let outbox = Outbox::open(&folder.path().join("outbox"))?;
    let letters = match folder.load()? {
        Content::Game(table) => {
            folder.refresh(&table)?;
            of_game(folder, &table, account, &correspondents)?
        }
        Content::Proposed { owner, proposal, .. } => {
            let seat = owner.map(|o| o.seat).ok_or_else(|| Error::misuse("this folder belongs to no player"))?;
            before_game(folder, seat, &proposal, account, &correspondents)?
        }
    };
    let sum = letters.first().and_then(|l| l.packet.as_ref()).map(|bytes| sha256(bytes).to_string());
    let same = sum.is_some() && memory.last == sum;
    let fresh = sum.is_some() && (!same || again);
    if fresh {
        memory.again = if same { memory.again + 1 } else { 0 };
        for letter in letters {
            let letter = Letter { again: memory.again, thread: memory.thread.clone(), ..letter };
            let composed = compose(&letter)?;
            outbox.put(&composed, super::clock())?;
            memory.heard(Some(composed.id));
        }
        // Noted when the letters lie in the outbox: cut off before, they are written once more, with the same ids.
        memory.last = sum;
        memory.keep(folder)?;
    }
    let news = match (fresh, same) {
        (true, _) => News::Written,
        (false, true) => News::Same,
        (false, false) => News::Nothing,
    };
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

/// The letters that carry the current packet: to the opponent, to the host alone, or from him to both.
fn of_game(folder: &Folder, table: &Table, account: &Account, to: &Correspondents) -> Result<Vec<Letter>> {
    let history = &table.history;
    let seat = play::owner(table)?;
    let begun = history.step() > 1 || !table.posts.is_empty() || !history.hosts().is_empty();
    if !begun {
        // The terms alone: who accepted last tells the others, who proposed has nothing to say yet.
        let proposal = history.terms.files.first().map(|(_, signed, _)| signed);
        return match proposal.filter(|_| folder.path().join("out/acceptance.packet").exists()) {
            Some(proposal) => before_game(folder, seat, proposal, account, to),
            None => Ok(Vec::new()),
        };
    }
    let path = write_packet(folder, table)?;
    let packet = store::read_bytes(&path)?;
    let title = match (history.game.title(), history.game.turn()) {
        (Some(title), Some(turn)) => format!("{title} - turn {turn}"),
        _ => history.terms.proposal.scenario.clone(),
    };
    let players = history.terms.players();
    let receivers: Vec<Seat> = match (history.terms.proposal.mode, seat) {
        (Mode::TwoSeats, _) => players.into_iter().filter(|s| *s != seat).collect(),
        (_, Seat::Host) => players.to_vec(),
        (Mode::Hosted | Mode::Strict, _) => vec![Seat::Host],
    };
    let mut letters = Vec::new();
    for receiver in receivers {
        let (kind, next) = what_next(table, receiver);
        letters.push(Letter {
            game: history.terms.game.short(),
            title: title.clone(),
            seat,
            step: history.step(),
            number: own_files(table, seat),
            kind,
            from: myself(account),
            to: vec![party(history.seat(receiver).map_or("", |s| s.player.as_str()), to.of(receiver)?)],
            next,
            // A host alone gets no report: he has the log.
            report: report::last_report(history),
            packet: Some(packet.clone()),
            enclosures: Vec::new(),
            thread: Vec::new(),
            automatic: kind == Kind::YourDuty,
            again: 0,
            sent: super::clock(),
        });
    }
    Ok(letters)
}

fn own_files(table: &Table, seat: Seat) -> u32 {
    let own = table.files.keys().filter(|name| name.contains(&format!("-{seat}-"))).count();
    u32::try_from(own).unwrap_or(u32::MAX)
}

fn myself(account: &Account) -> Party {
    party(account.name.as_ref().map_or("", |name| name.as_str()), &account.address)
}

fn party(name: &str, address: &crate::mail::address::Address) -> Party {
    Party { name: name.to_owned(), address: address.clone() }
}

/// What the receiver does next, as far as this folder can tell.
fn what_next(table: &Table, receiver: Seat) -> (Kind, String) {
    const RUN: &str =
        "Save this mail (or the attached packet) and run: countersign mail in THE-FILE\nThen: countersign mail out";
    let history = &table.history;
    if history.complete() {
        return (Kind::Over, format!("The game is over. {RUN}"));
    }
    let owed = duties::duties(table).into_iter().find(|d| d.seat == receiver).map(|d| d.owed);
    match owed {
        Some(duties::Owed::Orders | duties::Owed::React) => (
            Kind::YourMove,
            format!("It is your move. {RUN}\nYour orders: countersign orders ask (or orders new, orders sign)."),
        ),
        // A host's own program acts by itself; a player's only passes secret numbers on.
        Some(owed) => (
            Kind::YourDuty,
            format!(
                "Nothing has to be decided: this mail needs {}, which keeps the dice honest. {RUN}",
                owed.words(history)
            ),
        ),
        None => (Kind::Receipt, format!("Nothing is to be done now; your opponent is to move. {RUN}")),
    }
}

/// The letters of a game that has not begun: the proposal or acceptance, to everybody named.
fn before_game(
    folder: &Folder,
    seat: Seat,
    proposal: &SignedFile,
    account: &Account,
    to: &Correspondents,
) -> Result<Vec<Letter>> {
    let terms = read_proposal(proposal)?;
    let mine = terms.seat == seat;
    let name = if mine { "proposal" } else { "acceptance" };
    let packet = store::read_bytes(&folder.path().join("out").join(format!("{name}.packet")))?;
    let next = if mine {
        format!(
            "{} offers you a game of {}. Save this mail and run: countersign accept THE-FILE --player YOUR-NAME --folder NEW-FOLDER",
            terms.who.player, terms.scenario
        )
    } else {
        "The game is accepted. Save this mail and run: countersign mail in THE-FILE".to_owned()
    };
    let mut letters = Vec::new();
    for receiver in terms.seats.iter().filter(|s| **s != seat) {
        letters.push(Letter {
            game: proposal.hash().short(),
            title: terms.scenario.clone(),
            seat,
            step: 0,
            number: 1,
            kind: if mine { Kind::Proposal } else { Kind::Acceptance },
            from: myself(account),
            to: vec![party("", to.of(*receiver)?)],
            next: next.clone(),
            report: String::new(),
            packet: Some(packet.clone()),
            enclosures: Vec::new(),
            thread: Vec::new(),
            automatic: false,
            again: 0,
            sent: super::clock(),
        });
    }
    Ok(letters)
}
