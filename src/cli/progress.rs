//! A sign of life on the terminal while something takes longer than a second.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// A line on stderr that counts seconds until it is dropped. Nothing is written in the first second, and nothing at
/// all if stderr is no terminal: files and pipes get no half lines.
pub(super) struct Progress {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts the clock. `what` says what is being done: `Checking 1,204 entries`.
    pub(super) fn start(what: String) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress { done: None, thread: None };
        }
        let (done, wait) = channel();
        let thread = std::thread::spawn(move || tick(&what, &wait, Duration::from_secs(1), &mut std::io::stderr()));
        Progress { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes the line after every `beat` until the other end is dropped, then wipes it.
fn tick(what: &str, wait: &Receiver<()>, beat: Duration, out: &mut dyn std::io::Write) {
    let mut width = 0;
    for beats in 1u32.. {
        if wait.recv_timeout(beat) != Err(RecvTimeoutError::Timeout) {
            break;
        }
        let line = format!("{what} ... {beats} s");
        width = line.chars().count();
        let _ = write!(out, "\r{line}");
        let _ = out.flush();
    }
    if width > 0 {
        let _ = write!(out, "\r{}\r", " ".repeat(width));
        let _ = out.flush();
    }
}

/// A number with a comma between thousands.
pub(super) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_for_what_is_quick_and_the_line_is_wiped_at_the_end() {
        let (done, wait) = channel();
        drop(done);
        let mut out = Vec::new();
        tick("Checking", &wait, Duration::from_secs(1), &mut out);
        assert!(out.is_empty());
        let (done, wait) = channel();
        let slow = std::thread::spawn(move || {
            let mut out = Vec::new();
            tick("Checking", &wait, Duration::from_millis(5), &mut out);
            out
        });
        std::thread::sleep(Duration::from_millis(100));
        drop(done);
        let text = String::from_utf8(slow.join().unwrap()).unwrap();
        assert!(text.starts_with("\rChecking ... 1 s") && text.ends_with(" \r"), "{text:?}");
    }

    #[test]
    fn thousands_are_told_apart() {
        for (n, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(n), text);
        }
    }
}
