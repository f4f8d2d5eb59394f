//! The words everyone shares: who calls, which tool of which server, with what, and what came back.
//!
//! Always true here:
//! - no async, no disk, no network, no clock;
//! - a `Secret` cannot be printed, compared by accident or written to JSON;
//! - two definitions with the same meaning have the same `Fingerprint`, whatever the order of their keys.

mod answer;
mod call;
mod fingerprint;
mod ids;
mod launch;
mod secret;
mod time;
mod tool;

pub use answer::{AnswerNote, Content, Form, FormAnswer, ToolAnswer};
pub use call::{Caller, ToolCall};
pub use fingerprint::{Fingerprint, canonical_json};
pub use ids::{CallId, GrantId, NameError, QuestionId, RunId, SecretId, ServerId, ToolName};
pub use launch::{HttpLaunch, Launch, Setting, SettingValue, StdioLaunch};
pub use secret::Secret;
pub use time::Timestamp;
pub use tool::{ToolPart, ToolSpec};
