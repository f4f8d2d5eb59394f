//! Each application has the tools that a person gives it, in the workspace in which it works, and
//! learns of nothing else; what it did itself and what of that waits it can see.

use crate::support::mcp_client::{McpClient, first_text};
use crate::support::terminal::Terminal;
use crate::support::{TestHost, code, misbehave};
use host::api::{ClientView, GatewayView, HostEvent, ToolCounts, WorkspaceView};
use host::{ErrorCode, HostError};
use loopback::Serving;
use policy::{Decision, Refusal};
use protocol::{CallerId, CallerKind};
use serde_json::{Value, json};

/// A host that is served, with servers called `echo` and `offers`.
async fn served() -> (TestHost, Serving) {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test.add("offers", &[&misbehave(), "resources-and-prompts"])
        .await;
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    (test, serving)
}

async fn change(test: &TestHost, client: &CallerId, change: Value) -> ClientView {
    let params = json!({"client": client, "change": change});
    test.get("change_client", params).await
}

/// Gives an application these and no others: servers, each with some of its tools or whole.
async fn give_only(test: &TestHost, client: &CallerId, parts: Value) -> ClientView {
    let tools = json!({"kind": "only", "parts": parts});
    change(test, client, json!({"kind": "tools", "tools": tools})).await
}

async fn view(test: &TestHost, client: &CallerId) -> ClientView {
    let all: GatewayView = test.get("list_clients", json!({})).await;
    let mut views = all.clients.into_iter();
    views.find(|view| view.id == *client).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_has_what_it_was_given_and_learns_of_nothing_else() {
    let (test, _serving) = served().await;
    let (editor, other) = (
        test.add_client("Editor").await,
        test.add_client("Other").await,
    );
    let given = json!([{"server": "ECHO", "tools": ["echo", "add"]}]);
    let shown = give_only(&test, &editor, given).await;
    let all = view(&test, &other).await;
    assert_eq!(
        shown.counts,
        ToolCounts {
            has: 2,
            of: all.counts.of
        }
    );
    assert_eq!(all.counts.has, all.counts.of);
    let person = test.person([Decision::once()]);
    let mut client = McpClient::begin(&test, &editor, None).await;
    assert_eq!(client.tools().await, ["echo__echo", "echo__add"]);
    let said = client.call("echo__echo", json!({"text": "hello"})).await;
    assert_eq!(first_text(&said.unwrap()), "hello");
    for name in ["echo__whoami", "offers__log", "nowhere__tool"] {
        let error = client.call(name, json!({})).await.unwrap_err();
        assert_eq!(error["message"], format!("Unknown tool: {name}"));
    }
    for (method, list) in [
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ] {
        let listed = client.ask(method, json!({})).await.unwrap();
        assert_eq!(listed[list], json!([]), "{method}");
    }
    let mut whole = McpClient::begin(&test, &other, None).await;
    let resources = whole.ask("resources/list", json!({})).await.unwrap();
    let prompts = whole.ask("prompts/list", json!({})).await.unwrap();
    let (uri, prompt) = (
        &resources["resources"][0]["uri"],
        &prompts["prompts"][0]["name"],
    );
    for (method, params) in [
        ("resources/read", json!({ "uri": uri })),
        ("resources/subscribe", json!({ "uri": uri })),
        ("prompts/get", json!({ "name": prompt })),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": prompt}, "argument": {"name": "a", "value": ""}}),
        ),
    ] {
        let mut nowhere = params.clone();
        let refused = client.ask(method, params).await.unwrap_err();
        if method.starts_with("resources") {
            nowhere["uri"] = json!("nowhere:///");
            let unknown = client.ask(method, nowhere).await.unwrap_err();
            assert_eq!(refused["code"], unknown["code"], "{method}");
            assert_eq!(refused["message"], unknown["message"], "{method}");
        }
    }
    assert_eq!(person.asked().len(), 1);

    let mut one = McpClient::begin(&test, &editor, Some("offers")).await;
    assert_eq!(
        one.tools().await,
        [""; 0],
        "nor at the server's own endpoint"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_lacks_it_is_refused_whichever_way_it_asks() {
    let (test, _serving) = served().await;
    let editor = test.add_client("Editor").await;
    give_only(
        &test,
        &editor,
        json!([{"server": "echo", "tools": ["add"]}]),
    )
    .await;
    let caller = protocol::Caller::new(CallerKind::Client, editor, "Editor");
    let refused = |result: Result<Value, HostError>| result.unwrap_err().refusal;
    let call = json!({"call": null, "server": "echo", "tool": "echo", "arguments": {"text": "x"}});
    let called = test.ask_as("call_tool", call, caller.clone()).await;
    assert_eq!(refused(called), Some(Refusal::NotSelected));
    for (method, params) in [
        ("list_resources", json!({"server": "offers"})),
        ("list_prompts", json!({"server": "offers"})),
        (
            "read_resource",
            json!({"server": "offers", "uri": "memo:///1"}),
        ),
        (
            "get_prompt",
            json!({"server": "offers", "prompt": "p", "arguments": {}}),
        ),
        (
            "set_log_level",
            json!({"server": "offers", "level": "error"}),
        ),
    ] {
        let asked = test.ask_as(method, params, caller.clone()).await;
        assert_eq!(refused(asked), Some(Refusal::NotSelected), "{method}");
    }
    let gone = protocol::Caller::new(CallerKind::Client, "gone".parse().unwrap(), "Gone");
    let call =
        json!({"call": null, "server": "echo", "tool": "add", "arguments": {"a": 1, "b": 2}});
    let called = test.ask_as("call_tool", call, gone).await;
    assert_eq!(refused(called), Some(Refusal::NotSelected), "a stranger");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_away_while_a_person_decides_is_not_called() {
    let (test, _serving) = served().await;
    let editor = test.add_client("Editor").await;
    let mut client = McpClient::begin(&test, &editor, None).await;
    let params = json!({"name": "echo__echo", "arguments": {"text": "hello"}});
    let id = client.begin_to_ask("tools/call", params).await;
    test.until_waiting().await;
    let mut heard = test.listen();
    give_only(&test, &editor, json!([])).await;
    heard
        .until(|event| matches!(event, HostEvent::QuestionClosed { .. }))
        .await;
    let refused = client.answer(id).await.unwrap();
    assert_eq!(refused["isError"], true, "{refused}");
    assert_eq!(test.outcomes().await, ["refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_hears_at_once_that_it_is_given_something_else() {
    let (test, _serving) = served().await;
    let (editor, other) = (
        test.add_client("Editor").await,
        test.add_client("Other").await,
    );
    let mut client = McpClient::begin(&test, &editor, None).await;
    let mut quiet = McpClient::begin(&test, &other, None).await;
    client.tools().await;
    give_only(
        &test,
        &editor,
        json!([{"server": "echo", "tools": ["add"]}]),
    )
    .await;
    for list in ["prompts", "resources", "tools"] {
        let method = format!("notifications/{list}/list_changed");
        client.told(&method).await;
    }
    assert_eq!(client.tools().await, ["echo__add"]);
    quiet.ask("ping", json!({})).await.unwrap();
    assert!(quiet.told.is_empty(), "{:?}", quiet.told);
    let test = test.again().await;
    let kept = view(&test, &editor).await;
    assert_eq!(
        json!(kept.settings.tools)["parts"][0]["tools"],
        json!(["add"])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_takes_from_an_application_and_gives_it_nothing() {
    let (test, _serving) = served().await;
    let editor = test.add_client("Editor").await;
    let only = |tools: Value| json!({"kind": "tools", "tools": {"kind": "only", "parts": [{"server": "echo", "tools": tools}]}});
    let home = "workspace-first";
    let ask = async |change: &Value| {
        let params = json!({"client": editor, "change": change});
        test.ask_as_program("change_client", params).await
    };
    for less in [
        json!({"kind": "mode", "mode": "search"}),
        json!({"kind": "tools", "tools": {"kind": "except", "parts": [{"server": "offers", "tools": null}]}}),
        only(json!(["echo", "add"])),
        only(json!(["add"])),
        json!({"kind": "workspace", "workspace": home}),
        json!({"kind": "own_tools", "on": false}),
    ] {
        ask(&less).await.unwrap();
    }
    for more in [
        only(json!(["echo", "add"])),
        only(Value::Null),
        json!({"kind": "tools", "tools": {"kind": "all"}}),
        json!({"kind": "workspace", "workspace": null}),
        json!({"kind": "own_tools", "on": true}),
    ] {
        let refused = code(ask(&more).await);
        assert_eq!(refused, ErrorCode::OnlyForThePerson, "{more}");
    }
    let nowhere =
        json!({"client": editor, "change": {"kind": "workspace", "workspace": "workspace-none"}});
    let unknown = code(test.ask("change_client", nowhere).await);
    assert_eq!(unknown, ErrorCode::UnknownWorkspace);
    let log = test
        .ask("export_log", json!({"format": "jsonl"}))
        .await
        .unwrap();
    let lines = log["text"].as_str().unwrap().lines();
    let changes = lines.filter(|line| line.contains("\"client_changed\""));
    assert_eq!(changes.count(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_another_workspace_than_its_own_is_in_use_it_is_given_nothing_but_the_reason() {
    let (test, _serving) = served().await;
    let editor = test.add_client("Editor").await;
    let home = json!("workspace-first");
    change(
        &test,
        &editor,
        json!({"kind": "workspace", "workspace": home}),
    )
    .await;
    let person = test.person([Decision::always()]);
    let mut client = McpClient::begin(&test, &editor, None).await;
    assert!(client.tools().await.len() > 5);
    let like = json!({"name": "Work", "like": home});
    let work: WorkspaceView = test.get("add_workspace", like).await;
    let switch = json!({"workspace": work.id});
    test.ask("switch_workspace", switch).await.unwrap();
    client.told("notifications/tools/list_changed").await;
    assert_eq!(client.tools().await, [""; 0]);
    assert_eq!(view(&test, &editor).await.counts.has, 0);
    for name in ["echo__echo", "nowhere__tool"] {
        let refused = client.call(name, json!({"text": "x"})).await.unwrap();
        assert_eq!(refused["isError"], true);
        assert!(first_text(&refused).contains("workspace"), "{refused}");
    }
    for (method, params) in [
        ("resources/read", json!({"uri": "memo:///1"})),
        ("prompts/get", json!({"name": "offers__p"})),
    ] {
        let refused = client.ask(method, params).await.unwrap_err();
        let why = refused["message"].as_str().unwrap();
        assert!(why.contains("workspace"), "{refused}");
    }
    assert_eq!(person.asked().len(), 0);
    let switch = json!({"workspace": home});
    test.ask("switch_workspace", switch).await.unwrap();
    test.ask("list_tools", json!({"server": "echo"}))
        .await
        .unwrap();
    let said = client.call("echo__echo", json!({"text": "back"})).await;
    assert_eq!(first_text(&said.unwrap()), "back");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_of_the_name_of_one_that_was_removed_is_not_given() {
    let (test, _serving) = served().await;
    let editor = test.add_client("Editor").await;
    let both = json!([{"server": "echo", "tools": null}, {"server": "offers", "tools": null}]);
    give_only(&test, &editor, both).await;
    test.ask("remove_server", json!({"server": "echo"}))
        .await
        .unwrap();
    test.add("echo", &[&misbehave(), "many", "3"]).await;
    let mut client = McpClient::begin(&test, &editor, None).await;
    let tools = client.tools().await;
    assert!(
        !tools.is_empty() && tools.iter().all(|name| name.starts_with("offers__")),
        "{tools:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_lacked_a_tool_lacks_it_under_its_new_name() {
    let test = TestHost::new().await;
    let script = test.dir().join("script.json");
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let write = |name: &str| {
        let tool =
            json!({"name": name, "description": "Erases a file for good", "inputSchema": schema});
        let text = json!({"tools": [tool]}).to_string();
        std::fs::write(&script, text).unwrap();
    };
    write("erase");
    test.add(
        "files",
        &[&misbehave(), "scripted", script.to_str().unwrap()],
    )
    .await;
    let editor = test.add_client("Editor").await;
    let lacks = json!({"kind": "except", "parts": [{"server": "files", "tools": ["erase"]}]});
    let counts = |view: ClientView| (view.counts.has, view.counts.of);
    let changed = change(&test, &editor, json!({"kind": "tools", "tools": lacks})).await;
    assert_eq!(counts(changed), (1, 2), "it has `touch`");
    write("erase_file");
    test.ask("restart_server", json!({"server": "files"}))
        .await
        .unwrap();
    test.ask("list_tools", json!({"server": "files"}))
        .await
        .unwrap();
    test.decide_all("files", "approve").await;
    assert_eq!(counts(view(&test, &editor).await), (1, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_its_list_of_tools_costs_is_shown_for_both_ways_of_showing_it() {
    let (test, _serving) = served().await;
    test.add("many", &[&misbehave(), "many", "40"]).await;
    let editor = test.add_client("Editor").await;
    let all = view(&test, &editor).await.costs;
    assert!(all.direct > all.search && all.search > 0, "{all:?}");
    let few = give_only(
        &test,
        &editor,
        json!([{"server": "echo", "tools": ["add"]}]),
    )
    .await;
    assert!(few.costs.direct < all.direct, "{few:?}");
    assert_eq!(few.costs.search, all.search);
    let off = change(&test, &editor, json!({"kind": "own_tools", "on": false})).await;
    assert!(off.costs.search < all.search && off.costs.direct < few.costs.direct);
    let mut client = McpClient::begin(&test, &editor, None).await;
    let listed = client.ask("tools/list", json!({})).await.unwrap();
    let [tool] = listed["tools"].as_array().unwrap().as_slice() else {
        panic!("{listed}")
    };
    let (said, written) = (off.costs.direct as usize, tool.to_string().len() / 4);
    assert!(said.abs_diff(written) <= 4, "{said} {written}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_sees_what_of_its_own_waits_and_what_it_did_and_nothing_of_others() {
    let (test, _serving) = served().await;
    let (editor, other) = (
        test.add_client("Editor").await,
        test.add_client("Other").await,
    );
    let mut client = McpClient::begin(&test, &editor, None).await;
    let mut stranger = McpClient::begin(&test, &other, None).await;
    let own = ["majordomo_waiting_questions", "majordomo_activity"];
    let listed = client.ask("tools/list", json!({})).await.unwrap();
    let tools = listed["tools"].as_array().unwrap().iter();
    let shown: Vec<&Value> = tools
        .filter(|tool| own.iter().any(|own| tool["name"] == *own))
        .collect();
    assert_eq!(shown.len(), own.len());
    assert!(
        shown
            .iter()
            .all(|tool| tool["annotations"]["readOnlyHint"] == true),
        "{shown:?}"
    );
    let params = json!({"name": "echo__echo", "arguments": {"text": "a secret wish"}});
    let id = client.begin_to_ask("tools/call", params).await;
    test.until_waiting().await;
    let mine = client.call(own[0], json!({})).await.unwrap();
    assert!(first_text(&mine).contains("echo__echo"), "{mine}");
    let theirs = stranger.call(own[0], json!({})).await.unwrap();
    assert_eq!(first_text(&theirs), "Nothing waits for the person.");
    let question = test.host.waiting().remove(0);
    test.host
        .answer(&question.id, Decision::no(None), host::Approver::Terminal)
        .await
        .unwrap();
    client.answer(id).await.unwrap();
    let mine = client.call(own[1], json!({"limit": 5})).await.unwrap();
    assert!(
        first_text(&mine).contains("echo__echo refused denied"),
        "{mine}"
    );
    let theirs = stranger.call(own[1], json!({})).await.unwrap();
    assert!(!first_text(&theirs).contains("echo"), "{theirs}");
    for said in [&mine, &theirs] {
        assert!(!said.to_string().contains("secret wish"), "{said}");
    }
    let odd = client.call(own[1], json!({"limit": "x"})).await.unwrap();
    assert_eq!(odd["isError"], true);

    change(&test, &editor, json!({"kind": "own_tools", "on": false})).await;
    for name in own {
        let error = client.call(name, json!({})).await.unwrap_err();
        assert_eq!(error["message"], format!("Unknown tool: {name}"));
    }
    let mut one = McpClient::begin(&test, &other, Some("echo")).await;
    assert!(
        one.call(own[0], json!({})).await.is_err(),
        "at the joint endpoint only"
    );
}

#[test]
fn the_terminal_says_what_an_application_is_given() {
    let terminal = Terminal::new();
    let client = terminal.json(&["clients", "add", "Editor", "--yes"]);
    assert_eq!(client["settings"]["tools"]["kind"], "all");
    let run = |words: &[&str]| terminal.json(&[&["clients"], words, &["--yes"]].concat());
    let given = run(&["give", "editor", "--only", "echo:add", "echo:echo", "files"]);
    assert_eq!(
        given["settings"]["tools"],
        json!({"kind": "only", "parts": [{"server": "echo", "tools": ["add", "echo"]}, {"server": "files", "tools": null}]})
    );
    let given = run(&["give", "editor", "--except", "echo:add", "echo"]);
    let lacks = json!([{"server": "echo", "tools": null}]);
    assert_eq!(given["settings"]["tools"]["parts"], lacks);
    assert_eq!(
        run(&["give", "editor", "--all"])["settings"]["tools"]["kind"],
        "all"
    );
    assert_eq!(
        run(&["mode", "editor", "search"])["settings"]["mode"],
        "search"
    );
    assert_eq!(
        run(&["own-tools", "editor", "off"])["settings"]["own_tools"],
        false
    );
    let bound = run(&["workspace", "editor", "home"]);
    assert_eq!(bound["settings"]["workspace"], "workspace-first");
    let free = run(&["workspace", "editor", "--any"]);
    assert_eq!(free["settings"]["workspace"], Value::Null);
    let listed = terminal.run(&["clients", "list"]);
    assert!(
        listed.out.contains("search") && listed.out.contains(" of "),
        "{listed:?}"
    );
    let unclear = terminal.run(&["clients", "give", "editor"]);
    assert_ne!(unclear.code, 0, "{unclear:?}");
}
