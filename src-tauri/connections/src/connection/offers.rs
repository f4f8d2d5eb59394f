//! Resources, prompts, proposals and the log of a server.

use super::Inner;
use super::list::offered;
use super::request::{Patience, dressed, plain};
use super::rounds::{Outcome, Wanted, drive};
use crate::conversation::Ask;
use crate::{ConnectionError, Follow, wire};
use policy::{Complete, GetPrompt, ReadResource, SetLogLevel};
use protocol::{CallId, Completion, CompletionOf, Era, PromptResult, ResourceResult};
use serde_json::{Map, Value, json};
use std::sync::PoisonError;

pub(super) async fn read(
    inner: &Inner,
    ReadResource { uri }: ReadResource,
    number: Option<CallId>,
) -> Result<ResourceResult, ConnectionError> {
    offered(inner.initialize_result.capabilities.resources, "resources")?;
    let reply = wanted(
        inner,
        "resources/read",
        Map::from_iter([("uri".to_owned(), uri.into())]),
        number,
    )
    .await?;
    wire::resource_answer(reply).map_err(ConnectionError::unreadable)
}

pub(super) async fn prompt(
    inner: &Inner,
    GetPrompt { name, arguments }: GetPrompt,
    number: Option<CallId>,
) -> Result<PromptResult, ConnectionError> {
    offered(inner.initialize_result.capabilities.prompts, "prompts")?;
    let params = Map::from_iter([
        ("name".to_owned(), name.into()),
        ("arguments".to_owned(), json!(arguments)),
    ]);
    let reply = wanted(inner, "prompts/get", params, number).await?;
    wire::prompt_answer(reply).map_err(ConnectionError::unreadable)
}

async fn wanted(
    inner: &Inner,
    method: &'static str,
    params: Map<String, Value>,
    number: Option<CallId>,
) -> Result<Value, ConnectionError> {
    let mut patience = Patience::new(inner, Follow::nothing());
    match drive(
        inner,
        Wanted {
            tool: None,
            method,
            params,
            call: None,
            number,
            parameters: Vec::new(),
        },
        None,
        &mut patience,
    )
    .await?
    {
        Outcome::Done(result) => Ok(result),
        Outcome::Task(_) => Err(ConnectionError::Unreadable {
            problem: "a task is no answer to this".to_owned(),
        }),
    }
}

pub(super) async fn complete(
    inner: &Inner,
    complete: Complete,
) -> Result<Completion, ConnectionError> {
    offered(
        inner.initialize_result.capabilities.completions,
        "completions",
    )?;
    let Complete {
        of,
        argument,
        value,
        context,
    } = complete;
    let of = match of {
        CompletionOf::Prompt { name } => json!({ "type": "ref/prompt", "name": name }),
        CompletionOf::Template { uri_template } => {
            json!({ "type": "ref/resource", "uri": uri_template })
        }
    };
    let mut params = Map::from_iter([
        ("ref".to_owned(), of),
        (
            "argument".to_owned(),
            json!({ "name": argument, "value": value }),
        ),
    ]);
    // The two oldest revisions have no word for it.
    if !context.is_empty() && inner.initialize_result.server_info.protocol.as_str() >= "2025-06-18"
    {
        params.insert("context".to_owned(), json!({ "arguments": context }));
    }
    let reply = plain(
        inner,
        Ask::new("completion/complete", dressed(inner, params, None)),
    )
    .await?;
    wire::completion(reply).map_err(ConnectionError::unreadable)
}

pub(super) async fn set_log_level(
    inner: &Inner,
    SetLogLevel { level }: SetLogLevel,
) -> Result<(), ConnectionError> {
    offered(inner.initialize_result.capabilities.logs, "logs")?;
    *inner
        .log_level
        .lock()
        .unwrap_or_else(PoisonError::into_inner) = level;
    if let (Era::Legacy, Some(level)) = (inner.initialize_result.era, level) {
        plain(
            inner,
            Ask::new(
                "logging/setLevel",
                Map::from_iter([("level".to_owned(), json!(level))]),
            ),
        )
        .await?;
    }
    Ok(())
}
