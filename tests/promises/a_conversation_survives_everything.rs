//! The application may end at any moment: nothing that was said is lost, no call is made twice, and
//! the conversation goes on.

use crate::support::killable::Killable;
use crate::support::labs::{self, Reached};
use crate::support::talk::{Talk, add_orders, words};
use crate::support::terminal::eventually;
use crate::support::{TERMINAL, TestHost, WAIT_TIMEOUT, misbehave};
use policy::{Decision, Question, Subject};
use protocol::FormResult;
use serde_json::json;
use std::time::Duration;
use test_servers::model::{Answer, Part, Step};

/// A conversation in which tea is ordered of a server that counts, with a model that answers with
/// these steps.
async fn begin(steps: impl IntoIterator<Item = Step>, is_allowed: bool) -> (Killable, Reached) {
    let test = TestHost::new().await;
    let reached = Reached::new();
    add_orders(&test, &reached.file()).await;
    let talk = Talk::begin(&test, steps).await;
    if is_allowed {
        labs::allow(&test, "orders").await;
    }
    (Killable::say(test, talk, "Order tea.").await, reached)
}

fn order() -> Step {
    Step::wants([("orders__place", json!({"order": "tea"}))])
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_reply_comes_in_what_has_come_is_kept_and_nothing_is_spent() {
    let slow = Step::Answer(Answer {
        pace: Duration::from_millis(700),
        ..Answer::of([Part::Text("One two three four five six.".to_owned())])
    });
    let (killable, _reached) = begin([slow, Step::says("Seven.")], false).await;
    let terminal = killable.terminal();
    let id = killable.talk.conversation.as_str().unwrap().to_owned();
    eventually("no words came", || {
        let page = terminal.json(&["conversations", "show", &id]);
        (!page["coming"].as_array()?.is_empty()).then_some(())
    });
    let (test, talk) = killable.killed().await;
    let page = talk.read_once_it_is(&test, "idle").await;
    assert_eq!(words(&page)[0], "person: Order tea.");
    assert_eq!(page["ended"], "broke");
    assert_eq!(page["items"][1]["broke"]["kind"], "application_ended");
    assert_eq!(talk.requests().len(), 1, "nobody has asked for more");
    let mut recorder = test.listen();
    talk.with(&test, "go_on").await;
    talk.until(&mut recorder, &["idle"]).await;
    let said = words(&talk.read(&test).await);
    assert_eq!(said.last().unwrap(), "model: Seven.");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_question_waits_it_waits_again_and_its_yes_is_one_call() {
    let steps = [order(), Step::says("On its way.")];
    let (killable, reached) = begin(steps, false).await;
    killable.terminal().question();
    let (test, talk) = killable.killed().await;
    let question = test.host.waiting().remove(0);
    assert_eq!(reached.lines(), [""; 0]);
    test.host
        .answer(&question.id, Decision::once(), TERMINAL)
        .await
        .unwrap();
    let page = talk.read_once_it_is(&test, "idle").await;
    assert_eq!(reached.lines(), ["place tea"]);
    assert_eq!(
        words(&page),
        [
            "person: Order tea.",
            "call: orders__place answered",
            "model: On its way."
        ]
    );
    let sent = talk.requests()[1].to_string();
    assert!(sent.contains("placed tea"), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_call_runs_nobody_knows_and_it_is_not_made_again() {
    let hang = Step::wants([("orders__hang", json!({"order": "tea"}))]);
    let (killable, reached) = begin([hang, Step::says("Shall I look?")], true).await;
    eventually("the call did not come", || {
        (!reached.lines().is_empty()).then_some(())
    });
    let (test, talk) = killable.killed().await;
    let page = talk.read_once_it_is(&test, "idle").await;
    assert_eq!(
        words(&page),
        [
            "person: Order tea.",
            "call: orders__hang unknown",
            "model: Shall I look?"
        ]
    );
    assert_eq!(reached.lines(), ["hang tea"]);
    let sent = talk.requests()[1].to_string();
    let told = "Nobody knows whether this was carried out: the application ended while it ran.";
    assert!(sent.contains(told), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_properly_while_a_question_waits_it_waits_again() {
    let test = TestHost::new().await;
    let reached = Reached::new();
    add_orders(&test, &reached.file()).await;
    let talk = Talk::begin(&test, [order(), Step::says("On its way.")]).await;
    talk.say(&test, "Order tea.").await;
    test.until_waiting().await;
    let test = test.again().await;
    let question = test.host.waiting().remove(0);
    talk.read_once_it_is(&test, "calling").await;
    test.host
        .answer(&question.id, Decision::once(), TERMINAL)
        .await
        .unwrap();
    let page = talk.read_once_it_is(&test, "idle").await;
    assert_eq!(words(&page)[2], "model: On its way.");
    assert_eq!(reached.lines(), ["place tea"]);
}

/// Fills in the form that holds these words, once it is asked for.
async fn fill_in(test: &TestHost, words: &str, name: &str) {
    let look = async {
        loop {
            let is_it = |question: &Question| matches!(&question.subject, Subject::Form { form, .. } if form.message.contains(words));
            match test.host.waiting().into_iter().find(is_it) {
                Some(question) => return question,
                None => tokio::task::yield_now().await,
            }
        }
    };
    let question = tokio::time::timeout(WAIT_TIMEOUT, look).await.unwrap();
    let content = serde_json::Map::from_iter([("name".to_owned(), json!(name))]);
    let answer = Decision::Form {
        answer: FormResult::Accept { content },
    };
    test.host
        .answer(&question.id, answer, TERMINAL)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_while_a_server_waits_for_a_form_it_waits_again_and_the_turn_goes_on() {
    let test = TestHost::new().await;
    test.add("forms", &[&misbehave(), "modern"]).await;
    let twice = Step::wants([("forms__twice", json!({}))]);
    let talk = Talk::begin(&test, [twice, Step::says("Hello, both.")]).await;
    talk.say(&test, "Introduce us.").await;
    test.until_waiting().await;
    let question = test.host.waiting().remove(0);
    test.host
        .answer(&question.id, Decision::once(), TERMINAL)
        .await
        .unwrap();
    fill_in(&test, "First?", "Ada").await;
    talk.read_once_it_is(&test, "calling").await;
    let form = async {
        while test.host.waiting().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, form).await.unwrap();
    let test = test.again().await;
    fill_in(&test, "Second?", "Grace").await;
    let page = talk.read_once_it_is(&test, "idle").await;
    assert_eq!(
        words(&page)[1..],
        ["call: forms__twice answered", "model: Hello, both."]
    );
    let sent = talk.requests()[1].to_string();
    assert!(sent.contains("Grace"), "{sent}");
}
