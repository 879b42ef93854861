//! The outbox: what is to be sent survives a crash at any point.
//!
//! A letter lies in `outbox/` as two files for each of its receivers: `NAME.eml`, the mail, and `NAME.json`, where it
//! stands. Before a mail is handed over it is marked `sending` on the disk, and `sent` after. The mark is the truth;
//! into `sent/` and `failed/` the files are moved when it says so.
//!
//! **Exactly once cannot be had.** A server may have taken a mail whose answer was lost, and a program may be cut off
//! between the answer and the mark. What is marked `sending` and not `sent` is therefore sent again, the same bytes with
//! the same Message-ID: many mail programs show it once, and to countersign the same packet twice is the same packet
//! once. So nothing is lost, and what comes twice has no second effect.
//!
//! A failure that time may mend is tried again after one minute, then two, four, up to six hours. A mail that can never
//! go is kept in `failed/` with the reason. Faults of the settings hold all mails up and are counted against none.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::address::Address;
use super::compose::Composed;
use super::send::{Carrier, Fate, Parcel};
use crate::disk;
use crate::error::{Error, Result};

/// Longest wait before another try.
const LONGEST: TimeDelta = TimeDelta::hours(6);

/// Where a mail stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// It waits for its time.
    Waiting,
    /// It is being handed over, or was when the program was cut off.
    Sending,
    /// It has gone.
    Sent,
    /// It cannot go.
    Failed,
}

/// What is noted of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Where it stands.
    pub mark: Mark,
    /// Its Message-ID.
    pub id: String,
    /// Who sends it.
    pub from: Address,
    /// Who gets it.
    pub to: Address,
    /// Its subject.
    pub subject: String,
    /// When it was put here.
    #[serde(with = "instant")]
    pub since: DateTime<Utc>,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is tried next, or was tried last.
    #[serde(with = "instant")]
    pub at: DateTime<Utc>,
    /// Why it has not gone yet, or why it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What one run of sending did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// Mails that went.
    pub sent: Vec<Note>,
    /// Mails that are tried again later.
    pub later: Vec<Note>,
    /// Mails that cannot go.
    pub failed: Vec<Note>,
    /// What keeps every mail from going, if anything does.
    pub setup: Option<Error>,
}

/// An outbox that no other program works in at the same time.
#[derive(Debug)]
pub struct Outbox {
    path: PathBuf,
    _lock: fs::File,
}

impl Outbox {
    /// Opens the outbox of a folder, making it if it is missing, and ends what a crash left half done.
    ///
    /// # Errors
    /// If the disk refuses, or another program is sending from it.
    pub fn open(path: &Path) -> Result<Outbox> {
        for dir in [path.to_owned(), path.join("sent"), path.join("failed")] {
            fs::create_dir_all(&dir).map_err(|e| Error::io("make", &dir, &e))?;
            // What goes to a host alone lies here in clear.
            disk::private(&dir)?;
        }
        let name = path.join(".lock");
        let lock = fs::File::create(&name).map_err(|e| Error::io("lock", &name, &e))?;
        // A program that has just ended may hold the lock a moment longer, in a child of another that is only starting.
        let start = Instant::now();
        while lock.try_lock().is_err() {
            if start.elapsed() > Duration::from_secs(2) {
                return Err(Error::new(format!("another program is sending from `{}`", path.display()))
                    .next("wait for it to end; what you wrote is kept"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let outbox = Outbox { path: path.to_owned(), _lock: lock };
        outbox.mend()?;
        Ok(outbox)
    }

    /// Puts a letter in, once for each receiver. What is here already, waiting, sent or failed, stays as it is. Returns
    /// how many were new.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn put(&self, letter: &Composed, now: DateTime<Utc>) -> Result<usize> {
        let known = |a: &lettre::Address| AsRef::<str>::as_ref(a).parse::<Address>().map_err(Error::new);
        let envelope = letter.message.envelope();
        let from = envelope.from().ok_or_else(|| Error::new("this letter has no sender"))?;
        let (from, bytes, mut new) = (known(from)?, letter.message.formatted(), 0);
        for (n, to) in envelope.to().iter().enumerate() {
            let name = if n == 0 { letter.name.clone() } else { format!("{}-{n}", letter.name) };
            if ["", "sent", "failed"].iter().any(|sub| self.path.join(sub).join(format!("{name}.json")).exists()) {
                continue;
            }
            let note = Note {
                mark: Mark::Waiting,
                id: letter.id.clone(),
                from: from.clone(),
                to: known(to)?,
                subject: letter.subject.clone(),
                since: now,
                attempts: 0,
                at: now,
                error: None,
            };
            // The note last: without it there is no letter, and the next call writes both.
            disk::write_whole(&self.file(&name, "eml"), &bytes)?;
            disk::write_whole(&self.file(&name, "json"), &written(&note)?)?;
            new += 1;
        }
        Ok(new)
    }

    /// Hands over every mail whose time has come, oldest first.
    ///
    /// # Errors
    /// If the disk refuses: what could not be noted is not sent.
    pub fn send(&self, carrier: &mut dyn Carrier, now: DateTime<Utc>) -> Result<Run> {
        let mut run = Run::default();
        let mut due: Vec<(String, Note)> = self.open_notes()?.into_iter().filter(|(_, n)| n.is_due(now)).collect();
        due.sort_by(|(a, x), (b, y)| (x.since, a).cmp(&(y.since, b)));
        for (name, mut note) in due {
            let path = self.file(&name, "eml");
            let bytes = match fs::read(&path) {
                Ok(bytes) => bytes,
                // Its note alone is no letter: it must not hold up the others.
                Err(e) => {
                    (note.mark, note.error) = (Mark::Failed, Some(Error::io("read", &path, &e).to_string()));
                    self.write(&name, &note)?;
                    self.file_away(&name, Mark::Failed)?;
                    run.failed.push(note);
                    continue;
                }
            };
            let before = note.clone();
            note.mark = Mark::Sending;
            note.attempts = note.attempts.saturating_add(1);
            note.at = now;
            self.write(&name, &note)?;
            let parcel = Parcel { from: &note.from, to: &note.to, name: &name, bytes: &bytes };
            let result = carrier.carry(parcel);
            let (mark, at, error) = match &result {
                Ok(()) => (Mark::Sent, now, None),
                Err(f) if f.fate == Fate::Never => (Mark::Failed, now, Some(&f.error)),
                Err(f) => (Mark::Waiting, now + pause(note.attempts), Some(&f.error)),
            };
            (note.mark, note.at, note.error) = (mark, at, error.map(|e| e.to_string()));
            if let Err(f) = result
                && f.fate == Fate::Setup
            {
                self.write(&name, &Note { error: note.error, mark: Mark::Waiting, ..before })?;
                run.setup = Some(*f.error);
                break;
            }
            self.write(&name, &note)?;
            self.file_away(&name, mark)?;
            match mark {
                Mark::Sent => run.sent.push(note),
                Mark::Failed => run.failed.push(note),
                Mark::Waiting | Mark::Sending => run.later.push(note),
            }
        }
        Ok(run)
    }

    /// Everything that waits, with its name.
    ///
    /// # Errors
    /// If a note cannot be read.
    pub fn waiting(&self) -> Result<Vec<(String, Note)>> {
        self.open_notes()
    }

    /// Everything that cannot go, with its name and, in it, the reason.
    ///
    /// # Errors
    /// If a note cannot be read.
    pub fn failed(&self) -> Result<Vec<(String, Note)>> {
        notes(&self.path.join("failed"))
    }

    /// Whether a mail has gone: the time it went.
    ///
    /// # Errors
    /// If a note cannot be read.
    pub fn sent(&self, id: &str) -> Result<Option<DateTime<Utc>>> {
        Ok(notes(&self.path.join("sent"))?.into_iter().find(|(_, n)| n.id == id).map(|(_, n)| n.at))
    }

    /// Tries a mail of `failed/` once more, at once.
    ///
    /// # Errors
    /// If there is none of this name, or the disk refuses.
    pub fn retry(&self, name: &str, now: DateTime<Utc>) -> Result<()> {
        let found = self.failed()?.into_iter().find(|(n, _)| n == name);
        let (_, note) = found.ok_or_else(|| Error::misuse("there is no such mail among those that failed"))?;
        let from = self.path.join("failed");
        rename(&from.join(format!("{name}.eml")), &self.file(name, "eml"))?;
        self.write(name, &Note { mark: Mark::Waiting, attempts: 0, at: now, ..note })?;
        let old = from.join(format!("{name}.json"));
        fs::remove_file(&old).map_err(|e| Error::io("remove", &old, &e))
    }

    fn file(&self, name: &str, ending: &str) -> PathBuf {
        self.path.join(format!("{name}.{ending}"))
    }

    /// Notes how far a mail has come. Lost with the power, it leaves the mail waiting, which is sent once more, as it is if
    /// the program was cut off before: the mail itself and its first note are what must not be lost.
    fn write(&self, name: &str, note: &Note) -> Result<()> {
        disk::write_again(&self.file(name, "json"), &written(note)?)
    }

    fn open_notes(&self) -> Result<Vec<(String, Note)>> {
        let open = |(_, n): &(String, Note)| matches!(n.mark, Mark::Waiting | Mark::Sending);
        Ok(notes(&self.path)?.into_iter().filter(open).collect())
    }

    /// Moves what has its mark to where it belongs: the mail, then the note.
    fn file_away(&self, name: &str, mark: Mark) -> Result<()> {
        let sub = match mark {
            Mark::Sent => "sent",
            Mark::Failed => "failed",
            Mark::Waiting | Mark::Sending => return Ok(()),
        };
        for ending in ["eml", "json"] {
            let from = self.file(name, ending);
            if from.exists() {
                rename(&from, &self.path.join(sub).join(format!("{name}.{ending}")))?;
            }
        }
        Ok(())
    }

    /// Ends what a crash left half done: marked and not moved, or a mail whose note was never written or was moved on.
    fn mend(&self) -> Result<()> {
        for (name, note) in notes(&self.path)? {
            // A retry cut off after its note was written leaves the old note behind.
            if note.mark == Mark::Waiting && self.file(&name, "eml").exists() {
                let _ = fs::remove_file(self.path.join("failed").join(format!("{name}.json")));
            }
            self.file_away(&name, note.mark)?;
        }
        for path in files(&self.path, "eml")? {
            let alone = !path.with_extension("json").exists();
            let Some(name) = path.file_name().filter(|_| alone) else { continue };
            let failed = self.path.join("failed").join(name);
            // A retry cut off before its note was written has moved only the mail.
            if failed.with_extension("json").exists() {
                rename(&path, &failed)?;
            } else {
                fs::remove_file(&path).map_err(|e| Error::io("remove", &path, &e))?;
            }
        }
        Ok(())
    }
}

impl Note {
    /// Whether it is to be tried now. A clock that was wrong when the time was set does not hold it up for ever.
    fn is_due(&self, now: DateTime<Utc>) -> bool {
        self.mark == Mark::Sending || self.at <= now || self.at > now + LONGEST
    }
}

/// A time in a note: UTC, as people read it.
mod instant {
    use chrono::{DateTime, SecondsFormat, Utc};
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(time: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<DateTime<Utc>, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

fn written(note: &Note) -> Result<Vec<u8>> {
    serde_json::to_vec_pretty(note).map_err(|e| Error::new(e.to_string()))
}

/// How long to wait after so many tries.
fn pause(attempts: u32) -> TimeDelta {
    TimeDelta::minutes(1i64 << attempts.saturating_sub(1).min(9)).min(LONGEST)
}

fn notes(dir: &Path) -> Result<Vec<(String, Note)>> {
    let mut all = Vec::new();
    for path in files(dir, "json")? {
        let text = fs::read_to_string(&path).map_err(|e| Error::io("read", &path, &e))?;
        let note = serde_json::from_str(&text).map_err(|e| {
            Error::new(format!("`{}` is damaged: {e}", path.display()))
                .next("look into the mail beside it, then delete both files; the game writes its packet again")
        })?;
        all.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), note));
    }
    Ok(all)
}

fn files(dir: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).map_err(|e| Error::io("read", dir, &e))? {
        let path = entry.map_err(|e| Error::io("read", dir, &e))?.path();
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if !hidden && path.extension().is_some_and(|e| e == ending) {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|e| Error::io("move", from, &e))
}
