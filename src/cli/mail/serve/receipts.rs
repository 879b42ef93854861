//! Receipts: every file of a player's gets exactly one, to him alone: what was understood, or why it was refused, and
//! what is still missing. Where a packet goes to him at the same time it says the same, and no mail of its own is needed.
//!
//! Of the other player a receipt says nothing, not even whether he has moved.

use std::collections::BTreeSet;

use super::super::{Memory, letters};
use super::host;
use crate::doc::{Offer, SignedFile, StepFile};
use crate::error::Result;
use crate::log::{Entry, Post, read_step};
use crate::mail::compose::{Kind, Letter};
use crate::mail::settings::{Account, Correspondents};
use crate::seal::{Digest, Namespace};
use crate::side::Seat;
use crate::store::{self, Folder, Table, name_of};

/// Puts into each letter with a packet what it has to say about its receiver's own files.
pub(super) fn beside(table: &Table, addressed: &mut [(Seat, Letter)]) {
    for (seat, letter) in addressed {
        let lines: Vec<String> = closed(table, *seat).into_iter().chain(open(table, *seat)).collect();
        if !lines.is_empty() {
            letter.next.push_str(&format!("\n\n{}", lines.join("\n")));
        }
    }
}

/// The file of a seat that counted in the step closed last.
fn closed(table: &Table, seat: Seat) -> Option<String> {
    let step = table.history.step().checked_sub(1).filter(|step| *step > 0)?;
    let logged: BTreeSet<Digest> = (table.history.log().lines().iter().rev())
        .filter_map(|line| match Entry::parse(line) {
            Ok(Entry::File(entry)) => entry.signed().ok().map(|signed| signed.hash()),
            _ => None,
        })
        .collect();
    let own = table.files.iter().filter(|(name, _)| name.starts_with(&format!("{step:05}-{seat}-")));
    let mut counted =
        own.filter(|(_, signed)| logged.contains(&signed.hash())).filter_map(|(_, s)| Some((s, read_step(s).ok()?)));
    let (signed, file) = counted.next_back()?;
    Some(format!("Receipt: your file {} of step {step} ({}) came and counted.", file.n, signed.hash().short()))
}

/// Files of a seat in the open step that can be taken.
fn open(table: &Table, seat: Seat) -> Vec<String> {
    let taken = |p: &&Post| p.filed.file.seat == seat && table.history.refusal(&p.filed, &table.posts).is_none();
    table.posts.iter().filter(taken).map(|p| format!("Receipt: {}.", came(&p.filed.file, &p.filed.hash))).collect()
}

fn came(file: &StepFile, hash: &Digest) -> String {
    format!("your file {} of step {} ({}) came: {}", file.n, file.step, hash.short(), understood(file))
}

/// What a file says, in words; of what is sealed only that it is.
fn understood(file: &StepFile) -> String {
    let mut parts = Vec::new();
    match &file.offer {
        Some(Offer::Concede) => parts.push("you give the game up".to_owned()),
        Some(offer) => parts.push(format!("you offer {}", offer.words())),
        None => {}
    }
    if file.accept.is_some() {
        parts.push("you accept what was offered".to_owned());
    }
    if !file.seals.is_empty() {
        let count = super::super::count(file.seals.len(), "sealed choice", "sealed choices");
        parts.push(format!("{count} ({})", subjects(file.seals.keys())));
    }
    if !file.answers.is_empty() {
        let count = super::super::count(file.answers.len(), "open choice", "open choices");
        parts.push(format!("{count} ({})", subjects(file.answers.keys())));
    }
    if parts.is_empty() && file.link.is_some() {
        parts.push("your secret number for the dice".to_owned());
    }
    if file.say.is_some() {
        parts.push("a word to your opponent".to_owned());
    }
    if parts.is_empty() { "nothing that asks for an answer".to_owned() } else { parts.join(", ") }
}

/// What choices are about: `t3/british/plot/marker/2` is about a marker.
fn subjects<'a>(slots: impl Iterator<Item = &'a String>) -> String {
    let about = |slot: &'a String| slot.split('/').skip(2).filter(|w| w.parse::<u32>().is_err()).last();
    let all: BTreeSet<&str> = slots.filter_map(about).collect();
    all.into_iter().collect::<Vec<_>>().join(", ")
}

/// The receipts that need a mail of their own. `news`: a packet goes out at the same time and says the same.
pub(super) fn alone(
    folder: &Folder,
    table: &Table,
    account: &Account,
    to: &Correspondents,
    memory: &mut Memory,
    news: bool,
) -> Result<Vec<Letter>> {
    let history = &table.history;
    let step = format!("{:05}-", history.step());
    memory.receipted.retain(|name| name.starts_with(&step));
    let mut letters = Vec::new();
    if history.end().is_some() {
        return Ok(letters);
    }
    for post in &table.posts {
        let (file, name) = (&post.filed.file, name_of(&post.signed));
        if memory.receipted.contains(&name) {
            continue;
        }
        let seat = file.seat;
        if to.of(seat).is_err() {
            continue;
        }
        let letter = || -> Result<Letter> {
            Ok(Letter {
                number: file.n,
                to: vec![letters::seated(table, seat, to)?],
                automatic: true,
                ..letters::blank(table, Seat::Host, account)
            })
        };
        let unlodged = history.terms.hosted() && !table.is_lodged(post);
        if let Some(why) = history.refusal(&post.filed, &table.posts) {
            letters.push(Letter {
                kind: Kind::Refused,
                next: format!(
                    "Your file {} of step {} ({}) could not be taken: {why}\nIt has no effect. Write other orders, sign them and mail them. If you think this is wrong, save this mail and run: countersign verify --refusal THE-FILE",
                    file.n,
                    history.step(),
                    post.filed.hash.short()
                ),
                packet: Some(store::read_bytes(&host::receipt_place(folder, table, post))?),
                ..letter()?
            });
        } else if unlodged {
            // Not its receipt: that comes when the rest has.
            letters.push(Letter {
                kind: Kind::Refused,
                next: format!(
                    "Your file {} of step {} ({}) came, but not what unlocks its sealed orders for the host, so that it cannot count yet.\nRun: countersign packet, and send the whole packet it writes once more.",
                    file.n,
                    history.step(),
                    post.filed.hash.short()
                ),
                ..letter()?
            });
            continue;
        } else if !news {
            // The same bytes whenever it is asked for.
            let receipt = host::receipt_place(folder, table, post);
            if !receipt.exists() {
                host::write_receipt(folder, table, post)?;
            }
            letters.push(Letter {
                kind: Kind::Receipt,
                next: format!(
                    "Receipt: {}.\nNothing is missing, and nothing is to be done. It stands unless a newer file of yours comes before the step is closed.{}",
                    came(file, &post.filed.hash),
                    letters::when_due(table).map_or(String::new(), |due| format!(" {due}"))
                ),
                packet: Some(store::read_bytes(&receipt)?),
                ..letter()?
            });
        }
        memory.receipted.insert(name);
    }
    Ok(letters)
}

/// Letters about files that came when their step was closed: to the player who signed them. What nobody of the game has
/// signed is said in words, for whoever mailed it.
pub(super) fn too_late(
    table: &Table,
    files: &[SignedFile],
    account: &Account,
    to: &Correspondents,
) -> (Vec<Letter>, Vec<String>) {
    let (mut letters, mut problems) = (Vec::new(), Vec::new());
    let history = &table.history;
    for signed in files {
        let Ok(file) = read_step(signed) else { continue };
        let his = history
            .seat(file.seat)
            .is_some_and(|s| signed.signature.verify(&s.key, Namespace::Orders, signed.document.as_bytes()).is_ok());
        let Some(party) = letters::seated(table, file.seat, to).ok().filter(|_| his) else {
            problems.push("A file in it is signed with a key that does not play in its game.".to_owned());
            continue;
        };
        letters.push(Letter {
            step: file.step,
            number: file.n,
            kind: Kind::Refused,
            to: vec![party],
            next: format!(
                "Your file {} of step {} ({}) came when the step was closed, and has no effect. Step {} is open now.\nRun countersign status; if something is asked of you, write and sign new orders: orders for another step are never carried over.",
                file.n,
                file.step,
                signed.hash().short(),
                history.step()
            ),
            automatic: true,
            ..letters::blank(table, Seat::Host, account)
        });
    }
    (letters, problems)
}
