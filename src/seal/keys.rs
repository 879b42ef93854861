//! Ed25519 keys in OpenSSH's formats.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use curve25519_dalek::edwards::CompressedEdwardsY;
use ed25519_dalek::{SigningKey, VerifyingKey};
use ssh_key::private::{Ed25519Keypair, KeypairData};
use ssh_key::{LineEnding, PrivateKey};
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::digest::{Digest, Hasher};
use crate::error::{Error, Result};

const KIND: &str = "ssh-ed25519";

/// What stands before the key in its wire form: the kind with its length, the length of the key.
const HEAD: &[u8] = b"\0\0\0\x0bssh-ed25519\0\0\0\x20";

/// A public key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicKey(pub [u8; 32]);

impl PublicKey {
    /// Reads `ssh-ed25519 AAAA... [comment]`.
    ///
    /// # Errors
    /// If it is another kind of key or no key at all.
    pub fn parse(line: &str) -> Result<PublicKey> {
        let mut words = line.split_ascii_whitespace();
        let (kind, body) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if kind != KIND {
            return Err(Error::new(format!("`{kind}` is no key this game can use"))
                .next("give an Ed25519 key: a line that begins with `ssh-ed25519`"));
        }
        let blob = STANDARD.decode(body).map_err(|_| Error::new("the key after `ssh-ed25519` is damaged"))?;
        let (head, key) = blob.split_at_checked(HEAD.len()).unwrap_or((&[], &[]));
        let key: [u8; 32] = key.try_into().map_err(|_| Error::new("the key after `ssh-ed25519` has a wrong length"))?;
        if head != HEAD {
            return Err(Error::new("the key after `ssh-ed25519` is of another kind inside"));
        }
        Ok(PublicKey(key))
    }

    /// Reads the wire form; nothing else is taken.
    pub(super) fn from_blob(blob: &[u8]) -> Option<PublicKey> {
        blob.strip_prefix(HEAD).and_then(|key| key.try_into().ok()).map(PublicKey)
    }

    /// The wire form: kind and key, each with its length.
    #[must_use]
    pub fn blob(&self) -> Vec<u8> {
        [HEAD, &self.0[..]].concat()
    }

    /// The key as one line without a comment.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{KIND} {}", STANDARD.encode(self.blob()))
    }

    /// The fingerprint as `ssh-keygen -l` prints it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let hash = super::digest::sha256(&self.blob());
        format!("SHA256:{}", STANDARD.encode(hash.0).trim_end_matches('='))
    }

    /// Whether the key may take a seat: canonical, not of small order, free of torsion. Other keys let one signature
    /// fit two messages or make two verifiers disagree.
    ///
    /// # Errors
    /// Which of the three it is not.
    pub fn admit(&self) -> Result<()> {
        let refuse = |why: &str| {
            Err(Error::new(format!("this key is {why} and may not take a seat"))
                .next("make a new key: `countersign key new`"))
        };
        let Some(point) = CompressedEdwardsY(self.0).decompress() else {
            return refuse("no point of the curve");
        };
        if point.compress().0 != self.0 {
            return refuse("not in canonical form");
        }
        if point.is_small_order() {
            return refuse("of small order");
        }
        if !point.is_torsion_free() {
            return refuse("not free of torsion");
        }
        Ok(())
    }

    pub(super) fn verifying(&self) -> Option<VerifyingKey> {
        VerifyingKey::from_bytes(&self.0).ok()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())
    }
}

/// The master secret of a seat, from which its chains and salts derive.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Root(pub(super) [u8; 32]);

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Root(secret)")
    }
}

/// A secret key.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SecretKey([u8; 32]);

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(secret)")
    }
}

impl SecretKey {
    /// A key from its 32 seed bytes.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> SecretKey {
        SecretKey(seed)
    }

    pub(super) fn signing(&self) -> SigningKey {
        SigningKey::from_bytes(&self.0)
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.signing().verifying_key().to_bytes())
    }

    /// The master secret: `H("root", seed)`.
    #[must_use]
    pub fn root(&self) -> Root {
        let Digest(bytes) = Hasher::new("root").bytes(&self.0).done();
        Root(bytes)
    }

    /// Reads an OpenSSH private-key file. `passphrase` is asked only if the file is encrypted.
    ///
    /// # Errors
    /// If the file is no Ed25519 key, or the passphrase is missing or wrong.
    pub fn from_openssh(text: &str, passphrase: impl FnOnce() -> Result<String>) -> Result<SecretKey> {
        let key = PrivateKey::from_openssh(text).map_err(|e| {
            Error::new(format!("this is no OpenSSH private key: {e}")).next("make one with `countersign key new`")
        })?;
        let key = if key.is_encrypted() {
            let mut phrase = passphrase()?;
            let opened = key.decrypt(&phrase);
            phrase.zeroize();
            opened.map_err(|_| Error::new("the passphrase does not fit this key"))?
        } else {
            key
        };
        match key.key_data() {
            KeypairData::Ed25519(pair) => Ok(SecretKey(pair.private.to_bytes())),
            other => {
                let kind = other.algorithm().map_or_else(|_| "another kind".to_owned(), |a| a.to_string());
                Err(Error::new(format!("this is a key of kind {kind}; the game needs ssh-ed25519")))
            }
        }
    }

    /// Writes an OpenSSH private-key file, encrypted if there is a passphrase (bcrypt and aes256-ctr, as `ssh-keygen`
    /// does). `random` fills a buffer with random bytes.
    ///
    /// # Errors
    /// If the encoding fails.
    pub fn to_openssh(
        &self,
        comment: &str,
        passphrase: Option<&str>,
        random: &mut dyn FnMut(&mut [u8]),
    ) -> Result<String> {
        let fail = |e: ssh_key::Error| Error::new(format!("cannot write the key: {e}"));
        let pair = [self.0, self.public().0].concat().try_into().unwrap_or([0; 64]);
        let pair = Ed25519Keypair::from_bytes(&pair).map_err(fail)?;
        let key = PrivateKey::new(KeypairData::Ed25519(pair), comment).map_err(fail)?;
        let key = match passphrase {
            None => key,
            Some(phrase) => {
                let mut salt = vec![0u8; 16];
                random(&mut salt);
                let mut check = [0u8; 4];
                random(&mut check);
                let kdf = ssh_key::Kdf::Bcrypt { salt, rounds: 16 };
                key.encrypt_with(ssh_key::Cipher::Aes256Ctr, kdf, u32::from_be_bytes(check), phrase).map_err(fail)?
            }
        };
        Ok(key.to_openssh(LineEnding::LF).map_err(fail)?.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(buffer: &mut [u8]) {
        buffer.fill(7);
    }

    #[test]
    fn a_key_file_round_trips_with_and_without_passphrase() {
        let key = SecretKey::from_seed([3; 32]);
        let plain = key.to_openssh("bob", None, &mut random).unwrap();
        let never = || Err(Error::new("asked"));
        assert_eq!(SecretKey::from_openssh(&plain, never).unwrap().public(), key.public());
        let locked = key.to_openssh("bob", Some("correct horse"), &mut random).unwrap();
        let open = |phrase: &str| SecretKey::from_openssh(&locked, || Ok(phrase.to_owned()));
        assert_eq!(open("correct horse").unwrap().public(), key.public());
        assert!(open("battery staple").unwrap_err().what.contains("passphrase"));
        assert!(SecretKey::from_openssh(&locked, never).unwrap_err().what.contains("asked"));
        assert!(SecretKey::from_openssh("hello", never).is_err());
    }

    #[test]
    fn small_order_mixed_and_uncanonical_keys_take_no_seat() {
        use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
        assert!(SecretKey::from_seed([1; 32]).public().admit().is_ok());
        for point in EIGHT_TORSION {
            assert!(PublicKey(point.compress().0).admit().is_err());
            if point != EIGHT_TORSION[0] {
                let mixed = ED25519_BASEPOINT_POINT + point;
                assert!(PublicKey(mixed.compress().0).admit().unwrap_err().what.contains("torsion"));
            }
        }
        let mut uncanonical = [0xff; 32]; // y = p + 1, the identity written a second way
        uncanonical[0] = 0xee;
        uncanonical[31] = 0x7f;
        assert!(PublicKey(uncanonical).admit().is_err());
    }

    #[test]
    fn a_public_key_line_round_trips_and_others_are_refused() {
        let key = SecretKey::from_seed([9; 32]).public();
        assert_eq!(PublicKey::parse(&format!("{} bob@home", key.line())).unwrap(), key);
        for bad in ["", "ssh-rsa AAAA", "ssh-ed25519", "ssh-ed25519 !!!!", "ssh-ed25519 AAAA"] {
            assert!(PublicKey::parse(bad).is_err(), "{bad}");
        }
    }
}
