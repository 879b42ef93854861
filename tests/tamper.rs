//! Every kind of fault a verifier tells apart, one test each, and every single-byte change of a small log.

mod common;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::Numbers;
use common::table::{Party, key, two, two_with};
use countersign::catalog;
use countersign::doc::{SignedFile, Tree, parsed_digest};
use countersign::log::{Entry, Fault, Intent, Kind, check_protocol, read_step, verify};
use countersign::seal::{Digest, Namespace, SecretKey, Signature, sha256};
use std::collections::BTreeMap;

/// Two turns played by the book, then a concession.
fn small() -> (Vec<String>, Vec<Party>) {
    play(two("wasp-frolic", 1))
}

fn play(mut parties: Vec<Party>) -> (Vec<String>, Vec<Party>) {
    let mut numbers = Numbers(77);
    for _ in 0..2 {
        for me in [0, 1, 0] {
            let answers =
                if parties[me].to_answer() { parties[me].random_answers(&mut numbers) } else { BTreeMap::new() };
            let answers = answers.into_iter().map(|(slot, content)| (slot, without_react(&content))).collect();
            parties[me].send(&Intent { answers, ..Intent::default() });
            for signed in std::mem::take(&mut parties[me].out) {
                parties[1 - me].receive(&signed);
            }
        }
    }
    let text = String::from_utf8(parties[0].history.log().bytes()).unwrap();
    (text.lines().map(str::to_owned).collect(), parties)
}

/// A plot without REACT, so that every turn is three files.
fn without_react(content: &str) -> String {
    let Tree::Map(mut fields) = Tree::from_json(content).unwrap() else { return content.to_owned() };
    fields.retain(|(name, _)| name != "react");
    Tree::Map(fields).to_json()
}

fn check(lines: &[String]) -> Result<(), Box<Fault>> {
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    verify(text.as_bytes(), &catalog::embedded, None).map(drop)
}

/// Numbers and hashes of the lines made to follow again, as a forger would.
fn rechain(lines: &[String]) -> Vec<String> {
    let mut prev = Digest([0; 32]);
    let mut out = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let mut entry = Entry::parse(line).unwrap();
        match &mut entry {
            Entry::File(e) => (e.i, e.prev) = (i, prev),
            Entry::Result(e) => (e.i, e.prev) = (i, prev),
        }
        let line = entry.line();
        prev = sha256(line.as_bytes());
        out.push(line);
    }
    out
}

fn fault(lines: &[String]) -> Box<Fault> {
    check(&rechain(lines)).unwrap_err()
}

/// The document of an entry changed and signed anew by a key.
fn resign(line: &str, signer: &SecretKey, change: impl Fn(&str) -> String) -> String {
    let Entry::File(mut entry) = Entry::parse(line).unwrap() else { panic!("a file") };
    let document = change(&String::from_utf8(STANDARD.decode(&entry.file).unwrap()).unwrap());
    let signature = Signature::sign(signer, Namespace::Orders, document.as_bytes());
    entry.file = STANDARD.encode(&document);
    entry.sig = STANDARD.encode(signature.blob());
    if let Ok(read) = read_step(&SignedFile { document, signature }) {
        entry.parsed = parsed_digest(&read);
    }
    Entry::File(entry).line()
}

fn result(line: &str, change: impl Fn(&mut countersign::log::ResultEntry)) -> String {
    let Entry::Result(mut entry) = Entry::parse(line).unwrap() else { panic!("a result") };
    change(&mut entry);
    Entry::Result(entry).line()
}

// The small log: 0 proposal, 1 acceptance, 2 result; then per turn: american seals, american opens and links, british
// answers in clear and links, result.
const SEALS: usize = 3;
const OPENS: usize = 4;
const CLEAR: usize = 5;
const RESULT: usize = 6;

#[test]
fn the_small_log_is_good() {
    let (lines, _) = small();
    assert_eq!(lines.len(), 11);
    check(&lines).unwrap();
    assert_eq!(rechain(&lines), lines);
}

#[test]
fn the_protocol_check_knows_no_rules_and_finds_what_is_not_rules() {
    let (lines, parties) = small();
    let text = |lines: &[String]| -> Vec<u8> { lines.iter().flat_map(|l| format!("{l}\n").into_bytes()).collect() };
    let sound = check_protocol(&text(&lines)).unwrap();
    assert_eq!((sound.entries, sound.signatures, sound.head), (11, 8, parties[0].history.head()));
    assert!(sound.openings > 0);
    type Change<'a> = (usize, &'a dyn Fn(&str) -> String, Kind);
    let changes: [Change<'_>; 2] = [
        (OPENS, &|d: &str| d.replacen("\\\"", "\\\"x", 1), Kind::Opening),
        (CLEAR, &|d: &str| d.replace("step: 1", "step: 2"), Kind::Binding),
    ];
    for (at, change, kind) in changes {
        let mut changed = lines.clone();
        changed[at] = resign(&lines[at], &key(if at == OPENS { 1 } else { 2 }), change);
        assert_eq!(check_protocol(&text(&rechain(&changed))).unwrap_err().kind, kind);
    }
    let mut seed = lines.clone();
    seed[RESULT] = result(&lines[RESULT], |e| e.seed = Some(sha256(b"s")));
    assert_eq!(check_protocol(&text(&rechain(&seed))).unwrap_err().kind, Kind::Seed);
    seed[RESULT] = result(&lines[RESULT], |e| e.seed = None);
    assert_eq!(check_protocol(&text(&rechain(&seed))).unwrap_err().kind, Kind::Seed);
}

/// A wrong link makes its file talk; the other refuses it and the step is asked again. The log is sound, and says so.
#[test]
fn a_refused_wrong_link_is_no_fault_of_the_log() {
    let mut parties = two("wasp-frolic", 3);
    let mut numbers = Numbers(1);
    let answers = parties[0].random_answers(&mut numbers);
    assert!(parties[0].send(&Intent { answers, ..Intent::default() }));
    for signed in std::mem::take(&mut parties[0].out) {
        parties[1].receive(&signed);
    }
    let b = &parties[1];
    let intent = Intent { answers: b.random_answers(&mut numbers), ..Intent::default() };
    let mut file =
        b.player.next(&b.history, &b.posts, &b.secrets, &intent, "2026-01-02T00:00:00Z").unwrap().unwrap().file;
    file.link = Some(sha256(b"not the committed one"));
    let signed = b.player.sign(Namespace::Orders, &file).unwrap();
    parties[0].receive(&signed);
    assert!(parties[0].send(&Intent::default()), "the honest side refuses it");
    assert_eq!(parties[0].history.step(), 2);
    let log = parties[0].history.log().bytes();
    verify(&log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{f}"));
    check_protocol(&log).unwrap_or_else(|f| panic!("{f}"));
    // The same link in a step that claims to be resolved is a fault.
    let lines: Vec<String> = String::from_utf8(log).unwrap().lines().map(str::to_owned).collect();
    let mut claimed = lines.clone();
    let last = claimed.len() - 1;
    claimed[last] = result(&lines[last], |e| e.how = "resolved".into());
    let bytes: Vec<u8> = rechain(&claimed).iter().flat_map(|l| format!("{l}\n").into_bytes()).collect();
    assert_eq!(check_protocol(&bytes).unwrap_err().kind, Kind::Link);
}

#[test]
fn every_single_byte_change_is_found() {
    let (lines, _) = small();
    let good: Vec<u8> = lines.iter().flat_map(|l| format!("{l}\n").into_bytes()).collect();
    assert!(good.len() <= 60_000, "{}", good.len());
    let every = if std::env::var("SOAK").is_ok() { 1 } else { 7 };
    for at in (0..good.len()).step_by(every) {
        for change in [1u8, 0x20] {
            let mut bytes = good.clone();
            bytes[at] ^= change;
            assert!(verify(&bytes, &catalog::embedded, None).is_err(), "byte {at} ^ {change}");
        }
    }
    for cut in (0..good.len()).step_by(97) {
        let head = verify(&good, &catalog::embedded, None).unwrap().history.head();
        assert!(verify(&good[..cut], &catalog::embedded, Some(head)).is_err(), "cut at {cut}");
    }
}

#[test]
fn form_and_order() {
    let (lines, _) = small();
    let mut garbage = lines.clone();
    garbage[4] = "{\"hello\":1}".into();
    assert_eq!(check(&garbage).unwrap_err().kind, Kind::Form);
    let spaced: Vec<String> = lines.iter().map(|l| l.replacen(',', ", ", 1)).collect();
    assert_eq!(check(&spaced).unwrap_err().kind, Kind::Form);
    for change in [
        |l: &mut Vec<String>| drop(l.remove(4)),
        |l: &mut Vec<String>| l.insert(4, l[4].clone()),
        |l: &mut Vec<String>| l.swap(4, 5),
    ] {
        let mut changed = lines.clone();
        change(&mut changed);
        assert_eq!(check(&changed).unwrap_err().kind, Kind::Order);
    }
}

#[test]
fn a_missing_doubled_or_reordered_file_is_found_even_when_the_chain_is_mended() {
    let (lines, _) = small();
    for change in [
        |l: &mut Vec<String>| drop(l.remove(OPENS)),
        |l: &mut Vec<String>| l.insert(4, l[4].clone()),
        |l: &mut Vec<String>| l.swap(SEALS, CLEAR),
    ] {
        let mut changed = lines.clone();
        change(&mut changed);
        let fault = fault(&changed);
        assert!(matches!(fault.kind, Kind::Block | Kind::LinkTooEarly | Kind::Opening), "{fault}");
    }
}

#[test]
fn signature_key_and_seat() {
    let (lines, _) = small();
    let mut changed = lines.clone();
    let Entry::File(mut entry) = Entry::parse(&lines[CLEAR]).unwrap() else { panic!() };
    let document = String::from_utf8(STANDARD.decode(&entry.file).unwrap()).unwrap().replace("2026", "2027");
    entry.file = STANDARD.encode(document);
    changed[CLEAR] = Entry::File(entry).line();
    assert_eq!(fault(&changed).kind, Kind::Signature);
    let mut stranger = lines.clone();
    stranger[CLEAR] = resign(&lines[CLEAR], &key(9), str::to_owned);
    assert_eq!(fault(&stranger).kind, Kind::WrongSeat);
    let mut seat = lines.clone();
    seat[CLEAR] = lines[CLEAR].replace("\"seat\":\"british\"", "\"seat\":\"american\"");
    assert_eq!(fault(&seat).kind, Kind::WrongSeat);
}

#[test]
fn a_document_read_otherwise() {
    let (lines, _) = small();
    let mut changed = lines.clone();
    let Entry::File(mut entry) = Entry::parse(&lines[CLEAR]).unwrap() else { panic!() };
    entry.parsed = sha256(b"another reading");
    changed[CLEAR] = Entry::File(entry).line();
    assert_eq!(fault(&changed).kind, Kind::Document);
}

#[test]
fn links() {
    let (lines, _) = small();
    let with = |change: &dyn Fn(&str) -> String| {
        let mut changed = lines.clone();
        changed[OPENS] = resign(&lines[OPENS], &key(1), change);
        fault(&changed).kind
    };
    let wrong = |document: &str| {
        let at = document.find("link: \"").unwrap() + 7;
        format!("{}{}{}", &document[..at], sha256(b"x"), &document[at + 64..])
    };
    assert_eq!(with(&wrong), Kind::Link);
    let unnamed = |document: &str| {
        let mut lines: Vec<&str> = document.lines().collect();
        let at = lines.iter().position(|l| *l == "names:").unwrap();
        lines.drain(at..at + 2);
        lines.join("\n") + "\n"
    };
    assert_eq!(with(&unnamed), Kind::LinkTooEarly);
    let opened = |document: &str| {
        document.replacen("\\\"any\\\"", "\\\"hold\\\"", 1).replacen("\\\"straight\\\"", "\\\"stop\\\"", 1)
    };
    assert_eq!(with(&opened), Kind::Opening);
}

#[test]
fn an_illegal_order_executed() {
    let (lines, _) = small();
    let mut changed = lines.clone();
    changed[CLEAR] = resign(&lines[CLEAR], &key(2), |document| {
        let kept: Vec<String> = document
            .lines()
            .map(|l| {
                if l.contains("/plot/marker/") {
                    format!("{}: \"left\"", l.split(": ").next().unwrap())
                } else {
                    l.to_owned()
                }
            })
            .collect();
        kept.join("\n") + "\n"
    });
    let fault = fault(&changed);
    assert_eq!(fault.kind, Kind::IllegalOrder, "{fault}");
    assert!(fault.found.contains("NAV-5.10"), "{fault}");
}

#[test]
fn results() {
    let (lines, _) = small();
    type Change = fn(&mut countersign::log::ResultEntry);
    let cases: [(Change, Kind); 5] = [
        (|e| e.seed = Some(sha256(b"s")), Kind::Seed),
        (|e| e.events = sha256(b"e"), Kind::Events),
        (|e| e.position = sha256(b"p"), Kind::Position),
        (|e| e.needs[0] = e.needs[0].replace("british", "american"), Kind::Needs),
        (|e| e.how = "agreed".into(), Kind::Block),
    ];
    for (change, kind) in cases {
        let mut changed = lines.clone();
        changed[RESULT] = result(&lines[RESULT], change);
        let fault = fault(&changed);
        assert_eq!((fault.kind, fault.entry), (kind, RESULT), "{fault}");
    }
}

#[test]
fn files_of_another_game_step_or_history() {
    let (lines, _) = small();
    let (others, _) = play(two("wasp-frolic", 2));
    let mut changed = lines.clone();
    changed[SEALS].clone_from(&others[SEALS]);
    assert_eq!(fault(&changed).kind, Kind::Binding);
    let mut later = lines.clone();
    later[SEALS].clone_from(&lines[SEALS + 4]);
    assert_eq!(fault(&later).kind, Kind::Binding);
}

#[test]
fn truncated_and_forked() {
    let (lines, parties) = small();
    let bytes = |lines: &[String]| -> Vec<u8> { lines.iter().flat_map(|l| format!("{l}\n").into_bytes()).collect() };
    assert_eq!(check(&lines[..5]).unwrap_err().kind, Kind::Truncated);
    let whole = Some(parties[0].history.head());
    let cut = verify(&bytes(&lines[..7]), &catalog::embedded, whole).unwrap_err();
    assert_eq!(cut.kind, Kind::Forked);
    let (_, other) = play(two_with("wasp-frolic", &BTreeMap::from([("N05".to_owned(), "one".to_owned())]), 1));
    assert_eq!(
        verify(&bytes(&lines), &catalog::embedded, Some(other[0].history.head())).unwrap_err().kind,
        Kind::Forked
    );
    assert_eq!(verify(b"", &catalog::embedded, None).unwrap_err().kind, Kind::Form);
}

#[test]
fn scenario_version_and_ruleset() {
    let (lines, _) = small();
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    let other = |id: &str| catalog::embedded(id).map(|t| t.replace("guns: 2", "guns: 8"));
    assert_eq!(verify(text.as_bytes(), &other, None).unwrap_err().kind, Kind::Scenario);
    assert_eq!(verify(text.as_bytes(), &|_: &str| None, None).unwrap_err().kind, Kind::Scenario);
    let terms = |change: &dyn Fn(&str) -> String| {
        let mut changed = lines.clone();
        let Entry::File(mut entry) = Entry::parse(&lines[0]).unwrap() else { panic!() };
        let document = change(&String::from_utf8(STANDARD.decode(&entry.file).unwrap()).unwrap());
        entry.sig = STANDARD.encode(Signature::sign(&key(1), Namespace::Terms, document.as_bytes()).blob());
        entry.file = STANDARD.encode(document);
        changed[0] = Entry::File(entry).line();
        fault(&changed)
    };
    let version = terms(&|d| d.replace("countersign: 1", "countersign: 7"));
    assert_eq!(version.kind, Kind::Version, "{version}");
    assert!(version.found.contains('7') && version.expected.contains('1'), "both versions are named: {version}");
    assert_eq!(
        terms(&|d| d.replace("resend_days: 7", "resend_days: 8")).kind,
        Kind::Terms,
        "the acceptance names another proposal"
    );
}
