//! However the host ends, nothing that it started goes on without it.

use crate::support::processes::{assert_none, mark, marked, wait_until_none};
use crate::support::terminal::{Terminal, eventually};
use crate::support::{TestHost, misbehave};
use serde_json::{Value, json};

/// A server of a kind, with a mark in its environment that everything inherits which it starts.
async fn marked_server(test: &TestHost, name: &str, mode: &str) -> String {
    let mark = mark();
    let env = json!([{"name": "MARK", "value": {"kind": "plain", "text": mark}}]);
    test.add_with(
        name,
        json!({"kind": "stdio", "command": misbehave(), "args": [mode], "env": env}),
    )
    .await;
    assert!(!marked(&mark).is_empty(), "the mark does not show");
    mark
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_switched_off_is_gone_with_all_it_started() {
    let test = TestHost::new().await;
    for mode in ["ok", "orphan", "ignores-eof"] {
        let mark = marked_server(&test, mode, mode).await;
        test.ask("disable_server", json!({"server": mode}))
            .await
            .unwrap();
        assert_none(&mark);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_server_and_one_that_died_leave_nothing() {
    let test = TestHost::new().await;
    let removed = marked_server(&test, "removed", "orphan").await;
    test.ask("remove_server", json!({"server": "removed"}))
        .await
        .unwrap();
    assert_none(&removed);
    let died = marked_server(&test, "died", "orphan").await;
    let _person = test.person([policy::Decision::once()]);
    let pids = crate::support::text(&test.call("died", "pids", json!({})).await.unwrap());
    let server = pids.split(' ').next().unwrap().parse().unwrap();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(server).unwrap(),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    wait_until_none(&died);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_ordinary_end_nothing_is_left() {
    let test = TestHost::new().await;
    let mut marks = Vec::new();
    for mode in ["ok", "orphan", "ignores-eof", "stderr-flood"] {
        marks.push(marked_server(&test, mode, mode).await);
    }
    test.end().await;
    for mark in marks {
        assert_none(&mark);
    }
}

/// A data folder with servers that are on, each with the same mark.
fn furnished(modes: &[&str]) -> (Terminal, String) {
    let (terminal, mark) = (Terminal::new(), mark());
    for mode in modes {
        let env = format!("MARK={mark}");
        for words in [
            &[
                "servers",
                "add",
                mode,
                "--env",
                &env,
                "--",
                &misbehave(),
                mode,
            ][..],
            &["servers", "review", mode, "--yes"],
            &["servers", "enable", mode, "--yes"],
            &["offers", "approve", mode, "--all", "--yes"],
        ] {
            assert_eq!(terminal.run(words).code, 0, "{words:?}");
        }
    }
    // Each of the commands above was a host of its own that has ended.
    assert_none(&mark);
    (terminal, mark)
}

fn all_ready(terminal: &Terminal) {
    eventually("a server does not run", || {
        let servers = terminal.json(&["servers", "list"]);
        let on = servers
            .as_array()?
            .iter()
            .filter(|server| server["on"] == true);
        on.map(|server| server["state"]["kind"] == "ready")
            .reduce(|all, one| all && one)?
            .then_some(())
    });
}

#[test]
fn a_host_that_is_asked_to_end_leaves_nothing_and_says_done() {
    let (terminal, mark) = furnished(&["ok", "orphan", "ignores-eof"]);
    let (running, _) = terminal.serve(&[]);
    all_ready(&terminal);
    assert!(marked(&mark).len() >= 5);
    assert_eq!(running.end(), 0);
    assert_none(&mark);
    assert!(!terminal.dir().join("host.json").exists());
}

#[test]
fn a_host_that_is_killed_leaves_nothing() {
    let (terminal, mark) = furnished(&["ok", "orphan", "ignores-eof"]);
    let (running, _) = terminal.serve(&[]);
    all_ready(&terminal);
    assert!(marked(&mark).len() >= 5);
    running.kill();
    wait_until_none(&mark);
}

#[test]
fn a_host_that_is_killed_during_a_call_leaves_a_log_that_verifies_and_says_interrupted() {
    let (terminal, mark) = furnished(&["hangs-in-call"]);
    let token = terminal.beside("token");
    let (running, _) = terminal.serve(&["--approver-token-file", token.to_str().unwrap()]);
    let call = terminal.start(&["call", "hangs-in-call", "hang"]);
    let question = terminal.question();
    let id = question["id"].as_str().unwrap();
    let answered = terminal.run(&[
        "questions",
        "answer",
        id,
        "allow",
        "--approver-token-file",
        token.to_str().unwrap(),
    ]);
    assert_eq!(answered.code, 0, "{answered:?}");
    eventually("the call did not begin", || {
        let log = terminal.run(&["servers", "logs", "hangs-in-call"]);
        log.out.contains("hanging").then_some(())
    });
    running.kill();
    wait_until_none(&mark);
    assert_ne!(call.ended().code, 0);

    let verified = terminal.run(&["audit", "verify"]);
    assert_eq!(verified.code, 0, "before the next start: {verified:?}");
    let page = terminal.json(&["audit", "list", "--tool", "hang"]);
    let calls: Vec<&Value> = page["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["what"] == "call")
        .collect();
    assert!(
        calls.len() == 1 && calls[0]["outcome"] == "interrupted",
        "{page}"
    );
    let verified = terminal.run(&["audit", "verify"]);
    assert_eq!(verified.code, 0, "after the next start: {verified:?}");
}

#[test]
fn a_killed_host_does_not_keep_the_next_one_out() {
    let (terminal, _) = furnished(&["ok"]);
    let (running, _) = terminal.serve(&[]);
    running.kill();
    // What it left behind says that it runs, and it does not.
    assert!(terminal.dir().join("host.json").exists());
    terminal.json(&["servers", "list"]);
    let (_running, address) = terminal.serve(&[]);
    assert!(address["address"].is_string());
}

#[test]
fn a_killed_hosts_note_is_not_believed_even_if_someone_listens_there_now() {
    let terminal = Terminal::new();
    terminal.json(&["servers", "list"]);
    let stranger = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let note = json!({"port": stranger.local_addr().unwrap().port(), "token": "left behind", "terminal_token": "left behind too"});
    std::fs::write(terminal.dir().join("host.json"), note.to_string()).unwrap();
    terminal.json(&["servers", "list"]);
    stranger.set_nonblocking(true).unwrap();
    if let Ok((mut stream, _)) = stranger.accept() {
        let mut text = String::new();
        let _ = std::io::Read::read_to_string(&mut stream, &mut text);
        assert!(
            !text.contains("left behind"),
            "the stranger was told: {text}"
        );
    }
}
