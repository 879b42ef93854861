//! What is for the host alone: encryption to his key by HPKE (RFC 9180, base mode: DHKEM(X25519, HKDF-SHA256),
//! HKDF-SHA256, ChaCha20-Poly1305), one message a key.
//!
//! Keys and the sender's one random value derive from the master secrets of the seats, so nothing new has to be kept and
//! nothing is asked of the operating system.

use std::fmt;

use curve25519_dalek::montgomery::MontgomeryPoint;
use curve25519_dalek::scalar::Scalar;
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::rand_core::{TryCryptoRng, TryRng};
use hpke::{Deserializable, Kem, OpModeR, OpModeS, Serializable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::digest::{Digest, Hasher};
use super::keys::Root;
use crate::side::Seat;

/// Bytes by which a ciphertext is longer than what is in it: the tag of Poly1305.
pub const TAG: usize = 16;

/// The prime of the field, 2^255 - 19, most significant byte first.
const PRIME: [u8; 32] = {
    let mut p = [0xff; 32];
    (p[0], p[31]) = (0x7f, 0xed);
    p
};

/// A host's public X25519 key, as the terms name it: canonical and not of small order, else it is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Digest", into = "Digest")]
#[schemars(with = "String")]
pub struct LodgingKey([u8; 32]);

impl TryFrom<Digest> for LodgingKey {
    type Error = &'static str;

    /// Of each point one spelling is taken (RFC 7748 would take others for the same), and none with which every secret
    /// is zero: anybody could read what is encrypted to it.
    fn try_from(Digest(bytes): Digest) -> Result<LodgingKey, &'static str> {
        if bytes.iter().rev().ge(PRIME.iter()) {
            return Err("this key of the host's is not in canonical form");
        }
        let eightfold = MontgomeryPoint(bytes) * Scalar::from(8u8);
        if eightfold.to_bytes() == [0; 32] {
            return Err("this key of the host's is of small order");
        }
        Ok(LodgingKey(bytes))
    }
}

impl From<LodgingKey> for Digest {
    fn from(key: LodgingKey) -> Digest {
        Digest(key.0)
    }
}

/// The secret half of a [`LodgingKey`].
pub struct LodgingSecret(<X25519HkdfSha256 as Kem>::PrivateKey);

impl fmt::Debug for LodgingSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LodgingSecret(secret)")
    }
}

impl LodgingSecret {
    /// The host's at a table: RFC 9180's `DeriveKeyPair` of `H("lodging-key", root, table)`.
    #[must_use]
    pub fn new(root: &Root, table: &Digest) -> LodgingSecret {
        let Digest(mut ikm) = Hasher::new("lodging-key").bytes(&root.0).digest(table).done();
        let secret = LodgingSecret(X25519HkdfSha256::derive_keypair(&ikm).0);
        ikm.zeroize();
        secret
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> LodgingKey {
        LodgingKey(X25519HkdfSha256::sk_to_pk(&self.0).to_bytes().into())
    }
}

/// What a lodging is bound to, beside its sender's signature: nobody can hand it in for another file, step, seat or game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LodgedFor {
    /// The game.
    pub game: Digest,
    /// The seat whose file it is.
    pub seat: Seat,
    /// The step of the file.
    pub step: u64,
    /// The hash of the file.
    pub file: Digest,
}

impl LodgedFor {
    /// HPKE's `info`: `H("lodging", game, seat, step)`.
    fn info(&self) -> [u8; 32] {
        Hasher::new("lodging").digest(&self.game).text(self.seat.word()).int(self.step).done().0
    }
}

/// Encrypts to a host. Returns the encapsulated key (`enc`) and the ciphertext, [`TAG`] bytes longer than `plain`.
///
/// The key pair of the message is `DeriveKeyPair` of `H("lodging-once", root, host's key, game, seat, step, file, plain)`:
/// as secret as the root, the same only if all of the message is, so that no key ever serves two messages.
///
/// `None` if the key is of small order, which a [`LodgingKey`] is not.
#[must_use]
pub fn encrypt(root: &Root, to: &LodgingKey, bound: &LodgedFor, plain: &[u8]) -> Option<([u8; 32], Vec<u8>)> {
    let place = Hasher::new("lodging-once").bytes(&root.0).bytes(&to.0).digest(&bound.game).text(bound.seat.word());
    let Digest(ikm) = place.int(bound.step).digest(&bound.file).bytes(plain).done();
    seal(to, &bound.info(), &bound.file.0, plain, ikm)
}

/// Decrypts what was lodged with a host; `None` if it is not for this key and place, or not a byte as it was.
#[must_use]
pub fn decrypt(
    secret: &LodgingSecret,
    bound: &LodgedFor,
    enc: &[u8; 32],
    ciphertext: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    open(secret, &bound.info(), &bound.file.0, enc, ciphertext)
}

/// `SealBase` of RFC 9180, 6.1, with the `ikm` of the ephemeral key given.
fn seal(to: &LodgingKey, info: &[u8], aad: &[u8], plain: &[u8], ikm: [u8; 32]) -> Option<([u8; 32], Vec<u8>)> {
    let to = <X25519HkdfSha256 as Kem>::PublicKey::from_bytes(&to.0).ok()?;
    let (enc, ciphertext) = hpke::single_shot_seal_with_rng::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
        &OpModeS::Base,
        &to,
        info,
        plain,
        aad,
        &mut Given(ikm),
    )
    .ok()?;
    Some((enc.to_bytes().into(), ciphertext))
}

/// `OpenBase` of RFC 9180, 6.1.
fn open(secret: &LodgingSecret, info: &[u8], aad: &[u8], enc: &[u8; 32], text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let enc = <X25519HkdfSha256 as Kem>::EncappedKey::from_bytes(enc).ok()?;
    hpke::single_shot_open::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
        &OpModeR::Base,
        &secret.0,
        &enc,
        info,
        text,
        aad,
    )
    .ok()
    .map(Zeroizing::new)
}

/// Hands the crate the one value it asks for: the `ikm` of the ephemeral key, 32 bytes (RFC 9180, 4.1, 7.1.3). Were it to
/// ask for more, each further block is a hash of the one before.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Given([u8; 32]);

impl TryRng for Given {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut four = [0; 4];
        self.try_fill_bytes(&mut four)?;
        Ok(u32::from_le_bytes(four))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut eight = [0; 8];
        self.try_fill_bytes(&mut eight)?;
        Ok(u64::from_le_bytes(eight))
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Self::Error> {
        for part in to.chunks_mut(32) {
            part.copy_from_slice(&self.0[..part.len()]);
            self.0 = Hasher::new("lodging-more").bytes(&self.0).done().0;
        }
        Ok(())
    }
}

impl TryCryptoRng for Given {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::SecretKey;

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
    }

    fn array(hex: &str) -> [u8; 32] {
        bytes(hex).try_into().unwrap()
    }

    /// RFC 9180, A.2.1: base mode of this suite, first message.
    #[test]
    fn the_vector_of_the_rfc() {
        let (secret, public) = X25519HkdfSha256::derive_keypair(&bytes(
            "1ac01f181fdf9f352797655161c58b75c656a6cc2716dcb66372da835542e1df",
        ));
        let public: [u8; 32] = public.to_bytes().into();
        assert_eq!(public, array("4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a"));
        let to = LodgingKey::try_from(Digest(public)).unwrap();
        let info = bytes("4f6465206f6e2061204772656369616e2055726e");
        let (aad, plain) = (b"Count-0", b"Beauty is truth, truth beauty");
        let ikm = array("909a9b35d3dc4713a5e72a4da274b55d3d3821a37e5d099e74a647db583a904b");
        let (enc, text) = seal(&to, &info, aad, plain, ikm).unwrap();
        assert_eq!(enc, array("1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"));
        let stated = "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28";
        assert_eq!(text, bytes(stated));
        assert_eq!(**open(&LodgingSecret(secret), &info, aad, &enc, &text).unwrap(), plain[..]);
    }

    fn bound() -> LodgedFor {
        LodgedFor { game: Digest([1; 32]), seat: Seat::British, step: 3, file: Digest([9; 32]) }
    }

    #[test]
    fn only_the_host_it_is_for_opens_it_and_only_in_its_place() {
        let (root, table) = (SecretKey::from_seed([4; 32]).root(), Digest([8; 32]));
        let host = |seed: u8, table| LodgingSecret::new(&SecretKey::from_seed([seed; 32]).root(), table);
        let secret = host(6, &table);
        let (enc, text) = encrypt(&root, &secret.public(), &bound(), b"left, right").unwrap();
        assert_eq!(text.len(), 11 + TAG);
        assert_eq!(**decrypt(&secret, &bound(), &enc, &text).unwrap(), b"left, right"[..]);
        assert!(decrypt(&host(7, &table), &bound(), &enc, &text).is_none());
        assert!(decrypt(&host(6, &Digest([9; 32])), &bound(), &enc, &text).is_none(), "each table has its key");
        for other in [
            LodgedFor { game: Digest([2; 32]), ..bound() },
            LodgedFor { seat: Seat::American, ..bound() },
            LodgedFor { step: 4, ..bound() },
            LodgedFor { file: Digest([10; 32]), ..bound() },
        ] {
            assert!(decrypt(&secret, &other, &enc, &text).is_none(), "{other:?}");
        }
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_refused() {
        let (root, table) = (SecretKey::from_seed([4; 32]).root(), Digest([8; 32]));
        let secret = LodgingSecret::new(&root, &table);
        let (enc, text) = encrypt(&root, &secret.public(), &bound(), b"left").unwrap();
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed[at] ^= 1;
            assert!(decrypt(&secret, &bound(), &enc, &changed).is_none(), "byte {at}");
            assert!(decrypt(&secret, &bound(), &enc, &text[..at]).is_none(), "cut at {at}");
        }
        assert!(decrypt(&secret, &bound(), &enc, &[&text[..], b"x"].concat()).is_none());
        // The top bit of `enc` is not read by X25519, but the key of the message hangs on it all the same.
        for at in 0..32 {
            for bit in [1, 0x80] {
                let mut changed = enc;
                changed[at] ^= bit;
                assert!(decrypt(&secret, &bound(), &changed, &text).is_none(), "byte {at} of enc");
            }
        }
        for zero in [[0; 32], array(ORDER_EIGHT[0]), array(ORDER_EIGHT[1])] {
            assert!(decrypt(&secret, &bound(), &zero, &text).is_none(), "a secret of zeros");
        }
    }

    /// No two messages have a key in common, and the same message is the same bytes.
    #[test]
    fn the_key_of_a_message_hangs_on_all_of_it() {
        let root = |seed: u8| SecretKey::from_seed([seed; 32]).root();
        let host = |seed: u8| LodgingSecret::new(&root(seed), &Digest([8; 32])).public();
        let other = |change: &dyn Fn(&mut LodgedFor)| {
            let mut place = bound();
            change(&mut place);
            encrypt(&root(4), &host(6), &place, b"left").unwrap().0
        };
        let all = [
            other(&|_| ()),
            encrypt(&root(5), &host(6), &bound(), b"left").unwrap().0,
            encrypt(&root(4), &host(7), &bound(), b"left").unwrap().0,
            encrypt(&root(4), &host(6), &bound(), b"lefs").unwrap().0,
            other(&|b| b.game = Digest([2; 32])),
            other(&|b| b.seat = Seat::American),
            other(&|b| b.step = 4),
            other(&|b| b.file = Digest([2; 32])),
        ];
        for (n, enc) in all.iter().enumerate() {
            assert!(!all[..n].contains(enc), "{n}");
        }
        assert_eq!(all[0], other(&|_| ()));
    }

    /// The points of order 8 (RFC 7748, section 7, speaks of the set), least significant byte first.
    const ORDER_EIGHT: [&str; 2] = [
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    ];

    #[test]
    fn no_key_is_read_that_is_of_small_order_or_written_a_second_way() {
        let good = LodgingSecret::new(&SecretKey::from_seed([6; 32]).root(), &Digest([8; 32])).public();
        assert_eq!(LodgingKey::try_from(Digest::from(good)), Ok(good));
        let small = |bytes| LodgingKey::try_from(Digest(bytes)).unwrap_err().contains("small order");
        let mut minus_one = PRIME;
        minus_one.reverse();
        minus_one[0] -= 1;
        let mut one = [0; 32];
        one[0] = 1;
        assert!(small([0; 32]) && small(one) && small(minus_one));
        assert!(ORDER_EIGHT.iter().all(|hex| small(array(hex))));
        // The prime and all above it: 0 to 18 written a second way, and every key with the top bit set.
        for more in 0..19u8 {
            let mut bytes = PRIME;
            bytes.reverse();
            bytes[0] += more;
            assert!(LodgingKey::try_from(Digest(bytes)).unwrap_err().contains("canonical"), "{more}");
        }
        let mut high = Digest::from(good).0;
        high[31] |= 0x80;
        assert!(LodgingKey::try_from(Digest(high)).unwrap_err().contains("canonical"));
        let json =
            |bytes: [u8; 32]| serde_json::from_str::<LodgingKey>(&serde_json::to_string(&Digest(bytes)).unwrap());
        assert!(json(Digest::from(good).0).is_ok() && json(one).is_err());
        assert!(serde_json::from_str::<LodgingKey>("\"00ff\"").is_err(), "32 bytes");
    }
}
