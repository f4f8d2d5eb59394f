//! Other applications use the servers through Majordomo: in their own name, as far as the person
//! lets them, in the words of either era, and no application sees another's.

use crate::support::http::Address;
use crate::support::mcp_client::{MODERN, McpClient, first_text};
use crate::support::terminal::Terminal;
use crate::support::{Choices, TestHost, misbehave, unconfined};
use host::Clock;
use host::api::{ClientView, GatewayView, HostEvent};
use loopback::Serving;
use policy::{Decision, Subject};
use protocol::{CallerId, CallerKind, TokenHash};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::net::TcpListener;

/// A host that is served, with a server called `echo`.
async fn echo() -> (TestHost, Serving) {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let serving = served(&test).await;
    (test, serving)
}

/// The tools of `echo`, as they are known at the joint endpoint.
const TOOLS: [&str; 5] = [
    "echo__echo",
    "echo__add",
    "echo__slow",
    "echo__env",
    "echo__whoami",
];

async fn served(test: &TestHost) -> Serving {
    loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap()
}

async fn clients(test: &TestHost) -> Vec<ClientView> {
    let view: GatewayView = test.get("list_clients", json!({})).await;
    view.clients
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_calls_in_its_own_name_and_is_asked_about_like_everybody() {
    let (test, _serving) = echo().await;
    let (editor, other) = (
        test.add_client("Editor").await,
        test.add_client("Other").await,
    );
    let person = test.person([Decision::always(), Decision::no(Some("not today"))]);
    let mut client = McpClient::begin(&test, &editor, None).await;
    assert_eq!(client.tools().await, TOOLS);
    let said = client.call("echo__echo", json!({"text": "hello"})).await;
    assert_eq!(first_text(&said.unwrap()), "hello");
    let Subject::Call { caller, .. } = person.asked()[0].subject.clone() else {
        panic!("{:?}", person.asked())
    };
    assert_eq!(
        (caller.kind(), caller.name()),
        (&CallerKind::Client, "Editor")
    );
    client
        .call("echo__echo", json!({"text": "again"}))
        .await
        .unwrap();
    assert_eq!(person.asked().len(), 1);

    let mut client = McpClient::begin(&test, &other, None).await;
    let refused = client
        .call("echo__echo", json!({"text": "hello"}))
        .await
        .unwrap();
    assert_eq!(refused["isError"], true);
    assert!(first_text(&refused).contains("not today"), "{refused}");
    assert_eq!(test.outcomes().await, ["refused", "done", "done"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_there_is_not_and_what_it_may_not_use_are_answered_alike() {
    let (test, _serving) = echo().await;
    test.add("hidden", &[&misbehave(), "ok"]).await;
    test.add("switched", &[&misbehave(), "ok"]).await;
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["ok"]});
    let draft =
        json!({"draft": {"name": "unapproved", "target": target, "confinement": unconfined()}});
    test.ask("add_server", draft).await.unwrap();
    test.only_switch_on("unapproved").await;
    let off = json!({"server": "switched", "tool": "echo", "on": false});
    test.ask("set_tool", off).await.unwrap();
    let editor = test.add_client("Editor").await;
    let rule = json!({"effect": "forbid", "hook": "discover", "caller": {"kind": "client", "id": editor}, "server": "hidden", "tool": null, "when": [], "reason": null});
    test.ask("add_rule", json!({ "draft": rule }))
        .await
        .unwrap();
    let person = test.person([]);
    let mut client = McpClient::begin(&test, &editor, None).await;
    let others = [
        "switched__add",
        "switched__slow",
        "switched__env",
        "switched__whoami",
    ];
    assert_eq!(client.tools().await, [&TOOLS[..], &others].concat());
    for server in ["nowhere", "hidden", "switched", "unapproved"] {
        let name = format!("{server}__echo");
        let error = client.call(&name, json!({"text": "x"})).await.unwrap_err();
        let expected = json!({"code": -32602, "message": format!("Unknown tool: {name}")});
        assert_eq!(error, expected);
    }
    let error = client.call("echo", json!({})).await.unwrap_err();
    assert_eq!(error["code"], -32602);
    assert_eq!(person.asked().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_eras_are_spoken_on_one_line() {
    let (test, _serving) = echo().await;
    let editor = test.add_client("Editor").await;
    let _person = test.person([Decision::always()]);
    let mut client = McpClient::come(&test, &editor, None).await;
    let early = client.ask("tools/list", json!({})).await.unwrap_err();
    assert_eq!(early["code"], -32600, "there was no handshake");
    let found = client
        .ask_modern("server/discover", json!({}))
        .await
        .unwrap();
    assert_eq!(found["supportedVersions"], json!([MODERN]));
    assert_eq!(found["resultType"], "complete");
    let listed = client.ask_modern("tools/list", json!({})).await.unwrap();
    assert_eq!(listed["tools"][0]["name"], "echo__echo");
    assert!(
        listed["ttlMs"].is_u64() && listed["cacheScope"] == "private",
        "{listed}"
    );
    let params = json!({"name": "echo__echo", "arguments": {"text": "hello"}});
    let said = client.ask_modern("tools/call", params).await.unwrap();
    assert_eq!(first_text(&said), "hello");
    for gone in [
        "ping",
        "initialize",
        "logging/setLevel",
        "resources/subscribe",
    ] {
        let error = client.ask_modern(gone, json!({})).await.unwrap_err();
        assert_eq!(error["code"], -32601, "{gone}");
    }
    let wrong = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "1999-12-31", "io.modelcontextprotocol/clientCapabilities": {}}});
    let error = client.ask("tools/list", wrong).await.unwrap_err();
    assert_eq!(
        (error["code"].as_i64(), &error["data"]["supported"]),
        (Some(-32022), &json!([MODERN]))
    );

    for (wanted, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2026-07-28", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ] {
        let mut client = McpClient::come(&test, &editor, None).await;
        let params = json!({"protocolVersion": wanted, "capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}});
        let begun = client.ask("initialize", params.clone()).await.unwrap();
        assert_eq!(begun["protocolVersion"], agreed, "{wanted}");
        assert_eq!(client.ask("ping", json!({})).await, Ok(json!({})));
        assert!(client.ask("initialize", params).await.is_err(), "twice");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn at_the_endpoint_of_one_server_its_tools_keep_their_names() {
    let (test, _serving) = echo().await;
    test.add("other", &[&misbehave(), "many", "3"]).await;
    let editor = test.add_client("Editor").await;
    let _person = test.person([Decision::always()]);
    let mut client = McpClient::begin(&test, &editor, Some("echo")).await;
    assert_eq!(
        client.tools().await,
        ["echo", "add", "slow", "env", "whoami"]
    );
    let said = client.call("echo", json!({"text": "hello"})).await.unwrap();
    assert_eq!(first_text(&said), "hello");
    assert!(client.call("other__tool-0", json!({})).await.is_err());
    let mut client = McpClient::begin(&test, &editor, None).await;
    assert_eq!(client.tools().await.len(), TOOLS.len() + 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_person_decides_the_application_hears_that_they_do_and_may_give_up() {
    let (test, _serving) = echo().await;
    let editor = test.add_client("Editor").await;
    let mut client = McpClient::begin(&test, &editor, None).await;
    let params = json!({"name": "echo__echo", "arguments": {"text": "hello"}, "_meta": {"progressToken": "p"}});
    let id = client.begin_to_ask("tools/call", params).await;
    let told = client.told("notifications/progress").await;
    assert_eq!(told["progressToken"], "p");
    assert!(
        told["message"].as_str().unwrap().contains("Waiting"),
        "{told}"
    );
    test.until_waiting().await;
    let mut heard = test.listen();
    client
        .tell("notifications/cancelled", json!({"requestId": id}))
        .await;
    heard
        .until(|event| matches!(event, HostEvent::QuestionClosed { .. }))
        .await;
    assert_eq!(
        client.ask("ping", json!({})).await,
        Ok(json!({})),
        "and nothing is answered"
    );
    heard
        .until(|event| matches!(event, HostEvent::CallEnded { .. }))
        .await;
    assert_eq!(test.outcomes().await, ["cancelled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn when_an_application_goes_its_questions_go_with_it() {
    let (test, _serving) = echo().await;
    let editor = test.add_client("Editor").await;
    let mut client = McpClient::begin(&test, &editor, None).await;
    let params = json!({"name": "echo__echo", "arguments": {"text": "hello"}});
    client.begin_to_ask("tools/call", params).await;
    test.until_waiting().await;
    let mut heard = test.listen();
    drop(client);
    heard
        .until(|event| matches!(event, HostEvent::QuestionClosed { .. }))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_hears_that_its_tools_have_changed_and_nothing_of_others_calls() {
    let (test, _serving) = echo().await;
    let editor = test.add_client("Editor").await;
    let _person = test.person([Decision::always()]);
    let mut client = McpClient::begin(&test, &editor, None).await;
    client.tools().await;
    test.call("echo", "echo", json!({"text": "of somebody else"}))
        .await
        .unwrap();
    let off = json!({"server": "echo", "tool": "echo", "on": false});
    test.ask("set_tool", off).await.unwrap();
    let told = client.heard().await.unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
    assert_eq!(client.tools().await, TOOLS[1..]);

    let mut modern = McpClient::come(&test, &editor, None).await;
    let meta = json!({"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"_meta": meta, "notifications": {"toolsListChanged": true}});
    let id = modern.begin_to_ask("subscriptions/listen", params).await;
    let first = modern.heard().await.unwrap();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    let on = json!({"server": "echo", "tool": "echo", "on": true});
    test.ask("set_tool", on).await.unwrap();
    let told = modern.told("notifications/tools/list_changed").await;
    assert_eq!(told["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_removed_is_sent_away_with_all_that_it_was_allowed() {
    let (test, _serving) = echo().await;
    let editor = test.add_client("Editor").await;
    let person = test.person([Decision::always(), Decision::once()]);
    let mut client = McpClient::begin(&test, &editor, None).await;
    client
        .call("echo__echo", json!({"text": "a"}))
        .await
        .unwrap();
    let connections = clients(&test).await[0].connections.clone();
    assert_eq!(connections.len(), 1);
    assert_eq!(connections[0].says.as_deref(), Some("tester 1"));
    test.ask("remove_client", json!({"client": editor}))
        .await
        .unwrap();
    while client.heard().await.is_some() {}
    let host = loopback::Client::find(test.dir()).await.unwrap().unwrap();
    assert!(host.bridge(&editor, None).await.is_err());
    let again = test.add_client("Editor").await;
    assert_eq!(again, editor, "the name is free");
    let mut client = McpClient::begin(&test, &again, None).await;
    client
        .call("echo__echo", json!({"text": "a"}))
        .await
        .unwrap();
    assert_eq!(
        person.asked().len(),
        2,
        "and nothing is left of what it was allowed"
    );
    let test = test.again().await;
    assert_eq!(clients(&test).await.len(), 1, "it is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_lets_no_application_in_by_itself() {
    let test = TestHost::new().await;
    for (method, params) in [
        ("add_client", json!({"name": "Editor"})),
        (
            "set_client_token",
            json!({"client": "editor", "hash": TokenHash::of("x")}),
        ),
    ] {
        let refused = test.ask_as_program(method, params).await.unwrap_err();
        assert_eq!(refused.code, host::ErrorCode::OnlyForThePerson, "{method}");
    }
    for name in ["", "  ", "a\u{200B}", "a\nb", &"x".repeat(65)] {
        let refused = test
            .ask("add_client", json!({ "name": name }))
            .await
            .unwrap_err();
        assert_eq!(refused.code, host::ErrorCode::BadName, "{name:?}");
    }
    test.add_client("Éditeur 1").await;
    let taken = test.ask("add_client", json!({"name": "éditeur 1"})).await;
    assert_eq!(taken.unwrap_err().code, host::ErrorCode::NameTaken);
}

/// A client over HTTP, and its token.
async fn over_http(test: &TestHost, name: &str, token: &str) -> (CallerId, Address) {
    let id = test.add_client(name).await;
    let hash = TokenHash::of(token);
    let params = json!({"client": id, "hash": hash});
    test.ask("set_client_token", params).await.unwrap();
    loop {
        let view: GatewayView = test.get("list_clients", json!({})).await;
        if let Some(address) = view.address {
            return (id, Address::of_gateway(&address, token));
        }
        tokio::task::yield_now().await;
    }
}

async fn post(address: &Address, headers: &[(&str, &str)], message: &Value) -> (u16, String) {
    let bearer = format!("Bearer {}", address.token);
    let place = address.place();
    let usual = [
        ("Host", place.as_str()),
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let usual = usual
        .into_iter()
        .filter(|(name, _)| headers.iter().all(|(given, _)| given != name));
    let headers: Vec<_> = usual.chain(headers.iter().copied()).collect();
    address
        .send("POST /mcp", &headers, &message.to_string())
        .await
}

fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn modern(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}});
    request(method, params)
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_an_application_needs_its_token_and_no_web_page_gets_in() {
    let (test, _serving) = echo().await;
    let (editor, address) = over_http(&test, "Editor", "mjd_secret").await;
    let list = modern("tools/list", json!({}));
    let said = [
        ("MCP-Protocol-Version", MODERN),
        ("Mcp-Method", "tools/list"),
    ];
    let (status, body) = post(&address, &said, &list).await;
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("echo__echo"), "{body}");
    for (header, status) in [
        (("Authorization", "Bearer wrong"), 401),
        (("Authorization", ""), 401),
        (("Host", "evil.example"), 403),
        (("Origin", "https://evil.example"), 403),
        (("Origin", "null"), 403),
        (("Content-Type", "text/plain"), 415),
    ] {
        let headers = [&said[..], &[header]].concat();
        let (answered, body) = post(&address, &headers, &list).await;
        assert_eq!(
            (answered, body.contains("echo")),
            (status, false),
            "{header:?}"
        );
    }
    let log = test
        .ask("export_log", json!({"format": "jsonl"}))
        .await
        .unwrap();
    assert!(!log.to_string().contains("mjd_secret"));

    let gone = json!({"client": editor, "hash": null});
    test.ask("set_client_token", gone).await.unwrap();
    let (status, why) = post(&address, &said, &list).await;
    assert_eq!(status, 401);
    assert!(why.contains("majordomoctl clients token"), "{why}");
    let place = address.place();
    let head = address.head("POST /mcp", &[("Host", &place)], "").await;
    let head = head.to_lowercase();
    assert!(head.contains("www-authenticate: bearer"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_a_session_is_one_applications_and_ends() {
    let (test, _serving) = echo().await;
    let (_, one) = over_http(&test, "One", "token-one").await;
    let (_, other) = over_http(&test, "Other", "token-other").await;
    let hello = request(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    let session = begun(&one, &hello).await;
    let of_it = [
        ("Mcp-Session-Id", session.as_str()),
        ("MCP-Protocol-Version", "2025-06-18"),
    ];
    let list = request("tools/list", json!({}));
    let (status, body) = post(&one, &of_it, &list).await;
    assert!(
        status == 200 && body.contains("echo__echo"),
        "{status} {body}"
    );
    assert_eq!(post(&other, &of_it, &list).await.0, 404, "it is not theirs");
    assert_eq!(post(&one, &[], &list).await.0, 400, "of which session");
    assert_eq!(post(&one, &[("Mcp-Session-Id", "x")], &list).await.0, 404);
    let odd = [
        ("Mcp-Session-Id", session.as_str()),
        ("MCP-Protocol-Version", "1999-12-31"),
    ];
    assert_eq!(post(&one, &odd, &list).await.0, 400);
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(post(&one, &of_it, &told).await.0, 202);
    let bearer = format!("Bearer {}", one.token);
    let place = one.place();
    let headers = [
        ("Host", place.as_str()),
        ("Authorization", bearer.as_str()),
        of_it[0],
    ];
    assert_eq!(one.send("DELETE /mcp", &headers, "").await.0, 200);
    assert_eq!(post(&one, &of_it, &list).await.0, 404, "it has ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_who_has_said_nothing_for_minutes_is_seen_last_then_and_may_go_on() {
    let time = Arc::new(AtomicI64::new(1_795_000_000_000));
    let test = TestHost::with(Choices {
        clock: Clock::Fixed(time.clone()),
        ..Choices::default()
    })
    .await;
    let _serving = served(&test).await;
    let (_, one) = over_http(&test, "One", "token-one").await;
    let hello = request(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    let session = begun(&one, &hello).await;
    let stands = async || {
        let client = clients(&test).await.remove(0);
        let since = time.load(Ordering::Relaxed) - client.seen_at.unwrap().0;
        (client.connections.len(), since / 60_000)
    };
    assert_eq!(stands().await, (1, 0));
    time.fetch_add(40 * 60_000, Ordering::Relaxed);
    assert_eq!(stands().await, (0, 40), "it never said goodbye");
    let of_it = [
        ("Mcp-Session-Id", session.as_str()),
        ("MCP-Protocol-Version", "2025-06-18"),
    ];
    let ping = request("ping", json!({}));
    assert_eq!(
        post(&one, &of_it, &ping).await.0,
        200,
        "its session is good"
    );
    assert_eq!(stands().await, (1, 0));
}

/// The number of a session that begins.
async fn begun(address: &Address, hello: &Value) -> String {
    let bearer = format!("Bearer {}", address.token);
    let place = address.place();
    let headers = [
        ("Host", place.as_str()),
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
    ];
    let head = address
        .head("POST /mcp", &headers, &hello.to_string())
        .await;
    let line = head.lines().find_map(|line| {
        line.split_once(": ")
            .filter(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"))
    });
    line.unwrap_or_else(|| panic!("{head}")).1.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_what_the_headers_say_is_what_the_request_says() {
    let (test, _serving) = echo().await;
    let (_, address) = over_http(&test, "Editor", "token").await;
    let call = modern(
        "tools/call",
        json!({"name": "echo__echo", "arguments": {"text": "x"}}),
    );
    let right = [
        ("MCP-Protocol-Version", MODERN),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "echo__echo"),
    ];
    for wrong in [
        ("MCP-Protocol-Version", "1999-12-31"),
        ("Mcp-Method", "tools/list"),
        ("Mcp-Name", "another"),
        ("Mcp-Name", "=?base64?!?="),
    ] {
        let headers = right.map(|header| if header.0 == wrong.0 { wrong } else { header });
        let (status, body) = post(&address, &headers, &call).await;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            (status, &body["error"]["code"]),
            (400, &json!(-32020)),
            "{wrong:?}"
        );
    }
    for missing in 0..right.len() {
        let mut headers = right.to_vec();
        headers.remove(missing);
        let (status, _) = post(&address, &headers, &call).await;
        assert_eq!(status, 400, "without {:?}", right[missing]);
    }
    let _person = test.person([Decision::once()]);
    let encoded = [
        right[0],
        right[1],
        ("Mcp-Name", "=?base64?ZWNob19fZWNobw==?="),
    ];
    let (status, body) = post(&address, &encoded, &call).await;
    assert!(status == 200 && body.contains("\"x\""), "{status} {body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_the_way_stays_the_same_after_a_restart() {
    let (test, serving) = echo().await;
    // One of its own: the usual one may be another test's by the time that it comes back.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    test.host.keep_gateway_port(port).await;
    let (_, address) = over_http(&test, "Editor", "token").await;
    assert_eq!(address.place(), format!("127.0.0.1:{port}"));
    serving.end().await;
    let test = test.again().await;
    let _serving = served(&test).await;
    let list = modern("tools/list", json!({}));
    let said = [
        ("MCP-Protocol-Version", MODERN),
        ("Mcp-Method", "tools/list"),
    ];
    loop {
        let view: GatewayView = test.get("list_clients", json!({})).await;
        if view.address.is_some() {
            break;
        }
        tokio::task::yield_now().await;
    }
    let (status, body) = post(&address, &said, &list).await;
    assert!(
        status == 200 && body.contains("echo__echo"),
        "{status} {body}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_that_sends_junk_hurts_itself_only() {
    let (test, _serving) = echo().await;
    let (editor, other) = (
        test.add_client("Editor").await,
        test.add_client("Other").await,
    );
    let mut good = McpClient::begin(&test, &other, None).await;
    let mut bad = McpClient::begin(&test, &editor, None).await;
    for junk in [
        json!([]),
        json!(7),
        json!("x"),
        json!({"jsonrpc": "2.0", "id": {}, "method": "ping"}),
    ] {
        bad.send(&junk).await;
        let error = bad.heard().await.unwrap();
        assert_eq!(error["error"]["code"], -32600, "{junk}");
    }
    for (method, params) in [
        ("tools/call", json!({})),
        ("tools/call", json!({"name": 7})),
        ("tools/list", json!({"cursor": "x"})),
        ("resources/read", json!({"uri": "nowhere:///"})),
        ("prompts/get", json!({"name": "x"})),
        ("completion/complete", json!({"ref": {"type": "x"}})),
        ("logging/setLevel", json!({"level": "loud"})),
        ("no/such/method", json!({})),
    ] {
        let error = bad.ask(method, params).await.unwrap_err();
        assert!(error["message"].is_string(), "{method}");
    }
    assert_eq!(good.tools().await, TOOLS);
}

/// A server with resources that logs, and has a tool that is slow.
async fn everything_like() -> (TestHost, Serving) {
    let test = TestHost::new().await;
    test.add("offers", &[&misbehave(), "resources-and-prompts"])
        .await;
    let serving = served(&test).await;
    (test, serving)
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_and_prompts_are_listed_read_and_filled_in() {
    let (test, _serving) = everything_like().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let editor = test.add_client("Editor").await;
    let _person = test.person(std::iter::repeat_with(Decision::once).take(8));
    let mut client = McpClient::begin(&test, &editor, None).await;
    let resources = client.ask("resources/list", json!({})).await.unwrap();
    let uri = resources["resources"][0]["uri"].clone();
    let read = client
        .ask("resources/read", json!({ "uri": uri }))
        .await
        .unwrap();
    assert_eq!(read["contents"][0]["uri"], uri, "{read}");
    let gone = client
        .ask("resources/read", json!({"uri": "nowhere:///"}))
        .await;
    assert_eq!(gone.unwrap_err()["code"], -32002);
    let prompts = client.ask("prompts/list", json!({})).await.unwrap();
    let name = prompts["prompts"][0]["name"].as_str().unwrap().to_owned();
    assert!(name.starts_with("offers__"), "{prompts}");
    let unknown = client
        .ask("prompts/get", json!({"name": "echo__none"}))
        .await;
    assert!(unknown.is_err());
    assert_eq!(
        client
            .ask("resources/unsubscribe", json!({ "uri": uri }))
            .await,
        Ok(json!({}))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_logs_reaches_the_application_whose_call_runs_there_and_no_other() {
    let (test, _serving) = everything_like().await;
    let (one, other) = (test.add_client("One").await, test.add_client("Other").await);
    let _person = test.person([Decision::always()]);
    let mut quiet = McpClient::begin(&test, &other, None).await;
    let mut client = McpClient::begin(&test, &one, None).await;
    for client in [&mut quiet, &mut client] {
        let set = client
            .ask("logging/setLevel", json!({"level": "warning"}))
            .await;
        assert_eq!(set, Ok(json!({})));
    }
    client.call("offers__log", json!({})).await.unwrap();
    let told: Vec<_> = client
        .told
        .iter()
        .map(|told| told["params"].clone())
        .collect();
    let expected = ["warning", "error"]
        .map(|level| json!({"level": level, "logger": "offers", "data": {"line": level}}));
    assert_eq!(told, expected);
    quiet.ask("ping", json!({})).await.unwrap();
    assert!(quiet.told.is_empty(), "{:?}", quiet.told);
}

#[test]
fn the_bridge_carries_an_application_to_the_running_host() {
    let terminal = Terminal::new();
    let (_running, _) = terminal.serve(&[]);
    for words in [
        &["servers", "review", "currency", "--accept", "--yes"][..],
        &["servers", "enable", "currency", "--yes"],
        &["offers", "approve", "currency", "--all", "--yes"],
    ] {
        assert_eq!(terminal.run(words).code, 0, "{words:?}");
    }
    let ran = terminal.run(&["bridge", "--client", "editor"]);
    assert!(ran.code != 0 && ran.err.contains("application"), "{ran:?}");
    let client = terminal.json(&["clients", "add", "Editor", "--yes"]);
    assert_eq!(client["id"], "editor");
    let mut bridge = terminal.start_typing(&["bridge", "--client", "editor"]);
    let hello = request(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    bridge.type_in(&format!("{hello}\n"));
    let begun: Value = serde_json::from_str(&bridge.line()).unwrap();
    assert_eq!(begun["result"]["serverInfo"]["name"], "majordomo");
    bridge.type_in(&format!("{}\n", request("tools/list", json!({}))));
    let listed: Value = serde_json::from_str(&bridge.line()).unwrap();
    let names: Vec<_> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].clone())
        .collect();
    assert!(
        names.contains(&json!("currency__get_exchange_rate")),
        "{names:?}"
    );
    assert_eq!(
        terminal.json(&["clients", "list"])["clients"][0]["connections"][0]["by"],
        "bridge"
    );
    terminal.json(&["clients", "disconnect", "editor"]);
    let ran = bridge.ended();
    assert!(ran.code != 0 && ran.err.contains("ended"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_without_a_model_hears_that_a_server_needs_one() {
    let test = TestHost::new().await;
    test.add("server", &[&misbehave(), "conforming", "modern"])
        .await;
    let _serving = served(&test).await;
    let editor = test.add_client("Editor").await;
    let _person = test.person([Decision::always()]);
    let mut client = McpClient::come(&test, &editor, Some("server")).await;
    let call = json!({"name": "test_missing_capability", "arguments": {}});
    let error = client.ask_modern("tools/call", call).await.unwrap_err();
    assert_eq!(
        (&error["code"], &error["data"]),
        (
            &json!(-32021),
            &json!({"requiredCapabilities": {"sampling": {}}})
        )
    );
}
