//! What servers want a model to say is said by a model that the person has set up, once they allowed
//! it: `calls` asks them, and keeps the budget.
//!
//! Always true here: the model gets what the person let go and nothing else: no tools, and nothing of
//! any conversation.

use super::{ask, setting};
use agent::{Message, ReplyPart, Request, ResultPart, StopReason};
use calls::{Calls, Model, ModelAsk, ModelFailure, ModelReply, WeakCalls};
use futures::future::BoxFuture;
use protocol::estimated_tokens;
use serde_json::{Map, Value};
use std::sync::Arc;
use store::ModelRow;

/// The kinds of pictures that services read.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// From now on the model that was set up last answers servers; where there is none, none does.
pub(crate) async fn answer_servers(calls: &Calls) {
    match calls.store().models().all().await {
        Ok(mut rows) => {
            let calls_of = |row| Arc::new(SetUp::of(calls, row)) as Arc<dyn Model>;
            calls.set_model(rows.pop().map(calls_of));
        }
        Err(problem) => {
            tracing::error!(%problem, "which models are set up cannot be read; none answers servers");
            calls.set_model(None);
        }
    }
}

/// A model that was set up.
struct SetUp {
    calls: WeakCalls,
    row: ModelRow,
}

impl SetUp {
    fn of(calls: &Calls, row: ModelRow) -> Self {
        let calls = calls.weak();
        Self { calls, row }
    }

    async fn answered(&self, wanted: ModelAsk) -> Result<ModelReply, ModelFailure> {
        let gone = || failed("the application is being closed");
        let calls = self.calls.upgrade().ok_or_else(gone)?;
        let rows = calls.store().models().all().await;
        let rows = rows.map_err(|problem| failed(&problem.to_string()))?;
        // What the person was asked about is this one, at its address.
        let is_same = |row: &ModelRow| row.id == self.row.id && row.settings == self.row.settings;
        if !rows.iter().any(is_same) {
            return Err(failed("the model was changed or removed meanwhile"));
        }
        let request = self.request(&wanted)?;
        let reply = ask::ask(&calls, &request, &mut |_| {}).await;
        let reply = reply.map_err(|problem| failed(&problem.to_string()))?;
        let words = reply.parts.iter().filter_map(|part| match part {
            ReplyPart::Text { text, .. } => Some(text.as_str()),
            _ => None,
        });
        let mut text: String = words.collect();
        let mut stop_reason = match reply.stop {
            StopReason::End | StopReason::Paused => "endTurn",
            StopReason::Length => "maxTokens",
            StopReason::Refused { reason } => return Err(failed(&reason)),
        };
        // Told where to end, most services would not say whether they have ended there.
        if let Some(at) = first_of(&stop_sequences(&wanted.params), &text) {
            text.truncate(at);
            stop_reason = "stopSequence";
        }
        let tokens = reply.usage.output;
        let tokens = tokens.unwrap_or_else(|| u64::from(estimated_tokens(&text)));
        Ok(ModelReply {
            text,
            model: self.row.settings.name.clone(),
            stop_reason: stop_reason.to_owned(),
            tokens: u32::try_from(tokens).unwrap_or(u32::MAX),
        })
    }

    /// What is asked, in the words of ours.
    fn request(&self, wanted: &ModelAsk) -> Result<Request, ModelFailure> {
        let model = setting::reference(&self.row);
        let settings = &self.row.settings;
        let none = Vec::new();
        let said = wanted.params.get("messages").and_then(Value::as_array);
        let mut messages: Vec<Message> = Vec::new();
        for message in said.unwrap_or(&none) {
            let parts = parts(message, settings.sees_images)?;
            match (message.get("role").and_then(Value::as_str), parts) {
                (_, parts) if parts.is_empty() => return Err(failed("a message is empty")),
                (Some("user"), mut parts) => match messages.last_mut() {
                    Some(Message::User { parts: before }) => before.append(&mut parts),
                    _ => messages.push(Message::User { parts }),
                },
                (Some("assistant"), parts) => {
                    let texts = parts.into_iter().map(|part| match part {
                        ResultPart::Text { text } => Ok(ReplyPart::text(text)),
                        ResultPart::Image { .. } => Err(failed("a model has said a picture")),
                    });
                    messages.push(Message::Assistant {
                        model: model.clone(),
                        parts: texts.collect::<Result<_, _>>()?,
                        origin: None,
                    });
                }
                _ => return Err(failed("a message is of nobody")),
            }
        }
        let instructions = wanted.params.get("systemPrompt").and_then(Value::as_str);
        Ok(Request {
            model,
            instructions: instructions.unwrap_or_default().to_owned(),
            messages,
            tools: Vec::new(),
            may_call: false,
            max_output: u64::from(wanted.max_tokens),
            context: u64::from(settings.context),
            temperature: wanted.params.get("temperature").and_then(Value::as_f64),
        })
    }
}

impl Model for SetUp {
    fn name(&self) -> String {
        self.row.name.clone()
    }

    fn answer(&self, wanted: ModelAsk) -> BoxFuture<'_, Result<ModelReply, ModelFailure>> {
        Box::pin(self.answered(wanted))
    }
}

fn failed(reason: &str) -> ModelFailure {
    ModelFailure {
        reason: reason.to_owned(),
    }
}

/// The texts and pictures of a message, which has one of them or a list.
fn parts(message: &Value, sees_images: bool) -> Result<Vec<ResultPart>, ModelFailure> {
    let one = |content: &Value| {
        let text = |name: &str| content.get(name).and_then(Value::as_str);
        match (text("type"), text("text"), text("data"), text("mimeType")) {
            (Some("text"), Some(text), _, _) => Ok(ResultPart::text(text)),
            (Some("image"), _, Some(data), Some(kind))
                if sees_images && PICTURES.contains(&kind) =>
            {
                Ok(ResultPart::Image {
                    data: data.to_owned(),
                    mime_type: kind.to_owned(),
                })
            }
            _ => Err(failed(
                "a message holds something that the model cannot read",
            )),
        }
    };
    match message.get("content") {
        Some(Value::Array(list)) => list.iter().map(one).collect(),
        Some(content) => Ok(vec![one(content)?]),
        None => Err(failed("a message is empty")),
    }
}

fn stop_sequences(params: &Map<String, Value>) -> Vec<&str> {
    let list = params.get("stopSequences").and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.filter(|text| !text.is_empty()).collect()
}

/// Where the first of these stands in a text.
fn first_of(sequences: &[&str], text: &str) -> Option<usize> {
    sequences.iter().filter_map(|one| text.find(one)).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_has_one_part_or_a_list_and_what_no_model_reads_is_a_no() {
        let text = json!({"type": "text", "text": "a"});
        let picture = json!({"type": "image", "data": "AA==", "mimeType": "image/png"});
        for (content, sees, expected) in [
            (text.clone(), false, Some(1)),
            (json!([text, picture]), true, Some(2)),
            (json!([text, picture]), false, None),
            (json!([]), false, Some(0)),
            (
                json!({"type": "image", "data": "AA==", "mimeType": "image/svg+xml"}),
                true,
                None,
            ),
            (
                json!({"type": "audio", "data": "AA==", "mimeType": "audio/wav"}),
                true,
                None,
            ),
            (json!("a"), true, None),
        ] {
            let message = json!({"role": "user", "content": content});
            let read = parts(&message, sees).ok().map(|parts| parts.len());
            assert_eq!(read, expected, "{message}");
        }
    }

    #[test]
    fn the_first_of_the_ends_that_were_asked_for_counts() {
        let params = json!({"stopSequences": ["", "zz", "END", 7, "b"]});
        let sequences = stop_sequences(params.as_object().unwrap());
        assert_eq!(sequences, ["zz", "END", "b"]);
        assert_eq!(first_of(&sequences, "a END b"), Some(2));
        assert_eq!(first_of(&sequences, "a"), None);
    }
}
