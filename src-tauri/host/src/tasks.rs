//! Calls that their servers go on with as tasks. Each is remembered before it is waited for, and waited for again after a restart,
//! of the server or of the application; it is never made again.

use crate::api::{HostEvent, RunningCall};
use crate::{Host, call_tool};
use connections::{Connection, Task};
use protocol::{ServerId, ToolCall};
use serde_json::Map;
use std::time::Duration;
use store::{Entry, Event, TaskRow};
use tokio_util::sync::CancellationToken;

/// Remembers that a call has become a task. Returns at once: the connection does not wait for the disk.
pub(crate) fn remember(host: &Host, call: &ToolCall, task: &Task) {
    let row = TaskRow {
        call: call.id.clone(),
        caller: call.caller.clone(),
        server: call.server.clone(),
        tool: call.tool.clone(),
        task: task.id.clone(),
        poll_ms: u64::try_from(task.poll.as_millis()).unwrap_or(u64::MAX),
        begun_at: host.now(),
    };
    if let Some(running) = host.calls().set_task(&call.id, host.secrets().masked(&task.id)) {
        host.tell(HostEvent::CallChanged { call: running });
    }
    let (id, writer) = (row.call.clone(), host.clone());
    let writing = tokio::spawn(async move {
        let call = row.call.clone();
        if let Err(error) = writer.store().tasks().insert(row).await {
            tracing::error!(%call, %error, "a task could not be remembered; after a restart it is not waited for");
        }
    });
    host.calls().set_remembering(&id, writing);
}

/// The end of a task is known.
pub(crate) async fn forget(host: &Host, call: &protocol::CallId) {
    if let Err(error) = host.store().tasks().remove(call).await {
        tracing::warn!(%call, %error, "a task that has ended could not be forgotten");
    }
}

/// Waits again for the tasks of a server that has just come to run.
pub(crate) async fn resume_all(host: &Host, id: &ServerId, connection: &Connection) {
    let rows = match host.store().tasks().of(id).await {
        Ok(rows) => rows,
        Err(error) => {
            tracing::warn!(server = %id, %error, "its tasks could not be read");
            return;
        }
    };
    for row in rows {
        // One of this run is being waited for already.
        if !host.calls().is_running(&row.call) {
            tokio::spawn(resume(host.clone(), row, connection.clone()));
        }
    }
}

async fn resume(host: Host, row: TaskRow, connection: Connection) {
    let stop = CancellationToken::new();
    let running = RunningCall {
        call: row.call.clone(),
        caller: row.caller.clone(),
        server: row.server.clone(),
        tool: row.tool.clone(),
        since: row.begun_at,
        waiting: false,
        task: Some(host.secrets().masked(&row.task)),
    };
    if host.calls().begin(running.clone(), stop.clone()).is_err() {
        return;
    }
    host.tell(HostEvent::CallChanged { call: running });
    let call = ToolCall { id: row.call.clone(), caller: row.caller, server: row.server, tool: row.tool, arguments: Map::new() };
    let entry = Entry {
        at: host.now(),
        call: Some(call.id.clone()),
        caller: Some(call.caller.clone()),
        approver: None,
        server: Some(call.server.clone()),
        tool: Some(call.tool.clone()),
        event: Event::TaskResumed,
    };
    if let Err(error) = host.record(entry) {
        tracing::error!(call = %call.id, %error, "a task is not waited for: the log cannot be written");
        host.calls().end(&call.id);
        return;
    }
    let task = Task { id: row.task, call: call.id.clone(), poll: Duration::from_millis(row.poll_ms) };
    call_tool::resume(&host, &call, task, &connection, stop, row.begun_at).await;
}
