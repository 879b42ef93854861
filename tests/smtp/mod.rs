//! A real mail server on this computer, for as long as a test runs.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Where `.ci/run` puts aiosmtpd.
const PYTHON: &str = "target/python";

/// A running server and what came.
pub struct PostOffice {
    child: Child,
    /// Its port.
    pub port: u16,
    dir: tempfile::TempDir,
}

impl PostOffice {
    /// Starts one; nothing where aiosmtpd cannot be had, which in CI is a failure.
    pub fn open(options: &[&str]) -> Option<PostOffice> {
        let python = |args: &[&str]| {
            let mut command = Command::new("python3");
            command.env("PYTHONPATH", PYTHON).args(args);
            command
        };
        let probe = python(&["-c", "import aiosmtpd"]).stderr(Stdio::null()).status();
        if !probe.is_ok_and(|status| status.success()) {
            assert!(std::env::var("CI").is_err(), "aiosmtpd is missing; .ci/run installs it");
            println!("skipped: needs aiosmtpd");
            println!("python3 -m pip install --target {PYTHON} --require-hashes -r tests/smtp/requirements.txt");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let mut child = python(&["tests/smtp/server.py"])
            .arg(dir.path())
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().parse().expect("the server says its port");
        Some(PostOffice { child, port, dir })
    }

    /// What came, in order: the receiver and the mail.
    pub fn came(&self) -> Vec<(String, Vec<u8>)> {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(self.dir.path().join("new")).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        let to = |p: &Path| p.file_name().unwrap().to_string_lossy().split_once('.').unwrap().1.to_owned();
        paths.iter().map(|p| (to(p), std::fs::read(p).unwrap())).collect()
    }
}

impl Drop for PostOffice {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A certificate for this computer, signed by an authority of our own: the authority, the certificate, its key.
pub fn certificate(dir: &Path) -> [PathBuf; 3] {
    let openssl = |args: &str| {
        let done = Command::new("openssl").current_dir(dir).args(args.split(' ')).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    std::fs::write(dir.join("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n").unwrap();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    openssl(&format!("req -x509 {key} -keyout ca.key -out ca.pem -subj /CN=authority -days 2"));
    openssl(&format!("req {key} -keyout leaf.key -out leaf.csr -subj /CN=localhost"));
    openssl("x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out leaf.pem");
    ["ca.pem", "leaf.pem", "leaf.key"].map(|name| dir.join(name))
}
