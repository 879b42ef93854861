//! What a verifier can find, each told apart.

use std::fmt;

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A line is no entry, or not written as this protocol writes it.
    Form,
    /// An entry's number or `prev` does not follow: missing, doubled, reordered or changed.
    Order,
    /// A signature does not fit.
    Signature,
    /// An entry is by a seat that has no such part, or by another key than the seat's.
    WrongSeat,
    /// A document does not parse, or parses otherwise than its sender's program read it.
    Document,
    /// Terms and acceptances do not fit each other.
    Terms,
    /// The scenario at hand is not the one the terms name.
    Scenario,
    /// The log is of a version or ruleset unknown here.
    Version,
    /// A file is bound to another game, step or head.
    Binding,
    /// A link is not the committed one.
    Link,
    /// A link was sent before the decisions of the step were fixed.
    LinkTooEarly,
    /// An opening does not fit its seal.
    Opening,
    /// The opening of a private die does not fit: its owner used another value than he sealed.
    PrivateDie,
    /// An order is against the rules.
    IllegalOrder,
    /// A host refused an order that is legal.
    LegalRefused,
    /// A host declared a player late who was not, or with a consequence the terms do not have.
    FalseLate,
    /// A host brought a time nearer that stood, or set one too early, or stopped or started the clock out of turn.
    Clock,
    /// A step's files do not close it, or more files stand in it than counted.
    Block,
    /// The seed, and so the dice, are not what the links make.
    Seed,
    /// The events are not what the rules make.
    Events,
    /// The position is not what the events make.
    Position,
    /// The needs are not what the rules ask.
    Needs,
    /// The log ends before the head at hand.
    Truncated,
    /// The log has another entry where the head at hand should be.
    Forked,
}

/// The first fault of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind.
    pub kind: Kind,
    /// Entry number, from 0.
    pub entry: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// The rule of the protocol or the book.
    pub rule: String,
}

impl Fault {
    /// A fault of an entry.
    pub fn new(
        kind: Kind,
        entry: usize,
        rule: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Fault {
        Fault { kind, entry, expected: expected.into(), found: found.into(), rule: rule.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            Kind::Form => "a line is not as this protocol writes it",
            Kind::Order => "an entry is missing, doubled, out of order or changed",
            Kind::Signature => "a signature does not fit",
            Kind::WrongSeat => "a file is not by the player it claims",
            Kind::Document => "a document cannot be read as it was",
            Kind::Terms => "the terms do not fit together",
            Kind::Scenario => "the scenario is not the one agreed",
            Kind::Version => "the log is of a version unknown here",
            Kind::Binding => "a file belongs to another game, step or history",
            Kind::Link => "a link is not the one its player committed to",
            Kind::LinkTooEarly => "a link was sent before the decisions were fixed",
            Kind::Opening => "a sealed choice does not open to what was sealed",
            Kind::PrivateDie => "a private die is not the one its player sealed",
            Kind::IllegalOrder => "an order is against the rules",
            Kind::LegalRefused => "the host refused orders that the rules allow",
            Kind::FalseLate => "the host declared a player late who was not",
            Kind::Clock => "the host changed a time as he may not",
            Kind::Block => "the files of a step do not make its result",
            Kind::Seed => "the dice are not the ones the links make",
            Kind::Events => "what happened is not what the rules make",
            Kind::Position => "the position is not what the events make",
            Kind::Needs => "the wrong player was asked, or for the wrong thing",
            Kind::Truncated => "the log is cut off",
            Kind::Forked => "the log is another history than the one at hand",
        };
        write!(
            f,
            "entry {}: {what}\n  expected: {}\n  found:    {}\n  rule:     {}",
            self.entry, self.expected, self.found, self.rule
        )
    }
}
