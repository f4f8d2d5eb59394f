//! One tool call, from whoever wants it to the closed trace. Every surface meets here.

use crate::api::{ErrorCode, HostError, HostEvent, Outcome, RunningCall, ServerState};
use crate::{Host, consent, error, supervise};
use connections::{Connection, Follow, Progress};
use policy::{Facts, KnownTool, Pending, PermittedCall, Refusal, Verdict, decide};
use protocol::{AnswerNote, Fingerprint, ServerId, Timestamp, ToolAnswer, ToolCall, ToolName};
use serde_json::Value;
use std::sync::Arc;
use store::{Entry, Event};
use tokio_util::sync::CancellationToken;

/// What the catalogue holds about the tool of a call.
struct Found {
    server: ServerId,
    tool: Arc<KnownTool>,
    launch: Fingerprint,
    on: bool,
    connection: Connection,
}

/// Calls a tool and waits for the end. `stop` withdraws or cancels it.
pub(crate) async fn call_tool(host: &Host, mut call: ToolCall, stop: CancellationToken) -> Result<ToolAnswer, HostError> {
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
    };
    host.calls().begin(running.clone(), stop.clone())?;
    host.tell(HostEvent::CallChanged { call: running });
    let (id, subject) = (call.id.clone(), (call.clone(), since));
    let result = match permit(host, call, found, &stop).await {
        Ok((permitted, found)) => run(host, permitted, &found, stop, since).await,
        Err(refusal) => Err(refuse(host, &subject.0, refusal, subject.1)),
    };
    host.calls().end(&id);
    host.tell(HostEvent::CallEnded { call: id, outcome: outcome(&result) });
    result
}

fn find(host: &Host, server: &ServerId, tool: &ToolName) -> Result<Found, HostError> {
    host.kept().with(server, |kept| {
        let known = kept.tool(tool).cloned();
        match (&kept.state, &kept.connection) {
            (ServerState::Ready, Some(connection)) => Ok(Found {
                server: kept.row.id.clone(),
                tool: known.ok_or_else(|| error::host(ErrorCode::UnknownTool, format!("{} has no tool called {tool}", kept.row.id)))?,
                launch: kept.row.launch.fingerprint(),
                on: !kept.off.contains(tool),
                connection: connection.clone(),
            }),
            (ServerState::Failed { error, .. }, _) => Err(error.clone()),
            _ => Err(error::host(ErrorCode::ServerOff, format!("{} is switched off", kept.row.id))),
        }
    })?
}

/// Gets the permission, from a grant or from a person, with the tool as it is by then.
async fn permit(host: &Host, call: ToolCall, found: Found, stop: &CancellationToken) -> Result<(PermittedCall, Found), Refusal> {
    let verdict = {
        let grants = host.grants();
        let facts = Facts { tool: &found.tool, launch_fingerprint: &found.launch, switched_on: found.on, grants: &grants, run: host.run() };
        decide(call, facts)
    };
    match verdict {
        Verdict::Allow(permitted) => Ok((permitted, found)),
        Verdict::Deny(refusal) => Err(refusal),
        Verdict::Ask(pending) => ask(host, *pending, stop).await,
    }
}

async fn ask(host: &Host, pending: Pending, stop: &CancellationToken) -> Result<(PermittedCall, Found), Refusal> {
    let call = pending.call().clone();
    let mut shown = call.arguments.clone();
    host.secrets().masker().mask_map(&mut shown);
    let question = pending.question(shown, host.now());
    let id = question.id.clone();
    tell_waiting(host, &call, true);
    let answer = consent::ask(host, question, stop).await;
    tell_waiting(host, &call, false);

    // Looked up again: while the person was thinking the tool may have changed, or the server gone or been started anew.
    let now = find(host, &call.server, &call.tool).map_err(|_| Refusal::ChangedWhileAsking);
    let answer = answer?;
    let now = now?;
    if !now.on {
        return Err(Refusal::SwitchedOff);
    }
    let (permitted, grant) = pending.answer(&id, &answer, now.tool.fingerprint(), &now.launch, host.run(), host.now())?;
    if let Some(grant) = grant {
        remember(host, grant).await.map_err(|_| Refusal::NoTrace)?;
    }
    Ok((permitted, now))
}

async fn remember(host: &Host, grant: policy::Grant) -> Result<(), HostError> {
    let entry = Entry {
        at: grant.made_at,
        call: None,
        caller: Some(grant.caller.clone()),
        server: Some(grant.server.clone()),
        tool: Some(grant.tool.name.clone()),
        event: Event::GrantMade { grant: grant.id.clone(), scope: grant.scope.clone() },
    };
    host.record_synced(entry).await?;
    host.store().grants().insert(grant.clone()).await?;
    host.grants().push(grant.clone());
    host.tell(HostEvent::GrantMade { grant: Box::new(grant) });
    Ok(())
}

fn tell_waiting(host: &Host, call: &ToolCall, waiting: bool) {
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
) -> Result<ToolAnswer, HostError> {
    let call = permitted.call().clone();
    // Written before the call: a crash must still leave a trace of what was attempted.
    if open_trace(host, &permitted).is_err() {
        return Err(error::refused(Refusal::NoTrace));
    }
    note_use(host, &permitted);
    let follow = Follow { progress: Box::new(progress_of(host, &call)), cancelled: stop };
    let answer = found.connection.call(permitted, follow).await;
    let masker = host.secrets().masker();
    let result = match answer {
        Ok(answer) => Ok(inspect::clean(checked(answer, &found.tool), &masker)),
        Err(error) => Err(error::connection(&call.server, &error, &masker)),
    };
    let event = Event::CallClosed {
        outcome: outcome(&result),
        duration_ms: u64::try_from(host.now().since(since).as_millis()).unwrap_or(u64::MAX),
        error: result.as_ref().err().map(|error| error.message.clone()),
    };
    if let Err(error) = host.record(about(&call, host.now(), event)) {
        tracing::error!(call = %call.id, %error, "the end of a call could not be written to the log; it will show as interrupted");
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

fn about(call: &ToolCall, at: Timestamp, event: Event) -> Entry {
    Entry {
        at,
        call: Some(call.id.clone()),
        caller: Some(call.caller.clone()),
        server: Some(call.server.clone()),
        tool: Some(call.tool.clone()),
        event,
    }
}

/// Notes when a grant was last used, without making the call wait for it.
fn note_use(host: &Host, permitted: &PermittedCall) {
    let policy::Permission::Grant { grant } = permitted.permission() else { return };
    let (host, grant, now) = (host.clone(), grant.clone(), host.now());
    for kept in host.grants().iter_mut().filter(|kept| kept.id == grant) {
        kept.last_used_at = Some(now);
    }
    tokio::spawn(async move {
        if let Err(error) = host.store().grants().used(&grant, now).await {
            tracing::warn!(%grant, %error, "the last use of a grant could not be noted");
        }
    });
}

fn progress_of(host: &Host, call: &ToolCall) -> impl Fn(Progress) + Send + Sync + 'static {
    let (host, call) = (host.weak(), call.id.clone());
    move |step: Progress| {
        if let Some(host) = host.upgrade() {
            let message = step.message.map(|message| host.secrets().masked(&message));
            host.tell(HostEvent::CallProgress { call: call.clone(), progress: step.progress, total: step.total, message });
        }
    }
}

/// Compares structured content with the tool's own output schema. What does not fit is shown with a note, not hidden.
fn checked(mut answer: ToolAnswer, tool: &KnownTool) -> ToolAnswer {
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

fn outcome(result: &Result<ToolAnswer, HostError>) -> Outcome {
    match result {
        Ok(answer) if answer.is_error => Outcome::ToolError,
        Ok(_) => Outcome::Done,
        Err(error) => match error.code {
            ErrorCode::Refused if error.refusal == Some(Refusal::Cancelled) => Outcome::Cancelled,
            ErrorCode::Refused => Outcome::Refused,
            ErrorCode::Cancelled => Outcome::Cancelled,
            // What the tool did before the connection went is unknown.
            ErrorCode::ConnectionLost | ErrorCode::MessageTooLong => Outcome::Interrupted,
            _ => Outcome::Failed,
        },
    }
}
