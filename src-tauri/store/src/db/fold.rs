//! Folds the write-ahead log into the database.
//!
//! Always true here:
//! - it is done beside the writer, so that nobody waits for it who wants to write;
//! - a log that grows faster than that goes on growing to [`MOST`] pages; then the writer folds it
//!   in itself.

use super::LOCK_TIMEOUT;
use crate::StoreError;
use rusqlite::Connection;
use std::ffi::c_int;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::JoinHandle;

/// From so many pages on it is folded in; SQLite's own number.
const LONG: c_int = 1_000;
/// Pages of a log that is not let grow any longer: 64 MiB.
const MOST: c_int = 16_384;

/// Has the log of this connection folded in by a thread, as long as the connection is open.
pub(super) fn beside(writer: &mut Connection, path: &Path) -> Result<JoinHandle<()>, StoreError> {
    let (wake, wakes) = sync_channel(1);
    writer.wal_hook(Some(move |log: &mut rusqlite::hooks::Wal, pages: c_int| {
        if pages >= MOST {
            // Where it cannot be done now the next commit tries again.
            let _ = log.checkpoint();
        } else if pages >= LONG {
            // Full, it is about to look anyway.
            let _ = wake.try_send(());
        }
        Ok(())
    }))?;
    let path = path.to_owned();
    let thread = std::thread::Builder::new().name("store-fold".into());
    thread
        .spawn(move || {
            if let Err(error) = fold(&path, &wakes) {
                tracing::warn!(%error, "the write-ahead log is folded in by the writer");
            }
        })
        .map_err(StoreError::Folder)
}

fn fold(path: &Path, wakes: &Receiver<()>) -> Result<(), StoreError> {
    // Opened when it is needed: most runs write little.
    let mut connection = None;
    for () in wakes {
        let connection = match &mut connection {
            Some(connection) => connection,
            none => {
                let opened = Connection::open(path)?;
                opened.busy_timeout(LOCK_TIMEOUT)?;
                none.insert(opened)
            }
        };
        // What is still read, or was written meanwhile, is folded in the next time.
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::db::{Commit, Database, FILE};
    use std::fs::{self, File};
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn a_long_log_is_folded_in_without_anybody_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Arc::new(File::create(folder.path().join("lock")).unwrap());
        let database = Database::open(folder.path(), lock).unwrap();
        let length = || fs::metadata(folder.path().join(FILE)).unwrap().len();
        let before = length();
        let page = "x".repeat(4_000);
        for number in 0..2_000 {
            let page = page.clone();
            database
                .write_blocking(Commit::Lazy, move |tx| {
                    let sql = "INSERT INTO catalogues (server, part, content) VALUES ('a', ?1, ?2)";
                    tx.execute(sql, (number, page))?;
                    Ok(())
                })
                .unwrap();
        }
        while length() < before + 1_000 * 4_096 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let count = database.read_blocking(|db| {
            Ok(db.query_row("SELECT count(*) FROM catalogues", [], |row| {
                row.get::<_, i64>(0)
            })?)
        });
        assert_eq!(count.unwrap(), 2_000);
    }
}
