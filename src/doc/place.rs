//! Where every word of a YAML text stands, so that a rule's objection can point at it (`schemas/design.md`, 7).

use serde_yaml::granit_parser::{self, Event, Parser};

/// One word or group of a text, with the names and numbers that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Names from the top; items of a list by number from 0: `plot`, `markers`, `2`.
    pub path: Vec<String>,
    /// The word; empty for a list or group.
    pub text: String,
    /// Whether it is the name before a colon; otherwise what is behind it.
    pub name: bool,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A list or group that is not closed yet.
enum Open {
    List(usize),
    Group(Option<String>),
}

/// All words and groups of a text, in its order; those before the first fault of a text that cannot be parsed.
#[must_use]
pub fn spots(text: &str) -> Vec<Spot> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let options = granit_parser::options! {
        strict_indentation: true,
        disallow_directives: true,
        emit_comments: false,
        flow_nesting_limit: super::profile::DEPTH + 1,
        block_nesting_limit: super::profile::DEPTH + 1,
    };
    let (mut open, mut found): (Vec<Open>, Vec<Spot>) = (Vec::new(), Vec::new());
    for next in Parser::new_from_str_with_options(text, options) {
        let Ok((event, span)) = next else { break };
        if found.len() > super::profile::NODES {
            break;
        }
        let (word, opens) = match event {
            Event::Scalar(word, ..) => (word.to_string(), None),
            Event::SequenceStart(..) => (String::new(), Some(Open::List(0))),
            Event::MappingStart(..) => (String::new(), Some(Open::Group(None))),
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                settle(&mut open);
                continue;
            }
            _ => continue,
        };
        let name = opens.is_none() && matches!(open.last(), Some(Open::Group(None)));
        if let (true, Some(Open::Group(at))) = (name, open.last_mut()) {
            *at = Some(word.clone());
        }
        let path = open.iter().filter_map(step).collect();
        found.push(Spot { path, text: word, name, line: span.start.line(), column: span.start.col() + 1 });
        match opens {
            Some(group) => open.push(group),
            None if !name => settle(&mut open),
            None => {}
        }
    }
    found
}

fn step(open: &Open) -> Option<String> {
    match open {
        Open::List(n) => Some(n.to_string()),
        Open::Group(name) => name.clone(),
    }
}

/// After a value: the next item, or the next name.
fn settle(open: &mut [Open]) {
    match open.last_mut() {
        Some(Open::List(n)) => *n += 1,
        Some(Open::Group(name)) => *name = None,
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_path_line_and_column() {
        let text = "plot:\n  markers: [straight, stop]\n  at:\n    2: {lead: {id: x}}\nsay: é\n";
        let all = spots(text);
        let place = |path: &str, name: bool| {
            let found = all.iter().find(|s| s.path.join("/") == path && s.name == name);
            found.map(|s| (s.line, s.column, s.text.as_str()))
        };
        assert_eq!(place("plot/markers/1", false), Some((2, 23, "stop")));
        assert_eq!(place("plot/at/2", true), Some((4, 5, "2")));
        assert_eq!(place("plot/at/2/lead/id", true), Some((4, 16, "id")));
        assert_eq!(place("plot/at/2/lead/id", false), Some((4, 20, "x")));
        assert_eq!(place("say", true), Some((5, 1, "say")));
        assert_eq!(place("plot/at/3", true), None);
    }
}
