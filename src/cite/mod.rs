//! Citations: which rule or ruling stands behind an event, a refusal, a modifier or a die.

use std::fmt;

use serde::Serialize;

/// The identity of a rule (`NAV-6.4`, `FHG-8.2`) or of a numbered ruling (`N04`, `L11`), as the book's table of contents lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Cite(pub &'static str);

impl fmt::Display for Cite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Every rule and ruling of the books of For Honor and Glory: naval, then land.
const TABLES: [&str; 2] = [include_str!("naval.toc"), include_str!("land.toc")];

/// One line of a table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Title {
    /// `NAV-6.4`, `N07`.
    pub id: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What it says, in one line.
    pub line: &'static str,
    /// Whether it is a heading or remark without force of its own.
    pub note: bool,
}

/// All rules and rulings, in printed order.
pub fn titles() -> impl Iterator<Item = Title> {
    TABLES.iter().flat_map(|table| table.lines()).filter(|l| !l.starts_with('#')).filter_map(|l| {
        let mut parts = l.split(" | ");
        let (id, title, line) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Title { id, title, line, note: parts.next() == Some("note") })
    })
}

/// Title and line of a rule or ruling; letters may be small.
#[must_use]
pub fn find(id: &str) -> Option<(&'static str, &'static str)> {
    titles().find(|t| t.id.eq_ignore_ascii_case(id.trim())).map(|t| (t.title, t.line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_line_of_the_table_is_read_and_no_id_stands_twice() {
        let ids: Vec<&str> = titles().map(|t| t.id).collect();
        let lines = TABLES.iter().flat_map(|t| t.lines()).filter(|l| !l.starts_with('#') && !l.is_empty());
        assert_eq!(ids.len(), lines.count());
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        assert_eq!(find("nav-6.7").map(|(title, _)| title), Some("sinking"));
        assert!(find("NAV-99").is_none());
    }

    #[test]
    fn every_line_fits_one_line_of_a_terminal_or_two() {
        for title in titles() {
            assert!(title.line.chars().count() <= 160, "{} has {} letters", title.id, title.line.chars().count());
        }
    }

    #[test]
    fn every_ruling_with_a_choice_says_its_alternative_and_no_other_does() {
        let naval = crate::books::honor::naval::Rulings::SWITCHES;
        let land = crate::books::honor::land::Rulings::SWITCHES;
        let switches: BTreeSet<&str> = naval.iter().chain(land).map(|switch| switch.number).collect();
        let told: BTreeSet<&str> = titles().filter(|t| t.line.contains("Alternative: ")).map(|t| t.id).collect();
        assert_eq!(told, switches);
    }
}
