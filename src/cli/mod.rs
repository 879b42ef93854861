//! The command line. stdout is the result, stderr is talk; exit 0 fine, 1 refused or fault found, 2 misuse, 3 waiting
//! for the other side.

mod args;
mod ask;
mod audit;
mod backup;
mod balance;
mod books;
mod campaign;
mod check;
mod data;
pub mod demo;
mod duties;
mod format;
mod host;
mod keys;
mod mail;
mod mails;
mod map;
mod moves;
mod offers;
mod play;
mod preview;
mod progress;
mod receipts;
mod recover;
mod seen;
mod setup;
mod solo;
mod status;
mod times;
mod whatif;

use clap::Parser as _;

use crate::error::Error;
pub use args::Args;
pub use books::schemas;
pub use format::Format;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// Fine.
    Fine,
    /// A fault was found or an order refused; it has been printed.
    Fault,
    /// It is the other side's move.
    Waiting,
}

/// Everything that can go wrong in a command: one error, or all of a file.
#[derive(Debug)]
pub struct Errors(pub Vec<Error>);

impl From<Error> for Errors {
    fn from(e: Error) -> Errors {
        Errors(vec![e])
    }
}

impl From<Vec<Error>> for Errors {
    fn from(e: Vec<Error>) -> Errors {
        Errors(e)
    }
}

/// The result of a command.
pub type Outcome = Result<Done, Errors>;

/// Runs the command line of this process and returns its exit code.
#[must_use]
pub fn main() -> u8 {
    // A reader that closes the pipe early (`countersign status | head`) is no defect.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.to_string().contains("failed printing to") {
            std::process::exit(0);
        }
        hook(info);
    }));
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(e) => {
            if e.use_stderr() && wants_object(std::env::args_os()) {
                let text = e.to_string();
                let what = text.lines().next().unwrap_or("").trim_start_matches("error: ").to_owned();
                format::print(&format::errors(&[Error::misuse(what).next("see `countersign --help`")]));
            } else {
                let _ = e.print();
            }
            return u8::from(e.use_stderr()) * 2;
        }
    };
    let format = args.format();
    match args.run() {
        Ok(Done::Fine) => 0,
        Ok(Done::Fault) => 1,
        Ok(Done::Waiting) => 3,
        Err(Errors(errors)) => {
            match format {
                Format::Text => errors.iter().for_each(|error| eprintln!("{error}")),
                Format::Json => format::print(&format::errors(&errors)),
            }
            errors.iter().map(|e| e.code).max().unwrap_or(1)
        }
    }
}

/// Whether a command line that cannot be read asks for an object.
fn wants_object(args: impl Iterator<Item = std::ffi::OsString>) -> bool {
    let args: Vec<String> = args.map(|a| a.to_string_lossy().into_owned()).collect();
    args.iter().any(|a| a == "--format=json") || args.windows(2).any(|w| w[0] == "--format" && w[1] == "json")
}

/// A path as it is typed in any shell, cmd.exe too: in double quotation marks if it has blanks in it.
pub(crate) fn typed(path: &std::path::Path) -> String {
    let text = path.display().to_string();
    if text.contains(' ') { format!("\"{text}\"") } else { text }
}

/// The time now, UTC, as `sent:` carries it: the sender's claim and the only time in a log.
pub(crate) fn now() -> String {
    clock().format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The clock: the computer's, or what COUNTERSIGN_NOW says, for tests and for trying out what a deadline would do.
pub(crate) fn clock() -> chrono::DateTime<chrono::Utc> {
    let said = std::env::var("COUNTERSIGN_NOW").ok().and_then(|text| text.parse().ok());
    said.unwrap_or_else(chrono::Utc::now)
}

/// Fills a buffer from the operating system's random source.
///
/// # Errors
/// If there is none.
pub(crate) fn random(buffer: &mut [u8]) -> crate::Result<()> {
    getrandom::fill(buffer).map_err(|e| Error::new(format!("the system gives no random bytes: {e}")))
}
