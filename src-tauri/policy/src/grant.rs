//! A remembered answer, and exactly what it covers.
//!
//! Always true here:
//! - a grant is bound to the caller, to how the server is reached, to the whole definition of the
//!   tool and to a workspace;
//! - what a limit cannot check is not let through, and what a remembered no cannot check is asked
//!   about;
//! - a grant that nobody has used for [`UNUSED`] is over;
//! - very long arguments are let through only where they were seen: by a grant for exactly these.

use crate::KnownTool;
use crate::cover::{Covered, Places, Reach};
use protocol::{
    Caller, ConversationId, Fingerprint, GrantId, QuestionId, ServerId, Timestamp, ToolCall,
    ToolSpec, WorkspaceId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;
use ts_rs::TS;

/// A grant that was not used for so long is over.
pub const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Arguments that are longer than this, as JSON in bytes, are asked about every time, whatever was
/// allowed: nobody sees at a glance what is in them.
pub const LONG_ARGUMENTS: usize = 16 * 1024;

/// A person's answer for later calls. Bound to who asked, to how the server is reached and to the
/// whole definition of the tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Grant {
    /// Its number.
    pub id: GrantId,
    /// Whether it lets calls through or keeps them away.
    pub effect: Effect,
    /// For whom.
    pub caller: Caller,
    /// For which server, by our name.
    pub server: ServerId,
    /// How that server was reached when the person answered.
    pub launch_fingerprint: Fingerprint,
    /// The tool as it was when the person answered; kept whole, so that a change can be named.
    pub tool: ToolSpec,
    /// The fingerprint of `tool`.
    pub tool_fingerprint: Fingerprint,
    /// Which arguments it covers.
    pub arguments: Covered,
    /// How long it holds.
    pub scope: Scope,
    /// The only workspace in which it holds; none means in all of them, which only
    /// [`Scope::Always`] does.
    pub workspace: Option<WorkspaceId>,
    /// What it came of.
    pub origin: GrantOrigin,
    /// When the person answered.
    pub made_at: Timestamp,
    /// How many calls it has decided about, the one that was asked about included.
    pub used: u32,
    /// When it last decided about a call.
    pub last_used_at: Option<Timestamp>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
}

/// What a grant does with the calls that it covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Effect {
    /// They run.
    Allow,
    /// They are refused.
    Deny {
        /// Told to the caller.
        reason: Option<String>,
    },
}

/// How long a grant holds. The workspace in which it holds stands beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Scope {
    /// For so many calls, the one that was asked about included.
    Times {
        /// How many.
        times: u32,
    },
    /// Until a time.
    Until {
        /// Which.
        at: Timestamp,
    },
    /// Until the conversation ends.
    Conversation {
        /// Which one.
        conversation: ConversationId,
    },
    /// Until it is taken back, in its workspace.
    Workspace,
    /// Until it is taken back, in every workspace.
    Always,
}

/// What a grant came of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum GrantOrigin {
    /// A person's answer to a question.
    Question {
        /// Which one.
        question: QuestionId,
    },
    /// A person made an earlier grant narrower.
    Narrowed {
        /// The grant that it replaced.
        grant: GrantId,
    },
}

/// Where and when a call is made, as far as grants depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The conversation of the caller.
    pub conversation: &'a ConversationId,
    /// The workspace that is in use.
    pub workspace: &'a WorkspaceId,
    /// Where the paths in the arguments really lead.
    pub places: &'a Places,
    /// Now.
    pub now: Timestamp,
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
    /// It would cover the call, but the arguments are too long to be let through unseen.
    TooLong,
    /// It keeps calls away, and whether it is about this one cannot be told.
    Perhaps,
    /// It has nothing to do with the call, or is over.
    Unrelated,
}

impl Grant {
    /// Whether it still holds, apart from which conversation or workspace it is for.
    pub fn holds(&self, now: Timestamp) -> bool {
        let spent = match self.scope {
            Scope::Times { times } => self.used >= times,
            Scope::Until { at } => now >= at,
            Scope::Conversation { .. } | Scope::Workspace | Scope::Always => false,
        };
        self.revoked_at.is_none() && !spent && now < self.lapses_at()
    }

    /// Whether it is one of a number of calls, so that each use must be counted before it has an
    /// effect.
    pub fn is_counted(&self) -> bool {
        matches!(self.scope, Scope::Times { .. })
    }

    /// The same for another tool of the same server; nothing is used of it yet.
    #[must_use]
    pub fn also_for(&self, tool: &KnownTool) -> Self {
        let id = GrantId::random();
        Self {
            id,
            tool: tool.spec().clone(),
            tool_fingerprint: tool.fingerprint().clone(),
            used: 0,
            last_used_at: None,
            ..self.clone()
        }
    }

    /// When it is over if nobody uses it until then.
    pub fn lapses_at(&self) -> Timestamp {
        self.last_used_at.unwrap_or(self.made_at).plus(UNUSED)
    }

    /// Whether this grant covers `call` on the tool `now` of a server reached by `launch`, in
    /// `setting`.
    pub(crate) fn fit(
        &self,
        call: &ToolCall,
        now: &KnownTool,
        launch: &Fingerprint,
        setting: Setting<'_>,
    ) -> Fit {
        let here = self
            .workspace
            .as_ref()
            .is_none_or(|workspace| workspace == setting.workspace)
            && !matches!(&self.scope, Scope::Conversation { conversation } if conversation != setting.conversation);
        let same = self.caller == call.caller
            && self.server == call.server
            && self.tool.name == now.spec().name;
        if !same || !here || !self.holds(setting.now) {
            return Fit::Unrelated;
        }
        if self.launch_fingerprint != *launch || self.tool_fingerprint != *now.fingerprint() {
            return Fit::Outdated;
        }
        if matches!(self.effect, Effect::Deny { .. }) {
            return match self.arguments.reaches(&call.arguments, setting.places) {
                Reach::Surely => Fit::Covers,
                Reach::Perhaps => Fit::Perhaps,
                Reach::No => Fit::OtherArguments,
            };
        }
        if !self.arguments.covers(&call.arguments, setting.places) {
            return Fit::OtherArguments;
        }
        let seen = matches!(self.arguments, Covered::Exactly { .. });
        if !seen && is_long(&call.arguments) {
            Fit::TooLong
        } else {
            Fit::Covers
        }
    }
}

/// Whether arguments are too long to be let through unseen.
pub fn is_long(arguments: &Map<String, Value>) -> bool {
    /// Takes so many bytes, and no more.
    struct Room(usize);
    impl std::io::Write for Room {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self
                .0
                .checked_sub(bytes.len())
                .ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    serde_json::to_writer(Room(LONG_ARGUMENTS), arguments).is_err()
}
