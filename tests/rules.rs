//! Runs every rule case under `tests/rules/`: a minimal position, answers, forced dice, and the complete list of events
//! the book makes of them, or the one refusal.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use countersign::Side;
use countersign::books::honor::land::{self, Agreed, Land, LandPosition, LandScenario};
use countersign::books::honor::naval::{Naval, Position, Rulings, Scenario, start};
use countersign::catalog;
use countersign::doc::{Tree, yaml};
use countersign::play::{Checkpoint, Halt, Record, Refusal, Script, System, advance};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// What a rule case needs of a book.
trait Book: System {
    /// A position as cases write it.
    type Position: DeserializeOwned + Clone;
    /// A scenario as cases write it.
    type Scenario: DeserializeOwned;
    fn from_position(position: Self::Position) -> Result<Checkpoint<Self>, Vec<String>>;
    /// The start of a scenario under what is agreed beside it: rulings, options, campaign.
    fn from_scenario(
        scenario: &Self::Scenario,
        agreed: &BTreeMap<String, String>,
    ) -> Result<Checkpoint<Self>, Vec<String>>;
    /// The start of a scenario that comes with the program.
    fn embedded(id: &str, agreed: &BTreeMap<String, String>) -> Result<Checkpoint<Self>, Vec<String>>;
}

impl Book for Naval {
    type Position = Position;
    type Scenario = Scenario;
    fn from_position(position: Position) -> Result<Checkpoint<Naval>, Vec<String>> {
        position.into_checkpoint()
    }
    fn from_scenario(scenario: &Scenario, agreed: &BTreeMap<String, String>) -> Result<Checkpoint<Naval>, Vec<String>> {
        assert!(agreed.is_empty(), "positions carry the rulings of naval cases");
        start(scenario, Rulings::book())
    }
    fn embedded(id: &str, agreed: &BTreeMap<String, String>) -> Result<Checkpoint<Naval>, Vec<String>> {
        let text = catalog::embedded(id).unwrap();
        Self::from_scenario(&catalog::read_scenario(&text, id).unwrap(), agreed)
    }
}

impl Book for Land {
    type Position = LandPosition;
    type Scenario = LandScenario;
    fn from_position(position: LandPosition) -> Result<Checkpoint<Land>, Vec<String>> {
        position.into_checkpoint()
    }
    fn from_scenario(
        scenario: &LandScenario,
        terms: &BTreeMap<String, String>,
    ) -> Result<Checkpoint<Land>, Vec<String>> {
        let mut agreed = Agreed::default();
        let faults: Vec<String> = terms.iter().filter_map(|(n, word)| agreed.set(n, word).err()).collect();
        if faults.is_empty() { land::start(scenario, &agreed) } else { Err(faults) }
    }
    fn embedded(id: &str, terms: &BTreeMap<String, String>) -> Result<Checkpoint<Land>, Vec<String>> {
        let text = catalog::embedded(id).unwrap();
        Self::from_scenario(&catalog::read_land_scenario(&text, id).unwrap(), terms)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case<P, S> {
    case: String,
    cite: Vec<String>,
    #[serde(default)]
    #[allow(dead_code, reason = "for readers")]
    why: String,
    /// A position, or the start of a scenario that comes with the program.
    #[serde(default = "Option::default")]
    position: Option<P>,
    #[serde(default)]
    scenario: Option<String>,
    /// A scenario written out, for what set-up refuses.
    #[serde(default = "Option::default")]
    set_up: Option<S>,
    /// What is agreed beside a scenario: `{"11.3": on, "12": niagara}`.
    #[serde(default)]
    agreed: BTreeMap<String, String>,
    /// Every fault set-up finds, where the game may not begin.
    #[serde(default)]
    faults: Option<Vec<String>>,
    /// `british plot: {...}`, in the order asked.
    #[serde(default)]
    answers: Vec<BTreeMap<String, Tree>>,
    /// Contents of sealed parts given outright, however wrong.
    #[serde(default)]
    parts: BTreeMap<String, String>,
    #[serde(default)]
    dice: Vec<u32>,
    #[serde(default)]
    expect: Option<Vec<Tree>>,
    #[serde(default)]
    stops: Option<String>,
    #[serde(default)]
    refused: Option<Expected>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    cite: String,
    path: String,
}

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "yaml") {
            found.push(path);
        }
    }
}

fn begin<Y: Book>(case: &Case<Y::Position, Y::Scenario>) -> Result<Checkpoint<Y>, Vec<String>> {
    match (&case.position, &case.scenario, &case.set_up) {
        (Some(position), None, None) => Y::from_position(position.clone()),
        (None, Some(id), None) => Y::embedded(id, &case.agreed),
        (None, None, Some(scenario)) => Y::from_scenario(scenario, &case.agreed),
        _ => panic!("{}: a position, a scenario or a set-up", case.case),
    }
}

/// Maps compare by content: the order of keys in a case is free.
fn sorted(tree: &Tree) -> Tree {
    match tree {
        Tree::List(items) => Tree::List(items.iter().map(sorted).collect()),
        Tree::Map(entries) => {
            let mut entries: Vec<(String, Tree)> = entries.iter().map(|(k, v)| (k.clone(), sorted(v))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Tree::Map(entries)
        }
        other => other.clone(),
    }
}

fn run<Y: Book>(case: &Case<Y::Position, Y::Scenario>) -> Result<(), String> {
    let checkpoint = match (begin::<Y>(case), &case.faults) {
        (Ok(checkpoint), None) => checkpoint,
        (Err(got), Some(want)) if got == *want => return Ok(()),
        (Err(got), Some(want)) => return Err(format!("set-up finds {got:?}, expected {want:?}")),
        (Err(got), None) => return Err(format!("set-up finds {got:?}")),
        (Ok(_), Some(want)) => return Err(format!("set-up finds nothing, expected {want:?}")),
    };
    let mut script = Script::default();
    for answer in &case.answers {
        let (key, tree) = answer.iter().next().ok_or("an empty answer")?;
        let (side, kind) = key.split_once(' ').ok_or("an answer is named `british plot`")?;
        let side = if side == "british" { Side::British } else { Side::American };
        script.push(side, kind, tree.to_json());
    }
    for (slot, content) in &case.parts {
        script.part(slot.clone(), content.clone());
    }
    script.dice.extend(&case.dice);
    let run = advance::<Y>(&checkpoint, &mut script);
    if let Some(expected) = &case.refused {
        let refusals: Vec<Refusal> = match run.halt {
            Halt::Refused { refusals, .. } => refusals,
            _ => script.unsealable,
        };
        return match refusals.as_slice() {
            [one] if one.cite.0 == expected.cite && one.path == expected.path => Ok(()),
            other => Err(format!("refused for {} at `{}` was expected; got {other:?}", expected.cite, expected.path)),
        };
    }
    let events = run.records.iter().filter_map(|r| match r {
        Record::Event(event) => {
            Some(sorted(&Tree::from_json(&serde_json::to_string(event).unwrap()).unwrap()).to_json())
        }
        _ => None,
    });
    let got: Vec<String> = events.collect();
    let want: Vec<String> = case.expect.as_ref().ok_or("no expectation")?.iter().map(|t| sorted(t).to_json()).collect();
    if got != want {
        let same = got.iter().zip(&want).take_while(|(a, b)| a == b).count();
        return Err(format!(
            "event {}:\n    expected {}\n    got      {}\n    all: {got:#?}",
            same + 1,
            want.get(same).map_or("(nothing more)", String::as_str),
            got.get(same).map_or("(nothing more)", String::as_str)
        ));
    }
    let stopped = match &run.halt {
        Halt::Over => "over".to_owned(),
        Halt::Needs(needs) => needs.first().map(countersign::play::Need::line).unwrap_or_default(),
        other => format!("{other:?}"),
    };
    let stops = case.stops.as_deref().ok_or("`stops` is missing")?;
    if !stopped.starts_with(stops) {
        return Err(format!("stops at `{stopped}`, expected `{stops}`"));
    }
    if !script.dice.is_empty() {
        return Err(format!("dice left over: {:?}", script.dice));
    }
    Ok(())
}

/// Runs every case of a book's folder; returns how many there are.
fn every_case<Y: Book>(folder: &str) -> usize {
    let mut paths = Vec::new();
    files(&Path::new("tests/rules").join(folder), &mut paths);
    let (mut count, mut failures) = (0, Vec::new());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let cases: Vec<Case<Y::Position, Y::Scenario>> = yaml::read(&text, &path.display().to_string(), 1 << 20)
            .unwrap_or_else(|e| panic!("{}", e.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")));
        for case in cases {
            count += 1;
            assert!((1..=4).contains(&case.cite.len()), "{}: one to four citations", case.case);
            if let Err(why) = run::<Y>(&case) {
                failures.push(format!("{} - {} [{}]\n  {why}", path.display(), case.case, case.cite.join(", ")));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} cases fail:\n\n{}", failures.len(), failures.join("\n\n"));
    println!("{count} rule cases of {folder}");
    count
}

#[test]
fn every_naval_case() {
    assert!(every_case::<Naval>("naval") > 100);
}

#[test]
fn every_land_case() {
    assert!(every_case::<Land>("land") > 100);
}
