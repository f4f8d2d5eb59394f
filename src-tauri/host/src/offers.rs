//! What servers offer beside tools: resources, prompts, proposals, logs. Read and filled in for a person, cleaned like results.

mod hand_over;

use crate::api::{ErrorCode, HostError, ProtocolLog, ResourceList, ServerState};
use crate::{Host, conversations, error, pins, rules, sign_in, supervise};
use connections::{Connection, ConnectionError};
use hand_over::{hand_over, reading};
use protocol::{
    Caller, Completion, CompletionOf, LogLevel, OfferKey, OfferKind, PromptAnswer, PromptSpec, ResourceAnswer, ServerId, ToolAnswer,
};
use std::collections::BTreeMap;
use store::{Entry, Event};

/// What the filling in of a prompt is called where a tool is named.
const GET_PROMPT: &str = "get_prompt";

/// The resources of a server and their templates.
pub(crate) async fn resources(host: &Host, id: &ServerId, caller: &Caller) -> Result<ResourceList, HostError> {
    let (id, connection) = running(host, id, caller).await?;
    let told = |error: ConnectionError| failed(host, &id, &error);
    let (mut resources, mut templates) = (connection.resources().await.map_err(told)?, connection.templates().await.map_err(told)?);
    let masker = host.secrets().masker();
    for resource in &mut resources {
        for text in [&mut resource.title, &mut resource.description].into_iter().flatten() {
            masker.mask_text(text);
        }
        masker.mask_map(&mut resource.extra);
    }
    for template in &mut templates {
        for text in [&mut template.title, &mut template.description].into_iter().flatten() {
            masker.mask_text(text);
        }
        masker.mask_map(&mut template.extra);
    }
    // An address cannot be covered: it is what a resource is read by. One that holds a secret is left out.
    let open = |text: &str| masker.mask(text).is_none();
    resources.retain(|resource| open(&resource.uri) && open(&resource.name));
    templates.retain(|template| open(&template.uri_template) && open(&template.name));
    Ok(ResourceList { server: id, resources, templates, watched: connection.watched() })
}

/// Reads a resource.
pub(crate) async fn read(host: &Host, id: &ServerId, uri: &str, caller: Caller) -> Result<ResourceAnswer, HostError> {
    let (id, connection) = running(host, id, &caller).await?;
    // Written before it is read, like a call.
    record(host, &id, Event::ResourceRead { uri: host.secrets().masked(uri) }, caller.clone())?;
    let answer = connection.read(uri).await.map_err(|error| failed(host, &id, &error))?;
    let reading = reading(&caller, &id, conversations::READ, ("uri", uri));
    let cleaned = hand_over(host, &reading, clean(host, answer.contents)).await?;
    conversations::read(host, &caller, &id, uri, &cleaned);
    Ok(ResourceAnswer { contents: cleaned.content, notes: cleaned.notes })
}

/// Has a server tell when a resource changes, or not any more.
pub(crate) async fn watch(host: &Host, id: &ServerId, uri: &str, on: bool, caller: &Caller) -> Result<ResourceList, HostError> {
    let (id, connection) = running(host, id, caller).await?;
    connection.watch(uri, on).await.map_err(|error| failed(host, &id, &error))?;
    resources(host, &id, caller).await
}

/// The prompts of a server.
pub(crate) async fn prompts(host: &Host, id: &ServerId, caller: &Caller) -> Result<Vec<PromptSpec>, HostError> {
    let (id, connection) = running(host, id, caller).await?;
    let mut prompts = connection.prompts().await.map_err(|error| failed(host, &id, &error))?;
    let masker = host.secrets().masker();
    for prompt in &mut prompts {
        let arguments = prompt.arguments.iter_mut().flat_map(|argument| [&mut argument.title, &mut argument.description]);
        for text in [&mut prompt.title, &mut prompt.description].into_iter().chain(arguments).flatten() {
            masker.mask_text(text);
        }
        masker.mask_map(&mut prompt.extra);
    }
    prompts.retain(|prompt| masker.mask(&prompt.name).is_none());
    Ok(prompts)
}

/// Has a prompt filled in. Nothing is done with it.
pub(crate) async fn prompt(
    host: &Host,
    id: &ServerId,
    name: &str,
    arguments: BTreeMap<String, String>,
    caller: Caller,
) -> Result<PromptAnswer, HostError> {
    let (id, connection) = running(host, id, &caller).await?;
    if connection.abilities().prompts {
        let key = OfferKey { kind: OfferKind::Prompt, name: name.to_owned() };
        if let Some(refusal) = pins::standing(host, &id, &key).await?.refusal() {
            return Err(error::refused(refusal));
        }
    }
    let reading = reading(&caller, &id, GET_PROMPT, ("prompt", name));
    record(host, &id, Event::PromptGot { prompt: host.secrets().masked(name) }, caller)?;
    let mut answer = connection.prompt(name, arguments).await.map_err(|error| failed(host, &id, &error))?;
    let contents = answer.messages.iter_mut().map(|message| std::mem::replace(&mut message.content, nothing())).collect();
    let description = answer.description.map(|text| host.secrets().masked(&text));
    let cleaned = hand_over(host, &reading, clean(host, contents)).await?;
    if let Some(text) = &description {
        // It is handed over beside them, and stays as it is.
        hand_over(host, &reading, alone(text.clone())).await?;
    }
    for (message, content) in answer.messages.iter_mut().zip(cleaned.content) {
        message.content = content;
        message.role = host.secrets().masked(&message.role);
    }
    Ok(PromptAnswer { description, messages: answer.messages, notes: cleaned.notes })
}

/// Proposals for a value that is being typed.
pub(crate) async fn complete(
    host: &Host,
    id: &ServerId,
    of: CompletionOf,
    argument: &str,
    value: &str,
    context: BTreeMap<String, String>,
    caller: &Caller,
) -> Result<Completion, HostError> {
    let (id, connection) = running(host, id, caller).await?;
    let mut completion = connection.complete(of, argument, value, context).await.map_err(|error| failed(host, &id, &error))?;
    let masker = host.secrets().masker();
    completion.values.retain(|value| masker.mask(value).is_none());
    Ok(completion)
}

/// From which gravity on a server should log.
pub(crate) async fn set_log_level(host: &Host, id: &ServerId, level: Option<LogLevel>, caller: &Caller) -> Result<ProtocolLog, HostError> {
    let (id, connection) = running(host, id, caller).await?;
    connection.set_log_level(level).await.map_err(|error| failed(host, &id, &error))?;
    host.kept().with(&id, |kept| {
        kept.log_level = level;
        kept.protocol_log()
    })
}

/// The connection to a server that is on, for a caller that may have something sent to it; it is started if it does not run yet.
async fn running(host: &Host, id: &ServerId, caller: &Caller) -> Result<(ServerId, Connection), HostError> {
    supervise::started(host, id).await;
    let (id, connection) = host.kept().with(id, |kept| match (&kept.state, &kept.connection) {
        (ServerState::Ready, Some(connection)) => Ok((kept.row.id.clone(), connection.clone())),
        (ServerState::Failed { error, .. } | ServerState::Waiting { error, .. }, _) => Err(error.clone()),
        _ => Err(error::host(ErrorCode::ServerOff, format!("{} is switched off", kept.row.id))),
    })??;
    rules::may_send(host, caller, &id)?;
    Ok((id, connection))
}

fn failed(host: &Host, id: &ServerId, error: &ConnectionError) -> HostError {
    sign_in::note_refusal(host, id, error);
    error::connection(id, error, &host.secrets().masker())
}

/// Cleans parts as those of a result are cleaned: bounded, hidden characters shown, secrets covered.
fn clean(host: &Host, content: Vec<protocol::Content>) -> ToolAnswer {
    let answer = ToolAnswer { content, structured: None, is_error: false, notes: Vec::new() };
    inspect::clean(answer, &host.secrets().masker())
}

fn alone(text: String) -> ToolAnswer {
    ToolAnswer { content: vec![protocol::Content::Text { text }], structured: None, is_error: false, notes: Vec::new() }
}

fn nothing() -> protocol::Content {
    protocol::Content::Text { text: String::new() }
}

fn record(host: &Host, id: &ServerId, event: Event, caller: Caller) -> Result<(), HostError> {
    let entry = Entry { at: host.now(), call: None, caller: Some(caller), approver: None, server: Some(id.clone()), tool: None, event };
    host.record(entry).map(|_| ())
}
