//! Other applications, which come in by the gateway.

use protocol::{CallerId, ServerId, Timestamp, ToolSpec};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Another application that may come in by the gateway.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ClientView {
    /// Its id as a caller.
    pub id: CallerId,
    /// What the person calls it.
    pub name: String,
    /// When it was added.
    pub added_at: Timestamp,
    /// Whether it has a token for HTTP. By `majordomoctl bridge` it comes in without one.
    pub has_token: bool,
    /// When it was connected last, if ever.
    pub seen_at: Option<Timestamp>,
    /// Its connections, oldest first.
    pub connections: Vec<ClientConnection>,
}

/// A connection of another application.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ClientConnection {
    /// By what it came in.
    pub by: ClientCarrier,
    /// Since when.
    pub since: Timestamp,
    /// What it says that it is: a stranger's words, of one line. Absent until it has said so.
    pub says: Option<String>,
}

/// By what another application comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ClientCarrier {
    /// `majordomoctl bridge`, which it starts like any server.
    Bridge,
    /// HTTP on this computer.
    Http,
}

/// Where other applications come in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GatewayView {
    /// The address of the joint endpoint over HTTP, while anybody is let in there.
    pub address: Option<String>,
    /// Those that may come in, oldest first.
    pub clients: Vec<ClientView>,
}

/// A tool that whoever asks may use now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct UsableTool {
    /// Its server.
    pub server: ServerId,
    /// Its definition, as it was approved; values of held secrets are covered, and what cannot be
    /// seen is made visible.
    pub spec: ToolSpec,
}
