//! A question that waits, while the world goes on: whatever changes is taken into account.
//!
//! Always true here:
//! - what is forbidden by now is refused, and what a person has allowed meanwhile runs;
//! - what spoke against a call when it was asked about still does;
//! - a question belongs to its workspace, and nothing of another one settles it;
//! - a question that is being answered is settled by nothing else.

use crate::api::ServerState;
use crate::permit::{Found, Weighed, concerns_of, find, heeded_grants, heeded_rules, judge, weigh};
use crate::{Host, consent, grants, places};
use policy::{Answer, Grant, Pending, PermittedCall, Reason, Refusal, Verdict};
use protocol::{QuestionId, ServerId};
use store::{Entry, Event};

/// How a question about a call has ended.
pub(crate) enum Ended {
    /// A person has answered, or nobody has.
    Answered(Result<Answer, Refusal>),
    /// Something else has changed so that it is settled.
    Settled(Result<(Box<PermittedCall>, Found), Refusal>),
}

/// Waits for the answer to a question that is shown, and for whatever makes it needless.
pub(crate) async fn wait(host: &Host, pending: &Pending, id: &QuestionId, answer: impl Future<Output = Result<Answer, Refusal>>) -> Ended {
    let mut changes = host.consent().changes();
    // What changed until the question was shown was told to nobody who waited for it.
    changes.mark_changed();
    tokio::pin!(answer);
    loop {
        tokio::select! {
            biased;
            answer = &mut answer => return Ended::Answered(answer),
            changed = changes.changed() => {
                if changed.is_err() {
                    return Ended::Answered(answer.await);
                }
                if let Some(settled) = reconsider(host, pending, id).await {
                    return Ended::Settled(settled);
                }
            }
        }
    }
}

/// What is to become of a question, with everything as it is now; nothing, if it goes on waiting.
async fn reconsider(host: &Host, pending: &Pending, id: &QuestionId) -> Option<Result<(Box<PermittedCall>, Found), Refusal>> {
    // The application ends: what waits then is taken up by the next run.
    host.still_open().ok()?;
    if host.workspace() != *pending.workspace() {
        return settle(host, pending, id, "refused").await.then_some(Err(Refusal::OtherWorkspace));
    }
    let call = pending.call();
    let found = match find(host, &call.server, &call.tool) {
        Ok(found) => found,
        Err(_) if is_gone(host, &call.server) => {
            return settle(host, pending, id, "server_gone").await.then_some(Err(Refusal::ChangedWhileAsking));
        }
        Err(_) => return None,
    };
    let by_grants = by_grants(pending);
    let (verdict, used) = judge(host, call.clone(), &found, pending.concerns(), by_grants).await;
    let (how, settled) = match verdict {
        Verdict::Ask(_) => return None,
        Verdict::Deny(refusal) => ("refused", Err(refusal)),
        Verdict::Allow(_) if !by_grants => return None,
        Verdict::Allow(permitted) => ("settled_by_permission", Ok((Box::new(permitted), found))),
    };
    if !settle(host, pending, id, how).await {
        if let Some(used) = &used {
            host.grants().uncount(used);
        }
        return None;
    }
    if !grants::note(host, used).await && settled.is_ok() {
        return Some(Err(Refusal::NoTrace));
    }
    Some(settled)
}

/// Whether these grants would settle a question that waits.
pub(crate) async fn would_settle(host: &Host, grants: &[Grant], pending: &Pending) -> bool {
    let call = pending.call();
    let Ok(found) = find(host, &call.server, &call.tool) else { return false };
    if found.workspace != *pending.workspace() {
        return false;
    }
    let by_grants = by_grants(pending);
    let concerns = concerns_of(host, call, &found, pending.concerns());
    let ruling = heeded_rules(host, call, &concerns, by_grants).await;
    let places = places::of(&call.arguments).await;
    let grants = heeded_grants(grants, by_grants);
    let verdict = weigh(host, call.clone(), &found, Weighed { concerns: &concerns, ruling: &ruling, grants: &grants, places: &places });
    match verdict {
        Verdict::Allow(_) => by_grants,
        Verdict::Deny(_) => true,
        Verdict::Ask(_) => false,
    }
}

/// Whether what was allowed has a say about a question that waits. Beside a repeated call a person has to look, whatever was.
fn by_grants(pending: &Pending) -> bool {
    !matches!(pending.reason(), Reason::Repeated { .. })
}

/// Whether a server will not run again by itself. One that is on and does not run is being started anew.
fn is_gone(host: &Host, server: &ServerId) -> bool {
    let gone = |state: &ServerState, on: bool| match state {
        ServerState::Off => !on,
        ServerState::Failed { .. } => true,
        _ => false,
    };
    host.kept().with(server, |kept| gone(&kept.state, kept.place.on)).unwrap_or(true)
}

/// Takes a question away before anyone has answered it. False if it is being answered.
async fn settle(host: &Host, pending: &Pending, id: &QuestionId, how: &str) -> bool {
    if !consent::settle(host, id, how).await {
        return false;
    }
    let call = pending.call();
    let event = Event::QuestionAnswered { question: id.clone(), answer: how.to_owned(), reason: None };
    let entry = Entry { approver: Some("majordomo".to_owned()), ..crate::call_tool::about(call, host.now(), event) };
    if let Err(error) = host.record(entry) {
        tracing::warn!(question = %id, %error, "that a question was settled could not be written to the log");
    }
    true
}
