//! Answers that come as streams of events, and streams that end too early, never, or say too much.

use crate::scripted::{
    Reply, Scripted, answer, connect_in, echo, event, events, fed, initialized, message, modern,
    status, tools, whole, with_session,
};
use crate::support::{call, permitted, text};
use connections::{ConnectionError, Follow};
use protocol::Era;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_stream_that_ends_before_the_answer_is_taken_up_where_it_ended_and_not_before_the_server_wants()
 {
    let asked_at = Mutex::new(None);
    let server = Scripted::new(move |asked| match (asked.verb.as_str(), asked.method()) {
        ("POST", "tools/call") => {
            *asked_at.lock().unwrap() = Some((asked.clone(), Instant::now()));
            events(["id: e1\nretry: 300\ndata: \n\n".to_owned()])
        }
        ("GET", _) => match (
            asked.header("last-event-id").as_deref(),
            asked_at.lock().unwrap().clone(),
        ) {
            (Some("e1"), Some((call, at))) if at.elapsed() >= Duration::from_millis(300) => {
                events([format!("id: e2\n{}", event(&answer(&call, echo(&call))))])
            }
            _ => status("405 Method Not Allowed"),
        },
        _ => with_session(asked),
    })
    .await;
    let (connection, _handler) = connect_in(&server, Era::Legacy).await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    assert_eq!(
        server.asked_for("tools/call").len(),
        1,
        "the call was made twice"
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_stream_that_ends_again_and_again_with_news_is_taken_up_each_time() {
    let (number, first) = (AtomicU32::new(0), Mutex::new(None));
    let server =
        Scripted::new(
            move |asked| match (asked.verb.as_str(), asked.header("last-event-id")) {
                ("POST", _) if asked.method() == "tools/call" => {
                    *first.lock().unwrap() = Some(asked.clone());
                    events(["id: 0\nretry: 1\ndata: \n\n".to_owned()])
                }
                ("GET", Some(last)) => {
                    let next = number.fetch_add(1, Ordering::Relaxed) + 1;
                    assert_eq!(last, (next - 1).to_string());
                    let call = first.lock().unwrap().clone().unwrap();
                    match next {
                        20 => events([event(&answer(&call, echo(&call)))]),
                        _ => events([format!("id: {next}\ndata: \n\n")]),
                    }
                }
                _ => with_session(asked),
            },
        )
        .await;
    let (connection, _handler) = connect_in(&server, Era::Legacy).await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "at last" }))
                .await
                .unwrap()
        ),
        "at last"
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_call_whose_stream_cannot_be_taken_up_is_lost_and_not_made_again() {
    for era in [Era::Modern, Era::Legacy] {
        let server = Scripted::new(move |asked| match asked.method() {
            "tools/call" => {
                events([event(&json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "level": "info", "data": 1 } }))])
            }
            _ if era == Era::Modern => modern(asked),
            _ => with_session(asked),
        })
        .await;
        let (connection, _handler) = connect_in(&server, era).await;
        let error = call(&connection, "echo", json!({})).await.unwrap_err();
        assert!(
            matches!(error, ConnectionError::ConnectionLost { status: None }),
            "{era:?}: {error}"
        );
        assert_eq!(server.asked_for("tools/call").len(), 1, "{era:?}");
        assert_eq!(
            connection.tools().await.unwrap().len(),
            1,
            "{era:?}: it is of no use any more"
        );
        connection.stop().await;
    }
}

#[tokio::test]
async fn a_list_whose_stream_ends_early_is_asked_for_once_more() {
    for era in [Era::Modern, Era::Legacy] {
        let times = AtomicU32::new(0);
        let server = Scripted::new(move |asked| match asked.method() {
            "tools/list" if times.fetch_add(1, Ordering::Relaxed) == 0 => events([]),
            _ if era == Era::Modern => modern(asked),
            _ => with_session(asked),
        })
        .await;
        let (connection, _handler) = connect_in(&server, era).await;
        assert_eq!(connection.tools().await.unwrap().len(), 1, "{era:?}");
        connection.stop().await;
    }
}

#[tokio::test]
async fn a_cancelled_call_is_a_closed_stream_in_the_newer_era_and_a_word_in_the_older_one() {
    for era in [Era::Modern, Era::Legacy] {
        let open = Mutex::new(Vec::new());
        let server = Scripted::new(move |asked| match asked.method() {
            "tools/call" => {
                let (say, reply) = fed();
                open.lock().unwrap().push(say);
                reply
            }
            _ if era == Era::Modern => modern(asked),
            _ => with_session(asked),
        })
        .await;
        let (connection, _handler) = connect_in(&server, era).await;
        let cancelled = CancellationToken::new();
        let follow = Follow {
            cancelled: cancelled.clone(),
            ..Follow::nothing()
        };
        let running = tokio::spawn({
            let connection = connection.clone();
            async move { connection.call(permitted("echo", json!({})), follow).await }
        });
        let asked = server.until(|asked| asked.method() == "tools/call").await;
        cancelled.cancel();
        assert!(matches!(
            running.await.unwrap(),
            Err(ConnectionError::Cancelled)
        ));
        if era == Era::Legacy {
            let told = server
                .until(|asked| asked.method() == "notifications/cancelled")
                .await;
            assert_eq!(told.body["params"]["requestId"], asked.body["id"]);
        }
        server
            .left
            .subscribe()
            .wait_for(|count| *count == 1)
            .await
            .unwrap();
        assert!(era == Era::Legacy || server.asked_for("notifications/cancelled").is_empty());
        connection.stop().await;
    }
}

#[tokio::test]
async fn a_batch_is_read_whether_it_comes_as_json_or_as_an_event() {
    for as_event in [false, true] {
        let server = Scripted::new(move |asked| {
            let said = |result: Value| {
                let told =
                    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
                let batch = json!([told, answer(asked, result)]);
                if as_event {
                    events([event(&batch)])
                } else {
                    message("mcp-session-id: s1\r\n", &batch)
                }
            };
            match asked.method() {
                "initialize" => said(initialized("2025-03-26")),
                "tools/list" => said(tools()),
                "tools/call" => said(echo(asked)),
                _ => with_session(asked),
            }
        })
        .await;
        let (connection, handler) = connect_in(&server, Era::Legacy).await;
        assert_eq!(connection.tools().await.unwrap().len(), 1);
        assert_eq!(
            text(
                call(&connection, "echo", json!({ "text": "hello" }))
                    .await
                    .unwrap()
            ),
            "hello"
        );
        handler
            .tools_changed
            .subscribe()
            .wait_for(|count| *count == 3)
            .await
            .unwrap();
        connection.stop().await;
    }
}

#[tokio::test]
async fn an_answer_that_is_too_long_ends_its_call_and_nothing_else() {
    let piece = "x".repeat(64 * 1024);
    let endless = [
        format!("data: {piece}"),
        format!("data: {piece}\n"),
        piece.clone(),
        format!(": {piece}"),
    ];
    for piece in endless {
        for era in [Era::Modern, Era::Legacy] {
            let piece = piece.clone();
            let server = Scripted::new(move |asked| match asked.method() {
                "tools/call" => Reply::Endless(piece.clone()),
                _ if era == Era::Modern => modern(asked),
                _ => with_session(asked),
            })
            .await;
            let (connection, _handler) = connect_in(&server, era).await;
            let error = call(&connection, "echo", json!({})).await.unwrap_err();
            assert!(
                matches!(error, ConnectionError::MessageTooLong { .. }),
                "{era:?}: {error}"
            );
            server
                .left
                .subscribe()
                .wait_for(|count| *count == 1)
                .await
                .unwrap();
            assert_eq!(connection.tools().await.unwrap().len(), 1);
            connection.stop().await;
        }
    }
    let server = Scripted::new(|asked| match asked.method() {
        "tools/call" => whole(
            "200 OK",
            "content-type: application/json\r\n",
            &"x".repeat(17 * 1024 * 1024),
        ),
        _ => modern(asked),
    })
    .await;
    let (connection, _handler) = connect_in(&server, Era::Modern).await;
    let error = call(&connection, "echo", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::MessageTooLong { .. }),
        "{error}"
    );
    assert_eq!(connection.tools().await.unwrap().len(), 1);
    connection.stop().await;
}

#[tokio::test]
async fn what_a_server_says_by_itself_is_heard_from_the_beginning_where_it_has_a_stream_for_that() {
    let (say, first) = fed();
    let first = Mutex::new(Some(first));
    let server = Scripted::new(move |asked| match asked.verb.as_str() {
        "GET" => first
            .lock()
            .unwrap()
            .take()
            .unwrap_or_else(|| status("405 Method Not Allowed")),
        _ => with_session(asked),
    })
    .await;
    let (connection, handler) = connect_in(&server, Era::Legacy).await;
    // It is open before anything else is asked, because what is said without a listener is lost.
    assert!(server.asked().iter().any(|asked| asked.verb == "GET"));
    say.send(event(
        &json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }),
    ))
    .unwrap();
    handler
        .tools_changed
        .subscribe()
        .wait_for(|count| *count == 1)
        .await
        .unwrap();
    say.send(event(
        &json!({ "jsonrpc": "2.0", "id": "q", "method": "ping" }),
    ))
    .unwrap();
    let pong = server.until(|asked| asked.body["id"] == "q").await;
    assert_eq!(
        (
            pong.body["result"].clone(),
            pong.header("mcp-session-id").as_deref()
        ),
        (json!({}), Some("s1"))
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_server_whose_own_stream_never_begins_can_be_used_all_the_same() {
    let server = Scripted::new(|asked| {
        if asked.verb == "GET" {
            Reply::Never
        } else {
            with_session(asked)
        }
    })
    .await;
    let (connection, _handler) = connect_in(&server, Era::Legacy).await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    connection.stop().await;
}

#[tokio::test]
async fn events_that_are_not_the_protocol_are_passed_over() {
    let server = Scripted::new(|asked| match asked.method() {
        "tools/call" => events([
            ": hello\n\n".to_owned(),
            "data: not json\n\n".to_owned(),
            "event: ping\ndata: {}\n\n".to_owned(),
            event(&answer(asked, echo(asked))),
        ]),
        _ => modern(asked),
    })
    .await;
    let (connection, _handler) = connect_in(&server, Era::Modern).await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    connection.stop().await;
}

#[tokio::test]
async fn an_answer_to_another_request_is_no_answer_to_this_one() {
    let server = Scripted::new(|asked| match asked.method() {
        "tools/call" => message(
            "",
            &json!({ "jsonrpc": "2.0", "id": 4_711, "result": { "content": [] } }),
        ),
        _ => modern(asked),
    })
    .await;
    let (connection, _handler) = connect_in(&server, Era::Modern).await;
    let error = call(&connection, "echo", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::ConnectionLost { .. }),
        "{error}"
    );
    connection.stop().await;
}
