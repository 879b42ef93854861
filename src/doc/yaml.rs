//! Strict YAML for people: text to typed values, or every problem with its place and its remedy
//! (`schemas/design.md`, 7).
//!
//! Three looks are taken, and the first that finds a fault ends the reading: [`super::lint`] at the characters, the
//! profile at the structure, and the types at the values, which refuse unknown keys (`deny_unknown_fields`).

use serde::de::DeserializeOwned;
use serde_yaml::options::{DuplicateKeyPolicy, MergeKeyPolicy};

use super::excerpt::Source;
use super::{lint, profile, reword};
use crate::error::Error;

/// Reads a typed document. `file` is the name shown in errors, `limit` the largest size in bytes.
///
/// # Errors
/// Every problem found (at most 20), each with line, column, the line itself and what to do. Problems of characters
/// hide those of structure, and those the first problem of a value against its type.
pub fn read<T: DeserializeOwned>(text: &str, file: &str, limit: usize) -> Result<T, Vec<Error>> {
    let text = lint::lint(text, file, limit)?;
    let source = Source { text, file };
    let faults = profile::check(source);
    if !faults.is_empty() {
        return Err(faults);
    }
    serde_yaml::from_str_with_options(text, options()).map_err(|fault| vec![reword::typed(&fault, source)])
}

/// Reads a typed document from a file's bytes, as [`read`] does.
///
/// # Errors
/// As [`read`], and if the bytes are no UTF-8.
pub fn read_bytes<T: DeserializeOwned>(bytes: &[u8], file: &str, limit: usize) -> Result<T, Vec<Error>> {
    if bytes.len() > limit {
        let what = format!("this file has {} bytes; the most here is {limit}", bytes.len());
        return Err(vec![Source { text: "", file }.whole(what).next("is it the right file?")]);
    }
    let text = lint::decode(bytes, file).map_err(|e| vec![e])?;
    read(text, file, limit)
}

/// The parser's own limits, a second wall behind the profile's.
fn options() -> serde_yaml::Options {
    serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_anchors: 0,
            max_aliases: 0,
            max_merge_keys: 0,
            max_documents: 1,
            max_depth: profile::DEPTH,
            max_nodes: profile::NODES,
            flow_nesting_limit: profile::DEPTH,
        },
        emit_comments: false,
        strict_indentation: true,
        strict_booleans: true,
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        reject_unsupported_tags: true,
        reject_tagged_field_names: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    }
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;
