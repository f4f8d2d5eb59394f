//! Conversations of thousands of turns, without the hours that they take.

use crate::folder;
use protocol::ConversationId;
use serde_json::Value;
use store::{JournalEntry, NewConversation};
use tempfile::TempDir;

/// All of a journal at once.
const ALL: usize = usize::MAX;

/// In the folder of a program that has ended, so many conversations whose turns are those of a
/// conversation in it, so many times.
pub async fn repeated(folder: &TempDir, one: &Value, turns: usize, many: usize) -> Vec<Value> {
    let store = folder::store(folder).await;
    let conversations = store.conversations();
    let one: ConversationId = serde_json::from_value(one.clone()).unwrap();
    let row = conversations.of(&one).await.unwrap();
    let journal = conversations.journal(&one, 0, ALL).await.unwrap();
    let began: Value = serde_json::from_str(&journal[0].body).unwrap();
    let turn = began["turn"].as_str().expect("a turn begins it");
    let mut made = Vec::new();
    for number in 0..many {
        let id = ConversationId::random();
        let new = NewConversation {
            id: id.clone(),
            title: format!("{turns} turns, {number}"),
            model: row.model.clone(),
            workspace: row.workspace.clone(),
            assistant: None,
            task: None,
        };
        let entries = (0..turns).flat_map(|nth| {
            let own = format!("{turn}-{nth}");
            journal.iter().map(move |entry| JournalEntry {
                kind: entry.kind.clone(),
                body: entry.body.replace(turn, &own),
                text: String::new(),
                is_synced: false,
                ends_draft: false,
                settles: None,
            })
        });
        let entries = entries.collect();
        let begun = conversations.begin_with(new, entries, row.changed_at);
        begun.await.unwrap();
        made.push(Value::from(id.as_str()));
    }
    store.close().await;
    made
}
