//! `scenario balance`: the program plays a scenario against itself many times and counts.

use std::path::Path;

use clap::Args;
use serde_json::{Value, json};

use super::{Done, Format, Outcome, format};
use crate::bot::{Balance, Style, hundredths};
use crate::catalog::{self, AnyGame, SCENARIOS};
use crate::error::Error;
use crate::seal::{Digest, Hasher, face};
use crate::side::{Side, Sides};

/// Flags of `scenario balance`.
#[derive(Debug, Args)]
pub struct BalanceArgs {
    /// Scenarios by id, or scenario files of your own (ending in .yaml); all that come with the program if left out.
    #[arg(value_name = "SCENARIO")]
    scenarios: Vec<String>,
    /// Games of each.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// The same number plays the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How the British are played: greedy, or random (any legal orders).
    #[arg(long, default_value = "greedy", value_parser = style)]
    british: Style,
    /// How the Americans are played.
    #[arg(long, default_value = "greedy", value_parser = style)]
    american: Style,
    /// A single ruling or optional rule, such as N07=sequential; may be repeated. Only with scenarios of one book.
    #[arg(long = "ruling", value_name = "NUMBER=SETTING")]
    rulings: Vec<String>,
}

/// The word of a style on the command line.
pub(super) fn style(word: &str) -> std::result::Result<Style, String> {
    word.parse()
}

/// `scenario balance`.
pub(super) fn balance(args: &BalanceArgs, format: Format) -> Outcome {
    let all = || SCENARIOS.iter().map(|(id, _)| (*id).to_owned()).collect();
    let names: Vec<String> = if args.scenarios.is_empty() { all() } else { args.scenarios.clone() };
    let styles = Sides { british: args.british, american: args.american };
    let mut opened = Vec::new();
    for name in &names {
        opened.push((name, open(name, &args.rulings)?));
    }
    let mut rows = Vec::new();
    if format == Format::Text {
        println!("{} games of each, British {}, Americans {}", args.games, args.british.word(), args.american.word());
        println!(
            "{:28} {:>8} {:>8} {:>6}   {:>6} {:>6}   {:>5}",
            "won by", "British", "American", "nobody", "points", "points", "turns"
        );
    }
    for (name, game) in opened {
        let mut found = Balance::default();
        for n in 0..args.games {
            let seed = seed(args.seed, name, n);
            found.play(&game, styles, &mut picks(seed)).map_err(|bug| {
                Error::new(format!("game {n} of {name} went wrong: {bug}"))
                    .next("this is a defect of the program: please report it")
            })?;
        }
        match format {
            Format::Text => println!("{}", line(name, &found)),
            Format::Json => rows.push(object(name, &found)),
        }
    }
    if format == Format::Json {
        let (british, american) = (args.british.word(), args.american.word());
        format::print(&json!({ "seed": args.seed, "british": british, "american": american, "scenarios": rows }));
    }
    Ok(Done::Fine)
}

/// A game just opened, from a scenario of the program or a file.
fn open(name: &str, rulings: &[String]) -> std::result::Result<AnyGame, super::Errors> {
    let file = Path::new(name);
    let own = file.extension().is_some_and(|e| e == "yaml");
    let text = super::setup::scenario_text(name, own.then_some(file))?;
    catalog::read_any(&text, name)?;
    let ruleset = catalog::ruleset_of(&text);
    let set = catalog::settings(ruleset, false, rulings).map_err(Error::misuse)?;
    Ok(catalog::open(ruleset, &text, &set)?)
}

/// The seed of one game.
fn seed(seed: u64, name: &str, game: u32) -> Digest {
    Hasher::new("balance").int(seed).text(name).int(u64::from(game)).done()
}

/// Numbers from a seed, one after the other, by the dice of the protocol.
pub(super) fn picks(seed: Digest) -> impl FnMut(u32) -> u32 {
    let mut count = 0u64;
    move |n| {
        count += 1;
        face(&seed, &count.to_string(), n).face
    }
}

fn line(name: &str, found: &Balance) -> String {
    let decimal = |sum: u64| {
        let n = hundredths(sum, found.games);
        format!("{}.{:02}", n / 100, n % 100)
    };
    format!(
        "{name:28} {:>8} {:>8} {:>6}   {:>6} {:>6}   {:>5}",
        found.wins.british,
        found.wins.american,
        found.draws(),
        decimal(found.points.british),
        decimal(found.points.american),
        decimal(found.turns),
    )
}

fn object(name: &str, found: &Balance) -> Value {
    let side = |side: Side| json!({ "wins": found.wins.get(side), "points_per_hundred_games": hundredths(*found.points.get(side), found.games) });
    json!({
        "scenario": name,
        "games": found.games,
        "british": side(Side::British),
        "american": side(Side::American),
        "draws": found.draws(),
        "turns_per_hundred_games": hundredths(found.turns, found.games),
    })
}
