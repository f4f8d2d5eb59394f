//! The folder of a program that has ended: what is in it is made without the time that using it takes.

use protocol::{RunId, ServerId, Timestamp};
use std::time::{Duration, Instant};
use store::{Durability, Entry, Event, KeyringChoice, OpenOptions, Store, StoreError};
use tempfile::TempDir;
use window_driver::Majordomo;

/// How long a program that has ended may still hold its folder.
const GIVEN_UP: Duration = Duration::from_secs(30);

/// Its store: the system takes a moment to give up what the program held.
pub async fn store(folder: &TempDir) -> Store {
    let begun = Instant::now();
    loop {
        let store = Store::open(OpenOptions {
            dir: Majordomo::data_in(folder),
            keyring: KeyringChoice::System,
            run: RunId::random(),
            version: "0".to_owned(),
            now: Timestamp(0),
        });
        match store.await {
            Ok(store) => return store,
            Err(StoreError::AlreadyOpen { .. }) if begun.elapsed() < GIVEN_UP => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Err(problem) => panic!("the store cannot be opened: {problem}"),
        }
    }
}

/// Writes so many records into its log, a minute apart up to `now`, in milliseconds since 1970:
/// resources of a server that were read.
pub async fn fill_log(folder: &TempDir, server: &ServerId, records: i64, now: i64) {
    let store = store(folder).await;
    for nth in 0..records {
        let entry = Entry {
            server: Some(server.clone()),
            ..Entry::new(
                Timestamp(now - (records - nth) * 60_000),
                Event::ResourceRead {
                    uri: format!("note://{nth}"),
                },
            )
        };
        store.audit().append(entry, Durability::Grouped).unwrap();
    }
    store.close().await;
}
