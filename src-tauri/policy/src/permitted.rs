//! The proof that a call may run. A connection accepts nothing else.

use crate::KnownTool;
use protocol::{Fingerprint, GrantId, QuestionId, RuleId, ToolCall, ToolSpec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use ts_rs::TS;

/// A call that may run, once, of the definition with which it was permitted: what is sent is made of
/// the two and of nothing that its server says since. Its fields are private and only `decide`,
/// `pending` and `paused` make one.
///
/// It cannot be cloned, so one permission is one call:
/// ```compile_fail,E0599
/// fn twice(permitted: policy::PermittedCall) -> (policy::PermittedCall, policy::PermittedCall) {
///     (permitted.clone(), permitted)
/// }
/// ```
/// and it cannot be made elsewhere:
/// ```compile_fail,E0451
/// fn forge(call: protocol::ToolCall, of: policy::PermittedCall) -> policy::PermittedCall {
///     policy::PermittedCall { call, ..of }
/// }
/// ```
#[derive(Debug)]
pub struct PermittedCall {
    call: Arc<ToolCall>,
    permission: Permission,
    definition: Arc<ToolSpec>,
    tool: Fingerprint,
    launch: Fingerprint,
}

/// On whose word a call runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Permission {
    /// A grant that a person gave earlier.
    Grant {
        /// Which one.
        grant: GrantId,
    },
    /// A person's answer to a question about this very call.
    Answer {
        /// Which question.
        question: QuestionId,
        /// The grant that came of it, if the answer was for more than once.
        grant: Option<GrantId>,
        /// Whether the person changed what was to be sent.
        #[serde(default)]
        changed: bool,
    },
    /// Rules that let such calls run without a question.
    Rules {
        /// Which ones.
        rules: Vec<RuleId>,
    },
}

impl PermittedCall {
    pub(crate) fn new(
        call: impl Into<Arc<ToolCall>>,
        permission: Permission,
        tool: &KnownTool,
        launch: Fingerprint,
    ) -> Self {
        Self {
            call: call.into(),
            permission,
            definition: tool.definition(),
            tool: tool.fingerprint().clone(),
            launch,
        }
    }

    /// What may run.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// The same, for who needs it longer than the permission.
    pub fn shared(&self) -> Arc<ToolCall> {
        Arc::clone(&self.call)
    }

    /// On whose word.
    pub fn permission(&self) -> &Permission {
        &self.permission
    }

    /// The definition of the tool for which this holds.
    pub fn tool_fingerprint(&self) -> &Fingerprint {
        &self.tool
    }

    /// The way of reaching the server for which this holds.
    pub fn launch_fingerprint(&self) -> &Fingerprint {
        &self.launch
    }

    /// Takes the call out, to be sent, and the definition of its tool for which this holds.
    pub fn into_parts(self) -> (Arc<ToolCall>, Arc<ToolSpec>) {
        (self.call, self.definition)
    }
}
