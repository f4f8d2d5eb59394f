//! Folders that servers were given: whether they are there, and telling servers when that changes.

use crate::{Host, supervise};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use protocol::ServerId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use url::Url;

/// How long a burst of changes on the disk may last before folders are looked at.
const SETTLE: Duration = Duration::from_millis(200);

/// Watches the places where folders of servers lie.
#[derive(Default)]
pub(crate) struct RootWatch {
    watcher: Mutex<Option<(RecommendedWatcher, BTreeSet<PathBuf>)>>,
}

/// Whether the folder is there.
pub(crate) fn present(path: &str) -> bool {
    Path::new(path).is_dir()
}

/// Its `file:` address as servers see it.
pub(crate) fn uri(path: &str) -> String {
    Url::from_file_path(path).map(String::from).unwrap_or_default()
}

/// Its last part, for people.
pub(crate) fn name(path: &str) -> Option<String> {
    Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned())
}

impl Host {
    /// Begins to watch, and follows the folders from then on.
    pub(crate) fn watch_roots(&self) {
        let (sender, mut changed) = mpsc::unbounded_channel();
        let watcher = notify::recommended_watcher(move |_event| {
            // The receiver goes when the host does.
            let _ = sender.send(());
        });
        match watcher {
            Ok(watcher) => *self.roots().watcher.lock().unwrap_or_else(PoisonError::into_inner) = Some((watcher, BTreeSet::new())),
            Err(error) => {
                tracing::warn!(%error, "folders cannot be watched; a vanished one shows at the next look");
                return;
            }
        }
        self.follow_roots();
        let (host, mut known) = (self.weak(), self.root_presence());
        tokio::spawn(async move {
            while changed.recv().await.is_some() {
                tokio::time::sleep(SETTLE).await;
                while changed.try_recv().is_ok() {}
                let Some(host) = host.upgrade() else { return };
                let now = host.root_presence();
                for (id, presence) in &now {
                    if known.get(id) != Some(presence) {
                        // Each by itself: a server that does not read holds up no other.
                        let (host, id) = (host.clone(), id.clone());
                        tokio::spawn(async move { roots_changed(&host, &id).await });
                    }
                }
                known = now;
                host.follow_roots();
            }
        });
    }

    /// Watches where the folders of all servers lie now: the nearest existing folder above each.
    pub(crate) fn follow_roots(&self) {
        let wanted: BTreeSet<PathBuf> =
            self.kept().views().iter().flat_map(|view| &view.roots).filter_map(|root| above(&root.path)).collect();
        let mut guard = self.roots().watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((watcher, watched)) = guard.as_mut() else { return };
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

    fn root_presence(&self) -> BTreeMap<ServerId, Vec<bool>> {
        self.kept().views().into_iter().map(|view| (view.id, view.roots.iter().map(|root| root.present).collect())).collect()
    }
}

fn above(path: &str) -> Option<PathBuf> {
    Path::new(path).ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned)
}

/// Tells everyone, the server included, that its folders are not what they were.
pub(crate) async fn roots_changed(host: &Host, id: &ServerId) {
    supervise::tell_changed(host, id);
    if let Ok(Some(connection)) = host.kept().with(id, |kept| kept.connection.clone()) {
        connection.roots_changed().await;
    }
}
