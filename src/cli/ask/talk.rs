//! Questions and answers on plain lines: any terminal, cmd.exe and a pipe alike.

use std::io::{BufRead, IsTerminal as _, Read as _, Write as _};

use crate::cite;
use crate::error::{Error, Result};

/// Longest line that is read, in bytes.
const LONGEST: u64 = 16 << 10;

/// Who is talked to.
pub(in crate::cli) struct Talk<'a> {
    input: &'a mut dyn BufRead,
    /// Whether answers are printed: a pipe does not show what came through it.
    echo: bool,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum Heard {
    /// A line; empty for Enter alone.
    Line(String),
    /// `b`.
    Back,
    /// `?`.
    Help,
    /// `q`, or the end of the input.
    Quit,
}

impl<'a> Talk<'a> {
    /// Talks over the standard input and output of this process.
    pub(in crate::cli) fn new(input: &'a mut dyn BufRead) -> Talk<'a> {
        Talk { input, echo: !std::io::stdin().is_terminal() }
    }

    /// Prints a prompt and reads a line.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(in crate::cli) fn hear(&mut self, prompt: &str) -> Result<Heard> {
        print!("{prompt}> ");
        let _ = std::io::stdout().flush();
        let mut bytes = Vec::new();
        let read = (&mut *self.input).take(LONGEST).read_until(b'\n', &mut bytes);
        if read.map_err(|e| Error::new(format!("cannot read your answer: {e}")))? == 0 {
            println!();
            return Ok(Heard::Quit);
        }
        let line = String::from_utf8_lossy(&bytes).trim().trim_start_matches('\u{feff}').to_owned();
        if self.echo {
            println!("{line}");
        }
        Ok(match line.as_str() {
            "b" | "B" => Heard::Back,
            "q" | "Q" => Heard::Quit,
            "?" => Heard::Help,
            _ => Heard::Line(line),
        })
    }
}

/// What rules say, by their names.
pub(super) fn explain(about: &str, rules: &[&str]) {
    println!("  {about}");
    for id in rules {
        if let Some((title, line)) = cite::find(id) {
            println!("  [{id}] {title}: {line}");
        }
    }
}
