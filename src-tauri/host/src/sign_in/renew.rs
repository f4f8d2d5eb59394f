//! Keeps tokens fresh without the person. Whoever renews holds the account's lock and reads again under it: somebody else may
//! have done it meanwhile.

use super::record::{self, Record};
use super::{lock, problem};
use crate::api::HostError;
use crate::{Host, supervise, way_out};
use oauth::{Credentials, OAuthError};
use protocol::{Launch, Secret, ServerId};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long before its end a token is renewed; one that is short-lived, when a quarter of its life is left.
const EARLY: Duration = Duration::from_secs(60);
/// For how long a token that replaced another one is not replaced because it was refused: requests that were under way still carry the old one.
const SETTLING: Duration = Duration::from_secs(5);

/// What the account in use holds, renewed if it is about to run out. `None` if nobody is signed in.
pub(super) async fn fresh(host: &Host, id: &ServerId) -> Result<Option<Arc<Credentials>>, HostError> {
    let Some(held) = record::held(host, id).await? else { return Ok(None) };
    if !is_old(host, &held) {
        return Ok(Some(held));
    }
    match again(host, id, |record| is_old(host, record)).await {
        Ok(renewed) => Ok(renewed),
        // It may still do, and if not the server will say so.
        Err(error) if !held.expires_within(Duration::ZERO, host.now()) => {
            tracing::warn!(server = %id, %error, "a token could not be renewed; the one there is still holds");
            Ok(Some(held))
        }
        Err(error) => Err(error),
    }
}

/// What is to be used in place of a token that the server refused. `None` if there is nothing else: the person signs in again.
pub(super) async fn instead_of(host: &Host, id: &ServerId, refused: &Secret) -> Result<Option<Arc<Credentials>>, HostError> {
    let replaced = host.kept().with(id, |kept| kept.sign_in.replaced)?;
    if replaced.is_some_and(|at| at.elapsed() < SETTLING) {
        return record::held(host, id).await;
    }
    let renewed = again(host, id, |record| record.tokens.access.expose() == refused.expose()).await?;
    Ok(renewed.filter(|held| held.tokens.access.expose() != refused.expose()))
}

fn is_old(host: &Host, credentials: &Credentials) -> bool {
    let tokens = &credentials.tokens;
    let life = tokens.expires_at.map_or(Duration::MAX, |end| end.since(tokens.received_at));
    credentials.expires_within(EARLY.min(life / 4), host.now())
}

/// Renews what the account in use holds, if it is still `old` when it is read under the lock.
async fn again(host: &Host, id: &ServerId, old: impl Fn(&Credentials) -> bool) -> Result<Option<Arc<Credentials>>, HostError> {
    let (account, launch) = host.kept().with(id, |kept| (kept.sign_in.account.clone(), kept.row.launch.clone()))?;
    let Launch::Http(call) = launch else { return Ok(None) };
    let _lock = lock::lock(host, id, &account).await?;
    let Some(found) = record::read(host, id, &account).await? else { return Ok(None) };
    if !old(&found.credentials) {
        return record::take(host, id, &account, found.credentials).map(Some);
    }
    let renewed = oauth::refresh(&way_out::to(host, id, &call).await?, &found.credentials, host.now()).await;
    match renewed {
        Ok(renewed) => {
            record::replace(host, id, &account, &found, &renewed).await?;
            // Before anybody is given the new one.
            host.kept().with(id, |kept| kept.sign_in.replaced = Some(Instant::now()))?;
            let taken = record::take(host, id, &account, renewed)?;
            supervise::tell_changed(host, id);
            Ok(Some(taken))
        }
        Err(OAuthError::SignedOut) => {
            end(host, id, &account, &found).await?;
            Ok(None)
        }
        Err(error) => Err(problem::told(host, &error)),
    }
}

/// A sign-in that has ended: its refresh token is tried no more. The rest stays: the next sign-in begins where this one ended.
async fn end(host: &Host, id: &ServerId, account: &str, found: &Record) -> Result<(), HostError> {
    let mut ended = found.credentials.clone();
    if ended.tokens.refresh.take().is_some() {
        record::replace(host, id, account, found, &ended).await?;
    }
    record::take(host, id, account, ended).map(drop)
}
