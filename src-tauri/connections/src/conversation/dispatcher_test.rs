//! What arrives, and how fast it is taken.

use super::*;
use crate::{During, ServerAsks};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use policy::PermittedRoots;
use protocol::{Form, FormResult, Sample, UrlAsk, UrlResult};
use serde_json::Map;
use tokio::sync::Notify;

struct AsksNothing;

impl ServerAsks for AsksNothing {
    fn roots(&self, _during: Option<During>) -> BoxFuture<'_, PermittedRoots> {
        async { PermittedRoots::none() }.boxed()
    }
    fn form(&self, _form: Form, _during: During) -> BoxFuture<'_, FormResult> {
        async { FormResult::Decline }.boxed()
    }
    fn url(&self, _ask: UrlAsk, _during: During) -> BoxFuture<'_, UrlResult> {
        async { UrlResult::Decline }.boxed()
    }
    fn sample(
        &self,
        _sample: Sample,
        _during: During,
    ) -> BoxFuture<'_, Option<Map<String, Value>>> {
        async { None }.boxed()
    }
    fn wrote(&self, _lines: Vec<String>) {}
    fn ended(&self, _why: ConnectionError) {}
}

/// To a server that reads as much as it is let.
struct Reads(Semaphore);

impl Carrier for Reads {
    fn send(&self, _message: Outgoing) -> BoxFuture<'_, Result<(), ConnectionError>> {
        async {
            if let Ok(read) = self.0.acquire().await {
                read.forget();
            }
            Ok(())
        }
        .boxed()
    }
    fn close(&self) -> BoxFuture<'_, ()> {
        async {}.boxed()
    }
}

fn dispatcher() -> Arc<Dispatcher> {
    let budget = Budget::new(usize::MAX);
    let handler = ClientHandler::new(Arc::new(AsksNothing), budget.clone());
    Dispatcher::new(Arc::new(handler), budget)
}

/// How long it takes that all these messages are taken, where only waiting takes time.
async fn takes(dispatcher: &Arc<Dispatcher>, messages: impl Iterator<Item = String>) -> Duration {
    let begun = tokio::time::Instant::now();
    for message in messages {
        dispatcher.take(message.as_bytes()).await.unwrap();
    }
    begun.elapsed()
}

#[tokio::test(start_paused = true)]
async fn who_says_much_that_nobody_asked_for_is_read_slowly() {
    let dispatcher = dispatcher();
    let says = |what: &str| format!(r#"{{"jsonrpc":"2.0","method":"{what}"}}"#);
    let few = takes(&dispatcher, (0..100).map(|_| says("notifications/odd"))).await;
    assert_eq!(few, Duration::ZERO);
    let many = takes(&dispatcher, (0..20_000).map(|_| says("notifications/odd"))).await;
    assert!(many > Duration::from_secs(10), "{many:?}");
    let junk = takes(&dispatcher, (0..1_000).map(|_| "junk".to_owned())).await;
    assert!(junk > Duration::from_secs(1), "{junk:?}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_waited_for_costs_its_server_nothing() {
    let dispatcher = dispatcher();
    let mut waiting = Vec::new();
    let answers = (0..20_000).map(|_| {
        let (id, answered) = dispatcher.expect("tools/call", None, None, None);
        waiting.push(answered);
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
    });
    assert_eq!(takes(&dispatcher, answers).await, Duration::ZERO);
    // A second answer is one that nobody waits for.
    let again = |id: u64| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
    let twice = takes(&dispatcher, (1..20_000).map(again)).await;
    assert!(twice > Duration::from_secs(10), "{twice:?}");
}

#[tokio::test]
async fn a_server_that_does_not_read_its_answers_is_not_read() {
    let dispatcher = dispatcher();
    let reads = Arc::new(Reads(Semaphore::new(0)));
    let carrier: Arc<dyn Carrier> = reads.clone();
    dispatcher.attach(&carrier);

    let ping = |id: usize| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let mut taken = 0;
    let last = loop {
        let bytes = ping(taken);
        // What was spawned gets as far as it can.
        for _ in 0..4 {
            tokio::task::yield_now().await;
        }
        assert!(taken <= QUESTIONS + REFUSALS, "it is read without end");
        let dispatcher = Arc::clone(&dispatcher);
        let mut taking = async move { dispatcher.take(bytes.as_bytes()).await }.boxed();
        if (&mut taking).now_or_never().is_none() {
            break taking;
        }
        taken += 1;
    };
    assert_eq!(taken, QUESTIONS + REFUSALS);

    // It reads again, and is read again.
    reads.0.add_permits(10 * taken);
    assert!(last.await.unwrap());
    for id in taken + 1..3 * taken {
        assert!(dispatcher.take(ping(id).as_bytes()).await.unwrap());
    }
}

/// How Codex tells that it still works: it sends no progress.
#[tokio::test]
async fn what_happens_in_codex_during_a_call_is_a_step_of_that_call() {
    let dispatcher = dispatcher();
    let listener = Arc::new(Listener {
        progress: Box::new(|_| {}),
        stepped: Notify::new(),
    });
    let (id, _answered) = dispatcher.expect("tools/call", Some(listener.clone()), None, None);
    let event = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"codex/event","params":{{"_meta":{{"requestId":{id}}},"id":"1","msg":{{}}}}}}"#
        )
    };
    for other in ["99", "\"1\"", "null"] {
        dispatcher.take(event(other).as_bytes()).await.unwrap();
    }
    assert_eq!(listener.stepped.notified().now_or_never(), None);
    dispatcher
        .take(event(&id.to_string()).as_bytes())
        .await
        .unwrap();
    assert_eq!(listener.stepped.notified().now_or_never(), Some(()));
}
