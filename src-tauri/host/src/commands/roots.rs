//! Folders of servers in the workspace in use.

use crate::api::{ErrorCode, HostError, ServerView};
use crate::{Host, Surface, error, roots, workspaces};
use protocol::ServerId;
use std::path::Path;
use store::{Entry, Event};

/// Gives a server a folder. It is kept as it really lies, without symbolic links.
pub(crate) async fn add(host: &Host, id: &ServerId, path: &str, surface: &Surface) -> Result<ServerView, HostError> {
    let bad = |problem: String| error::host(ErrorCode::BadPath, problem);
    if !Path::new(path).is_absolute() {
        return Err(bad(format!("{path:?} is not an absolute path")));
    }
    let real = std::fs::canonicalize(path).map_err(|problem| bad(format!("{path} cannot be found: {problem}")))?;
    if !real.is_dir() {
        return Err(bad(format!("{path} is not a folder")));
    }
    let own = std::fs::canonicalize(host.store().dir()).map_err(|problem| bad(format!("the data folder cannot be found: {problem}")))?;
    if own.starts_with(&real) || real.starts_with(&own) {
        return Err(bad(format!("{path} holds what Majordomo itself keeps, which no server is given; choose a folder in it")));
    }
    let real = real.to_str().ok_or_else(|| bad(format!("{path} has a name that is not Unicode")))?;
    // Windows writes real paths with a prefix that few programs understand.
    let real = real.strip_prefix(r"\\?\").filter(|rest| rest.as_bytes().get(1) == Some(&b':')).unwrap_or(real).to_owned();
    change(host, id, surface.decided(host, Event::RootAdded { path: real.clone() }), |roots| {
        if !roots.contains(&real) {
            roots.push(real);
        }
    })
    .await
}

/// Takes a folder from a server.
pub(crate) async fn remove(host: &Host, id: &ServerId, path: &str, surface: &Surface) -> Result<ServerView, HostError> {
    let real = std::fs::canonicalize(path).ok().and_then(|real| real.to_str().map(str::to_owned));
    let known = host.kept().with(id, |kept| kept.place.roots.iter().find(|root| *root == path || Some(*root) == real.as_ref()).cloned())?;
    let known = known.ok_or_else(|| error::host(ErrorCode::BadPath, format!("{id} has no folder {path}")))?;
    change(host, id, surface.decided(host, Event::RootRemoved { path: known.clone() }), |roots| roots.retain(|root| *root != known)).await
}

async fn change(host: &Host, id: &ServerId, decided: Entry, edit: impl FnOnce(&mut Vec<String>)) -> Result<ServerView, HostError> {
    let _turn = host.kept().turn(id).await?;
    let (id, before) = host.kept().with(id, |kept| (kept.row.id.clone(), kept.place.roots.clone()))?;
    let mut after = before.clone();
    edit(&mut after);
    if after != before {
        host.record_synced(Entry { server: Some(id.clone()), ..decided }).await?;
        host.store().workspaces().set_roots(host.workspace(), &id, after.clone()).await?;
        host.kept().with(&id, |kept| kept.place.roots = after)?;
        host.follow_roots();
        workspaces::tell(host).await;
        roots::roots_changed(host, &id).await;
    }
    host.kept().with(&id, |kept| kept.view())
}
