//! Reads configurations of other applications. Nothing is kept by reading them, and approvals given
//! there are never taken over.
//!
//! Always true here:
//! - a file is read only if it lies in a usual place of its application, whatever a request says;
//! - what leads back to Majordomo cannot be imported;
//! - one entry that cannot be used loses no other, and entries keep the order of the text;
//! - what stands for another value (`${TOKEN}`) stays as it is written.

pub(crate) mod entry;
mod fields;
pub(crate) mod file;
pub(crate) mod find;
mod notation;
pub(crate) mod text;

use crate::drafts::{self, Secrets};
use crate::{Servers, connect, error, review};
use api::{
    DraftTarget, DraftValue, ErrorCode, HostError, ImportChoice, ImportEntry, ImportPreview,
    ImportSource, KeepSecrets, ReviewWarning, ServerDraft,
};
use entry::Entry;
pub use find::find;
use protocol::ServerId;
use std::collections::BTreeSet;

/// What a configuration holds.
pub(crate) struct Configuration {
    /// Where servers stood in it.
    format: String,
    pub(crate) entries: Vec<Entry>,
}

/// Shows what a configuration holds. `here` is the address at which applications come in over HTTP,
/// if they do.
pub async fn preview(
    servers: &Servers,
    from: ImportSource,
    here: Option<&str>,
) -> Result<ImportPreview, HostError> {
    let Configuration { format, entries } = read(servers, from).await?;
    let mut taken: BTreeSet<String> = servers.registry().ids().iter().map(ServerId::key).collect();
    let mut shown = Vec::new();
    for (place, entry) in (0..).zip(entries) {
        let name = free_name(&entry.source_name, &mut taken);
        let target = entry.target.and_then(|target| {
            let elsewhere = connect::check_leads_elsewhere(&target, here);
            elsewhere
                .map(|()| target)
                .map_err(|error| format!("{}; leave it out", error.message))
        });
        let (review, secrets, problem) = match target {
            Ok(target) => {
                let (secrets, warnings) = about_values(&target);
                match drafts::launch(target, None, Secrets::Look).await {
                    Ok(launch) => {
                        let mut review = review::review(
                            servers,
                            name.as_str(),
                            launch,
                            (None, None),
                            Default::default(),
                        )
                        .await;
                        review.warnings.extend(warnings);
                        (Some(review), secrets, None)
                    }
                    Err(error) => (None, Vec::new(), Some(error.message)),
                }
            }
            Err(problem) => (None, Vec::new(), Some(problem)),
        };
        let Entry {
            source_name,
            project,
            ignored,
            refused,
            ..
        } = entry;
        shown.push(ImportEntry {
            place,
            source_name,
            project,
            name,
            review,
            secrets,
            ignored,
            refused,
            problem,
        });
    }
    Ok(ImportPreview {
        format,
        entries: shown,
    })
}

/// A chosen entry: what it is called in the configuration, and what is to be kept of it.
pub struct Chosen {
    /// Its name there.
    pub source_name: String,
    /// What is kept, or why that cannot be.
    pub draft: Result<ServerDraft, HostError>,
}

/// The chosen entries, each by itself: one that cannot be kept does not lose the others.
pub async fn choose(
    servers: &Servers,
    from: ImportSource,
    choices: Vec<ImportChoice>,
    keep: KeepSecrets,
) -> Result<Vec<Chosen>, HostError> {
    let entries = read(servers, from).await?.entries;
    let mut left: Vec<Option<Entry>> = entries.into_iter().map(Some).collect();
    let mut chosen = Vec::with_capacity(choices.len());
    for choice in choices {
        // A file can have changed since the preview: the entry at this place must still have this
        // name.
        let fits = |entry: &Option<Entry>| {
            entry
                .as_ref()
                .is_some_and(|entry| entry.source_name == choice.source_name)
        };
        let found = match choice.place {
            Some(place) => left.get_mut(place as usize).filter(|entry| fits(entry)),
            None => left.iter_mut().find(|entry| fits(entry)),
        };
        let target = found
            .and_then(Option::take)
            .ok_or_else(|| "it is not in the configuration".to_owned())
            .and_then(|entry| entry.target);
        let draft = target
            .map(|target| ServerDraft {
                confinement: None,
                name: choice.name,
                target,
                keep,
            })
            .map_err(|problem| error::host(ErrorCode::BadCommand, problem));
        chosen.push(Chosen {
            source_name: choice.source_name,
            draft,
        });
    }
    Ok(chosen)
}

async fn read(servers: &Servers, from: ImportSource) -> Result<Configuration, HostError> {
    match from {
        ImportSource::Text { text } => text::read(&text),
        ImportSource::Found { application, path } => {
            text::read(&find::found_text(servers, application, &path).await?)
        }
    }
}

/// The settings that go to the keyring, and what is to be said about values that the review cannot
/// see.
fn about_values(target: &DraftTarget) -> (Vec<String>, Vec<ReviewWarning>) {
    let (DraftTarget::Stdio { env: settings, .. }
    | DraftTarget::Http {
        headers: settings, ..
    }) = target;
    let (mut secrets, mut warnings) = (Vec::new(), Vec::new());
    for setting in settings {
        match &setting.value {
            DraftValue::NewSecret { value } => {
                secrets.push(setting.name.clone());
                if inspect::has_hidden(value.expose()) || value.expose().trim() != value.expose() {
                    warnings.push(ReviewWarning::HiddenCharacters {
                        place: setting.name.clone(),
                    });
                }
                if review::placeholder::holds_placeholder(value.expose()) {
                    warnings.push(ReviewWarning::Placeholder {
                        name: setting.name.clone(),
                    });
                }
            }
            DraftValue::EmptySecret => secrets.push(setting.name.clone()),
            DraftValue::Plain { .. } | DraftValue::KeptSecret => {}
        }
    }
    (secrets, warnings)
}

fn free_name(wanted: &str, taken: &mut BTreeSet<String>) -> ServerId {
    let base = ServerId::nearest(wanted);
    let mut name = base.clone();
    let mut number = 2;
    while !taken.insert(name.key()) {
        let short: String = base.as_str().chars().take(ServerId::MAX - 5).collect();
        name = ServerId::nearest(&format!("{short}-{number}"));
        number += 1;
    }
    name
}
