//! Text that YAML might take for something else: hexes and ids such as `5C`, `0407` or `1e3`.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// A label exactly as it was written, 1 to 64 characters without blanks at either end.
///
/// Without quotes the whole kind behaves alike (`schemas/design.md`, 7): what has one spelling to every parser is
/// taken as written (`5C`, `yes`, `12`, `true`); what has not (`0407`, `0x12`, `1e3`, `1_000`, `.5`, `~`) is refused by
/// [`super::yaml::read`] with the advice to put it in quotes; `null` and a blank are refused here.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(String);

impl Label {
    /// A label.
    ///
    /// # Errors
    /// What is wrong with the text: empty, over 64 characters, blanks at an end, or control characters.
    pub fn new(text: impl Into<String>) -> Result<Label, &'static str> {
        let text = text.into();
        match text.as_str() {
            "" => Err("a label is missing here"),
            t if t.chars().nth(64).is_some() => Err("a label has at most 64 characters"),
            t if t.trim() != t => Err("a label has no blanks before or behind it"),
            t if t.chars().any(char::is_control) => Err("a label has no control characters in it"),
            _ => Ok(Label(text)),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Label, D::Error> {
        from.deserialize_any(LabelVisitor)
    }
}

struct LabelVisitor;

impl Visitor<'_> for LabelVisitor {
    type Value = Label;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a label, such as \"5C\"")
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Label, E> {
        Label::new(text).map_err(E::custom)
    }
    // A number or truth value that gets this far has one spelling, which is the one it was written in.
    fn visit_i64<E: de::Error>(self, n: i64) -> Result<Label, E> {
        Label::new(n.to_string()).map_err(E::custom)
    }
    fn visit_u64<E: de::Error>(self, n: u64) -> Result<Label, E> {
        Label::new(n.to_string()).map_err(E::custom)
    }
    fn visit_bool<E: de::Error>(self, b: bool) -> Result<Label, E> {
        Label::new(b.to_string()).map_err(E::custom)
    }
}

impl JsonSchema for Label {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Label".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": 64 })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Tree, yaml};
    use super::*;

    /// Spellings one parser or another takes for a number, nothing, or true and false (reports.md, "YAML and ids").
    const SPELLINGS: [&str; 34] = [
        "0407",
        "0807",
        "0810",
        "0812",
        "0x12",
        "0X12",
        "0o12",
        "0b1",
        "1e3",
        "5E1",
        "017",
        "1_000",
        ".5",
        "5.",
        "+5",
        "-0",
        "-07",
        ".inf",
        ".nan",
        "~",
        "Null",
        "True",
        "yes",
        "no",
        "on",
        "off",
        "y",
        "null",
        "true",
        "5C",
        "12",
        "-3",
        "1.0",
        "99999999999999999999",
    ];
    const TAKEN: [&str; 10] = ["yes", "no", "on", "off", "y", "true", "5C", "12", "-3", "12"];

    fn read<T: de::DeserializeOwned>(text: &str) -> Option<T> {
        yaml::read(text, "f", 1000).ok()
    }

    #[test]
    fn every_spelling_has_one_outcome_as_value_item_and_key_and_never_another_label() {
        for s in SPELLINGS {
            let expected = TAKEN.contains(&s).then(|| Label(s.to_owned()));
            let value: Option<BTreeMap<String, Label>> = read(&format!("hex: {s}\n"));
            assert_eq!(value.and_then(|mut m| m.remove("hex")), expected, "value {s}");
            let item: Option<Vec<Label>> = read(&format!("- {s}\n"));
            assert_eq!(item.and_then(|mut l| l.pop()), expected, "item {s}");
            let flow: Option<Vec<Label>> = read(&format!("[{s}, x]\n"));
            assert_eq!(flow.and_then(|l| l.into_iter().next()), expected, "flow {s}");
            let key: Option<BTreeMap<Label, u8>> = read(&format!("{s}: 1\n"));
            assert_eq!(key.and_then(|m| m.into_keys().next()), expected, "key {s}");
        }
    }

    #[test]
    fn in_quotes_every_spelling_is_itself_for_labels_text_and_trees() {
        for s in SPELLINGS {
            for q in ['"', '\''] {
                let text = format!("{q}{s}{q}: {q}{s}{q}\n");
                let label = Label(s.to_owned());
                assert_eq!(read(&text), Some(BTreeMap::from([(label.clone(), label)])), "{text}");
                assert_eq!(read(&text), Some(BTreeMap::from([(s.to_owned(), s.to_owned())])), "{text}");
                assert_eq!(read(&text), Some(Tree::Map(vec![(s.to_owned(), Tree::Text(s.to_owned()))])), "{text}");
            }
        }
    }

    #[test]
    fn plain_text_fields_and_trees_agree_with_labels() {
        for s in SPELLINGS {
            let text = format!("hex: {s}\n");
            let string: Option<BTreeMap<String, String>> = read(&text);
            let expected = TAKEN.contains(&s).then(|| s.to_owned());
            assert_eq!(string.and_then(|mut m| m.remove("hex")), expected, "{s}");
            let tree: Option<Tree> = read(&text);
            let Some(Tree::Map(entries)) = tree else {
                assert!(!TAKEN.contains(&s) && s != "null", "{s}");
                continue;
            };
            let expected = match s {
                "null" => Tree::Null,
                "true" => Tree::Bool(true),
                "12" => Tree::Int(12),
                "-3" => Tree::Int(-3),
                s => Tree::Text(s.to_owned()),
            };
            assert_eq!(entries, [("hex".to_owned(), expected.clone())], "{s}");
            // From the tree to the label the spelling is kept too.
            if s != "null" {
                assert_eq!(expected.decode::<Label>().unwrap().as_str(), s);
            }
        }
    }

    #[test]
    fn the_advice_is_quotation_marks() {
        for s in ["0407", "0x12", "1e3", "~", "True"] {
            let errors = yaml::read::<Vec<Label>>(&format!("- {s}\n"), "f", 100).unwrap_err();
            assert!(errors[0].next.contains(&format!("\"{s}\"")), "{}", errors[0]);
        }
    }

    /// Eressea fdd44c8da: odd ids are refused or kept, never a crash.
    #[test]
    fn odd_ids() {
        for (text, fine) in [
            ("\"-1\"", true),
            ("999999999999", true),
            ("\"../x\"", true),
            ("\"\"", false),
            ("\" a\"", false),
            ("\"a\\nb\"", false),
        ] {
            assert_eq!(read::<Vec<Label>>(&format!("- {text}\n")).is_some(), fine, "{text}");
        }
        assert!(Label::new("x".repeat(65)).is_err());
    }
}
