//! Answers in odd forms and at odd times: none is taken for another, and none is lost. And what
//! anyone can look up about them.

use crate::heard::Heard;
use crate::support::{
    LIMITS, Running, TestHandler, call, misbehave, running, started, started_with, text,
};
use connections::{Connection, ConnectionError, Follow, Limits, StdioStart};
use protocol::{Era, FormResult};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn legacy(words: &[&str]) -> StdioStart {
    StdioStart {
        era: Some(Era::Legacy),
        ..misbehave(words)
    }
}

#[tokio::test]
async fn messages_in_batches_are_all_heard() {
    let mut start = misbehave(&["batches"]);
    let heard = Heard::by(&mut start);
    let (connection, handler) = started(start).await;
    assert_eq!(connection.tools().await.unwrap().len(), 5);
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "whole" }))
                .await
                .unwrap()
        ),
        "whole"
    );
    assert_eq!(*handler.tools_changed.borrow(), 1);
    // The ping of the first call is answered before the server is through with the second.
    call(&connection, "echo", json!({ "text": "again" }))
        .await
        .unwrap();
    while heard.count("answer") < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    connection.stop().await;
}

#[tokio::test]
async fn an_answer_to_what_was_not_asked_or_is_answered_already_is_nobodys() {
    let (connection, _handler) = started(misbehave(&["wrong-ids"])).await;
    for number in 0..20 {
        let said = format!("answer {number}");
        assert_eq!(
            text(
                call(&connection, "echo", json!({ "text": said }))
                    .await
                    .unwrap()
            ),
            said
        );
    }
    connection.stop().await;
}

#[tokio::test]
async fn case_41_answers_are_matched_on_their_own_connection_although_all_count_from_the_same_number()
 {
    let mut connections = Vec::new();
    for _ in 0..3 {
        connections.push(started(misbehave(&["wrong-ids"])).await);
    }
    for number in 0..10 {
        let calls = connections
            .iter()
            .enumerate()
            .map(|(index, (connection, _))| async move {
                let said = format!("{number} of {index}");
                assert_eq!(
                    text(
                        call(connection, "echo", json!({ "text": said }))
                            .await
                            .unwrap()
                    ),
                    said
                );
            });
        futures::future::join_all(calls).await;
    }
    for (connection, _) in connections {
        // What nobody had asked for was dropped, and can be looked up.
        assert!(
            connection
                .exchange()
                .iter()
                .any(|message| !message.sent && message.text.contains("never asked"))
        );
        connection.stop().await;
    }
}

#[tokio::test]
async fn a_second_answer_of_a_modern_server_is_nobodys_either() {
    let (connection, _handler) = started(misbehave(&["modern"])).await;
    for _ in 0..5 {
        assert_eq!(
            text(call(&connection, "steps", json!({})).await.unwrap()),
            "done"
        );
    }
    connection.stop().await;
}

#[tokio::test]
async fn an_answer_that_comes_after_its_call_was_cancelled_disturbs_nobody() {
    let (connection, handler) = started(misbehave(&["late-answers"])).await;
    let cancelled = CancellationToken::new();
    let (_, running) = running(
        &connection,
        "hang",
        json!({}),
        Follow {
            cancelled: cancelled.clone(),
            ..Follow::nothing()
        },
    );
    handler.line("hanging in").await;
    cancelled.cancel();
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::Cancelled)
    ));
    handler.line("answered late").await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "on" }))
                .await
                .unwrap()
        ),
        "on"
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_call_to_a_modern_server_is_cancelled_by_its_number() {
    let (connection, handler) = started(misbehave(&["modern"])).await;
    let cancelled = CancellationToken::new();
    let (_, running) = running(
        &connection,
        "hang",
        json!({}),
        Follow {
            cancelled: cancelled.clone(),
            ..Follow::nothing()
        },
    );
    handler.line("hanging in").await;
    let asked = connection
        .exchange()
        .into_iter()
        .find(|message| message.text.contains(r#""name":"hang""#))
        .unwrap();
    cancelled.cancel();
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::Cancelled)
    ));
    handler
        .line(&format!("cancelled {}", asked.id.unwrap()))
        .await;
    connection.stop().await;
}

#[tokio::test]
async fn a_ping_is_answered_before_the_handshake_is_over_and_later() {
    let (connection, handler) = started(legacy(&["pings"])).await;
    handler.line("before: {}").await;
    assert_eq!(
        text(call(&connection, "any", json!({})).await.unwrap()),
        "{}"
    );
    connection.stop().await;
}

#[tokio::test]
async fn after_a_storm_of_changes_the_list_is_the_last_one() {
    let (connection, handler) = started(misbehave(&["list-changed-storm"])).await;
    assert_eq!(
        text(
            call(&connection, "storm", json!({ "times": 5_000 }))
                .await
                .unwrap()
        ),
        "changed"
    );
    assert_eq!(
        *handler.tools_changed.borrow(),
        5_000,
        "everything before the answer was heard before it"
    );
    assert_eq!(
        connection.tools().await.unwrap()[0].description.as_deref(),
        Some("Changed 5000 times")
    );
    connection.stop().await;
}

/// A server that reads nothing in the middle of a call, until it is let go on.
struct Paused {
    connection: Connection,
    handler: Arc<TestHandler>,
    folder: tempfile::TempDir,
    pause: Running,
}

impl Paused {
    async fn with(limits: Limits, arguments: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (connection, handler) = started_with(
            legacy(&["reads-late", folder.path().join("go").to_str().unwrap()]),
            limits,
        )
        .await;
        let (_, pause) = running(&connection, "pause", arguments, Follow::nothing());
        handler.line("reading nothing").await;
        Self {
            connection,
            handler,
            folder,
            pause,
        }
    }

    /// Makes a call that is longer than what a pipe holds, and waits until it is being written.
    async fn long_call(&self, follow: Follow) -> Running {
        let (id, call) = running(
            &self.connection,
            "length",
            json!({ "text": "x".repeat(LONG) }),
            follow,
        );
        while !self
            .connection
            .exchange()
            .iter()
            .any(|message| message.call.as_ref() == Some(&id))
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        call
    }

    async fn go_on(self) -> Connection {
        std::fs::write(self.folder.path().join("go"), "").unwrap();
        assert_eq!(text(self.pause.await.unwrap().unwrap()), "reading again");
        self.connection
    }
}

const LONG: usize = 1024 * 1024;

#[tokio::test]
async fn a_call_that_is_cancelled_while_it_is_being_written_spoils_no_other() {
    let paused = Paused::with(LIMITS, json!({})).await;
    let cancelled = CancellationToken::new();
    let stuck = paused
        .long_call(Follow {
            cancelled: cancelled.clone(),
            ..Follow::nothing()
        })
        .await;
    cancelled.cancel();
    assert!(matches!(
        stuck.await.unwrap(),
        Err(ConnectionError::Cancelled)
    ));
    let handler = Arc::clone(&paused.handler);
    let connection = paused.go_on().await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "whole" }))
                .await
                .unwrap()
        ),
        "whole"
    );
    handler.line("cancelled").await;
    connection.stop().await;
}

#[tokio::test]
async fn a_call_is_written_whole_although_a_question_ends_meanwhile() {
    let paused = Paused::with(LIMITS, json!({ "message": "Who?" })).await;
    let mut forms = paused.handler.forms();
    let (_, answer) = forms.recv().await.unwrap();
    let long = paused.long_call(Follow::nothing()).await;
    answer.send(FormResult::Decline).unwrap();
    // The answer waits behind the call. What was held by the question goes on now.
    while !paused
        .connection
        .exchange()
        .iter()
        .any(|message| message.id.as_deref() == Some("\"asked\"") && message.sent)
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let connection = paused.go_on().await;
    assert_eq!(text(long.await.unwrap().unwrap()), LONG.to_string());
    connection.stop().await;
}

#[tokio::test]
async fn a_server_that_reads_nothing_can_still_be_stopped() {
    let paused = Paused::with(LIMITS, json!({})).await;
    let stuck = paused.long_call(Follow::nothing()).await;
    paused.connection.stop().await;
    for call in [paused.pause, stuck] {
        assert!(matches!(
            call.await.unwrap(),
            Err(ConnectionError::ConnectionLost { .. })
        ));
    }
}

#[tokio::test]
async fn a_list_that_takes_too_long_is_given_up() {
    let limits = Limits {
        list: Duration::from_millis(300),
        ..LIMITS
    };
    let paused = Paused::with(limits, json!({})).await;
    let error = paused.connection.tools().await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::TimedOut { after } if after == limits.list),
        "{error}"
    );
    paused.go_on().await.stop().await;
}

#[tokio::test]
async fn what_was_said_can_be_looked_up_in_both_directions_with_its_call() {
    for mode in ["ok", "modern"] {
        let (connection, _handler) = started(misbehave(&[mode])).await;
        let (id, running) = running(
            &connection,
            if mode == "ok" { "slow" } else { "steps" },
            json!({ "ms": 10 }),
            Follow::nothing(),
        );
        running.await.unwrap().unwrap();
        let all = connection.exchange();
        assert!(
            all.windows(2)
                .all(|pair| pair[0].number < pair[1].number && pair[0].age >= pair[1].age),
            "{all:#?}"
        );
        let opener = if mode == "ok" {
            "initialize"
        } else {
            "server/discover"
        };
        assert_eq!(
            (all[0].sent, all[0].method.as_deref()),
            (true, Some(opener))
        );
        assert_eq!((all[1].sent, &all[1].id), (false, &all[0].id), "its answer");
        let ours: Vec<_> = all
            .iter()
            .filter(|message| message.call.as_ref() == Some(&id))
            .collect();
        let (asked, answered) = (ours[0], ours[ours.len() - 1]);
        assert_eq!(
            (asked.sent, asked.method.as_deref()),
            (true, Some("tools/call"))
        );
        assert_eq!(
            (answered.sent, answered.method.as_deref(), &answered.id),
            (false, None, &asked.id)
        );
        let steps = &ours[1..ours.len() - 1];
        assert!(
            !steps.is_empty()
                && steps
                    .iter()
                    .all(|step| !step.sent
                        && step.method.as_deref() == Some("notifications/progress"))
        );
        let text: Value = serde_json::from_str(&asked.text).unwrap();
        assert_eq!(
            (asked.bytes, text["method"].as_str()),
            (asked.text.len(), Some("tools/call"))
        );
        connection.stop().await;
    }
}
