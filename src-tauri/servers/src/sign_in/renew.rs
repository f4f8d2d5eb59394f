//! Keeps tokens fresh without the person. Whoever renews holds the account's lock and reads again
//! under it: somebody else may have done it meanwhile.

use super::record::{self, Record};
use super::{lock, problem};
use crate::{Servers, server_egress};
use api::HostError;
use oauth::{Credentials, OAuthError};
use protocol::{Launch, Secret, ServerId};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long before its end a token is renewed; one that is short-lived, when a quarter of its life
/// is left.
const EARLY: Duration = Duration::from_secs(60);
/// For how long a token that replaced another one is not replaced because it was refused: requests
/// that were under way still carry the old one.
const SETTLING: Duration = Duration::from_secs(5);

/// What the account in use holds, renewed if it is about to run out. `None` if nobody is signed in.
pub(super) async fn fresh(
    servers: &Servers,
    id: &ServerId,
) -> Result<Option<Arc<Credentials>>, HostError> {
    let Some(held) = record::held(servers, id).await? else {
        return Ok(None);
    };
    if !is_old(servers, &held) {
        return Ok(Some(held));
    }
    match again(servers, id, |record| is_old(servers, record)).await {
        Ok(renewed) => Ok(renewed),
        // It may still do, and if not the server will say so.
        Err(error) if !held.expires_within(Duration::ZERO, servers.now()) => {
            tracing::warn!(server = %id, %error, "a token could not be renewed; the one there is still holds");
            Ok(Some(held))
        }
        Err(error) => Err(error),
    }
}

/// What is to be used in place of a token that the server refused. `None` if there is nothing else:
/// the person signs in again.
pub(super) async fn instead_of(
    servers: &Servers,
    id: &ServerId,
    refused: &Secret,
) -> Result<Option<Arc<Credentials>>, HostError> {
    let replaced = servers.registry().now(id)?.sign_in.replaced;
    if replaced.is_some_and(|at| at.elapsed() < SETTLING) {
        return record::held(servers, id).await;
    }
    let renewed = again(servers, id, |record| {
        record.tokens.access.expose() == refused.expose()
    })
    .await?;
    Ok(renewed.filter(|held| held.tokens.access.expose() != refused.expose()))
}

fn is_old(servers: &Servers, credentials: &Credentials) -> bool {
    let tokens = &credentials.tokens;
    let life = tokens
        .expires_at
        .map_or(Duration::MAX, |end| end.since(tokens.received_at));
    credentials.expires_within(EARLY.min(life / 4), servers.now())
}

/// Renews what the account in use holds, if it is still `old` when it is read under the lock.
async fn again(
    servers: &Servers,
    id: &ServerId,
    old: impl Fn(&Credentials) -> bool,
) -> Result<Option<Arc<Credentials>>, HostError> {
    let (account, launch) = servers
        .registry()
        .now(id)
        .map(|now| (now.sign_in.account.clone(), now.row.launch.clone()))?;
    let Launch::Http(call) = launch else {
        return Ok(None);
    };
    let _lock = lock::lock(servers, id, &account).await?;
    let Some(found) = record::read(servers, id, &account).await? else {
        return Ok(None);
    };
    if !old(&found.credentials) {
        return record::take(servers, id, &account, found.credentials).map(Some);
    }
    let renewed = oauth::refresh(
        &server_egress::to(servers, id, &call).await?,
        &found.credentials,
        servers.now(),
    )
    .await;
    match renewed {
        Ok(renewed) => {
            record::replace(servers, id, &account, &found, &renewed).await?;
            // Before anybody is given the new one.
            servers
                .registry()
                .change(id, |now| now.sign_in.replaced = Some(Instant::now()))?;
            let taken = record::take(servers, id, &account, renewed)?;
            servers.tell_changed(id);
            Ok(Some(taken))
        }
        Err(OAuthError::SignedOut) => {
            end(servers, id, &account, &found).await?;
            Ok(None)
        }
        Err(error) => Err(problem::told(servers, &error)),
    }
}

/// A sign-in that has ended: its refresh token is tried no more. The rest stays: the next sign-in
/// begins where this one ended.
async fn end(
    servers: &Servers,
    id: &ServerId,
    account: &str,
    found: &Record,
) -> Result<(), HostError> {
    let mut ended = found.credentials.clone();
    if ended.tokens.refresh.take().is_some() {
        record::replace(servers, id, account, found, &ended).await?;
    }
    record::take(servers, id, account, ended).map(drop)
}
