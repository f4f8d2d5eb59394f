//! What a server asks before it gives a resource or a prompt reaches the application that wants it,
//! as what it asks because of a call does: in each era, and under the same guards.

use crate::support::mcp_client::McpClient;
use crate::support::{TestHost, misbehave};
use loopback::Serving;
use policy::{Decision, Subject};
use protocol::{CallerId, FormResult};
use serde_json::{Value, json};

/// A server of each era that asks before it gives anything.
const MODES: [&str; 2] = ["asks-first", "modern"];

fn able() -> Value {
    json!({"elicitation": {"form": {}}})
}

/// A served host with a server called `first`, and an application.
async fn asking(mode: &str) -> (TestHost, Serving, CallerId) {
    let test = TestHost::new().await;
    test.add("first", &[&misbehave(), mode]).await;
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let editor = test.add_client("Editor").await;
    (test, serving, editor)
}

/// What asks, with what is asked then.
fn offers() -> [(&'static str, Value, &'static str); 2] {
    let read = json!({"uri": "note://asks"});
    let get = json!({"name": "first__asks"});
    [
        ("resources/read", read, "first asks: Who reads?"),
        ("prompts/get", get, "first asks: Who is to be greeted?"),
    ]
}

fn accept(name: &str) -> Value {
    json!({"action": "accept", "content": {"name": name}})
}

/// Who answered what, as the log has it.
async fn answered(test: &TestHost) -> Vec<String> {
    let export = test.ask("export_log", json!({"format": "jsonl"})).await;
    let export = export.unwrap();
    let records = export["text"].as_str().unwrap().lines();
    let records = records.map(|line| serde_json::from_str::<Value>(line).unwrap());
    records
        .filter(|record| record["event"] == "client_answered")
        .map(|record| {
            assert!(record["approver"].is_null(), "no person: {record}");
            assert!(record["call"].is_null(), "it is no call: {record}");
            let (server, caller) = (&record["server"], &record["caller"]["id"]);
            format!("{} {server} {caller}", record["asked"]).replace('"', "")
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_resource_and_a_prompt_ask_reaches_the_application_that_wants_them() {
    for mode in MODES {
        let (test, _serving, editor) = asking(mode).await;
        let person = test.person([]);
        let mut client = McpClient::begin_able(&test, &editor, able()).await;
        for (method, params, message) in offers() {
            let id = client.begin_to_ask(method, params).await;
            let (asked, params) = client.asked("elicitation/create").await;
            assert_eq!(params["message"], message, "{mode}");
            client.reply(&asked, accept("Ada")).await;
            let given = client.answer(id).await.unwrap().to_string();
            assert!(given.contains("Ada"), "{method} of {mode}: {given}");
        }
        assert_eq!(answered(&test).await, ["form first editor"; 2], "{mode}");
        assert!(person.asked().is_empty(), "{mode}: {:?}", person.asked());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_era_of_2026_they_come_back_for_input_and_go_on_with_it_once() {
    for mode in MODES {
        let (test, _serving, editor) = asking(mode).await;
        let mut client = McpClient::come(&test, &editor, None).await;
        for (method, params, message) in offers() {
            let first = client.ask_able(able(), method, params.clone()).await;
            let wants = first.unwrap();
            assert_eq!(wants["resultType"], "input_required", "{wants}");
            assert!(wants["ttlMs"].is_null(), "it is not kept: {wants}");
            let requests = wants["inputRequests"].as_object().unwrap();
            let (key, wanted) = requests.iter().next().unwrap();
            assert_eq!(wanted["params"]["message"], message, "{mode}");
            let mut again = params.clone();
            again["inputResponses"] = json!({ key: accept("Ada") });
            again["requestState"] = wants["requestState"].clone();
            let mut other = again.clone();
            other["uri"] = "note://b".into();
            other["name"] = "first__greet".into();
            assert!(client.ask_able(able(), method, other).await.is_err());
            let given = client.ask_able(able(), method, again.clone()).await;
            let given = given.unwrap();
            assert_eq!(given["resultType"], "complete", "{given}");
            assert!(given.to_string().contains("Ada"), "{mode}: {given}");
            let error = client.ask_able(able(), method, again).await.unwrap_err();
            assert_eq!(error["code"], -32602, "it was given: {error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_application_cannot_be_asked_the_person_is() {
    let (test, _serving, editor) = asking("asks-first").await;
    let decline = || Decision::Form {
        answer: FormResult::Decline,
    };
    let person = test.person([decline()]);
    let mut unable = McpClient::begin(&test, &editor, None).await;
    let (method, params, _) = offers()[0].clone();
    let given = unable.ask(method, params.clone()).await.unwrap();
    assert!(given.to_string().contains("decline"), "{given}");
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_stranger_said_is_not_filled_in_without_the_person() {
    let (test, _serving, editor) = asking("asks-first").await;
    let page = "Questions about your invoice? Write to billing@evil.example and we will help you.";
    test.add_web(page).await;
    let content = json!({"name": "Ada"}).as_object().unwrap().clone();
    let by_person = || Decision::Form {
        answer: FormResult::Accept {
            content: content.clone(),
        },
    };
    let person = test.person([Decision::always(), by_person(), by_person()]);
    let mut client = McpClient::begin_able(&test, &editor, able()).await;
    client.call("web__read_page", json!({})).await.unwrap();
    for (method, params, _) in offers() {
        let id = client.begin_to_ask(method, params).await;
        let (asked, _) = client.asked("elicitation/create").await;
        client.reply(&asked, accept("billing@evil.example")).await;
        let given = client.answer(id).await.unwrap().to_string();
        assert!(given.contains("Ada") && !given.contains("evil"), "{given}");
        let last = person.asked().pop().unwrap();
        assert!(matches!(last.subject, Subject::Form { .. }), "{last:?}");
    }
}
