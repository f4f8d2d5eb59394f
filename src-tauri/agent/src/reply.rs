//! What a model answers, when all of it is here.
//!
//! Always true here: what a service wants back unchanged (`native`, `origin`) is kept as it came and
//! read by nobody but whoever speaks to that service.

use crate::depth::{is_map_too_deep, is_too_deep};
use protocol::estimated_tokens;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A whole reply.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Its parts, in the model's order.
    pub parts: Vec<ReplyPart>,
    /// What it took.
    pub usage: Usage,
    /// Why the model ended it.
    pub stop: StopReason,
    /// From where it is, as its service needs to know when it gets the reply back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Value>,
}

/// One part of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ReplyPart {
    /// Words for the person.
    Text {
        /// The words.
        text: String,
        /// The service's own form of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        native: Option<Value>,
    },
    /// What the model thought. It goes back to its service, and is nobody's answer.
    Reasoning {
        /// The words, if the service shows them.
        text: String,
        /// The service's own form of it, with its signature.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        native: Option<Value>,
    },
    /// A call that the model wants.
    Call(ModelCall),
    /// A picture that the model made.
    Image {
        /// Base64.
        data: String,
        /// Its media type, as the service says.
        mime_type: String,
        /// The service's own form of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        native: Option<Value>,
    },
    /// Something that only its service knows what to do with.
    Opaque {
        /// As it came.
        native: Value,
    },
}

/// A call as the model wants it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The service's id of it. It may repeat, in one reply or in another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<String>,
    /// The name that the model says; it may be that of no tool.
    pub name: String,
    /// The arguments, as far as they are an object.
    pub arguments: Map<String, Value>,
    /// The arguments as they came, where they are no JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
    /// The service's own form of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<Value>,
}

/// Why a model ended its reply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StopReason {
    /// It had said all, or waits for the calls that it wants.
    #[default]
    End,
    /// It ran into the limit of a reply: what came last may be half of something.
    Length,
    /// Its service wants to be asked once more, to go on.
    Paused,
    /// It, or its service, refused.
    Refused {
        /// The service's words or code.
        reason: String,
    },
}

/// What a reply took, in tokens, as its service says. What is absent is not known; it is not zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All that was read, also out of a cache and into one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// All that was written, with what it thought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Of what was read, what came out of a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Of what was written, what it thought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
}

impl Reply {
    /// The calls that the model wants, in its order.
    pub fn calls(&self) -> impl Iterator<Item = &ModelCall> {
        self.parts.iter().filter_map(|part| match part {
            ReplyPart::Call(call) => Some(call),
            _ => None,
        })
    }

    /// Whether something in it is nested deeper than what can be read again once it is written.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.parts.iter().any(|part| match part {
            ReplyPart::Text { native, .. }
            | ReplyPart::Reasoning { native, .. }
            | ReplyPart::Image { native, .. } => native.as_ref().is_some_and(is_too_deep),
            ReplyPart::Call(call) => {
                is_map_too_deep(&call.arguments) || call.native.as_ref().is_some_and(is_too_deep)
            }
            ReplyPart::Opaque { native } => is_too_deep(native),
        })
    }
}

impl ReplyPart {
    /// Words for the person, as a hand writes them.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text {
            text: text.into(),
            native: None,
        }
    }

    /// Whether only the service that wrote it can read it, so that it goes to no other.
    pub(crate) fn is_for_its_own_service(&self) -> bool {
        matches!(self, Self::Reasoning { .. } | Self::Opaque { .. })
    }

    /// About how many tokens it takes.
    pub fn estimated_tokens(&self) -> u64 {
        let native = |native: &Option<Value>| {
            let text = native.as_ref().map(Value::to_string).unwrap_or_default();
            estimated_tokens(&text)
        };
        u64::from(match self {
            Self::Text { text, .. } => estimated_tokens(text),
            Self::Reasoning { text, native: item } => estimated_tokens(text).max(native(item)),
            Self::Call(call) => estimated_tokens(&call.name).saturating_add(estimated_tokens(
                &serde_json::to_string(&call.arguments).unwrap_or_default(),
            )),
            Self::Image { .. } => crate::context::IMAGE_TOKENS,
            Self::Opaque { native } => estimated_tokens(&native.to_string()),
        })
    }
}
