//! The servers that are shipped inside the program. They are there from the start, off, and need no
//! review: they are this program.

use api::HostError;
use protocol::{ConfinementSettings, Launch, Runs, ServerId, Timestamp};
use store::{ServerRow, Store};

/// Their names. Which ones the program can serve is the business of `builtin`; the host only starts
/// them.
const NAMES: [&str; 2] = ["currency", "shipping"];

/// Adds the ones that are not there yet and gives all kept servers.
pub async fn ensure(store: &Store, now: Timestamp) -> Result<Vec<ServerRow>, HostError> {
    let mut rows = store.servers().all().await?;
    for name in NAMES {
        if rows.iter().any(|row| row.id.key() == name) {
            continue;
        }
        let launch = Launch::Builtin {
            name: name.to_owned(),
        };
        let row = ServerRow {
            id: ServerId::nearest(name),
            reviewed: Some(launch.fingerprint()),
            launch,
            identity: None,
            runs: Runs::default(),
            confinement: ConfinementSettings::default(),
            added_at: now,
        };
        store.servers().insert(row.clone()).await?;
        rows.push(row);
    }
    Ok(rows)
}
