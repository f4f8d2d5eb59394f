//! One at a time changes what an account holds, over all processes: a refresh token may be good for
//! once.

use crate::{Servers, error};
use api::{ErrorCode, HostError};
use protocol::{Fingerprint, ServerId};
use serde_json::json;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The folder of the lock files, in the data folder.
const FOLDER: &str = "sign-in";
/// How often is looked whether the lock is free.
const LOOK: Duration = Duration::from_millis(20);
/// How long to wait for it: whoever holds it waits for a server, and that has an end.
const LOCK_TIMEOUT: Duration = Duration::from_secs(90);

/// The right to change what an account holds, until it is dropped; also given back if the process
/// is killed.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "closing the file gives the lock back")] File);

/// Waits for the lock of an account.
pub(super) async fn lock(
    servers: &Servers,
    id: &ServerId,
    account: &str,
) -> Result<Lock, HostError> {
    let path = path(servers.store().dir(), id, account);
    let end = Instant::now() + LOCK_TIMEOUT;
    loop {
        let place = path.clone();
        let taken = tokio::task::spawn_blocking(move || take(&place))
            .await
            .unwrap_or_else(|problem| Err(io::Error::other(problem)));
        match taken {
            Ok(Some(lock)) => return Ok(lock),
            Ok(None) if Instant::now() < end => sleep(LOOK).await,
            Ok(None) => {
                return Err(error::host(
                    ErrorCode::TooSlow,
                    format!("another program has been busy signing in to {id} for too long"),
                ));
            }
            Err(problem) => {
                return Err(error::host(
                    ErrorCode::DatabaseReadOnly,
                    format!("the lock {} cannot be taken: {problem}", path.display()),
                ));
            }
        }
    }
}

/// Takes the file of the lock away. A lock that is held goes on to hold.
pub(super) fn remove(servers: &Servers, id: &ServerId, account: &str) {
    let path = path(servers.store().dir(), id, account);
    if let Err(problem) = fs::remove_file(&path)
        && problem.kind() != io::ErrorKind::NotFound
    {
        tracing::debug!(path = %path.display(), %problem, "a lock file stays behind");
    }
}

/// An account's name may hold anything; its fingerprint fits into a file's name.
fn path(dir: &Path, id: &ServerId, account: &str) -> PathBuf {
    let name = Fingerprint::of(&json!([id.key(), account]));
    dir.join(FOLDER).join(format!(
        "{}.lock",
        name.as_str().trim_start_matches("sha256:")
    ))
}

fn take(path: &Path) -> io::Result<Option<Lock>> {
    if let Some(folder) = path.parent() {
        store::folder::make(folder)?;
    }
    let file = store::folder::private()
        .create(true)
        .truncate(false)
        .open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(problem)) => Err(problem),
    }
}
