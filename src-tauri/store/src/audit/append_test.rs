//! A record is in the log as a whole, or the caller is told that it is not.

use super::segments;
use crate::testing::{Home, fill, noted, opened};
use crate::{Durability, Event};
use api::LogReport;
use protocol::CallId;
use serde_json::json;
use std::fs;

#[tokio::test]
async fn numbers_have_no_gaps_whatever_thread_they_come_from() {
    let home = Home::new();
    let store = home.open().await;
    let mut numbers: Vec<u64> = std::thread::scope(|scope| {
        let append = || {
            (0..100)
                .map(|_| {
                    store
                        .audit()
                        .append(noted(Event::HostStopped), Durability::Grouped)
                        .unwrap()
                        .seq
                })
                .collect::<Vec<u64>>()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(append)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    numbers.sort_unstable();
    assert_eq!(numbers, (2..=401).collect::<Vec<_>>());
    store.close().await;
    assert!(matches!(
        home.verify(),
        LogReport::Intact { records: 402, .. }
    ));
}

#[tokio::test]
async fn a_record_that_was_waited_for_is_whole_in_the_file() {
    let home = Home::new();
    let store = home.open().await;
    store
        .audit()
        .append_synced(noted(Event::HostStopped))
        .await
        .unwrap();
    let audit = store.audit();
    tokio::task::spawn_blocking(move || {
        audit
            .append(noted(Event::HostStopped), Durability::Synced)
            .unwrap()
    })
    .await
    .unwrap();
    assert_eq!(
        fs::read_to_string(home.segment(1)).unwrap().lines().count(),
        3
    );
}

#[tokio::test]
async fn a_full_segment_is_followed_by_the_next() {
    let home = Home::new();
    let store = home.open().await;
    let large = json!({"text": "x".repeat(3 * 1024 * 1024)});
    let appended: Vec<_> = (0..5)
        .map(|_| {
            store
                .audit()
                .append(
                    opened(&CallId::random(), large.clone()),
                    Durability::Grouped,
                )
                .unwrap()
                .seq
        })
        .collect();
    fill(&store.audit(), 2);
    store.close().await;
    drop(store);
    assert_eq!(
        segments::list(&home.dir().join("audit")).unwrap(),
        [1, 2, 3]
    );
    assert!(fs::metadata(home.segment(1)).unwrap().len() <= segments::FULL);
    let LogReport::Intact {
        records: before,
        after_anchor: 0,
        ..
    } = home.verify()
    else {
        panic!("{:?}", home.verify())
    };

    let store = home.open().await;
    assert_eq!(
        store.audit().detail(appended[4]).await.unwrap().arguments,
        Some(crate::testing::map(large))
    );
    store.close().await;
    let LogReport::Intact { records: after, .. } = home.verify() else {
        panic!("{:?}", home.verify())
    };
    assert_eq!(
        after - before,
        6,
        "five calls were ended as interrupted, and the run was sealed"
    );
}

/// What only Unix lets a test do to a file that is open, or to a disk.
#[cfg(unix)]
mod disk {
    use super::*;
    use crate::StoreError;
    use crate::audit::append::Log;
    use crate::audit::chain::Chain;
    use crate::audit::recover::Tail;
    use std::path::Path;

    #[tokio::test]
    async fn a_deleted_or_changed_file_takes_no_more_records() {
        let home = Home::new();
        let store = home.open().await;
        fill(&store.audit(), 2);
        let refused = |how: &str| {
            let outcome = store
                .audit()
                .append(noted(Event::HostStopped), Durability::Grouped);
            assert!(
                matches!(outcome, Err(StoreError::LogNotWritable { .. })),
                "{how}: {outcome:?}"
            );
        };
        let bytes = fs::read(home.segment(1)).unwrap();
        fs::write(home.segment(1), &bytes[..100]).unwrap();
        refused("cut");
        fs::write(home.segment(1), [&bytes[..], b"more"].concat()).unwrap();
        refused("continued by another");
        fs::write(home.segment(1), &bytes).unwrap();
        assert_eq!(
            store
                .audit()
                .append(noted(Event::HostStopped), Durability::Grouped)
                .unwrap()
                .seq,
            4
        );
        fs::remove_file(home.segment(1)).unwrap();
        refused("deleted");
    }

    /// A full disk is made of a limit on the size of files, which a shell sets before it becomes
    /// this very test.
    #[test]
    fn a_full_disk_refuses_the_record_and_keeps_nothing_of_it() {
        const FOLDER: &str = "MAJORDOMO_TEST_FULL_DISK_FOLDER";
        if let Some(folder) = std::env::var_os(FOLDER) {
            return fill_up(Path::new(&folder));
        }
        let folder = tempfile::tempdir().unwrap();
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact audit::append_test::disk::a_full_disk_refuses_the_record_and_keeps_nothing_of_it";
        let ran = std::process::Command::new("sh")
            .args(["-c", script])
            .arg(std::env::current_exe().unwrap())
            .env(FOLDER, folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout).into_owned()
            + &String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    }

    fn fill_up(folder: &Path) {
        let tail = Tail {
            chain: Chain::start(),
            segment: 1,
            length: 0,
            torn: None,
            broken: None,
            began_at: None,
            last_at: None,
            keyed: None,
        };
        let log = Log::open(folder, &tail).unwrap();
        let large = opened(&CallId::random(), json!({"text": "x".repeat(900)}));
        let mut whole = 0;
        let refusal = loop {
            match log.append(&large) {
                Ok(seq) => whole = seq,
                Err(error) => break error,
            }
        };
        assert!(
            matches!(refusal, StoreError::DiskFull { .. }),
            "{refusal:?}"
        );
        assert!(whole > 0);
        let is_whole = || {
            let bytes = segments::read(folder, 1).unwrap();
            let mut chain = Chain::start();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                rest = &rest[chain.take(rest).unwrap()..];
            }
            chain.seq()
        };
        assert_eq!(is_whole(), whole);
        // A smaller one still fits, and takes the number that was not used.
        assert_eq!(log.append(&noted(Event::HostStopped)).unwrap(), whole + 1);
        assert_eq!(is_whole(), whole + 1);
    }
}
