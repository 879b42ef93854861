//! The program in a pipe, answered question by question.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// A running dialogue.
pub struct Dialogue {
    child: std::process::Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Everything printed so far.
    pub said: String,
}

/// How it ended.
pub struct Ended {
    pub code: i32,
    pub text: String,
}

impl Dialogue {
    pub fn start(folder: &Path, args: &[&str]) -> Dialogue {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command.args(args).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Dialogue { child, input, output, said: String::new() }
    }

    /// Everything up to the next prompt; none when the program has ended.
    pub fn next(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        let mut byte = [0u8];
        while self.output.read(&mut byte).unwrap() == 1 {
            bytes.push(byte[0]);
            if bytes.ends_with(b"> ") {
                let text = String::from_utf8(bytes).unwrap();
                self.said.push_str(&text);
                return Some(text);
            }
        }
        self.said.push_str(&String::from_utf8(bytes).unwrap());
        None
    }

    pub fn answer(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    /// Answers as `reply` says until the program ends. `reply` sees what was printed since the last answer.
    pub fn play(&mut self, mut reply: impl FnMut(&str) -> String) {
        while let Some(asked) = self.next() {
            let line = reply(&asked);
            self.answer(&line);
        }
    }

    /// Closes the input, reads the rest and waits.
    pub fn end(mut self) -> Ended {
        drop(self.input.take());
        while self.next().is_some() {}
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        let text = self.said + &errors;
        assert!(!text.contains("panicked"), "{text}");
        Ended { code, text }
    }
}
