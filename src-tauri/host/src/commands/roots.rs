//! Folders of servers in the workspace in use.

use crate::workspaces;
use api::{ErrorCode, HostError, MOST_FOLDERS, ServerView, room_for_one};
use calls::Calls;
use protocol::ServerId;
use servers::{Surface, error, roots};
use std::path::Path;
use store::{Entry, Event};

/// Gives a server a folder. It is kept as it really lies, without symbolic links.
pub(crate) async fn add(
    calls: &Calls,
    id: &ServerId,
    path: &str,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let bad = |problem: String| error::host(ErrorCode::BadPath, problem);
    if !Path::new(path).is_absolute() {
        return Err(bad(format!("{path:?} is not an absolute path")));
    }
    let real = std::fs::canonicalize(path)
        .map_err(|problem| bad(format!("{path} cannot be found: {problem}")))?;
    if !real.is_dir() {
        return Err(bad(format!("{path} is not a folder")));
    }
    let own = std::fs::canonicalize(calls.store().dir())
        .map_err(|problem| bad(format!("the data folder cannot be found: {problem}")))?;
    if own.starts_with(&real) || real.starts_with(&own) {
        return Err(bad(format!(
            "{path} holds what Majordomo itself keeps, which no server is given; choose a folder in it"
        )));
    }
    let real = real
        .to_str()
        .ok_or_else(|| bad(format!("{path} has a name that is not Unicode")))?;
    // Windows writes real paths with a prefix that few programs understand.
    let real = real
        .strip_prefix(r"\\?\")
        .filter(|rest| rest.as_bytes().get(1) == Some(&b':'))
        .unwrap_or(real)
        .to_owned();
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
    let _turn = calls.registry().turn(id).await?;
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
        roots::roots_changed(calls, &id).await;
    }
    Ok(calls.registry().now(&id)?.view())
}
