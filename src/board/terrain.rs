//! A book's own closed lists of what a map may show.

use std::fmt::Debug;

/// A closed list of kinds, each with the word that map files use for it.
pub trait Kind: Copy + Eq + Ord + Debug + 'static {
    /// Every kind, in the order of the printed list.
    const ALL: &'static [Self];

    /// The word in map files: small letters, digits, hyphens.
    fn word(self) -> &'static str;

    /// The kind of a word.
    #[must_use]
    fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.word() == word)
    }

    /// All words, for messages.
    #[must_use]
    fn words() -> String {
        if Self::ALL.is_empty() {
            return "this book has none".to_owned();
        }
        Self::ALL.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(", ")
    }
}

/// What a book's maps are made of.
pub trait Ground: Clone + Debug + PartialEq + Eq + 'static {
    /// What covers a hex; every hex has one.
    type Terrain: Kind;
    /// What may stand in a hex besides.
    type Feature: Kind;
    /// What may lie on a hexside.
    type Side: Kind;
    /// What may lead from a hex to the next: roads, paths.
    type Way: Kind;
}

/// The empty list, for books without features, hexsides or ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoKind {}

impl Kind for NoKind {
    const ALL: &'static [NoKind] = &[];
    fn word(self) -> &'static str {
        match self {}
    }
}
