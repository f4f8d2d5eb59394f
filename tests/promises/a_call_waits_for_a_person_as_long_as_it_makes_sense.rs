//! An application's call waits for a person: also where the application cannot wait, and not where
//! nobody is there.

use crate::support::mcp_client::{McpClient, first_text};
use crate::support::mcp_http::HttpClient;
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
async fn what_an_application_asked_over_http_ends_when_it_is_sent_away() {
    let timed = Timed::new().await;
    let client = HttpClient::begin(&timed.test, &timed.editor, json!({})).await;
    let mut answer = client.post(1, "tools/call", echo("hello")).await;
    timed.test.until_waiting().await;
    let sent_away = json!({"client": timed.editor});
    let done = timed.test.ask("disconnect_client", sent_away).await;
    done.unwrap();
    assert_eq!(answer.status().await, 202);
    while !timed.test.host.waiting().is_empty() {
        tokio::task::yield_now().await;
    }
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

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_application_that_missed_what_happened_hears_that_a_person_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("starts");
    let Timed { test, editor, .. } = &Timed::new().await;
    std::fs::write(&flag, "").unwrap();
    let script = format!(
        "until test -e '{}'; do sleep 0.01; done; exec '{}' ok",
        flag.display(),
        misbehave()
    );
    test.add("late", &["/bin/sh", "-c", &script]).await;
    std::fs::remove_file(&flag).unwrap();
    test.ask("restart_server", json!({"server": "late"}))
        .await
        .unwrap();
    let much_happens = async |much: u64| {
        for number in 0..much {
            let text = format!("{:x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let text: String = text.bytes().map(|byte| char::from(byte | 0x40)).collect();
            let echoed = test.call("echo", "echo", json!({"text": text})).await;
            assert!(echoed.is_ok());
        }
    };
    let _person = test.person([Decision::always()]);
    much_happens(1).await;

    let mut client = McpClient::begin(test, editor, None).await;
    client.begin_to_ask("tools/call", echo("one")).await;
    test.until_waiting().await;
    let late = json!({"name": "late__echo", "arguments": {"text": "two"}, "_meta": {"progressToken": "late"}});
    client.begin_to_ask("tools/call", late).await;
    // It reads nothing for a while, and the answer to this is longer than what can be on its way.
    let long = "x".repeat(4 * 1024 * 1024);
    let ping = json!({"jsonrpc": "2.0", "id": long, "method": "ping"});
    client.send(&ping).await;
    much_happens(20).await;
    std::fs::write(&flag, "").unwrap();
    while test.host.waiting().len() < 2 {
        tokio::task::yield_now().await;
    }
    much_happens(600).await;
    let told = client.told("notifications/progress").await;
    assert_eq!(told["progressToken"], "late");
}
