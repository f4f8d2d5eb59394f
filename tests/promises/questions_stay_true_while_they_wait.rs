//! While a question waits, the world goes on: what becomes of it follows, and nobody answers what
//! is over.

use crate::support::{TERMINAL, TestHost, code, misbehave};
use host::ErrorCode;
use host::api::{BatchOutcome, HostEvent};
use policy::{Decision, Refusal};
use protocol::QuestionId;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

type Waiting = JoinHandle<Result<Value, host::HostError>>;

async fn echo() -> TestHost {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test
}

/// A call that waits for its question to be answered.
async fn waits(test: &TestHost, server: &str, words: &str) -> (QuestionId, Waiting) {
    let mut recorder = test.listen();
    let (call, waiting) = test.call_later(server, "echo", json!({"text": words}));
    let told = recorder.until(|event| matches!(event, HostEvent::QuestionAsked { question } if about(question) == json!(call))).await;
    let HostEvent::QuestionAsked { question } = &told.event else {
        unreachable!()
    };
    (question.id.clone(), waiting)
}

fn about(question: &policy::Question) -> Value {
    serde_json::to_value(&question.subject).unwrap()["call"].clone()
}

async fn refusal(waiting: Waiting) -> Option<Refusal> {
    waiting.await.unwrap().unwrap_err().refusal
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_said_to_wait_once_its_question_is_written_down() {
    let test = echo().await;
    let mut recorder = test.listen();
    let (call, waiting) = test.call_later("echo", "echo", json!({"text": "x"}));
    let waits = |event: &HostEvent| matches!(event, HostEvent::CallChanged { call: changed } if changed.call == call && changed.waiting);
    let told = std::cell::RefCell::new(Vec::new());
    recorder
        .until(|event| {
            if matches!(event, HostEvent::QuestionAsked { .. }) || waits(event) {
                told.borrow_mut().push(waits(event));
            }
            waits(event)
        })
        .await;
    assert_eq!(told.into_inner(), [false, true], "the question came after");
    let question = test.host.waiting().remove(0);
    test.host
        .answer(&question.id, Decision::no(None), TERMINAL)
        .await
        .unwrap();
    assert!(refusal(waiting).await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_switched_off_meanwhile_takes_its_question_with_it() {
    let test = echo().await;
    let (question, waiting) = waits(&test, "echo", "x").await;
    test.ask(
        "set_tool",
        json!({"server": "echo", "tool": "echo", "on": false}),
    )
    .await
    .unwrap();
    assert_eq!(refusal(waiting).await, Some(Refusal::SwitchedOff));
    assert!(test.host.waiting().is_empty());
    assert_eq!(
        code(
            test.host
                .answer(&question, Decision::once(), TERMINAL)
                .await
        ),
        ErrorCode::UnknownQuestion,
        "an answer that comes too late"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_takes_its_questions_with_it_and_those_of_others_stay() {
    let test = echo().await;
    test.add("other", &[&misbehave(), "ok"]).await;
    let (_, waiting) = waits(&test, "echo", "x").await;
    let (other, still) = waits(&test, "other", "y").await;
    test.ask("disable_server", json!({"server": "echo"}))
        .await
        .unwrap();
    assert_eq!(refusal(waiting).await, Some(Refusal::ChangedWhileAsking));
    assert_eq!(
        test.host
            .waiting()
            .iter()
            .map(|question| &question.id)
            .collect::<Vec<_>>(),
        [&other]
    );
    test.host
        .answer(&other, Decision::once(), TERMINAL)
        .await
        .unwrap();
    still.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_for_later_settles_what_waits_and_one_for_once_does_not() {
    let test = echo().await;
    let (first, one) = waits(&test, "echo", "x").await;
    let (second, two) = waits(&test, "echo", "x").await;
    test.host
        .answer(&first, Decision::once(), TERMINAL)
        .await
        .unwrap();
    one.await.unwrap().unwrap();
    assert_eq!(
        test.host.waiting()[0].id,
        second,
        "one yes is one call, even for the same"
    );
    let (third, three) = waits(&test, "echo", "z").await;
    test.host
        .answer(&third, Decision::always(), TERMINAL)
        .await
        .unwrap();
    three.await.unwrap().unwrap();
    two.await.unwrap().unwrap();
    assert!(test.host.waiting().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_looks_later_sees_what_waits() {
    let test = echo().await;
    let (question, waiting) = waits(&test, "echo", "x").await;
    assert_eq!(
        test.host
            .snapshot()
            .await
            .questions
            .iter()
            .map(|question| &question.id)
            .collect::<Vec<_>>(),
        [&question]
    );
    let listed = test.ask("list_questions", Value::Null).await.unwrap();
    assert_eq!(listed[0]["id"], json!(question));
    test.host.close_question(&question);
    assert_eq!(refusal(waiting).await, Some(Refusal::QuestionClosed));
    assert_eq!(
        code(
            test.host
                .answer(&question, Decision::once(), TERMINAL)
                .await
        ),
        ErrorCode::UnknownQuestion
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn several_questions_are_answered_at_once_and_one_that_is_over_keeps_no_other_from_it() {
    let test = echo().await;
    let (first, one) = waits(&test, "echo", "x").await;
    let (second, two) = waits(&test, "echo", "y").await;
    let answers = json!([
        {"question": first, "answer": {"kind": "deny", "reason": "no"}},
        {"question": "question-0000000000000000", "answer": {"kind": "allow"}},
        {"question": second, "answer": Decision::always()},
    ]);
    let params = json!({"answers": answers});
    assert_eq!(
        code(
            test.ask_as_program("answer_questions", params.clone())
                .await
        ),
        ErrorCode::NotAnApprover,
        "whoever calls cannot answer"
    );
    let outcome: BatchOutcome = test.get("answer_questions", params).await;
    assert_eq!(
        (outcome.answered, outcome.failed.len(), outcome.grants.len()),
        (vec![first, second], 1, 1)
    );
    assert!(one.await.unwrap().is_err());
    two.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_questions_is_stopped_and_delays_no_other_server() {
    let test = echo().await;
    test.add("quiet", &[&misbehave(), "ok"]).await;
    let mut flood = Vec::new();
    for number in 0..10 {
        flood.push(waits(&test, "echo", &number.to_string()).await.1);
    }
    let mut recorder = test.listen();
    let (call, more) = test.call_later("echo", "echo", json!({"text": "one more"}));
    assert_eq!(refusal(more).await, Some(Refusal::TooManyQuestions));
    let waited = |event: &HostEvent| matches!(event, HostEvent::CallChanged { call: changed } if changed.call == call && changed.waiting);
    assert!(
        !recorder.heard().iter().any(|told| waited(&told.event)),
        "it was made ready to be asked"
    );
    assert_eq!(test.host.waiting().len(), 10, "nobody was asked about it");
    let (question, calm) = waits(&test, "quiet", "x").await;
    test.host
        .answer(&question, Decision::once(), TERMINAL)
        .await
        .unwrap();
    calm.await.unwrap().unwrap();
    test.host.withdraw();
    for waiting in flood {
        assert!(waiting.await.unwrap().is_err());
    }
}
