//! The numbered rulings that have a written alternative, as switches. The others are built in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::books::honor::Switch;

macro_rules! switches {
    ($( $(#[$doc:meta])* $field:ident : $kind:ident { $first:ident = $w1:literal, $second:ident = $w2:literal } club $club:literal, $number:literal, $about:literal; )*) => {
        $(
            #[doc = concat!("Settings of ruling ", $number, ": ", $about)]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
            pub enum $kind {
                #[doc = concat!("`", $w1, "`, the setting of the book preset.")]
                #[default]
                #[serde(rename = $w1)]
                $first,
                #[doc = concat!("`", $w2, "`, the written alternative.")]
                #[serde(rename = $w2)]
                $second,
            }
        )*

        /// Every switchable ruling of a game, as its terms name them; absent ones stand at the default.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
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
            pub const SWITCHES: &'static [Switch] = &[
                $( Switch { number: $number, settings: &[$w1, $w2], club: $club, about: $about }, )*
            ];

            /// The setting of every switch, in the order of [`Rulings::SWITCHES`].
            #[must_use]
            pub fn settings(&self) -> Vec<&'static str> {
                vec![ $( match self.$field { $kind::$first => $w1, $kind::$second => $w2 }, )* ]
            }

            /// Sets one switch by number and word.
            ///
            /// # Errors
            /// Which numbers or words there are, if these are none.
            pub fn set(&mut self, number: &str, setting: &str) -> Result<(), String> {
                match number {
                    $( $number => match setting {
                        $w1 => self.$field = $kind::$first,
                        $w2 => self.$field = $kind::$second,
                        _ => return Err(format!("{number} can be {} or {}, not `{setting}`", $w1, $w2)),
                    }, )*
                    _ => return Err(format!("{number} is no ruling with a choice")),
                }
                Ok(())
            }
        }
    };
}

switches! {
    wind: WindMeans { Toward = "toward", From = "from" } club "toward", "N01",
        "whether the wind number says where the wind blows to or where it comes from (3.1, 3.1.1)";
    nobody: NobodyHasGauge { Advantage = "advantage", Die = "die" } club "advantage", "N02",
        "who chooses the order when neither side has the gauge: commander's advantage, or a die (1-3 British, 4-6 American)";
    declares: DeclaresFirst { ByAction = "by-action", Holder = "holder" } club "by-action", "N03",
        "who declares fire first: in fleet actions the side without the gauge (9.7), or always as the gauge holder chooses (3.1.1)";
    half: HalfDamage { HalfOrLess = "half-or-less", BelowHalf = "below-half" } club "half-or-less", "N04",
        "when the damage penalties begin: at half the starting rating (6.6) or only below it (chart)";
    floor: FewestPlots { Zero = "zero", One = "one" } club "one", "N05",
        "the fewest plotted moves penalties can leave";
    first_wind: FirstWind { None = "none", Roll = "roll" } club "none", "N06",
        "whether the wind is rolled on turn 1";
    third: ThirdShip { EndPositions = "end-positions", Sequential = "sequential" } club "end-positions", "N07",
        "how the third-ship test is made: on the positions all moves would end in, or move by move";
    bent_line: BentLine { Both = "both", Either = "either" } club "both", "N08",
        "what blocks a sight line that runs between two hexes: ships in both of them, or a ship in either";
    arc: FireArc { Rows = "rows", Narrow = "narrow" } club "rows", "N09",
        "the fire arc at two hexes: all but the bow and stern rows, or only the three hexes abeam";
    idle_fire: IdleFire { Yes = "yes", No = "no" } club "yes", "N10",
        "whether a side whose markers are used up may still fire";
    again: BoardingAgain { HexTurn = "hex", PairTurn = "pair" } club "hex", "N12",
        "what one boarding action a turn is counted by: the hex, or the pair of ships";
    contest: ContestWinner { Rolls = "rolls-again", AtOnce = "boards-at-once" } club "boards-at-once", "N13",
        "whether the winner of 8.5 still needs a roll under 8.4";
    last_stand: LastMarines { Captured = "captured", LastStand = "last-stand" } club "captured", "N16",
        "whether a ship whose marines die in this very battle is captured at once or still has its intrinsic 1";
    second_half: SecondHalf { AddUp = "add-up", Replace = "replace" } club "add-up", "N18",
        "whether the reductions of an old and a new command ship at half damage add up";
    allotment: Allotment { Exactly = "exactly", UpTo = "up-to" } club "exactly", "N19b",
        "whether all allotted markers must be plotted";
    edge: SilentEdge { Stop = "stop", Lost = "lost" } club "stop", "N21",
        "what leaving a fixed edge means where the scenario is silent";
    still_fire: StillFire { Yes = "yes", No = "no" } club "yes", "N40",
        "whether a ship of a fleet that has not moved this turn may fire (9.7.1)";
}

impl Rulings {
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
            // Every `club` word is one of the settings: tested below.
            let _ = rulings.set(switch.number, switch.club);
        }
        rulings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_takes_its_settings_and_no_other() {
        for switch in Rulings::SWITCHES {
            for setting in switch.settings {
                let mut r = Rulings::default();
                r.set(switch.number, setting).unwrap();
                let at = Rulings::SWITCHES.iter().position(|s| s == switch).unwrap();
                assert_eq!(&r.settings()[at], setting);
            }
            assert!(switch.settings.contains(&switch.club), "{}", switch.number);
            assert!(Rulings::default().set(switch.number, "maybe").is_err());
        }
        assert!(Rulings::default().set("N99", "yes").is_err());
        assert_ne!(Rulings::club(), Rulings::book());
    }
}
