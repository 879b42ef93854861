//! What mail programs are reported to have done to a mail on its way, each as a function from the mail that was sent to the
//! one that comes.

use countersign::doc::SignedFile;

use super::Numbers;
use super::mail::{SAMPLES, base64, clear, filled, mail, mangle, mixed, packet, qp, quoted, text, wrapped};

/// A mail as it was sent.
pub struct Letter {
    pub raw: Vec<u8>,
    pub files: Vec<SignedFile>,
}

/// What can be expected of a mangled mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrives {
    /// All its files.
    Whole,
    /// Some of them, or none.
    Perhaps,
    /// None.
    Not,
}

/// One way, where it was met, and what is left of the files.
pub struct Way {
    pub name: &'static str,
    pub arrives: Arrives,
    pub work: fn(&Letter, &mut Numbers) -> Vec<u8>,
}

fn armor(letter: &Letter) -> String {
    packet(&letter.files).armor()
}

fn each_line(body: &str, f: impl Fn(&str) -> String) -> String {
    body.lines().map(|l| f(l) + "\n").collect()
}

/// Lines broken at a blank, or where they are full.
fn wrap(body: &str, width: usize) -> String {
    let mut out = String::new();
    for line in body.lines() {
        let mut rest: Vec<char> = line.chars().collect();
        while rest.len() > width {
            let blank = rest[..=width].iter().rposition(|c| *c == ' ').filter(|at| *at > 3);
            let at = blank.unwrap_or(width);
            out.extend(&rest[..at]);
            out.push('\n');
            rest.drain(..at + usize::from(blank.is_some()));
        }
        out.extend(&rest);
        out.push('\n');
    }
    out
}

fn plain(charset: &str, encoding: &str, body: &str) -> String {
    mail(&format!("Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {encoding}\n"), body)
}

/// The mail as text, its bytes beyond ASCII as they are.
fn raw(letter: &Letter) -> String {
    String::from_utf8_lossy(&letter.raw).into_owned()
}

fn sample_of(letter: &Letter, n: &mut Numbers) -> Vec<u8> {
    let all: Vec<&str> = SAMPLES.iter().copied().filter(|s| !["holiday", "bounce"].contains(s)).collect();
    filled(all[n.below(u32::try_from(all.len()).unwrap()) as usize], &letter.files).into_bytes()
}

/// Every report of `mail mangling` this program was tried against, then what carries mails does by itself.
pub const WAYS: &[Way] = &[
    // mailvelope#200: Gmail wraps lines.
    Way { name: "wrapped", arrives: Arrives::Whole, work: |l, _| mail("", &wrap(&armor(l), 40)).into_bytes() },
    Way {
        name: "clear, wrapped at 78",
        arrives: Arrives::Perhaps,
        work: |l, _| mail("", &wrap(&clear(&l.files), 78)).into_bytes(),
    },
    Way {
        name: "clear, wrapped at 998",
        arrives: Arrives::Whole,
        work: |l, _| mail("", &wrap(&clear(&l.files), 998)).into_bytes(),
    },
    // openpgpjs#1548: line ends and trailing blanks.
    Way { name: "LF", arrives: Arrives::Whole, work: |l, _| raw(l).replace("\r\n", "\n").into_bytes() },
    Way { name: "CR", arrives: Arrives::Whole, work: |l, _| raw(l).replace("\r\n", "\r").into_bytes() },
    Way {
        name: "mixed line ends",
        arrives: Arrives::Whole,
        work: |l, _| {
            let ends = ["\n", "\r\n", "\n"];
            raw(l)
                .lines()
                .enumerate()
                .map(|(n, line)| format!("{line}{}", ends[n % 3]))
                .collect::<String>()
                .into_bytes()
        },
    },
    Way {
        name: "trailing blanks",
        arrives: Arrives::Whole,
        work: |l, _| mail("", &each_line(&armor(l), |line| format!("{line}  "))).into_bytes(),
    },
    // FlowCrypt#1736: dashes and footers.
    Way {
        name: "footer",
        arrives: Arrives::Whole,
        work: |l, _| mail("", &format!("{}-- \nBob\n", armor(l))).into_bytes(),
    },
    Way {
        name: "clear with footer",
        arrives: Arrives::Whole,
        work: |l, _| mail("", &format!("{}-- \nBob\n", clear(&l.files))).into_bytes(),
    },
    Way {
        name: "dash-escaped",
        arrives: Arrives::Whole,
        work: |l, _| mail("", &armor(l).replace("-----", "- -----")).into_bytes(),
    },
    // PgpCore#306: blank lines near the end.
    Way {
        name: "blank lines",
        arrives: Arrives::Whole,
        work: |l, n| {
            let blank = ["", "\n", "\n\n\n"][n.below(3) as usize];
            let body = clear(&l.files).replace("-----BEGIN", &format!("{blank}-----BEGIN"));
            mail("", &(body + blank)).into_bytes()
        },
    },
    // mail-parser#115: base64 text in multipart/mixed, UTF-8 and Japanese.
    Way {
        name: "base64 text",
        arrives: Arrives::Whole,
        work: |l, _| {
            let part = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n";
            mixed(&[part.to_owned() + &base64(clear(&l.files), 76)]).into_bytes()
        },
    },
    Way { name: "Japanese", arrives: Arrives::Whole, work: |l, _| filled("japanese", &l.files).into_bytes() },
    // mailparser#74: a text attachment glued to the chatter.
    Way { name: "glued", arrives: Arrives::Whole, work: |l, _| filled("glued", &l.files).into_bytes() },
    // Eressea intake: multipart in multipart.
    Way { name: "nested", arrives: Arrives::Whole, work: |l, _| filled("eressea", &l.files).into_bytes() },
    // email_reply_parser#23, #43: quoted, with a `wrote:` line over two lines.
    Way {
        name: "quoted",
        arrives: Arrives::Whole,
        work: |l, _| {
            let head = "On hex 0812: hold, I say.\n\nOn Sun, 1 Mar 2026 at 18:02, Anna with a long name\n<anna@example.org> wrote:\n\n";
            mail("", &(head.to_owned() + &quoted(&clear(&l.files)))).into_bytes()
        },
    },
    // bulk_extractor#364: quoted-printable not undone, once and twice.
    Way {
        name: "quoted-printable twice",
        arrives: Arrives::Whole,
        work: |l, _| plain("utf-8", "quoted-printable", &qp(qp(clear(&l.files)))).into_bytes(),
    },
    Way {
        name: "quoted-printable not said",
        arrives: Arrives::Whole,
        work: |l, _| plain("utf-8", "7bit", &qp(armor(l))).into_bytes(),
    },
    // eressea 2670, 2753: no-break blanks.
    Way {
        name: "no-break blanks",
        arrives: Arrives::Whole,
        work: |l, _| plain("utf-8", "8bit", &clear(&l.files).replace(' ', "\u{a0}")).into_bytes(),
    },
    // validatorjs#940: characters nobody sees, and a letter that looks like another.
    Way {
        name: "zero-width blanks",
        arrives: Arrives::Whole,
        work: |l, _| plain("utf-8", "8bit", &clear(&l.files).replace("game", "ga\u{200b}me")).into_bytes(),
    },
    Way {
        name: "Cyrillic letters",
        arrives: Arrives::Not,
        work: |l, _| plain("utf-8", "8bit", &clear(&l.files).replace("countersign", "сountersign")).into_bytes(),
    },
    // njudge#443: the first document broken, the others fine.
    Way {
        name: "first file broken",
        arrives: Arrives::Perhaps,
        work: |l, _| mail("", &clear(&l.files).replacen("sent:", "send:", 1)).into_bytes(),
    },
    // sympa#1354, njudge#284: an automatic answer that quotes everything.
    Way { name: "automatic answer", arrives: Arrives::Not, work: |l, _| filled("holiday", &l.files).into_bytes() },
    // Real mail programs, as they wrote, forwarded, quoted or listed it.
    Way { name: "another mail program", arrives: Arrives::Perhaps, work: sample_of },
    Way {
        name: "text alone",
        arrives: Arrives::Whole,
        work: |l, _| mail("", &format!("The attachment would not go.\n\n{}", armor(l))).into_bytes(),
    },
    Way {
        name: "anything three times",
        arrives: Arrives::Perhaps,
        work: |l, n| {
            let mut body = [armor(l), text(packet(&l.files).bytes()), clear(&l.files)][n.below(3) as usize].clone();
            for _ in 0..n.below(4) {
                if !body.is_empty() {
                    body = mangle(&body, n).0;
                }
            }
            wrapped(&body, n).into_bytes()
        },
    },
    Way {
        name: "cut off",
        arrives: Arrives::Perhaps,
        work: |l, n| l.raw[..n.below(u32::try_from(l.raw.len()).unwrap()) as usize].to_vec(),
    },
    Way {
        name: "a byte changed",
        arrives: Arrives::Perhaps,
        work: |l, n| {
            let mut raw = l.raw.clone();
            let at = n.below(u32::try_from(raw.len()).unwrap()) as usize;
            raw[at] = u8::try_from(32 + n.below(95)).unwrap();
            raw
        },
    },
    Way { name: "empty", arrives: Arrives::Not, work: |_, _| mail("", "").into_bytes() },
];
