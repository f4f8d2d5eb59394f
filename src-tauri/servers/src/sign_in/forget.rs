//! What becomes of sign-ins when their server goes, or is reached elsewhere.

use super::{lock, record};
use crate::registry::SignInState;
use crate::{Servers, Surface};
use api::HostError;
use protocol::{Launch, ServerId};
use store::{Entry, Event};
use url::Url;

/// Ends every sign-in that is under way.
pub fn end_all(servers: &Servers) {
    for id in servers.registry().ids() {
        let _ = servers.registry().change(&id, |now| now.sign_in.give_up());
    }
}

/// Forgets the accounts of a server, its client and all their secrets. The caller has the server's
/// turn.
pub async fn forget(servers: &Servers, id: &ServerId) -> Result<(), HostError> {
    servers.registry().change(id, |now| {
        let begun = now.sign_in.begun;
        now.sign_in.clear();
        now.sign_in = SignInState {
            begun,
            ..SignInState::new()
        };
    })?;
    let accounts = servers.store().accounts();
    for row in accounts.of(id).await? {
        // Whoever renews the tokens just now has finished; later ones find nothing to renew.
        let _lock = lock::lock(servers, id, &row.name).await?;
        let secret = accounts
            .of(id)
            .await?
            .into_iter()
            .find(|entry| entry.name == row.name)
            .and_then(|entry| entry.secret);
        accounts.remove(id, &row.name).await?;
        if let Some(secret) = secret {
            record::remove(servers, &secret).await;
        }
        lock::remove(servers, id, &row.name);
    }
    let client = accounts.client(id).await?;
    accounts.set_oauth_client(id, None).await?;
    if let Some(secret) = client.and_then(|client| client.secret) {
        record::remove(servers, &secret).await;
    }
    Ok(())
}

/// A server that is reached at another origin is another server: nothing of the old one goes along.
pub async fn moved(
    servers: &Servers,
    id: &ServerId,
    before: &Launch,
    now: &Launch,
    surface: &Surface,
) -> Result<(), HostError> {
    let (Some(old), new) = (origin(before), origin(now)) else {
        return Ok(());
    };
    if Some(&old) == new.as_ref() {
        return Ok(());
    }
    for row in servers.store().accounts().of(id).await? {
        let event = Event::SignedOut { account: row.name };
        servers
            .record_synced(Entry {
                server: Some(id.clone()),
                ..surface.decided(servers, event)
            })
            .await?;
    }
    forget(servers, id).await
}

fn origin(launch: &Launch) -> Option<String> {
    match launch {
        Launch::Http(call) => Url::parse(&call.url)
            .ok()
            .map(|url| url.origin().ascii_serialization()),
        Launch::Builtin { .. } | Launch::Stdio(_) => None,
    }
}
