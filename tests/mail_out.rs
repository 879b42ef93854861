//! Mail out: settings, letters, the outbox, and the ways out, a real mail server among them.
#![cfg(feature = "mail")]

mod smtp;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use countersign::doc::Packet;
use countersign::mail::compose::{Composed, Content, Enclosure, Kind, Letter, Party, compose};
use countersign::mail::outbox::{Mark, Outbox};
use countersign::mail::send::{Carrier, Failure, Fate, Folder, Parcel, Program, carrier};
use countersign::mail::settings::{Account, Correspondents, Security, Way};
use countersign::{Error, Seat};
use mail_parser::{MessageParser, MimeHeaders as _};
use smtp::PostOffice;

fn noon() -> DateTime<Utc> {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

fn party(name: &str, address: &str) -> Party {
    Party { name: name.to_owned(), address: address.parse().unwrap() }
}

fn packet() -> Packet {
    Packet {
        files: vec![b"order: fire\nlines: \"end\"\n".to_vec(), (0..=255).collect(), b"\n.\n..\nFrom me\n".to_vec()],
    }
}

fn letter() -> Letter {
    Letter {
        game: "1a2b3c4d".to_owned(),
        title: "Wasp v Frolic - turn 3".to_owned(),
        seat: Seat::American,
        step: 3,
        number: 2,
        kind: Kind::YourMove,
        from: party("Jacob", "jacob@wasp.example"),
        to: vec![party("Thomas", "thomas@frolic.example")],
        next: "It is your move: countersign adjudicate, then countersign orders new.".to_owned(),
        report: "The Wasp fires her larboard guns at the Frolic.\n\nThe American player writes: Strike!\n".to_owned(),
        packet: Some(packet().bytes()),
        enclosures: Vec::new(),
        thread: Vec::new(),
        automatic: false,
        again: 0,
        sent: noon(),
    }
}

fn raw(letter: &Letter) -> String {
    String::from_utf8(compose(letter).unwrap().message.formatted()).expect("a mail is ASCII")
}

/// The lines of the head, each with its continuation lines.
fn head(raw: &str) -> Vec<String> {
    raw.split_once("\r\n\r\n").unwrap().0.replace("\r\n ", " ").split("\r\n").map(str::to_owned).collect()
}

/// The attachments of a mail by name, as a mail program saves them.
fn attachments(raw: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mail = MessageParser::default().parse(raw).unwrap();
    mail.attachments().map(|a| (a.attachment_name().unwrap().to_owned(), a.contents().to_vec())).collect()
}

fn body(raw: &[u8]) -> String {
    MessageParser::default().parse(raw).unwrap().body_text(0).unwrap().into_owned()
}

mod settings {
    use super::*;

    fn faults(text: &str) -> String {
        let errors = Account::parse(text.as_bytes(), "mail.yaml").expect_err(text);
        errors.iter().map(|e| format!("{e}\n")).collect()
    }

    fn server(more: &str) -> String {
        format!("address: a@b.example\nsend:\n  smtp:\n    host: smtp.b.example\n{more}")
    }

    #[test]
    fn the_three_ways_are_read_and_what_is_left_out_is_safe() {
        for (text, port, security) in [
            ("", 587, Security::Starttls),
            ("    port: 465\n", 465, Security::Tls),
            ("    port: 2525\n", 2525, Security::Starttls),
            ("    security: tls\n", 465, Security::Tls),
            ("    security: none\n", 25, Security::None),
            ("    user: a@b.example\n    password_file: secret\n", 587, Security::Starttls),
        ] {
            let account = Account::parse(server(text).as_bytes(), "mail.yaml").unwrap();
            let Way::Smtp(smtp) = account.send else { panic!() };
            assert_eq!((smtp.port(), smtp.protection()), (port, security), "{text}");
        }
        for host in ["localhost", "127.0.0.1", "\"::1\""] {
            let text = format!("address: a@b.example\nsend: {{smtp: {{host: {host}}}}}\n");
            let Way::Smtp(smtp) = Account::parse(text.as_bytes(), "").unwrap().send else { panic!() };
            assert_eq!(smtp.protection(), Security::None);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_file_line_and_remedy() {
        for (text, place, words) in [
            ("send: {folder: out}\n".to_owned(), "mail.yaml", "address"),
            ("address: bob\nsend: {folder: out}\n".to_owned(), "mail.yaml, line 1, column 10", "no @"),
            (
                "address: \"a@b.example\\r\\nBcc: x@y.example\"\nsend: {folder: o}\n".to_owned(),
                "line 1",
                "bare address",
            ),
            (
                "address: a@b.example\nname: \"Bob <x@y.example>\"\nsend: {folder: o}\n".to_owned(),
                "line 2",
                "a name is one line",
            ),
            ("address: a@b.example\nsend: {folder: \"\"}\n".to_owned(), "line 2", "path"),
            ("address: a@b.example\nsend: {pigeon: loft}\n".to_owned(), "line 2", "pigeon"),
            (server("    port: 0\n"), "line 5", "0"),
            (server("    port: 70000\n"), "line 5", "70000"),
            (server("    security: ssl\n"), "line 5", "ssl"),
            (server("    user: me\n"), "mail.yaml, line 5, column 5", "password_file"),
            (server("    password_file: me\n"), "line 5", "no `user`"),
            (server("    security: none\n    user: me\n    password_file: p\n"), "line 5", "in clear"),
            (server("").replace("smtp.b.example", "\"smtp.b.example:25\""), "line 4", "without port"),
            (server("").replace("smtp.b.example", "\"-oX; rm\""), "line 4", "no name of a server"),
        ] {
            let said = faults(&text);
            assert!(said.contains(place) && said.contains(words), "{text}\n{said}");
        }
    }

    #[test]
    fn a_password_in_the_file_is_refused_and_not_shown() {
        let said = faults(&server("    password: hunter2\n"));
        assert!(said.contains("line 5") && said.contains("password_file"), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }

    #[test]
    fn the_password_is_one_line_of_a_file_and_others_cannot_read_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mail.yaml");
        fs::write(&file, server("    user: me\n    password_file: secret\n")).unwrap();
        let Way::Smtp(smtp) = Account::read(&file).unwrap().send else { panic!() };
        assert!(smtp.password().unwrap_err().to_string().contains("secret"));
        for (text, fine) in [("xyz 1\n", true), ("xyz 1\r\n", true), ("xyz 1", true), ("", false), ("a\nb\n", false)] {
            fs::write(dir.path().join("secret"), text).unwrap();
            let read = smtp.password();
            assert_eq!(read.as_ref().is_ok_and(|p| p.as_ref().unwrap().0.as_str() == "xyz 1"), fine, "{text:?}");
            if let Err(e) = read {
                assert!(text.is_empty() || !e.to_string().contains(text), "{e}");
            }
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::write(dir.path().join("secret"), "p").unwrap();
            for (mode, warned) in [(0o600, false), (0o640, true), (0o644, true)] {
                fs::set_permissions(dir.path().join("secret"), fs::Permissions::from_mode(mode)).unwrap();
                assert_eq!(smtp.password().unwrap().unwrap().1.is_some(), warned);
            }
        }
    }

    #[test]
    fn addresses_are_found_by_seat() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mail.yaml");
        fs::write(&file, "to:\n  british: thomas@frolic.example\n").unwrap();
        let book = Correspondents::read(&file).unwrap();
        assert_eq!(book.of(Seat::British).unwrap().as_str(), "thomas@frolic.example");
        assert!(book.of(Seat::Host).unwrap_err().to_string().contains("host: ADDRESS"));
        fs::write(&file, "to:\n  french: x@y.example\n").unwrap();
        assert!(Correspondents::read(&file).unwrap_err()[0].to_string().contains("line 2"));
    }
}

mod letters {
    use super::*;

    #[test]
    fn a_letter_says_what_to_do_then_what_happened_then_the_packet() {
        let raw = raw(&letter());
        let head = head(&raw);
        for line in [
            "Subject: [countersign 1a2b3c4d] Wasp v Frolic - turn 3: your move",
            "Date: Mon, 30 Nov 2026 12:00:00 +0000",
            "X-Countersign: 1",
        ] {
            assert!(head.contains(&line.to_owned()), "{line}\n{raw}");
        }
        assert!(!raw.contains("Auto-Submitted"));
        let text = body(raw.as_bytes());
        let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word} in {text}"));
        assert!(at("It is your move") < at("The Wasp fires") && at("The Wasp fires") < at("attached file"));
        assert!(at("attached file") < at("BEGIN COUNTERSIGN"));
        assert_eq!(Packet::find(text.as_bytes()).unwrap(), [packet()]);
        assert_eq!(attachments(raw.as_bytes()), [("1a2b3c4d-american-003-002.packet".to_owned(), packet().bytes())]);
    }

    #[test]
    fn the_same_letter_has_the_same_id_and_any_other_another() {
        let id = |change: &dyn Fn(&mut Letter)| {
            let mut letter = letter();
            change(&mut letter);
            compose(&letter).unwrap().id
        };
        let first = id(&|_| {});
        assert!(first.starts_with("<1a2b3c4d-american-003-002-") && first.ends_with("@wasp.example>"), "{first}");
        assert_eq!(first, id(&|l| l.sent += TimeDelta::days(3)), "the time does not count");
        let answer = id(&|l| l.thread.push("<a@b>".to_owned()));
        assert_eq!(first, answer, "composed again when more mails have come it is the same letter");
        let changes: [&dyn Fn(&mut Letter); 7] = [
            &|l| l.report.push('!'),
            &|l| l.packet = None,
            &|l| l.again = 1,
            &|l| l.kind = Kind::Reminder,
            &|l| l.to[0].address = "x@y.example".parse().unwrap(),
            &|l| l.automatic = true,
            &|l| l.enclosures.push(Enclosure { name: "x".into(), content: Content::File, bytes: Vec::new() }),
        ];
        let mut all: Vec<String> = changes.iter().map(|c| id(c)).collect();
        all.push(first);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 8);
        assert_eq!(raw(&letter()), raw(&letter()), "byte for byte, boundaries too");
    }

    #[test]
    fn nothing_a_player_writes_makes_a_header() {
        let hostile = [
            "x\r\nBcc: eve@evil.example",
            "x\nBcc: eve@evil.example\n\nbody",
            "x\rBcc: eve@evil.example",
            "\r\n\r\n--countersign-\r\nContent-Type: text/html\r\n\r\n<script>",
            "\0\0\u{1b}[2J",
            "\u{202e}evil\u{2066}",
            "a\u{2028}Bcc: x\u{85}Bcc: y",
            "\" <eve@evil.example>, \"",
            "=?utf-8?q?=0D=0ABcc:=20eve=40evil.example?=",
            &"long ".repeat(2_000),
            &"x".repeat(10_000),
            &"é".repeat(10_000),
            &"\u{1f6a2}".repeat(3_000),
        ];
        let names: Vec<String> =
            head(&raw(&letter())).iter().map(|l| l.split(':').next().unwrap().to_owned()).collect();
        for text in hostile {
            let mut letter = letter();
            letter.title = text.to_owned();
            letter.game = text.to_owned();
            letter.from.name = text.to_owned();
            letter.to[0].name = text.to_owned();
            letter.report = format!("The British player writes: {text}");
            letter.next = text.to_owned();
            letter.thread = vec![text.to_owned(), format!("<{text}@x>")];
            letter.enclosures = vec![Enclosure { name: text.to_owned(), content: Content::File, bytes: vec![1] }];
            let raw = raw(&letter);
            let head = head(&raw);
            let found: Vec<String> = head.iter().map(|l| l.split(':').next().unwrap().to_owned()).collect();
            // A long chain of letters is a fine id; nothing else comes in beside the headers there always are.
            let found: Vec<String> = found.into_iter().filter(|n| n != "In-Reply-To" && n != "References").collect();
            assert_eq!(found, names, "{text:?}");
            assert!(raw.split("\r\n").all(|l| l.len() <= 998), "{text:?}");
            assert!(raw.bytes().all(|b| b == b'\r' || b == b'\n' || (32..127).contains(&b)), "{text:?}\n{raw}");
            assert_eq!(raw.matches('\r').count(), raw.matches('\n').count());
            let mail = MessageParser::default().parse(raw.as_bytes()).unwrap();
            assert!(mail.bcc().is_none() && mail.from().unwrap().clone().into_list().len() == 1);
            assert_eq!(mail.from().unwrap().first().unwrap().address(), Some("jacob@wasp.example"));
            let subject = mail.subject().unwrap();
            assert!(subject.chars().count() < 160 && !subject.contains(char::is_control), "{subject}");
            assert!(!subject.contains('\u{202e}'));
            assert_eq!(mail.attachment_count(), 2, "{text:?}");
            assert_eq!(attachments(raw.as_bytes())[0].1, packet().bytes());
            assert_eq!(Packet::find(body(raw.as_bytes()).as_bytes()).unwrap(), [packet()]);
        }
    }

    #[test]
    fn a_thread_names_its_last_twenty() {
        let mut letter = letter();
        letter.thread = (0..50).map(|n| format!("<{n}@{}.example>", "x".repeat(60))).collect();
        letter.thread.insert(30, "<no id>\r\nBcc: x@y.example".to_owned());
        letter.automatic = true;
        let raw = raw(&letter);
        let head = head(&raw);
        let references = head.iter().find(|l| l.starts_with("References: ")).unwrap();
        assert_eq!(references.matches('@').count(), 20);
        assert!(references.contains("<30@") && !references.contains("<29@"));
        assert!(head.iter().any(|l| l.starts_with("In-Reply-To: <49@")));
        assert!(head.contains(&"Auto-Submitted: auto-generated".to_owned()));
        assert!(raw.split("\r\n").all(|l| l.len() <= 100));
    }

    #[test]
    fn large_letters_are_made_fast_and_huge_ones_refused() {
        let mut letter = letter();
        let large = Packet { files: vec![vec![7; 6 << 20]] }.bytes();
        letter.packet = Some(large.clone());
        letter.report = "A line of the report, not too long.\n".repeat(50_000);
        let start = std::time::Instant::now();
        let raw = raw(&letter);
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        assert_eq!(attachments(raw.as_bytes())[0].1, large);
        let text = body(raw.as_bytes());
        assert!(text.contains("[cut here") && !text.contains("BEGIN COUNTERSIGN"));
        letter.packet = Some(vec![0; 30 << 20]);
        assert!(compose(&letter).unwrap_err().to_string().contains("larger than mail servers take"));
        letter.packet = None;
        letter.to.clear();
        assert!(compose(&letter).unwrap_err().to_string().contains("nobody"));
    }
}

/// A carrier that does what it is told, in order, and notes what it was given.
struct Told {
    answers: Vec<Result<(), Fate>>,
    given: Vec<(String, Vec<u8>)>,
}

impl Carrier for Told {
    fn carry(&mut self, parcel: Parcel<'_>) -> Result<(), Failure> {
        self.given.push((parcel.to.to_string(), parcel.bytes.to_vec()));
        let answer = if self.answers.is_empty() { Ok(()) } else { self.answers.remove(0) };
        answer.map_err(|fate| Failure { fate, error: Box::new(Error::new("451 not now")) })
    }
}

fn told(answers: &[Result<(), Fate>]) -> Told {
    Told { answers: answers.to_vec(), given: Vec::new() }
}

fn two() -> Composed {
    let mut letter = letter();
    letter.to.push(party("", "host@club.example"));
    compose(&letter).unwrap()
}

fn tree(dir: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for sub in ["", "sent", "failed"] {
        for entry in fs::read_dir(dir.join(sub)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() && !path.ends_with(".lock") {
                all.push(path.strip_prefix(dir).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    all.sort();
    all
}

mod outbox {
    use super::*;

    #[test]
    fn each_receiver_has_his_own_fate_and_nothing_goes_twice() {
        let dir = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(dir.path()).unwrap();
        let letter = two();
        assert_eq!(outbox.put(&letter, noon()).unwrap(), 2);
        assert_eq!(outbox.put(&letter, noon()).unwrap(), 0);
        let mut first = told(&[Err(Fate::Never), Ok(())]);
        let run = outbox.send(&mut first, noon()).unwrap();
        assert_eq!((run.sent.len(), run.failed.len(), run.later.len()), (1, 1, 0));
        assert_eq!(first.given[0].0, "thomas@frolic.example");
        assert_eq!(first.given[1], ("host@club.example".to_owned(), letter.message.formatted()));
        assert_eq!(outbox.put(&letter, noon()).unwrap(), 0, "what went or failed is not put in again");
        let mut second = told(&[]);
        outbox.send(&mut second, noon() + TimeDelta::days(9)).unwrap();
        assert!(second.given.is_empty());
        assert_eq!(outbox.sent(&letter.id).unwrap(), Some(noon()));
        let (name, note) = outbox.failed().unwrap().remove(0);
        assert!(note.error.unwrap().contains("451 not now"));
        outbox.retry(&name, noon()).unwrap();
        assert_eq!(outbox.send(&mut second, noon()).unwrap().sent.len(), 1);
        assert!(outbox.failed().unwrap().is_empty() && outbox.waiting().unwrap().is_empty());
        assert_eq!(tree(dir.path()).len(), 4);
    }

    #[test]
    fn it_is_tried_again_after_one_minute_then_two_up_to_six_hours() {
        let dir = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(dir.path()).unwrap();
        outbox.put(&compose(&letter()).unwrap(), noon()).unwrap();
        let (mut now, mut waits) = (noon(), Vec::new());
        for _ in 0..12 {
            let mut later = told(&[Err(Fate::Later)]);
            let run = outbox.send(&mut later, now).unwrap();
            assert_eq!(run.later.len(), 1);
            let at = outbox.waiting().unwrap()[0].1.at;
            waits.push((at - now).num_minutes());
            assert!(outbox.send(&mut told(&[]), at - TimeDelta::seconds(1)).unwrap().sent.is_empty());
            now = at;
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
        // A clock that was set back by a year does not hold it up by a year.
        assert_eq!(outbox.send(&mut told(&[]), now - TimeDelta::days(365)).unwrap().sent.len(), 1);
    }

    #[test]
    fn faults_of_the_settings_hold_everything_up_and_count_against_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(dir.path()).unwrap();
        outbox.put(&two(), noon()).unwrap();
        let mut wrong = told(&[Err(Fate::Setup)]);
        let run = outbox.send(&mut wrong, noon()).unwrap();
        assert!(run.setup.is_some() && wrong.given.len() == 1);
        assert!(outbox.waiting().unwrap().iter().all(|(_, n)| n.attempts == 0 && n.mark == Mark::Waiting));
        assert_eq!(outbox.send(&mut told(&[]), noon()).unwrap().sent.len(), 2);
    }

    /// A program that is cut off at a given point leaves a folder from which every mail still goes.
    #[test]
    fn a_crash_at_any_point_loses_nothing() {
        struct Crash;
        impl Carrier for Crash {
            fn carry(&mut self, _: Parcel<'_>) -> Result<(), Failure> {
                panic!("the machine is switched off");
            }
        }
        let letter = compose(&letter()).unwrap();
        let name = &letter.name;
        type Cut<'a> = &'a dyn Fn(&Path, &Outbox);
        let states: [(&str, Cut<'_>); 6] = [
            ("the mail is written, its note is not", &|dir, _| {
                fs::remove_file(dir.join(format!("{name}.json"))).unwrap();
            }),
            ("during the handing over", &|_, outbox| {
                let cut = std::panic::AssertUnwindSafe(|| outbox.send(&mut Crash, noon()));
                assert!(std::panic::catch_unwind(cut).is_err());
                assert_eq!(outbox.waiting().unwrap()[0].1.mark, Mark::Sending);
            }),
            ("marked sent, not moved", &|dir, outbox| {
                outbox.send(&mut told(&[]), noon()).unwrap();
                for ending in ["eml", "json"] {
                    let file = format!("{name}.{ending}");
                    fs::rename(dir.join("sent").join(&file), dir.join(&file)).unwrap();
                }
            }),
            ("marked sent, one of two moved", &|dir, outbox| {
                outbox.send(&mut told(&[]), noon()).unwrap();
                let file = format!("{name}.json");
                fs::rename(dir.join("sent").join(&file), dir.join(&file)).unwrap();
            }),
            ("tried again, only the mail moved", &|dir, outbox| {
                outbox.send(&mut told(&[Err(Fate::Never)]), noon()).unwrap();
                let file = format!("{name}.eml");
                fs::rename(dir.join("failed").join(&file), dir.join(&file)).unwrap();
            }),
            ("tried again, the old note not removed", &|dir, outbox| {
                outbox.send(&mut told(&[Err(Fate::Never)]), noon()).unwrap();
                let note = fs::read(dir.join("failed").join(format!("{name}.json"))).unwrap();
                outbox.retry(name, noon()).unwrap();
                fs::write(dir.join("failed").join(format!("{name}.json")), note).unwrap();
            }),
        ];
        for (when, cut) in states {
            let dir = tempfile::tempdir().unwrap();
            let outbox = Outbox::open(dir.path()).unwrap();
            outbox.put(&letter, noon()).unwrap();
            cut(dir.path(), &outbox);
            drop(outbox);
            // After the crash the game puts the same letter in again, composed at another time.
            let outbox = Outbox::open(dir.path()).unwrap();
            let mut again = super::letter();
            again.sent += TimeDelta::hours(1);
            outbox.put(&compose(&again).unwrap(), noon()).unwrap();
            for (name, _) in outbox.failed().unwrap() {
                outbox.retry(&name, noon()).unwrap();
            }
            let mut carrier = told(&[]);
            outbox.send(&mut carrier, noon()).unwrap();
            assert_eq!(tree(dir.path()), [format!("sent/{name}.eml"), format!("sent/{name}.json")], "{when}");
            let gone_before = when.starts_with("marked sent");
            assert_eq!(carrier.given.len(), usize::from(!gone_before), "{when}");
            for (_, bytes) in &carrier.given {
                assert!(String::from_utf8_lossy(bytes).contains(&format!("Message-ID: {}\r\n", letter.id)), "{when}");
            }
        }
    }

    #[test]
    fn two_programs_do_not_send_at_the_same_time() {
        let dir = tempfile::tempdir().unwrap();
        let _first = Outbox::open(dir.path()).unwrap();
        assert!(Outbox::open(dir.path()).unwrap_err().to_string().contains("another program"));
    }
}

mod ways {
    use super::*;

    fn carry(way: &mut dyn Carrier, letter: &Letter) -> Result<(), Failure> {
        let mail = compose(letter).unwrap();
        let (from, to) = (&letter.from.address, &letter.to[0].address);
        way.carry(Parcel { from, to, name: &mail.name, bytes: &mail.message.formatted() })
    }

    #[test]
    fn a_folder_or_maildir_takes_a_mail_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = Folder(dir.path().join("out"));
        carry(&mut folder, &letter()).unwrap();
        carry(&mut folder, &letter()).unwrap();
        let files: Vec<PathBuf> = fs::read_dir(&folder.0).unwrap().map(|e| e.unwrap().path()).collect();
        assert_eq!(files.len(), 1);
        assert_eq!(fs::read(&files[0]).unwrap(), compose(&letter()).unwrap().message.formatted());

        let maildir = dir.path().join("Maildir");
        for sub in ["cur", "new", "tmp"] {
            fs::create_dir_all(maildir.join(sub)).unwrap();
        }
        carry(&mut Folder(maildir.clone()), &letter()).unwrap();
        let files: Vec<PathBuf> = fs::read_dir(maildir.join("new")).unwrap().map(|e| e.unwrap().path()).collect();
        let mail = fs::read(&files[0]).unwrap();
        assert!(!mail.contains(&b'\r') && attachments(&mail)[0].1 == packet().bytes());
        assert_eq!(fs::read_dir(maildir.join("tmp")).unwrap().count(), 0);
        fs::write(dir.path().join("file"), "").unwrap();
        let failure = carry(&mut Folder(dir.path().join("file")), &letter()).unwrap_err();
        assert_eq!(failure.fate, Fate::Setup);
        assert!(failure.error.to_string().contains("folder:"));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_gets_the_mail_and_its_refusals_are_told_apart() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let script = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            Program::new(&path).unwrap().patience(Duration::from_secs(20))
        };
        let here = dir.path().display();
        let mut good = script("good", &format!("echo \"$@\" > '{here}/args'; cat > '{here}/mail'"));
        carry(&mut good, &letter()).unwrap();
        assert_eq!(
            fs::read_to_string(dir.path().join("args")).unwrap(),
            "-i -f jacob@wasp.example -- thomas@frolic.example\n"
        );
        let mail = fs::read(dir.path().join("mail")).unwrap();
        assert!(!mail.contains(&b'\r') && attachments(&mail)[0].1 == packet().bytes());
        for (code, fate) in
            [(75, Fate::Later), (67, Fate::Never), (69, Fate::Later), (78, Fate::Setup), (64, Fate::Setup)]
        {
            let text = format!("cat > /dev/null; printf 'no such \\033[31muser' >&2; exit {code}");
            let failure = carry(&mut script(&format!("c{code}"), &text), &letter()).unwrap_err();
            assert_eq!(failure.fate, fate);
            let said = failure.error.to_string();
            assert!(said.contains("no such [31muser") && !said.contains('\u{1b}'), "{said}");
        }
        let mut large = letter();
        large.packet = Some(Packet { files: vec![vec![1; 1 << 20]] }.bytes());
        let deaf = carry(&mut script("deaf", "exit 0"), &large).unwrap_err();
        assert!(deaf.fate == Fate::Later && deaf.error.to_string().contains("had read the whole"));
        let stuck = script("stuck", "sleep 30").patience(Duration::from_millis(300));
        let failure = carry(&mut { stuck }, &large).unwrap_err();
        assert!(failure.fate == Fate::Later && failure.error.to_string().contains("in time"));
        assert!(Program::new(Path::new("/no/such/program")).unwrap_err().to_string().contains("sendmail:"));
    }
}

mod server {
    use super::*;

    fn account(port: u16, more: &str) -> Account {
        let text =
            format!("address: jacob@wasp.example\nsend:\n  smtp:\n    host: localhost\n    port: {port}\n{more}");
        Account::parse(text.as_bytes(), "mail.yaml").unwrap()
    }

    fn send(account: &Account, outbox: &Outbox, now: DateTime<Utc>) -> countersign::mail::outbox::Run {
        let (mut way, _) = carrier(account).unwrap();
        outbox.send(way.as_mut(), now).unwrap()
    }

    #[test]
    fn packets_come_out_byte_for_byte() {
        let Some(office) = PostOffice::open(&[]) else { return };
        let dir = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(dir.path()).unwrap();
        let ascii: Vec<u8> = b"all ASCII\nwith bare line feeds\n.\n..\n.dots\nFrom the start\nblanks   \n".to_vec();
        let binary: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let mut letters = Vec::new();
        for (n, content) in
            [Vec::new(), ascii.clone(), binary.clone(), b"\r\n\r.\n\n".to_vec(), vec![b'x'; 100_000]].iter().enumerate()
        {
            let mut letter = letter();
            letter.number = u32::try_from(n).unwrap();
            letter.from.name = "Jürgen Ångström".to_owned();
            letter.to[0].name = "Øyvind 明".to_owned();
            letter.title = "Wasp v Frolic à l’aube - turn 3".to_owned();
            letter.report = format!(".\n..\n.dot\nFrom here\n{}\nGrüße, 明\n\ttrailing   \n", "long ".repeat(600));
            letter.packet = Some(Packet { files: vec![content.clone()] }.bytes());
            letter.enclosures = vec![
                Enclosure { name: "report.html".to_owned(), content: Content::Html, bytes: ascii.clone() },
                Enclosure { name: "game.log".to_owned(), content: Content::File, bytes: binary.clone() },
            ];
            outbox.put(&compose(&letter).unwrap(), noon()).unwrap();
            letters.push(letter);
        }
        let run = send(&account(office.port, ""), &outbox, noon());
        assert_eq!(run.sent.len(), letters.len(), "{run:?}");
        let came = office.came();
        assert_eq!(came.len(), letters.len());
        for (letter, (to, mail)) in letters.iter().zip(&came) {
            assert_eq!(to, "thomas@frolic.example");
            assert!(*mail == compose(letter).unwrap().message.formatted(), "the mail is what was written");
            let files: Vec<Vec<u8>> = attachments(mail).into_iter().map(|(_, bytes)| bytes).collect();
            assert_eq!(files, [letter.packet.clone().unwrap(), ascii.clone(), binary.clone()]);
            let text = body(mail);
            assert!(
                text.contains("\n.\n..\n.dot\nFrom here\n") || text.contains("\r\n.\r\n..\r\n.dot\r\nFrom here\r\n")
            );
            assert!(text.contains("Grüße, 明"), "{text}");
            if letter.packet.as_ref().unwrap().len() < 60_000 {
                assert_eq!(Packet::find(text.as_bytes()).unwrap()[0].bytes(), letter.packet.clone().unwrap());
            }
            let parsed = MessageParser::default().parse(mail).unwrap();
            assert_eq!(parsed.subject(), Some("[countersign 1a2b3c4d] Wasp v Frolic à l’aube - turn 3: your move"));
            assert_eq!(parsed.from().unwrap().first().unwrap().name(), Some("Jürgen Ångström"));
            assert_eq!(parsed.to().unwrap().first().unwrap().name(), Some("Øyvind 明"));
        }
    }

    #[test]
    fn a_busy_server_gets_it_later_and_a_lost_answer_brings_the_same_mail_again() {
        let Some(office) = PostOffice::open(&["--busy=2", "--drop=1"]) else { return };
        let dir = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(dir.path()).unwrap();
        let letter = compose(&letter()).unwrap();
        outbox.put(&letter, noon()).unwrap();
        let account = account(office.port, "");
        let (mut now, mut said) = (noon(), Vec::new());
        for _ in 0..3 {
            let run = send(&account, &outbox, now);
            assert_eq!(run.later.len(), 1, "{run:?}");
            said.push(run.later[0].error.clone().unwrap());
            now = run.later[0].at;
        }
        assert!(said[0].contains("cannot take the mail now") && said[0].contains("451"), "{}", said[0]);
        assert!(said[2].contains("broke before it said"), "{}", said[2]);
        assert_eq!(send(&account, &outbox, now).sent.len(), 1);
        let came = office.came();
        assert_eq!(came.len(), 2, "the server had it the first time");
        assert_eq!(came[0], came[1], "the second is the first, Message-ID and all");
        assert!(String::from_utf8_lossy(&came[0].1).contains(&letter.id));
    }

    #[test]
    fn refusals_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(dir.path()).unwrap();
        outbox.put(&two(), noon()).unwrap();
        let Some(office) = PostOffice::open(&["--unknown=thomas@frolic.example"]) else { return };
        let run = send(&account(office.port, ""), &outbox, noon());
        assert_eq!((run.sent.len(), run.failed.len()), (1, 1), "{run:?}");
        let why = run.failed[0].error.clone().unwrap();
        assert!(why.contains("receiver is refused") && why.contains("User unknown") && why.contains("slip"), "{why}");
        assert_eq!(office.came().len(), 1);

        for (option, words, setup) in [
            ("--stranger=jacob@wasp.example", "from this address", true),
            ("--spam", "refuses this mail", false),
            ("--login=jacob:right", "does not let us in", true),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let outbox = Outbox::open(dir.path()).unwrap();
            outbox.put(&compose(&letter()).unwrap(), noon()).unwrap();
            let office = PostOffice::open(&[option]).unwrap();
            let run = send(&account(office.port, ""), &outbox, noon());
            let why = if setup { run.setup.unwrap().to_string() } else { run.failed[0].error.clone().unwrap() };
            assert!(why.contains(words), "{why}");
        }
    }

    #[test]
    fn a_login_works_and_a_wrong_password_is_said_and_shown_nowhere() {
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("secret");
        let more = format!("    user: jacob\n    password_file: {}\n", secret.display());
        let path = dir.path().join("outbox");
        let outbox = Outbox::open(&path).unwrap();
        outbox.put(&compose(&letter()).unwrap(), noon()).unwrap();
        let Some(office) = PostOffice::open(&["--login=jacob:right horse", "--parrot"]) else { return };
        fs::write(&secret, "wrong-mule\n").unwrap();
        let run = send(&account(office.port, &more), &outbox, noon());
        let why = run.setup.unwrap().to_string();
        assert!(why.contains("user or password is wrong") && why.contains("[password]"), "{why}");
        assert!(!why.contains("wrong-mule"), "{why}");
        fs::write(&secret, "right horse\n").unwrap();
        assert_eq!(send(&account(office.port, &more), &outbox, noon()).sent.len(), 1);
        for file in tree(&path) {
            let text = fs::read_to_string(path.join(file)).unwrap();
            assert!(!text.contains("wrong-mule") && !text.contains("right horse"));
        }
    }

    #[test]
    fn nobody_there_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(dir.path()).unwrap();
        outbox.put(&compose(&letter()).unwrap(), noon()).unwrap();
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let run = send(&account(free, ""), &outbox, noon());
        assert!(run.later[0].error.as_ref().unwrap().contains("no connection to the mail server localhost"));
        let text = "address: a@b.example\nsend: {smtp: {host: no-such-host.invalid}}\n";
        let run = send(&Account::parse(text.as_bytes(), "").unwrap(), &outbox, noon() + TimeDelta::days(1));
        assert!(run.later[0].error.as_ref().unwrap().contains("`no-such-host.invalid` is not found"));
        // A server that accepts and says nothing is given up in time.
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let Way::Smtp(smtp) = account(silent.local_addr().unwrap().port(), "").send else { panic!() };
        let (server, _) = countersign::mail::send::Server::new(&smtp).unwrap();
        let run = outbox.send(&mut server.patience(Duration::from_millis(300)), noon() + TimeDelta::days(2)).unwrap();
        assert!(run.later[0].error.as_ref().unwrap().contains("no connection"), "{run:?}");
    }

    #[test]
    fn tls_is_spoken_and_a_server_that_cannot_prove_itself_gets_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let [authority, certificate, key] = smtp::certificate(dir.path());
        let secret = dir.path().join("secret");
        fs::write(&secret, "right").unwrap();
        let login = format!("    user: jacob\n    password_file: {}\n", secret.display());
        let known = format!("    ca_file: {}\n", authority.display());
        let files = [format!("--cert={}", certificate.display()), format!("--key={}", key.display())];
        for (mode, security, other) in [("starttls", "starttls", "tls"), ("implicit", "tls", "starttls")] {
            let options = [&format!("--tls={mode}"), &files[0], &files[1], "--login=jacob:right"];
            let Some(office) = PostOffice::open(&options) else { return };
            let path = dir.path().join(mode);
            let outbox = Outbox::open(&path).unwrap();
            outbox.put(&compose(&letter()).unwrap(), noon()).unwrap();
            let try_with = |security: &str, more: &str| {
                let more = format!("    security: {security}\n{login}{more}");
                let Way::Smtp(smtp) = account(office.port, &more).send else { panic!() };
                let (server, _) = countersign::mail::send::Server::new(&smtp).unwrap();
                let due = noon() + TimeDelta::days(30);
                outbox.send(&mut server.patience(Duration::from_secs(2)), due).unwrap()
            };
            let run = try_with(security, "");
            let why = run.setup.unwrap().to_string();
            assert!(why.contains("cannot prove that it is that server"), "{why}");
            let run = try_with(other, &known);
            assert!(run.sent.is_empty(), "{run:?}");
            assert!(office.came().is_empty());
            let why = run.setup.map_or_else(|| run.later[0].error.clone().unwrap(), |e| e.to_string());
            let words = if other == "tls" { "does not speak TLS at once" } else { "no connection" };
            assert!(why.contains(words) && why.contains("security:"), "{why}");
            let more = format!("    security: {security}\n{login}{known}");
            assert_eq!(send(&account(office.port, &more), &outbox, noon() + TimeDelta::days(60)).sent.len(), 1);
            assert_eq!(office.came().len(), 1);
        }
    }
}
