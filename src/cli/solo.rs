//! `solo`: both seats at one keyboard. Two keys, two folders and the real path between them, so that the log is one
//! like any other.

use std::fs;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::ask::{self, End, Heard, Talk};
use super::play::{do_duties, game, player, report_since, send, write_packet};
use super::setup::{self, Preset};
use super::{Done, Errors, Outcome, check, keys, typed};
use crate::catalog;
use crate::doc::{Mode, Packet};
use crate::draft as drafts;
use crate::error::Error;
use crate::log::step::State;
use crate::log::verify;
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
    catalog::read_scenario(&text, id)?;
    let rulings = setup::rulings(args.preset, &args.rulings)?;
    let folder = &args.folder;
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
            player: "American player",
            rulings,
            mode: Mode::TwoSeats,
            clock: None,
            sent: super::now(),
            table: Digest(table),
        },
        &american,
    )?;
    let acceptance = setup::acceptance(&proposal, Seat::British, "British player", &british, super::now(), None)?;
    let files = [proposal, acceptance];
    for seat in SEATS {
        let home = Folder::create(&place(folder, seat))?;
        setup::found(&home, &text, &files, seat, &key_of(seat))?;
    }
    println!("A game for two at one keyboard lies in {}.", folder.display());
    println!("Its two keys lie there too and are not locked: they are good for this game alone.");
    Ok(())
}

/// One side after the other, until the game is over or somebody leaves.
fn rounds(talk: &mut Talk<'_>, folder: &Path) -> Outcome {
    let left = || {
        println!("Left. Everything signed is kept; go on with: countersign solo --folder {}", typed(folder));
        Ok(Done::Fine)
    };
    loop {
        let before = look(folder, Seat::American)?.history.step().min(look(folder, Seat::British)?.history.step());
        exchange(folder)?;
        let table = look(folder, Seat::American)?;
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
        if matches!(talk.hear(&format!("\nPass the keyboard to the {seat} player and press Enter "))?, Heard::Quit) {
            return left();
        }
        clear();
        let table = look(folder, seat)?;
        let blank = drafts::blank(&table.history, seat)?;
        let Some((draft, _)) = ask::dialogue(talk, &table.history, seat, blank, &[End::Sign])? else {
            clear();
            return left();
        };
        sign(&place(folder, seat), &drafts::to_yaml(&draft)?)?;
        clear();
    }
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
fn sign(home: &Path, text: &str) -> Result<(), Errors> {
    let folder = Folder::open(home)?;
    let mut table = game(&folder)?;
    let player = player(&table)?;
    let intent = drafts::read(&table.history, player.seat, text, "orders")?;
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
