//! Requests whose answer waits for input: rounds of 2026-07-28, and addresses that must be opened
//! first (2025-11-25).

use crate::heard::Heard;
use crate::permitted;
use crate::support::{
    LIMITS, TestHandler, call, misbehave, named, running, started, started_with, text, told,
};
use connections::{Connection, ConnectionError, Follow, Limits, StdioStart, Trace};
use protocol::{CallId, FormResult, Root, UrlResult};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A modern server that notes what it is told.
async fn modern() -> (Connection, Arc<TestHandler>, Heard) {
    noted(misbehave(&["modern"])).await
}

async fn noted(mut start: StdioStart) -> (Connection, Arc<TestHandler>, Heard) {
    let heard = Heard::by(&mut start);
    let (connection, handler) = started(start).await;
    *handler.roots.lock().unwrap() = vec![Root {
        uri: "file:///home/a".into(),
        name: Some("a".into()),
    }];
    (connection, handler, heard)
}

#[tokio::test]
async fn a_form_is_asked_with_the_call_that_caused_it_and_the_state_comes_back_byte_for_byte() {
    let (connection, handler, heard) = modern().await;
    let mut forms = handler.forms();
    let (id, running) = running(
        &connection,
        "form",
        json!({ "text": "kept" }),
        Follow::nothing(),
    );
    let (form, answer) = forms.recv().await.unwrap();
    assert_eq!(
        (form.message.as_str(), &form.schema["required"]),
        ("Who?", &json!(["name"]))
    );
    answer.send(named("Ada")).unwrap();
    // The server compares its state and refuses any other.
    assert_eq!(
        told(running.await.unwrap()),
        json!({ "who": { "action": "accept", "content": { "name": "Ada" } } })
    );
    assert_eq!(*handler.questions.borrow(), [("form", Some(id))]);
    assert_eq!(
        (heard.count("tools/call"), heard.count("answer")),
        (2, 0),
        "asked anew, and nothing answered by itself"
    );
    connection.stop().await;
}

#[tokio::test]
async fn each_round_has_a_number_of_its_own_and_the_same_arguments() {
    let (connection, _handler, _) = modern().await;
    assert_eq!(
        text(
            call(&connection, "state-only", json!({ "text": "kept" }))
                .await
                .unwrap()
        ),
        "after two rounds"
    );
    let rounds: Vec<_> = connection
        .exchange()
        .into_iter()
        .filter(|message| message.method.as_deref() == Some("tools/call"))
        .collect();
    let ids: std::collections::BTreeSet<_> = rounds.iter().map(|round| round.id.clone()).collect();
    assert_eq!((rounds.len(), ids.len()), (3, 3));
    assert!(
        rounds
            .iter()
            .all(|round| round.text.contains(r#""text":"kept""#)),
        "{rounds:#?}"
    );
    connection.stop().await;
}

#[tokio::test]
async fn what_is_given_belongs_to_one_round_and_a_state_that_was_not_sent_does_not_come_back() {
    let (connection, handler, _) = modern().await;
    let mut forms = handler.forms();
    let (_, running) = running(&connection, "twice", json!({}), Follow::nothing());
    for (question, name) in [("First?", "one"), ("Second?", "two")] {
        let (form, answer) = forms.recv().await.unwrap();
        assert_eq!(form.message, question);
        answer.send(named(name)).unwrap();
    }
    let both = text(running.await.unwrap().unwrap());
    assert_eq!(
        both,
        r#"{"action":"accept","content":{"name":"one"}} {"action":"accept","content":{"name":"two"}}"#
    );
    assert!(call(&connection, "stateless", json!({})).await.is_ok());
    connection.stop().await;
}

#[tokio::test]
async fn folders_are_given_and_an_address_is_opened_or_not() {
    let (connection, handler, _) = modern().await;
    let folders = json!({ "folders": { "roots": [{ "uri": "file:///home/a", "name": "a" }] } });
    assert_eq!(told(call(&connection, "roots", json!({})).await), folders);
    assert_eq!(
        told(call(&connection, "url", json!({})).await),
        json!({ "where": { "action": "decline" } })
    );
    let mut addresses = handler.addresses();
    let (_, running) = running(&connection, "url", json!({}), Follow::nothing());
    let (ask, answer) = addresses.recv().await.unwrap();
    assert_eq!(
        (ask.url.as_str(), ask.message.as_str(), ask.id),
        ("https://example.com/", "Sign in", None)
    );
    answer.send(UrlResult::Opened).unwrap();
    assert_eq!(
        told(running.await.unwrap()),
        json!({ "where": { "action": "accept" } })
    );
    connection.stop().await;
}

#[tokio::test]
async fn everything_that_one_round_wants_is_asked_at_once() {
    let (connection, handler, heard) = modern().await;
    let (mut forms, mut addresses) = (handler.forms(), handler.addresses());
    let (_, running) = running(&connection, "all", json!({}), Follow::nothing());
    // Neither waits for the other.
    let ((_, form), (_, address)) = (forms.recv().await.unwrap(), addresses.recv().await.unwrap());
    address.send(UrlResult::Cancel).unwrap();
    form.send(FormResult::Decline).unwrap();
    let given = told(running.await.unwrap());
    assert_eq!(
        (&given["who"], &given["where"]),
        (
            &json!({ "action": "decline" }),
            &json!({ "action": "cancel" })
        )
    );
    assert_eq!(given["folders"]["roots"][0]["uri"], json!("file:///home/a"));
    assert_eq!(heard.count("tools/call"), 2);
    connection.stop().await;
}

#[tokio::test]
async fn a_model_is_declined_and_the_request_is_not_made_again() {
    let (connection, handler, heard) = modern().await;
    for tool in ["sample", "with-sample"] {
        let error = call(&connection, tool, json!({})).await.unwrap_err();
        assert!(
            matches!(&error, ConnectionError::NotGiven { method } if method == "sampling/createMessage"),
            "{error}"
        );
    }
    assert_eq!(heard.count("tools/call"), 2, "once each");
    assert!(
        handler
            .questions
            .borrow()
            .iter()
            .all(|(what, call)| *what == "sample" && call.is_some()),
        "the person learns of it"
    );
    connection.stop().await;
}

#[tokio::test]
async fn what_nobody_here_can_give_and_what_is_no_result_end_the_call() {
    let (connection, _handler, heard) = modern().await;
    let error = call(&connection, "unheard-of", json!({}))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, ConnectionError::NotGiven { method } if method == "soul/sell"),
        "{error}"
    );
    for tool in ["odd-result", "nothing"] {
        let error = call(&connection, tool, json!({})).await.unwrap_err();
        assert!(
            matches!(error, ConnectionError::Unreadable { .. }),
            "{tool}: {error}"
        );
    }
    let error = call(&connection, "many", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::TooManyRounds { .. }),
        "{error}"
    );
    assert_eq!(heard.count("tools/call"), 4, "once each");
    connection.stop().await;
}

#[tokio::test]
async fn a_server_that_never_has_enough_is_given_up() {
    let (connection, _handler, heard) = noted(misbehave(&["endless-rounds"])).await;
    let error = call(&connection, "anything", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::TooManyRounds { rounds: 10 }),
        "{error}"
    );
    assert_eq!(heard.count("tools/call"), 11, "the call, and ten rounds");
    connection.stop().await;
}

#[tokio::test]
async fn a_resource_and_a_prompt_may_ask_too() {
    let (connection, handler, _) = modern().await;
    let mut forms = handler.forms();
    let asked = async |message: &str| {
        let (form, answer) = forms.recv().await.unwrap();
        assert_eq!(form.message, message);
        answer.send(named("Ada")).unwrap();
    };
    let mut asked = asked;
    let (read, ()) = tokio::join!(
        connection.read(permitted::read("note://asks"), None),
        asked("Who reads?")
    );
    assert!(format!("{:?}", read.unwrap()).contains("Ada"));
    let (prompt, ()) = tokio::join!(
        connection.prompt(permitted::prompt("asks", BTreeMap::new()), None),
        asked("Who is to be greeted?")
    );
    assert!(format!("{:?}", prompt.unwrap()).contains("Ada"));
    assert_eq!(
        *handler.questions.borrow(),
        [("form", None::<CallId>), ("form", None)],
        "neither is a call"
    );
    connection.stop().await;
}

#[tokio::test]
async fn the_clock_of_a_call_stands_still_between_two_rounds() {
    let limits = Limits {
        call: Duration::from_millis(300),
        call_maximum: Duration::from_millis(300),
        ..LIMITS
    };
    let (connection, handler) = started_with(misbehave(&["modern"]), limits).await;
    let mut forms = handler.forms();
    let (_, running) = running(&connection, "form", json!({}), Follow::nothing());
    let (_, answer) = forms.recv().await.unwrap();
    // Several times what the call itself may take.
    tokio::time::sleep(limits.call * 4).await;
    answer.send(named("Ada")).unwrap();
    assert!(running.await.unwrap().is_ok());
    connection.stop().await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_while_a_person_is_asked_takes_its_question_back() {
    let (connection, handler, heard) = modern().await;
    let mut forms = handler.forms();
    let cancelled = CancellationToken::new();
    let (_, running) = running(
        &connection,
        "form",
        json!({}),
        Follow {
            cancelled: cancelled.clone(),
            ..Follow::nothing()
        },
    );
    let (_, mut answer) = forms.recv().await.unwrap();
    cancelled.cancel();
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::Cancelled)
    ));
    answer.closed().await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "on" }))
                .await
                .unwrap()
        ),
        "on"
    );
    assert_eq!(
        heard.count("notifications/cancelled"),
        0,
        "no request was open"
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_question_between_two_rounds_goes_away_with_its_connection() {
    let (connection, handler, _) = modern().await;
    let mut forms = handler.forms();
    let (_, running) = running(&connection, "form", json!({}), Follow::nothing());
    let (_, mut answer) = forms.recv().await.unwrap();
    connection.stop().await;
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::ConnectionLost { .. })
    ));
    answer.closed().await;
}

#[tokio::test]
async fn a_call_carries_who_speaks_and_what_they_can_and_a_trace_only_when_it_may() {
    let (connection, _handler, _) = modern().await;
    let meta: Value = told(call(&connection, "meta", json!({})).await);
    let of = |name: &str| meta[format!("io.modelcontextprotocol/{name}")].clone();
    assert_eq!(
        (of("protocolVersion"), of("clientInfo")["name"].clone()),
        (json!("2026-07-28"), json!("majordomo"))
    );
    assert!(of("clientCapabilities")["extensions"]["io.modelcontextprotocol/tasks"].is_object());
    assert_eq!(
        of("logLevel"),
        Value::Null,
        "nothing is logged that nobody wants"
    );
    assert_eq!(
        meta["traceparent"],
        Value::Null,
        "nobody said that the server may know"
    );

    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let trace = Trace {
        parent: Some(parent.to_owned()),
        ..Trace::default()
    };
    let (_, traced) = running(
        &connection,
        "meta",
        json!({}),
        Follow {
            trace,
            ..Follow::nothing()
        },
    );
    let meta: Value = told(traced.await.unwrap());
    assert_eq!(meta["traceparent"], parent);
    connection.stop().await;
}

#[tokio::test]
async fn a_server_of_the_newer_era_that_asks_by_itself_is_not_answered() {
    let (connection, handler, heard) = modern().await;
    assert_eq!(
        text(
            call(&connection, "asks-by-itself", json!({}))
                .await
                .unwrap()
        ),
        "asked"
    );
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "on" }))
                .await
                .unwrap()
        ),
        "on"
    );
    assert_eq!(heard.count("answer"), 0);
    assert!(handler.questions.borrow().is_empty());
    connection.stop().await;
}

#[tokio::test]
async fn an_address_that_an_older_server_wants_opened_first_is_opened_and_the_call_made_again_when_all_is_done()
 {
    let (connection, handler, heard) = noted(misbehave(&["url-required"])).await;
    let mut addresses = handler.addresses();
    let (id, running) = running(&connection, "open", json!({}), Follow::nothing());
    let (ask, answer) = addresses.recv().await.unwrap();
    assert_eq!(
        (ask.url.as_str(), ask.id.as_deref()),
        ("https://example.com/sign-in", Some("sign-in"))
    );
    answer.send(UrlResult::Opened).unwrap();
    assert_eq!(
        text(call(&connection, "done", json!({})).await.unwrap()),
        "signed in"
    );
    assert_eq!(text(running.await.unwrap().unwrap()), "opened");
    assert_eq!(
        heard.count("tools/call"),
        3,
        "the call, the sign-in, the call again"
    );
    assert_eq!(*handler.questions.borrow(), [("url", Some(id))]);
    assert!(handler.finished.borrow().contains(&"sign-in".to_owned()));
    connection.stop().await;
}

#[tokio::test]
async fn an_address_that_is_done_before_the_person_has_answered_is_done_too() {
    let (connection, handler, _) = noted(misbehave(&["url-required"])).await;
    let mut addresses = handler.addresses();
    let (_, running) = running(&connection, "open", json!({}), Follow::nothing());
    let (_, answer) = addresses.recv().await.unwrap();
    call(&connection, "done", json!({})).await.unwrap();
    answer.send(UrlResult::Opened).unwrap();
    assert_eq!(text(running.await.unwrap().unwrap()), "opened");
    connection.stop().await;
}

#[tokio::test]
async fn an_address_that_is_not_opened_ends_the_call() {
    let (connection, handler, heard) = noted(misbehave(&["url-required"])).await;
    let error = call(&connection, "open", json!({})).await.unwrap_err();
    assert!(matches!(error, ConnectionError::NotGiven { .. }), "{error}");
    let error = call(&connection, "unsaid", json!({})).await.unwrap_err();
    assert!(
        matches!(error, ConnectionError::Unreadable { .. }),
        "{error}"
    );
    assert_eq!(heard.count("tools/call"), 2, "once each");
    assert_eq!(handler.questions.borrow().len(), 1);
    connection.stop().await;
}

#[tokio::test]
async fn whoever_waits_for_what_is_done_at_an_address_can_stop_waiting() {
    let (connection, handler, heard) = noted(misbehave(&["url-required"])).await;
    let mut addresses = handler.addresses();
    let cancelled = CancellationToken::new();
    let (_, running) = running(
        &connection,
        "open",
        json!({}),
        Follow {
            cancelled: cancelled.clone(),
            ..Follow::nothing()
        },
    );
    let (_, answer) = addresses.recv().await.unwrap();
    answer.send(UrlResult::Opened).unwrap();
    // A whole exchange later the call still waits for the word that all is done.
    assert_eq!(connection.tools().await.unwrap().len(), 2);
    assert_eq!(heard.count("tools/call"), 1);
    cancelled.cancel();
    assert!(matches!(
        running.await.unwrap(),
        Err(ConnectionError::Cancelled)
    ));
    connection.stop().await;
}
