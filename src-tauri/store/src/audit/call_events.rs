//! What the log says of a call that runs: that it begins, and how it has ended.

use api::Outcome;
use policy::Permission;
use protocol::Fingerprint;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A call may run and is about to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallOpened {
    /// What is sent, secrets covered.
    pub arguments: Map<String, Value>,
    /// The fingerprint of what is sent.
    pub arguments_fingerprint: Fingerprint,
    /// The tool's definition.
    pub tool_fingerprint: Fingerprint,
    /// How the server is reached.
    pub launch_fingerprint: Fingerprint,
    /// On whose word.
    pub permission: Permission,
}

/// A call that was opened has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallClosed {
    /// How.
    pub outcome: Outcome,
    /// Milliseconds from the call to its end, whatever passed in between.
    pub duration_ms: u64,
    /// Milliseconds of these in which a person was asked something; absent where nobody knows, as in
    /// records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<u64>,
    /// Milliseconds from the moment it was sent until its end, without those in which a person was
    /// asked something; absent where nobody knows or it was not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran_ms: Option<u64>,
    /// What failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
