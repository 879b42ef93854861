//! `host`, and a host's part of `adjudicate`: closing steps, passing files on, the clock, receipts.

mod club;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Days, SecondsFormat, Utc};
use clap::Subcommand;

use super::play::{after, game, owner, player, put_back};
use super::{Format, Outcome};
use crate::doc::{HostFile, Late, Offer, Packet, SignedFile, is_instant};
use crate::error::{Error, Result};
use crate::log::{History, HostWords, Player, Secrets};
use crate::seal::{Digest, Namespace};
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
    /// Put off when the open step is due.
    ///
    /// Example: countersign host extend --until 2026-01-05T12:00:00Z --say "Happy New Year"
    Extend {
        /// When, UTC.
        #[arg(long, value_name = "INSTANT")]
        until: String,
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

/// What the host says by default: when the next step is due, by the clock of the terms.
fn words(history: &History, late: bool) -> HostWords {
    let clock = history.terms.proposal.clock;
    let due = clock.and_then(|clock| super::clock().checked_add_days(Days::new(u64::from(clock.days))));
    HostWords { late, due: due.map(instant), say: None, sent: super::now() }
}

fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Closes every hosted step whose orders are in, and passes on everything of a strict one. `late`: who owes something
/// after the time is declared late.
pub(super) fn do_duties(folder: &Folder, table: &mut Table, late: bool) -> Result<bool> {
    let mut did = put_back(folder, table)?;
    let mut late = late;
    // The step that opens the game is due by the clock as every other; only its opening could not say so.
    let history = &table.history;
    if history.terms.proposal.clock.is_some() && history.due().is_none() && history.end().is_none() {
        let host = player(table)?;
        let file = host.notice(history, &words(history, false));
        sign(folder, table, &host, &file)?;
        did = true;
    }
    while !table.history.complete() {
        let host = player(table)?;
        let said = words(&table.history, late);
        let next = if table.history.terms.strict() {
            host.relay(&table.history, &table.posts, &said)?
        } else {
            close(folder, &host, table, &said)?
        };
        let Some(file) = next else { break };
        late = false;
        sign(folder, table, &host, &file)?;
        did = true;
    }
    Ok(did)
}

/// Whether the open step's time is over by the clock and something follows from it by the terms.
pub(super) fn is_late(table: &Table) -> bool {
    let history = &table.history;
    let row = history.terms.proposal.clock.and_then(|clock| clock.late);
    let now = super::now();
    history.end().is_none() && row.is_some() && history.due().is_some_and(|due| now.as_str() > due)
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
        let seat = post.filed.file.seat;
        let name = receipt_name(history.step(), seat, &post.filed.hash);
        if folder.path().join("receipts").join(&name).exists() {
            continue;
        }
        let host = player(table)?;
        let receipt = host.receipt(history, &post.filed, &table.posts, &super::now());
        let signed = host.sign(Namespace::Host, &receipt)?;
        let files: [&SignedFile; 2] = [&signed, &post.signed];
        let packet = Packet { files: files.map(SignedFile::bytes).to_vec() };
        folder.write(&format!("receipts/{name}"), &packet.bytes())?;
        println!(
            "A file of the {seat} player cannot be taken: {}\nSend him this, so that he knows why and can have it judged:\n  {}",
            receipt.refused.unwrap_or_default(),
            folder.path().join("receipts").join(&name).display()
        );
    }
    Ok(())
}

/// The file of `receipts/` that holds a receipt and the file it is for.
pub(super) fn receipt_name(step: u64, seat: Seat, file: &Digest) -> String {
    format!("receipt-{step:03}-{seat}-{}.packet", file.short())
}

/// `host`.
pub(super) fn host(here: &Path, command: &HostCommand, format: Format) -> Outcome {
    match command {
        HostCommand::List { late, rebuild } => return club::list(here, *late, *rebuild, format),
        HostCommand::Results { out } => return club::results(here, out.as_deref()),
        HostCommand::Seat { seat, address } => return club::seat(here, seat.zip(address.as_deref()), format),
        HostCommand::Late { .. } | HostCommand::Extend { .. } => {}
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
        HostCommand::Extend { until, say } => {
            if !is_instant(until) || DateTime::parse_from_rfc3339(until).is_err() {
                return Err(Error::misuse(format!("`{until}` is no instant"))
                    .next("write it in UTC, like 2026-01-05T12:00:00Z")
                    .into());
            }
            let host = player(&table)?;
            let said = HostWords { due: Some(until.clone()), say: say.clone(), ..words(&table.history, false) };
            let file = host.notice(&table.history, &said);
            sign(&folder, &mut table, &host, &file)?;
            do_duties(&folder, &mut table, false)?;
        }
        HostCommand::List { .. } | HostCommand::Results { .. } | HostCommand::Seat { .. } => {}
    }
    after(&folder, &table, before)
}

fn late(folder: &Folder, table: &mut Table, say: Option<String>) -> Result<()> {
    let now = super::now();
    let history = &table.history;
    if history.terms.proposal.clock.and_then(|clock| clock.late).is_none() {
        return Err(Error::misuse("by the terms of this game nothing follows from being late")
            .next("remind the player; both can agree on a pause or a draw"));
    }
    match history.due() {
        None => {
            return Err(Error::misuse("this step has no time by which it is due")
                .next("set one: countersign host extend --until 2026-01-05T12:00:00Z"));
        }
        Some(due) if now.as_str() <= due => {
            return Err(Error::misuse(format!("the step is due at {due}; now it is {now}")).next("wait until then"));
        }
        Some(_) => {}
    }
    // What has come is taken first: only who owes something then is late.
    do_duties(folder, table, false)?;
    if table.history.due().is_none_or(|due| now.as_str() <= due) {
        println!("What had come was enough: nobody is late.");
        return Ok(());
    }
    let host = player(table)?;
    let said = HostWords { say, ..words(&table.history, true) };
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
