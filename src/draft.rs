//! The orders a player writes: a template with where the turn stands, and the way from his YAML to answers.

mod land;
mod refused;
mod template;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::books::honor::land::{HalfTurn, Order as LandOrder, Standing};
use crate::books::honor::naval::{
    Board, Boarding, Conduct, Fire, Guns, Lead, Marker, MarkerOrders, Order, Plot, ShipId, State, When, Wish,
};
use crate::catalog::AnyGame;
use crate::doc::Tree;
use crate::error::Error;
use crate::log::{History, Intent};
use crate::play::{Refusal, Want, to_content};
use crate::side::{Seat, Side};
pub use land::line as order_line;
use refused::Words;
pub use template::{blank, notes, shots_now, template};
pub use written::{written, yaml as to_yaml};

/// Most faults told at once.
const MOST: usize = 20;

/// Largest orders file, in bytes.
pub const LARGEST: usize = 64 << 10;

/// Orders as a player writes them for one step of a game: `plot` and `react` at sea, `orders`, `standing` and `answer` on
/// land.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// File version, 1.
    pub countersign: u32,
    /// `draft`.
    pub kind: String,
    /// The first eight characters of the game id.
    pub game: String,
    /// Your seat.
    pub seat: Seat,
    /// The step these orders are for.
    pub step: u64,
    /// Your plot for the turn, when it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plot: Option<PlotDraft>,
    /// Your answer to a REACT, when it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub react: Option<ConductDraft>,
    /// Your activations on land, in order, when they are asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders: Option<Vec<LandOrder>>,
    /// Standing orders for the enemy's half-turn on land, beside `orders`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// Your answer to a single question on land, when one is asked: `stay`, `{to: "0507"}`, `gun`, ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Tree>,
    /// A word to your opponent; he reads it as you wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
}

/// The plot of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlotDraft {
    /// Your markers, in the order of play: straight, right, left, stop.
    pub markers: Vec<Marker>,
    /// When your broadsides fire, at every marker that is not named under `at`.
    #[serde(default)]
    pub fire: Option<FireDraft>,
    /// When your ships board.
    #[serde(default)]
    pub board: Option<BoardDraft>,
    /// Who goes first, if the choice is yours.
    #[serde(default)]
    pub order: Option<Order>,
    /// Which ships carry the markers out (squadrons).
    #[serde(default)]
    pub lead: Option<Lead>,
    /// Conduct at single markers, where it differs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub at: BTreeMap<u8, ConductDraft>,
    /// Markers at which you want to be asked again before you fire (and in fleets before your ships are named).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub react: Vec<u8>,
}

/// Fire, boarding, order and ships. What is left out keeps its default.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ConductDraft {
    /// When your broadsides fire.
    pub fire: Option<FireDraft>,
    /// When your ships board.
    pub board: Option<BoardDraft>,
    /// Who goes first, if the choice is yours.
    pub order: Option<Order>,
    /// Which ships carry the marker out (squadrons).
    pub lead: Option<Lead>,
}

/// Fire policy: for every ship, and for ships with orders of their own.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FireDraft {
    /// hold, crossing, close, crossing-or-close or any.
    pub starboard: When,
    /// hold, crossing, close, crossing-or-close or any.
    pub port: When,
    /// Enemy ships to fire at first.
    pub targets: Vec<ShipId>,
    /// Ships with orders of their own.
    pub ships: BTreeMap<ShipId, Guns>,
}

/// Boarding policy: for every ship, and for ships with orders of their own.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BoardDraft {
    /// never, always, or if: {lead: 2, marines: 2}.
    pub wish: Wish,
    /// Boarders go back when this many marines or fewer are left; 0 = never.
    pub retreat_at: u8,
    /// Ships with orders of their own.
    pub ships: BTreeMap<ShipId, Boarding>,
}

impl ConductDraft {
    /// The conduct at one step: the step's own words, then the turn's, then the defaults (fire: only crossing the T, and
    /// at anything after the last marker).
    fn at(&self, own: Option<&ConductDraft>, last: bool) -> Conduct {
        let fire = own.and_then(|o| o.fire.clone()).or_else(|| self.fire.clone());
        let fire = fire.unwrap_or_else(|| {
            let when = if last { When::Any } else { When::Crossing };
            FireDraft { starboard: when, port: when, ..FireDraft::default() }
        });
        let board = own.and_then(|o| o.board.clone()).or_else(|| self.board.clone()).unwrap_or_default();
        let all = Guns { starboard: fire.starboard, port: fire.port, targets: fire.targets };
        Conduct {
            order: own.and_then(|o| o.order).or(self.order).unwrap_or_default(),
            lead: own.and_then(|o| o.lead.clone()).or_else(|| self.lead.clone()).unwrap_or_default(),
            fire: Fire { all, ships: fire.ships },
            board: Board { all: Boarding { wish: board.wish, retreat_at: board.retreat_at }, ships: board.ships },
        }
    }
}

/// Reads a draft and judges every order in it.
///
/// # Errors
/// Everything wrong with it, each with line, rule and what to do.
pub fn read(history: &History, seat: Seat, text: &str, file: &str) -> Result<Intent, Vec<Error>> {
    let draft = refused::parse(text, file)?;
    let words = Words::new(text, file);
    let mut faults = heading(history, seat, &draft, &words);
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut intent = Intent { say: draft.say.clone(), ..Intent::default() };
    let Some(side) = seat.side() else { return Err(vec![Error::misuse("the host gives no orders")]) };
    if matches!(history.game, AnyGame::Other(_)) {
        return Err(vec![unknown_book()]);
    }
    let steps = history.game.naval().map_or(0, |game| game.played.state().steps());
    for Answered { kind, slot, content, refusals } in answers(history, side, &draft) {
        let Some(content) = content else {
            let next = "see the template: `countersign orders new`";
            let key = if matches!(kind, "plot" | "react" | "orders") { kind } else { "answer" };
            faults.push(
                Error::new(format!("`{key}:` is asked of you in this step and is missing")).next(next).in_file(file),
            );
            continue;
        };
        if let Some(plot) = draft.plot.as_ref().filter(|_| kind == "plot") {
            for n in plot.at.keys().filter(|n| !(1..=steps).contains(n)) {
                let what = format!("`at: {n}` is no marker of this turn: they are 1 to {steps}");
                faults.push(Error::new(what).at(words.find(&["plot", "at", &n.to_string()])));
            }
        }
        faults.extend(beyond(&draft, kind, &words));
        let naval = history.game.naval().is_some();
        let at = |r: &Refusal| if naval { words.refusal(r, kind) } else { words.land(r, kind) };
        for fault in refusals.iter().map(at) {
            // What is said for the whole turn is judged at every marker, and told once.
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        intent.answers.insert(slot, content);
    }
    if faults.len() > MOST {
        let more = faults.len() - MOST;
        faults.truncate(MOST);
        faults.push(
            Error::new(format!("{more} more faults stand below these")).next("correct these first, then check again"),
        );
    }
    if faults.is_empty() { Ok(intent) } else { Err(faults) }
}

/// What a draft says to one question of the open step.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// Kind of question: `plot` or `react`.
    pub kind: &'static str,
    /// Name of the question.
    pub slot: String,
    /// The answer, canonical; none if the draft is silent.
    pub content: Option<String>,
    /// What the rules have against it.
    pub refusals: Vec<Refusal>,
}

/// A draft's answers to everything the open step asks of a side, each judged by the engine. The heading of the draft is
/// not looked at.
#[must_use]
pub fn answers(history: &History, side: Side, draft: &Draft) -> Vec<Answered> {
    let mut found = Vec::new();
    for want in history.wants().iter().filter(|w| w.asks() == Some(side) && !w.automatic()) {
        let (Want::Decide { slot, kind, .. } | Want::Seal { slot, kind, .. }) = want else { continue };
        let content = match &history.game {
            AnyGame::Naval(game) => naval(draft, kind, game.played.state()),
            AnyGame::Land(_) => land(draft, kind),
            AnyGame::Other(_) => None,
        };
        let judged = content.as_ref().map_or(Ok(()), |content| judge(history, want, side, slot, content));
        found.push(Answered { kind, slot: slot.clone(), content, refusals: judged.err().unwrap_or_default() });
    }
    found
}

fn naval(draft: &Draft, kind: &str, state: &State) -> Option<String> {
    match kind {
        "plot" => draft.plot.as_ref().map(|p| to_content(&plot(p, state))),
        "react" => draft.react.as_ref().map(|r| to_content(&ConductDraft::default().at(Some(r), true))),
        _ => None,
    }
}

/// Orders without `standing:` have the adjudicator's defaults.
fn land(draft: &Draft, kind: &str) -> Option<String> {
    if kind != "orders" {
        return draft.answer.as_ref().map(Tree::to_json);
    }
    let (orders, standing) = (draft.orders.clone()?, draft.standing.clone().unwrap_or_default());
    Some(to_content(&HalfTurn { orders, standing }))
}

/// Orders are written for the books of the catalogue.
fn unknown_book() -> Error {
    Error::new("this program writes no orders for a game of this book").next("get the program that knows it")
}

/// A sealed content cannot be sent back, so the player's own is judged before it is sealed.
fn judge(history: &History, want: &Want, side: Side, slot: &str, content: &str) -> Result<(), Vec<Refusal>> {
    let game = history.game.game();
    match want {
        Want::Seal { .. } => game.split(slot, content).map(drop),
        _ => game.judge(side, &BTreeMap::from([(slot.to_owned(), content.to_owned())]), &BTreeSet::new()),
    }
}

/// Boarding orders with figures that no ship can reach, wherever they stand in the draft.
fn beyond(draft: &Draft, kind: &str, words: &Words<'_>) -> Vec<Error> {
    let mut found = Vec::new();
    let mut look = |root: &[&str], board: &Option<BoardDraft>| {
        let Some(board) = board else { return };
        found.extend(words.beyond(root, &Boarding { wish: board.wish, retreat_at: board.retreat_at }));
        for (id, orders) in &board.ships {
            let path: Vec<&str> = root.iter().copied().chain(["ships", id.0.as_str()]).collect();
            found.extend(words.beyond(&path, orders));
        }
    };
    match (kind, &draft.plot, &draft.react) {
        ("plot", Some(plot), _) => {
            look(&["plot", "board"], &plot.board);
            for (n, own) in &plot.at {
                look(&["plot", "at", &n.to_string(), "board"], &own.board);
            }
        }
        ("react", _, Some(react)) => look(&["react", "board"], &react.board),
        _ => {}
    }
    found
}

fn heading(history: &History, seat: Seat, draft: &Draft, words: &Words<'_>) -> Vec<Error> {
    let mut faults = Vec::new();
    let mut wrong = |key: &str, what: String, next: &str| {
        faults.push(Error::new(what).next(next).at(words.find(&[key])));
    };
    let game = history.terms.game.short();
    if draft.countersign != 1 || draft.kind != "draft" {
        wrong(
            "kind",
            format!("these are no orders this program reads (version {}, kind {})", draft.countersign, draft.kind),
            "begin with `countersign orders new`",
        );
    }
    if draft.game != game {
        wrong(
            "game",
            format!("these orders are for game {}, this folder is game {game}", draft.game),
            "go to the folder of that game",
        );
    }
    if draft.seat != seat {
        wrong(
            "seat",
            format!("these orders are the {} player's; you are the {seat} player", draft.seat),
            "begin with `countersign orders new`",
        );
    }
    if draft.step != history.step() {
        wrong(
            "step",
            format!("these orders are for step {}; the open step is {}", draft.step, history.step()),
            "write a fresh template with `countersign orders new --force`; the old one belongs to an earlier step",
        );
    }
    faults
}

fn plot(draft: &PlotDraft, state: &State) -> Plot {
    let steps = usize::from(state.steps()).max(draft.markers.len());
    let all = ConductDraft {
        fire: draft.fire.clone(),
        board: draft.board.clone(),
        order: draft.order,
        lead: draft.lead.clone(),
    };
    let step = |k: usize| MarkerOrders {
        marker: draft.markers.get(k).copied(),
        conduct: all.at(u8::try_from(k + 1).ok().and_then(|n| draft.at.get(&n)), k + 1 == steps),
    };
    Plot { steps: (0..steps).map(step).collect(), react: draft.react.clone() }
}

#[cfg(test)]
mod wrong_tests;
