//! Starts and stops servers, and notes why one does not run. One server never waits for another.

use crate::api::{HostError, HostEvent, ServerClaims, ServerState};
use crate::ask_back::AskBack;
use crate::kept::Kept;
use crate::{Host, error, review, roots};
use connections::{Connection, HttpStart, Start, StdioStart};
use futures::future::join_all;
use policy::KnownTool;
use protocol::{Launch, ServerId, ToolSpec};
use std::sync::Arc;

/// How many lines of standard error are shown with a failure.
const SHOWN_LINES: usize = 20;

pub(crate) fn start_all(host: &Host) {
    for id in host.kept().ids() {
        if host.kept().with(&id, |kept| kept.row.on).unwrap_or(false) {
            start(host, &id);
        }
    }
}

pub(crate) async fn stop_all(host: &Host) {
    join_all(host.kept().ids().iter().map(|id| stop(host, id))).await;
}

/// Starts a server in the background. What becomes of it is told as events.
pub(crate) fn start(host: &Host, id: &ServerId) {
    let begun = host.kept().with(id, |kept| {
        kept.generation += 1;
        kept.state = ServerState::Starting;
        (kept.generation, kept.row.roots.clone())
    });
    let Ok((generation, roots)) = begun else { return };
    tell_changed(host, id);
    let (host, id) = (host.clone(), id.clone());
    tokio::spawn(async move {
        match connect(&host, &id, generation).await {
            Ok((connection, tools)) => {
                ready(&host, &id, generation, connection, tools).await;
                // A server may have asked for its folders before one was added, when there was nobody to tell of it yet.
                if host.kept().with(&id, |kept| kept.generation == generation && kept.row.roots != roots).unwrap_or(false) {
                    roots::roots_changed(&host, &id).await;
                }
            }
            Err((error, stderr)) => failed(&host, &id, generation, error, stderr),
        }
    });
}

/// Starts a server that should run and was never started, and waits until it runs or has failed.
pub(crate) async fn started(host: &Host, id: &ServerId) {
    if host.kept().with(id, |kept| kept.row.on && kept.state == ServerState::Off).unwrap_or(false) {
        start(host, id);
    }
    host.kept().settled(id).await;
}

/// Stops a server and waits until nothing of it is left.
pub(crate) async fn stop(host: &Host, id: &ServerId) {
    stop_and(host, id, |_| {}).await;
}

/// As [`stop`], with a change of what is kept of it in the same moment.
pub(crate) async fn stop_and(host: &Host, id: &ServerId, change: impl FnOnce(&mut Kept)) {
    let connection = host.kept().with(id, |kept| {
        change(kept);
        kept.generation += 1;
        kept.state = ServerState::Off;
        kept.connection.take()
    });
    tell_changed(host, id);
    if let Ok(Some(connection)) = connection {
        connection.stop().await;
    }
}

type Failure = (HostError, Vec<String>);

async fn connect(host: &Host, id: &ServerId, generation: u64) -> Result<(Connection, Vec<ToolSpec>), Failure> {
    let launch = host.kept().with(id, |kept| kept.row.launch.clone()).map_err(|error| (error, Vec::new()))?;
    let start = prepare(host, id, &launch).await.map_err(|error| (error, Vec::new()))?;
    let asks = Arc::new(AskBack::new(host, id.clone(), generation));
    let masker = host.secrets().masker();
    let connection = Connection::start(start, host.limits(), asks).await.map_err(|failure| {
        let lines = failure.stderr.iter().map(|line| masker.mask(line).unwrap_or_else(|| line.clone())).collect();
        (error::connection(id, &failure.error, &masker), lines)
    })?;
    match connection.tools().await {
        Ok(tools) => Ok((connection, tools)),
        Err(error) => {
            let stderr = connection.stderr().lines.iter().map(|line| masker.mask(line).unwrap_or_else(|| line.clone())).collect();
            connection.stop().await;
            Err((error::connection(id, &error, &masker), stderr))
        }
    }
}

/// What is started, with secrets put in. This is the last moment before they leave.
async fn prepare(host: &Host, id: &ServerId, launch: &Launch) -> Result<Start, HostError> {
    let settings = host.secrets().settings(host.store(), launch).await?;
    Ok(match launch {
        Launch::Http(call) => Start::Http(HttpStart { server: id.clone(), url: call.url.clone(), headers: settings }),
        Launch::Stdio(_) | Launch::Builtin { .. } => {
            let found = review::found(host.programs(), launch)?;
            Start::Stdio(StdioStart {
                server: id.clone(),
                command: found.command,
                args: found.args,
                env: settings,
                cwd: found.cwd,
                jail: host.programs().jail.clone(),
            })
        }
    })
}

async fn ready(host: &Host, id: &ServerId, generation: u64, connection: Connection, tools: Vec<ToolSpec>) {
    let about = connection.about();
    let masked = |text: String| host.secrets().masked(&text);
    let claims = ServerClaims {
        name: masked(about.name),
        version: masked(about.version),
        title: about.title.map(masked),
        instructions: about.instructions.map(masked),
        protocol: masked(about.protocol),
    };
    take_tools(host, id, generation, tools).await;
    let mut unwanted = Some(connection.clone());
    let _ = host.kept().with(id, |kept| {
        if kept.generation == generation {
            kept.state = ServerState::Ready;
            kept.connection = Some(connection);
            kept.claims = Some(claims);
            unwanted = None;
        }
    });
    // Switched off while it was starting.
    if let Some(connection) = unwanted {
        connection.stop().await;
        return;
    }
    tell_changed(host, id);
}

pub(crate) fn failed(host: &Host, id: &ServerId, generation: u64, error: HostError, stderr: Vec<String>) {
    tracing::warn!(server = %id, code = ?error.code, "a server does not run");
    let from = stderr.len().saturating_sub(SHOWN_LINES);
    let _ = host.kept().with(id, |kept| {
        if kept.generation == generation {
            kept.connection = None;
            kept.state = ServerState::Failed { error, stderr: stderr[from..].to_vec() };
        }
    });
    tell_changed(host, id);
}

/// Takes a new list of tools. The definitions are compared with what was allowed at each call, not here.
pub(crate) async fn take_tools(host: &Host, id: &ServerId, generation: u64, mut tools: Vec<ToolSpec>) {
    let masker = host.secrets().masker();
    for tool in &mut tools {
        mask_tool(&masker, tool);
    }
    // A name cannot be covered: it is what the tool is called by. So a tool whose name holds a secret is left out.
    tools.retain(|tool| masker.mask(tool.name.0.as_str()).is_none());
    // Of two tools with one name only the first can be called; a second one could otherwise take its place.
    let mut names = std::collections::HashSet::new();
    tools.retain(|tool| names.insert(tool.name.clone()));
    if let Err(error) = host.store().tools().save(id, tools.clone()).await {
        tracing::warn!(server = %id, %error, "the list of tools could not be saved");
    }
    let known: Vec<_> = tools.into_iter().map(|spec| Arc::new(KnownTool::new(spec))).collect();
    let _ = host.kept().with(id, |kept| {
        if kept.generation == generation {
            kept.tools = known;
            kept.listed = true;
        }
    });
    host.tell(HostEvent::ToolsChanged { server: id.clone() });
}

fn mask_tool(masker: &inspect::Masker, tool: &mut ToolSpec) {
    for text in [&mut tool.title, &mut tool.description].into_iter().flatten() {
        masker.mask_text(text);
    }
    masker.mask_map(&mut tool.input_schema);
    for map in [&mut tool.output_schema, &mut tool.annotations, &mut tool.meta].into_iter().flatten() {
        masker.mask_map(map);
    }
}

pub(crate) fn tell_changed(host: &Host, id: &ServerId) {
    if let Ok(server) = host.kept().with(id, |kept| kept.view()) {
        host.tell(HostEvent::ServerChanged { server: Box::new(server) });
    }
}
