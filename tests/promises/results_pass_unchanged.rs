//! What servers answer reaches other applications as it came, down to what only programs read; what
//! policy changes of it is changed there too, and nothing of the connection to the server gets out.

use crate::support::mcp_client::McpClient;
use crate::support::{TestHost, misbehave};
use loopback::Serving;
use policy::Decision;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use protocol::CallerId;
use serde_json::{Map, Value, json};

/// How many results are tried.
const RESULTS: usize = 16;

/// An application at the endpoint of one server, whose person agrees to everything in this way.
struct Application {
    client: McpClient,
    _person: crate::support::Person,
    _serving: Serving,
    _test: TestHost,
}

impl Application {
    async fn of(server: &[&str], answer: Decision) -> Self {
        let test = TestHost::new().await;
        test.add("server", server).await;
        let serving = loopback::serve(test.host.clone(), None, None)
            .await
            .unwrap();
        let editor = test.add_client("Editor").await;
        let person = test.person(vec![answer; RESULTS]);
        let client = McpClient::begin(&test, &editor, Some("server")).await;
        Self {
            client,
            _person: person,
            _serving: serving,
            _test: test,
        }
    }

    /// What arrives of a result.
    async fn arrives(&mut self, result: &Value) -> Value {
        let said = self.client.call("say", json!({ "result": result })).await;
        said.unwrap()
    }
}

async fn says() -> Application {
    Application::of(&[&misbehave(), "says"], Decision::always()).await
}

/// The same without what Majordomo says of it.
fn without_ours(mut result: Value) -> Value {
    if let Some(Value::Object(meta)) = result.get_mut("_meta") {
        meta.retain(|name, _| !name.starts_with("majordomo/"));
        if meta.is_empty() {
            result.as_object_mut().unwrap().remove("_meta");
        }
    }
    result
}

/// Any JSON in which there is nothing that policy would change. Numbers of any size are among it,
/// but none that could be that of a card.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f32>().prop_map(|number| json!(f64::from(number))),
        prop::sample::select(vec![
            json!(1.0),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(0.1),
            json!(1e300)
        ]),
        "[a-z é文]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            map(inner).prop_map(Value::Object),
        ]
    })
}

fn map(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec(("[a-z]{1,5}/?[a-z]{1,3}", inner), 0..4)
        .prop_map(|fields| fields.into_iter().collect())
}

/// A well formed part of a result, with anything beside.
fn part() -> impl Strategy<Value = Value> {
    let known = prop::sample::select(vec![
        json!({"type": "text", "text": "words"}),
        json!({"type": "image", "data": "AAEC", "mimeType": "image/png"}),
        json!({"type": "audio", "data": "AAEC", "mimeType": "audio/wav"}),
        json!({"type": "resource_link", "uri": "a:b", "name": "b", "size": 3, "icons": [{"src": "a:c"}]}),
        json!({"type": "resource", "resource": {"uri": "a:b", "text": "words", "_meta": {"a": 1}}}),
        json!({"type": "resource", "resource": {"uri": "a:b", "blob": "AAEC", "later": true}}),
        json!({"type": "hologram", "depth": 3}),
    ]);
    let annotations = json!({"audience": ["user"], "priority": 0.5});
    (known, map(json_value()), any::<bool>()).prop_map(move |(mut part, meta, is_annotated)| {
        part["_meta"] = meta.into();
        if is_annotated {
            part["annotations"] = annotations.clone();
        }
        part
    })
}

fn result() -> impl Strategy<Value = Value> {
    let parts = prop::collection::vec(part(), 0..4);
    let rest = (map(json_value()), map(json_value()), json_value());
    (parts, rest, any::<bool>()).prop_map(|(parts, (beside, meta, structured), failed)| {
        let mut result = Value::Object(beside);
        result["content"] = parts.into();
        result["_meta"] = meta.into();
        result["structuredContent"] = structured;
        result["isError"] = failed.into();
        result
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_policy_does_not_change_arrives_as_it_came() {
    let mut application = says().await;
    let (mut runner, results) = (TestRunner::deterministic(), result());
    for _ in 0..RESULTS {
        let result = results.new_tree(&mut runner).unwrap().current();
        let arrived = application.arrives(&result).await;
        assert_eq!(without_ours(arrived), without_ours(result));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_covered_in_a_result_is_covered_in_all_that_is_beside_it() {
    let mut application = says().await;
    let (card, hidden) = ("4539 1488 0343 6467", "a\u{200B}b");
    let beside = json!({"example.com/a": [card, {hidden: card}]});
    let arrived = application
        .arrives(&json!({
            "content": [
                {"type": "text", "text": card, "_meta": beside},
                {"type": "resource", "resource": {"uri": "a:b", "text": "x", "_meta": beside}},
                {"type": "hologram", "_meta": beside},
            ],
            "_meta": beside, "later": beside,
        }))
        .await;
    let covered = json!({"example.com/a": ["⟦number 1⟧", {"a⟨U+200B⟩b": "⟦number 1⟧"}]});
    for at in [
        "/content/0/_meta",
        "/content/1/resource/_meta",
        "/content/2/_meta",
        "/later",
    ] {
        assert_eq!(arrived.pointer(at), Some(&covered), "{at}: {arrived}");
    }
    assert_eq!(arrived["_meta"]["example.com/a"], covered["example.com/a"]);
    let text = arrived.to_string();
    assert!(!text.contains(card) && !text.contains('\u{200B}'), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_the_connection_to_the_server_gets_out_and_no_server_speaks_as_majordomo() {
    let mut application = says().await;
    let meta = json!({
        "io.modelcontextprotocol/related-task": {"taskId": "upstream"},
        "io.modelcontextprotocol/serverInfo": {"name": "upstream"},
        "io.modelcontextprotocol/subscriptionId": "upstream",
        "progressToken": "upstream",
        "traceparent": "upstream",
        "majordomo/label": "upstream",
        "majordomo/notes": "upstream",
        "example.com/own": "kept",
    });
    let result = json!({"content": [], "resultType": "upstream", "ttlMs": 7, "_meta": meta});
    let arrived = application.arrives(&result).await;
    assert!(!arrived.to_string().contains("upstream"), "{arrived}");
    assert_eq!(arrived["_meta"]["example.com/own"], "kept");
    assert_eq!(arrived["_meta"]["majordomo/label"]["trust"], "untrusted");
    assert_eq!(arrived["ttlMs"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_read_and_what_is_filled_in_arrive_with_all_that_is_beside_them() {
    let mut application =
        Application::of(&[&misbehave(), "conforming", "handshake"], Decision::once()).await;
    let client = &mut application.client;
    let read = client
        .ask("resources/read", json!({"uri": "test://static-text"}))
        .await
        .unwrap();
    assert_eq!(
        read,
        json!({
            "contents": [{
                "uri": "test://static-text",
                "mimeType": "text/plain",
                "text": "This is the content of the static text resource.",
                "_meta": {"example.com/edition": 2},
            }],
            "_meta": {"example.com/source": "memory"},
        })
    );
    let filled = client
        .ask("prompts/get", json!({"name": "test_simple_prompt"}))
        .await
        .unwrap();
    assert_eq!(
        filled,
        json!({
            "messages": [{
                "role": "user",
                "content": {
                    "type": "text",
                    "text": "This is a simple prompt for testing.",
                    "annotations": {"audience": ["assistant"]},
                },
            }],
            "_meta": {"example.com/source": "memory"},
        })
    );
}

/// A served host with two servers, `one` and `two`, that are alike; and an application.
async fn two_with_views() -> (TestHost, Serving, CallerId) {
    let test = TestHost::new().await;
    for name in ["one", "two"] {
        test.add(name, &[&misbehave(), "conforming", "handshake"])
            .await;
    }
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let editor = test.add_client("Editor").await;
    (test, serving, editor)
}

#[tokio::test(flavor = "multi_thread")]
async fn views_of_two_servers_with_the_same_address_are_told_apart_at_the_joint_endpoint() {
    let (test, _serving, editor) = two_with_views().await;
    let _person = test.person(vec![Decision::once(); RESULTS]);
    let mut client = McpClient::begin(&test, &editor, None).await;
    let listed = client.ask("tools/list", json!({})).await.unwrap();
    let tools = listed["tools"].as_array().unwrap();
    let view = tools
        .iter()
        .find(|tool| tool["name"] == "two__test_view")
        .unwrap();
    let address = "ui://two/view/main";
    assert_eq!(
        view["_meta"],
        json!({"ui": {"resourceUri": address}, "ui/resourceUri": address})
    );
    let result = client.call("two__test_view", json!({})).await.unwrap();
    assert_eq!(result["content"][0]["uri"], address);
    assert_eq!(result["content"][1]["resource"]["uri"], address);
    let listed = client.ask("resources/list", json!({})).await.unwrap();
    let listed = listed["resources"].as_array().unwrap().iter();
    let listed: Vec<&Value> = listed.map(|one| &one["uri"]).collect();
    for address in ["ui://one/view/main", "ui://two/view/main"] {
        assert!(listed.contains(&&json!(address)), "{listed:?}");
        let uri = json!({"uri": address});
        let read = client.ask("resources/read", uri).await.unwrap();
        assert_eq!(read["contents"][0]["uri"], address);
    }
    for address in ["ui://view/main", "ui://three/view/main"] {
        let uri = json!({"uri": address});
        let error = client.ask("resources/read", uri.clone()).await.unwrap_err();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32002), &uri));
    }
    // At its own endpoint a server's addresses are its own.
    let mut client = McpClient::begin(&test, &editor, Some("two")).await;
    let uri = json!({"uri": "ui://view/main"});
    let read = client.ask("resources/read", uri).await.unwrap();
    assert_eq!(read["contents"][0]["uri"], "ui://view/main");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_that_was_read_calls_its_servers_tools_by_their_own_names() {
    let (test, _serving, editor) = two_with_views().await;
    let _person = test.person(vec![Decision::once(); RESULTS]);
    let mut client = McpClient::begin(&test, &editor, None).await;
    let call = json!({"name": "test_view", "arguments": {}});
    let unread = client.ask("tools/call", call.clone()).await.unwrap_err();
    assert_eq!(unread["code"], -32602);
    for (server, is_meant) in [("two", true), ("one", false)] {
        let uri = json!({"uri": format!("ui://{server}/view/main")});
        client.ask("resources/read", uri).await.unwrap();
        let called = client.ask("tools/call", call.clone()).await;
        match is_meant {
            true => assert_eq!(called.unwrap()["content"][0]["uri"], "ui://two/view/main"),
            // Two views can mean it now.
            false => assert_eq!(called.unwrap_err(), unread),
        }
    }
    // Another connection has read nothing.
    let mut client = McpClient::begin(&test, &editor, None).await;
    assert_eq!(client.ask("tools/call", call).await.unwrap_err(), unread);
}
