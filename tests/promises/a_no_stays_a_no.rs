//! Doubt, silence and refusal all end in a call that does not run.

use crate::support::{Choices, TestHost, code, misbehave};
use api::Outcome;
use host::api::{ApproverKind, ErrorCode, HostEvent};
use host::{Approver, Clock};
use policy::{Decision, Refusal};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

fn refusal<T: std::fmt::Debug>(result: Result<T, host::HostError>) -> Refusal {
    result
        .unwrap_err()
        .refusal
        .expect("it failed, but was not refused")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_call_does_not_reach_the_server_and_the_caller_is_told_why() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::no(Some("not now"))]);
    let denied = test.call("echo", "echo", json!({"text": "x"})).await;
    assert_eq!(
        refusal(denied),
        Refusal::DeniedByPerson {
            reason: Some("not now".into())
        }
    );
    assert_eq!(test.outcomes().await, ["refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_question_is_a_no() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    let question = waiting(&test).await;
    test.host.close_question(&question);
    assert_eq!(refusal(call.await.unwrap()), Refusal::QuestionClosed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_call_is_a_no_and_its_question_goes() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let mut recorder = test.listen();
    let (id, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    waiting(&test).await;
    test.ask("cancel_call", json!({"call": id})).await.unwrap();
    assert_eq!(refusal(call.await.unwrap()), Refusal::Cancelled);
    assert!(test.host.waiting().is_empty());
    recorder
        .until(|event| {
            matches!(
                event,
                HostEvent::CallEnded {
                    outcome: Outcome::Cancelled,
                    ..
                }
            )
        })
        .await;
    assert_eq!(test.outcomes().await, ["cancelled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_answering_for_ten_minutes_is_a_no() {
    let time = Arc::new(AtomicI64::new(1_000_000));
    let test = TestHost::with(Choices {
        clock: Clock::Fixed(time.clone()),
        ..Choices::default()
    })
    .await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    waiting(&test).await;
    let asked = &test.host.waiting()[0];
    assert_eq!(asked.expires_at.since(asked.asked_at).as_secs(), 600);
    // The computer slept, or the person did: by the clock on the wall it is too late.
    time.fetch_add(600_001, Ordering::Relaxed);
    let late = test
        .host
        .answer(&asked.id, Decision::once(), Approver::Terminal)
        .await;
    assert_eq!(code(late), ErrorCode::UnknownQuestion);
    assert_eq!(refusal(call.await.unwrap()), Refusal::NobodyAnswered);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_chooses_how_long_questions_wait_and_it_stays_chosen() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let time = || test.ask("question_time", json!({}));
    let choose = |minutes: u32| test.ask("set_question_time", json!({"minutes": minutes}));
    assert_eq!(time().await.unwrap(), json!(10));
    for impossible in [0, 1441] {
        assert_eq!(code(choose(impossible).await), ErrorCode::BadRequest);
    }
    assert_eq!(time().await.unwrap(), json!(10), "nothing was changed");

    choose(30).await.unwrap();
    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    let question = waiting(&test).await;
    let asked = &test.host.waiting()[0];
    assert_eq!(asked.expires_at.since(asked.asked_at).as_secs(), 30 * 60);
    test.host
        .answer(&question, Decision::no(None), Approver::Terminal)
        .await
        .unwrap();
    call.await.unwrap().unwrap_err();

    let test = test.again().await;
    assert_eq!(
        test.ask("question_time", json!({})).await.unwrap(),
        json!(30)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_answer_wins_and_a_second_one_is_told_so() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    let question = waiting(&test).await;
    test.host
        .answer(&question, Decision::no(None), Approver::Terminal)
        .await
        .unwrap();
    let second = test
        .host
        .answer(&question, Decision::always(), Approver::Terminal)
        .await;
    assert_eq!(code(second), ErrorCode::UnknownQuestion);
    assert_eq!(
        refusal(call.await.unwrap()),
        Refusal::DeniedByPerson { reason: None }
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_window_runs_no_terminal_and_no_token_can_answer() {
    let test = TestHost::with(Choices {
        approver: ApproverKind::QuestionWindow,
        ..Choices::default()
    })
    .await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    let question = waiting(&test).await;
    for approver in [Approver::Terminal, Approver::Token] {
        assert_eq!(
            code(
                test.host
                    .answer(&question, Decision::once(), approver)
                    .await
            ),
            ErrorCode::NotAnApprover
        );
    }
    assert_eq!(
        code(
            test.ask_as_program(
                "answer_question",
                json!({"question": question, "answer": {"kind": "allow"}})
            )
            .await
        ),
        ErrorCode::NotAnApprover
    );
    test.host
        .answer(&question, Decision::once(), Approver::QuestionWindow)
        .await
        .unwrap();
    assert!(call.await.unwrap().is_ok());
}

/// Waits until a question waits.
async fn waiting(test: &TestHost) -> protocol::QuestionId {
    if test.host.waiting().is_empty() {
        let asked = test.until(|event| matches!(event, HostEvent::QuestionAsked { .. }));
        tokio::select! {
            () = asked => {}
            () = async { while test.host.waiting().is_empty() { tokio::time::sleep(std::time::Duration::from_millis(5)).await } } => {}
        }
    }
    test.host.waiting()[0].id.clone()
}
