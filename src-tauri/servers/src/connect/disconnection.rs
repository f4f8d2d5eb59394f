//! How a connection is taken back: planned.

use super::document::{self, Change};
use super::entry::{self, NAME};
use super::file::{self, FileText};
use super::plan::{Planned, Step};
use super::record::{self, Before, Connected};
use super::target::{Target, named};
use crate::Servers;
use crate::import::find::patiently;
use api::{Application, ConnectionPlan, FileFate, HostError};

/// Plans to give a file back, or to take the entry out of it. `name` is what the client is called.
///
/// # Errors
/// `bad_path` for a file that is not listed.
pub async fn disconnection(
    servers: &Servers,
    application: Application,
    path: &str,
    name: String,
) -> Result<Planned, HostError> {
    let target = named(servers, application, path).await?;
    let record = record::of(servers, &target).await?;
    let copy = match record.as_ref().and_then(|record| record.before.copy()) {
        // Without it the entry is taken out.
        Some(path) => servers.store().backups().read(path.clone()).await.ok(),
        None => None,
    };
    let of_file = target.clone();
    let of_record = record.clone();
    let outcome = patiently(move || {
        let file = file::read(&of_file.path)?;
        let (fate, after) = given_back(&of_file, &file, of_record.as_ref(), copy)?;
        if fate != FileFate::Untouched {
            file::writable(&file)?;
        }
        let text = file.text.as_deref().unwrap_or_default();
        let document = document::read(of_file.notation(), text).unwrap_or_default();
        let place = of_file.place(&document);
        let own = document::entry(&document, place, NAME).and_then(entry::client);
        Ok::<_, String>((fate, file, after, document, own))
    })
    .await?;
    let client = record.map(|record| record.client);
    Ok(match outcome {
        Ok((fate, file, after, document, own)) => {
            let client = client.or(own);
            let step = Step {
                fate,
                file,
                after,
                is_before: false,
                record: None,
            };
            let plan = step.shown(&document);
            Planned::new(servers, target, (client, name), plan, Some(step))
        }
        Err(problem) => {
            let snippet = String::new();
            let plan = ConnectionPlan::Paste { problem, snippet };
            Planned::new(servers, target, (client, name), plan, None)
        }
    })
}

/// What becomes of a file when a connection is taken back, and what it holds then.
fn given_back(
    target: &Target,
    file: &FileText,
    record: Option<&Connected>,
    copy: Option<String>,
) -> Result<(FileFate, Option<String>), String> {
    let Some(text) = &file.text else {
        return Ok((FileFate::Untouched, None));
    };
    if let Some(record) = record
        && record.left == record::hash(text)
    {
        match (&record.before, copy) {
            (Before::Nothing, _) => return Ok((FileFate::Removed, None)),
            (Before::Copy { .. }, Some(copy)) => return Ok((FileFate::Restored, Some(copy))),
            _ => {}
        }
    }
    let document = document::read(target.notation(), text)?;
    let place = target.place(&document);
    // Something else of that name is not ours.
    let is_ours = document::entry(&document, place, NAME)
        .and_then(entry::client)
        .is_some();
    if !is_ours {
        return Ok((FileFate::Untouched, Some(text.clone())));
    }
    let after = document::edit(target.notation(), text, place, &[Change::Take(NAME)])?;
    Ok((FileFate::Changed, Some(after)))
}
