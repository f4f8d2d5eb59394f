//! Which conversations hold some words.
//!
//! Always true here: what is looked at for one search is bounded, in entries and in bytes.

use super::{COLUMNS, ConversationRow, Conversations, read_row, words};
use crate::StoreError;
use crate::db::Commit;
use crate::tokenizer::{self, Sought};
use rusqlite::Connection;
use std::collections::HashMap;

/// How many entries are looked at for one search.
const LOOKED_AT: usize = 100_000;
/// How much of their words is read for it, in bytes.
const LOOKED_THROUGH: usize = 16 * 1024 * 1024;

/// A conversation that holds what was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundConversation {
    /// Which.
    pub conversation: ConversationRow,
    /// The newest entry that holds it, by its number; `None` if only the title does.
    pub entry: Option<u64>,
}

impl Conversations {
    /// Conversations that hold all words of `text`, or words that begin with them, in their title
    /// or in one entry: at most `most` of them, those whose title does first, then the newest. None
    /// if there is no word in it.
    pub async fn search(
        &self,
        text: &str,
        most: usize,
    ) -> Result<Vec<FoundConversation>, StoreError> {
        let Some(sought) = Sought::of(text) else {
            return Ok(Vec::new());
        };
        while self.db.read(words::is_behind).await? {
            self.db.write(Commit::Lazy, words::catch_up).await?;
        }
        self.db
            .read(move |db| {
                let mut entries = entries(db, &sought, most)?;
                let in_title = |row: &ConversationRow| sought.is_in(&tokenizer::words(&row.title));
                let (titled, others): (Vec<_>, Vec<_>) = all(db)?.into_iter().partition(in_title);
                let mut found: Vec<_> = titled
                    .into_iter()
                    .map(|row| (entries.remove(row.id.as_str()), row))
                    .collect();
                let mut newest: Vec<_> = others
                    .into_iter()
                    .filter_map(|row| Some((Some(entries.remove(row.id.as_str())?), row)))
                    .collect();
                newest.sort_by_key(|(hit, _)| hit.as_ref().map(|hit| hit.nth));
                found.append(&mut newest);
                let found = found
                    .into_iter()
                    .map(|(hit, conversation)| FoundConversation {
                        conversation,
                        entry: hit.map(|hit| hit.position),
                    });
                Ok(found.take(most).collect())
            })
            .await
    }
}

/// All conversations but those in which a task is done: those at the top first, and the last changed first.
pub(super) fn all(db: &Connection) -> Result<Vec<ConversationRow>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM conversations WHERE parent IS NULL ORDER BY is_pinned DESC, changed_at DESC, id"
    );
    let mut select = db.prepare_cached(&sql)?;
    let found = select.query_map([], read_row)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// An entry that holds what is sought.
struct Hit {
    position: u64,
    /// How many were found before it.
    nth: usize,
}

/// The newest entry that holds it, of each of up to `most` conversations.
fn entries(
    db: &Connection,
    sought: &Sought,
    most: usize,
) -> Result<HashMap<String, Hit>, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT e.conversation, e.position, e.words FROM conversation_words w
         CROSS JOIN conversation_entries e ON e.seq = w.rowid
         WHERE conversation_words MATCH ?1 ORDER BY w.rowid DESC",
    )?;
    let mut rows = select.query([sought.question(&[])])?;
    let mut hits: HashMap<String, Hit> = HashMap::new();
    let (mut looked_at, mut looked_through) = (0, 0);
    while let Some(row) = rows.next()? {
        looked_at += 1;
        if hits.len() == most || looked_at > LOOKED_AT || looked_through > LOOKED_THROUGH {
            break;
        }
        let conversation: String = row.get(0)?;
        if hits.contains_key(&conversation) {
            continue;
        }
        let words = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
        looked_through += words.len();
        // The index knows neither the order of words nor long beginnings.
        if sought.is_in(words) {
            let position = row.get::<_, i64>(1)?.unsigned_abs();
            let nth = hits.len();
            hits.insert(conversation, Hit { position, nth });
        }
    }
    Ok(hits)
}
