//! Finds configurations of other applications in their usual places. What is there and cannot be
//! read is listed with the reason.

use super::text::{self, projects};
use super::{Configuration, file};
use crate::applications::{Folders, Installation, Spot};
use crate::{Servers, error};
use api::{Application, ErrorCode, FoundConfiguration, HostError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long looking may take. A folder can lie on a network that does not answer.
const SCAN_TIMEOUT: Duration = Duration::from_secs(20);
/// How many projects of one application are looked into.
const MAX_PROJECTS: usize = 500;
/// How many folders are looked through for one whose name is known in part.
const MAX_FOLDERS: usize = 5000;

/// Lists the configurations that are there.
pub async fn find(servers: &Servers) -> Result<Vec<FoundConfiguration>, HostError> {
    let Some(folders) = servers.folders().cloned() else {
        return Ok(Vec::new());
    };
    patiently(move || {
        let found = files(&folders);
        found
            .into_iter()
            .map(|(application, path)| look(application, &path))
            .collect()
    })
    .await
}

/// The text of a configuration that [`find`] lists; no other file is opened.
pub(super) async fn found_text(
    servers: &Servers,
    application: Application,
    path: &str,
) -> Result<String, HostError> {
    let nothing = || {
        error::host(
            ErrorCode::BadPath,
            format!("no configuration was found at {path}"),
        )
    };
    let folders = servers.folders().cloned().ok_or_else(nothing)?;
    let wanted = path.to_owned();
    let text = patiently(move || {
        let mut found = files(&folders).into_iter();
        found
            .find(|(whose, file)| *whose == application && shown(file) == wanted)
            .map(|(_, path)| file::read(&path))
    })
    .await?;
    text.ok_or_else(nothing)?
        .map_err(|problem| error::host(ErrorCode::ImportUnreadable, format!("{path}: {problem}")))
}

pub(crate) async fn patiently<T: Send + 'static>(
    look: impl FnOnce() -> T + Send + 'static,
) -> Result<T, HostError> {
    let looking = tokio::time::timeout(SCAN_TIMEOUT, tokio::task::spawn_blocking(look));
    looking
        .await
        .map_err(|_| {
            error::host(
                ErrorCode::TooSlow,
                "looking for configurations took too long",
            )
        })?
        .map_err(|problem| {
            error::host(
                ErrorCode::Internal,
                format!("looking for configurations failed: {problem}"),
            )
        })
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn look(application: Application, path: &Path) -> FoundConfiguration {
    let (servers, problem) = match file::read(path).map(|text| text::read(&text)) {
        Ok(Ok(Configuration { entries, .. })) => {
            (u32::try_from(entries.len()).unwrap_or(u32::MAX), None)
        }
        Ok(Err(error)) if error.code == ErrorCode::ImportNoServers => (0, None),
        Ok(Err(error)) => (0, Some(error.message)),
        Err(problem) => (0, Some(problem)),
    };
    FoundConfiguration {
        application,
        path: shown(path),
        servers,
        problem,
    }
}

/// Everything that lies at one of the places, what cannot be read included.
fn files(folders: &Folders) -> Vec<(Application, PathBuf)> {
    let mut found: Vec<(Application, PathBuf)> = Vec::new();
    for installation in folders.installations() {
        let Installation {
            application,
            files,
            old,
            ..
        } = installation;
        for path in files.iter().chain(&old).flat_map(spelled_out) {
            if !is_there(&path) {
                continue;
            }
            let in_projects = if application == Application::ClaudeCode {
                of_projects(&path)
            } else {
                Vec::new()
            };
            found.extend(
                std::iter::once(path)
                    .chain(in_projects)
                    .map(|path| (application, path)),
            );
        }
    }
    found
}

/// The paths that a spot stands for here.
pub(crate) fn spelled_out(spot: &Spot) -> Vec<PathBuf> {
    match spot {
        Spot::At(path) => vec![path.clone()],
        Spot::Below {
            within,
            beginning,
            rest,
        } => below(within, beginning)
            .into_iter()
            .map(|folder| folder.join(rest))
            .collect(),
    }
}

/// A link that leads nowhere, or a folder that may not be entered, is something to be told about.
pub(crate) fn is_there(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(problem) => problem.kind() == std::io::ErrorKind::PermissionDenied,
    }
}

fn below(within: &Path, beginning: &str) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(within)
        .into_iter()
        .flatten()
        .take(MAX_FOLDERS)
        .flatten();
    let mut fitting: Vec<_> = folders
        .filter(|folder| folder.file_name().to_string_lossy().starts_with(beginning))
        .map(|f| f.path())
        .collect();
    fitting.sort();
    fitting
}

/// The `.mcp.json` of each project that Claude Code knows.
fn of_projects(configuration: &Path) -> Vec<PathBuf> {
    folders_of_projects(configuration)
        .into_iter()
        .map(|project| project.join(".mcp.json"))
        .filter(|path| is_there(path))
        .collect()
}

/// The folder of each project that Claude Code knows.
pub(crate) fn folders_of_projects(configuration: &Path) -> Vec<PathBuf> {
    let names = file::read(configuration)
        .map(|text| projects(&text))
        .unwrap_or_default();
    // Asking another computer for a file would tell it who is asking.
    let here = names
        .into_iter()
        .filter(|name| !name.starts_with("\\\\") && !name.starts_with("//"))
        .map(PathBuf::from);
    here.filter(|path| path.is_absolute())
        .take(MAX_PROJECTS)
        .collect()
}
