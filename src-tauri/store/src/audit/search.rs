//! Finds rows of the log, and the records of one.

use super::call_events::{CallClosed, CallOpened};
use super::callers;
use super::chain::HEAD;
use super::index::{number, part};
use super::indexed_text::facets;
use super::record::{Entry, Event};
use super::row_batch::RowBatch;
use crate::StoreError;
use crate::tokenizer::Sought;
use api::{
    ActivityDetail, ActivityFilter, ActivityPage, ActivityReason, ActivityRow, ActivitySegment,
    Outcome,
};
use policy::Permission;
use protocol::{Caller, CallerFilter, GrantId, QuestionId, RuleId, ServerId, Timestamp, ToolName};
use rusqlite::types::Value as Column;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use std::collections::HashSet;
use std::path::Path;

/// Most rows of one page.
const LONGEST_PAGE: u32 = 500;
/// How many of the newest rows are looked through before the index of words is asked: a frequent
/// word fills a page before that, and where only few rows fit otherwise, none is left to be asked
/// for.
const LOOKED_THROUGH: usize = 1_000;
/// How many rows of each condition are counted to find the one that fits the fewest.
const COUNTED: usize = 10_000;
pub(super) const COLUMNS: &str = "a.seq, a.at, a.what, a.caller, a.server, a.tool, a.outcome, a.duration_ms, a.waited_ms, a.ran_ms, a.caller_name, a.call, a.reason, a.approver, a.segment, a.subject, a.choice, a.things, a.question, a.grant_id, a.rule";
/// Where the call stands in [`COLUMNS`], and what is selected after them.
pub(super) const CALL: usize = 11;
const WORDS: usize = SEGMENT + 7;
const SEGMENT: usize = CALL + 3;

/// Rows that fit, newest first, older than `before`.
pub(super) fn activity(
    db: &Connection,
    filter: &ActivityFilter,
    before: Option<u64>,
    limit: u32,
) -> Result<ActivityPage, StoreError> {
    let limit = limit.clamp(1, LONGEST_PAGE) as usize;
    let wanted = Wanted::of(db, filter, before)?;
    let text = filter
        .text
        .as_deref()
        .filter(|text| !text.trim().is_empty());
    let mut rows = match text.map(Sought::of) {
        None => wanted.newest(db, limit + 1)?,
        Some(Some(sought)) => wanted.newest_with(db, &sought, limit + 1)?,
        // Signs alone are in no word of any row.
        Some(None) => Vec::new(),
    };
    let next = if rows.len() > limit {
        rows.get(limit - 1).map(|row: &ActivityRow| row.seq)
    } else {
        None
    };
    rows.truncate(limit);
    Ok(ActivityPage { rows, next })
}

/// Conditions on the columns of a row, and their values.
struct Wanted {
    conditions: Vec<&'static str>,
    values: Vec<Column>,
    /// The index in which the fewest rows fit.
    index: Option<&'static str>,
    /// What the index of words knows of these conditions.
    facets: Vec<String>,
}

impl Wanted {
    fn of(
        db: &Connection,
        filter: &ActivityFilter,
        before: Option<u64>,
    ) -> Result<Self, StoreError> {
        let facets = facets(
            filter.server.as_ref(),
            filter.tool.as_ref(),
            filter.caller.as_ref(),
            filter.outcome,
            filter.segment,
        );
        let mut wanted = Self {
            conditions: Vec::new(),
            values: Vec::new(),
            index: None,
            facets,
        };
        let mut below = before.map_or(i64::MAX, number);
        // Records are written in the order of time, nearly: it is known between which rows those of
        // a time lie.
        let bound = |sql: &str, at: Timestamp| {
            Ok::<_, StoreError>(
                db.prepare_cached(sql)?
                    .query_row([at.0], |row| row.get(0))?,
            )
        };
        if let Some(from) = filter.from {
            let first: Option<i64> = bound(
                "SELECT min(stretch) FROM activity_times WHERE last >= ?1",
                from,
            )?;
            wanted.add(
                "a.seq >= ?",
                first.map_or(i64::MAX, |first| first * RowBatch::STRETCH),
            );
            wanted.add("a.at >= ?", from.0);
        }
        if let Some(to) = filter.to {
            let last: Option<i64> = bound(
                "SELECT max(stretch) FROM activity_times WHERE first < ?1",
                to,
            )?;
            below = below.min(last.map_or(0, |last| (last + 1) * RowBatch::STRETCH));
            wanted.add("a.at < ?", to.0);
        }
        // One bound, not two: SQLite begins at the one and only holds rows against the other.
        wanted.add("a.seq < ?", below);
        let (caller, kind) = match &filter.caller {
            Some(CallerFilter { kind, id: None }) => (None, Some(kind.as_str().to_owned())),
            Some(CallerFilter { kind, id: Some(id) }) => (Some(callers::key_of(kind, id)), None),
            None => (None, None),
        };
        let columns: [(&str, &str, Option<String>); 6] = [
            (
                "a.server_key = ?",
                "activity_by_server",
                filter.server.as_ref().map(ServerId::key),
            ),
            (
                "a.tool = ?",
                "activity_by_tool",
                filter.tool.as_ref().map(|tool| tool.as_str().to_owned()),
            ),
            (
                "a.outcome = ?",
                "activity_by_outcome",
                filter.outcome.map(|outcome| outcome.as_str().to_owned()),
            ),
            (
                "a.segment = ?",
                "activity_by_segment",
                filter.segment.map(|segment| segment.as_str().to_owned()),
            ),
            ("a.caller = ?", "activity_by_caller", caller),
            ("a.caller_kind = ?", "activity_by_caller_kind", kind),
        ];
        let mut fewest = None;
        for (condition, index, value) in columns
            .into_iter()
            .filter_map(|(condition, index, value)| Some((condition, index, value?)))
        {
            // How far back so many rows of it reach; nothing, if there are not as many.
            let sql = format!(
                "SELECT a.seq FROM activity a INDEXED BY {index} WHERE {condition} AND a.seq < ? ORDER BY a.seq DESC LIMIT 1 OFFSET {COUNTED}"
            );
            let reach: Option<i64> = db
                .prepare_cached(&sql)?
                .query_row((&value, below), |row| row.get(0))
                .optional()?;
            if fewest.is_none_or(|fewest| reach < fewest) {
                (fewest, wanted.index) = (Some(reach), Some(index));
            }
            wanted.add(condition, value);
        }
        Ok(wanted)
    }

    fn add(&mut self, condition: &'static str, value: impl Into<Column>) {
        self.conditions.push(condition);
        self.values.push(value.into());
    }

    fn condition(&self) -> String {
        self.conditions.join(" AND ")
    }

    /// The question for the newest rows, at most `most`, with their words if they are to be looked
    /// at.
    fn question(&self, words: &str, most: usize) -> String {
        let index = self.index.map_or_else(
            || "NOT INDEXED".to_owned(),
            |index| format!("INDEXED BY {index}"),
        );
        format!(
            "SELECT {COLUMNS}{words} FROM activity a {index} WHERE {} ORDER BY a.seq DESC LIMIT {most}",
            self.condition()
        )
    }

    /// The question for these columns of all rows, oldest first, with their words behind them if
    /// they are to be looked at; and its values.
    fn all(mut self, columns: &str, sought: Option<&Sought>) -> (String, Vec<Column>) {
        let (words, from, order) = match sought {
            None => {
                let index = self.index.map_or_else(
                    || "NOT INDEXED".to_owned(),
                    |index| format!("INDEXED BY {index}"),
                );
                ("", format!("activity a {index}"), "a.seq")
            }
            Some(sought) => {
                self.add("activity_words MATCH ?", sought.question(&self.facets));
                let from = "activity_words w CROSS JOIN activity a ON a.seq = w.rowid";
                (", a.words", from.to_owned(), "w.rowid")
            }
        };
        let condition = self.condition();
        let sql = format!("SELECT {columns}{words} FROM {from} WHERE {condition} ORDER BY {order}");
        (sql, self.values)
    }

    /// The newest rows, at most `most`.
    fn newest(&self, db: &Connection, most: usize) -> Result<Vec<ActivityRow>, StoreError> {
        read_rows(db, &self.question("", most), &self.values)
    }

    /// The newest rows that hold what is sought, at most `most`.
    fn newest_with(
        mut self,
        db: &Connection,
        sought: &Sought,
        most: usize,
    ) -> Result<Vec<ActivityRow>, StoreError> {
        let mut rows = Vec::new();
        let looked = look(
            db,
            &self.question(", a.words", LOOKED_THROUGH),
            &self.values,
            sought,
            most,
            &mut rows,
        )?;
        let Some(last) = looked
            .last
            .filter(|_| rows.len() < most && looked.through == LOOKED_THROUGH)
        else {
            return Ok(rows);
        };
        // The index of words is told where to look, too.
        let least = std::iter::zip(&self.conditions, &self.values)
            .find(|(condition, _)| **condition == "a.seq >= ?");
        if let Some(least) = least.map(|(_, least)| least.clone()) {
            self.add("w.rowid >= ?", least);
        }
        self.add("w.rowid < ?", last);
        self.add("activity_words MATCH ?", sought.question(&self.facets));
        let sql = format!(
            "SELECT {COLUMNS}, a.words FROM activity_words w CROSS JOIN activity a ON a.seq = w.rowid WHERE {} ORDER BY w.rowid DESC",
            self.condition()
        );
        look(db, &sql, &self.values, sought, most, &mut rows)?;
        Ok(rows)
    }
}

/// How far rows were looked through.
struct Looked {
    through: usize,
    last: Option<i64>,
}

/// Adds to `rows` those that hold what is sought, until there are `most`.
fn look(
    db: &Connection,
    sql: &str,
    values: &[Column],
    sought: &Sought,
    most: usize,
    rows: &mut Vec<ActivityRow>,
) -> Result<Looked, StoreError> {
    let mut select = db.prepare_cached(sql)?;
    let mut found = select.query(params_from_iter(values))?;
    let mut looked = Looked {
        through: 0,
        last: None,
    };
    while rows.len() < most
        && let Some(row) = found.next()?
    {
        looked = Looked {
            through: looked.through + 1,
            last: Some(row.get(0)?),
        };
        if sought.is_in(row.get_ref(WORDS)?.as_str().unwrap_or_default()) {
            rows.push(read_row(row)?);
        }
    }
    Ok(looked)
}

fn read_rows(
    db: &Connection,
    sql: &str,
    values: &[Column],
) -> Result<Vec<ActivityRow>, StoreError> {
    let mut select = db.prepare_cached(sql)?;
    let mut found = select.query(params_from_iter(values))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        rows.push(read_row(row)?);
    }
    Ok(rows)
}

/// The row to which record `seq` belongs.
pub(super) fn row_of(db: &Connection, seq: u64) -> Result<ActivityRow, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM activity a WHERE a.seq = (SELECT row FROM activity_records WHERE seq = ?1)"
    );
    let row = db
        .prepare_cached(&sql)?
        .query_row([number(seq)], |row| Ok(read_row(row)))
        .optional()?;
    row.ok_or(StoreError::UnknownRecord { seq })?
}

/// The records that belong to all rows that fit.
pub(super) fn records_of_all(
    db: &Connection,
    filter: &ActivityFilter,
) -> Result<HashSet<u64>, StoreError> {
    let mut rows = HashSet::new();
    each(db, filter, "a.seq", |row| {
        rows.insert(row.get::<_, i64>(0)?);
        Ok(())
    })?;
    let mut select =
        db.prepare_cached("SELECT seq, row FROM activity_records WHERE row NOT NULL")?;
    let mut found = select.query([])?;
    let mut records = HashSet::new();
    while let Some(record) = found.next()? {
        if rows.contains(&record.get(1)?) {
            records.insert(record.get::<_, i64>(0)?.unsigned_abs());
        }
    }
    Ok(records)
}

/// Looks at these columns of every row that fits, oldest first.
pub(super) fn each(
    db: &Connection,
    filter: &ActivityFilter,
    columns: &str,
    mut look: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let sought = match filter.text.as_deref().map(str::trim) {
        None | Some("") => None,
        Some(text) => match Sought::of(text) {
            // Signs alone are in no word of any row.
            None => return Ok(()),
            sought => sought,
        },
    };
    let (sql, values) = Wanted::of(db, filter, None)?.all(columns, sought.as_ref());
    let mut select = db.prepare_cached(&sql)?;
    let words = select.column_count().saturating_sub(1);
    let mut rows = select.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        let fits = match &sought {
            Some(sought) => sought.is_in(row.get_ref(words)?.as_str().unwrap_or_default()),
            None => true,
        };
        if fits {
            look(row)?;
        }
    }
    Ok(())
}

/// The outcome of this name.
pub(super) fn named_outcome(name: &str) -> Result<Outcome, StoreError> {
    Outcome::parse(name).ok_or_else(|| StoreError::Damaged {
        reason: format!("{name:?} is no outcome"),
    })
}

/// The rows to which records belong, each once. Those without one are passed over.
pub(super) fn rows_of(db: &Connection, records: &[u64]) -> Result<Vec<ActivityRow>, StoreError> {
    let mut row = db.prepare_cached("SELECT row FROM activity_records WHERE seq = ?1")?;
    let mut read = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM activity a WHERE a.seq = ?1"
    ))?;
    let (mut seen, mut rows) = (HashSet::new(), Vec::new());
    for seq in records {
        let of: Option<Option<i64>> = row.query_row([number(*seq)], |row| row.get(0)).optional()?;
        let Some(of) = of.flatten().filter(|of| seen.insert(*of)) else {
            continue;
        };
        let found = read.query_row([of], |row| Ok(read_row(row))).optional()?;
        rows.extend(found.transpose()?);
    }
    Ok(rows)
}

/// The row to which record `seq` belongs, with all records of the same call.
pub(super) fn detail(
    db: &Connection,
    folder: &Path,
    seq: u64,
) -> Result<ActivityDetail, StoreError> {
    let row = row_of(db, seq)?;
    let mut detail = ActivityDetail::of(row.clone());
    for record in records(db, folder, &row)? {
        if let Ok(entry) = Entry::read(record.as_bytes()) {
            detail.call = detail.call.or(entry.call);
            match entry.event {
                Event::CallOpened(CallOpened {
                    arguments,
                    permission,
                    ..
                }) => {
                    detail.arguments = Some(arguments);
                    if let Permission::Grant { grant } = &permission {
                        detail.approver = maker_of(db, folder, grant)?;
                    }
                    detail.permission = Some(permission);
                }
                Event::CallRefused {
                    arguments, refusal, ..
                }
                | Event::RequestRefused {
                    arguments, refusal, ..
                } => {
                    detail.arguments = Some(arguments);
                    detail.refusal = Some(refusal);
                }
                Event::CallClosed(CallClosed { error, .. }) => detail.error = error,
                Event::QuestionAnswered { .. } => detail.approver = entry.approver,
                // What is done with a call later is on somebody else's word.
                _ if row.what != "call" => detail.approver = entry.approver,
                _ => {}
            }
        }
        detail.records.push(record);
    }
    Ok(detail)
}

/// Who made a grant, as far as the log still knows.
fn maker_of(db: &Connection, folder: &Path, grant: &GrantId) -> Result<Option<String>, StoreError> {
    for row in rows_about(db, "grant_made", grant.as_str())? {
        for record in records(db, folder, &row)? {
            if let Ok(Entry {
                event: Event::GrantMade { grant: made, .. },
                approver,
                ..
            }) = Entry::read(record.as_bytes())
                && made == *grant
            {
                return Ok(approver);
            }
        }
    }
    Ok(None)
}

/// Who answered a question, as far as the log still knows.
pub(super) fn answered_by(
    db: &Connection,
    folder: &Path,
    question: &QuestionId,
) -> Result<Option<String>, StoreError> {
    for row in rows_about(db, "question_answered", question.as_str())? {
        for record in records(db, folder, &row)? {
            if let Ok(Entry {
                event:
                    Event::QuestionAnswered {
                        question: answered, ..
                    },
                approver,
                ..
            }) = Entry::read(record.as_bytes())
                && answered == *question
            {
                return Ok(approver);
            }
        }
    }
    Ok(None)
}

/// Rows of one kind that hold the words of `text`.
fn rows_about(db: &Connection, what: &str, text: &str) -> Result<Vec<ActivityRow>, StoreError> {
    let Some(sought) = Sought::of(text) else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM activity_words w CROSS JOIN activity a ON a.seq = w.rowid WHERE activity_words MATCH ?1 AND a.what = ?2"
    );
    read_rows(
        db,
        &sql,
        &[sought.question(&[]).into(), what.to_owned().into()],
    )
}

/// Where the records of a call are, by the number of its row, which is that of the first of them.
/// The later ones all name the call.
pub(super) const RECORDS_OF_CALL: &str = "SELECT segment, start, length FROM activity_records
    WHERE seq = ?1 OR call = (SELECT call FROM activity WHERE seq = ?1) ORDER BY seq";

/// The texts of a row's records, first to last: of a call, all that are about the call.
fn records(db: &Connection, folder: &Path, row: &ActivityRow) -> Result<Vec<String>, StoreError> {
    let sql = if row.what == "call" {
        RECORDS_OF_CALL
    } else {
        "SELECT segment, start, length FROM activity_records WHERE seq = ?1"
    };
    let mut select = db.prepare_cached(sql)?;
    let mut found = select.query([number(row.seq)])?;
    let mut records = Vec::new();
    while let Some(place) = found.next()? {
        let start = place.get::<_, i64>(1)?.unsigned_abs();
        let line = part(
            folder,
            place.get(0)?,
            start,
            start + place.get::<_, i64>(2)?.unsigned_abs(),
        )?;
        let json = line.get(HEAD..).unwrap_or_default();
        records.push(
            String::from_utf8_lossy(json)
                .trim_end_matches('\n')
                .to_owned(),
        );
    }
    Ok(records)
}

fn caller(row: &Row<'_>) -> Result<Option<Caller>, StoreError> {
    let (Some(key), Some(name)) = (
        row.get::<_, Option<String>>(3)?,
        row.get::<_, Option<String>>(10)?,
    ) else {
        return Ok(None);
    };
    callers::named(&key, &name).map(Some)
}

/// A row of [`COLUMNS`].
pub(super) fn read_row(row: &Row<'_>) -> Result<ActivityRow, StoreError> {
    let damaged = |reason: String| StoreError::Damaged { reason };
    let segment: String = row.get(SEGMENT)?;
    let server: Option<String> = row.get(4)?;
    Ok(ActivityRow {
        seq: row.get::<_, i64>(0)?.unsigned_abs(),
        at: Timestamp(row.get(1)?),
        what: row.get(2)?,
        segment: ActivitySegment::parse(&segment)
            .ok_or_else(|| damaged(format!("{segment:?} is no part of the log")))?,
        subject: row.get(SEGMENT + 1)?,
        choice: row.get(SEGMENT + 2)?,
        count: row
            .get::<_, Option<i64>>(SEGMENT + 3)?
            .map(i64::unsigned_abs),
        question: row
            .get::<_, Option<String>>(SEGMENT + 4)?
            .map(QuestionId::from),
        grant: row
            .get::<_, Option<String>>(SEGMENT + 5)?
            .map(GrantId::from),
        rule: row.get::<_, Option<String>>(SEGMENT + 6)?.map(RuleId::from),
        caller: caller(row)?,
        server: server
            .map(|name| ServerId::parse(&name))
            .transpose()
            .map_err(|error| damaged(error.to_string()))?,
        tool: row.get::<_, Option<String>>(5)?.map(ToolName::from),
        outcome: named_outcome(&row.get::<_, String>(6)?)?,
        reason: row
            .get::<_, Option<String>>(CALL + 1)?
            .map(|name| {
                ActivityReason::parse(&name)
                    .ok_or_else(|| damaged(format!("{name:?} is no reason")))
            })
            .transpose()?,
        approver: row.get(CALL + 2)?,
        duration_ms: row.get::<_, Option<i64>>(7)?.map(i64::unsigned_abs),
        waited_ms: row.get::<_, Option<i64>>(8)?.map(i64::unsigned_abs),
        ran_ms: row.get::<_, Option<i64>>(9)?.map(i64::unsigned_abs),
    })
}
