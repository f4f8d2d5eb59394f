//! Questions about calls that outlive the application: taken up in the next run, answered once, carried out at most once.
//!
//! Always true here:
//! - what is needed to go on is on the disk before the question is shown, sealed; without a keyring the question ends with the
//!   application;
//! - an answer is on the disk before it has an effect, and that a call is sent before anything of it leaves;
//! - a call that may have been sent is not sent again: nobody knows what became of it, and a person is told so;
//! - a number stands for one call: from the start on, one that is left over counts as running, and no other can be made under it;
//! - what a person sees of a question that is left over, and what then runs, come out of one sealed text.

use crate::api::{HostError, HostEvent, Outcome, RunningCall};
use crate::pendings::Listed;
use crate::reconsider::{Ended, wait};
use crate::{Host, call_tool, consent};
use policy::{Answer, PATIENCE, Pending, Permission, PermittedCall, Question, Refusal, Subject};
use protocol::{CallId, QuestionId, Secret};
use serde::{Deserialize, Serialize};
use serde_json::Map;
use std::time::Duration;
use store::{Entry, Event, JournalCall, Kept, LeftAt, LeftCall, SentOn};
use tokio_util::sync::CancellationToken;

/// How long a question is brought up again after it was asked.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// What is needed to go on with a call.
#[derive(Serialize, Deserialize)]
struct Needed {
    pending: Pending,
    question: Question,
}

/// Writes a question down so that the next run can take it up.
pub(crate) async fn keep(host: &Host, pending: &Pending, question: &Question) -> Result<(), Refusal> {
    let call = pending.call();
    let about = JournalCall {
        call: call.id.clone(),
        caller: call.caller.clone(),
        server: call.server.clone(),
        tool: call.tool.clone(),
        since: question.asked_at,
    };
    let needed = Needed { pending: pending.clone(), question: question.clone() };
    let needed = serde_json::to_string(&needed).map(Secret::new).map_err(|_| Refusal::NoTrace)?;
    match host.store().journal().waits(&about, &question.id, &needed).await {
        Ok(Kept::OnDisk) => host.calls().set_kept(&call.id),
        Ok(Kept::InMemory) => {}
        Err(_) => return Err(Refusal::NoTrace),
    }
    Ok(())
}

/// Whether there is, or was, a call of this number.
pub(crate) async fn knows(host: &Host, call: &CallId) -> Result<bool, HostError> {
    Ok(host.store().journal().knows(call).await? || host.store().audit().knows_call(call).await?)
}

/// Writes an answer to such a question down.
pub(crate) async fn answered(host: &Host, question: &Question, answer: &Answer) -> Result<(), HostError> {
    let Subject::Call { call, .. } = &question.subject else { return Ok(()) };
    if !host.calls().is_kept(call) {
        return Ok(());
    }
    let answer = serde_json::to_string(answer)
        .map(Secret::new)
        .map_err(|problem| crate::error::host(crate::ErrorCode::Internal, format!("an answer could not be written: {problem}")))?;
    if host.store().journal().answered(call, &question.id, &answer, host.now()).await? {
        return Ok(());
    }
    Err(crate::error::host(crate::ErrorCode::UnknownQuestion, format!("{} does not wait for an answer", question.id)))
}

/// Whether a question that is withdrawn now is so because the application ends, and waits again in the next run.
pub(crate) fn stays(host: &Host, question: &Question) -> bool {
    matches!(&question.subject, Subject::Call { call, .. } if stays_of(host, call))
}

/// The same by the call.
pub(crate) fn stays_of(host: &Host, call: &CallId) -> bool {
    host.leaving().is_cancelled() && host.calls().is_kept(call)
}

/// Writes down that a call that was asked about is about to be sent. False if it must not be.
pub(crate) async fn sends(host: &Host, permitted: &PermittedCall) -> bool {
    let call = &permitted.call().id;
    if !host.calls().is_kept(call) {
        return true;
    }
    let on = match permitted.permission() {
        Permission::Answer { question, .. } => SentOn::Answer(question),
        Permission::Grant { .. } | Permission::Rules { .. } => SentOn::Settled,
    };
    host.store().journal().sends(call, on).await.unwrap_or(false)
}

/// A call that a person was asked about has ended, and its end is in the log.
pub(crate) async fn ended(host: &Host, call: &CallId) {
    if !host.calls().unset_kept(call) {
        return;
    }
    if let Err(error) = host.store().journal().ended(call).await {
        tracing::warn!(%call, %error, "the end of a call could not be noted; the log has it");
    }
}

/// Takes up what earlier runs left in the middle.
pub(crate) async fn take_up(host: &Host) {
    let left = match host.store().journal().left().await {
        Ok(left) => left,
        Err(error) => {
            tracing::warn!(%error, "questions of earlier runs cannot be read now; they stay for the next start");
            return;
        }
    };
    for left in left {
        let call = left.about.call.clone();
        if let Err(error) = take_up_one(host, left).await {
            tracing::warn!(%call, %error, "a call of an earlier run was not taken up");
        }
    }
}

async fn take_up_one(host: &Host, left: LeftCall) -> Result<(), HostError> {
    let LeftCall { about, question, step } = left;
    let in_the_log = host.store().audit().knows_call(&about.call).await?;
    let (needed, answer) = match step {
        // Its end is in the log, or it had begun: the log has closed it as interrupted.
        _ if in_the_log => return Ok(host.store().journal().ended(&about.call).await?),
        // Its beginning was lost with the last moments before a loss of power.
        LeftAt::Sent => {
            let event = Event::CallClosed {
                outcome: Outcome::Interrupted,
                duration_ms: 0,
                error: Some("the host ended while the call was being sent".to_owned()),
            };
            return end(host, &about, event).await;
        }
        LeftAt::Waiting { needed } => (needed, None),
        // A program that only looks something up does not carry out what was answered before.
        LeftAt::Answered { .. } if !host.keeps_servers_running() => return Ok(()),
        LeftAt::Answered { needed, answer, at } if host.now().since(at) < PATIENCE => (needed, answer),
        LeftAt::Answered { needed, .. } => {
            host.store().journal().waits_again(&about.call).await?;
            (needed, None)
        }
    };
    let fits = |needed: &Needed| needed.pending.call().id == about.call && needed.question.id == question;
    let Some(mut needed) = needed.as_ref().and_then(read::<Needed>).filter(fits) else {
        let event = Event::CallRefused { arguments: Map::new(), refusal: Refusal::QuestionClosed, duration_ms: 0 };
        return end(host, &about, event).await;
    };
    let (now, latest) = (host.now(), needed.question.asked_at.plus(LONGEST));
    let arguments = match &mut needed.question.subject {
        Subject::Call { left_over, arguments, .. } => {
            *left_over = true;
            arguments.clone()
        }
        _ => Map::new(),
    };
    let answer = answer.as_ref().and_then(read::<Answer>);
    if answer.is_none() && now >= latest {
        let duration_ms = u64::try_from(now.since(about.since).as_millis()).unwrap_or(u64::MAX);
        return end(host, &about, Event::CallRefused { arguments, refusal: Refusal::NobodyAnswered, duration_ms }).await;
    }
    // Nobody could answer while the application was ended.
    needed.question.expires_at = now.plus(PATIENCE).min(latest);
    let Needed { pending, question } = needed;
    let id = question.id.clone();
    let stop = host.leaving().child_token();
    // Before anything else can be asked for: its number is taken.
    host.calls().begin(running(&about, answer.is_none()), stop.clone())?;
    host.calls().set_kept(&about.call);
    let way = match answer {
        Some(answer) => Way::Answered(answer),
        None => Way::Waits(Box::new(consent::show(host, question))),
    };
    tokio::spawn(go_on(host.clone(), about, pending, id, way, stop));
    Ok(())
}

/// How the answer comes.
enum Way {
    Answered(Answer),
    Waits(Box<consent::Showing>),
}

/// Waits for the answer, if there is none yet, and does what it says.
async fn go_on(host: Host, about: JournalCall, pending: Pending, id: QuestionId, way: Way, stop: CancellationToken) {
    let ended = match way {
        Way::Answered(answer) => Ended::Answered(Ok(answer)),
        Way::Waits(showing) => {
            let _listed = Listed::new(&host, &id, &pending);
            wait(&host, &pending, &id, consent::wait(*showing, &stop)).await
        }
    };
    if matches!(ended, Ended::Answered(Err(Refusal::Cancelled))) && stays_of(&host, &about.call) {
        host.calls().end(&about.call);
        return;
    }
    call_tool::tell_waiting(&host, pending.call(), false);
    let result = call_tool::go_on(&host, pending, &id, ended, stop, about.since).await;
    self::ended(&host, &about.call).await;
    host.calls().end(&about.call);
    host.tell(HostEvent::CallEnded { call: about.call, outcome: call_tool::outcome(&result) });
}

fn running(about: &JournalCall, waiting: bool) -> RunningCall {
    let JournalCall { call, caller, server, tool, since } = about.clone();
    RunningCall { call, caller, server, tool, since, waiting, task: None }
}

/// Ends a call of an earlier run that cannot go on.
async fn end(host: &Host, about: &JournalCall, event: Event) -> Result<(), HostError> {
    let entry = Entry {
        at: host.now(),
        call: Some(about.call.clone()),
        caller: Some(about.caller.clone()),
        approver: None,
        server: Some(about.server.clone()),
        tool: Some(about.tool.clone()),
        event,
    };
    host.record_synced(entry).await?;
    Ok(host.store().journal().ended(&about.call).await?)
}

fn read<T: serde::de::DeserializeOwned>(text: &Secret) -> Option<T> {
    serde_json::from_str(text.expose()).ok()
}
