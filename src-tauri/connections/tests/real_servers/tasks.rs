//! Calls that their server goes on with as tasks: their whole life, over restarts of the server
//! too.

use crate::heard::Heard;
use crate::permitted;
use crate::support::{TestHandler, call, misbehave, named, running, started, text, told};
use connections::{Connection, ConnectionError, Follow, Progress, Task};
use protocol::{CallId, FormResult};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

async fn modern() -> (Connection, Arc<TestHandler>, Heard) {
    let mut start = misbehave(&["modern"]);
    let heard = Heard::by(&mut start);
    let (connection, handler) = started(start).await;
    (connection, handler, heard)
}

/// Follows the task that a call becomes, and says which it is.
fn following(cancelled: CancellationToken) -> (Follow, oneshot::Receiver<Task>) {
    let (tell, told) = oneshot::channel();
    let tell = Mutex::new(Some(tell));
    let task = Box::new(move |task: &Task| {
        tell.lock()
            .unwrap()
            .take()
            .expect("told once")
            .send(task.clone())
            .unwrap()
    });
    (
        Follow {
            task,
            cancelled,
            ..Follow::nothing()
        },
        told,
    )
}

/// Waits until the server was asked about a task so often.
async fn asked_about(heard: &Heard, times: usize) {
    while heard.count("tasks/get") < times {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_call_that_becomes_a_task_is_told_once_and_followed_to_its_end() {
    let (connection, _handler, heard) = modern().await;
    let (follow, task) = following(CancellationToken::new());
    let steps = Arc::new(Mutex::new(Vec::new()));
    let heard_steps = Arc::clone(&steps);
    let progress =
        Box::new(move |step: Progress| heard_steps.lock().unwrap().push(step.message.unwrap()));
    let (id, running) = running(
        &connection,
        "work",
        json!({ "end": "completed" }),
        Follow { progress, ..follow },
    );
    assert_eq!(text(running.await.unwrap().unwrap()), "null");
    let task = task.await.unwrap();
    assert_eq!((task.id.as_str(), &task.call), ("task-1", &id));
    assert_eq!(*steps.lock().unwrap(), ["asked 1 times", "asked 2 times"]);
    assert_eq!(
        (heard.count("tools/call"), heard.count("tasks/get")),
        (1, 2)
    );
    connection.stop().await;
}

#[tokio::test]
async fn what_a_task_wants_is_asked_once_with_its_call_and_given_as_an_update() {
    let (connection, handler, heard) = modern().await;
    let mut forms = handler.forms();
    let (id, running) = running(
        &connection,
        "work",
        json!({ "end": "completed", "wants": "form" }),
        Follow::nothing(),
    );
    let (form, answer) = forms.recv().await.unwrap();
    assert_eq!(form.message, "Who works?");
    answer.send(named("Ada")).unwrap();
    // Its server shows the same question once more after the answer; the person is not asked again.
    let answered = async {
        while let Some((_, again)) = forms.recv().await {
            again.send(FormResult::Cancel).unwrap();
        }
    };
    let given = tokio::select! {
        given = running => told(given.unwrap()),
        () = answered => unreachable!("the ear lives"),
    };
    assert_eq!(
        given,
        json!({ "who": { "action": "accept", "content": { "name": "Ada" } } })
    );
    assert_eq!(*handler.questions.borrow(), [("form", Some(id))]);
    assert_eq!(
        (heard.count("tasks/update"), heard.count("tools/call")),
        (1, 1)
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_task_that_fails_or_is_cancelled_by_its_server_ends_the_call_as_that() {
    let (connection, _handler, heard) = modern().await;
    let error = call(&connection, "work", json!({ "end": "failed" }))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, ConnectionError::Server { code: -32_603, message, .. } if message == "out of steam"),
        "{error}"
    );
    assert!(matches!(
        call(&connection, "work", json!({ "end": "cancelled" })).await,
        Err(ConnectionError::Cancelled)
    ));
    let error = call(&connection, "work", json!({ "end": "on holiday" }))
        .await
        .unwrap_err();
    assert!(matches!(error, ConnectionError::TaskLost { .. }), "{error}");
    assert_eq!(heard.count("tasks/cancel"), 0);
    connection.stop().await;
}

#[tokio::test]
async fn a_cancelled_task_is_cancelled_by_the_word_for_tasks() {
    let (connection, handler, heard) = modern().await;
    let cancelled = CancellationToken::new();
    let (follow, _task) = following(cancelled.clone());
    let (_, running) = running(&connection, "work", json!({ "end": "never" }), follow);
    asked_about(&heard, 2).await;
    cancelled.cancel();
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::Cancelled)
    ));
    handler.line("cancelled task-1").await;
    assert_eq!(heard.count("tasks/cancel"), 1);
    connection.stop().await;
}

#[tokio::test]
async fn a_task_that_is_cancelled_while_it_asks_a_person_is_cancelled_too() {
    let (connection, handler, heard) = modern().await;
    let mut forms = handler.forms();
    let cancelled = CancellationToken::new();
    let (follow, _task) = following(cancelled.clone());
    let (_, running) = running(
        &connection,
        "work",
        json!({ "end": "completed", "wants": "form" }),
        follow,
    );
    let (_, mut answer) = forms.recv().await.unwrap();
    cancelled.cancel();
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::Cancelled)
    ));
    answer.closed().await;
    assert_eq!(
        (heard.count("tasks/cancel"), heard.count("tasks/update")),
        (1, 0)
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_task_that_wants_what_it_is_not_given_is_not_left_waiting() {
    let (connection, _handler, heard) = modern().await;
    let error = call(
        &connection,
        "work",
        json!({ "end": "completed", "wants": "sample" }),
    )
    .await
    .unwrap_err();
    assert!(
        matches!(&error, ConnectionError::NotGiven { method } if method == "sampling/createMessage"),
        "{error}"
    );
    assert_eq!(
        (heard.count("tasks/cancel"), heard.count("tasks/update")),
        (1, 0)
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_task_outlives_its_server_and_our_connection_and_is_gone_on_with_by_its_name() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let start = || {
        let mut start = misbehave(&["modern", file.path().to_str().unwrap()]);
        let heard = Heard::by(&mut start);
        (start, heard)
    };
    let (first, heard) = start();
    let (connection, _handler) = started(first).await;
    let (follow, task) = following(CancellationToken::new());
    let (id, running) = running(
        &connection,
        "work",
        json!({ "end": "completed", "wants": "form" }),
        follow,
    );
    let task = task.await.unwrap();
    connection.stop().await;
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::ConnectionLost { .. })
    ));
    assert_eq!(
        heard.count("tasks/cancel"),
        0,
        "the end of a connection is not the end of a task"
    );

    let (second, heard) = start();
    let (connection, handler) = started(second).await;
    let mut forms = handler.forms();
    tokio::spawn(async move {
        while let Some((_, answer)) = forms.recv().await {
            answer.send(named("Ada")).unwrap();
        }
    });
    let resumed = connection.resume(task.clone(), Follow::nothing()).await;
    assert_eq!(
        told(resumed),
        json!({ "who": { "action": "accept", "content": { "name": "Ada" } } })
    );
    assert_eq!(
        *handler.questions.borrow(),
        [("form", Some(id))],
        "asked for the call of the earlier run"
    );
    assert_eq!(heard.count("tools/call"), 0, "nothing is run a second time");

    let unknown = Task {
        id: "task-9".to_owned(),
        ..task
    };
    let error = connection
        .resume(unknown, Follow::nothing())
        .await
        .unwrap_err();
    assert!(
        matches!(&error, ConnectionError::TaskLost { problem } if problem == "there is no such task"),
        "{error}"
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_task_is_no_answer_to_anything_but_a_call() {
    let (connection, _handler, heard) = modern().await;
    let error = connection
        .read(permitted::read("note://task"), None)
        .await
        .unwrap_err();
    assert!(
        matches!(error, ConnectionError::Unreadable { .. }),
        "{error}"
    );
    assert_eq!(heard.count("tasks/get"), 0);
    connection.stop().await;
}

#[tokio::test]
async fn every_word_about_a_task_belongs_to_its_call() {
    let (connection, _handler, _) = modern().await;
    let (id, running) = running(
        &connection,
        "work",
        json!({ "end": "completed" }),
        Follow::nothing(),
    );
    running.await.unwrap().unwrap();
    let about: Vec<(bool, Option<CallId>)> = connection
        .exchange()
        .into_iter()
        .filter(|message| {
            serde_json::from_str::<Value>(&message.text)
                .unwrap()
                .to_string()
                .contains("task-1")
        })
        .map(|message| (message.sent, message.call))
        .collect();
    let expected = [false, true, false, true, false].map(|sent| (sent, Some(id.clone())));
    assert_eq!(about, expected, "made, asked about twice, answered twice");
    connection.stop().await;
}
