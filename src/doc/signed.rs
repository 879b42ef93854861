//! A signed file: a document and its signature block, exact bytes.

use crate::error::{Error, Result};
use crate::seal::{Digest, Hasher, Signature};

const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----\n";

/// Largest signed file taken, in bytes.
pub const LARGEST: usize = 256 << 10;

/// A document and the signature over its exact bytes. The signature is decoded, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedFile {
    /// The document: UTF-8, LF line ends, one at the end.
    pub document: String,
    /// Its signature.
    pub signature: Signature,
}

impl SignedFile {
    /// Takes a signed file apart.
    ///
    /// # Errors
    /// If it is not exactly a document followed by one block: wrong line ends, text after the block, no block.
    pub fn parse(bytes: &[u8]) -> Result<SignedFile> {
        if bytes.len() > LARGEST {
            return Err(Error::new(format!("a signed file of {} bytes is larger than any here (256 kB)", bytes.len())));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Error::new("this is no text").next("give the signed file or the packet as it was sent"))?;
        if text.contains('\r') {
            return Err(Error::new("the line ends of this signed file were changed on its way (CRLF instead of LF)")
                .next("ask for the packet as an attached file, or for the lines from BEGIN COUNTERSIGN PACKET on"));
        }
        let at = match text.find(BEGIN) {
            Some(at) if at > 0 && text.as_bytes()[at - 1] == b'\n' => at,
            Some(_) => return Err(Error::new("the signature block does not begin on a line of its own")),
            None => {
                return Err(Error::new("there is no signature in this file").next("sign it: `countersign orders sign`"));
            }
        };
        let (document, block) = text.split_at(at);
        check(document)?;
        if !block.ends_with(END) || block.find(END).is_none_or(|end| end + END.len() != block.len()) {
            return Err(Error::new("something stands behind the signature, or its end is cut off")
                .next("give the signed file exactly as it was sent"));
        }
        let signature = Signature::from_armor(block).map_err(|fault| Error::new(fault.to_string()))?;
        let file = SignedFile { document: document.to_owned(), signature };
        // One content, one spelling: a block wrapped otherwise would be another file with the same signature.
        if file.bytes() != bytes {
            return Err(Error::new("the signature block was re-wrapped on its way")
                .next("ask for the packet as an attached file, or for the lines from BEGIN COUNTERSIGN PACKET on"));
        }
        Ok(file)
    }

    /// A signed file from its two parts, as a log holds them: the document is held to the same form.
    ///
    /// # Errors
    /// If the document is not of the form [`SignedFile::parse`] takes.
    pub fn from_parts(document: String, signature: Signature) -> Result<SignedFile> {
        if document.len() > LARGEST || document.contains(BEGIN) || document.contains('\r') {
            return Err(Error::new("this is no document of a signed file"));
        }
        if !document.ends_with('\n') {
            return Err(Error::new("the signature block does not begin on a line of its own"));
        }
        check(&document)?;
        Ok(SignedFile { document, signature })
    }

    /// The file as bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        (self.document.clone() + &self.signature.armor()).into_bytes()
    }

    /// The hash by which other files name it: `H("file", document, signature blob)`.
    #[must_use]
    pub fn hash(&self) -> Digest {
        Hasher::new("file").text(&self.document).bytes(&self.signature.blob()).done()
    }
}

/// No blank lines at the end of a document.
fn check(document: &str) -> Result<()> {
    if document.ends_with("\n\n") {
        return Err(Error::new("blank lines stand between the document and its signature")
            .next("delete them before you sign; a signed file is never edited afterwards"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::{Namespace, SecretKey};
    use proptest::prelude::*;

    fn signed(document: &str) -> SignedFile {
        let key = SecretKey::from_seed([1; 32]);
        let signature = Signature::sign(&key, Namespace::Orders, document.as_bytes());
        SignedFile { document: document.to_owned(), signature }
    }

    #[test]
    fn a_signed_file_round_trips() {
        let file = signed("countersign: 1\nkind: orders\n");
        assert_eq!(SignedFile::parse(&file.bytes()).unwrap(), file);
    }

    /// Both ways in take and refuse the same documents.
    #[test]
    fn parts_and_whole_agree() {
        for document in
            ["a: 1\n", "a: 1", "a: 1\n\n", "a: 1\r\n", "", "\n", "x -----BEGIN SSH SIGNATURE-----\n", "a: é\n"]
        {
            let file = signed(document);
            let parts = SignedFile::from_parts(document.to_owned(), file.signature.clone());
            assert_eq!(parts.is_ok(), SignedFile::parse(&file.bytes()).is_ok(), "{document:?}");
        }
    }

    #[test]
    fn every_mangling_has_its_own_word() {
        let text = String::from_utf8(signed("a: 1\n").bytes()).unwrap();
        let what = |t: String| SignedFile::parse(t.as_bytes()).unwrap_err().what;
        assert!(what(text.replace('\n', "\r\n")).contains("line ends"));
        assert!(what(format!("{text}-- \nBob\n")).contains("behind the signature"));
        assert!(what(text.trim_end().to_owned()).contains("behind the signature, or its end"));
        assert!(what("a: 1\n".to_owned()).contains("no signature"));
        assert!(what(text.replace("a: 1\n", "a: 1")).contains("line of its own"));
        assert!(what(text.replace("a: 1\n", "a: 1\n\n")).contains("blank lines"));
        assert!(what(text.replace("a: 1\n", "a: 1\n-----BEGIN SSH SIGNATURE-----\n")).contains("signature block"));
        assert!(what(text.clone() + &text).contains("behind the signature"));
        assert!(what(text.clone() + "\n").contains("behind the signature"));
        assert!(what(text.replace('\n', "\r")).contains("line ends"));
        assert!(what(text.replacen('\n', "\r\n", 1)).contains("line ends"));
        assert!(SignedFile::parse(&[0xff, 0xfe]).is_err());
        assert!(SignedFile::parse(b"").is_err());
        let lines: Vec<&str> = text.lines().collect();
        let joined = format!("{}\n{}\n{}{}\n{}\n", lines[0], lines[1], lines[2], lines[3], lines[4..].join("\n"));
        assert!(what(joined).contains("re-wrapped"));
    }
    #[test]
    fn a_file_larger_than_any_is_not_looked_at() {
        assert!(SignedFile::parse(&vec![b'a'; LARGEST + 1]).unwrap_err().what.contains("larger"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic_and_what_parses_is_itself(
            bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0usize..400, byte in any::<u8>(),
        ) {
            let good = signed("a: 1\nb: x\n").bytes();
            let mut headed = good.clone();
            headed.splice(0..0, bytes.iter().copied());
            let mut tailed = good.clone();
            tailed.extend(&bytes);
            let mut changed = good.clone();
            let at = at % changed.len();
            changed[at] = byte;
            for candidate in [bytes, headed, tailed, changed] {
                if let Ok(file) = SignedFile::parse(&candidate) {
                    prop_assert_eq!(file.bytes(), candidate);
                }
            }
        }
    }
}
