//! A server that fails is started again by itself, as long as that makes sense, and says why it
//! does not run.

use crate::support::{Choices, TestHost, misbehave, text};
use host::api::{ErrorCode, HostEvent, ServerState};
use host::{Limits, Restart};
use policy::Decision;
use serde_json::json;
use std::time::Duration;

/// A host that has little patience to wait, and as much to try.
fn quick(times: u32) -> Choices {
    let first = Duration::from_millis(20);
    Choices {
        restart: Restart {
            first,
            longest: 2 * first,
            times,
        },
        ..Choices::default()
    }
}

/// A host that waits longer before it tries again than any test lasts.
fn slow() -> Choices {
    let first = Duration::from_secs(3600);
    Choices {
        restart: Restart {
            first,
            longest: first,
            times: 5,
        },
        ..Choices::default()
    }
}

fn state_of(event: &HostEvent, name: &str, is: impl Fn(&ServerState) -> bool) -> bool {
    matches!(event, HostEvent::ServerChanged { server } if server.id.as_str() == name && is(&server.state))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_is_started_again_and_answers_the_next_call() {
    let test = TestHost::with(quick(3)).await;
    test.add("dies", &[&misbehave(), "dies-in-call"]).await;
    let mut recorder = test.listen();
    let _person = test.person([Decision::for_conversation(), Decision::for_conversation()]);
    let lost = test.call("dies", "die", json!({})).await.unwrap_err();
    assert_eq!(lost.code, ErrorCode::ConnectionLost);
    recorder
        .until(|event| {
            state_of(event, "dies", |state| {
                matches!(state, ServerState::Waiting { failures: 1, .. })
            })
        })
        .await;
    recorder
        .until(|event| state_of(event, "dies", |state| *state == ServerState::Ready))
        .await;
    assert_eq!(
        text(
            &test
                .call("dies", "echo", json!({"text": "again"}))
                .await
                .unwrap()
        ),
        "again"
    );
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_call_right_after_the_end_of_a_server_is_not_sent_to_what_is_left_of_it() {
    let test = TestHost::with(quick(3)).await;
    // What is still to be read of the other words keeps the end from being noted for a while.
    let script = format!("(yes >&2 &); exec '{}' dies-in-call", misbehave());
    test.add("noisy", &["/bin/sh", "-c", &script]).await;
    let _person = test.person([Decision::for_conversation(), Decision::for_conversation()]);
    let lost = test.call("noisy", "die", json!({})).await.unwrap_err();
    assert_eq!(lost.code, ErrorCode::ConnectionLost);
    let answer = test.call("noisy", "echo", json!({"text": "again"})).await;
    assert_eq!(text(&answer.unwrap()), "again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_again_and_again_is_left_alone_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("runs");
    std::fs::write(&flag, "").unwrap();
    let test = TestHost::with(quick(3)).await;
    // Runs as long as the flag is there.
    let script = format!(
        "test -e '{}' && exec '{}' dies-in-call; echo gone >&2; exit 3",
        flag.display(),
        misbehave()
    );
    test.add("fickle", &["/bin/sh", "-c", &script]).await;
    std::fs::remove_file(&flag).unwrap();
    let mut recorder = test.listen();
    let _person = test.person([Decision::once()]);
    assert!(test.call("fickle", "die", json!({})).await.is_err());
    recorder
        .until(|event| {
            state_of(event, "fickle", |state| {
                matches!(state, ServerState::Waiting { failures: 3, .. })
            })
        })
        .await;
    recorder
        .until(|event| {
            state_of(event, "fickle", |state| {
                matches!(state, ServerState::Failed { .. })
            })
        })
        .await;
    let ServerState::Failed { error, stderr } = test.state("fickle").await else {
        panic!("it runs")
    };
    assert_eq!(
        (error.code, stderr.as_slice()),
        (ErrorCode::ExitedAtStart, &["gone".to_owned()][..])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_a_server_that_waits_to_be_started_again_starts_it_at_once() {
    let test = TestHost::with(slow()).await;
    test.add("dies", &[&misbehave(), "dies-in-call"]).await;
    let mut recorder = test.listen();
    let _person = test.person([Decision::once(), Decision::once()]);
    assert!(test.call("dies", "die", json!({})).await.is_err());
    recorder
        .until(|event| {
            state_of(event, "dies", |state| {
                matches!(state, ServerState::Waiting { .. })
            })
        })
        .await;
    assert_eq!(
        text(
            &test
                .call("dies", "echo", json!({"text": "now"}))
                .await
                .unwrap()
        ),
        "now"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_switched_off_while_it_waited_stays_off() {
    let test = TestHost::with(quick(3)).await;
    test.add("dies", &[&misbehave(), "dies-in-call"]).await;
    let mut recorder = test.listen();
    let _person = test.person([Decision::once()]);
    assert!(test.call("dies", "die", json!({})).await.is_err());
    recorder
        .until(|event| {
            state_of(event, "dies", |state| {
                matches!(state, ServerState::Waiting { .. })
            })
        })
        .await;
    test.ask("disable_server", json!({"server": "dies"}))
        .await
        .unwrap();
    // On a busy machine it may have been started once more before that.
    let mut recorder = test.listen();
    let waited = tokio::time::timeout(Duration::from_millis(300), async {
        recorder
            .until(|event| {
                state_of(event, "dies", |state| {
                    matches!(state, ServerState::Starting | ServerState::Ready)
                })
            })
            .await;
    });
    assert!(waited.await.is_err(), "it was started");
    assert_eq!(test.state("dies").await, ServerState::Off);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_has_to_mend_first_is_not_tried_again() {
    let test = TestHost::with(quick(3)).await;
    test.add_with(
        "nowhere",
        json!({"kind": "stdio", "command": "/no/such/program", "args": []}),
    )
    .await;
    let ServerState::Failed { error, .. } = test.state("nowhere").await else {
        panic!("it waits")
    };
    assert_eq!(error.code, ErrorCode::CommandNotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_answers_nothing_any_more_is_ended_and_started_again() {
    let quick = quick(3);
    let limits = Limits {
        call: Duration::from_millis(300),
        list: Duration::from_millis(300),
        ..quick.limits
    };
    let test = TestHost::with(Choices { limits, ..quick }).await;
    test.add("freezes", &[&misbehave(), "freezes-in-call"])
        .await;
    let mut recorder = test.listen();
    let _person = test.person([Decision::once(), Decision::once()]);
    assert_eq!(
        test.call("freezes", "freeze", json!({}))
            .await
            .unwrap_err()
            .code,
        ErrorCode::TimedOut
    );
    recorder
        .until(|event| {
            state_of(event, "freezes", |state| {
                matches!(state, ServerState::Waiting { .. })
            })
        })
        .await;
    recorder
        .until(|event| state_of(event, "freezes", |state| *state == ServerState::Ready))
        .await;
    assert_eq!(
        text(
            &test
                .call("freezes", "echo", json!({"text": "thawed"}))
                .await
                .unwrap()
        ),
        "thawed"
    );
}
