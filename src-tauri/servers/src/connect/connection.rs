//! How the entry of an application is written: planned.

use super::bypass;
use super::document::{self, Change};
use super::entry::{self, NAME};
use super::file::{self, FileText};
use super::plan::{Planned, Step};
use super::record::{self, Before, Connected};
use super::target::{Target, named};
use crate::Servers;
use crate::import::find::patiently;
use api::{Application, ConnectionPlan, FileFate, HostError};
use protocol::CallerId;
use serde_json::{Value, json};

/// What a person wants to have written.
pub struct Wanted {
    /// Which application.
    pub application: Application,
    /// Its file, as listed.
    pub path: String,
    /// Names of servers that it no longer starts itself.
    pub without: Vec<String>,
    /// As which client it comes in.
    pub client: CallerId,
    /// What that client is called.
    pub name: String,
    /// What `majordomoctl` is given.
    pub args: Vec<String>,
}

/// Plans to write the entry of an application.
///
/// # Errors
/// `bad_path` for a file that is not listed, `program_incomplete` where the bridge is not there,
/// `bad_name` for a server that cannot be taken out.
pub async fn connection(servers: &Servers, wanted: Wanted) -> Result<Planned, HostError> {
    let target = named(servers, wanted.application, &wanted.path).await?;
    let program = servers.programs().terminal()?;
    bypass::check_removable(servers, &target, &wanted.without).await?;
    let record = record::of(servers, &target).await?;
    let now = servers.now();
    let entry = entry::entry(target.application, &program.to_string_lossy(), &wanted.args);
    let Wanted {
        without,
        client,
        name,
        ..
    } = wanted;
    let of_file = target.clone();
    let outcome = patiently(move || {
        let (file, edited) = edited(&of_file, &without, &entry)?;
        let (before, is_before) = before(record, &file, edited.had_entry);
        let record = Connected {
            application: of_file.application,
            path: of_file.shown(),
            client,
            left: record::hash(&edited.after),
            before,
            entry,
            at: now,
        };
        let fate = match &file.text {
            None => FileFate::Made,
            Some(text) if *text == edited.after => FileFate::Untouched,
            Some(_) => FileFate::Changed,
        };
        let step = Step {
            fate,
            file,
            after: Some(edited.after),
            is_before,
            record: Some(record),
        };
        Ok((step, edited.document))
    })
    .await?;
    Ok(match outcome {
        Ok((step, document)) => {
            let plan = step.shown(&document);
            let client = step.record.as_ref().map(|record| record.client.clone());
            Planned::new(servers, target, (client, name), plan, Some(step))
        }
        Err(Unwritable { problem, snippet }) => {
            let plan = ConnectionPlan::Paste { problem, snippet };
            Planned::new(servers, target, (None, name), plan, None)
        }
    })
}

/// Why a file is not written, and what a person can put there.
struct Unwritable {
    problem: String,
    snippet: String,
}

/// A text with the entry in it.
struct Edited {
    document: Value,
    after: String,
    /// Whether there was an entry before.
    had_entry: bool,
}

fn edited(
    target: &Target,
    without: &[String],
    entry: &Value,
) -> Result<(FileText, Edited), Unwritable> {
    let notation = target.notation();
    let edit = |file: &FileText| {
        file::writable(file)?;
        let text = file.text.as_deref().unwrap_or(target.beginning());
        let document = document::read(notation, text)?;
        let place = target.place(&document);
        let taken = without.iter().map(|name| Change::Take(name));
        let changes: Vec<Change<'_>> = taken.chain([Change::Put(NAME, entry)]).collect();
        let after = document::edit(notation, text, place, &changes)?;
        let had_entry = document::entry(&document, place, NAME).is_some();
        Ok::<_, String>(Edited {
            document,
            after,
            had_entry,
        })
    };
    let file = file::read(&target.path);
    let edited = file.and_then(|file| Ok((edit(&file)?, file)));
    edited
        .map(|(edited, file)| (file, edited))
        .map_err(|problem| {
            let place = target.place(&json!({}));
            Unwritable {
                problem,
                snippet: document::snippet(notation, place, NAME, entry),
            }
        })
}

/// What was there before the entry, as it is known when it is written again, and whether that is
/// what is there now.
fn before(record: Option<Connected>, file: &FileText, had_entry: bool) -> (Before, bool) {
    match (&file.text, record) {
        (None, _) => (Before::Nothing, false),
        // As it was left: what was before that is still what was before.
        (Some(text), Some(record)) if record.left == record::hash(text) => (record.before, false),
        (Some(_), Some(_)) if had_entry => (Before::Lost, false),
        (Some(_), _) => (Before::Lost, true),
    }
}
