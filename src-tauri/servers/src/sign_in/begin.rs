//! What a person does with a sign-in: begin it, paste the address that the browser was sent to,
//! give it up.

use super::flow::{self, Flow};
use crate::registry::{Ongoing, Paste};
use crate::{Servers, Surface, error};
use api::{ErrorCode, HostError, ServerView, SignInApprovals};
use protocol::{HttpLaunch, Launch, Secret, ServerId};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use url::Url;

/// How many pasted addresses may wait.
const PASTES: usize = 4;

/// Begins a sign-in. One that is under way is given up. What becomes of it is told as events.
pub async fn sign_in(
    servers: &Servers,
    id: &ServerId,
    approved: SignInApprovals,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let _turn = servers.registry().turn(id).await?;
    let (launch, url) = reviewed(servers, id)?;
    let (stop, (pastes, pasted)) = (CancellationToken::new(), mpsc::channel(PASTES));
    let flow = servers.registry().change(id, |now| {
        let sign_in_state = &mut now.sign_in;
        sign_in_state.begun += 1;
        let (number, account, client) = (
            sign_in_state.begun,
            sign_in_state.account.clone(),
            sign_in_state.client.clone(),
        );
        sign_in_state.give_up();
        sign_in_state.ongoing = Some(Ongoing {
            number,
            stop: stop.clone(),
            pastes,
            waiting: None,
        });
        sign_in_state.failed = None;
        let (servers, id, surface) = (servers.clone(), now.row.id.clone(), surface.clone());
        Flow {
            servers,
            id,
            surface,
            launch,
            url,
            number,
            account,
            client,
            approved,
            stop,
            pasted,
        }
    })?;
    servers.tell_changed(id);
    tokio::spawn(flow::run(flow));
    Ok(servers.registry().now(id)?.view())
}

/// Takes the address that the browser was sent back to.
pub async fn finish(
    servers: &Servers,
    id: &ServerId,
    url: String,
) -> Result<ServerView, HostError> {
    let none = || {
        error::host(
            ErrorCode::SignInTimedOut,
            format!("no sign-in to {id} waits for an address"),
        )
    };
    let waits = |ongoing: &&Ongoing| ongoing.waiting.is_some();
    let pastes = servers.registry().now(id).map(|now| {
        now.sign_in
            .ongoing
            .as_ref()
            .filter(waits)
            .map(|ongoing| ongoing.pastes.clone())
    })?;
    let (heard, hears) = oneshot::channel();
    pastes
        .ok_or_else(none)?
        .send(Paste {
            text: Secret::new(url),
            heard,
        })
        .await
        .map_err(|_| none())?;
    hears.await.map_err(|_| none())??;
    Ok(servers.registry().now(id)?.view())
}

/// Gives up the sign-in that is under way, if there is one.
pub fn cancel(servers: &Servers, id: &ServerId) -> Result<ServerView, HostError> {
    if servers.registry().change(id, |now| now.sign_in.give_up())? {
        servers.tell_changed(id);
    }
    Ok(servers.registry().now(id)?.view())
}

/// How a server at an address is reached.
pub(super) fn remote(servers: &Servers, id: &ServerId) -> Result<HttpLaunch, HostError> {
    match servers.registry().now(id)?.row.launch.clone() {
        Launch::Http(call) => Ok(call),
        Launch::Builtin { .. } | Launch::Stdio(_) => Err(error::host(
            ErrorCode::NotOffered,
            format!("{id} runs on this computer; there is nothing to sign in to"),
        )),
    }
}

/// As [`remote`], for one that a person has looked at: before that nothing is sent there.
pub(super) fn reviewed(servers: &Servers, id: &ServerId) -> Result<(HttpLaunch, Url), HostError> {
    let call = remote(servers, id)?;
    if !servers
        .registry()
        .now(id)
        .map(|now| now.row.reviewed.as_ref() == Some(&now.row.launch.fingerprint()))?
    {
        return Err(error::host(
            ErrorCode::ReviewNeeded,
            format!("{id} must be reviewed before anything is sent there"),
        ));
    }
    let url = Url::parse(&call.url)
        .map_err(|problem| error::host(ErrorCode::BadUrl, problem.to_string()))?;
    Ok((call, url))
}
