//! A YAML or JSON value of unknown type: the content of an answer before its question has read it.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::reword;
use crate::error::{Error, Result};

/// Most lists and maps inside one another.
const DEPTH: usize = super::profile::DEPTH;

/// A value. Maps keep the order in which their keys stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number; there are no others.
    Int(i64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// A map with text keys.
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// Canonical JSON: no blanks, keys in the order they stand, text escaped as RFC 8259 demands and no further
    /// (`\"`, `\\`, control characters as `\b \f \n \r \t` or `\u00xx`).
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads JSON strictly: no fractions, no numbers beyond 64 bits, no key twice, depth 32, nothing behind.
    ///
    /// # Errors
    /// What is wrong and where.
    pub fn from_json(text: &str) -> Result<Tree> {
        serde_json::from_str(text).map_err(|e| Error::new(format!("this is no JSON of the kind used here: {e}")))
    }

    /// Reads a typed value from the tree.
    ///
    /// # Errors
    /// What does not fit the type, and what is known there.
    pub fn decode<T: de::DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(&self.to_json()).map_err(|e| {
            let text = e.to_string();
            // The place is one in our own JSON, of no use to anybody; a message may itself have the words in it.
            let (what, next) = reword::serde(text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what));
            Error::new(what).next(next)
        })
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Tree::Null => to.serialize_unit(),
            Tree::Bool(b) => to.serialize_bool(*b),
            Tree::Int(i) => to.serialize_i64(*i),
            Tree::Text(s) => to.serialize_str(s),
            Tree::List(items) => {
                let mut seq = to.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Tree::Map(entries) => {
                let mut map = to.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Tree, D::Error> {
        from.deserialize_any(TreeVisitor { depth: 0 })
    }
}

#[derive(Clone, Copy)]
struct TreeVisitor {
    depth: usize,
}

impl<'de> de::DeserializeSeed<'de> for TreeVisitor {
    type Value = Tree;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<Tree, D::Error> {
        from.deserialize_any(self)
    }
}

impl TreeVisitor {
    /// The visitor of what stands inside this list or map.
    fn inside<E: de::Error>(self) -> std::result::Result<TreeVisitor, E> {
        if self.depth >= DEPTH {
            return Err(E::custom("this is nested deeper than 32 levels"));
        }
        Ok(TreeVisitor { depth: self.depth + 1 })
    }
}

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, a whole number, true or false, a list or a map")
    }
    fn visit_unit<E>(self) -> std::result::Result<Tree, E> {
        Ok(Tree::Null)
    }
    fn visit_none<E>(self) -> std::result::Result<Tree, E> {
        Ok(Tree::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, from: D) -> std::result::Result<Tree, D::Error> {
        de::DeserializeSeed::deserialize(self, from)
    }
    fn visit_bool<E>(self, b: bool) -> std::result::Result<Tree, E> {
        Ok(Tree::Bool(b))
    }
    fn visit_i64<E>(self, i: i64) -> std::result::Result<Tree, E> {
        Ok(Tree::Int(i))
    }
    fn visit_u64<E: de::Error>(self, i: u64) -> std::result::Result<Tree, E> {
        i64::try_from(i).map(Tree::Int).map_err(|_| E::custom("this number is too large"))
    }
    fn visit_f64<E: de::Error>(self, _: f64) -> std::result::Result<Tree, E> {
        Err(E::custom("only whole numbers are used here; put a label such as 1e3 in quotes"))
    }
    fn visit_str<E>(self, s: &str) -> std::result::Result<Tree, E> {
        Ok(Tree::Text(s.to_owned()))
    }
    fn visit_string<E>(self, s: String) -> std::result::Result<Tree, E> {
        Ok(Tree::Text(s))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Tree, A::Error> {
        let inside = self.inside()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inside)? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Tree, A::Error> {
        let inside = self.inside()?;
        let mut entries: Vec<(String, Tree)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(de::Error::custom(format!("`{key}` stands here twice")));
            }
            entries.push((key, map.next_value_seed(inside)?));
        }
        Ok(Tree::Map(entries))
    }
}

impl JsonSchema for Tree {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Content".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "The content of an answer; its form depends on the question." })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn json_is_canonical_both_ways_and_keeps_the_order_of_keys() {
        let text = r#"{"b":[1,-2,"x\n\"é"],"a":{"z":null,"y":true}}"#;
        assert_eq!(Tree::from_json(text).unwrap().to_json(), text);
    }

    #[test]
    fn fractions_doubles_depth_and_trailing_text_are_refused() {
        for bad in ["1.5", "1e3", "99999999999999999999", r#"{"a":1,"a":2}"#, "1 2", "", "[1,"] {
            assert!(Tree::from_json(bad).is_err(), "{bad}");
        }
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(Tree::from_json(&deep(32)).is_ok());
        assert!(Tree::from_json(&deep(33)).is_err());
        assert!(Tree::from_json(&deep(20_000)).is_err());
    }
    #[test]
    fn every_kind_of_number_but_64_bit_integers_is_refused() {
        for (text, n) in [("0", 0), ("-1", -1), ("9223372036854775807", i64::MAX), ("-9223372036854775808", i64::MIN)] {
            assert_eq!(Tree::from_json(text).unwrap(), Tree::Int(n));
        }
        for bad in
            ["9223372036854775808", "-9223372036854775809", "-0", "1.0", "1e0", "01", "+1", "0x1", ".5", "NaN", "1_0"]
        {
            assert!(Tree::from_json(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn typed_values_are_read_from_it_and_unknown_keys_refused() {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fire {
            starboard: String,
            #[serde(default)]
            range: u8,
        }
        let decode = |json: &str| Tree::from_json(json).unwrap().decode::<Fire>();
        assert_eq!(decode(r#"{"starboard":"any"}"#), Ok(Fire { starboard: "any".to_owned(), range: 0 }));
        for (json, what, next) in [
            (r#"{"starbord":"any"}"#, "`starbord` is not known here", "did you mean `starboard`?"),
            (r#"{}"#, "`starboard` is missing here", "add `starboard: ...`"),
            (r#"{"starboard":5}"#, "text belongs here, not the number 5", "put it in quotes"),
            (r#"{"starboard":"a","range":300}"#, "a whole number from 0 to 255 belongs here", ""),
            ("[]", "`starboard`", ""),
        ] {
            let error = decode(json).unwrap_err();
            if json != "[]" {
                assert!(error.what.starts_with(what), "{error}");
                assert!(error.next.starts_with(next), "{error}");
            }
        }
    }

    fn trees() -> impl Strategy<Value = Tree> {
        let leaf = prop_oneof![
            Just(Tree::Null),
            any::<bool>().prop_map(Tree::Bool),
            any::<i64>().prop_map(Tree::Int),
            "(?s).{0,6}".prop_map(Tree::Text),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Tree::List),
                proptest::collection::btree_map(".{0,4}", inner, 0..4).prop_map(|m| Tree::Map(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_tree_is_its_json(tree in trees()) {
            let json = tree.to_json();
            prop_assert_eq!(Tree::from_json(&json).unwrap(), tree.clone());
            prop_assert_eq!(tree.decode::<Tree>().unwrap(), tree);
        }

        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,60}", wild in "[\\[\\]{}:,0-9eE.\"x-]{0,40}") {
            for t in [text, wild] {
                if let Ok(tree) = Tree::from_json(&t) {
                    prop_assert_eq!(Tree::from_json(&tree.to_json()).unwrap(), tree);
                }
            }
        }
    }
}
