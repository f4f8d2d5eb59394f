//! A remembered approval, and exactly what it covers.

use crate::KnownTool;
use protocol::{Caller, Fingerprint, GrantId, RunId, ServerId, Timestamp, ToolCall, ToolSpec};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A person's "yes" for later calls. Bound to who asked, to how the server is reached and to the whole definition of the tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Grant {
    /// Its number.
    pub id: GrantId,
    /// For whom.
    pub caller: Caller,
    /// For which server, by our name.
    pub server: ServerId,
    /// How that server was reached when the person said yes.
    pub launch_fingerprint: Fingerprint,
    /// The tool as it was when the person said yes; kept whole, so that a change can be named.
    pub tool: ToolSpec,
    /// The fingerprint of `tool`.
    pub tool_fingerprint: Fingerprint,
    /// How far it goes.
    pub scope: Scope,
    /// When the person said yes.
    pub made_at: Timestamp,
    /// When it last let a call through.
    pub last_used_at: Option<Timestamp>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
}

/// How far a grant goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Scope {
    /// Any arguments, until the application ends.
    Run {
        /// Which run.
        run: RunId,
    },
    /// Exactly these arguments, until it is taken back.
    Arguments {
        /// Their fingerprint.
        fingerprint: Fingerprint,
    },
    /// Any arguments, until it is taken back.
    Tool,
}

/// How a grant stands to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It covers the call.
    Covers,
    /// It is for the same caller and tool, but the tool or the server has changed.
    Outdated,
    /// It is for the same caller and unchanged tool, but for other arguments.
    OtherArguments,
    /// It has nothing to do with the call.
    Unrelated,
}

impl Grant {
    /// Whether this grant covers `call` on the tool `now` of a server reached by `launch`, during `run`.
    pub(crate) fn fit(&self, call: &ToolCall, now: &KnownTool, launch: &Fingerprint, run: &RunId) -> Fit {
        let same =
            self.revoked_at.is_none() && self.caller == call.caller && self.server == call.server && self.tool.name == now.spec().name;
        if !same || matches!(&self.scope, Scope::Run { run: of } if of != run) {
            return Fit::Unrelated;
        }
        if self.launch_fingerprint != *launch || self.tool_fingerprint != *now.fingerprint() {
            return Fit::Outdated;
        }
        match &self.scope {
            Scope::Arguments { fingerprint } if *fingerprint != call.arguments_fingerprint() => Fit::OtherArguments,
            _ => Fit::Covers,
        }
    }
}
