//! Whether what runs is what a person reviewed.

use super::Found;
use super::{of, of_running};
use crate::{Servers, error};
use api::{ErrorCode, HostError};
use protocol::{
    Identity, IdentityChange, IdentityPiece, Launch, Looked, ServerId, Unread, UnreadReason,
};
use store::{Entry, Event};

/// What would run now, for a thread that may wait.
pub async fn look(launch: Launch, found: Found) -> Identity {
    let unread = Unread {
        piece: IdentityPiece::Program,
        at: String::new(),
        reason: UnreadReason::Unreadable,
    };
    let found = tokio::task::spawn_blocking(move || of(&launch, &found)).await;
    // A thread that panicked has found out nothing; then everything that was known counts as
    // changed, and a person is told.
    found.unwrap_or_else(|_| Identity {
        unread: vec![unread],
        ..Identity::default()
    })
}

/// Fails if what would be started is not what was reviewed. The answer is what would be started.
pub async fn before_start(
    servers: &Servers,
    id: &ServerId,
    launch: &Launch,
    found: &Found,
) -> Result<Identity, HostError> {
    let now = look(launch.clone(), found.clone()).await;
    compare(servers, id, now.clone(), Looked::BeforeStart).await?;
    Ok(now)
}

/// Fails if what runs since a moment is not what was reviewed: `before` and `found` are what was
/// found before the start.
pub async fn running(
    servers: &Servers,
    id: &ServerId,
    launch: &Launch,
    (found, before): (Found, Identity),
    pid: Option<u32>,
) -> Result<(), HostError> {
    // Between the look and the start the files may have been exchanged.
    let again = look(launch.clone(), found).await;
    compare(servers, id, again, Looked::BeforeStart).await?;
    let (launch, nothing) = (
        launch.clone(),
        Identity {
            package: None,
            ..before.clone()
        },
    );
    let found = tokio::task::spawn_blocking(move || of_running(&launch, before, pid)).await;
    // A thread that panicked has not found the package.
    match found.unwrap_or(Some(nothing)) {
        Some(now) => compare(servers, id, now, Looked::Running).await,
        None => Ok(()),
    }
}

async fn compare(
    servers: &Servers,
    id: &ServerId,
    now: Identity,
    looked: Looked,
) -> Result<(), HostError> {
    let row = servers.registry().now(id)?.row.clone();
    if matches!(row.launch, Launch::Builtin { .. }) {
        return Ok(());
    }
    let Some(reviewed) = row.identity.clone() else {
        return Err(error::host(
            ErrorCode::ReviewNeeded,
            format!("{id} was reviewed before it was noted what runs; review it again"),
        ));
    };
    let changes = reviewed.differences(&now, looked);
    if changes.is_empty() {
        return adopt(servers, id, reviewed, now, looked).await;
    }
    servers
        .registry()
        .change(id, |server| server.unlike = Some(now))?;
    let message = format!("{id} is not what was reviewed: {}", sentence(&changes));
    let event = Event::ProgramChanged { changes };
    servers
        .record_synced(Entry {
            server: Some(id.clone()),
            ..Entry::new(servers.now(), event)
        })
        .await?;
    Err(error::host(ErrorCode::ProgramChanged, message))
}

/// Remembers what was not known before. Meanwhile a person may have changed or reviewed the server;
/// then that counts.
async fn adopt(
    servers: &Servers,
    id: &ServerId,
    reviewed: Identity,
    now: Identity,
    looked: Looked,
) -> Result<(), HostError> {
    let adopted = reviewed.clone().adopting(now, looked);
    if adopted == reviewed {
        return Ok(());
    }
    let _turn = servers.registry().turn(id).await?;
    let mut row = servers.registry().now(id)?.row.clone();
    if row.identity.as_ref() == Some(&reviewed) {
        row.identity = Some(adopted.clone());
        servers.store().servers().update(row).await?;
        servers
            .registry()
            .change(id, |now| now.row.identity = Some(adopted))?;
    }
    Ok(())
}

fn sentence(changes: &[IdentityChange]) -> String {
    let one = |change: &IdentityChange| {
        let (before, now) = (
            &change.before,
            if change.now.is_empty() {
                "?"
            } else {
                &change.now
            },
        );
        format!("{before} → {now}")
    };
    changes.iter().map(one).collect::<Vec<_>>().join(", ")
}
