//! What a tool answers arrives whole, checked, and with what is wrong with it said.

use crate::support::{TestHost, code, misbehave, text};
use host::HostError;
use host::api::{ErrorCode, HostEvent};
use policy::{Decision, Refusal};
use protocol::{Content, ResultNote, ToolResult};
use serde_json::{Value, json};

async fn called(server: &str, tool: &str, arguments: Value) -> Result<ToolResult, HostError> {
    let test = TestHost::new().await;
    test.add(server, &[&misbehave(), server]).await;
    let _person = test.person([Decision::once()]);
    test.call(server, tool, arguments).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_content_arrives_in_the_servers_order() {
    let answer = called("all-content", "all", json!({})).await.unwrap();
    let kinds: Vec<_> = answer
        .content
        .iter()
        .map(|part| {
            serde_json::to_value(part).unwrap()["kind"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "text",
            "image",
            "audio",
            "resource_link",
            "resource",
            "resource",
            "unknown"
        ]
    );
    let Content::Image { mime_type, .. } = &answer.content[1] else {
        panic!()
    };
    assert_eq!(mime_type, "image/png");
    let Content::Resource {
        text: None,
        blob: Some(blob),
        ..
    } = &answer.content[5]
    else {
        panic!()
    };
    assert_eq!(blob, "AAEC");
    let Content::Unknown { value } = &answer.content[6] else {
        panic!()
    };
    assert_eq!(value, &json!({"type": "hologram", "depth": 3}));
    assert_eq!(answer.structured, Some(json!({"kinds": 7})));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_structured_result_that_fits_its_schema_comes_without_a_note() {
    let answer = called("ok", "add", json!({"a": 1, "b": 2})).await.unwrap();
    assert_eq!(answer.structured.unwrap()["sum"], json!(3.0));
    assert_eq!(answer.notes, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_structured_result_that_does_not_fit_is_shown_with_a_note() {
    let answer = called("wrong-structured", "wrong", json!({}))
        .await
        .unwrap();
    assert_eq!(answer.structured, Some(json!({"sum": "many"})));
    assert!(
        matches!(&answer.notes[..], [ResultNote::StructuredInvalid { problem }] if problem.contains("/sum")),
        "{:?}",
        answer.notes
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_structured_result_that_was_promised_and_did_not_come_is_noted() {
    let answer = called("wrong-structured", "missing", json!({}))
        .await
        .unwrap();
    assert_eq!(answer.notes, [ResultNote::StructuredMissing]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_failed_is_an_answer_and_a_protocol_error_is_not() {
    let test = TestHost::new().await;
    test.add("ok", &[&misbehave(), "ok"]).await;
    test.add("leaks", &[&misbehave(), "leaks", "/dev/null"])
        .await;
    let _person = test.person([Decision::once(), Decision::once()]);
    let failed = test
        .call("ok", "env", json!({"name": "NOT_SET"}))
        .await
        .unwrap();
    assert!(failed.is_error && text(&failed) == "not set", "{failed:?}");
    let error = test.call("leaks", "fails", json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ServerError);
    assert!(error.message.contains("cannot sign in"), "{error}");
    assert_eq!(test.outcomes().await, ["failed", "tool_error"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_violate_the_schema_never_reach_the_server_nor_a_person() {
    let test = TestHost::new().await;
    test.add("ok", &[&misbehave(), "ok"]).await;
    let person = test.person([]);
    let refused = test
        .call("ok", "add", json!({"a": "one", "b": 2}))
        .await
        .unwrap_err()
        .refusal
        .unwrap();
    let Refusal::ArgumentsInvalid { problems } = refused else {
        panic!("{refused:?}")
    };
    assert!(problems[0].contains("/a"), "{problems:?}");
    assert_eq!(person.asked(), []);
    assert_eq!(test.outcomes().await, ["refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_that_cannot_be_used_is_named_and_nothing_is_called_with_it() {
    let test = TestHost::new().await;
    test.add("bad", &[&misbehave(), "bad-schema"]).await;
    let tools = test
        .ask("list_tools", json!({"server": "bad"}))
        .await
        .unwrap();
    assert!(
        tools
            .as_array()
            .unwrap()
            .iter()
            .all(|tool| tool["schema_problem"].is_string()),
        "{tools}"
    );
    for tool in ["remote", "broken"] {
        let refused = test
            .call("bad", tool, json!({"a": 1}))
            .await
            .unwrap_err()
            .refusal
            .unwrap();
        assert!(
            matches!(refused, Refusal::SchemaUnusable { .. }),
            "{refused:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_too_large_to_be_checked_is_shown_with_a_note() {
    let answer = called("heavy-schemas", "sends", json!({"count": 20_000}))
        .await
        .unwrap();
    let noted = answer.notes.contains(&ResultNote::StructuredUnchecked);
    assert!(noted, "{:?}", answer.notes);
    let answer = called("heavy-schemas", "sends", json!({"count": 20}))
        .await
        .unwrap();
    assert_eq!(answer.notes, []);
    assert_eq!(answer.structured.unwrap()["rows"][19], json!(19));
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_are_too_large_to_be_checked_are_refused_and_nobody_is_asked() {
    let test = TestHost::new().await;
    test.add("heavy", &[&misbehave(), "heavy-schemas"]).await;
    let person = test.person([]);
    let rows: Vec<u64> = (0..20_000).collect();
    let refused = test.call("heavy", "takes", json!({"rows": rows})).await;
    assert_eq!(
        refused.unwrap_err().refusal,
        Some(Refusal::ArgumentsTooLarge)
    );
    assert_eq!(person.asked(), []);
    assert_eq!(test.outcomes().await, ["refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_many_heavy_schemas_is_looked_at_in_part_and_each_when_it_is_used() {
    let test = TestHost::new().await;
    test.add("heavy", &[&misbehave(), "heavy-schemas"]).await;
    let tools = test
        .ask("list_tools", json!({"server": "heavy"}))
        .await
        .unwrap();
    let named = tools
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool["schema_problem"].is_string());
    assert!(named.count() < 10);
    let refused = test
        .call("heavy", "patterns-249", json!({}))
        .await
        .unwrap_err()
        .refusal
        .unwrap();
    assert!(
        matches!(refused, Refusal::SchemaUnusable { .. }),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_go_on_while_other_servers_make_as_much_work_as_they_can() {
    let test = TestHost::new().await;
    test.add("ok", &[&misbehave(), "ok"]).await;
    let heavy: Vec<String> = (0..4).map(|number| format!("heavy-{number}")).collect();
    for server in &heavy {
        test.add(server, &[&misbehave(), "heavy-schemas"]).await;
    }
    let _person = test.person((0..5).map(|_| Decision::always()));
    test.call("ok", "add", json!({"a": 1, "b": 2}))
        .await
        .unwrap();
    for server in &heavy {
        test.call(server, "sends", json!({"count": 1}))
            .await
            .unwrap();
    }
    // Each takes nearly as long as a check may take.
    let working: Vec<_> = heavy
        .iter()
        .flat_map(|server| (240..244).map(move |count| (server, count)))
        .map(|(server, count)| test.call_later(server, "sends", json!({"count": count})))
        .collect();
    for number in 0..10 {
        test.call("ok", "add", json!({"a": number, "b": 2}))
            .await
            .unwrap();
    }
    let done = working.iter().filter(|(_, call)| call.is_finished());
    let done = done.count();
    assert!(done < working.len(), "all {done} were waited for");
    for (_, call) in working {
        let result = call.await.unwrap().unwrap();
        assert_eq!(result["notes"], json!([]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_is_told_in_order_while_a_call_runs() {
    let test = TestHost::new().await;
    test.add("ok", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::once()]);
    let mut recorder = test.listen();
    test.call("ok", "slow", json!({"ms": 200})).await.unwrap();
    recorder
        .until(|event| matches!(event, HostEvent::CallProgress { .. }))
        .await;
    let steps = recorder
        .heard()
        .into_iter()
        .filter_map(|event| match &event.event {
            HostEvent::CallProgress {
                progress,
                total,
                message,
                ..
            } => Some((*progress, *total, message.clone().unwrap())),
            _ => None,
        });
    let steps: Vec<_> = steps.collect();
    assert!(
        steps.len() > 5 && steps.is_sorted_by(|one, other| one.0 < other.0),
        "{steps:?}"
    );
    assert!(
        steps.contains(&(5.0, Some(10.0), "step 5".to_owned())),
        "{steps:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_ends_at_once_and_its_server_is_told() {
    let test = TestHost::new().await;
    test.add("ok", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::once()]);
    let mut recorder = test.listen();
    let (call, running) = test.call_later("ok", "slow", json!({"ms": 600_000}));
    recorder
        .until(|event| matches!(event, HostEvent::CallChanged { call } if call.waiting))
        .await;
    recorder
        .until(|event| matches!(event, HostEvent::CallChanged { call } if !call.waiting))
        .await;
    // Sent or about to be: it is cancelled either way, and told only if it was sent.
    recorder
        .until(|event| matches!(event, HostEvent::ActivityChanged { row } if row.what == "call"))
        .await;
    test.ask("cancel_call", json!({"call": call}))
        .await
        .unwrap();
    assert_eq!(code(running.await.unwrap()), ErrorCode::Cancelled);
    recorder.until(|event| matches!(event, HostEvent::ServerWrote { lines, .. } if lines.iter().any(|line| line.starts_with("cancelled"))))
        .await;
    assert_eq!(test.outcomes().await, ["cancelled"]);
    assert_eq!(
        code(test.ask("cancel_call", json!({"call": call})).await),
        ErrorCode::UnknownCall
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_or_server_that_is_not_there_is_said_to_be_so() {
    let test = TestHost::new().await;
    test.add("ok", &[&misbehave(), "ok"]).await;
    assert_eq!(
        code(test.call("ok", "nothing", json!({})).await),
        ErrorCode::UnknownTool
    );
    assert_eq!(
        code(test.call("nobody", "echo", json!({})).await),
        ErrorCode::UnknownServer
    );
    assert_eq!(
        code(test.call("currency", "get_exchange_rate", json!({})).await),
        ErrorCode::ServerOff
    );
}
