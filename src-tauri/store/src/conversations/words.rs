//! The index of the words of entries. It follows behind them.
//!
//! Always true here: of the entries up to the last that is in it all are in it, and none behind.

use crate::StoreError;
use protocol::ConversationId;
use rusqlite::{Connection, Transaction, params};

/// How many entries are brought there at a time; whoever wants to write waits no longer.
const STEP: i64 = 256;

/// The last entry that is in it.
fn last(db: &Connection) -> Result<i64, StoreError> {
    // What FTS5 keeps of each row, however it is laid out.
    let last: Option<i64> = db
        .prepare_cached("SELECT max(id) FROM conversation_words_docsize")?
        .query_row([], |row| row.get(0))?;
    Ok(last.unwrap_or_default())
}

/// Whether entries are missing in it.
pub(super) fn is_behind(db: &Connection) -> Result<bool, StoreError> {
    let newest: Option<i64> = db
        .prepare_cached("SELECT max(seq) FROM conversation_entries")?
        .query_row([], |row| row.get(0))?;
    Ok(newest.unwrap_or_default() > last(db)?)
}

/// Brings some of the missing entries there. Whether there may be more.
pub(super) fn catch_up(tx: &Transaction<'_>) -> Result<bool, StoreError> {
    let brought = tx
        .prepare_cached(
            "INSERT INTO conversation_words (rowid, words)
             SELECT seq, words FROM conversation_entries WHERE seq > ?1 ORDER BY seq LIMIT ?2",
        )?
        .execute([last(tx)?, STEP])?;
    Ok(i64::try_from(brought) == Ok(STEP))
}

/// The entries of a conversation are about to go.
pub(super) fn forget(tx: &Transaction<'_>, id: &ConversationId) -> Result<(), StoreError> {
    // It keeps no text of its own, and is told what it held.
    tx.execute(
        "INSERT INTO conversation_words (conversation_words, rowid, words)
         SELECT 'delete', seq, words FROM conversation_entries WHERE conversation = ?1 AND seq <= ?2",
        params![id.as_str(), last(tx)?],
    )?;
    Ok(())
}
