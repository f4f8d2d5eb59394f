//! The journal of a conversation on the disk: entries as rows, and rows as entries.

use agent::{Conversation, DamagedJournal, Entry, PartialReply, ReplyPart, Said};
use api::{ErrorCode, HostError};
use calls::Calls;
use protocol::ConversationId;
use serde_json::Value;
use servers::error;
use store::JournalEntry;

/// The kinds of entries behind which nothing is under way: a turn has ended, or none has begun.
const ENDED: [&str; 2] = ["turn_ended", "imported"];
/// How much of a journal is read at once, in bytes.
pub(super) const AT_ONCE: usize = 16 * 1024 * 1024;

/// The conversations with a turn that has not ended.
pub(super) async fn open(calls: &Calls) -> Result<Vec<ConversationId>, HostError> {
    Ok(calls.store().conversations().not_ended(ENDED).await?)
}

/// All entries, in their order.
pub(super) async fn read(calls: &Calls, id: &ConversationId) -> Result<Vec<Entry>, HostError> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let more = from(calls, id, entries.len(), AT_ONCE).await?;
        if more.is_empty() {
            return Ok(entries);
        }
        entries.extend(more.into_iter().map(|(entry, _)| entry));
    }
}

/// Some of the entries behind the first `count`, at least one and of about so many `bytes`, in their
/// order, each with how many bytes it has; none if there are no more.
pub(super) async fn from(
    calls: &Calls,
    id: &ConversationId,
    count: usize,
    bytes: usize,
) -> Result<Vec<(Entry, usize)>, HostError> {
    let conversations = calls.store().conversations();
    let rows = conversations.journal(id, count as u64, bytes).await?;
    let rows = rows.into_iter().enumerate();
    rows.map(|(nth, row)| {
        let at = count + nth;
        let entry = serde_json::from_str(&row.body);
        let entry = entry.map_err(|_| damaged(&DamagedJournal { at }))?;
        Ok((entry, row.body.len()))
    })
    .collect()
}

/// All entries, and what they tell. Fails with `database_damaged` where they tell nothing.
pub(super) async fn conversation(
    calls: &Calls,
    id: &ConversationId,
) -> Result<(Vec<Entry>, Conversation), HostError> {
    let entries = read(calls, id).await?;
    let conversation = Conversation::read(&entries).map_err(|at| damaged(&at))?;
    Ok((entries, conversation))
}

/// A journal that does not read as it was written.
pub(super) fn damaged(problem: &DamagedJournal) -> HostError {
    error::host(ErrorCode::DatabaseDamaged, problem.to_string())
}

/// Adds entries behind the `length` that there are.
pub(super) async fn append(
    calls: &Calls,
    id: &ConversationId,
    length: u64,
    entries: &[Entry],
) -> Result<(), HostError> {
    let rows = rows(entries)?;
    let conversations = calls.store().conversations();
    conversations.append(id, length, rows, calls.now()).await?;
    Ok(())
}

/// Entries as rows.
pub(super) fn rows(entries: &[Entry]) -> Result<Vec<JournalEntry>, HostError> {
    entries.iter().map(row).collect()
}

fn row(entry: &Entry) -> Result<JournalEntry, HostError> {
    let unwritable =
        |problem: serde_json::Error| error::host(ErrorCode::Internal, problem.to_string());
    let value = serde_json::to_value(entry).map_err(unwritable)?;
    let kind = value.get("kind").and_then(Value::as_str);
    Ok(JournalEntry {
        kind: kind.unwrap_or_default().to_owned(),
        body: value.to_string(),
        text: text(entry),
        is_synced: entry.is_synced(),
        ends_draft: matches!(entry, Entry::Replied { .. } | Entry::ReplyBroke { .. }),
        settles: match entry {
            Entry::CallSettled { call, .. } => Some(call.clone()),
            _ => None,
        },
    })
}

/// By which words an entry is found: those of the person, and those of a model that are for them.
fn text(entry: &Entry) -> String {
    match entry {
        Entry::Imported { imported } => imported.words(),
        Entry::TurnBegan { said, .. } | Entry::Steered { said } => Said::words(said),
        Entry::Replied { reply, .. } => answer(&reply.parts),
        Entry::ReplyBroke { parts, .. } => answer(parts),
        _ => String::new(),
    }
}

fn answer(parts: &[ReplyPart]) -> String {
    let words = parts.iter().filter_map(|part| match part {
        ReplyPart::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect::<Vec<_>>().join("\n")
}

/// Keeps what has come of a reply.
pub(super) async fn keep_draft(calls: &Calls, id: &ConversationId, partial: &PartialReply) {
    let Ok(mut draft) = serde_json::to_value(partial) else {
        return;
    };
    // A value that came in pieces is whole by now.
    calls.secrets().masker().mask_value(&mut draft);
    let kept = calls.store().conversations();
    if let Err(problem) = kept.keep_draft(id, draft.to_string()).await {
        tracing::warn!(conversation = %id, %problem, "what has come of a reply could not be kept");
    }
}

/// What had come of a reply in an earlier run.
pub(super) async fn draft(calls: &Calls, id: &ConversationId) -> Option<PartialReply> {
    let draft = calls.store().conversations().draft(id).await.ok()??;
    serde_json::from_str(&draft).ok()
}
