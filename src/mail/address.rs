//! Addresses: stricter than the standard, for the rest of the standard is used by nobody but attackers.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

/// A bare mail address, `bob@club.example`: no name around it, its domain in ASCII.
///
/// No character of it means anything to a mail header, a shell or the option reader of a program: no blank, quotation
/// mark, bracket, `%`, `!`, `|`, `$`, and no `-` at its beginning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    text: String,
    at: usize,
}

impl Address {
    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What is behind the `@`.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.text.get(self.at + 1..).unwrap_or("")
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
        let bad = |why: &str| format!("`{shown}` is no mail address here: {why}");
        if text.contains(['<', '>', '"', '(', ',', ';', ' ']) {
            return Err(bad("write the bare address, bob@club.example, without a name, and only one"));
        }
        let (user, domain) = text.split_once('@').ok_or_else(|| bad("there is no @ in it"))?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "._+-='".contains(c);
        if user.is_empty() || user.len() > 64 || !user.chars().all(plain) {
            return Err(bad("before the @ stand 1 to 64 of the letters a-z, digits and . _ + - = '"));
        }
        if user.starts_with(['-', '.']) || user.ends_with('.') || user.contains("..") {
            return Err(bad("before the @, a full stop stands between letters, and a - not at the beginning"));
        }
        let domain = self::domain(domain).map_err(|why| bad(&why))?;
        Ok(Address { text: format!("{user}@{domain}"), at: user.len() })
    }
}

/// A domain as the network writes it: letters, digits and hyphens in lower case.
pub(super) fn domain(text: &str) -> Result<String, String> {
    let given = if text.is_ascii() { Cow::Borrowed(text) } else { international(text)? };
    let domain = given.to_ascii_lowercase();
    let label = |l: &str| {
        (1..=63).contains(&l.len())
            && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !l.starts_with('-')
            && !l.ends_with('-')
    };
    if domain.len() > 253 || !domain.split('.').all(label) {
        return Err("behind the @ stands a name such as club.example".to_owned());
    }
    if domain == "localhost" {
        return Ok(domain);
    }
    let last = domain.rsplit('.').next().unwrap_or("");
    if !domain.contains('.') {
        return Err(format!("`{domain}` has no ending such as .org"));
    }
    if last.bytes().all(|b| b.is_ascii_digit()) {
        return Err("numbers are no domain; write the server's name".to_owned());
    }
    Ok(domain)
}

/// A domain with accents or other scripts, in its `xn--` spelling.
fn international(text: &str) -> Result<Cow<'_, str>, String> {
    idna::domain_to_ascii_strict(text)
        .map(Cow::Owned)
        .map_err(|_| "its domain is no name of the network; write it as your provider does, xn--...".to_owned())
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Address, D::Error> {
        checked(from, "a mail address, such as bob@club.example", |text| text.parse())
    }
}

impl JsonSchema for Address {
    fn schema_name() -> Cow<'static, str> {
        "Address".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "idn-email", "maxLength": 320 })
    }
}

/// Reads a text through a check; the reader of the file then names the place of what the check has against it.
pub(super) fn checked<'de, D: Deserializer<'de>, T>(
    from: D,
    expected: &'static str,
    check: impl FnOnce(&str) -> Result<T, String>,
) -> Result<T, D::Error> {
    struct Text(&'static str);
    impl de::Visitor<'_> for Text {
        type Value = String;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
        fn visit_str<E>(self, text: &str) -> Result<String, E> {
            Ok(text.to_owned())
        }
    }
    // First a text, then the check: a fault the visitor reports would be placed at the whole group.
    let text = from.deserialize_string(Text(expected))?;
    check(&text).map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_addresses_are_taken_and_spelled_one_way() {
        for (text, spelled) in [
            ("bob@club.example", "bob@club.example"),
            ("Bob.O'Neil+wasp=x@Club.Example", "Bob.O'Neil+wasp=x@club.example"),
            ("me@localhost", "me@localhost"),
            ("anna@müller.example", "anna@xn--mller-kva.example"),
            ("anna@xn--mller-kva.example", "anna@xn--mller-kva.example"),
        ] {
            assert_eq!(text.parse::<Address>().map(|a| a.to_string()).as_deref(), Ok(spelled));
        }
    }

    #[test]
    fn everything_else_is_refused_in_words() {
        for text in [
            "",
            "bob",
            "@club.example",
            "bob@",
            "bob@club",
            "a@b@club.example",
            "bob@club.example\r\nBcc: x@y.example",
            "Bob <bob@club.example>",
            "bob@club.example,eve@x.example",
            "-oQ/tmp@club.example",
            ".bob@club.example",
            "b..ob@club.example",
            "bob`id`@club.example",
            "$(id)@club.example",
            "a|b@club.example",
            "a!b@club.example",
            "a%b@club.example",
            "a/b@club.example",
            "bob@club.example.",
            "bob@-club.example",
            "bob@[127.0.0.1]",
            "bob@127.0.0.1",
            "bob\0@club.example",
            "bob@club.exa\u{202e}mple",
            "böb@club.example",
            "bob @club.example",
            "\"bob\"@club.example",
            "bob@club_x.example",
            "bob@club..example",
        ] {
            let why = text.parse::<Address>().expect_err(text);
            assert!(why.contains("is no mail address here: ") && !why.contains(['\r', '\n', '\0']), "{why}");
        }
        assert!(format!("{}@club.example", "x".repeat(65)).parse::<Address>().is_err());
        assert!(format!("x@{}example", "abc.".repeat(70)).parse::<Address>().is_err());
    }
}
