//! Folders of servers in the workspace in use.

use crate::workspaces;
use api::{ErrorCode, HostError, MOST_FOLDERS, ServerView, room_for_one};
use calls::Calls;
use protocol::ServerId;
use servers::{Surface, confinement, error, roots, supervise};
use std::path::Path;
use store::{Entry, Event};

/// Gives a server a folder. It is kept as it really lies, without symbolic links.
pub(crate) async fn add(
    calls: &Calls,
    id: &ServerId,
    path: &str,
    accepts_protected: bool,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let real = confinement::checked(calls, path, accepts_protected)?;
    if !Path::new(&real).is_dir() {
        return Err(error::host(
            ErrorCode::BadPath,
            format!("{path} is not a folder"),
        ));
    }
    change(
        calls,
        id,
        surface.decided(calls, Event::RootAdded { path: real.clone() }),
        |roots| {
            if !roots.contains(&real) {
                roots.push(real);
            }
        },
    )
    .await
}

/// Takes a folder from a server.
pub(crate) async fn remove(
    calls: &Calls,
    id: &ServerId,
    path: &str,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let real = std::fs::canonicalize(path)
        .ok()
        .and_then(|real| real.to_str().map(str::to_owned));
    let known = calls.registry().now(id).map(|now| {
        now.place
            .roots
            .iter()
            .find(|root| *root == path || Some(*root) == real.as_ref())
            .cloned()
    })?;
    let known = known
        .ok_or_else(|| error::host(ErrorCode::BadPath, format!("{id} has no folder {path}")))?;
    change(
        calls,
        id,
        surface.decided(
            calls,
            Event::RootRemoved {
                path: known.clone(),
            },
        ),
        |roots| roots.retain(|root| *root != known),
    )
    .await
}

async fn change(
    calls: &Calls,
    id: &ServerId,
    decided: Entry,
    edit: impl FnOnce(&mut Vec<String>),
) -> Result<ServerView, HostError> {
    let turn = calls.registry().turn(id).await?;
    let (id, before) = calls
        .registry()
        .now(id)
        .map(|now| (now.row.id.clone(), now.place.roots.clone()))?;
    let mut after = before.clone();
    edit(&mut after);
    if after.len() > before.len() {
        room_for_one("folders", before.len(), MOST_FOLDERS)?;
    }
    if after != before {
        calls
            .record_synced(Entry {
                server: Some(id.clone()),
                ..decided
            })
            .await?;
        calls
            .store()
            .workspaces()
            .set_roots(calls.workspace(), &id, after.clone())
            .await?;
        calls
            .registry()
            .change(&id, |now| now.place.roots = after)?;
        roots::follow(calls);
        workspaces::publish(calls).await;
        drop(turn);
        supervise::folders_changed(calls, &id).await;
    }
    Ok(calls.registry().now(&id)?.view())
}
