//! Reads configurations of other applications. Nothing is kept by reading them, and approvals given there are never taken over.
//!
//! Always true here:
//! - a file is read only if it lies in a usual place of its application, whatever a request says;
//! - one entry that cannot be used loses no other, and entries keep the order of the text;
//! - what stands for another value (`${TOKEN}`) stays as it is written.

mod entry;
mod fields;
mod file;
mod find;
mod notation;
mod places;
mod text;

pub use places::{Folders, Os};

use crate::api::{
    DraftTarget, DraftValue, ErrorCode, HostError, ImportChoice, ImportEntry, ImportFailure, ImportOutcome, ImportPreview, ImportSource,
    KeepSecrets, ReviewWarning, ServerDraft,
};
use crate::commands::servers;
use crate::drafts::{self, Secrets};
use crate::{Host, Surface, error, review};
use entry::Entry;
pub(crate) use find::find;
use protocol::ServerId;
use std::collections::BTreeSet;

/// What a configuration holds.
struct Configuration {
    /// Where servers stood in it.
    format: String,
    entries: Vec<Entry>,
}

/// Shows what a configuration holds.
pub(crate) async fn preview(host: &Host, from: ImportSource) -> Result<ImportPreview, HostError> {
    let Configuration { format, entries } = read(host, from).await?;
    let mut taken: BTreeSet<String> = host.kept().ids().iter().map(ServerId::key).collect();
    let mut shown = Vec::new();
    for (place, entry) in (0..).zip(entries) {
        let name = free_name(&entry.source_name, &mut taken);
        let (review, secrets, problem) = match entry.target {
            Ok(target) => {
                let (secrets, warnings) = about_values(&target);
                match drafts::launch(target, None, Secrets::Look).await {
                    Ok(launch) => {
                        let mut review = review::review(host.programs(), name.as_str(), launch, None, None).await;
                        review.warnings.extend(warnings);
                        (Some(review), secrets, None)
                    }
                    Err(error) => (None, Vec::new(), Some(error.message)),
                }
            }
            Err(problem) => (None, Vec::new(), Some(problem)),
        };
        let Entry { source_name, project, ignored, refused, .. } = entry;
        shown.push(ImportEntry { place, source_name, project, name, review, secrets, ignored, refused, problem });
    }
    Ok(ImportPreview { format, entries: shown })
}

/// Keeps the chosen entries, each by itself: one that cannot be kept does not lose the others.
pub(crate) async fn keep(
    host: &Host,
    from: ImportSource,
    choices: Vec<ImportChoice>,
    keep: KeepSecrets,
    surface: &Surface,
) -> Result<ImportOutcome, HostError> {
    let mut left: Vec<Option<Entry>> = read(host, from).await?.entries.into_iter().map(Some).collect();
    let mut outcome = ImportOutcome { added: Vec::new(), failed: Vec::new() };
    for choice in choices {
        // A file can have changed since the preview: the entry at this place must still have this name.
        let fits = |entry: &Option<Entry>| entry.as_ref().is_some_and(|entry| entry.source_name == choice.source_name);
        let found = match choice.place {
            Some(place) => left.get_mut(place as usize).filter(|entry| fits(entry)),
            None => left.iter_mut().find(|entry| fits(entry)),
        };
        let target = found.and_then(Option::take).ok_or_else(|| "it is not in the configuration".to_owned()).and_then(|entry| entry.target);
        let kept = match target {
            Ok(target) => servers::add(host, ServerDraft { name: choice.name, target, keep }, surface).await,
            Err(problem) => Err(error::host(ErrorCode::BadCommand, problem)),
        };
        match kept {
            Ok(view) => outcome.added.push(view),
            Err(error) => outcome.failed.push(ImportFailure { source_name: choice.source_name, error }),
        }
    }
    Ok(outcome)
}

async fn read(host: &Host, from: ImportSource) -> Result<Configuration, HostError> {
    match from {
        ImportSource::Text { text } => text::read(&text),
        ImportSource::Found { application, path } => text::read(&find::found_text(host, application, &path).await?),
    }
}

/// The settings that go to the keyring, and what is to be said about values that the review cannot see.
fn about_values(target: &DraftTarget) -> (Vec<String>, Vec<ReviewWarning>) {
    let (DraftTarget::Stdio { env: settings, .. } | DraftTarget::Http { headers: settings, .. }) = target;
    let (mut secrets, mut warnings) = (Vec::new(), Vec::new());
    for setting in settings {
        match &setting.value {
            DraftValue::NewSecret { value } => {
                secrets.push(setting.name.clone());
                if inspect::has_hidden(value.expose()) || value.expose().trim() != value.expose() {
                    warnings.push(ReviewWarning::HiddenCharacters { place: setting.name.clone() });
                }
                if review::placeholder::holds_placeholder(value.expose()) {
                    warnings.push(ReviewWarning::Placeholder { name: setting.name.clone() });
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
