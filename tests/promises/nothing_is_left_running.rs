//! However the host ends, nothing that it started goes on without it.

use crate::support::processes::{assert_none, mark, marked, wait_until_none};
use crate::support::terminal::{Terminal, eventually};
use crate::support::{TestHost, misbehave};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use test_servers::process_name::number_of;

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
    let server = number_of(pids.split(' ').next().unwrap()).unwrap();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(server.cast_signed()).unwrap(),
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
    let terminal = Terminal::new();
    let mark = furnish(&terminal, modes);
    (terminal, mark)
}

fn furnish(terminal: &Terminal, modes: &[&str]) -> String {
    let mark = mark();
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
            &["servers", "review", mode, "--accept", "--yes"],
            &["servers", "enable", mode, "--yes"],
            &["offers", "approve", mode, "--all", "--yes"],
            &["servers", "runs", mode, "always"],
        ] {
            assert_eq!(terminal.run(words).code, 0, "{words:?}");
        }
    }
    // Each of the commands above was a host of its own that has ended.
    assert_none(&mark);
    mark
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
    let (_running, said) = terminal.serve(&[]);
    assert!(said["pid"].is_number());
}

/// Whether the system lets this user make a PID namespace.
fn has_namespaces() -> bool {
    let user: &[&str] = if rustix::process::geteuid().is_root() {
        &[]
    } else {
        &["--user", "--map-current-user"]
    };
    let mut attempt = Command::new("unshare");
    attempt.args(user).args(["--pid", "--fork", "true"]);
    crate::support::terminal::Ran::of(&mut attempt).code == 0
}

/// What is said to hold a server, to programs and to people.
fn containment(terminal: &Terminal) -> String {
    let list = terminal.json(&["servers", "list"]);
    // Built-in servers that are off have none.
    let mut held = list.as_array().unwrap().iter();
    let held = held.find_map(|server| server["containment"].as_str());
    let held = held.unwrap().to_owned();
    let told = terminal.run(&["servers", "list"]).err;
    let warned = told.contains("may keep running after Majordomo has ended");
    assert_eq!(warned, held == "launcher", "{held}: {told}");
    held
}

/// Waits until a server has tried to break out.
fn has_attacked(mark: &str) {
    eventually("it did not try", || {
        let sleeps = |pid: &u32| {
            std::fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|words| words.starts_with(b"sleep"))
        };
        marked(mark).iter().any(sleeps).then_some(())
    });
}

fn a_server_that_turns_on_its_launcher(mode: &str) {
    if !has_namespaces() {
        // Then it is said.
        let (terminal, mark) = furnished(&["ok"]);
        let (running, _) = terminal.serve(&[]);
        all_ready(&terminal);
        assert_eq!(containment(&terminal), "launcher");
        running.kill();
        return wait_until_none(&mark);
    }
    let (terminal, mark) = furnished(&[mode]);
    let (running, _) = terminal.serve(&[]);
    has_attacked(&mark);
    all_ready(&terminal);
    assert_eq!(containment(&terminal), "namespace");
    running.kill();
    wait_until_none(&mark);
}

#[test]
fn a_server_that_kills_what_started_it_frees_nobody() {
    a_server_that_turns_on_its_launcher("kills-launcher");
}

#[test]
fn a_server_that_stops_what_started_it_frees_nobody() {
    a_server_that_turns_on_its_launcher("stops-launcher");
}

#[test]
fn what_started_a_server_may_be_stopped_by_anybody_and_it_ends_with_the_host() {
    let (terminal, mark) = furnished(&["orphan"]);
    let (running, _) = terminal.serve(&[]);
    all_ready(&terminal);
    for pid in launchers(&mark) {
        let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    }
    running.kill();
    wait_until_none(&mark);
}

/// What started the servers with a mark: whatever is above them and has a lifeline.
fn launchers(mark: &str) -> Vec<u32> {
    let has_lifeline = |pid: &u32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains("--lifeline")
    };
    let parent = |pid: &u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(')')?
            .1
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()
    };
    let mut found = std::collections::BTreeSet::new();
    for pid in marked(mark) {
        let above = std::iter::successors(parent(&pid), parent);
        found.extend(above.take_while(has_lifeline));
    }
    assert!(!found.is_empty());
    found.into_iter().collect()
}

/// The program as it is where the system refuses namespaces: what starts servers may make none.
fn where_namespaces_are_refused() -> (tempfile::TempDir, Terminal) {
    let programs = crate::support::programs();
    let folder = tempfile::tempdir_in(programs.own.parent().unwrap()).unwrap();
    let own = folder.path().join("majordomoctl");
    std::fs::hard_link(&programs.own, &own).unwrap();
    let refuse = if has_namespaces() {
        "exec unshare --user --map-root-user sh -c 'echo 0 > /proc/sys/user/max_pid_namespaces; exec \"$0\" \"$@\"'"
    } else {
        "exec"
    };
    let jail = folder.path().join("majordomo-jail");
    let text = format!("#!/bin/sh\n{refuse} '{}' \"$@\"\n", programs.jail.display());
    std::fs::write(&jail, text).unwrap();
    std::fs::set_permissions(&jail, std::fs::Permissions::from_mode(0o755)).unwrap();
    (folder, Terminal::of(own))
}

#[test]
fn where_no_namespace_can_be_had_the_server_says_so() {
    let (_folder, terminal) = where_namespaces_are_refused();
    let mark = furnish(&terminal, &["ok", "orphan"]);
    let (running, _) = terminal.serve(&[]);
    all_ready(&terminal);
    assert_eq!(containment(&terminal), "launcher");
    running.kill();
    wait_until_none(&mark);
}

#[test]
fn where_no_namespace_can_be_had_a_stopped_launcher_still_ends_with_the_host() {
    let (_folder, terminal) = where_namespaces_are_refused();
    let mark = furnish(&terminal, &["stops-launcher"]);
    let (running, _) = terminal.serve(&[]);
    has_attacked(&mark);
    running.kill();
    wait_until_none(&mark);
}
