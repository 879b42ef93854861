//! The orders a player writes: a template with where the turn stands, and the way from his YAML to answers.

mod refused;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::books::honor::naval::{
    Board, Boarding, Conduct, Fire, Guns, Lead, Marker, MarkerOrders, Order, Plot, ShipId, State, When, Wish, shots,
};
use crate::error::Error;
use crate::log::{History, Intent};
use crate::play::{Refusal, Want, to_content};
use crate::report;
use crate::side::{Seat, Side};
use refused::Words;

/// Largest orders file, in bytes.
pub const LARGEST: usize = 64 << 10;

/// Orders as a player writes them for one step of a naval game.
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
    let Some(game) = history.game.naval() else { return Err(vec![unknown_book()]) };
    let state = game.played.state();
    for want in history.wants().iter().filter(|w| w.asks() == Some(side) && !w.automatic()) {
        let (Want::Decide { slot, kind, .. } | Want::Seal { slot, kind, .. }) = want else { continue };
        let content = match *kind {
            "plot" => draft.plot.as_ref().map(|p| to_content(&plot(p, state))),
            "react" => draft.react.as_ref().map(|r| to_content(&ConductDraft::default().at(Some(r), true))),
            _ => None,
        };
        let Some(content) = content else {
            let next = "see the template: `countersign orders new`";
            faults.push(
                Error::new(format!("`{kind}:` is asked of you in this step and is missing")).next(next).in_file(file),
            );
            continue;
        };
        if let Some(plot) = draft.plot.as_ref().filter(|_| *kind == "plot") {
            for n in plot.at.keys().filter(|n| !(1..=state.steps()).contains(n)) {
                let what = format!("`at: {n}` is no marker of this turn: they are 1 to {}", state.steps());
                faults.push(Error::new(what).at(words.find(&["plot", "at", &n.to_string()])));
            }
        }
        faults.extend(beyond(&draft, kind, &words));
        if let Err(refusals) = judge(history, want, side, slot, &content) {
            for fault in refusals.iter().map(|r| words.refusal(r, kind)) {
                // What is said for the whole turn is judged at every marker, and told once.
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
        }
        intent.answers.insert(slot.clone(), content);
    }
    if faults.is_empty() { Ok(intent) } else { Err(faults) }
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

/// The template for the open step: where the turn stands, what is asked, what is legal, as comments.
#[must_use]
pub fn template(history: &History, seat: Seat) -> String {
    let Some(game) = history.game.naval() else { return format!("# {}\n", unknown_book().what) };
    let state = game.played.state();
    let mut out = String::new();
    let mut note = |text: &str| {
        for line in text.split('\n') {
            let _ = writeln!(out, "# {}", line.trim_end());
        }
    };
    note(&format!(
        "{} - your orders as the {seat} player, turn {}, step {}",
        game.scenario.title,
        state.turn,
        history.step()
    ));
    note("Lines that begin with # are notes for you; they are not sent.");
    note("");
    note(&report::chart(state));
    note(&report::fleet_table(state));
    if let Some(chapter) = game.played.chapters().iter().rev().find(|c| !c.records.is_empty()) {
        note("What happened last:");
        note(report::story(&chapter.before, &chapter.records).trim());
    }
    note("");
    let asked = history.wants().iter().find(|w| w.asks().map(Seat::from) == Some(seat));
    let mut out = out.replace("# \n", "#\n");
    let _ = write!(
        out,
        "countersign: 1\nkind: draft\ngame: \"{}\"\nseat: {seat}\nstep: {}\n",
        history.terms.game.short(),
        history.step()
    );
    match (asked, seat.side()) {
        (Some(Want::Seal { .. }), Some(side)) => out.push_str(&plot_template(state, side)),
        (Some(Want::Decide { .. }), Some(side)) => out.push_str(&react_template(state, side)),
        _ => out.push_str("# Nothing is asked of you in this step.\n"),
    }
    out.push_str("# say: \"A word to your opponent; take away the # before `say` to send it.\"\n");
    out
}

fn plot_template(state: &State, side: Side) -> String {
    let fleet = state.fleets.get(side);
    let (own, steps) = (fleet.markers, state.steps());
    let cycle = ["straight", "stop", "straight", "stop", "straight", "stop", "left", "stop"];
    let markers = cycle.iter().cycle().take(usize::from(own)).copied().collect::<Vec<_>>().join(", ");
    let mut out = format!(
        "plot:\n  # {own} markers, exactly: straight, right, left or stop; at most three of a kind; no two turns in a row.\n  \
         # right turns the bow clockwise (heading +1), left the other way; a turn keeps the hex.\n  markers: [{markers}]\n"
    );
    if own < steps {
        let _ = writeln!(out, "  # Your opponent has {steps} markers; at the last ones you only fire and board.");
    }
    out.push_str(
        "  # When each broadside fires, at every marker: hold, crossing (the T), close (1 hex), crossing-or-close, any.\n  \
         # Each broadside fires once a turn.\n  fire: {starboard: crossing, port: crossing}\n  \
         # Boarding, when an enemy is in your hex: never, always, or {if: {lead: 2, marines: 2}}: your damage rating is\n  \
         # at least 2 above the enemy's and you have at least 2 marines. retreat_at: 1 = your boarders go back at 1 marine left.\n  \
         board: {wish: never, retreat_at: 0}\n",
    );
    let _ = write!(
        out,
        "  # What differs at a single marker; here: fire at anything after the last.\n  at:\n    {steps}:\n      fire: {{starboard: any, port: any}}\n"
    );
    if state.chooser == side {
        out.push_str("  # The choice of order is yours this turn: us or enemy.\n  order: {moves_first: enemy, fires_first: enemy}\n");
    }
    if fleet.squadron {
        let own: Vec<&str> = state.afloat(side).map(|s| s.id.0.as_str()).collect();
        let _ = write!(
            out,
            "  # Which ships carry the markers out: {{squadron: {{}}}} = all, {{command: {{followers: [...]}}}}, {{ship: {{id: ...}}}}.\n  \
             # reactions count when you move second: {{if: {{command: {{}}}}, then: ...}} or {{if: {{ship: {{id: ...}}}}, then: ...}}.\n  \
             # Your ships: {}.\n  lead: {{move_with: {{squadron: {{}}}}, succession: [{}]}}\n",
            own.join(", "),
            own.iter().skip(1).copied().collect::<Vec<_>>().join(", ")
        );
    }
    out.push_str(
        "  # react: [2] = ask me again at marker 2, before I fire there (costs a mail each way).\n  react: []\n",
    );
    out
}

fn react_template(state: &State, side: Side) -> String {
    let mut out = format!("# You asked to be asked again at marker {}. What you can fire at now:\n", state.step);
    let all = shots(state, side);
    for (shot, aim) in &all {
        let t = if aim.crossing { ", crossing the T" } else { "" };
        let _ = writeln!(
            out,
            "#   {} {:?} at {}: range {}{t}, hits on {}+",
            shot.ship, shot.broadside, shot.target, aim.range, aim.hits_on
        );
    }
    if all.is_empty() {
        out.push_str("#   nothing: no enemy bears within range and sight, or the broadside is spent\n");
    }
    out.push_str("# This stands in the place of what you sealed for this marker, boarding too.\nreact:\n  fire: {starboard: any, port: any}\n  board: {wish: never, retreat_at: 0}\n");
    if state.chooser == side {
        out.push_str("  order: {moves_first: enemy, fires_first: enemy}\n");
    }
    if state.fleets.get(side).squadron {
        out.push_str("  lead: {move_with: {squadron: {}}}\n");
    }
    out
}
