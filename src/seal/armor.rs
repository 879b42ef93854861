//! The armoured block: a packet as base64 in the body of a mail, since clear text does not survive mail programs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::digest::sha256;
use crate::error::{Error, Result};

const BEGIN: &str = "BEGIN COUNTERSIGN PACKET";
const END: &str = "END COUNTERSIGN PACKET";

/// Largest block taken, in characters.
const CAP: usize = 16 << 20;

/// One block found in a text.
pub type Block = Result<Vec<u8>>;

/// Writes a block: base64 in 64 columns, and a checksum of the content.
#[must_use]
pub fn armor(content: &[u8]) -> String {
    let body = STANDARD.encode(content);
    let mut out = format!("-----{BEGIN}-----\n");
    let mut rest = body.as_str();
    while !rest.is_empty() {
        let (line, more) = rest.split_at(rest.len().min(64));
        out.push_str(line);
        out.push('\n');
        rest = more;
    }
    out + &format!("={}\n-----{END}-----\n", sha256(content).short())
}

/// Finds every block in a text: quoted, indented, re-wrapped or with other dashes. Replies quote old blocks, so there
/// may be several; the caller chooses by what is inside.
#[must_use]
pub fn find_blocks(text: &str) -> Vec<Block> {
    if text.len() > CAP {
        return vec![Err(Error::new("the text is larger than any packet (16 MB)"))];
    }
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        if line.contains(BEGIN) {
            open = Some(String::new());
        } else if line.contains(END) {
            if let Some(body) = open.take() {
                blocks.push(unwrap(&body));
            }
        } else if let Some(body) = &mut open {
            let kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
            body.extend(line.chars().filter(kept));
        }
    }
    if open.is_some() {
        blocks.push(Err(Error::new("a packet block begins and does not end: the mail was cut off")
            .next("ask for it again, as an attached file if possible")));
    }
    blocks
}

fn unwrap(body: &str) -> Block {
    let damaged = || {
        Error::new("a packet block was damaged on its way: its checksum does not fit")
            .next("ask for it again, as an attached file if possible")
    };
    // The checksum: the last `=` with eight hexadecimal characters behind it.
    let (data, sum) = body.rsplit_once('=').ok_or_else(damaged)?;
    let content = STANDARD.decode(data).map_err(|_| damaged())?;
    if sha256(&content).short() == sum { Ok(content) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Block {
        let mut blocks = find_blocks(text);
        assert_eq!(blocks.len(), 1);
        blocks.remove(0)
    }

    #[test]
    fn a_block_survives_what_mail_programs_do() {
        for length in [0usize, 1, 2, 3, 47, 48, 49, 500] {
            let content: Vec<u8> = (0..length).map(|i| (i * 7 % 251) as u8).collect();
            let block = armor(&content);
            let quoted: String = block.lines().map(|l| format!("> > {l}  \r\n")).collect();
            let nbsp: String = block.lines().map(|l| format!("\u{a0}{l}\u{200b}\n")).collect();
            let dashes = block.replace("-----", "\u{2014}\u{2014}-");
            let lines: Vec<&str> = block.lines().collect();
            let joined = lines[1..lines.len() - 1].concat();
            let wrapped: String = joined.as_bytes().chunks(40).map(|c| String::from_utf8_lossy(c) + "\n").collect();
            let wrapped = format!("{}\n{wrapped}{}\n", lines[0], lines[lines.len() - 1]);
            for text in [block.clone(), quoted, nbsp, dashes, wrapped, format!("Hi Bob,\n{block}-- \nA.\n")] {
                assert_eq!(one(&text).as_ref(), Ok(&content), "{text}");
            }
        }
    }

    #[test]
    fn damage_is_seen_and_two_blocks_are_two() {
        let block = armor(b"hello world, this is a packet");
        let changed = block.replacen("aGVs", "aGVr", 1);
        assert_ne!(block, changed);
        assert!(one(&changed).is_err());
        assert!(one(block.split_once("-----END").unwrap().0).is_err());
        assert_eq!(find_blocks(&format!("{block}\nyou wrote:\n> {}", armor(b"old").replace('\n', "\n> "))).len(), 2);
        assert!(find_blocks("no block here").is_empty());
    }
}
