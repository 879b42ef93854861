//! Mails that are mangled at random, or meant to do harm: the very files that were sent come out or none of them, never
//! others, in bounded time.
#![cfg(feature = "mail")]

mod common;

use std::time::{Duration, Instant};

use common::Numbers;
use common::mail::{SAMPLES, base64, clear, filled, mail, mangle, mixed, packet, payload, sample, text, wrapped};
use countersign::doc::SignedFile;
use countersign::mail::find::{Found, LARGEST, read};

/// Reads within a time no reader would mind.
fn soon(mail: &[u8], seconds: u64) -> Found {
    let start = Instant::now();
    let found = read(mail);
    assert!(start.elapsed() < Duration::from_secs(seconds), "{:?}", start.elapsed());
    assert!(!found.files.is_empty() || !found.notes.is_empty());
    assert!(found.notes.len() <= 21, "{}", found.notes.len());
    found
}

#[test]
fn mangled_mails_bring_the_very_files_or_none_and_a_word() {
    let files = payload();
    let forms = [packet(&files).armor(), text(packet(&files).bytes()), clear(&files)];
    let (mut whole, mut all) = ([0u32; 3], [0u32; 3]);
    // More of them: MAIL_SEEDS=100000.
    let seeds = std::env::var("MAIL_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(700);
    let first = std::env::var("MAIL_FIRST").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    for seed in first..first + seeds {
        let mut n = Numbers(seed);
        let form = n.below(3) as usize;
        let (mut body, mut kind) = (forms[form].clone(), true);
        for _ in 0..n.below(4) {
            if !body.is_empty() {
                let (next, gentle) = mangle(&body, &mut n);
                (body, kind) = (next, kind && gentle);
            }
        }
        let raw = wrapped(&body, &mut n);
        let found = read(raw.as_bytes());
        let right = found.files.iter().all(|f| files.contains(f)) && found.files.len() <= files.len();
        assert!(right && (!found.files.is_empty() || !found.notes.is_empty()), "seed {seed}:\n{raw}\n{found:?}");
        // In clear each file stands for itself; one of two may be gone without a trace.
        if form == 0 {
            assert!(found.files.is_empty() || found.files == files, "seed {seed}");
        }
        if kind {
            all[form] += 1;
            whole[form] += u32::from(found.files.len() == files.len());
        }
        if kind && form == 0 {
            assert_eq!(found.files, files, "seed {seed}:\n{raw}\n{:?}", found.notes);
        }
    }
    println!(
        "whole of gently mangled: armoured {}/{}, bare packet {}/{}, clear {}/{}",
        whole[0], all[0], whole[1], all[1], whole[2], all[2]
    );
    assert!(whole[2] * 10 > all[2] * 5, "{whole:?} of {all:?}");
}

fn changed(seed: u64, samples: &[Vec<u8>]) -> Vec<u8> {
    let mut n = Numbers(seed);
    let mut mail = samples[n.below(u32::try_from(samples.len()).unwrap()) as usize].clone();
    for _ in 0..=n.below(6) {
        let size = u32::try_from(mail.len()).unwrap();
        if size < 2 {
            break;
        }
        let at = n.below(size) as usize;
        let to = (at + n.below(200) as usize).min(mail.len());
        match n.below(6) {
            0 => mail[at] = n.below(256) as u8,
            1 => drop(mail.drain(at..to)),
            2 => mail.truncate(at),
            3 => {
                let piece = mail[at..to].to_vec();
                let there = n.below(size) as usize;
                mail.splice(there..there, piece);
            }
            4 => mail.insert(at, [b'\r', b'\n', b'=', b'-', b'<', 0, 0xff, b'>'][n.below(8) as usize]),
            _ => mail[at..to].reverse(),
        }
    }
    mail
}

/// Random changes to the bytes of every sample: nothing but the files that were sent ever comes out.
#[test]
fn ten_thousand_changed_samples() {
    let files = payload();
    let samples: Vec<Vec<u8>> = SAMPLES.iter().map(|s| filled(s, &files).into_bytes()).collect();
    let start = Instant::now();
    let mut slowest = Duration::ZERO;
    for seed in 0..10_000 {
        let mail = changed(seed, &samples);
        let one = Instant::now();
        let found = read(&mail);
        slowest = slowest.max(one.elapsed());
        assert!(found.files.iter().all(|f| files.contains(f)), "seed {seed}");
        assert!(!found.files.is_empty() || !found.notes.is_empty(), "seed {seed}: {found:?}");
    }
    println!("10,000 changed mails in {:?}, the slowest {slowest:?}", start.elapsed());
}

#[test]
fn samples_are_all_listed() {
    let mut names: Vec<String> = std::fs::read_dir("tests/mail")
        .unwrap()
        .map(|e| e.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, SAMPLES);
    assert!(SAMPLES.iter().all(|s| sample(s).contains("@@")));
}

#[test]
fn mails_too_large_are_refused_unread() {
    let armor = packet(&payload()).armor();
    let huge = mail("", &(armor.clone() + &"x".repeat(50 << 20)));
    let found = soon(huge.as_bytes(), 1);
    assert!(found.files.is_empty() && found.notes[0].contains("25 MB"), "{:?}", found.notes);
    assert_eq!(found.head.from.as_deref(), Some("anna@example.org"));
    // One part too large, the next one small.
    let part = format!("Content-Type: text/plain\n\n{armor}");
    let large = mixed(&[format!("Content-Type: text/plain\n\n{}", "x ".repeat(5 << 20)), part]);
    let found = soon(large.as_bytes(), 5);
    assert!(found.files == payload() && found.notes[0].contains("8 MB"), "{:?}", found.notes);
    assert!(large.len() < LARGEST);
}

#[test]
fn nesting_and_numbers_are_limited() {
    let armor = packet(&payload()).armor();
    let nested =
        |depth: usize, of: &dyn Fn(usize, &str) -> String| (0..depth).fold(armor.clone(), |inner, n| of(n, &inner));
    let multi = |n: usize, inner: &str| {
        format!(
            "Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n{}{inner}\n--b{n}--\n",
            if n == 0 { "\n" } else { "" }
        )
    };
    let mails = |_: usize, inner: &str| format!("Content-Type: message/rfc822\n\n{inner}");
    let coded = |_: usize, inner: &str| {
        format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}", base64(inner, 76))
    };
    for of in [&multi as &dyn Fn(usize, &str) -> String, &mails] {
        assert_eq!(soon(nested(15, of).as_bytes(), 2).files, payload());
        let found = soon(nested(1000, of).as_bytes(), 5);
        assert!(found.files.is_empty() && found.notes[0].contains("20 deep"), "{:?}", found.notes);
    }
    assert_eq!(soon(nested(8, &coded).as_bytes(), 2).files, payload());
    let found = soon(nested(22, &coded).as_bytes(), 5);
    assert!(found.files.is_empty(), "{:?}", found.notes);
    let found = soon("Content-Type: message/rfc822\n\n".repeat(800_000).as_bytes(), 5);
    assert!(found.files.is_empty());
    let many = mixed(&vec!["\nx".to_owned(); 100_000]);
    let found = soon(many.as_bytes(), 5);
    assert!(found.notes[0].contains("1,000 parts"), "{:?}", found.notes);
    // Each part names a boundary that never comes.
    let lost: Vec<String> =
        (0..100_000).map(|n| format!("Content-Type: multipart/mixed; boundary=n{n}\n\nx")).collect();
    soon(mixed(&lost).as_bytes(), 5);
}

#[test]
fn heads_are_limited() {
    let armor = packet(&payload()).armor();
    let fields = "X-Spam: yes\n".repeat(1_000_000);
    soon(mail(&fields, &armor).as_bytes(), 10);
    soon(mail(&format!("References: {}\n", "<a@b> ".repeat(2_000_000)), &armor).as_bytes(), 10);
    soon(mail(&format!("Subject: {}\n", "=?utf-8?q?=41?= ".repeat(1_000_000)), &armor).as_bytes(), 10);
    soon(mail(&format!("From: {}\n", "(".repeat(5_000_000)), &armor).as_bytes(), 10);
    soon(mail(&format!("Content-Type: text/plain; {}\n", "a*0=b; ".repeat(1_000_000)), &armor).as_bytes(), 10);
    soon(&b"\n".repeat(20 << 20), 10);
    soon(&b"a: b\n ".repeat(4 << 20), 10);
}

#[test]
fn bombs_in_the_text_are_limited() {
    let file: &SignedFile = &payload()[0];
    let block = file.signature.armor();
    let fake = text(file.bytes()).replace("hold", "held");
    let begin = "-----BEGIN COUNTERSIGN PACKET-----\n";
    let end = "-----END COUNTERSIGN PACKET-----\n";
    for (piece, size) in [
        (block.clone(), 7 << 20),
        (fake, 7 << 20),
        (begin.to_owned(), 7 << 20),
        (format!("{begin}=aaaaaaaa\n{end}"), 7 << 20),
        ("countersign packet 1\nfiles 1\nend \n".to_owned(), 7 << 20),
        ("countersign packet 1\nfiles 9999\n".to_owned(), 7 << 20),
        ("countersign: 1\n\n# x\n".to_owned(), 300 << 10),
        ("<div><pre>&nbsp;=3D ".to_owned(), 7 << 20),
        ("=3D=\n".to_owned(), 7 << 20),
        ("aaaa".to_owned(), 7 << 20),
        ("> ".to_owned(), 7 << 20),
        ("\u{a0}".to_owned(), 7 << 20),
        ("a word and another \n".to_owned(), 350 << 10),
        ("Ã¤ ".to_owned(), 7 << 20),
    ] {
        let start = Instant::now();
        let body = piece.repeat(size / piece.len()) + "\n" + &block;
        for head in ["", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n"] {
            let found = soon(mail(head, &body).as_bytes(), 30);
            assert!(found.files.is_empty(), "{piece:?}");
        }
        println!("{:?} {:?}", &piece[..piece.len().min(40)], start.elapsed());
    }
}
