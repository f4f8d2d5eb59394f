//! What an account holds, read from the vault and written to it.
//!
//! Always true here: what is read or written is covered in texts from then on, and what is replaced is removed from the vault.

use super::sheet::{Held, Sheet};
use crate::Host;
use crate::api::{ErrorCode, HostError};
use crate::error;
use oauth::{ClientAuth, Credentials};
use protocol::{Launch, SecretId, ServerId};
use std::sync::Arc;
use std::time::Duration;
use store::{Keep, Store, StoreError};

/// How long opening the host waits for the vault; who is slower, such as a person who unlocks it, is waited for when needed.
const PATIENCE: Duration = Duration::from_secs(3);

/// What an account holds, and where it lies.
pub(super) struct Record {
    pub credentials: Credentials,
    pub secret: SecretId,
}

/// The accounts of a server and how we are known there. The vault is not asked.
pub(crate) async fn load(store: &Store, id: &ServerId) -> Result<Sheet, HostError> {
    Ok(Sheet::of(&store.accounts().of(id).await?, store.accounts().client(id).await?))
}

/// Reads what the accounts in use hold, so that the first look shows who is signed in where.
pub(crate) async fn read_all(host: &Host) {
    let read = async {
        for id in host.kept().ids() {
            let remote = host.kept().with(&id, |kept| matches!(kept.row.launch, Launch::Http(_)) && !kept.sign_in.accounts.is_empty());
            if remote.unwrap_or(false)
                && let Err(error) = held(host, &id).await
            {
                tracing::warn!(server = %id, %error, "a sign-in that is kept cannot be read");
            }
        }
    };
    if tokio::time::timeout(PATIENCE, read).await.is_err() {
        tracing::warn!("the keyring does not answer in time; sign-ins are read when they are needed");
    }
}

/// What the account in use holds: from memory, else from the vault.
pub(super) async fn held(host: &Host, id: &ServerId) -> Result<Option<Arc<Credentials>>, HostError> {
    let (account, held) =
        host.kept().with(id, |kept| (kept.sign_in.account.clone(), kept.sign_in.held.as_ref().map(|held| held.credentials.clone())))?;
    if held.is_some() {
        return Ok(held);
    }
    let Some(record) = read(host, id, &account).await? else { return Ok(None) };
    Ok(Some(take(host, id, &account, record.credentials)?))
}

/// Takes over what an account holds now, if it is still the one in use.
pub(super) fn take(host: &Host, id: &ServerId, account: &str, credentials: Credentials) -> Result<Arc<Credentials>, HostError> {
    let credentials = Arc::new(credentials);
    let masked = |text: &String| host.secrets().masked(text);
    let held = Held {
        issuer: masked(&credentials.issuer),
        scopes: credentials.tokens.granted.iter().map(masked).collect(),
        credentials: credentials.clone(),
    };
    host.kept().with(id, |kept| {
        if kept.sign_in.account == account {
            kept.sign_in.held = Some(held);
        }
    })?;
    Ok(credentials)
}

/// Reads what an account holds. `None` if nobody is signed in with it.
pub(super) async fn read(host: &Host, id: &ServerId, account: &str) -> Result<Option<Record>, HostError> {
    let rows = host.store().accounts().of(id).await?;
    let Some(secret) = rows.into_iter().find(|row| row.name == account).and_then(|row| row.secret) else { return Ok(None) };
    let json = host.store().vault().get(&secret).await?;
    let credentials = Credentials::from_secret_json(&json).map_err(|problem| error::host(ErrorCode::SecretLost, problem.to_string()))?;
    hold(host, id, &credentials);
    Ok(Some(Record { credentials, secret }))
}

/// Puts a record into the vault; without a keyring into memory, if that is allowed.
pub(super) async fn put(host: &Host, id: &ServerId, credentials: &Credentials, session: bool) -> Result<SecretId, HostError> {
    hold(host, id, credentials);
    let json = credentials.to_secret_json().map_err(|problem| error::host(ErrorCode::Internal, problem.to_string()))?;
    match host.store().vault().put(&json, Keep::Keyring).await {
        Err(StoreError::KeyringMissing { .. }) if session => Ok(host.store().vault().put(&json, Keep::Session).await?),
        put => Ok(put?),
    }
}

/// Replaces what an account holds. The caller has its lock.
pub(super) async fn replace(host: &Host, id: &ServerId, account: &str, record: &Record, new: &Credentials) -> Result<(), HostError> {
    // Where there is no keyring the record before was in memory too, and a person wanted that.
    let secret = put(host, id, new, true).await?;
    let unused = match host.store().accounts().renew(id, account, secret.clone()).await {
        Ok(true) => record.secret.clone(),
        Ok(false) => secret,
        Err(problem) => {
            remove(host, &secret).await;
            return Err(problem.into());
        }
    };
    remove(host, &unused).await;
    Ok(())
}

/// Removes a value that nothing refers to any more.
pub(super) async fn remove(host: &Host, secret: &SecretId) {
    if let Err(problem) = host.store().vault().remove(secret).await {
        tracing::warn!(%secret, %problem, "a secret that is not used any more could not be removed from the keyring");
    }
}

/// From now on these are covered in every text.
fn hold(host: &Host, id: &ServerId, credentials: &Credentials) {
    let client = match &credentials.client.auth {
        ClientAuth::Basic(secret) | ClientAuth::Post(secret) => Some(secret),
        ClientAuth::PrivateKey(key) => Some(&key.pem),
        ClientAuth::None => None,
    };
    let tokens = &credentials.tokens;
    host.secrets().hold_tokens(id, [Some(&tokens.access), tokens.refresh.as_ref(), client].into_iter().flatten());
}
