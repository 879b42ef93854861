//! The head of a mail: for the answer and for telling machines from people. Nothing in it is ever trusted.

use mail_parser::{HeaderValue, MessageParser};

use super::machine::Machine;

/// Most bytes of a head that are looked at.
const LONGEST: usize = 64 << 10;

/// Most names in a chain of references that are kept.
const CHAIN: usize = 100;

/// What a mail says about itself. All of it can be false; `from` is where an answer goes, no more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// Its name, without the angle brackets.
    pub message_id: Option<String>,
    /// The name of the mail it answers.
    pub in_reply_to: Option<String>,
    /// The names of the mails before it, oldest first, at most 100: the newest.
    pub references: Vec<String>,
    /// Its subject, decoded.
    pub subject: Option<String>,
    /// The address of its sender alone, without the name.
    pub from: Option<String>,
    /// When it was sent, as it claims, in the form `2026-03-29T02:30:00+01:00`.
    pub date: Option<String>,
    /// Why it must get no answer; `None` if a person wrote it.
    pub machine: Option<Machine>,
    /// Whether a program wrote it without being asked (`Auto-Submitted`), this one too.
    pub by_itself: bool,
}

impl Head {
    /// Reads the head of a mail whose line ends are LF; whatever cannot be read is missing.
    pub(super) fn read(raw: &[u8]) -> Head {
        let block = split(raw).0;
        let block = block.get(..block.len().min(LONGEST)).unwrap_or(block);
        let fields = Fields::read(block);
        let machine = Machine::judge(&fields);
        let by_itself = fields.all("auto-submitted").any(|v| !v.trim_start().to_ascii_lowercase().starts_with("no"));
        // The parser wants the empty line behind a head.
        let block = [block, b"\n\n"].concat();
        let Some(message) = MessageParser::default().parse_headers(&block) else {
            return Head { machine, by_itself, ..Head::default() };
        };
        let mut references = names(message.references());
        references.drain(..references.len().saturating_sub(CHAIN));
        let from = message.from().and_then(|a| a.first()).and_then(|a| a.address()).map(str::trim);
        Head {
            message_id: message.message_id().map(str::to_owned).filter(|n| is_name(n)),
            in_reply_to: names(message.in_reply_to()).pop(),
            references,
            subject: message.subject().map(clean),
            from: from.filter(|a| is_address(a)).map(str::to_owned),
            date: message.date().filter(|d| d.is_valid()).map(|d| d.to_rfc3339()),
            machine,
            by_itself,
        }
    }
}

fn names(value: &HeaderValue<'_>) -> Vec<String> {
    let all: Vec<&str> = match value {
        HeaderValue::Text(name) => vec![name.as_ref()],
        HeaderValue::TextList(list) => list.iter().map(AsRef::as_ref).collect(),
        _ => Vec::new(),
    };
    all.into_iter().filter(|n| is_name(n)).map(str::to_owned).collect()
}

/// What is copied into the head of an answer must not be able to end the line there.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 900 && name.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'<' | b'>'))
}

fn is_address(address: &str) -> bool {
    let parts = address.rsplit_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty());
    parts && address.len() <= 320 && !address.chars().any(|c| c.is_control() || c.is_whitespace() || "<>,;".contains(c))
}

fn clean(subject: &str) -> String {
    subject.chars().map(|c| if c.is_control() { ' ' } else { c }).take(1000).collect()
}

/// Cuts a mail (LF line ends) into head and body at the first empty line; without any header field all is body.
pub(super) fn split(raw: &[u8]) -> (&[u8], &[u8]) {
    let mut rest = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw).trim_ascii_start();
    // The line that mailbox files put before a mail.
    if rest.starts_with(b"From ") || rest.starts_with(b">From ") {
        let end = rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |at| at + 1);
        rest = rest.get(end..).unwrap_or_default();
    }
    let name: Vec<u8> = rest.iter().copied().take(80).take_while(|b| b.is_ascii_graphic() && *b != b':').collect();
    if name.is_empty() || rest.get(name.len()).is_none_or(|b| !matches!(b, b':' | b' ')) {
        return (b"", raw);
    }
    let colon = rest.iter().take(200).take_while(|b| **b != b'\n').any(|b| *b == b':');
    if !colon {
        return (b"", raw);
    }
    let end = memchr_blank(rest);
    match end {
        Some(at) => (rest.get(..at + 1).unwrap_or_default(), rest.get(at + 2..).unwrap_or_default()),
        None => (rest, b""),
    }
}

/// Where the line end before the first empty line is.
fn memchr_blank(text: &[u8]) -> Option<usize> {
    text.windows(2).position(|w| w == b"\n\n")
}

/// Header fields as they stand, unfolded, names in lower case.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads the fields of a head with LF line ends; at most the first 1,000.
    pub(super) fn read(block: &[u8]) -> Fields {
        let text = String::from_utf8_lossy(block.get(..block.len().min(LONGEST)).unwrap_or(block));
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in text.split('\n') {
            if line.starts_with([' ', '\t']) {
                if let Some((_, value)) = fields.last_mut() {
                    value.push(' ');
                    value.push_str(line.trim());
                }
            } else if let Some((name, value)) = line.split_once(':') {
                if fields.len() == 1000 {
                    break;
                }
                fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        Fields(fields)
    }

    /// The values of all fields of a name, which is given in lower case.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Name and value of every field.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(n, v)| (n.as_str(), v.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_answer_needs() {
        let head = Head::read(
            b"From: \"Anna, A.\" <anna@example.org>\nSubject: =?utf-8?q?Z=C3=BCge?=\nDate: Sun, 29 Mar 2026 02:30:00 +0100\n\
              Message-ID: <1@example.org>\nIn-Reply-To: <0@example.org>\nReferences: <a@x> <0@example.org>\n\nbody\n",
        );
        assert_eq!(head.from.as_deref(), Some("anna@example.org"));
        assert_eq!(head.subject.as_deref(), Some("Züge"));
        assert_eq!(head.date.as_deref(), Some("2026-03-29T02:30:00+01:00"));
        assert_eq!(head.message_id.as_deref(), Some("1@example.org"));
        assert_eq!(head.in_reply_to.as_deref(), Some("0@example.org"));
        assert_eq!(head.references, ["a@x", "0@example.org"]);
        assert_eq!(head.machine, None);
    }

    /// Whatever it is, it is no header line of an answer.
    #[test]
    fn hostile_fields_are_missing_or_clean() {
        for from in ["", "garbage", "<>", "<a b@example.org>", "=?utf-8?q?a=0D=0ABcc:_b=40x?= <a@example.org>", "<@>"] {
            let head =
                Head::read(format!("From: {from}\nDate: garbage\nSubject: =?utf-8?q?a=0D=0ABcc:b?=\n\n").as_bytes());
            assert!(head.from.iter().all(|a| is_address(a)), "{head:?}");
            assert_eq!(head.date, None);
            assert!(!head.subject.unwrap_or_default().contains(['\r', '\n']));
        }
    }

    #[test]
    fn head_and_body() {
        assert_eq!(split(b"A: 1\n\nbody"), (&b"A: 1\n"[..], &b"body"[..]));
        assert_eq!(split(b"From a Thu\nA: 1\n\nbody").1, b"body");
        assert_eq!(split(b"countersign packet 1\nfiles 0\n").0, b"");
        assert_eq!(split(b"").0, b"");
    }
}
