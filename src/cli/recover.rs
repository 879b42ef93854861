//! `recover`: a lost game folder made again from what the opponent has; and what a folder that is not whole can do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _};
use serde_json::json;

use super::{Done, Format, Outcome, format, keys};
use crate::catalog;
use crate::doc::{Packet, SignedFile};
use crate::error::{Error, Result};
use crate::log::step::State;
use crate::log::{
    Intent, Player, Terms, all_files, read_acceptance, read_host_file, read_key_file, read_lodging, read_proposal,
    read_step,
};
use crate::play::Want;
use crate::report;
use crate::seal::{Digest, Opening, PublicKey};
use crate::side::Seat;
use crate::store::{self, Content, Folder, Owner, Table, is_everything, shows_where_we_stand};

/// Flags of `recover`.
#[derive(Debug, Args)]
pub struct RecoverArgs {
    /// The packet, or the saved mail.
    packet: PathBuf,
    /// The new game folder.
    #[arg(long)]
    folder: PathBuf,
    /// Your old key, if you still have it; the usual one is found by itself.
    #[arg(long)]
    key: Option<PathBuf>,
    /// The scenario file, or the packed file, if the game is not one that comes with the program.
    #[arg(long, visible_alias = "data")]
    file: Option<PathBuf>,
}

/// A seal of one's own that cannot be opened from this folder.
pub(super) struct Lost {
    /// What was sealed.
    pub(super) slot: String,
    /// When, from 1.
    pub(super) step: u64,
}

/// `recover`.
pub(super) fn recover(args: &RecoverArgs) -> Outcome {
    let mut files = Vec::new();
    for bytes in super::mail::packets(&args.packet)?.iter().flat_map(|p| &p.files) {
        files.push(SignedFile::parse(bytes)?);
    }
    let terms = terms_of(&files)?;
    let id = &terms.proposal.scenario;
    let text = match &args.file {
        Some(path) => store::read_text(path)?.replace("\r\n", "\n"),
        None => catalog::embedded(id).unwrap_or_default(),
    };
    if catalog::digest(&text) != terms.proposal.scenario_digest {
        return Err(Error::new(format!("this game is played with another text of the scenario `{id}` than is here"))
            .next(
                "get the scenario file from your opponent (`scenario.yaml` in his game folder) and name it with --file",
            )
            .into());
    }
    let owner = owner_of(&terms, &files, args.key.as_deref())?;
    let folder = Folder::create(&args.folder)?;
    folder.write("scenario.yaml", text.as_bytes())?;
    if let Some(owner) = &owner {
        folder.set_owner(owner)?;
    }
    for file in &files {
        if read_lodging(file).is_err() {
            folder.keep(file)?;
        } else if owner.as_ref().is_some_and(|o| o.seat == Seat::Host) {
            folder.lodge(file)?;
        }
    }
    let Content::Game(table) = folder.load()? else {
        return Err(Error::new("the game of this packet has not begun").into());
    };
    folder.refresh(&table)?;
    println!(
        "Made again: {}, with the log to step {}, the position and the report. Game {}.",
        super::typed(&args.folder),
        table.history.step().saturating_sub(1),
        terms.game.short()
    );
    for (name, why) in &table.evidence {
        println!("Not counted: the file `{name}`: {why}");
    }
    let Some(owner) = owner else {
        println!("{}", without_key());
        return Ok(Done::Fine);
    };
    println!("Your key fits: you are the {} player. Links and salts come from it and are whole.", owner.seat);
    if !is_everything(&table, owner.seat, &files) {
        folder.mark_restored("from a packet that does not hold everything")?;
    }
    print!("{}", standing_words(&folder, &table, owner.seat)?);
    println!("Next: countersign --game {} status", super::typed(&args.folder));
    Ok(Done::Fine)
}

/// The terms in a packet, and that every file in it is of their game.
fn terms_of(files: &[SignedFile]) -> Result<Terms> {
    let everything = "ask your opponent for everything: `countersign packet --all` in his game folder";
    let proposal = files.iter().find(|f| read_proposal(f).is_ok());
    let proposal = proposal.ok_or_else(|| Error::new("there are no terms in this packet").next(everything))?;
    let acceptances: Vec<SignedFile> = files.iter().filter(|f| read_acceptance(f).is_ok()).cloned().collect();
    let terms = Terms::join(proposal, &acceptances).map_err(|e| {
        Error::new(format!("the terms in this packet are not signed by all: {}", e.what)).next(everything)
    })?;
    for file in files {
        let game = read_step(file).map(|f| f.game).or_else(|_| read_host_file(file).map(|f| f.game));
        if game.is_ok_and(|game| game != terms.game) {
            return Err(Error::new("this packet holds files of two games").next(everything));
        }
    }
    Ok(terms)
}

/// Whose folder it will be: of the seat the named key, or else the usual key, is of.
fn owner_of(terms: &Terms, files: &[SignedFile], named: Option<&Path>) -> Result<Option<Owner>> {
    let usual = || keys::default_path().ok().filter(|path| path.exists());
    let Some(path) = named.map(Path::to_owned).or_else(usual) else { return Ok(None) };
    let public = match keys::public(&path) {
        Err(_) if named.is_none() => return Ok(None),
        public => public?,
    };
    let key = std::path::absolute(&path).unwrap_or(path);
    // A key may have taken a seat since.
    let mut requests = files.iter().rev().filter_map(|f| read_key_file(f).ok());
    let since = requests.find(|f| PublicKey::parse(&f.who.key).is_ok_and(|k| k == public)).map(|f| f.seat);
    match terms.seats.iter().find(|s| s.key == public).map(|s| s.seat).or(since) {
        Some(seat) => Ok(Some(Owner { seat, key, next: None })),
        None if named.is_none() => Ok(None),
        None => Err(Error::new(format!("the key at `{}` has no seat in this game", key.display()))
            .next("name the key you played it with, or leave --key out to have the log alone")),
    }
}

/// Whether the program has a command, such as `key replace`.
fn has_command(words: &[&str]) -> bool {
    let mut at = super::Args::command();
    words.iter().all(|word| match at.find_subcommand(word).cloned() {
        Some(next) => {
            at = next;
            true
        }
        None => false,
    })
}

fn without_key() -> String {
    let mut text = "No key of a player is at hand, so this folder watches: it shows and verifies the game, and takes in packets, and signs nothing.".to_owned();
    text.push_str(
        "\nIf you find your key: make the folder again with `countersign recover PACKET --folder NEW --key THE-KEY`.",
    );
    if has_command(&["key", "replace"]) {
        text.push_str("\nIf it is lost: `countersign key replace --help`; your opponent has to accept the new one.");
    } else {
        text.push_str("\nIf it is lost, your opponent would have to admit a new one, which this program cannot do yet: settle with him how the game counts.");
    }
    text
}

/// What a packet means for a folder that comes from a copy; or the player's word that there is nothing newer.
pub(super) fn after_copy(folder: &Folder, table: &Table, came: &[Packet], nothing_newer: bool) -> Result<()> {
    let (Some(owner), Some(from)) = (&table.owner, folder.restored()) else { return Ok(()) };
    if table.history.complete() {
        return folder.unmark();
    }
    if nothing_newer {
        eprintln!(
            "You say that you sent nothing after this copy was made. If you did, there will be two versions of one file of yours:"
        );
        eprintln!("your opponent can then choose which of them counts, even after he knows the dice.");
        return folder.unmark();
    }
    let files: Vec<SignedFile> =
        came.iter().flat_map(|p| &p.files).filter_map(|bytes| SignedFile::parse(bytes).ok()).collect();
    match shows_where_we_stand(table, owner.seat, &files) {
        Ok(()) => {
            eprintln!("This folder came {from}. What your opponent has of yours is here now: it signs again.");
            folder.unmark()
        }
        Err(why) if !files.is_empty() => {
            eprintln!("This folder came {from} and signs nothing yet: {why}");
            Ok(())
        }
        Err(_) => Ok(()),
    }
}

/// Own seals that nothing in this folder opens. In a hosted game the host opens what was lodged with him.
pub(super) fn lost(folder: &Folder, table: &Table, seat: Seat) -> Result<Vec<Lost>> {
    let (history, secrets) = (&table.history, folder.secrets()?);
    if history.terms.hosted() {
        return Ok(Vec::new());
    }
    let mut seals: BTreeMap<&str, (u64, Digest)> = BTreeMap::new();
    for (slot, open) in history.unopened().iter().filter(|(_, open)| open.seat == seat) {
        seals.insert(slot, (open.step, open.seal));
    }
    let standing = history.settle(&table.posts);
    let view = standing.seats.get(&seat);
    let newest = view.and_then(|v| v.answer().or(v.versions.last().copied()).and_then(|at| v.chain.get(at)));
    for (slot, seal) in newest.iter().flat_map(|f| &f.file.seals) {
        seals.insert(slot, (history.step(), *seal));
    }
    let shown = |slot: &str| view.is_some_and(|v| v.chain.iter().any(|f| f.file.opens.contains_key(slot)));
    let game = &history.terms.game;
    seals.retain(|slot, (step, seal)| !shown(slot) && secrets.opening(game, seat, *step, slot, seal).is_none());
    Ok(seals.into_iter().map(|(slot, (step, _))| Lost { slot: slot.to_owned(), step }).collect())
}

/// Whether the link of the open step is held back: an own seal is due with it that nothing here opens, and who has sent
/// his link can accept no agreement in the step any more.
pub(super) fn holds_back(folder: &Folder, table: &Table, seat: Seat) -> Result<bool> {
    let history = &table.history;
    if history.end().is_some() || history.terms.hosted() {
        return Ok(false);
    }
    let standing = history.settle(&table.posts);
    if standing.state(seat) != State::Bound {
        return Ok(false);
    }
    let lost = lost(folder, table, seat)?;
    let story = history.preview(&standing, &all_files(&standing));
    let due = |slot: &str| lost.iter().any(|l| l.slot == slot);
    let held =
        story.wants.iter().any(|w| matches!(w, Want::Open { side, slot } if Seat::from(*side) == seat && due(slot)));
    if held {
        eprintln!(
            "Your secret number of this step is held back: sealed orders are due with it that cannot be opened here. See `countersign status`."
        );
    }
    Ok(held)
}

/// The same for the folder's own player, if it has one.
pub(super) fn lost_here(folder: &Folder, table: &Table) -> Result<Vec<Lost>> {
    table.owner.as_ref().map_or(Ok(Vec::new()), |o| lost(folder, table, o.seat))
}

/// Whether a slot is of a row of the terms: part for part, `*` for what varies.
fn of_row(row: &str, slot: &str) -> bool {
    let part = |(p, s): (&str, &str)| match p.split_once('*') {
        None => p == s,
        Some((head, tail)) => s.len() >= head.len() + tail.len() && s.starts_with(head) && s.ends_with(tail),
    };
    row.split('/').count() == slot.split('/').count() && row.split('/').zip(slot.split('/')).all(part)
}

/// What `status` says of a folder that comes from a copy or cannot open all it sealed; empty for a whole one.
pub(super) fn standing_words(folder: &Folder, table: &Table, seat: Seat) -> Result<String> {
    let mut out = String::new();
    if let Err(why) = folder.may_sign() {
        out.push_str(&format!("RESTORED: {why}\n"));
    }
    let lost = lost(folder, table, seat)?;
    if lost.is_empty() {
        return Ok(out);
    }
    out.push_str("CANNOT BE OPENED: what you sealed here lay in a lost folder alone, and no key brings it back:\n");
    let mut rows: Vec<&str> = Vec::new();
    for Lost { slot, step } in &lost {
        out.push_str(&format!("  {slot}   (sealed in step {step})\n"));
        let row = table.history.terms.proposal.secrets.iter().find(|row| of_row(&row.slots, slot));
        rows.extend(row.map(|row| row.if_withheld.as_str()).filter(|words| !rows.contains(words)));
    }
    for row in rows {
        let words: String = row.chars().filter(|c| !c.is_control()).take(200).collect();
        out.push_str(&format!("What follows by the terms if it stays shut: {words}.\n"));
    }
    let standing = table.history.settle(&table.posts);
    let open_step = lost.iter().any(|l| l.step == table.history.step());
    if open_step && standing.may_answer(seat) {
        out.push_str(
            "Your opponent has not answered these orders yet: write and sign new ones, and they count instead.\n",
        );
    } else if open_step {
        out.push_str("If you remember the orders: write the same ones again and run `countersign orders sign`; what fits is kept.\n");
    }
    let how = if has_command(&["offer"]) { " (`countersign offer --help`)" } else { "" };
    out.push_str(&format!("Else the way out is an agreement: your opponent offers to take the turn back, or to depart from it, and you accept{how}.\n"));
    if open_step {
        out.push_str("Until then your secret number for the dice is held back: once it is out, you can accept nothing in this step.\n");
    }
    Ok(out)
}

/// Orders written once more for seals that cannot be opened: what fits is kept. Returns whether that is what the
/// orders were for; new orders are not.
pub(super) fn reopen(folder: &Folder, table: &Table, player: &Player, intent: &Intent) -> Result<bool> {
    let history = &table.history;
    if history.terms.hosted() {
        return Ok(false);
    }
    let standing = history.settle(&table.posts);
    let lost: Vec<String> =
        lost(folder, table, player.seat)?.into_iter().filter(|l| l.step == history.step()).map(|l| l.slot).collect();
    if lost.is_empty() || standing.may_answer(player.seat) {
        return Ok(false);
    }
    let mut by_file: BTreeMap<u32, BTreeMap<String, Opening>> = BTreeMap::new();
    for (n, slot, opening) in player.reopen(history, &standing, intent)? {
        if lost.contains(&slot) {
            by_file.entry(n).or_default().insert(slot, opening);
        }
    }
    let found: usize = by_file.values().map(BTreeMap::len).sum();
    if found == 0 {
        return Err(Error::new("these orders open none of the seals: they are not the ones you sealed")
            .next("try others, as you remember them; nothing was signed or sent"));
    }
    for (n, openings) in &by_file {
        folder.keep_secrets(history.step(), *n, openings)?;
    }
    println!("These orders open {found} of {} seals; that much is kept.", lost.len());
    Ok(true)
}

/// `status` of a folder that belongs to nobody.
pub(super) fn spectator(table: &Table, waiting: usize, format: Format) -> Done {
    let history = &table.history;
    if format == Format::Json {
        format::print(&json!({
            "begun": true, "scenario": history.terms.proposal.scenario, "title": history.game.title(),
            "game": history.terms.game.to_string(), "seat": null, "step": history.step(),
            "turn": history.game.turn(), "complete": history.complete(),
            "packets_waiting": waiting, "head": history.head().to_string(),
        }));
        return Done::Fine;
    }
    let done = watch(table);
    println!("{}", without_key());
    if let Some(standing) = report::standing(&history.game) {
        println!("\n{standing}");
    }
    done
}

/// The game in a line, for who only watches.
pub(super) fn watch(table: &Table) -> Done {
    let history = &table.history;
    let title = history.game.title().unwrap_or(&history.terms.proposal.scenario);
    let end = if history.end().is_some() { ", over" } else { "" };
    println!("{title}: you watch. Game {}, step {}{end}.", history.terms.game.short(), history.step());
    Done::Fine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_finds_its_row_of_the_terms() {
        assert!(of_row("t*/*/plot/marker/*", "t12/british/plot/marker/3"));
        for (row, slot) in [
            ("t*/*/plot/marker/*", "t1/british/plot/fire/3"),
            ("t*/*/plot/marker/*", "x1/british/plot/marker/3"),
            ("t*/*/plot", "t1/british/plot/x"),
        ] {
            assert!(!of_row(row, slot), "{row} {slot}");
        }
    }

    #[test]
    fn commands_are_known_by_name() {
        assert!(has_command(&["key", "new"]) && !has_command(&["key", "fly"]) && !has_command(&["fly"]));
    }
}
