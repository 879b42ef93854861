//! Mails made for tests: a payload, the ways it is written into a mail, and the samples in `tests/mail`.

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
