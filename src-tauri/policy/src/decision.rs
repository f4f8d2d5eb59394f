//! What a person answers.

use crate::remember::{ArgumentScope, Lasting, Remember};
use protocol::FormResult;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Decision {
    /// The call may run.
    Allow {
        /// What to send instead of what was asked for, if the person changed it.
        #[serde(default)]
        #[ts(type = "Record<string, unknown> | null")]
        arguments: Option<Map<String, Value>>,
        /// What to remember of it; nothing means: this call, and nothing else.
        #[serde(default)]
        remember: Option<Remember>,
    },
    /// No.
    Deny {
        /// Told to the caller.
        reason: Option<String>,
        /// What to remember of it; nothing means: this call, and nothing else.
        #[serde(default)]
        remember: Option<Remember>,
    },
    /// The form, filled in or not.
    Form {
        /// What the person did with it.
        answer: FormResult,
    },
    /// Open the address in the browser.
    OpenUrl,
    /// Let the model answer.
    UseModel {
        /// What to ask it instead, if the person changed it: the parameters of the request.
        #[serde(default)]
        #[ts(type = "Record<string, unknown> | null")]
        params: Option<Map<String, Value>>,
    },
    /// Let the server have the reply.
    SendReply {
        /// What to send instead of what the model said, if the person changed it.
        #[serde(default)]
        reply: Option<String>,
    },
    /// Make or take back the rule.
    ChangeRule,
    /// No to anything that is not a call or a form.
    Decline,
}

impl Decision {
    /// Yes to this call, and nothing else.
    pub fn once() -> Self {
        Self::Allow {
            arguments: None,
            remember: None,
        }
    }

    /// Yes, and remember it.
    pub fn remembered(lasting: Lasting, cover: ArgumentScope) -> Self {
        Self::Allow {
            arguments: None,
            remember: Some(Remember {
                lasting,
                cover,
                also: Vec::new(),
            }),
        }
    }

    /// Yes, whatever the arguments, until it is taken back.
    pub fn always() -> Self {
        Self::remembered(Lasting::Workspace, ArgumentScope::Any)
    }

    /// Yes, whatever the arguments, until the conversation ends.
    pub fn for_conversation() -> Self {
        Self::remembered(Lasting::Conversation, ArgumentScope::Any)
    }

    /// Yes to exactly these arguments, until it is taken back.
    pub fn exactly() -> Self {
        Self::remembered(Lasting::Workspace, ArgumentScope::Exactly)
    }

    /// No, with words for the caller.
    pub fn no(reason: Option<&str>) -> Self {
        Self::Deny {
            reason: reason.map(str::to_owned),
            remember: None,
        }
    }
}
