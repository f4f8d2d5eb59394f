//! What a person does with a sign-in: begin it, paste the address that the browser was sent to, give it up.

use super::flow::{self, Flow};
use super::sheet::{Ongoing, Paste};
use crate::api::{ErrorCode, HostError, ServerView, SignInApprovals};
use crate::{Host, Surface, error, supervise};
use protocol::{HttpLaunch, Launch, Secret, ServerId};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use url::Url;

/// How many pasted addresses may wait.
const PASTES: usize = 4;

/// Begins a sign-in. One that is under way is given up. What becomes of it is told as events.
pub(crate) async fn sign_in(host: &Host, id: &ServerId, approved: SignInApprovals, surface: &Surface) -> Result<ServerView, HostError> {
    let _turn = host.kept().turn(id).await?;
    let (launch, url) = reviewed(host, id)?;
    let (stop, (pastes, pasted)) = (CancellationToken::new(), mpsc::channel(PASTES));
    let flow = host.kept().with(id, |kept| {
        let sheet = &mut kept.sign_in;
        sheet.begun += 1;
        let (number, account, client) = (sheet.begun, sheet.account.clone(), sheet.client.clone());
        sheet.give_up();
        sheet.ongoing = Some(Ongoing { number, stop: stop.clone(), pastes, waiting: None });
        sheet.failed = None;
        let (host, id, surface) = (host.clone(), kept.row.id.clone(), surface.clone());
        Flow { host, id, surface, launch, url, number, account, client, approved, stop, pasted }
    })?;
    supervise::tell_changed(host, id);
    tokio::spawn(flow::run(flow));
    host.kept().with(id, |kept| kept.view())
}

/// Takes the address that the browser was sent back to.
pub(crate) async fn finish(host: &Host, id: &ServerId, url: String) -> Result<ServerView, HostError> {
    let none = || error::host(ErrorCode::SignInTimedOut, format!("no sign-in to {id} waits for an address"));
    let waits = |ongoing: &&Ongoing| ongoing.waiting.is_some();
    let pastes = host.kept().with(id, |kept| kept.sign_in.ongoing.as_ref().filter(waits).map(|ongoing| ongoing.pastes.clone()))?;
    let (heard, hears) = oneshot::channel();
    pastes.ok_or_else(none)?.send(Paste { text: Secret::new(url), heard }).await.map_err(|_| none())?;
    hears.await.map_err(|_| none())??;
    host.kept().with(id, |kept| kept.view())
}

/// Gives up the sign-in that is under way, if there is one.
pub(crate) fn cancel(host: &Host, id: &ServerId) -> Result<ServerView, HostError> {
    if host.kept().with(id, |kept| kept.sign_in.give_up())? {
        supervise::tell_changed(host, id);
    }
    host.kept().with(id, |kept| kept.view())
}

/// How a server at an address is reached.
pub(super) fn remote(host: &Host, id: &ServerId) -> Result<HttpLaunch, HostError> {
    match host.kept().with(id, |kept| kept.row.launch.clone())? {
        Launch::Http(call) => Ok(call),
        Launch::Builtin { .. } | Launch::Stdio(_) => {
            Err(error::host(ErrorCode::NotOffered, format!("{id} runs on this computer; there is nothing to sign in to")))
        }
    }
}

/// As [`remote`], for one that a person has looked at: before that nothing is sent there.
pub(super) fn reviewed(host: &Host, id: &ServerId) -> Result<(HttpLaunch, Url), HostError> {
    let call = remote(host, id)?;
    if !host.kept().with(id, |kept| kept.row.reviewed.as_ref() == Some(&kept.row.launch.fingerprint()))? {
        return Err(error::host(ErrorCode::ReviewNeeded, format!("{id} must be reviewed before anything is sent there")));
    }
    let url = Url::parse(&call.url).map_err(|problem| error::host(ErrorCode::BadUrl, problem.to_string()))?;
    Ok((call, url))
}
