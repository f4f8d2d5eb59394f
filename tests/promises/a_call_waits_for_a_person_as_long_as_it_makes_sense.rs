//! An application's call waits for a person: also where the application cannot wait, and not where
//! nobody is there.

use crate::support::mcp_client::{McpClient, first_text};
use crate::support::{Choices, TERMINAL, TestHost, misbehave};
use host::Clock;
use loopback::Serving;
use policy::Decision;
use protocol::CallerId;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A host whose clock a test moves.
struct Timed {
    test: TestHost,
    time: Arc<AtomicI64>,
    editor: CallerId,
    _serving: Serving,
}

impl Timed {
    async fn new() -> Self {
        let time = Arc::new(AtomicI64::new(1_795_000_000_000));
        let test = TestHost::with(Choices {
            clock: Clock::Fixed(time.clone()),
            ..Choices::default()
        })
        .await;
        test.add("echo", &[&misbehave(), "ok"]).await;
        let serving = loopback::serve(test.host.clone(), None, None)
            .await
            .unwrap();
        let editor = test.add_client("Editor").await;
        Self {
            test,
            time,
            editor,
            _serving: serving,
        }
    }

    fn pass(&self, seconds: i64) {
        self.time.fetch_add(seconds * 1_000, Ordering::Relaxed);
    }

    /// Answers the only question that waits.
    async fn answer(&self, decision: Decision) {
        let waiting = self.test.host.waiting();
        assert_eq!(waiting.len(), 1, "{waiting:?}");
        let id = &waiting[0].id;
        self.test.host.answer(id, decision, TERMINAL).await.unwrap();
    }
}

fn echo(text: &str) -> Value {
    json!({"name": "echo__echo", "arguments": {"text": text}})
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_wait_is_told_to_call_again_and_the_same_call_goes_on() {
    let timed = Timed::new().await;
    let _somebody = timed.test.listen();
    let mut client = McpClient::begin(&timed.test, &timed.editor, None).await;
    for answered_before_the_retry in [false, true] {
        let text = format!("hello {answered_before_the_retry}");
        let id = client.begin_to_ask("tools/call", echo(&text)).await;
        timed.test.until_waiting().await;
        // However long: somebody is there.
        timed.pass(121);
        let told = client.answer(id).await.unwrap();
        assert_eq!(
            (&told["isError"], &told["_meta"]["majordomo/code"]),
            (&json!(true), &json!("person_is_asked"))
        );
        assert!(first_text(&told).contains("call again"), "{told}");
        assert_eq!(timed.test.host.waiting().len(), 1, "the question stays");
        if answered_before_the_retry {
            timed.answer(Decision::once()).await;
        }
        let id = client.begin_to_ask("tools/call", echo(&text)).await;
        if !answered_before_the_retry {
            client.ask("ping", json!({})).await.unwrap();
            timed.answer(Decision::once()).await;
        }
        let said = client.answer(id).await.unwrap();
        assert_eq!(first_text(&said), text);
    }
    assert_eq!(timed.test.outcomes().await, ["done", "done"], "each once");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_call_is_another_question_and_who_goes_takes_all_of_them_along() {
    let timed = Timed::new().await;
    let _somebody = timed.test.listen();
    let mut client = McpClient::begin(&timed.test, &timed.editor, None).await;
    let id = client.begin_to_ask("tools/call", echo("one")).await;
    timed.test.until_waiting().await;
    timed.pass(46);
    client.answer(id).await.unwrap();
    client.begin_to_ask("tools/call", echo("two")).await;
    let waits = |count: usize| {
        let host = timed.test.host.clone();
        async move {
            while host.waiting().len() != count {
                tokio::task::yield_now().await;
            }
        }
    };
    waits(2).await;
    drop(client);
    waits(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_is_there_the_answer_is_no_and_says_how_to_allow_it() {
    let timed = Timed::new().await;
    let mut client = McpClient::begin(&timed.test, &timed.editor, None).await;
    let mut params = echo("hello");
    // It can wait for as long as it takes.
    params["_meta"] = json!({"progressToken": "p"});
    let id = client.begin_to_ask("tools/call", params).await;
    timed.test.until_waiting().await;
    timed.pass(121);
    let told = client.answer(id).await.unwrap();
    assert_eq!(told["isError"], true);
    let text = first_text(&told);
    assert!(
        text.contains("nobody is there") && text.contains("majordomoctl questions"),
        "{text}"
    );
    assert_eq!(timed.test.outcomes().await, ["refused"]);
}
