//! Mails made for tests: a payload, the ways it is written into a mail, and the samples in `tests/mail`.

use super::Numbers;
use base64::Engine as _;
use countersign::doc::{Packet, SignedFile};
use countersign::seal::{Namespace, SecretKey, Signature};

pub fn signed(key: u8, namespace: Namespace, document: &str) -> SignedFile {
    let signature = Signature::sign(&SecretKey::from_seed([key; 32]), namespace, document.as_bytes());
    SignedFile::from_parts(document.to_owned(), signature).unwrap()
}

/// Two files as players send them: written by the program, and one with a note, a list and letters beyond ASCII.
pub fn payload() -> Vec<SignedFile> {
    let orders = "countersign: 1\nkind: \"step\"\nseat: \"american\"\nstep: 3\nanswers:\n  \"t3/us/fire\": \"hold\"\n  \
                  \"t3/us/plot\": \"to=0812\"\nsay: \"Grüße, Bob; the wind is mine\"\nsent: \"2026-03-02T19:10:00Z\"\n";
    let notes = "# On hex 0812: hold\n---\ncountersign: 1\nkind: step\nseat: british\nstep: 3\norders:\n- unit: 0102\n  \
                 to: 0812\n- unit: 0103\n  to: 0407\n";
    vec![signed(1, Namespace::Orders, orders), signed(2, Namespace::Host, notes)]
}

pub fn packet(files: &[SignedFile]) -> Packet {
    Packet { files: files.iter().map(SignedFile::bytes).collect() }
}

pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// The files in clear, one below the other.
pub fn clear(files: &[SignedFile]) -> String {
    files.iter().map(|f| text(f.bytes())).collect::<Vec<_>>().join("\nand the next:\n\n")
}

pub fn base64(bytes: impl AsRef<[u8]>, width: usize) -> String {
    let all = base64::engine::general_purpose::STANDARD.encode(bytes);
    all.as_bytes().chunks(width.max(1)).map(|c| std::str::from_utf8(c).unwrap().to_owned() + "\n").collect()
}

/// Quoted-printable in lines of at most 76 characters.
pub fn qp(bytes: impl AsRef<[u8]>) -> String {
    let mut out = String::new();
    for line in bytes.as_ref().split_inclusive(|b| *b == b'\n') {
        let (line, end) = line.strip_suffix(b"\n").map_or((line, ""), |l| (l, "\n"));
        let mut length = 0;
        for (n, &b) in line.iter().enumerate() {
            let last = n + 1 == line.len();
            let plain = b.is_ascii_graphic() && b != b'=' || b == b' ' && !last;
            let code = if plain { char::from(b).to_string() } else { format!("={b:02X}") };
            if length + code.len() > 75 {
                out.push_str("=\n");
                length = 0;
            }
            length += code.len();
            out.push_str(&code);
        }
        out.push_str(end);
    }
    out
}

pub fn quoted(text: &str) -> String {
    text.lines().map(|l| if l.is_empty() { ">\n".to_owned() } else { format!("> {l}\n") }).collect()
}

/// A line in a `<div>` of its own, as web mailers write what was pasted.
pub fn html(text: &str) -> String {
    let escape = |l: &str| l.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace("  ", "&nbsp; ");
    text.lines()
        .map(|l| if l.is_empty() { "<div><br></div>\n".to_owned() } else { format!("<div>{}</div>\n", escape(l)) })
        .collect()
}

pub fn sample(name: &str) -> String {
    std::fs::read_to_string(format!("tests/mail/{name}.eml")).unwrap()
}

pub const SAMPLES: [&str; 17] = [
    "applemail",
    "bounce",
    "digest",
    "eressea",
    "forwarded",
    "glued",
    "gmail",
    "gmx",
    "holiday",
    "iphone",
    "japanese",
    "list",
    "mailcmd",
    "nomime",
    "ours",
    "outlook",
    "thunderbird",
];

/// A sample with the files where it has its marks (`@@ARMOR@@` and the like).
pub fn filled(name: &str, files: &[SignedFile]) -> String {
    let packet = packet(files);
    let armor = packet.armor();
    let japanese = [b"\x1b$B8^J,\x1b(B\n".as_slice(), armor.as_bytes()].concat();
    let places = [
        ("@@ARMOR@@", armor.clone()),
        ("@@QUOTED@@", quoted(&armor)),
        ("@@QUOTED_QP@@", qp(quoted(&armor))),
        ("@@ARMOR_BASE64@@", base64(&armor, 76)),
        ("@@BASE64@@", base64(packet.bytes(), 76)),
        ("@@PACKET@@", text(packet.bytes())),
        ("@@CLEAR@@", clear(files)),
        ("@@CLEAR_QP@@", qp(clear(files))),
        ("@@HTML_QP@@", qp(html(&armor))),
        ("@@JP_BASE64@@", base64(japanese, 60)),
    ];
    places.iter().fold(sample(name), |mail, (place, with)| mail.replace(place, with.trim_end()))
}

/// A mail with one part.
pub fn mail(fields: &str, body: &str) -> String {
    format!(
        "From: anna@example.org\nTo: bob@example.org\nSubject: turn 3\nMessage-ID: <1@example.org>\n{fields}\n{body}"
    )
}

/// A mail of several parts, each with its head.
pub fn mixed(parts: &[String]) -> String {
    let body: String = parts.iter().map(|p| format!("--=_b\n{p}\n")).collect();
    mail("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"=_b\"\n", &format!("{body}--=_b--\n"))
}

/// What mail programs do to text, by number; whether it keeps what an armoured block is made of.
pub fn mangle(text: &str, n: &mut Numbers) -> (String, bool) {
    let lines = |f: &dyn Fn(&str) -> String| text.lines().map(|l| f(l) + "\n").collect::<String>();
    let spot = |n: &mut Numbers| {
        let at = n.below(u32::try_from(text.len()).unwrap()) as usize;
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    };
    match n.below(20) {
        0 => (quoted(text), true),
        1 => (lines(&|l| format!(">{l}")), true),
        2 => (text.replace(' ', "\u{a0}"), true),
        3 => (lines(&|l| format!("{l}  ")), true),
        4 => (lines(&|l| l.trim_end().to_owned()), true),
        5 => (lines(&|l| format!(" {l}")), true),
        6 => (lines(&|l| format!("    {l}")), true),
        7 => (format!("Hi Bob,\n\nOn Sunday you wrote:\n{text}-- \nAnna\n"), true),
        8 => (text.replace("-----", "\u{2014}\u{2014}-"), true),
        9 => (lines(&|l| if l.starts_with('-') { format!("- {l}") } else { l.to_owned() }), true),
        10 => (text.replace('"', "\u{201d}"), true),
        11 => {
            let width = 40 + n.below(60) as usize;
            let cut = |l: &str| -> String {
                let all: Vec<char> = l.chars().collect();
                all.chunks(width).map(|c| c.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
            };
            (lines(&cut), true)
        }
        12 => {
            let mut out = text.to_owned();
            out.insert(spot(n), '\u{200b}');
            (out, true)
        }
        13 => (format!("\u{feff}{text}"), true),
        14 => (text.replace('\n', "\n\n"), true),
        15 => (text.bytes().map(char::from).collect(), true),
        16 => (text[..spot(n)].to_owned(), false),
        17 => {
            let at = spot(n);
            (format!("{}{}", &text[..at], text[at..].chars().skip(1).collect::<String>()), false)
        }
        18 => (text.replacen("a", "b", 1), false),
        _ => (text.lines().rev().map(|l| l.to_owned() + "\n").collect(), false),
    }
}

/// Puts text into a mail somehow.
pub fn wrapped(body: &str, n: &mut Numbers) -> String {
    let charset = ["utf-8", "us-ascii", "windows-1252", "iso-2022-jp", "utf-16", "x"][n.below(6) as usize];
    let is_html = n.below(4) == 0;
    let body = if is_html { html(body) } else { body.to_owned() };
    let kind = if is_html { "html" } else { ["plain", "plain; format=flowed", "yaml"][n.below(3) as usize] };
    let bytes: Vec<u8> = if charset == "utf-16" {
        body.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else {
        body.clone().into_bytes()
    };
    let (encoding, content) = match n.below(if charset == "utf-16" { 1 } else { 4 }) {
        0 => ("base64", base64(bytes, 20 + n.below(60) as usize)),
        1 => ("quoted-printable", qp(bytes)),
        2 => ("quoted-printable", qp(qp(bytes))),
        _ => ("8bit", body),
    };
    let head = format!("Content-Type: text/{kind}; charset={charset}\nContent-Transfer-Encoding: {encoding}\n");
    let mut whole = match n.below(4) {
        0 => mixed(&["\njust a word".to_owned(), format!("{head}\n{content}")]),
        1 => mixed(&[
            format!("{head}Content-Disposition: attachment; filename=x.bin\n\n{content}"),
            "\nfooter".to_owned(),
        ]),
        2 => mixed(&[format!("Content-Type: message/rfc822\n\n{}", mail(&head, &content))]),
        _ => mail(&head, &content),
    };
    for _ in 0..n.below(3) {
        whole = mixed(&[format!("Content-Type: message/rfc822\n\n{whole}")]);
    }
    whole.replace('\n', ["\n", "\r\n", "\r"][n.below(3) as usize])
}
