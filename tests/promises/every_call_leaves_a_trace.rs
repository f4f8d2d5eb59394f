//! What happened is in the log, from before the call until after it, and the log shows later tampering.

use crate::support::{TestHost, code, misbehave};
use host::api::{ErrorCode, LogReport};
use policy::{Answer, Refusal};
use serde_json::json;

async fn records(test: &TestHost) -> Vec<serde_json::Value> {
    let export = test.ask("export_log", json!({"format": "jsonl"})).await.unwrap();
    export["text"].as_str().unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_opened_before_and_closed_after_with_who_what_and_on_whose_word() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Answer::always()]);
    test.call("echo", "echo", json!({"text": "hello"})).await.unwrap();
    let text = serde_json::to_string(&records(&test).await).unwrap();
    let order = ["question_asked", "question_answered", "grant_made", "call_opened", "call_closed"]
        .map(|event| text.find(event).unwrap_or_else(|| panic!("no {event}")));
    assert!(order.is_sorted(), "{order:?}");
    let page = test.ask("list_activity", json!({"filter": {"text": "hello"}, "before": null, "limit": 10})).await.unwrap();
    let row = &page["rows"][0];
    assert_eq!((&row["server"], &row["tool"], &row["outcome"]), (&json!("echo"), &json!("echo"), &json!("done")));
    let detail = test.ask("show_activity", json!({"seq": row["seq"]})).await.unwrap();
    assert_eq!(detail["arguments"], json!({"text": "hello"}));
    assert_eq!(detail["permission"]["kind"], "answer");
    assert!(detail["records"].as_array().unwrap().len() >= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_and_a_failure_are_recorded_like_a_success() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test.add("dies", &[&misbehave(), "dies-in-call"]).await;
    let _person = test.person([Answer::no(None), Answer::once()]);
    assert_eq!(code(test.call("echo", "echo", json!({"text": "x"})).await), ErrorCode::Refused);
    let tool = test.ask("list_tools", json!({"server": "dies"})).await.unwrap()[0]["spec"]["name"].as_str().unwrap().to_owned();
    assert_eq!(code(test.call("dies", &tool, json!({})).await), ErrorCode::ConnectionLost);
    assert_eq!(test.outcomes().await, ["interrupted", "refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_cannot_be_written_refuses_the_call() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    // So long a text is asked about every time.
    let _person = test.person(std::iter::repeat_n(Answer::once(), 21));
    test.call("echo", "echo", json!({"text": "x"})).await.unwrap();
    // The folder of the log is taken away from under the host. The open file goes on being written, until it is full.
    let log = host::log_dir(test.dir());
    std::fs::rename(&log, log.with_file_name("elsewhere")).unwrap();
    let text = "x".repeat(1024 * 1024);
    for round in 0.. {
        assert!(round < 20, "it ran without a trace");
        if let Err(error) = test.call("echo", "echo", json!({"text": text})).await {
            assert_eq!(error.refusal, Some(Refusal::NoTrace));
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_an_ordinary_day_is_intact_after_a_restart() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Answer::always()]);
    for _ in 0..20 {
        test.call("echo", "echo", json!({"text": "x"})).await.unwrap();
    }
    let test = test.again().await;
    let report: LogReport = test.get("verify_log", serde_json::Value::Null).await;
    assert!(matches!(report, LogReport::Intact { records, .. } if records > 40), "{report:?}");
}
