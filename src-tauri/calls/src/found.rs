//! The tool of a call, looked up.

use api::{ErrorCode, HostError};
use connections::Connection;
use policy::PermittedCall;
use protocol::{Fingerprint, ServerId, ToolName, WorkspaceId};
use servers::registry::{ServerNow, ToolNow};
use servers::{Servers, error};
use std::sync::Arc;

/// The tool of a call and its server, as they were at one moment. All that is decided about the
/// call is decided by it.
pub struct Found {
    /// Its server.
    pub now: Arc<ServerNow>,
    /// The tool.
    pub tool: ToolNow,
    /// How the server is reached.
    pub launch: Fingerprint,
    /// The way to its server.
    pub connection: Connection,
}

impl Found {
    pub(crate) fn server(&self) -> &ServerId {
        &self.now.row.id
    }

    /// The workspace in use then. What is decided about the call is decided there.
    pub(crate) fn workspace(&self) -> &WorkspaceId {
        &self.now.workspace
    }
}

/// Looks the tool of a call up.
pub fn find(servers: &Servers, server: &ServerId, tool: &ToolName) -> Result<Found, HostError> {
    let now = servers.registry().now(server)?;
    let connection = now.connection()?.clone();
    let tool = now.tool(tool).ok_or_else(|| {
        error::host(
            ErrorCode::UnknownTool,
            format!("{} has no tool called {tool}", now.row.id),
        )
    })?;
    Ok(Found {
        launch: now.launch().clone(),
        tool,
        connection,
        now,
    })
}

/// Looks the tool of a permitted call up once more, right before it is sent: what was decided about
/// one definition, server or workspace holds of no other. The call goes over the connection of the
/// answer.
pub(crate) fn still(
    servers: &Servers,
    permitted: &PermittedCall,
    decided: &Found,
) -> Result<Found, HostError> {
    let call = permitted.call();
    let found = find(servers, &call.server, &call.tool)?;
    match found.now.overtakes(permitted, decided.workspace()) {
        None => Ok(found),
        Some(refusal) => Err(error::refused(refusal)),
    }
}
