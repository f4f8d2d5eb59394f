//! Grants that are wider than what they were used for, and making them narrower.
//!
//! Always true here: what is proposed covers every known call that the grant let through; nothing
//! is made narrower without a person.

use api::{ErrorCode, HostError, SeenValues, Tightening};
use calls::Calls;
use calls::{call_history, grants, places};
use policy::{Effect, Grant, GrantOrigin, tighten as narrower};
use protocol::{GrantId, Timestamp};
use servers::{Surface, error};
use std::time::Duration;

/// How far back it is looked.
const BACK: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// So many values of an argument are shown.
const SHOWN: usize = 5;

/// All proposals, the grant that is used most first.
pub(crate) async fn list(calls: &Calls) -> Result<Vec<Tightening>, HostError> {
    grants::sweep(calls).await;
    let all = calls.grants().all();
    let mut proposals = Vec::new();
    for grant in all {
        proposals.extend(propose(calls, grant).await?);
    }
    proposals.sort_by_key(|proposal: &Tightening| std::cmp::Reverse(proposal.used));
    Ok(proposals)
}

/// Makes a grant as narrow as was proposed, on the word of whoever is at `surface`: the
/// narrow one takes its place.
pub(crate) async fn tighten(
    calls: &Calls,
    id: &GrantId,
    surface: &Surface,
) -> Result<Grant, HostError> {
    let known = calls
        .grants()
        .all()
        .into_iter()
        .find(|grant| grant.id == *id);
    let wide = known
        .ok_or_else(|| error::host(ErrorCode::UnknownGrant, format!("there is no grant {id}")))?;
    let proposal = propose(calls, wide).await?;
    let proposal = proposal.ok_or_else(|| {
        error::host(
            ErrorCode::NothingToTighten,
            format!("nothing is known that would be narrower than {id}"),
        )
    })?;
    // The wide one goes first: if anything fails from here on, less is allowed than before, never
    // more.
    let wide = super::grants::revoke(calls, id, surface).await?;
    let narrow = Grant {
        id: GrantId::random(),
        arguments: proposal.arguments,
        origin: GrantOrigin::Narrowed {
            grant: wide.id.clone(),
        },
        revoked_at: None,
        ..wide
    };
    grants::make(calls, narrow.clone(), surface.decides()).await?;
    Ok(narrow)
}

async fn propose(calls: &Calls, grant: Grant) -> Result<Option<Tightening>, HostError> {
    if grant.effect != Effect::Allow {
        return Ok(None);
    }
    let since = Timestamp(
        calls
            .now()
            .0
            .saturating_sub(i64::try_from(BACK.as_millis()).unwrap_or(i64::MAX)),
    );
    let mut calls = call_history::calls(calls, &grant.server, &grant.tool.name, since).await?;
    calls.retain(|ran| grants::behind(&ran.permission) == Some(&grant.id));
    let arguments: Vec<_> = calls.into_iter().map(|ran| ran.arguments).collect();
    let places = places::of_all(&arguments).await;
    let Some(tighter) = narrower(
        &grant.arguments,
        &arguments,
        &places,
        call_history::is_covered,
    ) else {
        return Ok(None);
    };
    let used = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
    let seen = tighter.varied.into_iter().map(|varied| SeenValues {
        argument: varied.argument,
        different: u32::try_from(varied.values.len()).unwrap_or(u32::MAX),
        values: varied
            .values
            .into_iter()
            .take(SHOWN)
            .map(|(value, _)| value.to_string())
            .collect(),
        allowed: varied.allowed,
    });
    Ok(Some(Tightening {
        arguments: tighter.arguments,
        covered: used,
        used,
        seen: seen.collect(),
        grant,
    }))
}
