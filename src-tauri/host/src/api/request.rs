//! Every request that a surface can make.

use super::{
    ActivityFilter, BatchAnswer, ClientDraft, ExportFormat, ImportChoice, ImportSource, KeepSecrets, OfferDecision, SamplingSettings,
    ServerDraft, SignInApprovals, Supposed, TelemetrySettings,
};
use policy::{Answer, Mark, RuleDraft};
use protocol::{
    CallId, CompletionOf, EraChoice, Fingerprint, GrantId, LogLevel, QuestionId, RuleId, ServerId, Timestamp, ToolName, WorkspaceId,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use ts_rs::TS;

/// What a surface asks for. The answer's type stands behind the arrow.
#[derive(Debug, Deserialize, TS)]
#[serde(tag = "method", content = "params", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Everything a surface needs on connecting → [`Snapshot`](super::Snapshot)
    Snapshot,
    /// What would be run or called, before it is kept → [`Review`](super::Review)
    ReviewDraft {
        /// The form as filled in.
        draft: ServerDraft,
    },
    /// Keeps a new server, off and not reviewed → [`ServerView`](super::ServerView)
    AddServer {
        /// The form as filled in.
        draft: ServerDraft,
    },
    /// Replaces how a server is reached. It is switched off and must be reviewed again if that changes its fingerprint → [`ServerView`](super::ServerView)
    EditServer {
        /// Which one.
        server: ServerId,
        /// The form as filled in; `DraftValue::KeptSecret` keeps what is there.
        draft: ServerDraft,
    },
    /// What a kept server would run or call → [`Review`](super::Review)
    ReviewServer {
        /// Which one.
        server: ServerId,
    },
    /// Notes that a person has seen the review of a server as it is now → [`ServerView`](super::ServerView)
    AcceptReview {
        /// Which one.
        server: ServerId,
        /// The fingerprint of the review that was shown.
        reviewed: Fingerprint,
    },
    /// Switches a server on. The first time, and after each change, `reviewed` must be the fingerprint of the review that the
    /// person has just accepted → [`ServerView`](super::ServerView)
    EnableServer {
        /// Which one.
        server: ServerId,
        /// The review that was accepted, if one was shown.
        reviewed: Option<Fingerprint>,
    },
    /// Switches a server off and stops it → [`ServerView`](super::ServerView)
    DisableServer {
        /// Which one.
        server: ServerId,
    },
    /// Stops a server that is on and starts it again → [`ServerView`](super::ServerView)
    RestartServer {
        /// Which one.
        server: ServerId,
    },
    /// Removes a server with its credentials, roots and grants → `null`
    RemoveServer {
        /// Which one.
        server: ServerId,
    },
    /// What a server wrote on its standard error, the newest lines → [`ServerLog`](super::ServerLog)
    ServerLog {
        /// Which one.
        server: ServerId,
    },
    /// Looks for configurations of other applications in their usual places → `FoundConfiguration[]`
    FindConfigurations,
    /// Reads another application's configuration without keeping anything → [`ImportPreview`](super::ImportPreview)
    PreviewImport {
        /// Which one.
        from: ImportSource,
    },
    /// Keeps the chosen entries of a configuration, all of them off → [`ImportOutcome`](super::ImportOutcome)
    ImportServers {
        /// The same as in the preview.
        from: ImportSource,
        /// Which entries, by their name in the text, and under which name to keep them.
        choices: Vec<ImportChoice>,
        /// What to do with secrets where there is no keyring.
        keep: KeepSecrets,
    },
    /// Gives a server a folder → [`ServerView`](super::ServerView)
    AddRoot {
        /// Which server.
        server: ServerId,
        /// An absolute path of a folder.
        path: String,
    },
    /// Takes a folder from a server → [`ServerView`](super::ServerView)
    RemoveRoot {
        /// Which server.
        server: ServerId,
        /// The path as listed.
        path: String,
    },
    /// The tools of a server → `ToolView[]`
    ListTools {
        /// Which server.
        server: ServerId,
    },
    /// Switches one tool on or off → [`ToolView`](super::ToolView)
    SetTool {
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// On?
        on: bool,
    },
    /// Keeps what a person says about a tool → [`ToolView`](super::ToolView)
    MarkTool {
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// What they say.
        mark: Mark,
    },
    /// What a server offers, compared with what was approved → [`OffersReview`](super::OffersReview)
    ReviewOffers {
        /// Which server.
        server: ServerId,
    },
    /// Keeps a person's decisions about what a server offers. All are kept or, if something changed since it was shown, none
    /// → [`OffersReview`](super::OffersReview)
    DecideOffers {
        /// Which server.
        server: ServerId,
        /// The decisions.
        decisions: Vec<OfferDecision>,
    },
    /// Calls a tool and waits for the end, the question to a person included → [`Answered`](super::Answered)
    CallTool {
        /// Chosen by the surface (`call-` and 16 hexadecimal digits), so that it can follow and cancel the call.
        call: Option<CallId>,
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// The arguments.
        #[ts(type = "Record<string, unknown>")]
        arguments: Map<String, Value>,
    },
    /// Cancels a call, or withdraws it while its question waits → `null`
    CancelCall {
        /// Which call.
        call: CallId,
    },
    /// A result with the marks for credentials and personal numbers taken off, for the person only; it is written to the log
    /// → `ToolAnswer`
    RevealAnswer {
        /// Of which call.
        call: CallId,
    },
    /// All of a result of which only a part was passed on → [`Export`](super::Export)
    FullAnswer {
        /// Of which call.
        call: CallId,
    },
    /// What a server offers to read → [`ResourceList`](super::ResourceList)
    ListResources {
        /// Which server.
        server: ServerId,
    },
    /// Reads a resource → `ResourceAnswer`
    ReadResource {
        /// Which server.
        server: ServerId,
        /// Its address.
        uri: String,
    },
    /// Asks a server to tell when a resource changes, or not to any more → [`ResourceList`](super::ResourceList)
    WatchResource {
        /// Which server.
        server: ServerId,
        /// Its address.
        uri: String,
        /// Tell?
        on: bool,
    },
    /// The prompts of a server → `PromptSpec[]`
    ListPrompts {
        /// Which server.
        server: ServerId,
    },
    /// Has a prompt filled in → `PromptAnswer`
    GetPrompt {
        /// Which server.
        server: ServerId,
        /// Its name.
        prompt: String,
        /// What to fill in.
        #[ts(type = "Record<string, string>")]
        arguments: BTreeMap<String, String>,
    },
    /// Proposals for a value that is being typed → `Completion`
    Complete {
        /// Which server.
        server: ServerId,
        /// What it is typed into.
        of: CompletionOf,
        /// The argument or gap.
        argument: String,
        /// What is typed so far.
        value: String,
        /// The other arguments that are filled in already.
        #[ts(type = "Record<string, string>")]
        #[serde(default)]
        context: BTreeMap<String, String>,
    },
    /// What a server logged by the protocol, the newest lines → [`ProtocolLog`](super::ProtocolLog)
    ListLogs {
        /// Which server.
        server: ServerId,
    },
    /// Which lines a server should log → [`ProtocolLog`](super::ProtocolLog)
    SetLogLevel {
        /// Which server.
        server: ServerId,
        /// From which gravity on; none leaves it to the server.
        level: Option<LogLevel>,
    },
    /// The newest messages between Majordomo and a server → [`Exchange`](super::Exchange)
    ListExchange {
        /// Which server.
        server: ServerId,
        /// Only those of one call.
        call: Option<CallId>,
    },
    /// In which era a server is spoken to. It is started again if it runs → [`ServerView`](super::ServerView)
    SetEra {
        /// Which server.
        server: ServerId,
        /// Which era.
        era: EraChoice,
    },
    /// Signs in to a remote server: finds out where, and opens the browser there. What becomes of it is told as events → [`ServerView`](super::ServerView)
    SignIn {
        /// Which server.
        server: ServerId,
        /// What the person has approved on the way, such as an address elsewhere.
        #[serde(default)]
        approved: SignInApprovals,
    },
    /// The address to which the browser was sent back, pasted by the person → [`ServerView`](super::ServerView)
    FinishSignIn {
        /// Which server.
        server: ServerId,
        /// The whole address.
        url: String,
    },
    /// Stops waiting for the browser → [`ServerView`](super::ServerView)
    CancelSignIn {
        /// Which server.
        server: ServerId,
    },
    /// Forgets an account and its tokens → [`ServerView`](super::ServerView)
    SignOut {
        /// Which server.
        server: ServerId,
        /// Which account; none means the one in use.
        account: Option<String>,
    },
    /// Uses another of the accounts that are kept → [`ServerView`](super::ServerView)
    UseAccount {
        /// Which server.
        server: ServerId,
        /// Which account; a new name begins without tokens.
        account: String,
    },
    /// Keeps how Majordomo is known to a server's sign-in → [`ServerView`](super::ServerView)
    SetClient {
        /// Which server.
        server: ServerId,
        /// How; none goes back to registering by itself.
        client: Option<ClientDraft>,
    },
    /// Goes through every step of finding out how to sign in, without signing in → [`DoctorReport`](super::DoctorReport)
    Diagnose {
        /// Which server.
        server: ServerId,
    },
    /// Questions that wait → `Question[]`
    ListQuestions,
    /// Answers a question. Only an approver may → `null`
    AnswerQuestion {
        /// Which one.
        question: QuestionId,
        /// The answer.
        answer: Answer,
    },
    /// Answers several questions at once. Only an approver may → [`BatchOutcome`](super::BatchOutcome)
    AnswerQuestions {
        /// The answers.
        answers: Vec<BatchAnswer>,
    },
    /// What an answer to a question about a call would do → [`AnswerPreview`](super::AnswerPreview)
    PreviewAnswer {
        /// Which question.
        question: QuestionId,
        /// The answer.
        answer: Answer,
    },
    /// Everything that is remembered of answers and still holds, in all workspaces → `Grant[]`
    ListGrants,
    /// Grants that are wider than what they were used for → `Tightening[]`
    ListTightenings,
    /// Makes a grant as narrow as was proposed → [`Grant`]
    Tighten {
        /// Which one.
        grant: GrantId,
    },
    /// All rules → [`PolicyView`](super::PolicyView)
    ShowPolicy,
    /// A rule as it would be written → [`Rule`](policy::Rule)
    PreviewRule {
        /// What was clicked together.
        draft: RuleDraft,
    },
    /// Makes a rule. One that lets more happen is a question first, and this waits for the answer → [`PolicyView`](super::PolicyView)
    AddRule {
        /// What was clicked together.
        draft: RuleDraft,
    },
    /// Takes a rule of the person back. Where more could happen afterwards this is a question first → [`PolicyView`](super::PolicyView)
    RemoveRule {
        /// Which one.
        rule: RuleId,
    },
    /// What would become of a call → [`Supposition`](super::Supposition)
    TestPolicy {
        /// The call.
        call: Supposed,
    },
    /// All workspaces, by name → `WorkspaceView[]`
    ListWorkspaces,
    /// Makes a workspace; it is not in use yet → [`WorkspaceView`](super::WorkspaceView)
    AddWorkspace {
        /// What to call it.
        name: String,
        /// Begins with the servers, folders and tool switches of this one, but never with its grants; none begins empty.
        like: Option<WorkspaceId>,
    },
    /// Calls a workspace something else → [`WorkspaceView`](super::WorkspaceView)
    RenameWorkspace {
        /// Which one.
        workspace: WorkspaceId,
        /// What to call it.
        name: String,
    },
    /// Removes a workspace with its grants. The one in use, and with it the last one, cannot be removed → `null`
    RemoveWorkspace {
        /// Which one.
        workspace: WorkspaceId,
    },
    /// Uses another workspace: stops what is not in it, starts what is → [`WorkspaceView`](super::WorkspaceView)
    SwitchWorkspace {
        /// Which one.
        workspace: WorkspaceId,
    },
    /// Notes that a person has seen that the outcome of a call is not known → `null`
    NoteUnknown {
        /// Which call.
        call: CallId,
    },
    /// Whether a server may ask for a model, and how much → [`SamplingView`](super::SamplingView)
    ShowSampling {
        /// Which server.
        server: ServerId,
    },
    /// Lets a server ask for a model, or not → [`SamplingView`](super::SamplingView)
    SetSampling {
        /// Which server.
        server: ServerId,
        /// How much.
        settings: SamplingSettings,
    },
    /// The head of the log, to be kept elsewhere → [`AnchorExport`](super::AnchorExport)
    ExportAnchor,
    /// How the log stands to an anchor that was kept elsewhere → [`AnchorCheck`](super::AnchorCheck)
    CheckAnchor {
        /// The anchor's line of text.
        text: String,
    },
    /// Moves old records out of the log, behind a signed checkpoint → [`Compacted`](super::Compacted)
    CompactLog {
        /// Only whole segments of which every record is older.
        before: Timestamp,
    },
    /// Where traces and metrics are sent → [`TelemetryView`](super::TelemetryView)
    ShowTelemetry,
    /// Chooses where traces and metrics are sent → [`TelemetryView`](super::TelemetryView)
    SetTelemetry {
        /// Where.
        settings: TelemetrySettings,
    },
    /// Takes a grant back. Calls already running finish; the next one asks again → [`Grant`]
    RevokeGrant {
        /// Which one.
        grant: GrantId,
    },
    /// What happened, newest first → [`ActivityPage`](super::ActivityPage)
    ListActivity {
        /// Which rows.
        filter: ActivityFilter,
        /// Continue after this row of the page before.
        before: Option<u64>,
        /// Rows, at most 500.
        limit: u32,
    },
    /// One call in full → [`ActivityDetail`](super::ActivityDetail)
    ShowActivity {
        /// Its first record.
        seq: u64,
    },
    /// Reads the whole log and checks it → [`LogReport`](super::LogReport)
    VerifyLog,
    /// The log as text → [`LogExport`](super::LogExport)
    ExportLog {
        /// In which format.
        format: ExportFormat,
    },
}
