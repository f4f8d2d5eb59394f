//! Calls of earlier runs whose servers wanted input before they went on. When the server runs again
//! the input is asked for once more, and the call goes on; it is not begun again.
//!
//! Always true here: a call goes on only if its tool, its server and its workspace are what they
//! were when it was permitted, and no rule forbids it by now.

use crate::call_tool::{self, Paused};
use crate::call_trace;
use crate::found::{Found, find};
use crate::running::running_of;
use crate::took::Moments;
use crate::waiting::{CallRounds, perform};
use crate::{Calls, rules};
use api::{ErrorCode, HostError, HostEvent, Outcome};
use connections::Round;
use policy::waiting::{Effect, Event as Happened, Left, Record, Recovery, Waiting};
use policy::{PermittedCall, Refusal};
use protocol::ServerId;
use servers::error;
use store::{CallClosed, Event, LeftPaused, PausedRound};

/// Ends those that will not go on.
pub(crate) async fn end_old(calls: &Calls) {
    for left in all(calls, None).await {
        let call = left.about.call.clone();
        if let Err(error) = recovered(calls, &left).await {
            tracing::warn!(%call, %error, "a call of an earlier run was not taken up");
        }
    }
}

/// The keys of the servers whose calls they are.
pub(crate) async fn servers(calls: &Calls) -> Vec<String> {
    let all = all(calls, None).await;
    all.iter().map(|left| left.about.server.key()).collect()
}

/// Goes on with the calls of a server that has just come to run.
pub(crate) async fn resume_all(calls: &Calls, id: &ServerId) {
    for left in all(calls, Some(id)).await {
        // One of this run waits already.
        if !calls.running().is_running(&left.about.call) {
            tokio::spawn(resume(calls.clone(), left));
        }
    }
}

async fn all(calls: &Calls, server: Option<&ServerId>) -> Vec<LeftPaused> {
    match calls.store().waiting().left_paused(server).await {
        Ok(left) => left,
        Err(error) => {
            tracing::warn!(%error, "paused calls of earlier runs cannot be read now; they stay for the next start");
            Vec::new()
        }
    }
}

/// What becomes of one: its life, if it goes on.
async fn recovered(calls: &Calls, left: &LeftPaused) -> Result<Option<Waiting>, HostError> {
    let LeftPaused { about, end, round } = left;
    let mut life = Waiting::default();
    let log = calls.store().audit();
    let (left, in_the_log) = match round {
        Some(_) => (Left::Paused(*end), log.knows_end(&about.call).await?),
        // Without what it goes on with nobody knows its end.
        None => (Left::Sent(*end), log.knows_call(&about.call).await?),
    };
    let recovery = Recovery {
        left,
        asked_at: about.since,
        in_the_log,
        carries_out: calls.keeps_servers_running(),
        question_time: calls.question_time(),
        now: calls.now(),
    };
    let effects = life.on(Happened::Recovered(recovery)).unwrap_or_default();
    for effect in &effects {
        if let Effect::Record(Record::OutcomeUnknown) = effect {
            let event = Event::CallClosed(CallClosed {
                outcome: Outcome::Interrupted,
                duration_ms: 0,
                waited_ms: None,
                ran_ms: None,
                error: Some("the host ended while the server waited for input".to_owned()),
            });
            let entry = call_trace::entry_of(about, calls.now(), event);
            calls.record_synced(entry).await?;
        }
    }
    perform(calls, about, effects).await?;
    Ok(life.is_paused().then_some(life))
}

async fn resume(calls: Calls, left: LeftPaused) {
    let call = left.about.call.clone();
    if let Err(error) = try_resume(&calls, left).await {
        tracing::warn!(%call, %error, "a call of an earlier run does not go on");
    }
}

async fn try_resume(calls: &Calls, left: LeftPaused) -> Result<(), HostError> {
    let Some(life) = recovered(calls, &left).await? else {
        return Ok(());
    };
    let LeftPaused { about, round, .. } = left;
    let Some(round) = round else {
        return Ok(());
    };
    let PausedRound {
        call: paused,
        round,
    } = *round;
    let call = paused.call().clone();
    // In another workspace it waits for its own.
    let now = calls.registry().now(&call.server)?;
    if now.workspace != *paused.workspace() {
        return Ok(());
    }
    let _in_use = calls.registry().in_use(&call.server)?;
    let stop = calls.leaving().child_token();
    let running = running_of(&about, false);
    calls.running().begin(running.clone(), stop.clone())?;
    calls.publish(HostEvent::CallChanged { call: running });
    let entry = call_trace::about(&call, calls.now(), Event::CallResumed);
    if let Err(error) = calls.record(entry) {
        calls.running().end(&call.id);
        return Err(error);
    }
    let moments = Moments::sent_earlier(about.since);
    let rounds = CallRounds::again(calls, about, paused.clone(), life);
    let goes_on = match serde_json::from_value::<Round>(round) {
        Ok(round) => permitted(calls, paused)
            .await
            .map(|(permitted, found)| (permitted, found, round)),
        Err(problem) => Err(error::host(ErrorCode::Internal, problem.to_string())),
    };
    let paused = Paused {
        call,
        rounds,
        goes_on,
    };
    call_tool::go_on_paused(calls, paused, stop, moments).await;
    Ok(())
}

/// The permission to go on, with the tool as it is now.
async fn permitted(
    calls: &Calls,
    paused: policy::PausedCall,
) -> Result<(PermittedCall, Found), HostError> {
    let call = paused.call().clone();
    let found = find(calls, &call.server, &call.tool)?;
    if let Some(refusal) = found.tool.refusal() {
        return Err(error::refused(refusal));
    }
    let concerns = calls
        .conversations()
        .check(&call, &found.tool.known, found.tool.mark);
    if let Some(refusal) = rules::on_call(calls, &found.now, &call, &concerns)
        .await
        .refusal()
    {
        return Err(error::refused(refusal));
    }
    let resumed = paused.resume(&found.tool.known, &found.launch, found.workspace());
    let permitted = resumed.map_err(|refusal: Refusal| error::refused(refusal))?;
    Ok((permitted, found))
}
