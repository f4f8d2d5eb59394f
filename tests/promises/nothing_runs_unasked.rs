//! Nothing is run or called that a person has not seen and allowed.

use crate::support::{TestHost, code, misbehave, text, unconfined};
use host::api::{ErrorCode, ServerState};
use policy::{Decision, Reason, Refusal, Subject};
use protocol::{Caller, ToolPart};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_servers_are_there_and_off_from_the_start() {
    let test = TestHost::new().await;
    let servers = test.host.snapshot().await.servers;
    let names: Vec<_> = servers
        .iter()
        .map(|server| (server.id.as_str(), server.on, &server.state))
        .collect();
    assert_eq!(
        names,
        [
            ("currency", false, &ServerState::Off),
            ("shipping", false, &ServerState::Off)
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_does_not_run_before_its_review_was_accepted() {
    let test = TestHost::new().await;
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["ok"]});
    test.ask(
        "add_server",
        json!({"draft": {"name": "new", "target": target, "confinement": unconfined()}}),
    )
    .await
    .unwrap();
    assert_eq!(
        code(
            test.ask("enable_server", json!({"server": "new", "reviewed": null}))
                .await
        ),
        ErrorCode::ReviewNeeded
    );
    let other = protocol::Fingerprint::of(&json!("something else"));
    assert_eq!(
        code(
            test.ask("enable_server", json!({"server": "new", "reviewed": other}))
                .await
        ),
        ErrorCode::ReviewNeeded
    );
    assert_eq!(test.state("new").await, ServerState::Off);
    test.switch_on("new").await;
    assert_eq!(test.state("new").await, ServerState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edited_server_is_off_until_it_is_reviewed_again() {
    let test = TestHost::new().await;
    test.add("new", &[&misbehave(), "ok"]).await;
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["ok", "--more"]});
    test.ask(
        "edit_server",
        json!({"server": "new", "draft": {"name": "new", "target": target}}),
    )
    .await
    .unwrap();
    assert_eq!(test.state("new").await, ServerState::Off);
    assert_eq!(
        code(
            test.ask("enable_server", json!({"server": "new", "reviewed": null}))
                .await
        ),
        ErrorCode::ReviewNeeded
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_asked_about_each_time_until_it_is_allowed_for_longer() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let person = test.person([Decision::once(), Decision::always()]);
    for round in 0..4 {
        let answer = test
            .call("echo", "echo", json!({"text": format!("round {round}")}))
            .await
            .unwrap();
        assert!(text(&answer).contains(&format!("round {round}")));
    }
    assert_eq!(person.asked().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_is_for_one_caller_only_and_survives_a_restart() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    {
        let _person = test.person([Decision::always()]);
        test.call("echo", "echo", json!({"text": "x"}))
            .await
            .unwrap();
    }
    let test = test.again().await;
    test.call("echo", "echo", json!({"text": "y"}))
        .await
        .unwrap();
    let person = test.person([Decision::no(None)]);
    assert_eq!(
        code(
            test.call_as(Caller::window(), "echo", "echo", json!({"text": "y"}))
                .await
        ),
        ErrorCode::Refused
    );
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_for_this_run_ends_with_it() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    {
        let person = test.person([Decision::for_conversation()]);
        test.call("echo", "echo", json!({"text": "x"}))
            .await
            .unwrap();
        test.call("echo", "echo", json!({"text": "y"}))
            .await
            .unwrap();
        assert_eq!(person.asked().len(), 1);
    }
    let test = test.again().await;
    let person = test.person([Decision::no(None)]);
    assert_eq!(
        code(test.call("echo", "echo", json!({"text": "x"})).await),
        ErrorCode::Refused
    );
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_whose_description_changes_asks_again_and_says_so() {
    let test = TestHost::new().await;
    let words = test.dir().join("description.txt");
    std::fs::write(&words, "Reads a file").unwrap();
    test.add(
        "files",
        &[&misbehave(), "described", words.to_str().unwrap()],
    )
    .await;
    let person = test.person([Decision::always(), Decision::always(), Decision::once()]);
    test.call("files", "read", json!({})).await.unwrap();
    test.call("files", "read", json!({})).await.unwrap();
    assert_eq!(person.asked().len(), 1, "allowed always, and unchanged");

    std::fs::write(&words, "Reads a file and mails it").unwrap();
    let told = test.until(|event| matches!(event, host::api::HostEvent::ToolsChanged { .. }));
    let touched = test.call("files", "touch", json!({}));
    let (_, touched) = tokio::join!(told, touched);
    touched.unwrap();
    let refused = test.call("files", "read", json!({})).await.unwrap_err();
    assert_eq!(
        refused.refusal,
        Some(Refusal::Quarantined),
        "nobody has seen the difference"
    );
    test.decide_all("files", "approve").await;
    test.call("files", "read", json!({})).await.unwrap();
    let asked = person.asked();
    let Subject::Call {
        reason: Reason::ToolChanged { parts, before, .. },
        tool,
        ..
    } = &asked[2].subject
    else {
        panic!("asked for another reason: {:?}", asked[2].subject)
    };
    assert_eq!(parts, &[ToolPart::Description]);
    assert_eq!(
        (before.description.as_deref(), tool.description.as_deref()),
        (Some("Reads a file"), Some("Reads a file and mails it"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_grant_asks_again() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let person = test.person([Decision::always(), Decision::no(None)]);
    test.call("echo", "echo", json!({"text": "x"}))
        .await
        .unwrap();
    let grants = test
        .ask("list_grants", serde_json::Value::Null)
        .await
        .unwrap();
    test.ask("revoke_grant", json!({"grant": grants[0]["id"]}))
        .await
        .unwrap();
    assert_eq!(
        code(test.call("echo", "echo", json!({"text": "x"})).await),
        ErrorCode::Refused
    );
    assert_eq!(person.asked().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_switched_off_tool_is_denied_without_a_question() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let person = test.person([]);
    test.ask(
        "set_tool",
        json!({"server": "echo", "tool": "echo", "on": false}),
    )
    .await
    .unwrap();
    assert_eq!(
        code(test.call("echo", "echo", json!({"text": "x"})).await),
        ErrorCode::Refused
    );
    assert!(person.asked().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_of_the_same_name_on_another_server_is_another_tool() {
    let test = TestHost::new().await;
    test.add("one", &[&misbehave(), "ok"]).await;
    test.add("two", &[&misbehave(), "same-name"]).await;
    let person = test.person([Decision::always(), Decision::no(None)]);
    test.call("one", "echo", json!({"text": "x"}))
        .await
        .unwrap();
    assert_eq!(
        code(test.call("two", "echo", json!({"text": "x"})).await),
        ErrorCode::Refused
    );
    assert_eq!(person.asked().len(), 2);
    let tools = test
        .ask("list_tools", json!({"server": "two"}))
        .await
        .unwrap();
    let echo = tools
        .as_array()
        .unwrap()
        .iter()
        .find(|tool| tool["spec"]["name"] == "echo")
        .unwrap();
    assert_eq!(echo["also_on"], json!(["one"]));
}
