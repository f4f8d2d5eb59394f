//! Watches the administrator's file, so that a change holds at once.

use crate::rule_book::Watching;
use crate::{Servers, disk_events, rules};
use notify::{RecursiveMode, Watcher};
use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long nothing may have changed before the file is read: many programs empty a file before
/// they write it anew.
const SETTLE: Duration = Duration::from_millis(100);
/// It is read after this time however much goes on changing.
const LONGEST: Duration = Duration::from_secs(2);
/// How often it is looked for a folder that is not there. What lies above it is not watched: every
/// program that starts opens a file in `/etc`.
const LOOK: Duration = Duration::from_secs(5);

/// Begins to watch the administrator's file, in the folder where it is or will be.
pub fn watch(servers: &Servers) {
    let Some(file) = servers.rules().file() else {
        return;
    };
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
                .rules()
                .watching
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = Some(Watching {
                watcher,
                folder: None,
            })
        }
        Err(error) => {
            tracing::warn!(%error, "the administrator's rules cannot be watched; a change holds after the next start");
            return;
        }
    }
    let mut is_watched = follow(servers, &file);
    // What changed between the first look and the beginning of the watch.
    rules::read_again(servers);
    let servers = servers.weak();
    tokio::spawn(async move {
        loop {
            if is_watched {
                if changed.recv().await.is_none() {
                    return;
                }
                settled(&mut changed).await;
            } else {
                tokio::time::sleep(LOOK).await;
            }
            let Some(servers) = servers.upgrade() else {
                return;
            };
            is_watched = follow(&servers, &file);
            // Also where nothing is told of it: what cannot be watched may have changed.
            rules::read_again(&servers);
        }
    });
}

/// Waits until nothing has changed for a while.
async fn settled(changed: &mut mpsc::UnboundedReceiver<()>) {
    let settled =
        async { while let Ok(Some(())) = tokio::time::timeout(SETTLE, changed.recv()).await {} };
    // Still changing: it is looked at as it is, and again after the next change.
    let _ = tokio::time::timeout(LONGEST, settled).await;
}

/// Watches the folder of the file, if it is there; whether it is watched now.
fn follow(servers: &Servers, file: &Path) -> bool {
    let wanted = file.parent().filter(|folder| folder.is_dir());
    let mut guard = servers
        .rules()
        .watching
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let Some(Watching { watcher, folder }) = guard.as_mut() else {
        return false;
    };
    // Anew each time: under the same name there may be another folder by now.
    if let Some(before) = folder.take() {
        let _ = watcher.unwatch(&before);
    }
    if let Some(wanted) = wanted
        && watcher.watch(wanted, RecursiveMode::NonRecursive).is_ok()
    {
        *folder = Some(wanted.to_owned());
    }
    folder.is_some()
}
