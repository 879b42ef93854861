//! The forms an answer can have, how it is typed, and how it is shown.

/// One of several answers, with what the rules have against it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// The word for it.
    pub word: String,
    /// What it means.
    pub says: String,
    /// Why it cannot be given now.
    pub barred: Option<String>,
}

impl Choice {
    pub(super) fn new(word: impl Into<String>, says: impl Into<String>) -> Choice {
        Choice { word: word.into(), says: says.into(), barred: None }
    }
}

/// What kind of answer a question takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// One of these.
    One(Vec<Choice>),
    /// Any of these, in an order that counts, or none.
    Some(Vec<Choice>),
    /// A whole number, at least this.
    Number(i8),
    /// Text, or none.
    Text,
}

/// An answer in the form asked for. Places count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// The place in the list.
    One(usize),
    /// Places in the list.
    Some(Vec<usize>),
    /// The number.
    Number(i8),
    /// The text.
    Text(Option<String>),
}

/// What the player types for none.
const NONE: &str = "-";

/// Reads what was typed.
///
/// # Errors
/// Why it is no answer, in words.
pub(super) fn read(form: &Form, line: &str) -> Result<Answer, String> {
    match form {
        Form::One(all) => {
            let at = place(all, line)?;
            match all.get(at).and_then(|c| c.barred.clone().map(|why| (c, why))) {
                Some((choice, why)) => Err(format!("`{}` cannot be chosen now: {why}", choice.word)),
                None => Ok(Answer::One(at)),
            }
        }
        Form::Some(_) if line == NONE => Ok(Answer::Some(Vec::new())),
        Form::Some(all) => {
            let mut places = Vec::new();
            for word in line.split([' ', ',']).filter(|w| !w.is_empty()) {
                let at = place(all, word)?;
                if places.contains(&at) {
                    return Err(format!("`{word}` is named twice"));
                }
                places.push(at);
            }
            Ok(Answer::Some(places))
        }
        Form::Number(least) => match line.parse::<i8>() {
            Ok(n) if n >= *least => Ok(Answer::Number(n)),
            _ => Err(format!("`{}` is no whole number from {least} on", clean(line))),
        },
        Form::Text if line == NONE => Ok(Answer::Text(None)),
        Form::Text => Ok(Answer::Text(Some(line.to_owned()))),
    }
}

fn place(all: &[Choice], word: &str) -> Result<usize, String> {
    let by_number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|at| *at < all.len());
    let by_word = || all.iter().position(|c| c.word.eq_ignore_ascii_case(word));
    // A list of markers has its numbers for words, and both ways of counting agree.
    by_number
        .or_else(by_word)
        .ok_or_else(|| format!("`{}` is not in the list: answer with a number from 1 to {}", clean(word), all.len()))
}

/// The beginning of what was typed, fit to be printed.
fn clean(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// Prints the list of a question, barred answers with the reason.
pub(super) fn show(form: &Form) {
    let (Form::One(all) | Form::Some(all)) = form else { return };
    // A list of numbers needs no line each.
    if all.iter().enumerate().all(|(n, c)| c.word == (n + 1).to_string()) {
        println!("      1 to {}", all.len());
        return;
    }
    let width = all.iter().map(|c| c.word.chars().count()).max().unwrap_or(0);
    for (n, choice) in all.iter().enumerate() {
        let Choice { word, says, barred } = choice;
        match barred {
            None => println!("{:>4}  {word:width$}  {says}", n + 1),
            Some(why) => println!("   -  {word:width$}  not now: {why}"),
        }
    }
}

/// An answer as the player would type it, for the default in brackets.
pub(super) fn typed(form: &Form, answer: &Answer) -> String {
    let word = |at: &usize| match form {
        Form::One(all) | Form::Some(all) => all.get(*at).map_or("", |c| c.word.as_str()),
        _ => "",
    };
    match answer {
        Answer::One(at) => format!("{} {}", at + 1, word(at)),
        Answer::Some(places) if places.is_empty() => "- (none)".to_owned(),
        Answer::Some(places) => places.iter().map(word).collect::<Vec<_>>().join(" "),
        Answer::Number(n) => n.to_string(),
        Answer::Text(None) => "- (nothing)".to_owned(),
        Answer::Text(Some(text)) => text.clone(),
    }
}

/// How to answer, in a few words.
pub(super) fn how(form: &Form) -> &'static str {
    match form {
        Form::One(_) => "",
        Form::Some(_) => "Several, in order, with blanks between them; - for none.",
        Form::Number(_) => "A whole number.",
        Form::Text => "A line of text; - for nothing.",
    }
}
