//! Tools of servers.

use crate::api::{ErrorCode, HostError, HostEvent, ToolView};
use crate::{Host, error, supervise};
use policy::Mark;
use protocol::{ServerId, ToolName};
use store::{Entry, Event};

/// The tools of a server; those of the last connection where it does not run.
pub(crate) async fn list(host: &Host, id: &ServerId) -> Result<Vec<ToolView>, HostError> {
    supervise::started(host, id).await;
    supervise::refresh_tools(host, id).await;
    host.kept().tools(id)
}

/// Switches one tool on or off.
pub(crate) async fn set(host: &Host, id: &ServerId, tool: &ToolName, on: bool) -> Result<ToolView, HostError> {
    let id = known(host, id, tool)?;
    host.store().tools().switch(&id, tool, on).await?;
    host.kept().with(&id, |kept| if on { _ = kept.off.remove(tool) } else { _ = kept.off.insert(tool.clone()) })?;
    changed(host, id, tool, Event::ToolSwitched { on }).await
}

/// Keeps what a person says about a tool.
pub(crate) async fn mark(host: &Host, id: &ServerId, tool: &ToolName, mark: Mark) -> Result<ToolView, HostError> {
    let id = known(host, id, tool)?;
    host.store().marks().save(&id, tool, mark).await?;
    host.kept().with(&id, |kept| _ = kept.marks.insert(tool.clone(), mark))?;
    changed(host, id, tool, Event::ToolMarked { mark }).await
}

/// The server of a tool as we keep it.
fn known(host: &Host, id: &ServerId, tool: &ToolName) -> Result<ServerId, HostError> {
    let id = host.kept().with(id, |kept| kept.tool(tool).is_some().then(|| kept.row.id.clone()))?;
    id.ok_or_else(|| error::host(ErrorCode::UnknownTool, format!("there is no tool called {tool}")))
}

/// Writes a change of a tool to the log and tells of it.
async fn changed(host: &Host, id: ServerId, tool: &ToolName, event: Event) -> Result<ToolView, HostError> {
    host.record_synced(Entry { at: host.now(), call: None, caller: None, server: Some(id.clone()), tool: Some(tool.clone()), event })
        .await?;
    host.tell(HostEvent::ToolsChanged { server: id.clone() });
    let found = host.kept().tools(&id)?.into_iter().find(|view| view.spec.name == *tool);
    found.ok_or_else(|| error::host(ErrorCode::UnknownTool, format!("{id} has no tool called {tool} any more")))
}
