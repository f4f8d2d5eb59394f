//! Takes another workspace into use.

use super::{publish, record, row, shown};
use api::{ErrorCode, HostError, HostEvent, ServerState, WorkspaceView};
use calls::Calls;
use calls::waiting;
use futures::future::join_all;
use policy::Refusal;
use protocol::{ServerId, WorkspaceId};
use servers::registry::Turn;
use servers::{Surface, error, roots, supervise};
use store::{Event, Place};

/// Takes a workspace into use: what is not on there is stopped, what is on in both goes on and
/// hears of its other folders, and what is on there is started. Doing it twice changes nothing.
pub(crate) async fn switch(
    calls: &Calls,
    id: &WorkspaceId,
    surface: &Surface,
) -> Result<WorkspaceView, HostError> {
    let (of, id, surface) = (calls.clone(), id.clone(), surface.clone());
    // To its end, even if whoever asked for it has gone: half of it would be neither the one nor
    // the other.
    let done = tokio::spawn(async move { whole(&of, &id, &surface).await }).await;
    done.unwrap_or_else(|problem| {
        Err(error::host(
            ErrorCode::Internal,
            format!("the workspace was not taken into use: {problem}"),
        ))
    })
}

async fn whole(
    calls: &Calls,
    id: &WorkspaceId,
    surface: &Surface,
) -> Result<WorkspaceView, HostError> {
    let _turn = calls.workspace_turn().await;
    let row = row(calls, id).await?;
    if calls.workspace() == *id {
        return shown(calls, id).await;
    }
    // Nobody changes anything of any server while it goes from one workspace to another. In the
    // order of their names, and nobody who has one turn waits for another.
    let mut turns = Vec::new();
    for server in calls.registry().ids() {
        // One that was removed in this moment has nothing to switch.
        if let Ok(turn) = calls.registry().turn(&server).await {
            turns.push((server, turn));
        }
    }
    record(
        calls,
        surface,
        Event::WorkspaceSwitched {
            workspace: id.clone(),
            name: row.name,
        },
    )
    .await?;
    calls.store().workspaces().take_up(id.clone()).await?;
    // Read again: until the turns were held, folders and switches may have changed.
    let row = super::row(calls, id).await?;
    let before = calls.registry().take_up(row);
    waiting::refuse_calls(calls, &Refusal::OtherWorkspace).await;
    roots::follow(calls);

    let mut stopping = Vec::new();
    for (server, was) in before {
        let turn = turns
            .iter()
            .position(|(of, _)| *of == server)
            .map(|at| turns.swap_remove(at).1);
        stopping.extend(follow(calls, server, was, turn));
    }
    publish(calls).await;
    join_all(stopping).await;
    shown(calls, id).await
}

/// Lets one server follow. What is left to be waited for is its end, if it ends; until then nobody
/// else changes anything of it.
fn follow(
    calls: &Calls,
    server: ServerId,
    was: Place,
    turn: Option<Turn>,
) -> Option<impl Future<Output = ()> + use<>> {
    let now = calls.registry().now(&server).ok()?;
    let (is, view) = (&now.place, now.view());
    if is.off != was.off || is.always_shown != was.always_shown {
        calls.publish(HostEvent::ToolsChanged {
            server: server.clone(),
        });
    }
    let stops = !is.on && view.state != ServerState::Off;
    if stops {
        let calls = calls.clone();
        // On its own, so that servers which go slowly do not wait for each other, and go even if
        // nobody waits for the answer.
        let stopped = tokio::spawn(async move {
            supervise::stop(&calls, &server).await;
            drop(turn);
        });
        return Some(async move {
            // What stops a server says by itself what went wrong.
            let _ = stopped.await;
        });
    }
    if is.on && view.reviewed && view.state == ServerState::Off {
        supervise::resume(calls, &server);
    } else if is.roots != was.roots {
        let (calls, server) = (calls.clone(), server.clone());
        // On its own: a server that does not read holds up no other.
        tokio::spawn(async move { supervise::folders_changed(&calls, &server).await });
    } else {
        calls.tell_changed(&server);
    }
    None
}
