//! What servers offer beside tools: resources, prompts, proposals, logs. Read and filled in for
//! whoever may, cleaned like results.
//!
//! Always true here: what a caller has chosen leaves only with a permission, and a refusal is in
//! the log.

mod hand_over;
mod lists;
mod messages;

use crate::client_route::{Sent, SentOffer, SentRequest};
use crate::{Calls, gate, rules, server_messages};
use api::{ErrorCode, HostError, ProtocolLog, ResourceList};
use connections::{Connection, ConnectionError, Watch};
use hand_over::hand_over;
use lists::Resources;
use policy::{
    Complete, GetPrompt, Permitted, ReadResource, ServerRequest, SetLogLevel, SubscribeResource,
    Target,
};
use protocol::{
    CallId, Caller, Completion, Content, LogLevel, PromptResult, PromptSpec, ResourceResult,
    ServerId, ToolResult, reveal,
};
use serde_json::{Map, Value};
use servers::registry::InUse;
use servers::{Core, Servers, Surface, error, masked, sign_in, supervise};
use std::collections::BTreeMap;
use store::{Entry, Event};

/// The longest value that is proposed, in bytes.
const LONGEST_VALUE: usize = 4 * 1024;

/// The resources of a server and their templates.
pub async fn resources(
    calls: &Calls,
    id: &ServerId,
    caller: &Caller,
) -> Result<ResourceList, HostError> {
    let id = named(calls, id)?;
    let Resources {
        resources,
        templates,
        watched,
    } = lists::resources(calls, &id, caller).await?;
    let masker = calls.secrets().masker();
    let shown = |uri: &str| !rules::hides(calls, caller, &id, Target::Resource(uri));
    let resources = masked::resources(resources, &masker)
        .filter(|resource| shown(&resource.uri))
        .collect();
    let templates = masked::templates(templates, &masker)
        .filter(|template| shown(&template.uri_template))
        .collect();
    Ok(ResourceList {
        server: id.clone(),
        resources,
        templates,
        watched,
    })
}

/// Reads a resource.
pub async fn read(
    calls: &Calls,
    id: &ServerId,
    uri: String,
    surface: &Surface,
) -> Result<ResourceResult, HostError> {
    let request = ReadResource { uri };
    let (server, permitted) = permitted(calls, id, request.clone(), surface).await?;
    let Running { id, connection, .. } = &server;
    // Written before it is read, like a call.
    record(
        calls,
        id,
        Event::ResourceRead {
            uri: calls.secrets().masked(&request.uri),
        },
        surface,
    )?;
    let offer = SentOffer::Read(request.clone());
    let number = sends(calls, id, offer, surface);
    let answer = match connection.read(permitted, number).await {
        Ok(answer) => answer,
        Err(problem) => {
            let told = failure(calls, surface, id, &request, &problem).await;
            return Err(not_read(&problem, told));
        }
    };
    let caller = &surface.caller;
    let cleaned = clean(calls, answer.contents, answer.extra);
    let cleaned = hand_over(calls, caller, id, &request, cleaned).await?;
    calls
        .conversations()
        .read(surface, id, &request.uri, &cleaned, calls.now());
    Ok(ResourceResult {
        contents: cleaned.content,
        notes: cleaned.notes,
        extra: cleaned.extra,
    })
}

/// Has a server tell when a resource changes, until that is taken back, or takes it back.
pub async fn watch(
    calls: &Calls,
    id: &ServerId,
    uri: String,
    on: bool,
    surface: &Surface,
) -> Result<ResourceList, HostError> {
    let server = if on {
        let (server, watch) = begin_to_watch(calls, id, uri, surface).await?;
        server.connection.keep_watching(watch);
        server
    } else {
        let server = running(calls, id).await?;
        server.connection.unwatch(&uri).await;
        server
    };
    resources(calls, &server.id, &surface.caller).await
}

/// Has a server tell when a resource changes, as long as the answer is held.
pub async fn watch_while_held(
    calls: &Calls,
    id: &ServerId,
    uri: String,
    surface: &Surface,
) -> Result<Watch, HostError> {
    let begun = begin_to_watch(calls, id, uri, surface).await;
    begun.map(|(_, watch)| watch)
}

async fn begin_to_watch(
    calls: &Calls,
    id: &ServerId,
    uri: String,
    surface: &Surface,
) -> Result<(Running, Watch), HostError> {
    let (server, permitted) = permitted(calls, id, SubscribeResource { uri }, surface).await?;
    let watch = server.connection.watch(permitted).await;
    let watch = watch.map_err(|error| failed(calls, &server.id, &error))?;
    Ok((server, watch))
}

/// The prompts of a server.
pub async fn prompts(
    calls: &Calls,
    id: &ServerId,
    caller: &Caller,
) -> Result<Vec<PromptSpec>, HostError> {
    let id = named(calls, id)?;
    let prompts = lists::prompts(calls, &id, caller).await?;
    let masker = calls.secrets().masker();
    let shown = |name: &str| !rules::hides(calls, caller, &id, Target::Prompt(name));
    Ok(masked::prompts(prompts, &masker)
        .filter(|prompt| shown(&prompt.name))
        .collect())
}

/// Has a prompt filled in. Nothing is done with it.
pub async fn prompt(
    calls: &Calls,
    id: &ServerId,
    name: String,
    arguments: BTreeMap<String, String>,
    surface: &Surface,
) -> Result<PromptResult, HostError> {
    let request = GetPrompt { name, arguments };
    let (server, permitted) = permitted(calls, id, request.clone(), surface).await?;
    let Running { id, connection, .. } = &server;
    record(
        calls,
        id,
        Event::PromptGot {
            prompt: calls.secrets().masked(&request.name),
        },
        surface,
    )?;
    let offer = SentOffer::Prompt(request.clone());
    let number = sends(calls, id, offer, surface);
    let mut answer = match connection.prompt(permitted, number).await {
        Ok(answer) => answer,
        Err(problem) => return Err(failure(calls, surface, id, &request, &problem).await),
    };
    let description = answer.description.map(|text| calls.secrets().masked(&text));
    let caller = &surface.caller;
    let apart = messages::apart(&mut answer.messages, answer.extra);
    let (cleaned, kept) = inspect::clean_parts(apart, &calls.secrets().masker());
    let mut cleaned = hand_over(calls, caller, id, &request, cleaned).await?;
    if let Some(text) = &description {
        // It is handed over beside them, and stays as it is.
        hand_over(calls, caller, id, &request, alone(text.clone())).await?;
    }
    let mut messages = messages::together(answer.messages, &mut cleaned, &kept);
    for message in &mut messages {
        message.role = calls.secrets().masked(&message.role);
    }
    Ok(PromptResult {
        description,
        messages,
        notes: cleaned.notes,
        extra: cleaned.extra,
    })
}

/// Proposals for a value that is being typed.
pub async fn complete(
    calls: &Calls,
    id: &ServerId,
    request: Complete,
    surface: &Surface,
) -> Result<Completion, HostError> {
    let (server, permitted) = permitted(calls, id, request.clone(), surface).await?;
    let Running { id, connection, .. } = &server;
    let mut completion = match connection.complete(permitted).await {
        Ok(completion) => completion,
        Err(problem) => return Err(failure(calls, surface, id, &request, &problem).await),
    };
    let masker = calls.secrets().masker();
    // A value cannot be cleaned: it is taken as it is, or not at all.
    completion.values.retain(|value| {
        value.len() <= LONGEST_VALUE && reveal(value).is_none() && masker.mask(value).is_none()
    });
    let proposed = alone(completion.values.join("\n"));
    hand_over(calls, &surface.caller, id, &request, proposed).await?;
    Ok(completion)
}

/// From which gravity on a server should log.
pub async fn set_log_level(
    calls: &Calls,
    id: &ServerId,
    level: Option<LogLevel>,
    surface: &Surface,
) -> Result<ProtocolLog, HostError> {
    let request = SetLogLevel { level };
    let (server, permitted) = permitted(calls, id, request, surface).await?;
    let Running { id, connection, .. } = &server;
    connection
        .set_log_level(permitted)
        .await
        .map_err(|error| failed(calls, id, &error))?;
    calls.registry().change(id, |now| now.log_level = level)?;
    calls.registry().protocol_log(id)
}

/// Something is about to be sent: the number under which who wants it is found.
fn sends(calls: &Calls, id: &ServerId, offer: SentOffer, surface: &Surface) -> Option<CallId> {
    let number = surface.request.as_ref()?;
    let sent = || {
        Sent::Request(Box::new(SentRequest {
            surface: surface.clone(),
            server: id.clone(),
            offer,
        }))
    };
    calls.running().routes().sends(number, sent);
    Some(number.clone())
}

/// A server that runs. As long as this is held it is not ended for being idle.
struct Running {
    id: ServerId,
    connection: Connection,
    _in_use: InUse,
}

/// A server that is on, and the permission to have something sent to it.
async fn permitted<R: ServerRequest>(
    calls: &Calls,
    id: &ServerId,
    request: R,
    surface: &Surface,
) -> Result<(Running, Permitted<R>), HostError> {
    let server = running(calls, id).await?;
    let permitted = gate::permit(calls, &server.id, &server.connection, request, surface).await?;
    Ok((server, permitted))
}

/// A server that is on; it is started if it does not run yet.
async fn running(servers: &Servers, id: &ServerId) -> Result<Running, HostError> {
    let in_use = supervise::started(servers, id).await?;
    let now = servers.registry().now(id)?;
    Ok(Running {
        id: now.row.id.clone(),
        connection: now.connection()?.clone(),
        _in_use: in_use,
    })
}

/// A server by the name under which it is kept.
fn named(servers: &Servers, id: &ServerId) -> Result<ServerId, HostError> {
    Ok(servers.registry().now(id)?.row.id.clone())
}

/// Since 2026 a resource that is not there is a parameter that is not valid.
fn not_read(error: &ConnectionError, told: HostError) -> HostError {
    let code = match error {
        ConnectionError::Server { code: -32602, .. } => ErrorCode::UnknownResource,
        _ => told.code,
    };
    HostError { code, ..told }
}

/// What whoever wants something learns of why there is none: what the server says of that goes the
/// way of what it would have answered.
async fn failure<R: ServerRequest>(
    calls: &Calls,
    surface: &Surface,
    id: &ServerId,
    request: &R,
    problem: &ConnectionError,
) -> HostError {
    let told = failed(calls, id, problem);
    if server_messages::is_ours(problem) {
        return told;
    }
    let said = clean(calls, vec![Content::text(&told.message)], Map::new());
    let message = match hand_over(calls, &surface.caller, id, request, said).await {
        Ok(said) => {
            let (conversations, now) = (calls.conversations(), calls.now());
            conversations.read(surface, id, R::METHOD, &said, now);
            let mut text = said.as_text().into_owned();
            text.truncate(text.floor_char_boundary(server_messages::LONGEST));
            text
        }
        Err(why) => server_messages::kept_back(id, why),
    };
    HostError { message, ..told }
}

fn failed(servers: &Servers, id: &ServerId, error: &ConnectionError) -> HostError {
    sign_in::note_refusal(servers, id, error);
    error::connection(id, error, &servers.secrets().masker())
}

/// Cleans parts as those of a result are cleaned: bounded, hidden characters shown, secrets
/// covered.
fn clean(core: &Core, content: Vec<Content>, extra: Map<String, Value>) -> ToolResult {
    let answer = ToolResult {
        content,
        extra,
        ..ToolResult::default()
    };
    inspect::clean(answer, &core.secrets().masker())
}

fn alone(text: String) -> ToolResult {
    ToolResult {
        content: vec![Content::text(text)],
        ..ToolResult::default()
    }
}

fn record(core: &Core, id: &ServerId, event: Event, surface: &Surface) -> Result<(), HostError> {
    let entry = Entry {
        approver: None,
        server: Some(id.clone()),
        ..surface.decided(core, event)
    };
    core.record(entry).map(|_| ())
}
