//! Days and times: as a person types them, `2026-11-22`, or with a time, in UTC or with an offset, as
//! in `2026-11-22T09:30:00Z` and `2026-11-22T10:30:00+01:00`; and as they are shown.

use host::{ErrorCode, HostError};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use protocol::Timestamp;
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

/// Reads a day, which is its beginning in UTC, or a time, which is in UTC where no offset follows.
pub(crate) fn parse(text: &str) -> Result<Timestamp, HostError> {
    read(text.trim()).ok_or_else(|| {
        HostError::of(
            ErrorCode::BadRequest,
            format!("{text:?} is no day or time such as 2026-11-22 or 2026-11-22T09:30:00Z"),
        )
    })
}

fn read(text: &str) -> Option<Timestamp> {
    // As it is shown: with a space before the offset.
    let joined = match text.rsplit_once(' ') {
        Some((time, offset)) if offset.starts_with(['+', '-']) => format!("{time}{offset}"),
        _ => text.to_owned(),
    };
    let text = joined.as_str();
    // A time without an offset is one in UTC; a place behind it would be passed over.
    let in_utc = || {
        let time: DateTime = (!text.contains('[')).then(|| text.parse().ok())??;
        time.to_zoned(TimeZone::UTC).ok()
    };
    let time = match text.parse::<jiff::Timestamp>() {
        Ok(time) => time,
        Err(_) => in_utc()?.timestamp(),
    };
    let time = time.as_millisecond();
    (time >= 0).then_some(Timestamp(time))
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
            ("2026-11-22T09:30", "2026-11-22T09:30:00.000Z"),
            ("2026-11-22 01:30:00 +02:00", "2026-11-21T23:30:00.000Z"),
            ("2100-03-01T00:00:00.250Z", "2100-03-01T00:00:00.250Z"),
            ("2100-03-01T00:00:00.250-01:00", "2100-03-01T01:00:00.250Z"),
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
            "2026-11-22T09:30:00.250 or so",
            "2026-11-22T09:30:00[Europe/Paris]",
            "1969-12-31T23:59:59Z",
            "-1-1-1",
            "+2026-1-1",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
