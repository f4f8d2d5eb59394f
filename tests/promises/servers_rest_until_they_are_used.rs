//! A server that runs when it is used costs nothing before and after, and is not missed: what it
//! offers is known all the time, its first use starts it, and what it is by then is compared with
//! what was approved before anything goes on.

use crate::support::mcp_client::{McpClient, first_text};
use crate::support::remote::Remote;
use crate::support::terminal::Terminal;
use crate::support::{Choices, EventRecorder, TestHost, code, misbehave, text};
use host::ErrorCode;
use host::api::{HostEvent, ServerState};
use policy::Decision;
use serde_json::{Value, json};
use std::time::Duration;

/// Soon, so that a test sees a server end.
fn impatient() -> Choices {
    Choices {
        idle: Duration::from_millis(200),
        ..Choices::default()
    }
}

async fn until(heard: &mut EventRecorder, name: &str, state: ServerState) {
    let is_meant = |event: &HostEvent| matches!(event, HostEvent::ServerChanged { server } if server.id.as_str() == name && server.state == state);
    heard.until(is_meant).await;
}

/// How often a server was started, in what was told since the last look.
fn starts(heard: &mut EventRecorder) -> usize {
    let (mut starts, mut was_starting) = (0, false);
    for event in heard.heard() {
        if let HostEvent::ServerChanged { server } = &event.event {
            let is_starting = server.state == ServerState::Starting;
            starts += usize::from(is_starting && !was_starting);
            was_starting = is_starting;
        }
    }
    starts
}

async fn served(test: &TestHost) -> loopback::Serving {
    let host = test.host.clone();
    loopback::serve(host, None, None).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_listed_before_it_runs_and_its_first_use_starts_it() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let editor = test.add_client("Editor").await;
    let test = test.again().await;
    let _serving = served(&test).await;
    assert_eq!(test.state("echo").await, ServerState::Idle);
    let mut client = McpClient::begin(&test, &editor, None).await;
    assert_eq!(client.tools().await.len(), 5);
    let listed = test.ask("list_tools", json!({"server": "echo"})).await;
    assert_eq!(listed.unwrap()[0]["standing"]["kind"], "approved");
    assert_eq!(test.state("echo").await, ServerState::Idle);
    let _person = test.person([Decision::once()]);
    let said = client.call("echo__echo", json!({"text": "awake"})).await;
    assert_eq!(first_text(&said.unwrap()), "awake");
    assert_eq!(test.state("echo").await, ServerState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_first_calls_at_once_start_it_once() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always()]);
    let before = test.call("echo", "echo", json!({"text": "before"})).await;
    assert_eq!(text(&before.unwrap()), "before");
    let test = test.again().await;
    let mut heard = test.listen();
    let calls: Vec<_> = (0..12)
        .map(|number| test.call_later("echo", "echo", json!({"text": format!("{number}")})))
        .collect();
    for (_, call) in calls {
        call.await.unwrap().unwrap();
    }
    assert_eq!(starts(&mut heard), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_has_become_is_compared_before_the_first_call_goes_on() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("description");
    std::fs::write(&file, "Reads a file").unwrap();
    test.add(
        "files",
        &[&misbehave(), "described", file.to_str().unwrap()],
    )
    .await;
    let _person = test.person([Decision::always()]);
    let path = json!({"path": "x"});
    test.call("files", "read", path.clone()).await.unwrap();
    let dir = test.end().await;
    std::fs::write(&file, "Reads a file and mails it").unwrap();
    let test = TestHost::on(dir).await;
    assert_eq!(test.state("files").await, ServerState::Idle);
    let refused = test.call("files", "read", path).await;
    assert_eq!(code(refused), ErrorCode::Refused);
    assert_eq!(test.server("files").await.waiting, 1);
    assert_eq!(test.outcomes().await, ["refused", "done"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_started_is_said_to_whoever_uses_it_first() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("server");
    std::fs::copy(misbehave(), &program).unwrap();
    test.add("gone", &[program.to_str().unwrap(), "ok"]).await;
    let dir = test.end().await;
    std::fs::remove_file(&program).unwrap();
    let test = TestHost::on(dir).await;
    assert_eq!(test.state("gone").await, ServerState::Idle);
    let failed = test.call("gone", "echo", json!({"text": "x"})).await;
    assert_eq!(code(failed), ErrorCode::CommandNotFound);
    assert_eq!(test.failure("gone").await.code, ErrorCode::CommandNotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_nobody_has_used_for_a_while_ends_and_the_next_use_starts_it_again() {
    let test = TestHost::with(impatient()).await;
    let mut heard = test.listen();
    test.add_with(
        "echo",
        json!({"kind": "stdio", "command": misbehave(), "args": ["ok"]}),
    )
    .await;
    until(&mut heard, "echo", ServerState::Idle).await;
    let _person = test.person([Decision::always()]);
    for said in ["once", "twice"] {
        let call = test.call("echo", "echo", json!({ "text": said })).await;
        assert_eq!(text(&call.unwrap()), said);
        until(&mut heard, "echo", ServerState::Idle).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_at_an_address_rests_in_the_same_way() {
    let remote = Remote::new("x-nothing").await;
    let test = TestHost::with(impatient()).await;
    let mut heard = test.listen();
    let target = json!({"kind": "http", "url": remote.url});
    test.add_with("remote", target).await;
    until(&mut heard, "remote", ServerState::Idle).await;
    let _person = test.person([Decision::once()]);
    let said = test.call("remote", "tells", json!({})).await.unwrap();
    assert_eq!(text(&said), "you are ");
    until(&mut heard, "remote", ServerState::Idle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_in_use_or_watched_goes_on() {
    let test = TestHost::with(impatient()).await;
    let mut heard = test.listen();
    let server = |args: Value| json!({"kind": "stdio", "command": misbehave(), "args": args});
    test.add_with("offers", server(json!(["resources-and-prompts"])))
        .await;
    test.add_with("echo", server(json!(["ok"]))).await;
    let _person = test.person(std::iter::repeat_with(Decision::always).take(4));
    let listed = test.ask("list_resources", json!({"server": "offers"}));
    let uri = listed.await.unwrap()["resources"][0]["uri"].clone();
    let watch = |on: bool| json!({"server": "offers", "uri": uri, "on": on});
    test.ask("watch_resource", watch(true)).await.unwrap();
    // Much longer than a server may be idle.
    let slow = test.call("echo", "slow", json!({"ms": 1_500})).await;
    assert_eq!(text(&slow.unwrap()), "done");
    until(&mut heard, "echo", ServerState::Idle).await;
    assert_eq!(test.state("offers").await, ServerState::Ready);
    test.ask("watch_resource", watch(false)).await.unwrap();
    until(&mut heard, "offers", ServerState::Idle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_offers_beside_tools_is_listed_while_it_rests() {
    let mut test = TestHost::new().await;
    test.add("offers", &[&misbehave(), "resources-and-prompts"])
        .await;
    let editor = test.add_client("Editor").await;
    let (serving, mut before) = (served(&test).await, Vec::new());
    let lists = ["resources/list", "resources/templates/list", "prompts/list"];
    let mut client = McpClient::begin(&test, &editor, None).await;
    for list in lists {
        before.push(client.ask(list, json!({})).await.unwrap());
    }
    drop((client, serving));
    // What it offers is written down beside its start, and may have come too late for the first end.
    for _ in 0..10 {
        test = test.again().await;
        let _serving = served(&test).await;
        let mut client = McpClient::begin(&test, &editor, None).await;
        let mut listed = Vec::new();
        for list in lists {
            listed.push(client.ask(list, json!({})).await.unwrap());
        }
        assert_eq!(listed, before);
        if test.state("offers").await == ServerState::Idle {
            return;
        }
    }
    panic!("it is started whenever somebody asks what it offers");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_to_run_always_runs_from_the_start_and_does_not_end() {
    let test = TestHost::new().await;
    test.add("always", &[&misbehave(), "ok"]).await;
    test.add("rests", &[&misbehave(), "ok"]).await;
    let always = json!({"server": "always", "runs": "always"});
    test.ask("set_runs", always).await.unwrap();
    let test = test.again_with(impatient()).await;
    let mut heard = test.listen();
    if test.state("always").await != ServerState::Ready {
        until(&mut heard, "always", ServerState::Ready).await;
    }
    assert_eq!(test.state("rests").await, ServerState::Idle);
    // The other comes and goes meanwhile.
    let _person = test.person([Decision::once()]);
    test.call("rests", "echo", json!({"text": "x"}))
        .await
        .unwrap();
    until(&mut heard, "rests", ServerState::Idle).await;
    assert_eq!(test.state("always").await, ServerState::Ready);
    let used = json!({"server": "always", "runs": "when_used"});
    test.ask("set_runs", used).await.unwrap();
    until(&mut heard, "always", ServerState::Idle).await;
    let always = json!({"server": "always", "runs": "always"});
    test.ask("set_runs", always).await.unwrap();
    until(&mut heard, "always", ServerState::Ready).await;
}

#[test]
fn the_terminal_shows_and_chooses_when_a_server_runs() {
    let terminal = Terminal::new();
    let shown = terminal.json(&["servers", "runs", "currency"]);
    assert_eq!(shown["runs"], "when_used");
    let chosen = terminal.json(&["servers", "runs", "currency", "always"]);
    assert_eq!(chosen["runs"], "always");
    let ran = terminal.run(&["servers", "runs", "currency"]);
    assert!(ran.out.contains("Always"), "{ran:?}");
}
