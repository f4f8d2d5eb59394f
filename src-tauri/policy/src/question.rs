//! What a person is asked, and what an answer makes of it.

use crate::flow::Concern;
use crate::permitted::{Permission, PermittedCall};
use crate::remember::{Cover, Lasting, Remember, RememberProblem};
use crate::rule::Rule;
use crate::schema::SchemaProblem;
use crate::{ArgumentOptions, Effect, Grant, GrantOrigin, KnownTool, Mark, Refusal, Setting, options_for, put_back};
use inspect::Finding;
use protocol::{
    CallId, Caller, Fingerprint, Form, FormAnswer, GrantId, QuestionId, RuleId, Sample, ServerId, Timestamp, ToolCall, ToolPart, ToolSpec,
    UrlAsk, WorkspaceId,
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
    /// The server it is about, by our name; none for what is about no single server.
    pub server: Option<ServerId>,
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
        /// What the call touches.
        touches: Touches,
        /// What was sent the last time this tool ran for this caller; values of held secrets are covered.
        #[ts(type = "Record<string, unknown> | null")]
        last_time: Option<Map<String, Value>>,
        /// What a remembered answer may say about each argument.
        options: Vec<ArgumentOptions>,
        /// Whether the person marked the tool as one that does something that matters. A yes to any arguments of such a tool, and of
        /// a call with concerns, is remembered only with an end.
        #[serde(default)]
        consequential: bool,
        /// Whether whoever asked is gone, because Majordomo was started anew since. The call runs all the same after a yes; its
        /// answer is kept with the activity.
        left_over: bool,
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
    /// A server wants to use a model.
    Sample {
        /// The calls that run on this server now; one of them is the cause.
        during: Vec<CallId>,
        /// What it asks for.
        sample: Sample,
        /// The model that would answer; none means that it can only be declined.
        model: Option<String>,
        /// What the server may still use.
        budget: Budget,
    },
    /// What a model has answered to a server's request, before the server gets it.
    SampleReply {
        /// The calls that run on this server now; one of them is the cause.
        during: Vec<CallId>,
        /// What was asked, as the person let it go.
        sample: Sample,
        /// The model that answered.
        model: String,
        /// What it said.
        reply: String,
    },
    /// A rule is to be made or taken back, and less would be asked or forbidden afterwards.
    Rule {
        /// The rule.
        rule: Box<Rule>,
        /// Whether it is to be taken back.
        removing: bool,
    },
}

/// What a call touches, as far as its arguments tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Touches {
    /// Files and folders, where they really lie.
    pub files: Vec<TouchedFile>,
    /// Hosts of web addresses in the arguments, and the server's own if it is reached over the network.
    pub hosts: Vec<String>,
    /// The account in whose name the server acts, by the name a person gave it.
    pub account: Option<String>,
    /// How the server is held back.
    pub confinement: Confinement,
}

/// A file or folder that a call names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TouchedFile {
    /// The text in the arguments that names it.
    pub of: String,
    /// Where it really lies, links followed as far as they exist.
    pub path: String,
    /// Whether it lies in a folder that the server was given.
    pub granted: bool,
}

/// How a server is held back by the system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Confinement {
    /// Not at all: it can do what the person can.
    #[default]
    None,
    /// It runs on another computer.
    Elsewhere,
    /// It is a part of this program and does only what it says.
    Own,
}

/// What a server may still use of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Budget {
    /// Requests within the next hour.
    pub requests: u32,
    /// Tokens within the next day.
    pub tokens: u32,
    /// Tokens of one reply.
    pub per_reply: u32,
}

/// Why a person is asked about a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Reason {
    /// Nothing that was allowed covers it.
    NotAllowedYet,
    /// This tool was allowed, for other arguments only.
    OtherArguments,
    /// It was allowed, but these arguments are too long to be let through unseen.
    LongArguments,
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
    /// A rule wants it to be asked about every time.
    RuleAsks {
        /// Which rules.
        rules: Vec<RuleId>,
    },
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
        answer: FormAnswer,
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

impl Answer {
    /// Yes to this call, and nothing else.
    pub fn once() -> Self {
        Self::Allow { arguments: None, remember: None }
    }

    /// Yes, and remember it.
    pub fn remembered(lasting: Lasting, cover: Cover) -> Self {
        Self::Allow { arguments: None, remember: Some(Remember { lasting, cover, also: Vec::new() }) }
    }

    /// Yes, whatever the arguments, until it is taken back.
    pub fn always() -> Self {
        Self::remembered(Lasting::Workspace, Cover::Any)
    }

    /// Yes, whatever the arguments, until the conversation ends.
    pub fn for_conversation() -> Self {
        Self::remembered(Lasting::Conversation, Cover::Any)
    }

    /// Yes to exactly these arguments, until it is taken back.
    pub fn exactly() -> Self {
        Self::remembered(Lasting::Workspace, Cover::Exactly)
    }

    /// No, with words for the caller.
    pub fn no(reason: Option<&str>) -> Self {
        Self::Deny { reason: reason.map(str::to_owned), remember: None }
    }
}

/// A call that waits for a person. Only [`Pending::answer`] makes a permission out of it.
///
/// It can be written down, since a question outlives the application; whoever reads it back must know that nobody else wrote it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    pub(crate) call: ToolCall,
    pub(crate) tool: ToolSpec,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) launch: Fingerprint,
    pub(crate) reason: Reason,
    pub(crate) concerns: Vec<Concern>,
    pub(crate) mark: Mark,
    pub(crate) workspace: WorkspaceId,
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

    /// Why a person is asked.
    pub fn reason(&self) -> &Reason {
        &self.reason
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

    /// The same, of a tool about which a person has said something.
    #[must_use]
    pub fn marked(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }

    /// The workspace in which it was decided. What is answered holds there.
    pub fn workspace(&self) -> &WorkspaceId {
        &self.workspace
    }

    /// Whether a yes to any arguments is remembered only with an end.
    pub fn must_end(&self) -> bool {
        self.mark.consequential || !self.concerns.is_empty()
    }

    /// The question for a person. Values of held secrets are covered in all of `shown`.
    pub fn question(&self, shown: Shown, now: Timestamp) -> Question {
        let options = options_for(&self.call.arguments, &shown.arguments, &shown.touches);
        Question {
            id: QuestionId::random(),
            asked_at: now,
            expires_at: now.plus(PATIENCE),
            server: Some(self.call.server.clone()),
            subject: Subject::Call {
                call: self.call.id.clone(),
                caller: self.call.caller.clone(),
                tool: self.tool.clone(),
                arguments: shown.arguments,
                reason: self.reason.clone(),
                findings: shown.findings,
                concerns: shown.concerns,
                touches: shown.touches,
                last_time: shown.last_time,
                options,
                consequential: self.mark.consequential,
                left_over: false,
            },
        }
    }

    /// Applies a person's answer. An answer for later comes with the grant to remember.
    ///
    /// `tool_now` and `launch_now` are what the catalogue holds at this moment: if either changed while the person was
    /// thinking, what they saw is not what would run, and the answer is no. The same holds for arguments that the person
    /// changed into ones that do not fit the tool's schema, or in which a covered value was changed, and for an answer that comes while
    /// another workspace is in use. What may not be remembered ([`Pending::check`]) is not. `shown` covers values of held secrets.
    pub fn answer(
        mut self,
        question: &QuestionId,
        answer: &Answer,
        tool_now: &KnownTool,
        launch_now: &Fingerprint,
        setting: Setting<'_>,
        shown: impl Fn(&Map<String, Value>) -> Map<String, Value>,
    ) -> Answered {
        if *setting.workspace != self.workspace {
            return Answered::no(Refusal::OtherWorkspace);
        }
        let unchanged = self.fingerprint == *tool_now.fingerprint() && self.launch == *launch_now;
        match answer {
            Answer::Allow { arguments, remember } => {
                if !unchanged {
                    return Answered::no(Refusal::ChangedWhileAsking);
                }
                if let Some(edited) = arguments {
                    match self.edited(edited, tool_now, &shown) {
                        Ok(arguments) => self.call.arguments = arguments,
                        Err(refusal) => return Answered::no(refusal),
                    }
                }
                let grant = self.remembered(remember.as_ref(), Effect::Allow, question, setting, shown);
                let grant_id = grant.as_ref().map(|grant| grant.id.clone());
                let permission = Permission::Answer { question: question.clone(), grant: grant_id, changed: arguments.is_some() };
                let permitted = PermittedCall::new(self.call, permission, self.fingerprint, self.launch);
                Answered { call: Ok(permitted), grant }
            }
            Answer::Deny { reason, remember } => {
                let effect = Effect::Deny { reason: reason.clone() };
                let grant = self.remembered(remember.as_ref().filter(|_| unchanged), effect, question, setting, shown);
                Answered { call: Err(Refusal::DeniedByPerson { reason: reason.clone() }), grant }
            }
            Answer::Form { .. }
            | Answer::OpenUrl
            | Answer::UseModel { .. }
            | Answer::SendReply { .. }
            | Answer::ChangeRule
            | Answer::Decline => Answered::no(Refusal::DeniedByPerson { reason: None }),
        }
    }

    /// The arguments as the person changed them, with covered values put back. They must fit the tool's schema.
    pub fn edited(
        &self,
        edited: &Map<String, Value>,
        tool: &KnownTool,
        shown: impl Fn(&Map<String, Value>) -> Map<String, Value>,
    ) -> Result<Map<String, Value>, Refusal> {
        let original = &self.call.arguments;
        let arguments = put_back(edited, original, &shown(original))
            .map_err(|problem| Refusal::ArgumentsInvalid { problems: vec![problem.to_string()] })?;
        match tool.check_arguments(&arguments) {
            Ok(()) => Ok(arguments),
            Err(SchemaProblem::Invalid(problems)) => Err(Refusal::ArgumentsInvalid { problems }),
            Err(SchemaProblem::Unusable(problem)) => Err(Refusal::SchemaUnusable { problem }),
        }
    }

    /// Why an answer cannot be remembered like this, if so.
    pub fn check(&self, answer: &Answer, now: Timestamp) -> Result<(), RememberProblem> {
        match answer {
            Answer::Allow { remember: Some(remember), .. } => remember.check(self.must_end(), now),
            // A no may reach as far as it likes.
            Answer::Deny { remember: Some(remember), .. } => remember.check(false, now),
            _ => Ok(()),
        }
    }

    /// The grant, if it may be remembered and is for more than this call.
    fn remembered(
        &self,
        remember: Option<&Remember>,
        effect: Effect,
        question: &QuestionId,
        setting: Setting<'_>,
        shown: impl Fn(&Map<String, Value>) -> Map<String, Value>,
    ) -> Option<Grant> {
        let must_end = effect == Effect::Allow && self.must_end();
        let remember = remember.filter(|remember| remember.check(must_end, setting.now).is_ok())?;
        let (scope, workspace) = remember.lasting.scope(setting);
        let grant = Grant {
            id: GrantId::random(),
            effect,
            caller: self.call.caller.clone(),
            server: self.call.server.clone(),
            launch_fingerprint: self.launch.clone(),
            tool: self.tool.clone(),
            tool_fingerprint: self.fingerprint.clone(),
            arguments: remember.cover.covered(&self.call.arguments, &shown(&self.call.arguments)),
            scope,
            workspace,
            origin: GrantOrigin::Question { question: question.clone() },
            made_at: setting.now,
            used: 1,
            last_used_at: Some(setting.now),
            revoked_at: None,
        };
        grant.holds(setting.now).then_some(grant)
    }
}

/// What a person sees of a call beside what it is; values of held secrets are covered.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// What speaks against the call.
    pub concerns: Vec<Concern>,
    /// What an inspection of the tool's definition found.
    pub findings: Vec<Finding>,
    /// What the call touches.
    pub touches: Touches,
    /// What was sent the last time.
    pub last_time: Option<Map<String, Value>>,
}

/// What an answer makes of a call.
#[derive(Debug)]
pub struct Answered {
    /// Whether it runs.
    pub call: Result<PermittedCall, Refusal>,
    /// What is to be remembered.
    pub grant: Option<Grant>,
}

impl Answered {
    fn no(refusal: Refusal) -> Self {
        Self { call: Err(refusal), grant: None }
    }
}
