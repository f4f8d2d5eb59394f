//! Keeps what came of a sign-in, and has the server started again with it.

use super::flow::Flow;
use super::{lock, record};
use crate::{Servers, error, supervise};
use api::{ErrorCode, HostError};
use oauth::{Credentials, RegistrationKind};
use protocol::{Launch, SecretId, ServerId};
use store::{AccountRow, Entry, Event};

/// Keeps the credentials of a sign-in that is still the one under way, for a server that is still
/// reached in the same way.
pub(super) async fn keep(flow: &Flow, credentials: Credentials) -> Result<(), HostError> {
    let (servers, id, account) = (&flow.servers, &flow.id, &flow.account);
    {
        let _turn = servers.registry().turn(id).await?;
        let still = servers.registry().now(id).map(|now| {
            now.sign_in.is_ongoing(flow.number)
                && matches!(&now.row.launch, Launch::Http(call) if call.url == flow.launch.url)
        })?;
        if !still {
            return Err(error::host(
                ErrorCode::Cancelled,
                "the sign-in was given up",
            ));
        }
        {
            let _lock = lock::lock(servers, id, account).await?;
            let secret =
                record::put(servers, id, &credentials, flow.approved.without_keyring).await?;
            if let Err(problem) = note(flow, &credentials, &secret).await {
                record::remove(servers, &secret).await;
                return Err(problem);
            }
        }
        let rows = servers.store().accounts().of(id).await?;
        let on = servers.registry().now(id)?.place.on;
        if on {
            // Without the lock: a session that is closed may need a token for that.
            supervise::stop(servers, id).await;
        }
        servers.registry().change(id, |now| {
            let sign_in_state = &mut now.sign_in;
            sign_in_state.ongoing = None;
            sign_in_state.wanted = None;
            sign_in_state.failed = None;
            sign_in_state.learned.doubted = false;
            sign_in_state.replaced = None;
            sign_in_state.take_accounts(&rows);
        })?;
        record::take(servers, id, account, credentials)?;
        servers.tell_changed(id);
        if on && servers.still_open().is_ok() {
            supervise::start(servers, id);
        }
    }
    Ok(())
}

/// Writes down who is signed in now. What leaves no trace does not happen.
async fn note(flow: &Flow, credentials: &Credentials, secret: &SecretId) -> Result<(), HostError> {
    let (servers, id, account) = (&flow.servers, &flow.id, &flow.account);
    let masked = |text: &String| servers.secrets().masked(text);
    let scopes = credentials.tokens.granted.iter().map(masked).collect();
    let event = Event::SignedIn {
        account: account.clone(),
        issuer: masked(&credentials.issuer),
        scopes,
    };
    servers
        .record_synced(Entry {
            server: Some(id.clone()),
            ..flow.surface.decided(servers, event)
        })
        .await?;
    let before = servers
        .store()
        .accounts()
        .of(id)
        .await?
        .into_iter()
        .find(|row| row.name == *account)
        .and_then(|row| row.secret);
    let row = AccountRow {
        name: account.clone(),
        in_use: true,
        secret: Some(secret.clone()),
    };
    servers.store().accounts().save(id, row).await?;
    if let Some(before) = before {
        record::remove(servers, &before).await;
    }
    pin(servers, id, credentials).await
}

/// A client id that a person entered belongs, from its first use on, to whoever took it.
async fn pin(servers: &Servers, id: &ServerId, credentials: &Credentials) -> Result<(), HostError> {
    let Some(mut client) = servers.store().accounts().client(id).await? else {
        return Ok(());
    };
    let same = credentials.client.kind == RegistrationKind::Preregistered
        && credentials.client.id == client.client_id;
    if same && client.issuer.is_none() {
        client.issuer = Some(credentials.issuer.clone());
        servers
            .store()
            .accounts()
            .set_oauth_client(id, Some(client.clone()))
            .await?;
        servers
            .registry()
            .change(id, |now| now.sign_in.client = Some(client))?;
    }
    Ok(())
}

/// Starts a server again that should run, so that it sees who we are now.
pub(super) async fn again(servers: &Servers, id: &ServerId) -> Result<(), HostError> {
    if servers.registry().now(id)?.place.on && servers.still_open().is_ok() {
        supervise::stop(servers, id).await;
        supervise::start(servers, id);
    }
    Ok(())
}
