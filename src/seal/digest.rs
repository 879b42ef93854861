//! The one hash function, with tags and lengths.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// A SHA-256 value. Written as 64 lower-case hexadecimal characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String")]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Its 64 characters.
    fn hex(&self) -> [u8; 64] {
        let mut out = [0; 64];
        for (pair, byte) in out.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
        out
    }

    /// The first eight hexadecimal characters, for people.
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string().chars().take(8).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.hex()).unwrap_or_default())
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
        let pairs: &[u8; 64] = s.as_bytes().try_into().map_err(|_| bad())?;
        let (mut out, mut wrong) = ([0u8; 32], 0);
        for (byte, pair) in out.iter_mut().zip(pairs.chunks_exact(2)) {
            for c in pair {
                let value = NIBBLES[usize::from(*c)];
                wrong |= value;
                *byte = *byte << 4 | value & 15;
            }
        }
        if wrong > 15 { Err(bad()) } else { Ok(Digest(out)) }
    }
}

/// The value of each hexadecimal digit in lower case; 255 for every other byte.
const NIBBLES: [u8; 256] = {
    let mut out = [255; 256];
    let mut value = 0;
    while value < 16 {
        out[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    out
};

impl From<Digest> for String {
    fn from(d: Digest) -> String {
        d.to_string()
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(std::str::from_utf8(&self.hex()).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Digest, D::Error> {
        // First a string, then a hash: a reader names the same place for a wrong hash as for any wrong value.
        from.deserialize_string(HexVisitor)?.map_err(de::Error::custom)
    }
}

struct HexVisitor;

impl Visitor<'_> for HexVisitor {
    type Value = Result<Digest, String>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.parse())
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
        for bad in [&h.to_string().to_uppercase(), "", &h.to_string()[1..], "é", &"é".repeat(32), &"+1".repeat(32)] {
            assert!(bad.parse::<Digest>().is_err(), "{bad}");
        }
    }

    /// Each byte against the formatter of the standard library, each character in each place of a byte.
    #[test]
    fn every_byte_has_its_two_characters_and_no_others() {
        for byte in 0..=u8::MAX {
            let digest = Digest([byte; 32]);
            assert_eq!(digest.to_string(), format!("{byte:02x}").repeat(32));
            assert_eq!(
                serde_json::to_string(&digest).unwrap(),
                format!("\"{byte:02x}\"").replace(&format!("{byte:02x}"), &format!("{byte:02x}").repeat(32))
            );
            assert_eq!(digest.to_string().parse(), Ok(digest));
            let c = char::from(byte);
            for pair in [format!("{c}0"), format!("0{c}")] {
                let good = matches!(c, '0'..='9' | 'a'..='f');
                assert_eq!((pair.clone() + &"0".repeat(62)).parse::<Digest>().is_ok(), good, "{pair}");
            }
        }
    }

    /// As a derived `try_from = "String"` would say it.
    #[test]
    fn what_is_no_hash_is_refused_in_the_same_words() {
        let fault = |json: &str| serde_json::from_str::<Digest>(json).unwrap_err().to_string();
        assert_eq!(fault("5"), "invalid type: integer `5`, expected a string at line 1 column 1");
        assert!(fault("\"ab\"").starts_with("`ab` is no hash: 64 characters 0-9 and a-f"));
        assert!(fault("null").starts_with("invalid type: null, expected a string"));
    }
}
