//! What a person allows reaches as far as they said, and no further.

use crate::support::{Choices, TestHost, code, misbehave, text};
use host::api::{DecisionPreview, HostEvent, Tightening};
use host::{Clock, ErrorCode};
use policy::{
    Allowed, ArgumentScope, Decision, Grant, GrantOrigin, Lasting, LimitChoice, Reason, Refusal,
    Remember, RememberProblem, Subject,
};
use protocol::Caller;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

const DAY: i64 = 24 * 60 * 60 * 1000;
const NOW: i64 = 1_795_000_000_000;

async fn echo() -> TestHost {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test
}

async fn echo_at(clock: &Arc<AtomicI64>) -> TestHost {
    let test = TestHost::with(Choices {
        clock: Clock::Fixed(clock.clone()),
        ..Choices::default()
    })
    .await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test
}

fn remembered(lasting: Lasting, cover: ArgumentScope) -> Decision {
    Decision::remembered(lasting, cover)
}

fn limited(allowed: Allowed) -> ArgumentScope {
    ArgumentScope::Within {
        limits: vec![LimitChoice {
            argument: "text".into(),
            allowed: Some(allowed),
        }],
    }
}

async fn says(test: &TestHost, words: &str) -> Result<protocol::ToolResult, host::HostError> {
    test.call("echo", "echo", json!({"text": words})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn n_times_means_n_times_however_many_call_at_once() {
    let test = echo().await;
    let person = test.person([remembered(Lasting::Times { times: 5 }, ArgumentScope::Any)]);
    let mut recorder = test.listen();
    says(&test, "first").await.unwrap();
    let calls: Vec<_> = (0..9)
        .map(|number| {
            test.call_later("echo", "echo", json!({"text": format!("call {number}")}))
                .1
        })
        .collect();
    // What runs has ended before the others are withdrawn.
    let (mut ended, mut lapsed) = (0, false);
    recorder
        .until(|event| {
            ended += usize::from(matches!(event, HostEvent::CallEnded { .. }));
            lapsed |= matches!(event, HostEvent::GrantLapsed { .. });
            lapsed && ended == 5
        })
        .await;
    while person.asked().len() < 6 {
        tokio::task::yield_now().await;
    }
    test.host.withdraw();
    let mut ran = 0;
    for call in calls {
        ran += usize::from(call.await.unwrap().is_ok());
    }
    assert_eq!(
        (ran, person.asked().len()),
        (4, 6),
        "four beside the first ran, and each of the other five was asked about"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_count_goes_on_where_it_was_after_a_restart() {
    let test = echo().await;
    let person = test.person([remembered(Lasting::Times { times: 3 }, ArgumentScope::Any)]);
    says(&test, "one").await.unwrap();
    says(&test, "two").await.unwrap();
    drop(person);
    let test = test.again().await;
    let person = test.person([Decision::no(None)]);
    says(&test, "three").await.unwrap();
    assert_eq!(code(says(&test, "four").await), ErrorCode::Refused);
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn until_a_time_means_until_then_and_unused_approvals_end_after_a_month() {
    let clock = Arc::new(AtomicI64::new(NOW));
    let test = echo_at(&clock).await;
    let at = protocol::Timestamp(NOW + DAY);
    let person = test.person([
        remembered(Lasting::Until { at }, ArgumentScope::Any),
        Decision::always(),
        Decision::no(None),
    ]);
    says(&test, "one").await.unwrap();
    clock.store(NOW + DAY - 1, Ordering::Relaxed);
    says(&test, "two").await.unwrap();
    assert_eq!(person.asked().len(), 1);
    clock.store(NOW + DAY, Ordering::Relaxed);
    says(&test, "three").await.unwrap();
    assert_eq!(person.asked().len(), 2);
    clock.store(NOW + 30 * DAY, Ordering::Relaxed);
    says(&test, "four").await.unwrap();
    // Every use begins the month anew.
    clock.store(NOW + 60 * DAY, Ordering::Relaxed);
    let mut recorder = test.listen();
    assert_eq!(
        test.ask("list_grants", Value::Null).await.unwrap(),
        json!([])
    );
    recorder
        .until(|event| matches!(event, HostEvent::GrantLapsed { .. }))
        .await;
    assert_eq!(code(says(&test, "five").await), ErrorCode::Refused);
    let page = test
        .ask(
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 100}),
        )
        .await
        .unwrap();
    assert!(
        page["rows"]
            .as_array()
            .unwrap()
            .iter()
            .any(|row| row["what"] == "grant_lapsed")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remembered_no_reaches_as_far_as_it_says_and_tells_why() {
    let test = echo().await;
    let no = Decision::Deny {
        reason: Some("never this".into()),
        remember: Some(Remember {
            lasting: Lasting::Workspace,
            cover: ArgumentScope::Exactly,
            also: Vec::new(),
        }),
    };
    let person = test.person([no, Decision::once()]);
    assert_eq!(code(says(&test, "secret").await), ErrorCode::Refused);
    let again = says(&test, "secret").await.unwrap_err();
    assert!(
        matches!(&again.refusal, Some(Refusal::DeniedEarlier { reason: Some(reason), .. }) if reason == "never this"),
        "{again:?}"
    );
    assert_eq!(person.asked().len(), 1);
    says(&test, "something else").await.unwrap();
    assert_eq!(person.asked().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn very_long_arguments_are_asked_about_whatever_was_allowed() {
    let test = echo().await;
    let person = test.person([Decision::always(), Decision::exactly(), Decision::no(None)]);
    says(&test, "short").await.unwrap();
    let long = "x".repeat(20_000);
    says(&test, &long).await.unwrap();
    let asked = person.asked();
    assert!(
        matches!(
            &asked[1].subject,
            Subject::Call {
                reason: Reason::LongArguments,
                ..
            }
        ),
        "{:?}",
        asked[1].subject
    );
    says(&test, &long).await.unwrap();
    assert_eq!(person.asked().len(), 2, "exactly these were seen");
    assert_eq!(
        code(says(&test, &format!("{long}y")).await),
        ErrorCode::Refused
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_path_is_remembered_like_a_short_one() {
    let folder = tempfile::tempdir().unwrap();
    let deep = (0..12).fold(std::fs::canonicalize(folder.path()).unwrap(), |path, n| {
        path.join(format!("{n}{}", "long".repeat(20)))
    });
    std::fs::create_dir_all(&deep).unwrap();
    let test = echo().await;
    test.give("echo", &deep).await;
    let person = test.person([remembered(
        Lasting::Always,
        limited(Allowed::Under {
            folder: deep.to_str().unwrap().into(),
        }),
    )]);
    says(&test, deep.join("a").to_str().unwrap()).await.unwrap();
    says(&test, deep.join("b").to_str().unwrap()).await.unwrap();
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_something_that_matters_is_not_allowed_without_an_end() {
    let test = echo().await;
    test.ask(
        "mark_tool",
        json!({"server": "echo", "tool": "echo", "mark": {"consequential": true, "secret": false}}),
    )
    .await
    .unwrap();
    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    test.until_waiting().await;
    let question = test.host.waiting()[0].id.clone();
    let everything = limited(Allowed::Anything);
    for answer in [
        Decision::always(),
        remembered(Lasting::Always, ArgumentScope::Any),
        remembered(Lasting::Workspace, everything),
    ] {
        let preview: DecisionPreview = test
            .get(
                "preview_answer",
                json!({"question": question, "answer": answer}),
            )
            .await;
        assert_eq!(
            (preview.not_remembered, preview.problems),
            (Some(RememberProblem::Endless), Vec::new())
        );
        let refused = test
            .host
            .answer(&question, answer, crate::support::TERMINAL)
            .await;
        assert_eq!(code(refused), ErrorCode::BadAnswer);
    }
    test.host
        .answer(
            &question,
            Decision::for_conversation(),
            crate::support::TERMINAL,
        )
        .await
        .unwrap();
    call.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_allowed_to_one_caller_is_asked_about_for_another() {
    let test = echo().await;
    let person = test.person([
        remembered(Lasting::Always, ArgumentScope::Any),
        Decision::no(None),
    ]);
    says(&test, "x").await.unwrap();
    assert_eq!(
        code(
            test.call_as(Caller::window(), "echo", "echo", json!({"text": "x"}))
                .await
        ),
        ErrorCode::Refused
    );
    assert_eq!(person.asked().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_a_person_changed_runs_and_is_logged_as_they_changed_it() {
    let test = echo().await;
    let changed = json!({"text": "changed"}).as_object().cloned();
    let _person = test.person([Decision::Allow {
        arguments: changed,
        remember: None,
    }]);
    assert!(text(&says(&test, "wanted").await.unwrap()).contains("changed"));
    let filter = json!({"filter": {"server": "echo", "tool": "echo"}, "before": null, "limit": 10});
    let page = test.ask("list_activity", filter).await.unwrap();
    let row = page["rows"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["what"] == "call")
        .unwrap();
    let detail = test
        .ask("show_activity", json!({"seq": row["seq"]}))
        .await
        .unwrap();
    assert_eq!(
        (
            &detail["arguments"]["text"],
            &detail["permission"]["changed"]
        ),
        (&json!("changed"), &json!(true))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_says_what_an_answer_would_do_and_writes_nothing() {
    let test = echo().await;
    let person = test.person([Decision::once(), Decision::once()]);
    says(&test, "red").await.unwrap();
    says(&test, "blue").await.unwrap();
    drop(person);
    let (_, first) = test.call_later("echo", "echo", json!({"text": "red"}));
    let (_, second) = test.call_later("echo", "echo", json!({"text": "green"}));
    while test.host.waiting().len() < 2 {
        tokio::task::yield_now().await;
    }
    let waiting = test.host.waiting();
    let red = waiting
        .iter()
        .find(|question| shown(question)["text"] == "red")
        .unwrap()
        .id
        .clone();
    let green = waiting
        .iter()
        .find(|question| question.id != red)
        .unwrap()
        .id
        .clone();
    let colours = limited(Allowed::OneOf {
        values: vec!["red".into(), "green".into()],
    });
    let answer = remembered(Lasting::Workspace, colours);
    let preview: DecisionPreview = test
        .get("preview_answer", json!({"question": red, "answer": answer}))
        .await;
    assert_eq!(
        (preview.problems.len(), preview.settles.as_slice()),
        (0, std::slice::from_ref(&green)),
        "{preview:?}"
    );
    assert_eq!(
        (preview.past_covered, preview.past_all, preview.past.len()),
        (1, 2, 1),
        "{preview:?}"
    );
    assert_eq!(
        test.ask("list_grants", Value::Null).await.unwrap(),
        json!([])
    );
    assert_eq!(test.host.waiting().len(), 2);
    let bad = Decision::Allow {
        arguments: json!({"text": 5}).as_object().cloned(),
        remember: None,
    };
    let preview: DecisionPreview = test
        .get("preview_answer", json!({"question": red, "answer": bad}))
        .await;
    assert!(preview.problems[0].contains("/text"), "{preview:?}");
    assert_eq!(preview.not_remembered, None);
    // Why it cannot be remembered is no fault of the arguments.
    let lost = Allowed::Under {
        folder: "not the whole path".into(),
    };
    for (lasting, cover, why) in [
        (
            Lasting::Times { times: 1_001 },
            ArgumentScope::Any,
            RememberProblem::Times { most: 1_000 },
        ),
        (
            Lasting::Workspace,
            limited(lost),
            RememberProblem::Folder {
                folder: "not the whole path".into(),
            },
        ),
    ] {
        let preview: DecisionPreview = test
            .get(
                "preview_answer",
                json!({"question": red, "answer": remembered(lasting, cover)}),
            )
            .await;
        assert_eq!(
            (
                preview.not_remembered,
                preview.problems.len(),
                preview.grant
            ),
            (Some(why), 0, None)
        );
    }
    // And so it is: the other question is settled by the answer to the one.
    test.host
        .answer(&red, answer, crate::support::TERMINAL)
        .await
        .unwrap();
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    assert!(test.host.waiting().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_settles_no_question_that_a_rule_wants_to_be_asked() {
    let test = echo().await;
    let draft = json!({"effect": "ask", "hook": "call", "caller": null, "server": "echo", "tool": null, "when": [], "reason": null});
    test.ask("add_rule", json!({"draft": draft})).await.unwrap();
    let _calls =
        ["red", "green"].map(|word| test.call_later("echo", "echo", json!({"text": word})));
    while test.host.waiting().len() < 2 {
        tokio::task::yield_now().await;
    }
    let question = test.host.waiting()[0].id.clone();
    let preview: DecisionPreview = test
        .get(
            "preview_answer",
            json!({"question": question, "answer": Decision::always()}),
        )
        .await;
    assert!(
        preview.grant.is_some() && preview.settles.is_empty(),
        "{preview:?}"
    );
    test.host.withdraw();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remembered_no_holds_however_often_it_is_tried() {
    let test = echo().await;
    let never = Remember {
        lasting: Lasting::Workspace,
        cover: ArgumentScope::Any,
        also: Vec::new(),
    };
    let person = test.person([Decision::Deny {
        reason: None,
        remember: Some(never),
    }]);
    // A loop that goes on after a no is not asked about again and again.
    for _ in 0..30 {
        assert_eq!(code(says(&test, "again").await), ErrorCode::Refused);
    }
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_of_a_no_names_the_repeated_call_that_it_ends_and_one_of_a_yes_does_not() {
    let test = echo().await;
    let person = test.person([Decision::exactly()]);
    for _ in 0..20 {
        says(&test, "again").await.unwrap();
    }
    drop(person);
    let mut recorder = test.listen();
    let (mut asked, mut calls) = (Vec::new(), Vec::new());
    for words in ["again", "other"] {
        calls.push(test.call_later("echo", "echo", json!({"text": words})).1);
        let told = recorder
            .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
            .await;
        let HostEvent::QuestionAsked { question } = &told.event else {
            unreachable!()
        };
        asked.push(question.id.clone());
    }
    let no = Decision::Deny {
        reason: None,
        remember: Some(Remember {
            lasting: Lasting::Workspace,
            cover: ArgumentScope::Any,
            also: Vec::new(),
        }),
    };
    for (answer, settled) in [(Decision::always(), &asked[..0]), (no.clone(), &asked[..1])] {
        let preview: DecisionPreview = test
            .get(
                "preview_answer",
                json!({"question": asked[1], "answer": answer}),
            )
            .await;
        assert_eq!(preview.settles, settled);
    }
    // And so it is.
    test.host
        .answer(&asked[1], no, crate::support::TERMINAL)
        .await
        .unwrap();
    for call in calls {
        assert_eq!(code(call.await.unwrap()), ErrorCode::Refused);
    }
}

fn shown(question: &policy::Question) -> Value {
    serde_json::to_value(&question.subject).unwrap()["arguments"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wide_approval_is_proposed_to_be_as_narrow_as_it_was_used() {
    let folder = tempfile::tempdir().unwrap();
    let base = std::fs::canonicalize(folder.path()).unwrap();
    let inside = base.join("work/inside");
    std::fs::create_dir_all(&inside).unwrap();
    let test = echo().await;
    test.give("echo", &base).await;
    let person = test.person([Decision::always(), Decision::no(None)]);
    for name in ["a", "b", "c"] {
        says(&test, inside.join(name).to_str().unwrap())
            .await
            .unwrap();
    }
    let proposals: Vec<Tightening> = test.get("list_tightenings", Value::Null).await;
    assert_eq!(
        (proposals.len(), proposals[0].used, proposals[0].covered),
        (1, 3, 3),
        "{proposals:?}"
    );
    let wide = proposals[0].grant.clone();
    let narrow: Grant = test.get("tighten", json!({"grant": wide.id})).await;
    assert_eq!(
        narrow.origin,
        GrantOrigin::Narrowed {
            grant: wide.id.clone()
        }
    );
    let left: Vec<Grant> = test.get("list_grants", Value::Null).await;
    assert_eq!(
        left.iter().map(|grant| &grant.id).collect::<Vec<_>>(),
        [&narrow.id]
    );
    says(&test, inside.join("d").to_str().unwrap())
        .await
        .unwrap();
    assert_eq!(
        code(says(&test, base.join("work/outside").to_str().unwrap()).await),
        ErrorCode::Refused
    );
    assert_eq!(person.asked().len(), 2);
}
