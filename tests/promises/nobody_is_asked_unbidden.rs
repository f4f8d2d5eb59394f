//! A server asks a person only while somebody wants something of it, no more than a person can
//! read, and no question outlives that.

use crate::support::{Person, TestHost, WAIT_TIMEOUT, misbehave, text};
use host::api::{AskRefusal, HostEvent};
use policy::{Decision, Subject};
use serde_json::{Value, json};

/// A host with a server that asks by itself, so many times.
async fn asking(times: &str) -> TestHost {
    let test = TestHost::new().await;
    test.add("asks", &[&misbehave(), "asks-unbidden", times])
        .await;
    test
}

/// What the server heard of what it asked, once there is something of all of these.
async fn heard(test: &TestHost, ids: &[&str]) -> Value {
    let look = async {
        loop {
            let heard = text(&test.call("asks", "heard", json!({})).await.unwrap());
            let heard: Value = serde_json::from_str(&heard).unwrap();
            if ids.iter().all(|id| heard.get(id).is_some()) {
                return heard;
            }
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, look)
        .await
        .expect("it is not answered")
}

async fn refusals(test: &TestHost) -> usize {
    let filter = json!({"filter": {"text": "ask_refused"}, "before": null, "limit": 200});
    let page = test.ask("list_activity", filter).await.unwrap();
    page["rows"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_which_nobody_wants_anything_has_nobody_asked() {
    let test = TestHost::new().await;
    let mut recorder = test.listen();
    let person = test.person([Decision::always()]);
    test.add("asks", &[&misbehave(), "asks-unbidden", "1"])
        .await;
    recorder
        .until(|event| {
            matches!(event, HostEvent::AskRefused { server, why: AskRefusal::Unbidden, during, .. } if server.as_str() == "asks" && during.is_empty())
        })
        .await;
    let heard = heard(&test, &["url", "sample", "form-0"]).await;
    for id in ["url", "sample", "form-0"] {
        assert_eq!(heard[id]["code"], -32_602, "{heard}");
    }
    assert_eq!(
        person.asked().len(),
        1,
        "only about the call of the person's own"
    );
    assert_eq!(refusals(&test).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_questions_that_nobody_wants_is_a_few_records() {
    let test = asking("2000").await;
    let person = test.person([Decision::always()]);
    heard(&test, &["url", "form-0", "form-1999"]).await;
    assert_eq!(person.asked().len(), 1);
    let refusals = refusals(&test).await;
    assert!((1..100).contains(&refusals), "{refusals}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_does_not_outlive_the_call_that_it_was_asked_in() {
    let test = asking("0").await;
    // What the server asks may be seen before it is withdrawn: that is not answered.
    let _person = Person::who(test.host.clone(), |question| {
        matches!(question.subject, Subject::Call { .. }).then(Decision::always)
    });
    let answer = test.call("asks", "leaves", json!({})).await.unwrap();
    assert_eq!(text(&answer), "gone");
    let heard = heard(&test, &["left"]).await;
    assert_eq!(heard["left"]["code"], -32_602, "{heard}");
    assert!(test.host.waiting().is_empty(), "it is still asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_could_read_is_refused_without_a_question_and_counted() {
    let test = TestHost::new().await;
    test.add("elicits", &[&misbehave(), "elicits"]).await;
    let limit = json!({"requests": 10, "tokens": 1_000, "per_reply": 100});
    let settings = json!({"on": true, "review_replies": false, "limit": limit});
    test.ask(
        "set_sampling",
        json!({"server": "elicits", "settings": settings}),
    )
    .await
    .unwrap();
    let person = test.person(std::iter::repeat_n(Decision::once(), 20));
    let fields = |size: usize| json!({"type": "object", "properties": {"value": {"type": "string", "title": "x".repeat(size)}}});
    let message = |size: usize| json!({"messages": [{"role": "user", "content": {"type": "text", "text": "x".repeat(size)}}], "maxTokens": 1});
    let asked = [
        ("form", json!({"message": "x".repeat(16 * 1024 + 1)})),
        ("shaped", json!({"schema": fields(64 * 1024)})),
        ("url", json!({"message": "x".repeat(16 * 1024 + 1)})),
        ("model", json!({"params": message(1024 * 1024)})),
    ];
    for (tool, arguments) in asked {
        let before = person.asked().len();
        let params =
            json!({"call": null, "server": "elicits", "tool": tool, "arguments": arguments});
        let result = test.ask("call_tool", params).await.unwrap();
        assert_eq!(
            result["refused_asks"],
            json!(["too_large"]),
            "{tool}: {result}"
        );
        // About the call itself, and nothing else.
        assert_eq!(person.asked().len(), before + 1, "{tool}");
    }
    assert_eq!(refusals(&test).await, 4);
    // As much as a person can read is asked about.
    let before = person.asked().len();
    test.call("elicits", "shaped", json!({"schema": fields(60 * 1024)}))
        .await
        .unwrap();
    assert_eq!(person.asked().len(), before + 2);
}
