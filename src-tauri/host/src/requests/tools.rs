//! Tools of servers.

use crate::commands::tools;
use api::{
    HostError, ListTools, MarkTool, SearchTools, SetTool, ShowToolAlways, ToolView, ToolsFound,
};
use calls::Calls;
use servers::Surface;

pub(crate) async fn list_tools(
    calls: &Calls,
    ListTools { server }: ListTools,
    surface: &Surface,
) -> Result<Vec<ToolView>, HostError> {
    tools::list(calls, &server, surface).await
}

pub(crate) async fn search_tools(
    calls: &Calls,
    SearchTools { queries }: SearchTools,
    surface: &Surface,
) -> Result<Vec<ToolsFound>, HostError> {
    tools::search(calls, queries, &surface.caller).await
}

pub(crate) async fn set_tool(
    calls: &Calls,
    SetTool { server, tool, on }: SetTool,
    surface: &Surface,
) -> Result<ToolView, HostError> {
    tools::set(calls, &server, &tool, on, surface).await
}

pub(crate) async fn show_tool_always(
    calls: &Calls,
    ShowToolAlways { server, tool, on }: ShowToolAlways,
    surface: &Surface,
) -> Result<ToolView, HostError> {
    tools::show_always(calls, &server, &tool, on, surface).await
}

pub(crate) async fn mark_tool(
    calls: &Calls,
    MarkTool { server, tool, mark }: MarkTool,
    surface: &Surface,
) -> Result<ToolView, HostError> {
    tools::mark(calls, &server, &tool, mark, surface).await
}
