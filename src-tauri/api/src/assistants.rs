//! Assistants that a person has made.

use protocol::{AssistantId, AssistantSettings, Timestamp};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The longest name of an assistant, its longest description, and its longest instructions, in
/// characters.
pub const LONGEST_ASSISTANT_NAME: usize = 60;
/// See [`LONGEST_ASSISTANT_NAME`].
pub const LONGEST_DESCRIPTION: usize = 1_000;
/// See [`LONGEST_ASSISTANT_NAME`].
pub const LONGEST_INSTRUCTIONS: usize = 8_000;

/// An assistant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AssistantView {
    /// Its number.
    pub id: AssistantId,
    /// How it is set up.
    pub settings: AssistantSettings,
    /// When it was added.
    pub added_at: Timestamp,
}

/// An assistant, written out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AssistantExport {
    /// A name for the file.
    pub file_name: String,
    /// Its text.
    pub text: String,
}

/// A text that says how an assistant is set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AssistantFile {
    /// The text.
    pub text: String,
}
