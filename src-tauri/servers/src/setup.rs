//! How servers are started and reached: what a surface chose when it opened the host.

use crate::applications::Folders;
use crate::error;
use crate::restart::Restart;
use api::{ErrorCode, HostError};
use connections::Limits;
use egress::Proxy;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// All of it.
#[derive(Clone)]
pub struct Setup {
    /// The programs that servers are started with.
    pub programs: Programs,
    /// How long servers may take.
    pub limits: Limits,
    /// How patient the host is with servers that fail.
    pub restart: Restart,
    /// How long nobody uses a server before it is ended, if it runs when it is used.
    pub idle: Duration,
    /// The way to other computers.
    pub proxy: Proxy,
    /// What opens addresses.
    pub browser: Browser,
    /// The address of a document that tells sign-in services who this application is, if there is
    /// one.
    pub client_document: Option<Url>,
    /// When servers that are on are started.
    pub start: StartServers,
    /// Where configurations of other applications are looked for; without it none is found.
    pub folders: Option<Folders>,
}

/// Opens an address in the system's browser. Which addresses may be opened is decided before.
#[derive(Clone)]
pub struct Browser(Arc<Opens>);

type Opens = dyn Fn(&Url) -> std::io::Result<()> + Send + Sync;

impl Browser {
    /// The system's own.
    pub fn system() -> Self {
        // The address goes as one argument to the system's opener; no shell reads it.
        Self::new(|url| open::that_detached(url.as_str()))
    }

    /// Something else that does it, such as a test.
    pub fn new(opens: impl Fn(&Url) -> std::io::Result<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(opens))
    }

    /// Opens it.
    pub fn open(&self, url: &Url) -> std::io::Result<()> {
        (self.0)(url)
    }
}

impl std::fmt::Debug for Browser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Browser")
    }
}

/// When servers that are on are started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartServers {
    /// With the host.
    AtOnce,
    /// When their tools are first listed or called.
    WhenNeeded,
}

/// The programs that servers are started with. They are installed side by side.
#[derive(Debug, Clone)]
pub struct Programs {
    /// This program: `<own> builtin NAME` is a built-in server.
    pub own: PathBuf,
    /// `majordomo-jail`, which keeps a server and all it starts in hand.
    pub jail: PathBuf,
}

impl Programs {
    /// The programs that lie beside the running one.
    pub fn beside_this_one() -> Result<Self, HostError> {
        let own = std::env::current_exe().map_err(|error| {
            error::host(
                ErrorCode::ProgramIncomplete,
                format!("this program's own file cannot be found: {error}"),
            )
        })?;
        let jail = own.with_file_name(format!("majordomo-jail{}", std::env::consts::EXE_SUFFIX));
        Ok(Self { own, jail })
    }

    /// `majordomoctl`, which lies beside them.
    ///
    /// # Errors
    /// `program_incomplete` if it is not there.
    pub(crate) fn terminal(&self) -> Result<PathBuf, HostError> {
        let name = format!("majordomoctl{}", std::env::consts::EXE_SUFFIX);
        let path = self.own.with_file_name(name);
        if path.is_file() {
            return Ok(path);
        }
        let message = format!("{} is not there", path.display());
        Err(error::host(ErrorCode::ProgramIncomplete, message))
    }
}
