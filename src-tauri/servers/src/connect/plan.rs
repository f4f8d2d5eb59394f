//! What is done with an application's file: shown, and then done as it was shown.

use super::difference;
use super::file::{self, FileText, WriteError};
use super::record::{self, Before, Connected};
use super::target::Target;
use crate::{Servers, error};
use api::{ConnectionPlan, ConnectionPreview, ErrorCode, FileFate, HostError};
use protocol::{CallerId, Fingerprint};
use serde_json::{Value, json};
use std::path::PathBuf;
use tokio::task::JoinError;

/// What would be done with a file.
pub struct Planned {
    target: Target,
    preview: ConnectionPreview,
    /// What is done; none where the person has to do it.
    step: Option<Step>,
}

/// What is done with a file.
pub(super) struct Step {
    pub fate: FileFate,
    pub file: FileText,
    /// What it holds afterwards; none if there is no file then.
    pub after: Option<String>,
    /// Whether what it holds now is what it held before it was connected.
    pub is_before: bool,
    /// What is remembered of it afterwards.
    pub record: Option<Connected>,
}

impl Step {
    /// The step as a person is shown it.
    pub fn shown(&self, document: &Value) -> ConnectionPlan {
        let secrets = difference::secrets(document);
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let (before, after) = (text(&self.file.text), text(&self.after));
        let (lines, more) = difference::difference(&before, &after, &secrets);
        ConnectionPlan::Write {
            file: self.fate,
            lines,
            more,
            hash: self.hash(),
        }
    }

    /// Stands for everything that would be done.
    fn hash(&self) -> Fingerprint {
        let hash = |text: &Option<String>| text.as_deref().map(record::hash);
        Fingerprint::of(&json!({
            "file": self.file.real.to_string_lossy(),
            "before": hash(&self.file.text),
            "after": hash(&self.after),
        }))
    }
}

impl Planned {
    pub(super) fn new(
        servers: &Servers,
        target: Target,
        (client, name): (Option<CallerId>, String),
        plan: ConnectionPlan,
        step: Option<Step>,
    ) -> Self {
        let preview = ConnectionPreview {
            application: target.application,
            path: target.shown(),
            leads_to: target.leads_to.clone(),
            client,
            name,
            plan: covered(servers, plan),
            takes_up: target.takes_up(),
        };
        Self {
            target,
            preview,
            step,
        }
    }

    /// How it is shown.
    pub fn preview(self) -> ConnectionPreview {
        self.preview
    }

    /// Fails with `file_changed` unless this is what was shown under the hash, and with
    /// `file_not_written` where nothing can be done.
    pub fn check(&self, hash: &Fingerprint) -> Result<(), HostError> {
        match &self.preview.plan {
            ConnectionPlan::Write { hash: now, .. } if now == hash => Ok(()),
            ConnectionPlan::Write { .. } => Err(changed(&self.target)),
            ConnectionPlan::Paste { problem, .. } => Err(not_written(&self.target, problem)),
        }
    }

    /// Does it: keeps a copy, writes the file, and remembers what was done.
    ///
    /// # Errors
    /// `file_changed` where somebody else has written the file meanwhile, `file_not_written` where
    /// it cannot be written; the file is as it was then. As the store, where the copy cannot be
    /// kept.
    pub async fn carry_out(self, servers: &Servers) -> Result<(), HostError> {
        let Self {
            target,
            step,
            preview,
        } = self;
        let Some(mut step) = step else {
            return Err(not_written(&target, "nothing can be written there"));
        };
        let earlier = record::of(servers, &target).await?;
        if step.fate == FileFate::Changed
            && let (Some(text), Some(client)) = (&step.file.text, &preview.client)
        {
            let path = copied(servers, client, text.clone()).await?;
            if let Some(record) = step.record.as_mut().filter(|_| step.is_before) {
                record.before = Before::Copy { path };
            }
        }
        let (fate, record) = (step.fate, step.record.take());
        if fate != FileFate::Untouched {
            // However long it takes: of a file that is still being written nobody knows whether it
            // was.
            let written = tokio::task::spawn_blocking(move || match &step.after {
                Some(after) => file::write(&step.file, after),
                None => file::remove(&step.file),
            });
            let failed = |problem: JoinError| Err(WriteError::Failed(problem.to_string()));
            let written = written.await.unwrap_or_else(failed);
            written.map_err(|problem| refused(&target, problem))?;
        }
        record::keep(servers, &target, record).await?;
        let copy = earlier.and_then(|record| record.before.copy().cloned());
        if let Some(copy) = copy.filter(|_| fate == FileFate::Restored) {
            // The file holds it again.
            if let Err(problem) = servers.store().backups().forget(copy).await {
                tracing::warn!(%problem, "a copy that is not needed any more stays");
            }
        }
        Ok(())
    }
}

fn refused(target: &Target, problem: WriteError) -> HostError {
    match problem {
        WriteError::Changed => changed(target),
        WriteError::Failed(problem) => not_written(target, &problem),
        WriteError::Beside(path) => not_written(
            target,
            &format!(
                "another program wrote to it at the same time, and what it wrote lies in {}",
                path.display()
            ),
        ),
    }
}

/// Keeps a copy of what a file held. What other records need is not let go for it.
async fn copied(servers: &Servers, client: &CallerId, text: String) -> Result<PathBuf, HostError> {
    let records = record::all(servers).await?;
    let needed = records
        .iter()
        .filter_map(|record| record.before.copy().cloned());
    let (backups, now) = (servers.store().backups(), servers.now());
    Ok(backups.keep(client, text, now, needed.collect()).await?)
}

/// A plan in which values of held secrets are covered, too.
fn covered(servers: &Servers, plan: ConnectionPlan) -> ConnectionPlan {
    let masked = |text: String| servers.secrets().masked(&text);
    match plan {
        ConnectionPlan::Write {
            file,
            mut lines,
            more,
            hash,
        } => {
            for line in &mut lines {
                line.text = masked(std::mem::take(&mut line.text));
            }
            ConnectionPlan::Write {
                file,
                lines,
                more,
                hash,
            }
        }
        ConnectionPlan::Paste { problem, snippet } => ConnectionPlan::Paste {
            problem: masked(problem),
            snippet,
        },
    }
}

fn changed(target: &Target) -> HostError {
    let message = format!("{} is not what was shown any more", target.shown());
    error::host(ErrorCode::FileChanged, message)
}

fn not_written(target: &Target, problem: &str) -> HostError {
    let message = format!("{} was not written: {problem}", target.shown());
    error::host(ErrorCode::FileNotWritten, message)
}
