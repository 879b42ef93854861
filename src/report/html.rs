//! A report as one page for a browser: the map before and after with its moves, every die with its name and whether it is
//! proved, losses, tracks, and how to check it all. Nothing is loaded from elsewhere and nothing runs in it.
//!
//! Nothing is told by colour alone, and it prints: what a mouse would show stands in the text too.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::heading;
use super::map_art::text;
use crate::catalog::AnyGame;
use crate::log::{End, History};
use crate::play::{Chapter, Record, System};
use crate::seal::{face, twelve_words};

/// The look of the page. Colours differ in lightness too; the two sides' tables carry their names.
const STYLE: &str = "\
body{font:16px/1.45 sans-serif;color:#111;background:#fff;max-width:64rem;margin:1rem auto;padding:0 1rem}\
h1{margin-bottom:0}h2{border-top:3px solid #111;padding-top:.4rem;margin-top:2.5rem}h3{margin-bottom:.3rem}\
figure{margin:1rem 0;break-inside:avoid}figure svg{max-width:100%;height:auto;border:1px solid #888}\
figcaption{font-style:italic}ol.story{list-style:none;padding-left:0}ol.story>li{margin:.35rem 0}\
ol.story>li.part{font-weight:bold;margin-top:1rem}ol.story>li.deep{margin-left:1.5rem}\
table{border-collapse:collapse;margin:.3rem 0 .6rem}td,th{border:1px solid #777;padding:.15rem .5rem;text-align:left}\
th{background:#eee}table.dice{margin-left:1.5rem;font-size:90%}td.face{font-weight:bold;text-align:center}\
code{font-family:monospace;overflow-wrap:anywhere}.scroll{overflow-x:auto}.bad{font-weight:bold;text-decoration:underline}\
@media print{body{font-size:11px;max-width:none}h2{break-after:avoid}tr,li{break-inside:avoid}a{color:inherit}}";

/// What a book's part of the page is made of.
pub(super) trait Paged: System {
    /// The map of a position, with the moves of some records if there are any.
    fn picture(before: &Self::State, records: &[Record<Self>], after: &Self::State, title: &str, id: &str) -> String;
    /// What an event is in words; empty if it is not told.
    fn words(state: &Self::State, event: &Self::Event) -> String;
    /// What an answer given in advance is in words.
    fn standing(record: &Record<Self>) -> String;
    /// How dice are read: what is added to each, and the least that hits; none where dice do not hit one by one.
    fn hits(event: &Self::Event) -> Option<(i16, u8)>;
    /// The rules an event names beside the one in its words.
    fn rules(event: &Self::Event) -> Vec<&'static str>;
    /// What was lost between two positions: piece, before, after.
    fn losses(before: &Self::State, after: &Self::State) -> Vec<[String; 3]>;
    /// The tracks of a position: what, how far, of how many.
    fn tracks(state: &Self::State) -> Vec<(String, u32, u32)>;
    /// The turn of a position.
    fn turn(state: &Self::State) -> u32;
}

/// The page of the last step that told something; none of a game without a chapter here, or before anything happened.
#[must_use]
pub fn html(history: &History) -> Option<String> {
    page(history, false)
}

/// The page of the whole game so far.
#[must_use]
pub fn html_all(history: &History) -> Option<String> {
    page(history, true)
}

fn page(history: &History, all: bool) -> Option<String> {
    let (title, figures) = heading(&history.game)?;
    let body = match &history.game {
        AnyGame::Naval(game) => chapters(history, game.played.chapters(), all),
        AnyGame::Land(game) => chapters(history, game.played.chapters(), all),
        AnyGame::Other(_) => None,
    }?;
    let title = text(title.trim());
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>Game <code>{}</code>, step {}. Figures: {}.</p>\n",
        history.terms.game.short(),
        history.step(),
        text(figures)
    );
    out.push_str(&body);
    said(history, all, &mut out);
    end(history, &mut out);
    audit(history, &mut out);
    out.push_str("</body>\n</html>\n");
    Some(out)
}

fn chapters<Y: Paged>(history: &History, all: &[std::rc::Rc<Chapter<Y>>], whole: bool) -> Option<String> {
    let told: Vec<_> = all.iter().filter(|c| c.records.iter().any(|r| matches!(r, Record::Event(_)))).collect();
    let skip = if whole { 0 } else { told.len().saturating_sub(1) };
    let mut out = String::new();
    let mut cited = BTreeSet::new();
    for (n, chapter) in told.iter().enumerate().skip(skip) {
        section(history, chapter, n + 1, &mut cited, &mut out);
    }
    if out.is_empty() {
        return None;
    }
    out.push_str("<h2>The rules named above</h2>\n<p>");
    for id in cited {
        if let Some((title, line)) = crate::cite::find(&id) {
            let _ = writeln!(out, "<b>{}</b> {}: {}<br>", text(&id), text(title), text(line));
        }
    }
    out.push_str("</p>\n");
    Some(out)
}

/// One stretch of play.
fn section<Y: Paged>(
    history: &History,
    chapter: &Chapter<Y>,
    n: usize,
    cited: &mut BTreeSet<String>,
    out: &mut String,
) {
    let mut after = Y::State::clone(&chapter.before);
    let events = chapter.records.iter().filter_map(|r| if let Record::Event(e) = r { Some(e) } else { None });
    events.for_each(|event| Y::apply(&mut after, event));
    let turn = Y::turn(&after);
    let _ = writeln!(out, "<section id=\"part-{n}\">\n<h2>Turn {turn}, part {n}</h2>");
    let pictures = [
        (Y::picture(&chapter.before, &[], &chapter.before, "Before", &format!("b{n}")), "Before"),
        (
            Y::picture(&chapter.before, &chapter.records, &after, "After", &format!("a{n}")),
            "After, with what moved (solid), attacked (dotted) and retreated (dashed)",
        ),
    ];
    for (svg, caption) in pictures {
        let _ = writeln!(out, "<figure>{svg}<figcaption>{caption}</figcaption></figure>");
    }
    out.push_str("<h3>What happened</h3>\n");
    story(history, chapter, cited, out);
    let losses = Y::losses(&chapter.before, &after);
    out.push_str("<h3>Losses</h3>\n");
    if losses.is_empty() {
        out.push_str("<p>None.</p>\n");
    } else {
        out.push_str("<table><tr><th>Who</th><th>before</th><th>after</th></tr>\n");
        for [who, was, is] in losses {
            let _ = writeln!(out, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", text(&who), text(&was), text(&is));
        }
        out.push_str("</table>\n");
    }
    out.push_str("<h3>Tracks</h3>\n<table>\n");
    for (what, at, of) in Y::tracks(&after) {
        let _ = writeln!(out, "<tr><td>{}</td><td>{at} of {of}</td><td>{}</td></tr>", text(&what), boxes(at, of));
    }
    out.push_str("</table>\n</section>\n");
}

/// A track as boxes, the first ones filled; a long one in figures alone.
fn boxes(at: u32, of: u32) -> String {
    let size = of.max(at);
    if size == 0 || size > 24 {
        return String::new();
    }
    let mut out = format!("<svg width=\"{}\" height=\"14\" role=\"img\" aria-label=\"{at} of {of}\">", 14 * size + 2);
    for n in 0..size {
        let fill = if n < at { "#111111" } else { "#ffffff" };
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"1\" width=\"11\" height=\"11\" fill=\"{fill}\" stroke=\"#111111\"/>",
            14 * n + 1
        );
    }
    out + "</svg>"
}

/// One die as a record has it.
struct Die<'a> {
    ticket: &'a str,
    step: u64,
    faces: u32,
    face: u32,
}

fn story<Y: Paged>(history: &History, chapter: &Chapter<Y>, cited: &mut BTreeSet<String>, out: &mut String) {
    let mut state = Y::State::clone(&chapter.before);
    let mut dice: Vec<Die<'_>> = Vec::new();
    out.push_str("<ol class=\"story\">\n");
    for record in &chapter.records {
        match record {
            Record::Rolled { ticket, step, faces, face } => {
                dice.push(Die { ticket, step: *step, faces: *faces, face: *face });
            }
            Record::Event(event) => {
                let told = Y::words(&state, event);
                item(&told, out);
                note_rules(&told, cited);
                cited.extend(Y::rules(event).into_iter().map(str::to_owned));
                table_of_dice(history, &dice, Y::hits(event), out);
                dice.clear();
                Y::apply(&mut state, event);
            }
            other => item(&Y::standing(other), out),
        }
    }
    out.push_str("</ol>\n");
}

/// A line of the story; how far it was indented says how deep it lies.
fn item(told: &str, out: &mut String) {
    let line = told.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    if line.is_empty() {
        return;
    }
    let deep = line.len() - line.trim_start().len();
    let class = match deep {
        _ if told.starts_with('\n') => " class=\"part\"",
        0..=2 => "",
        _ => " class=\"deep\"",
    };
    let _ = writeln!(out, "<li{class}>{}</li>", text(line.trim()));
}

/// The citations in brackets of a line.
fn note_rules(line: &str, cited: &mut BTreeSet<String>) {
    for part in line.split('[').skip(1) {
        let inside = part.split(']').next().unwrap_or("");
        cited.extend(inside.split(", ").filter(|id| crate::cite::find(id).is_some()).map(str::to_owned));
    }
}

fn table_of_dice(history: &History, dice: &[Die<'_>], hits: Option<(i16, u8)>, out: &mut String) {
    if dice.is_empty() {
        return;
    }
    out.push_str("<li class=\"deep\"><div class=\"scroll\"><table class=\"dice\"><tr><th>Die</th>");
    if hits.is_some() {
        out.push_str("<th>counts as</th>");
    }
    out.push_str("<th>its name</th><th>step</th><th>proved?</th></tr>\n");
    for die in dice {
        let _ = write!(out, "<tr><td class=\"face\">{}</td>", die.face);
        if let Some((change, least)) = hits {
            let value = i16::try_from(die.face).unwrap_or(0) + change;
            let word = if value >= i16::from(least) { "hit" } else { "miss" };
            let _ = write!(out, "<td>{value}: {word}</td>");
        }
        let _ = writeln!(
            out,
            "<td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
            text(die.ticket),
            die.step,
            proof(history, die)
        );
    }
    out.push_str("</table></div></li>\n");
}

/// Whether a die is what the step's secret numbers make of it: it is rolled once more here.
fn proof(history: &History, die: &Die<'_>) -> &'static str {
    match history.seeds().get(&die.step) {
        Some(seed) if face(seed, die.ticket, die.faces).face + 1 == die.face => "proved",
        Some(_) => "<span class=\"bad\">DOES NOT FIT its numbers</span>",
        None => "not proved: its step has no numbers",
    }
}

/// Words between the players.
fn said(history: &History, all: bool, out: &mut String) {
    let closed = history.closed();
    let skip = if all { 0 } else { closed.len().saturating_sub(1) };
    let mut lines = String::new();
    for step in closed.iter().skip(skip) {
        if let Some((seat, what)) = &step.agreed {
            let what = text(what);
            let _ =
                writeln!(lines, "<li>Step {}: both agreed to what the {seat} player offered: {what}.</li>", step.step);
        }
        for (seat, words) in &step.said {
            let _ = writeln!(lines, "<li>Step {}, the {seat} player: {}</li>", step.step, text(words));
        }
    }
    if !lines.is_empty() {
        let _ = writeln!(out, "<h2>Words between the players</h2>\n<ul>{lines}</ul>");
    }
}

fn end(history: &History, out: &mut String) {
    let words = match history.end() {
        None => return,
        Some(End::Rules) => "The game is over.".to_owned(),
        Some(End::Conceded(seat)) => format!("The {seat} player has conceded; the game is over."),
        Some(End::Draw) => "The game has ended as a draw.".to_owned(),
        Some(End::Forfeited(seat)) => format!("The {seat} player let the time go by and has lost by the terms."),
    };
    let _ = writeln!(out, "<p><b>{words}</b></p>");
}

fn audit(history: &History, out: &mut String) {
    let head = twelve_words(&history.head());
    let _ = writeln!(
        out,
        "<h2>How to check this</h2>\n\
         <p>A die marked <b>proved</b> was rolled once more when this page was written, from the secret numbers both \
         players had fixed before the game. This page is a copy for reading: the proof is in <code>game.log</code>. In \
         the game folder:</p>\n<ul>\n\
         <li><code>countersign audit die NAME</code> takes one die apart, step by step, to redo by hand; NAME is what \
         stands in the table, for instance all of it or its beginning.</li>\n\
         <li><code>countersign verify game.log</code> checks every signature, every die and every rule of the game; so can \
         anyone who has the log, without a key.</li>\n\
         <li><code>countersign rules cite RULE</code> says what a rule in brackets is about.</li>\n</ul>\n\
         <p>The end of the log in twelve words, to compare over the telephone (<code>countersign head</code>):<br>\
         <b>{}</b></p>",
        text(&head.to_string())
    );
}
