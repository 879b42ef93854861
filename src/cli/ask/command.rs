//! The command itself: what it begins with, and where the orders go.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{End, Talk, dialogue};
use crate::cli::play::{self, game, owner};
use crate::cli::{Done, Errors, Outcome, typed};
use crate::draft::{self as drafts, Draft};
use crate::error::Error;
use crate::log::History;
use crate::side::Seat;
use crate::store::{self, Folder};

/// Flags of `orders ask`.
#[derive(Debug, Args)]
pub struct AskArgs {
    /// Where to write your orders.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Write over a file that is there, whatever is in it.
    #[arg(long)]
    force: bool,
}

/// What the dialogue begins with: orders of this step that are written already, else the template's. A file of an
/// earlier step of this game is out of date and may be written over.
fn beginning(history: &History, seat: Seat, file: &Path, force: bool) -> Result<Draft, Errors> {
    let blank = drafts::blank(history, seat)?;
    if !file.exists() {
        return Ok(blank);
    }
    let text = store::read_text(file)?;
    let there: Option<Draft> = crate::doc::yaml::read(&text, "", drafts::LARGEST).ok();
    match there {
        Some(there) if there.game == blank.game && there.seat == seat && there.step == blank.step => {
            if drafts::read(history, seat, &text, "").is_ok() {
                return Ok(there);
            }
            eprintln!("The orders in `{}` are against the rules and are not taken over:", file.display());
            eprintln!("`countersign orders check` says why.");
            Ok(blank)
        }
        Some(there) if there.game == blank.game && there.seat == seat && there.step < blank.step => Ok(blank),
        _ if force => Ok(blank),
        _ => Err(Error::misuse(format!("`{}` is there already and holds no orders of this game", file.display()))
            .next("name another file, or say --force to write over it")
            .into()),
    }
}

/// `orders ask`.
pub(in crate::cli) fn ask(here: &Path, args: &AskArgs) -> Outcome {
    // The folder is not held while the player thinks.
    let folder = Folder::open(here)?;
    folder.may_sign()?;
    let table = game(&folder)?;
    drop(folder);
    let seat = owner(&table)?;
    if let Some(done) = play::nothing_to_order(&table, seat) {
        return Ok(done);
    }
    let history = &table.history;
    let file = crate::cli::args::orders_file(here, args.file.clone());
    let draft = beginning(history, seat, &file, args.force)?;
    let mut input = std::io::stdin().lock();
    let mut talk = Talk::new(&mut input);
    let Some((draft, end)) = dialogue(&mut talk, history, seat, draft, &[End::Sign, End::Write])? else {
        println!("Left. Nothing is written.");
        return Ok(Done::Fine);
    };
    store::write_whole(&file, drafts::written(history, seat, &draft)?.as_bytes())?;
    println!("Written: {}.", file.display());
    if end == End::Sign {
        return play::orders_sign(here, &file, true);
    }
    println!("  countersign orders sign {}    to sign it and write the packet to send", typed(&file));
    Ok(Done::Fine)
}
