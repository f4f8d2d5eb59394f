//! The person's conversations with models: what they are called, and the journal of each.
//!
//! Always true here:
//! - entries of a journal are added behind the last one and never changed; they go with their
//!   conversation only;
//! - what an entry says is whoever's who wrote it: here it is a text with a kind and a number;
//! - values of held secrets were covered by whoever writes: nothing here knows them.

mod journal;
mod search;
mod words;

pub use journal::{JournalEntry, JournalRow};
pub use search::FoundConversation;

use crate::StoreError;
use crate::db::{Commit, Database};
use protocol::{AssistantId, ConversationId, Timestamp, WorkspaceId};
use rusqlite::{OptionalExtension, Row, Transaction, params};

/// How many conversations are kept, and how many in which tasks are done.
const MOST: usize = 10_000;
const MOST_TASKS: usize = 100_000;
const COLUMNS: &str = "id, title, model, workspace, is_pinned, created_at, changed_at, entries, bytes, branch_of, assistant, parent, task, shows_all";

/// A conversation as it is kept, without its journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRow {
    /// Its number.
    pub id: ConversationId,
    /// What it is called.
    pub title: String,
    /// The model that is to answer next, by its id; `None` until one is chosen.
    pub model: Option<String>,
    /// The workspace whose servers its model may use.
    pub workspace: WorkspaceId,
    /// Whether the person wants it at the top.
    pub is_pinned: bool,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When its journal was added to last.
    pub changed_at: Timestamp,
    /// How many entries its journal has.
    pub entries: u64,
    /// How much they hold, in bytes.
    pub bytes: u64,
    /// The one whose beginning it took over, if it is a branch. That one may be gone.
    pub branch_of: Option<ConversationId>,
    /// Who answers in it, if it is an assistant. That one may be gone.
    pub assistant: Option<AssistantId>,
    /// The task that is done in it, if one is.
    pub task: Option<GivenTask>,
    /// Whether the model is shown what speaks to it, as it came.
    pub shows_all: bool,
}

/// A task that another conversation has given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenTask {
    /// Which one.
    pub parent: ConversationId,
    /// What is to be done, in the notation of whoever writes it.
    pub body: String,
}

/// A conversation that is to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewConversation {
    /// Its number.
    pub id: ConversationId,
    /// What it is called.
    pub title: String,
    /// The model that answers.
    pub model: Option<String>,
    /// The workspace whose servers its model may use.
    pub workspace: WorkspaceId,
    /// Who answers in it, if it is an assistant.
    pub assistant: Option<AssistantId>,
    /// The task that is done in it, if one is.
    pub task: Option<GivenTask>,
}

/// The tables of conversations; cheap to clone.
#[derive(Clone)]
pub struct Conversations {
    pub(crate) db: Database,
}

impl Conversations {
    /// Begins one, with an empty journal. Fails with [`StoreError::TooManyConversations`], and, if a
    /// task is done in it, with [`StoreError::UnknownConversation`] and [`StoreError::TooManyTasks`].
    pub async fn begin(&self, new: NewConversation, now: Timestamp) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| insert(tx, &new, now))
            .await
    }

    /// Begins one with entries that were read from elsewhere: with all of them, or not at all. Fails
    /// with [`StoreError::TooManyConversations`], and with [`StoreError::ConversationFull`] if an
    /// entry or the journal would hold more than it may.
    pub async fn begin_with(
        &self,
        new: NewConversation,
        entries: Vec<JournalEntry>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                insert(tx, &new, now)?;
                journal::append(tx, &new.id, 0, &entries, now)
            })
            .await?;
        self.index_words();
        Ok(())
    }

    /// Begins one with the first `entries` of another's journal, in its workspace and with its model
    /// and, unless it begins with nothing, its title with a number. The other one stays as it is. Fails with
    /// [`StoreError::TooManyConversations`], [`StoreError::UnknownConversation`], and
    /// [`StoreError::ConversationMoved`] where the other one has fewer entries.
    pub async fn branch(
        &self,
        of: &ConversationId,
        entries: u64,
        id: ConversationId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let of = of.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                check_room(tx)?;
                if extent(tx, &of)?.0 < entries {
                    return Err(StoreError::ConversationMoved { id: of });
                }
                let (from, to) = (of.as_str(), id.as_str());
                let title = match entries {
                    0 => String::new(),
                    _ => title_beside_others(tx, &title_of(tx, &of)?)?,
                };
                let last = i64::try_from(entries).unwrap_or(i64::MAX);
                tx.execute(
                    "INSERT INTO conversation_entries (conversation, position, at, kind, body, words)
                     SELECT ?2, position, at, kind, body, words FROM conversation_entries
                     WHERE conversation = ?1 AND position < ?3 ORDER BY position",
                    params![from, to, last],
                )?;
                tx.execute(
                    "INSERT INTO conversations (id, title, model, workspace, is_pinned, created_at, changed_at, entries, bytes, branch_of, assistant, shows_all)
                     SELECT ?2, ?5, model, workspace, 0, ?4, ?4, ?3,
                         (SELECT coalesce(sum(octet_length(body)), 0) FROM conversation_entries WHERE conversation = ?2), id, assistant, shows_all
                     FROM conversations WHERE id = ?1",
                    params![from, to, last, now.0, title],
                )?;
                Ok(())
            })
            .await?;
        self.index_words();
        Ok(())
    }

    /// All of them but those in which a task is done: those at the top first, and the last changed
    /// first.
    pub async fn all(&self) -> Result<Vec<ConversationRow>, StoreError> {
        self.db.read(search::all).await
    }

    /// One of them. Fails with [`StoreError::UnknownConversation`].
    pub async fn of(&self, id: &ConversationId) -> Result<ConversationRow, StoreError> {
        let id = id.clone();
        self.db
            .look_up(move |db| {
                let sql = format!("SELECT {COLUMNS} FROM conversations WHERE id = ?1");
                let found = db
                    .prepare_cached(&sql)?
                    .query_row([id.as_str()], read_row)
                    .optional()?;
                found.ok_or_else(|| StoreError::UnknownConversation { id: id.clone() })
            })
            .await
    }

    /// Those whose journal does not end with an entry of one of these kinds, and is not empty.
    pub async fn not_ended(
        &self,
        kinds: [&'static str; 2],
    ) -> Result<Vec<ConversationId>, StoreError> {
        self.db
            .read(move |db| {
                let mut select = db.prepare_cached(
                    "SELECT c.id FROM conversations c JOIN conversation_entries e
                     ON e.conversation = c.id AND e.position = c.entries - 1
                     WHERE e.kind NOT IN (?1, ?2) ORDER BY c.id",
                )?;
                let found = select.query_map(kinds, |row| {
                    row.get::<_, String>(0).map(ConversationId::from)
                })?;
                Ok(found.collect::<Result<_, _>>()?)
            })
            .await
    }

    /// Calls one something else. Fails with [`StoreError::UnknownConversation`].
    pub async fn rename(&self, id: &ConversationId, title: String) -> Result<(), StoreError> {
        self.change(id, "title", title).await
    }

    /// Calls one that has no title yet something: a branch, which may begin with the words of the
    /// other one, with a number. Returns whether it had none. Fails with
    /// [`StoreError::UnknownConversation`].
    pub async fn name_untitled(
        &self,
        id: &ConversationId,
        title: String,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                if !title_of(tx, &id)?.is_empty() {
                    return Ok(false);
                }
                let sql = "SELECT branch_of IS NOT NULL FROM conversations WHERE id = ?1";
                let is_branch = tx.query_row(sql, [id.as_str()], |row| row.get(0))?;
                let title = if is_branch {
                    title_beside_others(tx, &title)?
                } else {
                    title
                };
                let sql = "UPDATE conversations SET title = ?2 WHERE id = ?1";
                tx.execute(sql, params![id.as_str(), title])?;
                Ok(true)
            })
            .await
    }

    /// Has another model answer in it next. Fails with [`StoreError::UnknownConversation`].
    pub async fn set_model(&self, id: &ConversationId, model: String) -> Result<(), StoreError> {
        self.change(id, "model", model).await
    }

    /// Has the model shown what speaks to it as it came, or not any more. Fails with
    /// [`StoreError::UnknownConversation`].
    pub async fn show_all(&self, id: &ConversationId, shows_all: bool) -> Result<(), StoreError> {
        self.change(id, "shows_all", shows_all).await
    }

    /// The conversations in which tasks of one are done, or were.
    pub async fn tasks_of(&self, id: &ConversationId) -> Result<Vec<ConversationId>, StoreError> {
        let id = id.clone();
        self.db
            .read(move |db| {
                let sql = "SELECT id FROM conversations WHERE parent = ?1 ORDER BY created_at, id";
                let mut select = db.prepare_cached(sql)?;
                let found = select.query_map([id.as_str()], |row| {
                    row.get::<_, String>(0).map(ConversationId::from)
                })?;
                Ok(found.collect::<Result<_, _>>()?)
            })
            .await
    }

    /// Keeps one at the top, or not any more. Fails with [`StoreError::UnknownConversation`].
    pub async fn pin(&self, id: &ConversationId, is_pinned: bool) -> Result<(), StoreError> {
        self.change(id, "is_pinned", is_pinned).await
    }

    /// Deletes one with its journal, and those in which its tasks were done. Fails with [`StoreError::UnknownConversation`].
    pub async fn delete(&self, id: &ConversationId) -> Result<(), StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let tasks: Vec<String> = tx
                    .prepare("SELECT id FROM conversations WHERE parent = ?1")?
                    .query_map([id.as_str()], |row| row.get(0))?
                    .collect::<Result<_, _>>()?;
                for task in tasks {
                    delete(tx, &ConversationId::from(task))?;
                }
                delete(tx, &id)
            })
            .await
    }

    async fn change(
        &self,
        id: &ConversationId,
        column: &'static str,
        value: impl rusqlite::ToSql + Send + 'static,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = format!("UPDATE conversations SET {column} = ?2 WHERE id = ?1");
                check_one(tx.execute(&sql, params![id.as_str(), value])?, &id)
            })
            .await
    }
}

/// Adds one with an empty journal.
fn insert(tx: &Transaction<'_>, new: &NewConversation, now: Timestamp) -> Result<(), StoreError> {
    match &new.task {
        Some(task) => check_room_for_task(tx, &task.parent)?,
        None => check_room(tx)?,
    }
    tx.execute(
        "INSERT INTO conversations (id, title, model, workspace, is_pinned, created_at, changed_at, entries, bytes, assistant, parent, task)
         VALUES (?1, ?2, ?3, ?4, 0, ?5, ?5, 0, 0, ?6, ?7, ?8)",
        params![
            new.id.as_str(),
            new.title,
            new.model,
            new.workspace.as_str(),
            now.0,
            new.assistant.as_ref().map(AssistantId::as_str),
            new.task.as_ref().map(|task| task.parent.as_str()),
            new.task.as_ref().map(|task| task.body.as_str()),
        ],
    )?;
    Ok(())
}

fn check_room(tx: &Transaction<'_>) -> Result<(), StoreError> {
    let count: i64 = tx.query_row(
        "SELECT COUNT(*) FROM conversations WHERE parent IS NULL",
        [],
        |row| row.get(0),
    )?;
    match usize::try_from(count) {
        Ok(count) if count < MOST => Ok(()),
        _ => Err(StoreError::TooManyConversations { limit: MOST }),
    }
}

fn check_room_for_task(tx: &Transaction<'_>, parent: &ConversationId) -> Result<(), StoreError> {
    extent(tx, parent)?;
    let sql = "SELECT COUNT(*) FROM conversations WHERE parent IS NOT NULL";
    let count: i64 = tx.query_row(sql, [], |row| row.get(0))?;
    match usize::try_from(count) {
        Ok(count) if count < MOST_TASKS => Ok(()),
        _ => Err(StoreError::TooManyTasks { limit: MOST_TASKS }),
    }
}

fn delete(tx: &Transaction<'_>, id: &ConversationId) -> Result<(), StoreError> {
    let gone = tx.execute("DELETE FROM conversations WHERE id = ?1", [id.as_str()])?;
    check_one(gone, id)?;
    words::forget(tx, id)?;
    let sql = "DELETE FROM conversation_results WHERE conversation = ?1";
    tx.execute(sql, [id.as_str()])?;
    let sql = "DELETE FROM conversation_entries WHERE conversation = ?1";
    tx.execute(sql, [id.as_str()])?;
    Ok(())
}

fn title_of(tx: &Transaction<'_>, id: &ConversationId) -> Result<String, StoreError> {
    let sql = "SELECT title FROM conversations WHERE id = ?1";
    let found = tx.query_row(sql, [id.as_str()], |row| row.get(0));
    let unknown = || StoreError::UnknownConversation { id: id.clone() };
    found.optional()?.ok_or_else(unknown)
}

/// This title with a number behind the highest that it has among all conversations: they are told
/// apart by their titles. Where there is no other, the title alone.
fn title_beside_others(tx: &Transaction<'_>, title: &str) -> Result<String, StoreError> {
    let (plain, _) = unnumbered(title);
    let mut select = tx.prepare_cached(
        "SELECT title FROM conversations WHERE parent IS NULL AND substr(title, 1, length(?1)) = ?1",
    )?;
    let titles = select.query_map([plain], |row| row.get::<_, String>(0))?;
    let mut highest = 0;
    for other in titles {
        let other = other?;
        let (other, number) = unnumbered(&other);
        if other == plain {
            highest = highest.max(number);
        }
    }
    Ok(match highest {
        0 => plain.to_owned(),
        _ => format!("{plain} ({})", highest.saturating_add(1)),
    })
}

/// A title without its number, and the number; one without has the first. A year is no number.
fn unnumbered(title: &str) -> (&str, u32) {
    let numbered = title
        .strip_suffix(')')
        .and_then(|title| title.rsplit_once(" ("))
        .filter(|(_, number)| number.len() <= 3)
        .and_then(|(title, number)| Some((title, number.parse().ok()?)));
    numbered.unwrap_or((title, 1))
}

fn check_one(changed: usize, id: &ConversationId) -> Result<(), StoreError> {
    match changed {
        0 => Err(StoreError::UnknownConversation { id: id.clone() }),
        _ => Ok(()),
    }
}

/// How many entries the journal of one has, and how much they hold, in bytes.
fn extent(tx: &Transaction<'_>, id: &ConversationId) -> Result<(u64, u64), StoreError> {
    let found: Option<(i64, i64)> = tx
        .prepare_cached("SELECT entries, bytes FROM conversations WHERE id = ?1")?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (entries, bytes) =
        found.ok_or_else(|| StoreError::UnknownConversation { id: id.clone() })?;
    Ok((entries.unsigned_abs(), bytes.unsigned_abs()))
}

/// Reads [`COLUMNS`].
fn read_row(row: &Row<'_>) -> rusqlite::Result<ConversationRow> {
    Ok(ConversationRow {
        id: ConversationId::from(row.get::<_, String>(0)?),
        title: row.get(1)?,
        model: row.get(2)?,
        workspace: WorkspaceId::from(row.get::<_, String>(3)?),
        is_pinned: row.get(4)?,
        created_at: Timestamp(row.get(5)?),
        changed_at: Timestamp(row.get(6)?),
        entries: row.get::<_, i64>(7)?.unsigned_abs(),
        bytes: row.get::<_, i64>(8)?.unsigned_abs(),
        branch_of: row.get::<_, Option<String>>(9)?.map(ConversationId::from),
        assistant: row.get::<_, Option<String>>(10)?.map(AssistantId::from),
        task: row
            .get::<_, Option<String>>(11)?
            .map(ConversationId::from)
            .zip(row.get(12)?)
            .map(|(parent, body)| GivenTask { parent, body }),
        shows_all: row.get(13)?,
    })
}
