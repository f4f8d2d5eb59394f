//! The door to a language model. Which one it is, and how it is reached, is not known here.

use futures::future::BoxFuture;
use serde_json::{Map, Value};

/// A language model that answers servers, where a person lets it.
pub trait Model: Send + Sync + 'static {
    /// What it is called, for people.
    fn name(&self) -> String;

    /// Answers. Dropped, the answer is not needed any more.
    fn answer(&self, ask: ModelAsk) -> BoxFuture<'_, Result<ModelReply, ModelFailure>>;
}

/// What a model is asked: nothing but this. It has no tools, and sees nothing of what others said.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAsk {
    /// The parameters of `sampling/createMessage`, as the person let them go; values of held
    /// secrets are covered.
    pub params: Map<String, Value>,
    /// Tokens that the reply may have at most.
    pub max_tokens: u32,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelReply {
    /// The text.
    pub text: String,
    /// The model, by its exact name.
    pub model: String,
    /// Why it ended, in the protocol's words: `endTurn`, `stopSequence`, `maxTokens`.
    pub stop_reason: String,
    /// How many tokens the reply took.
    pub tokens: u32,
}

/// A model that did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model did not answer: {reason}")]
pub struct ModelFailure {
    /// In its own words.
    pub reason: String,
}
