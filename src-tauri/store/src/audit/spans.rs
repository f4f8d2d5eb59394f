//! Cuts a time into hours, days, weeks or months of a calendar. Pure.
//!
//! Always true here: the spans follow each other without gaps, and there are at most [`MOST`].

use api::{SpanFigures, SpanUnit};
use jiff::tz::TimeZone;
use jiff::{Timestamp as Moment, ToSpan as _, Zoned};
use protocol::Timestamp;

/// So many spans at most.
pub(super) const MOST: usize = 92;

/// The shortest spans of which few enough hold all from `from` to before `to`, each without calls.
/// Where not even months are few enough, the newest ones.
pub(super) fn between(
    from: Timestamp,
    to: Timestamp,
    zone: &TimeZone,
) -> (SpanUnit, Vec<SpanFigures>) {
    let units = [SpanUnit::Hour, SpanUnit::Day, SpanUnit::Week];
    for unit in units {
        let spans = cut(unit, from, to, zone);
        // Hours are for a day or two.
        let most = if unit == SpanUnit::Hour { 49 } else { MOST };
        if spans.len() <= most {
            return (unit, spans);
        }
    }
    let mut spans = cut(SpanUnit::Month, from, to, zone);
    spans.drain(..spans.len().saturating_sub(MOST));
    (SpanUnit::Month, spans)
}

/// All spans of a unit, from the one that holds `from`; no more than one too many. Of months those
/// before `to`.
fn cut(unit: SpanUnit, from: Timestamp, to: Timestamp, zone: &TimeZone) -> Vec<SpanFigures> {
    let mut spans = Vec::new();
    let begin = moment(from, zone).and_then(|from| begin_of(unit, &from));
    let end = moment(to, zone);
    let (Some(mut begin), Some(end)) = (begin, end) else {
        return spans;
    };
    if unit == SpanUnit::Month
        && let Some(earliest) = months_before(&end)
    {
        begin = begin.max(earliest);
    }
    while begin < end && spans.len() <= MOST {
        let Some(next) = next_of(unit, &begin) else {
            break;
        };
        spans.push(SpanFigures {
            from: timestamp(&begin),
            to: timestamp(&next),
            done: 0,
            failed: 0,
            refused: 0,
        });
        begin = next;
    }
    spans
}

/// When the month begins from which on so many are shown.
fn months_before(end: &Zoned) -> Option<Zoned> {
    let back = i64::try_from(MOST).ok()? - 1;
    begin_of(SpanUnit::Month, &end.checked_sub(back.months()).ok()?)
}

fn moment(at: Timestamp, zone: &TimeZone) -> Option<Zoned> {
    let moment = Moment::from_millisecond(at.0).ok()?;
    Some(moment.to_zoned(zone.clone()))
}

fn timestamp(at: &Zoned) -> Timestamp {
    Timestamp(at.timestamp().as_millisecond())
}

fn begin_of(unit: SpanUnit, at: &Zoned) -> Option<Zoned> {
    match unit {
        SpanUnit::Hour => at.with().minute(0).second(0).subsec_nanosecond(0).build(),
        SpanUnit::Day => at.start_of_day(),
        SpanUnit::Week => {
            let since_monday = at.weekday().to_monday_zero_offset();
            at.checked_sub(i64::from(since_monday).days())
                .and_then(|monday| monday.start_of_day())
        }
        SpanUnit::Month => at.first_of_month().and_then(|first| first.start_of_day()),
    }
    .ok()
}

fn next_of(unit: SpanUnit, begin: &Zoned) -> Option<Zoned> {
    let (later, is_of_days) = match unit {
        SpanUnit::Hour => (1.hour(), false),
        SpanUnit::Day => (1.day(), true),
        SpanUnit::Week => (1.week(), true),
        SpanUnit::Month => (1.month(), true),
    };
    let next = begin.checked_add(later).ok()?;
    // A day can begin at another hour than at midnight, where clocks are changed then.
    if is_of_days {
        next.start_of_day().ok()
    } else {
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in Berlin. Its name would need a database of zones.
    const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

    fn at(text: &str) -> Timestamp {
        Timestamp(text.parse::<Moment>().unwrap().as_millisecond())
    }

    fn begins(from: &str, to: &str) -> (SpanUnit, Vec<String>) {
        let zone = TimeZone::posix(BERLIN).unwrap();
        let (unit, spans) = between(at(from), at(to), &zone);
        assert!(spans.is_sorted_by(|one, next| one.to == next.from));
        let shown = |span: &SpanFigures| {
            moment(span.from, &zone)
                .unwrap()
                .strftime("%m-%d %H")
                .to_string()
        };
        (unit, spans.iter().map(shown).collect())
    }

    #[test]
    fn hours_days_weeks_and_months_are_those_of_the_calendar() {
        let (unit, hours) = begins("2026-11-27T09:30+01:00", "2026-11-27T12:00+01:00");
        assert_eq!(unit, SpanUnit::Hour);
        assert_eq!(hours, ["11-27 09", "11-27 10", "11-27 11"]);
        // Clocks go back on the 25th: that day has 25 hours.
        let (unit, days) = begins("2026-10-24T12:00+02:00", "2026-10-27T00:00+01:00");
        assert_eq!(unit, SpanUnit::Day);
        assert_eq!(days, ["10-24 00", "10-25 00", "10-26 00"]);
        let (unit, weeks) = begins("2026-01-01T00:00+01:00", "2026-06-01T00:00+02:00");
        assert_eq!(unit, SpanUnit::Week);
        assert_eq!((weeks.len(), weeks[0].as_str()), (22, "12-29 00"));
        let (unit, months) = begins("2020-02-10T00:00+01:00", "2026-11-27T00:00+01:00");
        assert_eq!(unit, SpanUnit::Month);
        assert_eq!((months.len(), months[0].as_str()), (82, "02-01 00"));
    }

    #[test]
    fn however_long_a_time_is_there_are_few_spans_and_the_newest_of_them() {
        let utc = TimeZone::UTC;
        let now = at("2026-11-27T00:00+00:00");
        for from in [0, -60_000_000_000_000, i64::MIN / 2, i64::MIN] {
            let (_, spans) = between(Timestamp(from), now, &utc);
            assert!(spans.len() <= MOST);
            if from >= -60_000_000_000_000 {
                assert!(spans.last().unwrap().to.0 >= now.0);
            }
        }
        assert!(between(now, now, &utc).1.is_empty());
        assert!(between(now, Timestamp(i64::MAX), &utc).1.is_empty());
    }
}
