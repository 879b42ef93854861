//! Where mails come from: standard input, a mail file, a mailbox file, a Maildir, a folder of mail files.
//!
//! One mail is in memory at a time, and of one that is larger than [`LARGEST`] only the start.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::find::LARGEST;
use crate::error::{Error, Result};

/// One mail as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Its bytes; one byte more than [`LARGEST`] of a mail that is larger, so that
    /// [`read`](super::find::read) refuses it.
    pub raw: Vec<u8>,
    /// Its own file, in a Maildir or folder or if the file is one mail; `None` for one of many in a file or from
    /// standard input.
    pub path: Option<PathBuf>,
}

/// The mails of a source, one at a time. A mail that cannot be read is an error in its place; the others follow.
pub struct Mails(Source);

enum Source {
    /// Files that are one mail each, last first.
    Files(Vec<PathBuf>),
    /// A stream that is one mail or many.
    Stream { input: Box<dyn BufRead>, path: PathBuf, state: State },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Mailbox,
    Done,
}

impl Mails {
    /// The mails in a file or folder: a folder with `new` and `cur` is a Maildir (new mails first), any other is
    /// looked through for `.eml` files in the order of their names; a file that begins with `From ` is a mailbox,
    /// any other one mail.
    ///
    /// # Errors
    /// If there is no such thing, or it cannot be opened.
    pub fn open(path: &Path) -> Result<Mails> {
        if !path.is_dir() {
            let file = File::open(path).map_err(|e| Error::io("open", path, &e))?;
            return Ok(Mails(Source::Stream {
                input: Box::new(BufReader::new(file)),
                path: path.to_owned(),
                state: State::Start,
            }));
        }
        let (new, cur) = (path.join("new"), path.join("cur"));
        let mut files = if new.is_dir() && cur.is_dir() {
            let mut files = list(&new, |n| !n.starts_with('.'))?;
            files.extend(list(&cur, |n| !n.starts_with('.'))?);
            files
        } else {
            list(path, |n| n.to_ascii_lowercase().ends_with(".eml"))?
        };
        files.reverse();
        Ok(Mails(Source::Files(files)))
    }

    /// The new mails of a Maildir alone.
    ///
    /// # Errors
    /// If it is none.
    pub fn new_in(maildir: &Path) -> Result<Mails> {
        let mut files = list(&maildir.join("new"), |n| !n.starts_with('.'))?;
        files.reverse();
        Ok(Mails(Source::Files(files)))
    }

    /// The mails of standard input or another stream: a mailbox if it begins with `From `, else one mail.
    pub fn stream(input: impl Read + 'static) -> Mails {
        let input = Box::new(BufReader::new(input));
        Mails(Source::Stream { input, path: PathBuf::new(), state: State::Start })
    }
}

impl Iterator for Mails {
    type Item = Result<Mail>;

    fn next(&mut self) -> Option<Result<Mail>> {
        match &mut self.0 {
            Source::Files(files) => {
                let path = files.pop()?;
                let mut raw = Vec::new();
                let file = File::open(&path).map_err(|e| Error::io("open", &path, &e));
                let read = file.and_then(|f| {
                    f.take(LARGEST as u64 + 1).read_to_end(&mut raw).map_err(|e| Error::io("read", &path, &e))
                });
                Some(read.map(|_| Mail { raw, path: Some(path) }))
            }
            Source::Stream { state: State::Done, .. } => None,
            Source::Stream { input, path, state } => {
                let mail =
                    if *state == State::Start { first(input.as_mut(), state) } else { one(input.as_mut(), state) };
                let own = (!path.as_os_str().is_empty()).then(|| path.clone());
                match mail {
                    Ok((raw, many)) => {
                        // A mailbox that ends here has no mail behind its last line.
                        if many && raw.is_empty() && *state == State::Done {
                            return None;
                        }
                        Some(Ok(Mail { raw, path: own.filter(|_| !many) }))
                    }
                    Err(e) => {
                        *state = State::Done;
                        Some(Err(Error::io("read", path, &e)))
                    }
                }
            }
        }
    }
}

/// Where a mail of a Maildir belongs once it is dealt with: `new/X` becomes `cur/X:2,S`. `None` for a file that is
/// not in `new`.
#[must_use]
pub fn seen(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|f| f.file_name().is_some_and(|n| n == "new"))?;
    let mut name = path.file_name()?.to_owned();
    // A server may have put flags behind the name already.
    if !name.to_string_lossy().contains(":2,") {
        name.push(":2,S");
    }
    Some(folder.parent()?.join("cur").join(name))
}

/// The files of a folder by name. Links, pipes and folders are no mails.
fn list(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let fault = |e| Error::io("read the folder", folder, &e);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        let plain = entry.file_type().is_ok_and(|t| t.is_file());
        if plain && wanted(&entry.file_name().to_string_lossy()) {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// The first mail of a stream, and whether the stream is a mailbox.
fn first(input: &mut dyn BufRead, state: &mut State) -> std::io::Result<(Vec<u8>, bool)> {
    let mut raw = Vec::new();
    // A mark some editors put before a text.
    line(input, &mut raw)?;
    let start = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&raw);
    if start.starts_with(b"From ") {
        *state = State::Mailbox;
        return one(input, state);
    }
    *state = State::Done;
    let room = (LARGEST + 1).saturating_sub(raw.len());
    input.take(room as u64).read_to_end(&mut raw)?;
    Ok((raw, false))
}

/// The mail of a mailbox that stands behind a `From ` line already read: up to the next such line or the end.
fn one(input: &mut dyn BufRead, state: &mut State) -> std::io::Result<(Vec<u8>, bool)> {
    let (mut raw, mut blank, mut fresh) = (Vec::new(), true, true);
    let mut piece = Vec::new();
    loop {
        piece.clear();
        let whole = line(input, &mut piece)?;
        if piece.is_empty() {
            *state = State::Done;
            break;
        }
        if fresh && blank && divides(&piece) {
            break;
        }
        blank = piece.trim_ascii().is_empty() && whole && fresh;
        // `>From` was `From` before it came into the mailbox, `>>From` was `>From`.
        let quotes = piece.iter().take_while(|b| **b == b'>').count();
        let from = fresh && quotes > 0 && piece.get(quotes..).is_some_and(|r| r.starts_with(b"From "));
        let piece = if from { piece.get(1..).unwrap_or_default() } else { &piece };
        fresh = whole;
        let room = (LARGEST + 1).saturating_sub(raw.len());
        raw.extend_from_slice(piece.get(..piece.len().min(room)).unwrap_or_default());
    }
    // The empty line before a divider belongs to it.
    if raw.len() <= LARGEST && raw.ends_with(b"\n\n") {
        raw.pop();
    }
    Ok((raw, true))
}

/// Whether a line divides a mailbox: `From`, a sender, and a date with a time and a year. A sentence that begins
/// with the word does not.
fn divides(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else { return false };
    let text = String::from_utf8_lossy(rest.get(..rest.len().min(300)).unwrap_or(rest));
    let is_time = |w: &str| w.split(':').count() >= 2 && w.bytes().all(|b| b.is_ascii_digit() || b == b':');
    let is_year = |w: &str| w.len() == 4 && w.bytes().all(|b| b.is_ascii_digit());
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    words.len() >= 4 && words.iter().any(|w| is_time(w)) && words.iter().any(|w| is_year(w))
}

/// Reads one line with its end into an empty buffer, or 64 kB of a longer one; whether it came to its end.
fn line(input: &mut dyn BufRead, into: &mut Vec<u8>) -> std::io::Result<bool> {
    input.take(64 << 10).read_until(b'\n', into)?;
    Ok(into.ends_with(b"\n"))
}
