//! The vectors of `schemas/protocol.md`, which were made by `examples/audit.py`, against this crate; and that script over
//! the example logs.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use countersign::catalog;
use countersign::log::verify;
use countersign::seal::{Digest, Hasher, Opening, SecretKey, die_key, face, salt, seal, step_seed};
use countersign::side::Seat;

fn page() -> BTreeMap<String, String> {
    let text = fs::read_to_string("schemas/protocol.md").unwrap();
    let block = text.split("```vectors\n").nth(1).unwrap().split("```").next().unwrap();
    block.lines().map(|l| l.split_once(' ').unwrap()).map(|(k, v)| (k.to_owned(), v.trim().to_owned())).collect()
}

#[test]
fn the_page_and_the_crate_agree() {
    let [game, table, salt_, link1, link2, x] = [1u8, 8, 7, 2, 3, 9].map(|n| Digest([n; 32]));
    let slot = "t1/british/plot/marker/1";
    let key = SecretKey::from_seed([4; 32]);
    let root = Hasher::new("root").bytes(&[4; 32]).done();
    let seed = step_seed(&game, 3, &[Some(link1), Some(link2)]);
    let last = Hasher::new("chain-seed").digest(&root).digest(&table).text("british").int(0).done();
    let opening = Opening { salt: salt_, content: "\"right\"".into() };
    let ours = [
        ("hash", Hasher::new("die").text("abc").int(7).done()),
        ("chain", Hasher::new("chain").digest(&table).text("british").int(0).int(5).digest(&x).done()),
        ("root", root),
        ("chain-seed", last),
        ("salt", salt(&key.root(), &game, 3, 2, slot)),
        ("seal", seal(&game, Seat::British, 3, slot, &opening)),
        ("seed", seed),
        ("seed-one-missing", step_seed(&game, 3, &[Some(link1), None, Some(link2)])),
        ("die-key", die_key(&seed, "t1/wind")),
        ("file", Hasher::new("file").text("a: 1\n").bytes(b"blob").done()),
    ];
    let page = page();
    assert_eq!(page.len(), ours.len() + 1);
    for (name, value) in ours {
        assert_eq!(page[name], value.to_string(), "{name}");
    }
    assert_eq!(page["die-face"], (face(&seed, "t1/wind", 6).face + 1).to_string());
    let chain = countersign::seal::Chain::new(&key.root(), &table, Seat::British, 0);
    assert_eq!(chain.link(u64::from(countersign::seal::CHAIN_LENGTH)), Some(last));
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
    let Some((good, _)) = python(&["examples/audit.py", "--self-test"]) else { return };
    assert!(good);
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
