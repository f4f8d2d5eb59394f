//! A driver goes on where the journal ends.

use super::telling::Telling;
use super::{Driver, Input, UnderWay};
use crate::chat::chats::Chats;
use crate::chat::{journal, left, outcome, setting};
use agent::{CallState, Conversation, Setting, Turn, recover};
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
        left::tell(calls, id, &entries);
        let setting = setting_of(calls, &row, &conversation).await?;
        let mut states: HashMap<CallId, CallState> = HashMap::new();
        for call in conversation.open_calls() {
            states.insert(call.id.clone(), outcome::state(calls, &call.id).await);
        }
        let adopted: HashSet<CallId> = states
            .iter()
            .filter(|(_, state)| matches!(state, CallState::Waiting | CallState::Running))
            .map(|(call, _)| call.clone())
            .collect();
        let partial = journal::draft(calls, id).await;
        let (turn, effects) = recover(setting, &entries, partial, |call| {
            states.remove(call).unwrap_or(CallState::Unseen)
        })
        .map_err(|at| journal::damaged(&at))?;
        let mut driver = Self::of(calls, chats, row, (turn, entries.len() as u64), inbox);
        driver.under_way.adopted = adopted;
        driver.perform(effects).await;
        if driver.turn.conversation().open().is_some() {
            // Also where nothing was to be done, as while a person is asked.
            driver.tell_changed().await;
        }
        Ok(driver)
    }

    fn of(
        calls: &Calls,
        chats: &Chats,
        row: ConversationRow,
        (turn, length): (Turn, u64),
        inbox: UnboundedSender<Input>,
    ) -> Self {
        Self {
            calls: calls.clone(),
            chats: chats.clone(),
            telling: Telling::of(calls, &row.id),
            id: row.id,
            workspace: row.workspace,
            turn,
            length,
            under_way: UnderWay {
                inbox,
                model: None,
                requests: 0,
                made: HashMap::new(),
                adopted: HashSet::new(),
            },
            failed: None,
        }
    }
}

/// The setting as it is now. A turn of a model that is gone is brought to its end all the same.
async fn setting_of(
    calls: &Calls,
    row: &ConversationRow,
    conversation: &Conversation,
) -> Result<Setting, HostError> {
    let gone =
        |error: &HostError| matches!(error.code, ErrorCode::NoModel | ErrorCode::UnknownModel);
    match setting::setting(calls, row).await {
        Err(error) if gone(&error) => match conversation.open() {
            Some(open) => Ok(setting::without_model(open.model.clone())),
            None => Err(error),
        },
        other => other,
    }
}
