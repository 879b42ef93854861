//! `whatif`: any position, any orders, any dice. The same engine; no part of any game.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{Done, Outcome};
use crate::books::honor::land::{Land, LandPosition};
use crate::books::honor::naval::{Naval, Position};
use crate::doc::{Tree, emit, in_plain_words, yaml};
use crate::error::Error;
use crate::play::{Halt, Need, Run, Script, System, advance};
use crate::report;
use crate::side::Side;
use crate::store;

/// Flags of `whatif`.
#[derive(Debug, Args)]
pub struct WhatifArgs {
    /// A position: a turn.yaml, or one written by hand.
    position: PathBuf,
    /// Answers of any side, in the order asked (see `schemas/position.schema.json` and README).
    #[arg(long)]
    orders: Option<PathBuf>,
    /// Faces in the order they are rolled, such as 5,5,6; or `random`.
    #[arg(long, default_value = "")]
    dice: String,
    /// Print the position reached as YAML too.
    #[arg(long)]
    position_out: bool,
}

/// Answers for `whatif` and rule cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// In the order asked.
    pub answers: Vec<Answer>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Whose.
    pub side: Side,
    /// The kind of question: plot, react, declare, wish, ...
    pub kind: String,
    /// The answer.
    pub answer: Tree,
}

pub(super) fn whatif(args: &WhatifArgs) -> Outcome {
    let text = store::read_text(&args.position)?;
    let name = args.position.display().to_string();
    let errors = |faults: Vec<String>| faults.into_iter().map(Error::new).collect::<Vec<_>>();
    let script = script(args)?;
    if of_land(&text) {
        let position: LandPosition = yaml::read(&text, &name, 1 << 20)?;
        let start = position.into_checkpoint().map_err(errors)?;
        return run(&start, script, args, &|run: &Run<Land>| {
            let position = LandPosition::of(&run.checkpoint.stage, &run.checkpoint.state, &run.checkpoint.standing);
            Ok(Told {
                story: report::land::story(&start.state, &run.records),
                standing: format!("{}\n{}", report::land::chart(&run.state), report::land::table(&run.state)),
                position: emit(&position)?,
            })
        });
    }
    let position: Position = yaml::read(&text, &name, 1 << 20)?;
    let start = position.into_checkpoint().map_err(errors)?;
    run(&start, script, args, &|run: &Run<Naval>| {
        Ok(Told {
            story: report::story(&start.state, &run.records),
            standing: format!("{}\n{}", report::chart(&run.state), report::fleet_table(&run.state)),
            position: emit(&Position::of(&run.checkpoint.stage, &run.checkpoint.state))?,
        })
    })
}

/// Whether a position is one of the land game: its sides have units, not ships.
pub(super) fn of_land(text: &str) -> bool {
    let Ok(Tree::Map(top)) = yaml::read::<Tree>(text, "", 1 << 20) else { return false };
    let sides = top.iter().filter(|(key, _)| key == "british" || key == "american");
    let keys = sides.filter_map(|(_, side)| if let Tree::Map(keys) = side { Some(keys) } else { None });
    let any = |word: &str, mut keys: std::slice::Iter<'_, (String, Tree)>| keys.any(|(key, _)| key == word);
    keys.into_iter().any(|keys| any("units", keys.iter()) || any("leaders", keys.iter()))
}

/// What a run is told as.
struct Told {
    story: String,
    standing: String,
    position: String,
}

fn script(args: &WhatifArgs) -> std::result::Result<Script, super::Errors> {
    let mut script = Script::default();
    if let Some(path) = &args.orders {
        let answers: Answers = yaml::read(&store::read_text(path)?, &path.display().to_string(), 64 << 10)?;
        for a in answers.answers {
            script.push(a.side, &a.kind, a.answer.to_json());
        }
    }
    if args.dice == "random" {
        let mut bytes = [0u8; 4096];
        super::random(&mut bytes)?;
        // 252 is the largest multiple of six a byte holds: others are passed over.
        script.dice.extend(bytes.iter().filter(|b| **b < 252).map(|b| u32::from(b % 6) + 1));
    } else {
        for word in args.dice.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            let face: u32 = word.parse().ok().filter(|f| (1..=6).contains(f)).ok_or_else(|| {
                Error::misuse(format!("`{word}` is no face of a die"))
                    .next("write faces such as --dice 5,5,6, or --dice random")
            })?;
            script.dice.push_back(face);
        }
    }
    Ok(script)
}

/// What is needed to go on, in words, with the name an answer or a die has.
pub(super) fn in_words<Y: System>(need: &Need<Y>) -> String {
    match need {
        Need::Decide(q) | Need::Seal(q) => {
            let kind = match q.kind() {
                "orders" => "for orders".to_owned(),
                "plot" => "for a plot".to_owned(),
                kind => format!("about: {kind}"),
            };
            format!("the {} player is asked {kind} ({})", q.side(), q.slot())
        }
        Need::Open { side, slot } => format!("what the {side} player sealed is to be opened ({slot})"),
        Need::Roll { tickets } => {
            let names: Vec<&str> = tickets.iter().map(|t| t.name.as_str()).collect();
            let dice = if names.len() == 1 { "1 die is".to_owned() } else { format!("{} dice are", names.len()) };
            format!("{dice} rolled now, and --dice gives no more faces ({})", names.join(", "))
        }
    }
}

fn run<Y: System>(
    start: &crate::play::Checkpoint<Y>,
    mut script: Script,
    args: &WhatifArgs,
    tell: &dyn Fn(&Run<Y>) -> crate::error::Result<Told>,
) -> Outcome {
    println!("WHAT IF - this is no part of any game; its dice are made up, nothing proves them.");
    let run = advance::<Y>(start, &mut script);
    let told = tell(&run)?;
    print!("{}", told.story);
    println!();
    let done = match &run.halt {
        Halt::Over => {
            println!("The game is over.");
            Done::Fine
        }
        Halt::Needs(needs) => {
            for need in needs {
                println!("Stops here: {}.", in_words(need));
            }
            for refusal in &script.unsealable {
                println!("REFUSED: {}", in_plain_words(&refusal.to_string()));
            }
            if script.unsealable.is_empty() { Done::Fine } else { Done::Fault }
        }
        Halt::Refused { side, slot, refusals } => {
            for refusal in refusals {
                println!("REFUSED ({side}, {slot}): {}", in_plain_words(&refusal.to_string()));
            }
            Done::Fault
        }
        Halt::Bug(bug) => return Err(Error::new(format!("this is a defect of the program: {bug}")).into()),
    };
    println!("\n{}", told.standing);
    if args.position_out {
        print!("{}", told.position);
    }
    Ok(done)
}
