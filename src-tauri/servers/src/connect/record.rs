//! What is remembered of the applications whose files were written.

use super::target::Target;
use crate::Servers;
use api::{Application, HostError};
use protocol::{CallerId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::path::PathBuf;

/// The setting under which they are kept.
const KEY: &str = "connected_applications";

/// An application whose file was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Connected {
    pub application: Application,
    /// Its file, as it is listed.
    pub path: String,
    /// As which client it comes in.
    pub client: CallerId,
    /// The entry that was written.
    pub entry: Value,
    /// The hash of the file as it was left.
    pub left: String,
    /// What was there before the entry was first written.
    pub before: Before,
    /// When it was written last.
    pub at: Timestamp,
}

/// What was there before an entry was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(super) enum Before {
    /// No file.
    Nothing,
    /// A file, of which this is the copy.
    Copy {
        /// Where it lies.
        path: PathBuf,
    },
    /// A file that others have changed since, so that it does not come back.
    Lost,
}

impl Before {
    /// Where the copy lies, if there is one.
    pub fn copy(&self) -> Option<&PathBuf> {
        match self {
            Self::Copy { path } => Some(path),
            Self::Nothing | Self::Lost => None,
        }
    }
}

impl Connected {
    /// Whether it is about this file.
    pub fn is_of(&self, target: &Target) -> bool {
        self.application == target.application && self.path == target.shown()
    }
}

/// All of them.
pub(super) async fn all(servers: &Servers) -> Result<Vec<Connected>, HostError> {
    let kept = servers.store().settings().get(KEY).await?;
    Ok(kept.unwrap_or_default())
}

/// The one of a file.
pub(super) async fn of(servers: &Servers, target: &Target) -> Result<Option<Connected>, HostError> {
    let mut kept = all(servers).await?.into_iter();
    Ok(kept.find(|one| one.is_of(target)))
}

/// Keeps what is to be remembered of a file from now on, in place of what was before.
pub(super) async fn keep(
    servers: &Servers,
    target: &Target,
    now: Option<Connected>,
) -> Result<(), HostError> {
    let mut kept = all(servers).await?;
    kept.retain(|one| !one.is_of(target));
    kept.extend(now);
    servers.store().settings().set(KEY, &kept).await?;
    Ok(())
}

/// As which client an application was connected that has this file, if it was.
pub async fn client_of(
    servers: &Servers,
    application: Application,
    path: &str,
) -> Result<Option<CallerId>, HostError> {
    let mut kept = all(servers).await?.into_iter();
    let found = kept.find(|one| one.application == application && one.path == path);
    Ok(found.map(|one| one.client))
}

/// The hash of a text, by which it is known again.
pub(super) fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
