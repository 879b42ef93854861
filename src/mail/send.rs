//! Ways out: a folder, a program, a mail server.
//!
//! What fails is of three kinds, for three who can mend it: time ([`Fate::Later`]), whoever wrote the letter
//! ([`Fate::Never`]), and whoever set up the mail here ([`Fate::Setup`]).

mod program;
mod smtp;

use std::fs;
use std::path::{Path, PathBuf};

use super::address::Address;
use super::clean;
use super::settings::{Account, Way};
use crate::disk;
use crate::error::Error;
pub use program::Program;
pub use smtp::Server;

/// A mail to one address.
#[derive(Debug, Clone, Copy)]
pub struct Parcel<'a> {
    /// Who sends it.
    pub from: &'a Address,
    /// Who gets it.
    pub to: &'a Address,
    /// A name for a file that holds it, always the same for the same mail.
    pub name: &'a str,
    /// The mail, its lines ended by CRLF.
    pub bytes: &'a [u8],
}

/// What becomes of a mail that could not be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is sent again later.
    Later,
    /// It cannot be sent as it is.
    Never,
    /// No mail can be sent until the settings are mended.
    Setup,
}

/// Why a mail could not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What becomes of it.
    pub fate: Fate,
    /// For people.
    pub error: Box<Error>,
}

/// A way out.
pub trait Carrier {
    /// Hands one mail over. Fine means: whoever took it answers for it now.
    ///
    /// # Errors
    /// Why it could not be handed over. It may have gone all the same, if the answer was lost.
    fn carry(&mut self, parcel: Parcel<'_>) -> Result<(), Failure>;
}

/// The way out that the settings name, and words of warning about them.
///
/// # Errors
/// If a file they name cannot be used.
pub fn carrier(account: &Account) -> crate::Result<(Box<dyn Carrier>, Vec<String>)> {
    Ok(match &account.send {
        Way::Folder(path) => (Box::new(Folder(path.path().to_owned())), Vec::new()),
        Way::Sendmail(path) => (Box::new(Program::new(path.path())?), Vec::new()),
        Way::Smtp(smtp) => {
            let (server, warning) = Server::new(smtp)?;
            (Box::new(server), warning.into_iter().collect())
        }
    })
}

impl Failure {
    fn new(fate: Fate, error: Error) -> Failure {
        Failure { fate, error: Box::new(error) }
    }
}

/// A folder, for who sends by hand or lets another program do it.
///
/// A mail handed over twice is one file: here alone, and only until somebody moves it, "exactly once" can be had.
#[derive(Debug, Clone)]
pub struct Folder(pub PathBuf);

impl Carrier for Folder {
    fn carry(&mut self, parcel: Parcel<'_>) -> Result<(), Failure> {
        let put = |path: &Path, bytes: &[u8]| {
            disk::write_whole(path, bytes).map_err(|e| {
                Failure::new(
                    Fate::Setup,
                    e.next("mend the folder named behind `folder:` in mail.yaml, or name another"),
                )
            })
        };
        let maildir = ["cur", "new", "tmp"].iter().all(|sub| self.0.join(sub).is_dir());
        if !maildir {
            return put(&self.0.join(format!("{}.eml", parcel.name)), parcel.bytes);
        }
        // In a Maildir a mail is written in `tmp` and moved to `new`, its lines ended as the system does.
        let (aside, name) = (self.0.join("tmp").join(parcel.name), self.0.join("new").join(parcel.name));
        put(&aside, &lf(parcel.bytes))?;
        fs::rename(&aside, &name).map_err(|e| Failure::new(Fate::Setup, Error::io("write", &name, &e)))
    }
}

/// Line ends of the system instead of those of the wire.
fn lf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for (n, byte) in bytes.iter().enumerate() {
        if !(*byte == b'\r' && bytes.get(n + 1) == Some(&b'\n')) {
            out.push(*byte);
        }
    }
    out
}

/// What another program said, fit to be shown and kept.
fn said(text: &str) -> String {
    clean::line(text, 300)
}
