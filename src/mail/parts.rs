//! The parts of a mail: every layer of MIME walked once, with a limit on everything that can be nested or repeated.
//!
//! The walk is this program's own. A general parser keeps all parts, nests a mail in a mail as often as it is told
//! to, and looks for each boundary to the end of the mail: 25 MB of hostile mail cost it minutes or the stack.

use std::borrow::Cow;

use mail_parser::{ContentType, MessageParser, MimeHeaders as _};

use super::{decode, head};

/// Deepest nesting of parts and mails taken.
const DEEPEST: usize = 20;

/// Most parts looked at.
const MOST: usize = 1000;

/// Largest part taken, decoded, in bytes.
pub(super) const LARGEST: usize = 8 << 20;

/// Most bytes of a part's head that are looked at.
const HEAD: usize = 16 << 10;

/// One part that holds no others, its transfer encoding undone.
pub(super) struct Part<'a> {
    /// The content; line ends as they are in it.
    pub(super) body: Cow<'a, [u8]>,
    /// The content as it stood there, if it claims an encoding: some claim one they do not have.
    pub(super) undecoded: Option<&'a [u8]>,
    /// The name of its file.
    pub(super) name: Option<String>,
    /// The charset it claims.
    pub(super) charset: Option<String>,
    /// Declared as HTML.
    pub(super) html: bool,
    /// A file of its own rather than text of the mail.
    pub(super) attached: bool,
}

/// A walk over the parts of one mail.
pub(super) struct Walk<'v> {
    visit: &'v mut dyn FnMut(&Part<'_>),
    parts: usize,
    /// Bytes of mails that had to be decoded before they could be walked.
    unpacked: usize,
    notes: Vec<String>,
}

/// What the head of a part says that matters here.
#[derive(Default)]
struct Mime {
    kind: String,
    subtype: String,
    boundary: Option<String>,
    charset: Option<String>,
    encoding: String,
    name: Option<String>,
    attached: bool,
}

impl<'v> Walk<'v> {
    /// Shows every part of a mail (LF line ends) to `visit`, in the order in which they stand. Returns what was left
    /// out and why.
    pub(super) fn over(raw: &[u8], visit: &'v mut dyn FnMut(&Part<'_>)) -> Vec<String> {
        let mut walk = Walk { visit, parts: 0, unpacked: 0, notes: Vec::new() };
        walk.entity(raw, 0, false);
        walk.notes
    }

    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|n| n == note) {
            self.notes.push(note.to_owned());
        }
    }

    /// One mail or part with its head. In a digest a part without a type is a mail.
    fn entity(&mut self, raw: &[u8], depth: usize, digest: bool) {
        self.parts += 1;
        if self.parts > MOST {
            return self.note("this mail has more than 1,000 parts; the rest was not looked at");
        }
        if depth > DEEPEST {
            return self.note("mails are nested in this mail more than 20 deep; the inmost were not looked at");
        }
        // A part, unlike a mail, may begin with the empty line that ends an empty head.
        let (head, body) = match raw.strip_prefix(b"\n") {
            Some(body) if depth > 0 => (&b""[..], body),
            _ => head::split(raw),
        };
        let mime = Mime::read(head, digest);
        match (mime.kind.as_str(), mime.subtype.as_str()) {
            ("multipart", "report") => self.note(
                "this mail holds a report of a mail server; what such a report quotes is not read. \
                 If your mail did not arrive, send it again",
            ),
            ("multipart", "encrypted") | ("application", "pkcs7-mime" | "x-pkcs7-mime") => self.note(
                "a part of this mail is encrypted and was not read: open it in the mail program, save the attached \
                 packet, and give that file",
            ),
            ("multipart", subtype) => self.multipart(&mime, body, depth, subtype == "digest"),
            ("message", "partial") => self.note(
                "this mail is a piece of a larger one that was cut up on its way: ask for the packet in a smaller mail",
            ),
            ("message", "delivery-status" | "disposition-notification" | "feedback-report") => {}
            ("message", _) if mime.encoding.is_empty() => self.entity(body, depth + 1, false),
            ("message", _) => match mime.decoded(body) {
                Some(inner) => self.unpacked(&inner, depth),
                None => self.too_large(),
            },
            _ => self.leaf(&mime, body, depth),
        }
    }

    fn too_large(&mut self) {
        self.note("a part of this mail is larger than any packet (8 MB) and was not looked at");
    }

    /// A mail that came encoded in a part. All of these together are held to one limit, since each is a copy.
    fn unpacked(&mut self, inner: &[u8], depth: usize) {
        self.unpacked += inner.len();
        if self.unpacked > LARGEST * 2 {
            return self.too_large();
        }
        self.entity(&decode::lf(inner), depth + 1, false);
    }

    fn leaf(&mut self, mime: &Mime, body: &[u8], depth: usize) {
        let undecoded = (!mime.encoding.is_empty()).then_some(body);
        let Some(body) = mime.decoded(body) else { return self.too_large() };
        // A saved mail that was attached under another type.
        let saved = mime.name.as_deref().is_some_and(|n| n.to_ascii_lowercase().ends_with(".eml"));
        if saved {
            return self.unpacked(&body, depth);
        }
        let text = matches!(mime.kind.as_str(), "" | "text");
        let part = Part {
            body,
            undecoded,
            name: mime.name.clone(),
            charset: mime.charset.clone(),
            html: mime.subtype == "html",
            attached: mime.attached || mime.name.is_some() || !text,
        };
        (self.visit)(&part);
    }

    fn multipart(&mut self, mime: &Mime, body: &[u8], depth: usize, digest: bool) {
        // Some programs lose the boundary from the head; the first line that can be one is it.
        let first = body.trim_ascii_start();
        let guess = || {
            let line = first.split(|b| *b == b'\n').next()?.strip_prefix(b"--")?;
            String::from_utf8(line.trim_ascii_end().to_vec()).ok().filter(|b| !b.is_empty() && b.len() <= 200)
        };
        let boundary = mime.boundary.clone().or_else(guess).unwrap_or_default();
        let mark = [b"--", boundary.trim_end().as_bytes()].concat();
        let (mut start, mut at, mut seen) = (0, 0, false);
        let mut loose = Vec::new();
        for line in body.split_inclusive(|b| *b == b'\n') {
            let next = at + line.len();
            let tail = line.strip_prefix(mark.as_slice()).map(<[u8]>::trim_ascii);
            if !boundary.is_empty() && matches!(tail, Some(b"" | b"--")) {
                // The line end before a boundary belongs to it.
                let piece = body.get(start..at).unwrap_or_default();
                let piece = piece.strip_suffix(b"\n").unwrap_or(piece);
                if seen {
                    self.entity(piece, depth + 1, digest);
                } else {
                    loose.extend_from_slice(piece);
                }
                if self.parts > MOST {
                    return;
                }
                start = next;
                seen = tail == Some(b"");
            }
            at = next;
        }
        let rest = body.get(start..).unwrap_or_default();
        if seen {
            // The end was cut off: what there is counts as the last part.
            self.entity(rest, depth + 1, digest);
        } else {
            loose.push(b'\n');
            loose.extend_from_slice(rest);
        }
        // Text before the first and behind the last boundary: list servers and old programs write there.
        if !loose.trim_ascii().is_empty() {
            self.leaf(&Mime::default(), &loose, depth);
        }
    }
}

impl Mime {
    fn read(head: &[u8], digest: bool) -> Mime {
        let block = [head.get(..head.len().min(HEAD)).unwrap_or(head), b"\n\n"].concat();
        let message = MessageParser::default().parse_headers(&block);
        let mut mime = Mime::default();
        let Some(message) = message else {
            return Mime::default().or_mail(digest);
        };
        let attribute = |kind: Option<&ContentType<'_>>, name| {
            kind.and_then(|k| k.attribute(name)).map(str::to_owned).filter(|v| !v.trim().is_empty())
        };
        let kind = message.content_type();
        mime.kind = kind.map(|k| k.ctype().to_ascii_lowercase()).unwrap_or_default();
        mime.subtype = kind.and_then(|k| k.subtype()).unwrap_or_default().to_ascii_lowercase();
        mime.boundary = attribute(kind, "boundary");
        mime.charset = attribute(kind, "charset");
        let disposition = message.content_disposition();
        mime.attached = disposition.is_some_and(|d| d.ctype().eq_ignore_ascii_case("attachment"));
        mime.name = attribute(disposition, "filename").or_else(|| attribute(kind, "name"));
        let encoding = message.content_transfer_encoding().unwrap_or("").trim().to_ascii_lowercase();
        mime.encoding = match encoding.as_str() {
            "base64" | "quoted-printable" => encoding,
            _ => String::new(),
        };
        mime.or_mail(digest)
    }

    fn or_mail(mut self, digest: bool) -> Mime {
        if digest && self.kind.is_empty() {
            self.kind = "message".to_owned();
            self.subtype = "rfc822".to_owned();
        }
        self
    }

    /// The content, or nothing if it is too large.
    fn decoded<'a>(&self, body: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        // Encoded, it may be three times as large at most.
        if body.len() > LARGEST * 3 {
            return None;
        }
        let body: Cow<'a, [u8]> = match self.encoding.as_str() {
            "base64" => decode::base64(body).into(),
            "quoted-printable" => decode::quoted_printable(body).into(),
            _ => body.into(),
        };
        (body.len() <= LARGEST).then_some(body)
    }
}
