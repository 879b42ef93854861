//! Chapter 11: the optional rules, each a switch of its own, fixed before play.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::books::honor::InUse;
use crate::side::Sides;

macro_rules! options {
    ($( $field:ident = $number:literal, $about:literal; )*) => {
        /// The optional rules in use (11). All are off unless the terms say otherwise.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct Options {
            $(
                #[doc = $about]
                #[serde(rename = $number)]
                pub $field: InUse,
            )*
            /// Command action points added or taken off by agreement (11.14), -3 to 3.
            #[serde(rename = "11.14")]
            pub adjust: Sides<i8>,
        }

        impl Options {
            /// Number and contents of the rules that are on or off, in printed order; 11.14 is a number a side.
            pub const ALL: &'static [(&'static str, &'static str)] = &[ $( ($number, $about), )* ];

            /// Sets one by number and word: `11.3` to `on`, `11.14.british` to `+1`.
            ///
            /// # Errors
            /// Which numbers or words there are, if these are none.
            pub fn set(&mut self, number: &str, word: &str) -> Result<(), String> {
                let use_of = |word: &str| match word {
                    "on" => Ok(InUse::On),
                    "off" => Ok(InUse::Off),
                    _ => Err(format!("{number} can be on or off, not `{word}`")),
                };
                match number {
                    $( $number => self.$field = use_of(word)?, )*
                    "11.14.british" => self.adjust.british = adjustment(number, word)?,
                    "11.14.american" => self.adjust.american = adjustment(number, word)?,
                    _ => return Err(format!("{number} is no optional rule")),
                }
                Ok(())
            }
        }
    };
}

options! {
    charge = "11.1", "an attacker checks its morale before close combat";
    shaken = "11.2", "only units not fired on may be rallied";
    elite_dice = "11.3", "elite infantry at 4 or 3 MP rolls four dice";
    indian_town = "11.4", "Indians attack entrenchments and towns at -2";
    hill_range = "11.5", "guns on a hill reach one hex farther";
    forest_guns = "11.6", "artillery fires into forest at -2";
    waterway = "11.7", "attackers of a waterway hex add 1 to their dice";
    leader_dice = "11.8", "a leader adds a die to an attack";
    flank = "11.9", "two attackers opposite each other add 1 to their dice";
    fire_advance = "11.10", "a unit may advance when its fire eliminates an adjacent defender";
    easy_hills = "11.11", "hills do not stop movement";
    withdrawal = "11.12", "dragoons may retreat before close combat";
    equal_command = "11.13", "both sides have the higher command action points";
}

fn adjustment(number: &str, word: &str) -> Result<i8, String> {
    let by = word.parse::<i8>().ok().filter(|by| (-3..=3).contains(by));
    by.ok_or_else(|| format!("{number} is -3 to +3, not `{word}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_a_switch_of_its_own() {
        for (number, _) in Options::ALL {
            let mut options = Options::default();
            options.set(number, "on").unwrap();
            assert_ne!(options, Options::default(), "{number}");
            options.set(number, "off").unwrap();
            assert_eq!(options, Options::default(), "{number}");
            assert!(options.set(number, "maybe").is_err());
        }
        let mut options = Options::default();
        options.set("11.14.british", "+2").unwrap();
        assert_eq!(options.adjust, Sides { british: 2, american: 0 });
        assert!(options.set("11.14.american", "4").is_err());
        assert!(options.set("11.15", "on").is_err());
    }
}
