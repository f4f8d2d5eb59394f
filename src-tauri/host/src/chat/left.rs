//! What earlier runs left in the middle.

use super::chats::{Chats, Order};
use super::{attached, journal, tasks};
use agent::{Conversation, Item, Outcome};
use api::{ErrorCode, HostError};
use calls::Calls;
use calls::conversations::Told;
use policy::flow::Concern;
use protocol::{ConversationId, ToolCall};
use std::collections::VecDeque;

/// The conversations that were left in the middle, with what was said in them taken in again: before
/// any call of theirs goes on, so that what a stranger said still counts.
pub(crate) async fn remember(calls: &Calls) -> Vec<ConversationId> {
    let left = match journal::open(calls).await {
        Ok(left) => left,
        Err(problem) => {
            tracing::error!(%problem, "conversations of earlier runs cannot be read now");
            return Vec::new();
        }
    };
    for id in &left {
        if let Err(problem) = remember_one(calls, id).await {
            tracing::error!(conversation = %id, %problem, "a conversation of an earlier run was not taken up");
        }
    }
    left
}

async fn remember_one(calls: &Calls, id: &ConversationId) -> Result<(), HostError> {
    let row = calls.store().conversations().of(id).await?;
    tell(calls, &tasks::root(calls, &row).await?.id).await
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

/// What speaks against the opening of an address that a model has written in a conversation.
pub(crate) async fn check_link(
    calls: &Calls,
    id: &ConversationId,
    address: &str,
) -> Result<Vec<Concern>, HostError> {
    let row = calls.store().conversations().of(id).await?;
    let root = tasks::root(calls, &row).await?.id;
    tell(calls, &root).await?;
    let masker = calls.secrets().masker();
    Ok(calls.conversations().check_link(&root, address, &masker))
}

/// Takes in again what was said in a conversation that a person has begun, and in those in which its
/// tasks were done, unless that is known. Where a task cannot be read any more, it counts as one in
/// which anything may have been said.
///
/// Fails where it cannot be read itself.
pub(super) async fn tell(calls: &Calls, id: &ConversationId) -> Result<(), HostError> {
    if calls.conversations().is_told(id) {
        return Ok(());
    }
    let (_, conversation) = journal::conversation(calls, id).await?;
    // What is told first is what the person has said.
    let mut tasks = VecDeque::from([conversation]);
    while let Some(conversation) = tasks.pop_front() {
        tell_one(calls, id, &conversation);
        for call in conversation.calls().filter(|call| call.task.is_some()) {
            let task = tasks::conversation_of(&call.id);
            match journal::conversation(calls, &task).await {
                Ok((_, conversation)) => tasks.push_back(conversation),
                // It was not begun.
                Err(error)
                    if error.code == ErrorCode::UnknownConversation
                        && !matches!(call.outcome, Some(Outcome::Helped { .. })) => {}
                Err(problem) => {
                    tracing::warn!(conversation = %task, %problem, "what was read for a task is not known any more");
                    calls.conversations().tell(id, [Told::Forgotten]);
                }
            }
        }
    }
    Ok(())
}

fn tell_one(calls: &Calls, id: &ConversationId, conversation: &Conversation) {
    let said = calls.conversations();
    let Ok(caller) = super::caller(None) else {
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
