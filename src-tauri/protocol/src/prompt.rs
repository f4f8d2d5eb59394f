//! Texts that a server keeps ready for a person to use. All of it is the server's claim.

use crate::{Content, ResultNote};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// A text that a person can have filled in (MCP `Prompt`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PromptSpec {
    /// The name to get it by.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What is filled in.
    #[serde(default)]
    pub arguments: Vec<PromptArgument>,
    /// Every other field, as it came.
    #[ts(type = "Record<string, unknown>")]
    #[serde(default)]
    pub extra: Map<String, Value>,
}

/// A gap in a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What to fill in.
    pub description: Option<String>,
    /// Must it be filled in?
    #[serde(default)]
    pub required: bool,
    /// Every other field, as it came.
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Map<String, Value>,
}

/// A prompt that was filled in, bounded and masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PromptResult {
    /// What it is.
    pub description: Option<String>,
    /// The messages, in the server's order.
    pub messages: Vec<PromptMessage>,
    /// What this host did to them or found in them.
    pub notes: Vec<ResultNote>,
    /// Every other field, as it came, for programs that pass it on.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[ts(skip)]
    pub extra: Map<String, Value>,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PromptMessage {
    /// In whose mouth the server puts it: `user` or `assistant`. A claim.
    pub role: String,
    /// What is said.
    pub content: Content,
    /// Every other field, as it came, for programs that pass it on.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[ts(skip)]
    pub extra: Map<String, Value>,
}

/// Proposals for a value that is being typed (MCP `completion/complete`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Completion {
    /// At most a hundred, best first, in the server's words.
    pub values: Vec<String>,
    /// How many there are in all, if the server says.
    #[ts(type = "number | null")]
    pub total: Option<u64>,
    /// Whether there are more.
    pub has_more: bool,
}

/// What a value is proposed for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum CompletionOf {
    /// An argument of a prompt.
    Prompt {
        /// Its name.
        name: String,
    },
    /// A gap of an address.
    Template {
        /// The address with its gaps.
        uri_template: String,
    },
}
