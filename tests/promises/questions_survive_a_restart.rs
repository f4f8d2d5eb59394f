//! A question that waits outlives the application, its answer is carried out once, and a call of
//! which nobody knows the end is never made again by itself.

use crate::support::terminal::{Running, Terminal, eventually};
use crate::support::{Choices, TERMINAL, TestHost, WAIT_TIMEOUT, code, misbehave};
use api::ActivityPage;
use host::api::{DecisionPreview, ErrorCode, FullResult, HostEvent, Outcome};
use host::{Clock, KeyringChoice};
use policy::waiting::End;
use policy::{ArgumentScope, Decision, Lasting, Question, Refusal, Subject};
use protocol::{CallId, Content, RunId, Timestamp};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use store::{Entry, Event, OpenOptions, Store};
use tempfile::TempDir;

/// The calls that have reached the server.
fn placed(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file)
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// A host with a server that counts, and a question about a call of it that waits.
async fn asked(choices: Choices, file: &Path) -> (TestHost, CallId, Question) {
    asked_for("place", choices, file).await
}

async fn asked_for(tool: &str, choices: Choices, file: &Path) -> (TestHost, CallId, Question) {
    let test = TestHost::with(choices).await;
    test.add("orders", &[&misbehave(), "counts", file.to_str().unwrap()])
        .await;
    let mut recorder = test.listen();
    let (call, _) = test.call_later("orders", tool, json!({"order": "tea"}));
    recorder
        .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
        .await;
    let question = test.host.waiting().remove(0);
    (test, call, question)
}

fn is_left_over(question: &Question) -> bool {
    matches!(
        question.subject,
        Subject::Call {
            left_over: true,
            ..
        }
    )
}

/// What stands in the store of a folder on which no host runs.
/// The store of a host that has ended, with an answer written down that nobody has carried out.
async fn answered_meanwhile(
    dir: &TempDir,
    question: &Question,
    answer: &Decision,
    now: i64,
) -> Store {
    let store = store(dir).await;
    assert!(
        store
            .waiting()
            .answered(&question.id, answer, Timestamp(now))
            .await
            .unwrap()
    );
    store
}

async fn store(dir: &TempDir) -> Store {
    let now = Timestamp(1_795_000_000_000);
    let options = OpenOptions {
        dir: dir.path().to_owned(),
        keyring: KeyringChoice::System,
        run: RunId::random(),
        version: "test".into(),
        now,
    };
    Store::open(options).await.unwrap()
}

async fn until_outcomes(test: &TestHost, wanted: &[&str]) {
    let look = async {
        while test.outcomes().await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(WAIT_TIMEOUT, look).await.is_err() {
        panic!("{:?} instead of {wanted:?}", test.outcomes().await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_waits_again_after_a_restart_and_its_yes_is_carried_out_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, call, question) = asked(Choices::default(), &file).await;
    let test = test.again().await;
    let waiting = test.host.waiting();
    assert_eq!(waiting.len(), 1);
    assert!(
        waiting[0].id == question.id && is_left_over(&waiting[0]),
        "{waiting:?}"
    );
    assert_eq!(test.outcomes().await, [""; 0], "nothing was decided");
    let mut recorder = test.listen();
    test.host
        .answer(&question.id, Decision::once(), TERMINAL)
        .await
        .unwrap();
    recorder.until(|event| matches!(event, HostEvent::CallEnded { call: ended, outcome: Outcome::Done } if *ended == call)).await;
    assert_eq!(placed(&file), ["place tea"]);
    let full = test
        .ask("full_answer", json!({"call": call}))
        .await
        .unwrap();
    assert_eq!(
        full["text"], "placed tea",
        "nobody waits for the answer, so it is kept"
    );
    // And again: nothing is left to be carried out.
    let test = test.again().await;
    assert_eq!(
        (test.host.waiting().len(), test.outcomes().await),
        (0, vec!["done".to_owned()])
    );
    assert_eq!(placed(&file), ["place tea"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_nobody_waited_for_is_kept_with_all_its_parts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, call, question) = asked_for("draw", Choices::default(), &file).await;
    let test = test.again().await;
    test.host
        .answer(&question.id, Decision::once(), TERMINAL)
        .await
        .unwrap();
    until_outcomes(&test, &["done"]).await;
    let test = test.again().await;
    let full: FullResult = test.get("full_answer", json!({"call": call})).await;
    let result = full.result.unwrap();
    let picture = Content::Image {
        data: "aGVsbG8=".into(),
        mime_type: "image/png".into(),
        extra: serde_json::Map::new(),
    };
    assert_eq!(result.content[1], picture);
    assert_eq!(result.structured, Some(json!({"order": "tea"})));
    assert!(full.text.starts_with("placed tea"), "{}", full.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_calls_yes_carries_out_no_other_call_that_takes_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, call, question) = asked(Choices::default(), &file).await;
    let test = test.again().await;
    assert!(
        test.host
            .running()
            .iter()
            .any(|running| running.call == call && running.waiting),
        "its number is taken"
    );
    let other = json!({"call": call, "server": "orders", "tool": "place", "arguments": {"order": "poison"}});
    // Whoever is asked about it says no; nobody should be.
    let person = test.person([Decision::no(None)]);
    assert_eq!(
        code(test.ask("call_tool", other.clone()).await),
        ErrorCode::BadRequest
    );
    assert_eq!(person.asked().len(), 0);
    drop(person);
    test.host
        .answer(&question.id, Decision::once(), TERMINAL)
        .await
        .unwrap();
    until_outcomes(&test, &["done"]).await;
    assert_eq!(
        code(test.ask("call_tool", other.clone()).await),
        ErrorCode::BadRequest,
        "nor when it is over"
    );
    let test = test.again().await;
    assert_eq!(
        code(test.ask("call_tool", other).await),
        ErrorCode::BadRequest,
        "nor in the next run"
    );
    assert_eq!(placed(&file), ["place tea"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_allows_meanwhile_settles_a_left_over_question_and_the_call_runs_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, _, question) = asked(Choices::default(), &file).await;
    let mut recorder = test.listen();
    let _ = test.call_later("orders", "place", json!({"order": "milk"}));
    recorder
        .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
        .await;
    let test = test.again().await;
    assert_eq!(test.host.waiting().len(), 2);
    test.host
        .answer(&question.id, Decision::always(), TERMINAL)
        .await
        .unwrap();
    until_outcomes(&test, &["done", "done"]).await;
    let grants = test.ask("list_grants", Value::Null).await.unwrap();
    assert_eq!(
        (grants.as_array().unwrap().len(), &grants[0]["used"]),
        (1, &json!(2)),
        "{grants}"
    );
    let page = test
        .ask(
            "list_activity",
            json!({"filter": {"outcome": "done"}, "before": null, "limit": 9}),
        )
        .await
        .unwrap();
    let mut kinds = Vec::new();
    for row in page["rows"].as_array().unwrap() {
        let detail = test
            .ask("show_activity", json!({"seq": row["seq"]}))
            .await
            .unwrap();
        kinds.push(detail["permission"]["kind"].as_str().unwrap().to_owned());
    }
    kinds.sort();
    assert_eq!(
        kinds,
        ["answer", "grant"],
        "nobody is said to have answered what was not answered"
    );
    let test = test.again().await;
    assert_eq!(test.host.waiting().len(), 0);
    let mut placed = placed(&file);
    placed.sort();
    assert_eq!(placed, ["place milk", "place tea"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_left_over_call_can_be_withdrawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, call, _) = asked(Choices::default(), &file).await;
    let test = test.again().await;
    test.ask("cancel_call", json!({"call": call}))
        .await
        .unwrap();
    until_outcomes(&test, &["cancelled"]).await;
    let test = test.again().await;
    assert_eq!((test.host.waiting().len(), placed(&file).len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_after_a_restart_is_a_no_and_of_two_answers_one_counts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, _, question) = asked(Choices::default(), &file).await;
    let test = test.again().await;
    let (one, other) = tokio::join!(
        test.host
            .answer(&question.id, Decision::no(Some("not now")), TERMINAL),
        test.host
            .answer(&question.id, Decision::no(Some("not now")), TERMINAL),
    );
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    until_outcomes(&test, &["refused"]).await;
    let test = test.again().await;
    assert_eq!(
        code(
            test.host
                .answer(&question.id, Decision::once(), TERMINAL)
                .await
        ),
        ErrorCode::UnknownQuestion
    );
    assert_eq!(placed(&file), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_yes_and_another_yes_to_a_left_over_question_one_call_comes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, _, question) = asked(Choices::default(), &file).await;
    let test = test.again().await;
    let answers = (0..8).map(|_| test.host.answer(&question.id, Decision::once(), TERMINAL));
    let given = futures::future::join_all(answers).await;
    assert_eq!(given.iter().filter(|given| given.is_ok()).count(), 1);
    until_outcomes(&test, &["done"]).await;
    assert_eq!(placed(&file), ["place tea"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_written_down_and_not_carried_out_is_carried_out_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let time = Arc::new(AtomicI64::new(1_795_000_000_000));
    let choices = || Choices {
        clock: Clock::Fixed(time.clone()),
        ..Choices::default()
    };
    let (test, _, question) = asked(choices(), &file).await;
    let dir = test.end().await;
    // As if it had been ended between the answer and the sending.
    let between = answered_meanwhile(
        &dir,
        &question,
        &Decision::once(),
        time.load(Ordering::Relaxed),
    )
    .await;
    between.close().await;
    drop(between);
    let test = TestHost::on_with(dir, choices()).await;
    until_outcomes(&test, &["done"]).await;
    let _test = test.again_with(choices()).await;
    assert_eq!(placed(&file), ["place tea"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duration_over_a_restart_counts_as_waiting_only_what_passed_until_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let time = Arc::new(AtomicI64::new(1_795_000_000_000));
    let choices = || Choices {
        clock: Clock::Fixed(time.clone()),
        ..Choices::default()
    };
    let (test, _, question) = asked(choices(), &file).await;
    let dir = test.end().await;
    let answered_at = time.fetch_add(60_000, Ordering::Relaxed) + 60_000;
    let between = answered_meanwhile(&dir, &question, &Decision::once(), answered_at).await;
    between.close().await;
    drop(between);
    time.fetch_add(30_000, Ordering::Relaxed);
    let test = TestHost::on_with(dir, choices()).await;
    until_outcomes(&test, &["done"]).await;
    let all = json!({"filter": {}, "before": null, "limit": 100});
    let page: ActivityPage = test.get("list_activity", all).await;
    let row = page.rows.iter().find(|row| row.what == "call").unwrap();
    assert_eq!(
        (row.duration_ms, row.waited_ms, row.ran_ms),
        (Some(90_000), Some(60_000), Some(0))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_remembered_before_its_call_was_sent_is_remembered_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let time = Arc::new(AtomicI64::new(1_795_000_000_000));
    let choices = || Choices {
        clock: Clock::Fixed(time.clone()),
        ..Choices::default()
    };
    for taken_back in [false, true] {
        let (test, _, question) = asked(choices(), &file).await;
        let answer = Decision::remembered(Lasting::Times { times: 3 }, ArgumentScope::Any);
        let preview: DecisionPreview = test
            .get(
                "preview_answer",
                json!({"question": question.id, "answer": answer}),
            )
            .await;
        let grant = preview.grant.unwrap();
        let dir = test.end().await;
        // As if it had been ended when the grant was made, and before the call was sent.
        let now = time.load(Ordering::Relaxed);
        let between = answered_meanwhile(&dir, &question, &answer, now).await;
        let made = Entry {
            server: Some(grant.server.clone()),
            ..Entry::new(Timestamp(now), Event::grant_made(&grant).unwrap())
        };
        between.audit().append_synced(made).await.unwrap();
        between.grants().insert(grant.clone()).await.unwrap();
        if taken_back {
            between
                .grants()
                .revoke(&grant.id, Timestamp(now))
                .await
                .unwrap();
        }
        between.close().await;
        drop(between);
        let test = TestHost::on_with(dir, choices()).await;
        until_outcomes(&test, &["done"]).await;
        let grants: Vec<policy::Grant> = test.get("list_grants", Value::Null).await;
        let found: Vec<_> = grants.iter().map(|grant| (&grant.id, grant.used)).collect();
        assert_eq!(
            found,
            if taken_back {
                vec![]
            } else {
                vec![(&grant.id, 1)]
            }
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_older_than_a_question_waits_is_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let time = Arc::new(AtomicI64::new(1_795_000_000_000));
    let choices = || Choices {
        clock: Clock::Fixed(time.clone()),
        ..Choices::default()
    };
    let (test, _, question) = asked(choices(), &file).await;
    let dir = test.end().await;
    let between = answered_meanwhile(
        &dir,
        &question,
        &Decision::once(),
        time.load(Ordering::Relaxed),
    )
    .await;
    between.close().await;
    drop(between);
    time.fetch_add(3_600_000, Ordering::Relaxed);
    let test = TestHost::on_with(dir, choices()).await;
    assert_eq!(
        test.host
            .waiting()
            .iter()
            .map(|question| &question.id)
            .collect::<Vec<_>>(),
        [&question.id]
    );
    assert_eq!(placed(&file), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_may_have_been_sent_is_not_sent_again_and_is_shown_until_a_person_has_seen_it()
{
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, call, question) = asked(Choices::default(), &file).await;
    let dir = test.end().await;
    // As if it had been ended in the moment of sending, and the last moments of the log been lost
    // with the power.
    let between = answered_meanwhile(&dir, &question, &Decision::once(), 1_795_000_000_000).await;
    let rows = between.waiting();
    assert!(rows.sends(&question.id, End::Answered).await.unwrap());
    assert!(
        !rows.sends(&question.id, End::Answered).await.unwrap(),
        "one yes is one call"
    );
    between.close().await;
    drop(between);
    let test = TestHost::on(dir).await;
    assert_eq!(test.outcomes().await, ["interrupted"]);
    let unknown = |test: &TestHost| {
        let host = test.host.clone();
        async move {
            host.snapshot()
                .await
                .unknown
                .into_iter()
                .map(|unknown| unknown.call)
                .collect::<Vec<_>>()
        }
    };
    assert_eq!(
        (unknown(&test).await, test.host.waiting().len()),
        (vec![call.clone()], 0)
    );
    let test = test.again().await;
    assert_eq!(
        unknown(&test).await,
        std::slice::from_ref(&call),
        "it is shown until a person has seen it"
    );
    assert_eq!(
        code(
            test.ask_as_program("note_unknown", json!({"call": call}))
                .await
        ),
        ErrorCode::OnlyForThePerson
    );
    test.ask("note_unknown", json!({"call": call}))
        .await
        .unwrap();
    assert_eq!(unknown(&test).await, []);
    let test = test.again().await;
    assert_eq!(unknown(&test).await, []);
    assert_eq!(placed(&file), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_lost_in_the_middle_leaves_an_unknown_outcome() {
    let test = TestHost::new().await;
    test.add("dies", &[&misbehave(), "dies-in-call"]).await;
    let _person = test.person([Decision::once()]);
    let mut recorder = test.listen();
    assert_eq!(
        code(test.call("dies", "die", json!({})).await),
        ErrorCode::ConnectionLost
    );
    recorder
        .until(|event| matches!(event, HostEvent::UnknownChanged { unknown, .. } if unknown.len() == 1))
        .await;
    let unknown = test.host.snapshot().await.unknown;
    assert_eq!(
        (unknown[0].server.as_str(), unknown[0].tool.as_str()),
        ("dies", "die")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_whose_tool_or_server_is_not_what_was_shown_ends_in_a_no() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    for change in ["remove_server", "disable_server"] {
        let (test, _, question) = asked(Choices::default(), &file).await;
        let test = test.again().await;
        test.ask(change, json!({"server": "orders"})).await.unwrap();
        // It goes away by itself; whoever is quick enough to say yes is told no all the same.
        let _ = test
            .host
            .answer(&question.id, Decision::once(), TERMINAL)
            .await;
        until_outcomes(&test, &["refused"]).await;
        let page = test
            .ask(
                "list_activity",
                json!({"filter": {"outcome": "refused"}, "before": null, "limit": 1}),
            )
            .await
            .unwrap();
        let detail = test
            .ask("show_activity", json!({"seq": page["rows"][0]["seq"]}))
            .await
            .unwrap();
        assert_eq!(
            detail["refusal"],
            json!(Refusal::ChangedWhileAsking),
            "{change}"
        );
    }
    assert_eq!(placed(&file), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_not_brought_up_again_after_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let time = Arc::new(AtomicI64::new(1_795_000_000_000));
    let choices = || Choices {
        clock: Clock::Fixed(time.clone()),
        ..Choices::default()
    };
    let (test, _, question) = asked(choices(), &file).await;
    // Only once it has ended: what is late by then may have been shown, and not be waited for yet.
    let later = async |test: TestHost| {
        let dir = test.end().await;
        time.fetch_add(12 * 3_600_000, Ordering::Relaxed);
        TestHost::on_with(dir, choices()).await
    };
    let test = later(test).await;
    let again = test.host.waiting().remove(0);
    assert_eq!(
        again.expires_at.since(again.asked_at),
        Duration::from_secs(12 * 3600 + 600),
        "there is new time to answer"
    );
    let test = later(test).await;
    assert_eq!(
        (test.host.waiting().len(), test.outcomes().await),
        (0, vec!["refused".to_owned()])
    );
    assert_eq!(
        code(
            test.host
                .answer(&question.id, Decision::once(), TERMINAL)
                .await
        ),
        ErrorCode::UnknownQuestion
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keyring_a_question_ends_with_the_application_and_nothing_of_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let absent = || Choices {
        keyring: KeyringChoice::Absent("there is none in this test".into()),
        ..Choices::default()
    };
    let (test, _, _) = asked(absent(), &file).await;
    let test = test.again_with(absent()).await;
    assert_eq!(
        (test.host.waiting().len(), test.outcomes().await),
        (0, vec!["cancelled".to_owned()])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_its_caller_withdraws_is_not_asked_about_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let (test, call, _) = asked(Choices::default(), &file).await;
    test.ask("cancel_call", json!({"call": call}))
        .await
        .unwrap();
    until_outcomes(&test, &["cancelled"]).await;
    let test = test.again().await;
    assert_eq!(test.host.waiting().len(), 0);
}

/// A data folder with a server that counts, and a host on it that is asked for a call.
fn served(tool: &str) -> (Terminal, Running, Running, Value) {
    let terminal = Terminal::new();
    let file = terminal.beside("calls");
    for words in [
        &[
            "servers",
            "add",
            "orders",
            "--no-sandbox",
            "--",
            &misbehave(),
            "counts",
            file.to_str().unwrap(),
        ][..],
        &["servers", "review", "orders", "--accept", "--yes"],
        &["servers", "enable", "orders", "--yes"],
        &["offers", "approve", "orders", "--all", "--yes"],
    ] {
        assert_eq!(terminal.run(words).code, 0, "{words:?}");
    }
    let running = serve(&terminal);
    let call = terminal.start(&["call", "orders", tool, "--args", r#"{"order": "tea"}"#]);
    let question = terminal.question();
    (terminal, running, call, question)
}

fn serve(terminal: &Terminal) -> Running {
    terminal
        .serve(&[
            "--approver-token-file",
            terminal.beside("token").to_str().unwrap(),
        ])
        .0
}

fn say_yes(terminal: &Terminal, question: &Value) {
    let (id, token) = (question["id"].as_str().unwrap(), terminal.beside("token"));
    let answered = terminal.run(&[
        "questions",
        "answer",
        id,
        "allow",
        "--approver-token-file",
        token.to_str().unwrap(),
    ]);
    assert_eq!(answered.code, 0, "{answered:?}");
}

fn outcomes(terminal: &Terminal) -> Vec<String> {
    let page = terminal.json(&["audit", "list", "--server", "orders"]);
    let rows = page["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["what"] == "call");
    rows.map(|row| row["outcome"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_question_that_waited_when_the_host_was_killed_waits_in_the_next_one() {
    let (terminal, running, call, question) = served("place");
    running.kill();
    assert_ne!(call.ended().code, 0);
    // A program that only looks sees it, and it goes on waiting.
    let seen = terminal.json(&["questions", "list"]);
    assert!(
        seen[0]["id"] == question["id"] && seen[0]["subject"]["left_over"] == true,
        "{seen}"
    );
    let running = serve(&terminal);
    say_yes(&terminal, &question);
    eventually("the call did not end", || {
        (outcomes(&terminal) == ["done"]).then_some(())
    });
    running.kill();
    assert_eq!(terminal.json(&["questions", "list"]), json!([]));
    assert_eq!(placed(&terminal.beside("calls")), ["place tea"]);
    assert_eq!(terminal.run(&["audit", "verify"]).code, 0);
}

#[test]
fn a_call_that_ran_when_the_host_was_killed_is_never_made_again() {
    let (terminal, running, call, question) = served("hang");
    say_yes(&terminal, &question);
    eventually("the call did not begin", || {
        (placed(&terminal.beside("calls")).len() == 1).then_some(())
    });
    running.kill();
    assert_ne!(call.ended().code, 0);
    for _ in 0..2 {
        let running = serve(&terminal);
        let unknown = terminal.json(&["calls", "unknown"]);
        assert!(
            unknown[0]["tool"] == "hang" && unknown[0]["arguments"] == json!({"order": "tea"}),
            "{unknown}"
        );
        assert_eq!(terminal.json(&["questions", "list"]), json!([]));
        running.kill();
    }
    assert_eq!(outcomes(&terminal), ["interrupted"]);
    assert_eq!(
        placed(&terminal.beside("calls")),
        ["hang tea"],
        "one call, ever"
    );
    let piped = terminal.run(&[
        "calls",
        "noted",
        terminal.json(&["calls", "unknown"])[0]["call"]
            .as_str()
            .unwrap(),
    ]);
    assert_eq!(piped.code, 3, "piped input stands for no person: {piped:?}");
    assert_eq!(terminal.run(&["audit", "verify"]).code, 0);
}
