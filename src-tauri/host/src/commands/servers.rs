//! Servers: adding, reviewing, switching, removing.

use crate::api::{ErrorCode, HostError, HostEvent, Review, ReviewWarning, ServerDraft, ServerState, ServerView};
use crate::drafts::{self, Secrets};
use crate::kept::Turn;
use crate::{Host, Surface, error, review as reviews, sign_in, supervise, workspaces};
use protocol::{Fingerprint, Launch, SecretId, ServerId};
use store::{Entry, Event, ServerRow};

/// What a draft would run or call. Nothing is kept.
pub(crate) async fn review_draft(host: &Host, draft: ServerDraft) -> Result<Review, HostError> {
    let name = free_name(host, &draft.name)?;
    let launch = drafts::launch(draft.target, None, Secrets::Look).await?;
    Ok(compared(host, reviews::review(host.programs(), name.as_str(), launch, None, None).await))
}

/// Keeps a new server, off in every workspace and not reviewed.
pub(crate) async fn add(host: &Host, draft: ServerDraft, surface: &Surface) -> Result<ServerView, HostError> {
    let id = free_name(host, &draft.name)?;
    let launch = drafts::launch(draft.target, None, Secrets::Store(host, draft.keep)).await?;
    let row = ServerRow { id, launch, reviewed: None, identity: None, added_at: host.now() };
    if let Err(problem) = insert(host, &row, surface).await {
        forget(host, row.launch.secrets().cloned().collect()).await;
        return Err(problem);
    }
    let view = {
        // One that came while another workspace is being taken into use would be overlooked.
        let _turn = host.workspaces().turn().await;
        host.kept().insert(row)
    };
    host.tell(HostEvent::ServerChanged { server: Box::new(view.clone()) });
    Ok(view)
}

async fn insert(host: &Host, row: &ServerRow, surface: &Surface) -> Result<(), HostError> {
    record(host, &row.id, surface, Event::ServerAdded { launch: row.launch.clone() }).await?;
    Ok(host.store().servers().insert(row.clone()).await?)
}

/// Replaces how a server is reached. What a person has not seen does not run: if its fingerprint changes it is switched off
/// in every workspace.
pub(crate) async fn edit(host: &Host, id: &ServerId, draft: ServerDraft, surface: &Surface) -> Result<ServerView, HostError> {
    let _turn = host.kept().turn(id).await?;
    let mut row = own(host, id)?;
    let before = row.launch.clone();
    if draft.name != row.id.as_str() {
        return Err(error::host(ErrorCode::BadName, "a server keeps its name: grants and the log know it by that"));
    }
    row.launch = drafts::launch(draft.target, Some(&before), Secrets::Store(host, draft.keep)).await?;
    let changed = before.fingerprint() != row.launch.fingerprint();
    let running = host.kept().with(id, |kept| kept.place.on)?;
    record(host, &row.id, surface, Event::ServerEdited { launch: row.launch.clone() }).await?;
    // Before the new address counts: what was kept for the old one is not to go along.
    sign_in::moved(host, id, &before, &row.launch, surface).await?;
    if changed {
        host.store().workspaces().switch_off_everywhere(id).await?;
    }
    host.store().servers().update(row.clone()).await?;
    if running {
        // In one step: what was started in the old way never answers for the new one.
        supervise::stop_and(host, id, |kept| {
            kept.row = row.clone();
            kept.place.on &= !changed;
        })
        .await;
    } else {
        host.kept().with(id, |kept| kept.row = row.clone())?;
    }
    let unused = before.secrets().filter(|secret| !row.launch.secrets().any(|kept| kept == *secret)).cloned().collect();
    forget(host, unused).await;
    // A renewed secret reaches the server by starting it again.
    if running && !changed {
        supervise::start(host, id);
    }
    supervise::tell_changed(host, id);
    host.kept().with(id, |kept| kept.view())
}

/// What a kept server would run or call.
pub(crate) async fn review(host: &Host, id: &ServerId) -> Result<Review, HostError> {
    let (row, unlike) = host.kept().with(id, |kept| (kept.row.clone(), kept.unlike.clone()))?;
    // Of another launch nothing is known.
    let before = row.identity.filter(|_| row.reviewed.as_ref() == Some(&row.launch.fingerprint()));
    Ok(compared(host, reviews::review(host.programs(), row.id.as_str(), row.launch, before, unlike).await))
}

/// The review with a warning for each server whose name can be taken for this one's.
fn compared(host: &Host, mut review: Review) -> Review {
    let others = host.kept().ids().into_iter().filter(|other| !other.as_str().eq_ignore_ascii_case(&review.name));
    let alike = others.filter(|other| inspect::likeness(&review.name, other.as_str()).is_some());
    review.warnings.extend(alike.map(|other| ReviewWarning::LooksLike { name: other.to_string() }));
    review
}

/// Notes that a person has seen the review of a server as it is now.
pub(crate) async fn accept(host: &Host, id: &ServerId, reviewed: &Fingerprint, surface: &Surface) -> Result<ServerView, HostError> {
    let _turn = host.kept().turn(id).await?;
    let now = review(host, id).await?;
    if *reviewed != now.fingerprint {
        return Err(error::host(ErrorCode::ReviewNeeded, format!("{id} is not what was reviewed; review it again")));
    }
    let mut row = host.kept().with(id, |kept| kept.row.clone())?;
    let launch = row.launch.fingerprint();
    if row.reviewed.as_ref() != Some(&launch) || row.identity.as_ref() != Some(&now.identity) {
        record(host, &row.id, surface, Event::ServerReviewed { fingerprint: reviewed.clone() }).await?;
        (row.reviewed, row.identity) = (Some(launch), Some(now.identity));
        host.store().servers().update(row.clone()).await?;
        host.kept().with(id, |kept| {
            kept.row = row;
            kept.unlike = None;
        })?;
        supervise::tell_changed(host, id);
    }
    host.kept().with(id, |kept| kept.view())
}

/// Switches a server on in the workspace in use.
pub(crate) async fn enable(host: &Host, id: &ServerId, reviewed: Option<Fingerprint>, surface: &Surface) -> Result<ServerView, HostError> {
    if let Some(reviewed) = reviewed {
        accept(host, id, &reviewed, surface).await?;
    }
    let view = host.kept().with(id, |kept| kept.view())?;
    if !view.reviewed {
        return Err(error::host(ErrorCode::ReviewNeeded, format!("{id} must be reviewed before it runs for the first time")));
    }
    if view.on && matches!(view.state, ServerState::Ready | ServerState::Starting) {
        return Ok(view);
    }
    drop(switch(host, id, true, surface).await?);
    supervise::start(host, id);
    host.kept().with(id, |kept| kept.view())
}

/// Switches a server off in the workspace in use and stops it.
pub(crate) async fn disable(host: &Host, id: &ServerId, surface: &Surface) -> Result<ServerView, HostError> {
    let _turn = switch(host, id, false, surface).await?;
    supervise::stop(host, id).await;
    host.kept().with(id, |kept| kept.view())
}

/// Stops a server that is on and starts it again.
pub(crate) async fn restart(host: &Host, id: &ServerId) -> Result<ServerView, HostError> {
    let view = host.kept().with(id, |kept| kept.view())?;
    if !view.on || !view.reviewed {
        return Err(error::host(ErrorCode::ServerOff, format!("{id} is switched off")));
    }
    supervise::stop(host, id).await;
    supervise::start(host, id);
    host.kept().with(id, |kept| kept.view())
}

/// Removes a server from every workspace, with its credentials, roots and grants.
pub(crate) async fn remove(host: &Host, id: &ServerId, surface: &Surface) -> Result<(), HostError> {
    let _turn = host.kept().turn(id).await?;
    let row = own(host, id)?;
    supervise::stop(host, id).await;
    record(host, &row.id, surface, Event::ServerRemoved).await?;
    host.grants().retain(|grant| grant.server != row.id);
    sign_in::forget(host, &row.id).await?;
    host.store().sampling().remove(&row.id).await?;
    host.store().servers().remove(&row.id).await?;
    host.kept().remove(&row.id);
    forget(host, row.launch.secrets().cloned().collect()).await;
    host.follow_roots();
    host.tell(HostEvent::ServerRemoved { server: row.id });
    workspaces::tell(host).await;
    Ok(())
}

/// Switches it in the workspace in use. As long as the answer is held, nobody else changes anything of it.
async fn switch(host: &Host, id: &ServerId, on: bool, surface: &Surface) -> Result<Turn, HostError> {
    let turn = host.kept().turn(id).await?;
    let (id, before) = host.kept().with(id, |kept| (kept.row.id.clone(), kept.place.on))?;
    if before != on {
        record(host, &id, surface, Event::ServerSwitched { on }).await?;
        host.store().workspaces().switch(host.workspace(), &id, on).await?;
        host.kept().with(&id, |kept| kept.place.on = on)?;
        workspaces::tell(host).await;
    }
    Ok(turn)
}

/// A server that a person has added, as opposed to a built-in one.
fn own(host: &Host, id: &ServerId) -> Result<ServerRow, HostError> {
    let row = host.kept().with(id, |kept| kept.row.clone())?;
    match row.launch {
        Launch::Builtin { .. } => Err(error::host(ErrorCode::BuiltIn, format!("{id} is built in; it can only be switched off"))),
        _ => Ok(row),
    }
}

fn free_name(host: &Host, name: &str) -> Result<ServerId, HostError> {
    let id = ServerId::parse(name).map_err(|problem| error::host(ErrorCode::BadName, problem.to_string()))?;
    if host.kept().has(&id) {
        return Err(error::host(ErrorCode::NameTaken, format!("there is a server called {id} already")));
    }
    Ok(id)
}

/// Removes secrets that nothing refers to any more.
async fn forget(host: &Host, secrets: Vec<SecretId>) {
    for secret in secrets {
        if let Err(problem) = host.store().vault().remove(&secret).await {
            tracing::warn!(%secret, %problem, "a secret that is not used any more could not be removed from the keyring");
        }
    }
}

async fn record(host: &Host, id: &ServerId, surface: &Surface, event: Event) -> Result<(), HostError> {
    host.record_synced(Entry { server: Some(id.clone()), ..surface.decided(host, event) }).await.map(|_| ())
}
