//! Where mails come from: files, mailboxes, Maildirs, folders, streams.
#![cfg(feature = "mail")]

mod common;

use std::fs;
use std::path::Path;

use common::mail::{SAMPLES, filled, packet, payload};
use countersign::mail::find::{LARGEST, read};
use countersign::mail::sources::{Mails, seen};

fn raws(mails: Mails) -> Vec<Vec<u8>> {
    mails.map(|m| m.unwrap().raw).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn stream(text: &str) -> Vec<Vec<u8>> {
    raws(Mails::stream(std::io::Cursor::new(text.to_owned())))
}

#[test]
fn a_stream_is_one_mail_or_a_mailbox() {
    assert_eq!(stream("A: 1\n\nFrom here on\n"), [bytes("A: 1\n\nFrom here on\n")]);
    assert_eq!(stream(""), [bytes("")]);
    let mailbox = "From anna@example.org Mon Mar  2 20:14:07 2026\nA: 1\n\n>From here on\n>>From there\n> From\n\n\
                   From - Mon Mar  2 20:14:08 2026\nB: 2\n\nFrom now on I sail\n\nFrom Monday 2026 we sail\n";
    let (first, second) =
        ("A: 1\n\nFrom here on\n>From there\n> From\n", "B: 2\n\nFrom now on I sail\n\nFrom Monday 2026 we sail\n");
    assert_eq!(stream(mailbox), [bytes(first), bytes(second)]);
    assert_eq!(stream(&mailbox.replace('\n', "\r\n")).len(), 2);
    assert_eq!(stream("From anna@example.org Mon Mar  2 20:14:07 2026\n"), Vec::<Vec<u8>>::new());
}

#[test]
fn a_mailbox_of_all_samples_gives_what_each_gives() {
    let files = payload();
    let mails: Vec<String> = SAMPLES.iter().map(|s| filled(s, &files)).collect();
    let mailbox: String = mails
        .iter()
        .map(|m| {
            let m = m.strip_prefix("From ").map_or(m.as_str(), |m| m.split_once('\n').unwrap().1);
            let body: String =
                m.lines()
                    .map(|l| {
                        if l.trim_start_matches('>').starts_with("From ") {
                            format!(">{l}\n")
                        } else {
                            format!("{l}\n")
                        }
                    })
                    .collect();
            format!("From x@example.org Mon Mar  2 20:14:07 2026\n{body}\n")
        })
        .collect();
    let got = stream(&mailbox);
    assert_eq!(got.len(), mails.len());
    for (got, mail) in got.iter().zip(&mails) {
        assert_eq!(read(got).files, read(mail.as_bytes()).files);
    }
}

#[test]
fn files_folders_and_maildirs() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for name in ["b.eml", "a.EML", "c.txt"] {
        fs::write(at(name), format!("X: {name}\n\n")).unwrap();
    }
    fs::create_dir(at("sub.eml")).unwrap();
    assert_eq!(raws(Mails::open(dir.path()).unwrap()), [bytes("X: a.EML\n\n"), bytes("X: b.eml\n\n")]);
    let one: Vec<_> = Mails::open(&at("c.txt")).unwrap().map(|m| m.unwrap()).collect();
    assert_eq!(one.len(), 1);
    assert_eq!(one[0].path.as_deref(), Some(at("c.txt").as_path()));
    assert!(Mails::open(&at("none")).is_err());

    let maildir = at("Maildir");
    for folder in ["new", "cur", "tmp"] {
        fs::create_dir_all(maildir.join(folder)).unwrap();
    }
    fs::write(maildir.join("cur/1.a:2,S"), "X: old\n\n").unwrap();
    fs::write(maildir.join("new/2.b"), "X: new\n\n").unwrap();
    fs::write(maildir.join("new/.hidden"), "X: no\n\n").unwrap();
    fs::write(maildir.join("tmp/3.c"), "X: half\n\n").unwrap();
    let mut mails = Mails::open(&maildir).unwrap();
    let new = mails.next().unwrap().unwrap();
    assert_eq!(new.raw, b"X: new\n\n");
    let path = new.path.unwrap();
    assert_eq!(seen(&path), Some(maildir.join("cur/2.b:2,S")));
    fs::rename(&path, seen(&path).unwrap()).unwrap();
    let old = mails.next().unwrap().unwrap();
    assert_eq!(seen(&old.path.unwrap()), None);
    assert!(mails.next().is_none());
    assert_eq!(seen(Path::new("new/5:2,F")), Some("cur/5:2,F".into()));
}

/// A mail that another program took away meanwhile is an error in its place.
#[test]
fn a_mail_that_is_gone_does_not_hide_the_next() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["1.eml", "2.eml"] {
        fs::write(dir.path().join(name), "A: 1\n\n").unwrap();
    }
    let mails = Mails::open(dir.path()).unwrap();
    fs::remove_file(dir.path().join("1.eml")).unwrap();
    let got: Vec<_> = mails.collect();
    assert!(got.len() == 2 && got[0].is_err() && got[1].is_ok());
}

/// A huge mail, and a mailbox whose middle mail is huge, or all on one line.
#[test]
fn large_mails_are_cut_so_that_they_are_refused() {
    let armor = packet(&payload()).armor();
    let from = "From x@example.org Mon Mar  2 20:14:07 2026\n";
    let small = format!("{from}A: 1\n\n{armor}\n");
    for piece in ["x\n", "xFrom "] {
        let huge = piece.repeat((30 << 20) / piece.len());
        let got = stream(&format!("{small}{from}B: 1\n\n{huge}\n\n{small}"));
        assert_eq!(got.iter().map(|g| read(g).files.len()).collect::<Vec<_>>(), [2, 0, 2]);
        assert_eq!(got[1].len(), LARGEST + 1);
        assert_eq!(stream(&huge)[0].len(), LARGEST + 1);
    }
}
