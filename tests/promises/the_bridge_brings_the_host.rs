//! An application that finds no host running brings one, without a window. It outlives whoever
//! brought it, ends when nobody uses it, and makes way for the window.

use crate::support::processes::{marked, wait_until_none};
use crate::support::terminal::{Running, Terminal, eventually};
use crate::support::{Choices, options, programs};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

const NOBODY: u32 = 65_534;

/// A data folder with an application that may come in. No host runs.
fn with_editor() -> Terminal {
    let terminal = Terminal::new();
    terminal.json(&["clients", "add", "Editor", "--yes"]);
    terminal
}

/// An application that has come in and was greeted.
fn come_in(terminal: &Terminal) -> Running {
    let mut bridge = terminal.start_typing(&["bridge", "--client", "editor"]);
    greet(&mut bridge);
    bridge
}

fn greet(bridge: &mut Running) {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    bridge.type_in(&format!("{hello}\n"));
    let begun: Value = serde_json::from_str(&bridge.line()).unwrap();
    assert_eq!(begun["result"]["serverInfo"]["name"], "majordomo");
}

/// The hosts that run on a folder.
fn hosts(dir: &Path) -> Vec<u32> {
    let on_folder = marked(dir.to_str().unwrap()).into_iter();
    let serves = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == b"serve")
    };
    on_folder.filter(serves).collect()
}

/// Ends the hosts on a folder and waits until they have.
fn end(dir: &Path) {
    for host in hosts(dir) {
        let pid = Pid::from_raw(host.cast_signed()).unwrap();
        // It may have ended by itself.
        let _ = kill_process(pid, Signal::TERM);
    }
    wait_until_none(dir.to_str().unwrap());
}

#[test]
fn an_application_that_closes_its_input_after_its_answers_is_told_of_no_fault() {
    let terminal = with_editor();
    // Which side is seen to end first differs from time to time.
    for _ in 0..40 {
        let mut bridge = come_in(&terminal);
        bridge.type_in("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n");
        bridge.line();
        bridge.close_input();
        let ran = bridge.ended();
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    end(&terminal.dir());
}

#[test]
fn an_application_that_finds_no_host_brings_one_that_outlives_it() {
    let terminal = with_editor();
    let bridge = come_in(&terminal);
    let brought = hosts(&terminal.dir());
    assert_eq!(brought.len(), 1);
    bridge.kill();
    // The next one meets the same.
    let mut next = come_in(&terminal);
    assert_eq!(hosts(&terminal.dir()), brought);
    assert!(!next.has_ended());
    next.kill();
    end(&terminal.dir());
}

#[test]
fn several_that_come_at_once_meet_in_one_host() {
    let terminal = with_editor();
    let mut bridges: Vec<_> = (0..4)
        .map(|_| terminal.start_typing(&["bridge", "--client", "editor"]))
        .collect();
    bridges.iter_mut().for_each(greet);
    eventually("several hosts stay", || {
        (hosts(&terminal.dir()).len() == 1).then_some(())
    });
    bridges.into_iter().for_each(Running::kill);
    end(&terminal.dir());
}

#[test]
fn a_host_that_was_brought_ends_once_nobody_uses_it() {
    let (used, unused) = (with_editor(), with_editor());
    let (mut busy, _) = used.serve(&["--while-used=1"]);
    let bridge = come_in(&used);
    let (mut idle, _) = unused.serve(&["--while-used=1"]);
    eventually("it goes on", || idle.has_ended().then_some(()));
    assert!(!busy.has_ended(), "an application is connected");
    bridge.kill();
    eventually("it goes on", || busy.has_ended().then_some(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_makes_way_for_a_window_and_nobody_else_does() {
    let terminal = with_editor();
    let dir = terminal.dir();
    let bridge = come_in(&terminal);
    let options = options(&dir, Choices::default());
    let host = loopback::open_in_place(options.clone());
    let host = host.await.unwrap();
    let ran = bridge.ended();
    assert!(ran.code != 0 && ran.err.contains("ended"), "{ran:?}");
    eventually("it goes on", || hosts(&dir).is_empty().then_some(()));
    let _serving = loopback::serve(host.clone(), None, None).await.unwrap();
    // Who comes now comes to the window's host, and that stays.
    let next = come_in(&terminal);
    let second = loopback::open_in_place(options).await;
    let refused = second.map(drop).unwrap_err();
    assert_eq!(refused.code, host::ErrorCode::AlreadyRunning);
    next.kill();
    host.close().await;
}

#[test]
fn what_is_in_the_way_is_said_and_not_waited_for() {
    // One that may not come in.
    let terminal = with_editor();
    let ran = terminal.run(&["bridge", "--client", "stranger"]);
    assert!(ran.code != 0 && ran.err.contains("application"), "{ran:?}");
    // A host that was killed leaves its note, and is in nobody's way.
    for host in hosts(&terminal.dir()) {
        kill_process(Pid::from_raw(host.cast_signed()).unwrap(), Signal::KILL).unwrap();
    }
    wait_until_none(terminal.dir().to_str().unwrap());
    assert!(terminal.dir().join("host.json").exists());
    come_in(&terminal).kill();
    end(&terminal.dir());
    // A database that cannot be read, and a folder that is none.
    let damaged = with_editor();
    std::fs::write(damaged.dir().join("majordomo.db"), "this is no database").unwrap();
    let ran = damaged.run(&["bridge", "--client", "editor"]);
    assert!(
        ran.code != 0 && !ran.err.is_empty() && ran.out.is_empty(),
        "{ran:?}"
    );
    let file = Terminal::new();
    std::fs::write(file.dir(), "").unwrap();
    let ran = file.run(&["bridge", "--client", "editor"]);
    assert!(
        ran.code != 0 && !ran.err.is_empty() && ran.out.is_empty(),
        "{ran:?}"
    );
}

#[test]
fn another_user_of_the_computer_reaches_nothing() {
    let terminal = with_editor();
    let dir = terminal.dir();
    let (_running, _) = terminal.serve(&[]);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir.join("host.socket")), 0o600);
    assert_eq!(mode(&dir), 0o700);
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // The program where everybody can run it, and a folder that somebody has opened to all.
    let open = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let program = terminal.beside("majordomoctl");
    std::fs::copy(programs().own, &program).unwrap();
    open(dir.parent().unwrap(), 0o755);
    let as_nobody = || {
        let mut command = Command::new(&program);
        command.arg("--data-dir").arg(&dir);
        command.args(["bridge", "--client", "editor"]);
        command.current_dir("/").env_remove("HOME");
        command.uid(NOBODY).gid(NOBODY);
        crate::support::terminal::Ran::of(&mut command)
    };
    let closed = as_nobody();
    open(&dir, 0o777);
    open(&dir.join("host.json"), 0o644);
    open(&dir.join("host.socket"), 0o666);
    let opened = as_nobody();
    for ran in [closed, opened] {
        assert!(ran.code != 0 && ran.out.is_empty(), "{ran:?}");
    }
    assert_eq!(
        terminal.json(&["clients", "list"])["clients"][0]["seen_at"],
        Value::Null
    );
    open(&dir, 0o700);
}
