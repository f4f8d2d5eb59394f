//! What a server on this computer may touch, as a person chooses it.

use api::{ConfinementView, HostError};
use calls::Calls;
use protocol::{ConfinementSettings, Launch, ServerId};
use servers::confinement::{checked, checked_paths, look};
use servers::{ServerNow, Surface, supervise};
use std::path::Path;
use store::{Entry, Event};

/// Takes a person's choice. A server that runs is started again with it.
///
/// # Errors
/// `protected_path` if something protected would be given and that was not accepted; `bad_path` for
/// what is not there.
pub(crate) async fn choose(
    calls: &Calls,
    id: &ServerId,
    mut settings: ConfinementSettings,
    accepts_protected: bool,
    surface: &Surface,
) -> Result<ConfinementView, HostError> {
    let turn = calls.registry().turn(id).await?;
    let now = calls.registry().now(id)?;
    if !matches!(now.row.launch, Launch::Stdio(_)) {
        return look(calls, id).await;
    }
    settings.paths = checked_paths(
        calls,
        settings.paths,
        &now.row.confinement,
        accepts_protected,
    )?;
    if settings.confined && !now.row.confinement.confined {
        // Until now its folders were only offered to it.
        let there = |root: &&String| Path::new(root).exists();
        for root in now.place.roots.iter().filter(there) {
            checked(calls, root, accepts_protected)?;
        }
    }
    let mut row = now.row.clone();
    if row.confinement != settings {
        row.confinement = settings.clone();
        let decided = surface.decided(
            calls,
            Event::ConfinementChosen {
                settings: settings.clone(),
            },
        );
        calls
            .record_synced(Entry {
                server: Some(row.id.clone()),
                ..decided
            })
            .await?;
        calls.store().servers().update(row).await?;
        let change = |now: &mut ServerNow| now.row.confinement = settings;
        supervise::stop_and(calls, id, change).await;
        drop(turn);
        supervise::resume(calls, id);
        calls.tell_changed(id);
    }
    look(calls, id).await
}
