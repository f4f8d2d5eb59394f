//! Servers: adding, reviewing, switching, removing.

use crate::commands::clients;
use crate::workspaces;
use api::{
    DraftTarget, ErrorCode, HostError, HostEvent, MOST_SERVERS, Review, ReviewWarning, ServerDraft,
    ServerState, ServerView, room_for_one,
};
use calls::{Calls, tasks};
use protocol::{ConfinementSettings, Fingerprint, Launch, Runs, SecretId, ServerId, Unread};
use servers::drafts::{self, Secrets};
use servers::registry::Turn;
use servers::{
    Core, Servers, Surface, confinement, connect, error, review as reviews, roots, sign_in,
    supervise,
};
use store::{Entry, Event, ServerRow};

/// What a draft would run or call. Nothing is kept.
pub(crate) async fn review_draft(calls: &Calls, draft: ServerDraft) -> Result<Review, HostError> {
    let name = free_name(calls, &draft.name)?;
    check_leads_elsewhere(calls, &draft.target).await?;
    let launch = drafts::launch(draft.target, None, Secrets::Look).await?;
    Ok(compared(
        calls,
        reviews::review(
            calls,
            name.as_str(),
            launch,
            (None, None),
            (draft.confinement.unwrap_or_default(), Vec::new()),
        )
        .await,
    ))
}

/// Keeps a new server, off in every workspace and not reviewed.
pub(crate) async fn add(
    calls: &Calls,
    draft: ServerDraft,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let id = free_name(calls, &draft.name)?;
    has_room(calls)?;
    check_leads_elsewhere(calls, &draft.target).await?;
    let usual = ConfinementSettings::default();
    let confinement = drafts::confinement(calls, draft.confinement, &usual)?;
    // Another server of this name may have left one.
    confinement::remove_home(calls, &id).await?;
    let launch = drafts::launch(draft.target, None, Secrets::Store(calls, draft.keep)).await?;
    let row = ServerRow {
        id,
        launch,
        reviewed: None,
        identity: None,
        runs: Runs::default(),
        confinement,
        added_at: calls.now(),
    };
    let view = {
        // One that came while another workspace is being taken into use would be overlooked, and of
        // two at once each would take the last place.
        let _turn = calls.workspace_turn().await;
        let kept = match has_room(calls) {
            Ok(()) => insert(calls, &row, surface).await,
            Err(problem) => Err(problem),
        };
        if let Err(problem) = kept {
            forget(calls, row.launch.secrets().cloned().collect()).await;
            return Err(problem);
        }
        calls.registry().insert(row)
    };
    calls.publish(HostEvent::ServerChanged {
        server: Box::new(view.clone()),
    });
    Ok(view)
}

async fn check_leads_elsewhere(calls: &Calls, target: &DraftTarget) -> Result<(), HostError> {
    let here = clients::own_address(calls).await;
    connect::check_leads_elsewhere(target, here.as_deref())
}

fn has_room(servers: &Servers) -> Result<(), HostError> {
    // Those that are shipped take nobody's place.
    let is_own = |server: &ServerView| !matches!(server.launch, Launch::Builtin { .. });
    let own = servers.registry().views().into_iter().filter(is_own);
    room_for_one("servers", own.count(), MOST_SERVERS)
}

async fn insert(core: &Core, row: &ServerRow, surface: &Surface) -> Result<(), HostError> {
    record(
        core,
        &row.id,
        surface,
        Event::ServerAdded {
            launch: row.launch.clone(),
        },
    )
    .await?;
    if row.confinement != ConfinementSettings::default() {
        record(core, &row.id, surface, chosen(row)).await?;
    }
    Ok(core.store().servers().insert(row.clone()).await?)
}

/// What is noted of what a server may touch.
fn chosen(row: &ServerRow) -> Event {
    Event::ConfinementChosen {
        settings: row.confinement.clone(),
    }
}

/// Replaces how a server is reached. What a person has not seen does not run: if its fingerprint
/// changes it is switched off in every workspace.
pub(crate) async fn edit(
    calls: &Calls,
    id: &ServerId,
    draft: ServerDraft,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let _turn = calls.registry().turn(id).await?;
    let mut row = own(calls, id)?;
    let before = row.launch.clone();
    if draft.name != row.id.as_str() {
        return Err(error::host(
            ErrorCode::BadName,
            "a server keeps its name: grants and the log know it by that",
        ));
    }
    check_leads_elsewhere(calls, &draft.target).await?;
    let may_touch = row.confinement.clone();
    row.confinement = drafts::confinement(calls, draft.confinement, &may_touch)?;
    row.launch = drafts::launch(
        draft.target,
        Some(&before),
        Secrets::Store(calls, draft.keep),
    )
    .await?;
    let changed = before.fingerprint() != row.launch.fingerprint();
    let running = calls.registry().now(id)?.place.on;
    record(
        calls,
        &row.id,
        surface,
        Event::ServerEdited {
            launch: row.launch.clone(),
        },
    )
    .await?;
    if row.confinement != may_touch {
        record(calls, &row.id, surface, chosen(&row)).await?;
    }
    // Before the new address counts: what was kept for the old one is not to go along.
    sign_in::moved(calls, id, &before, &row.launch, surface).await?;
    if changed {
        calls.store().workspaces().switch_off_everywhere(id).await?;
    }
    calls.store().servers().update(row.clone()).await?;
    if running {
        // In one step: what was started in the old way never answers for the new one.
        supervise::stop_and(calls, id, |now| {
            now.row = row.clone();
            now.place.on &= !changed;
        })
        .await;
    } else {
        calls.registry().change(id, |now| now.row = row.clone())?;
    }
    let unused = before
        .secrets()
        .filter(|secret| !row.launch.secrets().any(|kept| kept == *secret))
        .cloned()
        .collect();
    forget(calls, unused).await;
    if changed {
        tasks::give_up_old(calls, id).await;
    }
    // A renewed secret reaches the server by starting it again.
    if running && !changed {
        supervise::start(calls, id);
    }
    calls.tell_changed(id);
    Ok(calls.registry().now(id)?.view())
}

/// What a kept server would run or call.
pub(crate) async fn review(servers: &Servers, id: &ServerId) -> Result<Review, HostError> {
    let (row, unlike, roots) = servers.registry().now(id).map(|now| {
        let (row, unlike) = (now.row.clone(), now.unlike.clone());
        (row, unlike, now.place.roots.clone())
    })?;
    // Of another launch nothing is known.
    let before = row
        .identity
        .filter(|_| row.reviewed.as_ref() == Some(&row.launch.fingerprint()));
    Ok(compared(
        servers,
        reviews::review(
            servers,
            row.id.as_str(),
            row.launch,
            (before, unlike),
            (row.confinement, roots),
        )
        .await,
    ))
}

/// The review with a warning for each server whose name can be taken for this one's.
fn compared(servers: &Servers, mut review: Review) -> Review {
    let others = servers
        .registry()
        .ids()
        .into_iter()
        .filter(|other| !other.as_str().eq_ignore_ascii_case(&review.name));
    let alike = others.filter(|other| inspect::likeness(&review.name, other.as_str()).is_some());
    review
        .warnings
        .extend(alike.map(|other| ReviewWarning::LooksLike {
            name: other.to_string(),
        }));
    review
}

/// Notes that a person has seen the review of a server as it is now.
pub(crate) async fn accept(
    servers: &Servers,
    id: &ServerId,
    reviewed: &Fingerprint,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let _turn = servers.registry().turn(id).await?;
    let now = review(servers, id).await?;
    if *reviewed != now.fingerprint {
        return Err(error::host(
            ErrorCode::ReviewNeeded,
            format!("{id} is not what was reviewed; review it again"),
        ));
    }
    let mut row = servers.registry().now(id)?.row.clone();
    let launch = row.launch.fingerprint();
    if row.reviewed.as_ref() != Some(&launch) || row.identity.as_ref() != Some(&now.identity) {
        record(
            servers,
            &row.id,
            surface,
            Event::ServerReviewed {
                fingerprint: reviewed.clone(),
                unread: masked(servers, now.identity.unread.clone()),
            },
        )
        .await?;
        (row.reviewed, row.identity) = (Some(launch), Some(now.identity));
        servers.store().servers().update(row.clone()).await?;
        servers.registry().change(id, |now| {
            now.row = row;
            now.unlike = None;
        })?;
        servers.tell_changed(id);
    }
    Ok(servers.registry().now(id)?.view())
}

/// Code that could not be read, with values of held secrets covered.
fn masked(servers: &Servers, mut unread: Vec<Unread>) -> Vec<Unread> {
    for one in &mut unread {
        one.at = servers.secrets().masked(&one.at);
    }
    unread
}

/// Switches a server on in the workspace in use.
pub(crate) async fn enable(
    calls: &Calls,
    id: &ServerId,
    reviewed: Option<Fingerprint>,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    if let Some(reviewed) = reviewed {
        accept(calls, id, &reviewed, surface).await?;
    }
    let view = calls.registry().now(id)?.view();
    if !view.reviewed {
        return Err(error::host(
            ErrorCode::ReviewNeeded,
            format!("{id} must be reviewed before it runs for the first time"),
        ));
    }
    if view.on && matches!(view.state, ServerState::Ready | ServerState::Starting) {
        return Ok(view);
    }
    drop(switch(calls, id, true, surface).await?);
    supervise::start(calls, id);
    Ok(calls.registry().now(id)?.view())
}

/// Switches a server off in the workspace in use and stops it.
pub(crate) async fn disable(
    calls: &Calls,
    id: &ServerId,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let _turn = switch(calls, id, false, surface).await?;
    supervise::stop(calls, id).await;
    Ok(calls.registry().now(id)?.view())
}

/// Stops a server that is on and starts it again.
pub(crate) async fn restart(servers: &Servers, id: &ServerId) -> Result<ServerView, HostError> {
    let view = servers.registry().now(id)?.view();
    if !view.on || !view.reviewed {
        return Err(error::host(
            ErrorCode::ServerOff,
            format!("{id} is switched off"),
        ));
    }
    supervise::stop(servers, id).await;
    supervise::start(servers, id);
    Ok(servers.registry().now(id)?.view())
}

/// Removes a server from every workspace, with its credentials, roots and grants.
pub(crate) async fn remove(
    calls: &Calls,
    id: &ServerId,
    surface: &Surface,
) -> Result<(), HostError> {
    let _turn = calls.registry().turn(id).await?;
    let row = own(calls, id)?;
    supervise::stop(calls, id).await;
    record(calls, &row.id, surface, Event::ServerRemoved).await?;
    calls.grants().retain(|grant| grant.server != row.id);
    sign_in::forget(calls, &row.id).await?;
    calls.store().sampling().remove(&row.id).await?;
    tasks::give_up_all(calls, &row.id).await;
    calls.store().servers().remove(&row.id).await?;
    calls.registry().remove(&row.id);
    if let Err(problem) = confinement::remove_home(calls, &row.id).await {
        // Whoever has its name next is not added before it is gone.
        tracing::warn!(server = %row.id, %problem, "the home of a server is left");
    }
    forget(calls, row.launch.secrets().cloned().collect()).await;
    roots::follow(calls);
    calls.publish(HostEvent::ServerRemoved { server: row.id });
    workspaces::publish(calls).await;
    Ok(())
}

/// Switches it in the workspace in use. As long as the answer is held, nobody else changes anything
/// of it.
async fn switch(
    calls: &Calls,
    id: &ServerId,
    on: bool,
    surface: &Surface,
) -> Result<Turn, HostError> {
    let turn = calls.registry().turn(id).await?;
    let (id, before) = calls
        .registry()
        .now(id)
        .map(|now| (now.row.id.clone(), now.place.on))?;
    if before != on {
        record(calls, &id, surface, Event::ServerSwitched { on }).await?;
        calls
            .store()
            .workspaces()
            .switch(calls.workspace(), &id, on)
            .await?;
        calls.registry().change(&id, |now| now.place.on = on)?;
        workspaces::publish(calls).await;
    }
    Ok(turn)
}

/// A server that a person has added, as opposed to a built-in one.
fn own(servers: &Servers, id: &ServerId) -> Result<ServerRow, HostError> {
    let row = servers.registry().now(id)?.row.clone();
    match row.launch {
        Launch::Builtin { .. } => Err(error::host(
            ErrorCode::BuiltIn,
            format!("{id} is built in; it can only be switched off"),
        )),
        _ => Ok(row),
    }
}

fn free_name(servers: &Servers, name: &str) -> Result<ServerId, HostError> {
    let id = ServerId::parse(name)
        .map_err(|problem| error::host(ErrorCode::BadName, problem.to_string()))?;
    if servers.registry().has(&id) {
        return Err(error::host(
            ErrorCode::NameTaken,
            format!("there is a server called {id} already"),
        ));
    }
    Ok(id)
}

/// Removes secrets that nothing refers to any more.
async fn forget(core: &Core, secrets: Vec<SecretId>) {
    for secret in secrets {
        if let Err(problem) = core.store().vault().remove(&secret).await {
            tracing::warn!(%secret, %problem, "a secret that is not used any more could not be removed from the keyring");
        }
    }
}

async fn record(
    core: &Core,
    id: &ServerId,
    surface: &Surface,
    event: Event,
) -> Result<(), HostError> {
    core.record_synced(Entry {
        server: Some(id.clone()),
        ..surface.decided(core, event)
    })
    .await
    .map(|_| ())
}
