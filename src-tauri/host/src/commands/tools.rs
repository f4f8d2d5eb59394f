//! Tools of servers.

use crate::api::{ErrorCode, HostError, HostEvent, ToolView};
use crate::{Host, error, supervise};
use protocol::{ServerId, ToolName};
use store::{Entry, Event};

/// The tools of a server; those of the last connection where it does not run.
pub(crate) async fn list(host: &Host, id: &ServerId) -> Result<Vec<ToolView>, HostError> {
    supervise::started(host, id).await;
    host.kept().tools(id)
}

/// Switches one tool on or off.
pub(crate) async fn set(host: &Host, id: &ServerId, tool: &ToolName, on: bool) -> Result<ToolView, HostError> {
    let id = host.kept().with(id, |kept| kept.tool(tool).is_some().then(|| kept.row.id.clone()))?;
    let id = id.ok_or_else(|| error::host(ErrorCode::UnknownTool, format!("there is no tool called {tool}")))?;
    host.store().tools().switch(&id, tool, on).await?;
    host.kept().with(&id, |kept| if on { _ = kept.off.remove(tool) } else { _ = kept.off.insert(tool.clone()) })?;
    let event = Event::ToolSwitched { on };
    host.record_synced(Entry { at: host.now(), call: None, caller: None, server: Some(id.clone()), tool: Some(tool.clone()), event })
        .await?;
    host.tell(HostEvent::ToolsChanged { server: id.clone() });
    let found = host.kept().tools(&id)?.into_iter().find(|view| view.spec.name == *tool);
    found.ok_or_else(|| error::host(ErrorCode::UnknownTool, format!("{id} has no tool called {tool} any more")))
}
