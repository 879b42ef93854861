//! What travels as text: strict YAML, signed files, packets.

mod files;
mod packet;
mod signed;
mod tree;
pub mod yaml;

pub use files::{
    Acceptance, ChainTip, HostFile, Identity, Mode, Offer, Proposal, Refuse, SecretRow, StepFile, VERSION, emit,
    parsed_digest,
};
pub use packet::Packet;
pub use signed::SignedFile;
pub use tree::Tree;
