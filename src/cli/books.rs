//! Scenarios, rules and schemas.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use super::{Done, Format, Outcome, format};
use crate::books::honor::naval::{Position, Rulings, Scenario, start};
use crate::catalog::{self, SCENARIOS};
use crate::cite;
use crate::doc::{Acceptance, HostFile, KeyFile, Lodging, Proposal, Receipt, StepFile};
use crate::draft::Draft;
use crate::error::{Error, Result};
use crate::report;
use crate::side::Side;
use crate::store;

/// `scenario ...`.
#[derive(Debug, Subcommand)]
pub enum ScenarioCommand {
    /// The scenarios that come with the program.
    ///
    /// Example: countersign scenario list
    List,
    /// One scenario: situation, ships, chart, and where its figures come from.
    ///
    /// Example: countersign scenario show lake-erie
    Show {
        /// Its id.
        id: String,
    },
    /// Check a scenario file of your own; every problem at once.
    ///
    /// Example: countersign scenario check my-battle.yaml
    Check {
        /// The file.
        file: PathBuf,
    },
}

/// `rules ...`.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// What a citation stands for: NAV-6.4, or a ruling such as N07.
    ///
    /// Example: countersign rules cite N07
    Cite {
        /// The citation.
        id: String,
    },
    /// The rulings with a choice, their settings, and what the presets take.
    ///
    /// Example: countersign rules list
    List,
}

/// Runs `scenario`.
pub(super) fn scenario(command: &ScenarioCommand, format: Format) -> Outcome {
    match command {
        ScenarioCommand::List if format == Format::Json => {
            let mut rows = Vec::new();
            for (id, _) in SCENARIOS {
                let s = embedded(id)?;
                let count = |side: Side| s.sides.get(side).ships.len();
                rows.push(json!({
                    "id": id, "title": s.title, "date": s.date, "place": s.place, "turns": s.turns,
                    "american_ships": count(Side::American), "british_ships": count(Side::British),
                }));
            }
            format::print(&json!({ "scenarios": rows }));
        }
        ScenarioCommand::List => {
            for (id, _) in SCENARIOS {
                let scenario = embedded(id)?;
                let count = |side: Side| scenario.sides.get(side).ships.len();
                println!(
                    "{id:28} {} ({}), {} v {} ships, {} turns",
                    scenario.title,
                    scenario.date,
                    count(Side::American),
                    count(Side::British),
                    scenario.turns
                );
            }
        }
        ScenarioCommand::Show { id } => print!("{}", show(&embedded(id)?)?),
        ScenarioCommand::Check { file } => {
            let text = store::read_text(file)?.replace("\r\n", "\n");
            let scenario = catalog::read_scenario(&text, &file.display().to_string())?;
            println!("{} is sound: {} (digest {})", file.display(), scenario.title, catalog::digest(&text).short());
        }
    }
    Ok(Done::Fine)
}

fn embedded(id: &str) -> Result<Scenario> {
    let text = catalog::embedded(id)
        .ok_or_else(|| Error::misuse(format!("there is no scenario `{id}`")).next("see `countersign scenario list`"))?;
    catalog::read_scenario(&text, id)
        .map_err(|mut e| if e.is_empty() { Error::new("unreadable") } else { e.swap_remove(0) })
}

fn show(scenario: &Scenario) -> Result<String> {
    let start = start(scenario, Rulings::book()).map_err(|f| Error::new(f.join("; ")))?;
    let mut out = format!("{} - {}, {}\n\n{}\n\n", scenario.title, scenario.date, scenario.place, scenario.brief);
    out.push_str(&format!(
        "Turns: {}. Wind toward {} ({}). Commander's advantage: {}.\n",
        scenario.turns,
        scenario.wind,
        scenario.wind.compass(),
        scenario.advantage
    ));
    for (side, of) in scenario.sides.iter() {
        let (target, end) = (scenario.victory.target.get(side), scenario.victory.at_end.get(side));
        out.push_str(&format!(
            "{side}: {} plotted moves; wins with {target} points; {end} more if the last turn ends it.\n",
            of.plots
        ));
        for ship in &of.ships {
            let w = ship.worth;
            out.push_str(&format!(
                "   {}: sunk {}, captured {}, escaped {} points. {}\n",
                ship.name, w.sunk, w.captured, w.escaped, ship.history
            ));
        }
    }
    out.push_str(&format!("\n{}\n{}\n", report::chart(&start.state), report::fleet_table(&start.state)));
    out.push_str(&format!("Figures: {}. {}\n", scenario.provenance, scenario.how));
    Ok(out)
}

/// Runs `rules`.
pub(super) fn rules(command: &RulesCommand, format: Format) -> Outcome {
    match command {
        RulesCommand::Cite { id } => {
            let Some((title, line)) = cite::find(id) else {
                return Err(Error::misuse(format!("`{id}` is no rule or ruling of this program"))
                    .next("citations look like NAV-6.4 or N07; reports print them in brackets")
                    .into());
            };
            match format {
                Format::Text => println!("{id}: {title}\n{line}"),
                Format::Json => format::print(&json!({ "id": id, "title": title, "line": line })),
            }
        }
        RulesCommand::List if format == Format::Json => {
            let row = |s: &crate::books::honor::naval::Switch| json!({ "number": s.number, "about": s.about, "book": s.settings[0], "settings": s.settings, "club": s.club });
            format::print(&json!({ "rulings": Rulings::SWITCHES.iter().map(row).collect::<Vec<_>>() }));
        }
        RulesCommand::List => {
            for switch in Rulings::SWITCHES {
                println!("{:5} {}", switch.number, switch.about);
                println!("      book: {}; or {}; club: {}", switch.settings[0], switch.settings[1], switch.club);
            }
        }
    }
    Ok(Done::Fine)
}

/// Every schema, by file name.
#[must_use]
pub fn schemas() -> Vec<(&'static str, String)> {
    fn text<T: schemars::JsonSchema>() -> String {
        serde_json::to_string_pretty(&schemars::schema_for!(T)).unwrap_or_default() + "\n"
    }
    let all = vec![
        ("draft.schema.json", text::<Draft>()),
        ("scenario.schema.json", text::<Scenario>()),
        ("position.schema.json", text::<Position>()),
        ("proposal.schema.json", text::<Proposal>()),
        ("acceptance.schema.json", text::<Acceptance>()),
        ("orders.schema.json", text::<StepFile>()),
        ("close.schema.json", text::<HostFile>()),
        ("key.schema.json", text::<KeyFile>()),
        ("lodging.schema.json", text::<Lodging>()),
        ("receipt.schema.json", text::<Receipt>()),
        ("rulings.schema.json", text::<Rulings>()),
    ];
    #[cfg(feature = "mail")]
    let all = [
        all,
        vec![
            ("mail.schema.json", text::<crate::mail::settings::Account>()),
            ("members.schema.json", text::<crate::mail::members::Members>()),
            ("mail-of-a-game.schema.json", text::<crate::mail::settings::Correspondents>()),
        ],
    ]
    .concat();
    all
}

/// `schema`.
pub(super) fn schema(folder: &Path) -> Outcome {
    for (name, text) in schemas() {
        store::write_whole(&folder.join(name), text.as_bytes())?;
        println!("{}", folder.join(name).display());
    }
    Ok(Done::Fine)
}
