//! What an answer would do, before it is given.
//!
//! Always true here: it is found out by what an answer goes through, and nothing is written.

use api::{DecisionPreview, ErrorCode, HostError, PastCall};
use calls::Calls;
use calls::waiting::{self, settle_folders};
use calls::{affected_resources, call_history, found, judge, permit, places};
use policy::{Decision, Grant, options_for};
use protocol::{QuestionId, Timestamp};
use servers::error;
use std::time::Duration;

/// How far back it is looked.
const BACK: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// So many past calls are shown.
const SHOWN: usize = 10;

/// What an answer to a question about a call would do.
pub(crate) async fn preview(
    calls: &Calls,
    id: &QuestionId,
    mut answer: Decision,
) -> Result<DecisionPreview, HostError> {
    let pending = calls.pending_calls().pending(id).ok_or_else(|| {
        error::host(
            ErrorCode::UnknownQuestion,
            format!("{id} is about no call that waits"),
        )
    })?;
    let call = pending.call().clone();
    let found = found::find(calls, &call.server, &call.tool)?;
    let shown = |arguments: &_| judge::shown(calls, arguments);
    let mut problems = Vec::new();
    let mut arguments = call.arguments.clone();
    let mut edited = None;
    let fits = match permit::edited(calls, &pending, &answer, &found).await {
        Ok(None) => Ok(()),
        Ok(Some(call)) => {
            let fits = call.fits(&found.tool.known);
            if fits.is_ok() {
                arguments = call.call().arguments.clone();
            }
            edited = Some(call);
            fits
        }
        Err(refusal) => Err(refusal),
    };
    match fits {
        Ok(()) => {}
        Err(policy::Refusal::ArgumentsInvalid { problems: found }) => problems.extend(found),
        Err(refusal) => problems.push(refusal.to_string()),
    }
    let mut not_remembered = None;
    if let Decision::Allow {
        remember: Some(remember),
        ..
    }
    | Decision::Deny {
        remember: Some(remember),
        ..
    } = &mut answer
    {
        not_remembered = settle_folders(remember).err();
    }
    let not_remembered = not_remembered.or_else(|| pending.check(&answer, calls.now()).err());
    let (touched, _) = affected_resources::of(&found.now, &arguments).await;
    let mut preview = DecisionPreview {
        options: options_for(&arguments, &shown(&arguments), &touched),
        problems,
        not_remembered,
        grant: None,
        settles: Vec::new(),
        past: Vec::new(),
        past_covered: 0,
        past_all: 0,
    };
    if !preview.problems.is_empty() || preview.not_remembered.is_some() {
        return Ok(preview);
    }
    let none = policy::Places::default();
    let (workspace, conversation) = (
        pending.workspace().clone(),
        pending.call().conversation.clone(),
    );
    let setting = judge::setting(calls, &conversation, &workspace, &none);
    let Some(grant) = pending
        .answer(
            id,
            &answer,
            edited,
            &found.tool.known,
            &found.launch,
            setting,
            shown,
        )
        .grant
    else {
        return Ok(preview);
    };
    let grants = permit::with_others(calls, grant.clone(), &answer);
    for (other, waiting) in calls.pending_calls().all() {
        if other != *id && waiting::would_settle(calls, &grants, &waiting).await {
            preview.settles.push(other);
        }
    }
    fill_past(calls, &grant, &mut preview).await?;
    preview.grant = Some(grant);
    Ok(preview)
}

/// Adds which calls of the last while it would have covered.
async fn fill_past(
    calls: &Calls,
    grant: &Grant,
    preview: &mut DecisionPreview,
) -> Result<(), HostError> {
    let since = Timestamp(
        calls
            .now()
            .0
            .saturating_sub(i64::try_from(BACK.as_millis()).unwrap_or(i64::MAX)),
    );
    let mut calls = call_history::calls(calls, &grant.server, &grant.tool.name, since).await?;
    calls.retain(|ran| ran.caller == grant.caller);
    let places = places::of_all(calls.iter().map(|ran| &ran.arguments)).await;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    preview.past_all = count(calls.len());
    let covered: Vec<_> = calls
        .into_iter()
        .filter(|ran| grant.arguments.covers(&ran.arguments, &places))
        .collect();
    preview.past_covered = count(covered.len());
    let past = covered.into_iter().take(SHOWN).map(|ran| PastCall {
        call: ran.call,
        at: ran.at,
        arguments: ran.arguments,
    });
    preview.past = past.collect();
    Ok(())
}
