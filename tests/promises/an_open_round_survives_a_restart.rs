//! A server that wants input before it goes on with a call waits for it beyond the end of the
//! application: the input is asked for once more, the server gets back what it gave, and the call is
//! not begun again.

use crate::support::{Choices, TERMINAL, TestHost, WAIT_TIMEOUT, misbehave};
use host::KeyringChoice;
use host::api::{HostEvent, Outcome};
use policy::{Decision, Question, Subject};
use protocol::{CallId, FormResult};
use serde_json::{Map, json};
use std::path::Path;

/// A host whose server wants two forms, one after the other.
async fn asking(choices: Choices) -> TestHost {
    let test = TestHost::with(choices).await;
    test.add("forms", &[&misbehave(), "modern"]).await;
    test
}

/// The question that waits next.
async fn next(test: &TestHost) -> Question {
    tokio::time::timeout(WAIT_TIMEOUT, test.until_waiting())
        .await
        .expect("nobody is asked");
    test.host.waiting().remove(0)
}

fn filled_in(name: &str) -> Decision {
    let content = Map::from_iter([("name".to_owned(), json!(name))]);
    Decision::Form {
        answer: FormResult::Accept { content },
    }
}

async fn give(test: &TestHost, question: &Question, answer: Decision) {
    test.host
        .answer(&question.id, answer, TERMINAL)
        .await
        .unwrap();
}

/// Begins the call that wants two forms, and fills the first in: the second one waits.
async fn paused(test: &TestHost, permission: Decision) -> (CallId, Question) {
    let (call, _) = test.call_later("forms", "twice", json!({}));
    let question = next(test).await;
    give(test, &question, permission).await;
    filled_first(test, call).await
}

async fn filled_first(test: &TestHost, call: CallId) -> (CallId, Question) {
    let first = until_form(test, "First?").await;
    give(test, &first, filled_in("Ada")).await;
    let second = until_form(test, "Second?").await;
    (call, second)
}

async fn until_form(test: &TestHost, message: &str) -> Question {
    let look = async {
        loop {
            let waiting = test.host.waiting();
            let form = waiting.into_iter().find(|question| {
                matches!(&question.subject, Subject::Form { form, .. } if form.message.contains(message))
            });
            match form {
                Some(question) => return question,
                None => tokio::task::yield_now().await,
            }
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, look)
        .await
        .unwrap_or_else(|_| panic!("{message} is not asked"))
}

/// Fills the second form in, in a later run, and returns what the call came to.
async fn finished(test: &TestHost, call: &CallId) -> String {
    let second = until_form(test, "Second?").await;
    let Subject::Form { during, .. } = &second.subject else {
        panic!("{second:?}");
    };
    assert_eq!(during, std::slice::from_ref(call));
    let mut recorder = test.listen();
    give(test, &second, filled_in("Grace")).await;
    recorder.until(|event| matches!(event, HostEvent::CallEnded { call: ended, outcome: Outcome::Done } if ended == call)).await;
    let full = test
        .ask("full_answer", json!({"call": call}))
        .await
        .unwrap();
    full["text"].as_str().unwrap().to_owned()
}

async fn what(test: &TestHost) -> Vec<String> {
    let page = test
        .ask(
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 100}),
        )
        .await
        .unwrap();
    let rows = page["rows"].as_array().unwrap().iter();
    rows.map(|row| row["what"].as_str().unwrap().to_owned())
        .collect()
}

async fn unknown(test: &TestHost) -> usize {
    let snapshot = serde_json::to_value(test.host.snapshot().await).unwrap();
    snapshot["unknown"].as_array().unwrap().len()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&entry.path(), &to),
            kind if kind.is_file() => {
                std::fs::copy(entry.path(), to).unwrap();
            }
            _ => {}
        }
    }
}

/// The next run, on what is on the disk at this moment.
async fn after_a_loss_of_power(test: TestHost) -> TestHost {
    let kept = tempfile::tempdir().unwrap();
    copy(test.dir(), kept.path());
    let dir = test.end().await;
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => std::fs::remove_dir_all(path).unwrap(),
            false => std::fs::remove_file(path).unwrap(),
        }
    }
    copy(kept.path(), dir.path());
    TestHost::on(dir).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_waits_again_after_a_restart_and_the_call_goes_on_with_what_was_given() {
    let test = asking(Choices::default()).await;
    let (call, _) = paused(&test, Decision::once()).await;
    let test = test.again().await;
    let text = finished(&test, &call).await;
    assert!(text.contains("Ada") && text.contains("Grace"), "{text}");
    assert_eq!(test.outcomes().await, ["done"], "it was begun once");
    let resumed = |all: &[String]| all.iter().filter(|what| *what == "call_resumed").count();
    assert_eq!(resumed(&what(&test).await), 1);
    // And again: nothing is left that could go on.
    let test = test.again().await;
    assert_eq!(test.outcomes().await, ["done"]);
    assert_eq!(resumed(&what(&test).await), 1);
    assert_eq!(test.host.waiting().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn so_it_does_when_the_power_goes_and_nobody_had_to_be_asked_about_the_call() {
    let test = asking(Choices::default()).await;
    let (call, _) = paused(&test, Decision::always()).await;
    let second = until_form(&test, "Second?").await;
    let mut recorder = test.listen();
    give(&test, &second, filled_in("Grace")).await;
    recorder
        .until(|event| matches!(event, HostEvent::CallEnded { call: ended, .. } if *ended == call))
        .await;
    let (call, _) = test.call_later("forms", "twice", json!({}));
    let (call, _) = filled_first(&test, call).await;
    let test = after_a_loss_of_power(test).await;
    assert_eq!(unknown(&test).await, 0, "it is known where it stands");
    let text = finished(&test, &call).await;
    assert!(text.contains("Ada") && text.contains("Grace"), "{text}");
    assert_eq!(test.outcomes().await, ["done", "done"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_was_switched_off_meanwhile_does_not_go_on() {
    let test = asking(Choices::default()).await;
    let (_, _) = paused(&test, Decision::once()).await;
    let off = json!({"server": "forms", "tool": "twice", "on": false});
    test.ask("set_tool", off).await.unwrap();
    let test = test.again().await;
    let look = async {
        while unknown(&test).await != 1 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, look)
        .await
        .expect("nobody is told that its end is not known");
    assert_eq!(test.host.waiting().len(), 0, "nobody is asked");
    assert_eq!(test.outcomes().await, ["interrupted"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_cancelled_while_it_waits_for_input_does_not_come_back() {
    let test = asking(Choices::default()).await;
    let (call, _) = paused(&test, Decision::once()).await;
    let mut recorder = test.listen();
    test.ask("cancel_call", json!({"call": call}))
        .await
        .unwrap();
    recorder
        .until(|event| matches!(event, HostEvent::CallEnded { call: ended, .. } if *ended == call))
        .await;
    let test = test.again().await;
    assert_eq!(test.outcomes().await, ["cancelled"]);
    assert_eq!(test.host.waiting().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keyring_an_open_round_ends_with_the_application() {
    let choices = || Choices {
        keyring: KeyringChoice::Absent("there is none".to_owned()),
        ..Choices::default()
    };
    let test = asking(choices()).await;
    let (_, _) = paused(&test, Decision::once()).await;
    let test = test.again_with(choices()).await;
    assert_eq!(test.host.waiting().len(), 0);
    assert_ne!(test.outcomes().await, ["done"]);
    assert_eq!(
        what(&test)
            .await
            .iter()
            .filter(|what| *what == "call_resumed")
            .count(),
        0
    );
}
