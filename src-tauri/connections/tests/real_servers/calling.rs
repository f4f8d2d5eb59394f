//! Calls: answers of all kinds, progress, cancellation, deadlines, and servers that fail in the
//! middle.

use crate::support::{LIMITS, call, misbehave, permitted, started, started_with, text};
use connections::{ConnectionError, Follow, Limits, Progress};
use protocol::Content;
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn an_answer_comes_back_with_its_structured_content() {
    let (connection, _handler) = started(misbehave(&["ok"])).await;
    let answer = call(&connection, "add", json!({ "a": 2, "b": 3 }))
        .await
        .unwrap();
    assert_eq!(
        (answer.structured, answer.is_error),
        (Some(json!({ "sum": 5.0 })), false)
    );
    connection.stop().await;
}

#[tokio::test]
async fn an_error_of_the_protocol_is_no_answer() {
    let (connection, _handler) = started(misbehave(&["ok"])).await;
    let error = call(&connection, "no-such-tool", json!({}))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, ConnectionError::Server { code: -32_602, message, .. } if message == "no such tool"),
        "{error}"
    );
    connection.stop().await;
}

#[tokio::test]
async fn every_kind_of_content_arrives_even_one_that_nobody_knows() {
    let (connection, _handler) = started(misbehave(&["all-content"])).await;
    let answer = call(&connection, "all", json!({})).await.unwrap();
    let kinds: Vec<_> = answer.content.iter().map(kind).collect();
    assert_eq!(
        kinds,
        [
            "text", "image", "audio", "link", "resource", "resource", "unknown"
        ]
    );
    assert_eq!(answer.structured, Some(json!({ "kinds": 7 })));
    connection.stop().await;
}

fn kind(content: &Content) -> &'static str {
    match content {
        Content::Text { .. } => "text",
        Content::Image { .. } => "image",
        Content::Audio { .. } => "audio",
        Content::ResourceLink { .. } => "link",
        Content::Resource { .. } => "resource",
        Content::Unknown { .. } => "unknown",
    }
}

#[tokio::test]
async fn every_step_of_a_call_is_told_in_order() {
    let (connection, _handler) = started(misbehave(&["ok"])).await;
    let steps = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&steps);
    let progress = Box::new(move |step: Progress| {
        told.lock()
            .unwrap()
            .push((step.progress, step.total, step.message))
    });
    let follow = Follow {
        progress,
        ..Follow::nothing()
    };
    let answer = connection
        .call(permitted("slow", json!({ "ms": 50 })), follow)
        .await
        .unwrap();
    assert_eq!(text(answer), "done");
    let expected: Vec<_> = (1..=10)
        .map(|step| (f64::from(step), Some(10.0), Some(format!("step {step}"))))
        .collect();
    assert_eq!(*steps.lock().unwrap(), expected);
    connection.stop().await;
}

#[tokio::test]
async fn a_cancelled_call_ends_at_once_and_the_server_is_told() {
    let (connection, handler) = started(misbehave(&["hangs-in-call"])).await;
    let cancelled = CancellationToken::new();
    let follow = Follow {
        cancelled: cancelled.clone(),
        ..Follow::nothing()
    };
    let running = tokio::spawn({
        let connection = connection.clone();
        async move { connection.call(permitted("hang", json!({})), follow).await }
    });
    handler.line("hanging in").await;
    cancelled.cancel();
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::Cancelled)
    ));
    handler.line("cancelled").await;
    connection.stop().await;
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_any_more_is_cancelled_too() {
    let (connection, handler) = started(misbehave(&["hangs-in-call"])).await;
    let running = tokio::spawn({
        let connection = connection.clone();
        async move {
            connection
                .call(permitted("hang", json!({})), Follow::nothing())
                .await
        }
    });
    handler.line("hanging in").await;
    running.abort();
    handler.line("cancelled").await;
    connection.stop().await;
}

#[tokio::test]
async fn a_call_without_an_answer_runs_out_of_time_and_the_server_is_told() {
    let limits = Limits {
        call: Duration::from_millis(300),
        ..LIMITS
    };
    let (connection, handler) = started_with(misbehave(&["hangs-in-call"]), limits).await;
    let error = call(&connection, "hang", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::TimedOut { after } if after == limits.call),
        "{error}"
    );
    handler.line("cancelled").await;
    connection.stop().await;
}

#[tokio::test]
async fn a_server_that_dies_in_a_call_ends_the_call_with_its_exit_code_told() {
    let (connection, handler) = started(misbehave(&["dies-in-call"])).await;
    let error = call(&connection, "die", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::ConnectionLost { status: Some(7) }),
        "{error}"
    );
    assert_eq!(handler.end().await, "the connection was lost (exit code 7)");
    assert_eq!(connection.stderr().lines, ["panic: out of ideas"]);
    assert!(matches!(
        call(&connection, "die", json!({})).await,
        Err(ConnectionError::ConnectionLost { status: Some(7) })
    ));
}

#[tokio::test]
async fn a_line_of_64_mib_ends_the_connection() {
    let (connection, handler) = started(misbehave(&["huge-line"])).await;
    let error = call(&connection, "huge", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::MessageTooLong { limit } if limit == 16 * 1024 * 1024),
        "{error}"
    );
    assert_eq!(handler.end().await, "it sent a message of more than 16 MiB");
}
