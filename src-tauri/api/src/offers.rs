//! What a server offers beside tools, what it logs, and the messages behind it.

use protocol::{
    CallId, LogLevel, LogLine, ResourceSpec, ServerId, TemplateSpec, Timestamp, Weigh, weight_of,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a server offers to read.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ResourceList {
    /// Which server.
    pub server: ServerId,
    /// Resources with an address.
    pub resources: Vec<ResourceSpec>,
    /// Kinds of resources with gaps in their address.
    pub templates: Vec<TemplateSpec>,
    /// Addresses that are watched until that is taken back.
    pub watched: Vec<String>,
}

/// What a server logged by the protocol.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ProtocolLog {
    /// Which server.
    pub server: ServerId,
    /// From which gravity on it should log; none leaves it to the server.
    pub level: Option<LogLevel>,
    /// The newest lines, oldest first; values of held secrets are covered.
    pub lines: Vec<LoggedLine>,
    /// How many older lines were dropped.
    #[ts(type = "number")]
    pub dropped: u64,
}

/// A line of a server's log, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LoggedLine {
    /// When it came.
    pub at: Timestamp,
    /// The line.
    pub line: LogLine,
}

impl Weigh for LoggedLine {
    fn weigh(&self) -> usize {
        let LoggedLine {
            at: _,
            line:
                LogLine {
                    level: _,
                    logger,
                    data,
                },
        } = self;
        size_of::<Self>() + logger.as_ref().map_or(0, String::len) + weight_of(data)
    }
}

/// The newest messages between Majordomo and a server.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct WireLog {
    /// Which server.
    pub server: ServerId,
    /// Oldest first.
    pub frames: Vec<FrameView>,
    /// How many older ones were dropped.
    #[ts(type = "number")]
    pub dropped: u64,
}

/// One message between Majordomo and a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FrameView {
    /// Its number on this connection.
    #[ts(type = "number")]
    pub number: u64,
    /// When.
    pub at: Timestamp,
    /// From Majordomo to the server, or from it.
    pub sent: bool,
    /// The method of a request or notification.
    pub method: Option<String>,
    /// The id of a request or answer.
    pub id: Option<String>,
    /// The call that it belongs to.
    pub call: Option<CallId>,
    /// Its text as it was on the wire; values of held secrets are covered.
    pub text: String,
    /// Its length in bytes.
    pub bytes: u32,
    /// Whether only the beginning is in `text`.
    pub cut: bool,
}
