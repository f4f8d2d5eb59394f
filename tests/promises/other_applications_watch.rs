//! A server that tells an application of changes does so as long as the application wants it, and is
//! not kept from its rest for one that has gone.

use crate::support::mcp_client::{MODERN, McpClient};
use crate::support::mcp_http::HttpClient;
use crate::support::{Choices, EventRecorder, TestHost, misbehave};
use host::api::{HostEvent, ServerState};
use loopback::Serving;
use policy::Decision;
use protocol::CallerId;
use serde_json::{Value, json};
use std::time::Duration;

const URI: &str = "note://a";
/// A server of each era with a resource of this address.
const SERVERS: [(&str, &str); 2] = [("older", "resources-and-prompts"), ("newer", "modern")];

/// A host in which servers rest soon, with these, and an application that may come in.
async fn hasty() -> (TestHost, Serving, CallerId) {
    let test = TestHost::with(Choices {
        idle: Duration::from_millis(200),
        ..Choices::default()
    })
    .await;
    for (name, mode) in SERVERS {
        let target = json!({"kind": "stdio", "command": misbehave(), "args": [mode]});
        test.add_with(name, target).await;
    }
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["ok"]});
    test.add_with("echo", target).await;
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let editor = test.add_client("Editor").await;
    (test, serving, editor)
}

async fn until_idle(heard: &mut EventRecorder, name: &str) {
    let is_meant = |event: &HostEvent| matches!(event, HostEvent::ServerChanged { server } if server.id.as_str() == name && server.state == ServerState::Idle);
    heard.until(is_meant).await;
}

/// A server goes on for longer than one may be idle.
async fn goes_on(test: &TestHost, name: &str) {
    test.call("echo", "slow", json!({"ms": 1_000}))
        .await
        .unwrap();
    assert_eq!(test.state(name).await, ServerState::Ready, "{name}");
}

fn listen() -> Value {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}});
    json!({"_meta": meta, "notifications": {"resourceSubscriptions": [URI]}})
}

/// Waits until the server is watched: until then it rests.
async fn until_watched(test: &TestHost, name: &str) {
    while test.state(name).await != ServerState::Ready {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_application_does_not_watch_any_more_keeps_no_server_running() {
    let (test, _serving, editor) = hasty().await;
    let _person = test.person([Decision::always()]);
    for (name, _) in SERVERS {
        let mut heard = test.listen();
        let mut client = McpClient::begin(&test, &editor, Some(name)).await;
        let subscribe = async |client: &mut McpClient, method: &str| {
            let done = client.ask(method, json!({"uri": URI})).await;
            assert_eq!(done, Ok(json!({})), "{method} of {name}");
        };
        subscribe(&mut client, "resources/subscribe").await;
        goes_on(&test, name).await;
        subscribe(&mut client, "resources/unsubscribe").await;
        until_idle(&mut heard, name).await;

        let mut other = McpClient::come(&test, &editor, Some(name)).await;
        let id = other.begin_to_ask("subscriptions/listen", listen()).await;
        until_watched(&test, name).await;
        goes_on(&test, name).await;
        let cancelled = json!({"requestId": id});
        other.tell("notifications/cancelled", cancelled).await;
        until_idle(&mut heard, name).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_that_leaves_watches_nothing_any_more() {
    let (test, _serving, editor) = hasty().await;
    let _person = test.person([Decision::always()]);
    for (name, _) in SERVERS {
        let mut heard = test.listen();
        let mut one = McpClient::begin(&test, &editor, Some(name)).await;
        let subscribed = one.ask("resources/subscribe", json!({"uri": URI})).await;
        assert_eq!(subscribed, Ok(json!({})));
        let mut other = McpClient::come(&test, &editor, Some(name)).await;
        other.begin_to_ask("subscriptions/listen", listen()).await;
        goes_on(&test, name).await;
        drop(one);
        goes_on(&test, name).await;
        drop(other);
        until_idle(&mut heard, name).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_and_a_stream_that_is_closed_watch_nothing_any_more() {
    let (test, _serving, editor) = hasty().await;
    let _person = test.person([Decision::always()]);
    for (name, _) in SERVERS {
        let mut heard = test.listen();
        let client = HttpClient::at(&test, &editor, &format!("/{name}"), json!({})).await;
        let params = json!({"uri": URI});
        let mut done = client.post(1, "resources/subscribe", params).await;
        assert_eq!(done.message().await["result"], json!({}));
        goes_on(&test, name).await;
        client.end().await;
        until_idle(&mut heard, name).await;

        let stream = client
            .open_modern("subscriptions/listen", None, listen())
            .await;
        until_watched(&test, name).await;
        goes_on(&test, name).await;
        drop(stream);
        until_idle(&mut heard, name).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_ends_ends_what_it_tells_applications_and_cuts_none_of_it_off() {
    let (test, serving, editor) = hasty().await;
    let client = HttpClient::at(&test, &editor, "/newer", json!({})).await;
    let mut followed = client.follow().await;
    assert_eq!(followed.status().await, 200);
    let mut listened = client
        .open_modern("subscriptions/listen", None, listen())
        .await;
    assert_eq!(listened.status().await, 200);
    serving.end().await;
    for told in [&mut followed, &mut listened] {
        let ended = told.last_line().await;
        assert_eq!(ended.as_deref(), Some("0"), "the last bit has no length");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_watches_is_not_ended_by_an_application() {
    let (test, _serving, editor) = hasty().await;
    let _person = test.person([Decision::always()]);
    for (name, _) in SERVERS {
        let mut heard = test.listen();
        let watch = |on: bool| json!({"server": name, "uri": URI, "on": on});
        let listed = test.ask("watch_resource", watch(true)).await.unwrap();
        assert_eq!(listed["watched"], json!([URI]));
        let mut client = McpClient::begin(&test, &editor, Some(name)).await;
        for method in ["resources/subscribe", "resources/unsubscribe"] {
            client.ask(method, json!({"uri": URI})).await.unwrap();
        }
        goes_on(&test, name).await;
        let subscribed = client.ask("resources/subscribe", json!({"uri": URI}));
        subscribed.await.unwrap();
        let listed = test.ask("watch_resource", watch(false)).await.unwrap();
        assert_eq!(listed["watched"], json!([]));
        goes_on(&test, name).await;
        drop(client);
        until_idle(&mut heard, name).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_is_told_of_what_is_watched_for_it_and_of_nothing_else() {
    let (test, _serving, editor) = hasty().await;
    let other = json!({"kind": "stdio", "command": misbehave(), "args": [SERVERS[0].1]});
    test.add_with("other", other).await;
    let _person = test.person([Decision::always(), Decision::always()]);
    let watch = json!({"server": "older", "uri": URI, "on": true});
    test.ask("watch_resource", watch).await.unwrap();
    let touch = async || {
        let touched = test.call("older", "touch", json!({"uri": URI})).await;
        assert!(touched.is_ok());
    };
    // There are several resources of this address, so that none can be watched.
    let mut neither = McpClient::come(&test, &editor, None).await;
    let mut params = listen();
    params["notifications"]["promptsListChanged"] = true.into();
    neither.begin_to_ask("subscriptions/listen", params).await;
    let begun = neither.heard().await.unwrap();
    assert_eq!(begun["method"], "notifications/subscriptions/acknowledged");
    let mut client = McpClient::begin(&test, &editor, Some("older")).await;
    let subscribed = client.ask("resources/subscribe", json!({"uri": URI}));
    subscribed.await.unwrap();
    touch().await;
    let told = client.told("notifications/resources/updated").await;
    assert_eq!(told["uri"], URI);
    test.call("older", "change", json!({})).await.unwrap();
    let told = neither.heard().await.unwrap();
    assert_eq!(told["method"], "notifications/prompts/list_changed");
}
