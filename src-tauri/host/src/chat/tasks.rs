//! Tasks that a conversation gives away: each is done in a conversation of its own, with its own
//! journal, by its own driver.
//!
//! Always true here:
//! - a call is one task, and a task one conversation: whoever looks at it again finds the same;
//! - what is said and read in it counts for flow as said and read in the conversation that was begun
//!   by the person: its calls are asked about with all that was heard there.

use super::journal;
use agent::{
    CallState, Conversation, Entry, HelperReport, Outcome, Progress, Purse, Said, Task, TaskOrder,
    Unknown, Worker, progress,
};
use api::{ErrorCode, HostError};
use calls::Calls;
use protocol::{Boundary, CallId, ConversationId};
use servers::error;
use store::{ConversationRow, GivenTask, NewConversation};

/// How often tasks are given within tasks: by a person's conversation to a helper, and by that to
/// the reader.
const DEEPEST: usize = 3;

/// The conversation in which the task of a call is done.
pub(super) fn conversation_of(call: &CallId) -> ConversationId {
    let call = call.as_str();
    ConversationId::from(format!(
        "task-{}",
        call.strip_prefix("call-").unwrap_or(call)
    ))
}

/// The task that is done in a conversation, if one is.
pub(super) fn task_of(row: &ConversationRow) -> Result<Option<Task>, HostError> {
    let given = row.task.as_ref();
    let task = given
        .map(|given| serde_json::from_str(&given.body))
        .transpose();
    task.map_err(|problem| {
        let message = format!("the task of {} cannot be read: {problem}", row.id);
        error::host(ErrorCode::DatabaseDamaged, message)
    })
}

/// The conversation that the person has begun, for which all of this is done.
pub(super) async fn root(
    calls: &Calls,
    row: &ConversationRow,
) -> Result<ConversationRow, HostError> {
    let mut row = row.clone();
    for _ in 0..DEEPEST {
        let Some(given) = &row.task else {
            return Ok(row);
        };
        row = calls.store().conversations().of(&given.parent).await?;
    }
    let message = format!("{} is done for too many others", row.id);
    Err(error::host(ErrorCode::DatabaseDamaged, message))
}

/// Begins the conversation in which a task is done. Nothing is said in it yet.
pub(super) async fn begin(
    calls: &Calls,
    parent: &ConversationId,
    order: &TaskOrder,
) -> Result<ConversationId, HostError> {
    let id = conversation_of(&order.id);
    let conversations = calls.store().conversations();
    let given_by = conversations.of(parent).await?;
    let (assistant, model) = match &order.task.worker {
        Worker::Reader { .. } => (None, None),
        Worker::Helper { assistant, .. } => {
            let model = super::setting::assistant(calls, assistant).await?.model;
            (Some(assistant.clone()), model)
        }
    };
    let body = serde_json::to_string(&order.task);
    let body = body.map_err(|problem| error::host(ErrorCode::Internal, problem.to_string()))?;
    let new = NewConversation {
        id: id.clone(),
        title: order.task.worker.name().to_owned(),
        model: model
            .map(|model| model.as_str().to_owned())
            .or(given_by.model),
        workspace: given_by.workspace,
        assistant,
        task: Some(GivenTask {
            parent: parent.clone(),
            body,
        }),
    };
    conversations.begin(new, calls.now()).await?;
    Ok(id)
}

/// How far a task has come.
pub(super) enum State {
    /// Nobody has looked at it.
    Unseen,
    /// It goes on.
    GoesOn,
    /// It goes on once this is said.
    Say(Vec<Said>, Purse),
    /// It has ended.
    Ended(Outcome),
}

/// How far the task of a call has come.
pub(super) async fn state(calls: &Calls, call: &CallId) -> State {
    match read(calls, call).await {
        Ok(state) => state,
        Err(error) if error.code == ErrorCode::UnknownConversation => State::Unseen,
        Err(problem) => {
            tracing::error!(%call, %problem, "a task cannot be looked at");
            State::Ended(Outcome::Unknown {
                why: Unknown::ApplicationEnded,
            })
        }
    }
}

async fn read(calls: &Calls, call: &CallId) -> Result<State, HostError> {
    let id = conversation_of(call);
    let row = calls.store().conversations().of(&id).await?;
    let Some(task) = task_of(&row)? else {
        return Ok(State::Unseen);
    };
    let (entries, conversation) = journal::conversation(calls, &id).await?;
    Ok(match progress(&conversation, &task) {
        Progress::NotBegun => State::Unseen,
        Progress::GoesOn => State::GoesOn,
        Progress::SayAgain { said, spent } => match purse(&entries).without(spent) {
            left if left.requests > 0 && left.tokens > 0 => State::Say(said, left),
            _ => State::Ended(ended(calls, id, agent::HelperEnd::OtherKind, &conversation)),
        },
        Progress::Ended { end } => State::Ended(ended(calls, id, end, &conversation)),
    })
}

fn ended(
    calls: &Calls,
    id: ConversationId,
    end: agent::HelperEnd,
    conversation: &Conversation,
) -> Outcome {
    Outcome::Helped {
        report: Box::new(HelperReport {
            conversation: id,
            end,
            label: conversation.label(),
            spent: conversation.spent(),
            at: calls.now(),
            boundary: Boundary::random(),
        }),
    }
}

/// What a task was given to spend.
fn purse(entries: &[Entry]) -> Purse {
    let given = entries.iter().find_map(|entry| match entry {
        Entry::TurnBegan { purse, .. } => Some(*purse),
        _ => None,
    });
    given.unwrap_or_default()
}

/// The same for whoever takes up a turn of an earlier run.
pub(super) fn call_state(state: State) -> CallState {
    match state {
        State::Unseen => CallState::Unseen,
        State::GoesOn | State::Say(..) => CallState::Running,
        State::Ended(outcome) => CallState::Ended(outcome),
    }
}

/// Fails with `bad_request` for a conversation in which a task is done: a person says nothing in it.
pub(super) fn is_for_person(row: &ConversationRow) -> Result<(), HostError> {
    match row.task {
        None => Ok(()),
        Some(_) => Err(error::host(
            ErrorCode::BadRequest,
            "a task of another conversation is done in this one: go on there",
        )),
    }
}
