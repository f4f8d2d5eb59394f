//! Keeps what came of a sign-in, and has the server started again with it.

use super::flow::Flow;
use super::{lock, record};
use crate::api::{ErrorCode, HostError};
use crate::{Host, error, supervise};
use oauth::{Credentials, RegistrationKind};
use protocol::{Launch, SecretId, ServerId};
use store::{AccountRow, Entry, Event};

/// Keeps the credentials of a sign-in that is still the one under way, for a server that is still reached in the same way.
pub(super) async fn keep(flow: &Flow, credentials: Credentials) -> Result<(), HostError> {
    let (host, id, account) = (&flow.host, &flow.id, &flow.account);
    {
        let _turn = host.kept().turn(id).await?;
        let still = host.kept().with(id, |kept| {
            kept.sign_in.is_ongoing(flow.number) && matches!(&kept.row.launch, Launch::Http(call) if call.url == flow.launch.url)
        })?;
        if !still {
            return Err(error::host(ErrorCode::Cancelled, "the sign-in was given up"));
        }
        {
            let _lock = lock::lock(host, id, account).await?;
            let secret = record::put(host, id, &credentials, flow.approved.without_keyring).await?;
            if let Err(problem) = note(flow, &credentials, &secret).await {
                record::remove(host, &secret).await;
                return Err(problem);
            }
        }
        let rows = host.store().accounts().of(id).await?;
        let on = host.kept().with(id, |kept| kept.place.on)?;
        if on {
            // Without the lock: a session that is closed may need a token for that.
            supervise::stop(host, id).await;
        }
        host.kept().with(id, |kept| {
            let sheet = &mut kept.sign_in;
            sheet.ongoing = None;
            sheet.wanted = None;
            sheet.failed = None;
            sheet.doubted = false;
            sheet.replaced = None;
            sheet.take_accounts(&rows);
        })?;
        record::take(host, id, account, credentials)?;
        supervise::tell_changed(host, id);
        if on && host.still_open().is_ok() {
            supervise::start(host, id);
        }
    }
    Ok(())
}

/// Writes down who is signed in now. What leaves no trace does not happen.
async fn note(flow: &Flow, credentials: &Credentials, secret: &SecretId) -> Result<(), HostError> {
    let (host, id, account) = (&flow.host, &flow.id, &flow.account);
    let masked = |text: &String| host.secrets().masked(text);
    let scopes = credentials.tokens.granted.iter().map(masked).collect();
    let event = Event::SignedIn { account: account.clone(), issuer: masked(&credentials.issuer), scopes };
    host.record_synced(Entry { server: Some(id.clone()), ..flow.surface.decided(host, event) }).await?;
    let before = host.store().accounts().of(id).await?.into_iter().find(|row| row.name == *account).and_then(|row| row.secret);
    let row = AccountRow { name: account.clone(), in_use: true, secret: Some(secret.clone()) };
    host.store().accounts().save(id, row).await?;
    if let Some(before) = before {
        record::remove(host, &before).await;
    }
    pin(host, id, credentials).await
}

/// A client id that a person entered belongs, from its first use on, to whoever took it.
async fn pin(host: &Host, id: &ServerId, credentials: &Credentials) -> Result<(), HostError> {
    let Some(mut client) = host.store().accounts().client(id).await? else { return Ok(()) };
    let same = credentials.client.kind == RegistrationKind::Preregistered && credentials.client.id == client.client_id;
    if same && client.issuer.is_none() {
        client.issuer = Some(credentials.issuer.clone());
        host.store().accounts().set_client(id, Some(client.clone())).await?;
        host.kept().with(id, |kept| kept.sign_in.client = Some(client))?;
    }
    Ok(())
}

/// Starts a server again that should run, so that it sees who we are now.
pub(super) async fn again(host: &Host, id: &ServerId) -> Result<(), HostError> {
    if host.kept().with(id, |kept| kept.place.on)? && host.still_open().is_ok() {
        supervise::stop(host, id).await;
        supervise::start(host, id);
    }
    Ok(())
}
