//! A letter: what a player or host has to say, as a mail.
//!
//! Everything a mail is made of comes from the caller, its time too: the same letter is always the same bytes, and a
//! letter composed again after a crash has the same Message-ID, by which outbox and mail programs know it again.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use lettre::message::header::{self, ContentDisposition, ContentTransferEncoding, HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox, MultiPart, SinglePart};

use super::address::Address;
use super::clean;
use crate::error::{Error, Result};
use crate::seal::{Hasher, armor};
use crate::side::Seat;

/// Largest packet that also stands in the text, in bytes: Gmail shows the first 102 kB of a mail.
const ARMOURED: usize = 60 << 10;

/// Largest text of a report, in bytes.
const REPORT: usize = 200 << 10;

/// Largest letter, in bytes before encoding: many servers take 25 MB, encoding adds a third.
const LARGEST: usize = 18 << 20;

/// Most earlier mails named by one.
const THREAD: usize = 20;

/// Widest line that is sent as it is; others are encoded so that no server breaks them.
const WIDE: usize = 78;

/// Somebody who writes or is written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// The name to show, as the player gave it; may be empty.
    pub name: String,
    /// The address.
    pub address: Address,
}

/// What a letter is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A game is offered.
    Proposal,
    /// An offered game is accepted.
    Acceptance,
    /// The reader has to move.
    YourMove,
    /// The reader has to run the program, not to decide.
    YourDuty,
    /// Something came; nothing is to be done.
    Receipt,
    /// Something came and was not taken.
    Refused,
    /// Something is due soon or late.
    Reminder,
    /// What happened, for who only watches.
    News,
    /// The game is over.
    Over,
}

/// A file beside the packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosure {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub content: Content,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What a file beside the packet holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A page for a browser.
    Html,
    /// Anything else: to be saved, not shown.
    File,
}

/// What is to be said.
#[derive(Debug, Clone)]
pub struct Letter {
    /// Short id of the game, or of its proposal.
    pub game: String,
    /// What the game is called, and where it stands: `Wasp v Frolic - turn 3`.
    pub title: String,
    /// The seat that writes.
    pub seat: Seat,
    /// The step it writes in.
    pub step: u64,
    /// The number of its packet in that step.
    pub number: u32,
    /// What it is about.
    pub kind: Kind,
    /// Who writes.
    pub from: Party,
    /// Who is written to.
    pub to: Vec<Party>,
    /// What the reader does next.
    pub next: String,
    /// What happened.
    pub report: String,
    /// The packet's bytes, if one goes along.
    pub packet: Option<Vec<u8>>,
    /// Further files.
    pub enclosures: Vec<Enclosure>,
    /// Message-IDs of the mails before it, oldest first.
    pub thread: Vec<String>,
    /// Whether a program writes by itself: others that do, then do not answer it.
    pub automatic: bool,
    /// 0; 1, 2... for a letter sent again on purpose, which is another mail: some mail programs hide a second mail with
    /// an id they have seen.
    pub again: u32,
    /// When, by the caller's clock.
    pub sent: DateTime<Utc>,
}

/// A letter ready to go.
#[derive(Debug, Clone)]
pub struct Composed {
    /// The mail.
    pub message: lettre::Message,
    /// Its Message-ID, in angle brackets.
    pub id: String,
    /// A name for files that hold it.
    pub name: String,
    /// Its subject, for people.
    pub subject: String,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Proposal => "a game is offered to you",
            Kind::Acceptance => "the game is accepted",
            Kind::YourMove => "your move",
            Kind::YourDuty => "run the program, nothing to decide",
            Kind::Receipt => "your packet came",
            Kind::Refused => "your packet was not taken",
            Kind::Reminder => "a reminder",
            Kind::News => "what happened",
            Kind::Over => "the game is over",
        }
    }
}

/// Makes the mail.
///
/// # Errors
/// If nobody is written to, or it is larger than mail servers take.
pub fn compose(letter: &Letter) -> Result<Composed> {
    let size = letter.packet.iter().chain(letter.enclosures.iter().map(|e| &e.bytes)).map(Vec::len).sum::<usize>();
    if size > LARGEST {
        let what = format!("a letter of {} MB is larger than mail servers take", size >> 20);
        return Err(Error::new(what).next("send the files another way, or a packet without the whole log"));
    }
    let stem = format!("{}-{}-{:03}-{:03}", clean::file_name(&letter.game), letter.seat, letter.step, letter.number);
    let subject = subject(letter);
    let text = text(letter, &stem);
    let thread = thread(&letter.thread);
    let hash = fingerprint(letter, &subject, &text);
    let id = format!("<{stem}-{}@{}>", hash.get(..32).unwrap_or_default(), letter.from.address.domain());

    let mut message = lettre::Message::builder()
        .from(mailbox(&letter.from)?)
        .date(instant(letter.sent))
        .subject(subject.clone())
        .raw_header(raw("Message-ID", &id, &id))
        .raw_header(raw("X-Countersign", "1", "1"));
    for party in &letter.to {
        message = message.to(mailbox(party)?);
    }
    if let Some(last) = thread.last() {
        // One id a line: short enough for every server, and no encoder that knows better touches them.
        message = message.raw_header(raw("In-Reply-To", last, last)).raw_header(raw(
            "References",
            &thread.join(" "),
            &thread.join("\r\n "),
        ));
    }
    if letter.automatic {
        message = message.raw_header(raw("Auto-Submitted", "auto-generated", "auto-generated"));
    }

    // The boundary comes from a hash over every byte between boundaries: no text can contain it.
    let boundary = format!("countersign-{}", hash.get(32..).unwrap_or_default());
    let mut parts = MultiPart::mixed().boundary(boundary).singlepart(plain(&text)?);
    if let Some(packet) = &letter.packet {
        parts = parts.singlepart(attached(&format!("{stem}.packet"), Content::File, packet)?);
    }
    for file in &letter.enclosures {
        parts = parts.singlepart(attached(&clean::file_name(&file.name), file.content, &file.bytes)?);
    }
    let message = message.multipart(parts).map_err(|e| match e {
        lettre::error::Error::MissingTo => Error::new("this letter goes to nobody").next("name who gets it"),
        e => odd(&e.to_string()),
    })?;
    let name = format!("{stem}-{}", hash.get(..16).unwrap_or_default());
    Ok(Composed { message, id, name, subject })
}

/// What a person sorts by: the game first, then where it stands, then what to do.
fn subject(letter: &Letter) -> String {
    let (game, title) = (clean::line(&letter.game, 16), clean::line(&letter.title, 80));
    format!("[countersign {game}] {title}: {}", letter.kind.words())
}

/// The text: what to do next, what happened, how to read the packet, the packet.
fn text(letter: &Letter, stem: &str) -> String {
    let mut out = clean::lines(&letter.next, REPORT).trim().to_owned() + "\n";
    let report = clean::lines(&letter.report, REPORT);
    if !report.trim().is_empty() {
        let _ = write!(out, "\n{}\n", report.trim_matches('\n').trim_end());
    }
    let Some(packet) = &letter.packet else { return out };
    let attached = format!(
        "The packet is the attached file {stem}.packet. Save it into the folder `in` of your game\nand run `countersign adjudicate`."
    );
    if packet.len() > ARMOURED {
        let _ = write!(out, "\n{attached}\n");
    } else {
        let _ = write!(
            out,
            "\n{attached} If the file is missing, save this whole mail there:\nthe block below is the same packet.\n\n{}",
            armor(packet)
        );
    }
    out
}

/// Over all a mail says but when, and but which mails were before it: a letter composed again later is the same letter.
fn fingerprint(letter: &Letter, subject: &str, text: &str) -> String {
    let mut hasher = Hasher::new("countersign mail").text(subject).text(text);
    for party in std::iter::once(&letter.from).chain(&letter.to) {
        hasher = hasher.text(party.address.as_str()).text(&clean::name(&party.name));
    }
    hasher = hasher.bytes(letter.packet.as_deref().unwrap_or_default());
    for file in &letter.enclosures {
        hasher = hasher.text(&clean::file_name(&file.name)).bytes(&file.bytes);
    }
    hasher.int(u64::from(letter.automatic)).int(u64::from(letter.again)).done().to_string()
}

/// The last mails before this one. Their ids come from other people's programs: what is not plainly an id is left out.
fn thread(ids: &[String]) -> Vec<String> {
    let plain = |id: &&String| {
        let inner = id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or("");
        id.len() <= 250
            && inner.split_once('@').is_some_and(|(l, r)| !l.is_empty() && !r.is_empty())
            && inner.bytes().all(|b| b.is_ascii_graphic() && !b"<>(),;\"\\".contains(&b))
    };
    let plain: Vec<String> = ids.iter().filter(plain).cloned().collect();
    plain.get(plain.len().saturating_sub(THREAD)..).unwrap_or_default().to_vec()
}

fn mailbox(party: &Party) -> Result<Mailbox> {
    let address = party.address.as_str().parse();
    let address = address.map_err(|e| Error::new(format!("`{}` is no mail address: {e}", party.address)))?;
    let name = clean::name(&party.name);
    Ok(Mailbox::new(Some(name).filter(|n| !n.is_empty()), address))
}

/// A header of checked ASCII text, written as it is.
fn raw(name: &'static str, text: &str, folded: &str) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), text.to_owned(), folded.to_owned())
}

/// The time, within the years a mail's header can tell.
fn instant(time: DateTime<Utc>) -> SystemTime {
    let seconds = u64::try_from(time.timestamp()).unwrap_or(0);
    UNIX_EPOCH + Duration::from_secs(seconds.min(253_370_764_800))
}

/// The text part. Line ends are made here: lettre takes quadratic time for them.
fn plain(text: &str) -> Result<SinglePart> {
    let short = text.is_ascii() && text.lines().all(|l| l.len() <= WIDE);
    let encoding = if short { ContentTransferEncoding::SevenBit } else { ContentTransferEncoding::QuotedPrintable };
    let body = Body::new_with_encoding(text.replace('\n', "\r\n"), encoding);
    Ok(SinglePart::plain(body.map_err(|_| odd("its text"))?))
}

/// An attachment, always in base64: lettre sends bytes that happen to be ASCII as they are, with bare line feeds, and a
/// server that mends those (exim) destroys the file.
fn attached(name: &str, content: Content, bytes: &[u8]) -> Result<SinglePart> {
    let media = match content {
        Content::Html => "text/html; charset=utf-8",
        Content::File => "application/octet-stream",
    };
    let body = Body::new_with_encoding(bytes.to_vec(), ContentTransferEncoding::Base64);
    Ok(SinglePart::builder()
        .header(header::ContentType::parse(media).map_err(|e| odd(&e.to_string()))?)
        .header(ContentDisposition::attachment(name))
        .body(body.map_err(|_| odd(name))?))
}

fn odd(what: &str) -> Error {
    Error::new(format!("this letter cannot be made into a mail: {what}"))
}
