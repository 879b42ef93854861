//! Mails that nobody wrote. They get no answer: two machines that answer each other never stop.

use super::head::Fields;

/// What shows that a machine sent a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// This program, a player's or a host's (`X-Countersign: 1`). What it carries is read like any mail's.
    Ours,
    /// A report about another mail, mostly that it was not delivered. Not searched: it quotes what this side sent.
    Report,
    /// An answer written by a program, such as "I am on holiday". Not searched, for the same reason.
    Answer,
    /// Sent by a program for another reason (`Auto-Submitted`).
    Automatic,
    /// It came with an empty return path, so that an answer has nowhere to go.
    NoReturn,
    /// It came over a mailing list; an answer would go to all its readers.
    List,
    /// Sent in bulk (`Precedence`).
    Bulk,
    /// It asks for no automatic answer (`X-Auto-Response-Suppress`).
    Suppressed,
}

/// Subjects of holiday notes, as the common servers write them, in lower case.
const HOLIDAY: [&str; 14] = [
    "out of office",
    "out of the office",
    "automatic reply",
    "auto reply",
    "autoreply",
    "auto-reply",
    "auto:",
    "vacation",
    "on holiday",
    "abwesenheit",
    "automatische antwort",
    "absence",
    "réponse automatique",
    "respuesta automática",
];

impl Machine {
    /// Whether what such a mail quotes must not be taken for something sent.
    #[must_use]
    pub fn quotes_only(self) -> bool {
        matches!(self, Machine::Report | Machine::Answer)
    }

    /// What it is, for people, fit to follow "this mail is".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Machine::Ours => "from this program at another place",
            Machine::Report => "a report of a mail server about another mail",
            Machine::Answer => "an automatic answer",
            Machine::Automatic => "sent by a program",
            Machine::NoReturn => "without a return path",
            Machine::List => "from a mailing list",
            Machine::Bulk => "sent in bulk",
            Machine::Suppressed => "one that asks for no automatic answer",
        }
    }

    /// Judges a mail by its header fields; `None` if a person wrote it, as far as they tell.
    pub(super) fn judge(fields: &Fields) -> Option<Machine> {
        let all = |name: &'static str| fields.all(name).map(str::to_ascii_lowercase);
        // Parameters and notes may stand behind the word.
        let word = |v: &String, w: &str| v.split([';', '(', ' ']).next().is_some_and(|first| first.trim() == w);
        if all("x-countersign").any(|v| v.trim() == "1") {
            return Some(Machine::Ours);
        }
        if all("content-type").any(|v| v.trim_start().starts_with("multipart/report")) {
            return Some(Machine::Report);
        }
        let automatic: Vec<String> = all("auto-submitted").filter(|v| !word(v, "no")).collect();
        if automatic.iter().any(|v| v.trim_start().starts_with("auto-replied")) || holiday(fields) {
            return Some(Machine::Answer);
        }
        if !automatic.is_empty() {
            return Some(Machine::Automatic);
        }
        if all("return-path").any(|v| v.chars().filter(|c| !c.is_whitespace()).eq("<>".chars())) {
            return Some(Machine::NoReturn);
        }
        if ["list-id", "list-post", "list-unsubscribe"].iter().any(|n| fields.all(n).next().is_some())
            || all("precedence").any(|v| word(&v, "list"))
        {
            return Some(Machine::List);
        }
        if all("precedence").any(|v| word(&v, "bulk") || word(&v, "junk") || word(&v, "auto_reply")) {
            return Some(Machine::Bulk);
        }
        // Exchange puts this field into people's mails too, with words about receipts only.
        let answers = |v: String| v.split(',').any(|w| ["oof", "autoreply", "all"].contains(&w.trim()));
        all("x-auto-response-suppress").any(answers).then_some(Machine::Suppressed)
    }
}

/// A field that only answering programs write, or a holiday subject with any field about automatic answers.
fn holiday(fields: &Fields) -> bool {
    let no = |v: &str| v.trim().eq_ignore_ascii_case("no");
    let certain = ["x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from", "x-mail-autoreply"];
    if certain.iter().any(|n| fields.all(n).any(|v| !no(v))) {
        return true;
    }
    let subject = fields.all("subject").next().unwrap_or("").to_lowercase();
    let auto = |n: &str| n.starts_with("auto-") || n.starts_with("x-auto") || n == "x-vacation";
    HOLIDAY.iter().any(|h| subject.contains(h))
        && (fields.iter().any(|(n, v)| auto(n) && !no(v)) || fields.all("precedence").next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(head: &str) -> Option<Machine> {
        Machine::judge(&Fields::read(head.as_bytes()))
    }

    #[test]
    fn machines_and_people() {
        for (head, machine) in [
            ("Subject: hi", None),
            ("Auto-Submitted: no", None),
            ("auto-submitted: NO (a person)", None),
            ("Auto-Submitted: auto-generated", Some(Machine::Automatic)),
            ("Auto-Submitted: auto-notified; owner-email=\"a@example.org\"", Some(Machine::Automatic)),
            ("Auto-Submitted:\n auto-replied (vacation)", Some(Machine::Answer)),
            ("Auto-Submitted: auto-replied\nX-Countersign: 1", Some(Machine::Ours)),
            ("Precedence: bulk", Some(Machine::Bulk)),
            ("PRECEDENCE: Junk", Some(Machine::Bulk)),
            ("Precedence: list", Some(Machine::List)),
            ("Precedence: first-class", None),
            ("List-Id: <wargames.example.org>", Some(Machine::List)),
            ("X-Auto-Response-Suppress: All", Some(Machine::Suppressed)),
            ("X-Auto-Response-Suppress: DR, OOF, AutoReply", Some(Machine::Suppressed)),
            ("X-Auto-Response-Suppress: DR, RN, NRN", None),
            ("Return-Path: <>", Some(Machine::NoReturn)),
            ("Return-Path: < >", Some(Machine::NoReturn)),
            ("Return-Path: <anna@example.org>", None),
            ("Content-Type: multipart/report; report-type=delivery-status", Some(Machine::Report)),
            ("Subject: Out of office: turn 3\nX-Auto-Response-Suppress: All", Some(Machine::Answer)),
            ("Subject: Out of office: turn 3", None),
            ("Subject: Abwesenheitsnotiz\nPrecedence: bulk", Some(Machine::Answer)),
            ("X-Autoreply: yes", Some(Machine::Answer)),
        ] {
            assert_eq!(judge(head), machine, "{head}");
        }
    }
}
