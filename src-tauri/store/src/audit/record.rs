//! What the log records. Values of held secrets are covered before an entry is made.

use super::call_events::{CallClosed, CallOpened};
use super::decided_offer::DecidedOffer;
use super::key::PublicKey;
use super::recurring::Times;
use super::seals::Keyed;
use super::void::Void;
use super::vouched::{Noun, Vouched};
use crate::StoreError;
use crate::db::{from_json, to_json};
use crate::grants::terms_of;
use api::{Application, KeyPlace};
use policy::{ClientChange, Covered, Effect, Grant, Refusal, RuleProblem, Scope, ToolFlags};
use protocol::{
    AssistantId, AssistantSettings, CallId, Caller, CallerId, ConfinementSettings, ConversationId,
    EraChoice, FeatureKey, FeatureKind, Fingerprint, GrantId, IdentityChange, Launch, ModelId,
    ModelSettings, QuestionId, RuleId, RunId, Runs, ServerId, Timestamp, ToolName, Unread,
    WorkspaceId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The names of the events of most records.
const CALL_OPENED: &str = "call_opened";
const CALL_CLOSED: &str = "call_closed";

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// In which call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<CallId>,
    /// Who asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// In which of its conversations; absent in records of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    /// On whose word, and where it was given: `window`, `question_window`, `terminal`,
    /// `approver_token`, …; absent where nobody decides, and in some records of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    /// Which server it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerId>,
    /// Which tool it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolName>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

impl Entry {
    /// Reads a record as it stands in the log, from its JSON. Fails where that is none of ours.
    pub(super) fn read(json: &[u8]) -> serde_json::Result<Self> {
        let head: Head<'_> = serde_json::from_slice(json)?;
        // Most are of calls, and are read without keeping a copy of all their parts first.
        let event = match &*head.event {
            CALL_OPENED => Event::CallOpened(serde_json::from_slice(json)?),
            CALL_CLOSED => Event::CallClosed(serde_json::from_slice(json)?),
            _ => serde_json::from_slice(json)?,
        };
        Ok(Self {
            at: head.at,
            call: head.call,
            caller: head.caller,
            conversation: head.conversation,
            approver: head.approver,
            server: head.server,
            tool: head.tool,
            event,
        })
    }

    /// Something that happened by itself: nobody asked for it, and it is about no server.
    pub fn new(at: Timestamp, event: Event) -> Self {
        Self {
            at,
            call: None,
            caller: None,
            conversation: None,
            approver: None,
            server: None,
            tool: None,
            event,
        }
    }
}

/// Of a record what [`Entry`] says besides the event.
#[derive(Deserialize)]
struct Head<'a> {
    at: Timestamp,
    call: Option<CallId>,
    caller: Option<Caller>,
    conversation: Option<ConversationId>,
    approver: Option<String>,
    server: Option<ServerId>,
    tool: Option<ToolName>,
    #[serde(borrow)]
    event: Cow<'a, str>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// A call may run and is about to.
    CallOpened(CallOpened),
    /// A call that was opened has ended.
    CallClosed(CallClosed),
    /// A call was not allowed.
    CallRefused {
        /// What would have been sent, secrets covered.
        arguments: Map<String, Value>,
        /// Why not.
        refusal: Refusal,
        /// Milliseconds from the call to the refusal.
        duration_ms: u64,
        /// Milliseconds of these in which a person was asked something; absent where nobody knows,
        /// as in records of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        waited_ms: Option<u64>,
    },
    /// A question was put to a person.
    QuestionAsked {
        /// Which one.
        question: QuestionId,
    },
    /// A question has ended.
    QuestionAnswered {
        /// Which one.
        question: QuestionId,
        /// How: `allow_once`, `deny`, `form_accept`, `lapsed`, …
        answer: String,
        /// In their words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A person said yes for later calls.
    GrantMade {
        /// The grant.
        grant: GrantId,
        /// How far it goes.
        scope: Scope,
        /// Whether it lets calls through or keeps them away; absent in records of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effect: Option<Effect>,
        /// Which arguments it covers, as they were shown; absent in records of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<Covered>,
        /// The fingerprint of all its terms; absent in records of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<Fingerprint>,
    },
    /// A person took a grant back.
    GrantRevoked {
        /// The grant.
        grant: GrantId,
    },
    /// A person made a rule.
    RuleMade {
        /// Its number.
        rule: RuleId,
        /// Its text.
        text: String,
    },
    /// A person took a rule back.
    RuleRemoved {
        /// Its number.
        rule: RuleId,
        /// Its text.
        text: String,
    },
    /// The administrator's rules were read, at the start or after a change.
    PolicyRead {
        /// The file.
        file: String,
        /// The fingerprint of its text.
        fingerprint: Fingerprint,
    },
    /// The administrator's rules cannot be read, and nothing runs until they can.
    PolicyBroken {
        /// Where and why.
        problem: RuleProblem,
    },
    /// The file of the administrator's rules is not there any more. Its rules hold until the host
    /// ends.
    PolicyGone {
        /// The file.
        file: String,
    },
    /// A grant is over without anyone taking it back: its time or its number of calls, or nobody
    /// used it.
    GrantLapsed {
        /// The grant.
        grant: GrantId,
    },
    /// The database allowed something for which the log does not vouch, and it was taken back.
    ApprovalVoided {
        /// What kind of thing it was.
        noun: Noun,
        /// Which one.
        subject: String,
        /// Why it does not hold.
        why: Void,
    },
    /// What stands and began in records that are about to be moved out of the log.
    Vouched {
        /// All of it.
        standing: Vec<Vouched>,
    },
    /// A server was added.
    ServerAdded {
        /// How it is reached.
        launch: Launch,
    },
    /// It was changed how a server is reached.
    ServerEdited {
        /// How it is reached now.
        launch: Launch,
    },
    /// A person accepted a server's review.
    ServerReviewed {
        /// What they accepted.
        fingerprint: Fingerprint,
        /// Code that could not be read, so that they accepted it unseen.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unread: Vec<Unread>,
    },
    /// What runs is not what a person has reviewed.
    ProgramChanged {
        /// What is different.
        changes: Vec<IdentityChange>,
    },
    /// A server was switched on or off.
    ServerSwitched {
        /// On?
        on: bool,
    },
    /// A server was removed.
    ServerRemoved,
    /// A workspace was made.
    WorkspaceAdded {
        /// Which one.
        workspace: WorkspaceId,
        /// What it is called.
        name: String,
    },
    /// A workspace is called something else.
    WorkspaceRenamed {
        /// Which one.
        workspace: WorkspaceId,
        /// What it is called now.
        name: String,
    },
    /// A workspace was removed.
    WorkspaceRemoved {
        /// Which one.
        workspace: WorkspaceId,
        /// What it was called.
        name: String,
    },
    /// Another workspace is in use.
    WorkspaceSwitched {
        /// Which one.
        workspace: WorkspaceId,
        /// What it is called.
        name: String,
    },
    /// A server was given a folder.
    RootAdded {
        /// Its path.
        path: String,
    },
    /// A folder was taken from a server.
    RootRemoved {
        /// Its path.
        path: String,
    },
    /// A tool was switched on or off.
    ToolSwitched {
        /// On?
        on: bool,
    },
    /// Models are always shown a tool, or not any more.
    ToolAlwaysShown {
        /// Always?
        on: bool,
    },
    /// A person said something about a tool.
    ToolMarked {
        /// What.
        mark: ToolFlags,
    },
    /// A person decided about something that a server offers.
    OfferDecided {
        /// About what.
        #[serde(flatten)]
        decided: DecidedOffer,
    },
    /// A person decided about several things that a server offers, all or none.
    OffersDecided {
        /// About each.
        decided: Vec<DecidedOffer>,
    },
    /// Something that a server offers is not what was approved, and waits for a person. All that
    /// one list has changed is one record.
    OfferQuarantined {
        /// What kind of thing it is; of the first, if there are several.
        kind: FeatureKind,
        /// Its name.
        name: String,
        /// The definition as it is now; absent for one that is gone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fingerprint: Option<Fingerprint>,
        /// The definition that was approved.
        approved: Fingerprint,
        /// How many others the same list has changed.
        #[serde(default, skip_serializing_if = "is_none")]
        others: u32,
        /// The first few of these others.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<FeatureKey>,
        /// How many lists have changed something since it was written down last; this is the last
        /// of them.
        #[serde(default = "Times::once", skip_serializing_if = "Times::is_once")]
        times: Times,
    },
    /// A person read a resource of a server.
    ResourceRead {
        /// Its address, secrets covered.
        uri: String,
    },
    /// A person had a prompt of a server filled in.
    PromptGot {
        /// Its name.
        prompt: String,
    },
    /// Something else than a call was wanted of a server, and not allowed.
    RequestRefused {
        /// What, as MCP names it.
        method: String,
        /// What the caller chose of it, secrets covered.
        arguments: Map<String, Value>,
        /// Why not.
        refusal: Refusal,
    },
    /// A person had shown what was covered in an answer.
    AnswerRevealed,
    /// A person had an address opened that a server named.
    UrlOpened {
        /// Its origin.
        origin: String,
    },
    /// A server wanted to use a model, and was declined.
    SampleDeclined {
        /// How often.
        #[serde(default = "Times::once", skip_serializing_if = "Times::is_once")]
        times: Times,
    },
    /// A server used a model, as a person allowed.
    SampleAnswered {
        /// Which model.
        model: String,
        /// The fingerprint of what it was asked.
        params_fingerprint: Fingerprint,
        /// How many tokens it took.
        tokens: u32,
    },
    /// A server asked for something because of a client's call, and the client answered; no person
    /// did.
    ClientAnswered {
        /// For what: `form`, `url`, `roots`.
        asked: String,
        /// How: `accept`, `decline`, `cancel`.
        answer: String,
        /// The origin of the address; absent where it was not about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<String>,
    },
    /// A server asked for something that nobody may be asked for, and was refused without a
    /// question.
    AskRefused {
        /// Why: `password`, `card`, `token`, `one_time_code`, `key`, `bad_address`, …
        why: String,
        /// How often. A flood is written as a number; records of earlier versions are of one each.
        #[serde(default = "Times::once", skip_serializing_if = "Times::is_once")]
        times: Times,
    },
    /// A person has seen that nobody knows what became of a call.
    UnknownNoted,
    /// A person chose whether a server may ask for a model.
    SamplingSet {
        /// Whether it may.
        on: bool,
        /// Whether a person sees each reply before the server does; absent in records of earlier
        /// versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        review_replies: Option<bool>,
        /// Requests within an hour, at most.
        requests: u32,
        /// Tokens within a day, at most.
        tokens: u32,
        /// Tokens of one reply, at most.
        per_reply: u32,
    },
    /// Majordomo was signed in at a server.
    SignedIn {
        /// The account, by the name a person gave it.
        account: String,
        /// Who vouches.
        issuer: String,
        /// Which rights were given.
        scopes: Vec<String>,
    },
    /// A person chose which account is used at a server.
    AccountChosen {
        /// The account, by the name a person gave it.
        account: String,
    },
    /// An account was forgotten.
    SignedOut {
        /// The account, by the name a person gave it.
        account: String,
    },
    /// A person said how Majordomo is known at a server's sign-in, or took it back.
    ClientSet {
        /// The client id; none if it was taken back.
        client_id: Option<String>,
    },
    /// A person let another application come in by the gateway.
    ClientAdded {
        /// Its id as a caller.
        client: CallerId,
        /// What it is called.
        name: String,
    },
    /// A person gave an application another token, or took its token away.
    ClientTokenSet {
        /// Its id as a caller.
        client: CallerId,
        /// Whether it has one now.
        has_token: bool,
    },
    /// Somebody changed what an application is given, or how it is shown it.
    ClientChanged {
        /// Its id as a caller.
        client: CallerId,
        /// What of it.
        change: ClientChange,
    },
    /// A person set a model up.
    ModelAdded {
        /// Its number.
        model: ModelId,
        /// What it is called.
        name: String,
        /// How it is reached, and what it can do.
        settings: ModelSettings,
        /// Whether its service is given a key.
        has_key: bool,
    },
    /// A person changed how a model is reached, what it can do, or its key.
    ModelChanged {
        /// Its number.
        model: ModelId,
        /// What it is called now.
        name: String,
        /// How it is reached now, and what it can do.
        settings: ModelSettings,
        /// Whether its service is given a key now.
        has_key: bool,
    },
    /// A model is not used any more, and its key is gone.
    ModelRemoved {
        /// Its number.
        model: ModelId,
        /// What it was called.
        name: String,
    },
    /// A person made an assistant, or changed it.
    AssistantSaved {
        /// Its number.
        assistant: AssistantId,
        /// How it is set up now.
        settings: Box<AssistantSettings>,
    },
    /// An assistant is not there any more.
    AssistantRemoved {
        /// Its number.
        assistant: AssistantId,
        /// What it was called.
        name: String,
    },
    /// An application may not come in any more.
    ClientRemoved {
        /// Its id as a caller.
        client: CallerId,
        /// What it was called.
        name: String,
    },
    /// A person had the entry of Majordomo written into another application's file.
    ApplicationConnected {
        /// Which one.
        application: Application,
        /// Its file.
        path: String,
        /// As which client it comes in.
        client: CallerId,
        /// The servers that were taken out of the file with that.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<String>,
    },
    /// The entry of Majordomo was taken out of another application's file.
    ApplicationDisconnected {
        /// Which one.
        application: Application,
        /// Its file.
        path: String,
        /// As which client it came in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<CallerId>,
    },
    /// A person chose in which era a server is spoken to.
    EraChosen {
        /// Which one.
        era: EraChoice,
    },
    /// A person chose when a server runs.
    RunsChosen {
        /// When.
        runs: Runs,
    },
    /// A person chose what a server on this computer may touch.
    ConfinementChosen {
        /// What.
        settings: ConfinementSettings,
    },
    /// A person chose where traces and metrics are sent.
    TelemetrySet {
        /// The collector's address; none if nothing is sent any more.
        endpoint: Option<String>,
        /// Whether arguments and results go along.
        contents: bool,
        /// Whether servers are told which trace a call belongs to.
        propagate: bool,
    },
    /// A person chose how long questions wait.
    QuestionTimeSet {
        /// So many minutes.
        minutes: u32,
    },
    /// A call that is a task on its server is waited for again, after a restart.
    TaskResumed,
    /// A call whose server wants input goes on after a restart.
    CallResumed,
    /// The host started.
    HostStarted {
        /// Its version.
        version: String,
        /// This run's number.
        run: RunId,
    },
    /// The host ended in order.
    HostStopped,
    /// The end of the log was not a whole record and was moved aside, as after a loss of power.
    TailRepaired {
        /// How many bytes were moved.
        bytes: u64,
        /// Their SHA-256, hexadecimal.
        sha256: String,
    },
    /// From here on the log is signed, beginning with a key that nothing before vouches for.
    LogKeyed {
        /// The public key of the section that begins.
        key: PublicKey,
        /// Where its private key is kept.
        kept: KeyPlace,
    },
    /// A section of the log has ended. Its private key is erased when this is on the disk.
    LogSealed {
        /// The first key of the row.
        root: PublicKey,
        /// The record that introduced it.
        from: u64,
        /// Where the private keys of the row are kept.
        kept: KeyPlace,
        /// The public key of the section that begins.
        next: PublicKey,
        /// By the key of the section that ends, over all of this record that stands before it.
        signature: String,
    },
    /// Old records were moved out of the log; it begins with another record now.
    LogCompacted {
        /// The first record that is still in the log.
        first: u64,
        /// The SHA-256 of the last one that is not.
        hash: String,
        /// The segment that begins with the first record.
        segment: u32,
        /// The key that signs at the cut; absent if nothing was signed there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keyed: Option<Keyed>,
        /// By the key of the section that this record is in, over all of it that stands before.
        signature: String,
    },
}

/// A record that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Its number, from 1 and without gaps.
    pub seq: u64,
}

/// How safe a record is when `append` returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// With the system: killing the host loses nothing, a loss of power at most the last 50
    /// milliseconds.
    Grouped,
    /// On the disk.
    Synced,
}

impl Event {
    /// That a person said yes, or no, for later calls.
    pub fn grant_made(grant: &Grant) -> Result<Self, StoreError> {
        Ok(Self::GrantMade {
            grant: grant.id.clone(),
            scope: grant.scope.clone(),
            effect: Some(grant.effect.clone()),
            arguments: Some(grant.arguments.clone()),
            terms: Some(terms_of(from_json(&to_json(grant)?)?)),
        })
    }

    /// The event's name, as in the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::CallOpened(_) => CALL_OPENED,
            Self::CallClosed(_) => CALL_CLOSED,
            Self::CallRefused { .. } => "call_refused",
            Self::QuestionAsked { .. } => "question_asked",
            Self::QuestionAnswered { .. } => "question_answered",
            Self::GrantMade { .. } => "grant_made",
            Self::GrantRevoked { .. } => "grant_revoked",
            Self::RuleMade { .. } => "rule_made",
            Self::RuleRemoved { .. } => "rule_removed",
            Self::PolicyRead { .. } => "policy_read",
            Self::PolicyBroken { .. } => "policy_broken",
            Self::PolicyGone { .. } => "policy_gone",
            Self::GrantLapsed { .. } => "grant_lapsed",
            Self::ApprovalVoided { .. } => "approval_voided",
            Self::Vouched { .. } => "vouched",
            Self::ServerAdded { .. } => "server_added",
            Self::ServerEdited { .. } => "server_edited",
            Self::ServerReviewed { .. } => "server_reviewed",
            Self::ProgramChanged { .. } => "program_changed",
            Self::ServerSwitched { .. } => "server_switched",
            Self::ServerRemoved => "server_removed",
            Self::WorkspaceAdded { .. } => "workspace_added",
            Self::WorkspaceRenamed { .. } => "workspace_renamed",
            Self::WorkspaceRemoved { .. } => "workspace_removed",
            Self::WorkspaceSwitched { .. } => "workspace_switched",
            Self::RootAdded { .. } => "root_added",
            Self::RootRemoved { .. } => "root_removed",
            Self::ToolSwitched { .. } => "tool_switched",
            Self::ToolAlwaysShown { .. } => "tool_always_shown",
            Self::ToolMarked { .. } => "tool_marked",
            Self::OfferDecided { .. } => "offer_decided",
            Self::OffersDecided { .. } => "offers_decided",
            Self::OfferQuarantined { .. } => "offer_quarantined",
            Self::ResourceRead { .. } => "resource_read",
            Self::PromptGot { .. } => "prompt_got",
            Self::RequestRefused { .. } => "request_refused",
            Self::AnswerRevealed => "answer_revealed",
            Self::UrlOpened { .. } => "url_opened",
            Self::SampleDeclined { .. } => "sample_declined",
            Self::SampleAnswered { .. } => "sample_answered",
            Self::ClientAnswered { .. } => "client_answered",
            Self::AskRefused { .. } => "ask_refused",
            Self::UnknownNoted => "unknown_noted",
            Self::SamplingSet { .. } => "sampling_set",
            Self::SignedIn { .. } => "signed_in",
            Self::AccountChosen { .. } => "account_chosen",
            Self::SignedOut { .. } => "signed_out",
            Self::ClientSet { .. } => "client_set",
            Self::ClientAdded { .. } => "client_added",
            Self::ClientTokenSet { .. } => "client_token_set",
            Self::ClientChanged { .. } => "client_changed",
            Self::ClientRemoved { .. } => "client_removed",
            Self::AssistantSaved { .. } => "assistant_saved",
            Self::AssistantRemoved { .. } => "assistant_removed",
            Self::ModelAdded { .. } => "model_added",
            Self::ModelChanged { .. } => "model_changed",
            Self::ModelRemoved { .. } => "model_removed",
            Self::ApplicationConnected { .. } => "application_connected",
            Self::ApplicationDisconnected { .. } => "application_disconnected",
            Self::EraChosen { .. } => "era_chosen",
            Self::RunsChosen { .. } => "runs_chosen",
            Self::ConfinementChosen { .. } => "confinement_chosen",
            Self::TelemetrySet { .. } => "telemetry_set",
            Self::QuestionTimeSet { .. } => "question_time_set",
            Self::TaskResumed => "task_resumed",
            Self::CallResumed => "call_resumed",
            Self::HostStarted { .. } => "host_started",
            Self::HostStopped => "host_stopped",
            Self::TailRepaired { .. } => "tail_repaired",
            Self::LogKeyed { .. } => "log_keyed",
            Self::LogSealed { .. } => "log_sealed",
            Self::LogCompacted { .. } => "log_compacted",
        }
    }
}

fn is_none(number: &u32) -> bool {
    *number == 0
}
