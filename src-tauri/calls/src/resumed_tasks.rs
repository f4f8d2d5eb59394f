//! Tasks that are waited for again after a restart, of the server or of the application; none is
//! made again.

use crate::took::Moments;
use crate::{Calls, call_tool, call_trace};
use api::{HostEvent, RunningCall};
use connections::{Connection, Task};
use protocol::{ServerId, ToolCall};
use serde_json::Map;
use std::time::Duration;
use store::{Event, TaskRow};
use tokio_util::sync::CancellationToken;

/// Waits again for the tasks of a server that has just come to run.
pub(crate) async fn resume_all(calls: &Calls, id: &ServerId, connection: &Connection) {
    let rows = match calls.store().tasks().of(id).await {
        Ok(rows) => rows,
        Err(error) => {
            tracing::warn!(server = %id, %error, "its tasks could not be read");
            return;
        }
    };
    for row in rows {
        // One of this run is being waited for already.
        if !calls.running().is_running(&row.call) {
            tokio::spawn(resume(calls.clone(), row, connection.clone()));
        }
    }
}

async fn resume(calls: Calls, row: TaskRow, connection: Connection) {
    let stop = CancellationToken::new();
    let running = RunningCall {
        call: row.call.clone(),
        caller: row.caller.clone(),
        server: row.server.clone(),
        tool: row.tool.clone(),
        since: row.begun_at,
        waiting: false,
        task: Some(calls.secrets().masked(&row.task)),
    };
    if calls
        .running()
        .begin(running.clone(), stop.clone())
        .is_err()
    {
        return;
    }
    calls.publish(HostEvent::CallChanged { call: running });
    let call = ToolCall {
        id: row.call.clone(),
        conversation: row
            .conversation
            .unwrap_or_else(|| row.caller.conversation()),
        caller: row.caller,
        // What came of it is a stranger's word, whoever began it.
        by_hand: false,
        server: row.server,
        tool: row.tool,
        arguments: Map::new(),
    };
    let entry = call_trace::about(&call, calls.now(), Event::TaskResumed);
    if let Err(error) = calls.record(entry) {
        tracing::error!(call = %call.id, %error, "a task is not waited for: the log cannot be written");
        calls.running().end(&call.id);
        return;
    }
    let task = Task {
        id: row.task,
        call: call.id.clone(),
        poll: Duration::from_millis(row.poll_ms),
    };
    let moments = Moments::sent_earlier(row.begun_at);
    call_tool::resume(&calls, &call, task, &connection, stop, moments).await;
}
