//! The one hash function, with tags and lengths.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 value. Written as 64 lower-case hexadecimal characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The first eight hexadecimal characters, for people.
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string().chars().take(8).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Digest {
    type Err = String;
    fn from_str(s: &str) -> Result<Digest, String> {
        let bad = || format!("`{}` is no hash: 64 characters 0-9 and a-f", s.chars().take(80).collect::<String>());
        if s.len() != 64 || !s.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(bad());
        }
        let mut out = [0u8; 32];
        for (at, byte) in out.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&s[at * 2..at * 2 + 2], 16).map_err(|_| bad())?;
        }
        Ok(Digest(out))
    }
}

impl TryFrom<String> for Digest {
    type Error = String;
    fn try_from(s: String) -> Result<Digest, String> {
        s.parse()
    }
}

impl From<Digest> for String {
    fn from(d: Digest) -> String {
        d.to_string()
    }
}

/// Plain SHA-256.
#[must_use]
pub fn sha256(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// `H(tag, fields...)`: SHA-256 over the tag, a zero byte, and each field with its length before it as eight bytes,
/// most significant first.
pub struct Hasher(Sha256);

impl Hasher {
    /// Starts with a tag. No tag of the protocol is a prefix of another.
    #[must_use]
    pub fn new(tag: &str) -> Hasher {
        let mut sha = Sha256::new();
        sha.update(tag.as_bytes());
        sha.update([0]);
        Hasher(sha)
    }

    /// Adds a field of bytes.
    #[must_use]
    pub fn bytes(mut self, field: &[u8]) -> Hasher {
        self.0.update((field.len() as u64).to_be_bytes());
        self.0.update(field);
        self
    }

    /// Adds a field of text.
    #[must_use]
    pub fn text(self, field: &str) -> Hasher {
        self.bytes(field.as_bytes())
    }

    /// Adds an integer field: eight bytes, most significant first.
    #[must_use]
    pub fn int(self, field: u64) -> Hasher {
        self.bytes(&field.to_be_bytes())
    }

    /// Adds a hash as a field of 32 bytes.
    #[must_use]
    pub fn digest(self, field: &Digest) -> Hasher {
        self.bytes(&field.0)
    }

    /// The hash.
    #[must_use]
    pub fn done(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From Python: hashlib.sha256(b"die\0" + struct.pack(">Q", 3) + b"abc" + struct.pack(">Q", 8) + struct.pack(">Q", 7))
    #[test]
    fn tagged_hash_known_answer() {
        let h = Hasher::new("die").text("abc").int(7).done();
        assert_eq!(h.to_string(), "58c6807f3c6494bd001869b86c34d5ff8097692a56c9819685d05232d6a10fee");
    }

    #[test]
    fn a_hash_is_read_strictly() {
        let h = sha256(b"");
        assert_eq!(h.to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(h.to_string().parse::<Digest>().unwrap(), h);
        for bad in [&h.to_string().to_uppercase(), "", &h.to_string()[1..], "é"] {
            assert!(bad.parse::<Digest>().is_err(), "{bad}");
        }
    }
}
