//! Takes another workspace into use.

use super::{record, row, shown, tell};
use crate::api::{ErrorCode, HostError, HostEvent, ServerState, WorkspaceView};
use crate::kept::{Kept, Turn};
use crate::{Host, Surface, consent, error, roots, supervise};
use futures::future::join_all;
use policy::Refusal;
use protocol::{ServerId, WorkspaceId};
use store::{Event, Place};

/// Takes a workspace into use: what is not on there is stopped, what is on in both goes on and hears of its other folders, and what is
/// on there is started. Doing it twice changes nothing.
pub(crate) async fn switch(host: &Host, id: &WorkspaceId, surface: &Surface) -> Result<WorkspaceView, HostError> {
    let (of, id, surface) = (host.clone(), id.clone(), surface.clone());
    // To its end, even if whoever asked for it has gone: half of it would be neither the one nor the other.
    let done = tokio::spawn(async move { whole(&of, &id, &surface).await }).await;
    done.unwrap_or_else(|problem| Err(error::host(ErrorCode::Internal, format!("the workspace was not taken into use: {problem}"))))
}

async fn whole(host: &Host, id: &WorkspaceId, surface: &Surface) -> Result<WorkspaceView, HostError> {
    let _turn = host.workspaces().turn().await;
    let row = row(host, id).await?;
    if host.workspace() == *id {
        return shown(host, id).await;
    }
    // Nobody changes anything of any server while it goes from one workspace to another. In the order of their names, and nobody
    // who has one turn waits for another.
    let mut turns = Vec::new();
    for server in host.kept().ids() {
        // One that was removed in this moment has nothing to switch.
        if let Ok(turn) = host.kept().turn(&server).await {
            turns.push((server, turn));
        }
    }
    record(host, surface, Event::WorkspaceSwitched { workspace: id.clone(), name: row.name }).await?;
    host.store().workspaces().take_up(id.clone()).await?;
    // Read again: until the turns were held, folders and switches may have changed.
    let row = super::row(host, id).await?;
    let before = host.kept().take_up(row);
    consent::refuse_calls(host, &Refusal::OtherWorkspace);
    host.follow_roots();

    let mut stopping = Vec::new();
    for (server, was) in before {
        let turn = turns.iter().position(|(of, _)| *of == server).map(|at| turns.swap_remove(at).1);
        stopping.extend(follow(host, server, was, turn));
    }
    tell(host).await;
    join_all(stopping).await;
    shown(host, id).await
}

/// Lets one server follow. What is left to be waited for is its end, if it ends; until then nobody else changes anything of it.
fn follow(host: &Host, server: ServerId, was: Place, turn: Option<Turn>) -> Option<impl Future<Output = ()> + use<>> {
    let look = |kept: &mut Kept| (kept.place.clone(), kept.view());
    let (is, view) = host.kept().with(&server, look).ok()?;
    if is.off != was.off {
        host.tell(HostEvent::ToolsChanged { server: server.clone() });
    }
    let stops = !is.on && view.state != ServerState::Off;
    if stops {
        let host = host.clone();
        // On its own, so that servers which go slowly do not wait for each other, and go even if nobody waits for the answer.
        let stopped = tokio::spawn(async move {
            supervise::stop(&host, &server).await;
            drop(turn);
        });
        return Some(async move {
            // What stops a server says by itself what went wrong.
            let _ = stopped.await;
        });
    }
    if is.on && view.reviewed && view.state == ServerState::Off && host.keeps_servers_running() {
        supervise::start(host, &server);
    } else if is.roots != was.roots {
        let (host, server) = (host.clone(), server.clone());
        // On its own: a server that does not read holds up no other.
        tokio::spawn(async move { roots::roots_changed(&host, &server).await });
    } else {
        supervise::tell_changed(host, &server);
    }
    None
}
