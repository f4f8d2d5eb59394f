//! Folders that servers were given: whether they are there, and telling servers when that changes.

use crate::{Servers, disk_events};
use notify::{RecursiveMode, Watcher};
use protocol::ServerId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long a burst of changes on the disk may last before folders are looked at.
const SETTLE: Duration = Duration::from_millis(200);

/// Begins to watch, and follows the folders from then on.
pub fn watch(servers: &Servers) {
    let (sender, mut changed) = mpsc::unbounded_channel();
    let watcher = notify::recommended_watcher(move |event| {
        if disk_events::is_change(&event) {
            // The receiver goes when the host does.
            let _ = sender.send(());
        }
    });
    match watcher {
        Ok(watcher) => {
            *servers
                .roots()
                .watcher
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = Some((watcher, BTreeSet::new()))
        }
        Err(error) => {
            tracing::warn!(%error, "folders cannot be watched; a vanished one shows at the next look");
            return;
        }
    }
    follow(servers);
    let (servers, mut known) = (servers.weak(), presence(servers));
    tokio::spawn(async move {
        while changed.recv().await.is_some() {
            tokio::time::sleep(SETTLE).await;
            while changed.try_recv().is_ok() {}
            let Some(servers) = servers.upgrade() else {
                return;
            };
            let now = presence(&servers);
            for (id, presence) in &now {
                if known.get(id) != Some(presence) {
                    // Each by itself: a server that does not read holds up no other.
                    let (servers, id) = (servers.clone(), id.clone());
                    tokio::spawn(async move { roots_changed(&servers, &id).await });
                }
            }
            known = now;
            follow(&servers);
        }
    });
}

/// Watches where the folders of all servers lie now: the nearest existing folder above each.
pub fn follow(servers: &Servers) {
    let wanted: BTreeSet<PathBuf> = servers
        .registry()
        .views()
        .iter()
        .flat_map(|view| &view.roots)
        .filter_map(|root| above(&root.path))
        .collect();
    let mut guard = servers
        .roots()
        .watcher
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let Some((watcher, watched)) = guard.as_mut() else {
        return;
    };
    for gone in watched.difference(&wanted) {
        // A folder that is not there any more is not watched any more either.
        let _ = watcher.unwatch(gone);
    }
    let mut following = BTreeSet::new();
    for path in wanted {
        if watched.contains(&path) || watcher.watch(&path, RecursiveMode::NonRecursive).is_ok() {
            following.insert(path);
        }
    }
    *watched = following;
}

fn presence(servers: &Servers) -> BTreeMap<ServerId, Vec<bool>> {
    servers
        .registry()
        .views()
        .into_iter()
        .map(|view| {
            (
                view.id,
                view.roots.iter().map(|root| root.present).collect(),
            )
        })
        .collect()
}

fn above(path: &str) -> Option<PathBuf> {
    Path::new(path)
        .ancestors()
        .skip(1)
        .find(|folder| folder.is_dir())
        .map(Path::to_owned)
}

/// Has servers ask anew for their folders: what they may be told of them may be something else now.
/// Each by itself: a server that does not read holds up no other.
pub(crate) fn ask_anew(servers: &Servers, ids: impl IntoIterator<Item = ServerId>) {
    for id in ids {
        let Ok(server) = servers.registry().now(&id) else {
            continue;
        };
        if let Some(connection) = server.run.connection.clone()
            && !server.place.roots.is_empty()
        {
            tokio::spawn(async move { connection.roots_changed().await });
        }
    }
}

/// Tells everyone, the server included, that its folders are not what they were.
pub async fn roots_changed(servers: &Servers, id: &ServerId) {
    servers.tell_changed(id);
    if let Ok(Some(connection)) = servers
        .registry()
        .now(id)
        .map(|now| now.run.connection.clone())
    {
        connection.roots_changed().await;
    }
}
