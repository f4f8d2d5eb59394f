//! A driver goes on where the journal ends.

use super::telling::Telling;
use super::{Driver, Input, UnderWay};
use crate::chat::chats::Chats;
use crate::chat::{journal, left, outcome, setting, tasks};
use agent::{CallState, Conversation, Setting, recover};
use api::{ErrorCode, HostError};
use calls::Calls;
use protocol::{CallId, ConversationId};
use std::collections::{HashMap, HashSet};
use store::ConversationRow;
use tokio::sync::mpsc::UnboundedSender;

impl Driver {
    /// Fails with `unknown_conversation`, and where its journal cannot be read.
    pub(super) async fn open(
        calls: &Calls,
        chats: &Chats,
        id: &ConversationId,
        inbox: UnboundedSender<Input>,
    ) -> Result<Self, HostError> {
        let row = calls.store().conversations().of(id).await?;
        let (entries, conversation) = journal::conversation(calls, id).await?;
        let root = tasks::root(calls, &row).await?.id;
        left::tell(calls, &root).await?;
        let setting = setting_of(calls, &row, &conversation).await?;
        let name = match &row.assistant {
            // One that is gone calls nothing any more.
            Some(id) => setting::assistant(calls, id).await.ok().map(|one| one.name),
            None => None,
        };
        let mut states: HashMap<CallId, CallState> = HashMap::new();
        let (mut adopted, mut given) = (HashSet::new(), Vec::new());
        for call in conversation.open_calls() {
            let state = match &call.task {
                Some(_) => tasks::call_state(tasks::state(calls, &call.id).await),
                None => outcome::state(calls, &call.id).await,
            };
            if matches!(state, CallState::Waiting | CallState::Running) {
                match call.task {
                    Some(_) => given.push(call.id.clone()),
                    None => _ = adopted.insert(call.id.clone()),
                }
            }
            states.insert(call.id.clone(), state);
        }
        let partial = journal::draft(calls, id).await;
        let (turn, effects) = recover(setting, &entries, partial, |call| {
            states.remove(call).unwrap_or(CallState::Unseen)
        })
        .map_err(|at| journal::damaged(&at))?;
        let length = entries.len() as u64;
        let mut driver = Self {
            calls: calls.clone(),
            chats: chats.clone(),
            telling: Telling::of(calls, &row.id),
            id: row.id,
            workspace: row.workspace,
            root,
            name,
            turn,
            length,
            under_way: UnderWay {
                inbox,
                model: None,
                requests: 0,
                made: HashMap::new(),
                adopted,
                tasks: HashMap::new(),
            },
            failed: None,
        };
        driver.perform(effects).await;
        if !given.is_empty() {
            driver.adopt_tasks(given).await;
        }
        if driver.turn.conversation().open().is_some() {
            // Also where nothing was to be done, as while a person is asked.
            driver.tell_changed().await;
        }
        Ok(driver)
    }
}

/// The setting as it is now. A turn of a model that is gone is brought to its end all the same.
async fn setting_of(
    calls: &Calls,
    row: &ConversationRow,
    conversation: &Conversation,
) -> Result<Setting, HostError> {
    let gone = |error: &HostError| {
        matches!(
            error.code,
            ErrorCode::NoModel | ErrorCode::UnknownModel | ErrorCode::UnknownAssistant
        )
    };
    match setting::setting(calls, row).await {
        Err(error) if gone(&error) => match conversation.open() {
            Some(open) => {
                let does_task = row.task.is_some();
                Ok(setting::without_model(open.model.clone(), does_task))
            }
            None => Err(error),
        },
        other => other,
    }
}
