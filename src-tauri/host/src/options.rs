//! What a surface says when it opens the host.

use api::{ApproverKind, CALL_DEADLINE, CALL_MAXIMUM, HostError, IDLE_TIME, START_DEADLINE};
use connections::Limits;
pub use egress::Proxy;
use servers::{Browser, Clock, Folders, Programs, Restart, Setup, StartServers, rule_book};
use std::path::PathBuf;
use std::time::Duration;
pub use store::KeyringChoice;
use telemetry::Telemetry;

/// How to open the host.
#[derive(Clone)]
pub struct Options {
    /// Where everything is kept.
    pub data_dir: PathBuf,
    /// How servers are started and reached.
    pub setup: Setup,
    /// Who may answer questions.
    pub approver: ApproverKind,
    /// Where secrets are kept.
    pub keyring: KeyringChoice,
    /// Where the time comes from.
    pub clock: Clock,
    /// The file with the administrator's rules. Nothing that a person sets chooses another one.
    pub policy_file: Option<PathBuf>,
    /// What hears the spans of this program; off until a person names a collector.
    pub telemetry: Telemetry,
}

impl Options {
    /// The usual ways, on `data_dir`.
    pub fn new(data_dir: PathBuf, approver: ApproverKind) -> Result<Self, HostError> {
        Ok(Self {
            data_dir,
            setup: Setup {
                programs: Programs::beside_this_one()?,
                restart: Restart::default(),
                idle: IDLE_TIME,
                proxy: Proxy::System,
                browser: Browser::system(),
                client_document: None,
                start: StartServers::AtOnce,
                folders: Folders::of_this_person(),
                limits: Limits {
                    start: START_DEADLINE,
                    call: CALL_DEADLINE,
                    call_maximum: CALL_MAXIMUM,
                    list: Duration::from_secs(30),
                },
            },
            approver,
            keyring: KeyringChoice::System,
            clock: Clock::System,
            policy_file: rule_book::system_file(),
            telemetry: Telemetry::default(),
        })
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
