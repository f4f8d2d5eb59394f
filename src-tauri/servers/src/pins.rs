//! What a server offers, and how it stands to what a person has approved.
//!
//! Always true here:
//! - nothing that a server offers may be used before a person has approved it exactly as it is;
//!   what this program itself offers is approved;
//! - what a kind holds is compared only after the server was asked for it: what was not listed is
//!   not gone;
//! - while words of a server about itself wait for a person, all else that it offers waits too.

mod decide;
mod look;

pub use decide::{decide, renamed_tools};
pub use look::{findings, review};

use crate::registry::{Offered, Quarantined};
use crate::{Servers, catalogue};
use api::HostError;
use connections::{Connection, ConnectionError};
use protocol::{Feature, FeatureKind, PromptSpec, ServerId, TemplateSpec};
use store::Entry;

/// Takes over what a server lists, and writes down what of it has changed. What an older start
/// still reports is passed over.
pub(crate) fn take(
    servers: &Servers,
    id: &ServerId,
    generation: u64,
    list: impl FnOnce(&mut Offered),
) {
    let changed = servers.registry().change(id, |now| {
        if now.run.generation != generation {
            return None;
        }
        list(now.offered_mut());
        now.offered_mut().unnoted()
    });
    note(servers, id, changed.unwrap_or_default());
}

/// Writes down what one list has changed of that which was approved.
pub(crate) fn note(servers: &Servers, id: &ServerId, changed: Option<Quarantined>) {
    let Some(changed) = changed else { return };
    let (weak, server) = (servers.weak(), id.clone());
    servers.tell_recurring(id, "offer_quarantined", move |times| {
        let Some(servers) = weak.upgrade() else { return };
        let entry = Entry {
            server: Some(server.clone()),
            ..Entry::new(servers.now(), changed.event(times))
        };
        if let Err(error) = servers.record(entry) {
            tracing::error!(%server, %error, "that something has changed could not be written to the log");
        }
    });
}

/// Asks a server for what it offers beside tools, so that all of it can be reviewed. What cannot be
/// listed stays as it was.
pub async fn take_rest(servers: &Servers, id: &ServerId, generation: u64, connection: &Connection) {
    let able = connection.capabilities();
    if able.prompts {
        match connection.prompts().await {
            Ok(prompts) => {
                take_prompts(servers, id, generation, &prompts);
                catalogue::keep_prompts(servers, id, &prompts).await;
            }
            Err(error) => unlisted(id, &error, "prompts"),
        }
    }
    if able.resources {
        match connection.templates().await {
            Ok(templates) => {
                take_templates(servers, id, generation, &templates);
                catalogue::keep_templates(servers, id, &templates).await;
            }
            Err(error) => unlisted(id, &error, "resource templates"),
        }
    }
    servers.tell_changed(id);
}

/// A server that ends while it is asked has its own word for that.
fn unlisted(id: &ServerId, error: &ConnectionError, what: &str) {
    if !matches!(error, ConnectionError::ConnectionLost { .. }) {
        tracing::warn!(server = %id, %error, what, "something that it offers could not be listed for review");
    }
}

/// Asks a running server for what was not listed since it was connected.
pub async fn list_rest(servers: &Servers, id: &ServerId) -> Result<(), HostError> {
    let now = servers.registry().now(id)?;
    let Some(connection) = &now.run.connection else {
        return Ok(());
    };
    let able = connection.capabilities();
    if able.prompts && !now.offered.has_listed(FeatureKind::Prompt)
        || able.resources && !now.offered.has_listed(FeatureKind::Template)
    {
        take_rest(servers, id, now.run.generation, connection).await;
    }
    Ok(())
}

fn take_prompts(servers: &Servers, id: &ServerId, generation: u64, prompts: &[PromptSpec]) {
    let masker = servers.secrets().masker();
    let prompts = prompts
        .iter()
        .filter(|prompt| masker.mask(&prompt.name).is_none());
    let prompts = prompts
        .map(|prompt| masked(&masker, Feature::prompt(prompt)))
        .collect();
    take(servers, id, generation, |offered| {
        offered.take_prompts(prompts)
    });
}

fn take_templates(servers: &Servers, id: &ServerId, generation: u64, templates: &[TemplateSpec]) {
    let masker = servers.secrets().masker();
    let templates = templates
        .iter()
        .filter(|template| masker.mask(&template.uri_template).is_none());
    let templates = templates
        .map(|template| masked(&masker, Feature::template(template)))
        .collect();
    take(servers, id, generation, |offered| {
        offered.take_templates(templates)
    });
}

fn masked(masker: &inspect::Masker, mut feature: Feature) -> Feature {
    masker.mask_map(&mut feature.definition);
    feature
}
