//! Servers at an address: what a person is told when one cannot be used, and how long it is waited
//! for.

mod eras;
mod headers;
mod sessions;
mod streams;

use crate::scripted::{Reply, SECRET, Scripted, connect, connect_with, start, whole, with_session};
use crate::support::{LIMITS, call, text};
use connections::{ConnectionError, Limits};
use serde_json::json;
use std::time::Duration;
use tokio::net::TcpListener;

/// Connects to a server that answers everything in one way.
async fn told(status: &'static str, headers: &'static str) -> ConnectionError {
    let server = Scripted::new(move |_| whole(status, headers, "no")).await;
    connect(&server).await.unwrap_err()
}

#[tokio::test]
async fn a_remote_server_is_called_with_the_secret_header_on_every_request() {
    let server = Scripted::new(with_session).await;
    let (connection, _handler) = connect(&server).await.unwrap();
    assert_eq!(connection.server_info().name, "far away");
    assert_eq!(connection.tools().await.unwrap().len(), 1);
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    connection.stop().await;
    assert!(
        server
            .asked()
            .iter()
            .all(|asked| asked.header("x-key").as_deref() == Some(SECRET)),
        "{:#?}",
        server.asked()
    );
}

#[tokio::test]
async fn a_refused_connection_is_unreachable_and_says_no_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/{SECRET}", listener.local_addr().unwrap());
    drop(listener);
    let error = connect_with(start(&url, None), LIMITS).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::Unreachable { .. }),
        "{error}"
    );
    assert!(
        !error.to_string().contains("127.0.0.1") && !error.to_string().contains(SECRET),
        "{error}"
    );
}

#[tokio::test]
async fn a_status_says_what_is_wrong() {
    assert!(matches!(
        told("401 Unauthorized", "").await,
        ConnectionError::NeedsSignIn { status: 401, .. }
    ));
    assert!(matches!(
        told("401 Unauthorized", "www-authenticate: Bearer\r\n").await,
        ConnectionError::NeedsSignIn { status: 401, .. }
    ));
    assert!(matches!(
        told("403 Forbidden", "").await,
        ConnectionError::NeedsSignIn { status: 403, .. }
    ));
    assert!(matches!(
        told("404 Not Found", "").await,
        ConnectionError::HttpStatus { status: 404 }
    ));
    assert!(matches!(
        told("500 Oops", "").await,
        ConnectionError::HttpStatus { status: 500 }
    ));
}

#[tokio::test]
async fn a_page_for_people_is_no_server() {
    let error = told("200 OK", "content-type: text/html\r\n").await;
    assert!(
        matches!(error, ConnectionError::NotProtocol { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn an_address_that_may_not_be_used_is_refused_before_anything_is_sent() {
    for url in ["http://example.com/mcp", "file:///etc/passwd", "nonsense"] {
        let error = connect_with(start(url, None), LIMITS).await.unwrap_err();
        assert!(
            matches!(error, ConnectionError::BadUrl { .. }),
            "{url}: {error}"
        );
    }
}

#[tokio::test]
async fn a_redirect_to_another_place_is_not_followed() {
    let elsewhere = Scripted::new(with_session).await;
    let location = format!("location: {}\r\n", elsewhere.url);
    let server = Scripted::new(move |_| whole("307 Temporary Redirect", &location, "")).await;
    let error = connect(&server).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::Redirected { .. }),
        "{error}"
    );
    assert_eq!(elsewhere.asked().len(), 0);
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_at_every_step() {
    let limits = Limits {
        start: Duration::from_millis(500),
        ..LIMITS
    };
    let server = Scripted::new(|_| Reply::Never).await;
    assert!(matches!(
        connect_with(start(&server.url, None), limits).await,
        Err(ConnectionError::StartTimedOut { .. })
    ));

    let limits = Limits {
        list: Duration::from_millis(500),
        call: Duration::from_millis(500),
        ..LIMITS
    };
    let server = Scripted::new(|asked| match asked.method() {
        "tools/list" | "tools/call" => Reply::Never,
        _ => with_session(asked),
    })
    .await;
    let (connection, _handler) = connect_with(start(&server.url, None), limits)
        .await
        .unwrap();
    assert!(matches!(
        connection.tools().await,
        Err(ConnectionError::TimedOut { .. })
    ));
    assert!(matches!(
        call(&connection, "echo", json!({})).await,
        Err(ConnectionError::TimedOut { .. })
    ));
    connection.stop().await;
}
