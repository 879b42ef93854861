//! A program that takes what `sendmail` takes.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Carrier, Failure, Fate, Parcel, lf, said};
use crate::error::Error;

/// How long the program may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that takes what `sendmail` takes. No shell stands between: an address is one argument, behind `--`.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    patience: Duration,
}

impl Program {
    /// The program at a path.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(path: &Path) -> crate::Result<Program> {
        if !path.is_file() {
            return Err(Error::misuse(format!("there is no program `{}`", path.display()))
                .next("name it whole behind `sendmail:` in mail.yaml, such as /usr/sbin/sendmail"));
        }
        Ok(Program { path: path.to_owned(), patience: PATIENCE })
    }

    /// The same, with another patience.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Program {
        Program { patience, ..self }
    }

    fn fail(&self, fate: Fate, what: &str) -> Failure {
        let next = match fate {
            Fate::Later => "it is sent again by itself the next time",
            Fate::Never => "look at the address, and at what the program says",
            Fate::Setup => "try the program by hand; its settings, or `sendmail:` in mail.yaml, need mending",
        };
        Failure::new(fate, Error::new(format!("`{}` {what}", self.path.display())).next(next))
    }
}

impl Carrier for Program {
    fn carry(&mut self, parcel: Parcel<'_>) -> Result<(), Failure> {
        let mut child = Command::new(&self.path)
            .args(["-i", "-f", parcel.from.as_str(), "--", parcel.to.as_str()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| self.fail(Fate::Setup, &format!("cannot be run: {e}")))?;
        // In threads of their own: a program that does not read, or says much, must not hold us up.
        let (stdin, stderr, bytes) = (child.stdin.take(), child.stderr.take(), lf(parcel.bytes));
        let writing = thread::spawn(move || stdin.is_some_and(|mut pipe| pipe.write_all(&bytes).is_ok()));
        let reading = thread::spawn(move || {
            let mut words = Vec::new();
            let _ = stderr.map(|pipe| pipe.take(64 << 10).read_to_end(&mut words));
            String::from_utf8_lossy(&words).into_owned()
        });
        let Some(code) = ended(&mut child, self.patience) else {
            // The threads are left: a child of the program may hold its pipes open for ever.
            let _ = child.kill();
            let _ = child.wait();
            return Err(self.fail(Fate::Later, "did not end in time and was stopped"));
        };
        let whole = writing.join().unwrap_or(false);
        if code == Some(0) && whole {
            return Ok(());
        }
        let words = said(&reading.join().unwrap_or_default());
        let words = if words.is_empty() { String::new() } else { format!(": {words}") };
        // The numbers are those of sysexits.h.
        Err(match code {
            Some(0) => self.fail(Fate::Later, "ended before it had read the whole mail"),
            Some(65 | 67 | 68) => self.fail(Fate::Never, &format!("refuses this mail{words}")),
            Some(64 | 77 | 78 | 126 | 127) => self.fail(Fate::Setup, &format!("cannot send{words}")),
            Some(n) => self.fail(Fate::Later, &format!("could not send now (code {n}){words}")),
            None => self.fail(Fate::Later, &format!("was killed{words}")),
        })
    }
}

/// How a program ended, or nothing if it does not in time.
fn ended(child: &mut Child, patience: Duration) -> Option<Option<i32>> {
    let start = Instant::now();
    let mut nap = Duration::from_millis(2);
    while start.elapsed() < patience {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.code()),
            Ok(None) => thread::sleep(nap),
            Err(_) => return Some(None),
        }
        nap = (nap * 2).min(Duration::from_millis(100));
    }
    None
}
