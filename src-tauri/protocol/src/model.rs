//! A model that a person has set up: who serves it, where, and what it can do.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whose words are spoken with the service of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ModelService {
    /// Anthropic's messages.
    Anthropic,
    /// OpenAI's responses.
    Responses,
    /// OpenAI's chat completions, which many others speak.
    Chat,
    /// Google's `generateContent`.
    Gemini,
    /// Ollama's own `/api/chat`.
    Ollama,
}

/// How a model is reached, and what it can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelSettings {
    /// Whose words are spoken.
    pub service: ModelService,
    /// The address that the paths of the service are below: without a query, and without `/` at
    /// its end.
    pub url: String,
    /// The model, as its service calls it.
    pub name: String,
    /// The most that it can read and write together, in tokens. Ollama is told (`num_ctx`).
    pub context: u32,
    /// Whether it can be shown pictures.
    pub sees_images: bool,
    /// Whether plain `http:` may go to a private network, where others can read it. On this computer
    /// it always may.
    #[serde(default)]
    pub plain_nearby: bool,
}

impl ModelService {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Anthropic,
        Self::Responses,
        Self::Chat,
        Self::Gemini,
        Self::Ollama,
    ];

    /// Where it is, unless a person says something else.
    pub fn address(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::Responses | Self::Chat => "https://api.openai.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// Its name on the wire and in the terminal.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Responses => "responses",
            Self::Chat => "chat",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }
}
