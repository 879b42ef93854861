//! Why a file counts as talk: it is kept and shown, and has no effect (`schemas/protocol.md`, "Life of a step").

/// Why a file counts as talk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Talk {
    /// Its answers are against the rules.
    Illegal(String),
    /// It links before every other answer is named, or before its own is settled.
    LinkTooEarly,
    /// Its link is not the seat's link of this step.
    WrongLink,
    /// An opening in it fits no seal of its slot.
    BadOpening(String),
    /// It answers, replaces or accepts after its seat's link.
    AfterLink,
    /// It comes after its seat ended its files in this step (an acceptance, a refusal, a concession).
    AfterEnd,
    /// It answers although its seat is not asked in this step.
    NotAsked,
    /// It offers what cannot be carried out.
    BadOffer(String),
    /// It accepts something that is no offer standing.
    NothingToAccept,
    /// It refuses a file that need not be refused.
    NothingToRefuse,
    /// It names a file beside one of the same number that was named before (the host's, in strict games).
    NamesAnother,
    /// It seals, opens, names, accepts or refuses in a hosted game, where only the host may.
    HostOnly,
    /// It declares a player late who is not, or with another consequence than the terms have.
    NotLate,
    /// It decides something for a seat that the host has declared late.
    TooLate,
}

impl std::fmt::Display for Talk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Talk::Illegal(why) => return write!(f, "its orders are against the rules: {why}"),
            Talk::BadOffer(why) => return write!(f, "what it offers cannot be done: {why}"),
            Talk::BadOpening(slot) => return write!(f, "its opening of `{slot}` does not fit the seal"),
            Talk::LinkTooEarly => "it sends its link before the decisions of the step were fixed",
            Talk::WrongLink => "its link is not the one its seat committed to at the start",
            Talk::AfterLink => "it decides something after its own link was out",
            Talk::AfterEnd => "it comes after its player ended the step",
            Talk::NotAsked => "it answers although nothing was asked of its player",
            Talk::NothingToAccept => "it accepts what was not offered",
            Talk::HostOnly => "it seals, opens or names something, which a hosted game has no use for",
            Talk::NotLate => "it declares a player late who is not, or not with the consequence the terms have",
            Talk::TooLate => "it comes after the host has declared its player late",
            Talk::NamesAnother => "it names a second file of a number of which one was named before",
            Talk::NothingToRefuse => "it refuses a file that is in order",
        })
    }
}
