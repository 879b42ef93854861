//! The life of a player: what came, whose move it is, orders, packets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::status::{count, say_whose_move};
use super::{Done, Errors, Format, Outcome, format, host, keys, mail, preview, receipts, recover};
use crate::catalog::AnyGame;
use crate::doc::{Mode, Packet, SignedFile, StepFile};
use crate::draft;
use crate::error::{Error, Place, Result, plain};
use crate::log::step::{State, has_answer, other};
use crate::log::{Closed, Entry, Intent, Player, own_post, read_step};
use crate::play::Want;
use crate::report;
use crate::seal::{Digest, Hasher, Namespace, twelve_words};
use crate::side::Seat;
use crate::store::{self, Content, Folder, Owner, Released, Table};

pub(super) fn game(folder: &Folder) -> Result<Table> {
    match folder.load()? {
        Content::Game(table) => Ok(*table),
        Content::Proposed { .. } => Err(Error::new("the game has not begun: not everybody has accepted it yet")
            .next("when the answer comes, save it and run `countersign adjudicate THE-FILE`")),
    }
}

pub(super) fn owner(table: &Table) -> Result<Seat> {
    table.owner.as_ref().map(|o| o.seat).ok_or_else(no_player)
}

fn no_player() -> Error {
    Error::new("this folder belongs to no player, so nobody can play from it")
        .next("its log can be checked: `countersign verify`")
}

pub(super) fn player(table: &Table) -> Result<Player> {
    let Some(owner) = &table.owner else { return Err(no_player()) };
    let now = table.history.seat(owner.seat);
    // A new key that was accepted has taken the old one's place.
    let key = match owner.next.as_ref().map(|path| keys::read(path)) {
        Some(Ok(next)) if now.is_some_and(|s| s.key == next.public()) => next,
        _ if !owner.key.exists() => {
            return Err(
                Error::new(format!("the key you play this game with is not at `{}`", owner.key.display())).next(LOST)
            );
        }
        _ => keys::read(&owner.key)?,
    };
    let player = Player::at(&table.history, owner.seat, key);
    if now.map(|s| s.chain.tip) != Some(player.tip()) {
        return Err(Error::new(format!("the key at `{}` is not the one you play this game with", owner.key.display()))
            .next(LOST));
    }
    Ok(player)
}

/// What to do about a key that is gone.
const LOST: &str = "put it back from your backup (`countersign restore`); if it is lost: `countersign key new --file new.key`, then `countersign key replace --file new.key`, which your opponent has to accept";

/// Signs one file and keeps it: its secrets first, then the file.
pub(super) fn send(folder: &Folder, table: &mut Table, player: &Player, intent: &Intent) -> Result<bool> {
    folder.may_sign()?;
    if put_back(folder, table)? {
        if *intent == Intent::default() {
            return Ok(true);
        }
        return Err(Error::new("this folder was older than what you have sent; nothing new was signed")
            .next("run `countersign adjudicate`, see `countersign status`, and then give this command again if it is still needed"));
    }
    let secrets = folder.secrets()?;
    let history = &table.history;
    let decline = intent.decline || table.declined;
    let intent = &Intent { decline, ..intent.clone() };
    let next = if history.terms.hosted() {
        player.hosted(history, &table.posts, intent, &super::now())?
    } else {
        player.next(history, &table.posts, &secrets, intent, &super::now())?
    };
    let Some(out) = next else { return Ok(false) };
    let signed = player.sign(Namespace::Orders, &out.file)?;
    let letting_go = release(table, player.seat, &out.file, &signed)?;
    if let Some((owner, record)) = &letting_go {
        folder.may_release(owner, record)?;
    }
    folder.keep_secrets(out.file.step, out.file.n, &out.openings)?;
    if history.terms.hosted()
        && let Some(lodging) = player.lodging(&table.history, &out, &signed)?
    {
        folder.lodge(&player.sign(Namespace::Orders, &lodging)?)?;
    }
    if let Some((owner, record)) = &letting_go {
        folder.release(owner, record)?;
    }
    folder.keep(&signed)?;
    *table = game(folder)?;
    Ok(true)
}

/// For which files a file lets go of a link or of openings, if it does (`schemas/protocol.md`, "Time and loss").
fn release(table: &Table, seat: Seat, file: &StepFile, signed: &SignedFile) -> Result<Option<(Owner, Released)>> {
    let history = &table.history;
    let Some(owner) = table.owner.clone().filter(|_| file.link.is_some() || !file.opens.is_empty()) else {
        return Ok(None);
    };
    let mut posts = table.posts.clone();
    posts.push(own_post(signed.clone())?);
    let standing = history.settle(&posts);
    let mut answers = BTreeMap::new();
    // A host takes one of a player's files and fixes it by that: nothing is bound before.
    let asked = if history.terms.hosted() { BTreeSet::new() } else { history.asked() };
    for of in asked {
        if let Some(filed) = standing.answer_file(of) {
            answers.insert(of, if of == seat { digest_of_answer(&filed.file) } else { filed.hash });
        }
    }
    let own = posts.iter().filter(|p| p.filed.file.seat == seat);
    let files = own.map(|p| String::from_utf8_lossy(&p.signed.bytes()).into_owned()).collect();
    let (game, head) = (history.terms.game, history.head());
    Ok(Some((owner, Released { game, seat, step: file.step, head, answers, files })))
}

/// The free part of a file, whatever else stands in it.
fn digest_of_answer(file: &StepFile) -> Digest {
    let clear = file.answers.iter().fold(Hasher::new("answers"), |h, (slot, tree)| h.text(slot).text(&tree.to_json()));
    file.seals.iter().fold(clear, |h, (slot, seal)| h.text(slot).digest(seal)).done()
}

/// Own files of the open step that went out and are missing in the folder are kept again.
pub(super) fn put_back(folder: &Folder, table: &mut Table) -> Result<bool> {
    let history = &table.history;
    let Some(owner) = &table.owner else { return Ok(false) };
    let count = folder.put_back(owner, &history.terms.game, history.step(), &history.head())?;
    if count > 0 {
        eprintln!(
            "{} of this step that had gone out {} missing in this folder and put back.",
            self::count(count, "file of yours", "files of yours"),
            if count == 1 { "was" } else { "were" }
        );
        *table = game(folder)?;
    }
    Ok(count > 0)
}

/// Whether anything may be forced on this seat, so that its key is needed.
fn has_duty(table: &Table, seat: Seat) -> bool {
    let history = &table.history;
    if history.complete() || history.terms.hosted() {
        return false;
    }
    if history.end().is_some() {
        return history.unopened().values().any(|open| open.seat == seat);
    }
    let standing = history.settle(&table.posts);
    let partner = other(standing.order, seat);
    match standing.state(seat) {
        State::Bound => true,
        // In a strict game the host names the players' files and closes the step.
        State::Asked | State::Waits | State::Doubled if history.terms.strict() => false,
        State::Conceded => false,
        State::Released => {
            let story = history.preview(&standing, &crate::log::all_files(&standing));
            story.wants.iter().any(|w| matches!(w, Want::Open { side, .. } if Seat::from(*side) == seat))
        }
        State::Asked | State::Waits | State::Doubled => {
            standing.seats[&partner].conceded.is_some()
                || standing.refusable(partner).is_some()
                || standing.state(partner) == State::Doubled
        }
    }
}

/// Does everything that is forced, as long as something is.
pub(super) fn do_duties(folder: &Folder, table: &mut Table) -> Result<bool> {
    let seat = owner(table)?;
    let mut did = false;
    if folder.restored().is_some() {
        return Ok(false);
    }
    if seat == Seat::Host {
        return host::do_duties(folder, table, false);
    }
    // Who asks for his seat with a new key lets the old one say nothing: any file of it would speak against the request.
    let asking = table.owner.as_ref().is_some_and(|o| o.next.is_some()) && table.history.asks_for(seat);
    while !asking && has_duty(table, seat) && !recover::holds_back(folder, table, seat)? {
        let player = player(table)?;
        if !send(folder, table, &player, &Intent::default())? {
            break;
        }
        did = true;
    }
    Ok(did)
}

/// What the other side lacks: the own files of the open step and those before back to [`horizon`] (a lost mail heals with
/// the next), and the terms while the game is young; a host sends every file of the steps he has closed, and of an open one
/// what both may see ([`host::shown`]). `all`: everything ever.
fn packet_of(table: &Table, all: bool) -> Result<Packet> {
    let seat = owner(table)?;
    let step = table.history.step();
    let shown = if seat == Seat::Host { host::shown(table) } else { BTreeSet::new() };
    let since = horizon(table, seat);
    let wanted = |name: &str| {
        let of: u64 = name.split('-').next().and_then(|s| s.parse().ok()).unwrap_or(0);
        if seat == Seat::Host && of >= step {
            return shown.contains(name);
        }
        let mine = name.contains(&format!("-{seat}-")) || seat == Seat::Host || name.contains("-key-");
        all || (of == 0 && (step <= 2 || since == 0)) || (mine && of >= since && of > 0)
    };
    let files = table.files.iter().filter(|(name, _)| wanted(name)).map(|(_, f)| SignedFile::bytes(f));
    // What opens a player's seals, locked for the host, goes beside his orders.
    let lodged = table.lodgings.iter().filter(|l| seat != Seat::Host && (all || l.lodging.step >= since));
    Ok(Packet { files: files.chain(lodged.map(|l| l.signed.bytes())).collect() })
}

/// The first step a packet brings: nobody it goes to can lack anything older.
///
/// A file is bound to the result that opened its step, so who has written one in step k had all before it. Who is asked
/// nothing for some steps of a hosted game, or is late and replaced by the book, shows nothing, and may lack them all. Files
/// of the open step do not count: the packet of a host must not betray that orders have come.
fn horizon(table: &Table, seat: Seat) -> u64 {
    let step = table.history.step();
    let usual = step.saturating_sub(1 + u64::from(table.history.end().is_some()));
    let to: Vec<Seat> = match (table.history.terms.proposal.mode, seat) {
        (Mode::Hosted | Mode::Strict, Seat::American | Seat::British) => vec![Seat::Host],
        _ => table.history.terms.players().into_iter().filter(|s| *s != seat).collect(),
    };
    let fits = |name: &str| !table.evidence.iter().any(|(odd, _)| odd == name);
    let newest = |of: Seat, before: u64| {
        let written = table.files.keys().filter(|name| name.contains(&format!("-{of}-")) && fits(name));
        let steps = written.filter_map(|name| name.split('-').next()?.parse::<u64>().ok());
        steps.filter(|at| *at < before).max().unwrap_or(0)
    };
    let theirs = to.into_iter().map(|of| newest(of, step)).min().unwrap_or(0);
    // Never less than the newest own file: a mail with nothing in it would tell nobody that its sender waits.
    theirs.min(usual).min(newest(seat, step + 1))
}

/// What is to be sent, and how: the program does it itself where it knows the addresses.
fn say_send(folder: &Folder, table: &Table, path: &Path, more: &str) {
    println!("Send this file {}{more}:\n  {}", receiver(table), path.display());
    if folder.path().join("mail.yaml").exists() {
        println!("`countersign mail out` sends it.");
    }
}

/// Whom a packet goes to. In a hosted game what a player need not seal stands in it in clear: the host alone may have it.
fn receiver(table: &Table) -> &'static str {
    match (table.history.terms.proposal.mode, table.owner.as_ref().map(|o| o.seat)) {
        (Mode::TwoSeats, _) => "to your opponent",
        (_, Some(Seat::Host)) => "to both players",
        (Mode::Strict, _) => "to the host",
        (Mode::Hosted, _) => {
            "TO THE HOST ALONE, never to your opponent: what is sealed only the host can open, the rest anybody can read"
        }
    }
}

/// Writes the packet to send, if there is anything of one's own to send, and returns where it lies.
pub(super) fn write_packet(folder: &Folder, table: &Table) -> Result<PathBuf> {
    let packet = packet_of(table, false)?;
    let step = table.history.step();
    let n =
        table.files.keys().filter(|name| name.contains(&format!("-{}-", owner(table).map_or("x", Seat::word)))).count();
    let name = format!("{}-{}-{step:03}-{n:03}", table.history.terms.game.short(), owner(table)?);
    let path = folder.path().join("out").join(format!("{name}.packet"));
    if std::fs::read(&path).ok() != Some(packet.bytes()) {
        folder.write_again(&format!("out/{name}.txt"), packet.armor().as_bytes())?;
        folder.write_again(&format!("out/{name}.packet"), &packet.bytes())?;
    }
    // Only now: a program cut off before this leaves one packet too many, never one too few.
    store::clear_out(folder.path(), &name)?;
    Ok(path)
}

/// `head`.
pub(super) fn head(here: &Path, format: Format) -> Outcome {
    let folder = Folder::open(here)?;
    let table = game(&folder)?;
    let (step, head) = (table.history.step() - 1, table.history.head());
    match format {
        Format::Text => {
            println!("after step {step}: {}", twelve_words(&head));
            println!("{head}");
            eprintln!(
                "If your opponent reads the same twelve words for step {step}, you both have the same game up to there."
            );
        }
        Format::Json => {
            format::print(&json!({ "step": step, "head": head.to_string(), "words": twelve_words(&head) }));
        }
    }
    Ok(Done::Fine)
}

/// Tells a player of whom nothing is asked, or whose orders are fixed, that it is so.
pub(super) fn nothing_to_order(table: &Table, seat: Seat) -> Option<Done> {
    let hosted = table.history.terms.hosted();
    if !table.history.asked().contains(&seat) {
        eprintln!("Nothing is asked of you in this step.");
    } else if !hosted && !table.history.settle(&table.posts).may_answer(seat) {
        let who = if table.history.terms.strict() {
            "the host has passed them on"
        } else if table.history.settle(&table.posts).seats[&seat].linked.is_some() {
            "your secret number for the dice was signed with them"
        } else {
            "your opponent has already answered them"
        };
        eprintln!("Your orders are fixed: {who}.");
    } else {
        return None;
    }
    let _ = say_whose_move(table, seat);
    Some(Done::Waiting)
}

/// `orders new`.
pub(super) fn orders_new(here: &Path, file: &Path, force: bool) -> Outcome {
    let folder = Folder::open(here)?;
    let table = game(&folder)?;
    let seat = owner(&table)?;
    if let Some(done) = nothing_to_order(&table, seat) {
        return Ok(done);
    }
    if file.exists() && !force && !earlier(&table, file) {
        return Err(Error::misuse(format!("`{}` is there already", file.display()))
            .next("edit it if it is this turn's; for a fresh template: `countersign orders new --force`")
            .into());
    }
    store::write_whole(file, draft::template(&table.history, seat).as_bytes())?;
    println!("Written: {}. Open it in Notepad or another editor, change it, save it; then:", file.display());
    println!("  countersign orders check    to see whether the rules allow it");
    println!("  countersign orders sign     to sign it and write the packet to send");
    Ok(Done::Fine)
}

/// Whether a file holds orders of a step of this game that is over: what was signed is kept in `orders/`, so a fresh
/// template may take its place.
fn earlier(table: &Table, file: &Path) -> bool {
    let Ok(text) = store::read_text(file) else { return false };
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().trim_matches('"').to_owned())
    };
    let game = table.history.terms.game.short().to_string();
    let step = value("step:").and_then(|step| step.parse::<u64>().ok());
    value("game:") == Some(game) && step.is_some_and(|step| step < table.history.step())
}

/// The text of an orders file.
pub(super) fn orders_text(file: &Path) -> Result<String> {
    if !file.exists() {
        return Err(
            Error::misuse(format!("there is no file `{}`", file.display())).next("begin with `countersign orders new`")
        );
    }
    store::read_text(file)
}

pub(super) fn read_orders(table: &Table, file: &Path, text: &str) -> std::result::Result<Intent, Errors> {
    Ok(draft::read(&table.history, owner(table)?, text, &file.display().to_string())?)
}

/// `orders check`.
pub(super) fn orders_check(here: &Path, file: &Path, format: Format) -> Outcome {
    let folder = Folder::open(here)?;
    let table = game(&folder)?;
    let text = orders_text(file)?;
    match (read_orders(&table, file, &text), format) {
        (Ok(intent), Format::Text) => {
            for warning in preview::warnings(&folder, &table, owner(&table)?, &intent)? {
                println!("WARNING: {warning}");
            }
            println!("The rules allow these orders. Nothing is signed yet: `countersign orders sign`.");
            if matches!(table.history.game, AnyGame::Land(_)) {
                if table.history.settle(&table.posts).may_answer_and_link(owner(&table)?) {
                    println!("Once signed they stand: your number for the dice goes with them.");
                }
                println!("What each would do, and whether it would be skipped: `countersign orders preview`.");
            }
            Ok(Done::Fine)
        }
        (Ok(_), Format::Json) => {
            format::print(&json!({ "legal": true, "refusals": [] }));
            Ok(Done::Fine)
        }
        (Err(Errors(errors)), Format::Json) if errors.iter().all(|e| e.code == 1) => {
            format::print(&json!({ "legal": false, "refusals": format::objects(&errors) }));
            Ok(Done::Fault)
        }
        (Err(errors), _) => Err(errors),
    }
}

/// `orders sign`. `unchanged`: the template as it is will do.
pub(super) fn orders_sign(here: &Path, file: &Path, unchanged: bool) -> Outcome {
    let folder = Folder::open(here)?;
    let mut table = game(&folder)?;
    let text = orders_text(file)?;
    // Notepad may have saved it with its own line ends: that is no change.
    if !unchanged && text.replace("\r\n", "\n") == draft::template(&table.history, owner(&table)?) {
        return Err(Error::misuse("these are the template's orders; change them or say --unchanged")
            .next(format!(
                "edit {0} and save it; if you mean them as they are: countersign orders sign {0} --unchanged",
                super::typed(file)
            ))
            .at(Place { file: file.display().to_string(), line: 0, column: 0 })
            .into());
    }
    folder.may_sign()?;
    let intent = read_orders(&table, file, &text)?;
    if intent.answers.is_empty() {
        eprintln!("Nothing is asked of you in this step.");
        let _ = say_whose_move(&table, owner(&table)?);
        return Ok(Done::Waiting);
    }
    let player = player(&table)?;
    if recover::reopen(&folder, &table, &player, &intent)? {
        let before = table.history.step();
        do_duties(&folder, &mut table)?;
        return after(&folder, &table, before);
    }
    for warning in preview::warnings(&folder, &table, player.seat, &intent)? {
        eprintln!("WARNING: {warning}");
    }
    eprintln!("Signing your orders for step {} of game {}.", table.history.step(), table.history.terms.game.short());
    let before = table.history.step();
    send(&folder, &mut table, &player, &intent)?;
    do_duties(&folder, &mut table)?;
    after(&folder, &table, before)
}

/// After something was done: the report of what happened, the packet, whose move it is.
pub(super) fn after(folder: &Folder, table: &Table, before: u64) -> Outcome {
    folder.refresh(table)?;
    // A `mail serve` that runs beside this sends what it makes.
    crate::index::wake(folder.path());
    if table.history.step() > before {
        print!("{}", report_since(table, before));
    }
    let path = write_packet(folder, table)?;
    say_send(folder, table, &path, " (attach it, or paste the .txt beside it into the mail)");
    let _ = say_whose_move(table, owner(table)?);
    Ok(Done::Fine)
}

/// What steps closed since a step have told.
pub(super) fn report_since(table: &Table, before: u64) -> String {
    let told = table.history.closed().iter().filter(|c: &&Closed| c.step >= before && c.story.is_some()).count();
    let mut out = report::told(&table.history, told);
    for closed in table.history.closed().iter().filter(|c| c.step >= before) {
        if let Some((seat, what)) = &closed.agreed {
            out.push_str(&format!("\nBoth agreed to what the {seat} player offered: {what}.\nOrders that were signed for the step it closed count no more; what is asked now is asked anew.\n"));
        }
        for (seat, why) in &closed.refused {
            out.push_str(&format!("\nA later file of the {seat} player was not taken: {}.\n", plain(why)));
        }
        for (seat, said) in &closed.said {
            out.push_str(&format!("\nThe {seat} player writes: {said}\n"));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// `adjudicate`. `nothing_newer`: the player says that a restored folder knows all he has sent.
pub(super) fn adjudicate(here: &Path, packets: &[PathBuf], nothing_newer: bool) -> Outcome {
    let folder = Folder::open(here)?;
    let inbox = if packets.is_empty() { folder.waiting()? } else { packets.to_vec() };
    let before = open_step(&folder)?;
    let mut new = 0;
    let mut came = Vec::new();
    for path in &inbox {
        let found = mail::packets(path)?;
        new += folder.take(&found).map_err(|e| e.in_file(path.display().to_string()))?.new;
        came.extend(found);
        if packets.is_empty() {
            folder.done(path)?;
        }
    }
    match (inbox.is_empty(), new) {
        (true, _) => eprintln!("No packet named, and none in the folder `in`; looking at what is due."),
        (false, 0) => eprintln!("Everything in it was here already."),
        (false, n) => eprintln!("{} taken in.", count(n, "new file", "new files")),
    }
    go_on(&folder, before, &came, nothing_newer)
}

/// The open step of a game; 0 before it has begun.
pub(super) fn open_step(folder: &Folder) -> Result<u64> {
    Ok(match folder.load()? {
        Content::Game(table) => table.history.step(),
        Content::Proposed { .. } => 0,
    })
}

/// After files were taken in: everything that is due, the report, the packet, whose move it is. `before`: the step that was
/// open; `came`: what was taken in.
pub(super) fn go_on(folder: &Folder, before: u64, came: &[Packet], nothing_newer: bool) -> Outcome {
    let mut table = match folder.load()? {
        Content::Game(table) => *table,
        Content::Proposed { .. } => {
            println!("The game has not begun: not everybody has accepted it yet.");
            return Ok(Done::Waiting);
        }
    };
    let Ok(seat) = owner(&table) else {
        folder.refresh(&table)?;
        return Ok(recover::watch(&table));
    };
    recover::after_copy(folder, &table, came, nothing_newer)?;
    let did = do_duties(folder, &mut table)?;
    folder.refresh(&table)?;
    crate::index::wake(folder.path());
    if before == 0 {
        println!("The game has begun: all have signed the same terms, each with his own key.");
    }
    if table.history.step() > before.max(1) || (before == 0 && table.history.step() > 1) {
        print!("{}", report_since(&table, before));
    }
    for (name, why) in &table.evidence {
        println!("Not counted: the file `{name}`: {why}");
    }
    print!("{}", stale(&table, seat, before));
    print!("{}", receipts::words(folder, &table, came));
    if seat == Seat::Host {
        host::give_receipts(folder, &table)?;
    }
    // Written even if nothing was done now: a program that was cut off may have left the folder ahead of its packet.
    let begun = table.history.step() > 1 || !table.posts.is_empty() || !table.history.hosts().is_empty();
    let path = if begun { write_packet(folder, &table)? } else { PathBuf::new() };
    if did {
        let fresh = !table.posts.iter().any(|p| p.filed.file.seat == seat);
        if fresh && table.history.asked().contains(&seat) {
            println!("A packet is written, but write your next orders first: their packet carries everything.");
        } else {
            say_send(folder, &table, &path, "; nothing has to be decided");
        }
    }
    Ok(say_whose_move(&table, seat))
}

/// What of the own files came too late to count in the steps closed since one: it is said again for the new step, or not.
fn stale(table: &Table, seat: Seat, before: u64) -> String {
    let logged: BTreeSet<Digest> = (table.history.log().lines().iter())
        .filter_map(|line| match Entry::parse(line) {
            Ok(Entry::File(entry)) => entry.signed().ok().map(|signed| signed.hash()),
            _ => None,
        })
        .collect();
    let mut out = String::new();
    for step in before.max(1)..table.history.step() {
        let own = table.files.values().filter_map(|signed| Some((signed.hash(), read_step(signed).ok()?)));
        let own: Vec<(Digest, StepFile)> = own.filter(|(_, f)| f.seat == seat && f.step == step).collect();
        let counted = own.iter().filter(|(hash, _)| logged.contains(hash)).map(|(_, f)| f.n).max().unwrap_or(0);
        let late = own.iter().filter(|(_, f)| f.n > counted);
        for file in
            late.map(|(_, f)| f).filter(|f| has_answer(f) || f.offer.is_some() || f.accept.is_some() || f.say.is_some())
        {
            out.push_str(&format!(
                "Your file {} of step {step} crossed with what closed the step and does not count. If it still matters, say it again for step {}.\n",
                file.n,
                table.history.step()
            ));
        }
    }
    out
}

/// `packet`.
pub(super) fn packet(here: &Path, text: bool, all: bool) -> Outcome {
    let folder = Folder::open(here)?;
    let table = game(&folder)?;
    if text {
        print!("{}", packet_of(&table, all)?.armor());
        return Ok(Done::Fine);
    }
    if all {
        let name = format!("{}-everything.packet", table.history.terms.game.short());
        folder.write(&format!("out/{name}"), &packet_of(&table, true)?.bytes())?;
        println!("{}", folder.path().join("out").join(name).display());
    } else {
        println!("{}", write_packet(&folder, &table)?.display());
    }
    Ok(Done::Fine)
}

/// `concede`.
pub(super) fn concede(here: &Path, yes: bool, say: Option<String>) -> Outcome {
    let folder = Folder::open(here)?;
    let mut table = game(&folder)?;
    if !yes {
        return Err(Error::misuse("conceding ends the game and cannot be taken back")
            .next("if you mean it: countersign concede --yes")
            .into());
    }
    if table.history.end().is_some() {
        return Err(Error::misuse("the game is over").into());
    }
    let player = player(&table)?;
    let before = table.history.step();
    send(&folder, &mut table, &player, &Intent { concede: true, say, ..Intent::default() })?;
    after(&folder, &table, before)
}
