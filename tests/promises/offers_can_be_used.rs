//! What servers offer beside tools can be used: resources, prompts, proposals, logs; and the
//! messages behind it can be read.

use crate::support::{TestHost, misbehave, servers};
use host::api::{EraView, ErrorCode, HostEvent, ServerState, ServerView};
use policy::Decision;
use protocol::{Era, EraChoice};
use serde_json::{Value, json};

async fn everything(test: &TestHost) {
    test.add_real("everything", &servers::everything()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_are_listed_read_and_watched() {
    let test = TestHost::new().await;
    everything(&test).await;
    let list = test
        .ask("list_resources", json!({"server": "everything"}))
        .await
        .unwrap();
    assert_eq!(
        (
            list["resources"].as_array().unwrap().len(),
            list["templates"].as_array().unwrap().len()
        ),
        (7, 2)
    );
    let uri = list["resources"][0]["uri"].as_str().unwrap();
    let read = test
        .ask("read_resource", json!({"server": "everything", "uri": uri}))
        .await
        .unwrap();
    assert!(
        read["contents"][0]["text"].as_str().unwrap().len() > 100,
        "{read}"
    );
    let watched = test
        .ask(
            "watch_resource",
            json!({"server": "everything", "uri": uri, "on": true}),
        )
        .await
        .unwrap();
    assert_eq!(watched["watched"], json!([uri]));
    let watched = test
        .ask(
            "watch_resource",
            json!({"server": "everything", "uri": uri, "on": false}),
        )
        .await
        .unwrap();
    assert_eq!(watched["watched"], json!([]));

    let rows = test
        .ask(
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 50}),
        )
        .await
        .unwrap();
    let reads = rows["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["what"] == "resource_read")
        .count();
    assert_eq!(reads, 1, "what was read is in the log");
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_are_filled_in_with_proposals() {
    let test = TestHost::new().await;
    everything(&test).await;
    let prompts = test
        .ask("list_prompts", json!({"server": "everything"}))
        .await
        .unwrap();
    let names: Vec<_> = prompts
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| prompt["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 4, "{names:?}");
    let completable = prompts
        .as_array()
        .unwrap()
        .iter()
        .find(|prompt| prompt["name"] == "completable-prompt")
        .unwrap();
    let argument = completable["arguments"][0]["name"].as_str().unwrap();
    let of = json!({"kind": "prompt", "name": "completable-prompt"});
    let proposed =
        test.ask("complete", json!({"server": "everything", "of": of, "argument": argument, "value": "", "context": {}})).await.unwrap();
    let value = proposed["values"][0].as_str().unwrap();
    let more = completable["arguments"].as_array().unwrap().iter().skip(1);
    let mut arguments = serde_json::Map::from_iter([(argument.to_owned(), json!(value))]);
    arguments
        .extend(more.map(|argument| (argument["name"].as_str().unwrap().to_owned(), json!("x"))));
    let filled = test
        .ask(
            "get_prompt",
            json!({"server": "everything", "prompt": "completable-prompt", "arguments": arguments}),
        )
        .await
        .unwrap();
    assert!(
        filled["messages"][0]["content"]["text"]
            .as_str()
            .unwrap()
            .contains(value),
        "{filled}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_says_when_it_fails_is_cleaned_and_a_proposal_that_hides_something_left_out()
{
    let test = TestHost::new().await;
    test.add("notes", &[&misbehave(), "resources-and-prompts"])
        .await;
    let greet =
        |who: &str| json!({"server": "notes", "prompt": "greet", "arguments": {"who": who}});
    let failed = test.ask("get_prompt", greet("nobody")).await.unwrap_err();
    assert!(
        failed.message.contains("there is no⟨U+200B⟩body"),
        "{failed:?}"
    );
    let propose = |typed: &str| json!({"server": "notes", "of": {"kind": "prompt", "name": "greet"}, "argument": "who", "value": typed, "context": {}});
    for (typed, left) in [("a", 1), ("a\u{200b}", 0)] {
        let proposed = test.ask("complete", propose(typed)).await.unwrap();
        assert_eq!(proposed["values"].as_array().unwrap().len(), left);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_logs_from_the_chosen_gravity_on() {
    let test = TestHost::new().await;
    everything(&test).await;
    let log = test
        .ask(
            "set_log_level",
            json!({"server": "everything", "level": "debug"}),
        )
        .await
        .unwrap();
    assert_eq!(log["level"], "debug");
    let mut recorder = test.listen();
    let _person = test.person([Decision::once()]);
    test.call("everything", "toggle-simulated-logging", json!({}))
        .await
        .unwrap();
    recorder.until(|event| matches!(event, HostEvent::ServerLogged { server, .. } if server.as_str() == "everything")).await;
    let log = test
        .ask("list_logs", json!({"server": "everything"}))
        .await
        .unwrap();
    assert!(!log["lines"].as_array().unwrap().is_empty(), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_does_not_offer_is_said_clearly() {
    let test = TestHost::new().await;
    test.add("plain", &[&misbehave(), "ok"]).await;
    for (method, more) in [
        ("list_resources", json!({})),
        ("list_prompts", json!({})),
        ("set_log_level", json!({"level": "debug"})),
    ] {
        let mut params = json!({"server": "plain"});
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        assert_eq!(
            test.ask(method, params).await.unwrap_err().code,
            ErrorCode::NotOffered,
            "{method}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_messages_of_a_call_can_be_read_and_hold_no_secret() {
    let test = TestHost::new().await;
    let target = json!({
        "kind": "stdio", "command": misbehave(), "args": ["ok"],
        "env": [{"name": "TOKEN", "value": {"kind": "new_secret", "value": "hunter2-of-the-test"}}],
    });
    test.add_with("plain", target).await;
    let mut recorder = test.listen();
    let _person = test.person([Decision::once(), Decision::once()]);
    let call = "call-00000000000000aa";
    test.ask(
        "call_tool",
        json!({"call": call, "server": "plain", "tool": "env", "arguments": {"name": "TOKEN"}}),
    )
    .await
    .unwrap();
    recorder
        .until(|event| matches!(event, HostEvent::ExchangeGrew { .. }))
        .await;
    let exchange = test
        .ask("list_exchange", json!({"server": "plain", "call": call}))
        .await
        .unwrap();
    let frames = exchange["frames"].as_array().unwrap();
    assert_eq!(
        frames
            .iter()
            .map(|frame| frame["sent"].as_bool().unwrap())
            .collect::<Vec<_>>(),
        [true, false],
        "{frames:#?}"
    );
    assert_eq!(frames[0]["method"], "tools/call");
    let sent: Value = serde_json::from_str(frames[0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(sent["params"]["arguments"], json!({"name": "TOKEN"}));
    assert!(
        !exchange.to_string().contains("hunter2-of-the-test"),
        "{exchange}"
    );
    assert!(
        frames[1]["text"].as_str().unwrap().contains('•'),
        "the answer held it: {frames:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_era_is_found_out_once_kept_and_can_be_chosen() {
    let test = TestHost::new().await;
    test.add("plain", &[&misbehave(), "ok"]).await;
    let era = |view: ServerView| view.era;
    let found: EraView = era(test.server("plain").await);
    assert_eq!(
        (found.choice, found.found),
        (EraChoice::Auto, Some(Era::Legacy))
    );
    let test = test.again().await;
    assert_eq!(
        era(test.server("plain").await),
        found,
        "it is not found out again"
    );
    test.ask("set_era", json!({"server": "plain", "era": "modern"}))
        .await
        .unwrap();
    test.ask("review_offers", json!({"server": "plain"}))
        .await
        .unwrap();
    assert_eq!(
        test.failure("plain").await.code,
        ErrorCode::ServerError,
        "it does not speak that way"
    );
    test.ask("set_era", json!({"server": "plain", "era": "legacy"}))
        .await
        .unwrap();
    test.ask("review_offers", json!({"server": "plain"}))
        .await
        .unwrap();
    assert_eq!(test.state("plain").await, ServerState::Ready);
}
