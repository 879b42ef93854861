//! Scenarios, rules and schemas.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use super::{Done, Format, Outcome, format};
use crate::books::honor::land::{self, Agreed, LandPosition, LandScenario};
use crate::books::honor::naval::{Position, Rulings, Scenario, start};
use crate::catalog::{self, AnyScenario, LAND, NAVAL, SCENARIOS};
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
    /// Have the program play a scenario against itself, many times, and count who wins.
    ///
    /// Both sides by the same simple rules (`--bot greedy` of `solo`), so the figures say which side the scenario favours, not
    /// who would win among good players. Example: countersign scenario balance wasp-frolic --games 20
    ///
    /// For programs, and a file of your own. Example: countersign scenario balance my-battle.yaml --games 5 --format json
    Balance(super::balance::BalanceArgs),
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
        ScenarioCommand::Balance(args) => return super::balance::balance(args, format),
        ScenarioCommand::List if format == Format::Json => {
            let mut rows = Vec::new();
            for (id, _) in SCENARIOS {
                rows.push(match embedded(id)? {
                    AnyScenario::Naval(s) => {
                        let count = |side: Side| s.sides.get(side).ships.len();
                        json!({
                            "id": id, "title": s.title, "date": s.date, "place": s.place, "turns": s.turns,
                            "american_ships": count(Side::American), "british_ships": count(Side::British),
                        })
                    }
                    AnyScenario::Land(s) => {
                        let count = |side: Side| s.sides.get(side).units.len();
                        json!({
                            "id": id, "title": s.title, "date": s.date, "place": s.place, "turns": s.turns,
                            "american_units": count(Side::American), "british_units": count(Side::British),
                        })
                    }
                });
            }
            format::print(&json!({ "scenarios": rows }));
        }
        ScenarioCommand::List => {
            for (id, _) in SCENARIOS {
                let (title, date, american, british, what, turns) = match embedded(id)? {
                    AnyScenario::Naval(s) => {
                        let (a, b) = (s.sides.american.ships.len(), s.sides.british.ships.len());
                        (s.title, s.date, a, b, "ships", s.turns)
                    }
                    AnyScenario::Land(s) => {
                        let (a, b) = (s.sides.american.units.len(), s.sides.british.units.len());
                        (s.title, s.date, a, b, "units", s.turns)
                    }
                };
                println!("{id:28} {title} ({date}), {american} v {british} {what}, {turns} turns");
            }
        }
        ScenarioCommand::Show { id } => {
            print!(
                "{}",
                match embedded(id)? {
                    AnyScenario::Naval(scenario) => show(&scenario)?,
                    AnyScenario::Land(scenario) => show_land(&scenario)?,
                }
            );
        }
        ScenarioCommand::Check { file } => {
            let text = store::read_text(file)?.replace("\r\n", "\n");
            let title = match catalog::read_any(&text, &file.display().to_string())? {
                AnyScenario::Naval(s) => s.title,
                AnyScenario::Land(s) => s.title,
            };
            println!("{} is sound: {title} (digest {})", file.display(), catalog::digest(&text).short());
        }
    }
    Ok(Done::Fine)
}

pub(super) fn embedded(id: &str) -> Result<AnyScenario> {
    let text = catalog::embedded(id)
        .ok_or_else(|| Error::misuse(format!("there is no scenario `{id}`")).next("see `countersign scenario list`"))?;
    catalog::read_any(&text, id).map_err(|mut e| if e.is_empty() { Error::new("unreadable") } else { e.swap_remove(0) })
}

fn show_land(scenario: &LandScenario) -> Result<String> {
    let start = land::start(scenario, &Agreed::default()).map_err(|f| Error::new(f.join("; ")))?;
    let mut out = format!("{} - {}, {}\n\n{}\n\n", scenario.title, scenario.date, scenario.place, scenario.brief);
    out.push_str(&format!("Turns: {}. First in each turn: {}.\n", scenario.turns, scenario.first));
    for (side, of) in scenario.sides.iter() {
        out.push_str(&format!(
            "{side}: {} command action points; wins with {} points.\n",
            of.command,
            scenario.victory.target.get(side)
        ));
        for unit in of.units.iter().filter(|u| !u.history.is_empty()) {
            out.push_str(&format!("   {}: {}\n", unit.name, unit.history));
        }
    }
    out.push_str(&format!("\n{}\n{}\n", report::land::chart(&start.state), report::land::table(&start.state)));
    out.push_str(&format!("Figures: {}. {}\n", scenario.provenance, scenario.how));
    Ok(out)
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
                let both = ["FHG", "NAV"].map(|book| format!("{book}-{}", id.trim()));
                let known: Vec<&str> = both.iter().map(String::as_str).filter(|id| cite::find(id).is_some()).collect();
                let next = if known.is_empty() {
                    "citations look like FHG-8.4.1 (land), NAV-6.4 (sea), L11 or N07; reports print them in brackets"
                        .to_owned()
                } else {
                    format!("say of which rules, of the land (FHG) or of the sea (NAV): {}", known.join(", "))
                };
                return Err(Error::misuse(format!("`{id}` is no rule or ruling of this program")).next(next).into());
            };
            match format {
                Format::Text => println!("{id}: {title}\n{line}"),
                Format::Json => format::print(&json!({ "id": id, "title": title, "line": line })),
            }
        }
        RulesCommand::List if format == Format::Json => {
            let row = |s: &crate::books::honor::Switch| json!({ "number": s.number, "about": s.about, "book": s.settings[0], "settings": s.settings, "club": s.club });
            let all = [NAVAL, LAND].into_iter().flat_map(catalog::switches);
            let options = catalog::options(LAND).iter().map(|(n, about)| json!({ "number": n, "about": about }));
            format::print(
                &json!({ "rulings": all.map(row).collect::<Vec<_>>(), "options": options.collect::<Vec<_>>() }),
            );
        }
        RulesCommand::List => {
            for switch in [NAVAL, LAND].into_iter().flat_map(catalog::switches) {
                println!("{:5} {}", switch.number, switch.about);
                println!(
                    "      book: {}; or {}; club: {}",
                    switch.settings[0],
                    switch.settings[1..].join(" or "),
                    switch.club
                );
            }
            println!("Optional rules of the land game, each on or off:");
            for (number, about) in catalog::options(LAND) {
                println!("{number:5} {about}");
            }
            println!("11.14 command action points by agreement: 11.14.british and 11.14.american, -3 to +3");
            println!(
                "12    a campaign: its name; the points carried stand in 12.british and 12.american: `new --after` fills them in"
            );
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
        ("land-scenario.schema.json", text::<LandScenario>()),
        ("land-position.schema.json", text::<LandPosition>()),
        ("land-rulings.schema.json", text::<land::Rulings>()),
        ("land-options.schema.json", text::<land::Options>()),
        ("land-data.schema.json", text::<crate::data::LandHead>()),
        ("naval-data.schema.json", text::<crate::data::NavalHead>()),
        ("map.schema.json", text::<crate::board::MapFile>()),
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
