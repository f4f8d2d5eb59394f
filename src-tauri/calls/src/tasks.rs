//! Calls that their servers go on with as tasks. Each is remembered before it is waited for.
//!
//! Always true here: a server is asked only about tasks that it began itself, as it was started or
//! reached then. Of any other the outcome is unknown, and a person is told.

use crate::took::Moments;
use crate::{Calls, call_trace, unknown_outcomes};
use api::{ErrorCode, HostError, HostEvent, Outcome};
use connections::Task;
use protocol::{Fingerprint, ServerId, ToolCall};
use serde_json::Map;
use servers::{Core, error};
use store::TaskRow;

/// Remembers that a call has become a task. Returns at once: the connection does not wait for the
/// disk. `launch` is what was started or reached.
pub(crate) fn remember(calls: &Calls, call: &ToolCall, launch: &Fingerprint, task: &Task) {
    let running = calls
        .running()
        .set_task(&call.id, calls.secrets().masked(&task.id));
    let row = TaskRow {
        call: call.id.clone(),
        caller: call.caller.clone(),
        conversation: Some(call.conversation.clone()),
        server: call.server.clone(),
        launch: Some(launch.clone()),
        tool: call.tool.clone(),
        task: task.id.clone(),
        poll_ms: u64::try_from(task.poll.as_millis()).unwrap_or(u64::MAX),
        // How long it takes is counted from when it was asked for, whoever waits for its end.
        begun_at: running
            .as_ref()
            .map_or_else(|| calls.now(), |running| running.since),
    };
    if let Some(running) = running {
        calls.publish(HostEvent::CallChanged { call: running });
    }
    let (id, writer) = (row.call.clone(), calls.clone());
    let writing = tokio::spawn(async move {
        let call = row.call.clone();
        if let Err(error) = writer.store().tasks().insert(row).await {
            tracing::error!(%call, %error, "a task could not be remembered; after a restart it is not waited for");
        }
    });
    calls.running().set_remembering(&id, writing);
}

/// The end of a task is known.
pub async fn forget(core: &Core, call: &protocol::CallId) {
    if let Err(error) = core.store().tasks().remove(call).await {
        tracing::warn!(%call, %error, "a task that has ended could not be forgotten");
    }
}

/// What is said of a task whose server was changed since.
pub(crate) fn changed(server: &ServerId) -> HostError {
    error::host(
        ErrorCode::ServerChanged,
        format!("{server} was changed since it began the task; the outcome is unknown"),
    )
}

/// Whether a server is still started or reached in this way.
pub(crate) fn is_same(calls: &Calls, server: &ServerId, launch: &Fingerprint) -> bool {
    let now = calls.registry().now(server);
    now.is_ok_and(|now| now.launch() == launch)
}

/// Gives up the tasks of a server that it began before it was changed, or removed.
pub async fn give_up_old(calls: &Calls, server: &ServerId) {
    let rows = match calls.store().tasks().of(server).await {
        Ok(rows) => rows,
        Err(error) => {
            tracing::warn!(%server, %error, "its tasks could not be read");
            return;
        }
    };
    for row in rows {
        let launch = row.launch.as_ref();
        if !launch.is_some_and(|launch| is_same(calls, server, launch)) {
            give_up(calls, row).await;
        }
    }
}

/// Gives up all tasks of a server that is removed.
pub async fn give_up_all(calls: &Calls, server: &ServerId) {
    match calls.store().tasks().of(server).await {
        Ok(rows) => {
            for row in rows {
                give_up(calls, row).await;
            }
        }
        Err(error) => tracing::warn!(%server, %error, "its tasks could not be read"),
    }
}

/// Ends a call whose task is not asked about any more.
pub(crate) async fn give_up(calls: &Calls, row: TaskRow) {
    // Whoever still waits for it closes its trace.
    if !calls.running().is_running(&row.call) {
        let call = call_of(&row);
        let (moments, error) = (Moments::sent_earlier(row.begun_at), changed(&row.server));
        call_trace::close_trace(calls, &call, Outcome::Interrupted, Some(&error), moments);
    }
    forget(calls, &row.call).await;
    unknown_outcomes::changed(calls);
}

/// The call that became a task, as far as it is remembered.
pub(crate) fn call_of(row: &TaskRow) -> ToolCall {
    let conversation = row.conversation.clone();
    ToolCall {
        id: row.call.clone(),
        conversation: conversation.unwrap_or_else(|| row.caller.conversation()),
        caller: row.caller.clone(),
        // What came of it is a stranger's word, whoever began it.
        by_hand: false,
        server: row.server.clone(),
        tool: row.tool.clone(),
        arguments: Map::new(),
    }
}
