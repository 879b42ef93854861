//! One mail: into the folders of the games its files belong to, or answered with why nothing could be taken.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::super::{Memory, game_of, letters, subject_of, tell};
use super::{Club, clock, entry, receipts};
use crate::doc::{Packet, SignedFile, StepFile};
use crate::error::{Error, Result};
use crate::log::{read_acceptance, read_proposal, read_step};
use crate::mail::address::Address;
use crate::mail::compose::{Kind, Letter, compose};
use crate::mail::find::{self, Found};
use crate::mail::outbox::Outbox;
use crate::mail::settings::Correspondents;
use crate::mail::sources::{Mails, seen};
use crate::seal::{Namespace, sha256};
use crate::side::Seat;
use crate::store::{Content, Folder, Table, Taken};

/// Most answers to mails of one address that nothing signed was in, within [`WINDOW`].
const MOST: i64 = 5;

/// Seconds.
const WINDOW: i64 = 3600;

/// Most mails taken before the games go on.
const BATCH: usize = 100;

impl Club<'_> {
    /// Takes new mails into the folders of their games, at most [`BATCH`] of them. A mail that cannot be dealt with now stays
    /// where it is. Returns whether more are there: a flood does not keep the games waiting.
    pub(super) fn take_mails(&mut self, maildir: &Path) -> Result<bool> {
        let (mut left, mut stays) = (BATCH, false);
        for mail in Mails::new_in(maildir)? {
            if left == 0 {
                self.unread = true;
                return Ok(true);
            }
            let mail = match mail {
                Ok(mail) => mail,
                Err(e) => {
                    eprintln!("{e}");
                    stays = true;
                    continue;
                }
            };
            let Some(path) = mail.path else { continue };
            if let Err(e) = self.take(&mail.raw) {
                eprintln!("{}: {e}", path.display());
                stays = true;
                continue;
            }
            // Read now, whatever was in it: what was taken lies in its folder. Gone by itself, it was moved by another program.
            if let Some(to) = seen(&path)
                && let Err(e) = fs::rename(&path, &to)
                && e.kind() != std::io::ErrorKind::NotFound
            {
                eprintln!("{}", Error::io("move", &path, &e));
                stays = true;
                continue;
            }
            // A mail that stays is not counted: it must not make the rest wait for ever.
            left -= 1;
        }
        self.unread = stays;
        Ok(false)
    }

    fn take(&mut self, raw: &[u8]) -> Result<()> {
        let found = find::read(raw);
        let mut by_game: BTreeMap<String, Vec<SignedFile>> = BTreeMap::new();
        let mut proposals = Vec::new();
        for signed in &found.files {
            match self.place(signed)? {
                Some(name) => by_game.entry(name).or_default().push(signed.clone()),
                None if read_proposal(signed).is_ok() => proposals.push(signed.clone()),
                None => {}
            }
        }
        let mut problems = Vec::new();
        for proposal in proposals {
            match self.invited(&proposal, &found) {
                Ok(Some(name)) => drop(by_game.entry(name).or_default()),
                Ok(None) => {}
                Err(e) => {
                    eprintln!("an invitation cannot be accepted: {e}");
                    problems.push(format!("An invitation in it cannot be accepted here: {e}"));
                }
            }
        }
        let known = !by_game.is_empty();
        for (name, files) in by_game {
            let folder = self.folder(&name)?;
            let packet = Packet { files: files.iter().map(SignedFile::bytes).collect() };
            match folder.take_from_post(&packet) {
                Ok(taken) => problems.extend(self.taken(&name, &folder, &found, &files, &taken)?),
                Err(e) => {
                    eprintln!("{name}: {e}");
                    problems.push(e.to_string());
                }
            }
        }
        if !known && problems.is_empty() {
            tell(&found);
            problems.extend(found.notes.iter().map(|note| format!("{}{}.", upper(note), rest(note))));
            if found.notes.is_empty() {
                problems.push("What is signed in this mail belongs to no game that is played here.".to_owned());
            }
        }
        if !problems.is_empty() {
            self.answer(raw, &found, &problems)?;
        }
        Ok(())
    }

    /// After files came into a folder: the thread, what came too late, the index. Returns what nobody of the game signed.
    fn taken(
        &mut self,
        name: &str,
        folder: &Folder,
        found: &Found,
        files: &[SignedFile],
        taken: &Taken,
    ) -> Result<Vec<String>> {
        let mut memory = Memory::read(folder);
        let id = found.head.message_id.as_ref().map(|id| format!("<{id}>"));
        let repeated = taken.new == 0 && taken.late.is_empty() && id.as_ref().is_none_or(|id| !memory.knows(id));
        let content = folder.load()?;
        let late = &taken.late;
        let mut problems = Vec::new();
        if let Content::Game(table) = &content {
            self.introduce(folder, table)?;
            let own = signed_by_seats(table, files);
            let to = Correspondents::read(&folder.path().join("mail.yaml")).ok();
            if let Some(address) = own.last().and_then(|file| to.as_ref()?.of(file.seat).ok()) {
                memory.heard(address, id);
            }
            if repeated && let Some(seat) = waits(table, &own) {
                let address = to.as_ref().and_then(|to| to.of(seat).ok());
                if let Some(address) = address
                    && self.index.may_answer("again", address.as_str(), clock().timestamp(), MOST, WINDOW)?
                {
                    memory.waiting.insert(seat);
                }
            }
            if !late.is_empty()
                && let Ok(to) = Correspondents::read(&folder.path().join("mail.yaml"))
            {
                let (letters, strange) = receipts::too_late(table, late, &self.account, &to);
                problems = strange;
                let outbox = Outbox::open(&folder.path().join("outbox"))?;
                for letter in letters {
                    memory.put_one(&outbox, letter)?;
                }
            }
        }
        memory.keep(folder)?;
        // An acceptance may have begun the game: its files name it by its id from now on.
        entry::note(&mut self.index, name, folder, &content, Some(0))?;
        Ok(problems)
    }

    /// The folder a signed file belongs to.
    fn place(&self, signed: &SignedFile) -> Result<Option<String>> {
        let id = match (read_acceptance(signed), read_proposal(signed)) {
            (Ok(acceptance), _) => Some(acceptance.proposal),
            (_, Ok(_)) => Some(signed.hash()),
            _ => game_of(signed),
        };
        id.map_or(Ok(None), |id| self.index.folder_of(&id))
    }

    /// Answers a mail of a player of which nothing had an effect: what stood in the way. Whose mail it is nobody can
    /// know, for nothing in it is signed; so the answer goes to the address only if a player is known by it, says
    /// nothing of any game, and not often. Machines get none.
    fn answer(&mut self, raw: &[u8], found: &Found, problems: &[String]) -> Result<()> {
        let Some(from) = found.head.from.as_deref().and_then(|a| a.parse::<Address>().ok()) else { return Ok(()) };
        // What a player's program carries may have been spoilt on the way; what it says by itself wants no answer.
        if found.head.by_itself || found.head.machine.is_some_and(|m| m != crate::mail::machine::Machine::Ours) {
            return Ok(());
        }
        let known = self.index.folder_with(from.as_str())?.is_some()
            || self.members.as_ref().is_some_and(|m| m.has_address(&from));
        if !known || !self.index.may_answer("notice", from.as_str(), clock().timestamp(), MOST, WINDOW)? {
            return Ok(());
        }
        let letter = Letter {
            // By the mail that is answered: taken in twice, it is answered once.
            game: sha256(raw).short(),
            title: "your mail".to_owned(),
            seat: Seat::Host,
            step: 0,
            number: 0,
            kind: Kind::Refused,
            from: letters::myself(&self.account),
            to: vec![letters::party("", &from)],
            next: format!(
                "Your mail \"{}\" came, and nothing in it was taken:\n- {}\nNothing has changed by it. To send your orders: sign them (countersign orders sign) and run countersign mail out, or attach the packet file of the folder `out`.",
                subject_of(found),
                problems.join("\n- ")
            ),
            report: String::new(),
            packet: None,
            enclosures: Vec::new(),
            thread: found.head.message_id.iter().map(|id| format!("<{id}>")).collect(),
            automatic: true,
            again: 0,
            sent: clock(),
        };
        let outbox = Outbox::open(&self.here.join("outbox"))?;
        outbox.put(&compose(&letter)?, clock()).map(drop)
    }
}

/// The players' files of a step among those of a mail, each signed by its seat.
fn signed_by_seats(table: &Table, files: &[SignedFile]) -> Vec<StepFile> {
    let of_seat = |signed: &SignedFile| {
        let file = read_step(signed).ok()?;
        let key = table.history.seat(file.seat)?.key;
        signed.signature.verify(&key, Namespace::Orders, signed.document.as_bytes()).ok()?;
        Some(file)
    };
    let mut own: Vec<StepFile> = files.iter().filter_map(of_seat).collect();
    own.sort_by_key(|file| (file.step, file.n));
    own
}

/// Who seems to wait for an answer that was lost: he sends again, in a new mail, what is here long since, and of the
/// open step nothing that has not been answered.
fn waits(table: &Table, own: &[StepFile]) -> Option<Seat> {
    let last = own.last()?;
    // A strict step answers every file at once; a hosted one when it closes.
    (last.step < table.history.step() || table.history.terms.strict()).then_some(last.seat)
}

/// The first letter of a note, as it begins a sentence.
fn upper(note: &str) -> String {
    note.chars().next().map(|c| c.to_uppercase().collect()).unwrap_or_default()
}

fn rest(note: &str) -> &str {
    let mut chars = note.chars();
    chars.next();
    chars.as_str().trim_end_matches('.')
}
