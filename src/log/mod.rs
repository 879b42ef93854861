//! The log: terms, the life of a step, the history of a game, and its verification (`schemas/protocol.md`).

mod agree;
mod close;
mod entry;
mod fault;
mod history;
mod host;
mod hosted;
mod keys;
mod lodging;
mod player;
mod protocol;
mod receipt;
mod relay;
mod standing;
pub mod step;
mod strict;
mod talk;
mod terms;
mod time;
mod verify;

pub use agree::{Agreement, Matter};
pub use entry::{Entry, FileEntry, Lines, ResultEntry};
pub use fault::{Fault, Kind};
pub use history::{Closed, End, History, HostPost, OpenSeal, Post, read_host_file, read_step};
pub use host::HostWords;
pub use hosted::Choice;
pub use keys::{KeyPost, read_key_file};
pub use lodging::{cannot_be_opened, read_lodging};
pub use player::{Intent, Outgoing, Player, Secrets, all_files, own_post};
pub use protocol::{Protocol, check_protocol};
pub use receipt::{Refused, read_receipt, refusals};
pub use terms::{SeatTerms, Terms, player_name, read_acceptance, read_proposal, suits};
pub use verify::{Verified, history_at, verify, verify_with};
