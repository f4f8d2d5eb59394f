//! Starts and stops servers, starts again those that failed, and notes why one does not run.
//!
//! Always true here:
//! - one server never waits for another;
//! - a server that rests is started once, however many use it first, and what it offers by then is
//!   compared with what was approved before any of them goes on.

mod attempt;

use crate::registry::{About, InUse, Run, ServerNow};
use crate::{Servers, catalogue, era, error, idle, pins, roots, sign_in, spans, tool_lists};
use api::{Capabilities, ErrorCode, HostError, HostEvent, ServerState};
use attempt::{claims, connect};
use connections::Connection;
use futures::future::join_all;
use protocol::{ServerId, ToolSpec};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;
use store::CataloguePart;
use tracing::Instrument as _;

/// How many lines of standard error are shown with a failure.
const SHOWN_LINES: usize = 20;
/// How long those that are on wait for whoever has opened the host: many programs that start at once
/// would hold its first reply up.
const FIRST_REPLY: Duration = Duration::from_millis(50);
/// How long a server must have run for its earlier failures to be forgotten.
const STEADY: Duration = Duration::from_secs(60);

/// Starts every server that is on, a moment from now; one that may rest waits for its first use.
/// Those with these keys are in use already.
pub fn start_all(servers: &Servers, in_use: &BTreeSet<String>) {
    for id in servers.registry().ids() {
        if in_use.contains(&id.key()) {
            start_in(servers, &id, FIRST_REPLY, |_| true);
        } else {
            resume_in(servers, &id, FIRST_REPLY);
        }
    }
}

/// Has a server that is on and was not started yet run, or rest until its first use where it may.
pub fn resume(servers: &Servers, id: &ServerId) {
    resume_in(servers, id, Duration::ZERO);
}

fn resume_in(servers: &Servers, id: &ServerId, wait: Duration) {
    let begins = |server: &ServerNow| {
        server.place.on && matches!(server.run.state, ServerState::Off | ServerState::Idle)
    };
    let rests = servers.registry().change(id, |server| {
        if !begins(server) {
            return None;
        }
        let rests = server.may_rest() || !servers.keeps_servers_running();
        if rests {
            server.run.state = ServerState::Idle;
        }
        Some(rests)
    });
    match rests {
        Ok(Some(true)) => servers.tell_changed(id),
        Ok(Some(false)) => start_in(servers, id, wait, begins),
        Ok(None) | Err(_) => {}
    }
}

/// Has a server know of its folders as they are now. A confined one is started anew: its folders are
/// built around it when it starts.
pub async fn folders_changed(servers: &Servers, id: &ServerId) {
    let is_around_it = servers.registry().now(id).is_ok_and(|server| {
        let has_begun = matches!(
            server.run.state,
            ServerState::Starting | ServerState::Ready | ServerState::Waiting { .. }
        );
        server.confined() == Some(true) && has_begun
    });
    if is_around_it {
        stop(servers, id).await;
        start(servers, id);
    } else {
        roots::roots_changed(servers, id).await;
    }
}

/// Stops all servers and waits until nothing of them is left.
pub async fn stop_all(servers: &Servers) {
    join_all(servers.registry().ids().iter().map(|id| stop(servers, id))).await;
}

/// Starts a server that is on in the background. What becomes of it is told as events.
pub fn start(servers: &Servers, id: &ServerId) {
    start_in(servers, id, Duration::ZERO, |_| true);
}

/// The same after a while, in which it counts as starting, if it is by then as it should be.
fn start_in(
    servers: &Servers,
    id: &ServerId,
    wait: Duration,
    as_it_should: impl FnOnce(&ServerNow) -> bool,
) {
    let begun = servers.registry().change(id, |server| {
        // It may have been switched off, or another workspace taken into use, since it was decided
        // to start it.
        if !server.place.on || !as_it_should(server) {
            return None;
        }
        server.run.generation += 1;
        server.run.state = ServerState::Starting;
        server.run.download = None;
        Some((server.run.generation, server.place.roots.clone()))
    });
    let Ok(Some((generation, roots))) = begun else {
        return;
    };
    servers.tell_changed(id);
    let (servers, id) = (servers.clone(), id.clone());
    tokio::spawn(async move {
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        // Two of them at a time might be in each other's way.
        drop(servers.registry().ending(&id).await);
        let now = servers.registry().now(&id);
        if now.is_ok_and(|server| server.run.generation != generation) {
            return;
        }
        match connect(&servers, &id, generation)
            .instrument(spans::start(&id))
            .await
        {
            Ok((connection, tools)) => {
                ready(&servers, &id, generation, connection, tools).await;
                // A server may have asked for its folders before one was added, when there was
                // nobody to tell of it yet.
                if servers.registry().now(&id).is_ok_and(|server| {
                    server.run.generation == generation && server.place.roots != roots
                }) {
                    roots::roots_changed(&servers, &id).await;
                }
            }
            Err((error, stderr)) => failed(&servers, &id, generation, error, stderr),
        }
    });
}

/// Starts a server that should run and does not yet, and waits until it runs or has failed. One
/// that waits to be started again is started now: somebody needs it. As long as the answer is held
/// it is not ended for being idle. Fails if there is none of this name.
pub async fn started(servers: &Servers, id: &ServerId) -> Result<InUse, HostError> {
    // Before it is looked at: it might be about to be ended.
    let in_use = servers.registry().in_use(id)?;
    // What is sent to one that has just ended is lost, and nobody knows that it never left.
    servers.registry().end_noted(id).await;
    let does_not_run = |server: &ServerNow| {
        matches!(
            server.run.state,
            ServerState::Off | ServerState::Idle | ServerState::Waiting { .. }
        )
    };
    let now = servers.registry().now(id)?;
    if now.place.on && does_not_run(&now) {
        // Asked once more in the moment of the start: of many only one starts it.
        start_in(servers, id, Duration::ZERO, does_not_run);
    }
    servers.registry().settled(id).await;
    Ok(in_use)
}

/// The same for who only wants to know what it offers: one that rests goes on resting, and what it
/// offers is known.
pub async fn listed(servers: &Servers, id: &ServerId) -> Result<(), HostError> {
    if !servers.registry().now(id)?.rests() {
        drop(started(servers, id).await?);
    }
    Ok(())
}

/// Stops a server and waits until nothing of it is left.
pub async fn stop(servers: &Servers, id: &ServerId) {
    stop_and(servers, id, |_| {}).await;
}

/// As [`stop`], with a change of what is kept of it in the same moment.
pub async fn stop_and(servers: &Servers, id: &ServerId, change: impl FnOnce(&mut ServerNow)) {
    let connection = servers.registry().change(id, |server| {
        change(server);
        server.run.generation += 1;
        server.run.state = ServerState::Off;
        server.run.download = None;
        server.run.failures = 0;
        server.run.since = None;
        server.run.connection.take()
    });
    servers.tell_changed(id);
    if let Ok(Some(connection)) = connection {
        connection.stop().await;
    }
    drop(servers.registry().ending(id).await);
}

async fn ready(
    servers: &Servers,
    id: &ServerId,
    generation: u64,
    connection: Connection,
    tools: Vec<ToolSpec>,
) {
    let claims = claims(servers, &connection);
    let able = connection.capabilities();
    let abilities = Capabilities {
        resources: able.resources,
        watch: able.watch,
        prompts: able.prompts,
        completions: able.completions,
        logs: able.logs,
    };
    let tools = tool_lists::taken_in(servers, id, tools).await;
    era::found(servers, id, connection.era()).await;
    let (mut launch, now) = (None, servers.now());
    // All of it in one step: nobody meets the new tools on the old connection, or the other way
    // round.
    let changed = servers.registry().change(id, |server| {
        // It may have ended since it was asked for its tools, and that be noted already.
        if server.run.generation != generation || server.run.state != ServerState::Starting {
            return None;
        }
        let offered = server.offered_mut();
        offered.take_tools(tools);
        let changed = offered.unnoted();
        server.run = Run {
            state: ServerState::Ready,
            connection: Some(connection.clone()),
            claims: Some(claims.clone()),
            abilities: Some(abilities),
            since: Some(now),
            ..server.run.clone()
        };
        launch = Some(server.row.launch.fingerprint());
        changed
    });
    // Switched off while it was starting, or ended.
    let Some(launch) = launch else {
        connection.stop().await;
        return;
    };
    pins::note(servers, id, changed.unwrap_or_default());
    servers.publish(HostEvent::ToolsChanged { server: id.clone() });
    sign_in::note_welcome(servers, id);
    servers.tell_changed(id);
    // From now on the time counts in which nobody uses it.
    drop(servers.registry().in_use(id));
    tokio::spawn(idle::end_when_idle(servers.weak(), id.clone(), generation));
    let (of, server, rest) = (servers.clone(), id.clone(), connection.clone());
    tokio::spawn(async move {
        let about = About { claims, abilities };
        catalogue::keep(&of, &server, CataloguePart::About, &about).await;
        pins::take_rest(&of, &server, generation, &rest).await;
        catalogue::take_resources(&of, &server, &rest).await;
    });
    if let Some(attendant) = servers.attendant() {
        attendant.ready(id, launch, &connection);
    }
}

/// Notes that a server failed, and has it started again where that makes sense.
pub fn failed(
    servers: &Servers,
    id: &ServerId,
    generation: u64,
    error: HostError,
    stderr: Vec<String>,
) {
    tracing::warn!(server = %id, code = ?error.code, "a server does not run");
    let from = stderr.len().saturating_sub(SHOWN_LINES);
    let stderr = stderr[from..].to_vec();
    let (now, cause) = (servers.now(), error.code);
    let again = servers.registry().change(id, |server| {
        if server.run.generation != generation {
            return None;
        }
        server.run.connection = None;
        // One that has run well for a while begins anew.
        if server
            .run
            .since
            .is_some_and(|since| now.since(since) >= STEADY)
        {
            server.run.failures = 0;
        }
        server.run.failures += 1;
        let wait = servers.restart().after(
            error.code,
            server.run.failures,
            server.run.since.is_some(),
            chance(),
        );
        server.run.state = match wait {
            Some(wait) => ServerState::Waiting {
                error,
                stderr,
                failures: server.run.failures,
                until: now.plus(wait),
            },
            None => ServerState::Failed { error, stderr },
        };
        wait
    });
    servers.tell_changed(id);
    let Ok(Some(wait)) = again else { return };
    let (servers, id) = (servers.weak(), id.clone());
    tokio::spawn(async move {
        tokio::time::sleep(wait).await;
        let Some(servers) = servers.upgrade() else {
            return;
        };
        // Meanwhile a person may have switched it off, or started it.
        if servers
            .registry()
            .now(&id)
            .is_ok_and(|server| server.run.generation == generation && server.place.on)
            && servers.still_open().is_ok()
        {
            spans::restarted(&id, cause);
            start(&servers, &id);
        }
    });
}

/// Looks in the background whether a server that let a call run out of time still answers anything.
/// One that does not is ended and started again.
pub fn check(servers: &Servers, id: &ServerId) {
    let Ok((generation, Some(connection))) = servers
        .registry()
        .now(id)
        .map(|server| (server.run.generation, server.run.connection.clone()))
    else {
        return;
    };
    let (servers, id) = (servers.clone(), id.clone());
    tokio::spawn(async move {
        if connection.is_alive().await
            || !servers
                .registry()
                .now(&id)
                .is_ok_and(|server| server.run.generation == generation)
        {
            return;
        }
        let error = error::host(
            ErrorCode::TimedOut,
            format!("{id} does not answer anything any more"),
        );
        let stderr = servers
            .registry()
            .log(&id)
            .map(|log| log.lines)
            .unwrap_or_default();
        failed(&servers, &id, generation, error, stderr);
        connection.stop().await;
    });
}

/// A number from 0 to 1.
fn chance() -> f64 {
    f64::from(u32::try_from(RandomState::new().build_hasher().finish() >> 32).unwrap_or(0))
        / f64::from(u32::MAX)
}
