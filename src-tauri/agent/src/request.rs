//! A request to a model, before any service's words for it.
//!
//! Always true here: a [`Message::Assistant`] that wants calls is followed by the
//! [`Message::Results`] of just these, in its order; no key, no address.

use crate::ReplyPart;
use protocol::{Fingerprint, ModelId, ModelService, estimated_tokens};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A model that a person has set up, as its service calls it. Two that differ in anything here are
/// two: what only one of them can read goes to no other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelRef {
    /// How it was set up: the same service may be reached at two addresses, or with two keys.
    pub id: ModelId,
    /// Which language it is asked in.
    pub wire: ModelService,
    /// Its name there.
    pub name: String,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Who is asked.
    pub model: ModelRef,
    /// Our words on how to go about it; none are empty.
    pub instructions: String,
    /// The conversation, in its order.
    pub messages: Vec<Message>,
    /// The tools that the model is shown, always in the same order.
    pub tools: Vec<ToolDefinition>,
    /// Whether it may call any of them now.
    pub may_call: bool,
    /// The most that it may write, in tokens.
    pub max_output: u64,
    /// The most that it can read and write together, in tokens.
    pub context: u64,
    /// How freely it chooses its words, from 0; none leaves that to its service. It is a wish: what a
    /// service does not take becomes the nearest that it takes, or is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
}

/// A tool as a model is shown it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// By this name.
    pub name: String,
    /// What it does, as approved.
    pub description: String,
    /// JSON Schema of its arguments, as approved.
    pub schema: Map<String, Value>,
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "role")]
pub enum Message {
    /// Somebody speaks to the model.
    User {
        /// Texts and pictures.
        parts: Vec<ResultPart>,
    },
    /// What the model has answered before.
    Assistant {
        /// Who it was: what only its own service can read goes back to it alone.
        model: ModelRef,
        /// The answer.
        parts: Vec<ReplyPart>,
        /// From where it is, for its service.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<Value>,
    },
    /// What became of the calls of the message before.
    Results {
        /// In the order of the calls.
        results: Vec<CallResult>,
    },
}

/// What became of one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallResult {
    /// The id that the call has in this request.
    pub call: String,
    /// The name that the model has said.
    pub name: String,
    /// What it is told.
    pub parts: Vec<ResultPart>,
    /// Whether it is to take it for an error.
    pub is_error: bool,
}

/// A text or a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ResultPart {
    /// A text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture of a kind that models read.
    Image {
        /// Base64.
        data: String,
        /// Its media type: PNG, JPEG, GIF or WebP.
        mime_type: String,
    },
}

impl ToolDefinition {
    /// About how many tokens it takes.
    pub(crate) fn tokens(&self) -> u64 {
        let schema = serde_json::to_string(&self.schema).unwrap_or_default();
        let texts = [&self.name, &self.description, &schema];
        texts
            .map(|text| u64::from(estimated_tokens(text)))
            .iter()
            .sum()
    }
}

impl ResultPart {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// So many letters of ASCII, or of anything else, are in no language read as one token.
const MOST_ASCII: usize = 8;
const MOST_OTHERS: usize = 6;

fn least_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|c| !c.is_ascii()).count();
    (ascii / MOST_ASCII + others / MOST_OTHERS) as u64
}

impl Request {
    /// No model reads it in fewer tokens than these. Only texts count, and none that go back to their
    /// own service alone.
    pub(crate) fn least_tokens(&self) -> u64 {
        let parts = |parts: &[ResultPart]| -> u64 {
            let texts = parts.iter().map(|part| match part {
                ResultPart::Text { text } => least_tokens(text),
                ResultPart::Image { .. } => 0,
            });
            texts.sum()
        };
        let messages = self.messages.iter().map(|message| match message {
            Message::User { parts: said } => parts(said),
            Message::Assistant { parts: replied, .. } => {
                let texts = replied.iter().map(|part| match part {
                    ReplyPart::Text { text, .. } => least_tokens(text),
                    _ => 0,
                });
                texts.sum()
            }
            Message::Results { results } => results.iter().map(|one| parts(&one.parts)).sum(),
        });
        least_tokens(&self.instructions) + messages.sum::<u64>()
    }

    /// Somebody says one thing, with nothing before it and no tools.
    pub fn of_text(model: ModelRef, text: impl Into<String>) -> Self {
        Self {
            model,
            instructions: String::new(),
            messages: vec![Message::User {
                parts: vec![ResultPart::text(text)],
            }],
            tools: Vec::new(),
            may_call: false,
            max_output: 1_000,
            context: 8_000,
            temperature: None,
        }
    }

    /// The same for the same request, in whatever run of the application.
    pub fn digest(&self) -> Fingerprint {
        // A request is made of texts and maps by name: it always has a JSON form.
        Fingerprint::of(&serde_json::to_value(self).unwrap_or_default())
    }
}
