//! An application that has said all it has to say gets the answers that are under way; one that is
//! gone has nobody asked for it any more.

use crate::support::terminal::{Running, Terminal};
use crate::support::{TERMINAL, TestHost, misbehave};
use host::api::HostEvent;
use loopback::Serving;
use policy::Decision;
use serde_json::{Value, json};

/// A host with a server called `echo`, and an application that has come in by `majordomoctl bridge`.
async fn with_bridge() -> (TestHost, Serving, Running) {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    test.add_client("Editor").await;
    let terminal = Terminal::on(test.dir());
    let mut bridge = terminal.start_typing(&["bridge", "--client", "editor"]);
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "t", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    bridge.type_in(&format!("{hello}\n"));
    (test, serving, bridge)
}

fn call(id: u64, tool: &str, arguments: Value) -> String {
    let params = json!({"name": format!("echo__{tool}"), "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

/// The answers to calls, by their ids, in the order in which they came.
fn answers(out: &str) -> Vec<(Value, Value)> {
    out.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|message| message["id"] != 1 && message["method"].is_null())
        .map(|mut answer| {
            let text = answer["result"]["content"][0]["text"].take();
            (answer["id"].take(), text)
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_that_closes_its_input_gets_the_answers_that_are_under_way() {
    let (test, _serving, mut bridge) = with_bridge().await;
    let _person = test.person(std::iter::repeat_with(Decision::always).take(2));
    bridge.type_in(&format!("{}\n\n", call(2, "slow", json!({"ms": 700}))));
    // The last line has no end.
    bridge.type_in(&call(3, "echo", json!({"text": "hello"})));
    bridge.close_input();
    let ran = bridge.ended();
    assert_eq!(ran.code, 0, "{ran:?}");
    let expected = [(json!(3), json!("hello")), (json!(2), json!("done"))];
    assert_eq!(answers(&ran.out), expected, "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_person_may_answer_after_the_application_has_said_all() {
    let (test, _serving, mut bridge) = with_bridge().await;
    bridge.type_in(&format!("{}\n", call(2, "echo", json!({"text": "hello"}))));
    test.until_waiting().await;
    bridge.close_input();
    // A host that had not heard of it would take the question away in this time.
    let status = test.ask("list_clients", json!({})).await;
    assert!(status.is_ok());
    let question = test.host.waiting()[0].id.clone();
    let answered = test.host.answer(&question, Decision::once(), TERMINAL);
    answered.await.unwrap();
    let ran = bridge.ended();
    assert_eq!(answers(&ran.out), [(json!(2), json!("hello"))], "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_before_a_connection_ended_is_passed_on() {
    let (test, _serving, mut bridge) = with_bridge().await;
    let _person = test.person([Decision::once()]);
    let mut heard = test.listen();
    // Longer than a pipe that nobody reads holds.
    let text = "x y ".repeat(25_000);
    bridge.type_in(&format!("{}\n", call(2, "echo", json!({"text": text}))));
    let ended = |event: &HostEvent| matches!(event, HostEvent::CallEnded { .. });
    heard.until(ended).await;
    // By the time that this is heard, that answer has left.
    bridge.type_in(&format!("{}\n", call(3, "echo", json!({"text": "hello"}))));
    test.until_waiting().await;
    let sent_away = test.ask("disconnect_client", json!({"client": "editor"}));
    sent_away.await.unwrap();
    for _ in 0..100 {
        bridge.type_in(&format!("{}\n", call(4, "echo", json!({"text": "hello"}))));
    }
    let ran = bridge.ended();
    assert_eq!(answers(&ran.out), [(json!(2), json!(text))], "{}", ran.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_under_way_is_answered_when_the_serving_ends() {
    let (test, serving, mut bridge) = with_bridge().await;
    let _person = test.person([Decision::always()]);
    let mut heard = test.listen();
    bridge.type_in(&format!("{}\n", call(2, "slow", json!({"ms": 700}))));
    let asked = |event: &HostEvent| matches!(event, HostEvent::QuestionClosed { .. });
    heard.until(asked).await;
    serving.end().await;
    let ran = bridge.ended();
    assert_eq!(answers(&ran.out), [(json!(2), json!("done"))], "{ran:?}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_asked_any_more_for_an_application_that_is_gone() {
    for kills in [false, true] {
        let (test, _serving, mut bridge) = with_bridge().await;
        let mut heard = test.listen();
        bridge.type_in(&format!("{}\n", call(2, "echo", json!({"text": "hello"}))));
        test.until_waiting().await;
        bridge.close_input();
        if kills {
            bridge.kill();
        } else {
            bridge.close_output();
            assert_eq!(bridge.ended().code, 0);
        }
        let closed = |event: &HostEvent| matches!(event, HostEvent::QuestionClosed { .. });
        heard.until(closed).await;
        assert!(test.host.waiting().is_empty());
    }
}
