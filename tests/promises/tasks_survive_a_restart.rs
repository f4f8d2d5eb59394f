//! A call that its server goes on with as a task is waited for beyond the end of the application,
//! and never made again.

use crate::support::{TestHost, WAIT_TIMEOUT, misbehave};
use api::Outcome;
use host::api::{ErrorCode, HostEvent};
use policy::Decision;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

async fn begun(test: &TestHost, state: &Path) -> protocol::CallId {
    test.add("worker", &[&misbehave(), "modern", state.to_str().unwrap()])
        .await;
    let mut recorder = test.listen();
    let _person = test.person([Decision::once()]);
    let (call, _running) = test.call_later("worker", "work", json!({"end": "never"}));
    recorder.until(|event| matches!(event, HostEvent::CallChanged { call } if call.task.as_deref() == Some("task-1"))).await;
    call
}

/// Lets the task come to its end.
fn finish(state: &Path) {
    let text = std::fs::read_to_string(state).unwrap();
    std::fs::write(state, text.replace("never", "completed")).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_goes_on_while_the_application_is_ended_and_its_end_is_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tasks.json");
    let test = TestHost::new().await;
    begun(&test, &state).await;
    let dir = test.end().await;
    assert!(
        !std::fs::read_to_string(&state)
            .unwrap()
            .contains("cancelled"),
        "ending the application cancels no task"
    );
    finish(&state);
    let test = TestHost::on(dir).await;
    // Its server is started with the host; the task may have come to its end before anyone listens.
    let ended = async {
        while test.outcomes().await != ["done"] {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, ended)
        .await
        .expect("its end is not in the log");
    let rows = test
        .ask(
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 50}),
        )
        .await
        .unwrap();
    let resumed = rows["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["what"] == "task_resumed")
        .count();
    assert_eq!(resumed, 1, "{rows}");
    let tasks: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&state).unwrap()).unwrap();
    assert_eq!(
        tasks.as_object().unwrap().len(),
        1,
        "the call was made once"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_goes_on_while_its_server_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tasks.json");
    let test = TestHost::new().await;
    let call = begun(&test, &state).await;
    let asked = test.host.running()[0].since;
    let mut recorder = test.listen();
    test.ask("disable_server", json!({"server": "worker"}))
        .await
        .unwrap();
    recorder
        .until(|event| {
            matches!(
                event,
                HostEvent::CallEnded {
                    outcome: Outcome::Interrupted,
                    ..
                }
            )
        })
        .await;
    finish(&state);
    test.ask(
        "enable_server",
        json!({"server": "worker", "reviewed": null}),
    )
    .await
    .unwrap();
    // How long it takes is still counted from when it was asked for.
    recorder.until(|event| matches!(event, HostEvent::CallChanged { call: again } if again.call == call && again.since == asked)).await;
    recorder.until(|event| matches!(event, HostEvent::CallEnded { call: ended, outcome: Outcome::Done } if *ended == call)).await;
}

/// How often its server was asked about the task.
fn asked(state: &Path) -> u64 {
    let tasks: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(state).unwrap()).unwrap();
    tasks["task-1"]["asked"].as_u64().unwrap()
}

/// The same server, started in another way.
fn otherwise(state: &Path) -> serde_json::Value {
    let args = ["modern", state.to_str().unwrap(), "otherwise"];
    json!({"kind": "stdio", "command": misbehave(), "args": args})
}

/// Nobody knows what became of the call, a person is shown that, and its server was not asked.
async fn is_given_up(test: &TestHost, call: &protocol::CallId, state: &Path, before: u64) {
    let unknown = test.host.snapshot().await.unknown;
    assert_eq!(
        unknown.iter().map(|one| &one.call).collect::<Vec<_>>(),
        [call]
    );
    assert_eq!(test.outcomes().await, ["interrupted"]);
    let rows = test
        .ask(
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 50}),
        )
        .await
        .unwrap()
        .to_string();
    assert!(!rows.contains("task_resumed"), "{rows}");
    assert_eq!(asked(state), before, "the other server was asked about it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_not_asked_about_at_a_server_that_was_changed_since() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tasks.json");
    let test = TestHost::new().await;
    let call = begun(&test, &state).await;
    test.ask("disable_server", json!({"server": "worker"}))
        .await
        .unwrap();
    let test = test.again().await;
    finish(&state);
    let before = asked(&state);
    let mut recorder = test.listen();
    let draft = json!({"name": "worker", "target": otherwise(&state)});
    test.ask("edit_server", json!({"server": "worker", "draft": draft}))
        .await
        .unwrap();
    recorder
        .until(|event| matches!(event, HostEvent::UnknownChanged { unknown, .. } if unknown.iter().any(|one| one.call == call)))
        .await;
    test.switch_on("worker").await;
    is_given_up(&test, &call, &state, before).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_not_asked_about_at_another_server_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tasks.json");
    let test = TestHost::new().await;
    let call = begun(&test, &state).await;
    test.ask("disable_server", json!({"server": "worker"}))
        .await
        .unwrap();
    test.ask("remove_server", json!({"server": "worker"}))
        .await
        .unwrap();
    finish(&state);
    let before = asked(&state);
    let test = test.again().await;
    test.add_with("worker", otherwise(&state)).await;
    is_given_up(&test, &call, &state, before).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_ends_when_its_server_is_changed_while_it_works_on_a_task() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tasks.json");
    let test = TestHost::new().await;
    test.add("worker", &[&misbehave(), "modern", state.to_str().unwrap()])
        .await;
    let mut recorder = test.listen();
    let _person = test.person([Decision::once()]);
    let (call, running) = test.call_later("worker", "work", json!({"end": "never"}));
    recorder.until(|event| matches!(event, HostEvent::CallChanged { call } if call.task.as_deref() == Some("task-1"))).await;
    let draft = json!({"name": "worker", "target": otherwise(&state)});
    test.ask("edit_server", json!({"server": "worker", "draft": draft}))
        .await
        .unwrap();
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error.code, ErrorCode::ServerChanged, "{error:?}");
    finish(&state);
    let before = asked(&state);
    test.switch_on("worker").await;
    is_given_up(&test, &call, &state, before).await;
}
