//! `solo`: both seats at one keyboard, or one of them played by the program. Two keys, two folders and the real path
//! between them, so that the log is one like any other.

use std::fs;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::ask::{self, End, Heard, Talk};
use super::play::{do_duties, game, player, report_since, send, write_packet};
use super::setup::{self, Preset};
use super::{Done, Errors, Outcome, check, keys, typed};
use crate::bot::Style;
use crate::catalog;
use crate::doc::{Mode, Packet};
use crate::draft as drafts;
use crate::error::Error;
use crate::log::step::State;
use crate::log::{History, Intent, verify};
use crate::seal::Digest;
use crate::side::Seat;
use crate::store::{self, Folder, Table};

/// Flags of `solo`.
#[derive(Debug, Args)]
pub struct SoloArgs {
    /// The scenario of a new game (see `countersign scenario list`); left out to go on with the game in the folder.
    #[arg(long)]
    scenario: Option<String>,
    /// Where both game folders lie.
    #[arg(long, default_value = "solo")]
    folder: PathBuf,
    /// Rulings of a new game: book (every default) or club.
    #[arg(long, default_value = "book", requires = "scenario")]
    preset: Preset,
    /// A single ruling, such as N07=sequential; may be repeated.
    #[arg(long = "ruling", value_name = "NUMBER=SETTING", requires = "scenario")]
    rulings: Vec<String>,
    /// Play alone: the program plays the other side. greedy takes the orders that look best, random any legal ones.
    #[arg(long, value_name = "HOW", requires = "scenario", value_parser = super::balance::style)]
    bot: Option<Style>,
    /// The side the program plays: british or american.
    #[arg(long, value_name = "SEAT", requires = "bot", default_value = "british", value_parser = side)]
    bot_seat: Seat,
}

/// The file in the folder of both that says which seat the program plays, and how: `british greedy`.
const BOT: &str = "bot.txt";

/// A seat the program plays.
#[derive(Debug, Clone, Copy)]
struct Bot {
    seat: Seat,
    style: Style,
}

/// The word of a side on the command line.
fn side(word: &str) -> Result<Seat, String> {
    let seat: Seat = word.parse()?;
    if seat == Seat::Host { Err("the program plays british or american".into()) } else { Ok(seat) }
}

const SEATS: [Seat; 2] = [Seat::American, Seat::British];

/// More packets than any step needs to close.
const PACKETS: usize = 12;

/// `solo`.
pub(super) fn solo(args: &SoloArgs) -> Outcome {
    let there = SEATS.iter().all(|seat| place(&args.folder, *seat).join("orders").is_dir());
    match (&args.scenario, there) {
        (Some(id), false) => begin(args, id)?,
        (Some(_), true) => {
            let next = format!("go on with it: countersign solo --folder {}", typed(&args.folder));
            return Err(Error::misuse(format!("`{}` holds a game already", args.folder.display())).next(next).into());
        }
        (None, false) => {
            return Err(Error::misuse(format!("`{}` holds no game for one keyboard", args.folder.display()))
                .next("begin one: countersign solo --scenario wasp-frolic --folder NEW-FOLDER")
                .into());
        }
        (None, true) => {}
    }
    let mut input = std::io::stdin().lock();
    rounds(&mut Talk::new(&mut input), &args.folder)
}

fn place(folder: &Path, seat: Seat) -> PathBuf {
    folder.join(seat.word())
}

/// Both keys, both folders, proposal and acceptance.
fn begin(args: &SoloArgs, id: &str) -> Result<(), Errors> {
    let text = setup::scenario_text(id, None)?;
    catalog::read_any(&text, id)?;
    let rulings = setup::rulings(&text, args.preset, &args.rulings)?;
    let folder = &args.folder;
    let bot = args.bot.map(|style| Bot { seat: args.bot_seat, style });
    let name = |seat: Seat| match bot.filter(|b| b.seat == seat) {
        Some(bot) => format!("the program ({})", bot.style.word()),
        None if seat == Seat::American => "American player".to_owned(),
        None => "British player".to_owned(),
    };
    if folder.exists() && fs::read_dir(folder).map_err(|e| Error::io("read", folder, &e))?.next().is_some() {
        return Err(Error::misuse(format!("the folder `{}` exists and is not empty", folder.display()))
            .next("name a new one with --folder")
            .into());
    }
    let key_of = |seat: Seat| folder.join(format!("{seat}.key"));
    fs::create_dir_all(folder).map_err(|e| Error::io("make", folder, &e))?;
    let american = keys::write(&key_of(Seat::American), None)?;
    let british = keys::write(&key_of(Seat::British), None)?;
    let mut table = [0u8; 32];
    super::random(&mut table)?;
    let proposal = setup::propose(
        setup::Setup {
            recovery: None,
            scenario: id,
            text: &text,
            seat: Seat::American,
            player: &name(Seat::American),
            rulings,
            mode: Mode::TwoSeats,
            clock: None,
            sent: super::now(),
            table: Digest(table),
        },
        &american,
    )?;
    let acceptance = setup::acceptance(&proposal, Seat::British, &name(Seat::British), &british, super::now(), None)?;
    let files = [proposal, acceptance];
    for seat in SEATS {
        let home = Folder::create(&place(folder, seat))?;
        setup::found(&home, &text, &files, seat, &key_of(seat))?;
    }
    match bot {
        Some(Bot { seat, style }) => {
            store::write_whole(&folder.join(BOT), format!("{seat} {}\n", style.word()).as_bytes())?;
            println!("A game against the program lies in {}. The program plays the {seat} side.", folder.display());
        }
        None => println!("A game for two at one keyboard lies in {}.", folder.display()),
    }
    println!("Its two keys lie there too and are not locked: they are good for this game alone.");
    Ok(())
}

/// The seat the program plays in this folder, if it plays one.
fn bot(folder: &Path) -> Result<Option<Bot>, Errors> {
    let path = folder.join(BOT);
    if !path.exists() {
        return Ok(None);
    }
    let text = store::read_text(&path)?;
    let read = || {
        let (seat, style) = text.trim().split_once(' ')?;
        Some(Bot { seat: side(seat).ok()?, style: style.parse().ok()? })
    };
    read().map(Some).ok_or_else(|| {
        Error::new(format!("`{}` does not say which side the program plays", path.display()))
            .next(
                "write one line into it, `british greedy` or `american greedy`; without the file both sides are yours",
            )
            .into()
    })
}

/// One side after the other, until the game is over or somebody leaves.
fn rounds(talk: &mut Talk<'_>, folder: &Path) -> Outcome {
    let left = || {
        println!("Left. Everything signed is kept; go on with: countersign solo --folder {}", typed(folder));
        Ok(Done::Fine)
    };
    let bot = bot(folder)?;
    // Who reads the reports: the player, or of two the Americans, before the keyboard is passed on.
    let reader = if bot.is_some_and(|b| b.seat == Seat::American) { Seat::British } else { Seat::American };
    loop {
        let before = look(folder, Seat::American)?.history.step().min(look(folder, Seat::British)?.history.step());
        exchange(folder)?;
        let table = look(folder, reader)?;
        if table.history.step() > before {
            print!("{}", report_since(&table, before));
        }
        if table.history.complete() {
            return finish(folder);
        }
        let Some(seat) = to_move(folder)? else {
            return Err(
                Error::new("nobody has anything to do and the game is not over: a defect of the program").into()
            );
        };
        if let Some(bot) = bot.filter(|b| b.seat == seat) {
            move_by_program(folder, bot)?;
            println!("\nThe program has given the {seat} orders.");
            continue;
        }
        let alone = bot.is_some();
        if !alone
            && matches!(talk.hear(&format!("\nPass the keyboard to the {seat} player and press Enter "))?, Heard::Quit)
        {
            return left();
        }
        if alone {
            println!()
        } else {
            clear()
        }
        let table = look(folder, seat)?;
        let blank = drafts::blank(&table.history, seat)?;
        let Some((draft, _)) = ask::dialogue(talk, &table.history, seat, blank, &[End::Sign])? else {
            if !alone {
                clear();
            }
            return left();
        };
        let text = drafts::to_yaml(&draft)?;
        give(&place(folder, seat), |history| Ok(drafts::read(history, seat, &text, "orders")?))?;
        if !alone {
            clear();
        }
    }
}

/// The program gives the orders of its seat. It works in its own folder, and what it sees is the position and what is
/// asked of it.
fn move_by_program(folder: &Path, bot: Bot) -> Result<(), Errors> {
    let mut seed = [0u8; 32];
    super::random(&mut seed)?;
    let mut pick = super::balance::picks(Digest(seed));
    give(&place(folder, bot.seat), |history| {
        let Some(side) = bot.seat.side() else { return Err(Error::misuse("the host gives no orders").into()) };
        let answers = crate::bot::answers(&history.game, side, bot.style, &mut pick);
        if answers.is_empty() {
            return Err(Error::new("the program does not play games of this book").into());
        }
        Ok(Intent { answers, ..Intent::default() })
    })
}

/// What one side has written is to be out of sight before the other looks.
fn clear() {
    println!("{}", "\n".repeat(60));
    if std::io::stdout().is_terminal() {
        print!("\x1b[2J\x1b[3J\x1b[H");
    }
}

fn look(folder: &Path, seat: Seat) -> crate::Result<Table> {
    game(&Folder::open(&place(folder, seat))?)
}

/// The seat that has orders to write.
fn to_move(folder: &Path) -> crate::Result<Option<Seat>> {
    for seat in SEATS {
        let table = look(folder, seat)?;
        if table.history.end().is_none() && table.history.settle(&table.posts).state(seat) == State::Asked {
            return Ok(Some(seat));
        }
    }
    Ok(None)
}

/// Signs one side's orders and writes the packet for the other.
fn give(home: &Path, orders: impl FnOnce(&History) -> Result<Intent, Errors>) -> Result<(), Errors> {
    let folder = Folder::open(home)?;
    let mut table = game(&folder)?;
    let player = player(&table)?;
    let intent = orders(&table.history)?;
    send(&folder, &mut table, &player, &intent)?;
    do_duties(&folder, &mut table)?;
    folder.refresh(&table)?;
    write_packet(&folder, &table)?;
    Ok(())
}

/// Packets go to and fro until neither brings anything new.
fn exchange(folder: &Path) -> Result<(), Errors> {
    for _ in 0..PACKETS {
        let moved = carry(folder, Seat::American, Seat::British)? | carry(folder, Seat::British, Seat::American)?;
        if !moved {
            return Ok(());
        }
    }
    Err(Error::new("the two folders do not settle: a defect of the program").into())
}

/// The newest packet of one side is taken in by the other, who then does what is due. Whether anything was new.
fn carry(folder: &Path, from: Seat, to: Seat) -> Result<bool, Errors> {
    let packet = {
        let sender = Folder::open(&place(folder, from))?;
        let mut table = game(&sender)?;
        do_duties(&sender, &mut table)?;
        sender.refresh(&table)?;
        let path = write_packet(&sender, &table)?;
        Packet::find(&store::read_bytes(&path)?)?
    };
    let receiver = Folder::open(&place(folder, to))?;
    let fresh = receiver.take(&packet)?.new;
    let mut table = game(&receiver)?;
    let did = do_duties(&receiver, &mut table)?;
    receiver.refresh(&table)?;
    Ok(fresh > 0 || did)
}

/// The game is over: both logs are the same, and anybody can check them.
fn finish(folder: &Path) -> Outcome {
    let logs: Vec<PathBuf> = SEATS.iter().map(|seat| place(folder, *seat).join("game.log")).collect();
    let bytes: Vec<Vec<u8>> = logs.iter().map(|log| store::read_bytes(log)).collect::<crate::Result<_>>()?;
    println!("The game is over.");
    println!("\n$ countersign verify {}", typed(&logs[0]));
    if bytes[0] != bytes[1] {
        return Err(Error::new("the two logs differ: a defect of the program").into());
    }
    match verify(&bytes[0], &catalog::embedded, None) {
        Ok(good) => {
            println!("{}", check::one_line(&good));
            Ok(Done::Fine)
        }
        Err(fault) => {
            println!("BAD: {fault}");
            Ok(Done::Fault)
        }
    }
}
