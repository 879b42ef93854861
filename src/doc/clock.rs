//! Time in documents: instants, and the clock of the terms (`schemas/protocol.md`, "The clock").
//!
//! An instant is written in UTC to the second, and reckoned with as a count of seconds in whole numbers. Nothing here knows
//! a time zone: the zone database differs between programs, and two verifiers must never differ.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::files::there;
use crate::error::{Error, Result};

/// Seconds of an hour.
pub const HOUR: i64 = 3600;
/// Seconds of a day of the terms: 24 hours, whatever the clocks on the wall do.
pub const DAY: i64 = 24 * HOUR;
/// Most hours of grace, and most hours a reminder goes out before a step is due.
const MOST_HOURS: u32 = 720;

/// What follows when a seat is late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Late {
    /// The book's cautious orders stand in the place of the seat's, and its link is not waited for.
    DefaultOrders,
    /// The seat has lost.
    Forfeit,
}

/// What a host's file does to the clock beside setting a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pause {
    /// It stands still from now on: nobody is late.
    Begin,
    /// It runs again, and `due` says until when.
    End,
}

/// The clock of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Days of 24 hours a step may take at least, 1 to 365.
    pub days: u32,
    /// The time zone `at` is in and times are shown in, by its IANA name: `Europe/Berlin`. Missing: UTC. No verifier uses it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub zone: Option<String>,
    /// The local time of day, `20:00`, at which steps fall due: the first such time when the days are over. Missing: when
    /// they are over. No verifier uses it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub at: Option<String>,
    /// Hours after a step was due before anybody is late, 1 to 720; missing: none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub grace_hours: Option<u32>,
    /// Hours before a step is due at which who owes something is reminded, 1 to 720 and not more than the days have;
    /// missing: he is not.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub remind_hours: Option<u32>,
    /// What follows when a seat has not done by then what it owes; missing: nothing. A link or an opening withheld is always
    /// a forfeit where anything follows: with other dice its owner would have had a choice.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub late: Option<Late>,
}

impl Clock {
    /// A clock of days in UTC and nothing else.
    #[must_use]
    pub fn of(days: u32, late: Option<Late>) -> Clock {
        Clock { days, zone: None, at: None, grace_hours: None, remind_hours: None, late }
    }

    /// Seconds a step may take.
    #[must_use]
    pub fn span(&self) -> i64 {
        i64::from(self.days) * DAY
    }

    /// Seconds of grace.
    #[must_use]
    pub fn grace(&self) -> i64 {
        i64::from(self.grace_hours.unwrap_or(0)) * HOUR
    }

    /// Whether terms may have this clock: its figures, and the form of zone and time of day. `host`: somebody keeps it.
    ///
    /// # Errors
    /// What is wrong, and what to write.
    pub fn check(&self, host: bool) -> Result<()> {
        if !(1..=365).contains(&self.days) {
            return Err(Error::new("`days` of the clock are 1 to 365"));
        }
        if !host && *self != Clock::of(self.days, None) {
            return Err(Error::new(
                "between two players nothing follows from a claim of time, and nobody keeps a clock: only a host decides them",
            )
            .next("state days alone, or play with a host: --mode hosted or --mode strict"));
        }
        if self.grace_hours.is_some_and(|hours| !(1..=MOST_HOURS).contains(&hours)) {
            return Err(Error::new(format!("hours of grace are 1 to {MOST_HOURS}")).next("leave them out for none"));
        }
        let most = MOST_HOURS.min(self.days * 24);
        if self.remind_hours.is_some_and(|hours| !(1..=most).contains(&hours)) {
            return Err(Error::new(format!("a reminder goes out 1 to {most} hours before a step is due")));
        }
        let zone = |c: char| c.is_ascii_alphanumeric() || "/_+-".contains(c);
        if self.zone.as_ref().is_some_and(|name| name.is_empty() || name.len() > 64 || !name.chars().all(zone)) {
            return Err(Error::new("a time zone has a name like Europe/Berlin or America/New_York"));
        }
        if self.at.as_ref().is_some_and(|at| minutes(at).is_none()) {
            return Err(Error::new(
                "the time of day at which steps fall due is written like 20:00, from 00:00 to 23:59",
            ));
        }
        Ok(())
    }
}

/// Minutes after midnight of a time of day, `20:00`.
#[must_use]
pub fn minutes(at: &str) -> Option<u32> {
    let (hour, minute) = at.split_once(':')?;
    let number = |text: &str, below: u32| {
        let digits = text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u32>().ok().filter(|n| digits && *n < below)
    };
    Some(number(hour, 24)? * 60 + number(minute, 60)?)
}

/// Seconds from the beginning of 1970 to an instant as documents write it, `2026-01-05T12:00:00Z`; none if it is no such
/// text, or names a day or time there is not (a leap second is none). Such texts sort as their instants do.
#[must_use]
pub fn instant(text: &str) -> Option<i64> {
    let form = "dddd-dd-ddTdd:dd:ddZ";
    let fits = |(c, f): (u8, u8)| if f == b'd' { c.is_ascii_digit() } else { c == f };
    if text.len() != form.len() || !text.bytes().zip(form.bytes()).all(fits) {
        return None;
    }
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    if day < 1 || day > month_length(year, month)? || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some(days_to(year, month, day) * DAY + hour * HOUR + minute * 60 + second)
}

/// The text of an instant; none before the year 0 and after 9999.
#[must_use]
pub fn instant_text(seconds: i64) -> Option<String> {
    let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    // 400 years have 146,097 days; the year begun with is never too late.
    let mut year = 1970 + (days * 400).div_euclid(146_097) - 1;
    while days_to(year + 1, 1, 1) <= days {
        year += 1;
    }
    if !(0..=9999).contains(&year) {
        return None;
    }
    let month = (1..=12).rev().find(|month| days_to(year, *month, 1) <= days)?;
    let day = days - days_to(year, month, 1) + 1;
    let (hour, minute, second) = (rest / HOUR, rest % HOUR / 60, rest % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_length(year: i64, month: i64) -> Option<i64> {
    match month {
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if is_leap(year) { 29 } else { 28 }),
        1..=12 => Some(31),
        _ => None,
    }
}

/// Days from 1 January 1970 to a day of the Gregorian calendar.
fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let leap_days = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    // 719,162 days lie between 1 January of the year 1 and 1 January 1970.
    let months: i64 = (1..month).filter_map(|m| month_length(year, m)).sum();
    before * 365 + leap_days - 719_162 + months + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn instants_are_counted_by_the_calendar() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T00:00:00Z", Some(951_782_400)),
            ("2026-12-31T23:59:59Z", Some(1_798_761_599)),
            ("2027-01-01T00:00:00Z", Some(1_798_761_600)),
            ("2028-02-29T12:00:00Z", Some(1_835_438_400)),
            ("0000-01-01T00:00:00Z", Some(-62_167_219_200)),
            ("9999-12-31T23:59:59Z", Some(253_402_300_799)),
            ("2026-02-29T00:00:00Z", None),
            ("2100-02-29T00:00:00Z", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-00-01T00:00:00Z", None),
            ("2026-04-31T00:00:00Z", None),
            ("2026-01-00T00:00:00Z", None),
            ("2026-01-01T24:00:00Z", None),
            ("2026-01-01T00:60:00Z", None),
            ("2026-06-30T23:59:60Z", None),
            ("2026-01-01T00:00:00", None),
            ("2026-01-01 00:00:00Z", None),
            ("2026-01-01T00:00:00+", None),
            ("２026-01-01T00:00Z", None),
        ] {
            assert_eq!(instant(text), seconds, "{text}");
            if let Some(seconds) = seconds {
                assert_eq!(instant_text(seconds).as_deref(), Some(text));
            }
        }
        assert_eq!(instant_text(253_402_300_800), None);
        assert_eq!(instant_text(-62_167_219_201), None);
    }

    proptest! {
        #[test]
        fn every_second_has_one_text(seconds in -62_167_219_200i64..253_402_300_800) {
            let text = instant_text(seconds).unwrap();
            prop_assert_eq!(instant(&text), Some(seconds));
            prop_assert!(instant_text(seconds + 1).is_none_or(|next| next > text));
        }
    }

    #[test]
    fn a_clock_has_sense_or_is_refused() {
        let sound = Clock {
            zone: Some("America/Argentina/Buenos_Aires".into()),
            at: Some("20:00".into()),
            grace_hours: Some(12),
            remind_hours: Some(24),
            ..Clock::of(3, Some(Late::Forfeit))
        };
        sound.check(true).unwrap();
        Clock::of(365, None).check(false).unwrap();
        let change = |f: &dyn Fn(&mut Clock)| {
            let mut clock = sound.clone();
            f(&mut clock);
            clock.check(true).unwrap_err().what
        };
        for at in ["24:00", "20:60", "8:00", "20.00", "", "20:00:00", "+1:00"] {
            assert!(change(&|c| c.at = Some(at.into())).contains("20:00"), "{at}");
        }
        for zone in ["", "Europe Berlin", "Europe/Berlin\n"] {
            assert!(change(&|c| c.zone = Some(zone.into())).contains("Europe/Berlin"), "{zone}");
        }
        assert!(change(&|c| c.days = 0).contains("1 to 365"));
        assert!(change(&|c| c.grace_hours = Some(0)).contains("1 to 720"));
        assert!(change(&|c| c.remind_hours = Some(73)).contains("1 to 72 "));
        for lonely in [
            Clock::of(3, Some(Late::Forfeit)),
            Clock { remind_hours: Some(1), ..Clock::of(3, None) },
            Clock { grace_hours: Some(1), ..Clock::of(3, None) },
            Clock { at: Some("20:00".into()), ..Clock::of(3, None) },
        ] {
            assert!(lonely.check(false).unwrap_err().what.contains("only a host decides them"));
        }
    }
}
