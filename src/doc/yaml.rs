//! Strict YAML for people.

use serde::de::DeserializeOwned;

use crate::error::{Error, Place};

/// Reads a typed document. `file` is the name shown in errors, `limit` the largest size in bytes.
///
/// # Errors
/// Every problem found, each with its place.
pub fn read<T: DeserializeOwned>(text: &str, file: &str, limit: usize) -> Result<T, Vec<Error>> {
    if text.len() > limit {
        return Err(vec![Error::new(format!("`{file}` has {} bytes; the most is {limit}", text.len()))]);
    }
    serde_yaml::from_str(text).map_err(|e| {
        let place = Place { file: file.to_owned(), ..Place::default() };
        vec![Error::new(e.to_string()).at(place)]
    })
}
