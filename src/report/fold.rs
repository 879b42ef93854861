//! Long lines broken for a terminal or a sheet of paper.

/// Columns of a line.
pub const WIDTH: usize = 78;

/// A line broken at its blanks; what follows the break stands four columns farther in than the line itself.
#[must_use]
pub fn fold(line: &str) -> String {
    let indent = line.chars().take_while(|c| *c == ' ').count();
    hang(line, indent + 4)
}

/// The same with the columns at which what follows a break begins.
#[must_use]
pub fn hang(line: &str, indent: usize) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut width = 0;
    for (n, word) in line.split(' ').enumerate() {
        let long = word.chars().count();
        // An empty word is a blank of the line's own indent, or one of several in a row.
        if n > 0 && width + 1 + long > WIDTH && !word.is_empty() && !out.trim().is_empty() {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            width = indent;
        } else if n > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += long;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_the_paper_and_no_word_is_lost() {
        let line = format!("  {}", "thirteen characters [FHG-2.3.9.a] ".repeat(12));
        let folded = fold(&line);
        assert!(folded.lines().count() > 1 && folded.lines().all(|l| l.chars().count() <= WIDTH), "{folded}");
        assert!(
            folded
                .lines()
                .skip(1)
                .all(|l| l.starts_with("      t") || l.starts_with("      c") || l.starts_with("      ["))
        );
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&folded), words(&line));
        // A word longer than a line stands alone, and a short line stays.
        let long = "x".repeat(100);
        assert_eq!(fold(&format!("  {long}")), format!("  {long}"));
        assert_eq!(fold("  a short line"), "  a short line");
    }
}
