//! Every rule of the book's table of contents is cited by a rule case, or waived with a reason; no case cites what is not
//! there, or more than four rules.

use std::collections::BTreeSet;
use std::fs;

use countersign::cite;

fn cited() -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    let folders = ["tests/rules/naval", "tests/rules/land"];
    for entry in folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        for line in fs::read_to_string(&path).unwrap().lines() {
            if let Some(list) = line.trim().strip_prefix("cite: [").and_then(|l| l.strip_suffix(']')) {
                let ids = list.split(',').map(|id| id.trim().to_owned()).collect();
                all.push((path.display().to_string(), ids));
            }
        }
    }
    all
}

fn waived() -> BTreeSet<String> {
    let text = fs::read_to_string("tests/rules/waivers.txt").unwrap();
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    lines
        .map(|line| {
            let (id, reason) = line.split_once(' ').unwrap_or((line, ""));
            assert!(reason.chars().filter(|c| c.is_alphabetic()).count() >= 30, "{id}: a waiver gives its reason");
            id.to_owned()
        })
        .collect()
}

#[test]
fn every_rule_is_tested_or_waived() {
    let known: BTreeSet<&str> = cite::titles().map(|t| t.id).collect();
    let tested: BTreeSet<String> = cited().into_iter().flat_map(|(_, ids)| ids).collect();
    let waived = waived();
    let unknown: Vec<&String> = tested.iter().chain(&waived).filter(|id| !known.contains(id.as_str())).collect();
    assert!(unknown.is_empty(), "cited and in no table of contents: {unknown:?}");
    for book in ["NAV-", "FHG-"] {
        let rules: Vec<&str> = cite::titles().filter(|t| t.id.starts_with(book) && !t.note).map(|t| t.id).collect();
        let open: Vec<&&str> = rules.iter().filter(|id| !tested.contains(**id) && !waived.contains(**id)).collect();
        assert!(open.is_empty(), "neither tested nor waived: {open:?}");
        let waived = waived.iter().filter(|id| id.starts_with(book)).count();
        assert!(waived * 5 <= rules.len(), "{waived} of {} are waived", rules.len());
    }
    for (path, ids) in cited() {
        assert!((1..=4).contains(&ids.len()), "{path}: {ids:?}");
    }
}
