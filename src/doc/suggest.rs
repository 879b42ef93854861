//! What a player probably meant by a word that is not known (`schemas/design.md`, 7).

/// Most letters that may differ between a word and what is suggested for it.
const FAR: usize = 2;

/// Longest word compared, in characters; longer ones are no misspellings.
const LONGEST: usize = 64;

/// The one candidate a word may be a misspelling or a beginning of, or none if there are several or it is too far
/// from all. Case does not count. A suggestion is printed, never obeyed: abbreviations are no orders.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let begun = begun(word, candidates);
    if let [only] = begun.as_slice() {
        return Some(only);
    }
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    // Of a word of three letters two changed letters leave nothing.
    let reach = FAR.min(length.saturating_sub(1).div_ceil(2));
    let near: Vec<(usize, &str)> =
        candidates.iter().map(|c| (distance(&word, &c.to_lowercase()), *c)).filter(|(d, _)| *d <= reach).collect();
    let best = near.iter().map(|(d, _)| *d).min()?;
    let mut winners = near.iter().filter(|(d, _)| *d == best).map(|(_, c)| *c);
    winners.next().filter(|_| winners.next().is_none())
}

/// All candidates a word is the beginning of, in their order; none for the empty word.
#[must_use]
pub fn begun<'a>(word: &str, candidates: &[&'a str]) -> Vec<&'a str> {
    let word = word.to_lowercase();
    let begins = |c: &&&str| !word.is_empty() && c.to_lowercase().starts_with(&word);
    candidates.iter().filter(begins).copied().collect()
}

/// What to say about a word that is not among the candidates: the one meant, or those it may begin, or all of them
/// (at most 12).
#[must_use]
pub fn advice(word: &str, candidates: &[&str]) -> String {
    if let Some(meant) = nearest(word, candidates) {
        return format!("did you mean `{meant}`?");
    }
    let begun = begun(word, candidates);
    if begun.len() > 1 {
        return format!("`{word}` may stand for {}: write the whole word", listed(&begun));
    }
    if candidates.is_empty() {
        return "nothing may stand here".to_owned();
    }
    format!("known here: {}", listed(candidates))
}

fn listed(words: &[&str]) -> String {
    let mut shown: Vec<String> = words.iter().take(12).map(|w| format!("`{w}`")).collect();
    if words.len() > shown.len() {
        shown.push(format!("{} more", words.len() - shown.len()));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

/// Letters to change, add, drop or swap with their neighbour to make one word from the other; more than [`FAR`] is
/// not told apart.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().take(LONGEST + FAR).collect());
    if a.len().abs_diff(b.len()) > FAR {
        return FAR + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut cost = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(FAR + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WORDS: [&str; 5] = ["plot", "fire", "board", "starboard", "straight"];

    #[test]
    fn misspellings_and_beginnings_are_found() {
        for (word, meant) in [
            ("plots", "plot"),
            ("polt", "plot"),
            ("Fire", "fire"),
            ("bord", "board"),
            ("boa", "board"),
            ("stra", "straight"),
        ] {
            assert_eq!(nearest(word, &WORDS), Some(meant), "{word}");
        }
        for word in ["", "x", "st", "cannon", "фire!?"] {
            assert_eq!(nearest(word, &WORDS), None, "{word}");
        }
    }

    #[test]
    fn an_ambiguous_beginning_lists_the_candidates() {
        assert_eq!(advice("st", &WORDS), "`st` may stand for `starboard` or `straight`: write the whole word");
        assert_eq!(advice("zzzzzz", &["a", "b", "c"]), "known here: `a`, `b` or `c`");
        assert_eq!(advice("zzzzzz", &[]), "nothing may stand here");
    }

    #[test]
    fn two_equally_near_are_not_chosen_between() {
        assert_eq!(nearest("cat", &["bat", "rat"]), None);
    }

    #[test]
    fn distances() {
        for (a, b, d) in [
            ("", "", 0),
            ("ab", "ba", 1),
            ("abc", "abd", 1),
            ("abc", "ab", 1),
            ("abcd", "ab", 2),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), d, "{a} {b}");
        }
    }

    proptest! {
        #[test]
        fn distance_is_symmetric_and_bounded(a in "[ab]{0,5}", b in "[ab]{0,5}") {
            prop_assert_eq!(distance(&a, &b).min(3), distance(&b, &a).min(3));
            prop_assert_eq!(distance(&a, &a), 0);
        }
    }
}
