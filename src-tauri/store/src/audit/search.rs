//! Finds rows of the log, and the records of one.

use super::chain::HEAD;
use super::index::{number, part};
use super::record::{Entry, Event};
use super::words::question;
use super::{ActivityDetail, ActivityFilter, ActivityPage, ActivityRow, Outcome};
use crate::StoreError;
use crate::db::from_json;
use protocol::{ServerId, Timestamp, ToolName};
use rusqlite::types::Value as Column;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use std::path::Path;

/// Most rows of one page.
const LONGEST_PAGE: u32 = 500;
const ROW: &str = "SELECT seq, at, what, caller, server, tool, outcome, duration_ms, call FROM activity";

/// Rows that fit, newest first, older than `before`.
pub(super) fn activity(db: &Connection, filter: &ActivityFilter, before: Option<u64>, limit: u32) -> Result<ActivityPage, StoreError> {
    let limit = limit.clamp(1, LONGEST_PAGE) as usize;
    let mut wanted = Vec::new();
    let mut values = Vec::new();
    let mut want = |condition: &'static str, value: Option<Column>| {
        if let Some(value) = value {
            wanted.push(condition);
            values.push(value);
        }
    };
    want("seq < ?", before.map(|seq| number(seq).into()));
    want("server_key = ?", filter.server.as_ref().map(|server| server.key().into()));
    want("tool = ?", filter.tool.as_ref().map(|tool| tool.as_str().to_owned().into()));
    want("outcome = ?", filter.outcome.map(|outcome| outcome.as_str().to_owned().into()));
    want(
        "seq IN (SELECT rowid FROM activity_words WHERE activity_words MATCH ?)",
        filter.text.as_deref().and_then(question).map(Column::from),
    );
    let condition = if wanted.is_empty() { String::new() } else { format!(" WHERE {}", wanted.join(" AND ")) };
    let sql = format!("{ROW}{condition} ORDER BY seq DESC LIMIT {}", limit + 1);

    let mut select = db.prepare_cached(&sql)?;
    let mut found = select.query(params_from_iter(values))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        rows.push(read_row(row)?);
    }
    let next = if rows.len() > limit { rows.get(limit - 1).map(|row: &ActivityRow| row.seq) } else { None };
    rows.truncate(limit);
    Ok(ActivityPage { rows, next })
}

/// The row to which record `seq` belongs.
pub(super) fn row_of(db: &Connection, seq: u64) -> Result<ActivityRow, StoreError> {
    let sql = format!("{ROW} WHERE seq = (SELECT row FROM activity_records WHERE seq = ?1)");
    let row = db.prepare_cached(&sql)?.query_row([number(seq)], |row| Ok(read_row(row))).optional()?;
    row.ok_or(StoreError::UnknownRecord { seq })?
}

/// The row to which record `seq` belongs, with all records of the same call.
pub(super) fn detail(db: &Connection, folder: &Path, seq: u64) -> Result<ActivityDetail, StoreError> {
    let row = row_of(db, seq)?;
    let mut detail = ActivityDetail {
        row: row.clone(),
        call: None,
        whole_kept: false,
        arguments: None,
        permission: None,
        refusal: None,
        error: None,
        records: Vec::new(),
    };
    for record in records(db, folder, &row)? {
        if let Ok(entry) = serde_json::from_str::<Entry>(&record) {
            detail.call = detail.call.or(entry.call);
            match entry.event {
                Event::CallOpened { arguments, permission, .. } => {
                    detail.arguments = Some(arguments);
                    detail.permission = Some(permission);
                }
                Event::CallRefused { arguments, refusal, .. } => {
                    detail.arguments = Some(arguments);
                    detail.refusal = Some(refusal);
                }
                Event::CallClosed { error, .. } => detail.error = error,
                _ => {}
            }
        }
        detail.records.push(record);
    }
    Ok(detail)
}

/// The texts of a row's records, first to last: of a call, all that are about the call.
fn records(db: &Connection, folder: &Path, row: &ActivityRow) -> Result<Vec<String>, StoreError> {
    let sql = if row.what == "call" {
        "SELECT segment, start, length FROM activity_records
         WHERE row = ?1 OR call = (SELECT call FROM activity WHERE seq = ?1) ORDER BY seq"
    } else {
        "SELECT segment, start, length FROM activity_records WHERE seq = ?1"
    };
    let mut select = db.prepare_cached(sql)?;
    let mut found = select.query([number(row.seq)])?;
    let mut records = Vec::new();
    while let Some(place) = found.next()? {
        let start = place.get::<_, i64>(1)?.unsigned_abs();
        let line = part(folder, place.get(0)?, start, start + place.get::<_, i64>(2)?.unsigned_abs())?;
        let json = line.get(HEAD..).unwrap_or_default();
        records.push(String::from_utf8_lossy(json).trim_end_matches('\n').to_owned());
    }
    Ok(records)
}

/// A row of [`ROW`]'s columns.
pub(super) fn read_row(row: &Row<'_>) -> Result<ActivityRow, StoreError> {
    let damaged = |reason: String| StoreError::Damaged { reason };
    let outcome: String = row.get(6)?;
    let server: Option<String> = row.get(4)?;
    Ok(ActivityRow {
        seq: row.get::<_, i64>(0)?.unsigned_abs(),
        at: Timestamp(row.get(1)?),
        what: row.get(2)?,
        caller: row.get::<_, Option<String>>(3)?.map(|text| from_json(&text)).transpose()?,
        server: server.map(|name| ServerId::parse(&name)).transpose().map_err(|error| damaged(error.to_string()))?,
        tool: row.get::<_, Option<String>>(5)?.map(ToolName),
        outcome: Outcome::parse(&outcome).ok_or_else(|| damaged(format!("{outcome:?} is no outcome")))?,
        duration_ms: row.get::<_, Option<i64>>(7)?.map(i64::unsigned_abs),
    })
}
