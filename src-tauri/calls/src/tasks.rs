//! Calls that their servers go on with as tasks. Each is remembered before it is waited for.

use crate::Calls;
use api::HostEvent;
use connections::Task;
use protocol::ToolCall;
use servers::Core;
use store::TaskRow;

/// Remembers that a call has become a task. Returns at once: the connection does not wait for the
/// disk.
pub(crate) fn remember(calls: &Calls, call: &ToolCall, task: &Task) {
    let running = calls
        .running()
        .set_task(&call.id, calls.secrets().masked(&task.id));
    let row = TaskRow {
        call: call.id.clone(),
        caller: call.caller.clone(),
        conversation: Some(call.conversation.clone()),
        server: call.server.clone(),
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
