//! Objections to a draft, each at the line and column of the word that is meant.

use super::{Draft, LARGEST};
use crate::books::honor::naval::Boarding;
use crate::doc::place::{Spot, spots};
use crate::doc::{suggest, yaml};
use crate::error::{Error, Place};
use crate::play::Refusal;

/// Words that take one form of several, and the names that may stand under each. Reading alone would pass over
/// others in silence: their types are open for what other versions of the program write.
const FORMS: &[(&str, &[&str])] =
    &[("if", &["lead", "marines"]), ("command", &["followers"]), ("squadron", &[]), ("ship", &["id"])];

/// A draft's text with the place of every word in it.
pub(super) struct Words<'a> {
    spots: Vec<Spot>,
    file: &'a str,
}

/// `order 2, then 1: ` for `orders.1.then.0.unit`: players count from 1.
fn numbers(path: &str) -> String {
    let words: Vec<&str> = path.split('.').collect();
    let pairs = words.chunks(2).map_while(|pair| match pair {
        [name, n] => n.parse::<usize>().ok().map(|n| format!("{} {}", name.strip_suffix('s').unwrap_or(name), n + 1)),
        _ => None,
    });
    let named = pairs.collect::<Vec<_>>().join(", ");
    if named.is_empty() { named } else { named + ": " }
}

/// Reads a draft: everything the types have against it, and names they would pass over.
pub(super) fn parse(text: &str, file: &str) -> Result<Draft, Vec<Error>> {
    let read = yaml::read::<Draft>(text, file, LARGEST);
    let unknown = match &read {
        Ok(_) => Words::new(text, file).unknown(),
        Err(_) => Vec::new(),
    };
    if unknown.is_empty() { read } else { Err(unknown) }
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &str, file: &'a str) -> Words<'a> {
        Words { spots: spots(text), file }
    }

    /// Names that nothing reads.
    fn unknown(&self) -> Vec<Error> {
        let mut found = Vec::new();
        for spot in self.spots.iter().filter(|s| s.name) {
            let [.., above, parent, _] = spot.path.as_slice() else { continue };
            // The `if` of a reaction names a form itself; only the one of a wish holds figures.
            if (parent == "if" && above != "wish") || above == "ships" {
                continue;
            }
            let within =
                ["lead", "wish", "board", "move_with", "reactions"].iter().any(|k| spot.path.iter().any(|p| p == k));
            let Some((_, known)) = FORMS.iter().find(|(form, _)| form == parent && within) else { continue };
            if !known.contains(&spot.text.as_str()) {
                let what = format!("`{}` is not known here", spot.text.chars().take(40).collect::<String>());
                found.push(Error::new(what).next(suggest::advice(&spot.text, known)).at(self.place(spot)));
            }
        }
        found
    }

    fn place(&self, spot: &Spot) -> Place {
        Place { file: self.file.to_owned(), line: spot.line, column: spot.column }
    }

    /// The name or value that a path leads to.
    fn at(&self, path: &[&str]) -> Option<&Spot> {
        self.spots.iter().find(|s| s.path == path)
    }

    /// The place of a path, or of the nearest group above it that is there.
    pub(super) fn find(&self, path: &[&str]) -> Place {
        let found = (1..=path.len()).rev().find_map(|n| self.at(path.get(..n)?));
        found.map_or_else(|| Place { file: self.file.to_owned(), line: 0, column: 0 }, |spot| self.place(spot))
    }

    /// A refusal of an answer (`steps[2].lead.move_with`, or `lead.move_with` of an answer to a REACT) at the word of the
    /// draft it comes from: what stands at the marker itself goes before what is said for the whole turn.
    pub(super) fn refusal(&self, refusal: &Refusal, kind: &str) -> Error {
        let path = refusal.path.rsplit(": ").next().unwrap_or("");
        let (step, rest) = match path.strip_prefix("steps[").and_then(|p| p.split_once(']')) {
            Some((n, rest)) => (n.parse::<usize>().ok(), rest.trim_start_matches('.')),
            None => (None, path),
        };
        let item = step.map_or_else(|| "0".to_owned(), |n| n.saturating_sub(1).to_string());
        let number = step.map_or_else(String::new, |n| n.to_string());
        let part = rest.split('.').next().unwrap_or("");
        let (what, place) = if matches!(part, "marker" | "") && kind == "plot" {
            let named = step.filter(|_| part == "marker").map_or_else(String::new, |n| format!("marker {n} "));
            (format!("{named}{}", refusal.why), self.find(&["plot", "markers", &item]))
        } else if part == "react" || part == "steps" {
            let key = if part == "react" { "react" } else { "markers" };
            (refusal.why.clone(), self.find(&["plot", key]))
        } else {
            let single = ["plot", "at", &number, part];
            let whole = if kind == "plot" { vec!["plot", part] } else { vec!["react", part] };
            let (root, named) = match step.and_then(|_| self.at(&single)) {
                Some(_) => (single.to_vec(), format!("at marker {number}: ")),
                None => (whole, String::new()),
            };
            (format!("{named}{}", refusal.why), self.within(&root, rest, &refusal.why))
        };
        Error::new(format!("{what} [{}]", refusal.cite)).next(refusal.instead.clone()).at(place)
    }

    /// A refusal of a land order (`orders[2].then[0].path[1]`) at the word of the draft it comes from. The draft has the
    /// name of the order (`move:`) between its number and its keys, the refusal has not.
    pub(super) fn land(&self, refusal: &Refusal, kind: &str) -> Error {
        let path = refusal.path.rsplit(": ").next().unwrap_or("").replace('[', ".").replace(']', "");
        let mut root: Vec<&str> = if kind == "orders" { Vec::new() } else { vec!["answer"] };
        let mut found = self.find(&root);
        for word in path.split('.').filter(|w| !w.is_empty()) {
            let next = self.spots.iter().find_map(|spot| {
                let below = spot.path.len() > root.len() && spot.path.iter().zip(&root).all(|(a, b)| a == b);
                match spot.path.get(root.len()..).filter(|_| below)? {
                    [key, ..] if key == word => Some(root.len() + 1),
                    [_, key, ..] if key == word => Some(root.len() + 2),
                    _ => None,
                }
                .map(|depth| (spot, depth))
            });
            let Some((spot, depth)) = next else { break };
            root = spot.path.iter().take(depth).map(String::as_str).collect();
            found = self.find(&root);
        }
        let named = if kind == "orders" { numbers(&path) } else { String::new() };
        Error::new(format!("{named}{} [{}]", refusal.why, refusal.cite)).next(refusal.instead.clone()).at(found)
    }

    /// The word a refusal quotes in its first back quotes, under a path of the draft; best under the last names of the
    /// refusal's own path. Without such a word the path itself.
    fn within(&self, root: &[&str], rest: &str, why: &str) -> Place {
        let quoted = why.split('`').nth(1).unwrap_or("");
        let under = |s: &&Spot| s.path.len() >= root.len() && s.path.iter().zip(root).all(|(a, b)| a == b);
        let names: Vec<&str> = rest.split('.').skip(1).filter(|w| *w != "all").collect();
        let fit = |s: &Spot| names.iter().filter(|n| s.path.iter().skip(root.len()).any(|p| p == *n)).count();
        let mut best: Option<(usize, &Spot)> = None;
        for spot in self.spots.iter().filter(under).filter(|s| s.text == quoted && !quoted.is_empty()) {
            if best.is_none_or(|(n, _)| fit(spot) > n) {
                best = Some((fit(spot), spot));
            }
        }
        if let Some((_, spot)) = best {
            return self.place(spot);
        }
        let path: Vec<&str> = root.iter().copied().chain(names).collect();
        self.find(&path)
    }

    /// Figures of boarding orders that no ship can reach.
    pub(super) fn beyond(&self, root: &[&str], orders: &Boarding) -> Vec<Error> {
        let tell = |r: &Refusal| {
            let path: Vec<&str> = root.iter().copied().chain(r.path.split('.')).collect();
            let marker = root.get(2).filter(|_| root.get(1) == Some(&"at"));
            let named = marker.map_or_else(String::new, |n| format!("at marker {n}: "));
            let what = format!("{named}{} [{}]", r.why, r.cite);
            Error::new(what).next(r.instead.clone()).at(self.find(&path))
        };
        orders.beyond().iter().map(tell).collect()
    }
}
