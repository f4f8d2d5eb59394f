//! A call that its server goes on with as a task (`io.modelcontextprotocol/tasks`): asked about
//! until it has ended, in this run of the application or a later one.

use super::Inner;
use super::request::{Patience, dressed, once};
use super::rounds::answers;
use crate::conversation::Ask;
use crate::{ConnectionError, During, Follow, wire};
use protocol::{CallId, ToolResult};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How often a task is asked about, unless its server says otherwise, and within which bounds it
/// may say so.
const POLL: Duration = Duration::from_secs(2);
const FASTEST: Duration = Duration::from_millis(100);
const SLOWEST: Duration = Duration::from_secs(60);
/// How often in a row it may fail to answer.
const FAILURES: u32 = 5;
/// How long it is waited for in one run of the application, and how often it may want input.
const LIFE: Duration = Duration::from_secs(7 * 24 * 3600);
const INPUTS: usize = 32;

/// A task on a server. It is kept, so that it can be asked about after a restart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The server's name for it.
    pub id: String,
    /// The call that it was made of.
    pub call: CallId,
    /// How often its server wants to be asked about it.
    pub poll: Duration,
}

impl Task {
    /// Reads the answer that makes a task of a call.
    pub(super) fn begun(result: Value, call: &CallId) -> Result<Self, ConnectionError> {
        let Some(id) = result.get("taskId").and_then(Value::as_str) else {
            return Err(ConnectionError::Unreadable {
                problem: "it made a task and does not say which".to_owned(),
            });
        };
        Ok(Self {
            id: id.to_owned(),
            call: call.clone(),
            poll: poll(&result),
        })
    }
}

/// Waits for a task of an earlier run.
pub(super) async fn resume(
    inner: &Inner,
    task: Task,
    new: Follow,
) -> Result<ToolResult, ConnectionError> {
    let result = follow(inner, task, &mut Patience::new(inner, new)).await?;
    wire::tool_result(result).map_err(ConnectionError::unreadable)
}

/// Asks about a task until it has ended. One that is cancelled, or not given what it wants, is
/// cancelled on its server; one whose connection ends goes on.
pub(super) async fn follow(
    inner: &Inner,
    task: Task,
    patience: &mut Patience,
) -> Result<Value, ConnectionError> {
    patience.becomes(&task, inner);
    match steps(inner, task.clone(), patience).await {
        Ok(Ended::Completed(result)) => Ok(result),
        Ok(Ended::Cancelled) => Err(ConnectionError::Cancelled),
        Err(error) => {
            if matches!(
                error,
                ConnectionError::Cancelled
                    | ConnectionError::NotGiven { .. }
                    | ConnectionError::TooManyRounds { .. }
            ) {
                cancel(inner, &task).await;
            }
            Err(error)
        }
    }
}

/// How a task ended by itself.
enum Ended {
    Completed(Value),
    Cancelled,
}

async fn steps(
    inner: &Inner,
    mut task: Task,
    patience: &mut Patience,
) -> Result<Ended, ConnectionError> {
    // A server may show a question for a while after it was answered; each has a key of its own for
    // the life of the task.
    let mut answered = HashSet::new();
    let mut failures = 0;
    let over = Instant::now() + LIFE;
    loop {
        if Instant::now() >= over {
            return Err(ConnectionError::TaskLost {
                problem: format!(
                    "it did not end within {} days",
                    LIFE.as_secs() / (24 * 3600)
                ),
            });
        }
        // Nobody has to do anything in this time.
        patience.hold(true);
        tokio::select! {
            () = sleep(task.poll) => {}
            () = patience.cancelled.cancelled() => return Err(ConnectionError::Cancelled),
            () = inner.ending.over() => return Err(inner.ending.error()),
        }
        patience.hold(false);
        let state = match once(
            inner,
            about(inner, "tasks/get", &task, Map::new()),
            patience,
        )
        .await
        {
            Ok(state) => state,
            Err(ConnectionError::Cancelled) => return Err(ConnectionError::Cancelled),
            Err(ConnectionError::Server { message, .. }) => {
                return Err(ConnectionError::TaskLost { problem: message });
            }
            Err(error) if inner.ending.is_over() => return Err(error),
            Err(error) => {
                failures += 1;
                if failures == FAILURES {
                    return Err(ConnectionError::TaskLost {
                        problem: error.to_string(),
                    });
                }
                continue;
            }
        };
        failures = 0;
        task.poll = poll(&state);
        patience.step(
            state
                .get("statusMessage")
                .and_then(Value::as_str)
                .map(str::to_owned),
        );
        match state
            .get("status")
            .and_then(Value::as_str)
            .unwrap_or_default()
        {
            "working" => {}
            "input_required" => {
                let mut wants: Map<_, _> = state
                    .get("inputRequests")
                    .and_then(Value::as_object)
                    .cloned()
                    .unwrap_or_default();
                wants.retain(|key, _| !answered.contains(key));
                if answered.len() + wants.len() > INPUTS {
                    return Err(ConnectionError::TooManyRounds { rounds: INPUTS });
                }
                if !wants.is_empty() {
                    answered.extend(wants.keys().cloned());
                    let given = answers(
                        inner,
                        wants,
                        During::alone(Some(task.call.clone()), None),
                        patience,
                    )
                    .await?;
                    let extra =
                        Map::from_iter([("inputResponses".to_owned(), Value::Object(given))]);
                    once(inner, about(inner, "tasks/update", &task, extra), patience).await?;
                }
            }
            "completed" => {
                return Ok(Ended::Completed(
                    state.get("result").cloned().unwrap_or_default(),
                ));
            }
            "cancelled" => return Ok(Ended::Cancelled),
            "failed" => {
                let error = serde_json::from_value::<wire::RpcError>(
                    state.get("error").cloned().unwrap_or_default(),
                );
                return Err(error.map_or_else(ConnectionError::unreadable, ConnectionError::from));
            }
            other => {
                let problem = format!(
                    "its state is {:?}",
                    other.chars().take(40).collect::<String>()
                );
                return Err(ConnectionError::TaskLost { problem });
            }
        }
    }
}

/// Asks the server to end it. It may have ended meanwhile.
async fn cancel(inner: &Inner, task: &Task) {
    let mut patience = Patience::new(inner, Follow::nothing());
    let _ = once(
        inner,
        about(inner, "tasks/cancel", task, Map::new()),
        &mut patience,
    )
    .await;
}

fn about(
    inner: &Inner,
    method: &'static str,
    task: &Task,
    mut params: Map<String, Value>,
) -> Ask<'static> {
    params.insert("taskId".to_owned(), task.id.as_str().into());
    Ask {
        call: Some(task.call.clone()),
        ..Ask::new(method, dressed(inner, params, Some(&task.call)))
    }
}

fn poll(state: &Value) -> Duration {
    state
        .get("pollIntervalMs")
        .and_then(Value::as_u64)
        .map_or(POLL, Duration::from_millis)
        .clamp(FASTEST, SLOWEST)
}
