//! Tasks that are waited for again after a restart, of the server or of the application; none is
//! made again, and none is asked about at a server that did not begin it.

use crate::took::Moments;
use crate::{Calls, call_tool, call_trace, tasks};
use api::{HostEvent, RunningCall};
use connections::{Connection, Task};
use protocol::{Fingerprint, ServerId};
use std::time::Duration;
use store::{Event, TaskRow};
use tokio_util::sync::CancellationToken;

/// Waits again for the tasks of a server that has just come to run, started or reached by `launch`.
pub(crate) async fn resume_all(
    calls: &Calls,
    id: &ServerId,
    launch: &Fingerprint,
    connection: &Connection,
) {
    let rows = match calls.store().tasks().of(id).await {
        Ok(rows) => rows,
        Err(error) => {
            tracing::warn!(server = %id, %error, "its tasks could not be read");
            return;
        }
    };
    for row in rows {
        if row.launch.as_ref() != Some(launch) {
            tasks::give_up(calls, row).await;
            continue;
        }
        // One of this run is being waited for already.
        if !calls.running().is_running(&row.call) {
            tokio::spawn(resume(
                calls.clone(),
                row,
                launch.clone(),
                connection.clone(),
            ));
        }
    }
}

async fn resume(calls: Calls, row: TaskRow, launch: Fingerprint, connection: Connection) {
    let _in_use = calls.registry().in_use(&row.server);
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
    let call = tasks::call_of(&row);
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
    let on = (&connection, launch);
    call_tool::resume(&calls, &call, task, on, stop, moments).await;
}
