//! Servers that ask their host: for folders, for a form, and for things they do not get.

use crate::support::{
    LIMITS, TestHandler, call, misbehave, permitted, started, started_with, text,
};
use connections::{Connection, ConnectionError, Follow, Limits};
use protocol::{Form, FormResult, Root, ToolResult};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

type Running = JoinHandle<Result<ToolResult, ConnectionError>>;

/// Calls a tool that asks a person, and waits until the form is there.
async fn asked(
    connection: &Connection,
    handler: &TestHandler,
    cancelled: CancellationToken,
) -> (Running, Form, oneshot::Sender<FormResult>) {
    let mut forms = handler.asked.lock().unwrap().take().unwrap();
    let connection = connection.clone();
    let follow = Follow {
        cancelled,
        ..Follow::nothing()
    };
    let running = tokio::spawn(async move {
        connection
            .call(permitted("form", json!({ "message": "Who?" })), follow)
            .await
    });
    let (form, answer) = forms.recv().await.unwrap();
    (running, form, answer)
}

#[tokio::test]
async fn a_server_gets_the_folders_and_hears_of_changes() {
    let (connection, handler) = started(misbehave(&["asks-roots"])).await;
    *handler.roots.lock().unwrap() = vec![
        Root {
            uri: "file:///home/a".into(),
            name: Some("a".into()),
        },
        Root {
            uri: "file:///b".into(),
            name: None,
        },
    ];
    let roots: Value =
        serde_json::from_str(&text(call(&connection, "roots", json!({})).await.unwrap())).unwrap();
    assert_eq!(
        roots,
        json!({ "roots": [{ "uri": "file:///home/a", "name": "a" }, { "uri": "file:///b" }] })
    );
    connection.roots_changed().await;
    assert_eq!(
        text(call(&connection, "changes", json!({})).await.unwrap()),
        "1"
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_form_reaches_the_person_in_the_order_of_its_fields_and_the_answer_the_server() {
    let (connection, handler) = started(misbehave(&["elicits"])).await;
    let (running, form, answer) = asked(&connection, &handler, CancellationToken::new()).await;
    assert_eq!(form.message, "Who?");
    let fields: Vec<_> = form.schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(fields, ["name", "age", "colour", "agree"]);
    answer
        .send(FormResult::Accept {
            content: Map::from_iter([("name".to_owned(), json!("Ada"))]),
        })
        .unwrap();
    let heard: Value = serde_json::from_str(&text(running.await.unwrap().unwrap())).unwrap();
    assert_eq!(
        heard,
        json!({ "action": "accept", "content": { "name": "Ada" } })
    );
    connection.stop().await;
}

#[tokio::test]
async fn the_clock_of_a_call_stands_still_while_a_person_is_asked() {
    let limits = Limits {
        call: Duration::from_millis(300),
        call_maximum: Duration::from_millis(300),
        ..LIMITS
    };
    let (connection, handler) = started_with(misbehave(&["elicits"]), limits).await;
    let (running, _form, answer) = asked(&connection, &handler, CancellationToken::new()).await;
    // Several times what the call itself may take.
    tokio::time::sleep(limits.call * 4).await;
    answer.send(FormResult::Decline).unwrap();
    assert_eq!(
        text(running.await.unwrap().unwrap()),
        r#"{"action":"decline"}"#
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_question_goes_away_with_its_connection() {
    let (connection, handler) = started(misbehave(&["elicits"])).await;
    let (running, _form, mut answer) = asked(&connection, &handler, CancellationToken::new()).await;
    connection.stop().await;
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::ConnectionLost { .. })
    ));
    answer.closed().await;
}

#[tokio::test]
async fn an_address_to_open_is_declined_and_sampling_is_declined() {
    let (connection, _handler): (_, Arc<TestHandler>) = started(misbehave(&["elicits"])).await;
    assert_eq!(
        text(call(&connection, "url", json!({})).await.unwrap()),
        r#"{"action":"decline"}"#
    );
    assert!(text(call(&connection, "sample", json!({})).await.unwrap()).contains("declined"));
    connection.stop().await;
}
