//! The vectors of `schemas/protocol.md`, which were made by `examples/audit.py`, against this crate; and that script over
//! the example logs.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use countersign::catalog;
use countersign::doc::{
    Acceptance, HostFile, Lodging, Packet, Proposal, Receipt, SignedFile, StepFile, emit, parsed_digest, yaml,
};
use countersign::log::{Lines, ResultEntry, Terms, verify};
use countersign::seal::{
    Chain, Digest, Hasher, LodgedFor, LodgingSecret, Namespace, Opening, SecretKey, Signature, check_link, die_key,
    face, hpke, salt, seal, sha256, step_seed, twelve_words,
};
use countersign::side::Seat;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A block of the page between ``` marks, by the word behind them.
fn block(name: &str) -> String {
    let text = fs::read_to_string("schemas/protocol.md").unwrap();
    let (_, rest) = text.split_once(&format!("```{name}\n")).unwrap_or_else(|| panic!("no block {name}"));
    rest.split("```").next().unwrap().to_owned()
}

fn page() -> BTreeMap<String, String> {
    let block = block("vectors");
    block.lines().map(|l| l.split_once(' ').unwrap()).map(|(k, v)| (k.to_owned(), v.trim().to_owned())).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

const BOB: [u8; 32] = [4; 32];
const ANNA: [u8; 32] = [5; 32];
const TABLE: Digest = Digest([8; 32]);

/// A document of the page signed by the crate. It is read, and written again as it stands on the page.
fn signed<T: Serialize + DeserializeOwned + Debug>(
    name: &str,
    seed: [u8; 32],
    space: Namespace,
) -> (SignedFile, Digest) {
    let document = block(name);
    let typed: T = yaml::read(&document, name, 1 << 18).unwrap();
    assert_eq!(emit(&typed).unwrap(), document, "{name}");
    let signature = Signature::sign(&SecretKey::from_seed(seed), space, document.as_bytes());
    (SignedFile { document, signature }, parsed_digest(&typed))
}

/// Everything made here under the names of the page.
fn made() -> BTreeMap<String, String> {
    let mut out = hashes();
    out.extend(signatures());
    out.extend(lodging());
    out.extend(files());
    out
}

fn hashes() -> BTreeMap<String, String> {
    let [game, salt_, link1, link2, x] = [1u8, 7, 2, 3, 9].map(|n| Digest([n; 32]));
    let slot = "t1/british/plot/marker/1";
    let key = SecretKey::from_seed(BOB);
    let root = Hasher::new("root").bytes(&BOB).done();
    let seed = step_seed(&game, 3, &[Some(link1), Some(link2)]);
    let last = Hasher::new("chain-seed").digest(&root).digest(&TABLE).text("british").int(0).done();
    let opening = Opening { salt: salt_, content: "\"right\"".into() };
    let chain = Chain::new(&key.root(), &TABLE, Seat::British, 0);
    assert_eq!(chain.link(u64::from(countersign::seal::CHAIN_LENGTH)), Some(last));
    let third = chain.link(3).unwrap();
    assert!(check_link(&TABLE, Seat::British, 0, (0, &chain.tip()), (3, &third)));
    let digests = [
        ("hash", Hasher::new("die").text("abc").int(7).done()),
        ("chain", Hasher::new("chain").digest(&TABLE).text("british").int(0).int(5).digest(&x).done()),
        ("root", root),
        ("chain-seed", last),
        ("tip", chain.tip()),
        ("link-1", chain.link(1).unwrap()),
        ("link-3", third),
        ("salt", salt(&key.root(), &game, 3, 2, slot)),
        ("seal", seal(&game, Seat::British, 3, slot, &opening)),
        ("seed", seed),
        ("seed-one-missing", step_seed(&game, 3, &[Some(link1), None, Some(link2)])),
        ("seed-three", step_seed(&game, 3, &[Some(link1), Some(link2), Some(x)])),
        ("die-key", die_key(&seed, "t1/wind")),
        ("file", Hasher::new("file").text("a: 1\n").bytes(b"blob").done()),
        ("events", Hasher::new("events").text("{\"a\":1}").text("{\"b\":\"x\\n\"}").done()),
        ("events-none", Hasher::new("events").done()),
        ("position", Hasher::new("position").text("{\"turn\":1}").done()),
    ];
    // The first ticket of its kind of which two words are passed over.
    let wide = |n: u32| (format!("t1/wide/{n}"), face(&seed, &format!("t1/wide/{n}"), 3_000_000_000));
    let (ticket, roll) = (1..99).map(wide).find(|(_, roll)| roll.rejected.len() > 1).unwrap();
    let passed: Vec<String> = roll.rejected.iter().map(u32::to_string).collect();
    let dice = [
        ("die-face", (face(&seed, "t1/wind", 6).face + 1).to_string()),
        ("die-ten", (face(&seed, "t1/wind", 10).face + 1).to_string()),
        ("die-wide", ticket),
        ("die-wide-passed", passed.join(" ")),
        ("die-wide-word", roll.word.to_string()),
        ("die-wide-face", (roll.face + 1).to_string()),
    ];
    let digests = digests.into_iter().map(|(name, d)| (name.to_owned(), d.to_string()));
    digests.chain(dice.map(|(name, text)| (name.to_owned(), text))).collect()
}

fn signatures() -> BTreeMap<String, String> {
    let key = SecretKey::from_seed(BOB);
    let signature = Signature::sign(&key, Namespace::Orders, b"a: 1\n");
    let blob = signature.blob();
    // The crate keeps to itself what it signs; a signature that fits the page's bytes shows them to be the same.
    let stated = page()["sshsig-signed"].clone();
    let verifying = ed25519_dalek::VerifyingKey::from_bytes(&key.public().0).unwrap();
    let raw = ed25519_dalek::Signature::from_slice(&blob[blob.len() - 64..]).unwrap();
    verifying.verify_strict(&bytes(&stated), &raw).unwrap();
    let line = signature.armor().lines().nth(1).unwrap().to_owned();
    let hash = SignedFile { document: "a: 1\n".into(), signature }.hash();
    BTreeMap::from([
        ("public-key".to_owned(), key.public().line()),
        ("sshsig-signed".to_owned(), stated),
        ("sshsig-blob".to_owned(), hex(&blob)),
        ("sshsig-line".to_owned(), line),
        ("sshsig-file".to_owned(), hash.to_string()),
    ])
}

/// What anna lodges with bob as the host.
fn lodging() -> BTreeMap<String, String> {
    let secret = LodgingSecret::new(&SecretKey::from_seed(BOB).root(), &TABLE);
    let key = secret.public();
    let anna = SecretKey::from_seed(ANNA);
    let bound = LodgedFor { game: Digest([1; 32]), seat: Seat::American, step: 3, file: Digest([9; 32]) };
    let opening = Opening { salt: Digest([7; 32]), content: "\"right\"".into() };
    let json = serde_json::to_string(&BTreeMap::from([("t1/american/plot/marker/1", opening)])).unwrap();
    let plain = format!("{json:1024}");
    let (enc, text) = hpke::encrypt(&anna.root(), &key, &bound, plain.as_bytes()).unwrap();
    assert_eq!(hpke::decrypt(&secret, &bound, &enc, &text).unwrap().as_slice(), plain.as_bytes());
    let place = |h: Hasher| h.digest(&bound.game).text("american").int(3);
    let once = Hasher::new("lodging-once").digest(&Hasher::new("root").bytes(&ANNA).done()).digest(&key.into());
    let document = emit(&Lodging {
        countersign: 1,
        kind: "lodging".into(),
        game: bound.game,
        seat: bound.seat,
        step: bound.step,
        file: bound.file,
        enc: Digest(enc),
        ciphertext: STANDARD.encode(&text),
    })
    .unwrap();
    let typed: Lodging = yaml::read(&document, "lodging", 1 << 18).unwrap();
    let signature = Signature::sign(&anna, Namespace::Orders, document.as_bytes());
    let all = [
        ("lodging-key", key.into()),
        ("lodging-info", place(Hasher::new("lodging")).done()),
        ("lodging-once", place(once).digest(&bound.file).text(&plain).done()),
        ("lodging-enc", Digest(enc)),
        ("lodging-ciphertext", sha256(&text)),
        ("lodging-parsed", parsed_digest(&typed)),
        ("lodging-file", SignedFile { document, signature }.hash()),
    ];
    all.map(|(name, digest): (&str, Digest)| (name.to_owned(), digest.to_string())).into()
}

fn files() -> BTreeMap<String, String> {
    let proposal = signed::<Proposal>("proposal", BOB, Namespace::Terms);
    let acceptance = signed::<Acceptance>("acceptance", ANNA, Namespace::Terms);
    let orders = signed::<StepFile>("orders", BOB, Namespace::Orders);
    let close = signed::<HostFile>("close", ANNA, Namespace::Host);
    let relay = signed::<HostFile>("relay", ANNA, Namespace::Host);
    let receipt = signed::<Receipt>("receipt", ANNA, Namespace::Host);
    let mut out = BTreeMap::new();
    for (name, (file, parsed)) in [
        ("proposal", &proposal),
        ("acceptance", &acceptance),
        ("orders", &orders),
        ("close", &close),
        ("relay", &relay),
        ("receipt", &receipt),
    ] {
        assert_eq!(SignedFile::parse(&file.bytes()).unwrap(), *file);
        out.insert(format!("{name}-parsed"), parsed.to_string());
        out.insert(format!("{name}-file"), file.hash().to_string());
    }
    let terms = Terms::join(&proposal.0, std::slice::from_ref(&acceptance.0)).unwrap();
    out.insert("game".into(), terms.game.to_string());
    let mut log = Lines::default();
    out.insert("entry-0".into(), log.file(Seat::British, &proposal.0, proposal.1).to_string());
    out.insert("entry-1".into(), log.file(Seat::American, &acceptance.0, acceptance.1).to_string());
    let head = log.result(ResultEntry {
        i: 0,
        prev: Digest([0; 32]),
        kind: String::new(),
        step: 0,
        how: "start".into(),
        seed: None,
        events: Hasher::new("events").done(),
        position: Hasher::new("position").text("{\"turn\":1}").done(),
        needs: ["british", "american"].map(|side| format!("seal {side} plot t1/{side}/plot")).to_vec(),
        due: None,
    });
    assert_eq!(log.lines()[2].clone() + "\n", block("result"));
    out.insert("entry-2".into(), head.to_string());
    let words = twelve_words(&head);
    let list = bip39::Language::English.word_list();
    let number = |word: &str| list.iter().position(|w| *w == word).unwrap().to_string();
    out.insert("head-numbers".into(), words.split(' ').map(number).collect::<Vec<_>>().join(" "));
    out.insert("head-words".into(), words);
    let packet = Packet { files: vec![proposal.0.bytes(), acceptance.0.bytes(), Vec::new()] };
    let (content, armor) = (packet.bytes(), packet.armor());
    let text = String::from_utf8(content.clone()).unwrap();
    let lines: Vec<&str> = armor.lines().collect();
    out.insert("packet".into(), sha256(&content).to_string());
    out.insert("packet-end".into(), text.lines().last().unwrap().strip_prefix("end ").unwrap().to_owned());
    out.insert("packet-line".into(), lines[1].to_owned());
    out.insert("packet-sum".into(), lines[lines.len() - 2].to_owned());
    out
}

#[test]
fn the_page_and_the_crate_agree() {
    let (page, made) = (page(), made());
    assert_eq!(page.keys().collect::<Vec<_>>(), made.keys().collect::<Vec<_>>());
    for (name, value) in made {
        assert_eq!(page[&name], value, "{name}");
    }
}

fn python(args: &[&str]) -> Option<(bool, String)> {
    match Command::new("python3").args(args).output() {
        Ok(out) => Some((
            out.status.success(),
            String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr),
        )),
        Err(_) => {
            assert!(std::env::var("CI").is_err(), "python3 is missing");
            println!("skipped: needs python3");
            None
        }
    }
}

#[test]
fn the_second_implementation_agrees_on_every_example_log() {
    let Some((good, text)) = python(&["examples/audit.py", "--self-test"]) else { return };
    assert!(good, "{text}");
    for entry in fs::read_dir("examples").unwrap() {
        let path = entry.unwrap().path().join("game.log");
        if !path.exists() {
            continue;
        }
        let log = fs::read(&path).unwrap();
        let verified = verify(&log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{}: {f}", path.display()));
        let name = path.to_str().unwrap();
        let (good, text) = python(&["examples/audit.py", name]).unwrap();
        assert!(good && text.starts_with("GOOD"), "{text}");
        let (_, seeds) = python(&["examples/audit.py", name, "--dice"]).unwrap();
        let ours: String = verified.history.seeds().iter().map(|(step, seed)| format!("{step} {seed}\n")).collect();
        assert_eq!(seeds, ours);
        let dice = verified.history.closed().iter().filter_map(|c| c.story.as_ref()).flat_map(|s| s.dice.clone());
        for die in dice.take(5) {
            let (_, text) = python(&["examples/audit.py", name, "--die", &die.step.to_string(), &die.ticket]).unwrap();
            assert!(text.contains(&format!("face {}\n", die.face)), "{}: {text}", die.ticket);
        }
    }
}

#[test]
fn the_second_implementation_sees_a_changed_link_seal_and_line() {
    let log = fs::read_to_string("examples/wasp-frolic/game.log").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.log");
    let changed = log.replacen("\"how\":\"resolved\"", "\"how\":\"resolvee\"", 1);
    fs::write(&path, changed).unwrap();
    let Some((good, text)) = python(&["examples/audit.py", path.to_str().unwrap()]) else { return };
    assert!(!good && text.contains("BAD"), "{text}");
}

/// What a forger does to the lines of a log.
type Change<'a> = dyn Fn(&mut Vec<String>) + 'a;

/// The log of the first step with its lines changed and chained anew, so that nothing but the change can be found.
fn forged(change: &Change<'_>) -> String {
    let log = fs::read_to_string("examples/wasp-frolic/game.log").unwrap();
    let end = log.lines().position(|l| l.contains("\"kind\":\"result\",\"step\":1,")).unwrap();
    let mut lines: Vec<String> = log.lines().take(end + 1).map(str::to_owned).collect();
    change(&mut lines);
    let mut prev = "0".repeat(64);
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        let rest = line.split_once("\"kind\"").unwrap().1;
        let line = format!("{{\"i\":{i},\"prev\":\"{prev}\",\"kind\"{rest}");
        prev = countersign::seal::sha256(line.as_bytes()).to_string();
        out += &(line + "\n");
    }
    out
}

/// Replaces the text between two marks of a line.
fn put(line: &mut String, from: &str, to: &str, with: &str) {
    let at = line.find(from).unwrap() + from.len();
    let end = at + line[at..].find(to).unwrap();
    line.replace_range(at..end, with);
}

#[test]
fn the_second_implementation_sees_forgeries_whose_lines_are_chained_anew() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.log");
    let audit = |change: &Change<'_>| {
        fs::write(&path, forged(change)).unwrap();
        python(&["examples/audit.py", path.to_str().unwrap()])
    };
    let Some((good, text)) = audit(&|_| ()) else { return };
    assert!(good, "the log unchanged: {text}");
    let zeros = "0".repeat(64);
    let forgeries: [(&str, &str, &Change<'_>); 6] = [
        ("seed left out", "has a seed", &|l| put(&mut l[6], "\"seed\":", ",", "null")),
        ("another seed", "make the seed", &|l| put(&mut l[6], "\"seed\":\"", "\"", &zeros)),
        ("read otherwise", "reads otherwise", &|l| put(&mut l[5], "\"parsed\":\"", "\"", &zeros)),
        ("a file left out", "does not follow", &|l| drop(l.remove(3))),
        ("a link left out", "link of the", &|l| drop(l.remove(5))),
        ("a file twice", "does not follow", &|l| l.insert(4, l[3].clone())),
    ];
    for (name, word, change) in forgeries {
        let (good, text) = audit(change).unwrap();
        assert!(!good && text.starts_with("BAD: entry ") && text.contains(word), "{name}: {text}");
    }
}
