//! One start of a server: from its settings, with secrets put in, to the list of its tools.
//!
//! Always true here: what runs is compared with what was reviewed, before it starts and once it has
//! answered; a start that fails leaves nothing running.

use crate::download::StartOf;
use crate::identity::Found;
use crate::registry::{ServerNow, Tried};
use crate::{
    Servers, confinement, confiner, download, era, error, icons, identity, pins, review,
    server_egress, sign_in,
};
use api::{ErrorCode, HostError, ServerClaims};
use connections::{Confinement, Connection, HttpStart, Start, StdioStart};
use protocol::{Era, Feature, Identity, Launch, ServerId, ToolSpec};
use std::sync::Arc;

/// Why a start failed, and what the server wrote on its standard error until then.
type Failure = (HostError, Vec<String>);

/// Starts a server in the era that it is known to speak, and lists its tools; where that turns out to
/// be another one, once more without knowing.
pub(super) async fn connect(
    servers: &Servers,
    id: &ServerId,
    generation: u64,
) -> Result<(Connection, Vec<ToolSpec>), Failure> {
    let (launch, known) = servers
        .registry()
        .now(id)
        .map(|server| (server.row.launch.clone(), server.era.clone()))
        .map_err(|error| (error, Vec::new()))?;
    let era = era::to_use(&launch, &known, servers.now());
    match attempt(servers, id, generation, &launch, era).await {
        // What was found out earlier is not so any more.
        Err((error, _))
            if era.is_some()
                && era::is_a_guess(&launch, &known)
                && era::is_contradiction(error.code) =>
        {
            attempt(servers, id, generation, &launch, None).await
        }
        attempted => attempted,
    }
}

async fn attempt(
    servers: &Servers,
    id: &ServerId,
    generation: u64,
    launch: &Launch,
    era: Option<Era>,
) -> Result<(Connection, Vec<ToolSpec>), Failure> {
    let Some(asks) = servers
        .attendant()
        .map(|attendant| attendant.asks(id, generation))
    else {
        let message = "nobody attends to servers yet";
        return Err((error::host(ErrorCode::Internal, message), Vec::new()));
    };
    let of = StartOf {
        id,
        generation,
        launch,
        asks: Arc::clone(&asks),
    };
    let (start, before) = prepare(servers, &of, era)
        .await
        .map_err(|error| (error, Vec::new()))?;
    let masker = servers.secrets().masker();
    let lines = |lines: Vec<String>| {
        let lines = lines.into_iter();
        lines.map(|line| masker.masked(line)).collect()
    };
    let budget = servers
        .registry()
        .budget(id)
        .map_err(|error| (error, Vec::new()))?;
    let connection = match Connection::start(start, servers.limits(), budget, asks).await {
        Ok(connection) => connection,
        Err(failure) => {
            sign_in::note_refusal(servers, id, &failure.error);
            return Err((
                error::connection(id, &failure.error, &masker),
                lines(failure.stderr),
            ));
        }
    };
    introduce(servers, id, generation, &connection);
    let tools = connection.tools().await;
    // The server has answered, so whatever is downloaded at a start is there.
    if let Some(before) = before
        && let Err(error) = identity::running(servers, id, launch, before, connection.pid()).await
    {
        connection.stop().await;
        return Err((error, Vec::new()));
    }
    match tools {
        Ok(tools) => Ok((connection, tools)),
        Err(error) => {
            sign_in::note_refusal(servers, id, &error);
            let stderr = lines(connection.stderr().lines);
            connection.stop().await;
            Err((error::connection(id, &error, &masker), stderr))
        }
    }
}

/// What is started, with secrets put in, and what was found of a program. This is the last moment
/// before they leave.
async fn prepare(
    servers: &Servers,
    of: &StartOf<'_>,
    era: Option<Era>,
) -> Result<(Start, Option<(Found, Identity)>), HostError> {
    let StartOf { id, launch, .. } = *of;
    match launch {
        Launch::Http(call) => {
            let start = HttpStart {
                server: id.clone(),
                url: call.url.clone(),
                headers: servers.secrets().settings(servers.store(), launch).await?,
                egress: server_egress::to(servers, id, call).await?,
                authorization: Some(sign_in::authorization(servers, id)),
                era,
            };
            Ok((Start::Http(start), None))
        }
        Launch::Stdio(_) | Launch::Builtin { .. } => {
            // A download may take its time: what a person changed meanwhile counts.
            loop {
                let program = program(servers, of, era).await?;
                if let Some((start, before)) = program {
                    return Ok((Start::Stdio(start), Some(before)));
                }
            }
        }
    }
}

/// A program that is started, and what was found of it. None if what it is confined to was changed in
/// the meantime.
async fn program(
    servers: &Servers,
    of: &StartOf<'_>,
    era: Option<Era>,
) -> Result<Option<(StdioStart, (Found, Identity))>, HostError> {
    let StartOf { id, launch, .. } = *of;
    let now = servers.registry().now(id)?;
    let own_home = servers
        .confiner()
        .own_home(id, launch, &now.row.confinement);
    let found = review::found(servers.programs(), launch, own_home)?;
    let identity = identity::before_start(servers, id, launch, &found).await?;
    let confined = confinement::of(servers, &now, &found, &identity).await?;
    let mut env = Vec::new();
    if let Some(confined) = &confined {
        env = download::before_start(servers, of, &found, confined).await?;
    }
    // What the person set counts, so it comes last.
    env.extend(servers.secrets().settings(servers.store(), launch).await?);
    let confinement = confined.map(|confined| confined.confinement);
    if !note_confinement(servers, of, &now, confinement.as_ref())? {
        return Ok(None);
    }
    let start = StdioStart {
        server: id.clone(),
        command: found.command.clone(),
        args: found.args.clone(),
        env,
        cwd: found.cwd.clone(),
        jail: servers.programs().jail.clone(),
        era,
        confinement,
    };
    Ok(Some((start, (found, identity))))
}

/// By what it is confined from now on, and where what it does with hosts is noted. False, and
/// nothing noted, if what it is confined to was changed since `before`.
///
/// # Errors
/// `server_off` if another start has begun since, or it was switched off.
fn note_confinement(
    servers: &Servers,
    of: &StartOf<'_>,
    before: &ServerNow,
    confinement: Option<&Confinement>,
) -> Result<bool, HostError> {
    servers.registry().change(of.id, |server| {
        if server.run.generation != of.generation {
            return Err(download::not_wanted(of.id));
        }
        let is_confined = confinement.is_some();
        if server.row.confinement != before.row.confinement
            || is_confined && server.place.roots != before.place.roots
        {
            return Ok(false);
        }
        server.run.tier = confinement.map(|confined| confiner::tier_of(confined.profile.tier));
        let hosts = confinement.map(|confined| confined.uses.clone());
        server.run.tried = Tried {
            hosts: hosts.unwrap_or_default(),
            ..Tried::default()
        };
        Ok(true)
    })?
}

/// Takes what a server says about itself: before that is compared with what was approved, it is
/// told nothing.
fn introduce(servers: &Servers, id: &ServerId, generation: u64, connection: &Connection) {
    let about = claims(servers, connection);
    let about = Feature::about(
        &about.name,
        about.title.as_deref(),
        about.instructions.as_deref(),
        about.icon.as_deref(),
    );
    let changed = servers.registry().change(id, |server| {
        if server.run.generation != generation {
            return None;
        }
        server.run.introduced = generation;
        let offered = server.offered_mut();
        offered.connected();
        offered.take_about(about);
        offered.unnoted()
    });
    pins::note(servers, id, changed.unwrap_or_default());
}

/// What a server says about itself, secrets covered.
pub(super) fn claims(servers: &Servers, connection: &Connection) -> ServerClaims {
    let about = connection.server_info();
    let masked = |text: String| servers.secrets().masked(&text);
    ServerClaims {
        name: masked(about.name),
        version: masked(about.version),
        title: about.title.map(masked),
        instructions: about.instructions.map(masked),
        protocol: masked(about.protocol),
        icon: icons::shown(about.icons.as_ref()),
    }
}
