//! `verify`: a whole log, checked by anyone.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::progress::{Progress, thousands};
use super::status::count;
use super::{Done, Format, Outcome, format, receipts};
use crate::catalog;
use crate::doc::in_plain_words;
use crate::error::{Error, Result};
use crate::log::{self, End, Fault, History, Kind, Protocol, Verified, check_protocol, verify as verify_log};
use crate::seal::{Digest, twelve_words};
use crate::side::Sides;
use crate::store;

/// Flags of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The log; the folder's game.log if left out.
    log: Option<PathBuf>,
    /// A head you trust, 64 characters or twelve words: the log must contain it.
    #[arg(long)]
    head: Option<String>,
    /// The scenario file, or the packed file, if the game is not one that comes with the program.
    #[arg(long, visible_alias = "data")]
    scenario: Option<PathBuf>,
    /// Judge a host's signed refusal of a file: the packet with his receipt. The log is the game's as it was then, or later.
    #[arg(long, value_name = "RECEIPT")]
    refusal: Option<PathBuf>,
}

/// Scenarios as they lie at hand: a file beside the log, else the one that comes with the program.
fn scenarios(log: &Path, file: Option<&Path>) -> impl Fn(&str) -> Option<String> {
    let beside = log.with_file_name("scenario.yaml");
    let named = file.map(Path::to_owned);
    move |id: &str| {
        let read = |path: &Path| store::read_text(path).ok().map(|t| t.replace("\r\n", "\n"));
        named.as_deref().and_then(read).or_else(|| read(&beside)).or_else(|| catalog::embedded(id))
    }
}

/// A log that does not verify.
pub(super) struct Bad {
    fault: Fault,
    /// What could be checked all the same, where the rules are unknown here.
    sound: Option<Protocol>,
}

impl Bad {
    /// Prints it, as words or as an object.
    pub(super) fn tell(&self, format: Format) {
        match format {
            Format::Text => println!("{}", self.words()),
            Format::Json => format::print(&self.object()),
        }
    }

    /// Which entry and what, without the figures.
    pub(super) fn first_line(&self) -> String {
        self.fault.to_string().lines().next().unwrap_or_default().to_owned()
    }

    fn words(&self) -> String {
        let mut text = format!("BAD: {}", self.fault);
        if let Some(sound) = &self.sound {
            text.push_str(&format!(
                "\n  The protocol is good to entry {}: {} signatures, {} openings, all links and seeds; only the rules ({}) could not be checked.",
                sound.entries - 1,
                sound.signatures,
                sound.openings,
                sound.ruleset
            ));
        }
        if !matches!(self.fault.kind, Kind::Version | Kind::Scenario) {
            text.push_str(
                "\nNothing is wrong before that entry. Get the log once more; if it stays so, somebody changed it.",
            );
        }
        text
    }

    fn object(&self) -> Value {
        let fault = &self.fault;
        let sound = self.sound.as_ref().map(|s| {
            json!({ "entries": s.entries, "signatures": s.signatures, "openings": s.openings, "ruleset": s.ruleset })
        });
        json!({
            "verdict": "bad", "kind": kebab(&format!("{:?}", fault.kind)), "entry": fault.entry,
            "what": what(fault), "expected": fault.expected, "found": fault.found, "rule": fault.rule,
            "protocol": sound,
        })
    }
}

/// The sentence of a fault, without its entry and its rows.
fn what(fault: &Fault) -> String {
    let text = fault.to_string();
    let line = text.lines().next().unwrap_or("");
    line.split_once(": ").map_or(line, |(_, what)| what).to_owned()
}

/// `LinkTooEarly` as `link-too-early`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Reads and verifies a log.
pub(super) fn verified(
    log: &Path,
    file: Option<&Path>,
    head: Option<Digest>,
) -> Result<std::result::Result<Verified, Box<Bad>>> {
    let bytes =
        store::read_bytes(log).map_err(|e| e.next("name the log: the file game.log in the folder of a game"))?;
    let entries = bytes.iter().filter(|b| **b == b'\n').count();
    let progress = Progress::start(format!("Checking {} entries", thousands(entries)));
    let result = verify_log(&bytes, &scenarios(log, file), head);
    drop(progress);
    Ok(result.map_err(|fault| {
        let mut fault = *fault;
        // What a parser says is no language for people.
        fault.found = in_plain_words(&fault.found);
        // Rules that are unknown here leave the protocol to be checked.
        let unknown = matches!(fault.kind, Kind::Version | Kind::Scenario);
        let sound = unknown.then(|| check_protocol(&bytes).ok()).flatten();
        Box::new(Bad { fault, sound })
    }))
}

/// The game as a step of a log opens.
pub(super) fn history_at(bytes: &[u8], log: &Path, file: Option<&Path>, step: u64) -> Result<History> {
    log::history_at(bytes, &scenarios(log, file), step).map_err(|fault| {
        Error::new(format!("the log does not lead to step {step}: {fault}"))
            .next("give the whole log of that game: `countersign verify` says what is wrong with it")
    })
}

/// The log named, or the one of the game folder.
pub(super) fn log_path(here: &Path, log: Option<&PathBuf>) -> PathBuf {
    log.cloned().unwrap_or_else(|| here.join("game.log"))
}

/// `verify`.
pub(super) fn verify(here: &Path, args: &VerifyArgs, format: Format) -> Outcome {
    let log = log_path(here, args.log.as_ref());
    if let Some(refusal) = &args.refusal {
        return receipts::judge(here, refusal, &log, args.scenario.as_deref(), format);
    }
    let words = args.head.as_ref().filter(|h| h.contains(' '));
    let head = match (&args.head, words) {
        (Some(text), None) => Some(text.parse::<Digest>().map_err(|e| {
            Error::misuse(e).next("give the 64 characters or the twelve words that `countersign head` prints")
        })?),
        _ => None,
    };
    let good = match verified(&log, args.scenario.as_deref(), head)? {
        Ok(good) => good,
        Err(bad) => {
            bad.tell(format);
            return Ok(Done::Fault);
        }
    };
    let spelt = words.map(|w| w.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase());
    if let Some(spelt) = spelt
        && !good.history.heads().iter().any(|h| twelve_words(h) == spelt)
    {
        match format {
            Format::Text => println!(
                "BAD: the log is sound in itself, but does not contain the head you gave: it is another history or cut off."
            ),
            Format::Json => format::print(&json!({
                "verdict": "bad", "kind": "forked", "entry": good.entries.saturating_sub(1),
                "what": "the log is sound in itself, but does not contain the head you gave",
                "expected": spelt, "found": twelve_words(&good.history.head()), "rule": "protocol: heads",
                "protocol": null,
            })),
        }
        return Ok(Done::Fault);
    }
    match format {
        Format::Text => println!("{}", one_line(&good)),
        Format::Json => format::print(&object(&good)),
    }
    Ok(Done::Fine)
}

/// What [`one_line`] tells, as an object.
fn object(good: &Verified) -> Value {
    let points = good.history.game.points();
    let points: std::collections::BTreeMap<&str, u32> =
        points.iter().flat_map(Sides::iter).map(|(side, points)| (side.word(), *points)).collect();
    json!({
        "verdict": "good", "entries": good.entries, "signatures": good.signatures, "dice": good.dice,
        "openings": good.openings, "game": good.history.terms.game.to_string(), "step": good.history.step(),
        "agreed": good.history.agreements().iter().map(|a| json!({ "entry": a.entry, "step": a.step, "by": a.by.word(), "offer": a.matter.words(), "leaves_the_rules": a.leaves_the_rules() })).collect::<Vec<_>>(),
        "over": good.history.end().is_some(), "complete": good.history.complete(), "points": points,
        "head": good.history.head().to_string(), "words": twelve_words(&good.history.head()),
    })
}

/// By the rules, or which agreed entries were otherwise.
pub(super) fn by_the_rules(good: &Verified) -> String {
    let agreed = good.history.agreements().iter().filter(|a| a.leaves_the_rules());
    let list: Vec<String> = agreed.map(|a| format!("{} ({})", a.entry, a.matter.words())).collect();
    let mut changes = good.history.agreements().iter().filter(|a| !a.leaves_the_rules()).peekable();
    if list.is_empty() && changes.peek().is_some() {
        let all: Vec<String> = changes.map(|a| format!("{} ({})", a.entry, a.matter.words())).collect();
        return format!("played by the rules; agreed in entries {}", all.join(" and "));
    }
    match list.len() {
        0 => "played by the rules".into(),
        1 => format!("played by the rules, except what both agreed in entry {}", list[0]),
        _ => format!("played by the rules, except what both agreed in entries {}", list.join(" and ")),
    }
}

/// One line when all is well.
pub(super) fn one_line(good: &Verified) -> String {
    let result = match good.history.end() {
        None => format!("game still open at step {}", good.history.step()),
        Some(End::Draw) if good.history.complete() => "game over, a draw".to_owned(),
        Some(End::Forfeited(seat)) => format!("game over, the {seat} player was late"),
        Some(_) if good.history.complete() => "game over".to_owned(),
        Some(_) => "game over, some seals not opened yet".to_owned(),
    };
    let points = good.history.game.points().map_or(String::new(), |points| {
        format!("; points {}", points.iter().map(|(s, n)| format!("{s} {n}")).collect::<Vec<_>>().join(", "))
    });
    format!(
        "GOOD: {} entries, {} signatures, {} and {} openings checked; {}; {result}{points}. Head: {}",
        good.entries,
        good.signatures,
        count(good.dice, "die", "dice"),
        good.openings,
        by_the_rules(good),
        twelve_words(&good.history.head())
    )
}
