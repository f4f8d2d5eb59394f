//! Days and times: as a person types them, `2026-11-22`, or with a time in UTC as in
//! `2026-11-22T09:30:00Z`; and as they are shown.

use host::{ErrorCode, HostError};
use jiff::tz::TimeZone;
use protocol::{Timestamp, days_of_month};
use std::io::IsTerminal as _;

/// A time as it is shown: on a terminal by the clock of this computer, else in UTC, as it can be
/// typed again.
pub(crate) fn shown(at: Timestamp) -> String {
    match std::io::stdout().is_terminal() {
        true => shown_in(at, TimeZone::system()),
        false => at.to_string(),
    }
}

fn shown_in(at: Timestamp, zone: TimeZone) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(
        // Further away than anybody counts years.
        |_| at.to_string(),
        |time| {
            let time = time.to_zoned(zone);
            time.strftime("%Y-%m-%d %H:%M:%S %:z").to_string()
        },
    )
}

/// Reads a day, which is its beginning in UTC, or a time in UTC.
pub(crate) fn parse(text: &str) -> Result<Timestamp, HostError> {
    read(text.trim()).ok_or_else(|| {
        HostError::of(
            ErrorCode::BadRequest,
            format!("{text:?} is no day or time such as 2026-11-22 or 2026-11-22T09:30:00Z"),
        )
    })
}

fn read(text: &str) -> Option<Timestamp> {
    let (day, time) = text
        .split_once(['T', ' '])
        .map_or((text, None), |(day, time)| (day, Some(time)));
    let [year, month, day] = numbers(day, '-')?;
    let longest = days_of_month(year, month)?;
    if !(1970..=9999).contains(&year) || !(1..=longest).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is the last day of one; 400 of them have 146,097
    // days.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days =
        year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    let seconds = match time {
        None => 0,
        Some(time) => {
            let [hour, minute, second] = numbers(
                time.strip_suffix('Z').unwrap_or(time).split('.').next()?,
                ':',
            )?;
            if hour > 23 || minute > 59 || second > 59 {
                return None;
            }
            hour * 3_600 + minute * 60 + second
        }
    };
    Some(Timestamp((days * 86_400 + seconds) * 1_000))
}

/// Three numbers of digits only.
fn numbers(text: &str, between: char) -> Option<[i64; 3]> {
    let number = |part: &str| {
        (!part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse().ok())
            .flatten()
    };
    let numbers: Option<Vec<i64>> = text.split(between).map(number).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_by_the_clock_of_a_place() {
        let at = parse("2026-11-22T23:30:05Z").unwrap();
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(shown_in(at, zone.clone()), "2026-11-23 01:30:05 +02:00");
        let never = Timestamp(i64::MAX);
        assert_eq!(shown_in(never, zone), never.to_string());
    }

    #[test]
    fn a_day_or_time_reads_as_the_log_shows_it() {
        for (text, shown) in [
            ("2026-11-22", "2026-11-22T00:00:00.000Z"),
            ("2026-11-22T09:30:05Z", "2026-11-22T09:30:05.000Z"),
            ("2024-02-29 23:59:59", "2024-02-29T23:59:59.000Z"),
            ("1970-01-01", "1970-01-01T00:00:00.000Z"),
            ("2100-03-01T00:00:00.250Z", "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), shown);
        }
        for text in [
            "",
            "today",
            "2026",
            "2026-13-01",
            "2026-02-29",
            "2026-11-22T24:00:00Z",
            "2026-11-22T09:30",
            "-1-1-1",
            "+2026-1-1",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
