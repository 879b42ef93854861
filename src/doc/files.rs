//! The signed documents of the protocol as types (`schemas/protocol.md`, "Files").
//!
//! Bytes are signed, not values: a document is written once by [`emit`], signed, and from then on only ever read.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::clock::{Clock, Late, Pause};
use super::tree::Tree;
use crate::error::{Error, Result, plain};
use crate::seal::{Digest, LodgingKey, Opening};
use crate::side::Seat;

/// The version of protocol and file formats this program speaks.
pub const VERSION: u32 = 1;

/// How a game is played (`schemas/protocol.md`, "Modes").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Two players, no third party; both link every step.
    TwoSeats,
    /// A host collects answers, links and closes the steps; he is trusted not to whisper.
    Hosted,
    /// Hosted, but the players bind and reveal as between two.
    Strict,
}

/// The public end of a seed chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChainTip {
    /// x_0.
    pub tip: Digest,
    /// Number of links.
    pub length: u32,
}

/// One row of the terms' table of hidden things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretRow {
    /// Slots of this kind, with `*` for what varies: `t*/*/plot/marker/*`.
    pub slots: String,
    /// `seal, or second in clear`.
    pub form: String,
    /// When it must open.
    pub due: String,
    /// What an illegal content counts as.
    pub if_illegal: String,
    /// What a withheld opening means.
    pub if_withheld: String,
}

/// A seat's identity in a proposal or acceptance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// What the player calls himself.
    pub player: String,
    /// OpenSSH public-key line, `ssh-ed25519 AAAA...`.
    pub key: String,
    /// His seed chain.
    pub chain: ChainTip,
    /// A second key that may replace the first if it is lost.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub recovery: Option<String>,
    /// Of the host of a hosted game, and of nobody else: the X25519 key to which the players encrypt what they lodge with
    /// him, 64 characters.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub lodging_key: Option<LodgingKey>,
}

/// Terms of a game, signed by who proposes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// File version.
    pub countersign: u32,
    /// `proposal`.
    pub kind: String,
    /// Rulebook and version of its rulings, `honor-naval/1`.
    pub ruleset: String,
    /// Scenario id.
    pub scenario: String,
    /// SHA-256 of the scenario file's bytes (LF line ends).
    pub scenario_digest: Digest,
    /// Settings of the rulings that have a choice, by number.
    pub rulings: BTreeMap<String, String>,
    /// Two seats, hosted or strict.
    pub mode: Mode,
    /// All seats in terms order; the host last.
    pub seats: Vec<Seat>,
    /// The proposer's seat.
    pub seat: Seat,
    /// Who he is.
    pub who: Identity,
    /// 32 random bytes that name this table.
    pub table: Digest,
    /// Rows of every kind of secret.
    pub secrets: Vec<SecretRow>,
    /// Days after which `status` offers to send a packet again.
    pub resend_days: u32,
    /// The clock a host keeps; missing: nothing is ever due. Between two it has `days` alone, and is a word.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub clock: Option<Clock>,
    /// A word to the others.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub say: Option<String>,
    /// When, by the sender's clock, UTC.
    pub sent: String,
}

/// Acceptance of a proposal by another seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    /// File version.
    pub countersign: u32,
    /// `acceptance`.
    pub kind: String,
    /// Hash of the proposal file.
    pub proposal: Digest,
    /// The acceptor's seat.
    pub seat: Seat,
    /// Who he is.
    pub who: Identity,
    /// A word to the others.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub say: Option<String>,
    /// When, by the sender's clock, UTC.
    pub sent: String,
}

/// Something offered to the other side (`schemas/protocol.md`, "Agreements"). It lapses when the step closes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Offer {
    /// The sender gives the game up. Needs no acceptance to count; the other's makes it part of the log.
    Concede,
    /// The game ends in a draw.
    Draw,
    /// An earlier step is played again, with fresh links.
    Restart {
        /// The step; it and all after it are dead then.
        step: u64,
        /// What has been seen since and is forgotten, as the program lists it: `die t1/wind 4`,
        /// `opened t1/british/plot/marker/1`.
        forgets: Vec<String>,
    },
    /// The game goes on from a position both agree on, whatever the rules made of it.
    Depart {
        /// Why, in words.
        reason: String,
        /// The position, as a turn file has it.
        position: Tree,
    },
    /// Nobody is expected to write for a while.
    Pause {
        /// Until when: where the terms have a clock an instant in UTC, and the days of the next step count from it; else
        /// in words.
        until: String,
        /// Why, in words.
        reason: String,
    },
    /// Another number of days after which a packet is offered to be sent again.
    Time {
        /// The days.
        resend_days: u32,
        /// Why, in words.
        reason: String,
    },
}

impl Offer {
    /// One line for people.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Offer::Concede => "to give the game up".into(),
            Offer::Draw => "a draw".into(),
            Offer::Restart { step, .. } => format!("to take back everything from step {step} on"),
            Offer::Depart { reason, .. } => format!("to go on from another position ({})", plain(reason)),
            Offer::Pause { until, reason } => format!("a pause until {} ({})", plain(until), plain(reason)),
            Offer::Time { resend_days, reason } => {
                format!("to wait {resend_days} days before a packet is sent again ({})", plain(reason))
            }
        }
    }
}

/// A signed refusal of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refuse {
    /// The file refused.
    pub file: Digest,
    /// The rule it breaks.
    pub rule: String,
}

/// What a player sends in a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFile {
    /// File version.
    pub countersign: u32,
    /// `orders`.
    pub kind: String,
    /// The game.
    pub game: Digest,
    /// The sender.
    pub seat: Seat,
    /// The step it belongs to, from 1.
    pub step: u64,
    /// Hash of the result entry that opened this step.
    pub head: Digest,
    /// Number of this file among the sender's in this step, from 1.
    pub n: u32,
    /// Hash of the sender's file before it in this step.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub prev: Option<Digest>,
    /// The newest file of each other seat in this step that the sender has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "filled")]
    pub names: BTreeMap<Seat, Digest>,
    /// Decisions, and parts of hidden choices in clear, by slot.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "filled")]
    pub answers: BTreeMap<String, Tree>,
    /// Seals, by slot.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "filled")]
    pub seals: BTreeMap<String, Digest>,
    /// Openings of earlier seals, by slot.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "filled")]
    pub opens: BTreeMap<String, Opening>,
    /// The seat's link of this step.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub link: Option<Digest>,
    /// A refusal of the other's file.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub refuse: Option<Refuse>,
    /// An offer.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub offer: Option<Offer>,
    /// Acceptance of the offer in this file of the other.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub accept: Option<Digest>,
    /// A new seed chain of the sender, from the next step on.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub chain: Option<ChainTip>,
    /// A word to the other.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub say: Option<String>,
    /// When, by the sender's clock, UTC.
    pub sent: String,
}

/// A new key asks for a seat: its owner has lost the old one, changes it, or takes the seat over. Signed by the new key; it
/// counts when the other player accepts it in the same step, from the next step on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyFile {
    /// File version.
    pub countersign: u32,
    /// `key`.
    pub kind: String,
    /// The game.
    pub game: Digest,
    /// The seat.
    pub seat: Seat,
    /// The open step.
    pub step: u64,
    /// Hash of the result entry that opened it.
    pub head: Digest,
    /// Who plays the seat from the next step on; his chain is the seat's next.
    pub who: Identity,
    /// A word to the other.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub say: Option<String>,
    /// When, by the sender's clock, UTC.
    pub sent: String,
}

/// What a host sends in a step of a hosted game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostFile {
    /// File version.
    pub countersign: u32,
    /// `close`.
    pub kind: String,
    /// The game.
    pub game: Digest,
    /// The step it closes.
    pub step: u64,
    /// Hash of the result entry that opened this step.
    pub head: Digest,
    /// Number of this file among the host's in this step, from 1.
    pub n: u32,
    /// Hash of the host's file before it in this step.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub prev: Option<Digest>,
    /// In a strict game: the newest file of each player that the host has. What he names is fixed and goes to both.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "filled")]
    pub names: BTreeMap<Seat, Digest>,
    /// In a hosted game that is not strict: the file taken from each seat.
    pub takes: BTreeMap<Seat, Digest>,
    /// Openings that fell due in the step, by slot, from what the players lodged with him.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "filled")]
    pub opens: BTreeMap<String, Opening>,
    /// The host's link of this step; none after the end of the game.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub link: Option<Digest>,
    /// Files he did not take because they are against the rules, each with the rule. They stand in the log beside the
    /// files taken, so that anyone can judge the refusal.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "filled")]
    pub refuse: Vec<Refuse>,
    /// Seats that let the time go by in which they owed something, and what follows from it by the terms.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "filled")]
    pub late: BTreeMap<Seat, Late>,
    /// When the next step is due, if this file closes the step; else the open step is due then from now on. UTC,
    /// `2026-01-05T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub due: Option<String>,
    /// Stops the clock, or lets it run again; beside it stand `due` (at the end of a pause) and `say` alone.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub pause: Option<Pause>,
    /// A word to the players.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub say: Option<String>,
    /// When, by the host's clock, UTC.
    pub sent: String,
}

impl HostFile {
    /// Whether the file of a hosted game closes its step; others put the time off or only say something.
    #[must_use]
    pub fn closes(&self) -> bool {
        self.link.is_some() || !self.opens.is_empty() || !self.takes.is_empty()
    }
}

/// What a host signs for one file of a player: taken, or refused and why. Not part of the log: it binds the host, who has to
/// take that file or a later one. Signed in the host's namespace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// File version.
    pub countersign: u32,
    /// `receipt`.
    pub kind: String,
    /// The game.
    pub game: Digest,
    /// The step.
    pub step: u64,
    /// Hash of the result entry that opened it.
    pub head: Digest,
    /// The player's file.
    pub file: Digest,
    /// The rule it breaks; missing: it is taken.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub refused: Option<String>,
    /// When, by the host's clock, UTC.
    pub at: String,
}

/// What a player lodges with the host of a hosted game beside his orders: the openings of everything sealed in them,
/// encrypted to the host's key (`schemas/protocol.md`, "A hosted step"). It never goes into the log; the host opens what
/// falls due.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lodging {
    /// File version.
    pub countersign: u32,
    /// `lodging`.
    pub kind: String,
    /// The game.
    pub game: Digest,
    /// The sender.
    pub seat: Seat,
    /// The step of the orders.
    pub step: u64,
    /// The orders file that holds the seals.
    pub file: Digest,
    /// The encapsulated key of the message (`enc` of RFC 9180).
    pub enc: Digest,
    /// Its openings, padded and encrypted; base64.
    pub ciphertext: String,
}

impl StepFile {
    /// A player's first file of a step, with nothing in it yet.
    #[must_use]
    pub fn blank(game: Digest, seat: Seat, step: u64, head: Digest) -> StepFile {
        StepFile {
            countersign: VERSION,
            kind: "orders".into(),
            game,
            seat,
            step,
            head,
            n: 1,
            prev: None,
            names: BTreeMap::new(),
            answers: BTreeMap::new(),
            seals: BTreeMap::new(),
            opens: BTreeMap::new(),
            link: None,
            refuse: None,
            offer: None,
            accept: None,
            chain: None,
            say: None,
            sent: String::new(),
        }
    }
}

/// What may be missing is left out, never `null`: one content, one spelling.
pub(super) fn there<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// The same for maps and lists, never `{}` or `[]`.
fn filled<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default + PartialEq>(
    from: D,
) -> std::result::Result<T, D::Error> {
    let value = T::deserialize(from)?;
    if value == T::default() {
        return Err(serde::de::Error::custom("this is empty; leave the whole line out"));
    }
    Ok(value)
}

/// Writes a document: one `key: value` line a field, maps one entry a line, values in JSON's spelling, which is
/// also YAML's. LF line ends, one at the end. Characters the lint refuses are written as `\u` escapes: what is signed
/// can be read again.
///
/// # Errors
/// If the type cannot be written as a map (a defect).
pub fn emit<T: Serialize>(document: &T) -> Result<String> {
    let json = serde_json::to_string(document).map_err(|e| Error::new(format!("cannot write the document: {e}")))?;
    let Tree::Map(fields) = Tree::from_json(&json)? else {
        return Err(Error::new("a document is a map of fields"));
    };
    let mut text = String::new();
    for (key, value) in fields {
        match &value {
            Tree::Map(entries) if !entries.is_empty() => {
                text.push_str(&format!("{key}:\n"));
                for (inner, value) in entries {
                    text.push_str(&format!("  {}: {}\n", Tree::Text(inner.clone()).to_json(), value.to_json()));
                }
            }
            Tree::List(items) if !items.is_empty() => {
                text.push_str(&format!("{key}:\n"));
                for item in items {
                    text.push_str(&format!("  - {}\n", item.to_json()));
                }
            }
            _ => text.push_str(&format!("{key}: {}\n", value.to_json())),
        }
    }
    Ok(super::lint::escape(&text))
}

/// The digest of what was parsed from a document: SHA-256 over the canonical JSON of the typed value. A later parser
/// that reads the same bytes otherwise is caught by it.
pub fn parsed_digest<T: Serialize>(document: &T) -> Digest {
    crate::seal::sha256(serde_json::to_string(document).unwrap_or_default().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::yaml;
    use proptest::prelude::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Note {
        say: String,
        list: Vec<String>,
        map: BTreeMap<String, Tree>,
    }

    /// One content, one spelling: what may be missing is never written as nothing.
    #[test]
    fn nothing_is_left_out_and_never_written() {
        let file = "countersign: 1\nkind: orders\ngame: \"G\"\nseat: british\nstep: 1\nhead: \"G\"\nn: 1\nsent: now\n"
            .replace('G', &"0".repeat(64));
        assert!(yaml::read::<StepFile>(&file, "f", 1 << 16).is_ok());
        for line in
            ["link: null", "prev:", "say: ~", "names: {}", "answers: {}", "seals: {}", "opens: {}", "refuse: null"]
        {
            let read = yaml::read::<StepFile>(&file.replace("sent:", &format!("{line}\nsent:")), "f", 1 << 16);
            assert!(read.is_err(), "{line}");
        }
    }

    proptest! {
        /// What is written and signed is read again as it was, whatever a player has typed into it.
        #[test]
        fn what_is_emitted_is_read(say in "(?s).{0,30}", wild in "[АСа5aя\u{a0}\u{7f}\u{85}\u{201c}'\"\\\\#:, -]{0,10}") {
            let content = Tree::Map(vec![("a".to_owned(), Tree::Text(wild.clone())), ("b".to_owned(), Tree::Null)]);
            let map = BTreeMap::from([("t1/plot".to_owned(), content), (format!("x{wild}"), Tree::List(vec![Tree::Int(-3)]))]);
            let note = Note { say: say.clone(), list: vec![wild, say], map };
            let text = emit(&note).unwrap();
            prop_assert_eq!(yaml::read::<Note>(&text, "f", 1 << 16), Ok(note), "{}", text);
        }
    }
}
