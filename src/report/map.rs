//! What is drawn on a map besides its ground, and how each kind of ground looks.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{Ground, Kind, Map};
use crate::hex::Hex;
use crate::side::Side;

/// A counter on a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// Where it stands. Counters in one hex lie on one another, the first on top.
    pub hex: Hex,
    /// Whose it is; `None` for markers of nobody.
    pub side: Option<Side>,
    /// Its sign on the map: up to four letters.
    pub mark: String,
    /// A second line on it, such as its strength: up to five letters.
    pub note: String,
    /// What the list under the map says of it.
    pub name: String,
}

/// What an arrow stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrow {
    /// A move or advance: a solid line.
    Move,
    /// Fire or an attack: a dotted line.
    Fire,
    /// A retreat: a dashed line.
    Retreat,
}

/// What lies over the ground of a map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layer {
    /// Counters.
    pub counters: Vec<Counter>,
    /// Arrows through the centres of hexes, the start first.
    pub arrows: Vec<(Arrow, Vec<Hex>)>,
}

impl Layer {
    /// The counters of each hex that has any, the top one first.
    pub(super) fn stacks(&self) -> BTreeMap<Hex, Vec<&Counter>> {
        let mut stacks: BTreeMap<Hex, Vec<&Counter>> = BTreeMap::new();
        for counter in &self.counters {
            stacks.entry(counter.hex).or_default().push(counter);
        }
        stacks
    }
}

/// What fills a hex, beside its colour: so that terrain is told without telling colours apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pattern {
    Plain,
    Trees,
    Bushes,
    Hachures,
    Reeds,
    Waves,
    Planks,
    Houses,
    Rails,
    Trench,
    Walls,
    Stripes,
}

/// How a kind of ground looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Look {
    /// Its letter.
    pub sign: char,
    /// Its colour; light, and light and dark differ where colours are near each other for the colour-blind.
    pub fill: &'static str,
    /// Its pattern.
    pub pattern: Pattern,
}

/// The looks of every terrain and feature of a map that occurs on it. Words that are known here have their own look;
/// others get a letter that is still free.
pub(super) fn looks<G: Ground>(map: &Map<G>) -> BTreeMap<&'static str, Look> {
    let used: BTreeSet<&'static str> = map.cells().flat_map(|(hex, _)| map.words(hex)).collect();
    let listed = G::Terrain::ALL.iter().map(|k| k.word()).chain(G::Feature::ALL.iter().map(|k| k.word()));
    let words: Vec<&'static str> = listed.filter(|word| used.contains(word)).collect();
    let mut looks: BTreeMap<&'static str, Look> = BTreeMap::new();
    let mut taken: BTreeSet<char> = BTreeSet::new();
    for word in &words {
        if let Some(look) = known(word).filter(|look| taken.insert(look.sign)) {
            looks.insert(word, look);
        }
    }
    for word in words {
        if looks.contains_key(word) {
            continue;
        }
        let letters = word.chars().map(|c| c.to_ascii_uppercase()).chain('A'..='Z').chain('a'..='z').chain('0'..='9');
        let sign = letters.filter(|c| c.is_ascii_alphanumeric()).find(|c| taken.insert(*c)).unwrap_or('?');
        let (fill, pattern) = known(word).map_or(("#e6e1ea", Pattern::Stripes), |look| (look.fill, look.pattern));
        looks.insert(word, Look { sign, fill, pattern });
    }
    looks
}

fn known(word: &str) -> Option<Look> {
    let (sign, fill, pattern) = match word {
        "clear" | "open" => ('.', "#fbf8ee", Pattern::Plain),
        "forest" | "woods" => ('f', "#b5d3a4", Pattern::Trees),
        "light-forest" | "light-woods" => ('l', "#d9e8cd", Pattern::Bushes),
        "hill" => ('h', "#e8cfa3", Pattern::Hachures),
        "swamp" | "marsh" | "morass" => ('s', "#d5dde0", Pattern::Reeds),
        "waterway" | "river" | "lake" | "water" | "pond" => ('w', "#8dbbe6", Pattern::Waves),
        "deep" => ('d', "#5f97cf", Pattern::Waves),
        "crossing" | "water-crossing" | "bridge" | "ford" => ('c', "#d2e4f6", Pattern::Planks),
        "town" | "village" | "buildings" | "building" => ('t', "#d8cfc9", Pattern::Houses),
        "fence" => ('n', "#f6efd6", Pattern::Rails),
        "entrenchment" | "works" | "redoubt" => ('e', "#dcc9a6", Pattern::Trench),
        "fort" => ('F', "#bdb3a4", Pattern::Walls),
        _ => return None,
    };
    Some(Look { sign, fill, pattern })
}

/// Text that came from a file, with nothing in it that acts on a terminal or page.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The hexes of hexsides and ways as pairs of labels.
pub(super) fn pair<G: Ground>(map: &Map<G>, [a, b]: [Hex; 2], joint: char) -> String {
    format!("{}{joint}{}", map.label(a), map.label(b))
}
