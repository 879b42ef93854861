//! Printed tables: rows, columns, cells, and the rule that prints them.

use std::fmt;

use serde::Serialize;

use crate::cite::Cite;

/// A run of whole numbers, both ends included: a die row "2-5", an odds column, a strength band.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// The least.
    pub from: i32,
    /// The greatest.
    pub to: i32,
}

impl Span {
    /// From one number to another.
    #[must_use]
    pub const fn new(from: i32, to: i32) -> Span {
        Span { from, to }
    }

    /// One number.
    #[must_use]
    pub const fn one(n: i32) -> Span {
        Span { from: n, to: n }
    }

    /// Whether a number is in it.
    #[must_use]
    pub const fn has(self, n: i32) -> bool {
        self.from <= n && n <= self.to
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to { write!(f, "{}", self.from) } else { write!(f, "{}-{}", self.from, self.to) }
    }
}

/// A printed table, written in code as it stands in print, so that it can be proofread against it by eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chart<R: 'static, C: 'static, T: 'static> {
    /// Its printed title.
    pub title: &'static str,
    /// Where it is printed.
    pub cite: Cite,
    /// Heads of the columns, from the left.
    pub columns: &'static [C],
    /// Rows from the top: head and cells.
    pub rows: &'static [(R, &'static [T])],
}

/// A cell that was looked up, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Looked<R, C, T> {
    /// Head of the row.
    pub row: R,
    /// Head of the column.
    pub column: C,
    /// What stands there.
    pub cell: T,
    /// Where the table is printed.
    pub cite: Cite,
}

impl<R: Copy, C: Copy, T: Copy> Chart<R, C, T> {
    /// The cell in a row and column, both from 0.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> Option<Looked<R, C, T>> {
        let (head, cells) = self.rows.get(row)?;
        Some(Looked { row: *head, column: *self.columns.get(column)?, cell: *cells.get(column)?, cite: self.cite })
    }

    /// The cell of a row and a column by their heads; `None` if the table has no such row or column.
    #[must_use]
    pub fn cell(&self, row: R, column: C) -> Option<Looked<R, C, T>>
    where
        R: PartialEq,
        C: PartialEq,
    {
        let row = self.rows.iter().position(|(head, _)| *head == row)?;
        self.at(row, self.columns.iter().position(|head| *head == column)?)
    }

    /// Whether every row has a cell for every column, and no head stands twice; what a test asks of each table.
    #[must_use]
    pub fn is_whole(&self) -> bool
    where
        R: PartialEq,
        C: PartialEq,
    {
        let twice = |n: usize, row: &R| self.rows[..n].iter().any(|(head, _)| head == row);
        !self.columns.is_empty()
            && self.columns.iter().enumerate().all(|(n, head)| !self.columns[..n].contains(head))
            && self.rows.iter().enumerate().all(|(n, (row, cells))| cells.len() == self.columns.len() && !twice(n, row))
    }
}

impl<C: Copy, T: Copy> Chart<Span, C, T> {
    /// The row of a modified die: numbers above the last row count as the last, below the first as the first. `None` if
    /// it falls into a gap between rows.
    #[must_use]
    pub fn row_of(&self, n: i32) -> Option<usize> {
        let least = self.rows.iter().map(|(span, _)| span.from).min()?;
        let most = self.rows.iter().map(|(span, _)| span.to).max()?;
        self.rows.iter().position(|(span, _)| span.has(n.clamp(least, most)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HITS: Chart<Span, &str, u8> = Chart {
        title: "Hits",
        cite: Cite("X-1"),
        columns: &["1-2", "1-1", "2-1"],
        rows: &[(Span::new(-1, 0), &[0, 0, 1]), (Span::new(1, 4), &[0, 1, 2]), (Span::one(5), &[1, 2, 3])],
    };

    #[test]
    fn cells_are_found_by_heads_and_dice_are_held_within_the_rows() {
        assert!(HITS.is_whole());
        assert_eq!(HITS.cell(Span::one(5), "1-1").map(|l| (l.cell, l.cite)), Some((2, Cite("X-1"))));
        assert_eq!(HITS.cell(Span::one(6), "1-1"), None);
        assert_eq!(HITS.cell(Span::one(5), "3-1"), None);
        assert_eq!([-9, -1, 0, 1, 4, 5, 99].map(|n| HITS.row_of(n)), [0, 0, 0, 1, 1, 2, 2].map(Some));
        assert_eq!((Span::new(-1, 0).to_string(), Span::one(5).to_string()), ("-1-0".to_owned(), "5".to_owned()));
    }

    #[test]
    fn tables_with_holes_or_double_heads_are_told() {
        const SHORT: Chart<Span, &str, u8> = Chart { rows: &[(Span::one(1), &[1, 2])], ..HITS };
        const TWICE: Chart<Span, &str, u8> =
            Chart { rows: &[(Span::one(1), &[1, 2, 3]), (Span::one(1), &[1, 2, 3])], ..HITS };
        const GAP: Chart<Span, &str, u8> =
            Chart { rows: &[(Span::one(1), &[1, 2, 3]), (Span::one(3), &[1, 2, 3])], ..HITS };
        assert!(!SHORT.is_whole() && !TWICE.is_whole() && GAP.is_whole());
        assert_eq!(SHORT.at(0, 2), None);
        assert_eq!(GAP.row_of(2), None);
    }
}
