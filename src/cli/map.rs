//! `map` and `report`: looking at a game, in letters, as a picture, or as a page for a browser.

use std::path::{Path, PathBuf};

use clap::Args;

use super::seen::{Look, Seen, look};
use super::{Done, Outcome, play, typed};
use crate::error::Error;
use crate::report;
use crate::store::{self, Folder};

/// Flags of `map`.
#[derive(Debug, Args)]
pub struct MapArgs {
    /// A position such as turn.yaml, a scenario or map file, or a game folder; the game you are in if left out.
    #[arg(value_name = "POSITION|FOLDER")]
    position: Option<PathBuf>,
    /// A scenario that comes with the program instead.
    #[arg(long, value_name = "ID", conflicts_with = "position")]
    scenario: Option<String>,
    /// Write the map as a picture that any browser shows.
    #[arg(long, value_name = "OUT.svg")]
    svg: Option<PathBuf>,
    /// Print the map in letters; without --svg this is done anyway.
    #[arg(long)]
    text: bool,
}

/// Flags of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Write one page for a browser: maps before and after, every die with its name, losses, how to check it all.
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,
    /// The whole game instead of the last step.
    #[arg(long)]
    all: bool,
}

/// `map`.
pub(super) fn map(here: &Path, args: &MapArgs) -> Outcome {
    let look = look(here, args.position.as_deref(), args.scenario.as_deref())?;
    if let Some(path) = &args.svg {
        store::write_whole(path, picture(&look).as_bytes())?;
        println!("The map is in {}: open it in a browser.", typed(path));
    }
    if args.text || args.svg.is_none() {
        print!("{}", letters(&look));
    }
    Ok(Done::Fine)
}

fn picture(look: &Look) -> String {
    match &look.seen {
        Seen::Land(at) => report::map_svg(at.state.ground.tiles(), &report::land::layer(&at.state), &look.title, "map"),
        Seen::Naval(at) => report::chart_svg(&at.state, &[], &look.title, "map"),
        Seen::Map(map) => report::map_svg(map, &report::Layer::default(), &look.title, "map"),
    }
}

fn letters(look: &Look) -> String {
    let body = match &look.seen {
        Seen::Land(at) => {
            let lists = report::map_lists(at.state.ground.tiles());
            format!("{}{lists}\n{}", report::land::chart(&at.state), report::land::table(&at.state))
        }
        Seen::Naval(at) => format!("{}\n{}", report::chart(&at.state), report::fleet_table(&at.state)),
        Seen::Map(map) => format!("{}{}", report::map_text(map, &report::Layer::default()), report::map_lists(map)),
    };
    format!("{}\n\n{body}", look.title)
}

/// `report`.
pub(super) fn report(here: &Path, args: &ReportArgs) -> Outcome {
    let folder = Folder::open(here)?;
    let table = play::game(&folder)?;
    let history = &table.history;
    let Some(path) = &args.html else {
        print!("{}", if args.all { report::whole_report(history) } else { report::last_report(history) });
        return Ok(Done::Fine);
    };
    let page = if args.all { report::html_all(history) } else { report::html(history) };
    let page = page.ok_or_else(|| Error::new("nothing has happened yet that a page could show"))?;
    store::write_whole(path, page.as_bytes())?;
    println!("The report is in {}: open it in a browser; it needs no network.", typed(path));
    Ok(Done::Fine)
}
