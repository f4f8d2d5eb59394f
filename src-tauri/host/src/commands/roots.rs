//! Folders of servers.

use crate::api::{ErrorCode, HostError, ServerView};
use crate::{Host, error, roots};
use protocol::ServerId;
use std::path::Path;
use store::{Entry, Event};

/// Gives a server a folder. It is kept as it really lies, without symbolic links.
pub(crate) async fn add(host: &Host, id: &ServerId, path: &str) -> Result<ServerView, HostError> {
    let bad = |problem: String| error::host(ErrorCode::BadPath, problem);
    if !Path::new(path).is_absolute() {
        return Err(bad(format!("{path:?} is not an absolute path")));
    }
    let real = std::fs::canonicalize(path).map_err(|problem| bad(format!("{path} cannot be found: {problem}")))?;
    if !real.is_dir() {
        return Err(bad(format!("{path} is not a folder")));
    }
    let real = real.to_str().ok_or_else(|| bad(format!("{path} has a name that is not Unicode")))?;
    // Windows writes real paths with a prefix that few programs understand.
    let real = real.strip_prefix(r"\\?\").filter(|rest| rest.as_bytes().get(1) == Some(&b':')).unwrap_or(real).to_owned();
    change(host, id, Event::RootAdded { path: real.clone() }, |roots| {
        if !roots.contains(&real) {
            roots.push(real);
        }
    })
    .await
}

/// Takes a folder from a server.
pub(crate) async fn remove(host: &Host, id: &ServerId, path: &str) -> Result<ServerView, HostError> {
    let real = std::fs::canonicalize(path).ok().and_then(|real| real.to_str().map(str::to_owned));
    let known = host.kept().with(id, |kept| kept.row.roots.iter().find(|root| *root == path || Some(*root) == real.as_ref()).cloned())?;
    let known = known.ok_or_else(|| error::host(ErrorCode::BadPath, format!("{id} has no folder {path}")))?;
    change(host, id, Event::RootRemoved { path: known.clone() }, |roots| roots.retain(|root| *root != known)).await
}

async fn change(host: &Host, id: &ServerId, event: Event, edit: impl FnOnce(&mut Vec<String>)) -> Result<ServerView, HostError> {
    let _turn = host.kept().turn(id).await?;
    let mut row = host.kept().with(id, |kept| kept.row.clone())?;
    let before = row.roots.clone();
    edit(&mut row.roots);
    if row.roots != before {
        host.record_synced(Entry { at: host.now(), call: None, caller: None, server: Some(row.id.clone()), tool: None, event }).await?;
        host.store().servers().update(row.clone()).await?;
        host.kept().with(id, |kept| kept.row.roots = row.roots)?;
        host.follow_roots();
        roots::roots_changed(host, id).await;
    }
    host.kept().with(id, |kept| kept.view())
}
