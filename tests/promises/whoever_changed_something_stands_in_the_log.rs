//! Whoever changed something stands in the log: in whose name it was done, and on whose word.

use crate::support::{Choices, TestHost, misbehave};
use host::{Approver, Folders, Os, Surface};
use policy::Decision;
use protocol::{Caller, TokenHash};
use serde_json::{Value, json};

/// What a person can change without a question, as the log names it.
const CHANGES: [&str; 38] = [
    "application_connected",
    "application_disconnected",
    "client_added",
    "client_token_set",
    "client_changed",
    "client_removed",
    "model_added",
    "model_changed",
    "model_removed",
    "assistant_saved",
    "assistant_removed",
    "server_added",
    "server_edited",
    "server_reviewed",
    "server_switched",
    "server_removed",
    "offer_decided",
    "offers_decided",
    "tool_switched",
    "tool_always_shown",
    "tool_marked",
    "root_added",
    "root_removed",
    "sampling_set",
    "era_chosen",
    "runs_chosen",
    "confinement_chosen",
    "workspace_added",
    "workspace_renamed",
    "workspace_switched",
    "workspace_removed",
    "client_set",
    "account_chosen",
    "signed_out",
    "rule_made",
    "telemetry_set",
    "question_time_set",
    "grant_revoked",
];

async fn say(test: &TestHost, surface: &Surface, method: &str, params: Value) -> Value {
    test.ask_on(surface, method, params)
        .await
        .unwrap_or_else(|error| panic!("{method}: {error:?}"))
}

async fn records(test: &TestHost, event: &str) -> Vec<Value> {
    let export = test
        .ask("export_log", json!({"format": "jsonl"}))
        .await
        .unwrap();
    let all = export["text"]
        .as_str()
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|record| record["event"] == event).collect()
}

/// Changes everything once that can be changed.
async fn change_everything(test: &TestHost, surface: &Surface) {
    let say = |method: &'static str, params: Value| say(test, surface, method, params);
    let draft = |name: &str, args: &[&str]| {
        let target = json!({"kind": "stdio", "command": misbehave(), "args": args});
        json!({"name": name, "target": target})
    };
    say(
        "add_server",
        json!({"draft": draft("echo", &["dies-in-call"])}),
    )
    .await;
    say(
        "edit_server",
        json!({"server": "echo", "draft": draft("echo", &["ok"])}),
    )
    .await;
    let review = say("review_server", json!({"server": "echo"})).await;
    say(
        "accept_review",
        json!({"server": "echo", "reviewed": review["fingerprint"]}),
    )
    .await;
    say("enable_server", json!({"server": "echo", "reviewed": null})).await;
    let offers = say("review_offers", json!({"server": "echo"})).await;
    let decision = |offer: &Value| json!({"key": offer["key"], "fingerprint": offer["fingerprint"], "decision": "approve"});
    let decisions: Vec<Value> = offers["offers"]
        .as_array()
        .unwrap()
        .iter()
        .map(decision)
        .collect();
    for decisions in [&decisions[..], &decisions[..1]] {
        say(
            "decide_offers",
            json!({"server": "echo", "decisions": decisions}),
        )
        .await;
    }
    say(
        "set_tool",
        json!({"server": "echo", "tool": "echo", "on": false}),
    )
    .await;
    say(
        "set_tool",
        json!({"server": "echo", "tool": "echo", "on": true}),
    )
    .await;
    say(
        "show_tool_always",
        json!({"server": "echo", "tool": "echo", "on": true}),
    )
    .await;
    say("mark_tool", json!({"server": "echo", "tool": "echo", "mark": {"consequential": false, "secret": false}})).await;
    let folder = tempfile::tempdir().unwrap();
    let path = say("add_root", json!({"server": "echo", "path": folder.path()})).await["roots"][0]
        ["path"]
        .clone();
    say("remove_root", json!({"server": "echo", "path": path})).await;
    let limit = json!({"requests": 1, "tokens": 1, "per_reply": 1});
    say("set_sampling", json!({"server": "echo", "settings": {"on": false, "review_replies": true, "limit": limit}})).await;
    say("set_era", json!({"server": "echo", "era": "auto"})).await;
    say("set_runs", json!({"server": "echo", "runs": "always"})).await;
    say(
        "set_confinement",
        json!({"server": "echo", "settings": {"confined": true}}),
    )
    .await;
    say(
        "set_confinement",
        json!({"server": "echo", "settings": {"confined": false}}),
    )
    .await;

    let person = test.person([Decision::always()]);
    say("review_offers", json!({"server": "echo"})).await;
    say(
        "call_tool",
        json!({"call": null, "server": "echo", "tool": "echo", "arguments": {"text": "hello"}}),
    )
    .await;
    drop(person);
    let grants = say("list_grants", Value::Null).await;
    say("revoke_grant", json!({"grant": grants[0]["id"]})).await;

    let target = json!({"kind": "http", "url": "https://example.com/mcp"});
    say(
        "add_server",
        json!({"draft": {"name": "far", "target": target}}),
    )
    .await;
    say(
        "set_oauth_client",
        json!({"server": "far", "client": {"client_id": "ours"}}),
    )
    .await;
    say("use_account", json!({"server": "far", "account": "work"})).await;
    say("sign_out", json!({"server": "far", "account": "work"})).await;
    let text = json!({"mcpServers": {"kept": {"command": "x"}}}).to_string();
    let choices = json!([{"source_name": "kept", "name": "kept"}]);
    say(
        "import_servers",
        json!({"from": {"kind": "text", "text": text}, "choices": choices, "keep": "session"}),
    )
    .await;

    let home = say("list_workspaces", Value::Null).await[0]["id"].clone();
    let other = say("add_workspace", json!({"name": "other", "like": null})).await["id"].clone();
    say(
        "rename_workspace",
        json!({"workspace": other, "name": "another"}),
    )
    .await;
    say("switch_workspace", json!({"workspace": other})).await;
    say("switch_workspace", json!({"workspace": home})).await;
    say("remove_workspace", json!({"workspace": other})).await;
    let rule = json!({"effect": "forbid", "hook": "call", "caller": null, "server": "currency", "tool": null, "when": [], "reason": null});
    say("add_rule", json!({"draft": rule})).await;
    say("set_telemetry", json!({"settings": {"endpoint": null}})).await;
    say("set_question_time", json!({"minutes": 5})).await;
    let client = say("add_client", json!({"name": "Editor"})).await["id"].clone();
    let hash = TokenHash::of("a token");
    say("set_client_token", json!({"client": client, "hash": hash})).await;
    let change = json!({"kind": "mode", "mode": "search"});
    say("change_client", json!({"client": client, "change": change})).await;
    say("remove_client", json!({"client": client})).await;
    let settings = json!({"service": "ollama", "url": "http://127.0.0.1:11434", "name": "m", "context": 4096, "sees_images": false});
    let draft = json!({"name": "Mine", "settings": settings, "key": {"kind": "none"}});
    let model = say("add_model", json!({"draft": draft})).await["id"].clone();
    say("change_model", json!({"model": model, "draft": draft})).await;
    say("remove_model", json!({"model": model})).await;
    let assistant = json!({"settings": {"name": "Sums"}});
    let assistant = say("save_assistant", assistant).await["id"].clone();
    say("remove_assistant", json!({"assistant": assistant})).await;
    let found = say("list_applications", Value::Null).await;
    let file = json!({"application": found[0]["application"], "path": found[0]["path"]});
    for (preview, change) in [
        ("preview_connection", "connect_application"),
        ("preview_disconnection", "disconnect_application"),
    ] {
        let mut shown = file.clone();
        shown["hash"] = say(preview, file.clone()).await["plan"]["hash"].clone();
        say(change, shown).await;
    }
    say("disable_server", json!({"server": "echo"})).await;
    say("remove_server", json!({"server": "echo"})).await;
}

async fn check(surface: Surface, caller: &str, approver: &str) {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join(".cursor")).unwrap();
    let test = TestHost::with(Choices {
        folders: Some(Folders::below(Os::Linux, home.path().to_owned())),
        ..Choices::default()
    })
    .await;
    change_everything(&test, &surface).await;
    for event in CHANGES {
        let records = records(&test, event).await;
        assert!(!records.is_empty(), "{event} is not in the log");
        for record in records {
            assert_eq!(
                (&record["caller"]["kind"], &record["approver"]),
                (&json!(caller), &json!(approver)),
                "{record}"
            );
        }
    }
    assert_eq!(records(&test, "server_added").await.len(), 3);
    assert_eq!(
        records(&test, "sampling_set").await[0]["review_replies"],
        true
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_changed_in_the_window_is_in_its_name() {
    check(
        Surface::of(Caller::window(), Some(Approver::Window)),
        "window",
        "window",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_changed_in_a_terminal_is_in_its_name() {
    check(
        Surface::of(Caller::terminal(), Some(Approver::Terminal)),
        "terminal",
        "terminal",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_command_changes_by_its_own_yes_is_not_the_persons_word() {
    check(
        Surface::of(Caller::terminal(), Some(Approver::Unattended)),
        "terminal",
        "unattended",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_changed_with_the_token_says_so() {
    check(
        Surface::of(Caller::terminal(), Some(Approver::Token)),
        "terminal",
        "approver_token",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_program_changes_by_itself_is_on_nobodys_word() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let person = test.person([Decision::always()]);
    test.call("echo", "echo", json!({"text": "hello"}))
        .await
        .unwrap();
    drop(person);
    let program = Surface::of(Caller::terminal(), None);
    let grants = say(&test, &program, "list_grants", Value::Null).await;
    for (method, params) in [
        ("revoke_grant", json!({"grant": grants[0]["id"]})),
        ("disable_server", json!({"server": "echo"})),
    ] {
        say(&test, &program, method, params).await;
    }
    let switched_off = records(&test, "server_switched").await.pop().unwrap();
    let revoked = records(&test, "grant_revoked").await.pop().unwrap();
    assert_eq!(
        (&switched_off["on"], &switched_off["caller"]["kind"]),
        (&json!(false), &json!("terminal"))
    );
    for record in [switched_off, revoked] {
        assert_eq!(record["approver"], Value::Null, "{record}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_is_asked_about_is_made_on_the_word_of_whoever_said_yes() {
    let test = TestHost::new().await;
    let _person = test.person([Decision::ChangeRule]);
    let rule = json!({"effect": "allow", "hook": "call", "caller": null, "server": "currency", "tool": null, "when": [], "reason": null});
    say(
        &test,
        &Surface::of(Caller::window(), Some(Approver::Window)),
        "add_rule",
        json!({"draft": rule}),
    )
    .await;
    let made = &records(&test, "rule_made").await[0];
    assert_eq!(
        (&made["caller"]["kind"], &made["approver"]),
        (&json!("window"), &json!("terminal")),
        "{made}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_remembered_says_whether_it_allows_and_for_which_arguments() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always()]);
    test.call("echo", "echo", json!({"text": "hello"}))
        .await
        .unwrap();
    let made = &records(&test, "grant_made").await[0];
    assert_eq!(
        (&made["effect"], &made["approver"]),
        (&json!({"kind": "allow"}), &json!("terminal")),
        "{made}"
    );
    assert!(made["arguments"]["kind"].is_string(), "{made}");
    let row = test
        .ask(
            "list_activity",
            json!({"filter": {"text": "grant_made"}, "before": null, "limit": 1}),
        )
        .await
        .unwrap();
    let detail = test
        .ask("show_activity", json!({"seq": row["rows"][0]["seq"]}))
        .await
        .unwrap();
    assert_eq!(detail["approver"], "terminal");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_decided_together_is_one_record_that_names_each_and_holds_after_a_restart() {
    let test = TestHost::new().await;
    test.add("many", &[&misbehave(), "many", "40"]).await;
    let review = test
        .ask("review_offers", json!({"server": "many"}))
        .await
        .unwrap();
    let decided = records(&test, "offers_decided").await;
    assert_eq!(decided.len(), 1, "{decided:?}");
    let named = |offer: &Value| {
        let key = &offer["key"];
        json!({"kind": key["kind"], "name": key["name"], "decision": "approve", "fingerprint": offer["fingerprint"]})
    };
    let offers = review["offers"].as_array().unwrap();
    assert!(offers.len() >= 40);
    let shown: Vec<Value> = offers.iter().map(named).collect();
    assert_eq!(decided[0]["decided"], json!(shown));
    assert_eq!(decided[0]["approver"], "terminal");

    let test = TestHost::on(test.end().await).await;
    let review = test
        .ask("review_offers", json!({"server": "many"}))
        .await
        .unwrap();
    assert_eq!(review["waiting"], 0);
}
