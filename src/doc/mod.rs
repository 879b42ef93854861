//! What travels as text: strict YAML, signed files, packets.

mod clock;
mod emitted;
mod excerpt;
mod files;
mod label;
pub mod lint;
pub mod map;
mod packet;
pub mod place;
mod profile;
mod reword;
mod scan;
mod signed;
pub mod suggest;
mod tree;
pub mod yaml;

pub use clock::{Clock, DAY, HOUR, Late, Pause, instant, instant_text, minutes};
pub use emitted::read_emitted;
pub use files::{
    Acceptance, ChainTip, HostFile, Identity, KeyFile, Lodging, Mode, Offer, Proposal, Receipt, Refuse, SecretRow,
    StepFile, VERSION, emit, parsed_digest,
};
pub use label::Label;
pub use packet::Packet;
pub use reword::in_plain_words;
pub use signed::SignedFile;
pub use tree::Tree;
