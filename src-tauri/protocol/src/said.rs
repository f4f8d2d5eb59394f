//! What a server says on the side: its log, and requests to use a model. A stranger's words.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// How grave a line of a server's log is (RFC 5424), least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of RFC 5424")]
pub enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

/// One line of a server's log (MCP `notifications/message`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LogLine {
    /// How grave.
    pub level: LogLevel,
    /// Which part of the server.
    pub logger: Option<String>,
    /// What it says: a text, or any other JSON.
    #[ts(type = "unknown")]
    pub data: Value,
}

/// An address that a server wants a person to open (MCP elicitation, URL mode).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UrlAsk {
    /// The server's words.
    pub message: String,
    /// The address, whole.
    pub url: String,
    /// The server's number of it (2025-11-25 only).
    pub id: Option<String>,
}

/// What a person did with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlResult {
    /// It was opened in the browser. What happened there is not known.
    Opened,
    /// Said no.
    Decline,
    /// Went away without an answer.
    Cancel,
}

/// A request to use a model (MCP `sampling/createMessage`), as it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Sample {
    /// The request's parameters.
    #[ts(type = "Record<string, unknown>")]
    pub params: Map<String, Value>,
}
