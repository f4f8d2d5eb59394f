//! What a person is asked.

use crate::flow::{Concern, ValueSource};
use crate::rule::Rule;
use crate::{ArgumentOptions, QuestionTime};
use inspect::Finding;
use protocol::{
    CallId, Caller, ConversationId, Form, QuestionId, RuleId, Sample, ServerId, Timestamp,
    ToolPart, ToolSpec, Unread, UrlAsk,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

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

impl Question {
    /// A new one, which waits so long.
    pub fn new(
        server: Option<ServerId>,
        subject: Subject,
        asked_at: Timestamp,
        time: QuestionTime,
    ) -> Self {
        Self {
            id: QuestionId::random(),
            asked_at,
            expires_at: time.after(asked_at),
            server,
            subject,
        }
    }
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[expect(
    clippy::large_enum_variant,
    reason = "questions are few, and nearly all are the large one"
)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Subject {
    /// May this call run?
    Call {
        /// Which call.
        call: CallId,
        /// Who asks.
        caller: Caller,
        /// In which of its conversations; absent in questions of earlier versions.
        #[serde(default)]
        conversation: Option<ConversationId>,
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
        /// Whose words its values are, where it is known what the person has said.
        #[serde(default)]
        sources: Vec<ValueSource>,
        /// What the call touches.
        touches: AffectedResources,
        /// What was sent the last time this tool ran for this caller; values of held secrets are
        /// covered.
        #[ts(type = "Record<string, unknown> | null")]
        last_time: Option<Map<String, Value>>,
        /// What a remembered answer may say about each argument.
        options: Vec<ArgumentOptions>,
        /// Whether the person marked the tool as one that does something that matters. A yes to any
        /// arguments of such a tool, and of a call with concerns, is remembered only with an end.
        #[serde(default)]
        consequential: bool,
        /// Whether whoever asked is gone, because Majordomo was started anew since. The call runs
        /// all the same after a yes; its answer is kept with the activity.
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
    /// A program wants something changed, and more could happen afterwards.
    Change {
        /// What.
        change: WantedChange,
    },
    /// May this be sent to a server? It is no call of a tool.
    Request {
        /// Who wants it.
        caller: Caller,
        /// In which of its conversations.
        conversation: ConversationId,
        /// What.
        request: RequestKind,
        /// What the caller chose of it.
        #[ts(type = "Record<string, unknown>")]
        arguments: Map<String, Value>,
        /// Why a person is asked.
        reason: RequestReason,
        /// Values of it that came from strangers, the gravest first.
        concerns: Vec<Concern>,
    },
    /// A rule is to be made or taken back, and less would be asked or forbidden afterwards.
    Rule {
        /// The rule.
        rule: Box<Rule>,
        /// Whether it is to be taken back.
        removing: bool,
    },
}

/// Something that a program wants changed, after which more can happen than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WantedChange {
    /// The request of the contract that would do it, such as `enable_server`.
    pub request: String,
    /// Who wants it.
    pub caller: Caller,
    /// Everything that goes with it, in its order; values of secrets are covered.
    pub details: Vec<ChangeDetail>,
}

/// One part of a change that a program wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangeDetail {
    /// Its name in the contract.
    pub name: String,
    /// Its value: a text as it is, everything else as JSON.
    pub value: String,
}

/// What a call touches, as far as its arguments tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct AffectedResources {
    /// Files and folders, where they really lie.
    pub files: Vec<AffectedFile>,
    /// Hosts of web addresses in the arguments, and the server's own if it is reached over the
    /// network.
    pub hosts: Vec<String>,
    /// The account in whose name the server acts, by the name a person gave it.
    pub account: Option<String>,
    /// How the server is held back.
    pub confinement: Confinement,
    /// Code of the server that could not be read, and that nobody has reviewed.
    #[serde(default)]
    pub unread: Vec<Unread>,
}

/// A file or folder that a call names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AffectedFile {
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
    /// By files, processes and a network of its own (see `ConfinementTier`).
    Namespaces,
    /// It cannot open other files; it can see that they are there.
    Landlock,
    /// By macOS's own sandbox.
    Seatbelt,
    /// By a container of Windows.
    AppContainer,
    /// It is to be confined, and was not started yet in this run.
    Confined,
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
    /// It was allowed, and something like it was refused for good: whether that no is about this
    /// call cannot be told.
    MayBeDenied,
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
    /// Nearly the same call was made again and again, as a loop does that counts.
    Alike {
        /// How often in a row.
        times: u32,
    },
    /// This tool was allowed, and the server is reached in another way since.
    ServerChanged {
        /// When it was allowed.
        allowed_at: Timestamp,
    },
}

/// What a person can be asked about that is to be sent to a server and is no call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// A resource is to be read.
    Read,
    /// A server is to tell when a resource changes.
    Subscribe,
    /// A prompt is to be filled in.
    Prompt,
    /// A server is to log something else.
    LogLevel,
}

/// Why a person is asked about such a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RequestReason {
    /// The server does not list this address, and no approved template makes it.
    NotListed,
    /// Values of it came from strangers.
    FromStrangers,
    /// A rule wants it to be asked about every time.
    RuleAsks {
        /// Which rules.
        rules: Vec<RuleId>,
    },
}

/// What a person sees of a call beside what it is; values of held secrets are covered.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// What speaks against the call.
    pub concerns: Vec<Concern>,
    /// Whose words its values are.
    pub sources: Vec<ValueSource>,
    /// What an inspection of the tool's definition found.
    pub findings: Vec<Finding>,
    /// What the call touches.
    pub touches: AffectedResources,
    /// What was sent the last time.
    pub last_time: Option<Map<String, Value>>,
}
