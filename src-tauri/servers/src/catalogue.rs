//! What a server offers beside tools, kept for who asks while it rests.
//!
//! Always true here:
//! - what is kept was listed by the server itself, secrets covered; how it stands to what was
//!   approved is decided by the pins, whether the server runs or not;
//! - what is not kept is not known, and then the server is asked.

use crate::{Servers, masked};
use api::HostError;
use connections::Connection;
use protocol::{PromptSpec, ServerId, TemplateSpec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::CataloguePart;

/// Keeps a part that a server has just listed. Where that fails the server is asked again.
pub(crate) async fn keep(
    servers: &Servers,
    id: &ServerId,
    part: CataloguePart,
    content: &(impl Serialize + Sync),
) {
    if let Err(error) = servers.store().catalogues().save(id, part, content).await {
        tracing::warn!(server = %id, %error, "what it offers could not be kept; it is started when somebody asks");
        forget(servers, id, part).await;
    }
}

/// Forgets a part: it may not be so any more.
async fn forget(servers: &Servers, id: &ServerId, part: CataloguePart) {
    if let Err(error) = servers.store().catalogues().forget(id, part).await {
        tracing::warn!(server = %id, %error, "what it offered before could not be forgotten");
    }
}

/// What is kept of a part of a server that rests; nothing if it must be asked.
pub async fn stored<T: DeserializeOwned + Send + 'static>(
    servers: &Servers,
    id: &ServerId,
    part: CataloguePart,
) -> Result<Option<T>, HostError> {
    if !servers.registry().now(id)?.rests() {
        return Ok(None);
    }
    Ok(servers.store().catalogues().load(id, part).await?)
}

/// Asks a server for its resources, and keeps them.
pub async fn take_resources(servers: &Servers, id: &ServerId, connection: &Connection) {
    if !connection.capabilities().resources {
        return;
    }
    match connection.resources().await {
        Ok(resources) => {
            let masker = servers.secrets().masker();
            let resources: Vec<_> = masked::resources(resources, &masker).collect();
            keep(servers, id, CataloguePart::Resources, &resources).await;
        }
        Err(error) => {
            tracing::debug!(server = %id, %error, "its resources could not be listed");
            forget(servers, id, CataloguePart::Resources).await;
        }
    }
}

/// Keeps the prompts that a server has listed.
pub(crate) async fn keep_prompts(servers: &Servers, id: &ServerId, prompts: &[PromptSpec]) {
    let masker = servers.secrets().masker();
    let prompts: Vec<_> = masked::prompts(prompts.to_vec(), &masker).collect();
    keep(servers, id, CataloguePart::Prompts, &prompts).await;
}

/// Keeps the templates that a server has listed.
pub(crate) async fn keep_templates(servers: &Servers, id: &ServerId, templates: &[TemplateSpec]) {
    let masker = servers.secrets().masker();
    let templates: Vec<_> = masked::templates(templates.to_vec(), &masker).collect();
    keep(servers, id, CataloguePart::Templates, &templates).await;
}
