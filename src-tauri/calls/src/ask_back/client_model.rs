//! The model of a client because of whose call a server wants one.
//!
//! Always true here: it gets what a model of ours would get, as the person let it go, and says no
//! more than a text.

use super::client::{Client, Reader};
use crate::model::{Model, ModelAsk, ModelFailure, ModelReply};
use api::json_bytes;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use serde_json::{Map, Value};

/// The largest reply, in bytes of JSON.
const LARGEST: usize = 1024 * 1024;

impl Model for Client {
    fn name(&self) -> String {
        self.cause().caller().name().to_owned()
    }

    fn answer(&self, ask: ModelAsk) -> BoxFuture<'_, Result<ModelReply, ModelFailure>> {
        self.sampled(ask).boxed()
    }
}

impl Client {
    async fn sampled(&self, ask: ModelAsk) -> Result<ModelReply, ModelFailure> {
        let failure = |reason: &str| ModelFailure {
            reason: reason.to_owned(),
        };
        let told = self.tell("", &ask.params, Reader::Model).await;
        told.ok_or_else(|| failure("the request may not be passed on as it is"))?;
        let reply = self.ask("sampling/createMessage", ask.params).await;
        let reply = reply.map_err(|problem| failure(&problem.to_string()))?;
        if json_bytes(&reply) > LARGEST {
            return Err(failure("its reply is too large"));
        }
        let text = text_of(&reply).ok_or_else(|| failure("its reply is no text"))?;
        let field = |name: &str| reply.get(name).and_then(Value::as_str);
        let model = field("model").unwrap_or_default();
        Ok(ModelReply {
            text,
            model: format!("{}: {model}", self.name()),
            stop_reason: field("stopReason").unwrap_or("endTurn").to_owned(),
            // It does not say how many it took.
            tokens: ask.max_tokens,
        })
    }
}

/// The text of a reply, if it is nothing else: in one part, or in several.
fn text_of(reply: &Map<String, Value>) -> Option<String> {
    let parts = match reply.get("content")? {
        Value::Array(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    parts
        .iter()
        .map(|part| {
            let is_text = part.get("type")?.as_str()? == "text";
            part.get("text")?.as_str().filter(|_| is_text)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_reply_is_a_text_or_nothing() {
        let text = |content: Value| text_of(&Map::from_iter([("content".to_owned(), content)]));
        let part = |text: &str| json!({"type": "text", "text": text});
        assert_eq!(text(part("a")).as_deref(), Some("a"));
        assert_eq!(text(json!([part("a"), part("b")])).as_deref(), Some("ab"));
        let picture = json!({"type": "image", "data": "", "mimeType": "image/png"});
        for none in [
            json!("a"),
            picture.clone(),
            json!([part("a"), picture]),
            json!(null),
        ] {
            assert_eq!(text(none.clone()), None, "{none}");
        }
    }
}
