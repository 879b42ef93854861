//! The text of an HTML mail, as far as orders and blocks are concerned: lines, blanks and characters, nothing else.

/// Tags that begin or end a line.
const LINES: [&str; 18] = [
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "tr",
    "td",
    "table",
    "pre",
    "blockquote",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "section",
    "article",
    "body",
];

/// Tags whose content nobody sees.
const UNSEEN: [&str; 4] = ["style", "script", "title", "template"];

/// What stands in a HTML text. `keep` takes the line ends and blanks of the source as they are, as in `<pre>`.
pub(super) fn text(html: &str, keep: bool) -> String {
    let mut out = String::with_capacity(html.len() / 2);
    let mut rest = html;
    let (mut pre, mut next) = (0usize, html.find('>'));
    while let Some(at) = rest.find(['<', '&']) {
        let (before, here) = rest.split_at(at);
        put(&mut out, before, keep || pre > 0);
        if here.starts_with('&') {
            let (c, after) = entity(here);
            out.push(c);
            rest = after;
            continue;
        }
        if let Some(comment) = here.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        // Every `>` is looked for once: the many `<` of a hostile text must not each scan to its end.
        let start = html.len() - here.len();
        if next.is_some_and(|n| n < start) {
            next = here.find('>').map(|n| start + n);
        }
        let end = next.map(|n| n - start);
        let inside = end.and_then(|end| here.get(1..end)).filter(|t| is_tag(t));
        let (Some(inside), Some(end)) = (inside, end) else {
            out.push('<');
            rest = here.get(1..).unwrap_or("");
            continue;
        };
        rest = here.get(end + 1..).unwrap_or("");
        let name: String = inside.chars().skip_while(|c| *c == '/').take_while(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        if name == "pre" {
            pre = if inside.starts_with('/') { pre.saturating_sub(1) } else { pre + 1 };
        }
        if name == "br" || LINES.contains(&name.as_str()) && !out.is_empty() && !out.ends_with('\n') {
            if !keep && pre == 0 {
                out.truncate(out.trim_end_matches(' ').len());
            }
            out.push('\n');
        }
        if UNSEEN.contains(&name.as_str()) && !inside.starts_with('/') {
            rest = past(rest, &name);
        }
    }
    put(&mut out, rest, keep || pre > 0);
    out
}

/// `a`, `/a`, `!doctype`, `o:p`: what may stand between `<` and `>`. An address is none.
fn is_tag(inside: &str) -> bool {
    let word = inside.trim_start_matches(['/', '!', '?']);
    let name: String = word.chars().take(60).take_while(|c| !c.is_ascii_whitespace() && *c != '/').collect();
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('@')
}

/// The text behind the end of an unseen tag's content.
fn past<'a>(rest: &'a str, name: &str) -> &'a str {
    let mut from = rest;
    while let Some((_, after)) = from.split_once("</") {
        if after.get(..name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name)) {
            return after.split_once('>').map_or("", |(_, after)| after);
        }
        from = after;
    }
    ""
}

/// Text between tags; outside `<pre>` blanks and line ends are one blank, and none at the start of a line.
fn put(out: &mut String, text: &str, keep: bool) {
    if keep {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match c {
            ' ' | '\t' | '\n' => {
                if !out.is_empty() && !out.ends_with([' ', '\n']) {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
}

/// The character of an entity at the start of a text, and what follows; of anything else the `&`.
fn entity(text: &str) -> (char, &str) {
    let none = ('&', text.get(1..).unwrap_or(""));
    let Some(end) = text.bytes().take(12).position(|b| b == b';') else { return none };
    let (Some(name), Some(after)) = (text.get(1..end), text.get(end + 1..)) else { return none };
    let code = |digits: &str, base| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
    let c = match name {
        "nbsp" => Some('\u{a0}'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "shy" => Some('\u{ad}'),
        "zwnj" => Some('\u{200c}'),
        "ensp" | "emsp" | "thinsp" => Some('\u{2002}'),
        "ndash" => Some('–'),
        "mdash" => Some('—'),
        "lsquo" => Some('‘'),
        "rsquo" => Some('’'),
        "ldquo" => Some('“'),
        "rdquo" => Some('”'),
        "hellip" => Some('…'),
        "auml" => Some('ä'),
        "ouml" => Some('ö'),
        "uuml" => Some('ü'),
        "Auml" => Some('Ä'),
        "Ouml" => Some('Ö'),
        "Uuml" => Some('Ü'),
        "szlig" => Some('ß'),
        "eacute" => Some('é'),
        "egrave" => Some('è'),
        "agrave" => Some('à'),
        "ccedil" => Some('ç'),
        "copy" => Some('©'),
        "plus" => Some('+'),
        "equals" => Some('='),
        "sol" => Some('/'),
        "Tab" => Some('\t'),
        "NewLine" => Some('\n'),
        _ => match name.strip_prefix('#') {
            Some(hex) if hex.starts_with(['x', 'X']) => code(hex.get(1..).unwrap_or(""), 16),
            Some(decimal) => code(decimal, 10),
            None => None,
        },
    };
    c.map_or(none, |c| (c, after))
}

/// Whether a text that is not declared as HTML looks like it.
pub(super) fn is_html(text: &str) -> bool {
    let marks = ["<br", "<BR", "<pre", "<PRE", "</p>", "</P>", "</div>", "</DIV>", "&nbsp;", "&gt;", "&#"];
    marks.iter().any(|m| text.contains(m))
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn lines_blanks_and_entities() {
        let html =
            "<html><style>p{}</style><body><p>a:&nbsp;1</p>\n<p>b:\n  2<br>c &lt;&amp;&#43;&#x2f;</p><!-- x --></body>";
        assert_eq!(text(html, false), "a:\u{a0}1\nb: 2\nc <&+/\n");
        assert_eq!(text("<div>a</div><div><br></div><div>b</div>", false), "a\n\nb\n");
        assert_eq!(text("<pre>a\n  b</pre>c", false), "a\n  b\nc");
        assert_eq!(text("a < b & c <", false), "a < b & c <");
        assert_eq!(text("On Monday <a@example.org> wrote", false), "On Monday <a@example.org> wrote");
    }

    #[test]
    fn hostile_markup_takes_no_time() {
        for piece in ["<a", "<a@", "<a@<>", "<script>", "</", "<!--", "&", "<style><", "<b>"] {
            let text_of = piece.repeat(1_000_000 / piece.len());
            let _ = (text(&text_of, false), text(&text_of, true));
        }
    }
}
