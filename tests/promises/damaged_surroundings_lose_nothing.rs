//! A data folder that cannot be used is said to be so, with the reason, and stays as it is. What
//! fails while a host runs refuses what it has to, and loses nothing that a person was told counts.

#[cfg(target_os = "linux")]
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

#[cfg(target_os = "linux")]
mod while_it_runs {
    use super::*;
    use crate::support::small_disk::SmallDisk;
    use crate::support::terminal::{Ran, Running, eventually};
    use serde_json::Value;

    /// A host with a server that counts the calls that reach it.
    struct Served {
        terminal: Terminal,
        disk: SmallDisk,
        running: Running,
    }

    impl Served {
        fn new() -> Self {
            let (terminal, disk) = Terminal::on_small_disk();
            Self::on(terminal, disk)
        }

        /// On a disk with room, and nothing between this process and the folder.
        fn in_a_folder() -> Self {
            let terminal = Terminal::new();
            let disk = SmallDisk::of_a_limit(&terminal.beside("disk"));
            Self::on(terminal, disk)
        }

        fn on(terminal: Terminal, disk: SmallDisk) -> Self {
            let calls = terminal.beside("calls");
            let counts = calls.to_str().unwrap();
            for words in [
                &[
                    "servers",
                    "add",
                    "orders",
                    "--no-sandbox",
                    "--",
                    &misbehave(),
                    "counts",
                    counts,
                ][..],
                &["servers", "review", "orders", "--accept", "--yes"],
                &["servers", "enable", "orders", "--yes"],
                &["offers", "approve", "orders", "--all", "--yes"],
            ] {
                let ran = terminal.run(words);
                assert_eq!(ran.code, 0, "{ran:?}");
            }
            let running = serve(&terminal);
            Self {
                terminal,
                disk,
                running,
            }
        }

        /// Begins to order something.
        fn order(&self, what: &str) -> Running {
            let order = format!(r#"{{"order": "{what}"}}"#);
            self.terminal
                .start(&["call", "orders", "place", "--args", &order])
        }

        /// The question that waits, unless the call ends before it is asked.
        fn question(&self, call: &mut Running) -> Option<Value> {
            eventually("neither a question nor an end", || {
                let waiting = self.terminal.json(&["questions", "list"]);
                match waiting.get(0) {
                    Some(question) => Some(Some(question.clone())),
                    None => call.has_ended().then_some(None),
                }
            })
        }

        fn answer(&self, question: &Value, word: &str) -> Ran {
            let (id, token) = (
                question["id"].as_str().unwrap(),
                self.terminal.beside("token"),
            );
            let token = token.to_str().unwrap();
            self.terminal.run(&[
                "questions",
                "answer",
                id,
                word,
                "--approver-token-file",
                token,
            ])
        }

        /// What has reached the server.
        fn placed(&self) -> Vec<String> {
            let text = fs::read_to_string(self.terminal.beside("calls")).unwrap_or_default();
            let order = |line: &str| line.strip_prefix("place ").unwrap().to_owned();
            text.lines().map(order).collect()
        }

        /// How the calls of this server ended, oldest first.
        fn outcomes(&self) -> Vec<String> {
            let page = self
                .terminal
                .json(&["audit", "list", "--server", "orders", "--limit", "500"]);
            let rows = page["rows"].as_array().unwrap().iter().rev();
            rows.filter(|row| row["what"] == "call")
                .map(|row| row["outcome"].as_str().unwrap().to_owned())
                .collect()
        }

        /// Everything is in the log, nothing waits, and nothing was placed that is not said here,
        /// also after the host was killed.
        fn ends_with(self, placed: &[String]) {
            assert_eq!(self.placed(), placed);
            let served = self.again();
            let waiting = served.terminal.json(&["questions", "list"]);
            assert_eq!(waiting, serde_json::json!([]));
            assert_eq!(served.placed(), placed, "something ran twice");
            let outcomes = served.outcomes();
            let done = outcomes.iter().filter(|how| *how == "done").count();
            assert_eq!(done, placed.len(), "{outcomes:?}");
            let verified = served.terminal.run(&["audit", "verify"]);
            assert_eq!(verified.code, 0, "{verified:?}");
        }

        /// Kills the host and starts it again.
        fn again(mut self) -> Self {
            self.running.kill();
            self.running = serve(&self.terminal);
            self
        }
    }

    fn serve(terminal: &Terminal) -> Running {
        let token = terminal.beside("token");
        terminal
            .serve(&["--approver-token-file", token.to_str().unwrap()])
            .0
    }

    /// Whether it says that the disk is full; where there is only a limit for files, the database
    /// has another word for it.
    fn is_full(disk: &SmallDisk, ran: &Ran) -> bool {
        let says = |words: &str| ran.err.contains(words);
        ran.code != 0 && (says("disk is full") || !disk.is_mounted() && says("cannot be written"))
    }

    #[test]
    fn a_disk_that_is_full_at_any_write_of_a_call_refuses_it_and_loses_no_answer() {
        let served = Served::new();
        let step = if served.disk.is_mounted() { 4 } else { 64 } * 1024;
        // What a person was told of each order: that it was placed, or that it was not.
        let (mut placed, mut not_placed) = (Vec::new(), Vec::new());
        for round in 0.. {
            let what = format!("tea-{round}");
            served.disk.leave(round * step, &served.running);
            let mut call = served.order(&what);
            let mut was_full = true;
            if let Some(question) = served.question(&mut call) {
                let answered = served.answer(&question, "allow");
                was_full = answered.code != 0;
                if was_full {
                    assert!(is_full(&served.disk, &answered), "{answered:?}");
                    let waiting = served.terminal.json(&["questions", "list"]);
                    assert_eq!(waiting[0]["id"], question["id"], "it is gone");
                    served.disk.free(&served.running);
                    let answered = served.answer(&question, "allow");
                    assert_eq!(answered.code, 0, "{answered:?}");
                }
            }
            let ended = call.ended();
            if ended.code == 0 {
                placed.push(what);
            } else {
                assert!(is_full(&served.disk, &ended), "{ended:?}");
                was_full = true;
                not_placed.push(what);
            }
            served.disk.free(&served.running);
            if !was_full {
                break;
            }
        }
        assert!(
            !not_placed.is_empty() && placed.len() > 1,
            "{placed:?} {not_placed:?}"
        );
        // With room again, without a restart.
        let mut call = served.order("coffee");
        let question = served.question(&mut call).unwrap();
        assert_eq!(served.answer(&question, "allow").code, 0);
        assert_eq!(call.ended().code, 0);
        placed.push("coffee".to_owned());
        served.ends_with(&placed);
    }

    #[test]
    fn while_another_program_writes_to_the_database_no_answer_is_taken_and_none_is_lost() {
        let served = Served::in_a_folder();
        let mut call = served.order("tea");
        let question = served.question(&mut call).unwrap();
        // Who writes holds a lock on this file that goes with no other.
        let path = database(&served.terminal.dir()).with_extension("db-shm");
        let held = File::options().read(true).open(path).unwrap();
        rustix::fs::fcntl_lock(&held, rustix::fs::FlockOperation::LockShared).unwrap();
        let refused = served.answer(&question, "allow");
        assert!(
            refused.code != 0 && refused.err.contains("locked"),
            "{refused:?}"
        );
        let waiting = served.terminal.json(&["questions", "list"]);
        assert_eq!(waiting[0]["id"], question["id"], "it is gone");
        let second = served.order("coffee").ended();
        assert!(
            second.code != 0 && second.err.contains("locked"),
            "{second:?}"
        );
        assert_eq!(served.placed(), [""; 0]);
        drop(held);
        assert_eq!(served.answer(&question, "allow").code, 0);
        assert_eq!(call.ended().code, 0);
        served.ends_with(&["tea".to_owned()]);
    }

    #[test]
    fn a_full_disk_keeps_a_server_and_a_host_from_starting_until_there_is_room() {
        let served = Served::new();
        served.disk.leave(0, &served.running);
        let off = served.terminal.run(&["servers", "disable", "orders"]);
        assert!(is_full(&served.disk, &off), "{off:?}");
        served.disk.free(&served.running);
        for words in [
            &["servers", "disable", "orders"][..],
            &["servers", "enable", "orders", "--yes"],
        ] {
            let ran = served.terminal.run(words);
            assert_eq!(ran.code, 0, "{ran:?}");
        }
        if !served.disk.is_mounted() {
            return;
        }
        let Served {
            terminal,
            disk,
            running,
        } = served;
        // It leaves nothing behind in which the next one could write.
        assert_eq!(running.end(), 0);
        disk.fill_but(0);
        let token = terminal.beside("token");
        let refused = terminal.run(&["serve", "--approver-token-file", token.to_str().unwrap()]);
        assert!(is_full(&disk, &refused), "{refused:?}");
        disk.make_room();
        let running = serve(&terminal);
        let served = Served {
            terminal,
            disk,
            running,
        };
        assert_eq!(served.terminal.run(&["audit", "verify"]).code, 0);
    }
}

mod clock {
    use super::*;
    use crate::support::{Choices, TERMINAL};
    use host::Clock;
    use host::api::LogReport;
    use policy::{Decision, Refusal};
    use protocol::Timestamp;
    use serde_json::{Value, json};
    use std::sync::atomic::{AtomicI64, Ordering};
    use std::time::Duration;

    /// A host with a server that counts, on a clock that a test sets.
    async fn counting(clock: &Arc<AtomicI64>) -> (TestHost, TempDir) {
        let beside = tempfile::tempdir().unwrap();
        let choices = Choices {
            clock: Clock::Fixed(clock.clone()),
            ..Choices::default()
        };
        let test = TestHost::with(choices).await;
        let calls = beside.path().join("calls");
        test.add("orders", &[&misbehave(), "counts", calls.to_str().unwrap()])
            .await;
        (test, beside)
    }

    fn placed(beside: &TempDir) -> Vec<String> {
        let text = fs::read_to_string(beside.path().join("calls")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn now() -> Arc<AtomicI64> {
        Arc::new(AtomicI64::new(1_795_000_000_000))
    }

    async fn order(
        test: &TestHost,
        what: &str,
    ) -> tokio::task::JoinHandle<Result<Value, host::HostError>> {
        let (_, call) = test.call_later("orders", "place", json!({ "order": what }));
        test.until_waiting().await;
        call
    }

    /// After a restart everything is in the log, and nothing waits.
    async fn over(test: TestHost, clock: &Arc<AtomicI64>, outcomes: &[&str]) {
        let choices = Choices {
            clock: Clock::Fixed(clock.clone()),
            ..Choices::default()
        };
        let test = test.again_with(choices).await;
        assert_eq!(test.outcomes().await, outcomes);
        assert!(test.host.waiting().is_empty());
        let report: LogReport = test.get("verify_log", Value::Null).await;
        assert!(matches!(report, LogReport::Intact { .. }), "{report:?}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_clock_that_is_set_back_or_forward_loses_no_answer_and_revives_none() {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        let clock = now();
        let (test, beside) = counting(&clock).await;
        // Back, while a question waits.
        let call = order(&test, "tea").await;
        let question = test.host.waiting().remove(0);
        clock.fetch_sub(40 * DAY, Ordering::Relaxed);
        test.host
            .answer(&question.id, Decision::once(), TERMINAL)
            .await
            .unwrap();
        call.await.unwrap().unwrap();
        // Forward: nobody can have meant it for so long.
        let call = order(&test, "coffee").await;
        let question = test.host.waiting().remove(0);
        clock.fetch_add(80 * DAY, Ordering::Relaxed);
        let late = test
            .host
            .answer(&question.id, Decision::once(), TERMINAL)
            .await;
        assert_eq!(code(late), ErrorCode::UnknownQuestion);
        let refused = call.await.unwrap().unwrap_err();
        assert_eq!(refused.refusal, Some(Refusal::NobodyAnswered));
        // And back again.
        clock.fetch_sub(40 * DAY, Ordering::Relaxed);
        let call = order(&test, "cake").await;
        let question = test.host.waiting().remove(0);
        assert!(
            question.expires_at
                > Timestamp(clock.load(Ordering::Relaxed)).plus(Duration::from_secs(60))
        );
        test.host
            .answer(&question.id, Decision::once(), TERMINAL)
            .await
            .unwrap();
        call.await.unwrap().unwrap();
        let expected = ["place tea", "place cake"];
        assert_eq!(placed(&beside), expected);
        over(test, &clock, &["done", "refused", "done"]).await;
        assert_eq!(placed(&beside), expected);
    }
}
