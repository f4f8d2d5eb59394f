//! What an account holds, read from the vault and written to it.
//!
//! Always true here: what is read or written is covered in texts from then on, and what is replaced
//! is removed from the vault.

use crate::Servers;
use crate::error;
use crate::registry::Held;
use api::{ErrorCode, HostError};
use oauth::Credentials;
use protocol::{Launch, SecretId, ServerId};
use std::sync::Arc;
use std::time::Duration;
use store::{Keep, StoreError};

/// How long opening the host waits for the vault; who is slower, such as a person who unlocks it,
/// is waited for when needed.
const READ_TIMEOUT: Duration = Duration::from_secs(3);

/// What an account holds, and where it lies.
pub(super) struct Record {
    pub credentials: Credentials,
    pub secret: SecretId,
}

/// Reads what the accounts in use hold, so that the first look shows who is signed in where.
pub async fn read_all(servers: &Servers) {
    let read = async {
        for id in servers.registry().ids() {
            let remote = servers.registry().now(&id).map(|now| {
                matches!(now.row.launch, Launch::Http(_)) && !now.sign_in.accounts.is_empty()
            });
            if remote.unwrap_or(false)
                && let Err(error) = held(servers, &id).await
            {
                tracing::warn!(server = %id, %error, "a sign-in that is kept cannot be read");
            }
        }
    };
    if tokio::time::timeout(READ_TIMEOUT, read).await.is_err() {
        tracing::warn!(
            "the keyring does not answer in time; sign-ins are read when they are needed"
        );
    }
}

/// What the account in use holds: from memory, else from the vault.
pub(super) async fn held(
    servers: &Servers,
    id: &ServerId,
) -> Result<Option<Arc<Credentials>>, HostError> {
    let (account, held) = servers.registry().now(id).map(|now| {
        (
            now.sign_in.account.clone(),
            now.sign_in
                .held
                .as_ref()
                .map(|held| held.credentials.clone()),
        )
    })?;
    if held.is_some() {
        return Ok(held);
    }
    let Some(record) = read(servers, id, &account).await? else {
        return Ok(None);
    };
    Ok(Some(take(servers, id, &account, record.credentials)?))
}

/// Takes over what an account holds now, if it is still the one in use.
pub(super) fn take(
    servers: &Servers,
    id: &ServerId,
    account: &str,
    credentials: Credentials,
) -> Result<Arc<Credentials>, HostError> {
    let credentials = Arc::new(credentials);
    let masked = |text: &String| servers.secrets().masked(text);
    let held = Held {
        issuer: masked(&credentials.issuer),
        scopes: credentials.tokens.granted.iter().map(masked).collect(),
        credentials: credentials.clone(),
    };
    servers.registry().change(id, |now| {
        if now.sign_in.account == account {
            now.sign_in.held = Some(held);
        }
    })?;
    Ok(credentials)
}

/// Reads what an account holds. `None` if nobody is signed in with it.
pub(super) async fn read(
    servers: &Servers,
    id: &ServerId,
    account: &str,
) -> Result<Option<Record>, HostError> {
    let rows = servers.store().accounts().of(id).await?;
    let Some(secret) = rows
        .into_iter()
        .find(|row| row.name == account)
        .and_then(|row| row.secret)
    else {
        return Ok(None);
    };
    let json = servers.store().vault().get(&secret).await?;
    let credentials = Credentials::from_secret_json(&json)
        .map_err(|problem| error::host(ErrorCode::SecretLost, problem.to_string()))?;
    hold(servers, id, &credentials);
    Ok(Some(Record {
        credentials,
        secret,
    }))
}

/// Puts a record into the vault; without a keyring into memory, if that is allowed.
pub(super) async fn put(
    servers: &Servers,
    id: &ServerId,
    credentials: &Credentials,
    session: bool,
) -> Result<SecretId, HostError> {
    hold(servers, id, credentials);
    let json = credentials
        .to_secret_json()
        .map_err(|problem| error::host(ErrorCode::Internal, problem.to_string()))?;
    match servers.store().vault().put(&json, Keep::Keyring).await {
        Err(StoreError::KeyringMissing { .. }) if session => {
            Ok(servers.store().vault().put(&json, Keep::Session).await?)
        }
        put => Ok(put?),
    }
}

/// Replaces what an account holds. The caller has its lock.
pub(super) async fn replace(
    servers: &Servers,
    id: &ServerId,
    account: &str,
    record: &Record,
    new: &Credentials,
) -> Result<(), HostError> {
    // Where there is no keyring the record before was in memory too, and a person wanted that.
    let secret = put(servers, id, new, true).await?;
    let unused = match servers
        .store()
        .accounts()
        .renew(id, account, secret.clone())
        .await
    {
        Ok(true) => record.secret.clone(),
        Ok(false) => secret,
        Err(problem) => {
            remove(servers, &secret).await;
            return Err(problem.into());
        }
    };
    remove(servers, &unused).await;
    Ok(())
}

/// Removes a value that nothing refers to any more.
pub(super) async fn remove(servers: &Servers, secret: &SecretId) {
    if let Err(problem) = servers.store().vault().remove(secret).await {
        tracing::warn!(%secret, %problem, "a secret that is not used any more could not be removed from the keyring");
    }
}

/// From now on these are covered in every text.
fn hold(servers: &Servers, id: &ServerId, credentials: &Credentials) {
    let client = credentials.client.auth.secret();
    let tokens = &credentials.tokens;
    servers.secrets().hold_tokens(
        id,
        [Some(&tokens.access), tokens.refresh.as_ref(), client]
            .into_iter()
            .flatten(),
    );
}
