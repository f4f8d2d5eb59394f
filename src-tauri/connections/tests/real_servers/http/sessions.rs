//! Servers with a session that they forget: greeted anew, once, and whoever asked gets an answer.

use crate::scripted::{
    Asked, Reply, Scripted, answer, connect_in, message, status, whole, with_session,
};
use crate::support::{call, text};
use connections::ConnectionError;
use protocol::Era;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// How a server says that it does not know a session.
type Forgets = fn() -> Reply;

const NOT_FOUND: Forgets = || status("404 Not Found");
/// As the reference server says it.
const BAD_REQUEST: Forgets = || {
    let stray = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}"#;
    whole(
        "400 Bad Request",
        "content-type: application/json\r\n",
        stray,
    )
};

/// A server whose sessions bear the number of its start, and that number.
async fn forgetful(forgets: Forgets) -> (Arc<Scripted>, Arc<AtomicU32>) {
    let starts = Arc::new(AtomicU32::new(1));
    let now = Arc::clone(&starts);
    let server = Scripted::new(move |asked| {
        let session = format!("s{}", now.load(Ordering::Relaxed));
        if asked.method() == "initialize" {
            return message(
                &format!("mcp-session-id: {session}\r\n"),
                &answer(asked, crate::scripted::initialized("2025-11-25")),
            );
        }
        if asked.header("mcp-session-id") != Some(session) {
            forgets()
        } else {
            with_session(asked)
        }
    })
    .await;
    (server, starts)
}

fn greetings(asked: &[Asked]) -> usize {
    asked
        .iter()
        .filter(|asked| asked.method() == "initialize")
        .count()
}

#[tokio::test]
async fn a_server_that_was_started_anew_is_greeted_anew_and_the_call_gets_its_answer() {
    for forgets in [NOT_FOUND, BAD_REQUEST] {
        let (server, starts) = forgetful(forgets).await;
        let (connection, handler) = connect_in(&server, Era::Legacy).await;
        starts.fetch_add(1, Ordering::Relaxed);
        assert_eq!(
            text(
                call(&connection, "echo", json!({ "text": "still here" }))
                    .await
                    .unwrap()
            ),
            "still here"
        );
        assert_eq!(greetings(&server.asked()), 2);
        // What it offers may not be what it was.
        handler
            .tools_changed
            .subscribe()
            .wait_for(|count| *count == 1)
            .await
            .unwrap();

        starts.fetch_add(1, Ordering::Relaxed);
        assert_eq!(connection.tools().await.unwrap().len(), 1);
        starts.fetch_add(1, Ordering::Relaxed);
        assert_eq!(connection.resources().await.unwrap().len(), 0);
        assert_eq!(greetings(&server.asked()), 4);
        assert_eq!(server.asked_for("notifications/initialized").len(), 4);
        connection.stop().await;
    }
}

#[tokio::test]
async fn many_who_find_the_session_forgotten_greet_the_server_once() {
    let (server, starts) = forgetful(NOT_FOUND).await;
    let (connection, _handler) = connect_in(&server, Era::Legacy).await;
    starts.fetch_add(1, Ordering::Relaxed);
    let calls = (0..20).map(|number| {
        let connection = connection.clone();
        async move {
            (
                number,
                text(
                    call(&connection, "echo", json!({ "text": number.to_string() }))
                        .await
                        .unwrap(),
                ),
            )
        }
    });
    for (number, said) in futures::future::join_all(calls).await {
        assert_eq!(said, number.to_string());
    }
    assert_eq!(greetings(&server.asked()), 2);
    connection.stop().await;
}

#[tokio::test]
async fn a_server_that_forgets_every_session_at_once_is_given_up_and_not_greeted_for_ever() {
    for forgets in [NOT_FOUND, BAD_REQUEST] {
        let server = Scripted::new(move |asked| match asked.method() {
            "initialize" | "notifications/initialized" => with_session(asked),
            _ => forgets(),
        })
        .await;
        let (connection, _handler) = connect_in(&server, Era::Legacy).await;
        let error = call(&connection, "echo", json!({})).await.unwrap_err();
        assert!(matches!(error, ConnectionError::SessionLost), "{error}");
        assert_eq!(greetings(&server.asked()), 2);
        connection.stop().await;
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_greeted_anew_is_a_lost_session_until_it_can() {
    let (server, starts) = forgetful(NOT_FOUND).await;
    let (connection, _handler) = connect_in(&server, Era::Legacy).await;
    let (gone, state) = (Arc::new(AtomicU32::new(0)), Arc::clone(&starts));
    let away = Arc::clone(&gone);
    let front = Scripted::new(move |asked| match away.load(Ordering::Relaxed) {
        1 => status("503 Service Unavailable"),
        _ if asked.method() == "initialize" => {
            let session = format!("mcp-session-id: s{}\r\n", state.load(Ordering::Relaxed));
            message(
                &session,
                &answer(asked, crate::scripted::initialized("2025-11-25")),
            )
        }
        _ if asked.header("mcp-session-id")
            != Some(format!("s{}", state.load(Ordering::Relaxed))) =>
        {
            NOT_FOUND()
        }
        _ => with_session(asked),
    })
    .await;
    connection.stop().await;

    let (connection, _handler) = connect_in(&front, Era::Legacy).await;
    gone.store(1, Ordering::Relaxed);
    assert!(matches!(
        call(&connection, "echo", json!({})).await,
        Err(ConnectionError::HttpStatus { status: 503 })
    ));
    starts.fetch_add(1, Ordering::Relaxed);
    gone.store(0, Ordering::Relaxed);
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "back" }))
                .await
                .unwrap()
        ),
        "back"
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_request_that_is_refused_for_itself_is_no_forgotten_session_and_says_the_servers_words() {
    let server = Scripted::new(|asked| match asked.method() {
        "tools/call" => {
            let said = crate::scripted::error(asked, -32_602, json!(null));
            whole(
                "400 Bad Request",
                "content-type: application/json\r\n",
                &said.to_string(),
            )
        }
        _ => with_session(asked),
    })
    .await;
    let (connection, _handler) = connect_in(&server, Era::Legacy).await;
    let error = call(&connection, "echo", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::Server { code: -32_602, .. }),
        "{error}"
    );
    assert_eq!(greetings(&server.asked()), 1);
    connection.stop().await;
}

#[tokio::test]
async fn a_session_is_ended_when_we_leave() {
    let server = Scripted::new(with_session).await;
    let (connection, _handler) = connect_in(&server, Era::Legacy).await;
    connection.stop().await;
    let last = server.until(|asked| asked.verb == "DELETE").await;
    assert_eq!(last.header("mcp-session-id").as_deref(), Some("s1"));
}

#[tokio::test]
async fn case_46_a_session_that_a_server_mints_is_a_word_between_us_and_it_and_names_nobody() {
    // Both mint the same one, as whoever has seen it elsewhere would.
    let (one, other) = (
        Scripted::new(with_session).await,
        Scripted::new(with_session).await,
    );
    let ((first, _handler), (second, _other_ear)) = (
        connect_in(&one, Era::Legacy).await,
        connect_in(&other, Era::Legacy).await,
    );
    for (connection, words) in [(&first, "to the first"), (&second, "to the second")] {
        assert_eq!(
            text(
                call(connection, "echo", json!({ "text": words }))
                    .await
                    .unwrap()
            ),
            words
        );
    }
    first.stop().await;
    one.until(|asked| asked.verb == "DELETE").await;
    // Ending one of them ends nothing of the other, and neither hears what the other was asked.
    assert_eq!(
        text(
            call(&second, "echo", json!({ "text": "still here" }))
                .await
                .unwrap()
        ),
        "still here"
    );
    assert!(other.asked().iter().all(|asked| asked.verb != "DELETE" && !asked.body.to_string().contains("to the first")));
    assert!(
        one.asked()
            .iter()
            .all(|asked| !asked.body.to_string().contains("to the second"))
    );
    second.stop().await;
}
