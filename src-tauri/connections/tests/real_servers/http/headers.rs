//! What travels beside the messages: arguments as headers, secrets, tokens, and where none of them
//! may go.

use crate::scripted::{
    SECRET, Scripted, answer, connect, connect_as, connect_with, error, event, events, message,
    modern, result, start, status, whole, with_session,
};
use crate::support::{LIMITS, call, permitted_of, text};
use connections::{Authorization, Connection, ConnectionError, Follow};
use futures::future::BoxFuture;
use protocol::{Era, Secret, ToolResult, ToolSpec};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

fn tool(properties: Value) -> Value {
    json!({ "name": "echo", "inputSchema": { "type": "object", "properties": properties } })
}

/// A call of a tool by the definition that was approved.
async fn call_of(
    connection: &Connection,
    approved: &ToolSpec,
    arguments: Value,
) -> Result<ToolResult, ConnectionError> {
    let permitted = permitted_of(approved.clone(), arguments);
    connection.call(permitted, Follow::nothing()).await
}

#[tokio::test]
async fn annotated_arguments_travel_as_headers_and_those_that_are_not_given_do_not() {
    let server = Scripted::new(|asked| match asked.method() {
        "tools/list" => {
            let region = json!({ "type": "string", "x-mcp-header": "Region" });
            let broken = json!({ "name": "broken", "inputSchema": { "type": "object", "properties": { "a": { "type": "object", "x-mcp-header": "A" } } } });
            let listed = tool(json!({ "region": region, "other": { "type": "string", "x-mcp-header": "Other" }, "text": { "type": "string" } }));
            result(asked, json!({ "tools": [listed, broken] }))
        }
        _ => modern(asked),
    })
    .await;
    let (connection, _handler) = connect(&server).await.unwrap();
    let listed = connection.tools().await.unwrap();
    assert_eq!(listed.len(), 1, "a tool whose annotation is wrong was kept");
    call_of(
        &connection,
        &listed[0],
        json!({ "region": "日本", "text": "x" }),
    )
    .await
    .unwrap();
    connection.stop().await;
    let asked = server.asked_for("tools/call").remove(0);
    assert_eq!(
        asked.header("mcp-param-region").as_deref(),
        Some("=?base64?5pel5pys?=")
    );
    assert_eq!(
        (
            asked.header("mcp-param-other"),
            asked.header("mcp-param-text")
        ),
        (None, None)
    );
    assert_eq!(
        (
            asked.header("mcp-method").as_deref(),
            asked.header("mcp-name").as_deref()
        ),
        (Some("tools/call"), Some("echo"))
    );
}

/// A server whose tool gets an annotation with the first call, and that wants its header from then on.
async fn annotating() -> Arc<Scripted> {
    let changed = AtomicBool::new(false);
    Scripted::new(move |asked| match asked.method() {
        "tools/list" if changed.load(Ordering::Relaxed) => {
            result(asked, json!({ "tools": [tool(json!({ "text": { "type": "string", "x-mcp-header": "Text" } }))] }))
        }
        // It need not be asked for again for an hour, or so it says.
        "tools/list" => {
            let mut listed = crate::scripted::tools();
            listed["ttlMs"] = json!(3_600_000);
            result(asked, listed)
        }
        "tools/call" if asked.header("mcp-param-text").is_none() => {
            changed.store(true, Ordering::Relaxed);
            whole("400 Bad Request", "content-type: application/json\r\n", &error(asked, -32_020, Value::Null).to_string())
        }
        _ => modern(asked),
    })
    .await
}

#[tokio::test]
async fn a_header_that_nobody_approved_is_not_made_and_the_tool_counts_as_changed() {
    let server = annotating().await;
    let (connection, handler) = connect(&server).await.unwrap();
    let approved = connection.tools().await.unwrap().remove(0);
    let refused = call_of(&connection, &approved, json!({ "text": "hello" })).await;
    assert!(
        matches!(refused, Err(ConnectionError::ToolChanged)),
        "{refused:?}"
    );
    assert_eq!(*handler.tools_changed.borrow(), 1, "the host looks at it");
    // The list is known here by now. It changes nothing of what is sent.
    let now = connection.tools().await.unwrap().remove(0);
    let refused = call_of(&connection, &approved, json!({ "text": "hello" })).await;
    assert!(
        matches!(refused, Err(ConnectionError::ToolChanged)),
        "{refused:?}"
    );
    let sent = server.asked_for("tools/call");
    assert_eq!(sent.len(), 2, "once each");
    assert!(
        sent.iter()
            .all(|asked| asked.header("mcp-param-text").is_none())
    );
    // With a permission for what it is now, it is called as it wants to be.
    let answer = call_of(&connection, &now, json!({ "text": "hello" })).await;
    assert_eq!(text(answer.unwrap()), "hello");
    let sent = server.asked_for("tools/call").pop().unwrap();
    assert_eq!(sent.header("mcp-param-text").as_deref(), Some("hello"));
    connection.stop().await;
}

#[tokio::test]
async fn a_header_that_was_approved_is_made_whatever_the_server_lists_since() {
    let server = Scripted::new(modern).await;
    let (connection, _handler) = connect(&server).await.unwrap();
    let mut approved = connection.tools().await.unwrap().remove(0);
    approved.input_schema = json!({ "type": "object", "properties": { "text": { "type": "string", "x-mcp-header": "Text" } } })
        .as_object()
        .cloned()
        .unwrap();
    call_of(&connection, &approved, json!({ "text": "hello" }))
        .await
        .unwrap();
    let sent = server.asked_for("tools/call").remove(0);
    assert_eq!(sent.header("mcp-param-text").as_deref(), Some("hello"));
    // One that cannot be made is not left out in silence.
    approved.input_schema = json!({ "properties": { "text": { "x-mcp-header": "a b" } } })
        .as_object()
        .cloned()
        .unwrap();
    let refused = call_of(&connection, &approved, json!({ "text": "hello" })).await;
    assert!(
        matches!(refused, Err(ConnectionError::BadUrl { .. })),
        "{refused:?}"
    );
    assert_eq!(server.asked_for("tools/call").len(), 1);
    connection.stop().await;
}

#[tokio::test]
async fn a_server_that_finds_the_headers_of_its_own_definition_wrong_is_asked_once() {
    let server = Scripted::new(|asked| match asked.method() {
        "tools/call" => message("", &error(asked, -32_020, Value::Null)),
        _ => modern(asked),
    })
    .await;
    let (connection, _handler) = connect(&server).await.unwrap();
    let approved = connection.tools().await.unwrap().remove(0);
    let refused = call_of(&connection, &approved, json!({})).await;
    assert!(
        matches!(refused, Err(ConnectionError::Server { code: -32_020, .. })),
        "{refused:?}"
    );
    assert_eq!(server.asked_for("tools/call").len(), 1);
    connection.stop().await;
}

#[tokio::test]
async fn nothing_of_ours_goes_to_another_place_not_even_in_the_middle_of_a_conversation() {
    for redirect in [
        "301 Moved Permanently",
        "302 Found",
        "303 See Other",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ] {
        let elsewhere = Scripted::new(modern).await;
        let location = format!("location: {}\r\n", elsewhere.url);
        let server = Scripted::new(move |asked| match asked.method() {
            "tools/call" => whole(redirect, &location, ""),
            _ => modern(asked),
        })
        .await;
        let (connection, _handler) = connect(&server).await.unwrap();
        let error = call(&connection, "echo", json!({})).await.unwrap_err();
        assert!(
            matches!(error, ConnectionError::Redirected { .. }),
            "{redirect}: {error}"
        );
        assert!(!error.to_string().contains(SECRET), "{error}");
        assert_eq!(elsewhere.asked().len(), 0, "{redirect}");
        connection.stop().await;
    }
}

/// Somebody whose token is new after each refusal, as often as there is one.
struct Somebody {
    tokens: Mutex<Vec<&'static str>>,
    refusals: AtomicU32,
}

impl Somebody {
    fn with(tokens: &[&'static str]) -> Arc<Self> {
        Arc::new(Self {
            tokens: Mutex::new(tokens.to_vec()),
            refusals: AtomicU32::new(0),
        })
    }
}

impl Authorization for Somebody {
    fn token(&self) -> BoxFuture<'_, Option<Secret>> {
        Box::pin(async {
            self.tokens
                .lock()
                .unwrap()
                .first()
                .map(|token| Secret::new((*token).to_owned()))
        })
    }

    fn refused(&self, status: u16, challenge: Vec<String>) -> BoxFuture<'_, bool> {
        assert_eq!(
            (status, challenge),
            (
                401,
                vec!["Bearer realm=\"a\"".to_owned(), "Basic".to_owned()]
            )
        );
        self.refusals.fetch_add(1, Ordering::Relaxed);
        Box::pin(async {
            let mut tokens = self.tokens.lock().unwrap();
            if tokens.len() > 1 {
                tokens.remove(0);
                return true;
            }
            false
        })
    }
}

const REFUSED: &str = "www-authenticate: Bearer realm=\"a\"\r\nwww-authenticate: Basic\r\n";

#[tokio::test]
async fn a_token_that_is_refused_is_made_new_once_for_each_request() {
    let server = Scripted::new(|asked| match asked.header("authorization").as_deref() {
        Some("Bearer hunter2-new") => modern(asked),
        _ => whole("401 Unauthorized", REFUSED, ""),
    })
    .await;
    let who = Somebody::with(&["hunter2-old", "hunter2-new"]);
    let (connection, _handler) = connect_as(&server, who.clone()).await.unwrap();
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    assert_eq!(who.refusals.load(Ordering::Relaxed), 1);
    connection.stop().await;

    let server =
        Scripted::new(|_| whole("401 Unauthorized", REFUSED, "hunter2 is not welcome")).await;
    let who = Somebody::with(&["hunter2-a", "hunter2-b", "hunter2-c", "hunter2-d"]);
    let refused = connect_as(&server, who.clone()).await.unwrap_err();
    assert!(
        matches!(&refused, ConnectionError::NeedsSignIn { status: 401, challenge } if challenge.len() == 2),
        "{refused}"
    );
    assert_eq!(
        (who.refusals.load(Ordering::Relaxed), server.asked().len()),
        (1, 2)
    );
}

#[tokio::test]
async fn a_header_of_the_persons_own_stands_before_a_token() {
    let server = Scripted::new(modern).await;
    let mut begin = start(&server.url, None);
    begin.headers.push((
        "Authorization".to_owned(),
        Secret::new("Basic aHVudGVyMg==".to_owned()),
    ));
    begin.authorization = Some(Somebody::with(&["hunter2"]));
    let (connection, _handler) = connect_with(begin, LIMITS).await.unwrap();
    connection.tools().await.unwrap();
    connection.stop().await;
    assert!(
        server
            .asked()
            .iter()
            .all(|asked| asked.header("authorization").as_deref() == Some("Basic aHVudGVyMg=="))
    );
}

#[tokio::test]
async fn no_failure_of_a_request_says_a_secret() {
    type Fails = fn(&crate::scripted::Asked) -> crate::scripted::Reply;
    let failures: [Fails; 9] = [
        |_| status("500 Internal Server Error"),
        |_| status("401 Unauthorized"),
        |_| crate::scripted::Reply::HangsUp,
        |_| whole("200 OK", "content-type: text/html\r\n", "<html>"),
        |_| whole("200 OK", "content-type: application/json\r\n", "{"),
        |_| {
            whole(
                "307 Temporary Redirect",
                "location: http://127.0.0.1:1/?key=hunter2\r\n",
                "",
            )
        },
        |_| {
            whole(
                "307 Temporary Redirect",
                "location: nonsense://hunter2\r\n",
                "",
            )
        },
        |_| events(["data: {\"jsonrpc\"".to_owned()]),
        |asked| events([event(&answer(asked, json!("none")))]),
    ];
    for (number, fails) in failures.into_iter().enumerate() {
        for era in [Era::Modern, Era::Legacy] {
            let server = Scripted::new(move |asked| match asked.method() {
                "tools/call" | "tools/list" => fails(asked),
                _ if era == Era::Modern => modern(asked),
                _ => with_session(asked),
            })
            .await;
            let mut begin = start(&server.url, Some(era));
            begin.authorization = Some(Arc::new(Nobody));
            let (connection, _handler) = connect_with(begin, LIMITS).await.unwrap();
            for error in [
                call(&connection, "echo", json!({})).await.unwrap_err(),
                connection.tools().await.unwrap_err(),
            ] {
                assert!(
                    !format!("{error} {error:?}").contains("hunter2"),
                    "{number} {era:?}: {error:?}"
                );
            }
            assert!(!format!("{connection:?}").contains("hunter2"));
            connection.stop().await;
        }
    }
}

/// Somebody with a token, and no other.
struct Nobody;

impl Authorization for Nobody {
    fn token(&self) -> BoxFuture<'_, Option<Secret>> {
        Box::pin(async { Some(Secret::new("hunter2".to_owned())) })
    }

    fn refused(&self, _status: u16, _challenge: Vec<String>) -> BoxFuture<'_, bool> {
        Box::pin(async { false })
    }
}
