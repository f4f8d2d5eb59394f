//! One tool call, from whoever wants it to the closed trace. Every surface meets here.

use crate::api::{Answered, ErrorCode, HostError, HostEvent, Outcome, RunningCall};
use crate::permit::{self, Found, find};
use crate::reconsider::Ended;
use crate::{Host, answers, conversations, error, left_over, sign_in, spans, supervise, tasks, unknown, words};
use connections::{Connection, ConnectionError, Follow, Progress};
use policy::{Answer, KnownTool, Pending, PermittedCall, Refusal};
use protocol::{AnswerNote, Fingerprint, QuestionId, Timestamp, ToolAnswer, ToolCall};
use serde_json::Value;
use std::sync::Mutex;
use store::{Entry, Event};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

/// Calls a tool and waits for the end. `stop` withdraws or cancels it.
pub(crate) async fn call_tool(host: &Host, call: ToolCall, stop: CancellationToken) -> Result<Answered, HostError> {
    let span = spans::call(&call);
    let result = called(host, call, stop).instrument(span.clone()).await;
    spans::ended(&span, &result);
    result
}

async fn called(host: &Host, mut call: ToolCall, stop: CancellationToken) -> Result<Answered, HostError> {
    host.still_open()?;
    tokio::select! {
        () = supervise::started(host, &call.server) => {}
        () = stop.cancelled() => return Err(error::host(ErrorCode::Cancelled, "the call was cancelled before its server was ready")),
    }
    let found = find(host, &call.server, &call.tool)?;
    // The name as we keep it, whatever the case in which it was asked for: grants and the log know one name.
    call.server = found.server.clone();

    let since = host.now();
    let running = RunningCall {
        call: call.id.clone(),
        caller: call.caller.clone(),
        server: call.server.clone(),
        tool: call.tool.clone(),
        since,
        waiting: false,
        task: None,
    };
    host.calls().begin(running.clone(), stop.clone())?;
    host.tell(HostEvent::CallChanged { call: running });
    let (id, subject) = (call.id.clone(), (call.clone(), since));
    let result = match permit::permit(host, call, found, &stop).await {
        Ok((permitted, found)) => run(host, permitted, &found, stop, since).await,
        // The application ends, and the question does not: that is no refusal.
        Err(Refusal::Cancelled) if left_over::stays_of(host, &id) => {
            host.calls().end(&id);
            return Err(HostError::shutting_down());
        }
        Err(refusal) => Err(refuse(host, &subject.0, refusal, subject.1)),
    };
    left_over::ended(host, &id).await;
    host.calls().end(&id);
    host.tell(HostEvent::CallEnded { call: id, outcome: outcome(&result) });
    result
}

/// Goes on with a call of an earlier run, of which it is now known what is to become. Whoever made it is gone; what comes of
/// it is kept with the activity.
pub(crate) async fn go_on(
    host: &Host,
    pending: Pending,
    question: &QuestionId,
    ended: Ended,
    stop: CancellationToken,
    since: Timestamp,
) -> Result<Answered, HostError> {
    let call = pending.call().clone();
    if matches!(ended, Ended::Answered(Ok(Answer::Allow { .. }))) {
        supervise::started(host, &call.server).await;
    }
    let span = spans::call(&call);
    let going_on = async {
        let permitted = match ended {
            Ended::Answered(answer) => permit::apply(host, pending, question, answer, None).await,
            Ended::Settled(settled) => settled.map(|(permitted, found)| (*permitted, found)),
        };
        match permitted {
            Ok((permitted, found)) => run(host, permitted, &found, stop, since).await,
            Err(refusal) => Err(refuse(host, &call, refusal, since)),
        }
    };
    let result = going_on.instrument(span.clone()).await;
    spans::ended(&span, &result);
    if let Ok(answered) = &result
        && !answered.whole_kept
        && let Err(problem) = host.store().answers().keep(&call.id, answered.answer.as_text(), host.now()).await
    {
        tracing::warn!(call = %call.id, %problem, "the answer of a call that nobody waits for could not be kept");
    }
    result
}

pub(crate) fn tell_waiting(host: &Host, call: &ToolCall, waiting: bool) {
    if let Some(call) = host.calls().set_waiting(&call.id, waiting) {
        host.tell(HostEvent::CallChanged { call });
    }
}

/// Makes a permitted call, between an opened and a closed trace.
async fn run(
    host: &Host,
    permitted: PermittedCall,
    found: &Found,
    stop: CancellationToken,
    since: Timestamp,
) -> Result<Answered, HostError> {
    let call = permitted.call().clone();
    // One yes is one call: that it is used is on the disk before anything leaves.
    if !left_over::sends(host, &permitted).await {
        return Err(refuse(host, &call, Refusal::NoTrace, since));
    }
    // Written before the call: a crash must still leave a trace of what was attempted.
    if open_trace(host, &permitted).is_err() {
        return Err(error::refused(Refusal::NoTrace));
    }
    host.conversations().runs(&call, found.tool.spec(), found.mark);
    spans::permitted(permitted.permission());
    let trace = spans::trace(host, &call, &host.secrets().masker());
    let held = spans::held(host, &trace);
    let answer = found.connection.call(permitted, Follow { trace, ..follow(host, &call, stop) }).await;
    let result = close(host, &call, answer, Some(&found.tool), since).await;
    spans::result(held, &result);
    result
}

/// Waits for a task that a call of an earlier run became. Whoever made the call is gone; the end goes to the log.
pub(crate) async fn resume(
    host: &Host,
    call: &ToolCall,
    task: connections::Task,
    connection: &Connection,
    stop: CancellationToken,
    since: Timestamp,
) {
    let answer = connection.resume(task, follow(host, call, stop)).await;
    let tool = host.kept().with(&call.server, |kept| kept.tool(&call.tool).cloned()).ok().flatten();
    let result = close(host, call, answer, tool.as_deref(), since).await;
    host.calls().end(&call.id);
    host.tell(HostEvent::CallEnded { call: call.id.clone(), outcome: outcome(&result) });
}

fn follow(host: &Host, call: &ToolCall, stop: CancellationToken) -> Follow {
    let (weak, about) = (host.weak(), call.clone());
    let task = move |task: &connections::Task| {
        if let Some(host) = weak.upgrade() {
            tasks::remember(&host, &about, task);
        }
    };
    Follow { progress: Box::new(progress_of(host, call)), task: Box::new(task), cancelled: stop, trace: connections::Trace::default() }
}

/// Cleans what came back and closes the trace.
async fn close(
    host: &Host,
    call: &ToolCall,
    answer: Result<ToolAnswer, ConnectionError>,
    tool: Option<&KnownTool>,
    since: Timestamp,
) -> Result<Answered, HostError> {
    let is_task = host.calls().running().iter().any(|running| running.call == call.id && running.task.is_some());
    // A task goes on without us, and is waited for again when its server is back.
    if is_task {
        host.calls().remembered(&call.id).await;
        if !matches!(answer, Err(ConnectionError::ConnectionLost { .. })) {
            tasks::forget(host, &call.id).await;
        }
    }
    if let Err(error) = &answer {
        sign_in::note_refusal(host, &call.server, error);
        if matches!(error, ConnectionError::TimedOut { .. }) {
            supervise::check(host, &call.server);
        }
    }
    let result = match answer {
        Ok(answer) => {
            let answered = answers::pass_on(host, call, checked(answer, tool)).await;
            if let Ok(answered) = &answered {
                conversations::heard(host, call, tool.map(KnownTool::spec), &answered.answer);
            }
            answered
        }
        Err(error) => Err(words::failure(host, call, tool, &error).await),
    };
    let event = Event::CallClosed {
        outcome: outcome(&result),
        duration_ms: u64::try_from(host.now().since(since).as_millis()).unwrap_or(u64::MAX),
        error: result.as_ref().err().map(|error| error.message.clone()),
    };
    if let Err(error) = host.record(about(call, host.now(), event)) {
        tracing::error!(call = %call.id, %error, "the end of a call could not be written to the log; it will show as interrupted");
    }
    if outcome(&result) == Outcome::Interrupted {
        unknown::changed(host).await;
    }
    result
}

fn open_trace(host: &Host, permitted: &PermittedCall) -> Result<u64, HostError> {
    let call = permitted.call();
    let mut arguments = call.arguments.clone();
    // Masked before anything is hashed, or the hash of a short secret could be tried out.
    host.secrets().masker().mask_map(&mut arguments);
    let event = Event::CallOpened {
        arguments_fingerprint: Fingerprint::of(&Value::Object(arguments.clone())),
        arguments,
        tool_fingerprint: permitted.tool_fingerprint().clone(),
        launch_fingerprint: permitted.launch_fingerprint().clone(),
        permission: permitted.permission().clone(),
    };
    host.record(about(call, host.now(), event))
}

fn refuse(host: &Host, call: &ToolCall, refusal: Refusal, since: Timestamp) -> HostError {
    let masker = host.secrets().masker();
    let mut arguments = call.arguments.clone();
    masker.mask_map(&mut arguments);
    let refusal = error::masked_refusal(refusal, &masker);
    let duration_ms = u64::try_from(host.now().since(since).as_millis()).unwrap_or(u64::MAX);
    let event = Event::CallRefused { arguments, refusal: refusal.clone(), duration_ms };
    if let Err(error) = host.record(about(call, host.now(), event)) {
        tracing::error!(call = %call.id, %error, "a refusal could not be written to the log");
    }
    error::refused(refusal)
}

pub(crate) fn about(call: &ToolCall, at: Timestamp, event: Event) -> Entry {
    Entry {
        at,
        call: Some(call.id.clone()),
        caller: Some(call.caller.clone()),
        approver: None,
        server: Some(call.server.clone()),
        tool: Some(call.tool.clone()),
        event,
    }
}

fn progress_of(host: &Host, call: &ToolCall) -> impl Fn(Progress) + Send + Sync + 'static {
    let (host, call, seam) = (host.weak(), call.clone(), Mutex::default());
    move |step: Progress| {
        if let Some(host) = host.upgrade() {
            let message = step.message.and_then(|message| words::step(&host, &call, &seam, message));
            host.tell(HostEvent::CallProgress { call: call.id.clone(), progress: step.progress, total: step.total, message });
        }
    }
}

/// Compares structured content with the tool's own output schema. What does not fit is shown with a note, not hidden.
fn checked(mut answer: ToolAnswer, tool: Option<&KnownTool>) -> ToolAnswer {
    let Some(tool) = tool else { return answer };
    match &answer.structured {
        Some(value) => {
            if let Err(problem) = tool.check_structured(value) {
                answer.notes.push(AnswerNote::StructuredInvalid { problem: problem.to_string() });
            }
        }
        None if tool.spec().output_schema.is_some() && !answer.is_error => answer.notes.push(AnswerNote::StructuredMissing),
        None => {}
    }
    answer
}

pub(crate) fn outcome(result: &Result<Answered, HostError>) -> Outcome {
    match result {
        Ok(answered) if answered.answer.is_error => Outcome::ToolError,
        Ok(_) => Outcome::Done,
        Err(error) => match error.code {
            ErrorCode::Refused if error.refusal == Some(Refusal::Cancelled) => Outcome::Cancelled,
            ErrorCode::Refused => Outcome::Refused,
            // It was done; only what came of it is kept back.
            ErrorCode::Withheld => Outcome::Done,
            ErrorCode::Cancelled => Outcome::Cancelled,
            // What the tool did before the connection went is unknown.
            ErrorCode::ConnectionLost | ErrorCode::MessageTooLong | ErrorCode::TaskLost => Outcome::Interrupted,
            _ => Outcome::Failed,
        },
    }
}
