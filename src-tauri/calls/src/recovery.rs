//! Questions about calls that outlive the application: taken up in the next run, answered once,
//! carried out at most once.
//!
//! Always true here:
//! - a number stands for one call: from the start on, one that is recovered counts as running, and
//!   no other can be made under it;
//! - what a person sees of a question that is recovered, and what then runs, come out of one sealed
//!   text.

use crate::running::running_of;
use crate::took::{self, Moments};
use crate::waiting::{PendingGuard, Waited, persist};
use crate::{Calls, call_tool, call_trace, resumed_rounds};
use api::{HostError, HostEvent, Outcome};
use policy::waiting::{
    Effect, Event as Happened, Left, Record, Recovery, Resolution, Stage, Waiting,
};
use policy::{Decision, Pending, Refusal, Subject};
use protocol::Timestamp;
use serde_json::Map;
use servers::Core;
use std::collections::BTreeSet;
use store::{CallClosed, Entry, Event, LeftCall, Needed, WaitingCall};
use tokio_util::sync::CancellationToken;

/// The keys of the servers that are needed for what earlier runs left in the middle.
pub async fn needed(calls: &Calls) -> BTreeSet<String> {
    let waiting = calls.running().running();
    let mut needed: BTreeSet<_> = waiting.iter().map(|call| call.server.key()).collect();
    needed.extend(resumed_rounds::servers(calls).await);
    match calls.store().tasks().servers().await {
        Ok(servers) => needed.extend(servers),
        Err(error) => tracing::warn!(%error, "tasks of earlier runs cannot be read now"),
    }
    needed
}

/// Takes up what earlier runs left in the middle.
pub async fn recover(calls: &Calls) {
    resumed_rounds::end_old(calls).await;
    let left = match calls.store().waiting().left().await {
        Ok(left) => left,
        Err(error) => {
            tracing::warn!(%error, "questions of earlier runs cannot be read now; they stay for the next start");
            return;
        }
    };
    for left in left {
        let call = left.about.call.clone();
        if let Err(error) = recover_one(calls, left).await {
            tracing::warn!(%call, %error, "a call of an earlier run was not taken up");
        }
    }
}

async fn recover_one(calls: &Calls, left: LeftCall) -> Result<(), HostError> {
    let LeftCall {
        about,
        question,
        left,
        needed,
    } = left;
    let answered_at = match &left {
        Left::Answered { at, .. } => Some(*at),
        _ => None,
    };
    let mut life = Waiting::default();
    let recovery = Recovery {
        left,
        asked_at: about.since,
        in_the_log: calls.store().audit().knows_call(&about.call).await?,
        carries_out: calls.keeps_servers_running(),
        question_time: calls.question_time(),
        now: calls.now(),
    };
    let effects = life.on(Happened::Recovered(recovery)).unwrap_or_default();
    let (mut until, mut answer) = (None, None);
    for effect in effects {
        match effect {
            Effect::Record(record) => end(calls, &about, needed.as_deref(), record).await?,
            Effect::Persist(step) => persist(calls, &question, step).await?,
            Effect::Show(shown) => until = shown,
            Effect::Resolve(Resolution::Answered(answered)) => answer = Some(*answered),
            Effect::Resolve(_) | Effect::Withdraw => {}
        }
    }
    match needed {
        Some(needed) if goes_on(&life) => {
            let answer = answer.zip(answered_at);
            take_up(calls, about, *needed, life, until, answer)
        }
        _ => Ok(()),
    }
}

fn goes_on(life: &Waiting) -> bool {
    matches!(life.stage(), Stage::Waiting(_) | Stage::Answered { .. })
}

/// Shows the question again, or carries its answer out.
fn take_up(
    calls: &Calls,
    about: WaitingCall,
    needed: Needed,
    life: Waiting,
    until: Option<Timestamp>,
    answer: Option<(Decision, Timestamp)>,
) -> Result<(), HostError> {
    let Needed {
        pending,
        mut question,
    } = needed;
    if let Subject::Call { left_over, .. } = &mut question.subject {
        *left_over = true;
    }
    question.expires_at = until.unwrap_or(question.expires_at);
    let stop = calls.leaving().child_token();
    // Before anything else can be asked for: its number is taken.
    calls
        .running()
        .begin(running_of(&about, answer.is_none()), stop.clone())?;
    took::begin_to_wait(calls.running(), &question, question.asked_at);
    let answer = answer.map(|(answer, at)| {
        took::stop_to_wait(calls.running(), &question, at);
        answer
    });
    let shown = life.is_open().then(|| Box::new(question.clone()));
    let guard = PendingGuard::again(calls, question, Some(pending.clone()), life);
    if let Some(question) = shown {
        calls.publish(HostEvent::QuestionAsked { question });
    }
    tokio::spawn(go_on(calls.clone(), about, pending, guard, answer, stop));
    Ok(())
}

/// Waits for the answer, if there is none yet, and does what it says.
async fn go_on(
    calls: Calls,
    about: WaitingCall,
    pending: Pending,
    mut guard: PendingGuard,
    answer: Option<Decision>,
    stop: CancellationToken,
) {
    // What may settle the question is looked at as long as its server runs.
    let _in_use = calls.registry().in_use(&about.server);
    let waited = match answer {
        Some(answer) => Waited::Answered(answer),
        None => guard.wait(&stop).await,
    };
    calls.tell_waiting(pending.call(), false);
    call_tool::go_on(
        &calls,
        pending,
        waited,
        guard,
        stop,
        Moments::asked(about.since),
    )
    .await;
}

/// Writes the end of a call of an earlier run that cannot go on to the log.
async fn end(
    core: &Core,
    about: &WaitingCall,
    needed: Option<&Needed>,
    record: Record,
) -> Result<(), HostError> {
    let event = match record {
        Record::Refused(refusal) => refused(core, about, needed, refusal),
        Record::OutcomeUnknown => Event::CallClosed(CallClosed {
            outcome: Outcome::Interrupted,
            duration_ms: 0,
            waited_ms: None,
            ran_ms: None,
            error: Some("the host ended while the call was being sent".to_owned()),
        }),
        // What is said when a person is asked, and not afterwards.
        Record::Asked | Record::Answered(_) | Record::Superseded(_) => return Ok(()),
    };
    let entry = Entry {
        conversation: needed.map(|needed| needed.pending.call().conversation.clone()),
        ..call_trace::entry_of(about, core.now(), event)
    };
    core.record_synced(entry).await?;
    Ok(())
}

fn refused(core: &Core, about: &WaitingCall, needed: Option<&Needed>, refusal: Refusal) -> Event {
    let (arguments, waited_ms) = match needed.map(|needed| &needed.question.subject) {
        Some(Subject::Call { arguments, .. }) => {
            let waited = core.now().since(about.since).as_millis();
            let waited_ms = u64::try_from(waited).unwrap_or(u64::MAX);
            (arguments.clone(), Some(waited_ms))
        }
        _ => (Map::new(), None),
    };
    Event::CallRefused {
        arguments,
        refusal,
        duration_ms: waited_ms.unwrap_or_default(),
        waited_ms,
    }
}
