//! A packet: what one side sends the other, a list of signed files in one file.

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::seal::{Digest, armor, find_blocks, sha256};

const MAGIC: &str = "countersign packet ";
const VERSION: &str = "1";

/// Largest packet taken, in bytes.
pub const LARGEST: usize = 8 << 20;

/// Most files in a packet.
pub const MOST: usize = 10_000;

/// Signed files on their way, each its exact bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Packet {
    /// The files, in no particular order.
    pub files: Vec<Vec<u8>>,
}

impl Packet {
    /// The packet as bytes: a head line, each file behind a line with its length and hash, and a checksum line.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = format!("{MAGIC}{VERSION}\nfiles {}\n", self.files.len()).into_bytes();
        for file in &self.files {
            out.extend(format!("file {} {}\n", file.len(), sha256(file)).into_bytes());
            out.extend(file);
        }
        let sum = sha256(&out);
        out.extend(format!("end {sum}\n").into_bytes());
        out
    }

    /// Reads a packet.
    ///
    /// # Errors
    /// Another version (both named), a change on the way (which file), a cut, or something behind the end.
    pub fn parse(bytes: &[u8]) -> Result<Packet> {
        let again = "ask for it again as an attached file, or for the lines from BEGIN COUNTERSIGN PACKET on";
        if bytes.len() > LARGEST {
            return Err(Error::new(format!("a packet of {} bytes is larger than any here (8 MB)", bytes.len())));
        }
        if bytes.is_empty() {
            return Err(Error::new("this packet is empty").next(again));
        }
        let mut rest = bytes;
        let head = line(&mut rest).unwrap_or("");
        let Some(version) = head.strip_prefix(MAGIC) else {
            return Err(Error::new("this is no packet of this program")
                .next("give the file whose name ends in .packet, or the saved mail with the lines from BEGIN COUNTERSIGN PACKET on"));
        };
        if version.ends_with('\r') {
            return Err(Error::new("the line ends of this packet were changed on its way (CRLF)").next(again));
        }
        if version != VERSION {
            return Err(Error::new(format!(
                "this packet is of version {version}; this program reads version {VERSION}"
            ))
            .next("get the newer program"));
        }
        let cut = || Error::new("this packet is cut off or was changed on its way").next(again);
        let count: usize = line(&mut rest).and_then(|l| l.strip_prefix("files ")?.parse().ok()).ok_or_else(cut)?;
        if count > MOST {
            return Err(Error::new(format!("a packet of {count} files has more than any here (10,000)")));
        }
        if !bytes.windows(4).any(|w| w == b"end ") {
            return Err(Error::new("this packet is cut off: its end is missing").next(again));
        }
        let mut files = Vec::new();
        for n in 1..=count {
            let head = line(&mut rest).and_then(|l| l.strip_prefix("file ")).ok_or_else(cut)?;
            let (length, hash) = head.split_once(' ').ok_or_else(cut)?;
            let length: usize = length.parse().map_err(|_| cut())?;
            let hash: Digest = hash.parse().map_err(|_| cut())?;
            let (file, more) = rest.split_at_checked(length).ok_or_else(cut)?;
            if sha256(file) != hash {
                return Err(
                    Error::new(format!("file {n} of {count} in this packet was changed on its way")).next(again)
                );
            }
            files.push(file.to_vec());
            rest = more;
        }
        let body = bytes.len() - rest.len();
        let sum: Digest = line(&mut rest).and_then(|l| l.strip_prefix("end ")?.parse().ok()).ok_or_else(cut)?;
        if sum != sha256(&bytes[..body]) {
            return Err(cut());
        }
        let packet = Packet { files };
        if !rest.is_empty() {
            return Err(Error::new("something stands behind the end of this packet").next(again));
        }
        // One content, one spelling: `+5` and `05` are numbers to a parser.
        if packet.bytes() != bytes {
            return Err(cut());
        }
        Ok(packet)
    }

    /// The packet as an armoured block for the body of a mail.
    #[must_use]
    pub fn armor(&self) -> String {
        armor(&self.bytes())
    }

    /// Reads every packet in a file: a packet as it is, or all armoured blocks of a saved mail or pasted text.
    ///
    /// # Errors
    /// The reason the last block, or the file, is no packet.
    pub fn find(bytes: &[u8]) -> Result<Vec<Packet>> {
        if bytes.starts_with(MAGIC.as_bytes()) || bytes.is_empty() {
            return Ok(vec![Packet::parse(bytes)?]);
        }
        let text = String::from_utf8_lossy(bytes);
        let (mut found, mut fault) = (Vec::new(), None);
        for block in find_blocks(&text) {
            match block.and_then(|content| Packet::parse(&content)) {
                Ok(packet) => found.push(packet),
                Err(e) => fault = Some(e),
            }
        }
        match (found.is_empty(), fault) {
            (false, _) => Ok(found),
            (true, Some(fault)) => Err(fault),
            (true, None) => Packet::parse(bytes).map(|p| vec![p]),
        }
    }

    /// What is in the packet, one line a file, for people.
    #[must_use]
    pub fn list(&self) -> String {
        self.files.iter().enumerate().fold(String::new(), |mut out, (n, file)| {
            let _ = writeln!(out, "file {}: {} bytes", n + 1, file.len());
            out
        })
    }
}

fn line<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let end = rest.iter().take(200).position(|b| *b == b'\n')?;
    let text = std::str::from_utf8(&rest[..end]).ok()?;
    *rest = &rest[end + 1..];
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Packet {
        Packet { files: vec![b"one\n".to_vec(), Vec::new(), vec![0, 255, 10, 13]] }
    }

    #[test]
    fn a_packet_round_trips_bare_and_armoured() {
        let packet = sample();
        assert_eq!(Packet::parse(&packet.bytes()).unwrap(), packet);
        assert_eq!(Packet::find(packet.armor().as_bytes()).unwrap(), vec![packet]);
    }

    #[test]
    fn every_single_byte_change_and_every_cut_is_seen() {
        let bytes = sample().bytes();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(Packet::parse(&changed).is_err(), "byte {at}");
            assert!(Packet::parse(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn another_version_names_both() {
        let text = String::from_utf8_lossy(&Packet::default().bytes()).replace("packet 1", "packet 7");
        let what = Packet::parse(text.as_bytes()).unwrap_err().what;
        assert!(what.contains("version 7") && what.contains("version 1"), "{what}");
    }

    #[test]
    fn every_malformation_has_its_own_word() {
        let bytes = sample().bytes();
        let text = String::from_utf8_lossy(&Packet { files: vec![b"a: 1\n".to_vec()] }.bytes()).into_owned();
        let what = |bytes: &[u8]| Packet::parse(bytes).unwrap_err().what;
        assert!(what(b"").contains("empty"));
        assert!(what(b"hello\n").contains("no packet"));
        assert!(what(text.replace('\n', "\r\n").as_bytes()).contains("line ends"));
        assert!(what(text.replace("a: 1", "a: 2").as_bytes()).contains("file 1 of 1"));
        assert!(what(text.split("\nend ").next().unwrap_or("").as_bytes()).contains("cut off"));
        assert!(what(&[bytes.as_slice(), b"\n"].concat()).contains("behind the end"));
        assert!(what(&[bytes.as_slice(), bytes.as_slice()].concat()).contains("behind the end"));
        assert!(what(text.replace("files 1", "files 10001").as_bytes()).contains("10,000"));
        assert!(what(&vec![b'x'; LARGEST + 1]).contains("8 MB"));
        assert!(what(text.replace("file 5 ", "file 18446744073709551615 ").as_bytes()).contains("cut off"));
        // The checksum is over the whole: a file head spelled otherwise is no packet even with the right sum.
        let body = text.split("end ").next().unwrap_or("").replace("file 5 ", "file +5 ");
        assert!(Packet::parse(format!("{body}end {}\n", sha256(body.as_bytes())).as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Packet::find(&bytes);
            let mut headed = b"countersign packet 1\nfiles 2\nfile 5 ".to_vec();
            headed.extend(&bytes);
            let _ = Packet::find(&headed);
        }
    }
}
