//! What a client of the era before 2026 is asked on its connection, and what it replies.
//!
//! Always true here:
//! - a reply counts if it answers what was asked on this connection and is still open, once; any
//!   other is left unread;
//! - what is open is bounded, and what is not needed any more is taken back.

use crate::message::Id;
use crate::notices::{Notice, Outbox, Outgoing};
use host::NotAnswered;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// How many requests to one client may be open.
const MOST: usize = 32;

/// What a client was asked and has not answered.
#[derive(Default)]
pub(crate) struct Asks(Mutex<Open>);

#[derive(Default)]
struct Open {
    /// How many there were.
    asked: u64,
    by_id: HashMap<String, oneshot::Sender<Map<String, Value>>>,
    /// The client answers nothing any more.
    is_closed: bool,
}

impl Asks {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for something, and waits for the reply.
    pub(crate) async fn ask(
        self: Arc<Self>,
        out: Outbox,
        method: &'static str,
        params: Map<String, Value>,
    ) -> Result<Map<String, Value>, NotAnswered> {
        let (reply, replied) = oneshot::channel();
        let open = OpenAsk {
            id: self.open(reply).ok_or(NotAnswered)?,
            asks: self,
            out,
        };
        let request = Notice {
            id: Some(open.id.clone()),
            method,
            params: Value::Object(params),
        };
        let sent = open.out.try_send(Outgoing::Message(request));
        sent.map_err(|_| NotAnswered)?;
        replied.await.map_err(|_| NotAnswered)
    }

    fn open(&self, reply: oneshot::Sender<Map<String, Value>>) -> Option<String> {
        let mut open = self.lock();
        if open.is_closed || open.by_id.len() >= MOST {
            return None;
        }
        open.asked += 1;
        let id = format!("majordomo-{}", open.asked);
        open.by_id.insert(id.clone(), reply);
        Some(id)
    }

    /// The client answers nothing any more: somebody else is asked.
    pub(crate) fn close(&self) {
        let mut open = self.lock();
        open.is_closed = true;
        open.by_id.clear();
    }

    /// Takes a reply; one without a result is an error of the client.
    pub(crate) fn answered(&self, id: Option<&Id>, result: Option<&RawValue>) {
        let Some(Value::String(id)) = id.map(Id::value) else {
            return;
        };
        let Some(reply) = self.lock().by_id.remove(&id) else {
            tracing::debug!("a client answered what it was not asked");
            return;
        };
        let result = result.and_then(|result| serde_json::from_str(result.get()).ok());
        if let Some(result) = result {
            // Whoever asked may have gone in this moment.
            let _ = reply.send(result);
        }
    }
}

/// A request to a client. When it is dropped without a reply, the client is told so.
struct OpenAsk {
    asks: Arc<Asks>,
    id: String,
    out: Outbox,
}

impl Drop for OpenAsk {
    fn drop(&mut self) {
        if self.asks.lock().by_id.remove(&self.id).is_none() {
            return;
        }
        let taken_back = Notice {
            id: None,
            method: "notifications/cancelled",
            params: json!({ "requestId": self.id }),
        };
        // Who takes nothing any more needs not to know.
        let _ = self.out.try_send(Outgoing::Message(taken_back));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;
    use tokio::sync::mpsc;

    fn reply(text: &str) -> (Option<Id>, Option<Box<RawValue>>) {
        match Message::read(text) {
            Ok(Message::Reply { id, result }) => (id, result),
            other => panic!("{other:?}"),
        }
    }

    fn take(asks: &Asks, text: &str) {
        let (id, result) = reply(text);
        asks.answered(id.as_ref(), result.as_deref());
    }

    #[tokio::test]
    async fn a_reply_counts_once_and_only_for_what_was_asked() {
        let asks = Arc::new(Asks::default());
        let (out, mut sent) = mpsc::channel(8);
        let asking = tokio::spawn(asks.clone().ask(out, "elicitation/create", Map::new()));
        let Some(Outgoing::Message(request)) = sent.recv().await else {
            panic!("nothing was asked");
        };
        let id = request.id.unwrap();
        for foreign in [
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}"#.to_owned(),
            r#"{"jsonrpc":"2.0","id":"majordomo-2","result":{"action":"accept"}}"#.to_owned(),
            r#"{"jsonrpc":"2.0","id":null,"result":{"action":"accept"}}"#.to_owned(),
        ] {
            take(&asks, &foreign);
        }
        for action in ["decline", "accept"] {
            take(
                &asks,
                &format!(r#"{{"jsonrpc":"2.0","id":"{id}","result":{{"action":"{action}"}}}}"#),
            );
        }
        let answer = asking.await.unwrap().unwrap();
        assert_eq!(answer["action"], "decline");
    }

    #[tokio::test]
    async fn who_says_nothing_more_is_asked_nothing() {
        let asks = Arc::new(Asks::default());
        let (out, mut sent) = mpsc::channel(8);
        let asking = tokio::spawn(asks.clone().ask(out.clone(), "a", Map::new()));
        sent.recv().await.unwrap();
        asks.close();
        assert_eq!(asking.await.unwrap(), Err(NotAnswered));
        let again = asks.ask(out, "a", Map::new()).await;
        assert_eq!(again, Err(NotAnswered));
        assert!(sent.recv().await.is_none(), "it was asked again");
    }

    #[tokio::test]
    async fn an_error_is_no_answer_and_what_nobody_waits_for_is_taken_back() {
        let asks = Arc::new(Asks::default());
        let (out, mut sent) = mpsc::channel(8);
        let asking = tokio::spawn(asks.clone().ask(out.clone(), "a", Map::new()));
        sent.recv().await.unwrap();
        take(
            &asks,
            r#"{"jsonrpc":"2.0","id":"majordomo-1","error":{"code":-32601,"message":"no"}}"#,
        );
        assert_eq!(asking.await.unwrap(), Err(NotAnswered));
        let asking = tokio::spawn(asks.clone().ask(out, "a", Map::new()));
        sent.recv().await.unwrap();
        asking.abort();
        let Some(Outgoing::Message(told)) = sent.recv().await else {
            panic!("it was not taken back");
        };
        assert_eq!(told.method, "notifications/cancelled");
        assert_eq!(told.params["requestId"], "majordomo-2");
    }
}
