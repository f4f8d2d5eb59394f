//! A call whose server wants input before it goes on.
//!
//! Always true here: what goes on is what was permitted, of the tool and in the workspace of which
//! it was permitted.

use crate::{KnownTool, Permission, PermittedCall, Refusal};
use protocol::{Fingerprint, ToolCall, WorkspaceId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A permitted call that was sent, and that waits for input on its server. Only
/// [`PausedCall::resume`] makes a permission out of it.
///
/// It can be written down, since an open round outlives the application; whoever reads it back must
/// know that nobody else wrote it. It cannot be made of another call:
/// ```compile_fail,E0451
/// fn forge(call: protocol::ToolCall, of: policy::PausedCall) -> policy::PausedCall {
///     policy::PausedCall { call, ..of }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PausedCall {
    call: Arc<ToolCall>,
    permission: Permission,
    tool: Fingerprint,
    launch: Fingerprint,
    workspace: WorkspaceId,
}

impl PausedCall {
    /// What is needed to go on with a call that was permitted in this workspace.
    pub fn of(permitted: &PermittedCall, workspace: &WorkspaceId) -> Self {
        Self {
            call: permitted.shared(),
            permission: permitted.permission().clone(),
            tool: permitted.tool_fingerprint().clone(),
            launch: permitted.launch_fingerprint().clone(),
            workspace: workspace.clone(),
        }
    }

    /// The call that waits.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// The workspace in which it was permitted.
    pub fn workspace(&self) -> &WorkspaceId {
        &self.workspace
    }

    /// The permission to go on. Refused if the tool, the way of reaching its server or the workspace
    /// is another by now.
    pub fn resume(
        self,
        tool_now: &KnownTool,
        launch_now: &Fingerprint,
        workspace_now: &WorkspaceId,
    ) -> Result<PermittedCall, Refusal> {
        if self.workspace != *workspace_now {
            return Err(Refusal::OtherWorkspace);
        }
        if self.tool != *tool_now.fingerprint() || self.launch != *launch_now {
            return Err(Refusal::ChangedWhileAsking);
        }
        let Self {
            call,
            permission,
            launch,
            ..
        } = self;
        Ok(PermittedCall::new(call, permission, tool_now, launch))
    }
}
