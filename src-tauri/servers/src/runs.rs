//! When a server that is on runs: as long as the host, or from its first use until nobody has used
//! it for a while.

use crate::{Servers, Surface, supervise};
use api::{HostError, ServerView};
use protocol::{Runs, ServerId};
use store::{Entry, Event};

/// Takes a person's choice. One that is to run always is started if it rests; one that is not goes
/// on until nobody has used it for a while.
pub async fn choose(
    servers: &Servers,
    id: &ServerId,
    runs: Runs,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let _turn = servers.registry().turn(id).await?;
    let mut row = servers.registry().now(id)?.row.clone();
    if row.runs != runs {
        row.runs = runs;
        let decided = surface.decided(servers, Event::RunsChosen { runs });
        servers
            .record_synced(Entry {
                server: Some(row.id.clone()),
                ..decided
            })
            .await?;
        servers.store().servers().update(row).await?;
        servers.registry().change(id, |now| now.row.runs = runs)?;
    }
    supervise::resume(servers, id);
    servers.tell_changed(id);
    Ok(servers.registry().now(id)?.view())
}
