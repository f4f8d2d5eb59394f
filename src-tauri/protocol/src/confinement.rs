//! What a server on this computer may touch, and by what that is enforced.

use crate::ListedHost;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a server on this computer may touch, as a person chose it. What comes with its command, and
/// the folders that it was given as such, are not repeated here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConfinementSettings {
    /// Whether it is confined at all. If not, it can do whatever the person can.
    pub confined: bool,
    /// Files and folders beside those.
    #[serde(default)]
    pub paths: Vec<GivenPath>,
    /// With whom it may speak.
    #[serde(default)]
    pub network: NetworkAccess,
}

/// A file or folder that a server is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct GivenPath {
    /// Its absolute path.
    pub path: String,
    /// Whether the server may change it; otherwise it may read it, and run programs in it.
    pub change: bool,
}

/// With whom a server may speak.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum NetworkAccess {
    /// With nobody but itself.
    #[default]
    None,
    /// With these, which it looks up by name.
    Hosts {
        /// The hosts.
        hosts: Vec<ListedHost>,
    },
    /// With everybody, programs on this computer included.
    Open,
}

/// By what a server is confined, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConfinementTier {
    /// Linux: files, processes and network of its own, and a filter of system calls. What it was
    /// not given is not there for it.
    Namespaces,
    /// Linux, where there are no namespaces: other files cannot be opened, but their names, sizes
    /// and times can be seen. It has no network, or all of it.
    Landlock,
    /// macOS: its own sandbox.
    Seatbelt,
    /// Windows: a container of its own. Its network is all or nothing.
    AppContainer,
}

impl Default for ConfinementSettings {
    fn default() -> Self {
        Self {
            confined: true,
            paths: Vec::new(),
            network: NetworkAccess::None,
        }
    }
}
