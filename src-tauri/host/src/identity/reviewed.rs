//! Whether what runs is what a person reviewed.

use super::{of, of_running};
use crate::api::{ErrorCode, HostError};
use crate::review::Found;
use crate::{Host, error};
use protocol::{Identity, IdentityChange, IdentityPiece, Launch, Looked, ServerId, Unread, UnreadReason};
use store::{Entry, Event};

/// What would run now, for a thread that may wait.
pub(crate) async fn look(launch: Launch, found: Found) -> Identity {
    let unread = Unread { piece: IdentityPiece::Program, reason: UnreadReason::Unreadable };
    let found = tokio::task::spawn_blocking(move || of(&launch, &found)).await;
    // A thread that panicked has found out nothing; then everything that was known counts as changed, and a person is told.
    found.unwrap_or_else(|_| Identity { unread: vec![unread], ..Identity::default() })
}

/// Fails if what would be started is not what was reviewed. The answer is what would be started.
pub(crate) async fn before_start(host: &Host, id: &ServerId, launch: &Launch, found: &Found) -> Result<Identity, HostError> {
    let now = look(launch.clone(), found.clone()).await;
    compare(host, id, now.clone(), Looked::BeforeStart).await?;
    Ok(now)
}

/// Fails if what runs since a moment is not what was reviewed.
pub(crate) async fn running(host: &Host, id: &ServerId, launch: &Launch, before: Identity, pid: Option<u32>) -> Result<(), HostError> {
    let (launch, nothing) = (launch.clone(), Identity { package: None, ..before.clone() });
    let found = tokio::task::spawn_blocking(move || of_running(&launch, before, pid)).await;
    // A thread that panicked has not found the package.
    match found.unwrap_or(Some(nothing)) {
        Some(now) => compare(host, id, now, Looked::Running).await,
        None => Ok(()),
    }
}

async fn compare(host: &Host, id: &ServerId, now: Identity, looked: Looked) -> Result<(), HostError> {
    let row = host.kept().with(id, |kept| kept.row.clone())?;
    if matches!(row.launch, Launch::Builtin { .. }) {
        return Ok(());
    }
    let Some(reviewed) = row.identity.clone() else {
        return Err(error::host(ErrorCode::ReviewNeeded, format!("{id} was reviewed before it was noted what runs; review it again")));
    };
    let changes = reviewed.differences(&now, looked);
    if changes.is_empty() {
        return adopt(host, id, reviewed, now, looked).await;
    }
    host.kept().with(id, |kept| kept.unlike = Some(now))?;
    let message = format!("{id} is not what was reviewed: {}", sentence(&changes));
    let event = Event::ProgramChanged { changes };
    host.record_synced(Entry { at: host.now(), call: None, caller: None, approver: None, server: Some(id.clone()), tool: None, event })
        .await?;
    Err(error::host(ErrorCode::ProgramChanged, message))
}

/// Remembers what was not known before. Meanwhile a person may have changed or reviewed the server; then that counts.
async fn adopt(host: &Host, id: &ServerId, reviewed: Identity, now: Identity, looked: Looked) -> Result<(), HostError> {
    let adopted = reviewed.clone().adopting(now, looked);
    if adopted == reviewed {
        return Ok(());
    }
    let _turn = host.kept().turn(id).await?;
    let mut row = host.kept().with(id, |kept| kept.row.clone())?;
    if row.identity.as_ref() == Some(&reviewed) {
        row.identity = Some(adopted.clone());
        host.store().servers().update(row).await?;
        host.kept().with(id, |kept| kept.row.identity = Some(adopted))?;
    }
    Ok(())
}

fn sentence(changes: &[IdentityChange]) -> String {
    let one = |change: &IdentityChange| {
        let (before, now) = (&change.before, if change.now.is_empty() { "?" } else { &change.now });
        format!("{before} → {now}")
    };
    changes.iter().map(one).collect::<Vec<_>>().join(", ")
}
