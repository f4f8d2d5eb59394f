//! One tool call, from whoever wants it to the closed trace. Every surface meets here.

use crate::api::{Answered, ErrorCode, HostError, HostEvent, Outcome, RunningCall, ServerState};
use crate::repeats::{Again, Same};
use crate::{Host, answers, consent, conversations, error, pins, sign_in, supervise, tasks};
use connections::{Connection, ConnectionError, Follow, Progress};
use policy::pin::Standing;
use policy::{Facts, Grant, KnownTool, Mark, Pending, PermittedCall, Reason, Refusal, Verdict, decide};
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
    standing: Standing,
    mark: Mark,
    on: bool,
    connection: Connection,
}

/// Calls a tool and waits for the end. `stop` withdraws or cancels it.
pub(crate) async fn call_tool(host: &Host, mut call: ToolCall, stop: CancellationToken) -> Result<Answered, HostError> {
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
                standing: kept.offered.standing(&pins::key_of(tool)),
                mark: kept.mark(tool),
                on: !kept.off.contains(tool),
                connection: connection.clone(),
            }),
            (ServerState::Failed { error, .. } | ServerState::Waiting { error, .. }, _) => Err(error.clone()),
            _ => Err(error::host(ErrorCode::ServerOff, format!("{} is switched off", kept.row.id))),
        }
    })?
}

/// Gets the permission, from a grant or from a person, with the tool as it is by then.
async fn permit(host: &Host, call: ToolCall, found: Found, stop: &CancellationToken) -> Result<(PermittedCall, Found), Refusal> {
    let concerns = host.conversations().check(&call, found.tool.spec(), found.mark);
    let same = Same::of(&call);
    let again = host.repeats().again(&same, host.now());
    let verdict = {
        let grants = host.grants();
        let grants: &[Grant] = if again == Again::Usual { &grants } else { &[] };
        let facts = Facts {
            tool: &found.tool,
            launch_fingerprint: &found.launch,
            standing: &found.standing,
            concerns: &concerns,
            switched_on: found.on,
            grants,
            run: host.run(),
        };
        decide(call, facts)
    };
    match (verdict, again) {
        (Verdict::Deny(refusal), _) => Err(refusal),
        (_, Again::Refuse) => Err(Refusal::TooOften),
        (Verdict::Allow(permitted), _) => Ok((permitted, found)),
        (Verdict::Ask(pending), Again::Usual) => ask(host, *pending, stop).await,
        (Verdict::Ask(pending), Again::Ask(times)) => {
            let answer = ask(host, pending.because(Reason::Repeated { times }), stop).await;
            if answer.is_ok() || matches!(answer, Err(Refusal::DeniedByPerson { .. })) {
                host.repeats().answered(&same, answer.is_ok(), host.now());
            }
            answer
        }
    }
}

async fn ask(host: &Host, pending: Pending, stop: &CancellationToken) -> Result<(PermittedCall, Found), Refusal> {
    let call = pending.call().clone();
    let mut shown = call.arguments.clone();
    let masker = host.secrets().masker();
    masker.mask_map(&mut shown);
    let mut concerns = pending.concerns().to_vec();
    for concern in &mut concerns {
        masker.mask_text(&mut concern.value);
    }
    let findings = pins::findings(host, &call.server, pending.tool());
    let question = pending.question(shown, concerns, findings, host.now());
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
    if now.standing.refusal().is_some() {
        return Err(Refusal::ChangedWhileAsking);
    }
    let concerns = pending.concerns().to_vec();
    let (permitted, grant) = pending.answer(&id, &answer, now.tool.fingerprint(), &now.launch, host.run(), host.now())?;
    host.conversations().settle(&call.caller, &concerns);
    if let Some(grant) = grant {
        remember(host, grant).await.map_err(|_| Refusal::NoTrace)?;
    }
    Ok((permitted, now))
}

async fn remember(host: &Host, grant: Grant) -> Result<(), HostError> {
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
) -> Result<Answered, HostError> {
    let call = permitted.call().clone();
    // Written before the call: a crash must still leave a trace of what was attempted.
    if open_trace(host, &permitted).is_err() {
        return Err(error::refused(Refusal::NoTrace));
    }
    note_use(host, &permitted);
    host.conversations().runs(&call, found.tool.spec(), found.mark);
    let answer = found.connection.call(permitted, follow(host, &call, stop)).await;
    close(host, &call, answer, Some(&found.tool), since).await
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
    Follow { progress: Box::new(progress_of(host, call)), task: Box::new(task), cancelled: stop }
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
        Err(error) => Err(error::connection(&call.server, &error, &host.secrets().masker())),
    };
    let event = Event::CallClosed {
        outcome: outcome(&result),
        duration_ms: u64::try_from(host.now().since(since).as_millis()).unwrap_or(u64::MAX),
        error: result.as_ref().err().map(|error| error.message.clone()),
    };
    if let Err(error) = host.record(about(call, host.now(), event)) {
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

fn outcome(result: &Result<Answered, HostError>) -> Outcome {
    match result {
        Ok(answered) if answered.answer.is_error => Outcome::ToolError,
        Ok(_) => Outcome::Done,
        Err(error) => match error.code {
            ErrorCode::Refused if error.refusal == Some(Refusal::Cancelled) => Outcome::Cancelled,
            ErrorCode::Refused => Outcome::Refused,
            ErrorCode::Cancelled => Outcome::Cancelled,
            // What the tool did before the connection went is unknown.
            ErrorCode::ConnectionLost | ErrorCode::MessageTooLong | ErrorCode::TaskLost => Outcome::Interrupted,
            _ => Outcome::Failed,
        },
    }
}
