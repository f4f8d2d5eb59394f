//! Counts the calls of the log, and how long they took.

use super::callers;
use super::search::{each, named_outcome};
use super::spans;
use crate::StoreError;
use api::{
    ActivityFigures, ActivityFilter, ActivitySegment, CallerFigures, Outcome, OutcomeCount,
    ServerFigures, SpanFigures, SpanUnit, TimeFigures,
};
use jiff::tz::TimeZone;
use protocol::{ServerId, Timestamp};
use rusqlite::{Connection, Row};
use std::cmp::Reverse;
use std::collections::HashMap;

/// How many servers, and how many callers, are told apart.
const MOST: usize = 20;
/// What is read of a row.
const COLUMNS: &str =
    "a.at, a.outcome, a.server, a.caller, a.caller_name, a.ran_ms, a.waited_ms, a.what";

/// The calls that fit, in figures, by the calendar of `zone`.
pub(super) fn figures(
    db: &Connection,
    filter: &ActivityFilter,
    zone: &TimeZone,
) -> Result<ActivityFigures, StoreError> {
    let filter = ActivityFilter {
        segment: Some(ActivitySegment::Calls),
        ..filter.clone()
    };
    let (from, to) = times(db, &filter)?;
    let (unit, spans) = spans::between(from, to, zone);
    let mut counted = Counted {
        spans,
        ..Counted::default()
    };
    each(db, &filter, COLUMNS, |row| {
        // Among them stand resources that were read, and other things that were asked of servers.
        if row.get_ref(7)?.as_str().map_err(rusqlite::Error::from)? == "call" {
            counted.count(Call::of(row)?);
        }
        Ok(())
    })?;
    counted.figures(unit)
}

/// From when to when calls can fit: as the filter says, else from the first record to the last.
fn times(db: &Connection, filter: &ActivityFilter) -> Result<(Timestamp, Timestamp), StoreError> {
    let (first, last): (Option<i64>, Option<i64>) = db
        .prepare_cached("SELECT min(first), max(last) FROM activity_times")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let from = filter.from.map_or(first.unwrap_or(0), |from| from.0);
    let to = filter.to.map_or(last.map_or(0, |last| last + 1), |to| to.0);
    Ok((Timestamp(from), Timestamp(to.max(from))))
}

/// What is counted of a call.
struct Call {
    at: Timestamp,
    outcome: Outcome,
    server: Option<String>,
    /// Its key, and its name.
    caller: Option<(String, String)>,
    ran: Option<u64>,
    waited: Option<u64>,
}

impl Call {
    fn of(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            at: Timestamp(row.get(0)?),
            outcome: named_outcome(&row.get::<_, String>(1)?)?,
            server: row.get(2)?,
            caller: Option::zip(row.get(3)?, row.get(4)?),
            ran: row.get::<_, Option<i64>>(5)?.map(i64::unsigned_abs),
            waited: row.get::<_, Option<i64>>(6)?.map(i64::unsigned_abs),
        })
    }
}

/// How calls ended.
#[derive(Debug, Default, Clone, Copy)]
struct Ends {
    calls: u64,
    failed: u64,
    refused: u64,
}

impl Ends {
    fn count(&mut self, outcome: Outcome) {
        self.calls += 1;
        match outcome {
            Outcome::Done | Outcome::Running | Outcome::Noted => {}
            Outcome::Refused => self.refused += 1,
            Outcome::ToolError | Outcome::Failed | Outcome::Cancelled | Outcome::Interrupted => {
                self.failed += 1;
            }
        }
    }
}

/// What was counted so far.
#[derive(Default)]
struct Counted {
    calls: u64,
    spans: Vec<SpanFigures>,
    servers: HashMap<String, (Ends, Vec<u64>)>,
    /// With the name that each had last.
    callers: HashMap<String, (Ends, String)>,
    outcomes: Vec<OutcomeCount>,
    ran: Vec<u64>,
    waited: Vec<u64>,
}

impl Counted {
    fn count(&mut self, call: Call) {
        self.calls += 1;
        let next = self.spans.partition_point(|span| span.from <= call.at);
        if let Some(span) = next.checked_sub(1).and_then(|nth| self.spans.get_mut(nth)) {
            let mut ends = Ends::default();
            ends.count(call.outcome);
            span.failed += ends.failed;
            span.refused += ends.refused;
            span.done += ends.calls - ends.failed - ends.refused;
        }
        match self
            .outcomes
            .iter_mut()
            .find(|one| one.outcome == call.outcome)
        {
            Some(one) => one.calls += 1,
            None => self.outcomes.push(OutcomeCount {
                outcome: call.outcome,
                calls: 1,
            }),
        }
        if let Some(server) = call.server {
            let (ends, times) = self.servers.entry(server).or_default();
            ends.count(call.outcome);
            times.extend(call.ran);
        }
        if let Some((key, name)) = call.caller {
            let (ends, newest) = self.callers.entry(key).or_default();
            ends.count(call.outcome);
            *newest = name;
        }
        self.ran.extend(call.ran);
        self.waited.extend(call.waited.filter(|waited| *waited > 0));
    }

    fn figures(mut self, unit: SpanUnit) -> Result<ActivityFigures, StoreError> {
        self.outcomes.sort_by_key(|one| Reverse(one.calls));
        let mut servers: Vec<_> = self.servers.into_iter().collect();
        servers.sort_by(|(one, (few, _)), (other, (more, _))| {
            more.calls.cmp(&few.calls).then_with(|| one.cmp(other))
        });
        servers.truncate(MOST);
        let mut callers: Vec<_> = self.callers.into_iter().collect();
        callers.sort_by(|(one, (few, _)), (other, (more, _))| {
            more.calls.cmp(&few.calls).then_with(|| one.cmp(other))
        });
        callers.truncate(MOST);
        Ok(ActivityFigures {
            calls: self.calls,
            unit,
            spans: self.spans,
            servers: servers
                .into_iter()
                .map(|(server, (ends, times))| {
                    let damaged = |error: protocol::NameError| StoreError::Damaged {
                        reason: error.to_string(),
                    };
                    Ok(ServerFigures {
                        server: ServerId::parse(&server).map_err(damaged)?,
                        calls: ends.calls,
                        failed: ends.failed,
                        refused: ends.refused,
                        ran: times_of(times),
                    })
                })
                .collect::<Result<_, StoreError>>()?,
            callers: callers
                .into_iter()
                .map(|(key, (ends, name))| {
                    Ok(CallerFigures {
                        caller: callers::named(&key, &name)?,
                        calls: ends.calls,
                        failed: ends.failed,
                        refused: ends.refused,
                    })
                })
                .collect::<Result<_, StoreError>>()?,
            outcomes: self.outcomes,
            ran: times_of(self.ran),
            waited: times_of(self.waited),
        })
    }
}

/// The middle of times, and where 95 of a hundred lie below: of n times the ⌈n · p⌉-th.
fn times_of(mut times: Vec<u64>) -> Option<TimeFigures> {
    times.sort_unstable();
    let at = |percent: usize| {
        let nth = (times.len() * percent).div_ceil(100);
        times.get(nth.checked_sub(1)?).copied()
    };
    Some(TimeFigures {
        p50: at(50)?,
        p95: at(95)?,
        of: times.len() as u64,
    })
}
