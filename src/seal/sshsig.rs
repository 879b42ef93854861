//! SSHSIG, OpenSSH's signature over a file, in the one form this protocol takes.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::Signer as _;
use sha2::{Digest as _, Sha512};

use super::keys::{PublicKey, SecretKey};

const MAGIC: &[u8; 6] = b"SSHSIG";
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";

/// What kind of file a signature is for; a signature of one kind is none of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Namespace {
    /// Proposals and acceptances.
    Terms,
    /// Step files of players.
    Orders,
    /// Step files and receipts of a host.
    Host,
    /// Admission of a new key.
    Key,
}

impl Namespace {
    /// All four.
    pub const ALL: [Namespace; 4] = [Namespace::Terms, Namespace::Orders, Namespace::Host, Namespace::Key];

    /// The namespace as `ssh-keygen -n` takes it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Namespace::Terms => "terms@countersign",
            Namespace::Orders => "orders@countersign",
            Namespace::Host => "host@countersign",
            Namespace::Key => "key@countersign",
        }
    }
}

/// Why a signature does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureFault {
    /// Not an SSHSIG block.
    Malformed(&'static str),
    /// Made by a kind of key other than ssh-ed25519.
    KeyKind,
    /// Over a hash other than SHA-512.
    HashKind(String),
    /// For another kind of file.
    Namespace(String),
    /// By another key than the seat's.
    WrongKey(PublicKey),
    /// Does not fit the bytes.
    Bad,
}

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureFault::Malformed(what) => write!(f, "the signature block is damaged: {what}"),
            SignatureFault::KeyKind => f.write_str("the signature is not by an ssh-ed25519 key"),
            SignatureFault::HashKind(h) => write!(f, "the signature uses the hash `{h}`; only sha512 is taken"),
            SignatureFault::Namespace(n) => write!(f, "the signature is for `{n}`, another kind of file"),
            SignatureFault::WrongKey(k) => write!(f, "the signature is by another key ({})", k.fingerprint()),
            SignatureFault::Bad => f.write_str("the signature does not fit the text: it was changed after signing"),
        }
    }
}

/// A decoded signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    key: PublicKey,
    namespace: String,
    signature: [u8; 64],
}

impl Signature {
    /// Signs the exact bytes of a document.
    #[must_use]
    pub fn sign(key: &SecretKey, namespace: Namespace, document: &[u8]) -> Signature {
        let message = signed_bytes(namespace.text(), document);
        Signature {
            key: key.public(),
            namespace: namespace.text().to_owned(),
            signature: key.signing().sign(&message).to_bytes(),
        }
    }

    /// The kind of file it claims to be for.
    #[must_use]
    pub fn is_for(&self, namespace: Namespace) -> bool {
        self.namespace == namespace.text()
    }

    /// The key the block claims.
    #[must_use]
    pub fn key(&self) -> PublicKey {
        self.key
    }

    /// Checks the signature of a seat's key over the exact bytes of a document.
    ///
    /// # Errors
    /// The first reason it does not count.
    pub fn verify(&self, key: &PublicKey, namespace: Namespace, document: &[u8]) -> Result<(), SignatureFault> {
        if self.namespace != namespace.text() {
            return Err(SignatureFault::Namespace(self.namespace.clone()));
        }
        if self.key != *key {
            return Err(SignatureFault::WrongKey(self.key));
        }
        let verifying = key.verifying().ok_or(SignatureFault::Bad)?;
        let signature = ed25519_dalek::Signature::from_bytes(&self.signature);
        verifying.verify_strict(&signed_bytes(&self.namespace, document), &signature).map_err(|_| SignatureFault::Bad)
    }

    /// Whether it is a whole signature over these exact bytes, of the kind of file and by the key it claims itself.
    /// This tells bytes that arrived unharmed from others; whose key it is, and whether it may, it does not tell.
    #[must_use]
    pub fn fits(&self, document: &[u8]) -> bool {
        Namespace::ALL.iter().any(|n| self.is_for(*n) && self.verify(&self.key, *n, document).is_ok())
    }

    /// The binary form, as it is hashed and stored in logs.
    #[must_use]
    pub fn blob(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(1u32.to_be_bytes());
        put(&mut out, &self.key.blob());
        put(&mut out, self.namespace.as_bytes());
        put(&mut out, b"");
        put(&mut out, b"sha512");
        let mut inner = Vec::new();
        put(&mut inner, b"ssh-ed25519");
        put(&mut inner, &self.signature);
        put(&mut out, &inner);
        out
    }

    /// Reads the binary form, strictly: one key kind, one hash, nothing reserved, nothing behind.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_blob(blob: &[u8]) -> Result<Signature, SignatureFault> {
        let bad = SignatureFault::Malformed;
        let mut rest = blob.strip_prefix(&MAGIC[..]).ok_or(bad("it is no SSHSIG"))?;
        rest = rest.strip_prefix(&1u32.to_be_bytes()[..]).ok_or(bad("it is of another version"))?;
        let key_blob = take(&mut rest).ok_or(bad("it is cut off"))?;
        let namespace = take(&mut rest).ok_or(bad("it is cut off"))?;
        let reserved = take(&mut rest).ok_or(bad("it is cut off"))?;
        let hash = take(&mut rest).ok_or(bad("it is cut off"))?;
        let mut inner = take(&mut rest).ok_or(bad("it is cut off"))?;
        let kind = take(&mut inner).ok_or(bad("it is cut off"))?;
        let signature = take(&mut inner).ok_or(bad("it is cut off"))?;
        if kind != b"ssh-ed25519" {
            return Err(SignatureFault::KeyKind);
        }
        if hash != b"sha512" {
            return Err(SignatureFault::HashKind(String::from_utf8_lossy(hash).into_owned()));
        }
        if !reserved.is_empty() || !rest.is_empty() || !inner.is_empty() {
            return Err(bad("something stands where nothing may"));
        }
        let key = PublicKey::from_blob(key_blob).ok_or(SignatureFault::KeyKind)?;
        let namespace = String::from_utf8(namespace.to_vec()).map_err(|_| bad("its namespace is no text"))?;
        let signature = signature.try_into().map_err(|_| bad("its length is wrong"))?;
        Ok(Signature { key, namespace, signature })
    }

    /// The block as `ssh-keygen -Y sign` writes it.
    #[must_use]
    pub fn armor(&self) -> String {
        let body = STANDARD.encode(self.blob());
        let mut out = format!("{BEGIN}\n");
        let mut rest = body.as_str();
        while !rest.is_empty() {
            let (line, more) = rest.split_at(rest.len().min(70));
            out.push_str(line);
            out.push('\n');
            rest = more;
        }
        out + END + "\n"
    }

    /// Reads such a block; it has to be written as [`Signature::armor`] or `ssh-keygen` writes it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_armor(text: &str) -> Result<Signature, SignatureFault> {
        let bad = SignatureFault::Malformed;
        let inner =
            text.strip_prefix(BEGIN).and_then(|t| t.strip_prefix('\n')).ok_or(bad("its first line is missing"))?;
        let inner = inner.strip_suffix('\n').unwrap_or(inner);
        let inner = inner.strip_suffix(END).ok_or(bad("its last line is missing"))?;
        let body: String = inner.split('\n').collect();
        let blob = STANDARD.decode(body).map_err(|_| bad("a line of it was changed"))?;
        Signature::from_blob(&blob)
    }
}

/// What is really signed: magic, namespace, nothing, hash name, hash of the document.
fn signed_bytes(namespace: &str, document: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    put(&mut out, namespace.as_bytes());
    put(&mut out, b"");
    put(&mut out, b"sha512");
    put(&mut out, &Sha512::digest(document));
    out
}

fn put(out: &mut Vec<u8>, field: &[u8]) {
    let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
    out.extend(length.to_be_bytes());
    out.extend(field);
}

fn take<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, more) = rest.split_at_checked(4)?;
    let length = u32::from_be_bytes(length.try_into().ok()?) as usize;
    let (field, more) = more.split_at_checked(length)?;
    *rest = more;
    Some(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_fits_its_key_namespace_and_bytes_and_nothing_else() {
        let (key, other) = (SecretKey::from_seed([1; 32]), SecretKey::from_seed([2; 32]));
        let sig = Signature::sign(&key, Namespace::Orders, b"hello\n");
        let sig = Signature::from_armor(&sig.armor()).unwrap();
        assert_eq!(sig.verify(&key.public(), Namespace::Orders, b"hello\n"), Ok(()));
        assert_eq!(sig.verify(&key.public(), Namespace::Orders, b"hello"), Err(SignatureFault::Bad));
        assert!(matches!(sig.verify(&key.public(), Namespace::Terms, b"hello\n"), Err(SignatureFault::Namespace(_))));
        assert!(matches!(sig.verify(&other.public(), Namespace::Orders, b"hello\n"), Err(SignatureFault::WrongKey(_))));
    }

    #[test]
    fn it_fits_the_bytes_it_was_made_for_whatever_the_key() {
        let key = SecretKey::from_seed([3; 32]);
        for namespace in Namespace::ALL {
            let sig = Signature::sign(&key, namespace, b"hello\n");
            assert!(sig.fits(b"hello\n") && !sig.fits(b"hello\r\n") && !sig.fits(b""));
        }
        let other = Signature { namespace: "file".into(), ..Signature::sign(&key, Namespace::Orders, b"a\n") };
        assert!(!other.fits(b"a\n"));
    }

    #[test]
    fn every_changed_byte_of_a_blob_is_refused() {
        let key = SecretKey::from_seed([1; 32]);
        let blob = Signature::sign(&key, Namespace::Orders, b"hello\n").blob();
        for at in 0..blob.len() {
            let mut changed = blob.clone();
            changed[at] ^= 1;
            let verdict =
                Signature::from_blob(&changed).and_then(|s| s.verify(&key.public(), Namespace::Orders, b"hello\n"));
            assert!(verdict.is_err(), "byte {at}");
        }
        assert!(Signature::from_blob(&[&blob[..], b"x"].concat()).is_err());
        for cut in 0..blob.len() {
            assert!(Signature::from_blob(&blob[..cut]).is_err(), "cut at {cut}");
        }
    }
}
