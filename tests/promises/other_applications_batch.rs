//! Applications of 2025-03-26 may send several messages together, and get the answers; no other
//! revision has that.

use crate::support::mcp_client::McpClient;
use crate::support::mcp_http::HttpClient;
use crate::support::{TestHost, misbehave};
use loopback::Serving;
use policy::Decision;
use protocol::CallerId;
use serde_json::{Value, json};

async fn echo() -> (TestHost, Serving, CallerId) {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let editor = test.add_client("Editor").await;
    (test, serving, editor)
}

fn call(id: u64, text: &str) -> Value {
    let params = json!({"name": "echo__echo", "arguments": {"text": text}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// Two calls, what is no message, and what wants no answer.
fn together() -> Value {
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    json!([call(11, "one"), told, 7, call(12, "two")])
}

/// What was answered: the texts by their ids, and what went wrong.
fn sorted(answers: &[Value]) -> Vec<(Value, Value)> {
    let mut sorted: Vec<_> = answers
        .iter()
        .map(|answer| {
            let text = &answer["result"]["content"][0]["text"];
            let code = &answer["error"]["code"];
            let said = if code.is_null() { text } else { code };
            (answer["id"].clone(), said.clone())
        })
        .collect();
    sorted.sort_by_key(|(id, _)| id.as_u64());
    sorted
}

fn expected() -> Vec<(Value, Value)> {
    vec![
        (Value::Null, json!(-32600)),
        (json!(11), json!("one")),
        (json!(12), json!("two")),
    ]
}

async fn begin(client: &mut McpClient, revision: &str) {
    let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}});
    let begun = client.ask("initialize", params).await.unwrap();
    assert_eq!(begun["protocolVersion"], revision);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_line_messages_that_come_together_are_answered_together() {
    let (test, _serving, editor) = echo().await;
    let _person = test.person([Decision::always()]);
    let mut client = McpClient::come(&test, &editor, None).await;
    begin(&mut client, "2025-03-26").await;
    client.send(&together()).await;
    let answers = client.heard().await.unwrap();
    assert_eq!(sorted(answers.as_array().unwrap()), expected());
    // What wants no answer gets none, and the next is answered.
    let told = json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]);
    client.send(&told).await;
    assert_eq!(client.ask("ping", json!({})).await, Ok(json!({})));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_revisions_and_too_many_are_refused_with_a_reason() {
    let (test, _serving, editor) = echo().await;
    let person = test.person([]);
    for revision in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let mut client = McpClient::come(&test, &editor, None).await;
        begin(&mut client, revision).await;
        client.send(&together()).await;
        let refused = client.heard().await.unwrap();
        assert_eq!(refused["error"]["code"], -32600, "{revision}: {refused}");
        let why = refused["error"]["message"].as_str().unwrap();
        assert!(why.contains("2025-03-26"), "{why}");
        assert_eq!(client.ask("ping", json!({})).await, Ok(json!({})));
    }
    let mut client = McpClient::come(&test, &editor, None).await;
    begin(&mut client, "2025-03-26").await;
    for wrong in [json!([]), json!(vec![call(1, "x"); 1_000])] {
        client.send(&wrong).await;
        let refused = client.heard().await.unwrap();
        assert_eq!(refused["error"]["code"], -32600, "{refused}");
    }
    assert!(person.asked().is_empty(), "{:?}", person.asked());
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_each_answer_to_messages_that_come_together_is_an_event() {
    let (test, _serving, editor) = echo().await;
    let _person = test.person([Decision::always()]);
    let client = HttpClient::of(&test, &editor, "2025-03-26").await;
    let mut answer = client.post_all(&together()).await;
    assert_eq!(answer.status().await, 200);
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(answer.message().await);
    }
    assert_eq!(sorted(&answers), expected());
    let told = json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]);
    assert_eq!(client.send(&told).await, 202);
    let newer = HttpClient::begin(&test, &editor, json!({})).await;
    let mut refused = newer.post_all(&together()).await;
    assert_eq!(refused.status().await, 400);
    assert_eq!(refused.message().await["error"]["code"], -32600);
}
