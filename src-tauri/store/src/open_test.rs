//! Opening and closing a data folder: what is found there is never harmed.

use crate::db::Commit;
use crate::testing::{Home, fill, grant, make_grant, noted, server, tool};
use crate::{Durability, Event, StoreError, db};
use policy::Scope;
use rusqlite::Connection;
use std::fs;

/// Opening fails in the expected way, and the database is byte for byte what it was.
async fn check_untouched(home: &Home, expected: fn(&StoreError) -> bool) {
    let before = fs::read(home.dir().join(db::FILE)).unwrap();
    let error = home.open_without_keyring().await.err().expect("it opened");
    assert!(expected(&error), "{error:?}");
    assert_eq!(fs::read(home.dir().join(db::FILE)).unwrap(), before);
}

async fn used_home() -> Home {
    let home = Home::new();
    let store = home.open().await;
    make_grant(&store, &grant("files", Scope::Workspace, 1)).await;
    store.close().await;
    home
}

#[tokio::test]
async fn a_second_host_is_kept_out_until_the_first_has_closed() {
    let home = Home::new();
    let first = home.open().await;
    assert!(
        matches!(home.open_without_keyring().await, Err(StoreError::AlreadyOpen { dir }) if dir == home.dir())
    );
    first.close().await;
    home.open_without_keyring().await.unwrap();
}

#[tokio::test]
async fn after_closing_nothing_can_be_written() {
    let home = Home::new();
    let store = home.open().await;
    store.close().await;
    store.close().await;
    assert!(matches!(
        store
            .grants()
            .insert(grant("files", Scope::Workspace, 1))
            .await,
        Err(StoreError::Closed)
    ));
    assert!(matches!(
        store
            .audit()
            .append(noted(Event::HostStopped), Durability::Grouped),
        Err(StoreError::Closed)
    ));
    assert!(matches!(
        store.audit().append_synced(noted(Event::HostStopped)).await,
        Err(StoreError::Closed)
    ));
}

#[tokio::test]
async fn what_was_answered_survives_a_crash() {
    let home = Home::new();
    let store = home.open().await;
    make_grant(&store, &grant("files", Scope::Workspace, 1)).await;
    drop(store);
    assert_eq!(home.open().await.grants().live().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_database_from_a_newer_version_is_left_alone() {
    let home = used_home().await;
    Connection::open(home.dir().join(db::FILE))
        .unwrap()
        .pragma_update(None, "user_version", 999)
        .unwrap();
    check_untouched(&home, |error| {
        matches!(
            error,
            StoreError::Newer {
                found: 999,
                known
            } if *known < 999
        )
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone() {
    let home = Home::new();
    fs::write(
        home.dir().join(db::FILE),
        "a shopping list, perhaps\n".repeat(99),
    )
    .unwrap();
    check_untouched(&home, |error| matches!(error, StoreError::Damaged { .. })).await;
}

#[tokio::test]
async fn a_damaged_table_is_an_error_and_not_an_empty_list() {
    let home = used_home().await;
    let database = Connection::open(home.dir().join(db::FILE)).unwrap();
    database
        .execute("UPDATE grants SET body = '{'", [])
        .unwrap();
    drop(database);
    let store = home.open().await;
    assert!(matches!(
        store.grants().live().await,
        Err(StoreError::Damaged { .. })
    ));
}

#[tokio::test]
async fn a_database_that_another_program_holds_is_said_to_be_locked() {
    let home = used_home().await;
    let other = Connection::open(home.dir().join(db::FILE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    check_untouched(&home, |error| matches!(error, StoreError::Locked)).await;
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(home.open().await.grants().live().await.unwrap().len(), 1);
}

#[tokio::test]
async fn without_its_database_the_log_is_still_there() {
    let home = Home::new();
    let store = home.open_without_keyring().await.unwrap();
    fill(&store.audit(), 10);
    store.close().await;
    drop(store);
    fs::remove_file(home.dir().join(db::FILE)).unwrap();

    let store = home.open_without_keyring().await.unwrap();
    assert_eq!(
        store
            .audit()
            .activity(Default::default(), None, 100)
            .await
            .unwrap()
            .rows
            .len(),
        5
    );
}

#[cfg(unix)]
mod permissions {
    use super::*;
    use crate::Store;
    use crate::testing::{absent, options};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::Command;

    const FOLDER: &str = "MAJORDOMO_TEST_READ_ONLY_FOLDER";
    const NOBODY: u32 = 65_534;

    #[tokio::test]
    async fn the_data_folder_is_for_its_user_only() {
        let home = Home::new();
        let dir = home.dir().join("deep/data");
        let store = Store::open(options(&dir, absent())).await.unwrap();
        for folder in [store.dir(), &store.audit().dir()] {
            assert_eq!(
                fs::metadata(folder).unwrap().permissions().mode() & 0o777,
                0o700
            );
        }
    }

    async fn check(dir: &Path) {
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap()
        };
        Store::open(options(dir, absent()))
            .await
            .unwrap()
            .close()
            .await;
        let before = fs::read(dir.join(db::FILE)).unwrap();

        mode(&dir.join(db::FILE), 0o400);
        let error = Store::open(options(dir, absent()))
            .await
            .err()
            .expect("it opened a file that cannot be written");
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");

        mode(&dir.join(db::FILE), 0o600);
        fs::remove_file(dir.join("lock")).unwrap();
        mode(dir, 0o500);
        let error = Store::open(options(dir, absent()))
            .await
            .err()
            .expect("it opened a folder that cannot be written");
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
        mode(dir, 0o700);
        assert_eq!(fs::read(dir.join(db::FILE)).unwrap(), before);
        Store::open(options(dir, absent())).await.unwrap();
    }

    /// The superuser may write anywhere, so this runs as somebody else: as `nobody`, if this
    /// process is the superuser's.
    #[tokio::test]
    async fn a_read_only_folder_or_database_is_said_to_be_so() {
        if let Some(dir) = std::env::var_os(FOLDER) {
            return check(Path::new(&dir)).await;
        }
        let home = Home::new();
        if fs::metadata(home.dir()).unwrap().uid() != 0 {
            return check(&home.dir().join("data")).await;
        }
        fs::set_permissions(home.dir(), fs::Permissions::from_mode(0o777)).unwrap();
        // The build folder may be one that only the superuser can enter.
        let program = home.dir().join("test");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        let ran = Command::new(program)
            .args([
                "--exact",
                "open_test::permissions::a_read_only_folder_or_database_is_said_to_be_so",
                "--nocapture",
            ])
            .env(FOLDER, home.dir().join("data"))
            .current_dir(home.dir())
            .uid(NOBODY)
            .gid(NOBODY)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout).into_owned()
            + &String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    }
}

#[tokio::test]
async fn a_database_without_room_says_so_keeps_what_it_has_and_goes_on_when_there_is_room() {
    let home = Home::new();
    let store = home.open().await;
    let limit = |pages: u32| {
        store.tools().db.write_blocking(Commit::Durable, move |tx| {
            tx.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
            Ok(())
        })
    };
    let mut tools = vec![tool("large")];
    tools[0].description = Some("x".repeat(100_000));
    store
        .tools()
        .save(&server("files"), vec![tool("small")])
        .await
        .unwrap();
    limit(1).unwrap();
    let refused = store.tools().save(&server("files"), tools.clone()).await;
    assert!(
        matches!(refused, Err(StoreError::DiskFull { .. })),
        "{refused:?}"
    );
    let kept = store.tools().load(&server("files")).await.unwrap();
    assert_eq!(kept, [tool("small")]);
    limit(1_000_000).unwrap();
    store
        .tools()
        .save(&server("files"), tools.clone())
        .await
        .unwrap();
    assert_eq!(store.tools().load(&server("files")).await.unwrap(), tools);
}
