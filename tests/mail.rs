//! Mails as the common programs send them, each with its right outcome, and the manglings that other projects have
//! met (`reports.md`, "Mail mangling"), each with the line it comes from.
#![cfg(feature = "mail")]

mod common;

use common::mail::{base64, clear, filled, html, mail, mixed, packet, payload, qp, quoted, signed, text};
use countersign::doc::{SignedFile, lint};
use countersign::mail::find::{Found, read};
use countersign::mail::machine::Machine;
use countersign::seal::{Namespace, SecretKey, Signature};

fn crlf(mail: &str) -> String {
    mail.replace('\n', "\r\n")
}

/// Exactly these files come out, with LF, CRLF and CR line ends.
fn all(mail: &str, files: &[SignedFile]) -> Found {
    for ends in ["\r\n", "\r", "\r\r\n"] {
        let found = read(mail.replace('\n', ends).as_bytes());
        assert_eq!(found.files, files, "{ends:?}\n{mail}\n{:?}", found.notes);
    }
    let found = read(mail.as_bytes());
    assert_eq!(found.files, files, "{mail}\n{:?}", found.notes);
    found
}

fn silent(mail: &str, files: &[SignedFile]) -> Found {
    let found = all(mail, files);
    assert!(found.notes.is_empty(), "{mail}\n{:?}", found.notes);
    found
}

/// Nothing comes out, and a note says these words.
fn refused(mail: &str, words: &[&str]) -> Found {
    let found = read(mail.as_bytes());
    assert!(found.files.is_empty(), "{mail}");
    let notes = found.notes.join("\n");
    assert!(words.iter().all(|w| notes.contains(w)), "{words:?} not in: {notes}\n{mail}");
    found
}

#[test]
fn every_client_s_mail_is_read() {
    let files = payload();
    for name in [
        "gmail",
        "outlook",
        "thunderbird",
        "applemail",
        "iphone",
        "mailcmd",
        "gmx",
        "japanese",
        "forwarded",
        "glued",
        "eressea",
        "nomime",
    ] {
        let found = silent(&filled(name, &files), &files);
        assert_eq!(found.head.machine, None, "{name}");
        let sender = if matches!(name, "iphone" | "forwarded") { "bob@example.org" } else { "anna@example.org" };
        assert_eq!(found.head.from.as_deref(), Some(sender), "{name}");
    }
}

#[test]
fn lists_and_our_own_program_are_read_and_get_no_answer() {
    let files = payload();
    for (name, machine) in [("list", Machine::List), ("digest", Machine::List), ("ours", Machine::Ours)] {
        assert_eq!(silent(&filled(name, &files), &files).head.machine, Some(machine), "{name}");
    }
}

#[test]
fn a_bounce_and_a_holiday_note_are_neither_read_nor_answered() {
    let files = payload();
    let found = refused(&filled("bounce", &files), &["report of a mail server"]);
    assert_eq!(found.head.machine, Some(Machine::Report));
    let found = refused(&filled("holiday", &files), &["automatic answer"]);
    assert_eq!(found.head.machine, Some(Machine::Answer));
    // A person forwards the bounce: what it quotes is still not his.
    let forwarded = mixed(&[format!("Content-Type: message/rfc822\n\n{}", filled("bounce", &files))]);
    let found = refused(&forwarded, &["report of a mail server"]);
    assert_eq!(found.head.machine, None);
}

#[test]
fn a_head_has_what_an_answer_needs() {
    let head = read(filled("gmail", &payload()).as_bytes()).head;
    assert_eq!(head.message_id.as_deref(), Some("CA+second@mail.example.org"));
    assert_eq!(head.in_reply_to.as_deref(), Some("CA+first@mail.example.org"));
    assert_eq!(head.references, ["CA+first@mail.example.org"]);
    assert_eq!(head.subject.as_deref(), Some("Re: Clash of frigates, turn 3"));
    assert_eq!(head.date.as_deref(), Some("2026-03-02T20:14:07+01:00"));
    assert_eq!(read(filled("japanese", &payload()).as_bytes()).head.subject.as_deref(), Some("第3手"));
}

#[test]
fn attachments_come_first_and_each_file_once() {
    let (files, other) = (payload(), signed(3, Namespace::Orders, "countersign: 1\nkind: step\n"));
    let mail = mixed(&[
        format!(
            "Content-Type: text/plain; charset=utf-8\n\n{}\n{}",
            clear(std::slice::from_ref(&other)),
            packet(&files[1..]).armor()
        ),
        format!(
            "Content-Type: image/png; name=x.png\nContent-Transfer-Encoding: base64\n\n{}",
            base64(files[0].bytes(), 64)
        ),
        format!("Content-Type: text/plain\n\n{}", packet(&files).armor()),
    ]);
    silent(&mail, &[files[0].clone(), files[1].clone(), other]);
}

/// The answer above, the other's old block quoted below: both come out, and the game takes what it needs.
#[test]
fn a_reply_brings_its_own_block_and_the_quoted_one() {
    let files = payload();
    let (new, old) = (packet(&files[..1]).armor(), packet(&files[1..]).armor());
    silent(&mail("", &format!("Here I go.\n{new}\nOn Sunday Bob wrote:\n{}", quoted(&old))), &files);
    // The quoted one was cut short: the new one comes, and a word about the rest.
    let found = all(&mail("", &format!("{new}\n{}", quoted(&old[..300]))), &files[..1]);
    assert!(found.notes[0].contains("cut off"), "{:?}", found.notes);
}

#[test]
fn any_name_any_type_any_width() {
    let files = payload();
    for kind in ["text/plain; name=a.txt", "application/zip", "message/x-odd", "garbage", "text/html; charset=utf-16"] {
        for width in [19, 60, 76, 998, 100_000] {
            let part = format!(
                "Content-Type: {kind}\nContent-Transfer-Encoding: BASE64\nContent-Disposition: attachment; filename=\"z.doc\"\n\n"
            );
            if kind != "message/x-odd" {
                silent(&mixed(&[part + &base64(packet(&files).bytes(), width)]), &files);
            }
        }
    }
}

#[test]
fn no_mime_broken_mime_and_files_that_are_no_mails() {
    let files = payload();
    silent(&packet(&files).armor(), &files);
    silent(&text(packet(&files).bytes()), &files);
    silent(&text(files[0].bytes()), &files[..1]);
    silent(&mail("Content-Type: multipart/mixed\n", &format!("--x\n\n{}\n--x--\n", packet(&files).armor())), &files);
    silent(&mail("Content-Type: multipart/mixed; boundary=never\n", &packet(&files).armor()), &files);
    silent(&mail("Content-Type: text/plain\n", &base64(packet(&files).armor(), 76)), &files);
    silent(&mail("Content-Transfer-Encoding: base64\n", &base64(base64(packet(&files).armor(), 76), 76)), &files);
    refused("", &["this mail is empty"]);
    refused(&mail("", "Good luck, Bob!\n"), &["no packet and no signed file"]);
    refused(&mail("", "countersign: 1\nkind: step\n"), &["not signed"]);
}

#[test]
fn html_only_quotes_and_footers() {
    let files = payload();
    let head = "Content-Type: text/html; charset=utf-8\n";
    silent(&mail(head, &format!("<html>{}</html>", html(&packet(&files).armor()))), &files);
    silent(&mail(head, &format!("<pre>{}</pre>", packet(&files).armor())), &files);
    silent(&mail(head, &packet(&files).armor().replace('\n', "<br>").replace('+', "&#43;")), &files);
    silent(&mail("", &quoted(&quoted(&packet(&files).armor()))), &files);
    silent(&mail("", &format!("{}-- \nBob\n", quoted(&clear(&files)))), &files);
    silent(&mail("", &clear(&files).lines().map(|l| format!(">{l}\n")).collect::<String>()), &files);
    all(&mail(head, &html(&clear(&files))), &files);
    all(&mail(head, &format!("<pre>{}</pre>", clear(&files))), &files);
}

#[test]
fn charsets_declared_and_wrong() {
    let files = payload();
    let utf_16 = |t: &str| t.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let latin = |t: &str| t.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect::<Vec<u8>>();
    let part = |charset: &str, bytes: Vec<u8>| {
        mail(
            &format!("Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n"),
            &base64(bytes, 76),
        )
    };
    for whole in [clear(&files), packet(&files).armor()] {
        silent(&part("utf-16le", utf_16(&whole)), &files);
        silent(&part("utf-8", utf_16(&whole)), &files);
        silent(&part("utf-8", utf_16(&format!("\u{feff}{whole}"))), &files);
        silent(&part("iso-8859-1", latin(&whole)), &files);
        silent(&part("windows-1252", latin(&whole)), &files);
        silent(&part("utf-8", latin(&whole)), &files);
        silent(&part("windows-1252", whole.clone().into_bytes()), &files);
        silent(&part("iso-2022-jp", whole.clone().into_bytes()), &files);
        silent(&part("no-such-charset", whole.clone().into_bytes()), &files);
        silent(&part("utf-8", format!("\u{feff}{whole}").into_bytes()), &files);
        // Read as windows-1252 by a gateway and written as UTF-8 again.
        let twice: String = whole.bytes().map(char::from).collect();
        all(&part("utf-8", twice.into_bytes()), &files);
    }
}

#[test]
fn archives_and_encrypted_parts_are_refused_with_a_word() {
    let zip = mixed(&[
        "Content-Type: application/zip; name=orders.zip\nContent-Transfer-Encoding: base64\n\nUEsDBBQAAAAIAAAA\n"
            .to_owned(),
    ]);
    refused(&zip, &["zip archive", "was not opened"]);
    refused(&mail("Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n", "MIIB\n"), &["encrypted"]);
    refused(&mail("Content-Type: message/partial; number=1\n", "x\n"), &["piece of a larger one"]);
    let tnef = [b"\x78\x9f\x3e\x22\x01\x00".as_slice(), &packet(&payload()).bytes(), b"\x00\x01"].concat();
    let head = "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n";
    silent(&mixed(&[head.to_owned() + &base64(tnef, 76)]), &payload());
    refused(&mixed(&[head.to_owned() + &base64(b"\x78\x9f\x3e\x22\x01\x00", 76)]), &["winmail.dat", "plain text"]);
}

#[test]
fn damage_is_told_in_words_and_never_repaired_by_guess() {
    let files = payload();
    let armor = packet(&files).armor();
    refused(&mail("", &armor[..armor.len() / 2]), &["cut off", "attached"]);
    refused(&mail("", &armor.replacen("Y291", "Y29x", 1)), &["damaged on its way"]);
    let attached = |bytes: &[u8]| {
        mixed(&[format!(
            "Content-Type: application/octet-stream; name=a.packet\nContent-Transfer-Encoding: base64\n\n{}",
            base64(bytes, 76)
        )])
    };
    let bytes = packet(&files).bytes();
    refused(&attached(&bytes[..bytes.len() / 4]), &["cut off"]);
    refused(&attached(b""), &["empty"]);
    refused(&attached(&text(bytes.clone()).replace("hold", "fire").into_bytes()), &["changed on its way"]);
    silent(&attached(text(bytes).replace('\n', "\r\n").as_bytes()), &files);
    let one = text(files[0].bytes());
    refused(&mail("", &one.replace("0812", "0813")), &["does not fit its signature", "attached file"]);
    refused(&mail("", one.split("-----END").next().unwrap()), &["cut off", "signature is missing"]);
    refused(&mail("", &one.replacen("U1NIU0lH", "U1NIU0l-", 1)), &["signature", "damaged"]);
    // The same file comes whole in another part: no word about the changed one.
    let both = mixed(&[format!("\n{}", one.replace("0812", "0813")), format!("\n{}", packet(&files).armor())]);
    silent(&both, &files);
}

/// A file signed by hand in a form no game takes: which form it was is found by trying.
#[test]
fn files_signed_in_another_form_are_told_so() {
    let key = SecretKey::from_seed([1; 32]);
    let hand = |document: &str| {
        document.replace('\r', "") + &Signature::sign(&key, Namespace::Orders, document.as_bytes()).armor()
    };
    for ends in ["\n", "\r\n"] {
        let body = |b: String| mail("", &b).replace('\n', ends);
        refused(&body(hand("countersign: 1\r\nkind: step\r\n")), &["line ends of Windows", "orders sign"]);
        refused(&body(hand("countersign: 1\nkind: step\n\n")), &["blank lines at its end"]);
        refused(&body(hand("countersign: 1\nkind: step").replace("step", "step\n")), &["without a line end"]);
        // A mark at its start is no fault, and comes back if a mail program took it off.
        let marked = hand("\u{feff}countersign: 1\n");
        for text in [marked.clone(), marked.replace('\u{feff}', "")] {
            assert_eq!(read(body(text).as_bytes()).files[0].document, "\u{feff}countersign: 1\n");
        }
    }
}

/// mailvelope#200: Gmail wraps lines. A comment of 120 characters, wrapped at 78 and at 998, is put right where the
/// signature proves it; with a word changed besides it is refused.
#[test]
fn line_7_rewrapped_lines() {
    let note = "the quick brown frigate sails over the lazy brig ".repeat(3);
    let file = signed(
        1,
        Namespace::Orders,
        &format!("# {}\ncountersign: 1\nkind: step\nanswers:\n  a: {}\n", &note[..118], "x".repeat(1200)),
    );
    let wrap = |file: &SignedFile, width: usize| -> String {
        let mut out = String::new();
        for line in text(file.bytes()).lines() {
            let mut rest = line;
            while rest.len() > width {
                let at = rest[..=width].rfind(' ').filter(|at| rest[..*at].trim().len() > 3).unwrap_or(width);
                out.push_str(&rest[..at]);
                out.push('\n');
                rest = rest[at..].strip_prefix(' ').unwrap_or(&rest[at..]);
            }
            out.push_str(rest);
            out.push('\n');
        }
        out
    };
    let short = signed(1, Namespace::Orders, &format!("# {}\ncountersign: 1\nkind: step\n", &note[..118]));
    let wrapped = wrap(&short, 78);
    assert_eq!(wrapped.lines().count(), text(short.bytes()).lines().count() + 1);
    let found = all(&mail("", &wrapped), std::slice::from_ref(&short));
    assert!(found.notes[0].contains("re-wrapped"), "{:?}", found.notes);
    let found = all(&mail("", &wrap(&file, 998)), &[file]);
    assert!(found.notes[0].contains("re-wrapped") && found.notes[0].contains("attachment"), "{:?}", found.notes);
    refused(&mail("", &wrapped.replace("quick", "quiet")), &["does not fit", "re-wrapped lines"]);
}

/// openpgpjs#1548: CRLF and trailing blanks. LF, CRLF, mixed, CR alone: the same file.
#[test]
fn line_8_line_ends_and_trailing_blanks() {
    let files = payload();
    silent(&mail("", &clear(&files)), &files);
    let mixed_ends: String =
        clear(&files).lines().enumerate().map(|(n, l)| format!("{l}{}", ["\n", "\r\n"][n % 2])).collect();
    assert_eq!(read(mail("", &mixed_ends).as_bytes()).files, files);
    let found = all(&mail("", &clear(&files).replace('\n', "  \n")), &files);
    assert!(found.notes[0].contains("blanks at the ends"), "{:?}", found.notes);
    let file = signed(1, Namespace::Orders, "countersign: 1\nanswers: \n  a: 1\n");
    all(&mail("", &text(file.bytes()).replace(": \n", ":\n")), &[file]);
}

/// FlowCrypt#1736: `-- ` and dash-space. A footer below the block; a document that begins with `---`.
#[test]
fn line_9_footers_and_dashes() {
    let files = payload();
    silent(&mail("", &format!("{}-- \nBob\n", clear(&files))), &files);
    let dashed: String =
        clear(&files).lines().map(|l| if l.starts_with('-') { format!("- {l}\n") } else { format!("{l}\n") }).collect();
    silent(&mail("", &dashed), &files);
    silent(&mail("", &format!("{}-- \nBob\n", packet(&files).armor())), &files);
    silent(&mail("", &packet(&files).armor().replace("-----", "- -----")), &files);
}

/// PgpCore#306: 0, 1 and 3 blank lines before the block, and behind it, are the same file.
#[test]
fn line_10_blank_lines_at_the_end() {
    let file = payload().remove(0);
    for blank in ["", "\n", "\n\n\n"] {
        let body = text(file.bytes()).replace("-----BEGIN", &format!("{blank}-----BEGIN")) + blank;
        silent(&mail("", &body), std::slice::from_ref(&file));
    }
}

/// stalwartlabs/mail-parser#115: base64 text/plain in multipart/mixed, ISO-2022-JP and UTF-8, has a body.
#[test]
fn line_11_base64_text_in_multipart_mixed() {
    let file = signed(1, Namespace::Orders, "countersign: 1\nsay: \"五分\"\n");
    silent(&filled("japanese", std::slice::from_ref(&file)), std::slice::from_ref(&file));
    let jp = text(file.bytes()).replace("五分", "\u{1b}$B8^J,\u{1b}(B");
    let part = |charset: &str, body: &str| {
        mixed(&[format!(
            "Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n\n{}",
            base64(body, 76)
        )])
    };
    silent(&part("iso-2022-jp", &jp), std::slice::from_ref(&file));
    silent(&part("us-ascii", &jp), std::slice::from_ref(&file));
    silent(&part("utf-8", &text(file.bytes())), &[file]);
}

/// nodemailer/mailparser#74: an attachment typed text/plain glued to the body: chatter is not read as orders.
#[test]
fn line_12_text_attachment_beside_chatter() {
    let files = payload();
    silent(&filled("glued", &files), &files);
    let glued = format!("Here are my orders: see below, and good luck.\n{}", clear(&files[..1]));
    silent(&mail("", &glued), &files[..1]);
}

/// Eressea intake: nested multiparts with inline orders and a picture.
#[test]
fn line_13_nested_multipart() {
    silent(&filled("eressea", &payload()), &payload());
}

/// email_reply_parser#23, #43: a line that begins with `On ` stays; a `wrote:` line over two lines does no harm.
#[test]
fn line_14_lines_that_begin_with_on() {
    let file = signed(1, Namespace::Orders, "On hex 0812: hold\ncountersign: 1\nkind: step\n");
    silent(&mail("", &text(file.bytes())), std::slice::from_ref(&file));
    let reply = format!(
        "Fine.\n\nOn Sun, 1 Mar 2026 at 18:02, Anna with a long name\n<anna@example.org> wrote:\n\n{}",
        quoted(&text(file.bytes()))
    );
    silent(&mail("", &reply), &[file]);
}

/// bulk_extractor#364: `to=0812` in quoted-printable, once and twice encoded, and not encoded though it says so.
#[test]
fn line_15_quoted_printable() {
    let files = payload();
    assert!(clear(&files).contains("to=0812"));
    let head = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n";
    for body in [clear(&files), packet(&files).armor()] {
        silent(&mail(head, &qp(&body)), &files);
        silent(&mail(head, &qp(qp(&body))), &files);
        silent(&mail("Content-Type: text/plain; charset=utf-8\n", &qp(&body)), &files);
    }
    silent(&mail(head, &packet(&files).armor().replace("\n=", "\n=3D")), &files);
    // `=08` is a control character to a reader of quoted-printable: the text that was signed is found in the raw mail.
    silent(&mail(head, &clear(&files)), &files);
}

/// eressea 2670, 2753 and others: no-break blanks as indentation, behind `:` and behind `-`. Put in on the way they
/// are undone; signed with the file they come out as they were, and the look at the text names them.
#[test]
fn line_16_no_break_blanks() {
    let files = payload();
    for (from, to) in [("  ", "\u{a0}\u{a0}"), (": ", ":\u{a0}"), ("- ", "-\u{a0}"), (" ", "\u{a0}")] {
        let body = clear(&files).replace(from, to);
        let found = all(&mail("Content-Type: text/plain; charset=utf-8\n", &body), &files);
        assert!(found.notes.iter().all(|n| n.contains("no-break")), "{:?}", found.notes);
    }
    silent(&mail("", &packet(&files).armor().replace(' ', "\u{a0}")), &files);
    let file = signed(1, Namespace::Orders, "countersign: 1\nunits:\n-\u{a0}unit:\u{a0}0102\n");
    silent(&mail("", &text(file.bytes())), std::slice::from_ref(&file));
    let problems = lint::lint(&file.document, "orders.yaml", 10_000).unwrap_err();
    assert!(problems[0].what.contains("no-break"), "{problems:?}");
}

/// validatorjs#940: zero-width space in an id, Cyrillic for Latin. The first is undone; the second nobody can see is
/// wrong, so it does not verify and says so; signed with the file, the look at the text names both.
#[test]
fn line_17_characters_nobody_sees() {
    let files = payload();
    all(&mail("", &clear(&files).replace("0812", "08\u{200b}12")), &files);
    silent(&mail("", &packet(&files).armor().replace("BEGIN", "BE\u{200b}GIN")), &files);
    refused(&mail("", &text(files[0].bytes()).replace("answers", "аnswers")), &["does not fit"]);
    for odd in ["unit: 01\u{200b}02\n", "unit: \"А1\"\n"] {
        let file = signed(1, Namespace::Orders, odd);
        silent(&mail("", &text(file.bytes())), std::slice::from_ref(&file));
        assert!(lint::lint(&file.document, "orders.yaml", 10_000).is_err(), "{odd}");
    }
}

/// eressea 2787: `unit: 42nd #2 Coy`. The mail brings it as it was signed; the look at the text names it.
#[test]
fn line_18_notes_that_eat_values() {
    let file = signed(1, Namespace::Orders, "countersign: 1\nunit: 42nd #2 Coy\n");
    silent(&mail("", &text(file.bytes())), std::slice::from_ref(&file));
    let problems = lint::lint(&file.document, "orders.yaml", 10_000).unwrap_err();
    assert!(problems[0].what.contains("a note"), "{problems:?}");
}

/// njudge#443: the first document broken, the second fine. In clear each stands for itself and the broken one is
/// named; of a packet nothing is taken.
#[test]
fn line_19_nothing_by_halves() {
    let files = payload();
    let broken = clear(&files).replacen("\"hold\"", "\"fire\"", 1);
    let found = all(&mail("", &broken), &files[1..]);
    assert!(found.notes[0].contains("does not fit its signature"), "{:?}", found.notes);
    let packet = text(packet(&files).bytes()).replacen("\"hold\"", "\"fire\"", 1);
    let head = "Content-Type: application/octet-stream; name=a.packet\nContent-Transfer-Encoding: base64\n\n";
    let found = read(mixed(&[head.to_owned() + &base64(&packet, 76)]).as_bytes());
    assert!(found.files.len() <= 1 && found.notes[0].contains("file 1 of 2"), "{found:?}");
}

/// sympa#1354, osTicket#1041, freescout#3670, njudge#284: an automatic answer that quotes a whole packet is neither
/// taken for orders nor answered.
#[test]
fn line_20_automatic_answers() {
    let found = refused(&filled("holiday", &payload()), &["automatic answer", "nothing it quotes was read"]);
    assert!(found.head.machine.is_some());
}

/// The Date rule of Eressea: whatever the date says, the mail is read; what is no date is missing.
#[test]
fn dates_decide_nothing() {
    let files = payload();
    for (date, read_as) in [("Wed, 2 Jan 2036 10:00:00 +0000", true), ("garbage", false), ("", false)] {
        let found = all(&mail(&format!("Date: {date}\n"), &packet(&files).armor()), &files);
        assert_eq!(found.head.date.is_some(), read_as, "{date}");
    }
}

#[test]
fn notes_are_for_people() {
    let notes = read(crlf(&mail("", &text(payload()[0].bytes()).replace("0812", "0813"))).as_bytes()).notes;
    for note in notes {
        assert!(!note.ends_with('.') && note.contains(": ask for"), "{note}");
    }
}
