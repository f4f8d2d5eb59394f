//! One tool call, from whoever wants it to the closed trace. Every surface meets here.

use crate::call_trace::{close_trace, close_with, open_trace, outcome, refuse};
use crate::client_route::Sent;
use crate::found::{self, Found, find};
use crate::pass_on::pass_on;
use crate::permit::{self, NotPermitted, Permit};
use crate::took::Moments;
use crate::waiting::{CallRounds, PendingGuard, Waited};
use crate::{Calls, agent_results, catch_up, server_messages, spans, tasks, unknown_outcomes};
use api::Outcome;
use api::{CallResult, ErrorCode, HostError, HostEvent, RunningCall};
use connections::{Connection, ConnectionError, Follow, Progress, Round, Rounds};
use policy::{Decision, Pending, PermittedCall, SchemaProblem, ToolFlags};
use protocol::{CallerKind, Fingerprint, ResultNote, ToolCall, ToolResult};
use servers::registry::ToolNow;
use servers::{Servers, error, sign_in, supervise};
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

/// Calls a tool and waits for the end. `stop` withdraws or cancels it.
pub async fn call_tool(
    calls: &Calls,
    call: ToolCall,
    stop: CancellationToken,
) -> Result<CallResult, HostError> {
    let span = spans::call(&call);
    let result = called(calls, call, stop).instrument(span.clone()).await;
    spans::ended(&span, &result);
    result
}

async fn called(
    calls: &Calls,
    mut call: ToolCall,
    stop: CancellationToken,
) -> Result<CallResult, HostError> {
    calls.still_open()?;
    let caught_up = catch_up::catch_up(calls).await;
    caught_up.map_err(|error| error::refused(error::unwritten(&error)))?;
    let _in_use = tokio::select! {
        started = supervise::started(calls, &call.server) => started?,
        () = stop.cancelled() => return Err(error::host(ErrorCode::Cancelled, "the call was cancelled before its server was ready")),
    };
    let found = find(calls, &call.server, &call.tool)?;
    // The name as we keep it, whatever the case in which it was asked for: grants and the log know
    // one name.
    call.server = found.server().clone();

    let since = calls.now();
    let running = RunningCall {
        call: call.id.clone(),
        caller: call.caller.clone(),
        server: call.server.clone(),
        tool: call.tool.clone(),
        since,
        waiting: false,
        task: None,
    };
    calls.running().begin(running.clone(), stop.clone())?;
    calls.publish(HostEvent::CallChanged { call: running });
    let (about, moments) = (call.clone(), Moments::asked(since));
    let (permit, guard) = permit::permit(calls, call, found, &stop).await;
    let result = carry_out(calls, &about, permit, guard.as_ref(), stop, moments).await;
    finish(calls, &about, guard, result.as_ref().map(outcome)).await;
    result.unwrap_or_else(|| Err(HostError::shutting_down()))
}

/// Does what was decided about a call. Nothing, if the next run takes it up.
async fn carry_out(
    calls: &Calls,
    call: &ToolCall,
    permit: Permit,
    guard: Option<&PendingGuard>,
    stop: CancellationToken,
    moments: Moments,
) -> Option<Result<CallResult, HostError>> {
    match permit {
        Ok((permitted, found)) => run(calls, permitted, &found, guard, stop, moments).await,
        // The application ends, and the question does not: that is no refusal.
        Err(NotPermitted::LeftToNextRun) => None,
        Err(NotPermitted::Refused(refusal)) => Some(Err(refuse(calls, call, refusal, moments))),
    }
}

/// The end of a call, `how`, is in the log; without one it is left to the next run.
async fn finish(calls: &Calls, call: &ToolCall, guard: Option<PendingGuard>, how: Option<Outcome>) {
    if let (Some(guard), Some(_)) = (guard, how) {
        guard.settled().await;
    }
    calls.running().end(&call.id);
    if let Some(outcome) = how {
        calls.publish(HostEvent::CallEnded {
            call: call.id.clone(),
            outcome,
        });
    }
}

/// Goes on with a call of an earlier run, of which it is now known what is to become. Whoever made
/// it is gone; what comes of it is kept with the activity.
pub(crate) async fn go_on(
    calls: &Calls,
    pending: Pending,
    waited: Waited,
    guard: PendingGuard,
    stop: CancellationToken,
    moments: Moments,
) {
    let call = pending.call().clone();
    if matches!(waited, Waited::Answered(Decision::Allow { .. })) {
        drop(supervise::started(calls, &call.server).await);
    }
    let span = spans::call(&call);
    let going_on = async {
        let permit = permit::after(calls, pending, waited, Some(&guard)).await;
        carry_out(calls, &call, permit, Some(&guard), stop, moments).await
    };
    let result = going_on.instrument(span.clone()).await;
    if let Some(result) = &result {
        spans::ended(&span, result);
    }
    if let Some(Ok(answered)) = &result {
        keep(calls, &call, answered).await;
    }
    finish(calls, &call, Some(guard), result.as_ref().map(outcome)).await;
}

/// Keeps what came of a call that nobody waits for any more.
async fn keep(calls: &Calls, call: &ToolCall, answered: &CallResult) {
    // What a conversation waits for is in its journal.
    if *call.caller.kind() != CallerKind::Agent
        && !answered.whole_kept
        && let Err(problem) = calls
            .store()
            .full_results()
            .keep(&call.id, &answered.answer, calls.now())
            .await
    {
        tracing::warn!(call = %call.id, %problem, "the answer of a call that nobody waits for could not be kept");
    }
}

/// A call of an earlier run whose server wanted input before it went on.
pub(crate) struct Paused {
    pub(crate) call: ToolCall,
    pub(crate) rounds: CallRounds,
    /// What it goes on with, or why it does not.
    pub(crate) goes_on: Result<(PermittedCall, Found, Round), HostError>,
}

/// Goes on with a paused call. Whoever made it is gone; what comes of it is kept with the activity.
pub(crate) async fn go_on_paused(
    calls: &Calls,
    paused: Paused,
    stop: CancellationToken,
    moments: Moments,
) {
    let Paused {
        call,
        rounds,
        goes_on,
    } = paused;
    let rounds = Arc::new(rounds);
    let span = spans::call(&call);
    let going_on = async {
        match goes_on {
            Ok((permitted, found, round)) => {
                let sending = Sending {
                    round: Some(round),
                    rounds: rounds.clone(),
                };
                let result = send(calls, permitted, &found, sending, stop, moments).await?;
                let how = outcome(&result);
                Some((result, how))
            }
            // It was begun, and what it did until then is unknown, whatever it ends for now.
            Err(error) => {
                let how = Outcome::Interrupted;
                close_trace(calls, &call, how, Some(&error), moments);
                unknown_outcomes::changed(calls);
                Some((Err(error), how))
            }
        }
    };
    let ended = going_on.instrument(span.clone()).await;
    if let Some((result, _)) = &ended {
        spans::ended(&span, result);
        rounds.settled(calls).await;
        if let Ok(answered) = result {
            keep(calls, &call, answered).await;
        }
    }
    finish(calls, &call, None, ended.map(|(_, how)| how)).await;
}

/// Makes a permitted call, between an opened and a closed trace. Nothing, if the next run goes on
/// with it.
async fn run(
    calls: &Calls,
    permitted: PermittedCall,
    found: &Found,
    guard: Option<&PendingGuard>,
    stop: CancellationToken,
    moments: Moments,
) -> Option<Result<CallResult, HostError>> {
    let call = permitted.shared();
    // One yes is one call: that it is used is on the disk before anything leaves.
    if let Some(guard) = guard
        && let Err(refusal) = guard.sends().await
    {
        return Some(Err(refuse(calls, &call, refusal, moments)));
    }
    // Written before the call: a crash must still leave a trace of what was attempted.
    if let Err(error) = open_trace(calls, &permitted) {
        return Some(Err(refuse(calls, &call, error::unwritten(&error), moments)));
    }
    let found = match found::still(calls, &permitted, found) {
        Ok(found) => found,
        Err(problem) => {
            let result = Err(problem);
            close_with(calls, &call, &result, moments);
            return Some(result);
        }
    };
    let asked = guard.map(PendingGuard::id);
    let rounds = CallRounds::of(calls, &permitted, found.workspace(), moments.since(), asked);
    let rounds = Arc::new(rounds);
    let sending = Sending {
        round: None,
        rounds: rounds.clone(),
    };
    let moments = moments.sent(calls, &call.id);
    let result = send(calls, permitted, &found, sending, stop, moments).await;
    if result.is_some() {
        rounds.settled(calls).await;
    }
    result
}

/// How a call is sent.
struct Sending {
    /// The round at which it goes on; none from its beginning.
    round: Option<Round>,
    rounds: Arc<CallRounds>,
}

/// Sends a call and closes its trace. Nothing, if the next run goes on with it.
async fn send(
    calls: &Calls,
    permitted: PermittedCall,
    found: &Found,
    sending: Sending,
    stop: CancellationToken,
    moments: Moments,
) -> Option<Result<CallResult, HostError>> {
    let call = permitted.shared();
    let sent = || Sent::Call(Arc::clone(&call));
    calls.running().routes().sends(&call.id, sent);
    calls
        .conversations()
        .runs(&call, &found.tool.known, found.tool.mark);
    spans::permitted(permitted.permission());
    let trace = spans::trace(calls.traced(), &call, &calls.secrets().masker());
    let held = spans::held(calls.traced(), &trace);
    let Sending { round, rounds } = sending;
    let told: Arc<dyn Rounds> = rounds.clone();
    let launch = permitted.launch_fingerprint().clone();
    let follow = Follow {
        trace,
        rounds: Some(told),
        ..follow(calls, &call, launch.clone(), stop)
    };
    let answer = match round {
        None => found.connection.call(permitted, follow).await,
        Some(round) => {
            let connection = &found.connection;
            connection.resume_round(permitted, round, follow).await
        }
    };
    if rounds.is_left(calls) {
        return None;
    }
    let result = close(calls, &call, &launch, answer, Some(&found.tool), moments).await;
    spans::result(held, &result);
    Some(result)
}

/// Waits for a task that a call of an earlier run became. Whoever made the call is gone, unless that
/// is a conversation with a model; the end goes to the log. The connection comes with what was started or reached.
pub(crate) async fn resume(
    calls: &Calls,
    call: &ToolCall,
    task: connections::Task,
    (connection, launch): (&Connection, Fingerprint),
    stop: CancellationToken,
    moments: Moments,
) {
    let about = Arc::new(call.clone());
    let follow = follow(calls, &about, launch.clone(), stop);
    let answer = connection.resume(task, follow).await;
    let now = calls.registry().now(&call.server).ok();
    let tool = now.and_then(|now| now.tool(&call.tool));
    let result = close(calls, call, &launch, answer, tool.as_ref(), moments).await;
    finish(calls, call, None, Some(outcome(&result))).await;
}

fn follow(
    calls: &Calls,
    call: &Arc<ToolCall>,
    launch: Fingerprint,
    stop: CancellationToken,
) -> Follow {
    let (weak, about) = (calls.weak(), Arc::clone(call));
    let task = move |task: &connections::Task| {
        if let Some(calls) = weak.upgrade() {
            tasks::remember(&calls, &about, &launch, task);
        }
    };
    Follow {
        progress: Box::new(progress_of(calls, call)),
        task: Box::new(task),
        cancelled: stop,
        rounds: None,
        trace: connections::Trace::default(),
    }
}

/// Cleans what came back and closes the trace. `launch` is how its server was started or reached,
/// `found` the tool as it was looked up, if it was there.
async fn close(
    calls: &Calls,
    call: &ToolCall,
    launch: &Fingerprint,
    answer: Result<ToolResult, ConnectionError>,
    found: Option<&ToolNow>,
    moments: Moments,
) -> Result<CallResult, HostError> {
    // A task goes on without us, and is waited for again when its server is back.
    let (mut is_given_up, mut is_over) = (false, false);
    if calls.running().is_task(&call.id) {
        calls.running().remembered(&call.id).await;
        let goes_on = matches!(answer, Err(ConnectionError::ConnectionLost { .. }));
        is_given_up = goes_on && !tasks::is_same(calls, &call.server, launch);
        is_over = !goes_on || is_given_up;
    }
    if let Err(error) = &answer {
        sign_in::note_refusal(calls, &call.server, error);
        if matches!(error, ConnectionError::TimedOut { .. }) {
            supervise::check(calls, &call.server);
        }
    }
    let (tool, mark) = (
        found.map(|tool| tool.known.as_ref()),
        mark_of(calls, call, found),
    );
    let result = match answer {
        Ok(answer) => {
            let answer = checked(calls, call, answer, found).await;
            let answered = pass_on(calls, call, mark, answer).await;
            if let Ok(CallResult { answer, .. }) = &answered {
                let (said, now) = (calls.conversations(), calls.now());
                said.heard(call, tool, mark, answer, now);
            }
            answered
        }
        Err(_) if is_given_up => Err(tasks::changed(&call.server)),
        Err(error) => Err(server_messages::failure(calls, call, tool, mark, &error).await),
    };
    let came = result.as_ref().ok().map(|result| &result.answer);
    calls.repeats().came(call, came);
    if let Ok(result) = &result {
        agent_results::save(calls, call, result).await;
    }
    if is_over {
        tasks::forget(calls, &call.id).await;
    }
    let took = close_with(calls, call, &result, moments);
    if outcome(&result) == Outcome::Interrupted {
        unknown_outcomes::changed(calls);
    }
    result.map(|result| CallResult {
        ran_ms: took.ran_ms,
        ..result
    })
}

/// What the person says about the tool of a call that has ended: what they said when it was looked
/// up, and what they say now. Its server may be gone meanwhile.
fn mark_of(servers: &Servers, call: &ToolCall, found: Option<&ToolNow>) -> ToolFlags {
    let now = servers.registry().now(&call.server).ok();
    let now = now.map(|now| now.mark(&call.tool));
    ToolFlags::joined(found.map(|tool| tool.mark).into_iter().chain(now))
}

fn progress_of(calls: &Calls, call: &Arc<ToolCall>) -> impl Fn(Progress) + Send + Sync + 'static {
    let (calls, call, stream_mask) = (calls.weak(), Arc::clone(call), Mutex::default());
    move |step: Progress| {
        if let Some(calls) = calls.upgrade() {
            let message = step
                .message
                .and_then(|message| server_messages::step(&calls, &call, &stream_mask, message));
            calls.publish(HostEvent::CallProgress {
                call: call.id.clone(),
                progress: step.progress,
                total: step.total,
                message,
            });
        }
    }
}

/// Compares structured content with the tool's own output schema. What does not fit is shown with a
/// note, not hidden.
async fn checked(
    calls: &Calls,
    call: &ToolCall,
    mut answer: ToolResult,
    found: Option<&ToolNow>,
) -> ToolResult {
    let Some(tool) = found.map(|found| &found.known) else {
        return answer;
    };
    match answer.structured.take() {
        Some(content) => {
            let schemas = calls.schemas();
            let (content, fits) = schemas.check_structured(&call.server, tool, content).await;
            answer.structured = Some(content);
            answer.notes.extend(match fits {
                Ok(()) => None,
                Err(SchemaProblem::TooLarge) => Some(ResultNote::StructuredUnchecked),
                Err(problem) => Some(ResultNote::StructuredInvalid {
                    problem: problem.to_string(),
                }),
            });
        }
        None if tool.spec().output_schema.is_some() && !answer.is_error => {
            answer.notes.push(ResultNote::StructuredMissing)
        }
        None => {}
    }
    answer
}
