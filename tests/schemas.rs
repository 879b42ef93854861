//! The schemas that are shipped are those of the types.
#![cfg(feature = "cli")]

use std::fs;

#[test]
fn shipped_schemas_are_those_of_the_types() {
    for (name, text) in countersign::cli::schemas() {
        let shipped = fs::read_to_string(format!("schemas/{name}")).unwrap_or_default();
        assert_eq!(shipped, text, "schemas/{name} is stale: run `countersign schema`");
    }
}
