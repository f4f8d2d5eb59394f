//! In which era a server at an address is spoken to: what it says decides, and what says nothing
//! about it decides nothing.

use crate::scripted::{
    Asked, Reply, Scripted, connect, connect_in, connect_with, discovered, error, event, fed,
    initialized, message, modern, result, start, status, whole, with_session,
};
use crate::support::{LIMITS, call, text};
use connections::ConnectionError;
use protocol::Era;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

type Refusal = fn(&Asked) -> Reply;

/// What a server of the older era may say to the first words of the newer one.
fn refusals() -> Vec<(&'static str, Refusal)> {
    vec![
        ("an error of the protocol", |asked| {
            message("", &error(asked, -32_601, Value::Null))
        }),
        ("400 with an error of nothing", |_| {
            let stray = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no session"}}"#;
            whole(
                "400 Bad Request",
                "content-type: application/json\r\n",
                stray,
            )
        }),
        ("400 with words", |_| whole("400 Bad Request", "", "what?")),
        ("404", |_| status("404 Not Found")),
        ("405", |_| status("405 Method Not Allowed")),
        ("500", |_| status("500 Internal Server Error")),
        ("a page", |_| {
            whole(
                "200 OK",
                "content-type: text/html\r\n",
                "<html>hello</html>",
            )
        }),
        ("JSON that is no answer", |_| {
            whole(
                "200 OK",
                "content-type: application/json\r\n",
                r#"{"hello":1}"#,
            )
        }),
        ("an answer that is none", |asked| {
            result(asked, json!({ "hello": 1 }))
        }),
        ("an empty stream", |_| {
            whole("200 OK", "content-type: text/event-stream\r\n", "")
        }),
        ("nothing", |_| status("202 Accepted")),
    ]
}

#[tokio::test]
async fn a_server_that_does_not_understand_the_newer_era_is_spoken_to_in_the_older_one() {
    for (what, refusal) in refusals() {
        let server = Scripted::new(move |asked| {
            if asked.method() == "server/discover" {
                refusal(asked)
            } else {
                with_session(asked)
            }
        })
        .await;
        let (connection, _handler) = connect(&server)
            .await
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(connection.era(), Era::Legacy, "{what}");
        assert_eq!(
            text(
                call(&connection, "echo", json!({ "text": "hello" }))
                    .await
                    .unwrap()
            ),
            "hello",
            "{what}"
        );
        connection.stop().await;
    }
}

#[tokio::test]
async fn a_server_of_the_newer_era_is_never_greeted_in_the_older_one() {
    let server = Scripted::new(modern).await;
    let (connection, _handler) = connect(&server).await.unwrap();
    assert_eq!(
        (connection.era(), connection.server_info().name.as_str()),
        (Era::Modern, "far away")
    );
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    connection.stop().await;
    assert!(server.asked_for("initialize").is_empty());
    assert!(
        server
            .asked()
            .iter()
            .all(|asked| asked.verb == "POST" && asked.header("mcp-session-id").is_none())
    );
}

#[tokio::test]
async fn a_missing_sign_in_and_an_outage_say_nothing_about_the_era() {
    for (refusal, expected) in [
        ("401 Unauthorized", "it wants a sign-in (HTTP 401)"),
        ("403 Forbidden", "it wants a sign-in (HTTP 403)"),
        ("429 Too Many Requests", "it answered with HTTP status 429"),
        ("502 Bad Gateway", "it answered with HTTP status 502"),
        (
            "503 Service Unavailable",
            "it answered with HTTP status 503",
        ),
        ("504 Gateway Timeout", "it answered with HTTP status 504"),
    ] {
        let server = Scripted::new(move |_| status(refusal)).await;
        assert_eq!(connect(&server).await.unwrap_err().to_string(), expected);
        assert_eq!(
            server.asked().len(),
            1,
            "{refusal}: it was greeted in another era"
        );
    }
    let server = Scripted::new(|_| Reply::HangsUp).await;
    assert!(matches!(
        connect(&server).await,
        Err(ConnectionError::Unreachable { .. })
    ));
    assert!(server.asked_for("initialize").is_empty());
}

#[tokio::test]
async fn a_newer_server_that_refuses_the_first_words_and_names_a_revision_is_asked_once_more() {
    let refused = AtomicBool::new(false);
    let server = Scripted::new(move |asked| match refused.swap(true, Ordering::Relaxed) {
        true => modern(asked),
        false => {
            let said = error(
                asked,
                -32_022,
                json!({ "supported": ["2026-07-28"], "requested": "2026-07-28" }),
            );
            whole(
                "400 Bad Request",
                "content-type: application/json\r\n",
                &said.to_string(),
            )
        }
    })
    .await;
    let (connection, _handler) = connect(&server).await.unwrap();
    assert_eq!((connection.era(), server.asked().len()), (Era::Modern, 2));
    connection.stop().await;
}

#[tokio::test]
async fn a_newer_server_without_a_common_revision_says_so_and_is_not_greeted_in_the_older_era() {
    for supported in [json!(["2031-01-01"]), json!(["2031-01-01", "2026-07-28"])] {
        let server = Scripted::new(move |asked| {
            let said = error(asked, -32_022, json!({ "supported": supported }));
            whole(
                "400 Bad Request",
                "content-type: application/json\r\n",
                &said.to_string(),
            )
        })
        .await;
        let refused = connect(&server).await.unwrap_err();
        assert!(
            matches!(&refused, ConnectionError::RevisionUnknown { offered } if offered[0] == "2031-01-01"),
            "{refused}"
        );
        assert!(server.asked_for("initialize").is_empty() && server.asked().len() <= 2);
    }
    let server = Scripted::new(|asked| {
        let mut said = discovered();
        said["supportedVersions"] = json!(["2031-01-01"]);
        result(asked, said)
    })
    .await;
    assert!(matches!(
        connect(&server).await,
        Err(ConnectionError::RevisionUnknown { .. })
    ));
    assert!(server.asked_for("initialize").is_empty());
}

#[tokio::test]
async fn a_known_era_is_used_and_no_other_one_tried() {
    let server = Scripted::new(with_session).await;
    let (connection, _handler) = connect_in(&server, Era::Legacy).await;
    connection.stop().await;
    assert!(server.asked_for("server/discover").is_empty());

    let server = Scripted::new(with_session).await;
    let error = connect_with(start(&server.url, Some(Era::Modern)), LIMITS)
        .await
        .unwrap_err();
    assert!(
        matches!(error, ConnectionError::Server { code: -32_601, .. }),
        "{error}"
    );
    assert!(server.asked_for("initialize").is_empty());
}

#[tokio::test]
async fn an_older_server_is_told_the_agreed_revision_with_every_request_if_it_knows_the_header() {
    for (revision, expected) in [
        ("2025-11-25", Some("2025-11-25")),
        ("2025-06-18", Some("2025-06-18")),
        ("2025-03-26", None),
    ] {
        let server = Scripted::new(move |asked| match asked.method() {
            "initialize" => result(asked, initialized(revision)),
            _ => with_session(asked),
        })
        .await;
        let (connection, _handler) = connect_in(&server, Era::Legacy).await;
        assert_eq!(connection.server_info().protocol, revision);
        connection.tools().await.unwrap();
        connection.stop().await;
        assert_eq!(
            server.asked_for("tools/list")[0]
                .header("mcp-protocol-version")
                .as_deref(),
            expected
        );
    }
    let server = Scripted::new(|asked| result(asked, initialized("2031-01-01"))).await;
    let error = connect_with(start(&server.url, Some(Era::Legacy)), LIMITS)
        .await
        .unwrap_err();
    assert!(
        matches!(error, ConnectionError::RevisionUnknown { .. }),
        "{error}"
    );
}

/// A server of 2024-11-05: a stream on which it says everything, and an address for requests.
async fn oldest(place: &'static str) -> std::sync::Arc<Scripted> {
    let stream = Mutex::new(None);
    Scripted::new(move |asked| {
        if asked.verb == "GET" {
            let (say, reply) = fed();
            say.send(format!("event: endpoint\ndata: {place}\n\n"))
                .unwrap();
            *stream.lock().unwrap() = Some(say);
            return reply;
        }
        if !asked.head.starts_with("POST /messages") {
            return status("404 Not Found");
        }
        let said = match asked.method() {
            "initialize" => Some(initialized("2024-11-05")),
            "tools/list" => Some(crate::scripted::tools()),
            "tools/call" => Some(crate::scripted::echo(asked)),
            _ => None,
        };
        let mut stream = stream.lock().unwrap();
        match said {
            // It dies.
            Some(_) if asked.body["params"]["arguments"]["text"] == "die" => *stream = None,
            Some(said) => drop(
                stream
                    .as_ref()
                    .unwrap()
                    .send(event(&crate::scripted::answer(asked, said))),
            ),
            None => {}
        }
        whole("202 Accepted", "", "Accepted")
    })
    .await
}

#[tokio::test]
async fn a_server_of_the_oldest_transport_is_found_and_used_and_its_end_is_told() {
    let server = oldest("/messages?session=7").await;
    let (connection, handler) = connect(&server).await.unwrap();
    assert_eq!(connection.server_info().protocol, "2024-11-05");
    assert_eq!(connection.tools().await.unwrap().len(), 1);
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    let error = call(&connection, "echo", json!({ "text": "die" }))
        .await
        .unwrap_err();
    assert!(
        matches!(error, ConnectionError::ConnectionLost { .. }),
        "{error}"
    );
    assert_eq!(handler.end().await, "the connection was lost");
}

#[tokio::test]
async fn the_oldest_transport_may_not_send_us_to_another_place() {
    let elsewhere = Scripted::new(with_session).await;
    let place: &'static str = Box::leak(elsewhere.url.clone().into_boxed_str());
    let server = oldest(place).await;
    assert!(connect(&server).await.is_err());
    assert_eq!(elsewhere.asked().len(), 0);
}
