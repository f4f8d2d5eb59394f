//! What becomes of sign-ins when their server goes, or is reached elsewhere.

use super::sheet::Sheet;
use super::{lock, record};
use crate::api::HostError;
use crate::{Host, Surface};
use protocol::{Launch, ServerId};
use store::{Entry, Event};
use url::Url;

/// Ends every sign-in that is under way.
pub(crate) fn end_all(host: &Host) {
    for id in host.kept().ids() {
        let _ = host.kept().with(&id, |kept| kept.sign_in.give_up());
    }
}

/// Forgets the accounts of a server, its client and all their secrets. The caller has the server's turn.
pub(crate) async fn forget(host: &Host, id: &ServerId) -> Result<(), HostError> {
    host.kept().with(id, |kept| {
        let begun = kept.sign_in.begun;
        kept.sign_in.clear();
        kept.sign_in = Sheet { begun, ..Sheet::new() };
    })?;
    let accounts = host.store().accounts();
    for row in accounts.of(id).await? {
        // Whoever renews the tokens just now has finished; later ones find nothing to renew.
        let _lock = lock::lock(host, id, &row.name).await?;
        let secret = accounts.of(id).await?.into_iter().find(|kept| kept.name == row.name).and_then(|kept| kept.secret);
        accounts.remove(id, &row.name).await?;
        if let Some(secret) = secret {
            record::remove(host, &secret).await;
        }
        lock::remove(host, id, &row.name);
    }
    let client = accounts.client(id).await?;
    accounts.set_client(id, None).await?;
    if let Some(secret) = client.and_then(|client| client.secret) {
        record::remove(host, &secret).await;
    }
    Ok(())
}

/// A server that is reached at another origin is another server: nothing of the old one goes along.
pub(crate) async fn moved(host: &Host, id: &ServerId, before: &Launch, now: &Launch, surface: &Surface) -> Result<(), HostError> {
    let (Some(old), new) = (origin(before), origin(now)) else { return Ok(()) };
    if Some(&old) == new.as_ref() {
        return Ok(());
    }
    for row in host.store().accounts().of(id).await? {
        let event = Event::SignedOut { account: row.name };
        host.record_synced(Entry { server: Some(id.clone()), ..surface.decided(host, event) }).await?;
    }
    forget(host, id).await
}

fn origin(launch: &Launch) -> Option<String> {
    match launch {
        Launch::Http(call) => Url::parse(&call.url).ok().map(|url| url.origin().ascii_serialization()),
        Launch::Builtin { .. } | Launch::Stdio(_) => None,
    }
}
