//! What servers list beside tools: as they list it now or, of one that rests, as it listed it last.
//!
//! Always true here: who may send nothing to a server starts none.

use super::{failed, running};
use crate::{Calls, rules};
use api::{Capabilities, HostError};
use connections::ConnectionError;
use protocol::{Caller, PromptSpec, ResourceSpec, ServerId, TemplateSpec};
use servers::catalogue;
use store::CataloguePart;

/// What a server offers to read.
pub(super) struct Resources {
    pub resources: Vec<ResourceSpec>,
    pub templates: Vec<TemplateSpec>,
    /// The addresses that are watched until that is taken back.
    pub watched: Vec<String>,
}

pub(super) async fn resources(
    calls: &Calls,
    id: &ServerId,
    caller: &Caller,
) -> Result<Resources, HostError> {
    rules::may_send(calls, caller, id)?;
    offers(calls, id, "resources", |able| able.resources)?;
    let kept = catalogue::stored(calls, id, CataloguePart::Resources).await?;
    let templates = catalogue::stored(calls, id, CataloguePart::Templates).await?;
    if let Some((resources, templates)) = kept.zip(templates) {
        return Ok(Resources {
            resources,
            templates,
            watched: Vec::new(),
        });
    }
    let running = running(calls, id).await?;
    let told = |error: ConnectionError| failed(calls, id, &error);
    let connection = &running.connection;
    Ok(Resources {
        resources: connection.resources().await.map_err(told)?,
        templates: connection.templates().await.map_err(told)?,
        watched: connection.kept_watches(),
    })
}

pub(super) async fn prompts(
    calls: &Calls,
    id: &ServerId,
    caller: &Caller,
) -> Result<Vec<PromptSpec>, HostError> {
    rules::may_send(calls, caller, id)?;
    offers(calls, id, "prompts", |able| able.prompts)?;
    if let Some(prompts) = catalogue::stored(calls, id, CataloguePart::Prompts).await? {
        return Ok(prompts);
    }
    let running = running(calls, id).await?;
    let prompts = running.connection.prompts().await;
    prompts.map_err(|error| failed(calls, id, &error))
}

/// One that rests need not be started to say that it offers nothing of a kind.
fn offers(
    calls: &Calls,
    id: &ServerId,
    what: &'static str,
    offers: impl Fn(&Capabilities) -> bool,
) -> Result<(), HostError> {
    let now = calls.registry().now(id)?;
    if now.rests() && !now.run.abilities.as_ref().is_some_and(offers) {
        return Err(failed(calls, id, &ConnectionError::NotOffered { what }));
    }
    Ok(())
}
