//! Servers that applications start or call themselves: nobody is asked about their calls, and
//! nothing of them is in the log.
//!
//! Always true here:
//! - configurations are only read, those of projects too;
//! - what leads here is told in one way, whether it is listed, imported or added;
//! - whether it is a server that is known here is told by what runs or is called, not by its name.

use super::entry::{client_of, is_bridge};
use super::target::{Target, targets};
use super::{difference, document};
use crate::applications::{Folders, Installation, OF_PROJECTS};
use crate::drafts::{self, Secrets};
use crate::import::entry::Entry;
use crate::import::find::{folders_of_projects, is_there, patiently, spelled_out};
use crate::import::{file, text};
use crate::{Servers, error, identity, recipient};
use api::{Application, Bypass, DraftTarget, ErrorCode, HostError};
use inspect::Masker;
use protocol::{CallerId, Launch, ServerId, StdioLaunch};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use url::Url;

/// How many are listed.
const MOST: usize = 1_000;

/// A server in a configuration.
struct Direct {
    application: Application,
    path: PathBuf,
    project: Option<String>,
    source_name: String,
    target: DraftTarget,
    removable: bool,
}

/// Lists them, one application after the other. `here` is the address at which applications come in
/// over HTTP, if they do.
pub async fn bypasses(servers: &Servers, here: Option<String>) -> Result<Vec<Bypass>, HostError> {
    let Some(folders) = servers.folders().cloned() else {
        return Ok(Vec::new());
    };
    let here = parsed(here.as_deref());
    let found = patiently(move || direct(&folders, here.as_ref())).await?;
    let known = known(servers);
    let mut listed = Vec::new();
    for one in found {
        let runs = servers.secrets().masked(&runs(&one.target));
        // What cannot be kept here cannot be the same as what is.
        let launch = drafts::launch(one.target, None, Secrets::Look).await.ok();
        let server = launch.and_then(|launch| {
            let same = known.iter().find(|(_, ours)| is_the_same(ours, &launch));
            same.map(|(id, _)| id.clone())
        });
        listed.push(Bypass {
            application: one.application,
            path: one.path.to_string_lossy().into_owned(),
            project: one.project,
            source_name: one.source_name,
            runs,
            removable: one.removable && server.is_some(),
            server,
        });
    }
    Ok(listed)
}

/// Fails with `bad_name` unless each of these is a server of this file that is known here, too, so
/// that nobody loses it.
pub(super) async fn check_removable(
    servers: &Servers,
    target: &Target,
    names: &[String],
) -> Result<(), HostError> {
    if names.is_empty() {
        return Ok(());
    }
    let known = bypasses(servers, None).await?;
    let path = target.shown();
    for name in names {
        let is_removable = known
            .iter()
            .any(|one| one.removable && one.path == path && one.source_name == *name);
        if !is_removable {
            let message = format!("{name} is not in {path}, or Majordomo has no such server");
            return Err(error::host(ErrorCode::BadName, message));
        }
    }
    Ok(())
}

fn known(servers: &Servers) -> Vec<(ServerId, Launch)> {
    let all = servers.registry().all();
    all.iter()
        .map(|server| (server.row.id.clone(), server.row.launch.clone()))
        .collect()
}

/// Whether both run or call the same, whatever they are given.
fn is_the_same(ours: &Launch, theirs: &Launch) -> bool {
    match (ours, theirs) {
        (Launch::Http(ours), Launch::Http(theirs)) => {
            ours.url.trim_end_matches('/') == theirs.url.trim_end_matches('/')
        }
        (Launch::Stdio(ours), Launch::Stdio(theirs)) => {
            match (identity::package(ours), identity::package(theirs)) {
                (Some(ours), Some(theirs)) => ours == theirs,
                _ => recipient::is_the_same(&only_words(ours), &only_words(theirs)),
            }
        }
        _ => false,
    }
}

fn only_words(run: &StdioLaunch) -> Launch {
    Launch::Stdio(StdioLaunch {
        env: Vec::new(),
        cwd: None,
        ..run.clone()
    })
}

fn runs(target: &DraftTarget) -> String {
    let line = match target {
        DraftTarget::Stdio { command, args, .. } => words(command, args).join(" "),
        DraftTarget::Http { url, .. } => url.clone(),
    };
    difference::covered(&line, &Masker::default())
}

/// Every server in a configuration that is switched on there and does not lead here.
fn direct(folders: &Folders, here: Option<&Url>) -> Vec<Direct> {
    let written = targets(folders);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (application, path) in files(folders) {
        if found.len() >= MOST || !seen.insert(path.clone()) {
            continue;
        }
        let target = written.iter().find(|target| target.path == path);
        found.extend(of_file(application, &path, target, here));
    }
    found.truncate(MOST);
    found
}

fn files(folders: &Folders) -> Vec<(Application, PathBuf)> {
    let mut all: Vec<(Application, PathBuf)> = Vec::new();
    let mut projects: Vec<PathBuf> = Vec::new();
    for installation in folders.installations() {
        let Installation {
            application,
            files,
            old,
            ..
        } = installation;
        for path in files.iter().chain(&old).flat_map(spelled_out) {
            if application == Application::ClaudeCode {
                projects.extend(folders_of_projects(&path));
            }
            all.push((application, path));
        }
    }
    for project in projects {
        let of_project = OF_PROJECTS.map(|(application, file)| (application, project.join(file)));
        all.extend(of_project);
    }
    all.retain(|(_, path)| is_there(path));
    all
}

fn of_file(
    application: Application,
    path: &Path,
    target: Option<&Target>,
    here: Option<&Url>,
) -> Vec<Direct> {
    // What cannot be read is said where the applications are listed.
    let Ok(read) = file::read(path) else {
        return Vec::new();
    };
    let entries = text::read(&read).map(|configuration| configuration.entries);
    let document = target.and_then(|target| {
        let document = document::read(target.notation(), &read).ok()?;
        Some((target.place(&document), document))
    });
    let of_project = target
        .is_none()
        .then(|| folder_of_project(application, path));
    let direct = |entry: Entry| {
        let Entry {
            source_name,
            project,
            is_off,
            target,
            ..
        } = entry;
        let target = target
            .ok()
            .filter(|target| !is_off && !leads_here(target, here))?;
        let is_there = document.as_ref().is_some_and(|(place, document)| {
            document::entry(document, *place, &source_name).is_some()
        });
        Some(Direct {
            application,
            path: path.to_owned(),
            removable: is_there && project.is_none(),
            project: project.or_else(|| of_project.clone().flatten()),
            source_name,
            target,
        })
    };
    let entries = entries.unwrap_or_default().into_iter();
    entries.filter_map(direct).collect()
}

/// The project in whose folder a file lies, by where applications keep such files.
fn folder_of_project(application: Application, path: &Path) -> Option<String> {
    OF_PROJECTS.iter().find_map(|(whose, file)| {
        let is_one = *whose == application && path.ends_with(file);
        let above = Path::new(file).components().count();
        let folder = path.ancestors().nth(above).filter(|_| is_one)?;
        Some(folder.to_string_lossy().into_owned())
    })
}

/// Fails with `leads_here` for a server that would be Majordomo itself: in front of itself it would
/// ask about every call twice, and offer its own tools to itself. `here` is the address at which
/// applications come in over HTTP, if they do.
pub fn check_leads_elsewhere(target: &DraftTarget, here: Option<&str>) -> Result<(), HostError> {
    if !leads_here(target, parsed(here).as_ref()) {
        return Ok(());
    }
    let what = match target {
        DraftTarget::Stdio { .. } => "this command is Majordomo's own bridge",
        DraftTarget::Http { .. } => "this address is Majordomo's own",
    };
    Err(error::host(
        ErrorCode::LeadsHere,
        format!("{what}, and Majordomo cannot be a server of itself"),
    ))
}

pub(super) fn parsed(here: Option<&str>) -> Option<Url> {
    here.and_then(|address| Url::parse(address).ok())
}

/// Whether a server is the bridge, or the address at which applications come in.
pub(super) fn leads_here(target: &DraftTarget, here: Option<&Url>) -> bool {
    match target {
        DraftTarget::Stdio { command, args, .. } => is_bridge(&words(command, args)),
        DraftTarget::Http { url, .. } => here
            .zip(Url::parse(url).ok())
            .is_some_and(|(here, url)| is_at(&url, here)),
    }
}

/// As which client a server comes in here, if it is the bridge.
pub(super) fn client_of_target(target: &DraftTarget) -> Option<CallerId> {
    match target {
        DraftTarget::Stdio { command, args, .. } => client_of(&words(command, args)),
        DraftTarget::Http { .. } => None,
    }
}

fn words<'a>(command: &'a str, args: &'a [String]) -> Vec<&'a str> {
    let args = args.iter().map(String::as_str);
    std::iter::once(command).chain(args).collect()
}

/// Whether an address is ours, by whatever name of this computer, or that of one server there.
fn is_at(url: &Url, here: &Url) -> bool {
    let of_this_computer = ["127.0.0.1", "localhost"];
    let rest = url.path().strip_prefix(here.path());
    url.scheme() == here.scheme()
        && url.port() == here.port()
        && url
            .host_str()
            .is_some_and(|host| of_this_computer.contains(&host))
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::HttpLaunch;

    fn run(line: &str) -> Launch {
        let mut words = line.split(' ').map(str::to_owned);
        Launch::Stdio(StdioLaunch {
            command: words.next().unwrap(),
            args: words.collect(),
            env: Vec::new(),
            cwd: None,
        })
    }

    fn call(url: &str) -> Launch {
        Launch::Http(HttpLaunch {
            url: url.to_owned(),
            headers: Vec::new(),
            authority: None,
            identity: None,
        })
    }

    #[test]
    fn the_same_server_is_known_by_what_it_is() {
        for (ours, theirs, same) in [
            (
                run("npx -y @acme/files /srv"),
                run("/usr/bin/npx @acme/files@1.2 /home"),
                true,
            ),
            (run("npx -y @acme/files"), run("npx -y @evil/files"), false),
            (run("/opt/acme --one"), run("/opt/acme --two"), true),
            (run("/opt/acme"), run("/opt/other"), false),
            (
                call("https://example.com/mcp"),
                call("https://example.com/mcp/"),
                true,
            ),
            (
                call("https://example.com/mcp"),
                call("https://example.com/other"),
                false,
            ),
            (run("/opt/acme"), call("https://example.com/mcp"), false),
        ] {
            assert_eq!(is_the_same(&ours, &theirs), same, "{theirs:?}");
        }
    }
}
