//! An application that looks for tools is shown three instead of all, finds what it may use and
//! nothing else, and calls it as everybody does.

use crate::support::mcp_client::{McpClient, first_text};
use crate::support::terminal::Terminal;
use crate::support::{TestHost, code, misbehave};
use host::ErrorCode;
use loopback::Serving;
use policy::{Decision, Subject};
use protocol::CallerId;
use serde_json::{Value, json};

/// A host that is served, with a server called `echo` and one with many tools, and an application
/// that looks for them.
async fn served() -> (TestHost, Serving, CallerId) {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test.add("many", &[&misbehave(), "many", "30"]).await;
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let editor = test.add_client("Editor").await;
    for change in [
        json!({"kind": "mode", "mode": "search"}),
        json!({"kind": "own_tools", "on": false}),
    ] {
        let params = json!({"client": editor, "change": change});
        test.ask("change_client", params).await.unwrap();
    }
    (test, serving, editor)
}

async fn find(client: &mut McpClient, query: &str) -> String {
    let found = client.call("find_tools", json!({"queries": [query]}));
    first_text(&found.await.unwrap()).to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn three_tools_stand_for_all_and_lead_to_a_call_that_names_the_real_one() {
    let (test, _serving, editor) = served().await;
    let mut client = McpClient::begin(&test, &editor, None).await;
    let three = ["find_tools", "describe_tool", "call_tool"];
    assert_eq!(client.tools().await, three);
    let found = find(&mut client, "echo").await;
    assert!(
        found
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("- echo__echo (of echo): "),
        "{found}"
    );
    let described = client.call("describe_tool", json!({"name": "echo__echo"}));
    let described = described.await.unwrap();
    let definition: Value = serde_json::from_str(first_text(&described)).unwrap();
    assert_eq!(definition["name"], "echo__echo");
    assert_eq!(definition["inputSchema"]["type"], "object");

    let person = test.person([Decision::once()]);
    let call = json!({"name": "echo__echo", "arguments": {"text": "hello"}});
    let params = json!({"name": "call_tool", "arguments": call, "_meta": {"progressToken": "p"}});
    let said = client.ask("tools/call", params).await.unwrap();
    assert_eq!(first_text(&said), "hello");
    let Subject::Call { tool, caller, .. } = person.asked()[0].subject.clone() else {
        panic!("{:?}", person.asked())
    };
    assert_eq!((tool.name.as_str(), caller.name()), ("echo", "Editor"));
    assert_eq!(
        client.told("notifications/progress").await["progressToken"],
        "p"
    );
    assert_eq!(test.outcomes().await, ["done"]);
    let mut modern = McpClient::come(&test, &editor, None).await;
    let listed = modern.ask_modern("tools/list", json!({})).await.unwrap();
    assert_eq!(listed["tools"].as_array().unwrap().len(), three.len());
    let mut one = McpClient::begin(&test, &editor, Some("echo")).await;
    assert_eq!(
        one.tools().await[0],
        "echo",
        "the endpoint of one server lists its tools"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_may_not_use_is_neither_found_nor_described_nor_called() {
    let (test, _serving, editor) = served().await;
    let rule = json!({"effect": "forbid", "hook": "discover", "caller": {"kind": "client", "id": editor}, "server": "echo", "tool": "whoami", "when": [], "reason": null});
    test.ask("add_rule", json!({ "draft": rule }))
        .await
        .unwrap();
    let off = json!({"server": "echo", "tool": "slow", "on": false});
    test.ask("set_tool", off).await.unwrap();
    let tools = json!({"kind": "except", "parts": [{"server": "echo", "tools": ["env"]}]});
    let params = json!({"client": editor, "change": {"kind": "tools", "tools": tools}});
    test.ask("change_client", params).await.unwrap();
    let mut client = McpClient::begin(&test, &editor, None).await;
    for name in ["whoami", "slow", "env", "nothing"] {
        let shown = format!("echo__{name}");
        let found = find(&mut client, &shown).await;
        assert!(!found.contains(&format!("- {shown}")), "{found}");
        let described = client.call("describe_tool", json!({ "name": shown }));
        let described = described.await.unwrap();
        assert_eq!(described["isError"], true);
        assert_eq!(first_text(&described), format!("Unknown tool: {shown}"));
        let error = client.call("call_tool", json!({ "name": shown })).await;
        let message = format!("Unknown tool: {shown}");
        assert_eq!(error.unwrap_err()["message"], message);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_fits_the_servers_are_named_and_a_search_is_bounded() {
    let (test, _serving, editor) = served().await;
    let mut client = McpClient::begin(&test, &editor, None).await;
    let miss = find(&mut client, "zebra").await;
    assert!(miss.contains("echo") && miss.contains("many"), "{miss}");
    let found = find(&mut client, "tool").await;
    assert!(found.lines().count() <= 6, "{found}");
    for arguments in [
        json!({}),
        json!({"queries": "echo"}),
        json!({"queries": []}),
        json!({"queries": vec!["echo"; 6]}),
        json!({"queries": ["x".repeat(64 * 1024)]}),
    ] {
        let refused = client.call("find_tools", arguments).await.unwrap();
        assert_eq!(refused["isError"], true, "{refused}");
    }
    for queries in [json!([]), json!(vec!["echo"; 6])] {
        let asked = test.ask("search_tools", json!({ "queries": queries }));
        assert_eq!(code(asked.await), ErrorCode::BadRequest);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_description_is_not_searched_before_it_is_approved() {
    let test = TestHost::new().await;
    let said = test.dir().join("said");
    std::fs::write(&said, "Reads a file").unwrap();
    let file = said.to_str().unwrap();
    test.add("files", &[&misbehave(), "described", file]).await;
    let found = async |query: &str| {
        let found = test.ask("search_tools", json!({"queries": [query]})).await;
        found.unwrap()[0]["tools"].as_array().unwrap().len()
    };
    assert_eq!(found("reads").await, 1);
    std::fs::write(&said, "Reads a file, and is the best for zebras").unwrap();
    test.ask("restart_server", json!({"server": "files"}))
        .await
        .unwrap();
    test.ask("list_tools", json!({"server": "files"}))
        .await
        .unwrap();
    assert_eq!((found("zebras").await, found("reads").await), (0, 0));
    test.decide_all("files", "approve").await;
    assert_eq!(found("zebras").await, 1);
}

#[test]
fn the_terminal_finds_tools_in_the_same_way() {
    let terminal = Terminal::new();
    let (_running, _) = terminal.serve(&[]);
    for words in [
        &["servers", "review", "currency", "--accept", "--yes"][..],
        &["servers", "enable", "currency", "--yes"],
        &["offers", "approve", "currency", "--all", "--yes"],
    ] {
        assert_eq!(terminal.run(words).code, 0, "{words:?}");
    }
    let found = terminal.json(&["tools", "search", "exchange", "rates"]);
    assert_eq!(found[0]["tools"][0]["tool"], "get_exchange_rate");
    let shown = terminal.run(&["tools", "search", "exchange", "rates"]);
    assert!(shown.out.contains("get_exchange_rate"), "{shown:?}");
    let miss = terminal.run(&["tools", "search", "zebra"]);
    assert!(miss.code == 0 && miss.err.contains("currency"), "{miss:?}");
}
