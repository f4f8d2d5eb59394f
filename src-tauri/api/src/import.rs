//! Configurations of other applications.

use super::{HostError, Review, ServerView};
use protocol::ServerId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An application whose configuration can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is the name of a product")]
pub enum Application {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    VsCode,
    Codex,
    Windsurf,
    Zed,
    GeminiCli,
    LmStudio,
    Goose,
    Opencode,
    Cline,
    Copilot,
    Kiro,
    Antigravity,
    Junie,
    RooCode,
    Warp,
    Amp,
    Continue,
}

/// A configuration that was found on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundConfiguration {
    /// Whose it is.
    pub application: Application,
    /// Its file.
    pub path: String,
    /// How many servers are in it, unusable ones included.
    pub servers: u32,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// Where an import reads from.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum ImportSource {
    /// What a person has pasted or picked.
    Text {
        /// The text.
        text: String,
    },
    /// A configuration that `find_configurations` lists now. No other file is read.
    Found {
        /// Whose it is.
        application: Application,
        /// Its file, as listed.
        path: String,
    },
}

/// What another application's configuration holds.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportPreview {
    /// Where servers stood in it: `mcpServers`, `servers`, `mcp_servers`, …, or `command line`.
    pub format: String,
    /// Each entry, usable or not, in the order of the text.
    pub entries: Vec<ImportEntry>,
}

/// One entry of another application's configuration.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportEntry {
    /// Its number in the text, from 0.
    pub place: u32,
    /// Its name in the text.
    pub source_name: String,
    /// The project that it belongs to, where it was kept for one only.
    pub project: Option<String>,
    /// The name that we would keep it under: allowed and free.
    pub name: ServerId,
    /// What it would run or call; values that look secret are already references. Absent if the
    /// entry is unusable.
    pub review: Option<Review>,
    /// Names of settings that will go to the keyring.
    pub secrets: Vec<String>,
    /// Keys that were passed over, such as approvals given in the other application.
    pub ignored: Vec<String>,
    /// Names of settings that were left out because they decide which code is loaded.
    pub refused: Vec<String>,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

/// An entry that a person has chosen.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportChoice {
    /// Its number in the preview, which tells entries of one name apart; without it the first that
    /// is left is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub place: Option<u32>,
    /// Its name in the text.
    pub source_name: String,
    /// The name to keep it under.
    pub name: String,
}

/// What came of an import.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportOutcome {
    /// Servers that were kept, all of them off.
    pub added: Vec<ServerView>,
    /// Entries that were not kept, and why.
    pub failed: Vec<ImportFailure>,
}

/// An entry that was not kept.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportFailure {
    /// Its name in the text.
    pub source_name: String,
    /// Why.
    pub error: HostError,
}
