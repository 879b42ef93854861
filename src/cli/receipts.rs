//! A host's signed refusals: shown to the player they concern, and judged by anyone (`verify --refusal`).

use std::path::Path;

use serde_json::json;

use super::{Done, Format, Outcome, check, format};
use crate::doc::{Packet, SignedFile};
use crate::error::{Error, Result};
use crate::log::{History, Refused, read_step, refusals};
use crate::store::{self, Folder, Table};

/// What receipts that came say, in words.
pub(super) fn words(folder: &Folder, table: &Table, came: &[Packet]) -> String {
    let mut out = String::new();
    for signed in came.iter().flat_map(|p| &p.files).filter_map(|bytes| SignedFile::parse(bytes).ok()) {
        let Ok(receipt) = table.history.read_receipt(&signed) else { continue };
        let own = || table.files.values().find(|f| f.hash() == receipt.file).and_then(|f| read_step(f).ok());
        let Some(why) = receipt.refused else {
            if let Some(file) = own() {
                out.push_str(&format!(
                    "The host has your file {} of step {}: he has to take it or a newer one of yours.\n",
                    file.n, file.step
                ));
            }
            continue;
        };
        let path = folder.path().join("receipts").join(store::name_of(&signed));
        out.push_str(&format!(
            "The host did not take a file of step {}: {why}\nWrite other orders and send them. If you think he is wrong, anyone can judge it: countersign verify --refusal {}\n",
            receipt.step,
            super::typed(&path)
        ));
    }
    out
}

/// `verify --refusal`.
pub(super) fn judge(here: &Path, refusal: &Path, log: &Path, scenario: Option<&Path>, format: Format) -> Outcome {
    let files = files(here, refusal)?;
    let bytes = store::read_bytes(log)?;
    let mut verdicts = Vec::new();
    for signed in &files {
        for refused in refusals(signed) {
            let of = files.iter().find(|f| f.hash() == refused.file);
            let of = of.ok_or_else(|| {
                Error::new(format!("the file that was refused ({}...) is not here", refused.file.short()))
                    .next("give the whole packet the host sent, or run this in your game folder")
            })?;
            let history = check::history_at(&bytes, log, scenario, refused.step)?;
            verdicts.push((refused.clone(), verdict(&history, signed, of, &files, &refused)?));
        }
    }
    if verdicts.is_empty() {
        return Err(Error::misuse("there is no refusal of a host in this packet").into());
    }
    let wrong = verdicts.iter().any(|(_, right)| right.is_none());
    for (refused, right) in &verdicts {
        match (format, right) {
            (Format::Json, _) => format::print(&json!({
                "file": refused.file.to_string(), "step": refused.step, "host_said": refused.rule, "right": right.is_some(), "rule": right,
            })),
            (Format::Text, Some(why)) => println!(
                "RIGHT: the host refused file {} of step {}, and it cannot be taken: {why}\n  He said: {}",
                refused.file.short(),
                refused.step,
                refused.rule
            ),
            (Format::Text, None) => println!(
                "WRONG: the host refused file {} of step {}, and the rules allow it.\n  He said: {}\n  His signature stands under it: show this packet and the log to whoever settles disputes.",
                refused.file.short(),
                refused.step,
                refused.rule
            ),
        }
    }
    Ok(if wrong { Done::Fault } else { Done::Fine })
}

/// The signed files of the packet, and those of the game folder beside it.
fn files(here: &Path, refusal: &Path) -> Result<Vec<SignedFile>> {
    let bytes = store::read_bytes(refusal)?;
    let mut files = Vec::new();
    match Packet::find(&bytes) {
        Ok(packets) => {
            for bytes in packets.iter().flat_map(|p| &p.files) {
                files.push(SignedFile::parse(bytes)?);
            }
        }
        // One signed file by itself, as it lies in a folder.
        Err(e) => files.push(SignedFile::parse(&bytes).map_err(|_| e)?),
    }
    for sub in ["orders", "evidence"] {
        let Ok(entries) = std::fs::read_dir(here.join(sub)) else { continue };
        let paths = entries.filter_map(std::result::Result::ok).map(|e| e.path());
        for path in paths.filter(|p| p.extension().is_some_and(|e| e == "signed")) {
            let Ok(signed) = SignedFile::parse(&store::read_bytes(&path)?) else { continue };
            if read_step(&signed).is_ok() && !files.contains(&signed) {
                files.push(signed);
            }
        }
    }
    Ok(files)
}

/// Why the file cannot be taken, if it cannot.
fn verdict(
    history: &History,
    refusal: &SignedFile,
    of: &SignedFile,
    files: &[SignedFile],
    refused: &Refused,
) -> Result<Option<String>> {
    history.signed_by_host(refusal, refused)?;
    let post = match history.read(of) {
        Ok(post) => post,
        Err(e) => return Ok(Some(e.what)),
    };
    let mut posts: Vec<_> = files.iter().filter_map(|f| history.read(f).ok()).collect();
    posts.retain(|p| p.filed.hash != post.filed.hash);
    posts.push(post.clone());
    Ok(history.refusal(&post.filed, &posts))
}
