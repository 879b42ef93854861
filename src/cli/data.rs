//! `data`: what an owner types in from his printed copy, checked, and packed into the one file a game is played with.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::{Done, Outcome, books, typed};
use crate::data as owner;
use crate::error::Error;
use crate::{catalog, store};

/// `data ...`.
#[derive(Debug, Subcommand)]
pub enum DataCommand {
    /// Write a folder of files to fill in: tables for a spreadsheet, a map to type, and a page to paint it on.
    ///
    /// Example: countersign data new my-heights --from queenston-heights
    New {
        /// The new folder.
        folder: PathBuf,
        /// The scenario whose figures stand in it to begin with.
        #[arg(long, value_name = "ID", default_value = "queenston-heights")]
        from: String,
    },
    /// Check the files of such a folder; every problem at once, with line and column.
    ///
    /// Example: countersign data check my-heights
    Check {
        /// The folder.
        folder: PathBuf,
    },
    /// Pack the folder into one file, to play with and to mail to a friend who owns the game too.
    ///
    /// Example: countersign data pack my-heights --out my-heights.yaml
    Pack {
        /// The folder.
        folder: PathBuf,
        /// Where to write it; ID.yaml in the folder you are in if left out.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// Runs `data`.
pub(super) fn data(command: &DataCommand) -> Outcome {
    match command {
        DataCommand::New { folder, from } => begin(folder, from),
        DataCommand::Check { folder } => {
            let packed = pack(folder)?;
            println!("{} is sound: {}. Pack it: countersign data pack {}", typed(folder), packed.title, typed(folder));
            Ok(Done::Fine)
        }
        DataCommand::Pack { folder, out } => {
            let packed = pack(folder)?;
            let out = out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.yaml", packed.id)));
            store::write_whole(&out, packed.text.as_bytes())?;
            let digest = catalog::digest(&packed.text).short();
            println!("{} is packed in {} (digest {digest}).", packed.title, typed(&out));
            println!(
                "Propose a game with it: countersign new --data {} --seat ... --player ... --folder ...",
                typed(&out)
            );
            println!("Your opponent needs the same file: countersign accept PACKET --data THE-FILE ...");
            Ok(Done::Fine)
        }
    }
}

fn begin(folder: &Path, from: &str) -> Outcome {
    let scenario = books::embedded(from)?;
    if folder.exists() && std::fs::read_dir(folder).map_err(|e| Error::io("read", folder, &e))?.next().is_some() {
        return Err(Error::misuse(format!("`{}` exists and is not empty", folder.display()))
            .next("name another folder")
            .into());
    }
    std::fs::create_dir_all(folder).map_err(|e| Error::io("make", folder, &e))?;
    for (name, text) in owner::begin(&scenario)? {
        store::write_whole(&folder.join(name), text.as_bytes())?;
        println!("{}", folder.join(name).display());
    }
    println!("Open the tables (.csv) in a spreadsheet and battle.yaml in Notepad, and put in what your copy prints.");
    if folder.join(owner::PAINTER).exists() {
        println!("The map: type it in {}, or open {} in a browser and paint it.", owner::MAP, owner::PAINTER);
    }
    println!("Then: countersign data check {}", typed(folder));
    Ok(Done::Fine)
}

/// Packs a folder; every problem names its file in it.
fn pack(folder: &Path) -> Result<owner::Packed, super::Errors> {
    if !folder.is_dir() {
        return Err(Error::misuse(format!("there is no folder `{}`", folder.display()))
            .next("begin with `countersign data new`")
            .into());
    }
    let unreadable = std::cell::RefCell::new(Vec::new());
    let read = |name: &str| {
        let path = folder.join(name);
        if !path.exists() {
            return None;
        }
        match store::read_text(&path) {
            Ok(text) => Some(text.replace("\r\n", "\n")),
            Err(e) => {
                let next = "save it as UTF-8; in a spreadsheet: CSV UTF-8";
                unreadable.borrow_mut().push(e.next(next));
                Some(String::new())
            }
        }
    };
    let packed = owner::pack(&read);
    let mut faults = unreadable.into_inner();
    match packed {
        Ok(packed) if faults.is_empty() => Ok(packed),
        Ok(_) => Err(faults.into()),
        Err(found) => {
            faults.extend(found);
            for fault in &mut faults {
                if let Some(place) = fault.at.as_mut().filter(|p| !p.file.is_empty() && !p.file.contains(['/', '\\'])) {
                    place.file = folder.join(&place.file).display().to_string();
                }
            }
            Err(faults.into())
        }
    }
}
