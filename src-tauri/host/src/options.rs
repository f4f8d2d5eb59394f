//! What a surface says when it opens the host.

use crate::api::{ApproverKind, CALL_DEADLINE, CALL_MAXIMUM, HostError, START_DEADLINE};
use crate::clock::Clock;
use crate::import::Folders;
use crate::model::Model;
use crate::restart::Restart;
use crate::{ErrorCode, error, rules};
use connections::Limits;
pub use egress::Proxy;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
pub use store::KeyringChoice;
use telemetry::Telemetry;
use url::Url;

/// How to open the host.
#[derive(Clone)]
pub struct Options {
    /// Where everything is kept.
    pub data_dir: PathBuf,
    /// The programs that servers are started with.
    pub programs: Programs,
    /// Who may answer questions.
    pub approver: ApproverKind,
    /// Where secrets are kept.
    pub keyring: KeyringChoice,
    /// Where the time comes from.
    pub clock: Clock,
    /// How long servers may take.
    pub limits: Limits,
    /// How patient the host is with servers that fail.
    pub restart: Restart,
    /// The way to other computers.
    pub proxy: Proxy,
    /// What opens addresses.
    pub browser: Browser,
    /// The address of a document that tells sign-in services who this application is, if there is one.
    pub client_document: Option<Url>,
    /// When servers that are on are started.
    pub start: StartServers,
    /// Where configurations of other applications are looked for; without it none is found.
    pub folders: Option<Folders>,
    /// The model that answers servers, where a person lets it; without one nothing does.
    pub model: Option<Arc<dyn Model>>,
    /// The file with the administrator's rules. Nothing that a person sets chooses another one.
    pub policy_file: Option<PathBuf>,
    /// What hears the spans of this program; off until a person names a collector.
    pub telemetry: Telemetry,
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

    pub(crate) fn open(&self, url: &Url) -> std::io::Result<()> {
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

impl Options {
    /// The usual ways, on `data_dir`.
    pub fn new(data_dir: PathBuf, approver: ApproverKind) -> Result<Self, HostError> {
        Ok(Self {
            data_dir,
            programs: Programs::beside_this_one()?,
            approver,
            keyring: KeyringChoice::System,
            clock: Clock::System,
            restart: Restart::default(),
            proxy: Proxy::System,
            browser: Browser::system(),
            client_document: None,
            start: StartServers::AtOnce,
            folders: Folders::of_this_person(),
            model: None,
            policy_file: rules::system_file(),
            telemetry: Telemetry::default(),
            limits: Limits { start: START_DEADLINE, call: CALL_DEADLINE, call_maximum: CALL_MAXIMUM, list: Duration::from_secs(30) },
        })
    }
}

impl Programs {
    /// The programs that lie beside the running one.
    pub fn beside_this_one() -> Result<Self, HostError> {
        let own = std::env::current_exe()
            .map_err(|error| error::host(ErrorCode::ProgramIncomplete, format!("this program's own file cannot be found: {error}")))?;
        let jail = own.with_file_name(format!("majordomo-jail{}", std::env::consts::EXE_SUFFIX));
        Ok(Self { own, jail })
    }
}

/// Where everything is kept unless a surface says otherwise.
pub fn default_data_dir() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "Majordomo").map(|dirs| dirs.data_dir().to_owned())
}

/// Where the log of a data directory lies.
pub fn log_dir(data_dir: &std::path::Path) -> PathBuf {
    store::log_dir(data_dir)
}
