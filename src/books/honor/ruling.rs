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
