//! Cryptography, nothing else: hashes, keys, signatures, seed chains, seals, encryption to a host and dice (`schemas/protocol.md`).
//!
//! Nothing here asks the operating system for anything; randomness is passed in.

mod armor;
mod chain;
mod commit;
mod dice;
mod digest;
pub mod hpke;
mod keys;
mod sshsig;
mod words;

pub use armor::{Block, armor, find_blocks};
pub use chain::{Chain, ChainStart, LENGTH as CHAIN_LENGTH, check_link};
pub use commit::{Opening, private_seed, salt, seal};
pub use dice::{Roll, die_key, face, step_seed};
pub use digest::{Digest, Hasher, sha256};
pub use hpke::{LodgedFor, LodgingKey, LodgingSecret};
pub use keys::{PublicKey, Root, SecretKey};
pub use sshsig::{Namespace, Signature, SignatureFault};
pub use words::twelve_words;
