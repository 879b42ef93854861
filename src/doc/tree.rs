//! A YAML or JSON value of unknown type: the content of an answer before its question has read it.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::error::{Error, Result};

/// Deepest nesting taken.
const DEPTH: usize = 16;

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

    /// Reads JSON strictly: no fractions, no numbers beyond 64 bits, no key twice, depth 16, nothing behind.
    ///
    /// # Errors
    /// What is wrong and where.
    pub fn from_json(text: &str) -> Result<Tree> {
        serde_json::from_str(text).map_err(|e| Error::new(format!("this is no JSON of the kind used here: {e}")))
    }

    /// Reads a typed value from the tree.
    ///
    /// # Errors
    /// What does not fit the type.
    pub fn decode<T: de::DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(&self.to_json()).map_err(|e| {
            let text = e.to_string();
            let what = text.split(" at line ").next().unwrap_or(&text).to_owned();
            Error::new(what)
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
        if self.depth > DEPTH {
            return Err(de::Error::custom("this is nested deeper than 16 levels"));
        }
        from.deserialize_any(self)
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
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(TreeVisitor { depth: self.depth + 1 })? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Tree, A::Error> {
        let mut entries: Vec<(String, Tree)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(de::Error::custom(format!("`{key}` stands here twice")));
            }
            entries.push((key, map.next_value_seed(TreeVisitor { depth: self.depth + 1 })?));
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
        assert!(Tree::from_json(&deep(16)).is_ok());
        assert!(Tree::from_json(&deep(18)).is_err());
        assert!(Tree::from_json(&deep(20_000)).is_err());
    }
}
