//! A question that waits, while the world goes on: whatever changes is taken into account.
//!
//! Always true here:
//! - what is forbidden by now is refused, and what a person has allowed meanwhile runs;
//! - what spoke against a call when it was asked about still does;
//! - a question belongs to its workspace, and nothing of another one settles it;
//! - a question that is being answered is settled by nothing else.

use super::Waited;
use super::driver::drive;
use crate::found::find;
use crate::judge::{Weighed, checked, concerns_of, heeded_grants, heeded_rules, judge, weigh};
use crate::{Calls, grants, places};
use api::ServerState;
use policy::waiting::{Event, Superseded};
use policy::{Grant, Pending, Reason, Refusal, Verdict};
use protocol::{QuestionId, ServerId};
use servers::Servers;

/// What is to become of a question, with everything as it is now; nothing, if it goes on waiting.
pub(super) async fn reevaluate(
    calls: &Calls,
    pending: &Pending,
    id: &QuestionId,
) -> Option<Waited> {
    // The application ends: what waits then is taken up by the next run.
    calls.still_open().ok()?;
    let call = pending.call();
    let found = find(calls, &call.server, &call.tool);
    let workspace = found
        .as_ref()
        .map_or_else(|_| calls.workspace(), |found| found.workspace().clone());
    if workspace != *pending.workspace() {
        let refusal = Refusal::OtherWorkspace;
        let by = Superseded::ByRefusal(refusal.clone());
        let settled = supersede(calls, id, by).await;
        return settled.then_some(Waited::Refused(refusal));
    }
    let found = match found {
        Ok(found) => found,
        Err(_) if is_gone(calls, &call.server) => {
            let settled = supersede(calls, id, Superseded::ByServerGone).await;
            return settled.then_some(Waited::Refused(Refusal::ChangedWhileAsking));
        }
        Err(_) => return None,
    };
    let by_grants = by_grants(pending);
    let (verdict, used) = judge(calls, call.clone(), &found, pending.concerns(), by_grants).await;
    let (by, waited) = match verdict {
        Verdict::Ask(_) => return None,
        Verdict::Deny(refusal) => (
            Superseded::ByRefusal(refusal.clone()),
            Waited::Refused(refusal),
        ),
        Verdict::Allow(_) if !by_grants => return None,
        Verdict::Allow(permitted) => (
            Superseded::ByPermission,
            Waited::Allowed(Box::new(permitted), Box::new(found)),
        ),
    };
    if !supersede(calls, id, by).await {
        if let Some(used) = &used {
            calls.grants().uncount(used);
        }
        return None;
    }
    if let (Err(refusal), Waited::Allowed(..)) = (grants::note(calls, used).await, &waited) {
        return Some(Waited::Refused(refusal));
    }
    Some(waited)
}

/// Takes a question away before anyone has answered it. False if it is being answered.
async fn supersede(calls: &Calls, id: &QuestionId, by: Superseded) -> bool {
    matches!(
        drive(calls, id, Event::Superseded(by), None).await,
        Ok(true)
    )
}

/// Whether these grants would settle a question that waits.
pub async fn would_settle(calls: &Calls, grants: &[Grant], pending: &Pending) -> bool {
    let call = pending.call();
    let Ok(found) = find(calls, &call.server, &call.tool) else {
        return false;
    };
    if found.workspace() != pending.workspace() {
        return false;
    }
    let by_grants = by_grants(pending);
    let concerns = concerns_of(calls.conversations(), call, &found, pending.concerns());
    let ruling = heeded_rules(calls, call, &found, &concerns, by_grants).await;
    let places = places::of(&call.arguments).await;
    let grants = heeded_grants(grants, by_grants);
    let verdict = weigh(
        calls,
        checked(calls, call.clone(), &found).await,
        &found,
        Weighed {
            concerns: &concerns,
            ruling: &ruling,
            grants: &grants,
            places: &places,
        },
    );
    match verdict {
        Verdict::Allow(_) => by_grants,
        Verdict::Deny(_) => true,
        Verdict::Ask(_) => false,
    }
}

/// Whether what was allowed has a say about a question that waits. Beside a repeated call a person
/// has to look, whatever was.
fn by_grants(pending: &Pending) -> bool {
    !matches!(
        pending.reason(),
        Reason::Repeated { .. } | Reason::Alike { .. }
    )
}

/// Whether a server will not run again by itself. One that is on and does not run is being started
/// anew.
fn is_gone(servers: &Servers, server: &ServerId) -> bool {
    let gone = |state: &ServerState, on: bool| match state {
        ServerState::Off => !on,
        ServerState::Failed { .. } => true,
        _ => false,
    };
    servers
        .registry()
        .now(server)
        .map_or(true, |now| gone(&now.run.state, now.place.on))
}
