//! Where there are more tools than a model should read, it is shown one that finds them. What it finds
//! it may ask for, as it may without; what is hidden from it is not found.

use crate::support::talk::{Talk, words};
use crate::support::{TestHost, code, misbehave};
use host::api::ErrorCode;
use policy::{Decision, Subject};
use serde_json::{Value, json};
use test_servers::model::Step;

/// A host with a server of so many tools, and one called `echo`.
async fn with_tools(many: usize) -> TestHost {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test.add("many", &[&misbehave(), "many", &many.to_string()])
        .await;
    test
}

/// The names of the tools that a request shows, in its order.
fn shown(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap()).collect()
}

fn search(queries: Value) -> Step {
    Step::wants([("search_tools", json!({"queries": queries}))])
}

#[tokio::test(flavor = "multi_thread")]
async fn few_tools_are_shown_and_of_many_those_that_were_looked_for_also_after_a_restart() {
    let test = with_tools(20).await;
    let talk = Talk::begin(&test, [Step::says("Hello.")]).await;
    talk.say_and_wait(&test, "Hello!").await;
    let requests = talk.requests();
    let all = shown(&requests[0]);
    assert!(all.len() > 20 && all.contains(&"echo__echo"), "{all:?}");

    let test = with_tools(60).await;
    let steps = [
        search(json!(["echo", "zebra"])),
        Step::wants([("echo__echo", json!({"text": "hello"}))]),
        Step::says("It says hello."),
        Step::says("Again."),
    ];
    let talk = Talk::begin(&test, steps).await;
    let person = test.person([Decision::once()]);
    let page = talk.say_and_wait(&test, "Say hello by echo.").await;
    assert_eq!(
        words(&page),
        [
            "person: Say hello by echo.",
            "call: search_tools own",
            "call: echo__echo answered",
            "model: It says hello."
        ]
    );
    let Subject::Call { tool, .. } = person.asked()[0].subject.clone() else {
        panic!("being found allows nothing")
    };
    assert_eq!(tool.name.as_str(), "echo");
    let requests = talk.requests();
    assert_eq!(shown(&requests[0]), ["search_tools"]);
    let told = requests[1].to_string();
    assert!(told.contains("echo__echo (of echo)"), "{told}");
    assert!(
        told.contains("There are tools of these servers: echo, many"),
        "{told}"
    );
    assert_eq!(shown(&requests[1])[0], "search_tools");
    assert!(shown(&requests[1]).contains(&"echo__echo"));

    let ledger = json!({"conversation": talk.conversation, "reply": 1});
    let ledger = test.ask("read_ledger", ledger).await.unwrap();
    let parts = ledger["parts"].as_array().unwrap();
    let of_many = parts
        .iter()
        .find(|part| part["kind"] == json!({"kind": "definitions", "server": "many"}));
    let of_many = of_many.unwrap();
    assert_eq!(
        (&of_many["count"], &of_many["left_out"]),
        (&json!(60), &json!(60))
    );
    assert!(
        parts
            .iter()
            .any(|part| part["kind"]["kind"] == "own_definitions")
    );

    let test = test.again().await;
    talk.say_and_wait(&test, "And again.").await;
    let last = talk.requests().pop().unwrap();
    assert!(shown(&last).contains(&"echo__echo"), "what was found stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_rule_hides_is_not_found_and_its_name_leads_nowhere() {
    let test = with_tools(60).await;
    let rule = json!({"effect": "forbid", "hook": "discover", "caller": null, "server": "echo", "tool": null, "when": [], "reason": null});
    test.ask("add_rule", json!({"draft": rule})).await.unwrap();
    let steps = [
        search(json!(["echo"])),
        Step::wants([("echo__echo", json!({"text": "hello"}))]),
        Step::says("There is none."),
    ];
    let talk = Talk::begin(&test, steps).await;
    let person = test.person([]);
    let page = talk.say_and_wait(&test, "Say hello by echo.").await;
    assert_eq!(words(&page)[2], "call: echo__echo not_run");
    assert!(person.asked().is_empty());
    let requests = talk.requests();
    assert_eq!(shown(&requests[1])[0], "search_tools");
    assert!(!shown(&requests[1]).contains(&"echo__echo"));
    let told = requests[1]["messages"].to_string();
    assert!(!told.contains("of echo"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_wants_always_shown_is_shown_in_that_workspace_and_allowed_no_more() {
    let test = with_tools(60).await;
    let echo = |on: bool| json!({"server": "echo", "tool": "echo", "on": on});
    let always = test.ask("show_tool_always", echo(true)).await.unwrap();
    assert_eq!(always["always_shown"], true);
    let none = json!({"server": "echo", "tool": "none", "on": true});
    let none = test.ask("show_tool_always", none).await;
    assert_eq!(code(none), ErrorCode::UnknownTool);
    let hello = Step::wants([("echo__echo", json!({"text": "hello"}))]);
    let says = (0..5).map(|n| Step::says(&format!("It says hello {n}.")));
    let talk = Talk::begin(&test, [hello].into_iter().chain(says)).await;
    let shown_now = |talk: &Talk| -> Vec<String> {
        let last = talk.requests().pop().unwrap();
        shown(&last).into_iter().map(str::to_owned).collect()
    };
    let person = test.person([Decision::once()]);
    let page = talk.say_and_wait(&test, "Say hello by echo.").await;
    assert_eq!(words(&page)[1], "call: echo__echo answered");
    assert_eq!(person.asked().len(), 1, "being shown allows nothing");
    drop(person);
    assert_eq!(shown_now(&talk), ["search_tools", "echo__echo"]);

    let test = test.again().await;
    let begun = test.ask("start_conversation", json!({})).await.unwrap();
    let talk = Talk {
        conversation: begun["id"].clone(),
        ..talk
    };
    talk.say_and_wait(&test, "And again.").await;
    assert_eq!(shown_now(&talk), ["search_tools", "echo__echo"]);
    test.ask("show_tool_always", echo(false)).await.unwrap();
    talk.say_and_wait(&test, "And now?").await;
    assert_eq!(shown_now(&talk), ["search_tools"]);

    test.ask("show_tool_always", echo(true)).await.unwrap();
    let home = test.ask("list_workspaces", json!({})).await.unwrap()[0]["id"].clone();
    let other = json!({"name": "other", "like": null});
    let other = test.ask("add_workspace", other).await.unwrap()["id"].clone();
    for (workspace, always_shown) in [(other, false), (home, true)] {
        let switch = json!({"workspace": workspace});
        test.ask("switch_workspace", switch).await.unwrap();
        let tools = test.ask("list_tools", json!({"server": "echo"})).await;
        assert_eq!(tools.unwrap()[0]["always_shown"], always_shown);
    }

    let rule = json!({"effect": "forbid", "hook": "discover", "caller": null, "server": "echo", "tool": null, "when": [], "reason": null});
    test.ask("add_rule", json!({"draft": rule})).await.unwrap();
    talk.say_and_wait(&test, "And hidden?").await;
    assert_eq!(shown_now(&talk), ["search_tools"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_is_none_is_told_what_is_wrong_with_it_and_each_one_counts() {
    let test = with_tools(60).await;
    let queries = json!(["a", "b", "c", "d", "e", "f"]);
    let wrong = [json!([]), queries, json!("echo"), json!([1])];
    let calls = wrong.map(|queries| ("search_tools", json!({"queries": queries})));
    let steps = [
        Step::wants(calls),
        Step::wants((0..41).map(|n| ("search_tools", json!({"queries": [format!("echo {n}")]})))),
        Step::says("Enough."),
    ];
    let talk = Talk::begin(&test, steps).await;
    let page = talk.say_and_wait(&test, "Say hello.").await;
    let said = words(&page);
    assert!(
        said[1..5]
            .iter()
            .all(|said| said == "call: search_tools not_run")
    );
    let own = said.iter().filter(|said| *said == "call: search_tools own");
    assert_eq!(own.count(), 40, "a turn calls 40 times and no more");
    assert_eq!(
        said.iter().filter(|said| said.ends_with("not_run")).count(),
        5
    );
}
