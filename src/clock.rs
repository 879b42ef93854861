//! When a step is due in the time zone of a game, and what follows from that (`schemas/protocol.md`, "The clock").
//!
//! A host's program reckons here once and signs the instant it comes to; from then on that instant alone counts. So it does no
//! harm that zone rules change and programs know different editions of them: no verifier comes here.

use chrono::{DateTime, Days, MappedLocalTime, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::{TZ_VARIANTS, Tz};

use crate::doc::suggest::nearest;
use crate::doc::{Clock, instant, minutes};
use crate::error::{Error, Result};

/// The zone of a clock; UTC if it names none.
///
/// # Errors
/// If this program knows no zone of that name: what to write, or what to do about terms that have it.
pub fn zone(clock: &Clock) -> Result<Tz> {
    clock.zone.as_deref().map_or(Ok(Tz::UTC), zone_named)
}

/// A zone by its IANA name; case does not count.
///
/// # Errors
/// As [`zone`].
pub fn zone_named(name: &str) -> Result<Tz> {
    if let Some(zone) = TZ_VARIANTS.iter().find(|zone| zone.name().eq_ignore_ascii_case(name)) {
        return Ok(*zone);
    }
    let names: Vec<&str> = TZ_VARIANTS.iter().map(|zone| zone.name()).collect();
    // `Berlin` alone is what people write.
    let city =
        |full: &&&str| full.rsplit('/').next().is_some_and(|city| city.eq_ignore_ascii_case(&name.replace(' ', "_")));
    let meant = names.iter().find(city).copied().or_else(|| nearest(name, &names));
    let next = match meant {
        Some(meant) => format!("did you mean {meant}?"),
        None => "write continent and city, like Europe/Berlin or America/New_York, or leave it out for UTC; terms that came \
                 with this name need a newer program"
            .to_owned(),
    };
    Err(Error::misuse(format!("no time zone `{name}` is known here")).next(next))
}

/// The instant of a local time. One that does not exist because clocks go forward, and one that exists twice because they go
/// back, is read so that it comes later: the player has more time.
///
/// A local time that does not exist is read by the clock as it went before (02:30 when 02:00 becomes 03:00 is 03:30).
fn reading(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    match zone.from_local_datetime(&local) {
        MappedLocalTime::Single(at) => at.with_timezone(&Utc),
        MappedLocalTime::Ambiguous(one, other) => one.with_timezone(&Utc).max(other.with_timezone(&Utc)),
        MappedLocalTime::None => {
            // Offsets are less than a day, so a day before as UTC is before the change and a day after is behind it.
            let at = |shift: TimeDelta| {
                let offset = zone.offset_from_utc_datetime(&(local + shift)).fix().local_minus_utc();
                (local - TimeDelta::seconds(i64::from(offset))).and_utc()
            };
            at(TimeDelta::days(-1)).max(at(TimeDelta::days(1)))
        }
    }
}

/// The first instant from `earliest` on at which steps fall due: the local time of day of the clock, or `earliest` itself if
/// the clock names none.
///
/// # Errors
/// If the zone is not known here, or the calendar ends.
pub fn next_time(clock: &Clock, earliest: DateTime<Utc>) -> Result<DateTime<Utc>> {
    let Some(at) = &clock.at else { return Ok(earliest) };
    let sense = minutes(at).and_then(|n| NaiveTime::from_hms_opt(n / 60, n % 60, 0));
    let time = sense.ok_or_else(|| Error::new(format!("`{at}` is no time of day, like 20:00")))?;
    let zone = zone(clock)?;
    // From the day before on: there a time that does not exist can be read as late as this day.
    let first = earliest.with_timezone(&zone).date_naive().checked_sub_days(Days::new(1));
    let days = (0..5).filter_map(|n| first?.checked_add_days(Days::new(n)));
    let found = days.map(|day| reading(zone, day.and_time(time))).find(|due| *due >= earliest);
    found.ok_or_else(|| Error::new("the calendar ends before the step is due"))
}

/// When a step is due that opened then: its days of 24 hours later, and from there on at the time of day of the clock. What
/// the players agreed to rest counts before: give the end of it as `opened`.
///
/// # Errors
/// As [`next_time`].
pub fn due_after(clock: &Clock, opened: DateTime<Utc>) -> Result<DateTime<Utc>> {
    let over = opened.checked_add_signed(TimeDelta::seconds(clock.span()));
    next_time(clock, over.ok_or_else(|| Error::new("the calendar ends before the step is due"))?)
}

/// When the reminder of a step goes out that is due then; none if the clock has none.
#[must_use]
pub fn remind_at(clock: &Clock, due: DateTime<Utc>) -> Option<DateTime<Utc>> {
    due.checked_sub_signed(TimeDelta::hours(i64::from(clock.remind_hours?)))
}

/// The last instant at which nobody is late yet in a step that is due then: after it a host may declare it.
#[must_use]
pub fn late_after(clock: &Clock, due: DateTime<Utc>) -> DateTime<Utc> {
    due.checked_add_signed(TimeDelta::seconds(clock.grace())).unwrap_or(due)
}

/// An instant as a document writes it.
#[must_use]
pub fn read(text: &str) -> Option<DateTime<Utc>> {
    instant(text).and_then(|seconds| DateTime::from_timestamp(seconds, 0))
}

/// An instant as a document writes it.
#[must_use]
pub fn write(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// What a person writes for an instant: `2026-01-05T12:00:00Z` in UTC, or `2026-01-05 20:00` in the zone of the game.
///
/// # Errors
/// If it is neither, or the zone is not known here.
pub fn typed(text: &str, clock: Option<&Clock>) -> Result<DateTime<Utc>> {
    if let Some(at) = read(text.trim()) {
        return Ok(at);
    }
    if let Ok(local) = NaiveDateTime::parse_from_str(text.trim(), "%Y-%m-%d %H:%M") {
        return Ok(reading(clock.map_or(Ok(Tz::UTC), zone)?, local));
    }
    let place = clock.and_then(|c| c.zone.as_deref()).unwrap_or("UTC");
    Err(Error::misuse(format!("`{text}` is no date with a time of day"))
        .next(format!("write \"2026-01-05 20:00\" ({place}), or in UTC 2026-01-05T12:00:00Z")))
}

/// An instant for people: in the zone of the game, if it is another and known here, and in UTC.
#[must_use]
pub fn shown(at: DateTime<Utc>, clock: Option<&Clock>) -> String {
    let utc = at.format("%-d %B %Y, %H:%M UTC").to_string();
    match clock.map(zone) {
        Some(Ok(zone)) if zone != Tz::UTC => {
            format!("{} {zone} ({utc})", at.with_timezone(&zone).format("%-d %B %Y, %H:%M"))
        }
        _ => utc,
    }
}

/// How far an instant is from now: `in 2 days 3 hours`, `20 minutes ago`, `now`.
#[must_use]
pub fn away(at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let minutes = (at - now).num_minutes();
    let parts = [(minutes.abs() / 1440, "day"), (minutes.abs() / 60 % 24, "hour"), (minutes.abs() % 60, "minute")];
    let said = parts.iter().skip_while(|(n, _)| *n == 0).take(2).filter(|(n, _)| *n > 0);
    let words: Vec<String> = said.map(|(n, unit)| format!("{n} {unit}{}", if *n == 1 { "" } else { "s" })).collect();
    match (minutes, words.join(" ")) {
        (0, _) => "now".to_owned(),
        (1.., words) => format!("in {words}"),
        (_, words) => format!("{words} ago"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(zone: &str, at: Option<&str>, days: u32) -> Clock {
        Clock { zone: Some(zone.into()), at: at.map(Into::into), ..Clock::of(days, None) }
    }

    fn at(text: &str) -> DateTime<Utc> {
        read(text).unwrap_or_else(|| panic!("{text}"))
    }

    /// The days on which local times are missing or double, each with the outcome that gives the player more time.
    #[test]
    fn clocks_that_change_give_the_player_more_time() {
        for (zone, time, days, opened, due) in [
            // 29 March 2026, 02:00 becomes 03:00: 02:30 does not exist and is read as 03:30 summer time, not 01:30 winter time.
            ("Europe/Berlin", "02:30", 3, "2026-03-25T20:00:00Z", "2026-03-29T01:30:00Z"),
            // 25 October 2026, 03:00 becomes 02:00: 02:30 comes twice, and the second counts.
            ("Europe/Berlin", "02:30", 3, "2026-10-21T20:00:00Z", "2026-10-25T01:30:00Z"),
            // 1 November 2026, 02:00 becomes 01:00: the second 01:30, in winter time.
            ("America/New_York", "01:30", 2, "2026-10-30T00:00:00Z", "2026-11-01T06:30:00Z"),
            // Lord Howe changes by half an hour. 5 April 2026, 02:00 becomes 01:30: the second 01:45.
            ("Australia/Lord_Howe", "01:45", 1, "2026-04-03T10:00:00Z", "2026-04-04T15:15:00Z"),
            // 4 October 2026, 02:00 becomes 02:30: 02:15 is read as 02:45.
            ("Australia/Lord_Howe", "02:15", 1, "2026-10-02T10:00:00Z", "2026-10-03T15:45:00Z"),
            // Samoa left out 30 December 2011: its noon is read as that of the day after.
            ("Pacific/Apia", "12:00", 1, "2011-12-29T00:00:00Z", "2011-12-30T22:00:00Z"),
            // The same time of day before and behind a change.
            ("Europe/Berlin", "20:00", 3, "2026-03-26T12:00:00Z", "2026-03-29T18:00:00Z"),
            ("Europe/Berlin", "20:00", 3, "2026-03-25T12:00:00Z", "2026-03-28T19:00:00Z"),
            // A leap day, the end of a year, a zone ahead of UTC by most of a day.
            ("UTC", "20:00", 2, "2028-02-27T20:00:00Z", "2028-02-29T20:00:00Z"),
            ("UTC", "20:00", 2, "2028-02-27T20:00:01Z", "2028-03-01T20:00:00Z"),
            ("Europe/Berlin", "00:00", 1, "2026-12-30T23:00:00Z", "2026-12-31T23:00:00Z"),
            ("Pacific/Kiritimati", "20:00", 1, "2026-12-30T06:00:00Z", "2026-12-31T06:00:00Z"),
        ] {
            let clock = clock(zone, Some(time), days);
            assert_eq!(write(due_after(&clock, at(opened)).unwrap()), due, "{zone} {time} {opened}");
        }
    }

    /// In every zone, at every hour, around all changes of two years: the days are always there, and never more than two
    /// days of waiting for the time of day.
    #[test]
    fn a_step_has_its_days_in_every_zone() {
        for zone in TZ_VARIANTS.iter().step_by(7) {
            for (n, time) in ["00:00", "01:45", "02:30", "23:59"].into_iter().enumerate() {
                let clock = clock(zone.name(), Some(time), 3);
                let mut opened = at("2026-01-01T00:00:00Z") + TimeDelta::hours(i64::try_from(n).unwrap());
                while opened < at("2027-01-01T00:00:00Z") {
                    let due = due_after(&clock, opened).unwrap();
                    let spent = due - opened;
                    assert!(spent >= TimeDelta::days(3) && spent <= TimeDelta::hours(97), "{zone} {opened} {due}");
                    opened += TimeDelta::hours(7);
                }
            }
        }
    }

    #[test]
    fn without_a_time_of_day_days_are_days() {
        let clock = clock("Europe/Berlin", None, 3);
        assert_eq!(write(due_after(&clock, at("2026-03-27T12:00:00Z")).unwrap()), "2026-03-30T12:00:00Z");
        assert!(due_after(&clock, DateTime::<Utc>::MAX_UTC).is_err());
    }

    #[test]
    fn reminder_and_grace_are_hours() {
        let clock = Clock { remind_hours: Some(24), grace_hours: Some(12), ..Clock::of(3, None) };
        let due = at("2026-03-01T12:00:00Z");
        assert_eq!(remind_at(&clock, due), Some(at("2026-02-28T12:00:00Z")));
        assert_eq!(late_after(&clock, due), at("2026-03-02T00:00:00Z"));
        assert_eq!((remind_at(&Clock::of(3, None), due), late_after(&Clock::of(3, None), due)), (None, due));
    }

    #[test]
    fn an_unknown_zone_says_what_to_write() {
        let said = |name: &str| zone_named(name).unwrap_err().to_string();
        assert_eq!(zone_named("europe/berlin").unwrap().name(), "Europe/Berlin");
        assert!(said("Berlin").contains("Europe/Berlin"), "{}", said("Berlin"));
        assert!(said("New York").contains("America/New_York"), "{}", said("New York"));
        assert!(said("Europe/Berlni").contains("did you mean Europe/Berlin"), "{}", said("Europe/Berlni"));
        assert!(said("Middle-earth/Shire").contains("write continent and city"));
    }

    #[test]
    fn people_write_and_read_times_of_their_zone() {
        let clock = clock("Europe/Berlin", Some("20:00"), 3);
        let due = at("2026-07-01T18:00:00Z");
        assert_eq!(typed("2026-07-01 20:00", Some(&clock)).unwrap(), due);
        assert_eq!(typed("2026-07-01T18:00:00Z", Some(&clock)).unwrap(), due);
        assert!(typed("after Easter", Some(&clock)).unwrap_err().to_string().contains("Europe/Berlin"));
        assert!(typed("2026-02-29 20:00", None).is_err());
        assert_eq!(shown(due, Some(&clock)), "1 July 2026, 20:00 Europe/Berlin (1 July 2026, 18:00 UTC)");
        assert_eq!(shown(due, None), "1 July 2026, 18:00 UTC");
        for (from, words) in [
            ("2026-06-29T15:00:00Z", "in 2 days 3 hours"),
            ("2026-06-29T17:40:00Z", "in 2 days"),
            ("2026-07-01T16:55:00Z", "in 1 hour 5 minutes"),
            ("2026-07-01T18:20:30Z", "20 minutes ago"),
            ("2026-07-01T18:00:30Z", "now"),
        ] {
            assert_eq!(away(due, at(from)), words);
        }
    }
}
