//! Servers at an address, played by a few lines that speak HTTP on loopback.

use crate::support::{Ear, LIMITS, call, text};
use connections::{Connection, ConnectionError, HttpStart, Limits, Start};
use protocol::{Secret, ServerId};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const SECRET: &str = "hunter2-of-the-test";

/// One request as it came.
struct Asked {
    method: String,
    head: String,
    body: Value,
}

/// Status line, further headers, body.
type Told = (&'static str, String, String);

/// Answers every request with `answer`, and gives the address.
async fn server(answer: impl Fn(&Asked) -> Option<Told> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp?key={SECRET}", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = Arc::clone(&answer);
            tokio::spawn(async move { one(stream, &*answer).await });
        }
    });
    url
}

async fn one(mut stream: TcpStream, answer: &(dyn Fn(&Asked) -> Option<Told> + Send + Sync)) -> Option<()> {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    let (head, body) = loop {
        let read = stream.read(&mut part).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
            if body.len() >= length {
                break (head.to_owned(), body.to_owned());
            }
        }
    };
    let method = head.split(' ').next()?.to_owned();
    let asked = Asked { method, head, body: serde_json::from_str(&body).unwrap_or_default() };
    let Some((status, headers, body)) = answer(&asked) else {
        // Accepted, and never answered.
        std::future::pending::<()>().await;
        return None;
    };
    let reply = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len());
    stream.write_all(reply.as_bytes()).await.ok()
}

/// A well-behaved server.
fn well(asked: &Asked) -> Option<Told> {
    let json = |result: Value| {
        let body = json!({ "jsonrpc": "2.0", "id": asked.body["id"], "result": result }).to_string();
        Some(("200 OK", "content-type: application/json\r\nmcp-session-id: s1\r\n".to_owned(), body))
    };
    match (asked.method.as_str(), asked.body["method"].as_str()) {
        ("POST", Some("initialize")) => json(json!({
            "protocolVersion": "2025-11-25", "capabilities": { "tools": {} }, "serverInfo": { "name": "far away", "version": "1" },
        })),
        ("POST", Some("tools/list")) => json(json!({ "tools": [{ "name": "echo", "inputSchema": { "type": "object" } }] })),
        ("POST", Some("tools/call")) => json(json!({ "content": [{ "type": "text", "text": asked.body["params"]["arguments"]["text"] }] })),
        ("POST", _) => Some(("202 Accepted", String::new(), String::new())),
        _ => Some(("405 Method Not Allowed", String::new(), String::new())),
    }
}

async fn connect(url: &str, limits: Limits) -> Result<Connection, ConnectionError> {
    let headers = vec![("Authorization".to_owned(), Secret::new(format!("Bearer {SECRET}")))];
    let start = HttpStart { server: ServerId::parse("far").unwrap(), url: url.to_owned(), headers };
    let started = Connection::start(Start::Http(start), limits, Arc::new(Ear::default())).await;
    started.map_err(|failure| {
        assert!(!format!("{failure:?} {failure}").contains("hunter2"), "{failure:?}");
        failure.error
    })
}

/// Connects to a server that answers everything in one way.
async fn told(status: &'static str, headers: &'static str) -> ConnectionError {
    let url = server(move |_| Some((status, headers.to_owned(), "no".to_owned()))).await;
    connect(&url, LIMITS).await.unwrap_err()
}

#[tokio::test]
async fn a_remote_server_is_called_with_the_secret_header_on_every_request() {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    let url = server(move |asked| {
        seen.lock().unwrap().push(asked.head.clone());
        well(asked)
    })
    .await;
    let connection = connect(&url, LIMITS).await.unwrap();
    assert_eq!(connection.about().name, "far away");
    assert_eq!(connection.tools().await.unwrap().len(), 1);
    assert_eq!(text(call(&connection, "echo", json!({ "text": "hello" })).await.unwrap()), "hello");
    connection.stop().await;
    let heads = heads.lock().unwrap();
    assert!(heads.iter().all(|head| head.contains(&format!("authorization: Bearer {SECRET}"))), "{heads:#?}");
}

#[tokio::test]
async fn a_refused_connection_is_unreachable_and_says_no_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/{SECRET}", listener.local_addr().unwrap());
    drop(listener);
    let error = connect(&url, LIMITS).await.unwrap_err();
    assert_eq!(error.to_string(), "it cannot be reached: connection refused");
}

#[tokio::test]
async fn a_status_says_what_is_wrong() {
    assert!(matches!(told("401 Unauthorized", "").await, ConnectionError::NeedsSignIn { status: 401 }));
    assert!(matches!(told("401 Unauthorized", "www-authenticate: Bearer\r\n").await, ConnectionError::NeedsSignIn { status: 401 }));
    assert!(matches!(told("403 Forbidden", "").await, ConnectionError::NeedsSignIn { status: 403 }));
    assert!(matches!(told("404 Not Found", "").await, ConnectionError::HttpStatus { status: 404 }));
    assert!(matches!(told("500 Oops", "").await, ConnectionError::HttpStatus { status: 500 }));
}

#[tokio::test]
async fn a_page_for_people_is_no_server() {
    let error = told("200 OK", "content-type: text/html\r\n").await;
    assert!(matches!(error, ConnectionError::NotProtocol { .. }), "{error}");
}

#[tokio::test]
async fn an_address_that_may_not_be_used_is_refused_before_anything_is_sent() {
    for url in ["http://example.com/mcp", "file:///etc/passwd", "nonsense"] {
        let error = connect(url, LIMITS).await.unwrap_err();
        assert!(matches!(error, ConnectionError::BadUrl { .. }), "{url}: {error}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_place_is_not_followed() {
    let elsewhere = Arc::new(Mutex::new(0));
    let seen = Arc::clone(&elsewhere);
    let other = server(move |asked| {
        *seen.lock().unwrap() += 1;
        well(asked)
    })
    .await;
    let url = server(move |_| Some(("307 Temporary Redirect", format!("location: {other}\r\n"), String::new()))).await;
    let error = connect(&url, LIMITS).await.unwrap_err();
    assert!(matches!(error, ConnectionError::HttpStatus { status: 307 }), "{error}");
    assert_eq!(*elsewhere.lock().unwrap(), 0);
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_at_every_step() {
    let limits = Limits { start: Duration::from_millis(500), ..LIMITS };
    let url = server(|_| None).await;
    assert!(matches!(connect(&url, limits).await, Err(ConnectionError::StartTimedOut { .. })));

    let limits = Limits { list: Duration::from_millis(500), call: Duration::from_millis(500), ..LIMITS };
    let url = server(|asked| match asked.body["method"].as_str() {
        Some("tools/list" | "tools/call") => None,
        _ => well(asked),
    })
    .await;
    let connection = connect(&url, limits).await.unwrap();
    assert!(matches!(connection.tools().await, Err(ConnectionError::TimedOut { .. })));
    assert!(matches!(call(&connection, "echo", json!({})).await, Err(ConnectionError::TimedOut { .. })));
    connection.stop().await;
}
