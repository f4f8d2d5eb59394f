//! The journal of a conversation.
//!
//! Always true here:
//! - entries that are added at once are all there or none is, and they are numbered without a gap;
//! - whoever adds knows the whole journal: two who add at once cannot both do so behind the same
//!   entry;
//! - one entry, and a journal as a whole, is bounded in bytes.

use super::{Conversations, extent, words};
use crate::StoreError;
use crate::db::Commit;
use crate::tokenizer;
use protocol::{CallId, ConversationId, Timestamp};
use rusqlite::{OptionalExtension, Transaction, params};

/// The most that one entry may hold, in bytes.
pub(super) const LARGEST_ENTRY: usize = 16 * 1024 * 1024;
/// The most that a journal may hold, in bytes.
const LARGEST_JOURNAL: u64 = 256 * 1024 * 1024;
/// The most entries that it may have.
const MOST_ENTRIES: u64 = 200_000;

/// An entry that is to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// What kind of entry it is, in the word of whoever writes it.
    pub kind: String,
    /// What it says, in their notation.
    pub body: String,
    /// The text in it by which it is to be found; empty if it is not to be.
    pub text: String,
    /// Whether it has to be on the disk before anything goes on. Otherwise it survives the end of
    /// the application, and perhaps not that of the power.
    pub is_synced: bool,
    /// Whether the reply that was coming in is over with it, so that its draft is forgotten.
    pub ends_draft: bool,
    /// The call of which it holds what came of it, so that nothing is kept of that beside it.
    pub settles: Option<CallId>,
}

/// An entry as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRow {
    /// Where it stands, from 0.
    pub position: u64,
    /// When it was added.
    pub at: Timestamp,
    /// What kind of entry it is.
    pub kind: String,
    /// What it says.
    pub body: String,
}

impl Conversations {
    /// Adds entries to a journal that has `length` of them by now.
    ///
    /// Nothing is added where it fails: with [`StoreError::UnknownConversation`],
    /// [`StoreError::ConversationMoved`] if it has another length, and
    /// [`StoreError::ConversationFull`] if an entry or the journal would hold more than it may.
    pub async fn append(
        &self,
        id: &ConversationId,
        length: u64,
        entries: Vec<JournalEntry>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let is_synced = entries.iter().any(|entry| entry.is_synced);
        let commit = if is_synced {
            Commit::Durable
        } else {
            Commit::Lazy
        };
        let id = id.clone();
        self.db
            .write(commit, move |tx| append(tx, &id, length, &entries, now))
            .await?;
        self.index_words();
        Ok(())
    }

    /// Behind what is waited for: it takes longer than all else about an entry.
    pub(super) fn index_words(&self) {
        self.db.write_later("the words of a conversation", |tx| {
            words::catch_up(tx).map(|_more| ())
        });
    }

    /// The entries of a journal from number `from` on, as many as hold `bytes` together, and at
    /// least one where there is one.
    pub async fn journal(
        &self,
        id: &ConversationId,
        from: u64,
        bytes: usize,
    ) -> Result<Vec<JournalRow>, StoreError> {
        let id = id.clone();
        self.db
            .read(move |db| {
                let mut select = db.prepare_cached(
                    "SELECT position, at, kind, body FROM conversation_entries
                     WHERE conversation = ?1 AND position >= ?2 ORDER BY position",
                )?;
                let mut found = select.query(params![id.as_str(), signed(from)])?;
                let (mut rows, mut held) = (Vec::new(), 0_usize);
                while let Some(row) = found.next()? {
                    let body = row.get_ref(3)?.as_str().map_err(rusqlite::Error::from)?;
                    held = held.saturating_add(body.len());
                    if held > bytes && !rows.is_empty() {
                        break;
                    }
                    rows.push(JournalRow {
                        position: row.get::<_, i64>(0)?.unsigned_abs(),
                        at: Timestamp(row.get(1)?),
                        kind: row.get(2)?,
                        body: body.to_owned(),
                    });
                }
                Ok(rows)
            })
            .await
    }

    /// Keeps what has come so far of a reply that is coming in, in place of what was kept of it. It
    /// survives the end of the application. Fails with [`StoreError::UnknownConversation`], and
    /// with [`StoreError::ConversationFull`] if it is larger than an entry may be.
    pub async fn keep_draft(&self, id: &ConversationId, draft: String) -> Result<(), StoreError> {
        if draft.len() > LARGEST_ENTRY {
            return Err(StoreError::ConversationFull { id: id.clone() });
        }
        let id = id.clone();
        self.db
            .write(Commit::Lazy, move |tx| {
                let sql = "UPDATE conversations SET draft = ?2 WHERE id = ?1";
                let changed = tx
                    .prepare_cached(sql)?
                    .execute(params![id.as_str(), draft])?;
                super::check_one(changed, &id)
            })
            .await
    }

    /// Keeps what came of a call until an entry holds it ([`JournalEntry::settles`]). It survives the
    /// end of the application. Fails with [`StoreError::ConversationFull`] if it is larger than an
    /// entry may be.
    pub async fn save_result(
        &self,
        id: &ConversationId,
        call: &CallId,
        body: String,
    ) -> Result<(), StoreError> {
        if body.len() > LARGEST_ENTRY {
            return Err(StoreError::ConversationFull { id: id.clone() });
        }
        let (id, call) = (id.clone(), call.clone());
        self.db
            .write(Commit::Lazy, move |tx| {
                let sql = "INSERT OR REPLACE INTO conversation_results (call, conversation, body)
                     SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM conversations WHERE id = ?2)";
                let given = params![call.as_str(), id.as_str(), body];
                tx.prepare_cached(sql)?.execute(given)?;
                Ok(())
            })
            .await
    }

    /// What came of a call, if no entry holds it yet.
    pub async fn result(&self, call: &CallId) -> Result<Option<String>, StoreError> {
        let call = call.clone();
        self.db
            .read(move |db| {
                let sql = "SELECT body FROM conversation_results WHERE call = ?1";
                let found = db
                    .prepare_cached(sql)?
                    .query_row([call.as_str()], |row| row.get(0))
                    .optional()?;
                Ok(found)
            })
            .await
    }

    /// What had come of a reply whose end is not in the journal.
    pub async fn draft(&self, id: &ConversationId) -> Result<Option<String>, StoreError> {
        let id = id.clone();
        self.db
            .read(move |db| {
                let sql = "SELECT draft FROM conversations WHERE id = ?1";
                let found = db
                    .query_row(sql, [id.as_str()], |row| row.get(0))
                    .optional()?;
                found.ok_or_else(|| StoreError::UnknownConversation { id: id.clone() })
            })
            .await
    }
}

pub(super) fn append(
    tx: &Transaction<'_>,
    id: &ConversationId,
    length: u64,
    entries: &[JournalEntry],
    now: Timestamp,
) -> Result<(), StoreError> {
    let (there, mut bytes) = extent(tx, id)?;
    if there != length {
        return Err(StoreError::ConversationMoved { id: id.clone() });
    }
    let full = || StoreError::ConversationFull { id: id.clone() };
    let mut insert = tx.prepare_cached(
        "INSERT INTO conversation_entries (conversation, position, at, kind, body, words) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut position = length;
    for entry in entries {
        bytes = bytes.saturating_add(entry.body.len() as u64);
        if entry.body.len() > LARGEST_ENTRY || bytes > LARGEST_JOURNAL || position >= MOST_ENTRIES {
            return Err(full());
        }
        insert.execute(params![
            id.as_str(),
            signed(position),
            now.0,
            entry.kind,
            entry.body,
            tokenizer::words(&entry.text),
        ])?;
        if let Some(call) = &entry.settles {
            tx.prepare_cached("DELETE FROM conversation_results WHERE call = ?1")?
                .execute([call.as_str()])?;
        }
        position += 1;
    }
    let ends_draft = entries.iter().any(|entry| entry.ends_draft);
    tx.prepare_cached(
        "UPDATE conversations SET entries = ?2, bytes = ?3, changed_at = ?4, draft = CASE WHEN ?5 THEN NULL ELSE draft END WHERE id = ?1",
    )?
    .execute(params![id.as_str(), signed(position), signed(bytes), now.0, ends_draft])?;
    Ok(())
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
