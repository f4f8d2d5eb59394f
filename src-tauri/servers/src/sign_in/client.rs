//! How Majordomo is known at a server's sign-in, if a person says so.

use super::{begin, record};
use crate::{Servers, Surface, error, held_secrets};
use api::{ErrorCode, HostError, KeepSecrets, OauthClientDraft, ServerView};
use protocol::{Secret, SecretId, ServerId};
use store::{Entry, Event, Keep, OauthClientRow};

/// Longest client id, in bytes.
const LONGEST: usize = 2_048;

/// Keeps how Majordomo is known; none goes back to registering by itself.
pub async fn set_oauth_client(
    servers: &Servers,
    id: &ServerId,
    draft: Option<OauthClientDraft>,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let _turn = servers.registry().turn(id).await?;
    begin::remote(servers, id)?;
    let before = servers.store().accounts().client(id).await?;
    let client = match draft {
        Some(draft) => Some(client(servers, draft, before.as_ref()).await?),
        None => None,
    };
    let new = client.as_ref().and_then(|client| client.secret.clone());
    let old = before.and_then(|before| before.secret);
    if let Err(problem) = keep(servers, id, client.clone(), surface).await {
        forget(servers, new, old.as_ref()).await;
        return Err(problem);
    }
    forget(servers, old, new.as_ref()).await;
    servers.registry().change(id, |now| {
        now.sign_in.client = client;
        now.sign_in.failed = None;
    })?;
    servers.tell_changed(id);
    Ok(servers.registry().now(id)?.view())
}

async fn client(
    servers: &Servers,
    draft: OauthClientDraft,
    before: Option<&OauthClientRow>,
) -> Result<OauthClientRow, HostError> {
    let bad = |problem: &str| error::host(ErrorCode::BadSetting, problem);
    let client_id = draft.client_id.trim().to_owned();
    if client_id.is_empty()
        || client_id.len() > LONGEST
        || !client_id.bytes().all(|byte| matches!(byte, 0x20..=0x7E))
    {
        return Err(bad("a client id has 1 to 2048 plain characters"));
    }
    let kept = before.and_then(|before| before.secret.clone());
    if draft.without_person && draft.client_secret.is_none() && kept.is_none() {
        return Err(bad("to sign in without a person a client needs a secret"));
    }
    // A secret that stays belongs to whom it has been shown; what is entered anew is for whoever
    // the server names now.
    let stays = draft.client_secret.is_none() && kept.is_some();
    let issuer = before
        .filter(|_| stays)
        .and_then(|before| before.issuer.clone());
    let secret = match draft.client_secret {
        Some(value) => Some(put(servers, value, draft.keep).await?),
        None => kept,
    };
    Ok(OauthClientRow {
        client_id,
        secret,
        without_person: draft.without_person,
        issuer,
    })
}

async fn put(servers: &Servers, value: Secret, keep: KeepSecrets) -> Result<SecretId, HostError> {
    held_secrets::check_length("the client secret", &value)?;
    let keep = if keep == KeepSecrets::Session {
        Keep::Session
    } else {
        Keep::Keyring
    };
    let id = servers.store().vault().put(&value, keep).await?;
    servers.secrets().hold(id.clone(), value);
    Ok(id)
}

async fn keep(
    servers: &Servers,
    id: &ServerId,
    client: Option<OauthClientRow>,
    surface: &Surface,
) -> Result<(), HostError> {
    let event = Event::ClientSet {
        client_id: client.as_ref().map(|client| client.client_id.clone()),
    };
    servers
        .record_synced(Entry {
            server: Some(id.clone()),
            ..surface.decided(servers, event)
        })
        .await?;
    Ok(servers
        .store()
        .accounts()
        .set_oauth_client(id, client)
        .await?)
}

/// Removes a secret unless it is still the one that is used.
async fn forget(servers: &Servers, secret: Option<SecretId>, used: Option<&SecretId>) {
    if let Some(secret) = secret.filter(|secret| Some(secret) != used) {
        record::remove(servers, &secret).await;
    }
}
