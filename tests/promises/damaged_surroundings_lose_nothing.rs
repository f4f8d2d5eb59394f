//! A data folder that cannot be used is said to be so, with the reason, and stays as it is.

use crate::support::terminal::{Terminal, files};
use crate::support::{TestHost, code, misbehave, open_on};
use host::api::ErrorCode;
use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// A folder in which a host has kept a server.
async fn used() -> Arc<TempDir> {
    let test = TestHost::new().await;
    test.add("kept", &[&misbehave(), "ok"]).await;
    test.end().await
}

fn database(dir: &Path) -> PathBuf {
    dir.join("majordomo.db")
}

/// The host opens again, and what was kept is there.
async fn still_whole(dir: &Path) {
    let host = open_on(dir).await.unwrap();
    assert!(
        host.snapshot()
            .await
            .servers
            .iter()
            .any(|server| server.id.as_str() == "kept")
    );
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_host_on_the_same_folder_is_turned_away() {
    let test = TestHost::new().await;
    assert_eq!(
        code(open_on(test.dir()).await.map(|_| ())),
        ErrorCode::AlreadyRunning
    );
    assert!(test.ask("snapshot", serde_json::Value::Null).await.is_ok());
    let dir = test.end().await;
    open_on(dir.path()).await.unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_a_newer_version_is_left_alone() {
    let dir = used().await;
    let before = fs::read(database(dir.path())).unwrap();
    // SQLite keeps `user_version` in bytes 60 to 63 of its header.
    let patch = |bytes: &[u8]| {
        let mut file = File::options()
            .write(true)
            .open(database(dir.path()))
            .unwrap();
        file.seek(SeekFrom::Start(60)).unwrap();
        file.write_all(bytes).unwrap();
    };
    patch(&999_u32.to_be_bytes());
    let error = open_on(dir.path()).await.map(|_| ()).unwrap_err();
    assert_eq!(error.code, ErrorCode::DatabaseNewer);
    assert!(error.message.contains("999"), "{error}");
    patch(&before[60..64]);
    assert!(
        fs::read(database(dir.path())).unwrap() == before,
        "the file was changed"
    );
    still_whole(dir.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_database_is_named_and_kept_as_it_is() {
    let dir = used().await;
    let good = fs::read(database(dir.path())).unwrap();
    let damaged = [
        b"this was a database once, and now it is a text".repeat(100),
        good[4600..].to_vec(),
    ]
    .concat();
    fs::write(database(dir.path()), &damaged).unwrap();
    assert_eq!(
        code(open_on(dir.path()).await.map(|_| ())),
        ErrorCode::DatabaseDamaged
    );
    assert!(
        fs::read(database(dir.path())).unwrap() == damaged,
        "the file was changed"
    );
    fs::write(database(dir.path()), &good).unwrap();
    still_whole(dir.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_database_the_log_still_opens_and_verifies() {
    let dir = used().await;
    fs::remove_file(database(dir.path())).unwrap();
    let host = open_on(dir.path()).await.unwrap();
    let surface = host::Surface::of(protocol::Caller::terminal(), None);
    let report = host.ask(host::api::VerifyLog {}, &surface).await.unwrap();
    let report = serde_json::json!(report);
    assert_eq!(report["kind"], "intact", "{report}");
    host.close().await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_another_program_holds_is_said_to_be_locked() {
    let terminal = Terminal::new();
    terminal.json(&["servers", "list"]);
    let before = files(&terminal.dir());
    let held = File::options()
        .read(true)
        .write(true)
        .open(database(&terminal.dir()))
        .unwrap();
    rustix::fs::fcntl_lock(&held, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let ran = terminal.run(&["servers", "list"]);
    assert!(ran.code == 1 && ran.err.contains("locked"), "{ran:?}");
    assert!(files(&terminal.dir()) == before, "something was changed");
    drop(held);
    terminal.json(&["servers", "list"]);
}

#[cfg(target_os = "linux")]
mod read_only {
    use super::*;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    const NOBODY: u32 = 65_534;

    /// The superuser may write anywhere, so the program runs as `nobody` where this process is the
    /// superuser's.
    fn listing(terminal: &Terminal, program: &Path) -> crate::support::terminal::Ran {
        let mut command = Command::new(program);
        command
            .arg("--data-dir")
            .arg(terminal.dir())
            .args(["servers", "list"])
            .current_dir("/");
        if fs::metadata(terminal.dir()).unwrap().uid() == NOBODY {
            command.uid(NOBODY).gid(NOBODY);
        }
        crate::support::terminal::Ran::of(&mut command)
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_said_to_be_so() {
        let terminal = Terminal::new();
        terminal.json(&["servers", "list"]);
        // The folder in which the programs were built may be closed to others.
        let program = terminal.beside("majordomoctl");
        fs::copy(crate::support::programs().own, &program).unwrap();
        let above = terminal.dir().parent().unwrap().to_owned();
        if fs::metadata(&above).unwrap().uid() == 0 {
            fs::set_permissions(&above, fs::Permissions::from_mode(0o755)).unwrap();
            for path in [terminal.dir(), terminal.dir().join("audit")]
                .into_iter()
                .chain(files(&terminal.dir()).into_iter().map(|(path, _)| path))
            {
                std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        let before = files(&terminal.dir());
        for path in before.iter().map(|(path, _)| path) {
            fs::set_permissions(path, fs::Permissions::from_mode(0o400)).unwrap();
        }
        fs::set_permissions(terminal.dir(), fs::Permissions::from_mode(0o500)).unwrap();
        let ran = listing(&terminal, &program);
        assert!(
            ran.code == 1 && ran.err.contains("cannot be written"),
            "{ran:?}"
        );
        assert!(files(&terminal.dir()) == before, "something was changed");

        fs::set_permissions(terminal.dir(), fs::Permissions::from_mode(0o700)).unwrap();
        for path in before.iter().map(|(path, _)| path) {
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        assert_eq!(listing(&terminal, &program).code, 0);
    }
}
