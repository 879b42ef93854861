//! Rulings that have a written alternative, as switches a game's terms name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One switchable ruling: its number, the settings in words (the first is the book preset's), and the setting of the
/// club preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// `N01`, `L01` and so on, as terms and citations name it.
    pub number: &'static str,
    /// The settings; the first is the default.
    pub settings: &'static [&'static str],
    /// The setting of the `club` preset.
    pub club: &'static str,
    /// What it settles, in one line.
    pub about: &'static str,
}

/// Whether a rule is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InUse {
    /// Not in use.
    #[default]
    Off,
    /// In use.
    On,
}

impl InUse {
    /// Whether it is on.
    #[must_use]
    pub fn on(self) -> bool {
        self == InUse::On
    }
}

/// The switchable rulings of a book, one a line: field, kind, its settings (that of the book preset first), the setting of
/// the club preset, number, and what it decides. Makes a kind for each and `Rulings` of all.
macro_rules! switches {
    ($( $field:ident : $kind:ident { $first:ident = $w1:literal $(, $other:ident = $w2:literal)+ } club $club:literal, $number:literal, $about:literal; )*) => {
        $(
            #[doc = concat!("Settings of ruling ", $number, ": ", $about)]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
            pub enum $kind {
                #[doc = concat!("`", $w1, "`, the setting of the book preset.")]
                #[default]
                #[serde(rename = $w1)]
                $first,
                $(
                    #[doc = concat!("`", $w2, "`, a written alternative.")]
                    #[serde(rename = $w2)]
                    $other,
                )+
            }
        )*

        /// Every switchable ruling of a game, as its terms name them; absent ones stand at the default.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct Rulings {
            $(
                #[doc = $about]
                #[serde(rename = $number)]
                pub $field: $kind,
            )*
        }

        impl Rulings {
            /// All switches, in the order of their numbers.
            pub const SWITCHES: &'static [$crate::books::honor::Switch] = &[
                $( $crate::books::honor::Switch { number: $number, settings: &[$w1 $(, $w2)+], club: $club, about: $about }, )*
            ];

            /// The setting of every switch, in the order of [`Rulings::SWITCHES`].
            #[must_use]
            pub fn settings(&self) -> Vec<&'static str> {
                vec![ $( match self.$field { $kind::$first => $w1, $($kind::$other => $w2),+ }, )* ]
            }

            /// Sets one switch by number and word.
            ///
            /// # Errors
            /// Which numbers or words there are, if these are none.
            pub fn set(&mut self, number: &str, setting: &str) -> Result<(), String> {
                match number {
                    $( $number => match setting {
                        $w1 => self.$field = $kind::$first,
                        $( $w2 => self.$field = $kind::$other, )+
                        _ => {
                            let words: &[&str] = &[$w1 $(, $w2)+];
                            return Err(format!("{number} can be {}, not `{setting}`", words.join(" or ")));
                        }
                    }, )*
                    _ => return Err(format!("{number} is no ruling with a choice")),
                }
                Ok(())
            }

            /// The `book` preset: every default.
            #[must_use]
            pub fn book() -> Rulings {
                Rulings::default()
            }

            /// The `club` preset: the settings for quick play by mail.
            #[must_use]
            pub fn club() -> Rulings {
                let mut rulings = Rulings::default();
                for switch in Rulings::SWITCHES {
                    // Every `club` word is one of the settings: each book tests it.
                    let _ = rulings.set(switch.number, switch.club);
                }
                rulings
            }
        }
    };
}

pub(super) use switches;
