//! Watches the administrator's file, so that a change holds at once.

use crate::rule_book::Watching;
use crate::{Servers, rules};
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

/// Begins to watch the administrator's file, wherever it is or will be.
pub fn watch(servers: &Servers) {
    let Some(file) = servers.rules().file() else {
        return;
    };
    let (sender, mut changed) = mpsc::unbounded_channel();
    let watcher = notify::recommended_watcher(move |_event| {
        // The receiver goes when the host does.
        let _ = sender.send(());
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
    follow(servers, &file);
    // What changed between the first look and the beginning of the watch.
    rules::read_again(servers);
    let servers = servers.weak();
    tokio::spawn(async move {
        while changed.recv().await.is_some() {
            let settled = async {
                while let Ok(Some(())) = tokio::time::timeout(SETTLE, changed.recv()).await {}
            };
            // Still changing: it is looked at as it is, and again after the next change.
            let _ = tokio::time::timeout(LONGEST, settled).await;
            let Some(servers) = servers.upgrade() else {
                return;
            };
            follow(&servers, &file);
            rules::read_again(&servers);
        }
    });
}

fn follow(servers: &Servers, file: &Path) {
    let wanted = file
        .ancestors()
        .skip(1)
        .find(|folder| folder.is_dir())
        .map(Path::to_owned);
    let mut guard = servers
        .rules()
        .watching
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let Some(Watching { watcher, folder }) = guard.as_mut() else {
        return;
    };
    if *folder == wanted {
        return;
    }
    if let Some(gone) = folder.take() {
        // A folder that is not there any more is not watched any more either.
        let _ = watcher.unwatch(&gone);
    }
    if let Some(wanted) = wanted
        && watcher.watch(&wanted, RecursiveMode::NonRecursive).is_ok()
    {
        *folder = Some(wanted);
    }
}
