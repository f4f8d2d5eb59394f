//! What is watched of the places where folders of servers lie.

use notify::RecommendedWatcher;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

/// Watches the places where folders of servers lie.
#[derive(Default)]
pub(crate) struct RootWatch {
    pub(crate) watcher: Mutex<Option<(RecommendedWatcher, BTreeSet<PathBuf>)>>,
}
