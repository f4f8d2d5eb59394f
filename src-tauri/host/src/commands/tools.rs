//! Tools of servers.

use crate::api::{ErrorCode, HostError, HostEvent, ToolView};
use crate::{Host, Surface, error, rules, supervise, workspaces};
use policy::Mark;
use protocol::{Caller, ServerId, ToolName};
use store::{Entry, Event};

/// The tools of a server; those of the last connection where it does not run. One that a rule hides from whoever asks is left out;
/// the person in the window sees all of them, and which callers do not.
pub(crate) async fn list(host: &Host, id: &ServerId, caller: &Caller) -> Result<Vec<ToolView>, HostError> {
    supervise::started(host, id).await;
    supervise::refresh_tools(host, id).await;
    let mut tools = host.kept().tools(id)?;
    for tool in &mut tools {
        tool.hidden_from = [Caller::Window, Caller::Terminal]
            .into_iter()
            .filter(|caller| rules::hides(host, caller, &tool.server, &tool.spec.name))
            .collect();
    }
    tools.retain(|tool| *caller == Caller::Window || !tool.hidden_from.contains(caller));
    Ok(tools)
}

/// Switches one tool on or off in the workspace in use.
pub(crate) async fn set(host: &Host, id: &ServerId, tool: &ToolName, on: bool, surface: &Surface) -> Result<ToolView, HostError> {
    let id = known(host, id, tool)?;
    record(host, &id, tool, surface.decided(host, Event::ToolSwitched { on })).await?;
    {
        let _turn = host.kept().turn(&id).await?;
        host.store().workspaces().switch_tool(host.workspace(), &id, tool, on).await?;
        host.kept().with(&id, |kept| if on { _ = kept.place.off.remove(tool) } else { _ = kept.place.off.insert(tool.clone()) })?;
    }
    workspaces::tell(host).await;
    changed(host, id, tool)
}

/// Keeps what a person says about a tool.
pub(crate) async fn mark(host: &Host, id: &ServerId, tool: &ToolName, mark: Mark, surface: &Surface) -> Result<ToolView, HostError> {
    let id = known(host, id, tool)?;
    record(host, &id, tool, surface.decided(host, Event::ToolMarked { mark })).await?;
    host.store().marks().save(&id, tool, mark).await?;
    host.kept().with(&id, |kept| _ = kept.marks.insert(tool.clone(), mark))?;
    changed(host, id, tool)
}

/// The server of a tool as we keep it.
fn known(host: &Host, id: &ServerId, tool: &ToolName) -> Result<ServerId, HostError> {
    let id = host.kept().with(id, |kept| kept.tool(tool).is_some().then(|| kept.row.id.clone()))?;
    id.ok_or_else(|| error::host(ErrorCode::UnknownTool, format!("there is no tool called {tool}")))
}

/// Writes what a person decided about a tool to the log, before it has an effect.
async fn record(host: &Host, id: &ServerId, tool: &ToolName, decided: Entry) -> Result<(), HostError> {
    host.record_synced(Entry { server: Some(id.clone()), tool: Some(tool.clone()), ..decided }).await.map(|_| ())
}

/// Tells that a tool has changed.
fn changed(host: &Host, id: ServerId, tool: &ToolName) -> Result<ToolView, HostError> {
    host.tell(HostEvent::ToolsChanged { server: id.clone() });
    let found = host.kept().tools(&id)?.into_iter().find(|view| view.spec.name == *tool);
    found.ok_or_else(|| error::host(ErrorCode::UnknownTool, format!("{id} has no tool called {tool} any more")))
}
