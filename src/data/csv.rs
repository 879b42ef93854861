//! Tables that were typed in a spreadsheet: commas, semicolons or tabs, as the spreadsheet saves them. Every cell keeps its
//! line and column, which the readers at hand do not, and every fault is named at once.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Place};

/// A column a table may have.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its head.
    pub name: &'static str,
    /// Whether the table must have it.
    pub needed: bool,
}

/// A column a table must have.
pub const fn needed(name: &'static str) -> Column {
    Column { name, needed: true }
}

/// A column that may be left out.
pub const fn optional(name: &'static str) -> Column {
    Column { name, needed: false }
}

/// A cell: its text without blanks around it, and where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    text: String,
    line: usize,
    column: usize,
}

/// One row of a table, and what is wrong with it.
#[derive(Debug)]
pub struct Row<'a> {
    file: &'a str,
    /// The line it begins in, from 1.
    pub line: usize,
    cells: BTreeMap<&'static str, Cell>,
}

/// Splits a text into rows of cells; blank lines and lines that begin with `#` do not count.
fn split(text: &str, file: &str, faults: &mut Vec<Error>) -> Vec<Vec<Cell>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let head = text.lines().find(|l| !l.trim().is_empty() && !l.starts_with('#')).unwrap_or("");
    let separator = [';', '\t', ','].into_iter().max_by_key(|c| head.matches(*c).count()).unwrap_or(',');
    let mut rows = Vec::new();
    let (mut row, mut cell): (Vec<Cell>, Option<Cell>) = (Vec::new(), None);
    let (mut line, mut column, mut quoted, mut chars) = (1, 1, false, text.chars().peekable());
    let (mut fresh, mut comment) = (true, false);
    while let Some(c) = chars.next() {
        if fresh && c == '#' {
            comment = true;
        }
        fresh = false;
        let (at_line, at_column) = (line, column);
        let here = || Cell { text: String::new(), line: at_line, column: at_column };
        match c {
            '\n' if !quoted => {
                if !comment {
                    row.push(cell.take().unwrap_or_else(here));
                    rows.push(std::mem::take(&mut row));
                }
                (comment, fresh, cell) = (false, true, None);
            }
            _ if comment || c == '\r' => {}
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                column += 1;
                cell.get_or_insert_with(here).text.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.as_ref().is_none_or(|cell| cell.text.trim().is_empty()) => {
                quoted = true;
                cell = Some(here());
            }
            c if c == separator && !quoted => row.push(cell.take().unwrap_or_else(here)),
            c => cell.get_or_insert_with(here).text.push(c),
        }
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    if quoted {
        let at = cell.as_ref().map_or((line, 1), |cell| (cell.line, cell.column));
        let place = Place { file: file.to_owned(), line: at.0, column: at.1 };
        faults.push(Error::new("a quotation mark is opened here and never closed").at(place));
    }
    if !comment && (cell.is_some() || !row.is_empty()) {
        row.push(cell.unwrap_or(Cell { text: String::new(), line, column }));
        rows.push(row);
    }
    for cell in rows.iter_mut().flatten() {
        cell.text = cell.text.trim().to_owned();
    }
    rows.retain(|row| row.iter().any(|cell| !cell.text.is_empty()));
    rows
}

/// Reads a table with these columns; faults go to the list.
pub fn read<'a>(text: &str, file: &'a str, columns: &[Column], faults: &mut Vec<Error>) -> Vec<Row<'a>> {
    let mut rows = split(text, file, faults).into_iter();
    let all = || columns.iter().map(|c| c.name).collect::<Vec<_>>().join(", ");
    let place = |cell: &Cell| Place { file: file.to_owned(), line: cell.line, column: cell.column };
    let Some(head) = rows.next() else {
        let at = Place { file: file.to_owned(), line: 0, column: 0 };
        faults
            .push(Error::new("the table is empty").at(at).next(format!("its first line names the columns: {}", all())));
        return Vec::new();
    };
    let mut names: Vec<Option<&'static str>> = Vec::new();
    for cell in &head {
        let known = columns.iter().find(|c| c.name.eq_ignore_ascii_case(&cell.text)).map(|c| c.name);
        if known.is_none() && !cell.text.is_empty() {
            let what = format!("there is no column `{}`", cell.text);
            faults.push(Error::new(what).at(place(cell)).next(format!("the columns: {}", all())));
        }
        if known.is_some() && names.contains(&known) {
            faults.push(Error::new(format!("the column `{}` stands twice", cell.text)).at(place(cell)));
        }
        names.push(known);
    }
    for column in columns.iter().filter(|c| c.needed && !names.contains(&Some(c.name))) {
        let at = Place { file: file.to_owned(), line: head.first().map_or(1, |c| c.line), column: 0 };
        let what = format!("the column `{}` is missing", column.name);
        faults.push(Error::new(what).at(at).next("write its name into the first line, and its cells below"));
    }
    let mut found = Vec::new();
    for row in rows {
        let line = row.first().map_or(0, |cell| cell.line);
        for cell in row.iter().skip(names.len()).filter(|cell| !cell.text.is_empty()) {
            let what = format!("`{}` stands beyond the last column", cell.text);
            let next = "a text with the separator in it needs quotation marks around it";
            faults.push(Error::new(what).at(place(cell)).next(next));
        }
        let cells = names.iter().zip(row).filter_map(|(name, cell)| Some(((*name)?, cell))).collect();
        found.push(Row { file, line, cells });
    }
    found
}

impl Row<'_> {
    fn place(&self, name: &str) -> Place {
        let (line, column) = self.cells.get(name).map_or((self.line, 0), |cell| (cell.line, cell.column));
        Place { file: self.file.to_owned(), line, column }
    }

    /// A fault of a cell.
    #[must_use]
    pub fn fault(&self, name: &str, what: impl Into<String>) -> Error {
        Error::new(what).at(self.place(name))
    }

    /// The text of a cell; empty if there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        self.cells.get(name).map_or_else(String::new, |cell| cell.text.clone())
    }

    /// A text that must be there.
    pub fn must(&self, name: &str, faults: &mut Vec<Error>) -> String {
        let text = self.text(name);
        if text.is_empty() {
            faults.push(self.fault(name, format!("`{name}` is empty")));
        }
        text
    }

    /// A number, or what stands for an empty cell; none if it is needed and not there, or no number.
    pub fn number(&self, name: &str, empty: Option<u32>, faults: &mut Vec<Error>) -> Option<u32> {
        let text = self.text(name);
        if text.is_empty() {
            if empty.is_none() {
                faults.push(self.fault(name, format!("`{name}` is empty")));
            }
            return empty;
        }
        let number = text.parse().ok();
        if number.is_none() {
            let fault = self.fault(name, format!("`{text}` is no whole number that fits here"));
            faults.push(fault.next("write digits alone, such as 4"));
        }
        number
    }

    /// One of a closed list of words.
    pub fn word<T: DeserializeOwned>(&self, name: &str, empty: Option<&str>, faults: &mut Vec<Error>) -> Option<T> {
        let text = match (self.text(name), empty) {
            (text, Some(empty)) if text.is_empty() => empty.to_owned(),
            (text, _) => text,
        };
        match serde_json::from_value(Value::String(text.to_lowercase())) {
            Ok(word) => Some(word),
            Err(e) => {
                let all = e.to_string();
                let words = all.split_once("expected one of ").or(all.split_once("expected ")).map_or("", |(_, w)| w);
                let next = format!("one of {}", words.replace('`', ""));
                faults.push(self.fault(name, format!("`{text}` is no {name}")).next(next));
                None
            }
        }
    }

    /// Labels of four digits with blanks between. A spreadsheet takes the first zero away if it may.
    pub fn labels(&self, name: &str, faults: &mut Vec<Error>) -> Vec<String> {
        let text = self.text(name);
        let mut all = Vec::new();
        for word in text.split([' ', '/', '|']).filter(|w| !w.is_empty()) {
            if word.len() == 3 && word.bytes().all(|b| b.is_ascii_digit()) {
                let next =
                    format!("write 0{word}; in a spreadsheet format the column as text first, or the zero goes again");
                faults.push(self.fault(name, format!("`{word}` is no hex: it has lost its first zero")).next(next));
            } else if word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()) {
                all.push(word.to_owned());
            } else {
                let next = "a hex is four digits, column then row; several with blanks between";
                faults.push(self.fault(name, format!("`{word}` is no hex")).next(next));
            }
        }
        all
    }
}

/// A table as text, cells in quotation marks where they need them.
#[must_use]
pub fn write(columns: &[Column], rows: &[Vec<String>]) -> String {
    let cell = |text: &String| {
        let plain = !text.contains([',', '"', '\n', ';', '\t']) && !text.starts_with('#');
        if plain { text.clone() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    };
    let head: Vec<String> = columns.iter().map(|c| c.name.to_owned()).collect();
    let lines = std::iter::once(&head).chain(rows).map(|row| row.iter().map(cell).collect::<Vec<_>>().join(","));
    lines.map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] = &[needed("id"), needed("mp"), optional("at"), optional("note")];

    #[test]
    fn what_is_written_is_read_whatever_stands_in_it() {
        let note = "a, \"b\"; c\nd\té".to_owned();
        let text = write(COLUMNS, &[vec!["x".into(), "2".into(), "0407 0408".into(), note.clone()]]);
        let mut faults = Vec::new();
        let rows = read(&text, "units.csv", COLUMNS, &mut faults);
        assert_eq!(rows[0].text("note"), note);
        assert_eq!(rows[0].labels("at", &mut faults), ["0407", "0408"]);
        assert_eq!(rows[0].number("mp", None, &mut faults), Some(2));
        assert!(faults.is_empty(), "{faults:?}");
    }

    #[test]
    fn every_separator_and_line_end_is_read() {
        for (sep, end) in [(",", "\n"), (";", "\r\n"), ("\t", "\r\n")] {
            let text = format!("\u{feff}# mine{end}id{sep}mp{end}a{sep}2{end}{end}{sep}{end}b{sep}3");
            let mut faults = Vec::new();
            let rows = read(&text, "t", COLUMNS, &mut faults);
            assert!(faults.is_empty(), "{faults:?}");
            assert_eq!(
                rows.iter().map(|r| (r.text("id"), r.line)).collect::<Vec<_>>(),
                [("a".into(), 3), ("b".into(), 6)]
            );
        }
    }

    #[test]
    fn every_fault_has_its_line_and_column() {
        let text = "id,mpp,at\nx,two,407\ny,3,0101,more\nz,1,\"0202";
        let mut faults = Vec::new();
        let rows = read(text, "units.csv", COLUMNS, &mut faults);
        for row in &rows {
            row.number("mp", None, &mut faults);
            row.labels("at", &mut faults);
        }
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        for part in [
            "line 1, column 4: there is no column `mpp`",
            "line 1: the column `mp` is missing",
            "line 2, column 7: `407` is no hex: it has lost its first zero",
            "line 3, column 10: `more` stands beyond the last column",
            "line 4, column 5: a quotation mark is opened",
        ] {
            assert!(told.iter().any(|t| t.contains(part)), "{part}: {told:#?}");
        }
    }
}
