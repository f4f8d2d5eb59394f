//! The index of the log in the database: one row a call or other event, with its words. Derived
//! from the segments, all of it.
//!
//! Always true here: what is indexed was read back from the segments, so an index that is lost or
//! behind is made again in the same way.

use super::append::Position;
use super::begun_calls::BegunCalls;
use super::call_end::{Took, refused};
use super::call_events::{CallClosed, CallOpened};
use super::callers;
use super::chain::{HEAD, HIGHEST, Hash, Link};
use super::compact::Checkpoint;
use super::indexed_text::{facets, text};
use super::record::{Entry, Event};
use super::recover::first_record;
use super::row_batch::RowBatch;
use super::row_facts::{RowFacts, segment};
use super::search::{CALL, COLUMNS, read_row};
use super::segments::{self, Lines};
use super::void::Void;
use super::vouched;
use super::word_index;
use crate::StoreError;
use crate::tokenizer::{self, words};
use api::{ActivityReason, ActivityRow, Outcome};
use protocol::{CallId, Caller, CallerFilter, GrantId, QuestionId, RuleId, ServerId};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Indexes all records up to `end` that are not indexed yet, and returns the number of the last.
pub(super) fn catch_up(
    tx: &Transaction<'_>,
    folder: &Path,
    end: Position,
) -> Result<u64, StoreError> {
    let (mut segment, mut length, _) = state(tx)?;
    if (segment, length) >= (end.segment, end.length) {
        return Ok(end.seq);
    }
    let highest: Option<i64> =
        tx.query_row("SELECT max(seq) FROM activity_records", [], |row| {
            row.get(0)
        })?;
    let mut highest = highest.map_or(0, i64::unsigned_abs);
    let mut last = None;
    let mut begun = BegunCalls::default();
    let mut batch = RowBatch::of(tx)?;
    let due = segment..=end.segment;
    for number in segments::list(folder)?
        .into_iter()
        .filter(|number| due.contains(number))
    {
        let start = if number == segment { length } else { 0 };
        let stop = if number == end.segment {
            end.length
        } else {
            u64::MAX
        };
        let bytes = part(folder, number, start, stop)?;
        let mut newest = None;
        for (place, line) in Lines::of(&bytes) {
            let json = &line[HEAD..];
            // What is not a record of ours is for the check of the log to report; the index passes
            // it over.
            let (Some(link), Ok(entry)) = (Link::of(json), Entry::read(json)) else {
                continue;
            };
            // So is a record that stands there twice, or of which another has the number.
            if link.seq > HIGHEST {
                continue;
            }
            if link.seq <= highest {
                begun.settle(tx, &mut batch)?;
                if is_indexed(tx, link.seq)? {
                    continue;
                }
            }
            let place = Place {
                segment: number,
                start: start + place as u64,
                length: line.len() as u64,
            };
            vouched::note(tx, link.seq, &entry)?;
            begun.insert(tx, &mut batch, link.seq, entry, place)?;
            highest = highest.max(link.seq);
            newest = Some((link.seq, line));
        }
        last = newest.map(|(seq, line)| (seq, Hash::of(line))).or(last);
        (segment, length) = (number, start + bytes.len() as u64);
    }
    begun.settle(tx, &mut batch)?;
    batch.write(tx)?;
    if let Some((seq, hash)) = last {
        tx.execute(
            "INSERT INTO activity_state (id, segment, length, seq, hash) VALUES (1, ?1, ?2, ?3, ?4)
             ON CONFLICT (id) DO UPDATE SET segment = excluded.segment, length = excluded.length, seq = excluded.seq, hash = excluded.hash",
            params![segment, number(length), number(seq), hash.as_str()],
        )?;
    }
    Ok(end.seq)
}

fn is_indexed(tx: &Transaction<'_>, seq: u64) -> Result<bool, StoreError> {
    let found = tx
        .prepare_cached("SELECT 1 FROM activity_records WHERE seq = ?1")?
        .query_row([number(seq)], |_| Ok(()))
        .optional()?;
    Ok(found.is_some())
}

/// Empties an index that is not of this log: that has got further than it, or that ended with
/// another record.
pub(super) fn check(tx: &Transaction<'_>, folder: &Path, end: Position) -> Result<(), StoreError> {
    let (segment, length, seq) = state(tx)?;
    let is_within = seq <= end.seq && (segment, length) <= (end.segment, end.length);
    if seq == 0 || (is_within && is_last_indexed_there(tx, folder)?) {
        return Ok(());
    }
    tracing::info!("the index of the log is made again");
    tx.execute_batch(
        "DELETE FROM activity_state; DELETE FROM activity; DELETE FROM activity_records; DELETE FROM activity_times; DELETE FROM activity_callers; DELETE FROM vouched;
         INSERT INTO activity_words (activity_words) VALUES ('delete-all');",
    )?;
    Ok(())
}

fn is_last_indexed_there(tx: &Transaction<'_>, folder: &Path) -> Result<bool, StoreError> {
    let sql = "SELECT r.segment, r.start, r.length, s.hash FROM activity_state s JOIN activity_records r ON r.seq = s.seq";
    let found: Option<(u32, i64, i64, String)> = tx
        .query_row(sql, [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    let Some((segment, start, length, hash)) = found else {
        return Ok(false);
    };
    let start = start.unsigned_abs();
    let Ok(line) = part(folder, segment, start, start + length.unsigned_abs()) else {
        return Ok(false);
    };
    Ok(Hash::of(&line).as_str() == hash)
}

/// Forgets what a crash left of records that were moved out of the log. Rows of records that were
/// taken away otherwise stay.
pub(super) fn forget_moved_out(tx: &Transaction<'_>, folder: &Path) -> Result<(), StoreError> {
    let numbers = segments::list(folder)?;
    let Some(number) = numbers.first().filter(|number| **number > 1) else {
        return Ok(());
    };
    let oldest: Option<i64> = tx.query_row("SELECT min(seq) FROM activity_records", [], |row| {
        row.get(0)
    })?;
    let begins = first_record(folder, *number)?;
    let (Some(oldest), Some(begins)) = (oldest.map(i64::unsigned_abs), begins) else {
        return Ok(());
    };
    if oldest < begins
        && let Some(checkpoint) = Checkpoint::last(folder, &numbers)?
    {
        forget(tx, checkpoint.first)?;
    }
    Ok(())
}

/// Forgets rows of records before `first`, and callers of which no row is left.
pub(super) fn forget(tx: &Transaction<'_>, first: u64) -> Result<(), StoreError> {
    vouched::forget(tx, first)?;
    let first = number(first);
    word_index::forget(tx, first)?;
    tx.execute("DELETE FROM activity WHERE seq < ?1", [first])?;
    tx.execute("DELETE FROM activity_records WHERE seq < ?1", [first])?;
    tx.execute(
        "DELETE FROM activity_times WHERE stretch < ?1",
        [first / RowBatch::STRETCH],
    )?;
    callers::forget_gone(tx)
}

/// Calls that were opened and never closed, oldest first, as they stand in the index.
pub(super) fn running(tx: &Transaction<'_>) -> Result<Vec<(CallId, ActivityRow)>, StoreError> {
    let mut select = tx.prepare(&format!(
        "SELECT {COLUMNS} FROM activity a WHERE a.outcome = 'running' ORDER BY a.seq"
    ))?;
    let mut found = select.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        if let Some(call) = row.get::<_, Option<String>>(CALL)? {
            rows.push((CallId::from(call), read_row(row)?));
        }
    }
    Ok(rows)
}

/// Bytes of a segment.
pub(super) fn part(
    folder: &Path,
    number: u32,
    start: u64,
    stop: u64,
) -> Result<Vec<u8>, StoreError> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(segments::path(folder, number))?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.take(stop.saturating_sub(start))
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(StoreError::unreadable)
}

/// Where a record lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    segment: u32,
    start: u64,
    length: u64,
}

/// How far the index has got: the segment, the length of what was read of it in bytes, and the last
/// record.
fn state(db: &Connection) -> Result<(u32, u64, u64), StoreError> {
    let found: Option<(u32, i64, i64)> = db
        .prepare_cached("SELECT segment, length, seq FROM activity_state")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    Ok(found.map_or((1, 0, 0), |(segment, length, seq)| {
        (segment, length.unsigned_abs(), seq.unsigned_abs())
    }))
}

/// Makes the row of a record, or changes the one that it is about.
pub(super) fn insert(
    tx: &Transaction<'_>,
    batch: &mut RowBatch,
    seq: u64,
    entry: &Entry,
    place: Place,
) -> Result<(), StoreError> {
    let (what, how) = match &entry.event {
        Event::QuestionAsked { .. }
        | Event::Vouched { .. }
        | Event::LogKeyed { .. }
        | Event::LogSealed { .. } => return put_record(tx, seq, None, entry, place),
        Event::CallClosed(CallClosed { outcome, error, .. }) => {
            let how = (*outcome, Took::of(&entry.event));
            let row = close(tx, batch, seq, entry, how, error.as_deref())?;
            return put_record(tx, seq, Some(row), entry, place);
        }
        Event::CallOpened(_) => ("call", (Outcome::Running, Took::default())),
        Event::CallRefused { refusal, .. } => ("call", (refused(refusal), Took::of(&entry.event))),
        other @ Event::RequestRefused { refusal, .. } => {
            (other.name(), (refused(refusal), Took::default()))
        }
        other => (other.name(), (Outcome::Noted, Took::default())),
    };
    let row = open(tx, batch, seq, entry, (what, None), how)?;
    put_record(tx, seq, Some(row), entry, place)
}

/// Notes where a record lies, and which row it is about.
pub(super) fn put_record(
    tx: &Transaction<'_>,
    seq: u64,
    row: Option<u64>,
    entry: &Entry,
    place: Place,
) -> Result<(), StoreError> {
    // Not "or replace", for which SQLite would have the index of words written out each time: what is
    // indexed is not indexed again.
    tx.prepare_cached("INSERT INTO activity_records (seq, row, call, segment, start, length) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![
            number(seq),
            row.map(number),
            entry.call.as_ref().map(CallId::as_str),
            place.segment,
            number(place.start),
            number(place.length)
        ])?;
    Ok(())
}

/// Makes a row and returns its number; `error` is what went wrong with it, if that is known by now.
pub(super) fn open(
    tx: &Transaction<'_>,
    batch: &mut RowBatch,
    seq: u64,
    entry: &Entry,
    (what, error): (&str, Option<&str>),
    (outcome, took): (Outcome, Took),
) -> Result<u64, StoreError> {
    let caller = entry
        .caller
        .as_ref()
        .map(|caller| callers::key_of(caller.kind(), caller.id()));
    let filter = entry.caller.as_ref().map(CallerFilter::from);
    let reason = reason(&entry.event);
    let approver = approver(tx, entry, reason)?;
    let mut words = words(&text(entry, what));
    words.extend(error.map(tokenizer::words));
    let (segment, facts) = (segment(&entry.event), RowFacts::of(entry));
    for facet in facets(
        entry.server.as_ref(),
        entry.tool.as_ref(),
        filter.as_ref(),
        Some(outcome),
        Some(segment),
    ) {
        words.push_str(&facet);
        words.push(' ');
    }
    tx.prepare_cached(
        "INSERT INTO activity (seq, at, what, caller, caller_kind, caller_name, server, server_key, tool, outcome, duration_ms, call, words, waited_ms, ran_ms, reason, approver, segment, subject, choice, things, question, grant_id, rule)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)",
    )?
    .execute(params![
        number(seq),
        entry.at.0,
        what,
        caller,
        entry.caller.as_ref().map(|caller| caller.kind().as_str()),
        entry.caller.as_ref().map(Caller::name),
        entry.server.as_ref().map(ServerId::as_str),
        entry.server.as_ref().map(ServerId::key),
        entry.tool.as_ref().map(|tool| tool.as_str()),
        outcome.as_str(),
        took.duration_ms.map(number),
        entry.call.as_ref().map(CallId::as_str),
        words,
        took.waited_ms.map(number),
        took.ran_ms.map(number),
        reason.map(ActivityReason::as_str),
        approver,
        segment.as_str(),
        facts.subject,
        facts.choice,
        facts.count.map(number),
        facts.question.as_ref().map(QuestionId::as_str),
        facts.grant.as_ref().map(GrantId::as_str),
        facts.rule.as_ref().map(RuleId::as_str),
    ])?;
    batch.note(tx, seq, entry)?;
    Ok(seq)
}

/// Why what a row is about ended as it did, as far as its first record says.
fn reason(event: &Event) -> Option<ActivityReason> {
    match event {
        Event::CallOpened(CallOpened { permission, .. }) => {
            Some(ActivityReason::of_permission(permission))
        }
        Event::CallRefused { refusal, .. } | Event::RequestRefused { refusal, .. } => {
            ActivityReason::of_refusal(refusal)
        }
        Event::QuestionAnswered { answer, .. } => Some(ActivityReason::of_answer(answer)),
        Event::ApprovalVoided { why, .. } => Some(match why {
            Void::Ended { .. } => ActivityReason::EndedInLog,
            Void::NotInLog => ActivityReason::NotInLog,
            Void::UnlikeLog => ActivityReason::UnlikeLog,
        }),
        _ => None,
    }
}

/// On whose word. A call that was asked about has that of its question, which stands before it.
fn approver(
    tx: &Transaction<'_>,
    entry: &Entry,
    reason: Option<ActivityReason>,
) -> Result<Option<String>, StoreError> {
    let was_asked = matches!(
        reason,
        Some(ActivityReason::Allowed | ActivityReason::Denied)
    );
    let call = entry.call.as_ref().filter(|_| was_asked);
    let (None, Some(call)) = (&entry.approver, call) else {
        return Ok(entry.approver.clone());
    };
    let found = tx
        .prepare_cached(
            "SELECT approver FROM activity WHERE call = ?1 AND what = 'question_answered' ORDER BY seq DESC LIMIT 1",
        )?
        .query_row([call.as_str()], |row| row.get(0))
        .optional()?;
    Ok(found.flatten())
}

/// Ends the row of a call and returns its number.
fn close(
    tx: &Transaction<'_>,
    batch: &mut RowBatch,
    seq: u64,
    entry: &Entry,
    (outcome, took): (Outcome, Took),
    error: Option<&str>,
) -> Result<u64, StoreError> {
    let call = entry.call.as_ref().map(CallId::as_str);
    // A call that was interrupted may have been a task, whose end is learnt later.
    let row: Option<i64> = tx
        .prepare_cached(
            "SELECT seq FROM activity WHERE call = ?1 AND what = 'call' AND outcome IN ('running', 'interrupted') ORDER BY seq DESC LIMIT 1",
        )?
        .query_row([call], |row| row.get(0))
        .optional()?;
    let Some(row) = row else {
        return open(tx, batch, seq, entry, ("call", None), (outcome, took));
    };
    tx.prepare_cached(
        "UPDATE activity SET outcome = ?2, duration_ms = ?3, waited_ms = ?4, ran_ms = ?5 WHERE seq = ?1",
    )?
    .execute(params![
        row,
        outcome.as_str(),
        took.duration_ms.map(number),
        took.waited_ms.map(number),
        took.ran_ms.map(number)
    ])?;
    let more: String = error
        .map(words)
        .into_iter()
        .chain(
            facets(None, None, None, Some(outcome), None)
                .into_iter()
                .map(|facet| facet + " "),
        )
        .collect();
    if !more.is_empty() {
        word_index::add(tx, row, &more)?;
    }
    Ok(row.unsigned_abs())
}

/// SQLite's integers are signed; no log has as many records.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
