//! What a person is asked, and what an answer makes of it.

use crate::flow::Concern;
use crate::permitted::{Permission, PermittedCall};
use crate::{Grant, Refusal, Scope};
use inspect::Finding;
use protocol::{
    CallId, Caller, Fingerprint, Form, FormAnswer, GrantId, QuestionId, RunId, Sample, ServerId, Timestamp, ToolCall, ToolPart, ToolSpec,
    UrlAsk,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;
use ts_rs::TS;

/// How long a question waits. After that the answer is no.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// A question as every surface shows it. Values of held secrets are covered before one is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Question {
    /// Its number.
    pub id: QuestionId,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it becomes a no by itself.
    pub expires_at: Timestamp,
    /// The server it is about, by our name.
    pub server: ServerId,
    /// What it is about.
    pub subject: Subject,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[expect(clippy::large_enum_variant, reason = "questions are few, and nearly all are the large one")]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Subject {
    /// May this call run?
    Call {
        /// Which call.
        call: CallId,
        /// Who asks.
        caller: Caller,
        /// The tool as it is now.
        tool: ToolSpec,
        /// What would be sent.
        #[ts(type = "Record<string, unknown>")]
        arguments: Map<String, Value>,
        /// Why a person is asked.
        reason: Reason,
        /// What an inspection of the tool's definition found, the worst first.
        findings: Vec<Finding>,
        /// Values of the call that came from strangers, the gravest first.
        concerns: Vec<Concern>,
    },
    /// A server wants a form to be filled in.
    Form {
        /// The calls that run on this server now; one of them is the cause.
        during: Vec<CallId>,
        /// The form.
        form: Form,
    },
    /// A server wants an address to be opened in the browser.
    Url {
        /// The calls that run on this server now; one of them is the cause.
        during: Vec<CallId>,
        /// What it says, and the address.
        ask: UrlAsk,
        /// The host of the address as it is shown: with Punycode where it is not plain.
        host: String,
        /// Whether the host holds letters that can be taken for others.
        look_alike: bool,
    },
    /// A server wants to use a model. There is none yet: this is shown so that a person knows, and can only be declined.
    Sample {
        /// The calls that run on this server now; one of them is the cause.
        during: Vec<CallId>,
        /// What it asks for.
        sample: Sample,
    },
}

/// Why a person is asked about a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Reason {
    /// Nothing that was allowed covers it.
    NotAllowedYet,
    /// This tool was allowed, for other arguments only.
    OtherArguments,
    /// This tool was allowed, and its definition has changed since.
    ToolChanged {
        /// What is different.
        parts: Vec<ToolPart>,
        /// The definition that was allowed.
        before: Box<ToolSpec>,
        /// When it was allowed.
        allowed_at: Timestamp,
    },
    /// It was allowed, and values of this call came from strangers.
    FromStrangers,
    /// The same call was made again and again within a short time, as a loop does.
    Repeated {
        /// How often within the last minute.
        times: u32,
    },
    /// This tool was allowed, and the server is reached in another way since.
    ServerChanged {
        /// When it was allowed.
        allowed_at: Timestamp,
    },
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Answer {
    /// This call, and nothing else.
    AllowOnce,
    /// This tool with any arguments, until the application ends.
    AllowRun,
    /// This tool with exactly these arguments, always.
    AllowArguments,
    /// This tool with any arguments, always.
    AllowTool,
    /// No.
    Deny {
        /// Told to the caller.
        reason: Option<String>,
    },
    /// The form, filled in or not.
    Form {
        /// What the person did with it.
        answer: FormAnswer,
    },
    /// Open the address in the browser.
    OpenUrl,
    /// No to an address or to the use of a model.
    Decline,
}

/// A call that waits for a person. Only [`Pending::answer`] makes a permission out of it.
#[derive(Debug, Clone)]
pub struct Pending {
    pub(crate) call: ToolCall,
    pub(crate) tool: ToolSpec,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) launch: Fingerprint,
    pub(crate) reason: Reason,
    pub(crate) concerns: Vec<Concern>,
}

impl Pending {
    /// The call that waits, as it would be sent.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// The tool as it was when the call was decided.
    pub fn tool(&self) -> &ToolSpec {
        &self.tool
    }

    /// What speaks against the call. A "yes" settles it.
    pub fn concerns(&self) -> &[Concern] {
        &self.concerns
    }

    /// The same, for another reason.
    #[must_use]
    pub fn because(mut self, reason: Reason) -> Self {
        self.reason = reason;
        self
    }

    /// The question for a person. `arguments` and `concerns` are those of the call with held secrets covered; `findings` are those of
    /// the tool's definition.
    pub fn question(&self, arguments: Map<String, Value>, concerns: Vec<Concern>, findings: Vec<Finding>, now: Timestamp) -> Question {
        Question {
            id: QuestionId::random(),
            asked_at: now,
            expires_at: now.plus(PATIENCE),
            server: self.call.server.clone(),
            subject: Subject::Call {
                call: self.call.id.clone(),
                caller: self.call.caller.clone(),
                tool: self.tool.clone(),
                arguments,
                reason: self.reason.clone(),
                findings,
                concerns,
            },
        }
    }

    /// Applies a person's answer at `now`. A "yes" for later comes with the grant to remember.
    ///
    /// `tool_now` and `launch_now` are what the catalogue holds at this moment: if either changed while the person was
    /// thinking, what they saw is not what would run, and the answer is no.
    pub fn answer(
        self,
        question: &QuestionId,
        answer: &Answer,
        tool_now: &Fingerprint,
        launch_now: &Fingerprint,
        run: &RunId,
        now: Timestamp,
    ) -> Result<(PermittedCall, Option<Grant>), Refusal> {
        let scope = match answer {
            Answer::AllowOnce => None,
            Answer::AllowRun => Some(Scope::Run { run: run.clone() }),
            Answer::AllowArguments => Some(Scope::Arguments { fingerprint: self.call.arguments_fingerprint() }),
            Answer::AllowTool => Some(Scope::Tool),
            Answer::Deny { reason } => return Err(Refusal::DeniedByPerson { reason: reason.clone() }),
            Answer::Form { .. } | Answer::OpenUrl | Answer::Decline => return Err(Refusal::DeniedByPerson { reason: None }),
        };
        if self.fingerprint != *tool_now || self.launch != *launch_now {
            return Err(Refusal::ChangedWhileAsking);
        }
        let grant = scope.map(|scope| Grant {
            id: GrantId::random(),
            caller: self.call.caller.clone(),
            server: self.call.server.clone(),
            launch_fingerprint: self.launch.clone(),
            tool: self.tool,
            tool_fingerprint: self.fingerprint.clone(),
            scope,
            made_at: now,
            last_used_at: Some(now),
            revoked_at: None,
        });
        let permission = Permission::Answer { question: question.clone(), grant: grant.as_ref().map(|grant| grant.id.clone()) };
        Ok((PermittedCall::new(self.call, permission, self.fingerprint, self.launch), grant))
    }
}
