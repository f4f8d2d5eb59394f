//! Workspaces: named sets of servers with their folders, tools and grants.

use protocol::{ServerId, Timestamp, ToolName, WorkspaceId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A workspace as every surface shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WorkspaceView {
    /// Its number.
    pub id: WorkspaceId,
    /// What the person calls it; empty for the first one until they give it a name.
    pub name: String,
    /// Whether it is the one in use.
    pub active: bool,
    /// Its servers, by name: those that are on here, or have folders or switched-off tools here.
    pub servers: Vec<WorkspaceServer>,
    /// How many grants hold in it, those that hold everywhere included.
    pub grants: u32,
    /// When it was made.
    pub made_at: Timestamp,
}

/// A server in a workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WorkspaceServer {
    /// Which one.
    pub server: ServerId,
    /// Whether it runs while this workspace is in use.
    pub on: bool,
    /// The folders that it is given here.
    pub roots: Vec<String>,
    /// Its tools that are switched off here.
    pub tools_off: Vec<ToolName>,
}
