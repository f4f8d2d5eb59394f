//! The end of a server: in order, by force, and when the host itself is killed. Nothing is left,
//! ever.

use crate::support::{call, misbehave, started, text};
#[cfg(unix)]
use crate::support::{program, run};
use connections::ConnectionError;
use serde_json::json;

#[tokio::test]
async fn stopping_twice_is_stopping_once_and_nobody_is_told_of_a_loss() {
    let (connection, handler) = started(misbehave(&["ok"])).await;
    let again = connection.clone();
    tokio::join!(connection.stop(), again.stop());
    connection.stop().await;
    assert!(matches!(
        call(&connection, "echo", json!({})).await,
        Err(ConnectionError::ConnectionLost { .. })
    ));
    assert_eq!(*handler.ended.borrow(), None);
}

#[tokio::test]
async fn a_server_that_ignores_every_request_to_end_is_killed() {
    let (connection, _handler) = started(misbehave(&["ignores-eof"])).await;
    let pid = text(call(&connection, "whoami", json!({})).await.unwrap());
    connection.stop().await;
    #[cfg(target_os = "linux")]
    assert!(!crate::support::lives(&pid), "{pid}");
    #[cfg(not(target_os = "linux"))]
    drop(pid);
}

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_stays_when_its_input_ends_is_asked_before_it_is_killed() {
    let script = r#"trap 'echo asked to end >&2; exit 0' TERM; exec 3<&0; "$0" ignores-eof-only <&3 3<&- & exec 3<&-; wait"#;
    let server = program("misbehave");
    let (connection, _handler) = started(run(
        "/bin/sh".into(),
        &["-c", script, server.to_str().unwrap()],
    ))
    .await;
    connection.stop().await;
    assert_eq!(connection.stderr().lines, ["asked to end"]);
}

#[cfg(target_os = "linux")]
mod linux {
    use crate::support::{call, gone, lives, misbehave, started, text, words};
    use serde_json::json;
    use std::process::Stdio;
    use test_servers::process_name::number_of;
    use tokio::io::{AsyncBufReadExt, BufReader};

    /// Says to a copy of this test that it shall be the host.
    const STAND_IN: &str = "MAJORDOMO_TEST_STAND_IN_HOST";

    async fn family(connection: &connections::Connection) -> Vec<String> {
        let pids = words(&text(call(connection, "pids", json!({})).await.unwrap()));
        assert_eq!(
            pids.len(),
            3,
            "itself, a child, and one with a session of its own"
        );
        assert!(pids.iter().all(|pid| lives(pid)));
        pids
    }

    #[tokio::test]
    async fn nothing_is_left_after_a_stop_not_even_what_hid_in_a_session_of_its_own() {
        let (connection, _handler) = started(misbehave(&["orphan"])).await;
        let pids = family(&connection).await;
        connection.stop().await;
        assert!(!pids.iter().any(|pid| lives(pid)), "{pids:?}");
    }

    #[tokio::test]
    async fn nothing_is_left_after_the_last_handle_is_dropped() {
        let (connection, _handler) = started(misbehave(&["orphan"])).await;
        let pids = family(&connection).await;
        drop(connection);
        gone(&pids).await;
    }

    #[tokio::test]
    async fn nothing_is_left_after_a_server_dies_by_itself() {
        let (connection, handler) = started(misbehave(&["orphan"])).await;
        let pids = family(&connection).await;
        kill(number_of(&pids[0]).unwrap()).await;
        assert_eq!(
            handler.end().await,
            "the connection was lost (exit code 137)"
        );
        gone(&pids).await;
    }

    #[tokio::test]
    async fn nothing_is_left_after_the_runtime_of_the_host_is_gone() {
        let (send, receive) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .unwrap();
            let pids = runtime.block_on(async {
                let (connection, _handler) = started(misbehave(&["orphan"])).await;
                let pids = family(&connection).await;
                std::mem::forget(connection);
                pids
            });
            drop(runtime);
            send.send(pids).unwrap();
        });
        gone(&receive.await.unwrap()).await;
    }

    #[tokio::test]
    async fn a_server_holds_nothing_of_the_host_but_its_three_pipes() {
        let (connection, _handler) = started(misbehave(&["ok"])).await;
        let pid = text(call(&connection, "whoami", json!({})).await.unwrap());
        let number = number_of(&pid).unwrap();
        let open: Vec<_> = std::fs::read_dir(format!("/proc/{number}/fd"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(open.len(), 3, "{open:?}");
        connection.stop().await;
    }

    #[tokio::test]
    async fn a_server_does_not_outlive_its_jail() {
        let (connection, handler) = started(misbehave(&["ok"])).await;
        let pid = text(call(&connection, "whoami", json!({})).await.unwrap());
        kill(connection.pid().unwrap()).await;
        assert_eq!(handler.end().await, "the connection was lost");
        gone(&[pid]).await;
    }

    #[tokio::test]
    async fn nothing_is_left_after_the_host_is_killed_with_signal_9() {
        if std::env::var_os(STAND_IN).is_some() {
            return stand_in().await;
        }
        let own = "ending::linux::nothing_is_left_after_the_host_is_killed_with_signal_9";
        let mut host = command(std::env::current_exe().unwrap().to_str().unwrap())
            .args([own, "--exact", "--nocapture"])
            .env(STAND_IN, "1")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(host.stdout.take().unwrap()).lines();
        let pids = loop {
            let line = lines
                .next_line()
                .await
                .unwrap()
                .expect("the stand-in says which processes it started");
            if let Some((_, pids)) = line.split_once("started: ") {
                break words(pids);
            }
        };
        assert!(
            pids.len() == 3 && pids.iter().all(|pid| lives(pid)),
            "{pids:?}"
        );
        host.start_kill().unwrap();
        host.wait().await.unwrap();
        gone(&pids).await;
    }

    /// A host that starts a server, says so, and waits to be killed.
    async fn stand_in() {
        let (connection, _handler) = started(misbehave(&["orphan"])).await;
        let pids = family(&connection).await;
        println!("started: {}", pids.join(" "));
        std::future::pending::<()>().await;
    }

    async fn kill(pid: u32) {
        assert!(
            command("/bin/kill")
                .args(["-9", &pid.to_string()])
                .status()
                .await
                .unwrap()
                .success()
        );
    }

    fn command(program: &str) -> tokio::process::Command {
        let mut command = tokio::process::Command::from(std::process::Command::new(program));
        command.kill_on_drop(true);
        command
    }
}
