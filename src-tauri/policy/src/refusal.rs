//! Why a call may not run.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Why a call may not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Refusal {
    /// The person has switched this tool off.
    #[error("this tool is switched off")]
    SwitchedOff,
    /// The arguments do not fit the tool's input schema.
    #[error("the arguments do not fit the tool's input schema: {}", problems.join("; "))]
    ArgumentsInvalid {
        /// Where and why, the first few.
        problems: Vec<String>,
    },
    /// The tool's input schema itself cannot be used, so nothing can be checked against it.
    #[error("the tool's input schema cannot be used: {problem}")]
    SchemaUnusable {
        /// What is wrong with it.
        problem: String,
    },
    /// A person said no.
    #[error("a person said no{}", reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default())]
    DeniedByPerson {
        /// In their words.
        reason: Option<String>,
    },
    /// Nobody answered in time.
    #[error("nobody answered the question in time")]
    NobodyAnswered,
    /// The question's window was closed without an answer.
    #[error("the question was closed without an answer")]
    QuestionClosed,
    /// The caller withdrew the call while the question was waiting.
    #[error("the call was cancelled before anyone answered")]
    Cancelled,
    /// The tool or the way of reaching its server changed while the person was deciding.
    #[error("the tool or its server changed while the question was open; call again to be asked anew")]
    ChangedWhileAsking,
    /// The trace of the call could not be written, so the call does not run.
    #[error("the log cannot be written, and nothing runs without a trace")]
    NoTrace,
}
