//! `host`, and a host's part of `adjudicate`: closing steps, passing files on, the clock, receipts.

mod club;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use clap::Subcommand;

use super::play::{after, game, owner, player, put_back};
use super::{Format, Outcome};
use crate::clock;
use crate::doc::{HostFile, Late, Offer, Packet, Pause, SignedFile};
use crate::error::{Error, Result};
use crate::log::{History, HostWords, Player, Post, Secrets};
use crate::seal::Namespace;
use crate::side::Seat;
use crate::store::{Folder, Released, Table, name_of};

/// What a host does beside `adjudicate`.
#[derive(Debug, Subcommand)]
pub enum HostCommand {
    /// Declare late who owes something after the time, with what the terms have follow.
    ///
    /// Example: countersign host late
    Late {
        /// A word to the players.
        #[arg(long)]
        say: Option<String>,
    },
    /// Put off when the open step is due. What was told once is never brought nearer.
    ///
    /// Example: countersign host extend --until "2026-01-05 20:00" --say "Happy New Year"
    Extend {
        /// When: "2026-01-05 20:00" in the time zone of the game, or 2026-01-05T12:00:00Z in UTC.
        #[arg(long, value_name = "INSTANT")]
        until: String,
        /// A word to the players.
        #[arg(long)]
        say: Option<String>,
    },
    /// Stop the clock: nobody is late until it runs again. Whoever wants to may play on.
    ///
    /// Example: countersign host pause --say "Back on the 7th"
    Pause {
        /// A word to the players.
        #[arg(long)]
        say: Option<String>,
    },
    /// Let the clock run again. The time that was left when it stopped is left now.
    ///
    /// Example: countersign host resume --say "On we go"
    Resume {
        /// When the open step is due: a later time than what was left gives.
        #[arg(long, value_name = "INSTANT")]
        until: Option<String>,
        /// A word to the players.
        #[arg(long)]
        say: Option<String>,
    },
    /// The games in the folders below this one: who plays, whose move it is, what is due, who is late.
    ///
    /// Example: countersign host list
    List {
        /// Only games in which somebody is late.
        #[arg(long)]
        late: bool,
        /// Make the index of the games anew from their folders.
        #[arg(long)]
        rebuild: bool,
    },
    /// How the games in the folders below this one ended, as a table for a spreadsheet (CSV).
    ///
    /// Example: countersign host results
    Results {
        /// Write it to this file.
        #[arg(long, value_name = "FILE.csv")]
        out: Option<PathBuf>,
    },
    /// Who sits where in this game, with which key; or note where a player has his mail now.
    ///
    /// A player who hands his seat over: the new one asks for it with his key (`countersign key replace`), the other player
    /// agrees (`countersign agree --key LETTERS`), and the host notes the new address here.
    /// Example: countersign host seat
    Seat {
        /// The seat.
        #[arg(value_parser = super::args::seat, requires = "address")]
        seat: Option<Seat>,
        /// Where its player has his mail.
        #[arg(long, requires = "seat")]
        address: Option<String>,
    },
}

/// What the host says by default.
fn words(late: bool, now: DateTime<Utc>) -> HostWords {
    HostWords { late, sent: clock::write(now), ..HostWords::default() }
}

/// When the open step of a history is due by the clock of the terms, counted from `now`, or from the end of what the players
/// have agreed to rest; none without a clock, while it stands still, or after the end of the game.
fn due_of(history: &History, now: DateTime<Utc>) -> Result<Option<String>> {
    let Some(terms) = history.terms.proposal.clock.as_ref() else { return Ok(None) };
    if history.end().is_some() || history.paused().is_some() {
        return Ok(None);
    }
    let rest = history.rest().as_deref().and_then(clock::read).filter(|rest| *rest > now);
    clock::due_after(terms, rest.unwrap_or(now)).map(clock::write).map(Some)
}

/// The host's file with the time by which the next step is due, if it closes this one.
fn with_due(host: &Player, table: &Table, mut file: HostFile, now: DateTime<Utc>) -> Result<HostFile> {
    let history = &table.history;
    if history.terms.proposal.clock.is_none() {
        return Ok(file);
    }
    let mut trial = history.clone();
    let post = trial.read_host(&host.sign(Namespace::Host, &file)?)?;
    let closed = if trial.terms.hosted() {
        trial.close_hosted(&table.posts, &post)?
    } else {
        trial.hosts_at_hand(history.hosts().iter().cloned().chain([post]).collect());
        trial.close(&table.posts)?
    };
    if closed.is_some() {
        file.due = due_of(&trial, now)?;
    }
    Ok(file)
}

/// Closes every hosted step whose orders are in, and passes on everything of a strict one. `late`: who owes something
/// after the time is declared late.
pub(super) fn do_duties(folder: &Folder, table: &mut Table, late: bool) -> Result<bool> {
    let mut did = put_back(folder, table)?;
    let mut late = late;
    // The step that opens the game is due by the clock as every other; only its opening could not say so.
    let history = &table.history;
    let now = now();
    if let Some(due) = due_of(history, now)?.filter(|_| history.due().is_none()) {
        let host = player(table)?;
        let file = host.notice(history, &HostWords { due: Some(due), ..words(false, now) });
        sign(folder, table, &host, &file)?;
        did = true;
    }
    while !table.history.complete() {
        let host = player(table)?;
        let now = self::now();
        let said = words(late, now);
        let next = if table.history.terms.strict() {
            host.relay(&table.history, &table.posts, &said)?
        } else {
            close(folder, &host, table, &said)?
        };
        let Some(file) = next else { break };
        let file = with_due(&host, table, file, now)?;
        late = false;
        sign(folder, table, &host, &file)?;
        did = true;
    }
    Ok(did)
}

/// Whether time and grace of the open step are over by the clock, and something follows from it by the terms.
pub(super) fn is_late(table: &Table) -> bool {
    let history = &table.history;
    let may = history.end().is_none() && history.terms.late().is_some() && history.paused().is_none();
    may && last_moment(history).is_some_and(|(_, last)| now() > last)
}

/// When the open step is due, and the last instant at which nobody is late.
fn last_moment(history: &History) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let due = history.due().as_deref().and_then(clock::read)?;
    Some((due, history.terms.proposal.clock.as_ref().map_or(due, |terms| clock::late_after(terms, due))))
}

/// Now, to the second: what is signed and what it is reckoned from are one instant.
fn now() -> DateTime<Utc> {
    clock::read(&super::now()).unwrap_or_else(super::clock)
}

/// Opens what was lodged with the host, in memory alone. What does not open is set aside and counts as not lodged.
fn opened(folder: &Folder, table: &mut Table, host: &Player) -> Result<Secrets> {
    let (lodged, shut) = table.open_lodgings(host);
    for (lodging, why) in &shut {
        folder.set_aside(lodging, why)?;
        eprintln!("{why}");
    }
    if !shut.is_empty() {
        *table = game(folder)?;
    }
    Ok(lodged)
}

/// The file that closes the open step of a hosted game, if it can be closed.
fn close(folder: &Folder, host: &Player, table: &mut Table, said: &HostWords) -> Result<Option<HostFile>> {
    let lodged = opened(folder, table, host)?;
    let history = &table.history;
    let choice = history.choose_hosted(&table.posts, &lodged);
    if table.host.is_some() || (history.end().is_none() && !choice.closes() && !said.late) {
        return Ok(None);
    }
    let file = host.close_hosted(history, &table.posts, &lodged, said)?;
    // A step that would not close must not be signed: try it first.
    let mut trial = history.clone();
    let post = trial.read_host(&host.sign(Namespace::Host, &file)?)?;
    trial.close_hosted(&table.posts, &post)?;
    Ok(Some(file))
}

/// Signs and keeps one file of the host's.
fn sign(folder: &Folder, table: &mut Table, host: &Player, file: &HostFile) -> Result<()> {
    let signed = host.sign(Namespace::Host, file)?;
    if let Some(owner) = &table.owner {
        let (game, head) = (table.history.terms.game, table.history.head());
        let answers = table.history.released_for(&table.posts, file);
        let earlier = table.history.hosts().iter().map(|h| &h.signed);
        let files = earlier.chain([&signed]).map(|f| String::from_utf8_lossy(&f.bytes()).into_owned()).collect();
        folder.release(owner, &Released { game, seat: Seat::Host, step: file.step, head, answers, files })?;
    }
    folder.keep(&signed)?;
    *table = game(folder)?;
    Ok(())
}

/// Names of the files of the open step that a host shows both players: in a strict game all he has named, and his own; in
/// a hosted one offers, requests of new keys and changes of time, which decide nothing.
pub(super) fn shown(table: &Table) -> BTreeSet<String> {
    let history = &table.history;
    let mut shown: BTreeSet<String> = history.hosts().iter().map(|h| name_of(&h.signed)).collect();
    let step = format!("{:05}-", history.step());
    shown.extend(table.files.keys().filter(|n| n.starts_with(&step) && n.contains("-key-")).cloned());
    if history.terms.strict() {
        let standing = history.settle(&table.posts);
        if let Some((host, last)) = standing.host.as_ref().and_then(|h| Some((h, h.chain.len().checked_sub(1)?))) {
            for (seat, view) in &standing.seats {
                let named = view.chain.iter().take(host.pins(last, *seat));
                let posts = named.filter_map(|f| table.posts.iter().find(|p| p.filed.hash == f.hash));
                shown.extend(posts.map(|p| name_of(&p.signed)));
            }
        }
        return shown;
    }
    let offers = table.posts.iter().filter(|p| {
        let file = &p.filed.file;
        let offer = file.offer.as_ref().is_some_and(|o| *o != Offer::Concede);
        offer && history.judge_hosted(file, &table.posts).is_ok()
    });
    shown.extend(offers.map(|p| name_of(&p.signed)));
    shown
}

/// Writes a receipt for every file of the open step that cannot be taken, a packet for its player each, once.
pub(super) fn give_receipts(folder: &Folder, table: &Table) -> Result<()> {
    let history = &table.history;
    if history.end().is_some() {
        return Ok(());
    }
    for post in &table.posts {
        if history.refusal(&post.filed, &table.posts).is_none() {
            continue;
        }
        let path = receipt_place(folder, table, post);
        if path.exists() {
            continue;
        }
        let refused = write_receipt(folder, table, post)?;
        println!(
            "A file of the {} player cannot be taken: {}\nSend him this, so that he knows why and can have it judged:\n  {}",
            post.filed.file.seat,
            refused.unwrap_or_default(),
            path.display()
        );
    }
    Ok(())
}

/// Signs the receipt for a file of the open step and writes it, with the file, as a packet for its player. Returns why it is
/// refused, if it is.
pub(super) fn write_receipt(folder: &Folder, table: &Table, post: &Post) -> Result<Option<String>> {
    let host = player(table)?;
    let receipt = host.receipt(&table.history, &post.filed, &table.posts, &super::now());
    let signed = host.sign(Namespace::Host, &receipt)?;
    let files: [&SignedFile; 2] = [&signed, &post.signed];
    let packet = Packet { files: files.map(SignedFile::bytes).to_vec() };
    crate::store::write_whole(&receipt_place(folder, table, post), &packet.bytes())?;
    Ok(receipt.refused)
}

/// Where the receipt for a file of the open step lies.
pub(super) fn receipt_place(folder: &Folder, table: &Table, post: &Post) -> PathBuf {
    let (step, seat, file) = (table.history.step(), post.filed.file.seat, post.filed.hash.short());
    folder.path().join("receipts").join(format!("receipt-{step:03}-{seat}-{file}.packet"))
}

/// `host`.
pub(super) fn host(here: &Path, command: &HostCommand, format: Format) -> Outcome {
    match command {
        HostCommand::List { late, rebuild } => return club::list(here, *late, *rebuild, format),
        HostCommand::Results { out } => return club::results(here, out.as_deref()),
        HostCommand::Seat { seat, address } => return club::seat(here, seat.zip(address.as_deref()), format),
        HostCommand::Late { .. }
        | HostCommand::Extend { .. }
        | HostCommand::Pause { .. }
        | HostCommand::Resume { .. } => {}
    }
    let folder = Folder::open(here)?;
    let mut table = game(&folder)?;
    if owner(&table)? != Seat::Host {
        return Err(Error::misuse("this folder is a player's; `countersign host` is for who hosts the game").into());
    }
    folder.may_sign()?;
    if table.history.end().is_some() {
        return Err(Error::misuse("the game is over").into());
    }
    let before = table.history.step();
    match command {
        HostCommand::Late { say } => late(&folder, &mut table, say.clone())?,
        HostCommand::Extend { until, say } => extend(&folder, &mut table, until, say.clone())?,
        HostCommand::Pause { say } => pause(&folder, &mut table, say.clone())?,
        HostCommand::Resume { until, say } => resume(&folder, &mut table, until.as_deref(), say.clone())?,
        HostCommand::List { .. } | HostCommand::Results { .. } | HostCommand::Seat { .. } => {}
    }
    after(&folder, &table, before)
}

/// Signs a file of the host's that speaks of time and closes nothing, if he may send it.
fn tell(folder: &Folder, table: &mut Table, said: &HostWords) -> Result<()> {
    let host = player(table)?;
    let file = host.notice(&table.history, said);
    table.history.judge_notice(&file)?;
    sign(folder, table, &host, &file)?;
    do_duties(folder, table, false).map(drop)
}

fn extend(folder: &Folder, table: &mut Table, until: &str, say: Option<String>) -> Result<()> {
    let (history, now) = (&table.history, now());
    let terms = history.terms.proposal.clock.as_ref();
    let until = clock::typed(until, terms)?;
    if history.paused().is_some() {
        return Err(Error::misuse("the clock stands still; nothing is due")
            .next("let it run again: countersign host resume --until \"2026-01-05 20:00\""));
    }
    if until <= now {
        let what = format!("{} is over already", clock::shown(until, terms));
        return Err(Error::misuse(what).next("name a time to come"));
    }
    if let Some((due, _)) = last_moment(history).filter(|(due, _)| until < *due) {
        let told = clock::shown(due, terms);
        return Err(Error::misuse(format!(
            "the players have been told {told}: a time once told is put off, never brought nearer"
        ))
        .next("name that time or a later one"));
    }
    tell(folder, table, &HostWords { due: Some(clock::write(until)), say, ..words(false, now) })
}

fn pause(folder: &Folder, table: &mut Table, say: Option<String>) -> Result<()> {
    if table.history.terms.proposal.clock.is_none() {
        return Err(
            Error::misuse("the terms of this game have no clock: nobody can be late").next("there is nothing to stop")
        );
    }
    if let Some(since) = table.history.paused() {
        return Err(Error::misuse(format!("the clock stands still already, since {since}"))
            .next("let it run again: countersign host resume"));
    }
    // What has come before the pause is worked off before it.
    do_duties(folder, table, false)?;
    if table.history.end().is_some() {
        return Ok(());
    }
    tell(folder, table, &HostWords { pause: Some(Pause::Begin), say, ..words(false, now()) })
}

fn resume(folder: &Folder, table: &mut Table, until: Option<&str>, say: Option<String>) -> Result<()> {
    let (history, now) = (table.history.clone(), now());
    let since = history.paused().as_deref().and_then(clock::read);
    let (Some(since), Some(terms)) = (since, history.terms.proposal.clock.as_ref()) else {
        return Err(Error::misuse("the clock runs").next("to stop it: countersign host pause"));
    };
    let rest = history.rest().as_deref().and_then(clock::read).filter(|rest| *rest > now);
    // What was left is left; a step that opened meanwhile has all its days.
    let left = match last_moment(&history) {
        Some((due, _)) => clock::next_time(terms, due + (now - since).max(chrono::TimeDelta::zero()))?,
        None => clock::due_after(terms, rest.unwrap_or(now))?,
    };
    let due = until.map_or(Ok(left), |text| clock::typed(text, Some(terms)))?;
    let said = HostWords { due: Some(clock::write(due)), pause: Some(Pause::End), say, ..words(false, now) };
    tell(folder, table, &said)
        .map_err(|e| e.next(format!("leave --until out: the step is due by {} then", clock::shown(left, Some(terms)))))
}

fn late(folder: &Folder, table: &mut Table, say: Option<String>) -> Result<()> {
    let now = now();
    let history = &table.history;
    if history.terms.late().is_none() {
        return Err(Error::misuse("by the terms of this game nothing follows from being late")
            .next("remind the player; both can agree on a pause or a draw"));
    }
    if history.paused().is_some() {
        return Err(
            Error::misuse("the clock stands still: nobody is late").next("let it run again: countersign host resume")
        );
    }
    match last_moment(history) {
        None => {
            return Err(Error::misuse("this step has no time by which it is due")
                .next("set one: countersign host extend --until 2026-01-05T12:00:00Z"));
        }
        Some((due, last)) if now <= last => {
            let grace = if last > due {
                format!(", and with the grace of the terms nobody is late before {}", clock::write(last))
            } else {
                String::new()
            };
            let what = format!("the step is due at {}{grace}; now it is {}", clock::write(due), clock::write(now));
            return Err(Error::misuse(what).next("wait until then"));
        }
        Some(_) => {}
    }
    // What has come is taken first: only who owes something then is late.
    do_duties(folder, table, false)?;
    if !is_late(table) {
        println!("What had come was enough: nobody is late.");
        return Ok(());
    }
    let host = player(table)?;
    let said = HostWords { say, ..words(true, now) };
    let next = if table.history.terms.strict() {
        host.relay(&table.history, &table.posts, &said)?
    } else {
        close(folder, &host, table, &said)?
    };
    match next.filter(|file| !file.late.is_empty()) {
        Some(file) => {
            for (seat, then) in &file.late {
                println!("Declared late: the {seat} player ({}).", consequence(*then));
            }
            let file = with_due(&host, table, file, now)?;
            sign(folder, table, &host, &file)?;
            do_duties(folder, table, false).map(drop)
        }
        None => {
            println!("Nobody owes anything that has not come.");
            Ok(())
        }
    }
}

fn consequence(then: Late) -> &'static str {
    match then {
        Late::DefaultOrders => "the book's cautious orders stand in the place of his",
        Late::Forfeit => "he has lost",
    }
}
