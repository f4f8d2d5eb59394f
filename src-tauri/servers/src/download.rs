//! What a package runner would run is downloaded before it is run.
//!
//! Always true here:
//! - what downloads has the network, its program and an empty home, and nothing that the server has
//!   or has ever written;
//! - of that home the server gets the folders of the runners, and nothing else; they are put in
//!   their place while it does not run;
//! - what runs then is told to ask no registry;
//! - nothing below a home is opened by this program, which a server could have made a link.

use crate::confinement::{Confined, make_home};
use crate::identity::{self, Found};
use crate::{Servers, error};
use api::{DownloadView, ErrorCode, HostError};
use connections::{Confinement, RunError, ServerAsks, StdioStart};
use protocol::{Fingerprint, Launch, Secret, ServerId};
use sandbox::profile::{Network, Profile};
use serde_json::json;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;

/// How long a download may take.
const TIMEOUT: Duration = Duration::from_secs(600);
/// The file that says for which words everything is there.
const DONE: &str = "done";
/// Where a server's home lies while something is downloaded into an empty one.
const HOME_MEANWHILE: &str = "home";
/// The folders, in a home, in which runners keep what they have downloaded.
const OF_RUNNERS: [&str; 2] = [".npm", ".cache"];
/// What tells runners to use what is there.
const OFFLINE: [(&str, &str); 2] = [("npm_config_offline", "true"), ("UV_OFFLINE", "1")];
/// Where runners keep things that would lie elsewhere, below those folders.
const PLACES: [(&str, &str); 2] = [
    ("UV_PYTHON_INSTALL_DIR", ".cache/uv-python"),
    ("npm_config_store_dir", ".cache/pnpm-store"),
];
/// Where the person's own registries are named, unless somebody's password is among it.
const REGISTRIES: [&str; 5] = [
    "npm_config_registry",
    "UV_DEFAULT_INDEX",
    "UV_INDEX_URL",
    "UV_PYTHON_INSTALL_MIRROR",
    "PIP_INDEX_URL",
];

/// One start of a server.
pub(crate) struct StartOf<'a> {
    /// Of which one.
    pub(crate) id: &'a ServerId,
    /// The number of the start.
    pub(crate) generation: u64,
    /// What is started.
    pub(crate) launch: &'a Launch,
    /// Who hears what is written meanwhile.
    pub(crate) asks: Arc<dyn ServerAsks>,
}

/// Has everything there that a start needs, and says what goes into its environment then. Nothing is
/// done for what runs no package, and once it was done for the same words. The server must not run.
/// While it goes on every surface is told what is downloaded and what the runner writes, and it ends
/// where the server is not being started any more.
///
/// # Errors
/// `exited_at_start` with what the runner said, if it could not be downloaded, and `server_off` if it
/// was not wanted any more; the server's home is as it was then.
pub(crate) async fn before_start(
    servers: &Servers,
    of: &StartOf<'_>,
    found: &Found,
    confined: &Confined,
) -> Result<Vec<(String, Secret)>, HostError> {
    let StartOf {
        id,
        generation,
        launch,
        asks,
    } = of;
    let Launch::Stdio(run) = launch else {
        return Ok(Vec::new());
    };
    let Some(words) = identity::download(run) else {
        return Ok(Vec::new());
    };
    let _turn = servers.confiner().download_turn(id).await;
    let home = confined.confinement.profile.home.clone();
    let places = places(&home);
    let folder = servers.confiner().downloads_of(id);
    let mark = Fingerprint::of(&json!(words)).to_string();
    let failed = |problem: io::Error| {
        error::host(
            ErrorCode::ExitedAtStart,
            servers.secrets().masked(&format!(
                "what {id} runs could not be downloaded: {problem}"
            )),
        )
    };
    let homes = Homes { home, folder, mark };
    if homes.on_disk(Homes::is_done).await.map_err(failed)? {
        return Ok([offline(), places].concat());
    }
    homes.on_disk(Homes::set_aside).await.map_err(failed)?;
    let start = StdioStart {
        server: (*id).clone(),
        command: found.command.clone(),
        args: words.into_iter().skip(1).collect(),
        env: [registries(), places.clone()].concat(),
        cwd: homes.home.clone(),
        jail: servers.programs().jail.clone(),
        era: None,
        confinement: Some(Confinement {
            profile: downloading(confined),
            ..confined.confinement.clone()
        }),
    };
    let package = identity::package(run).unwrap_or_else(|| found.command.display().to_string());
    note(servers, of, Some(package));
    let unwanted = servers.registry().superseded(id, *generation);
    let downloaded = connections::run_to_end(&start, TIMEOUT, Arc::clone(asks), unwanted).await;
    note(servers, of, None);
    let put_back = if downloaded.is_ok() {
        Homes::put_back_with_downloads
    } else {
        Homes::put_back
    };
    homes.on_disk(put_back).await.map_err(failed)?;
    match downloaded {
        Err(RunError::Cancelled) => return Err(not_wanted(id)),
        downloaded => downloaded.map_err(io::Error::other).map_err(failed)?,
    }
    homes.on_disk(Homes::note_done).await.map_err(failed)?;
    Ok([offline(), places].concat())
}

/// That a start was overtaken.
pub(crate) fn not_wanted(id: &ServerId) -> HostError {
    let message = format!("{id} is not being started any more");
    error::host(ErrorCode::ServerOff, message)
}

/// Shows everywhere what is downloaded for a start, or that nothing is any more.
fn note(servers: &Servers, of: &StartOf<'_>, package: Option<String>) {
    let since = servers.now();
    let noted = servers.registry().change(of.id, |server| {
        if server.run.generation == of.generation {
            server.run.download = package.map(|package| DownloadView { package, since });
        }
    });
    if noted.is_ok() {
        servers.tell_changed(of.id);
    }
}

fn offline() -> Vec<(String, Secret)> {
    let variable =
        |(name, value): &(&str, &str)| ((*name).to_owned(), Secret::new((*value).to_owned()));
    OFFLINE.iter().map(variable).collect()
}

fn places(home: &Path) -> Vec<(String, Secret)> {
    let variable = |(name, place): &(&str, &str)| {
        let place = home.join(place).to_string_lossy().into_owned();
        ((*name).to_owned(), Secret::new(place))
    };
    PLACES.iter().map(variable).collect()
}

/// Its program alone, and everybody else to speak with.
fn downloading(confined: &Confined) -> Profile {
    Profile {
        read: confined.program.clone(),
        write: Vec::new(),
        network: Network::Open,
        ..confined.confinement.profile.clone()
    }
}

fn registries() -> Vec<(String, Secret)> {
    let plain = |name: &&str| {
        let value = std::env::var(name).ok()?;
        is_open(&value).then(|| ((*name).to_owned(), Secret::new(value)))
    };
    REGISTRIES.iter().filter_map(plain).collect()
}

/// Whether a text is the address of a registry, as `https://…` or `name=https://…`, with nobody's
/// name or password in it.
fn is_open(text: &str) -> bool {
    let is_name = |name: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !name.is_empty() && name.chars().all(fits)
    };
    let address = match text.split_once('=') {
        Some((name, address)) if is_name(name) => address,
        _ => text,
    };
    url::Url::parse(address).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
    })
}

/// The home of a server, and the folder where it is noted what was downloaded for it.
#[derive(Clone)]
struct Homes {
    home: PathBuf,
    folder: PathBuf,
    /// Stands for the words that download.
    mark: String,
}

impl Homes {
    /// Does something with it where nobody else waits.
    async fn on_disk<R: Send + 'static>(&self, work: fn(&Self) -> io::Result<R>) -> io::Result<R> {
        let homes = self.clone();
        spawn_blocking(move || work(&homes))
            .await
            .map_err(io::Error::other)?
    }

    /// Whether everything is there for these words. What an earlier run left half done is undone.
    fn is_done(&self) -> io::Result<bool> {
        let meanwhile = self.folder.join(HOME_MEANWHILE);
        if there(&meanwhile)? {
            remove(&self.home)?;
            fs::rename(meanwhile, &self.home)?;
        }
        match fs::read_to_string(self.folder.join(DONE)) {
            Ok(noted) => Ok(noted == self.mark),
            Err(problem) if problem.kind() == ErrorKind::NotFound => Ok(false),
            Err(problem) => Err(problem),
        }
    }

    fn set_aside(&self) -> io::Result<()> {
        make_home(&self.folder)?;
        remove(&self.folder.join(DONE))?;
        if there(&self.home)? {
            fs::rename(&self.home, self.folder.join(HOME_MEANWHILE))?;
        }
        make_home(&self.home)
    }

    /// The server has its home again, with what was downloaded.
    fn put_back_with_downloads(&self) -> io::Result<()> {
        let meanwhile = self.folder.join(HOME_MEANWHILE);
        for name in OF_RUNNERS {
            let (new, old) = (self.home.join(name), meanwhile.join(name));
            remove(&old)?;
            if there(&new)? {
                fs::rename(new, old)?;
            }
        }
        self.put_back()
    }

    /// The server has its home again, as it was.
    fn put_back(&self) -> io::Result<()> {
        remove(&self.home)?;
        fs::rename(self.folder.join(HOME_MEANWHILE), &self.home)
    }

    fn note_done(&self) -> io::Result<()> {
        fs::write(self.folder.join(DONE), &self.mark)
    }
}

/// Whether something lies there; a link is something.
fn there(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(problem) if problem.kind() == ErrorKind::NotFound => Ok(false),
        Err(problem) => Err(problem),
    }
}

/// Removes what lies there, and nothing that a link leads to.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(problem) if problem.kind() == ErrorKind::NotFound => Ok(()),
        Err(problem) => Err(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::is_open;

    #[test]
    fn an_address_of_a_registry_with_somebodys_password_is_not_passed_on() {
        for open in [
            "https://registry.example/simple",
            "http://127.0.0.1:4873/",
            "ours=https://registry.example/simple",
            "https://registry.example/?a=b",
        ] {
            assert!(is_open(open), "{open}");
        }
        for closed in [
            "https://me:word@registry.example/",
            "https://token@registry.example/",
            "ours=https://me:word@registry.example/simple",
            "a b=https://registry.example/",
            "file:///srv/packages",
            "registry.example",
            "",
        ] {
            assert!(!is_open(closed), "{closed}");
        }
    }
}
