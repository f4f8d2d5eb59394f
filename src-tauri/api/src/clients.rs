//! Other applications, which come in by the gateway.

use policy::ClientSettings;
use protocol::{CallerId, ServerId, Timestamp, ToolName, ToolSpec};
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
    /// Its connections that are in use, oldest first: over HTTP those with an open stream, or with a
    /// request within the last minutes.
    pub connections: Vec<ClientConnection>,
    /// What it is given, and how it is shown it.
    pub settings: ClientSettings,
    /// How many tools it has now.
    pub counts: ToolCounts,
    /// What their definitions take of a model's context.
    pub costs: ToolCosts,
}

/// How many tools an application has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolCounts {
    /// So many can it use now. None while another workspace than its own is in use.
    pub has: u32,
    /// Of so many that can be used now: approved, switched on, of servers that are on.
    pub of: u32,
}

/// What the list of tools takes of a model's context, in tokens. It is an estimate: four ASCII
/// characters of the definitions, or one other character, count as one token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolCosts {
    /// Where each tool is listed.
    pub direct: u32,
    /// Where it looks for them.
    pub search: u32,
}

/// The tools that were found for one query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolsFound {
    /// What was looked for.
    pub query: String,
    /// The best, best first; at most five.
    pub tools: Vec<FoundTool>,
    /// Where nothing was found: the servers whose tools whoever asks can use.
    pub servers: Vec<ServerId>,
}

/// A tool that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundTool {
    /// Its server.
    pub server: ServerId,
    /// Its name there.
    pub tool: ToolName,
    /// What it does, in one line of its approved definition.
    pub line: String,
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

/// The path of the joint endpoint of all servers over HTTP.
pub const GATEWAY_PATH: &str = "/mcp";

/// The address of that endpoint at a port of this computer.
pub fn gateway_address(port: u16) -> String {
    format!("http://127.0.0.1:{port}{GATEWAY_PATH}")
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
