//! A club's list of members: by whose key an invitation is known, and where each has his mail.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;

use super::address::Address;
use super::settings::{Name, bytes_up_to};
use crate::doc::yaml;
use crate::error::Error;
use crate::seal::PublicKey;

/// Largest list, in bytes.
const LARGEST: usize = 1 << 20;

/// The list: `members.yaml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Members {
    /// The members.
    pub members: Vec<Member>,
}

/// A member of the club.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// What he is called.
    pub name: Name,
    /// Where he has his mail.
    pub address: Address,
    /// His public key, as `countersign key show` prints it: `ssh-ed25519 AAAA...`.
    pub key: String,
}

impl Members {
    /// Reads the list.
    ///
    /// # Errors
    /// What is wrong in it, each with its line.
    pub fn read(path: &Path) -> std::result::Result<Members, Vec<Error>> {
        let next = "write it: `members:` and below it a line for each, `- {name: Anna, address: anna@club.example, key: \"ssh-ed25519 AAAA...\"}`";
        let bytes = bytes_up_to(path, LARGEST, next)?;
        let list: Members = yaml::read_bytes(&bytes, &path.display().to_string(), LARGEST)?;
        let bad = |member: &Member| {
            let fault = PublicKey::parse(member.key.trim()).err()?;
            Some(
                Error::new(format!("the key of {} cannot be used: {}", member.name.as_str(), fault.what))
                    .in_file(path.display().to_string())
                    .next("copy the line that `countersign key show` prints for him"),
            )
        };
        let mut faults: Vec<Error> = list.members.iter().filter_map(bad).collect();
        let same = |a: &Member, b: &Member| PublicKey::parse(a.key.trim()).ok() == PublicKey::parse(b.key.trim()).ok();
        for (n, member) in list.members.iter().enumerate() {
            if let Some(other) = list.members.iter().take(n).find(|other| same(other, member)) {
                let what = format!("{} and {} have the same key", other.name.as_str(), member.name.as_str());
                faults.push(Error::new(what).in_file(path.display().to_string()).next("one of the two lines is wrong"));
            }
        }
        if faults.is_empty() { Ok(list) } else { Err(faults) }
    }

    /// Whether a member has his mail at this address.
    #[must_use]
    pub fn has_address(&self, address: &Address) -> bool {
        self.members.iter().any(|m| m.address.as_str().eq_ignore_ascii_case(address.as_str()))
    }

    /// The member who has this key, given as `ssh-ed25519 AAAA...`.
    #[must_use]
    pub fn with_key(&self, line: &str) -> Option<&Member> {
        let key = PublicKey::parse(line.trim()).ok()?;
        self.members.iter().find(|m| PublicKey::parse(m.key.trim()).is_ok_and(|k| k == key))
    }
}
