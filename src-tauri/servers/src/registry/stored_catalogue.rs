//! What the store has of what a server offers, before it has run here.

use super::offered::Offered;
use api::{Capabilities, ServerClaims};
use protocol::{Feature, PromptSpec, ServerId, TemplateSpec};
use serde::{Deserialize, Serialize};
use store::{CataloguePart, Store, StoreError};

/// What a server says about itself, and what it can do.
#[derive(Serialize, Deserialize)]
pub(crate) struct About {
    pub claims: ServerClaims,
    pub abilities: Capabilities,
}

/// Takes in what is kept of a server that has not run yet.
pub(super) async fn take_in(
    store: &Store,
    id: &ServerId,
    offered: &mut Offered,
) -> Result<Option<About>, StoreError> {
    let catalogues = store.catalogues();
    let Some(about) = catalogues.load::<About>(id, CataloguePart::About).await? else {
        return Ok(None);
    };
    let claims = &about.claims;
    offered.take_about(Feature::about(
        &claims.name,
        claims.title.as_deref(),
        claims.instructions.as_deref(),
        claims.icon.as_deref(),
    ));
    let prompts = catalogues.load::<Vec<PromptSpec>>(id, CataloguePart::Prompts);
    if let Some(prompts) = prompts.await? {
        offered.take_prompts(prompts.iter().map(Feature::prompt).collect());
    }
    let templates = catalogues.load::<Vec<TemplateSpec>>(id, CataloguePart::Templates);
    if let Some(templates) = templates.await? {
        offered.take_templates(templates.iter().map(Feature::template).collect());
    }
    Ok(Some(about))
}
