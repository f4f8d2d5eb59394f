//! What a person has made of a model for a kind of task: its instructions, its tools, and the form
//! of its answers.

use crate::{AnswerType, AssistantId, ModelId, ServerId, ToolName};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How an assistant is set up. What it may do is never more than what models may do without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AssistantSettings {
    /// What it is called.
    pub name: String,
    /// What it is for: what the person reads, and what a model reads that may give it a task.
    #[serde(default)]
    pub description: String,
    /// How it is to go about its tasks.
    #[serde(default)]
    pub instructions: String,
    /// Which model it is; none means the one that is in use where it works.
    #[serde(default)]
    pub model: Option<ModelId>,
    /// Which tools of servers it is shown.
    #[serde(default)]
    pub tools: AssistantTools,
    /// Whether it can calculate with a tool of this application.
    #[serde(default)]
    pub calculates: bool,
    /// Other assistants that it may give tasks to in its conversations.
    #[serde(default)]
    pub helpers: Vec<AssistantId>,
    /// Whether models may give it tasks in conversations without an assistant.
    #[serde(default)]
    pub is_helper: bool,
    /// What it answers to a task that it is given by a model.
    #[serde(default)]
    pub answer: AnswerType,
}

/// Which tools of servers an assistant is shown: of those that models may use, never others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum AssistantTools {
    /// All of them.
    #[default]
    All,
    /// These, as far as they are there.
    Chosen {
        /// Which ones; none means no tools of servers.
        tools: Vec<ChosenTool>,
    },
}

/// A tool that was chosen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ChosenTool {
    /// Of which server.
    pub server: ServerId,
    /// Which of its tools.
    pub tool: ToolName,
}

impl AssistantTools {
    /// Whether a tool is one of them.
    pub fn has(&self, server: &ServerId, tool: &ToolName) -> bool {
        match self {
            Self::All => true,
            Self::Chosen { tools } => tools
                .iter()
                .any(|one| one.server == *server && one.tool == *tool),
        }
    }
}
