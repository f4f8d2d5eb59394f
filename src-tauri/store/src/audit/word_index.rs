//! The index of the words of rows. It follows behind the rows: to bring a row there takes longer than
//! all else about it, and most pages ask for no words.
//!
//! Always true here: of the rows up to the last that is in it all are in it, and none behind.

use crate::StoreError;
use rusqlite::{Connection, Transaction, params};

/// How many rows are brought there at a time; whoever wants to write waits no longer.
const STEP: i64 = 256;

/// The last row that is in it.
pub(super) fn last(db: &Connection) -> Result<i64, StoreError> {
    // What FTS5 keeps of each row, however it is laid out.
    let last: Option<i64> = db
        .prepare_cached("SELECT max(id) FROM activity_words_docsize")?
        .query_row([], |row| row.get(0))?;
    Ok(last.unwrap_or_default())
}

/// Whether rows are missing in it.
pub(super) fn is_behind(db: &Connection) -> Result<bool, StoreError> {
    let newest: Option<i64> = db
        .prepare_cached("SELECT max(seq) FROM activity")?
        .query_row([], |row| row.get(0))?;
    Ok(newest.is_some_and(|newest| last(db).is_ok_and(|last| last < newest)))
}

/// Brings some of the missing rows there. Whether there may be more.
pub(super) fn catch_up(tx: &Transaction<'_>) -> Result<bool, StoreError> {
    bring(tx, STEP)
}

/// Brings so many of the missing rows there. Whether there may be more.
pub(super) fn bring(tx: &Transaction<'_>, most: i64) -> Result<bool, StoreError> {
    let brought = tx
        .prepare_cached(
            "INSERT INTO activity_words (rowid, words) SELECT seq, words FROM activity WHERE seq > ?1 ORDER BY seq LIMIT ?2",
        )?
        .execute([last(tx)?, most])?;
    Ok(i64::try_from(brought) == Ok(most))
}

/// A row has more words than before.
pub(super) fn add(tx: &Transaction<'_>, row: i64, more: &str) -> Result<(), StoreError> {
    let is_in_it = row <= last(tx)?;
    if is_in_it {
        // It keeps no text of its own, and is told what it held.
        tx.prepare_cached(
            "INSERT INTO activity_words (activity_words, rowid, words) SELECT 'delete', seq, words FROM activity WHERE seq = ?1",
        )?
        .execute([row])?;
    }
    tx.prepare_cached("UPDATE activity SET words = words || ?2 WHERE seq = ?1")?
        .execute(params![row, more])?;
    if is_in_it {
        put(tx, row)?;
    }
    Ok(())
}

/// Rows before `first` are about to go.
pub(super) fn forget(tx: &Transaction<'_>, first: i64) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO activity_words (activity_words, rowid, words) SELECT 'delete', seq, words FROM activity WHERE seq < ?1 AND seq <= ?2",
        [first, last(tx)?],
    )?;
    Ok(())
}

/// Brings a row there that was made before the last that is in it.
pub(super) fn put(tx: &Transaction<'_>, row: i64) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO activity_words (rowid, words) SELECT seq, words FROM activity WHERE seq = ?1",
    )?
    .execute([row])?;
    Ok(())
}
