//! Reads another application's configuration. Nothing is kept by reading it, and approvals given there are never taken over.

mod entry;
mod find;

use crate::api::ErrorCode;
use crate::api::{
    DraftTarget, DraftValue, HostError, ImportChoice, ImportEntry, ImportFailure, ImportOutcome, ImportPreview, KeepSecrets, ServerDraft,
};
use crate::commands::servers;
use crate::drafts::{self, Secrets};
use crate::{Host, error, review};
use protocol::ServerId;
use std::collections::BTreeSet;

/// What one entry of a configuration says.
struct Parsed {
    source_name: String,
    target: Result<DraftTarget, String>,
    ignored: Vec<String>,
}

/// Shows what a configuration holds.
pub(crate) async fn preview(host: &Host, text: &str) -> Result<ImportPreview, HostError> {
    let (format, parsed) = find::servers(text)?;
    let mut taken: BTreeSet<String> = host.kept().ids().iter().map(ServerId::key).collect();
    let mut entries = Vec::new();
    for item in parsed {
        let name = free_name(&item.source_name, &mut taken);
        let (review, secrets, problem) = match item.target {
            Ok(target) => {
                let secrets = secret_names(&target);
                match drafts::launch(target, None, Secrets::Look).await {
                    Ok(launch) => (Some(review::review(host.programs(), name.as_str(), launch)), secrets, None),
                    Err(error) => (None, Vec::new(), Some(error.message)),
                }
            }
            Err(problem) => (None, Vec::new(), Some(problem)),
        };
        entries.push(ImportEntry { source_name: item.source_name, name, review, secrets, ignored: item.ignored, problem });
    }
    Ok(ImportPreview { format, entries })
}

/// Keeps the chosen entries, each by itself: one that cannot be kept does not lose the others.
pub(crate) async fn keep(host: &Host, text: &str, choices: Vec<ImportChoice>, keep: KeepSecrets) -> Result<ImportOutcome, HostError> {
    let (_, mut parsed) = find::servers(text)?;
    let mut outcome = ImportOutcome { added: Vec::new(), failed: Vec::new() };
    for choice in choices {
        // Of two entries with one name the first choice means the first.
        let found = parsed.iter().position(|item| item.source_name == choice.source_name).map(|index| parsed.remove(index));
        let target = found.ok_or_else(|| "it is not in the configuration".to_owned()).and_then(|item| item.target);
        let kept = match target {
            Ok(target) => servers::add(host, ServerDraft { name: choice.name, target, keep }).await,
            Err(problem) => Err(error::host(ErrorCode::BadCommand, problem)),
        };
        match kept {
            Ok(view) => outcome.added.push(view),
            Err(error) => outcome.failed.push(ImportFailure { source_name: choice.source_name, error }),
        }
    }
    Ok(outcome)
}

fn secret_names(target: &DraftTarget) -> Vec<String> {
    let (DraftTarget::Stdio { env: settings, .. } | DraftTarget::Http { headers: settings, .. }) = target;
    settings.iter().filter(|setting| matches!(setting.value, DraftValue::NewSecret { .. })).map(|setting| setting.name.clone()).collect()
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
