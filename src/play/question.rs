//! Questions: who is asked, what is legal, and the check, in one type, so that prompt, template, validation and
//! random play cannot drift apart.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::refusal::{Judged, Refusal};
use super::system::System;
use crate::cite::Cite;
use crate::side::Side;

/// A decision of one side.
pub trait Question<Y: System>: Clone + 'static {
    /// The answer.
    type Value: Clone + std::fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// The kind of question, one word, as logs and coverage tables name it: `plot`.
    const KIND: &'static str;
    /// Whether nobody decides it: the owner's program answers it at random by itself (private dice, decks).
    const AUTOMATIC: bool = false;
    /// Who is asked.
    fn side(&self) -> Side;
    /// The name of this very question in this game: `t3/british/plot`. Unique, hashed, never player text.
    fn slot(&self) -> String;
    /// The rule that gives the decision.
    fn cite(&self) -> Cite;
    /// Judges an answer.
    ///
    /// # Errors
    /// Every reason the rules have against it.
    fn check(&self, state: &Y::State, value: &Self::Value) -> Judged<()>;
    /// The answer standing orders give, or `None` if they are silent. An illegal one is ignored.
    fn standing(&self, _state: &Y::State, _policy: &Y::Policy) -> Option<Self::Value> {
        None
    }
    /// The cautious answer that stands in the place of a player who let the time go by (games with a host); `None` if there
    /// is none, so that he has lost. An illegal one is none.
    fn absent(&self, _state: &Y::State) -> Option<Self::Value> {
        None
    }
    /// Legal answers: all of them where they can be listed, otherwise a few examples, at least one.
    fn options(&self, state: &Y::State) -> Vec<Self::Value>;
    /// A legal answer drawn at random; `pick(n)` gives a number below `n`.
    fn sample(&self, state: &Y::State, pick: &mut dyn FnMut(u32) -> u32) -> Self::Value {
        let mut all = self.options(state);
        let at = pick(u32::try_from(all.len()).unwrap_or(1).max(1)) as usize;
        all.swap_remove(at.min(all.len() - 1))
    }
}

/// A hidden choice that is sealed in parts and opened part by part.
pub trait Sealed<Y: System>: Question<Y> {
    /// Names of the parts in the order they are sealed, appended to the slot: `marker/1`. A public fact.
    fn parts(&self, state: &Y::State) -> Vec<String>;
    /// Those of the parts that are public from the start and never sealed.
    fn public_parts(&self, _state: &Y::State) -> Vec<String> {
        Vec::new()
    }
    /// The content of every part of an answer, in the order of [`Sealed::parts`].
    fn split(&self, state: &Y::State, value: &Self::Value) -> Vec<String>;
    /// Judges the parts a player gave in clear instead of sealing (all he gave; the others are sealed).
    ///
    /// # Errors
    /// Every reason the rules have against them.
    fn check_clear(&self, state: &Y::State, clear: &BTreeMap<String, String>) -> Judged<()>;
}

/// A [`Question`] with its types erased: answers are contents, canonical JSON text.
pub trait Asked<Y: System> {
    /// Who is asked.
    fn side(&self) -> Side;
    /// The name of the question in this game.
    fn slot(&self) -> String;
    /// The kind of question.
    fn kind(&self) -> &'static str;
    /// Whether the owner's program answers it by itself.
    fn automatic(&self) -> bool;
    /// The rule that gives the decision.
    fn cite(&self) -> Cite;
    /// Judges a content and returns it in canonical form.
    ///
    /// # Errors
    /// Every reason against it, malformed content among them.
    fn judge(&self, state: &Y::State, content: &str) -> Judged<String>;
    /// Legal contents.
    fn options(&self, state: &Y::State) -> Vec<String>;
    /// The content in the place of a player who is late, if there is one.
    fn absent(&self, state: &Y::State) -> Option<String>;
    /// A legal content drawn at random.
    fn sample(&self, state: &Y::State, pick: &mut dyn FnMut(u32) -> u32) -> String;
    /// Names of the sealed parts; empty for an open decision.
    fn parts(&self, state: &Y::State) -> Vec<String>;
    /// Those of the parts that are public from the start.
    fn public_parts(&self, state: &Y::State) -> Vec<String>;
    /// Contents of the sealed parts of a whole answer.
    ///
    /// # Errors
    /// As [`Asked::judge`].
    fn split(&self, state: &Y::State, content: &str) -> Judged<Vec<String>>;
    /// Judges parts given in clear.
    ///
    /// # Errors
    /// Every reason against them.
    fn check_clear(&self, state: &Y::State, clear: &BTreeMap<String, String>) -> Judged<()>;
}

/// Reads a typed value from its content.
///
/// # Errors
/// One refusal that says what cannot be read.
pub fn from_content<V: DeserializeOwned + Serialize>(cite: Cite, content: &str) -> Judged<V> {
    let refuse = |why: String| vec![Refusal::new("", cite, format!("cannot be read: {why}"))];
    let value: V = serde_json::from_str(content).map_err(|e| refuse(e.to_string()))?;
    // A list of values would be taken for a group with names: one content, one form.
    let forms = (serde_json::from_str(content), serde_json::to_value(&value));
    match forms {
        (Ok(given), Ok(canonical)) if same_form(&given, &canonical) => Ok(value),
        _ => Err(refuse("a list stands where names with values belong".into())),
    }
}

/// Whether lists and groups of a content stand where the canonical form has them.
fn same_form(given: &serde_json::Value, canonical: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Object};
    match (given, canonical) {
        (Array(a), Array(b)) => a.iter().zip(b).all(|(a, b)| same_form(a, b)),
        (Object(a), Object(b)) => a.iter().all(|(name, a)| b.get(name).is_none_or(|b| same_form(a, b))),
        (Array(_), Object(_)) => false,
        _ => true,
    }
}

/// The canonical content of a typed value: compact JSON, keys in the order of the type.
pub fn to_content<V: Serialize>(value: &V) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// An open decision, erased.
pub(super) struct Open<Q>(pub Q);
/// A sealed choice, erased.
pub(super) struct Closed<Q>(pub Q);

macro_rules! erased {
    ($bound:ident) => {
        fn side(&self) -> Side {
            self.0.side()
        }
        fn slot(&self) -> String {
            self.0.slot()
        }
        fn kind(&self) -> &'static str {
            Q::KIND
        }
        fn automatic(&self) -> bool {
            Q::AUTOMATIC
        }
        fn cite(&self) -> Cite {
            self.0.cite()
        }
        fn judge(&self, state: &Y::State, content: &str) -> Judged<String> {
            let value: Q::Value = from_content(self.0.cite(), content)?;
            self.0.check(state, &value)?;
            Ok(to_content(&value))
        }
        fn options(&self, state: &Y::State) -> Vec<String> {
            self.0.options(state).iter().map(to_content).collect()
        }
        fn absent(&self, state: &Y::State) -> Option<String> {
            let value = self.0.absent(state).filter(|value| self.0.check(state, value).is_ok())?;
            Some(to_content(&value))
        }
        fn sample(&self, state: &Y::State, pick: &mut dyn FnMut(u32) -> u32) -> String {
            to_content(&self.0.sample(state, pick))
        }
    };
}

impl<Y: System, Q: Question<Y>> Asked<Y> for Open<Q> {
    erased!(Question);
    fn parts(&self, _state: &Y::State) -> Vec<String> {
        Vec::new()
    }
    fn public_parts(&self, _state: &Y::State) -> Vec<String> {
        Vec::new()
    }
    fn split(&self, _state: &Y::State, _content: &str) -> Judged<Vec<String>> {
        Ok(Vec::new())
    }
    fn check_clear(&self, _state: &Y::State, _clear: &BTreeMap<String, String>) -> Judged<()> {
        Ok(())
    }
}

impl<Y: System, Q: Sealed<Y>> Asked<Y> for Closed<Q> {
    erased!(Sealed);
    fn parts(&self, state: &Y::State) -> Vec<String> {
        self.0.parts(state)
    }
    fn public_parts(&self, state: &Y::State) -> Vec<String> {
        self.0.public_parts(state)
    }
    fn split(&self, state: &Y::State, content: &str) -> Judged<Vec<String>> {
        let value: Q::Value = from_content(self.0.cite(), content)?;
        self.0.check(state, &value)?;
        Ok(self.0.split(state, &value))
    }
    fn check_clear(&self, state: &Y::State, clear: &BTreeMap<String, String>) -> Judged<()> {
        self.0.check_clear(state, clear)
    }
}
