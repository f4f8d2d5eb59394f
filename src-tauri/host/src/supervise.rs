//! Starts and stops servers, starts again those that failed, and notes why one does not run. One server never waits for another.

use crate::api::{Abilities, ErrorCode, HostError, HostEvent, ServerClaims, ServerState};
use crate::ask_back::AskBack;
use crate::kept::Kept;
use crate::{Host, era, error, identity, pins, review, roots, sign_in, spans, tasks, way_out};
use connections::{Connection, HttpStart, Start, StdioStart};
use futures::future::join_all;
use policy::KnownTool;
use protocol::{Era, Identity, Launch, Offer, OfferKind, ServerId, ToolSpec};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;
use tracing::Instrument as _;

/// How many lines of standard error are shown with a failure.
const SHOWN_LINES: usize = 20;
/// How long a server must have run for its earlier failures to be forgotten.
const STEADY: Duration = Duration::from_secs(60);

pub(crate) fn start_all(host: &Host) {
    for id in host.kept().ids() {
        if host.kept().with(&id, |kept| kept.place.on).unwrap_or(false) {
            start(host, &id);
        }
    }
}

pub(crate) async fn stop_all(host: &Host) {
    join_all(host.kept().ids().iter().map(|id| stop(host, id))).await;
}

/// Starts a server that is on in the background. What becomes of it is told as events.
pub(crate) fn start(host: &Host, id: &ServerId) {
    let begun = host.kept().with(id, |kept| {
        // It may have been switched off, or another workspace taken into use, since it was decided to start it.
        if !kept.place.on {
            return None;
        }
        kept.generation += 1;
        kept.state = ServerState::Starting;
        Some((kept.generation, kept.place.roots.clone()))
    });
    let Ok(Some((generation, roots))) = begun else { return };
    tell_changed(host, id);
    let (host, id) = (host.clone(), id.clone());
    tokio::spawn(async move {
        match connect(&host, &id, generation).instrument(spans::start(&id)).await {
            Ok((connection, tools)) => {
                ready(&host, &id, generation, connection, tools).await;
                // A server may have asked for its folders before one was added, when there was nobody to tell of it yet.
                if host.kept().with(&id, |kept| kept.generation == generation && kept.place.roots != roots).unwrap_or(false) {
                    roots::roots_changed(&host, &id).await;
                }
            }
            Err((error, stderr)) => failed(&host, &id, generation, error, stderr),
        }
    });
}

/// Starts a server that should run and does not yet, and waits until it runs or has failed. One that waits to be started again is
/// started now: somebody needs it.
pub(crate) async fn started(host: &Host, id: &ServerId) {
    let idle = |kept: &mut Kept| kept.place.on && matches!(kept.state, ServerState::Off | ServerState::Waiting { .. });
    if host.kept().with(id, idle).unwrap_or(false) {
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
        kept.failures = 0;
        kept.ran_since = None;
        kept.connection.take()
    });
    tell_changed(host, id);
    if let Ok(Some(connection)) = connection {
        connection.stop().await;
    }
}

type Failure = (HostError, Vec<String>);

async fn connect(host: &Host, id: &ServerId, generation: u64) -> Result<(Connection, Vec<ToolSpec>), Failure> {
    let (launch, known) = host.kept().with(id, |kept| (kept.row.launch.clone(), kept.era.clone())).map_err(|error| (error, Vec::new()))?;
    let era = era::to_use(&launch, &known, host.now());
    match attempt(host, id, generation, &launch, era).await {
        // What was found out earlier is not so any more.
        Err((error, _)) if era.is_some() && era::is_a_guess(&launch, &known) && era::is_contradiction(error.code) => {
            attempt(host, id, generation, &launch, None).await
        }
        attempted => attempted,
    }
}

async fn attempt(
    host: &Host,
    id: &ServerId,
    generation: u64,
    launch: &Launch,
    era: Option<Era>,
) -> Result<(Connection, Vec<ToolSpec>), Failure> {
    let (start, identity) = prepare(host, id, launch, era).await.map_err(|error| (error, Vec::new()))?;
    let asks = Arc::new(AskBack::new(host, id.clone(), generation));
    let masker = host.secrets().masker();
    let lines = |lines: Vec<String>| lines.iter().map(|line| masker.mask(line).unwrap_or_else(|| line.clone())).collect();
    let connection = match Connection::start(start, host.limits(), asks).await {
        Ok(connection) => connection,
        Err(failure) => {
            sign_in::note_refusal(host, id, &failure.error);
            return Err((error::connection(id, &failure.error, &masker), lines(failure.stderr)));
        }
    };
    let tools = connection.tools().await;
    // The server has answered, so whatever is downloaded at a start is there.
    if let Err(error) = identity::running(host, id, launch, identity, connection.pid()).await {
        connection.stop().await;
        return Err((error, Vec::new()));
    }
    match tools {
        Ok(tools) => Ok((connection, tools)),
        Err(error) => {
            sign_in::note_refusal(host, id, &error);
            let stderr = lines(connection.stderr().lines);
            connection.stop().await;
            Err((error::connection(id, &error, &masker), stderr))
        }
    }
}

/// What is started, with secrets put in. This is the last moment before they leave.
async fn prepare(host: &Host, id: &ServerId, launch: &Launch, era: Option<Era>) -> Result<(Start, Identity), HostError> {
    let settings = host.secrets().settings(host.store(), launch).await?;
    match launch {
        Launch::Http(call) => {
            let start = HttpStart {
                server: id.clone(),
                url: call.url.clone(),
                headers: settings,
                egress: way_out::to(host, id, call).await?,
                authorization: Some(sign_in::authorization(host, id)),
                era,
            };
            Ok((Start::Http(start), Identity::default()))
        }
        Launch::Stdio(_) | Launch::Builtin { .. } => {
            let found = review::found(host.programs(), launch)?;
            let identity = identity::before_start(host, id, launch, &found).await?;
            let start = StdioStart {
                server: id.clone(),
                command: found.command,
                args: found.args,
                env: settings,
                cwd: found.cwd,
                jail: host.programs().jail.clone(),
                era,
            };
            Ok((Start::Stdio(start), identity))
        }
    }
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
    let able = connection.abilities();
    let abilities =
        Abilities { resources: able.resources, watch: able.watch, prompts: able.prompts, completions: able.completions, logs: able.logs };
    let about = Offer::about(&claims.name, claims.title.as_deref(), claims.instructions.as_deref());
    let _ = host.kept().with(id, |kept| {
        if kept.generation == generation {
            kept.offered.connected();
        }
    });
    pins::take(host, id, generation, OfferKind::About, vec![about]);
    take_tools(host, id, generation, tools).await;
    era::found(host, id, connection.era()).await;
    let (mut unwanted, now) = (Some(connection.clone()), host.now());
    let _ = host.kept().with(id, |kept| {
        if kept.generation == generation {
            kept.state = ServerState::Ready;
            kept.connection = Some(connection.clone());
            kept.claims = Some(claims);
            kept.abilities = Some(abilities);
            kept.ran_since = Some(now);
            unwanted = None;
        }
    });
    // Switched off while it was starting.
    if let Some(connection) = unwanted {
        connection.stop().await;
        return;
    }
    sign_in::note_welcome(host, id);
    tell_changed(host, id);
    let (of, server, rest) = (host.clone(), id.clone(), connection.clone());
    tokio::spawn(async move { pins::take_rest(&of, &server, generation, &rest).await });
    tasks::resume_all(host, id, &connection).await;
}

/// Notes that a server failed, and has it started again where that makes sense.
pub(crate) fn failed(host: &Host, id: &ServerId, generation: u64, error: HostError, stderr: Vec<String>) {
    tracing::warn!(server = %id, code = ?error.code, "a server does not run");
    let from = stderr.len().saturating_sub(SHOWN_LINES);
    let stderr = stderr[from..].to_vec();
    let (now, cause) = (host.now(), error.code);
    let again = host.kept().with(id, |kept| {
        if kept.generation != generation {
            return None;
        }
        kept.connection = None;
        // One that has run well for a while begins anew.
        if kept.ran_since.is_some_and(|since| now.since(since) >= STEADY) {
            kept.failures = 0;
        }
        kept.failures += 1;
        let wait = host.restart().after(error.code, kept.failures, kept.ran_since.is_some(), chance());
        kept.state = match wait {
            Some(wait) => ServerState::Waiting { error, stderr, failures: kept.failures, until: now.plus(wait) },
            None => ServerState::Failed { error, stderr },
        };
        wait
    });
    tell_changed(host, id);
    let Ok(Some(wait)) = again else { return };
    let (host, id) = (host.weak(), id.clone());
    tokio::spawn(async move {
        tokio::time::sleep(wait).await;
        let Some(host) = host.upgrade() else { return };
        // Meanwhile a person may have switched it off, or started it.
        if host.kept().with(&id, |kept| kept.generation == generation && kept.place.on).unwrap_or(false) && host.still_open().is_ok() {
            spans::restarted(&id, cause);
            start(&host, &id);
        }
    });
}

/// Looks in the background whether a server that let a call run out of time still answers anything. One that does not is ended
/// and started again.
pub(crate) fn check(host: &Host, id: &ServerId) {
    let Ok((generation, Some(connection))) = host.kept().with(id, |kept| (kept.generation, kept.connection.clone())) else { return };
    let (host, id) = (host.clone(), id.clone());
    tokio::spawn(async move {
        if connection.is_alive().await || !host.kept().with(&id, |kept| kept.generation == generation).unwrap_or(false) {
            return;
        }
        let error = error::host(ErrorCode::TimedOut, format!("{id} does not answer anything any more"));
        let stderr = host.kept().with(&id, |kept| kept.log().lines).unwrap_or_default();
        failed(&host, &id, generation, error, stderr);
        connection.stop().await;
    });
}

/// A number from 0 to 1.
fn chance() -> f64 {
    f64::from(u32::try_from(RandomState::new().build_hasher().finish() >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}

/// Reads the list of tools again if the server has said for how long the last one is current, and that time is over.
pub(crate) async fn refresh_tools(host: &Host, id: &ServerId) {
    let Ok((generation, Some(connection))) = host.kept().with(id, |kept| (kept.generation, kept.connection.clone())) else { return };
    if !connection.tools_are_stale() {
        return;
    }
    match connection.tools().await {
        Ok(tools) => take_tools(host, id, generation, tools).await,
        // The last list stays; a call of a tool that is gone fails by itself.
        Err(error) => tracing::warn!(server = %id, %error, "a list of tools that is too old could not be read again"),
    }
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
    let offers = tools.iter().map(Offer::tool).collect();
    let known: Vec<_> = tools.into_iter().map(|spec| Arc::new(KnownTool::new(spec))).collect();
    let _ = host.kept().with(id, |kept| {
        if kept.generation == generation {
            kept.tools = known;
            kept.listed = true;
        }
    });
    pins::take(host, id, generation, OfferKind::Tool, offers);
    host.tell(HostEvent::ToolsChanged { server: id.clone() });
}

fn mask_tool(masker: &inspect::Masker, tool: &mut ToolSpec) {
    for text in [&mut tool.title, &mut tool.description].into_iter().flatten() {
        masker.mask_text(text);
    }
    masker.mask_map(&mut tool.input_schema);
    masker.mask_map(&mut tool.extra);
    for map in [&mut tool.output_schema, &mut tool.annotations, &mut tool.meta].into_iter().flatten() {
        masker.mask_map(map);
    }
}

pub(crate) fn tell_changed(host: &Host, id: &ServerId) {
    if let Ok(server) = host.kept().with(id, |kept| kept.view()) {
        host.tell(HostEvent::ServerChanged { server: Box::new(server) });
    }
}
