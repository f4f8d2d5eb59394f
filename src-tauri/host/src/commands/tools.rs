//! Tools of servers.

use crate::commands::activity;
use crate::workspaces;
use api::{
    ErrorCode, FoundTool, HostError, HostEvent, MOST_QUERIES, ToolView, ToolsFound, UsableTool,
};
use calls::{Calls, rules};
use policy::{Target, ToolFlags};
use protocol::{Caller, Fingerprint, HeaderParameters, ServerId, ToolName, reveal};
use retrieval::{Tools, one_line};
use serde_json::{Value, json};
use servers::registry::ToolNow;
use servers::{ServerNow, Servers, Surface, error, supervise, tool_lists};
use std::collections::BTreeSet;
use store::{Entry, Event, StoreError};
use tokio::task::spawn_blocking;

/// The tools of a server; those of the last connection where it does not run. One that a rule hides
/// from whoever asks is left out, except at the window. A person learns from which callers each is
/// hidden, wherever they ask.
pub(crate) async fn list(
    calls: &Calls,
    id: &ServerId,
    surface: &Surface,
) -> Result<Vec<ToolView>, HostError> {
    supervise::listed(calls, id).await?;
    tool_lists::refresh(calls, id).await;
    let mut tools = calls.registry().tools(id)?;
    let hides = |caller: &Caller, tool: &ToolView| {
        rules::hides(calls, caller, &tool.server, Target::Tool(&tool.spec.name))
    };
    tools.retain(|tool| surface.is_by_hand() || !hides(&surface.caller, tool));
    say_problems(calls, id, &mut tools).await;
    // Who else asks is told to nobody but a person.
    if !surface.is_person(calls) {
        return Ok(tools);
    }
    let mut callers = activity::callers(calls).await;
    // Who may not come in any more is shown nothing at all.
    callers.retain(|caller| !calls.clients().is_gone(caller));
    for tool in &mut tools {
        let hidden = callers.iter().filter(|caller| hides(caller, tool));
        tool.hidden_from = hidden.cloned().collect();
    }
    Ok(tools)
}

/// Whether a caller may use a tool now. Nothing is started.
pub(crate) fn is_usable(calls: &Calls, id: &ServerId, tool: &ToolName, caller: &Caller) -> bool {
    calls.registry().now(id).is_ok_and(|server| {
        server.place.on
            && server
                .tool(tool)
                .is_some_and(|tool| tool.refusal().is_none())
            && !rules::hides(calls, caller, id, Target::Tool(tool))
    })
}

/// Which arguments of a tool travel as headers, too. None of one that is not there, or that has
/// annotations that no client follows.
pub(crate) fn header_parameters(calls: &Calls, id: &ServerId, tool: &ToolName) -> HeaderParameters {
    let server = calls.registry().now(id).ok();
    let tool = server.and_then(|server| server.tool(tool));
    let read = tool.map(|tool| HeaderParameters::read(&tool.known.spec().input_schema));
    read.and_then(Result::ok).unwrap_or_default()
}

/// The tools that a caller may use now, of one server or of all in the order of their names. Nothing
/// is started.
pub(crate) fn usable(calls: &Calls, caller: &Caller, of: Option<&ServerId>) -> Vec<UsableTool> {
    let masker = calls.secrets().masker();
    let shown = |text: &mut String| {
        masker.mask_text(text);
        if let Some((visible, _)) = reveal(text) {
            *text = visible;
        }
    };
    let mut usable = Vec::new();
    each_usable(calls, caller, of, |server, tool| {
        let (server, mut spec) = (server.clone(), tool.known.spec().clone());
        spec.title.iter_mut().for_each(shown);
        spec.description.iter_mut().for_each(shown);
        usable.push(UsableTool { server, spec });
    });
    usable
}

/// The tools that a caller may use now and that fit what it looks for.
pub(crate) async fn search(
    calls: &Calls,
    queries: Vec<String>,
    caller: &Caller,
) -> Result<Vec<ToolsFound>, HostError> {
    if !(1..=MOST_QUERIES).contains(&queries.len()) {
        return Err(error::host(
            ErrorCode::BadRequest,
            format!("a search has 1 to {MOST_QUERIES} queries"),
        ));
    }
    let usable = usable(calls, caller, None);
    // Thousands of definitions are read for it.
    let searched = spawn_blocking(move || searched(&usable, queries)).await;
    searched.map_err(|problem| {
        error::host(
            ErrorCode::Internal,
            format!("tools could not be searched: {problem}"),
        )
    })
}

fn searched(usable: &[UsableTool], queries: Vec<String>) -> Vec<ToolsFound> {
    let tools = Tools::of(usable.iter().map(|tool| (&tool.server, &tool.spec)));
    let mut servers: Vec<ServerId> = usable.iter().map(|tool| tool.server.clone()).collect();
    servers.dedup();
    let found = |place: usize| {
        let UsableTool { server, spec } = &usable[place];
        FoundTool {
            server: server.clone(),
            tool: spec.name.clone(),
            line: one_line(spec.description.as_deref().unwrap_or_default()),
        }
    };
    let answer = |query: String| {
        let tools: Vec<FoundTool> = tools.find(&query).into_iter().map(found).collect();
        let servers = match tools.is_empty() {
            true => servers.clone(),
            false => Vec::new(),
        };
        ToolsFound {
            query,
            tools,
            servers,
        }
    };
    queries.into_iter().map(answer).collect()
}

/// The same as [`usable`], for who only wants to know whether they are others than before.
pub(crate) fn usable_fingerprint(
    calls: &Calls,
    caller: &Caller,
    of: Option<&ServerId>,
) -> Fingerprint {
    let mut all = Vec::new();
    each_usable(calls, caller, of, |server, tool| {
        all.push(json!([server, tool.known.fingerprint()]));
    });
    Fingerprint::of(&Value::Array(all))
}

/// The servers of which a caller can use anything now, by name: those that are on in the workspace
/// in use, and of which it was given something.
pub(crate) fn reachable_servers(calls: &Calls, caller: &Caller) -> Vec<ServerId> {
    let mut servers = calls.registry().all();
    servers.retain(|server| server.place.on && rules::is_given(calls, caller, server));
    servers.iter().map(|server| server.row.id.clone()).collect()
}

/// Whether a caller was given anything of a server.
pub(crate) fn is_reachable(calls: &Calls, id: &ServerId, caller: &Caller) -> bool {
    let now = calls.registry().now(id);
    now.is_ok_and(|server| rules::is_given(calls, caller, &server))
}

fn each_usable(
    calls: &Calls,
    caller: &Caller,
    of: Option<&ServerId>,
    mut visit: impl FnMut(&ServerId, &ToolNow),
) {
    each_on(calls, of, |server, tool| {
        let target = Target::Tool(&tool.known.spec().name);
        if !rules::hides(calls, caller, server, target) {
            visit(server, tool);
        }
    });
}

/// Each tool that can be used now, whoever asks: approved and switched on, of a server that is on.
pub(crate) fn each_on(
    calls: &Calls,
    of: Option<&ServerId>,
    mut visit: impl FnMut(&ServerId, &ToolNow),
) {
    for server in calls.registry().all() {
        let id = &server.row.id;
        if !server.place.on || of.is_some_and(|of| of.key() != id.key()) {
            continue;
        }
        for tool in server.tools().filter(|tool| tool.refusal().is_none()) {
            visit(id, &tool);
        }
    }
}

/// Adds what is known of schemas that cannot be used.
async fn say_problems(servers: &Servers, id: &ServerId, views: &mut [ToolView]) {
    let Ok(now) = servers.registry().now(id) else {
        return;
    };
    let known = |view: &ToolView| now.tool(&view.spec.name).map(|tool| tool.known);
    let Some(tools) = views.iter().map(known).collect() else {
        return;
    };
    let problems = servers.schemas().problems(&now.row.id, tools).await;
    for (view, problem) in views.iter_mut().zip(problems) {
        view.schema_problem = problem;
    }
}

/// Switches one tool on or off in the workspace in use.
pub(crate) async fn set(
    calls: &Calls,
    id: &ServerId,
    tool: &ToolName,
    on: bool,
    surface: &Surface,
) -> Result<ToolView, HostError> {
    let decided = surface.decided(calls, Event::ToolSwitched { on });
    let save = async |id: &ServerId| {
        let workspaces = calls.store().workspaces();
        workspaces
            .switch_tool(calls.workspace(), id, tool, on)
            .await
    };
    let id = decide(calls, id, tool, decided, save, |now| {
        put(&mut now.place.off, tool, !on);
    })
    .await?;
    workspaces::publish(calls).await;
    changed(calls, id, tool).await
}

/// Has models always shown one tool in the workspace in use, or not any more.
pub(crate) async fn show_always(
    servers: &Servers,
    id: &ServerId,
    tool: &ToolName,
    on: bool,
    surface: &Surface,
) -> Result<ToolView, HostError> {
    let decided = surface.decided(servers, Event::ToolAlwaysShown { on });
    let save = async |id: &ServerId| {
        let workspaces = servers.store().workspaces();
        workspaces
            .show_tool_always(servers.workspace(), id, tool, on)
            .await
    };
    let id = decide(servers, id, tool, decided, save, |now| {
        put(&mut now.place.always_shown, tool, on);
    })
    .await?;
    changed(servers, id, tool).await
}

/// Keeps what a person says about a tool.
pub(crate) async fn mark(
    servers: &Servers,
    id: &ServerId,
    tool: &ToolName,
    mark: ToolFlags,
    surface: &Surface,
) -> Result<ToolView, HostError> {
    let decided = surface.decided(servers, Event::ToolMarked { mark });
    let save = async |id: &ServerId| servers.store().flagged_tools().save(id, tool, mark).await;
    let id = decide(servers, id, tool, decided, save, |now| {
        now.marks.insert(tool.clone(), mark);
    })
    .await?;
    changed(servers, id, tool).await
}

/// The server of a tool as we keep it.
fn known(servers: &Servers, id: &ServerId, tool: &ToolName) -> Result<ServerId, HostError> {
    let id = servers
        .registry()
        .now(id)
        .map(|now| now.tool(tool).is_some().then(|| now.row.id.clone()))?;
    id.ok_or_else(|| {
        error::host(
            ErrorCode::UnknownTool,
            format!("there is no tool called {tool}"),
        )
    })
}

/// Keeps what a person decided about a tool: in the log before it has an effect, on the disk, and
/// then in what is known. Gives the server by the name that it is kept under.
async fn decide(
    servers: &Servers,
    id: &ServerId,
    tool: &ToolName,
    decided: Entry,
    save: impl AsyncFnOnce(&ServerId) -> Result<(), StoreError>,
    change: impl FnOnce(&mut ServerNow),
) -> Result<ServerId, HostError> {
    let id = known(servers, id, tool)?;
    let decided = Entry {
        server: Some(id.clone()),
        tool: Some(tool.clone()),
        ..decided
    };
    servers.record_synced(decided).await?;
    let _turn = servers.registry().turn(&id).await?;
    save(&id).await?;
    servers.registry().change(&id, change)?;
    Ok(id)
}

fn put(tools: &mut BTreeSet<ToolName>, tool: &ToolName, is_in: bool) {
    if is_in {
        tools.insert(tool.clone());
    } else {
        tools.remove(tool);
    }
}

/// Tells that a tool has changed.
async fn changed(servers: &Servers, id: ServerId, tool: &ToolName) -> Result<ToolView, HostError> {
    servers.publish(HostEvent::ToolsChanged { server: id.clone() });
    let mut views = servers.registry().tools(&id)?;
    views.retain(|view| view.spec.name == *tool);
    say_problems(servers, &id, &mut views).await;
    views.pop().ok_or_else(|| {
        error::host(
            ErrorCode::UnknownTool,
            format!("{id} has no tool called {tool} any more"),
        )
    })
}
