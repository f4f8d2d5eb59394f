//! What happened is in the log, from before the call until after it, and the log shows later
//! tampering.

use crate::support::{Choices, TERMINAL, TestHost, code, misbehave};
use api::{ActivityPage, ActivityReason, LogReport};
use host::Clock;
use host::api::{ErrorCode, HostEvent};
use policy::{Decision, Question, Refusal, Subject};
use protocol::FormResult;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

async fn records(test: &TestHost) -> Vec<serde_json::Value> {
    let export = test
        .ask("export_log", json!({"format": "jsonl"}))
        .await
        .unwrap();
    export["text"]
        .as_str()
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_opened_before_and_closed_after_with_who_what_and_on_whose_word() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always()]);
    test.call("echo", "echo", json!({"text": "hello"}))
        .await
        .unwrap();
    let text = serde_json::to_string(&records(&test).await).unwrap();
    let order = [
        "question_asked",
        "question_answered",
        "grant_made",
        "call_opened",
        "call_closed",
    ]
    .map(|event| text.find(event).unwrap_or_else(|| panic!("no {event}")));
    assert!(order.is_sorted(), "{order:?}");
    let page = test
        .ask(
            "list_activity",
            json!({"filter": {"text": "hello"}, "before": null, "limit": 10}),
        )
        .await
        .unwrap();
    let row = &page["rows"][0];
    assert_eq!(
        (&row["server"], &row["tool"], &row["outcome"]),
        (&json!("echo"), &json!("echo"), &json!("done"))
    );
    let detail = test
        .ask("show_activity", json!({"seq": row["seq"]}))
        .await
        .unwrap();
    assert_eq!(detail["arguments"], json!({"text": "hello"}));
    assert_eq!(detail["permission"]["kind"], "answer");
    assert!(detail["records"].as_array().unwrap().len() >= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_row_says_why_it_ended_so_and_on_whose_word() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::no(None), Decision::once(), Decision::always()]);
    let echo = |text: &'static str| test.call("echo", "echo", json!({"text": text}));
    assert_eq!(code(echo("denied").await), ErrorCode::Refused);
    echo("once").await.unwrap();
    echo("always").await.unwrap();
    echo("always").await.unwrap();
    assert_eq!(
        code(test.call("echo", "echo", json!({"text": 7})).await),
        ErrorCode::Refused
    );

    let all = json!({"filter": {}, "before": null, "limit": 100});
    let page: ActivityPage = test.get("list_activity", all).await;
    let why = |what: &str| {
        let rows = page.rows.iter().rev().filter(|row| row.what == what);
        rows.map(|row| (row.reason, row.approver.clone()))
            .collect::<Vec<_>>()
    };
    let person = || Some("terminal".to_owned());
    let (yes, no) = (
        (Some(ActivityReason::Allowed), person()),
        (Some(ActivityReason::Denied), person()),
    );
    let answers = [no, yes.clone(), yes];
    assert_eq!(why("question_answered"), answers);
    let others = [
        (Some(ActivityReason::AllowedEarlier), None),
        (Some(ActivityReason::UnfitArguments), None),
    ];
    let calls: Vec<_> = answers.into_iter().chain(others).collect();
    assert_eq!(why("call"), calls);
}

/// A host whose time stands still unless a test moves it on, with servers that a person is asked
/// about.
async fn at_a_fixed_time(servers: &[&str]) -> (TestHost, Arc<AtomicI64>) {
    let time = Arc::new(AtomicI64::new(1_795_000_000_000));
    let choices = Choices {
        clock: Clock::Fixed(time.clone()),
        ..Choices::default()
    };
    let test = TestHost::with(choices).await;
    for server in servers {
        test.add(server, &[&misbehave(), server]).await;
    }
    (test, time)
}

/// Waits for a question of this kind, and answers it so many milliseconds after it was asked.
async fn answer_late(
    (test, time): &(TestHost, Arc<AtomicI64>),
    fits: impl Fn(&Question) -> bool,
    late: i64,
    answer: Decision,
) {
    let question = loop {
        if let Some(question) = test.host.waiting().into_iter().find(&fits) {
            break question;
        }
        tokio::task::yield_now().await;
    };
    time.fetch_add(late, Ordering::Relaxed);
    test.host
        .answer(&question.id, answer, TERMINAL)
        .await
        .unwrap();
}

/// Of the calls in the log, newest first: how long they took, waited for a person, and ran.
async fn took(test: &TestHost) -> Vec<[Option<u64>; 3]> {
    let all = json!({"filter": {}, "before": null, "limit": 100});
    let page: ActivityPage = test.get("list_activity", all).await;
    let calls = page.rows.iter().filter(|row| row.what == "call");
    calls
        .map(|row| [row.duration_ms, row.waited_ms, row.ran_ms])
        .collect()
}

fn is_call(question: &Question) -> bool {
    matches!(question.subject, Subject::Call { .. })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duration_tells_the_persons_thinking_from_the_running() {
    let world = at_a_fixed_time(&["elicits", "hangs-in-call"]).await;
    let (test, time) = &world;

    // A question before it runs, and a form while it does.
    let (_, asks) = test.call_later("elicits", "asks", json!({"title": "Token count"}));
    answer_late(&world, is_call, 60_000, Decision::once()).await;
    let decline = Decision::Form {
        answer: FormResult::Decline,
    };
    let is_form = |question: &Question| matches!(question.subject, Subject::Form { .. });
    answer_late(&world, is_form, 30_000, decline).await;
    asks.await.unwrap().unwrap();
    assert_eq!(took(test).await, [[Some(90_000), Some(90_000), Some(0)]]);

    // It runs for a while after a late yes.
    let mut recorder = test.listen();
    let (call, hangs) = test.call_later("hangs-in-call", "hang", json!({}));
    answer_late(&world, is_call, 60_000, Decision::once()).await;
    recorder.until(|event| matches!(event, HostEvent::ActivityChanged { row } if row.outcome == api::Outcome::Running && row.tool.as_ref().is_some_and(|tool| tool.as_str() == "hang")))
        .await;
    // It is sent in the moment after it was noted.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    time.fetch_add(5_000, Ordering::Relaxed);
    test.ask("cancel_call", json!({"call": call}))
        .await
        .unwrap();
    assert!(hangs.await.unwrap().is_err());
    assert_eq!(
        took(test).await[0],
        [Some(65_000), Some(60_000), Some(5_000)]
    );

    // It does not run at all.
    let (_, denied) = test.call_later("elicits", "asks", json!({"title": "Another"}));
    answer_late(&world, is_call, 45_000, Decision::no(None)).await;
    assert_eq!(code(denied.await.unwrap()), ErrorCode::Refused);
    assert_eq!(took(test).await[0], [Some(45_000), Some(45_000), None]);

    // And so it leaves, in both formats.
    let all = records(test).await;
    let ended = |name: &str| {
        let mut found = all.iter().filter(|record| record["event"] == name);
        found.next_back().unwrap().clone()
    };
    let closed = ended("call_closed");
    assert_eq!(
        (&closed["waited_ms"], &closed["ran_ms"]),
        (&json!(60_000), &json!(5_000))
    );
    assert_eq!(ended("call_refused")["waited_ms"], 45_000);
    let table = test
        .ask("export_log", json!({"format": "csv"}))
        .await
        .unwrap();
    let table = table["text"].as_str().unwrap();
    assert!(table.contains(",65000,60000,5000,"), "{table}");
    assert!(table.contains(",45000,45000,,"), "{table}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_and_a_failure_are_recorded_like_a_success() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test.add("dies", &[&misbehave(), "dies-in-call"]).await;
    let _person = test.person([Decision::no(None), Decision::once()]);
    assert_eq!(
        code(test.call("echo", "echo", json!({"text": "x"})).await),
        ErrorCode::Refused
    );
    let tool = test
        .ask("list_tools", json!({"server": "dies"}))
        .await
        .unwrap()[0]["spec"]["name"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        code(test.call("dies", &tool, json!({})).await),
        ErrorCode::ConnectionLost
    );
    assert_eq!(test.outcomes().await, ["interrupted", "refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_cannot_be_written_refuses_the_call() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    // So long a text is asked about every time.
    let _person = test.person(std::iter::repeat_n(Decision::once(), 21));
    test.call("echo", "echo", json!({"text": "x"}))
        .await
        .unwrap();
    // The folder of the log is taken away from under the host. The open file goes on being written,
    // until it is full.
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
    let _person = test.person([Decision::always()]);
    for _ in 0..20 {
        test.call("echo", "echo", json!({"text": "x"}))
            .await
            .unwrap();
    }
    let test = test.again().await;
    let report: LogReport = test.get("verify_log", serde_json::Value::Null).await;
    assert!(
        matches!(report, LogReport::Intact { records, .. } if records > 40),
        "{report:?}"
    );
}
