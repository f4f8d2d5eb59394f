//! A server as every surface shows it.

use super::{HostError, SignInView};
use policy::ToolFlags;
use policy::pin::ApprovalStatus;
use protocol::{
    Caller, ConfinementTier, Containment, Era, EraChoice, Fingerprint, Launch, Runs, ServerId,
    Timestamp, ToolSpec,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A server as every surface shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerView {
    /// Our name for it.
    pub id: ServerId,
    /// Greater with every change: of two views the one with the greater number is the newer one.
    #[ts(type = "number")]
    pub revision: u64,
    /// How it is reached.
    pub launch: Launch,
    /// Its launch fingerprint.
    pub fingerprint: Fingerprint,
    /// Whether a person has reviewed it as it is now.
    pub reviewed: bool,
    /// Whether it should run.
    pub on: bool,
    /// When it runs, where it is on.
    pub runs: Runs,
    /// What it is doing.
    pub state: ServerState,
    /// Since when it is connected, while it is.
    pub since: Option<Timestamp>,
    /// What is being downloaded before it can start.
    pub download: Option<DownloadView>,
    /// Its folders.
    pub roots: Vec<RootView>,
    /// How many tools it lists; absent until it was connected once.
    pub tools: Option<u32>,
    /// How many of the things that it offers wait for a person's decision.
    pub waiting: u32,
    /// What it says about itself. A claim.
    pub claims: Option<ServerClaims>,
    /// What it can do beside tools; absent until it was connected once.
    pub abilities: Option<Capabilities>,
    /// In which era it is spoken to.
    pub era: EraView,
    /// What ends it, with all that it started, when Majordomo has ended or was killed; absent for
    /// servers with an address, and for those that do not run.
    pub containment: Option<Containment>,
    /// Whether it is confined to what it was given; absent for servers with an address and for those
    /// that are a part of Majordomo.
    pub confined: Option<bool>,
    /// By what it is confined since it was started last.
    pub tier: Option<ConfinementTier>,
    /// Whether Majordomo is signed in there; absent for servers without an address.
    pub sign_in: Option<SignInView>,
    /// When it was added.
    pub added_at: Timestamp,
}

/// What a server can do beside tools, as it says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Capabilities {
    /// It offers resources.
    pub resources: bool,
    /// It tells when a resource changes.
    pub watch: bool,
    /// It offers prompts.
    pub prompts: bool,
    /// It proposes values.
    pub completions: bool,
    /// It keeps a log.
    pub logs: bool,
}

/// In which era a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EraView {
    /// What the person chose.
    pub choice: EraChoice,
    /// What was found out.
    pub found: Option<Era>,
    /// When that was.
    pub found_at: Option<Timestamp>,
}

/// What a server says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerClaims {
    /// Its own name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it tells models about its use.
    pub instructions: Option<String>,
    /// The protocol revision that was agreed.
    pub protocol: String,
    /// A picture that came along, as a `data:` address of a bitmap; nothing is fetched for it.
    #[serde(default)]
    pub icon: Option<String>,
}

/// What a server is doing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ServerState {
    /// Switched off.
    Off,
    /// Its first use starts it; what it offers is known.
    Idle,
    /// Being started or connected.
    Starting,
    /// Connected.
    Ready,
    /// It failed and will be started again by itself.
    Waiting {
        /// What happened.
        error: HostError,
        /// The last lines of its standard error.
        stderr: Vec<String>,
        /// How often it has failed in a row.
        failures: u32,
        /// When it is started again.
        until: Timestamp,
    },
    /// It should run and does not; it is not started again by itself.
    Failed {
        /// What happened and what to do.
        error: HostError,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
}

/// What a server uses of this computer: its process, and all that it started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerUsage {
    /// Which server.
    pub server: ServerId,
    /// How many processes it is.
    pub processes: u32,
    /// What they hold of the memory, in bytes; what they share is counted in each.
    #[ts(type = "number")]
    pub memory: u64,
    /// Their share of one processor since this was asked last, in percent; more than a hundred where
    /// they use several. Absent where this was not asked before.
    pub cpu: Option<f32>,
}

/// What is being downloaded for a server. It ends when the server is switched off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DownloadView {
    /// The package, by the name that the command gives.
    pub package: String,
    /// Since when.
    pub since: Timestamp,
}

/// A folder that a server was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RootView {
    /// Its absolute path.
    pub path: String,
    /// Its `file:` address as servers see it.
    pub uri: String,
    /// Whether it is there.
    pub present: bool,
}

/// What a server wrote on its standard error.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServerLog {
    /// Which server.
    pub server: ServerId,
    /// The newest lines, oldest first; values of held secrets are covered.
    pub lines: Vec<String>,
    /// How many older lines were dropped.
    #[ts(type = "number")]
    pub dropped: u64,
}

/// A tool as every surface shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolView {
    /// Its server.
    pub server: ServerId,
    /// Its definition. A claim.
    pub spec: ToolSpec,
    /// The fingerprint of the definition.
    pub fingerprint: Fingerprint,
    /// How the definition stands to what a person has approved.
    pub standing: ApprovalStatus,
    /// Whether the person has left it switched on.
    pub on: bool,
    /// Whether models are always shown it, also where they look for tools. One that a rule hides from
    /// them stays hidden.
    pub always_shown: bool,
    /// What the person says about it.
    pub mark: ToolFlags,
    /// Other servers that have a tool of the same name.
    pub also_on: Vec<ServerId>,
    /// Why calls of it cannot be checked, if its input schema cannot be used.
    pub schema_problem: Option<String>,
    /// A picture that came along, as a `data:` address of a bitmap; nothing is fetched for it.
    pub icon: Option<String>,
    /// From whom a rule hides it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Caller>>")]
    pub hidden_from: Vec<Caller>,
}
