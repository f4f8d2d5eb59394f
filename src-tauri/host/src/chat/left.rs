//! What earlier runs left in the middle.

use super::chats::{Chats, Order};
use super::{attached, journal};
use agent::{Conversation, Entry, Item, Outcome};
use calls::Calls;
use calls::conversations::Told;
use protocol::{ConversationId, ToolCall};

/// The conversations that were left in the middle, with what was said in them taken in again: before
/// any call of theirs goes on, so that what a stranger said still counts.
pub(crate) async fn remember(calls: &Calls) -> Vec<ConversationId> {
    let left = match calls
        .store()
        .conversations()
        .not_ended(journal::ENDED)
        .await
    {
        Ok(left) => left,
        Err(problem) => {
            tracing::error!(%problem, "conversations of earlier runs cannot be read now");
            return Vec::new();
        }
    };
    for id in &left {
        match journal::read(calls, id).await {
            Ok(entries) => tell(calls, id, &entries),
            Err(problem) => {
                tracing::error!(conversation = %id, %problem, "a conversation of an earlier run was not taken up")
            }
        }
    }
    left
}

/// Goes on with conversations that were left in the middle.
pub(crate) fn take_up(calls: &Calls, chats: &Chats, left: Vec<ConversationId>) {
    for id in left {
        let (calls, chats) = (calls.clone(), chats.clone());
        tokio::spawn(async move {
            if let Err(problem) = chats.order(&calls, &id, Order::TakeUp).await {
                tracing::error!(conversation = %id, %problem, "a conversation of an earlier run was not taken up");
            }
        });
    }
}

/// Takes in again what was said in a conversation, unless that is known.
pub(super) fn tell(calls: &Calls, id: &ConversationId, entries: &[Entry]) {
    let said = calls.conversations();
    if said.is_told(id) {
        return;
    }
    // What does not follow is not gone on with.
    let (Ok(conversation), Ok(caller)) = (Conversation::read(entries), super::caller()) else {
        return;
    };
    for item in conversation.items() {
        match item {
            Item::Said(parts) => attached::tell(said, id, parts),
            Item::LetGoOn => {}
            Item::Imported(imported) => {
                // Whoever is said to have said it: the file is a stranger's word.
                let told = Told::Attached {
                    name: &imported.file,
                    text: &imported.whole_text(),
                    at: imported.at,
                };
                said.tell(id, [told]);
            }
            Item::Reply { calls, .. } => {
                said.tell(id, [Told::Model]);
                for call in calls {
                    let (Some(tool), Some(Outcome::Answered { answer })) =
                        (&call.tool, &call.outcome)
                    else {
                        continue;
                    };
                    let about = ToolCall {
                        id: call.id.clone(),
                        caller: caller.clone(),
                        conversation: id.clone(),
                        by_hand: false,
                        server: tool.server.clone(),
                        tool: tool.tool.clone(),
                        arguments: call.wanted.arguments.clone(),
                    };
                    let result = Told::Result {
                        call: &about,
                        result: &answer.result,
                        confidentiality: answer.label.confidentiality(),
                        at: answer.at,
                    };
                    said.tell(id, [result]);
                }
            }
        }
    }
    let steered = conversation.open().map(|open| open.steered());
    for parts in steered.unwrap_or_default() {
        attached::tell(said, id, parts);
    }
}
